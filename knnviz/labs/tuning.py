"""TuningLab: macro F1 over all class weights, two searches for the best ones, and what they gain on
new points.

The score changes only where two weighted votes tie, so that all points with one ratio of two votes
flip together. Both searches maximize the macro F1 on the sample, computed from training points. The
greedy search moves from its start to the best of a few candidates, again and again; the grid search
compares many weights. New points judge the weights that were found. A trial repeats both searches
on a fresh sample.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from knnviz import weights
from knnviz.labs.engine import (
    TO_COME,
    ByName,
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
from knnviz.labs.parts import class_weights, risk_curve, sources, weighted_map
from knnviz.labs.parts import data as training_data
from knnviz.labs.parts.data import PROBLEM
from knnviz.labs.parts.plane import LARGEST_K
from knnviz.labs.parts.risk_curve import OFF
from knnviz.labs.parts.sources import THREE_CLASSES, named
from knnviz.problems import Measure
from knnviz.problems.data import RARE_DIGITS
from knnviz.profiles import VoteProfile
from knnviz.views import marks, style
from knnviz.views import risk as risk_view
from knnviz.views import triangle as triangle_view
from knnviz.views.bars import Part, lengths
from knnviz.views.landscape import COLORS, SCALE, TRANSPARENT, on_triangle
from knnviz.views.layers import Annotations, Axes, Band, Layer, Lines, Place, Raster
from knnviz.weights import SearchOptions, SearchResult, Trials, WeightScorer, largest_k
from knnviz.weights.entries import ratio
from knnviz.weights.search import moved, moves_of
from knnviz.weights.search_trials import balanced, search_trial

#: Where weights are scored, by name.
VALIDATIONS: ByName = {"resubstitution": "resubstitution", "leave-one-out": "loo"}

#: Where the scores that color the triangle are computed.
ON_SAMPLE = "the sample"
ON_NEW = "new points"
LANDSCAPES = (ON_SAMPLE, ON_NEW)

#: Curves over fresh samples, and their sizes n.
F1_OVER_N = "F1 over n"
DIFFERENCE = "grid minus greedy"
DISTANCE = "distance of weights"
CLAIMS = "claimed and delivered"
CURVES = (OFF, F1_OVER_N, DIFFERENCE, DISTANCE, CLAIMS)
YLABELS = {F1_OVER_N: "macro F1", DIFFERENCE: "grid minus greedy", DISTANCE: "distance"}
SIZES = (50, 100, 200, 500, 1000, 1500, 2000, 2500)
N_LIMITS = (SIZES[0] / 1.15, SIZES[-1] * 1.15)
N_LABEL = "sample size n, k = 5 n^(1/3)"

#: Moves of the greedy search that are computed; the lab shows the first T.
MOST_STEPS = 50

#: Ways to find weights: label, color and marker; and the ways that are drawn, by the options of the
#: menu.
GREEDY = "#6A3D9A"
STYLES = {
    "unweighted": ("equal weights", style.INK, 0),
    "greedy": ("greedy search", GREEDY, 2),
    "grid": ("grid", "#7F5539", 1),
    "balanced": ("balanced weights", style.CLASS_COLORS[3], 3),
    "yours": ("your weights", style.INK, 0),
}
WAYS = tuple(STYLES)[:3]
RULES = {
    "equal weights, greedy search and grid": WAYS,
    "greedy search and grid": ("greedy", "grid"),
    "balanced weights and grid": ("balanced", "grid"),
}
RULES |= {label: (way,) for way, (label, *_) in STYLES.items()}
GRIDS, WALKS = [
    {"rules": tuple(label for label, ways in RULES.items() if way in ways)}
    for way in ("grid", "greedy")
]
CROSSED = {"rules": (*WALKS["rules"], "your weights")}

#: Dash of scores on the sample; scores on new points are solid.
DASH = (5, 3)

#: Where the bar of colors stands.
BAR = (-0.14, -0.09, 0.5, 1.1)

#: Most points whose votes are drawn, CSS pixels from row to row of them, and of the largest dot;
#: width of a row relative to the lab.
MOST_VOTED = 200
ROW_PIXELS = 68
LARGEST_DOT = 10.0
ROW_WIDTH = 0.33
ROW = 0.9

#: Colors of false positives and of false negatives.
ERRORS = ("#BDBDBD", "#E3E3E3")

#: Heights of lines and bands; room above and below curves, whose limits are multiples of
#: ``LIMIT_STEP``.
ENDS = ("y", "lower", "upper")
ROOM = 0.005
LIMIT_STEP = 0.02


START_TIP = "Where a search starts. They sum to 1, so moving one moves the others"
STEPS_TIP = "How many moves the search has made"
STEP_TIP = "How much a move adds to one weight, or takes from it"
ACCEPT_TIP = "With >= an equal score is good enough for a move, with > only a higher one"
BASE_TIP = "Whether candidates vary the weights before the move, or the best candidate so far"
ORDER_TIP = "Class by class, up and then down; or all up first. Of equal moves the last wins"
GRID_TIP = "Steps from weight 0 to 1: the more there are, the more weights are compared"
VALIDATION_TIP = "At the training points, and whether each votes for itself"
LANDSCAPE_TIP = "The points at which all weights are scored; lines are where the score changes"
CURVE_TIP = "Means over fresh samples, with k = 5 n^(1/3); for data, scores on other splits"
REPEATS_TIP = "How many fresh samples each point of a curve has"
TRIALS = {"curve": CURVES[1:]}

PARAMETERS = (
    "Data",
    replace(PROBLEM, ends=(*THREE_CLASSES, RARE_DIGITS), default="waves"),
    *weighted_map.PARAMETERS[2:],
    "Rules",
    Choice("rules", RULES, "rules", "Ways to find weights that are drawn"),
    "Greedy search",
    Float("q0", 0.3, 0, 1, "weight of class 0 *q0*", START_TIP, when=CROSSED),
    Float("q1", 0.3, 0, 1, "weight of class 1 *q1*", START_TIP, when=CROSSED),
    Float("q2", 0.4, 0, 1, "weight of class 2 *q2*", START_TIP, when=CROSSED),
    Float("step", 0.01, 0.01, 0.2, "step size *gamma*", STEP_TIP, when=WALKS),
    Int("n_steps", 20, 0, MOST_STEPS, "moves *T*", STEPS_TIP, when=WALKS, play=1000),
    Choice("accept", (">=", ">"), "accept", ACCEPT_TIP, when=WALKS),
    Choice("base", ("previous", "running"), "move from", BASE_TIP, when=WALKS),
    Choice("candidate_order", ("coordinate", "sign"), "order", ORDER_TIP, when=WALKS),
    "Grid",
    Int("grid_steps", 100, 10, 100, "grid steps", GRID_TIP, when=GRIDS),
    "Score",
    Choice("validation", VALIDATIONS, "computed by", VALIDATION_TIP),
    "Pictures",
    Choice("landscape", LANDSCAPES, "landscape", LANDSCAPE_TIP),
    "Fresh samples",
    Choice("curve", CURVES, "trials", CURVE_TIP, draws=("trials",)),
    Int("repeats", 50, 2, 100, "samples", REPEATS_TIP, when=TRIALS),
)


def ranges(values: ByName) -> dict[str, Any]:
    """k up to the number of points that can vote; data have no fresh samples, but other splits."""
    n = values["n"]
    validation = values["validation"]
    most = min(LARGEST_K, largest_k(n, VALIDATIONS[validation]))
    found = {"k": Range((1, most), f"of {n} points {most} may vote under {validation}")}

    ways = RULES[values["rules"]]
    curves: tuple[str, ...] = (OFF,)
    why = "curves over n are those of a problem, with all three ways to find weights"
    if named(values["problem"]).eta is None:
        why = "data are split anew, and weights of your own are not found anew"
        if "yours" not in ways:
            curves = (OFF, CLAIMS)
    elif ways == WAYS:
        curves = CURVES[:-1]
    found["curve"] = Range(curves, why)
    return found


def recipe(p: Values, memo: Memo) -> Shown:
    data = training_data.data(p, memo, with_truth=False)
    source = data.problem
    ways = RULES[p.rules]
    parts = p.resolution.integral_cells[1]
    grid = memo(weights.simplex_grid, 3, parts)

    # The searches, on training points; of equally good weights on the grid the first.
    validation = VALIDATIONS[p.validation]
    start = (p.q0, p.q1, p.q2)
    steps = (p.step, MOST_STEPS, p.candidate_order, p.accept, p.base)
    options = SearchOptions(start, *steps, min(p.grid_steps, parts), validation=validation)
    k_max = min(LARGEST_K, largest_k(p.n, validation))
    sample = data.sample
    scored = memo(weights.validation_set, sample.X, sample.y, 3, k_max, validation)
    searched = memo(scorer, scored.votes, p.k, scored.codes, None)
    walk: Any = None
    search: Any = None
    q = start
    weights_of = {}
    if "unweighted" in ways:
        weights_of["unweighted"] = (1 / 3, 1 / 3, 1 / 3)
    if "balanced" in ways:
        weights_of["balanced"] = tuple(balanced(searched.class_totals).tolist())
    if "greedy" in ways:
        walk = memo(options.greedy_search, searched)
        how = (p.n_steps, p.step, p.candidate_order, p.accept)
        search = memo(searching, searched, walk, *how)
        q = weights_of["greedy"] = tuple(search.history[-1].tolist())
    if "grid" in ways:
        tried = memo(weights.simplex_grid, 3, options.grid_parts)
        best_on_grid = memo(scores, searched, tried).argmax()
        weights_of["grid"] = tuple(tried[best_on_grid].tolist())
    if "yours" in ways:
        weights_of["yours"] = start
    has_cross = not {"greedy", "yours"}.isdisjoint(ways)
    found = tuple(weights_of.items())

    # The scores of these weights.
    votes, truth, masses = weighted_map.new_points(p, memo, data)
    macro = memo(scorer, votes, p.k, truth, masses)
    judged = tuple(weights_of.values())
    on_sample = memo(scores, searched, judged)
    on_new = memo(scores, macro, judged)

    # The scores of all weights.
    colored = memo(scores, macro if p.landscape == ON_NEW else searched, grid)
    top = int(colored.argmax())

    def triangle() -> Panel:
        handle = start if has_cross else None
        scale = SCALE if source.eta is None else memo(limits, (colored,))
        shown = (p.landscape, colored, scale, found, handle, search)
        return memo(triangle_panel, memo, source.class_names, *shown)

    shown = replace(options, n_steps=p.n_steps)
    claims: Any = None
    if p.curve == CLAIMS:
        claims = memo.stream(splits, source, p.n, p.k, shown, ways, p.repeats)

    def trials() -> Panel:
        if p.curve == CLAIMS:
            return memo(claim_panel, claims, ways, p.repeats)
        n_cells = weighted_map.line_cells(p) if source.dimension == 1 else parts
        results = memo.stream(
            weights.trials,
            source,
            shown,
            SIZES,
            n_cells=n_cells,
            repeats=p.repeats,
            seed=p.seed,
        )
        return memo(curve_panel, p.curve, results, p.repeats)

    panels = {"triangle": triangle}
    if has_cross:
        counts = memo(WeightScorer.counts, searched, q)
        of_class = searched.class_totals
        panels["f1"] = lambda: memo(f1_panel, source.class_names, *counts, of_class)
        if p.n <= MOST_VOTED:
            voted = memo(of_several, memo(scored.votes.at, p.k), scored.codes)
            width = ROW_WIDTH * p.display.width
            panels["votes"] = lambda: memo(vote_panel, source.class_names, *voted, q, width)
    if walk is not None:
        panels["moves"] = lambda: memo(move_panel, source.class_names, search, p.candidate_order)
        panels["stairs"] = lambda: memo(
            stairs_panel, walk.scores, memo(scores, macro, walk.history), p.n_steps
        )
    if p.curve != OFF:
        panels["trials"] = trials

    numbers: dict[str, Any] = {}
    for where, by_way in zip(LANDSCAPES, (on_sample, on_new), strict=True):
        for way, score in zip(ways, by_way, strict=True):
            numbers[f"macro F1 on {where}, {STYLES[way][0]}"] = float(score)
    for way, weights_found in found:
        if way != "unweighted":
            by_class = class_weights.by_class(source.class_names, weights_found)
            numbers[f"weights, {STYLES[way][0]}"] = by_class
    if walk is not None:
        rises = np.diff(walk.scores[: p.n_steps + 1]) > 0
        numbers["moves that raised the score"] = int(rises.sum())
    if "votes" in panels and len(voted[0]):
        numbers["nearest to a line"] = memo(nearest, source.class_names, voted[0], q)
    numbers["highest on the triangle"] = float(colored[top])
    numbers["reached at"] = class_weights.by_class(source.class_names, grid[top])
    if p.curve == CLAIMS:
        is_whole = claims is not None and np.isfinite(claims).all()
        for i, way in enumerate(ways):
            means = claims[:, i].mean(axis=0).tolist() if is_whole else (TO_COME, TO_COME)
            for what, mean in zip(("claimed", "delivered"), means, strict=True):
                numbers[f"{what} on average, {STYLES[way][0]}"] = mean
    return Shown(panels, numbers)


def scorer(
    votes: VoteProfile, k: int, truth: np.ndarray, masses: np.ndarray | None
) -> WeightScorer:
    """The macro F1 of the vote with any weights; ``truth`` are classes (m,), or eta (m, 3)."""
    return WeightScorer.from_fractions(truth, votes.at(k) / k, weights=masses)


def scores(score: WeightScorer, q: Any) -> np.ndarray:
    """Scores (J,) of weights (J, 3)."""
    return np.asarray(score(np.asarray(q)))


# The triangle


class Search(NamedTuple):
    """The weights (T + 1, 3) of a greedy search before the first move and after each, its score,
    and the candidates (J, 3) of the next move with their scores (J,) and whether each (J,) may be
    made.
    """

    history: np.ndarray
    score: float
    tried: np.ndarray
    scores: np.ndarray
    accepted: np.ndarray


def searching(
    score: WeightScorer, walk: SearchResult, n_steps: int, step: float, order: Any, accept: str
) -> Search:
    """The first moves of a greedy search, and the next one."""
    history = walk.history[: n_steps + 1]
    now = walk.scores[n_steps]
    tried = moved(history[-1], moves_of(step, 3, order))
    found = scores(score, tried)
    is_good = found >= now if accept == ">=" else found > now
    return Search(history, float(now), tried, found, is_good & (found == found.max()))


def triangle_panel(
    memo: Memo,
    names: Any,
    where: str,
    colored: np.ndarray,
    scale: tuple[float, float],
    found: Any,
    start: Any,
    search: Search | None,
) -> Panel:
    """A score of all weights, the weights that each way finds, and the greedy search from its start
    if there is one, with the candidates of its next move.
    """
    layers: list[Layer] = [memo(landscape, colored, scale), *memo(color_bar, scale)]
    if where == ON_SAMPLE:
        layers += [memo(borders, colored)]
    layers += triangle_view.frame(names)
    is_best = np.isclose(colored, colored.max(), 0, 1e-12)
    says = f"The best weights are {is_best.mean():.1%} of the triangle."
    n_steps = 0
    if search is not None:
        n_steps = len(search.history) - 1
        layers += [*path(search.history), *arrows(search)]
        says = f"{says} Greedy search of {n_steps} moves."
    click = None
    if start is not None:
        handle = triangle_view.handle(np.array(start), names)
        if search is not None:
            # Small and without a name, so that the moves from here stay visible.
            handle = replace(handle, name="start", texts=("",), cross=11)
        layers += [handle]
        click = class_weights.weights_at
    for way, q in found:
        # Yours are at the cross, as is a search without moves.
        if way != "yours" and (way != "greedy" or n_steps):
            x, y = triangle_view.positions(np.array(q))
            layers += [marks.dot(x, y, f"weights_{way}", *STYLES[way], size=11.0)]

    axes = replace(triangle_view.axes(), title=f"Macro F1 on {where}", legend_columns=6)
    return Panel(axes, layers, click, says)


def landscape(colored: np.ndarray, scale: tuple[float, float]) -> Raster:
    """Scores (J,) of weights on a grid, in the colors of a scale."""
    low, high = scale
    # Scores at the border of two colors are equal up to rounding.
    part = (colored - low) / (high - low) * len(COLORS) + 1e-9
    codes, extent = on_triangle(part.clip(0, len(COLORS) - 1), len(COLORS))
    return Raster("landscape", codes, extent, palette=(*COLORS, TRANSPARENT))


def color_bar(scale: tuple[float, float]) -> tuple[Raster, Annotations]:
    """The colors of a scale, with its ends and its middle."""
    codes = np.arange(len(COLORS), dtype=np.uint8)[:, None]
    _, right, bottom, top = BAR
    texts = tuple(f"{score:.2f}" for score in np.linspace(*scale, 3))
    values = Annotations("bar_values", right, np.linspace(bottom, top, 3), texts, size=12.0)
    return Raster("bar", codes, BAR, palette=COLORS), values


def borders(colored: np.ndarray) -> Raster:
    """Lines between weights on the grid whose scores (J,) differ."""
    _, plateaus = np.unique(colored.round(12), return_inverse=True)
    # Neighbors with different scores hardly ever share one of 255 codes.
    codes, extent = on_triangle(plateaus % 255, 255)
    clear = (TRANSPARENT,) * 256
    edge = style.MUTED
    return Raster("borders", codes, extent, palette=clear, outline=edge)


def path(history: np.ndarray) -> list[Layer]:
    """A path through weights (T + 1, 3), on a white line so that it is visible on all colors."""
    x, y = triangle_view.positions(history).T
    ground = Lines("path_ground", x, y, color=style.PAPER, width=4.0)
    line = Lines("path", x, y, color=GREEDY, width=1.5)
    return [ground, line, marks.dot(x, y, "path_steps", None, GREEDY, 0, 4.0)]


def arrows(search: Search) -> Iterator[Layer]:
    """Lines to the candidates of the next move, those that may be made in the color of the
    path.
    """
    at = triangle_view.positions(search.history[-1])
    ends = triangle_view.positions(search.tried)
    for chosen, name, look in (
        (~search.accepted, "others", style.MUTED),
        (search.accepted, "accepted", GREEDY),
    ):
        x, y = ends[chosen].T
        lines = marks.segments(at[0], x), marks.segments(at[1], y)
        yield Lines(f"to_{name}", *lines, color=look, width=1.2)
        yield marks.dot(x, y, name, None, look, 0, 4.0)


def length_axes(name: str, title: str, xlabel: str, right: float, names: Sequence[str]) -> Axes:
    """Axes of named rows of lengths, the first at the top."""
    return Axes(
        name,
        title,
        xlabel,
        "",
        (0, right),
        (-0.6, len(names) - 0.4),
        ynames=tuple(names[::-1]),
        xticks=(0.0, 0.5, 1.0),
    )


def move_panel(names: Any, search: Search, order: Any) -> Panel:
    """The scores (6,) of the candidates of the next move as bars, those that may be made in the
    color of the path, and a line at the score before it.
    """
    moves = moves_of(1, len(names), order)
    labels = []
    parts = []
    for move, each, is_accepted in zip(moves, search.scores.tolist(), search.accepted, strict=True):
        c = abs(move).argmax()
        labels.append(f"{names[c]} {'up' if move[c] > 0 else 'down'}")
        parts.append([Part(each, GREEDY if is_accepted else style.MUTED, f"{each:.2f}")])
    layers = lengths("move", parts, 1.12)
    axes = length_axes("moves", "The next move", "macro F1 on the sample", 1.12, labels)
    layers += [Lines("before", search.score, axes.ylim, label="score now", dash=DASH)]
    says = f"{search.accepted.sum()} of {len(moves)} moves are accepted."
    return Panel(axes, layers, says=says)


# The votes, and F1


def of_several(votes: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Votes (m, 3) and classes (m,) of the points at which two classes or more have votes: no
    positive weights change the others. Those of equal votes and class follow each other.
    """
    is_mixed = (votes > 0).sum(axis=1) > 1
    votes = votes[is_mixed].astype(int)
    codes = codes[is_mixed]
    order = np.lexsort((codes, *votes.T))
    return votes[order], codes[order]


