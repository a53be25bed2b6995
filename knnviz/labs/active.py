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

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from knnviz import problems, regions
from knnviz.active import LEARNERS, trial
from knnviz.active.learners import EvaluationPoints, LearnerComparison
from knnviz.active.sampling import CELLS, passive_sample, two_stage_sample
from knnviz.active.scheme import FROM_R, FirstRound, Scheme, TwoStageSample
from knnviz.bounds import chaudhuri_dasgupta
from knnviz.labs.engine import (
    TO_COME,
    ByName,
    Cell,
    Choice,
    Count,
    Float,
    Int,
    Lab,
    LogInt,
    Memo,
    Panel,
    Preset,
    Range,
    Seed,
    Shown,
    Values,
    columns,
    rows,
)
from knnviz.labs.parts import data as training_data
from knnviz.labs.parts import plane, risk_curve
from knnviz.labs.parts.sources import named
from knnviz.means import nan_mean, nan_standard_error
from knnviz.views import line as line_view
from knnviz.views import map as map_view
from knnviz.views import marks, style
from knnviz.views import risk as risk_view
from knnviz.views import sets as set_view
from knnviz.views.layers import Axes, Band, Fill, Layer, Lines, Place, Points, runs

#: Stages of the first round: nothing is labeled, then its labels, their votes, H, H+, and what
#: learners predict with these labels.
STAGES = ("nothing yet", "labels", "votes", "H", "H+", "predictions")
VOTES, HARD, AUGMENTED, PREDICTIONS = range(2, len(STAGES))

#: The rules that are drawn, by the options of the menu.
PASSIVE = "passive learner"
ACTIVE = "active learner"
RULES = {f"{PASSIVE} and {ACTIVE}": (PASSIVE, ACTIVE), ACTIVE: (ACTIVE,)}

#: Rows under the line, from the top down: where each learner is wrong, sets, and the labels that
#: each learner has bought.
WRONG = {PASSIVE: "passive wrong", ACTIVE: "active wrong"}
BOUGHT = {ACTIVE: "active labels", PASSIVE: "passive labels"}
ROW_HEIGHT = 0.13
ROOM_ABOVE = 0.14

#: How pale random labels are on the map.
PALE = 0.5

#: Height of the tick of a label, and how pale those of random labels are.
LABEL_HEIGHT = 13.0
RANDOM_OPACITY = 0.4

#: Limits of disagreement over k, in log10.
FACTOR_LIMITS = (-4.0, -0.5)

#: Whether there is a curve.
OVER_K = "over k"
CURVES = (risk_curve.OFF, OVER_K)
WITH_CURVE = {"curve": (OVER_K,)}
WITH_PASSIVE = {"rules": tuple([rules for rules, drawn in RULES.items() if PASSIVE in drawn])}

#: From here on the factor has its name on the left.
NAMED_LEFT = 120

#: Colors of the learners, of the sets, and of the strips by row.
LEARNER_COLORS = {PASSIVE: style.INK, ACTIVE: style.CLASS_COLORS[2]}
SET_COLORS = {
    "boundary": style.CLASS_COLORS[5],
    "H": style.CLASS_COLORS[3],
    "H+": style.CLASS_COLORS[4],
}

RULES_TIP = (
    "The passive learner labels n + m random points; the active one buys its labels in two rounds"
)
LABELS_TIP = "Labels bought so far, first those of round one, then those of round two"
STAGE_TIP = "How far the first round has come: its labels, their votes, H, H+, predictions"
CURVE_TIP = "Mean disagreement of both learners, instead of the line"
VOTERS_TIP = "Strict: targeted labels only. Inclusive: all labels in H+"
C0_TIP = "Constant of Delta~, which the paper leaves open; a larger one widens the band"
C_PLUS_TIP = "Constant of k+, the neighbors in the balls around points of H; theory has 4"
PASSIVE_TIP = "Probability that a draw of round two is random; the paper's passive fraction"
ON_BUMP = {"problem": ("bump",)}

