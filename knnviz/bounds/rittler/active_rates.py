"""The active rate of Corollary 1, its condition, and the passive rate to compare it with."""

from dataclasses import dataclass
from math import inf, log

import numpy as np

from knnviz import checks
from knnviz.bounds.chaudhuri_dasgupta import Exponents, passive_exponents


def active_exponents(smoothness: float, margin_exponent: float) -> Exponents:
    """Exponents of Corollary 1: alpha beta / E with k of order n^(2 alpha / E), E = 1 + 2 alpha - alpha beta.

    The disagreement with the Bayes rule falls like n^-(alpha beta / E), up to unknown constants and a factor n^zeta,
    for any zeta > 0 however small. The corollary's own condition fails for large n, see ``condition``. And k is a
    smaller power of n than n itself only if alpha beta < 1.

    Source: Rittler & Chaudhuri, Corollary 1.

    Examples
    --------
    >>> from knnviz.bounds.rittler import active_exponents
    >>> active_exponents(smoothness=1, margin_exponent=0.5)
    Exponents(disagreement=0.2, neighbors=0.8)
    """
    alpha, beta = _check_exponents(smoothness, margin_exponent)
    E = 1 + 2 * alpha - alpha * beta
    return Exponents(disagreement=alpha * beta / E, neighbors=2 * alpha / E)


def _check_exponents(smoothness: float, margin_exponent: float) -> tuple[float, float]:
    alpha = checks.check_positive("smoothness alpha", smoothness, 100)
    beta = checks.check_positive("margin exponent beta", margin_exponent)
    if beta >= 2:
        raise ValueError(f"margin exponent beta must be below 2, got {beta:g}")
    return alpha, beta


def active_neighbors(n: float, smoothness: float, margin_exponent: float, delta: float, constant: float = 1.0) -> float:
    """k of Corollary 1, constant log(1/delta)^(1/E) log(n)^(-alpha beta / E) n^(2 alpha / E), not rounded.

    E = 1 + 2 alpha - alpha beta. n is above 1 and need not be whole. k is infinite beyond what doubles hold.

    Source: Rittler & Chaudhuri, Corollary 1.

    Examples
    --------
    >>> from knnviz.bounds.rittler import active_neighbors
    >>> round(active_neighbors(n=10**4, smoothness=1, margin_exponent=0.5, delta=0.1))
    1419
    """
    alpha, beta = _check_exponents(smoothness, margin_exponent)
    return checks.check_positive("constant", constant) * float(_active_k(np.float64(_check_n(n)), alpha, beta, delta))


def _active_k(n: np.ndarray | np.float64, alpha: float, beta: float, delta: float) -> np.ndarray:
    E = 1 + 2 * alpha - alpha * beta
    with np.errstate(over="ignore"):
        return (
            log(1 / checks.check_failure_probability(delta)) ** (1 / E)
            * np.log(n) ** (-alpha * beta / E)
            * n ** (2 * alpha / E)
        )


def _check_n(n: float) -> float:
    n = checks.check_positive("n", n)
    if n <= 1:
        raise ValueError(f"n must be above 1, got {n:g}")
    return n


@dataclass(frozen=True)
class Condition:
    """Both sides of condition (*) of Corollary 1: ``margin``, Delta(k) on its left, must reach ``rhs``, its right."""

    margin: float
    rhs: float

    @property
    def ratio(self) -> float:
        """Left side over right side; the condition holds from 1 on."""
        return self.margin / self.rhs if self.rhs else inf

    @property
    def holds(self) -> bool:
        return self.margin >= self.rhs


