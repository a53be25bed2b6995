"""The excess risk of robust kNN with estimated rates: Theorem 4.3, its k and its rate."""

from dataclasses import dataclass
from math import ceil, inf, log, sqrt

from knnviz import checks
from knnviz.bounds.arithmetic import least_int, power
from knnviz.bounds.reeve_kaban.ranges import ProvedInRange, Statement, k_range
from knnviz.corruption import LabelNoise
from knnviz.noise import smoothing_error


@dataclass(frozen=True)
class ExcessBound(ProvedInRange):
    """With probability 1 - delta the risk of robust kNN exceeds R* by at most ``excess``; made by ``theorem_4_3``.

    ``excess`` is ``factor`` (``scale`` xi)^(beta + 1) + delta. ``xi`` is ``vote``, the deviation of k votes, plus
    ``bias``, the change of eta_corr over their ball.
    """

    n: int
    k: int
    delta: float
    vote: float
    bias: float
    factor: float
    scale: float
    margin_exponent: float
    statement: Statement = "theorem_4_3"

    @property
    def xi(self) -> float:
        return self.vote + self.bias

    @property
    def excess(self) -> float:
        return self.factor * power(self.scale * self.xi, self.margin_exponent + 1) + self.delta

    @property
    def vacuous(self) -> bool:
        """Whether the bound is vacuous for every problem: it reaches 1.

        The excess risk is ``E[|2 eta - 1|]`` over mistakes, at most 1 - 2 R*: for a given problem the bound may be
        vacuous a little earlier.
        """
        return self.excess >= 1


def theorem_4_3(
    n: int,
    k: int,
    delta: float,
    noise: LabelNoise,
    *,
    smoothness: float,
    smoothness_constant: float,
    margin_exponent: float = 0,
    margin_constant: float = 1,
    tight: bool = False,
) -> ExcessBound:
    """Bound on the excess risk of robust kNN (Algorithm 2) with k neighbors: M (8 xi / contrast)^(beta + 1) + delta.

    Here xi = sqrt(log(18 n / delta) / k) + 2 L (2 k / n)^alpha. Lemma 3.1 needs errors of the rates of at most contrast
    / 4, but the theorem does not: for a larger xi its bound exceeds 2 and is vacuous. The k neighbors vote and estimate
    the rates.

    Source: Reeve & Kaban, Theorem 4.3, inequality (11).

    Parameters
    ----------
    tight : bool
        Whether decisions are bounded by ``decision_error`` in place of Lemma 3.1: 2 M (2 xi / contrast)^(beta + 1) +
        delta. This proves the printed inequality, since the excess risk has ``|2 eta - 1|`` where the printed proof has
        ``|eta - 1/2|``. Apart from delta it is smaller by the factor 4^(beta + 1) / 2.

    Examples
    --------
    >>> from knnviz import LabelNoise
    >>> from knnviz.bounds.reeve_kaban import theorem_4_3
    >>> flips, smooth = LabelNoise(0.1, 0.3), {"smoothness": 1, "smoothness_constant": 1}
    >>> bound = theorem_4_3(n=10**8, k=10**6, delta=0.01, noise=flips, margin_exponent=1, **smooth)
    >>> round(bound.xi, 4), round(bound.excess, 4)
    (0.0451, 0.3715)
    """
    bias = 2 * smoothing_error(n, k, smoothness, smoothness_constant)
    vote = sqrt(log(18 * n / checks.check_failure_probability(delta)) / k)
    beta, M = _check_margin(margin_exponent, margin_constant)
    factor, scale = (2 * M, 2) if tight else (M, 8)
    return ExcessBound(n, k, delta, vote, bias, factor, scale / noise.contrast, beta)


@dataclass(frozen=True)
class RateBound:
    """With probability 1 - delta the excess risk with k = k_n is at most ``excess``; made by ``theorem_4_3_rate``.

    ``excess`` is ``constant`` (log(18 n / delta) / n)^``exponent`` + delta. ``condition_holds`` is whether n meets the
    condition of the theorem.
    """

    n: int
    k: int
    delta: float
    constant: float
    exponent: float
    condition_holds: bool

    @property
    def excess(self) -> float:
        if self.constant == inf:
            return inf
        return self.constant * (log(18 * self.n / self.delta) / self.n) ** self.exponent + self.delta

    @property
    def vacuous(self) -> bool:
        return self.excess >= 1

    @property
    def proved(self) -> bool:
        """Whether n meets the condition, and k_n is in the range that the proof needs (``k_range``).

        For L >= 1, alpha <= 1 and delta >= 1 / (2 n) the first implies the second.
        """
        return self.condition_holds and k_range(self.n, self.delta).has(self.k)


