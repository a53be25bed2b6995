"""Khim, Xu & Singh: what their runs measure on one sample, beside plain programs and reference
runs.
"""

from functools import partial

import numpy as np
import pytest
from reference_implementations import reference
from sklearn.metrics import f1_score
from sklearn.neighbors import KNeighborsClassifier

from knnviz import NeighborTable, VoteProfile
from knnviz.problems import Sample, rare, waves
from knnviz.risk import Antiderivative
from knnviz.weights import WeightScorer, confusion_hat, greedy_search, grid_search, simplex_grid
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
from knnviz_papers.khim.example import EQUAL, MORE, Q, error_on_line, weighted_bayes

RUNS = reference("khim_runs")
TRIALS = reference("khim_trials")


def votes(sample, queries, k):
    """Fractions (m, C) of the classes among the nearest, by sorting all distances."""
    near = np.argsort(abs(queries - sample.X[:, 0]), axis=1, kind="stable")[:, :k]
    return np.stack([(sample.y[near] == c).mean(axis=1) for c in range(sample.y.max() + 1)], axis=1)


def decided(fractions, q):
    """The class with the largest weighted fraction, the smallest on a tie."""
    scores = fractions * q
    return (scores >= scores.max(axis=1, keepdims=True) - 1e-12).argmax(axis=1)


def test_masses_of_boundaries_are_those_of_brute_force():
    for place in ("10000,500", "1000000,10000"):
        found = bounds.boundary_mass(
            waves(), RUNS["theorem_1"][place]["p"], RUNS["theorem_1"][place]["Delta"], Q
        )
        assert found == pytest.approx(RUNS["boundaries_fine"]["theorem_1"][place], abs=2.5e-4)


@pytest.mark.parametrize("place", ["1000,50", "10000,500"])
def test_one_sample_is_seen_as_in_the_reference(place):
    """The integral and the supremum are near what it saw on 2000 points."""
    (n, k) = map(int, place.split(","))
    wanted = RUNS["observed"][place]
    sample = waves().sample(n, 0)
    known = weighted_bayes(waves(), Q)
    assert bounds.disagreement(sample, k, known) == pytest.approx(wanted["disagreement"], abs=2e-3)
    assert (
        wanted["uniform_error"]
        <= error_on_line(sample, waves(), k) + 1e-12
        < wanted["uniform_error"] + 2e-3
    )


@pytest.mark.parametrize("q", corollaries.WEIGHTS.values(), ids=corollaries.WEIGHTS)
def test_disagreement_and_excess_are_those_of_a_fine_grid(q):
    sample = waves().sample(200, 1)
    points = waves().grid(4000).points
    eta = waves().eta(points)
    found = corollaries.measured(sample, waves(), corollaries.Constants.of(waves(), q), (5, 40))
    for k, (disagreement, excess) in zip((5, 40), found, strict=True):
        labels = decided(votes(sample, points, k), q)
        best = decided(eta, q)
        rows = np.arange(4000)
        assert disagreement == pytest.approx(np.mean(labels != best), abs=3e-3)
        assert excess == pytest.approx(
            np.mean((eta * q)[rows, best] - (eta * q)[rows, labels]), abs=1e-3
        )


def test_the_curve_keeps_neighbors_and_stretches_nothing():
    X = waves().sample(200, 0).X
    for ambient in corollaries.AMBIENT:
        curve = corollaries.winding_curve(X[:, 0], ambient)
        line, wound = (NeighborTable.build(points, points, 30).indices for points in (X, curve))
        assert np.array_equal(line, wound)
        along, apart = (
            np.linalg.norm(each[:, None] - each, axis=2)[~np.eye(200, dtype=bool)]
            for each in (X, curve)
        )
        assert 0.999 < (apart / along).max() <= 1 + 1e-9


def test_parts_are_those_of_plain_counts():
    sample = waves().sample(150, 0)
    k = 20
    fine = waves().eta(waves().grid(50_000).points)

    def four(own, positive):
        return np.array(
            [np.mean(held * side) for held in (1 - own, own) for side in (~positive, positive)]
        )

    truth = [four(fine[:, 0], decided(fine, q) == 0) for q in (Q, MORE)]
    counted, favored = (
        four(sample.y == 0, decided(votes(sample, sample.X, k), q) == 0) for q in (Q, MORE)
    )
    known = four(sample.y == 0, decided(waves().eta(sample.X), MORE) == 0)
    four_parts = favored - known, known - truth[1], truth[0] - truth[1], counted - favored
    wanted = abs(np.array([*four_parts, counted - truth[0], sum(map(abs, four_parts))]))
    assert parts.measured(sample, waves(), k, truth)[:, :6] == pytest.approx(wanted.T, abs=1e-12)


def test_errors_of_table_1_are_those_of_sorted_distances():
    n = 60
    k = 17
    sample = waves().sample(120, 0)
    found = []
    X = sample.X[:n]
    y = sample.y[:n]
    out = VoteProfile.count(NeighborTable.build(X, None, k, exclude_self=True), y, 3).at(k) / k
    own, new = (votes(Sample(X, y, None, None), queries, k) for queries in (X, sample.X[n:]))
    for fractions, labels in ((own, y), (out, y), (new, sample.y[n:])):
        for tie_tol in table_1.TIES.values():
            found.append(confusion_hat(fractions, labels, Q, tie_tol=tie_tol))
    wanted = [getattr(each, name)[0] for each in found for name in table_1.ENTRIES]
    best = np.sort(np.round(own * k) * [5, 3, 2], axis=1)
    measured = table_1.entry_errors(sample, n, k, np.zeros(4))[:-1]
    assert measured == pytest.approx([*wanted, np.mean(best[:, -1] == best[:, -2])], abs=1e-15)


