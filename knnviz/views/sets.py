"""Sets of cells and values at cells, on the Map (in the plane) or the Line."""

from collections.abc import Sequence

import numpy as np

from knnviz.problems import Dataset, Problem
from knnviz.views import line, style
from knnviz.views import map as map_view
from knnviz.views.layers import Extent, Fill, Raster

#: Values of the advantage at which the shade changes.
ADVANTAGE_STEPS = (0.003, 0.03)

#: Shades from light to dark; dark text is readable on all.
SHADES = ("#FFFFFF", "#DFCDEB", "#BC99D5")


def on_panel(problem: Problem | Dataset, values: np.ndarray) -> tuple[np.ndarray, Extent]:
    """Values (m,) of the cells of a grid as rows and columns, and the limits of the panel."""
    if problem.dimension == 1:
        return values[None], line.extent(problem)
    return map_view.square(values), map_view.extent(problem)


def region(
    problem: Problem | Dataset, inside: np.ndarray, name: str, label: str, hatch: str = "/"
) -> Fill:
    """A set of cells (m,) bool."""
    cells, extent = on_panel(problem, inside)
    return Fill(name=name, label=label, cells=cells, extent=extent, hatch=hatch)


def advantage(problem: Problem | Dataset, values: np.ndarray) -> Raster:
    """The advantage (m,) of each cell, as from ``regions.advantage``, in shades."""
    return shaded(problem, values, ADVANTAGE_STEPS, "advantage")


def shaded(
    problem: Problem | Dataset, values: np.ndarray, steps: Sequence[float], name: str
) -> Raster:
    """Values (m,) of cells in shades that change at ``steps``."""
    shades = np.searchsorted(steps, values, side="right").astype(np.uint8)
    codes, extent = on_panel(problem, shades)
    labels = (f"{name} < {steps[0]:g}", *(f"from {step:g}" for step in steps))
    outline = style.tint(style.MUTED, 0.5)
    return Raster(
        name=name,
        codes=codes,
        palette=SHADES,
        extent=extent,
        labels=labels,
        outline=outline,
    )
