"""PL A-kNN, adaptive nearest neighbors on bags of labels: formulas of Errandonea, Mazuelas, Lozano
& Dasgupta.

P(S_y | x) is the probability that a bag at x, a set of candidate labels, holds label y. The top
labels have the largest P(S_y | x), Bayes labels the largest P(y | x). Bags are aligned at x if the
top labels are the Bayes labels; G are the points where they are misaligned. PL A-kNN eliminates a
label once its votes among the k nearest bags, as a fraction, are behind the leading label by the
band, c1 sqrt(d0 log n + log(C / delta)) / sqrt(k).

The theorems hold for c1 above ``least_c1``, with constants C' for which the paper gives no values:
the defaults here are illustrative, ``printed_constant`` and ``repaired_constant`` are those of the
proof. T, the largest k, is at least A n, and bags are aligned unless a function has G. A bound
whose condition fails is infinite; ``unmet_conditions`` says why consistency fails.

Source: "Learnability with Partial Labels and Adaptive Nearest Neighbors".

Symbols
-------
constant
    C', which the paper calls C.
c0
    the constant of Lemma C.3, of unknown value.
vc_dimension
    d0, the VC dimension of balls, or 1 for a guarantee at one point.
advantage
    adv_A of a point (``regions.advantage``), the largest p gamma^2 over p <= A, the ``mass_cap``,
    for which the top labels lead all others by gamma in each ball around x up to mass p; 1 if there
    are no others.
band_constant
    c1 sqrt(d0 log n + log(C / delta)), as ``PartialAdaptive.band_constant``.
frequency
    label frequencies P(S_y | x) (C,) of a point, or (J, C) of balls that grow around it; the first
    ball is the point itself.
largest_inclusion
    a. The inclusion of a label, in [0, a], is the probability that another enters a bag made for
    it.
bag_noise
    nu, the probability that the label for which a bag is made is replaced by one of all C
    ("confusion") or by one of the others ("other"), or is removed from its bag ("removal").
"""

from collections.abc import Callable
from math import e, inf, log, sqrt
from typing import Literal, NamedTuple

import numpy as np
from scipy.special import lambertw

from knnviz.bags import Kind
from knnviz.bounds.arguments import formula
from knnviz.bounds.arithmetic import log_over, power, rate_root
from knnviz.checks import TIE_TOL, require


@formula
def unmet_conditions(
    statement: Literal["theorem_3_1"], *, delta_power: float, neighbors_power: float
) -> list[str]:
    """Parts of condition (4), which Theorem 3.1 assumes, that delta_n = n^-a and T_n of order n^b
    do not meet.

    a and b are the powers; 0 is for a constant delta or T, as in the experiments. A single n shows
    only A = T / n.
    """
    found = {
        "the sum of delta_n is infinite": delta_power <= 1,
        "log(1 / delta_n) / T_n does not vanish": neighbors_power <= 0,
        "T_n falls below A n for every A": neighbors_power < 1,
    }
    return [words for words, unmet in found.items() if unmet]


@formula
def least_c1(vc_dimension: int = 1) -> float:
    """What c1 must exceed, 2 sqrt(4000 (d0 + 1) log 8): 257.96 at one point. Proof of Lemma C.5."""
    return 2 * sqrt(4000 * (vc_dimension + 1) * log(8))


@formula
def proof_c2(c1: float, c0: float = 1.0) -> float:
    """c2 = max(c1, 1/4) sqrt(1 + c0), in the proof of Theorem 3.2."""
    return max(c1, 0.25) * sqrt(1 + c0)


@formula
def printed_constant(c2: float) -> float:
    """C' = 16 c2^2 in the proof of Theorem 3.2, too small for its step from (5) to (12) if c2
    exceeds 0.61.
    """
    return 16 * power(c2, 2)


