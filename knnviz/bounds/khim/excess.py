"""The excess risk of kNN for many classes: second part of Corollary 2, Proposition 1 for weighted risk, Lemma 9."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, exp, log2, sqrt

from knnviz import checks
from knnviz.bounds.arithmetic import power
from knnviz.bounds.khim.arguments import check_margin
from knnviz.noise import smoothing_error
from knnviz.profiles.balls import Weights, check_class_weights


@dataclass(frozen=True)
class ExcessBound:
    """The excess risk, a mean over samples, is at most ``excess``.

    Made by ``corollary_2_excess`` and ``proposition_1``. ``bias`` is P, the change of eta over balls on the scale of
    the weights, and ``width`` P_J = 2^J P with J = ``doublings``; as printed there is no J, and ``width`` is the
    printed maximum. ``scale`` is the sum of q_c p_c, the risk of a rule that is always wrong.
    """

    n: int
    k: int
    bias: float
    doublings: int | None
    width: float
    factor: int
    margin_exponent: float
    margin_constant: float
    scale: float = 1.0

    @property
    def excess(self) -> float:
        """The bound, (exp(-k / 8) + factor M width^beta) scale; infinite beyond what doubles hold."""
        close = self.factor * self.margin_constant * power(self.width, self.margin_exponent)
        return (exp(-self.k / 8) + close) * self.scale

    @property
    def proved(self) -> bool:
        return 2 * self.k <= self.n

    @property
    def vacuous(self) -> bool:
        """Whether the bound reaches the risk of a rule that is always wrong, or k is out of range."""
        return not self.proved or self.excess >= self.scale


def corollary_2_excess(
    n: int,
    k: int,
    n_classes: int,
    *,
    smoothness: float,
    smoothness_constant: float,
    margin_exponent: float,
    margin_constant: float,
    as_printed: bool = False,
) -> ExcessBound:
    """Bound on the excess risk of kNN without weights: exp(-k / 8) + (1 + C) M P_J^beta.

    P = 2 L (2 k / n)^alpha and P_J = 2^J P, J = max(1, ceil(log2(8 (1 + beta) / (k P^2)) / 2)): from P on, the margin
    is doubled until votes of k neighbors err too seldom to matter. As printed, exp(-k / 8) + C M max(P, sqrt(8 (beta +
    1) / k))^beta: that omits the rounding of J and has C in place of 1 + C. Inside the margin an error is
    taken to cost 1, so the power is beta and not the beta + 1 of two classes. beta and M are for weights of 1. The
    proof takes k up to n / 2, which is the flag ``proved``.

    Source: Khim et al., Corollary 2.

    Examples
    --------
    >>> from knnviz.bounds.khim import corollary_2_excess
    >>> smooth, margin = {"smoothness": 1, "smoothness_constant": 0.5}, {"margin_exponent": 1, "margin_constant": 1}
    >>> bound = corollary_2_excess(n=1_000_000, k=20_000, n_classes=2, **smooth, **margin)
    >>> bound.doublings, round(bound.width, 4)
    (1, 0.08)
    >>> round(bound.excess, 4)
    0.24
    """
    n_classes = checks.check_int("n_classes", n_classes, 2)
    alpha, L = checks.check_smoothness(smoothness, smoothness_constant)
    beta, M = check_margin(margin_exponent, margin_constant)
    bias = 2 * smoothing_error(n, k, alpha, L)
    if as_printed:
        return ExcessBound(n, k, bias, None, max(bias, sqrt(8 * (beta + 1) / k)), n_classes, beta, M)
    doublings, width = _doubled_width(n, k, alpha, L, beta)
    return ExcessBound(n, k, bias, doublings, width, 1 + n_classes, beta, M)


def proposition_1(
    n: int,
    k: int,
    q: Weights,
    prior: Sequence[float],
    *,
    smoothness: float,
    smoothness_constant: float,
    margin_exponent: float,
    margin_constant: float,
) -> ExcessBound:
    """Bound on the excess of the weighted risk R_q: (exp(-k / 8) + (1 + C) M P_J^beta) times the sum of q_c p_c.

    As ``corollary_2_excess`` with P = 2 q_max L (2 k / n)^alpha and q_max^2 before the 1 / (k P^2) in J, so that
    nothing but the scale of the risk changes with that of the weights. ``prior`` (C,) is p_c, how often each class
    occurs, and P(Delta_q(X) <= t given Y = c) <= M t^beta for all t > 0 and every class c.

    Source: Khim et al., Proposition 1, which leaves the constants to its proof. Lemma 10 there lacks q_max, in P and in
    the second term of the maximum.

    Examples
    --------
    >>> from knnviz.bounds.khim import proposition_1
    >>> smooth, margin = {"smoothness": 1, "smoothness_constant": 0.5}, {"margin_exponent": 1, "margin_constant": 0.5}
    >>> bound = proposition_1(n=1_000_000, k=20_000, q=[2, 2], prior=[0.5, 0.5], **smooth, **margin)
    >>> bound.scale, round(bound.width, 4)
    (2.0, 0.16)
    >>> round(bound.excess, 4)
    0.48
    """
    q = check_class_weights(q)
    alpha, L = checks.check_smoothness(smoothness, smoothness_constant)
    beta, M = check_margin(margin_exponent, margin_constant)
    bias = 2 * float(q.max()) * smoothing_error(n, k, alpha, L)
    doublings, width = _doubled_width(n, k, alpha, L, beta)
    scale = float(q @ checks.check_weights(prior, len(q), "prior"))
    return ExcessBound(n, k, bias, doublings, float(q.max()) * width, 1 + len(q), beta, M, scale)


def lemma_9(n: int, k: int, q: Weights, margin: float, *, smoothness: float, smoothness_constant: float) -> float:
    """Bound on the probability that weighted kNN differs from the weighted Bayes rule at a point: 1 up to the margin P.

    Beyond P = 2 q_max L (2 k / n)^alpha it is exp(-k / 8) + C exp(-k (Delta_q(x) - P)^2 / (2 q_max^2)). ``margin`` is
    Delta_q(x), at least 0 and at most 1e100, and k is at most n / 2.

    Source: Khim et al., Lemma 9, which prints any P* > 0: it needs this P at least. Lemma 10 sets P without q_max.

    Examples
    --------
    >>> from knnviz.bounds.khim import lemma_9
    >>> round(lemma_9(n=10_000, k=200, q=[1, 1], margin=0.24, smoothness=1, smoothness_constant=0.5), 4)
    0.0366
    >>> lemma_9(n=10_000, k=200, q=[1, 1], margin=0.03, smoothness=1, smoothness_constant=0.5)
    1.0
    """
    n, q = checks.check_int("n", n, 2), check_class_weights(q)
    k, margin = checks.check_int("k", k, 1, n // 2), checks.check_real("margin Delta_q(x)", margin, 0, 1e100)
    lead = margin / float(q.max()) - 2 * smoothing_error(n, k, smoothness, smoothness_constant)
    return min(1.0, exp(-k / 8) + len(q) * exp(-k / 2 * lead**2)) if lead > 0 else 1.0


def _doubled_width(n: int, k: int, alpha: float, L: float, beta: float) -> tuple[int, float]:
    """J, and P_J = 2^J P for a largest weight of 1: in logarithms, as P may be below what doubles hold."""
    log_bias = 1 + log2(L) + alpha * log2(2 * k / n)
    doublings = max(1, ceil(log2(8 * (1 + beta) / k) / 2 - log_bias))
    return doublings, power(2.0, doublings + log_bias)
