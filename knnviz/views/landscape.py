"""A score over all class weights as colors of the Triangle, and the path of a search."""

import numpy as np

from knnviz.views import marks, style
from knnviz.views.layers import Lines, Points, Raster
from knnviz.views.triangle import positions
from knnviz.weights import simplex_grid

#: Steps from 0 to 1 of the grid of weights that is coloured.
PARTS = 100

#: The weights (5151, 3) of the grid.
GRID = simplex_grid(3, PARTS)

#: Up to how far below the highest score each colour but the last is used.
LEVELS = (0.0, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)

#: Colours of the best weights, of those up to each level, and of the others; and none, outside the triangle.
COLORS = ("#FFC933", "#FFE59A", "#FFF6DC", "#E8EDF0", "#CBD5DB", "#AEBCC4", "#91A2AC", "#74868F")
NOTHING = "#FFFFFF00"

#: Labels of the colours in the legend.
LABELS = ("best", *(f"- {level:g}" for level in LEVELS[1:]), "less")


def _shown() -> np.ndarray:
    """Index in ``GRID`` of the weights that each cell (rows, columns) shows; -1 outside the triangle."""
    rows, columns = np.mgrid[0 : PARTS + 1, 0 : 2 * PARTS + 1]
    second = (columns - rows) // 2
    inside = (columns >= rows) & (columns <= 2 * PARTS - rows)
    index = np.full((PARTS + 1, PARTS + 1), -1)
    parts = (GRID * PARTS).round().astype(int)
    index[parts[:, 1], parts[:, 2]] = np.arange(len(GRID))
    return np.where(inside, index[second.clip(0, PARTS), rows], -1)


SHOWN = _shown()


def landscape(scores: np.ndarray) -> Raster:
    """Scores (5151,) of the weights in ``GRID``, colored by how far they are below the highest."""
    below = scores.max() - scores
    # Scores are equal up to rounding.
    codes = np.searchsorted(LEVELS, below - 1e-12).astype(np.uint8)
    cells = np.where(SHOWN >= 0, codes[SHOWN], len(COLORS)).astype(np.uint8)
    # The weights of a cell lie in its middle.
    extent = (-0.25 / PARTS, 1 + 0.25 / PARTS, -0.5 / PARTS, 1 + 0.5 / PARTS)
    return Raster(name="landscape", codes=cells, palette=(*COLORS, NOTHING), extent=extent, labels=LABELS)


def path(history: np.ndarray, color: str) -> tuple[Lines, Lines, Points]:
    """A path through weights (T + 1, 3), on a white line so that it is visible on all colours."""
    x, y = positions(history).T
    ground = Lines(name="path_ground", x=x, y=y, color=style.PAPER, width=5.0)
    steps = marks.dot(x, y, "path_steps", None, color, 0, 5.0)
    return ground, Lines(name="path", x=x, y=y, color=color, width=2.0), steps
