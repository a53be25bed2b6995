"""What robust kNN is compared with: exact identities, scikit-learn's own fits, plain code."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import RandomState
from reference_implementations import gaussian_weights, generators
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from knnviz import LabelNoise
from knnviz_papers.gao.linear_rivals import (
    AROWClassifier,
    NHERDClassifier,
    UnbiasedLogisticRegression,
    confidence_pass,
    unbiased_loss,
)
from knnviz_papers.gao.reweighting import (
    ImportanceReweightedClassifier,
    LabelDependentCostsClassifier,
    importance_weights,
)

RATES = (0.25, 0.5)
online = pytest.mark.parametrize("estimator", [AROWClassifier(), NHERDClassifier()], ids=str)


def halves(n, seed, p0=0.0, p1=0.0):
    """Points of a square, classes on both sides of a diagonal, and their labels after flips."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 2))
    y = (X.sum(axis=1) > 0).astype(int)
    return X, y, LabelNoise(p0, p1).flip(y, rng.random(n))


def in_proportion(seed):
    """Points four times each, true labels, and observed ones in proportions of ``RATES``."""
    X, _, _ = halves(30, seed)
    y = np.random.default_rng(seed).integers(0, 2, 30)
    true = np.repeat(y, 4)
    copies = np.tile(np.arange(4), 30)
    flipped = copies < 4 * np.array(RATES)[true]
    return np.repeat(X, 4, axis=0), true, true ^ flipped


class FixedProbabilities(ClassifierMixin, BaseEstimator):
    """A classifier that is told the probabilities e of class 1 at the points."""

    def __init__(self, e=0.5):
        self.e = e

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.stack([1 - self.e, self.e], axis=1)


# Importance


@pytest.mark.parametrize("rates", [(0.25, 0.5), (0.0, 0.4), (0.4, 0.4), (0.3, 0.1)])
def test_weights_turn_probabilities_of_observed_labels_into_those_of_true_ones(rates):
    eta = np.linspace(0, 1, 41)
    observed = LabelNoise(*rates).corrupt(np.stack([1 - eta, eta], axis=1))
    contrast = 1 - sum(rates)
    for label, true in enumerate((1 - eta, eta)):
        e = observed[:, label]
        other_rates = np.full(41, rates[1 - label])
        weights = importance_weights(e, other_rates, contrast)
        assert np.allclose(e * weights, true, rtol=0, atol=1e-15)


def test_with_the_true_probabilities_it_is_a_fit_to_true_labels():
    X, true, observed = in_proportion(0)
    e = np.where(true == 1, 1 - RATES[1], RATES[0])
    model = LogisticRegression(tol=1e-10)
    told = ImportanceReweightedClassifier(
        clone(model), noise_rates=RATES, probability_estimator=FixedProbabilities(e)
    )
    found = told.fit(X, observed).decision_function(X)
    wanted = model.fit(X, true).decision_function(X)
    assert np.allclose(found, wanted, rtol=0, atol=1e-6)


# Costs


def test_costs_are_class_weights():
    X, _, observed = halves(200, 0, *RATES)
    fitted = LabelDependentCostsClassifier(SVC(), noise_rates=RATES).fit(X, observed)
    theta = (1 + RATES[0] - RATES[1]) / 2
    costs = {0: 2 * theta, 1: 2 * (1 - theta)}
    wanted = SVC(class_weight=costs).fit(X, observed)
    assert fitted.sample_weight_.tolist() == [costs[label] for label in observed]
    assert np.array_equal(fitted.decision_function(X), wanted.decision_function(X))


# Unbiased losses


@pytest.mark.parametrize("rates", [RATES, (0, 0.4)])
@pytest.mark.parametrize("t", [-3.5, 0.0, 0.25, 40.0])
def test_the_mean_of_the_loss_over_the_flip_is_the_loss_of_the_true_label(rates, t):
    targets = (np.arange(2) - rates[0]) / (1 - sum(rates))
    losses = []
    for target in targets:
        loss, *_ = unbiased_loss(np.array([t, 0.0]), np.ones((1, 1)), np.array([target]), 0.0)
        losses.append(loss)
    for y, rate in enumerate(rates):
        mean = (1 - rate) * losses[y] + rate * losses[1 - y]
        assert mean == pytest.approx(np.logaddexp(0, (1 - 2 * y) * t), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("rates", [(0, 0), RATES])
def test_flips_in_exact_proportion_leave_the_fit_to_true_labels(C, rates):
    X, true, observed = in_proportion(0)
    if not any(rates):
        observed = true
    fitted = UnbiasedLogisticRegression(C=C, noise_rates=rates).fit(X, observed)
    wanted = LogisticRegression(C=C, tol=1e-8).fit(X, true)
    assert np.allclose(fitted.coef_, wanted.coef_, rtol=0, atol=2e-5)
    assert np.allclose(fitted.intercept_, wanted.intercept_, rtol=0, atol=2e-5)
    found = fitted.predict_proba(X)
    assert np.allclose(found, wanted.predict_proba(X), rtol=0, atol=1e-5)


@pytest.mark.parametrize(("rates", "ones"), [((0.5, 0), 4), ((0.5, 0), 3), ((0, 0.5), 4)])
def test_where_flips_explain_a_class_the_intercept_is_infinite(rates, ones):
    only = int(rates[0] == 0)
    intercept = np.inf if only else -np.inf
    X = np.arange(8.0)[:, None]
    y = (np.arange(8) < ones).astype(int)
    model = UnbiasedLogisticRegression(noise_rates=rates)
    with pytest.warns(UserWarning, match="^flips alone explain all labels other than"):
        model.fit(X, y)
    assert model.coef_.tolist() == [[0]]
    assert model.intercept_.tolist() == [intercept]
    assert set(model.predict(X)) == {only}


# Online


@given(
    st.integers(1, 40),
    st.integers(1, 6),
    st.sampled_from([0.1, 1.0, 10.0]),
    st.booleans(),
    generators,
)
def test_a_confidence_pass_adds_to_the_inverse_of_the_covariance(n, d, r, herd, rng):
    """Some columns are zeros, some points come twice, others never."""
    occupied = rng.random((n, d)) < 0.7
    X = rng.uniform(-1, 1, (n, d)) * occupied
    signs = rng.choice([-1.0, 1.0], n)
    order = rng.integers(0, n, n)
    mean = np.zeros(d)
    covariance = np.eye(d)
    confidence_pass(X, signs, order, r, herd, mean, covariance)
    wanted = gaussian_weights(X, signs, order, r, herd)
    for found, expected in zip((mean, covariance), wanted, strict=True):
        assert np.allclose(found, expected, rtol=1e-9, atol=1e-12)


@online
def test_every_pass_goes_on_from_the_last(estimator):
    X, _, observed = halves(30, 0, 0.2, 0.2)
    fitted = clone(estimator).set_params(max_iter=3, random_state=1).fit(X, observed)
    draws = RandomState(1)
    order = np.concatenate([draws.permutation(30) for _ in range(3)])
    points = np.column_stack([X, np.ones(30)])
    signs = 2.0 * observed - 1
    herd = isinstance(estimator, NHERDClassifier)
    mean, covariance = gaussian_weights(points, signs, order, 1.0, herd)
    coefficients = np.append(fitted.coef_, fitted.intercept_)
    assert np.allclose(coefficients, mean, rtol=1e-9, atol=1e-12)
    assert np.allclose(fitted.covariance_, covariance, rtol=1e-9, atol=1e-12)
