"""Neighbors that choose their own k: the original rule and the printed algorithm, on labels and bags of any form."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import eliminated, sorted_neighbors, stood_out, tables
from refusals import refuses
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import clone

from knnviz import BagDraws, BagProcess, NeighborTable
from knnviz.bags import read_bags
from knnviz.estimators import AdaptiveKNeighborsClassifier, PartialLabelKNeighborsClassifier
from knnviz.problems import gaussians, ramp
from knnviz.rules import Adaptive, PartialAdaptive

STRATEGIES = pytest.mark.parametrize("strategy", ["adaptive", "vote", "a-knn"])


@st.composite
def fits(draw):
    """Training points with ties and duplicates, queries, bags, T, which may exceed n, c1 and random numbers."""
    X, queries, k, rng = draw(tables())
    bags = rng.random((len(X), draw(st.integers(2, 4)))) < draw(st.sampled_from([0.1, 0.5, 0.9]))
    return X, queries, bags, k + draw(st.sampled_from([0, 100])), draw(st.sampled_from([0.1, 0.3, 0.5])), rng


def original(labels, width):
    """A-kNN on labels -1 and 1 in order of distance: the sign of their mean, the stopping k, and whether decided."""
    for k in range(1, len(labels) + 1):
        if abs(labels[:k].sum()) / k >= width / np.sqrt(k):
            return np.sign(labels[:k].sum()), k, True
    return (1 if labels.sum() >= 0 else -1), len(labels), False


@settings(max_examples=50)
@given(fits())
def test_a_knn_of_two_classes_is_the_original_rule(case):
    X, queries, _, most, c1, rng = case
    n = len(X)
    y = rng.choice([-1, 1], n)
    y[:2] = [-1, 1][:n]
    fitted = AdaptiveKNeighborsClassifier(c1, max_neighbors=most).fit(X, y)
    scan, labels = fitted.scan(queries), fitted.predict(queries)
    width = c1 * np.sqrt(np.log(n) + np.log(1 / 0.1))
    for i, row in enumerate(sorted_neighbors(X, queries, min(most, n))[0]):
        label, k, decided = original(y[row], width)
        assert labels[i] == label
        if n > 1:  # one class has another beside it for the rule, and is decided anyway
            assert (scan.stop_k[i], scan.decided[i]) == (k, decided)
            assert scan.alive[i].tolist() == [not decided or label == each for each in (-1, 1)]


@given(fits(), st.sampled_from(["classes", "bag_size"]))
def test_a_knn_of_bags_is_the_extension_with_its_baseline(case, baseline):
    X, queries, bags, most, c1, _ = case
    n, n_classes = bags.shape
    options = {"max_neighbors": most, "baseline": baseline}
    scan = AdaptiveKNeighborsClassifier(c1, **options).fit(X, bags).scan(queries)
    same = PartialLabelKNeighborsClassifier(c1, strategy="a-knn", **options).fit(X, bags).scan(queries)
    assert all(np.array_equal(mine, other) for mine, other in zip(scan, same, strict=True))
    fraction = (bags.sum() / n if baseline == "bag_size" else 1) / n_classes
    for i, row in enumerate(sorted_neighbors(X, queries, min(most, n))[0]):
        found = stood_out(bags[row], c1 * np.sqrt(np.log(n) + np.log(n_classes / 0.1)), fraction)
        assert (scan.labels[i], scan.stop_k[i], scan.decided[i]) == found


@given(fits(), st.sampled_from(["lead", "majority"]))
def test_pl_a_knn_is_the_printed_algorithm(case, fallback):
    X, queries, bags, most, c1, _ = case
    n, n_classes = bags.shape
    partial = PartialLabelKNeighborsClassifier(c1, max_neighbors=most, fallback=fallback).fit(X, bags)
    width = c1 * np.sqrt(np.log(n) + np.log(n_classes / 0.1))
    scan = partial.scan(queries)
    for i, row in enumerate(sorted_neighbors(X, queries, min(most, n))[0]):
        label, k, alive = eliminated(bags[row], width, fallback)
        assert (scan.labels[i], scan.stop_k[i]) == (label, k)
        assert set(np.flatnonzero(scan.alive[i])) == alive
        assert scan.decided[i] == (len(alive) == 1)


@given(fits(), st.integers(1, 60))
def test_a_vote_counts_bags(case, k):
    X, queries, bags, *_ = case
    k = min(k, len(X))
    scan = PartialLabelKNeighborsClassifier(strategy="vote", n_neighbors=k).fit(X, bags).scan(queries)
    votes = bags[sorted_neighbors(X, queries, k)[0]].sum(axis=1)
    assert np.array_equal(scan.labels, votes.argmax(axis=1))
    assert np.array_equal(scan.alive, votes == votes.max(axis=1, keepdims=True))
    assert np.array_equal(scan.decided, scan.alive.sum(axis=1) == 1)
    assert (scan.stop_k == k).all()


@pytest.mark.parametrize("most", [None, 300, 10**6])
@pytest.mark.parametrize(("n", "m"), [(600, 300), (100, 70_000)], ids=["more neighbors later", "queries in parts"])
def test_it_is_the_rule_on_a_whole_table_however_few_neighbors_come_first(n, m, most):
    known, queries = ramp().sample(n, 0), ramp().sample(m, 1).X
    bags = np.eye(2, dtype=bool)[known.y] | (np.random.default_rng(0).random((n, 2)) < 0.3)
    table = NeighborTable.build(known.X, queries, min(most or n, n))
    for strategy, kind in (("adaptive", PartialAdaptive), ("a-knn", Adaptive)):
        partial = PartialLabelKNeighborsClassifier(0.4, max_neighbors=most, strategy=strategy).fit(known.X, bags)
        ours, theirs = partial.scan(queries), kind(0.4, max_neighbors=most).scan(table, bags, 2)
        assert all(np.array_equal(mine, wanted) for mine, wanted in zip(ours, theirs, strict=True))
        assert ours.stop_k.min() < 64 < ours.stop_k.max()


def test_the_ball_grows_farther_where_labels_are_mixed():
    known, asked = ramp().sample(600, 0), ramp().sample(300, 1)
    adaptive = AdaptiveKNeighborsClassifier().fit(known.X, known.y)
    stops, certain = adaptive.stopping_neighbors(asked.X), abs(ramp().eta(asked.X)[:, 1] - 0.5)
    assert 10 * np.median(stops[certain > 0.3]) < np.median(stops[certain < 0.1])
    assert (clone(adaptive).set_params(c1=1).fit(known.X, known.y).stopping_neighbors(asked.X) >= stops).all()
    left = adaptive.set_params(max_neighbors=20).predict_set(asked.X).sum(axis=1)
    assert np.array_equal(left == 1, stops <= 20)
    assert adaptive.kneighbors(asked.X)[1].shape == (300, 20)
    assert adaptive.set_params(max_neighbors=None).kneighbors()[1].shape == (600, 599)


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


def test_parameters_are_read_anew(cloudy):
    X, bags, asked = cloudy
    partial = PartialLabelKNeighborsClassifier().fit(X, bags)
    for options in (
        {"c1": 0.2},
        {"max_neighbors": None},
        {"fallback": "majority"},
        {"strategy": "a-knn"},
        {"baseline": "bag_size", "delta": 0.01},
        {"strategy": "vote", "n_neighbors": 25},
    ):
        partial.set_params(**options)
        assert np.array_equal(partial.predict(asked.X), clone(partial).fit(X, bags).predict(asked.X))
    for name, value in (("c1", 0), ("strategy", "nope"), ("baseline", "nope"), ("max_neighbors", 2.5)):
        refuses(f"{name}.*{value}", clone(partial).fit(X, bags).set_params(**{name: value}).predict, asked.X)


@STRATEGIES
def test_bags_in_every_form(cloudy, strategy):
    X, bags, asked = cloudy
    partial = PartialLabelKNeighborsClassifier(strategy=strategy).fit(X, bags)
    wanted, score = partial.predict(asked.X), partial.score(X, bags)
    for form in (bags.astype(int), bags.astype(float), bags.tolist(), csr_array(bags), csr_matrix(bags * 1)):
        fitted = clone(partial).fit(X, form)
        assert np.array_equal(fitted.predict(asked.X), wanted)
        assert fitted.classes_.tolist() == [0, 1, 2, 3, 4]
        assert fitted.score(X, form) == score
    frame = pd.DataFrame(bags, columns=list("abcde"))
    named = clone(partial).fit(X, frame)
    assert named.classes_.tolist() == list("abcde")
    assert np.array_equal(named.predict(asked.X), np.array(list("abcde"))[wanted])
    assert named.score(X, frame) == named.score(X, frame[list("edcba")]) == score


def test_the_score_of_bags_is_the_fraction_that_hold_the_prediction(cloudy):
    X, bags, asked = cloudy
    partial = PartialLabelKNeighborsClassifier(max_neighbors=40).fit(X[:600], bags[:600])
    hits = bags[600:][np.arange(300), partial.predict(X[600:])]
    weights = np.arange(300)
    assert partial.score(X[600:], bags[600:]) == hits.mean()
    assert partial.score(X[600:], bags[600:], weights) == pytest.approx(weights[hits].sum() / weights.sum())
    assert partial.score(asked.X, asked.y) > 0.6, "labels are scored as ever"
    refuses("7", partial.score, X, np.ones((len(X), 7), bool))
    refuses("inconsistent", partial.score, X[:2], bags[:1])
    refuses("inconsistent", partial.score, X[:2], bags[:2], weights)


@STRATEGIES
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_plain_label_is_a_bag_of_one(strategy, n_classes):
    rng = np.random.default_rng(4)
    X, y, queries = rng.random((60, 2)).round(1), rng.integers(0, n_classes, 60), rng.random((30, 2)).round(1)
    partial = PartialLabelKNeighborsClassifier(0.2, strategy=strategy, n_neighbors=6)
    plain, bags = clone(partial).fit(X, y).scan(queries), clone(partial).fit(X, np.eye(n_classes)[y]).scan(queries)
    assert all(np.array_equal(mine, other) for mine, other in zip(plain, bags, strict=True))


def test_classes_that_are_named():
    X = np.arange(4.0)[:, None]
    vote = PartialLabelKNeighborsClassifier(strategy="vote", n_neighbors=2, classes=["w", "v", "u"])
    tied = clone(vote).fit(X, ["v", "w", "v", "v"])
    assert tied.classes_.tolist() == ["w", "v", "u"]
    assert tied.predict([[0.4], [3.0]]).tolist() == ["w", "v"]
    assert tied.predict_set([[0.4]]).tolist() == [[True, True, False]]
    assert clone(vote).fit(X, np.eye(4)[:, :3]).predict([[2.2]]).tolist() == ["u"]
    frame = pd.DataFrame({"u": [0, 0, 0, 1], "w": [1, 1, 0, 0]}, dtype=bool)
    by_name = clone(vote).fit(X, frame)
    assert by_name.predict([[0.0], [3.0]]).tolist() == ["w", "u"]
    assert not by_name.predict_set(X)[:, 1].any()


def test_sets_are_refused_in_one_sentence():
    X = np.arange(3.0)[:, None]
    lists = [[1, 2], [1], [2]]
    for sets in ([{1, 2}, {1}, {2}], lists, [*map(tuple, lists)], pd.Series([{1}, {2}, {1}]), [frozenset({1})] * 3):
        refuses("knnviz.bags.read_bags", PartialLabelKNeighborsClassifier().fit, X, sets)
    bags, classes = read_bags([{1, 2}, {1}, {2}])
    assert PartialLabelKNeighborsClassifier(classes=classes).fit(X, bags).classes_.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("options", "y", "value"),
    [
        ({}, [[1, 2], [0, 2], [1, 0]], "truth values"),
        ({}, pd.DataFrame({"a": ["x"] * 3, "b": ["y"] * 3}), "truth values"),
        ({}, [[1, 0], [0, 1]], r"\[3, 2\]"),
        ({}, np.zeros((3, 256), bool), "256"),
        ({"classes": [1, 2, 3]}, np.eye(3)[:, :2], "3"),
        ({"classes": [1, 1]}, [1, 1, 1], r"\[1, 1\]"),
        ({"classes": "ab"}, ["a", "b", "a"], "'ab'"),
        ({"classes": [1, 2]}, [1, 2, 7], "7"),
        ({"classes": ["a", "b"]}, pd.DataFrame(np.eye(3), columns=["a", "b", "c"]), "'c'"),
        ({"c1": 0}, [0, 1, 0], "c1.* 0 "),
        ({"strategy": "ideal"}, [0, 1, 0], "'ideal'"),
        ({"fallback": "all", "strategy": "a-knn"}, [0, 1, 0], "'all'"),
        ({"baseline": 0.5}, [0, 1, 0], "0.5"),
    ],
)
def test_bad_bags_and_parameters_are_refused(options, y, value):
    refuses(value, PartialLabelKNeighborsClassifier(**options).fit, np.arange(3.0)[:, None], y)
