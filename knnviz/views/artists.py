"""What matplotlib draws for each kind of layer, and the legend entries of each."""

from functools import singledispatch
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_rgba, to_rgba_array
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch, Polygon
from matplotlib.path import Path
from matplotlib.patheffects import withStroke
from matplotlib.transforms import IdentityTransform

from knnviz.views import style
from knnviz.views.labels import written
from knnviz.views.layers import (
    RING,
    Annotations,
    Band,
    Bars,
    Entry,
    Extent,
    Fill,
    Lines,
    Points,
    Raster,
    cell_ends,
    edges,
    runs,
)

#: Dots per inch at which a point is a CSS pixel.
CSS_DPI = 72

CROSS = Path([(-0.5, 0), (0.5, 0), (0, -0.5), (0, 0.5)], [Path.MOVETO, Path.LINETO] * 2)

#: How often the sign of a hatch is repeated; matplotlib makes it denser with each.
HATCH_DENSITY = 4


@singledispatch
def draw(layer: Any, ax: Axes, zorder: float) -> None:
    """Draw one layer into axes, above those of smaller zorder."""
    raise TypeError(f"no painter for a layer of type {type(layer).__name__}")


@draw.register
def _(layer: Raster, ax: Axes, zorder: float) -> None:
    _image(ax, to_rgba_array(layer.palette)[layer.codes], layer.extent, zorder)
    if layer.outline is not None:
        _outline(ax, layer.codes, layer.extent, layer.outline, 1, zorder)


def _image(ax: Axes, colors: np.ndarray, extent: Extent, zorder: float) -> None:
    """Colored cells (rows, columns, 4); axes whose limits were set keep them."""
    ax.imshow(
        colors, extent=extent, origin="lower", interpolation="nearest", aspect="auto", zorder=zorder
    )


def _outline(
    ax: Axes, codes: np.ndarray, extent: Extent, color: str, width: float, zorder: float
) -> None:
    lines = LineCollection(list(edges(codes, extent)), colors=color, linewidths=width)
    lines.set(zorder=zorder, snap=False)
    ax.add_collection(lines, autolim=False)


@draw.register
def _(layer: Fill, ax: Axes, zorder: float) -> None:
    colors = layer.cells[..., None] * to_rgba(layer.color, layer.opacity)
    _image(ax, colors, layer.extent, zorder)
    _outline(ax, layer.cells, layer.extent, layer.color, 0.7, zorder)
    if layer.cells.any():
        stripes = PathPatch(_area(layer.cells, layer.extent), zorder=zorder, linewidth=0)
        # Points stay visible under the hatch.
        half_clear = to_rgba(layer.color, 0.5)
        stripes.set(facecolor="none", edgecolor=half_clear, hatch=layer.hatch * HATCH_DENSITY)
        ax.add_artist(stripes)


def _area(cells: np.ndarray, extent: Extent) -> Path:
    """The set of cells as one path: a rectangle for each run in a row."""
    rows, starts, stops = runs(cells).T
    x, y = cell_ends(cells, extent)
    across = x[[starts, stops, stops, starts]]
    up = y[[rows, rows, rows + 1, rows + 1]]
    return Path.make_compound_path_from_polys(np.stack([across.T, up.T], axis=-1))


@draw.register
def _(layer: Band, ax: Axes, zorder: float) -> None:
    area = ax.fill_between(layer.x, layer.lower, layer.upper, color=layer.color, linewidth=0)
    area.set(alpha=layer.opacity, zorder=zorder)


@draw.register
def _(layer: Bars, ax: Axes, zorder: float) -> None:
    colors = to_rgba_array(layer.palette)[layer.codes]
    look: Any = {"edgecolor": style.PAPER, "linewidth": 1, "snap": False, "zorder": zorder}
    ax.bar(layer.x, layer.heights, layer.width, color=colors, **look)


@draw.register
def _(layer: Lines, ax: Axes, zorder: float) -> None:
    line = Line2D(layer.x, layer.y, color=layer.color, linewidth=layer.width)
    line.set(zorder=zorder, snap=False, **_dashed(layer.dash))
    ax.add_line(line)


