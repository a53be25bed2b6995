"""PartialLabelKNeighborsClassifier: the printed algorithm, the rule on a table, bags, scikit-learn's checks."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import eliminated, sorted_neighbors, stood_out, tables
from refusals import refuses
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.exceptions import DataConversionWarning
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from knnviz import BagDraws, BagProcess, NeighborTable
from knnviz.bags import read_bags
from knnviz.estimators import PartialLabelKNeighborsClassifier, stopping
from knnviz.learnability.preparation import vision_pipeline
from knnviz.problems import gaussians
from knnviz.rules import Adaptive, PartialAdaptive


@parametrize_with_checks(
    [
        PartialLabelKNeighborsClassifier(max_neighbors=5),
        PartialLabelKNeighborsClassifier(strategy="vote", n_neighbors=3),
        PartialLabelKNeighborsClassifier(0.3, max_neighbors=7, strategy="a-knn", metric="manhattan"),
    ]
)
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


@st.composite
def fits(draw):
    """Training points with ties and duplicates, queries, bags, T, which may exceed n, and c1."""
    X, queries, k, rng = draw(tables())
    bags = rng.random((len(X), draw(st.integers(2, 4)))) < draw(st.sampled_from([0.1, 0.5, 0.9]))
    return X, queries, bags, k + draw(st.sampled_from([0, 100])), draw(st.sampled_from([0.1, 0.3, 0.5]))


@given(fits(), st.sampled_from(["lead", "majority"]))
def test_it_is_the_printed_algorithm(case, fallback):
    X, queries, bags, most, c1 = case
    n, n_classes = bags.shape
    partial = PartialLabelKNeighborsClassifier(c1, max_neighbors=most, fallback=fallback).fit(X, bags)
    width = c1 * np.sqrt(np.log(n) + np.log(n_classes / 0.1))
    scan = partial.scan(queries)
    for i, row in enumerate(sorted_neighbors(X, queries, min(most, n))[0]):
        label, k, alive = eliminated(bags[row], width, fallback)
        assert (scan.labels[i], scan.stop_k[i]) == (label, k)
        assert set(np.flatnonzero(scan.alive[i])) == alive
        assert scan.decided[i] == (len(alive) == 1)


@given(fits(), st.sampled_from(["classes", "bag_size"]))
def test_a_knn_is_the_extension_with_its_baseline(case, baseline):
    X, queries, bags, most, c1 = case
    n, n_classes = bags.shape
    partial = PartialLabelKNeighborsClassifier(c1, max_neighbors=most, strategy="a-knn", baseline=baseline)
    scan = partial.fit(X, bags).scan(queries)
    fraction = (bags.sum() / n if baseline == "bag_size" else 1) / n_classes
    for i, row in enumerate(sorted_neighbors(X, queries, min(most, n))[0]):
        found = stood_out(bags[row], c1 * np.sqrt(np.log(n) + np.log(n_classes / 0.1)), fraction)
        assert (scan.labels[i], scan.stop_k[i], scan.decided[i]) == found


@given(fits(), st.integers(1, 60))
def test_a_vote_counts_bags(case, k):
    X, queries, bags, _, _ = case
    k = min(k, len(X))
    scan = PartialLabelKNeighborsClassifier(strategy="vote", n_neighbors=k).fit(X, bags).scan(queries)
    for i, row in enumerate(sorted_neighbors(X, queries, k)[0]):
        votes = bags[row].sum(axis=0)
        assert scan.labels[i] == votes.argmax()
        assert scan.alive[i].tolist() == (votes == votes.max()).tolist()
        assert scan.decided[i] == (np.count_nonzero(votes == votes.max()) == 1)
        assert scan.stop_k[i] == k


@settings(max_examples=30)
@given(fits(), st.integers(1, 3), st.integers(1, 50))
def test_it_is_the_rule_on_a_whole_table_however_few_neighbors_come_first(case, first, held):
    X, queries, bags, most, c1 = case
    n_classes = bags.shape[1]
    table = NeighborTable.build(X, queries, min(most, len(X)))
    rules = {"adaptive": PartialAdaptive(c1, max_neighbors=most), "a-knn": Adaptive(c1, max_neighbors=most)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stopping, "FIRST_K", first)
        patch.setattr(stopping, "MOST_IN_MEMORY", held)
        for strategy, rule in rules.items():
            partial = PartialLabelKNeighborsClassifier(c1, max_neighbors=most, strategy=strategy).fit(X, bags)
            ours, theirs = partial.scan(queries), rule.scan(table, bags, n_classes)
            assert all(np.array_equal(mine, wanted) for mine, wanted in zip(ours, theirs, strict=True))
            assert ours.stop_k.dtype == theirs.stop_k.dtype


@pytest.fixture(scope="module")
def cloudy():
    """Points of five classes with bags, and points with true labels to ask at."""
    problem = gaussians(5, dimension=2)
    known, asked = problem.sample(900, 0), problem.sample(400, 1)
    bags = BagProcess.even_inclusion(5, 0.4, bag_noise=0.2).draw(known.X, known.y, BagDraws.draw(900, 5, 2))
    return known.X, bags, asked


def test_each_method_gives_its_part_of_one_scan(cloudy):
    X, bags, asked = cloudy
    partial = PartialLabelKNeighborsClassifier().fit(X, bags)
    scan = partial.scan(asked.X)
    assert np.array_equal(partial.predict(asked.X), partial.classes_[scan.labels])
    assert np.array_equal(partial.predict_set(asked.X), scan.alive)
    assert np.array_equal(partial.stopping_neighbors(asked.X), scan.stop_k)
    assert np.array_equal(partial.decided(asked.X), scan.decided)
    assert partial.score(asked.X, asked.y) == np.mean(scan.labels == asked.y)
    assert scan.alive[np.arange(400), scan.labels].all()
    assert 0 < scan.decided.mean() < 1
    assert scan.stop_k.max() == 400


@pytest.mark.parametrize("strategy", ["adaptive", "vote", "a-knn"])
def test_bags_in_every_form(cloudy, strategy):
    X, bags, asked = cloudy
    partial = PartialLabelKNeighborsClassifier(strategy=strategy).fit(X, bags)
    wanted = partial.predict(asked.X)
    frame = pd.DataFrame(bags, columns=list("abcde"))
    for given_bags in (bags.astype(int), bags.astype(float), bags.tolist(), csr_array(bags), csr_matrix(bags * 1)):
        fitted = clone(partial).fit(X, given_bags)
        assert np.array_equal(fitted.predict(asked.X), wanted)
        assert fitted.classes_.tolist() == [0, 1, 2, 3, 4]
    named = clone(partial).fit(X, frame)
    assert named.classes_.tolist() == list("abcde")
    assert np.array_equal(named.predict(asked.X), np.array(list("abcde"))[wanted])
    assert named.score(asked.X, np.array(list("abcde"))[asked.y]) == partial.score(asked.X, asked.y)


@pytest.mark.parametrize("strategy", ["adaptive", "vote", "a-knn"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_plain_label_is_a_bag_of_one(strategy, n_classes):
    rng = np.random.default_rng(4)
    X, y, queries = rng.random((60, 2)).round(1), rng.integers(0, n_classes, 60), rng.random((30, 2)).round(1)
    partial = PartialLabelKNeighborsClassifier(0.2, strategy=strategy, n_neighbors=6)
    plain, bags = clone(partial).fit(X, y).scan(queries), clone(partial).fit(X, np.eye(n_classes)[y]).scan(queries)
    assert all(np.array_equal(mine, other) for mine, other in zip(plain, bags, strict=True))


def test_a_column_of_labels_is_no_table():
    X, y = np.arange(6.0)[:, None], np.array(["a", "b", "c"] * 2)
    for column in (y[:, None], pd.DataFrame({"label": y})):
        with pytest.warns(DataConversionWarning):
            partial = PartialLabelKNeighborsClassifier(strategy="vote", n_neighbors=1).fit(X, column)
        assert partial.classes_.tolist() == ["a", "b", "c"]
        assert partial.predict(X).tolist() == y.tolist()


def test_classes_that_are_named():
    X = np.arange(4.0)[:, None]
    vote = PartialLabelKNeighborsClassifier(strategy="vote", n_neighbors=2, classes=["w", "v", "u"])
    tied = clone(vote).fit(X, ["v", "w", "v", "v"])
    assert tied.classes_.tolist() == ["w", "v", "u"]
    assert tied.predict([[0.4], [3.0]]).tolist() == ["w", "v"]
    assert tied.predict_set([[0.4]]).tolist() == [[True, True, False]]
    table = clone(vote).fit(X, np.eye(4)[:, :3])
    assert table.predict([[2.2]]).tolist() == ["u"]
    frame = pd.DataFrame({"u": [0, 0, 0, 1], "w": [1, 1, 0, 0]}, dtype=bool)
    by_name = clone(vote).fit(X, frame)
    assert by_name.classes_.tolist() == ["w", "v", "u"]
    assert by_name.predict([[0.0], [3.0]]).tolist() == ["w", "u"]
    assert not by_name.predict_set(X)[:, 1].any()


@pytest.mark.parametrize("c1", [0.1, 0.5])
def test_a_label_that_never_occurs_widens_the_band(c1):
    rng = np.random.default_rng(5)
    X, y = rng.random((80, 1)), rng.integers(0, 2, 80)
    partial = PartialLabelKNeighborsClassifier(c1, classes=[0, 1, 2]).fit(X, y)
    bags = np.eye(3, dtype=bool)[y]
    wanted = PartialAdaptive(c1, max_neighbors=400).scan(NeighborTable.build(X, X, 80), bags, 3)
    assert np.array_equal(partial.predict(X), wanted.labels)
    assert np.array_equal(partial.stopping_neighbors(X), wanted.stop_k)


def test_empty_bags_count_as_neighbors_and_vote_for_nobody():
    X = np.arange(1.0, 41)[:, None]
    bags = np.zeros((40, 3), bool)
    nobody = PartialLabelKNeighborsClassifier().fit(X, bags)
    assert nobody.predict([[0.0]]).tolist() == [0]
    assert nobody.stopping_neighbors([[0.0]]).tolist() == [40]
    assert nobody.predict_set([[0.0]]).all()
    bags[10:, 2] = True
    later = clone(nobody).fit(X, bags)
    assert later.predict([[0.0]]).tolist() == [2]
    behind = np.arange(1, 31) / np.sqrt(np.arange(11, 41))
    assert later.stopping_neighbors([[0.0]])[0] == 11 + np.argmax(behind >= 0.5 * np.sqrt(np.log(40 * 30)))


def test_sets_are_refused_in_one_sentence():
    X, message = np.arange(3.0)[:, None], "^sets of labels must be made a table of truth values first, by knnviz"
    for sets in ([{1, 2}, {1}, {2}], [[1, 2], [1], [2]], pd.Series([{1}, {2}, {1}]), [frozenset({1})] * 3):
        refuses(message, PartialLabelKNeighborsClassifier().fit, X, sets)
    bags, classes = read_bags([{1, 2}, {1}, {2}])
    assert PartialLabelKNeighborsClassifier(classes=classes).fit(X, bags).classes_.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("options", "y", "message"),
    [
        ({}, [[1, 2], [0, 2], [1, 0]], "a table of bags must hold truth values, or 0 and 1"),
        ({}, pd.DataFrame({"a": ["x"] * 3, "b": ["y"] * 3}), "a table of bags must hold truth values, or 0 and 1"),
        ({}, [[1, 0], [0, 1]], "Found input variables with inconsistent numbers of samples: [3, 2]"),
        ({}, np.zeros((3, 256), bool), "there must be at most 255 classes, got 256"),
        ({"classes": [1, 2, 3]}, np.eye(3)[:, :2], "there must be 2 classes, one for each column, got 3"),
        ({"classes": [1, 1]}, [1, 1, 1], "classes must be None or two or more different labels, got [1, 1]"),
        ({"classes": "ab"}, ["a", "b", "a"], "classes must be None or two or more different labels, got 'ab'"),
        ({"classes": [1, 2]}, [1, 2, 7], "y holds labels that are not among the classes: 7"),
        (
            {"classes": ["a", "b"]},
            pd.DataFrame(np.eye(3), columns=["a", "b", "c"]),
            "y holds labels that are not among the classes: 'c'",
        ),
    ],
)
def test_bad_bags_are_refused(options, y, message):
    refuses(f"^{re.escape(message)}$", PartialLabelKNeighborsClassifier(**options).fit, np.arange(3.0)[:, None], y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"c1": 0}, "c1 must be above 0: without a band the first neighbor decides everything"),
        ({"strategy": "ideal"}, "strategy must be 'adaptive', 'vote' or 'a-knn', got 'ideal'"),
        ({"n_neighbors": 0}, "n_neighbors must be at least 1, got 0"),
        ({"fallback": "all"}, "fallback must be 'lead' or 'majority', got 'all'"),
        ({"baseline": 0.5}, "baseline must be 'classes' or 'bag_size', got 0.5"),
        ({"p": 0.5}, "p must be between 1 and inf, got 0.5"),
    ],
)
def test_bad_parameters_are_refused_at_fit(options, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        PartialLabelKNeighborsClassifier(**options).fit(np.arange(6.0)[:, None], [0, 1] * 3)


def test_a_score_of_bags_counts_those_that_hold_the_prediction(cloudy):
    X, bags, asked = cloudy
    partial = PartialLabelKNeighborsClassifier(max_neighbors=40).fit(X[:600], bags[:600])
    labels = partial.predict(X[600:])
    hits = [bool(bag[label]) for bag, label in zip(bags[600:], labels, strict=True)]
    for form in (bags[600:], bags[600:].astype(int), csr_array(bags[600:]), pd.DataFrame(bags[600:])):
        assert partial.score(X[600:], form) == sum(hits) / len(hits)
    weights = np.arange(len(hits))
    assert partial.score(X[600:], bags[600:], weights) == pytest.approx(sum(weights[hits]) / sum(weights))
    assert partial.score(asked.X, asked.y) > 0.6, "labels are scored as ever"
    refuses("there must be 7 classes, one for each column, got 5", partial.score, X, np.ones((len(X), 7), bool))


def test_columns_of_a_frame_are_scored_by_their_names(cloudy):
    X, bags, _ = cloudy
    frame = pd.DataFrame(bags, columns=list("abcde"[: bags.shape[1]]))
    partial = PartialLabelKNeighborsClassifier(max_neighbors=40).fit(X, frame)
    assert partial.score(X, frame[frame.columns[::-1]]) == partial.score(X, frame)


def test_parameters_are_read_anew(cloudy):
    X, bags, asked = cloudy
    partial = PartialLabelKNeighborsClassifier().fit(X, bags)
    for options in (
        {"c1": 0.2},
        {"max_neighbors": 30},
        {"max_neighbors": None},
        {"fallback": "majority"},
        {"strategy": "a-knn"},
        {"baseline": "bag_size", "delta": 0.01},
        {"strategy": "vote", "n_neighbors": 25},
    ):
        partial.set_params(**options)
        assert np.array_equal(partial.predict(asked.X), clone(partial).fit(X, bags).predict(asked.X))
    with pytest.raises(ValueError, match=r"^n_neighbors must not exceed the number of points, got 901 with n = 900$"):
        partial.set_params(n_neighbors=901).predict(asked.X)
    refuses("c1 must be above 0", partial.set_params(c1=0).predict, asked.X)


def test_a_largest_k_beyond_the_points_is_their_number(cloudy):
    X, bags, asked = cloudy
    scans = [PartialLabelKNeighborsClassifier(max_neighbors=k).fit(X, bags).scan(asked.X) for k in (900, 10**6, None)]
    for scan in scans[1:]:
        assert all(np.array_equal(mine, other) for mine, other in zip(scan, scans[0], strict=True))


def test_digits_with_bags_behind_the_pipeline():
    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(X))
    train, test = order[:900], order[900:1200]
    process = BagProcess.clustered(X[train], 10, 1, bag_noise=0.2)
    bags = process.draw(X[train], y[train], BagDraws.draw(900, 10, 2))
    piped = make_pipeline(vision_pipeline(), PartialLabelKNeighborsClassifier(max_neighbors=100)).fit(X[train], bags)
    ours, stops = piped.score(X[test], y[test]), piped[-1].stopping_neighbors(piped[0].transform(X[test]))
    peer = piped.set_params(partiallabelkneighborsclassifier__strategy="vote").score(X[test], y[test])
    assert ours > 0.9 > peer
    assert 20 < stops.mean() < 60


def test_a_vote_of_plain_labels_is_that_of_scikit_learn(cloudy):
    asked = cloudy[2]
    vote = PartialLabelKNeighborsClassifier(strategy="vote", n_neighbors=7, metric="manhattan").fit(asked.X, asked.y)
    peer = KNeighborsClassifier(7, metric="manhattan").fit(asked.X, asked.y)
    assert np.array_equal(vote.predict(asked.X + 0.01), peer.predict(asked.X + 0.01))
