"""The matplotlib painter: whole figures, and the chrome that frames the browser's canvas."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

import matplotlib
from matplotlib.axes import Axes as MatplotlibAxes
from matplotlib.figure import Figure
from matplotlib.transforms import ScaledTranslation
from PIL import Image

from knnviz.views import artists, style
from knnviz.views.layers import Axes, Panel, Picture

#: Dots per inch at which a point is a CSS pixel.
CSS_DPI = 72

#: CSS pixels from the axes down to their legend: room for ticks and label.
LEGEND_DROP = 54

#: Held while matplotlib's global settings are the house style.
STYLED = threading.RLock()


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
                    artists.draw(layer, ax, 1 + depth / 100)
            _legend(ax, panel)
    return drawn


def _framed(drawn: Figure, axes: Axes, size: tuple[int, int]) -> MatplotlibAxes:
    """An empty frame at the rectangle, with title, labels and limits."""
    left, top, width, height = axes.rectangle
    place = (left / size[0], 1 - (top + height) / size[1], width / size[0], height / size[1])
    ax = drawn.add_axes(place, xlim=axes.xlim, ylim=axes.ylim, xlabel=axes.xlabel, ylabel=axes.ylabel)
    if axes.log:
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter("{x:g}")
    ax.set_title(axes.title, pad=10)
    ax.patch.set_visible(False)
    for spine in ax.spines.values():
        spine.set_zorder(10)
    return ax


def _legend(ax: MatplotlibAxes, panel: Panel) -> None:
    """Entries of all labelled layers in rows below the axes."""
    handles = [handle for layer in panel.layers for handle in artists.handles(layer)]
    if handles:
        below = ax.transAxes + ScaledTranslation(0, -LEGEND_DROP / CSS_DPI, ax.figure.dpi_scale_trans)
        place = {"loc": "upper left", "bbox_to_anchor": (0, 0), "borderaxespad": 0, "bbox_transform": below}
        ax.legend(
            handles=handles, ncols=panel.axes.columns, columnspacing=1.4, handlelength=1.8, handletextpad=0.6, **place
        )
