"""EliminationLab: a ball grows around x, neighbor by neighbor (the walk), until one label is not
eliminated.

A bag is a candidate label set. PL A-kNN is adaptive kNN for partial labels: of the bags in the ball
it counts those that hold each label, and eliminates a label whose fraction is below that of the
leader, the most frequent label, by the band Delta(k) or more. A-kNN is adaptive kNN extended to
bags: it stops once the largest fraction exceeds 1 / C by the band. Both stop at T neighbors in any
case; a rule is undecided if that is why. 10-NN is the plain vote. The advantage at x is large if
the leader is ahead in a large ball.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from knnviz import risk
from knnviz.bags import BagDraws, BagProcess
from knnviz.bounds.errandonea import guaranteed_eliminations
from knnviz.labs.engine import (
    Cell,
    Choice,
    Float,
    Int,
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
from knnviz.labs.engine.words import kind_words
from knnviz.labs.parts import data as training_data
from knnviz.labs.parts import plane, sources
from knnviz.labs.parts.bag_menus import FALLBACKS
from knnviz.labs.parts.data import Data
from knnviz.labs.parts.plane import Cells, Query
from knnviz.labs.parts.sources import ALL_SOURCES, Source, named
from knnviz.problems import Sample
from knnviz.profiles import BallProfile, VoteProfile
from knnviz.rules import Adaptive, PartialAdaptive, Scan, Trace, Vote
from knnviz.views import line as line_view
from knnviz.views import marks, profile, style
from knnviz.views import sets as set_view
from knnviz.views.layers import Annotations, Axes, Layer, Lines, Place, Points, Raster

#: The worked example: its name and size, and the bags of the nearest neighbors of x = 0 in order,
#: which farther points repeat.
EXAMPLE = "worked example"
EXAMPLE_SIZE = 100
EXAMPLE_LABELS = ("ab", "a", "ac", "b", "ab", "a", "ac", "ab", "a", "ab", "ac", "a")
EXAMPLE_BAGS = np.array([[label in bag for label in "abc"] for bag in EXAMPLE_LABELS])

PROBLEMS = tuple(name for name, offered in ALL_SOURCES.items() if offered.n_classes > 2)

#: How the probability that a wrong label joins a bag varies over the points.
POPULAR_LEFT = "popular label on the left"
SPREADS = ("even", POPULAR_LEFT)

#: Of "popular label on the left": the left part of the box, by its fraction, and the probabilities
#: there that the second label and that another one joins a bag.
CROWDED = 0.3
OFTEN = 0.9
SELDOM = 0.1

#: What the map can show; the last needs a known distribution.
OVERLAYS = ("decisions", "stopping k", "advantage")
_, STOPPING_K, ADVANTAGE = OVERLAYS

#: The rules that are drawn, by the options of the menu; the map is that of the first. 10-NN is the
#: plain vote.
PARTIAL = "PL A-kNN"
ADAPTIVE = "A-kNN"
PLAIN = "10-NN"
RULES = {
    PARTIAL: (PARTIAL,),
    PLAIN: (PLAIN,),
    f"{PARTIAL} and {ADAPTIVE}": (PARTIAL, ADAPTIVE),
    "all": (PARTIAL, ADAPTIVE, PLAIN),
}
VOTE_K = 10

#: Largest T by dimension, and how many neighbors are looked up: T in steps, so that moving T rarely
#: looks up others.
LARGEST_T = {1: 5000, 2: 400}
TABLE_SIZES = (100, 200, 400, 1000, 5000)

#: Label, dash and width of the line where each rule stops; all are visible where they coincide.
STOP_STYLES = {
    PLAIN: ("10-NN", (2, 4), 5.0),
    ADAPTIVE: ("A-kNN stops", (9, 5), 3.0),
    PARTIAL: ("PL A-kNN stops", (), 1.4),
}

#: Heights of these labels.
STOP_HEIGHTS = (0.65, 0.75, 0.85)

#: Values at which the shade of an overlay changes.
SHADE_STEPS = {STOPPING_K: (10, 50), ADVANTAGE: set_view.ADVANTAGE_STEPS}

#: Name and look of the true frequencies of labels in bags.
IN_BAGS = "P(in bag)"
IN_BAGS_STYLE: Any = {"width": 2.0, "dash": (2, 3)}

#: Height of the grip of k.
GRIP_HEIGHT = 0.95

#: A bag is a column with a dot for each of its labels: so many of the nearest, and on a line one in
#: so many of the points that the plane has room for.
MAX_COLUMNS = 50
POINTS_PER_COLUMN = 8
DOT_SIZE = 6.0

RULES_TIP = "What is drawn and read out; the map is that of the first one"
BAND_TIP = "The band is A / sqrt(k), with A = c1 sqrt(log n + log(C / delta))"
DELTA_TIP = "Failure probability: the band grows with log(C / delta)"
LEFT_TIP = "Label predicted if several are left: that of the largest lead, or that in most bags"
JOIN_TIP = (
    "Largest probability that a wrong label joins a bag; 'popular label on the left' has its own"
)
SPREAD_TIP = "One probability for all, or the second label is frequent on the left"

OF_PARTIAL = {"rules": tuple(name for name, drawn in RULES.items() if PARTIAL in drawn)}

PARAMETERS = (
    "The ball around x",
    Int("k", 100, 1, 5000, "ball *k*", "Number of neighbors in the ball around x", play=120),
    "Rules",
    Choice("rules", RULES, "rules", RULES_TIP),
    Float("c1", 0.5, 0.05, 3, "band factor *c1*", BAND_TIP, step=0.05, when=OF_PARTIAL),
    LogInt(
        "max_neighbors", 100, 5, 5000, "largest k *T*", "The ball stops at T neighbors in any case"
    ),
    Choice("fallback", FALLBACKS, "at T", LEFT_TIP, when=OF_PARTIAL),
    Float("delta", 0.1, 0.01, 0.5, "failure probability *delta*", DELTA_TIP, when=OF_PARTIAL),
    "Map",
    Choice("overlay", OVERLAYS, "show", "What colors the map or line"),
    replace(plane.MASS_CAP, when={"overlay": (ADVANTAGE,)}),
    "Bags",
    Float(
        "bag_noise",
        0.2,
        0,
        1,
        "bag noise *nu*",
        "Probability that any label replaces the true one",
    ),
    Float("inclusion", 0.4, 0, 0.95, "inclusion *a*", JOIN_TIP),
    Choice("spread", SPREADS, "joining", SPREAD_TIP),
    "Data",
    Choice("problem", PROBLEMS, "*problem*", "Where the points come from"),
    replace(training_data.N, default=1000),
    training_data.SEED,
    *plane.PARAMETERS,
)


def last_k(values: Mapping[str, Any]) -> int:
    """Neighbors of the largest ball: T, but at most n, also before both are in their ranges."""
    problem = named(values["problem"])
    n = values["n"]
    most = problem.max_size or n
    if values["problem"] == EXAMPLE:
        most = EXAMPLE_SIZE
    return min(values["max_neighbors"], LARGEST_T[problem.dimension], n, most)


def ranges(values: Mapping[str, Any]) -> dict[str, Any]:
    """The ball ends at T and at n; the worked example has its own points and bags."""
    problem = named(values["problem"])
    found: dict[str, Any] = {}
    found["k"] = Range((1, last_k(values)), "k is at most T and n")
    if problem.dimension == 2:
        most = LARGEST_T[2]
        found["max_neighbors"] = Range((5, most), f"in the plane T is at most {most}")
    if problem.eta is None:
        why = f"the advantage needs a known distribution, but {problem.name} is data"
        found["overlay"] = Range(OVERLAYS[:2], why)
    if values["problem"] == EXAMPLE:
        found |= dict.fromkeys(("bag_noise", "inclusion", "spread"))
        why = f"the {EXAMPLE} has {EXAMPLE_SIZE} points"
        found["n"] = Range((EXAMPLE_SIZE, EXAMPLE_SIZE), why)
    return found


def adjust(values: dict[str, Any], changes: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    """k stays at the end of the walk when that moves."""
    if "k" not in changes and before["k"] == last_k(before):
        values["k"] = last_k(values)


def recipe(p: Values, memo: Memo) -> Shown:
    is_example = p.problem == EXAMPLE
    end = last_k(vars(p))
    sample, bags, process = memo(example)
    data = training_data.data(p, memo, sample if is_example else None)
    problem = data.problem
    names = problem.class_names
    n_classes = problem.n_classes
    if not is_example:
        process = memo(bag_process, problem, p.spread, p.inclusion, p.bag_noise)
        bags = memo(draw_bags, process, data.sample, p.seed)

    table_size = next(size for size in TABLE_SIZES if size >= p.max_neighbors)
    k_max = min(table_size, p.n)
    cells = plane.cells(p, memo, data, bags, k_max)
    x = plane.query(p, memo, data, bags, k_max)
    eta = cells.field.eta

    # The rules at the cells, or at points held out, and at x as the ball grows.
    rule = PartialAdaptive(p.c1, p.delta, p.max_neighbors, FALLBACKS[p.fallback])
    other = Adaptive(p.c1, p.delta, p.max_neighbors)
    drawn = RULES[p.rules]
    vote_k = min(VOTE_K, p.n)

    def scanned(name: str, at: VoteProfile) -> Scan:
        if name == PLAIN:
            return memo(plain_vote, at, vote_k)
        adaptive = rule if name == PARTIAL else other
        return memo(adaptive.scan, at.table, bags, n_classes)

    judged: Any = cells.votes
    if eta is None:
        judged = plane.held_out(memo, data, bags, k_max).votes
    predicted = {name: scanned(name, judged).labels for name in drawn}
    scan = scanned(drawn[0], cells.votes)
    trace = memo(rule.trace, x.table, bags, n_classes)
    scans = {name: scanned(name, x.votes) for name in drawn}
    walk = Walk(trace, scans, rule.band_constant(p.n, n_classes), end)

    numbers: dict[str, Any] = numbers_at_x(names, walk)
    frequency = None
    in_bags = None
    weights = None
    if eta is None:
        truth = data.source.y_test
        for name, labels in predicted.items():
            numbers[f"held-out error of {name}"] = float(np.mean(labels != truth))
    else:
        in_bags = process.frequency
        weights = cells.field.measure.weights
        frequency = memo(in_bags, cells.field.grid.points, eta)
        for name, labels in predicted.items():
            numbers[f"risk of {name}"] = memo(risk.exact, eta, labels, weights=weights)
        if PARTIAL in drawn:
            in_most = memo(np.argmax, frequency, 1)
            numbers["limit of PL A-kNN"] = memo(risk.exact, eta, in_most, weights=weights)
        numbers["Bayes risk"] = data.truth.bayes_risk
    if PARTIAL in drawn:
        numbers["mean stopping k"] = float(np.average(scan.stop_k, weights=weights))
        numbers["constant of the band"] = walk.band

    shades: Layer | None = None
    if p.overlay == STOPPING_K:
        steps = SHADE_STEPS[STOPPING_K]
        shades = memo(set_view.shaded, problem, scan.stop_k, steps, STOPPING_K)
    elif p.overlay == ADVANTAGE:
        # In the plane fewer balls than cells, since labels are many.
        grids = plane.grids(problem, p.resolution, 1 / problem.dimension)
        masses = plane.ball_masses(p.mass_cap)
        balls = memo.refine(plane.balls, grids, problem, masses, in_bags)
        overlay = memo(plane.advantage, problem, balls, p.mass_cap, x.x, frequency=in_bags)
        shades = overlay.regions
        numbers |= overlay.numbers

    def balls_around_x() -> BallProfile | None:
        """Data have no known distribution, and the bags of the worked example follow none."""
        if in_bags is None or is_example:
            return None
        return memo(plane.balls_at, problem, x.x, k_max, p.n, in_bags)

    most = p.display.max_points
    if problem.dimension == 1:
        most //= POINTS_PER_COLUMN
    shown = (drawn[0], scan.labels, frequency, shades, most)

    def predictions() -> Panel:
        promises = None
        if PARTIAL in drawn:
            promises = memo(promised, balls_around_x(), walk.band, p.n, end)
        on_projector = p.display.factor > 1
        return memo(predictions_panel, names, walk, promises, p.k, on_projector)

    panels = {
        "map": lambda: memo(map_panel, memo, data, bags, cells, x, p.k, *shown),
        "ball": lambda: memo(ball_panel, problem, walk, balls_around_x(), p.k, p.n),
        "predictions": predictions,
    }

    numbers["bags at x"] = plane.votes_at(problem, x, p.k)
    return Shown(panels, numbers)


def example() -> tuple[Sample, np.ndarray, BagProcess]:
    """Points and bags of the worked example, and the process that has their label frequencies.

    All points are of the first class.
    """
    n = EXAMPLE_SIZE
    near = np.linspace(0.03, 0.6, len(EXAMPLE_BAGS))
    far = np.linspace(0.65, 1.0, n - len(near))
    x = np.append(near, far)
    y = np.zeros(n, int)
    sample = Sample(x[:, None], y, None, np.zeros(n))

    often = EXAMPLE_BAGS.mean(axis=0)
    inclusion = np.tile(often, (3, 1))
    process = BagProcess(inclusion, bag_noise=1 - often[0], kind="removal")
    return sample, np.resize(EXAMPLE_BAGS, (n, 3)), process


def bag_process(problem: Source, spread: str, inclusion: float, bag_noise: float) -> BagProcess:
    """The process of bags, with probabilities that wrong labels join as ``spread`` says."""
    found = BagProcess.from_inclusion(problem.n_classes, inclusion)
    if spread == POPULAR_LEFT:
        even = found.inclusion[0]
        crowded = np.full_like(even, SELDOM)
        crowded[:, 1] = OFTEN
        (low, high), *others = problem.box
        across = low + (high - low) * CROWDED * np.array([0.5, 1.5])
        middles = [np.mean(side) for side in others]
        centers = np.array([[x, *middles] for x in across])
        found = BagProcess(np.stack([crowded, even]), centers=centers)
    return replace(found, bag_noise=bag_noise)


def draw_bags(process: BagProcess, sample: Sample, seed: int) -> np.ndarray:
    """The bags (n, C) bool, in the place of labels (n,) of other labs."""
    (stream,) = np.random.SeedSequence(seed).spawn(1)
    draws = BagDraws.draw(len(sample), process.n_classes, stream)
    return process.draw(sample.X, sample.y, draws)


def plain_vote(votes: VoteProfile, k: int) -> Scan:
    """The vote of k bags, as a rule that always stops there."""
    labels = Vote().predict(votes, k)
    count = len(labels)
    left = labels[:, None] == np.arange(votes.n_classes)
    return Scan(labels, np.full(count, k), np.ones(count, bool), left)


class Walk(NamedTuple):
    """What PL A-kNN does at x, and what the rules that are drawn predict there, with the constant
    of the band, up to k = ``end``.
    """

    trace: Trace
    scans: dict[str, Scan]
    band: float
    end: int

    def eliminated(self, k: int) -> dict[int, int]:
        """At which k up to this one labels are eliminated, if PL A-kNN is drawn."""
        if PARTIAL not in self.scans:
            return {}
        each = enumerate(self.trace.eliminated_at.tolist())
        return {c: at for c, at in each if 0 < at <= k}


def numbers_at_x(names: Sequence[str], walk: Walk) -> dict[str, Any]:
    """What the rules that are drawn predict at x, and where they stop."""
    numbers: dict[str, Any] = {}
    for rule, scan in walk.scans.items():
        numbers[f"{rule} at x"] = names[scan.labels[0]]
        if rule != PLAIN:
            numbers[f"{rule} stops at k"] = int(scan.stop_k[0])
        if rule == PARTIAL:
            left = np.flatnonzero(walk.trace.eliminated_at == 0).tolist()
            numbers["labels left at x"] = " ".join(names[c] for c in left)
    return numbers


def promised(balls: BallProfile | None, band: float, n: int, end: int) -> np.ndarray | None:
    """The k (C,) up to T of ``guaranteed_eliminations``, infinite if not by T; k neighbors have
    mass k / n.
    """
    if balls is None:
        return None
    ks = balls.masses * n
    up_to_t = ks <= end * (1 + 1e-9)
    return guaranteed_eliminations(balls.frequency[up_to_t, 0], ks[up_to_t], band)


def map_panel(
    memo: Memo,
    data: Data,
    bags: np.ndarray,
    cells: Cells,
    x: Query,
    k: int,
    rule: str,
    labels: np.ndarray,
    frequency: np.ndarray | None,
    shades: Raster | None,
    most: int,
) -> Panel:
    """Predictions of a rule, or shades in their place, below at most ``most`` points or bags, and
    the ball around x.
    """
    problem = data.problem
    view = plane.view_of(problem)
    axes = view.axes(problem)
    title = f"{axes.title}: {rule}"
    says = plane.predictions(problem, labels)

    layers: list[Layer | None] = []
    if shades:
        # The title has the steps of the shades, so that the legend is short.
        light, dark = SHADE_STEPS[shades.name]
        title = f"{shades.name.capitalize()}: light from {light:g}, dark {dark:g}"
        says = f"{says} {'; '.join(kind_words(shades, '', 1.0))}."
        layers.append(replace(shades, labels=()))
    else:
        layers.append(memo(set_view.regions, problem, labels))
    if problem.dimension == 2:
        what = "points"
        layers.append(data.truth.boundary and marks.named_along(data.truth.boundary, None))
    else:
        what = "bags"
        along = memo(np.ravel, cells.field.grid.points)
        layers += memo(line_view.eta_curves, along, cells.field.eta)
        layers += memo(line_view.curves, along, frequency, "in_bag", IN_BAGS, 0.5, **IN_BAGS_STYLE)

    xlabel = axes.xlabel
    if most < len(bags):
        xlabel = f"{xlabel} ({most} of {len(bags)} {what} shown)"
    ball, cross = plane.around(problem, x, k)
    points = memo(spots, problem, data.sample, bags, most, set_view.FADED)
    near = x.table.indices[0, :k]
    voters = plane.voters(partial(spots_at, problem, data.sample, bags), near, cross, most)
    layers += [points, cross, *voters, replace(ball, label=None)]
    axes = replace(axes, title=title, xlabel=xlabel)
    return Panel(axes, layers, plane.clicked, says)


def spots(
    problem: Source, sample: Sample, bags: np.ndarray, most: int, opacity: float = 1.0
) -> Points:
    """The first points of a sample."""
    return replace(spots_at(problem, sample, bags, slice(most)), opacity=opacity)


def spots_at(problem: Source, sample: Sample, bags: np.ndarray, at: Any) -> Points:
    """The points ``at`` some indices: on a line bags as columns; in the plane points without a
    class. The legend has all classes.
    """
    X = sample.X[at]
    names = problem.class_names
    n_classes = problem.n_classes
    if problem.dimension == 1:
        heights = line_view.heights(n_classes)
        dots = columns_of_dots(X[:, 0], bags[at], heights)
        return replace(dots, labels=names)
    look: dict[str, Any] = {"labels": names, "size": DOT_SIZE}
    look["palette"] = (*style.palette(n_classes), style.MUTED)
    look["markers"] = (*style.markers(n_classes), style.MARKERS[0])
    codes = np.full(len(X), n_classes)
    return marks.of_classes("points", X[:, 0], X[:, 1], codes, n_classes, **look)


def columns_of_dots(x: np.ndarray, bags: np.ndarray, heights: np.ndarray) -> Points:
    """Bags (m, C) at x (m,), with a dot at the height (C,) of each label."""
    at, labels = np.nonzero(bags)
    return marks.of_classes("bags", x[at], heights[labels], labels, len(heights), size=DOT_SIZE)


def ball_panel(problem: Source, walk: Walk, balls: BallProfile | None, k: int, n: int) -> Panel:
    """The walk up to k: the fraction of bags with each label, thresholds, and where the rules
    stop.
    """
    names = problem.class_names
    n_classes = len(names)
    trace = walk.trace
    end = walk.end
    ks = np.arange(1, k + 1)
    fractions = trace.counts[:k] / ks[:, None]
    eliminated = walk.eliminated(k)

    layers = list[Layer]()
    layers += bands(walk, ks)
    if balls is not None:
        frequency = balls.frequency[:, 0].astype(float)
        ks_of_balls = balls.masses * n
        look = IN_BAGS_STYLE
        first, *others = profile.by_class(ks_of_balls, frequency, "expected", "expected", **look)
        layers += [marks.named_along(first, 1, "below"), *others]
    for c, y in enumerate(fractions.T):
        # Thick until it is eliminated, thin afterwards.
        last = eliminated.get(c, k)
        thick: Any = {"color": style.class_color(c), "width": 3.0}
        thin = thick | {"width": 1.2}
        after = slice(last - 1, None)
        layers.append(Lines(f"alive{c}", ks[:last], y[:last], **thick))
        layers.append(Lines(f"eliminated{c}", ks[after], y[after], **thin))
    is_log = end >= 40
    for i, (rule, (name, dash, width)) in enumerate(STOP_STYLES.items()):
        scan = walk.scans.get(rule)
        if scan and scan.decided[0] and scan.stop_k[0] <= k:
            at = int(scan.stop_k[0])
            ends = (-0.03, 1.03)
            line = marks.curve(name, name, at, ends, style.MUTED, dash, width)
            align = "left" if (at**2 if is_log else 2 * at) < end else "right"
            layers.append(replace(line, at=Place(at, STOP_HEIGHTS[i], align)))

    heights = -line_view.ROW_HEIGHT * np.arange(1, n_classes + 1)
    n_columns = min(k, MAX_COLUMNS)
    read = np.diff(trace.counts[:n_columns], axis=0, prepend=0)
    layers.append(columns_of_dots(ks, read, heights))
    layers += profile.at_k(k, fractions[-1])
    for c, at in eliminated.items():
        height = fractions[at - 1, c]
        layers.append(cross(f"elimination{c}", at, height, c, 15))

    axes = replace(
        profile.axes(end, "fraction of the bags", log=is_log),
        name="ball",
        xlabel=f"k (dots: bags 1 to {min(end, MAX_COLUMNS)})",
        ylim=(heights[-1] - 0.05, 1.03),
        yticks=(0.0, 0.5, 1.0),
    )

    both = zip(names, trace.counts[k - 1], strict=True)
    layers.append(marks.grip(k, axes, GRIP_HEIGHT))
    counts = ", ".join(f"{name} in {count}" for name, count in both)
    says = f"Of the {k} nearest bags {counts}"
    if eliminated:
        crossed = ", ".join(f"{names[c]} at {at}" for c, at in eliminated.items())
        says = f"{says}; eliminated: {crossed}"
    elif PARTIAL in walk.scans:
        says = f"{says}; none eliminated"
    return Panel(axes, layers, lambda at: {"k": at.x}, f"{says}.")


def bands(walk: Walk, ks: np.ndarray) -> list[Layer]:
    """The band of PL A-kNN below the leader at ks = 1 to k, and what A-kNN has to exceed."""
    trace = walk.trace
    layers: list[Layer] = []
    if PARTIAL in walk.scans:
        last = min(len(ks), trace.stop_k)
        counts = np.where(trace.alive[:last], trace.counts[:last], 0)
        leader = counts.max(axis=1) / ks[:last]
        below_leader = leader - trace.band[:last]
        layers.append(profile.band("band", "", ks[:last], below_leader, leader))
        layers.append(over_k("leader_less_band", "leader minus band", below_leader, (5, 3)))
    if ADAPTIVE in walk.scans:
        above_chance = 1 / trace.counts.shape[1] + walk.band / np.sqrt(ks)
        layers.append(over_k("adaptive_threshold", "threshold of A-kNN", above_chance, (1, 3)))
    return layers


def over_k(name: str, label: str, fractions: np.ndarray, dash: tuple[float, ...]) -> Lines:
    """Fractions (J,) at k = 1 to J, those within the axes."""
    low, high = profile.Y_LIMITS
    is_inside = (fractions > low) & (fractions < high)
    y = np.where(is_inside, fractions, np.nan)
    ks = np.arange(1, len(y) + 1)
    return marks.named_along(marks.curve(name, label, ks, y, dash=dash, width=2), 0.5, "left")


def cross(name: str, x: float, y: float, c: int, size: float) -> Annotations:
    """A cross in the color of label c."""
    return Annotations(name, x, y, ("",), color=style.class_color(c), cross=size)


def predictions_panel(
    names: Sequence[str], walk: Walk, promises: Any, k: int, on_projector: bool
) -> Panel:
    """What each rule predicts at x, and which labels are eliminated, as far as the ball has grown
    to k.
    """
    eliminated_at = walk.eliminated(k)
    by_now = sorted(eliminated_at, key=eliminated_at.__getitem__)
    predicted = []
    for rule, scan in walk.scans.items():
        label = names[scan.labels[0]]
        stop_k = scan.stop_k[0]
        if k < stop_k:
            waits = {
                PARTIAL: f"{len(names) - len(by_now)} labels left at k = {k}",
                ADAPTIVE: "not stopped yet",
                PLAIN: f"needs k = {stop_k}" if stop_k <= walk.end else "exceeds T",
            }
            text = waits[rule]
        elif rule == PLAIN:
            text = label
        else:
            how = "decided" if scan.decided[0] else "undecided"
            text = f"{label}, {how} at k = {stop_k}"
        predicted.append(f"{rule}: {text}")
    eliminated = [f"{names[c]} eliminated at k = {eliminated_at[c]}" for c in by_now]

    in_full = eliminated
    if promises is not None:
        in_full = []
        for c, text in zip(by_now, eliminated, strict=True):
            in_full.append(text + promise(promises[c]))
        # Lemma C.5 says so for the c1 of the proof alone. There is room for the line: the leader is
        # never eliminated.
        if np.isfinite(promises[by_now]).any():
            in_full.append("promised for deviations up to band/2")

    # A projector has no room for promises; the alternative text has them.
    if on_projector:
        lines = [*predicted, *eliminated]
        size = 12.0
    else:
        lines = [*predicted, *in_full]
        size = 14.0
    lines += [""] * (len(names) + len(predicted) - len(lines))
    heights = len(lines) - 0.5 - np.arange(len(lines))
    layers: list[Layer] = [Annotations("predictions", 0, heights, tuple(lines), size=size)]
    top = len(lines) - len(predicted) - 0.5
    for row, c in enumerate(by_now):
        layers.append(cross(f"cross{row}", 0.0, top - row, c, 13))
    # Room at the left, so that crosses are whole.
    ylim = (0, len(lines))
    axes = Axes("predictions", "Predictions at x", "", "", (-0.03, 1), ylim, bare=True)
    return Panel(axes, layers, says=f"{'. '.join([*predicted, *in_full])}.")


def promise(k: float) -> str:
    return f", promised by {np.ceil(k - 1e-6):.0f}" if np.isfinite(k) else ", no promise"


THIRDS = {"advantage at x": 3, "constant of the band": 3}
SOURCE = "Errandonea et al., appendix B.2"
LABELS: dict[str, Any] = {
    "bag_noise": 0.0,
    "inclusion": 0.0,
    "n": 5000,
    "max_neighbors": 5000,
    "k": 5000,
    "x1": 0.5,
    "rules": f"{PARTIAL} and {ADAPTIVE}",
}


class EliminationLab(Lab):
    """Map or Line of a rule, the ball around x as it grows, and what the rules that are drawn
    predict there.

    Source: Errandonea et al., Algorithms 1 and 2.

    Examples
    --------
    >>> from knnviz.labs import EliminationLab
    >>> found = EliminationLab(problem="thirds", n=500, x1=0.1).readout()
    >>> found["PL A-kNN at x"], found["PL A-kNN stops at k"], found["Bayes risk"]
    ('class 0', 41, 0.285714)
    """

    title = "Partial labels and adaptive k"
    table = PARAMETERS
    ranges = ranges
    adjust = adjust
    recipe = recipe
    parts = (training_data, plane)
    own_data = sources.OWN
    decimals = THIRDS
    layout = columns(
        ("map", 1.0),
        rows(Cell("ball", height=270), Cell("predictions", height=200)),
        ratios=(11, 9),
    )
    presets = (
        Preset("Q1: three fractions", SOURCE, {"problem": "fractions 50 49 1", "seed": 6} | LABELS),
        Preset(
            "Q2: three fractions", SOURCE, {"problem": "fractions 40 30 30", "seed": 5} | LABELS
        ),
    )
