"""Neighbors that choose their own k: their rules on whole tables, bags, and what methods give."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import sorted_neighbors, tables
from refusals import refuses
from sklearn.base import clone

from knnviz import BagDraws, BagProcess, NeighborTable
from knnviz.estimators import AdaptiveKNeighborsClassifier, PartialLabelKNeighborsClassifier
from knnviz.problems import gaussians, ramp
from knnviz.rules import Adaptive, PartialAdaptive


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
    for estimator, rule, choice in (
        (PartialLabelKNeighborsClassifier, PartialAdaptive, {"fallback": "majority"}),
        (AdaptiveKNeighborsClassifier, Adaptive, {"baseline": "bag_size"}),
    ):
        options = {"delta": 0.2, "max_neighbors": most} | choice
        ours = estimator(0.4, **options).fit(known.X, bags).scan(queries)
        theirs = rule(0.4, **options).scan(table, bags, 2)
        for mine, wanted in zip(ours, theirs, strict=True):
            assert np.array_equal(mine, wanted)
        assert ours.stop_k.min() < 64 < ours.stop_k.max()


@settings(max_examples=40)
@given(tables(), st.integers(2, 4), st.sampled_from([0.1, 0.5, 0.9]))
def test_a_vote_counts_bags(case, n_classes, inclusion):
    X, queries, k, rng = case
    bags = rng.random((len(X), n_classes)) < inclusion
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
        ([{1, 2}, {1}, {2}], "knnviz.bags.read_bags"),
        ([[1, 0], [0, 1]], r"\[3, 2\]"),
        (np.zeros((3, 256), bool), "256"),
        (SimpleNamespace(columns=["a", "b"]), "SimpleNamespace"),
    ],
)
def test_bad_bags_are_refused(y, value):
    X = np.arange(3.0)[:, None]
    refuses(value, PartialLabelKNeighborsClassifier().fit, X, y)
