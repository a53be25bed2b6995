"""Painting with matplotlib: whole figures, and the axes frame around the layers that a browser draws."""

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any, NamedTuple

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes as MatplotlibAxes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import ScaledTranslation
from PIL import Image
from scipy.spatial.distance import cdist

from knnviz.views import artists, style
from knnviz.views.layers import Axes, Panel, Picture
from knnviz.views.margins import legend_offset

#: Dots per inch at which a point is a CSS pixel.
CSS_DPI = 72

#: Most intervals between ticks, the least height of one in CSS pixels, and distances of ticks up to powers of ten.
MAX_INTERVALS, INTERVAL_HEIGHT, TICK_STEPS = 8, 18, (1, 2, 5, 10)

#: Factors of red, green and blue in the number of a color.
CHANNELS = np.array([2**16, 2**8, 1])

#: The house style: matplotlib's own one with our changes, without what a reader sets for fonts, files and windows.
LOOKS = "(axes|figure|grid|hatch|image|legend|lines|markers|patch|path|scatter|text|xtick|ytick)[.]"
HOUSE = matplotlib.rcParamsDefault.find_all(LOOKS) | style.RC

#: Held while matplotlib's global settings are the house style.
STYLE_LOCK = threading.RLock()

# matplotlib would warn of each letter that no font has.
warnings.filterwarnings("ignore", "Glyph .* missing from font", module=__name__)


def figure(picture: Picture, with_layers: bool = True, max_colors: int | None = None) -> Figure:
    """The whole picture as a matplotlib figure.

    A notebook keeps it with its alternative text, as a PNG of at most ``max_colors`` colors if given.
    """
    width, height = picture.size
    with house_style():
        drawn = NotebookFigure(figsize=(width / CSS_DPI, height / CSS_DPI), dpi=CSS_DPI * picture.scale)
        drawn.alt, drawn.max_colors = picture.alt, max_colors
        for panel in picture.panels:
            ax = _add_axes(drawn, panel.axes, picture.size)
            if with_layers:
                _paint(ax, panel)
            _add_legend(ax, panel)
    return drawn


def png(picture: Picture, pixel_ratio: float = 2, max_colors: int | None = None) -> bytes:
    """The whole picture as PNG, ``pixel_ratio`` device pixels for each CSS pixel; few colors make it small."""
    return figure_png(figure(picture), pixel_ratio, max_colors)


