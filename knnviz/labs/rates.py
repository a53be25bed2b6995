"""RatesLab: how fast the risk of robust kNN approaches the Bayes risk on a line, and what a theorem
guarantees.

eta_corr is the regression function of the noisy labels, and e its estimate: the fraction of class 1
among the noisy labels of the k nearest neighbors. The smallest and the largest e at a training
point estimate p0 and 1 - p1, and their midrange the threshold of robust kNN. Points are misled
where the majority of noisy labels differs from the Bayes classifier. The bounds have two terms: the
vote term bounds the random error of e, and the smoothness term the difference of eta_corr between a
point and its neighbors. k_n makes both decrease at the same rate in n.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from knnviz import risk
from knnviz.bounds import reeve_kaban
from knnviz.labs.engine import (
    DECIMALS,
    Choice,
    Float,
    Lab,
    LogInt,
    Memo,
    Panel,
    Preset,
    Range,
    Seed,
    Shown,
    Values,
)
from knnviz.labs.engine.layout import columns, rows
from knnviz.labs.parts import data as training_data
from knnviz.labs.parts import risk_curve
from knnviz.labs.parts.label_noise import P0, P1, RATE_STEP, sum_below_1
from knnviz.labs.parts.plane import Coordinate
from knnviz.labs.parts.risk_curve import OFF, Current, Level
from knnviz.labs.parts.robust_rules import COLORS, DEGENERATE, STYLES, risk_markers, threshold_lines
from knnviz.labs.parts.votes import log_spaced
from knnviz.neighbors import Windows
from knnviz.noise import LabelNoise, Rates, extremes_on_line, misled_points, theta
from knnviz.problems import Problem, Sample, levels, plateau_level, ramp, terrace
from knnviz.problems.base import draw_classes
from knnviz.profiles import BallProfile, WindowProfile
from knnviz.risk import Antiderivative, FittedRate, Limits, RiskCurve, fitted_rate
from knnviz.rules import Robust, Vote
from knnviz.views import line as line_view
from knnviz.views import risk as risk_view
from knnviz.views import sets as set_view
from knnviz.views import style, vote_curve
from knnviz.views.extremes import MIDRANGE_DASH
from knnviz.views.layers import Annotations, Axes, Band, Fill, Lines
from knnviz.views.marks import curve, in_corner
from knnviz.views.vote_curve import TextLayout, ThresholdLine

PLATEAU, RAMP, _ = SHAPES = ("plateau", "ramp", "two levels")
FORMULA_K, SET_K = NEIGHBORS = ("k_n", "k as set")

#: The bound on the excess risk over k or n, or that on the error of e at x.
OVER_K, OVER_N, AT_X = BOUNDS = ("over k", "over n", "at x, over k")

#: What the risk curve shows: no curve, risks, or log10 of the excess over the Bayes risk.
_, _, EXCESS = CURVES = (OFF, "over n", "excess over n")

#: Largest n and k; largest flip rate with which there is a plateau.
MOST = 1_000_000
PLATEAU_RATE = 0.49

#: All samples have the points and uniform draws of this one, whatever their eta.
UNIFORM = ramp()

#: At how many k the extremes of e are computed; with more than ``LARGE_SAMPLE`` points first at a
#: few.
MANY_KS = 30
FEW_KS = 6
LARGE_SAMPLE = 20_000

#: At how many k votes around x and terms of bounds are drawn, and at how many ball masses the true
#: frequencies.
CURVE_KS = 120
TERM_KS = 80
MASSES = 40

#: Ends of the axes of the bound on the excess risk, vacuous above 1, of the error at x, and of
#: log10 of the excess.
BOUND_END = 1.5
ERROR_END = 1.0
LOG_EXCESS = (-6.0, 0.0)

#: Sample sizes of the risk curve, from which one a rate is fitted, and limits of the axes of n of
#: curve and bound.
RISK_SIZES = (250, 1000, 4000, 16_000, 64_000, 256_000, 1_024_000)
FITTED_FROM = 1000
RISK_LIMITS = (80, 1_500_000)
BOUND_LIMITS = (100, 1e12)

#: How close numbers on a grid come to those of a formula.
TOLERANCE = 1e-3

#: Rules that can be drawn, by option: kNN, and robust kNN with known and with estimated flip rates.
RULES = {
    "kNN and robust kNN": ("plain", "estimated"),
    "kNN": ("plain",),
    "robust kNN": ("estimated",),
    "all": ("plain", "known", "estimated"),
}

K_TIP = (
    "k_n, with which both terms of the bound decrease at the same rate in n; or a k that you set"
)
SMOOTH_TIP = (
    "eta at two points differs by at most L m^alpha, m being the mass of the ball around one up to "
    "the other"
)
MARGIN_TIP = "eta is within t of one half on a mass of at most M t^beta"
BOUND_TIP = "Over k: its two terms. Over n: the bound with k_n. At x: the error of e and its bound"

PARAMETERS = (
    "Data",
    Choice("shape", SHAPES, "shape", "How eta rises over [0, 1]"),
    Float("low", 0.0, 0, 0.49, "lowest eta *a*", "Where eta begins"),
    Float("high", 1.0, 0.51, 1, "highest eta *b*", "Where eta ends"),
    LogInt("n", 10_000, 100, MOST, "sample size *n*", "Number of training points"),
    Seed("Another seed draws another sample"),
    "Label noise",
    replace(P0, default=0.1),
    replace(P1, default=0.3),
    "Rules",
    Choice("rules", RULES, "*rules*", "Rules that are drawn"),
    Choice("neighbors", NEIGHBORS, "neighbors", K_TIP),
    LogInt(
        "k",
        100,
        1,
        MOST,
        "neighbors *k*",
        "Number of neighbors that vote",
        when={"neighbors": (SET_K,)},
    ),
    "Curves",
    Choice("curve", CURVES, "risk curve", "Mean risk over ten fresh samples of each size"),
    Choice("bound_over", BOUNDS, "bound", BOUND_TIP),
    "Theorem",
    Float(
        "delta",
        0.05,
        0.01,
        0.5,
        "failure probability *delta*",
        "Probability with which the bound may fail",
    ),
    Float("smoothness", 1.0, 0.1, 1, "smoothness *alpha*", SMOOTH_TIP, step=0.05),
    Float("smoothness_constant", 3.0, 0.5, 10, "smoothness constant *L*", SMOOTH_TIP, step=0.1),
    Float("margin_exponent", 0.0, 0, 3, "margin exponent *beta*", MARGIN_TIP, step=0.1),
    Float("margin_constant", 1.0, 1, 20, "margin constant *M*", MARGIN_TIP, step=0.1),
    "Query: click the line, or type",
    Coordinate("x1", 0.55, 0, 1, "point *x*", "The query point x"),
)


def ranges(values: Mapping[str, Any]) -> dict[str, Any]:
    """k up to n, flip rates whose sum is below 1, and a range of eta in which the plateau lies."""
    found = sum_below_1(values) | {"k": Range((1, values["n"]), "k is at most n")}
    if values["shape"] == PLATEAU:
        rates = Range((0.0, PLATEAU_RATE), f"a plateau needs flip rates of at most {PLATEAU_RATE}")
        found |= {"p0": rates, "p1": rates}
        if max(values["p0"], values["p1"]) <= PLATEAU_RATE:
            m = plateau_level(values["p0"], values["p1"])
            steps = round(m / RATE_STEP, 9)
            why = f"the plateau is at {m:.4f}"
            below, above = (
                round(whole * RATE_STEP, DECIMALS)
                for whole in (math.floor(steps), math.ceil(steps))
            )
            found |= {
                "low": Range((0.0, min(0.49, below)), why),
                "high": Range((max(0.51, above), 1.0), why),
            }
    return found


def recipe(p: Values, memo: Memo) -> Shown:
    noise = LabelNoise(p.p0, p.p1)
    fine = p.resolution.integral_cells[0]
    cells = p.resolution.map_cells[0]
    m = round(plateau_level(p.p0, p.p1), DECIMALS) if p.shape == PLATEAU else None
    problem = memo(rising, p.shape, p.low, p.high, m)

    drawn = memo(UNIFORM.sample, p.n, p.seed)
    windows = memo(Windows.from_points, drawn.X)
    sample = memo(classed, problem, drawn)
    labels = memo(noise.flip, sample.y, sample.v)
    votes = memo(WindowProfile.count, windows, labels, 2)

    # Theorem 4.3, with k_n or a k that is set.
    def k_at(n: int) -> int:
        return (
            p.k
            if p.neighbors == SET_K
            else reeve_kaban.k_n(n, p.delta, p.smoothness, p.smoothness_constant)
        )

    k = k_at(p.n)
    full_range = p.low == 0 and p.high == 1
    smooth = {"smoothness": p.smoothness, "smoothness_constant": p.smoothness_constant}
    margin = {"margin_exponent": p.margin_exponent, "margin_constant": p.margin_constant}
    bound, tight = bounds_on_excess(p.n, k, p.delta, noise, smooth | margin)
    least_L = memo(reeve_kaban.least_smoothness_constant, problem, p.smoothness)
    least_M = memo(reeve_kaban.least_margin_constant, problem, p.margin_exponent)
    promised = None
    if p.neighbors == FORMULA_K and full_range and np.isfinite([least_L, least_M]).all():
        promised = reeve_kaban.exponent(p.smoothness, p.margin_exponent)

    # Algorithm 2 of Reeve & Kaban: votes in "order" are those of the first k by (distance, index).
    names = RULES[p.rules]
    robust: Any = (
        memo(Robust(votes="order").fit, windows, labels, k, 2) if "estimated" in names else None
    )
    rates = robust and robust.noise_rates
    fractions: dict[str, Any] = {"plain": 0.5, "known": theta(p.p0, p.p1)}
    fractions |= {"estimated": robust.threshold} if robust else {}
    thresholds = threshold_lines({name: fractions[name] for name in names})
    antiderivative = memo(Antiderivative.from_problem, problem, fine)
    rules = {
        name: {"plain": Vote(), "estimated": robust}[name] for name in names if name != "known"
    }
    decided = {name: memo(rule.predict, votes, k) for name, rule in rules.items()}
    risks = {
        name: memo(risk.on_line, windows, each, k, antiderivative) for name, each in decided.items()
    }
    decisions = list(decided.values())[-1]
    threshold = thresholds[-1].fraction
    known = memo(known_risks, problem, noise, p.low, p.high, fine)
    x = memo(query, p.x1, votes, threshold, k, problem)

    means = fit = None
    fitted: Any = None
    if p.curve != OFF:
        ks = {n: k_at(n) for n in RISK_SIZES if k_at(n) <= n}
        all_rules = {
            "plain": Vote(),
            "known": Robust((p.p0, p.p1)),
            "estimated": Robust(votes="order"),
        }
        fresh = {name: all_rules[name] for name in names}
        # The sizes are larger than those of other labs, and the samples half as many.
        given = {
            "noise": noise,
            "repeats": max(2, p.resolution.repeats // 2),
            "resolution": p.resolution,
        }
        means = memo.stream(
            risk.stream, problem, fresh, over={"n": list(ks)}, k=list(ks.values()), **given
        )
        fit = memo(fitted_rate, means, "estimated", FITTED_FROM) if means and rates else None
        done = means and means.done == means.pieces
        fitted = fit.exponent if fit else rates and ("none" if done else "none yet")

    def map_panel() -> Panel:
        under = memo(known_layers, problem, noise, cells, "plain" in names)
        of_robust = decisions, votes, k, thresholds, rates
        shown = memo(line_panel, problem, *under, sample, labels, *of_robust, p.display.max_points)
        return memo(with_query, shown, problem, x)

    def votes_panel() -> Panel:
        counts = (FEW_KS, MANY_KS) if p.n > LARGE_SAMPLE else (MANY_KS,)
        extremes = rates and memo.refine(extremes_of_e, counts, windows, labels)
        true = memo(true_frequencies, problem, noise, p.x1, p.n, cells)
        drawn = extremes, thresholds, true, memo(votes_over_k, p.x1, votes), x, p.display.votes_text
        return memo(votes_around_x, problem, noise, k, *drawn)

    def bound_panel() -> Panel:
        if p.bound_over == OVER_N:
            at_k_n = reeve_kaban.k_n(p.n, p.delta, **smooth)
            value = bounds_on_excess(p.n, at_k_n, p.delta, noise, smooth | margin)[0]
            return memo(
                bound_over_n, p.n, value, memo(bounds_along_n, p.delta, noise, smooth, margin)
            )
        if p.bound_over == OVER_K:
            ratio = (1 - p.delta) / p.margin_constant
            # From this sum of both terms on the bound is 1 or more.
            vacuous_from = noise.contrast / 8 * ratio ** (1 / (p.margin_exponent + 1))
            k_n = reeve_kaban.k_n(p.n, p.delta, **smooth)
            return memo(
                bound_over_k, p.n, k, k_n, memo(terms_over_k, p.n, p.delta, smooth), vacuous_from
            )
        # The constant of eta_corr is L times the contrast.
        smooth_corr = smooth | {"smoothness_constant": noise.contrast * p.smoothness_constant}
        measured = memo(errors_at_x, p.x1, windows, memo(votes_over_k, p.x1, votes), problem, noise)
        return memo(bound_at_x, p.n, k, memo(terms_at_x, p.n, p.delta, smooth_corr), measured)

    def risks_panel() -> Panel:
        return memo(
            rates_panel, p.curve, p.n, names, means, known, risk_markers(risks), fit, promised
        )

    unmet = [
        (DEGENERATE, bool(rates and rates.degenerate)),
        ("eta does not reach 0 and 1", not full_range),
        *((text, True) for text in reeve_kaban.unmet_conditions("theorem_4_3", p.n, k, p.delta)),
        (constant_needed("L", least_L), p.smoothness_constant < least_L - TOLERANCE),
        (constant_needed("M", least_M), p.margin_constant < least_M - TOLERANCE),
    ]
    note = "; ".join(text for text, fails in unmet if fails)
    price = (
        f"has a limit risk on true labels of at least {known.bayes + known.least_excess:.4f} "
        "(after Theorem 5.1)"
    )
    numbers = {
        "risk of kNN": risks.get("plain"),
        "risk of robust kNN": risks.get("estimated"),
        "Bayes risk": known.bayes,
        "limit of kNN": known.vote if "plain" in names else None,
        "limit of robust kNN": known.robust if rates else None,
        "k": k,
        "misled mass": known.misled,
        "any learner consistent on noisy labels": price if known.least_excess > TOLERANCE else None,
        "level m": m,
        "estimated p0": rates and float(rates.p0),
        "estimated p1": rates and float(rates.p1),
        "estimated threshold": rates and float(robust.threshold),
        "bound on excess": bound,
        "tight bound on excess": tight,
        "promised rate": promised,
        "fitted rate": fitted,
        "votes at x": dict(zip(problem.class_names, x.votes.tolist(), strict=True)),
        "decision at x": x.decision,
        "note": note or None,
    }
    panels = {"map": map_panel, "votes": votes_panel, "bound": bound_panel, "risk": risks_panel}
    return Shown(panels, {name: number for name, number in numbers.items() if number is not None})


def rising(shape: str, low: float, high: float, m: float | None) -> Problem:
    """The problem whose eta rises over [0, 1] in a shape, with a plateau at height m."""
    if m is not None:
        return terrace(m, low, high)
    return ramp(low, high) if shape == RAMP else levels(low, high)


def known_layers(
    problem: Problem, noise: LabelNoise, cells: int, plain: bool
) -> tuple[Any, Fill | None, list[Lines]]:
    """Middles (m,) of cells of the line, which of them mislead kNN if it is drawn, and curves of
    eta and eta_corr.
    """
    points = problem.grid(cells).points
    x = points[:, 0]
    eta = problem.eta(points)
    eta_corr = noise.corrupt(eta)
    misled = set_view.region(problem, misled_points(eta, eta_corr), "set", "misled points", "\\")
    return (
        x,
        misled if plain else None,
        [*line_view.eta_curves(x, eta), *line_view.noisy_curves(x, eta_corr)],
    )


def classed(problem: Problem, drawn: Any) -> Sample:
    """A sample with the points and uniform draws of another one, and the classes of a problem."""
    return Sample(drawn.X, draw_classes(problem.eta(drawn.X), drawn.u), drawn.u, drawn.v)


class Known(NamedTuple):
    """Bayes risk, limits of kNN and robust kNN, mass of misled points, and the price of
    consistency.

    ``least_excess`` is the least excess risk in the limit of any learner that is consistent on
    noisy labels.
    """

    bayes: float
    vote: float
    robust: float
    misled: float
    least_excess: float


def known_risks(problem: Problem, noise: LabelNoise, low: float, high: float, cells: int) -> Known:
    measure, eta = problem.cells(cells)
    limits = Limits.from_eta(eta, measure.weights)
    # The threshold of robust kNN tends to the midrange of eta_corr.
    midrange = noise.p0 + noise.contrast * (low + high) / 2
    # The Bayes classifier has the least risk of all thresholds on eta.
    risks = float(limits.risks.min()), limits.vote(noise), limits.vote(noise, midrange)
    return Known(*risks, limits.misled(noise), reeve_kaban.theorem_5_1(problem, noise, cells))


def bounds_on_excess(
    n: int, k: int, delta: float, noise: LabelNoise, assumed: dict[str, Any]
) -> list[float]:
    """The bound on the excess risk for every k, as printed and with a sharper step of its proof."""
    return [
        reeve_kaban.theorem_4_3(n, k, delta, noise, any_k=True, tight=tight, **assumed)
        for tight in (False, True)
    ]


def constant_needed(constant: str, least: float) -> str:
    if np.isinf(least):
        return f"no {constant} is large enough"
    # Rounded up, so that the number shown is large enough.
    return f"{constant} must be at least {np.ceil(100 * (least - TOLERANCE)) / 100:.2f}"


class Query(NamedTuple):
    """x, votes (2,) among its k nearest neighbors, the decision there, and the distance of the
    farthest.
    """

    x: float
    votes: np.ndarray
    decision: str
    radius: float


def query(x: float, votes: WindowProfile, threshold: float, k: int, problem: Problem) -> Query:
    at_k = np.array([k])
    start = votes.windows.starts_for_ks(x, at_k)
    counts = votes.votes_in(start, at_k)[0]
    ends = votes.windows.x[[start[0], start[0] + k - 1]]
    decision = problem.class_names[int(counts[1] >= threshold * k)]
    return Query(x, counts, decision, float(abs(ends - x).max()))


def votes_over_k(x: float, votes: WindowProfile) -> tuple[np.ndarray, np.ndarray]:
    """Some k (J,), and the fraction (J,) of class 1 among the k nearest neighbors of x."""
    ks = log_spaced(1, votes.windows.n, CURVE_KS)
    return ks, votes.votes_in(votes.windows.starts_for_ks(x, ks), ks)[:, 1] / ks


def extremes_of_e(
    count: int, windows: Windows, labels: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """At most ``count`` values of k (J,), and the smallest and the largest e (J,) at a training
    point.
    """
    ks = log_spaced(1, windows.n, count)
    return ks, *(extremes_on_line(windows, labels, ks) / ks[:, None]).T


def true_frequencies(problem: Problem, noise: LabelNoise, x: float, n: int, cells: int) -> Lines:
    """The expected fraction of noisy labels of class 1 in balls around x, of mass 1 / n to 1."""
    measure, eta = problem.cells(cells)
    ball = BallProfile.integrate(
        measure, eta, np.array([[x]]), np.geomspace(1 / n, 1, MASSES).tolist()
    )
    frequency = noise.corrupt(ball.frequency[:, :, 0].astype(float))
    # The first mass is 0, which a logarithmic axis cannot show.
    return replace(
        vote_curve.population(ball.masses[1:], frequency[1:], n)[1], label="expected votes"
    )


def line_panel(
    problem: Problem,
    cells: np.ndarray,
    misled: Fill | None,
    curves: Sequence[Lines],
    sample: Sample,
    labels: np.ndarray,
    decisions: np.ndarray,
    votes: WindowProfile,
    k: int,
    thresholds: Sequence[ThresholdLine],
    rates: Rates | None,
    max_points: int,
) -> Panel:
    """What kNN, or robust kNN with estimated ``rates``, predicts from its ``decisions`` in windows,
    and the votes.
    """
    windows = votes.windows.starts(cells, k)
    dotted = (COLORS["estimated"], (2, 3))
    lines = [each._replace(label=None) for each in thresholds]
    if rates:
        lines.append(ThresholdLine(float(rates.p0), "lowest", "min, max fraction", *dotted))
        lines.append(ThresholdLine(float(1 - rates.p1), "highest", None, *dotted))
    rule = "robust kNN" if rates else "kNN"
    layers: list[Any] = [
        line_view.regions(problem, decisions[windows]),
        misled,
        # The alternative text counts flipped labels.
        replace(line_view.points(problem, sample, labels, max_points), ring_label=None),
        *curves,
        *(vote_curve.threshold_line(each, problem.box[0]) for each in lines),
        *line_view.vote_curves(cells, votes.at(k)[windows] / k),
    ]
    flipped = np.sum(labels != sample.y)
    share = decisions[windows].mean()
    says = (
        f"{flipped} of {len(labels)} labels flipped; {rule} predicts class 1 on {share:.1%} of the "
        "line."
    )
    axes = replace(line_view.axes(problem), title=f"Line: {rule} decides")
    if len(labels) > max_points:
        drawn = f"{max_points} of {len(labels)} points"
        layers = [*layers, in_corner(drawn, axes)]
        says = f"{says} Drawn: {drawn}."
    return Panel(axes, layers, lambda at: {"x1": at.x}, says)


def with_query(panel: Panel, problem: Problem, x: Query) -> Panel:
    return replace(
        panel, layers=(*panel.layers, line_view.ball(x.x, x.radius), line_view.query(problem, x.x))
    )


def k_axes(n: int) -> Axes:
    """Axes of fractions over k, the same for all n between two powers of ten."""
    return vote_curve.axes(10 ** math.ceil(math.log10(n)), log=True)


def choose_k(at: Any) -> dict[str, Any]:
    return {"k": at.x, "neighbors": SET_K}


def votes_around_x(
    problem: Problem,
    noise: LabelNoise,
    k: int,
    extremes: tuple[np.ndarray, np.ndarray, np.ndarray] | None,
    thresholds: Sequence[ThresholdLine],
    true: Lines,
    around_x: tuple[np.ndarray, np.ndarray],
    x: Query,
    layout: TextLayout,
) -> Panel:
    """The votes around x over k, the extremes of e, and their midrange, the estimated threshold."""
    (ks, fractions) = around_x
    color = COLORS["estimated"]
    axes = k_axes(ks[-1])
    around_extremes = []
    if extremes:
        sizes, low, high = extremes
        middle = curve(
            "middle",
            "midrange: estimated θ",
            sizes,
            (low + high) / 2,
            color,
            MIDRANGE_DASH,
            width=2,
        )
        between = Band(
            name="between",
            label="min to max",
            x=sizes,
            lower=low,
            upper=high,
            color=color,
            opacity=0.18,
        )
        p0 = ThresholdLine(noise.p0, "p0", "p0 and 1 - p1", style.MUTED, (2, 3))
        p1 = ThresholdLine(1 - noise.p1, "p1", None, style.MUTED, (2, 3))
        around_extremes = [
            between,
            *(vote_curve.threshold_line(each, axes.xlim) for each in (p0, p1)),
            middle,
        ]
    # The text stands on the side of k where the axis has more room, clear of the curve.
    at, align, beside = (
        (1.15 * k, "left", ks >= k) if k**2 <= ks[-1] else (k / 1.15, "right", ks <= k)
    )
    avoided = np.append(fractions[beside], [threshold.fraction for threshold in thresholds])
    layers = [
        *around_extremes,
        # The estimated threshold is the midrange at k.
        *(
            vote_curve.threshold_line(each, axes.xlim)
            for each in thresholds
            if each.name != "theta_hat"
        ),
        true,
        vote_curve.curve_at(ks, fractions, 1, "votes, class 1"),
        vote_curve.at_k(k),
        vote_curve.text_at(
            x.votes, problem.class_names.index(x.decision), x.decision, at, align, avoided, layout
        ),
    ]
    says = vote_curve.describe(np.array([x.x]), x.votes, k, problem.class_names, x.decision)
    return Panel(axes, layers, choose_k, says)


#: Some k (J,), and the vote term and the smoothness term (J,) of a bound there.
Terms = tuple[np.ndarray, np.ndarray, np.ndarray]


def terms_over_k(n: int, delta: float, smooth: dict[str, float]) -> Terms:
    """The two terms of Theorem 4.3, which do not depend on the noise."""
    ks = log_spaced(1, n, TERM_KS)
    return ks, *np.array([reeve_kaban.largest_error(n, k, delta, **smooth) for k in ks.tolist()]).T


def terms_at_x(n: int, delta: float, smooth: dict[str, float]) -> Terms:
    """The two terms of Theorem 4.1 over the k that it covers."""
    ks = log_spaced(*reeve_kaban.k_range(n, delta, "theorem_4_1"), TERM_KS)
    return ks, *np.array([reeve_kaban.theorem_4_1(n, k, delta, **smooth) for k in ks.tolist()]).T


def stacked(terms: Terms, smoothness_below: bool = False) -> tuple[Band, Band, Lines]:
    """Two terms, the vote term first unless ``smoothness_below``, and their sum."""
    ks, vote, smoothness = terms
    both = [("vote", vote, "#CC79A7"), ("smoothness", smoothness, "#56B4E9")]
    (name, first, color), (other, second, other_color) = (
        reversed(both) if smoothness_below else both
    )
    below = Band(
        name=name, label=f"{name} term", x=ks, lower=0, upper=first, color=color, opacity=0.45
    )
    above = replace(
        below,
        name=other,
        label=f"{other} term",
        lower=first,
        upper=first + second,
        color=other_color,
    )
    return below, above, curve("sum", "sum", ks, first + second)


def bound_over_k(n: int, k: int, k_n: int, terms: Terms, vacuous_from: float) -> Panel:
    """The two terms of the bound on the excess risk, and the height of their sum from which on it
    is vacuous.
    """
    axes = replace(
        k_axes(n), name="bound", title="Bound", ylabel="sum of terms", ylim=(0, BOUND_END)
    )
    # Where k is k_n one line would hide the other.
    formula = (
        None
        if k_n == k
        else curve("k_n", "k_n", (k_n, k_n), (0, BOUND_END), COLORS["known"], (7, 3))
    )
    layers = [
        *stacked(terms),
        curve(
            "useful",
            "where the bound is 1",
            axes.xlim,
            (vacuous_from, vacuous_from),
            style.MUTED,
            (3, 3),
        ),
        formula,
        curve("at_k", "k = k_n" if k_n == k else "k", (k, k), (0, BOUND_END)),
    ]
    return Panel(axes, layers, choose_k)


def bounds_along_n(
    delta: float, noise: LabelNoise, smooth: dict[str, Any], margin: dict[str, Any]
) -> Terms:
    """Some n (J,), and both ``bounds_on_excess`` (J,) at k_n there."""
    sizes = log_spaced(*BOUND_LIMITS, 81).tolist()
    assumed = smooth | margin
    bounds = [
        bounds_on_excess(n, reeve_kaban.k_n(n, delta, **smooth), delta, noise, assumed)
        for n in sizes
    ]
    return np.array(sizes), *np.array(bounds).T


def bound_over_n(n: int, value: float, along_n: Terms) -> Panel:
    """The bound on the excess risk along k_n, with its value at n as a text, since it may be off
    the scale.
    """
    sizes, printed, tight = along_n
    layers = [
        curve("printed", "bound", sizes, printed),
        curve("tight", "tight form", sizes, tight, style.INK, (7, 3)),
        curve("useful", "where it is 1", BOUND_LIMITS, (1, 1), style.MUTED, (3, 3)),
        Lines(
            name="at_n",
            label="n",
            keyed=False,
            x=(n, n),
            y=(0, BOUND_END),
            color=style.MUTED,
            width=1.5,
        ),
        Annotations(name="value", x=1.2 * n, y=0.05, texts=(f"bound at n: {value:.2f}",)),
    ]
    below = sizes[printed < 1]
    says = (
        f"The bound is below 1 from n = {below[0]:.3g} on."
        if len(below)
        else "The bound is never below 1."
    )
    axes = Axes(
        "bound", "Bound", "sample size n", "bound on excess", BOUND_LIMITS, (0, BOUND_END), log=True
    )
    return Panel(axes, layers, says=says)


def errors_at_x(
    x: float,
    windows: Windows,
    curve: tuple[np.ndarray, np.ndarray],
    problem: Problem,
    noise: LabelNoise,
) -> Terms:
    """Some k (J,), the error (J,) of e at x, and how far eta_corr at one of the k nearest is from
    that at x (J,).
    """
    ks, fractions = curve
    starts = windows.starts_for_ks(x, ks)
    # eta rises, so eta_corr differs most at one of the two ends of a window.
    positions = np.vstack([windows.x[[starts, starts + ks - 1]], np.full(len(ks), x)])
    *ends, true = noise.corrupt(problem.eta(positions.reshape(-1, 1)))[:, 1].reshape(
        positions.shape
    )
    return ks, abs(fractions - true), abs(np.array(ends) - true).max(axis=0)


def bound_at_x(n: int, k: int, terms: Terms, measured: Terms) -> Panel:
    """The error of e at x and the worst neighbor over k, below their bounds."""
    ks, error, worst = measured
    layers = [
        # The smoothness term is at the bottom, since Lemma 4.1 compares the worst neighbor with it
        # alone.
        *stacked(terms, smoothness_below=True),
        curve("worst", "worst neighbor", ks, worst, COLORS["known"], (7, 3)),
        curve("error", "error of e at x", ks, error, COLORS["estimated"]),
        curve("at_k", "k", (k, k), (0, ERROR_END)),
    ]
    axes = replace(
        k_axes(n), name="bound", title="Bound at x", ylabel="error of e", ylim=(0, ERROR_END)
    )
    return Panel(axes, layers, choose_k)


def rates_panel(
    shown: str,
    n: int,
    names: Sequence[str],
    means: RiskCurve | None,
    known: Known,
    current: Sequence[Current],
    fit: FittedRate | None,
    promised: float | None,
) -> Panel:
    """Risks over n, or log10 of their excess over the Bayes risk, with the fitted and the promised
    rate.
    """
    # Without misled points the limit of kNN is the Bayes risk.
    apart = "plain" in names and known.vote > known.bayes + TOLERANCE
    levels = [Level(known.vote, "limit", "limit of kNN", (2, 3))] if apart else []
    if "estimated" in names and known.robust > known.bayes + TOLERANCE:
        levels.append(
            Level(known.robust, "robust", "limit of robust kNN", (9, 3, 2, 3), COLORS["estimated"])
        )
    name = "risk"
    ylim = risk_curve.risk_limits(means, known.bayes, (*levels, *current), headroom=0.15)
    base: float | None = known.bayes
    if shown == EXCESS:
        name = "log₁₀ of excess"
        ylim = LOG_EXCESS
        base = None
        means = means and log_excess(means, known.bayes)
        levels, current = (above_bayes(each, known.bayes) for each in (levels, current))
    styles = None if shown == OFF else {name: STYLES[name] for name in names}
    layers = risk_curve.risk_layers(levels, means, styles, current, n, RISK_LIMITS, ylim, base)
    # Fitted rates lie below the mean risks.
    first = len(levels) + (base is not None)
    fitted = fitted_curves(fit, promised, base) if fit else []
    axes = risk_view.axes("n", RISK_LIMITS, ylim, ylabel=name)
    axes = (
        axes
        if styles is None
        else replace(axes, title=f"Mean {'excess ' * (shown == EXCESS)}risk ± 2 s.e.")
    )
    if names == RULES["kNN"] and shown != EXCESS:
        axes = replace(axes, title=axes.title.replace("isk", "isk of kNN", 1))
        layers = of_knn_alone(layers, ylim)
    return Panel(axes, [*layers[:first], *fitted, *layers[first:]], lambda at: {"n": at.x})


def of_knn_alone(layers: Sequence[Any], ylim: tuple[float, float]) -> list[Any]:
    """Levels have their names below them, and the mean has its in the title, in place of entries in
    the legend.
    """
    levels = [each for each in layers if each.name in ("bayes", "limit")]
    y = np.array([each.y[0] for each in levels]) - 0.055 * (ylim[1] - ylim[0])
    text = tuple([each.label for each in levels])
    names = Annotations(
        name="level_names", x=0.9 * RISK_LIMITS[1], y=y, texts=text, size=12.0, align="right"
    )
    named = {"bayes", "limit", "mean plain"}
    return [*(replace(each, keyed=False) if each.name in named else each for each in layers), names]


def log_excess(means: RiskCurve, bayes_risk: float) -> Any:
    """Mean risks as log10 of what exceeds the Bayes risk."""
    excess = np.where(means.mean > bayes_risk, means.mean - bayes_risk, np.nan)
    shown = {
        "mean": np.log10(excess),
        "standard_error": means.standard_error / (excess * np.log(10)),
    }
    return SimpleNamespace(values=means.values, done=means.done, pieces=means.pieces, **shown)


def above_bayes(risks: Iterable[Any], bayes_risk: float) -> list[Any]:
    """Risks above the Bayes risk, as log10 of the excess."""
    excess = [(each, each.risk - bayes_risk) for each in risks]
    return [
        each._replace(risk=math.log10(above))
        for each, above in excess
        if above > 10 ** LOG_EXCESS[0]
    ]


def fitted_curves(
    rate: FittedRate, promised: float | None, bayes_risk: float | None
) -> list[Lines]:
    """The fitted rate and that of Theorem 4.3 (``promised``), above the Bayes risk; if that is
    None, log10 of both.
    """
    sizes = np.geomspace(FITTED_FROM, RISK_LIMITS[1], 40)
    excess = rate(sizes)
    shown = np.log10 if bayes_risk is None else partial(np.add, bayes_risk)
    curves = [
        curve("fitted", "fitted rate", sizes, shown(excess), COLORS["estimated"], (9, 3), width=2)
    ]
    if promised is not None:
        slower = excess[0] * (sizes / sizes[0]) ** -promised
        curves.append(
            curve(
                "promised",
                "promised rate",
                sizes,
                shown(slower),
                style.MUTED,
                (9, 3, 2, 3),
                width=2,
            )
        )
    return curves


ONE_POINT = {"n": 2000, "x1": 0.0, "smoothness_constant": 1.5, "bound_over": AT_X}
BROKEN = {"shape": RAMP, "low": 0.2, "n": 64_000, "curve": "over n", "x1": 0.45}


class RatesLab(Lab):
    """Line, Votes around x with the Extremes over k, Risk over n, and the Bound, for kNN and robust
    kNN.

    Source: Reeve & Kaban, sections 4 and 5.

    Examples
    --------
    >>> from knnviz.labs import RatesLab
    >>> found = RatesLab(p0=0.1, p1=0.3, n=1000).readout()
    >>> found["limit of kNN"], found["limit of robust kNN"], found["Bayes risk"]
    (0.379637, 0.305556, 0.305556)
    """

    title = "fast rates"
    table = PARAMETERS
    ranges = ranges
    recipe = recipe
    parts = (risk_curve,)
    buttons = training_data.BUTTONS
    layout = columns(
        rows(("map", 0.6), ("bound", 0.5)), rows(("votes", 0.6), ("risk", 0.6)), ratios=(14, 13)
    )
    presets = (
        Preset("Figure 1", "Reeve & Kaban, Figure 1", {"n": 1000}),
        Preset("One point", "Reeve & Kaban, Theorem 4.1", ONE_POINT),
        Preset("Range assumption broken", "Reeve & Kaban, Assumption 2", BROKEN),
    )