def leading(votes: np.ndarray, q: Any) -> tuple[np.ndarray, np.ndarray]:
    """The two classes (m, 2) that lead the weighted votes (m, 3), in their order, and which part
    (m,) of the votes of both are for the second.

    The second is predicted where this part is above q_a / (q_a + q_b), for weights q_a and q_b of
    the two: at the border all points of this one part tie, and flip together.
    """
    # Of equal weighted votes, such as those of weight 0, the larger number leads.
    order = np.lexsort((-votes, -(votes * np.array(q))), axis=1)
    pairs = np.sort(order[:, :2], axis=1)
    both = np.take_along_axis(votes, pairs, axis=1)
    return pairs, both[:, 1] / both.sum(axis=1)


def levels(x: np.ndarray, apart: float) -> np.ndarray:
    """Levels (m,) of dots at x (m,): of each the lowest that no earlier dot has so close to it."""
    found = np.zeros(len(x), int)
    for i in range(len(x)):
        taken = found[:i][abs(x[:i] - x[i]) < apart]
        found[i] = np.setdiff1d(np.arange(i + 1), taken)[0]
    return found


def nearest(names: Any, votes: np.ndarray, q: Any) -> str:
    """How many points are nearest to the line where their two leading weighted votes tie, and these
    votes.
    """
    pairs, parts = leading(votes, q)
    apart = abs(parts - ties(q, *pairs.T))
    i = apart.argmin()
    a, b = pairs[i]
    alike = (pairs == pairs[i]).all(axis=1) & (parts == parts[i])
    return f"{alike.sum()} at {votes[i, a]} : {votes[i, b]} for {names[a]} or {names[b]}"


