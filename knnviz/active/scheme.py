"""What two rounds of labels consist of: parameters, the first round with its regions, the draws of
the second.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from knnviz.bounds import rittler
from knnviz.checks import (
    check_choice,
    check_codes,
    check_failure_probability,
    check_int,
    check_points,
    check_real,
)
from knnviz.neighbors import NeighborTable, SpatialIndex
from knnviz.problems import Measure
from knnviz.profiles import VoteProfile
from knnviz.regions import AugmentedRegion, hard

#: Stage of a label: first round, passive draw, or targeted draw. The paper calls the distribution
#: of passive draws P (here mu), and the region of targeted ones R (here H+).
ROUND1 = 0
FROM_P = 1
FROM_R = 2
STAGES = (ROUND1, FROM_P, FROM_R)

#: Largest c0 and c_plus, so that their squares stay finite.
LARGEST_CONSTANT = 1e100


@dataclass(frozen=True)
class Scheme:
    """Parameters of the two rounds in which labels are bought, from a distribution or a pool
    (Rittler & Chaudhuri).

    Parameters
    ----------
    k_hard : int
        Neighbors whose vote decides which points are hard.
    passive_fraction : float
        pi in [0, 1]: probability that a draw of the second round is passive, labeled wherever it
        falls.
    delta : float
        Failure probability, strictly between 0 and 1.
    c0, c_plus : float
        At least 0, the factors of Delta~ and of k_plus: they widen the hard region and H+. The
        paper gives no values.
    coin : "per_draw" or "per_sample"
        Whether the coin that makes a draw passive is flipped for each draw, as printed
        ("per_draw"), or once for each label ("per_sample").

    Examples
    --------
    >>> from knnviz.active import Scheme
    >>> scheme = Scheme(k_hard=100, passive_fraction=0.2, delta=0.1, c_plus=0.25)
    >>> round(scheme.width(n=1000, dimension=1), 4), scheme.k_plus(n=1000, dimension=1)
    (0.3462, 24)
    """

    k_hard: int
    passive_fraction: float
    delta: float = 0.1
    c0: float = 0.0
    c_plus: float = 0.25
    coin: Literal["per_draw", "per_sample"] = "per_draw"

    def __post_init__(self) -> None:
        check_int("k_hard", self.k_hard, 1)
        check_real("passive_fraction", self.passive_fraction, 0, 1)
        check_failure_probability(self.delta)
        for name in ("c0", "c_plus"):
            check_real(name, getattr(self, name), 0, LARGEST_CONSTANT)
        check_choice("coin", self.coin, ("per_draw", "per_sample"))

    def width(self, n: int, dimension: int) -> float:
        """2 Delta + Delta~: points with ``|eta-hat - 1/2|`` below it, by n labels, are hard."""
        return rittler.hard_width(self.k_hard, n, dimension, self.delta, self.c0)

    def k_plus(self, n: int, dimension: int) -> int:
        """Neighbors in each ball of H+, for n labels in a first round."""
        return rittler.augmented_neighbors(n, dimension, self.delta, self.c_plus)


@dataclass(frozen=True, eq=False)
class FirstRound:
    """An index of n labeled points, their classes y (n,), and the regions H and H+ that follow from
    them by a scheme.

    A point with ``|eta-hat - 1/2|`` below ``width`` is hard. ``region`` is H+, whose balls hold
    ``k_plus`` points each. ``measure`` stands for mu, with points and weights: cells of a grid, or
    a pool. ``votes`` are those of the k_hard nearest at these points; ``hard`` and ``augmented``
    (cells,) bool are which of them lie in H and in H+.

    Source: Rittler & Chaudhuri, the two-round sampling algorithm.
    """

    scheme: Scheme
    index: SpatialIndex
    y: np.ndarray
    measure: Measure = field(repr=False)
    votes: VoteProfile = field(repr=False)
    hard: np.ndarray = field(repr=False)
    region: AugmentedRegion = field(repr=False)

    @classmethod
    def build(cls, scheme: Scheme, X: np.ndarray, y: np.ndarray, measure: Measure) -> Self:
        """H and H+ on a measure, of labeled points X (n, d) with classes y (n,)."""
        X = check_points("X", X)
        y = check_codes("y", y, len(X), 2, np.intp)
        index = SpatialIndex(X)
        table = NeighborTable.build(index, measure.points, scheme.k_hard)
        votes = VoteProfile.build(table, y, 2)
        is_hard = hard(votes, scheme.k_hard, scheme.width(*X.shape))
        region = AugmentedRegion.build(index, measure.points[is_hard], scheme.k_plus(*X.shape))
        return cls(scheme, index, y, measure, votes, is_hard, region)

    @property
    def X(self) -> np.ndarray:
        return self.index.X

    @property
    def width(self) -> float:
        return self.scheme.width(*self.X.shape)

    @property
    def k_plus(self) -> int:
        return self.scheme.k_plus(*self.X.shape)

    @cached_property
    def augmented(self) -> np.ndarray:
        return self.region.contains(self.measure.points)

    def hard_at(self, points: np.ndarray) -> np.ndarray:
        """Which of points (Q, d), of the measure or not, lie in H, (Q,) bool."""
        k = self.scheme.k_hard
        table = NeighborTable.build(self.index, points, k)
        votes = VoteProfile.build(table, self.y, 2)
        return hard(votes, k, self.width)

    @property
    def hard_mass(self) -> float:
        return mass_of(self.measure, self.hard)

    @property
    def augmented_mass(self) -> float:
        return mass_of(self.measure, self.augmented)


def mass_of(measure: Measure, inside: np.ndarray) -> float:
    """The mass of the points ``inside`` (Q,) bool: at most 1, and 1 for all of them, although
    weights are rounded.
    """
    if inside.all():
        return 1.0
    return min(1.0, float(measure.weights[inside].sum()))


class Draws(NamedTuple):
    """All draws of a second round, in order.

    ``points`` (draws, d), whether each draw was ``passive`` (draws,) bool by the coin, and
    ``accepted`` (m,), the indices of the draws whose labels were bought.
    """

    points: np.ndarray
    passive: np.ndarray
    accepted: np.ndarray


@dataclass(frozen=True, eq=False)
class TwoStageSample:
    """n + m labeled points X with classes y (n + m,), and the ``stage`` of each: ROUND1, FROM_P or
    FROM_R.

    ``first`` is the first round with its regions, ``second`` are the draws of the second one, of
    which only the accepted ones were labeled. Without a hard region all of them are passive.
    ``in_augmented`` (n + m,) bool is whether a point lies in H+. ``rows`` (n + m,) are the points
    of a pool that the labels belong to, None for those of a distribution.
    """

    X: np.ndarray
    y: np.ndarray
    stage: np.ndarray
    in_augmented: np.ndarray
    first: FirstRound = field(repr=False)
    second: Draws = field(repr=False)
    rows: np.ndarray | None = None

    @classmethod
    def from_rounds(
        cls,
        first: FirstRound,
        second: Draws,
        y: np.ndarray,
        rows: np.ndarray | None = None,
    ) -> Self:
        """One sample of a first round and the draws of a second, with their labels y (m,)."""
        bought = second.accepted
        X = np.concatenate([first.X, second.points[bought]])
        y = np.concatenate([first.y, y])
        in_first = np.full(len(first.y), ROUND1)
        in_second = np.where(second.passive[bought], FROM_P, FROM_R)
        stage = np.concatenate([in_first, in_second]).astype(np.uint8)
        in_augmented = first.region.contains(X)
        return cls(X, y, stage, in_augmented, first, second, rows)

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
        if not self.m:
            return np.nan
        in_second = self.stage[self.n :]
        return float(np.mean(in_second == FROM_P))

    @property
    def expected_passive_fraction(self) -> float:
        """Expected value of ``passive_label_fraction``, for mu(H+) on the cells, as if a pool were
        a distribution.
        """
        scheme = self.first.scheme
        mass = self.first.augmented_mass
        if not mass:
            return 1.0
        return rittler.expected_passive_fraction(scheme.passive_fraction, mass, scheme.coin)

    def head(self, m: int) -> Self:
        """The sample that a smaller m would have given."""
        m = check_int("m", m, 0, self.m)
        end = self.n + m
        (points, passive, accepted) = self.second
        drawn = accepted[m - 1] + 1 if m else 0
        second = Draws(points[:drawn], passive[:drawn], accepted[:m])
        fewer: dict[str, Any] = {}
        for name in ("X", "y", "stage", "in_augmented"):
            fewer[name] = getattr(self, name)[:end]
        if self.rows is not None:
            fewer["rows"] = self.rows[:end]
        return replace(self, second=second, **fewer)
