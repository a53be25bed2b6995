"""RatesLab: how fast the risk of robust kNN approaches the Bayes risk on a line, and what a theorem
guarantees.

eta_corr is the regression function of the noisy labels, and e its estimate: the fraction of class 1
among the noisy labels of the k nearest neighbors. The smallest and the largest e at a training
point estimate p0 and 1 - p1, and their midrange the threshold of robust kNN. Points are misled
where the majority of noisy labels differs from the Bayes classifier. The bounds have two terms: the
vote term bounds the random error of e, and the smoothness term the difference of eta_corr between a
point and its neighbors. k_n makes both decrease at the same rate in n.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import ceil, floor, inf, log10
from typing import Any, NamedTuple, Self

import numpy as np

from knnviz import risk
from knnviz.bounds import reeve_kaban
from knnviz.labs.engine import (
    DECIMALS,
    TO_COME,
    ByName,
    Choice,
    Count,
    Float,
    Lab,
    LogInt,
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
from knnviz.labs.parts import risk_curve
from knnviz.labs.parts.label_noise import P0, P1, RATE_STEP, sum_below_1
from knnviz.labs.parts.plane import Coordinate
from knnviz.labs.parts.profile import log_spaced
from knnviz.labs.parts.risk_curve import OFF, Current, mean_title
from knnviz.labs.parts.robust_rules import COLORS, DEGENERATE, STYLES, threshold_lines
from knnviz.neighbors import Windows
from knnviz.noise import LabelNoise, Rates, misled_points, theta
from knnviz.problems import Problem, Sample, plateau_level, ramp, terrace
from knnviz.problems.base import draw_classes
from knnviz.profiles import WindowProfile
from knnviz.risk import Antiderivative, Limits, RiskCurve
from knnviz.rules import Robust, Rule, Vote
from knnviz.views import line as line_view
from knnviz.views import profile, style
from knnviz.views import risk as risk_view
from knnviz.views import sets as set_view
from knnviz.views.layers import Axes, Band, Fill, Layer, Lines, Place
from knnviz.views.marks import (
    Level,
    curve,
    dot,
    drawn_of,
    grip,
    level_line,
    named_along,
    segments,
    stacked,
)

#: Shapes of eta, and the problems that have them; a plateau has its height before both ends.
PLATEAU = "plateau"
RAMP = "ramp"
HELD = "ramp of two worlds"
SHAPES: dict[str, Any] = {PLATEAU: terrace, RAMP: ramp, HELD: ramp}

#: With these flip rates the ramp from 0 to 1 has the observed labels that stay.
HELD_NOISE = LabelNoise(0.1, 0.3)

#: The largest flip rates of a shape, and why.
PLATEAU_RATE = 0.49
MOST_FLIPS = {
    HELD: (HELD_NOISE, "with more flips eta would leave [0, 1]"),
    PLATEAU: (
        LabelNoise(PLATEAU_RATE, PLATEAU_RATE),
        f"a plateau needs flip rates of at most {PLATEAU_RATE}",
    ),
}

#: The k of the bound: the one of its formula, or that of the slider.
FORMULA_K = "k_n"
SET_K = "k as set"
NEIGHBORS = (FORMULA_K, SET_K)

#: The bound on the excess risk over n, or that on the error of e at x.
OVER_N = "over n"
AT_X = "at x, over k"
BOUNDS = (OVER_N, AT_X)

#: Whether there is a curve of the mean excess risk, and what single samples err beside it.
MEANS = "over n"
WITH_SAMPLES = "over n, with samples"
CURVES = (OFF, MEANS, WITH_SAMPLES)

#: Largest n and k.
MOST = 1_000_000

#: All samples have the points and uniform draws of this one, whatever their eta.
UNIFORM = ramp()

#: At how many k the error at x and terms of bounds are computed.
CURVE_KS = 120
TERM_KS = 80

#: Ends of the axes of the error at x, and of log10 of the excess and of its bound.
ERROR_END = 1.0
LOG_EXCESS = (-4.6, -0.9)
LOG_BOUND = (-7.0, 4.0)

#: Sample sizes of the risk curve, and limits of the axes of n of curve and bound.
RISK_SIZES = (1000, 8000, 64_000)
RISK_LIMITS = (100, 8_000_000)
BOUND_LIMITS = (100, 3e8)

#: So many times more samples are averaged than elsewhere: a few of them err by far more than most.
MORE_REPEATS = 5

#: Number of samples of which the excess is drawn, of cells on the line there, and how far from the
#: middle the line is shown.
EXCESSES = 21
EXCESS_CELLS = 2500
NEAR = 0.2

#: What is said of axes whose heights are those of logarithms.
IN_LOGARITHMS = "Heights are decimal logarithms."

#: Parts of the samples above which the area of their excess is darker.
PARTS = (0, 0.1, 0.2, 0.3, 0.4)

#: The color of a single sample, here the one with the middle area.
MIDDLE_COLOR = Current(0, "").color

#: Terms of a bound: name, label and color. The smoothness term is at the bottom, since Lemma 4.1
#: compares the worst neighbor with it alone.
TERMS = (
    ("smoothness", "smoothness term", "#56B4E9"),
    ("vote", "vote term", "#CC79A7"),
)

#: What k_n depends on, and what Theorem 4.3 assumes besides.
THEORY = ("delta", "smoothness", "smoothness_constant")
ASSUMED = (*THEORY, "margin_exponent", "margin_constant")

#: How close numbers on a grid come to those of a formula.
TOLERANCE = 1e-3

#: Rules that can be drawn, by option: kNN, and robust kNN with known and with estimated flip rates.
RULES = {
    "kNN and robust kNN": ("plain", "estimated"),
    "kNN": ("plain",),
    "robust kNN": ("estimated",),
    "robust kNN with known rates": ("known",),
}

K_TIP = "k_n, with which both terms of the bound fall equally fast as n grows; or a k of your own"
SMOOTH_TIP = (
    "eta at two points differs by at most L m^alpha, where m is the mass of the ball around one "
    "that reaches the other"
)
MARGIN_TIP = "Points where eta is within t of one half have a mass of at most M t^beta"
CURVE_TIP = (
    "The mean risk over a hundred fresh samples of each size, and where samples of size n err"
)
BOUND_TIP = "Over n the bound with k_n; at x the error of e, and the two terms of its bound"

PARAMETERS = (
    "Data",
    Choice("shape", SHAPES, "shape", "How eta rises over [0, 1]"),
    Float("low", 0.0, 0, 0.49, "lowest eta *a*", "Where eta begins"),
    Float("high", 1.0, 0.51, 1, "highest eta *b*", "Where eta ends"),
    LogInt("n", 10_000, 100, MOST, "sample size *n*", "Number of training points"),
    training_data.SEED,
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
    Choice("curve", CURVES, "risk curve", CURVE_TIP, draws=("risk", "excess")),
    Choice("bound_over", BOUNDS, "bound", BOUND_TIP, draws=("bound",)),
    Coordinate(
        "x1", 0.55, 0, 1, "point *x*", "Where the error of e is taken", when={"bound_over": (AT_X,)}
    ),
    "Theorem",
    Float(
        "delta",
        0.05,
        0.01,
        0.5,
        "failure probability *delta*",
        "The probability with which the bound may fail",
    ),
    Float("smoothness", 1.0, 0.1, 1, "smoothness *alpha*", SMOOTH_TIP, step=0.05),
    Float("smoothness_constant", 3.0, 0.5, 10, "smoothness constant *L*", SMOOTH_TIP, step=0.1),
    Float("margin_exponent", 0.0, 0, 3, "margin exponent *beta*", MARGIN_TIP, step=0.1),
    Float("margin_constant", 1.0, 1, 20, "margin constant *M*", MARGIN_TIP, step=0.1),
)


def ranges(values: ByName) -> dict[str, Any]:
    """k up to n, flip rates whose sum is below 1, and a range of eta in which the plateau lies; or
    flip rates, with the ends of eta, that leave observed labels as they are.
    """
    found: dict[str, Any] = sum_below_1(values)
    found["k"] = Range((1, values["n"]), "k is at most n")
    shape = values["shape"]
    if shape == RAMP:
        return found

    most, why = MOST_FLIPS[shape]
    p0 = values["p0"]
    p1 = values["p1"]
    found["p0"] = Range((0.0, most.p0), why)
    found["p1"] = Range((0.0, most.p1), why)
    if p0 > most.p0 or p1 > most.p1:
        return found

    if shape == HELD:
        noisy = np.array([most.p0, 1 - most.p1])
        low, high = ((noisy - p0) / (1 - p0 - p1)).round(DECIMALS).tolist()
        why = "observed labels stay the same"
        return found | {"low": Range((low, low), why), "high": Range((high, high), why)}

    m = plateau_level(p0, p1)
    why = f"the plateau is at {m:.4f}"
    steps = round(m / RATE_STEP, 9)
    below, above = (round(end * RATE_STEP, DECIMALS) for end in (floor(steps), ceil(steps)))
    found["low"] = Range((0.0, min(0.49, below)), why)
    found["high"] = Range((max(0.51, above), 1.0), why)
    return found


def recipe(p: Values, memo: Memo) -> Shown:
    data = noisy_sample(p, memo)
    theorem = theorem_4_3(p, memo, data)
    k = theorem.k
    rules = fitted_rules(p, memo, data, k)
    names = RULES[p.rules]
    rates = rules.rates
    fine = p.resolution.integral_cells[0]
    known = memo(known_risks, data.problem, data.noise, (p.low + p.high) / 2, fine)

    excess = None
    excesses = None
    drawn = p.resolution.map_cells[0], p.display.max_points
    panels = {"map": lambda: memo(line_panel, data, rules, k, *drawn)}
    if p.curve != OFF:
        excess = mean_excess(p, memo, data)
        # What is promised is the rate of clean labels: on these the line would say nothing.
        promised = theorem.promised if p.p0 + p.p1 else None
        panels["risk"] = lambda: memo(rates_panel, p.n, names, excess, excesses, known, promised)
    if p.curve == WITH_SAMPLES:
        *_, last = unfitted_rules(p).values()
        wrong = memo.stream(wrong_decisions, data.problem, data.noise, last, p.n, k, p.seed)
        excesses = memo(Excesses.from_samples, data.problem, wrong)
        panels["excess"] = lambda: memo(excess_panel, excesses)
    along_n = None
    if p.bound_over == OVER_N:
        along_n = memo(bounds_along_n, theorem.assumed)
        panels["bound"] = lambda: memo(bound_over_n, p.n, along_n, excess, theorem.promised)
    else:
        panels["bound"] = lambda: memo(bound_at_x, p.x1, k, theorem.assumed, data)

    numbers = {
        "risk of kNN": rules.risks.get("plain"),
        "risk of robust kNN": rules.risks.get("estimated"),
        "risk with known rates": rules.risks.get("known"),
        "Bayes risk": known.bayes,
        "limit of kNN": known.limits["plain"] if "plain" in names else None,
        "limit of robust kNN": rates and known.limits["estimated"],
        "k": k,
        "misled mass": known.misled,
        "estimated p0": rates and float(rates.p0),
        "estimated p1": rates and float(rates.p1),
        "estimated threshold": rates and float(rates.threshold),
        "bound on excess": theorem.bound,
        "millions of labels until the bound is below 1": along_n and along_n.below_1 / 1e6,
        "promised rate": theorem.promised,
        **(excesses.size if excesses else {}),
        "labels 1": Count(int(data.labels.sum()), p.n),
        "flipped labels": Count(int(np.sum(data.labels != data.sample.y)), p.n),
        "right threshold": float(theta(p.p0, p.p1)),
        "note": unmet_assumptions(p, theorem, rates),
    }
    return Shown(panels, numbers)


class NoisySample(NamedTuple):
    """A problem on the line, a sample of it with noisy labels, and their votes in all windows."""

    problem: Problem
    noise: LabelNoise
    sample: Sample
    labels: np.ndarray
    votes: WindowProfile


def noisy_sample(p: Values, memo: Memo) -> NoisySample:
    noise = LabelNoise(p.p0, p.p1)
    heights: tuple[float, ...] = (p.low, p.high)
    if p.shape == PLATEAU:
        heights = (round(plateau_level(p.p0, p.p1), DECIMALS), *heights)
    problem = memo(SHAPES[p.shape], *heights)
    drawn = memo(UNIFORM.sample, p.n, p.seed)
    windows = memo(Windows.from_points, drawn.X)
    if p.shape == HELD:
        labels = memo(held_labels, drawn)
        sample = memo(drawn_back, problem, noise, drawn, labels)
    else:
        sample = memo(with_classes, problem, drawn)
        labels = memo(noise.flip, sample.y, sample.v)
    votes = memo(WindowProfile.build, windows, labels, 2)
    return NoisySample(problem, noise, sample, labels, votes)


def held_labels(drawn: Any) -> np.ndarray:
    """Observed labels of world A, whatever world they are then said to be from."""
    return draw_classes(HELD_NOISE.corrupt(UNIFORM.eta(drawn.X)), drawn.u)


def drawn_back(problem: Problem, noise: LabelNoise, drawn: Sample, labels: np.ndarray) -> Sample:
    """A sample whose true labels are drawn given the observed ones (n,), from their posterior."""
    eta = problem.eta(drawn.X)
    each = np.arange(len(eta))
    # P(the other class is true, and flipped) / P(observed label).
    flipped = noise.offsets[labels] * eta[each, 1 - labels] / noise.corrupt(eta)[each, labels]
    return replace(drawn, y=np.where(drawn.v < flipped, 1 - labels, labels))


def with_classes(problem: Problem, drawn: Any) -> Sample:
    """A sample with the points and uniform draws of another one, and the classes of a problem."""
    return replace(drawn, y=draw_classes(problem.eta(drawn.X), drawn.u))


class Theorem(NamedTuple):
    """Theorem 4.3 at k: what it assumes, its bound for every k, the least L and M with which its
    assumptions hold, and the rate that it promises if they do.
    """

    k: int
    assumed: dict[str, Any]
    bound: float
    least: dict[str, float]
    promised: float | None


def theorem_4_3(p: Values, memo: Memo, data: NoisySample) -> Theorem:
    k = chosen_k(p, p.n)
    assumed = {name: vars(p)[name] for name in ASSUMED} | {"noise": data.noise}
    bound = reeve_kaban.theorem_4_3(k, p.n, any_k=True, **assumed)
    least = {
        "L": memo(reeve_kaban.least_smoothness_constant, data.problem, p.smoothness),
        "M": memo(reeve_kaban.least_margin_constant, data.problem, p.margin_exponent),
    }
    promised = None
    reaches_ends = p.low == 0 and p.high == 1
    if p.neighbors == FORMULA_K and reaches_ends and sum(least.values()) < inf:
        promised = reeve_kaban.exponent(p.smoothness, p.margin_exponent)
    return Theorem(k, assumed, bound, least, promised)


def chosen_k(p: Values, n: int) -> int:
    """k_n, or the k that is set."""
    if p.neighbors == SET_K:
        return p.k
    return reeve_kaban.k_n(n, p.delta, p.smoothness, p.smoothness_constant)


def unmet_assumptions(p: Values, theorem: Theorem, rates: Rates | None) -> str | None:
    """What estimates and the theorem need, but do not have."""
    unmet = []
    if rates and rates.degenerate:
        unmet.append(DEGENERATE)
    if p.low > 0 or p.high < 1:
        unmet.append("eta does not reach 0 and 1")
    unmet += reeve_kaban.unmet_conditions("theorem_4_3", k=theorem.k, n=p.n, delta=p.delta)
    given = {"L": p.smoothness_constant, "M": p.margin_constant}
    for name, least in theorem.least.items():
        if least == inf:
            unmet.append(f"no {name} is large enough")
        elif given[name] < least - TOLERANCE:
            # Rounded up, so that the number shown is large enough.
            rounded = np.ceil(100 * (least - TOLERANCE)) / 100
            unmet.append(f"{name} must be at least {rounded:.2f}")
    return "; ".join(unmet) or None


class FittedRules(NamedTuple):
    """Of the rules that are drawn the estimated flip rates, the thresholds, and the risks by name.

    The map shows the last rule, with its ``decisions`` in windows.
    """

    rates: Rates | None
    thresholds: Sequence[Level]
    risks: dict[str, float]
    decisions: np.ndarray


def unfitted_rules(p: Values) -> dict[str, Any]:
    """The rules that are drawn, before flip rates are estimated."""
    # Algorithm 2 of Reeve & Kaban: votes in "order" are those of the first k by (distance, index).
    rules: dict[str, Any] = {
        "plain": Vote(),
        "known": Robust((p.p0, p.p1)),
        "estimated": Robust(votes="order"),
    }
    return {name: rules[name] for name in RULES[p.rules]}


def fitted_rules(p: Values, memo: Memo, data: NoisySample, k: int) -> FittedRules:
    rules = unfitted_rules(p)
    rates = None
    if "estimated" in rules:
        robust = memo(rules["estimated"].fit, data.votes.windows, data.labels, k, 2)
        rates = robust.noise_rates
        rules["estimated"] = robust
    thresholds = threshold_lines(rules)

    fine = p.resolution.integral_cells[0]
    antiderivative = memo(Antiderivative.build, data.problem, fine)
    breaks = memo(data.votes.windows.breakpoints, k)
    risks = {}
    for name, rule in rules.items():
        decisions = memo(rule.predict, data.votes, k)
        risks[name] = memo(risk.on_line, antiderivative, breaks, decisions)
    return FittedRules(rates, thresholds, risks, decisions)


class LogExcess(NamedTuple):
    """Mean risks (rules, J) as log10 of what exceeds the Bayes risk, with their errors; that of
    robust kNN (J,) by itself, once the curve is whole.
    """

    values: np.ndarray
    done: int
    pieces: int
    mean: np.ndarray
    standard_error: np.ndarray
    robust: np.ndarray | None


def log_excess(means: RiskCurve) -> LogExcess:
    above = means.mean - means.bayes_risk
    excess = np.where(above > 0, above, np.nan)
    mean = np.log10(excess)
    robust = None
    if means.done == means.pieces and "estimated" in means.names:
        robust = mean[means.names.index("estimated")]
    error = means.standard_error / (excess * np.log(10))
    return LogExcess(means.values, means.done, means.pieces, mean, error, robust)


def mean_excess(p: Values, memo: Memo, data: NoisySample) -> LogExcess | None:
    """log10 of the mean excess of the rules that are drawn, at the sample sizes that are at least
    k.
    """
    ks = {n: chosen_k(p, n) for n in RISK_SIZES}
    ks = {n: k for n, k in ks.items() if k <= n}
    means = memo.stream(
        risk.stream,
        data.problem,
        unfitted_rules(p),
        over={"n": list(ks)},
        k=list(ks.values()),
        noise=data.noise,
        resolution=p.resolution,
        repeats=MORE_REPEATS * p.resolution.repeats,
    )
    return memo(log_excess, means) if means else None


class Excesses(NamedTuple):
    """Cells x (m,) of a line, what an error costs there (m,), and where the rule of each sample
    errs (s, m); of all samples the one with the middle area, how far from the least cost it errs,
    and its base, height and area.
    """

    x: np.ndarray
    cost: np.ndarray
    wrong: np.ndarray
    middle: np.ndarray | None = None
    ends: tuple[float, float] = (0.5, 0.5)
    size: ByName = dict.fromkeys(("base", "height", "area"), TO_COME)

    @classmethod
    def from_samples(cls, problem: Problem, samples: list[np.ndarray] | None) -> Self:
        points = problem.grid(EXCESS_CELLS).points
        x = points[:, 0]
        cost = abs(2 * problem.eta(points)[:, 1] - 1)
        wrong = np.reshape(samples or [], (-1, len(x)))
        if len(wrong) < EXCESSES:
            return cls(x, cost, wrong)
        excesses = wrong * cost
        i = excesses.mean(axis=1).argsort()[EXCESSES // 2]
        # The base begins where an error costs least.
        crossing = x[cost.argmin()]
        apart = wrong[i] * abs(x - crossing)
        far = x[apart.argmax()] if apart.any() else crossing
        found = apart.max(), excesses[i].max(), excesses[i].mean()
        size = dict(zip(("base", "height", "area"), map(float, found), strict=True))
        return cls(x, cost, wrong, wrong[i], (crossing, far), size)


def wrong_decisions(
    problem: Problem, noise: LabelNoise, rule: Rule, n: int, k: int, seed: int
) -> Iterator[list[np.ndarray]]:
    """At which cells the rule of each sample so far differs from the Bayes classifier."""
    points = problem.grid(EXCESS_CELLS).points
    best = problem.eta(points)[:, 1] >= 0.5
    wrong = []
    for rng in np.random.default_rng(seed).spawn(EXCESSES):
        sample = problem.sample(n, rng)
        labels = noise.flip(sample.y, sample.v)
        windows = Windows.from_points(sample.X)
        votes = WindowProfile.build(windows, labels, 2)
        decisions = rule.fit(windows, labels, k, 2).predict(votes, k)
        wrong.append(decisions[windows.starts(points[:, 0], k)] != best)
        yield [*wrong]


class Known(NamedTuple):
    """Bayes risk, limits of kNN and robust kNN by name, and mass of misled points."""

    bayes: float
    limits: dict[str, float]
    misled: float


def known_risks(problem: Problem, noise: LabelNoise, middle: float, n_cells: int) -> Known:
    measure, eta = problem.cells(n_cells)
    limits = Limits.from_eta(eta, measure.weights)
    # The threshold of robust kNN tends to the midrange of eta_corr.
    robust = limits.vote(noise, noise.p0 + noise.contrast * middle)
    of_rules = {"plain": limits.vote(noise), "estimated": robust}
    # The Bayes classifier has the least risk of all thresholds on eta.
    return Known(float(limits.risks.min()), of_rules, limits.misled(noise))


def line_panel(
    data: NoisySample, rules: FittedRules, k: int, n_cells: int, max_points: int
) -> Panel:
    """What kNN, or robust kNN with estimated flip rates, predicts, and the votes."""
    problem = data.problem
    labels = data.labels
    rule = "kNN" if [*rules.risks] == ["plain"] else "robust kNN"
    cells = problem.grid(n_cells).points
    x = cells[:, 0]
    eta = problem.eta(cells)
    eta_corr = data.noise.corrupt(eta)
    windows = data.votes.windows.starts(x, k)
    predicted = rules.decisions[windows]

    wrong: list[Fill] = []
    if "plain" in rules.risks:
        misled = misled_points(eta, eta_corr)
        wrong.append(set_view.region(problem, misled, "set", "misled points", "\\"))
        if rules.rates:
            # The estimated threshold tends to the middle of noisy eta, where that of eta is.
            differs = misled_points(eta, eta, eta[[0, -1], 1].mean())
            errors = set_view.region(problem, differs, "errors", "robust kNN's errors in the limit")
            wrong.append(replace(errors, color=COLORS["estimated"]))
    axes = replace(line_view.axes(problem), title=f"Line: {rule} decides")
    true, *_ = line_view.eta_curves(x, eta)
    if eta[-1, 1] < eta_corr[-1, 1]:
        true = named_along(true, 0, "below")
    points = set_view.points(problem, data.sample, labels, max_points, set_view.FADED)
    layers: list[Any] = [
        set_view.regions(problem, predicted),
        *wrong,
        # The alternative text counts flipped labels.
        replace(points, ring_labels=()),
        bayes_boundary(x, eta, axes),
        true,
        *line_view.noisy_curves(x, eta_corr),
        *[level_line(each, problem.box[0]) for each in rules.thresholds],
        *line_view.vote_curves(x, data.votes.at(k)[windows] / k),
        *(extreme_fractions(data.votes, k) if rules.rates else ()),
    ]

    flipped = np.sum(labels != data.sample.y)
    says = f"{flipped} of {len(labels)} labels flipped; "
    says += f"{rule} predicts class 1 on {predicted.mean():.1%} of the line. Curves are of class 1."
    corner = drawn_of(max_points, len(labels), "points", axes)
    if corner:
        says = f"{says} Drawn: {corner.texts[0]}."
    return Panel(axes, [*layers, corner], says=says)


def bayes_boundary(x: np.ndarray, eta: np.ndarray, axes: Axes) -> Lines:
    """A vertical line where eta (m, 2) over x (m,), which rises, crosses one half."""
    at = float(x[eta.argmax(axis=1).argmax() - 1])
    low, high = axes.ylim
    side = "left" if at < 0.3 else "right"
    place = Place(at, low + 0.05 * (high - low), side)
    return curve("bayes", "Bayes boundary", at, axes.ylim, width=1, at=place)


def extreme_fractions(votes: WindowProfile, k: int) -> list[Layer]:
    """Dots at training points with the lowest and the highest e, and lines over their k nearest
    neighbors.
    """
    x = votes.windows.x
    fractions = votes.at_points(x, k)[:, 1] / k
    starts = votes.windows.starts(x, k)
    extremes = np.array([fractions.argmin(), fractions.argmax()])
    left = x[starts[extremes]]
    right = x[starts[extremes] + k - 1]
    heights = fractions[extremes]
    # Many points near an end have the same neighbors: the dot is at the middle one.
    alike = [np.flatnonzero(starts == start) for start in starts[extremes]]
    lowest, highest = (float(x[each[len(each) // 2]]) for each in alike)
    color = COLORS["estimated"]
    bars = segments(left, right), segments(heights, heights)
    low, high = heights.tolist()
    # Names stand below a bar, or at the end of it that is farther from that of the line.
    below = Place(lowest, low, "below")
    beside = Place(left[1], high, "right") if highest >= 0.5 else Place(right[1], high, "left")
    return [
        curve("spans", "their k neighbors", *bars, color, width=5, at="in words"),
        dot(lowest, low, "lowest", "lowest fraction", color, 0, at=below),
        dot(highest, high, "highest", "highest fraction", color, 0, at=beside),
    ]


class AlongN(NamedTuple):
    """Some n (J,), the bound on the excess (J,) at k_n there, and from which n on it is below 1."""

    sizes: np.ndarray
    bound: np.ndarray
    below_1: float


def bounds_along_n(assumed: dict[str, Any]) -> AlongN:
    sizes = log_spaced(*BOUND_LIMITS, 57)
    theory = [assumed[name] for name in THEORY]
    found = []
    for n in sizes.tolist():
        k_n = reeve_kaban.k_n(n, *theory)
        found += [reeve_kaban.theorem_4_3(k_n, n, any_k=True, **assumed)]
    bound = np.array(found)
    # The bound falls, so that it is read backward.
    log_n = np.interp(0, np.log(bound[::-1]), np.log(sizes[::-1]))
    return AlongN(sizes, bound, float(np.exp(log_n)))


def falling(n: float, height: float, rate: float, end: float) -> tuple[Any, Any]:
    """Two sample sizes, and log10 of what falls like n^-rate between them."""
    return (n, end), (height, height - rate * log10(end / n))


def bound_over_n(
    n: int, along_n: AlongN, excess: LogExcess | None, promised: float | None
) -> Panel:
    """The bound on the excess risk along k_n, and the mean excess of robust kNN, both as log10."""
    labels = ("sample size n", "excess risk")
    axes = Axes("bound", "Bound and truth", *labels, BOUND_LIMITS, LOG_BOUND, log=True)
    axes = with_powers(axes, range(-4, 5, 2))
    vacuous = Level(0, "useful", "vacuous above 1", (3, 3), style.MUTED)
    printed = curve("printed", "bound", along_n.sizes, np.log10(along_n.bound))
    layers = [level_line(vacuous, BOUND_LIMITS, 0), named_along(printed, 0.2), *at_n(n, axes)]
    if excess:
        sizes = excess.values
        color = COLORS["estimated"]
        if excess.robust is not None:
            measured = curve("truth", "robust kNN", sizes, excess.robust, color)
            layers.append(named_along(measured, 0))
            if promised:
                beyond = falling(sizes[-1], excess.robust[-1], promised, BOUND_LIMITS[1])
                # Above the end of the line, which falls.
                place = Place(BOUND_LIMITS[1], beyond[1][1] + 1.5, "right")
                layers.append(
                    curve(
                        "extended", "if it goes on so", *beyond, color=color, dash=(7, 5), at=place
                    )
                )
        top_right = (0.7 * BOUND_LIMITS[1], 0.8 * LOG_BOUND[1])
        layers.append(risk_view.progress(excess.done, excess.pieces, top_right))
    below_1 = along_n.below_1
    says = "The bound is never below 1."
    if below_1 < BOUND_LIMITS[1]:
        label = f"{below_1 / 1e6:.1f} million"
        at = Place(1.3 * below_1, 0.6)
        layers.append(dot(below_1, 0, "crossing", label, marker=0, at=at))
        says = f"The bound is below 1 from n = {below_1:.3g} on."
    return Panel(axes, layers, lambda at: {"n": at.x}, f"{IN_LOGARITHMS} {says}")


def with_powers(axes: Axes, powers: Iterable[int]) -> Axes:
    """The axes with ticks at powers of ten, of which y are the logarithms."""
    names = [f"{10**power:,}" if power > 0 else f"{10**power:.{-power}f}" for power in powers]
    return replace(axes, yticks=tuple(map(float, powers)), ynames=tuple(names))


def errors_at_x(x: float, data: NoisySample) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Some k (J,), the error (J,) of e at x, and how far eta_corr at one of the k nearest is from
    that at x (J,).
    """
    windows = data.votes.windows
    ks = log_spaced(1, windows.n, CURVE_KS)
    starts = windows.starts_for_ks(x, ks)
    fractions = data.votes.votes_in(starts, ks)[:, 1] / ks
    # eta rises, so eta_corr differs most at one of the two ends of a window.
    positions = np.concatenate([windows.x[starts], windows.x[starts + ks - 1], [x]])
    eta_corr = data.noise.corrupt(data.problem.eta(positions[:, None]))[:, 1]
    worst = abs(eta_corr[:-1] - eta_corr[-1]).reshape(2, -1).max(axis=0)
    return ks, abs(fractions - eta_corr[-1]), worst


