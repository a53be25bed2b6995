"""How often weighted kNN disagrees with the weighted Bayes rule: Theorems 1 and 2, Corollaries 1 and 2, Remark 1."""

from dataclasses import dataclass
from math import erfc, exp, inf, log, sqrt

from knnviz import checks
from knnviz.bounds.arithmetic import power
from knnviz.bounds.khim.arguments import check_fraction, check_margin, confidence_term
from knnviz.noise import smoothing_error
from knnviz.profiles.balls import Weights, check_class_weights

#: gamma_2 of Theorem 2: a lower bound on the probability that neither of two deviations happens, each of at most e^-2.
GAMMA_2 = 1 - 2 * exp(-2)


@dataclass(frozen=True)
class BoundaryBound:
    """With probability 1 - delta the disagreement is at most delta plus the mass of an effective boundary.

    The boundary is that of balls up to ``mass`` p with the margin ``margin`` Delta, on the scale of the weights, whose
    largest is ``q_max``. Made by ``theorem_1``. It is ``proved`` for k > 4 log(2 / delta); ``mass`` is infinite
    otherwise.
    """

    n: int
    k: int
    delta: float
    q_max: float
    mass: float
    margin: float

    @property
    def proved(self) -> bool:
        return self.k > 4 * log(2 / self.delta)

    @property
    def vacuous(self) -> bool:
        """Whether the bound is vacuous for every problem.

        The theorem does not hold for this k, p exceeds 1, or no class ever leads by Delta, which exceeds q_max. The
        effective boundary may hold everything earlier: then ``disagreement`` is 1.
        """
        return not self.proved or self.mass > 1 or self.margin > self.q_max

    def disagreement(self, boundary: float) -> float:
        """The bound, delta + the mass of the effective boundary, in [0, 1]; 1 where that exceeds it, or if vacuous."""
        boundary = check_fraction("mass of the boundary", boundary)
        return 1.0 if self.vacuous else min(1.0, self.delta + boundary)


def theorem_1(n: int, k: int, delta: float, q: Weights, *, capped: bool = False) -> BoundaryBound:
    """Bound on the disagreement P(f(X) != f*_q(X)) of weighted kNN with the weighted Bayes rule.

    p = (k / n) / (1 - sqrt((4 / k) log(2 / delta))) and Delta = q_max sqrt((2 / k) (log C + 2 log(2 / delta))): outside
    the effective boundary the rules disagree only if the votes deviate by Delta, or the k-th neighbor lies beyond mass
    p. If ``capped``, Delta is at most 1, as printed. The cap depends on the scale of the weights. For q_max up to 1 the
    capped theorem holds, though not by the printed step; above 1 it can be false.

    Source: Khim et al., Theorem 1.

    Examples
    --------
    >>> from knnviz.bounds.khim import theorem_1
    >>> bound = theorem_1(n=10_000, k=400, delta=0.05, q=[1, 1])
    >>> round(bound.mass, 4), round(bound.margin, 4)
    (0.0495, 0.2009)
    >>> round(bound.disagreement(boundary=0.1), 4)
    0.15
    """
    n, q = checks.check_int("n", n, 1), check_class_weights(q)
    log_term = confidence_term(len(q), delta)
    k = checks.check_k(k, n)
    denominator = 1 - sqrt(4 / k * log(2 / delta))
    q_max = float(q.max())
    margin = q_max * sqrt(2 * log_term / k)
    mass = k / n / denominator if denominator > 0 else inf
    return BoundaryBound(n, k, delta, q_max, mass, min(1.0, margin) if capped else margin)


