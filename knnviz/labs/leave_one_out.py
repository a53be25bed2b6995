"""LeaveOneOutLab: points of two classes over the votes of all others, and how many votes are
enough.

Each point is left out of its own vote: its k nearest neighbors among all others vote, by all
columns of the table, each in units of its standard deviation.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.preprocessing import StandardScaler

from knnviz.labs.engine import (
    Choice,
    Click,
    Count,
    Int,
    Lab,
    Memo,
    Panel,
    Preset,
    Range,
    Shown,
    Values,
    columns,
    rows,
    within,
)
from knnviz.labs.parts import sources
from knnviz.labs.parts.over_threshold import COLOR
from knnviz.labs.parts.sources import named
from knnviz.neighbors import NeighborTable
from knnviz.problems import Dataset
from knnviz.problems.data import LabeledTable
from knnviz.views import bars, marks, style
from knnviz.views import dots as dot_view
from knnviz.views.bars import Part
from knnviz.views.layers import Annotations, Axes, Layer, Lines, Place
from knnviz.weights import Thresholds

#: Data sets of two classes.
DATA_SETS = ("breast cancer", "digits 3 against 8")

#: Most neighbors, and most points: more dots would hide each other.
LARGEST_K = 50
MOST = 2000

#: CSS pixels beside the dots, and about how high they stand.
MARGIN = 130
HEIGHT = 300

#: For the names of piles there is room above and below the dots, as a part of their height.
NAME_ROOM = 0.14

NEEDED_TIP = "Class 1 is predicted with at least this many votes for it"
POINT_TIP = "Whose neighbors are shown: click a dot"

PARAMETERS = (
    "Data",
    Choice("problem", DATA_SETS, "*problem*", "Where the points come from"),
    "Rule",
    Int("k", 25, 1, LARGEST_K, "neighbors *k*", "Number of neighbors that vote"),
    Int("needed", 13, 1, LARGEST_K, "votes needed", NEEDED_TIP),
    Int("point", 0, 0, MOST - 1, "point *x*", POINT_TIP),
)


def ranges(values: Mapping[str, Any]) -> dict[str, Any]:
    """k among all others, votes among k, x among the points."""
    n = len(table_of(values["problem"]).y)
    most = min(LARGEST_K, n - 1)
    return {
        "k": Range((1, most), f"{n - 1} other points can vote"),
        "needed": Range((1, min(values["k"], most)), "there are k votes"),
        "point": Range((0, n - 1), f"there are {n} points"),
    }


def table_of(problem: str) -> LabeledTable:
    """All columns of a data set; ValueError for other than two classes, and for too many rows."""
    source = named(problem)
    if not isinstance(source, Dataset) or source.n_classes != 2 or len(source.table.y) > MOST:
        needed = f"a data set of two classes and at most {MOST} rows"
        raise ValueError(f"each point is left out of {needed}, but {source.name} is none")
    return source.table


def recipe(p: Values, memo: Memo) -> Shown:
    table = table_of(p.problem)
    truth = table.y
    n = len(truth)
    voters = memo(neighbors, table.X, min(LARGEST_K, n - 1))
    votes = memo(votes_of, voters, truth, p.k)
    counted = memo(Thresholds.from_votes, truth, votes, p.k)
    t = p.needed / p.k
    entries = memo(counted.at, t)
    names = table.class_names

    parts = n * np.array([entries.tp, entries.fn, entries.fp, entries.tn])
    found, missed, false, right = counts = tuple(parts.round().astype(int).tolist())
    numbers = {
        "threshold t": t,
        f"{names[1]} found": Count(found, found + missed),
        "false alarms": Count(false, false + right),
        "accuracy": (found + right) / n,
        "recall": float(entries.recall),
        "precision": float(entries.precision),
        "F1": float(entries.f1),
        "votes at x": Count(int(votes[p.point]), p.k),
    }
    if not found + false:
        numbers["note"] = "class 1 is never predicted: precision 0 / 0 is taken as 0"

    rule = (p.k, p.needed)
    places = memo(dot_view.stacked, votes, truth)
    # Where a figure is magnified, controls may stand beside it.
    width = (p.display.width - MARGIN) / p.display.factor
    # The ring says whose voters stand below.
    ringed = p.point if "voters" in p.panels else None
    panels = {
        "piles": lambda: memo(pile_panel, memo, places, truth, names, rule, counts, ringed, width),
        "voters": lambda: memo(voter_panel, voters, truth, names[1], p.k, p.point),
        "f1": lambda: memo(f1_panel, *counts[:3]),
        "calibration": lambda: memo(calibration_panel, votes, truth, names[1], rule),
    }
    return Shown(panels, numbers)


def neighbors(X: np.ndarray, k_max: int) -> np.ndarray:
    """The nearest others (n, k_max) of each point, nearest first."""
    scaled = StandardScaler().fit_transform(X)
    return NeighborTable.build(scaled, None, k_max=k_max, exclude_self=True).indices


def votes_of(voters: np.ndarray, truth: np.ndarray, k: int) -> np.ndarray:
    """Votes (n,) for class 1."""
    return truth[voters[:, :k]].sum(axis=1, dtype=int)


# Panels


def pile_panel(
    memo: Memo,
    places: np.ndarray,
    truth: np.ndarray,
    names: tuple[str, ...],
    rule: tuple[int, int],
    counts: tuple[int, ...],
    point: int | None,
    width: float,
) -> Panel:
    """Dots over their votes, one of them ringed, and a threshold that is pulled; a click on a dot
    chooses it, and one beside them all moves the threshold.
    """
    k, needed = rule
    left, low = places.min(axis=0).tolist()
    _, high = places.max(axis=0).tolist()
    xlim = (left - 1.5, k + 1.5)
    low = min(low, -1)
    high = max(high, 1)
    room = NAME_ROOM * (high - low)
    ylim = (low - room, high + room)
    found, missed, false, right = counts
    named_piles = (
        f"missed {missed} (FN)",
        f"found {found} (TP)",
        f"no alarm {right} (TN)",
        f"false alarms {false} (FP)",
    )
    sides = dot_view.piles(needed - 0.5, xlim, ylim, named_piles)
    gap = np.diff(np.unique(places[:, 0])).min(initial=1)
    pitch = min(gap * width / (xlim[1] - xlim[0]), HEIGHT / (ylim[1] - ylim[0]))
    dots = memo(dot_view.dots, places, truth, pitch)
    axis = Lines("axis", xlim, 0, color=style.MUTED, width=1)
    ring = None
    if point is not None:
        x, y = places[[point]].T
        ring = marks.of_classes("x", x, y, truth[[point]], size=dots.size + 2, ringed=True)

    def click(where: Click) -> dict[str, int]:
        steps = abs(places - [where.x, where.y]).max(axis=1)
        if where.mark or steps.min() > 1:
            return needed_at(where, k)
        return {"point": int(steps.argmin())}

    step = max(1, k // 5)
    some = sorted({1, *range(step, k + 1, step)})
    title = f"{len(places)} points over their votes"
    xlabel = f"votes for {names[1]}, out of {k}"
    ticks: Any = {
        "xticks": (left / 2, *map(float, some)),
        "xnames": ("none", *map(str, some)),
        "yticks": (high / 2, low / 2),
        "ynames": names[::-1],
    }
    axes = Axes("piles", title, xlabel, "", xlim, ylim, **ticks)
    layers = [*sides, axis, dots, ring, *threshold(rule, ylim, high)]
    return Panel(axes, layers, click, f"{', '.join(named_piles)}.")


def threshold(rule: tuple[int, int], ylim: tuple[float, float], height: float) -> list[Layer]:
    """The votes needed as a line with a grip at a height."""
    k, needed = rule
    at = needed - 0.5
    what = "votes needed"
    line = Lines("line", at, ylim, label=what, at="in words", color=COLOR)
    spoken = f"{needed} of {k} votes"
    grip = marks.draggable("threshold", at, height, "t", what, spoken, cross=18, color=COLOR)
    return [line, grip]


def needed_at(where: Click, k: int) -> dict[str, int]:
    """The votes needed if the line is pulled to a place."""
    return {"needed": int(within(round(where.x + 0.5), (1, k)))}


def voter_panel(voters: np.ndarray, truth: np.ndarray, name: str, k: int, point: int) -> Panel:
    """The neighbors of a point in a row."""
    classes = truth[voters[point, :k]]
    shown = np.append(truth[point], classes)
    places = np.append(-1.5, np.arange(k))
    size = min(15.0, 650 / k)
    row = marks.of_classes("voters", places, 0, shown, size=size, ringed=places < 0)
    title = f"Ringed: x. Its {k} neighbors, nearest first: {classes.sum()} are {name}"
    return Panel(Axes("voters", title, "", "", (-2.5, max(k, 25)), (-1, 1), bare=True), [row])


def f1_panel(found: int, missed: int, false: int) -> Panel:
    """Found, beside half of all mistakes."""
    lengths = (found, missed / 2, false / 2)
    labels = ("found", "half of missed", "half of false alarms")
    names = [f"{label}: {length:g}" for label, length in zip(labels, lengths, strict=True)]
    parts = list(map(Part, lengths, dot_view.PARTS, names))
    layers = bars.lengths("part", [parts])
    whole = sum(lengths)
    title = f"F1 = found / whole length = {found} / {whole:g}"
    most = max(2 * (found + missed), 1.05 * whole)
    axes = Axes("f1", title, "", "", (0, most), (-1.14, 1.14), bare=True)
    return Panel(axes, layers, says=f"{', '.join(names)}.")


def calibration_panel(
    votes: np.ndarray, truth: np.ndarray, name: str, rule: tuple[int, int]
) -> Panel:
    """The fraction of class 1 among all points with the same votes, a dot with the number of these
    points, and the line of calibrated votes.
    """
    k = rule[0]
    x, counts = np.unique(votes, return_counts=True)
    fractions = np.bincount(votes, truth)[x] / counts
    line = marks.curve("calibrated", "calibrated", (0, k), (0, 1), style.MUTED, (3, 3))
    calibrated = replace(line, at=Place(0.8 * k, 0.74, "left"))
    dots = marks.dot(x, fractions, "points", f"fraction {name}", marker=0, size=9)
    texts = tuple(map(str, counts))
    numbers = Annotations("counts", x, fractions, texts, size=style.NAME_SIZE, align="center")
    ylim = (-0.12, 1.12)
    title = f"Fraction {name} over votes"
    labels = f"votes for {name}, out of {k}", f"fraction {name}"
    axes = Axes("calibration", title, *labels, (-1, k + 1), ylim, yticks=(0, 0.5, 1))
    layers = [calibrated, *threshold(rule, ylim, 0.25), replace(dots, at="in words"), numbers]
    return Panel(axes, layers, lambda where: needed_at(where, k))


#: One below the other, however few there are.
LAYOUT = columns(
    rows(("piles", 0, HEIGHT), ("voters", 0, 34), ("f1", 0, 72), ("calibration", 0, HEIGHT))
)


class LeaveOneOutLab(Lab):
    """Points over the votes of their neighbors, the neighbors of one of them, and F1 as a part of a
    length.

    Examples
    --------
    >>> from knnviz.labs import LeaveOneOutLab
    >>> found = LeaveOneOutLab(k=9, needed=3).readout()
    >>> found["recall"], found["precision"]
    (0.910377, 0.80083)
    """

    title = "Votes of all others"
    table = PARAMETERS
    ranges = ranges
    recipe = recipe
    own_data = sources.OWN
    layout = LAYOUT
    presets = (
        Preset("Most of nine", "breast cancer", {"k": 9, "needed": 5}),
        Preset("One of nine", "breast cancer", {"k": 9, "needed": 1}),
    )
