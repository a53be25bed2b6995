"""Fast rates for a kNN rule that is robust to unknown, asymmetric label noise: formulas of Reeve &
Kaban.

Source: "Fast Rates for a kNN Classifier Robust to Unknown Asymmetric Label Noise". The rule,
``Robust(votes="order")``, is Algorithm 2. It estimates the flip rates p0 and p1 by the extremes of
the fraction of class 1 among the k nearest, each point being its own first neighbor. That needs an
eta that reaches 0 and 1 (Assumption 2). A bound whose condition fails is infinite;
``unmet_conditions`` says why. Letters are ours: alpha and L for the paper's lambda and omega, beta
and M for its alpha and C_alpha. Probabilities are over the noisy sample.

k, n, delta
    Neighbors that vote and estimate the rates, sample size, failure probability.
noise
    ``LabelNoise`` of flip rates p0 and p1; the contrast is 1 - p0 - p1, and eta_corr = p0 +
    contrast eta.
smoothness, smoothness_constant
    alpha and L with abs(f(x) - f(x')) <= L mu(B)^alpha, B being the open ball around x that ends at
    x'. For f = eta_corr L is that of eta times the contrast; Theorem 4.3 has that of eta.
margin_exponent, margin_constant
    beta and M >= 1 with mu(0 < abs(eta - 1/2) < t) <= M t^beta for all t > 0; 0 and 1 always hold.
any_k
    Whether to compute a formula for every k, as a picture needs it, whatever its theorem covers.
"""

from functools import lru_cache
from math import ceil, exp, inf, log1p, sqrt
from typing import Literal, NamedTuple

import numpy as np
from scipy.special import betaincc

from knnviz.bounds.arguments import MOST, formula
from knnviz.bounds.arithmetic import bias, log_over, masses_near_zero, power, rate_root
from knnviz.checks import TIE_TOL, require
from knnviz.noise import LabelNoise, misled_points
from knnviz.problems import Problem
from knnviz.problems.base import FINE_GRID

#: Statements with conditions on k.
Statement = Literal["lemma_4_1", "theorem_4_1", "theorem_4_2", "theorem_4_3"]

#: As printed, k - 1 must reach 4 log(such a count / delta).
PRINTED_COUNTS = {"lemma_4_1": 1, "theorem_4_1": 3, "theorem_4_2": 2, "theorem_4_3": 3}

#: Cells by default. Numbers with many divisors, so that simple fractions are edges of cells.
SMOOTHNESS_CELLS = 360
MARGIN_CELLS = 2520

#: Halvings of a steep cell, twice, and the growth of step / mass^alpha over the later ones that
#: counts as unbounded. Where eta bends, a bounded ratio grows a little. Cells are steep whose step
#: is this fraction of the largest.
STEEP_HALVINGS = 10
STEEP_GROWTH = 1.01
STEEP = 0.25

#: Halvings of a cell where eta passes 1/2; margins whose masses show how flat eta is there, and the
#: growth of mass / margin^beta between these that counts as unbounded.
MARGIN_HALVINGS = 36
NEAR_HALF = (1e-11, 1e-6)
MARGIN_GROWTH = 2


class KRange(NamedTuple):
    """All k from ``least`` to ``most``, both included; none if ``least`` is the larger."""

    least: int
    most: int


