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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple, Self

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
    Shown,
    Values,
    columns,
    rows,
)
from knnviz.labs.engine.words import TO_COME, Count
from knnviz.labs.parts import data as training_data
from knnviz.labs.parts import plane, risk_curve
from knnviz.labs.parts.label_noise import P0, P1, RATE_STEP, sum_below_1
from knnviz.labs.parts.plane import Coordinate
from knnviz.labs.parts.profile import log_spaced
from knnviz.labs.parts.risk_curve import OFF, Current, mean_title
from knnviz.labs.parts.robust_rules import COLORS, DEGENERATE, STYLES, risk_markers, threshold_lines
from knnviz.neighbors import Windows
from knnviz.noise import LabelNoise, Rates, extremes_on_line, misled_points, theta
from knnviz.problems import Problem, Sample, levels, plateau_level, ramp, terrace
from knnviz.problems.base import draw_classes
from knnviz.profiles import BallProfile, WindowProfile
from knnviz.risk import Antiderivative, Limits, RiskCurve
from knnviz.rules import Robust, Rule, Vote
from knnviz.views import line as line_view
from knnviz.views import profile, style
from knnviz.views import risk as risk_view
from knnviz.views import sets as set_view
from knnviz.views.extremes import MIDRANGE_DASH
from knnviz.views.layers import Axes, Band, Fill, Layer, Lines, Place, Points
from knnviz.views.marks import Level, curve, dot, drawn_of, grip, level_line, named_along, stacked

#: Shapes of eta, and the problems that have them; a plateau has its height before both ends.
PLATEAU = "plateau"
RAMP = "ramp"
HELD = "ramp, same labels"
SHAPES: dict[str, Any] = {PLATEAU: terrace, RAMP: ramp, "two levels": levels, HELD: ramp}

#: With these flip rates the ramp from 0 to 1 has the observed labels that stay.
HELD_NOISE = LabelNoise(0.1, 0.3)

#: The k of the bound: the one of its formula, or that of the slider.
FORMULA_K = "k_n"
SET_K = "k as set"
NEIGHBORS = (FORMULA_K, SET_K)

#: The bound on the excess risk over n, or that on the error of e at x.
OVER_N = "over n"
AT_X = "at x, over k"
BOUNDS = (OVER_N, AT_X)

#: Whether there is a curve of the mean excess risk.
CURVES = (OFF, "over n")

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

#: Ends of the axes of the error at x, and of log10 of the excess and of its bound.
ERROR_END = 1.0
LOG_EXCESS = (-5.0, 0.0)
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
SHADE: Any = {"color": style.MUTED, "opacity": 0.13}

#: The color of a single sample, here the one with the middle area.
MIDDLE_COLOR = Current(0, "").color

#: Terms of a bound: name, label and color. The smoothness term is at the bottom, since Lemma 4.1
#: compares the worst neighbor with it alone.
TERMS: tuple[tuple[str, str, str], ...] = (
    ("smoothness", "smoothness term", "#56B4E9"),
    ("vote", "vote term", "#CC79A7"),
)

#: How close numbers on a grid come to those of a formula.
TOLERANCE = 1e-3

#: Rules that can be drawn, by option: kNN, and robust kNN with known and with estimated flip rates.
RULES = {
    "kNN and robust kNN": ("plain", "estimated"),
    "kNN": ("plain",),
    "robust kNN": ("estimated",),
    "all": ("plain", "known", "estimated"),
    "robust kNN with known rates": ("known",),
}

K_TIP = (
    "k_n, with which both terms of the bound decrease at the same rate in n; or a k that you set"
)
SMOOTH_TIP = (
    "eta at two points differs by at most L m^alpha, m being the mass of the ball around one up to "
    "the other"
)
MARGIN_TIP = "eta is within t of one half on a mass of at most M t^beta"
BOUND_TIP = "Over n: the bound with k_n. At x: the error of e and its bound of two terms"

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
    Choice("curve", CURVES, "risk curve", "Mean risk over a hundred fresh samples of each size"),
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
    found: dict[str, Any] = sum_below_1(values)
    found["k"] = Range((1, values["n"]), "k is at most n")
    if values["shape"] == HELD:
        return found | held_ranges(values)
    if values["shape"] != PLATEAU:
        return found

    why = f"a plateau needs flip rates of at most {PLATEAU_RATE}"
    found["p0"] = Range((0.0, PLATEAU_RATE), why)
    found["p1"] = found["p0"]
    if max(values["p0"], values["p1"]) > PLATEAU_RATE:
        return found

    m = plateau_level(values["p0"], values["p1"])
    why = f"the plateau is at {m:.4f}"
    steps = round(m / RATE_STEP, 9)
    below = round(math.floor(steps) * RATE_STEP, DECIMALS)
    above = round(math.ceil(steps) * RATE_STEP, DECIMALS)
    found["low"] = Range((0.0, min(0.49, below)), why)
    found["high"] = Range((max(0.51, above), 1.0), why)
    return found


