"""F1 over t and precision against recall, tested on their layers."""

import numpy as np
import pytest

from knnviz import problems
from knnviz.labs.thresholds import layers as thresholds
from knnviz.labs.thresholds.layers import Evaluation
from knnviz.weights import Thresholds

NEW = Evaluation("new", "new points", "#6A3D9A", (2, 3))
FEW = Thresholds.from_votes(np.array([0, 1, 1, 2, 2]), 2, np.array([0, 0, 1, 1, 1]))
MEASURE, ETA = problems.rare().cells(5000)
MANY = Thresholds.from_fractions(ETA[:, 1], ETA[:, 1], MEASURE.weights)


def read(line, t):
    """The height of a drawn curve at t, steps read from the left."""
    after = int(np.searchsorted(line.x, t, side="left"))
    return float(line.y[after])


@pytest.mark.parametrize("t", [0.0, 0.2, 0.5, 0.500001, 0.75, 1.0])
def test_steps_are_drawn_as_steps(t):
    line = thresholds.f1(FEW, NEW)
    assert read(line, t) == pytest.approx(float(FEW.at(t).f1), abs=1e-6)
    assert (line.x[0], line.x[-1]) == (0, 1)
    assert (np.diff(line.x) >= 0).all()
    assert (line.name, line.label, line.color, line.dash) == ("f1_new", "new points", "#6A3D9A", (2, 3))


def test_beyond_the_largest_fraction_nothing_is_of_class_1():
    found = Thresholds.from_votes(np.array([0, 1]), 4, np.array([0, 1]))
    line = thresholds.f1(found, NEW)
    assert (line.x[-1], line.y[-1]) == (1, 0)
    assert read(line, 0.25) == 1
    assert read(line, 0.26) == 0


def test_many_steps_are_drawn_on_a_grid():
    line = thresholds.f1(MANY, NEW)
    assert len(line.x) == len(thresholds.T_STEPS)
    assert line.y.max() == pytest.approx(MANY.best()[0], abs=1e-4)
    assert line.x[line.y.argmax()] == pytest.approx(MANY.best()[0] / 2, abs=1e-3)


@pytest.mark.parametrize("found", [FEW, MANY])
def test_the_precision_recall_curve_goes_from_all_points_to_the_likeliest(found):
    line = thresholds.precision_recall(found, NEW)
    assert (line.x[0], line.y[0]) == (1, pytest.approx(found.prevalence, abs=1e-6))
    assert (np.diff(line.x) <= 0).all()
    assert (line.x > 0).any()
    assert line.label is None


def test_a_precision_that_is_0_over_0_is_not_drawn():
    assert len(thresholds.points(MANY.at(0.5), NEW).x) == 0
    here = thresholds.points(MANY.at(0.2), NEW)
    assert [*here.x, *here.y] == pytest.approx([float(MANY.at(0.2).recall), float(MANY.at(0.2).precision)])


def test_the_line_2t_and_the_peak_meet():
    score, low, high = MANY.best()
    line, peak = thresholds.f1_equals_2t(), thresholds.peak(score / 2, score)
    assert np.interp(peak.x[0], line.x, line.y) == pytest.approx(peak.y[0])
    assert low <= peak.x[0] <= high


def test_a_handle_can_be_dragged_and_tells_both_weights():
    mark = thresholds.handle(0.3, 0.04, 0.3, "left")
    assert mark.handles == ("threshold t",)
    assert mark.spoken == ("t = 0.300, weights 0.300 to 0.700",)
    assert (mark.x[0], mark.y[0]) == pytest.approx((0.3, 0.04))


def test_axes_have_room_for_every_score():
    for axes in (thresholds.axes(), thresholds.precision_recall_axes()):
        assert axes.ylim == axes.xlim
        assert axes.xlim[0] < 0 < 1 < axes.xlim[1]


def test_words_hold_the_numbers():
    scores = "precision 0.750, recall 1.000, F1 0.8571."
    words = f"kNN at t = 0.500: TN 0.2000, FN 0.0000, FP 0.2000, TP 0.6000; {scores}"
    assert thresholds.describe(0.5, FEW.at(0.5), "kNN") == words