def _reduce_colors(image: Image.Image, max_colors: int) -> Image.Image:
    """An image in few colors: half of them are those of the largest areas, exactly as they stand in the legend."""
    counted: Any = image.getcolors(image.width * image.height)
    found = np.array([color for _, color in sorted(counted, reverse=True)])
    frequent = found[: max_colors // 2]
    # Colors of few pixels are kept, too: a marker may be the only one of its color.
    rare = np.array(image.quantize(max_colors - len(frequent), Image.Quantize.MAXCOVERAGE).getpalette())
    palette = np.concatenate([frequent, rare.reshape(-1, 3)])
    # Pillow would take a near color even where an exact one is there.
    code_of = np.zeros(2**24, np.uint8)
    code_of[found @ CHANNELS] = cdist(found, palette).argmin(axis=1)
    reduced = Image.fromarray(code_of[np.asarray(image) @ CHANNELS])
    reduced.putpalette(palette.astype(np.uint8).tobytes())
    return reduced


def _with_palette(image: Image.Image) -> Image.Image:
    """An RGBA image in at most 256 colors, a third of the bytes: only opacity is rounded, to even numbers at least."""
    pixels, step, colors = np.array(image), 1, None
    while colors is None:
        step *= 2
        rounded = (np.arange(256) + step // 2) // step * step
        pixels[..., 3] = np.minimum(rounded, 255)[np.asarray(image.getchannel("A"))]
        pixels[pixels[..., 3] == 0] = 0
        colors = Image.fromarray(pixels).getcolors(256)
    # The transparent color comes first.
    palette = np.array(sorted(color for _, color in colors), np.uint8)
    keys = palette.view(np.uint32)[:, 0]
    order, visible = keys.argsort(), pixels[..., 3] > 0
    codes = np.zeros(visible.shape, np.uint8)
    codes[visible] = order[np.searchsorted(keys[order], pixels.view(np.uint32)[visible][:, 0])]
    reduced = Image.fromarray(codes)
    reduced.putpalette(palette.tobytes(), "RGBA")
    return reduced


class AxesFrame(NamedTuple):
    """A transparent PNG, and its rectangle (left, top, width, height) on the sheet in CSS pixels."""

    png: bytes
    rectangle: tuple[float, float, float, float]


def axes_frame(panel: Panel, size: tuple[int, int], pixel_ratio: float = 2) -> AxesFrame:
    """Axes, ticks, labels, title and legend of a panel, without its layers, on as much of the sheet as they need.

    There are ``pixel_ratio`` device pixels for each CSS pixel.
    """
    with house_style():
        canvas = FigureCanvasAgg(figure(Picture((panel,), size, ""), with_layers=False))
        canvas.figure.set(dpi=CSS_DPI * pixel_ratio, facecolor="none")
        canvas.draw()
    image = Image.fromarray(np.asarray(canvas.buffer_rgba()))
    # Figure and canvas refer to each other until the garbage collector runs; their pixels can go at once.
    del canvas.renderer
    # An empty image becomes a single pixel.
    left, top, right, bottom = image.getchannel("A").getbbox() or (0, 0, 1, 1)
    buffer = BytesIO()
    _with_palette(image.crop((left, top, right, bottom))).save(buffer, "png")
    x, y, width, height = (side / pixel_ratio for side in (left, top, right - left, bottom - top))
    return AxesFrame(buffer.getvalue(), (x, y, width, height))


class NotebookFigure(Figure):
    """A figure that a notebook shows as the last value of a cell, with its alternative text and without pyplot."""

    alt: str = ""
    max_colors: int | None = None

    def savefig(self, *args: Any, **options: Any) -> None:
        """Save the figure on its own paper, whatever a reader's style has for files."""
        super().savefig(*args, **{"facecolor": "auto"} | options)

    def _repr_png_(self) -> bytes:
        return figure_png(self, 2, self.max_colors)

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        width, height = (self.get_size_inches() * self.dpi).round().astype(int).tolist()
        return {"image/png": self._repr_png_()}, {"image/png": {"width": width, "height": height, "alt": self.alt}}


@contextmanager
def house_style() -> Iterator[None]:
    """The house style for one thread at a time: matplotlib's settings are global.

    A reader's fonts come first, for the letters that they have.
    """
    with STYLE_LOCK:
        fonts = list(dict.fromkeys([*matplotlib.rcParams["font.family"], style.FONT]))
        with matplotlib.rc_context(HOUSE | {"font.family": fonts}):
            yield


def figure_png(drawn: Figure, pixel_ratio: float, max_colors: int | None = None) -> bytes:
    """A figure as PNG in the house style, as in ``png``."""
    buffer = BytesIO()
    with house_style():
        drawn.savefig(buffer, format="png", dpi=drawn.dpi * pixel_ratio)
    if max_colors is None:
        return buffer.getvalue()
    small = BytesIO()
    _reduce_colors(Image.open(buffer).convert("RGB"), max_colors).save(small, "png", optimize=True)
    return small.getvalue()


def draw_into(ax: MatplotlibAxes, panel: Panel) -> Figure:
    """Draw a panel, with its legend, into existing axes, and return their figure."""
    with house_style():
        _set_axes(ax, panel.axes)
        _paint(ax, panel)
        legend = ax.legend(
            handles=_legend_handles(panel),
            prop=ax.xaxis.label.get_fontproperties(),
            frameon=True,
            framealpha=0.9,
            facecolor=style.PAPER,
            loc="best",
        )
        legend.set_zorder(11)
    drawn = ax.get_figure(root=True)
    assert drawn is not None
    return drawn


def _paint(ax: MatplotlibAxes, panel: Panel) -> None:
    for i, layer in enumerate(panel.layers):
        artists.draw(layer, ax, zorder=1 + i / 100)


def _set_axes(ax: MatplotlibAxes, axes: Axes) -> None:
    """Labels, limits and ticks, and spines above all layers."""
    ax.set(xlim=axes.xlim, ylim=axes.ylim, xlabel=axes.xlabel, ylabel=axes.ylabel)
    for axis in (ax.xaxis, ax.yaxis):
        # Axes that a caller made may take a "$" for a formula.
        axis.label.set_parse_math(False)
    if axes.xticks:
        ax.set_xticks(axes.xticks, axes.xnames or [f"{tick:g}" for tick in axes.xticks])
    if axes.yticks:
        ax.set_yticks(axes.yticks, axes.ynames or None)
    if axes.bare:
        ax.set(xticks=(), yticks=())
    for spine in ax.spines.values():
        spine.set(zorder=10, visible=not axes.bare)


def _legend_handles(panel: Panel) -> list[Artist]:
    return [handle for layer in panel.layers if layer.legend_key for handle in artists.legend_handles(layer)]


def _add_axes(drawn: Figure, axes: Axes, size: tuple[int, int]) -> MatplotlibAxes:
    """Empty axes at their rectangle, with title, labels and limits."""
    left, top, width, height = axes.rectangle
    ax = drawn.add_axes((left / size[0], 1 - (top + height) / size[1], width / size[0], height / size[1]))
    ax.xaxis.set_major_locator(MaxNLocator(MAX_INTERVALS, steps=TICK_STEPS))
    ax.yaxis.set_major_locator(MaxNLocator(min(MAX_INTERVALS, height // INTERVAL_HEIGHT), steps=TICK_STEPS))
    _set_axes(ax, axes)
    if axes.log:
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter(_log_tick_label)
    ax.set_title(axes.title, pad=10)
    ax.patch.set_visible(False)
    return ax


def _log_tick_label(x: float, position: float) -> str:
    """The label of a tick on a logarithmic axis: beyond 1000 as a power of ten."""
    return style.power_of_ten(round(np.log10(x))) if x > 1000 else f"{x:g}"


def _add_legend(ax: MatplotlibAxes, panel: Panel) -> None:
    """Entries of all labelled layers in rows below the axes."""
    if handles := _legend_handles(panel):
        shift = -min(panel.axes.legend_left, panel.axes.rectangle[0]) / CSS_DPI, -legend_offset(panel.axes) / CSS_DPI
        ax.legend(
            handles=handles,
            ncols=panel.axes.legend_columns,
            fontsize=panel.axes.legend_size,
            loc="upper left",
            bbox_to_anchor=(0, 0),
            bbox_transform=ax.transAxes + ScaledTranslation(*shift, ax.figure.dpi_scale_trans),
            # So little space that seven rows fit under the map of a lab.
            labelspacing=0.22,
            columnspacing=1.2,
            handlelength=1.8,
            handletextpad=0.6,
            borderpad=0.2,
            borderaxespad=0,
        )
