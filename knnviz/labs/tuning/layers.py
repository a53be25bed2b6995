"""Stairs and Scores: what the weights of several ways score on one sample, step by step."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from knnviz.views import marks, risk, style, triangle
from knnviz.views.layers import Annotations, Axes, Bars, Lines, Points


class WayStyle(NamedTuple):
    """How a way to weights is drawn: its name in a legend, colour and marker."""

    label: str
    color: str
    marker: int


STYLES: Mapping[str, WayStyle] = {
    "unweighted": WayStyle("equal", style.INK, 0),
    "greedy": WayStyle("greedy", "#6A3D9A", 2),
    "grid": WayStyle("grid", "#7F5539", 1),
}

#: What each way scores: what is searched for, and macro and micro F1 on new points; their colours.
SCORES = ("searched", "macro F1", "micro F1")
COLORS = ("#BDBDBD", "#0B7285", "#E8A33D")

#: What is searched for is dashed, what it is worth on new points is solid.
DASH = (5, 3)

#: Room above and below curves, and steps of the limits.
ROOM, ROUND = 0.005, 0.02

#: How deep below their upper end the limits of the stairs may reach, and what is rounding there.
DEPTHS, ROUNDING = (0.05, 0.1, 0.2, 0.5, 1.1), 1e-9

#: Room to the left and right of the stairs, in steps: a handle at their end is seen whole.
BESIDE = 1

MOST_TICKS = 5
GRIP = 0.12
WIDE = 3.5

#: Fraction of the panel's width that the name of a start takes.
NAME = 0.2

WIDTH = 0.84


def ends(found: np.ndarray) -> tuple[float, float]:
    """Limits of an axis around what is found, NaN aside, on whole steps."""
    known = found[np.isfinite(found)]
    if not len(known):
        return 0.0, 1.0
    low, high = np.floor((known.min() - ROOM) / ROUND) * ROUND, np.ceil((known.max() + ROOM) / ROUND) * ROUND
    return round(float(low), 6), round(float(high), 6)


def climb_ends(found: np.ndarray) -> tuple[float, float]:
    """As ``ends``, down to one of few depths below the upper one: few limits, or each step of a drag had its own."""
    high = ends(found)[1]
    deep = next(depth for depth in DEPTHS if depth >= high - (found.min() - ROOM) - ROUNDING or depth == DEPTHS[-1])
    # No score is below 0.
    return max(round(high - deep, 6), -ROUND), high


def stairs_axes(most: int, limit: tuple[float, float]) -> Axes:
    return Axes("stairs", "Greedy steps", "steps T", "score", (-BESIDE, most + BESIDE), limit, legend_columns=2)


def small_map(frame: Axes) -> Axes:
    names = (name.split(" (")[0] for name in (frame.xlabel, frame.ylabel))
    across, up = (_few_ticks(*limits) for limits in (frame.xlim, frame.ylim))
    written = tuple(f"{tick:g}".replace("-", "\N{MINUS SIGN}") for tick in across)
    return replace(frame, xlabel=next(names), ylabel=next(names), xticks=across, xnames=written, yticks=up)


def _few_ticks(low: float, high: float) -> tuple[float, ...]:
    power = 10.0 ** np.floor(np.log10((high - low) / 2))
    for step in power * np.array([1, 2, 5, 10]):
        # Zero has no sign.
        ticks = np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step + 0.0
        if len(ticks) <= MOST_TICKS:
            break
    return tuple(ticks.round(9).tolist())


def stairs(
    searched: np.ndarray, new: np.ndarray, levels: tuple[float, float], most: int, held_out: bool
) -> tuple[Lines, ...]:
    """Scores (T + 1,) of a walk where it looks, dashed, and on new points; ``levels`` are the grid's two."""
    where, greedy, grid = "held out" if held_out else "new points", STYLES["greedy"], STYLES["grid"]
    names = ("grid_searched", "grid, searched", DASH), ("grid_new", f"grid, {where}", ())
    # Wider than the walk, so that both are seen where they meet.
    below = (
        replace(risk.level(level, (0, most), *name, grid.color), width=WIDE)
        for level, name in zip(levels, names, strict=True)
    )
    return (
        *below,
        _stairs(searched, "greedy_searched", "greedy, searched", greedy.color, DASH),
        _stairs(new, "greedy_new", f"greedy, {where}", greedy.color, ()),
    )