def ties(q: Any, a: Any, b: Any) -> Any:
    """Which part of the votes of classes a and b is for b where their weighted votes tie."""
    weights_of = np.array(q)
    return ratio(weights_of[a], weights_of[a] + weights_of[b])


def vote_panel(names: Any, votes: np.ndarray, codes: np.ndarray, q: Any, width: float) -> Panel:
    """Points (m,) in the row of the two classes that lead their weighted votes, over these votes,
    those predicted wrong in rings; in each row a line where the weighted votes tie.

    A row is ``width`` CSS pixels wide.
    """
    pairs, parts = leading(votes, q)
    wrong = codes != np.where(parts > ties(q, *pairs.T), *pairs.T[::-1])
    # Dots keep their size while weights move.
    _, alike = np.unique(votes, axis=0, return_counts=True)
    size = min(LARGEST_DOT, ROW * ROW_PIXELS / (alike.max(initial=1) + 0.3))
    layers: list[Layer] = []
    rows_named = []
    for row, (a, b) in enumerate(combinations(range(3), 2)):
        base = -row
        tie = float(ties(q, a, b))
        for c, ends in ((a, (0, tie)), (b, (tie, 1))):
            color = style.tint(style.class_color(c), 0.2)
            layers.append(Band(f"row{row}_{c}", ends, base, base + ROW, color=color, opacity=1))
        layers.append(Lines(f"tie{row}", tie, (base, base + ROW), width=2.5))
        inside = (pairs == (a, b)).all(axis=1)
        x = parts[inside]
        y = base + size / ROW_PIXELS * (levels(x, size / width) + 0.7)
        layers.append(
            marks.of_classes(
                f"votes{row}",
                x,
                y,
                codes[inside],
                3,
                size=size,
                halo=0.5,
                ringed=wrong[inside],
                ring_gap=1.0,
            )
        )
        rows_named.append(f"{names[a]} or {names[b]}")
    ylim = (-2.02, ROW + 0.02)
    across = "votes for the second"
    axes = Axes(
        "votes",
        "Rings: errors",
        across,
        "",
        (0, 1),
        ylim,
        yticks=tuple(ROW / 2 - np.arange(3.0)),
        ynames=tuple(rows_named),
        xticks=(0.0, 0.5, 1.0),
        xnames=("none", "half", "all"),
    )
    return Panel(axes, layers, says=f"{wrong.sum()} of {len(votes)} are wrong.")