def bound_at_x(x: float, k: int, assumed: dict[str, Any], data: NoisySample) -> Panel:
    """The error of e at x and the worst neighbor over k, below the two terms of their bound."""
    n = len(data.labels)
    delta, alpha, L = (assumed[name] for name in THEORY)
    # The constant of eta_corr is L times the contrast.
    smooth = alpha, L * data.noise.contrast
    covered = log_spaced(*reeve_kaban.k_range(n, delta, "theorem_4_1"), TERM_KS)
    terms = [reeve_kaban.theorem_4_1(k, n, delta, *smooth) for k in covered.tolist()]
    vote, smoothness = np.array(terms).T
    ks, error, worst = errors_at_x(x, data)
    # The same axis for all n between two powers of ten.
    axes = profile.axes(10 ** ceil(log10(n)), "error of e", log=True)
    axes = replace(axes, name="bound", title="Bound at x", ylim=(0, ERROR_END))
    layers = [
        *stacked(covered, TERMS, (smoothness, vote), 0.45),
        curve("sum", "sum", covered, vote + smoothness),
        curve("worst", "worst neighbor", ks, worst, COLORS["known"], (7, 3)),
        curve("error", "error of e at x", ks, error, COLORS["estimated"]),
        curve("at_k", "k", k, axes.ylim),
        grip(k, axes),
    ]
    return Panel(axes, layers, lambda at: {"k": at.x, "neighbors": SET_K})


