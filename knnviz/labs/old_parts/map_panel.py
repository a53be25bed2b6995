"""The map in the plane or on a line: decision regions, points, Bayes boundary or eta, and the query point."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

from knnviz.labs.old_engine import Input, Panel
from knnviz.labs.old_parts.neighborhoods import Cells, QueryPoint
from knnviz.labs.old_parts.set_on_map import SetOnMap
from knnviz.labs.old_parts.sources import Source
from knnviz.labs.old_parts.training_data import TrainingData
from knnviz.problems import Sample
from knnviz.profiles import VoteProfile
from knnviz.views import line as line_view
from knnviz.views import map as map_view
from knnviz.views import vote_curve
from knnviz.views.layers import Axes, Layer, Lines, Points


class MapPanel(Panel):
    """Decision regions of a rule in the plane or on a line."""

    data: TrainingData = Input()
    #: Labels of the training points after label noise.
    labels: np.ndarray = Input()
    cells: Cells = Input()
    k: int = Input()
    #: Predicted classes at the cells.
    decisions: np.ndarray = Input()
    query: QueryPoint | None = Input(None)
    #: Thresholds on the fraction of votes for class 1; drawn only on a line.
    thresholds: tuple[vote_curve.ThresholdLine, ...] = Input(())
    #: eta after label noise at the cells; drawn only on a line.
    noisy_eta: np.ndarray | None = Input(None)
    set_on_map: SetOnMap | None = Input(None)

    @property
    def view(self) -> ModuleType:
        """The module that draws in the plane or on a line; both have functions of the same names."""
        return map_view if self.data.chosen_problem.dimension == 2 else line_view

    def axes(self) -> Axes:
        return self.view.axes(self.data.chosen_problem)

    def layers(self) -> Iterator[Layer | Iterable[Layer]]:
        draw, view, problem, sample = self.draw, self.view, self.data.chosen_problem, self.data.sample
        labels, max_points, k = self.labels, self.lab.display_scale.max_points, self.k
        regions = self.set_on_map and self.set_on_map.regions
        yield regions or draw(view.regions, problem, self.decisions)
        yield self.set_on_map.layers if self.set_on_map else ()
        yield draw(view.points, problem, sample, labels, max_points)
        if self.query:
            yield draw(voters, view, problem, sample, labels, self.query.table.indices, k)
        yield from self.in_plane() if problem.dimension == 2 else self.on_line()
        if self.query:
            x = self.query.x if problem.dimension == 2 else self.query.x[0]
            yield view.ball(x, self.query.table.distances[0, k - 1])
            yield draw(view.query, problem, x)

    def in_plane(self) -> Iterator[Layer]:
        yield self.data.bayes_boundary

    def on_line(self) -> Iterator[Layer]:
        """eta with and without label noise, thresholds, and the fractions of votes along the line."""
        draw, points = self.draw, self.cells.field.grid.points[:, 0]
        yield from draw(line_view.eta_curves, points, self.cells.field.eta)
        if self.noisy_eta is not None:
            yield from draw(line_view.noisy_curves, points, self.noisy_eta)
        for threshold in self.thresholds:
            # The legend of the vote panel explains several thresholds.
            line = threshold if len(self.thresholds) == 1 else threshold._replace(label=None)
            yield draw(vote_curve.threshold_line, line, self.data.chosen_problem.box[0])
        yield from draw(vote_fractions, points, self.cells.votes, self.k)

    def alt_text(self) -> str:
        max_points = self.lab.display_scale.max_points
        return map_view.describe(self.data.chosen_problem, self.decisions, self.labels, max_points)

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return self.query.at(x, y) if self.query else {}


def voters(
    view: ModuleType, problem: Source, sample: Sample, labels: np.ndarray, indices: np.ndarray, k: int
) -> Points:
    """The k nearest neighbors of x, by their ``indices`` (1, k_max); the layer of all points may leave out some."""
    nearest = indices[0, :k]
    neighbors = Sample(sample.X[nearest], sample.y[nearest], u=None, v=sample.v[nearest])
    # The training points have the entries of the legend, that of the rings of flipped labels as well.
    return replace(view.points(problem, neighbors, labels[nearest]), name="voters", labels=(), ring_label=None)


def vote_fractions(points: np.ndarray, votes: VoteProfile, k: int) -> list[Lines]:
    return line_view.vote_curves(points, votes.at(k) / k)
