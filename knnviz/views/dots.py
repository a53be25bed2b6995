"""Dots over a value, one for each point: a class above the axis, the other mirrored below it.

A threshold on the value and the axis make four piles, the entries of a confusion matrix.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from knnviz.views import marks, style
from knnviz.views.layers import Annotations, Band, Bars, Layer, Place, Points

#: Dots on top of each other in a block, and most of them in a column.
ROWS = 13
HIGHEST = 24

#: CSS pixels of the largest dot.
LARGEST_DOT = 12.0

#: Parts of a length: those that are right, and the mistakes of class 1 and of class 0.
PARTS = (style.class_color(1), style.tint(style.class_color(1), 0.5), style.class_color(0))


def stacked(values: np.ndarray, above: np.ndarray, step: float = 1.0) -> np.ndarray:
    """Positions (n, 2) of dots in columns a ``step`` wide, from 1 up, or from -1 down where they
    are not ``above`` (n,), 0 or 1.

    Where more than ``HIGHEST`` dots would be on top of each other, several stand side by side. The
    lowest column may become a block, as high as the highest of the others or ``ROWS``, which grows
    to the left.
    """
    columns = np.round(values / step).astype(int)
    piles = 2 * columns + above
    order = np.argsort(piles, kind="stable")
    ordered = piles[order]
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order)) - np.searchsorted(ordered, ordered)
    highest = ranks[columns > columns.min()].max(initial=0) + 1
    across = -(-highest // HIGHEST)
    heights, beside = np.divmod(ranks, across)
    rows = max(ROWS, -(-highest // across))
    x = columns - heights // rows + 0.8 * ((beside + 0.5) / across - 0.5)
    y = np.where(above, 1, -1) * (heights % rows + 1)
    return np.column_stack([x * step, y])


def dots(places: np.ndarray, classes: np.ndarray, pitch: float) -> Points:
    """Dots (n, 2) in the colors of their classes, ``pitch`` CSS pixels apart."""
    size = min(LARGEST_DOT, 0.9 * pitch)
    x, y = places.T
    return marks.of_classes("dots", x, y, classes, size=size, halo=0.5)


def piles(
    at: float, xlim: tuple[float, float], ylim: tuple[float, float], names: Sequence[str]
) -> list[Layer]:
    """The sides of a threshold in the colors of the classes that are predicted there, and the
    ``names`` of the piles: above left and right, below left and right.
    """
    layers: list[Layer] = []
    low, high = ylim
    for c, ends in enumerate([(xlim[0], at), (at, xlim[1])]):
        color = style.tint(style.class_color(c), 0.14)
        layers.append(Band(name=f"side{c}", x=ends, lower=low, upper=high, color=color, opacity=1))
    gap = 0.008 * (xlim[1] - xlim[0])
    room = 0.04 * (high - low)
    for i, name in enumerate(names):
        side = i % 2
        look: Any = {"align": ("right", "left")[side], "size": style.NAME_SIZE}
        color = style.readable(style.class_color(1 - i // 2))
        y = low + room if i > 1 else high - room
        x = at + (gap if side else -gap)
        layers.append(Annotations(name=f"pile{i}", x=x, y=y, texts=(name,), color=color, **look))
    return layers


def shares(x: np.ndarray, parts: Any, names: Sequence[str], at: Sequence[float]) -> list[Band]:
    """Parts (p, J) over x, on top of each other, in the last p colors of ``PARTS``; their names
    stand ``at`` these x.
    """
    ends = np.cumsum([0 * parts[0], *parts], axis=0)
    looks = zip(names, PARTS[-len(parts) :], at, strict=True)
    bands = []
    for i, (name, color, middle) in enumerate(looks):
        low, high = ends[i : i + 2]
        place = Place(middle, float(np.interp(middle, x, (low + high) / 2)), "middle")
        look: Any = {"label": name, "at": place, "color": color, "opacity": 0.35}
        bands.append(Band(name=f"share{i}", x=x, lower=low, upper=high, **look))
    return bands


def pillar(at: float, parts: Sequence[float], width: float) -> Bars:
    """The parts (p,) at one x, as a bar."""
    tops = np.cumsum(parts)[::-1]
    codes = np.arange(len(parts), dtype=np.uint8)[::-1]
    palette = PARTS[-len(parts) :]
    return Bars(name="pillar", x=at, heights=tops, codes=codes, width=width, palette=palette)
