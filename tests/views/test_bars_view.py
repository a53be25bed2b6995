"""Bars: confusion entries, and the extremes, tested on their layers."""

import numpy as np
import pytest

from knnviz import problems
from knnviz.views import entries, extremes
from knnviz.views.bars import Part, lengths
from knnviz.weights import confusion

_, ETA = problems.waves().cells(2000)
BAYES = confusion(ETA, ETA, (0.5, 0.3, 0.2))


def test_a_bar_stacks_the_entries_of_a_class():
    drawn = entries.stacked(BAYES)
    expected = np.stack([BAYES.tp, BAYES.fn, BAYES.fp, BAYES.tn], axis=1)
    for c in range(3):
        own = drawn.x == c
        names = [drawn.labels[code] for code in drawn.codes[own]]
        assert names == ["TN", "FP", "FN", "TP"], "the highest is drawn first"
        tops = drawn.heights[own][::-1]
        assert np.diff(tops, prepend=0) == pytest.approx(expected[c], abs=1e-6)

    ends = entries.borders(BAYES, "Bayes rule").y.reshape(3, 3, 3)
    stacked = np.cumsum(expected[:, :3], axis=1)
    assert (ends == ends[..., :1]).all()
    assert ends[:, :, 0] == pytest.approx(stacked.T, abs=1e-6)


def test_bars_of_extremes_are_as_long_as_their_bins_are_full():
    fractions = np.array([0.1, 0.1, 0.1, 0.35, 0.35, 1.0])
    bars = extremes.histogram(fractions)
    lengths = bars.codes.sum(axis=1) / extremes.CELLS_ACROSS
    # A fraction of 1 falls into the last bin.
    assert lengths[[4, 14, 39]] == pytest.approx([1, 2 / 3, 1 / 3])
    assert np.count_nonzero(lengths) == 3


def test_parts_of_a_horizontal_bar_follow_each_other_and_short_ones_have_no_text():
    sizes = (36, 24, 2)
    parts = [Part(size, "#D55E00", str(size)) for size in sizes]
    layers = {each.name: each for each in lengths("bar", [parts], 100)}
    ends = [layers[f"bar0_{i}"].x.tolist() for i in range(3)]
    assert ends == [[0, 36], [36, 60], [60, 62]]
    assert "bar0_2_text" not in layers
    assert layers["bar0_1_text"].x.tolist() == [48]
