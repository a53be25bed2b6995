"""Active learning in two rounds: Theorem 3, the hard region, draws, and Corollary 1 (Rittler &
Chaudhuri).

In the first round n random points are labeled (passive learning). eta-hat is the fraction of class
1 among the k nearest of these. H, the hard region, is where ``|eta-hat - 1/2|`` is below a width,
so that the vote is uncertain. H+ adds to each point of H the ball out to its k+-th nearest point of
the first round. In the second round points are drawn one by one. A draw is passive with probability
pi, the passive fraction: then it is labeled wherever it falls. Otherwise it is labeled only in H+.

Delta is ``chaudhuri_dasgupta.margin``, p is ``chaudhuri_dasgupta.mass``. ``dimension`` is that of
the points; d, the VC dimension of balls, is one more. delta is a failure probability, alpha and L
are ``smoothness`` and ``smoothness_constant``, beta is ``margin_exponent``, E = 1 + 2 alpha - alpha
beta. Constants that the paper leaves open are arguments: c0 of Delta~, c_plus of k+, ``constant``
of k.

Source: "A Two-Stage Active Learning Algorithm for Nearest Neighbors".
"""

from math import ceil, floor, inf, log, sqrt
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from knnviz.bounds.arguments import formula
from knnviz.bounds.arithmetic import log_over
from knnviz.bounds.chaudhuri_dasgupta import Exponents, least_neighbors, margin, mass
from knnviz.checks import MARGIN_TOL, require
from knnviz.problems import Problem
from knnviz.profiles import BallProfile

#: A number, or numbers (J,) at once.
Numbers = TypeVar("Numbers", float, np.ndarray)

#: For what a coin decides between passive and targeted.
Coin = Literal["per_draw", "per_sample"]

#: How far a sum or product of exponents may be off by rounding.
ROUNDING = 1e-9


@formula
def probability_radius(x: ArrayLike, mass: float) -> ArrayLike:
    """Definition 1: radius of the smallest closed ball of probability p around x, for points
    uniform on [0, 1].

    It is p / 2, or p - u at a distance u < p / 2 from an end.
    """
    to_end = np.minimum(x, np.subtract(1, x))
    return np.maximum(mass / 2, mass - to_end)


class PassiveBound(NamedTuple):
    """p and Delta of the effective boundary, its probability, and ``value``, the bound on the
    disagreement.
    """

    mass: float
    margin: float
    boundary_mass: float
    value: float


@formula
def theorem_3(
    problem: Problem,
    k: int,
    n: int,
    delta: float,
    *,
    n_cells: int | None = None,
    as_printed: bool = False,
) -> PassiveBound:
    """Theorem 3, after Chaudhuri & Dasgupta: the vote of k among n disagrees on at most
    mu(boundary(p, Delta)) + delta.

    With probability 1 - delta, for two classes and k above 4 log(2 / delta), else inf. ``n_cells``
    is the number of cells along a coordinate. As printed the boundary ignores the side of
    1/2: false if points have mass.
    """
    Delta = margin(k, delta)
    if k <= least_neighbors(delta) or problem.n_classes != 2:
        return PassiveBound(inf, Delta, 1.0, inf)
    p = mass(k, n, delta)
    if p > 1:
        return PassiveBound(p, Delta, 1.0, 1 + delta)
    default_cells = 2000 if problem.dimension == 1 else 100
    measure, eta = problem.cells(n_cells or default_cells)
    balls = BallProfile.build(measure, eta, masses=[p])
    smallest = balls.smallest_absolute_margin(p) if as_printed else balls.smallest_margin(p)
    inside = float(measure.weights @ (smallest < Delta - MARGIN_TOL))
    return PassiveBound(p, Delta, inside, inside + delta)


@formula
def band_slack(k: float, n: int, dimension: int, delta: float, c0: float) -> float:
    """Definition 4: Delta~ = c0 sqrt((d log n + log(1 / delta)) / k), for deviations at all points
    together.
    """
    d = dimension + 1
    return c0 * sqrt((d * log(n) + log_over(1, delta)) / k)


@formula
def hard_width(k: float, n: int, dimension: int, delta: float, c0: float) -> float:
    """Definition 4: points with eta-hat closer to 1/2 than 2 Delta + Delta~ are hard. Above 1/2 all
    points are.
    """
    return 2 * margin(k, delta) + band_slack(k, n, dimension, delta, c0)


@formula
def least_hard_neighbors(n: int, dimension: int, delta: float, c0: float) -> float:
    """Of Definition 4: the least k with 2 Delta + Delta~ below 1/2, so that some vote is not hard.
    May exceed n.
    """
    # Both at k = 1, without the cap of Delta; they fall like 1 / sqrt k.
    Delta = sqrt(log_over(2, delta))
    at_one = 2 * Delta + band_slack(1, n, dimension, delta, c0)
    least = 4 * at_one * at_one
    if least < inf:
        return floor(least) + 1
    return inf


@formula
def augmented_neighbors(n: int, dimension: int, delta: float, c_plus: float) -> int:
    """Definition 5: k+ = c_plus sqrt(n d log(8 / delta)), rounded up, from 1 to n.

    c_plus = 4 gives k+ / n the size of the root in the condition of Corollary 1.
    """
    d = dimension + 1
    k_plus = c_plus * sqrt(n * d * log_over(8, delta))
    return max(1, ceil(min(n, k_plus)))


