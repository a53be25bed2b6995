"""The Band, its mass over epsilon and the Uniform error, tested on their layers."""

import numpy as np
import pytest

from knnviz.labs import BandLab
from knnviz.labs.bands import band, uniform
from knnviz.labs.old_parts.sources import Field
from knnviz.problems import Grid
from knnviz.regions import ErrorBand
from knnviz.views import style

X = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
ETA = np.array([[0.2, 0.5, 0.3], [0.4, 0.3, 0.3], [0.6, 0.2, 0.2], [0.8, 0.1, 0.1], [1.0, 0.0, 0.0]])
CELLS = Field(Grid(X[:, None], (5,), ((0.0, 1.0),)), None, ETA)
INSIDE = np.array([False, True, True, False, True])
EDGES = ErrorBand(np.array([-9, 0.3, 0.5, np.inf, 0.9]), np.array([0.1, 0.5, 0.7, np.inf, 1.0]), INSIDE)

KS = np.array([1, 10, 100])
TERMS = np.array([[0.1, 0.2, 0.4], [1.0, 0.3, 0.1], [0.5, 0.2, 200]])


def test_areas_split_the_band_at_eta():
    fne, tne = band.areas(CELLS, EDGES, 0)
    assert fne.upper[INSIDE] == pytest.approx([0.4, 0.6, 1.0])
    assert np.array_equal(fne.upper[INSIDE], tne.lower[INSIDE])
    assert (fne.lower[INSIDE].tolist(), tne.upper[INSIDE].tolist()) == ([0, 0, 0], [1, 1, 1])
    for side in (fne.lower, fne.upper, tne.lower, tne.upper):
        assert np.isnan(side[~INSIDE]).all()
    assert (fne.label, tne.label) == ("fne: class 0", "tne: other classes")


def test_curves_keep_near_the_panel():
    threshold, upper, lower, eta = band.curves(CELLS, EDGES.upper, EDGES, 2)
    assert lower.y[0] == band.CLIP_RANGE[0]
    assert upper.y[3] == threshold.y[3] == band.CLIP_RANGE[1]
    assert (lower.y[1], upper.y[1]) == pytest.approx((0.3, 0.5))
    assert (eta.color, eta.y.tolist()) == (style.class_color(2), pytest.approx(ETA[:, 2].tolist()))
    assert len({line.dash for line in (upper, lower, eta)}) == 3


def test_the_strip_shows_decisions_below_the_curves():
    strip = band.strip(np.array([1, 0, 0, 2]))
    assert strip.codes.tolist() == [[1, 0, 0, 2]]
    assert strip.labels == ("decision: class 0", "decision: class 1", "decision: class 2")
    left, right, bottom, top = strip.extent
    assert (left, right) == (0, 1)
    assert band.HEIGHTS[0] <= bottom < top < 0


def test_masses_stand_on_each_other():
    """Of four cells one is in the band from 0 on, one from 0.1 on, one never."""
    starts, own = np.array([0.0, 0.1, 0.1, 2.0]), np.array([0.4, 0.2, 0.6, 0.9])
    assert np.array(band.masses(np.array([0.0, 0.1]), starts, own)) == pytest.approx(
        np.array([[0.6, 1.8], [0.4, 1.2]]) / 4
    )
    fne, tne, bare, floor = band.mass_curves(starts, starts + 0.3, own, 0.05)
    assert (fne.upper[0], fne.upper[-1]) == pytest.approx((0.1, 0.3))
    assert np.array_equal(fne.upper, tne.lower)
    assert (tne.upper[-1], bare.y[0], bare.y[-1]) == pytest.approx((0.75, 0, 0.75))
    assert (floor.x.tolist(), floor.y.tolist()) == (pytest.approx(list(band.EPSILON_LIMITS)), pytest.approx([0.05] * 2))


def test_terms_stand_on_each_other():
    bias, vote, union = uniform.stacked_terms(KS, TERMS)
    assert not bias.lower.any()
    assert np.array_equal(bias.upper, vote.lower)
    assert np.array_equal(vote.upper, union.lower)
    assert union.upper == pytest.approx([1.6, 0.7, 100.5]), "drawn up to 100 each"
    assert [term.label for term in (bias, vote, union)] == ["bias", "1/√k", "union over x"]


@pytest.mark.parametrize(
    ("n", "last", "top"), [(100, 100, 1.5), (150, 1000, 1.5), (500_000, 10**6, 0.75), (10**6, 10**6, 0.3)]
)
def test_axes_end_at_powers_of_ten_and_show_the_least_bound_unless_it_is_vacuous(small, n, last, top):
    axes = BandLab(n=n).uniform_panel.axes()
    assert (axes.xlim, axes.ylim) == ((0.9, pytest.approx(1.15 * last)), (0, top))
