"""Classes of unequal size on a line: their weighted curves, decisions, shares, and scores over the weights."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from knnviz.views import marks, style
from knnviz.views.layers import Axes, Bars, Layer, Lines, Marks, Place, Points, Raster, single

#: Heights of the curves: room for a numeral above the tallest, and of the strips of decisions below, from the top down.
TOP, STRIPS = 1.25, ((-0.27, -0.07), (-0.53, -0.33))

#: Room below the last strip, where a row of points may stand.
MARGIN, ROW = 0.05, 0.13

#: How far below the middle of a strip a numeral is placed, and how wide a digit and its room are, in CSS pixels.
DROP, DIGIT, GAP = 13, 10, 6

#: Widths of a bar, and of the ticks across it.
BAR, TICK = 0.38, 0.46

#: Shares at which the root scale of the bars has ticks.
SHARES = (0.0, 0.01, 0.1, 0.25, 0.5, 1.0)

PRIOR = "#BDBDBD"

#: Ends of the axis of a, and how high its handle stands in the panel.
ENDS, GRIP = (-0.03, 1.03), 0.06

#: Ends of the axis of scores are whole multiples of this.
STEP = 0.1


class Score(NamedTuple):
    """How the curve of a score is told from the others."""

    name: str
    label: str
    dash: tuple[float, ...] = ()
    width: float = 2.5


#: The scores over a, by the names that ``metrics.SCORES`` has for them.
SCORES = (
    Score("accuracy", "accuracy", (2, 3)),
    Score("balanced_accuracy", "balanced accuracy", (7, 4)),
    Score("f1_macro", "macro F1", (), 3.5),
)


def bottom(strips: int, row: bool) -> float:
    """Where the axis of the curves ends below so many strips, and a row of points."""
    return STRIPS[strips - 1][0] - MARGIN - row * ROW


def axes(rectangle: Place, box: tuple[float, float], strips: Sequence[str], row: bool) -> Axes:
    """Axes over the line: curves, ``strips`` of decisions by name, and a row of points or none."""
    middles = [sum(ends) / 2 for ends in STRIPS[: len(strips)]]
    limits = box, (bottom(len(strips), row), TOP)
    ticks = {"yticks": (*middles, 0.0, 0.5, 1.0), "ynames": (*strips, "0", "0.5", "1")}
    return Axes("line", "Weight × prior × density, by class", "x", "", *limits, rectangle, **ticks)


def curves(x: np.ndarray, heights: np.ndarray, name: str, label: str | None, **look: object) -> list[Lines]:
    """Heights (m, C) over x (m,), each class in its color; the label stands once."""
    across, up = x.astype(np.float32), np.ascontiguousarray(heights.T, np.float32)
    labels = [label, *[None] * (len(up) - 1)]
    return [
        Lines(name=f"{name}{c}", label=labels[c], x=across, y=height, color=style.class_color(c), **look)
        for c, height in enumerate(up)
    ]


def numerals(x: np.ndarray, heights: np.ndarray, size: float) -> Marks:
    """The number of each class above its curve, at x (C,) and heights (C,)."""
    places = {"x": x.astype(np.float32), "y": heights.astype(np.float32)}
    return Marks(name="classes", texts=tuple(map(str, range(len(x)))), size=size, align="center", **places)


def strip(place: int, box: tuple[float, float], labels: np.ndarray, n_classes: int, name: str) -> Raster:
    """Decisions (r,) on equal cells of the line, in the strip of this place."""
    look = {"palette": style.palette(n_classes), "extent": (*box, *STRIPS[place]), "outline": style.PAPER}
    return Raster(name=name, codes=labels[None].astype(np.uint8), **look)


def strip_numerals(place: int, frame: Axes, labels: np.ndarray, name: str, size: float) -> Marks:
    """The number of the class in every stretch of a strip that has room for it; labels (r,) as in ``strip``."""
    (left, right), (low, high) = frame.xlim, frame.ylim
    ends = np.concatenate([[0], np.flatnonzero(np.diff(labels)) + 1, [len(labels)]])
    texts, width = labels[ends[:-1]].astype(str), np.diff(ends) / len(labels) * frame.rectangle[2]
    wide = width >= DIGIT * np.char.str_len(texts) + GAP
    x = left + (right - left) * ((ends[1:] + ends[:-1]) / 2 / len(labels))[wide]
    y = np.full(len(x), sum(STRIPS[place]) / 2 - DROP * (high - low) / frame.rectangle[3])
    look = {"texts": tuple(texts[wide].tolist()), "size": size, "align": "center", "halo": 3.0}
    return Marks(name=name, x=x.astype(np.float32), y=y.astype(np.float32), **look)


def points(x: np.ndarray, y: np.ndarray, n_classes: int, strips: int) -> Points:
    """Points x (m,) of classes y (m,) in a row below so many strips; those of rarer classes lie on top."""
    order = np.argsort(y, kind="stable")
    height = np.full(len(x), bottom(strips, True) + (MARGIN + ROW) / 2, np.float32)
    look = {"palette": style.palette(n_classes), "markers": style.markers(n_classes), "size": 7.0}
    codes = y[order].astype(np.uint8)
    return Points(
        name="points", x=x[order].astype(np.float32), y=height, codes=codes, ringed=np.zeros(len(x), bool), **look
    )


def share_axes(rectangle: Place, n_classes: int) -> Axes:
    """Axes over the classes, and shares on the scale of their roots, so that small ones are seen."""
    look = {"yticks": tuple(np.sqrt(SHARES).tolist()), "ynames": tuple(f"{share:g}" for share in SHARES)}
    classes = {"xticks": tuple(map(float, range(n_classes))), "columns": 3}
    limits = (-0.6, n_classes - 0.4), (0, 1.02)
    names = "Prior and predicted share", "class", "share, root scale"
    return Axes("shares", *names, *limits, rectangle, **look, **classes)


def share_bars(prior: np.ndarray, predicted: np.ndarray) -> tuple[Bars, Bars]:
    """The prior (C,) in grey, and beside it the predicted shares (C,) in the colors of the classes."""
    classes = np.arange(len(prior))
    x, blank = classes.astype(np.float32), np.zeros(len(prior), np.uint8)
    grey = {"palette": (PRIOR,), "labels": ("prior",), "width": BAR}
    return (
        Bars(name="prior", x=x - np.float32(BAR / 2), heights=_root(prior), codes=blank, **grey),
        Bars(
            name="predicted",
            x=x + np.float32(BAR / 2),
            heights=_root(predicted),
            codes=classes.astype(np.uint8),
            palette=style.palette(len(prior)),
            labels=("predicted",),
            width=BAR,
        ),
    )


def sample_ticks(shares: np.ndarray) -> Lines:
    """Shares (C,) of the classes in the sample, as ticks across the bars of the prior."""
    middle, gap = np.arange(len(shares)) - BAR / 2, np.full(len(shares), np.nan)
    x = np.stack([middle - TICK / 2, middle + TICK / 2, gap], axis=1).ravel().astype(np.float32)
    return Lines(name="sample", label="in the sample", x=x, y=np.repeat(_root(shares), 3), width=3.0)


def never(predicted: np.ndarray, size: float) -> Marks:
    """A zero where a class is never predicted."""
    silent = np.flatnonzero(predicted == 0)
    x = (silent + BAR / 2).astype(np.float32)
    look = {"texts": ("0",) * len(silent), "size": size, "align": "center"}
    return Marks(name="never", x=x, y=np.zeros(len(silent), np.float32), **look)


def _root(shares: np.ndarray) -> np.ndarray:
    return np.sqrt(shares).astype(np.float32)


def room(scores: Mapping[str, np.ndarray], more: Sequence[float]) -> tuple[float, float]:
    """Ends of an axis that holds all scores, in steps, since a frame that stands need not be drawn again."""
    values = np.concatenate([*scores.values(), more])
    low, high = np.floor(values.min() / STEP - 0.5) * STEP, np.ceil(values.max() / STEP + 0.1) * STEP
    return max(round(float(low), 6), -0.05), min(round(float(high), 6), 1.05)


def score_axes(rectangle: Place, limits: tuple[float, float]) -> Axes:
    """Axes over a and scores."""
    ticks = (0.0, 0.25, 0.5, 0.75, 1.0)
    names = "Scores over a", "a, for weights prior⁻ᵃ", "score"
    return Axes("scores", *names, ENDS, limits, rectangle, xticks=ticks, columns=2)


def score_curves(at: np.ndarray, scores: Mapping[str, np.ndarray]) -> list[Lines]:
    """Scores (J,) by name over a (J,)."""
    x = at.astype(np.float32)
    return [
        Lines(
            name=score.name,
            label=score.label,
            x=x,
            y=scores[score.name].astype(np.float32),
            dash=score.dash,
            width=score.width,
        )
        for score in SCORES
    ]


def best(at: np.ndarray, scores: Mapping[str, np.ndarray]) -> Points:
    """Where each score is largest, the first of several."""
    first = [int(scores[score.name].argmax()) for score in SCORES]
    heights = np.array([scores[score.name][j] for score, j in zip(SCORES, first, strict=True)])
    return marks.dot(at[first], heights, "best", "best a of each", size=13.0)


def climbs(starts: tuple[float, float], ends: tuple[float, float]) -> tuple[Lines, Points]:
    """From macro F1 at a = 0 and at a = 1 up to what a greedy search finds from these weights."""
    x, gap = np.array([0, 1], np.float32), np.full(2, np.nan, np.float32)
    low, high = np.array(starts, np.float32), np.array(ends, np.float32)
    across, up = (np.stack(parts, axis=1).ravel() for parts in ((x, x, gap), (low, high, gap)))
    tops = marks.dot(x, high, "found", "greedy, macro F1", marker=2, size=13.0)
    return Lines(name="climbs", x=across, y=up, width=3.0), tops


def hand(a: float, limits: tuple[float, float]) -> tuple[Layer, ...]:
    """The a in hand: a line from bottom to top, and a cross on it by which it is moved."""
    low, high = limits
    line = Lines(name="at_a", x=np.full(2, a, np.float32), y=np.array(limits, np.float32), color=style.MUTED, width=2)
    look = {"texts": ("a",), "size": 17, "cross": 18, "align": "left" if a <= 0.5 else "right"}
    said = {"handles": ("exponent a",), "spoken": (f"a = {a:.2f}",)}
    return line, Marks(name="exponent", x=single(a), y=single(low + GRIP * (high - low)), **look, **said)


def here(a: float, scores: Mapping[str, float]) -> Points:
    """The scores at the a in hand."""
    heights = np.array([scores[score.name] for score in SCORES])
    return marks.dot(np.full(len(heights), a), heights, "here", None, style.MUTED, 0, 10.0)


def describe(a: float, prior: np.ndarray, predicted: np.ndarray, rule: str) -> str:
    """Prior and predicted share of every class in words and numbers."""
    each = (f"{c}: {own:.4f} and {said:.4f}" for c, (own, said) in enumerate(zip(prior, predicted, strict=True)))
    return f"{len(prior)} classes, {rule}, a = {a:.2f}. Prior and predicted share of class {'; '.join(each)}."