def rates_panel(
    n: int,
    names: Sequence[str],
    excess: LogExcess | None,
    excesses: Excesses | None,
    known: Known,
    promised: float | None,
) -> Panel:
    """log10 of the mean excess risk over n, with the promised rate and the area of the middle
    sample.
    """
    axes = risk_view.axes("n", RISK_LIMITS, LOG_EXCESS, ylabel="excess risk")
    axes = with_powers(replace(axes, title=mean_title("excess risk")), range(-4, 0))
    styles = {name: STYLES[name] for name in names}
    layers: list[Layer] = []
    for name, limit in known.limits.items():
        above = limit - known.bayes
        # Without misled points the limit of kNN is the Bayes risk.
        if name in names and above > TOLERANCE:
            label, color = styles[name]
            look = f"limit {name}", f"limit of {label}", (2, 3), color
            layers.append(level_line(Level(log10(above), *look), RISK_LIMITS))
    if promised and excess and excess.robust is not None:
        promise = falling(excess.values[0], excess.robust[0], promised, RISK_LIMITS[1])
        line = curve("promised", "promised rate", *promise, style.MUTED, (9, 4), width=2)
        layers.append(named_along(line, 1))
    layers += at_n(n, axes)
    area = excesses and excesses.size["area"]
    if isinstance(area, float) and area:
        named = "middle_area", "middle sample", MIDDLE_COLOR, 0
        layers.append(dot(n, log10(area), *named, at="in words"))
    if excess is not None:
        layers += risk_curve.mean_curves(excess, styles, RISK_LIMITS, LOG_EXCESS)
    return Panel(axes, layers, lambda at: {"n": at.x}, IN_LOGARITHMS)