def f1_panel(names: Any, predicted: np.ndarray, hits: np.ndarray, of_class: np.ndarray) -> Panel:
    """F1 of each class as the part that true positives, counted twice, have of these and both kinds
    of errors; and the mean of all, macro F1.
    """
    counts = {"TP": hits[0], "FP": predicted[0] - hits[0], "FN": of_class - hits[0]}
    terms = np.array(list(counts.values())) * [[2], [1], [1]]
    parts = ratio(terms, terms.sum(axis=0) + 0 * terms)
    rows_of_parts = []
    said = []
    for c, each in enumerate(parts.T.tolist()):
        texts = [f"{count[c]:.5g} {name}" for name, count in counts.items()]
        looks = zip(each, (style.class_color(c), *ERRORS), texts, strict=True)
        rows_of_parts.append([Part(*look) for look in looks])
        said.append(f"{names[c]}: F1 {each[0]:.2f}, {', '.join(texts)}")
    layers = lengths("f1", rows_of_parts, 1.0)
    axes = length_axes("f1", "F1 (colored)", "", 1, names)
    macro = Lines("mean", parts[0].mean(), axes.ylim, label="macro F1", dash=DASH, width=2.5)
    return Panel(axes, [macro, *layers], says=f"{'; '.join(said)}.")