def held_ranges(values: Mapping[str, Any]) -> dict[str, Range]:
    """Flip rates with which a straight eta leaves all observed labels as they are, and its ends."""
    why = "with more flips eta would leave [0, 1]"
    found = {"p0": Range((0.0, HELD_NOISE.p0), why), "p1": Range((0.0, HELD_NOISE.p1), why)}
    p0 = values["p0"]
    p1 = values["p1"]
    if p0 > HELD_NOISE.p0 or p1 > HELD_NOISE.p1:
        return found
    for name, noisy in (("low", HELD_NOISE.p0), ("high", 1 - HELD_NOISE.p1)):
        end = round((noisy - p0) / (1 - p0 - p1), DECIMALS)
        found[name] = Range((end, end), "observed labels stay the same")
    return found


def recipe(p: Values, memo: Memo) -> Shown:
    m = None
    if p.shape == PLATEAU:
        m = round(plateau_level(p.p0, p.p1), DECIMALS)
    data = noisy_sample(p, memo, m)
    theorem = theorem_4_3(p, memo, data)
    k = theorem.k
    rules = fitted_rules(p, memo, data, k)
    names = RULES[p.rules]
    rates = rules.rates
    fine = p.resolution.integral_cells[0]
    known = memo(known_risks, data.problem, data.noise, p.low, p.high, fine)
    x = memo(query, p.x1, data.votes, rules.threshold, k, data.problem)

    means = None
    excesses = None
    if p.curve != OFF:
        means = mean_risks(p, memo, data)
        *_, last = unfitted_rules(p).values()
        wrong = memo.stream(wrong_decisions, data.problem, data.noise, last, p.n, k, p.seed)
        excesses = memo(Excesses.from_samples, data.problem, wrong)

    n_cells = p.resolution.map_cells[0]

    def map_panel() -> Panel:
        under = memo(known_layers, data.problem, data.noise, n_cells, "plain" in names)
        panel = memo(line_panel, data, under, rules, k, p.display.max_points)
        if not {"k", "x1"}.intersection(p.controls):
            return panel
        return memo(with_query, panel, data, x, p.display.max_points)

    def votes_panel() -> Panel:
        extremes = None
        if rates:
            counts = (FEW_KS, MANY_KS) if p.n > LARGE_SAMPLE else (MANY_KS,)
            extremes = memo.refine(extremes_of_e, counts, data.votes.windows, data.labels)
        true = memo(true_frequencies, data.problem, data.noise, p.x1, p.n, n_cells)
        votes = memo(votes_over_k, p.x1, data.votes)
        drawn = extremes, rules.thresholds, true, votes, x
        return memo(votes_around_x, data, k, *drawn)

    def excess_risks_panel() -> Panel:
        current = risk_markers(rules.risks)
        drawn = excesses, means, known, current, theorem.promised
        return memo(rates_panel, p.n, names, *drawn)

    def bounds_panel() -> Panel:
        if along_n is None:
            return error_panel(p, memo, data, theorem)
        truth = memo(true_excess, means, names, theorem.promised)
        return memo(bound_over_n, p.n, along_n, means, truth)

    panels = {
        "map": map_panel,
        "votes": votes_panel,
        "bound": bounds_panel,
        "risk": excess_risks_panel,
    }
    if excesses:
        panels["excess"] = lambda: memo(excess_panel, excesses)

    price = None
    if known.least_excess > TOLERANCE:
        least = known.bayes + known.least_excess
        price = f"has a limit risk on true labels of at least {least:.4f} (after Theorem 5.1)"
    along_n = None
    if p.bound_over == OVER_N:
        along_n = memo(bounds_along_n, p.delta, data.noise, theorem.smooth, theorem.assumed)
    classes = data.problem.class_names
    flipped = data.labels != data.sample.y
    numbers = {
        "risk of kNN": rules.risks.get("plain"),
        "risk of robust kNN": rules.risks.get("estimated"),
        "risk with known rates": rules.risks.get("known"),
        "Bayes risk": known.bayes,
        "limit of kNN": known.vote if "plain" in names else None,
        "limit of robust kNN": rates and known.robust,
        "k": k,
        "misled mass": known.misled,
        "any learner consistent on noisy labels": price,
        "level m": m,
        "estimated p0": rates and float(rates.p0),
        "estimated p1": rates and float(rates.p1),
        "estimated threshold": rates and rules.threshold,
        "bound on excess": theorem.bound,
        "tight bound on excess": theorem.tight,
        "millions of labels until the bound is below 1": along_n and along_n.below_1 / 1e6,
        "promised rate": theorem.promised,
        "base": excesses and excesses.base,
        "height": excesses and excesses.height,
        "area": excesses and excesses.area,
        "labels 1": Count(int(data.labels.sum()), p.n),
        "flipped labels": Count(int(flipped.sum()), p.n),
        "right threshold": float(theta(p.p0, p.p1)),
        "votes at x": dict(zip(classes, x.votes.tolist(), strict=True)),
        "decision at x": x.decision,
        "note": unmet_assumptions(p, theorem, rates),
    }
    return Shown(panels, numbers, EXCESS_LAYOUT if excesses else LAYOUT)


