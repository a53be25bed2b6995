"""Panels and numbers as text: what panels say themselves, how much of each kind they show, and
their curves.
"""

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

import numpy as np

from knnviz.views.layers import Annotations, Band, Bars, Fill, Lines, Panel, Points, Raster

#: Kinds of layers that may be read over x.
OVER_X = (Lines, Band, Points, Annotations)

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
    over = panel.axes.xlabel
    part = covered(panel)
    kinds: list[str] = []
    curves: list[str] = []
    for layer in panel.layers:
        # Where ticks have names, heights are not what is read off.
        if not (panel.axes.ynames and isinstance(layer, Bars)):
            kinds += kind_words(layer, over, part)
        if is_curve(layer, over):
            curves.append(curve_words(layer, known))

    sentences = [f"{panel.axes.title}.", panel.says]
    shown = "; ".join(kinds)
    if shown:
        sentences.append(f"Shown: {shown}.")
    read = "; ".join(filter(None, curves))
    if read:
        sentences.append(f"Over {over}: {read}.")
    return " ".join(filter(None, sentences))


def is_curve(layer: Any, over: str) -> bool:
    """Whether a line is read ``over`` its labelled axis: in one piece, it never goes back."""
    if not (over and isinstance(layer, OVER_X)):
        return False
    x = layer.x
    if not len(x):
        return False
    never_back = (x[1:] >= x[:-1]).all()
    return bool(never_back and np.isfinite(x).all())


def covered(panel: Panel) -> float:
    """The part of a panel without axes, such as a triangle, whose cells have a label; that of
    others is 1.
    """
    if not panel.axes.bare:
        return 1.0
    rasters = [layer for layer in panel.layers if isinstance(layer, Raster) and layer.labels]
    return min([float((each.codes < len(each.labels)).mean()) for each in rasters], default=1.0)


def kind_words(layer: Any, over: str, part: float) -> Iterator[str]:
    """The fraction of cells in this ``part``, the number of points or the heights of bars of each
    kind; lines by name.

    Bars under one label in the colors of several classes are left to the panel.
    """
    if layer.label and isinstance(layer, Fill):
        yield f"{layer.label} on {layer.cells.mean() / part:.1%}"
    elif layer.label and layer.legend and not is_curve(layer, over):
        yield layer.label
    elif isinstance(layer, Bars):
        yield from bar_words(layer)
    elif isinstance(layer, Raster):
        for label, count in counted(layer):
            if count:
                yield f"{label} on {count / layer.codes.size / part:.1%}"
    elif isinstance(layer, Points):
        yield from point_words(layer)


def counted(layer: Raster | Points) -> list[tuple[str, int]]:
    """How often each label of a layer stands in it; nothing for a single code."""
    if not layer.labels or layer.codes.size <= 1:
        return []
    counts = np.bincount(layer.codes.ravel(), minlength=len(layer.labels))
    return list(zip(layer.labels, counts, strict=False))


def point_words(points: Points) -> Iterator[str]:
    """The number of points of each kind, or its label alone where no kind has several."""
    by_label = counted(points)
    if any(count > 1 for _, count in by_label):
        numbers = [f"{count} {label}" for label, count in by_label]
        yield f"points ({', '.join(numbers)})"
        return
    for label, count in by_label:
        if count:
            yield label


def bar_words(bars: Bars) -> Iterator[str]:
    """The heights of the bars of each kind, where they are few."""
    if bars.codes.size <= 1 or bars.codes.max() >= len(bars.labels):
        return
    heights = seen_heights(bars)
    for code, label in enumerate(bars.labels):
        of_kind = heights[bars.codes == code]
        if 0 < len(of_kind) <= MAX_BARS:
            yield f"{label} {', '.join(map(number, of_kind))}"


def seen_heights(bars: Bars) -> np.ndarray:
    """What is seen of each bar: of those at the same x the taller ones stand behind, as parts of a
    stack.
    """
    order = np.lexsort((bars.heights, bars.x))
    x = bars.x[order]
    tops = bars.heights[order]
    is_stacked = np.diff(x, prepend=np.nan) == 0
    below = np.where(is_stacked, np.roll(tops, 1), 0)
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
    if isinstance(layer, Points) and layer.labels and len(x) == 1:
        last_label = len(layer.labels) - 1
        label = layer.labels[min(layer.codes[0], last_label)]
    is_band = isinstance(layer, Band)
    y = layer.upper if is_band else layer.y
    finite = np.isfinite(y).nonzero()[0]
    if not (label and len(finite)):
        return ""

    def at(i: int) -> str:
        place = f"{number(y[i])} at {number(x[i])}"
        if is_band:
            return f"{number(layer.lower[i])} to {place}"
        return place

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
        if label in known:
            return ""
        return f"{label} at {number(y[first])}"

    words = f"{label} from {at(first)} to {at(last)}"
    turn = SMALLEST_TURN * (y[highest] - y[lowest])
    for name, i in (("lowest", lowest), ("highest", highest)):
        from_ends = abs(y[i] - y[first]), abs(y[i] - y[last])
        if min(from_ends) > turn:
            words += f", {name} {at(i)}"
    return words


def number(value: float) -> str:
    if abs(value) < WHOLE_FROM:
        # Zero is added since -0 would be read out with its sign.
        return f"{round(value, MAX_DECIMALS) + 0:.4g}"
    # Six digits are enough.
    return f"{float(f'{value:.6g}'):,.0f}"


#: Stands for a number that is read off a curve until the curve is whole.
TO_COME = "…"


class Count(NamedTuple):
    """How many of a whole; shown as "9 of 11"."""

    part: int
    whole: int


def format_number(value: Any, decimals: int = 2) -> str:
    """A number, a count, numbers by name, a word or a bool as text; a real number that is not 0
    never as 0.
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Count):
        return f"{value.part} of {value.whole}"
    if isinstance(value, dict):
        numbers = [f"{name}: {format_number(each, decimals)}" for name, each in value.items()]
        return ", ".join(numbers)
    if not isinstance(value, float):
        return str(value)
    if 0 < abs(value) < 0.5 / 10**decimals:
        return f"{value:.1g}"
    if abs(round(value, decimals)) < DECIMALS_BELOW:
        return f"{value:.{decimals}f}"
    return f"{value:.5g}"
