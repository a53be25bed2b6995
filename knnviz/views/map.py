"""The Map: regions, Bayes boundary and points of a problem in the plane."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isqrt
from typing import Any, Self

import contourpy
import numpy as np
from scipy.ndimage import map_coordinates

from knnviz.problems import Dataset, Problem, Sample
from knnviz.views import style
from knnviz.views.layers import Annotations, Axes, Extent, Lines, Points, Raster


@dataclass(frozen=True)
class Frame:
    """Data without a distribution: a box, and names of classes and features."""

    name: str
    box: tuple[tuple[float, float], ...]
    class_names: tuple[str, ...]
    feature_names: tuple[str, ...]

    eta = None

    @property
    def n_classes(self) -> int:
        return len(self.class_names)


Source = Problem | Dataset | Frame

#: What the axes of scaled features add to their names.
UNITS = {"standard": " (standardized)", "minmax": " (scaled to 0..1)", None: ""}

#: Points drawn at most, so that the regions stay visible under them.
MOST_POINTS = 600

#: By how much a third class may be better, between cells, where two tie.
AS_GOOD = 2e-3

#: Cells a side on which the Bayes boundary is traced.
BOUNDARY_RESOLUTION = 400


def axes(problem: Source) -> Axes:
    """Axes over the problem's box."""
    unit = UNITS[problem.scale] if isinstance(problem, Dataset) and problem.projection is None else ""
    xlabel, ylabel = (name + unit for name in problem.feature_names)
    across, up = problem.box
    return Axes("map", "Map", xlabel, ylabel, across, up)


def regions(problem: Source, labels: np.ndarray) -> Raster:
    """The class codes (r * r,) that a rule gave the cells of the problem's grid."""
    palette = style.region_palette(problem.n_classes)
    codes = square(labels, "labels")
    return Raster(name="regions", codes=codes, palette=palette, extent=extent(problem), outline=style.MUTED)


def square(values: np.ndarray, name: str) -> np.ndarray:
    """Values (m,) of the cells of a grid as rows and columns; ValueError unless they fill a square."""
    side = isqrt(len(values))
    if side * side != len(values):
        raise ValueError(f"{name} must fill a square grid, got {len(values)} of them")
    return values.reshape(side, side)


def extent(problem: Source) -> Extent:
    """The box as (left, right, bottom, top)."""
    (left, right), (bottom, top) = problem.box
    return left, right, bottom, top


def bayes_boundary(problem: Source, resolution: int = BOUNDARY_RESOLUTION, eta: np.ndarray | None = None) -> Lines:
    """Where the best class changes; lines without points if eta is unknown. ``eta`` is that of the cells, if known."""
    lines = [] if problem.eta is None else _contours(problem, resolution, eta)
    return _boundary(lines, None if problem.eta is None else "Bayes boundary")


@dataclass(frozen=True)
class Levels:
    """eta on the cells of a grid, prepared for the Bayes boundaries of many class weights.

    ``eta`` (C, rows, columns) is given at ``positions``, the columns and rows; ``fractions`` holds for each two classes
    the fraction of the second among both.
    """

    eta: np.ndarray
    positions: tuple[np.ndarray, np.ndarray]
    fractions: dict[tuple[int, int], Any]

    @classmethod
    def of(cls, problem: Problem, resolution: int, eta: np.ndarray) -> Self:
        """Of eta (m, C) on the cells of the problem's grid."""
        grid = problem.grid(resolution)
        positions = np.unique(grid.points[:, 0]), np.unique(grid.points[:, 1])
        fields = np.ascontiguousarray(eta.T.reshape(-1, *grid.shape), float)
        fractions = {}
        for c, other in combinations(range(len(fields)), 2):
            both = fields[c] + fields[other]
            fraction = np.divide(fields[other], both, out=np.full_like(both, 0.5), where=both > 0)
            fractions[c, other] = contourpy.contour_generator(x=positions[0], y=positions[1], z=fraction)
        return cls(fields, positions, fractions)

    def boundary(self, q: Sequence[float]) -> Lines:
        """Where the best of the weighted classes changes, for weights (C,), not negative and not all 0."""
        lines = []
        for (c, other), fraction in self.fractions.items():
            if q[c] + q[other] > 0:
                lines += [self._best(line, c, q) for line in fraction.lines(q[c] / (q[c] + q[other]))]
        return _boundary(lines, "Bayes boundary")

    def _best(self, line: np.ndarray, c: int, q: Sequence[float]) -> np.ndarray:
        """A line (n, 2) on which class c ties with another, NaN where a third one is better."""
        if len(q) > 2:
            across, up = ((at - axis[0]) / (axis[1] - axis[0]) for at, axis in zip(line.T, self.positions, strict=True))
            eta = [map_coordinates(each, [up, across], order=1, mode="nearest") for each in self.eta]
            weighted = np.array(q)[:, None] * eta
            line[weighted[c] < np.max(weighted, axis=0) - AS_GOOD] = np.nan
        return line


