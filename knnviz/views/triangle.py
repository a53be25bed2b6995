"""The Triangle: weights of three classes as a point; at a corner one class has all the weight."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from knnviz.views import marks, style
from knnviz.views.layers import Annotations, Axes, Lines, Points

#: Corners of the triangle by class: left, right, top.
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]])

#: Limits of the panel, with room around the triangle for the names of its corners.
X_LIMITS, Y_LIMITS = (-0.225, 1.225), (-0.24, 1.16)

#: The middle of the triangle, on which the panel can zoom in: half its width and height.
MIDDLE_HALF_SIZE = 0.135 * np.array([X_LIMITS[1] - X_LIMITS[0], Y_LIMITS[1] - Y_LIMITS[0]])

#: Weights rounded to hundredths may lie this far outside the middle.
ROUNDING = 0.01

#: Positions of the names of the corners, where a cross on a corner does not cover them.
NAME_POSITIONS = CORNERS + [[0, -0.22], [0, -0.22], [0, 0.02]]

#: The middle shows no corner, but arrows to the corners with their names; positions in units of ``MIDDLE_HALF_SIZE``.
ARROW_POSITIONS, ARROWS = np.array([[-0.68, -0.96], [0.68, -0.96], [0, 0.84]]), ("↙ {}", "{} ↘", "↑ {}")


def axes() -> Axes:
    """A panel without a frame around the triangle, whose sides are equal if the panel is 1.2 times as wide as high."""
    return Axes("triangle", "Class weights", "", "", X_LIMITS, Y_LIMITS, bare=True)


def middle(whole: Axes) -> Axes:
    """The axes of the ``whole`` triangle, restricted to its middle, where weights are nearly equal."""
    low, high = CORNERS.mean(axis=0) - MIDDLE_HALF_SIZE, CORNERS.mean(axis=0) + MIDDLE_HALF_SIZE
    xlim, ylim = zip(low.tolist(), high.tolist(), strict=True)
    return replace(whole, xlim=xlim, ylim=ylim)


def in_middle(q: Sequence[float]) -> bool:
    """Whether weights (3,) are in the middle."""
    away = abs(positions(np.array(q)) - CORNERS.mean(axis=0))
    return bool((away <= MIDDLE_HALF_SIZE + ROUNDING).all())


def positions(q: np.ndarray) -> np.ndarray:
    """Positions (m, 2) of weights (m, 3)."""
    return np.asarray(q) @ CORNERS / np.sum(q, axis=-1, keepdims=True)


def weights_at(x: float, y: float) -> np.ndarray:
    """The weights (3,) at a position; some are negative outside the triangle."""
    return np.array([1 - x - y / 2, x - y / 2, y])


def grid_lines() -> Lines:
    """Lines at each tenth of a weight."""
    lines = [[[1 - s, s, 0], [1 - s, 0, s], [np.nan] * 3] for s in np.arange(0.1, 0.95, 0.1)]
    ends = np.concatenate([np.roll(np.reshape(lines, (-1, 3)), turn, axis=1) for turn in range(3)])
    x, y = (ends @ CORNERS).T
    return Lines(name="net", x=x, y=y, color=style.tint(style.MUTED, 0.35), width=0.8)


def sides() -> Lines:
    x, y = CORNERS[[0, 1, 2, 0]].T
    return Lines(name="sides", x=x, y=y, color=style.INK, width=1.5)


def corners(class_names: Sequence[str]) -> tuple[Points, Annotations]:
    """The corners, drawn as points of their class, and their names."""
    points = Points(
        name="corners",
        x=CORNERS[:, 0],
        y=CORNERS[:, 1],
        codes=np.arange(3, dtype=np.uint8),
        palette=style.palette(3),
        markers=style.markers(3),
        size=12.0,
    )
    x, y = NAME_POSITIONS.T
    return points, Annotations(name="corner_names", x=x, y=y, texts=tuple(class_names), align="center")


def corner_arrows(class_names: Sequence[str]) -> Annotations:
    """The names of the corners at the edge of the middle, each with an arrow to its corner."""
    x, y = (CORNERS.mean(axis=0) + ARROW_POSITIONS * MIDDLE_HALF_SIZE).T
    texts = tuple(arrow.format(name) for arrow, name in zip(ARROWS, class_names, strict=True))
    return Annotations(name="towards", x=x, y=y, texts=texts, align="center")


def handle(q: np.ndarray, class_names: Sequence[str], text: str = "q") -> Annotations:
    """Weights (3,) as a draggable cross, with a ``text`` beside it."""
    x, y = positions(q)
    spoken = ", ".join(f"{name} {weight:.3g}" for name, weight in zip(class_names, q, strict=True))
    return marks.draggable("weights", x, y, text, f"class weights {text}", spoken, size=17, cross=18)


def reference_weights(prior: np.ndarray) -> Points:
    """Equal weights, and weights inverse to the class probabilities ``prior`` (3,)."""
    inverse = np.divide(1, prior, out=np.zeros(3), where=prior > 0)
    x, y = positions(np.array([np.ones(3), inverse])).T
    return Points(
        name="landmarks",
        x=x,
        y=y,
        codes=np.arange(2, dtype=np.uint8),
        palette=(style.INK, style.CLASS_COLORS[3]),
        markers=(style.MARKERS[0], style.MARKERS[3]),
        labels=("equal", "1 / prior"),
        size=10.0,
    )
