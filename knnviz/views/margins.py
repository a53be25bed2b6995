"""The margins of a panel around its axes, for title, ticks, labels and the rows of its legend."""

from collections.abc import Sequence
from typing import NamedTuple

from knnviz.views.layers import Axes, Panel


class Margins(NamedTuple):
    """CSS pixels around the axes of a panel."""

    left: int
    top: int
    right: int
    bottom: int


def margins(panel: Panel) -> Margins:
    axes = panel.axes
    rows = max(axes.legend_rows, -(-len(panel.legend) // axes.legend_columns))
    # A row is higher than its letters, and there is a small margin around all rows.
    legend = round(1.245 * axes.legend_size * rows) + 3 if rows else 0
    return Margins(left=left_margin(axes), top=36 if axes.title else 8, right=14, bottom=legend_offset(axes) + legend)


def sheet_size(panels: Sequence[Panel], right: int) -> tuple[int, int]:
    """Width and height of a sheet whose last panel is at the lower right, with a margin on the right."""
    left, top, width, height = panels[-1].axes.rectangle
    return left + width + right, top + height + max(margins(panel).bottom for panel in panels)


def legend_offset(axes: Axes) -> int:
    """CSS pixels from the axes down to the legend: room for ticks and a label, for ticks alone, or for neither."""
    return 50 if axes.xlabel else 4 if axes.bare else 30


def left_margin(axes: Axes) -> int:
    """CSS pixels to the left of the axes."""
    if axes.bare:
        return 14
    # A letter is at most 0.62 times as wide as its size of 14; ticks without names take up to 44 pixels.
    names = round(0.62 * 14 * max(map(len, axes.ynames), default=0))
    label = 62 + 18 * axes.ylabel.count("\n") if axes.ylabel else 44
    return label + max(names - 44 + 14, 0)
