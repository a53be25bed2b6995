"""Scores at many class weights, beside one decision after the other."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import generators
from refusals import refuses
from sklearn import metrics as peer

from knnviz import Weighted, problems
from knnviz.weights import SCORES, WeightScorer, confusion, simplex_grid


def reference_score(fractions, truth, q, scoring):
    """A score by scikit-learn or by the confusion entries, one set of weights at a time."""
    decided = Weighted(q).decide(fractions)
    labels = np.arange(fractions.shape[1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if scoring == "matthews_corrcoef":
            return peer.matthews_corrcoef(truth, decided)
        if scoring == "balanced_accuracy" and len(np.unique(truth)) == len(labels):
            return peer.balanced_accuracy_score(truth, decided)
        if scoring == "f1_macro":
            return peer.f1_score(truth, decided, labels=labels, average="macro", zero_division=0)
    entries = confusion(truth, fractions, q, rule="argmax")
    if scoring == "accuracy":
        return entries.accuracy
    if scoring == "f1_micro":
        return entries.micro_f1
    return entries.balanced_accuracy


@settings(max_examples=40)
@given(
    st.integers(2, 5),
    st.integers(1, 40),
    generators,
    st.sampled_from(sorted(SCORES)),
)
def test_scores_are_those_of_one_decision_after_the_other_on_any_scale(n_classes, m, rng, scoring):
    fractions = rng.multinomial(6, np.ones(n_classes) / n_classes, m) / 6
    truth = rng.integers(0, n_classes, m)
    q = rng.integers(0, 5, (7, n_classes))
    q[:, 0] += 1
    score = WeightScorer.from_fractions(truth, fractions, scoring=scoring)
    expected = [reference_score(fractions, truth, each, scoring) for each in q]
    assert score(q) == pytest.approx(expected, abs=1e-12)
    scale = rng.uniform(0.001, 1000)
    assert score(scale * q) == pytest.approx(expected, abs=1e-12)


def test_probabilities_and_weights_of_points_are_integrated():
    measure, eta = problems.waves().cells(500)
    fractions = np.round(eta * 10) / 10
    fractions /= fractions.sum(axis=1, keepdims=True)
    grid = simplex_grid(3, 8)
    score = WeightScorer.from_fractions(eta, fractions, weights=measure.weights)
    expected = []
    for q in grid:
        entries = confusion(eta, fractions, q, weights=measure.weights, rule="argmax")
        expected.append(entries.macro_f1)
    assert score(grid) == pytest.approx(expected, abs=1e-12)


def test_an_unknown_score_and_weights_that_are_none_are_refused():
    fractions = np.array([[5, 1, 4], [2, 2, 6], [0, 9, 1]]) / 10
    labels = np.array([0, 2, 1])
    refuses("got 'f1'", WeightScorer.from_fractions, labels, fractions, scoring="f1")
    score = WeightScorer.from_fractions(labels, fractions)
    for bad in ((0.5, 0.5, np.nan), (0.5, 0.5), [[1, 2, 3], [1, -2, 3]]):
        refuses("q must hold", score, bad)
