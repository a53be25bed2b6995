"""Nearest neighbors with randomly flipped labels: formulas of Gao, Niu & Zhou.

Source: "On the Resistance of Nearest Neighbor to Random Noisy Labels". Points lie in [0, 1]^d, eta
is L-Lipschitz there, labels of class 0 and 1 flip with probabilities p0 and p1, and risks are on
true labels, in expectation over samples. A noisy label is of class 1 with probability eta_corr = p0
+ contrast eta, where contrast = 1 - p0 - p1. The plain vote predicts class 1 if its fraction among
the k nearest noisy labels is at least 1/2, robust kNN if it is at least theta = (1 + p0 - p1) / 2.
A bound whose condition fails is infinite; ``unmet_conditions`` says why.

Symbols
-------
k, n : neighbors that vote, sample size.
noise, tau : flip rates p0 and p1; where tau occurs, p0 = p1 = tau.
lipschitz, dimension : L, which no function checks against eta, and d.
bayes_risk : R*.
"""

from math import ceil, exp, inf, log, sqrt
from typing import Literal, NamedTuple

import numpy as np
import scipy
from scipy.special import betainc

from knnviz.bounds.arguments import formula
from knnviz.bounds.arithmetic import least_int, power
from knnviz.checks import TIE_TOL, Weights, require
from knnviz.noise import LabelNoise, misled_points, theta
from knnviz.problems import Problem

#: Statements with conditions.
Statement = Literal[
    "theorem_1",
    "theorem_2",
    "theorem_3",
    "theorem_4",
    "theorem_5",
    "corollary_1",
    "lemma_5",
    "shalev_shwartz_ben_david",
]

#: Fewest votes of a statement.
LEAST_VOTES = {"theorem_2": 8, "corollary_1": 8, "lemma_5": 8, "shalev_shwartz_ben_david": 10}


@formula
def unmet_conditions(
    statement: Statement, *, k: int, n: int, tau: float = 0.0, problem: Problem | None = None
) -> list[str]:
    """Conditions that a statement, named as its function, has and that are not met, in words."""
    box = [(0.0, 1.0)] if problem is None else problem.box
    is_inside = all(0 <= low <= high <= 1 for low, high in box)
    least = LEAST_VOTES.get(statement, 1)
    found = {
        f"k is below {least}": k < least,
        "k is above n": k > n,
        "tau is not below 1/2": tau >= 0.5,
        "points lie outside [0, 1]^d": not is_inside,
    }
    return [words for words, unmet in found.items() if unmet]


class BoxTerms(NamedTuple):
    """Delta, the side of a box (mu in the paper), and the terms for votes that deviate and boxes of
    few points.
    """

    margin: float
    side: float
    vote: float
    cover: float


@formula
def boxes(k: int, n: int, noise: LabelNoise, lipschitz: float, dimension: int) -> BoxTerms:
    """Delta = max(2 sqrt d r^(d / (1 + d)) (k sqrt d / n)^(1 / (1 + d)), sqrt(log k / k)), r =
    contrast L, and more.

    Gao et al., Theorems 1 and 5. The side s is Delta / (2 r sqrt d), the vote term 1 / sqrt k and
    the cover term 2 (r / sqrt d)^(d / (1 + d)) (k / n)^(1 / (1 + d)). The paper takes 1 / s to be
    whole. Other s < 1 need ceil(1 / s)^d boxes in place of s^(-d). Lemma 1 holds with half its
    right side, which makes up for that if (1 + s)^d <= 2, on a line always. A box of side 1 or more
    holds the whole cube.
    """
    d = dimension
    r = noise.contrast * lipschitz
    scale = (r / sqrt(d)) ** (d / (1 + d))
    cover = 2 * scale * (k / n) ** (1 / (1 + d))
    # The first of the two lengths is d times the cover term.
    margin = max(d * cover, sqrt(log(k) / k))
    side = margin / (2 * r * sqrt(d)) if r > 0 else inf
    return BoxTerms(margin, side, 1 / sqrt(k), cover)


