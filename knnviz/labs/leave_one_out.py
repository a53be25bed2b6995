"""LeaveOneOutLab: points of two classes over the votes of their neighbors, and how many votes are
enough.

No point votes on itself: its k nearest neighbors among all others do, by all columns of the table,
each in units of its standard deviation.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.preprocessing import StandardScaler

from knnviz.labs.engine import (
    ByName,
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
from knnviz.views import bars, marks, sets, style
from knnviz.views import dots as dot_view
from knnviz.views.bars import Part
from knnviz.views.layers import Annotations, Axes, Layer, Lines, Place

#: Data sets of two classes.
DATA_SETS = ("breast cancer", "digits 3 against 8")

#: Most neighbors, and most points: more dots would hide each other.
LARGEST_K = 50
MOST = 2000

#: CSS pixels beside the dots, about how high they stand, and a width with room for short names.
MARGIN = 130
HEIGHT = 300
NARROW = 700

#: For the names of piles there is room above and below the dots, as a part of their height.
NAME_ROOM = 0.14

#: The four piles and their colors, and scores with the piles that they count, mistakes last.
PILES = ("found", "missed", "false alarms", "no alarm")
COLORS = (*dot_view.PARTS, style.tint(style.class_color(0), 0.5))
ACCURACY = "accuracy"
RECALL = "recall"
PRECISION = "precision"
COST = "cost"
F1 = "F1"
SCORES = {
    ACCURACY: (0, 3, 1, 2),
    RECALL: (0, 1),
    PRECISION: (0, 2),
    COST: (1, 2),
    F1: (0, 1, 2),
}

NEEDED_TIP = "With this many votes for class 1, or more, kNN predicts it"
SCORE_TIP = "Dots that this score leaves out are faded"
PRICE_TIP = "How many false alarms a missed point of class 1 costs"

PARAMETERS = (
    "Data",
    Choice("problem", DATA_SETS, "*problem*", "Where the points come from"),
    "Rule",
    Int("k", 25, 1, LARGEST_K, "neighbors *k*", "Number of neighbors that vote"),
    Int("needed", 13, 1, LARGEST_K, "votes needed", NEEDED_TIP),
    Choice("score", SCORES, "look at", SCORE_TIP, draws=("score",)),
    Int("price", 4, 1, 20, "cost of a miss", PRICE_TIP),
)


def ranges(values: ByName) -> dict[str, Any]:
    """k among all others, votes among k."""
    n = len(table_of(values["problem"]).y)
    most = min(LARGEST_K, n - 1)
    return {
        "k": Range((1, most), f"{n - 1} other points can vote"),
        "needed": Range((1, min(values["k"], most)), "there are k votes"),
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
    piles = memo(piles_of, votes, truth, p.needed)
    names = table.class_names

    found, missed, false, right = counts = tuple(np.bincount(piles, minlength=4).tolist())
    numbers = {
        "threshold t": p.needed / p.k,
        f"{names[1]} found": Count(found, found + missed),
        "false alarms": Count(false, false + right),
        ACCURACY: (found + right) / n,
        RECALL: found / (found + missed),
        PRECISION: found / max(found + false, 1),
        F1: found / (found + missed / 2 + false / 2),
        COST: p.price * missed + false,
    }
    if not found + false:
        numbers["note"] = "without an alarm precision is 0 / 0, and set to 0"

    rule = (p.k, p.needed)
    places = memo(dot_view.stacked, votes, truth)
    # Where a figure is magnified, controls may stand beside it.
    width = (p.display.width - MARGIN) / p.display.factor
    shown = p.score if "score" in p.panels else ACCURACY
    panels = {
        "piles": lambda: memo(pile_panel, places, piles, truth, names, rule, counts, shown, width),
        "score": lambda: memo(score_panel, p.score, counts, p.price),
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


def piles_of(votes: np.ndarray, truth: np.ndarray, needed: int) -> np.ndarray:
    """Piles (n,) of the points, by their places in ``PILES``."""
    return 2 * (truth == 0) + (votes < needed)


# Panels


def pile_panel(
    places: np.ndarray,
    piles: np.ndarray,
    truth: np.ndarray,
    names: tuple[str, ...],
    rule: tuple[int, int],
    counts: tuple[int, ...],
    score: str,
    width: float,
) -> Panel:
    """Dots over their votes, faded in piles that the score leaves out, and a threshold that is
    pulled.
    """
    k, needed = rule
    left, low = places.min(axis=0).tolist()
    _, high = places.max(axis=0).tolist()
    xlim = (left - 1.5, k + 3)
    low = min(low, -1)
    high = max(high, 1)
    room = NAME_ROOM * (high - low)
    ylim = (low - room, high + room)
    found, missed, false, right = counts
    named_piles = [
        f"missed {missed} (FN)",
        f"found {found} (TP)",
        f"no alarm {right} (TN)",
        f"false alarms {false} (FP)",
    ]
    if width < NARROW:
        named_piles = [name.partition(" (")[0] for name in named_piles]
    sides = dot_view.piles(needed - 0.5, xlim, ylim, named_piles)
    gap = np.diff(np.unique(places[:, 0])).min(initial=1)
    pitch = min(gap * width / (xlim[1] - xlim[0]), HEIGHT / (ylim[1] - ylim[0]))
    axis = Lines("axis", xlim, 0, color=style.MUTED, width=1)
    counted = np.isin(piles, SCORES[score])
    faded = dot_view.dots(places[~counted], truth[~counted], pitch)
    dots = dot_view.dots(places[counted], truth[counted], pitch)

    step = max(1, k // 5)
    some = sorted({1, *range(step, k + 1, step)})
    title = f"{len(places)} points over their votes"
    xlabel = f"votes for {names[1]}, out of {k}"
    axes = Axes(
        "piles",
        title,
        xlabel,
        "",
        xlim,
        ylim,
        xticks=(left / 2, *map(float, some)),
        xnames=("none", *map(str, some)),
        yticks=(high / 2, low / 2),
        ynames=names[::-1],
    )
    faded = replace(faded, name="faded", opacity=sets.FADED)
    layers = [*sides, axis, faded, dots, *threshold(rule, ylim, high)]
    return Panel(axes, layers, lambda at: needed_at(at, k), f"{', '.join(named_piles)}.")


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


def score_panel(score: str, counts: tuple[int, ...], price: int) -> Panel:
    """The piles that a score counts, end to end: it is the part that is right, or the length."""
    lengths = np.array(counts, float)
    names = list(PILES)
    if score == COST:
        lengths[1] *= price
        names[1] = f"{price} × {names[1]}"
    if score == F1:
        lengths[1:] /= 2
        names[1:3] = "half of missed", "half of false alarms"
    piles = list(SCORES[score])
    parts = [Part(lengths[i], COLORS[i], f"{names[i]}: {lengths[i]:g}") for i in piles]
    whole = lengths[piles].sum()
    right = lengths[[i for i in piles if i not in (1, 2)]].sum()
    title = f"{score} = {whole:g}" if score == COST else f"{score} = {right:g} / {whole:g}"
    # The longest length that matters, so that the axis stays; for the whole data room for names.
    positives = sum(counts[:2])
    longest = {ACCURACY: 1.3 * whole, COST: price * positives}.get(score, 2 * positives)
    xlim = (0, max(longest, 1.05 * whole))
    axes = Axes("score", title, "", "", xlim, (-1.14, 1.14), bare=True)
    spoken = ", ".join(part.text for part in parts)
    return Panel(axes, bars.lengths("part", [parts]), says=f"{spoken}.")


def calibration_panel(
    votes: np.ndarray, truth: np.ndarray, name: str, rule: tuple[int, int]
) -> Panel:
    """The fraction of class 1 among all points with the same votes, a dot with the number of these
    points, and the line of calibrated votes.
    """
    k = rule[0]
    x, counts = np.unique(votes, return_counts=True)
    fractions = np.bincount(votes, truth)[x] / counts
    at = Place(0.8 * k, 0.74, "left")
    line = marks.curve("calibrated", "calibrated", (0, k), (0, 1), style.MUTED, (3, 3), at=at)
    label = f"fraction {name}"
    dots = marks.dot(x, fractions, "points", label, marker=0, size=9, at="in words")
    texts = tuple(map(str, counts))
    numbers = Annotations("counts", x, fractions, texts, size=style.NAME_SIZE, align="center")
    ylim = (-0.12, 1.12)
    title = f"Fraction {name} over votes"
    labels = f"votes for {name}, out of {k}", label
    axes = Axes("calibration", title, *labels, (-1, k + 1), ylim, yticks=(0, 0.5, 1))
    layers = [line, *threshold(rule, ylim, 0.25), dots, numbers]
    return Panel(axes, layers, lambda where: needed_at(where, k))


class LeaveOneOutLab(Lab):
    """Points over the votes of their neighbors, and scores as parts of a length.

    Examples
    --------
    >>> from knnviz.labs import LeaveOneOutLab
    >>> found = LeaveOneOutLab(k=9, needed=3).readout()
    >>> found["recall"], found["precision"]
    (0.910377, 0.80083)
    """

    title = "How many votes are enough"
    table = PARAMETERS
    ranges = ranges
    recipe = recipe
    own_data = sources.OWN
    # One below the other, however few there are.
    layout = columns(rows(("piles", 0, HEIGHT), ("score", 0, 72), ("calibration", 0, HEIGHT)))
    presets = (
        Preset("Most of nine", "breast cancer", {"k": 9, "needed": 5}),
        Preset("One of nine", "breast cancer", {"k": 9, "needed": 1}),
    )
