"""The error of a confusion entry split into four parts, as bars over n: on samples, and as bounded
by a proof.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from knnviz.views import marks, risk, static, style
from knnviz.views.entries import stack
from knnviz.views.layers import Axes, Layer, Lines, Panel, Picture
from knnviz.views.margins import sheet_size

#: A row of the tables "parts" and "bounds" of a run: "n", "entry", the four parts, and their error
#: or bound.
Row = Mapping[str, Any]

#: Parts from the bottom of a bar to its top, with their names, where a cover is weights q' beside
#: q; and their colors.
PARTS = {"a": "A: η̂ for η", "b": "B: sample", "c": "C: cover", "d": "D: cover, sample"}
COLORS = ("#E69F00", "#56B4E9", "#7F5539", "#D8B98A")

#: Width and height of axes, the distance from one to the next, and the margins of the sheet.
WIDTH = 330
HEIGHT = 220
COLUMN_STEP = 420
LEFT = 70
TOP = 40
RIGHT = 20


def plot_parts(parts: Sequence[Row], bounds: Sequence[Row], entry: str = "tn") -> Figure:
    """Plot the four parts of the error in ``khim_theorem_5`` as stacked bars: means on samples, and
    beside them bounds.

    A dot is the mean of the error itself, with two standard errors to each side. ``entry`` is "tn",
    "fp", "fn" or "tp". Raises ValueError for another entry, and without rows.

    Examples
    --------
    >>> from knnviz import views
    >>> from knnviz.lessons import load
    >>> tables = load("khim_theorem_5").results
    >>> len(views.plot_parts(tables["parts"], tables["bounds"], entry="tn").axes)
    2
    """
    return static.figure(picture(parts, bounds, entry), max_colors=64)


def picture(parts: Sequence[Row], bounds: Sequence[Row], entry: str = "tn") -> Picture:
    """The picture of ``plot_parts``, described by its numbers."""
    measured = [row for row in parts if row["entry"] == entry]
    bounded = [row for row in bounds if row["entry"] == entry]
    sizes = [row["n"] for row in measured]
    if not sizes or sizes != [row["n"] for row in bounded]:
        raise ValueError(f"parts and bounds must have the same rows of entry {entry!r}")
    name = entry.upper()

    axes = _axes(f"{name}: on samples", measured, LEFT)
    bars = stack("parts", _tops(measured), COLORS, tuple(PARTS.values()))
    on_samples = Panel(axes, (bars, *_errors(measured)))

    axes = _axes(f"{name}: bounds", bounded, LEFT + COLUMN_STEP)
    bars = stack("parts", _tops(bounded), COLORS, ())
    label = "1: vacuous from here on"
    vacuous = risk.level(1.0, axes.xlim, "vacuous", label, (7, 4), style.MUTED)
    panels = (on_samples, Panel(axes, (bars, vacuous)))

    words = " ".join([_describe(name, *both) for both in zip(measured, bounded, strict=True)])
    return Picture(panels, sheet_size(panels, RIGHT), words)


def _tops(rows: Sequence[Row]) -> np.ndarray:
    heights = [[row[part] for row in rows] for part in PARTS]
    return np.cumsum(heights, axis=0)


def _axes(title: str, rows: Sequence[Row], left: int) -> Axes:

    return Axes(
        title,
        title,
        "sample size n",
        "error",
        (-0.6, len(rows) - 0.4),
        (0.0, 1.08 * float(_tops(rows).max())),
        (left, TOP, WIDTH, HEIGHT),
        xticks=tuple(map(float, range(len(rows)))),
        xnames=tuple(f"{row['n']:,}" for row in rows),
    )


def _errors(rows: Sequence[Row]) -> tuple[Layer, ...]:
    x = np.arange(len(rows))
    error = np.array([row["error"] for row in rows])
    half = risk.STANDARD_ERRORS * np.array([row["error_se"] for row in rows])
    reach = marks.segments(error - half, error + half)
    whiskers = Lines(name="error_reach", x=np.repeat(x, 3), y=reach)
    label = f"error itself, ± {risk.STANDARD_ERRORS} s.e."
    return whiskers, marks.dot(x, error, "error", label, size=9.0)


def _describe(name: str, row: Row, bound: Row) -> str:
    parts = ", ".join(f"{part.upper()} {row[part]:.4f}" for part in PARTS)
    error = f"n = {row['n']}: {name} is off by {row['error']:.4f}"
    return f"{error}, parts {parts}; the bound is {bound['bound']:.3f}."
