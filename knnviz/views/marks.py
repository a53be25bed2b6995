"""What marks a single value in a panel: a line from bottom to top, a handle on it, a point; and lines of text."""

from collections.abc import Sequence

import numpy as np

from knnviz.views import style
from knnviz.views.layers import Annotations, Axes, Layer, Lines, Points, single

#: How high in its panel a handle stands.
GRIP = 0.85


def upright(x: float, top: float, name: str, label: str | None, color: str, dash: tuple[float, ...] = ()) -> Lines:
    """A place on the axis, from 0 to ``top``."""
    look = {"color": color, "dash": dash}
    return Lines(name=name, label=label, x=np.full(2, x, np.float32), y=np.array([0, top], np.float32), **look)


def handle(x: float, limit: tuple[float, float], top: float, name: str, spoken: str) -> tuple[Lines, Annotations]:
    """A place on a logarithmic axis that can be dragged: a line up to ``top``, and a cross on it with its name."""
    align = "left" if x * x < limit[0] * limit[1] else "right"
    look = {"cross": 14, "handles": (name,), "spoken": (spoken,), "align": align}
    mark = Annotations(name=f"{name}_grip", x=single(x), y=single(GRIP * top), texts=(name,), **look)
    return upright(x, top, f"at_{name}", None, style.INK), mark


def dot(
    x: float | np.ndarray,
    y: float | np.ndarray,
    name: str = "here",
    label: str | None = None,
    color: str = style.INK,
    marker: int = 3,
    size: float = 12.0,
) -> Points:
    """A value as a point; none, and none in the legend, for empty x and y (0,)."""
    x, y = (np.atleast_1d(at).astype(np.float32) for at in (x, y))
    labels = (label,) if label and len(x) else ()
    look = {"palette": (color,), "markers": (style.MARKERS[marker],), "labels": labels, "size": size}
    return Points(name=name, x=x, y=y, codes=np.zeros(len(x), np.uint8), ringed=np.zeros(len(x), bool), **look)


def told(name: str, title: str, lines: Sequence[tuple[str, str]], size: float) -> tuple[Axes, tuple[Layer, ...]]:
    """Lines of text in their colours, one below the other, in a bare panel."""
    count = len(lines)
    axes = Axes(name, title, "", "", (0, 1), (0, count), bare=True)
    spots = ({"x": single(0.0), "y": single(count - i - 0.5)} for i in range(count))
    return axes, tuple(
        Annotations(name=f"{name}{i}", texts=(text,), color=color, size=size, **spot)
        for i, ((text, color), spot) in enumerate(zip(lines, spots, strict=True))
    )
