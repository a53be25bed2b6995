"""The matplotlib painter: whole figures, and the chrome that frames the browser's canvas."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import singledispatch
from io import BytesIO
from typing import Any

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes as MatplotlibAxes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.patheffects import withStroke
from matplotlib.transforms import IdentityTransform, ScaledTranslation
from PIL import Image

from knnviz.views import style
from knnviz.views.layers import Axes, Lines, Marks, Panel, Picture, Points, Raster, edges

#: Dots per inch at which a point is a CSS pixel.
CSS_DPI = 72

#: CSS pixels from the axes down to their legend: room for ticks and label.
LEGEND_DROP = 54

#: Held while matplotlib's global settings are the house style.
STYLED = threading.RLock()

RING = style.polygon(32)
#: By how much a ring is wider than its point, and how thick.
RING_GAP, RING_WIDTH = 5, 1.3
CROSS = Path([(-0.5, 0), (0.5, 0), (0, -0.5), (0, 0.5)], [Path.MOVETO, Path.LINETO] * 2)


def figure(picture: Picture) -> Figure:
    """The whole picture as a matplotlib figure."""
    return _figure(picture, paint=True)


def png(picture: Picture, ratio: float = 2, colors: int | None = None) -> bytes:
    """The whole picture as PNG, ``ratio`` device pixels for each CSS pixel; few ``colors`` make it small."""
    full = _png(figure(picture), ratio, transparent=False)
    if colors is None:
        return full
    buffer = BytesIO()
    Image.open(BytesIO(full)).convert("RGB").quantize(colors).save(buffer, "png", optimize=True)
    return buffer.getvalue()


def chrome(picture: Picture, ratio: float = 2) -> bytes:
    """Axes, ticks, labels, titles and legends alone, transparent, as PNG."""
    return _png(_figure(picture, paint=False), ratio, transparent=True)


class Drawn(Figure):
    """A figure that shows itself when it is a notebook cell's last value, without pyplot."""

    def _repr_png_(self) -> bytes:
        return _png(self, 2, transparent=False)


@contextmanager
def _house_style() -> Iterator[None]:
    """The house style for one thread at a time: matplotlib's settings are global."""
    with STYLED, matplotlib.rc_context(style.RC):
        yield


def _png(drawn: Figure, ratio: float, transparent: bool) -> bytes:
    buffer = BytesIO()
    with _house_style():
        drawn.savefig(buffer, format="png", dpi=CSS_DPI * ratio, transparent=transparent)
    return buffer.getvalue()


def _figure(picture: Picture, paint: bool) -> Figure:
    width, height = picture.size
    with _house_style():
        drawn = Drawn(figsize=(width / CSS_DPI, height / CSS_DPI), dpi=CSS_DPI)
        for panel in picture.panels:
            ax = _framed(drawn, panel.axes, picture.size)
            if paint:
                for depth, layer in enumerate(panel.layers):
                    draw(layer, ax, 1 + depth / 100)
            _legend(ax, panel)
    return drawn


def _framed(drawn: Figure, axes: Axes, size: tuple[int, int]) -> MatplotlibAxes:
    """An empty frame at the rectangle, with title, labels and limits."""
    left, top, width, height = axes.rectangle
    place = (left / size[0], 1 - (top + height) / size[1], width / size[0], height / size[1])
    ax = drawn.add_axes(place, xlim=axes.xlim, ylim=axes.ylim, xlabel=axes.xlabel, ylabel=axes.ylabel)
    ax.set_title(axes.title, pad=10)
    ax.patch.set_visible(False)
    for spine in ax.spines.values():
        spine.set_zorder(10)
    return ax


def _legend(ax: MatplotlibAxes, panel: Panel) -> None:
    """Entries of all labelled layers in rows below the axes."""
    handles = [handle for layer in panel.layers for handle in _handles(layer)]
    if handles:
        below = ax.transAxes + ScaledTranslation(0, -LEGEND_DROP / CSS_DPI, ax.figure.dpi_scale_trans)
        place = {"loc": "upper left", "bbox_to_anchor": (0, 0), "borderaxespad": 0, "bbox_transform": below}
        ax.legend(handles=handles, ncols=2, columnspacing=1.4, handlelength=1.8, handletextpad=0.6, **place)


