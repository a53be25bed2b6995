"""TuningLab: macro F1 over all class weights, two searches for the best ones, and what they gain on
new points.

Both searches maximize the macro F1 on the sample, computed from training points. The greedy search
moves from its start to the best of a few candidates, again and again; the grid search compares many
weights. New points judge the weights that were found; the stairs are the scores of the greedy
search after each move. A trial repeats both searches on a fresh sample.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz import weights
from knnviz.labs.engine import (
    Choice,
    Click,
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
from knnviz.labs.parts.class_weights import WEIGHTS
from knnviz.labs.parts.plane import LARGEST_K
from knnviz.labs.parts.risk_curve import OFF
from knnviz.labs.parts.sources import named
from knnviz.profiles import VoteProfile
from knnviz.views import marks, style
from knnviz.views import risk as risk_view
from knnviz.views import triangle as triangle_view
from knnviz.views.landscape import COLORS, TRANSPARENT, on_triangle
from knnviz.views.layers import Annotations, Axes, Band, Layer, Lines, Raster
from knnviz.weights import SearchOptions, Trials, WeightScorer, largest_k

#: Where weights are scored, by name.
VALIDATIONS: Mapping[str, Any] = {"resubstitution": "resubstitution", "leave-one-out": "loo"}

#: Scores that can color the triangle; "plateaus" is the score on the sample with borders where it
#: changes.
ON_SAMPLE = "kNN on the sample"
PLATEAUS = "plateaus"
OF_BAYES_RULES = "weighted Bayes rule"
LANDSCAPES = (ON_SAMPLE, PLATEAUS, OF_BAYES_RULES)

#: What the triangle shows, and the parts of 1 to which a click there rounds weights.
MIDDLE = "the middle"
WHOLE = "all of it"
ZOOMS = (MIDDLE, WHOLE)
CLICK_PARTS = {MIDDLE: 200, WHOLE: 100}

#: Curves over fresh samples, and their sizes n.
F1_OVER_N = "F1 over n"
DIFFERENCE = "grid minus greedy"
DISTANCE = "distance of weights"
CURVES = (OFF, F1_OVER_N, DIFFERENCE, DISTANCE)
SIZES = (50, 100, 200, 500, 1000, 1500, 2000, 2500)
N_LIMITS = (SIZES[0] / 1.15, SIZES[-1] * 1.15)
N_LABEL = "sample size n, k = 5 n^(1/3)"

#: Moves of the greedy search that are computed; the lab shows the first T. Height of their handle
#: in the panel.
MOST_STEPS = 50
HANDLE_HEIGHT = 0.12

#: Ways to find weights: label, color and marker; and the ways that are drawn, by the options of the
#: menu.
STYLES = {
    "unweighted": ("equal weights", style.INK, 0),
    "greedy": ("greedy search", "#6A3D9A", 2),
    "grid": ("grid", "#7F5539", 1),
}
RULES = {
    "all": tuple(STYLES),
    "greedy search and grid": ("greedy", "grid"),
    "equal weights and grid": ("unweighted", "grid"),
}
RULES |= {label: (way,) for way, (label, *_) in STYLES.items()}
WALKS = {"rules": tuple(each for each, ways in RULES.items() if "greedy" in ways)}

#: Dash of scores on the sample; scores on new points are solid.
DASH = (5, 3)

#: Up to how far below the highest score each color of the triangle but the last is used, and those
#: that are named.
LEVELS = (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.13, 0.16, 0.2, 0.25, 0.3, 0.4)
NAMED = {"best": 0.0, "0.02 less": 0.02, "0.1 less": 0.1, "0.3 less": 0.3}

#: The middle of the triangle: its center, half its width and height, and arrows to the corners in
#: units of these.
CENTER = triangle_view.CORNERS.mean(axis=0)
WHOLE_SIZE = np.diff([triangle_view.X_LIMITS, triangle_view.Y_LIMITS])[:, 0]
MIDDLE_HALF_SIZE = 0.135 * WHOLE_SIZE
ARROW_POSITIONS = np.array([[-0.68, -0.96], [0.68, -0.96], [0, 0.84]])
ARROWS = ("↙ {}", "{} ↘", "↑ {}")

#: Weights rounded to hundredths may lie this far outside the middle.
ROUNDING = 0.01

#: Room above and below curves; their limits are multiples of ``LIMIT_STEP``, of the stairs one of a
#: few ``HEIGHTS`` apart, so that they rarely change while the start is dragged.
ROOM = 0.005
LIMIT_STEP = 0.02
HEIGHTS = (0.05, 0.1, 0.2, 0.5, 1.1)

Q0_TIP = "At the start; the others change in proportion"
Q1_TIP = "At the start: moving one moves the others"
Q2_TIP = "At the start: they always sum to 1"
STEP_TIP = "What a move adds to one weight, or takes from it"
ACCEPT_TIP = "Whether a move to an equal score is made, or to a higher one only"
BASE_TIP = "Candidates vary the weights before the move, or the best candidate so far"
ORDER_TIP = (
    "Candidates class by class, up and down; or all up first. Among equal ones the last wins"
)
VALIDATION_TIP = "At the training points, each its own neighbor or not"
LANDSCAPE_TIP = "What is scored; on a plateau the sample has one score"
ZOOM_TIP = "Whole triangle, or weights that differ by little"
CURVE_TIP = "Means over fresh samples, with k = 5 n^(1/3)"
REPEATS_TIP = "Fresh samples for each point of a curve"
TRIALS = {"curve": CURVES[1:]}

PARAMETERS = (
    *weighted_map.PARAMETERS,
    "Rules",
    Choice("rules", RULES, "rules", "Ways to find weights that are drawn"),
    "Greedy search",
    Float("q0", 0.3, 0, 1, "weight of class 0 *q0*", Q0_TIP, when=WALKS),
    Float("q1", 0.3, 0, 1, "weight of class 1 *q1*", Q1_TIP, when=WALKS),
    Float("q2", 0.4, 0, 1, "weight of class 2 *q2*", Q2_TIP, when=WALKS),
    Float("step", 0.01, 0.01, 0.2, "step size *gamma*", STEP_TIP, when=WALKS),
    Int("n_steps", 20, 0, MOST_STEPS, "moves *T*", "How many moves are tried", when=WALKS),
    Choice("accept", (">=", ">"), "accept", ACCEPT_TIP, when=WALKS),
    Choice("base", ("previous", "running"), "move from", BASE_TIP, when=WALKS),
    Choice("candidate_order", ("coordinate", "sign"), "order", ORDER_TIP, when=WALKS),
    "Score",
    Choice("validation", VALIDATIONS, "computed by", VALIDATION_TIP),
    "Pictures",
    Choice("landscape", LANDSCAPES, "landscape", LANDSCAPE_TIP),
    Choice("zoom", ZOOMS, "zoom", ZOOM_TIP),
    "Fresh samples",
    Choice("curve", CURVES, "trials", CURVE_TIP),
    Int("repeats", 50, 2, 100, "samples", REPEATS_TIP, when=TRIALS),
)


def ranges(values: Mapping[str, Any]) -> dict[str, Any]:
    """k up to the number of points that can vote; data have no Bayes rule and no fresh samples.

    Greedy search and grid are compared where both are drawn.
    """
    n = values["n"]
    validation = values["validation"]
    most = min(LARGEST_K, largest_k(n, VALIDATIONS[validation]))
    found = {"k": Range((1, most), f"of {n} points {most} may vote under {validation}")}

    ways = RULES[values["rules"]]
    if "greedy" not in ways or "grid" not in ways:
        found["curve"] = Range((OFF, F1_OVER_N), "only two searches can be compared")

    source = named(values["problem"])
    if source.eta is None:
        why = f"the distribution of {source.name} is not known"
        found["landscape"] = Range((ON_SAMPLE, PLATEAUS), why)
        found["curve"] = Range((OFF,), why)
    return found


def adjust(values: dict[str, Any], changes: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    """Zoom out for new data, with best weights anywhere, and for a start outside the middle."""
    if "zoom" in changes:
        return
    if "problem" in changes and named(values["problem"]).eta is None:
        values["zoom"] = WHOLE
    start = [values[name] for name in WEIGHTS]
    if sum(start) > 0 and not in_middle(start):
        values["zoom"] = WHOLE


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
    options = SearchOptions(start, *steps, parts, validation=validation)
    k_max = min(LARGEST_K, largest_k(p.n, validation))
    sample = data.sample
    scored = memo(weights.validation_set, sample.X, sample.y, 3, k_max, validation)
    searched = memo(scorer, scored.votes, p.k, scored.codes, None)
    walk: Any = None
    weights_of = {}
    if "unweighted" in ways:
        weights_of["unweighted"] = (1 / 3, 1 / 3, 1 / 3)
    if "greedy" in ways:
        walk = memo(options.greedy_search, searched)
        weights_of["greedy"] = tuple(walk.history[p.n_steps].tolist())
    if "grid" in ways:
        best_on_grid = memo(scores, searched, grid).argmax()
        weights_of["grid"] = tuple(grid[best_on_grid].tolist())
    found = tuple(weights_of.items())

    # The scores of these weights.
    where = "held-out points" if source.eta is None else "new points"
    votes, truth, masses = weighted_map.new_points(p, memo, data)
    macro = memo(scorer, votes, p.k, truth, masses)
    judged = tuple(weights_of.values())
    on_sample = memo(scores, searched, judged)
    on_new = memo(scores, macro, judged)
    found_scores = {
        "macro F1 on the sample": on_sample,
        f"macro F1 on {where}": on_new,
    }

    # The scores of all weights.
    on_triangle = searched
    if p.landscape == OF_BAYES_RULES:
        on_triangle = memo(WeightScorer.from_fractions, truth, truth, weights=masses)
    colored = memo(scores, on_triangle, grid)

    def triangle() -> Panel:
        given = (p.landscape, colored, p.zoom, walk, p.n_steps, found)
        handle = None if walk is None else start
        return memo(triangle_panel, memo, source.class_names, *given, handle)

    def stairs() -> Panel:
        heights = [walk.scores]
        of_grid = [float(on_sample[-1])]
        if p.landscape != PLATEAUS:
            heights.append(memo(scores, macro, walk.history))
            of_grid.append(float(on_new[-1]))
        if "grid" not in ways:
            of_grid = []
        return memo(stairs_panel, tuple(heights), tuple(of_grid), p.n_steps, where)

    def trials() -> Panel:
        n_cells = weighted_map.line_cells(p) if source.dimension == 1 else parts
        given = {"n_cells": n_cells, "ways": ways, "repeats": p.repeats, "seed": p.seed}
        shown = replace(options, n_steps=p.n_steps)
        results = memo.stream(weights.trials, source, shown, SIZES, **given)
        return memo(curve_panel, p.curve, results, ways, p.repeats, p.n, on_new)

    panels = {"triangle": triangle}
    if walk is not None:
        panels["stairs"] = stairs
    if p.curve != OFF:
        panels["trials"] = trials

    numbers: dict[str, Any] = {}
    for name, by_way in found_scores.items():
        for way, score in zip(ways, by_way, strict=True):
            numbers[f"{name}, {STYLES[way][0]}"] = float(score)
    for way, q in found:
        if way != "unweighted":
            numbers[f"weights, {STYLES[way][0]}"] = class_weights.by_class(source.class_names, q)
    if walk is not None:
        rises = np.diff(walk.scores[: p.n_steps + 1]) > 0
        numbers["moves that raised the score"] = int(rises.sum())
    best = int(colored.argmax())
    numbers["highest on the triangle"] = float(colored[best])
    numbers["reached at"] = class_weights.by_class(source.class_names, grid[best])
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


def in_middle(q: Any) -> bool:
    """Whether weights (3,) are in the middle of the triangle."""
    away = abs(triangle_view.positions(np.array(q)) - CENTER)
    return bool((away <= MIDDLE_HALF_SIZE + ROUNDING).all())


def triangle_panel(
    memo: Memo,
    names: Any,
    scored: str,
    colored: np.ndarray,
    zoom: str,
    walk: Any,
    n_steps: int,
    found: Any,
    start: Any,
) -> Panel:
    """A score of all weights, the greedy search from its start if there is one, and the weights
    that each way finds.
    """
    axes = triangle_view.axes()
    layers: list[Layer] = [memo(landscape, colored), *memo(scale)]
    if scored == PLATEAUS:
        layers += [memo(borders, colored)]
    if zoom == MIDDLE:
        ends = CENTER + np.outer((-1, 1), MIDDLE_HALF_SIZE)
        xlim, ylim = ends.T.tolist()
        axes = replace(axes, xlim=tuple(xlim), ylim=tuple(ylim))
        layers += [corner_arrows(names)]
    else:
        layers += [triangle_view.sides(), *triangle_view.corners(names)]

    if walk is not None:
        layers += path(walk.history[: n_steps + 1])
    for way, q in found:
        if way == "greedy" and not n_steps:
            continue
        x, y = triangle_view.positions(np.array(q))
        layers += [marks.dot(x, y, f"weights_{way}", *STYLES[way], size=11.0)]

    axes = replace(axes, title=f"Macro F1: {scored}", legend_columns=6)
    is_best = np.isclose(colored, colored.max(), 0, 1e-12)
    says = f"The best weights are {is_best.mean():.1%} of the triangle."
    if walk is None:
        return Panel(axes, layers, says=says)
    handle = triangle_view.handle(np.array(start), names, "start")
    align = name_align(float(handle.x[0]), axes.xlim)
    layers += [replace(handle, align=align)]
    says = f"{says} Greedy search of {n_steps} moves."
    parts = CLICK_PARTS[zoom]
    return Panel(axes, layers, lambda at: class_weights.weights_at(at.x, at.y, parts), says)


def landscape(colored: np.ndarray) -> Raster:
    """Scores (J,) of weights on a grid, colored by how far they are below the highest."""
    # Scores are equal up to rounding.
    below = colored.max() - colored - 1e-12
    codes, extent = on_triangle(np.searchsorted(LEVELS, below), len(COLORS))
    palette = (*COLORS, TRANSPARENT)
    return Raster("landscape", codes, extent, palette=palette)


def borders(colored: np.ndarray) -> Raster:
    """White lines between weights on the grid whose scores (J,) differ."""
    _, plateaus = np.unique(colored.round(12), return_inverse=True)
    # Neighbors with different scores hardly ever share one of 255 codes.
    codes, extent = on_triangle(plateaus % 255, 255)
    clear = (TRANSPARENT,) * 256
    edge = style.PAPER
    return Raster("borders", codes, extent, palette=clear, outline=edge)


def scale() -> list[Layer]:
    """Entries of the legend for the colors that are named."""
    layers: list[Layer] = []
    for name, level in NAMED.items():
        color = COLORS[LEVELS.index(level)]
        key = Band(name, (0, 0), -1, -1, label=name, color=color, opacity=1.0)
        layers.append(key)
    return layers


def corner_arrows(names: tuple[str, ...]) -> Annotations:
    """The names of the corners at the edge of the middle, each with an arrow to its corner."""
    at = CENTER + ARROW_POSITIONS * MIDDLE_HALF_SIZE
    x, y = at.T
    texts = tuple(arrow.format(name) for arrow, name in zip(ARROWS, names, strict=True))
    return Annotations("towards", x, y, texts, align="center")


def path(history: np.ndarray) -> list[Layer]:
    """A path through weights (T + 1, 3), on a white line so that it is visible on all colors."""
    x, y = triangle_view.positions(history).T
    _, color, _ = STYLES["greedy"]
    ground = Lines("path_ground", x, y, color=style.PAPER, width=5.0)
    line = Lines("path", x, y, color=color, width=2.0)
    steps = marks.dot(x, y, "path_steps", None, color, 0, 5.0)
    return [ground, line, steps]


def name_align(x: float, xlim: tuple[float, float]) -> str:
    """How to align the name of a mark at x: away from the middle of the panel, unless it would
    leave the panel.
    """
    low, high = xlim
    # A name is about as wide as a fifth of the panel.
    room = 0.2 * (high - low)
    middle = (low + high) / 2
    if low + room <= x < middle or x > high - room:
        return "right"
    return "left"


# Stairs and trials


def stairs_panel(
    heights: tuple[np.ndarray, ...], of_grid: tuple[float, ...], n_steps: int, where: str
) -> Panel:
    """Scores (T + 1,) of the greedy search on the sample, dashed, and on new points if given; both
    of the grid.
    """
    _, high = limits([*heights, np.array(of_grid)])
    lowest = min(*heights[0], *heights[-1], *of_grid) - ROOM
    needed = high - lowest - 1e-9
    span = next((each for each in HEIGHTS if each >= needed), HEIGHTS[-1])
    # No score is below 0.
    low = max(round(high - span, 6), -LIMIT_STEP)
    ylim = (low, high)

    # The grid's lines are wider than those of the greedy search, so that both are visible where
    # they meet.
    layers = [*grid_lines(of_grid), *walk_lines(heights, where)]
    # Where both end at one height their names stand apart.
    layers += [way_name("greedy", 0.88 * MOST_STEPS, heights[-1][-1])]
    if of_grid:
        layers += [way_name("grid", 0.06 * MOST_STEPS, of_grid[-1])]

    y = np.interp(HANDLE_HEIGHT, (0, 1), ylim)
    spoken = f"{n_steps} moves"
    align = "left" if n_steps < MOST_STEPS / 2 else "right"
    layers += [Lines("at_steps", n_steps, ylim)]
    layers += [marks.draggable("steps", n_steps, y, "T", "moves T", spoken, align, cross=14)]
    # Room at either end, so that the handle is visible as a whole.
    xlim = (-1, MOST_STEPS + 1)
    axes = Axes("stairs", "Greedy search", "moves T", "score", xlim, ylim)
    return Panel(axes, layers, lambda at: {"n_steps": at.x})


def grid_lines(of_grid: tuple[float, ...]) -> Iterator[Layer]:
    """Scores of the grid's weights, on the sample and on new points."""
    _, color, _ = STYLES["grid"]
    x = (0, MOST_STEPS)
    looks = (("searched", DASH), ("new", ()))
    for (name, dash), y in zip(looks, of_grid, strict=False):
        line = marks.curve(f"grid_{name}", f"grid, {name}", x, y, color, dash, 3.5)
        yield replace(line, at="in words")


