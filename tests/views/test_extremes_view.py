"""The Extremes, tested on their layers."""

import numpy as np
import pytest

from knnviz.views import extremes

FRACTIONS = np.array([0.1, 0.1, 0.1, 0.35, 0.35, 1.0])


def test_bars_are_as_long_as_their_bins_are_full():
    bars = extremes.histogram(FRACTIONS)
    assert bars.codes.shape == (extremes.BINS, extremes.CELLS_ACROSS)
    lengths = bars.codes.sum(axis=1) / extremes.CELLS_ACROSS
    assert lengths[[4, 14, 39]] == pytest.approx([1, 2 / 3, 1 / 3]), "a fraction of 1 falls into the last bin"
    assert np.count_nonzero(lengths) == 3
    assert bars.extent == (0, 1, 0, 1)
    assert bars.palette[0].endswith("00"), "what is not filled shows what is behind"


def test_ends_are_the_smallest_and_the_largest():
    line = extremes.ends(FRACTIONS, "#123456")
    assert line.y == pytest.approx([0.1, 0.1, np.nan, 1, 1], nan_ok=True)
    assert np.isnan(line.x[2])


def test_axes_share_the_scale_of_the_votes():
    assert (extremes.axes().ylim, extremes.axes().xticks) == ((-0.03, 1.03), (0, 0.5, 1))


def test_words_hold_the_ends_and_the_midrange():
    expected = "Labels smoothed over k' = 7 neighbors lie in 0.100 to 1.000, midrange 0.550."
    assert extremes.describe(FRACTIONS, 7) == expected


def test_over_k_a_band_lies_between_the_extremes_and_a_line_in_its_middle():
    ks, low, high = np.array([1, 10, 100]), np.array([0.0, 0.1, 0.4]), np.array([1.0, 0.7, 0.5])
    band, middle = extremes.over_k(ks, low, high, "#123456")
    assert band.x.tolist() == middle.x.tolist() == [1, 10, 100]
    assert (band.lower, band.upper) == (pytest.approx(low), pytest.approx(high))
    assert middle.y == pytest.approx([0.5, 0.4, 0.45])
    assert (band.label, middle.label) == ("min to max", "midrange: estimated θ")
    expected = "0.000 to 1.000 at k = 1, 0.100 to 0.700 at k = 10, 0.400 to 0.500 at k = 100"
    assert extremes.describe_over_k(ks, low, high) == f"e at training points lies in {expected}."
