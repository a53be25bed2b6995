"""Lesson 01: a new tumor, and the votes of its few and of its many most similar earlier tumors,
which differ.
"""

import numpy as np
from matplotlib.patches import Circle

from knnviz.lessons.openings import drawing
from knnviz.neighbors import NeighborTable
from knnviz.problems import breast_cancer
from knnviz.views import style

#: Where a cover begins, as a fraction of the width, and what it asks.
COVER = 0.53, "How do the 9 nearest vote? And the 101?"

#: How many vote: a few, and many; and how many of the few are right.
FEW = 9
MANY = 101
RIGHT_VOTES = 6

#: From the new tumor to the sides of the map, in units of the scaled features, and to names of
#: circles.
REACH = np.array([2.46, 1.87])
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
    few_right = right[:, :FEW].sum(axis=1) == RIGHT_VOTES
    many_wrong = 2 * right.sum(axis=1) < MANY
    return int(np.argmax(few_right & many_wrong))


def draw() -> drawing.Drawn:
    """The earlier tumors with both circles around the new one, and the two votes."""
    data = breast_cancer()
    page = drawing.Page()
    x = data.X_test[new_tumor()]
    distances = np.linalg.norm(data.X_train - x, axis=1)
    nearest = distances.argsort()[:MANY]

    ax = page.plane(0.35, 0.4, 4.6, 3.5)
    xlim, ylim = np.transpose([x - REACH, x + REACH])
    ax.set(xlim=xlim, ylim=ylim)
    is_near = distances <= distances[nearest[-1]]
    for chosen, alpha in ((~is_near, 0.3), (is_near, 0.95)):
        drawing.dots(ax, data.X_train[chosen], data.y_train[chosen], 36, alpha=alpha)
    for k in (FEW, MANY):
        radius = distances[nearest[k - 1]]
        circle = Circle(tuple(x), radius, fill=False, color=style.INK, linewidth=2.6)
        ax.add_patch(circle)
        ax.annotate(f"{k} nearest", x + (radius + 0.06) * UP_RIGHT)
    ax.plot(*x, "*", color=style.INK, markersize=20, markeredgecolor=style.PAPER, mew=1.2)
    ax.text(0.02, 0.97, "★ new tumor", va="top", transform=ax.transAxes)

    few = draw_votes(page, 3.62, data.y_train[nearest[:FEW]])
    many = draw_votes(page, 2.42, data.y_train[nearest])
    return (
        page,
        "Tumors by radius and texture of their cell nuclei, and two circles around a new one. "
        f"{few} {many}",
    )


def draw_votes(page: drawing.Page, top: float, near: np.ndarray) -> str:
    """Draw the majority of a vote, with a dot for each voter below it; return the same in words."""
    counts = np.bincount(near, minlength=2)
    order = counts.argsort()[::-1]
    winner = order[0]
    page.write(VOTES_LEFT, top, f"{len(near)} nearest:", 17)
    color = drawing.WORD_COLORS[winner]
    page.write(VOTES_LEFT + 1.65, top, drawing.NAMES[winner], 17, weight="bold", color=color)

    at = np.arange(len(near))
    x = VOTES_LEFT + 0.09 + DOT_STEP * (at % DOTS_PER_ROW)
    y = top - 0.3 - DOT_STEP * (at // DOTS_PER_ROW)
    voters = np.repeat(order, counts[order])
    drawing.dots(page.paper, np.column_stack([x, y]), voters, 100)
    both = " and ".join(f"{counts[c]} {drawing.NAMES[c]}" for c in order)
    return f"Of the {len(near)} nearest, {both}."
