"""Lesson 01: a new tumor, and the votes of its few and of its many most similar earlier tumors, which differ."""

import numpy as np
from matplotlib.patches import Circle

from knnviz.lessons.openings import drawing
from knnviz.neighbors import NeighborTable
from knnviz.problems import Dataset, breast_cancer
from knnviz.views import style

#: How many vote: a few, and many; and how many of the few are right.
FEW, MANY, RIGHT_VOTES = 9, 101, 6

#: Half the width and height of the map, in units of the scaled features, and where names of circles stand.
MAP_REACH, UP_RIGHT = np.array([2.46, 1.87]), np.array([np.cos(1.0), np.sin(1.0)])

#: Where the votes stand, in inches; dots in a row of them, and the step from one to the next.
VOTES_LEFT, DOTS_PER_ROW, DOT_STEP = 5.35, 17, 0.235


def held_out() -> tuple[Dataset, NeighborTable]:
    """Tumors by two features of their cell nuclei, and the earlier ones nearest to each that is held out."""
    data = breast_cancer()
    return data, NeighborTable.build(data.X_train, data.X_test, k_max=MANY)


def new_tumor() -> int:
    """The first held-out tumor with six right votes among the few, and a wrong majority of the many."""
    data, table = held_out()
    right = data.y_train[table.indices] == data.y_test[:, None]
    return int(np.argmax((right[:, :FEW].sum(axis=1) == RIGHT_VOTES) & (2 * right.sum(axis=1) < MANY)))


def draw() -> tuple[drawing.Page, str]:
    """The earlier tumors with both circles around the new one; beside them the two votes."""
    (data, table), new = held_out(), new_tumor()
    page = drawing.Page()
    draw_map(page, data, data.X_test[new])
    near = data.y_train[table.indices[new]]
    few, many = (draw_votes(page, top, near[:k], data.class_names) for top, k in ((3.62, FEW), (2.42, MANY)))
    words = f"Earlier tumors by radius and texture of their cell nuclei, and two circles around a new one. {few} {many}"
    return page, words


def draw_map(page: drawing.Page, data: Dataset, x: np.ndarray) -> None:
    """Earlier tumors, those in the large circle stronger, and the circles around the new one."""
    ax = page.plane(0.35, 0.4, 4.6, 3.5)
    (left, right), (low, high) = zip(x - MAP_REACH, x + MAP_REACH, strict=True)
    ax.axis((left, right, low, high))
    distances = np.linalg.norm(data.X_train - x, axis=1)
    few, many = np.sort(distances)[[FEW - 1, MANY - 1]]
    for chosen, alpha in ((distances > many, 0.3), (distances <= many, 0.95)):
        drawing.dots(ax, data.X_train[chosen], data.y_train[chosen], 36, alpha=alpha)
    for radius, k in ((few, FEW), (many, MANY)):
        ax.add_patch(Circle(tuple(x), radius, fill=False, color=style.INK, linewidth=2.6))
        ax.annotate(f"{k} nearest", x + (radius + 0.06) * UP_RIGHT)
    ax.plot(*x, "*", color=style.INK, markeredgecolor=style.PAPER, markeredgewidth=1.2, markersize=20)
    ax.text(0.02, 0.97, "★ new tumor", va="top", transform=ax.transAxes)


def draw_votes(page: drawing.Page, top: float, near: np.ndarray, class_names: tuple[str, ...]) -> str:
    """Draw the majority of a vote, with a dot for each voter below it; return the same in words."""
    counts, at = np.bincount(near, minlength=2), np.arange(len(near))
    order = counts.argsort()[::-1]
    page.write(VOTES_LEFT, top, f"{len(near)} nearest:", 17)
    page.write(VOTES_LEFT + 1.65, top, class_names[order[0]], 17, weight="bold", color=drawing.WORD_COLORS[order[0]])
    x, y = VOTES_LEFT + 0.09 + DOT_STEP * (at % DOTS_PER_ROW), top - 0.3 - DOT_STEP * (at // DOTS_PER_ROW)
    drawing.dots(page.paper, np.column_stack([x, y]), np.repeat(order, counts[order]), 100)
    return f"Of the {len(near)} nearest, {' and '.join(f'{counts[c]} {class_names[c]}' for c in order)}."
