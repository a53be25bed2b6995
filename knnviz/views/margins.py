"""The margins of a panel around its axes, for title, ticks, labels and the rows of its legend."""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from knnviz.views import style
from knnviz.views.layers import Axes, Panel

#: CSS pixels to the right of the axes.
RIGHT_MARGIN = 16

#: In a legend, in multiples of the size of its letters: what stands before a label, and the gap
#: between columns.
LEGEND_SAMPLE = 2.4
LEGEND_GAP = 1.2

#: What a browser may need more, which has another font.
LEGEND_SLACK = 1.03


class Margins(NamedTuple):
    """CSS pixels around the axes of a panel."""

    left: int
    top: int
    right: int
    bottom: int


def margins(panel: Panel) -> Margins:
    axes = panel.axes
    rows = -(-len(panel.legend) // axes.legend_columns)
    # A row is higher than its letters, and there is a small margin around all rows.
    legend = round(1.245 * axes.legend_size * rows) + 5 if rows else 0
    top = 28 if axes.title else 8
    return Margins(left_margin(axes), top, RIGHT_MARGIN, legend_offset(axes) + legend)


def legend_width(panel: Panel, columns: int) -> float:
    """CSS pixels that the legend of a panel takes in some columns: down the first one, then the
    next.
    """
    widths = [text_width(entry.label) for entry in panel.legend]
    labels = [max(column, default=0) for column in np.array_split(widths, columns)]
    width = sum(labels) + columns * LEGEND_SAMPLE + (columns - 1) * LEGEND_GAP
    return LEGEND_SLACK * panel.axes.legend_size * width


@lru_cache(4096)
def text_width(text: str, bold: bool = False) -> float:
    """The width of a text, in multiples of the size of its letters."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=100, weight="bold" if bold else "normal")
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, False)
    return float(width) / 100


def with_fitting_legend(panel: Panel, width: int) -> Panel:
    """A panel whose axes have this width, with a legend of as many of its columns as fit on the
    sheet below them.
    """
    room = panel.axes.legend_left + width + RIGHT_MARGIN
    columns = panel.axes.legend_columns
    while columns > 1 and legend_width(panel, columns) > room:
        columns -= 1
    return replace(panel, axes=replace(panel.axes, legend_columns=columns))


def legend_offset(axes: Axes) -> int:
    """CSS pixels from the axes down to the legend: room for ticks and a label, for ticks alone, or
    for neither.
    """
    if axes.xlabel:
        return 46
    return 4 if axes.bare else 27


def left_margin(axes: Axes) -> int:
    """CSS pixels to the left of the axes."""
    if axes.bare:
        return 14
    # Ticks without names take up to 42 pixels.
    longest = max(map(text_width, axes.ynames), default=0)
    names = round(LEGEND_SLACK * style.RC["ytick.labelsize"] * longest)
    label = 60 + 17 * axes.ylabel.count("\n") if axes.ylabel else 42
    return label + max(names - 42 + 12, 0)
