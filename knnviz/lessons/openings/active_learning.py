"""Lesson 06: a pool of tumors, with labels bought at random and labels bought where a first vote
was close.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from knnviz.active import vote
from knnviz.lessons.openings import drawing
from knnviz.neighbors import NeighborTable
from knnviz.problems import Dataset, breast_cancer
from knnviz.views import style

#: Where a cover begins, as a fraction of the width, and what it asks.
COVER = 0.52, "Where would you buy the 50 labels?"

#: Labels of the first round and of the second; neighbors that vote; fewest and most votes of a
#: close vote.
N_FIRST = 100
N_SECOND = 50
K = 15
CLOSE_VOTES = (4, 11)

CLOSE_COLOR = "#FBE3B0"


class Purchase(NamedTuple):
    """Rows of a pool: a first round, and two second rounds, at random and where the first vote was
    close.
    """

    first: np.ndarray
    random: np.ndarray
    close: np.ndarray

    def errors(self, pool: Dataset, k: int = K) -> list[float]:
        """Fractions of held-out points that the vote of k gets wrong: first round alone, then with
        either second round.
        """
        errors = []
        for second in (self.first[:0], self.random, self.close):
            bought = np.append(self.first, second)
            predicted = vote(pool.X_train[bought], pool.y_train[bought], pool.X_test, k)
            errors.append(np.mean(predicted != pool.y_test))
        return errors


def is_close(pool: Dataset, first: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Whether the vote of the first labels is close around points (m, d), (m,) bool."""
    nearest = NeighborTable.build(pool.X_train[first], points, K).indices
    votes = pool.y_train[first][nearest].sum(axis=1)
    fewest, most = CLOSE_VOTES
    return (votes >= fewest) & (votes <= most)


def purchase(pool: Dataset, seed: int = 0, n_second: int = N_SECOND) -> Purchase:
    """Labels bought from a pool in random order: the second round takes the next ones, or the next
    close ones.
    """
    order = np.random.default_rng(seed).permutation(len(pool.X_train))
    first = order[:N_FIRST]
    others = order[N_FIRST:]
    close = others[is_close(pool, first, pool.X_train[others])]
    return Purchase(first, others[:n_second], close[:n_second])


def draw() -> tuple[drawing.Page, str]:
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
