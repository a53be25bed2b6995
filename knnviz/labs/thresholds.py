"""ThresholdLab: a class weight is a threshold on the fraction of class 1; the best one is half of
the largest F1.

An evaluation is a rule together with the points on which its decisions are counted. The entries of
its confusion matrix, TN, FN, FP and TP, are probabilities, or fractions of a sample. Bounds on them
depend on U, the largest error of the fraction of votes.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from knnviz.bounds import khim
from knnviz.labs.engine import (
    ByName,
    Choice,
    Float,
    Int,
    Lab,
    LogInt,
    Memo,
    Panel,
    Preset,
    Shown,
    Values,
    columns,
    rows,
    within,
)
from knnviz.labs.parts import class_weights, plane
from knnviz.labs.parts import data as training_data
from knnviz.labs.parts.data import PROBLEM, SEED, N
from knnviz.labs.parts.over_threshold import (
    COLOR,
    LIMITS,
    STEPS,
    TICKS,
    Pulled,
    of_votes,
    over_threshold,
    with_handle,
)
from knnviz.labs.parts.plane import LARGEST_K, K, Overlay, Voting
from knnviz.labs.parts.sources import Field
from knnviz.neighbors import NeighborTable
from knnviz.noise import decimal_fraction
from knnviz.profiles import VoteProfile
from knnviz.rules import Threshold
from knnviz.views import dots as dot_view
from knnviz.views import marks, style
from knnviz.views.layers import Axes, Band, Layer, Lines, Place
from knnviz.views.marks import Level
from knnviz.weights import Entries, Thresholds

#: Problems of two classes on a line.
PROBLEMS = (
    "jump",
    "linear",
    "bump",
    "power",
    "plateau",
    "logistic",
    "two levels",
    "rare class",
    "one wave against the rest",
)

#: Options of the control of bounds: whether they are drawn.
NO_BOUNDS = "none"
AS_SET = "epsilon as set"
BOUNDS = (NO_BOUNDS, AS_SET)

#: Failure probability of the bounds, and cells of the line: many, since a band of eta may be only
#: 0.002 wide.
DELTA = 0.05
BAND_CELLS = 200_000

#: Decimals of t, and the color of the bounds on F1.
T_DECIMALS = 3
BOUND_COLOR = "#56B4E9"

#: Costs are those of so many points.
PER = 1000

#: Ticks of the threshold whose ends say when there is an alarm.
ENDS = ("always", "0.2", "0.4", "0.6", "0.8", "never")

#: Room for the grip of t below 0, as a part of the axis above: it would hide the foot of the bar.
BELOW = 0.09

#: Width of the bar at t of what is found, missed, and of false alarms.
PILLAR = 0.03

Style = tuple[str, str, str, str, tuple[int, ...]]
#: Evaluations: name, points in names of numbers, label, and style of curves.
TRAINING = ("training", "training points", "kNN, training points", "#CC79A7", (2, 3))
NEW = ("new", "new points", "kNN, new points", "#6A3D9A", ())
BAYES = ("bayes", "Bayes rule", "Bayes rule", style.INK, ())

#: How far along t their labels stand, and how they are aligned there.
NAMED_AT = {
    "training": (0.6, "center"),
    "new": (0.36, "left"),
    "bayes": (1.0, "center"),
}

#: What is evaluated, by the options of the menu: kNN on new points and on training points, and the
#: Bayes rule.
BOTH, WITH_TRAINING, KNN, BAYES_RULE = RULES = {
    "kNN and Bayes rule": (NEW, BAYES),
    "kNN, also on training points": (TRAINING, NEW),
    "kNN": (NEW,),
    "Bayes rule": (BAYES,),
}

#: Layers of the line that are about a sample, and about the distribution.
OF_SAMPLE = ("points", "votes1")
OF_ETA = ("eta1",)

WITH_BOUNDS = {"bounds": (AS_SET,)}
T_SCALE: dict[str, Any] = {"step": 0.001, "digits": T_DECIMALS}
BOUNDS_TIP = "The range that holds the F1 of a sample, for all t at once"
EPSILON_TIP = f"We assume that no fraction is off by more, except with probability {DELTA / 2:g}"
BOUND_N_TIP = (
    f"Only the bounds read this n: the sample keeps its own. They fail with probability {DELTA:g}"
)

PARAMETERS = (
    "Data",
    replace(PROBLEM, ends=PROBLEMS, default="rare class"),
    N,
    SEED,
    "Rules",
    Choice("rules", RULES, "rules", "Which rules you see"),
    replace(K, default=60),
    Float(
        "t",
        0.5,
        0,
        1,
        "threshold *t*",
        "Class 1 is predicted where its fraction of the votes reaches t",
        **T_SCALE,
    ),
    Int(
        "price",
        1,
        1,
        20,
        "cost of a miss",
        "How many false alarms a missed point of class 1 costs",
    ),
    "Proposition 3",
    Choice("bounds", BOUNDS, "bounds", BOUNDS_TIP),
    Float(
        "epsilon",
        0.01,
        0,
        1,
        "uniform error *epsilon*",
        EPSILON_TIP,
        when=WITH_BOUNDS,
        **T_SCALE,
    ),
    LogInt(
        "bound_n",
        1_000_000,
        100,
        10**10,
        "sample size in the bounds",
        BOUND_N_TIP,
        when=WITH_BOUNDS,
    ),
)


def ranges(values: ByName) -> dict[str, Any]:
    """k up to n; the Bayes rule reads no sample; bounds are about both rules."""
    found: dict[str, Any] = {"k": plane.k_range(values["n"])}
    rules = values["rules"]
    if rules == BAYES_RULE:
        found |= dict.fromkeys(("n", "seed", "k"))
    if rules != BOTH:
        found |= dict.fromkeys(("bounds", "epsilon", "bound_n"))
    return found


class Evaluation(NamedTuple):
    """A name, the points in names of numbers, label and style of curves, and entries at all
    thresholds and at t.
    """

    name: str
    where: str
    label: str
    color: str
    dash: tuple[float, ...]
    counted: Thresholds
    at_t: Entries


class Bounds(NamedTuple):
    """The largest error of the votes, n, and eta (m,) of class 1 at cells, ascending, with the
    masses (m,) of these.
    """

    epsilon: float
    n: int
    eta: np.ndarray
    masses: np.ndarray


def recipe(p: Values, memo: Memo) -> Shown:
    data = training_data.data(p, memo)
    problem = data.problem
    truth = data.truth
    labels = data.sample.y
    drawn = RULES[p.rules]
    has_votes = NEW in drawn
    has_bayes = BAYES in drawn
    # The Bayes rule reads neither k nor n, which may then be anything.
    k = min(p.k, p.n)
    k_max = min(LARGEST_K, p.n)
    rule = Threshold(decimal_fraction(p.t))
    cells = plane.cells(p, memo, data, labels, k_max)
    voting = Voting(data, labels, cells, None, k)
    overlay = Overlay()
    if has_votes:
        decisions = memo(rule.predict, cells.votes, k)
    else:
        decisions = memo(bayes_rule, cells.field.eta, p.t)
        overlay = memo(parts_of_eta, cells.field, decisions)

    evaluations: list[Evaluation] = []

    def evaluate(look: Style, counted: Thresholds, at: float) -> None:
        entries = memo(counted.at, at)
        evaluations.append(Evaluation(*look, counted, entries))

    # The least fraction of k votes that reaches t gives the same decisions of kNN as t, but
    # exactly.
    reached = float(Fraction(rule.min_votes(k), k))
    if TRAINING in drawn:
        # Each training point is the nearest of its own neighbors.
        voters = memo(NeighborTable.build, data.index, data.index.X, k_max)
        votes = memo(VoteProfile.build, voters, labels, 2)
        evaluate(TRAINING, memo(of_votes, votes, k, labels), reached)
    if has_votes:
        new = plane.new_points(p, memo, voting)
        on_new = memo(of_votes, new.votes, k, new.truth, new.weights)
        evaluate(NEW, on_new, reached)
    best = None
    if has_bayes:
        on_eta = memo(of_eta, truth.eta, truth.weights)
        best = memo(largest_f1, on_eta)
        evaluate(BAYES, on_eta, p.t)
    judged = evaluations[TRAINING in drawn]

    numbers: dict[str, Any] = {
        "class weights": class_weights.by_class(problem.class_names, (p.t, 1 - p.t)),
        "prevalence": judged.counted.prevalence,
    }
    never = []
    for each in evaluations:
        entries = each.at_t
        where = each.where
        if each.name != "training":
            numbers[f"cost per {PER:,} points, {where}"] = round(float(cost(entries, p.price)))
            numbers[f"precision, {where}"] = float(entries.precision)
            numbers[f"recall, {where}"] = float(entries.recall)
        numbers[f"F1, {where}"] = float(entries.f1)
        if entries.tp + entries.fp == 0:
            never.append(each.label)
    if best:
        numbers["largest Bayes F1"] = best[0]
        numbers["reached at t"] = best[1]
    notes = []
    if never:
        notes.append(f"without an alarm precision is 0 / 0, and set to 0 ({'; '.join(never)})")

    bounds = None
    if p.bounds != NO_BOUNDS and has_votes and has_bayes:
        bounds = Bounds(p.epsilon, p.bound_n, *memo(sorted_eta, problem))
        numbers |= memo(errors_at, bounds, on_eta, p.t)
        notes.append(f"the bounds are about samples whose fractions err by {p.epsilon:g} at most")
    if notes:
        numbers["note"] = "; ".join(notes)

    pulled = Pulled("t", "t", p.t, T_DECIMALS)

    def map_panel() -> Panel:
        thresholds = (Level(p.t, "theta", "threshold t", (), COLOR),)
        shown = p.display.max_points if has_votes else p.n
        curves = memo(plane.curves, memo, voting, thresholds)
        line = memo(plane.map_panel, memo, voting, decisions, overlay, shown, curves)
        hidden: Any = () if has_bayes else OF_ETA
        decides = "kNN"
        if not has_votes:
            hidden = OF_SAMPLE
            line = memo(without_rows, line)
            decides = "the Bayes rule"
        handled = memo(with_handle, memo(Panel.without, line, hidden), pulled)
        return memo(plane.decided_by, handled, decides)

    def f1() -> Panel:
        on_f1 = bounds and memo(f1_bounds, bounds, on_eta)
        return memo(f1_panel, memo, evaluations, best, pulled, on_f1)

    panels = {
        "map": map_panel,
        "f1": f1,
        "cost": lambda: memo(cost_panel, memo, evaluations, judged, p.price, pulled),
    }
    return Shown(panels, numbers)


def without_rows(line: Panel) -> Panel:
    """A line without ticks of the rows of points, which come first."""
    axes = line.axes
    return replace(line, axes=replace(axes, yticks=axes.yticks[2:], ynames=axes.ynames[2:]))


def bayes_rule(eta: np.ndarray, t: float) -> np.ndarray:
    """Classes (m,) of the Bayes rule at points of eta (m, 2)."""
    return (eta[:, 1] >= t).astype(np.uint8)


def parts_of_eta(cells: Field, alarms: np.ndarray) -> Overlay:
    """What is found, missed, and false alarms, as parts of all points at each x."""
    eta = cells.eta[:, 1]
    found = eta * alarms
    parts = found, eta - found, alarms - found
    return Overlay(tuple(dot_view.shares(cells.grid.points[:, 0], parts, 0.85)))


def of_eta(eta: np.ndarray, weights: np.ndarray) -> Thresholds:
    """Entries of the Bayes rules of all weights."""
    return Thresholds.from_fractions(eta[:, 1], eta[:, 1], weights=weights)


def largest_f1(counted: Thresholds) -> tuple[float, float]:
    """The largest F1 and its threshold; of several the one nearest to half of that F1."""
    score, *ends = counted.best()
    return score, within(score / 2, (*ends,))


# Bounds


def sorted_eta(source: Any) -> tuple[np.ndarray, np.ndarray]:
    measure, eta = source.cells(BAND_CELLS)
    order = np.argsort(eta[:, 1])
    return eta[order, 1], measure.weights[order]


def entry_errors(bounds: Bounds, t: np.ndarray) -> khim.EntryErrors:
    """Proposition 3 of Khim et al. at t (J,); its set of thresholds are the steps of the slider."""
    band = khim.threshold_mass(bounds.eta, bounds.epsilon, t, STEPS, weights=bounds.masses)
    return khim.proposition_3(bounds.n, DELTA, cover_size=len(STEPS), tne=band.tne, fne=band.fne)


def errors_at(bounds: Bounds, on_eta: Thresholds, t: float) -> dict[str, Any]:
    """The largest error of each entry and score at t (Corollaries 7 to 9), and the ends of F1."""
    at_t = np.array([t])
    entries = on_eta.at(at_t)
    errors = entry_errors(bounds, at_t)
    scores = khim.score_errors(entries, errors)
    found = (errors.tn, errors.tp, *scores)
    names = "TN and FP", "TP and FN", "precision", "recall", "F1"
    numbers: dict[str, Any] = {}
    for name, error in zip(names, found, strict=True):
        largest = float(error[0])
        numbers[f"{name} within"] = largest if largest < 1 else "vacuous"
    interval = khim.f1_intervals(entries, errors)
    numbers["least F1 by entry bounds"] = float(interval.low[0])
    numbers["largest F1 by entry bounds"] = float(interval.high[0])
    return numbers


def f1_bounds(bounds: Bounds, on_eta: Thresholds) -> tuple[list[Layer], str]:
    """Intervals of F1 at ``STEPS``: from entry bounds, and by Corollary 9, NaN where vacuous."""
    entries = on_eta.at(STEPS)
    errors = entry_errors(bounds, STEPS)
    low, high = khim.f1_intervals(entries, errors)
    box = Band("box", STEPS, low, high, label="from entry bounds")

    error = khim.score_errors(entries, errors).f1
    ends = np.clip([entries.f1 - error, entries.f1 + error], 0, 1)
    vacuous = ends[1] - ends[0] >= 1
    ends[:, vacuous] = np.nan
    # A NaN interrupts the curve between the lower and the upper ends.
    x = np.tile(np.append(STEPS, np.nan), 2)
    y = np.insert(ends, len(STEPS), np.nan, axis=1)
    corollary = marks.curve(
        "corollary", "Corollary 9", x, y.ravel(), BOUND_COLOR, (4, 2), width=2.0
    )

    widest = (high - low).max()
    known = np.isfinite(ends[0]).mean()
    says = (
        f"Entry bounds leave F1 {widest:.4f} wide at most; "
        f"Corollary 9 is not vacuous at {known:.1%} of all t."
    )
    return [replace(box, color=BOUND_COLOR, opacity=0.35), corollary], says


# Panels


def f1_panel(
    memo: Memo,
    evaluations: Sequence[Evaluation],
    best: tuple[float, float] | None,
    pulled: Pulled,
    bounds: Any,
) -> Panel:
    """F1 of each evaluation over t, and bounds on it with a sentence about them, or else where it
    is largest.
    """
    ylim = (-BELOW, LIMITS[1])
    axes = Axes(
        "f1", "F1 over t", "threshold t", "F1 of class 1", LIMITS, ylim, xticks=TICKS, yticks=TICKS
    )
    curves = [memo(curve_over_t, *each[:-1]) for each in evaluations]
    if bounds:
        on_bottom, says = bounds
        return over_threshold(axes, [*on_bottom, *curves], pulled, says)
    if best is None:
        if len(evaluations) == 1:
            names = ("F1", "found", "half of missed", "half of false alarms")
            given = (curves[0], evaluations[0], pulled.value, 1, names)
            curves = drawn_in_parts(memo, *given, f1_parts)
        return over_threshold(axes, curves, pulled)

    color = style.MUTED
    at = Place(0.45, 0.86, "left")
    double = marks.curve("double", "F1 = 2t", (0, 0.5), (0, 1), color, (3, 3), 2.0, at=at)
    score, reached_at = best
    peak = marks.dot(reached_at, score, "peak", "largest Bayes F1", size=13.0)
    return over_threshold(axes, [double, *curves, peak], pulled)


def cost_panel(
    memo: Memo, evaluations: Sequence[Evaluation], judged: Evaluation, price: int, pulled: Pulled
) -> Panel:
    """The cost of each evaluation over t; far above that of no alarm at all it is cut off."""
    none = PER * price * judged.counted.prevalence
    every = PER * (1 - judged.counted.prevalence)
    top = min((1 + 2 / price) * none, 1.05 * max(none, every))
    ylim = (-BELOW * top, top)
    labels = "threshold t", f"cost per {PER:,} points"
    axes = Axes("cost", "Cost over t", *labels, LIMITS, ylim, xticks=TICKS, xnames=ENDS)
    curves: list[Any] = [memo(curve_over_t, *each[:-1], price) for each in evaluations]
    if len(evaluations) == 1:
        missed = "missed" if price == 1 else f"{price} × missed"
        names = ("cost", missed, "false alarms")
        given = (curves[0], judged, pulled.value, top, names)
        curves = drawn_in_parts(memo, *given, cost_parts, price)
    return over_threshold(axes, curves, pulled)


def drawn_in_parts(
    memo: Memo,
    curve: Lines,
    judged: Evaluation,
    t: float,
    top: float,
    names: tuple[str, ...],
    parts: Any,
    *price: int,
) -> list[Any]:
    """The only curve, its ``parts`` as areas, and these at t as a bar: ``names`` of all."""
    label, *of_parts = names
    over_t = memo(parts, memo(judged.counted.at, STEPS), *price)
    at_t = parts(judged.at_t, *price)
    areas = memo(dot_view.shares, STEPS, over_t)
    return [*areas, replace(curve, label=label), *dot_view.pillar(t, at_t, of_parts, PILLAR, top)]


def f1_parts(entries: Entries) -> np.ndarray:
    """What is found, and half of each mistake, as parts of their sum: the first is F1."""
    parts = np.array([entries.tp, entries.fn / 2, entries.fp / 2])
    return parts / parts.sum(axis=0)


def cost_parts(entries: Entries, price: int) -> np.ndarray:
    """The costs of what is missed, and of false alarms."""
    return PER * np.array([price * entries.fn, entries.fp])


def curve_over_t(
    name: str,
    where: str,
    label: str,
    color: str,
    dash: tuple[float, ...],
    counted: Thresholds,
    price: int = 0,
) -> Lines:
    """F1 at ``STEPS``, or with a price of misses the cost."""
    entries = counted.at(STEPS)
    kind, y = ("cost", cost(entries, price)) if price else ("f1", entries.f1)
    line = marks.curve(f"{kind}_{name}", label, STEPS, y, color, dash)
    part, align = NAMED_AT[name]
    if align == "left" and line.y[round(part * STEPS.size)] == line.y[-1]:
        # A level curve has its name above it, one that has fallen to 0 above its peak.
        return marks.named_along(line, part if line.y[-1] else None)
    return marks.named_along(line, part, align)


def cost(entries: Entries, price: int) -> np.ndarray:
    """The cost of ``PER`` points, if a false alarm costs 1."""
    return cost_parts(entries, price).sum(axis=0)


APPENDIX_C = "Khim et al., appendix C"
WAVE = {"problem": "one wave against the rest"}
TEN_BILLION = {"t": 0.287, "bounds": AS_SET, "epsilon": 0.001, "bound_n": 10**10}

#: Numbers with three decimals.
THIRDS = {"reached at t": 3}


class ThresholdLab(Lab):
    """Line, F1 and cost over t, for two classes.

    ``bounds`` adds bounds from Proposition 3 of Khim et al. to F1 over t.

    Examples
    --------
    >>> from knnviz.labs import ThresholdLab
    >>> found = ThresholdLab(problem="rare class").readout()
    >>> found["reached at t"], found["largest Bayes F1"]
    (0.228248, 0.456497)
    """

    title = "Where to put the threshold"
    table = PARAMETERS
    ranges = ranges
    recipe = recipe
    parts = (training_data,)
    layout = columns(rows(("map", 0, 256)), rows(("f1", 0, 256), ("cost", 0, 256)), ratios=(25, 21))
    decimals = THIRDS
    presets = (
        Preset("Rare class: equal weights", APPENDIX_C, {}),
        Preset("Rare class: t by F1", APPENDIX_C, {"t": 0.228}),
        Preset("One wave: t by F1", "Khim et al., section 5", WAVE | {"t": 0.287}),
        Preset("One wave: ten billion points", "Khim et al., Corollary 9", WAVE | TEN_BILLION),
    )
