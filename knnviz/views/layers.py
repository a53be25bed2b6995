"""The kinds of layers: plain arrays with a style, drawn alike with matplotlib and in the browser.

Coordinates are data coordinates. Sizes and widths are CSS pixels of the sheet, which a page may
stretch. A layer's ``name`` identifies it within its panel. The ``label`` of lines, bands and fills
stands at a place, in the color of the layer, or else in the legend, if they draw anything.

A new picture mostly needs a function in a view, which returns layers of the kinds below. A new kind
is a dataclass here, with a painter in ``knnviz/views/artists.py`` and one of the same name in
``knnviz/labs/engine/painters.js``. It has an example in ``every_layer`` and an empty one in
``without_anything`` of ``tests/views/test_static.py``, and one in
``tests/browser/test_painters.py``, which holds both painters to the same places.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from knnviz.views import style

#: Left, right, bottom and top, in data coordinates.
Extent = tuple[float, float, float, float]

#: Left, top, width and height on a sheet, in whole CSS pixels.
Rect = tuple[int, int, int, int]

#: An argument of a layer: a number, a sequence or an array, which becomes an array (n,).
Values = Any

#: The outline of a ring.
RING = style.polygon(32)

#: Fields of arrays of one length, and what they hold.
ARRAYS: dict[str, Any] = dict.fromkeys(("x", "y", "lower", "upper", "heights"), float)
ARRAYS |= {"codes": np.uint8, "ringed": bool}


class Place(NamedTuple):
    """Where a label stands, in data coordinates, aligned as ``Annotations`` are."""

    x: float
    y: float
    align: str = "center"


class Entry(NamedTuple):
    """An entry of a legend: a ``marker`` of unit size and its ``size``, a ``line`` of that width,
    or else a patch.

    Marker and patch are filled with ``color``, nothing if empty, of some ``opacity``; ``edge`` is
    their outline of ``width``. A line has the ``color`` and a ``dash``, a patch a ``hatch``.
    """

    label: str
    color: str = ""
    edge: str = ""
    width: float = 1.0
    opacity: float = 1.0
    hatch: str = ""
    line: float = 0.0
    dash: tuple[float, ...] = ()
    marker: style.Marker = ()
    size: float = 0.0


@dataclass(frozen=True, eq=False)
class Layer:
    """The base of all layers: a name and what is drawn, then how it looks, by name. Coordinates
    become arrays (n,), a number being repeated.

    A label may stand ``at`` a place, in the color of the layer. Those who hear the picture are told
    every label, one "in words" them alone.
    """

    name: str
    _: KW_ONLY
    label: str | None = None
    at: Place | Literal["in the legend", "in words"] = "in the legend"

    def __post_init__(self) -> None:
        names = [name for name in ARRAYS if name in vars(self)]
        arrays = [np.ascontiguousarray(vars(self)[name], ARRAYS[name]) for name in names]
        equal = map(np.ascontiguousarray, np.broadcast_arrays(*arrays))
        vars(self).update(zip(names, equal, strict=True))

    @cached_property
    def legend(self) -> tuple[Entry, ...]:
        """Its entries in the legend: its own if it draws anything, and those of its codes."""
        entry = self.entry(self.label) if self.label else None
        return (entry,) if entry else ()

    def entry(self, label: str) -> Entry | None:
        """What stands for a label, if it draws anything."""
        return None


@dataclass(frozen=True, eq=False)
class Coded(Layer):
    """A layer colored by codes: ``palette`` are "#RRGGBB" or "#RRGGBBAA"; ``labels`` always stand
    in the legend.
    """

    _: KW_ONLY
    palette: tuple[str, ...]
    labels: tuple[str, ...] = ()

    @cached_property
    def legend(self) -> tuple[Entry, ...]:
        both = zip(self.labels, self.palette, strict=False)
        return tuple(Entry(label, color, style.MUTED, 0.8) for label, color in both)


@dataclass(frozen=True, eq=False)
class Raster(Coded):
    """Cells of codes (rows, columns) uint8, lowest row first, over an extent.

    ``outline`` is the color of the line between different codes, None for none.
    """

    codes: np.ndarray
    extent: Extent
    _: KW_ONLY
    outline: str | None = None


@dataclass(frozen=True, eq=False)
class Fill(Layer):
    """A set of cells (rows, columns) bool, lowest row first, over an extent: tinted, outlined, and
    hatched.

    ``hatch`` is the direction of the stripes, "/" or "\\"; ``opacity`` that of the tint between
    them.
    """

    cells: np.ndarray
    extent: Extent
    _: KW_ONLY
    color: str = style.INK
    hatch: str = "/"
    opacity: float = 0.12

    def entry(self, label: str) -> Entry | None:
        if not self.cells.any():
            return None
        return Entry(label, self.color, self.color, 0.7, self.opacity, self.hatch)


@dataclass(frozen=True, eq=False)
class Band(Layer):
    """The area between ``lower`` and ``upper`` over x, all (n,), interrupted at a NaN."""

    x: Values
    lower: Values
    upper: Values
    _: KW_ONLY
    color: str = style.INK
    opacity: float = 0.25

    def entry(self, label: str) -> Entry | None:
        if not np.isfinite(self.lower).any():
            return None
        return Entry(label, self.color, opacity=self.opacity)


@dataclass(frozen=True, eq=False)
class Bars(Coded):
    """Bars with codes (n,) uint8, from zero to heights (n,), centred at x (n,), ``width`` in data
    coordinates.
    """

    x: Values
    heights: Values
    codes: np.ndarray
    _: KW_ONLY
    width: float = 0.8


@dataclass(frozen=True, eq=False)
class Lines(Layer):
    """Polylines x, y (n,), interrupted at a NaN; ``dash`` as lengths on and off.

    A label that names curves of several classes, ``for_all``, stands in ink.
    """

    x: Values
    y: Values
    _: KW_ONLY
    color: str = style.INK
    width: float = 2.0
    dash: tuple[float, ...] = ()
    for_all: bool = False

    def entry(self, label: str) -> Entry | None:
        color = style.INK if self.for_all else self.color
        known = np.isfinite(self.y).any()
        return Entry(label, color, line=self.width, dash=self.dash) if known else None


@dataclass(frozen=True, eq=False)
class Points(Coded):
    """Points x, y (n,) with class codes (n,) uint8; those that are ``ringed`` (n,) bool have a ring
    around them.

    A single code or truth value holds for all points, whose white outlines are ``halo`` wide. A
    ring is wider than its point by ``ring_gap``. It has the color of its class in ``ring_codes``
    (n,) uint8, black without them; the rings in the legend are ``ring_labels`` by this code. All
    are drawn with an ``opacity``, but for the legend.
    """

    x: Values
    y: Values
    _: KW_ONLY
    codes: Values = 0
    ringed: Values = False
    markers: tuple[style.Marker, ...]
    size: float = 7.0
    halo: float = 0.8
    opacity: float = 1.0
    ring_gap: float = 5.0
    ring_width: float = 1.3
    ring_codes: np.ndarray | None = None
    ring_labels: tuple[str, ...] = ()

    @cached_property
    def legend(self) -> tuple[Entry, ...]:
        # In the legend small points are larger, and large ones no larger than a row.
        size = min(max(self.size + 3, 10), 12)
        entries = []
        for label, color, at in zip(self.labels, self.palette, self.markers, strict=False):
            entries.append(Entry(label, color, style.PAPER, self.halo, marker=at, size=size))
        size = self.size + self.ring_gap
        for label, (color, ringed) in zip(self.ring_labels, self.rings, strict=False):
            if ringed.any():
                entries.append(Entry(label, "", color, self.ring_width, marker=RING, size=size))
        return tuple(entries)

    @property
    def rings(self) -> list[tuple[str, np.ndarray]]:
        """The colors of rings, and the points (n,) bool that have one of each."""
        codes = self.ring_codes
        if codes is None:
            return [(style.INK, self.ringed)]
        return [(color, self.ringed & (codes == code)) for code, color in enumerate(self.palette)]


@dataclass(frozen=True, eq=False)
class Annotations(Layer):
    """Positions x, y (n,) with a cross of size ``cross`` (0 for none), and a text beside it.

    ``align`` "left" lets the text begin right of the position, "right" end left of it; "center"
    puts it above the position, "below" below, "middle" onto it, but within the axes. ``halo`` is
    the width of its white outline.
    ``handles`` make positions movable by mouse and arrow keys, and name them for a screen reader;
    ``spoken`` are their values in words, or else the coordinates; ``pulls`` "x" or "y" says that
    they move only along that axis.
    """

    x: Values
    y: Values
    texts: tuple[str, ...]
    _: KW_ONLY
    color: str = style.INK
    size: float = 14.0
    cross: float = 0.0
    halo: float = 4.0
    handles: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()
    pulls: str = "xy"
    align: str = "left"


@dataclass(frozen=True)
class Axes:
    """Title, labels and limits of a panel, and its rectangle, all zeros until a layout places it.

    ``log`` makes the scale of x logarithmic. Where ``xticks`` or ``yticks`` are empty there are
    ticks at round numbers; ``xnames`` and ``ynames`` replace the numbers, or stand at 0, 1, 2, ...
    ``bare`` axes have a title, but no spines, ticks or labels. The legend has at most
    ``legend_columns``, and letters of ``legend_size``; it begins ``legend_left`` pixels to the left
    of the axes.
    """

    name: str
    title: str
    xlabel: str
    ylabel: str
    xlim: tuple[float, float]
    ylim: tuple[float, float]
    rectangle: Rect = (0, 0, 0, 0)
    log: bool = False
    legend_columns: int = 4
    xticks: tuple[float, ...] = ()
    yticks: tuple[float, ...] = ()
    xnames: tuple[str, ...] = ()
    ynames: tuple[str, ...] = ()
    bare: bool = False
    legend_size: float = style.RC["legend.fontsize"]
    legend_left: int = 0


@dataclass(frozen=True, eq=False)
class Panel:
    """Axes and the layers in them, lowest first, as a tuple; None among those that are given is
    left out.

    In a lab a ``click`` takes a position and returns the parameters to set, and what the panel
    ``says`` is added to the words that follow from its layers.
    """

    axes: Axes
    layers: Any
    click: Callable[[Any], Mapping[str, Any]] | None = None
    says: str = ""

    def __post_init__(self) -> None:
        vars(self)["layers"] = tuple(layer for layer in self.layers if layer is not None)

    def without(self, names: Collection[str]) -> "Panel":
        """The panel without some layers."""
        return replace(self, layers=[each for each in self.layers if each.name not in names])

    @cached_property
    def legend(self) -> tuple[Entry, ...]:
        """The entries of layers whose labels stand there, but for what a tick of y names; points
        stand before hatched sets.
        """
        keyed = [layer for layer in self.layers if layer.at == "in the legend"]
        entries = [entry for layer in keyed for entry in layer.legend]
        entries.sort(key=lambda entry: bool(entry.hatch))
        return tuple(entry for entry in entries if entry.label not in self.axes.ynames)


@dataclass(frozen=True, eq=False)
class Picture:
    """Panels on a sheet of width and height in CSS pixels, and their alternative text.

    ``scale`` magnifies the whole sheet, with its letters, markers and lines.
    """

    panels: tuple[Panel, ...]
    size: tuple[int, int]
    alt: str
    scale: float = 1.0


def cell_ends(cells: np.ndarray, extent: Extent) -> tuple[np.ndarray, np.ndarray]:
    """Where columns and rows of cells (rows, columns) begin and end in data coordinates."""
    rows, columns = cells.shape
    left, right, bottom, top = extent
    return np.linspace(left, right, columns + 1), np.linspace(bottom, top, rows + 1)


def edges(codes: np.ndarray, extent: Extent) -> np.ndarray:
    """Segments (s, 2, 2) between neighboring cells of different codes (rows, columns), in data
    coordinates.
    """
    x, y = cell_ends(codes, extent)
    row, column = np.nonzero(codes[:, 1:] != codes[:, :-1])
    beside = [x[column + 1], y[row], x[column + 1], y[row + 1]]
    row, column = np.nonzero(codes[1:] != codes[:-1])
    above = [x[column], y[row + 1], x[column + 1], y[row + 1]]
    return np.concatenate([beside, above], axis=1).T.reshape(-1, 2, 2)


def runs(cells: np.ndarray) -> np.ndarray:
    """Row, first column and column after the last (s, 3) of every run of set cells (rows, columns)
    bool.
    """
    padded = np.pad(cells.astype(np.int8), ((0, 0), (1, 1)))
    changes = np.diff(padded, axis=1)
    rows, starts = np.nonzero(changes == 1)
    _, stops = np.nonzero(changes == -1)
    return np.stack([rows, starts, stops], axis=1)
