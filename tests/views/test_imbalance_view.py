"""Classes of unequal size, tested on their layers."""

import numpy as np
import pytest

from knnviz.labs import ImbalanceLab
from knnviz.labs.imbalance import panels
from knnviz.problems import Sample
from knnviz.views import style

BOX = (-0.5, 1.5)


@pytest.mark.parametrize(("rule", "names"), [("kNN", ("kNN", "Bayes")), ("Bayes rule", ("Bayes",))])
def test_strips_stand_below_the_curves_and_are_named_on_the_axis(small, rule, names):
    frame = ImbalanceLab(rule=rule).line.axes()
    assert frame.ynames == (*names, "0", "0.5", "1")
    middles = frame.yticks[: len(names)]
    assert all(low < at < high < 0 for at, (low, high) in zip(middles, panels.STRIPS, strict=False))
    assert frame.ylim[0] < panels.STRIPS[len(names) - 1][0]


def test_points_stand_below_the_strips(small):
    row = panels.points(Sample(np.array([[0.1], [0.2], [0.3], [0.4]]), np.array([2, 0, 1, 0]), None, None), 3, 3)
    assert ImbalanceLab(rule="kNN").line.axes().ylim[0] < row.y[0] < panels.STRIPS[1][0]
    assert row.codes.tolist() == [0, 1, 2], "rarer classes lie on top"
    assert row.x == pytest.approx([0.2, 0.3, 0.1])


def test_numerals_stand_in_stretches_that_have_room():
    labels = np.repeat([0, 3, 11, 3], [500, 10, 20, 470])
    strip, drawn = panels.strip(0, BOX, labels, 12, "best", 800)
    assert drawn.texts == ("0", "3")
    assert drawn.x == pytest.approx([0.0, 1.03], abs=1e-6)
    assert drawn.y == pytest.approx([np.mean(panels.STRIPS[0])] * 2)
    assert panels.strip(0, BOX, np.repeat([0, 11], [960, 40]), 12, "best", 800)[1].texts == ("0", "11")
    assert panels.strip(0, BOX, np.zeros(9, int), 12, "best", 800)[1].texts == ("0",)
    assert (strip.name, drawn.name, strip.palette) == ("best", "best_numerals", style.palette(12))
    assert strip.extent == (*BOX, *panels.STRIPS[0])


def test_roots_show_small_fractions(small):
    prior = np.array([0.9, 0.09, 0.01])
    bars, (predicted, zeros) = panels.prior_bars(prior), panels.predicted_bars(np.array([1.0, 0.0, 0.0]))
    assert bars.heights == pytest.approx(np.sqrt(prior))
    assert predicted.heights == pytest.approx([1, 0, 0])
    assert (predicted.x - bars.x) == pytest.approx(np.full(3, panels.BAR_WIDTH))
    assert (zeros.texts, zeros.x.tolist()) == (("0", "0"), predicted.x[1:].tolist())
    assert panels.predicted_bars(prior)[1].texts == ()
    frame = ImbalanceLab(classes=3).fractions.axes()
    assert frame.yticks == pytest.approx(np.sqrt(panels.TICKS))
    assert frame.ynames == ("0", "0.01", "0.1", "0.25", "0.5", "1")
    ticks = panels.sample_ticks(np.array([81, 19, 0]))
    assert ticks.y[::3] == pytest.approx([0.9, 0.19**0.5, 0])
    assert np.isnan(ticks.x[2::3]).all()


def test_best_is_the_first_of_several():
    scores = {"accuracy": np.full(101, 0.7), "balanced_accuracy": np.linspace(0.2, 0.4, 101)}
    scores["f1_macro"] = 0.35 - abs(panels.A_VALUES - 0.5)
    best = panels.best_a(scores)
    assert best.x == pytest.approx([0, 1, 0.5])
    assert best.y == pytest.approx([0.7, 0.4, 0.35])
    low, high = panels.limits(scores, (0.36, 0.81))
    assert low >= -0.15
    assert high > 0.81
    assert len({curve.dash for curve in panels.score_curves(scores)}) == 3, "told apart without color"


def test_greedy_steps_start_at_the_ends():
    line, tops = panels.greedy_climbs({"f1_macro": np.linspace(0.2, 0.3, 101)}, (0.25, 0.31))
    assert line.x == pytest.approx([0, 0, np.nan, 1, 1, np.nan], nan_ok=True)
    assert line.y == pytest.approx([0.2, 0.25, np.nan, 0.3, 0.31, np.nan], nan_ok=True)
    assert (*tops.x, *tops.y) == pytest.approx((0, 1, 0.25, 0.31))


@pytest.mark.parametrize(("a", "align"), [(0.2, "left"), (0.9, "right")])
def test_the_handle_stands_at_a(a, align):
    line, mark = panels.handle(a, (0.2, 0.7))
    assert line.x == pytest.approx([a, a])
    assert (mark.align, mark.handles, mark.spoken) == (align, ("exponent a",), (f"a = {a:.2f}",))
    assert 0.2 < mark.y[0] < 0.25
