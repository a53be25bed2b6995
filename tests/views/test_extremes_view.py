"""The Extremes, tested on their layers."""

import numpy as np
import pytest

from knnviz.views import extremes

FRACTIONS = np.array([0.1, 0.1, 0.1, 0.35, 0.35, 1.0])


def test_bars_are_as_long_as_their_bins_are_full():
    bars = extremes.histogram(FRACTIONS)
    lengths = bars.codes.sum(axis=1) / extremes.CELLS_ACROSS
    assert lengths[[4, 14, 39]] == pytest.approx([1, 2 / 3, 1 / 3]), "a fraction of 1 falls into the last bin"
    assert np.count_nonzero(lengths) == 3


def test_over_k_the_midrange_lies_between_the_extremes():
    ks, low, high = np.array([1, 10, 100]), np.array([0.0, 0.1, 0.4]), np.array([1.0, 0.7, 0.5])
    band, middle = extremes.over_k(ks, low, high, "#123456")
    assert (band.lower, band.upper, middle.y) == tuple(map(pytest.approx, (low, high, (0.5, 0.4, 0.45))))
