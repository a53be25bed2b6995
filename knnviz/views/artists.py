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
def draw(layer: Any, ax: Axes) -> None:
    """Draw one layer into axes."""
    raise TypeError(f"no painter for a layer of type {type(layer).__name__}")


@draw.register
def _(layer: Raster, ax: Axes) -> None:
    _image(ax, to_rgba_array(layer.palette)[layer.codes], layer.extent)
    if layer.outline is not None:
        _outline(ax, layer.codes, layer.extent, layer.outline, 1)


def _image(ax: Axes, colors: np.ndarray, extent: Extent) -> None:
    """Colored cells (rows, columns, 4); axes whose limits were set keep them."""
    ax.imshow(colors, extent=extent, origin="lower", interpolation="nearest", aspect="auto")


def _outline(ax: Axes, codes: np.ndarray, extent: Extent, color: str, width: float) -> None:
    lines = list(edges(codes, extent))
    borders = LineCollection(lines, colors=color, linewidths=width, snap=False)
    ax.add_collection(borders, autolim=False)


@draw.register
def _(layer: Fill, ax: Axes) -> None:
    colors = layer.cells[..., None] * to_rgba(layer.color, layer.opacity)
    _image(ax, colors, layer.extent)
    _outline(ax, layer.cells, layer.extent, layer.color, 0.7)
    if layer.cells.any():
        # A rectangle for each run of cells in a row, in one path.
        rows, starts, stops = runs(layer.cells).T
        x, y = cell_ends(layer.cells, layer.extent)
        across = x[[starts, stops, stops, starts]]
        up = y[[rows, rows, rows + 1, rows + 1]]
        path = Path.make_compound_path_from_polys(np.stack([across.T, up.T], axis=-1))
        hatched = PathPatch(
            path,
            facecolor="none",
            # Points stay visible under the hatch.
            edgecolor=to_rgba(layer.color, 0.5),
            linewidth=0,
            hatch=layer.hatch * HATCH_DENSITY,
        )
        ax.add_artist(hatched)


@draw.register
def _(layer: Band, ax: Axes) -> None:
    ax.fill_between(
        layer.x,
        layer.lower,
        layer.upper,
        color=layer.color,
        alpha=layer.opacity,
        linewidth=0,
    )


@draw.register
def _(layer: Bars, ax: Axes) -> None:
    ax.bar(
        layer.x,
        layer.heights,
        layer.width,
        color=to_rgba_array(layer.palette)[layer.codes],
        edgecolor=style.PAPER,
        linewidth=1,
        snap=False,
    )


@draw.register
def _(layer: Lines, ax: Axes) -> None:
    look = _dashed(layer)
    ax.add_line(Line2D(layer.x, layer.y, linewidth=layer.width, snap=False, **look))


@draw.register
def _(layer: Points, ax: Axes) -> None:
    positions = np.stack([layer.x, layer.y], axis=1)
    alpha = layer.opacity
    for code, marker in enumerate(layer.markers):
        path = Polygon(marker).get_path()
        centers = positions[layer.codes == code]
        sizes = layer.size, layer.halo
        _draw_markers(ax, path, centers, *sizes, layer.palette[code], style.PAPER, alpha)
    ring = Polygon(RING).get_path()
    sizes = layer.size + layer.ring_gap, layer.ring_width
    for color, ringed in layer.rings:
        _draw_markers(ax, ring, positions[ringed], *sizes, "none", color, alpha)


def _draw_markers(
    ax: Axes,
    path: Path,
    centers: np.ndarray,
    size: float,
    width: float,
    face: str,
    edge: str,
    alpha: float = 1.0,
) -> None:
    """The same path, with an outline of a width, at each of the centers (n, 2)."""
    collection = PathCollection(
        [path],
        sizes=[size**2],
        offsets=centers,
        offset_transform=ax.transData,
        linewidths=width,
        # With one color matplotlib would draw markers of one kind, and round their positions to
        # whole pixels.
        facecolors=[face] * 2,
        edgecolors=[edge] * 2,
        alpha=alpha,
    )
    ax.add_collection(collection, autolim=False)
    collection.set_transform(IdentityTransform())


@draw.register
def _(layer: Annotations, ax: Axes) -> None:
    points = CSS_DPI / ax.figure.dpi
    size = points * np.array(ax.bbox.size)
    positions = np.stack([layer.x, layer.y], axis=1)
    within = points * (ax.transData.transform(positions) - ax.bbox.min)
    for at, text in zip(within, layer.texts, strict=True):
        left, _, middle = written(layer, text, at, size)
        ax.annotate(
            text,
            (left, middle),
            xycoords="axes points",
            annotation_clip=False,
            color=layer.color,
            size=layer.size,
            weight="bold",
            va="center",
            path_effects=[withStroke(linewidth=layer.halo, foreground=style.PAPER)],
        )

    if layer.cross:
        # A white outline, and the cross itself.
        for look in ((7, "none", style.PAPER), (3, "none", layer.color)):
            _draw_markers(ax, CROSS, positions, layer.cross, *look)


def legend_handle(entry: Entry) -> Artist:
    """What stands before a label in the legend."""
    if entry.marker:
        # matplotlib would make markers of all shapes as large as each other.
        return Line2D(
            [],
            [],
            label=entry.label,
            ls="none",
            marker=Polygon(entry.marker).get_path(),
            ms=2 * entry.size * np.abs(entry.marker).max(),
            mfc=entry.color or "none",
            mec=entry.edge,
            mew=entry.width,
        )
    if entry.line:
        return Line2D([], [], label=entry.label, linewidth=entry.line, **_dashed(entry))
    return Patch(
        label=entry.label,
        facecolor=to_rgba(entry.color, entry.opacity),
        edgecolor=entry.edge or None,
        linewidth=entry.width if entry.edge else 0,
        hatch=entry.hatch * HATCH_DENSITY,
    )


def _dashed(line: Lines | Entry) -> dict[str, Any]:
    """The color of a line, and its dash."""
    return {
        "color": line.color,
        "linestyle": (0, line.dash) if line.dash else "solid",
        "solid_capstyle": "butt",
    }
