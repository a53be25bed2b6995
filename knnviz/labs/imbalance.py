"""ImbalanceLab: classes whose priors follow Zipf's distribution, and weights that undo them in part
or in full.

The weight of a class is its prior to the power -a: a = 0 gives equal weights, and a = 1 undoes the
prior.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from knnviz import problems
from knnviz.labs.engine import (
    Choice,
    Float,
    Int,
    Lab,
    Memo,
    Panel,
    Preset,
    Range,
    Seed,
    Shown,
    Values,
)
from knnviz.labs.engine.layout import Cell, columns, rows
from knnviz.labs.parts.plane import LARGEST_K
from knnviz.neighbors import Windows
from knnviz.problems import Problem, Sample
from knnviz.profiles import WindowProfile
from knnviz.rules import Threshold, Weighted
from knnviz.views import marks, style
from knnviz.views.bars import bars
from knnviz.views.layers import Annotations, Axes, Layer, Lines, Points, Raster
from knnviz.views.vote_curve import by_class
from knnviz.weights import SCORES, WeightScorer

BAYES, KNN = RULES = ("Bayes rule", "kNN")

#: Exponents a of the weights prior^-a at which scores are computed.
A_VALUES = np.arange(101) / 100

#: The scores by their names in ``weights.SCORES``: labels, dashes and widths of their curves.
SCORE_STYLES = {
    "accuracy": ("accuracy", (2, 3), 2.5),
    "balanced_accuracy": ("balanced accuracy", (7, 4), 2.5),
    "f1_macro": ("macro F1", (), 3.5),
}

LABELS = [label for label, _, _ in SCORE_STYLES.values()]

#: Top of the line, with room for class numbers above the curves; ends of the strips of decisions,
#: the upper first.
TOP = 1.25
STRIPS = ((-0.27, -0.07), (-0.53, -0.33))

#: Room below the last strip, and for a row of points there.
MARGIN = 0.05
ROW = 0.13

#: Width of a digit in a strip and of the gap around a number, in CSS pixels; width of a strip
#: relative to the lab.
DIGIT = 10
GAP = 6
STRIP_WIDTH = 0.9

#: Font size of class numbers, and of the zeros over the bars; width of these bars.
NUMBER_SIZE = 14.0
BAR_WIDTH = 0.38

#: Fractions at which the axis of the bars, which has a square-root scale, has ticks.
TICKS = (0.0, 0.01, 0.1, 0.25, 0.5, 1.0)

#: Height of the handle of a relative to the panel; limits of the axis of scores are multiples of
#: ``STEP``.
HANDLE_HEIGHT = 0.06
STEP = 0.1

PRIOR_TIP = "The prior of class c is proportional to (c + 1)^-s"
SCALE_TIP = "Standard deviation of each class; what lies beyond the axis is cut off"

PARAMETERS = (
    "Classes",
    Int("classes", 8, 2, 12, "classes *C*", "Their centers are (c + 1/2) / C, from left to right"),
    Float("exponent", 2.0, 0, 3, "Zipf exponent *s*", PRIOR_TIP, step=0.1, digits=1),
    Float("scale", 0.2, 0.05, 0.4, "deviation *sigma*", SCALE_TIP),
    "Weights",
    Float(
        "a",
        0.0,
        0,
        1,
        "weights, exponent *a*",
        "q_c is proportional to prior_c^-a: 1 undoes the prior",
    ),
    "Rule",
    Choice("rule", RULES, "rule", "What is weighed: the true eta, or the fractions of k votes"),
    Int("n", 1000, 50, 8000, "sample size *n*", "Number of training points", step=50),
    Int("k", 50, 1, LARGEST_K, "neighbors *k*", "Number of neighbors that vote"),
    Seed("Another seed draws another sample"),
)


def ranges(values: Mapping[str, Any]) -> dict[str, Any]:
    """The Bayes rule reads no sample; k up to n."""
    if values["rule"] == BAYES:
        return dict.fromkeys(("n", "k", "seed"))
    return {"k": Range((1, min(LARGEST_K, values["n"])), "k is at most n")}


def new_sample(lab: Any) -> None:
    """The next seed; ValueError if the rule reads no sample."""
    if lab.rule == BAYES:
        raise ValueError(f"The {BAYES} reads no sample: choose {KNN} to draw one")
    lab.set(seed=lab.seed + 1)


#: Takes class weights (J, C); returns the probabilities (J, C) of predicting each class, and of
#: doing so correctly.
Count = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True, eq=False)
class Line:
    """Normal classes on a line: priors (C,), and probabilities (C,) after what lies beyond the ends
    is cut off.

    ``cells`` (m,) are centers of cells, ascending, ``joint`` (m, C) probabilities of cell and
    class. At x (r,), some of these, ``heights`` (r, C) are prior times density, relative to the
    maximum of class 0.
    """

    problem: Problem
    prior: np.ndarray
    fractions: np.ndarray
    cells: np.ndarray
    joint: np.ndarray
    x: np.ndarray
    heights: np.ndarray


def recipe(p: Values, memo: Memo) -> Shown:
    line = memo(
        on_line,
        p.classes,
        p.exponent,
        p.scale,
        p.resolution.integral_cells[0],
        p.resolution.map_cells[0],
    )
    voted: Any = None
    if p.rule == BAYES:
        count = memo(bayes_counts, line, p.scale)
    else:
        sample = memo(line.problem.sample, p.n, p.seed)
        votes = memo(WindowProfile.count, memo(Windows.from_points, sample.X), sample.y, p.classes)
        voted = (sample, votes, p.k)
        count = memo(knn_counts, line, votes, p.k)

    q = memo(weights, line.prior, (p.a,))
    each_q = memo(weights, line.prior, A_VALUES)
    predicted, at_a = memo(scored, count, q, line.fractions)
    over_a = memo(scored, count, each_q, line.fractions)[1]
    never = np.flatnonzero(predicted[0] == 0).tolist()
    numbers = dict(zip(LABELS, at_a[:, 0].tolist(), strict=True))
    numbers["never predicted"] = (
        f"class{'es' * (len(never) > 1)} {', '.join(map(str, never))}" if never else "none"
    )
    for label, curve in zip(LABELS, over_a, strict=True):
        numbers |= {
            f"best {label}": float(curve.max()),
            f"a of best {label}": float(A_VALUES[curve.argmax()]),
        }
    panels = {
        "line": lambda: memo(
            line_panel, memo, line, q, voted, p.display.width, p.display.max_points
        ),
        "fractions": lambda: memo(fraction_panel, memo, line.prior, predicted),
        "scores": lambda: memo(score_panel, memo, over_a, at_a, p.a),
    }
    return Shown(panels, numbers)


def on_line(n_classes: int, exponent: float, scale: float, n_cells: int, n_drawn: int) -> Line:
    fractions = problems.zipf(n_classes, exponent)
    problem = problems.gaussians(n_classes, fractions, scale)
    prior = np.array(fractions)
    cells = problem.grid(n_cells).points[:, 0]
    thin = n_cells // n_drawn
    joint = prior * np.exp(-(((cells[:, None] - centers(n_classes)) / scale) ** 2) / 2)
    joint /= joint.sum()
    drawn = slice(thin // 2, None, thin)
    heights = joint[drawn] / joint[drawn, 0].max()
    return Line(problem, prior, joint.sum(axis=0), cells, joint, cells[drawn], heights)


def centers(n_classes: int) -> np.ndarray:
    """Means (C,) of the classes."""
    return (np.arange(n_classes) + 0.5) / n_classes


def weights(prior: np.ndarray, exponents: Sequence[float]) -> np.ndarray:
    """Class weights (J, C) relative to those of class 0."""
    return (prior / prior[0]) ** -np.array(exponents)[:, None]


# What a rule predicts, and how it scores.


def bayes_counts(line: Line, scale: float) -> Count:
    """The ``Count`` of the Bayes classifier, from the interval on which it predicts each class.

    Classes have one standard deviation, and their centers ascend. So a class is predicted from the
    last point at which it ties with a class to its left up to the first at which it ties with one
    to its right.
    """
    classes = np.arange(len(line.prior))
    at = centers(len(line.prior))
    # Probabilities to the left of each end of a cell, of each class and of all.
    to_left = at[:, None] > at
    below = np.zeros((len(line.cells) + 1, len(at)))
    np.cumsum(line.joint, axis=0, out=below[1:])
    total = below.sum(axis=1)

    def count(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(q * line.prior)
            gaps = np.subtract.outer(at, at) / scale**2
            tied = (logs[:, None, :] - logs[:, :, None]) / gaps + np.add.outer(at, at) / 2
        first = np.fmax.reduce(np.where(to_left, tied, -np.inf), axis=2)
        last = np.fmin.reduce(np.where(to_left.T, tied, np.inf), axis=2)
        begins, ends = np.searchsorted(line.cells, [first, last])
        ends = np.maximum(begins, ends)
        return total[ends] - total[begins], below[ends, classes] - below[begins, classes]

    return count


def knn_counts(line: Line, votes: WindowProfile, k: int) -> Count:
    """The ``Count`` of kNN."""
    used, first = np.unique(votes.windows.starts(line.cells, k), return_index=True)
    # Of two classes class 1 wins a tie, as everywhere; ``WeightScorer`` gives it to the first
    # class.
    order = slice(None, None, -1 if len(line.prior) == 2 else 1)
    by_window = np.add.reduceat(line.joint, first)[:, order]
    fractions = votes.at(k)[used][:, order] / k
    masses = by_window.sum(axis=1)
    scorer = WeightScorer.from_fractions(fractions, by_window / masses[:, None], weights=masses)
    return lambda q: tuple(each[:, order] for each in scorer.counts(q[:, order]))  # type: ignore[return-value]


def scored(count: Count, q: np.ndarray, fractions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities (J, C) of predicting each class, and the scores (3, J)."""
    counted = count(q)
    return counted[0], np.array([SCORES[name](*counted, fractions) for name in SCORE_STYLES])


