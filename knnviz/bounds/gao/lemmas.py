"""Lemmas 4 and 5, each with both its sides, and the constants with which they hold."""

from collections.abc import Sequence
from math import ceil, exp, log, sqrt

import numpy as np
import scipy
from scipy.special import betainc

from knnviz import checks
from knnviz.bounds.gao import conditions
from knnviz.bounds.sides import Sides


def lemma_4(k: int, p: float) -> Sides:
    """(1 - 2 p) exp(k (1/2 - p + log(2 p) / 2)) against sqrt 2 p / sqrt k. **This lemma is false.**

    For k = 8 and p = 1/4 the left side is 0.2309, the right one 0.1250. With 2 sqrt 2 in place of sqrt 2 it holds: see
    ``chernoff_constant``. There are k votes, at least 8, and p is in [0, 1/2]; at 0 both sides are 0.

    Source: Gao et al., Lemma 4.

    Examples
    --------
    >>> from knnviz.bounds.gao import lemma_4
    >>> sides = lemma_4(k=8, p=0.25)
    >>> round(sides.left, 4), round(sides.right, 4), sides.holds
    (0.2309, 0.125, False)
    """
    k = conditions.check_votes("Lemma 4", checks.check_int("k", k, 1), 8)
    p = checks.check_real("p", p, 0, 0.5)
    left = (1 - 2 * p) * exp(k * (0.5 - p + log(2 * p) / 2)) if p else 0.0
    return Sides(left, sqrt(2) * p / sqrt(k))


def chernoff_constant(k: int) -> float:
    """Least a for which Lemma 4 holds with a in place of its sqrt 2, for all p: 2.612 at k = 8.

    The ratio of the sides is largest at p = (1 - sqrt(2 / k)) / 2. The constant falls to 2 sqrt 2 e^(-1/2) = 1.7155 as
    k grows, and never to sqrt 2. k is at least 8.

    Source: for Gao et al., Lemma 4; the constant is ours.

    Examples
    --------
    >>> from knnviz.bounds.gao import chernoff_constant
    >>> [round(chernoff_constant(k), 3) for k in (8, 10**8)]
    [2.612, 1.716]
    """
    left, right = lemma_4(k, (1 - sqrt(2 / checks.check_int("k", k, 8))) / 2)
    return sqrt(2) * left / right


def binomial_constant(k: int) -> float:
    """Least a for which (1 - 2 p) P(Bin(k, p) >= k / 2) <= a p / sqrt k for all p: 0.738 at k = 8.

    What Lemma 5 needs is this with a = sqrt 2, for votes of equal probability; the paper derives it from Lemma 4. Up to
    rounding, the largest ratio of both sides. k is at least 8.

    Source: for Gao et al., Lemma 5; the constant is ours.

    Examples
    --------
    >>> from knnviz.bounds.gao import binomial_constant
    >>> round(binomial_constant(8), 3)
    0.738
    """
    k = checks.check_int("k", k, 8)
    majority = ceil(k / 2)

    def negative_ratio(z: float) -> float:
        two_p = 1 - z / sqrt(k)
        return float(-2 * z * betainc(majority, k - majority + 1, two_p / 2) / two_p)

    found = scipy.optimize.minimize_scalar(negative_ratio, bounds=(0, 2), method="bounded", options={"xatol": 1e-9})
    return float(-found.fun)


def lemma_5(votes: Sequence[float] | np.ndarray, tau: float = 0.0) -> Sides:
    """Probability that a true label differs from the majority of k votes, and its bound.

    The votes are independent observed labels, of class 1 with probability p~ on average. The true label is of class 1
    with probability p = (p~ - tau) / (1 - 2 tau). The left side is exact, by convolution; the right one is (1 +
    sqrt(2 / k)) min(p, 1 - p) + sqrt 2 tau / (sqrt k (1 - 2 tau)). ``votes`` (k,) are probabilities of class 1, 8 at
    least, and their mean is in [tau, 1 - tau].

    Source: Gao et al., Lemma 5.

    Examples
    --------
    >>> from knnviz.bounds.gao import lemma_5
    >>> sides = lemma_5([0.25] * 8)
    >>> round(sides.left, 4), round(sides.right, 4)
    (0.3069, 0.375)
    """
    votes, tau = checks.check_numbers("votes", votes), checks.check_real("flip rate tau", tau, 0, 0.5)
    if votes.ndim != 1 or not len(votes) or not ((votes >= 0) & (votes <= 1)).all():
        raise ValueError("votes must be a list of probabilities, one at least")
    if tau == 0.5:
        raise ValueError("flip rate tau must be below 1/2, got 0.5")
    k, mean = conditions.check_votes("Lemma 5", len(votes), 8), float(votes.mean())
    if not tau - 1e-12 <= mean <= 1 - tau + 1e-12:
        raise ValueError(f"the mean of the votes must lie in [tau, 1 - tau] = [{tau:g}, {1 - tau:g}], got {mean:g}")
    p = (mean - tau) / (1 - 2 * tau)
    counts = np.ones(1)
    for vote in votes:
        counts = np.convolve(counts, [1 - vote, vote])
    ones = float(counts[ceil(k / 2) :].sum())
    right = (1 + sqrt(2 / k)) * min(p, 1 - p) + sqrt(2) * tau / (sqrt(k) * (1 - 2 * tau))
    return Sides(p * (1 - ones) + (1 - p) * ones, right)
