"""Where the plain vote must be right, and how fast its mistakes fade (Chaudhuri & Dasgupta 2014).

Source: "Rates of convergence for nearest neighbor classification"; the bound in the form of Theorem 3 of Rittler &
Chaudhuri. What is bounded is the disagreement with the Bayes rule, Pr(g(X) != g*(X)); the excess risk is smaller.
"""

from dataclasses import dataclass
from math import log, sqrt
from typing import NamedTuple

import numpy as np

from knnviz import checks, regions
from knnviz.bounds.distribution_checks import check_known
from knnviz.problems import Problem
from knnviz.profiles import BallProfile

#: Cells along a coordinate on which the boundary mass is measured by default, by dimension.
CELLS = {1: 2000, 2: 100}


def least_neighbors(delta: float) -> float:
    """What k must exceed for a bound that is not vacuous: 4 log(2 / delta)."""
    return 4 * log(2 / checks.check_failure_probability(delta))


def c_delta(k: int, delta: float) -> float:
    """Locality constant 1 / (1 - sqrt(4 log(2 / delta) / k)): by how much the mass of a ball exceeds k / n.

    The ball of mass c_delta k / n around a given point holds k points of the sample, but for a probability of
    (delta / 2)^2. It depends on k, and falls to 1 as k grows. A constant that depends on delta alone serves for every
    k, the larger root of c (1 - 1 / c)^2 = 4 log(2 / delta), but it is larger for all but small k.

    ValueError unless k exceeds 4 log(2 / delta).

    Source: Chaudhuri & Dasgupta 2014, the general upper bound.
    """
    k, least = checks.check_int("k", k, 1), least_neighbors(delta)
    if k <= least:
        raise ValueError(f"k must exceed 4 log(2/delta) = {least:.2f}, got {k}")
    return 1 / (1 - sqrt(least / k))


def margin(k: int, delta: float) -> float:
    """Margin Delta = min(1/2, sqrt(log(2 / delta) / k)): how far k votes may stray from the frequency in their ball.

    At the cap of 1/2 (k at most 4 log(2 / delta)) only balls of a single class have the margin.

    Source: Chaudhuri & Dasgupta 2014, the general upper bound.
    """
    return min(0.5, sqrt(log(2 / checks.check_failure_probability(delta)) / checks.check_int("k", k, 1)))


def mass(n: int, k: int, delta: float, constant: float | None = None) -> float:
    """Ball mass p = c_delta k / n: how far the bound must look around a point.

    It may exceed 1: then no ball is that large, and the bound is vacuous. A ``constant`` of at least 1 replaces
    c_delta; then no theorem stands behind it. Without it k must exceed 4 log(2 / delta).
    """
    n = checks.check_int("n", n, 1)
    k, delta = checks.check_k(k, n), checks.check_failure_probability(delta)
    return (c_delta(k, delta) if constant is None else checks.check_real("constant", constant, 1, np.inf)) * k / n


@dataclass(frozen=True)
class Theorem3:
    """With probability 1 - delta over samples, the vote differs from the Bayes rule on a mass of at most ``value``.

    ``mass`` p and ``margin`` Delta say which effective boundary is meant, ``boundary_mass`` is its probability, 1 where
    p exceeds 1. Made by ``theorem_3``, which states the conditions.
    """

    n: int
    k: int
    delta: float
    mass: float
    margin: float
    boundary_mass: float

    @property
    def value(self) -> float:
        return self.boundary_mass + self.delta

    @property
    def vacuous(self) -> bool:
        """Whether the bound reaches 1, or the mass exceeds 1, so that there is no such ball."""
        return self.value >= 1 or self.mass > 1


