"""Stairs of a walk and scores of several methods, tested on their layers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knnviz.labs.tuning import layers as tuning
from knnviz.labs.tuning.layers import STYLES
from knnviz.views import triangle
from knnviz.views.layers import Axes

WALK, NEW = np.array([0.5, 0.5, 0.7, 0.8]), np.array([0.4, 0.4, 0.6, 0.5])
found = st.lists(st.floats(0, 1), min_size=1, max_size=6).map(np.array)


def drawn(held_out=False):
    return {line.name: line for line in tuning.stairs(WALK, NEW, (0.9, 0.65), 50, held_out)}


@pytest.mark.parametrize("step", [0, 1, 2])
def test_between_two_steps_the_score_stays(step):
    for name, scores in (("greedy_searched", WALK), ("greedy_new", NEW)):
        line = drawn()[name]
        corners = np.stack([line.x, line.y], axis=1)
        for at in (step, step + 1):
            assert abs(corners - (at, scores[step])).sum(axis=1).min() < 1e-6
        assert (line.x[0], line.x[-1]) == (0, len(scores) - 1)
        assert line.y[-1] == pytest.approx(scores[-1])


def test_what_is_searched_is_dashed_and_each_method_has_its_color():
    for name, line in drawn().items():
        method, where = name.split("_")
        assert line.color == STYLES[method].color
        assert bool(line.dash) == (where == "searched")
    assert set(drawn()["grid_searched"].y.round(6).tolist()) == {np.float32(0.9).round(6).item()}
    assert drawn()["grid_new"].label == "grid, new points"
    assert drawn(held_out=True)["greedy_new"].label == "greedy, held out"


@pytest.mark.parametrize(("steps", "align"), [(0, "left"), (24, "left"), (25, "right"), (50, "right")])
def test_the_steps_taken_have_a_handle_within_the_panel(steps, align):
    line, mark = tuning.steps_taken(steps, (0.5, 0.7), 50)
    assert set(line.x.tolist()) == {steps}
    assert (mark.x[0], mark.align, mark.handles, mark.spoken) == (steps, align, ("steps T",), (f"{steps} steps",))
    assert 0.5 < mark.y[0] < 0.7
    axes = tuning.stairs_axes(50, (0.5, 0.7))
    assert axes.xlim[0] < steps < axes.xlim[1]


@given(found)
def test_limits_hold_all_that_is_found(scores):
    for limits in (tuning.limits, tuning.stairs_limits):
        low, high = limits(scores)
        assert low <= scores.min() <= scores.max() <= high


@given(found, st.floats(0, 1))
def test_limits_of_the_stairs_are_few(scores, lowest):
    """Where the highest stays, there is one for each height; none lies more than rounding below 0."""
    low, high = tuning.stairs_limits(np.append(scores, scores.max() * lowest))
    assert high == tuning.stairs_limits(scores)[1]
    assert low == -tuning.LIMIT_STEP or any(low == pytest.approx(high - height) for height in tuning.HEIGHTS)
    assert low >= -tuning.LIMIT_STEP


def test_limits_of_nothing():
    assert tuning.limits(np.array([np.nan])) == (0, 1)


def test_bars_stand_by_method_with_their_numbers_above():
    scores = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 1.0]])
    bars, values = tuning.scores(scores, 9.0)
    assert bars.heights == pytest.approx(scores.ravel(), abs=1e-6)
    assert np.rint(bars.x).tolist() == np.repeat([0, 1, 2], 3).tolist()
    assert bars.codes.tolist() == [0, 1, 2] * 3
    assert (np.diff(bars.x) > bars.width).all(), "none stands in another"
    assert (values.texts[0], values.texts[-1]) == (".100", "1.000")
    axes = tuning.scores_axes(False)
    assert axes.xnames == ("equal", "greedy", "grid")
    assert axes.ylim[1] > 1.15, "a number has room above a bar"


def test_answers_stand_at_their_weights():
    weights = {"unweighted": np.full(3, 1 / 3), "greedy": np.array([0.3, 0.3, 0.4]), "grid": np.array([0, 0, 1.0])}
    for (name, q), dot in zip(weights.items(), tuning.found_weights(weights), strict=True):
        assert (dot.x[0], dot.y[0]) == pytest.approx(triangle.positions(q), abs=1e-6)
        assert (dot.name, dot.labels) == (f"weights_{name}", (STYLES[name].label,))


@pytest.mark.parametrize(
    ("limits", "ticks"),
    [((-1.7, 1.8), (-1, 0, 1)), ((-0.5, 1.5), (0, 1)), ((0, 1), (0, 0.5, 1)), ((-4.2, 4.9), (-4, -2, 0, 2, 4))],
)
def test_a_small_map_has_few_round_ticks(limits, ticks):
    small = tuning.small_map(Axes("map", "Map", "petal length (cm) (standardized)", "x2", limits, limits, (0, 0, 9, 9)))
    assert (small.xticks, small.yticks) == (ticks, ticks)
    assert (small.xlabel, small.ylabel) == ("petal length", "x2")
    assert all(name == f"{tick:g}".replace("-", "−") for tick, name in zip(ticks, small.xnames, strict=True))


def test_words_hold_the_numbers():
    walk = "Greedy walk of 3 steps: searched score from 0.5000 to 0.8000, macro F1 on new points from 0.4000 to 0.5000."
    assert tuning.describe(WALK, NEW, "macro F1 on new points") == walk


def test_the_name_of_a_start_stands_away_from_the_middle_and_within_the_panel():
    for align, positions in (("left", (0.0, 0.14, 0.5, 0.8)), ("right", (0.3, 0.86, 1.0))):
        assert {tuning.name_align(x, (0.0, 1.0)) for x in positions} == {align}
