"""The vote after two rounds: in H by labels of targeted draws, elsewhere by all others (Rittler & Chaudhuri)."""

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


def region_voters(stage: np.ndarray, within: np.ndarray, voters: Voters) -> np.ndarray:
    """Which labeled points vote in H, (n,) bool: those of stage FROM_R, if "inclusive" also those ``within`` H+ (n,).

    ValueError for other ``voters``.

    Source: Rittler & Chaudhuri, the modified classifier.

    Examples
    --------
    >>> from knnviz.active import FROM_P, FROM_R, ROUND1, region_voters
    >>> import numpy as np
    >>> stage, within = np.array([ROUND1, FROM_P, FROM_R]), np.array([False, True, True])
    >>> [region_voters(stage, within, voters).tolist() for voters in ("strict", "inclusive")]
    [[False, False, True], [False, True, True]]
    """
    if voters not in VOTERS:
        raise ValueError(f"voters must be one of {', '.join(map(repr, VOTERS))}, got {voters!r}")
    targeted = np.asarray(stage) == FROM_R
    return targeted | within if voters == "inclusive" else targeted


def two_stage_labels(
    X: np.ndarray,
    y: np.ndarray,
    stage: np.ndarray,
    in_region: np.ndarray,
    queries: np.ndarray,
    hard: np.ndarray,
    k: int,
) -> np.ndarray:
    """Predictions (m,) uint8 of the two-round vote at queries (m, d), of which ``hard`` (m,) bool lie in H.

    In H the k nearest of the points X (n, d) with ``in_region`` (n,) vote, elsewhere the k nearest that are not of
    stage FROM_R in ``stage`` (n,). If they are fewer than k, all of them vote; without any, class 1 is predicted, with
    a RuntimeWarning. A tie gives class 1. Source: Rittler & Chaudhuri, the modified classifier.

    Examples
    --------
    >>> from knnviz.active import FROM_R, ROUND1, two_stage_labels
    >>> import numpy as np
    >>> X, y, stage = np.arange(4.0)[:, None], np.array([0, 0, 1, 1]), np.array([ROUND1, ROUND1, FROM_R, FROM_R])
    >>> queries, hard = np.array([[1.5], [1.5]]), np.array([True, False])
    >>> two_stage_labels(X, y, stage, stage == FROM_R, queries, hard, k=2).tolist()
    [1, 0]
    """
    votes = two_stage_votes(Group.of(X, y, in_region), Group.of(X, y, stage != FROM_R), queries, hard, k)
    for where, inside in (("in H", hard), ("outside H", ~hard)):
        if inside.any() and not votes[inside].any():
            warnings.warn(f"nobody votes {where}: class 1 is predicted there", RuntimeWarning, stacklevel=2)
    return majority(votes)


class Group(NamedTuple):
    """Labeled points that may vote: an index of the points, None if there are none, and their classes y (n,)."""

    points: SpatialIndex | None
    y: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray, y: np.ndarray, chosen: np.ndarray) -> Self:
        """Those of the points X (n, d) with classes y (n,) that are ``chosen`` (n,) bool."""
        return cls(SpatialIndex.of(X[chosen]) if chosen.any() else None, y[chosen])

    def votes(self, queries: np.ndarray, k: int) -> np.ndarray:
        """Votes (m, 2) int of the k nearest of queries (m, d), of all points if they are fewer."""
        k = min(checks.check_int("k", k, 1), len(self.y))
        if self.points is None or not len(queries):
            return np.zeros((len(queries), 2), int)
        return VoteProfile.count(NeighborTable.build(self.points, queries, k), self.y, 2).at(k).astype(int)


def two_stage_votes(inner: Group, outer: Group, queries: np.ndarray, hard: np.ndarray, k: int) -> np.ndarray:
    """Votes (m, 2) int of the k nearest: of ``inner`` where ``hard`` (m,) bool, elsewhere of ``outer``."""
    if inner is outer:
        return outer.votes(queries, k)
    votes = np.empty((len(queries), 2), int)
    votes[hard], votes[~hard] = inner.votes(queries[hard], k), outer.votes(queries[~hard], k)
    return votes


def majority(votes: np.ndarray) -> np.ndarray:
    """The class (m,) uint8 with most of the votes (m, 2): class 1 on a tie, and without votes."""
    return (votes[:, 1] >= votes[:, 0]).astype(np.uint8)


def vote(X: np.ndarray, y: np.ndarray, queries: np.ndarray, k: int) -> np.ndarray:
    """Majority (m,) uint8 of the k nearest of labeled points X (n, d), of all of them if they are fewer.

    Examples
    --------
    >>> from knnviz.active import vote
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    >>> vote(X, y, queries=np.array([[0.4], [2.9]]), k=3).tolist()
    [0, 1]
    """
    return majority(Group(SpatialIndex.of(X), y).votes(queries, k))
