"""Khim, Xu & Singh: what their runs measure on one sample, beside plain programs and reference
runs.
"""

from functools import partial

import numpy as np
import pytest
from reference_implementations import climbed, fractions_of, reference, weighted_vote
from scipy.spatial.distance import pdist
from sklearn.metrics import f1_score
from sklearn.neighbors import KNeighborsClassifier

from knnviz import NeighborTable
from knnviz.problems import rare, waves
from knnviz.regions import margins
from knnviz.risk import Antiderivative
from knnviz.weights import Thresholds, WeightScorer, confusion, excess_weighted_risk, simplex_grid
from knnviz_papers.khim import (
    bounds,
    corollaries,
    f1_thresholds,
    macro_f1_over_k,
    parts,
    searches,
    table_1,
    table_2,
)
from knnviz_papers.khim.assumptions import (
    least_conditional_margin_constants,
    least_margin_constant,
    least_smoothness_constants,
)
from knnviz_papers.khim.example import EQUAL, MORE, Q, error_on_line, weighted_bayes

RUNS = reference("khim_runs")
TRIALS = reference("khim_trials")
STATED = reference("khim_bounds")


#: The class with the largest weighted fraction, the smallest on a tie.
decided = partial(weighted_vote, tie_tol=1e-12)


def test_masses_of_boundaries_are_those_of_brute_force():
    fine = RUNS["boundaries_fine"]["theorem_1"]
    for place in ("10000,500", "1000000,10000"):
        run = RUNS["theorem_1"][place]
        found = bounds.boundary_mass(waves(), run["p"], run["Delta"], Q)
        assert found == pytest.approx(fine[place], abs=2.5e-4)


def test_one_sample_is_seen_as_in_the_reference():
    """The integral and the supremum are near what it saw on 2000 points."""
    wanted = RUNS["observed"]["1000,50"]
    sample = waves().sample(1000, 0)
    disagreement = bounds.disagreement(sample, 50, weighted_bayes(waves(), Q))
    assert disagreement == pytest.approx(wanted["disagreement"], abs=2e-3)

    on_points = wanted["uniform_error"]
    exact = error_on_line(sample, waves(), 50)
    assert on_points <= exact + 1e-12
    assert exact + 1e-12 < on_points + 2e-3


@pytest.mark.parametrize("q", corollaries.WEIGHTS.values(), ids=corollaries.WEIGHTS)
def test_disagreement_and_excess_are_those_of_a_fine_grid(q):
    sample = waves().sample(200, 1)
    points = waves().grid(4000).points
    eta = waves().eta(points)
    best = decided(eta, q)

    ks = (5, 40)
    constants = corollaries.Constants.build(waves(), q)
    found = corollaries.measured(sample, waves(), constants, ks)
    for k, (disagreement, excess) in zip(ks, found, strict=True):
        fractions = fractions_of(sample.X, sample.y, points, k)
        differs = decided(fractions, q) != best
        assert disagreement == pytest.approx(differs.mean(), abs=3e-3)
        assert excess == pytest.approx(excess_weighted_risk(eta, fractions, q), abs=1e-3)


def test_the_curve_keeps_neighbors_and_stretches_nothing():
    X = waves().sample(200, 0).X
    line = NeighborTable.build(X, X, 30)
    for ambient in corollaries.AMBIENT:
        curve = corollaries.winding_curve(X[:, 0], ambient)
        wound = NeighborTable.build(curve, curve, 30)
        assert np.array_equal(line.indices, wound.indices)
        assert 0.999 < np.max(pdist(curve) / pdist(X)) <= 1 + 1e-9


def four_entries(truth, fractions, q):
    """TN, FP, FN and TP of class 0, where the largest score decides."""
    found = confusion(truth, fractions, q, rule="argmax")
    return np.array([getattr(found, name)[0] for name in ("tn", "fp", "fn", "tp")])


def test_parts_are_those_of_plain_counts():
    sample = waves().sample(150, 0)
    k = 20
    fine = waves().eta(waves().grid(50_000).points)
    truth = four_entries(fine, fine, Q)
    truth_more = four_entries(fine, fine, MORE)

    fractions = fractions_of(sample.X, sample.y, sample.X, k)
    counted = four_entries(sample.y, fractions, Q)
    favored = four_entries(sample.y, fractions, MORE)
    known = four_entries(sample.y, waves().eta(sample.X), MORE)
    four_parts = [favored - known, known - truth_more, truth - truth_more, counted - favored]
    wanted = abs(np.array([*four_parts, counted - truth, np.abs(four_parts).sum(axis=0)]))

    found = parts.measured(sample, waves(), k, [truth, truth_more])
    assert found[:, :6] == pytest.approx(wanted.T, abs=1e-12)


def test_errors_of_table_1_are_those_of_sorted_distances():
    n = 60
    k = 17
    sample = waves().sample(120, 0)
    X, X_new = np.split(sample.X, 2)
    y, y_new = np.split(sample.y, 2)
    own = fractions_of(X, y, X, k)
    new = fractions_of(X, y, X_new, k)
    out = fractions_of(X, y, X, k, np.arange(n))
    wanted = []
    for fractions, labels in ((own, y), (out, y), (new, y_new)):
        for tie_tol in table_1.TIES.values():
            counted = confusion(labels, fractions, Q, tie_tol=tie_tol)
            wanted += [getattr(counted, name)[0] for name in table_1.ENTRIES]

    wanted.append(np.mean(margins(own, Q) < 1e-9))
    measured = table_1.entry_errors(sample, k, n, np.zeros(4))
    assert measured[:-1] == pytest.approx(wanted, abs=1e-15)


