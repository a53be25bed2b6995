"""Lesson 06: a pool of tumors, with labels bought at random and labels bought where a first vote
was close.
"""

from functools import partial

from knnviz.active.pool import N_FIRST, N_SECOND, is_close, purchase
from knnviz.lessons.openings import drawing
from knnviz.problems import breast_cancer
from knnviz.views import style

#: Where a cover begins, as a fraction of the width, and what it asks.
COVER = 0.52, "Where would you buy the 50 labels?"

CLOSE_COLOR = "#FBE3B0"


def draw() -> drawing.Drawn:
    """The pool twice, each time with the labels of a second round."""
    pool = breast_cancer()
    bought = purchase(pool)
    heads = (
        (0.45, f"{N_SECOND} labels bought at random"),
        (5.2, f"{N_SECOND} labels where a vote was close"),
    )
    page = drawing.Page(*heads)
    left, right = (page.plane(at, 0.4, 4.3, 3.18) for at, _ in heads)
    close_at = partial(is_close, pool, bought.first)
    drawing.shade(right, close_at, (style.PAPER, CLOSE_COLOR))
    for ax, second in ((left, bought.random), (right, bought.close)):
        ax.plot(*pool.X_train.T, "o", markersize=4, color="#BDBDBD", markeredgewidth=0, zorder=1)
        X = pool.X_train[second]
        drawing.dots(ax, X, pool.y_train[second], 64, edgecolor="white", linewidth=1)
    drawing.name_classes(left, (-2.0, 3.05), (2.2, -1.5))
    right.text(1.35, -2.1, "close vote", fontsize=16)
    right.text(1.6, 2.9, "all other tumors", fontsize=15, color=style.MUTED)
    near = close_at(pool.X_train[bought.random]).sum()
    return page, (
        f"A pool of {len(pool.X_train)} tumors by radius and texture, drawn twice. On the left "
        f"{N_SECOND} labels are bought at random, {near} of them where a first vote of {N_FIRST} "
        f"labels was close; on the right all {N_SECOND} are, along a band between benign and "
        "malignant tumors."
    )
