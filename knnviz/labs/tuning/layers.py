"""Layers of TuningLab: scores of the walk step by step, scores of each method, and its weights on the triangle."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from knnviz.labs.old_parts.class_weights import ROUNDING
from knnviz.views import entries as entry_view
from knnviz.views import marks, style, triangle
from knnviz.views.layers import Annotations, Axes, Bars, Lines, Points


class MethodStyle(NamedTuple):
    """How a method that finds weights is drawn: its name in a legend, color and marker."""

    label: str
    color: str
    marker: int


STYLES: Mapping[str, MethodStyle] = {
    "unweighted": MethodStyle("equal", style.INK, 0),
    "greedy": MethodStyle("greedy", "#6A3D9A", 2),
    "grid": MethodStyle("grid", "#7F5539", 1),
}

#: Scores of each method: the searched one, and macro and micro F1 on new points; their colors.
SCORES = ("searched", "macro F1", "micro F1")
COLORS = ("#BDBDBD", "#0B7285", "#E8A33D")

#: Dash of the searched score; scores on new points are solid.
DASH = (5, 3)

#: Room above and below curves; limits of axes are multiples of ``LIMIT_STEP``.
ROOM, LIMIT_STEP = 0.005, 0.02

#: Possible heights of the y axis of the stairs.
HEIGHTS = (0.05, 0.1, 0.2, 0.5, 1.1)

#: Room left and right of the stairs, in steps, so that a handle at either end is visible as a whole.
SIDE_ROOM = 1

#: Height of the handle of the stairs, as a fraction of the panel.
HANDLE_HEIGHT = 0.12


def limits(scores: np.ndarray) -> tuple[float, float]:
    """Rounded limits of an axis around all values, NaN aside."""
    known = scores[np.isfinite(scores)]
    if not len(known):
        return 0.0, 1.0
    low, high = np.floor((known.min() - ROOM) / LIMIT_STEP), np.ceil((known.max() + ROOM) / LIMIT_STEP)
    return round(float(low * LIMIT_STEP), 6), round(float(high * LIMIT_STEP), 6)


def stairs_limits(scores: np.ndarray) -> tuple[float, float]:
    """As ``limits``, but with one of few heights, so that limits rarely change while the start is dragged."""
    high = limits(scores)[1]
    needed = high - (scores.min() - ROOM) - ROUNDING
    height = next((height for height in HEIGHTS if height >= needed), HEIGHTS[-1])
    # No score is below 0.
    return max(round(high - height, 6), -LIMIT_STEP), high


def stairs_axes(most_steps: int, ylim: tuple[float, float]) -> Axes:
    xlim = (-SIDE_ROOM, most_steps + SIDE_ROOM)
    return Axes("stairs", "Greedy steps", "steps T", "score", xlim, ylim, legend_columns=2)


def small_map(axes: Axes) -> Axes:
    """The axes of a map with few ticks, and with labels without units."""
    xlabel, ylabel = (name.split(" (")[0] for name in (axes.xlabel, axes.ylabel))
    xticks, yticks = _few_ticks(*axes.xlim), _few_ticks(*axes.ylim)
    xnames = tuple(f"{tick:g}".replace("-", "\N{MINUS SIGN}") for tick in xticks)
    return replace(axes, xlabel=xlabel, ylabel=ylabel, xticks=xticks, xnames=xnames, yticks=yticks)


def _few_ticks(low: float, high: float) -> tuple[float, ...]:
    """At most five round numbers from low to high."""
    power = 10.0 ** np.floor(np.log10((high - low) / 2))
    for step in power * np.array([1, 2, 5, 10]):
        # Adding 0.0 removes the sign of zero.
        ticks = np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step + 0.0
        if len(ticks) <= 5:
            break
    return tuple(ticks.round(9).tolist())


def stairs(
    searched: np.ndarray, new: np.ndarray, grid: tuple[float, float], most_steps: int, held_out: bool
) -> tuple[Lines, ...]:
    """The searched score (T + 1,) of the walk, dashed, that on new points (T + 1,), and both scores of the grid."""
    where, color, xlim = "held out" if held_out else "new points", STYLES["grid"].color, (0, most_steps)
    return (
        # Wider than the walk, so that both are visible where they meet.
        Lines(name="grid_searched", label="grid, searched", x=xlim, y=grid[0], color=color, width=3.5, dash=DASH),
        Lines(name="grid_new", label=f"grid, {where}", x=xlim, y=grid[1], color=color, width=3.5),
        _stairs(searched, "greedy_searched", "greedy, searched", DASH),
        _stairs(new, "greedy_new", f"greedy, {where}", ()),
    )


def _stairs(scores: np.ndarray, name: str, label: str, dash: tuple[float, ...]) -> Lines:
    x, y = np.repeat(np.arange(len(scores)), 2)[1:], np.repeat(scores, 2)[:-1]
    return Lines(name=name, label=label, x=x, y=y, color=STYLES["greedy"].color, dash=dash, width=2.5)


def steps_taken(steps: int, ylim: tuple[float, float], most_steps: int) -> tuple[Lines, Annotations]:
    """A line at the number of steps, with a handle."""
    y, align = np.interp(HANDLE_HEIGHT, (0, 1), ylim), "left" if steps < most_steps / 2 else "right"
    handle = marks.draggable("steps", steps, y, "T", "steps T", f"{steps} steps", align, cross=14)
    return Lines(name="at_steps", x=steps, y=ylim), handle


def name_align(x: float, xlim: tuple[float, float]) -> str:
    """How to align the name of a mark at x: away from the middle of the panel, unless it would leave the panel."""
    low, high = xlim
    # A name is about as wide as a fifth of the panel.
    room = 0.2 * (high - low)
    return "right" if low + room <= x < (low + high) / 2 or x > high - room else "left"


def start(q: Sequence[float], class_names: Sequence[str], xlim: tuple[float, float]) -> Annotations:
    """The start of the walk, to be dragged; its name stands away from the middle, to which walks lead."""
    handle = triangle.handle(np.array(q), class_names, "start")
    return replace(handle, align=name_align(float(handle.x[0]), xlim))


def found_weights(weights: Mapping[str, np.ndarray]) -> tuple[Points, ...]:
    """The weights (3,) of each method as a marker."""
    positions = {name: triangle.positions(q) for name, q in weights.items()}
    return tuple(marks.dot(x, y, f"weights_{name}", *STYLES[name], size=11.0) for name, (x, y) in positions.items())


def scores_axes(held_out: bool) -> Axes:
    """Axes over the methods and their scores, with room for numbers above the bars."""
    title = f"Searched; F1 {'held out' if held_out else 'on new points'}"
    axes = entry_view.category_axes("scores", title, "score", [method.label for method in STYLES.values()])
    return replace(axes, ylim=(0, 1.3), legend_columns=3)


def scores(method_scores: np.ndarray, size: float) -> tuple[Bars, Annotations]:
    """Bars of scores (methods, 3), with numbers above them."""
    width = 0.84 / len(SCORES)
    offsets = (np.arange(len(SCORES)) - (len(SCORES) - 1) / 2) * width
    x, heights = np.add.outer(np.arange(len(method_scores)), offsets).ravel(), method_scores.ravel()
    codes = np.tile(np.arange(len(SCORES), dtype=np.uint8), len(method_scores))
    bars = Bars(name="scores", x=x, heights=heights, codes=codes, palette=COLORS, labels=SCORES, width=0.92 * width)
    texts = tuple(f"{value:.3f}".removeprefix("0") for value in heights)
    return bars, Annotations(name="score_values", x=x, y=heights, texts=texts, align="center", size=size)


def describe(searched: np.ndarray, new: np.ndarray, judged: str) -> str:
    searched_range, new_range = (f"from {scores[0]:.4f} to {scores[-1]:.4f}" for scores in (searched, new))
    return f"Greedy walk of {len(searched) - 1} steps: searched score {searched_range}, {judged} {new_range}."
