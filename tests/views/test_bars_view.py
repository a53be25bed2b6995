"""Bars: confusion entries, the extremes, and the parts of Theorem 5, tested on their layers."""

import numpy as np
import pytest
from refusals import refuses

from knnviz import problems
from knnviz.views import entries, extremes, parts, plot_parts
from knnviz.weights import confusion_bayes

_, ETA = problems.waves().cells(2000)
BAYES = confusion_bayes(ETA, (0.5, 0.3, 0.2))


def test_a_bar_stacks_the_entries_of_a_class():
    drawn = entries.bars(BAYES)
    expected = np.stack([BAYES.tp, BAYES.fn, BAYES.fp, BAYES.tn], axis=1)
    for c in range(3):
        own = drawn.x == c
        names = [drawn.labels[code] for code in drawn.codes[own]]
        assert names == ["TN", "FP", "FN", "TP"], "the highest is drawn first"
        tops = drawn.heights[own][::-1]
        assert np.diff(tops, prepend=0) == pytest.approx(expected[c], abs=1e-6)

    ends = entries.ticks(BAYES, "Bayes rule").y.reshape(3, 3, 3)
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


def row(n, entry, scale):
    return {
        "n": n,
        "entry": entry,
        "a": scale,
        "b": 2 * scale,
        "c": 3 * scale,
        "d": 4 * scale,
        "error": scale / 2,
        "error_se": scale / 10,
        "bound": 10 * scale,
    }


#: Parts at two sizes, and bounds on them.
ROWS = [
    row(1000, "tn", 0.01),
    row(1000, "tp", 0.01),
    row(1_000_000, "tn", 0.005),
    row(1_000_000, "tp", 0.005),
]
LIMITS = [row(each["n"], each["entry"], 20 * each["a"]) for each in ROWS]


def test_bars_hold_the_parts_one_on_top_of_the_other():
    seen, allowed = parts.picture(ROWS, LIMITS).panels
    for panel, scales in ((seen, [0.01, 0.005]), (allowed, [0.2, 0.1])):
        bars = panel.layers[0]
        for code, fraction in enumerate((1, 3, 6, 10)):
            stacked = fraction * np.array(scales)
            assert bars.heights[bars.codes == code] == pytest.approx(stacked)
        assert panel.axes.xnames == ("1,000", "1,000,000")
        assert panel.axes.ylim[1] > 10 * scales[0]

    _, whiskers, dot = seen.layers
    assert dot.y == pytest.approx([0.005, 0.0025])
    assert whiskers.y[:2] == pytest.approx([0.003, 0.007])


def test_bounds_of_other_rows_are_refused():
    refuses("the same rows of entry 'fn'", plot_parts, ROWS, LIMITS, "fn")
    refuses("the same rows of entry 'tn'", plot_parts, ROWS, LIMITS[2:])
