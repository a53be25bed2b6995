"""Transformers before the vote: their sums written down, the whole recipe, guards, and scikit-learn's own checks."""

import pickle
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference_implementations import sorted_neighbors, tables
from refusals import refuses
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from knnviz.learnability.preparation import (
    LocalDensityScaler,
    NeighborSmoother,
    SignedPower,
    kernel_weights,
    tabular_pipeline,
    vision_pipeline,
)

UNLIKE = "training points are smoothed and scaled among each other, without themselves; new points are not"


def those_that_differ(estimator):
    """The two checks that want fit_transform(X) to be fit(X).transform(X), which these are documented not to be."""
    if isinstance(estimator, SignedPower):
        return {}
    return dict.fromkeys(("check_transformer_general", "check_transformer_data_not_an_array"), UNLIKE)


@parametrize_with_checks(
    [
        NeighborSmoother(1),
        NeighborSmoother(2, strength=0.5),
        LocalDensityScaler(1),
        LocalDensityScaler(3),
        SignedPower(),
        SignedPower(2),
    ],
    expected_failed_checks=those_that_differ,
)
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


@pytest.mark.parametrize("transformer", [NeighborSmoother(2), LocalDensityScaler(3)])
def test_what_those_two_checks_ask_beside(transformer):
    X = np.random.default_rng(0).normal(size=(30, 3))
    first = clone(transformer).fit_transform(X, np.zeros(30))
    assert np.array_equal(clone(transformer).fit_transform(X.tolist()), first)
    fitted = clone(transformer).fit(X)
    assert not np.allclose(fitted.transform(X), first)
    assert np.array_equal(fitted.transform(X.tolist()), fitted.transform(X))
    assert np.array_equal(fitted.fit_transform(X), first)
    refuses("X has 2 features, but", fitted.transform, X[:, :2])


def weights_of(distances):
    """Weights of the neighbors of one point, number by number."""
    sigma = np.median(distances)
    weights = [1.0 if sigma == 0 else np.exp(-(d**2) / (2 * sigma**2)) for d in distances]
    return np.array(weights) / sum(weights)


def smoothed(X, known, k, strength, own=None):
    """Points pulled toward their neighbors among the known ones, one after the other."""
    order, squares = sorted_neighbors(known, X, k, own)
    means = [weights_of(np.sqrt(squares[i])) @ known[order[i]] for i in range(len(X))]
    return (1 - strength) * X + strength * np.array(means)


def scaled(X, known, k, own=None):
    """Points over their mean distance to their neighbors among the known ones, one after the other."""
    means = [np.sqrt(row).mean() for row in sorted_neighbors(known, X, k, own)[1]]
    return np.array([x / mean if mean > 0 else x for x, mean in zip(X, means, strict=True)])


def unit(X):
    """Rows of length 1, rows of zeros as they are."""
    lengths = np.sqrt((X**2).sum(axis=1))
    return X / np.where(lengths > 0, lengths, 1)[:, None]


def recipe(known, new, k, strength, density, first):
    """The steps of the appendix on training points and new ones; ``first`` is what is done before them."""
    every, near = np.arange(len(known)), k
    known, new = (unit(X) for X in first(known, new))
    pulled = smoothed(known, known, near, strength, every)
    known, new = unit(pulled), unit(smoothed(new, pulled, near, strength))
    return scaled(known, known, density, every), scaled(new, known, density)


def centered(known, new):
    """Both without the mean of the training points."""
    return known - known.mean(axis=0), new - known.mean(axis=0)


def rooted(known, new):
    """Cube roots of both."""
    return np.cbrt(known), np.cbrt(new)


@st.composite
def point_sets(draw):
    """Training points with ties and duplicates, new ones, and k below the number of training points."""
    X, queries, k, _ = draw(tables(max_n=30))
    assume(len(X) > 1)
    return X, queries, min(k, len(X) - 1)


@settings(max_examples=50)
@given(point_sets(), st.floats(0, 1))
def test_the_smoother_is_the_sum_that_it_says(case, strength):
    X, queries, k = case
    smoother = NeighborSmoother(k, strength)
    wanted = smoothed(X, X, k, strength, np.arange(len(X)))
    assert np.allclose(smoother.fit_transform(X), wanted, rtol=0, atol=1e-14)
    kept = smoother.smoothed_
    assert np.allclose(smoother.transform(queries), smoothed(queries, kept, k, strength), rtol=0, atol=1e-14)