@dataclass(frozen=True)
class WidthBound:
    """With probability 1 - delta the disagreement is at most delta + P(Delta_q(X) <= w), with w the ``width``.

    ``vote`` is the deviation of k votes, ``bias`` the change of eta over their ball, on the scale of the weights. Made
    by ``corollary_1``.
    """

    n: int
    k: int
    delta: float
    q_max: float
    vote: float
    bias: float

    @property
    def width(self) -> float:
        return self.vote + self.bias

    @property
    def proved(self) -> bool:
        """Whether k >= 16 log(2 / delta), so that p <= 2 k / n in Theorem 1."""
        return self.k >= 16 * log(2 / self.delta)

    @property
    def vacuous(self) -> bool:
        """Whether the bound is vacuous for every problem: k is too small, or no class ever leads by more than w."""
        return not self.proved or self.width >= self.q_max

    def disagreement(self, close: float) -> float:
        """The bound, delta + ``close``, which is P(Delta_q(X) <= w); 1 where that exceeds it, or if vacuous."""
        close = check_fraction("fraction of close points", close)
        return 1.0 if self.vacuous else min(1.0, self.delta + close)


def corollary_1(
    n: int, k: int, delta: float, q: Weights, *, smoothness: float, smoothness_constant: float
) -> WidthBound:
    """Bound on the disagreement by points with a small margin: w = Delta of Theorem 1 + 2 q_max L (2 k / n)^alpha.

    The condition k >= 16 log(2 / delta) is printed in Remark 1 alone; the flag ``proved`` has it.

    Source: Khim et al., Corollary 1.

    Examples
    --------
    >>> from knnviz.bounds.khim import corollary_1
    >>> bound = corollary_1(n=10_000, k=400, delta=0.05, q=[1, 1], smoothness=1, smoothness_constant=0.5)
    >>> round(bound.vote, 4), round(bound.bias, 4)
    (0.2009, 0.08)
    >>> round(bound.disagreement(close=0.25), 4)
    0.3
    """
    bound = theorem_1(n, k, delta, q)
    bias = 2 * bound.q_max * smoothing_error(n, k, smoothness, smoothness_constant)
    return WidthBound(bound.n, bound.k, delta, bound.q_max, bound.margin, bias)


@dataclass(frozen=True)
class OptimalWidth:
    """The k that makes w of Corollary 1 smallest, and the w it leaves; made by ``remark_1``.

    ``k`` is a real number, ``factor_k`` K and ``factor_width`` M' are the factors that depend on alpha and L alone.
    """

    n: int
    delta: float
    k: float
    width: float
    factor_k: float
    factor_width: float

    @property
    def proved(self) -> bool:
        """Whether Corollary 1 holds at this k: 16 log(2 / delta) <= k <= n."""
        return 16 * log(2 / self.delta) <= self.k <= self.n


def remark_1(
    n: int,
    delta: float,
    q: Weights,
    *,
    smoothness: float,
    smoothness_constant: float,
    as_printed: bool = False,
) -> OptimalWidth:
    """The best k in Corollary 1: k* = K B^(1 / (2 alpha + 1)) n^(2 alpha / (2 alpha + 1)).

    B = 2 log C + 4 log(2 / delta). There w = q_max M' (B / n)^(alpha / (2 alpha + 1)), with K = (alpha L 2^(alpha +
    2))^(-2 / (2 alpha + 1)) and M' = K^(-1/2) (1 + 1 / (2 alpha)). As printed, k has the factor q_max^(2 / (2 alpha +
    1)) and w has q_max^(2 alpha / (2 alpha + 1)) in place of q_max. These do not follow, and they change with the scale
    of the weights, which changes no decision.

    Source: Khim et al., Remark 1, with its unnamed constants.

    Examples
    --------
    >>> from knnviz.bounds.khim import remark_1
    >>> best = remark_1(n=1000, delta=0.05, q=[1, 1], smoothness=1, smoothness_constant=0.125)
    >>> round(best.factor_k, 4), round(best.factor_width, 4)
    (1.0, 1.5)
    >>> round(best.k, 2), round(best.width, 4)
    (252.73, 0.3791)
    """
    n, q = checks.check_int("n", n, 1), check_class_weights(q)
    log_term = 2 * confidence_term(len(q), delta)
    alpha, constant = checks.check_smoothness(smoothness, smoothness_constant)
    q_max, inverse = float(q.max()), 1 / (2 * alpha + 1)
    factor_k = power(alpha * constant * 2 ** (alpha + 2), -2 * inverse)
    factor_width = factor_k**-0.5 * (1 + 1 / (2 * alpha))
    k = factor_k * log_term**inverse * n ** (2 * alpha * inverse)
    width = factor_width * (log_term / n) ** (alpha * inverse)
    scale_k, scale_width = (q_max ** (2 * inverse), q_max ** (2 * alpha * inverse)) if as_printed else (1.0, q_max)
    return OptimalWidth(n, delta, scale_k * k, scale_width * width, factor_k, factor_width)


