"""Errors of kNN and RkNN for every k and k' at once: a prediction depends on a count of votes, one of k + 1."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from knnviz import noise
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile
from knnviz.rules import Robust, Rule, Vote
from knnviz_papers.gao.draws import Variant


@dataclass(frozen=True)
class AllVoteCounts:
    """A profile of the k + 1 possible votes (k + 1, 2), without tied distances: row i has i of k votes for class 1."""

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
    scored: np.ndarray,
    ks: Sequence[int],
    variant: Variant,
) -> np.ndarray:
    """Error counts (1 + len(ks), len(ks)): row 0 is kNN, row 1 + i is RkNN with k' = ks[i]; columns are k.

    ``train`` holds the neighbors of the training points among themselves, ``queries`` those of m queries among them;
    ``observed`` (n,) are the labels of the training points, ``scored`` (m,) those that the queries are scored on.
    """
    training_votes = VoteProfile.count(train, observed, 2, [k + 1 for k in ks])
    robust = [Robust(noise.estimate(training_votes, observed, k), variant=variant) for k in ks]
    votes = VoteProfile.count(queries, observed, 2, ks)
    return np.stack([_errors(votes.at(k)[:, 1], scored, k, [Vote(), *robust]) for k in ks], axis=1)


def _errors(ones: np.ndarray, scored: np.ndarray, k: int, rules: Sequence[Rule]) -> np.ndarray:
    """Errors (rules,) on queries of scored labels (m,) with ``ones`` (m,) of k votes for class 1."""
    zeros_at, ones_at = (np.bincount(ones[scored == label], minlength=k + 1) for label in (0, 1))
    every = AllVoteCounts.of(k)
    labels = np.array([rule.predict(every, k) for rule in rules]).astype(np.int64)
    return labels @ zeros_at + (1 - labels) @ ones_at
