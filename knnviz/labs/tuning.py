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
from knnviz.labs.parts import class_weights, plane, risk_curve, sources, weighted_map
from knnviz.labs.parts import data as training_data
from knnviz.labs.parts.class_weights import WEIGHTS
from knnviz.labs.parts.plane import LARGEST_K
from knnviz.labs.parts.risk_curve import OFF
from knnviz.labs.parts.sources import field, named
from knnviz.labs.parts.weighted_map import CELLS_PER_DRAWN_CELL, votes_at_cells
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile
from knnviz.views import marks, style
from knnviz.views import risk as risk_view
from knnviz.views import triangle as triangle_view
from knnviz.views.landscape import COLORS, TRANSPARENT, on_triangle
from knnviz.views.layers import Annotations, Axes, Band, Layer, Lines, Raster
from knnviz.weights import SearchOptions, Trials, WeightScorer, largest_k

#: Where weights are scored, by name; to hold a quarter out takes four points.
VALIDATIONS: Mapping[str, Any] = {
    "resubstitution": "resubstitution",
    "leave-one-out": "loo",
    "hold-out": "holdout",
}
LEAST_HELD_OUT = 4

#: Scores that can color the triangle; "plateaus" is the score on the sample with borders where it
#: changes.
ON_SAMPLE = "kNN on the sample"
ON_NEW_POINTS = "kNN on new points"
PLATEAUS = "plateaus"
OF_BAYES_RULES = "weighted Bayes rule"
LANDSCAPES = ON_SAMPLE, PLATEAUS, ON_NEW_POINTS, OF_BAYES_RULES

#: What the triangle shows, and the parts of 1 to which a click there rounds weights.
MIDDLE, WHOLE = ZOOMS = ("the middle", "all of it")
CLICK_PARTS = {MIDDLE: 200, WHOLE: 100}

#: Curves over fresh samples, and their sizes n.
_, F1_OVER_N, DIFFERENCE, DISTANCE = CURVES = (
    OFF,
    "F1 over n",
    "grid minus greedy",
    "distance of weights",
)
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
    **{label: (way,) for way, (label, *_) in STYLES.items()},
}
WALKS = {"rules": tuple(each for each, ways in RULES.items() if "greedy" in ways)}

#: Dash of scores on the sample; scores on new points are solid.
DASH = (5, 3)

#: Up to how far below the highest score each color of the triangle but the last is used, and those
#: that are named.
LEVELS = (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.13, 0.16, 0.2, 0.25, 0.3, 0.4)
NAMED = {"best": 0.0, "0.02 less": 0.02, "0.1 less": 0.1, "0.3 less": 0.3}

#: The middle of the triangle: half its width and height, and arrows to the corners in units of
#: these.
MIDDLE_HALF_SIZE = 0.135 * np.diff([triangle_view.X_LIMITS, triangle_view.Y_LIMITS])[:, 0]
ARROW_POSITIONS = np.array([[-0.68, -0.96], [0.68, -0.96], [0, 0.84]])
ARROWS = ("↙ {}", "{} ↘", "↑ {}")

#: Weights rounded to hundredths may lie this far outside the middle.
ROUNDING = 0.01

#: Room above and below curves; their limits are multiples of ``LIMIT_STEP``, of the stairs one of a
#: few ``HEIGHTS`` apart, so that they rarely change while the start is dragged.
ROOM = 0.005
LIMIT_STEP = 0.02
HEIGHTS = (0.05, 0.1, 0.2, 0.5, 1.1)

ACCEPT_TIP = "Whether a move to an equal score is made, or to a higher one only"
BASE_TIP = "Candidates vary the weights before the move, or the best candidate so far"
ORDER_TIP = (
    "Candidates class by class, up and down; or all up first. Among equal ones the last wins"
)
VALIDATION_TIP = (
    "Training points, each its own neighbor or not; or the last quarter, by the votes of the others"
)

