"""The Line of weighted classes and predictions, prior and predicted Fractions, and the Scores over the weights."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.labs.imbalance.decisions import A_VALUES, Decisions
from knnviz.labs.old_engine import Input, Panel, stage, within
from knnviz.labs.old_parts.bars import bars, ticks
from knnviz.problems import Sample
from knnviz.views import marks, style
from knnviz.views.layers import Annotations, Axes, Bars, Layer, Lines, Points, Raster

#: Top of the y axis, with room for class numbers above the curves; ends of the strips of decisions, the upper first.
TOP, STRIPS = 1.25, ((-0.27, -0.07), (-0.53, -0.33))

#: Room below the last strip, and for a row of points there.
MARGIN, ROW = 0.05, 0.13

#: Width of a digit in a strip and of the gap around a number, in CSS pixels; width of a strip relative to the lab.
DIGIT, GAP, STRIP_WIDTH = 10, 6, 0.9

#: Font size of class numbers on the Line, and of the zeros over the bars.
NUMBER_SIZE = 14.0

BAR_WIDTH, TICK_WIDTH = 0.38, 0.46

#: Fractions at which the axis of the bars, which has a square-root scale, has ticks.
TICKS = (0.0, 0.01, 0.1, 0.25, 0.5, 1.0)

#: Limits of the axis of a, and height of its handle relative to the panel.
A_LIMITS, HANDLE_HEIGHT = (-0.03, 1.03), 0.06

#: Limits of the axis of scores are multiples of this, but at least -0.05 and at most 1.05.
STEP = 0.1

#: Labels, dashes and widths of the curves of scores.
SCORE_STYLES = {
    "accuracy": ("accuracy", (2, 3), 2.5),
    "balanced_accuracy": ("balanced accuracy", (7, 4), 2.5),
    "f1_macro": ("macro F1", (), 3.5),
}


class LinePanel(Panel):
    """The weighted classes above their predictions along the line, and the sample, if there is one."""

    decisions: Decisions = Input()

    def axes(self) -> Axes:
        sampled, box = self.decisions.sampled, self.decisions.classes_on_line.chosen_problem.box[0]
        strips = ("kNN", "Bayes") if sampled else ("Bayes",)
        middles = (sum(ends) / 2 for ends in STRIPS[: len(strips)])
        ticks, names = (*middles, 0.0, 0.5, 1.0), (*strips, "0", "0.5", "1")
        limits = box, (bottom(len(strips)) - sampled * ROW, TOP)
        return Axes("line", "Weight × prior × density, by class", "x", "", *limits, yticks=ticks, ynames=names)

    def layers(self) -> Iterator[Layer]:
        draw, decisions, scale = self.draw, self.decisions, self.lab.display_scale
        on_line = decisions.classes_on_line
        box, width = on_line.chosen_problem.box[0], STRIP_WIDTH * scale.width
        if decisions.sampled:
            yield draw(strip, 0, box, decisions.knn_decisions, on_line.classes, "decisions", width)
            yield draw(strip, 1, box, decisions.bayes_decisions, on_line.classes, "best", width)
            yield draw(points, decisions.votes.data.sample, on_line.classes, scale.max_points)
            yield draw(curves, on_line.drawn_x, on_line.heights, decisions.q, "true", "true", (7, 4), 2.5)
            yield draw(curves, on_line.drawn_x, decisions.knn_heights, decisions.q, "voted", "by the votes", (), 1.2)
        else:
            yield draw(strip, 0, box, decisions.bayes_decisions, on_line.classes, "decisions", width)
            yield draw(curves, on_line.drawn_x, on_line.heights, decisions.q, "true", None, (), 2.5)
        yield draw(class_numbers, on_line.centers, on_line.heights, decisions.q)


class FractionPanel(Panel):
    """Prior and predicted fraction of each class on a square-root scale, on which small ones are visible."""

    decisions: Decisions = Input()
    class_counts: np.ndarray | None = Input()

    def axes(self) -> Axes:
        classes = self.decisions.classes_on_line.classes
        title, limits = "Prior and predicted fraction", ((-0.6, classes - 0.4), (0, 1.02))
        axes = Axes("fractions", title, "class", "fraction, root scale", *limits, legend_columns=3)
        yticks, ynames = tuple(np.sqrt(TICKS).tolist()), tuple(f"{fraction:g}" for fraction in TICKS)
        return replace(axes, xticks=tuple(map(float, range(classes))), yticks=yticks, ynames=ynames)

    def layers(self) -> Iterator[Layer]:
        yield self.draw(prior_bars, self.decisions.classes_on_line.prior)
        if self.class_counts is not None:
            yield self.draw(sample_ticks, self.class_counts)
        yield self.draw(predicted_bars, self.decisions.predicted_fractions)

    def alt_text(self) -> str:
        decisions, prior = self.decisions, self.decisions.classes_on_line.prior
        rule = f"kNN with k = {decisions.k} on {self.lab.n} points" if decisions.sampled else self.lab.rule
        pairs = enumerate(zip(prior, decisions.predicted_fractions, strict=True))
        by_class = "; ".join(f"{c}: {fraction:.4f} and {predicted:.4f}" for c, (fraction, predicted) in pairs)
        return f"{len(prior)} classes, {rule}, a = {decisions.a:.2f}. Prior and predicted fraction of class {by_class}."


class ScorePanel(Panel):
    """Three scores over the exponent a, on which a handle stands."""

    decisions: Decisions = Input()

    @stage(compare_values=True)
    def score_limits(self) -> tuple[float, float]:
        return limits(self.decisions.scores_over_a, self.decisions.greedy_scores)

    def axes(self) -> Axes:
        title, xticks = "Scores over a", (0.0, 0.25, 0.5, 0.75, 1.0)
        return Axes("scores", title, "a, for weights prior⁻ᵃ", "score", A_LIMITS, self.score_limits, xticks=xticks)

    def layers(self) -> Iterator[Layer]:
        draw, decisions, a = self.draw, self.decisions, self.decisions.a
        yield draw(score_curves, decisions.scores_over_a)
        yield draw(best_a, decisions.scores_over_a)
        yield draw(greedy_climbs, decisions.scores_over_a, decisions.greedy_scores)
        yield marks.dot(a, list(decisions.scores_at_a.values()), "here", None, style.MUTED, 0, 10.0)
        yield draw(handle, a, self.score_limits)

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return {"a": within(round(x, 2), (0.0, 1.0))}


def bottom(strips: int) -> float:
    return STRIPS[strips - 1][0] - MARGIN


def strip(
    at: int, box: tuple[float, float], labels: np.ndarray, n_classes: int, name: str, width: float
) -> tuple[Raster, Annotations]:
    """Predictions (r,) on equal cells of the line, and the number of the class on each interval with room for it.

    The line is ``width`` CSS pixels wide; ``at`` counts strips from above.
    """
    ends = np.concatenate([[0], np.flatnonzero(np.diff(labels)) + 1, [len(labels)]])
    texts, lengths = labels[ends[:-1]].astype(str), np.diff(ends) / len(labels) * width
    wide = lengths >= DIGIT * np.char.str_len(texts) + GAP
    x, y = box[0] + (box[1] - box[0]) * ((ends[1:] + ends[:-1]) / 2 / len(labels))[wide], sum(STRIPS[at]) / 2
    shown, size = tuple(texts[wide].tolist()), NUMBER_SIZE
    numbers = Annotations(name=f"{name}_numerals", x=x, y=y, texts=shown, size=size, halo=3.0, align="middle")
    codes, palette, extent = labels[None].astype(np.uint8), style.palette(n_classes), (*box, *STRIPS[at])
    return Raster(name=name, codes=codes, palette=palette, extent=extent, outline=style.PAPER), numbers


def points(sample: Sample, n_classes: int, most: int) -> Points:
    """The first points of a sample in a row below both strips; those of rarer classes lie on top."""
    order = np.argsort(sample.y[:most], kind="stable")
    x, codes = sample.X[order, 0], sample.y[order].astype(np.uint8)
    y, palette = bottom(len(STRIPS)) + (MARGIN - ROW) / 2, style.palette(n_classes)
    return Points(name="points", x=x, y=y, codes=codes, palette=palette, markers=style.markers(n_classes))


def curves(
    x: np.ndarray,
    heights: np.ndarray,
    q: np.ndarray,
    name: str,
    label: str | None,
    dash: tuple[float, ...],
    width: float,
) -> list[Lines]:
    """Heights (r, C) over x (r,) times weights (C,) relative to that of class 0; one curve has the label."""
    colors = style.palette(len(q))
    return [
        Lines(name=f"{name}{c}", label=None if c else label, x=x, y=y, color=colors[c], dash=dash, width=width)
        for c, y in enumerate((heights * q / q[0]).T)
    ]


def class_numbers(centers: np.ndarray, heights: np.ndarray, q: np.ndarray) -> Annotations:
    y, texts = heights.max(axis=0) * q / q[0], tuple(map(str, range(len(centers))))
    return Annotations(name="classes", x=centers, y=y, texts=texts, size=NUMBER_SIZE, align="center")


def prior_bars(prior: np.ndarray) -> Bars:
    return bars("prior", np.sqrt(prior), -BAR_WIDTH / 2, BAR_WIDTH, ("#BDBDBD",), "prior")


def predicted_bars(predicted: np.ndarray) -> tuple[Bars, Annotations]:
    """Predicted fractions (C,) in the colors of the classes, and a zero for each class that is never predicted."""
    palette, never = style.palette(len(predicted)), np.flatnonzero(predicted == 0)
    x, zeros = never + BAR_WIDTH / 2, ("0",) * len(never)
    drawn = bars("predicted", np.sqrt(predicted), BAR_WIDTH / 2, BAR_WIDTH, palette, "predicted")
    return drawn, Annotations(name="never", x=x, y=0, texts=zeros, size=NUMBER_SIZE, align="center")


def sample_ticks(class_counts: np.ndarray) -> Lines:
    """Fractions of the classes in a sample, from their counts (C,), as ticks across the bars of the prior."""
    fractions = class_counts / class_counts.sum()
    return ticks("sample", "in the sample", np.sqrt(fractions), -BAR_WIDTH / 2, TICK_WIDTH)


def limits(scores: Mapping[str, np.ndarray], more: Sequence[float]) -> tuple[float, float]:
    """Limits of an axis that holds all scores, rounded to ``STEP``, so that they seldom change."""
    values = np.concatenate([*scores.values(), more])
    low, high = np.floor(values.min() / STEP - 0.5) * STEP, np.ceil(values.max() / STEP + 0.1) * STEP
    return max(round(float(low), 6), -0.05), min(round(float(high), 6), 1.05)


def score_curves(scores: Mapping[str, np.ndarray]) -> list[Lines]:
    return [
        Lines(name=name, label=label, x=A_VALUES, y=scores[name], dash=dash, width=width)
        for name, (label, dash, width) in SCORE_STYLES.items()
    ]


def best_a(scores: Mapping[str, np.ndarray]) -> Points:
    """The maximum of each score over a; of several the first."""
    curves = [scores[name] for name in SCORE_STYLES]
    at = A_VALUES[[curve.argmax() for curve in curves]]
    return marks.dot(at, np.max(curves, axis=1), "best", "best a of each", size=13.0)


def greedy_climbs(scores: Mapping[str, np.ndarray], greedy: tuple[float, float]) -> tuple[Lines, Points]:
    """Lines from macro F1 at a = 0 and at a = 1 up to the score that a greedy search from these weights reaches."""
    first, last = scores["f1_macro"][[0, -1]]
    x, y = (0, 0, np.nan, 1, 1, np.nan), (first, greedy[0], np.nan, last, greedy[1], np.nan)
    tops = marks.dot((0, 1), greedy, "found", "greedy, macro F1", marker=2, size=13.0)
    return Lines(name="climbs", x=x, y=y, width=3.0), tops


def handle(a: float, limits: tuple[float, float]) -> tuple[Lines, Annotations]:
    low, high = limits
    y, align, spoken = low + HANDLE_HEIGHT * (high - low), "left" if a <= 0.5 else "right", f"a = {a:.2f}"
    cross = Annotations(name="exponent", x=a, y=y, texts=("a",), size=17, cross=18, align=align)
    line = Lines(name="at_a", x=a, y=limits, color=style.MUTED)
    return line, replace(cross, handles=("exponent a",), spoken=(spoken,))