# Panels


def line_panel(
    memo: Memo, line: Line, q: np.ndarray, voted: Any, lab_width: float, most: int
) -> Panel:
    """The weighted classes above their predictions along the line; the sample, and votes for k, if
    there are any.
    """
    box = line.problem.box[0]
    width = STRIP_WIDTH * lab_width
    weighted = memo(np.multiply, line.heights, q)
    best = memo(np.argmax, weighted, axis=1)
    names = ["Bayes"]
    bottom = STRIPS[0][0] - MARGIN
    if not voted:
        layers = [*memo(strip, "decisions", box, STRIPS[0], best, q.size, width)]
        layers += memo(by_class, line.x, weighted, "true", None, width=2.5)
    else:
        names = ["kNN", "Bayes"]
        bottom = STRIPS[1][0] - MARGIN - ROW
        (sample, *votes) = voted
        layers = [
            *memo(
                strip,
                "decisions",
                box,
                STRIPS[0],
                memo(knn_decisions, line.x, q, *votes),
                q.size,
                width,
            )
        ]
        layers += [
            *memo(strip, "best", box, STRIPS[1], best, q.size, width),
            memo(points, sample, q.size, most),
        ]
        layers += memo(by_class, line.x, weighted, "true", "true", width=2.5, dash=(7, 4))
        layers += memo(
            by_class, line.x, memo(knn_heights, line, q, *votes), "voted", "by the votes", width=1.2
        )
    numbers = numerals("classes", centers(q.size), weighted.max(axis=0), range(q.size))
    middles = [sum(ends) / 2 for ends in STRIPS[: len(names)]]
    axes = Axes("line", "Weight × class frequency × density", "x", "", box, (bottom, TOP))
    axes = replace(axes, yticks=(*middles, 0.0, 0.5, 1.0), ynames=(*names, "0", "0.5", "1"))
    return Panel(axes, [*layers, numbers])