PARAMETERS = (
    *weighted_map.PARAMETERS,
    "Rules",
    Choice("rules", RULES, "rules", "Ways to find weights that are drawn"),
    "Greedy search",
    Float(
        "q0",
        0.3,
        0,
        1,
        "weight of class 0 *q0*",
        "At the start; the others change in proportion",
        when=WALKS,
    ),
    Float(
        "q1",
        0.3,
        0,
        1,
        "weight of class 1 *q1*",
        "At the start: moving one moves the others",
        when=WALKS,
    ),
    Float(
        "q2", 0.4, 0, 1, "weight of class 2 *q2*", "At the start: they always sum to 1", when=WALKS
    ),
    Float(
        "step",
        0.01,
        0.01,
        0.2,
        "step size *gamma*",
        "What a move adds to one weight, or takes from it",
        when=WALKS,
    ),
    Int("n_steps", 20, 0, MOST_STEPS, "moves *T*", "How many moves are tried", when=WALKS),
    Choice("accept", (">=", ">"), "accept", ACCEPT_TIP, when=WALKS),
    Choice("base", ("previous", "running"), "move from", BASE_TIP, when=WALKS),
    Choice("candidate_order", ("coordinate", "sign"), "order", ORDER_TIP, when=WALKS),
    "Score",
    Choice("validation", VALIDATIONS, "computed by", VALIDATION_TIP),
    "Pictures",
    Choice(
        "landscape",
        LANDSCAPES,
        "landscape",
        "What is scored; on a plateau the sample has one score",
    ),
    Choice("zoom", ZOOMS, "zoom", "Whole triangle, or weights that differ by little"),
    "Fresh samples",
    Choice("curve", CURVES, "trials", "Means over fresh samples, with k = 5 n^(1/3)"),
    Int(
        "repeats",
        50,
        2,
        100,
        "samples",
        "Fresh samples for each point of a curve",
        when={"curve": CURVES[1:]},
    ),
)


def ranges(values: Mapping[str, Any]) -> dict[str, Any]:
    """k up to the number of points that can vote; data have no Bayes rule and no fresh samples.

    Greedy search and grid are compared where both are drawn.
    """
    source = named(values["problem"])
    n = values["n"]
    validation = values["validation"]
    most = min(LARGEST_K, largest_k(n, VALIDATIONS[validation]))
    found = {"k": Range((1, most), f"of {n} points {most} may vote under {validation}")}
    if n < LEAST_HELD_OUT:
        found["validation"] = Range(
            (*VALIDATIONS,)[:2], f"a hold-out needs {LEAST_HELD_OUT} points"
        )
    if not {"greedy", "grid"} <= {*RULES[values["rules"]]}:
        found["curve"] = Range(CURVES[:2], "only two searches can be compared")
    if source.eta is None:
        why = f"the distribution of {source.name} is not known"
        found |= {
            "landscape": Range((ON_NEW_POINTS, ON_SAMPLE, PLATEAUS), why),
            "curve": Range((OFF,), why),
        }
    return found


