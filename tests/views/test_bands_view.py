"""The Band and its mass over epsilon, tested on their layers."""

import numpy as np
import pytest

from knnviz.views import bands, style

X = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
ETA = np.array([[0.2, 0.5, 0.3], [0.4, 0.3, 0.3], [0.6, 0.2, 0.2], [0.8, 0.1, 0.1], [1.0, 0.0, 0.0]])
LOWER, UPPER = np.array([-9, 0.3, 0.5, np.inf, 0.9]), np.array([0.1, 0.5, 0.7, np.inf, 1.0])
INSIDE = np.array([False, True, True, False, True])


def test_areas_part_what_is_in_the_band_at_eta():
    fne, tne = bands.areas(X, ETA[:, 0], INSIDE, 0)
    assert fne.upper[INSIDE] == pytest.approx([0.4, 0.6, 1.0])
    assert np.array_equal(fne.upper[INSIDE], tne.lower[INSIDE])
    assert (fne.lower[INSIDE].tolist(), tne.upper[INSIDE].tolist()) == ([0, 0, 0], [1, 1, 1])
    for side in (fne.lower, fne.upper, tne.lower, tne.upper):
        assert np.isnan(side[~INSIDE]).all()
    assert (fne.label, tne.label) == ("fne: class 0", "tne: other classes")


def test_curves_keep_near_the_panel():
    cut, upper, lower, eta = bands.curves(X, ETA[:, 0], UPPER, LOWER, UPPER, 2)
    assert lower.y[0] == bands.FARTHEST[0]
    assert upper.y[3] == cut.y[3] == bands.FARTHEST[1]
    assert eta.color == style.class_color(2)
    assert len({line.dash for line in (upper, lower, eta)}) == 3


def test_the_strip_shows_decisions_below_the_curves():
    strip = bands.strip(np.array([1, 0, 0, 2]), ("class 0", "class 1", "class 2"))
    assert strip.codes.tolist() == [[1, 0, 0, 2]]
    assert strip.labels == ("decision: class 0", "decision: class 1", "decision: class 2")
    left, right, bottom, top = strip.extent
    assert (left, right) == (0, 1)
    assert bands.HEIGHTS[0] <= bottom < top < 0


def test_all_of_the_band_lowest_first():
    drawn = bands.layers(X, ETA, UPPER, (LOWER, UPPER, INSIDE), np.array([1, 0, 0, 0, 0]), 0)
    assert [layer.name for layer in drawn] == ["fne", "tne", "cut", "upper", "lower", "eta", "decisions"]


def test_masses_stand_on_each_other():
    fne, tne = bands.errors(np.array([0.01, 0.1]), np.array([0.2, 0.4]), np.array([0.1, 0.3]))
    assert fne.upper == pytest.approx([0.1, 0.3])
    assert np.array_equal(fne.upper, tne.lower)
    assert tne.upper == pytest.approx([0.3, 0.7])
    bare = bands.uncovered(np.array([0.01, 0.1]), np.array([0.2, 0.6]))
    assert bare.y == pytest.approx([0.2, 0.6])
    floor = bands.level(0.05, "floor", "at epsilon 0")
    assert floor.x.tolist() == pytest.approx(list(bands.EPSILONS))
    axes = bands.error_axes((0, 0, 300, 100), 1.05)
    assert (axes.log, axes.ylim) == (True, (0, 1.05))
    assert axes.xlim[0] < bands.EPSILONS[0] < bands.EPSILONS[1] < axes.xlim[1]


def test_words_hold_the_stretches_and_the_shares():
    words = bands.describe(1, 0.1, INSIDE, np.array([0.25, 0.5, 0.25]))
    assert words == (
        "Band of class 1 at epsilon = 0.1: eta is inside on 60.0% of the line (0.200 to 0.600, 0.800 to 1.000). "
        "Decisions: 25.0% for class 0, 50.0% for class 1, 25.0% for class 2."
    )
    nowhere = bands.describe(0, 0.0, np.zeros(4, bool), np.array([1.0, 0, 0]))
    assert "eta is inside on 0.0% of the line. Decisions" in nowhere