def _stairs(scores: np.ndarray, name: str, label: str, color: str, dash: tuple[float, ...]) -> Lines:
    x, y = np.repeat(np.arange(len(scores)), 2)[1:], np.repeat(scores, 2)[:-1]
    return Lines(name=name, label=label, x=x, y=y, color=color, dash=dash, width=2.5)


def steps_taken(steps: int, limit: tuple[float, float], most: int) -> tuple[Lines, Annotations]:
    low, high = limit
    look: dict[str, Any] = {"cross": 14, "handles": ("steps T",), "spoken": (f"{steps} steps",)}
    look |= {"align": "left" if steps < most / 2 else "right"}
    grip = Annotations(name="steps", x=steps, y=low + GRIP * (high - low), texts=("T",), **look)
    return Lines(name="at_steps", x=steps, y=limit), grip


def side(x: float, limit: tuple[float, float]) -> str:
    """How to align the name of a mark at x: away from the middle of the limits, unless it would leave them there."""
    low, high = limit
    room = NAME * (high - low)
    return "right" if low + room <= x < (low + high) / 2 or x > high - room else "left"


def start(q: Sequence[float], class_names: Sequence[str], limit: tuple[float, float]) -> Annotations:
    """Where the walk begins, to be dragged; its name stands away from the middle, to which walks lead."""
    handle = triangle.handle(np.array(q), class_names, "start")
    return replace(handle, align=side(float(handle.x[0]), limit))


def answers(ways: Mapping[str, np.ndarray]) -> tuple[Points, ...]:
    places = {name: triangle.positions(q) for name, q in ways.items()}
    return tuple(marks.dot(x, y, f"way_{name}", *STYLES[name], size=11.0) for name, (x, y) in places.items())


def scores_axes(ways: Sequence[str], held_out: bool) -> Axes:
    """Axes over the ways, and their scores; there is room for numbers above the bars."""
    names, ticks = tuple(STYLES[way].label for way in ways), tuple(map(float, range(len(ways))))
    look: dict[str, Any] = {"xticks": ticks, "xnames": names, "yticks": (0.0, 0.5, 1.0), "legend_columns": 3}
    title = f"Searched; F1 {'held out' if held_out else 'on new points'}"
    return Axes("scores", title, "", "score", (-0.5, len(ways) - 0.5), (0, 1.3), **look)


def scores(found: np.ndarray, size: float) -> tuple[Bars, Annotations]:
    width = WIDTH / len(SCORES)
    x = np.arange(len(found))[:, None] + (np.arange(len(SCORES)) - (len(SCORES) - 1) / 2) * width
    codes = np.tile(np.arange(len(SCORES), dtype=np.uint8), len(found))
    x, heights = x.ravel(), found.ravel()
    bars = Bars(name="scores", x=x, heights=heights, codes=codes, palette=COLORS, labels=SCORES, width=0.92 * width)
    texts = tuple(f"{value:.3f}".removeprefix("0") for value in heights)
    return bars, Annotations(name="score_values", x=x, y=heights, texts=texts, align="center", size=size)


def describe(searched: np.ndarray, new: np.ndarray, judged: str) -> str:
    climbed, reached = (f"from {scores[0]:.4f} to {scores[-1]:.4f}" for scores in (searched, new))
    return f"Greedy walk of {len(searched) - 1} steps: searched score {climbed}, {judged} {reached}."
