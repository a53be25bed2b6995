"""NoiseLab: kNN and robust kNN on labels that were flipped, and how robust kNN estimates the flip
rates.

The smoothed label of a training point is the fraction of class 1 among its own label and those of
its k' nearest neighbors. Their smallest value estimates p0, their largest 1 - p1, and their
midrange the threshold of robust kNN. Points are misled where noisy eta is on the wrong side of the
rule's threshold, so that more neighbors do not help.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz import risk
from knnviz.labs.engine import (
    ByName,
    Cell,
    Choice,
    Click,
    Count,
    Float,
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
)
from knnviz.labs.parts import data as training_data
from knnviz.labs.parts import label_noise, plane, risk_curve, sources
from knnviz.labs.parts.data import Data
from knnviz.labs.parts.label_noise import P0, P1
from knnviz.labs.parts.over_threshold import (
    LIMITS,
    STEPS,
    TICKS,
    Pulled,
    of_votes,
    over_threshold,
    with_handle,
)
from knnviz.labs.parts.plane import LARGEST_K, Overlay, Query
from knnviz.labs.parts.profile import profile_panel
from knnviz.labs.parts.risk_curve import BAYES_DASH, HELD_OUT_ERROR, OFF, risk_panel
from knnviz.labs.parts.robust_rules import COLORS, DEGENERATE, STYLES, risk_markers, threshold_lines
from knnviz.labs.parts.sources import TWO_CLASSES, Source, named
from knnviz.neighbors import NeighborTable, SpatialIndex
from knnviz.noise import LabelNoise, Rates, decimal_fraction, misled_points, smoothed
from knnviz.profiles import VoteProfile
from knnviz.rules import Robust, Rule, Threshold, Vote
from knnviz.views import extremes as extremes_view
from knnviz.views import line as line_view
from knnviz.views import marks, style
from knnviz.views import sets as set_view
from knnviz.views.layers import Axes, Lines
from knnviz.views.marks import Level, level_line
from knnviz.weights import Thresholds

#: Risks that are further apart have room for a name between their lines.
ROOM_FOR_NAMES = 0.04

#: How robust kNN knows the flip rates; without them the threshold is pulled by hand.
ESTIMATED = "estimated from k'"
KNOWN = "known"
BY_HAND = "none: set the threshold"
RATES = (ESTIMATED, KNOWN, BY_HAND)

#: Rules that can be drawn; of both, the map shows the regions of robust kNN.
BOTH = "kNN and robust kNN"
PLAIN = "kNN"
ROBUST = "robust kNN"
RULES = (BOTH, PLAIN, ROBUST)

#: What a rule is called, by how it knows the flip rates.
NAMES = {"plain": PLAIN, "known": ROBUST, "estimated": ROBUST, "pulled": "kNN at θ"}

#: Sets of points that the map can show above regions.
DIFFERENCE = "where the rules differ"
MISLED = "misled points"
BAR = "points of one bar"
REGIONS_ONLY = "regions only"
SETS = (DIFFERENCE, MISLED, BAR, REGIONS_ONLY)
SETS_WHY = "to differ takes two rules, misled points a known eta, and bars estimated flip rates"

#: How far along a line the grip of the threshold is, clear of the name of noisy eta.
GRIP_AT = 0.93

#: How the points of a bar are drawn.
LIT_MARKER = 0
LIT_SIZE = 9.0

#: How many neighbors of each training point are looked up, itself included: few at first, then
#: enough for all k'.
TABLE_SIZES = (101, LARGEST_K + 1)

#: Errors that can be drawn besides those of the current sample: over k, or of a threshold that is
#: pulled over all thresholds.
OVER_K = "over k"
OVER_THETA = "over θ"
ON_BOTH = "over θ, also on noisy labels"
CURVES = (OFF, OVER_K, OVER_THETA, ON_BOTH)

#: Thresholds at which limits are drawn; the names of these, and how their curves are drawn.
THETAS = STEPS[::5]
ON_TRUE = "true labels"
ON_NOISY = "noisy labels"
LIMIT_STYLES: dict[str, Any] = {
    ON_TRUE: {"color": style.INK},
    ON_NOISY: {"color": style.MUTED, "dash": (9, 3, 2, 3)},
}

#: The part of its lower end up to which an error over the threshold is drawn.
THETA_HEADROOM = 1.1

#: The k of the points of a risk curve, and the cells a side over which one in the plane is
#: integrated.
KS = tuple(sorted({2 * round(k / 2 - 0.5) + 1 for k in np.geomspace(1, LARGEST_K - 1, 13)}))
CURVE_CELLS = 64

#: Where labels tie.
HALF = Level(0.5, "half", "one half", (3, 3), style.MUTED)

K_NOISE_TIP = "Number of neighbors whose labels smooth that of a training point"
THRESHOLD_TIP = "Predict class 1 where its fraction of the votes reaches theta"
IN_ROBUST = {"rules": (BOTH, ROBUST)}
IN_SMOOTHING = IN_ROBUST | {"rates": (ESTIMATED,)}
PULLED = IN_ROBUST | {"rates": (BY_HAND,)}

PARAMETERS = (
    "Data",
    Choice("problem", TWO_CLASSES, "*problem*", "Where the points come from"),
    replace(training_data.N, default=4000),
    training_data.SEED,
    "Label noise",
    replace(P0, default=0.1),
    replace(P1, default=0.3),
    "Rules",
    Choice("rules", RULES, "*rules*", "Rules that are drawn"),
    replace(plane.K, default=51),
    Choice(
        "rates",
        RATES,
        "flip rates",
        "Flip rates from which robust kNN gets its threshold",
        when=IN_ROBUST,
    ),
    Int(
        "k_noise",
        100,
        1,
        LARGEST_K,
        "neighbors for the noise *k'*",
        K_NOISE_TIP,
        when=IN_SMOOTHING,
    ),
    Float("threshold", 0.5, 0, 1, "threshold *θ*", THRESHOLD_TIP, when=PULLED),
    "Sets and curves",
    Choice("overlay", SETS, "show", "Set of points that the map shows"),
    Choice(
        "curve",
        CURVES,
        "curve",
        "Draw the mean risk over ten samples, or errors over θ",
        draws=("risk",),
    ),
    *plane.PARAMETERS,
)


def ranges(values: ByName) -> dict[str, Any]:
    """k up to n, k' below n, sets that need a known distribution, where the rules differ if both
    are drawn, and the curves that a rule has.
    """
    source = named(values["problem"])
    rules = values["rules"]
    n = values["n"]
    is_known = source.eta is not None
    is_estimated = rules != PLAIN and values["rates"] == ESTIMATED
    has = {DIFFERENCE: rules == BOTH, MISLED: is_known, BAR: is_estimated, REGIONS_ONLY: True}
    sets = tuple(name for name in SETS if has[name])
    curves: tuple[str, ...] = (OFF, OVER_K)
    if rules != PLAIN and values["rates"] == BY_HAND:
        curves = (OFF, OVER_THETA, ON_BOTH) if is_known else (OFF, OVER_THETA)
    return {
        "k": plane.k_range(n),
        "k_noise": Range((1, min(LARGEST_K, max(n - 1, 1))), "k' must be below n"),
        "overlay": Range(sets, SETS_WHY),
        "curve": Range(curves, "only a threshold set by hand moves along theta"),
    }


def adjust(values: ByName, changes: ByName, before: ByName) -> None:
    """Data have two classes, or ValueError."""
    source = named(values["problem"])
    if source.n_classes != 2:
        raise ValueError(f"label noise needs two classes, but {source.name} has {source.n_classes}")


def recipe(p: Values, memo: Memo) -> Shown:
    """Sample and rules, then their risks at new points, the overlay, and the panels."""
    data = training_data.data(p, memo)
    noise = LabelNoise(p.p0, p.p1)
    problem = data.problem
    labels = memo(noise.flip, data.sample.y, data.sample.v)

    def counts() -> np.ndarray:
        return smoothed_counts(p, memo, data.index, labels)

    rules, rates = chosen_rules(p, memo, counts)
    *_, shown = rules
    lines = threshold_lines(rules)
    threshold = lines[-1].value
    voting = plane.voting(p, memo, data, labels)
    cells = voting.cells
    x = voting.x
    eta = cells.field.eta
    noisy_eta = None if eta is None else memo(noise.corrupt, eta)
    decided = {name: memo(each.predict, cells.votes, p.k) for name, each in rules.items()}
    at_x = plane.numbers_at_x(voting, rules[shown])

    new = plane.new_points(p, memo, voting)
    risks = {}
    for name, each in rules.items():
        predictions = memo(each.predict, new.votes, p.k)
        risks[name] = memo(new.error, predictions)

    truth = data.truth
    limits: Any = None if eta is None else memo(risk.Limits.from_eta, truth.eta, truth.weights)
    overlay = Overlay()
    nearest = None
    if p.overlay == DIFFERENCE:
        measure = cells.field.measure
        overlay = memo(difference, problem, decided["plain"], decided[shown], measure)
    elif p.overlay == BAR:
        fractions = memo(np.divide, counts(), p.k_noise + 1)
        nearest = int(x.table.indices[0, 0])
        overlay = memo(bar_overlay, problem, data.index.X, fractions, nearest)
    elif p.overlay == MISLED:
        inside = memo(misled_points, eta, noisy_eta, threshold)
        overlay = memo(plane.with_mass, problem, inside, MISLED, "misled mass", "\\")

    levels = []
    vote = None
    one_nn = None
    if limits and "plain" in rules:
        vote = limits.vote(noise)
        one_nn = limits.one_nn(noise)
        levels = [limit_of_knn(vote, truth.bayes_risk)]

    measured = "held-out error" if eta is None else "risk"
    numbers = {
        **{f"{measured} of {NAMES[name]}": each for name, each in risks.items()},
        "Bayes risk": truth.bayes_risk,
        "limit of kNN": vote,
        "limit of 1-NN": one_nn,
        "estimated p0": rates and float(rates.p0),
        "estimated p1": rates and float(rates.p1),
        "threshold": None if shown == "plain" else threshold,
        "class 1, of 100 labels at x": memo(label_noise.labels_at_x, problem, x.x, noise),
        "eta at x": problem.eta and float(problem.eta(x.x[None])[0, 1]),
        **memo(at_threshold, limits, noise, p.threshold, p.k, shown),
        **overlay.numbers,
        **at_x,
        "labels flipped": int(np.sum(labels != data.sample.y)),
        "note": DEGENERATE if rates and rates.degenerate else None,
    }

    pulled = Pulled("threshold", "θ", p.threshold, 2)

    def map_panel() -> Panel:
        drawn_eta = noisy_eta if noise != LabelNoise() else None
        if {*p.panels} == {"map", "flips"} and problem.dimension == 1:
            along = memo(np.ravel, cells.field.grid.points)
            return memo(expected_panel, problem, along, eta, drawn_eta, p.x1)
        # Where nothing else is of x, it would be one mark more.
        has_x = "x1" in p.controls or "votes" in p.panels
        around = x if has_x and p.overlay != BAR else None
        shown_x = voting._replace(x=around)
        curves = memo(plane.curves, memo, shown_x, lines, drawn_eta)
        drawn = decided[shown], overlay, p.display.max_points, curves
        panel = memo(plane.map_panel, memo, shown_x, *drawn)
        if p.overlay == BAR:
            panel = memo(with_smoothed, panel, data, labels, nearest, p.k_noise + 1)
        if shown == "pulled" and problem.dimension == 1:
            panel = memo(with_handle, panel, pulled, GRIP_AT)
        return memo(plane.decided_by, panel, NAMES[shown])

    def vote_panel() -> Panel:
        # The first threshold is the one that may be pulled.
        drawn = at_x["decision at x"], lines[::-1], noise, None
        pull = pulled.to if shown == "pulled" else None
        return memo(profile_panel, memo, voting, *drawn, pull)

    def risks_panel() -> Panel:
        if shown == "pulled":
            if limits:
                names = (ON_TRUE, ON_NOISY) if p.curve == ON_BOTH else (ON_TRUE,)
                curves = [memo(limit_over_theta, limits, noise, name) for name in names]
            else:
                counted = memo(of_votes, new.votes, p.k, new.truth)
                curves = [memo(error_over_theta, counted)]
            return memo(over_theta, curves, pulled, p.curve != OFF)
        means = None
        styles = None
        if p.curve == OVER_K:
            means = mean_curve(p, memo, problem, noise, rules)
            styles = {name: STYLES[name] for name in rules}
        drawn = means, truth.bayes_risk, levels, risk_markers(risks), styles
        return memo(risk_panel, "k", p.k, *drawn, (0.9, 1.1 * LARGEST_K))

    panels = {
        "map": map_panel,
        "votes": vote_panel,
        "extremes": lambda: memo(extremes_panel, counts(), p.k_noise, noise, data, nearest),
        "risk": risks_panel,
    }
    if problem.eta:
        panels["flips"] = lambda: memo(label_noise.flips_panel, problem, x.x, noise)
    return Shown(panels, numbers, layout_of(panels))


def smoothed_counts(p: Values, memo: Memo, index: SpatialIndex, labels: np.ndarray) -> np.ndarray:
    """The smoothed labels times k' + 1, of few neighbors first if these are not enough yet."""
    sizes = sorted({min(size, p.n) for size in TABLE_SIZES})
    if p.k_noise < sizes[0]:
        del sizes[1:]
    table = memo.refine(training_table, sizes, index)
    if table.k_max <= p.k_noise:
        table = memo(training_table, p.k_noise + 1, index)
    votes = memo(VoteProfile.build, table, labels, 2)
    return memo(smoothed, votes, labels, p.k_noise)


