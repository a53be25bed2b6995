"""Two rounds of labels bought from a known distribution (Rittler & Chaudhuri)."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from typing import Self

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from knnviz import checks, kernels
from knnviz.active.scheme import FROM_P, FROM_R, ROUND1, Scheme
from knnviz.bounds import rittler
from knnviz.neighbors import NeighborTable, SpatialIndex
from knnviz.problems import Measure, Problem
from knnviz.problems.base import draw_classes
from knnviz.profiles import VoteProfile
from knnviz.regions import AugmentedRegion, hard

#: Cells along a coordinate on which the hard region is computed by default, by dimension.
CELLS = {1: 1000, 2: 60}

#: Most draws of a second round.
MOST_DRAWS = 10_000_000


@dataclass(frozen=True, eq=False)
class FirstRound:
    """An index of n labeled points, their classes y (n,), and the regions H and H+ that follow from them.

    A point with ``|eta-hat - 1/2|`` below ``width`` is hard. ``region`` is H+, whose balls hold ``k_plus`` points each.
    ``measure`` stands for mu, with points and weights: cells of a grid, or a pool. ``votes`` are those of the k_hard
    nearest at these points; ``hard`` and ``augmented`` (cells,) bool are which of them lie in H and in H+.

    Source: Rittler & Chaudhuri, the two-round sampling algorithm.

    Examples
    --------
    >>> from knnviz import active, problems
    >>> problem, scheme = problems.jump(0.5), active.Scheme(k_hard=100, passive_fraction=0)
    >>> sample = problem.sample(1000, seed=0)
    >>> first = active.FirstRound.of(scheme, sample.X, sample.y, problem.measure(1000))
    >>> round(first.width, 3), round(first.hard_mass, 3), round(first.augmented_mass, 3)
    (0.346, 0.065, 0.09)
    """

    index: SpatialIndex
    y: np.ndarray
    width: float
    k_plus: int
    measure: Measure = field(repr=False)
    votes: VoteProfile = field(repr=False)
    hard: np.ndarray = field(repr=False)
    region: AugmentedRegion = field(repr=False)

    @classmethod
    def of(cls, scheme: Scheme, X: np.ndarray, y: np.ndarray, measure: Measure) -> Self:
        """H and H+ of labeled points X and y on a measure; ValueError if k_hard exceeds their number."""
        n, dimension = X.shape
        k_hard = checks.check_k(scheme.k_hard, n, "labels of the first round")
        index, width, k_plus = SpatialIndex(X), scheme.width(n, dimension), scheme.k_plus(n, dimension)
        votes = VoteProfile.count(NeighborTable.build(index, measure.points, k_hard), y, 2)
        is_hard = hard(votes, k_hard, width)
        region = AugmentedRegion.around(index, measure.points[is_hard], k_plus)
        return cls(index, y, width, k_plus, measure, votes, is_hard, region)

    @property
    def X(self) -> np.ndarray:
        return self.index.X

    @cached_property
    def augmented(self) -> np.ndarray:
        return self.region.contains(self.measure.points)

    def hard_at(self, points: np.ndarray) -> np.ndarray:
        """Which of points (Q, d), of the measure or not, lie in H, (Q,) bool."""
        k = self.votes.k_max
        return hard(VoteProfile.count(NeighborTable.build(self.index, points, k), self.y, 2), k, self.width)

    @property
    def hard_mass(self) -> float:
        return mass_of(self.measure, self.hard)

    @property
    def augmented_mass(self) -> float:
        return mass_of(self.measure, self.augmented)

    @property
    def fallback(self) -> bool:
        """Whether H+ has no mass, as without hard points, so that all labels are bought passively."""
        return self.augmented_mass == 0


def mass_of(measure: Measure, inside: np.ndarray) -> float:
    """The mass of the points ``inside`` (Q,) bool: at most 1, and 1 for all of them, although weights are rounded."""
    return 1.0 if inside.all() else min(1.0, float(measure.weights[inside].sum()))


@dataclass(frozen=True, eq=False)
class Draws:
    """All draws of a second round, in order.

    ``points`` (draws, d), whether each draw was ``passive`` (draws,) bool by the coin, and ``accepted`` (m,), the
    indices of the draws whose labels were bought.
    """

    points: np.ndarray
    passive: np.ndarray
    accepted: np.ndarray


@dataclass(frozen=True, eq=False)
class TwoStageSample:
    """n + m labeled points X with classes y (n + m,), and the ``stage`` of each: ROUND1, FROM_P or FROM_R.

    ``first`` is the first round with its regions, ``second`` are the draws of the second one, of which only the
    accepted ones were labeled. Without a hard region all of them are passive. ``rows`` (n + m,) are the points of a
    pool that the labels belong to, None for those of a distribution.
    """

    X: np.ndarray
    y: np.ndarray
    stage: np.ndarray
    scheme: Scheme
    first: FirstRound = field(repr=False)
    second: Draws = field(repr=False)
    rows: np.ndarray | None = None

    @classmethod
    def of(cls, scheme: Scheme, first: FirstRound, second: Draws, y: np.ndarray) -> Self:
        """Add the labels y (m,) of a second round to a first one."""
        X = np.concatenate([first.X, second.points[second.accepted]])
        stages = np.where(second.passive[second.accepted], FROM_P, FROM_R)
        stage = np.concatenate([np.full(len(first.y), ROUND1), stages]).astype(np.uint8)
        return cls(X, np.concatenate([first.y, y]), stage, scheme, first, second)

    @property
    def n(self) -> int:
        return len(self.first.y)

    @property
    def m(self) -> int:
        return len(self.y) - self.n

    @property
    def n_draws(self) -> int:
        """Number of points drawn in the second round, labeled or not."""
        return len(self.second.points)

    @property
    def passive_label_fraction(self) -> float:
        """Fraction of passive labels in the second round; NaN without one."""
        return float(np.mean(self.stage[self.n :] == FROM_P)) if self.m else np.nan

    @property
    def expected_passive_fraction(self) -> float:
        """Expected value of ``passive_label_fraction``, for mu(H+) on the cells, as if a pool were a distribution."""
        scheme, mass = self.scheme, self.first.augmented_mass
        return rittler.expected_passive_fraction(scheme.passive_fraction, mass, scheme.coin) if mass else 1.0

    @cached_property
    def in_augmented(self) -> np.ndarray:
        """Whether each point lies in H+, (n + m,) bool."""
        return self.first.region.contains(self.X)

    def head(self, m: int) -> Self:
        """The sample that a smaller m would have given; ValueError for m beyond the second round."""
        end, second = self.n + checks.check_int("m", m, 0, self.m), self.second
        drawn = second.accepted[m - 1] + 1 if m else 0
        second = Draws(second.points[:drawn], second.passive[:drawn], second.accepted[:m])
        rows = None if self.rows is None else self.rows[:end]
        part = replace(self, X=self.X[:end], y=self.y[:end], stage=self.stage[:end], second=second, rows=rows)
        # Computed once for all m.
        part.__dict__["in_augmented"] = self.in_augmented[:end]
        return part


def labeled(problem: Problem, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """n points (n, d) of a problem, then their classes (n,)."""
    X = problem.points(n, rng)
    return X, draw_classes(problem.eta(X), rng.random(n))


def second_round(
    problem: Problem, scheme: Scheme, first: FirstRound, m: int, rng: np.random.Generator
) -> TwoStageSample:
    """Buy m more labels after a first round; errors as for ``two_stage_sample``.

    Source: Rittler & Chaudhuri, the two-round sampling algorithm.

    Examples
    --------
    >>> from knnviz import active, problems
    >>> import numpy as np
    >>> line, scheme = problems.linear(), active.Scheme(k_hard=200, passive_fraction=0)
    >>> first = active.two_stage_sample(line, n=1000, m=0, scheme=scheme, rng=0).first
    >>> more = active.second_round(line, scheme, first, m=50, rng=np.random.default_rng(1))
    >>> more.n, more.m, bool(more.in_augmented[1000:].all())
    (1000, 50, True)
    """
    mass, width, per_label = first.augmented_mass, problem.n_uniforms, scheme.coin == "per_sample"
    fraction = float(scheme.passive_fraction) if mass else 1.0
    expected = rittler.expected_draws(checks.check_int("m", m, 0), fraction, mass or 1.0, scheme.coin)
    n_draws, u = ceil(1.2 * expected) + 50, np.empty(0)
    # The point of a draw is made of the numbers of u from its start on. Where they run out, all begins anew with more.
    while n_draws <= MOST_DRAWS:
        u = np.concatenate([u, rng.random(n_draws * (width + 1) + m + width)])
        points, inside = problem.points_from_uniforms(sliding_window_view(u, width)), np.zeros(len(u), np.bool_)
        inside[: len(points)] = first.region.contains(points)
        passive, starts = np.empty(len(u) // width, np.bool_), np.empty(len(u) // width, np.int64)
        accepted = np.empty(m, np.int64)
        drawn, bought = kernels.accept_draws(u, inside, width, fraction, per_label, passive, starts, accepted)
        if bought == m:
            y = draw_classes(problem.eta(points[starts[accepted]]), u[starts[accepted] + width])
            return TwoStageSample.of(scheme, first, Draws(points[starts[:drawn]], passive[:drawn], accepted), y)
        n_draws = max(n_draws, drawn)
    raise ValueError(f"{m} labels take more than {MOST_DRAWS:,} draws: H+ is too small")
