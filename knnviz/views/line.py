"""The Line: a problem on an interval, with eta, votes, decisions and points."""

from typing import Any

import numpy as np

from knnviz.problems import Problem
from knnviz.views import map as map_view
from knnviz.views import style, vote_curve
from knnviz.views.layers import Annotations, Axes, Extent, Lines, Raster

#: Height of a row of points, in units of the vertical axis.
ROW_HEIGHT = 0.07

#: Ticks of the vertical axis: none where the rows of points are.
Y_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)

#: Height at which the query point is drawn.
QUERY_HEIGHT = 0.5


def heights(n_classes: int) -> np.ndarray:
    """Heights (C,) of the points of each class: two classes below and above the curves, more in
    rows below them.
    """
    if n_classes == 2:
        return np.array([-ROW_HEIGHT, 1 + ROW_HEIGHT])
    return -ROW_HEIGHT * np.arange(1, n_classes + 1)


def extent(problem: Any) -> Extent:
    """The interval, with room for the points, as (left, right, bottom, top)."""
    left, right = problem.box[0]
    rows = heights(problem.n_classes)
    room = 0.8 * ROW_HEIGHT
    return left, right, float(rows.min() - room), float(max(rows.max(), 1) + room)


def axes(problem: Problem) -> Axes:
    """Axes over the problem's interval and the probabilities of its classes."""
    left, right, bottom, top = extent(problem)
    xlim = (left, right)
    xlabel = problem.feature_names[0]
    return Axes("map", "Line", xlabel, "probability", xlim, (bottom, top), yticks=Y_TICKS)


def curves(
    x: np.ndarray, fractions: np.ndarray, name: str, label: str, **line_style: Any
) -> list[Lines]:
    """Fractions (m, C) over x (m,): for two classes that of class 1, for more a curve in the color
    of each.
    """
    if fractions.shape[1] == 2:
        of_1 = fractions[:, 1]
        return [Lines(name=f"{name}1", label=f"{label}, class 1", x=x, y=of_1, **line_style)]
    return vote_curve.by_class(x, fractions, name, f"{label}, by class", **line_style)


def eta_curves(x: np.ndarray, eta: np.ndarray, label: str = "eta") -> list[Lines]:
    """eta (m, C), dashed."""
    return curves(x, eta, "eta", label, width=2.5, dash=(7, 4))


def noisy_curves(x: np.ndarray, corrupted: np.ndarray) -> list[Lines]:
    """The regression function (m, 2) of noisy labels, dotted."""
    return curves(x, corrupted, "corrupted", "noisy eta", width=2.5, dash=(2, 3))


def vote_curves(x: np.ndarray, fractions: np.ndarray, label: str = "votes") -> list[Lines]:
    """Fractions (m, C) of the votes, solid."""
    return curves(x, fractions, "votes", label, width=1.5)


def strip(problem: Problem, labels: np.ndarray, name: str) -> Raster:
    """Class codes (r,) that another rule predicts at the cells of the problem's grid, as a strip
    along the top.
    """
    left, right, _, top = extent(problem)
    along_top = left, right, top - 0.6 * ROW_HEIGHT, top
    palette = style.palette(problem.n_classes)
    return Raster(name=name, codes=labels[None], palette=palette, extent=along_top)


def ball(x: float, radius: float, height: float = QUERY_HEIGHT, tip: float = 0.03) -> Lines:
    """The interval around x that reaches its k-th neighbor, with its two ends."""
    left = x - radius
    right = x + radius
    xs = [left, right, np.nan, left, left, np.nan, right, right]
    ys = height + np.array([0, 0, np.nan, -tip, tip, np.nan, -tip, tip])
    return Lines(name="ball", label="ball of k neighbors", keyed=False, x=xs, y=ys)


def query(problem: Problem, x: float) -> Annotations:
    return map_view.query(problem, (x, QUERY_HEIGHT))