def chosen_rules(
    p: Values, memo: Memo, counts: Callable[[], np.ndarray]
) -> tuple[dict[str, Rule], Any]:
    """Rules by how they know the flip rates, of which the map shows the last, and rates that are
    estimated.
    """
    rules: dict[str, Rule] = {}
    if p.rules != ROBUST:
        rules["plain"] = Vote()
    if p.rules == PLAIN:
        return rules, None
    if p.rates == BY_HAND:
        return rules | {"pulled": Threshold(decimal_fraction(p.threshold))}, None
    if p.rates == KNOWN:
        return rules | {"known": Robust((p.p0, p.p1))}, None
    rates = memo(Rates.from_votes, counts(), p.k_noise)
    return rules | {"estimated": Robust(rates)}, rates


def mean_curve(
    p: Values, memo: Memo, problem: Source, noise: LabelNoise, rules: Mapping[str, Rule]
) -> risk.RiskCurve | None:
    """Mean risks of the rules on fresh samples, on which rates are estimated anew."""
    if "estimated" in rules:
        rules = {**rules, "estimated": Robust(k_noise=p.k_noise)}
    on_line, in_plane = p.resolution.integral_cells
    few = replace(p.resolution, integral_cells=(on_line, min(CURVE_CELLS, in_plane)))
    return memo.stream(
        risk.stream,
        problem,
        rules,
        over={"k": [k for k in KS if k <= p.n]},
        n=p.n,
        noise=noise,
        resolution=few,
        repeats=max(1, p.resolution.repeats // 2),
    )


def training_table(size: int, index: SpatialIndex) -> NeighborTable:
    """Neighbors of each training point, itself the first."""
    return NeighborTable.build(index, None, size)


def difference(problem: Source, plain: np.ndarray, robust: np.ndarray, measure: Any) -> Overlay:
    """Where the rules differ; for a data set its share of the map."""
    inside = plain != robust
    mass = inside.mean() if measure is None else measure.weights[inside].sum()
    region = set_view.region(problem, inside, "set", DIFFERENCE, hatch="\\")
    return Overlay((region,), {"rules differ on": float(mass)})


def expected_panel(
    problem: Any, along: np.ndarray, eta: np.ndarray, noisy_eta: Any, x: float
) -> Panel:
    """eta along a line, and noisy eta (m, 2) unless nothing flips, in the colors of the labels that
    are more frequent, and x, which is pulled.
    """
    curves = line_view.eta_curves(along, eta)
    if noisy_eta is None:
        noisy_eta = eta
    else:
        curves += line_view.noisy_curves(along, noisy_eta)
    most = noisy_eta.argmax(axis=1)
    axes = replace(
        line_view.axes(problem),
        title="Line: the more frequent label",
        yticks=line_view.Y_TICKS,
        ynames=(),
        ylim=(-0.02, 1.2),
    )
    half = level_line(HALF, axes.xlim)
    named = [*line_view.region_names(problem, most), line_view.query(problem, x)]
    return Panel(axes, [set_view.regions(problem, most), *curves, half, *named], plane.clicked)


def bar_overlay(source: Source, X: np.ndarray, fractions: np.ndarray, nearest: int) -> Overlay:
    """The training points X (n, d) whose smoothed labels (n,) are in the same bar as that of the
    one that is nearest to x; on a line at the heights of these.
    """
    bars = extremes_view.bars(fractions)
    inside = bars == bars[nearest]
    y = X[inside, 1] if source.dimension == 2 else fractions[inside]
    points = marks.dot(X[inside, 0], y, "lit", BAR, COLORS["estimated"], LIT_MARKER, LIT_SIZE)
    count = Count(int(inside.sum()), len(X))
    numbers = {"smoothed label at x": float(fractions[nearest]), BAR: count}
    return Overlay((points,), numbers)


def with_smoothed(panel: Panel, data: Data, labels: np.ndarray, nearest: int, size: int) -> Panel:
    """A map with the training point whose smoothed label is the mean of ``size`` labels, and the
    ball of these; a click takes another one.
    """
    x = data.index.X[nearest]
    table = plane.nearest(data.index, x, size)
    votes = VoteProfile.build(table, labels, 2)
    ball, cross = plane.around(data.problem, Query(x, table, votes), size)
    ball = replace(ball, label="ball of the smoothed labels", at="in words")
    # The points of the bar lie above the others.
    regions, lit, points, *others = panel.layers
    faded = replace(points, opacity=set_view.FADED)
    for at, layer in enumerate(others):
        if layer.name == "drawn":
            others[at] = replace(layer, texts=(f"{layer.texts[0]}, and all of one bar",))
    return replace(panel, layers=(regions, faded, lit, *others, ball, cross), click=plane.clicked)


def at_threshold(
    limits: Any, noise: LabelNoise, threshold: float, k: int, shown: str
) -> dict[str, Any]:
    """Numbers of a threshold that is set: how many of k votes reach it, and the limits there."""
    if shown != "pulled":
        return {}
    needed = Threshold(decimal_fraction(threshold)).min_votes(k)
    numbers: dict[str, Any] = {"votes that reach θ": Count(needed, k)}
    if limits:
        numbers["limit of kNN at θ"] = limits.vote(noise, threshold)
        numbers[f"limit of kNN at θ, {ON_NOISY}"] = limits.vote(noise, threshold, on_noisy=True)
    return numbers


def limit_over_theta(limits: risk.Limits, noise: LabelNoise, name: str) -> Lines:
    """A limit of kNN over its threshold."""
    on_noisy = name == ON_NOISY
    y = [limits.vote(noise, theta, on_noisy=on_noisy) for theta in THETAS.tolist()]
    line = marks.curve(name, name, THETAS, np.array(y), **LIMIT_STYLES[name])
    return marks.named_along(line, 1, "below" if on_noisy else "center")


def error_over_theta(counted: Thresholds) -> Lines:
    """The held-out error of kNN over its threshold: a step at each whole number of votes."""
    entries = counted.at(STEPS)
    errors = entries.fp + entries.fn
    return marks.curve(HELD_OUT_ERROR, HELD_OUT_ERROR, STEPS, errors, at="in words")


def over_theta(curves: Sequence[Lines], pulled: Pulled, drawn: bool) -> Panel:
    """Errors at the threshold as dots, and if they are ``drawn`` over all thresholds; far above
    that of predicting one class alone they are cut off.
    """
    first = curves[0]
    top = THETA_HEADROOM * float(min(first.y[0], first.y[-1]))
    title = "Held-out error at θ"
    counted = "error"
    if first.name == ON_TRUE:
        title = "Limit of kNN at θ"
        counted = "error on true labels" if len(curves) == 1 else "error on true or noisy labels"
    axes = Axes("risk", title, "threshold θ", counted, LIMITS, (0, top), xticks=TICKS)
    dots = []
    for line in curves:
        here = np.interp(pulled.value, line.x, line.y)
        dots.append(marks.dot(pulled.value, here, f"here {line.name}", color=line.color))
    return over_threshold(axes, [*(curves if drawn else ()), *dots], pulled)


def limit_of_knn(limit: float, bayes_risk: float) -> Level:
    """The limit of the risk; where it is the Bayes risk they are one line with two names."""
    is_bayes = np.isclose(limit, bayes_risk)
    is_apart = limit > bayes_risk + ROOM_FOR_NAMES
    dash = BAYES_DASH if is_bayes else (2, 3)
    return Level(limit, "limit", "limit of kNN", dash, align="below" if is_apart else "center")


def extremes_panel(
    counts: np.ndarray, k_noise: int, noise: LabelNoise, data: Data, lit: int | None
) -> Panel:
    """The histogram of smoothed labels, their smallest and largest value, the midrange, and the
    thresholds of kNN and of robust kNN with known rates.

    If the bar of a training point is ``lit``, a click on another one moves x to a point of that.
    """
    fractions = counts / (k_noise + 1)
    of_points = extremes_view.bars(fractions)
    color = COLORS["estimated"]
    bars = extremes_view.histogram(fractions, None if lit is None else of_points[lit], color)
    levels = extremes_view.levels(fractions, color)
    known = Robust((noise.p0, noise.p1))
    thresholds = threshold_lines({"plain": Vote(), "known": known})
    others = [level_line(each, (0, extremes_view.END)) for each in thresholds]
    says = extremes_view.describe(fractions, k_noise)

    def click(at: Click) -> dict[str, float]:
        clicked = extremes_view.bars(np.clip(at.y, 0, 1))
        nearest = of_points[abs(of_points - clicked).argmin()]
        return point_to(data, np.flatnonzero(of_points == nearest))

    layers = (bars, *others, *levels)
    return Panel(extremes_view.axes(), layers, None if lit is None else click, says)


def point_to(data: Data, candidates: np.ndarray) -> dict[str, float]:
    """The first of some training points that is the nearest one after its place was rounded."""
    place: dict[str, float] = {}
    for each in candidates:
        place = plane.place(data.problem, data.index.X[each])
        at = np.array([*place.values()])
        if plane.nearest(data.index, at, 1).indices[0, 0] == each:
            break
    return place


#: Panels beside the map, and their heights.
HEIGHTS = {"flips": 60, "votes": 190, "extremes": 150, "risk": 150}


def layout_of(panels: Collection[str]) -> Any:
    """The layout that has these panels."""
    beside = [Cell(name, height=HEIGHTS[name]) for name in HEIGHTS if name in panels]
    return columns(("map", 1.0), rows(*beside), ratios=(7, 6))


FIGURE_1 = {"n": 8000, "k": 101, "k_noise": 100, "curve": OVER_K}
SYMMETRIC = {"p0": 0.2, "p1": 0.2}
MISLED_BY_KNN = {"rules": PLAIN, "overlay": MISLED}
ONE_NEIGHBOR = SYMMETRIC | {"n": 8000, "k": 1, "rules": PLAIN, "overlay": REGIONS_ONLY}


class NoiseLab(Lab):
    """Map, or Line with noisy eta, profile at x, Extremes, and Risk of kNN and robust kNN on labels
    that were flipped.

    Source: Gao et al., section 6.

    Examples
    --------
    >>> from knnviz.labs import NoiseLab
    >>> found = NoiseLab(problem="two levels", n=500, p0=0.0, p1=0.4).readout()
    >>> (
    ...     found["limit of kNN"],
    ...     found["risk of kNN"],
    ...     found["risk of robust kNN"],
    ...     found["Bayes risk"],
    ... )
    (0.5, 0.46745, 0.342711, 0.33)
    """

    title = "Label noise"
    table = PARAMETERS
    ranges = ranges
    adjust = adjust
    recipe = recipe
    parts = (training_data, label_noise, plane, risk_curve)
    own_data = sources.OWN
    layout = layout_of(HEIGHTS)
    presets = (
        Preset("kNN, asymmetric noise", "Gao et al., Figure 1(a)", FIGURE_1 | MISLED_BY_KNN),
        Preset(
            "kNN, symmetric noise", "Gao et al., Figure 1(b)", FIGURE_1 | SYMMETRIC | MISLED_BY_KNN
        ),
        Preset("One neighbor and more data", "Gao et al., Figure 1(c)", ONE_NEIGHBOR),
        Preset("Robust kNN, asymmetric noise", "Gao et al., Figure 1(d)", FIGURE_1),
        Preset(
            "More votes do not repair it",
            "Gao et al., Figure 1(a)",
            FIGURE_1 | {"p1": 0.4, "k": LARGEST_K} | MISLED_BY_KNN,
        ),
        Preset(
            "Collapse: p1 above 1/2",
            "Gao et al., section 3",
            FIGURE_1 | {"p0": 0.0, "p1": 0.6} | MISLED_BY_KNN,
        ),
        Preset("k' = 5 sees no noise", "Gao et al., Figure 3", FIGURE_1 | {"k_noise": 5}),
    )
