"""Accuracies of robust kNN (RkNN) and kNN: a row of panels for each parameter, a column for each
data set.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from knnviz.views import marks, risk, static, style
from knnviz.views.layers import Axes, Layer, Panel, Picture
from knnviz.views.margins import sheet_size
from knnviz.views.ticks import round_places

#: "data", flip rates "p1" and "p0", a parameter such as "k", accuracies "rknn" and "knn", standard
#: error "rknn_se".
Row = Mapping[str, Any]

#: Labels of the x axis by parameter.
LABELS = {"k": "neighbors k", "k_noise": "neighbors for the noise k'", "n": "training rows n"}

#: Width and height of axes, the distances from one to the next across and down, and the margins of
#: the sheet.
WIDTH = 250
HEIGHT = 190
COLUMN_STEP = 300
ROW_STEP = 270
LEFT = 70
TOP = 40
RIGHT = 20

#: Limits of the y axis; 1/2 is the accuracy of a coin.
LIMITS = (0.5, 1.0)


def plot_accuracies(rows: Mapping[str, Sequence[Row]]) -> Figure:
    """Plot accuracies over some of "k", "k_noise" and "n", from rows of the run of each figure.

    A color is a pair of flip rates; RkNN is a solid line with a band of two standard errors to each
    side, kNN a dashed one. Accuracies are drawn from 1/2 to 1. Raises ValueError for another
    parameter, and without rows.

    Examples
    --------
    >>> from knnviz import views
    >>> from knnviz.lessons import load
    >>> rows = load("gao_figure_2").results["accuracy"]
    >>> len(views.plot_accuracies({"k": rows}).axes), len({row["data"] for row in rows})
    (4, 4)
    """
    return static.figure(picture(rows), max_colors=64)


def picture(rows: Mapping[str, Sequence[Row]]) -> Picture:
    """The picture of ``plot_accuracies``, described by the ends and the highest point of each curve
    of RkNN.
    """
    unknown = set(rows) - set(LABELS)
    if unknown or not rows:
        got = ", ".join(sorted(unknown)) or "none"
        raise ValueError(f"axes must be some of {', '.join(LABELS)}, got {got}")
    every_row = chain.from_iterable(rows.values())
    sets = list(dict.fromkeys(row["data"] for row in every_row))
    if not sets:
        raise ValueError("there are no rows to draw")
    panels = []
    sentences = []
    for down, (over, measured) in enumerate(rows.items()):
        for across, name in enumerate(sets):
            curves = _curves([row for row in measured if row["data"] == name])
            panels.append(_panel(over, name, down, across, curves, legend_columns=len(sets)))
            sentences += [_describe(over, name, *curve) for curve in curves.items()]
    # One legend is enough: that of the panel in the lower left corner.
    corner = len(panels) - len(sets)
    panels = [panel if i == corner else _without_legend(panel) for i, panel in enumerate(panels)]
    return Picture(tuple(panels), sheet_size(panels, RIGHT), " ".join(sentences))


def _curves(rows: Sequence[Row]) -> dict[tuple[float, float], list[Row]]:
    """Rows of one data set by flip rates (p1, p0), in the order in which these appear."""
    curves: dict[tuple[float, float], list[Row]] = {}
    for row in rows:
        curves.setdefault((row["p1"], row["p0"]), []).append(row)
    return curves


def _panel(
    over: str,
    name: str,
    down: int,
    across: int,
    curves: dict[tuple[float, float], list[Row]],
    legend_columns: int,
) -> Panel:
    every_row = chain.from_iterable(curves.values())
    last = max((row[over] for row in every_row), default=1)
    end = 1.04 * last
    left = LEFT + COLUMN_STEP * across
    top = TOP + ROW_STEP * down
    axes = Axes(
        f"{over}_{name}",
        "" if down else name.replace("_", " "),
        LABELS[over],
        "" if across else "accuracy",
        (0, end),
        LIMITS,
        (left, top, WIDTH, HEIGHT),
        legend_columns=legend_columns,
        xticks=round_places(0, end, 5),
    )
    layers: list[Layer] = []
    for code, curve in enumerate(curves.items()):
        layers += _layers(over, code, *curve)
    return Panel(axes, risk.lines_then_bands(layers))


def _layers(over: str, code: int, rates: tuple[float, float], rows: list[Row]) -> Iterator[Layer]:
    columns = (over, "rknn", "rknn_se", "knn")
    x, robust, error, plain = (np.array([row[name] for row in rows]) for name in columns)
    color = style.class_color(code)
    title = _title(*rates)
    yield from risk.curve(x, robust, error, f"RkNN, {title}", f"rknn_{code}", color)
    label = f"kNN, {title}"
    yield marks.curve(f"knn_{code}", label, x, plain, color, dash=(4, 3), width=1.5)


def _without_legend(panel: Panel) -> Panel:
    unlabelled = [replace(layer, label=None) for layer in panel.layers]
    return replace(panel, layers=unlabelled)


def _title(p1: float, p0: float) -> str:
    return f"p1 = {p1:g}, p0 = {p0:g}"


def _describe(over: str, name: str, rates: tuple[float, float], rows: list[Row]) -> str:
    best = max(rows, key=lambda row: row["rknn"])
    ends = [f"{row['rknn']:.3f} at {over} = {row[over]}" for row in (rows[0], rows[-1])]
    from_to = " to ".join(ends)
    return f"{name}, {_title(*rates)}: RkNN {from_to}; highest {best['rknn']:.3f} at {best[over]}."
