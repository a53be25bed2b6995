"""Lesson 01: a new tumor, and the votes of its few and of its many most similar earlier tumors, which differ."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from knnviz.neighbors import NeighborTable
from knnviz.problems import Dataset, breast_cancer
from knnviz.views import style

#: How many vote: a few, and many; and how many of the few are right.
FEW, MANY, RIGHT_VOTES = 9, 101, 6

#: Sizes of the figure and of the map in inches, and units of the scaled features to an inch of the map.
SIZE, MAP_SIZE, UNITS_PER_INCH = (9.6, 4.0), np.array([4.6, 3.52]), 1.07

#: Where the votes stand, in inches; dots in a row of them, and the step from one to the next.
VOTES_LEFT, DOTS_PER_ROW, DOT_STEP = 5.35, 17, 0.235

#: Markers of the two classes, as on a map.
MARKERS = "os"


def held_out() -> tuple[Dataset, NeighborTable]:
    """Tumors by two features of their cell nuclei, and the earlier ones nearest to each that is held out."""
    data = breast_cancer()
    return data, NeighborTable.build(data.X_train, data.X_test, k_max=MANY, distances=True)


def new_tumor() -> int:
    """The first held-out tumor with six right votes among the few, and a wrong majority of the many."""
    data, table = held_out()
    right = data.y_train[table.indices] == data.y_test[:, None]
    return int(np.argmax((right[:, :FEW].sum(axis=1) == RIGHT_VOTES) & (2 * right.sum(axis=1) < MANY)))


def draw() -> tuple[Figure, str]:
    """The earlier tumors with both circles around the new one; beside them the two votes."""
    data, table = held_out()
    assert table.distances is not None
    new = new_tumor()
    figure = Figure(SIZE)
    draw_map(figure.add_axes((0.035, 0.1, *(MAP_SIZE / SIZE))), data, data.X_test[new], table.distances[new])
    votes = figure.add_axes((0, 0, 1, 1), frameon=False, xlim=(0, SIZE[0]), ylim=(0, SIZE[1]), xticks=[], yticks=[])
    near = data.y_train[table.indices[new]]
    few, many = (draw_votes(votes, top, near[:k], data.class_names) for top, k in ((3.62, FEW), (2.42, MANY)))
    words = f"Earlier tumors by radius and texture of their cell nuclei, and two circles around a new one. {few} {many}"
    return figure, words


def draw_map(ax: Axes, data: Dataset, x: np.ndarray, distances: np.ndarray) -> None:
    """Earlier tumors, those in the large circle stronger, and the circles around the new one."""
    radii = [float(distances[k - 1]) for k in (FEW, MANY)]
    inside = np.linalg.norm(data.X_train - x, axis=1) <= radii[1]
    for code, color in enumerate(style.palette(2)):
        for chosen, alpha in ((~inside, 0.3), (inside, 0.95)):
            points = data.X_train[(data.y_train == code) & chosen]
            ax.plot(*points.T, MARKERS[code], color=color, markersize=6, markeredgewidth=0, alpha=alpha)
    for radius, k in zip(radii, (FEW, MANY), strict=True):
        ax.add_patch(Circle(tuple(x), radius, fill=False, color=style.INK, linewidth=2.6))
        right, up = x + (radius + 0.06) * np.array([np.cos(1.0), np.sin(1.0)])
        ax.text(right, up, f"{k} nearest", fontsize=14)
    ax.plot(*x, "*", color=style.INK, markeredgecolor=style.PAPER, markeredgewidth=1.2, markersize=20)
    ax.text(0.02, 0.97, "★ new tumor", fontsize=14, va="top", transform=ax.transAxes)
    (left, low), (right, high) = x - MAP_SIZE * UNITS_PER_INCH / 2, x + MAP_SIZE * UNITS_PER_INCH / 2
    ax.set(xlim=(left, right), ylim=(low, high), xticks=[], yticks=[])
    ax.set_xlabel("radius of the cell nuclei →", fontsize=14, labelpad=5)
    ax.set_ylabel("texture →", fontsize=14, labelpad=5)


def draw_votes(ax: Axes, top: float, near: np.ndarray, class_names: tuple[str, ...]) -> str:
    """Draw the majority of a vote, with a dot for each voter below it; return the same in words."""
    counts, colors = np.bincount(near, minlength=2), style.palette(2)
    first = int(counts.argmax())
    start = ax.text(VOTES_LEFT, top, f"{len(near)} nearest: ", va="baseline", fontsize=17)
    after: dict[str, Any] = {"xycoords": start, "xytext": (6, 0), "textcoords": "offset points", "va": "bottom"}
    ax.annotate(class_names[first], (1, 0), color=colors[first], weight="bold", fontsize=17, **after)
    dot = 0
    for code in (first, 1 - first):
        at = np.arange(dot, dot + counts[code])
        x, y = VOTES_LEFT + 0.09 + DOT_STEP * (at % DOTS_PER_ROW), top - 0.3 - DOT_STEP * (at // DOTS_PER_ROW)
        ax.plot(x, y, MARKERS[code], color=colors[code], markersize=10, markeredgewidth=0)
        dot += counts[code]
    most, least = (f"{counts[code]} {class_names[code]}" for code in (first, 1 - first))
    return f"Of the {len(near)} nearest, {most} and {least}."