def theorem_4_3_rate(
    n: int,
    delta: float,
    noise: LabelNoise,
    *,
    smoothness: float,
    smoothness_constant: float,
    margin_exponent: float = 0,
    margin_constant: float = 1,
) -> RateBound:
    """Second part of Theorem 4.3: with k = k_n the excess risk falls like n^(-alpha (beta + 1) / (2 alpha + 1)).

    M (2^(2 alpha + 5) L^(1 / (2 alpha + 1)) / contrast)^(beta + 1) (log(18 n / delta) / n)^exponent + delta, as without
    noise but for the logarithm; the noise is in the contrast alone. The condition holds from ``least_n`` on.

    Source: Reeve & Kaban, Theorem 4.3.

    Examples
    --------
    >>> from knnviz import LabelNoise
    >>> from knnviz.bounds.reeve_kaban import theorem_4_3_rate
    >>> flips, smooth = LabelNoise(0.1, 0.3), {"smoothness": 1, "smoothness_constant": 1}
    >>> bound = theorem_4_3_rate(n=10**9, delta=0.01, noise=flips, margin_exponent=1, **smooth)
    >>> bound.k, round(bound.exponent, 4), round(bound.excess, 4)
    (2416405, 0.6667, 0.4318)
    """
    k = k_n(n, delta, smoothness, smoothness_constant)
    alpha, L = checks.check_smoothness(smoothness, smoothness_constant)
    beta, M = _check_margin(margin_exponent, margin_constant)
    base = 2 ** (2 * alpha + 5) * L ** (1 / (2 * alpha + 1)) / noise.contrast
    condition_holds = n >= _required_n(n, delta, alpha, L)
    return RateBound(n, k, delta, M * power(base, beta + 1), exponent(alpha, beta), condition_holds)


def k_n(n: int, delta: float, smoothness: float, smoothness_constant: float) -> int:
    """The k of Theorem 4.3's rate: (log(18 n / delta) / (2 L^2))^(1 / (2 alpha + 1)) n^(2 alpha / (2 alpha + 1)).

    Rounded up. For a small n and L it exceeds n / 2, even n, and the theorem does not cover it.

    ValueError where the result is beyond what doubles hold.

    Source: Reeve & Kaban, Theorem 4.3.

    Examples
    --------
    >>> from knnviz.bounds.reeve_kaban import k_n
    >>> k_n(n=1000, delta=0.1, smoothness=1, smoothness_constant=1)
    183
    """
    n, delta = checks.check_int("n", n, 1), checks.check_failure_probability(delta)
    alpha, constant = checks.check_smoothness(smoothness, smoothness_constant)
    inverse = 1 / (2 * alpha + 1)
    found = (log(18 * n / delta) / 2) ** inverse * power(constant, -2 * inverse) * n ** (2 * alpha * inverse)
    if found == inf:
        raise ValueError(f"k_n is beyond what doubles hold at alpha = {alpha:g}, L = {constant:g}, delta = {delta:g}")
    return ceil(found)


def least_n(delta: float, smoothness: float, smoothness_constant: float) -> int:
    """Smallest n that meets the condition of Theorem 4.3's rate: n >= 5 (10 L^2)^(1 / (2 alpha)) log(18 n / delta).

    All larger n meet it as well. ValueError where there is no such n below 1e300.

    Source: Reeve & Kaban, Theorem 4.3.

    Examples
    --------
    >>> from knnviz.bounds.reeve_kaban import least_n
    >>> least_n(delta=0.1, smoothness=1, smoothness_constant=1)
    163
    """
    delta = checks.check_failure_probability(delta)
    alpha, constant = checks.check_smoothness(smoothness, smoothness_constant)
    refusal = f"no n below 1e300 meets the condition with alpha = {alpha:g} and L = {constant:g}"
    return least_int(lambda n: n >= _required_n(n, delta, alpha, constant), most=1e300, refusal=refusal)


def _required_n(n: int, delta: float, alpha: float, constant: float) -> float:
    return 5 * power(10 * constant**2, 1 / (2 * alpha)) * log(18 * n / delta)


def exponent(smoothness: float, margin_exponent: float = 0) -> float:
    """alpha (beta + 1) / (2 alpha + 1): the excess risk falls like n to minus this, up to a logarithm.

    Where alpha * beta <= 1 no learner does better, with or without noise (Audibert & Tsybakov 2007).

    Source: Reeve & Kaban, Theorem 4.3.

    Examples
    --------
    >>> from knnviz.bounds.reeve_kaban import exponent
    >>> round(exponent(smoothness=1, margin_exponent=1), 4)
    0.6667
    """
    (alpha, _), (beta, _) = checks.check_smoothness(smoothness, 1), _check_margin(margin_exponent, 1)
    return alpha * (beta + 1) / (2 * alpha + 1)


def _check_margin(exponent: float, constant: float) -> tuple[float, float]:
    beta = checks.check_real("margin exponent beta", exponent, 0, 100)
    return float(beta), float(checks.check_real("margin constant M", constant, 1, 1e100))
