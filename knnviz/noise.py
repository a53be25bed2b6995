"""Estimates of the flip rates of label noise, from the extremes of smoothed training labels.

The model is ``corruption.LabelNoise``: with noise, class 1 has the probability eta_corr = p0 + (1 - p0 - p1) eta.
Smoothed labels are averages over a training point and its nearest neighbors. All functions raise ValueError for values
outside the documented ranges.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple, Self

import numpy as np

from knnviz import checks
from knnviz.neighbors import NeighborTable
from knnviz.profiles import OwnWindowProfile, VoteProfile, training_votes
from knnviz.profiles.vote_profiles import NeighborSource
from knnviz.windows import Windows

#: Which labels are averaged at a training point, as in ``smoothed``.
Smoothing = Literal["own", "order"]
SMOOTHINGS = ("own", "order")

Which = Literal["max", "min"]


class Rates(NamedTuple):
    """Estimated flip rates p0 and p1, exact fractions of votes; together at most 1.

    Source: Gao et al., Algorithm 1.
    """

    p0: Fraction
    p1: Fraction

    @classmethod
    def from_votes(cls, ones: np.ndarray, k_noise: int) -> Self:
        """p0 is the smallest smoothed label, p1 is 1 - the largest; ``ones`` (n,) count class 1 among k' + 1 labels."""
        return cls(Fraction(int(ones.min()), k_noise + 1), 1 - Fraction(int(ones.max()), k_noise + 1))

    def check(self) -> None:
        """Raise ValueError unless both are at least 0 and their sum is at most 1."""
        if min(self) < 0 or sum(self) > 1:
            raise ValueError(f"estimated rates must be at least 0 and sum to at most 1, got {self.p0} and {self.p1}")

    @property
    def threshold(self) -> Fraction:
        """(1 + p0 - p1) / 2, the midrange of the smoothed labels; 1/2 where these are all equal."""
        return Fraction(1, 2) if self.degenerate else (1 + self.p0 - self.p1) / 2

    @property
    def as_flip_rates(self) -> tuple[float, float]:
        """p0 and p1 as known flip rates for another rule; (0, 0), which corrects nothing, where they are degenerate."""
        return (0.0, 0.0) if self.degenerate else (float(self.p0), float(self.p1))

    @property
    def degenerate(self) -> bool:
        """Whether all smoothed labels are equal, so that they carry no information on the noise."""
        return self.p0 + self.p1 == 1


def smoothed(train: NeighborSource, observed: np.ndarray, k_noise: int, votes: Smoothing = "own") -> np.ndarray:
    """The smoothed labels times k' + 1, (n,) int: how many labels of a training point and k' neighbors are of class 1.

    Parameters
    ----------
    train : NeighborTable, Windows or VoteProfile
        The neighbors of each training point, itself included, k' + 1 at least; or the votes of these labels counted
        over them. Of two neighbors at the same distance, ``Windows`` take the left one first.
    observed : (n,) array
        Their class codes, 0 or 1.
    k_noise : int
        k', at most n - 1; at least 1, or 0 for "order", where labels then stay as they are.
    votes : "own" or "order"
        "own": the point's own label and the k' nearest *others*. "order": the first k' + 1 of the table, in the order
        of (distance, index), among which a point can be missing if others coincide with it.

    Source: Gao et al., Algorithm 1; Reeve & Kaban, Algorithm 2.
    """
    table = _checked_table(train, k_noise, votes)
    ones = _ones_among_nearest(train, observed, k_noise + 1)
    # On a line of distinct points each is among its own nearest.
    if votes == "own" and isinstance(table, NeighborTable):
        missing, labels = _not_among_their_own(table, k_noise), np.asarray(observed, np.int64)
        # Their own label replaces that of the last neighbor.
        ones[missing] += labels[missing] - labels[table.indices[missing, k_noise]]
    return ones


def _checked_table(train: NeighborSource, k_noise: int, votes: Smoothing) -> NeighborTable | Windows:
    checks.check_choice("votes", votes, SMOOTHINGS)
    table = _training_table(train)
    if checks.check_int("k_noise", k_noise, least_k_noise(votes)) >= table.n:
        raise ValueError(f"k_noise must be below the number of points, got {k_noise} with n = {table.n}")
    return table


