"""The Risk curve, tested on its layers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knnviz.views import risk

VALUES = np.array([1, 5, 25, 100])
MEAN = np.array([0.4, 0.3, np.nan, 0.35])
ERROR = np.array([0.01, 0.02, np.nan, 0.005])


@given(st.floats(0, 0.5))
def test_limits_hold_the_bayes_risk_with_room_above(bayes_risk):
    low, high = risk.limits(bayes_risk, 0)
    assert 0 <= low <= bayes_risk < high
    assert high - bayes_risk > 0.249
    assert [low, high] == pytest.approx([round(20 * low) / 20, round(20 * high) / 20]), "round numbers"


def test_the_band_is_two_standard_errors_to_each_side():
    band, mean = risk.curve(VALUES, MEAN, ERROR, "mean, 3 samples")
    assert mean.x.tolist() == band.x.tolist() == [1, 5, 100], "what is not known is left out"
    assert mean.y == pytest.approx([0.4, 0.3, 0.35])
    assert band.lower == pytest.approx([0.38, 0.26, 0.34])
    assert band.upper == pytest.approx([0.42, 0.34, 0.36])
    assert (band.label, mean.label) == ("± 2 s.e.", "mean, 3 samples")
    assert (band.name, mean.name) == ("mean_band", "mean")


def test_a_single_sample_has_a_band_without_width():
    band, mean = risk.curve(VALUES, np.full(4, 0.3), np.full(4, np.nan), "mean, 1 sample", "other", "#123456")
    assert np.array_equal(band.lower, mean.y)
    assert np.array_equal(band.upper, mean.y)
    assert (band.color, mean.color, mean.name) == ("#123456", "#123456", "other")


def test_a_curve_of_which_nothing_is_known_is_empty():
    band, mean = risk.curve(VALUES, np.full(4, np.nan), np.full(4, np.nan), "mean")
    assert len(band.x) == len(band.lower) == len(mean.x) == 0
    assert (band.legend_key, mean.legend_key) == ((), ()), "the legend names what is drawn"


def test_levels_span_the_axes():
    level = risk.level(0.3, (1, 100), "limit", "limit of the vote", (2, 3))
    assert (level.x.tolist(), level.label) == ([1, 100], "limit of the vote")
    assert level.y == pytest.approx([0.3, 0.3])


def test_limits_without_a_bayes_risk_and_with_a_room_of_choice():
    assert risk.limits(None, 0) == (0, 0.5)
    assert risk.limits(0.3, 0.38, 0.1) == (0.25, 0.4)
    assert risk.limits(0.3, 0.47, 0.1) == (0.25, 0.5)
