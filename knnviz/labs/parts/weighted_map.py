"""The map of a vote with class weights; for three classes also the vote, and the Bayes rule with the same weights."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from knnviz.labs.engine import Choice, Component, Input, Int, stage
from knnviz.labs.parts.map_panel import MapPanel
from knnviz.labs.parts.neighborhoods import Cells
from knnviz.labs.parts.sizes import LARGEST_SLIDER_K
from knnviz.labs.parts.sources import THREE_CLASSES, Field, field, problem_named
from knnviz.labs.parts.training_data import TrainingData
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile
from knnviz.rules import Weighted
from knnviz.views import line as line_view
from knnviz.views.layers import Layer, Lines
from knnviz.views.map import WeightedBoundaries

#: Cells per side on which the weighted Bayes boundary is traced: few, since it moves while a weight is dragged.
BOUNDARY_CELLS = 80

#: Cells of a line that represent new points: more than are drawn, since decisions with a small k change often.
LINE_CELLS = 4000


class WeightedMap(MapPanel):
    """The map of a vote with class weights q (C,), and in the plane the Bayes boundary of the same weights."""

    q: tuple[float, ...] = Input()

    @stage
    def weighted_boundaries(self) -> WeightedBoundaries | None:
        """eta in the plane, prepared for the Bayes boundary of any weights; None where it is unknown."""
        eta = field(self.data.problem, BOUNDARY_CELLS).eta
        return None if eta is None else WeightedBoundaries.of(self.data.chosen_problem, BOUNDARY_CELLS, eta)

    def in_plane(self) -> Iterator[Layer]:
        if self.weighted_boundaries is not None:
            yield self.draw(WeightedBoundaries.boundary, self.weighted_boundaries, self.q)


class ThreeClassMap(WeightedMap):
    """The same for three classes: on a line weighted curves, and above them a strip of the weighted Bayes decisions."""

    bayes_decisions: np.ndarray | None = Input()

    def on_line(self) -> Iterator[Layer]:
        """Weighted eta, weighted fractions of votes, and the decisions of the weighted Bayes rule."""
        draw, cells, points = self.draw, self.cells, self.cells.field.grid.points[:, 0]
        yield from draw(weighted_eta, points, cells.field.eta, self.q)
        yield from draw(weighted_votes, points, cells.votes, self.k, self.q)
        yield draw(line_view.strip, self.data.chosen_problem, self.bayes_decisions, "best")


class ThreeClassData(TrainingData):
    """A sample of three classes, and the number of neighbors that vote."""

    problem = Choice("waves", THREE_CLASSES).tag(label="problem", group="Data", tip="Where the points come from")
    n = Int(1000, min=50, max=8000, step=50).tag(label="sample size", symbol="n", tip="Number of training points")
    k = Int(50, min=1, max=LARGEST_SLIDER_K).tag(
        label="neighbors", symbol="k", group="Rule", tip="Number of neighbors that vote", at_most="n"
    )

    @stage(compare_values=True)
    def k_max(self) -> int:
        return min(LARGEST_SLIDER_K, self.n)


class WeightedVotes(Component):
    """The weighted vote of three classes, and the Bayes rule with the same weights: on the map, and at new points."""

    data: ThreeClassData = Input()
    cells: Cells = Input()
    q: tuple[float, ...] = Input()

    def validate(self, values: Mapping[str, Any]) -> None:
        source = problem_named(values["problem"])
        if source.n_classes != 3:
            raise ValueError(f"a triangle of weights needs three classes, but {source.name} has {source.n_classes}")

    @stage
    def rule(self) -> Weighted:
        return Weighted(self.q)

    @stage
    def decisions(self) -> np.ndarray:
        return self.rule.predict(self.cells.votes, self.data.k)

    @stage
    def bayes_decisions(self) -> np.ndarray | None:
        """Decisions of the weighted Bayes rule at the cells of the map; None where eta is unknown."""
        eta = self.cells.field.eta
        return None if eta is None else self.rule.decide(eta)

    @stage
    def new_points(self) -> Field:
        """Cells that represent new points, with their probabilities and eta: in the plane those of the map."""
        return field(self.data.problem, LINE_CELLS) if self.data.chosen_problem.dimension == 1 else self.cells.field

    @stage(large=True)
    def new_votes(self) -> VoteProfile:
        if self.data.chosen_problem.dimension == 2:
            return self.cells.votes
        table = NeighborTable.build(self.data.index, self.new_points.grid.points, self.data.k_max)
        return VoteProfile.count(table, self.data.labels, 3)

    @stage
    def new_fractions(self) -> np.ndarray:
        return self.new_votes.at(self.data.k) / self.data.k


def relative(q: Sequence[float]) -> np.ndarray:
    """Weights (C,), divided by the largest."""
    return np.array(q) / max(q)


def weighted_eta(points: np.ndarray, eta: np.ndarray, q: Sequence[float]) -> list[Lines]:
    """eta (m, C) along a line, times the ``relative`` weights."""
    return line_view.eta_curves(points, eta * relative(q), "q eta")


def weighted_votes(points: np.ndarray, votes: VoteProfile, k: int, q: Sequence[float]) -> list[Lines]:
    """The fraction of each class among the k nearest, along a line, times the ``relative`` weights."""
    return line_view.vote_curves(points, votes.at(k) / k * relative(q), "q fraction")