@formula
def repaired_constant(c2: float) -> float:
    """A constant C' with which (12) follows from (5), for every advantage, number of classes, delta
    and larger n.

    The solution of C' = 4 c2^2 (2 + (log C' + log log 2) / log 2), as log(C / delta) > log 2, by
    Lambert's W; or e / log 2 if that is larger. Ours, in place of 16 c2^2. It is no multiple of
    c2^2; c2 is at least 1/4.
    """
    factor = 4 * power(c2, 2)
    # Where there is no solution, W is complex and its real part so small that e / log 2 is larger.
    W = float(lambertw(-1 / (4 * factor), -1).real)
    return max(e / log(2), -factor / log(2) * W)


@formula
def condition_12(n: float, n_classes: int, delta: float, c2: float) -> float:
    """What n adv must reach for (12) in the proof of Theorem 3.2: 4 c2^2 (log n + log(C / delta)).

    The proof infers (12) from (5). At the n of (5), log n holds the logarithm of C' itself.
    """
    return 4 * power(c2, 2) * (log(n) + log_over(n_classes, delta))


@formula
def lemma_c_3(k: int, n: int, delta: float, vc_dimension: int = 1, c0: float = 1.0) -> float:
    """Mass from which on every ball holds k of n points or more: (k + c0 max{k, d0 log(n / delta)})
    / n.

    Lemma C.3, with probability 1 - delta^2 / 2.
    """
    return (k + c0 * max(k, vc_dimension * log_over(n, delta))) / n


@formula
def theorem_c_4(n: int, delta: float, vc_dimension: int = 1) -> float:
    """k0 = 1000 (d0 log(8 n) + log(4 / delta)): fractions in balls of k of n points deviate by at
    most sqrt(k0 / k).

    Theorem C.4 (Theorem 8 of Balsubramani et al. 2019), in all balls together with probability 1 -
    delta.
    """
    return 1000 * (vc_dimension * log(8 * n) + log_over(4, delta))


@formula
def lemma_c_5(
    k: int, n: int, n_classes: int, delta: float, c1: float, vc_dimension: int = 1
) -> float:
    """Label fractions in balls of k points deviate by at most half the band; infinite if c1 is not
    that of the proof.

    Lemma C.5, for all labels and balls together with probability 1 - delta^2 / 2. It says nothing
    of balls without points, k = 0.
    """
    if k == 0 or c1 <= least_c1(vc_dimension):
        return inf
    log_term = vc_dimension * log(n) + log_over(n_classes, delta)
    return c1 / 2 * sqrt(log_term / k)


@formula
def needed_n(
    advantage: float | np.ndarray, n_classes: int, delta: float, constant: float = 1.0
) -> np.ndarray:
    """Condition (5): n is at least (C' / adv) max{log(1 / adv), log(C / delta)}, infinite for no
    advantage.
    """
    advantage = np.asarray(advantage, float)
    with np.errstate(divide="ignore", over="ignore"):
        log_term = np.maximum(-np.log(advantage), log_over(n_classes, delta))
        return constant / advantage * log_term


@formula
def theorem_3_2(
    n: int, advantage: float, n_classes: int, delta: float, constant: float = 1.0
) -> float:
    """delta^2 bounds the probability that the decision at a point is no Bayes label, if
    ``needed_n`` is at most n.
    """
    if n >= needed_n(advantage, n_classes, delta, constant):
        return delta**2
    return inf


@formula
def theorem_3_3(
    n: int, advantage: np.ndarray, n_classes: int, delta: float, constant: float = 1.0
) -> np.ndarray:
    """Points (m,) bool that are all decided as Bayes labels with probability 1 - delta^2, from
    their advantages.

    The band has d0 log n with d0 = D + 1 in D dimensions, and c1 and the constant depend on d0.
    """
    return n >= needed_n(advantage, n_classes, delta, constant)


