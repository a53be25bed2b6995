"""The classifier of two rounds: in the hard region H labels bought in H+ vote, elsewhere those of
random points.

The k nearest voters vote, and all of them if they are fewer. A tie gives class 1, and so do no
votes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Literal, Self

import numpy as np

from knnviz import kernels
from knnviz.active.scheme import FROM_R
from knnviz.checks import check_codes, check_int, check_points
from knnviz.neighbors import NeighborTable, SpatialIndex
from knnviz.profiles import VoteProfile

#: Which labels vote in H: those of targeted draws, or those of all labeled points in H+.
VoterKind = Literal["strict", "inclusive"]
VOTERS: tuple[VoterKind, ...] = ("strict", "inclusive")

#: A new table holds this many times the neighbors needed, so that it also serves a larger k.
HEADROOM = 1.5


def region_voters(stage: np.ndarray, in_augmented: np.ndarray, kind: VoterKind) -> np.ndarray:
    """Which labels vote in H, (n,) bool: of stage FROM_R, if "inclusive" also all that lie in H+.

    ``stage`` (n,) are stages, ``in_augmented`` (n,) bool is whether a point lies in H+. Source:
    Rittler & Chaudhuri, the modified classifier.
    """
    targeted = stage == FROM_R
    if kind == "inclusive":
        return targeted | in_augmented
    return targeted


@dataclass(frozen=True, eq=False)
class Voters:
    """Labeled points that vote, in the order they were bought.

    An index of them, their classes y (v,), and how many of them are among the first 0 to N labels,
    (N + 1,), of all N bought.
    """

    search_index: SpatialIndex
    y: np.ndarray
    n_among_first: np.ndarray

    @classmethod
    def from_points(cls, X: np.ndarray, y: np.ndarray, chosen: np.ndarray) -> Self:
        """Those of the points X (n, d) with classes y (n,) that are ``chosen`` (n,) bool."""
        n_among_first = np.append(0, np.cumsum(chosen))
        return cls(SpatialIndex(X[chosen]), y[chosen].astype(np.uint8), n_among_first)

    @cached_property
    def order(self) -> np.ndarray:
        """Indices (v,) of the points, ascending in their first coordinate."""
        return np.argsort(self.search_index.X[:, 0])


def two_round_voters(
    X: np.ndarray, y: np.ndarray, stage: np.ndarray, in_augmented: np.ndarray, kind: VoterKind
) -> tuple[Voters, Voters]:
    """The points that vote in H, those of ``region_voters``, and those that vote elsewhere: no
    targeted draws.
    """
    in_hard = region_voters(stage, in_augmented, kind)
    return Voters.from_points(X, y, in_hard), Voters.from_points(X, y, stage != FROM_R)


@dataclass(eq=False)
class IncrementalVotes:
    """Votes of the nearest voters at queries (Q, d), when all or only the first labels have been
    bought.

    Neighbors that were searched for are stored. Safe to call from several threads, which may repeat
    a search.
    """

    voters: Voters
    queries: np.ndarray
    _table: NeighborTable | None = None

    def votes(self, k: int, totals: Sequence[int] | np.ndarray) -> np.ndarray:
        """Votes (J, Q, 2) for both classes, of the k nearest voters among the first ``totals`` (J,)
        labels.
        """
        voters = self.voters
        counts = voters.n_among_first[totals]
        ones = np.zeros((len(counts), len(self.queries)), np.int64)
        for count, each in zip(counts.tolist(), ones, strict=True):
            if count and each.size:
                self._count(count, min(k, count), each)
        zeros = np.minimum(counts, k)[:, None] - ones
        return np.stack([zeros, ones], axis=-1)

    def _count(self, count: int, k: int, ones: np.ndarray) -> None:
        """Fill ones (Q,) with votes for class 1 of the k nearest of the first ``count`` voters."""
        search_index = self.voters.search_index
        y = self.voters.y
        table = self._table
        # Where only the first points vote, others among the neighbors are skipped.
        needed = k if count == len(y) else 2 * k
        if table is None or table.k_max < min(needed, len(y)):
            k_max = min(ceil(HEADROOM * needed), len(y))
            table = NeighborTable.build(search_index, self.queries, k_max)
            self._table = table
        kernels.votes_of_first(table.indices, y, count, k, ones)
        # -1 where the table holds fewer than k of these points.
        short = np.flatnonzero(ones < 0)
        if len(short):
            nearest = NeighborTable.build(search_index.X[:count], self.queries[short], k)
            ones[short] = y[nearest.indices].sum(axis=1)


class TwoStageVotes:
    """Votes at queries (Q, d), of which ``hard`` (Q,) bool lie in H: there ``in_hard`` vote, else
    ``elsewhere``.

    Source: Rittler & Chaudhuri, the modified classifier.
    """

    def __init__(
        self, in_hard: Voters, elsewhere: Voters, queries: np.ndarray, hard: np.ndarray
    ) -> None:
        self._parts = [
            (hard, IncrementalVotes(in_hard, queries[hard])),
            (~hard, IncrementalVotes(elsewhere, queries[~hard])),
        ]

    def votes(self, k: int, totals: Sequence[int] | np.ndarray) -> np.ndarray:
        """Votes (J, Q, 2) for both classes, of the k nearest voters among the first ``totals`` (J,)
        labels.
        """
        hard, _ = self._parts[0]
        votes = np.empty((len(totals), len(hard), 2), np.int64)
        for where, part in self._parts:
            votes[:, where] = part.votes(k, totals)
        return votes


def majority(votes: np.ndarray) -> np.ndarray:
    """The class (...) uint8 with most of the votes (..., 2): 1 on a tie, and without votes."""
    return (votes[..., 1] >= votes[..., 0]).astype(np.uint8)


def vote(X: np.ndarray, y: np.ndarray, queries: np.ndarray, k: int) -> np.ndarray:
    """Majority (Q,) uint8 of the k nearest of points X (n, d) with classes y, 0 or 1; of all if
    they are fewer.

    A tie gives class 1.

    Examples
    --------
    >>> from knnviz.active import vote
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    >>> vote(X, y, queries=np.array([[0.4], [2.9]]), k=3).tolist()
    [0, 1]
    """
    X = check_points("X", X)
    y = check_codes("y", y, len(X), 2)
    queries = check_points("queries", queries, X.shape[1])
    k = min(check_int("k", k, 1), len(X))
    table = NeighborTable.build(X, queries, k)
    return majority(VoteProfile.build(table, y, 2).at(k))
