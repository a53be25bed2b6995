"""The landscape of a score over the triangle of weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knnviz.labs.tuning import LEVELS, landscape
from knnviz.views import triangle
from knnviz.views.landscape import COLORS, GRID, GRID_STEPS, grid_index


def middles(drawn):
    """Positions (rows, columns, 2) of the middles of a raster's cells."""
    (rows, columns), (left, right, bottom, top) = drawn.codes.shape, drawn.extent
    across = left + (np.arange(columns) + 0.5) * (right - left) / columns
    up = bottom + (np.arange(rows) + 0.5) * (top - bottom) / rows
    return np.stack(np.meshgrid(across, up), axis=2)


GRID_INDEX = grid_index(GRID_STEPS)

FLAT = landscape(np.zeros(len(GRID)))


def test_each_cell_shows_the_weights_nearest_to_its_middle():
    """Every cell of the triangle, and nothing beside it."""
    positions = middles(FLAT)
    weights = np.stack(
        [1 - positions[..., 0] - positions[..., 1] / 2, positions[..., 0] - positions[..., 1] / 2, positions[..., 1]], 2
    )
    inside = weights.min(axis=2) > -1e-9
    assert np.array_equal(GRID_INDEX >= 0, inside)
    own = triangle.positions(GRID[GRID_INDEX[inside]])
    apart = abs(own - positions[inside])
    assert apart.max() <= 0.5 / GRID_STEPS + 1e-9
    for cell in np.random.default_rng(0).choice(np.flatnonzero(inside), 200, replace=False):
        position = positions.reshape(-1, 2)[cell]
        away = np.hypot(*(triangle.positions(GRID) - position).T)
        assert away[GRID_INDEX.ravel()[cell]] == pytest.approx(away.min())


def test_every_weights_have_a_cell_with_them_in_its_middle():
    assert set(GRID_INDEX[GRID_INDEX >= 0].tolist()) == set(range(len(GRID)))
    positions = middles(FLAT)[GRID_INDEX >= 0]
    apart = np.hypot(*(triangle.positions(GRID[GRID_INDEX[GRID_INDEX >= 0]]) - positions).T)
    assert len(np.unique(GRID_INDEX[GRID_INDEX >= 0][apart < 1e-9])) == len(GRID)


def test_cells_outside_the_triangle_are_transparent():
    assert (FLAT.codes[GRID_INDEX < 0] == len(COLORS)).all()
    assert FLAT.palette[len(COLORS)].endswith("00")


def test_all_of_the_best_plateau_is_golden():
    """Rounding aside, and nothing else is."""
    scores = np.linspace(0, 0.5, len(GRID))
    plateau = np.random.default_rng(1).choice(len(GRID), 300, replace=False)
    scores[plateau] = 0.6 - 1e-15 * np.arange(300)
    drawn = landscape(scores)
    assert np.array_equal(drawn.codes == 0, np.isin(GRID_INDEX, plateau) & (GRID_INDEX >= 0))


@given(st.floats(0, 0.3))
def test_colors_tell_how_far_below_the_best_a_score_is(below):
    scores = np.full(len(GRID), 1 - below)
    scores[7] = 1
    code = landscape(scores).codes[GRID_INDEX == 8][0]
    edges = (*LEVELS, np.inf)
    assert below <= edges[code] + 1e-9
    assert code == 0 or below > edges[code - 1] + 1e-13
