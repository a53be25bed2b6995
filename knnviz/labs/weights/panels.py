"""The panels of WeightLab: Map or Line, weighted votes around x, the triangle, entries, scores."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.labs.old_engine import Input, Panel, stage
from knnviz.labs.old_parts.class_weights import ClassWeights
from knnviz.labs.old_parts.neighborhoods import Cells
from knnviz.labs.old_parts.training_data import TrainingData
from knnviz.labs.old_parts.vote_panel import VotePanel
from knnviz.labs.old_parts.weighted_map import ThreeClassMap, relative_to_largest
from knnviz.labs.weights.boundary_sets import REGIONS_ONLY, PointSet
from knnviz.labs.weights.confusions import Confusions
from knnviz.profiles import BallProfile, VoteProfile
from knnviz.views import entries as entry_view
from knnviz.views import triangle as triangle_view
from knnviz.views import vote_curve
from knnviz.views.layers import Axes, Layer, Lines


class WeightMap(ThreeClassMap):
    """The Map or the Line, with the chosen set."""

    set_on_map: PointSet = Input()

    def axes(self) -> Axes:
        axes = super().axes()
        if self.data.chosen_problem.dimension == 2:
            return axes
        return replace(axes, title="Line, and the Bayes rule above", ylabel="weighted probability")

    def alt_text(self) -> str:
        hatched = "" if self.set_on_map.overlay == REGIONS_ONLY else f" Hatched is the {self.set_on_map.overlay}."
        return super().alt_text() + hatched


class WeightedVotePanel(VotePanel):
    """The weighted votes around the query point."""

    q: tuple[float, ...] = Input()

    def axes(self) -> Axes:
        return replace(super().axes(), title="Weighted votes around x", ylabel="weighted fraction")

    def curves(self) -> Iterator[Layer]:
        if self.data.chosen_problem.eta is not None:
            yield from self.draw(weighted_frequency_curves, self.query.balls, self.data.n, self.q)
        yield from self.draw(weighted_vote_curves, self.query.votes, self.q)


def weighted_frequency_curves(balls: BallProfile, n: int, q: Sequence[float]) -> list[Lines]:
    """True frequencies in the balls around x, times the weights relative to the largest."""
    frequency = balls.frequency[:, :, 0].astype(float) * relative_to_largest(q)
    return [replace(line, label=None) for line in vote_curve.population(balls.masses, frequency, n)]


def weighted_vote_curves(votes: VoteProfile, q: Sequence[float]) -> list[Lines]:
    """Fractions of the k nearest, times the weights relative to the largest."""
    ks = np.arange(1, len(votes.counts[0]) + 1)
    fractions = votes.counts[0] / ks[:, None] * relative_to_largest(q)
    return [vote_curve.curve_at(ks, fractions[:, c], c, None) for c in range(3)]


class TrianglePanel(Panel):
    """The weights as a handle on a triangle, with equal weights and those proportional to 1 / prior."""

    data: TrainingData = Input()
    cells: Cells = Input()
    weights: ClassWeights = Input()

    @stage
    def prior(self) -> np.ndarray:
        """Prior probabilities (3,) of the classes; for a data set, their fractions of the sample."""
        cells = self.cells.field
        if cells.eta is None:
            return np.bincount(self.data.labels, minlength=3) / self.data.n
        return cells.measure.weights @ cells.eta

    def axes(self) -> Axes:
        return triangle_view.axes()

    def layers(self) -> Iterator[Layer | tuple[Layer, ...]]:
        draw, names = self.draw, self.data.chosen_problem.class_names
        yield draw(triangle_view.grid_lines)
        yield draw(triangle_view.sides)
        yield draw(triangle_view.corners, names)
        yield draw(triangle_view.handle, self.weights.q, names)
        yield draw(triangle_view.reference_weights, self.prior)

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return self.weights.at(x, y)


class EntryPanel(Panel):
    """The confusion entries of each class, with ticks for the Bayes rule."""

    data: TrainingData = Input()
    confusions: Confusions = Input()

    def axes(self) -> Axes:
        axes = entry_view.axes(self.data.chosen_problem.class_names)
        return replace(axes, legend_columns=3) if self.lab.on_projector else axes

    def layers(self) -> Iterator[Layer]:
        yield self.draw(entry_view.bars, self.confusions.shown)
        if self.confusions.of_bayes is not None:
            yield self.draw(entry_view.ticks, self.confusions.of_bayes, "Bayes rule")


class ScorePanel(EntryPanel):
    """The scores of each class and over all classes, with ticks for the Bayes rule."""

    def axes(self) -> Axes:
        return entry_view.score_axes(short=self.lab.on_projector)

    def layers(self) -> Iterator[Layer]:
        yield self.draw(entry_view.scores, self.confusions.shown)
        if self.confusions.of_bayes is not None:
            yield self.draw(entry_view.score_ticks, self.confusions.of_bayes)

    def alt_text(self) -> str:
        confusions, names = self.confusions, self.data.chosen_problem.class_names
        return entry_view.describe(confusions.shown, names, f"Scores on {confusions.where}")
