"""Disagreement with the Bayes rule over n on logarithmic axes, beside guaranteed rates n^-r."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from knnviz.views import risk, static, style
from knnviz.views.layers import Axes, Band, Layer, Lines, Panel, Picture

#: Names and colors of learners, by columns. "strict": in the hard region only labels drawn in and
#: around it vote.
LEARNERS = {"passive": ("passive", style.INK), "strict": ("active", style.CLASS_COLORS[2])}

#: Rules that prescribe k: names, and the dashes of their curves.
RULES: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "passive": ("k of the passive rate", (7, 4)),
    "active": ("k of Corollary 1", ()),
}

#: The sheet; width and height of axes, the first corner, and the distance to the next one.
SIZE = (1210, 545)
WIDTH = 320
HEIGHT = 330
LEFT = 90
TOP = 40
COLUMN_STEP = 390

#: Possible ticks of the disagreement.
TICKS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)


def plot_slopes(rows: Sequence[Mapping[str, Any]], slopes: Sequence[Mapping[str, Any]]) -> Figure:
    """Plot mean disagreements of the passive and the strict active learner over n, in a panel for
    each problem.

    ``rows`` and ``slopes`` are those of the run ``rittler_rates``, of one constant, a factor of k.
    A band is two standard errors to each side. A dotted line has the guaranteed rate and begins at
    the curve of the learner in its theorem. Raises ValueError without rows, and for several
    constants.

    Examples
    --------
    >>> from knnviz_papers.rittler.slopes import plot_slopes
    >>> from knnviz.lessons import load
    >>> tables = load("rittler_rates").results
    >>> chosen = [
    ...     [row for row in tables[name] if row["constant"] == 1]
    ...     for name in ("disagreement", "slopes")
    ... ]
    >>> len(plot_slopes(*chosen).axes)
    3
    """
    return static.figure(picture(rows, slopes))


def picture(rows: Sequence[Mapping[str, Any]], slopes: Sequence[Mapping[str, Any]]) -> Picture:
    """The picture of ``plot_slopes``, described by the ends of each curve."""
    constants = sorted({row["constant"] for row in rows})
    if len(constants) != 1:
        got = ", ".join(map(str, constants)) or "none"
        raise ValueError(f"rows must have one constant, got {got}")

    problems = dict.fromkeys(row["problem"] for row in rows)
    panels = []
    words = []
    for across, problem in enumerate(problems):
        of_problem = [row for row in rows if row["problem"] == problem]
        promised = {row["rule"]: row["promised"] for row in slopes if row["problem"] == problem}
        panels.append(_panel(problem, across, of_problem, promised))
        words += [f"{problem}, {_describe(*curve)}" for curve in _curves(of_problem)]
    return Picture(tuple(panels), SIZE, " ".join(words))


def _curves(
    rows: Sequence[Mapping[str, Any]],
) -> Iterator[tuple[str, str, list[Mapping[str, Any]]]]:
    """Each learner at the k of each rule, with the rows of that rule."""
    for learner in LEARNERS:
        for rule in RULES:
            yield learner, rule, [row for row in rows if row["rule"] == rule]


def _panel(
    problem: str, across: int, rows: Sequence[Mapping[str, Any]], promised: Mapping[str, float]
) -> Panel:
    layers = [layer for curve in _curves(rows) for layer in _layers(*curve)]
    for rule, learner in zip(RULES, LEARNERS, strict=True):
        of_rule = [row for row in rows if row["rule"] == rule]
        layers.append(_promise(rule, of_rule, learner, promised[rule]))

    sizes = sorted({row["n"] for row in rows})
    low, high = _limits(layers)
    ticks = [tick for tick in TICKS if low <= np.log10(tick) <= high]
    x_range = (sizes[0] / 1.3, sizes[-1] * 1.3)
    box = (LEFT + COLUMN_STEP * across, TOP, WIDTH, HEIGHT)
    title_of_y = "" if across else "disagreement"
    axes = Axes(
        f"slopes_{across}",
        problem,
        "labels n, with m = n",
        title_of_y,
        x_range,
        (low, high),
        box,
        log=True,
        legend_columns=1,
        yticks=tuple(np.log10(ticks).tolist()),
        ynames=tuple(f"{tick:g}" for tick in ticks),
    )
    # Lines stand side by side in the legend.
    lines_first = sorted(layers, key=lambda layer: isinstance(layer, Band))
    return Panel(axes, risk.label_one_band(lines_first))


def _limits(layers: Sequence[Layer]) -> tuple[float, float]:
    heights = np.concatenate([layer.y for layer in layers if isinstance(layer, Lines)])
    return float(heights.min()) - 0.1, float(heights.max()) + 0.1


def _layers(learner: str, rule: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[Layer]:
    columns = ("n", learner, f"{learner}_se")
    n, mean, error = (np.array([row[name] for row in rows], float) for name in columns)
    title, color = LEARNERS[learner]
    rule_name, dash = RULES[rule]
    name = f"{learner}_{rule}"

    spread = risk.STANDARD_ERRORS * error
    lower = np.log10(np.maximum(mean - spread, mean / 10))
    upper = np.log10(mean + spread)
    band = f"± {risk.STANDARD_ERRORS} s.e."
    yield Band(f"{name}_band", n, lower, upper, label=band, color=color)

    label = f"{title}, {rule_name}"
    yield Lines(name, n, np.log10(mean), label=label, color=color, width=2.5, dash=dash)


def _promise(rule: str, rows: Sequence[Mapping[str, Any]], learner: str, exponent: float) -> Lines:
    n = np.array([row["n"] for row in rows], float)
    fall = exponent * np.log10(n / n[0])
    heights = np.log10(rows[0][learner]) - fall
    label = f"promised: power −{exponent:.3f}"
    _, color = LEARNERS[learner]
    return Lines(f"promised_{rule}", n, heights, label=label, color=color, width=1.5, dash=(2, 4))


def _describe(learner: str, rule: str, rows: Sequence[Mapping[str, Any]]) -> str:
    title, _ = LEARNERS[learner]
    rule_name, _ = RULES[rule]
    ends = rows[0], rows[-1]
    means = " to ".join(f"{row[learner]:.4f} at n = {row['n']}" for row in ends)
    return f"{title} learner with the {rule_name}: {means}."
