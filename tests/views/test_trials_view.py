"""Trials as curves, tested on their layers."""

import numpy as np
import pytest

from knnviz.labs.tuning import trial_layers as view
from knnviz.labs.tuning.layers import STYLES
from knnviz.views.layers import Band, Lines
from knnviz.weights import Trials


def some(done):
    """Trials at three n, three repeats, of which so many are done."""
    rng = np.random.default_rng(0)
    q, scores = rng.dirichlet(np.ones(3), (3, 3, 3)), rng.uniform(0.4, 0.6, (3, 3, 3, 3))
    for flat in (q.reshape(9, -1), scores.reshape(9, -1)):
        flat[done:] = np.nan
    return Trials("n", np.array([50, 100, 200]), q, scores)


def named(layers):
    return {layer.name: layer for layer in layers}


@pytest.mark.parametrize("done", [0, 1, 2, 5, 9])
@pytest.mark.parametrize("average", ["macro", "micro"])
def test_scores_are_means_by_method_as_far_as_they_are_known(done, average):
    results = some(done)
    drawn, known = named(view.scores(results, average)), min(done, 3)
    for i, (method, look) in enumerate(STYLES.items()):
        searched, new = drawn[f"{method}_searched"], drawn[method]
        assert searched.x.tolist() == new.x.tolist() == results.values[:known].tolist()
        assert new.y == pytest.approx(results.mean(average)[i, :known], abs=1e-6)
        assert searched.y == pytest.approx(results.mean("searched")[i, :known], abs=1e-6)
        assert (bool(searched.dash), bool(new.dash)) == (True, False)
        assert searched.color == new.color == look.color
        band, error = drawn[f"{method}_band"], np.nan_to_num(results.standard_error(average)[i, :known])
        assert band.upper - band.lower == pytest.approx(4 * error, abs=1e-6)
    assert sum(isinstance(layer, Band) and layer.label is not None for layer in drawn.values()) == 1
    labels = [layer.label for layer in drawn.values() if isinstance(layer, Lines) and layer.label]
    assert sorted(labels) == ["equal", "greedy", "grid", "searched score"]


def test_differences_are_those_of_the_same_samples():
    results = some(9)
    drawn = named(view.differences(results, (40, 250)))
    for scored in ("macro", "micro"):
        assert drawn[scored].y == pytest.approx(results.difference(scored)[0], abs=1e-6)
    assert set(drawn["zero"].y.tolist()) == {0}
    assert sum(isinstance(layer, Band) and layer.label is not None for layer in drawn.values()) == 1


def test_distances_are_those_of_mean_weights():
    results = some(9)
    assert named(view.distances(results))["distance"].y == pytest.approx(results.distance()[0], abs=1e-6)


@pytest.mark.parametrize("done", [0, 1, 9])
def test_limits_hold_all_curves(done):
    results = some(done)
    for layers in (view.scores(results, "macro"), view.differences(results, (40, 250)), view.distances(results)):
        low, high = view.limits(layers)
        for layer in layers:
            for name in ("y", "lower", "upper"):
                heights = getattr(layer, name, np.empty(0))
                assert ((low <= heights) & (heights <= high)).all()
    assert view.limits(()) == (0, 1)


def test_without_a_curve_words_say_why():
    mark = view.no_curve((10, 1000), (0, 1), "choose a curve")
    assert (mark.x[0], mark.y[0], mark.texts) == (100, 0.5, ("choose a curve",))
    axes = view.axes("off", "n", (10, 1000), (0, 1), "macro F1")
    assert (axes.title, axes.log) == ("Trials: off", True)
    assert view.axes("F1 over k", "k", (1, 200), (0, 1), "macro F1").xlabel == "neighbors k"


def test_words_hold_the_numbers():
    results = some(9)
    curves = dict(zip(STYLES, results.mean("macro"), strict=True))
    said = view.describe(results, curves)
    assert said.startswith("Trials over n, 9 of 9 done.")
    for name, mean in curves.items():
        assert f"{name}: {mean[0]:.4f} at n = 50, {mean[2]:.4f} at n = 200; lowest {mean.min():.4f} at" in said
    assert view.describe(some(0), curves) == "Trials over n, 0 of 9 done."
