"""NoiseLab: kNN and robust kNN on labels that were flipped, and how robust kNN estimates the flip
rates.

The smoothed label of a training point is the fraction of class 1 among its own label and those of
its k' nearest neighbors. Their smallest value estimates p0, their largest 1 - p1, and their
midrange the threshold of robust kNN. Points are misled where noisy eta is on the wrong side of the
rule's threshold, so that more neighbors do not help; hard points are these, and points where noisy
eta is within a margin of the threshold.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz import risk
from knnviz.labs.engine import (
    Cell,
    Choice,
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
from knnviz.labs.parts.data import least_n
from knnviz.labs.parts.label_noise import P0, P1
from knnviz.labs.parts.plane import LARGEST_K, Overlay
from knnviz.labs.parts.risk_curve import OFF, Level, risk_panel
from knnviz.labs.parts.robust_rules import COLORS, DEGENERATE, STYLES, risk_markers, threshold_lines
from knnviz.labs.parts.sources import TWO_CLASSES, Source, named
from knnviz.labs.parts.votes import votes_panel
from knnviz.neighbors import NeighborTable, SpatialIndex
from knnviz.noise import LabelNoise, Rates, misled_points, smoothed
from knnviz.problems import Resolution
from knnviz.profiles import VoteProfile
from knnviz.rules import Robust, Rule, Vote
from knnviz.views import extremes as extremes_view
from knnviz.views import sets as set_view
from knnviz.views import style, vote_curve
from knnviz.views.vote_curve import ThresholdLine

FROM_K_NOISE, FROM_K, KNOWN, BOTH_WAYS = RATES = (
    "estimated from k'",
    "estimated from k - 1",
    "known",
    "known, and estimated from k'",
)

#: Rules that can be drawn; of both, the map shows the regions of robust kNN. And sets of points
#: that it can show above them, with their numbers.
BOTH, PLAIN, ROBUST = RULES = ("kNN and robust kNN", "kNN", "robust kNN")
DIFFERENCE, MISLED, HARD, REGIONS_ONLY = SETS = (
    "where the rules differ",
    "misled points",
    "hard points",
    "regions only",
)
MASSES = {DIFFERENCE: "rules differ on", MISLED: "misled mass", HARD: "hard mass"}

#: Largest k and k', and how many neighbors of each training point are looked up, itself included:
#: few at first, then enough for all k', or for all k - 1.
MOST_K = 800
MOST_K_NOISE = 400
FIRST_SIZE = 101
TABLE_SIZES = (MOST_K_NOISE + 1, MOST_K + 1)

#: The parameter on the x axis by the choice of a risk curve.
AXES = {OFF: "k", "over k": "k", "over k'": "k'", "over n": "n", "over n, k grows": "n"}
_, OVER_K, OVER_K_NOISE, OVER_N, GROWING_K = CURVES = tuple(AXES)

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
MARGIN_TIP = "Hard points do not clear the threshold by this much"
IN_HARD = {"overlay": (HARD,)}
IN_ROBUST = {"rules": (BOTH, ROBUST)}
IN_SMOOTHING = IN_ROBUST | {"rates": (FROM_K_NOISE, KNOWN, BOTH_WAYS)}
N, SEED = training_data.PARAMETERS[-2:]

PARAMETERS = (
    "Data",
    Choice("problem", TWO_CLASSES, "*problem*", "Where the points come from"),
    replace(N, default=4000),
    SEED,
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
    Choice("variant", ("threshold", "gao"), "variant", VARIANT_TIP, when=IN_ROBUST),
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
    n = values["n"]
    both = values["rules"] == BOTH
    found: dict[str, Any] = {
        "k": Range((1, min(MOST_K, n)), "k is at most n"),
        "k_noise": Range((1, min(MOST_K_NOISE, max(n - 1, 1))), "k' is below n"),
    }
    sets: tuple[str, ...] = SETS
    why = ""
    if source.eta is None:
        sets = (DIFFERENCE, REGIONS_ONLY)
        why = f"other sets need a known distribution, but {source.name} is data"
    if not both:
        sets = tuple(each for each in sets if each != DIFFERENCE)
        why = why or "only two rules can differ"
    found["overlay"] = Range(sets, why)
    if values["rules"] == PLAIN or values["rates"] == KNOWN:
        found["curve"] = Range(
            tuple(each for each in CURVES if each != OVER_K_NOISE), "only estimated rates need k'"
        )
    return found


def adjust(
    values: dict[str, Any], changes: Mapping[str, Any], before: Mapping[str, Any]
) -> list[str]:
    """Both rules show where they differ; a k' of n or more, over which labels are nearly equal,
    becomes n / 4.
    """
    source = named(values["problem"])
    k_noise = values["k_noise"]
    if source.n_classes != 2:
        raise ValueError(f"label noise needs two classes, but {source.name} has {source.n_classes}")
    n = min(values["n"], source.max_size or values["n"])
    if values["rules"] == BOTH and "rules" in changes and "overlay" not in changes:
        values["overlay"] = DIFFERENCE
    if "k_noise" in changes or k_noise < n:
        return []
    values["k_noise"] = max(n // 4, 1)
    return [
        f"neighbors for the noise k' moved from {k_noise} to {values['k_noise']}, a quarter of n."
    ]


def recipe(p: Values, memo: Memo) -> Shown:
    data = training_data.data(p, memo)
    noise = LabelNoise(p.p0, p.p1)
    problem = data.problem
    truth = data.truth
    labels = memo(noise.flip, data.sample.y, data.sample.v)
    k_end = MOST_K if p.k > LARGEST_K else LARGEST_K
    k_max = min(k_end, p.n)
    k_noise = max(p.k - 1, 1) if p.rates == FROM_K else p.k_noise

    def counts() -> np.ndarray:
        size = min(next(size for size in TABLE_SIZES if size > k_noise), p.n)
        table = memo.refine(training_table, sorted({min(FIRST_SIZE, size), size}), data.index)
        if table.k_max <= k_noise:
            table = memo(training_table, k_noise + 1, data.index)
        return memo(smoothed, memo(VoteProfile.count, table, labels, 2), labels, k_noise)

    # By how a rule knows the flip rates; the map shows the regions of the last one.
    rules: dict[str, Rule] = {} if p.rules == ROBUST else {"plain": Vote()}
    rates: Any = None
    if p.rules != PLAIN and p.rates in (KNOWN, BOTH_WAYS):
        rules["known"] = Robust((p.p0, p.p1), variant=p.variant)
    if p.rules != PLAIN and p.rates != KNOWN:
        rates = memo(Rates.from_votes, counts(), k_noise)
        rules["estimated"] = Robust(rates, variant=p.variant)
    shown, rule = list(rules.items())[-1]
    names = {
        "plain": "kNN",
        "known": "robust kNN, known rates",
        shown: "robust kNN" if shown != "plain" else "kNN",
    }
    lines = threshold_lines({name: getattr(each, "threshold", 0.5) for name, each in rules.items()})
    threshold = lines[-1].fraction

    # With a large k regions are smooth, and half the cells a side are enough.
    cells = plane.cells(p, memo, data, labels, k_max, share=0.5 if p.k > LARGEST_K else 1.0)
    x = plane.query(p, memo, data, labels, k_max)
    decided = {name: memo(rule.predict, cells.votes, p.k) for name, rule in rules.items()}
    decision = problem.class_names[rule.predict(x.votes, p.k)[0]]

    new = plane.new_points(p, memo, data, labels, cells, p.k)
    risks = {
        name: memo(new.error, memo(rule.predict, new.votes, p.k)) for name, rule in rules.items()
    }
    eta = cells.field.eta
    noisy_eta: Any = None
    limits: Any = None
    known_risks: dict[str, float] = {}
    levels: tuple[Level, ...] = ()
    if eta is not None:
        noisy_eta = memo(noise.corrupt, eta)
        limits = memo(risk.Limits.from_eta, truth.eta, truth.weights)
        known_risks = {"Bayes risk": truth.bayes_risk}
        if "plain" in rules:
            vote = limits.vote(noise)
            one_nn = limits.one_nn(noise)
            known_risks |= {"limit of kNN": vote, "limit of 1-NN": one_nn}
            one_neighbor = Level(one_nn, "one_nn", "limit of 1-NN", (9, 3, 2, 3), style.MUTED)
            levels = (
                Level(vote, "limit", "limit of kNN", (2, 3)),
                *([one_neighbor] if p.k == 1 else []),
            )

    overlay = Overlay()
    if p.overlay == DIFFERENCE:
        overlay = memo(difference, problem, decided["plain"], decided[shown], cells.field.measure)
    elif p.overlay != REGIONS_ONLY:
        margin = p.margin if p.overlay == HARD else 0.0
        inside = memo(misled_points, eta, noisy_eta, threshold, margin)
        overlay = memo(
            set_overlay, problem, p.overlay, inside, limits.misled(noise, threshold, margin)
        )

    def map_panel() -> Panel:
        shown_eta = noisy_eta if noise != LabelNoise() else None
        more = decided[shown], overlay, p.display.max_points, lines, shown_eta
        return memo(
            of_rule, memo(plane.map_panel, memo, data, labels, cells, x, p.k, *more), names[shown]
        )

    def votes() -> Panel:
        balls = None if eta is None else memo(plane.balls_at, problem, x.x, p.n, k_max)
        drawn = decision, balls, lines, noise, vote_curve.TWO_LINES
        return memo(votes_panel, memo, problem, p.n, x, p.k, k_end, *drawn, only_class_1=True)

    def risks_panel() -> Panel:
        over = AXES[p.curve]
        means = None
        if p.curve != OFF:
            # What the curve does not depend on is None, so that it stays when this moves.
            at_k = p.k if p.curve in (OVER_K_NOISE, OVER_N) else None
            at_n = p.n if p.curve in (OVER_K, OVER_K_NOISE) else None
            smoothing = None if p.rates == FROM_K or p.curve == OVER_K_NOISE else p.k_noise
            unfitted = rules | (
                {} if rates is None else {"estimated": Robust(k_noise=smoothing, variant=p.variant)}
            )
            means = memo.stream(
                mean_risks, problem, noise, p.curve, at_k, at_n, unfitted, p.resolution
            )
        # A curve along which k grows has another k at n, unless k is the one that it has there.
        elsewhere = p.curve == GROWING_K and p.k != risk.growing_neighbors(p.n)
        current = () if elsewhere else risk_markers(risks)
        xlim = {"k": (0.9, 900), "k'": (0.9, 450), "n": (0.8 * least_n(problem), 9500)}[over]
        styles = None if p.curve == OFF else {name: STYLES[name] for name in rules}
        at = {"k": p.k, "k'": k_noise, "n": p.n}[over]
        made = memo(risk_panel, over, at, means, truth.bayes_risk, levels, current, styles, xlim)
        return memo(clicked_over_k_noise, made, p.rates) if over == "k'" else made

    estimates = (
        {} if rates is None else {"estimated p0": float(rates.p0), "estimated p1": float(rates.p1)}
    )
    return Shown(
        {
            "map": map_panel,
            "votes": votes,
            "extremes": lambda: memo(extremes_panel, counts(), k_noise),
            "risk": risks_panel,
        },
        {
            **{
                f"{'risk' if eta is not None else 'held-out error'} of {names[name]}": each
                for name, each in risks.items()
            },
            **known_risks,
            **estimates,
            **({} if shown == "plain" else {"threshold": threshold}),
            **overlay.numbers,
            "votes at x": plane.votes_at(problem, x, p.k),
            "decision at x": decision,
            "labels flipped": int(np.sum(labels != data.sample.y)),
            **({"note": DEGENERATE} if rates and rates.degenerate else {}),
        },
    )


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
    return Overlay(
        (set_view.region(problem, inside, "set", name, hatch="\\"),), {MASSES[name]: mass}
    )


def of_rule(panel: Panel, rule: str) -> Panel:
    """The map, which names its rule in words."""
    return replace(panel, says=f"Decisions of {rule}. {panel.says}")


def extremes_panel(counts: np.ndarray, k_noise: int) -> Panel:
    """The histogram of smoothed labels, their smallest and largest value, and the midrange."""
    fractions = counts / (k_noise + 1)
    color = COLORS["estimated"]
    midrange = float(fractions.min() + fractions.max()) / 2
    line = ThresholdLine(midrange, "midrange", "midrange", color, extremes_view.MIDRANGE_DASH)
    layers = (
        extremes_view.histogram(fractions),
        extremes_view.ends(fractions, color),
        vote_curve.threshold_line(line, (0, extremes_view.END)),
    )
    return Panel(extremes_view.axes(), layers, says=extremes_view.describe(fractions, k_noise))


def clicked_over_k_noise(panel: Panel, rates: str) -> Panel:
    """If k' is k - 1, a click on its axis sets k."""
    return replace(
        panel, click=lambda at: {"k": at.x + 1} if rates == FROM_K else {"k_noise": at.x}
    )


