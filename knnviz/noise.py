"""Estimates of the flip rates of label noise, from the extremes of smoothed training labels.

The model is ``corruption.LabelNoise``: with noise, class 1 has the probability eta_corr = p0 + (1 - p0 - p1) eta.
Smoothed labels are averages over a training point and its nearest neighbors. All functions raise ValueError for values
outside the documented ranges.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple, Protocol, Self

import numpy as np

from knnviz import checks, kernels
from knnviz.neighbors import NeighborTable, Windows


@dataclass(frozen=True)
class LabelNoise:
    """Class-conditional label noise: a label of class c flips with probability p_c (Gao et al., section 2).

    ``p0`` and ``p1`` are the flip rates of class 0 and class 1, each in [0, 1), together below 1; ValueError otherwise.

    Examples
    --------
    >>> from knnviz import LabelNoise
    >>> import numpy as np
    >>> noise = LabelNoise(p0=0.1, p1=0.3)
    >>> noise.corrupt(np.array([[0.5, 0.5], [0.0, 1.0]])).round(4).tolist()
    [[0.6, 0.4], [0.3, 0.7]]
    >>> noise.flip(np.array([0, 0, 1, 1]), np.array([0.05, 0.2, 0.2, 0.4])).tolist()
    [1, 0, 0, 1]
    """

    p0: float = 0.0
    p1: float = 0.0

    def __post_init__(self) -> None:
        checks.check_flip_rates(self.p0, self.p1)

    @property
    def contrast(self) -> float:
        """1 - p0 - p1: eta_corr of class c, P(observed label is c), is ``offsets[c]`` + contrast * eta_c."""
        return 1 - self.p0 - self.p1

    @property
    def offsets(self) -> np.ndarray:
        """(p1, p0): the probability that a label of the other class becomes one of class 0, and of class 1."""
        return np.array([self.p1, self.p0])

    def flip(self, y: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Observed labels (n,) of true classes y (n,) in {0, 1}: flipped where v (n,), uniform on [0, 1], is below p_y.

        With the same v, higher flip rates flip a superset of the labels.
        """
        y = checks.check_codes("y", y, len(v), 2)
        return y ^ (v < np.array([self.p0, self.p1])[y])

    def corrupt(self, eta: np.ndarray) -> np.ndarray:
        """eta_corr (m, 2), the probabilities of the observed labels, from eta (m, 2)."""
        eta = checks.check_points("eta", eta, 2)
        ones = self.p0 + self.contrast * eta[:, 1]
        return np.stack([1 - ones, ones], axis=1)


#: Which labels are averaged at a training point, as in ``smoothed``.
Smoothing = Literal["own", "order"]
SMOOTHINGS = ("own", "order")

Which = Literal["max", "min"]


class CountedVotes(Protocol):
    """Votes counted over the neighbors of each training point, such as a ``VoteProfile``."""

    table: NeighborTable

    def at(self, k: int) -> np.ndarray:
        """Votes (n, 2) of each class among the k nearest."""


#: The neighbors of each training point, itself included, or votes counted over them.
NeighborSource = NeighborTable | Windows | CountedVotes


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
    ones = _ones_among_nearest(train, _checked_labels(table, observed), k_noise + 1)
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
    table = train if isinstance(train, NeighborTable | Windows) else train.table
    if isinstance(table, NeighborTable) and len(table) != table.n:
        raise ValueError(f"noise is read at the training points, but the table has {len(table)} rows for {table.n}")
    return table


def _checked_labels(table: NeighborTable | Windows, observed: np.ndarray) -> np.ndarray:
    return checks.check_codes("labels", observed, table.n, 2)


def _ones_among_nearest(train: NeighborSource, observed: np.ndarray, k: int) -> np.ndarray:
    """How many of the k nearest labels are of class 1 at each training point (n,), in the order of the table."""
    if isinstance(train, NeighborTable):
        return observed[train.indices[:, :k]].sum(axis=1, dtype=np.int64)
    if isinstance(train, Windows):
        cumulative, ones = _cumulative_on_line(train, observed), np.empty(train.n, np.int64)
        ones[train.order] = (cumulative[k:] - cumulative[:-k])[train.starts(train.x, k)]
        return ones
    return train.at(k)[:, 1].astype(np.int64)