def walk_lines(heights: tuple[np.ndarray, ...], where: str) -> Iterator[Layer]:
    """Stairs of scores (T + 1,) of the greedy search, on the sample and on new points."""
    _, color, _ = STYLES["greedy"]
    steps = np.arange(MOST_STEPS + 1)
    x = np.repeat(steps, 2)[1:]
    looks = (("searched", "score on the sample", DASH), ("new", f"score on {where}", ()))
    for (name, label, dash), each in zip(looks, heights, strict=False):
        y = np.repeat(each, 2)[:-1]
        yield marks.curve(f"greedy_{name}", label, x, y, color, dash)


def way_name(way: str, x: float, y: float) -> Annotations:
    _, color, _ = STYLES[way]
    return Annotations(way, x, y, (way,), color=color, align="middle", size=12.0)


def limits(heights: list[np.ndarray]) -> tuple[float, float]:
    """Rounded limits of an axis around all values."""
    found = np.concatenate([*heights, []])
    if not len(found):
        return 0.0, 1.0
    low = np.floor((found.min() - ROOM) / LIMIT_STEP)
    high = np.ceil((found.max() + ROOM) / LIMIT_STEP)
    return round(float(low * LIMIT_STEP), 6), round(float(high * LIMIT_STEP), 6)


def curve_panel(
    curve: str,
    results: Trials | None,
    ways: tuple[str, ...],
    repeats: int,
    n: int,
    on_new: np.ndarray,
) -> Panel:
    """Mean scores over fresh samples of the weights that each way finds, or a comparison of greedy
    and grid.

    Beside the means are the scores of the current sample on new points.
    """
    layers: list[Layer] = []
    says = ""
    if results is not None:
        layers += risk_view.label_one_band(curves(curve, results, ways))
        says = f"Trials over n, {results.done} of {results.pieces} done."
    click = None
    if curve == F1_OVER_N:
        click = choose_n
        for way, score in zip(ways, on_new, strict=True):
            label = "this sample" if way == ways[0] else None
            _, color, _ = STYLES[way]
            layers += [marks.dot(n, score, f"here_{way}", label, color, size=13.0)]

    drawn = []
    ends = ("y", "lower", "upper")
    for layer in layers:
        drawn += [getattr(layer, end) for end in ends if hasattr(layer, end)]
    ylim = limits(drawn)
    if results is not None:
        height = float(np.dot(ylim, (0.1, 0.9)))
        at = (N_LIMITS[1] * 0.94, height)
        layers += [risk_view.progress(results.done, results.pieces, at)]

    shown = curve.replace("F1", "macro F1")
    title = f"Trials: {shown}, {repeats} samples each"
    ylabels = {DIFFERENCE: "difference", DISTANCE: "distance"}
    ylabel = ylabels.get(curve, "score")
    axes = Axes("trials", title, N_LABEL, ylabel, N_LIMITS, ylim, log=True)
    if click:
        layers += [marks.grip(n, axes, float(score)) for score in on_new[:1]]
    return Panel(axes, layers, click, says)


