"""A distribution on a line with label noise, its samples, and three rules compared on each of them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, Self

import numpy as np

from knnviz.bounds.reeve_kaban import k_n
from knnviz.corruption import LabelNoise
from knnviz.problems import Problem, Sample
from knnviz.profiles import WindowProfile
from knnviz.risk import Antiderivative, on_line
from knnviz.rules import Robust, Rule, Threshold, Vote
from knnviz.windows import Windows

#: Flip rates p0 and p1 of the paper's Figure 1.
P0, P1 = 0.1, 0.3

#: Sample sizes.
SIZES = (250, 1000, 4000, 16_000, 64_000, 256_000, 1_024_000)

#: Failure probability, smoothness alpha and its constant L, on which k depends; on the plateau L = 3/2 would do.
DELTA, SMOOTHNESS, SMOOTHNESS_CONSTANT = 0.05, 1.0, 3.0

#: What ``compare`` measures.
COLUMNS = ("vote", "robust", "known", "p0_hat", "p1_hat", "theta_hat")


def theorem_k(n: int) -> int:
    """The k of Theorem 4.3 for a sample of size n, a whole number of at least 1, at the constants above.

    Source: Reeve & Kaban, Theorem 4.3.
    """
    return k_n(n, DELTA, SMOOTHNESS, SMOOTHNESS_CONSTANT)


class NoisyProblem(NamedTuple):
    """A problem of two classes on a line with label noise, and the integrals that risks come from.

    ``eta`` is for risks on true labels, ``observed`` for those on noisy ones.
    """

    problem: Problem
    noise: LabelNoise
    eta: Antiderivative
    observed: Antiderivative

    @classmethod
    def of(cls, problem: Problem) -> Self:
        """Integrate eta and eta_corr, at the rates ``P0`` and ``P1``, of a density on a line over a fine grid."""
        noise = LabelNoise(P0, P1)
        noisy = replace(problem, eta=lambda X: noise.corrupt(problem.eta(X)), log_joint=None)
        return cls(problem, noise, Antiderivative.of(problem), Antiderivative.of(noisy))


class ObservedSample(NamedTuple):
    """What a learner has of a sample on a line: windows of its points, observed labels (n,), and their votes."""

    windows: Windows
    labels: np.ndarray
    votes: WindowProfile

    @classmethod
    def of(cls, noisy_problem: NoisyProblem, sample: Sample) -> Self:
        """Sort a sample's points, and flip its labels."""
        windows, labels = Windows.of(sample.X), noisy_problem.noise.flip(sample.y, sample.v)
        return cls(windows, labels, WindowProfile.count(windows, labels, 2))

    def robust(self, k: int) -> Robust:
        """Algorithm 2, fitted: one k, at least 2, votes and estimates the noise.

        Source: Reeve & Kaban, Algorithm 2.
        """
        return Robust(votes="order").fit(self.windows, self.labels, k, 2)

    def risk(self, rule: Rule, k: int, eta: Antiderivative) -> float:
        """Exact risk of a fitted rule; ``eta`` integrates the probabilities of the labels that count, true or noisy."""
        return on_line(self.windows, rule.predict(self.votes, k), k, eta)


def estimates(rule: Robust) -> list[float]:
    """The p0, p1 and theta of a fitted rule."""
    assert rule.noise_rates is not None
    return [*map(float, rule.noise_rates), float(rule.threshold)]


def compare(noisy_problem: NoisyProblem, sample: Sample, ks: Sequence[int]) -> list[list[float]]:
    """For each k the exact risks of three rules on one sample, and the noise as Algorithm 2 estimates it.

    In the order of ``COLUMNS``: risks of plain kNN, of Algorithm 2 and of the vote at the true threshold, and the
    estimates of p0, p1 and theta. Each k, at least 2, votes and estimates.
    """
    seen = ObservedSample.of(noisy_problem, sample)
    known = Threshold.from_rates(noisy_problem.noise.p0, noisy_problem.noise.p1)
    found = []
    for k in ks:
        robust = seen.robust(k)
        risks = [seen.risk(rule, k, noisy_problem.eta) for rule in (Vote(), robust, known)]
        found.append([*risks, *estimates(robust)])
    return found