def at_n(n: int, axes: Axes) -> list[Layer]:
    """A vertical line at n, which a hand can pull."""
    line = curve("at_n", "n", n, axes.ylim, style.MUTED, width=1.5, at="in words")
    return [line, grip(n, axes)]


def excess_panel(excesses: Excesses) -> Panel:
    """The cost of an error over x, the area below it where rules err, darker the more of them do,
    and base and height of the middle one.
    """
    near = abs(excesses.x - 0.5) < NEAR
    x = excesses.x[near]
    cost = excesses.cost[near]
    count = excesses.wrong[:, near].sum(axis=0)

    def below(name: str, inside: np.ndarray, color: str, opacity: float) -> Band:
        return Band(name, x, 0, np.where(inside, cost, np.nan), color=color, opacity=opacity)

    layers: list[Layer] = []
    for i, part in enumerate(PARTS):
        layers.append(below(f"excess{i}", count > part * EXCESSES, style.MUTED, 0.13))
    of_error = curve("cost", "|2 eta − 1|", x, cost, width=1.5)
    layers.append(named_along(of_error, 0.9, "right"))
    middle = excesses.middle
    if middle is not None and middle[near].any():
        crossing, far = np.clip(excesses.ends, x[0], x[-1])
        area = below("area", middle[near], MIDDLE_COLOR, 0.5)
        base = curve("base", "base", (crossing, far), 0, MIDDLE_COLOR)
        height = curve("height", "height", far, (0, np.interp(far, x, cost)), MIDDLE_COLOR)
        layers += [
            replace(area, label="area of the middle sample", at="in words"),
            named_along(height, 1, "left" if far > crossing else "right"),
            named_along(base, 0, "below"),
        ]
    xlim = (0.5 - NEAR, 0.5 + NEAR)
    ylim = (-0.3 * NEAR, 2.1 * NEAR)
    title = f"Excess risk of {EXCESSES} samples"
    axes = Axes("excess", title, "x", "cost of an error", xlim, ylim)
    top_right = (0.98 * xlim[1], 0.9 * ylim[1])
    layers.append(risk_view.progress(len(excesses.wrong), EXCESSES, top_right))
    return Panel(axes, layers)