@settings(max_examples=50)
@given(point_sets())
def test_the_scaler_is_the_quotient_that_it_says(case):
    X, queries, k = case
    scaler = LocalDensityScaler(k)
    assert np.allclose(scaler.fit_transform(X), scaled(X, X, k, np.arange(len(X))), rtol=1e-13, atol=0)
    assert np.allclose(scaler.transform(queries), scaled(queries, X, k), rtol=1e-13, atol=0)


# Strengths that bring no two points together, where rounding would settle ties.
@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1), st.integers(1, 20), st.integers(1, 20), st.sampled_from([0, 0.1, 0.25, 0.7]))
def test_a_pipeline_is_the_recipe_written_down(seed, k, density, strength):
    rng = np.random.default_rng(seed)
    known, new = rng.normal(size=(40, 4)) + 1, rng.normal(size=(9, 4))
    for make, first in ((vision_pipeline, centered), (tabular_pipeline, rooted)):
        pipeline = make(k, strength, density)
        wanted = recipe(known, new, k, strength, density, first)
        assert np.allclose(pipeline.fit(known).transform(new), wanted[1], rtol=1e-9, atol=1e-12)
        assert np.allclose(pipeline.fit_transform(known), wanted[0], rtol=1e-9, atol=1e-12)


def test_a_classifier_behind_it_votes_on_the_recipe():
    pixels, digits = load_digits(return_X_y=True)
    X, y, queries = pixels[:320], digits[:320], pixels[320:400]
    known, new = recipe(X, queries, 10, 0.25, 50, centered)
    alone = KNeighborsClassifier(5).fit(known, y)
    piped = make_pipeline(vision_pipeline(), KNeighborsClassifier(5)).fit(X, y)
    assert np.array_equal(piped.predict(queries), alone.predict(new))
    assert piped.score(queries, digits[320:400]) > 0.9
    assert len(cross_val_score(piped, X, y, cv=3)) == 3


def test_the_numbers_of_the_two_pipelines():
    for pipeline, first, numbers in (
        (vision_pipeline(), "StandardScaler", (10, 0.25, 50)),
        (tabular_pipeline(), "SignedPower", (10, 0.1, 100)),
    ):
        steps = [step for _, step in pipeline.steps]
        names = ["Normalizer", "NeighborSmoother", "Normalizer", "LocalDensityScaler"]
        assert [type(step).__name__ for step in steps] == [first, *names]
        assert (steps[2].n_neighbors, steps[2].strength, steps[4].n_neighbors) == numbers
    assert not vision_pipeline()[0].with_std
    assert tabular_pipeline()[0].power == 1 / 3
    assert (NeighborSmoother().n_neighbors, LocalDensityScaler().n_neighbors) == (10, 50)


def test_three_points_by_hand():
    X = np.array([[0.0], [1], [3]])
    smoother = NeighborSmoother(1, 0.5)
    assert smoother.fit_transform(X).tolist() == [[0.5], [0.5], [2]]
    # As a new point, 0 is nearest to 0.5 and not to 1.
    assert smoother.transform(X).tolist() == [[0.25], [0.75], [2.5]]
    scaler = LocalDensityScaler(2)
    assert scaler.fit_transform(X).tolist() == [[0], [1 / 1.5], [3 / 2.5]]
    assert scaler.transform(X).tolist() == [[0], [2], [3]]


def test_equal_weights_where_the_median_distance_is_zero():
    assert kernel_weights(np.array([[0.0, 0, 8], [0, 2, 2]])).tolist()[0] == [1 / 3] * 3
    assert np.allclose(kernel_weights(np.array([[0.0, 2, 2]])), [weights_of([0, 2, 2])])
    X = np.array([[1.0], [1], [1], [4]])
    assert NeighborSmoother(3, 1).fit_transform(X).tolist() == [[2], [2], [2], [1]]


@given(st.lists(st.floats(0, 1e150), min_size=1, max_size=9), st.booleans())
def test_weights_of_any_distances(distances, tiny):
    row = np.sort(distances) * (1e-300 if tiny else 1)
    weights = kernel_weights(row[None])[0]
    assert np.isfinite(weights).all()
    assert abs(weights.sum() - 1) < 1e-12
    assert (np.diff(weights) <= 0).all()


