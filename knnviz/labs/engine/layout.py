"""Layout: panels in rows and columns. Their positions follow from the width, and from the size of their legends."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from knnviz.views import map as map_view
from knnviz.views import vote_curve
from knnviz.views.layers import Axes, Panel, Rect
from knnviz.views.margins import left_margin, margins


@dataclass(frozen=True)
class Cell:
    """One panel: the height of its axes as a fraction of their width, or in CSS pixels; hidden panels take no room."""

    name: str
    aspect: float = 0.0
    height: int = 0

    def place(self, panels: Mapping[str, Panel], at: tuple[int, int], width: int) -> tuple[dict[str, Rect], int]:
        """Rectangles of axes by panel, from the corner ``at`` (left, top) on, and the height of all in this width."""
        if self.name not in panels:
            return {}, 0
        around, (left, top) = margins(panels[self.name]), at
        axes_width = width - around.left - around.right
        axes_height = self.height or round(self.aspect * axes_width)
        rectangle = left + around.left, top + around.top, axes_width, axes_height
        return {self.name: rectangle}, around.top + axes_height + around.bottom


@dataclass(frozen=True)
class Rows:
    """One below the other, all of the same width."""

    parts: tuple[Any, ...]

    def place(self, panels: Mapping[str, Panel], at: tuple[int, int], width: int) -> tuple[dict[str, Rect], int]:
        rectangles: dict[str, Rect] = {}
        height = 0
        for part, indent in zip(self.parts, self.indents(panels), strict=True):
            of_part, part_height = part.place(panels, (at[0] + indent, at[1] + height), width - indent)
            rectangles |= of_part
            height += part_height
        return rectangles, height

    def indents(self, panels: Mapping[str, Panel]) -> list[int]:
        """How far to the right each part begins."""
        return [0] * len(self.parts)


@dataclass(frozen=True)
class Aligned(Rows):
    """Cells one below the other, whose axes begin at the same left edge."""

    def indents(self, panels: Mapping[str, Panel]) -> list[int]:
        lefts = [left_margin(panels[part.name].axes) if part.name in panels else 0 for part in self.parts]
        return [max(lefts) - left for left in lefts]


@dataclass(frozen=True)
class Columns:
    """Side by side, from the same top on, with widths in these ratios; a part without a panel takes no width."""

    parts: tuple[Any, ...]
    ratios: tuple[float, ...]

    def place(self, panels: Mapping[str, Panel], at: tuple[int, int], width: int) -> tuple[dict[str, Rect], int]:
        rectangles: dict[str, Rect] = {}
        (left, top), height, right = at, 0, 0.0
        for part, ratio in zip(self.parts, self.ratios, strict=True):
            if not part.place(panels, at, width)[0]:
                continue
            begin, right = round(right), right + width * ratio / sum(self.ratios)
            of_part, part_height = part.place(panels, (left + begin, top), round(right) - begin)
            rectangles |= of_part
            height = max(height, part_height)
        return rectangles, height


def cell(part: Any) -> Cell | Rows | Columns:
    """A part of a layout; a name with a fraction, such as ("map", 1.0), becomes a cell."""
    return Cell(*part) if isinstance(part, tuple) else part


def rows(*parts: Any) -> Rows:
    return Rows(tuple(map(cell, parts)))


def aligned(*parts: Any) -> Aligned:
    return Aligned(tuple(map(cell, parts)))


def columns(*parts: Any, ratios: tuple[float, ...] = ()) -> Columns:
    """Parts side by side, with widths in these ``ratios``; by default all equal."""
    return Columns(tuple(map(cell, parts)), ratios or (1.0,) * len(parts))


@dataclass(frozen=True)
class DisplayScale:
    """How a layout is drawn: its width in CSS pixels, magnified by ``factor``, and at most how many points.

    ``legend`` are fields of ``Axes``, and ``votes_text`` sets the text of the vote panel.
    """

    width: int
    factor: float = 1.0
    legend: Mapping[str, Any] = field(default_factory=dict)
    votes_text: vote_curve.TextLayout = vote_curve.ONE_LINE
    max_points: int = map_view.MAX_POINTS


#: On a screen, and on a projector: a narrower sheet that is magnified, so that letters take more of it.
SCREEN = DisplayScale(920, legend={"legend_left": 8})
PROJECTOR = DisplayScale(667, 1.5, {"legend_size": 12.0, "legend_left": 48}, vote_curve.TWO_LINES, max_points=300)


#: Smallest width of a sheet, as a fraction of the full width.
MIN_WIDTH_FRACTION = 0.62


def arranged(layout: Any, panels: tuple[Panel, ...], scale: DisplayScale) -> tuple[tuple[Panel, ...], tuple[int, int]]:
    """Panels with their rectangles, and the size of the sheet.

    If columns have no panel, the sheet is narrower; it is enlarged to ``MIN_WIDTH_FRACTION`` if it is below that.
    """
    by_name = {each.axes.name: replace(each, axes=with_legend(each.axes, scale)) for each in panels}
    min_width = MIN_WIDTH_FRACTION * scale.width
    rectangles, size = placed(layout, by_name, scale.width)
    if rectangles and size[0] < min_width:
        rectangles, size = placed(layout, by_name, round(scale.width * min_width / size[0]))
    return tuple(
        replace(each, axes=replace(each.axes, rectangle=rectangles[name])) for name, each in by_name.items()
    ), size


def placed(layout: Any, panels: Mapping[str, Panel], width: int) -> tuple[dict[str, Rect], tuple[int, int]]:
    """Rectangles of axes by panel, and the width and height of the sheet."""
    rectangles, height = layout.place(panels, (0, 0), width)
    right_edges = [left + wide + margins(panels[name]).right for name, (left, _, wide, _) in rectangles.items()]
    return rectangles, (max(right_edges, default=0), height)


def with_legend(axes: Axes, scale: DisplayScale) -> Axes:
    """Axes with the legend of a scale, which begins at most as far left of the axes as there is room."""
    legend_left = min(scale.legend.get("legend_left", axes.legend_left), left_margin(axes))
    return replace(axes, **{**scale.legend, "legend_left": legend_left})