@formula
def expected_passive_fraction(
    passive_fraction: float, augmented_mass: float, coin: Coin = "per_draw"
) -> float:
    """Of Algorithm 1: the fraction of passive labels in round two, pi / (pi + (1 - pi) mu(H+)).

    As printed the coin is flipped for each draw; with one for each label ("per_sample") it is pi.
    Where mu(H+) = 0 the algorithm draws passive labels without a coin.
    """
    pi = passive_fraction
    if coin == "per_sample":
        return pi
    accepted = pi + (1 - pi) * augmented_mass
    return pi / accepted if accepted else inf


@formula
def expected_draws(
    m: int, passive_fraction: float, augmented_mass: float, coin: Coin = "per_draw"
) -> float:
    """Of Algorithm 1: draws for m labels, m / (pi + (1 - pi) mu(H+)); "per_sample" m (pi + (1 - pi)
    / mu(H+)).
    """
    pi = passive_fraction
    targeted = 1 - passive_fraction
    if m == 0:
        return 0.0
    if coin == "per_draw":
        accepted = pi + targeted * augmented_mass
        return m / accepted if accepted else inf
    if not targeted:
        return m
    if not augmented_mass:
        return inf
    return m * (pi + targeted / augmented_mass)


@formula
def active_exponents(smoothness: float, margin_exponent: float) -> Exponents:
    """Corollary 1: the disagreement falls like n^-(alpha beta / E) with k of order n^(2 alpha / E),
    for beta below 2.

    Up to logarithms, and a factor n^zeta for any zeta > 0.
    """
    alpha = smoothness
    if margin_exponent >= 2:
        return Exponents(0.0, inf)
    E = 1 + alpha * (2 - margin_exponent)
    return Exponents(alpha * margin_exponent / E, 2 * alpha / E)


@formula
def active_neighbors(
    n: Numbers, smoothness: float, margin_exponent: float, delta: float, constant: float = 1.0
) -> Numbers:
    """Corollary 1: k = constant log(1/delta)^(1/E) log(n)^(-alpha beta / E) n^(2 alpha / E), not
    rounded.

    beta = 0 gives the k of the passive rate (Chaudhuri & Dasgupta, Theorem 7(a)).
    """
    falls, grows = active_exponents(smoothness, margin_exponent)
    if grows == inf:
        return inf + 0 * n
    with np.errstate(over="ignore", divide="ignore"):
        k = np.log(n) ** -falls * np.asarray(n, float) ** grows
    log_term = log_over(1, delta) ** (grows / (2 * smoothness))
    return constant * log_term * k


@formula
def condition_ratio(
    k: Numbers,
    n: Numbers,
    dimension: int,
    delta: float,
    smoothness: float = 1.0,
    smoothness_constant: float = 1.0,
) -> Numbers:
    """Condition (C) of Corollary 1, Delta(k) >= 3 L (k / n + sqrt(16 d log(8 / delta) / n))^alpha:
    left over right.

    It holds from 1 on.
    """
    sizes = np.size(n), np.size(k)
    fit = 1 in sizes or np.shape(n) == np.shape(k)
    require(fit, f"k must be one number for each n, got {sizes[1]} for {sizes[0]}")
    d = dimension + 1
    with np.errstate(over="ignore", divide="ignore"):
        root = np.sqrt(16 * d * log_over(8, delta) / n)
        ball_mass = np.asarray(k / n + root)
        needed = 3 * (smoothness_constant * ball_mass**smoothness)
        Delta = np.minimum(0.5, np.sqrt(log_over(2, delta) / k))
        return Delta / needed


@formula
def corollary_1(n: Numbers, smoothness: float, margin_exponent: float, delta: float) -> Numbers:
    """Corollary 1: the order (log(1 / delta)^(1 - beta / 2) / n)^(alpha beta / E) of the
    disagreement beyond delta.

    With probability 1 - delta, for m of order n, k of ``active_neighbors``, a smooth eta with the
    margin condition, beta below 2 (else inf), and where (C) holds; up to a constant and n^zeta, for
    any zeta > 0.
    """
    falls, grows = active_exponents(smoothness, margin_exponent)
    if grows == inf:
        return inf + 0 * n
    return (log_over(1, delta) ** (1 - margin_exponent / 2) / n) ** falls


@formula
def unmet_conditions(
    statement: Literal["corollary_1"], *, smoothness: float, margin_exponent: float
) -> list[str]:
    """What alpha and beta lack for Corollary 1, in words. Only beta < 2 is printed.

    An empty list does not mean that it applies: for beta > 0 the k / n in (C) is too large in the
    end, see ``condition_ratio``.
    """
    alpha = smoothness
    product = alpha * margin_exponent
    root = alpha * (2 - margin_exponent)
    notes = []
    if margin_exponent >= 2:
        notes.append(f"beta = {margin_exponent:g} is not below 2")
    if product >= 1 - ROUNDING:
        order = "k is of order n or more, up to logarithms"
        notes.append(f"alpha beta = {product:.2f} reaches 1, so {order}")
    if root < 1 - ROUNDING:
        reason = "for large n the root in (C) is too large"
        notes.append(f"alpha (2 - beta) = {root:.2f} is below 1: {reason}")
    return notes