@dataclass(frozen=True)
class DisagreementBound:
    """With probability 1 - delta the disagreement is at most ``value``; made by ``corollary_2``.

    ``best`` has the k for which it holds and its w.
    """

    best: OptimalWidth
    margin_exponent: float
    margin_constant: float

    @property
    def value(self) -> float:
        return self.best.delta + self.margin_constant * power(self.best.width, self.margin_exponent)

    @property
    def proved(self) -> bool:
        return self.best.proved

    @property
    def vacuous(self) -> bool:
        return not self.proved or self.value >= 1


def corollary_2(
    n: int,
    delta: float,
    q: Weights,
    *,
    smoothness: float,
    smoothness_constant: float,
    margin_exponent: float,
    margin_constant: float,
    as_printed: bool = False,
) -> DisagreementBound:
    """Bound on the disagreement under the margin condition, with the best k: delta + M w^beta, w of Remark 1.

    The excess risk, without weights, is ``corollary_2_excess``.

    Source: Khim et al., Corollary 2.

    Examples
    --------
    >>> from knnviz.bounds.khim import corollary_2
    >>> smooth = {"smoothness": 1, "smoothness_constant": 0.125}
    >>> bound = corollary_2(n=1000, delta=0.05, q=[1, 1], margin_exponent=1, margin_constant=1, **smooth)
    >>> round(bound.best.width, 4), round(bound.value, 4)
    (0.3791, 0.4291)
    >>> bound.proved
    True
    """
    best = remark_1(n, delta, q, smoothness=smoothness, smoothness_constant=smoothness_constant, as_printed=as_printed)
    return DisagreementBound(best, *check_margin(margin_exponent, margin_constant))


def gamma_3(k: int, both: float, threshold: float) -> float:
    """gamma_3 of Theorem 2 as printed: P(Z >= sqrt((p + 1 / sqrt k) / (t - 1 / sqrt k))) for a standard normal Z.

    It depends on the weights; one value holds for all points and k only once these are fixed. It is no proved factor:
    above the mean, Slud's inequality divides by sqrt(n p' (1 - p')), and Lemma 13 drops the 1 - p', which exceeds 1/2.
    gamma_1 is not known either, so the theorem gives a set, ``regions.lower_bound_set``, and no number.

    Source: Khim et al., Theorem 2 and Lemma 13.

    Parameters
    ----------
    both : float
        p, the largest eta_c + eta_f of the balls, in [0, 1]; f is the weighted Bayes class and c the other one.
    threshold : float
        t = q_f / (q_f + q_c), above 1 / sqrt k and at most 1.

    Examples
    --------
    >>> from knnviz.bounds.khim import gamma_3
    >>> round(gamma_3(k=10**12, both=1.0, threshold=1.0), 4)
    0.1587
    """
    deviation = 1 / sqrt(checks.check_int("k", k, 1))
    both, threshold = check_fraction("fraction of both classes", both), checks.check_real("threshold", threshold, 0, 1)
    if threshold <= deviation:
        raise ValueError(f"gamma_3 needs a threshold above 1 / sqrt k = {deviation:.4f}, got {threshold:.4f}")
    return 0.5 * erfc(sqrt((both + deviation) / (2 * (threshold - deviation))))