#: What may be drawn beside H, on a line.
BOUNDARY = "effective boundary"
OVERLAYS = ("no overlay", BOUNDARY)
LINES = ("bump", "hidden bump", "jump")
ON_LINE = {"problem": LINES}

#: Panels of a line.
LINE = rows(Cell("line", height=300), Cell("factor", height=240))

K_VOTE = LogInt("k_vote", 100, 1, 400, "neighbors *k*", "Neighbors that vote, for both learners")

PARAMETERS = (
    "Play",
    Choice("stage", STAGES, "first round", STAGE_TIP, default=STAGES[-1]),
    Int("labels", 2000, 50, 12_000, "labels bought", LABELS_TIP, step=10, play=300),
    "Rules",
    Choice("rules", RULES, "rules", RULES_TIP),
    Choice("overlay", OVERLAYS, "overlay", "Where Theorem 3 allows wrong votes", when=ON_LINE),
    K_VOTE,
    Choice("voters", LEARNERS[1:], "labels used in H", VOTERS_TIP),
    "Data",
    Choice("problem", (*LINES, "wave2d"), "*problem*", "Where the points come from"),
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
    Float("low", 0.02, 0, 1, "eta outside", "Probability of class 1 everywhere else", when=ON_BUMP),
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
        "Labels of the first round, all at random points",
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
        "How many neighbors vote on what is hard",
    ),
    Float(
        "delta", 0.1, 0.01, 0.5, "failure *delta*", "Failure probability of the statements about H"
    ),
    Float("c0", 0.0, 0, 1, "band *c0*", C0_TIP),
    Float("c_plus", 0.25, 0, 4, "balls *c_plus*", C_PLUS_TIP, step=0.05),
    Float("passive_fraction", 0.1, 0, 1, "P(random draw) *pi*", PASSIVE_TIP),
    "Curve",
    Choice("curve", CURVES, "curve", CURVE_TIP, when=WITH_PASSIVE, draws=("factor",)),
    Int("repeats", 20, 2, 300, "samples", "Fresh samples behind a curve", when=WITH_CURVE),
)


def ranges(values: ByName) -> dict[str, Any]:
    """Neighbors are at most the labels."""
    n = values["n"]
    m = values["m"]
    found = {
        "k_hard": Range((1, min(400, n)), "k_hard is at most n"),
        "k_vote": Range((1, min(400, n + m)), f"there are {n + m} labels"),
        "labels": Range((n, n + m), f"there are {m} labels in the second round"),
    }
    if values["labels"] > n:
        found["stage"] = Range(None, "the second round has begun")
    return found


