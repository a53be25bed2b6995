"""What matplotlib draws for each kind of layer, and the legend entries of each."""

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path
from matplotlib.patheffects import withStroke
from matplotlib.transforms import IdentityTransform

from knnviz.views import style
from knnviz.views.layers import Annotations, Band, Bars, Extent, Fill, Lines, Points, Raster, edges, runs

RING = style.polygon(32)
CROSS = Path([(-0.5, 0), (0.5, 0), (0, -0.5), (0, 0.5)], [Path.MOVETO, Path.LINETO] * 2)

#: How often the sign of a hatch is repeated; matplotlib makes it denser with each.
HATCH_DENSITY = 4


@singledispatch
def draw(layer: Any, ax: Axes, zorder: float) -> None:
    """Draw one layer into axes, above those of smaller zorder."""
    raise TypeError(f"no painter for a layer of type {type(layer).__name__}")


@draw.register
def _(layer: Raster, ax: Axes, zorder: float) -> None:
    colors = np.array([to_rgba(color) for color in layer.palette])
    _image(ax, colors[layer.codes], layer.extent, zorder)
    if layer.outline is not None:
        _outline(ax, layer.codes, layer.extent, layer.outline, 1, zorder)


def _image(ax: Axes, colors: np.ndarray, extent: Extent, zorder: float) -> None:
    """Colored cells (rows, columns, 4), without a change of limits."""
    limits = ax.get_xlim(), ax.get_ylim()
    ax.imshow(colors, extent=extent, origin="lower", interpolation="nearest", aspect="auto", zorder=zorder)
    ax.set(xlim=limits[0], ylim=limits[1])


def _outline(ax: Axes, codes: np.ndarray, extent: Extent, color: str, width: float, zorder: float) -> None:
    lines = LineCollection(list(edges(codes, extent)), colors=color, linewidths=width, zorder=zorder, snap=False)
    ax.add_collection(lines, autolim=False)


@draw.register
def _(layer: Fill, ax: Axes, zorder: float) -> None:
    clear, tinted = to_rgba(layer.color, 0), to_rgba(layer.color, layer.opacity)
    _image(ax, np.where(layer.cells[..., None], tinted, clear), layer.extent, zorder)
    _outline(ax, layer.cells, layer.extent, layer.color, 0.7, zorder)
    if layer.cells.any():
        stripes = PathPatch(
            _area(layer.cells, layer.extent),
            zorder=zorder,
            facecolor="none",
            # Points stay visible under the hatch.
            edgecolor=to_rgba(layer.color, 0.5),
            linewidth=0,
            hatch=layer.hatch * HATCH_DENSITY,
        )
        ax.add_artist(stripes)


def _area(cells: np.ndarray, extent: Extent) -> Path:
    """The set of cells as one path: a rectangle for each run in a row."""
    rows, starts, stops = runs(cells).T
    left, right, bottom, top = extent
    x0, x1 = (left + (right - left) / cells.shape[1] * at for at in (starts, stops))
    y0, y1 = (bottom + (top - bottom) / cells.shape[0] * at for at in (rows, rows + 1))
    corners = np.stack([[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]]).transpose(2, 0, 1)
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
    return Path(corners.reshape(-1, 2), codes * len(rows))


@draw.register
def _(layer: Band, ax: Axes, zorder: float) -> None:
    x, lower, upper = layer.x, layer.lower, layer.upper
    ax.fill_between(x, lower, upper, color=layer.color, alpha=layer.opacity, linewidth=0, zorder=zorder)


@draw.register
def _(layer: Bars, ax: Axes, zorder: float) -> None:
    left, right, zero = layer.x - layer.width / 2, layer.x + layer.width / 2, 0 * layer.x
    corners = np.stack([[left, zero], [right, zero], [right, layer.heights], [left, layer.heights]])
    colors = [layer.palette[code] for code in layer.codes]
    bars = PolyCollection(list(corners.transpose(2, 0, 1)), facecolors=colors, edgecolors=style.PAPER, linewidths=1)
    bars.set(zorder=zorder, snap=False)
    ax.add_collection(bars, autolim=False)


@draw.register
def _(layer: Lines, ax: Axes, zorder: float) -> None:
    ax.add_line(_line(layer, zorder))


