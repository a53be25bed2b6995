"""The error of TN split into the four parts of Theorem 5, as bars over n: on samples, and as
bounded by the proof.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from knnviz.views import marks, risk, static, style
from knnviz.views.bars import stack
from knnviz.views.layers import Axes, Lines, Panel, Picture

#: Parts from the bottom of a bar to its top, with their names, where a cover is weights q' beside
#: q; and their colors.
PARTS = {"a": "A: η̂ for η", "b": "B: sample", "c": "C: cover", "d": "D: cover, sample"}
COLORS = ("#E69F00", "#56B4E9", "#7F5539", "#D8B98A")

#: The sheet, and the rectangles of the axes on it.
SIZE = (840, 365)
ON_SAMPLES = (70, 40, 330, 220)
BOUNDS = (490, 40, 330, 220)

Rows = Sequence[Mapping[str, Any]]


def plot_parts(parts: Rows, bounds: Rows) -> Figure:
    """Plot the parts of the error of TN in ``khim_theorem_5`` as stacked bars: means on samples,
    and beside them bounds.

    A dot is the mean of the error itself, with two standard errors to each side.

    Examples
    --------
    >>> from knnviz.lessons import load
    >>> from knnviz_papers.khim.part_bars import plot_parts
    >>> tables = load("khim_theorem_5").results
    >>> len(plot_parts(tables["parts"], tables["bounds"]).axes)
    2
    """
    return static.figure(picture(parts, bounds))


def picture(parts: Rows, bounds: Rows) -> Picture:
    """The picture of ``plot_parts``, described by its numbers."""
    measured = [row for row in parts if row["entry"] == "tn"]
    bounded = [row for row in bounds if row["entry"] == "tn"]
    x = np.arange(len(measured))
    error = np.array([row["error"] for row in measured])
    half = risk.STANDARD_ERRORS * np.array([row["error_se"] for row in measured])
    reach = marks.segments(error - half, error + half)
    whiskers = Lines("error_reach", np.repeat(x, 3), reach)
    label = f"error itself, ± {risk.STANDARD_ERRORS} s.e."
    mean = marks.dot(x, error, "error", label, size=9.0)

    bars = stack("parts", _tops(measured), COLORS, tuple(PARTS.values()))
    on_samples = Panel(_axes("TN: on samples", measured, ON_SAMPLES), (bars, whiskers, mean))

    axes = _axes("TN: bounds", bounded, BOUNDS)
    bars = stack("parts", _tops(bounded), COLORS, ())
    label = "1: vacuous from here on"
    look: Any = {"color": style.MUTED, "dash": (7, 4)}
    vacuous = Lines("vacuous", axes.xlim, 1, label=label, **look)
    panels = (on_samples, Panel(axes, (bars, vacuous)))

    words = []
    for row, bound in zip(measured, bounded, strict=True):
        of_row = ", ".join(f"{part.upper()} {row[part]:.4f}" for part in PARTS)
        off = f"n = {row['n']}: TN is off by {row['error']:.4f}"
        words.append(f"{off}, parts {of_row}; the bound is {bound['bound']:.3f}.")
    return Picture(panels, SIZE, " ".join(words))


def _tops(rows: Rows) -> np.ndarray:
    heights = [[row[part] for row in rows] for part in PARTS]
    return np.cumsum(heights, axis=0)


def _axes(title: str, rows: Rows, rectangle: tuple[int, int, int, int]) -> Axes:
    xlim = (-0.6, len(rows) - 0.4)
    ylim = (0.0, 1.08 * float(_tops(rows).max()))
    xnames = tuple([f"{row['n']:,}" for row in rows])
    labels = ("sample size n", "error")
    return Axes(title, title, *labels, xlim, ylim, rectangle, xnames=xnames)
