"""What the theorems stand on: how far fractions of votes and neighbors stray (Lemmas 3, 4, 5, 9 and 15)."""

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import NamedTuple

from knnviz import checks
from knnviz.bounds.binomial import fewer
from knnviz.bounds.khim.given import power, weights
from knnviz.bounds.sides import Sides
from knnviz.noise import smoothing_error


def lemma_3(k: int, margin: float, q: Sequence[float], a: int, b: int) -> Sides:
    """Bounds on the probability that q_a eta-hat_a - q_b eta-hat_b falls short of its mean by more than a margin.

    exp(-2 k Delta^2 / (q_a + q_b)^2), which is at most exp(-k Delta^2 / (2 q_max^2)).

    Parameters
    ----------
    k : int
        Neighbors that vote, at least 1; their labels are independent.
    margin : float
        Delta, finite and above 0, on the scale of the weights.
    q : sequence (C,)
        Class weights, not negative and not all 0.
    a, b : int
        Two different classes, not both of weight 0.

    Raises
    ------
    ValueError
        Outside these ranges.

    Source: Khim et al., Lemma 3.
    """
    k, margin, q = checks.check_int("k", k, 1), checks.check_positive("margin Delta", margin), weights(q)
    a, b = (checks.check_int(f"class {name}", c, 0, len(q) - 1) for name, c in (("a", a), ("b", b)))
    larger = float(max(q[a], q[b]))
    if a == b or larger == 0:
        raise ValueError(f"Lemma 3 is about two classes that are not both of weight 0, got {a} and {b}")
    # On the scale of the larger one: a sum of large weights may be beyond doubles.
    both = 1 + float(min(q[a], q[b])) / larger
    exponents = 2 * k * power(margin / larger / both, 2), k / 2 * power(margin / float(q.max()), 2)
    return Sides(exp(-exponents[0]), exp(-exponents[1]))


#: By how much rounding may carry k beyond (1 - gamma) n p.
ROUNDING = 1e-12


class RadiusProbability(NamedTuple):
    """Probability that a neighbor lies beyond a ball: ``exact`` where mu has no atoms, and two bounds on it.

    Made by ``lemma_4``. Source: Khim et al., Lemma 4.
    """

    exact: float
    sharp: float
    plain: float


def lemma_4(n: int, k: int, mass: float, gamma: float) -> RadiusProbability:
    """Probability that the (k + 1)-th neighbor of a point is farther away than r_p: the ball of mass p holds at most k.

    It is at most exp(-n p gamma^2 / 2), and that at most exp(-k gamma^2 / 2), if k <= (1 - gamma) n p.

    Parameters
    ----------
    n, k : int
        Sample size, and neighbors that vote, from 1 to n.
    mass : float
        p, in (0, 1].
    gamma : float
        In [0, 1), with k <= (1 - gamma) n p.

    Raises
    ------
    ValueError
        Outside these ranges.

    Source: Khim et al., Lemma 4.
    """
    n = checks.check_int("n", n, 1)
    k, mass, gamma = (
        checks.check_k(k, n),
        checks.check_positive("ball mass p", mass, 1),
        checks.check_real("gamma", gamma, 0, 1),
    )
    expected = n * mass
    if k > (1 - gamma) * expected * (1 + ROUNDING):
        raise ValueError(f"Lemma 4 needs k <= (1 - gamma) n p = {(1 - gamma) * expected:g}, got k = {k}")
    exact = float(fewer(k + 1, n, mass)) if k < n else 1.0
    return RadiusProbability(exact, exp(-expected * gamma**2 / 2), exp(-k * gamma**2 / 2))


def lemma_5(mass: float, margin: float, q: Sequence[float], *, smoothness: float, smoothness_constant: float) -> float:
    """Width w with which the effective boundary lies in {Delta_q(x) <= w}: Delta + 2 q_max L p^alpha.

    Parameters
    ----------
    mass, margin : float
        p in [0, 1], and Delta, at least 0 and on the scale of the weights.
    q : sequence (C,)
        Class weights, not negative and not all 0.
    smoothness, smoothness_constant : float
        alpha and L as in ``corollary_1``.

    Raises
    ------
    ValueError
        Outside these ranges.

    Source: Khim et al., Lemma 5.
    """
    mass, margin = checks.check_real("ball mass p", mass, 0, 1), checks.check_real("margin Delta", margin, 0, 1e100)
    alpha, constant = checks.check_smoothness(smoothness, smoothness_constant)
    return float(margin + 2 * weights(q).max() * constant * mass**alpha)


def lemma_9(
    n: int, k: int, q: Sequence[float], margin: float, *, smoothness: float, smoothness_constant: float
) -> float:
    """Bound on the probability that weighted kNN departs from the weighted Bayes rule at a point: 1 up to the margin P.

    Beyond P = 2 q_max L (2 k / n)^alpha it is exp(-k / 8) + C exp(-k (Delta_q(x) - P)^2 / (2 q_max^2)).

    Parameters
    ----------
    n, k : int
        Sample size, and neighbors that vote, from 1 to n / 2.
    q : sequence (C,)
        Class weights, not negative and not all 0.
    margin : float
        Delta_q(x), at least 0 and on the scale of the weights.
    smoothness, smoothness_constant : float
        alpha and L as in ``corollary_1``.

    Raises
    ------
    ValueError
        Outside these ranges.

    Source: Khim et al., Lemma 9, which prints any P* > 0: it needs this P at least. Lemma 10 sets P without q_max.
    """
    n, q = checks.check_int("n", n, 2), weights(q)
    k, margin = checks.check_int("k", k, 1, n // 2), checks.check_real("margin Delta_q(x)", margin, 0, 1e100)
    clear = margin / float(q.max()) - 2 * smoothing_error(n, k, smoothness, smoothness_constant)
    return min(1.0, exp(-k / 8) + len(q) * exp(-k / 2 * clear**2)) if clear > 0 else 1.0


def lemma_15(k: int, delta: float) -> float:
    """With probability 1 - delta no class fraction of k independent labels strays by more.

    That is 1 / sqrt k + sqrt(log(1 / delta) / (2 k)): the number of classes does not enter. k is at least 1, delta
    strictly between 0 and 1; ValueError otherwise.

    Source: Khim et al., Lemma 15.
    """
    k = checks.check_int("k", k, 1)
    return 1 / sqrt(k) + sqrt(log(1 / checks.check_failure_probability(delta)) / (2 * k))
