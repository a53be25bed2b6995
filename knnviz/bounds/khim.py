"""Class-weighted nearest neighbors for many classes: formulas of Khim, Xu & Singh.

Source: "Multiclass Classification via Class-Weighted Nearest Neighbors". The rule is
``Weighted(q)``, which predicts the class with the largest q_c eta-hat_c, where eta-hat_c is the
fraction of class c among the k nearest. The weighted Bayes rule f*_q has eta_c in its place, and
its margin Delta_q(x) is the largest q_c eta_c(x) minus the second largest. The disagreement is
P(f(X) != f*_q(X)). Multiplying q by a number changes no decision, and here no bound on a
probability. Classes are 0..C-1; class 1 of the paper is class 0. ``as_printed`` chooses the printed
form of a formula that is corrected here. A bound whose condition fails is infinite;
``unmet_conditions`` says why.

Symbols
-------
k, n, delta
    Neighbors that vote, sample size, failure probability.
q
    Weights (C,), with the largest q_max.
smoothness, smoothness_constant
    alpha and L with abs(eta_c(x) - eta_c(B)) <= L mu(B)^alpha for all classes and all closed balls
    B around x.
margin_exponent, margin_constant
    beta and M with P(Delta_q(X) <= t) <= M t^beta for all t > 0.
holder_exponent, holder_constant
    alpha in (0, 1] and L with abs(eta_c(x) - eta_c(x')) <= L times the distance to the power alpha.
mass_constant, dimension
    p* and d: a ball of radius r <= r* has mass at least p* r^d, with r* as the unit of distances.
    By default p* is that of uniform points on the cube [0, 1]^d, 1 on the line.
tne, fne
    Mass of the error band of a class (``regions.error_band``, ``threshold_mass``): that of the
    other classes in it, and that of the class itself. Only a known distribution gives them.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, erfc, exp, gamma, inf, lgamma, log, log2, pi, sqrt
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.fft import dct
from scipy.special import expit

from knnviz import checks
from knnviz.bounds import chaudhuri_dasgupta
from knnviz.bounds.arguments import formula
from knnviz.bounds.arithmetic import bias, ceil_rounded, least_int, log_over, power, rate_root
from knnviz.checks import Weights
from knnviz.problems import Problem
from knnviz.weights.entries import Entries

#: gamma_2 of Theorem 2: neither of two deviations happens, each of which has a probability of at
#: most e^-2.
GAMMA_2 = 1 - 2 * exp(-2)

#: From this dimension on (2 / r)^d balls are too few to cover the cube. Up to 13 they suffice; in
#: between is open here.
UNCOVERED = 63

#: Thresholds that differ by less count as equal. The edges of a band depend on thresholds, and get
#: the same slack.
SAME_THRESHOLD = 1e-9

#: Distances from the middle of a bump at which integrals over it are summed.
RADII = 2000

#: Cells across half a bump. The range of the log-likelihood ratio is divided into intervals of this
#: length, with this many cells each, and ends so many standard deviations beyond the mean. Only so
#: many intervals get cells of their own: with more the guess is almost certain.
HALF_BUMP_CELLS = 50
INTERVAL_LENGTH = 20.0
INTERVAL_CELLS = 512
DEVIATIONS = 8
MOST_INTERVALS = 64

#: Statements with conditions.
Statement = Literal[
    "theorem_1",
    "theorem_3",
    "corollary_1",
    "corollary_2",
    "corollary_2_excess",
    "remark_1",
    "proposition_1",
    "lemma_9",
]

#: Least k of a statement over log(2 / delta), and its largest k over n, unless that is 1.
LEAST_K = {"theorem_1": 4, "corollary_1": 16, "remark_1": 16, "corollary_2": 16}
MOST_K = {"corollary_2_excess": 0.5, "proposition_1": 0.5, "lemma_9": 0.5}


@formula
def unmet_conditions(
    statement: Statement,
    *,
    k: float,
    n: int,
    delta: float = 1.0,
    mass_constant: float | None = None,
    dimension: int = 1,
) -> list[str]:
    """Conditions that a statement, named as its function, has and that are not met, in words.

    They are k > 4 log(2 / delta) in Theorem 1, k >= 16 log(2 / delta) in Corollary 1 and what
    follows from it (printed in Remark 1 alone), k <= n / 2 in Lemma 9 and bounds on the excess, k
    <= p* n / 2 and d < 63 in Theorem 3.
    """
    least = LEAST_K.get(statement, 0) * log_over(2, delta)
    most = MOST_K.get(statement, 1.0)
    if statement == "theorem_3":
        most = _p_star(mass_constant, dimension) / 2
    found = {
        "k is too small": k < least,
        "k is too large": k > most * n,
        "d is too large": dimension >= UNCOVERED,
    }
    return [words for words, unmet in found.items() if unmet]


def _log_term(q: Weights, delta: float) -> float:
    """log C + 2 log(2 / delta): weighted fractions of k votes deviate by up to q_max sqrt(2 / k
    times this).
    """
    return log(len(q)) + 2 * log_over(2, delta)


class BoundaryBound(NamedTuple):
    """With probability 1 - delta the disagreement is at most delta + the mass of the effective
    boundary of p and Delta.

    ``mass`` is p, ``margin`` Delta. Everything is in the boundary if p > 1 or Delta > q_max.
    """

    mass: float
    margin: float


@formula
def theorem_1(
    k: float, n: int, delta: float, q: Weights, *, as_printed: bool = False
) -> BoundaryBound:
    """p = (k / n) / (1 - sqrt((4 / k) log(2 / delta))), Delta = q_max sqrt((2 / k) (log C + 2 log(2
    / delta))).

    Khim et al., Theorem 1, for k > 4 log(2 / delta). As printed Delta is at most 1, which depends
    on the scale of the weights: so capped it holds for q_max up to 1, though not by the
    printed step, and can be false above.
    """
    margin = float(max(q)) * sqrt(2 * _log_term(q, delta) / k)
    if as_printed:
        margin = min(1.0, margin)
    return BoundaryBound(chaudhuri_dasgupta.mass(k, n, delta), margin)


@formula
def corollary_1(
    k: float, n: int, delta: float, q: Weights, smoothness: float, smoothness_constant: float
) -> float:
    """w = Delta of Theorem 1 + 2 q_max L (2 k / n)^alpha: the disagreement is at most delta +
    P(Delta_q(X) <= w).

    Khim et al., Corollary 1, for k >= 16 log(2 / delta), so that p <= 2 k / n; with probability 1 -
    delta.
    """
    change = 2 * float(max(q)) * bias(k, n, smoothness, smoothness_constant)
    if unmet_conditions("corollary_1", k=k, n=n, delta=delta):
        return inf
    return theorem_1(k, n, delta, q).margin + change


class Best(NamedTuple):
    """The real k at which a bound is smallest, and its ``value`` there."""

    k: float
    value: float


@formula
def remark_1(
    n: int,
    delta: float,
    q: Weights,
    smoothness: float,
    smoothness_constant: float,
    *,
    as_printed: bool = False,
) -> Best:
    """k = K B^(1 / (2 alpha + 1)) n^(2 alpha / (2 alpha + 1)) and w = q_max M' (B / n)^(alpha / (2
    alpha + 1)).

    Khim et al., Remark 1, with B = 2 log C + 4 log(2 / delta), and for its unnamed constants K =
    (alpha L 2^(alpha + 2))^(-2 / (2 alpha + 1)), M' = K^(-1/2) (1 + 1 / (2 alpha)); w is infinite
    where Corollary 1 does not hold at k. As printed k has the factor q_max^(2 / (2 alpha + 1)), and
    w q_max^(2 alpha / (2 alpha + 1)): these do not follow.
    """
    q_max = float(max(q))
    doubled = 2 * _log_term(q, delta)
    root = rate_root(smoothness)
    steepness = smoothness * smoothness_constant * power(2, smoothness + 2)
    constant = power(steepness, -2 * root)
    exponent = 2 * smoothness * root
    k = constant * doubled**root * n**exponent
    width = power(k / doubled, -0.5) * (1 + 1 / (2 * smoothness))

    if as_printed:
        k *= power(q_max, 2 * root)
        q_max = power(q_max, exponent)
    if unmet_conditions("remark_1", k=k, n=n, delta=delta):
        return Best(k, inf)
    return Best(k, q_max * width)


@formula
def corollary_2(
    n: int,
    delta: float,
    q: Weights,
    *,
    smoothness: float,
    smoothness_constant: float,
    margin_exponent: float,
    margin_constant: float,
) -> float:
    """delta + M w^beta with w of Remark 1: with probability 1 - delta the disagreement at its k is
    at most that. That k is real; at a whole one w is slightly larger (``corollary_1``).

    Khim et al., Corollary 2, first part; it prints the power of q_max of Remark 1.
    """
    width = remark_1(n, delta, q, smoothness, smoothness_constant).value
    if width < inf:
        return delta + margin_constant * power(width, margin_exponent)
    return inf


@formula
def corollary_2_excess(
    k: int,
    n: int,
    n_classes: int,
    *,
    smoothness: float,
    smoothness_constant: float,
    margin_exponent: float,
    margin_constant: float,
    as_printed: bool = False,
) -> float:
    """Bound on the mean excess risk of kNN without weights: ``proposition_1`` for weights of 1.

    Khim et al., Corollary 2, second part, by Lemma 7. As printed exp(-k / 8) + C M max(P, sqrt(8
    (beta + 1) / k))^beta, which omits the rounding of J and has C in place of 1 + C. Inside the
    margin an error is taken to cost 1, so the power is beta and not the beta + 1 of two classes.
    """
    if not as_printed:
        q = np.ones(n_classes)
        return proposition_1(
            k,
            n,
            q,
            q / n_classes,
            smoothness,
            smoothness_constant,
            margin_exponent,
            margin_constant,
        )
    change = 2 * bias(k, n, smoothness, smoothness_constant)
    width = max(change, sqrt(8 * (margin_exponent + 1) / k))
    if unmet_conditions("corollary_2_excess", k=k, n=n):
        return inf
    return exp(-k / 8) + n_classes * margin_constant * power(width, margin_exponent)


@formula
def proposition_1(
    k: int,
    n: int,
    q: Weights,
    prior: Weights,
    smoothness: float,
    smoothness_constant: float,
    margin_exponent: float,
    margin_constant: float,
) -> float:
    """Bound on the mean excess of the weighted risk, (exp(-k / 8) + (1 + C) M P_J^beta) times the
    sum of q_c p_c.

    P = 2 q_max L (2 k / n)^alpha, P_J = 2^J P, J = max(1, ceil(log2(8 (1 + beta) q_max^2 / (k P^2))
    / 2)): from P on the margin is doubled until votes err too seldom to matter. ``prior`` is p_c;
    beta and M hold given each class. The sum is the risk of a rule that is always wrong. Khim et
    al., Proposition 1, for k <= n / 2, with the constants of its proof, where Lemma 10 lacks q_max,
    in P and in the second term of the maximum.
    """
    # In logarithms, as P may be below what doubles hold; P here is that for a largest weight of 1.
    log_bias = 1 + log2(smoothness_constant) + smoothness * log2(2 * k / n)
    doublings = log2(8 * (1 + margin_exponent) / k) / 2 - log_bias
    J = max(1, ceil_rounded(doublings))
    width = float(max(q)) * power(2.0, J + log_bias)
    if unmet_conditions("proposition_1", k=k, n=n):
        return inf
    prior = checks.check_weights(prior, len(q), "prior")
    close = (1 + len(q)) * margin_constant * power(width, margin_exponent)
    return (exp(-k / 8) + close) * float(np.dot(q, prior))


@formula
def lemma_9(
    k: int, n: int, q: Weights, margin: float, smoothness: float, smoothness_constant: float
) -> float:
    """exp(-k / 8) + C exp(-k (Delta_q(x) - P)^2 / (2 q_max^2)): weighted kNN differs from f*_q at x
    this often at most.

    Khim et al., Lemma 9, at a ``margin`` Delta_q(x) above P = 2 q_max L (2 k / n)^alpha and for k
    <= n / 2. It prints any P* > 0 for P: it needs this P at least. Lemma 10 sets P without q_max.
    """
    lead = margin / float(max(q)) - 2 * bias(k, n, smoothness, smoothness_constant)
    if lead <= 0 or unmet_conditions("lemma_9", k=k, n=n):
        return inf
    return exp(-k / 8) + len(q) * exp(-k / 2 * lead * lead)


@formula
def gamma_3(k: int, both: float, threshold: float) -> float:
    """P(Z >= sqrt((p + 1 / sqrt k) / (t - 1 / sqrt k))) for a standard normal Z: gamma_3 of Theorem
    2 as printed.

    p is ``both``, the largest eta_c + eta_f of the balls, and t = q_f / (q_f + q_c), f the weighted
    Bayes class; 0 up to t = 1 / sqrt k. It is no proved factor: Lemma 13 drops the 1 - p' of Slud's
    inequality, which exceeds 1/2. gamma_1 is not known either, so the theorem gives a set,
    ``regions.lower_bound_set``, and no number.
    """
    deviation = 1 / sqrt(k)
    lead = threshold - deviation
    if lead <= 0:
        return 0.0
    return 0.5 * erfc(sqrt((both + deviation) / (2 * lead)))


class UniformBound(NamedTuple):
    """With probability 1 - ``failure`` every eta-hat_c(x) is within ``value`` of eta_c(x), for any
    number of classes.

    ``bias`` is the change of eta over a ball, ``vote`` the deviation of k votes at one point, and
    ``union`` the addition for all points at once. ``failure`` is infinite where the theorem does
    not hold.
    """

    bias: float
    vote: float
    union: float
    failure: float

    @property
    def value(self) -> float:
        """The sum of the three terms."""
        return self.bias + self.vote + self.union


def _p_star(mass_constant: float | None, dimension: int) -> float:
    """p*. A ball around a corner of the cube has V_d / 2^d of r^d in it."""
    if mass_constant:
        return mass_constant
    if dimension == 1:
        return 1.0
    log_ball = dimension / 2 * log(pi) - lgamma(dimension / 2 + 1)
    return exp(log_ball - dimension * log(2))


@formula
def theorem_3(
    k: float,
    n: int,
    delta: float,
    holder_exponent: float,
    holder_constant: float,
    mass_constant: float | None = None,
    dimension: int = 1,
) -> UniformBound:
    """2^alpha L (2 k / (p* n))^(alpha / d) + 1 / sqrt k + sqrt(log(S(n) / delta) / (2 k)) for the
    uniform error.

    It fails with probability N((2 k / (p* n))^(1 / d)) exp(-k / 4) + delta. Khim et al., Theorem 3,
    for k / n <= p* / 2, on the line with N(r) = floor(1 / (2 r)) + 1 and S(n) = n (n + 1) / 2
    + 1, on a cube with (2 / r)^d and 2 n^(d + 1) + 2 as in Corollary 3, for d < 63: up to d = 13
    these balls suffice, beyond that is the paper's claim.
    """
    p_star = _p_star(mass_constant, dimension)
    radius = (2 * k / (p_star * n)) ** (1 / dimension)
    if dimension == 1:
        # In fractions, as rounding would lose a ball where the quotient is whole.
        balls = Fraction(str(p_star)) * n // (4 * k) + 1
        subsets = n * (n + 1) // 2 + 1
    else:
        balls = p_star * n / k
        subsets = 2 * n ** (dimension + 1) + 2

    change = holder_constant * power(2 * radius, holder_exponent)
    union = sqrt(log_over(subsets, delta) / (2 * k))
    failure = inf
    if not unmet_conditions("theorem_3", k=k, n=n, mass_constant=p_star, dimension=dimension):
        failure = balls * exp(-k / 4) * 2 ** (dimension - 1) + delta
    return UniformBound(change, 1 / sqrt(k), union, failure)


@formula
def corollary_3(
    k: int,
    n: int,
    delta: float,
    holder_exponent: float,
    holder_constant: float,
    mass_constant: float | None = None,
    dimension: int = 1,
    *,
    as_printed: bool = False,
) -> UniformBound:
    """Theorem 3 on [0, 1]^d: ``corollary_4`` with D = d, for a density of at least 2^d p* / V_d.
    Khim et al.
    """
    return corollary_4(
        k,
        n,
        delta,
        holder_exponent,
        holder_constant,
        dimension,
        mass_constant,
        dimension,
        as_printed=as_printed,
    )


@formula
def corollary_4(
    k: int,
    n: int,
    delta: float,
    holder_exponent: float,
    holder_constant: float,
    ambient: int,
    mass_constant: float | None = None,
    dimension: int = 1,
    *,
    as_printed: bool = False,
) -> UniformBound:
    """Theorem 3 for points of [0, 1]^d that a map which stretches no distance carries into D =
    ``ambient`` dimensions.

    The last term has log(4 n^(D + 1) / delta), and it fails with probability 2^(d - 1) p* n exp(-k
    / 4) / k + delta. Khim et al., Corollary 4, which omits the 2^(d - 1). Behind it is N(r) <= (2 /
    r)^d, false from d = 63 on. A density integrates to 1, so p* is at most that of uniform points.
    """
    general = theorem_3(k, n, delta, holder_exponent, holder_constant, mass_constant, dimension)
    log_subsets = log_over(4, delta) + (ambient + 1) * log(n)
    bound = general._replace(union=sqrt(log_subsets / (2 * k)))
    if general.failure == inf:
        return bound
    missed = _p_star(mass_constant, dimension) * n / k * exp(-k / 4)
    if not as_printed:
        missed *= 2 ** (dimension - 1)
    return bound._replace(failure=missed + delta)


@formula
def least_error(
    n: int,
    delta: float,
    holder_exponent: float,
    holder_constant: float,
    mass_constant: float | None = None,
    dimension: int = 1,
) -> Best:
    """The smallest bound of Theorem 3 over real k up to p* n / 2, where the theorem ends.

    It fails with the probability that ``theorem_3`` gives at this k, above delta if k is small. The
    bound is a k^c + b / sqrt k with c = alpha / d, which falls up to the k with k^(c + 1/2) = b /
    (2 a c) and rises from there. Khim et al., Theorem 3; the order of k is in Corollary 3.
    """
    one = theorem_3(1, n, delta, holder_exponent, holder_constant, mass_constant, dimension)
    c = holder_exponent / dimension
    votes = one.vote + one.union
    optimum = power(2 * c * one.bias / votes, -1 / (c + 0.5))
    # Above 0, where a huge constant has the optimum beyond what doubles hold.
    k = max(1e-300, min(optimum, _p_star(mass_constant, dimension) * n / 2))
    return Best(k, one.bias * k**c + votes / sqrt(k))


@formula
def least_n(
    epsilon: float,
    delta: float,
    holder_exponent: float,
    holder_constant: float,
    mass_constant: float | None = None,
    dimension: int = 1,
) -> float:
    """Smallest n at which ``least_error`` is at most epsilon; infinite if that exceeds 1e30.

    Khim et al., Theorem 3: all constants can be known, and then epsilon and n can be related.
    """

    def holds(n: int) -> bool:
        best = least_error(n, delta, holder_exponent, holder_constant, mass_constant, dimension)
        return best.value <= epsilon

    if holds(2**99):
        return least_int(holds)
    return inf


class LowerRate(NamedTuple):
    """Theorem 4: the power of log n / n, and the factor before it that its proof prints; made by
    ``theorem_4``.
    """

    exponent: float
    printed_constant: float


@formula
def theorem_4(holder_exponent: float, holder_constant: float, dimension: int) -> LowerRate:
    """No estimate's uniform error falls faster than (log n / n)^(alpha / (2 alpha + d)) for all
    such eta.

    The printed factor is min(1 / 2, L / ``bump_constant``) (1 / 32)^(alpha / (2 alpha + d)) / 2:
    not certified, since the last step takes a bump whose squared integral is at most about d / (2
    alpha + d). At alpha = 1 that of ``bump`` is larger in one to three dimensions. A lower bump
    proves the claim, that there is a factor. Khim et al., Theorem 4.
    """
    height = min(0.5, holder_constant / bump_constant(holder_exponent))
    exponent = holder_exponent / (2 * holder_exponent + dimension)
    return LowerRate(exponent, height / 2 * (1 / 32) ** exponent)


@formula
def bump(distance: ArrayLike) -> np.ndarray:
    """g = exp(1 - 1 / (1 - distance^2)) within a distance of 1 from its center, 0 beyond.

    Khim et al., proof of Theorem 4; that of Proposition 2 has it without the 1 in front, so e times
    lower.
    """
    squares = np.square(distance)
    inside = squares < 1
    heights = np.exp(1 - 1 / (1 - np.where(inside, squares, 0)))
    return np.where(inside, heights, 0.0)


@formula
@lru_cache
def bump_constant(holder_exponent: float, n_cells: int = 1000) -> float:
    """Hoelder constant of ``bump``: largest abs(g(x) - g(x')) over the distance to the power alpha,
    in any dimension.

    The worst pair lies on one ray: a search over pairs of ``n_cells`` positions there. At alpha = 1
    it is the largest slope, at distance 3^(-1/4). Khim et al., proofs of Theorem 4 and Proposition
    2.
    """
    if holder_exponent == 1:
        square = 3**-0.5
        height = exp(1 - 1 / (1 - square))
        return 2 * sqrt(square) / (1 - square) ** 2 * height
    distances = np.linspace(0, 1, n_cells + 1)
    heights = bump(distances)
    steps = range(1, n_cells + 1)
    drops = [(heights[:-step] - heights[step:]).max() for step in steps]
    return float((drops / distances[1:] ** holder_exponent).max())


class EntryErrors(NamedTuple):
    """With probability 1 - delta the empirical entries are within these of the population ones, for
    each class or t.
    """

    tn: np.ndarray
    fn: np.ndarray
    fp: np.ndarray
    tp: np.ndarray


@formula
def theorem_5(
    n: int, delta: float, *, n_classes: int, cover_size: int, tne: ArrayLike, fne: ArrayLike
) -> EntryErrors:
    """E_TN = E_FP = 3 tne + 3 sqrt((log(24 N / delta) + 2 log C) / (2 n)), and E_FN = E_TP with
    fne.

    They hold for all classes and all weights that ``cover_size`` = N weights cover, if at this n
    the uniform error of eta-hat is at most the epsilon of the band with probability 1 - delta / 2.
    Khim et al., Theorem 5.
    """
    log_events = log_over(24 * cover_size, delta) + 2 * log(n_classes)
    return _entry_errors(n, log_events, tne, fne)


@formula
def proposition_3(
    n: int, delta: float, *, cover_size: int, tne: ArrayLike, fne: ArrayLike
) -> EntryErrors:
    """E_TN = E_FP = 3 tne + 3 sqrt(log(48 N / delta) / (2 n)), and E_FN = E_TP with fne, for class
    1 of two.

    They hold at all thresholds, ``cover_size`` = N of which bound the bands, on the condition of
    Theorem 5. Khim et al., Proposition 3, with the 48 of its result; a display of its proof has 16.
    """
    return _entry_errors(n, log_over(48 * cover_size, delta), tne, fne)


def _entry_errors(n: int, log_events: float, tne: ArrayLike, fne: ArrayLike) -> EntryErrors:
    sampling = 3 * sqrt(log_events / (2 * n))
    negative = 3 * np.asarray(tne) + sampling
    positive = 3 * np.asarray(fne) + sampling
    return EntryErrors(negative, positive, negative, positive)


class BandMass(NamedTuple):
    """Masses of bands of eta: ``tne`` of class 0 in them, ``fne`` of class 1; made by
    ``threshold_mass``.
    """

    tne: np.ndarray
    fne: np.ndarray


@formula
def threshold_mass(
    eta: np.ndarray,
    epsilon: float,
    t: ArrayLike,
    thresholds: ArrayLike,
    *,
    weights: Weights | None = None,
) -> BandMass:
    """Masses of the band t' - epsilon <= eta <= t'' + epsilon for each t, infinite if no two
    thresholds bracket t.

    t' and t'' are the closest thresholds around t, or t itself if it is one: that is the infimum.
    ``eta`` (m,) is the probability of class 1 at points of equal mass or of ``weights`` (m,).
    epsilon is not divided by a weight, so the band does not widen for a rare class as that of
    Theorem 5 does. Khim et al., Proposition 3.
    """
    t = np.asarray(t)
    padded = np.concatenate([[-inf], np.sort(thresholds), [inf]])
    after = np.searchsorted(padded, t + SAME_THRESHOLD, side="right")
    low = padded[after - 1]
    high = padded[np.searchsorted(padded, t - SAME_THRESHOLD)]
    is_bracketed = np.isfinite(high - low)

    # This kind is quick where eta is sorted already.
    order = np.argsort(eta, kind="stable")
    ascending = eta[order]
    mass = checks.check_weights(weights, len(eta))[order]
    first = np.searchsorted(ascending, low - epsilon - SAME_THRESHOLD)
    last = np.searchsorted(ascending, high + epsilon + SAME_THRESHOLD, side="right")

    def in_band(masses: np.ndarray) -> np.ndarray:
        totals = np.concatenate([[0.0], np.cumsum(masses)])
        return np.where(is_bracketed, totals[last] - totals[first], inf)

    return BandMass(in_band(mass * (1 - ascending)), in_band(mass * ascending))


@formula
def weight_threshold(q: Weights) -> float:
    """q_0 / (q_0 + q_1), the threshold t that weights of two classes set: class 1 where eta >= t.

    Khim et al., Appendix C. In their section 4 the numerator is the weight of the first class,
    which is right if that is the negative one.
    """
    first, second = checks.rescaled(checks.check_class_weights(q, 2))
    return float(first / (first + second))


class ScoreErrors(NamedTuple):
    """Where the bounds of entries hold, scores of a sample are within these of the population ones;
    by class or t.
    """

    precision: np.ndarray
    recall: np.ndarray
    f1: np.ndarray


@formula
def score_errors(confusion: Entries, errors: EntryErrors) -> ScoreErrors:
    """E_prec = 3 (E_TP + E_FP) / (TP + FP - E_TP - E_FP), E_rec with FN for FP, E_F1 = 9 (E_prec +
    E_rec) / (prec + rec
    - E_prec - E_rec); infinite without a positive denominator.

    ``confusion`` has the population entries, with ties of all tied classes (``rule="geq"``). The
    mean of E_F1 is the bound for the macro F1. Khim et al., Corollaries 5 and 6, for two classes 7
    to 9. The factors 3 and 9 are losses of the proof: ``f1_intervals`` has none.
    """
    _check_sizes(confusion, errors)
    precision = _ratio(3, errors.tp + errors.fp, confusion.tp + confusion.fp)
    recall = _ratio(3, errors.tp + errors.fn, confusion.tp + confusion.fn)
    f1 = _ratio(9, precision + recall, confusion.precision + confusion.recall)
    return ScoreErrors(precision, recall, f1)


def _check_sizes(confusion: Entries, errors: EntryErrors) -> None:
    """ValueError for errors of other classes or thresholds than the entries have."""
    n = np.size(confusion.tp)
    sizes = {np.size(each) for each in errors}
    checks.require(
        sizes <= {1, n}, f"errors must be one or {n}, as entries are, got {sorted(sizes)}"
    )


def _ratio(factor: int, error: np.ndarray, total: np.ndarray) -> np.ndarray:
    return _quotient(factor * error, total - error, inf)


def _quotient(above: np.ndarray, below: np.ndarray, otherwise: float) -> np.ndarray:
    defined = below > 0
    return np.where(defined, above / np.where(defined, below, 1), otherwise)


class Intervals(NamedTuple):
    """Ends of an interval for each class or threshold; made by ``f1_intervals``."""

    low: np.ndarray
    high: np.ndarray


@formula
def f1_intervals(confusion: Entries, errors: EntryErrors) -> Intervals:
    """Where the empirical F1 lies: 2 TP / (2 TP + FP + FN) at the two corners of the box of the
    entries.

    It rises with TP and falls with FP and FN, and no entry is below 0 or above 1. In place of
    Corollary 6 of Khim et al.: it holds whenever that does, and is narrower. Where TP, FP and FN
    may all be 0, it is from 0 to 1.
    """
    _check_sizes(confusion, errors)
    _, fn, fp, tp = errors
    low = _f1(confusion.tp - tp, confusion.fp + fp, confusion.fn + fn, 0.0)
    high = _f1(confusion.tp + tp, confusion.fp - fp, confusion.fn - fn, 1.0)
    return Intervals(low, high)


def _f1(tp: np.ndarray, fp: np.ndarray, fn: np.ndarray, otherwise: float) -> np.ndarray:
    tp, fp, fn = (np.clip(each, 0, 1) for each in (tp, fp, fn))
    return _quotient(2 * tp, 2 * tp + (fp + fn), otherwise)


@dataclass(frozen=True)
class TwoWorlds:
    """eta = 1/2 + (offset + height h) in ``P_+``, 1/2 - (offset + height h) in ``P_-``; made by
    ``proposition_2``.

    That is on the cube [0, 1]^d, which has the mass ``mass`` p, uniformly; a far point x' has the
    rest, and there eta is 1. The height h is a bump of radius 1 / ``inverse_radius`` around the
    middle of the cube. The threshold is 1/2.
    """

    n: int
    mass: float
    dimension: int
    inverse_radius: float
    offset: float
    height: float

    def margin(self, points: ArrayLike) -> np.ndarray:
        """abs(eta - 1/2) (m,) at points (m, d) of the cube, or ValueError for others."""
        points = checks.check_points("points", points, self.dimension)
        checks.require(
            ((points >= 0) & (points <= 1)).all(), "points must lie in the cube [0, 1]^d"
        )
        apart = np.sqrt(((points - 0.5) ** 2).sum(axis=1))
        return self.offset + self.height * bump(self.inverse_radius * apart)

    def eta(self, points: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """eta (m,) of ``P_+`` and of ``P_-`` at points (m, d) of the cube."""
        margin = self.margin(points)
        return 0.5 + margin, 0.5 - margin

    @property
    def epsilon(self) -> float:
        """Largest abs(eta - 1/2) on the cube, which lies in the band abs(eta - 1/2) <= epsilon."""
        return self.offset + self.height

    @property
    def true_negatives(self) -> tuple[float, float]:
        """TN(1/2) of ``P_+``, which is 0, and of ``P_-``, which exceeds p / 2."""
        return 0.0, self.mass * self._means()[0]

    @property
    def probability(self) -> float:
        """Least probability that in one world an estimate of TN is off by p / 4 or more: exp(-KL) /
        4.

        KL is the divergence of a sample of n from ``P_+`` and one from ``P_-``.
        """
        return exp(-self.n * self.mass * self._means()[1]) / 4

    def _means(self) -> tuple[float, float]:
        """Mean over the cube of eta of ``P_+``, and of the divergence of one label."""
        d = self.dimension
        radius = (np.arange(RADII) + 0.5) / RADII
        shells = radius ** (d - 1)
        unit_ball = pi ** (d / 2) / gamma(d / 2 + 1)
        ball = unit_ball / self.inverse_radius**d
        margin = np.append(self.offset + self.height * bump(radius), self.offset)
        weights = np.append(ball * shells / shells.sum(), 1 - ball)
        divergence = 2 * margin * _label_ratio(margin)
        return float(weights @ (0.5 + margin)), float(weights @ divergence)


@formula
def proposition_2(
    n: int,
    mass: float,
    *,
    holder_exponent: float = 1.0,
    holder_constant: float = 1.0,
    dimension: int = 1,
    offset: float | None = None,
) -> TwoWorlds:
    """Two distributions that n points hardly distinguish, one without true negatives and one with
    more than p / 2.

    The bump has the radius 1 / M, M = n^(1 / (2 alpha + d)) from 2 on, and the height min(1/4, L /
    ``bump_constant``) M^-alpha; ``offset``, at most 1/5, is by default 0.1 / sqrt n. Any guess of
    TN is off by p / 4 in one world. Khim et al., proof of Proposition 2, where the cube cuts off a
    part of the bump and 1/4 is 1 / (4 e). The statement is for bands of width B (log(1 / (4 delta))
    / (p n))^(alpha / (2 alpha + d)), with a B of unknown value.
    """
    height = min(0.25, holder_constant / bump_constant(holder_exponent))
    inverse_radius = n ** (1 / (2 * holder_exponent + dimension))
    height *= inverse_radius**-holder_exponent
    if offset is None:
        offset = 0.1 * n**-0.5
    return TwoWorlds(n, mass, dimension, inverse_radius, offset, height)


def _label_ratio(margin: np.ndarray) -> np.ndarray:
    """Log-likelihood ratio (m,) of a label where eta is 1/2 + margin or 1/2 - margin."""
    return 2 * np.arctanh(2 * margin)


@formula
def log_likelihood_ratio(worlds: TwoWorlds, points: ArrayLike, labels: ArrayLike) -> float:
    """Log of the likelihood of ``P_+`` over that of ``P_-``, for labels (m,) at points (m, d) of
    the cube.

    The far point carries no information: there eta is 1 in both worlds. Khim et al., proof of
    Proposition 2.
    """
    ratios = _label_ratio(worlds.margin(points))
    labels = checks.check_codes("labels", labels, len(ratios), 2)
    return float(np.where(labels == 1, 1, -1) @ ratios)


@formula
def best_probability(worlds: TwoWorlds) -> float:
    """Probability that the best guess from a sample of n on a line is right, under equal priors, to
    three digits.

    The guess is the sign of the log-likelihood ratio S, right with probability 1 / (1 +
    exp(-abs(S))), whose mean is returned. The labels are independent, so the characteristic
    function of S is a power, and the mean a sum of cosines. For the two worlds of Khim et al.,
    Proposition 2.
    """
    radius = (np.arange(HALF_BUMP_CELLS) + 0.5) / HALF_BUMP_CELLS
    in_bump = worlds.offset + worlds.height * bump(radius)
    margin = np.append(in_bump, worlds.offset)
    width = 2 / worlds.inverse_radius
    cells_of_bump = np.full(len(in_bump), width / len(in_bump))
    fractions = np.append(cells_of_bump, 1 - width)

    points = worlds.n * worlds.mass
    ratio = _label_ratio(margin)
    mean = points * fractions @ (2 * margin * ratio)
    variance = points * fractions @ ratio**2
    end = mean + DEVIATIONS * sqrt(variance)
    # One at least: worlds may be the same.
    intervals = max(1, ceil(end / INTERVAL_LENGTH))
    cells = min(intervals, MOST_INTERVALS) * INTERVAL_CELLS
    farthest = intervals * INTERVAL_LENGTH

    angles = np.outer(np.pi * np.arange(cells + 1) / farthest, ratio)
    real = -2 * np.sin(angles / 2) ** 2
    of_one_label = (real + 2j * margin * np.sin(angles)) @ fractions
    of_sample = np.exp(worlds.n * np.log1p(worlds.mass * of_one_label)).real

    right = expit(np.linspace(0, farthest, cells + 1))
    coefficients = dct(right, type=1) / cells
    coefficients[[0, -1]] /= 2
    # Rounding may carry the sum beyond 1.
    return min(1.0, float(coefficients @ of_sample))


@formula
def least_lipschitz_constants(problem: Problem, n_cells: int = 20_000) -> np.ndarray:
    """Largest slope (C,) of each eta_c on a line, between the ends of cells: near the L of
    Assumption 2, alpha = 1.
    """
    edges = np.linspace(*problem.box[0], n_cells + 1)
    changes = abs(np.diff(problem.eta(edges[:, None]), axis=0))
    return changes.max(axis=0) / (edges[1] - edges[0])