class NoisySample(NamedTuple):
    """A problem on the line, a sample of it with noisy labels, and their votes in all windows."""

    problem: Problem
    noise: LabelNoise
    sample: Sample
    labels: np.ndarray
    votes: WindowProfile


def noisy_sample(p: Values, memo: Memo, m: float | None) -> NoisySample:
    noise = LabelNoise(p.p0, p.p1)
    heights: tuple[float, ...] = (p.low, p.high)
    if m is not None:
        heights = (m, *heights)
    problem = memo(SHAPES[p.shape], *heights)
    drawn = memo(UNIFORM.sample, p.n, p.seed)
    windows = memo(Windows.from_points, drawn.X)
    if p.shape == HELD:
        labels = memo(held_labels, drawn)
        sample = memo(drawn_back, problem, noise, drawn, labels)
    else:
        sample = memo(classed, problem, drawn)
        labels = memo(noise.flip, sample.y, sample.v)
    votes = memo(WindowProfile.build, windows, labels, 2)
    return NoisySample(problem, noise, sample, labels, votes)


def held_labels(drawn: Any) -> np.ndarray:
    """Observed labels of world A, whatever world they are then said to be from."""
    return draw_classes(HELD_NOISE.corrupt(UNIFORM.eta(drawn.X)), drawn.u)


def drawn_back(problem: Problem, noise: LabelNoise, drawn: Any, labels: np.ndarray) -> Sample:
    """A sample whose true labels are drawn given the observed ones (n,), from their posterior."""
    eta = problem.eta(drawn.X)
    observed = noise.corrupt(eta)[np.arange(len(eta)), labels]
    # P(the other class is true, and flipped) / P(observed label).
    flipped = noise.offsets[labels] * eta[np.arange(len(eta)), 1 - labels] / observed
    y = np.where(drawn.v < flipped, 1 - labels, labels)
    return Sample(drawn.X, y, drawn.u, drawn.v)


class Theorem(NamedTuple):
    """Theorem 4.3 at k: what it assumes, of smoothness and in all, its bound and a tighter one, the
    least constants with which its assumptions hold, and the rate that it promises if they do.
    """

    k: int
    smooth: dict[str, float]
    assumed: dict[str, float]
    bound: float
    tight: float
    least_L: float
    least_M: float
    promised: float | None


def theorem_4_3(p: Values, memo: Memo, data: NoisySample) -> Theorem:
    k = chosen_k(p, p.n)
    smooth = {"smoothness": p.smoothness, "smoothness_constant": p.smoothness_constant}
    assumed = smooth | {
        "margin_exponent": p.margin_exponent,
        "margin_constant": p.margin_constant,
    }
    bound, tight = bounds_on_excess(k, p.n, p.delta, data.noise, assumed)
    least_L = memo(reeve_kaban.least_smoothness_constant, data.problem, p.smoothness)
    least_M = memo(reeve_kaban.least_margin_constant, data.problem, p.margin_exponent)
    promised = None
    has_constants = np.isfinite([least_L, least_M]).all()
    if p.neighbors == FORMULA_K and p.low == 0 and p.high == 1 and has_constants:
        promised = reeve_kaban.exponent(p.smoothness, p.margin_exponent)
    return Theorem(k, smooth, assumed, bound, tight, least_L, least_M, promised)


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
    if p.smoothness_constant < theorem.least_L - TOLERANCE:
        unmet.append(constant_needed("L", theorem.least_L))
    if p.margin_constant < theorem.least_M - TOLERANCE:
        unmet.append(constant_needed("M", theorem.least_M))
    return "; ".join(unmet) or None


class FittedRules(NamedTuple):
    """Of the rules that are drawn the estimated flip rates, the thresholds, and the risks by name.

    The map shows the last rule, with its ``threshold`` and its ``decisions`` in windows.
    """

    rates: Rates | None
    thresholds: Sequence[Level]
    risks: dict[str, float]
    threshold: float
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
    return FittedRules(rates, thresholds, risks, thresholds[-1].value, decisions)


def mean_risks(p: Values, memo: Memo, data: NoisySample) -> RiskCurve | None:
    """Mean risks of the rules that are drawn, at the sample sizes that are at least k."""
    ks = {n: chosen_k(p, n) for n in RISK_SIZES}
    ks = {n: k for n, k in ks.items() if k <= n}
    return memo.stream(
        risk.stream,
        data.problem,
        unfitted_rules(p),
        over={"n": list(ks)},
        k=list(ks.values()),
        noise=data.noise,
        resolution=p.resolution,
        repeats=MORE_REPEATS * p.resolution.repeats,
    )