#: Decimals of numbers on the screen.
THIRDS = {"base": 3, "height": 3, "area": 5}
ONE_POINT = {"n": 2000, "x1": 0.0, "smoothness_constant": 1.5, "bound_over": AT_X}
BROKEN = {"shape": RAMP, "low": 0.2, "n": 64_000, "curve": MEANS}


class RatesLab(Lab):
    """Line, profile at x with the Extremes over k, Risk over n, and the Bound, for kNN and robust
    kNN.

    Source: Reeve & Kaban, sections 4 and 5.

    Examples
    --------
    >>> from knnviz.labs import RatesLab
    >>> found = RatesLab(p0=0.1, p1=0.3, n=1000).readout()
    >>> found["limit of kNN"], found["limit of robust kNN"], found["Bayes risk"]
    (0.379637, 0.305556, 0.305556)
    """

    title = "Fast rates"
    table = PARAMETERS
    ranges = ranges
    recipe = recipe
    parts = (risk_curve,)
    buttons = training_data.BUTTONS
    decimals = THIRDS
    layout = columns(
        rows(("map", 0.6), ("excess", 0.75)), rows(("risk", 0.75), ("bound", 0.5)), ratios=(14, 13)
    )
    presets = (
        Preset("Figure 1", "Reeve & Kaban, Figure 1", {"n": 1000}),
        Preset("One point", "Reeve & Kaban, Theorem 4.1", ONE_POINT),
        Preset("Range assumption broken", "Reeve & Kaban, Assumption 2", BROKEN),
    )