# Stairs and trials


def splits(
    source: Any, n: int, k: int, options: SearchOptions, ways: tuple[str, ...], repeats: int
) -> Iterator[np.ndarray]:
    """Scores (repeats, ways, 2) on the sample and on new points of other splits of data, NaN where
    a split is not done.
    """
    found = np.full((repeats, len(ways), 2), np.nan)
    for seed in range(repeats):
        split = source.with_seed(seed)
        measure = Measure(split.X_test, split.test_weights)
        _, judged = search_trial(split.sample(n), k, options, measure, split.y_test, ways)
        found[seed] = judged[:, :2]
        yield found.copy()


def claim_panel(found: Any, ways: tuple[str, ...], repeats: int) -> Panel:
    """What each way claims on its sample, and what its weights deliver on new points: a dot for
    each split, a large one for their mean, and a line from there to what was claimed.
    """
    # Equal weights may never predict a rare class.
    low = 0.1 if "unweighted" in ways else 0.55
    at = Place(low + 0.12, low + 0.12, "right")
    line = marks.curve("as_claimed", "as claimed", (0, 1), (0, 1), style.MUTED, DASH, 2.0, at=at)
    layers: list[Layer] = [line]
    if found is not None:
        done = np.isfinite(found).all(axis=(1, 2))
        for i, way in enumerate(ways):
            label, color, marker = STYLES[way]
            x, y = found[done, i].T
            pale = style.tint(color, 0.6)
            claimed = x.mean()
            delivered = y.mean()
            mean = f"mean_{way}", label, color, marker, 15.0
            layers += [
                marks.dot(x, y, f"each_{way}", None, pale, marker, 8.0),
                Lines(f"gap_{way}", claimed, (claimed, delivered), color=color, width=3.0),
                marks.named_along(marks.dot(claimed, delivered, *mean), 1),
            ]
        layers.append(risk_view.progress(int(done.sum()), repeats, (1, low + 0.05)))
    ends = (low, 1.02)
    names = "claimed: macro F1 on the sample", f"delivered: on {ON_NEW}"
    axes = Axes("trials", "Claimed and delivered", *names, ends, ends)
    return Panel(axes, layers, says=f"{repeats} samples.")


