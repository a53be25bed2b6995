"""Each kernel against a plain NumPy implementation."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import (
    any_ball,
    draws_one_by_one,
    ones_among_first,
    sorted_neighbors,
    summed_entries,
    tables,
    weighted_vote,
)

from knnviz import kernels
from knnviz.neighbors import SpatialIndex


@given(tables(), st.booleans())
def test_sort_candidates_given_every_position_is_brute_force(table, for_all):
    X, queries, k, rng = table
    positions, inverse, sizes = np.unique(X, axis=0, return_inverse=True, return_counts=True)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    members = np.argsort(inverse.ravel(), kind="stable")
    candidates = np.array([rng.permutation(len(positions)) for _ in (queries[:1] if for_all else queries)])
    indices, squares = np.empty((len(queries), k), np.int32), np.empty((len(queries), k))
    complete, left_out = np.zeros(len(queries), bool), np.full(len(queries), -1)
    kernels.sort_candidates(positions, starts, members, queries, candidates, left_out, indices, squares, complete)
    expected = sorted_neighbors(X, queries, k)
    assert np.array_equal(indices, expected[0])
    assert np.array_equal(squares, expected[1])
    assert complete.all()


@given(st.integers(1, 60), st.sampled_from([None, 1, 0]), st.sampled_from([1.0, 1e-170]), st.integers(0, 2**32 - 1))
def test_neighbors_and_their_votes_on_a_line_are_brute_force(n, decimals, size, seed):
    """Between points, upon them and beyond them; ties on one side and on both; squares that underflow tie, too."""
    rng = np.random.default_rng(seed)
    X = (rng.random((n, 1)) if decimals is None else rng.random((n, 1)).round(decimals)) * size
    queries = (
        np.concatenate([rng.random((5, 1)), np.linspace(-1, 2, 7)[:, None], X[:4] / size, X[:4] / size + 0.05]) * size
    )
    left_out = np.where(rng.random(len(queries)) < 0.3, rng.integers(0, n, len(queries)), -1)
    k, labels = int(rng.integers(1, n + 1)), rng.integers(0, 2, n)
    expected, expected_squares = sorted_neighbors(X, queries, k)
    order, counts, ones = np.argsort(X[:, 0]), np.array([n, 0, n // 2]), np.empty((3, len(queries)), np.int64)
    kernels.votes_on_line(X[order, 0], order, labels[order], counts, queries[:, 0], k, ones)
    for count, votes in zip(counts, ones, strict=True):
        first = sorted_neighbors(X[:count], queries, min(k, count))[0]
        assert np.array_equal(votes, labels[first].sum(axis=1))
    positions = SpatialIndex(X).positions
    inputs = positions.points[:, 0], positions.starts, positions.members, queries[:, 0]
    indices, squares = np.empty((len(queries), k), np.int32), np.empty((len(queries), k))
    kernels.nearest_on_line(*inputs, np.full(len(queries), -1), indices, squares)
    assert np.array_equal(indices, expected)
    assert np.array_equal(squares, expected_squares)
    if k < n:
        kernels.nearest_on_line(*inputs, left_out, indices, squares)
        every = sorted_neighbors(X, queries, n)[0]
        others = [[j for j in row if j != out][:k] for row, out in zip(every, left_out, strict=True)]
        assert indices.tolist() == others


@given(st.integers(1, 400), st.integers(2, 5), st.booleans(), st.integers(0, 2**32 - 1))
def test_votes_are_cumulative_sums_of_labels_and_bags(k_max, n_classes, from_bags, seed):
    rng = np.random.default_rng(seed)
    indices = rng.permuted(np.tile(np.arange(400, dtype=np.int32), (5, 1)), axis=1)[:, :k_max].copy()
    labels = rng.integers(0, n_classes, 400).astype(np.uint8)
    bags = (rng.random((400, n_classes)) < 0.5).astype(np.uint8)
    votes_of_points = bags if from_bags else np.eye(n_classes, dtype=int)[labels]
    expected = np.cumsum(votes_of_points[indices], axis=1, dtype=int)
    for ks in (np.arange(1, k_max + 1), np.unique(rng.integers(1, k_max + 1, 5))):
        votes = np.empty((n_classes, len(ks), 5), np.uint16)
        kernels.count_votes(indices, bags if from_bags else labels, ks, votes)
        assert np.array_equal(votes, expected[:, ks - 1].transpose(2, 1, 0))


@given(
    st.integers(1, 5), st.integers(1, 20), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 1e-12, 0.05]), st.booleans()
)
def test_most_weight_is_the_first_score_near_the_largest_and_most_votes_the_first(n_classes, m, seed, tie_tol, whole):
    """As many voters at each query as there are in its ball; whole weights tie often, others never."""
    rng = np.random.default_rng(seed)
    votes = rng.integers(0, 4, (n_classes, m)).astype(np.uint8)
    voters, labels = votes.sum(axis=0, dtype=np.int64) + rng.integers(1, 3, m), np.empty(m, np.uint8)
    q = rng.integers(0, 4, n_classes) / 7 if whole else rng.random(n_classes)
    kernels.most_weight(votes, voters, q, tie_tol * q.max(), labels)
    pairs = zip(votes.T, voters.tolist(), strict=True)
    assert labels.tolist() == [weighted_vote([row], q, size, tie_tol)[0] for row, size in pairs]
    kernels.most_votes(votes, labels)
    assert np.array_equal(labels, votes.argmax(axis=0))


@given(st.integers(2, 5), st.integers(1, 30), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 1e-12, 0.05]))
def test_sum_weights_counts_the_first_score_near_the_largest(n_classes, m, seed, tie_tol):
    rng = np.random.default_rng(seed)
    fractions = (rng.integers(0, 4, (n_classes, m)) / 3).astype(float)
    truth, q = rng.dirichlet(np.ones(n_classes), m).T.copy(), rng.integers(0, 4, (6, n_classes)) / 7
    points, slack = truth.sum(axis=0), tie_tol * q.max(axis=1)
    predicted, hits = np.empty((6, n_classes)), np.empty((6, n_classes))
    kernels.sum_weights(fractions, truth, points, q, slack, predicted, hits)
    scores = q[:, :, None] * fractions
    best = (scores >= scores.max(axis=1, keepdims=True) - slack[:, None, None]).argmax(axis=1)
    chosen = best[:, None, :] == np.arange(n_classes)[:, None]
    assert np.allclose(predicted, (chosen * points).sum(axis=2), rtol=0, atol=1e-12)
    assert np.allclose(hits, (chosen * truth).sum(axis=2), rtol=0, atol=1e-12)


@given(st.integers(2, 4), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_expected_error_is_a_weighted_mean(n_classes, m, seed):
    rng = np.random.default_rng(seed)
    eta, weights = rng.dirichlet(np.ones(n_classes), m), rng.dirichlet(np.ones(m))
    labels = rng.integers(0, n_classes, m).astype(np.uint8)
    expected = weights @ (1 - eta[np.arange(m), labels])
    assert np.isclose(kernels.expected_error(labels, eta, weights), expected, rtol=1e-12)


@given(st.integers(2, 4), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_entries_are_sums_of_weights(n_classes, m, seed):
    """Of class codes that weigh 1 they are whole, and so exact."""
    rng = np.random.default_rng(seed)
    positive, found = rng.random((n_classes, m)) < 0.5, np.empty((4, n_classes))
    coded = (rng.integers(0, n_classes, m) == np.arange(n_classes)[:, None]).T
    kernels.sum_entries(positive, coded, np.ones(m), found)
    assert np.array_equal(found, summed_entries(positive, coded, np.ones(m)))
    eta, weights = rng.dirichlet(np.ones(n_classes), m), rng.dirichlet(np.ones(m))
    kernels.sum_entries(positive, eta, weights, found)
    assert np.allclose(found, summed_entries(positive, eta, weights), rtol=0, atol=1e-14)


@given(tables(), st.integers(0, 12))
def test_in_any_ball_looks_at_every_center(table, h):
    points, centers, _, rng = table
    centers = np.concatenate([centers, points])[:h]
    # Radii that reach exactly to a point, and others.
    reaching = np.sqrt(sorted_neighbors(points, centers, 1)[1][:, 0]) if h else np.empty(0)
    radii = np.where(rng.random(len(centers)) < 0.5, reaching, rng.random(len(centers)) / 3)
    found = rng.random(len(points)) < 0.5
    kernels.in_any_ball(points, centers, radii, found)
    assert np.array_equal(found, any_ball(points, centers, radii))


@given(
    st.integers(0, 120),
    st.integers(1, 3),
    st.sampled_from([0.0, 0.3, 1.0]),
    st.booleans(),
    st.integers(0, 30),
    st.integers(0, 2**32 - 1),
)
def test_draws_take_their_uniforms_one_by_one(length, width, passive_fraction, coin_per_label, m, seed):
    rng = np.random.default_rng(seed)
    uniforms, inside = rng.random(length), rng.random(length) < 0.3
    passive, starts, accepted = draws_one_by_one(uniforms, inside, width, passive_fraction, coin_per_label, m)
    rows = int(rng.integers(0, length // width + 1))
    passive, starts, accepted = passive[:rows], starts[:rows], [row for row in accepted if row < rows]
    found = np.empty(rows, np.bool_), np.empty(rows, np.int64), np.empty(m, np.int64)
    ends = kernels.accept_draws(uniforms, inside, width, passive_fraction, coin_per_label, *found)
    assert ends == (len(passive), len(accepted))
    assert found[0][: len(passive)].tolist() == passive
    assert found[1][: len(passive)].tolist() == starts
    assert found[2][: len(accepted)].tolist() == accepted


@given(tables(), st.integers(0, 60), st.integers(1, 60))
def test_votes_of_the_first_points(table, count, k):
    X, queries, width, rng = table
    labels = rng.integers(0, 2, len(X)).astype(np.uint8)
    indices = sorted_neighbors(X, queries, width)[0].astype(np.int32)
    ones = np.empty(len(queries), np.int64)
    kernels.votes_of_first(indices, labels, count, k, ones)
    assert ones.tolist() == ones_among_first(indices, labels, count, k)
