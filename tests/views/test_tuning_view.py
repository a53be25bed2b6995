"""Layers of TuningLab: a path on the triangle, plateaus, stairs of a walk, and curves of trials."""

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
    WAYS,
    curves,
)
from knnviz.weights import Trials, WeightScorer, greedy_search

N_SCORES = MOST_STEPS + 1
scores = st.lists(st.floats(0, 1), min_size=N_SCORES, max_size=N_SCORES).map(np.array)


def named(layers):
    return {layer.name: layer for layer in layers}


@given(scores, scores)
def test_between_two_steps_the_score_stays(searched, new):
    drawn = tuning.stairs_panel(searched, new, 7)
    layers = named(drawn.layers)
    low, high = drawn.axes.ylim
    for name, of_walk in ((tuning.ON_SAMPLE, searched), (tuning.ON_NEW, new)):
        line = layers[name]
        corners = np.stack([line.x, line.y], axis=1)
        for step in (0, 1, MOST_STEPS - 1):
            for at in (step, step + 1):
                apart = abs(corners - (at, of_walk[step])).sum(axis=1)
                assert apart.min() < 1e-6
        assert low <= of_walk.min()
        assert of_walk.max() <= high


def test_plateaus_end_where_the_score_changes():
    plateaus = np.repeat([0.2, 0.7], 33)
    layer = tuning.borders(plateaus + 1e-15 * np.arange(66))
    codes = layer.codes.ravel().tolist()
    assert set(codes) == {0, 1, 255}


@pytest.mark.parametrize("accept", [">=", ">"])
def test_a_move_is_marked_if_it_is_made_next(accept):
    """On a plateau all are as good; at a top none is, whatever scores highest."""
    votes = np.array([[6, 3, 1], [2, 5, 3], [1, 3, 6], [5, 4, 1]])
    score = WeightScorer.from_fractions(np.array([0, 1, 2, 1]), votes / 10)
    for start in ((0.3, 0.3, 0.4), (0.4, 0.4, 0.2), (0.2, 0.6, 0.2)):
        walk = greedy_search(score, start, step=0.05, n_steps=50, accept=accept)
        for n_steps in range(5):
            search = tuning.searching(score, walk, n_steps, 0.05, "coordinate", accept)
            goes_on = not np.array_equal(walk.history[n_steps + 1], walk.history[n_steps])
            assert search.accepted.any() or not goes_on
            if goes_on:
                which = -1 if accept == ">=" else 0
                made = search.tried[search.accepted][which]
                assert made == pytest.approx(walk.history[n_steps + 1])
            assert (search.scores[search.accepted] >= search.score).all()


def some(done):
    """Trials at three n, three repeats, of which so many are done."""
    rng = np.random.default_rng(0)
    q = rng.dirichlet(np.ones(3), (3, 3, 3))
    found = rng.uniform(0.4, 0.6, (3, 3, 3, 3))
    for flat in (q.reshape(9, -1), found.reshape(9, -1)):
        flat[done:] = np.nan
    return Trials(np.array([50, 100, 200]), q, found)


@pytest.mark.parametrize("done", [0, 1, 2, 5, 9])
def test_scores_are_means_by_method_as_far_as_they_are_known(done):
    results = some(done)
    known = min(done, 3)
    values = results.sizes[:known].tolist()
    drawn = named(curves(F1_OVER_N, results))
    for i, method in enumerate(WAYS):
        searched = drawn[f"{method}_searched"]
        expected = results.mean("searched")[i, :known]
        assert searched.y[:known] == pytest.approx(expected, abs=1e-6)
        assert np.isnan(searched.y[known:]).all()

        new = drawn[method]
        assert new.x.tolist() == values
        expected = results.mean("macro")[i, :known]
        assert new.y == pytest.approx(expected, abs=1e-6)

        band = drawn[f"{method}_band"]
        error = np.nan_to_num(results.standard_error("macro")[i, :known])
        assert band.upper - band.lower == pytest.approx(4 * error, abs=1e-6)

    drawn = named([*curves(DIFFERENCE, results), *curves(DISTANCE, results)])
    found = {name: results.difference(name) for name in ("macro", "micro")}
    for name, (means, *_) in (found | {"distance": results.distance()}).items():
        assert drawn[name].y == pytest.approx(means[:known], abs=1e-6)
