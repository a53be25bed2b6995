"""The panels of TuningLab besides its trials: Triangle with a score over all weights, Line or Map, Stairs, Scores."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.labs.engine import Choice, Input, Panel, stage, within
from knnviz.labs.parts.class_weights import WEIGHTS, ClassWeights
from knnviz.labs.parts.sizes import MAP_CELLS
from knnviz.labs.parts.sources import field, problem_named
from knnviz.labs.parts.weighted_map import LINE_CELLS, ThreeClassMap
from knnviz.labs.tuning import layers
from knnviz.labs.tuning.search import MOST_STEPS, SCORINGS, NewPoints, Searches, ValidatedData
from knnviz.metrics import Weighing
from knnviz.views import landscape as landscape_view
from knnviz.views import triangle as triangle_view
from knnviz.views.layers import Axes, Layer

#: Scores that can color the triangle.
LANDSCAPES = ("searched score", "kNN on new points", "Bayes rule")

ZOOMS = ("the middle", "all of it")

#: Methods whose weights decide on the line, by their names in the menu.
SHOWN = {"greedy": "greedy", "grid": "grid", "equal weights": "unweighted"}


class Triangle(Panel):
    """A score over all weights, the greedy walk from its start, and the weights that each method finds."""

    data: ValidatedData = Input()
    start: ClassWeights = Input()
    searches: Searches = Input()
    new: NewPoints = Input()

    landscape = Choice(LANDSCAPES[0], LANDSCAPES).tag(
        label="landscape", group="Pictures", tip="What is scored on the triangle"
    )
    zoom = Choice(ZOOMS[0], ZOOMS).tag(label="zoom", tip="Whole triangle, or weights that differ by little")

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        """Zoom out for new data, whose best weights may lie anywhere, and for a start outside the middle."""
        start = [values[name] for name in WEIGHTS]
        new_data = "problem" in changes and problem_named(values["problem"]).eta is None
        if "zoom" not in changes and (new_data or (sum(start) > 0 and not triangle_view.in_middle(start))):
            values["zoom"] = ZOOMS[1]
        return []

    @stage
    def bayes_scores(self) -> np.ndarray:
        resolution = LINE_CELLS if self.data.chosen_problem.dimension == 1 else MAP_CELLS[2]
        cells, scoring = field(self.data.problem, resolution), SCORINGS[self.new.judged]
        score = Weighing.of(cells.eta, cells.eta, weights=cells.measure.weights, scoring=scoring)
        return np.asarray(score(landscape_view.GRID))

    @stage
    def scores(self) -> np.ndarray:
        if self.landscape == LANDSCAPES[0]:
            return self.searches.scores
        if self.landscape == LANDSCAPES[1]:
            return self.new.score(self.new.judged)(landscape_view.GRID)
        return self.bayes_scores

    def axes(self) -> Axes:
        frame = triangle_view.axes()
        frame = triangle_view.middle(frame) if self.zoom == ZOOMS[0] else frame
        scored = self.searches.scoring if self.landscape == LANDSCAPES[0] else self.new.judged
        return replace(frame, title=f"{scored[0].upper()}{scored[1:]}: {self.landscape}", legend_columns=4)

    def layers(self) -> Iterator[Layer | tuple[Layer, ...]]:
        draw, names = self.draw, self.data.chosen_problem.class_names
        yield draw(landscape_view.landscape, self.scores)
        if self.zoom == ZOOMS[0]:
            yield draw(triangle_view.corner_arrows, names)
        else:
            yield draw(triangle_view.sides)
            yield draw(triangle_view.corners, names)
        color = layers.STYLES["greedy"].color
        yield landscape_view.path(self.searches.walk.history[: self.searches.n_steps + 1], color)
        yield draw(layers.found_weights, self.searches.weights)
        yield draw(layers.start, self.start.q, names, self.axes().xlim)

    def alt_text(self) -> str:
        length, judged = self.searches.n_steps + 1, f"{self.new.judged} on {self.new.where}"
        return layers.describe(self.searches.walk.scores[:length], self.new.walk[:length], judged)

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return self.start.at(x, y)


class DecisionMap(ThreeClassMap):
    """The Line or the Map of the weights that a method found."""

    shown = Choice("greedy", SHOWN).tag(label="line shows", tip="Weights of the decisions on the line")

    def axes(self) -> Axes:
        frame, on_projector = super().axes(), self.lab.on_projector
        if self.data.chosen_problem.dimension == 2:
            frame = layers.small_map(frame)
            return replace(frame, title=f"Map: {self.shown}", legend_columns=2 if on_projector else 4)
        # On a projector a longer title would reach into the next panel.
        title = f"Line: {self.shown}" + ("" if on_projector else "; Bayes rule above")
        return replace(frame, title=title, ylabel="weighted probability", legend_columns=2 if on_projector else 3)


class Stairs(Panel):
    """The searched score of the walk and of the grid, dashed, and their scores on new points, step by step."""

    searches: Searches = Input()
    new: NewPoints = Input()

    @stage(compare_values=True)
    def y_limits(self) -> tuple[float, float]:
        return layers.stairs_limits(np.concatenate([self.searches.walk.scores, self.new.walk, self.new.grid]))

    def axes(self) -> Axes:
        return layers.stairs_axes(MOST_STEPS, self.y_limits)

    def layers(self) -> Iterator[tuple[Layer, ...]]:
        held_out = self.new.data.chosen_problem.eta is None
        yield self.draw(layers.stairs, self.searches.walk.scores, self.new.walk, self.new.grid, MOST_STEPS, held_out)
        yield self.draw(layers.steps_taken, self.searches.n_steps, self.y_limits, MOST_STEPS)

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return {"n_steps": round(within(x, (0, MOST_STEPS)))}


class Scores(Panel):
    """The scores of each method."""

    new: NewPoints = Input()

    def axes(self) -> Axes:
        return layers.scores_axes(self.new.data.chosen_problem.eta is None)

    def layers(self) -> Iterator[tuple[Layer, ...]]:
        yield self.draw(layers.scores, self.new.method_scores, 8 if self.lab.on_projector else 11)
