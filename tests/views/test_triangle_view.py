"""The triangle of class weights: positions, reference weights, and the landscape of a score."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from knnviz.labs.tuning import landscape
from knnviz.views import triangle
from knnviz.views.landscape import COLORS, GRID, GRID_STEPS, SCALE, grid_index

positive = hnp.arrays(float, 3, elements=st.floats(0.001, 1))
weights = positive.map(lambda each: each / each.sum())


@given(weights, st.floats(0.1, 10))
def test_positions_and_weights_belong_together(q, scale):
    """On any scale."""
    x, y = triangle.positions(scale * q)
    assert triangle.weights_at(x, y) == pytest.approx(q)


@pytest.mark.parametrize("prior", [(0.6, 0.3, 0.1), (0.5, 0.5, 0.0)])
def test_reference_weights_are_equal_weights_and_those_that_undo_the_prior(prior):
    """A class that never occurs has no weight."""
    drawn = triangle.reference_weights(np.array(prior))
    equal, balanced = triangle.weights_at(drawn.x, drawn.y).T
    inverse = np.array([1 / p if p else 0 for p in prior])
    assert equal == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert balanced == pytest.approx(inverse / inverse.sum(), abs=1e-6)


#: For each cell of the landscape the index of its weights.
INDEX = grid_index(GRID_STEPS)


def test_each_cell_of_the_triangle_shows_the_weights_nearest_to_its_middle_and_none_beside_it_any():
    drawn = landscape(np.zeros(len(GRID)), SCALE)
    rows, columns = drawn.codes.shape
    left, right, bottom, top = drawn.extent
    across = left + (np.arange(columns) + 0.5) * (right - left) / columns
    up = bottom + (np.arange(rows) + 0.5) * (top - bottom) / rows
    x, y = np.meshgrid(across, up)
    to_left_side = x - y / 2
    to_right_side = 1 - x - y / 2
    nearest_side = np.minimum(to_left_side, to_right_side)
    inside = np.minimum(nearest_side, y) > -1e-9
    assert np.array_equal(INDEX >= 0, inside)

    shown = INDEX[inside]
    middles = np.stack([x[inside], y[inside]], axis=1)
    own = np.hypot(*(triangle.positions(GRID[shown]) - middles).T)
    places = triangle.positions(GRID)
    for cell in np.random.default_rng(0).choice(len(own), 200, replace=False):
        distances = np.hypot(*(places - middles[cell]).T)
        assert own[cell] == pytest.approx(distances.min())

    exact = own < 1e-9
    assert len(np.unique(shown[exact])) == len(GRID), "all weights have a cell of their own"
    beside = len(COLORS)
    assert (drawn.codes[~inside] == beside).all()
    assert drawn.palette[beside].endswith("00"), "transparent"


def test_a_plateau_has_one_color():
    """Rounding aside, at the border of two colors as well."""
    scores = np.linspace(0.3, 0.5, len(GRID))
    plateau = np.random.default_rng(1).choice(len(GRID), 300, replace=False)
    scores[plateau] = 0.65 - 1e-15 * np.arange(300)
    drawn = landscape(scores, SCALE)
    of_plateau = drawn.codes == drawn.codes.T[np.isin(INDEX.T, plateau)].min()
    on_plateau = np.isin(INDEX, plateau) & (INDEX >= 0)
    assert np.array_equal(of_plateau, on_plateau)


@given(st.floats(0, 1))
def test_a_color_tells_where_a_score_is_on_the_scale_whatever_the_others_are(score):
    for others in (0.3, 0.9):
        scores = np.full(len(GRID), others)
        scores[8] = score
        code = landscape(scores, SCALE).codes[INDEX == 8][0]
        low, high = SCALE
        step = (high - low) / len(COLORS)
        begins = low + code * step
        assert begins - 1e-6 <= max(score, low) <= begins + step + 1e-6
