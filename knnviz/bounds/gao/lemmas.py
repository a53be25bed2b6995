"""The lemmas under the theorems, each with both its sides, so that they can be held against each other."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, exp, log, sqrt
from typing import NamedTuple

import numpy as np
import scipy

from knnviz import checks
from knnviz.bounds.binomial import at_least, fewer
from knnviz.bounds.gao import conditions
from knnviz.bounds.sides import Sides
from knnviz.rules import HALF, exact


def lemma_1(masses: Sequence[float], n: int, k: int) -> Sides:
    """Expected mass of the sets with fewer than k of n points, sum of P(C) P(Bin(n, P(C)) < k), against 2 r k / n.

    Parameters
    ----------
    masses : (r,) array
        Probabilities P(C_1) to P(C_r) of any sets, each in [0, 1].
    n, k : int
        Sample size, and points that a set should have, between 2 and n.

    Raises
    ------
    ValueError
        Outside these ranges.

    Source: Gao et al., Lemma 1, after Shalev-Shwartz & Ben-David, Lemma 19.6.
    """
    masses = _probabilities("masses", masses)
    n, k = conditions.sizes("Lemma 1", n, k, 2)
    return Sides(float(masses @ fewer(k, n, masses)), 2 * len(masses) * k / n)


class Flip(NamedTuple):
    """A probability ``clean`` of class 1, and what symmetric noise makes of it, ``observed``, exactly."""

    clean: Fraction
    observed: Fraction

    @property
    def same_side(self) -> bool:
        """Whether both are below 1/2, both above, or both at it."""
        return (self.clean > HALF) - (self.clean < HALF) == (self.observed > HALF) - (self.observed < HALF)


def lemma_2(p: float, tau: float) -> Flip:
    """Symmetric noise keeps the side of 1/2: p < 1/2 iff p + tau - 2 p tau < 1/2.

    Computed with the decimals that the numbers are typed as, since rounding would decide near 1/2.

    Parameters
    ----------
    p : float
        Probability of class 1, in [0, 1].
    tau : float
        Flip rate of both classes, in [0, 1/2).

    Raises
    ------
    ValueError
        Outside these ranges.

    Source: Gao et al., Lemma 2.
    """
    clean, rate = exact(checks.check_real("p", p, 0, 1)), exact(_rate(tau))
    return Flip(clean, clean + rate - 2 * clean * rate)


def lemma_3(t: float) -> Sides:
    """(1 + 1 / t) t^(1 / (2 (1 + t))) against 2, for t from 1 on, where they are equal; ValueError below.

    Source: Gao et al., Lemma 3.
    """
    t = checks.check_real("t", t, 1, np.inf)
    return Sides((1 + 1 / t) * t ** (1 / (2 * (1 + t))), 2.0)


def lemma_4(k: int, p: float) -> Sides:
    """(1 - 2 p) exp(k (1/2 - p + log(2 p) / 2)) against sqrt 2 p / sqrt k. **This lemma is false.**

    For k = 8 and p = 1/4 the left side is 0.2309, the right one 0.1250. With 2 sqrt 2 in place of sqrt 2 it holds: see
    ``chernoff_constant``.

    Parameters
    ----------
    k : int
        Votes, at least 8.
    p : float
        Probability in [0, 1/2]; at 0 both sides are 0.

    Raises
    ------
    ValueError
        Outside these ranges.

    Source: Gao et al., Lemma 4.
    """
    k = conditions.votes("Lemma 4", checks.check_int("k", k, 1), 8)
    p = checks.check_real("p", p, 0, 0.5)
    left = (1 - 2 * p) * exp(k * (0.5 - p + log(2 * p) / 2)) if p else 0.0
    return Sides(left, sqrt(2) * p / sqrt(k))


def chernoff_constant(k: int) -> float:
    """Least a for which Lemma 4 holds with a in place of its sqrt 2, for all p: 2.612 at k = 8.

    The ratio of the sides is largest at p = (1 - sqrt(2 / k)) / 2. The constant falls to 2 sqrt 2 e^(-1/2) = 1.7155 as
    k grows, and never to sqrt 2. ValueError for k below 8.
    """
    left, right = lemma_4(k, (1 - sqrt(2 / checks.check_int("k", k, 8))) / 2)
    return sqrt(2) * left / right


def binomial_constant(k: int) -> float:
    """Least a for which (1 - 2 p) P(Bin(k, p) >= k / 2) <= a p / sqrt k for all p: 0.738 at k = 8.

    What Lemma 5 needs is this with a = sqrt 2, for equal votes; Lemma 4 is the way there that fails. Up to rounding,
    the largest ratio of both sides. ValueError for k below 8.
    """
    k = checks.check_int("k", k, 8)

    def ratio(z: float) -> float:
        p = (1 - z / sqrt(k)) / 2
        return -2 * z * at_least(ceil(k / 2), k, p) / (1 - z / sqrt(k))

    return float(-scipy.optimize.minimize_scalar(ratio, bounds=(0, 2), method="bounded", options={"xatol": 1e-9}).fun)


def lemma_5(votes: Sequence[float], tau: float = 0.0) -> Sides:
    """Probability that a label differs from a vote, and what it is at most.

    The votes are independent observed labels; their mean frequency pt belongs to p = (pt - tau) / (1 - 2 tau), with
    which the true label is of class 1. The left side is exact, by convolution; the right one is
    (1 + sqrt(2 / k)) min(p, 1 - p) + sqrt 2 tau / (sqrt k (1 - 2 tau)).

    Parameters
    ----------
    votes : (k,) array
        Probabilities of class 1, 8 at least, each in [0, 1], their mean in [tau, 1 - tau].
    tau : float
        Flip rate of both classes, in [0, 1/2).

    Raises
    ------
    ValueError
        Outside these ranges.

    Source: Gao et al., Lemma 5.
    """
    votes, tau = _probabilities("votes", votes), _rate(tau)
    k, mean = conditions.votes("Lemma 5", len(votes), 8), float(votes.mean())
    if not tau - 1e-12 <= mean <= 1 - tau + 1e-12:
        raise ValueError(f"the mean of the votes must lie in [tau, 1 - tau] = [{tau:g}, {1 - tau:g}], got {mean:g}")
    p = (mean - tau) / (1 - 2 * tau)
    counts = np.ones(1)
    for vote in votes:
        counts = np.convolve(counts, [1 - vote, vote])
    ones = float(counts[ceil(k / 2) :].sum())
    right = (1 + sqrt(2 / k)) * min(p, 1 - p) + sqrt(2) * tau / (sqrt(k) * (1 - 2 * tau))
    return Sides(p * (1 - ones) + (1 - p) * ones, right)


def lemma_6(dimension: int) -> Sides:
    """(1 + 1 / d) (d / e)^(1 / (d + 1)) against 3/2, for whole d from 1 on; largest, 1.36661, at d = 3.

    Source: Gao et al., Lemma 6.
    """
    d = checks.check_int("dimension", dimension, 1)
    return Sides((1 + 1 / d) * (d / exp(1)) ** (1 / (d + 1)), 1.5)


def _rate(tau: float) -> float:
    """A symmetric flip rate in [0, 1/2), or ValueError."""
    tau = checks.check_real("flip rate tau", tau, 0, 0.5)
    if tau == 0.5:
        raise ValueError("flip rate tau must be below 1/2, got 0.5")
    return tau


def _probabilities(name: str, values: Sequence[float]) -> np.ndarray:
    """Probabilities (m,), one at least, or ValueError."""
    held = checks.check_numbers(name, values)
    if held.ndim != 1 or not len(held) or not ((held >= 0) & (held <= 1)).all():
        raise ValueError(f"{name} must be a list of probabilities, one at least")
    return held
