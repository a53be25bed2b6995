"""The Line of weighted classes and predictions, prior beside predicted Fractions, and the Scores over the weights."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from knnviz.labs.engine import Input, Panel, stage, within
from knnviz.labs.imbalance.decisions import EXPONENTS, Decisions, NormalClasses
from knnviz.labs.parts.line_sample import LineSample
from knnviz.problems import Sample
from knnviz.views import marks, style
from knnviz.views.layers import Annotations, Axes, Bars, Layer, Lines, Points, Raster

#: Heights of the curves: room for a numeral above the tallest, and of the strips of decisions below, from the top down.
TOP, STRIPS = 1.25, ((-0.27, -0.07), (-0.53, -0.33))

#: Room below the last strip, where a row of points may stand.
MARGIN, ROW = 0.05, 0.13

#: How wide a digit and its room are in a strip, in CSS pixels, and which part of a sheet's width a strip takes.
DIGIT, GAP, PART = 10, 6, 0.9

#: Letters of the numerals on the line, and of the zeros over the classes.
LETTERS = 14.0

BAR, TICK = 0.38, 0.46

#: Fractions at which the root scale of the bars has ticks.
SHARES = (0.0, 0.01, 0.1, 0.25, 0.5, 1.0)

PRIOR = "#BDBDBD"

#: Ends of the axis of a, and how high its handle stands in the panel.
ENDS, GRIP = (-0.03, 1.03), 0.06

#: Ends of the axis of scores are whole multiples of this.
STEP = 0.1

SCORES = {
    "accuracy": ("accuracy", (2, 3), 2.5),
    "balanced_accuracy": ("balanced accuracy", (7, 4), 2.5),
    "f1_macro": ("macro F1", (), 3.5),
}


class LinePanel(Panel):
    """The weighted classes above their predictions along the line, and the sample, if there is one."""

    world: NormalClasses = Input()
    data: LineSample = Input()
    decisions: Decisions = Input()
    sampled: bool = Input()

    def axes(self) -> Axes:
        strips = ("kNN", "Bayes") if self.sampled else ("Bayes",)
        middles = (sum(ends) / 2 for ends in STRIPS[: len(strips)])
        ticks, names = (*middles, 0.0, 0.5, 1.0), (*strips, "0", "0.5", "1")
        limits = self.world.chosen_problem.box[0], (bottom(len(strips)) - self.sampled * ROW, TOP)
        return Axes("line", "Weight × prior × density, by class", "x", "", *limits, yticks=ticks, ynames=names)

    def layers(self) -> Iterator[Layer]:
        draw, world, decisions, scale = self.draw, self.world, self.decisions, self.lab.display_scale
        box, width = world.chosen_problem.box[0], PART * scale.width
        if self.sampled:
            yield draw(strip, 0, box, decisions.voted, world.classes, "decisions", width)
            yield draw(strip, 1, box, decisions.best, world.classes, "best", width)
            yield draw(points, self.data.sample, world.classes, scale.most_points)
            yield draw(curves, world.x, world.heights, decisions.q, "true", ("true", (7, 4), 2.5))
            yield draw(curves, world.x, decisions.voted_heights, decisions.q, "voted", ("by the votes", (), 1.2))
        else:
            yield draw(strip, 0, box, decisions.best, world.classes, "decisions", width)
            yield draw(curves, world.x, world.heights, decisions.q, "true", (None, (), 2.5))
        yield draw(numerals, world.centers, world.heights, decisions.q)


class FractionPanel(Panel):
    """How large each class is, and how often it is predicted, on the scale of roots, so that small ones are seen."""

    world: NormalClasses = Input()
    decisions: Decisions = Input()
    counted: np.ndarray | None = Input()

    def axes(self) -> Axes:
        classes, names = self.world.classes, ("Prior and predicted fraction", "class", "fraction, root scale")
        xticks, yticks = tuple(map(float, range(classes))), tuple(np.sqrt(SHARES).tolist())
        ticks: dict[str, Any] = {"xticks": xticks, "yticks": yticks, "ynames": tuple(f"{s:g}" for s in SHARES)}
        return Axes("fractions", *names, (-0.6, classes - 0.4), (0, 1.02), legend_columns=3, **ticks)

    def layers(self) -> Iterator[Layer]:
        yield self.draw(prior_bars, self.world.prior)
        if self.counted is not None:
            yield self.draw(sample_ticks, self.counted)
        yield self.draw(predicted_bars, self.decisions.predicted)

    def alt_text(self) -> str:
        decisions, prior = self.decisions, self.world.prior
        rule = f"kNN with k = {decisions.k} on {self.lab.n} points" if decisions.sampled else self.lab.rule
        pairs = enumerate(zip(prior, decisions.predicted, strict=True))
        each = "; ".join(f"{c}: {fraction:.4f} and {predicted:.4f}" for c, (fraction, predicted) in pairs)
        return f"{len(prior)} classes, {rule}, a = {decisions.a:.2f}. Prior and predicted fraction of class {each}."


class ScorePanel(Panel):
    """Three scores over the exponent a, on which a handle stands."""

    decisions: Decisions = Input()
    a: float = Input()

    @stage(compare_values=True)
    def heights(self) -> tuple[float, float]:
        return room(self.decisions.curves, self.decisions.greedy)

    def axes(self) -> Axes:
        names = "Scores over a", "a, for weights prior⁻ᵃ", "score"
        return Axes("scores", *names, ENDS, self.heights, xticks=(0.0, 0.25, 0.5, 0.75, 1.0))

    def layers(self) -> Iterator[Layer]:
        draw, decisions, a = self.draw, self.decisions, self.a
        yield draw(score_curves, decisions.curves)
        yield draw(best, decisions.curves)
        yield draw(climbs, decisions.curves, decisions.greedy)
        yield marks.dot(a, list(decisions.here.values()), "here", None, style.MUTED, 0, 10.0)
        yield draw(hand, a, self.heights)

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return {"a": within(round(x, 2), (0.0, 1.0))}


def bottom(strips: int) -> float:
    return STRIPS[strips - 1][0] - MARGIN


def strip(
    at: int, box: tuple[float, float], labels: np.ndarray, n_classes: int, name: str, width: float
) -> tuple[Raster, Annotations]:
    """Predictions (r,) on equal cells of the line, and the number of the class in every stretch with room for it.

    The line is ``width`` CSS pixels wide; ``at`` counts strips from above.
    """
    palette, extent = style.palette(n_classes), (*box, *STRIPS[at])
    ends = np.concatenate([[0], np.flatnonzero(np.diff(labels)) + 1, [len(labels)]])
    texts, lengths = labels[ends[:-1]].astype(str), np.diff(ends) / len(labels) * width
    wide = lengths >= DIGIT * np.char.str_len(texts) + GAP
    x = box[0] + (box[1] - box[0]) * ((ends[1:] + ends[:-1]) / 2 / len(labels))[wide]
    look: dict[str, Any] = {"size": LETTERS, "halo": 3.0, "align": "middle"}
    numbers = Annotations(
        name=f"{name}_numerals", x=x, y=sum(STRIPS[at]) / 2, texts=tuple(texts[wide].tolist()), **look
    )
    codes = labels[None].astype(np.uint8)
    return Raster(name=name, codes=codes, palette=palette, extent=extent, outline=style.PAPER), numbers


def points(sample: Sample, n_classes: int, most: int) -> Points:
    """The first points of a sample in a row below both strips; those of rarer classes lie on top."""
    order = np.argsort(sample.y[:most], kind="stable")
    x, codes = sample.X[order, 0], sample.y[order].astype(np.uint8)
    y, palette = bottom(len(STRIPS)) + (MARGIN - ROW) / 2, style.palette(n_classes)
    return Points(name="points", x=x, y=y, codes=codes, palette=palette, markers=style.markers(n_classes))


def curves(x: np.ndarray, heights: np.ndarray, q: np.ndarray, name: str, style_of: tuple) -> list[Lines]:
    """Heights (m, C) over x (m,) times weights (C,), that of class 0 as 1; label, which stands once, dash and width."""
    label, dash, width = style_of
    look: dict[str, Any] = {"dash": dash, "width": width}
    return [
        Lines(name=f"{name}{c}", label=None if c else label, x=x, y=y, color=style.class_color(c), **look)
        for c, y in enumerate((heights * q / q[0]).T)
    ]


def numerals(centers: np.ndarray, heights: np.ndarray, q: np.ndarray) -> Annotations:
    y, texts = heights.max(axis=0) * q / q[0], tuple(map(str, range(len(centers))))
    return Annotations(name="classes", x=centers, y=y, texts=texts, size=LETTERS, align="center")


def prior_bars(prior: np.ndarray) -> Bars:
    x, codes = np.arange(len(prior)) - BAR / 2, np.zeros(len(prior), np.uint8)
    look: dict[str, Any] = {"palette": (PRIOR,), "labels": ("prior",), "width": BAR}
    return Bars(name="prior", x=x, heights=np.sqrt(prior), codes=codes, **look)


def predicted_bars(predicted: np.ndarray) -> tuple[Bars, Annotations]:
    """Beside it the predicted fractions (C,) in the colors of the classes, and a zero where one is never predicted."""
    codes, silent = np.arange(len(predicted), dtype=np.uint8), np.flatnonzero(predicted == 0)
    look: dict[str, Any] = {"palette": style.palette(len(predicted)), "labels": ("predicted",), "width": BAR}
    bars = Bars(name="predicted", x=codes + BAR / 2, heights=np.sqrt(predicted), codes=codes, **look)
    zeros = ("0",) * len(silent)
    return bars, Annotations(name="never", x=silent + BAR / 2, y=0, texts=zeros, size=LETTERS, align="center")


def sample_ticks(counted: np.ndarray) -> Lines:
    """Fractions of the classes in a sample, which are counted (C,), as ticks across the bars of the prior."""
    middle, gap = np.arange(len(counted)) - BAR / 2, np.full(len(counted), np.nan)
    x = np.stack([middle - TICK / 2, middle + TICK / 2, gap], axis=1).ravel()
    y = np.repeat(np.sqrt(counted / counted.sum()), 3)
    return Lines(name="sample", label="in the sample", x=x, y=y, width=3.0)


def room(scores: Mapping[str, np.ndarray], more: Sequence[float]) -> tuple[float, float]:
    """Ends of an axis that holds all scores, in steps, since a frame that stands need not be drawn again."""
    values = np.concatenate([*scores.values(), more])
    low, high = np.floor(values.min() / STEP - 0.5) * STEP, np.ceil(values.max() / STEP + 0.1) * STEP
    return max(round(float(low), 6), -0.05), min(round(float(high), 6), 1.05)


def score_curves(scores: Mapping[str, np.ndarray]) -> list[Lines]:
    return [
        Lines(name=name, label=label, x=EXPONENTS, y=scores[name], dash=dash, width=width)
        for name, (label, dash, width) in SCORES.items()
    ]


def best(scores: Mapping[str, np.ndarray]) -> Points:
    """Where each score is largest, the first of several."""
    curves = [scores[name] for name in SCORES]
    at = EXPONENTS[[curve.argmax() for curve in curves]]
    return marks.dot(at, np.max(curves, axis=1), "best", "best a of each", size=13.0)


def climbs(scores: Mapping[str, np.ndarray], greedy: tuple[float, float]) -> tuple[Lines, Points]:
    """From macro F1 at a = 0 and at a = 1 up to what a greedy search finds from these weights."""
    first, last = scores["f1_macro"][[0, -1]]
    x, y = (0, 0, np.nan, 1, 1, np.nan), (first, greedy[0], np.nan, last, greedy[1], np.nan)
    tops = marks.dot((0, 1), greedy, "found", "greedy, macro F1", marker=2, size=13.0)
    return Lines(name="climbs", x=x, y=y, width=3.0), tops


def hand(a: float, limits: tuple[float, float]) -> tuple[Lines, Annotations]:
    y, align = limits[0] + GRIP * (limits[1] - limits[0]), "left" if a <= 0.5 else "right"
    look: dict[str, Any] = {"texts": ("a",), "handles": ("exponent a",), "spoken": (f"a = {a:.2f}",), "align": align}
    line = Lines(name="at_a", x=a, y=limits, color=style.MUTED)
    return line, Annotations(name="exponent", x=a, y=y, size=17, cross=18, **look)
