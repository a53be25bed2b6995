"""Two worlds, tested on their layers."""

import numpy as np
import pytest

from knnviz.views import worlds


def test_points_stand_in_rows_by_class():
    drawn = worlds.points(np.array([0.2, 0.7, 0.9]), np.array([0, 1, 0]), ("class 0", "class 1"))
    assert drawn.y == pytest.approx(np.array(worlds.ROWS)[[0, 1, 0]])
    assert drawn.codes.tolist() == [0, 1, 0]
    point, count = worlds.far(1500)
    assert (point.x[0], point.palette) == (pytest.approx(worlds.FAR), drawn.palette[1:])
    assert np.array_equal(point.markers[0], drawn.markers[1])
    assert count.texts == ("1,500",)


def test_both_worlds_are_mirrored_at_one_half():
    plus, minus = worlds.curves(np.array([0.0, 0.5]), np.array([0.01, 0.2]))
    assert plus.y == pytest.approx([0.51, 0.7])
    assert minus.y == pytest.approx([0.49, 0.3])
    assert (plus.label, minus.label) == ("eta of P+", "eta of P-")
    assert plus.dash != minus.dash, "told apart without color"


def test_shares_are_steps_with_a_standard_error_and_empty_bins_none():
    spread, steps = worlds.shares(np.array([0.0, 0.5, 1.0, 1.5]), np.array([3, 0, 1]), np.array([4, 0, 1]), "share")
    assert steps.x[:2].tolist() == [0, 0.5]
    assert steps.y[:2].tolist() == [0.75, 0.75]
    assert np.isnan(steps.y[2:6]).all()
    assert spread.x[:2].tolist() == [0.25, 0.25]
    assert spread.y[:2].tolist() == [0.5, 1.0]


@pytest.mark.parametrize(("height", "error", "room"), [(0.0025, 0.002, 0.01), (0.09, 0.1, 0.5), (0.1, 0.5, 0.55)])
def test_the_glass_has_room_for_the_bump_and_its_errors(height, error, room):
    axes = worlds.glass_axes((0, 0, 300, 100), height, error)
    assert axes.ylim == pytest.approx((0.5 - room, 0.5 + room))


def test_the_stake_is_a_question_until_it_is_told():
    bars, mark = worlds.stake((0.0, 0.26), None)
    assert (len(bars.heights), mark.texts) == (0, ("?",))
    for sign, at in (("+", 0), ("-", 1)):
        bars, mark = worlds.stake((0.0, 0.26), sign)
        assert bars.heights == pytest.approx([0, 0.26])
        assert (mark.texts, mark.x[0]) == (("true",), at)
    hidden, told = (worlds.stake((0.0, 0.26), sign)[0].palette for sign in (None, "-"))
    assert hidden == told


def test_the_score_is_a_share_after_each_round():
    coin, line, dots = worlds.score(np.array([1.0, 0.0, 1.0]), None)
    assert line.x.tolist() == dots.x.tolist() == [1, 2, 3]
    assert line.y == pytest.approx([1, 1 / 2, 2 / 3])
    assert coin.y.tolist() == [0.5, 0.5]
    *_, best = worlds.score(np.ones(30), 0.66)
    assert (best.label, best.y[0]) == ("best guess", pytest.approx(0.66))
    assert best.x[-1] == worlds.score_axes((0, 0, 100, 100), 30).xlim[1] == 30.5
    assert worlds.score_axes((0, 0, 100, 100), 0).xlim == (0, worlds.ROUNDS + 0.5)


def test_words_count_the_sample_and_do_not_tell_the_world():
    assert worlds.describe(1000, 500, 240, (42, 95)) == (
        "Sample of 1000 points, 500 of them on the line, 240 of class 1 there. Within the bump 42 of 95 are of "
        "class 1. The other 500 lie at x' and are of class 1."
    )
