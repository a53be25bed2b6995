"""Theorems for equal flip rates: the plain vote (Theorem 2, Corollary 1, an older bound), and 1-NN (Theorem 3)."""

from dataclasses import dataclass
from math import sqrt
from typing import Literal

from knnviz import checks
from knnviz.bounds.arithmetic import least_int
from knnviz.bounds.gao.conditions import check_bayes_risk, check_sizes, check_symmetric
from knnviz.corruption import LabelNoise

#: The factor a in the terms a R* / sqrt k and a tau / (sqrt k (1 - 2 tau)) of Theorem 2.
CONSTANTS = {"printed": sqrt(2), "proved": 2 * sqrt(2)}

Constant = Literal["printed", "proved"]


@dataclass(frozen=True)
class VoteBound:
    """Mean risk of the plain vote is at most ``value``, the sum of four terms.

    ``bias`` is the change of eta over balls. Made by ``theorem_2``, ``corollary_1`` and
    ``shalev_shwartz_ben_david``, which state the conditions.
    """

    n: int
    k: int
    bayes_risk: float
    bayes_over_sqrt_k: float
    noise: float
    bias: float

    @property
    def value(self) -> float:
        return self.bayes_risk + self.bayes_over_sqrt_k + self.noise + self.bias

    @property
    def vacuous(self) -> bool:
        return self.value >= 1


def theorem_2(
    n: int,
    k: int,
    noise: LabelNoise,
    *,
    lipschitz: float,
    dimension: int,
    bayes_risk: float,
    constant: Constant = "printed",
) -> VoteBound:
    """Bound on the risk of the plain vote under symmetric noise of rate tau.

    R* + a R* / sqrt k + a tau / (sqrt k (1 - 2 tau)) + 5 max(L, sqrt L) sqrt d (k / n)^(1 / (1 + d)), a = sqrt 2. The
    proof uses Lemma 4, which is false: corrected, it gives a = 2 sqrt 2. The factor 5 still suffices, also where 1 / mu
    in the proof is no whole number. The theorem with a = sqrt 2 is not refuted: for votes of equal probability
    ``binomial_constant`` stays below it. ``constant`` chooses a as "printed" or as "proved". k is at least 8.

    Source: Gao et al., Theorem 2.

    Examples
    --------
    >>> from knnviz import LabelNoise
    >>> from knnviz.bounds.gao import theorem_2
    >>> noise = LabelNoise(0.2, 0.2)
    >>> bound = theorem_2(n=10**8, k=100, noise=noise, lipschitz=1, dimension=1, bayes_risk=0.1)
    >>> round(bound.noise, 4), round(bound.value, 4)
    (0.0471, 0.1663)
    """
    return _vote_bound("Theorem 2", n, k, noise, lipschitz, dimension, bayes_risk, constant)


def corollary_1(
    n: int, k: int, *, lipschitz: float, dimension: int, bayes_risk: float, constant: Constant = "printed"
) -> VoteBound:
    """Bound on the risk of the plain vote on true labels: Theorem 2 without noise.

    Source: Gao et al., Corollary 1.

    Examples
    --------
    >>> from knnviz.bounds.gao import corollary_1
    >>> round(corollary_1(n=10**8, k=100, lipschitz=1, dimension=1, bayes_risk=0.1).value, 4)
    0.1191
    """
    return _vote_bound("Corollary 1", n, k, LabelNoise(), lipschitz, dimension, bayes_risk, constant)


def _vote_bound(
    name: str, n: int, k: int, noise: LabelNoise, lipschitz: float, dimension: int, bayes_risk: float, constant: str
) -> VoteBound:
    n, k = check_sizes(name, n, k, 8)
    tau, bayes_risk = check_symmetric(name, noise), check_bayes_risk(bayes_risk)
    checks.check_choice("constant", constant, tuple(CONSTANTS))
    scale = CONSTANTS[constant] / sqrt(k)
    factor, power = _bias(lipschitz, dimension)
    bias = factor * (k / n) ** power
    return VoteBound(n, k, bayes_risk, scale * bayes_risk, scale * tau / (1 - 2 * tau), bias)


def _bias(lipschitz: float, dimension: int) -> tuple[float, float]:
    """Factor 5 max(L, sqrt L) sqrt d and power 1 / (1 + d) of k / n in the bias of Theorem 2."""
    slope, d = checks.check_positive("Lipschitz constant", lipschitz), checks.check_int("dimension", dimension, 1)
    return 5 * max(slope, sqrt(slope)) * sqrt(d), 1 / (1 + d)