def adjust(values: dict[str, Any], changes: ByName, before: ByName) -> None:
    """Labels of the second round stay, or stay all of them."""
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

    ``phase`` is the stage of the first round, the last of them also in the second round.
    """

    whole: TwoStageSample
    so_far: TwoStageSample
    X_passive: np.ndarray
    labels: int
    phase: int


def recipe(p: Values, memo: Memo) -> Shown:
    source: Any = named(p.problem)
    if p.problem == "bump":
        source = memo(problems.bump, p.width, p.height, p.low)
    elif p.problem == "jump":
        source = memo(problems.jump, p.a)
    source = memo(source.with_seed, p.seed)
    d = source.dimension

    # All labels of both rounds, those of the passive learner, and sets that follow.
    scheme = Scheme(p.k_hard, p.passive_fraction, p.delta, p.c0, p.c_plus)
    n_cells = min(CELLS[d], p.resolution.map_cells[d - 1])
    sample = memo(two_stage_sample, source, p.n, p.m, scheme, p.seed, n_cells)
    first = sample.first
    labels = p.n + p.m
    passive = memo(passive_sample, source, labels, p.seed)
    cells = memo(EvaluationPoints.from_first_round, first, source)
    hard_mass = first.hard_mass if cells.line is None else cells.line.hard_mass
    comparison = memo(LearnerComparison, cells, sample, *passive)

    # The effective boundary is known unless k is too small.
    margin = chaudhuri_dasgupta.margin(p.k_vote, p.delta)
    of_theory: dict[str, Any] = {}
    boundary = None
    if p.overlay == BOUNDARY and p.k_vote > chaudhuri_dasgupta.least_neighbors(p.delta):
        mass = chaudhuri_dasgupta.mass(p.k_vote, labels, p.delta)
        boundary = memo(effective_boundary, source, mass, margin, n_cells)
        of_theory["ball mass p"] = mass
        of_theory["boundary mass"] = float(cells.weights[boundary].sum())
    of_theory["Delta at k_vote"] = margin
    augmented = memo(first.region.contains, cells.points)
    sets = Sets(cells, augmented, boundary)

    # What is bought so far, and where the learners err with it.
    drawn = RULES[p.rules]
    learners = tuple(LEARNERS[0] if name == PASSIVE else p.voters for name in drawn)
    both = tuple(zip(drawn, learners, strict=True))
    phase = STAGES.index(p.stage) if p.labels == p.n else PREDICTIONS
    bought = memo(bought_so_far, sample, passive[0], p.labels, phase)
    so_far = bought.so_far
    of_step = memo(comparison.disagreement, [so_far.m], p.k_vote, learners)
    if so_far.m:
        says = memo(second_round_text, sample, so_far.m)
    else:
        says = memo(first_round_text, sample, phase, hard_mass)

    panels = {}
    if d == 1:
        panels["line"] = lambda: memo(
            line_panel, memo, source, sets, bought, both, comparison, p.k_vote, says
        )
    else:
        most = p.display.max_points
        panels["map"] = lambda: memo(map_panel, memo, source, sets, bought, most, says)

    # Each number with the stage from which on it is known.
    since: dict[str, tuple[int, Any]] = {}
    for name, value in zip(drawn, of_step[:, 0].tolist(), strict=True):
        since[f"disagreement of the {name}"] = 1, value
    n_random = int(np.sum(so_far.stage == 1))
    since |= {
        "labels bought": (0, bought.labels),
        "random labels of round two": (PREDICTIONS, Count(n_random, so_far.m)),
        "points drawn in round two": (0, so_far.n_draws),
        "mass of H": (HARD, hard_mass),
        "mass of H+": (AUGMENTED, first.augmented_mass),
    }
    numbers = {name: value for name, (stage, value) in since.items() if phase >= stage}

    if p.curve == OVER_K and PASSIVE in drawn:
        ks = tuple(K_VOTE.steps(1, min(400, labels)))
        setting = {"source": source, "ks": ks, "n": p.n, "m": p.m, "scheme": scheme}
        setting |= {"n_cells": n_cells, "learners": learners}
        start = memo(np.full, (p.repeats, 2, len(ks)), np.nan)
        means = memo.stream(fresh_samples, start, p.seed, setting)
        curve = start if means is None else means
        panels.pop("line", None)
        panels["factor"] = lambda: memo(factor_panel, ks, curve, p.k_vote)
        numbers |= memo(mean_numbers, ks, curve, p.k_vote)
    return Shown(panels, numbers | of_theory, LINE if d == 1 else None)


def effective_boundary(source: Any, mass: float, margin: float, n_cells: int) -> np.ndarray:
    """Cells (m,) bool of the effective boundary of Theorem 3."""
    if mass > 1:
        return np.ones(len(source.grid(n_cells).points), bool)
    balls = plane.balls(n_cells, source, (mass,))
    return regions.effective_boundary(balls, mass, margin)


def bought_so_far(sample: TwoStageSample, X: np.ndarray, labels: int, phase: int) -> Bought:
    so_far = sample.head(labels - sample.n)
    if phase == 0:
        labels = 0
    return Bought(sample, so_far, X[:labels], labels, phase)


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
        "The second round has not begun.",
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


def fresh_samples(start: np.ndarray, seed: int, setting: ByName) -> Iterator[np.ndarray]:
    """Disagreement (samples, 2, K) over k of fresh samples, one trial of a ``setting`` after the
    other.
    """
    found = start
    for i, stream in enumerate(np.random.SeedSequence(seed).spawn(len(start))):
        found = found.copy()
        of_trial = trial(**setting, seed=stream)
        found[i] = of_trial.disagreement[:, 0]
        yield found


def mean_numbers(ks: tuple[int, ...], curve: np.ndarray, k: int) -> dict[str, Any]:
    """Mean disagreement of both learners at k, and its factor, once all samples (s, 2, K) are
    there; none between the steps of k.
    """
    names = (*[f"mean disagreement of the {name}" for name in (PASSIVE, ACTIVE)], "factor")
    if k not in ks:
        return {}
    if np.isnan(curve).any():
        return dict.fromkeys(names, TO_COME)
    passive, active = curve[:, :, ks.index(k)].mean(axis=0).tolist()
    factor = passive / active if active else None
    return dict(zip(names, (passive, active, factor), strict=True))


def factor_panel(ks: tuple[int, ...], curve: np.ndarray, k: int) -> Panel:
    """Mean disagreement of both learners over k, on a logarithmic axis: the length of a line
    between them is a factor.
    """
    means = nan_mean(curve)
    errors = nan_standard_error(curve)
    low, high = FACTOR_LIMITS

    def height(values: np.ndarray) -> np.ndarray:
        return np.log10(np.maximum(values, 10**low))

    bands: list[Layer] = []
    lines: list[Lines] = []
    for name, mean, error in zip((PASSIVE, ACTIVE), means, errors, strict=True):
        look = (name, name, LEARNER_COLORS[name])
        band, line = risk_view.curve(np.array(ks), mean, error, *look)
        lower = height(band.lower)
        bands.append(replace(band, at="in words", lower=lower, upper=height(band.upper)))
        lines.append(replace(line, y=height(line.y)))

    samples = len(curve)
    done = int(np.isfinite(curve[:, 0, 0]).sum())
    progress = risk_view.progress(done, samples, (ks[-1], 0.97 * high))
    xlim = (ks[0] / 1.1, 1.1 * ks[-1])
    title = "Mean disagreement ± 2 s.e."
    powers = tuple(range(round(low), 0))
    axes = Axes(
        "factor",
        title,
        "neighbors k",
        "",
        xlim,
        FACTOR_LIMITS,
        yticks=powers,
        ynames=tuple(map(style.power_of_ten, powers)),
        log=True,
    )
    at_k = Lines("at_k", k, FACTOR_LIMITS, width=1.0)
    layers = [*bands, *[marks.named_along(line, 1) for line in lines], progress]
    if k in ks and done:
        passive, active = means[:, ks.index(k)]
        both = height(np.array([active, passive]))
        at = Place(k, both[0] - 0.3, "right" if k > NAMED_LEFT else "left")
        label = f"factor {passive / active:.1f}" if active and done == samples else None
        layers.append(Lines("factor", k, both, label=label, at=at, width=3.0))
    layers += [at_k, marks.grip(k, axes)]
    says = f"Means over samples, {done} of {samples} samples done. Heights are powers of ten."
    return Panel(axes, layers, lambda at: {"k_vote": at.x}, says)


def line_panel(
    memo: Memo,
    source: Any,
    sets: Sets,
    bought: Bought,
    learners: tuple[tuple[str, str], ...],
    comparison: LearnerComparison,
    k: int,
    says: str,
) -> Panel:
    """eta and votes; below them sets, and all labels that learners have bought."""
    phase = bought.phase
    cells = sets.cells
    along = cells.points[:, 0]
    (box,) = source.box
    rows = rows_of(dict(learners), sets.boundary is not None, phase)
    half = Lines("half", box, 0.5, width=1.0)
    eta = memo(named_eta, source, cells.points)
    layers: list[Layer] = []
    if VOTES <= phase < PREDICTIONS:
        band, vote = memo(first_votes, cells, bought.whole.first, box)
        layers += [band, marks.named_along(vote, 0.1)]
    if phase == PREDICTIONS:
        votes = memo(learner_votes, learners, comparison, along, bought.so_far.m, k)
        layers += [marks.named_along(vote, 0.5) for vote in votes]
        layers += wrong_rows(learners, comparison, bought.so_far.m, k)
    layers += [half, eta]

    known = {"boundary": sets.boundary}
    if phase >= HARD:
        known["H"] = cells.hard
    if phase >= AUGMENTED:
        known["H+"] = sets.augmented
    for name, inside in known.items():
        if name in rows and inside is not None:
            layers.append(memo(bar, source, inside, name, rows[name]))
    layers += label_rows(bought, rows)

    named_rows = {name: y for name, y in rows.items() if name in known or name not in SET_COLORS}
    ylim = (min(rows.values()) - 0.6 * ROW_HEIGHT, 1 + ROOM_ABOVE)
    labels = "Fraction of class 1, and labels bought", source.feature_names[0], ""
    return Panel(
        Axes(
            "line",
            *labels,
            box,
            ylim,
            yticks=(*named_rows.values(), 0, 0.5, 1),
            ynames=(*named_rows, "0", "0.5", "1"),
        ),
        layers,
        says=says,
    )


def rows_of(learners: Iterable[str], has_boundary: bool, phase: int) -> dict[str, float]:
    """The rows under the line, from the top down, and their heights; H has none beside two
    learners, unless a boundary is compared with it.
    """
    names = [WRONG[learner] for learner in learners] if phase == PREDICTIONS else []
    if has_boundary:
        names.append("boundary")
    if has_boundary or PASSIVE not in learners:
        names.append("H")
    names.append("H+")
    names += [row for learner, row in BOUGHT.items() if learner in learners]
    return {name: -ROW_HEIGHT * (i + 1) for i, name in enumerate(names)}


def named_eta(source: Any, points: np.ndarray) -> Lines:
    """eta, with its name at the end of its last stretch that is highest."""
    eta = source.eta(points)
    (line,) = line_view.eta_curves(points[:, 0], eta, "η")
    is_highest = eta[:, 1] >= eta[:, 1].max()
    at = runs(is_highest[None])[-1, 2] - 1
    return replace(line, at=Place(line.x[at], line.y[at], "left"))


def first_votes(cells: EvaluationPoints, first: FirstRound, box: Any) -> tuple[Band, Lines]:
    """The votes of the first round, and the band of those that are close."""
    low = max(0.5 - first.width, 0.0)
    high = min(0.5 + first.width, 1.0)
    band = Band(
        "band",
        box,
        low,
        high,
        color=SET_COLORS["H"],
        label="close votes",
        at=Place(box[0], high + 0.05, "left"),
    )
    k = first.scheme.k_hard
    fractions = first.votes.at(k)[:, 1] / k
    votes = marks.curve("votes", "vote of round one", cells.points[:, 0], fractions, width=1.5)
    return band, votes


def learner_votes(
    learners: Iterable[tuple[str, str]],
    comparison: LearnerComparison,
    x: np.ndarray,
    m: int,
    k: int,
) -> list[Lines]:
    """The votes of each learner over x (Q,) with m labels of the second round."""
    votes = []
    for name, learner in learners:
        fraction = comparison.fractions(learner, m, k)[:, 1]
        label = BOUGHT[name].replace("labels", "vote")
        votes.append(marks.curve(f"vote {name}", label, x, fraction, LEARNER_COLORS[name]))
    return votes


def wrong_rows(
    learners: Iterable[tuple[str, str]], comparison: LearnerComparison, m: int, k: int
) -> Iterator[Band]:
    """Where each learner is wrong with m labels of the second round, as thin bars in the first
    rows.
    """
    for i, (name, learner) in enumerate(learners):
        across = marks.segments(*comparison.wrong(learner, m, k).T)
        bottom = -ROW_HEIGHT * (i + 1.3)
        top = bottom + 0.6 * ROW_HEIGHT
        yield Band(
            f"wrong {name}",
            across,
            0 * across + bottom,
            top,
            label=WRONG[name],
            at="in words",
            color=LEARNER_COLORS[name],
            opacity=1.0,
        )


def bar(source: Any, inside: np.ndarray, name: str, height: float) -> Fill:
    """A set of cells (m,) bool, as thin bars in a row."""
    extent = (*source.box[0], height - 0.3 * ROW_HEIGHT, height + 0.3 * ROW_HEIGHT)
    return Fill(name, inside[None], extent, label=name, color=SET_COLORS[name], opacity=0.6)


def label_rows(bought: Bought, rows: Mapping[str, float]) -> Iterator[Points]:
    """A tick for each label that was bought: targeted ones in the color of their learner, random
    ones gray.
    """
    count = bought.labels
    x = bought.so_far.X[:count, 0]
    is_targeted = bought.so_far.stage[:count] == FROM_R
    height = rows[BOUGHT[ACTIVE]]
    yield ticks("random labels", "random label", x[~is_targeted], height)
    targeted = ticks("targeted labels", "targeted label", x[is_targeted], height)
    yield replace(targeted, palette=(LEARNER_COLORS[ACTIVE],), opacity=0.8)
    if BOUGHT[PASSIVE] in rows:
        yield ticks("passive labels", None, bought.X_passive[:, 0], rows[BOUGHT[PASSIVE]])


def ticks(name: str, label: str | None, x: np.ndarray, height: float) -> Points:
    dots = marks.dot(x, height, name, label, style.MUTED)
    return replace(dots, **line_view.ticks(1, LABEL_HEIGHT), opacity=RANDOM_OPACITY)


def map_panel(
    memo: Memo,
    source: Any,
    sets: Sets,
    bought: Bought,
    most: int,
    says: str,
) -> Panel:
    """Where the active learner buys labels in the plane."""
    hard = sets.cells.hard
    layers: list[Layer] = []
    if bought.phase >= AUGMENTED:
        margin = memo(np.greater, sets.augmented, hard)
        layers.append(memo(region, source, margin, "H+", "H+ outside H", "\\"))
    if bought.phase >= HARD:
        layers.append(memo(region, source, hard, "H", "H", "/"))
    layers.append(replace(memo(map_view.bayes_boundary, source), label=None))
    layers.append(map_points(source, bought, most))
    axes = replace(map_view.axes(source), title="Map: where labels are bought")
    return Panel(axes, layers, says=says)


def region(source: Any, inside: np.ndarray, name: str, label: str, hatch: str) -> Fill:
    """A set in the plane."""
    found = set_view.region(source, inside, name, label, hatch)
    return replace(found, color=SET_COLORS[name])


def map_points(source: Any, bought: Bought, most: int) -> Points:
    """Random labels pale, targeted ones in full color."""
    # Every so many of them.
    shown = slice(0, bought.labels, 1 + bought.labels // most)
    X = bought.so_far.X[shown]
    is_random = bought.so_far.stage[shown] != FROM_R
    codes = bought.so_far.y[shown] + 2 * is_random

    full = style.palette(2)
    pale = [style.tint(color, PALE) for color in full]
    return marks.of_classes(
        "points",
        X[:, 0],
        X[:, 1],
        codes,
        palette=(*full, *pale),
        size=6.0,
        markers=style.markers(2) * 2,
        labels=(*source.class_names, "random (pale)"),
    )


THIRDS = dict.fromkeys(("mass of H", "mass of H+", "ball mass p", "boundary mass"), 3)
THIRDS |= {f"disagreement of the {name}": 3 for name in BOUGHT}
THIRDS |= {f"mean disagreement of the {name}": 5 for name in BOUGHT}
THIRDS |= {"Delta at k_vote": 3, "factor": 1}
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
    parts = (risk_curve,)
    buttons = training_data.BUTTONS
    layout = columns(("map", 1.0), LINE)
    presets = (
        Preset("B: noise everywhere", SOURCE, {"problem": "jump", "a": 0.05}),
        Preset("D: pi = .9", SOURCE, {"passive_fraction": 0.9}),
        Preset("F: noisy bump", SOURCE, NOISY),
        Preset("G: wave in the square", SOURCE, {"problem": "wave2d", "n": 2000, "m": 2000}),
        Preset("pi = 0, outside Theorem 7", f"{SOURCE}, Theorem 7: k = (n + m)^(2/3)", OUTSIDE),
    )