def _boundary(lines: list[np.ndarray], label: str | None) -> Lines:
    """Polylines (n, 2) in one layer, a NaN after each."""
    x, y = np.concatenate([np.empty((0, 2)), *[np.append(line, [[np.nan, np.nan]], axis=0) for line in lines]]).T
    return Lines(name="bayes", label=label, x=x, y=y, width=2.5, dash=(7, 4))


def _contours(problem: Problem, resolution: int, eta: np.ndarray | None) -> list[np.ndarray]:
    """Polylines (n, 2) on which two classes are equally good and none is better, NaN where they end."""
    grid = problem.grid(resolution)
    eta = problem.eta(grid.points) if eta is None else eta
    columns, rows = (np.unique(grid.points[:, axis]) for axis in (0, 1))
    lines = []
    for c, other in combinations(range(problem.n_classes), 2):
        gap = (eta[:, c] - eta[:, other]).reshape(grid.shape)
        contours: Any = contourpy.contour_generator(x=columns, y=rows, z=gap)
        for line in contours.lines(0.0):
            if problem.n_classes > 2:
                on_line = problem.eta(line)
                line[on_line[:, [c, other]].max(axis=1) < on_line.max(axis=1)] = np.nan
            lines.append(line)
    return lines


def points(problem: Source, sample: Sample, observed: np.ndarray | None = None, most: int = MOST_POINTS) -> Points:
    """The first points of a sample, ``most`` at most, by observed class; flipped ones wear a ring of their true one."""
    y = sample.y[:most]
    return dots(problem, sample.X[:most], y if observed is None else observed[:most], y)


def dots(source: Source, X: np.ndarray, codes: np.ndarray, y: np.ndarray, kind: type[Points] = Points) -> Points:
    """Points X (n, 2) by their class codes (n,); those of another true class y (n,) wear a ring of that."""
    return kind(
        name="points",
        x=X[:, 0],
        y=X[:, 1],
        codes=codes.astype(np.uint8),
        ringed=codes != y,
        ring_codes=y.astype(np.uint8),
        ring_width=style.FLIPPED,
        palette=style.palette(source.n_classes),
        markers=style.markers(source.n_classes),
        labels=source.class_names,
        ring_label="label flipped",
    )


def query(x: Sequence[float]) -> Annotations:
    """A cross at the query point x (2,)."""
    return Annotations(name="query", x=x[0], y=x[1], texts=("x",), size=17, cross=18, handles=("query point x",))


def ball(x: np.ndarray, radius: float) -> Lines:
    """The circle around x (2,) that reaches its k-th neighbor."""
    angles = np.linspace(0, 2 * np.pi, 121)
    around, up = x[0] + radius * np.cos(angles), x[1] + radius * np.sin(angles)
    return Lines(name="ball", label="ball of k neighbors", x=around, y=up)


def describe(problem: Source, labels: np.ndarray, observed: np.ndarray, most: int = MOST_POINTS) -> str:
    """What the map shows, ``most`` points at most, in words and numbers."""
    fractions = np.bincount(labels, minlength=problem.n_classes) / len(labels)
    regions = ", ".join(f"{name} {fraction:.1%}" for name, fraction in zip(problem.class_names, fractions, strict=True))
    shown = min(len(observed), most)
    return f"Map of {problem.name}: predicted area {regions}; {shown} of {len(observed)} points drawn."
