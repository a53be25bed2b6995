"""Label noise between two classes, and estimates of its flip rates from noisy labels.

n is the number of training points, m that of points where the distribution is known. eta (m, 2) are
the class probabilities P(Y = c | x), and eta_corr (m, 2) those of the observed labels. A label of
class 0 flips with probability p0, one of class 1 with p1. Class c then has eta_corr =
``offsets[c]`` + ``contrast`` * eta_c, with ``contrast`` = 1 - p0 - p1.

Where eta reaches 0 and 1, eta_corr of class 1 reaches p0 and 1 - p1. The smoothed labels estimate
it at the training points: each is an average over k' + 1 observed labels, of the point and its
nearest neighbors. The smallest and the largest of them estimate p0 and 1 - p1.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple, Self, get_args

import numpy as np

from knnviz.checks import (
    TIE_TOL,
    Seed,
    as_array,
    check_choice,
    check_codes,
    check_flip_rates,
    check_int,
    check_numbers,
    check_probabilities,
    check_real,
    check_seed,
    require,
)
from knnviz.neighbors import NeighborTable, Windows
from knnviz.problems import columns
from knnviz.profiles import VoteProfile, WindowProfile


@dataclass(frozen=True)
class LabelNoise:
    """Class-conditional label noise: a label of class c flips with probability p_c (Gao et al.,
    section 2).

    ``p0`` and ``p1`` are the flip rates of class 0 and class 1, each in [0, 1), together below 1;
    ValueError otherwise.

    Examples
    --------
    >>> from knnviz import LabelNoise
    >>> import numpy as np
    >>> noise = LabelNoise(p0=0.1, p1=0.3)
    >>> noise.corrupt(np.array([[0.5, 0.5], [0.0, 1.0]])).round(4).tolist()
    [[0.6, 0.4], [0.3, 0.7]]
    >>> noise.flip(np.array([0, 0, 1, 1]), np.array([0.05, 0.2, 0.2, 0.4])).tolist()
    [1, 0, 0, 1]
    >>> noise.flip(["no", "no", "yes", "yes"], seed=2).tolist()
    ['no', 'no', 'yes', 'no']
    """

    p0: float = 0.0
    p1: float = 0.0

    def __post_init__(self) -> None:
        p0, p1 = check_flip_rates(self.p0, self.p1)
        object.__setattr__(self, "p0", float(p0))
        object.__setattr__(self, "p1", float(p1))

    @property
    def contrast(self) -> float:
        return 1 - self.p0 - self.p1

    @property
    def offsets(self) -> np.ndarray:
        """(p1, p0): the probability that a label of the other class becomes one of class 0, and of
        class 1.
        """
        return np.array([self.p1, self.p0])

    def flip(self, y: Any, v: np.ndarray | None = None, *, seed: Seed = 0) -> np.ndarray:
        """Observed labels (n,) of true ones y (n,): flipped where v (n,), uniform on [0, 1], is
        below p_y.

        y are any two labels, of which the first in sorted order has rate p0; 0 is the first even
        without a 1, and 1 the second. They come back in the type of y. Without v, ``seed`` draws
        it. With the same v, higher flip rates flip a superset of the labels.
        """
        labels = as_array("y", y)
        v = check_seed(seed).random(labels.shape) if v is None else check_numbers("v", v)
        classes, codes = columns.pair_and_codes(labels, v.size)
        fit = v.shape == codes.shape and ((v >= 0) & (v <= 1)).all()
        require(fit, "each label needs a number v in [0, 1]")
        rates = np.array([self.p0, self.p1])
        observed = np.where(v < rates[codes], 1 - codes, codes)
        return classes[observed]

    def corrupt(self, eta: np.ndarray) -> np.ndarray:
        """eta_corr (m, 2), from eta (m, 2)."""
        eta = check_probabilities("eta", eta)
        require(eta.shape[1] == 2, f"label noise needs two classes, got {eta.shape[1]}")
        ones = self.p0 + self.contrast * eta[:, 1]
        return np.stack([1 - ones, ones], axis=1)


def theta(p0: float | Fraction, p1: float | Fraction) -> Fraction:
    """(1 + p0 - p1) / 2: eta_corr of class 1 where its eta is 1/2; exact for decimals (Gao et al.,
    section 4).
    """
    return (1 + decimal_fraction(p0) - decimal_fraction(p1)) / 2


def decimal_fraction(number: float | Fraction) -> Fraction:
    """A float between 0 and 1 as the decimal that was typed, rounded to 12 places; a Fraction as it
    is.
    """
    number = check_real("number", number, 0, 1)
    if isinstance(number, Fraction):
        return number
    return Fraction(str(round(float(number), 12)))


def misled_points(
    eta: np.ndarray, corrupted: np.ndarray, threshold: float = 0.5, margin: float = 0.0
) -> np.ndarray:
    """Points where eta_corr is not beyond ``threshold`` by ``margin``, on the side of 1/2 on which
    eta lies; (m,) bool.

    They are A_Delta, with Delta the margin, eta_corr (m, 2) ``corrupted``, and the threshold that
    of a vote on noisy labels, 1/2 for the majority. A point at exactly this distance is not misled,
    nor is one with eta = 1/2. With margin 0 and threshold 1/2 these are the totally misled points
    A_0.

    Source: Gao et al., section 3; Reeve & Kaban, section 5.
    """
    eta = check_probabilities("eta", eta)
    corrupted = check_probabilities("corrupted", corrupted)
    if eta.shape != corrupted.shape or eta.shape[1] != 2:
        got = f"{eta.shape} and {corrupted.shape}"
        raise ValueError(f"eta and eta_corr must be of two classes each, got {got}")
    threshold = check_real("threshold", threshold, 0, 1)
    margin = check_real("margin", margin, -1, 1)
    clean = eta[:, 1] - 0.5
    noisy = corrupted[:, 1] - float(threshold)
    is_short = np.sign(clean) * noisy < margin - TIE_TOL
    return is_short & (abs(clean) > TIE_TOL)


#: Which k' + 1 labels a smoothed label averages. "own": those of the point and its k' nearest
#: others; "order": those of its k' + 1 nearest, sorted by (distance, index), among which it can be
#: missing if other points coincide with it.
Smoothing = Literal["own", "order"]
SMOOTHINGS: tuple[Smoothing, ...] = get_args(Smoothing)


def least_k_noise(votes: Smoothing) -> int:
    """The smallest k' of a kind of votes."""
    check_choice("votes", votes, SMOOTHINGS)
    return 0 if votes == "order" else 1