@draw.register
def _(layer: Points, ax: Axes, zorder: float) -> None:
    positions = np.stack([layer.x, layer.y], axis=1)
    for code, marker in enumerate(layer.markers):
        centers = positions[layer.codes == code]
        look = layer.palette[code], style.PAPER, layer.halo, layer.opacity
        _draw_markers(ax, zorder, Polygon(marker).get_path(), centers, layer.size, *look)
    ring = Polygon(RING).get_path()
    size = layer.size + layer.ring_gap
    for color, ringed in layer.rings:
        look = "none", color, layer.ring_width, layer.opacity
        _draw_markers(ax, zorder, ring, positions[ringed], size, *look)


def _draw_markers(
    ax: Axes,
    zorder: float,
    path: Path,
    centers: np.ndarray,
    size: float,
    face: str,
    edge: str,
    width: float,
    opacity: float,
) -> None:
    """The same path at each of the centers (n, 2)."""
    collection = PathCollection(
        [path], sizes=[size**2], offsets=centers, offset_transform=ax.transData, linewidths=width
    )
    # With one color matplotlib would draw markers of one kind, and round their positions to whole
    # pixels.
    collection.set(facecolors=[face] * 2, edgecolors=[edge] * 2, alpha=opacity, zorder=zorder)
    ax.add_collection(collection, autolim=False)
    collection.set_transform(IdentityTransform())


@draw.register
def _(layer: Annotations, ax: Axes, zorder: float) -> None:
    halo = withStroke(linewidth=layer.halo, foreground=style.PAPER)
    for x, y, text in zip(layer.x, layer.y, layer.texts, strict=True):
        place = _place(layer, ax, (x, y), text)
        name = ax.annotate(text, place, xycoords="axes points", annotation_clip=False)
        name.set(color=layer.color, fontsize=layer.size, fontweight="bold")
        name.set(ha="left", va="center", zorder=zorder, path_effects=[halo])

    if layer.cross:
        positions = np.stack([layer.x, layer.y], axis=1)
        # A white outline, and the cross itself.
        for width, color in ((7, style.PAPER), (3, layer.color)):
            _draw_markers(ax, zorder, CROSS, positions, layer.cross, "none", color, width, 1)


def _place(layer: Annotations, ax: Axes, at: tuple[float, float], text: str) -> tuple[float, float]:
    """Where the left end of a text stands that is at a position, in points within the axes."""
    points = CSS_DPI / ax.figure.dpi
    within = ax.transData.transform(at) - ax.bbox.min
    size = np.array(ax.bbox.size)
    left, _, middle = written(layer, text, points * within, points * size)
    return left, middle


def legend_handle(entry: Entry) -> Artist:
    """What stands before a label in the legend."""
    if entry.marker:
        # matplotlib would make markers of all shapes as large as each other.
        size = 2 * entry.size * np.abs(entry.marker).max()
        marker = Polygon(entry.marker).get_path()
        point = Line2D([], [], linestyle="none", label=entry.label, marker=marker, markersize=size)
        point.set(markerfacecolor=entry.color or "none", markeredgecolor=entry.edge)
        point.set(markeredgewidth=entry.width)
        return point
    if entry.line:
        line = Line2D([], [], label=entry.label, color=entry.color, linewidth=entry.line)
        line.set(**_dashed(entry.dash))
        return line
    patch = Patch(label=entry.label, facecolor=to_rgba(entry.color, entry.opacity))
    width = entry.width if entry.edge else 0
    patch.set(edgecolor=entry.edge or None, linewidth=width)
    if entry.hatch:
        patch.set_hatch(entry.hatch * HATCH_DENSITY)
    return patch


def _dashed(dash: tuple[float, ...]) -> dict[str, Any]:
    return {
        "linestyle": (0, dash) if dash else "solid",
        "dash_capstyle": "butt",
        "solid_capstyle": "butt",
    }