def least_k_noise(votes: Smoothing) -> int:
    """The smallest k': k - 1 for k >= 1 in Reeve & Kaban's Algorithm 2, k' >= 1 in Gao et al.'s Algorithm 1."""
    return 0 if votes == "order" else 1


def _training_table(train: NeighborSource) -> NeighborTable | Windows:
    table = train.table if isinstance(train, VoteProfile) else train
    if isinstance(table, NeighborTable) and len(table) != table.n:
        raise ValueError(f"noise is read at the training points, but the table has {len(table)} rows for {table.n}")
    return table


def _ones_among_nearest(train: NeighborSource, observed: np.ndarray, k: int) -> np.ndarray:
    """How many of the k nearest labels are of class 1 at each training point (n,), in the order of the table."""
    observed = checks.check_codes("labels", observed, _training_table(train).n, 2)
    return training_votes(train, observed, 2).at(k)[:, 1].astype(np.int64)


def _not_among_their_own(train: NeighborTable, k_noise: int) -> np.ndarray:
    """Training points that are not among their own k' + 1 nearest."""
    rows = np.flatnonzero(train.indices[:, 0] != np.arange(len(train)))
    return rows[(train.indices[rows, : k_noise + 1] != rows[:, None]).all(axis=1)]


def estimate(train: NeighborSource, observed: np.ndarray, k_noise: int, votes: Smoothing = "own") -> Rates:
    """Flip rates from the extremes of the smoothed labels; parameters and errors as in ``smoothed``.

    They are accurate if eta reaches 0 and 1 (Reeve & Kaban, Assumption 2) and k' is large while k' / n is small; a
    small k' tends to give (0, 0). Their difference, which alone sets the threshold, is more accurate than either.

    Source: Gao et al., equation 5, with p0 and p1 exchanged, as the model requires.
    """
    if not isinstance(train, Windows):
        return Rates.from_votes(smoothed(train, observed, k_noise, votes), k_noise)
    _checked_table(train, k_noise, votes)
    return Rates.from_votes(_extremes_on_line(train, observed, k_noise + 1), k_noise)


def _extremes_on_line(windows: Windows, observed: np.ndarray, k: int) -> np.ndarray:
    """Fewest and most labels of class 1 among the k nearest of any training point, (2,)."""
    return np.array(OwnWindowProfile.count(windows, observed, 2).extremes(k))[:, 1]


@dataclass(frozen=True)
class Extremum:
    """Largest or smallest fraction of class 1 among the k nearest of a training point; made by ``extremum``.

    It estimates the largest or smallest eta_corr: 1 - p1 and p0, if eta reaches 1 and 0. With a small k the variance of
    the votes makes it more extreme, with a large one smoothing makes it less so. ``bounds.reeve_kaban.theorem_4_2``
    bounds the error.
    """

    value: Fraction
    n: int
    k: int
    which: Which


def extremum(train: NeighborSource, observed: np.ndarray, k: int, which: Which = "max") -> Extremum:
    """The largest or smallest fraction of class 1 among the k nearest of a training point, itself among them.

    Parameters
    ----------
    train : NeighborTable, Windows or VoteProfile
        The neighbors of each training point, as in ``smoothed``, at least k. A point comes first in its own list
        unless it coincides with one of lower index.
    observed : (n,) array
        Their class codes, 0 or 1.
    k : int
        From 1 to n. 1 gives the labels themselves, n the same fraction everywhere.
    which : "max" or "min"
        The smallest fraction of class 1 is 1 - the largest of class 0.

    Source: Reeve & Kaban, Theorem 4.2; ``estimate(..., votes="order")`` reads both extremes at k' = k - 1.
    """
    checks.check_choice("which", which, ("max", "min"))
    n = _training_table(train).n
    k = checks.check_k(k, n)
    ones = (
        _extremes_on_line(train, observed, k) if isinstance(train, Windows) else _ones_among_nearest(train, observed, k)
    )
    return Extremum(Fraction(int(ones.max() if which == "max" else ones.min()), k), n, k, which)
