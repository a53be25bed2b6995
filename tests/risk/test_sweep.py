"""Sweeps: one search gives what a search for each risk gives."""

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import reference, tables
from risk_rules import Always, Midrange

from knnviz import LabelNoise, NeighborTable, Robust, Threshold, Vote, VoteProfile, checkerboard, risk
from knnviz.problems import gaussians, plateau
from knnviz.profiles import WindowProfile
from knnviz.windows import Windows

#: The package gives this name to the function.
MODULE = import_module("knnviz.risk.sweep")
GAO, REEVE = reference("gao")["figure1"], reference("reeve_kaban")["simulation"]


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
        patch.setattr(MODULE, "ENTRIES", entries)
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


def test_figure_1_of_gao_et_al_in_one_search():
    """Every setting of noise with its own known threshold; mean over 20 flips, to the digits of the reference run."""
    rng, problem = np.random.default_rng(0), checkerboard()
    X, V, X_test = rng.random((8000, 2)), rng.random(8000), rng.random((7000, 2))
    rng.random(7000)
    U, y = rng.random((20, 8000)), (problem.eta(X)[:, 1] > V).astype(np.uint8)
    rates = [tuple(float(part.split("=")[1]) for part in name.split(",")) for name in GAO["vote"]]
    draws = [(LabelNoise(*pair).flip(y, v), [Vote(), Threshold.from_rates(*pair)]) for pair in rates for v in U]
    risks = risk.sweep(X, X_test, problem.eta(X_test), draws, GAO["k"]).reshape(len(rates), 20, 2, -1).mean(axis=1)
    assert np.allclose(risks[:, 0], list(GAO["vote"].values()), atol=1e-9)
    assert np.allclose(risks[:, 1], list(GAO["threshold"].values()), atol=1e-9)


@pytest.mark.parametrize("row", REEVE, ids=lambda row: f"n={row['n']}")
def test_simulation_on_the_plateau_from_the_reference_s_own_draws(row):
    """Same samples, so the same risks up to the grid of the integral; one rule estimates the noise."""
    problem, rng = plateau(0.1, 0.3), np.random.default_rng(0)
    known, rules = risk.Antiderivative.of(problem), [Vote(), Midrange(), Threshold.from_rates(0.1, 0.3)]
    risks = []
    for _ in range(row["reps"]):
        sample = problem.sample(row["n"], rng)
        draw = LabelNoise(0.1, 0.3).flip(sample.y, sample.v), rules
        risks.append(risk.sweep_line(Windows.of(sample.X), known, [draw], [row["k"]])[0, :, 0])
    assert np.allclose(np.mean(risks, axis=0), [row["knn"], row["alg2"], row["known"]], atol=1e-8)


def test_a_line_and_a_fine_grid_agree_for_rules_that_estimate():
    problem = plateau(0.1, 0.3)
    sample, cells = problem.sample(300, 0), problem.measure(20_000)
    draws = [(LabelNoise(0.1, 0.3).flip(sample.y, sample.v), [Vote(), Midrange()])]
    line = risk.sweep_line(Windows.of(sample.X), risk.Antiderivative.of(problem), draws, [5, 60])
    grid = risk.sweep(sample.X, cells.points, problem.eta(cells.points), draws, [5, 60], weights=cells.weights)
    assert np.allclose(line, grid, atol=2e-4)


def test_training_points_are_searched_once_and_only_for_rules_that_estimate(monkeypatch):
    searches, build = [], NeighborTable.build
    monkeypatch.setattr(
        MODULE.NeighborTable,
        "build",
        lambda X, queries, k: searches.append((queries is None, k)) or build(X, queries, k),
    )
    sample, queries = checkerboard().sample(50, 0), np.random.default_rng(0).random((10, 2))
    eta, plain = checkerboard().eta(queries), Always()
    risk.sweep(sample.X, queries, eta, [(sample.y, [plain, Vote()])] * 3, [2, 4])
    assert searches == [(False, 4)]
    assert plain.trains == [None] * 6
    searches.clear()
    risk.sweep(sample.X, queries, eta, [(sample.y, [plain, Midrange()])] * 3, [2, 4])
    assert searches == [(True, 4), (False, 4)]
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


