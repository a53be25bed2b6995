"""ThresholdLab: a class weight is a threshold on the fraction of class 1; the best one is half of
the largest F1.

An evaluation is a rule together with the points on which its decisions are counted. The entries of
its confusion matrix, TN, FN, FP and TP, are probabilities, or fractions of a sample. Bounds on them
depend on U, the largest error of the fraction of votes.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from knnviz.bounds import khim
from knnviz.labs.engine import Click, Count, Lab, Memo, Panel, Preset, Shown, Values, columns, rows
from knnviz.labs.engine.parameters import DECIMALS, Choice, Float, Int, LogInt, Range, within
from knnviz.labs.parts import data as training_data
from knnviz.labs.parts import plane, sources, weighted_map
from knnviz.labs.parts.plane import LARGEST_K, Overlay
from knnviz.labs.parts.sources import TWO_CLASSES, Source, named
from knnviz.neighbors import NeighborTable, SpatialIndex
from knnviz.noise import decimal_fraction
from knnviz.profiles import VoteProfile
from knnviz.rules import Threshold
from knnviz.views import marks, style
from knnviz.views.layers import Annotations, Axes, Band, Layer, Lines, Raster
from knnviz.views.vote_curve import ThresholdLine
from knnviz.weights import Entries, Thresholds, uniform_error
from knnviz.weights.entries import ratio

#: Options of the control of bounds: whether they are drawn, and with which epsilon.
NO_BOUNDS, AS_SET, OBSERVED_U = BOUNDS = ("none", "epsilon as set", "observed U")

#: Failure probability of the bounds, and cells of the line: many, since a band of eta may be only
#: 0.002 wide.
DELTA = 0.05
BAND_CELLS = 200_000

#: Decimals of t, and the steps of its slider, at which curves over t are drawn.
T_DECIMALS = 3
T_STEPS = np.arange(1001) / 1000

#: Colors of the threshold and of the bounds on F1; limits of the axes of scores and of t.
T_COLOR, BOUND_COLOR, LIMITS = "#009E73", "#56B4E9", (-0.02, 1.02)
TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)

#: A confusion matrix is shaded up to this opacity of 255; of a known distribution its counts are
#: per so many points.
DARKEST = 150
PER = 1000

#: Entries that are counted of class 1 and of class 0, the part first.
COUNTED = ("tp", "fn"), ("fp", "tn")

Style = tuple[str, str, str, str, tuple[int, ...]]
#: Evaluations: name, points in names of numbers, label, and style of curves.
NEW_COLOR = "#6A3D9A"
TRAINING = ("training", "training points", "kNN, training points", "#CC79A7", (2, 3))
NEW = ("new", "new points", "kNN, new points", NEW_COLOR, ())
HELD_OUT = ("held_out", "held-out points", "kNN, held-out points", NEW_COLOR, ())
BAYES = ("bayes", "Bayes rule", "Bayes rule", style.INK, (7, 4))

#: What is evaluated, by the options of the menu: kNN on new points and on training points, and the
#: Bayes rule.
BOTH, ALL, WITH_TRAINING, KNN, BAYES_RULE = RULES = {
    "kNN and Bayes rule": (NEW, BAYES),
    "all": (TRAINING, NEW, BAYES),
    "kNN, also on training points": (TRAINING, NEW),
    "kNN": (NEW,),
    "Bayes rule": (BAYES,),
}

#: Layers of the map that are about a sample.
OF_SAMPLE = ("points", "voters", "votes1")

HEADING, PROBLEM, N, SEED = training_data.PARAMETERS
QUERY, X1, X2 = plane.PARAMETERS
WITH_BOUNDS = {"bounds": (AS_SET, OBSERVED_U)}
T_SCALE = {"step": 0.001, "digits": T_DECIMALS}
Q1_TIP = "Its votes count q1, those of class 0 count q0 = 1 - q1 = t"
BOUNDS_TIP = (
    "Where the F1 of a sample lies, for all t at once. U is the largest error of the votes at the "
    "cells"
)
EPSILON_TIP = f"Largest error of the votes that is assumed, except with probability {DELTA / 2:g}"
BOUND_N_TIP = (
    f"n in the bounds alone; the sample on show keeps its own. They fail with probability {DELTA:g}"
)

PARAMETERS = (
    HEADING,
    replace(PROBLEM, ends=TWO_CLASSES, default="rare class"),
    N,
    SEED,
    "Rules",
    Choice("rules", RULES, "rules", "Rules that are drawn"),
    Int("k", 60, 1, LARGEST_K, "neighbors *k*", "Number of neighbors that vote"),
    Float(
        "t",
        0.5,
        0,
        1,
        "threshold *t*",
        "Class 1 where its fraction of the votes reaches t",
        **T_SCALE,
    ),
    Float("q1", 0.5, 0, 1, "weight of class 1 *q1*", Q1_TIP, **T_SCALE),
    Int(
        "price",
        1,
        1,
        20,
        "cost of a miss",
        "Cost of a missed point of class 1; a false alarm costs 1",
    ),
    QUERY,
    replace(X1, default=0.6),
    X2,
    "Proposition 3",
    Choice("bounds", BOUNDS, "bounds", BOUNDS_TIP),
    Float(
        "epsilon",
        0.01,
        0,
        1,
        "uniform error *epsilon*",
        EPSILON_TIP,
        when={"bounds": (AS_SET,)},
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


def ranges(values: Mapping[str, Any]) -> dict[str, Any]:
    """k up to n; the Bayes rule of a known distribution reads no sample; bounds on a line, of both
    rules.
    """
    found: dict[str, Any] = {"k": Range((1, min(LARGEST_K, values["n"])), "k is at most n")}
    source = named(values["problem"])
    rules = values["rules"]
    if source.eta is None:
        found["rules"] = Range(
            (KNN, WITH_TRAINING), f"the Bayes rule of {source.name} is not known"
        )
    if rules == BAYES_RULE:
        found |= dict.fromkeys(("n", "seed", "k", "x1", "x2"))
    if rules in (BOTH, ALL) and has_bounds(source):
        return found
    return found | dict.fromkeys(("bounds", "epsilon", "bound_n"))


def adjust(values: dict[str, Any], changes: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    """The threshold and the weight of class 1 are one number, q1 = 1 - t; ValueError for other than
    two classes.
    """
    source = named(values["problem"])
    if source.n_classes != 2:
        raise ValueError(
            f"a threshold decides between two classes, but {source.name} has {source.n_classes}"
        )
    leads, follows = ("q1", "t") if "q1" in changes else ("t", "q1")
    if follows not in changes:
        values[follows] = round(1 - values[leads], DECIMALS)
    elif abs(values["t"] + values["q1"] - 1) > 1e-9:
        raise ValueError(
            f"weight of class 1 q1 must be 1 - t, got t = {values['t']:g} and q1 = {values['q1']:g}"
        )


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
    k_max = min(LARGEST_K, p.n)
    drawn = RULES[p.rules]
    # The Bayes rule reads neither k nor n, which may then be anything.
    k = min(p.k, p.n)
    problem = data.problem
    truth = data.truth
    labels = data.sample.y
    names = data.problem.class_names
    rule = Threshold(decimal_fraction(p.t))
    has_votes = NEW in drawn
    has_bayes = BAYES in drawn
    cells = plane.cells(p, memo, data, labels, k_max)
    x = plane.query(p, memo, data, labels, k_max) if has_votes else None
    decisions = (
        memo(rule.predict, cells.votes, k) if has_votes else memo(bayes_rule, cells.field.eta, p.t)
    )

    # The least fraction of k votes that reaches t gives the same decisions of kNN as t, but
    # exactly.
    reached = float(Fraction(rule.min_votes(k), k))
    counted: list[tuple[Style, Thresholds, float]] = []
    if TRAINING in drawn:
        # Few training points first.
        voters = memo.refine(training_table, sorted({min(1000, p.n), p.n}), data.index, k_max)
        on_training = memo(of_votes, memo(VoteProfile.count, voters, labels, 2), k, labels)
        counted += [(TRAINING, on_training, reached)]
    held_out = len(data.source.y_test) if truth.eta is None else 0
    if has_votes:
        new = plane.new_points(p, memo, data, labels, cells, k)
        counted += [
            (
                HELD_OUT if held_out else NEW,
                memo(of_votes, new.votes, k, new.truth, new.weights),
                reached,
            )
        ]
    main = len(counted) - has_votes
    best = None
    if has_bayes:
        on_eta = memo(of_eta, truth.eta, truth.weights)
        best = memo(largest_f1, on_eta)
        counted += [(BAYES, on_eta, p.t)]
    evaluations = [Evaluation(*style, found, memo(found.at, at)) for style, found, at in counted]
    prevalence = counted[-1][1].prevalence
    judged = evaluations[main]

    numbers: dict[str, Any] = {
        "class weights": dict(zip(names, (p.t, p.q1), strict=True)),
        "prevalence": prevalence,
    }
    if held_out:
        found, alarms = (
            [round(held_out * float(getattr(judged.at_t, each))) for each in pair]
            for pair in COUNTED
        )
        numbers |= {
            f"{names[1]} found": Count(found[0], sum(found)),
            "false alarms": Count(alarms[0], sum(alarms)),
        }
    for each in evaluations:
        if each.name != "training":
            numbers[f"cost per {PER:,} points, {each.where}"] = round(
                float(cost(each.at_t, p.price))
            )
            numbers[f"precision, {each.where}"] = float(each.at_t.precision)
            numbers[f"recall, {each.where}"] = float(each.at_t.recall)
        numbers[f"F1, {each.where}"] = float(each.at_t.f1)
    if best:
        numbers |= {"largest Bayes F1": best[0], "reached at t": best[1]}
    never = "; ".join([each.label for each in evaluations if each.at_t.tp + each.at_t.fp == 0])
    notes = (
        [f"class 1 is never predicted ({never}): precision 0 / 0 is taken as 0"] if never else []
    )
    bounds = None
    if p.bounds != NO_BOUNDS and has_bounds(problem) and has_votes and has_bayes:
        observed = memo(observed_error, cells.votes, k, cells.field.eta)
        bounds = Bounds(
            p.epsilon if p.bounds == AS_SET else observed, p.bound_n, *memo(sorted_eta, problem)
        )
        numbers |= {"epsilon in the bounds": bounds.epsilon, "observed U": observed}
        numbers |= memo(errors_at, bounds, on_eta, p.t)
        assumed = f"samples of {p.bound_n:,} points whose U is at most {bounds.epsilon:.3f}"
        notes += [
            f"the bounds are about {assumed}; this one has {p.n:,} points and U = {observed:.3f}"
        ]
    if x is not None:
        numbers["votes at x"] = plane.votes_at(problem, x, k)
        numbers["decision at x"] = names[rule.predict(x.votes, k)[0]]
    if notes:
        numbers["note"] = "; ".join(notes)

    def map_panel() -> Panel:
        thresholds = (ThresholdLine(p.t, label="threshold t", color=T_COLOR),)
        shown = p.display.max_points if has_votes else p.n
        given = memo, data, labels, cells, x, k, decisions, Overlay(), shown, thresholds
        hidden = () if has_votes else OF_SAMPLE
        if problem.dimension == 2:
            curves = (weighted_map.boundary(memo, problem, (p.t, p.q1)),) if has_bayes else ()
            return memo(Panel.without, memo(plane.map_panel, *given, curves=curves), hidden)
        return memo(with_handle, memo(plane.map_panel, *given), p.t, hidden)

    panels = {
        "map": map_panel,
        "f1": lambda: memo(
            f1_panel, memo, evaluations, best, p.t, bounds and memo(f1_bounds, bounds, on_eta)
        ),
        "cost": lambda: memo(cost_panel, memo, evaluations, judged, p.price, p.t),
        "entries": lambda: memo(confusion_matrix, judged.at_t, names, held_out),
        "trade": lambda: memo(trade_panel, memo, evaluations, judged.counted, prevalence),
    }
    return Shown(panels, numbers, LAYOUTS[problem.dimension])


def training_table(count: int, index: SpatialIndex, k_max: int) -> NeighborTable:
    """The neighbors of the first few training points; each is the nearest of its own."""
    return NeighborTable.build(index, index.X[:count], k_max)


def of_votes(
    votes: VoteProfile, k: int, truth: np.ndarray, weights: np.ndarray | None = None
) -> Thresholds:
    """Entries of kNN at all thresholds; ``truth`` holds classes of at least these points, or eta
    (m, 2).
    """
    ones = votes.at(k)[:, 1]
    return Thresholds.from_votes(
        ones, k, (truth[:, 1] if truth.ndim == 2 else truth)[: len(ones)], weights
    )


def bayes_rule(eta: np.ndarray, t: float) -> np.ndarray:
    """Classes (m,) of the Bayes rule at points of eta (m, 2)."""
    return (eta[:, 1] >= t).astype(np.uint8)


def of_eta(eta: np.ndarray, weights: np.ndarray) -> Thresholds:
    """Entries of the Bayes rules of all weights."""
    return Thresholds.from_fractions(eta[:, 1], eta[:, 1], weights)


def largest_f1(counted: Thresholds) -> tuple[float, float]:
    """The largest F1 and its threshold; of several the one nearest to half of that F1."""
    score, *ends = counted.best()
    return score, within(score / 2, tuple(ends))


# Bounds


def has_bounds(source: Source) -> bool:
    """Whether the distribution is known, and on a line, where cells can be fine enough for narrow
    bands.
    """
    return source.eta is not None and source.dimension == 1


def observed_error(votes: VoteProfile, k: int, eta: np.ndarray) -> float:
    return uniform_error(votes.at(k) / k, eta)


def sorted_eta(source: Any) -> tuple[np.ndarray, np.ndarray]:
    measure, eta = source.cells(BAND_CELLS)
    order = np.argsort(eta[:, 1])
    return eta[order, 1], measure.weights[order]


def entry_errors(bounds: Bounds, t: np.ndarray) -> khim.EntryErrors:
    """Proposition 3 of Khim et al. at t (J,); its finite set of thresholds are the steps of the
    slider.
    """
    band = khim.threshold_mass(bounds.eta, bounds.epsilon, t, T_STEPS, weights=bounds.masses)
    return khim.proposition_3(bounds.n, DELTA, cover_size=len(T_STEPS), tne=band.tne, fne=band.fne)


def errors_at(bounds: Bounds, on_eta: Thresholds, t: float) -> dict[str, Any]:
    """The largest error of each entry and score at t (Corollaries 7 to 9), and the interval of
    F1.
    """
    entries = on_eta.at(np.array([t]))
    errors = entry_errors(bounds, np.array([t]))
    scores = khim.score_errors(entries, errors)
    interval = khim.f1_intervals(entries, errors)
    names = "TN and FP", "TP and FN", "precision", "recall", "F1"
    found = zip(names, (errors.tn, errors.tp, *scores), strict=True)
    numbers = {
        f"{name} within": float(error[0]) if error[0] < 1 else "vacuous" for name, error in found
    }
    ends = {"least": interval.low, "largest": interval.high}
    return numbers | {f"{name} F1 by entry bounds": float(end[0]) for name, end in ends.items()}


def f1_bounds(bounds: Bounds, on_eta: Thresholds) -> tuple[list[Layer], str]:
    """Intervals of F1 at ``T_STEPS``: from bounds on entries, and by Corollary 9, NaN where that is
    vacuous.
    """
    entries = on_eta.at(T_STEPS)
    errors = entry_errors(bounds, T_STEPS)
    low, high = khim.f1_intervals(entries, errors)
    error = khim.score_errors(entries, errors).f1
    ends = np.array([np.maximum(entries.f1 - error, 0), np.minimum(entries.f1 + error, 1)])
    ends[:, ends[1] - ends[0] >= 1] = np.nan
    widest = (high - low).max()
    known = np.isfinite(ends[0]).mean()
    x = np.tile(np.append(T_STEPS, np.nan), 2)
    y = np.insert(ends, len(T_STEPS), np.nan, axis=1).ravel()
    return (
        [
            Band(
                name="box",
                label="from entry bounds",
                x=T_STEPS,
                lower=low,
                upper=high,
                color=BOUND_COLOR,
                opacity=0.35,
            ),
            Lines(name="corollary", label="Corollary 9", x=x, y=y, color=BOUND_COLOR, dash=(4, 2)),
        ],
        f"Entry bounds leave F1 {widest:.4f} wide at most; Corollary 9 is not vacuous at "
        f"{known:.1%} of all t.",
    )


# Panels


def handle(x: float, y: float, t: float, align: str) -> Annotations:
    """A cross that is dragged to another threshold."""
    spoken = f"t = {t:.3f}, weights {t:.3f} to {1 - t:.3f}"
    return marks.draggable(
        "threshold", x, y, "t", "threshold t", spoken, align, size=17, cross=18, color=T_COLOR
    )


def with_handle(panel: Panel, t: float, hidden: Sequence[str]) -> Panel:
    """The line with a handle at t, but without the layers that are ``hidden``; a click elsewhere
    moves x.
    """
    low, high = panel.axes.xlim
    grip = handle(low + 0.96 * (high - low), t, t, "right")

    def click(at: Click) -> dict[str, float]:
        return (
            {"t": round(at.y, T_DECIMALS)} if at.mark == grip.name or hidden else plane.clicked(at)
        )

    return replace(panel, layers=(*panel.without(hidden).layers, grip), click=click)


def f1_panel(
    memo: Memo,
    evaluations: Sequence[Evaluation],
    best: tuple[float, float] | None,
    t: float,
    bounds: Any,
) -> Panel:
    """F1 of each evaluation over t, and bounds on it with a sentence about them, or else where it
    is largest.
    """
    axes = Axes(
        "f1",
        "F1 over t",
        "threshold t",
        "F1 of class 1",
        LIMITS,
        LIMITS,
        xticks=TICKS,
        yticks=TICKS,
    )
    on_bottom, says = bounds or ((), "")
    layers: list[Layer] = [*on_bottom]
    if best and not bounds:
        double = Lines(
            name="double", label="F1 = 2t", x=(0, 0.5), y=(0, 1), color=style.MUTED, dash=(3, 3)
        )
        layers += marks.named(double, 0.45, 0.86, color=style.MUTED, align="right")
    layers += [memo(curve_over_t, *each[:-1]) for each in evaluations]
    if best and not bounds:
        layers += [marks.dot(best[1], best[0], "peak", "largest Bayes F1", size=13.0)]
    return over_t(axes, layers, t, says)


def cost_panel(
    memo: Memo, evaluations: Sequence[Evaluation], judged: Evaluation, price: int, t: float
) -> Panel:
    """The cost of each evaluation over t; far above that of no alarm at all it is cut off."""
    none = PER * price * judged.counted.prevalence
    every = PER * (1 - judged.counted.prevalence)
    top = min((1 + 2 / price) * none, 1.05 * max(none, every))
    axes = Axes(
        "cost",
        "Cost over t",
        "threshold t",
        f"cost per {PER:,} points",
        LIMITS,
        (0, top),
        xticks=TICKS,
    )
    curves = [memo(curve_over_t, *each[:-1], price) for each in evaluations]
    return over_t(axes, [*curves, marks.dot(t, cost(judged.at_t, price), color=judged.color)], t)


def over_t(axes: Axes, layers: Sequence[Layer], t: float, says: str = "") -> Panel:
    """A panel over t with a line at t, which can be dragged."""
    top = axes.ylim[1]
    at_t = Lines(name="at_t", label="t", keyed=False, x=t, y=(axes.ylim[0], top), color=T_COLOR)
    grip = handle(t, 0.04 * top, t, "left" if t <= 0.5 else "right")
    return Panel(axes, [*layers, at_t, grip], lambda at: {"t": round(at.x, T_DECIMALS)}, says)


def curve_over_t(
    name: str,
    where: str,
    label: str,
    color: str,
    dash: tuple[float, ...],
    counted: Thresholds,
    price: int = 0,
) -> Lines:
    """F1 at ``T_STEPS``, or with a price of misses the cost."""
    entries = counted.at(T_STEPS)
    y = cost(entries, price) if price else entries.f1
    return marks.curve(f"{'cost' if price else 'f1'}_{name}", label, T_STEPS, y, color, dash)


def cost(entries: Entries, price: int) -> np.ndarray:
    """The cost of ``PER`` points, if a false alarm costs 1."""
    return PER * (entries.fp + price * entries.fn)


def confusion_matrix(entries: Entries, class_names: Sequence[str], held_out: int) -> Panel:
    """Counts by true and predicted class: of the points held out, or without any expected ones per
    ``PER`` new points.

    Each cell is shaded by its fraction of its row.
    """
    counts = (held_out or PER) * np.array([[entries.tn, entries.fp], [entries.fn, entries.tp]])
    texts = [f"{count:.{0 if held_out else 1}f}" for count in counts.ravel()]
    shares = ratio(counts, 0 * counts + counts.sum(axis=1, keepdims=True))
    shades = tuple([f"{NEW_COLOR}{round(DARKEST * share):02X}" for share in shares.ravel()])
    counted = f"{held_out:,} held-out points" if held_out else f"per {PER:,} new points"
    names = tuple(class_names)
    ends = (-0.5, 1.5)
    at = (0.0, 1.0)
    axes = Axes(
        "entries",
        "Confusion matrix",
        f"predicted, of {held_out or PER:,}",
        "true class",
        ends,
        ends,
    )
    axes = replace(axes, xticks=at, yticks=at, xnames=names, ynames=names[::-1])
    # Class 1 is the lowest row, the first one of a raster.
    codes = np.array([[2, 3], [0, 1]], np.uint8)
    layers = (
        Raster(name="shares", codes=codes, palette=shades, extent=(*ends, *ends)),
        Annotations(
            name="counts", x=(0, 1, 0, 1), y=(1, 1, 0, 0), texts=tuple(texts), align="middle"
        ),
    )
    cells = [
        f"{text} {true} predicted {name}"
        for (true, name), text in zip(product(names, names), texts, strict=True)
    ]
    return Panel(axes, layers, says=f"Counts {counted}: {', '.join(cells)}.")


def trade_panel(
    memo: Memo, evaluations: Sequence[Evaluation], on_new: Thresholds, prevalence: float
) -> Panel:
    """The precision-recall curve of each evaluation, and where it is at t; the legend is that of F1
    over t.
    """
    ticks = (0.0, 0.5, 1.0)
    axes = Axes("trade", "Precision-recall", "recall of class 1", "precision", LIMITS, LIMITS)
    level = Lines(
        name="prevalence",
        label="prevalence",
        x=LIMITS,
        y=prevalence,
        color=style.MUTED,
        dash=(3, 3),
    )
    layers: list[Layer] = [level]
    layers += [
        memo(trade_curve, each.name, each.color, each.dash, each.counted) for each in evaluations
    ]
    for each in evaluations:
        # Precision is 0 / 0 where class 1 is never predicted.
        predicted = each.at_t.tp + each.at_t.fp > 0
        x, y = (each.at_t.recall, each.at_t.precision) if predicted else ((), ())
        layers += [marks.dot(x, y, f"here_{each.name}", None, each.color, 2, 13.0)]
    return Panel(
        replace(axes, xticks=ticks, yticks=ticks),
        layers,
        lambda at: {"t": threshold_of_recall(on_new, at.x)},
    )


def trade_curve(name: str, color: str, dash: tuple[float, ...], counted: Thresholds) -> Lines:
    """Precision over recall, for all t at which class 1 is predicted."""
    entries = counted.at(T_STEPS)
    found = entries.tp + entries.fp > 0
    x = entries.recall[found]
    y = entries.precision[found]
    return Lines(name=f"trade_{name}", x=x, y=y, color=color, dash=dash, width=2.5)


def threshold_of_recall(counted: Thresholds, recall: float) -> float:
    """The threshold at which recall is nearest to this one, rounded down to a step of the
    slider.
    """
    nearest = abs(counted.at_levels.recall - recall).argmin()
    return math.floor(counted.levels[nearest] * 10**T_DECIMALS) / 10**T_DECIMALS


RIGHT = rows(("f1", 0, 256), ("cost", 0, 256), ("entries", 0, 200))
#: By dimension: in the plane the map is as high as wide.
MAPS = {1: ("map", 0.0, 256), 2: ("map", 1.0)}
LAYOUTS = {
    d: columns(rows(each, ("trade", 0, 200)), RIGHT, ratios=(25, 21)) for d, each in MAPS.items()
}

APPENDIX_C = "Khim et al., appendix C"
WAVE = {"problem": "one wave against the rest", "x1": 0.25}
TEN_BILLION = {"t": 0.287, "bounds": AS_SET, "epsilon": 0.001, "bound_n": 10**10}


#: Numbers with three decimals.
THIRDS = {"reached at t": 3, "epsilon in the bounds": 3}


class ThresholdLab(Lab):
    """Line (or Map), F1 and cost over t, Confusion matrix, and precision against recall, for two
    classes.

    On a line, ``bounds`` adds bounds from Proposition 3 of Khim et al. to F1 over t.

    Examples
    --------
    >>> from knnviz.labs import ThresholdLab
    >>> found = ThresholdLab(problem="rare class").readout()
    >>> found["reached at t"], found["largest Bayes F1"]
    (0.228248, 0.456497)
    """

    title = "a weight is a threshold"
    table = PARAMETERS
    ranges = ranges
    adjust = adjust
    recipe = recipe
    parts = (training_data, plane)
    own_data = sources
    layout = LAYOUTS[1]
    decimals = THIRDS
    presets = (
        Preset("Rare class: equal weights", APPENDIX_C, {}),
        Preset("Rare class: t by F1", APPENDIX_C, {"t": 0.228}),
        Preset("Rare class: t by prevalence", APPENDIX_C, {"t": 0.057}),
        Preset("One wave: t by F1", "Khim et al., section 5", WAVE | {"t": 0.287}),
        Preset("One wave: ten billion points", "Khim et al., Corollary 9", WAVE | TEN_BILLION),
    )