def knn_decisions(x: np.ndarray, q: np.ndarray, votes: WindowProfile, k: int) -> np.ndarray:
    """Classes (r,) that kNN predicts at x (r,)."""
    rule = Threshold.from_weights(q[0]) if q.size == 2 else Weighted(q[0])
    return rule.predict(votes, k)[votes.windows.starts(x, k)]


def knn_heights(line: Line, q: np.ndarray, votes: WindowProfile, k: int) -> np.ndarray:
    """Weighted fractions of the votes (r, C), times the density of all classes."""
    return (
        q
        * votes.at(k)[votes.windows.starts(line.x, k)]
        / k
        * line.heights.sum(axis=1, keepdims=True)
    )


def strip(
    name: str, box: Any, yspan: Any, labels: np.ndarray, n_classes: int, width: float
) -> list[Layer]:
    """Predictions (r,) on equal cells of the line, and the number of the class on each interval
    with room for it.

    The line is ``width`` CSS pixels wide.
    """
    ends = np.concatenate([[0], np.flatnonzero(np.diff(labels)) + 1, [len(labels)]]) / len(labels)
    texts = labels[np.flatnonzero(np.diff(labels, prepend=-1))].astype(str)
    wide = np.diff(ends) * width >= DIGIT * np.char.str_len(texts) + GAP
    x = box[0] + (box[1] - box[0]) * ((ends[1:] + ends[:-1]) / 2)[wide]
    y = sum(yspan) / 2
    codes = labels[None].astype(np.uint8)
    palette = style.palette(n_classes)
    raster = Raster(
        name=name, codes=codes, palette=palette, extent=(*box, *yspan), outline=style.PAPER
    )
    return [raster, numerals(f"{name}_numerals", x, y, texts[wide], halo=3.0, align="middle")]


def numerals(
    name: str, x: Any, y: Any, texts: Iterable[Any], align: str = "center", halo: float = 4.0
) -> Annotations:
    return Annotations(
        name=name, x=x, y=y, texts=tuple(map(str, texts)), size=NUMBER_SIZE, align=align, halo=halo
    )


