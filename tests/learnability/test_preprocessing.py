"""Transformers before the vote: their sums, the whole recipe, and scikit-learn's own checks."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference_implementations import sorted_neighbors, tables
from refusals import refuses
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

from knnviz.learnability.preprocessing import (
    LocalDensityScaler,
    NeighborSmoother,
    _kernel_weights,
    tabular_pipeline,
    vision_pipeline,
)

#: Checks that want fit_transform(X) to be fit(X).transform(X), which these transformers are
#: documented not to be.
UNLIKE = dict.fromkeys(
    ("check_transformer_general", "check_transformer_data_not_an_array"),
    "training points are smoothed and scaled among each other, without themselves; new points are "
    "not",
)


@parametrize_with_checks(
    [
        NeighborSmoother(1),
        NeighborSmoother(2, strength=0.5),
        LocalDensityScaler(1),
        LocalDensityScaler(3),
    ],
    expected_failed_checks=lambda estimator: UNLIKE,
)
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


@pytest.mark.parametrize("transformer", [NeighborSmoother(2), LocalDensityScaler(3)])
def test_what_is_learned_does_not_change_with_what_came_in_or_went_out(transformer):
    X, new = np.random.default_rng(0).normal(size=(2, 30, 3))
    given = X.copy()
    out = clone(transformer).fit_transform(X.tolist())
    first = transformer.fit_transform(X)
    before = transformer.transform(new)
    assert np.array_equal(first, out)
    X[:] = 0
    first[:] = 0
    assert np.array_equal(transformer.transform(new.tolist()), before)
    assert np.array_equal(clone(transformer).fit(given).transform(new), before)


def weights_of(distances):
    """Weights of the neighbors of one point, number by number."""
    sigma = np.median(distances)
    if sigma == 0:
        return np.full(len(distances), 1 / len(distances))
    weights = [np.exp(-(d**2) / (2 * sigma**2)) for d in distances]
    return np.array(weights) / sum(weights)


def smoothed(X, known, k, strength, own=None):
    """Points pulled toward their neighbors among the known ones, one after the other."""
    order, squares = sorted_neighbors(known, X, k, own)
    means = []
    for neighbors, row in zip(order, squares, strict=True):
        means.append(weights_of(np.sqrt(row)) @ known[neighbors])
    return (1 - strength) * X + strength * np.array(means)


def scaled(X, known, k, own=None):
    """Points over their mean distance to neighbors among the known ones, one after the other."""
    _, squares = sorted_neighbors(known, X, k, own)
    found = []
    for x, row in zip(X, squares, strict=True):
        mean = np.sqrt(row).mean()
        found.append(x / mean if mean > 0 else x)
    return np.array(found)


def unit(X):
    """Rows of length 1, rows of zeros as they are."""
    lengths = np.sqrt((X**2).sum(axis=1))
    return X / np.where(lengths > 0, lengths, 1)[:, None]


def recipe(known, new, k, strength, density):
    """The steps of the appendix on training points and new ones, after the first."""
    every = np.arange(len(known))
    known = unit(known)
    new = unit(new)
    pulled = smoothed(known, known, k, strength, every)
    known = unit(pulled)
    new = unit(smoothed(new, pulled, k, strength))
    return scaled(known, known, density, every), scaled(new, known, density)


@settings(max_examples=50)
@given(tables(max_n=30), st.floats(0, 1))
def test_transformers_are_the_sums_that_they_say(case, strength):
    X, queries, k, _ = case
    assume(len(X) > 1)
    every = np.arange(len(X))
    k = min(k, len(X) - 1)
    smoother = NeighborSmoother(k, strength)
    pulled = smoother.fit_transform(X)
    new = smoother.transform(queries)
    known_pulled = smoothed(X, X, k, strength, every)
    new_pulled = smoothed(queries, pulled, k, strength)
    assert np.allclose(pulled, known_pulled, rtol=0, atol=1e-14)
    assert np.allclose(new, new_pulled, rtol=0, atol=1e-14)

    scaler = LocalDensityScaler(k)
    known = scaler.fit_transform(X)
    new = scaler.transform(queries)
    assert np.allclose(known, scaled(X, X, k, every), rtol=1e-13, atol=0)
    assert np.allclose(new, scaled(queries, X, k), rtol=1e-13, atol=0)


# Strengths that bring no two points together, where rounding would settle ties.
@settings(max_examples=15)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 20),
    st.integers(1, 20),
    st.sampled_from([0, 0.1, 0.25, 0.7]),
)
def test_a_pipeline_is_the_recipe_written_down(seed, k, density, strength):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(40, 4)) + 1
    others = rng.normal(size=(9, 4))
    mean = points.mean(axis=0)
    for make, first in ((vision_pipeline, lambda X: X - mean), (tabular_pipeline, np.cbrt)):
        pipeline = make(k, strength, density)
        known, new = recipe(first(points), first(others), k, strength, density)
        assert np.allclose(pipeline.fit_transform(points), known, rtol=1e-9, atol=1e-12)
        assert np.allclose(pipeline.transform(others), new, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("strength", [0, 0.25])
def test_a_point_without_length_stays_at_0_until_neighbors_pull_it(strength):
    X = np.array([[0.0, 0], [0, 2], [2, 0], [-3, 0], [1, 1]])
    known = tabular_pipeline(2, strength, 3).fit_transform(X)
    wanted, _ = recipe(np.cbrt(X), X[:1], 2, strength, 3)
    assert np.allclose(known, wanted, rtol=1e-12)
    assert known[0].any() == (strength > 0)


def test_the_numbers_of_the_two_pipelines():
    cases = [(vision_pipeline(), (10, 0.25, 50)), (tabular_pipeline(), (10, 0.1, 100))]
    for pipeline, numbers in cases:
        smoother = pipeline[2]
        scaler = pipeline[4]
        found = (smoother.n_neighbors, smoother.strength, scaler.n_neighbors)
        assert found == numbers


@given(st.lists(st.floats(0, 1e150), min_size=1, max_size=9), st.sampled_from([1, 1e-300]))
def test_weights_of_any_distances(distances, scale):
    weights = _kernel_weights(np.sort(distances)[None] * scale)[0]
    assert np.isfinite(weights).all()
    assert weights.sum() == pytest.approx(1)
    assert (np.diff(weights) <= 0).all()


@pytest.mark.parametrize(
    ("transformer", "value"),
    [
        (NeighborSmoother(0), "0"),
        (NeighborSmoother(2, 1.5), "1.5"),
        (LocalDensityScaler(6), "6 with n = 6"),
    ],
)
def test_bad_parameters_are_refused_at_fit_which_then_learns_nothing(transformer, value):
    X = np.arange(6.0)[:, None]
    refuses(value, transformer.fit, X)
    with pytest.raises(NotFittedError):
        transformer.transform(X)