def theorem_3(
    ground: Problem | BallProfile,
    n: int,
    k: int,
    delta: float,
    *,
    weights: np.ndarray | None = None,
    resolution: int | None = None,
    literal: bool = False,
    constant: float | None = None,
) -> Theorem3:
    """Bound on the disagreement of the plain vote of k among n with the Bayes rule: mu(boundary(p, Delta)) + delta.

    It holds with probability 1 - delta over n independent labeled draws, for two classes, any marginal and any eta.

    Parameters
    ----------
    ground : Problem or BallProfile
        The true distribution, which is integrated up to p; or balls that have been, up to p at least, around points
        that stand for the marginal.
    k : int
        From above 4 log(2 / delta) to n.
    weights : (m,) array, optional
        Probabilities of the centers of a BallProfile, equal by default.
    resolution : int, optional
        Cells of a Problem along each coordinate, 2000 on a line and 100 on a plane by default.
    literal : bool
        Whether the boundary ignores the side of 1/2, as Rittler & Chaudhuri print it. That bound is false for atoms.
    constant : float, optional
        In place of c_delta (1 gives p = k / n); then k may be any from 1 on: a teaching aid, no theorem.

    ValueError for real data, for more than two classes, and for balls that do not reach p.

    Source: Rittler & Chaudhuri, Theorem 3, after Chaudhuri & Dasgupta 2014.
    """
    p, Delta = mass(n, k, delta, constant), margin(k, delta)
    check_known(ground)
    if p > 1:
        return Theorem3(n, k, delta, p, Delta, 1.0)
    balls, weights = _balls(ground, p, weights, resolution)
    inside = regions.effective_boundary(balls, p, Delta, literal=literal)
    return Theorem3(n, k, delta, p, Delta, float(weights @ inside))


def _balls(
    ground: Problem | BallProfile, p: float, weights: np.ndarray | None, resolution: int | None
) -> tuple[BallProfile, np.ndarray]:
    if isinstance(ground, BallProfile):
        if resolution is not None:
            raise ValueError("resolution is that of a problem; these balls have been integrated already")
        return ground, checks.check_weights(weights, len(ground))
    if weights is not None:
        raise ValueError("weights belong to balls; a problem brings its own")
    measure, eta = ground.cells(CELLS[ground.dimension] if resolution is None else resolution)
    return BallProfile.integrate(measure, eta, masses=[p]), measure.weights


class Exponents(NamedTuple):
    """Powers of n: the disagreement falls like n^-disagreement while k grows like n^neighbors."""

    disagreement: float
    neighbors: float


def passive_exponents(smoothness: float, margin_exponent: float) -> Exponents:
    """Exponents of the passive rate: alpha beta / (2 alpha + 1), reached with k of order n^(2 alpha / (2 alpha + 1)).

    Shapes only, up to an unknown constant, for eta that is (alpha, L)-smooth with a beta-margin: mu(|eta - 1/2| <= t)
    <= M t^beta. alpha and beta may be any finite numbers above 0.

    Source: Chaudhuri & Dasgupta 2014, Theorem 7(a).
    """
    alpha = checks.check_positive("smoothness alpha", smoothness)
    beta = checks.check_positive("margin exponent beta", margin_exponent)
    return Exponents(alpha * beta / (2 * alpha + 1), 2 * alpha / (2 * alpha + 1))


def passive_neighbors(n: int, smoothness: float, delta: float, constant: float = 1.0) -> int:
    """k of the passive rate, constant * log(1 / delta)^(1 / (2 alpha + 1)) * n^(2 alpha / (2 alpha + 1)), rounded.

    alpha may be any finite number above 0, and so may the constant, which the theorem does not name. ValueError where k
    would not lie between 1 and n.

    Source: Chaudhuri & Dasgupta 2014, Theorem 7(a).
    """
    n, alpha = checks.check_int("n", n, 1), checks.check_positive("smoothness alpha", smoothness)
    fraction = 1 / (2 * alpha + 1)
    k = round(
        checks.check_positive("constant", constant)
        * log(1 / checks.check_failure_probability(delta)) ** fraction
        * n ** (2 * alpha * fraction)
    )
    if not 1 <= k <= n:
        raise ValueError(f"the k of the passive rate must lie between 1 and n = {n}, got {k}")
    return k
