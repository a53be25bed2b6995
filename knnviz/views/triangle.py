"""The Triangle: the weights of three classes as a point, each corner all weight on one class."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.views import style
from knnviz.views.layers import Annotations, Axes, Lines, Points

#: Corners of the triangle, class by class: left, right, top.
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]])

#: Limits of the panel: there is room around the triangle for the names of its corners.
ACROSS, UP = (-0.225, 1.225), (-0.24, 1.16)

#: Half of the middle in x and y, and how far rounding to hundredths may move a position beyond it.
HALVES, HUNDREDTH = 0.135 * np.array([ACROSS[1] - ACROSS[0], UP[1] - UP[0]]), 0.01

#: Positions of the names of the corners, clear of a cross on a corner: below the lower ones, above the upper one.
BESIDE = CORNERS + [[0, -0.22], [0, -0.22], [0, 0.02]]

#: Their positions in the middle, where no corner is visible, from its center in halves of it; arrows point to them.
TOWARDS, ARROWS = np.array([[-0.68, -0.96], [0.68, -0.96], [0, 0.84]]), ("↙ {}", "{} ↘", "↑ {}")


def axes() -> Axes:
    """A panel without a frame, somewhat larger than the triangle, whose sides are equal if its width is 1.2 heights."""
    return Axes("triangle", "Class weights", "", "", ACROSS, UP, bare=True)


def middle(frame: Axes) -> Axes:
    """The frame of the triangle, its middle alone: weights that differ from equal ones by little."""
    low, high = CORNERS.mean(axis=0) - HALVES, CORNERS.mean(axis=0) + HALVES
    across, up = zip(low.tolist(), high.tolist(), strict=True)
    return replace(frame, xlim=across, ylim=up)


def in_middle(q: Sequence[float]) -> bool:
    """Whether weights (3,) are in the middle, rounding to hundredths aside."""
    away = abs(positions(np.array(q)) - CORNERS.mean(axis=0))
    return bool((away <= HALVES + HUNDREDTH).all())


def positions(q: np.ndarray) -> np.ndarray:
    """Positions (m, 2) of weights (m, 3)."""
    return np.asarray(q) @ CORNERS / np.sum(q, axis=-1, keepdims=True)


def weights_at(x: float, y: float) -> np.ndarray:
    """The weights (3,) at a position; some are negative outside the triangle."""
    return np.array([1 - x - y / 2, x - y / 2, y])


def net() -> Lines:
    """A net that shows each tenth of a weight."""
    lines = [[[1 - s, s, 0], [1 - s, 0, s], [np.nan] * 3] for s in np.arange(0.1, 0.95, 0.1)]
    ends = np.concatenate([np.roll(np.reshape(lines, (-1, 3)), turn, axis=1) for turn in range(3)])
    x, y = (ends @ CORNERS).T
    return Lines(name="net", x=x, y=y, color=style.tint(style.MUTED, 0.35), width=0.8)


def sides() -> Lines:
    x, y = CORNERS[[0, 1, 2, 0]].T
    return Lines(name="sides", x=x, y=y, color=style.INK, width=1.5)


def corners(class_names: Sequence[str]) -> tuple[Points, Annotations]:
    """The corners, marked as the points of their class are, and their names."""
    (x, y), (across, up) = CORNERS.T, BESIDE.T
    look: dict[str, Any] = {"palette": style.palette(3), "markers": style.markers(3), "size": 12.0}
    points = Points(name="corners", x=x, y=y, codes=np.arange(3, dtype=np.uint8), **look)
    return points, Annotations(name="corner_names", x=across, y=up, texts=tuple(class_names), align="center")


def towards(class_names: Sequence[str]) -> Annotations:
    """The names of the corners at the rim of the middle, each with an arrow to where its corner is."""
    x, y = (CORNERS.mean(axis=0) + TOWARDS * HALVES).T
    texts = tuple(arrow.format(name) for arrow, name in zip(ARROWS, class_names, strict=True))
    return Annotations(name="towards", x=x, y=y, texts=texts, align="center")


def handle(q: np.ndarray, class_names: Sequence[str], text: str = "q") -> Annotations:
    """Weights (3,) as a cross to drag, named by a ``text``."""
    x, y = positions(q)
    each = ", ".join(f"{name} {weight:.3g}" for name, weight in zip(class_names, q, strict=True))
    handles = (f"class weights {text}",)
    return Annotations(name="weights", x=x, y=y, texts=(text,), size=17, cross=18, handles=handles, spoken=(each,))


def landmarks(prior: np.ndarray) -> Points:
    """Equal weights, and the reciprocals of the classes' probabilities (3,), which make up for them."""
    inverse = np.divide(1, prior, out=np.zeros(3), where=prior > 0)
    x, y = positions(np.array([np.ones(3), inverse])).T
    palette, markers = (style.INK, style.CLASS_COLORS[3]), (style.MARKERS[0], style.MARKERS[3])
    look: dict[str, Any] = {"palette": palette, "markers": markers, "labels": ("equal", "1 / prior")}
    return Points(name="landmarks", x=x, y=y, codes=np.arange(2, dtype=np.uint8), size=10.0, **look)