@singledispatch
def draw(layer: Any, ax: MatplotlibAxes, depth: float) -> None:
    """Draw one layer into axes, above those of smaller depth."""
    raise TypeError(f"no painter for a layer of type {type(layer).__name__}")


@draw.register
def _(layer: Raster, ax: MatplotlibAxes, depth: float) -> None:
    colors = np.array([to_rgb(color) for color in layer.palette])
    limits = ax.get_xlim(), ax.get_ylim()
    ax.imshow(
        colors[layer.codes], extent=layer.extent, origin="lower", interpolation="nearest", aspect="auto", zorder=depth
    )
    ax.set(xlim=limits[0], ylim=limits[1])
    if layer.outline is not None:
        look = {"colors": layer.outline, "linewidths": 1, "snap": False, "zorder": depth}
        ax.add_collection(LineCollection(edges(layer), **look), autolim=False)


@draw.register
def _(layer: Lines, ax: MatplotlibAxes, depth: float) -> None:
    ax.add_line(_line(layer, depth))


def _line(layer: Lines, depth: float = 1) -> Line2D:
    dash = (0, layer.dash) if layer.dash else "solid"
    look = {"color": layer.color, "linewidth": layer.width, "linestyle": dash, "label": layer.label}
    return Line2D(layer.x, layer.y, snap=False, zorder=depth, dash_capstyle="butt", solid_capstyle="butt", **look)


@draw.register
def _(layer: Points, ax: MatplotlibAxes, depth: float) -> None:
    place = np.stack([layer.x, layer.y], axis=1)
    for code, marker in enumerate(layer.markers):
        look = {"facecolors": [layer.palette[code]] * 2, "edgecolors": [style.PAPER] * 2, "linewidths": 0.8}
        _stamp(ax, depth, _closed(marker), place[layer.codes == code], layer.size, **look)
    look = {"edgecolors": [style.INK] * 2, "linewidths": RING_WIDTH}
    _stamp(ax, depth, _closed(RING), place[layer.ringed], layer.size + RING_GAP, **look)


def _stamp(ax: MatplotlibAxes, depth: float, path: Path, place: np.ndarray, size: float, **look: Any) -> None:
    """The same path at every place. Two equal colours keep matplotlib from its single-marker route, which rounds
    positions to whole pixels."""
    look = {"facecolors": ["none"] * 2, "offset_transform": ax.transData, "zorder": depth} | look
    collection = PathCollection([path], sizes=[size**2], offsets=place.reshape(-1, 2), **look)
    ax.add_collection(collection, autolim=False)
    collection.set_transform(IdentityTransform())


def _closed(marker: np.ndarray) -> Path:
    return Path(np.concatenate([marker, marker[:1]]), closed=True)


@draw.register
def _(layer: Marks, ax: MatplotlibAxes, depth: float) -> None:
    halo = [withStroke(linewidth=4, foreground=style.PAPER)]
    shift = {"left": (10, 0), "right": (-10, 0), "center": (0, 10)}[layer.align]
    look = {"color": layer.color, "fontsize": layer.size, "fontweight": "bold", "ha": layer.align, "va": "center"}
    for x, y, text in zip(layer.x, layer.y, layer.texts, strict=True):
        ax.annotate(text, (x, y), xytext=shift, textcoords="offset points", path_effects=halo, zorder=depth, **look)
    if layer.crossed:
        for width, color in ((7, style.PAPER), (3, layer.color)):
            place = np.stack([layer.x, layer.y], axis=1)
            _stamp(ax, depth, CROSS, place, 18, edgecolors=[color] * 2, linewidths=width)


@singledispatch
def _handles(layer: Any) -> Iterator[Artist]:
    """Legend entries of a layer."""
    yield from ()


@_handles.register
def _(layer: Lines) -> Iterator[Artist]:
    if layer.label:
        yield _line(layer)


@_handles.register
def _(layer: Points) -> Iterator[Artist]:
    for label, marker, color in zip(layer.labels, layer.markers, layer.palette, strict=False):
        yield _sample(label, marker, color, style.PAPER, layer.size + 3)
    if layer.ring_label:
        yield _sample(layer.ring_label, RING, "none", style.INK, layer.size + 5)


def _sample(label: str, marker: np.ndarray, face: str, edge: str, size: float) -> Line2D:
    look = {"markersize": size, "markerfacecolor": face, "markeredgecolor": edge}
    return Line2D([], [], linestyle="none", label=label, marker=_closed(marker), **look)
