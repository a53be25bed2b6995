"""Neighbors that choose their own k: the printed algorithms, on bags, and what methods give."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import eliminated, sorted_neighbors, stood_out, tables
from refusals import refuses
from sklearn.base import clone

from knnviz import BagDraws, BagProcess, NeighborTable
from knnviz.estimators import AdaptiveKNeighborsClassifier, PartialLabelKNeighborsClassifier
from knnviz.problems import gaussians, ramp
from knnviz.rules import Adaptive, PartialAdaptive


@st.composite
def fits(draw):
    """Training points with ties, queries, bags, T, which may exceed n, c1 and random numbers."""
    X, queries, k, rng = draw(tables())
    inclusion = draw(st.sampled_from([0.1, 0.5, 0.9]))
    bags = rng.random((len(X), draw(st.integers(2, 4)))) < inclusion
    most = k + draw(st.sampled_from([0, 100]))
    c1 = draw(st.sampled_from([0.1, 0.3, 0.5]))
    return X, queries, bags, most, c1, rng


@settings(max_examples=60)
@given(fits(), st.sampled_from(["lead", "majority"]), st.sampled_from(["classes", "bag_size"]))
def test_pl_a_knn_and_a_knn_are_the_printed_algorithms(case, fallback, baseline):
    X, queries, bags, most, c1, _ = case
    n, n_classes = bags.shape
    partial = PartialLabelKNeighborsClassifier(c1, max_neighbors=most, fallback=fallback)
    scan = partial.fit(X, bags).scan(queries)
    adaptive = AdaptiveKNeighborsClassifier(c1, max_neighbors=most, baseline=baseline)
    stood = adaptive.fit(X, bags).scan(queries)

    width = c1 * np.sqrt(np.log(n) + np.log(n_classes / 0.1))
    fraction = 1 / n_classes
    if baseline == "bag_size":
        fraction *= bags.sum() / n
    ordered, _ = sorted_neighbors(X, queries, min(most, n))
    for i, row in enumerate(ordered):
        label, k, alive = eliminated(bags[row], width, fallback)
        found = (scan.labels[i], scan.stop_k[i], scan.decided[i])
        assert found == (label, k, len(alive) == 1)
        assert set(np.flatnonzero(scan.alive[i])) == alive
        label, k, decided = stood_out(bags[row], width, fraction)
        assert (stood.labels[i], stood.stop_k[i], stood.decided[i]) == (label, k, decided)
        left = {label} if decided else {*range(n_classes)}
        assert set(np.flatnonzero(stood.alive[i])) == left


@pytest.mark.parametrize("most", [None, 300])
@pytest.mark.parametrize(
    ("n", "m"), [(600, 300), (100, 70_000)], ids=["more neighbors later", "queries in parts"]
)
def test_it_is_the_rule_on_a_whole_table_however_few_neighbors_come_first(n, m, most):
    known = ramp().sample(n, 0)
    queries = ramp().sample(m, 1).X
    chance = np.random.default_rng(0).random((n, 2)) < 0.3
    bags = np.eye(2, dtype=bool)[known.y] | chance
    table = NeighborTable.build(known.X, queries, min(most or n, n))
    for estimator, rule in (
        (PartialLabelKNeighborsClassifier, PartialAdaptive),
        (AdaptiveKNeighborsClassifier, Adaptive),
    ):
        ours = estimator(0.4, max_neighbors=most).fit(known.X, bags).scan(queries)
        theirs = rule(0.4, max_neighbors=most).scan(table, bags, 2)
        for mine, wanted in zip(ours, theirs, strict=True):
            assert np.array_equal(mine, wanted)
        assert ours.stop_k.min() < 64 < ours.stop_k.max()


@settings(max_examples=40)
@given(fits(), st.integers(1, 60))
def test_a_vote_counts_bags(case, k):
    X, queries, bags, *_ = case
    k = min(k, len(X))
    partial = PartialLabelKNeighborsClassifier(strategy="vote", n_neighbors=k).fit(X, bags)
    scan = partial.scan(queries)
    ordered, _ = sorted_neighbors(X, queries, k)
    votes = bags[ordered].sum(axis=1)
    assert np.array_equal(scan.labels, votes.argmax(axis=1))
    assert np.array_equal(scan.alive, votes == votes.max(axis=1, keepdims=True))
    assert np.array_equal(scan.decided, scan.alive.sum(axis=1) == 1)
    assert (scan.stop_k == k).all()


@pytest.fixture(scope="module")
def cloudy():
    """Points of five classes with bags, and points with true labels to ask at."""
    problem = gaussians(5, dimension=2)
    known = problem.sample(900, 0)
    asked = problem.sample(400, 1)
    process = BagProcess.from_inclusion(5, 0.4, bag_noise=0.2)
    bags = process.draw(known.X, known.y, BagDraws.draw(900, 5, 2))
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
    partial.set_params(c1=0.2, fallback="majority", delta=0.01, n_neighbors=25)
    for strategy in ("adaptive", "vote"):
        partial.set_params(strategy=strategy)
        fresh = clone(partial).fit(X, bags)
        assert np.array_equal(partial.predict(asked.X), fresh.predict(asked.X))
    refuses("nope", partial.set_params(strategy="nope").predict, asked.X)


def test_the_score_of_bags_may_be_weighted_and_finds_columns_by_name(cloudy):
    X, bags, asked = cloudy
    frame = pd.DataFrame(bags, columns=list("abcde"))
    weights = np.arange(900)
    partial = PartialLabelKNeighborsClassifier(max_neighbors=40).fit(X, frame)
    columns = partial.classes_.searchsorted(partial.predict(X))
    hits = bags[np.arange(900), columns]
    assert partial.score(X, frame[list("edcba")]) == hits.mean()
    weighted = weights[hits].sum() / weights.sum()
    assert partial.score(X, bags, weights) == pytest.approx(weighted)
    labels = partial.classes_[asked.y]
    assert partial.score(asked.X, labels) > 0.6, "labels are scored as ever"
    refuses("7", partial.score, X, np.ones((len(X), 7), bool))
    refuses("'f'", partial.score, X, frame.rename(columns={"a": "f"}))
    refuses("inconsistent", partial.score, X[:2], bags[:2], weights)


@pytest.mark.parametrize(
    ("y", "value"),
    [
        ([[1, 2], [0, 2], [1, 0]], "truth values"),
        ([{1, 2}, {1}, {2}], "knnviz.bags.read_bags"),
        ([[1, 0], [0, 1]], r"\[3, 2\]"),
        (np.zeros((3, 256), bool), "256"),
        (SimpleNamespace(columns=["a", "b"]), "SimpleNamespace"),
    ],
)
def test_bad_bags_are_refused(y, value):
    X = np.arange(3.0)[:, None]
    refuses(value, PartialLabelKNeighborsClassifier().fit, X, y)
