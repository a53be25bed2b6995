"""Nearest neighbors on true labels: margin, ball mass and rate of k neighbors.

Source: Chaudhuri & Dasgupta 2014, "Rates of convergence for nearest neighbor classification".
``rittler.theorem_3`` bounds the disagreement by the mass of the effective boundary of this ball
mass p and margin Delta. Symbols are those of ``knnviz.bounds``.
"""

from math import inf, sqrt
from typing import NamedTuple

from knnviz.bounds.arguments import formula
from knnviz.bounds.arithmetic import log_over, rate_root


@formula
def least_neighbors(delta: float) -> float:
    """What k must exceed for a bound that is not vacuous: 4 log(2 / delta)."""
    return 4 * log_over(2, delta)


@formula
def locality_constant(k: float, delta: float) -> float:
    """c_delta = 1 / (1 - sqrt(4 log(2 / delta) / k)): a ball of mass c_delta k / n holds k of n
    points.

    It holds fewer with a probability of at most (delta / 2)^2; for k above 4 log(2 / delta). The
    larger root of c (1 - 1 / c)^2 = 4 log(2 / delta) may replace it for every k, but exceeds it for
    all but small k.
    """
    least = least_neighbors(delta)
    return 1 / (1 - sqrt(least / k)) if k > least else inf


@formula
def margin(k: float, delta: float) -> float:
    """Delta = min(1/2, sqrt(log(2 / delta) / k)), which bounds the error of the fraction of k
    votes.

    At the cap of 1/2 (k at most 4 log(2 / delta)) only balls of a single class have the margin.
    """
    return min(0.5, sqrt(log_over(2, delta) / k))


@formula
def mass(k: float, n: int, delta: float) -> float:
    """p = c_delta k / n; above 1 no ball is that large, and the bound is vacuous."""
    return locality_constant(k, delta) * k / n


class Exponents(NamedTuple):
    """Powers of n: the disagreement falls like n^-disagreement while k grows like n^neighbors."""

    disagreement: float
    neighbors: float


@formula
def passive_exponents(smoothness: float, margin_exponent: float) -> Exponents:
    """Theorem 7(a): alpha beta / (2 alpha + 1), with k of order n^(2 alpha / (2 alpha + 1)); up to
    a constant.
    """
    power = smoothness * rate_root(smoothness)
    return Exponents(power * margin_exponent, 2 * power)


@formula
def passive_neighbors(n: int, smoothness: float, delta: float, constant: float = 1.0) -> float:
    """Theorem 7(a): k = constant log(1 / delta)^(1 / (2 alpha + 1)) n^(2 alpha / (2 alpha + 1)),
    not rounded.

    The theorem leaves the constant open. k can be below 1/2, or exceed n.
    """
    root = rate_root(smoothness)
    return constant * log_over(1, delta) ** root * n ** (2 * smoothness * root)
