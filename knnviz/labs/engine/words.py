"""Panels in words: what they say themselves, how much of each kind they show, and their curves."""

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from knnviz.views.layers import Bars, Panel

#: Most bars of a kind whose heights are named.
MAX_BARS = 8

#: How far beyond both ends of a curve its lowest or highest point must be, as a fraction of its height, to be named.
SMALLEST_TURN = 0.01

#: Whole numbers stand for larger ones.
FOUR_DIGITS_BELOW = 10_000


def panel_words(panel: Panel, known: Collection[str] = ()) -> str:
    """The title of a panel, what it ``says``, and its layers but for levels whose label is ``known``."""
    title, over = panel.axes.title, panel.axes.xlabel
    kinds = "; ".join(text for layer in panel.layers for text in kind_words(layer, over))
    curves = "; ".join(text for layer in panel.layers if is_curve(layer, over) for text in curve_words(layer, known))
    sentences = f"{title}.", panel.says, kinds and f"Shown: {kinds}.", curves and f"Over {over}: {curves}."
    return " ".join(filter(None, sentences))


def is_curve(layer: Any, over: str) -> bool:
    """Whether a line is read ``over`` its axis, which has a label: it has one piece, and never goes back."""
    if not hasattr(layer, "x") or isinstance(layer, Bars):
        return False
    return bool(over and len(layer.x) and np.isfinite(layer.x).all() and (layer.x[1:] >= layer.x[:-1]).all())


def kind_words(layer: Any, over: str) -> Iterator[str]:
    """The fraction of cells, the number of points or the heights of bars of each kind; other lines by name."""
    codes, labels = getattr(layer, "codes", None), getattr(layer, "labels", ())
    if layer.label and hasattr(layer, "cells"):
        yield f"{layer.label} on {layer.cells.mean():.1%}"
    elif layer.legend_key and hasattr(layer, "x") and layer.label and not is_curve(layer, over):
        yield layer.label
    elif not labels or codes is None or codes.size <= 1:
        return
    elif isinstance(layer, Bars):
        for code, label in enumerate(labels):
            heights = layer.heights[codes == code]
            if 0 < len(heights) <= MAX_BARS:
                yield f"{label} {', '.join(map(number, heights))}"
    else:
        counts = list(zip(labels, np.bincount(codes.ravel(), minlength=len(labels)), strict=False))
        if codes.ndim == 2:
            yield from (f"{label} on {count / codes.size:.1%}" for label, count in counts if count)
        elif max(count for _, count in counts) > 1:
            yield f"points ({', '.join(f'{count} {label}' for label, count in counts)})"
        else:
            yield from (label for label, count in counts if count)


def curve_words(layer: Any, known: Collection[str]) -> Iterator[str]:
    """A line over x or a single point; of a curve its ends, and its lowest and highest point between them."""
    x, label, labels = layer.x, layer.label, getattr(layer, "labels", ())
    at = np.isfinite(layer.upper if hasattr(layer, "upper") else layer.y).nonzero()[0]
    if labels and len(x) == 1 and hasattr(layer, "codes"):
        label = labels[min(layer.codes[0], len(labels) - 1)]
    if not (label and len(at)):
        return
    first, last = at[0], at[-1]
    if hasattr(layer, "upper"):
        yield f"{label} " + ", ".join(
            f"{number(layer.lower[i])} to {number(layer.upper[i])} at {number(x[i])}"
            for i in dict.fromkeys((first, last))
        )
        return
    y, lowest, highest = layer.y, at[layer.y[at].argmin()], at[layer.y[at].argmax()]
    if first == last:
        yield f"{label} {number(y[first])} at {number(x[first])}"
    elif x[first] == x[last]:
        yield f"{label}, a vertical line at {number(x[first])}"
    elif y[lowest] == y[highest]:
        if label not in known:
            yield f"{label} at {number(y[first])}"
    else:
        turn = SMALLEST_TURN * (y[highest] - y[lowest])
        inner = [
            f", {name} {number(y[i])} at {number(x[i])}"
            for name, i in (("lowest", lowest), ("highest", highest))
            if min(abs(y[i] - y[first]), abs(y[i] - y[last])) > turn
        ]
        ends = f"from {number(y[first])} at {number(x[first])} to {number(y[last])} at {number(x[last])}"
        yield f"{label} {ends}{''.join(inner)}"


def number(value: float) -> str:
    return f"{value:.4g}" if abs(value) < FOUR_DIGITS_BELOW else f"{value:,.0f}"
