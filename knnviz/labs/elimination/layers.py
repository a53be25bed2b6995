"""Layers of EliminationLab: bags as pies; fractions, eliminations and stops as the ball around x grows; words."""

from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType

import numpy as np

from knnviz.neighbors import NeighborTable
from knnviz.problems import Dataset, Problem, Sample
from knnviz.rules import Trace
from knnviz.views import line as line_view
from knnviz.views import marks, style, vote_curve
from knnviz.views.layers import Annotations, Axes, Layer, Lines, Pies, Points

#: Dash and width of the line where each rule stops, by its label; all are visible where they coincide.
STOP_STYLES = {"10-NN": ((2, 4), 5.0), "A-kNN stops": ((9, 5), 3.0), "PL A-kNN stops": ((), 1.4)}

#: Height of the handle of k.
HANDLE_HEIGHT = 0.95

#: Values of the stopping k at which its shade on the map changes.
STOP_K_STEPS = (10, 25, 50, 100, 250)

#: Size of pies, larger size of those in the ball, and the largest k at which they have it.
PIE_SIZE, LARGE_PIE_SIZE, MAX_LARGE_PIES = 11.0, 15.0, 50


def axes(last_k: int) -> Axes:
    axes = vote_curve.axes(last_k, log=last_k >= 40)
    title, ylabel = "The ball around x", "fraction of the bags"
    return replace(axes, name="ball", title=title, ylabel=ylabel, legend_rows=len(STOP_STYLES))


def pies(problem: Problem | Dataset, X: np.ndarray, y: np.ndarray, bags: np.ndarray, name: str, size: float) -> Pies:
    """Bags (n, C) bool at points X (n, d), with a slice for each label; on a line in rows by true class y (n,)."""
    heights = X[:, 1] if problem.dimension == 2 else line_view.heights(problem.n_classes)[y]
    return Pies(name=name, x=X[:, 0], y=heights, bags=bags, palette=style.palette(problem.n_classes), size=size)


def first_pies(problem: Problem | Dataset, sample: Sample, bags: np.ndarray, max_pies: int) -> Pies:
    return pies(problem, sample.X[:max_pies], sample.y[:max_pies], bags[:max_pies], "bags", PIE_SIZE)


def nearest_pies(
    problem: Problem | Dataset, sample: Sample, bags: np.ndarray, table: NeighborTable, k: int, max_pies: int
) -> Pies:
    near = table.indices[0, : min(k, max_pies)]
    size = LARGE_PIE_SIZE if k <= MAX_LARGE_PIES else PIE_SIZE
    return pies(problem, sample.X[near], sample.y[near], bags[near], "voters", size)


def classes(problem: Problem | Dataset) -> Pies:
    """The classes in the legend, without any bags."""
    X, y, bags = np.empty((0, 2)), np.empty(0, int), np.empty((0, problem.n_classes), bool)
    return replace(pies(problem, X, y, bags, "classes", PIE_SIZE), labels=problem.class_names)


def query(view: ModuleType, problem: Problem | Dataset, x: np.ndarray, radius: float) -> tuple[Layer, Layer]:
    point = x if len(x) == 2 else x[0]
    return replace(view.ball(point, radius), label=None), view.query(problem, point)


def label_frequencies(x: np.ndarray, frequency: np.ndarray) -> list[Lines]:
    return line_view.curves(x, frequency, "in_bag", "P(in bag)", width=1.5)


def fractions(trace: Trace, k: int) -> list[Lines]:
    """The fraction of the bags up to k with each label: thick until it is eliminated, thin afterwards."""
    lines, ks = [], np.arange(1, k + 1)
    for c, eliminated_at in enumerate(trace.eliminated_at):
        y, color = trace.counts[:k, c] / ks, style.class_color(c)
        last = min(eliminated_at, k) if eliminated_at else k
        lines.append(Lines(name=f"alive{c}", x=ks[:last], y=y[:last], color=color, width=3.0))
        lines.append(Lines(name=f"eliminated{c}", x=ks[last - 1 :], y=y[last - 1 :], color=color, width=1.2))
    return lines


