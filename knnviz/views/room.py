"""The room that a panel takes around its axes: title, ticks, labels, and the rows of its legend."""

from collections.abc import Sequence
from typing import NamedTuple

from knnviz.views.layers import Axes, Panel

#: CSS pixels above the axes, with a title and without; and to their right.
TITLE, UNTITLED, RIGHT = 36, 8, 14

#: CSS pixels to the left of the axes: with a label and ticks, with ticks alone, and with neither.
LABEL, TICKS, BARE_LEFT = 62, 44, 14

#: CSS pixels from the axes down to their legend: room for ticks and label, for ticks alone, and for neither.
LEGEND_DROP, UNLABELLED_DROP, BARE_DROP = 50, 30, 4

#: Height of a row of the legend, as a multiple of the size of its letters, and of the frame around all rows.
ROW, FRAME = 1.245, 3

#: CSS pixels of each further line of a label.
LINE = 18

#: Largest width of a letter, as a fraction of its size, for the room that names of ticks need.
LETTER = 0.62


class Room(NamedTuple):
    """CSS pixels around the axes of a panel."""

    left: int
    top: int
    right: int
    bottom: int


def room(panel: Panel) -> Room:
    """The room around the axes of a panel, its legend included."""
    axes = panel.axes
    rows = max(axes.legend_rows, -(-len(panel.legend_labels) // axes.legend_columns))
    legend = round(ROW * axes.legend_size * rows) + FRAME if rows else 0
    return Room(left(axes), TITLE if axes.title else UNTITLED, RIGHT, drop(axes) + legend)


def sheet_size(panels: Sequence[Panel], right: int) -> tuple[int, int]:
    """Width and height of a sheet whose last panel is at the lower right, with a margin on the right."""
    left, top, width, height = panels[-1].axes.rectangle
    return left + width + right, top + height + max(room(panel).bottom for panel in panels)


def drop(axes: Axes) -> int:
    """CSS pixels from the axes down to the legend."""
    return LEGEND_DROP if axes.xlabel else BARE_DROP if axes.bare else UNLABELLED_DROP


def left(axes: Axes) -> int:
    """CSS pixels to the left of the axes."""
    if axes.bare:
        return BARE_LEFT
    names = round(LETTER * 14 * max(map(len, axes.ynames), default=0))
    label = LABEL + LINE * axes.ylabel.count("\n") if axes.ylabel else TICKS
    return label + max(names - TICKS + 14, 0)
