"""The Triangle: weights of three classes as a point; at a corner one class has all the weight."""

from collections.abc import Sequence

import numpy as np

from knnviz.views import marks, style
from knnviz.views.layers import Annotations, Axes, Layer, Lines, Points
from knnviz.weights.search_trials import balanced

#: Corners of the triangle by class: left, right, top.
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]])

#: Limits of the panel, with room around the triangle for the names of its corners.
X_LIMITS = (-0.19, 1.19)
Y_LIMITS = (-0.165, 1.165)

#: How far the names of the corners are from these, beside the room that texts have.
AWAY = 0.04


def axes() -> Axes:
    """A panel without a frame around the triangle, whose sides are equal if the panel is 1.2 times
    as wide as high.
    """
    return Axes("triangle", "Class weights", "", "", X_LIMITS, Y_LIMITS, bare=True)


def positions(q: np.ndarray) -> np.ndarray:
    """Positions (m, 2) of weights (m, 3)."""
    totals = np.sum(q, axis=-1, keepdims=True)
    return np.asarray(q) @ CORNERS / totals


def weights_at(x: float | np.ndarray, y: float | np.ndarray) -> np.ndarray:
    """The weights (3,) at a position, or (3, ...) at several; some are negative outside the
    triangle.
    """
    return np.array([1 - x - y / 2, x - y / 2, y])


def frame(class_names: tuple[str, ...]) -> list[Layer]:
    """The sides, the corners as points of their class, and their names below and above them."""
    x, y = CORNERS.T
    return [
        Lines("sides", *CORNERS[[0, 1, 2, 0]].T, width=1.5),
        marks.of_classes("corners", x, y, np.arange(3), 3, size=12.0),
        Annotations("corner_names", x[:2], -AWAY, class_names[:2], align="below"),
        Annotations("top_name", x[2], 1 + AWAY, class_names[2:], align="center"),
    ]


def handle(q: np.ndarray, class_names: Sequence[str]) -> Annotations:
    """Weights (3,) as a draggable cross."""
    x, y = positions(q)
    both = zip(class_names, q, strict=True)
    spoken = ", ".join(f"{name} {weight:.3g}" for name, weight in both)
    named = "q", "class weights q", spoken
    return marks.draggable("weights", x, y, *named, pulls="xy", size=17, cross=18)


def reference_weights(prior: np.ndarray) -> Points:
    """Equal weights, and weights inverse to the class probabilities ``prior`` (3,)."""
    x, y = positions(np.array([np.ones(3), balanced(prior)])).T
    return marks.of_classes(
        "landmarks",
        x,
        y,
        np.arange(2),
        palette=(style.INK, style.CLASS_COLORS[3]),
        markers=(style.MARKERS[0], style.MARKERS[3]),
        labels=("equal", "balanced"),
        size=10.0,
    )
