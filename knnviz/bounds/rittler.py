"""The two-round scheme in formulas: band, balls, draws, and the rate with its condition (Rittler & Chaudhuri).

Source: "A Two-Stage Active Learning Algorithm for Nearest Neighbors". ``theorem_3`` and the passive rate are those of
``chaudhuri_dasgupta``. Logarithms are natural; d is the VC dimension of balls, one more than that of the points.
"""

from dataclasses import dataclass
from math import ceil, floor, inf, log, sqrt
from typing import NamedTuple

import numpy as np

from knnviz import checks
from knnviz.bounds.chaudhuri_dasgupta import margin, passive_exponents, theorem_3

__all__ = [
    "ActiveExponents",
    "Condition",
    "Contained",
    "RateCurves",
    "active_exponents",
    "active_neighbors",
    "band_slack",
    "condition",
    "contained",
    "expected_draws",
    "expected_plain_share",
    "fattening_neighbors",
    "hard_width",
    "least_hard_neighbors",
    "rate_curves",
    "theorem_3",
]


#: Largest constant of a band or of balls, so that its square stays finite.
LARGEST = 1e100


def _complexity(n: int, dimension: int, delta: float) -> float:
    """d log n + log(1 / delta), with d = dimension + 1."""
    n, dimension = checks.whole("n", n, 1), checks.whole("dimension", dimension, 1)
    return (dimension + 1) * log(n) + log(1 / checks.failure(delta))


def band_slack(n: int, k: int, dimension: int, delta: float, c0: float) -> float:
    """Delta~ = c0 sqrt((d log n + log(1 / delta)) / k): how much wider the band of the hard region is.

    Parameters
    ----------
    n, k : int
        Labels of the first round, and neighbors that vote, at most n.
    dimension : int
        Coordinates of a point; d is one more.
    delta : float
        Failure probability, strictly between 0 and 1.
    c0 : float
        A universal constant, at least 0, that the paper does not name.

    Raises
    ------
    ValueError
        Outside these ranges.
    """
    k = checks.neighbors(k, checks.whole("n", n, 1))
    return checks.real("c0", c0, 0, LARGEST) * sqrt(_complexity(n, dimension, delta) / k)


def hard_width(n: int, k: int, dimension: int, delta: float, c0: float) -> float:
    """2 Delta + Delta~: a point is hard if its vote is closer to 1/2. Above 1/2 every point is. As ``band_slack``."""
    return 2 * margin(k, delta) + band_slack(n, k, dimension, delta, c0)


def least_hard_neighbors(n: int, dimension: int, delta: float, c0: float) -> int:
    """The smallest k with 2 Delta + Delta~ below 1/2, so that a vote of one voice is not hard; it may exceed n.

    Parameters
    ----------
    n : int
        Labels of the first round.
    dimension : int
        Coordinates of a point.
    delta : float
        Failure probability, strictly between 0 and 1.
    c0 : float
        The constant of ``band_slack``, at least 0.

    Raises
    ------
    ValueError
        Outside these ranges.

    Source: k > 4 (2 sqrt(log(2 / delta)) + c0 sqrt(d log n + log(1 / delta)))^2, from the definitions.
    """
    slack = checks.real("c0", c0, 0, LARGEST) * sqrt(_complexity(n, dimension, delta))
    return floor(4 * (2 * sqrt(log(2 / delta)) + slack) ** 2) + 1


def fattening_neighbors(n: int, dimension: int, delta: float, c_plus: float) -> int:
    """k+ = c_plus sqrt(n d log(8 / delta)), rounded up, from 1 to n: neighbors in the balls that fatten H.

    Parameters
    ----------
    n : int
        Labels of the first round.
    dimension : int
        Coordinates of a point; d is one more.
    delta : float
        Failure probability, strictly between 0 and 1.
    c_plus : float
        At least 0; the paper leaves it open, and 4 gives the slack of Corollary 1.

    Raises
    ------
    ValueError
        Outside these ranges.
    """
    n, dimension = checks.whole("n", n, 1), checks.whole("dimension", dimension, 1)
    grown = checks.real("c_plus", c_plus, 0, LARGEST) * sqrt(n * (dimension + 1) * log(8 / checks.failure(delta)))
    return max(1, min(n, ceil(grown)))


