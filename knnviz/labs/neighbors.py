"""NeighborLab: the vote of the k nearest neighbors, its decision regions, and its risk."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import Voronoi

from knnviz import regions, risk
from knnviz.checks import MARGIN_TOL
from knnviz.labs.engine import (
    ByName,
    Cell,
    Choice,
    Float,
    Lab,
    Memo,
    Panel,
    Preset,
    Range,
    Shown,
    Values,
    aligned,
    columns,
    rows,
)
from knnviz.labs.engine.layout import FIRST_PART
from knnviz.labs.parts import data as training_data
from knnviz.labs.parts import label_noise, plane, risk_curve, samples, sources
from knnviz.labs.parts.data import Data, sizes_from
from knnviz.labs.parts.plane import LARGEST_K, Cells, K, Overlay, Voting
from knnviz.labs.parts.profile import Marked, profile_panel
from knnviz.labs.parts.risk_curve import OFF, Current, risk_panel
from knnviz.labs.parts.sources import Field, Source, named
from knnviz.noise import LabelNoise, decimal_fraction, misled_points
from knnviz.profiles import CLEAN_RATES, BallProfile
from knnviz.rules import Rule, Threshold, Vote
from knnviz.views import line as line_view
from knnviz.views import marks, style
from knnviz.views.marks import Level

#: Sets of points that the map shows.
SETS = ("regions only", "effective boundary", "advantage", "misled points", "many samples")
REGIONS_ONLY, BOUNDARY, ADVANTAGE, MISLED, SAMPLES = SETS

#: The k and n at which a risk curve is evaluated, and the parameter on its x axis by its option.
KS = tuple(sorted({*range(1, 10, 2), *np.geomspace(11, 200, 16).round().astype(int).tolist()}))
SIZES = (50, 100, 200, 400, 800, 1500, 3000, 5500, 8000)
AXES = {OFF: "k", "over k": "k", "over n": "n"}

#: The number that says how many of 100 labels at x are of class 1.
LABELS_AT_X = "class 1, of 100 labels at x"

#: At most so many points have the outlines of their Voronoi cells.
MOST_CELLS = 500

IN_BOUNDARY = {"overlay": (BOUNDARY,)}
IN_ADVANTAGE = {"overlay": (ADVANTAGE,)}
MARGIN_TIP = "How far from the threshold a clear majority has to be"

PARAMETERS = (
    *training_data.PARAMETERS,
    *label_noise.PARAMETERS,
    "Rule",
    replace(K, default=25),
    Float(
        "q1",
        0.5,
        0.05,
        0.95,
        "weight of class 1 *q1*",
        "Each vote for class 1 counts q1, and each for class 0 counts 1 - q1",
    ),
    "Sets and curves",
    Choice("overlay", SETS, "show", "A set of points on the map, or the votes of fresh samples"),
    replace(plane.MASS, default=0.05, when=IN_BOUNDARY),
    Float("margin", 0.1, 0, 0.5, "margin *Delta*", MARGIN_TIP, when=IN_BOUNDARY),
    replace(plane.MASS_CAP, when=IN_ADVANTAGE),
    Choice(
        "curve", AXES, "risk curve", "Draw the mean risk over twenty fresh samples", draws=("risk",)
    ),
    *plane.PARAMETERS,
)


def ranges(values: ByName) -> dict[str, Any]:
    """k up to n; weights, and misled points, need two classes, and sets a known distribution; many
    samples are drawn on a line.
    """
    problem = named(values["problem"])
    found: dict[str, Any] = {"k": plane.k_range(values["n"])}
    if problem.n_classes > 2:
        found["q1"] = Range((0.5, 0.5), "weights need two classes")
        found["overlay"] = Range(SETS[:3], "misled points need two classes")
    elif not (problem.eta and problem.has_line_density):
        found["overlay"] = Range(SETS[:4], "many samples are drawn only on a line")
    if problem.eta is None:
        why = f"sets need a known distribution, but {problem.name} is data"
        found["overlay"] = Range(SETS[:1], why)
    return found


def recipe(p: Values, memo: Memo) -> Shown:
    """Votes and their risk, a set of points or fresh samples, and the panels."""
    data = training_data.data(p, memo)
    problem = data.problem
    bayes_risk = data.truth.bayes_risk
    voters = labels_and_rule(p, memo, data)
    labels, rule, noise, _, levels = voters
    voting = plane.voting(p, memo, data, labels)
    cells = voting.cells
    x = voting.x
    decisions = memo(rule.predict, cells.votes, p.k)
    at_x = plane.numbers_at_x(voting, rule)

    eta = cells.field.eta
    new = plane.new_points(p, memo, voting)
    predictions = memo(rule.predict, new.votes, p.k)
    error = memo(new.error, predictions)
    # As k grows and k / n vanishes the vote decides by eta after label noise.
    limit = bayes_risk
    noisy_eta = eta
    if noise and eta is not None:
        noisy_eta = memo(noise.corrupt, eta)
        limits = memo(risk.Limits.from_eta, data.truth.eta, data.truth.weights)
        limit = limits.vote(noise, levels[0].value)

    overlay = Overlay()
    panels: dict[str, Any] = {}
    if p.overlay in (BOUNDARY, ADVANTAGE):
        overlay, panels = set_of_balls(p, memo, problem, x.x, voters)
    elif p.overlay == MISLED:
        overlay = memo(misled, problem, cells.field, noisy_eta, levels[0].value)
    elif p.overlay == SAMPLES:
        overlay, panels = many_samples(p, memo, voting, voters)
    elif p.k == 1 and p.n <= MOST_CELLS and problem.dimension == 2:
        overlay = memo(voronoi_cells, data)
    if problem.dimension == 1 and eta is not None and not panels:
        panels["area"] = lambda: memo(area_panel, problem, cells, decisions, error, bayes_risk)
    numbers = {
        "held-out error" if eta is None else "risk": error,
        "Bayes risk": bayes_risk,
        "limit of kNN": limit,
        **at_x,
        "labels flipped": noise and int(np.sum(labels != data.sample.y)),
        LABELS_AT_X: memo(label_noise.labels_at_x, problem, x.x, noise),
        **overlay.numbers,
    }

    def map_panel() -> Panel:
        shown_eta = noisy_eta if noise not in (None, LabelNoise()) else None
        curves = memo(plane.curves, memo, voting, levels, shown_eta)
        shown = decisions, overlay, p.display.max_points, curves
        panel = memo(plane.map_panel, memo, voting, *shown)
        if "margins" in panels:
            return memo(with_ball, panel, cells, x.x[0], p.mass)
        if "advantages" in panels:
            boxes = [each for each in votes_panel().layers if each.name == "advantage"]
            return memo(with_ball, panel, cells, x.x[0], boxes[0].x[-1]) if boxes else panel
        return panel

    def votes_panel() -> Panel:
        marked = {BOUNDARY: Marked(p.mass, p.margin), ADVANTAGE: Marked(p.mass_cap)}
        drawn = at_x["decision at x"], levels, noise, marked.get(p.overlay)
        pull = threshold_pulled if levels and "q1" in p.controls else None
        return memo(profile_panel, memo, voting, *drawn, pull)

    def risks_panel() -> Panel:
        return drawn_risks(p, memo, problem, voters, error, bayes_risk, limit)

    panels = {"map": map_panel, "votes": votes_panel, "risk": risks_panel} | panels
    if noise and eta is not None and p.overlay != SAMPLES:
        panels["flips"] = lambda: memo(label_noise.flips_panel, problem, x.x, noise)
    return Shown(panels, numbers, layout_of(panels))


class Voters(NamedTuple):
    """Labels (n,) that vote, and the rule that reads the votes; of two classes also their noise,
    their weights (2,), and the threshold that these set.
    """

    labels: np.ndarray
    rule: Rule
    noise: LabelNoise | None = None
    q: tuple[float, float] | None = None
    levels: tuple[Level, ...] = ()


def labels_and_rule(p: Values, memo: Memo, data: Data) -> Voters:
    labels = data.sample.y
    if data.problem.n_classes > 2:
        return Voters(labels, Vote())
    noise = LabelNoise(p.p0, p.p1)
    # Class 1 is predicted from the fraction q0 / (q0 + q1) of the votes on.
    fraction = 1 - decimal_fraction(p.q1)
    label = "one half" if fraction == 0.5 else "threshold"
    level = Level(float(fraction), "theta", label, (3, 3), style.MUTED)
    noisy = memo(noise.flip, labels, data.sample.v)
    return Voters(noisy, Threshold(fraction), noise, (1 - p.q1, p.q1), (level,))


def set_of_balls(
    p: Values, memo: Memo, problem: Source, x: np.ndarray, voters: Voters
) -> tuple[Overlay, dict[str, Any]]:
    """The effective boundary or the advantage, and on a line a panel of its own."""
    masses = plane.ball_masses(p.mass, p.mass_cap)
    grids = plane.grids(problem, p.resolution)
    balls = memo.refine(plane.balls, grids, problem, masses)
    on_line = problem.dimension == 1
    if p.overlay == BOUNDARY:
        asked = balls, p.mass, p.margin, voters.q, voters.noise
        overlay = memo(plane.effective_boundary, problem, *asked)
        if not on_line:
            return overlay, {}
        panels = {"margins": lambda: memo(margins_panel, problem, x, *asked)}
        return memo(named_below, overlay), panels

    overlay = memo(plane.advantage, problem, balls, p.mass_cap, x, voters.noise)
    if not on_line:
        return overlay, {}
    along = balls, p.mass_cap, voters.noise
    # A curve shows more than shades, which hide who wins.
    panels = {"advantages": lambda: memo(advantages_panel, problem, x, *along)}
    return overlay._replace(regions=None), panels


def many_samples(
    p: Values, memo: Memo, voting: Voting, voters: Voters
) -> tuple[Overlay, dict[str, Any]]:
    """Numbers of the votes of fresh samples, and their panels, one in the place of the map."""
    problem = voting.data.problem
    field = voting.cells.field
    x = voting.x.x
    (level,) = voters.levels
    profiles = memo(samples.votes, problem, p.n, p.seed, voters.noise, p.resolution.repeats)
    spread = memo(samples.spread, problem, field, profiles, x, p.k, level.value)
    shown = spread, level._replace(label=None)
    terms = memo(samples.terms, problem, voters.noise, x, min(LARGEST_K, p.n), p.n)
    panels = {
        "map": lambda: memo(samples.along_panel, problem, field, x, *shown),
        "spread": lambda: memo(samples.spread_panel, problem, *shown),
        "terms": lambda: memo(samples.terms_panel, *terms, p.k),
    }
    return Overlay((), spread.numbers), panels


def drawn_risks(
    p: Values,
    memo: Memo,
    problem: Source,
    voters: Voters,
    error: float,
    bayes_risk: Any,
    limit: Any,
) -> Panel:
    """The risk of this sample beside its limits, and mean risks over k or n."""
    means = None
    styles = None
    pieces = "sample" if problem.eta else "split"
    if p.curve != OFF:
        repeats = p.resolution.repeats
        means = memo.stream(
            risk.stream,
            problem,
            rules={"kNN": voters.rule},
            repeats=repeats,
            noise=voters.noise or LabelNoise(),
            **curve_setting(p, problem),
        )
        styles = {"kNN": (f"mean, {repeats} {pieces}s", style.INK)}
    current = (Current(error, f"this {pieces}"),)
    levels = []
    # On true labels with equal weights the limit is the Bayes risk.
    if limit is not None and not np.isclose(limit, bayes_risk):
        levels.append(Level(limit, "limit", "limit of kNN", (2, 3)))
    over = AXES[p.curve]
    at = p.n
    xlim = (0.8 * problem.least_size, 9_500.0)
    if over == "k":
        at = p.k
        xlim = (0.9, 1.1 * LARGEST_K)
    look = styles, xlim, p.overlay == SAMPLES
    return memo(risk_panel, over, at, means, bayes_risk, levels, current, *look)


def threshold_pulled(threshold: float) -> dict[str, float]:
    """The weight that a threshold has."""
    return {"q1": round(1 - threshold, 2)}


def area_panel(
    problem: Any, cells: Cells, decisions: np.ndarray, error: float, bayes_risk: float
) -> Panel:
    """The risk on a line as an area: the Bayes risk, and what the decisions at the cells add."""
    _, measure, eta = cells.field
    (low, high) = problem.box[0]
    density = measure.weights * len(eta) / (high - low)
    panel = line_view.risk_areas(problem, density, eta, decisions)
    says = f"The Bayes risk is an area of {bayes_risk:.2f}, "
    says += f"the excess risk one of {error - bayes_risk:.2f}."
    return replace(panel, click=plane.clicked, says=says)


def with_ball(panel: Panel, cells: Cells, x: float, mass: float) -> Panel:
    """A line whose bracket marks the ball of this mass in place of that of the neighbors."""
    distances = abs(cells.field.grid.points[:, 0] - x)
    order = distances.argsort()
    reached = cells.field.measure.weights[order].cumsum()
    radius = float(np.interp(mass, reached, distances[order]))
    ball = replace(line_view.ball(x, radius), label="ball of mass p")
    layers = [ball if each and each.name == ball.name else each for each in panel.layers]
    return replace(panel, layers=layers)


def named_below(overlay: Overlay) -> Overlay:
    """A set on a line that the panel of margins names."""
    return overlay._replace(layers=[replace(each, at="in words") for each in overlay.layers])


def margins_panel(
    problem: Any,
    x: np.ndarray,
    balls: BallProfile,
    mass: float,
    margin: float,
    q: Any,
    noise: LabelNoise | None,
) -> Panel:
    """On a line the smallest margin of balls up to a mass, which is below Delta where the point is
    in the effective boundary.
    """
    rates = (noise.p0, noise.p1) if noise else CLEAN_RATES
    smallest = balls.smallest_margin(mass, q, rates)
    panel = line_view.margins(problem, smallest, margin, smallest < margin - MARGIN_TOL)
    return marked_at(panel, problem, x, smallest, "margin_at_x")


def advantages_panel(
    problem: Any, x: np.ndarray, balls: BallProfile, mass_cap: float, noise: LabelNoise | None
) -> Panel:
    """The advantage of every point of a line."""
    values = regions.advantage(balls, mass_cap, noise=noise)
    panel = line_view.advantages(problem, values)
    return marked_at(panel, problem, x, values, "advantage_at_x")


def marked_at(panel: Panel, problem: Any, x: np.ndarray, values: np.ndarray, name: str) -> Panel:
    """A curve of values (m,) at the cells of a line, with a dot at x, which a click moves."""
    dot = marks.dot(x[0], values[plane.cell_of(x, problem, len(values))], name)
    return replace(panel, layers=[*panel.layers, dot], click=plane.clicked)


def voronoi_cells(data: Data) -> Overlay:
    """The regions in which each training point is the nearest."""
    low, high = np.transpose(data.problem.box)
    # Four points far outside close the cells at the edges of the map.
    far = low + (high - low) * [(-9, 0.5), (10, 0.5), (0.5, -9), (0.5, 10)]
    found = Voronoi(np.vstack([data.sample.X, far]))
    ridges = [ridge for ridge in found.ridge_vertices if -1 not in ridge]
    starts, ends = found.vertices[np.transpose(ridges)]
    x, y = map(marks.segments, starts.T, ends.T)
    return Overlay(
        [marks.curve("cells", "outlined cells", x, y, color=style.MUTED, width=0.6, at="in words")]
    )


def misled(problem: Source, cells: Field, noisy_eta: np.ndarray, threshold: float) -> Overlay:
    inside = misled_points(cells.eta, noisy_eta, threshold)
    return plane.with_mass(problem, inside, "misled points", "misled mass", "\\")


def curve_setting(p: Values, problem: Source) -> dict[str, Any]:
    """What a risk curve is drawn over, and the k or n that stays."""
    if p.curve == "over k":
        ks = [k for k in KS if k <= p.n]
        return {"over": {"k": ks}, "n": p.n}
    return {"over": {"n": sizes_from(p.k, SIZES, problem)}, "k": p.k}


#: Panels beside the map, and on a line the map and one below it; all without what a source does not
#: have. The votes of many samples have the height of those along the line.
FLIPS = Cell("flips", height=60)
SPREAD = Cell("spread", 1.0)
TERMS = ("terms", 0.8)
BESIDE = (("votes", 0.44), ("risk", 0.44))
BELOW = (Cell("area", height=100), Cell("margins", height=80), Cell("advantages", height=80))
LINE = aligned(Cell("map", height=170), *BELOW)


def layout_of(panels: ByName) -> Any:
    """The layout that has these panels."""
    right = (FLIPS, *BESIDE) if "flips" in panels else BESIDE
    if "spread" in panels:
        left = rows(("map", 1.0), TERMS)
        return columns(left, rows(SPREAD, ("votes", 0.44), ("risk", 0.8)), ratios=(1, FIRST_PART))
    first = LINE if any(each.name in panels for each in BELOW) else ("map", 1.0)
    return columns(first, rows(*right), ratios=(7, 6))


THEOREM_3 = "Chaudhuri & Dasgupta, in Rittler & Chaudhuri's Theorem 3"
BUMP = {
    "problem": "bump",
    "n": 1000,
    "k": 60,
    "overlay": BOUNDARY,
    "mass": 0.108479,
    "margin": 0.223448,
}
#: Numbers with three decimals.
THIRDS = {"advantage at x": 3}


class NeighborLab(Lab):
    """Map (or Line), profile at x and Risk of k nearest neighbors; labels may be noisy, classes
    weighted.

    Examples
    --------
    >>> from knnviz.labs import NeighborLab
    >>> found = NeighborLab(problem="linear", n=500, k=25).readout()
    >>> found["Bayes risk"], found["risk"]
    (0.3, 0.311236)
    """

    title = "k nearest neighbors"
    decimals = THIRDS
    table = PARAMETERS
    ranges = ranges
    recipe = recipe
    parts = (training_data, label_noise, plane, risk_curve)
    own_data = sources.OWN
    layout = columns(rows(LINE, TERMS), rows(SPREAD, FLIPS, *BESIDE))
    presets = (
        Preset(
            "Jump: boundary",
            THEOREM_3,
            {"problem": "jump", "overlay": BOUNDARY, "mass": 0.2, "margin": 0.1},
        ),
        Preset(
            "Slope: boundary",
            THEOREM_3,
            {"problem": "linear", "overlay": BOUNDARY, "mass": 0.1, "margin": 0.1},
        ),
        Preset("Bump: the bound at work", THEOREM_3, BUMP),
        Preset(
            "Wave: boundary",
            THEOREM_3,
            {"problem": "wave2d", "overlay": BOUNDARY, "mass": 0.05, "margin": 0.2},
        ),
        Preset(
            "Wave: advantage", "Balsubramani et al.", {"problem": "wave2d", "overlay": ADVANTAGE}
        ),
    )
