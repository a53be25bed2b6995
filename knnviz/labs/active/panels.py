"""Panels of ActiveLab: on a line the first vote with rows under it, on a plane two maps; the curve; lines of text."""

from collections.abc import Iterator
from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np

from knnviz.labs.active import layers as view
from knnviz.labs.active.learners import Center, Curves, Learners, Theory
from knnviz.labs.active.rounds import ROUND_ONE, Rounds
from knnviz.labs.old_engine import Input, Panel, stage, within
from knnviz.labs.old_parts.text_panel import TextPanel
from knnviz.views import map as map_view
from knnviz.views import risk as risk_view
from knnviz.views.layers import Annotations, Axes, Layer

#: Font sizes of lines of text on a screen and on a projector.
TEXT_SIZES = (13.0, 13.0)

#: Words for a condition that holds, fails, or is open.
VERDICTS = {True: "holds", False: "fails", None: "open"}

#: Possible upper ends of the axis of errors.
TOPS = np.array([0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0])


class StoryPanel(Panel):
    """What happened, as a line of text."""

    center: Center = Input()

    def axes(self) -> Axes:
        return Axes("story", "", "", "", (0, 1), (0, 1), bare=True)

    def layers(self) -> Iterator[Layer]:
        yield Annotations(name="caption", x=0, y=0.5, texts=(self.center.data.status,), size=16.0)

    def alt_text(self) -> str:
        first, passive, targeted, rejected = self.center.data.counts
        kinds = f"{first} labels of round one, {passive} passive and {targeted} targeted ones of round two"
        ball, x = self.center.ball, self.center.x.tolist()
        text = "" if ball is None else f" The ball of k+ around {x} reaches {ball:.4f}."
        return f"{self.center.data.status} {kinds}, {rejected} draws rejected.{text}"


class ProblemPanel(Panel):
    """A panel over the box of the problem."""

    rounds: Rounds = Input()
    learners: Learners = Input()
    center: Center = Input()

    #: Dimension of the problems that it shows.
    dimension = 1

    @property
    def on_show(self) -> bool:
        return self.rounds.dimension == self.dimension

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return self.center.at(x, y)


class LinePanel(ProblemPanel):
    """The vote of the first round on a line, and the band of H."""

    def axes(self) -> Axes:
        title, box = "Line: the first round votes", self.rounds.chosen_problem.box[0]
        return Axes(
            "line", title, "", "probability", box, (-0.03, 1.03), yticks=(0, 0.25, 0.5, 0.75, 1), legend_columns=4
        )

    def layers(self) -> Iterator[Layer]:
        first, reached = self.rounds.bought.first, self.rounds.reached[2]
        yield self.draw(view.first_vote, self.rounds.chosen_problem, self.learners.cells.points, first, reached)


class RowsPanel(ProblemPanel):
    """Sets, labels by kind, and errors, in rows under the line."""

    theory: Theory = Input()

    def axes(self) -> Axes:
        problem, count = self.rounds.chosen_problem, len(view.ROWS)
        title = f"Where labels are bought (the last {self.lab.display_scale.max_points} a row), and errors"
        axes = Axes("rows", title, problem.feature_names[0], "", problem.box[0], (-0.6, count - 0.4), legend_columns=4)
        return replace(axes, yticks=tuple(map(float, range(count))), ynames=view.ROWS[::-1])

    def layers(self) -> Iterator[Layer]:
        draw, rounds, learners, most = self.draw, self.rounds, self.learners, self.lab.display_scale.max_points
        problem, reached, boundary = rounds.chosen_problem, rounds.reached, self.theory.boundary[2]
        yield draw(view.strip, problem, learners.cells.hard, "H", reached[3])
        yield draw(view.strip, problem, learners.augmented, "H+", reached[4])
        if boundary is not None:
            yield draw(view.strip, problem, boundary, "boundary")
        yield from draw(view.label_rows, problem, rounds.bought_so_far, rounds.label_count, rounds.last_bought, most)
        yield draw(view.rejected, rounds.bought_so_far.second, most)
        for name, wrong in zip(view.LEARNER_COLORS, learners.error_cells, strict=True):
            yield draw(view.strip, problem, wrong, f"{name} errs", reached[ROUND_ONE + 1])
        yield draw(view.ball_extent, self.center.x1, self.center.ball)


class LabelMapPanel(ProblemPanel):
    """Where labels are bought on a plane."""

    dimension = 2

    def axes(self) -> Axes:
        axes = map_view.axes(self.rounds.chosen_problem)
        return replace(axes, title="Map: where labels are bought", legend_columns=3)

    def layers(self) -> Iterator[Layer]:
        draw, rounds, learners, x = self.draw, self.rounds, self.learners, self.center.x
        problem, reached = rounds.chosen_problem, rounds.reached
        yield draw(view.region, problem, learners.augmented, "H+", reached[4])
        yield draw(view.region, problem, learners.cells.hard, "H", reached[3])
        most = self.lab.display_scale.max_points
        yield draw(view.map_points, rounds.bought_so_far, rounds.label_count, rounds.last_bought, most)
        yield draw(view.class_markers, problem)
        if not self.rounds.on_data:
            yield draw(view.bayes_boundary, problem, None)
        yield draw(view.ball, x, self.center.ball)
        yield draw(map_view.query, problem, x)


