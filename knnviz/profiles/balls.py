"""Ball profiles: class probabilities averaged over a ball around a query point, as its probability mass grows."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from knnviz import checks, kernels
from knnviz.corruption import LabelNoise
from knnviz.neighbors import NeighborTable
from knnviz.problems import Grid, Measure
from knnviz.threads import parallel_chunks

#: Probabilities, or scores divided by the largest weight, that differ by less are tied: decimals such as 0.1 are not
#: exact in floating point.
TIE_TOL = 1e-12

#: Queries, or rows of a grid, in one chunk.
CHUNK = 8

Weights = Sequence[float] | np.ndarray
Arrays = tuple[np.ndarray, ...]


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
        q: Weights | None = None,
        p_max: float = 0.25,
    ) -> Self:
        """Grow balls around queries (m, d) in a weighted measure of N points; ``queries=None`` are its own points.

        ``frequency`` (N, C) are eta, eta_corr or P(y in S given x) of bags S, whose rows need not sum to 1. ``masses``
        ascend from above 0 to at most 1; by default up to 64 geometric ones from 1 / N to ``p_max``. ``q`` (C,) are the
        class weights, 1 / C each by default. Points at equal distances enter a ball together, and balls are clipped to
        the box. While the ball of a query is empty, it has the frequencies of the point nearest to the query. Raises
        ValueError for values out of range.
        """
        frequency = _checked_frequency(frequency, measure)
        weights = check_class_weights(q, frequency.shape[1])
        all_masses = _all_masses(masses, p_max, measure)
        centers = (
            measure.points if queries is None else checks.check_points("queries", queries, measure.points.shape[1])
        )
        at_center = frequency
        if queries is not None:
            at_center = frequency[NeighborTable.build(measure.points, centers, 1).indices[:, 0]]
        best = best_class(at_center, weights)
        top = at_center >= at_center.max(axis=1, keepdims=True) - TIE_TOL
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

    def smallest_margin(self, mass: float, q: Weights | None = None, noise: LabelNoise | None = None) -> np.ndarray:
        """Smallest margin (m,) over all balls up to a mass, for weights ``q`` and, with two classes, label ``noise``.

        By default the weights are those of ``integrate``, without noise. ``mass`` is rounded up to one of ``masses``.
        The result is exact for these weights, and for two classes whose frequencies sum to 1. Else it is the minimum at
        ``masses`` only, which may be larger.
        """
        j = self.first_at_least("ball mass p", mass)
        weights = self.q if q is None else check_class_weights(q, self.n_classes)
        if self.n_classes == 2 and self.sums_to_one:
            return self._margins(self.lowest_frequency[j], weights, noise)
        if self._as_integrated(weights, noise):
            return self.margin[j]
        margin = np.empty(len(self), np.float32)
        kernels.smallest_margin(self.frequency[: j + 1], best_class(self.at_center.T, weights), weights, margin)
        return margin

    def smallest_absolute_margin(
        self, mass: float, q: Weights | None = None, noise: LabelNoise | None = None
    ) -> np.ndarray:
        """Smallest absolute margin (m,) of two classes over all balls up to a mass.

        ``mass`` is rounded up to one of ``masses``. Exact for the weights of ``integrate`` without noise; else the
        minimum at ``masses`` only.
        """
        self.check_two_classes("the smallest absolute margin")
        j = self.first_at_least("ball mass p", mass)
        weights = self.q if q is None else check_class_weights(q, self.n_classes)
        if self._as_integrated(weights, noise):
            return self.absolute_margin[j]
        return np.min([abs(self._margins(balls, weights, noise)) for balls in self.frequency[: j + 1]], axis=0)

    def check_two_classes(self, what: str) -> None:
        """Raise ValueError unless there are two classes whose frequencies sum to 1."""
        if self.n_classes != 2 or not self.sums_to_one:
            kind = "bags" if self.n_classes == 2 else f"{self.n_classes} classes"
            raise ValueError(f"{what} needs two classes whose frequencies sum to 1, got {kind}")

    def _as_integrated(self, q: np.ndarray, noise: LabelNoise | None) -> bool:
        """Whether the stored margins are for these weights; ValueError for noise on bags or more than two classes."""
        if noise is not None and noise != LabelNoise():
            self.check_two_classes("label noise")
            return False
        return np.array_equal(q, self.q)

    def _margins(self, frequency: np.ndarray, q: np.ndarray, noise: LabelNoise | None) -> np.ndarray:
        """Margins (m,) of two classes in balls of frequencies (2, m), on the side of the Bayes class at the center.

        Noise and weights only move the threshold, so that the smallest frequency of that class gives the smallest
        margin.
        """
        noise = noise or LabelNoise()
        offsets = noise.offsets[:, None]
        at_center, frequency = offsets + noise.contrast * self.at_center, offsets + noise.contrast * frequency
        class_1 = q[1] * at_center[1] >= q[0] * at_center[0]
        return np.where(class_1, q.sum() * frequency[1] - q[0], q.sum() * frequency[0] - q[1])


def check_class_weights(q: Weights | None, n_classes: int | None = None, name: str = "q") -> np.ndarray:
    """Return class weights (C,) float64, finite, none negative, not all 0, or raise ValueError.

    ``n_classes`` is C, by default that of the weights, at least 2. Without weights they are 1 / C each.
    """
    if n_classes is None:
        if q is None or np.ndim(q) != 1 or len(q) < 2:
            raise ValueError(f"{name} must hold weights of two or more classes, got {q!r}")
        n_classes = len(q)
    weights = np.full(n_classes, 1 / n_classes) if q is None else checks.check_numbers(name, q)
    if weights.shape != (n_classes,) or not (np.isfinite(weights) & (weights >= 0)).all() or not weights.any():
        raise ValueError(f"{name} must hold {n_classes} weights that are finite, not negative and not all 0, got {q!r}")
    return weights


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
    if frequency.shape[1] < 2 or frequency.min() < -TIE_TOL or frequency.max() > 1 + TIE_TOL:
        low, high = frequency.min(), frequency.max()
        raise ValueError(
            f"frequency must hold two or more classes in [0, 1], got {frequency.shape[1]} in [{low:g}, {high:g}]"
        )
    if not (measure.weights >= 0).all() or abs(measure.weights.sum() - 1) > 1e-9:
        raise ValueError(f"weights of a measure must not be negative and sum to 1, got {measure.weights.sum():g}")
    return frequency


def _all_masses(masses: Sequence[float] | None, p_max: float, measure: Measure) -> np.ndarray:
    if masses is None:
        p_max = checks.check_real("p_max", p_max, 1e-9, 1)
        positive = np.unique(np.geomspace(min(1 / len(measure.points), p_max), p_max, 64))
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
    inputs = *cells, *others
    parallel_chunks(lambda rows: kernels.grow_on_grid(rows.start, rows.stop, *inputs, *outputs), shape[0], CHUNK)


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
    inputs = *points, queries, np.ascontiguousarray(at_center.T), *inputs
    parallel_chunks(
        lambda rows: kernels.grow_among_points(rows.start, rows.stop, *inputs, *outputs), len(queries), CHUNK
    )
