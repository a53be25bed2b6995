"""EliminationLab: a ball grows around x, neighbor by neighbor (the walk), until one label is not
eliminated.

A bag is a candidate label set. PL A-kNN is adaptive kNN for partial labels: of the bags in the ball
it counts those that hold each label, and eliminates a label whose fraction is below that of the
leader, the most frequent label, by the band Delta(k) or more. A-kNN is adaptive kNN extended to
bags: it stops once the largest fraction exceeds 1 / C by the band. Both stop at T neighbors in any
case; a rule is undecided if that is why. 10-NN is the plain vote. The advantage at x is large if
the leader is ahead in a large ball.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from knnviz import regions, risk
from knnviz.bags import BagDraws, BagProcess
from knnviz.labs.engine import (
    ByName,
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
from knnviz.labs.parts import data as training_data
from knnviz.labs.parts import plane, sources
from knnviz.labs.parts.bag_menus import C1, FALLBACKS
from knnviz.labs.parts.data import Data
from knnviz.labs.parts.plane import Cells, Query
from knnviz.labs.parts.sources import ALL_SOURCES, Source, named
from knnviz.neighbors import NeighborTable
from knnviz.problems import Problem, Sample, answers
from knnviz.problems.data import RARE_DIGITS
from knnviz.profiles import BallProfile, VoteProfile
from knnviz.rules import Adaptive, PartialAdaptive, Scan, Trace, Vote
from knnviz.views import bars, marks, profile, style
from knnviz.views import line as line_view
from knnviz.views import map as map_view
from knnviz.views import sets as set_view
from knnviz.views.layers import Annotations, Axes, Layer, Lines, Place, Points, Raster

#: The worked example: its name and size, and the bags of the nearest neighbors of x = 0 in order,
#: which farther points repeat.
EXAMPLE = "worked example"
EXAMPLE_SIZE = 100
EXAMPLE_LABELS = ("ab", "a", "ac", "b", "ab", "a", "ac", "ab", "a", "ab", "ac", "a")
EXAMPLE_BAGS = np.array([[label in bag for label in "abc"] for bag in EXAMPLE_LABELS])

#: The answers about scans, those most like the new scan of lesson 07 nearest to x = 0; the colors
#: of the two digits that stay longest, and that of the others.
ANSWERS = "students' answers"
RIVALS = {4: style.CLASS_COLORS[0], 9: style.CLASS_COLORS[1]}
OTHERS = "#8A8A8A"

#: Sizes of the problems whose points are not drawn.
EXAMPLES = {EXAMPLE: EXAMPLE_SIZE, ANSWERS: answers.LABELED}

#: Sources of several classes that a map or an order of bags can show.
PROBLEMS = tuple(
    name for name, offered in ALL_SOURCES.items() if offered.n_classes > 2 and name != RARE_DIGITS
)

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

#: Heights of these labels, and the label of the only one.
STOP_HEIGHTS = (0.27, 0.19, 0.11)
STOP = "stop"

#: The k at which the shade of stopping k changes.
SHADE_STEPS = (10, 50)

#: Names of the probabilities that labels are in bags and true, and of the fractions expected in a
#: ball.
IN_BAGS = "P(in bag)"
IN_BAGS_STYLE: Any = {"width": 2.0, "dash": (2, 3)}
IS_TRUE = "P(true)"
EXPECTED = "expected"

#: Upper end of the axis of advantages, unless one is larger.
LARGEST_ADVANTAGE = 0.04

#: Height of the grip of k.
GRIP_HEIGHT = 0.95

#: How far apart lines of equal fractions are, and texts; and the part of the axis after which there
#: is room for the names of lines.
HAIR = 0.012
TEXT_GAP = 0.085
LINES_END = 0.66

#: Heights that a line shows, with room for the names of classes.
LINE_LIMITS = (-0.03, 1.15)

#: Most bags that are drawn as strips, and most on which labels of one letter are written; the
#: height of a bar for each bag, in rows, unless there are more bags; and a strip, in cells of a
#: raster.
MOST_STRIPS = 40
MOST_WRITTEN = 12
BAR_STEP = 0.35
STRIP = np.pad(np.ones((6, 10), np.uint8), 1)

RULES_TIP = "Rules to draw and give numbers for; the map shows the first of them"
DELTA_TIP = "Failure probability: the band grows with log(C / delta)"
LEFT_TIP = "If several labels are left, predict the one with the largest lead or in the most bags"
JOIN_TIP = "Probability that a wrong label joins a bag; 'popular label on the left' has its own"
SPREAD_TIP = "One probability for all labels, or on the left the second label joins most bags"

OF_PARTIAL = {"rules": tuple(name for name, drawn in RULES.items() if PARTIAL in drawn)}

PARAMETERS = (
    "Neighbors",
    Int("k", 100, 1, 5000, "neighbors *k*", "Number of neighbors in the ball around x", play=120),
    "Rules",
    Choice("rules", RULES, "rules", RULES_TIP),
    replace(C1, when=OF_PARTIAL),
    LogInt(
        "max_neighbors", 100, 5, 5000, "largest k *T*", "The ball never goes beyond T neighbors"
    ),
    Choice("fallback", FALLBACKS, "at T", LEFT_TIP, when=OF_PARTIAL),
    Float("delta", 0.1, 0.01, 0.5, "failure probability *delta*", DELTA_TIP, when=OF_PARTIAL),
    "Map",
    Choice("overlay", OVERLAYS, "show", "What colors the map or line", draws=("map",)),
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


def last_k(values: ByName) -> int:
    """Neighbors of the largest ball: T, but at most n, also before both are in their ranges."""
    problem = named(values["problem"])
    n = values["n"]
    most = problem.max_size or n
    most = EXAMPLES.get(values["problem"], most)
    return min(values["max_neighbors"], LARGEST_T[problem.dimension], n, most)


def ranges(values: ByName) -> dict[str, Any]:
    """The ball ends at T and at n; examples have their own points and bags, around x = 0."""
    problem = named(values["problem"])
    found: dict[str, Any] = {"k": Range((1, last_k(values)), "k is at most T and n")}
    if problem.dimension == 2:
        most = LARGEST_T[2]
        found["max_neighbors"] = Range((5, most), f"in the plane T is at most {most}")
    if problem.eta is None:
        why = f"the advantage needs a known distribution, but {problem.name} is data"
        found["overlay"] = Range(OVERLAYS[:2], why)
    size = EXAMPLES.get(values["problem"])
    if size:
        found |= dict.fromkeys(("bag_noise", "inclusion", "spread"))
        found["n"] = Range((size, size), f"of the {values['problem']} there are {size}")
        found["overlay"] = Range(OVERLAYS[:1], "an example has no map")
        found["x1"] = Range((0.0, 0.0), "an example is at 0")
    return found


def recipe(p: Values, memo: Memo) -> Shown:
    is_example = p.problem in EXAMPLES
    end = last_k(vars(p))
    sample: Sample | None = None
    bags: Any = None
    if is_example:
        sample, bags = memo(example, p.problem)
    data = training_data.data(p, memo, sample)
    problem = data.problem
    names = problem.class_names
    if p.problem == ANSWERS:
        names = tuple("0123456789")
    n_classes = problem.n_classes
    process: Any = None
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
    predicted = {}
    if not is_example:
        predicted = {name: scanned(name, judged).labels for name in drawn}
    scan = scanned(drawn[0], cells.votes)
    trace = memo(rule.trace, x.table, bags, n_classes)
    scans = {name: scanned(name, x.votes) for name in drawn}
    walk = Walk(trace, scans, rule.band_constant(p.n, n_classes), end)

    numbers: dict[str, Any] = numbers_at_x(names, walk, p.k)
    frequency = None
    in_bags = None
    weights = None
    if eta is None:
        truth = data.source.y_test
        for name, labels in predicted.items():
            numbers[f"held-out error of {name}"] = float(np.mean(labels != truth))
    elif not is_example:
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
        if not is_example:
            numbers["mean stopping k"] = float(np.average(scan.stop_k, weights=weights))
        numbers["constant of the band"] = walk.band

    shades: Layer | None = None
    heights: Any = None
    if p.overlay == STOPPING_K:
        shades = memo(set_view.shaded, problem, scan.stop_k, SHADE_STEPS, STOPPING_K)
    elif p.overlay == ADVANTAGE:
        # In the plane fewer balls than cells, since labels are many.
        grids = plane.grids(problem, p.resolution, 1 / problem.dimension)
        masses = plane.ball_masses(p.mass_cap)
        balls = memo.refine(plane.balls, grids, problem, masses, in_bags)
        overlay = memo(plane.advantage, problem, balls, p.mass_cap, x.x, frequency=in_bags)
        numbers |= overlay.numbers
        if problem.dimension == 2:
            shades = overlay.regions
        else:
            heights = memo(regions.advantage, balls, p.mass_cap)

    around_x = None
    if in_bags is not None:
        around_x = memo(plane.balls_at, problem, x.x, k_max, p.n, in_bags)

    colors = style.palette(n_classes)
    if p.problem == ANSWERS:
        colors = tuple(RIVALS.get(digit, OTHERS) for digit in range(n_classes))
    shown = (drawn[0], scan.labels, frequency, shades, p.display.max_points)
    expected = around_x if problem.dimension == 1 else None
    panels: dict[str, Any] = {
        "bags": lambda: memo(bags_panel, names, colors, trace.counts, p.k, end),
        "ball": lambda: memo(ball_panel, names, colors, walk, expected, p.k, p.n),
    }
    layout = None
    if is_example:
        layout = columns(("bags", 1.0), ("ball", 1.0))
    elif heights is not None:
        panels["map"] = lambda: memo(advantage_panel, problem, x.x, heights)
    else:
        panels["map"] = lambda: memo(map_panel, memo, data, bags, cells, x, p.k, *shown)

    counts = trace.counts[p.k - 1].tolist()
    numbers["bags at x"] = dict(zip(names, counts, strict=True))
    return Shown(panels, numbers, layout)


def example(name: str) -> tuple[Sample, np.ndarray]:
    """Points and bags of an example, the nearest to x = 0 first; all are of the first class."""
    n = EXAMPLES[name]
    bags = EXAMPLE_BAGS
    if name == ANSWERS:
        X, written = answers.archive()
        table = NeighborTable.build(X[:n], X[[answers.SCAN]], n)
        bags = written[table.indices[0]]
    x = np.arange(1, n + 1) / n
    sample = Sample(x[:, None], np.zeros(n, int), None, np.zeros(n))
    return sample, np.resize(bags, (n, bags.shape[1]))


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

    @property
    def eliminated_at(self) -> np.ndarray:
        """At which k labels (C,) are eliminated, beyond the end those that are not, or all without
        PL A-kNN.
        """
        at = self.trace.eliminated_at
        is_eliminated = (at > 0) & (PARTIAL in self.scans)
        return np.where(is_eliminated, at, self.end + 1)


def numbers_at_x(names: Sequence[str], walk: Walk, k: int) -> dict[str, Any]:
    """What the rules that are drawn predict at x, where they stop, and which labels are eliminated
    up to k.
    """
    numbers: dict[str, Any] = {}
    for rule, scan in walk.scans.items():
        numbers[f"{rule} at x"] = names[scan.labels[0]]
        if rule != PLAIN:
            numbers[f"{rule} stops at k"] = int(scan.stop_k[0])
        if rule == PARTIAL:
            left = np.flatnonzero(walk.eliminated_at > walk.end).tolist()
            numbers["labels left at x"] = " ".join(names[c] for c in left)
            numbers["eliminated"] = eliminated_words(names, walk, k)
    return numbers


def eliminated_words(names: Sequence[str], walk: Walk, k: int) -> str:
    each = [f"{joined(names, group)} at {at}" for at, group in eliminations(walk, k)]
    return ", ".join(each) or "none"


def map_panel(
    memo: Memo,
    data: Data,
    bags: np.ndarray,
    cells: Cells,
    x: Query,
    k: int,
    rule: str,
    labels: np.ndarray,
    frequency: Any,
    shades: Raster | None,
    most: int,
) -> Panel:
    """Predictions of a rule, or shades in their place, and the ball around x; in the plane at most
    ``most`` points, on a line how probable labels are, and how often bags hold them.
    """
    problem: Any = data.problem
    view = plane.view_of(problem)
    axes = view.axes(problem)
    title = f"{axes.title}: {rule}"
    says = plane.predictions(problem, labels)

    layers: list[Layer | None] = []
    if shades:
        title = shades.name.capitalize()
        layers.append(shades)
    elif problem.dimension == 2:
        layers.append(memo(set_view.regions, problem, labels))

    ball, cross = plane.around(problem, x, k)
    if problem.dimension == 2:
        if most < len(bags):
            axes = replace(axes, xlabel=f"{axes.xlabel} ({most} of {len(bags)} points shown)")
        if shades:
            layers.append(memo(boundary_of, problem, labels, rule))
        layers.append(data.truth.boundary and marks.named_along(data.truth.boundary, None))
        near = x.table.indices[0, :k]
        points = memo(spots_at, problem, data.sample, slice(most))
        layers += [replace(points, opacity=set_view.FADED), cross]
        layers += plane.voters(partial(spots_at, problem, data.sample), near, cross, most)
    else:
        ynames = axes.ynames[problem.n_classes :]
        axes = replace(axes, ylim=LINE_LIMITS, yticks=line_view.Y_TICKS, ynames=ynames)
        along = memo(np.ravel, cells.field.grid.points)
        colors = style.palette(problem.n_classes)
        if not shades:
            eta = memo(told_apart, cells.field.eta, colors)
            layers += memo(line_view.eta_curves, along, eta, IS_TRUE)
        apart = memo(told_apart, frequency, colors)
        layers += memo(line_view.curves, along, apart, "in_bag", IN_BAGS, 0.5, **IN_BAGS_STYLE)
        # Names stay where they are while predictions change by chance.
        in_most = frequency.argmax(axis=1)
        layers += [*line_view.region_names(problem, in_most), cross]
    layers.append(replace(ball, label=None))
    panel = Panel(replace(axes, title=title), layers, plane.clicked, says)
    if problem.dimension == 2:
        return panel
    return line_view.with_strip(panel, problem, labels, rule)


def boundary_of(problem: Source, labels: np.ndarray, rule: str) -> Lines:
    """Where a rule predicts another class, from class codes (m,) at the cells of the plane."""
    alone = np.eye(problem.n_classes)[labels]
    line = map_view.bayes_boundary(problem, alone)
    name = f"boundary of {rule}"
    return replace(line, name="boundary", label=name, at="in words", dash=(), width=1.2)


def advantage_panel(problem: Problem, x: np.ndarray, heights: np.ndarray) -> Panel:
    """The advantages (m,) of the cells of a line, and x on them."""
    panel = line_view.advantages(problem, heights, LARGEST_ADVANTAGE)
    at_x = heights[plane.cell_of(x, problem, len(heights))]
    cross = replace(line_view.query(problem, x[0]), y=at_x, align="center")
    axes = replace(panel.axes, name="map")
    return Panel(axes, [*panel.layers, cross], plane.clicked)


def spots_at(problem: Source, sample: Sample, at: Any) -> Points:
    """The points ``at`` some indices, without a class."""
    X = sample.X[at]
    return marks.dot(X[:, 0], X[:, 1], "points", None, style.MUTED, 0, 6.0)


def bags_panel(
    names: Sequence[str], colors: tuple[str, ...], counts: np.ndarray, k: int, end: int
) -> Panel:
    """The first bags as strips of their labels, the nearest on top, and above each label a bar of
    how many of the k nearest hold it, from counts (T, C).
    """
    n_classes = len(names)
    rows = min(end, MOST_STRIPS)
    held = np.diff(counts[:rows], axis=0, prepend=0) * (np.arange(rows) < k)[:, None]
    codes = (held * np.arange(1, n_classes + 1)).astype(np.uint8)
    extent = (-0.5, n_classes - 0.5, -float(rows), 0.0)
    strips = np.kron(codes, STRIP)[::-1]
    layers: list[Layer] = [Raster("strips", strips, extent, palette=(style.PAPER, *colors))]

    if rows <= MOST_WRITTEN and max(map(len, names)) == 1:
        row, label = np.nonzero(held)
        written = tuple(names[c] for c in label.tolist())
        layers.append(
            Annotations(
                "written",
                label,
                -row - 0.5,
                written,
                align="middle",
                size=13.0,
                color=style.PAPER,
                halo=0.0,
            )
        )
    heights = BAR_STEP * counts[k - 1] * min(1, rows / k)
    layers.append(bars.bars("counts", heights, 0, 0.82, colors))
    texts = tuple(map(str, counts[k - 1].tolist()))
    layers.append(Annotations("numbers", np.arange(n_classes), heights, texts, align="center"))
    read = min(k, rows)
    layers.append(Lines("at_k", extent[:2], -read, width=1.2))
    layers.append(
        marks.draggable("bags_grip", extent[1] - 0.15, -read, "", "neighbors k", f"{k}", pulls="y")
    )

    axes = Axes(
        "bags",
        f"The k = {k} nearest bags",
        "",
        "bags, nearest on top",
        extent[:2],
        (-rows - 0.5, 0.54 * rows),
        xnames=tuple(names),
        yticks=(-0.5, 0.5 - rows),
        ynames=("1", f"{rows}"),
    )
    says = ", ".join(f"{name} in {n}" for name, n in zip(names, texts, strict=True))
    return Panel(axes, layers, lambda at: {"k": max(1, -at.y)}, f"{says}.")


def eliminations(walk: Walk, k: int) -> list[tuple[int, list[int]]]:
    """Which labels are eliminated at which k up to this one, those of equal lines together."""
    groups: dict[tuple[int, int], list[int]] = {}
    eliminated_at = walk.eliminated_at
    for c in np.argsort(eliminated_at, kind="stable").tolist():
        at = int(eliminated_at[c])
        if at <= k:
            groups.setdefault((at, walk.trace.counts[at - 1, c]), []).append(c)
    return [(at, group) for (at, _), group in groups.items()]


def joined(names: Sequence[str], group: Sequence[int]) -> str:
    """The names of a few labels."""
    return (" and " if len(group) == 2 else " ").join([names[c] for c in group])


def ball_panel(
    names: Sequence[str],
    colors: tuple[str, ...],
    walk: Walk,
    balls: BallProfile | None,
    k: int,
    n: int,
) -> Panel:
    """The walk up to k: the fraction of bags with each label until it is eliminated, thresholds,
    and where the rules stop.
    """
    ks = np.arange(1, k + 1)
    last = np.minimum(walk.eliminated_at, k)
    counts = walk.trace.counts[:k]
    heights = told_apart(counts / ks[:, None], colors, ks[:, None] <= last)
    axes = axes_of_ball(walk.end)

    layers = bands(walk, ks)
    if balls is not None:
        ks_of_balls = balls.masses * n
        reached = ks_of_balls <= k * (1 + 1e-9)
        frequency = told_apart(balls.frequency[reached, 0].astype(float), colors)
        known = ks_of_balls[reached], frequency
        layers += profile.by_class(*known, "in_bag", f"{EXPECTED}, by class", **IN_BAGS_STYLE)
    for c, at in enumerate(last):
        layers.append(Lines(f"alive{c}", ks[:at], heights[:at, c], color=colors[c], width=3.0))
    for i, (rule, (name, dash, width)) in enumerate(STOP_STYLES.items()):
        scan = walk.scans.get(rule)
        if scan and scan.decided[0] and scan.stop_k[0] <= k:
            at = int(scan.stop_k[0])
            label = name if len(walk.scans) > 1 else STOP
            # Left of it where the line at k is near.
            side = "right" if at < k < 6 * at else "left"
            place = Place(at, STOP_HEIGHTS[i], side)
            look = style.MUTED, dash, width
            layers.append(marks.curve(name, label, at, profile.Y_LIMITS, *look, at=place))

    layers.append(Lines("at_k", k, profile.Y_LIMITS, width=1.2))
    for at, group in eliminations(walk, k):
        y = heights[at - 1, group].mean()
        color = style.readable(colors[group[0]])
        layers.append(Annotations(f"elimination{group[0]}", at, y, ("",), color=color, cross=15))
    layers += names_of_lines(names, colors, walk, heights, axes)
    layers.append(marks.grip(k, axes, GRIP_HEIGHT))

    both = zip(names, counts[-1].tolist(), strict=True)
    says = f"Of the {k} nearest bags {', '.join(f'{name} in {count}' for name, count in both)}"
    if PARTIAL in walk.scans:
        says = f"{says}; eliminated: {eliminated_words(names, walk, k)}"
    axes = replace(axes, title=f"Fractions of k = {k} bags")
    return Panel(axes, layers, lambda at: {"k": at.x}, f"{says}.")


def axes_of_ball(end: int) -> Axes:
    """Axes over neighbors up to an end, with room for names on the right."""
    axes = profile.axes(end, "fraction of the bags", log=end >= 40)
    low = axes.xlim[0]
    if axes.log:
        high = low * (end / low) ** (1 / LINES_END)
        xticks = [10.0**i for i in range(len(f"{end}"))]
    else:
        high = end / LINES_END
        xticks = [*range(0, end + 1, 5)]
    return replace(
        axes, name="ball", xlim=(low, high), xticks=tuple(xticks), yticks=(0.0, 0.5, 1.0)
    )


def told_apart(fractions: np.ndarray, colors: Sequence[str], is_drawn: Any = True) -> np.ndarray:
    """Fractions (m, C), those of lines that would lie on lines of other colors before them a hair
    nearer to 1/2 for each.
    """
    rounded = np.where(is_drawn, fractions.round(9), np.nan)
    each = np.array(colors)
    hides = np.tril(each[:, None] != each, -1)
    equal = rounded[:, :, None] == rounded[:, None]
    inwards = np.where(fractions > 0.5, -HAIR, HAIR)
    return fractions + inwards * (equal & hides).sum(axis=2)


def names_of_lines(
    names: Sequence[str], colors: Sequence[str], walk: Walk, heights: np.ndarray, axes: Axes
) -> list[Annotations]:
    """The labels left at the ends of their lines, which are ``heights`` (k, C), and on the right
    those that are eliminated, with their k; those of equal lines in one text.
    """
    k = len(heights)
    counts = walk.trace.counts[k - 1]
    numbers = [name.removeprefix("class ") for name in names]
    left = np.flatnonzero(walk.eliminated_at > k).tolist()
    found: list[tuple[Any, str, list[int], tuple[float, str]]] = []
    for count in np.unique(counts[left]):
        group = [c for c in left if counts[c] == count]
        found.append((heights[-1, group].mean(), joined(names, group), group, (k, "left")))
    for at, group in eliminations(walk, k):
        who = f"{len(group)} labels" if len(group) > 2 else joined(numbers, group)
        place = axes.xlim[1], "right"
        found.append((heights[at - 1, group].mean(), f"{who} at {at}", group, place))
    found.sort()

    # Texts keep their distance upwards, and below the top.
    apart = TEXT_GAP * np.arange(len(found))
    ys = np.maximum.accumulate([y for y, *_ in found] - apart) + apart
    ys = np.minimum(ys, 1 - apart[::-1])
    layers = []
    for y, (_, text, group, (x, align)) in zip(ys, found, strict=True):
        is_one = len({colors[c] for c in group}) == 1
        color = colors[group[0]] if is_one else style.INK
        layers.append(marks.naming(f"name{group[0]}", Place(x, y, align), text, color))
    return layers


def bands(walk: Walk, ks: np.ndarray) -> list[Layer]:
    """The band of PL A-kNN below the leader at ks = 1 to k, and what A-kNN has to exceed."""
    trace = walk.trace
    layers: list[Layer] = []
    if PARTIAL in walk.scans:
        last = min(len(ks), trace.stop_k)
        counts = np.where(trace.alive[:last], trace.counts[:last], 0)
        leader = counts.max(axis=1) / ks[:last]
        below_leader = leader - trace.band[:last]
        layers.append(profile.band("band", "band", ks[:last], below_leader, leader))
        layers.append(over_k("leader_less_band", below_leader, (5, 3)))
    if ADAPTIVE in walk.scans:
        above_chance = 1 / trace.counts.shape[1] + walk.band / np.sqrt(ks)
        threshold = over_k("adaptive_threshold", above_chance, (1, 3), "threshold of A-kNN")
        layers.append(marks.named_along(threshold, 0.5, "left"))
    return layers


def over_k(
    name: str, fractions: np.ndarray, dash: tuple[float, ...], label: str | None = None
) -> Lines:
    """Fractions (J,) at k = 1 to J, those within the axes."""
    low, high = profile.Y_LIMITS
    is_inside = (fractions > low) & (fractions < high)
    ks = np.arange(1, len(fractions) + 1)
    return Lines(name, ks, np.where(is_inside, fractions, np.nan), label=label, dash=dash)


THIRDS = {"advantage at x": 4, "constant of the band": 3}
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
    recipe = recipe
    parts = (training_data, plane)
    own_data = sources.OWN
    decimals = THIRDS
    layout = columns(("map", 1.0), rows(("bags", 1.0), ("ball", 1.0)))
    presets = (
        Preset("Q1: three fractions", SOURCE, {"problem": "fractions 50 49 1", "seed": 6} | LABELS),
        Preset(
            "Q2: three fractions", SOURCE, {"problem": "fractions 40 30 30", "seed": 5} | LABELS
        ),
    )