class BoxBound(NamedTuple):
    """The bound ``value`` and its ``limit`` as k grows and k / n vanishes.

    ``hard_mass`` is P(A_Delta) or P(A'_Delta). The limit of the plain vote holds only if
    ``tie_mass`` is 0: the mass where eta_corr equals the threshold but eta is not 1/2, so that the
    vote stays a fair coin.
    """

    value: float
    limit: float
    hard_mass: float
    tie_mass: float


@formula
def theorem_1(
    problem: Problem, k: int, n: int, noise: LabelNoise, lipschitz: float, n_cells: int = 1000
) -> BoxBound:
    """R* + P(A_Delta) + vote + cover term of ``boxes`` bounds the risk of the plain vote, for
    points in [0, 1]^d.

    Gao et al., Theorem 1. A_Delta are the points where eta_corr is not beyond 1/2 by Delta on the
    side of eta. The limit R* + P(A_0) counts a misled point as 1, the risk itself
    (``risk.vote_limit``) as ``|2 eta - 1|``. Masses are measured on ``n_cells`` cells along a
    coordinate. Proved if 1 / side is whole, the side at least 1, or (1 + side)^d at most 2.
    """
    return _box_bound(problem, k, n, noise, lipschitz, n_cells, 0.5)


@formula
def theorem_5(
    problem: Problem, k: int, n: int, noise: LabelNoise, lipschitz: float, n_cells: int = 1000
) -> BoxBound:
    """R* + P(A'_Delta) + vote + cover term of ``boxes`` bounds the risk of robust kNN with known
    rates.

    Gao et al., Theorem 5. ``A'_Delta = {0 < |eta - 1/2| < Delta / contrast}``: there eta_corr is
    within Delta of theta. A'_0 is empty, and the limit is R*. Proved for the sides of
    ``theorem_1``.
    """
    threshold = float(theta(noise.p0, noise.p1))
    return _box_bound(problem, k, n, noise, lipschitz, n_cells, threshold)


def _box_bound(
    problem: Problem,
    k: int,
    n: int,
    noise: LabelNoise,
    lipschitz: float,
    n_cells: int,
    threshold: float,
) -> BoxBound:
    terms = boxes(k, n, noise, lipschitz, problem.dimension)
    measure, eta = problem.cells(n_cells)
    corrupted = noise.corrupt(eta)
    # No frequency is 1 away from a threshold inside (0, 1), so that a larger Delta makes no
    # difference.
    hard = misled_points(eta, corrupted, threshold, min(terms.margin, 1.0))
    misled = misled_points(eta, corrupted, threshold)
    ties = abs(corrupted[:, 1] - threshold) <= TIE_TOL
    ties &= abs(eta[:, 1] - 0.5) > TIE_TOL

    sets = (eta.min(axis=1), hard, misled, ties)
    bayes_risk, hard_mass, misled_mass, tie_mass = (float(measure.weights @ each) for each in sets)
    value = bayes_risk + hard_mass + terms.vote + terms.cover
    if unmet_conditions("theorem_1", k=k, n=n, problem=problem):
        value = inf
    return BoxBound(value, bayes_risk + misled_mass, hard_mass, tie_mass)


@formula
def theorem_2(
    k: int,
    n: int,
    tau: float,
    lipschitz: float,
    dimension: int,
    bayes_risk: float,
    *,
    as_proved: bool = False,
) -> float:
    """R* + a R* / sqrt k + a tau / (sqrt k (1 - 2 tau)) + 5 max(L, sqrt L) sqrt d (k / n)^(1 / (1 +
    d)).

    Gao et al., Theorem 2, bounds the risk of the plain vote for k >= 8. As printed a = sqrt 2; the
    proof uses Lemma 4, which is false: corrected, it gives 2 sqrt 2 (``as_proved``). The factor 5
    still suffices, also where 1 / mu in the proof is not whole. The printed a is not refuted: votes
    of equal probability need less (``binomial_constant``).
    """
    if unmet_conditions("theorem_2", k=k, n=n, tau=tau):
        return inf
    vote = sqrt(2 / k)
    if as_proved:
        vote *= 2
    rate = (k / n) ** (1 / (1 + dimension))
    bias = _bias_factor(lipschitz, dimension) * rate
    return bayes_risk + vote * (bayes_risk + tau / (1 - 2 * tau)) + bias


