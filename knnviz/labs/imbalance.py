"""ImbalanceLab: classes whose priors follow Zipf's distribution, and weights that undo them in part or in full.

The weight of a class is its prior to the power -a: a = 0 gives equal weights, and a = 1 undoes the prior.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from knnviz import problems
from knnviz.labs.engine import Cell, Lab, Memo, Panel, Preset, Shown, Values, columns, rows
from knnviz.labs.engine.parameters import Choice, Float, Int, Range, Seed, within
from knnviz.labs.parts.bars import bars, ticks
from knnviz.labs.parts.plane import LARGEST_K
from knnviz.neighbors import Windows
from knnviz.problems import Problem, Sample
from knnviz.profiles import WindowProfile
from knnviz.rules import Threshold, Weighted
from knnviz.views import marks, style
from knnviz.views.layers import Annotations, Axes, Layer, Lines, Points, Raster
from knnviz.weights import SCORES, WeightScorer, greedy_search

BAYES, KNN = RULES = ("Bayes rule", "kNN")

#: Exponents a of the weights prior^-a at which scores are computed.
A_VALUES = np.arange(101) / 100

#: Top of the line, with room for class numbers above the curves; ends of the strips of decisions, the upper first.
TOP, STRIPS = 1.25, ((-0.27, -0.07), (-0.53, -0.33))

#: Room below the last strip, and for a row of points there.
MARGIN, ROW = 0.05, 0.13

#: Width of a digit in a strip and of the gap around a number, in CSS pixels; width of a strip relative to the lab.
DIGIT, GAP, STRIP_WIDTH = 10, 6, 0.9

#: Font size of class numbers, and of the zeros over the bars; widths of bars, and of ticks across them.
NUMBER_SIZE, BAR_WIDTH, TICK_WIDTH = 14.0, 0.38, 0.46

#: Fractions at which the axis of the bars, which has a square-root scale, has ticks.
TICKS = (0.0, 0.01, 0.1, 0.25, 0.5, 1.0)

#: Height of the handle of a relative to the panel; limits of the axis of scores are multiples of ``STEP``.
HANDLE_HEIGHT, STEP = 0.06, 0.1

#: The scores by their names in ``weights.SCORES``: labels, dashes and widths of their curves.
MACRO_F1 = "macro F1"
SCORE_STYLES = {
    "accuracy": ("accuracy", (2, 3), 2.5),
    "balanced_accuracy": ("balanced accuracy", (7, 4), 2.5),
    "f1_macro": (MACRO_F1, (), 3.5),
}
LABELS = [label for label, _, _ in SCORE_STYLES.values()]

#: Numbers that are pairs as text: a best score and its a; a count and its expectation.
SEEN, ALONE = "classes in the sample", "points alone of their class"
PAIRS = {f"best {label}": "{:.4f} at a = {:.2f}" for label in LABELS}
PAIRS |= dict.fromkeys((SEEN, ALONE), "{}, expected {:.4g}")

PRIOR_TIP = "The prior of class c is proportional to (c + 1)^-s"
CENTERS_TIP = "Their centers are (c + 1/2) / C, from left to right"
SCALE_TIP = "Standard deviation of each class; what lies beyond the axis is cut off"

PARAMETERS = (
    "Classes",
    Int("classes", 8, 2, 12, "classes *C*", CENTERS_TIP),
    Float("exponent", 2.0, 0, 3, "Zipf exponent *s*", PRIOR_TIP, step=0.1, digits=1),
    Float("scale", 0.2, 0.05, 0.4, "deviation *sigma*", SCALE_TIP),
    "Weights",
    Float("a", 0.0, 0, 1, "weights, exponent *a*", "q_c is proportional to prior_c^-a: 1 undoes the prior"),
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


#: Takes class weights (J, C); returns the probabilities (J, C) of predicting each class, and of doing so correctly.
Count = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True, eq=False)
class Line:
    """Normal classes on a line: priors (C,), and probabilities (C,) after what lies beyond the ends is cut off.

    ``cells`` (m,) are centers of cells, ascending, ``joint`` (m, C) probabilities of cell and class. At the ``drawn``
    ones, at x (r,), ``heights`` (r, C) are prior times density, relative to the maximum of class 0.
    """

    problem: Problem
    scale: float
    prior: np.ndarray
    fractions: np.ndarray
    cells: np.ndarray
    joint: np.ndarray
    drawn: slice
    x: np.ndarray
    heights: np.ndarray


class Voted(NamedTuple):
    """A sample, votes in its windows, k, and the window (m,) of the k nearest neighbors of each cell."""

    sample: Sample
    votes: WindowProfile
    k: int
    windows: np.ndarray


def recipe(p: Values, memo: Memo) -> Shown:
    line = memo(on_line, p.classes, p.exponent, p.scale, p.resolution.integral_cells[0], p.resolution.map_cells[0])
    q, voted, class_counts, of_sample = memo(weights, line.prior, p.a), None, None, {}
    if p.rule == BAYES:
        count = memo(partial, bayes_counts, line, memo(cumulative, line.joint))
    else:
        sample = memo(line.problem.sample, p.n, p.seed)
        votes = memo(WindowProfile.count, memo(Windows.from_points, sample.X), sample.y, p.classes)
        voted = Voted(sample, votes, p.k, memo(votes.windows.starts, line.cells, p.k))
        count = memo(knn_counts, line, voted)
        class_counts = memo(np.bincount, sample.y, minlength=p.classes)
        of_sample = memo(sample_numbers, class_counts, line.fractions)

    predicted, at_a = memo(scores_at, q, count, line.fractions)
    over_a, greedy = memo(scores_over_a, count, line), memo(greedy_scores, count, line)
    never = np.flatnonzero(predicted == 0).tolist()
    numbers = {
        **dict(zip(LABELS, at_a, strict=True)),
        "never predicted": f"class{'es' * (len(never) > 1)} {', '.join(map(str, never))}" if never else "none",
        **{f"best {label}": highest(curve) for label, curve in zip(LABELS, over_a, strict=True)},
        f"{MACRO_F1}, greedy from a = 0": greedy[0],
        f"{MACRO_F1}, greedy from a = 1": greedy[1],
        **of_sample,
    }
    panels = {
        "line": lambda: memo(line_panel, memo, line, q, voted, p.display.width, p.display.max_points),
        "fractions": lambda: memo(fraction_panel, memo, line.prior, predicted, class_counts),
        "scores": lambda: memo(score_panel, memo, over_a, greedy, at_a, p.a),
    }
    return Shown(panels, numbers)


def on_line(n_classes: int, exponent: float, scale: float, n_cells: int, n_drawn: int) -> Line:
    fractions = problems.zipf(n_classes, exponent)
    problem, prior = problems.gaussians(n_classes, fractions, scale), np.array(fractions)
    cells, thin = problem.grid(n_cells).points[:, 0], n_cells // n_drawn
    joint = prior * np.exp(-(((cells[:, None] - centers(n_classes)) / scale) ** 2) / 2)
    joint /= joint.sum()
    drawn = slice(thin // 2, None, thin)
    heights = joint[drawn] / joint[drawn, 0].max()
    return Line(problem, scale, prior, joint.sum(axis=0), cells, joint, drawn, cells[drawn], heights)


def centers(n_classes: int) -> np.ndarray:
    """Means (C,) of the classes."""
    return (np.arange(n_classes) + 0.5) / n_classes


def weights(prior: np.ndarray, a: float) -> np.ndarray:
    return prior**-a / (prior**-a).sum()


# What a rule predicts, and how it scores.


def cumulative(joint: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities to the left of each end of a cell, of all classes (m + 1,) and of each (m + 1, C)."""
    below = np.zeros((len(joint) + 1, joint.shape[1]))
    np.cumsum(joint, axis=0, out=below[1:])
    return below.sum(axis=1), below