class Excesses(NamedTuple):
    """Cells x (m,) of a line, what an error costs there (m,), and where the rule of each sample
    errs (s, m); of all samples the one with the middle area, its farthest error, and its base,
    height and area.
    """

    x: np.ndarray
    cost: np.ndarray
    wrong: np.ndarray
    middle: np.ndarray | None = None
    far: float = 0.5
    base: float | str = TO_COME
    height: float | str = TO_COME
    area: float | str = TO_COME

    @classmethod
    def from_samples(cls, problem: Problem, wrong: np.ndarray | None) -> Self:
        points = problem.grid(EXCESS_CELLS).points
        cost = abs(2 * problem.eta(points)[:, 1] - 1)
        if wrong is None:
            wrong = np.zeros((0, len(cost)), bool)
        found = cls(points[:, 0], cost, wrong)
        if len(wrong) < EXCESSES:
            return found
        excesses = wrong * cost
        i = excesses.mean(axis=1).argsort()[EXCESSES // 2]
        # The base begins where an error costs least.
        crossing = points[cost.argmin(), 0]
        errors = points[wrong[i], 0] if wrong[i].any() else np.array([crossing])
        far = errors[abs(errors - crossing).argmax()]
        size = far, abs(far - crossing), excesses[i].max(), excesses[i].mean()
        return cls(*found[:3], wrong[i], *map(float, size))


def wrong_decisions(
    problem: Problem, noise: LabelNoise, rule: Rule, n: int, k: int, seed: int
) -> Iterator[np.ndarray]:
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
        yield np.array(wrong)


class Query(NamedTuple):
    """x, votes (2,) of its k nearest neighbors, their decision, largest distance, and indices."""

    x: float
    votes: np.ndarray
    decision: str
    radius: float
    near: np.ndarray


def query(x: float, votes: WindowProfile, threshold: float, k: int, problem: Problem) -> Query:
    at_k = np.array([k])
    start = votes.windows.starts_for_ks(x, at_k)
    counts = votes.votes_in(start, at_k)[0]
    window = slice(start[0], start[0] + k)
    radius = float(abs(votes.windows.x[window][[0, -1]] - x).max())
    predicted = int(counts[1] >= threshold * k)
    near = votes.windows.order[window]
    return Query(x, counts, problem.class_names[predicted], radius, near)


def error_panel(p: Values, memo: Memo, data: NoisySample, theorem: Theorem) -> Panel:
    # The constant of eta_corr is L times the contrast.
    constant = data.noise.contrast * p.smoothness_constant
    smooth = theorem.smooth | {"smoothness_constant": constant}
    terms = memo(terms_over_k, p.n, p.delta, smooth)
    votes = memo(votes_over_k, p.x1, data.votes)
    measured = memo(errors_at_x, p.x1, data, votes)
    return memo(bound_at_x, theorem.k, p.n, terms, measured)


class Underlay(NamedTuple):
    """Middles (m,) of cells of the line, which of them mislead kNN if it is drawn, and curves of
    eta and eta_corr.
    """

    cells: np.ndarray
    misled: Fill | None
    curves: list[Lines]


def known_layers(problem: Problem, noise: LabelNoise, n_cells: int, plain: bool) -> Underlay:
    points = problem.grid(n_cells).points
    x = points[:, 0]
    eta = problem.eta(points)
    eta_corr = noise.corrupt(eta)
    true, *_ = line_view.eta_curves(x, eta)
    if eta[-1, 1] < eta_corr[-1, 1]:
        true = named_along(true, 0, "below")
    curves = [true, *line_view.noisy_curves(x, eta_corr)]
    misled = None
    if plain:
        inside = misled_points(eta, eta_corr)
        misled = set_view.region(problem, inside, "set", "misled points", "\\")
    return Underlay(x, misled, curves)


def classed(problem: Problem, drawn: Any) -> Sample:
    """A sample with the points and uniform draws of another one, and the classes of a problem."""
    y = draw_classes(problem.eta(drawn.X), drawn.u)
    return Sample(drawn.X, y, drawn.u, drawn.v)


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


def known_risks(
    problem: Problem, noise: LabelNoise, low: float, high: float, n_cells: int
) -> Known:
    measure, eta = problem.cells(n_cells)
    limits = Limits.from_eta(eta, measure.weights)
    # The Bayes classifier has the least risk of all thresholds on eta.
    bayes = float(limits.risks.min())
    vote = limits.vote(noise)
    # The threshold of robust kNN tends to the midrange of eta_corr.
    midrange = noise.p0 + noise.contrast * (low + high) / 2
    robust = limits.vote(noise, midrange)
    least_excess = reeve_kaban.theorem_5_1(problem, noise, n_cells)
    return Known(bayes, vote, robust, limits.misled(noise), least_excess)


def bounds_on_excess(
    k: int, n: int, delta: float, noise: LabelNoise, assumed: dict[str, Any]
) -> list[float]:
    """The bound on the excess risk for every k, as printed and with a sharper step of its proof."""
    bound = partial(reeve_kaban.theorem_4_3, k, n, delta, noise, any_k=True, **assumed)
    return [bound(tight=False), bound(tight=True)]


def constant_needed(constant: str, least: float) -> str:
    if np.isinf(least):
        return f"no {constant} is large enough"
    # Rounded up, so that the number shown is large enough.
    rounded = np.ceil(100 * (least - TOLERANCE)) / 100
    return f"{constant} must be at least {rounded:.2f}"


def votes_over_k(x: float, votes: WindowProfile) -> tuple[np.ndarray, np.ndarray]:
    """Some k (J,), and the fraction (J,) of class 1 among the k nearest neighbors of x."""
    ks = log_spaced(1, votes.windows.n, CURVE_KS)
    starts = votes.windows.starts_for_ks(x, ks)
    counts = votes.votes_in(starts, ks)
    return ks, counts[:, 1] / ks


#: Some k (J,), and the smallest and the largest e (J,) at a training point.
Extremes = tuple[np.ndarray, np.ndarray, np.ndarray]


def extremes_of_e(count: int, windows: Windows, labels: np.ndarray) -> Extremes:
    """The extremes of e at no more than ``count`` values of k."""
    ks = log_spaced(1, windows.n, count)
    extremes = extremes_on_line(windows, labels, ks) / ks[:, None]
    return ks, *extremes.T


def true_frequencies(problem: Problem, noise: LabelNoise, x: float, n: int, n_cells: int) -> Lines:
    """The expected fraction of noisy labels of class 1 in balls around x, of mass 1 / n to 1."""
    measure, eta = problem.cells(n_cells)
    masses = np.geomspace(1 / n, 1, MASSES).tolist()
    balls = BallProfile.build(measure, eta, np.array([[x]]), masses=masses)
    frequency = balls.frequency[:, 0].astype(float)
    expected = noise.corrupt(frequency)
    # The first mass is 0, which a logarithmic axis cannot show.
    (of_class_1,) = profile.expected(balls.masses[1:] * n, expected[1:], first=1)
    return of_class_1


def line_panel(
    data: NoisySample, under: Underlay, rules: FittedRules, k: int, max_points: int
) -> Panel:
    """What kNN, or robust kNN with estimated flip rates, predicts, and the votes."""
    problem = data.problem
    sample = data.sample
    labels = data.labels
    rule = "kNN"
    if "plain" not in rules.risks or rules.rates:
        rule = "robust kNN"
    extremes: list[Points] = []
    if rules.rates:
        extremes = extreme_fractions(data.votes, k)

    windows = data.votes.windows.starts(under.cells, k)
    predicted = rules.decisions[windows]
    fractions = data.votes.at(k)[windows] / k
    points = set_view.points(problem, sample, labels, max_points, set_view.FADED)
    errors = None
    if under.misled and rules.rates:
        best = problem.eta(under.cells[:, None]).argmax(axis=1)
        errors = set_view.region(problem, predicted != best, "errors", "robust kNN's errors")
        errors = replace(errors, color=COLORS["estimated"])
    layers: list[Any] = [
        set_view.regions(problem, predicted),
        under.misled,
        errors,
        # The alternative text counts flipped labels.
        replace(points, ring_labels=()),
        *under.curves,
        *[level_line(each, problem.box[0]) for each in rules.thresholds],
        *line_view.vote_curves(under.cells, fractions),
        *extremes,
    ]

    axes = replace(line_view.axes(problem), title=f"Line: {rule} decides")
    flipped = np.sum(labels != sample.y)
    says = f"{flipped} of {len(labels)} labels flipped; "
    says += f"{rule} predicts class 1 on {predicted.mean():.1%} of the line. "
    says += "Curves are of class 1."
    corner = drawn_of(max_points, len(labels), "points", axes)
    if corner:
        says = f"{says} Drawn: {corner.texts[0]}."
    return Panel(axes, [*layers, corner], lambda at: {"x1": at.x}, says)


def extreme_fractions(votes: WindowProfile, k: int) -> list[Points]:
    """Dots at the training points with the lowest and the highest e."""
    x = votes.windows.x
    fractions = votes.at_points(x, k)[:, 1] / k
    look: Any = {"color": COLORS["estimated"], "marker": 0}
    low = fractions.argmin()
    high = fractions.argmax()
    side = "left" if x[high] < 0.5 else "right"
    dots = []
    for i, which, align in ((low, "lowest", "below"), (high, "highest", side)):
        at = float(x[i]), float(fractions[i])
        extreme = dot(*at, which, f"{which} fraction", **look)
        dots.append(replace(extreme, at=Place(*at, align)))
    return dots


def with_query(panel: Panel, data: NoisySample, x: Query, max_points: int) -> Panel:
    ball = line_view.ball(x.x, x.radius)
    cross = line_view.query(data.problem, x.x)
    points_at = partial(set_view.points_at, data.problem, data.sample, data.labels)
    voters = plane.voters(points_at, x.near, cross, max_points)
    return replace(panel, layers=(*panel.layers, cross, *voters, ball))


def k_axes(n: int) -> Axes:
    """Axes of fractions over k, the same for all n between two powers of ten."""
    return profile.axes(10 ** math.ceil(math.log10(n)), "fraction of class 1", log=True)


def choose_k(at: Any) -> dict[str, Any]:
    return {"k": at.x, "neighbors": SET_K}


def votes_around_x(
    data: NoisySample,
    k: int,
    extremes: Extremes | None,
    thresholds: Sequence[Level],
    true: Lines,
    around_x: tuple[np.ndarray, np.ndarray],
    x: Query,
) -> Panel:
    """The votes around x over k, the extremes of e, and their midrange, the estimated threshold."""
    ks, fractions = around_x
    axes = k_axes(ks[-1])
    layers: list[Any] = []
    if extremes:
        layers += around_extremes(extremes, data.noise, axes.xlim)
    for each in thresholds:
        # The estimated threshold is the midrange at k.
        if each.name != "theta_hat":
            layers.append(level_line(each, axes.xlim, 0))
    voted = curve("curve1", "votes", ks, fractions, style.class_color(1))
    layers += profile.named_apart([true], [voted])
    layers += profile.at_k(k, x.votes / k, first=1)

    # The text stands on the side of k where the axis has more room.
    align = "left" if k**2 <= ks[-1] else "right"
    names = data.problem.class_names
    decided = names.index(x.decision)
    text = profile.vote_text(x.votes, decided, x.decision, k, align, 1)
    layers.append(text)
    point = np.array([x.x])
    says = profile.describe(point, x.votes, k, names, x.decision)
    says = f"{says} Curves are of {names[1]}."
    return Panel(axes, [*layers, grip(k, axes)], choose_k, says)


def around_extremes(
    extremes: Extremes, noise: LabelNoise, xlim: tuple[float, float]
) -> list[Layer]:
    """The extremes of e over k, their midrange, and lines at the flip rates that they estimate."""
    ks, low, high = extremes
    color = COLORS["estimated"]
    between = Band(
        name="between", label="min to max", x=ks, lower=low, upper=high, color=color, opacity=0.18
    )
    dotted = ((2, 3), style.MUTED)
    p0 = Level(noise.p0, "p0", "p0", *dotted, "below")
    p1 = Level(1 - noise.p1, "p1", "1 - p1", *dotted)
    rates = [level_line(each, xlim, 0) for each in (p0, p1)]
    midrange = (low + high) / 2
    label = "midrange: estimated θ"
    middle = curve("middle", label, ks, midrange, color, MIDRANGE_DASH, width=2)
    return [between, *rates, named_along(middle, 0.5)]


#: Some k (J,), and the vote term and the smoothness term (J,) of a bound there.
Terms = tuple[np.ndarray, np.ndarray, np.ndarray]


def terms_over_k(n: int, delta: float, smooth: dict[str, float]) -> Terms:
    """The two terms of the bound on the error at x over the k that it covers."""
    ks = log_spaced(*reeve_kaban.k_range(n, delta, "theorem_4_1"), TERM_KS)
    terms = [reeve_kaban.theorem_4_1(k, n, delta, **smooth) for k in ks.tolist()]
    return ks, *np.array(terms).T


class AlongN(NamedTuple):
    """Some n (J,), the bound on the excess (J,) at k_n there, and from which n on it is below 1."""

    sizes: np.ndarray
    bound: np.ndarray
    below_1: float


def bounds_along_n(
    delta: float, noise: LabelNoise, smooth: dict[str, float], assumed: dict[str, float]
) -> AlongN:
    sizes = log_spaced(*BOUND_LIMITS, 57)
    found = []
    for n in sizes.tolist():
        k_n = reeve_kaban.k_n(n, delta, **smooth)
        found.append(bounds_on_excess(k_n, n, delta, noise, assumed)[0])
    bound = np.array(found)
    # The bound falls, so that it is read backward.
    log_n = np.interp(0, np.log(bound[::-1]), np.log(sizes[::-1]))
    return AlongN(sizes, bound, float(np.exp(log_n)))


#: Sample sizes and the mean excess (J,) of robust kNN there, and both beyond the largest (2,).
Truth = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def true_excess(means: Any, names: Sequence[str], promised: float | None) -> Truth | None:
    """The mean excess of robust kNN, and what it is beyond if it falls as is promised; None where
    it is not known.
    """
    if means is None or means.done < means.pieces or "estimated" not in names:
        return None
    excess = means.mean[names.index("estimated")] - means.bayes_risk
    excess = np.where(excess > 0, excess, np.nan)
    sizes = means.values
    beyond = np.array([sizes[-1], BOUND_LIMITS[1]])
    later = excess[-1] * (beyond / beyond[0]) ** -(promised or np.nan)
    return sizes, excess, beyond, later


def bound_over_n(n: int, along_n: AlongN, means: RiskCurve | None, truth: Truth | None) -> Panel:
    """The bound on the excess risk along k_n, and the mean excess of robust kNN, both as log10."""
    labels = ("sample size n", "excess risk")
    axes = Axes("bound", "Bound and truth", *labels, BOUND_LIMITS, LOG_BOUND, log=True)
    axes = with_powers(axes, range(-4, 5, 2))
    vacuous = Level(0, "useful", "vacuous above 1", (3, 3), style.MUTED, end=0)
    printed = curve("printed", "bound", along_n.sizes, np.log10(along_n.bound))
    layers = [level_line(vacuous, BOUND_LIMITS), named_along(printed, 0.2), *at_n(n, axes)]
    if truth:
        sizes, excess, beyond, later = truth
        color = COLORS["estimated"]
        measured = curve("truth", "robust kNN", sizes, np.log10(excess), color)
        extended = curve("extended", "if it goes on so", beyond, np.log10(later), color, (7, 5))
        layers += [named_along(measured, 0), replace(extended, at=Place(1e8, -6, "right"))]
    if means:
        top_right = (0.7 * BOUND_LIMITS[1], 0.8 * LOG_BOUND[1])
        layers.append(risk_view.progress(means.done, means.pieces, top_right))
    says = f"{IN_LOGARITHMS} The bound is never below 1."
    if along_n.below_1 < BOUND_LIMITS[1]:
        name = f"{along_n.below_1 / 1e6:,.0f} million"
        crossing = dot(along_n.below_1, 0, "crossing", name, marker=0)
        layers.append(replace(crossing, at=Place(1.3 * along_n.below_1, 0.6)))
        says = f"{IN_LOGARITHMS} The bound is below 1 from n = {along_n.below_1:.3g} on."
    return Panel(axes, layers, lambda at: {"n": at.x}, says)


def with_powers(axes: Axes, powers: Iterable[int]) -> Axes:
    """The axes with ticks at powers of ten, of which y are the logarithms."""
    names = [f"{10**power:,}" if power > 0 else f"{10**power:.{-power}f}" for power in powers]
    return replace(axes, yticks=tuple(map(float, powers)), ynames=tuple(names))


def errors_at_x(x: float, data: NoisySample, curve: tuple[np.ndarray, np.ndarray]) -> Terms:
    """Some k (J,), the error (J,) of e at x, and how far eta_corr at one of the k nearest is from
    that at x (J,).
    """
    ks, fractions = curve
    windows = data.votes.windows
    starts = windows.starts_for_ks(x, ks)
    # eta rises, so eta_corr differs most at one of the two ends of a window.
    ends = windows.x[[starts, starts + ks - 1]]
    positions = np.vstack([ends, np.full(len(ks), x)])
    eta = data.problem.eta(positions.reshape(-1, 1))
    eta_corr = data.noise.corrupt(eta)[:, 1]
    *at_ends, true = eta_corr.reshape(positions.shape)
    differences = abs(np.array(at_ends) - true)
    return ks, abs(fractions - true), differences.max(axis=0)


def bound_at_x(k: int, n: int, terms: Terms, measured: Terms) -> Panel:
    """The error of e at x and the worst neighbor over k, below their bounds."""
    ks, error, worst = measured
    ylim = (0, ERROR_END)
    covered, *both = terms
    layers: list[Layer] = [*stacked(covered, TERMS, both[::-1], 0.45)]
    layers.append(curve("sum", "sum", covered, sum(both)))
    layers.append(curve("worst", "worst neighbor", ks, worst, COLORS["known"], (7, 3)))
    layers.append(curve("error", "error of e at x", ks, error, COLORS["estimated"]))
    axes = replace(k_axes(n), name="bound", title="Bound at x", ylabel="error of e", ylim=ylim)
    layers += [curve("at_k", "k", k, ylim), grip(k, axes)]
    return Panel(axes, layers, choose_k)


def rates_panel(
    n: int,
    names: Sequence[str],
    excesses: Excesses | None,
    means: RiskCurve | None,
    known: Known,
    current: Sequence[Current],
    promised: float | None,
) -> Panel:
    """log10 of the excess risk over n: of the current sample, or a curve of the mean with the
    promised rate and the area of the middle sample.
    """
    axes = risk_view.axes("n", RISK_LIMITS, LOG_EXCESS, ylabel="excess risk")
    axes = with_powers(replace(axes, title="Excess risk"), range(-5, 0))
    levels = above_bayes(limits_apart(names, known), known.bayes)
    layers: list[Layer | None] = [level_line(each, RISK_LIMITS) for each in levels]
    current = above_bayes(current, known.bayes)
    styles = None
    if excesses:
        axes = replace(axes, title=mean_title("excess risk"))
        styles = {name: STYLES[name] for name in names}
        truth = true_excess(means, names, promised)
        if truth:
            layers.append(promised_curve(truth, promised))
        means = means and log_excess(means, known.bayes)
        current = []
        layers += at_n(n, axes)
        if isinstance(excesses.area, float) and excesses.area:
            height = math.log10(excesses.area)
            sample = dot(n, height, "middle_area", "middle sample", MIDDLE_COLOR, marker=0)
            layers.append(replace(sample, at=Place(n, height, "below")))
    else:
        layers += [grip(n, axes, first.value) for first in current[:1]]
    layers += risk_curve.risk_layers([], means, styles, current, n, RISK_LIMITS, LOG_EXCESS)
    return Panel(axes, layers, lambda at: {"n": at.x}, IN_LOGARITHMS)


def at_n(n: int, axes: Axes) -> list[Layer]:
    """A vertical line at n, which a hand can pull."""
    line = curve("at_n", "n", n, axes.ylim, style.MUTED, width=1.5)
    return [replace(line, at="in words"), grip(n, axes)]


def limits_apart(names: Sequence[str], known: Known) -> list[Level]:
    """Limits other than the Bayes risk; without misled points that of kNN is none of these."""
    levels = []
    least = known.bayes + TOLERANCE
    if "plain" in names and known.vote > least:
        levels.append(Level(known.vote, "limit", "limit of kNN", (2, 3)))
    if "estimated" in names and known.robust > least:
        look = ((9, 3, 2, 3), COLORS["estimated"])
        levels.append(Level(known.robust, "robust", "limit of robust kNN", *look))
    return levels


def log_excess(means: RiskCurve, bayes_risk: float) -> Any:
    """Mean risks as log10 of what exceeds the Bayes risk."""
    above = means.mean - bayes_risk
    excess = np.where(means.mean > bayes_risk, above, np.nan)
    return SimpleNamespace(
        values=means.values,
        done=means.done,
        pieces=means.pieces,
        mean=np.log10(excess),
        standard_error=means.standard_error / (excess * np.log(10)),
    )


def above_bayes(risks: Iterable[Any], bayes_risk: float) -> list[Any]:
    """Risks above the Bayes risk, as log10 of the excess."""
    shown = []
    for each in risks:
        excess = each.value - bayes_risk
        if excess > 10 ** LOG_EXCESS[0]:
            shown.append(each._replace(value=math.log10(excess)))
    return shown


def promised_curve(known: Truth, promised: float | None) -> Lines | None:
    """log10 of a fall with the rate of Theorem 4.3 that begins at the first mean."""
    if promised is None:
        return None
    sizes, excess, *_ = known
    n = np.array([sizes[0], RISK_LIMITS[1]])
    y = np.log10(excess[0] * (n / n[0]) ** -promised)
    line = curve("promised", "promised rate", n, y, style.MUTED, (9, 3, 2, 3), width=2)
    return named_along(line, 1)


def excess_panel(excesses: Excesses) -> Panel:
    """The cost of an error over x, the area below it where rules err, darker the more of them do,
    and base and height of the middle one.
    """
    near = abs(excesses.x - 0.5) < NEAR
    x = excesses.x[near]
    cost = excesses.cost[near]
    count = excesses.wrong[:, near].sum(axis=0)
    layers: list[Layer] = []
    for i, part in enumerate(PARTS):
        where = np.where(count > part * EXCESSES, cost, np.nan)
        layers.append(Band(name=f"excess{i}", x=x, lower=0, upper=where, **SHADE))
    of_error = curve("cost", "|2 eta − 1|", x, cost, width=1.5)
    layers.append(named_along(of_error, 0.1, "left"))

    # From where an error costs least to the farthest one.
    middle = excesses.middle
    if middle is not None and middle[near].any():
        crossing = x[cost.argmin()]
        far = np.clip(excesses.far, x[0], x[-1])
        side = "left" if far > crossing else "right"
        color = MIDDLE_COLOR
        where = np.where(middle[near], cost, np.nan)
        area = Band(name="area", x=x, lower=0, upper=where, color=color, opacity=0.5)
        base = curve("base", "base", (crossing, far), 0, color)
        height = curve("height", "height", far, (0, np.interp(far, x, cost)), color)
        layers.append(replace(area, label="area of the middle sample", at="in words"))
        layers += [named_along(base, 0, "below"), named_along(height, 1, side)]
    xlim = (0.5 - NEAR, 0.5 + NEAR)
    ylim = (-0.3 * NEAR, 2.1 * NEAR)
    title = f"Excess risk of {EXCESSES} samples"
    axes = Axes("excess", title, "x", "cost of an error", xlim, ylim)
    top_right = (0.98 * xlim[1], 0.9 * ylim[1])
    layers.append(risk_view.progress(len(excesses.wrong), EXCESSES, top_right))
    return Panel(axes, layers)


#: With the excess of samples, and without.
RIGHT = rows(("votes", 0.6), ("risk", 0.6))
EXCESS_LAYOUT = columns(rows(("map", 0.6), ("excess", 0.6), ("bound", 0.5)), RIGHT, ratios=(14, 13))
LAYOUT = columns(rows(("map", 0.65), ("bound", 0.5)), RIGHT, ratios=(14, 13))

DECIMALS_SHOWN = {"base": 3, "height": 3, "area": 5}
ONE_POINT = {"n": 2000, "x1": 0.0, "smoothness_constant": 1.5, "bound_over": AT_X}
BROKEN = {"shape": RAMP, "low": 0.2, "n": 64_000, "curve": "over n", "x1": 0.45}


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
    decimals = DECIMALS_SHOWN
    layout = EXCESS_LAYOUT
    presets = (
        Preset("Figure 1", "Reeve & Kaban, Figure 1", {"n": 1000}),
        Preset("One point", "Reeve & Kaban, Theorem 4.1", ONE_POINT),
        Preset("Range assumption broken", "Reeve & Kaban, Assumption 2", BROKEN),
    )
