"""Bags as sets, tables, frames and sparse matrices, read."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refuses
from scipy.sparse import csr_array

from knnviz import NeighborTable, Threshold, Vote, VoteProfile
from knnviz.bags import as_bags, read_bags

SETS = [{"cat", "dog"}, set(), {"eel"}]


def test_sets_frames_and_sparse_tables_are_the_same_bags():
    bags, classes = read_bags(SETS)
    assert classes.tolist() == ["cat", "dog", "eel"]
    assert bags.tolist() == [[True, True, False], [False, False, False], [False, False, True]]
    for other in (pd.DataFrame(bags, columns=classes), pd.Series(SETS), [list(bag) for bag in SETS]):
        table, names = read_bags(other)
        assert (table == bags).all()
        assert names.tolist() == classes.tolist()
    for other in (csr_array(bags), bags.astype(int), bags.astype(float)):
        table, names = read_bags(other)
        assert (table == bags).all()
        assert names.tolist() == [0, 1, 2]


def test_columns_of_a_frame_may_be_of_several_types():
    frame = pd.DataFrame({"cat": [True, False], "dog": [0, 1], "eel": pd.array([False, True], "boolean")})
    bags, classes = read_bags(frame)
    assert bags.tolist() == [[True, False, False], [False, True, True]]
    assert classes.tolist() == ["cat", "dog", "eel"]
    for hole in (pd.array([False, None], "boolean"), [0.0, np.nan], ["no", "yes"]):
        refuses("truth values, or 0 and 1", read_bags, frame.assign(eel=hole))


@given(st.lists(st.sets(st.integers(0, 4)), min_size=1, max_size=20))
def test_each_set_is_a_row(sets):
    bags, classes = read_bags(sets, range(5))
    assert [set(classes[bag].tolist()) for bag in bags] == sets


def test_classes_may_be_named_and_ordered():
    bags, classes = read_bags(SETS, ["eel", "dog", "cat", "ape"])
    assert classes.tolist() == ["eel", "dog", "cat", "ape"]
    assert bags[2].tolist() == [True, False, False, False]


@pytest.mark.parametrize(
    ("bags", "classes", "sentence"),
    [
        (SETS, ["cat", "dog"], "not among the classes: eel"),
        (SETS, ["cat", "cat", "dog"], "different labels"),
        ([{"cat"}], None, "two or more"),
        (["cat", "dog"], None, "a bag must be a set or list of labels, got 'cat' in row 0"),
        ([{1}, 2], None, "got 2 in row 1"),
        (5, None, "a list of sets of labels, or a table, got 5"),
        ([{1, "cat"}, {2}], None, "of one kind, all text or all numbers"),
        ([[[1]], [2]], None, "of one kind"),
        ([[True, False], [False, True]], None, "a table of truth values must be an array, got a list of them in row 0"),
        ([(1, 2), (np.True_,)], None, "got a list of them in row 1"),
        (np.array([[0, 2]]), None, "truth values, or 0 and 1"),
        (np.ones((3, 1)), None, "two or more classes, got 1"),
        (np.eye(2), ["a", "b", "c"], "there must be 2 classes, one for each column, got 3"),
    ],
)
def test_what_is_refused(bags, classes, sentence):
    refuses(sentence, read_bags, bags, classes)


def test_labels_are_bags_of_one():
    assert as_bags(np.array([1, 0]), 2, 3).tolist() == [[False, True, False], [True, False, False]]
    refuses("truth values", as_bags, np.zeros((2, 3)), 2, 3)


@given(st.integers(0, 10**6), st.integers(2, 5))
def test_a_bag_votes_for_each_of_its_labels(seed, n_classes):
    rng = np.random.default_rng(seed)
    bags = rng.random((30, n_classes)) < 0.5
    indices = rng.permuted(np.tile(np.arange(30, dtype=np.int32), (20, 1)), axis=1)[:, :12]
    table, votes = NeighborTable(np.ascontiguousarray(indices), 30), np.cumsum(bags[indices], axis=1)
    for ks in (None, [3, 7]):
        profile = VoteProfile.count(table, bags, n_classes, ks)
        assert (profile.at(7) == votes[:, 6]).all()
        assert (profile.at(3) == votes[:, 2]).all()
        assert (Vote().predict(profile, 7) == votes[:, 6].argmax(axis=1)).all()
    assert (profile.counts == votes).all()


def test_closed_balls_count_bags_that_tie():
    X = np.array([[0.0], [1.0], [-1.0], [2.0]])
    bags = np.array([[True, False], [True, True], [False, True], [False, False]])
    profile = VoteProfile.count(NeighborTable.build(X, np.array([[0.0]]), 3), bags, 2)
    assert profile.closed(2).tolist() == [[2, 2]]
    refuses("not of bags", Threshold(0.5).predict, profile, 2)
