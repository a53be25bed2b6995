"""Sweeps: one search gives what a search for each risk gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import tables
from refusals import refuses

from knnviz import (
    LabelNoise,
    NeighborTable,
    Robust,
    Threshold,
    Vote,
    VoteProfile,
    Weighted,
    breast_cancer,
    checkerboard,
    risk,
)
from knnviz.neighbors import Windows
from knnviz.problems import gaussians, plateau, waves
from knnviz.risk import sweeps


@settings(max_examples=40)
@given(tables(), st.integers(2, 4), st.integers(1, 40))
def test_a_sweep_is_many_single_risks(table, n_classes, entries):
    """Ties, also past the largest k, duplicates and pieces of queries included."""
    X, queries, k_max, rng = table
    m = len(queries)
    ks = np.unique(rng.integers(1, k_max + 1, 4))[::-1].tolist()
    eta = rng.dirichlet(np.ones(n_classes), m)
    weights = rng.dirichlet(np.ones(m))
    q = rng.random(n_classes)
    rules = [Vote(), Weighted(q), Weighted(q, mode="closed_ball")]
    if n_classes == 2 and len(X) > 2:
        rules += [Threshold(0.3), Robust(k_noise=2), Robust(votes="order")]
    draws = [(rng.integers(0, n_classes, len(X)), rules) for _ in range(3)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweeps, "MOST_ENTRIES", entries)
        found = sweeps.sweep(X, queries, eta, draws, ks, weights=weights)

    train = NeighborTable.build(X, None, len(X))
    neighbors = NeighborTable.build(X, queries, k_max)
    for (labels, _), of_draw in zip(draws, found, strict=True):
        votes = VoteProfile.build(neighbors, labels, n_classes)
        for rule, of_rule in zip(rules, of_draw, strict=True):
            expected = []
            for k in ks:
                predicted = rule.fit(train, labels, k, n_classes).predict(votes, k)
                expected.append(weights @ (1 - eta[np.arange(m), predicted]))
            assert of_rule == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("problem", [checkerboard(), plateau(0.1, 0.3), breast_cancer()])
def test_who_needs_more_neighbors_than_there_are_names_them(problem):
    sentence = "k_noise must be between 1 and 49, got 100"
    setting = {"over": {"k": [5]}, "n": 50, "repeats": 2}
    refuses(sentence, risk.curve, problem, Robust(k_noise=100), **setting)


@pytest.mark.parametrize("problem", [plateau(0.1, 0.3), waves(), gaussians()])
def test_a_line_and_a_fine_grid_agree(problem):
    """In any order of the points."""
    ks = [1, 5, 60]
    sample = problem.sample(60, 0)
    X = sample.X
    y = sample.y
    rules = [Vote()]
    if problem.n_classes == 2:
        y = LabelNoise(0.1, 0.3).flip(y, sample.v)
        rules += [Threshold(0.4), Robust(votes="order")]
    known = risk.Antiderivative.build(problem)
    cells, eta = problem.cells(100_000)
    grid = sweeps.sweep(X, cells.points, eta, [(y, rules)], ks, weights=cells.weights)
    line, shuffled = (
        risk.sweep_line(Windows.from_points(X[order]), known, [(y[order], rules)], ks)
        for order in (np.arange(60), np.random.default_rng(0).permutation(60))
    )
    assert np.allclose(line, grid, atol=4e-5)
    assert np.array_equal(line, shuffled)
