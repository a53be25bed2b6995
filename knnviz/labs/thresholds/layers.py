"""F1 over the threshold t, and precision against recall: the same rule, however its decisions are counted."""

from typing import Any, NamedTuple

import numpy as np

from knnviz.bounds.khim import Intervals
from knnviz.metrics import Entries, Thresholds
from knnviz.views import marks, style
from knnviz.views.layers import Annotations, Axes, Band, Layer, Lines, Points

HERE = "#009E73"

#: Thresholds at which a curve of more levels than this is drawn.
GRID = np.arange(1001) / 1000

#: Ends of axes that hold scores, and of that of t.
ENDS = (-0.02, 1.02)
TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)

HEIGHT = 0.04

#: Color and opacity of what the entries' bounds leave of F1.
BOX, OPAQUE = "#56B4E9", 0.35


class Evaluation(NamedTuple):
    """A rule and the points on which its decisions are counted, and how they are drawn."""

    name: str
    label: str
    color: str = style.INK
    dash: tuple[float, ...] = ()


def axes() -> Axes:
    names = "F1 over t", "threshold t", "F1 of class 1"
    return Axes("f1", *names, ENDS, ENDS, xticks=TICKS, yticks=TICKS)


def trade_axes() -> Axes:
    names = "Precision-recall", "recall of class 1", "precision"
    return Axes("trade", *names, ENDS, ENDS, xticks=(0.0, 0.5, 1.0), yticks=(0.0, 0.5, 1.0))


def f1(found: Thresholds, look: Evaluation) -> Lines:
    """F1 over t: step by step, or on a fine grid where there are very many steps."""
    if len(found.levels) > len(GRID):
        return _line(f"f1_{look.name}", look.label, GRID, found.at(GRID).f1, look)
    # Up to and with a level the score is that of the level, beyond the last one there is nothing of class 1.
    x = np.concatenate([[0.0], np.repeat(found.levels, 2), [1.0]])
    return _line(f"f1_{look.name}", look.label, x, np.append(np.repeat(found.at_levels.f1, 2), [0.0, 0.0]), look)


def trade(found: Thresholds, look: Evaluation) -> Lines:
    """Precision against recall at every threshold at which anything is decided for class 1; F1 over t has the label."""
    entries = found.at_levels if len(found.levels) <= len(GRID) else found.at(GRID)
    some = entries.tp + entries.fp > 0
    return _line(f"trade_{look.name}", None, entries.recall[some], entries.precision[some], look)


def points(entries: Entries, look: Evaluation) -> Points:
    some = np.atleast_1d(entries.tp + entries.fp > 0)
    x, y = np.atleast_1d(entries.recall)[some], np.atleast_1d(entries.precision)[some]
    return marks.dot(x, y, f"here_{look.name}", None, look.color, 2, 13.0)


def double() -> Lines:
    """F1 = 2t, which meets the largest F1 of the Bayes rules."""
    return Lines(name="double", label="F1 = 2t", x=(0, 0.5), y=(0, 1), color=style.MUTED, dash=(3, 3))


def f1_bounds(box: Intervals, corollary: Intervals) -> list[Layer]:
    """The F1 that bounds on entries leave at ``GRID``, and what Corollary 9 leaves, NaN where that is all of [0, 1]."""
    x, y = np.tile(np.append(GRID, np.nan), 2), np.concatenate([corollary.low, [np.nan], corollary.high, [np.nan]])
    return [
        Band(name="box", label="from entry bounds", x=GRID, lower=box.low, upper=box.high, color=BOX, opacity=OPAQUE),
        Lines(name="corollary", label="Corollary 9", x=x, y=y, color=BOX, dash=(4, 2)),
    ]


def describe_bounds(box: Intervals, corollary: Intervals) -> str:
    widest, known = (box.high - box.low).max(), np.isfinite(corollary.low).mean()
    return f"Bounds on entries leave F1 {widest:.4f} wide at most; Corollary 9 is not vacuous at {known:.1%} of all t."


def peak(t: float, score: float) -> Points:
    return marks.dot(t, score, "peak", "its largest F1", size=13.0)


def prevalence(fraction: float) -> Lines:
    return Lines(name="prevalence", label="prevalence", x=ENDS, y=fraction, color=style.MUTED, dash=(3, 3))


def at(t: float) -> Lines:
    return Lines(name="at_t", label="t", x=t, y=ENDS, color=HERE)


def handle(x: float, y: float, t: float, align: str) -> Annotations:
    look: dict[str, Any] = {"texts": ("t",), "size": 17, "cross": 18, "align": align, "color": HERE}
    spoken = f"t = {t:.3f}, weights {t:.3f} to {1 - t:.3f}"
    return Annotations(name="threshold", x=x, y=y, handles=("threshold t",), spoken=(spoken,), **look)


def describe(t: float, entries: Entries, whose: str) -> str:
    parts = ", ".join(f"{name} {float(getattr(entries, name.lower())):.4f}" for name in ("TN", "FN", "FP", "TP"))
    scores = f"precision {float(entries.precision):.3f}, recall {float(entries.recall):.3f}, F1 {float(entries.f1):.4f}"
    return f"{whose} at t = {t:.3f}: {parts}; {scores}."


def _line(name: str, label: str | None, x: np.ndarray, y: np.ndarray, look: Evaluation) -> Lines:
    return Lines(name=name, label=label, x=x, y=y, color=look.color, dash=look.dash, width=2.5)
