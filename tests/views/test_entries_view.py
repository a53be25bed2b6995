"""Bars of confusion entries."""

import numpy as np
import pytest

from knnviz import problems
from knnviz.views import entries
from knnviz.weights import confusion_bayes

WAVES = problems.waves()
MEASURE, ETA = WAVES.cells(2000)
BAYES = confusion_bayes(ETA, (0.5, 0.3, 0.2))


def bar(drawn, place):
    """What one sees at a place: the color and top of each piece from the bottom up."""
    pieces = zip(drawn.x, drawn.heights, drawn.codes, strict=True)
    here = [(height, drawn.labels[code]) for x, height, code in pieces if x == place]
    assert here == sorted(here, key=lambda each: -each[0])
    return here[::-1]


def test_a_bar_stacks_the_entries_of_a_class():
    drawn = entries.bars(BAYES)
    for c in range(3):
        seen = bar(drawn, c)
        assert [name for _, name in seen] == ["TP", "FN", "FP", "TN"]
        pieces = np.diff([height for height, _ in seen], prepend=0)
        expected = [BAYES.tp[c], BAYES.fn[c], BAYES.fp[c], BAYES.tn[c]]
        assert pieces == pytest.approx(expected, abs=1e-6)


def test_ticks_stand_at_the_borders():
    line = entries.ticks(BAYES, "Bayes rule")
    ends = line.y.reshape(3, 3, 3)
    assert (ends == ends[..., :1]).all()
    assert ends[:, :, 0] == pytest.approx(np.cumsum([BAYES.tp, BAYES.fn, BAYES.fp], axis=0), abs=1e-6)
    assert np.isnan(line.x[2::3]).all()