#: The neighbors of each training point, itself included, or votes counted over them.
NeighborSource = NeighborTable | Windows | VoteProfile


class Rates(NamedTuple):
    """Estimated flip rates p0 and p1, exact fractions of votes, together at most 1 (Gao et al.,
    Algorithm 1).
    """

    p0: Fraction
    p1: Fraction

    @classmethod
    def from_votes(cls, ones: np.ndarray, k_noise: int) -> Self:
        """p0 is the smallest smoothed label, p1 is 1 - the largest; ``ones`` are the smoothed
        labels times k' + 1.
        """
        smallest = Fraction(int(ones.min()), k_noise + 1)
        largest = Fraction(int(ones.max()), k_noise + 1)
        return cls(smallest, 1 - largest)

    @property
    def threshold(self) -> Fraction:
        """(1 + p0 - p1) / 2, the midrange of the smoothed labels; 1/2 where these are all equal."""
        if self.degenerate:
            return Fraction(1, 2)
        return theta(self.p0, self.p1)

    @property
    def as_flip_rates(self) -> tuple[float, float]:
        """p0 and p1 as known flip rates for another rule; (0, 0), which corrects nothing, where
        they are degenerate.
        """
        if self.degenerate:
            return 0.0, 0.0
        return float(self.p0), float(self.p1)

    @property
    def degenerate(self) -> bool:
        """Whether all smoothed labels are equal, so that they carry no information on the noise."""
        return self.p0 + self.p1 == 1


def estimate(
    train: NeighborSource, observed: np.ndarray, k_noise: int, votes: Smoothing = "own"
) -> Rates:
    """Flip rates from the extremes of the smoothed labels.

    They are accurate if eta reaches 0 and 1 (Reeve & Kaban, Assumption 2) and k' is large while k'
    / n is small; a small k' tends to give (0, 0). Their difference, which alone sets the threshold,
    is more accurate than either. Raises ValueError for labels that are not those of the training
    points, and for a k' out of range.

    Source: Gao et al. The paper's equation 5 assigns the two extremes to the other rates; a class-0
    label flips to 1, so the minimum estimates p0.

    Parameters
    ----------
    train : NeighborTable, Windows or VoteProfile
        k' + 1 neighbors of each training point or more, itself included; or the votes of the
        labels, counted over them. Of two neighbors at the same distance, ``Windows`` take the left
        one first.
    observed : (n,) array
        Class codes of the training points, 0 or 1.
    k_noise : int
        k', at most n - 1; at least 1, or 0 for "order", where each smoothed label is a single one.
    votes : "own" or "order"
        The labels that are averaged: those of a point and its k' nearest others, or those of its k'
        + 1 nearest by (distance, index).

    Examples
    --------
    >>> from knnviz import NeighborTable
    >>> from knnviz.noise import estimate
    >>> import numpy as np
    >>> train = NeighborTable.build(np.arange(6.0)[:, None], None, 3)
    >>> rates = estimate(train, np.array([0, 0, 0, 1, 0, 1]), k_noise=2)
    >>> str(rates.p0), str(rates.p1)
    ('0', '1/3')
    """
    n = train.n if isinstance(train, NeighborTable | Windows) else train.table.n
    k_noise = check_int("k_noise", k_noise, least_k_noise(votes), n - 1)
    if isinstance(train, Windows):
        # On a line of distinct points each is among its own nearest.
        observed = check_codes("labels", observed, n, 2)
        votes_of_windows = WindowProfile.build(train, observed, 2)
        ones = votes_of_windows.at_points(train.x, k_noise + 1)[:, 1]
    else:
        ones = smoothed(train, observed, k_noise, votes)
    return Rates.from_votes(ones, k_noise)


def smoothed(
    train: NeighborTable | VoteProfile,
    observed: np.ndarray,
    k_noise: int,
    votes: Smoothing = "own",
) -> np.ndarray:
    """The smoothed labels times k' + 1, (n,) int; arguments as in ``estimate``.

    Source: Gao et al., Algorithm 1; Reeve & Kaban, Algorithm 2.
    """
    if isinstance(train, NeighborTable):
        train = VoteProfile.build(train, observed, 2)
    table = train.table
    observed = check_codes("labels", observed, table.n, 2)
    if len(table) != table.n:
        got = f"the table has {len(table)} rows for {table.n}"
        raise ValueError(f"noise is estimated at the training points, but {got}")
    same = np.array_equal(train.labels, observed)
    require(same, "the votes at the training points are those of other labels")
    ones = train.at(k_noise + 1)[:, 1].astype(np.int64)

    if votes == "own":
        # Points that are not among their own nearest: their label replaces that of the last
        # neighbor.
        rows = np.flatnonzero(table.indices[:, 0] != np.arange(len(table)))
        others = table.indices[rows, : k_noise + 1] != rows[:, None]
        missing = rows[others.all(axis=1)]
        own = observed[missing].astype(np.int64)
        ones[missing] += own - observed[table.indices[missing, k_noise]]
    return ones
