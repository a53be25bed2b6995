"""Layout: panels in rows and columns; where they stand follows from the width and from what their legends hold."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from knnviz.views import map as map_view
from knnviz.views import vote_curve
from knnviz.views.layers import Axes, Panel, Rect
from knnviz.views.room import left as left_room
from knnviz.views.room import room


@dataclass(frozen=True)
class Cell:
    """One panel: the height of its axes as a fraction of their width or in CSS pixels; no room if it is not on show."""

    name: str
    aspect: float = 0.0
    height: int = 0

    def place(self, panels: Mapping[str, Panel], at: tuple[int, int], width: int) -> tuple[dict[str, Rect], int]:
        """Rectangles by name within a width from a corner (left, top) on, and the height that they take."""
        if self.name not in panels:
            return {}, 0
        around, (left, top) = room(panels[self.name]), at
        wide = width - around.left - around.right
        high = self.height or round(self.aspect * wide)
        return {self.name: (left + around.left, top + around.top, wide, high)}, around.top + high + around.bottom


@dataclass(frozen=True)
class Rows:
    """One below the other, all of the same width."""

    parts: tuple[Any, ...]

    def place(self, panels: Mapping[str, Panel], at: tuple[int, int], width: int) -> tuple[dict[str, Rect], int]:
        found: dict[str, Rect] = {}
        below = 0
        for part, shift in zip(self.parts, self.shifts(panels), strict=True):
            places, high = part.place(panels, (at[0] + shift, at[1] + below), width - shift)
            found, below = found | places, below + high
        return found, below

    def shifts(self, panels: Mapping[str, Panel]) -> list[int]:
        """How far to the right each part begins."""
        return [0] * len(self.parts)


@dataclass(frozen=True)
class Aligned(Rows):
    """Cells one below the other, whose axes begin at the same left edge."""

    def shifts(self, panels: Mapping[str, Panel]) -> list[int]:
        lefts = [left_room(panels[part.name].axes) if part.name in panels else 0 for part in self.parts]
        return [max(lefts) - left for left in lefts]


@dataclass(frozen=True)
class Columns:
    """Side by side, from the same top on, each with a fraction of the width; one that holds no panel takes none."""

    parts: tuple[Any, ...]
    ratios: tuple[float, ...]

    def place(self, panels: Mapping[str, Panel], at: tuple[int, int], width: int) -> tuple[dict[str, Rect], int]:
        found: dict[str, Rect] = {}
        (left, top), deepest, right = at, 0, 0.0
        for part, ratio in zip(self.parts, self.ratios, strict=True):
            if not part.place(panels, at, width)[0]:
                continue
            begin, right = round(right), right + width * ratio / sum(self.ratios)
            places, high = part.place(panels, (left + begin, top), round(right) - begin)
            found, deepest = found | places, max(deepest, high)
        return found, deepest


def cell(part: Any) -> Cell | Rows | Columns:
    """A part of a layout: a name with a fraction, as ("map", 1.0), stands for a cell."""
    return Cell(*part) if isinstance(part, tuple) else part


def rows(*parts: Any) -> Rows:
    return Rows(tuple(map(cell, parts)))


def aligned(*parts: Any) -> Aligned:
    return Aligned(tuple(map(cell, parts)))


def columns(*parts: Any, ratios: tuple[float, ...] = ()) -> Columns:
    """Parts side by side, equally wide unless ``ratios`` are given."""
    return Columns(tuple(map(cell, parts)), ratios or (1.0,) * len(parts))


@dataclass(frozen=True)
class Scale:
    """How a layout is drawn: width in CSS pixels, magnified by ``factor``, letters in legends, number of points."""

    width: int
    factor: float = 1.0
    legend: Mapping[str, Any] = field(default_factory=dict)
    votes_text: vote_curve.Setting = vote_curve.ONE_LINE
    most_points: int = map_view.MOST_POINTS


#: On a screen, and on the projector of a lecture hall: a narrower sheet, magnified, so that letters take more of it.
SCREEN = Scale(920, legend={"legend_left": 8})
PROJECTOR = Scale(667, 1.5, {"legend_size": 12.0, "legend_left": 48}, vote_curve.TWO_LINES, most_points=300)


#: Width of a sheet as a fraction of the whole, at least.
NARROWEST = 0.62


def arranged(layout: Any, panels: tuple[Panel, ...], scale: Scale) -> tuple[tuple[Panel, ...], tuple[int, int]]:
    """Panels at their places, and the size of the sheet.

    Where columns hold no panel, the sheet is as narrow as the others are, and these are enlarged to ``NARROWEST``.
    """
    lettered = {each.axes.name: replace(each, axes=with_legend(each.axes, scale)) for each in panels}
    least = NARROWEST * scale.width
    places, size = placed(layout, lettered, scale.width)
    if places and size[0] < least:
        places, size = placed(layout, lettered, round(scale.width * least / size[0]))
    return tuple(
        replace(each, axes=replace(each.axes, rectangle=places[name])) for name, each in lettered.items()
    ), size


def placed(layout: Any, panels: Mapping[str, Panel], width: int) -> tuple[dict[str, Rect], tuple[int, int]]:
    """Rectangles by name, and the width and height that they take of a sheet."""
    places, height = layout.place(panels, (0, 0), width)
    ends = (left + wide + room(panels[name]).right for name, (left, _, wide, _) in places.items())
    return places, (max(ends, default=0), height)


def with_legend(axes: Axes, scale: Scale) -> Axes:
    """Axes with the letters of a scale in their legend, which begins where there is room."""
    reach = min(scale.legend.get("legend_left", axes.legend_left), left_room(axes))
    return replace(axes, **{**scale.legend, "legend_left": reach})