def mean_risks(
    problem: Source,
    noise: LabelNoise,
    curve: str,
    k: Any,
    n: Any,
    rules: dict[str, Rule],
    fine: Resolution,
) -> Iterator[risk.RiskCurve]:
    """Mean risks of rules; over k' robust kNN that estimates the flip rates stands for one with
    each k'.
    """
    cells = fine.integral_cells[0], min(CURVE_CELLS, fine.integral_cells[1])
    few = replace(fine, integral_cells=cells)
    given: dict[str, Any] = {
        "repeats": max(1, fine.repeats // 2),
        "noise": noise,
        "resolution": few,
    }
    estimated: Any = rules.get("estimated")
    if curve == OVER_K_NOISE:
        k_noises = [each for each in K_NOISES if each < n]
        others = {name: rule for name, rule in rules.items() if rule is not estimated}
        smoothed_by = {f"estimated {each}": replace(estimated, k_noise=each) for each in k_noises}
        for found in risk.stream(problem, others | smoothed_by, over={"k": [k]}, n=n, **given):
            yield over_k_noise(found, k_noises)
        return
    if curve == OVER_K:
        given |= {"over": {"k": [each for each in KS if each <= n]}, "n": n}
    else:
        most = problem.max_size or SIZES[-1]
        least = max(k or 1, ((estimated and estimated.k_noise) or 0) + 1)
        sizes = [size for size in sorted({*SIZES, min(most, SIZES[-1])}) if least <= size <= most]
        given |= {"over": {"n": sizes}, "k": k or risk.growing_neighbors}
    yield from risk.stream(problem, rules, **given)


def over_k_noise(curve: risk.RiskCurve, k_noises: list[int]) -> risk.RiskCurve:
    """Turn a curve at one k, whose last rules differ in k', into a curve over k'; other rules are
    constant there.
    """
    # By sample, draw of the noise, rule and k.
    risks = curve.risks[..., 0]
    others = risks.shape[2] - len(k_noises)
    constant = np.repeat(risks[:, :, :others, None], len(k_noises), axis=3)
    over_k_noises = np.concatenate([constant, risks[:, :, None, others:]], axis=2)
    names = (*curve.names[:others], "estimated")
    return replace(
        curve, over="k_noise", values=np.array(k_noises), names=names, risks=over_k_noises
    )


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
    """Map (or Line), Vote curve, Extremes and Risk of kNN and robust kNN on labels that were
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

    title = "label noise"
    table = PARAMETERS
    ranges = ranges
    adjust = adjust
    recipe = recipe
    parts = (training_data, label_noise, plane, risk_curve)
    own_data = sources
    layout = columns(
        ("map", 1.0),
        rows(
            columns(Cell("votes", height=190), Cell("extremes", height=190), ratios=(58, 42)),
            Cell("risk", height=190),
        ),
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
