"""Two rounds of labels bought from a known distribution (Rittler & Chaudhuri)."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from typing import Any, Self

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from knnviz import checks, kernels
from knnviz.active.scheme import FROM_P, FROM_R, ROUND1, Coin, Scheme
from knnviz.bounds import rittler
from knnviz.neighbors import NeighborTable, SpatialIndex
from knnviz.problems import Dataset, Measure, Problem
from knnviz.problems.base import draw_classes
from knnviz.profiles import VoteProfile
from knnviz.regions import AugmentedRegion, hard

#: Cells along a coordinate on which the hard region is computed by default, by dimension.
CELLS = {1: 1000, 2: 60}

#: Most draws that a second round is expected to take.
MOST_DRAWS = 10_000_000


@dataclass(frozen=True, eq=False)
class FirstRound:
    """n labeled points X (n, d) with classes y (n,), and the regions H and H+ that follow from them.

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

    X: np.ndarray
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
        checks.check_k(scheme.k_hard, n, "labels of the first round")
        width, k_plus = scheme.width(n, dimension), scheme.k_plus(n, dimension)
        votes, is_hard, region = hard_region(SpatialIndex.of(X), y, measure.points, scheme.k_hard, width, k_plus)
        return cls(X, y, width, k_plus, measure, votes, is_hard, region)

    @cached_property
    def augmented(self) -> np.ndarray:
        return self.region.contains(self.measure.points)

    def hard_at(self, points: np.ndarray) -> np.ndarray:
        """Which of points (Q, d), of the measure or not, lie in H, (Q,) bool."""
        return hard_at(self.X, self.y, points, self.votes.k_max, self.width)

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


def hard_at(X: np.ndarray | SpatialIndex, y: np.ndarray, queries: np.ndarray, k: int, width: float) -> np.ndarray:
    """Which queries (Q, d) are hard, (Q,) bool, by the vote of the k nearest of labeled points X (n, d).

    Source: Rittler & Chaudhuri, the two-round sampling algorithm.

    Examples
    --------
    >>> from knnviz.active import hard_at
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    >>> hard_at(X, y, queries=np.array([[0.2], [1.5], [2.8]]), k=2, width=0.5).tolist()
    [False, True, False]
    """
    return hard(VoteProfile.count(NeighborTable.build(X, queries, k), y, 2), k, width)


def hard_region(
    index: SpatialIndex, y: np.ndarray, points: np.ndarray, k: int, width: float, k_plus: int
) -> tuple[VoteProfile, np.ndarray, AugmentedRegion]:
    """Votes at points (Q, d) of the k nearest of an index, with classes y (n,); which of the points are hard; and H+.

    H+ has balls around the hard ones, out to the k_plus-th nearest of the index.

    Source: Rittler & Chaudhuri, the two-round sampling algorithm.

    Examples
    --------
    >>> from knnviz import active, neighbors
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    >>> votes, hard, region = active.hard_region(neighbors.SpatialIndex.of(X), y, X + 0.4, k=2, width=0.5, k_plus=3)
    >>> hard.tolist(), region.centers.tolist(), region.radii.tolist()
    ([False, True, False, False], [[1.4]], [1.4])
    """
    table = NeighborTable.build(index, points, k, distances=k_plus <= k)
    votes = VoteProfile.count(replace(table, distances=None), y, 2)
    is_hard = hard(votes, k, width)
    if table.distances is None:
        return votes, is_hard, AugmentedRegion.around(index, points[is_hard], k_plus)
    return votes, is_hard, AugmentedRegion(points[is_hard], table.distances[is_hard, k_plus - 1])


@dataclass(frozen=True, eq=False)
class Draws:
    """All draws of a second round, in order.

    ``points`` (draws, d), whether each draw was ``passive`` (draws,) bool by the coin, and ``accepted`` (m,), the
    indices of the draws whose labels were bought.

    Examples
    --------
    >>> from knnviz.active import two_stage_sample
    >>> from knnviz.problems import linear
    >>> drawn = two_stage_sample(linear(), n=1000, m=100, k_hard=200, passive_fraction=0, rng=0).second
    >>> len(drawn), len(drawn.accepted), int(drawn.passive.sum())
    (146, 100, 0)
    """

    points: np.ndarray
    passive: np.ndarray
    accepted: np.ndarray

    def __len__(self) -> int:
        return len(self.points)


