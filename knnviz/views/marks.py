"""Layers that mark one value in a panel: a vertical line, a handle on it, a point."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from knnviz.views import style
from knnviz.views.layers import Annotations, Axes, Band, Lines, Place, Points

#: Height of a handle, as a fraction of the upper end of its line.
HANDLE_HEIGHT = 0.85

#: Height of a grip near the foot of a line, as a fraction of its panel.
FOOT_HEIGHT = 0.07


class Level(NamedTuple):
    """A horizontal line at one value, such as a threshold or a limit, and how it is drawn."""

    value: float
    name: str
    label: str | None
    dash: tuple[float, ...]
    color: str = style.INK
    align: str = "center"


def level_line(level: Level, ends: tuple[float, float], end: int = 1) -> Lines:
    """A level from end to end, with its label at the left ``end`` (0) or the right one (1)."""
    value, name, label, dash, color, align = level
    at = Place(ends[end], value, align)
    return Lines(name, ends, value, label=label, at=at, color=color, dash=dash)


def curve(
    name: str,
    label: str,
    x: Any,
    y: Any,
    color: str = style.INK,
    dash: tuple[float, ...] = (),
    width: float = 2.5,
    **look: Any,
) -> Lines:
    """A curve y over x."""
    return Lines(name, x, y, label=label, color=color, dash=dash, width=width, **look)


def stacked(
    x: np.ndarray, looks: Sequence[tuple[str, str | None, str]], terms: Any, opacity: float
) -> list[Band]:
    """Terms (J,) over x on top of each other, the lowest first; names, labels and colors in
    ``looks``.
    """
    ends = np.cumsum([0 * terms[0], *terms], axis=0)
    bands = []
    for (name, label, color), sides in zip(looks, pairwise(ends), strict=True):
        bands.append(Band(name, x, *sides, label=label, color=color, opacity=opacity))
    return bands


def ranks_within(piles: np.ndarray) -> np.ndarray:
    """How many before each of some numbers (n,) are equal to it."""
    order = np.argsort(piles, kind="stable")
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order)) - np.searchsorted(piles[order], piles[order])
    return ranks


def named_along(line: Any, part: float | None, align: str = "center") -> Any:
    """A line or points whose label stands at a part of the way along it, 1 being the last point, or
    at the highest one.
    """
    known = np.flatnonzero(np.isfinite(line.y))
    if not len(known):
        return line
    i = np.nanargmax(line.y)
    if part is not None:
        i = known[round(part * (len(known) - 1))]
    return replace(line, at=Place(line.x[i], line.y[i], align))


def drawn_of(most: int, n: int, what: str, axes: Axes) -> Annotations | None:
    """In the lower right corner how many of n are drawn, None if that is all of them."""
    if n <= most:
        return None
    text = f"{most} of {n} {what}"
    x = np.interp(0.98, (0, 1), axes.xlim)
    y = np.interp(0.025, (0, 1), axes.ylim)
    return Annotations("drawn", x, y, (text,), size=11.5, align="right")


def handle(
    x: float, xlim: tuple[float, float], top: float, name: str, spoken: str
) -> tuple[Lines, Annotations]:
    """A draggable value on a logarithmic axis: a line up to ``top``, and a cross on it with its
    name.
    """
    low, high = xlim
    align = "left" if x * x < low * high else "right"
    height = HANDLE_HEIGHT * top
    line = Lines(f"at_{name}", x, (0, top))
    cross = draggable(f"{name}_grip", x, height, name, name, spoken, align, cross=14)
    return line, cross


def draggable(
    name: str,
    x: float,
    y: float,
    text: str,
    handle: str,
    spoken: str,
    align: str = "left",
    pulls: str = "x",
    **options: Any,
) -> Annotations:
    """A draggable cross and a text; a screen reader reads ``handle`` as its name, ``spoken`` as its
    value.
    """
    options |= {"handles": (handle,), "spoken": (spoken,), "pulls": pulls, "align": align}
    return Annotations(name, x, y, (text,), **options)


def grip(x: float, axes: Axes, y: Any = None) -> Annotations:
    """What pulls a value on the axis of x where no cross stands, drawn on live pages alone: at a
    height, or near the foot of a line.
    """
    if y is None:
        y = np.interp(FOOT_HEIGHT, (0, 1), axes.ylim)
    return draggable("grip", x, y, "", f"{axes.title}: {axes.xlabel}", f"{x:,.12g}")


def dot(
    x: ArrayLike,
    y: ArrayLike,
    name: str = "here",
    label: str | None = None,
    color: str = style.INK,
    marker: int = 3,
    size: float = 12.0,
    **look: Any,
) -> Points:
    """Points x, y (n,) with one of ``style.MARKERS``; without any there is no entry in the legend
    either.
    """
    labels = (label,) if label and np.size(x) else ()
    markers = (style.MARKERS[marker],)
    return Points(name, x, y, size=size, palette=(color,), markers=markers, labels=labels, **look)


def of_classes(
    name: str, x: ArrayLike, y: ArrayLike, classes: np.ndarray, n_classes: int = 2, **look: Any
) -> Points:
    """Points (n,) in the colors and with the markers of their classes, unless ``look`` has
    others.
    """
    usual = {"palette": style.palette(n_classes), "markers": style.markers(n_classes)}
    return Points(name, x, y, codes=classes, **usual | look)


def naming(name: str, at: Place, text: str, color: str) -> Annotations:
    """A text at a place in the color of what it names, dark enough to be read."""
    x, y, align = at
    color = style.readable(color)
    return Annotations(name, x, y, (text,), color=color, size=style.NAME_SIZE, align=align)


def segments(starts: ArrayLike, ends: ArrayLike) -> np.ndarray:
    """Coordinates (3 n,) of segments from starts (n,) to ends (n,), of which either may be a single
    one, a NaN after each.
    """
    return np.column_stack(np.broadcast_arrays(starts, ends, np.nan)).ravel()
