"""Ball profiles: the fraction of each class in the true distribution as a ball grows around a query point."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from knnviz import checks, kernels
from knnviz.corruption import LabelNoise
from knnviz.neighbors import NeighborTable
from knnviz.problems import Grid, Measure
from knnviz.threads import in_pieces

#: Masses kept by default, besides that of the point itself.
KEPT = 64

#: Probabilities that differ by less tie: decimal rates have no exact doubles.
TIE = 1e-12

#: Smallest mass that may be asked for.
SMALLEST = 1e-9

#: Queries, or rows of a lattice, that are worked on in one piece.
PIECE = 8

Weights = Sequence[float] | np.ndarray
Arrays = tuple[np.ndarray, ...]


@dataclass(frozen=True, eq=False)
class BallProfile:
    """Class frequencies in the ball around query i that has grown to probability mass p; made by ``integrate``.

    ``masses`` (J,) are the kept masses, the first of them 0: the point itself. ``frequency`` (J, C, m) float32 are the
    class frequencies of the first closed ball that reaches each mass. Extremes include the balls between two kept
    masses: ``margin`` (J, m) is the smallest margin q_f eta_f(B) - max_{c != f} q_c eta_c(B) over *all* balls up to the
    mass, with f the weighted Bayes class ``best`` (m,) at the centre; ``gap`` (J, m) the smallest absolute margin;
    ``advantage`` (J, m) the largest p * gamma^2, 1 where all classes tie at the centre; ``lowest`` (J, 2, m) the
    smallest frequency of each of two classes (empty for more). ``q`` (C,) are the weights; ``total`` is whether
    frequencies sum to 1.
    """

    masses: np.ndarray
    q: np.ndarray
    best: np.ndarray
    total: bool
    frequency: np.ndarray = field(repr=False)
    lowest: np.ndarray = field(repr=False)
    margin: np.ndarray = field(repr=False)
    gap: np.ndarray = field(repr=False)
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

        ``frequency`` (N, C) are eta, eta_corr or P(S_y given x), whose rows need not sum to 1. ``masses`` ascend from
        above 0 to at most 1; by default 64 geometric ones from one cell to ``p_max``. ``q`` (C,) are the class weights,
        1 / C each by default. All points at one distance enter together; balls are clipped to the box. A query that is
        none of the measure's points is taken for the nearest one as long as its ball is empty. Raises ValueError for
        values out of range.
        """
        frequency = _frequencies(frequency, measure)
        weights = class_weights(q, frequency.shape[1])
        kept = _masses(masses, p_max, measure)
        centers = (
            measure.points if queries is None else checks.check_points("queries", queries, measure.points.shape[1])
        )
        own = frequency if queries is None else frequency[_nearest(measure.points, centers)]
        best, top = best_class(own, weights), own >= own.max(axis=1, keepdims=True) - TIE
        sizes = (frequency.shape[1], 2 if frequency.shape[1] == 2 else 0, 3)
        fractions, lowest, read = (np.empty((len(kept), size, len(centers)), np.float32) for size in sizes)
        given, found = (best, np.ascontiguousarray(top.T), weights, kept), (fractions, lowest, read)
        if queries is None and measure.grid is not None:
            _grow_on_lattice(measure, measure.grid, frequency, given, found)
        else:
            _grow_among_points(measure, frequency, centers, own, given, found)
        total = bool(np.allclose(frequency.sum(axis=1), 1, rtol=0, atol=1e-9))
        read[:, 2, top.all(axis=1)] = 1
        return cls(kept, weights, best, total, fractions, lowest, *read.transpose(1, 0, 2))

    def __len__(self) -> int:
        return len(self.best)

    @property
    def n_classes(self) -> int:
        return len(self.q)

    def reach(self, name: str, mass: float) -> int:
        """Position of the smallest kept mass that reaches ``mass``; ValueError beyond the largest one."""
        mass = checks.check_real(name, mass, 0, float(self.masses[-1]))
        return int(np.searchsorted(self.masses, mass * (1 - 1e-9)))

    def within(self, name: str, mass: float) -> int:
        """Position of the largest kept mass within ``mass``; ValueError beyond the largest one of all."""
        mass = checks.check_real(name, mass, 0, float(self.masses[-1]))
        return int(np.searchsorted(self.masses, mass * (1 + 1e-9), side="right")) - 1

    def smallest_margin(self, mass: float, q: Weights | None = None, noise: LabelNoise | None = None) -> np.ndarray:
        """Smallest margin (m,) over all balls up to a mass, for weights ``q`` and, with two classes, label ``noise``.

        By default weights are those of the integration, and there is no noise. Exact for these, and always for two
        classes whose frequencies sum to 1; else other weights see the kept masses only, where it may be larger.
        """
        j = self.reach("ball mass p", mass)
        weights = self.q if q is None else class_weights(q, self.n_classes)
        if self.n_classes == 2 and self.total:
            return self._margins(self.frequency[0], self.lowest[j], weights, noise)
        if self._as_integrated(weights, noise):
            return self.margin[j]
        margin = np.empty(len(self), np.float32)
        kernels.smallest_margin(self.frequency[: j + 1], best_class(self.frequency[0].T, weights), weights, margin)
        return margin

    def smallest_gap(self, mass: float, q: Weights | None = None, noise: LabelNoise | None = None) -> np.ndarray:
        """Smallest absolute margin (m,) of two classes over all balls up to a mass.

        Exact for the weights of the integration without noise; others see the kept masses only.
        """
        self.need_two("the literal effective boundary")
        j = self.reach("ball mass p", mass)
        weights = self.q if q is None else class_weights(q, self.n_classes)
        if self._as_integrated(weights, noise):
            return self.gap[j]
        at_centre = self.frequency[0]
        return np.min([abs(self._margins(at_centre, each, weights, noise)) for each in self.frequency[: j + 1]], axis=0)

    def need_two(self, what: str) -> None:
        """Raise ValueError unless there are two classes whose frequencies sum to 1."""
        if self.n_classes != 2 or not self.total:
            found = "bags" if self.n_classes == 2 else f"{self.n_classes} classes"
            raise ValueError(f"{what} needs two classes whose frequencies sum to 1, got {found}")

    def _as_integrated(self, q: np.ndarray, noise: LabelNoise | None) -> bool:
        """Whether the kept margins are for these weights; ValueError for noise among bags or more than two classes."""
        if noise is not None and noise != LabelNoise():
            self.need_two("label noise")
            return False
        return np.array_equal(q, self.q)

    def _margins(
        self, at_centre: np.ndarray, frequency: np.ndarray, q: np.ndarray, noise: LabelNoise | None
    ) -> np.ndarray:
        """Margins (m,) of two classes in balls of frequencies (2, m), on the side of the Bayes class at the centre.

        Noise and weights only move the threshold: so the smallest frequency of that class gives the smallest margin.
        """
        noise = noise or LabelNoise()
        rates = np.array([[noise.p1], [noise.p0]])
        at_centre, frequency = rates + noise.contrast * at_centre, rates + noise.contrast * frequency
        ones = q[1] * at_centre[1] >= q[0] * at_centre[0]
        return np.where(ones, q.sum() * frequency[1] - q[0], q.sum() * frequency[0] - q[1])