def test_scores_of_thresholds_are_those_of_counts_on_a_grid():
    sample = rare().sample(300, 0)
    k = 20
    points = rare().grid(20_000).points
    eta = rare().eta(points)
    voted = votes(sample, points, k)[:, 1]
    found = f1_thresholds.scores(sample, k, [0.1, 0.25], Antiderivative.from_problem(rare()))
    for threshold, scored in zip((0.1, 0.25), found, strict=True):
        hit = eta[voted >= threshold - 1e-12].sum(axis=0)
        wanted = (
            2 * hit[1] / (hit.sum() + eta[:, 1].sum()),
            hit[1] / eta[:, 1].sum(),
            hit[1] / hit.sum(),
        )
        assert scored == pytest.approx(wanted, abs=1e-3)


def test_searches_are_those_of_the_reference(monkeypatch):
    """With its ties, as doubles compare, and 2000 new points: 20 of Figure 3(a)."""
    monkeypatch.setattr(
        WeightScorer, "from_fractions", partial(WeightScorer.from_fractions, tie_tol=0)
    )
    monkeypatch.setattr(searches, "CELLS", 2000)
    along = np.mean(
        [searches.scores_along(waves().sample(1000, seed)) for seed in range(20)], axis=0
    )
    for gamma, means in zip(searches.GAMMAS, along, strict=True):
        known = list(TRIALS["figure3a_20_seeds"][f"gamma={gamma}"].values())
        assert means[[0, -1], :2].T.ravel() == pytest.approx(known[:4], abs=1e-12)


def test_figure_4b_has_the_distance_of_mean_weights_and_the_mean_distance():
    (found,) = searches.khim_figures_3b_and_4(sizes=(60,), repeats=3)["figure_4"]
    differences = []
    for repeat in range(3):
        sample = waves().sample(60, np.random.default_rng([0, 60, repeat]))
        score = WeightScorer.from_fractions(votes(sample, sample.X, 20), sample.y)
        greedy = greedy_search(score, searches.START, step=0.01, n_steps=20).q
        differences.append(grid_search(score, simplex_grid(3, 100)).q - greedy)
    apart = np.linalg.norm(differences, axis=1)
    assert found["distance"] == pytest.approx(
        np.linalg.norm(np.mean(differences, axis=0)), abs=1e-12
    )
    assert found["mean_distance"] == pytest.approx(np.mean(apart), abs=1e-12)
    assert found["mean_distance_se"] == pytest.approx(np.std(apart, ddof=1) / 3**0.5, abs=1e-12)
    assert found["distance"] < found["mean_distance"], (
        "the length of a mean is at most the mean length"
    )


@pytest.mark.parametrize("k", [1, 7, 29, 30])
def test_f1_over_k_reads_the_neighbors_that_a_search_finds(k):
    sample = waves().sample(30, 2)
    points = np.arange(10_000)[:, None] / 10_000
    others = min(k, 29)
    out = VoteProfile.count(
        NeighborTable.build(sample.X, None, others, exclude_self=True), sample.y, 3
    ).at(others)
    own, new = (votes(sample, queries, k) for queries in (sample.X, points))
    pairs = (own, sample.y), (out / others, sample.y), (new, waves().eta(points))
    wanted = [
        WeightScorer.from_fractions(fractions, truth)(np.array(EQUAL)) for fractions, truth in pairs
    ]
    assert macro_f1_over_k.macro_f1_by_k(sample, (k,))[0] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("shift", [False, True])
def test_a_trial_of_table_2_is_that_of_a_plain_protocol(shift):
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1, 2], [120, 60, 20])
    split = table_2.Split.of(rng.normal(0, 1, (200, 4)) + y[:, None] * [1, 0, 0, 0], y, 3, 1)
    assert [np.bincount(part).tolist() for _, part in split] == [
        [72, 36, 12],
        [24, 12, 4],
        [24, 12, 4],
    ]
    voters = KNeighborsClassifier(9).fit(*split.train)
    dev, test = ((voters.predict_proba(X), y + shift) for X, y in (split.dev, split.test))

    def f1(part, q):
        predicted = np.argmax(np.round(q * part[0], 12), axis=1)
        return f1_score(
            part[1], predicted, labels=np.arange(3) + shift, average="macro", zero_division=0
        )

    def climb(q, classes):
        best = f1(dev, q)
        for _ in range(25):
            start = q
            for c, sign in [(c, sign) for c in classes for sign in (1, -1)]:
                candidate = np.maximum(start + sign * 0.02 * np.eye(3)[c], 0)
                candidate /= candidate.sum()
                if (score := f1(dev, candidate)) >= best:
                    q = candidate
                    best = score
        return q

    equal = np.full(3, 1 / 3)
    found = table_2.Fitted.of(split, 9, 0).scores(shift=shift)
    weights = {
        "unweighted": equal,
        "greedy": climb(equal, (0, 1, 2)),
        "greedy, backwards": climb(equal, (2, 1, 0)),
    }
    weights["grid"] = max(simplex_grid(3, 12), key=lambda q: f1(dev, q))
    for rule, q in weights.items():
        assert found[rule] == pytest.approx([f1(dev, q), f1(test, q), *q], abs=1e-12), rule


@pytest.mark.parametrize(("n", "few"), [(40, 5), (43, 6), (1007, 6), (40_003, 11)])
def test_with_the_fewest_rows_a_class_is_in_each_part(n, few):
    y = (np.arange(n) < few).astype(int)
    table_2.check_classes(y, ["often", "rare"])
    assert all(
        part.any()
        for number in range(20)
        for _, part in table_2.Split.of(np.zeros((n, 1)), y, 0, number)
    )
