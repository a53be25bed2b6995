"""The kinds of layers: plain arrays with a style, drawn alike by both painters.

Coordinates are data coordinates, sizes and widths CSS pixels of the sheet, which a page may stretch. A layer's
``name`` is its place in the picture; its ``label`` its entry in the legend, if any, once something of it is drawn.
``labels`` are a key to classes, drawn or not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from knnviz.views import style

Extent = tuple[float, float, float, float]

#: Left, top, width and height on a sheet.
Rect = tuple[int, int, int, int]

#: The rectangle of axes that no layout has placed yet.
NOWHERE = (0, 0, 0, 0)


def _labelled(labels: Sequence[str], looks: Sequence[str | bytes]) -> tuple:
    """Labels with their looks; looks without a label stand in no legend."""
    return tuple(zip(labels, looks, strict=False))


@dataclass(frozen=True, eq=False, kw_only=True)
class Layer:
    """What all layers have."""

    name: str
    label: str | None = None

    @cached_property
    def entries(self) -> tuple:
        """What the legend shows of this layer: nothing without a label."""
        return ()

    @cached_property
    def legend_labels(self) -> tuple[str, ...]:
        """Its own label once something is drawn, those of its codes, and that of its rings."""
        own = (self.label,) if self.label and self.entries else ()
        return (*own, *getattr(self, "labels", ()), *getattr(self, "ring_entry", ())[:1])


@dataclass(frozen=True, eq=False, kw_only=True)
class Raster(Layer):
    """Cells of codes (rows, columns) uint8, lowest row first, over an extent (left, right, bottom, top).

    ``palette`` colours the codes, "#RRGGBB" or "#RRGGBBAA"; ``outline`` is the colour of the line between different
    codes, None for none; ``labels`` are the legend entries of the codes, if any.
    """

    codes: np.ndarray
    palette: tuple[str, ...]
    extent: Extent
    outline: str | None = None
    labels: tuple[str, ...] = ()

    @cached_property
    def entries(self) -> tuple:
        """What the legend shows of this layer."""
        return _labelled(self.labels, self.palette)


@dataclass(frozen=True, eq=False, kw_only=True)
class Fill(Layer):
    """A set of cells (rows, columns) bool, lowest row first, over an extent: tinted, outlined, and hatched.

    ``hatch`` is the direction of the stripes, "/" or "\\"; ``opacity`` that of the tint between them.
    """

    cells: np.ndarray
    extent: Extent
    color: str = style.INK
    hatch: str = "/"
    opacity: float = 0.12

    @cached_property
    def entries(self) -> tuple:
        """What the legend shows of this layer."""
        return (self.label, self.color, self.hatch, self.opacity) if self.label and self.cells.any() else ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Band(Layer):
    """The area between ``lower`` and ``upper`` over x, all (n,) float32, threshold where a NaN stands."""

    x: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    color: str = style.INK
    opacity: float = 0.25

    @cached_property
    def entries(self) -> tuple:
        """What the legend shows of this layer."""
        return (self.label, self.color, self.opacity) if self.label and np.isfinite(self.lower).any() else ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Bars(Layer):
    """Bars from zero to heights (n,) float32, centred at x (n,) float32, as wide as ``width`` in data coordinates.

    ``codes`` (n,) uint8 choose from ``palette``; ``labels`` are the legend entries of the codes.
    """

    x: np.ndarray
    heights: np.ndarray
    codes: np.ndarray
    palette: tuple[str, ...]
    width: float = 0.8
    labels: tuple[str, ...] = ()

    @cached_property
    def entries(self) -> tuple:
        """What the legend shows of this layer."""
        return _labelled(self.labels, self.palette)


@dataclass(frozen=True, eq=False, kw_only=True)
class Pies(Layer):
    """Bags of labels as small pies at x, y (n,) float32: a sector for each class in ``bags`` (n, C) bool.

    An empty bag is an empty ring. ``labels`` are the legend entries of the classes.
    """

    x: np.ndarray
    y: np.ndarray
    bags: np.ndarray
    palette: tuple[str, ...]
    size: float = 12.0
    labels: tuple[str, ...] = ()

    @cached_property
    def entries(self) -> tuple:
        """What the legend shows of this layer."""
        return _labelled(self.labels, self.palette)


@dataclass(frozen=True, eq=False, kw_only=True)
class Lines(Layer):
    """Polylines x, y (n,) float32, threshold where a NaN stands; ``dash`` as lengths on and off."""

    x: np.ndarray
    y: np.ndarray
    color: str = style.INK
    width: float = 2.0
    dash: tuple[float, ...] = ()

    @cached_property
    def entries(self) -> tuple:
        """What the legend shows of this layer."""
        return (self.label, self.color, self.width, self.dash) if self.label and np.isfinite(self.y).any() else ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Points(Layer):
    """Points x, y (n,) float32 with class codes (n,) uint8; ``ringed`` (n,) bool ones wear a ring.

    A ring is wider than its point by ``ring_gap``, and of the colour of its class in ``ring_codes`` (n,) uint8, else
    black. ``labels`` are the legend entries of the classes, ``ring_label`` that of a ring.
    """

    x: np.ndarray
    y: np.ndarray
    codes: np.ndarray
    ringed: np.ndarray
    palette: tuple[str, ...]
    markers: tuple[np.ndarray, ...]
    size: float = 7.0
    ring_gap: float = 5.0
    ring_width: float = 1.3
    ring_codes: np.ndarray | None = None
    labels: tuple[str, ...] = ()
    ring_label: str | None = None

    @cached_property
    def ring_entry(self) -> tuple:
        """What the legend shows of the rings."""
        return (self.ring_label, self.ring_gap) if self.ring_label and self.ringed.any() else ()

    @cached_property
    def entries(self) -> tuple:
        """What the legend shows of this layer."""
        shapes, ring = _labelled(self.labels, [marker.tobytes() for marker in self.markers]), self.ring_entry
        return (*_labelled(self.labels, self.palette), *shapes, *ring, self.size) if shapes or ring else ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Annotations(Layer):
    """Labelled positions x, y (n,) float32: a cross of size ``cross`` (0 for none), and a text beside it.

    ``align`` places the text: "left" or "right" of the position, "center" above it, or in its "middle". ``handles``
    are names for a screen reader, one for each position: with them the positions can be dragged, and moved by arrow
    keys; ``spoken`` is what it says of each place, the coordinates if there is nothing.
    """

    x: np.ndarray
    y: np.ndarray
    texts: tuple[str, ...]
    color: str = style.INK
    size: float = 14.0
    cross: float = 0.0
    halo: float = 4.0
    handles: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()
    align: str = "left"


@dataclass(frozen=True)
class Axes:
    """Title, labels and limits of a panel, and its rectangle (left, top, width, height) in whole CSS pixels.

    ``log`` makes the scale of x logarithmic; ``xticks`` and ``yticks`` are left to the painter if there are none, and
    ``xnames`` and ``ynames`` are words for them. ``bare`` axes have a title and no frame, ticks or labels.
    ``columns`` is how many legend entries stand side by side, ``legend_rows`` for how many rows of them there is room
    at least, ``legend_size`` the size of their letters, and ``legend_left`` how far to the left of the axes the legend
    begins.
    """

    name: str
    title: str
    xlabel: str
    ylabel: str
    xlim: tuple[float, float]
    ylim: tuple[float, float]
    rectangle: Rect = NOWHERE
    log: bool = False
    columns: int = 2
    legend_rows: int = 0
    xticks: tuple[float, ...] = ()
    yticks: tuple[float, ...] = ()
    xnames: tuple[str, ...] = ()
    ynames: tuple[str, ...] = ()
    bare: bool = False
    legend_size: float = style.RC["legend.fontsize"]
    legend_left: int = 0


@dataclass(frozen=True, eq=False)
class Panel:
    """Axes and the layers in them, lowest first."""

    axes: Axes
    layers: tuple[Layer, ...]

    @cached_property
    def legend_labels(self) -> list[str]:
        """Entries of the legend."""
        return [label for layer in self.layers for label in layer.legend_labels]

    @property
    def frame(self) -> tuple:
        """What the chrome depends on: axes and legend entries."""
        return self.axes, tuple(filter(None, [layer.entries for layer in self.layers]))


@dataclass(frozen=True, eq=False)
class Picture:
    """Panels side by side on a sheet of width and height in CSS pixels, and the sentence that says what they show.

    ``scale`` magnifies the sheet with all that is on it, letters, markers and lines included.
    """

    panels: tuple[Panel, ...]
    size: tuple[int, int]
    alt: str
    scale: float = 1.0


def single(value: float) -> np.ndarray:
    """One coordinate as a layer holds it."""
    return np.array([value], np.float32)


def edges(codes: np.ndarray, extent: Extent) -> np.ndarray:
    """Segments (s, 2, 2) between neighboring cells of different codes (rows, columns), in data coordinates."""
    rows, columns = codes.shape
    left, right, bottom, top = extent
    step = np.array([(right - left) / columns, (top - bottom) / rows])
    upright = np.argwhere(codes[:, 1:] != codes[:, :-1])[:, ::-1] + [1, 0]
    level = np.argwhere(codes[1:] != codes[:-1])[:, ::-1] + [0, 1]
    starts = np.concatenate([upright, level])
    ends = np.concatenate([upright + [0, 1], level + [1, 0]])
    return np.stack([starts, ends], axis=1) * step + [left, bottom]


def stretches(cells: np.ndarray) -> np.ndarray:
    """Row, first column and column after the last (s, 3) of every run of set cells (rows, columns) bool."""
    padded = np.pad(cells.astype(np.int8), ((0, 0), (1, 1)))
    changes = np.diff(padded, axis=1)
    rows, starts = np.nonzero(changes == 1)
    return np.stack([rows, starts, np.nonzero(changes == -1)[1]], axis=1)
