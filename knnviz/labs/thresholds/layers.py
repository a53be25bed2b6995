"""Layers of ThresholdLab: F1 over the threshold t, its bounds, and precision against recall."""

from typing import NamedTuple

import numpy as np

from knnviz.bounds.khim import Intervals
from knnviz.views import marks, style
from knnviz.views.layers import Annotations, Axes, Band, Layer, Lines, Points
from knnviz.weights import Entries, Thresholds

#: Color of the chosen threshold.
T_COLOR = "#009E73"

#: Steps of the slider of t; a curve that changes at more thresholds is drawn at these alone.
T_STEPS = np.arange(1001) / 1000

#: Limits of the axes of scores and of t.
LIMITS = (-0.02, 1.02)

#: Height of the handle in F1 over t.
HANDLE_HEIGHT = 0.04

#: Color of the bounds on F1.
BOUND_COLOR = "#56B4E9"


class Evaluation(NamedTuple):
    """A rule with the points on which its decisions are counted, and the style of its curves."""

    name: str
    label: str
    color: str = style.INK
    dash: tuple[float, ...] = ()


def axes() -> Axes:
    ticks = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    return Axes("f1", "F1 over t", "threshold t", "F1 of class 1", LIMITS, LIMITS, xticks=ticks, yticks=ticks)


def precision_recall_axes() -> Axes:
    ticks = (0.0, 0.5, 1.0)
    return Axes(
        "trade", "Precision-recall", "recall of class 1", "precision", LIMITS, LIMITS, xticks=ticks, yticks=ticks
    )


def f1(found: Thresholds, evaluation: Evaluation) -> Lines:
    """F1 over t, a step function; at ``T_STEPS`` alone if it has more steps."""
    name, label = f"f1_{evaluation.name}", evaluation.label
    if len(found.levels) > len(T_STEPS):
        return _line(name, label, T_STEPS, found.at(T_STEPS).f1, evaluation)
    # F1 is constant between levels (values of the fraction), the upper one included; above all it is 0.
    x = np.concatenate([[0.0], np.repeat(found.levels, 2), [1.0]])
    return _line(name, label, x, np.append(np.repeat(found.at_levels.f1, 2), [0.0, 0.0]), evaluation)


def precision_recall(found: Thresholds, evaluation: Evaluation) -> Lines:
    """The precision-recall curve, for all t at which class 1 is predicted; the legend is that of F1 over t."""
    entries = found.at_levels if len(found.levels) <= len(T_STEPS) else found.at(T_STEPS)
    predicted = entries.tp + entries.fp > 0
    return _line(f"trade_{evaluation.name}", None, entries.recall[predicted], entries.precision[predicted], evaluation)


def points(entries: Entries, evaluation: Evaluation) -> Points:
    """Precision and recall at t; nothing if class 1 is never predicted."""
    predicted = np.atleast_1d(entries.tp + entries.fp > 0)
    x, y = np.atleast_1d(entries.recall)[predicted], np.atleast_1d(entries.precision)[predicted]
    return marks.dot(x, y, f"here_{evaluation.name}", None, evaluation.color, 2, 13.0)


def f1_equals_2t() -> Lines:
    """The line on which the largest F1 of the Bayes rules lies."""
    return Lines(name="double", label="F1 = 2t", x=(0, 0.5), y=(0, 1), color=style.MUTED, dash=(3, 3))


def f1_bounds(from_entries: Intervals, corollary: Intervals) -> list[Layer]:
    """Intervals of F1 at ``T_STEPS``: from bounds on entries, and by Corollary 9, NaN where that one is vacuous."""
    x, y = np.tile(np.append(T_STEPS, np.nan), 2), np.concatenate([corollary.low, [np.nan], corollary.high, [np.nan]])
    low, high = from_entries
    return [
        Band(name="box", label="from entry bounds", x=T_STEPS, lower=low, upper=high, color=BOUND_COLOR, opacity=0.35),
        Lines(name="corollary", label="Corollary 9", x=x, y=y, color=BOUND_COLOR, dash=(4, 2)),
    ]


def describe_bounds(from_entries: Intervals, corollary: Intervals) -> str:
    widest, known = (from_entries.high - from_entries.low).max(), np.isfinite(corollary.low).mean()
    return f"Bounds on entries leave F1 {widest:.4f} wide at most; Corollary 9 is not vacuous at {known:.1%} of all t."


def peak(t: float, score: float) -> Points:
    return marks.dot(t, score, "peak", "its largest F1", size=13.0)


def prevalence(fraction: float) -> Lines:
    return Lines(name="prevalence", label="prevalence", x=LIMITS, y=fraction, color=style.MUTED, dash=(3, 3))


def line_at(t: float) -> Lines:
    return Lines(name="at_t", label="t", x=t, y=LIMITS, color=T_COLOR)


def handle(x: float, y: float, t: float, align: str) -> Annotations:
    spoken = f"t = {t:.3f}, weights {t:.3f} to {1 - t:.3f}"
    return marks.draggable("threshold", x, y, "t", "threshold t", spoken, align, size=17, cross=18, color=T_COLOR)


def describe(t: float, entries: Entries, label: str) -> str:
    four = ", ".join(f"{name} {float(getattr(entries, name.lower())):.4f}" for name in ("TN", "FN", "FP", "TP"))
    scores = f"precision {float(entries.precision):.3f}, recall {float(entries.recall):.3f}, F1 {float(entries.f1):.4f}"
    return f"{label} at t = {t:.3f}: {four}; {scores}."


def _line(name: str, label: str | None, x: np.ndarray, y: np.ndarray, evaluation: Evaluation) -> Lines:
    return Lines(name=name, label=label, x=x, y=y, color=evaluation.color, dash=evaluation.dash, width=2.5)