@formula
def corollary_1(k: int, n: int, lipschitz: float, dimension: int, bayes_risk: float) -> float:
    """Gao et al., Corollary 1: Theorem 2 without noise, tau = 0."""
    return theorem_2(k, n, 0, lipschitz, dimension, bayes_risk)


def _bias_factor(lipschitz: float, dimension: int) -> float:
    return 5 * max(lipschitz, sqrt(lipschitz)) * sqrt(dimension)


@formula
def shalev_shwartz_ben_david(
    k: int, n: int, *, lipschitz: float, dimension: int, bayes_risk: float
) -> float:
    """R* + 2 sqrt 2 R* / sqrt k + (6 L sqrt d + k) / n^(1 / (1 + d)), for k >= 10: Corollary 1 is
    compared with it.

    Shalev-Shwartz & Ben-David, "Understanding Machine Learning", Theorem 19.5.
    """
    if unmet_conditions("shalev_shwartz_ben_david", k=k, n=n):
        return inf
    root = n ** (1 / (1 + dimension))
    bias = (6 * lipschitz * sqrt(dimension) + k) / root
    return bayes_risk + sqrt(8 / k) * bayes_risk + bias


@formula
def bias_crossover(*, lipschitz: float, dimension: int) -> float:
    """Least k >= 10 from which on the last term of Corollary 1 is below that of Shalev-Shwartz &
    Ben-David.

    For the comparison after Corollary 1 of Gao et al. Both terms fall like n^(-1 / (1 + d)), so
    that n does not matter: 5 max(L, sqrt L) sqrt d k^(1 / (1 + d)), concave in k, is compared with
    6 L sqrt d + k.
    """
    factor = _bias_factor(lipschitz, dimension)
    exponent = 1 / (1 + dimension)
    # The difference is largest at the peak, and falls from there on, in the end below 0.
    peak = max(10.0, power(factor * exponent, 1 / (1 - exponent)))
    # Beyond this the search would leave the doubles.
    if peak > 1e300:
        return inf

    def below(k: int) -> bool:
        return factor * k**exponent < 6 * lipschitz * sqrt(dimension) + k

    start = int(peak)
    if below(start) and below(start + 1):
        return 10
    return least_int(below, start + 1)


class OneNNBound(NamedTuple):
    """Limits for large n below and above, and what a finite n adds on either side."""

    limit_lower: float
    limit_upper: float
    slack: float


@formula
def theorem_3(
    n: int, tau: float, *, lipschitz: float, dimension: int, bayes_risk: float
) -> OneNNBound:
    """The risk of 1-NN is from R* + tau (1 - 2 R*) - slack to 2 R* + tau (1 - 4 R*) + slack.

    Gao et al., Theorem 3, with slack = 3 L sqrt d (1 - 2 tau) / (2 n^(1 / (1 + d))): the proof
    gives the factor 1 - 2 tau. The limit itself is ``risk.one_nn_limit``. Without noise Cover &
    Hart's upper one is 2 R* (1 - R*).
    """
    if tau >= 0.5:
        return OneNNBound(-inf, inf, inf)
    lower = bayes_risk + tau * (1 - 2 * bayes_risk)
    upper = 2 * bayes_risk + tau * (1 - 4 * bayes_risk)
    root = n ** (1 / (1 + dimension))
    slack = 3 * lipschitz * sqrt(dimension) * (1 - 2 * tau) / (2 * root)
    return OneNNBound(lower, upper, slack)


