"""Classes of unequal size, tested on their layers."""

import numpy as np
import pytest

from knnviz.views import imbalance, style

BOX = (-0.5, 1.5)
FRAME = imbalance.axes((60, 40, 800, 200), BOX, ("kNN", "Bayes"), True)


def test_strips_stand_below_the_curves_and_are_named_on_the_axis():
    one = imbalance.axes((60, 40, 800, 200), BOX, ("Bayes",), False)
    for frame, names in ((FRAME, ("kNN", "Bayes")), (one, ("Bayes",))):
        assert frame.ynames == (*names, "0", "0.5", "1")
        middles = frame.yticks[: len(names)]
        assert all(low < at < high < 0 for at, (low, high) in zip(middles, imbalance.STRIPS, strict=False))
        assert frame.ylim[0] < imbalance.STRIPS[len(names) - 1][0]
    row = imbalance.points(np.array([0.1, 0.2, 0.3]), np.array([2, 0, 1]), 3, 2)
    assert FRAME.ylim[0] < row.y[0] < imbalance.STRIPS[1][0]
    assert row.codes.tolist() == [0, 1, 2], "rarer classes lie on top"
    assert row.x == pytest.approx([0.2, 0.3, 0.1])


def test_numerals_stand_in_stretches_that_have_room():
    labels = np.repeat([0, 3, 11, 3], [500, 10, 20, 470])
    drawn = imbalance.strip_numerals(0, FRAME, labels, "numerals", 14.0)
    assert drawn.texts == ("0", "3")
    assert drawn.x == pytest.approx([0.0, 1.03], abs=1e-6)
    wide = imbalance.strip_numerals(0, FRAME, np.repeat([0, 11], [960, 40]), "numerals", 14.0)
    assert wide.texts == ("0", "11")
    assert imbalance.strip_numerals(0, FRAME, np.zeros(9, int), "numerals", 14.0).texts == ("0",)
    strip = imbalance.strip(0, BOX, labels, 12, "decisions")
    assert strip.palette == style.palette(12)
    assert strip.extent == (*BOX, *imbalance.STRIPS[0])


def test_roots_show_small_shares():
    prior, predicted = np.array([0.9, 0.09, 0.01]), np.array([1.0, 0.0, 0.0])
    own, said = imbalance.share_bars(prior, predicted)
    assert own.heights == pytest.approx(np.sqrt(prior))
    assert said.heights == pytest.approx([1, 0, 0])
    assert (said.x - own.x) == pytest.approx(np.full(3, imbalance.BAR))
    assert imbalance.never(predicted, 14.0).texts == ("0", "0")
    assert imbalance.never(prior, 14.0).texts == ()
    frame = imbalance.share_axes((0, 0, 300, 100), 3)
    assert frame.yticks == pytest.approx(np.sqrt(imbalance.SHARES))
    assert frame.ynames == ("0", "0.01", "0.1", "0.25", "0.5", "1")
    ticks = imbalance.sample_ticks(np.array([0.81, 0.19, 0]))
    assert ticks.y[::3] == pytest.approx([0.9, 0.19**0.5, 0])
    assert np.isnan(ticks.x[2::3]).all()


def test_best_is_the_first_of_several():
    at = np.array([0.0, 0.5, 1.0])
    scores = {"accuracy": np.array([0.7, 0.7, 0.5]), "balanced_accuracy": np.array([0.2, 0.3, 0.4])}
    scores["f1_macro"] = np.array([0.2, 0.35, 0.3])
    best = imbalance.best(at, scores)
    assert best.x == pytest.approx([0, 1, 0.5])
    assert best.y == pytest.approx([0.7, 0.4, 0.35])
    low, high = imbalance.room(scores, (0.36, 0.41))
    assert low < 0.2
    assert high > 0.7
    dashes = [curve.dash for curve in imbalance.score_curves(at, scores)]
    assert len(set(dashes)) == 3, "told apart without color"


def test_greedy_steps_start_at_the_ends():
    line, tops = imbalance.climbs((0.2, 0.3), (0.25, 0.31))
    assert line.x[[0, 1, 3, 4]].tolist() == [0, 0, 1, 1]
    assert line.y[[0, 1, 3, 4]] == pytest.approx([0.2, 0.25, 0.3, 0.31])
    assert (tops.x.tolist(), tops.y.tolist()) == ([0, 1], [pytest.approx(0.25), pytest.approx(0.31)])


def test_the_handle_stands_at_a():
    for a, align in ((0.2, "left"), (0.9, "right")):
        line, mark = imbalance.hand(a, (0.2, 0.7))
        assert line.x == pytest.approx([a, a])
        assert (mark.align, mark.handles, mark.spoken) == (align, ("exponent a",), (f"a = {a:.2f}",))
        assert 0.2 < mark.y[0] < 0.25