def bayes_counts(line: Line, below: tuple[np.ndarray, np.ndarray], q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The ``Count`` of the Bayes classifier, from the interval on which it predicts each class.

    Classes have one standard deviation, and their centers ascend. So a class is predicted from the last point at which
    it ties with a class to its left up to the first at which it ties with one to its right.
    """
    at, (total, by_class) = centers(len(line.prior)), below
    with np.errstate(divide="ignore", invalid="ignore"):
        logs, gaps = np.log(q * line.prior), np.subtract.outer(at, at) / line.scale**2
        tied = (logs[:, None, :] - logs[:, :, None]) / gaps + np.add.outer(at, at) / 2
    to_left, classes = np.tri(len(at), k=-1, dtype=bool), np.arange(len(at))
    first = np.fmax.reduce(np.where(to_left, tied, -np.inf), axis=2)
    last = np.fmin.reduce(np.where(to_left.T, tied, np.inf), axis=2)
    begins, ends = np.searchsorted(line.cells, [first, last])
    ends = np.maximum(begins, ends)
    return total[ends] - total[begins], by_class[ends, classes] - by_class[begins, classes]


def knn_counts(line: Line, voted: Voted) -> Count:
    """The ``Count`` of kNN."""
    used, first = np.unique(voted.windows, return_index=True)
    # Of two classes class 1 wins a tie, as everywhere; ``WeightScorer`` gives it to the first class.
    order = slice(None, None, -1 if len(line.prior) == 2 else 1)
    by_window = np.add.reduceat(line.joint, first)[:, order]
    masses, fractions = by_window.sum(axis=1), voted.votes.at(voted.k)[used][:, order] / voted.k
    scorer = WeightScorer.from_fractions(fractions, by_window / masses[:, None], weights=masses)

    def count(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        predicted, right = scorer.counts(q[:, order])
        return predicted[:, order], right[:, order]

    return count


def scores(counted: tuple[np.ndarray, np.ndarray], fractions: np.ndarray) -> np.ndarray:
    """Each score (3, J)."""
    return np.array([SCORES[name](*counted, fractions) for name in SCORE_STYLES])


def scores_at(q: np.ndarray, count: Count, fractions: np.ndarray) -> tuple[np.ndarray, tuple[float, ...]]:
    """Probabilities (C,) of predicting each class, and each score."""
    counted = count(q[None])
    return counted[0][0], tuple(scores(counted, fractions)[:, 0].tolist())


def scores_over_a(count: Count, line: Line) -> np.ndarray:
    """Each score (3, J) at ``A_VALUES``."""
    return scores(count(line.prior ** -A_VALUES[:, None]), line.fractions)


def greedy_scores(count: Count, line: Line) -> tuple[float, float]:
    """Macro F1 that a greedy search reaches from equal weights, and from weights 1 / prior."""
    macro, starts = SCORES["f1_macro"], ([1.0] * len(line.prior), (1 / line.prior).tolist())
    equal, balanced = (greedy_search(lambda q: macro(*count(q), line.fractions), start).score for start in starts)
    return equal, balanced


def highest(curve: np.ndarray) -> tuple[float, float]:
    """The highest score over ``A_VALUES``, and the first a at which it is reached."""
    return float(curve.max()), float(A_VALUES[curve.argmax()])


def sample_numbers(class_counts: np.ndarray, fractions: np.ndarray) -> dict[str, tuple[int, float]]:
    """How many classes a sample has, and how many of them once, with the expected numbers."""
    n = int(class_counts.sum())
    return {
        SEEN: (int((class_counts > 0).sum()), problems.expected_seen(fractions, n)),
        ALONE: (int((class_counts == 1).sum()), problems.expected_singletons(fractions, n)),
    }


# Panels


def line_panel(memo: Memo, line: Line, q: np.ndarray, voted: Voted | None, lab_width: float, most: int) -> Panel:
    """The weighted classes above their predictions along the line, and the sample, if there is one."""
    box, n_classes, best = line.problem.box[0], len(q), memo(bayes_decisions, line, q)
    strips = [("Bayes", "decisions", best)]
    bottom, label, dash = STRIPS[0][0] - MARGIN, None, ()
    if voted:
        strips = [("kNN", "decisions", memo(knn_decisions, line, voted, q)), ("Bayes", "best", best)]
        bottom, label, dash = STRIPS[1][0] - MARGIN - ROW, "true", (7, 4)
    layers: list[Layer] = []
    for at, (_, name, decisions) in enumerate(strips):
        layers += memo(strip, at, name, box, decisions, n_classes, STRIP_WIDTH * lab_width)
    layers += [memo(points, voted.sample, n_classes, most)] if voted else []
    layers += memo(curves, line.x, line.heights, q, "true", label, dash, 2.5)
    layers += memo(curves, line.x, memo(knn_heights, line, voted), q, "voted", "by the votes", (), 1.2) if voted else []
    yticks = (*(sum(STRIPS[at]) / 2 for at in range(len(strips))), 0.0, 0.5, 1.0)
    ynames = (*(title for title, _, _ in strips), "0", "0.5", "1")
    axes = Axes("line", "Weight × prior × density, by class", "x", "", box, (bottom, TOP), yticks=yticks, ynames=ynames)
    return Panel(axes, [*layers, memo(class_numbers, line.heights, q)])


def bayes_decisions(line: Line, q: np.ndarray) -> np.ndarray:
    """Classes (r,) that the Bayes classifier predicts at the drawn cells."""
    return (q * line.heights).argmax(axis=1)


def knn_decisions(line: Line, voted: Voted, q: np.ndarray) -> np.ndarray:
    """Classes (r,) that kNN predicts at the drawn cells."""
    rule = Threshold.from_weights(q) if len(q) == 2 else Weighted(q)
    return rule.predict(voted.votes, voted.k)[voted.windows[line.drawn]]


def knn_heights(line: Line, voted: Voted) -> np.ndarray:
    """Fractions of the votes (r, C) at the drawn cells, times the density of all classes."""
    fractions = voted.votes.at(voted.k)[voted.windows[line.drawn]] / voted.k
    return fractions * line.heights.sum(axis=1)[:, None]


def strip(
    at: int, name: str, box: tuple[float, float], labels: np.ndarray, n_classes: int, width: float
) -> tuple[Raster, Annotations]:
    """Predictions (r,) on equal cells of the line, and the number of the class on each interval with room for it.

    The line is ``width`` CSS pixels wide; ``at`` counts strips from above.
    """
    ends = np.concatenate([[0], np.flatnonzero(np.diff(labels)) + 1, [len(labels)]])
    texts, lengths = labels[ends[:-1]].astype(str), np.diff(ends) / len(labels) * width
    wide = lengths >= DIGIT * np.char.str_len(texts) + GAP
    x, y = box[0] + (box[1] - box[0]) * ((ends[1:] + ends[:-1]) / 2 / len(labels))[wide], sum(STRIPS[at]) / 2
    shown, size = tuple(texts[wide].tolist()), NUMBER_SIZE
    numbers = Annotations(name=f"{name}_numerals", x=x, y=y, texts=shown, size=size, halo=3.0, align="middle")
    codes, palette, extent = labels[None].astype(np.uint8), style.palette(n_classes), (*box, *STRIPS[at])
    return Raster(name=name, codes=codes, palette=palette, extent=extent, outline=style.PAPER), numbers


def points(sample: Sample, n_classes: int, most: int) -> Points:
    """The first points of a sample in a row below both strips; those of rarer classes lie on top."""
    order = np.argsort(sample.y[:most], kind="stable")
    x, codes, y = sample.X[order, 0], sample.y[order].astype(np.uint8), STRIPS[1][0] - (MARGIN + ROW) / 2
    return Points(
        name="points", x=x, y=y, codes=codes, palette=style.palette(n_classes), markers=style.markers(n_classes)
    )


def curves(
    x: np.ndarray,
    heights: np.ndarray,
    q: np.ndarray,
    name: str,
    label: str | None,
    dash: tuple[float, ...],
    width: float,
) -> list[Lines]:
    """Heights (r, C) over x (r,) times weights (C,) relative to that of class 0; one curve has the label."""
    colors = style.palette(len(q))
    return [
        Lines(name=f"{name}{c}", label=None if c else label, x=x, y=y, color=colors[c], dash=dash, width=width)
        for c, y in enumerate((heights * q / q[0]).T)
    ]


def class_numbers(heights: np.ndarray, q: np.ndarray) -> Annotations:
    y, texts = heights.max(axis=0) * q / q[0], tuple(map(str, range(len(q))))
    return Annotations(name="classes", x=centers(len(q)), y=y, texts=texts, size=NUMBER_SIZE, align="center")


def fraction_panel(memo: Memo, prior: np.ndarray, predicted: np.ndarray, class_counts: np.ndarray | None) -> Panel:
    """Prior and predicted fraction of each class on a square-root scale, on which small ones are visible.

    A class that is never predicted has a zero. The fractions of a sample are ticks across the bars of the prior.
    """
    n_classes, never = len(prior), np.flatnonzero(predicted == 0)
    title, limits = "Prior and predicted fraction", ((-0.6, n_classes - 0.4), (0, 1.02))
    axes = Axes("fractions", title, "class", "fraction, root scale", *limits, legend_columns=3)
    yticks, ynames = tuple(np.sqrt(TICKS).tolist()), tuple(f"{fraction:g}" for fraction in TICKS)
    axes = replace(axes, xticks=tuple(map(float, range(n_classes))), yticks=yticks, ynames=ynames)
    layers = [
        memo(bars, "prior", memo(np.sqrt, prior), -BAR_WIDTH / 2, BAR_WIDTH, ("#BDBDBD",), "prior"),
        None if class_counts is None else memo(sample_ticks, class_counts),
        bars("predicted", np.sqrt(predicted), BAR_WIDTH / 2, BAR_WIDTH, style.palette(n_classes), "predicted"),
        Annotations(
            name="never", x=never + BAR_WIDTH / 2, y=0, texts=("0",) * len(never), size=NUMBER_SIZE, align="center"
        ),
    ]
    pairs = [f"{c}: {each[0]:.4f} and {each[1]:.4f}" for c, each in enumerate(zip(prior, predicted, strict=True))]
    return Panel(axes, layers, says=f"Prior and predicted fraction of class {'; '.join(pairs)}.")


def sample_ticks(class_counts: np.ndarray) -> Lines:
    heights = np.sqrt(class_counts / class_counts.sum())
    return ticks("sample", "in the sample", heights, -BAR_WIDTH / 2, TICK_WIDTH)


def score_panel(
    memo: Memo, over_a: np.ndarray, greedy: tuple[float, float], at_a: tuple[float, ...], a: float
) -> Panel:
    """Three scores over the exponent a, on which a handle stands."""
    low, high = ylim = memo(score_limits, over_a, greedy)
    title, xticks = "Scores over a", (0.0, 0.25, 0.5, 0.75, 1.0)
    axes = Axes("scores", title, "a, for weights prior⁻ᵃ", "score", (-0.03, 1.03), ylim, xticks=xticks)
    y, align = low + HANDLE_HEIGHT * (high - low), "left" if a <= 0.5 else "right"
    layers = [
        *memo(score_layers, over_a, greedy),
        marks.dot(a, at_a, "here", None, style.MUTED, 0, 10.0),
        Lines(name="at_a", x=a, y=ylim, color=style.MUTED),
        marks.draggable("exponent", a, y, "a", "exponent a", f"a = {a:.2f}", align, size=17, cross=18),
    ]
    return Panel(axes, layers, lambda at: {"a": within(round(at.x, 2), (0.0, 1.0))})


def score_limits(over_a: np.ndarray, greedy: tuple[float, float]) -> tuple[float, float]:
    """Limits of an axis that holds all scores, rounded to ``STEP``, so that they seldom change."""
    low = np.floor(min(over_a.min(), *greedy) / STEP - 0.5) * STEP
    high = np.ceil(max(over_a.max(), *greedy) / STEP + 0.1) * STEP
    return max(round(float(low), 6), -0.05), min(round(float(high), 6), 1.05)


def score_layers(over_a: np.ndarray, greedy: tuple[float, float]) -> list[Layer]:
    """The scores, the first maximum of each, and what a greedy search gains from either end of macro F1."""
    styles = zip(SCORE_STYLES.items(), over_a, strict=True)
    drawn = [
        Lines(name=name, label=label, x=A_VALUES, y=y, dash=dash, width=width)
        for (name, (label, dash, width)), y in styles
    ]
    first, last = over_a[-1, [0, -1]]
    x, y = (0, 0, np.nan, 1, 1, np.nan), (first, greedy[0], np.nan, last, greedy[1], np.nan)
    return [
        *drawn,
        marks.dot(A_VALUES[over_a.argmax(axis=1)], over_a.max(axis=1), "best", "best a of each", size=13.0),
        Lines(name="climbs", x=x, y=y, width=3.0),
        marks.dot((0, 1), greedy, "found", "greedy, macro F1", marker=2, size=13.0),
    ]


ZIPF = "normal clouds with Zipf's prior"


class ImbalanceLab(Lab):
    """Weighted classes on a line, their priors beside predicted fractions, and three scores over the weights.

    Source: Khim et al., section 6.

    Examples
    --------
    >>> from knnviz.labs import ImbalanceLab
    >>> found = ImbalanceLab(classes=8, exponent=2.0).readout()
    >>> found["accuracy"], found["balanced accuracy"], found["never predicted"]
    (0.669685, 0.265491, 'class 1')
    """

    title = "imbalance"
    table, ranges, recipe = PARAMETERS, ranges, recipe
    buttons = (("New sample", "Draw the points again with the next seed", new_sample),)
    layout = rows(Cell("line", height=220), columns(("fractions", 0.46), ("scores", 0.46)))
    presets = (
        Preset("Equal weights", ZIPF, {}),
        Preset("Weights of a root", ZIPF, {"a": 0.5}),
        Preset("Reciprocal weights", ZIPF, {"a": 1.0}),
        Preset("Classes of one size", "normal clouds", {"exponent": 0.0}),
        Preset("Twelve classes", ZIPF, {"classes": 12, "exponent": 1.0, "scale": 0.1}),
        Preset("A thousand points", ZIPF, {"rule": KNN, "a": 0.5}),
        Preset("A hundred points", ZIPF, {"rule": KNN, "n": 100, "k": 5, "classes": 12, "a": 1.0}),
    )

    def shown_numbers(self) -> dict[str, str]:
        """As in every lab, and the pairs."""
        pairs = {name: text.format(*self.numbers[name]) for name, text in PAIRS.items() if name in self.numbers}
        return super().shown_numbers() | pairs