def expected_plain_share(plain_share: float, augmented_mass: float, coin: str = "per_draw") -> float:
    """Share of second-round labels that a plain coin buys: pi / (pi + (1 - pi) mu(H+)), or pi with a coin per sample.

    Parameters
    ----------
    plain_share : float
        pi in [0, 1].
    augmented_mass : float
        mu(H+) in [0, 1], not 0 together with pi.
    coin : "per_draw" or "per_sample"
        Whether the coin is flipped anew after a rejection, as printed, or only for the next label.

    Raises
    ------
    ValueError
        Outside these ranges.
    """
    pi, q = _shares(plain_share, augmented_mass)
    return pi / (pi + (1 - pi) * q) if per_draw(coin) else pi


def expected_draws(m: int, plain_share: float, augmented_mass: float, coin: str = "per_draw") -> float:
    """Draws that m labels take on average: m / (pi + (1 - pi) mu(H+)), or m (pi + (1 - pi) / mu(H+)).

    Parameters and errors as for ``expected_plain_share``; m is at least 0.
    """
    pi, q = _shares(plain_share, augmented_mass)
    m = checks.whole("m", m, 0)
    if per_draw(coin):
        return m / (pi + (1 - pi) * q)
    return m * (pi + ((1 - pi) / q if pi < 1 else 0)) if q > 0 or pi == 1 else inf


def _shares(plain_share: float, augmented_mass: float) -> tuple[float, float]:
    """pi and mu(H+), or ValueError."""
    pi, q = checks.real("plain_share", plain_share, 0, 1), checks.real("augmented_mass", augmented_mass, 0, 1)
    if pi == q == 0:
        raise ValueError("no draw is ever accepted: plain_share and augmented_mass are both 0")
    return pi, q


def per_draw(coin: str) -> bool:
    """Whether a coin is flipped for each draw, not for each label; ValueError for another word."""
    if coin not in ("per_draw", "per_sample"):
        raise ValueError(f'coin must be "per_draw" or "per_sample", got {coin!r}')
    return coin == "per_draw"


class Contained(NamedTuple):
    """How much of the effective boundary the hard region holds: masses of both, and the share covered (1 of none)."""

    boundary_mass: float
    hard_mass: float
    covered: float


def contained(boundary: np.ndarray, hard: np.ndarray, weights: np.ndarray | None = None) -> Contained:
    """Compare the effective boundary (m,) bool with the hard region (m,) bool at points of ``weights`` (m,).

    The paper claims in passing that, for smooth eta, the first lies in the second with high probability. Weights are
    equal by default. ValueError for shapes that differ, and for weights that are no probabilities.
    """
    boundary, hard = np.asarray(boundary, bool), np.asarray(hard, bool)
    if boundary.shape != hard.shape or boundary.ndim != 1:
        raise ValueError(f"boundary and hard must mark the same points, got {boundary.shape} and {hard.shape}")
    weights = checks.weights(weights, len(hard))
    mass, both = float(weights[boundary].sum()), float(weights[boundary & hard].sum())
    return Contained(mass, float(weights[hard].sum()), both / mass if mass else 1.0)


class ActiveExponents(NamedTuple):
    """Powers of n: the disagreement falls like n^-disagreement, up to any n^zeta, while k grows like n^neighbors."""

    disagreement: float
    neighbors: float


