"""Painting with matplotlib: whole figures, and panels in axes of a reader's own."""

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes as MatplotlibAxes
from matplotlib.figure import Figure
from matplotlib.transforms import ScaledTranslation
from PIL import Image
from scipy.spatial.distance import cdist

from knnviz.views import artists, style
from knnviz.views.artists import CSS_DPI
from knnviz.views.labels import labelled
from knnviz.views.layers import Axes, Panel, Picture
from knnviz.views.margins import legend_offset
from knnviz.views.ticks import ticks

#: Colors of a picture that a notebook keeps.
MAX_COLORS = 64

#: Factors of red, green and blue in the number of a color.
CHANNELS = np.array([2**16, 2**8, 1])

#: The house style: matplotlib's own one with our changes, without what a reader sets for fonts,
#: files and windows.
LOOKS = "(axes|figure|grid|hatch|image|legend|lines|markers|patch|path|scatter|text|xtick|ytick)[.]"
HOUSE = matplotlib.rcParamsDefault.find_all(LOOKS) | style.RC


#: Held while matplotlib's global settings are the house style.
STYLE_LOCK = threading.RLock()

# matplotlib would warn of each letter that no font has.
warnings.filterwarnings("ignore", "Glyph .* missing from font", module=__name__)


def figure(picture: Picture) -> "NotebookFigure":
    """The whole picture as a matplotlib figure, with its alternative text for a notebook."""
    width, height = picture.size
    inches = (width / CSS_DPI, height / CSS_DPI)
    with house_style():
        drawn = NotebookFigure(figsize=inches, dpi=CSS_DPI * picture.scale)
        drawn.alt = picture.alt
        for panel in picture.panels:
            ax = _add_axes(drawn, panel.axes, picture.size)
            _paint(ax, panel)
            _add_legend(ax, panel)
    return drawn


def few_colors(png: bytes) -> bytes:
    """A smaller PNG in few colors: half of them are those of the largest areas, exactly as they
    stand in the legend.
    """
    image = Image.open(BytesIO(png)).convert("RGB")
    counted: Any = image.getcolors(image.width * image.height)
    found = np.array([color for _, color in sorted(counted, reverse=True)])
    frequent = found[: MAX_COLORS // 2]
    # Colors of few pixels are kept, too: a marker may be the only one of its color.
    n_rare = MAX_COLORS - len(frequent)
    rare = np.array(image.quantize(n_rare, Image.Quantize.MAXCOVERAGE).getpalette())
    palette = np.concatenate([frequent, rare.reshape(-1, 3)])

    # Pillow would take a near color even where an exact one is there.
    code_of = np.zeros(2**24, np.uint8)
    code_of[found @ CHANNELS] = cdist(found, palette).argmin(axis=1)
    reduced = Image.fromarray(code_of[np.asarray(image) @ CHANNELS])
    reduced.putpalette(palette.astype(np.uint8).tobytes())
    small = BytesIO()
    reduced.save(small, "png", optimize=True)
    return small.getvalue()


class NotebookFigure(Figure):
    """A figure that a notebook shows as the last value of a cell, with its alternative text and
    without pyplot.
    """

    alt: str = ""

    def savefig(self, *args: Any, **options: Any) -> None:
        """Save the figure on its own paper, whatever a reader's style has for files."""
        super().savefig(*args, **{"facecolor": "auto"} | options)

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        width, height = (self.get_size_inches() * self.dpi).round().astype(int).tolist()
        about = {"width": width, "height": height, "alt": self.alt}
        png = few_colors(figure_png(self, 2))
        return {"image/png": png}, {"image/png": about}


@contextmanager
def house_style() -> Iterator[None]:
    """The house style for one thread at a time: matplotlib's settings are global.

    A reader's fonts come first, for the letters that they have.
    """
    with STYLE_LOCK:
        fonts = list(dict.fromkeys([*matplotlib.rcParams["font.family"], style.FONT]))
        with matplotlib.rc_context(HOUSE | {"font.family": fonts}):
            yield


def figure_png(drawn: Figure, pixel_ratio: float) -> bytes:
    """A figure as PNG in the house style, ``pixel_ratio`` device pixels for each CSS pixel."""
    buffer = BytesIO()
    with house_style():
        drawn.savefig(buffer, format="png", dpi=drawn.dpi * pixel_ratio)
    return buffer.getvalue()


def draw_into(ax: MatplotlibAxes, panel: Panel) -> Figure:
    """Draw a panel, with its legend, into existing axes, and return their figure."""
    with house_style():
        _set_axes(ax, panel.axes)
        _paint(ax, panel)
        legend = ax.legend(
            handles=list(map(artists.legend_handle, panel.legend)),
            prop=ax.xaxis.label.get_fontproperties(),
            frameon=True,
            framealpha=0.9,
            facecolor=style.PAPER,
            loc="best",
        )
        legend.set(zorder=11, visible=bool(panel.legend))
    drawn = ax.get_figure(root=True)
    assert drawn is not None
    return drawn


def _paint(ax: MatplotlibAxes, panel: Panel) -> None:
    """Layers on top of each other: matplotlib keeps the order of what has one zorder."""
    before = {*ax.get_children()}
    for layer in labelled(panel):
        artists.draw(layer, ax)
    for drawn in {*ax.get_children()} - before:
        drawn.set_zorder(1)


def _set_axes(ax: MatplotlibAxes, axes: Axes) -> None:
    """Labels and limits, and above all layers the spines that have ticks."""
    ax.set(xlim=axes.xlim, ylim=axes.ylim, xlabel=axes.xlabel, ylabel=axes.ylabel)
    for axis in (ax.xaxis, ax.yaxis):
        # Axes that a caller made may take a "$" for a formula.
        axis.label.set_parse_math(False)
    for side, spine in ax.spines.items():
        spine.set(zorder=10, visible=side in ("left", "bottom") and not axes.bare)


def _add_axes(drawn: Figure, axes: Axes, size: tuple[int, int]) -> MatplotlibAxes:
    """Empty axes at their rectangle, with title, labels and limits."""
    left, top, width, height = axes.rectangle
    across, down = size
    bottom = 1 - (top + height) / down
    ax = drawn.add_axes((left / across, bottom, width / across, height / down))
    _set_axes(ax, axes)
    if axes.log:
        ax.set_xscale("log")
    for axis, its in zip((ax.xaxis, ax.yaxis), ticks(axes), strict=True):
        axis.set_ticks(its.places, its.texts)
        axis.set_ticks(its.small, [""] * len(its.small), minor=True)
    ax.set_title(axes.title, pad=8)
    ax.patch.set_visible(False)
    return ax


def _add_legend(ax: MatplotlibAxes, panel: Panel) -> None:
    """Entries of all labelled layers in rows below the axes."""
    if not panel.legend:
        return
    axes = panel.axes
    right = -min(axes.legend_left, axes.rectangle[0]) / CSS_DPI
    up = -legend_offset(axes) / CSS_DPI
    shift = ScaledTranslation(right, up, ax.figure.dpi_scale_trans)
    ax.legend(
        handles=list(map(artists.legend_handle, panel.legend)),
        ncols=axes.legend_columns,
        fontsize=axes.legend_size,
        loc="upper left",
        bbox_to_anchor=(0, 0),
        bbox_transform=ax.transAxes + shift,
        # So little space that seven rows fit under the map of a lab.
        labelspacing=0.22,
        columnspacing=1.2,
        handlelength=1.8,
        handletextpad=0.6,
        borderpad=0.2,
        borderaxespad=0,
    )
