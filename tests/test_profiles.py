"""VoteProfile: the same counts whichever way they are read."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import closed_balls, cumulative_votes, tables
from refusals import refuses
from scipy.sparse import csr_array

from knnviz import NeighborTable, VoteProfile
from knnviz.neighbors import Windows
from knnviz.profiles import WindowProfile, training_votes


@given(tables(), st.integers(2, 4), st.data())
def test_counts_whichever_way_they_are_read(table, n_classes, data):
    X, queries, k_max, rng = table
    labels = rng.integers(0, n_classes, len(X))
    neighbors = NeighborTable.build(X, queries, k_max)
    expected = cumulative_votes(neighbors.indices, labels, n_classes)
    profile = VoteProfile.count(neighbors, labels, n_classes)
    for k in data.draw(st.lists(st.integers(1, k_max), min_size=1, max_size=4)):
        assert np.array_equal(profile.at(k), expected[:, k - 1])
    assert np.array_equal(profile.counts, expected)


@given(tables(), st.integers(2, 5), st.data())
def test_counts_at_named_ks_come_from_one_pass(table, n_classes, data):
    X, queries, k_max, rng = table
    labels = rng.integers(0, n_classes, len(X))
    neighbors = NeighborTable.build(X, queries, k_max)
    expected = cumulative_votes(neighbors.indices, labels, n_classes)
    ks = data.draw(st.lists(st.integers(1, k_max), min_size=1, max_size=6))
    profile = VoteProfile.count(neighbors, labels, n_classes, ks=ks)
    for k in ks:
        assert np.array_equal(profile.at(k), expected[:, k - 1])
    assert "_at_every_k" not in vars(profile)
    for k in range(1, k_max + 1):
        assert np.array_equal(profile.at(k), expected[:, k - 1])


@given(tables(), st.integers(2, 4), st.booleans(), st.data())
def test_closed_balls_hold_all_that_tie(table, n_classes, exclude_self, data):
    """Queries anywhere, or the training points, each out of its own ball."""
    X, queries, k_max, rng = table
    k_max = min(k_max, len(X) - exclude_self)
    if k_max == 0:
        return
    labels = rng.integers(0, n_classes, len(X))
    neighbors = NeighborTable.build(X, None if exclude_self else queries, k_max, exclude_self=exclude_self)
    profile = VoteProfile.count(neighbors, labels, n_classes)
    centers, own = (X, np.arange(len(X))) if exclude_self else (queries, None)
    for k in [*data.draw(st.lists(st.integers(1, k_max), max_size=3)), k_max]:
        assert np.array_equal(profile.closed(k), closed_balls(X, centers, labels, k, n_classes, own))


@given(tables(), st.data())
def test_closed_balls_of_another_metric(table, data):
    """City blocks of whole numbers, whose distances are exact."""
    X, queries, k, rng = table
    X, queries, labels = np.round(4 * X), np.round(4 * queries), rng.integers(0, 3, len(X))
    profile = VoteProfile.count(NeighborTable.build(X, queries, k, metric="manhattan"), labels, 3)
    k = data.draw(st.integers(1, k))
    distances = abs(queries[:, None] - X).sum(axis=2)
    inside = distances <= np.sort(distances, axis=1)[:, k - 1 : k]
    assert np.array_equal(profile.closed(k), inside @ np.eye(3, dtype=int)[labels])


def test_a_closed_ball_wider_than_any_margin():
    """Five hundred points at one distance, some of them in one place."""
    X = np.concatenate([np.repeat([[1.0], [-1.0]], 250, axis=0), [[0.5], [3.0]]])
    labels = np.repeat([0, 1, 2], [250, 250, 2])
    profile = VoteProfile.count(NeighborTable.build(X, np.zeros((1, 1)), 3), labels, 3)
    assert [profile.closed(k).tolist() for k in (1, 2, 3)] == [[[0, 0, 1]], [[250, 250, 1]], [[250, 250, 1]]]
    refuses("k must not exceed the 3 neighbors of this profile, got 4", profile.closed, 4)


def test_a_table_from_a_graph_has_no_closed_balls():
    graph = csr_array(np.array([[1.0, 1.0, 2.0]]))
    profile = VoteProfile.count(NeighborTable.from_graph(graph), [0, 1, 0], 2)
    refuses("closed balls need a table that was built from points", profile.closed, 1)


@given(st.integers(1, 60), st.integers(2, 4), st.integers(0, 2**32 - 1), st.data())
def test_closed_balls_among_the_points_of_a_line(n, n_classes, seed, data):
    """Points on a lattice, so that two sides are often as near."""
    rng = np.random.default_rng(seed)
    X = rng.permutation(np.unique(rng.integers(0, 100, n))).reshape(-1, 1) / 8
    labels, k = rng.integers(0, n_classes, len(X)), data.draw(st.integers(1, len(X)))
    own = training_votes(Windows.from_points(X), labels, n_classes)
    assert np.array_equal(own.closed(k), closed_balls(X, X, labels, k, n_classes))


def test_named_ks_beyond_the_table_are_refused():
    table = NeighborTable.build(np.eye(3), np.eye(3), 2)
    refuses("each of ks must be between 1 and 2, got 3", VoteProfile.count, table, [0, 1, 0], 2, ks=[1, 3])


@given(st.integers(1, 40), st.integers(2, 5), st.integers(0, 2**32 - 1), st.data())
def test_votes_of_windows_are_votes_of_neighbors(n, n_classes, seed, data):
    """Points at random, so that no query is as near to two of them."""
    rng = np.random.default_rng(seed)
    X, queries, labels = rng.random((n, 1)), rng.random((20, 1)), rng.integers(0, n_classes, n)
    windows, k = Windows.from_points(X), data.draw(st.integers(1, n))
    votes = WindowProfile.count(windows, labels, n_classes).at(k)
    assert votes.shape == (n - k + 1, n_classes)
    expected = VoteProfile.count(NeighborTable.build(X, queries, k), labels, n_classes).at(k)
    assert np.array_equal(votes[windows.starts(queries[:, 0], k)], expected)
    own = training_votes(NeighborTable.build(X, None, k), labels, n_classes).at(k)
    assert np.array_equal(training_votes(windows, labels, n_classes).at(k), own)


@given(st.integers(1, 60), st.integers(2, 4), st.integers(0, 2**32 - 1), st.data())
def test_extremes_are_those_of_the_votes_at_training_points(n, n_classes, seed, data):
    """Rounded points, so that some are equally near to their two sides."""
    rng = np.random.default_rng(seed)
    windows = Windows.from_points(np.unique(rng.integers(0, 200, n)).reshape(-1, 1) / 8)
    labels, k = rng.integers(0, n_classes, windows.n), data.draw(st.integers(1, windows.n))
    own = training_votes(windows, labels, n_classes)
    low, high = own.extremes(k)
    assert np.array_equal(low, own.at(k).min(axis=0))
    assert np.array_equal(high, own.at(k).max(axis=0))


@given(st.integers(1, 40), st.integers(0, 2**32 - 1), st.data())
def test_votes_of_single_windows_are_those_of_all(n, seed, data):
    rng = np.random.default_rng(seed)
    windows = Windows.from_points(rng.random((n, 1)))
    profile = WindowProfile.count(windows, rng.integers(0, 3, n), 3)
    ks = data.draw(st.lists(st.integers(1, n), min_size=1, max_size=5))
    starts = [data.draw(st.integers(0, n - k)) for k in ks]
    expected = [profile.at(k)[start] for start, k in zip(starts, ks, strict=True)]
    assert np.array_equal(profile.votes_in(starts, ks), expected)


def test_windows_that_go_too_far_are_refused():
    profile = WindowProfile.count(Windows.from_points(np.array([[0.3], [0.1], [0.2]])), [0, 1, 1], 2)
    for start, k in ((-1, 2), (2, 2), (0, 0)):
        refuses("windows must lie within the 3 points", profile.votes_in, [start], [k])


def test_windows_refuse_labels_that_do_not_fit():
    windows = Windows.from_points(np.array([[0.3], [0.1], [0.2]]))
    refuses("labels must hold one class for each of 3 points", WindowProfile.count, windows, [0, 1], 2)
    with pytest.raises(ValueError, match="k must not exceed the number of points, got k = 4 with n = 3"):
        WindowProfile.count(windows, [0, 1, 1], 2).at(4)


@given(tables(max_n=30))
def test_a_permutation_of_points_without_ties_changes_no_count(table):
    X, queries, k_max, rng = table
    X = rng.random(X.shape)
    labels, order = rng.integers(0, 2, len(X)), rng.permutation(len(X))
    counts = VoteProfile.count(NeighborTable.build(X, queries, k_max), labels, 2).counts
    permuted = VoteProfile.count(NeighborTable.build(X[order], queries, k_max), labels[order], 2).counts
    assert np.array_equal(counts, permuted)


@pytest.mark.parametrize(("k_max", "dtype"), [(255, np.uint8), (256, np.uint16)])
def test_smallest_type_that_holds_the_counts(k_max, dtype):
    X = np.random.default_rng(0).random((300, 2))
    for n_classes in (2, 3):
        profile = VoteProfile.count(NeighborTable.build(X, X[:3], k_max), np.ones(300, int), n_classes)
        assert profile.at(k_max)[:, 1].tolist() == [k_max] * 3
        assert profile.counts.dtype == dtype
        assert profile.counts[0, -1, 1] == k_max


def test_a_single_k_counts_nothing_else():
    X = np.random.default_rng(0).random((50, 2))
    profile = VoteProfile.count(NeighborTable.build(X, X, 20), np.zeros(50, int), 2)
    profile.at(5)
    profile.at(5)
    assert "_at_every_k" not in vars(profile)
    profile.at(6)
    assert "_at_every_k" in vars(profile)


@pytest.mark.parametrize(
    ("labels", "n_classes", "message"),
    [
        ([0, 1], 2, r"labels must hold one class for each of 3 points, got shape \(2,\)"),
        ([0, 1, 2], 2, "labels must be class codes 0 to 1, got 0 to 2"),
        ([0, -1, 1], 2, "labels must be class codes 0 to 1, got -1 to 1"),
        ([0.0, 1.0, 0.5], 2, "labels must be class codes 0 to 1, got values of type float64"),
        ([0, 0, 0], 1, "n_classes must be between 2 and 255, got 1"),
    ],
)
def test_bad_labels_are_refused(labels, n_classes, message):
    table = NeighborTable.build(np.eye(3), np.eye(3), 2)
    refuses(f"^{message}$", VoteProfile.count, table, labels, n_classes)


def test_more_neighbors_than_counts_can_hold_are_refused():
    X = np.arange(70_000.0)[:, None]
    with pytest.raises(ValueError, match="at most 65535 neighbors, got 65536"):
        VoteProfile.count(NeighborTable.build(X, X[:1], 65_536), np.zeros(70_000, int), 3)


def test_a_profile_keeps_its_own_labels_and_its_counts_to_itself():
    labels = np.ones(3, np.uint8)
    profile = VoteProfile.count(NeighborTable.build(np.eye(3), np.eye(3), 3), labels, 2)
    labels[:] = 0
    assert profile.at(1)[:, 1].tolist() == [1, 1, 1]
    for counts in (profile.at(1), profile.at(2), profile.counts):
        with pytest.raises(ValueError, match="read-only"):
            counts[:] = 0


def test_k_beyond_the_table_is_refused():
    profile = VoteProfile.count(NeighborTable.build(np.eye(3), np.eye(3), 2), [0, 1, 0], 2)
    refuses("k must not exceed the 2 neighbors of this profile, got 3", profile.at, 3)