def active_exponents(smoothness: float, margin_exponent: float) -> ActiveExponents:
    """Exponents of Corollary 1: alpha beta / E with k of order n^(2 alpha / E), E = 1 + 2 alpha - alpha beta.

    Shapes only, up to unknown constants and a factor n^zeta. The corollary's own condition fails for large n, see
    ``condition``; and k stays below n only if alpha beta < 1.

    Parameters
    ----------
    smoothness : float
        alpha, on the mass scale; above 0.
    margin_exponent : float
        beta, strictly between 0 and 2.

    Raises
    ------
    ValueError
        Outside these ranges.

    Source: Rittler & Chaudhuri, Corollary 1.
    """
    alpha, beta = _smooth(smoothness, margin_exponent)
    E = 1 + 2 * alpha - alpha * beta
    return ActiveExponents(alpha * beta / E, 2 * alpha / E)


def _smooth(smoothness: float, margin_exponent: float) -> tuple[float, float]:
    """alpha and beta as Corollary 1 takes them, or ValueError."""
    alpha = checks.positive("smoothness alpha", smoothness)
    beta = checks.positive("margin exponent beta", margin_exponent)
    if beta >= 2:
        raise ValueError(f"margin exponent beta must be below 2, got {beta:g}")
    return alpha, beta


def active_neighbors(n: float, smoothness: float, margin_exponent: float, delta: float, constant: float = 1.0) -> float:
    """k of Corollary 1, constant log(1/delta)^(1/E) log(n)^(-alpha beta / E) n^(2 alpha / E), not rounded.

    Parameters
    ----------
    n : float
        Labels of the first round, above 1.
    smoothness, margin_exponent : float
        alpha above 0, beta strictly between 0 and 2.
    delta : float
        Failure probability, strictly between 0 and 1.
    constant : float
        The corollary asks for some constant and does not name it.

    Raises
    ------
    ValueError
        Outside these ranges.

    Source: Rittler & Chaudhuri, Corollary 1.
    """
    alpha, beta = _smooth(smoothness, margin_exponent)
    n = _size(n)
    E = 1 + 2 * alpha - alpha * beta
    shape = log(1 / checks.failure(delta)) ** (1 / E) * log(n) ** (-alpha * beta / E) * n ** (2 * alpha / E)
    return checks.positive("constant", constant) * shape


def _size(n: float) -> float:
    """A sample size that need not be whole, above 1, or ValueError."""
    n = checks.positive("n", n)
    if n <= 1:
        raise ValueError(f"n must be above 1, got {n:g}")
    return n


@dataclass(frozen=True)
class Condition:
    """Both sides of what Corollary 1 asks for: ``margin`` Delta must reach ``needed``."""

    margin: float
    needed: float

    @property
    def ratio(self) -> float:
        """Delta over what is needed; the condition holds from 1 on."""
        return self.margin / self.needed if self.needed else inf

    @property
    def holds(self) -> bool:
        """Whether the corollary may be used."""
        return self.margin >= self.needed


def condition(
    n: float, k: float, dimension: int, delta: float, smoothness: float = 1.0, smoothness_constant: float = 1.0
) -> Condition:
    """What Corollary 1 asks for: Delta(k) >= 3 L (k / n + sqrt(16 d log(8 / delta) / n))^alpha.

    Parameters
    ----------
    n, k : float
        Labels of the first round, and neighbors that vote; need not be whole.
    dimension : int
        Coordinates of a point; d is one more.
    delta : float
        Failure probability, strictly between 0 and 1.
    smoothness, smoothness_constant : float
        alpha, at most 100, and L, both above 0.

    Raises
    ------
    ValueError
        Outside these ranges.

    Source: Rittler & Chaudhuri, Corollary 1.
    """
    n, k, delta = _size(n), checks.positive("k", k), checks.failure(delta)
    alpha, L = checks.smooth(smoothness, smoothness_constant)
    d = checks.whole("dimension", dimension, 1) + 1
    reach = k / n + sqrt(16 * d * log(8 / delta) / n)
    return Condition(min(0.5, sqrt(log(2 / delta) / k)), 3 * L * reach**alpha)


