"""Errors of kNN and RkNN for every k and k' at once: one of k + 1 numbers of votes is all that a query tells."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from knnviz import noise
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile
from knnviz.reproduce.gao.draws import Variant
from knnviz.rules import Robust, Rule, Vote


@dataclass(frozen=True)
class EveryCount:
    """Votes (k + 1, 2) of as many queries, of which the i-th has i of k votes for class 1."""

    n_classes: ClassVar[int] = 2
    from_bags: ClassVar[bool] = False

    votes: np.ndarray

    @classmethod
    def of(cls, k: int) -> Self:
        ones = np.arange(k + 1)
        return cls(np.stack([k - ones, ones], axis=1))

    def at(self, k: int) -> np.ndarray:
        return self.votes

    def closed(self, k: int) -> np.ndarray:
        return self.votes


def grid_errors(
    train: NeighborTable,
    queries: NeighborTable,
    observed: np.ndarray,
    truth: np.ndarray,
    ks: Sequence[int],
    variant: Variant,
) -> np.ndarray:
    """How many queries (1 + k', k) kNN, in the first row, and RkNN with each k' get wrong; ``ks`` are k and k'.

    ``train`` holds the neighbors of the training points among themselves, ``queries`` those of m queries among them;
    ``observed`` (n,) are the labels of the training points, ``truth`` (m,) those that the queries are scored on.
    """
    smoothed = VoteProfile.count(train, observed, 2, [k + 1 for k in ks])
    robust = [Robust(noise.estimate(smoothed, observed, k), variant=variant) for k in ks]
    votes = VoteProfile.count(queries, observed, 2, ks)
    return np.stack([_errors(votes.at(k)[:, 1], truth, k, [Vote(), *robust]) for k in ks], axis=1)


def _errors(ones: np.ndarray, truth: np.ndarray, k: int, rules: Sequence[Rule]) -> np.ndarray:
    """Errors (rules,) on queries of classes (m,) with as many of k votes (m,) for class 1."""
    zeros_at, ones_at = (np.bincount(ones[truth == label], minlength=k + 1) for label in (0, 1))
    every = EveryCount.of(k)
    labels = np.array([rule.predict(every, k) for rule in rules]).astype(np.int64)
    return labels @ zeros_at + (1 - labels) @ ones_at
