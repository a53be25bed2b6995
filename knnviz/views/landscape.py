"""A score over all class weights as colors of the Triangle, and the path of a search."""

from functools import cache
from math import isqrt

import numpy as np

from knnviz.views import marks, style
from knnviz.views.layers import Lines, Points, Raster
from knnviz.views.triangle import positions
from knnviz.weights import simplex_grid

#: Steps from 0 to 1 of the grid of weights that is colored.
GRID_STEPS = 100

#: The weights (5151, 3) of the grid.
GRID = simplex_grid(3, GRID_STEPS)

#: Up to how far below the highest score each color but the last is used.
LEVELS = (0.0, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)

#: Colors of the best weights, of those up to each level, and of the others; and of cells outside the triangle.
COLORS = ("#FFC933", "#FFE59A", "#FFF6DC", "#E8EDF0", "#CBD5DB", "#AEBCC4", "#91A2AC", "#74868F")
TRANSPARENT = "#FFFFFF00"

#: Labels of the colors in the legend.
LABELS = ("best", *(f"- {level:g}" for level in LEVELS[1:]), "less")


@cache
def grid_index(n_steps: int) -> np.ndarray:
    """Index of the weights on ``simplex_grid(3, n_steps)`` that each cell (rows, columns) shows; -1 outside."""
    rows, columns = np.mgrid[0 : n_steps + 1, 0 : 2 * n_steps + 1]
    second = (columns - rows) // 2
    inside = (columns >= rows) & (columns <= 2 * n_steps - rows)
    index = np.full((n_steps + 1, n_steps + 1), -1)
    parts = (simplex_grid(3, n_steps) * n_steps).round().astype(int)
    index[parts[:, 1], parts[:, 2]] = np.arange(len(parts))
    return np.where(inside, index[second.clip(0, n_steps), rows], -1)


def landscape(scores: np.ndarray) -> Raster:
    """Scores (J,) of the weights on a grid of the simplex, colored by how far they are below the highest."""
    # A grid of m steps has (m + 1)(m + 2) / 2 weights.
    n_steps = (isqrt(8 * len(scores) + 1) - 3) // 2
    index = grid_index(n_steps)
    below = scores.max() - scores
    # Scores are equal up to rounding.
    codes = np.searchsorted(LEVELS, below - 1e-12).astype(np.uint8)
    cells = np.where(index >= 0, codes[index], len(COLORS)).astype(np.uint8)
    # Weights lie in the middle of every other cell of a row; the cell to the right of it shows the same.
    extent = (-0.25 / n_steps, 1 + 0.25 / n_steps, -0.5 / n_steps, 1 + 0.5 / n_steps)
    return Raster(name="landscape", codes=cells, palette=(*COLORS, TRANSPARENT), extent=extent, labels=LABELS)


def path(history: np.ndarray, color: str) -> tuple[Lines, Lines, Points]:
    """A path through weights (T + 1, 3), on a white line so that it is visible on all colors."""
    x, y = positions(history).T
    ground = Lines(name="path_ground", x=x, y=y, color=style.PAPER, width=5.0)
    steps = marks.dot(x, y, "path_steps", None, color, 0, 5.0)
    return ground, Lines(name="path", x=x, y=y, color=color, width=2.0), steps