class ErrorMapPanel(ProblemPanel):
    """Where the learners err on a plane."""

    dimension = 2

    def axes(self) -> Axes:
        problem, title = self.rounds.chosen_problem, "Where they differ" if self.rounds.on_data else "Where rules err"
        return Axes("errors", title, *problem.feature_names, *problem.box)

    def layers(self) -> Iterator[Layer]:
        rounds, problem, is_known = self.rounds, self.rounds.chosen_problem, not self.rounds.on_data
        yield self.draw(view.errors, problem, *self.learners.error_cells, is_known, rounds.reached[ROUND_ONE + 1])
        if is_known:
            yield self.draw(view.bayes_boundary, problem, "Bayes boundary")


class CurvePanel(Panel):
    """The disagreement of both learners over labels; for this sample alone, over those that have been bought."""

    curves: Curves = Input()

    @stage(compare_values=True)
    def heights(self) -> tuple[float, float]:
        passive, active = self.curves.means
        highest = float(np.nanmax([*passive, active[-1], *self.curves.learners.disagreements]))
        return 0.0, float(TOPS[np.searchsorted(TOPS, min(1.05 * highest, 1.0))])

    @stage(compare_values=True)
    def ends(self) -> tuple[float, float, float, float]:
        """Left end of the axis of labels, n, n + m rounded up, and right end; the same for m that differ by little."""
        n, m = self.curves.rounds.n, self.curves.rounds.m
        step = 250 if m > 1000 else 50
        width = max(step * ceil(m / step), step)
        return n - 0.03 * width, n, n + width, n + 1.03 * width

    def axes(self) -> Axes:
        (left, n, last, right), top = self.ends, self.heights[1]
        title, ticks = "Held-out error" if self.curves.rounds.on_data else "Disagreement", (0.0, top / 2, top)
        axes = Axes("risk", title, "labels bought", "", (left, right), self.heights, legend_columns=3)
        names = tuple([f"{at:g}" for at in ticks])
        return replace(axes, xticks=(n, (n + last) // 2, last), yticks=ticks, ynames=names)

    def layers(self) -> Iterator[Layer]:
        curves, labels, top, right = self.curves, self.curves.rounds.label_count, self.heights[1], self.ends[3]
        bought = labels if curves.of_this_sample else None
        yield from self.draw(view.curves, curves.chosen_curve, curves.shown_learners, bought, top, right)
        for (name, color), value in zip(view.LEARNER_COLORS.items(), curves.learners.disagreements, strict=True):
            yield self.draw(risk_view.current_point, labels or np.nan, value, None, f"here_{name}", color)

    def alt_text(self) -> str:
        curve = self.curves.chosen_curve
        text = [
            risk_view.describe("labels", curve.label_counts, mean, name)
            for name, mean in zip(view.LEARNER_COLORS, self.curves.means, strict=True)
        ]
        done = "" if self.curves.of_this_sample else f", {curve.done} of {len(curve.disagreements)} samples done"
        return f"Curve of {self.curves.curve}{done}. {' '.join(text)}"

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return {"step": ROUND_ONE + int(within(round(x - self.curves.rounds.n), (0, self.curves.rounds.m)))}


class DrawsPanel(TextPanel):
    """How many points were drawn, by kind, and how many for each label."""

    title = "Points drawn"
    font_sizes = TEXT_SIZES

    rounds: Rounds = Input()

    @stage
    def lines(self) -> tuple[tuple[str, str], ...]:
        _, passive, targeted, rejected = counts = self.rounds.counts
        bought = passive + targeted
        per_label = f"{(bought + rejected) / bought:.2f} draws a label" if bought else "no second round yet"
        texts = [*(f"{count} {name}" for count, name in zip(counts, view.DRAW_KINDS, strict=True)), per_label]
        return tuple(zip(texts, view.DRAW_COLORS, strict=True))

    def alt_text(self) -> str:
        return ""


class FlagsPanel(TextPanel):
    """Conditions of the theory, and whether each holds."""

    title = "Conditions of the theory"
    font_sizes = TEXT_SIZES

    theory: Theory = Input()

    @stage
    def lines(self) -> tuple[tuple[str, str], ...]:
        signs = [(text, *view.SIGNS[holds]) for text, holds in self.theory.conditions.items()]
        return tuple((f"{sign} {text}", color) for text, sign, color in signs)

    def alt_text(self) -> str:
        text = (f"{name}: {VERDICTS[holds]}" for name, holds in self.theory.conditions.items())
        return f"{'; '.join(text)}."
