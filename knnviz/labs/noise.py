"""NoiseLab: kNN and robust kNN on labels that were flipped, and how robust kNN estimates the flip
rates.

The smoothed label of a training point is the fraction of class 1 among its own label and those of
its k' nearest neighbors. Their smallest value estimates p0, their largest 1 - p1, and their
midrange the threshold of robust kNN. Points are misled where noisy eta is on the wrong side of the
rule's threshold, so that more neighbors do not help; hard points are these, and points where noisy
eta is within a margin of the threshold.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from knnviz import risk
from knnviz.labs.engine import (
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
from knnviz.labs.parts.data import Data, least_n, sizes_from
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
from knnviz.problems import Resolution
from knnviz.profiles import VoteProfile
from knnviz.rules import Robust, Rule, Threshold, Vote
from knnviz.views import extremes as extremes_view
from knnviz.views import marks, style
from knnviz.views import sets as set_view
from knnviz.views.layers import Axes, Lines
from knnviz.views.marks import Level, level_line
from knnviz.weights import Thresholds

#: Risks that are further apart have room for a name between their lines.
ROOM_FOR_NAMES = 0.04

#: How robust kNN knows the flip rates.
FROM_K_NOISE = "estimated from k'"
FROM_K = "estimated from k - 1"
KNOWN = "known"
BOTH_WAYS = "known, and estimated from k'"

#: Without them: the threshold is pulled by hand.
BY_HAND = "none: set the threshold"
RATES = (FROM_K_NOISE, FROM_K, KNOWN, BOTH_WAYS, BY_HAND)

#: Rules that can be drawn; of both, the map shows the regions of robust kNN.
BOTH = "kNN and robust kNN"
PLAIN = "kNN"
ROBUST = "robust kNN"
RULES = (BOTH, PLAIN, ROBUST)

#: Sets of points that the map can show above regions.
DIFFERENCE = "where the rules differ"
MISLED = "misled points"
HARD = "hard points"
BAR = "points of one bar"
REGIONS_ONLY = "regions only"
SETS = (DIFFERENCE, MISLED, HARD, BAR, REGIONS_ONLY)

#: How far along a line the grip of the threshold is, clear of the name of noisy eta.
GRIP_AT = 0.93

#: How the points of a bar are drawn.
LIT_MARKER = 0
LIT_SIZE = 9.0

#: The number that each has.
MASSES = {DIFFERENCE: "rules differ on", MISLED: "misled mass", HARD: "hard mass"}

#: Largest k and k', and how many neighbors of each training point are looked up, itself included:
#: few at first, then enough for all k', or for all k - 1.
MOST_K = 800
MOST_K_NOISE = 400
FIRST_SIZE = 101
TABLE_SIZES = (MOST_K_NOISE + 1, MOST_K + 1)

#: Risk curves that can be drawn.
OVER_K = "over k"
OVER_K_NOISE = "over k'"
OVER_N = "over n"
GROWING_K = "over n, k grows"
OVER_THETA = "over θ"
ON_BOTH = "over θ, also on noisy labels"

#: The parameter on the x axis of each, and without one.
AXES = {OFF: "k", OVER_K: "k", OVER_K_NOISE: "k'", OVER_N: "n", GROWING_K: "n"}
CURVES = (*AXES, OVER_THETA, ON_BOTH)

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

#: Where that axis ends, beyond the largest value.
AXIS_ENDS = {"k": 900, "k'": 450, "n": 9500}

#: The k, k' and n of the points of a risk curve, and the cells a side over which one in the plane
#: is integrated.
KS = tuple(sorted({2 * round(k / 2 - 0.5) + 1 for k in np.geomspace(1, 799, 16)}))
K_NOISES = (1, 2, 5, 10, 20, 35, 50, 75, 100, 150, 200, 300, 400)
SIZES = (60, 120, 250, 500, 1000, 2000, 4000, 8000)
CURVE_CELLS = 64

K_NOISE_TIP = "Number of other neighbors that smooth a training label"
VARIANT_TIP = (
    "Decide by the moved threshold, or by the printed correction; they differ on ties only"
)
THRESHOLD_TIP = "Class 1 where its fraction of the votes reaches theta"
MARGIN_TIP = "Hard points do not clear the threshold by this much"
IN_HARD = {"overlay": (HARD,)}
IN_ROBUST = {"rules": (BOTH, ROBUST)}
IN_SMOOTHING = IN_ROBUST | {"rates": (FROM_K_NOISE, KNOWN, BOTH_WAYS, BY_HAND)}
IN_RATES = IN_ROBUST | {"rates": RATES[:-1]}
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
    Int("k", 51, 1, MOST_K, "neighbors *k*", "Number of neighbors that vote", short=LARGEST_K),
    Choice(
        "rates",
        RATES,
        "flip rates",
        "Flip rates by which robust kNN moves its threshold",
        when=IN_ROBUST,
    ),
    Int(
        "k_noise",
        100,
        1,
        MOST_K_NOISE,
        "neighbors for the noise *k'*",
        K_NOISE_TIP,
        when=IN_SMOOTHING,
    ),
    Choice("variant", ("threshold", "gao"), "variant", VARIANT_TIP, when=IN_RATES),
    Float("threshold", 0.5, 0, 1, "threshold *theta*", THRESHOLD_TIP, when=PULLED),
    "Sets and curves",
    Choice("overlay", SETS, "show", "A set that the map shows"),
    Float("margin", 0.05, 0, 0.5, "margin *Delta*", MARGIN_TIP, when=IN_HARD),
    Choice("curve", CURVES, "risk curve", "Mean risk over ten fresh samples"),
    *plane.PARAMETERS,
)


def ranges(values: Mapping[str, Any]) -> dict[str, Any]:
    """k up to n, k' below n, sets that need a known distribution, and where the rules differ if
    both are drawn.
    """
    source = named(values["problem"])
    rules = values["rules"]
    n = values["n"]
    found: dict[str, Any] = {}
    found["k"] = Range((1, min(MOST_K, n)), "k is at most n")
    found["k_noise"] = Range((1, min(MOST_K_NOISE, max(n - 1, 1))), "k' is below n")

    sets: tuple[str, ...] = SETS
    why = ""
    if source.eta is None:
        sets = (DIFFERENCE, BAR, REGIONS_ONLY)
        why = f"other sets need a known distribution, but {source.name} is data"
    if rules != BOTH:
        sets = tuple([each for each in sets if each != DIFFERENCE])
        why = why or "only two rules can differ"
    found["overlay"] = Range(sets, why)
    if rules == PLAIN or values["rates"] == KNOWN:
        curves = tuple([each for each in AXES if each != OVER_K_NOISE])
        found["curve"] = Range(curves, "only estimated rates need k', only a set threshold theta")
    elif values["rates"] != BY_HAND:
        found["curve"] = Range(tuple(AXES), "only a threshold that is set moves along theta")
    else:
        curves = tuple([each for each in CURVES if each != OVER_K_NOISE])
        if source.eta is None:
            curves = tuple([each for each in curves if each != ON_BOTH])
        found["curve"] = Range(curves, "only estimated rates need k', only a limit noisy labels")
    return found


def adjust(
    values: dict[str, Any], changes: Mapping[str, Any], before: Mapping[str, Any]
) -> list[str]:
    """Both rules show where they differ; a k' of n or more, over which labels are nearly equal,
    becomes n / 4.
    """
    source = named(values["problem"])
    if source.n_classes != 2:
        raise ValueError(f"label noise needs two classes, but {source.name} has {source.n_classes}")
    if values["rules"] == BOTH and "rules" in changes and "overlay" not in changes:
        values["overlay"] = DIFFERENCE

    n = min(values["n"], source.max_size or values["n"])
    k_noise = values["k_noise"]
    if "k_noise" in changes or k_noise < n:
        return []
    quarter = max(n // 4, 1)
    values["k_noise"] = quarter
    return [f"neighbors for the noise k' moved from {k_noise} to {quarter}, a quarter of n."]


def recipe(p: Values, memo: Memo) -> Shown:
    """Sample and rules, then their risks at new points, the overlay, and the panels."""
    data = training_data.data(p, memo)
    noise = LabelNoise(p.p0, p.p1)
    problem = data.problem
    labels = memo(noise.flip, data.sample.y, data.sample.v)
    k_end = MOST_K if p.k > LARGEST_K else LARGEST_K
    k_max = min(k_end, p.n)
    k_noise = max(p.k - 1, 1) if p.rates == FROM_K else p.k_noise

    def counts() -> np.ndarray:
        return smoothed_counts(p, memo, data.index, labels, k_noise)

    chosen = chosen_rules(p, memo, counts, k_noise)
    rules = chosen.rules
    shown = chosen.shown
    names = {"plain": "kNN", "known": "robust kNN with known rates", "pulled": "kNN at θ"}
    if shown in ("known", "estimated"):
        names[shown] = "robust kNN"

    # With a large k regions are smooth, and half the cells a side are enough.
    share = 0.5 if p.k > LARGEST_K else 1.0
    cells = plane.cells(p, memo, data, labels, k_max, share)
    eta = cells.field.eta
    noisy_eta = None if eta is None else memo(noise.corrupt, eta)
    x = plane.query(p, memo, data, labels, k_max)
    decided = {name: memo(each.predict, cells.votes, p.k) for name, each in rules.items()}
    decision = plane.decision_at(problem, x, rules[shown], p.k)

    new = plane.new_points(p, memo, data, labels, cells, p.k)
    risks = {}
    for name, each in rules.items():
        predictions = memo(each.predict, new.votes, p.k)
        risks[name] = memo(new.error, predictions)

    truth = data.truth
    limits: Any = None if eta is None else memo(risk.Limits.from_eta, truth.eta, truth.weights)
    overlay = Overlay()
    if p.overlay == DIFFERENCE:
        measure = cells.field.measure
        overlay = memo(difference, problem, decided["plain"], decided[shown], measure)
    elif p.overlay == BAR:
        fractions = memo(np.divide, counts(), k_noise + 1)
        nearest = int(x.table.indices[0, 0])
        overlay = memo(bar_overlay, problem, data.index.X, fractions, nearest)
    elif p.overlay != REGIONS_ONLY:
        margin = p.margin if p.overlay == HARD else 0.0
        inside = memo(misled_points, eta, noisy_eta, chosen.threshold, margin)
        mass = limits.misled(noise, chosen.threshold, margin)
        overlay = memo(set_overlay, problem, p.overlay, inside, mass)

    levels = []
    vote = None
    one_nn = None
    if limits and "plain" in rules:
        vote = limits.vote(noise)
        one_nn = limits.one_nn(noise)
        levels.append(limit_of_knn(vote, truth.bayes_risk))
        if p.k == 1:
            dash = (9, 3, 2, 3)
            levels.append(Level(one_nn, "one_nn", "limit of 1-NN", dash, style.MUTED))

    measured = "held-out error" if eta is None else "risk"
    rates = chosen.rates
    numbers = {
        **{f"{measured} of {names[name]}": each for name, each in risks.items()},
        "Bayes risk": truth.bayes_risk,
        "limit of kNN": vote,
        "limit of 1-NN": one_nn,
        "estimated p0": rates and float(rates.p0),
        "estimated p1": rates and float(rates.p1),
        "threshold": None if shown == "plain" else chosen.threshold,
        **memo(at_threshold, limits, noise, p.threshold, p.k, shown),
        **overlay.numbers,
        "votes at x": plane.votes_at(problem, x, p.k),
        "decision at x": decision,
        "labels flipped": int(np.sum(labels != data.sample.y)),
        "note": DEGENERATE if rates and rates.degenerate else None,
    }

    pulled = Pulled("threshold", "θ", p.threshold, 2)

    def map_panel() -> Panel:
        drawn_eta = noisy_eta if noise != LabelNoise() else None
        drawn = decided[shown], overlay, p.display.max_points, chosen.lines, drawn_eta
        # Where x has no control of its own, the picture is for the hand that pulls.
        has_x = shown != "pulled" or "x1" in p.controls
        around = x if has_x and p.overlay != BAR else None
        panel = memo(plane.map_panel, memo, data, labels, cells, around, p.k, *drawn)
        if p.overlay == BAR:
            panel = memo(with_smoothed, panel, data, labels, nearest, k_noise + 1)
        if shown == "pulled" and problem.dimension == 1:
            panel = memo(with_handle, panel, pulled, GRIP_AT)
        return memo(plane.decided_by, panel, names[shown])

    def vote_panel() -> Panel:
        # The first threshold is the one that may be pulled.
        drawn = decision, chosen.lines[::-1], noise, None
        pull = pulled.to if shown == "pulled" else None
        return memo(profile_panel, memo, data, x, p.k, k_end, *drawn, pull)

    def risks_panel() -> Panel:
        if p.curve in (ON_BOTH, OVER_THETA):
            if limits:
                names = (ON_TRUE, ON_NOISY) if p.curve == ON_BOTH else (ON_TRUE,)
                curves = [memo(limit_over_theta, limits, noise, name) for name in names]
            else:
                counted = memo(of_votes, new.votes, p.k, new.truth)
                curves = [memo(error_over_theta, counted)]
            return memo(over_theta, curves, pulled)
        means = None
        styles = None
        if p.curve != OFF:
            means = mean_curve(p, memo, problem, noise, chosen)
            styles = {name: STYLES[name] for name in rules}
        current = risk_markers(risks)
        # A curve along which k grows has another k at n, unless k is the one that it has there.
        if p.curve == GROWING_K and p.k != risk.growing_neighbors(p.n):
            current = ()
        over = AXES[p.curve]
        at = {"k": p.k, "k'": k_noise, "n": p.n}[over]
        xlim = (0.8 * least_n(problem) if over == "n" else 0.9, AXIS_ENDS[over])
        drawn = means, truth.bayes_risk, levels, current, styles, xlim
        panel = memo(risk_panel, over, at, *drawn)
        if over == "k'":
            return memo(clicked_over_k_noise, panel, p.rates)
        return panel

    def extremes_shown() -> Panel:
        lit = nearest if p.overlay == BAR else None
        return memo(extremes_panel, counts(), k_noise, noise, data, lit)

    panels = {
        "map": map_panel,
        "votes": vote_panel,
        "extremes": extremes_shown,
        "risk": risks_panel,
    }
    return Shown(panels, numbers)


def smoothed_counts(
    p: Values, memo: Memo, index: SpatialIndex, labels: np.ndarray, k_noise: int
) -> np.ndarray:
    """The smoothed labels times k' + 1, of few neighbors first if these are not enough yet."""
    enough = next(size for size in TABLE_SIZES if size > k_noise)
    size = min(enough, p.n)
    sizes = sorted({min(FIRST_SIZE, size), size})
    table = memo.refine(training_table, sizes, index)
    if table.k_max <= k_noise:
        table = memo(training_table, k_noise + 1, index)
    votes = memo(VoteProfile.build, table, labels, 2)
    return memo(smoothed, votes, labels, k_noise)


