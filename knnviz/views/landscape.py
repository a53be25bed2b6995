"""A grid of class weights, the cells of the triangle that show them, and colors of scores."""

from functools import cache
from math import isqrt

import numpy as np

from knnviz.views.layers import Extent
from knnviz.weights import simplex_grid

#: Steps from 0 to 1 of the grid of weights that is colored.
GRID_STEPS = 100

#: The weights (5151, 3) of the grid.
GRID = simplex_grid(3, GRID_STEPS)

#: Colors of scores from the lowest to the highest, darker for less, between which there are equal
#: steps; and of cells outside the triangle.
STOPS = ((105, 125, 138), (216, 220, 220), (255, 213, 64))
N_COLORS = 28
AT = np.linspace(0, 2, N_COLORS)
MIXED = np.array([np.interp(AT, range(3), channel) for channel in np.transpose(STOPS)])
COLORS = tuple("#{:02X}{:02X}{:02X}".format(*each) for each in MIXED.T.astype(int))
TRANSPARENT = "#FFFFFF00"

#: Scores of the lowest color and of the highest for data, so that all samples share one scale.
SCALE = (0.3, 1.0)


@cache
def grid_index(n_steps: int) -> np.ndarray:
    """Index of the weights on ``simplex_grid(3, n_steps)`` that each cell (rows, columns) shows; -1
    outside.
    """
    _, second, third = (simplex_grid(3, n_steps) * n_steps).round().astype(int).T
    # Weights lie in the middle of every other cell of a row; the cell to the right of it, unless it
    # is outside, shows the same.
    columns = 2 * second + third
    to_right = np.minimum(columns + 1, 2 * n_steps - third)
    index = np.full((n_steps + 1, 2 * n_steps + 1), -1)
    for at in (to_right, columns):
        index[third, at] = np.arange(len(third))
    return index


def on_triangle(values: np.ndarray, outside: int) -> tuple[np.ndarray, Extent]:
    """Values (m,) at the weights of a grid as cells (rows, columns), ``outside`` beyond the
    triangle; their extent.
    """
    # A grid of m steps has (m + 1)(m + 2) / 2 weights.
    n_steps = (isqrt(8 * len(values) + 1) - 3) // 2
    index = grid_index(n_steps)
    across = 0.25 / n_steps
    up = 0.5 / n_steps
    cells = np.where(index >= 0, values[index], outside)
    return cells.astype(np.uint8), (-across, 1 + across, -up, 1 + up)
