"""The Line: a problem on an interval, with eta, votes, decisions and points; and its risk as an
area.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.problems import Problem
from knnviz.views import map as map_view
from knnviz.views import marks, profile, style
from knnviz.views.layers import (
    Annotations,
    Axes,
    Band,
    Extent,
    Fill,
    Lines,
    Panel,
    Place,
    Raster,
    runs,
)

#: Height of a row of points, in units of the vertical axis.
ROW_HEIGHT = 0.078

#: How far the rows of two classes are from 0 and 1, which have ticks as well.
ROW_GAP = 0.1

#: Ticks of the vertical axis besides those of the rows of points.
Y_TICKS = (0, 0.25, 0.5, 0.75, 1)

#: Heights at which the query point is drawn, and its ball: so far below that neither the cross nor
#: its name is over an end of the ball.
QUERY_HEIGHT = 0.5
BALL_HEIGHT = 0.3

#: Ends of margins of two classes with equal weights, with room for names; the lower one where no
#: margin is far below 0.
MARGIN_LIMITS = (-0.55, 0.6)
FEW_BELOW = -0.1

#: Upper end of advantages, if none is larger.
ADVANTAGE_TOP = 0.1

#: Height of the names of classes above curves.
NAME_HEIGHT = 1.105

#: CSS pixels of the tick that stands for a point: its width, and its usual height.
TICK_WIDTH = 1.4
TICK_HEIGHT = 12.0


def heights(n_classes: int) -> np.ndarray:
    """Heights (C,) of the points of each class: two classes below and above the curves, more in
    rows below them.
    """
    if n_classes == 2:
        return np.array([-ROW_GAP, 1 + ROW_GAP])
    return -ROW_HEIGHT * np.arange(1, n_classes + 1)


def extent(problem: Any) -> Extent:
    """The interval, with room for the points, as (left, right, bottom, top)."""
    left, right = problem.box[0]
    rows = heights(problem.n_classes)
    # Below the lowest row there is room for how many points are drawn.
    bottom = rows.min() - 2 * ROW_HEIGHT
    top = max(rows.max(), 1) + 0.8 * ROW_HEIGHT
    return left, right, float(bottom), float(top)


def axes(problem: Problem) -> Axes:
    """Axes over the problem's interval and the probabilities of its classes, whose rows have their
    names.
    """
    *_, bottom, top = extent(problem)
    ylabel = "fraction of class 1" if problem.n_classes == 2 else "fraction"
    labels = problem.feature_names[0], ylabel
    yticks = (*heights(problem.n_classes).tolist(), *Y_TICKS)
    ynames = (*problem.class_names, *[f"{tick:g}" for tick in Y_TICKS])
    return Axes("map", "Line", *labels, problem.box[0], (bottom, top), yticks=yticks, ynames=ynames)


def ticks(n_classes: int, height: float = TICK_HEIGHT) -> dict[str, Any]:
    """How points in rows are drawn: as ticks, whose density is seen."""
    radii = 0.5**0.5 * np.array([TICK_WIDTH / height, 1])
    markers = (style.polygon(4, np.pi / 4, radii),) * n_classes
    return {"markers": markers, "size": height, "halo": 0.0, "ring_gap": -height / 2}


def curves(
    x: np.ndarray,
    fractions: np.ndarray,
    name: str,
    label: str,
    part: float,
    align: str = "center",
    **line_style: Any,
) -> list[Lines]:
    """Fractions (m, C) over x (m,): for two classes that of class 1, for more a curve in the color
    of each. The label of the only one stands at a ``part`` of the way along it, and that of several
    below the picture, off the curves.
    """
    if fractions.shape[1] == 2:
        of_1 = fractions[:, 1]
        line = Lines(f"{name}1", x, of_1, label=label, **line_style)
        return [marks.named_along(line, part, align)]
    return profile.by_class(x, fractions, name, f"{label}, by class", **line_style)


def eta_curves(x: np.ndarray, eta: np.ndarray, label: str = "eta") -> list[Lines]:
    """eta (m, C), dashed."""
    return curves(x, eta, "eta", label, 1, width=2.5, dash=(7, 4))


def noisy_curves(x: np.ndarray, corrupted: np.ndarray) -> list[Lines]:
    """The regression function (m, 2) of noisy labels, dash-dotted: thresholds are dotted."""
    dash = (9, 3, 2, 3)
    return curves(x, corrupted, "corrupted", "noisy eta", 0.67, "below", width=2.5, dash=dash)


def vote_curves(x: np.ndarray, fractions: np.ndarray, label: str = "votes") -> list[Lines]:
    """Fractions (m, C) of the votes, solid."""
    return curves(x, fractions, "votes", label, 0, width=1.5)


def with_strip(panel: Panel, problem: Problem, labels: np.ndarray, name: str) -> Panel:
    """A line with a strip above all that it has, and the name of the rule that predicts these class
    codes (r,) there, at the cells of the problem's grid.
    """
    left, right = panel.axes.xlim
    bottom, top = panel.axes.ylim
    low = top + 0.3 * ROW_HEIGHT
    high = low + ROW_HEIGHT
    palette = style.palette(problem.n_classes)
    strip = Raster(f"strip of {name}", labels[None], (left, right, low, high), palette=palette)
    yticks = (*panel.axes.yticks, (low + high) / 2)
    ynames = (*panel.axes.ynames, name)
    axes = replace(panel.axes, ylim=(bottom, high), yticks=yticks, ynames=ynames)
    says = f"{panel.says} A strip above has the predictions of {name}."
    return replace(panel, axes=axes, layers=(*panel.layers, strip), says=says)


def region_names(problem: Problem, labels: np.ndarray) -> list[Annotations]:
    """The name of each class above the widest stretch of cells (m,) at which it is predicted, and
    above those at least half as wide; none above a sliver.
    """
    ((low, high),) = problem.box
    names = []
    for c in np.unique(labels).tolist():
        starts, stops = runs((labels == c)[None])[:, 1:].T
        widths = stops - starts
        middles = low + (high - low) * (starts + stops) / 2 / len(labels)
        color = style.class_color(c)
        for i in np.flatnonzero(widths >= max(widths.max() / 2, len(labels) / 20)).tolist():
            place = Place(middles[i], NAME_HEIGHT, "middle")
            name = f"region{c}_{i}"
            names.append(marks.naming(name, place, problem.class_names[c], color))
    return names


def ball(x: float, radius: float) -> Lines:
    """The interval around x that reaches its k-th neighbor, with its two ends, and a stem from its
    middle up to x.
    """
    # The interval, its left end, its right end, and the stem.
    xs = x + radius * marks.segments([-1, -1, 1, 0], [1, -1, 1, 0])
    up = 0.03 * marks.segments([0, -1, -1, 0], [0, 1, 1, 0])
    ys = BALL_HEIGHT + up
    ys[-2] = QUERY_HEIGHT
    return Lines("ball", xs, ys, label="ball of k neighbors", at="in words")


def query(problem: Problem, x: float) -> Annotations:
    return replace(map_view.query(problem, (x, QUERY_HEIGHT)), pulls="x")


def risk_areas(
    problem: Problem, density: np.ndarray, eta: np.ndarray, decisions: np.ndarray
) -> Panel:
    """The risk at each cell as an area: that of the Bayes classifier below 1 - max eta (m, C), and,
    darker, what decisions (m,) add where they differ, both times the density (m,) unless points are
    uniform on a unit interval.
    """
    x = problem.grid(len(eta)).points[:, 0]
    least = density * (1 - eta.max(axis=1))
    highest = density * (1 - eta[np.arange(len(eta)), decisions])
    # Names stand where the area is highest, and above it all.
    top = least.argmax()
    below = Place(x[top], 0.4 * least[top], "middle")
    widest = (highest - least).argmax()
    above = Place(x[widest], highest[widest])
    label = "excess risk" if highest[widest] > least[widest] else None
    areas = [
        Band("bayes_area", x, 0, least, label="Bayes risk", at=below, opacity=0.16),
        Band("excess_area", x, least, highest, label=label, at=above, opacity=0.6),
    ]
    axes = Axes(
        "area",
        "The risk is an area",
        problem.feature_names[0],
        "risk at x" if np.allclose(density, 1) else "risk times density",
        problem.box[0],
        # The highest risk of any rule, and room for a name.
        (0, 1.2 * float((density * eta.max(axis=1)).max())),
    )
    return Panel(axes, areas)


def margins(problem: Problem, smallest: np.ndarray, margin: float, inside: np.ndarray) -> Panel:
    """The smallest margins (m,) of balls around the cells of a line of two classes, Delta, and
    hatched below it the cells that are ``inside`` the effective boundary (m,) bool.
    """
    ends = problem.box[0]
    low, high = MARGIN_LIMITS
    if smallest.min() > FEW_BELOW:
        low = FEW_BELOW
    x = problem.grid(len(smallest)).points[:, 0]
    curve = marks.curve("margins", "smallest margin", x, smallest)
    below = Fill("below", inside[None], (*ends, low, margin))
    level = marks.Level(margin, "Delta", "Delta", (3, 3))
    title = "Effective boundary: margin below Delta"
    names = problem.feature_names[0], "margin"
    axes = Axes("margins", title, *names, ends, (low, high), yticks=(-0.5, 0, 0.5))
    return Panel(axes, [below, marks.level_line(level, ends), marks.named_along(curve, 0)])


def advantages(problem: Problem, values: np.ndarray, top: float = ADVANTAGE_TOP) -> Panel:
    """The advantage (m,) of each cell of a line, on axes up to ``top`` unless one is larger."""
    ylim = (0, max(top, 1.15 * float(values.max())))
    title = "Advantage of every point"
    xlabel = problem.feature_names[0]
    axes = Axes("advantages", title, xlabel, "advantage", problem.box[0], ylim)
    x = problem.grid(len(values)).points[:, 0]
    return Panel(axes, [marks.curve("advantages", "advantages", x, values, at="in words")])
