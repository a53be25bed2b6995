"""Layers of EliminationLab: bags as pies; the walk of the ball around x; and what the rules predict there, in words."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.neighbors import NeighborTable
from knnviz.problems import Dataset, Problem, Sample
from knnviz.rules import Trace
from knnviz.views import line as line_view
from knnviz.views import style
from knnviz.views.layers import Annotations, Axes, Layer, Lines, Pies, Points

#: From how many neighbors on the axis is logarithmic.
LOG_FROM = 40

#: How each stop is drawn: its name, its dash and its width, so that all are seen where they coincide.
STOPS = {"10-NN": ((2, 4), 5.0), "A-kNN stops": ((9, 5), 3.0), "PL A-kNN stops": ((), 1.4)}

GRIP = 0.95

#: Where stopping k goes from one shade to the next.
STEPS = (10, 25, 50, 100, 250)

#: Sizes of pies, and of those in the ball while they are few.
PIE, IN_BALL, FEW = 11.0, 15.0, 50


def axes(most: int) -> Axes:
    log = most >= LOG_FROM
    limits = (0.9, 1.15 * most) if log else (0, most + 1)
    title, xlabel, ylabel = "The ball around x", "neighbors k", "fraction of the bags"
    return Axes("ball", title, xlabel, ylabel, limits, (-0.03, 1.03), log=log, legend_rows=len(STOPS))


def pies(problem: Problem | Dataset, X: np.ndarray, y: np.ndarray, bags: np.ndarray, name: str, size: float) -> Pies:
    """Bags (n, C) at their points X (n, d): on a line in rows by true class y (n,)."""
    heights = X[:, 1] if problem.dimension == 2 else line_view.heights(problem.n_classes)[y]
    return Pies(name=name, x=X[:, 0], y=heights, bags=bags, palette=style.palette(problem.n_classes), size=size)


def first_pies(problem: Problem | Dataset, sample: Sample, bags: np.ndarray, most: int) -> Pies:
    return pies(problem, sample.X[:most], sample.y[:most], bags[:most], "bags", PIE)


def nearest_pies(
    problem: Problem | Dataset, sample: Sample, bags: np.ndarray, table: NeighborTable, k: int, most: int
) -> Pies:
    near = table.indices[0, : min(k, most)]
    return pies(problem, sample.X[near], sample.y[near], bags[near], "voters", IN_BALL if k <= FEW else PIE)


def classes(problem: Problem | Dataset) -> Pies:
    """No bags: what the colors stand for, for the legend of a map."""
    none = pies(problem, np.empty((0, 2)), np.empty(0, int), np.empty((0, problem.n_classes), bool), "classes", PIE)
    return replace(none, labels=problem.class_names)


def query(view: Any, x: np.ndarray, radius: float) -> tuple[Layer, Layer]:
    at = x if len(x) == 2 else x[0]
    return replace(view.ball(at, radius), label=None), view.query(at)


def held(x: np.ndarray, frequency: np.ndarray) -> list[Lines]:
    return line_view.curves(x, frequency, "held", "P(in bag)", width=1.5)


def fractions(walk: Trace, k: int) -> list[Lines]:
    """The fraction of the bags up to k that hold each label: thick while it is alive, thin once it is eliminated."""
    lines, ks = [], np.arange(1, k + 1)
    for c, eliminated_at in enumerate(walk.eliminated_at):
        y, color = walk.counts[:k, c] / ks, style.class_color(c)
        last = min(eliminated_at, k) if eliminated_at else k
        lines.append(Lines(name=f"alive{c}", x=ks[:last], y=y[:last], color=color, width=3.0))
        lines.append(Lines(name=f"struck{c}", x=ks[last - 1 :], y=y[last - 1 :], color=color, width=1.2))
    return lines


def heads(walk: Trace, k: int) -> Points:
    n_classes = len(walk.eliminated_at)
    return Points(
        name="heads",
        x=k,
        y=walk.counts[k - 1] / k,
        codes=np.arange(n_classes, dtype=np.uint8),
        palette=style.palette(n_classes),
        markers=style.markers(n_classes),
        size=9.0,
    )


def asked(walk: Trace, k: int) -> Lines:
    """What a label needs to stay, up to k or to where the ball stops: the first one alive less the band."""
    last = min(k, walk.stop_k)
    ks = np.arange(1, last + 1)
    first = np.where(walk.alive[:last], walk.counts[:last], 0).max(axis=1) / ks
    return _line("asked", "leader - Delta(k)", ks, first - walk.band[:last], (5, 3))


def stands_out(required: np.ndarray, k: int) -> Lines:
    ks = np.arange(1, min(k, len(required)) + 1)
    return _line("stands_out", "threshold of A-kNN", ks, required[: len(ks)], (1, 3))


def _line(name: str, label: str, ks: np.ndarray, heights: np.ndarray, dash: tuple[float, ...]) -> Lines:
    inside = (heights > -0.03) & (heights < 1.03)
    return Lines(name=name, label=label, x=ks, y=np.where(inside, heights, np.nan), width=2, dash=dash)


def eliminations(walk: Trace, k: int) -> list[Annotations]:
    marks = []
    for c, eliminated_at in enumerate(walk.eliminated_at):
        by_now = 0 < eliminated_at <= k
        x = eliminated_at if by_now else np.nan
        y = walk.counts[eliminated_at - 1, c] / eliminated_at if by_now else np.nan
        marks.append(Annotations(name=f"fall{c}", x=x, y=y, texts=("",), color=style.class_color(c), cross=15))
    return marks


def stops(at: Sequence[int | None], k: int) -> list[Lines]:
    """Where each rule stops, as upright lines, once k is there."""
    lines = []
    for there, (name, (dash, width)) in zip(at, STOPS.items(), strict=True):
        x, y, label = ((), (), None) if there is None or there > k else (there, (-0.03, 1.03), name)
        lines.append(Lines(name=name, label=label, x=x, y=y, width=width, dash=dash, color=style.MUTED))
    return lines


def at_k(k: int, most: int) -> tuple[Lines, Annotations]:
    line, align = Lines(name="at_k", x=k, y=(-0.03, GRIP), width=1.2), "left" if 2 * k < most else "right"
    handles, spoken = ("neighbors k",), (f"k = {k}",)
    mark = Annotations(name="k", x=k, y=GRIP, texts=("k",), cross=12, handles=handles, spoken=spoken, align=align)
    return line, mark


def crosses(eliminated: Sequence[tuple[int, str]], n_classes: int) -> list[Annotations]:
    """A cross in its color before the line of each eliminated label, in the lowest lines of a panel."""
    marks = []
    for row in range(n_classes):
        there = row < len(eliminated)
        x, color = (0.0, style.class_color(eliminated[row][0])) if there else (np.nan, style.INK)
        marks.append(Annotations(name=f"gone{row}", x=x, y=n_classes - row - 0.5, texts=("",), color=color, cross=13))
    return marks


def promise(k: float) -> str:
    """The k by which a label is promised to be eliminated, in words; nothing where it is unknown."""
    if np.isnan(k):
        return ""
    return f", promised by {np.ceil(k - 1e-6):.0f}" if np.isfinite(k) else ", no promise"


def describe(walk: Trace, k: int, class_names: Sequence[str]) -> str:
    held = ", ".join(f"{name} in {count}" for name, count in zip(class_names, walk.counts[k - 1], strict=True))
    eliminated = [
        f"{name} at {eliminated_at}"
        for name, eliminated_at in zip(class_names, walk.eliminated_at, strict=True)
        if 0 < eliminated_at <= k
    ]
    text = f"eliminated: {', '.join(eliminated)}" if eliminated else "none eliminated"
    return f"Of the {k} nearest bags {held}; {text}."