class Chosen(NamedTuple):
    """Rules by how they know the flip rates, of which the map shows one, and estimated rates."""

    rules: dict[str, Rule]
    shown: str
    lines: Sequence[Level]
    rates: Any

    @property
    def threshold(self) -> float:
        """The threshold of the rule that is shown, whose line is drawn last."""
        return self.lines[-1].value


def chosen_rules(p: Values, memo: Memo, counts: Callable[[], np.ndarray], k_noise: int) -> Chosen:
    rules: dict[str, Rule] = {}
    rates: Any = None
    shown = "plain"
    if p.rules != ROBUST:
        rules["plain"] = Vote()
    if p.rules != PLAIN and p.rates == BY_HAND:
        rules["pulled"] = Threshold(decimal_fraction(p.threshold))
        shown = "pulled"
    if p.rules != PLAIN and p.rates in (KNOWN, BOTH_WAYS):
        rules["known"] = Robust((p.p0, p.p1), variant=p.variant)
        shown = "known"
    if p.rules != PLAIN and p.rates in (FROM_K_NOISE, FROM_K, BOTH_WAYS):
        rates = memo(Rates.from_votes, counts(), k_noise)
        rules["estimated"] = Robust(rates, variant=p.variant)
        shown = "estimated"
    return Chosen(rules, shown, threshold_lines(rules), rates)