def choose_n(at: Click) -> dict[str, float]:
    return {"n": at.x}


def curves(curve: str, results: Trials, ways: tuple[str, ...]) -> Iterator[Layer]:
    """Bands and lines; NaN where no trial is done."""
    sizes = results.sizes
    if curve == DISTANCE:
        label = "grid mean to greedy mean"
        yield from risk_view.curve(sizes, *results.distance(), label, "distance")
    elif curve == DIFFERENCE:
        yield Lines("zero", N_LIMITS, 0, dash=(2, 3))
        for average, color in (("macro", "#0B7285"), ("micro", "#E8A33D")):
            means = results.difference(average)
            yield from risk_view.curve(sizes, *means, f"{average} F1", average, color)
    else:
        yield from mean_scores(results, ways)


def mean_scores(results: Trials, ways: tuple[str, ...]) -> Iterator[Layer]:
    """The mean scores by way, on its sample and on new points."""
    searched = results.mean("searched")
    mean = results.mean("macro")
    error = results.standard_error("macro")
    for way in ways:
        row = list(STYLES).index(way)
        label, color, _ = STYLES[way]
        known = ~np.isnan(searched[row])
        x = results.sizes[known]
        y = searched[row, known]
        # Only means on new points have a band, so that bands can be told apart.
        told = "on its sample" if way == ways[0] else None
        yield Lines(f"{way}_searched", x, y, label=told, color=color, dash=DASH)
        yield from risk_view.curve(results.sizes, mean[row], error[row], label, way, color)


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
    adjust = adjust
    recipe = recipe
    parts = (class_weights, training_data, weighted_map, risk_curve)
    own_data = sources.OWN
    layout = columns(("triangle", 0.82), rows(("stairs", 0.52), ("trials", 0.52)))
    presets = (
        Preset("Figure 3(a), gamma = 0.01", FIGURE_3, {}),
        Preset("Figure 3(a), gamma = 0.05", FIGURE_3, {"step": 0.05}),
        Preset("Figure 3(b)", FIGURE_3, {"curve": F1_OVER_N}),
        Preset("Figure 4(a)", FIGURE_4, {"curve": DIFFERENCE}),
        Preset("Figure 4(b)", FIGURE_4, {"curve": DISTANCE}),
    )
