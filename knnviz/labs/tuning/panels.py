"""The panels of TuningLab except the trials: Triangle with a score over all weights, Line or Map, Stairs, Scores."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.labs.old_engine import Choice, Input, Panel, stage, within
from knnviz.labs.old_parts.class_weights import WEIGHTS, ClassWeights
from knnviz.labs.old_parts.sizes import MAP_CELLS
from knnviz.labs.old_parts.sources import field, problem_named
from knnviz.labs.old_parts.weighted_map import LINE_CELLS, ThreeClassMap
from knnviz.labs.tuning import layers
from knnviz.labs.tuning.search import MOST_STEPS, SCORINGS, NewPoints, Searches, TuningData
from knnviz.views import landscape as landscape_view
from knnviz.views import triangle as triangle_view
from knnviz.views.layers import Axes, Layer
from knnviz.weights import WeightScorer

#: Scores that can color the triangle.
SEARCHED, ON_NEW_POINTS, OF_BAYES_RULES = LANDSCAPES = ("searched score", "kNN on new points", "Bayes rule")

MIDDLE, WHOLE = ZOOMS = ("the middle", "all of it")

#: Methods whose weights the line or map can show, by their names in the menu.
SHOWN = {"greedy": "greedy", "grid": "grid", "equal weights": "unweighted"}


class TrianglePanel(Panel):
    """A score over all weights, the greedy walk from its start, and the weights that each method finds."""

    data: TuningData = Input()
    start: ClassWeights = Input()
    searches: Searches = Input()
    new_points: NewPoints = Input()

    landscape = Choice(SEARCHED, LANDSCAPES).tag(
        label="landscape", group="Pictures", tip="What is scored on the triangle"
    )
    zoom = Choice(MIDDLE, ZOOMS).tag(label="zoom", tip="Whole triangle, or weights that differ by little")

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        """Zoom out for new data, whose best weights may lie anywhere, and for a start outside the middle."""
        start = [values[name] for name in WEIGHTS]
        new_data = "problem" in changes and problem_named(values["problem"]).eta is None
        if "zoom" not in changes and (new_data or (sum(start) > 0 and not triangle_view.in_middle(start))):
            values["zoom"] = WHOLE
        return []

    @stage
    def bayes_scores(self) -> np.ndarray:
        """The score (m,) of the Bayes rule with each of the weights of the grid."""
        resolution = LINE_CELLS if self.data.chosen_problem.dimension == 1 else MAP_CELLS[2]
        cells, scoring = field(self.data.problem, resolution), SCORINGS[self.new_points.judged]
        score = WeightScorer.from_fractions(cells.eta, cells.eta, weights=cells.measure.weights, scoring=scoring)
        return np.asarray(score(landscape_view.GRID))

    @stage
    def landscape_scores(self) -> np.ndarray:
        """The score (m,) that colors the triangle, for all weights of the grid."""
        if self.landscape == SEARCHED:
            return self.searches.landscape_scores
        if self.landscape == ON_NEW_POINTS:
            return self.new_points.score(self.new_points.judged)(landscape_view.GRID)
        return self.bayes_scores

    def axes(self) -> Axes:
        axes = triangle_view.axes()
        axes = triangle_view.middle(axes) if self.zoom == MIDDLE else axes
        scored = self.searches.scoring if self.landscape == SEARCHED else self.new_points.judged
        return replace(axes, title=f"{scored[0].upper()}{scored[1:]}: {self.landscape}", legend_columns=4)

    def layers(self) -> Iterator[Layer | tuple[Layer, ...]]:
        draw, names = self.draw, self.data.chosen_problem.class_names
        yield draw(landscape_view.landscape, self.landscape_scores)
        if self.zoom == MIDDLE:
            yield draw(triangle_view.corner_arrows, names)
        else:
            yield draw(triangle_view.sides)
            yield draw(triangle_view.corners, names)
        color = layers.STYLES["greedy"].color
        yield landscape_view.path(self.searches.walk.history[: self.searches.n_steps + 1], color)
        yield draw(layers.found_weights, self.searches.weights)
        yield draw(layers.start, self.start.q, names, self.axes().xlim)

    def alt_text(self) -> str:
        length, judged = self.searches.n_steps + 1, f"{self.new_points.judged} on {self.new_points.where}"
        return layers.describe(self.searches.walk.scores[:length], self.new_points.walk_scores[:length], judged)

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return self.start.at(x, y)


class DecisionMap(ThreeClassMap):
    """The Line or the Map of the weights that a method found."""

    shown = Choice("greedy", SHOWN).tag(label="line shows", tip="Weights of the decisions on the line")

    def axes(self) -> Axes:
        axes, on_projector = super().axes(), self.lab.on_projector
        if self.data.chosen_problem.dimension == 2:
            axes = layers.small_map(axes)
            return replace(axes, title=f"Map: {self.shown}", legend_columns=2 if on_projector else 4)
        # On a projector a longer title would reach into the next panel.
        title = f"Line: {self.shown}" + ("" if on_projector else "; Bayes rule above")
        return replace(axes, title=title, ylabel="weighted probability", legend_columns=2 if on_projector else 3)


class StairsPanel(Panel):
    """The searched score of the walk after each step and of the grid, dashed, and their scores on new points."""

    searches: Searches = Input()
    new_points: NewPoints = Input()

    @stage(compare_values=True)
    def y_limits(self) -> tuple[float, float]:
        walk, new = self.searches.walk, self.new_points
        return layers.stairs_limits(np.concatenate([walk.scores, new.walk_scores, new.grid_scores]))

    def axes(self) -> Axes:
        return layers.stairs_axes(MOST_STEPS, self.y_limits)

    def layers(self) -> Iterator[tuple[Layer, ...]]:
        walk, new = self.searches.walk, self.new_points
        held_out = new.data.chosen_problem.eta is None
        yield self.draw(layers.stairs, walk.scores, new.walk_scores, new.grid_scores, MOST_STEPS, held_out)
        yield self.draw(layers.steps_taken, self.searches.n_steps, self.y_limits, MOST_STEPS)

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return {"n_steps": round(within(x, (0, MOST_STEPS)))}


class ScorePanel(Panel):
    """The scores of each method."""

    new_points: NewPoints = Input()

    def axes(self) -> Axes:
        return layers.scores_axes(self.new_points.data.chosen_problem.eta is None)

    def layers(self) -> Iterator[tuple[Layer, ...]]:
        yield self.draw(layers.scores, self.new_points.method_scores, 8 if self.lab.on_projector else 11)
