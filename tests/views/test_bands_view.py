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
CELLS = Field(Grid(X[:, None], (5,), ((0.0, 1.0),)), None, ETA)
INSIDE = np.array([False, True, True, False, True])
EDGES = ErrorBand(
    np.array([-9, 0.3, 0.5, np.inf, 0.9]), np.array([0.1, 0.5, 0.7, np.inf, 1.0]), INSIDE
)


def test_areas_split_the_band_at_eta_and_curves_keep_near_the_panel():
    fne, tne, threshold, upper, lower, *_ = bands.panel_of_band(
        CELLS, EDGES, EDGES.upper, np.zeros(5, int), 0
    ).layers
    assert fne.upper[INSIDE] == pytest.approx([0.4, 0.6, 1.0])
    assert np.array_equal(fne.upper[INSIDE], tne.lower[INSIDE])
    assert (fne.lower[INSIDE].tolist(), tne.upper[INSIDE].tolist()) == ([0, 0, 0], [1, 1, 1])
    assert all(
        np.isnan(side[~INSIDE]).all() for side in (fne.lower, fne.upper, tne.lower, tne.upper)
    )
    assert (lower.y[0], upper.y[3], threshold.y[3]) == (-1, 2, 2)


def test_masses_stand_on_each_other():
    """Of four cells one is in the band from 0 on, two from 0.1 on, one never."""
    starts = np.array([0.0, 0.1, 0.1, 2.0])
    own = np.array([[0.4], [0.2], [0.6], [0.9]])
    assert np.array(bands.masses((0.0, 0.1), starts, own, 0)) == pytest.approx(
        np.array([[0.6, 1.8], [0.4, 1.2]]) / 4
    )
    fne, tne, bare, _, floor, _ = bands.mass_curves(starts, starts + 0.3, own, 0, 0.05)
    assert (fne.upper[0], fne.upper[-1], tne.upper[-1]) == pytest.approx((0.1, 0.3, 0.75))
    assert np.array_equal(fne.upper, tne.lower)
    assert (bare.y[0], bare.y[-1], floor.y[0]) == pytest.approx((0, 0.75, 0.05))
