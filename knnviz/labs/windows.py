"""What labs on the points of a line share: the points in order, and the votes in every window of them."""

import numpy as np

from knnviz.labs.engine.lab import Lab
from knnviz.labs.engine.stages import stage
from knnviz.problems import Problem, Sample
from knnviz.profiles import WindowProfile
from knnviz.windows import Windows


class WindowLab(Lab):
    """A lab on a sample of a line, which a subclass gives, whose k neighbors of any x stand side by side."""

    #: The distribution, and how many points are drawn by what seed.
    plane: Problem
    n: int
    seed: int

    @stage
    def drawn(self) -> Sample:
        """The training points."""
        return self.plane.sample(self.n, self.seed)

    @property
    def observed(self) -> np.ndarray:
        """Their labels as a learner sees them: not noisy."""
        return self.drawn.y

    @stage
    def windows(self) -> Windows:
        """The points in order."""
        return Windows.of(self.drawn.X)

    @stage
    def votes(self) -> WindowProfile:
        """Votes in every window."""
        return WindowProfile.count(self.windows, self.observed, self.plane.n_classes)