@formula
def theorem_4(k: int, noise: LabelNoise) -> float:
    """e^(-1/2) / (contrast sqrt k): at a fixed k the excess of robust kNN with known rates tends to
    at most this.

    It is no bound at a finite n. Gao et al., Theorem 4, by Hoeffding's inequality: it is the
    largest 2 t exp(-2 k contrast^2 t^2) over t = ``|eta - 1/2|``. They infer R* + O(1 / sqrt k)
    from Theorem 5, whose Delta does not vanish at a fixed k. It holds for
    ``Robust(variant="threshold")``; the variant "gao" may exceed it at an even k.
    """
    return exp(-0.5) / (noise.contrast * sqrt(k))


class LemmaSides(NamedTuple):
    """Both sides of a lemma that says ``left`` <= ``right``."""

    left: float
    right: float


@formula
def lemma_4(k: int, p: float) -> LemmaSides:
    """(1 - 2 p) exp(k (1/2 - p + log(2 p) / 2)) against sqrt 2 p / sqrt k, for k >= 8 and p <= 1/2.
    **It is false.**

    Gao et al., Lemma 4. For k = 8 and p = 1/4 the left side is 0.2309, the right one 0.1250.
    """
    left = 0.0
    if p:
        exponent = k * (0.5 - p + log(2 * p) / 2)
        left = (1 - 2 * p) * exp(exponent)
    right = sqrt(2) * p / sqrt(k)
    return LemmaSides(left, right)


@formula
def chernoff_constant(k: int) -> float:
    """Least a for which Lemma 4 of Gao et al. holds with a in place of its sqrt 2, for all p.

    The ratio of the sides is largest at p = (1 - sqrt(2 / k)) / 2. From 2.612 at k = 8 the
    constant, which is ours, falls to 2 sqrt 2 e^(-1/2) = 1.7155 as k grows. The lemma has k >= 8;
    below, the constant is inf.
    """
    if k < 8:
        return inf
    p = (1 - sqrt(2 / k)) / 2
    left, right = lemma_4(k, p)
    return sqrt(2) * left / right


@formula
def binomial_constant(k: int) -> float:
    """Least a for which (1 - 2 p) P(Bin(k, p) >= k / 2) <= a p / sqrt k for all p: 0.738 at k = 8.

    Lemma 5 of Gao et al. needs this with a = sqrt 2, for votes of equal probability. The constant
    is ours.
    """
    majority = ceil(k / 2)

    def negative_ratio(z: float) -> float:
        two_p = 1 - z / sqrt(k)
        wrong = betainc(majority, k - majority + 1, two_p / 2)
        return float(-2 * z * wrong / two_p)

    found = scipy.optimize.minimize_scalar(
        negative_ratio,
        bounds=(0, min(2, sqrt(k))),
        method="bounded",
        options={"xatol": 1e-9},
    )
    return float(-found.fun)


@formula
def lemma_5(votes: Weights, tau: float = 0.0) -> LemmaSides:
    """P(y != majority of the votes) against (1 + sqrt(2 / k)) min(p, 1 - p) + sqrt 2 tau / (sqrt k
    (1 - 2 tau)).

    Gao et al., Lemma 5, for k >= 8. ``votes`` (k,) are the probabilities of class 1 of independent
    noisy labels, and p = (their mean - tau) / (1 - 2 tau) in [0, 1] is that of the true label y.
    The left side is exact, by convolution.
    """
    k = len(votes)
    if unmet_conditions("lemma_5", k=k, n=k, tau=tau):
        return LemmaSides(1.0, inf)
    mean = np.mean(votes)
    p = float(mean - tau) / (1 - 2 * tau)
    is_fraction = -TIE_TOL <= p <= 1 + TIE_TOL
    require(is_fraction, f"the mean of votes must be from tau to 1 - tau, got {mean:g}")

    counts = np.ones(1)
    for vote in votes:
        counts = np.convolve(counts, [1 - vote, vote])
    ones = float(counts[ceil(k / 2) :].sum())
    left = p * (1 - ones) + (1 - p) * ones
    error = min(p, 1 - p)
    right = error + sqrt(2 / k) * (error + tau / (1 - 2 * tau))
    return LemmaSides(left, right)