def mean_curve(
    p: Values, memo: Memo, problem: Source, noise: LabelNoise, chosen: Chosen
) -> risk.RiskCurve | None:
    """Mean risks of the rules on fresh samples, on which rates are estimated anew."""
    unfitted = dict(chosen.rules)
    if chosen.rates is not None:
        k_noise = p.k_noise
        if p.rates == FROM_K or p.curve == OVER_K_NOISE:
            k_noise = None
        unfitted["estimated"] = Robust(k_noise=k_noise, variant=p.variant)
    # A k or n on which the curve does not depend is None: the curve stays when that one moves.
    k = p.k if p.curve in (OVER_K_NOISE, OVER_N) else None
    n = p.n if p.curve in (OVER_K, OVER_K_NOISE) else None
    return memo.stream(mean_risks, problem, noise, p.curve, k, n, unfitted, p.resolution)


def training_table(size: int, index: SpatialIndex) -> NeighborTable:
    """Neighbors of each training point, itself the first."""
    return NeighborTable.build(index, None, size)


def difference(problem: Source, plain: np.ndarray, robust: np.ndarray, measure: Any) -> Overlay:
    """Where the rules differ; for a data set its share of the map."""
    inside = plain != robust
    mass = inside.mean() if measure is None else measure.weights[inside].sum()
    return set_overlay(problem, DIFFERENCE, inside, float(mass))


