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
