"""The labels of layers that stand at a place in their panel, clear of what is drawn there."""

from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.views.layers import Annotations, Axes, Layer, Lines, Panel, Place
from knnviz.views.margins import text_width
from knnviz.views.marks import naming

#: By a text's alignment: how much of its width lies left of its position, and CSS pixels from the
#: position to it.
ALIGNED = {
    "left": (0, 13, 0),
    "right": (1, -13, 0),
    "center": (0.5, 0, 11),
    "below": (0.5, 0, -11),
    "middle": (0.5, 0, 0),
}

#: CSS pixels from the rim of the axes to a text, and up from its middle in multiples of its size.
RIM = 3
HALF_HEIGHT = 0.6

#: Half the height of letters, in multiples of their size, and of a grip, in CSS pixels.
HALF_LETTER = 0.5
GRIP = 12.5

#: From one of two texts to the one below it, in multiples of their size.
LINE = 1.25

#: CSS pixels between two texts side by side, which would read as one.
GAP = 10

#: CSS pixels of a cell of the axes, in which something may be in the way of a label, and how many
#: cells of its line are from one place where it may stand to the next.
CELL = 2
STRIDE = 5


def labelled(panel: Panel) -> tuple[Layer, ...]:
    """The layers, and above them all labels that have a place, or stand as near to it as lines,
    grips, other texts and each other leave room.
    """
    layers = tuple([in_lines(layer, panel.axes) for layer in panel.layers])
    owners = [layer for layer in layers if isinstance(layer.at, Place) and layer.legend]
    if not owners:
        return layers
    labels = [named(layer) for layer in owners]
    sheet = Sheet(panel.axes)
    for layer in (*layers, *labels):
        sheet.put(layer)
    for i, (layer, label) in enumerate(zip(owners, labels, strict=True)):
        sheet.put(label, -1)
        labels[i] = sheet.aside(label, layer)
        sheet.put(labels[i])
    return *layers, *labels


def in_lines(layer: Layer, axes: Axes) -> Layer:
    """A layer; if it is of two texts, one below the other, these are at least a line apart."""
    if not isinstance(layer, Annotations) or len(layer.texts) != 2 or np.ptp(layer.x):
        return layer
    low, high = axes.ylim
    least = LINE * layer.size * (high - low) / axes.rectangle[3]
    if abs(np.diff(layer.y)[0]) >= least:
        return layer
    middle = np.mean(layer.y)
    return replace(layer, y=middle + np.array([least / 2, -least / 2]))


def named(layer: Any) -> Annotations:
    """The label of a layer at its place; of several the first."""
    entry = layer.legend[0]
    return naming(f"{layer.name}_name", layer.at, entry.label, entry.color)


class Sheet:
    """What is in the way of a label: how many lines, grips and texts are in each of the ``cells``
    (columns, rows) of axes. Places (m, 2) are CSS pixels from their lower left corner.
    """

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        _, _, width, height = axes.rectangle
        self.size = (width, height)
        self.sides = ((0, width), (0, height))
        scales: Any = (np.log, np.exp) if axes.log else (np.asarray, np.asarray)
        self.forth, self.back = scales
        self.ends = self.forth(axes.xlim), axes.ylim
        self.cells = np.zeros((width // CELL + 1, height // CELL + 1), int)

    def put(self, layer: Any, count: int = 1) -> None:
        """Have so many more of a layer in its cells."""
        if isinstance(layer, Lines):
            self.cells[tuple((self.path(layer) // CELL).astype(int).T)] += count
        if isinstance(layer, Annotations):
            for i, (x, y) in enumerate(self.places(layer)):
                if layer.texts[i]:
                    self.cells[self.letters(layer, (x, y), i, GAP)] += count
                if layer.handles or layer.cross:
                    self.cells[area(x - GRIP, x + GRIP, y, GRIP)] += count

    def aside(self, label: Annotations, layer: Any) -> Annotations:
        """A label where it is, or at the nearest place with less in the way: along its line, or
        else to the left or right.
        """
        (start,) = self.places(label)
        here = self.cells[self.letters(label, start)].sum()
        if not here:
            return label
        line = layer if hasattr(layer, "y") else Lines("", self.axes.xlim, label.y)
        path = self.path(line)[::STRIDE]
        nearest_first = path[np.hypot(*(path - start).T).argsort()]
        choices = [replace(label, align=align) for align in ALIGNED]
        sums = self.cells.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, dtype=np.int32)
        sums = np.pad(sums, ((1, 0), (1, 0)))
        covered = np.transpose([self.covered(sums, each, nearest_first) for each in choices])
        if covered.min(initial=here) == here:
            return label
        i, j = np.unravel_index(covered.argmin(), covered.shape)
        x, y = map(np.interp, nearest_first[i], self.sides, self.ends)
        return replace(choices[j], x=self.back(x), y=y)

    def covered(self, sums: np.ndarray, label: Annotations, places: np.ndarray) -> np.ndarray:
        """How much is in the way (m,) of a label at each of the places (m, 2), from sums over all
        cells before each to the left and below.
        """
        across, up = self.letters(label, places.T)
        columns = np.minimum([across.start, across.stop], len(sums) - 1)
        rows = np.minimum([up.start, up.stop], len(sums[0]) - 1)
        left, right = sums[columns[:, None], rows]
        low, high = right - left
        return high - low

    def places(self, layer: Any) -> np.ndarray:
        """Where the points of a layer are, those beyond the axes at their rim."""
        values = self.forth(np.clip(layer.x, *self.axes.xlim)), layer.y
        return np.transpose([*map(np.interp, values, self.ends, self.sides)])

    def path(self, layer: Any) -> np.ndarray:
        """Places along a line within the axes, a cell apart, none of them in its gaps."""
        corners = np.vstack([[np.nan, np.nan], self.places(layer)])
        steps = abs(np.diff(corners, axis=0)).max(axis=1)
        way = np.append(0, np.nan_to_num(steps).cumsum())
        at = np.arange(0, way[-1] + 1, CELL)
        places = np.transpose([np.interp(at, way, each) for each in corners.T])
        return places[((places > 0) & (places < self.size)).all(axis=1)]

    def letters(
        self, layer: Annotations, place: Any, i: int = 0, gap: int = 0
    ) -> tuple[slice, slice]:
        """The cells of one of the texts of a layer if it is at a place, and of a gap beside it."""
        left, right, middle = written(layer, layer.texts[i], place, self.size)
        return area(left - gap, right + gap, middle, HALF_LETTER * layer.size)


def area(left: Any, right: Any, middle: Any, half: float) -> tuple[slice, slice]:
    """The cells of a box from left to right, as far above its middle as below."""
    ends = np.maximum([left, right, middle - half, middle + half], 0).astype(int) // CELL
    first, last, low, high = ends
    return slice(first, last + 1), slice(low, high + 1)


def written(layer: Annotations, text: str, at: Any, size: Any) -> tuple[Any, Any, Any]:
    """Both ends of a text and its middle, within axes of a width and height; its position is ``at``
    x and y from their lower left corner, one or many of each.
    """
    x, y = at
    width, height = size
    before, across, up = ALIGNED[layer.align]
    long = layer.size * text_width(text, bold=True)
    rim = RIM + HALF_HEIGHT * layer.size
    left = np.maximum(np.minimum(x + across - before * long, width - RIM - long), RIM)
    return left, left + long, np.maximum(np.minimum(y + up, height - rim), rim)
