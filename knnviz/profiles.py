"""Profiles: what is around a query point, in neighborhoods of every size.

A vote profile counts the votes of each class among the k nearest training points: its ``at(k)`` has
a row for each query and a column for each class, at any k. A bag, the candidate label set of a
training point, votes for every class in it. On a line, the k nearest of a query are k consecutive
sorted points, a window (see ``neighbors.Windows``). A window profile has a row for each window.

A ball profile averages the true class probabilities, eta_c = P(Y = c | x), over balls around a
query. The mass of a ball is its probability, and the frequency of a class in a ball B the average
eta_c(B). With class weights q, the weighted Bayes class f has the largest q_c eta_c at the query.
The margin of a ball is the lead of class f in it, q_f eta_f(B) - max_{c != f} q_c eta_c(B). Label
noise flips a label of class 0 with probability p0 and one of class 1 with p1; then eta_0 becomes p1
+ (1 - p0 - p1) eta_0, and eta_1 becomes p0 + (1 - p0 - p1) eta_1: these are eta_corr.

n is the number of training points, m that of queries, C that of classes, coded 0 to C - 1, J that
of masses or of values of k. Labels are observed class codes (n,) or bags (n, C) bool.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from knnviz import kernels
from knnviz.bags import as_bags
from knnviz.checks import (
    TIE_TOL,
    Weights,
    as_array,
    check_class_weights,
    check_codes,
    check_flip_rates,
    check_fractions,
    check_int,
    check_k,
    check_n_classes,
    check_numbers,
    check_points,
    check_real,
    check_weights,
    require,
    shown,
)
from knnviz.neighbors import NeighborTable, Windows
from knnviz.problems import Grid, Measure
from knnviz.threads import parallel_chunks

#: Most neighbors whose votes are counted in 16 bits.
MOST_NEIGHBORS = 2**16 - 1

#: Queries, or rows of a grid, around which one thread grows balls at a time.
CHUNK = 8

#: Flip rates (p0, p1) without noise.
CLEAN_RATES = (0.0, 0.0)


@dataclass(eq=False, repr=False)
class VoteProfile:
    """Votes of each class among the k nearest neighbors of each query, at any k.

    The first k is counted alone; a second k counts all k at once and stores the counts, ``counts``
    (m, k_max, C). The ``ks`` of ``build`` are counted in one pass over the neighbors. Counts are
    read-only.

    Examples
    --------
    >>> from knnviz import NeighborTable, VoteProfile
    >>> import numpy as np
    >>> table = NeighborTable.build(np.array([[0.0], [1.0], [3.0]]), np.array([[0.2], [2.9]]), 3)
    >>> votes = VoteProfile.build(table, np.array([0, 1, 1]), n_classes=2)
    >>> votes.at(1).tolist(), votes.at(3).tolist()
    ([[1, 0], [0, 1]], [[1, 2], [1, 2]])
    """

    table: NeighborTable
    labels: np.ndarray
    n_classes: int
    ks: Sequence[int]

    #: Votes (C, m) at single k.
    _counted: dict[int, np.ndarray] = field(default_factory=dict, init=False)

    @classmethod
    def build(
        cls,
        table: NeighborTable,
        labels: np.ndarray,
        n_classes: int,
        ks: Sequence[int] = (),
    ) -> Self:
        """Profile of observed class codes (n,), or bags (n, C) bool, over a table of neighbors.

        ``ks``, in any order, are counted together at the first use of one of them. Raises
        ValueError if labels and table do not fit each other.
        """
        n_classes = check_n_classes(n_classes)
        k_max = table.k_max
        if k_max > MOST_NEIGHBORS:
            raise ValueError(
                f"a vote profile counts at most {MOST_NEIGHBORS} neighbors, got {k_max}"
            )
        ks = sorted({check_int("each of ks", k, 1, k_max) for k in ks})
        if as_array("labels", labels).ndim < 2:
            codes = check_codes("labels", labels, table.n, n_classes)
            return cls(table, codes, n_classes, ks)
        bags = as_bags(labels, table.n, n_classes).astype(np.uint8, order="C")
        return cls(table, bags, n_classes, ks)

    @property
    def bags_vote(self) -> bool:
        return self.labels.ndim == 2

    @property
    def k_max(self) -> int:
        return self.table.k_max

    def __len__(self) -> int:
        return len(self.table)

    @property
    def dtype(self) -> np.dtype:
        """Smallest unsigned integer type that holds k_max."""
        return np.dtype(np.uint8 if self.k_max <= 255 else np.uint16)

    @cached_property
    def _at_every_k(self) -> np.ndarray:
        """Votes (C, k_max, m): those of all queries at one k are contiguous in memory."""
        return self._count(range(1, self.k_max + 1))

    @property
    def counts(self) -> np.ndarray:
        """Votes (m, k_max, C): those at k are ``counts[:, k - 1]``."""
        return self._at_every_k.transpose(2, 1, 0)

    def at(self, k: int) -> np.ndarray:
        """Votes (m, C) of each class among the k nearest; ValueError if k exceeds k_max."""
        k = check_int("k", k, 1)
        if k > self.k_max:
            raise ValueError(
                f"k must not exceed the {self.k_max} neighbors of this profile, got {k}"
            )
        if "_at_every_k" not in vars(self):
            if k not in self._counted and (k in self.ks or not self._counted):
                ks = self.ks if k in self.ks else [k]
                votes = self._count(ks).swapaxes(0, 1)
                self._counted |= zip(ks, votes, strict=True)
            if k in self._counted:
                return self._counted[k].T
        return self._at_every_k[:, k - 1].T

    def _count(self, ks: Sequence[int]) -> np.ndarray:
        """Votes (C, len(ks), m) at several k, ascending, in one pass."""
        votes = np.empty((self.n_classes, len(ks), len(self)), self.dtype)
        kernels.count_votes(self.table.indices, self.labels, np.array(ks), votes)
        votes.flags.writeable = False
        return votes

    def closed(self, k: int) -> np.ndarray:
        """Votes (m, C) of each class in the closed ball out to the k-th nearest: more than k where
        distances tie.

        Raises ValueError as ``at`` does, and for a table that ``NeighborTable.build`` did not make.
        """
        votes = self.at(k).astype(np.int32)
        # Pairs: a row whose ball holds more than k points, and a point in it.
        rows, points = self.table.closed(k)
        votes[rows] = 0
        if self.bags_vote:
            np.add.at(votes, rows, self.labels[points])
        else:
            np.add.at(votes, (rows, self.labels[points]), 1)
        return votes


@dataclass(frozen=True, eq=False)
class WindowProfile:
    """Votes of each class in each window of k consecutive points on a line, at any k; made by
    ``build``.

    They are differences of ``cumulative`` (C, n + 1), how many of the first i sorted points have
    each class, at [class, i]: time and memory do not grow with k.
    """

    windows: Windows
    cumulative: np.ndarray
    bags_vote: ClassVar[bool] = False

    @classmethod
    def build(cls, windows: Windows, labels: np.ndarray, n_classes: int) -> Self:
        """Profile of observed class codes, in the order of the training points, of which the
        windows may be some.
        """
        cumulative = np.zeros((n_classes, windows.n + 1), np.int32)
        for c, counts in enumerate(cumulative):
            np.cumsum(labels[windows.order] == c, out=counts[1:])
        return cls(windows, cumulative)

    @property
    def n_classes(self) -> int:
        return len(self.cumulative)

    def at(self, k: int) -> np.ndarray:
        """Votes (n - k + 1, C) of each class in every window of k points."""
        n = self.windows.n
        k = check_k(k, n)
        return (self.cumulative[:, k:] - self.cumulative[:, : n - k + 1]).T

    def closed(self, k: int) -> np.ndarray:
        """The same votes: points are distinct, so that a closed ball holds more than k of them only
        around a breakpoint.
        """
        return self.at(k)

    def at_points(self, x: np.ndarray, k: int) -> np.ndarray:
        """Votes (m, C) among the k nearest of points x (m,): of two at the same distance, the left
        one comes first.
        """
        return self.at(k)[self.windows.starts(x, k)]

    def votes_in(self, starts: np.ndarray, ks: np.ndarray) -> np.ndarray:
        """Votes (J, C) in windows of ks (J,) points that begin at ``starts`` (J,)."""
        return (self.cumulative[:, starts + ks] - self.cumulative[:, starts]).T


#: What a rule predicts from: votes (rows, C), with a row for each query or each window. If bags
#: vote, those of all classes need not sum to k.
Votes = VoteProfile | WindowProfile


@dataclass(frozen=True, eq=False, repr=False)
class BallProfile:
    """Class frequencies in balls around each query, at several probability masses; made by
    ``build``.

    ``masses`` (J,) ascend from 0, the query itself. ``frequency`` (J, m, C) float32 holds, at [j,
    i, c], the frequency of class c in the first closed ball around query i whose mass reaches
    ``masses[j]``; ``at_center`` (m, C) are those at the queries, the centers. ``q`` (C,) are the
    class weights, ``best`` (m,) the weighted Bayes class f at the center, and ``sums_to_one`` is
    whether the frequencies of all classes sum to 1.

    Four arrays hold extremes over *all* balls up to each mass, also those between two of the
    masses: ``margin`` (J, m) the smallest margin; ``absolute_margin`` (J, m) its smallest absolute
    value; ``lowest_frequency`` (J, m, 2) the smallest frequency of each of two classes (empty for
    more). ``advantage`` (J, m) is the largest p * gamma^2 over masses p, where gamma is the
    smallest lead of the top classes at the center over all other classes, in every ball up to mass
    p. It is 1 where all classes tie at the center.

    Examples
    --------
    >>> from knnviz import BallProfile
    >>> from knnviz.problems import ramp
    >>> cells, eta = ramp().cells(10)
    >>> balls = BallProfile.build(cells, eta, cells.points[2:3], masses=[0.5, 1.0])
    >>> balls.frequency[:, 0, 1].round(4).tolist()
    [0.25, 0.25, 0.5]
    """

    masses: np.ndarray
    q: np.ndarray
    best: np.ndarray
    sums_to_one: bool
    frequency: np.ndarray
    lowest_frequency: np.ndarray
    margin: np.ndarray
    absolute_margin: np.ndarray
    advantage: np.ndarray

    @classmethod
    def build(
        cls,
        measure: Measure,
        frequency: np.ndarray,
        queries: np.ndarray | None = None,
        *,
        masses: Sequence[float],
        q: Weights | None = None,
    ) -> Self:
        """Grow balls around queries (m, d) in a weighted measure of N points; ``queries=None`` are
        its own points.

        ``frequency`` (N, C) are eta, eta_corr or P(y in S given x) of bags S, whose rows need not
        sum to 1. ``masses`` ascend from above 0 to at most 1. ``q`` (C,) are the class weights,
        1 / C each by default. Points at equal distances enter a ball together, and balls are
        clipped to the box. While the ball of a query is empty, it has the frequencies of the point
        nearest to the query. Raises ValueError for values out of range.
        """
        points = check_points("points of the measure", measure.points)
        frequency = np.ascontiguousarray(check_fractions("frequency", frequency))
        rows, n_classes = frequency.shape
        check_n_classes(n_classes)
        n = len(points)
        require(rows == n, f"frequency must have {n} rows, got {rows}")
        measure_weights = check_weights(measure.weights, n, "weights of the measure")
        weights = check_class_weights(q, n_classes)
        all_masses = _with_zero(masses)

        centers = points
        at_center = frequency
        if queries is not None:
            centers = check_points("queries", queries, points.shape[1])
            nearest = NeighborTable.build(points, centers, 1).indices[:, 0]
            at_center = frequency[nearest]
        best = best_class(at_center, weights)
        largest = at_center.max(axis=1, keepdims=True)
        top = np.ascontiguousarray((at_center >= largest - TIE_TOL).T)

        J = len(all_masses)
        m = len(centers)
        frequencies = np.empty((J, n_classes, m), np.float32)
        n_lowest = 2 if n_classes == 2 else 0
        lowest = np.empty((J, n_lowest, m), np.float32)
        extremes = np.empty((J, 3, m), np.float32)

        by_class = np.ascontiguousarray(frequency.T)
        grow: Callable[..., None]
        inputs: tuple[np.ndarray, ...]
        if queries is None and measure.grid is not None:
            # For each distance, whole rows of shifted cells enter the balls around the cells of a
            # row.
            shape = (1, *measure.grid.shape)[-2:]
            cells = measure_weights.reshape(shape)
            by_class = by_class.reshape(-1, *shape)
            inputs = cells, by_class * cells, by_class, *_rings(measure.grid, shape)
            inputs = *inputs, best.reshape(shape), top.reshape(-1, *shape)
            grow = kernels.grow_on_grid
            n_rows = shape[0]
        else:
            by_center = np.ascontiguousarray(at_center.T)
            inputs = points, measure_weights, by_class, centers, by_center, best, top
            grow = kernels.grow_among_points
            n_rows = m
        outputs = frequencies, lowest, extremes

        def grow_around(rows: slice) -> None:
            grow(rows.start, rows.stop, *inputs, weights, all_masses, outputs)

        parallel_chunks(grow_around, n_rows, CHUNK)
        # Where all classes tie.
        extremes[:, 2, top.all(axis=0)] = 1
        sums_to_one = bool(np.allclose(frequency.sum(axis=1), 1, rtol=0, atol=1e-9))
        by_query = frequencies.swapaxes(1, 2), lowest.swapaxes(1, 2)
        measured = *by_query, *extremes.swapaxes(0, 1)
        return cls(all_masses, weights, best, sums_to_one, *measured)

    def __len__(self) -> int:
        return len(self.best)

    @property
    def n_classes(self) -> int:
        return len(self.q)

    @property
    def at_center(self) -> np.ndarray:
        return self.frequency[0]

    def first_at_least(self, mass: float) -> int:
        """Index of the smallest of ``masses`` from ``mass`` on; ValueError beyond the largest."""
        largest = self.masses[-1]
        mass = check_real("mass", mass, 0, largest * (1 + kernels.EQUAL_TOL))
        least = min(float(mass), largest) * (1 - kernels.EQUAL_TOL)
        return int(np.searchsorted(self.masses, least))

    def smallest_margin(
        self, mass: float, q: Weights | None = None, rates: tuple[float, float] = CLEAN_RATES
    ) -> np.ndarray:
        """Smallest margin (m,) over all balls up to a mass, for weights ``q`` and, of two classes,
        flip ``rates``.

        By default the weights are those of ``build``, without noise. ``mass`` is rounded up to
        one of ``masses``. The result is exact for these weights, and for two classes whose
        frequencies sum to 1. Else it is the minimum at ``masses`` only, which may be larger.
        """
        j = self.first_at_least(mass)
        weights = self.q if q is None else check_class_weights(q, self.n_classes)
        p0, p1 = check_flip_rates(*rates)
        if self.n_classes == 2 and self.sums_to_one:
            # Noise and weights only move the threshold: the smallest frequency of the Bayes class
            # at the center gives its smallest margin.
            offsets = np.array([p1, p0])
            contrast = 1 - p0 - p1
            at_center = offsets + contrast * self.at_center
            lowest = offsets + contrast * self.lowest_frequency[j]
            class_1 = best_class(at_center, weights)
            margins = weights.sum() * lowest - weights[::-1]
            return np.where(class_1, margins[:, 1], margins[:, 0])
        if np.array_equal(weights, self.q):
            return self.margin[j]
        balls = self.frequency[: j + 1].swapaxes(1, 2)
        best = best_class(self.at_center, weights)
        margin = np.empty(len(self), np.float32)
        kernels.smallest_margin(balls, best, weights, margin)
        return margin

    def smallest_absolute_margin(self, mass: float) -> np.ndarray:
        """Smallest absolute margin (m,) over all balls up to a mass, rounded up to one of
        ``masses``, of two classes.
        """
        if self.n_classes != 2:
            raise ValueError(f"absolute margins are of two classes, got {self.n_classes}")
        return self.absolute_margin[self.first_at_least(mass)]


def _with_zero(masses: Sequence[float]) -> np.ndarray:
    """Masses (J,) of balls: 0, then those given; or ValueError."""
    positive = check_numbers("masses", masses)
    is_row = positive.ndim == 1 and positive.size
    ascends = is_row and (np.diff(positive, prepend=0) > 0).all()
    if not ascends or positive[-1] > 1:
        got = shown(masses)
        raise ValueError(f"masses must ascend from above 0 to at most 1, got {got}")
    return np.concatenate([[0], positive])


def _rings(grid: Grid, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Steps (s, 2) along rows and columns of a grid, by distance, and where those of each distance
    end (e,).
    """
    along_axes = [np.arange(1 - side, side) for side in shape]
    steps = np.stack(np.meshgrid(*along_axes, indexing="ij"), axis=-1).reshape(-1, 2)
    extents = zip(grid.box, grid.shape[::-1], strict=True)
    sides = [(high - low) / cells for (low, high), cells in extents]
    # Counted in cells of one side, squared distances on a grid of squares are whole numbers, and
    # ties are exact. On a line that is the only side.
    ratios = np.array([sides[-1] / sides[0], 1.0])
    squares = ((steps * ratios) ** 2).sum(axis=1)
    order = np.argsort(squares, kind="stable")
    squares = squares[order]
    changes = np.diff(squares) > squares[:-1] * kernels.EQUAL_TOL
    ends = np.append(np.flatnonzero(changes) + 1, len(order))
    return steps[order], ends


def best_class(frequency: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Weighted Bayes class (m,) of frequencies (m, C).

    A tie goes to class 1 of two classes, and to the smallest of more. ``rules.Vote`` on labels and
    ``rules.Threshold`` break ties alike; ``rules.Weighted`` predicts the smallest of two. Scores
    are compared as doubles, as in the kernels that grow balls.
    """
    weighted = frequency * q
    if len(q) == 2:
        return (weighted[:, 1] >= weighted[:, 0]).astype(np.uint8)
    return weighted.argmax(axis=1).astype(np.uint8)
