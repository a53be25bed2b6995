"""Two rounds of labels: where the first vote is contentious, where labels were bought, and who errs."""

from collections.abc import Mapping, Sequence

import numpy as np

from knnviz.problems import Dataset, Problem
from knnviz.views import marks, style
from knnviz.views.layers import Axes, Band, Fill, Layer, Lines, Marks, Place, Points, Raster, single

#: Rows under the Line, from the top down: three sets, four kinds of draws, and two learners.
ROWS = ("boundary", "H", "H+", "round one", "plain", "targeted", "rejected", "passive errs", "active errs")

#: How high a strip is, and how far from the middle of its row each class stands.
HIGH, APART = 0.36, 0.17

#: Colours of the sets, of labels by where they come from, and of the learners.
SETS = {"boundary": style.CLASS_COLORS[5], "H": style.CLASS_COLORS[3], "H+": style.CLASS_COLORS[4]}
KINDS = (style.MUTED, style.INK, style.CLASS_COLORS[2])
LEARNERS = {"passive": style.INK, "active": style.CLASS_COLORS[2]}

#: What each kind of label is called in a legend.
KIND_NAMES = ("round one", "plain", "targeted")

#: Colours of cells on which nobody errs, the passive learner, the active one, or both.
ERRORS = (style.PAPER, style.tint(style.INK, 0.55), style.CLASS_COLORS[2], style.CLASS_COLORS[1])
ERROR_NAMES = ("neither errs", "passive errs", "active errs", "both err")

#: Kinds of points drawn.
DRAWS = ("in round one", "plain", "targeted", "rejected")
DRAW_COLORS = (*KINDS[:2], "#006B4E", style.MUTED)


def line_axes(problem: Problem, place: Place) -> Axes:
    """Axes over the interval and the probabilities of class 1."""
    look = {"yticks": (0.0, 0.25, 0.5, 0.75, 1.0), "columns": 4}
    return Axes("line", "Line: the first round votes", "", "probability", problem.box[0], (-0.03, 1.03), place, **look)


def band(box: tuple[float, float], width: float | None) -> Band:
    """1/2 +- ``width``, in which a vote is contentious; empty for None."""
    x = np.array([] if width is None else box, np.float32)
    reach = min(width or 0.0, 1.0)
    lower, upper = (np.full(len(x), 0.5 + side * reach, np.float32) for side in (-1, 1))
    return Band(name="band", label="1/2 ± (2 Delta + Delta~)", x=x, lower=lower, upper=upper, color=SETS["H"])


def rows_axes(problem: Problem, place: Place, most: int) -> Axes:
    """Axes over the interval with a row for each set, each kind of draw (the last ``most``), and each learner."""
    count = len(ROWS)
    look = {"yticks": tuple(float(at) for at in range(count)), "ynames": ROWS[::-1], "columns": 4}
    title = f"Where labels are bought (the last {most} a row), and who errs"
    return Axes("rows", title, problem.feature_names[0], "", problem.box[0], (-0.6, count - 0.4), place, **look)


def row(name: str) -> int:
    """Where a row stands."""
    return len(ROWS) - 1 - ROWS.index(name)


def strip(problem: Problem, inside: np.ndarray, name: str, color: str, hatch: str = "/") -> Fill:
    """Cells (m,) bool of the interval, in the row of a name."""
    middle = row(name)
    extent = (*problem.box[0], middle - HIGH, middle + HIGH)
    return Fill(name=name, cells=inside[None], extent=extent, color=color, hatch=hatch, opacity=0.45)


def row_points(
    problem: Problem, X: np.ndarray, y: np.ndarray, name: str, last: int | None, most: int, named: bool = False
) -> Points:
    """The last ``most`` labeled points X (n, 1) of classes y (n,) in a row; the one at ``last`` wears a ring."""
    shown = slice(max(len(X) - most, 0), None)
    ringed = np.zeros(len(X), bool)
    if last is not None:
        ringed[last] = True
    up = row(name) + np.where(y[shown] == 1, APART, -APART)
    return Points(
        name=name,
        x=X[shown, 0].astype(np.float32),
        y=up.astype(np.float32),
        codes=y[shown].astype(np.uint8),
        ringed=ringed[shown],
        palette=style.palette(2),
        markers=style.markers(2),
        size=5.5,
        labels=problem.class_names if named else (),
        ring_label=None if last is None else "bought last",
    )


def rejected(X: np.ndarray, most: int) -> Points:
    """The last ``most`` draws X (n, 1) whose labels nobody bought."""
    x = X[max(len(X) - most, 0) :, 0].astype(np.float32)
    none = np.zeros(len(x), bool)
    look = {"palette": (style.tint(style.MUTED, 0.6),), "markers": style.MARKERS[:1], "size": 3.5}
    y = np.full(len(x), row("rejected"), np.float32)
    return Points(name="rejected", x=x, y=y, codes=none.astype(np.uint8), ringed=none, **look)


