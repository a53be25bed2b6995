"""Scores at many class weights, beside one decision after the other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import generators
from refusals import refuses
from sklearn.metrics import matthews_corrcoef

from knnviz import Weighted
from knnviz.weights import SCORES, WeightScorer, confusion


def reference_score(fractions, truth, q, scoring):
    """A score by scikit-learn or by the confusion entries, one set of weights at a time."""
    if scoring == "matthews_corrcoef":
        return matthews_corrcoef(truth, Weighted(q).decide(fractions))
    entries = confusion(truth, fractions, q, rule="argmax")
    kinds = {"f1_macro": entries.macro_f1, "balanced_accuracy": entries.balanced_accuracy}
    return kinds.get(scoring, entries.accuracy)


@pytest.mark.filterwarnings("ignore:A single label was found")
@settings(max_examples=40)
@given(st.integers(2, 5), st.integers(1, 40), generators, st.sampled_from(sorted(SCORES)))
def test_scores_are_those_of_one_decision_after_the_other_on_any_scale(n_classes, m, rng, scoring):
    fractions = rng.multinomial(6, np.ones(n_classes) / n_classes, m) / 6
    truth = rng.integers(0, n_classes, m)
    q = rng.integers(0, 5, (7, n_classes))
    q[:, 0] += 1
    score = WeightScorer.from_fractions(truth, fractions, scoring=scoring)
    expected = [reference_score(fractions, truth, each, scoring) for each in q]
    for scale in (1, rng.uniform(0.001, 1000)):
        assert score(scale * q) == pytest.approx(expected, abs=1e-12)


def test_weights_that_are_none_are_refused():
    fractions = np.array([[5, 1, 4], [2, 2, 6], [0, 9, 1]]) / 10
    labels = np.array([0, 2, 1])
    score = WeightScorer.from_fractions(labels, fractions)
    for bad in ((0.5, 0.5, np.nan), (0.5, 0.5), [[1, 2, 3], [1, -2, 3]]):
        refuses("q must hold", score, bad)