def stairs_panel(on_sample: np.ndarray, on_new: np.ndarray, n_steps: int) -> Panel:
    """Scores (T + 1,) of the greedy search before and after each move."""
    ylim = limits([on_sample, on_new])
    x = np.repeat(np.arange(MOST_STEPS + 1), 2)[1:]
    layers: list[Layer] = []
    for where, each, dash in ((ON_SAMPLE, on_sample, DASH), (ON_NEW, on_new, ())):
        heights = np.repeat(each, 2)[:-1]
        layers.append(marks.curve(where, f"on {where}", x, heights, GREEDY, dash))
    # Room at either end, so that the handle is visible as a whole.
    axes = Axes("stairs", "Greedy search", "moves T", "score", (-1, MOST_STEPS + 1), ylim)
    layers += [Lines("at_steps", n_steps, ylim), marks.grip(n_steps, axes)]
    return Panel(axes, layers, lambda at: {"n_steps": at.x})


def limits(heights: list[np.ndarray]) -> tuple[float, float]:
    """Rounded limits of an axis around all values, if there are any that are known."""
    found = np.concatenate([*heights, []])
    found = found[np.isfinite(found)]
    if not len(found):
        return 0.0, 1.0
    low = np.floor((found.min() - ROOM) / LIMIT_STEP)
    high = np.ceil((found.max() + ROOM) / LIMIT_STEP)
    return round(float(low * LIMIT_STEP), 6), round(float(high * LIMIT_STEP), 6)


