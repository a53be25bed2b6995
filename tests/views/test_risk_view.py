"""The Risk curve, tested on its layers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knnviz.views import risk, style

VALUES = np.array([1, 5, 25, 100])
MEAN = np.array([0.4, 0.3, np.nan, 0.35])
ERROR = np.array([0.01, 0.02, np.nan, 0.005])


@given(st.floats(0, 0.5))
def test_limits_hold_the_bayes_risk_with_room_above(bayes_risk):
    low, high = risk.limits(bayes_risk)
    assert 0 <= low <= bayes_risk < high
    assert high - bayes_risk > 0.249
    assert [low, high] == pytest.approx([round(20 * low) / 20, round(20 * high) / 20]), "round numbers"


def test_axes_over_n_are_logarithmic():
    for over, label in (("k", "neighbors k"), ("n", "sample size n")):
        axes = risk.axes(over, (1, 100), risk.limits(0.2))
        assert (axes.xlabel, axes.ylabel, axes.log) == (label, "risk", over == "n")
        assert (axes.xlim, axes.ylim) == ((1, 100), risk.limits(0.2))


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


def test_levels_span_the_axes_where_they_are_known():
    known, unknown = risk.bayes(0.2, (1, 100)), risk.bayes(None, (1, 100))
    assert (known.x.tolist(), known.label) == ([1, 100], "Bayes risk")
    assert known.y == pytest.approx([0.2, 0.2])
    assert (len(unknown.x), len(unknown.y), unknown.label) == (0, 0, None)
    assert risk.bayes(0.0, (1, 100)).y.tolist() == [0, 0], "a risk of zero is known"
    assert risk.level(0.3, (1, 100), "limit", "limit of the vote", (2, 3)).label == "limit of the vote"


def test_progress_is_told_until_all_is_done():
    told = risk.progress(3, 20, (90, 0.4))
    assert told.texts == ("3 of 20 done",)
    assert (told.x.tolist(), told.align, told.color) == ([90], "right", style.MUTED)
    assert risk.progress(20, 20, (90, 0.4)).texts == ("",)


def test_the_sample_in_hand_is_one_point():
    point = risk.current_point(25, 0.31, "this sample")
    assert (*point.x, *point.y, point.labels) == (25, pytest.approx(0.31), ("this sample",))


def test_words_hold_the_ends_and_the_lowest():
    words = risk.describe("k", VALUES, MEAN, "Mean risk")
    assert words == "Mean risk: 0.4000 at k = 1, 0.3500 at k = 100; lowest 0.3000 at k = 5."
    assert risk.describe("n", VALUES, np.full(4, np.nan), "Mean risk") == "Mean risk over n: nothing yet."


def test_limits_without_a_bayes_risk_and_with_a_room_of_choice():
    assert risk.limits(None) == (0, 0.5)
    assert risk.limits(0.3, 0.38, 0.1) == (0.25, 0.4)
    assert risk.limits(0.3, 0.47, 0.1) == (0.25, 0.5)
