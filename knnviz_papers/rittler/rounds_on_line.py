"""Two rounds of labels on [0, 1] with uniform points: H, H+ and risks are exact, without a grid."""

from typing import NamedTuple, Self

import numpy as np

from knnviz.active import FROM_P, FROM_R, ROUND1, Scheme
from knnviz.active.sampling import labeled
from knnviz.bounds.rittler import expected_passive_fraction
from knnviz.problems import Problem
from knnviz.problems.base import draw_classes
from knnviz.profiles import WindowProfile
from knnviz.regions import augmented_intervals, hard_intervals
from knnviz.risk import Antiderivative, on_pieces
from knnviz.rules import Threshold
from knnviz.windows import Windows


class StepFunction(NamedTuple):
    """A function that is constant between ``breaks`` (J,), ascending, with ``values`` (J + 1,) from left to right."""

    breaks: np.ndarray
    values: np.ndarray

    @classmethod
    def inside(cls, intervals: np.ndarray) -> Self:
        """1 on intervals (J, 2), ascending and apart, and 0 elsewhere."""
        return cls(intervals.ravel(), np.arange(2 * len(intervals) + 1) % 2)

    def after(self, x: np.ndarray) -> np.ndarray:
        """Values (m,) right of x (m,)."""
        return self.values[np.searchsorted(self.breaks, x, side="right")]

    def risk(self, antiderivative: Antiderivative) -> float:
        """The risk of these values as predictions."""
        return on_pieces(self.breaks, self.values, antiderivative)


class Voters(NamedTuple):
    """Labeled points on a line that may vote; None if there are none."""

    profile: WindowProfile | None

    @classmethod
    def of(cls, x: np.ndarray, y: np.ndarray) -> Self:
        return cls(WindowProfile.count(Windows.of(x[:, None]), y, 2) if len(x) else None)

    def majority(self, k: int) -> StepFunction:
        """The class that the k nearest predict, all voters if they are fewer; 1 on a tie, and without any."""
        if self.profile is None:
            return StepFunction(np.empty(0), np.ones(1, np.uint8))
        windows = self.profile.windows
        k = min(k, windows.n)
        labels = Threshold(0.5).predict(self.profile, k)
        changes = np.flatnonzero(labels[1:] != labels[:-1])
        return StepFunction(windows.breakpoints(k)[changes], labels[np.append(changes, windows.n - k)])


class FirstRoundOnLine(NamedTuple):
    """Points x (n,) with classes y (n,), and the intervals (J, 2) of H and of H+."""

    x: np.ndarray
    y: np.ndarray
    hard: np.ndarray
    augmented: np.ndarray

    @classmethod
    def of(cls, x: np.ndarray, y: np.ndarray, scheme: Scheme) -> Self:
        n, X = len(x), x[:, None]
        hard = hard_intervals(X, y, scheme.k_hard, scheme.width(n, 1))
        return cls(x, y, hard, augmented_intervals(X, hard, scheme.k_plus(n, 1)))

    @property
    def masses(self) -> tuple[float, float]:
        """Those of H and of H+."""
        hard, augmented = (float(np.diff(each).sum()) for each in (self.hard, self.augmented))
        return hard, augmented


class TwoRoundSample(NamedTuple):
    """Labeled points x, ascending, classes y and stages ROUND1, FROM_P (passive) or FROM_R (targeted), all (n + m,)."""

    first: FirstRoundOnLine
    x: np.ndarray
    y: np.ndarray
    stage: np.ndarray

    def voters(self, kind: str) -> Voters:
        """The labeled points that vote "outside" H, or inside it, "strict" or "inclusive"."""
        chosen = self.stage != FROM_R if kind == "outside" else self.stage == FROM_R
        if kind == "inclusive":
            chosen = chosen | (StepFunction.inside(self.first.augmented).after(self.x) == 1)
        return Voters.of(self.x[chosen], self.y[chosen])

    def classifier(self, kind: str, k: int) -> StepFunction:
        """The modified classifier with "strict" or "inclusive" voters in H."""
        hard = StepFunction.inside(self.first.hard)
        inner, outer = (self.voters(each).majority(k) for each in (kind, "outside"))
        breaks = np.sort(np.concatenate([hard.breaks, inner.breaks, outer.breaks]))
        starts = np.append(-np.inf, breaks)
        return StepFunction(breaks, np.where(hard.after(starts) == 1, inner.after(starts), outer.after(starts)))


def draw_labeled(problem: Problem, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """n labeled points x (n,) from left to right, with classes (n,)."""
    X, y = labeled(problem, n, rng)
    order = np.argsort(X[:, 0])
    return X[order, 0], y[order]


def two_rounds(
    problem: Problem, first: FirstRoundOnLine, m: int, scheme: Scheme, rng: np.random.Generator
) -> TwoRoundSample:
    """Buy m labels after a first round, of a problem with uniform points on [0, 1].

    Rejected draws are left out. A label is passive with the probability of ``expected_passive_fraction``, otherwise
    its point is uniform on H+: the distribution is that of Algorithm 1. Of two calls with equal seeds, the one with the
    smaller m gives the first labels of the other.
    """
    mass = first.masses[1]
    passive = 1.0 if mass == 0 else expected_passive_fraction(scheme.passive_fraction, mass, scheme.coin)
    coin, position, label = rng.random((m, 3)).T
    stage = np.where(coin < passive, FROM_P, FROM_R)
    x = np.where(stage == FROM_P, position, points_in(first.augmented, position))
    y = draw_classes(problem.eta(x[:, None]), label)
    points, stages = np.concatenate([first.x, x]), np.concatenate([np.full(len(first.x), ROUND1), stage])
    order = np.argsort(points)
    return TwoRoundSample(first, points[order], np.concatenate([first.y, y])[order], stages[order])


def points_in(intervals: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Points (m,) of intervals (J, 2) at fractions u (m,) of their total length; u itself without intervals."""
    if not len(intervals):
        return u
    ends = np.cumsum(np.diff(intervals))
    along = u * ends[-1]
    row = np.searchsorted(ends, along, side="right").clip(max=len(ends) - 1)
    return intervals[row, 1] - (ends[row] - along)
