"""Layers that mark one value in a panel: a vertical line, a handle on it, a point; and lines of
text.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from knnviz.views import style
from knnviz.views.layers import Annotations, Axes, Lines, Points

#: Height of a handle, as a fraction of the upper end of its line.
HANDLE_HEIGHT = 0.85


def curve(
    name: str,
    label: str,
    x: Any,
    y: Any,
    color: str = style.INK,
    dash: tuple[float, ...] = (),
    width: float = 2.5,
) -> Lines:
    """A curve y over x."""
    return Lines(name=name, label=label, x=x, y=y, color=color, dash=dash, width=width)


def named(line: Lines, x: float, y: float, **look: Any) -> tuple[Lines, Annotations]:
    """A line whose label stands at (x, y), in place of an entry in the legend."""
    text = Annotations(name=f"{line.name}_name", x=x, y=y, texts=(line.label or "",), **look)
    return replace(line, keyed=False), text


def in_corner(text: str, axes: Axes) -> Annotations:
    """A text in the lower right corner, which changes without new axes."""
    (x0, x1) = axes.xlim
    (y0, y1) = axes.ylim
    x = x1 - 0.02 * (x1 - x0)
    y = y0 + 0.025 * (y1 - y0)
    return Annotations(name="drawn", x=x, y=y, texts=(text,), size=11.5, align="right")


def vertical_line(
    x: float, top: float, name: str, label: str | None, color: str, dash: tuple[float, ...] = ()
) -> Lines:
    """A vertical line at x, from 0 to ``top``."""
    return Lines(name=name, label=label, x=x, y=(0, top), color=color, dash=dash)


def handle(
    x: float, xlim: tuple[float, float], top: float, name: str, spoken: str
) -> tuple[Lines, Annotations]:
    """A draggable value on a logarithmic axis: a line up to ``top``, and a cross on it with its
    name.
    """
    align = "left" if x * x < xlim[0] * xlim[1] else "right"
    cross = draggable(f"{name}_grip", x, HANDLE_HEIGHT * top, name, name, spoken, align, cross=14)
    return vertical_line(x, top, f"at_{name}", None, style.INK), cross


def draggable(
    name: str,
    x: float,
    y: float,
    text: str,
    handle: str,
    spoken: str,
    align: str = "left",
    **options: Any,
) -> Annotations:
    """A draggable cross and a text; a screen reader reads ``handle`` as its name, ``spoken`` as its
    value.
    """
    return Annotations(
        name=name,
        x=x,
        y=y,
        texts=(text,),
        handles=(handle,),
        spoken=(spoken,),
        align=align,
        **options,
    )


def dot(
    x: ArrayLike,
    y: ArrayLike,
    name: str = "here",
    label: str | None = None,
    color: str = style.INK,
    marker: int = 3,
    size: float = 12.0,
) -> Points:
    """Points x, y (n,) with one of ``style.MARKERS``; without any there is no entry in the legend
    either.
    """
    labels = (label,) if label and np.size(x) else ()
    markers = (style.MARKERS[marker],)
    return Points(name=name, x=x, y=y, palette=(color,), markers=markers, labels=labels, size=size)


def of_classes(
    name: str, x: ArrayLike, y: ArrayLike, classes: np.ndarray, n_classes: int = 2, **look: Any
) -> Points:
    """Points (n,) in the colors and with the markers of their classes, unless ``look`` has
    others.
    """
    look = {"palette": style.palette(n_classes), "markers": style.markers(n_classes)} | look
    return Points(name=name, x=x, y=y, codes=classes.astype(np.uint8), **look)


def segments(starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Coordinates (3 n,) of segments from starts (n,) to ends (n,), a NaN after each."""
    return np.column_stack([starts, ends, np.full(len(starts), np.nan)]).ravel()


def text_lines(name: str, lines: Sequence[tuple[str, str]], size: float) -> tuple[Annotations, ...]:
    """Lines of text in their colors, one below the other; each is one unit high."""
    return tuple(
        Annotations(
            name=f"{name}{i}", x=0, y=len(lines) - i - 0.5, texts=(text,), color=color, size=size
        )
        for i, (text, color) in enumerate(lines)
    )
