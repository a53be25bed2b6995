"""The error of a confusion entry in parts, as bars over n: what samples show, and what a proof allows."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from knnviz.views import marks, risk, static, style
from knnviz.views.entries import stack
from knnviz.views.layers import Axes, Layer, Lines, Panel, Picture
from knnviz.views.room import room

#: Tables "parts" and "bounds" of a reproduction, whose rows have "n", "entry" and the parts.
Row = Mapping[str, Any]

#: Parts from the bottom of a bar to its top, with their names, and colors.
PARTS = {"a": "A: η̂ for η", "b": "B: sample", "c": "C: cover", "d": "D: cover, sample"}
COLORS = ("#E69F00", "#56B4E9", "#7F5539", "#D8B98A")

#: Width and height of axes, the step from one to the next, and what the sheet needs to the left, above and right.
WIDTH, HEIGHT, STEP, LEFT, TOP, RIGHT = 330, 220, 420, 70, 40, 20

#: Colors of the picture that a notebook keeps.
FEW = 64


def plot_parts(parts: Sequence[Row], bounds: Sequence[Row], entry: str = "tn") -> Figure:
    """Stacked bars of the parts of ``khim_theorem_5``: their means on samples, and on another scale their bounds.

    A dot is the mean error itself, with two standard errors to each side. ``entry`` is "tn", "fp", "fn" or "tp". Raises
    ValueError for another, and without rows.

    Examples
    --------
    >>> from knnviz import reproduce, views
    >>> tables = reproduce.load("khim_theorem_5").results
    >>> len(views.plot_parts(tables["parts"], tables["bounds"], entry="tn").axes)
    2
    """
    return static.figure(picture(parts, bounds, entry), colors=FEW)


def picture(parts: Sequence[Row], bounds: Sequence[Row], entry: str = "tn") -> Picture:
    """The same as layers, with the sums in words."""
    rows, limits = ([row for row in each if row["entry"] == entry] for each in (parts, bounds))
    if not rows or [row["n"] for row in rows] != [row["n"] for row in limits]:
        raise ValueError(f"parts and bounds must have the same rows of entry {entry!r}")
    name = entry.upper()
    seen, allowed = (_axes(*each) for each in ((f"{name}: on samples", rows, 0), (f"{name}: bounds", limits, STEP)))
    vacuous = risk.level(1.0, allowed.xlim, "vacuous", "1: vacuous from here on", (7, 4), style.MUTED)
    bars = stack("parts", _tops(rows), COLORS, tuple(PARTS.values()))
    panels = (
        Panel(seen, (bars, *_errors(rows))),
        Panel(allowed, (stack("parts", _tops(limits), COLORS, ()), vacuous)),
    )
    words = " ".join(_words(name, row, limit) for row, limit in zip(rows, limits, strict=True))
    bottom = max(room(panel).bottom for panel in panels)
    return Picture(panels, (LEFT + STEP + WIDTH + RIGHT, TOP + HEIGHT + bottom), words)


def _tops(rows: Sequence[Row]) -> np.ndarray:
    return np.cumsum([[row[part] for row in rows] for part in PARTS], axis=0)


def _axes(title: str, rows: Sequence[Row], right: int) -> Axes:
    ticks, names = tuple(map(float, range(len(rows)))), tuple(f"{row['n']:,}" for row in rows)
    limits = (-0.6, len(rows) - 0.4), (0.0, 1.08 * float(_tops(rows).max()))
    place = LEFT + right, TOP, WIDTH, HEIGHT
    return Axes(title, title, "sample size n", "error", *limits, place, xticks=ticks, xnames=names)


def _errors(rows: Sequence[Row]) -> tuple[Layer, ...]:
    x, y, reach = np.arange(len(rows)), *(np.array([row[name] for row in rows]) for name in ("error", "error_se"))
    ends = np.column_stack([y - risk.WIDTH * reach, y + risk.WIDTH * reach, np.full(len(x), np.nan)]).ravel()
    whiskers = Lines(name="error_reach", x=np.repeat(x, 3), y=ends)
    return whiskers, marks.dot(x, y, "error", f"error itself, ± {risk.WIDTH} s.e.", size=9.0)


def _words(name: str, row: Row, limit: Row) -> str:
    each = ", ".join(f"{part.upper()} {row[part]:.4f}" for part in PARTS)
    return f"n = {row['n']}: {name} is off by {row['error']:.4f}, parts {each}; the bound is {limit['bound']:.3f}."
