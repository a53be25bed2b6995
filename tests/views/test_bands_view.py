"""The Band, its mass over epsilon and the Uniform error, tested on their layers."""

import numpy as np
import pytest

from knnviz.labs import bands
from knnviz.labs.parts.sources import Field
from knnviz.problems import Grid
from knnviz.regions import ErrorBand

X = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
ETA = np.array(
    [[0.2, 0.5, 0.3], [0.4, 0.3, 0.3], [0.6, 0.2, 0.2], [0.8, 0.1, 0.1], [1.0, 0.0, 0.0]]
)
GRID = Grid(X[:, None], (5,), ((0.0, 1.0),))
CELLS = Field(GRID, None, ETA)
INSIDE = np.array([False, True, True, False, True])
LOWER = np.array([-9, 0.3, 0.5, np.inf, 0.9])
UPPER = np.array([0.1, 0.5, 0.7, np.inf, 1.0])
EDGES = ErrorBand(LOWER, UPPER, INSIDE)


def test_areas_split_the_band_at_eta_and_curves_keep_near_the_panel():
    panel = bands.panel_of_band(CELLS, EDGES, UPPER, np.zeros(5, int), 0)
    fne, tne, threshold, upper, lower, *_ = panel.layers

    assert fne.upper[INSIDE] == pytest.approx([0.4, 0.6, 1.0])
    assert np.array_equal(fne.upper[INSIDE], tne.lower[INSIDE])
    assert fne.lower[INSIDE].tolist() == [0, 0, 0]
    assert tne.upper[INSIDE].tolist() == [1, 1, 1]
    for side in (fne.lower, fne.upper, tne.lower, tne.upper):
        assert np.isnan(side[~INSIDE]).all()

    assert lower.y[0] == -1
    assert upper.y[3] == 2
    assert threshold.y[3] == 2


def test_masses_stand_on_each_other():
    """Of four cells one is in the band from 0 on, two from 0.1 on, one never."""
    starts = np.array([0.0, 0.1, 0.1, 2.0])
    own = np.array([[0.4], [0.2], [0.6], [0.9]])
    found = bands.masses((0.0, 0.1), starts, own, 0)
    expected = np.array([[0.6, 1.8], [0.4, 1.2]]) / 4
    assert np.array(found) == pytest.approx(expected)

    fne, tne, bare, floor = bands.mass_curves(starts, starts + 0.3, own, 0, 0.05)
    assert fne.upper[[0, -1]] == pytest.approx([0.1, 0.3])
    assert tne.upper[-1] == pytest.approx(0.75)
    assert np.array_equal(fne.upper, tne.lower)
    assert bare.y[[0, -1]] == pytest.approx([0, 0.75])
    assert floor.y[0] == pytest.approx(0.05)
