"""Dots over a value, one for each point: a class above the axis, the other mirrored below it.

A threshold on the value and the axis make four piles, the entries of a confusion matrix.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.views import marks, style
from knnviz.views.layers import Band, Layer, Place, Points

#: Dots on top of each other in a block, most of them in a column, and how far the block is aside.
ROWS = 13
HIGHEST = 24
BLOCK_GAP = 0.6

#: CSS pixels of the largest dot.
LARGEST_DOT = 12.0

#: Parts of a length: those that are right, and the mistakes of class 1 and of class 0. What is
#: missed is darker than its class: a paler color would stand for an alarm beside it.
PARTS = (style.class_color(1), "#7F4A26", style.class_color(0))

#: The least height of a part of a bar with a name, as a part of the axis.
LEAST_NAMED = 0.03


def stacked(columns: np.ndarray, above: np.ndarray) -> np.ndarray:
    """Positions (n, 2) of dots in columns (n,), whole numbers, from 1 up, or from -1 down where
    they are not ``above`` (n,), 0 or 1.

    Where more than ``HIGHEST`` dots would be on top of each other, several stand side by side. The
    lowest column may become a block, as high as the highest of the others or ``ROWS``, which grows
    to the left.
    """
    ranks = marks.ranks_within(2 * columns + above)
    highest = ranks[columns > columns.min()].max(initial=0) + 1
    across = -(-highest // HIGHEST)
    heights, beside = np.divmod(ranks, across)
    rows = max(ROWS, -(-highest // across))
    aside = BLOCK_GAP * (columns == columns.min())
    x = columns - aside - heights // rows + 0.8 * ((beside + 0.5) / across - 0.5)
    y = np.where(above, 1, -1) * (heights % rows + 1)
    return np.column_stack([x, y])


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
    left = xlim[0] + gap, "left"
    right = xlim[1] - gap, "right"
    for i, (x, align) in enumerate((left, right, left, right)):
        y = low + room if i > 1 else high - room
        color = PARTS[(1, 0, 2, 2)[i]]
        layers.append(marks.naming(f"pile{i}", Place(x, y, align), names[i], color))
    return layers


def shares(x: np.ndarray, parts: Any, opacity: float = 0.35) -> list[Band]:
    """Parts (p, J) over x, on top of each other, in the last p colors of ``PARTS``."""
    looks = [(f"share{i}", None, color) for i, color in enumerate(PARTS[-len(parts) :])]
    return marks.stacked(x, looks, parts, opacity)


def pillar(
    at: float, parts: np.ndarray, names: Sequence[str], width: float, top: float
) -> list[Band]:
    """The parts (p,) at one x, as a bar; each that is high enough has its name beside it, on the
    wider side of a unit interval.
    """
    side, align = (1, "left") if at <= 0.5 else (-1, "right")
    x = np.array([at - width / 2, at + width / 2])
    bands = []
    for i, (name, band) in enumerate(zip(names, shares(x, parts, 1), strict=True)):
        low = band.lower[0]
        high = band.upper[0]
        place: Any = "in words"
        if high - low >= LEAST_NAMED * top:
            place = Place(at + side * width, (low + high) / 2, align)
        bands.append(replace(band, name=f"pillar{i}", label=name, at=place))
    return bands