def class_weights(q: Weights | None, n_classes: int, name: str = "q") -> np.ndarray:
    """Class weights (C,) float64, 1 / C each by default; finite, none negative, not all 0, or ValueError."""
    weights = np.full(n_classes, 1 / n_classes) if q is None else checks.check_numbers(name, q)
    if weights.shape != (n_classes,) or not (np.isfinite(weights) & (weights >= 0)).all() or not weights.any():
        raise ValueError(f"{name} must hold {n_classes} weights that are finite, not negative and not all 0, got {q!r}")
    return weights


def best_class(frequency: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Weighted Bayes class (m,) of frequencies (m, C): with two classes 1 on a tie, with more the smallest class.

    As plain votes and thresholds have it; ``rules.Weighted`` takes the smallest class of two as well. Scores are
    compared as doubles, as the kernels that grow balls compare them.
    """
    weighted = frequency * q
    best = weighted[:, 1] >= weighted[:, 0] if len(q) == 2 else weighted.argmax(axis=1)
    return best.astype(np.uint8)


def _frequencies(frequency: np.ndarray, measure: Measure) -> np.ndarray:
    frequency, n = checks.check_points("frequency", frequency), len(measure.points)
    if len(frequency) != n:
        raise ValueError(f"frequency must have a row for each of {n} points, got {len(frequency)}")
    if frequency.shape[1] < 2 or frequency.min() < -TIE or frequency.max() > 1 + TIE:
        low, high = frequency.min(), frequency.max()
        raise ValueError(
            f"frequency must hold two or more classes in [0, 1], got {frequency.shape[1]} in [{low:g}, {high:g}]"
        )
    if not (measure.weights >= 0).all() or abs(measure.weights.sum() - 1) > 1e-9:
        raise ValueError(f"weights of a measure must not be negative and sum to 1, got {measure.weights.sum():g}")
    return frequency


def _masses(masses: Sequence[float] | None, p_max: float, measure: Measure) -> np.ndarray:
    if masses is None:
        p_max = checks.check_real("p_max", p_max, SMALLEST, 1)
        kept = np.unique(np.geomspace(min(1 / len(measure.points), p_max), p_max, KEPT))
    else:
        kept = checks.check_numbers("masses", masses)
        if kept.ndim != 1 or not len(kept) or not (np.diff(kept, prepend=0) > 0).all() or kept[-1] > 1:
            raise ValueError(f"masses must ascend from above 0 to at most 1, got {masses!r}")
    return np.concatenate([[0], kept])


def _nearest(points: np.ndarray, queries: np.ndarray) -> np.ndarray:
    return NeighborTable.build(points, queries, 1).indices[:, 0]


def _grow_on_lattice(measure: Measure, grid: Grid, frequency: np.ndarray, given: Arrays, found: Arrays) -> None:
    """Balls around all cells of a grid: for each distance, add whole rows of shifted cells."""
    shape = (1, *grid.shape)[-2:]
    best, top, *others = given
    by_class = np.ascontiguousarray(frequency.T).reshape(-1, *shape)
    weights = measure.weights.reshape(shape)
    cells = weights, by_class * weights, by_class, *_rings(grid, shape), best.reshape(shape), top.reshape(-1, *shape)
    in_pieces(lambda piece: kernels.grow_on_lattice(piece.start, piece.stop, *cells, *others, *found), shape[0], PIECE)


def _rings(grid: Grid, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Steps (s, 2) along rows and columns, nearest first, and where those of one distance end."""
    steps = np.stack(np.meshgrid(*(np.arange(1 - side, side) for side in shape), indexing="ij"), axis=-1).reshape(-1, 2)
    sides = [(high - low) / cells for (low, high), cells in zip(grid.box, grid.shape[::-1], strict=True)]
    # Counted in cells of one side, distances on a square lattice are whole numbers, and ties are exact.
    ratios = np.array([*sides, sides[0]])[1::-1] / sides[0]
    squares = ((steps * ratios) ** 2).sum(axis=1)
    order = np.argsort(squares, kind="stable")
    changes = np.diff(squares[order]) > squares[order][:-1] * kernels.SLACK
    return steps[order], np.append(np.flatnonzero(changes) + 1, len(order))


def _grow_among_points(
    measure: Measure, frequency: np.ndarray, queries: np.ndarray, own: np.ndarray, given: Arrays, found: Arrays
) -> None:
    """Balls around any queries, own (m, C) being the frequencies there: sort all points by distance from each."""
    known = measure.points, measure.weights, np.ascontiguousarray(frequency.T), queries, np.ascontiguousarray(own.T)
    in_pieces(
        lambda piece: kernels.grow_among_points(piece.start, piece.stop, *known, *given, *found), len(queries), PIECE
    )