@dataclass(frozen=True, eq=False)
class RateCurves:
    """Both rates over sample sizes (J,), the k that they prescribe, and what condition (*) says of it; all (J,).

    ``passive`` and ``active`` are bounds on the disagreement with every hidden constant 1, without delta and without
    the factor n^zeta of the active one: shapes, no more. ``passive_neighbors`` and ``active_neighbors`` are the k, not
    rounded; ``passive_ratio`` and ``active_ratio`` are both sides of (*) divided, as ``Condition.ratio``.
    """

    sizes: np.ndarray
    passive: np.ndarray
    active: np.ndarray
    passive_neighbors: np.ndarray
    active_neighbors: np.ndarray
    passive_ratio: np.ndarray
    active_ratio: np.ndarray

    @property
    def holds(self) -> np.ndarray:
        """Where (*) holds for the active k (J,) bool."""
        return self.active_ratio >= 1

    @property
    def possible(self) -> np.ndarray:
        """Where the active k is a number of neighbors that there are, from 1 to n (J,) bool."""
        return (self.active_neighbors >= 1) & (self.active_neighbors <= self.sizes)


def rate_curves(
    sizes: np.ndarray,
    smoothness: float,
    margin_exponent: float,
    delta: float,
    *,
    dimension: int = 1,
    smoothness_constant: float = 1.0,
    constant: float = 1.0,
) -> RateCurves:
    """The rates that passive and active learning are promised, with the k and the condition that go with them.

    (log(1 / delta) / n)^(alpha beta / (2 alpha + 1)) and (log(1 / delta)^(1 - beta / 2) / n)^(alpha beta / E), with
    E = 1 + 2 alpha - alpha beta.

    Parameters
    ----------
    sizes : (J,) array
        Labels n, each above 1; need not be whole.
    smoothness, margin_exponent : float
        alpha above 0, beta strictly between 0 and 2.
    delta : float
        Failure probability, strictly between 0 and 1.
    dimension : int
        Coordinates of a point; d of the condition is one more.
    smoothness_constant : float
        L of the condition, above 0.
    constant : float
        Of both k, above 0: the theorems ask for some constant and do not name it.

    Raises
    ------
    ValueError
        Outside these ranges.

    Source: Rittler & Chaudhuri, Corollary 1; for the passive rate Chaudhuri & Dasgupta 2014, Theorem 7(a).
    """
    n = checks.numbers("sizes", sizes)
    if n.ndim != 1 or not (n > 1).all() or not np.isfinite(n).all():
        raise ValueError(f"sizes must be finite numbers above 1, got {sizes!r}")
    exponents, passive = active_exponents(smoothness, margin_exponent), passive_exponents(smoothness, margin_exponent)
    sure, beta, scale = log(1 / checks.failure(delta)), margin_exponent, checks.positive("constant", constant)
    E, P = 1 + 2 * smoothness - smoothness * beta, 1 + 2 * smoothness
    ks = (
        scale * sure ** (1 / P) * n**passive.neighbors,
        scale * sure ** (1 / E) * np.log(n) ** -exponents.disagreement * n**exponents.neighbors,
    )
    rates = (sure / n) ** passive.disagreement, (sure ** (1 - beta / 2) / n) ** exponents.disagreement
    ratios = (_ratio(n, k, dimension, delta, smoothness, smoothness_constant) for k in ks)
    return RateCurves(n, *rates, *ks, *ratios)


def _ratio(
    n: np.ndarray, k: np.ndarray, dimension: int, delta: float, smoothness: float, smoothness_constant: float
) -> np.ndarray:
    """``Condition.ratio`` at sizes n and neighbors k (J,)."""
    alpha, L = checks.smooth(smoothness, smoothness_constant)
    d = checks.whole("dimension", dimension, 1) + 1
    reach = k / n + np.sqrt(16 * d * log(8 / delta) / n)
    return np.minimum(0.5, np.sqrt(log(2 / delta) / k)) / (3 * L * reach**alpha)