def _cumulative_on_line(windows: Windows, observed: np.ndarray) -> np.ndarray:
    """How many of the first i sorted points are of class 1, (n + 1,)."""
    return np.concatenate([[0], np.cumsum(observed[windows.order])]).astype(np.int32)


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
    return Rates.from_votes(_extremes_on_line(train, _checked_labels(train, observed), k_noise + 1), k_noise)


def _extremes_on_line(windows: Windows, observed: np.ndarray, k: int) -> np.ndarray:
    """Fewest and most labels of class 1 among the k nearest of any training point, (2,)."""
    extremes = np.empty(2, np.int32)
    kernels.window_extremes(windows.x, _cumulative_on_line(windows, observed), k, extremes)
    return extremes


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
    table = _training_table(train)
    n, observed = table.n, _checked_labels(table, observed)
    k = checks.check_k(k, n)
    ones = (
        _extremes_on_line(train, observed, k) if isinstance(train, Windows) else _ones_among_nearest(train, observed, k)
    )
    return Extremum(Fraction(int(ones.max() if which == "max" else ones.min()), k), n, k, which)


def theta(p0: float | Fraction, p1: float | Fraction) -> Fraction:
    """(1 + p0 - p1) / 2: the noisy probability of class 1 where the true one is 1/2; exact for decimals as written.

    Source: Gao et al., section 4.

    Examples
    --------
    >>> from knnviz.noise import theta
    >>> str(theta(0.1, 0.3))
    '2/5'
    """
    return (1 + decimal_fraction(p0) - decimal_fraction(p1)) / 2


def decimal_fraction(number: float | Fraction) -> Fraction:
    """A float as the decimal that was typed, rounded to 12 places; a Fraction as it is.

    Examples
    --------
    >>> from knnviz.noise import decimal_fraction
    >>> str(decimal_fraction(0.1)), decimal_fraction(0.1) + decimal_fraction(0.2) == decimal_fraction(0.3)
    ('1/10', True)
    """
    return number if isinstance(number, Fraction) else Fraction(str(round(float(number), 12)))


def misled_points(eta: np.ndarray, corrupted: np.ndarray, threshold: float = 0.5, margin: float = 0.0) -> np.ndarray:
    """A_Delta (m,) bool, the misled points: eta_corr does not pass a threshold by a margin on eta's side of 1/2.

    ``eta`` and ``corrupted`` (m, 2) are the class probabilities without and with label noise. With margin 0 and
    threshold 1/2 these are the totally misled points A_0, where eta and eta_corr lie on opposite sides of 1/2. A point
    with eta = 1/2 is not misled. ``threshold`` in [0, 1] is that of a vote on noisy labels, 1/2 for the majority.
    ``margin`` is Delta in [0, 1]; a point that reaches it is not misled. Source: Gao et al., section 3; Reeve & Kaban,
    section 5. ValueError for more than two classes, and for shapes that differ.

    Examples
    --------
    >>> from knnviz import LabelNoise
    >>> from knnviz.noise import misled_points
    >>> import numpy as np
    >>> eta = np.array([[0.45, 0.55], [0.2, 0.8]])
    >>> misled_points(eta, LabelNoise(p0=0.0, p1=0.3).corrupt(eta)).tolist()
    [True, False]
    """
    clean = checks.check_points("eta", eta, 2)[:, 1] - 0.5
    noisy = checks.check_points("corrupted", corrupted, 2)[:, 1] - checks.check_real("threshold", threshold, 0, 1)
    if len(clean) != len(noisy):
        raise ValueError(f"eta and corrupted must have the same rows, got {len(clean)} and {len(noisy)}")
    margin = checks.check_real("margin Delta", margin, 0, 1)
    return (np.sign(clean) * noisy < margin - checks.TIE_TOL) & (abs(clean) > checks.TIE_TOL)
