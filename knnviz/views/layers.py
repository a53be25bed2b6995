"""The kinds of layers: plain arrays with a style, drawn alike by both painters.

Coordinates are data coordinates, sizes and widths CSS pixels. A layer's ``name`` is its place in the picture; its
``label`` its entry in the legend, if any.
"""

from dataclasses import dataclass

import numpy as np

from knnviz.views import style

Extent = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False, kw_only=True)
class Layer:
    """What all layers have."""

    name: str
    label: str | None = None

    @property
    def entries(self) -> tuple:
        """What the legend shows of this layer."""
        return self.name, self.label


@dataclass(frozen=True, eq=False, kw_only=True)
class Raster(Layer):
    """Cells of codes (rows, columns) uint8, lowest row first, over an extent (left, right, bottom, top).

    ``palette`` colours the codes; ``outline`` is the colour of the line between different codes, None for none.
    """

    codes: np.ndarray
    palette: tuple[str, ...]
    extent: Extent
    outline: str | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Lines(Layer):
    """Polylines x, y (n,) float32, cut where a NaN stands; ``dash`` as lengths on and off."""

    x: np.ndarray
    y: np.ndarray
    color: str = style.INK
    width: float = 2.0
    dash: tuple[float, ...] = ()

    @property
    def entries(self) -> tuple:
        """What the legend shows of this layer."""
        return self.name, self.label, self.color, self.width, self.dash


@dataclass(frozen=True, eq=False, kw_only=True)
class Points(Layer):
    """Points x, y (n,) float32 with class codes (n,) uint8; ``ringed`` (n,) bool ones wear a ring.

    ``labels`` are the legend entries of the classes, ``ring_label`` that of a ring.
    """

    x: np.ndarray
    y: np.ndarray
    codes: np.ndarray
    ringed: np.ndarray
    palette: tuple[str, ...]
    markers: tuple[np.ndarray, ...]
    size: float = 7.0
    labels: tuple[str, ...] = ()
    ring_label: str | None = None

    @property
    def entries(self) -> tuple:
        """What the legend shows of this layer."""
        return self.name, self.labels, self.ring_label, self.palette, tuple(map(np.ndarray.tobytes, self.markers))


@dataclass(frozen=True, eq=False, kw_only=True)
class Marks(Layer):
    """Labelled positions x, y (n,) float32: a cross if ``crossed``, and a text beside it.

    ``align`` places the text: "left" or "right" of the position, or "center" above it.
    """

    x: np.ndarray
    y: np.ndarray
    texts: tuple[str, ...]
    color: str = style.INK
    size: float = 14.0
    crossed: bool = False
    align: str = "left"


@dataclass(frozen=True)
class Axes:
    """Title, labels and limits of a panel, and its rectangle (left, top, width, height) in whole CSS pixels."""

    name: str
    title: str
    xlabel: str
    ylabel: str
    xlim: tuple[float, float]
    ylim: tuple[float, float]
    rectangle: tuple[int, int, int, int]


@dataclass(frozen=True, eq=False)
class Panel:
    """Axes and the layers in them, lowest first."""

    axes: Axes
    layers: tuple[Layer, ...]


@dataclass(frozen=True, eq=False)
class Picture:
    """Panels side by side on a sheet of width and height in CSS pixels, and the sentence that says what they show."""

    panels: tuple[Panel, ...]
    size: tuple[int, int]
    alt: str

    @property
    def frame(self) -> tuple:
        """What the chrome depends on: size, axes and legend entries."""
        return self.size, tuple((panel.axes, tuple(layer.entries for layer in panel.layers)) for panel in self.panels)


def single(value: float) -> np.ndarray:
    """One coordinate as a layer holds it."""
    return np.array([value], np.float32)


def edges(raster: Raster) -> np.ndarray:
    """Segments (s, 2, 2) between neighboring cells of different codes, in data coordinates."""
    rows, columns = raster.codes.shape
    left, right, bottom, top = raster.extent
    step = np.array([(right - left) / columns, (top - bottom) / rows])
    upright = np.argwhere(raster.codes[:, 1:] != raster.codes[:, :-1])[:, ::-1] + [1, 0]
    level = np.argwhere(raster.codes[1:] != raster.codes[:-1])[:, ::-1] + [0, 1]
    starts = np.concatenate([upright, level])
    ends = np.concatenate([upright + [0, 1], level + [1, 0]])
    return np.stack([starts, ends], axis=1) * step + [left, bottom]
