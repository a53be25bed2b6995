"""Noise rates from the extremes of smoothed training labels."""

from fractions import Fraction
from typing import Literal, NamedTuple, Self

import numpy as np

from knnviz import checks
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile, training_votes
from knnviz.windows import Windows

#: Which labels smooth that of a training point: its own and those of the k' nearest others, or those of the k' + 1
#: nearest points in order. They differ only where points coincide.
Smoothing = Literal["own", "order"]
SMOOTHINGS = ("own", "order")


class Rates(NamedTuple):
    """Estimated flip rates p0 and p1, shares of votes; together at most 1.

    Source: Gao et al., Algorithm 1.
    """

    p0: Fraction
    p1: Fraction

    @classmethod
    def read(cls, ones: np.ndarray, k_noise: int) -> Self:
        """p0 is the smallest share among smoothed labels (n,), counts among k' + 1; p1 is 1 - the largest."""
        shares = k_noise + 1
        return cls(Fraction(int(ones.min()), shares), 1 - Fraction(int(ones.max()), shares))

    def check(self) -> None:
        """Raise ValueError unless both are at least 0 and their sum is at most 1."""
        if min(self) < 0 or sum(self) > 1:
            raise ValueError(f"estimated rates must be at least 0 and sum to at most 1, got {self.p0} and {self.p1}")

    @property
    def cut(self) -> Fraction:
        """(1 + p0 - p1) / 2, the midrange of the smoothed labels; 1/2 where these are all equal."""
        return Fraction(1, 2) if self.degenerate else (1 + self.p0 - self.p1) / 2

    @property
    def degenerate(self) -> bool:
        """Whether all smoothed labels are equal, so that they tell nothing of the noise."""
        return self.p0 + self.p1 == 1


def smoothed(
    train: NeighborTable | Windows | VoteProfile,
    observed: np.ndarray,
    k_noise: int,
    votes: Smoothing = "own",
) -> np.ndarray:
    """How many of k' + 1 labels (n,) int are of class 1: those of a training point and of k' of its neighbors.

    Parameters
    ----------
    train : NeighborTable, Windows or VoteProfile
        The training points among themselves, a row for each, k' + 1 neighbors at least; or the votes of these labels
        counted over them.
    observed : (n,) array
        Their class codes, 0 or 1.
    k_noise : int
        k', at least 1 and at most n - 1.
    votes : "own" or "order"
        The point's own label and the k' nearest *others*, or the first k' + 1 of the table, in the order of (distance,
        index): there points that coincide can push one of them out of its own list.

    Raises
    ------
    ValueError
        For k' out of range, labels that do not fit, and another ``votes``.

    Source: Gao et al., Algorithm 1; Reeve & Kaban, Algorithm 2.
    """
    if votes not in SMOOTHINGS:
        raise ValueError(f"votes must be 'own' or 'order', got {votes!r}")
    table = train.table if isinstance(train, VoteProfile) else train
    if isinstance(table, NeighborTable) and len(table) != table.n:
        raise ValueError(f"noise is read at the training points, but the table has {len(table)} rows for {table.n}")
    observed = checks.codes("labels", observed, table.n, 2)
    if checks.whole("k_noise", k_noise, 1) >= table.n:
        raise ValueError(f"k_noise must be below the number of points, got {k_noise} with n = {table.n}")
    ones = training_votes(train, observed, 2).at(k_noise + 1)[:, 1].astype(np.int64)
    late = _pushed_out(table, k_noise) if votes == "own" else ()
    if len(late):
        # Their own label stands in for that of the last neighbor.
        ones[late] += observed[late].astype(np.int64) - observed[table.indices[late, k_noise]]
    return ones


def _pushed_out(train: NeighborTable | Windows, k_noise: int) -> np.ndarray:
    """Training points that are not among their own k' + 1 nearest; on a line of distinct points there are none."""
    if isinstance(train, Windows):
        return np.empty(0, int)
    late = np.flatnonzero(train.indices[:, 0] != np.arange(len(train)))
    return late[(train.indices[late, : k_noise + 1] != late[:, None]).all(axis=1)]


def estimate(
    train: NeighborTable | Windows | VoteProfile, observed: np.ndarray, k_noise: int, votes: Smoothing = "own"
) -> Rates:
    """Flip rates from the extremes of the smoothed labels; parameters and errors as in ``smoothed``.

    They come close where eta reaches 0 and 1 (Reeve & Kaban, Assumption 2) and k' is large while its balls are small;
    a small k' tends to give (0, 0). Their difference, which alone moves the cut, is better than either of them.

    Source: Gao et al., equation 5, with the roles that the model implies.
    """
    return Rates.read(smoothed(train, observed, k_noise, votes), k_noise)