def test_a_point_without_length_stays_at_0_until_neighbors_pull_it():
    X = np.array([[0.0, 0], [0, 2], [2, 0], [-3, 0], [1, 1]])
    for strength in (0, 0.25):
        known, new = recipe(X, X[:1], 2, strength, 3, rooted)
        pipeline = tabular_pipeline(2, strength, 3)
        assert np.allclose(pipeline.fit_transform(X), known, rtol=1e-12)
        assert np.allclose(pipeline.transform(X[:1]), new, rtol=1e-12)
        assert known[0].any() == (strength > 0)


@given(st.floats(-1e100, 1e100), st.sampled_from([1 / 3, 0.5, 1, 2]))
def test_a_signed_power_keeps_the_sign(x, power):
    (value,) = SignedPower(power).fit([[x]]).transform([[x]])[0]
    # NumPy's power and Python's may differ in the last digit.
    assert value == pytest.approx(np.copysign(abs(x) ** power, x), rel=1e-15, abs=1e-307)
    assert np.signbit(value) == np.signbit(x)
    assert SignedPower(power).fit([[-x]]).transform([[-x]]) == -value
    assert SignedPower(1 / 3).fit([[8.0]]).transform([[-27.0]]) == pytest.approx(-3)


def test_what_is_kept_is_not_what_is_handed_out():
    X = np.random.default_rng(1).normal(size=(12, 2))
    smoother = NeighborSmoother(3)
    first = smoother.fit_transform(X)
    before = smoother.transform(X)
    first += 1
    assert np.array_equal(smoother.transform(X), before)
    again = pickle.loads(pickle.dumps(smoother))
    assert np.array_equal(again.transform(X), before)
    assert clone(smoother).get_params() == {"n_neighbors": 3, "strength": 0.25}


def test_a_training_array_that_changes_later_changes_nothing():
    X, new = np.random.default_rng(2).normal(size=(2, 12, 2))
    scaler, smoother = LocalDensityScaler(3).fit(X), NeighborSmoother(3).fit(X)
    before = scaler.transform(new), smoother.transform(new)
    X[:] = 0
    assert np.array_equal(scaler.transform(new), before[0])
    assert np.array_equal(smoother.transform(new), before[1])


def test_frames_keep_their_columns():
    frame = pd.DataFrame(np.random.default_rng(3).normal(size=(9, 2)), columns=["height", "width"], index=range(20, 29))
    pipeline = tabular_pipeline(2, density_neighbors=3).set_output(transform="pandas")
    trained = pipeline.fit_transform(frame)
    assert trained.columns.tolist() == pipeline.get_feature_names_out().tolist() == ["height", "width"]
    assert trained.index.tolist() == list(range(20, 29))
    assert pipeline.transform(frame).shape == (9, 2)
    refuses("feature names", pipeline.transform, frame[["width", "height"]])


@pytest.mark.parametrize(
    ("transformer", "message"),
    [
        (NeighborSmoother(0), "n_neighbors must be at least 1, got 0"),
        (NeighborSmoother(2.5), "n_neighbors must be a whole number, got 2.5"),
        (NeighborSmoother(6), "n_neighbors must be below the number of points, got 6 with n = 6"),
        (NeighborSmoother(2, 1.5), "strength must be between 0 and 1, got 1.5"),
        (NeighborSmoother(2, "much"), "strength must be a number, got 'much'"),
        (LocalDensityScaler(), "n_neighbors must be below the number of points, got 50 with n = 6"),
        (LocalDensityScaler(True), "n_neighbors must be a whole number, got True"),
        (SignedPower(0), "power must be finite and above 0, got 0"),
        (SignedPower(-1), "power must be between 0 and inf, got -1"),
        (SignedPower("root"), "power must be a number, got 'root'"),
    ],
)
def test_bad_parameters_are_refused_at_fit(transformer, message):
    X = np.arange(6.0)[:, None]
    refuses(f"^{re.escape(message)}$", transformer.fit, X)
    refuses(f"^{re.escape(message)}$", transformer.fit_transform, X)


def test_a_fit_that_fails_keeps_nothing_and_parameters_are_read_again_later():
    X = np.arange(8.0)[:, None]
    scaler = LocalDensityScaler(9)
    refuses("got 9 with n = 8", scaler.fit, X)
    with pytest.raises(NotFittedError):
        scaler.transform(X)
    scaler.set_params(n_neighbors=2).fit(X)
    assert np.array_equal(scaler.set_params(n_neighbors=3).transform(X), LocalDensityScaler(3).fit(X).transform(X))
    refuses("got 8 with n = 8", scaler.set_params(n_neighbors=8).transform, X)
    refuses("Input X contains NaN", scaler.transform, [[np.nan]])
