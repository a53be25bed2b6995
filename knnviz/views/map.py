"""The Map: decision regions, Bayes boundary and points of a problem in the plane."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isqrt
from typing import Any, Self

import contourpy
import numpy as np
from scipy.ndimage import map_coordinates

from knnviz.problems import Dataset, Problem
from knnviz.views import marks, style
from knnviz.views.layers import Annotations, Axes, Extent, Lines, Place, Points


@dataclass(frozen=True)
class BoxAndNames:
    """Data without a distribution: a box, and names of classes and features."""

    name: str
    box: tuple[tuple[float, float], ...]
    class_names: tuple[str, ...]
    feature_names: tuple[str, ...]

    eta = None
    dimension = 2

    @property
    def n_classes(self) -> int:
        return len(self.class_names)


#: What a map shows.
Source = Problem | Dataset | BoxAndNames

#: Suffixes of the names of scaled features.
UNITS = {"standard": " (standardized)", "minmax": " (scaled to 0..1)", None: ""}

#: Largest number of points drawn, so that the regions stay visible under them.
MAX_POINTS = 600

#: Where two classes tie, a third one is better only if by more than this, since eta is interpolated
#: between cells.
TIE_TOL = 2e-3


def axes(source: Source) -> Axes:
    """Axes over the box of the source."""
    unit = ""
    if isinstance(source, Dataset) and source.projection is None:
        unit = UNITS[source.scale]
    xlabel, ylabel = (name + unit for name in source.feature_names)
    xlim, ylim = source.box
    return Axes("map", "Map", xlabel, ylabel, xlim, ylim)


def square(values: np.ndarray) -> np.ndarray:
    """Values (m,) of the cells of a grid as rows and columns."""
    side = isqrt(len(values))
    return values.reshape(side, side)


def extent(source: Source) -> Extent:
    """The box as (left, right, bottom, top)."""
    (left, right), (bottom, top) = source.box
    return left, right, bottom, top


def bayes_boundary(source: Source, n_cells: int = 400, eta: np.ndarray | None = None) -> Lines:
    """Where the likeliest class changes, a layer without points if eta is unknown; ``eta`` is that
    of the cells.
    """
    if source.eta is None:
        return _boundary([], None)
    if eta is None:
        eta = source.eta(source.grid(n_cells).points)
    return WeightedBoundaries.build(source, n_cells, eta).boundary((1,) * source.n_classes)


@dataclass(frozen=True)
class WeightedBoundaries:
    """eta on the cells of a grid, prepared for the Bayes boundaries of many class weights.

    ``eta`` is (C, rows, columns); ``positions`` (2, side) are the x of the columns and the y of the
    rows. ``contours`` has, for each pair of classes, a generator of contour lines of eta of the
    first one divided by the sum of both.
    """

    eta: np.ndarray
    positions: np.ndarray
    contours: dict[tuple[int, int], Any]

    @classmethod
    def build(cls, problem: Problem, n_cells: int, eta: np.ndarray) -> Self:
        """From eta (m, C) on the cells of the problem's grid."""
        grid = problem.grid(n_cells)
        x, y = map(np.unique, grid.points.T)
        fields = np.ascontiguousarray(eta.T.reshape(-1, *grid.shape), float)
        contours = {}
        for c, other in combinations(range(problem.n_classes), 2):
            total = fields[c] + fields[other]
            fraction = np.full_like(total, 0.5)
            np.divide(fields[c], total, out=fraction, where=total > 0)
            contours[c, other] = contourpy.contour_generator(x=x, y=y, z=fraction)
        return cls(fields, np.array([x, y]), contours)

    def boundary(self, q: Sequence[float]) -> Lines:
        """Where the best class changes under weights (C,), not negative and not all 0."""
        lines = []
        for (c, other), generator in self.contours.items():
            total = q[c] + q[other]
            if total > 0:
                ties = generator.lines(q[other] / total)
                lines += [self._where_best(line, c, q) for line in ties]
        return _boundary(lines, "Bayes boundary")

    def _where_best(self, line: np.ndarray, c: int, q: Sequence[float]) -> np.ndarray:
        """A line (n, 2) on which class c ties with another, NaN where a third one is better."""
        if len(q) <= 2:
            return line
        first = self.positions[:, :1]
        in_cells = (line.T - first) / (self.positions[:, 1:2] - first)
        rows_columns = in_cells[::-1]
        eta = [map_coordinates(field, rows_columns, order=1, mode="nearest") for field in self.eta]
        weighted = np.array(q)[:, None] * eta
        best = weighted.max(axis=0)
        line[weighted[c] < best - TIE_TOL] = np.nan
        return line


def _boundary(lines: list[np.ndarray], label: str | None) -> Lines:
    """Polylines (n, 2) in one layer, a NaN after each."""
    gap = np.full((1, 2), np.nan)
    parts = [np.empty((0, 2))]
    for line in lines:
        parts += [line, gap]
    return Lines("bayes", *np.concatenate(parts).T, label=label, width=2.5, dash=(7, 4))


def class_points(source: Source, X: np.ndarray, codes: np.ndarray, y: np.ndarray) -> Points:
    """Points X (n, 2) by class codes (n,); a ring shows the true class in y (n,) where it is
    another.
    """
    return marks.of_classes(
        "points",
        X[:, 0],
        X[:, 1],
        codes,
        source.n_classes,
        ringed=codes != y,
        ring_codes=y.astype(np.uint8),
        ring_width=style.FLIPPED_RING_WIDTH,
        labels=source.class_names,
        ring_labels=tuple([f"flipped from {name}" for name in source.class_names]),
    )


def query(source: Source, x: Sequence[float]) -> Annotations:
    """A cross at the query point x (2,); its name stands on the left where the box has no room on
    the right.
    """
    left, right = source.box[0]
    align = "left"
    if x[0] > right - 0.05 * (right - left):
        align = "right"
    handles = ("query point x",)
    return Annotations("query", x[0], x[1], ("x",), size=17, cross=18, handles=handles, align=align)


def ball(x: np.ndarray, radius: float) -> Lines:
    """The circle around x (2,) that reaches its k-th neighbor."""
    angles = np.linspace(0, 2 * np.pi, 121)
    xs = x[0] + radius * np.cos(angles)
    ys = x[1] + radius * np.sin(angles)
    below = Place(x[0], x[1] - radius, "below")
    return Lines("ball", xs, ys, label="ball of k neighbors", at=below)


def describe(
    source: Source, labels: np.ndarray, observed: np.ndarray, max_points: int = MAX_POINTS
) -> str:
    """The map in words and numbers; at most ``max_points`` points are drawn."""
    fractions = np.bincount(labels, minlength=source.n_classes) / len(labels)
    both = zip(source.class_names, fractions, strict=True)
    areas = ", ".join(f"{name} {fraction:.1%}" for name, fraction in both)
    n = len(observed)
    drawn = f"{min(n, max_points)} of {n} points drawn"
    return f"Map of {source.name}: predicted area {areas}; {drawn}."