def test_scores_of_thresholds_are_those_of_counts_on_a_grid():
    sample = rare().sample(300, 0)
    k = 20
    points = rare().grid(20_000).points
    eta = rare().eta(points)
    voted = fractions_of(sample.X, sample.y, points, k)

    thresholds = [0.1, 0.25]
    exact = Antiderivative.build(rare())
    found = f1_thresholds.scores(sample, k, thresholds, exact)
    on_grid = Thresholds.from_fractions(eta[:, 1], voted[:, 1]).at(thresholds)
    wanted = np.stack([on_grid.f1, on_grid.recall, on_grid.precision], axis=1)
    assert np.array(found) == pytest.approx(wanted, abs=1e-3)


def test_searches_are_those_of_the_reference(monkeypatch):
    """With its ties, as doubles compare, and 2000 new points: 20 of Figure 3(a)."""
    without_tolerance = partial(WeightScorer.from_fractions, tie_tol=0)
    monkeypatch.setattr(WeightScorer, "from_fractions", without_tolerance)
    monkeypatch.setattr(searches, "CELLS", 2000)
    along = [searches.scores_along(waves().sample(1000, seed)) for seed in range(20)]
    of_gammas = np.mean(along, axis=0)

    trials = TRIALS["figure3a_20_seeds"]
    for gamma, means in zip(searches.GAMMAS, of_gammas, strict=True):
        known = list(trials[f"gamma={gamma}"].values())
        ends = means[[0, -1], :2]
        assert ends.T.ravel() == pytest.approx(known[:4], abs=1e-12)


@pytest.mark.parametrize("k", [1, 7, 29, 30])
def test_f1_over_k_reads_the_neighbors_that_a_search_finds(k):
    sample = waves().sample(30, 2)
    points = np.arange(10_000)[:, None] / 10_000
    own = fractions_of(sample.X, sample.y, sample.X, k)
    new = fractions_of(sample.X, sample.y, points, k)
    out = fractions_of(sample.X, sample.y, sample.X, min(k, 29), np.arange(30))
    wanted = []
    for fractions, truth in ((own, sample.y), (out, sample.y), (new, waves().eta(points))):
        score = WeightScorer.from_fractions(truth, fractions)
        wanted.append(score(np.array(EQUAL)))

    found = macro_f1_over_k.macro_f1_by_k(sample, (k,))
    assert found[0] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("shift", [False, True])
def test_a_trial_of_table_2_is_that_of_a_plain_protocol(shift):
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1, 2], [120, 60, 20])
    X = rng.normal(0, 1, (200, 4))
    X[:, 0] += y
    split = table_2.Split.draw(X, y, 3, 1)
    counts = [np.bincount(part).tolist() for _, part in split]
    assert counts == [[72, 36, 12], [24, 12, 4], [24, 12, 4]]

    voters = KNeighborsClassifier(9).fit(*split.train)
    labels = np.arange(3) + shift

    def scorer(X, y):
        fractions = voters.predict_proba(X)
        truth = y + shift

        def f1(q):
            predicted = np.argmax(np.round(q * fractions, 12), axis=1)
            return f1_score(truth, predicted, labels=labels, average="macro", zero_division=0)

        return f1

    f1_dev = scorer(*split.dev)
    f1_test = scorer(*split.test)

    def after_25_rounds(order):
        """From equal weights, with classes tried in this order."""
        q = np.full(3, 1 / 3)
        for _ in range(25):
            q, _ = climbed(lambda rows: [f1_dev(rows[0, order])], q, 0.02)
        return q[order]

    weights = {
        "unweighted": np.full(3, 1 / 3),
        "greedy": after_25_rounds([0, 1, 2]),
        "greedy, backwards": after_25_rounds([2, 1, 0]),
        "grid": max(simplex_grid(3, 12), key=f1_dev),
    }
    found = table_2.Fitted.fit(split, 9, 0).scores(shift=shift)
    for rule, q in weights.items():
        assert found[rule] == pytest.approx([f1_dev(q), f1_test(q), *q], abs=1e-12), rule


@pytest.mark.parametrize(("n", "few"), [(40, 5), (43, 6), (1007, 6), (40_003, 11)])
def test_with_the_fewest_rows_a_class_is_in_each_part(n, few):
    X = np.zeros((n, 1))
    y = (np.arange(n) < few).astype(int)
    table_2.check_classes(y, ["often", "rare"])
    for number in range(20):
        for _, part in table_2.Split.draw(X, y, 0, number):
            assert part.any()


def test_constants_of_the_example():
    """The stated ones, on coarser grids, are up to 4 % short of the largest ratio of the margin."""
    smoothness = least_smoothness_constants(waves(), 1)
    assert smoothness == pytest.approx(STATED["smoothness_alpha1_L"], rel=0.005)

    for q, key in ((np.ones(3), "(1,1,1)"), (Q, "(.5,.3,.2)")):
        stated = STATED["margin"][key]
        margin = least_margin_constant(waves(), 1, q)
        ratio = margin / stated["M_for_beta_1"]
        assert 1 <= ratio < 1.04

        conditional = np.array(least_conditional_margin_constants(waves(), 1, q))
        ratios = conditional / stated["conditional_M_for_beta_1"]
        assert (ratios >= 1).all()
        assert (ratios < 1.04).all()
