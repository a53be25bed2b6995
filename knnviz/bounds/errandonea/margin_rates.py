"""Smooth bags with a margin: how small an advantage can be, the rate of Theorem B.1, and condition (4)."""

from dataclasses import dataclass
from math import log
from typing import NamedTuple

from knnviz import checks
from knnviz.bounds.errandonea.constants import log_term


def least_advantage(
    margin: float, smoothness: float = 1.0, smoothness_constant: float = 1.0, mass_cap: float = 0.5
) -> float:
    """What the advantage exceeds where the top labels lead by more than t, the ``margin`` in [0, 1].

    min{A t^2 / 4, t^(2 + 1/alpha) / (4 (4L)^(1/alpha))}. If abs(P(S_y | B) - P(S_y | x)) <= L P(B)^alpha for balls B
    around x, a lead of t at x is one of t / 2 in every ball up to the mass (t / (4L))^(1/alpha). No sphere around x may
    have mass, so that there are balls of each mass; otherwise the advantage can be smaller.

    Source: Errandonea et al., appendix B.3.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import least_advantage
    >>> least_advantage(margin=0.5, smoothness=1, smoothness_constant=1, mass_cap=0.5)
    0.0078125
    """
    t = checks.check_real("margin t", margin, 0, 1)
    alpha, L = checks.check_smoothness(smoothness, smoothness_constant)
    mass = (t / (4 * L)) ** (1 / alpha)
    return float(min(checks.check_positive("largest mass A", mass_cap, 1), mass) * t**2 / 4)


class RateConstants(NamedTuple):
    """C2' of P(adv <= a) <= C2' a^(alpha beta / (2 alpha + 1)), and C3 of Theorem B.1."""

    c2_prime: float
    c3: float


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
    """Constants of the rate: C2' = C2 (((4/A)^alpha max(1, 4L))^(1/(2 alpha + 1)))^beta and C3 = (2C')^e C2'.

    e = alpha beta / (2 alpha + 1), and C2 is the margin constant, above 0 and at most 1e100: P(some other label is
    within t of the top labels) <= C2 t^beta. As printed, 4L stands alone: then C2' can be too small where L < 1/4, and
    is right from there on.

    Source: Errandonea et al., proof of Theorem B.1 (appendix C.6), where a bracket of C2' is missing.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import rate_constants
    >>> assumptions = {"smoothness": 1, "smoothness_constant": 1, "margin_exponent": 1, "margin_constant": 2}
    >>> constants = rate_constants(mass_cap=0.5, **assumptions)
    >>> round(constants.c2_prime, 4), round(constants.c3, 4)
    (6.3496, 8.0)
    """
    alpha, L = checks.check_smoothness(smoothness, smoothness_constant)
    beta = checks.check_real("margin exponent beta", margin_exponent, 0, 100)
    C2 = checks.check_positive("margin constant C2", margin_constant, 1e100)
    smoothness_factor = 4 * L if as_printed else max(1.0, 4 * L)
    base = (4 / checks.check_positive("largest mass A", mass_cap, 1)) ** alpha * smoothness_factor
    c2_prime = C2 * base ** (beta / (2 * alpha + 1))
    doubled = 2 * checks.check_positive("constant", constant)
    return RateConstants(c2_prime, doubled ** _exponent(alpha, beta) * c2_prime)


def _exponent(alpha: float, beta: float) -> float:
    return alpha * beta / (2 * alpha + 1)


@dataclass(frozen=True)
class RateBound:
    """With probability 1 - delta the excess risk is at most ``excess``; made by ``theorem_b_1``.

    ``rate`` is (max{log n, log(C / delta)} / n)^(alpha beta / (2 alpha + 1)), and ``scale`` C3 before it.
    """

    n: int
    delta: float
    rate: float
    scale: float

    @property
    def excess(self) -> float:
        return self.delta + self.scale * self.rate

    @property
    def vacuous(self) -> bool:
        return self.excess >= 1


def theorem_b_1(
    n: int, n_classes: int, delta: float, smoothness: float, margin_exponent: float, scale: float = 1.0
) -> RateBound:
    """Bound on the excess risk of PL A-kNN for smooth bags with a margin, delta + C3 rate as in ``RateBound``.

    It needs the constants of the proof, and that no sphere has mass, so that there are balls of each mass around each
    point. The larger beta, the fewer points with a small margin. ``scale`` is C3, above 0, as ``rate_constants`` gives
    it; 1 is illustrative.

    Source: Errandonea et al., Theorem B.1.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import theorem_b_1
    >>> bound = theorem_b_1(n=10_000, n_classes=3, delta=0.1, smoothness=1, margin_exponent=1)
    >>> round(bound.rate, 4), round(bound.excess, 4)
    (0.0973, 0.1973)
    """
    n, delta = checks.check_int("n", n, 1), checks.check_failure_probability(delta)
    alpha, _ = checks.check_smoothness(smoothness, 1)
    beta = checks.check_real("margin exponent beta", margin_exponent, 0, 100)
    log_factor = max(log(n), log_term(n_classes, delta))
    rate = float((log_factor / n) ** _exponent(alpha, beta))
    return RateBound(n, delta, rate, checks.check_positive("scale C3", scale))


class Conditions(NamedTuple):
    """The parts of condition (4), which Theorem 3.1 assumes; its proof also needs the c1 of Lemma C.5."""

    #: Whether the sum of delta_n is finite.
    summable: bool
    #: Whether log(1 / delta_n) / T_n vanishes.
    slow: bool
    #: Whether T_n is at least some A n.
    linear: bool

    @property
    def hold(self) -> bool:
        return all(self)


def conditions_4(delta_power: float, neighbors_power: float) -> Conditions:
    """Condition (4) for delta_n = n^-a and a largest k, T_n, of order n^b.

    The sum of delta_n is finite iff a > 1, log(1 / delta_n) / T_n vanishes iff b > 0, and T_n is at least some A n iff
    b >= 1. Powers describe sequences: a single n shows only A = T / n. a is from 0 to 1e6 and b in
    [0, 1]; 0 is for a constant delta or T, as in the experiments.

    Source: Errandonea et al., condition (4) of Theorem 3.1.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import conditions_4
    >>> conditions_4(delta_power=2, neighbors_power=1).hold
    True
    >>> conditions_4(delta_power=2, neighbors_power=0.5)
    Conditions(summable=True, slow=True, linear=False)
    """
    a = checks.check_real("delta_power", delta_power, 0, 1e6)
    b = checks.check_real("neighbors_power", neighbors_power, 0, 1)
    return Conditions(a > 1, b > 0, b >= 1)
