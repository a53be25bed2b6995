"""Sets and maps over cells, tested on their layers."""

import numpy as np
import pytest

from knnviz import checkerboard
from knnviz.problems import bump, gaussians
from knnviz.views import line, sets
from knnviz.views import map as map_view


def test_a_set_in_the_plane_holds_its_cells_row_by_row():
    plane = gaussians(3, dimension=2)
    points = plane.grid(20).points
    fill = sets.region(plane, (points[:, 0] > 0.9) & (points[:, 1] < -0.1), "corner", "a corner")
    assert fill.extent == map_view.extent(plane) == (-0.5, 1.5, -0.5, 1.5)
    for x, y, inside in ((1.4, -0.4, True), (-0.4, 1.4, False), (1.4, 1.4, False), (-0.4, -0.4, False)):
        assert fill.cells[int((y + 0.5) * 10), int((x + 0.5) * 10)] == inside
    assert fill.label == "a corner"


def test_a_set_on_the_line_is_one_row():
    points = bump().grid(40).points
    fill = sets.region(bump(), points[:, 0] > 0.8, "end", "an end", hatch="\\")
    assert fill.cells.shape == (1, 40)
    assert fill.cells[0, [0, 31, 32, 39]].tolist() == [False, False, True, True]
    assert fill.extent == line.extent(bump())
    assert fill.hatch == "\\"


def test_values_must_fill_a_square():
    with pytest.raises(ValueError, match="values must fill a square grid, got 99 of them"):
        sets.region(checkerboard(), np.zeros(99, bool), "set", "a set")
    with pytest.raises(ValueError, match="values must fill a square grid, got 2 of them"):
        sets.advantage(checkerboard(), np.zeros(2))


def test_shades_of_the_advantage_change_at_their_steps():
    below, above = np.nextafter(sets.ADVANTAGE_STEPS, 0), np.nextafter(sets.ADVANTAGE_STEPS, 1)
    values = np.concatenate([[0], below, sets.ADVANTAGE_STEPS, above, [0.25]])
    raster = sets.advantage(bump(), values)
    codes = np.arange(2)
    assert raster.codes.tolist() == [[0, *codes, *codes + 1, *codes + 1, 2]]
    assert raster.codes.dtype == np.uint8
    assert raster.labels == ("advantage < 0.003", "from 0.003", "from 0.03")
    assert len(raster.palette) == len(raster.labels) == len(sets.ADVANTAGE_STEPS) + 1


def test_the_advantage_in_the_plane_goes_row_by_row():
    points = checkerboard().grid(10).points
    raster = sets.advantage(checkerboard(), np.where(points[:, 1] > 0.5, 0.2, 0.0))
    assert raster.codes[:5].max() == 0
    assert raster.codes[5:].min() == 2
