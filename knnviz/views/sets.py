"""What is drawn alike on the Map (in the plane) and on the Line: decisions, sets and values of
cells, and points.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import isqrt
from typing import Any

import numpy as np

from knnviz.problems import Sample
from knnviz.views import line, marks, style
from knnviz.views import map as map_view
from knnviz.views.layers import Annotations, Extent, Fill, Lines, Points, Raster
from knnviz.views.map import MAX_POINTS, Source

#: Values of the advantage at which the shade changes.
ADVANTAGE_STEPS = (0.003, 0.03)

#: Opacity of points among which others stand out.
FADED = 0.45

#: Shades from light to dark; dark text is readable on all.
SHADES = ("#FFFFFF", "#DFCDEB", "#BC99D5")


def on_panel(source: Source, values: np.ndarray) -> tuple[np.ndarray, Extent]:
    """Values (m,) of the cells of a grid as rows and columns, and the limits of the panel."""
    if source.dimension == 1:
        return values[None], line.extent(source)
    side = isqrt(len(values))
    return values.reshape(side, side), map_view.extent(source)


def regions(source: Source, labels: np.ndarray) -> Raster:
    """Class codes (m,) that a rule predicts at the cells; on a line stripes behind the curves, with
    no outlines that one would take for curves.
    """
    palette = style.region_palette(source.n_classes)
    outline = style.MUTED if source.dimension == 2 else None
    return Raster("regions", *on_panel(source, labels), palette=palette, outline=outline)


def points(
    source: Source,
    sample: Sample,
    observed: np.ndarray,
    max_points: int = MAX_POINTS,
    opacity: float = 1.0,
) -> Points:
    """The first points of a sample, which are as random as all of them."""
    return replace(points_at(source, sample, observed, slice(max_points)), opacity=opacity)


def points_at(source: Source, sample: Sample, observed: np.ndarray, at: Any) -> Points:
    """The points of a sample ``at`` some indices, by the classes (n,) that are observed."""
    return class_points(source, sample.X[at], observed[at], sample.y[at])


def class_points(source: Source, X: np.ndarray, codes: np.ndarray, y: np.ndarray) -> Points:
    """Points X (n, d) by class codes (n,), on a line as ticks in rows; a ring shows the true class
    in y (n,) where it is another.
    """
    x = X[:, 0]
    look = {}
    if source.dimension == 1:
        up = line.heights(source.n_classes)[codes]
        look = line.ticks(source.n_classes)
    else:
        up = X[:, 1]
    return marks.of_classes(
        "points",
        x,
        up,
        codes,
        source.n_classes,
        ringed=codes != y,
        ring_codes=y.astype(np.uint8),
        ring_width=style.FLIPPED_RING_WIDTH,
        labels=source.class_names,
        ring_labels=tuple(f"flipped from {name}" for name in source.class_names),
        **look,
    )


def spokes(query: Annotations, points: Points) -> Lines:
    """Thin lines from the query point to each of some points."""
    x = marks.segments(query.x, points.x)
    y = marks.segments(query.y, points.y)
    return Lines("spokes", x, y, label="lines from x to its votes", at="in words", width=1)


def region(source: Source, inside: np.ndarray, name: str, label: str, hatch: str = "/") -> Fill:
    """A set of cells (m,) bool."""
    return Fill(name, *on_panel(source, inside), label=label, hatch=hatch)


def advantage(source: Source, values: np.ndarray) -> Raster:
    """The advantage (m,) of each cell, as from ``regions.advantage``, in shades."""
    return shaded(source, values, ADVANTAGE_STEPS, "advantage")


def shaded(source: Source, values: np.ndarray, steps: Sequence[float], name: str) -> Raster:
    """Values (m,) of cells in shades that change at ``steps``."""
    codes = on_panel(source, np.searchsorted(steps, values, side="right"))
    labels = (f"{name} < {steps[0]:g}", *[f"from {step:g}" for step in steps])
    outline = style.tint(style.MUTED, 0.5)
    return Raster(name, *codes, palette=SHADES, labels=labels, outline=outline)
