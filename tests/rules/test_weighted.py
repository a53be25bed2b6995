"""The class-weighted vote: a plain implementation, its ties, and what does not change it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import (
    closed_balls,
    random_profile,
    reference,
    squared_distances,
    tables,
    weighted_vote,
)
from refusals import refuses

from knnviz import NeighborTable, VoteProfile, Weighted

KHIM = reference("khim")

#: Weights of the example.
Q = (0.5, 0.3, 0.2)

#: Weights a reader may type: whole numbers, some of them 0, not all.
typed = st.lists(st.integers(0, 100), min_size=2, max_size=5).filter(any)
any_weight = st.just(0.0) | st.floats(1e-6, 1e6)
any_weights = st.lists(any_weight, min_size=3, max_size=5).filter(any)
tolerances = st.sampled_from([0.0, 1e-12, 0.01, 1.0])


@given(tables(), any_weights, tolerances)
def test_agrees_with_a_plain_implementation(case, q, tie_tol):
    """Fractions in a closed ball are of the number of its points, which differs between queries."""
    X, queries, *_ = case
    profile, k = random_profile(case, len(q))
    votes = profile.at(k)
    rule = Weighted(q, tie_tol=tie_tol)
    labels = rule.predict(profile, k)
    assert labels.dtype == np.uint8
    assert labels.tolist() == rule.decide(votes / k).tolist()
    assert labels.tolist() == weighted_vote(votes, q, tie_tol).tolist()

    bags = np.eye(len(q))[profile.labels]
    closed = closed_balls(squared_distances(queries, X), bags, k)
    of_closed = Weighted(q, "closed_ball", tie_tol).predict(profile, k)
    assert of_closed.tolist() == weighted_vote(closed, q, tie_tol).tolist()


@given(tables(), typed, st.integers(1, 1000))
def test_products_that_are_equal_tie(case, whole, denominator):
    """The class of the largest whole number a_c * count_c, whatever a_c / m is as a double."""
    profile, k = random_profile(case, len(whole))
    exact = (profile.at(k).astype(int) * whole).argmax(axis=1)
    rule = Weighted(np.array(whole) / denominator)
    assert np.array_equal(rule.predict(profile, k), exact)


def test_who_votes_where_distances_tie():
    demo = KHIM["tie_demo"]
    X = np.array(demo["train_x"])[:, None]
    k = demo["k"]
    table = NeighborTable.build(X, np.array([[demo["query"]]]), k)
    profile = VoteProfile.build(table, np.array(demo["train_y"]), 3)
    closed = profile.closed(k)
    assert (profile.at(k) / k).tolist() == [demo["index"]]
    assert (closed / closed.sum()).tolist() == [demo["closed_ball"]]
    q = (1, 2, 9)
    assert Weighted(q, "index").predict(profile, k).tolist() == [1]
    assert Weighted(q, "closed_ball").predict(profile, k).tolist() == [2]


@pytest.mark.parametrize("weight", [5e-324, 1.7e308])
def test_the_smallest_and_the_largest_doubles_are_weights(weight):
    votes = [[0.25, 0.5, 0.25]]
    assert Weighted((weight, weight, weight)).decide(votes).tolist() == [1]
    assert Weighted((0, 0, weight)).decide(votes).tolist() == [2]


TABLE = NeighborTable.build(np.eye(3), None, 2)
FOUR = VoteProfile.build(TABLE, np.zeros(3, int), 4)
BAGS = VoteProfile.build(TABLE, np.eye(3, 4) == 1, 4)


def test_refusals():
    refuses(r"\(1, -1, 1\)", Weighted, (1, -1, 1))
    refuses("3 classes, but there are 4", Weighted(Q).predict, FOUR, 1)
    refuses("got bags", Weighted((1, 1, 1, 1), "closed_ball").predict, BAGS, 1)
    refuses("60", Weighted((1, 1)).decide, [[40, 60]])
