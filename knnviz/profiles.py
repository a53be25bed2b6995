"""Profiles: what is around a query point, in neighborhoods of every size.

A vote profile counts the votes of each class among the k nearest training points: its ``at(k)`` has a row for each
query and a column for each class, at any k. A bag, the candidate label set of a training point, votes for every class
in it. On a line, the k nearest of a query are a window of the sorted training points: k consecutive ones, and queries
with the same neighbors share a window. ``Windows`` has the sorted points ``x`` (n,) and their indices ``order`` (n,)
among the training points. At its ``breakpoints(k)`` the queries of one window end and those of the next begin; the
window of a query begins at its entry of ``starts(queries, k)``. ``WindowProfile`` has a row for each window instead of
each query.

A ball profile averages the true class probabilities, eta_c = P(Y = c | x), over balls around a query. The mass of a
ball is its probability. With class weights q, the weighted Bayes class f has the largest q_c eta_c. Label noise flips
a label of class 0 with probability p0 and one of class 1 with p1; then class c has the probability eta_corr =
``offsets[c]`` + ``contrast`` * eta_c, with ``contrast`` = 1 - p0 - p1.

n is the number of training points, m that of queries, C that of classes, coded 0 to C - 1. Labels are observed class
codes (n,) or bags (n, C) bool.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol, Self

import numpy as np

from knnviz import checks, kernels
from knnviz.bags import as_bags
from knnviz.neighbors import NeighborTable, Windows
from knnviz.problems import FULL_RESOLUTION, Grid, Measure, Resolution
from knnviz.threads import parallel_chunks

#: Largest count of votes in 16 bits.
LARGEST_COUNT = 2**16 - 1


class Votes(Protocol):
    """Votes (rows, C) from which a rule predicts: a row for each query, or for each window; a column for each class.

    ``from_bags`` is whether bags vote: then the votes of all classes need not sum to k.

    Examples
    --------
    >>> from knnviz import NeighborTable, VoteProfile
    >>> import numpy as np
    >>> table = NeighborTable.build(np.array([[0.0], [1.0], [1.0]]), np.array([[0.2]]), 3)
    >>> votes = VoteProfile.count(table, np.array([0, 1, 1]), n_classes=2)
    >>> votes.at(2).tolist(), votes.closed(2).tolist()
    ([[1, 1]], [[1, 2]])
    """

    @property
    def n_classes(self) -> int: ...

    @property
    def from_bags(self) -> bool: ...

    def at(self, k: int) -> np.ndarray:
        """Votes (rows, C) of each class among the k nearest."""

    def closed(self, k: int) -> np.ndarray:
        """Votes (rows, C) of each class in the closed ball out to the k-th nearest: more than k where distances tie."""


class VoteProfile:
    """Votes of each class among the k nearest neighbors of each query, at any k.

    The first k is counted alone; a second k counts all k at once and keeps the counts, ``counts`` (m, k_max, C). The
    ``ks`` of ``count`` are counted in one pass over the neighbors. Counts are read-only.

    Examples
    --------
    >>> from knnviz import NeighborTable, VoteProfile
    >>> import numpy as np
    >>> table = NeighborTable.build(np.array([[0.0], [1.0], [3.0]]), np.array([[0.2], [2.9]]), 3)
    >>> votes = VoteProfile.count(table, np.array([0, 1, 1]), n_classes=2)
    >>> votes.at(1).tolist(), votes.at(3).tolist()
    ([[1, 0], [0, 1]], [[1, 2], [1, 2]])
    """

    def __init__(self, table: NeighborTable, labels: np.ndarray, n_classes: int, ks: Sequence[int] = ()) -> None:
        self.table, self.labels, self.n_classes, self.ks = table, labels, n_classes, ks
        self._single: tuple[int, np.ndarray] | None = None
        self._closed: tuple[int, np.ndarray] | None = None

    @classmethod
    def count(cls, table: NeighborTable, labels: np.ndarray, n_classes: int, ks: Sequence[int] | None = None) -> Self:
        """Profile of observed class codes (n,), or bags (n, C) bool, over a table of neighbors.

        ``ks``, in any order, are counted together at the first use of one of them. Raises ValueError if labels and
        table do not fit each other.
        """
        n_classes = checks.check_int("n_classes", n_classes, 2, 255)
        if table.k_max > LARGEST_COUNT:
            raise ValueError(f"a vote profile counts at most {LARGEST_COUNT} neighbors, got {table.k_max}")
        ks = sorted({checks.check_int("each of ks", k, 1, table.k_max) for k in ks or ()})
        if np.ndim(labels) == 1:
            return cls(table, checks.check_codes("labels", labels, table.n, n_classes), n_classes, ks)
        return cls(table, np.ascontiguousarray(as_bags(labels, table.n, n_classes)).view(np.uint8), n_classes, ks)

    @property
    def from_bags(self) -> bool:
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
        k = checks.check_int("k", k, 1)
        if k > self.k_max:
            raise ValueError(f"k must not exceed the {self.k_max} neighbors of this profile, got {k}")
        if "_at_every_k" in self.__dict__:
            return self._at_every_k[:, k - 1].T
        if k in self.ks:
            return self._at_ks[k].T
        if self._single is None:
            self._single = k, self._count([k])[:, 0]
        return self._single[1].T if self._single[0] == k else self._at_every_k[:, k - 1].T

    def closed(self, k: int) -> np.ndarray:
        """Votes (m, C) of each class in the closed ball out to the k-th nearest: more than k where distances tie.

        Raises ValueError as ``at`` does, and for a table that ``NeighborTable.build`` did not make.
        """
        nearest, cached = self.at(k), self._closed
        if cached is not None and cached[0] == k:
            return cached[1]
        votes = nearest.astype(np.int32)
        # Pairs: a row whose ball holds more than k points, and a point in it.
        rows, points = self.table.closed(k)
        votes[rows] = 0
        if self.from_bags:
            np.add.at(votes, rows, self.labels[points])
        else:
            np.add.at(votes, (rows, self.labels[points]), 1)
        votes.flags.writeable = False
        self._closed = k, votes
        return votes

    @cached_property
    def _at_ks(self) -> dict[int, np.ndarray]:
        """Votes (C, m) at each of ``ks``."""
        return dict(zip(self.ks, self._count(self.ks).swapaxes(0, 1), strict=True))

    def _count(self, ks: Sequence[int]) -> np.ndarray:
        """Votes (C, len(ks), m) at several k, ascending."""
        votes = np.empty((self.n_classes, len(ks), len(self)), self.dtype)
        kernels.count_votes(self.table.indices, self.labels, np.array(ks), votes)
        votes.flags.writeable = False
        return votes


class WindowProfile:
    """Votes of each class in each window of k consecutive points on a line, at any k.

    They are differences of cumulative counts, so that time and memory do not grow with k.

    Examples
    --------
    >>> from knnviz.profiles import WindowProfile
    >>> from knnviz.neighbors import Windows
    >>> import numpy as np
    >>> windows = Windows.from_points(np.array([[0.0], [1.0], [3.0]]))
    >>> WindowProfile.count(windows, np.array([0, 1, 1]), n_classes=2).at(2).tolist()
    [[1, 1], [0, 2]]
    """

    from_bags = False

    def __init__(self, windows: Windows, cumulative: np.ndarray) -> None:
        self.windows, self.n_classes = windows, len(cumulative)
        # (C, n + 1): how many of the first i sorted points have each class, at [class, i].
        self._cumulative = cumulative

    @classmethod
    def count(cls, windows: Windows, labels: np.ndarray, n_classes: int) -> Self:
        """Profile of observed class codes (n,), in the order of the training points; ValueError if they do not fit."""
        n_classes = checks.check_int("n_classes", n_classes, 2, 255)
        labels = checks.check_codes("labels", labels, windows.n, n_classes)[windows.order]
        cumulative = np.zeros((n_classes, windows.n + 1), np.int32)
        for c, counts in enumerate(cumulative):
            np.cumsum(labels == c, out=counts[1:])
        return cls(windows, cumulative)

    def at(self, k: int) -> np.ndarray:
        """Votes (n - k + 1, C) of each class in every window of k points; ValueError if k exceeds n."""
        k = checks.check_k(k, self.windows.n)
        return (self._cumulative[:, k:] - self._cumulative[:, : self.windows.n - k + 1]).T

    def closed(self, k: int) -> np.ndarray:
        """The same votes: a closed ball holds more than k points only if the query is on a breakpoint."""
        return self.at(k)

    def votes_in(self, starts: np.ndarray, ks: np.ndarray) -> np.ndarray:
        """Votes (J, C) in windows of ks (J,) points that begin at ``starts`` (J,); ValueError beyond the points."""
        starts, ks = np.asarray(starts), np.asarray(ks)
        if (starts < 0).any() or (ks < 1).any() or (starts + ks > self.windows.n).any():
            raise ValueError(f"windows must lie within the {self.windows.n} points")
        return (self._cumulative[:, starts + ks] - self._cumulative[:, starts]).T


class OwnWindowProfile(WindowProfile):
    """Votes among the k nearest of each training point on a line, itself included.

    Of two neighbors at the same distance, the left one comes first, whatever their indices.

    Examples
    --------
    >>> from knnviz.profiles import OwnWindowProfile
    >>> from knnviz.neighbors import Windows
    >>> import numpy as np
    >>> windows = Windows.from_points(np.array([[0.0], [1.0], [3.0]]))
    >>> OwnWindowProfile.count(windows, np.array([0, 1, 1]), n_classes=2).at(2).tolist()
    [[1, 1], [1, 1], [0, 2]]
    """

    def at(self, k: int) -> np.ndarray:
        """Votes (n, C) among the k nearest of each training point, in their order; ValueError if k exceeds n."""
        votes = np.empty((self.windows.n, self.n_classes), np.int32)
        votes[self.windows.order] = super().at(k)[self.windows.starts(self.windows.x, k)]
        return votes

    def closed(self, k: int) -> np.ndarray:
        """Votes (n, C) in the closed ball out to the k-th nearest of each training point; ValueError as for at."""
        x, votes = self.windows.x, np.empty((self.windows.n, self.n_classes), np.int32)
        sizes = k + np.isin(x, self.windows.breakpoints(k))
        votes[self.windows.order] = self.votes_in(self.windows.starts(x, k), sizes)
        return votes

    def extremes(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Fewest and most votes (C,) of each class among the k nearest of any training point; ValueError as for at."""
        k = checks.check_k(k, self.windows.n)
        extremes = np.empty((self.n_classes, 2), np.int32)
        # The votes of two classes sum to k, so those of class 1 are enough.
        counted = slice(1, None) if self.n_classes == 2 else slice(None)
        for counts, fewest_and_most in zip(self._cumulative[counted], extremes[counted], strict=True):
            kernels.window_extremes(self.windows.x, counts, k, fewest_and_most)
        if self.n_classes == 2:
            extremes[0] = k - extremes[1, ::-1]
        return extremes[:, 0], extremes[:, 1]


