"""Fifty labels of a pool, bought at random or where a first vote was close."""

from typing import NamedTuple

import numpy as np

from knnviz.active.voting import vote
from knnviz.neighbors import NeighborTable
from knnviz.problems import Dataset

#: Labels of the first round and of the second; neighbors that vote; how many votes of class 1 make
#: a vote close.
N_FIRST = 100
N_SECOND = 50
K = 15
CLOSE_VOTES = range(4, 12)


class Purchase(NamedTuple):
    """Rows of a pool: a first round, and two second rounds, at random and where the first vote was
    close.
    """

    first: np.ndarray
    random: np.ndarray
    close: np.ndarray

    def errors(self, pool: Dataset, second: np.ndarray, k: int) -> int:
        """How many held-out points the vote of k gets wrong, with the first round and another."""
        bought = np.append(self.first, second)
        predicted = vote(pool.X_train[bought], pool.y_train[bought], pool.X_test, k)
        return int(np.sum(predicted != pool.y_test))


def is_close(pool: Dataset, first: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Whether the vote of the first labels is close around points (m, d), (m,) bool."""
    nearest = NeighborTable.build(pool.X_train[first], points, K).indices
    votes = pool.y_train[first][nearest].sum(axis=1)
    return np.isin(votes, CLOSE_VOTES)


def purchase(pool: Dataset, seed: int = 0) -> Purchase:
    """Labels bought from a pool in random order: the second round takes the next ones, or the next
    close ones.
    """
    order = np.random.default_rng(seed).permutation(len(pool.X_train))
    first = order[:N_FIRST]
    others = order[N_FIRST:]
    close = others[is_close(pool, first, pool.X_train[others])]
    return Purchase(first, others[:N_SECOND], close[:N_SECOND])