def points(sample: Sample, n_classes: int, most: int) -> Points:
    """The first points of a sample in a row below both strips; those of rarer classes lie on
    top.
    """
    order = np.argsort(sample.y[:most], kind="stable")
    height = STRIPS[1][0] - (MARGIN + ROW) / 2
    return marks.of_classes("points", sample.X[order, 0], height, sample.y[order], n_classes)


def fraction_panel(memo: Memo, prior: np.ndarray, predicted: np.ndarray) -> Panel:
    """Prior and predicted fraction (1, C) of each class on a square-root scale, on which small ones
    are visible.

    A class that is never predicted has a zero.
    """
    n_classes = len(prior)
    at = BAR_WIDTH / 2
    (predicted,) = predicted
    never = np.flatnonzero(predicted == 0)
    xlim = (-0.6, n_classes - 0.4)
    axes = Axes(
        "fractions",
        "Prior and predicted fraction",
        "class",
        "fraction, root scale",
        xlim,
        (0, 1.02),
    )
    yticks = tuple(np.sqrt(TICKS).tolist())
    ynames = tuple(f"{fraction:g}" for fraction in TICKS)
    axes = replace(
        axes,
        legend_columns=3,
        xticks=tuple(map(float, range(n_classes))),
        yticks=yticks,
        ynames=ynames,
    )
    layers = [
        memo(bars, "prior", memo(np.sqrt, prior), -at, BAR_WIDTH, ("#BDBDBD",), "prior"),
        bars("predicted", np.sqrt(predicted), at, BAR_WIDTH, style.palette(n_classes), "predicted"),
        numerals("never", never + at, 0, "0" * len(never)),
    ]
    pairs = [f"{c}: {prior[c]:.4f} and {predicted[c]:.4f}" for c in range(n_classes)]
    return Panel(axes, layers, says=f"{axes.title} of class {'; '.join(pairs)}.")


def score_panel(memo: Memo, over_a: np.ndarray, at_a: np.ndarray, a: float) -> Panel:
    """Three scores over the exponent a, on which a handle stands."""
    # Limits that seldom change.
    low = max(round(float(np.floor(over_a.min() / STEP - 0.5) * STEP), 6), -0.05)
    high = min(round(float(np.ceil(over_a.max() / STEP + 0.1) * STEP), 6), 1.05)
    axes = Axes(
        "scores", "Scores over a", "a, for weights prior⁻ᵃ", "score", (-0.03, 1.03), (low, high)
    )
    y = low + HANDLE_HEIGHT * (high - low)
    align = "left" if a <= 0.5 else "right"
    layers = [
        *memo(score_curves, over_a),
        marks.dot(a, at_a[:, 0], "here", None, style.MUTED, 0, 10.0),
        Lines(name="at_a", x=a, y=(low, high), color=style.MUTED),
        marks.draggable(
            "exponent", a, y, "a", "exponent a", f"a = {a:.2f}", align, size=17, cross=18
        ),
    ]
    axes = replace(axes, xticks=(0.0, 0.25, 0.5, 0.75, 1.0))
    return Panel(axes, layers, lambda at: {"a": round(at.x, 2)})


def score_curves(over_a: np.ndarray) -> list[Layer]:
    """The scores (3, J), and the first maximum of each."""
    layers: list[Layer] = []
    for (name, (label, dash, width)), y in zip(SCORE_STYLES.items(), over_a, strict=True):
        layers += [Lines(name=name, label=label, x=A_VALUES, y=y, dash=dash, width=width)]
    at = A_VALUES[over_a.argmax(axis=1)]
    return [*layers, marks.dot(at, over_a.max(axis=1), "best", "best a of each", size=13.0)]


ZIPF = "normal clouds with Zipf's prior"


class ImbalanceLab(Lab):
    """Weighted classes on a line, their priors beside predicted fractions, and three scores over
    the weights.

    Source: Khim et al., section 6.

    Examples
    --------
    >>> from knnviz.labs import ImbalanceLab
    >>> found = ImbalanceLab(classes=8, exponent=2.0).readout()
    >>> found["accuracy"], found["balanced accuracy"], found["never predicted"]
    (0.669685, 0.265491, 'class 1')
    """

    title = "imbalance"
    table = PARAMETERS
    ranges = ranges
    recipe = recipe
    buttons = (("New sample", "Draw the points again with the next seed", new_sample),)
    layout = rows(
        Cell("line", height=220), columns(Cell("fractions", height=200), Cell("scores", height=200))
    )
    presets = (
        Preset("Equal weights", ZIPF, {}),
        Preset("Weights of a root", ZIPF, {"a": 0.5}),
        Preset("Reciprocal weights", ZIPF, {"a": 1.0}),
        Preset("Classes of one size", "normal clouds", {"exponent": 0.0}),
        Preset("A thousand points", ZIPF, {"rule": KNN, "a": 0.5}),
    )
