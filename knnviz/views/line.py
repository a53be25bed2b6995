"""The Line: eta, the vote and their sets over an interval."""

import numpy as np

from knnviz.problems import Problem, Sample
from knnviz.views import style
from knnviz.views.layers import Annotations, Axes, Extent, Layer, Lines, Points, Raster, single

#: Points drawn at most, so that they can be told apart.
MOST_POINTS = 600

#: Room for a row of points, in units of the vertical axis.
ROW = 0.07

#: Ticks of the vertical axis: none where the rows of points are.
TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)

#: Where the query point stands.
MIDDLE = 0.5


def heights(n_classes: int) -> np.ndarray:
    """Where the points of each class stand (C,): two classes above and below the curves, more in rows below."""
    return np.array([-ROW, 1 + ROW]) if n_classes == 2 else -ROW * np.arange(1, n_classes + 1)


def extent(problem: Problem) -> Extent:
    """The interval, with room for the points, as (left, right, bottom, top)."""
    rows = heights(problem.n_classes)
    return *problem.box[0], float(rows.min() - 0.8 * ROW), float(max(rows.max(), 1) + 0.8 * ROW)


def axes(problem: Problem) -> Axes:
    """Axes over the problem's interval and the probabilities of its classes."""
    left, right, bottom, top = extent(problem)
    names = problem.feature_names[0], "probability"
    return Axes("map", "Line", *names, (left, right), (bottom, top), yticks=TICKS)


def regions(problem: Problem, labels: np.ndarray) -> Raster:
    """The class codes (r,) that a rule gave the cells of the problem's grid, as stripes behind the curves."""
    look = {"palette": style.region_palette(problem.n_classes), "extent": extent(problem), "outline": style.MUTED}
    return Raster(name="regions", codes=labels[None], **look)


def curves(x: np.ndarray, fractions: np.ndarray, name: str, label: str, **look: object) -> list[Lines]:
    """Fractions (m, C) over x (m,): of class 1 alone where there are two, else of every class in its colour."""
    across, heights = x.astype(np.float32), fractions.astype(np.float32).T.copy()
    if len(heights) == 2:
        return [Lines(name=f"{name}1", label=f"{label}, class 1", x=across, y=heights[1], **look)]
    # The points name the colours, so that one entry of the legend is enough.
    labels = [f"{label}, by class", *[None] * (len(heights) - 1)]
    return [
        Lines(name=f"{name}{c}", label=labels[c], x=across, y=height, color=style.class_color(c), **look)
        for c, height in enumerate(heights)
    ]


def eta_curves(x: np.ndarray, eta: np.ndarray, label: str = "eta") -> list[Lines]:
    """eta (m, C), dashed."""
    return curves(x, eta, "eta", label, width=2.5, dash=(7, 4))


def noisy_curves(x: np.ndarray, corrupted: np.ndarray) -> list[Lines]:
    """eta_corr (m, 2) of noisy labels, dotted."""
    return curves(x, corrupted, "corrupted", "noisy eta", width=2.5, dash=(2, 3))


def vote_curves(x: np.ndarray, fractions: np.ndarray, label: str = "votes") -> list[Lines]:
    """Fractions (m, C) of the votes, solid."""
    return curves(x, fractions, "votes", label, width=1.5)


def strip(problem: Problem, labels: np.ndarray, name: str) -> Raster:
    """Decisions (r,) of another rule on the cells of the problem's grid, as a strip along the top."""
    left, right, _, top = extent(problem)
    look = {"palette": style.palette(problem.n_classes), "extent": (left, right, top - 0.6 * ROW, top)}
    return Raster(name=name, codes=labels[None], **look)


def points(problem: Problem, sample: Sample, observed: np.ndarray | None = None, most: int = MOST_POINTS) -> Points:
    """The first points of a sample, ``most`` at most, in rows by observed class; a ring shows the true one."""
    shown = slice(0, most)
    observed = (sample.y if observed is None else observed)[shown]
    return Points(
        name="points",
        x=sample.X[shown, 0].astype(np.float32),
        y=heights(problem.n_classes)[observed].astype(np.float32),
        codes=observed.astype(np.uint8),
        ringed=observed != sample.y[shown],
        ring_codes=sample.y[shown].astype(np.uint8),
        ring_width=style.FLIPPED,
        palette=style.palette(problem.n_classes),
        markers=style.markers(problem.n_classes),
        labels=problem.class_names,
        ring_label="label flipped",
    )


def ball(x: float, radius: float) -> Lines:
    """The interval around x that reaches its k-th neighbor, with its two ends."""
    low, high, tip = x - radius, x + radius, 0.03
    across = np.array([low, high, np.nan, low, low, np.nan, high, high], np.float32)
    up = np.array([0, 0, np.nan, -tip, tip, np.nan, -tip, tip], np.float32) + np.float32(MIDDLE)
    return Lines(name="ball", label="ball of k neighbors", x=across, y=up)


def query(x: float) -> Annotations:
    """A cross at the query point."""
    look = {"texts": ("x",), "size": 17, "cross": 18, "handles": ("query point x",)}
    return Annotations(name="query", x=single(x), y=single(MIDDLE), **look)


def layers(
    problem: Problem,
    sample: Sample,
    labels: np.ndarray,
    fractions: np.ndarray,
    *,
    observed: np.ndarray | None = None,
    sets: tuple[Layer, ...] = (),
    x: float | None = None,
) -> list[Layer]:
    """All of the line, lowest first: regions, sets, points, eta, the vote, query point.

    ``labels`` (r,) and ``fractions`` (r, C) belong to the cells of ``problem.grid(r)``.
    """
    across = problem.grid(len(labels)).points[:, 0]
    drawn = [*eta_curves(across, problem.eta(across[:, None])), *vote_curves(across, fractions)]
    stack = [regions(problem, labels), *sets, points(problem, sample, observed), *drawn]
    return stack if x is None else [*stack, query(x)]
