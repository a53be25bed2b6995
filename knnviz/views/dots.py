"""Dots over a value, one for each point: a class above the axis, the other mirrored below it.

A threshold on the value and the axis make four piles, the entries of a confusion matrix.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from knnviz.views import marks, style
from knnviz.views.layers import Annotations, Band, Layer, Place, Points

#: Dots on top of each other in a block, most of them in a column, and how far the block is aside.
ROWS = 13
HIGHEST = 24
BLOCK_GAP = 0.6

#: CSS pixels of the largest dot.
LARGEST_DOT = 12.0

#: Parts of a length: those that are right, and the mistakes of class 1 and of class 0.
PARTS = (style.class_color(1), style.tint(style.class_color(1), 0.5), style.class_color(0))

#: The lowest middle of a name beside a bar, above the grip of the threshold, and the least height
#: of a part with a name, as parts of the axis.
LOWEST_NAME = 0.12
LEAST_NAMED = 0.07


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
    aside = BLOCK_GAP * (columns == columns.min())
    x = columns - aside - heights // rows + 0.8 * ((beside + 0.5) / across - 0.5)
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
    """The sides of a threshold in the colors of the classes that are predicted there, and in their
    corners the ``names`` of the piles: above left and right, below left and right.
    """
    layers: list[Layer] = []
    low, high = ylim
    for c, ends in enumerate([(xlim[0], at), (at, xlim[1])]):
        color = style.tint(style.class_color(c), 0.14)
        layers.append(Band(f"side{c}", ends, low, high, color=color, opacity=1))
    gap = 0.008 * (xlim[1] - xlim[0])
    room = 0.04 * (high - low)
    for i, name in enumerate(names):
        side = i % 2
        look: Any = {"align": ("left", "right")[side], "size": style.NAME_SIZE}
        color = style.readable((PARTS[1], PARTS[0], PARTS[2], PARTS[2])[i])
        y = low + room if i > 1 else high - room
        x = xlim[side] + (-gap if side else gap)
        layers.append(Annotations(f"pile{i}", x, y, (name,), color=color, **look))
    return layers


def shares(x: np.ndarray, parts: Any) -> list[Band]:
    """Parts (p, J) over x, on top of each other, in the last p colors of ``PARTS``."""
    ends = np.cumsum([0 * parts[0], *parts], axis=0)
    bands = []
    for i, color in enumerate(PARTS[-len(parts) :]):
        look: Any = {"color": color, "opacity": 0.35}
        bands.append(Band(f"share{i}", x, ends[i], ends[i + 1], **look))
    return bands


def pillar(
    at: float, parts: Sequence[float], names: Sequence[str], width: float, top: float
) -> list[Band]:
    """The parts (p,) at one x, as a bar; each that is high enough has its name beside it, on the
    wider side of a unit interval.
    """
    side, align = (1, "left") if at <= 0.5 else (-1, "right")
    ends = np.cumsum([0, *parts])
    bands = []
    for i, (name, color) in enumerate(zip(names, PARTS[-len(parts) :], strict=True)):
        low, high = ends[i : i + 2]
        middle = max((low + high) / 2, LOWEST_NAME * top)
        place: Any = Place(at + side * width, float(middle), align)
        if high - low < LEAST_NAMED * top or high < middle:
            place = "in words"
        x = (at - width / 2, at + width / 2)
        look: Any = {"label": name, "at": place, "color": color, "opacity": 1}
        bands.append(Band(f"pillar{i}", x, low, high, **look))
    return bands