def test_each_draw_may_have_its_own_eta():
    sample, rng = checkerboard().sample(50, 0), np.random.default_rng(1)
    queries, draws = rng.random((20, 2)), [(rng.integers(0, 2, 50), [Vote(), Robust()]) for _ in range(3)]
    etas = rng.dirichlet(np.ones(2), (3, 20))
    together = risk.sweep(sample.X, queries, etas, draws, [3, 8])
    alone = [risk.sweep(sample.X, queries, eta, [draw], [3, 8])[0] for eta, draw in zip(etas, draws, strict=True)]
    assert np.array_equal(together, alone)


def test_one_search_for_the_neighbors_of_every_k_in_bounded_pieces(monkeypatch):
    sizes, build = [], NeighborTable.build
    monkeypatch.setattr(MODULE, "ENTRIES", 100)
    monkeypatch.setattr(
        MODULE.NeighborTable, "build", lambda X, queries, k: sizes.append((len(queries), k)) or build(X, queries, k)
    )
    sample, queries = checkerboard().sample(50, 0), np.random.default_rng(0).random((10, 2))
    risk.sweep(sample.X, queries, checkerboard().eta(queries), [(sample.y, [Vote()])], [1, 25, 3])
    assert sizes == [(4, 25), (4, 25), (2, 25)]


def test_held_out_classes_are_an_eta_of_zeros_and_ones():
    problem = gaussians(dimension=2)
    sample, test = problem.sample(300, 0), problem.sample(200, 1)
    found = risk.sweep(sample.X, test.X, np.eye(3)[test.y], [(sample.y, [Vote()])], [9])
    votes = VoteProfile.count(NeighborTable.build(sample.X, test.X, 9), sample.y, 3)
    assert found[0, 0, 0] == pytest.approx(risk.held_out(Vote().predict(votes, 9), test.y), abs=1e-12)


def test_windows_read_by_a_rule_give_the_votes_of_neighbors():
    sample, queries = plateau(0.1, 0.3).sample(60, 0), np.random.default_rng(1).random((50, 1))
    windows = Windows.of(sample.X)
    for rule in (Vote(), Threshold(0.4)):
        for k in (1, 10, 60):
            labels = rule.predict(WindowProfile.count(windows, sample.y, 2), k)
            votes = VoteProfile.count(NeighborTable.build(sample.X, queries, k), sample.y, 2)
            assert np.array_equal(labels[windows.serving(queries[:, 0], k)], rule.predict(votes, k))


def test_refusals():
    X, eta = np.random.default_rng(0).random((5, 2)), np.full((5, 2), 0.5)
    y = np.zeros(5, int)
    with pytest.raises(ValueError, match="k must not exceed the number of points, got k = 6 with n = 5"):
        risk.sweep(X, X, eta, [(y, [Vote()])], [1, 6])
    with pytest.raises(ValueError, match="ks must hold at least one value"):
        risk.sweep(X, X, eta, [(y, [Vote()])], [])
    with pytest.raises(ValueError, match=r"eta must have a row for each of 5 queries, got shape \(4, 2\)"):
        risk.sweep(X, X, eta[:4], [(y, [Vote()])], [1])
    with pytest.raises(ValueError, match=r"eta must have a row for each of 5 queries, got shape \(2, 5, 2\)"):
        risk.sweep(X, X, [eta] * 2, [(y, [Vote()])], [1])
    for draws in ([], [(y, [])], [(y, [Vote()]), (y, [Vote(), Vote()])]):
        with pytest.raises(ValueError, match="draws must each hold labels and rules, as many rules in each"):
            risk.sweep(X, X, eta, draws, [1])
    with pytest.raises(ValueError, match="labels must hold one class for each of 5 points"):
        risk.sweep(X, X, eta, [(y[:4], [Vote()])], [1])
    with pytest.raises(ValueError, match="labels must be class codes 0 to 1, got 7 to 7"):
        risk.sweep(X, X, eta, [(y, [Always(7)])], [1])
