"""How far fractions of votes and their extremes are off: Lemmas 3.2 and 4.1, Corollary 3.1, Theorems 4.1 and 4.2."""

from dataclasses import dataclass
from math import exp, log, log1p, sqrt

import numpy as np
from scipy.special import betaincc

from knnviz import checks, noise
from knnviz.bounds.reeve_kaban.ranges import ProvedInRange, Statement
from knnviz.bounds.sides import Sides


def lemma_3_2(n: int, k: int, zeta: float) -> Sides:
    """Probability that the ball up to the k-th neighbor of a point has a mass above (1 + zeta) k / n.

    The bound, ``right``, is exp(-k (zeta - log(1 + zeta))). It holds for open balls under any mu; ``left`` is the exact
    probability where mu has no atoms, where the mass of that ball has a Beta(k, n - k + 1) distribution. ``zeta`` is
    finite and at least 0.

    Source: Reeve & Kaban, Lemma 3.2.

    Examples
    --------
    >>> from knnviz.bounds.reeve_kaban import lemma_3_2
    >>> sides = lemma_3_2(n=100, k=10, zeta=1)
    >>> round(sides.left, 4), round(sides.right, 4)
    (0.0023, 0.0465)
    """
    n, k, mass = _check_ball(n, k, zeta)
    return Sides(float(betaincc(k, n - k + 1, mass)), _chernoff(k, zeta))


def corollary_3_1(n: int, k: int, zeta: float) -> Sides:
    """Lemma 3.2 around a point of the sample, which is its own first neighbor: exp(-(k - 1) (zeta - log(1 + zeta))).

    At k = 1 it is vacuous. It may be used around a fixed point as well.

    Source: Reeve & Kaban, Corollary 3.1, with the k-th neighbor of the sample point, where x is printed.

    Examples
    --------
    >>> from knnviz.bounds.reeve_kaban import corollary_3_1
    >>> sides = corollary_3_1(n=100, k=10, zeta=1)
    >>> round(sides.left, 4), round(sides.right, 4)
    (0.001, 0.0632)
    """
    n, k, mass = _check_ball(n, k, zeta)
    # The other n - 1 points are a sample around a fixed point, and the k-th neighbor is the (k - 1)-th of them.
    left = float(betaincc(k - 1, n - k + 1, mass)) if k > 1 else 0.0
    return Sides(left, _chernoff(k - 1, zeta))


def _check_ball(n: int, k: int, zeta: float) -> tuple[int, int, float]:
    n = checks.check_int("n", n, 1)
    k, zeta = checks.check_k(k, n), checks.check_real("zeta", zeta, 0, np.inf)
    if zeta == np.inf:
        raise ValueError("zeta must be finite, got inf")
    return n, k, min(1.0, (1 + zeta) * k / n)


def _chernoff(k: int, zeta: float) -> float:
    return exp(-k * (zeta - log1p(zeta)))


@dataclass(frozen=True)
class ErrorBound(ProvedInRange):
    """With probability 1 - delta an estimate from k neighbors is off by at most ``value``.

    ``vote`` is the deviation of k votes, ``bias`` the change of f over their ball. ``statement`` is ``lemma_4_1``,
    ``theorem_4_1`` or ``theorem_4_2``, the function that made it.
    """

    statement: Statement
    n: int
    k: int
    delta: float
    vote: float
    bias: float

    @property
    def value(self) -> float:
        return self.vote + self.bias

    @property
    def vacuous(self) -> bool:
        return self.value >= 1


def lemma_4_1(n: int, k: int, delta: float, *, smoothness: float, smoothness_constant: float) -> ErrorBound:
    """Bound on ``|f(X') - f(X)|`` for an (alpha, L)-smooth f and X' among the k nearest of X: L (2 k / n)^alpha.

    X is a fixed point or a fixed one of the sample; k lies between 4 log(1 / delta) + 1 and n / 2. Only this range
    depends on delta.

    Source: Reeve & Kaban, Lemma 4.1.

    Examples
    --------
    >>> from knnviz.bounds.reeve_kaban import lemma_4_1
    >>> round(lemma_4_1(n=10_000, k=100, delta=0.1, smoothness=1, smoothness_constant=1.5).value, 4)
    0.03
    """
    bias = noise.smoothing_error(n, k, smoothness, smoothness_constant)
    return ErrorBound("lemma_4_1", n, k, checks.check_failure_probability(delta), 0.0, bias)


def theorem_4_1(n: int, k: int, delta: float, *, smoothness: float, smoothness_constant: float) -> ErrorBound:
    """Bound on ``|f-hat(X) - f(X)|``, where f-hat is the mean response of the k nearest.

    sqrt(log(3 / delta) / (2 k)) + L (2 k / n)^alpha. X is a fixed point or a fixed one of the sample; responses lie in
    [0, 1] and have the mean f, which is (alpha, L)-smooth; k lies between 4 log(3 / delta) + 1 and n / 2.

    Source: Reeve & Kaban, Theorem 4.1.

    Examples
    --------
    >>> from knnviz.bounds.reeve_kaban import theorem_4_1
    >>> bound = theorem_4_1(n=10_000, k=200, delta=0.1, smoothness=1, smoothness_constant=1)
    >>> round(bound.vote, 4), round(bound.bias, 4)
    (0.0922, 0.04)
    """
    bias = noise.smoothing_error(n, k, smoothness, smoothness_constant)
    vote = sqrt(log(3 / checks.check_failure_probability(delta)) / (2 * k))
    return ErrorBound("theorem_4_1", n, k, delta, vote, bias)


def theorem_4_2(n: int, k: int, delta: float, *, smoothness: float, smoothness_constant: float) -> ErrorBound:
    """Bound on ``|max f-hat - sup f|``, where the maximum is over all sample points; f-hat as in ``theorem_4_1``.

    The smallest f-hat has the same bound on its distance to inf f.

    sqrt(log(6 n / delta) / (2 k)) + 2 L (2 k / n)^alpha. The k that the proof covers are fewer than the printed ones:
    see ``k_range``.

    Source: Reeve & Kaban, Theorem 4.2.

    Examples
    --------
    >>> from knnviz.bounds.reeve_kaban import theorem_4_2
    >>> bound = theorem_4_2(n=10_000, k=200, delta=0.1, smoothness=1, smoothness_constant=1)
    >>> round(bound.vote, 4), round(bound.bias, 4)
    (0.1824, 0.08)
    """
    vote, bias = noise.extremum_error(n, k, delta, smoothness, smoothness_constant)
    return ErrorBound("theorem_4_2", n, k, delta, vote, bias)
