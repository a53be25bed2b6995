"""Lesson 06: a pool of tumors, with labels bought at random and labels bought where a first vote was close."""

from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from knnviz.active import vote
from knnviz.neighbors import NeighborTable
from knnviz.problems import Dataset, breast_cancer
from knnviz.profiles import VoteProfile
from knnviz.views import style

#: Labels of the first round and of the second; neighbors that vote; fewest and most votes of a close vote.
N_FIRST, N_SECOND, K, CLOSE_VOTES = 100, 50, 15, (4, 11)

#: What is drawn of the plane, and cells along a side of it.
X_LIMITS, Y_LIMITS, CELLS = (-2.2, 4.2), (-2.3, 3.7), 300

CLOSE_COLOR = "#FBE3B0"


class Purchase(NamedTuple):
    """Rows of a pool: a first round, and two second rounds, at random and where the first vote was close."""

    first: np.ndarray
    random: np.ndarray
    close: np.ndarray

    def errors(self, pool: Dataset) -> tuple[float, float, float]:
        """Fractions of held-out points that the vote gets wrong: first round alone, then with either second round."""
        seconds = (self.first[:0], self.random, self.close)
        first, random, close = (self._error(pool, np.concatenate([self.first, second])) for second in seconds)
        return first, random, close

    @staticmethod
    def _error(pool: Dataset, rows: np.ndarray) -> float:
        return float(np.mean(vote(pool.X_train[rows], pool.y_train[rows], pool.X_test, K) != pool.y_test))


def is_close(pool: Dataset, first: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Whether the vote of the first labels is close around points (m, d), (m,) bool."""
    table = NeighborTable.build(pool.X_train[first], points, K)
    votes = VoteProfile.count(table, pool.y_train[first], 2).at(K)[:, 1]
    return (votes >= CLOSE_VOTES[0]) & (votes <= CLOSE_VOTES[1])


def purchase(pool: Dataset, seed: int = 0) -> Purchase:
    """Labels bought from a pool in random order: the second round takes the next ones, or the next close ones."""
    order = np.random.default_rng(seed).permutation(len(pool.X_train))
    first, others = order[:N_FIRST], order[N_FIRST:]
    close = others[is_close(pool, first, pool.X_train[others])]
    return Purchase(first, others[:N_SECOND], close[:N_SECOND])


def draw() -> tuple[Figure, str]:
    """The pool twice, each time with the labels of a second round."""
    pool = breast_cancer()
    bought = purchase(pool)
    figure = Figure((9.6, 4.0))
    left, right = (figure.add_axes((0.045 + 0.485 * at, 0.1, 0.46, 0.78)) for at in range(2))
    _shade(right, pool, bought.first)
    for ax, second in ((left, bought.random), (right, bought.close)):
        _dots(ax, pool, second)
        ax.set(xticks=[], yticks=[], xlim=X_LIMITS, ylim=Y_LIMITS)
        ax.set_xlabel("radius", fontsize=14)
    left.set_title(f"{N_SECOND} labels bought at random", fontsize=16)
    right.set_title(f"{N_SECOND} labels where a vote was close", fontsize=16)
    left.set_ylabel("texture", fontsize=14)
    left.text(-0.75, 3.05, "benign", fontsize=16, color=style.class_color(0), ha="right")
    left.text(2.2, -1.5, "malignant", fontsize=16, color=style.class_color(1))
    right.text(1.35, -2.1, "close vote", fontsize=16)
    right.text(1.6, 2.9, "all other tumors", fontsize=15, color=style.MUTED)
    near = is_close(pool, bought.first, pool.X_train[bought.random]).sum()
    words = (
        f"A pool of {len(pool.X_train)} tumors by radius and texture, drawn twice. On the left {N_SECOND} labels are "
        f"bought at random, {near} of them where a first vote of {N_FIRST} labels was close; on the right all "
        f"{N_SECOND} are, along a band between benign and malignant tumors."
    )
    return figure, words


def _shade(ax: Axes, pool: Dataset, first: np.ndarray) -> None:
    x, y = np.linspace(*X_LIMITS, CELLS), np.linspace(*Y_LIMITS, CELLS)
    points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    ax.contourf(x, y, is_close(pool, first, points).reshape(CELLS, CELLS), levels=[0.5, 1.5], colors=[CLOSE_COLOR])


def _dots(ax: Axes, pool: Dataset, rows: np.ndarray) -> None:
    x, y = pool.X_train.T
    ax.scatter(x, y, s=16, color="#BDBDBD", linewidth=0)
    for code, marker in enumerate("os"):
        x, y = pool.X_train[rows[pool.y_train[rows] == code]].T
        ax.scatter(x, y, s=64, color=style.class_color(code), marker=marker, edgecolor="white", linewidth=1)
