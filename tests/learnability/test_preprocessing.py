"""Transformers before the vote: their sums, and the whole recipe."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference_implementations import sorted_neighbors, tables

from knnviz.learnability.preprocessing import (
    LocalDensityScaler,
    NeighborSmoother,
    _kernel_weights,
    tabular_pipeline,
    vision_pipeline,
)


def smoothed(X, known, k, strength, own=None):
    """Points pulled toward their neighbors among the known ones, one after the other."""
    order, squares = sorted_neighbors(known, X, k, own)
    means = []
    for neighbors, row in zip(order, squares, strict=True):
        sigma = np.median(np.sqrt(row))
        weights = np.exp(-row / (2 * sigma**2)) if sigma else np.ones(k)
        means.append(weights / weights.sum() @ known[neighbors])
    return (1 - strength) * X + strength * np.array(means)


def scaled(X, known, k, own=None):
    """Points over their mean distance to neighbors among the known ones."""
    _, squares = sorted_neighbors(known, X, k, own)
    mean = np.sqrt(squares).mean(axis=1, keepdims=True)
    return X / np.where(mean > 0, mean, 1)


def unit(X):
    """Rows of length 1."""
    return X / np.linalg.norm(X, axis=1, keepdims=True)


@settings(max_examples=50)
@given(tables(max_n=30), st.floats(0, 1))
def test_transformers_are_the_sums_that_they_say(case, strength):
    X, queries, k, _ = case
    assume(len(X) > 1)
    every = np.arange(len(X))
    k = min(k, len(X) - 1)
    smoother = NeighborSmoother(k, strength)
    pulled = smoother.fit_transform(X)
    assert pulled == pytest.approx(smoothed(X, X, k, strength, every), abs=1e-14)
    new = smoother.transform(queries)
    assert new == pytest.approx(smoothed(queries, pulled, k, strength), abs=1e-14)

    scaler = LocalDensityScaler(k)
    assert scaler.fit_transform(X) == pytest.approx(scaled(X, X, k, every), rel=1e-13)
    assert scaler.transform(queries) == pytest.approx(scaled(queries, X, k), rel=1e-13)


def test_a_pipeline_is_the_recipe_written_down():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(120, 4)) + 1
    others = rng.normal(size=(9, 4))
    centered = [each - points.mean(axis=0) for each in (points, others)]
    roots = [np.cbrt(each) for each in (points, others)]
    for pipeline, (known, new), strength, density in (
        (vision_pipeline(), centered, 0.25, 50),
        (tabular_pipeline(), roots, 0.1, 100),
    ):
        smoother = NeighborSmoother(10, strength)
        scaler = LocalDensityScaler(density)
        known = scaler.fit_transform(unit(smoother.fit_transform(unit(known))))
        new = scaler.transform(unit(smoother.transform(unit(new))))
        assert pipeline.fit_transform(points) == pytest.approx(known)
        assert pipeline.transform(others) == pytest.approx(new)


@given(st.lists(st.floats(0, 1e150), min_size=1, max_size=9), st.sampled_from([1, 1e-300]))
def test_weights_of_any_distances(distances, scale):
    weights = _kernel_weights(np.sort(distances)[None] * scale)[0]
    assert np.isfinite(weights).all()
    assert weights.sum() == pytest.approx(1)
    assert (np.diff(weights) <= 0).all()
