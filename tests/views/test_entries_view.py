"""Bars of confusion entries and of scores."""

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


@pytest.mark.parametrize("over_all", [True, False])
def test_scores_by_class_and_over_all(over_all):
    drawn, line = entries.scores(BAYES, over_all), entries.score_ticks(BAYES)
    by_class = np.concatenate([BAYES.precision, BAYES.recall, BAYES.f1])
    expected = [*by_class, *([BAYES.macro_f1, BAYES.micro_f1] if over_all else [])]
    assert drawn.heights == pytest.approx(expected, abs=1e-6)
    assert line.y[::3][: len(expected)] == pytest.approx(expected, abs=1e-6)
    assert drawn.codes.tolist() == [0, 1, 2] * 3 + [3, 3] * over_all
    names = entries.score_axes(over_all).xnames
    assert entries.score_axes(over_all, short=True).xnames[0] == "prec."
    assert [names[round(float(x))] for x in drawn.x[:9]] == ["precision"] * 3 + ["recall"] * 3 + ["F1"] * 3
    assert (np.diff(drawn.x) >= drawn.width).all()


def test_words_hold_the_numbers():
    said = entries.describe(BAYES, WAVES.class_names, "The Bayes rule")
    assert f"macro F1 {BAYES.macro_f1:.4f}" in said
    assert f"recall {BAYES.recall[1]:.3f}" in said
