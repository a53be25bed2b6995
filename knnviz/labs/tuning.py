"""TuningLab: the landscape of a score over class weights, who climbs it, and what the climb is worth on new points."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from knnviz.labs.engine.parameters import Choice, within
from knnviz.labs.engine.scenes import Preset
from knnviz.labs.engine.stages import stage
from knnviz.labs.parts.class_weights import WEIGHTS
from knnviz.labs.parts.sources import field, known
from knnviz.labs.risks import OFF
from knnviz.labs.searching import JUDGED, MOST_STEPS, SCORINGS
from knnviz.labs.sheets import Sheet
from knnviz.labs.trials import CURVES, OVER_K, TrialLab
from knnviz.labs.weighted import FINE
from knnviz.metrics import Weighing
from knnviz.views import landscape as landscape_view
from knnviz.views import line as line_view
from knnviz.views import map as map_view
from knnviz.views import triangle as triangle_view
from knnviz.views import tuning as tuning_view
from knnviz.views.layers import Axes, Layer, Panel
from knnviz.views.tuning import LOOKS

#: The parts to which a hand moves weights on the middle of the triangle.
FINE_PARTS = 200

#: Whose score the triangle is coloured by.
LANDSCAPES = ("searched score", "kNN on new points", "Bayes rule")

#: How much of the triangle is on show.
ZOOMS = ("the middle", "all of it")

#: What asks for a known distribution, and what data show in its place.
ASKING = {"landscape": LANDSCAPES[2:], "curve": CURVES[1:]}
FOR_DATA = {"landscape": LANDSCAPES[1], "curve": OFF}

#: Whose scores a number of the readout holds, one after the other.
EACH = " : ".join(look.label for look in LOOKS.values())

#: Size of the numbers on bars, on a screen and in a lecture hall.
VALUE_SIZES = (11, 8)

#: Columns of the legend below the line and below the map, and how far to the left the latter begins.
LINE_COLUMNS, MAP_COLUMNS, MAP_LEGEND_LEFT = (3, 2), (4, 2), (108, 48)

#: Whose weights decide on the line, as a menu has them and by way.
SHOWN = {"greedy": "greedy", "grid": "grid", "equal weights": "unweighted"}

SCREEN = Sheet(
    (960, 712),
    map=(66, 500, 400, 118),
    more={
        "plane": (166, 488, 140, 140),
        "triangle": (60, 36, 402, 335),
        "stairs": (546, 36, 400, 150),
        "scores": (546, 306, 400, 104),
        "trials": (546, 500, 400, 118),
    },
    legend={"legend_left": 8},
    most_points=200,
)
PROJECTOR = Sheet(
    (667, 672),
    map=(64, 462, 262, 96),
    more={
        "plane": (120, 440, 128, 128),
        "triangle": (30, 32, 312, 260),
        "stairs": (400, 34, 254, 124),
        "scores": (400, 270, 254, 92),
        "trials": (400, 462, 254, 96),
    },
    scale=1.5,
    legend={"legend_size": 12.0, "legend_left": 48},
    most_points=100,
)

FIGURE_3, FIGURE_4 = "Khim et al., Figure 3", "Khim et al., Figure 4"
START = {"problem": "waves", "n": 1000, "k": 50, "q0": 0.3, "q1": 0.3, "q2": 0.4}
WHOLE = START | {"zoom": ZOOMS[1]}


@lru_cache(maxsize=8)
def bayes_scores(problem: str, resolution: int, scoring: str) -> np.ndarray:
    """Scores (5151,) of the Bayes rules of all weights on the triangle, of a known problem by name."""
    cells = field(problem, resolution)
    return Weighing.of(cells.eta, cells.eta, weights=cells.measure.weights, scoring=scoring)(landscape_view.GRID)


class TuningLab(TrialLab):
    """Triangle of scores with a greedy walk and a grid's answer, stairs of the walk, scores, decisions, trials."""

    title = "tuning class weights"
    sheets = (SCREEN, PROJECTOR)
    number_names: Mapping[str, str] = {
        "greedy_q": "greedy weights",
        "grid_q": "grid's weights",
        "moves": "steps that raised the score",
        "searched": f"searched score, {EACH}",
        "new_macro_f1": "macro F1, new points",
        "new_micro_f1": "micro F1, new points",
        "held_out_macro_f1": "macro F1, new points held out",
        "held_out_micro_f1": "micro F1, new points held out",
        "highest": "highest on the triangle",
        "highest_q": "reached at",
        "trials_done": "trials done",
    }

    landscape = Choice(LANDSCAPES[0], LANDSCAPES).tag(
        label="landscape", group="Pictures", tip="What is scored on the triangle"
    )
    zoom = Choice(ZOOMS[0], ZOOMS).tag(label="zoom", tip="Whole triangle, or weights that differ by little")
    shown = Choice("greedy", SHOWN).tag(label="line shows", tip="Whose weights decide on the line")

    order = (
        "problem",
        "n",
        "seed",
        "k",
        "q0",
        "q1",
        "q2",
        "step",
        "n_steps",
        "accept",
        "base",
        "candidate_order",
        "scoring",
        "validation",
        "judged",
        "landscape",
        "zoom",
        "shown",
        "curve",
        "repeats",
    )

    presets = (
        Preset("Figure 3(a), gamma = 0.01", FIGURE_3, START),
        Preset("Figure 3(a), gamma = 0.05", FIGURE_3, START | {"step": 0.05}),
        Preset("Figure 3(b)", FIGURE_3, START | {"curve": CURVES[1]}),
        Preset("Figure 4(a)", FIGURE_4, START | {"curve": CURVES[2]}),
        Preset("Figure 4(b)", FIGURE_4, START | {"curve": CURVES[3]}),
        Preset("A far start", "Khim et al., Algorithm 1", WHOLE | {"q0": 0.8, "q1": 0.1, "q2": 0.1}),
        Preset(
            "Bayes rules of all weights",
            "Khim et al., section 5",
            WHOLE | {"landscape": LANDSCAPES[2]},
        ),
        Preset("Over k", FIGURE_3, START | {"curve": OVER_K, "shown": "equal weights"}),
        Preset("A rare class", "gaussians with Zipf's prior", {"problem": "zipf on a line", "n": 2000, "k": 60}),
        Preset("Three clouds", "gaussians in the plane", {"problem": "three gaussians", "k": 25}),
        Preset("Wine", "scikit-learn's wine data", {"problem": "wine", "k": 15, "zoom": ZOOMS[1]}),
    )

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """The query point."""
        return super().hidden(values) | {"x1", "x2"}

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """Data have no Bayes rule and no fresh samples; they and a start beyond its middle show all of the triangle."""
        notes, source = super().coerce(values, given), known(values["problem"])
        for name in self._unknown(values):
            if name not in given:
                before, values[name] = values[name], FOR_DATA[name]
                notes.append(f"The distribution of {source.name} is not known: {values[name]} in place of {before}.")
        begin = [values[name] for name in WEIGHTS]
        # The best weights for data may lie anywhere.
        new_data = "problem" in given and source.eta is None
        if "zoom" not in given and (new_data or (sum(begin) > 0 and not triangle_view.in_middle(begin))):
            values["zoom"] = ZOOMS[1]
        return notes

    def validate(self, values: Mapping[str, Any]) -> None:
        """The Bayes rule and fresh samples need a known distribution; besides what every search asks for."""
        super().validate(values)
        for name in self._unknown(values):
            source = known(values["problem"])
            raise ValueError(f"{values[name]} needs a known distribution, but {source.name} is data")

    def _unknown(self, values: Mapping[str, Any]) -> list[str]:
        """Parameters that ask for a distribution, which data do not have."""
        if known(values["problem"]).eta is not None:
            return []
        return [name for name, asking in ASKING.items() if values[name] in asking]

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """A place on the triangle is where the walk begins, one on the stairs a number of steps."""
        if panel == "stairs":
            return {"n_steps": round(within(x, (0, MOST_STEPS)))}
        return super().pick(panel, x, y, mark, index) if panel == "triangle" else {}

    @property
    def parts(self) -> int:
        """Finer ones on the middle, where one key press is less than half a hundredth."""
        return FINE_PARTS if self.zoom == ZOOMS[0] else super().parts

    @stage(compare_values=True)
    def q(self) -> tuple[float, ...]:
        """The weights that decide on the line."""
        return tuple(self.ways[SHOWN[self.shown]].tolist())

    @stage
    def landscape_scores(self) -> np.ndarray:
        """The score (5151,) that the triangle shows."""
        if self.landscape == LANDSCAPES[0]:
            return self.searched_scores
        if self.landscape == LANDSCAPES[1]:
            return self.judging(self.judged)(landscape_view.GRID)
        resolution = FINE if self.plane.dimension == 1 else self.finest
        return bayes_scores(self.problem, resolution, SCORINGS[self.judged])

    @stage
    def numbers(self) -> dict[str, Any]:
        """What the lab reads out; scores are of equal weights, greedy ones and the grid's."""
        where, rounded = "held_out" if self.plane.eta is None else "new", self.found.round(6)
        told: dict[str, Any] = {f"{name}_q": tuple(self.ways[name].round(6).tolist()) for name in ("greedy", "grid")}
        names = "searched", f"{where}_macro_f1", f"{where}_micro_f1"
        told |= {"moves": self.moves} | {name: tuple(rounded[:, i].tolist()) for i, name in enumerate(names)}
        best = int(self.landscape_scores.argmax())
        told |= {"highest": float(self.landscape_scores[best])}
        told |= {"highest_q": tuple(landscape_view.GRID[best].tolist())}
        return told if self.run is None else told | {"trials_done": f"{self.run.done} of {self.run.pieces}"}

    @stage
    def landscape_layer(self) -> Layer:
        """The score over the triangle."""
        return landscape_view.landscape(self.landscape_scores)

    @stage
    def walk_layers(self) -> tuple[Layer, ...]:
        """The path of the walk, and where each way ends."""
        path = landscape_view.path(self.walk.history[: self.n_steps + 1], LOOKS["greedy"].color)
        return *path, *tuning_view.answers(self.ways)

    @stage
    def corner_layers(self) -> tuple[Layer, ...]:
        """The sides of the triangle and its corners; in the middle, which shows none of them, where these are."""
        if self.zoom == ZOOMS[0]:
            return (triangle_view.towards(self.class_names),)
        return triangle_view.sides(), *triangle_view.corners(self.class_names)

    @stage
    def start_layer(self) -> Layer:
        """Where the walk begins, to be dragged; its name stands away from the middle, to which walks lead."""
        handle = triangle_view.handle(self.begin, self.class_names, "start")
        return replace(handle, align=tuning_view.side(float(handle.x[0]), self.triangle_frame.xlim))

    @stage
    def triangle_layers(self) -> tuple[Layer, ...]:
        """The landscape, its corners, the walk, the grid's answer, and the start in hand."""
        return self.landscape_layer, *self.corner_layers, *self.walk_layers, self.start_layer

    @stage(compare_values=True)
    def triangle_frame(self) -> Axes:
        """The frame of the triangle, or of its middle."""
        frame = triangle_view.axes(self.sheet.more["triangle"])
        return triangle_view.middle(frame) if self.zoom == ZOOMS[0] else frame

    @stage
    def triangle_axes(self) -> Axes:
        """This frame, with what is scored for its title."""
        scored = self.scoring if self.landscape == LANDSCAPES[0] else self.judged
        title = f"{scored[0].upper()}{scored[1:]}: {self.landscape}"
        return replace(self.triangle_frame, title=title, columns=4)

    @stage(compare_values=True)
    def grid_scores(self) -> tuple[float, float]:
        """What the grid's weights score, where it looks and on new points."""
        return float(self.found[2, 0]), float(self.found[2, 1 + JUDGED.index(self.judged)])

    @stage(compare_values=True)
    def stairs_range(self) -> tuple[float, float]:
        """Limits of the scores on the stairs."""
        return tuning_view.climb_ends(np.concatenate([self.walk.scores, self.judged_walk, self.grid_scores]))

    @stage
    def walked_layers(self) -> tuple[Layer, ...]:
        """What the walk and the grid score where they look, dashed, and on new points."""
        given = self.walk.scores, self.judged_walk, self.grid_scores, MOST_STEPS
        return tuning_view.stairs(*given, self.plane.eta is None)

    @stage
    def stair_layers(self) -> tuple[Layer, ...]:
        """These, and the steps that are taken."""
        return *self.walked_layers, *tuning_view.steps_taken(self.n_steps, self.stairs_range, MOST_STEPS)

    @stage
    def score_layers(self) -> tuple[Layer, ...]:
        """The scores of each way."""
        return tuning_view.scores(self.found, VALUE_SIZES[self.projected])

    @stage
    def line_layers(self) -> tuple[Layer, ...]:
        """Regions and points; on the line the weighted Bayes rule as a strip above."""
        stack = self.region_layer, self.point_layer, *self.truth_layers, *self.share_layers
        if self.best is None or self.plane.dimension == 2:
            return stack
        return *stack, line_view.strip(self.plane, self.best, "best")

    @stage
    def panels(self) -> tuple[Panel, ...]:
        """Triangle and Line or Map to the left, Stairs, Scores and Trials to the right."""
        layers = self.triangle_layers, self.line_layers, self.stair_layers, self.score_layers, self.trial_layers
        return tuple(map(Panel, self.axes, layers))

    @stage
    def axes(self) -> tuple[Axes, ...]:
        """The frames of the panels."""
        places = self.sheet.more
        frames = (
            self.line_axes,
            tuning_view.stairs_axes(MOST_STEPS, self.stairs_range, places["stairs"]),
            tuning_view.scores_axes(list(LOOKS), self.plane.eta is None, places["scores"]),
            self.trial_axes(places["trials"]),
        )
        triangle, line, *others = self.sheet.framed((self.triangle_axes, *frames))
        if self.plane.dimension == 2:
            line = replace(line, legend_left=MAP_LEGEND_LEFT[self.projected])
        return replace(triangle, legend_left=20), line, *others

    @stage
    def line_axes(self) -> Axes:
        """The frame of the Line or the Map, which says whose weights decide."""
        if self.plane.dimension == 2:
            frame = tuning_view.small_map(map_view.axes(self.plane, self.sheet.more["plane"]))
            return replace(frame, title=f"Map: {self.shown}", columns=MAP_COLUMNS[self.projected])
        frame = line_view.axes(self.plane, self.sheet.map)
        columns = LINE_COLUMNS[self.projected]
        return replace(frame, title=f"Line: {self.shown}; Bayes rule above", columns=columns, ylabel="q probability")

    @stage
    def alt(self) -> str:
        """The picture in words and numbers."""
        drawn = map_view.describe(self.plane, self.labels, self.observed, self.sheet.most_points)
        taken, where = slice(self.n_steps + 1), "points held out" if self.plane.eta is None else "new points"
        walk = tuning_view.describe(self.walk.scores[taken], self.judged_walk[taken], f"{self.judged} on {where}")
        said = (walk, drawn, self.trial_words, f"{self.numbers_text()}.")
        return " ".join(filter(None, said))