def set_overlay(problem: Source, name: str, inside: np.ndarray, mass: float) -> Overlay:
    """A set of cells (m,) bool, by its option."""
    region = set_view.region(problem, inside, "set", name, hatch="\\")
    return Overlay((region,), {MASSES[name]: mass})


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
    ball = replace(ball, label="ball of the smoothed labels")
    # The points of the bar lie above the others.
    regions, lit, points, *others = panel.layers
    faded = replace(points, opacity=set_view.FADED)
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
        numbers[f"limit of kNN on {ON_TRUE}"] = limits.vote(noise, threshold)
        numbers[f"limit of kNN on {ON_NOISY}"] = limits.vote(noise, threshold, on_noisy=True)
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
    line = marks.curve(HELD_OUT_ERROR, HELD_OUT_ERROR, STEPS, entries.fp + entries.fn)
    return replace(line, at="in words")


def over_theta(curves: Sequence[Lines], pulled: Pulled) -> Panel:
    """Errors over the threshold, with dots at the present one; far above that of predicting one
    class alone they are cut off.
    """
    first = curves[0]
    top = THETA_HEADROOM * float(min(first.y[0], first.y[-1]))
    title = "Limit of kNN" if first.name == ON_TRUE else "Held-out error"
    axes = Axes("risk", title, "threshold θ", "error", LIMITS, (0, top), xticks=TICKS)
    dots = []
    for line in curves:
        here = np.interp(pulled.value, line.x, line.y)
        dots.append(marks.dot(pulled.value, here, f"here {line.name}", color=line.color))
    return over_threshold(axes, [*curves, *dots], pulled)


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
    half, theta = threshold_lines({"plain": Vote(), "known": known})
    if abs(theta.value - half.value) > extremes_view.NEAR_END:
        # Its name stands on the side where the midrange is not.
        is_above = theta.value > levels[-1].y[0]
        theta = theta._replace(align="center" if is_above else "below")
    others = [level_line(each, (0, extremes_view.END)) for each in (half, theta)]
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