#: The neighbors of each training point, itself included, or votes counted over them.
NeighborSource = NeighborTable | Windows | VoteProfile


def training_votes(train: NeighborSource, observed: np.ndarray, n_classes: int) -> Votes:
    """Votes among the neighbors of each training point, from which rules estimate flip rates in ``fit``.

    A profile is returned unchanged, so that rules share its counts; ValueError if it is not one of these labels.

    Examples
    --------
    >>> from knnviz import NeighborTable
    >>> from knnviz.profiles import training_votes
    >>> import numpy as np
    >>> train = NeighborTable.build(np.array([[0.0], [1.0], [3.0]]), None, 2)
    >>> training_votes(train, np.array([0, 1, 1]), n_classes=2).at(2).tolist()
    [[1, 1], [1, 1], [0, 2]]
    """
    if isinstance(train, VoteProfile):
        if train.n_classes != n_classes or not np.array_equal(train.labels, observed):
            raise ValueError("the votes at the training points are those of other labels")
        return train
    if isinstance(train, Windows):
        return OwnWindowProfile.count(train, observed, n_classes)
    return VoteProfile.count(train, observed, n_classes)


#: Queries, or rows of a grid, in one chunk.
CHUNK = 8

Arrays = tuple[np.ndarray, ...]

#: Flip rates (p0, p1) without noise.
CLEAN_RATES = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class BallProfile:
    """Class frequencies in balls around each query, at several probability masses; made by ``integrate``.

    The frequency of a class in a ball B is the average of its probability, eta_c(B). ``masses`` (J,) ascend from 0, the
    center itself. ``frequency`` (J, C, m) float32 holds, at [j, c, i], the frequency of class c in the first closed
    ball around query i whose mass reaches ``masses[j]``; ``at_center`` (C, m) are those at the queries, the centers.
    ``q`` (C,) are the class weights, ``best`` (m,) the weighted Bayes class f at the center, and ``sums_to_one`` is
    whether the frequencies of all classes sum to 1.

    The margin of a ball is the lead of class f in it, q_f eta_f(B) - max_{c != f} q_c eta_c(B). Four arrays hold
    extremes over *all* balls up to each mass, also those between two of the masses: ``margin`` (J, m) the smallest
    margin; ``absolute_margin`` (J, m) its smallest absolute value; ``lowest_frequency`` (J, 2, m) the smallest
    frequency of each of two classes (empty for more); ``advantage`` (J, m) the largest p * gamma^2 over masses p. Each
    class with the largest eta at the center leads every other class by gamma in every ball up to p; the advantage is 1
    where all classes tie there.

    Examples
    --------
    >>> from knnviz import BallProfile
    >>> from knnviz.problems import ramp
    >>> cells, eta = ramp().cells(10)
    >>> balls = BallProfile.integrate(cells, eta, cells.points[2:3], masses=[0.5, 1.0])
    >>> balls.frequency[:, 1, 0].round(4).tolist()
    [0.25, 0.25, 0.5]
    """

    masses: np.ndarray
    q: np.ndarray
    best: np.ndarray
    sums_to_one: bool
    frequency: np.ndarray = field(repr=False)
    lowest_frequency: np.ndarray = field(repr=False)
    margin: np.ndarray = field(repr=False)
    absolute_margin: np.ndarray = field(repr=False)
    advantage: np.ndarray = field(repr=False)

    @classmethod
    def integrate(
        cls,
        measure: Measure,
        frequency: np.ndarray,
        queries: np.ndarray | None = None,
        masses: Sequence[float] | None = None,
        *,
        q: checks.Weights | None = None,
        p_max: float = 0.25,
        resolution: Resolution = FULL_RESOLUTION,
    ) -> Self:
        """Grow balls around queries (m, d) in a weighted measure of N points; ``queries=None`` are its own points.

        ``frequency`` (N, C) are eta, eta_corr or P(y in S given x) of bags S, whose rows need not sum to 1. ``masses``
        ascend from above 0 to at most 1; by default up to 64 geometric ones from 1 / N to ``p_max``. ``q`` (C,) are the
        class weights, 1 / C each by default. Points at equal distances enter a ball together, and balls are clipped to
        the box. While the ball of a query is empty, it has the frequencies of the point nearest to the query. Raises
        ValueError for values out of range.
        """
        frequency = _checked_frequency(frequency, measure)
        weights = checks.check_class_weights(q, frequency.shape[1])
        all_masses = _all_masses(masses, p_max, measure, resolution.masses)
        centers = (
            measure.points if queries is None else checks.check_points("queries", queries, measure.points.shape[1])
        )
        at_center = frequency
        if queries is not None:
            at_center = frequency[NeighborTable.build(measure.points, centers, 1).indices[:, 0]]
        best = best_class(at_center, weights)
        top = at_center >= at_center.max(axis=1, keepdims=True) - checks.TIE_TOL
        sizes = (frequency.shape[1], 2 if frequency.shape[1] == 2 else 0, 3)
        outputs = tuple(np.empty((len(all_masses), size, len(centers)), np.float32) for size in sizes)
        inputs = best, np.ascontiguousarray(top.T), weights, all_masses
        if queries is None and measure.grid is not None:
            _grow_on_grid(measure, measure.grid, frequency, inputs, outputs)
        else:
            _grow_among_points(measure, frequency, centers, at_center, inputs, outputs)
        frequencies, lowest, extremes = outputs
        sums_to_one = bool(np.allclose(frequency.sum(axis=1), 1, rtol=0, atol=1e-9))
        extremes[:, 2, top.all(axis=1)] = 1
        return cls(all_masses, weights, best, sums_to_one, frequencies, lowest, *extremes.transpose(1, 0, 2))

    def __len__(self) -> int:
        return len(self.best)

    @property
    def n_classes(self) -> int:
        return len(self.q)

    @property
    def at_center(self) -> np.ndarray:
        return self.frequency[0]

    def first_at_least(self, name: str, mass: float) -> int:
        """Index of the smallest of ``masses`` that is at least ``mass``; ValueError beyond the largest one."""
        mass = checks.check_real(name, mass, 0, float(self.masses[-1]))
        return int(np.searchsorted(self.masses, mass * (1 - kernels.EQUAL_TOL)))

    def last_at_most(self, name: str, mass: float) -> int:
        """Index of the largest of ``masses`` that is at most ``mass``; ValueError beyond the largest one of all."""
        mass = checks.check_real(name, mass, 0, float(self.masses[-1]))
        return int(np.searchsorted(self.masses, mass * (1 + kernels.EQUAL_TOL), side="right")) - 1

    def smallest_margin(
        self, mass: float, q: checks.Weights | None = None, rates: tuple[float, float] = CLEAN_RATES
    ) -> np.ndarray:
        """Smallest margin (m,) over all balls up to a mass, for weights ``q`` and, of two classes, flip ``rates``.

        By default the weights are those of ``integrate``, without noise. ``mass`` is rounded up to one of ``masses``.
        The result is exact for these weights, and for two classes whose frequencies sum to 1. Else it is the minimum at
        ``masses`` only, which may be larger.
        """
        j = self.first_at_least("ball mass p", mass)
        weights = self.q if q is None else checks.check_class_weights(q, self.n_classes)
        if self.n_classes == 2 and self.sums_to_one:
            return self._margins(self.lowest_frequency[j], weights, rates)
        if self._as_integrated(weights, rates):
            return self.margin[j]
        margin = np.empty(len(self), np.float32)
        kernels.smallest_margin(self.frequency[: j + 1], best_class(self.at_center.T, weights), weights, margin)
        return margin

    def smallest_absolute_margin(
        self, mass: float, q: checks.Weights | None = None, rates: tuple[float, float] = CLEAN_RATES
    ) -> np.ndarray:
        """Smallest absolute margin (m,) of two classes over all balls up to a mass.

        ``mass`` is rounded up to one of ``masses``. Exact for the weights of ``integrate`` without noise; else the
        minimum at ``masses`` only.
        """
        self.check_two_classes("the smallest absolute margin")
        j = self.first_at_least("ball mass p", mass)
        weights = self.q if q is None else checks.check_class_weights(q, self.n_classes)
        if self._as_integrated(weights, rates):
            return self.absolute_margin[j]
        return np.min([abs(self._margins(balls, weights, rates)) for balls in self.frequency[: j + 1]], axis=0)

    def check_two_classes(self, what: str) -> None:
        """Raise ValueError unless there are two classes whose frequencies sum to 1."""
        if self.n_classes != 2 or not self.sums_to_one:
            kind = "bags" if self.n_classes == 2 else f"{self.n_classes} classes"
            raise ValueError(f"{what} needs two classes whose frequencies sum to 1, got {kind}")

    def _as_integrated(self, q: np.ndarray, rates: tuple[float, float]) -> bool:
        """Whether the stored margins are for these weights; ValueError for noise on bags or more than two classes."""
        if rates != CLEAN_RATES:
            self.check_two_classes("label noise")
            return False
        return np.array_equal(q, self.q)

    def _margins(self, frequency: np.ndarray, q: np.ndarray, rates: tuple[float, float]) -> np.ndarray:
        """Margins (m,) of two classes in balls of frequencies (2, m), on the side of the Bayes class at the center.

        Noise and weights only move the threshold, so that the smallest frequency of that class gives the smallest
        margin.
        """
        offsets, contrast = np.array(rates[::-1])[:, None], 1 - rates[0] - rates[1]
        at_center, frequency = offsets + contrast * self.at_center, offsets + contrast * frequency
        class_1 = q[1] * at_center[1] >= q[0] * at_center[0]
        return np.where(class_1, q.sum() * frequency[1] - q[0], q.sum() * frequency[0] - q[1])