def curve_panel(curve: str, results: Trials | None, repeats: int) -> Panel:
    """Mean scores over fresh samples of the weights that each way finds, or a comparison of greedy
    and grid.
    """
    layers: list[Layer] = []
    says = ""
    ylim = (0.0, 1.0)
    if results is not None:
        layers += curves(curve, results)
        drawn = []
        for layer in layers:
            drawn += [getattr(layer, end) for end in ENDS if hasattr(layer, end)]
        ylim = limits(drawn)
        at = (N_LIMITS[1] * 0.94, float(np.dot(ylim, (0.1, 0.9))))
        layers.append(risk_view.progress(results.done, results.pieces, at))
        says = f"{repeats} samples of each n, {results.done} of {results.pieces} trials done."

    title = risk_curve.mean_title("of trials")
    axes = Axes("trials", title, N_LABEL, YLABELS[curve], N_LIMITS, ylim, log=True)
    return Panel(axes, layers, says=says)


def curves(curve: str, results: Trials) -> Iterator[Layer]:
    """Bands and lines; NaN where no trial is done."""
    sizes = results.sizes
    if curve == DISTANCE:
        label = "grid mean to greedy mean"
        yield from named_curve(sizes, *results.distance(), label, "distance")
    elif curve == DIFFERENCE:
        yield Lines("zero", N_LIMITS, 0, dash=(2, 3))
        for average, color in (("macro", "#0B7285"), ("micro", "#E8A33D")):
            means = results.difference(average)
            yield from named_curve(sizes, *means, f"{average} F1", average, color)
    else:
        yield from mean_scores(results)


