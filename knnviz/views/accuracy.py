"""Accuracies of robust kNN (RkNN) and kNN: a row of panels for each parameter, a column for each
data set.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from knnviz.views import risk, static, style
from knnviz.views.layers import Axes, Layer, Lines, Panel, Picture
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
        raise ValueError(
            f"axes must be some of {', '.join(LABELS)}, got {', '.join(sorted(unknown)) or 'none'}"
        )
    sets = list(dict.fromkeys(row["data"] for measured in rows.values() for row in measured))
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
    pairs = dict.fromkeys((row["p1"], row["p0"]) for row in rows)
    return {pair: [row for row in rows if (row["p1"], row["p0"]) == pair] for pair in pairs}


def _panel(
    over: str,
    name: str,
    down: int,
    across: int,
    curves: dict[tuple[float, float], list[Row]],
    legend_columns: int,
) -> Panel:
    end = 1.04 * max((row[over] for found in curves.values() for row in found), default=1)
    axes = Axes(
        f"{over}_{name}",
        "" if down else name.replace("_", " "),
        LABELS[over],
        "" if across else "accuracy",
        (0, end),
        LIMITS,
        (LEFT + COLUMN_STEP * across, TOP + ROW_STEP * down, WIDTH, HEIGHT),
        legend_columns=legend_columns,
        xticks=round_places(0, end, 5),
    )
    layers = [
        layer for code, curve in enumerate(curves.items()) for layer in _layers(over, code, *curve)
    ]
    return Panel(axes, risk.lines_then_bands(layers))


def _layers(over: str, code: int, rates: tuple[float, float], rows: list[Row]) -> Iterator[Layer]:
    x, robust, error, plain = (
        np.array([row[name] for row in rows]) for name in (over, "rknn", "rknn_se", "knn")
    )
    color = style.class_color(code)
    title = _title(*rates)
    yield from risk.curve(x, robust, error, f"RkNN, {title}", f"rknn_{code}", color)
    yield Lines(
        name=f"knn_{code}", label=f"kNN, {title}", x=x, y=plain, color=color, width=1.5, dash=(4, 3)
    )


def _without_legend(panel: Panel) -> Panel:
    return replace(panel, layers=tuple(replace(layer, label=None) for layer in panel.layers))


def _title(p1: float, p0: float) -> str:
    return f"p1 = {p1:g}, p0 = {p0:g}"


def _describe(over: str, name: str, rates: tuple[float, float], rows: list[Row]) -> str:
    best = max(rows, key=lambda row: row["rknn"])
    ends = " to ".join(f"{row['rknn']:.3f} at {over} = {row[over]}" for row in (rows[0], rows[-1]))
    return f"{name}, {_title(*rates)}: RkNN {ends}; highest {best['rknn']:.3f} at {best[over]}."