def rescaled(q: np.ndarray) -> np.ndarray:
    """Weights (C,) divided by a power of two, so that the largest is near 1 and digits stay."""
    return np.ldexp(q, -np.frexp(q.max())[1])


def best_class(frequency: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Weighted Bayes class (m,) of frequencies (m, C); a tie goes to class 1 of two, and to the smallest of more.

    ``rules.Vote`` on labels and ``rules.Threshold`` break ties alike; ``rules.Weighted`` predicts the smallest of two.
    Scores are compared as doubles, as in the kernels that grow balls.
    """
    weighted = frequency * q
    best = weighted[:, 1] >= weighted[:, 0] if len(q) == 2 else weighted.argmax(axis=1)
    return best.astype(np.uint8)


def _checked_frequency(frequency: np.ndarray, measure: Measure) -> np.ndarray:
    frequency, n = checks.check_points("frequency", frequency), len(measure.points)
    if len(frequency) != n:
        raise ValueError(f"frequency must have a row for each of {n} points, got {len(frequency)}")
    if frequency.shape[1] < 2 or frequency.min() < -checks.TIE_TOL or frequency.max() > 1 + checks.TIE_TOL:
        low, high = frequency.min(), frequency.max()
        raise ValueError(
            f"frequency must hold two or more classes in [0, 1], got {frequency.shape[1]} in [{low:g}, {high:g}]"
        )
    if not (measure.weights >= 0).all() or abs(measure.weights.sum() - 1) > 1e-9:
        raise ValueError(f"weights of a measure must not be negative and sum to 1, got {measure.weights.sum():g}")
    return frequency


def _all_masses(masses: Sequence[float] | None, p_max: float, measure: Measure, n_masses: int) -> np.ndarray:
    if masses is None:
        p_max = checks.check_real("p_max", p_max, 1e-9, 1)
        positive = np.unique(np.geomspace(min(1 / len(measure.points), p_max), p_max, n_masses))
    else:
        positive = checks.check_numbers("masses", masses)
        if positive.ndim != 1 or not len(positive) or not (np.diff(positive, prepend=0) > 0).all() or positive[-1] > 1:
            raise ValueError(f"masses must ascend from above 0 to at most 1, got {masses!r}")
    return np.concatenate([[0], positive])


def _grow_on_grid(measure: Measure, grid: Grid, frequency: np.ndarray, inputs: Arrays, outputs: Arrays) -> None:
    """Balls around all cells of a grid: for each distance, add whole rows of shifted cells."""
    shape = (1, *grid.shape)[-2:]
    best, top, *others = inputs
    by_class = np.ascontiguousarray(frequency.T).reshape(-1, *shape)
    weights = measure.weights.reshape(shape)
    cells = weights, by_class * weights, by_class, *_rings(grid, shape), best.reshape(shape), top.reshape(-1, *shape)
    arguments = *cells, *others, outputs
    parallel_chunks(lambda rows: kernels.grow_on_grid(rows.start, rows.stop, *arguments), shape[0], CHUNK)


def _rings(grid: Grid, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Steps (s, 2) along rows and columns of a grid, by distance, and where those of each distance end (e,)."""
    steps = np.stack(np.meshgrid(*(np.arange(1 - side, side) for side in shape), indexing="ij"), axis=-1).reshape(-1, 2)
    sides = [(high - low) / cells for (low, high), cells in zip(grid.box, grid.shape[::-1], strict=True)]
    # Counted in cells of one side, squared distances on a grid of squares are whole numbers, and ties are exact.
    ratios = np.array([*sides, sides[0]])[1::-1] / sides[0]
    squares = ((steps * ratios) ** 2).sum(axis=1)
    order = np.argsort(squares, kind="stable")
    changes = np.diff(squares[order]) > squares[order][:-1] * kernels.EQUAL_TOL
    return steps[order], np.append(np.flatnonzero(changes) + 1, len(order))


def _grow_among_points(
    measure: Measure,
    frequency: np.ndarray,
    queries: np.ndarray,
    at_center: np.ndarray,
    inputs: Arrays,
    outputs: Arrays,
) -> None:
    """Balls around any queries, with frequencies ``at_center`` (m, C) there: sort all points by distance."""
    points = measure.points, measure.weights, np.ascontiguousarray(frequency.T)
    arguments = *points, queries, np.ascontiguousarray(at_center.T), *inputs, outputs
    parallel_chunks(lambda rows: kernels.grow_among_points(rows.start, rows.stop, *arguments), len(queries), CHUNK)