def named_curve(*given: Any) -> Iterator[Layer]:
    """A mean with its band, as ``risk_view.curve`` has them, and its name along it: a legend that
    comes later would move the panels.
    """
    band, line = risk_view.curve(*given)
    yield replace(band, label=None)
    yield marks.named_along(line, 0)


def mean_scores(results: Trials) -> Iterator[Layer]:
    """The mean scores by way, on its sample and on new points."""
    means = [results.mean("searched"), results.mean("macro"), results.standard_error("macro")]
    for way, searched, mean, error in zip(WAYS, *means, strict=True):
        label, color, _ = STYLES[way]
        # Only means on new points have a band, so that bands can be told apart.
        told = "dashed: its sample" if way == WAYS[0] else None
        line = Lines(f"{way}_searched", results.sizes, searched, label=told, color=color, dash=DASH)
        yield marks.named_along(line, 1)
        yield from named_curve(results.sizes, mean, error, label, way, color)


FIGURE_3 = "Khim et al., Figure 3"
FIGURE_4 = "Khim et al., Figure 4"


class TuningLab(Lab):
    """Macro F1 over all class weights with a greedy search and the best of a grid, and means over
    fresh samples.

    Source: Khim et al., section 6.

    Examples
    --------
    >>> from knnviz.labs import TuningLab
    >>> found = TuningLab(n=200, k=25).readout()
    >>> found["weights, grid"], found["highest on the triangle"]
    ({'class 0': 0.42, 'class 1': 0.34, 'class 2': 0.24}, 0.655368)
    """

    title = "Tuning class weights"
    table = PARAMETERS
    ranges = ranges
    recipe = recipe
    parts = (class_weights, training_data, weighted_map, risk_curve)
    own_data = sources.OWN
    layout = columns(
        ("triangle", 0.82),
        rows(
            Cell("f1", height=150),
            Cell("votes", height=200),
            Cell("moves", height=180),
            ("stairs", 0.52),
            ("trials", 0.52),
        ),
        ratios=(1.15, 1),
    )
    opens = ("triangle", "stairs", "trials")
    presets = (
        Preset("Figure 3(a), gamma = 0.01", FIGURE_3, {}),
        Preset("Figure 3(a), gamma = 0.05", FIGURE_3, {"step": 0.05}),
        Preset("Figure 3(b)", FIGURE_3, {"curve": F1_OVER_N}),
        Preset("Figure 4(a)", FIGURE_4, {"curve": DIFFERENCE}),
        Preset("Figure 4(b)", FIGURE_4, {"curve": DISTANCE}),
    )