def adjust(values: dict[str, Any], changes: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    """Zoom out for new data, whose best weights may lie anywhere, and for a start outside the
    middle.
    """
    start = [values[name] for name in WEIGHTS]
    new_data = "problem" in changes and named(values["problem"]).eta is None
    if "zoom" not in changes and (new_data or (sum(start) > 0 and not in_middle(start))):
        values["zoom"] = WHOLE


def recipe(p: Values, memo: Memo) -> Shown:
    data = training_data.data(p, memo, with_truth=False)
    validation = VALIDATIONS[p.validation]
    source = data.problem
    labels = data.sample.y
    parts = p.resolution.integral_cells[1]
    steps = p.step, MOST_STEPS, p.candidate_order, p.accept, p.base
    walk_options = SearchOptions((p.q0, p.q1, p.q2), *steps, parts, validation=validation)

    # The searches, on training points; of equally good weights on the grid the first.
    grid = memo(weights.simplex_grid, 3, parts)
    k_max = min(LARGEST_K, largest_k(p.n, validation))
    scored = memo(weights.validation_set, data.sample.X, labels, 3, k_max, validation)
    searched = memo(scorer, scored.votes, p.k, scored.codes, None)
    ways = RULES[p.rules]
    weights_of = {"unweighted": (1 / 3, 1 / 3, 1 / 3)}
    walk = None
    if "grid" in ways:
        weights_of["grid"] = tuple(grid[memo(scores, searched, grid).argmax()].tolist())
    if "greedy" in ways:
        walk = memo(walk_options.greedy_search, searched)
        weights_of["greedy"] = tuple(walk.history[p.n_steps].tolist())
    found = tuple([(way, weights_of[way]) for way in ways])

    # New points: cells of the distribution, or the data held out.
    if source.eta is None:
        sides = [0]
        where = "held-out points"
        truth = data.source.y_test
        masses = None
        voters = memo(NeighborTable.build, data.index, data.source.X_test, min(LARGEST_K, p.n))
        votes = memo(VoteProfile.count, voters, labels, 3)
    else:
        line = [CELLS_PER_DRAWN_CELL * p.resolution.map_cells[0]]
        sides = line if source.dimension == 1 else plane.grids(source, p.resolution)
        where = "new points"
        votes = memo.refine(votes_at_cells, sides, source, data.index, labels, min(LARGEST_K, p.n))
        cells = field(source, plane.side(source, len(votes)))
        truth = cells.eta
        masses = cells.measure.weights
    macro = memo(scorer, votes, p.k, truth, masses)
    named_scorers = {"macro F1 on the sample": searched, f"macro F1 on {where}": macro}
    named_scorers |= {f"micro F1 on {where}": memo(replace, macro, scoring="f1_micro")}
    of_ways = {
        name: memo(scores, each, tuple([q for _, q in found]))
        for name, each in named_scorers.items()
    }
    on_sample, on_new, _ = of_ways.values()

    if p.landscape == OF_BAYES_RULES:
        macro_of_bayes = memo(WeightScorer.from_fractions, truth, truth, weights=masses)
        colored = memo(scores, macro_of_bayes, grid)
    else:
        colored = memo(scores, macro if p.landscape == ON_NEW_POINTS else searched, grid)
    best = int(colored.argmax())

    def triangle() -> Panel:
        start = None if walk is None else (p.q0, p.q1, p.q2)
        drawn = p.landscape, colored, p.zoom, walk, p.n_steps, found, start
        return memo(triangle_panel, memo, source.class_names, *drawn)

    def stairs() -> Panel:
        of_grid = (float(on_sample[-1]), float(on_new[-1])) if "grid" in ways else ()
        found: Any = walk
        heights = (found.scores, memo(scores, macro, found.history))[
            : 2 - (p.landscape == PLATEAUS)
        ]
        return memo(stairs_panel, heights, of_grid[: len(heights)], p.n_steps, where)

    def trials_panel() -> Panel:
        options = replace(walk_options, n_steps=p.n_steps)
        n_cells = (sides[0], parts)[source.dimension - 1]
        results = memo.stream(fresh_samples, source, options, p.repeats, p.seed, n_cells, ways)
        return memo(curve_panel, p.curve, results, ways, p.repeats, p.n, on_new)

    panels = {"triangle": triangle}
    panels |= ({} if walk is None else {"stairs": stairs}) | (
        {} if p.curve == OFF else {"trials": trials_panel}
    )
    numbers: dict[str, Any] = {}
    for name, each in of_ways.items():
        numbers |= {
            f"{name}, {STYLES[way][0]}": float(score) for way, score in zip(ways, each, strict=True)
        }
    for way, q in found[ways[0] == "unweighted" :]:
        numbers[f"weights, {STYLES[way][0]}"] = class_weights.by_class(source.class_names, q)
    if walk is not None:
        numbers["moves that raised the score"] = int(
            (np.diff(walk.scores[: p.n_steps + 1]) > 0).sum()
        )
    numbers |= {
        "highest on the triangle": float(colored[best]),
        "reached at": class_weights.by_class(source.class_names, grid[best]),
    }
    return Shown(panels, numbers)


def scorer(
    votes: VoteProfile, k: int, truth: np.ndarray, masses: np.ndarray | None
) -> WeightScorer:
    """The macro F1 of the vote with any weights; ``truth`` are classes (m,) of points, or eta (m,
    3).
    """
    return WeightScorer.from_fractions(votes.at(k) / k, truth, weights=masses)


def scores(score: WeightScorer, q: Any) -> np.ndarray:
    """Scores (J,) of weights (J, 3)."""
    return np.asarray(score(np.asarray(q)))


def fresh_samples(
    source: Any,
    options: SearchOptions,
    repeats: int,
    seed: int,
    n_cells: int,
    ways: tuple[str, ...],
) -> Iterator[Trials]:
    given: Any = {
        "over": {"n": SIZES},
        "k": weights.neighbors_rule,
        "n_cells": n_cells,
        "ways": ways,
    }
    yield from weights.trials(source, options, repeats=repeats, seed=seed, **given)


# The triangle


def in_middle(q: Any) -> bool:
    """Whether weights (3,) are in the middle of the triangle."""
    away = abs(triangle_view.positions(np.array(q)) - triangle_view.CORNERS.mean(axis=0))
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
    layers: list[Layer] = [
        memo(landscape, colored),
        *memo(scale),
        *([memo(borders, colored)] * (scored == PLATEAUS)),
    ]
    if zoom == MIDDLE:
        xlim, ylim = (
            triangle_view.CORNERS.mean(axis=0) + np.outer((-1, 1), MIDDLE_HALF_SIZE)
        ).T.tolist()
        axes = replace(axes, xlim=tuple(xlim), ylim=tuple(ylim))
        layers += [corner_arrows(names)]
    else:
        layers += [triangle_view.sides(), *triangle_view.corners(names)]
    layers += path(walk.history[: n_steps + 1]) if walk else []
    for way, q in [each for each in found if n_steps or each[0] != "greedy"]:
        x, y = triangle_view.positions(np.array(q))
        layers += [marks.dot(x, y, f"weights_{way}", *STYLES[way], size=11.0)]
    axes = replace(axes, title=f"Macro F1: {scored}", legend_columns=4)
    says = (
        f"The best weights are {np.isclose(colored, colored.max(), 0, 1e-12).mean():.1%} of the "
        "triangle."
    )
    if walk is None:
        return Panel(axes, layers, says=says)
    handle = triangle_view.handle(np.array(start), names, "start")
    parts = CLICK_PARTS[zoom]
    layers += [replace(handle, align=name_align(float(handle.x[0]), axes.xlim))]
    says = f"{says} Greedy search of {n_steps} moves."
    return Panel(axes, layers, lambda at: class_weights.weights_at(at.x, at.y, parts), says)


def landscape(colored: np.ndarray) -> Raster:
    """Scores (J,) of the weights on a grid of the simplex, colored by how far they are below the
    highest.
    """
    # Scores are equal up to rounding.
    codes, extent = on_triangle(
        np.searchsorted(LEVELS, colored.max() - colored - 1e-12), len(COLORS)
    )
    return Raster(name="landscape", codes=codes, palette=(*COLORS, TRANSPARENT), extent=extent)


def borders(colored: np.ndarray) -> Raster:
    """White lines between weights on the grid whose scores (J,) differ."""
    # Neighbors with different scores hardly ever share one of 255 codes.
    codes, extent = on_triangle(np.unique(colored.round(12), return_inverse=True)[1] % 255, 255)
    return Raster(
        name="borders",
        codes=codes,
        palette=(TRANSPARENT,) * 256,
        extent=extent,
        outline=style.PAPER,
    )


def scale() -> list[Layer]:
    """Entries of the legend for the colors that are named."""
    return [
        Band(
            name=name,
            label=name,
            x=(0, 0),
            lower=-1,
            upper=-1,
            color=COLORS[LEVELS.index(level)],
            opacity=1.0,
        )
        for name, level in NAMED.items()
    ]


def corner_arrows(names: tuple[str, ...]) -> Annotations:
    """The names of the corners at the edge of the middle, each with an arrow to its corner."""
    x, y = (triangle_view.CORNERS.mean(axis=0) + ARROW_POSITIONS * MIDDLE_HALF_SIZE).T
    texts = tuple(arrow.format(name) for arrow, name in zip(ARROWS, names, strict=True))
    return Annotations(name="towards", x=x, y=y, texts=texts, align="center")


def path(history: np.ndarray) -> list[Layer]:
    """A path through weights (T + 1, 3), on a white line so that it is visible on all colors."""
    (x, y) = triangle_view.positions(history).T
    color = STYLES["greedy"][1]
    ground = Lines(name="path_ground", x=x, y=y, color=style.PAPER, width=5.0)
    steps = marks.dot(x, y, "path_steps", None, color, 0, 5.0)
    return [ground, Lines(name="path", x=x, y=y, color=color, width=2.0), steps]


def name_align(x: float, xlim: tuple[float, float]) -> str:
    """How to align the name of a mark at x: away from the middle of the panel, unless it would
    leave the panel.
    """
    low, high = xlim
    # A name is about as wide as a fifth of the panel.
    room = 0.2 * (high - low)
    return "right" if low + room <= x < (low + high) / 2 or x > high - room else "left"


# Stairs and trials


def stairs_panel(
    heights: tuple[np.ndarray, ...], of_grid: tuple[float, ...], n_steps: int, where: str
) -> Panel:
    """Scores (T + 1,) of the greedy search on the sample, dashed, and on new points if given; both
    of the grid.
    """
    high = limits([*heights, np.array(of_grid)])[1]
    lowest = min(*heights[0], *heights[-1], *of_grid) - ROOM
    span = next((span for span in HEIGHTS if span >= high - lowest - 1e-9), HEIGHTS[-1])
    # No score is below 0.
    ylim = max(round(high - span, 6), -LIMIT_STEP), high
    (_, walk_color, _) = STYLES["greedy"]
    (_, grid_color, _) = STYLES["grid"]
    layers: list[Layer] = []
    # The grid's lines are wider than those of the greedy search, so that both are visible where
    # they meet.
    for name, height, dash in zip(("searched", "new"), of_grid, (DASH, ()), strict=False):
        line = marks.curve(
            f"grid_{name}", f"grid, {name}", (0, MOST_STEPS), height, grid_color, dash, 3.5
        )
        layers += [replace(line, keyed=False)]
    x = np.repeat(np.arange(MOST_STEPS + 1), 2)[1:]
    looks = ("searched", "score on the sample", DASH), ("new", f"score on {where}", ())
    for (name, label, dash), y in zip(looks, heights, strict=False):
        layers += [marks.curve(f"greedy_{name}", label, x, np.repeat(y, 2)[:-1], walk_color, dash)]
    # Where both end at one height their names stand apart.
    given: Any = {"align": "middle", "size": 12.0}
    at = {"x": 0.88 * MOST_STEPS, "y": heights[-1][-1]}
    layers += [Annotations(name="greedy", texts=("greedy",), color=walk_color, **at, **given)]
    for height in of_grid[-1:]:
        layers += [
            Annotations(
                name="grid",
                x=0.06 * MOST_STEPS,
                y=height,
                texts=("grid",),
                color=grid_color,
                **given,
            )
        ]
    y_handle = np.interp(HANDLE_HEIGHT, (0, 1), ylim)
    align = "left" if n_steps < MOST_STEPS / 2 else "right"
    layers += [Lines(name="at_steps", x=n_steps, y=ylim)]
    layers += [
        marks.draggable(
            "steps", n_steps, y_handle, "T", "moves T", f"{n_steps} moves", align, cross=14
        )
    ]
    # Room at either end, so that the handle is visible as a whole.
    axes = Axes("stairs", "Greedy search", "moves T", "score", (-1, MOST_STEPS + 1), ylim)
    return Panel(axes, layers, lambda at: {"n_steps": at.x})


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
    layers = [] if results is None else [*risk_view.label_one_band(curves(curve, results, ways))]
    if curve == F1_OVER_N:
        for way, score in zip(ways, on_new, strict=True):
            label = None if way != ways[0] else "this sample"
            layers += [marks.dot(n, score, f"here_{way}", label, STYLES[way][1], size=13.0)]
    ends = ("y", "lower", "upper")
    ylim = limits([getattr(layer, end) for layer in layers for end in ends if hasattr(layer, end)])
    if results is not None:
        top_right = N_LIMITS[1] * 0.94, float(np.dot(ylim, (0.1, 0.9)))
        layers += [risk_view.progress(results.done, results.pieces, top_right)]
    title = curve.replace("F1", "macro F1")
    ylabel = {DIFFERENCE: "difference", DISTANCE: "distance"}
    title = f"Trials: {title}, {repeats} samples each"
    axes = Axes("trials", title, N_LABEL, ylabel.get(curve, "score"), N_LIMITS, ylim, log=True)
    says = f"Trials over n, {results.done} of {results.pieces} done." if results else ""
    click = (lambda at: {"n": at.x}) if curve == F1_OVER_N else None
    return Panel(replace(axes, legend_columns=3), layers, click, says)


def curves(curve: str, results: Trials, ways: tuple[str, ...]) -> Iterator[Layer]:
    """Bands and lines; NaN where no trial is done."""
    if curve == DISTANCE:
        of_means = results.distance()
        yield from risk_view.curve(
            results.values, *of_means, "grid mean to greedy mean", "distance", style.INK
        )
    elif curve == DIFFERENCE:
        yield Lines(name="zero", x=N_LIMITS, y=0, dash=(2, 3))
        for average, color in (("macro", "#0B7285"), ("micro", "#E8A33D")):
            yield from risk_view.curve(
                results.values, *results.difference(average), f"{average} F1", average, color
            )
    else:
        searched = results.mean("searched")
        mean = results.mean("macro")
        error = results.standard_error("macro")
        for way in ways:
            i = [*STYLES].index(way)
            (label, color, _) = STYLES[way]
            known = ~np.isnan(searched[i])
            # Only means on new points have a band, so that bands can be told apart.
            given: Any = {
                "x": results.values[known],
                "y": searched[i, known],
                "color": color,
                "dash": DASH,
            }
            yield Lines(
                name=f"{way}_searched", label="on its sample" if way == ways[0] else None, **given
            )
            yield from risk_view.curve(results.values, mean[i], error[i], label, way, color)


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

    title = "tuning class weights"
    table = PARAMETERS
    ranges = ranges
    adjust = adjust
    recipe = recipe
    parts = (class_weights, training_data, weighted_map, risk_curve)
    own_data = sources
    layout = columns(("triangle", 0.82), rows(("stairs", 0.52), ("trials", 0.52)))
    presets = (
        Preset("Figure 3(a), gamma = 0.01", FIGURE_3, {}),
        Preset("Figure 3(a), gamma = 0.05", FIGURE_3, {"step": 0.05}),
        Preset("Figure 3(b)", FIGURE_3, {"curve": F1_OVER_N}),
        Preset("Figure 4(a)", FIGURE_4, {"curve": DIFFERENCE}),
        Preset("Figure 4(b)", FIGURE_4, {"curve": DISTANCE}),
    )