def _line(layer: Lines, zorder: float = 1) -> Line2D:
    return Line2D(
        layer.x,
        layer.y,
        color=layer.color,
        linewidth=layer.width,
        linestyle=(0, layer.dash) if layer.dash else "solid",
        label=layer.label,
        zorder=zorder,
        snap=False,
        dash_capstyle="butt",
        solid_capstyle="butt",
    )


@draw.register
def _(layer: Points, ax: Axes, zorder: float) -> None:
    positions = np.stack([layer.x, layer.y], axis=1)
    for code, marker in enumerate(layer.markers):
        _draw_markers(ax, zorder, _closed(marker), positions[layer.codes == code], layer.size, layer.palette[code])
    colors = (style.INK,) if layer.ring_codes is None else layer.palette
    codes = np.zeros(len(positions)) if layer.ring_codes is None else layer.ring_codes
    for code, color in enumerate(colors):
        centers, size = positions[layer.ringed & (codes == code)], layer.size + layer.ring_gap
        _draw_markers(ax, zorder, _closed(RING), centers, size, "none", color, layer.ring_width)


def _draw_markers(
    ax: Axes, zorder: float, path: Path, centers: np.ndarray, size: float, face: str, edge: str = style.PAPER, width=0.8
) -> None:
    """The same path at each of the centers (n, 2)."""
    collection = PathCollection(
        [path],
        sizes=[size**2],
        offsets=centers,
        offset_transform=ax.transData,
        # With one color matplotlib would draw markers of one kind, and round their positions to whole pixels.
        facecolors=[face] * 2,
        edgecolors=[edge] * 2,
        linewidths=width,
        zorder=zorder,
    )
    ax.add_collection(collection, autolim=False)
    collection.set_transform(IdentityTransform())


def _closed(marker: np.ndarray) -> Path:
    return Path(np.concatenate([marker, marker[:1]]), closed=True)


@draw.register
def _(layer: Annotations, ax: Axes, zorder: float) -> None:
    shift = {"left": (13, 0), "right": (-13, 0), "center": (0, 13), "middle": (0, 0)}[layer.align]
    for x, y, text in zip(layer.x, layer.y, layer.texts, strict=True):
        ax.annotate(
            text,
            (x, y),
            shift,
            textcoords="offset points",
            color=layer.color,
            fontsize=layer.size,
            fontweight="bold",
            ha="center" if layer.align == "middle" else layer.align,
            va="center",
            zorder=zorder,
            path_effects=[withStroke(linewidth=layer.halo, foreground=style.PAPER)],
        )
    if layer.cross:
        positions = np.stack([layer.x, layer.y], axis=1)
        # A white outline, and the cross itself.
        for width, color in ((7, style.PAPER), (3, layer.color)):
            _draw_markers(ax, zorder, CROSS, positions, layer.cross, "none", color, width)


@singledispatch
def legend_handles(layer: Any) -> Iterator[Artist]:
    """Legend entries of a labelled layer; by default those of its codes."""
    for label, color in zip(layer.labels, layer.palette, strict=False):
        yield Patch(facecolor=color, edgecolor=style.MUTED, linewidth=0.8, label=label)


@legend_handles.register
def _(layer: Lines) -> Iterator[Artist]:
    yield _line(layer)


@legend_handles.register
def _(layer: Band) -> Iterator[Artist]:
    yield Patch(color=layer.color, alpha=layer.opacity, linewidth=0, label=layer.label)


@legend_handles.register
def _(layer: Fill) -> Iterator[Artist]:
    face, hatch = to_rgba(layer.color, layer.opacity), layer.hatch * HATCH_DENSITY
    yield Patch(facecolor=face, edgecolor=layer.color, linewidth=0.7, hatch=hatch, label=layer.label)


@legend_handles.register
def _(layer: Points) -> Iterator[Artist]:
    for label, marker, color in zip(layer.labels, layer.markers, layer.palette, strict=False):
        # Points are larger in the legend.
        yield _marker(label, marker, color, style.PAPER, max(layer.size + 3, 10))
    if layer.ring_legend_key:
        yield _marker(layer.ring_label, RING, "none", style.INK, layer.size + layer.ring_gap)


def _marker(label: str | None, marker: np.ndarray, face: str, edge: str, size: float) -> Line2D:
    return Line2D(
        [],
        [],
        linestyle="none",
        label=label,
        marker=_closed(marker),
        markersize=size,
        markerfacecolor=face,
        markeredgecolor=edge,
    )
