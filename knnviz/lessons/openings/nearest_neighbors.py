"""Lesson 01: a new tumor, and the votes of its few and of its many most similar earlier tumors,
which differ.
"""

import numpy as np
from matplotlib.patches import Circle

from knnviz.lessons.openings import drawing
from knnviz.neighbors import NeighborTable
from knnviz.problems import breast_cancer
from knnviz.views import style

#: How many vote: a few, and many; and how many of the few are right.
FEW = 9
MANY = 101
RIGHT_VOTES = 6

#: From the new tumor to the sides of the map, in units of the scaled features, and to names of
#: circles.
X_REACH = np.array([-2.46, 2.46])
Y_REACH = np.array([-1.87, 1.87])
UP_RIGHT = np.array([np.cos(1.0), np.sin(1.0)])

#: Where the votes stand, in inches; dots in a row of them, and the step from one to the next.
VOTES_LEFT = 5.35
DOTS_PER_ROW = 17
DOT_STEP = 0.235


def new_tumor() -> int:
    """The first held-out tumor with six right votes among the few, and a wrong majority of the
    many.
    """
    data = breast_cancer()
    nearest = NeighborTable.build(data.X_train, data.X_test, k_max=MANY).indices
    right = data.y_train[nearest] == data.y_test[:, None]
    return int(
        np.argmax((right[:, :FEW].sum(axis=1) == RIGHT_VOTES) & (2 * right.sum(axis=1) < MANY))
    )


def draw() -> tuple[drawing.Page, str]:
    """The earlier tumors with both circles around the new one, and the two votes."""
    data = breast_cancer()
    page = drawing.Page()
    x = data.X_test[new_tumor()]
    distances = np.linalg.norm(data.X_train - x, axis=1)
    nearest = distances.argsort()[:MANY]
    small, large = distances[nearest[[FEW - 1, MANY - 1]]]
    ax = page.plane(0.35, 0.4, 4.6, 3.5)
    ax.set(xlim=x[0] + X_REACH, ylim=x[1] + Y_REACH)
    for chosen, alpha in ((distances > large, 0.3), (distances <= large, 0.95)):
        drawing.dots(ax, data.X_train[chosen], data.y_train[chosen], 36, alpha=alpha)
    for radius, k in ((small, FEW), (large, MANY)):
        ax.add_patch(Circle(tuple(x), radius, fill=False, color=style.INK, linewidth=2.6))
        ax.annotate(f"{k} nearest", x + (radius + 0.06) * UP_RIGHT)
    ax.plot(
        *x, "*", color=style.INK, markeredgecolor=style.PAPER, markeredgewidth=1.2, markersize=20
    )
    ax.text(0.02, 0.97, "★ new tumor", va="top", transform=ax.transAxes)
    few, many = (
        draw_votes(page, top, data.y_train[nearest[:k]]) for top, k in ((3.62, FEW), (2.42, MANY))
    )
    return (
        page,
        "Tumors by radius and texture of their cell nuclei, and two circles around a new one. "
        f"{few} {many}",
    )


def draw_votes(page: drawing.Page, top: float, near: np.ndarray) -> str:
    """Draw the majority of a vote, with a dot for each voter below it; return the same in words."""
    counts = np.bincount(near, minlength=2)
    at = np.arange(len(near))
    order = counts.argsort()[::-1]
    page.write(VOTES_LEFT, top, f"{len(near)} nearest:", 17)
    page.write(
        VOTES_LEFT + 1.65,
        top,
        drawing.NAMES[order[0]],
        17,
        weight="bold",
        color=drawing.WORD_COLORS[order[0]],
    )
    x = VOTES_LEFT + 0.09 + DOT_STEP * (at % DOTS_PER_ROW)
    y = top - 0.3 - DOT_STEP * (at // DOTS_PER_ROW)
    drawing.dots(page.paper, np.column_stack([x, y]), np.repeat(order, counts[order]), 100)
    return (
        f"Of the {len(near)} nearest, "
        f"{' and '.join(f'{counts[c]} {drawing.NAMES[c]}' for c in order)}."
    )
