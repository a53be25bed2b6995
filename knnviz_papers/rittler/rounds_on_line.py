"""Two rounds of labels on [0, 1] with uniform points: H, H+ and risks are exact, without a grid."""

from typing import NamedTuple, Self

import numpy as np

from knnviz.active import FROM_P, FROM_R, ROUND1, Scheme
from knnviz.active.line import two_round_steps, vote_steps
from knnviz.active.voting import VoterKind, two_round_voters
from knnviz.bounds.rittler import expected_passive_fraction
from knnviz.problems import Problem
from knnviz.problems.base import draw_classes
from knnviz.regions import augmented_intervals, hard_intervals, in_intervals
from knnviz.risk import Antiderivative
from knnviz.risk.integrals import on_line


class FirstRoundOnLine(NamedTuple):
    """Points X (n, 1) with classes y (n,), and the intervals (J, 2) of H and of H+."""

    X: np.ndarray
    y: np.ndarray
    hard: np.ndarray
    augmented: np.ndarray

    @classmethod
    def build(cls, X: np.ndarray, y: np.ndarray, scheme: Scheme) -> Self:
        n = len(y)
        hard = hard_intervals(X, y, scheme.k_hard, scheme.width(n, 1))
        augmented = augmented_intervals(X, hard, scheme.k_plus(n, 1))
        return cls(X, y, hard, augmented)

    @property
    def masses(self) -> tuple[float, float]:
        """Those of H and of H+."""
        hard_mass = float(np.diff(self.hard).sum())
        augmented_mass = float(np.diff(self.augmented).sum())
        return hard_mass, augmented_mass


class TwoRoundSample(NamedTuple):
    """Labeled points X (n + m, 1), ascending, classes y and stages ROUND1, FROM_P (passive) or
    FROM_R (targeted).
    """

    first: FirstRoundOnLine
    X: np.ndarray
    y: np.ndarray
    stage: np.ndarray

    def risk(self, kind: VoterKind, k: int, antiderivative: Antiderivative) -> float:
        """The risk of the modified classifier with "strict" or "inclusive" voters in H."""
        in_augmented = in_intervals(self.first.augmented, self.X[:, 0])
        voters = two_round_voters(self.X, self.y, self.stage, in_augmented, kind)
        in_hard, elsewhere = (vote_steps(each, k, len(self.y)) for each in voters)
        steps = two_round_steps(in_hard, elsewhere, self.first.hard)
        return on_line(antiderivative, *steps)


def two_rounds(
    problem: Problem, first: FirstRoundOnLine, m: int, scheme: Scheme, rng: np.random.Generator
) -> TwoRoundSample:
    """Buy m labels after a first round, of a problem with uniform points on [0, 1].

    Rejected draws are left out. A label is passive with the probability of
    ``expected_passive_fraction``, otherwise its point is uniform on H+: the distribution is that of
    Algorithm 1. Of two calls with equal seeds, the one with the smaller m gives the first labels of
    the other.
    """
    _, mass = first.masses
    passive_fraction = 1.0
    if mass:
        passive_fraction = expected_passive_fraction(scheme.passive_fraction, mass, scheme.coin)
    coin, position, label = rng.random((m, 3)).T
    is_passive = coin < passive_fraction
    x = np.where(is_passive, position, points_in(first.augmented, position))
    y = draw_classes(problem.eta(x[:, None]), label)
    stage = np.where(is_passive, FROM_P, FROM_R)

    points = np.concatenate([first.X, x[:, None]])
    labels = np.concatenate([first.y, y])
    first_stage = np.full(len(first.y), ROUND1)
    stages = np.concatenate([first_stage, stage])
    order = np.argsort(points[:, 0])
    return TwoRoundSample(first, points[order], labels[order], stages[order])


def points_in(intervals: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Points (m,) of intervals (J, 2) at fractions u (m,) of their length; u without intervals."""
    if not len(intervals):
        return u
    ends = np.cumsum(np.diff(intervals))
    along = u * ends[-1]
    row = np.searchsorted(ends, along, side="right")
    row = row.clip(max=len(ends) - 1)
    return intervals[row, 1] - (ends[row] - along)
