"""ImbalanceLab: classes whose priors follow Zipf's distribution, and weights that undo them in part
or in full.

The weight of a class is its prior to the power -a: a = 0 gives equal weights, and a = 1 undoes the
prior. The distribution is known, and the Bayes classifier has these weights.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from knnviz import problems
from knnviz.labs.engine import Cell, Float, Int, Lab, Memo, Panel, Shown, Values, columns, rows
from knnviz.problems import Problem
from knnviz.views import marks, style
from knnviz.views.bars import bars
from knnviz.views.layers import Annotations, Axes, Layer, Lines, Place, Raster
from knnviz.weights import SCORES, WeightScorer

#: Exponents a of the weights prior^-a at which scores are computed.
A_VALUES = np.arange(101) / 100

#: The scores that are drawn, with those that are only told last, by their names in
#: ``weights.SCORES``; dashes and widths of the curves.
LABELS = {
    "accuracy": "accuracy",
    "f1_macro": "macro F1",
    "balanced_accuracy": "balanced accuracy",
}
LOOKS = {"accuracy": ((5, 3), 2.5), "f1_macro": ((), 3.5)}

#: Top of the line, with room for class numbers above the curves; ends of the strip of decisions,
#: and room below it.
TOP = 1.25
STRIP = (-0.27, -0.07)
MARGIN = 0.05

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
A_TIP = "q_c is proportional to prior_c^-a: 1 undoes the prior"

PARAMETERS = (
    "Classes",
    Int("classes", 8, 2, 12, "classes *C*", "Their centers are (c + 1/2) / C, from left to right"),
    Float("exponent", 2.0, 0, 3, "Zipf exponent *s*", PRIOR_TIP, step=0.1, digits=1),
    Float("scale", 0.2, 0.05, 0.4, "deviation *sigma*", SCALE_TIP),
    "Weights",
    Float("a", 0.0, 0, 1, "weights, exponent *a*", A_TIP),
)


@dataclass(frozen=True, eq=False)
class Line:
    """Normal classes on a line: priors (C,), what counts the decisions of the Bayes rules of all
    weights, and at x (r,) prior times density (r, C), relative to the maximum of class 0.
    """

    problem: Problem
    prior: np.ndarray
    scorer: WeightScorer
    x: np.ndarray
    heights: np.ndarray


def recipe(p: Values, memo: Memo) -> Shown:
    n_cells = p.resolution.integral_cells[0]
    n_drawn = p.resolution.map_cells[0]
    line = memo(on_line, p.classes, p.exponent, p.scale, n_cells, n_drawn)

    q = memo(weights, line.prior, (p.a,))
    each_q = memo(weights, line.prior, A_VALUES)
    predicted, at_a = memo(scored, line.scorer, q)
    _, over_a = memo(scored, line.scorer, each_q)

    current = at_a[:, 0].tolist()
    numbers = dict(zip(LABELS.values(), current, strict=True))
    never = np.flatnonzero(predicted[0] == 0)
    numbers["never predicted"] = listed(never.tolist())
    for label, curve in zip(LABELS.values(), over_a, strict=True):
        numbers[f"best {label}"] = float(curve.max())
        numbers[f"a of best {label}"] = float(A_VALUES[curve.argmax()])
    panels = {
        "line": lambda: memo(line_panel, memo, line, q, p.display.width),
        "fractions": lambda: memo(fraction_panel, memo, line.prior, predicted),
        "scores": lambda: memo(score_panel, over_a, at_a, p.a),
    }
    return Shown(panels, numbers)


def listed(classes: list[int]) -> str:
    """Classes in words."""
    if not classes:
        return "none"
    codes = ", ".join(map(str, classes))
    return f"{'class' if len(classes) == 1 else 'classes'} {codes}"


def on_line(n_classes: int, exponent: float, scale: float, n_cells: int, n_drawn: int) -> Line:
    prior = problems.zipf(n_classes, exponent)
    problem = problems.gaussians(n_classes, prior, scale)
    cells, eta = problem.cells(n_cells)
    scorer = WeightScorer.from_fractions(eta, eta, weights=cells.weights)
    drawn, eta = problem.cells(n_drawn)
    heights = drawn.weights[:, None] * eta
    heights /= heights[:, 0].max()
    return Line(problem, np.array(prior), scorer, problem.grid(n_drawn).points[:, 0], heights)


def weights(prior: np.ndarray, exponents: Sequence[float]) -> np.ndarray:
    """Class weights (J, C) relative to those of class 0."""
    return (prior / prior[0]) ** -np.array(exponents)[:, None]


def scored(scorer: WeightScorer, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities (J, C) of predicting each class, and the scores (3, J)."""
    predicted, hits = scorer.counts(q)
    scores = [SCORES[name](predicted, hits, scorer.class_totals) for name in LABELS]
    return predicted, np.array(scores)


# Panels


def line_panel(memo: Memo, line: Line, q: np.ndarray, lab_width: float) -> Panel:
    """The weighted classes above the predictions along the line."""
    box = line.problem.box[0]
    weighted = memo(np.multiply, line.heights, q)
    best = memo(np.argmax, weighted, axis=1)
    layers = [*memo(strip, box, best, q.size, STRIP_WIDTH * lab_width)]
    for c, heights in enumerate(weighted.T):
        layers.append(marks.curve(f"true{c}", "", line.x, heights, style.class_color(c)))
    centers = (np.arange(q.size) + 0.5) / q.size
    layers += [numerals("classes", centers, weighted.max(axis=0), range(q.size), halo=1.5)]

    title = "The highest curve is predicted"
    ylabel = "weight × frequency × density"
    ylim = (STRIP[0] - MARGIN, TOP)
    return Panel(Axes("line", title, "x", ylabel, box, ylim, yticks=(0.0, 0.5, 1.0)), layers)


