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
    measured, bounded = (
        [row for row in table if row["entry"] == entry] for table in (parts, bounds)
    )
    if not measured or [row["n"] for row in measured] != [row["n"] for row in bounded]:
        raise ValueError(f"parts and bounds must have the same rows of entry {entry!r}")
    name = entry.upper()
    bars = stack("parts", _tops(measured), COLORS, tuple(PARTS.values()))
    bound_axes = _axes(f"{name}: bounds", bounded, LEFT + COLUMN_STEP)
    vacuous = risk.level(
        1.0, bound_axes.xlim, "vacuous", "1: vacuous from here on", (7, 4), style.MUTED
    )
    panels = (
        Panel(_axes(f"{name}: on samples", measured, LEFT), (bars, *_errors(measured))),
        Panel(bound_axes, (stack("parts", _tops(bounded), COLORS, ()), vacuous)),
    )
    words = " ".join(
        _describe(name, row, bound) for row, bound in zip(measured, bounded, strict=True)
    )
    return Picture(panels, sheet_size(panels, RIGHT), words)


def _tops(rows: Sequence[Row]) -> np.ndarray:
    return np.cumsum([[row[part] for row in rows] for part in PARTS], axis=0)


def _axes(title: str, rows: Sequence[Row], left: int) -> Axes:
    return Axes(
        name=title,
        title=title,
        xlabel="sample size n",
        ylabel="error",
        xlim=(-0.6, len(rows) - 0.4),
        ylim=(0.0, 1.08 * float(_tops(rows).max())),
        rectangle=(left, TOP, WIDTH, HEIGHT),
        xticks=tuple(map(float, range(len(rows)))),
        xnames=tuple(f"{row['n']:,}" for row in rows),
    )


def _errors(rows: Sequence[Row]) -> tuple[Layer, ...]:
    x = np.arange(len(rows))
    error = np.array([row["error"] for row in rows])
    half = risk.STANDARD_ERRORS * np.array([row["error_se"] for row in rows])
    whiskers = Lines(
        name="error_reach", x=np.repeat(x, 3), y=marks.segments(error - half, error + half)
    )
    return whiskers, marks.dot(
        x, error, "error", f"error itself, ± {risk.STANDARD_ERRORS} s.e.", size=9.0
    )


def _describe(name: str, row: Row, bound: Row) -> str:
    parts = ", ".join(f"{part.upper()} {row[part]:.4f}" for part in PARTS)
    return (
        f"n = {row['n']}: {name} is off by {row['error']:.4f}, parts {parts}; the bound is "
        f"{bound['bound']:.3f}."
    )
