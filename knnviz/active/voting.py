"""The modified classifier of Rittler & Chaudhuri: which labels vote in the hard region H, and elsewhere."""

import warnings
from typing import Literal, NamedTuple, Self

import numpy as np

from knnviz import checks
from knnviz.active.scheme import FROM_R
from knnviz.neighbors import NeighborTable, SpatialIndex
from knnviz.profiles import VoteProfile

#: Which labels vote in H: those of targeted draws, or those of all labeled points in H+.
Voters = Literal["strict", "inclusive"]
VOTERS: tuple[Voters, ...] = ("strict", "inclusive")


def region_voters(stage: np.ndarray, in_augmented: np.ndarray, voters: Voters) -> np.ndarray:
    """Which labeled points vote in H, (n,) bool: those of stage FROM_R, if "inclusive" also all that lie in H+.

    ``stage`` (n,) are stages, ``in_augmented`` (n,) bool is whether a point lies in H+. ValueError for other
    ``voters``.

    Source: Rittler & Chaudhuri, the modified classifier.

    Examples
    --------
    >>> from knnviz.active import FROM_P, FROM_R, ROUND1, region_voters
    >>> import numpy as np
    >>> stage, in_augmented = np.array([ROUND1, FROM_P, FROM_R]), np.array([False, True, True])
    >>> [region_voters(stage, in_augmented, voters).tolist() for voters in ("strict", "inclusive")]
    [[False, False, True], [False, True, True]]
    """
    if voters not in VOTERS:
        raise ValueError(f"voters must be one of {', '.join(map(repr, VOTERS))}, got {voters!r}")
    targeted = np.asarray(stage) == FROM_R
    return targeted | in_augmented if voters == "inclusive" else targeted


def two_stage_labels(
    X: np.ndarray,
    y: np.ndarray,
    stage: np.ndarray,
    hard_voters: np.ndarray,
    queries: np.ndarray,
    hard: np.ndarray,
    k: int,
) -> np.ndarray:
    """Predictions (Q,) uint8 of the two-round vote at queries (Q, d), of which ``hard`` (Q,) bool lie in H.

    In H the k nearest of the ``hard_voters`` (n,) bool among the points X (n, d) vote. Elsewhere those vote that are
    not of stage FROM_R in ``stage`` (n,). If they are fewer than k, all of them vote; without any, class 1 is
    predicted, with a RuntimeWarning. A tie gives class 1. Source: Rittler & Chaudhuri, the modified classifier.

    Examples
    --------
    >>> from knnviz.active import FROM_R, ROUND1, two_stage_labels
    >>> import numpy as np
    >>> X, y, stage = np.arange(4.0)[:, None], np.array([0, 0, 1, 1]), np.array([ROUND1, ROUND1, FROM_R, FROM_R])
    >>> queries, hard = np.array([[1.5], [1.5]]), np.array([True, False])
    >>> two_stage_labels(X, y, stage, stage == FROM_R, queries, hard, k=2).tolist()
    [1, 0]
    """
    in_hard, elsewhere = LabeledPoints.of(X, y, hard_voters), LabeledPoints.of(X, y, stage != FROM_R)
    votes = two_stage_votes(in_hard, elsewhere, queries, hard, k)
    for where, inside in (("in H", hard), ("outside H", ~hard)):
        if inside.any() and not votes[inside].any():
            warnings.warn(f"nobody votes {where}: class 1 is predicted there", RuntimeWarning, stacklevel=2)
    return majority(votes)


class LabeledPoints(NamedTuple):
    """An index of labeled points, None if there are none, and their classes y (n,)."""

    search_index: SpatialIndex | None
    y: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray, y: np.ndarray, chosen: np.ndarray) -> Self:
        """Those of the points X (n, d) with classes y (n,) that are ``chosen`` (n,) bool."""
        return cls(SpatialIndex.of(X[chosen]) if chosen.any() else None, y[chosen])

    def votes(self, queries: np.ndarray, k: int) -> np.ndarray:
        """Votes (Q, 2) int of the k nearest of queries (Q, d), of all points if they are fewer."""
        k = min(checks.check_int("k", k, 1), len(self.y))
        if self.search_index is None or not len(queries):
            return np.zeros((len(queries), 2), int)
        return VoteProfile.count(NeighborTable.build(self.search_index, queries, k), self.y, 2).at(k).astype(int)


def two_stage_votes(
    in_hard: LabeledPoints, elsewhere: LabeledPoints, queries: np.ndarray, hard: np.ndarray, k: int
) -> np.ndarray:
    """Votes (Q, 2) int of the k nearest voters, which are ``in_hard`` where ``hard`` (Q,) bool, else ``elsewhere``."""
    votes = np.empty((len(queries), 2), int)
    votes[hard], votes[~hard] = in_hard.votes(queries[hard], k), elsewhere.votes(queries[~hard], k)
    return votes


def majority(votes: np.ndarray) -> np.ndarray:
    """The class (Q,) uint8 with most of the votes (Q, 2): class 1 on a tie, and without votes."""
    return (votes[:, 1] >= votes[:, 0]).astype(np.uint8)


def vote(X: np.ndarray, y: np.ndarray, queries: np.ndarray, k: int) -> np.ndarray:
    """Majority (Q,) uint8 of the k nearest of labeled points X (n, d), of all of them if they are fewer.

    Examples
    --------
    >>> from knnviz.active import vote
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    >>> vote(X, y, queries=np.array([[0.4], [2.9]]), k=3).tolist()
    [0, 1]
    """
    return majority(LabeledPoints(SpatialIndex.of(X), y).votes(queries, k))
