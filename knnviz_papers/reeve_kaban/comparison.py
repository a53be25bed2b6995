"""What the runs share: the plateau of Figure 1, its noise, the theorem's k, and noisy samples."""

from typing import NamedTuple, Self

import numpy as np

from knnviz.bounds.reeve_kaban import k_n
from knnviz.neighbors import Windows
from knnviz.noise import LabelNoise
from knnviz.problems import Sample, plateau
from knnviz.profiles import WindowProfile
from knnviz.risk import Antiderivative, on_line
from knnviz.rules import Robust, Rule


class Plateau(NamedTuple):
    """R*, mu(A_0), the limit of the risk of kNN, and the least L and M of eta at alpha = 1 and at
    beta = 1; made by ``section_5``.
    """

    bayes_risk: float
    misled: float
    vote_limit: float
    smoothness_constant: float
    margin_constant: float


def section_5(p0: float, p1: float) -> Plateau:
    """Of ``problems.plateau(p0, p1)`` under label noise of these flip rates: R* = 1/3 - w / 6,
    mu(A_0) = 1/3 + 2 w / 3, limit R* + w / 3 + 2 w^2 / 3, L = 3/2, M = 4/3 + 2 / (3 w).

    Reeve & Kaban, section 5, which counts only the plateau's 1/3 of mu(A_0). p0 and p1 differ and
    are below 1/2; w = ``|p1 - p0| / (2 contrast)`` is the distance from 1/2 of the eta whose
    eta_corr is 1/2.
    """
    w = abs(p1 - p0) / (2 * (1 - p0 - p1))
    bayes_risk = 1 / 3 - w / 6
    vote_limit = bayes_risk + w / 3 + 2 * w**2 / 3
    return Plateau(bayes_risk, 1 / 3 + 2 * w / 3, vote_limit, 1.5, 4 / 3 + 2 / (3 * w))


#: The noise and the distribution of Figure 1, and closed forms of both.
NOISE = LabelNoise(0.1, 0.3)
PLATEAU = plateau(NOISE.p0, NOISE.p1)
KNOWN = section_5(NOISE.p0, NOISE.p1)

#: Sample sizes.
SIZES = (250, 1000, 4000, 16_000, 64_000, 256_000, 1_024_000)

#: Failure probability, smoothness alpha and its constant L, on which k depends; on the plateau L =
#: 3/2 would do.
DELTA = 0.05
SMOOTHNESS = 1.0
SMOOTHNESS_CONSTANT = 3.0

#: The smallest L of eta_corr on the plateau.
SHARP_CONSTANT = NOISE.contrast * KNOWN.smoothness_constant


def theorem_k(n: int) -> int:
    """The k of Theorem 4.3 for a sample of size n, at the constants above."""
    return k_n(n, DELTA, SMOOTHNESS, SMOOTHNESS_CONSTANT)


class NoisySample(NamedTuple):
    """What a learner has of a sample on a line: windows, observed labels (n,), and their votes."""

    windows: Windows
    labels: np.ndarray
    votes: WindowProfile

    @classmethod
    def from_sample(cls, sample: Sample) -> Self:
        """Sort a sample's points, and flip its labels."""
        windows = Windows.from_points(sample.X)
        labels = NOISE.flip(sample.y, sample.v)
        votes = WindowProfile.build(windows, labels, 2)
        return cls(windows, labels, votes)

    def robust(self, k: int) -> Robust:
        """Algorithm 2, fitted: one k, at least 2, votes and estimates the noise."""
        return Robust(votes="order").fit(self.windows, self.labels, k, 2)

    def risk(self, rule: Rule, k: int, eta: Antiderivative) -> float:
        """Exact risk of a fitted rule; ``eta`` integrates the probabilities of the labels that
        count, true or noisy.
        """
        labels = rule.predict(self.votes, k)
        return on_line(eta, self.windows.breakpoints(k), labels)


def estimates(rule: Robust) -> list[float]:
    """The p0, p1 and theta of a fitted rule."""
    assert rule.noise_rates is not None
    return [*map(float, rule.noise_rates), float(rule.threshold)]