def fractions_at_k(trace: Trace, k: int) -> Points:
    n_classes = len(trace.eliminated_at)
    return Points(
        name="fractions_at_k",
        x=k,
        y=trace.counts[k - 1] / k,
        codes=np.arange(n_classes, dtype=np.uint8),
        palette=style.palette(n_classes),
        markers=style.markers(n_classes),
        size=9.0,
    )


def leader_less_band(trace: Trace, k: int) -> Lines:
    """The fraction at or below which PL A-kNN eliminates a label, up to k or to where it stops."""
    last = min(k, trace.stop_k)
    leader = np.where(trace.alive[:last], trace.counts[:last], 0).max(axis=1) / np.arange(1, last + 1)
    return _over_k("leader_less_band", "leader - Delta(k)", leader - trace.band[:last], (5, 3))


def adaptive_threshold(thresholds: np.ndarray, k: int) -> Lines:
    """The fraction at which A-kNN stops, up to k."""
    return _over_k("adaptive_threshold", "threshold of A-kNN", thresholds[:k], (1, 3))


def _over_k(name: str, label: str, fractions: np.ndarray, dash: tuple[float, ...]) -> Lines:
    """Fractions (J,) at k = 1 to J, those within the axes."""
    inside = (fractions > -0.03) & (fractions < 1.03)
    y = np.where(inside, fractions, np.nan)
    return Lines(name=name, label=label, x=np.arange(1, len(y) + 1), y=y, width=2, dash=dash)


def eliminations(trace: Trace, k: int) -> list[Annotations]:
    """A cross where each label has been eliminated by k."""
    crosses = []
    for c, eliminated_at in enumerate(trace.eliminated_at):
        by_now = 0 < eliminated_at <= k
        x = eliminated_at if by_now else np.nan
        y = trace.counts[eliminated_at - 1, c] / eliminated_at if by_now else np.nan
        crosses.append(Annotations(name=f"elimination{c}", x=x, y=y, texts=("",), color=style.class_color(c), cross=15))
    return crosses


def stops(stop_ks: Sequence[int | None], k: int) -> list[Lines]:
    """A vertical line where each rule stops, once k has reached it."""
    lines = []
    for stop_k, (name, (dash, width)) in zip(stop_ks, STOP_STYLES.items(), strict=True):
        x, y, label = ((), (), None) if stop_k is None or stop_k > k else (stop_k, (-0.03, 1.03), name)
        lines.append(Lines(name=name, label=label, x=x, y=y, width=width, dash=dash, color=style.MUTED))
    return lines


def at_k(k: int, last_k: int) -> tuple[Lines, Annotations]:
    align = "left" if 2 * k < last_k else "right"
    handle = marks.draggable("k", k, HANDLE_HEIGHT, "k", "neighbors k", f"k = {k}", align, cross=12)
    return Lines(name="at_k", x=k, y=(-0.03, HANDLE_HEIGHT), width=1.2), handle


def crosses(eliminated: Sequence[tuple[int, str]], n_classes: int) -> list[Annotations]:
    """A cross, in the color of its label, before the text of each eliminated label at the bottom of a panel."""
    crosses = []
    for row in range(n_classes):
        x, color = (0.0, style.class_color(eliminated[row][0])) if row < len(eliminated) else (np.nan, style.INK)
        y = n_classes - row - 0.5
        crosses.append(Annotations(name=f"cross{row}", x=x, y=y, texts=("",), color=color, cross=13))
    return crosses


#: Lemma C.5 gives it for the c1 of the proof alone.
PROMISED_IF = "promised if deviations stay within half the band"


def promise(k: float) -> str:
    """The k by which a label is eliminated under ``PROMISED_IF``, in words; no words if it is unknown."""
    if np.isnan(k):
        return ""
    return f", promised by {np.ceil(k - 1e-6):.0f}" if np.isfinite(k) else ", no promise"


def describe(trace: Trace, k: int, class_names: Sequence[str]) -> str:
    counts = ", ".join(f"{name} in {count}" for name, count in zip(class_names, trace.counts[k - 1], strict=True))
    eliminated = [
        f"{name} at {eliminated_at}"
        for name, eliminated_at in zip(class_names, trace.eliminated_at, strict=True)
        if 0 < eliminated_at <= k
    ]
    text = f"eliminated: {', '.join(eliminated)}" if eliminated else "none eliminated"
    return f"Of the {k} nearest bags {counts}; {text}."