def shalev_shwartz_ben_david(n: int, k: int, *, lipschitz: float, dimension: int, bayes_risk: float) -> VoteBound:
    """The bound that Corollary 1 is compared with: R* + 2 sqrt 2 R* / sqrt k + (6 L sqrt d + k) / n^(1 / (1 + d)).

    k is at least 10.

    Source: Shalev-Shwartz & Ben-David, "Understanding Machine Learning", Theorem 19.5.

    Examples
    --------
    >>> from knnviz.bounds.gao import shalev_shwartz_ben_david
    >>> round(shalev_shwartz_ben_david(n=10**8, k=100, lipschitz=1, dimension=1, bayes_risk=0.1).value, 4)
    0.1389
    """
    n, k = check_sizes("the bound of Shalev-Shwartz & Ben-David", n, k, 10)
    slope, d = checks.check_positive("Lipschitz constant", lipschitz), checks.check_int("dimension", dimension, 1)
    bayes_risk = check_bayes_risk(bayes_risk)
    bias = (6 * slope * sqrt(d) + k) / n ** (1 / (1 + d))
    return VoteBound(n, k, bayes_risk, 2 * sqrt(2) * bayes_risk / sqrt(k), 0.0, bias)


def bias_crossover(*, lipschitz: float, dimension: int) -> int:
    """Least k, 10 or more, from which on the bias in Corollary 1 is below that of Shalev-Shwartz & Ben-David.

    Both fall like n^(-1 / (1 + d)), so that n does not matter: 5 max(L, sqrt L) sqrt d k^(1 / (1 + d)) is compared with
    6 L sqrt d + k. The first is concave in k, and so it is larger on one stretch of k at most.

    Source: Gao et al., the comparison after Corollary 1.

    Examples
    --------
    10 sqrt k is below 12 + k for k above (5 + sqrt 13)^2 = 74.06.

    >>> from knnviz.bounds.gao import bias_crossover
    >>> bias_crossover(lipschitz=2, dimension=1)
    75
    """
    factor, power = _bias(lipschitz, dimension)
    other = 6 * lipschitz * sqrt(dimension)

    def below(k: int) -> bool:
        return factor * k**power < other + k

    # The difference is largest at the peak, and falls from there on, in the end below 0.
    peak = max(10, int((factor * power) ** (1 / (1 - power))))
    if below(peak) and below(peak + 1):
        return 10
    return least_int(below, start=peak + 1)


@dataclass(frozen=True)
class OneNNBound:
    """Mean risk of 1-NN lies between ``lower`` and ``upper``; made by ``theorem_3``, which states the conditions.

    ``limit_lower`` and ``limit_upper`` hold in the limit of large n; ``slack`` is what a finite n adds on either side.
    """

    n: int
    bayes_risk: float
    limit_lower: float
    limit_upper: float
    slack: float

    @property
    def lower(self) -> float:
        """R* + tau (1 - 2 R*) - slack."""
        return self.limit_lower - self.slack

    @property
    def upper(self) -> float:
        """2 R* + tau (1 - 4 R*) + slack."""
        return self.limit_upper + self.slack

    @property
    def lower_vacuous(self) -> bool:
        """Whether the lower bound is trivial: no rule has a risk below R*."""
        return self.lower <= self.bayes_risk

    @property
    def upper_vacuous(self) -> bool:
        return self.upper >= 1

    @property
    def vacuous(self) -> bool:
        return self.lower_vacuous and self.upper_vacuous


def theorem_3(n: int, noise: LabelNoise, *, lipschitz: float, dimension: int, bayes_risk: float) -> OneNNBound:
    """Bounds on the risk of 1-NN under symmetric noise of rate tau, below and above.

    R* + tau (1 - 2 R*) - s and 2 R* + tau (1 - 4 R*) + s with s = 3 L sqrt d (1 - 2 tau) / (2 n^(1 / (1 + d))). The
    limit itself is tau + (1 - 2 tau) E[2 eta (1 - eta)], ``risk.one_nn_limit``. Without noise the limits are
    R* and 2 R*; Cover & Hart's upper one is 2 R* (1 - R*).

    Source: Gao et al., Theorem 3, with the factor 1 - 2 tau that its proof gives.

    Examples
    --------
    >>> from knnviz import LabelNoise
    >>> from knnviz.bounds.gao import theorem_3
    >>> bound = theorem_3(n=10**6, noise=LabelNoise(0.2, 0.2), lipschitz=1, dimension=1, bayes_risk=0.1)
    >>> round(bound.limit_lower, 4), round(bound.limit_upper, 4), round(bound.slack, 4)
    (0.26, 0.32, 0.0009)
    """
    n, tau = checks.check_int("n", n, 1), check_symmetric("Theorem 3", noise)
    bayes_risk = check_bayes_risk(bayes_risk)
    slope, d = checks.check_positive("Lipschitz constant", lipschitz), checks.check_int("dimension", dimension, 1)
    slack = 3 * slope * sqrt(d) * (1 - 2 * tau) / (2 * n ** (1 / (1 + d)))
    lower, upper = bayes_risk + tau * (1 - 2 * bayes_risk), 2 * bayes_risk + tau * (1 - 4 * bayes_risk)
    return OneNNBound(n, bayes_risk, lower, upper, slack)
