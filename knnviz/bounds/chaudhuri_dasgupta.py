"""Margin Delta and ball mass p of the effective boundary, and the rate of passive learning, from n random labels.

``rittler.theorem_3`` bounds the disagreement by the mass of that boundary. The excess risk is at most the disagreement.

Source: Chaudhuri & Dasgupta 2014, "Rates of convergence for nearest neighbor classification".
"""

from math import log, sqrt
from typing import NamedTuple

import numpy as np

from knnviz import checks


def least_neighbors(delta: float) -> float:
    """What k must exceed for a bound that is not vacuous: 4 log(2 / delta).

    Source: Chaudhuri & Dasgupta 2014, the general upper bound.

    Examples
    --------
    >>> from knnviz.bounds.chaudhuri_dasgupta import least_neighbors
    >>> round(least_neighbors(0.1), 4)
    11.9829
    """
    return 4 * log(2 / checks.check_failure_probability(delta))


def locality_constant(k: int, delta: float) -> float:
    """c_delta = 1 / (1 - sqrt(4 log(2 / delta) / k)): a ball of mass c_delta k / n holds k of n points.

    A ball of this mass around a given point holds fewer than k points of the sample with a probability of at most
    (delta / 2)^2. c_delta falls to 1 as k grows. The larger root of c (1 - 1 / c)^2 = 4 log(2 / delta) may replace it
    for every k, but exceeds it for all but small k.

    ValueError unless k exceeds 4 log(2 / delta).

    Source: Chaudhuri & Dasgupta 2014, the general upper bound.

    Examples
    --------
    >>> from knnviz.bounds.chaudhuri_dasgupta import locality_constant
    >>> [round(locality_constant(k, delta=0.1), 4) for k in (100, 1000)]
    [1.5294, 1.1229]
    """
    k, least = checks.check_int("k", k, 1), least_neighbors(delta)
    if k <= least:
        raise ValueError(f"k must exceed 4 log(2/delta) = {least:.2f}, got {k}")
    return 1 / (1 - sqrt(least / k))


def margin(k: int, delta: float) -> float:
    """Margin Delta = min(1/2, sqrt(log(2 / delta) / k)): bounds the error of the fraction of k votes.

    At the cap of 1/2 (k at most 4 log(2 / delta)) only balls of a single class have the margin.

    Source: Chaudhuri & Dasgupta 2014, the general upper bound.

    Examples
    --------
    >>> from knnviz.bounds.chaudhuri_dasgupta import margin
    >>> [round(margin(k, delta=0.1), 4) for k in (10, 100)]
    [0.5, 0.1731]
    """
    return min(0.5, sqrt(log(2 / checks.check_failure_probability(delta)) / checks.check_int("k", k, 1)))


def mass(n: int, k: int, delta: float, constant: float | None = None) -> float:
    """Ball mass p = c_delta k / n, with the ``locality_constant`` c_delta.

    It may exceed 1: then no ball is that large, and the bound is vacuous. A ``constant`` of at least 1 replaces
    c_delta; then the theorem need not hold. Without it k must exceed 4 log(2 / delta).

    Source: Chaudhuri & Dasgupta 2014, the general upper bound.

    Examples
    --------
    >>> from knnviz.bounds.chaudhuri_dasgupta import mass
    >>> round(mass(n=10_000, k=100, delta=0.1), 4)
    0.0153
    """
    n = checks.check_int("n", n, 1)
    k, delta = checks.check_k(k, n), checks.check_failure_probability(delta)
    constant = locality_constant(k, delta) if constant is None else checks.check_real("constant", constant, 1, np.inf)
    return constant * k / n


class Exponents(NamedTuple):
    """Powers of n: the disagreement falls like n^-disagreement while k grows like n^neighbors."""

    disagreement: float
    neighbors: float


def passive_exponents(smoothness: float, margin_exponent: float) -> Exponents:
    """Exponents of the passive rate: alpha beta / (2 alpha + 1), reached with k of order n^(2 alpha / (2 alpha + 1)).

    The disagreement falls like n^-(alpha beta / (2 alpha + 1)), up to an unknown constant, for eta that is (alpha,
    L)-smooth with a beta-margin: ``mu(|eta - 1/2| <= t) <= M t^beta``. alpha and beta may be any finite numbers above
    0.

    Source: Chaudhuri & Dasgupta 2014, Theorem 7(a).

    Examples
    --------
    >>> from knnviz.bounds.chaudhuri_dasgupta import passive_exponents
    >>> passive_exponents(smoothness=2, margin_exponent=1)
    Exponents(disagreement=0.4, neighbors=0.8)
    """
    alpha = checks.check_positive("smoothness alpha", smoothness)
    beta = checks.check_positive("margin exponent beta", margin_exponent)
    return Exponents(disagreement=alpha * beta / (2 * alpha + 1), neighbors=2 * alpha / (2 * alpha + 1))


def passive_neighbors(n: int, smoothness: float, delta: float, constant: float = 1.0) -> int:
    """k of the passive rate, constant * log(1 / delta)^(1 / (2 alpha + 1)) * n^(2 alpha / (2 alpha + 1)), rounded.

    alpha may be any finite number above 0, and so may the constant, which the theorem leaves open. ValueError where k
    would not lie between 1 and n.

    Source: Chaudhuri & Dasgupta 2014, Theorem 7(a).

    Examples
    --------
    >>> from knnviz.bounds.chaudhuri_dasgupta import passive_neighbors
    >>> passive_neighbors(n=1000, smoothness=1, delta=0.1)
    132
    """
    n, alpha = checks.check_int("n", n, 1), checks.check_positive("smoothness alpha", smoothness)
    inverse = 1 / (2 * alpha + 1)
    k = round(
        checks.check_positive("constant", constant)
        * log(1 / checks.check_failure_probability(delta)) ** inverse
        * n ** (2 * alpha * inverse)
    )
    if not 1 <= k <= n:
        raise ValueError(f"the k of the passive rate must lie between 1 and n = {n}, got {k}")
    return k
