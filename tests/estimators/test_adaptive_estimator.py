"""AdaptiveKNeighborsClassifier: the original rule written down, the rule on a table, bags, scikit-learn's checks."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import sorted_neighbors, tables
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from knnviz import NeighborTable
from knnviz.estimators import AdaptiveKNeighborsClassifier, PartialLabelKNeighborsClassifier, stopping
from knnviz.problems import ramp
from knnviz.rules import Adaptive


@parametrize_with_checks(
    [
        AdaptiveKNeighborsClassifier(max_neighbors=3),
        AdaptiveKNeighborsClassifier(0.2, max_neighbors=7, metric="manhattan"),
        AdaptiveKNeighborsClassifier(0.3, baseline="bag_size"),
    ]
)
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


def original(labels, width):
    """A-kNN on labels -1 and 1 in order of distance: the sign of their mean, the stopping k, and whether decided."""
    for k in range(1, len(labels) + 1):
        if abs(labels[:k].sum()) / k >= width / np.sqrt(k):
            return np.sign(labels[:k].sum()), k, True
    return (1 if labels.sum() >= 0 else -1), len(labels), False


@st.composite
def fits(draw):
    """Training points with ties and duplicates, queries, T, which may exceed n, c1 and random numbers."""
    X, queries, k, rng = draw(tables())
    return X, queries, k + draw(st.sampled_from([0, 100])), draw(st.sampled_from([0.1, 0.3, 0.5])), rng


@settings(max_examples=50)
@given(fits(), st.integers(1, 80))
def test_two_classes_have_the_original_rule(case, first):
    X, queries, most, c1, rng = case
    n = len(X)
    y = rng.choice([-1, 1], n)
    y[:2] = [-1, 1][:n]
    fitted = AdaptiveKNeighborsClassifier(c1, max_neighbors=most).fit(X, y)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stopping, "FIRST_K", first)
        scan, labels = fitted.scan(queries), fitted.predict(queries)
    width = c1 * np.sqrt(np.log(n) + np.log(1 / 0.1))
    for i, row in enumerate(sorted_neighbors(X, queries, min(most, n))[0]):
        label, k, decided = original(y[row], width)
        assert labels[i] == label
        if n > 1:  # one class has another beside it for the rule, and is decided anyway
            assert (scan.stop_k[i], scan.decided[i]) == (k, decided)
            assert scan.alive[i].tolist() == [not decided or label == each for each in (-1, 1)]


@settings(max_examples=50)
@given(fits(), st.integers(3, 5), st.sampled_from(["classes", "bag_size"]))
def test_it_is_the_rule_on_a_table(case, n_classes, baseline):
    X, queries, most, c1, rng = case
    bags, y = rng.random((len(X), n_classes)) < 0.5, rng.integers(0, n_classes, len(X))
    table = NeighborTable.build(X, queries, min(most, len(X)))
    adaptive = AdaptiveKNeighborsClassifier(c1, max_neighbors=most, baseline=baseline)
    rule = Adaptive(c1, max_neighbors=most, baseline=baseline)
    for observed in (bags, y):
        ours = adaptive.fit(X, observed).scan(queries)
        codes = observed if observed.ndim == 2 else np.unique(observed, return_inverse=True)[1]
        if len(adaptive.classes_) > 1:
            theirs = rule.scan(table, codes, len(adaptive.classes_))
            assert all(np.array_equal(mine, wanted) for mine, wanted in zip(ours, theirs, strict=True))


@pytest.fixture(scope="module")
def sample():
    """Points of two classes, and where to ask."""
    return ramp().sample(600, 0), ramp().sample(300, 1)


def test_it_looks_farther_where_labels_are_mixed(sample):
    known, asked = sample
    adaptive = AdaptiveKNeighborsClassifier().fit(known.X, known.y)
    stops, certain = adaptive.stopping_neighbors(asked.X), abs(ramp().eta(asked.X)[:, 1] - 0.5)
    assert 10 * np.median(stops[certain > 0.3]) < np.median(stops[certain < 0.1])
    assert (clone(adaptive).set_params(c1=1).fit(known.X, known.y).stopping_neighbors(asked.X) >= stops).all()
    few = adaptive.set_params(max_neighbors=20)
    left = few.predict_set(asked.X).sum(axis=1)
    assert np.array_equal(left == 1, few.decided(asked.X))
    assert np.array_equal(left == 1, stops <= 20)
    assert set(left) == {1, 2}


def test_bags_of_two_classes_have_the_extension(sample):
    known, asked = sample
    bags = np.eye(2, dtype=bool)[known.y]
    adaptive = AdaptiveKNeighborsClassifier(max_neighbors=200)
    partial = PartialLabelKNeighborsClassifier(max_neighbors=200, strategy="a-knn")
    plain, boxed = (clone(adaptive).fit(known.X, each).stopping_neighbors(asked.X) for each in (known.y, bags))
    # There a fraction must exceed 1/2, not the other fraction, and the band has C in its logarithm.
    assert (boxed >= plain).all()
    assert (boxed > plain).any()
    assert np.array_equal(partial.fit(known.X, bags).stopping_neighbors(asked.X), boxed)


def test_neighbors_that_it_gives_unasked(sample):
    known, asked = sample
    adaptive = AdaptiveKNeighborsClassifier(max_neighbors=7).fit(known.X, known.y)
    wanted = sorted_neighbors(known.X, asked.X, 7)[0]
    assert np.array_equal(adaptive.kneighbors(asked.X, return_distance=False), wanted)
    assert adaptive.set_params(max_neighbors=None).kneighbors(return_distance=False).shape == (600, 599)
    assert "n_neighbors" not in adaptive.get_params()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"c1": 0}, "c1 must be above 0: without a band the first neighbor decides everything"),
        ({"baseline": "bags"}, "baseline must be 'classes' or 'bag_size', got 'bags'"),
        ({"metric": "citty"}, "metric must be a function or a distance of two points in scikit-learn, got 'citty'"),
    ],
)
def test_bad_parameters_are_refused_at_fit(options, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        AdaptiveKNeighborsClassifier(**options).fit(np.arange(6.0)[:, None], [0, 1] * 3)
