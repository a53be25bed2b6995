"""A sample on a line, and the votes in every window: every k consecutive points."""

import numpy as np

from knnviz.labs.old_engine import Component, Input, stage
from knnviz.labs.old_parts.buttons import Button, new_sample
from knnviz.neighbors import Windows
from knnviz.problems import Problem, Sample
from knnviz.profiles import WindowProfile


class LineSample(Component):
    """Training points on a line, where the k nearest neighbors of any x are k consecutive points."""

    chosen_problem: Problem = Input()
    n: int = Input()
    seed: int = Input()

    def actions(self) -> list[Button]:
        return [new_sample(self.lab)]

    @stage
    def sample(self) -> Sample:
        return self.chosen_problem.sample(self.n, self.seed)

    @stage
    def labels(self) -> np.ndarray:
        return self.sample.y

    @stage
    def windows(self) -> Windows:
        return Windows.from_points(self.sample.X)


class WindowVotes(Component):
    """Votes in every window of a sample on a line."""

    data: LineSample = Input()
    labels: np.ndarray = Input()

    @stage
    def profile(self) -> WindowProfile:
        return WindowProfile.count(self.data.windows, self.labels, self.data.chosen_problem.n_classes)


def log_spaced(low: float, high: float, count: int) -> np.ndarray:
    """At most ``count`` whole numbers from low to high, evenly spaced on a log axis."""
    return np.unique(np.geomspace(low, high, count).round().astype(np.int64))