@formula
def level(n: int, n_classes: int, delta: float, constant: float = 1.0) -> float:
    """a_n = (C' / n) max{2 log n, log(C / delta)} of Theorem 3.4: a larger advantage meets (5), if
    C' >= 1, n >= 3.
    """
    log_term = max(2 * log(n), log_over(n_classes, delta))
    return constant / n * log_term


@formula
def theorem_3_4(
    n: int,
    n_classes: int,
    delta: float,
    low_advantage: Callable[[float], float],
    constant: float = 1.0,
) -> float:
    """delta + P(adv <= a_n) bounds the excess risk with probability 1 - delta; ``low_advantage(a)``
    is P(adv <= a).
    """
    return delta + low_advantage(level(n, n_classes, delta, constant))


@formula
def theorem_3_5(theta: float, misaligned: float) -> float:
    """theta P(G) bounds the excess risk in the limit, under condition (4); with P(G) = 0 it is
    Theorem 3.1.

    On G a top label is less probable than a Bayes label by at most theta; ``misaligned`` is P(G).
    """
    return theta * misaligned


class RiskBound(NamedTuple):
    """The bound on the excess risk, and the probability that it fails."""

    excess: float
    failure: float


@formula
def lemma_c_9(
    n: int,
    n_classes: int,
    delta: float,
    low_advantage: Callable[[float], float],
    *,
    theta: float,
    misaligned: float,
    constant: float = 1.0,
    as_proved: bool = False,
) -> RiskBound:
    """Lemma C.9: the bound of Theorem 3.4 plus theta P(G), with probability 1 - delta.

    That is Markov's inequality for the union of the errors inside G and outside. The printed proof
    uses it for each of the two and so gives 1 - 2 delta (``as_proved``).
    """
    aligned = theorem_3_4(n, n_classes, delta, low_advantage, constant)
    excess = aligned + theorem_3_5(theta, misaligned)
    failure = 2 * delta if as_proved else delta
    return RiskBound(excess, failure)


@formula
def least_advantage(
    margin: float, smoothness: float = 1.0, smoothness_constant: float = 1.0, mass_cap: float = 0.5
) -> float:
    """min{A t^2 / 4, t^(2 + 1/alpha) / (4 (4L)^(1/alpha))}, below the advantage where the top
    labels lead by over t.

    Proof of Theorem B.1, if abs(P(S_y | B) - P(S_y | x)) <= L P(B)^alpha for balls B around x. No
    sphere around x may have mass, so that there are balls of each mass; otherwise the advantage can
    be smaller.
    """
    lead = margin / (4 * smoothness_constant)
    mass = power(lead, 1 / smoothness)
    return min(mass_cap, mass) * margin**2 / 4


class RateConstants(NamedTuple):
    """C2' of P(adv <= a) <= C2' a^(alpha beta / (2 alpha + 1)), and C3 of Theorem B.1."""

    c2_prime: float
    c3: float


@formula
def rate_constants(
    *,
    smoothness: float,
    smoothness_constant: float,
    margin_exponent: float,
    margin_constant: float,
    mass_cap: float,
    constant: float = 1.0,
    as_printed: bool = False,
) -> RateConstants:
    """C2' = C2 (((4/A)^alpha max(1, 4L))^(1/(2 alpha + 1)))^beta and C3 = (2C')^(alpha beta / (2
    alpha + 1)) C2'.

    C2 is the margin constant: P(some other label is within t of the top labels) <= C2 t^beta. As
    printed in the proof of Theorem B.1, where a bracket is missing, 4L stands alone: too small if L
    < 1/4.
    """
    root = rate_root(smoothness)
    factor = 4 * smoothness_constant
    if not as_printed:
        factor = max(1.0, factor)
    base = (4 / mass_cap) ** (smoothness * root) * factor**root
    scaled = (2 * constant) ** (smoothness * root) * base
    constants = (margin_constant * power(each, margin_exponent) for each in (base, scaled))
    return RateConstants(*constants)


