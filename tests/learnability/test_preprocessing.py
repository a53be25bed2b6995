"""Transformers before the vote: their sums, and the whole recipe."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference_implementations import generators, sorted_neighbors, tables

from knnviz.learnability.preprocessing import (
    LocalDensityScaler,
    NeighborSmoother,
    _kernel_weights,
    tabular_pipeline,
    vision_pipeline,
)


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


@settings(max_examples=5)
@given(generators)
def test_a_pipeline_is_the_recipe_written_down(rng):
    points = rng.normal(size=(120, 4)) + 1
    others = rng.normal(size=(9, 4))
    roots = tabular_pipeline()
    known, new = recipe(np.cbrt(points), np.cbrt(others), 10, 0.1, 100)
    assert np.allclose(roots.fit_transform(points), known, rtol=1e-9, atol=1e-12)
    assert np.allclose(roots.transform(others), new, rtol=1e-9, atol=1e-12)

    centered = vision_pipeline()
    mean = points.mean(axis=0)
    known, new = recipe(points - mean, others - mean, 10, 0.25, 50)
    assert np.allclose(centered.fit_transform(points), known, rtol=1e-9, atol=1e-12)
    assert np.allclose(centered.transform(others), new, rtol=1e-9, atol=1e-12)


@given(st.lists(st.floats(0, 1e150), min_size=1, max_size=9), st.sampled_from([1, 1e-300]))
def test_weights_of_any_distances(distances, scale):
    weights = _kernel_weights(np.sort(distances)[None] * scale)[0]
    assert np.isfinite(weights).all()
    assert weights.sum() == pytest.approx(1)
    assert (np.diff(weights) <= 0).all()
