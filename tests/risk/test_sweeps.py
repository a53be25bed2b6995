"""Sweeps: one search gives what a search for each risk gives."""

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import tables
from refusals import refuses
from risk_rules import Always, Midrange

from knnviz import LabelNoise, NeighborTable, Robust, Threshold, Vote, VoteProfile, checkerboard, risk
from knnviz.neighbors import Windows
from knnviz.problems import plateau

#: The package gives this name to the function.
MODULE = import_module("knnviz.risk.sweep")


@settings(max_examples=40)
@given(tables(), st.integers(2, 4), st.integers(1, 40))
def test_a_sweep_is_many_single_risks(table, n_classes, entries):
    """Ties, duplicates and pieces of queries included."""
    X, queries, k_max, rng = table
    ks = np.unique(rng.integers(1, k_max + 1, 4)).tolist()[::-1]
    eta, weights = rng.dirichlet(np.ones(n_classes), len(queries)), rng.dirichlet(np.ones(len(queries)))
    rules = [Vote(), Always(1)] + [Threshold(0.3)] * (n_classes == 2)
    draws = [(rng.integers(0, n_classes, len(X)), rules) for _ in range(3)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MODULE, "MAX_ENTRIES", entries)
        found = risk.sweep(X, queries, eta, draws, ks, weights=weights)
    for i, (labels, _) in enumerate(draws):
        for r, rule in enumerate(rules):
            for j, k in enumerate(ks):
                votes = VoteProfile.count(NeighborTable.build(X, queries, k), labels, n_classes)
                expected = risk.exact(rule.predict(votes, k), eta, weights)
                assert found[i, r, j] == pytest.approx(expected, abs=1e-12)


def test_order_of_points_and_of_queries_does_not_matter():
    rng, problem = np.random.default_rng(0), checkerboard()
    sample, queries = problem.sample(500, 1), rng.random((300, 2))
    weights, eta = rng.dirichlet(np.ones(300)), problem.eta(queries)
    rules, ks = [Vote(), Threshold(0.4), Midrange()], [1, 8, 99]
    found = risk.sweep(sample.X, queries, eta, [(sample.y, rules)], ks, weights=weights)
    points, cells = rng.permutation(500), rng.permutation(300)
    permuted = risk.sweep(
        sample.X[points], queries[cells], eta[cells], [(sample.y[points], rules)], ks, weights=weights[cells]
    )
    assert np.allclose(found, permuted, rtol=0, atol=1e-13)
    assert len(np.unique(found)) > 3
    assert np.array_equal(
        risk.sweep(sample.X, queries, eta, [(sample.y, rules)], ks[::-1], weights=weights), found[:, :, ::-1]
    )


def test_order_of_points_on_a_line_does_not_matter():
    sample, known = plateau(0.1, 0.3).sample(400, 0), risk.Antiderivative.of(plateau(0.1, 0.3))
    order = np.random.default_rng(0).permutation(400)
    rules, ks = [Vote(), Threshold(0.4), Midrange()], [1, 30, 400]
    found = risk.sweep_line(Windows.of(sample.X), known, [(sample.y, rules)], ks)
    permuted = risk.sweep_line(Windows.of(sample.X[order]), known, [(sample.y[order], rules)], ks)
    assert np.array_equal(found, permuted)


def test_a_line_and_a_fine_grid_agree_for_rules_that_estimate():
    problem = plateau(0.1, 0.3)
    sample, cells = problem.sample(300, 0), problem.measure(20_000)
    draws = [(LabelNoise(0.1, 0.3).flip(sample.y, sample.v), [Vote(), Midrange()])]
    line = risk.sweep_line(Windows.of(sample.X), risk.Antiderivative.of(problem), draws, [5, 60])
    grid = risk.sweep(sample.X, cells.points, problem.eta(cells.points), draws, [5, 60], weights=cells.weights)
    assert np.allclose(line, grid, atol=2e-4)