@formula
def theorem_b_1(
    n: int, n_classes: int, delta: float, smoothness: float, margin_exponent: float, scale: float
) -> float:
    """delta + C3 (max{log n, log(C / delta)} / n)^(alpha beta / (2 alpha + 1)) bounds the excess
    risk.

    Theorem B.1, with probability 1 - delta, for the bags of ``rate_constants``, which gives C3, the
    ``scale``. No sphere may have mass, so that there are balls of each mass around each point.
    """
    if scale == inf:
        return inf
    log_term = max(log(n), log_over(n_classes, delta))
    exponent = smoothness * margin_exponent * rate_root(smoothness)
    return delta + scale * power(log_term / n, exponent)


@formula
def leads(frequency: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """By how much each label is behind all top labels in each ball (J, C), NaN for these, and (J,)
    where it counts.

    It counts as long as in this ball and all smaller ones every other label is behind every top
    label.
    """
    top = frequency[0] >= frequency[0].max() - TIE_TOL
    least = frequency[:, top].min(axis=1)
    behind = np.where(top, np.nan, least[:, None] - frequency)
    overtaken = (behind <= 0).any(axis=1)
    return behind, np.logical_and.accumulate(~overtaken)


@formula
def label_advantages(
    frequency: np.ndarray, masses: np.ndarray, mass_cap: float = 1.0
) -> np.ndarray:
    """The advantage (C,) of the top labels over each other label alone, 0 for the top labels;
    ``needed_n`` applies.

    Section 3.2 suggests it without a formula: sup of p gamma^2 over p <= A for which all top labels
    lead the label by gamma in every ball up to mass p. The proof also needs that no third label
    overtakes them there. ``masses`` (J,) ascend from 0; balls in between are ignored.
    """
    behind, ahead = leads(frequency)
    n_balls = len(frequency)
    require(len(masses) == n_balls, f"masses must be of {n_balls} balls, got {len(masses)}")
    counted = ahead & (masses <= mass_cap * (1 + TIE_TOL))
    lowest = np.minimum.accumulate(np.nan_to_num(behind), axis=0)
    gamma = np.where(counted[:, None], lowest, 0)
    return (gamma**2 * masses[:, None]).max(axis=0)


@formula
def guaranteed_eliminations(
    frequency: np.ndarray, ks: np.ndarray, band_constant: float
) -> np.ndarray:
    """The k (C,) by which each label is eliminated if fractions deviate by half the band at most,
    or infinity.

    By the proof of Theorem 3.2 for each label alone: the first ball, of ``ks`` (J,) neighbors,
    ascending from 0, in which all top labels lead a label by twice the band, if none is overtaken
    by then. Deviations stay within half the band with probability 1 - delta^2 / 2 for the c1 of
    Lemma C.5; for a smaller c1 no proof says how often they do.
    """
    behind, ahead = leads(frequency)
    n_balls = len(frequency)
    require(len(ks) == n_balls, f"ks must be of {n_balls} balls, got {len(ks)}")
    # Roots in place of fractions: at the point itself the band is infinite.
    is_far = behind * np.sqrt(ks)[:, None] >= 2 * band_constant
    reached = ahead[:, None] & is_far
    first = ks[reached.argmax(axis=0)]
    return np.where(reached.any(axis=0), first, inf)


@formula
def largest_noise(n_classes: int, largest_inclusion: float, kind: Kind = "confusion") -> float:
    """nu*: with less bag noise the true label is in more bags than any other, for inclusions up to
    a, the largest.

    (1 - a) / (1 - a + a / C) for "confusion", (1 - a) / (1 - a + 1 / (C - 1)) for "other", 1 - a
    for "removal". Ours, for the bags of section 4.1: in the worst case the true label has the
    inclusion a, and one other has 0.
    """
    a = largest_inclusion
    if kind == "removal":
        return 1 - a
    if kind == "confusion":
        return (1 - a) / (1 - a + a / n_classes)
    return (1 - a) / (1 - a + 1 / (n_classes - 1))
