"""The Map: decision regions, Bayes boundary and points of a problem in the plane."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isqrt
from typing import Any

import contourpy
import numpy as np

from knnviz.problems import Dataset, Problem
from knnviz.views.layers import Annotations, Axes, Extent, Lines, Place


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

#: Largest number of points drawn, so that the regions stay visible under them.
MAX_POINTS = 600

#: Cells along a side of a grid on which a boundary is found.
BOUNDARY_CELLS = 400


def axes(source: Source) -> Axes:
    """Axes over the box of the source."""
    unit = ""
    if isinstance(source, Dataset) and source.scale and not source.projection:
        unit = " (standardized)"
    xlabel, ylabel = (name + unit for name in source.feature_names)
    xlim, ylim = source.box
    return Axes("map", "Map", xlabel, ylabel, xlim, ylim)


def extent(source: Source) -> Extent:
    """The box as (left, right, bottom, top)."""
    across, up = source.box
    return *across, *up


def bayes_boundary(
    source: Any, eta: np.ndarray | None = None, q: Sequence[float] | None = None
) -> Lines:
    """Where the likeliest class changes, a layer without points if eta is unknown; ``eta`` (m, C)
    is that of the cells of a grid, and ``q`` weighs the classes, whose best one then changes.
    """
    look: Any = {"width": 2.5, "dash": (7, 4)}
    if eta is None:
        if source.eta is None:
            return Lines("bayes", (), (), **look)
        eta = source.eta(source.grid(BOUNDARY_CELLS).points)
    grid = source.grid(isqrt(len(eta)))
    x, y = map(np.unique, grid.points.T)
    weighted = eta if q is None else eta * q
    fields = weighted.T.reshape(-1, *grid.shape)
    parts: list[Any] = [np.empty((0, 2))]
    for one, other in combinations(fields, 2):
        # Where a third class is better, nothing changes between two.
        is_third = np.maximum(one, other) < fields.max(axis=0)
        lead = np.ma.masked_where(is_third, one - other)
        lines: Any = contourpy.contour_generator(x, y, lead).lines(0)
        for line in lines:
            parts += [line, [(np.nan, np.nan)]]
    return Lines("bayes", *np.concatenate(parts).T, label="Bayes boundary", **look)


def query(source: Source, x: Sequence[float]) -> Annotations:
    """A cross at the query point x (2,); its name stands on the left where the box has no room on
    the right.
    """
    left, right = source.box[0]
    align = "left"
    if x[0] > right - 0.08 * (right - left):
        align = "right"
    handles = ("query point x",)
    return Annotations("query", x[0], x[1], ("x",), size=17, cross=18, handles=handles, align=align)


def ball(x: np.ndarray, radius: float) -> Lines:
    """The circle around x (2,) that reaches its k-th neighbor, with its name at its head."""
    angles = np.linspace(0, 2 * np.pi, 121)
    xs, ys = x[:, None] + radius * np.array([np.cos(angles), np.sin(angles)])
    at = Place(x[0], x[1] + radius)
    return Lines("ball", xs, ys, label="ball of k neighbors", at=at)


def describe(source: Source, labels: np.ndarray, n: int) -> str:
    """The map of n points in words and numbers."""
    fractions = np.bincount(labels, minlength=source.n_classes) / len(labels)
    both = zip(source.class_names, fractions, strict=True)
    areas = ", ".join(f"{name} {fraction:.1%}" for name, fraction in both)
    return f"Map of {source.name}: predicted area {areas}; {n} points."
