"""ActiveLab: labels bought in two rounds, one by one, compared with equally many passive labels.

The first round labels n random points. A point is hard if its vote of k_hard neighbors is within 2
Delta + Delta~ of 1/2. Delta bounds how far a vote at one point is from its expectation; Delta~
allows for votes at all points together. H is the set of hard points; H+ adds the ball of k_plus
neighbors around each. In the second round a coin makes a draw random with probability pi, else
targeted, to be labeled only in H+. The passive learner has n + m labels of random points. The
disagreement is the probability that a learner does not predict as the Bayes classifier does, or,
for data, the held-out error. The effective boundary of Theorem 3 holds points around which eta,
averaged over some ball, is within Delta of 1/2 or on its other side. Balls have mass at most p,
which exceeds k_vote / (n + m).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from knnviz import problems, regions
from knnviz.active import LEARNERS, trial
from knnviz.active.learners import EvaluationPoints, LearnerComparison
from knnviz.active.sampling import CELLS, passive_sample, two_stage_sample
from knnviz.active.scheme import FirstRound, Scheme, TwoStageSample
from knnviz.bounds import chaudhuri_dasgupta
from knnviz.labs.engine import (
    Cell,
    Choice,
    Count,
    Float,
    Int,
    Lab,
    Memo,
    Panel,
    Preset,
    Range,
    Seed,
    Shown,
    Values,
    aligned,
    columns,
    rows,
)
from knnviz.labs.parts import data as training_data
from knnviz.labs.parts import plane, risk_curve
from knnviz.labs.parts.plane import Coordinate
from knnviz.labs.parts.sources import Source, named
from knnviz.means import nan_mean, nan_standard_error
from knnviz.profiles import BallProfile
from knnviz.views import line as line_view
from knnviz.views import map as map_view
from knnviz.views import marks, style
from knnviz.views import risk as risk_view
from knnviz.views import sets as set_view
from knnviz.views.layers import Axes, Band, Fill, Layer, Lines, Points

#: The data set whose points are a pool, from which both rounds draw.
POOL = "breast cancer"

#: Stages of the first round: nothing is labeled, then its labels, their votes, H, H+.
STAGES = ("nothing yet", "labels", "votes", "H", "H+")
ROUND_ONE = len(STAGES) - 1

#: What the curve shows, and at how many budgets of the second round, evenly spaced from no label to
#: all of them.
THIS_SAMPLE = "this sample"
MEAN = "mean over samples"
CURVES = (THIS_SAMPLE, MEAN)
BUDGETS = 11

#: Possible upper ends of the axis of errors.
TOPS = np.array([0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0])

#: The rules that are drawn, by the options of the menu.
PASSIVE = "passive learner"
ACTIVE = "active learner"
RULES = {f"{PASSIVE} and {ACTIVE}": (PASSIVE, ACTIVE), ACTIVE: (ACTIVE,)}

#: Rows under the line of each learner, from the top down.
ACTIVE_ROWS = ("H", "H+", "round 1", "random", "targeted", "rejected", "active errors")
PASSIVE_ROWS = ("passive labels", "passive errors")

#: How pale random labels are on the map.
PALE = 0.5

#: Half the height of a strip, and how far the labels of a class are from the middle of their row.
STRIP_HALF = 0.36
CLASS_OFFSET = 0.2

#: Height of the tick of a label.
LABEL_HEIGHT = 6.0

#: Colors of the learners, of the sets, and of the strips by row.
LEARNER_COLORS = {PASSIVE: style.INK, ACTIVE: style.CLASS_COLORS[2]}
SET_COLORS = {
    "boundary": style.CLASS_COLORS[5],
    "H": style.CLASS_COLORS[3],
    "H+": style.CLASS_COLORS[4],
}
ERROR_ROWS = {PASSIVE: "passive errors", ACTIVE: "active errors"}
STRIP_COLORS = SET_COLORS | {ERROR_ROWS[name]: color for name, color in LEARNER_COLORS.items()}

#: Kinds of labels of the active learner, by their stage.
LABEL_KINDS = ("round 1", "random", "targeted")

RULES_TIP = (
    "The passive learner labels n + m random points; the active one buys its labels in two rounds"
)
LABELS_TIP = "Labels of the first round, then one label of the second round at each step"
STAGE_TIP = "How far the first round has come: its labels, their votes, H, H+"
VOTERS_TIP = "Strict: targeted labels only. Inclusive: all labels in H+"
C0_TIP = "Constant of Delta~, unnamed in the paper: it widens the band"
C_PLUS_TIP = "Constant of k+, the neighbors in the balls that fatten H; theory has 4"
PASSIVE_TIP = "Probability that a draw of round two is at random; the paper's passive fraction"
ON_BUMP = {"problem": ("bump",)}

#: What may be drawn beside H, on a line.
BOUNDARY = "effective boundary"
OVERLAYS = ("no overlay", BOUNDARY)
ON_LINE = {"problem": ("bump", "hidden bump", "jump")}

#: Panels of a line, alone and above the risk.
LINE = aligned(Cell("line", height=205), Cell("rows", height=205))
WITH_RISK = rows(LINE, Cell("risk", height=205))

#: Where the center of the ball starts, as fractions of the sides of the box.
MIDDLE = {"x1": 0.5, "x2": 0.5}

PARAMETERS = (
    "Play",
    Choice("stage", STAGES, "first round", STAGE_TIP, default=STAGES[-1]),
    Int("labels", 2000, 50, 12_000, "labels bought", LABELS_TIP, play=1500),
    "Rules",
    Choice("rules", RULES, "rules", RULES_TIP),
    Choice("overlay", OVERLAYS, "overlay", "Where Theorem 3 allows wrong votes", when=ON_LINE),
    Int("k_vote", 100, 1, 400, "neighbors *k_vote*", "Neighbors that vote, of both learners"),
    Choice("voters", LEARNERS[1:], "labels used in H", VOTERS_TIP),
    "Data",
    Choice(
        "problem",
        ("bump", "hidden bump", "jump", "wave2d", POOL),
        "*problem*",
        "Where the points come from",
    ),
    Float(
        "width",
        0.022,
        0.002,
        0.5,
        "bump width",
        "Width of the bump of class 1",
        step=0.002,
        digits=3,
        when=ON_BUMP,
    ),
    Float("height", 0.98, 0, 1, "eta inside", "Probability of class 1 on the bump", when=ON_BUMP),
    Float("low", 0.02, 0, 1, "eta outside", "Probability of class 1 beside it", when=ON_BUMP),
    Float(
        "a",
        0.3,
        0,
        0.5,
        "jump *a*",
        "eta jumps from 1/2 - a to 1/2 + a",
        when={"problem": ("jump",)},
    ),
    Int(
        "n",
        1000,
        50,
        6000,
        "first round *n*",
        "Labels of the first round, all of random points",
        step=10,
    ),
    Int("m", 1000, 0, 6000, "second round *m*", "Labels of the second round", step=10),
    Seed("Another seed draws everything anew"),
    "Scheme",
    Int(
        "k_hard",
        100,
        1,
        400,
        "k for H *k_hard*",
        "Neighbors whose vote decides what is hard",
    ),
    Float(
        "delta", 0.1, 0.01, 0.5, "failure *delta*", "Failure probability of the statements about H"
    ),
    Float("c0", 0.0, 0, 1, "band *c0*", C0_TIP),
    Float("c_plus", 0.25, 0, 4, "balls *c_plus*", C_PLUS_TIP, step=0.05),
    Float("passive_fraction", 0.1, 0, 1, "P(random draw) *pi*", PASSIVE_TIP),
    "Ball: click, or type",
    Coordinate("x1", MIDDLE["x1"], 0, 1, "center *x1*", "Center of the ball that is shown"),
    Coordinate("x2", MIDDLE["x2"], 0, 1, "center *x2*", "Its second coordinate"),
    "Curve",
    Choice("curve", CURVES, "curve", "Over labels bought, of this sample or of fresh ones"),
    Int("repeats", 20, 2, 100, "samples", "Fresh samples of the curve", when={"curve": (MEAN,)}),
)


def ranges(values: Mapping[str, Any]) -> dict[str, Any]:
    """Neighbors are at most the labels; each point of a pool is labeled at most once.

    Of n and m, which may still have to move into their ranges, others follow.
    """
    n = values["n"]
    m = values["m"]
    found = plane.ranges(values)

    size = named(values["problem"]).max_size
    if size:
        why = f"a pool of {size} points has a label for each, two thirds of them for round one"
        found["n"] = Range((50, 2 * size // 3), why)
        n = min(n, 2 * size // 3)
        found["m"] = Range((0, size - n), why)
        m = min(m, size - n)

    found["k_hard"] = Range((1, min(400, n)), "k_hard is at most n")
    found["k_vote"] = Range((1, min(400, n + m)), f"there are {n + m} labels")
    found["labels"] = Range((n, n + m), f"there are {m} labels in the second round")
    if values["labels"] > n:
        found["stage"] = Range(None, "the second round has begun")
    return found


def adjust(values: dict[str, Any], changes: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    """Labels of the second round stay, or stay all of them; another problem has the ball in its
    middle.
    """
    plane.adjust(values, changes, before, MIDDLE)
    if "labels" not in changes:
        second = before["labels"] - before["n"]
        m = values["m"]
        if second == before["m"]:
            second = m
        values["labels"] = values["n"] + min(second, m)


class Sets(NamedTuple):
    """The cells of the picture with H, and which of them (m,) lie in H+ and in the effective
    boundary, if known.
    """

    cells: EvaluationPoints
    augmented: np.ndarray
    boundary: np.ndarray | None


class Bought(NamedTuple):
    """The labels bought so far, of the whole sample and of the passive learner, and how many they
    are.

    ``phase`` is the stage of the first round, or one more in the second round, also if that has no
    labels.
    """

    whole: TwoStageSample
    so_far: TwoStageSample
    X_passive: np.ndarray
    y_passive: np.ndarray
    labels: int
    phase: int


def recipe(p: Values, memo: Memo) -> Shown:
    source: Any = named(p.problem)
    if p.problem == "bump":
        source = memo(problems.bump, p.width, p.height, p.low)
    elif p.problem == "jump":
        source = memo(problems.jump, p.a)
    source = memo(source.with_seed, p.seed)
    on_data = p.problem == POOL
    d = source.dimension

    # All labels of both rounds, those of the passive learner, and sets that follow.
    scheme = Scheme(p.k_hard, p.passive_fraction, p.delta, p.c0, p.c_plus)
    n_cells = min(CELLS[d], p.resolution.map_cells[d - 1])
    sample = memo(two_stage_sample, source, p.n, p.m, scheme, p.seed, n_cells)
    first = sample.first
    labels = p.n + p.m
    passive = memo(passive_sample, source, labels, p.seed)
    points = memo(EvaluationPoints.from_first_round, first, source)
    hard_mass = first.hard_mass if points.line is None else points.line.hard_mass

    comparison = memo(LearnerComparison, points, sample, *passive)
    cells = memo(cells_of_pool, first, source, n_cells) if on_data else points

    # The effective boundary is known unless k is too small or eta unknown.
    margin = chaudhuri_dasgupta.margin(p.k_vote, p.delta)
    of_theory: dict[str, Any] = {}
    boundary = None
    has_boundary = source.eta and p.k_vote > chaudhuri_dasgupta.least_neighbors(p.delta)
    if p.overlay == BOUNDARY and has_boundary:
        mass = chaudhuri_dasgupta.mass(p.k_vote, labels, p.delta)
        boundary = memo(effective_boundary, source, mass, margin, n_cells)
        of_theory["ball mass p"] = mass
        of_theory["boundary mass"] = float(cells.weights[boundary].sum())
    of_theory["Delta at k_vote"] = margin

    # In a pool H+ has balls around hard points of the pool alone.
    in_balls = memo(first.region.contains, cells.points)
    augmented = memo(np.logical_or, in_balls, cells.hard)
    sets = Sets(cells, augmented, boundary)

    # What is bought so far, and where the learners err with it.
    drawn = RULES[p.rules]
    learners = tuple([LEARNERS[0] if name == PASSIVE else p.voters for name in drawn])
    step = STAGES.index(p.stage) if p.labels == p.n else ROUND_ONE + 1
    bought = memo(bought_so_far, sample, *passive, p.labels, step)
    so_far = bought.so_far
    of_step = memo(comparison.disagreement, [so_far.m], p.k_vote, learners)
    disagreements = of_step[:, 0].tolist()

    x = (p.x1, p.x2)[:d]
    radius = None
    if bought.phase >= ROUND_ONE:
        radius = memo(ball_radius, first, cells, x)
    says = memo(status, bought, step, x, radius, hard_mass)
    most = p.display.max_points

    def risk() -> Panel:
        if p.curve == MEAN:
            start = memo(unknown, p.m, p.repeats, len(learners))
            setting = {"source": source, "ks": [p.k_vote], "n": p.n, "m": p.m, "scheme": scheme}
            setting |= {"budgets": budgets(p.m), "n_cells": n_cells, "learners": learners}
            curve = memo.stream(fresh_samples, start, p.seed, setting)
            if curve is None:
                curve = start
        else:
            # In the plane it takes a while.
            completeness = (True,) if d == 1 else (False, True)
            curve = memo.refine(of_sample, completeness, comparison, p.k_vote, learners)
        of_this_sample = p.curve == THIS_SAMPLE
        return memo(risk_panel, bought, curve, drawn, disagreements, of_this_sample, on_data)

    panels = {"risk": risk}
    if d == 1:
        wrong = memo(errors, comparison, so_far.m, p.k_vote, learners)
        has_votes = bought.phase >= 2
        ball = None
        if radius is not None:
            ball = memo(ball_in_row, *x, radius, drawn)
        panels["line"] = lambda: memo(line_panel, source, cells, first, has_votes)
        panels["rows"] = lambda: memo(
            rows_panel, memo, source, sets, bought, drawn, wrong, ball, most, says
        )
    else:
        panels["map"] = lambda: memo(map_panel, memo, source, sets, bought, x, radius, most, says)

    # Each number with the stage from which on it is known.
    since: dict[str, tuple[int, Any]] = {}
    for name, value in zip(drawn, disagreements, strict=True):
        if on_data:
            held_out = len(source.y_test)
            since[f"errors of the {name}"] = 1, Count(round(value * held_out), held_out)
        else:
            since[f"disagreement of the {name}"] = 1, value
    n_random = int(np.sum(so_far.stage == 1))
    since |= {
        "labels bought": (0, bought.labels),
        "random labels of round two": (ROUND_ONE + 1, Count(n_random, so_far.m)),
        "points drawn in round two": (0, so_far.n_draws),
        "mass of H": (3, hard_mass),
        "mass of H+": (ROUND_ONE, first.augmented_mass),
    }
    numbers = {name: value for name, (stage, value) in since.items() if step >= stage}
    return Shown(panels, numbers | of_theory, WITH_RISK if d == 1 else None)


def cells_of_pool(first: FirstRound, source: Source, n_cells: int) -> EvaluationPoints:
    """The cells of the map of data; class 0 stands for their correct classes, which are unknown."""
    points = source.grid(n_cells).points
    count = len(points)
    weights = np.full(count, 1 / count)
    classes = np.zeros(count, int)
    return EvaluationPoints(points, weights, classes, first.hard_at(points))


def effective_boundary(source: Any, mass: float, margin: float, n_cells: int) -> np.ndarray:
    """Cells (m,) bool of the effective boundary of Theorem 3."""
    measure = source.measure(n_cells)
    if mass > 1:
        return np.ones(len(measure.points), bool)
    eta = source.eta(measure.points)
    balls = BallProfile.build(measure, eta, masses=[mass])
    return regions.effective_boundary(balls, mass, margin)


def bought_so_far(
    sample: TwoStageSample, X: np.ndarray, y: np.ndarray, labels: int, stage: int
) -> Bought:
    so_far = sample.head(labels - sample.n)
    if stage == 0:
        labels = 0
    phase = stage
    if stage == ROUND_ONE and sample.m == 0:
        phase += 1
    return Bought(sample, so_far, X[:labels], y[:labels], labels, phase)


def errors(comparison: LearnerComparison, m: int, k: int, learners: tuple[str, ...]) -> np.ndarray:
    """Points (learners, Q) bool on which each learner errs with m more labels."""
    labels = np.array([comparison.labels(learner, m, k) for learner in learners])
    return labels != comparison.evaluation.correct


def ball_radius(first: FirstRound, cells: EvaluationPoints, x: tuple[float, ...]) -> float | None:
    """Radius of the ball of k+ neighbors around x; None if x is not in H."""
    squared_distances = ((cells.points - x) ** 2).sum(axis=1)
    if not cells.hard[squared_distances.argmin()]:
        return None
    radii = regions.kth_distances(first.X, np.array([x]), first.k_plus)
    return float(radii[0])


def status(
    bought: Bought, stage: int, x: tuple[float, ...], radius: float | None, hard_mass: float
) -> str:
    """What happened last, and the ball around x, in words."""
    count = bought.so_far.m
    if count:
        text = second_round_text(bought.whole, count)
    else:
        text = first_round_text(bought.whole, stage, hard_mass)
    if radius is None:
        return text
    return f"{text} The ball of k+ around {list(x)} reaches {radius:.4f}."


def first_round_text(sample: TwoStageSample, stage: int, hard_mass: float) -> str:
    first = sample.first
    close = f"close within {first.width:.3f} of 1/2"
    balls = f"Balls of k+ = {first.k_plus} neighbors around its points"
    texts = (
        "Nothing is labeled yet.",
        f"Round one: {sample.n} labels of random points.",
        f"Votes of k = {first.scheme.k_hard} of them: {close}.",
        f"H is where votes are close: mass {hard_mass:.3f}.",
        f"{balls}: H+ has mass {first.augmented_mass:.3f}.",
    )
    return texts[stage]


def second_round_text(sample: TwoStageSample, count: int) -> str:
    """How the last one of ``count`` labels of the second round was bought."""
    how = "nothing is hard, so all of them are random"
    if sample.first.augmented_mass:
        (_, passive, accepted) = sample.second
        before, draw = [-1, *accepted][count - 1 : count + 1]
        kind = "random" if passive[draw] else "targeted"
        how = f"{draw - before - 1} draws rejected, then a {kind} one bought"
    return f"Label {count} of {sample.m}: {how}."


def budgets(m: int) -> list[int]:
    """The labels (J,) of the second round at which a curve is computed."""
    spaced = np.linspace(0, m, BUDGETS).round()
    return np.unique(spaced.astype(int)).tolist()


def unknown(m: int, samples: int, learners: int) -> np.ndarray:
    """Disagreement (samples, learners, J) of a curve none of which is computed yet."""
    return np.full((samples, learners, len(budgets(m))), np.nan)


def of_sample(
    is_complete: bool, comparison: LearnerComparison, k: int, learners: tuple[str, ...]
) -> np.ndarray:
    """Disagreement (1, learners, J) over labels of one sample."""
    m = comparison.sample.m
    if is_complete:
        return comparison.disagreement(budgets(m), k, learners)[None]
    return unknown(m, 1, len(learners))


def fresh_samples(start: np.ndarray, seed: int, setting: Mapping[str, Any]) -> Iterator[np.ndarray]:
    """Disagreement (samples, learners, J) of fresh samples, one trial of a ``setting`` after the
    other.
    """
    found = start
    for i, stream in enumerate(np.random.SeedSequence(seed).spawn(len(start))):
        found = found.copy()
        of_trial = trial(**setting, seed=stream)
        found[i] = of_trial.disagreement[:, :, 0]
        yield found


def risk_panel(
    bought: Bought,
    curve: np.ndarray,
    drawn: Any,
    disagreements: Any,
    of_this_sample: bool,
    on_data: bool,
) -> Panel:
    """Mean disagreement of the learners that are drawn over labels, with bands; of this sample up
    to those bought.
    """
    n = bought.whole.n
    m = bought.whole.m
    labels = bought.labels
    # Sums of masses that differ in their last digits are one place of a name.
    means = nan_mean(curve).round(9)
    # Of the active learner, which may begin far above, the end alone.
    in_sight = [means[-1, -1], *disagreements]
    if PASSIVE in drawn:
        in_sight.extend(means[0])
    highest = float(np.nanmax(in_sight))
    top = float(TOPS[np.searchsorted(TOPS, min(1.05 * highest, 1.0))])
    # The axis stays as it is where m changes by little.
    unit = 250 if m > 1000 else 50
    width = max(unit * ceil(m / unit), unit)

    samples = len(curve)
    done = samples
    says = ""
    counts = n + np.array(budgets(m))
    if of_this_sample:
        means = np.where(counts <= labels, means, np.nan)
    else:
        done = int(np.isfinite(curve[:, 0, 0]).sum())
        says = f"Means over samples, {done} of {samples} samples done."

    # The learners begin nearly alike: the name of the higher stands above, the other below.
    higher = drawn[np.argsort(-means[:, 0], kind="stable")[0]]
    bands = []
    lines: list[Layer] = []
    here = []
    both = zip(means, nan_standard_error(curve), drawn, disagreements, strict=True)
    for mean, deviation, name, value in both:
        color = LEARNER_COLORS[name]
        band, line = risk_view.curve(counts, mean, deviation, name, name, color)
        bands.append(band)
        lines.append(marks.named_along(line, 0, "center" if name == higher else "below"))
        here.append(marks.dot(labels or np.nan, value, f"here_{name}", None, color, size=13.0))
    right = n + 1.03 * width
    progress = risk_view.progress(done, samples, (right, 0.88 * top))
    layers: list[Layer] = [*lines, progress, *here]
    if not of_this_sample:
        layers = [*risk_view.label_one_band(bands), *layers]

    title = "Held-out error" if on_data else "Disagreement"
    xlim = (n - 0.03 * width, right)
    axes = Axes("risk", title, "labels bought", "", xlim, (0.0, top))
    yticks = (0.0, top / 2, top)
    ynames = tuple([f"{at:g}" for at in yticks])
    xticks = (n, (2 * n + width) // 2, n + width)
    axes = replace(axes, xticks=xticks, yticks=yticks, ynames=ynames)
    if labels:
        layers.append(marks.grip(labels, axes, disagreements[0]))
    return Panel(axes, layers, lambda at: {"labels": at.x}, says)


def line_panel(source: Any, cells: EvaluationPoints, first: FirstRound, reached: bool) -> Panel:
    """eta; if they are ``reached``, the vote of the first round and the band of close votes."""
    (box,) = source.box
    along = cells.points[:, 0]
    layers: list[Layer] = []
    if reached:
        k = first.scheme.k_hard
        half = min(first.width, 1.0)
        label = f"close vote: within {first.width:.2f} of 1/2"
        low = 0.5 - half
        high = 0.5 + half
        color = SET_COLORS["H"]
        layers.append(Band("band", box, low, high, label=label, color=color))
        layers += line_view.vote_curves(along, first.votes.at(k) / k, "vote of round one")
    layers += line_view.eta_curves(along, source.eta(cells.points))

    axes = Axes("line", "Line: the first round votes", "", "probability", box, (-0.03, 1.03))
    axes = replace(axes, yticks=(0, 0.25, 0.5, 0.75, 1))
    return Panel(axes, layers, lambda at: {"x1": at.x})


def rows_panel(
    memo: Memo,
    source: Any,
    sets: Sets,
    bought: Bought,
    drawn: Any,
    wrong: Any,
    ball: Any,
    most: int,
    says: str,
) -> Panel:
    """Sets, labels by kind, at most ``most`` a row, and errors, in rows under the line."""
    boundary = sets.boundary
    phase = bought.phase
    rows = rows_of(drawn, boundary is not None)
    layers: list[Layer] = []
    if boundary is not None:
        layers.append(memo(strip, source, boundary, "boundary", rows))
    if phase >= 3:
        layers.append(memo(strip, source, sets.cells.hard, "H", rows))
    if phase >= ROUND_ONE:
        layers.append(memo(strip, source, sets.augmented, "H+", rows))
    layers += label_rows(source, bought, most, rows)
    layers.append(rejected(bought.so_far, most, rows))
    if PASSIVE in drawn:
        X = bought.X_passive[-most:]
        y = bought.y_passive[-most:]
        layers.append(label_row(X, y, "passive labels", rows, ()))
    if phase > ROUND_ONE:
        for name, each in zip(drawn, wrong, strict=True):
            layers.append(strip(source, each, ERROR_ROWS[name], rows))
    layers.append(ball)

    ylim = (-0.6, len(rows) - 0.4)
    xlabel = f"{source.feature_names[0]} (a row shows its last {most} labels)"
    axes = Axes("rows", "Labels and errors", xlabel, "", source.box[0], ylim)
    yticks = tuple(map(float, range(len(rows))))
    axes = replace(axes, yticks=yticks, ynames=rows)
    return Panel(axes, layers, lambda at: {"x1": at.x}, says)


def rows_of(drawn: tuple[str, ...], has_boundary: bool = False) -> tuple[str, ...]:
    """The rows of the rules that are drawn, from the bottom up."""
    downward = ["boundary"] if has_boundary else []
    downward += ACTIVE_ROWS
    if PASSIVE in drawn:
        downward += PASSIVE_ROWS
    return tuple(reversed(downward))


def strip(source: Source, inside: np.ndarray, name: str, rows: tuple[str, ...]) -> Fill:
    """Cells (m,) bool of the interval, in the row of a name."""
    at = rows.index(name)
    extent = (*source.box[0], at - STRIP_HALF, at + STRIP_HALF)
    look: Any = {"color": STRIP_COLORS[name], "opacity": 0.45}
    look["hatch"] = "/" if name in SET_COLORS else "\\"
    return Fill(name, inside[None], extent, **look)


def label_row(
    X: np.ndarray, y: np.ndarray, name: str, rows: tuple[str, ...], labels: Any, **ringed: Any
) -> Points:
    heights = rows.index(name) + np.where(y == 1, CLASS_OFFSET, -CLASS_OFFSET)
    look = line_view.ticks(2, LABEL_HEIGHT) | {"ring_gap": 3.0, "labels": labels, **ringed}
    return marks.of_classes(f"{name} labels", X[:, 0], heights, y, **look)


def label_rows(source: Any, bought: Bought, most: int, rows: tuple[str, ...]) -> Iterator[Points]:
    """The labels in rows by stage, ``most`` a row; the last one of the second round is ringed."""
    X = bought.so_far.X
    y = bought.so_far.y
    stage = bought.so_far.stage[: bought.labels]
    labels = source.class_names
    for code, name in enumerate(LABEL_KINDS):
        shown = np.flatnonzero(stage == code)[-most:]
        yield label_row(X[shown], y[shown], name, rows, labels, **ring(bought, shown))
        # The first row has the legend of all.
        labels = ()


def ring(bought: Bought, shown: np.ndarray) -> dict[str, Any]:
    """The ring of the label of the second round bought last, if it is among those ``shown``."""
    last = bought.labels - 1 if bought.so_far.m else -1
    return {"ringed": shown == last, "ring_labels": ("bought last",)}


def rejected(sample: TwoStageSample, most: int, rows: tuple[str, ...]) -> Points:
    (points, _, accepted) = sample.second
    x = np.delete(points[:, 0], accepted)[-most:]
    color = style.tint(style.MUTED, 0.6)
    return marks.dot(x, rows.index("rejected"), "rejected", None, color, 0, 3.5)


def ball_in_row(x: float, radius: float, drawn: tuple[str, ...]) -> Lines:
    """The ball around x that fattens H, in its row."""
    at = rows_of(drawn).index("H+")
    ball = line_view.ball(x, radius, at, 0.3, at)
    return replace(ball, name="reach", label=None, width=2.5)


def map_panel(
    memo: Memo,
    source: Any,
    sets: Sets,
    bought: Bought,
    x: Any,
    radius: Any,
    most: int,
    says: str,
) -> Panel:
    """Where the active learner buys labels in the plane."""
    bayes = None
    if source.eta is not None:
        bayes = replace(memo(map_view.bayes_boundary, source, 100), label=None)
    hard = sets.cells.hard
    margin = memo(np.greater, sets.augmented, hard)
    has_balls = bought.phase >= ROUND_ONE
    fattened = memo(region, source, margin, has_balls, "H+", "H+ outside H", "\\")
    core = memo(region, source, hard, bought.phase >= 3, "H", "H", "/")
    points = map_points(source, bought, most)
    ball = None
    if radius is not None:
        ball = replace(map_view.ball(np.array(x), radius), label=None)
    layers = [fattened, core, bayes, points, ball, map_view.query(source, x)]
    axes = replace(map_view.axes(source), title="Map: where labels are bought")
    return Panel(axes, layers, plane.clicked, says)


def region(
    source: Any, inside: np.ndarray, reached: bool, name: str, label: str, hatch: str
) -> Fill:
    """A set in the plane; before its stage it is empty."""
    found = set_view.region(source, inside & reached, name, label, hatch)
    return replace(found, color=SET_COLORS[name])


def map_points(source: Any, bought: Bought, most: int) -> Points:
    """Random labels pale, targeted ones in full color; the last of the second round is ringed."""
    stage = bought.so_far.stage[: bought.labels]
    first = np.flatnonzero(stage == 0)[: most // 3]
    second = np.flatnonzero(stage)[-2 * most // 3 :]
    shown = np.concatenate([first, second])
    X = bought.so_far.X[shown]
    is_random = stage[shown] != 2
    codes = bought.so_far.y[shown] + 2 * is_random

    full = style.palette(2)
    pale = [style.tint(color, PALE) for color in full]
    look: Any = {"palette": (*full, *pale), "size": 6.0}
    look["markers"] = style.markers(2) * 2
    look["labels"] = (*source.class_names, "random (pale)")
    look |= ring(bought, shown)
    return marks.of_classes("points", X[:, 0], X[:, 1], codes, **look)


THIRDS = dict.fromkeys(("mass of H", "mass of H+", "ball mass p", "boundary mass"), 3)
THIRDS |= {f"disagreement of the {name}": 3 for name in LEARNER_COLORS} | {"Delta at k_vote": 3}
SOURCE = "Rittler & Chaudhuri"
NOISY = {
    "width": 0.1,
    "height": 0.8,
    "low": 0.2,
    "n": 3000,
    "m": 3000,
    "k_hard": 300,
    "k_vote": 300,
}
OUTSIDE = {
    "problem": "jump",
    "a": 0.45,
    "n": 300,
    "m": 6000,
    "k_vote": 341,
    "passive_fraction": 0.0,
}


class ActiveLab(Lab):
    """The vote of the first round, H, the labels of both rounds, and both learners.

    Source: Rittler & Chaudhuri.

    Examples
    --------
    >>> from knnviz.labs import ActiveLab
    >>> found = ActiveLab(n=1000, m=1000).readout()
    >>> (
    ...     found["mass of H"],
    ...     found["disagreement of the passive learner"],
    ...     found["disagreement of the active learner"],
    ... )
    (0.087902, 0.022, 0.001115)
    """

    title = "Two rounds of labels"
    decimals = THIRDS
    table = PARAMETERS
    ranges = ranges
    adjust = adjust
    recipe = recipe
    buttons = (*training_data.BUTTONS, *risk_curve.BUTTONS)
    layout = columns(("map", 1.0), rows(LINE, ("risk", 0.8)), ratios=(11, 9))
    presets = (
        Preset("B: noise everywhere", SOURCE, {"problem": "jump", "a": 0.05}),
        Preset("D: pi = .9", SOURCE, {"passive_fraction": 0.9}),
        Preset("F: noisy bump", SOURCE, NOISY),
        Preset("G: wave in the square", SOURCE, {"problem": "wave2d", "n": 2000, "m": 2000}),
        Preset("pi = 0, outside Theorem 7", f"{SOURCE}, Theorem 7: k = (n + m)^(2/3)", OUTSIDE),
    )