def clicked_over_k_noise(panel: Panel, rates: str) -> Panel:
    """If k' is k - 1, a click on its axis sets k."""
    if rates == FROM_K:
        return replace(panel, click=lambda at: {"k": at.x + 1})
    return replace(panel, click=lambda at: {"k_noise": at.x})


def mean_risks(
    problem: Source,
    noise: LabelNoise,
    curve: str,
    k: Any,
    n: Any,
    rules: dict[str, Rule],
    fine: Resolution,
) -> Iterator[risk.RiskCurve]:
    """Mean risks of rules; over k' robust kNN with estimated rates stands for one with each k'."""
    on_line, in_plane = fine.integral_cells
    few = replace(fine, integral_cells=(on_line, min(CURVE_CELLS, in_plane)))
    given: dict[str, Any] = {"noise": noise, "resolution": few}
    given["repeats"] = max(1, fine.repeats // 2)
    estimated: Any = rules.get("estimated")
    if curve == OVER_K_NOISE:
        k_noises = [each for each in K_NOISES if each < n]
        all_rules = {name: rule for name, rule in rules.items() if rule is not estimated}
        for each in k_noises:
            all_rules[f"estimated {each}"] = replace(estimated, k_noise=each)
        for found in risk.stream(problem, all_rules, over={"k": [k]}, n=n, **given):
            yield over_k_noise(found, k_noises)
        return

    if curve == OVER_K:
        ks = [each for each in KS if each <= n]
        given["over"] = {"k": ks}
        given["n"] = n
    else:
        least = k or 1
        if estimated and estimated.k_noise:
            least = max(least, estimated.k_noise + 1)
        given["over"] = {"n": sizes_from(least, SIZES, problem)}
        given["k"] = k or risk.growing_neighbors
    yield from risk.stream(problem, rules, **given)


def over_k_noise(curve: risk.RiskCurve, k_noises: list[int]) -> risk.RiskCurve:
    """Turn a curve at one k, whose last rules differ in k', into a curve over k'; other rules are
    constant there.
    """
    # By sample, draw of the noise, rule and k.
    risks = curve.risks[..., 0]
    count = len(k_noises)
    others = risks.shape[2] - count
    constant = np.repeat(risks[:, :, :others, None], count, axis=3)
    estimated = risks[:, :, None, others:]
    by_k_noise = np.concatenate([constant, estimated], axis=2)
    names = (*curve.names[:others], "estimated")
    values = np.array(k_noises)
    return replace(curve, over="k_noise", values=values, names=names, risks=by_k_noise)


FIGURE_3 = {"n": 8000, "k": 200, "curve": OVER_K_NOISE, "rates": BOTH_WAYS}
FIGURE_1 = {"n": 8000, "k": 101, "k_noise": 100, "curve": OVER_K}
SYMMETRIC = {"p0": 0.2, "p1": 0.2}
MISLED_BY_KNN = {"rules": PLAIN, "overlay": MISLED}
ONE_NEIGHBOR = SYMMETRIC | {
    "n": 8000,
    "k": 1,
    "rules": PLAIN,
    "overlay": REGIONS_ONLY,
    "curve": OVER_N,
}
GROWING = {"n": 8000, "k": 100, "rates": FROM_K, "curve": GROWING_K}


class NoiseLab(Lab):
    """Map (or Line), profile at x, Extremes and Risk of kNN and robust kNN on labels that were
    flipped.

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
    layout = columns(
        ("map", 1.0),
        rows(Cell("votes", height=190), Cell("extremes", height=150), Cell("risk", height=150)),
        ratios=(7, 6),
    )
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
            FIGURE_1 | {"p1": 0.4, "k": 799} | MISLED_BY_KNN,
        ),
        Preset(
            "Collapse: p1 above 1/2",
            "Gao et al., section 3",
            FIGURE_1 | {"p0": 0.0, "p1": 0.6} | MISLED_BY_KNN,
        ),
        Preset("k' = 5 sees no noise", "Gao et al., Figure 3", FIGURE_1 | {"k_noise": 5}),
        Preset(
            "Risk over k",
            "Gao et al., Figure 2",
            {"n": 4000, "k": 101, "curve": OVER_K, "rates": BOTH_WAYS},
        ),
        Preset("Risk over k'", "Gao et al., Figure 3", FIGURE_3),
        Preset("Risk over n", "Gao et al., Figure 4, with k' = k - 1", GROWING),
    )