@dataclass(frozen=True, eq=False)
class TwoStageSample:
    """n + m labeled points X with classes y (n + m,), and the ``stage`` of each: ROUND1, FROM_P or FROM_R.

    ``first`` is the first round with its regions, ``second`` are the draws of the second one, of which only the
    accepted ones were labeled. Without a hard region (``fallback``) all of them are passive. ``in_augmented``
    (n + m,) bool is whether a point lies in H+.
    """

    X: np.ndarray
    y: np.ndarray
    stage: np.ndarray
    scheme: Scheme
    first: FirstRound = field(repr=False)
    second: Draws = field(repr=False)

    def __len__(self) -> int:
        return len(self.y)

    @property
    def n(self) -> int:
        return len(self.first.y)

    @property
    def m(self) -> int:
        return len(self) - self.n

    @property
    def n_draws(self) -> int:
        """Number of points drawn in the second round, labeled or not."""
        return len(self.second)

    @property
    def fallback(self) -> bool:
        return self.first.fallback

    @property
    def passive_label_fraction(self) -> float:
        """Fraction of passive labels in the second round; NaN without one."""
        return float(np.mean(self.stage[self.n :] == FROM_P)) if self.m else np.nan

    @property
    def expected_passive_fraction(self) -> float:
        """Expected value of ``passive_label_fraction``, for mu(H+) on the cells."""
        if self.fallback:
            return 1.0
        scheme = self.scheme
        return rittler.expected_passive_fraction(scheme.passive_fraction, self.first.augmented_mass, scheme.coin)

    @property
    def expected_draws(self) -> float:
        """Expected number of draws for m labels, for mu(H+) on the cells."""
        if self.fallback:
            return float(self.m)
        scheme = self.scheme
        return rittler.expected_draws(self.m, scheme.passive_fraction, self.first.augmented_mass, scheme.coin)

    @cached_property
    def in_augmented(self) -> np.ndarray:
        return self.first.region.contains(self.X)

    def head(self, m: int) -> Self:
        """The sample that a smaller m would have given; ValueError for m beyond the second round."""
        m = checks.check_int("m", m, 0, self.m)
        drawn = self.second.accepted[m - 1] + 1 if m else 0
        second = Draws(self.second.points[:drawn], self.second.passive[:drawn], self.second.accepted[:m])
        end = self.n + m
        X, y, stage = self.X[:end], self.y[:end], self.stage[:end]
        part = replace(self, X=X, y=y, stage=stage, second=second, **self._own_fields(end))
        # Computed once for all m.
        part.__dict__["in_augmented"] = self.in_augmented[:end]
        return part

    def _own_fields(self, end: int) -> dict[str, Any]:
        """What a subclass adds to these fields, for the first ``end`` labels."""
        return {}


def two_stage_sample(
    problem: Problem,
    n: int,
    m: int,
    k_hard: int,
    passive_fraction: float,
    *,
    delta: float = 0.1,
    c0: float = 0.0,
    c_plus: float = 0.25,
    coin: Coin = "per_draw",
    resolution: int | None = None,
    rng: int | np.random.Generator,
) -> TwoStageSample:
    """Buy n labels passively, then m more: by a coin either passively or only where the first vote is uncertain.

    Each draw takes its random numbers one after the other: a coin if one is due, a point, the label if accepted. So a
    smaller m gives the first labels of a larger one. If no cell is hard, all m labels are passive (the fallback).

    Source: Rittler & Chaudhuri, the two-round sampling algorithm.

    Raises ValueError for real data (see ``TwoStagePool``), and where the labels would take more than ten million draws.

    Parameters
    ----------
    problem : Problem
        A known distribution of two classes.
    n, m : int
        Labels of both rounds; n at least k_hard, m at least 0.
    k_hard, passive_fraction, delta, c0, c_plus, coin
        As in ``Scheme``.
    resolution : int, optional
        Cells along each coordinate; the hard ones are the centers of the balls of H+. 1000 on a line, 60 in the plane.
    rng : int or Generator
        Seed or source of random numbers.

    Examples
    --------
    >>> from knnviz.active import two_stage_sample
    >>> from knnviz.problems import linear
    >>> import numpy as np
    >>> sample = two_stage_sample(linear(), n=1000, m=100, k_hard=200, passive_fraction=0.5, rng=0)
    >>> np.bincount(sample.stage).tolist(), round(sample.expected_passive_fraction, 3)
    ([1000, 58, 42], 0.598)
    """
    scheme = Scheme(k_hard, passive_fraction, delta, c0, c_plus, coin)
    if isinstance(problem, Dataset):
        raise ValueError(f"two_stage_sample needs a known distribution, but {problem.name} is data: use TwoStagePool")
    check_two_classes(problem)
    rng = np.random.default_rng(rng)
    X, y = labeled(problem, checks.check_int("n", n, 1), rng)
    measure = problem.measure(CELLS[problem.dimension] if resolution is None else resolution)
    return second_round(problem, scheme, FirstRound.of(scheme, X, y, measure), m, rng)