def condition(
    n: float, k: float, dimension: int, delta: float, smoothness: float = 1.0, smoothness_constant: float = 1.0
) -> Condition:
    """Condition (*) of Corollary 1: Delta(k) >= 3 L (k / n + sqrt(16 d log(8 / delta) / n))^alpha.

    alpha and L are ``smoothness`` and ``smoothness_constant``, d is ``dimension`` + 1. n is above 1 and k above 0; they
    need not be whole.

    Source: Rittler & Chaudhuri, Corollary 1.

    Examples
    --------
    >>> from knnviz.bounds.rittler import condition
    >>> [condition(n=10**5, k=k, dimension=1, delta=0.1).holds for k in (100, 10_000)]
    [True, False]
    """
    n, k = np.float64(_check_n(n)), np.float64(checks.check_positive("k", k))
    margin, rhs = _sides(n, k, dimension, delta, smoothness, smoothness_constant)
    return Condition(float(margin), float(rhs))


def _sides(
    n: np.ndarray | np.float64,
    k: np.ndarray | np.float64,
    dimension: int,
    delta: float,
    smoothness: float,
    smoothness_constant: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Left and right side of (*), at sizes n and neighbors k; infinite beyond what doubles hold."""
    delta = checks.check_failure_probability(delta)
    alpha, L = checks.check_smoothness(smoothness, smoothness_constant)
    d = checks.check_int("dimension", dimension, 1) + 1
    with np.errstate(over="ignore"):
        rhs = 3 * L * (k / n + np.sqrt(16 * d * log(8 / delta) / n)) ** alpha
    return np.minimum(0.5, np.sqrt(log(2 / delta) / k)), rhs


@dataclass(frozen=True, eq=False)
class RateCurves:
    """Both rates over sample sizes (J,), the k that they prescribe, and how the sides of (*) compare for it; all (J,).

    ``passive`` and ``active`` are bounds on the disagreement, with 1 for every unknown constant and without the term
    delta. The active one lacks its factor n^zeta (see ``active_exponents``). Only their shapes mean something.
    ``passive_neighbors`` and ``active_neighbors`` are the k, not rounded; ``passive_ratio`` and ``active_ratio`` are
    the left side of (*) over the right one, as ``Condition.ratio``.
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
        """Where the active k is possible, from 1 to n (J,) bool."""
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
    """The rates of passive and of active learning, with the k that they prescribe and condition (*) for it.

    The passive rate is (log(1 / delta) / n)^(alpha beta / (2 alpha + 1)), the active one is (log(1 / delta)^(1 - beta /
    2) / n)^(alpha beta / E), with E = 1 + 2 alpha - alpha beta. ``sizes`` (J,) are labels n, each above 1; they need
    not be whole. ``constant`` is the factor of both k.

    Source: Rittler & Chaudhuri, Corollary 1; for the passive rate Chaudhuri & Dasgupta 2014, Theorem 7(a).

    Examples
    --------
    >>> import numpy as np
    >>> from knnviz.bounds.rittler import rate_curves
    >>> curves = rate_curves(np.array([1e3, 1e6]), smoothness=1, margin_exponent=0.5, delta=0.1)
    >>> curves.passive.round(3).tolist(), curves.active.round(3).tolist()
    ([0.363, 0.115], [0.285, 0.072])
    """
    n = checks.check_numbers("sizes", sizes)
    if n.ndim != 1 or not (n > 1).all() or not np.isfinite(n).all():
        raise ValueError(f"sizes must be finite numbers above 1, got {sizes!r}")
    exponents, passive = active_exponents(smoothness, margin_exponent), passive_exponents(smoothness, margin_exponent)
    log_inverse, beta = log(1 / checks.check_failure_probability(delta)), margin_exponent
    scale = checks.check_positive("constant", constant)
    passive_k = scale * log_inverse ** (1 / (1 + 2 * smoothness)) * n**passive.neighbors
    ks = passive_k, scale * _active_k(n, smoothness, beta, delta)
    rates = (log_inverse / n) ** passive.disagreement, (log_inverse ** (1 - beta / 2) / n) ** exponents.disagreement
    sides = (_sides(n, k, dimension, delta, smoothness, smoothness_constant) for k in ks)
    with np.errstate(divide="ignore"):
        return RateCurves(n, *rates, *ks, *(margin / rhs for margin, rhs in sides))