def reach(x: float, radius: float | None) -> Lines:
    """The ball around x that fattens H, in its row; empty for None."""
    tip, at = 0.3, row("H+")
    ends = [] if radius is None else [x - radius, x + radius]
    across = np.array([*ends, np.nan, *np.repeat(ends, 3)] if ends else [], np.float32)
    if ends:
        across[[5, 8]] = np.nan
    up = [at, at, np.nan, at - tip, at + tip, np.nan, at - tip, at + tip, np.nan] if ends else []
    return Lines(name="reach", x=across, y=np.array(up, np.float32), width=2.5)


def story_axes(place: Place) -> Axes:
    """A bare panel for a line of text."""
    return Axes("story", "", "", "", (0, 1), (0, 1), place, bare=True)


def caption(text: str, size: float) -> Marks:
    """What happened, as a line of text."""
    return Marks(name="caption", x=single(0.0), y=single(0.5), texts=(text,), size=size)


def map_points(X: np.ndarray, y: np.ndarray, stage: np.ndarray, last: int | None, most: int) -> Points:
    """Labeled points X (n, 2) by stage (colour) and class y (marker), ``most`` at most; that at ``last`` is ringed."""
    shown = np.concatenate([np.flatnonzero(stage == 0)[: most // 3], np.flatnonzero(stage)[-2 * most // 3 :]])
    ringed = np.zeros(len(X), bool)
    if last is not None:
        ringed[last] = True
    kinds = len(KINDS)
    return Points(
        name="points",
        x=X[shown, 0].astype(np.float32),
        y=X[shown, 1].astype(np.float32),
        codes=(stage[shown] + kinds * y[shown]).astype(np.uint8),
        ringed=ringed[shown],
        palette=KINDS * 2,
        markers=(style.MARKERS[0],) * kinds + (style.MARKERS[1],) * kinds,
        size=6.0,
        labels=KIND_NAMES,
        ring_label="bought last",
    )


def class_markers(problem: Problem | Dataset) -> Points:
    """No points: what the markers on a map stand for, for its legend."""
    none = np.empty(0, np.float32)
    look = {"palette": (style.MUTED,) * 2, "markers": style.markers(2), "size": 6.0, "labels": problem.class_names}
    return Points(name="classes", x=none, y=none, codes=none.astype(np.uint8), ringed=none.astype(bool), **look)


def errors_axes(problem: Problem | Dataset, place: Place, known: bool) -> Axes:
    """Axes of the map of who errs; for data, of where the learners differ."""
    title = "Who errs" if known else "Where both differ"
    return Axes("errors", title, *problem.feature_names, *problem.box, place)


def errors(problem: Problem | Dataset, passive: np.ndarray, active: np.ndarray, known: bool) -> Raster:
    """Cells (m,) on which the passive and the active learner err, bool; for data, on which they say class 1."""
    side = round(len(passive) ** 0.5)
    (left, right), (bottom, top) = problem.box
    if known:
        codes, palette, labels = passive + 2 * active, ERRORS, ERROR_NAMES
    else:
        codes, palette, labels = passive != active, ERRORS[::2], ("both agree", "they differ")
    look = {"palette": palette, "labels": labels, "outline": style.tint(style.MUTED, 0.5)}
    cells = np.asarray(codes, np.uint8).reshape(side, side)
    return Raster(name="errors", codes=cells, extent=(left, right, bottom, top), **look)


def draws(counts: Sequence[int], place: Place, size: float) -> tuple[Axes, tuple[Layer, ...]]:
    """How many points were drawn: of round one, plain, targeted and rejected ones, and how many for each label."""
    bought, rejected = counts[1] + counts[2], counts[3]
    lines = [(f"{count} {name}", color) for count, name, color in zip(counts, DRAWS, DRAW_COLORS, strict=True)]
    each = f"{(bought + rejected) / bought:.2f} draws a label" if bought else "no second round yet"
    return marks.told("draws", "Points drawn", [*lines, (each, style.INK)], place, size)


def flags(conditions: Mapping[str, bool | None], place: Place, size: float) -> tuple[Axes, tuple[Layer, ...]]:
    """Conditions, and whether they hold; None if that is open."""
    lines = [(f"{SIGNS[holds][0]} {text}", SIGNS[holds][1]) for text, holds in conditions.items()]
    return marks.told("flags", "What the theory asks", lines, place, size)


#: How a condition that holds, fails or does not apply is shown.
SIGNS = {True: ("✓", "#006B4E"), False: ("✗", "#A33600"), None: ("–", style.MUTED)}