def strip(box: Any, labels: np.ndarray, n_classes: int, width: float) -> list[Layer]:
    """Predictions (r,) on equal cells of the line, and the number of the class on each interval
    with room for it.

    The line is ``width`` CSS pixels wide.
    """
    changes = np.flatnonzero(np.diff(labels))
    begins = np.append(0, changes + 1)
    ends = np.append(begins, len(labels)) / len(labels)
    texts = labels[begins].astype(str)
    needed = DIGIT * np.char.str_len(texts) + GAP
    is_wide = np.diff(ends) * width >= needed

    low, high = box
    middles = (ends[1:] + ends[:-1]) / 2
    x = low + (high - low) * middles[is_wide]
    y = sum(STRIP) / 2
    numbers = numerals("numerals", x, y, texts[is_wide], halo=3.0, align="middle")

    codes = labels[None].astype(np.uint8)
    palette = style.palette(n_classes)
    return [
        Raster("decisions", codes, palette=palette, extent=(*box, *STRIP), outline=style.PAPER),
        numbers,
    ]


def numerals(
    name: str, x: Any, y: Any, texts: Iterable[Any], align: str = "center", halo: float = 4.0
) -> Annotations:
    shown = tuple(map(str, texts))
    size = NUMBER_SIZE
    return Annotations(name, x, y, shown, size=size, align=align, halo=halo)


def fraction_panel(memo: Memo, prior: np.ndarray, predicted: np.ndarray) -> Panel:
    """Prior and predicted fraction (1, C) of each class on a square-root scale, on which small ones
    are visible.

    A class that is never predicted has a zero.
    """
    n_classes = len(prior)
    at = BAR_WIDTH / 2
    (predicted,) = predicted
    before = memo(bars, "prior", memo(np.sqrt, prior), -at, BAR_WIDTH, ("#BDBDBD",), "prior")
    palette = style.palette(n_classes)
    after = bars("predicted", np.sqrt(predicted), at, BAR_WIDTH, palette, "predicted")
    never = np.flatnonzero(predicted == 0)
    zeros = numerals("never", never + at, 0, "0" * len(never))

    title = "Prior and predicted fraction"
    xlim = (-0.6, n_classes - 0.4)
    axes = Axes(
        "fractions",
        title,
        "class",
        "fraction, root scale",
        xlim,
        (0, 1.02),
        xticks=tuple(map(float, range(n_classes))),
        yticks=tuple(np.sqrt(TICKS).tolist()),
        ynames=tuple(f"{fraction:g}" for fraction in TICKS),
    )
    pairs = [f"{c}: {prior[c]:.4f} and {predicted[c]:.4f}" for c in range(n_classes)]
    says = f"{title} of class {'; '.join(pairs)}."
    return Panel(axes, [before, after, zeros], says=says)


def score_panel(over_a: np.ndarray, at_a: np.ndarray, a: float) -> Panel:
    """Those of the scores (3, J) that are drawn over the exponent a, which is pulled."""
    over_a = over_a[: len(LOOKS)]
    at_a = at_a[: len(LOOKS)]
    # Limits that seldom change.
    floor = np.floor(over_a.min() / STEP - 0.5) * STEP
    ceiling = np.ceil(over_a.max() / STEP + 0.1) * STEP
    low = max(round(float(floor), 6), -0.05)
    high = min(round(float(ceiling), 6), 1.05)
    ylim = (low, high)

    y = low + HANDLE_HEIGHT * (high - low)
    spoken = f"a = {a:.2f}"
    align = "left" if a <= 0.5 else "right"
    here = marks.dot(a, at_a[:, 0], "here", None, style.MUTED, 0, 10.0)
    line = Lines("at_a", a, ylim, color=style.MUTED)
    handle = marks.draggable("exponent", a, y, "a", "exponent a", spoken, align, size=17, cross=18)
    layers = [*score_curves(over_a), line, here, handle]
    xlabel = "a: weights are frequencies⁻ᵃ"
    ticks = (0.0, 0.25, 0.5, 0.75, 1.0)
    axes = Axes("scores", "Scores over a", xlabel, "score", (-0.03, 1.03), ylim, xticks=ticks)
    return Panel(axes, layers, lambda at: {"a": round(at.x, 2)})


def score_curves(over_a: np.ndarray) -> Iterator[Layer]:
    """The scores (2, J), named above two fifths of their way."""
    for (name, (dash, width)), y in zip(LOOKS.items(), over_a, strict=True):
        at = Place(0.4, y[len(y) * 2 // 5], "center")
        yield Lines(name, A_VALUES, y, label=LABELS[name], at=at, dash=dash, width=width)


class ImbalanceLab(Lab):
    """Weighted classes on a line, their priors beside predicted fractions, and two scores over
    the weights.

    Source: Khim et al., section 6.

    Examples
    --------
    >>> from knnviz.labs import ImbalanceLab
    >>> found = ImbalanceLab(classes=8, exponent=2.0).readout()
    >>> found["accuracy"], found["balanced accuracy"], found["never predicted"]
    (0.669685, 0.265491, 'class 1')
    """

    title = "Imbalance"
    table = PARAMETERS
    recipe = recipe
    layout = rows(
        Cell("line", height=220),
        columns(Cell("fractions", height=200), Cell("scores", height=200)),
    )
