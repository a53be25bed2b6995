"""What only TwoWorldsLab draws, tested on its layers."""

import numpy as np
import pytest

from knnviz.bounds import khim
from knnviz.labs import TwoWorldsLab
from knnviz.labs.worlds import layers
from knnviz.labs.worlds.game import WorldSample

WORLDS = khim.proposition_2(1000, 0.5)


def test_points_are_in_rows_by_class():
    drawn = layers.points(WorldSample("+", np.array([0.2, 0.7, 0.9, 0.1]), np.array([0, 1, 0, 0])), 3)
    assert drawn.y == pytest.approx(np.array(layers.ROWS)[[0, 1, 0]])
    assert drawn.codes.tolist() == [0, 1, 0]
    point, count = layers.far(1500)
    assert (point.x[0], point.palette) == (pytest.approx(layers.FAR), drawn.palette[1:])
    assert np.array_equal(point.markers[0], drawn.markers[1])
    assert count.texts == ("1,500",)


def test_both_worlds_are_mirrored_at_one_half():
    plus, minus = layers.curves(np.array([0.0, 0.5]), np.array([0.01, 0.2]))
    assert (*plus.y, *minus.y) == pytest.approx((0.51, 0.7, 0.49, 0.3))
    assert (plus.label, minus.label) == ("eta of P+", "eta of P-")
    assert plus.dash != minus.dash, "told apart without color"


def test_fractions_are_steps_with_a_standard_error_and_empty_bins_none():
    x, y = np.array([0.0, 0.1, 0.2, 0.4, 1.2, 9.0]), np.array([1, 1, 0, 1, 1, 1])
    spread, steps = layers.fractions(x, y, np.array([0.0, 0.5, 1.0, 1.5]), "fraction")
    assert (steps.x[:2].tolist(), steps.y[:2].tolist()) == ([0, 0.5], [0.75, 0.75])
    assert np.isnan(steps.y[2:6]).all()
    assert (spread.x[:2].tolist(), spread.y[:2].tolist()) == ([0.25, 0.25], [0.5, 1.0])


@pytest.mark.parametrize(("n", "mass", "room"), [(1_000_000, 1.0, 0.03), (1000, 0.5, 0.5), (20, 0.05, 0.55)])
def test_the_glass_has_room_for_the_bump_and_three_errors(n, mass, room):
    assert TwoWorldsLab(n=n, mass=mass).glass.axes().ylim == pytest.approx((0.5 - room, 0.5 + room))


def test_the_stake_is_a_question_until_it_is_told():
    bars, mark = layers.true_negatives(WORLDS, None)
    assert (len(bars.heights), mark.texts) == (0, ("?",))
    for sign, at in (("+", 0), ("-", 1)):
        told, mark = layers.true_negatives(WORLDS, sign)
        assert told.heights == pytest.approx(WORLDS.true_negatives)
        assert (mark.texts, mark.x[0], told.palette) == (("true",), at, bars.palette)


def test_the_score_is_a_fraction_after_each_round():
    coin, line, dots = layers.score((True, False, True), None, (0, 10.5))
    assert line.x.tolist() == dots.x.tolist() == [1, 2, 3]
    assert line.y == pytest.approx([1, 1 / 2, 2 / 3])
    assert coin.y.tolist() == [0.5, 0.5]
    *_, best = layers.score((True,) * 30, 0.66, (0, 30.5))
    assert (best.label, best.y[0], best.x[-1]) == ("best guess", pytest.approx(0.66), 30.5)
