"""Layers of TuningLab: the middle of the triangle, a tuning.path on it, stairs of a walk, and
curves of trials.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knnviz.labs import tuning
from knnviz.labs.tuning import (
    DIFFERENCE,
    DISTANCE,
    F1_OVER_N,
    MOST_STEPS,
    STYLES,
    curve_panel,
    curves,
)
from knnviz.views import triangle
from knnviz.weights import SearchResult, Trials

scores = st.lists(st.floats(0, 1), min_size=MOST_STEPS + 1, max_size=MOST_STEPS + 1).map(np.array)


WAYS = tuple(STYLES)


def named(layers):
    return {layer.name: layer for layer in layers}


@pytest.mark.parametrize(
    ("q", "inside"),
    [
        ((1, 1, 1), True),
        ((0.3, 0.3, 0.4), True),
        ((0.52, 0.24, 0.24), True),
        ((0.8, 0.1, 0.1), False),
    ]
    + [((0.65, 0.2, 0.15), False), ((0.2, 0.25, 0.55), False), ((0, 0, 1), False)],
)
def test_the_middle_is_what_its_axes_show(q, inside):
    """Up to a hundredth, to which a hand rounds; methods stand at their weights."""
    walk = SearchResult(np.array(q), 0.0, np.array([q] * 2), np.zeros(2))
    shown = tuning.triangle_panel(
        lambda f, *given: f(*given),
        "abc",
        "",
        np.zeros(66),
        tuning.MIDDLE,
        walk,
        1,
        [(way, q) for way in STYLES],
        q,
    )
    x, y = triangle.positions(np.array(q))
    for method in STYLES:
        assert named(shown.layers)[f"weights_{method}"].x[0] == pytest.approx(x, abs=1e-6)
    (left, right) = shown.axes.xlim
    (bottom, top) = shown.axes.ylim
    assert (left <= x <= right and bottom <= y <= top) == tuning.in_middle(q) == inside


def test_a_path_goes_from_weights_to_weights():
    history = np.array([[0.3, 0.3, 0.4], [0.31, 0.3, 0.39], [1, 0, 0]])
    for layer in tuning.path(history):
        assert np.stack([layer.x, layer.y], axis=1) == pytest.approx(
            triangle.positions(history), abs=1e-6
        )


@given(scores, scores, st.floats(0, 1))
def test_between_two_steps_the_score_stays_and_limits_are_few(searched, new, highest):
    drawn = tuning.stairs_panel((searched, new), (highest, 0.5), 7, "new points")
    low, high = drawn.axes.ylim
    for name, of_walk in (("greedy_searched", searched), ("greedy_new", new)):
        line = named(drawn.layers)[name]
        corners = np.stack([line.x, line.y], axis=1)
        for step in (0, 1, MOST_STEPS - 1):
            for at in (step, step + 1):
                assert abs(corners - (at, of_walk[step])).sum(axis=1).min() < 1e-6
        assert low <= of_walk.min() <= of_walk.max() <= high
    assert set(named(drawn.layers)["grid_searched"].y.tolist()) == {np.float32(highest).item()}
    assert low == -tuning.LIMIT_STEP or any(
        low == pytest.approx(high - height) for height in tuning.HEIGHTS
    )
    assert not any(
        "new" in name for name in named(tuning.stairs_panel((searched,), (highest,), 7, "").layers)
    )


def test_plateaus_end_where_the_score_changes():
    layer = tuning.borders(np.repeat([0.2, 0.7], 33) + 1e-15 * np.arange(66))
    assert set(layer.codes.ravel().tolist()) == {0, 1, 255}


def some(done):
    """Trials at three n, three repeats, of which so many are done."""
    rng = np.random.default_rng(0)
    q = rng.dirichlet(np.ones(3), (3, 3, 3))
    found = rng.uniform(0.4, 0.6, (3, 3, 3, 3))
    for flat in (q.reshape(9, -1), found.reshape(9, -1)):
        flat[done:] = np.nan
    return Trials("n", np.array([50, 100, 200]), q, found)


@pytest.mark.parametrize("done", [0, 1, 2, 5, 9])
def test_scores_are_means_by_method_as_far_as_they_are_known(done):
    results = some(done)
    known = min(done, 3)
    drawn = named(curves(F1_OVER_N, results, WAYS))
    for i, method in enumerate(STYLES):
        searched, new, band = (drawn[f"{method}{end}"] for end in ("_searched", "", "_band"))
        assert searched.x.tolist() == new.x.tolist() == results.values[:known].tolist()
        assert new.y == pytest.approx(results.mean("macro")[i, :known], abs=1e-6)
        assert searched.y == pytest.approx(results.mean("searched")[i, :known], abs=1e-6)
        error = np.nan_to_num(results.standard_error("macro")[i, :known])
        assert band.upper - band.lower == pytest.approx(4 * error, abs=1e-6)
    macro = named(curves(DIFFERENCE, results, WAYS))
    distance = named(curves(DISTANCE, results, WAYS))
    for scored in ("macro", "micro"):
        assert macro[scored].y == pytest.approx(results.difference(scored)[0][:known], abs=1e-6)
    assert distance["distance"].y == pytest.approx(results.distance()[0][:known], abs=1e-6)


@pytest.mark.parametrize("curve", [F1_OVER_N, DIFFERENCE, DISTANCE])
@pytest.mark.parametrize("done", [0, 1, 9])
def test_limits_hold_all_curves(curve, done):
    low, high = curve_panel(curve, some(done), WAYS, 3, 200, np.full(3, 0.3)).axes.ylim
    assert low < 0.3 or curve != F1_OVER_N, "the current sample"
    for layer in curves(curve, some(done), WAYS):
        heights = [getattr(layer, name) for name in ("y", "lower", "upper") if hasattr(layer, name)]
        assert all(((low <= each) & (each <= high)).all() for each in heights)
    assert curve_panel(curve, None, (), 3, 200, np.zeros(0)).axes.ylim == (0, 1)