def check_two_classes(source: Problem | Dataset) -> None:
    if source.n_classes != 2:
        raise ValueError(f"labels are bought in two rounds for two classes, but {source.name} has {source.n_classes}")


def labeled(problem: Problem, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """n points (n, d) of a problem, then their classes (n,).

    Examples
    --------
    >>> from knnviz.active import labeled
    >>> from knnviz.problems import jump
    >>> import numpy as np
    >>> X, y = labeled(jump(0.5), n=4, rng=np.random.default_rng(0))
    >>> X[:, 0].round(2).tolist(), y.tolist()
    ([0.64, 0.27, 0.04, 0.02], [1, 0, 0, 0])
    """
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
    >>> sample = active.two_stage_sample(problems.linear(), n=1000, m=0, k_hard=200, passive_fraction=0, rng=0)
    >>> more = active.second_round(problems.linear(), sample.scheme, sample.first, m=50, rng=np.random.default_rng(1))
    >>> more.n, more.m, bool(more.in_augmented[1000:].all())
    (1000, 50, True)
    """
    m, passive_fraction = checks.check_int("m", m, 0), 1.0 if first.fallback else float(scheme.passive_fraction)
    mass = 1.0 if first.fallback else first.augmented_mass
    expected = rittler.expected_draws(m, passive_fraction, mass, scheme.coin)
    if expected > MOST_DRAWS:
        raise ValueError(f"{m} labels would take {expected:.3g} draws, more than {MOST_DRAWS:,}: H+ is too small")
    coin_per_label, n_draws = scheme.coin == "per_sample", ceil(1.2 * expected) + 50
    passive, positions, accepted, u = draw_second_round(
        problem, first.region, passive_fraction, coin_per_label, m, rng, n_draws
    )
    points = problem.points_from_uniforms(sliding_window_view(u, problem.n_uniforms)[positions])
    bought = points[accepted]
    y = draw_classes(problem.eta(bought), u[positions[accepted] + problem.n_uniforms]) if m else np.empty(0, int)
    stages = np.where(passive[accepted], FROM_P, FROM_R)
    return TwoStageSample(
        np.concatenate([first.X, bought]),
        np.concatenate([first.y, y]),
        np.concatenate([np.full(len(first.y), ROUND1), stages]).astype(np.uint8),
        scheme,
        first,
        Draws(points, passive, accepted),
    )


def draw_second_round(
    problem: Problem,
    region: AugmentedRegion,
    passive_fraction: float,
    coin_per_label: bool,
    m: int,
    rng: np.random.Generator,
    n_draws: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """All draws until m are accepted: whether passive, positions, indices of the accepted ones, and uniform numbers u.

    The point of a draw is made of the numbers of ``u`` from its position on. At first there are numbers for
    ``n_draws``, then for more. ValueError if twenty million draws do not suffice: on coarse cells H+ may look larger
    than it is.
    """
    n_uniforms, u = problem.n_uniforms, np.empty(0)
    while len(u) <= 2 * MOST_DRAWS * (n_uniforms + 1):
        u = np.concatenate([u, rng.random(n_draws * (n_uniforms + 1) + m + n_uniforms)])
        points = problem.points_from_uniforms(sliding_window_view(u, n_uniforms))
        in_augmented = np.zeros(len(u), np.bool_)
        in_augmented[: len(points)] = region.contains(points)
        max_draws, accepted = len(u) // n_uniforms, np.empty(m, np.int64)
        passive, positions = np.empty(max_draws, np.bool_), np.empty(max_draws, np.int64)
        drawn, bought = kernels.second_round(
            u, in_augmented, n_uniforms, passive_fraction, coin_per_label, passive, positions, accepted
        )
        if bought == m:
            return passive[:drawn], positions[:drawn], accepted, u
        # The next pass begins anew, with twice as many numbers or more.
        n_draws = max(n_draws, drawn)
    raise ValueError(f"{m} labels take more than {MOST_DRAWS:,} draws: H+ is smaller than the cells tell")