@formula
def k_range(
    n: int, delta: float, statement: Statement = "theorem_4_3", *, as_printed: bool = False
) -> KRange:
    """The k that a statement, named as its function, covers: k - 1 from a multiple of a logarithm,
    k to n / 2.

    Lemma 4.1 and Theorem 4.1 hold as printed. Theorem 4.2 takes a union over n points with Theorem
    4.1 at delta / (2 n), so k - 1 >= 4 log(6 n / delta), not 4 log(2 / delta). Theorem 4.3 uses
    Theorem 4.2 at delta / 3 and Theorem 4.1 at delta^2 / 3, so k - 1 >= max(4 log(18 n / delta), 8
    log(3 / delta)), not 4 log(3 / delta).
    """
    counts = PRINTED_COUNTS
    if not as_printed:
        counts = counts | {"theorem_4_2": 6 * n, "theorem_4_3": 18 * n}
    least = 4 * log_over(counts[statement], delta)
    if statement == "theorem_4_3" and not as_printed:
        least = max(least, 8 * log_over(3, delta))
    return KRange(ceil(least) + 1, n // 2)


@formula
def unmet_conditions(
    statement: Statement,
    *,
    k: int,
    n: int,
    delta: float,
    smoothness: float = 1.0,
    smoothness_constant: float = 0.0,
) -> list[str]:
    """Conditions on n and k that a statement has and that are not met, in words.

    With alpha and L also that of Theorem 4.3's rate: n >= 5 (10 L^2)^(1 / (2 alpha)) log(18 n
    / delta).
    """
    least, most = k_range(n, delta, statement)
    found = []
    if not least <= k <= most:
        found.append(f"the proof needs k from {least} to {most}")
    L = smoothness_constant
    needed = 5 * power(10 * L * L, 1 / (2 * smoothness)) * log_over(18 * n, delta)
    if n < needed:
        rate = "5 (10 L^2)^(1 / (2 alpha)) log(18 n / delta)"
        found.append(f"the rate needs n >= {rate} = {needed:.4g}")
    return found


@formula
def lemma_3_1(noise: LabelNoise, fraction_error: float, p0_error: float, p1_error: float) -> float:
    """Lemma 3.1: eta-hat is off by at most 8 times the largest error, over the contrast.

    eta-hat = (e - p0-hat) / (1 - p0-hat - p1-hat), where e estimates eta_corr. For errors of the
    rates of at most contrast / 4, up to rounding: then the denominator is at least contrast / 2.
    """
    if max(p0_error, p1_error) > noise.contrast / 4 + TIE_TOL:
        return inf
    return 8 * max(fraction_error, p0_error, p1_error) / noise.contrast


class BallMass(NamedTuple):
    """Probability that a ball up to the k-th neighbor has a large mass: its ``bound``, and exactly
    without atoms.
    """

    bound: float
    exact: float


@formula
def lemma_3_2(k: int, n: int, zeta: float) -> BallMass:
    """Lemma 3.2: the mass exceeds (1 + zeta) k / n with probability at most exp(-k (zeta - log(1 +
    zeta))).

    For zeta >= 0. Without atoms the mass of the open ball has a Beta(k, n - k + 1) distribution.
    """
    return _ball_mass(k, n, k, zeta)


@formula
def corollary_3_1(k: int, n: int, zeta: float) -> BallMass:
    """Corollary 3.1: around a point of the sample, its own first neighbor: exp(-(k - 1) (zeta -
    log(1 + zeta))).

    Printed with the k-th neighbor of x; that of the sample point is meant, the (k - 1)-th of n - 1
    others.
    """
    return _ball_mass(k, n, k - 1, zeta)


def _ball_mass(k: int, n: int, others: int, zeta: float) -> BallMass:
    require(k <= n, f"k must not exceed the number of points, got k = {k:g} with n = {n:g}")
    bound = exp(-others * (zeta - log1p(zeta)))
    if not others:
        return BallMass(bound, 0.0)
    mass = min(1.0, (1 + zeta) * k / n)
    exact = float(betaincc(others, float(n - k + 1), mass))
    return BallMass(bound, exact)


@formula
def lemma_4_1(k: int, n: int, delta: float, smoothness: float, smoothness_constant: float) -> float:
    """Lemma 4.1: with probability 1 - delta f at one of the k nearest of X is within L (2 k /
    n)^alpha of f(X).

    X is a fixed point or a fixed one of the sample. Also see ``k_range``.
    """
    change = bias(k, n, smoothness, smoothness_constant)
    if unmet_conditions("lemma_4_1", k=k, n=n, delta=delta):
        return inf
    return change


class ErrorTerms(NamedTuple):
    """Deviation of k votes, and change of f over their ball; their sum bounds the error."""

    vote: float
    bias: float


@formula
def theorem_4_1(
    k: int, n: int, delta: float, smoothness: float, smoothness_constant: float
) -> ErrorTerms:
    """Theorem 4.1: abs(f-hat(X) - f(X)) <= sqrt(log(3 / delta) / (2 k)) + L (2 k / n)^alpha, X as
    in Lemma 4.1.

    With probability 1 - delta. f-hat is the mean of the k nearest responses, which lie in [0, 1].
    """
    vote = sqrt(log_over(3, delta) / (2 * k))
    change = bias(k, n, smoothness, smoothness_constant)
    if unmet_conditions("theorem_4_1", k=k, n=n, delta=delta):
        return ErrorTerms(inf, inf)
    return ErrorTerms(vote, change)


@formula
def theorem_4_2(
    k: int,
    n: int,
    delta: float,
    smoothness: float,
    smoothness_constant: float,
    *,
    any_k: bool = False,
) -> ErrorTerms:
    """Theorem 4.2: abs(max f-hat - sup f) <= sqrt(log(6 n / delta) / (2 k)) + 2 L (2 k / n)^alpha.

    With probability 1 - delta, the maximum being over the sample; likewise for the minimum. The
    proof covers fewer k than printed: ``k_range``.
    """
    vote = sqrt(log_over(6 * n, delta) / (2 * k))
    change = 2 * bias(k, n, smoothness, smoothness_constant)
    if not any_k and unmet_conditions("theorem_4_2", k=k, n=n, delta=delta):
        return ErrorTerms(inf, inf)
    return ErrorTerms(vote, change)


@formula
def largest_error(
    k: int, n: int, delta: float, smoothness: float, smoothness_constant: float
) -> ErrorTerms:
    """Inequality (12), for every k: xi <= sqrt(log(18 n / delta) / k) + 2 L (2 k / n)^alpha.

    In the proof of Theorem 4.3 xi bounds the errors of the fraction of votes and of both estimated
    rates.
    """
    vote = sqrt(log_over(18 * n, delta) / k)
    return ErrorTerms(vote, 2 * bias(k, n, smoothness, smoothness_constant))


@formula
def theorem_4_3(
    k: int,
    n: int,
    delta: float,
    noise: LabelNoise,
    *,
    smoothness: float,
    smoothness_constant: float,
    margin_exponent: float = 0,
    margin_constant: float = 1,
    tight: bool = False,
    any_k: bool = False,
) -> float:
    """Theorem 4.3: with probability 1 - delta the excess risk is at most M (8 xi / contrast)^(beta
    + 1) + delta.

    Inequality (11), with xi of (12); the proof covers fewer k than printed: ``k_range``. ``tight``
    is 2 M (2 xi / contrast)^(beta + 1) + delta: a wrong decision needs abs(eta - 1/2) <= 2 xi /
    contrast. Through it the theorem holds without the condition of Lemma 3.1, and although its
    proof has abs(eta - 1/2) for abs(2 eta - 1).
    """
    xi = sum(largest_error(k, n, delta, smoothness, smoothness_constant))
    if not any_k and unmet_conditions("theorem_4_3", k=k, n=n, delta=delta):
        return inf
    lead = 8 / noise.contrast * xi
    if tight:
        lead /= 4
        margin_constant *= 2
    return margin_constant * power(lead, margin_exponent + 1) + delta


@formula
def theorem_4_3_rate(
    n: int,
    delta: float,
    noise: LabelNoise,
    *,
    smoothness: float,
    smoothness_constant: float,
    margin_exponent: float = 0,
    margin_constant: float = 1,
) -> float:
    """Theorem 4.3 with k = k_n: excess at most M (K / contrast)^(beta + 1) (log(18 n / delta) /
    n)^r + delta.

    K = 2^(2 alpha + 5) L^(1 / (2 alpha + 1)), r is ``exponent``; for n as in ``unmet_conditions``.
    k_n is in the range of the proof if delta >= 1 / (2 n), L >= 1 and alpha <= 1. The proof calls a
    bound on xi(k_n) its value.
    """
    k = k_n(n, delta, smoothness, smoothness_constant)
    if unmet_conditions(
        "theorem_4_3",
        k=k,
        n=n,
        delta=delta,
        smoothness=smoothness,
        smoothness_constant=smoothness_constant,
    ):
        return inf
    root = rate_root(smoothness)
    error = power(2, 2 * smoothness + 5) * smoothness_constant**root
    error *= (log_over(18 * n, delta) / n) ** (smoothness * root)
    return margin_constant * power(error / noise.contrast, margin_exponent + 1) + delta


@formula
def k_n(n: int, delta: float, smoothness: float, smoothness_constant: float) -> int:
    """k of the rate: (log(18 n / delta) / (2 L^2))^(1 / (2 alpha + 1)) n^(2 alpha / (2 alpha + 1)),
    rounded up.

    For a small n and L it exceeds n / 2, even n, and the theorem does not cover it. From 1 to
    1e300.
    """
    root = rate_root(smoothness)
    log_term = (log_over(18 * n, delta) / 2) ** root
    votes = log_term * power(smoothness_constant, -2 * root)
    k = votes * n ** (2 * smoothness * root)
    return max(1, ceil(min(k, MOST)))


@formula
def exponent(smoothness: float, margin_exponent: float = 0) -> float:
    """alpha (beta + 1) / (2 alpha + 1), the exponent of 1 / n in the rate.

    Where alpha * beta <= 1 no learner does better, with or without noise (Audibert & Tsybakov
    2007).
    """
    return smoothness * (margin_exponent + 1) * rate_root(smoothness)


@formula
def theorem_5_1(problem: Problem, noise: LabelNoise, n_cells: int | None = None) -> float:
    """E[abs(2 eta - 1); A_0]: the least excess risk that a learner which is consistent on noisy
    labels tends to.

    Theorem 5.1 states only that it is inconsistent if A_0 has mass; the amount is ours. Where
    eta_corr is 1/2 any prediction is consistent: the limit of kNN, ``risk.vote_limit``, can lie
    higher. ``n_cells`` is that of the grid.
    """
    measure, eta = problem.cells(n_cells or FINE_GRID[problem.dimension])
    misled = misled_points(eta, noise.corrupt(eta))
    excess = misled * abs(2 * eta[:, 1] - 1)
    # Summed without BLAS, whose threads take longer to wake than the sum takes.
    return float((measure.weights * excess).sum())


@formula
def least_smoothness_constant(
    problem: Problem, smoothness: float, n_cells: int = SMOOTHNESS_CELLS
) -> float:
    """Assumption 3: the smallest L of eta for this alpha, on a line and where mu has mass.

    The largest ratio over pairs of edges of cells: a lower bound, exact if the worst pair is one of
    them. Infinite at a jump, where eta is too steep for this alpha, and for alpha > 1 unless eta is
    constant: there the ratio keeps growing as the steepest cells are halved. A slope within a
    thousandth of a cell counts as a jump.
    """
    edges = np.linspace(*problem.box[0], n_cells + 1)
    weights = problem.measure(n_cells).weights
    values = _from_half(problem, edges)
    steps = abs(np.diff(values)) * (weights > 0)
    steep = (steps >= STEEP * steps.max()) & (steps > TIE_TOL)
    low = edges[:-1][steep]
    high = edges[1:][steep]

    # Steps of eta over the steepest parts of those cells, halved and halved again.
    over = []
    for _ in range(2):
        for _ in range(STEEP_HALVINGS):
            middle = (low + high) / 2
            a, value, b = (_from_half(problem, x) for x in (low, middle, high))
            left = abs(value - a) >= abs(b - value)
            low = np.where(left, low, middle)
            high = np.where(left, middle, high)
        over.append(abs(_from_half(problem, high) - _from_half(problem, low)))
    grows = over[1] * 2 ** (STEEP_HALVINGS * smoothness) > STEEP_GROWTH * over[0]
    is_jump = (over[1] > TIE_TOL) & grows
    if (smoothness > 1 and steep.any()) or is_jump.any():
        return inf

    i, j, before, after = _pairs(n_cells)
    cumulative = np.append(0, np.cumsum(weights))
    around_i = cumulative[j] - cumulative[before]
    around_j = cumulative[after] - cumulative[i]
    mass = np.minimum(around_i, around_j)
    inside = np.append(weights, 0) + np.append(0, weights) > 0
    compared = inside[i] & inside[j] & (mass > TIE_TOL)
    differences = abs(values[i] - values[j])[compared]
    ratios = differences / mass[compared] ** smoothness
    return float(ratios.max(initial=0))


@lru_cache(maxsize=4)
def _pairs(n_cells: int) -> tuple[np.ndarray, ...]:
    """Pairs of edges i < j, and where on the other side the ball around i that ends at j ends, and
    that around j.
    """
    i, j = np.triu_indices(n_cells + 1, 1)
    before = np.maximum(2 * i - j, 0)
    after = np.minimum(2 * j - i, n_cells)
    return i, j, before, after


@formula
def least_margin_constant(
    problem: Problem, margin_exponent: float, n_cells: int = MARGIN_CELLS
) -> float:
    """Assumption 4: the smallest M >= 1 of eta for this beta, on a line.

    eta is taken as linear in a cell; cells where it passes 1/2 are halved. Infinite where it passes
    too flatly for this beta: then the ratio of mass to t^beta grows as t falls. A beta too large by
    less than 0.1 may go undetected.
    """
    edges = np.linspace(*problem.box[0], n_cells + 1)
    weights = problem.measure(n_cells).weights
    values = _from_half(problem, edges)
    a = values[:-1]
    b = values[1:]
    meets = (weights > 0) & (a * b <= 0) & (a != b)

    points = [edges]
    low = edges[:-1][meets]
    high = edges[1:][meets]
    a = a[meets]
    for _ in range(MARGIN_HALVINGS):
        middle = (low + high) / 2
        value = _from_half(problem, middle)
        changes_sign = np.sign(value) != np.sign(a)
        left = np.where(value == 0, a != 0, changes_sign)
        low = np.where(left, low, middle)
        high = np.where(left, middle, high)
        a = np.where(left, a, value)
        points.append(middle)

    x = np.unique(np.concatenate(points))
    margins = abs(_from_half(problem, x))
    cumulative = np.append(0, np.cumsum(weights))
    masses = np.diff(np.interp(x, edges, cumulative))
    least, most = np.sort([margins[:-1], margins[1:]], axis=0)
    t, mass = masses_near_zero(least, most, masses)
    counted = t > NEAR_HALF[0]
    ratios = mass[counted] / t[counted] ** margin_exponent
    near = ratios[t[counted] <= NEAR_HALF[1]]
    if len(near) and near[0] > MARGIN_GROWTH * near[-1]:
        return inf
    return float(ratios.max(initial=1))


def _from_half(problem: Problem, x: np.ndarray) -> np.ndarray:
    """eta - 1/2 (m,) at positions x (m,), 0 if within ``TIE_TOL``."""
    values = problem.eta(x[:, None])[:, 1] - 0.5
    return np.where(abs(values) <= TIE_TOL, 0, values)
