"""VoteProfile: the same counts whichever way they are read."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from twins import cumulative_votes, tables

from knnviz import NeighborTable, VoteProfile


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
    assert "_cumulated" not in vars(profile)
    profile.at(6)
    assert "_cumulated" in vars(profile)


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
    with pytest.raises(ValueError, match=f"^{message}$"):
        VoteProfile.count(table, labels, n_classes)


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
    with pytest.raises(ValueError, match="k must not exceed the 2 neighbors of this profile, got 3"):
        profile.at(3)