@pytest.fixture
def searches(monkeypatch):
    """What is searched: queries, None for the training points, and how many neighbors."""
    found, build = [], NeighborTable.build

    def noted(X, queries, k):
        found.append((None if queries is None else len(queries), k))
        return build(X, queries, k)

    monkeypatch.setattr(MODULE.NeighborTable, "build", noted)
    return found


def test_training_points_are_searched_once_and_only_for_rules_that_estimate(searches):
    sample, queries = checkerboard().sample(50, 0), np.random.default_rng(0).random((10, 2))
    eta, plain = checkerboard().eta(queries), Always()
    risk.sweep(sample.X, queries, eta, [(sample.y, [plain, Vote()])] * 3, [2, 4])
    assert searches == [(10, 4)]
    assert plain.trains == [None] * 6
    searches.clear()
    risk.sweep(sample.X, queries, eta, [(sample.y, [plain, Midrange()])] * 3, [2, 4])
    assert searches == [(None, 4), (10, 4)]
    assert all(train.table is plain.trains[-1].table and len(train) == 50 for train in plain.trains[6:])


def test_votes_at_the_training_points_are_counted_once_a_draw(monkeypatch):
    """For all rules and all k; what estimates see are the same numbers as each on its own, ties included."""
    counts, count = [], VoteProfile.count.__func__
    monkeypatch.setattr(VoteProfile, "count", classmethod(lambda *given: counts.append(given[1]) or count(*given)))
    sample, queries = checkerboard().sample(60, 0), np.random.default_rng(0).random((10, 2))
    X, eta, ks = np.round(sample.X, 1), checkerboard().eta(queries), [1, 7, 20]
    rules = [Robust(), Robust(k_noise=9), Robust(votes="order"), Midrange(), Vote()]
    found = risk.sweep(X, queries, eta, [(sample.y, rules)] * 2, ks)
    assert len(counts) == 4
    train, table = NeighborTable.build(X, None, 20), NeighborTable.build(X, queries, 20)
    for rule, risks in zip(rules, found[0], strict=True):
        for k, each in zip(ks, risks, strict=True):
            labels = rule.fit(train, sample.y, k, 2).predict(VoteProfile.count(table, sample.y, 2), k)
            assert each == pytest.approx(risk.exact(labels, eta), abs=1e-12)


def test_one_search_for_the_neighbors_of_every_k_in_bounded_pieces(searches, monkeypatch):
    monkeypatch.setattr(MODULE, "MAX_ENTRIES", 100)
    sample, queries = checkerboard().sample(50, 0), np.random.default_rng(0).random((10, 2))
    risk.sweep(sample.X, queries, checkerboard().eta(queries), [(sample.y, [Vote()])], [1, 25, 3])
    assert searches == [(4, 25), (4, 25), (2, 25)]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ks": [1, 6]}, "k must not exceed the number of points, got k = 6 with n = 5"),
        ({"ks": []}, "ks must hold at least one value"),
        ({"eta": np.full((4, 2), 0.5)}, r"eta must have a row for each of 5 queries, got shape \(4, 2\)"),
        ({"eta": np.full((2, 5, 2), 0.5)}, r"eta must have a row for each of 5 queries, got shape \(2, 5, 2\)"),
        ({"draws": []}, "draws must each hold labels and rules, as many rules in each"),
        ({"draws": [(np.zeros(5, int), [])]}, "draws must each hold labels and rules"),
        ({"draws": [(np.zeros(5, int), [Vote()] * j) for j in (1, 2)]}, "draws must each hold labels and rules"),
        ({"draws": [(np.zeros(4, int), [Vote()])]}, "labels must hold one class for each of 5 points"),
        ({"draws": [(np.zeros(5, int), [Always(7)])]}, "labels must be class codes 0 to 1, got 7 to 7"),
    ],
)
def test_refusals(changes, message):
    X = np.random.default_rng(0).random((5, 2))
    asked = {"eta": np.full((5, 2), 0.5), "draws": [(np.zeros(5, int), [Vote()])], "ks": [1]} | changes
    refuses(message, risk.sweep, X, X, **asked)
