"""Lemmas C.3 and C.5 and Theorem C.4, which the theorems rest on."""

from dataclasses import dataclass
from math import log, sqrt

from knnviz import checks
from knnviz.bounds.errandonea.constants import LARGEST


def lemma_c_3(n: int, k: int, delta: float, vc_dimension: int = 1, c0: float = 1.0) -> float:
    """Mass from which on every ball holds k of n points or more: (k + c0 max{k, d0 log(n / delta)}) / n.

    It does so with probability 1 - delta^2 / 2. Beyond 1 there is no such ball.

    Source: Errandonea et al., Lemma C.3.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import lemma_c_3
    >>> lemma_c_3(n=1000, k=100, delta=0.05)
    0.2
    """
    n = checks.check_int("n", n, 1)
    k, d0 = checks.check_k(k, n), checks.check_int("vc_dimension", vc_dimension, 1)
    log_term, c0 = log(n / checks.check_failure_probability(delta)), checks.check_real("c0", c0, 0, LARGEST)
    return (k + c0 * max(k, d0 * log_term)) / n


@dataclass(frozen=True)
class DeviationBound:
    """With probability 1 - delta, fractions in all balls of k points deviate by at most sqrt(k0 / k).

    Made by ``theorem_c_4``.
    """

    n: int
    k0: float

    def deviation(self, k: int) -> float:
        return sqrt(self.k0 / checks.check_k(k, self.n))

    @property
    def vacuous(self) -> bool:
        """Whether the bound is 1 or more for every ball, as none holds more than k0 points."""
        return self.k0 >= self.n


def theorem_c_4(n: int, delta: float, vc_dimension: int = 1) -> DeviationBound:
    """How far fractions among the k points of a ball deviate from probabilities given the ball: at most sqrt(k0 / k).

    k0 = 1000 (d0 log(8n) + log(4 / delta)).

    Source: Errandonea et al., Theorem C.4, which is Theorem 8 of Balsubramani et al. (2019).

    Examples
    --------
    >>> from knnviz.bounds.errandonea import theorem_c_4
    >>> bound = theorem_c_4(n=1000, delta=0.1)
    >>> round(bound.k0), bound.vacuous
    (12676, True)
    >>> round(theorem_c_4(n=10**6, delta=0.1).deviation(k=200_000), 4)
    0.3129
    """
    n, d0 = checks.check_int("n", n, 1), checks.check_int("vc_dimension", vc_dimension, 1)
    return DeviationBound(n, 1000 * (d0 * log(8 * n) + log(4 / checks.check_failure_probability(delta))))


def lemma_c_5(k: int, band_constant: float) -> float:
    """Deviation of label fractions among k neighbors that the proof allows: half the band, band_constant / (2 sqrt(k)).

    Source: Errandonea et al., Lemma C.5.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import lemma_c_5
    >>> lemma_c_5(k=100, band_constant=2.0)
    0.1
    """
    return checks.check_positive("band_constant", band_constant) / (2 * sqrt(checks.check_int("k", k, 1)))
