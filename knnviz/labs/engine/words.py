"""Panels and numbers as text: what panels say themselves, how much of each kind they show, and
their curves.
"""

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

import numpy as np

from knnviz.views.layers import Bars, Panel, Raster

#: Most bars of a kind whose heights are named.
MAX_BARS = 8

#: How far beyond both ends of a curve its lowest or highest point must be, as a fraction of its
#: height, to be named.
SMALLEST_TURN = 0.01

#: Decimals of numbers, as in the readout, and from where on whole numbers stand for them.
MAX_DECIMALS = 4
WHOLE_FROM = 10_000

#: In the readout, real numbers below this have some decimals; from here on five significant digits.
DECIMALS_BELOW = 100


def panel_words(panel: Panel, known: Collection[str] = ()) -> str:
    """The title of a panel, what it ``says``, and its layers but for levels whose label is
    ``known``.
    """
    title = panel.axes.title
    over = panel.axes.xlabel
    # Where ticks have names, heights are not what is read off.
    counted = [
        layer for layer in panel.layers if not (panel.axes.ynames and isinstance(layer, Bars))
    ]
    kinds = "; ".join(text for layer in counted for text in kind_words(layer, over, covered(panel)))
    curves = "; ".join(
        filter(None, (curve_words(layer, known) for layer in panel.layers if is_curve(layer, over)))
    )
    sentences = (
        f"{title}.",
        panel.says,
        kinds and f"Shown: {kinds}.",
        curves and f"Over {over}: {curves}.",
    )
    return " ".join(filter(None, sentences))


def is_curve(layer: Any, over: str) -> bool:
    """Whether a line is read ``over`` its axis, which has a label: it has one piece, and never goes
    back.
    """
    if not hasattr(layer, "x") or isinstance(layer, Bars):
        return False
    return bool(
        over and len(layer.x) and np.isfinite(layer.x).all() and (layer.x[1:] >= layer.x[:-1]).all()
    )


def covered(panel: Panel) -> float:
    """The part of a panel without axes, such as a triangle, whose cells have a label; that of
    others is 1.
    """
    rasters = [
        layer
        for layer in panel.layers
        if isinstance(layer, Raster) and layer.labels and panel.axes.bare
    ]
    return min(
        [float((raster.codes < len(raster.labels)).mean()) for raster in rasters], default=1.0
    )


def kind_words(layer: Any, over: str, part: float) -> Iterator[str]:
    """The fraction of cells in this ``part``, the number of points or the heights of bars of each
    kind; lines by name.

    Bars under one label in the colors of several classes are left to the panel.
    """
    codes = getattr(layer, "codes", None)
    labels = getattr(layer, "labels", ())
    if layer.label and hasattr(layer, "cells"):
        yield f"{layer.label} on {layer.cells.mean() / part:.1%}"
    elif (
        (layer.legend or getattr(layer, "is_labelled", False))
        and layer.label
        and not is_curve(layer, over)
    ):
        yield layer.label
    elif not labels or codes is None or codes.size <= 1:
        return
    elif isinstance(layer, Bars):
        heights = seen_heights(layer)
        for code, label in enumerate(labels if codes.max() < len(labels) else ()):
            of_kind = heights[codes == code]
            if 0 < len(of_kind) <= MAX_BARS:
                yield f"{label} {', '.join(map(number, of_kind))}"
    else:
        counts = list(zip(labels, np.bincount(codes.ravel(), minlength=len(labels)), strict=False))
        if codes.ndim == 2:
            yield from (
                f"{label} on {count / codes.size / part:.1%}" for label, count in counts if count
            )
        elif max(count for _, count in counts) > 1:
            yield f"points ({', '.join(f'{count} {label}' for label, count in counts)})"
        else:
            yield from (label for label, count in counts if count)


def seen_heights(bars: Bars) -> np.ndarray:
    """What is seen of each bar: of those at the same x the taller ones stand behind, as parts of a
    stack.
    """
    order = np.lexsort((bars.heights, bars.x))
    x = bars.x[order]
    tops = bars.heights[order]
    below = np.where(np.diff(x, prepend=np.nan) == 0, np.roll(tops, 1), 0)
    seen = np.empty(len(order))
    seen[order] = tops - below
    return seen


def curve_words(layer: Any, known: Collection[str]) -> str:
    """A line or a band over x, or a single point; of a curve its ends, and its lowest and highest
    point between them.

    Nothing of one without a label or a value, nor of a level that is ``known``.
    """
    x = layer.x
    label = layer.label
    labels = getattr(layer, "labels", ())
    if labels and len(x) == 1 and hasattr(layer, "codes"):
        label = labels[min(layer.codes[0], len(labels) - 1)]
    is_band = hasattr(layer, "upper")
    y = layer.upper if is_band else layer.y
    finite = np.isfinite(y).nonzero()[0]
    if not (label and len(finite)):
        return ""

    def at(i: int) -> str:
        height = f"{number(layer.lower[i])} to {number(y[i])}" if is_band else number(y[i])
        return f"{height} at {number(x[i])}"

    first = finite[0]
    last = finite[-1]
    lowest = finite[y[finite].argmin()]
    highest = finite[y[finite].argmax()]
    if first == last:
        return f"{label} {at(first)}"
    if is_band:
        return f"{label} {at(first)}, {at(last)}"
    if x[first] == x[last]:
        return f"{label}, a vertical line at {number(x[first])}"
    if y[lowest] == y[highest]:
        return "" if label in known else f"{label} at {number(y[first])}"
    turn = SMALLEST_TURN * (y[highest] - y[lowest])
    inner = [
        f", {name} {at(i)}"
        for name, i in (("lowest", lowest), ("highest", highest))
        if min(abs(y[i] - y[first]), abs(y[i] - y[last])) > turn
    ]
    return f"{label} from {at(first)} to {at(last)}{''.join(inner)}"


def number(value: float) -> str:
    if abs(value) < WHOLE_FROM:
        # Zero is added since -0 would be read out with its sign.
        return f"{round(value, MAX_DECIMALS) + 0:.4g}"
    # Layers hold single precision.
    return f"{float(f'{value:.6g}'):,.0f}"


class Count(NamedTuple):
    """How many of a whole; shown as "9 of 11"."""

    part: int
    whole: int


def format_number(value: Any, decimals: int = 2) -> str:
    """A number, a count, numbers by name, a word, a bool or None as text; a real number that is not
    0 never as 0.
    """
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, Count):
        return f"{value.part} of {value.whole}"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {format_number(each, decimals)}" for name, each in value.items())
    if not isinstance(value, float):
        return str(value)
    if 0 < abs(value) < 0.5 / 10**decimals:
        return f"{value:.1g}"
    return (
        f"{value:.{decimals}f}" if abs(round(value, decimals)) < DECIMALS_BELOW else f"{value:.5g}"
    )
