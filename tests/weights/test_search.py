"""Searches for class weights, step by step, and the rule for k; what they find in the paper's runs
is guarded where a reader sees it, by the classifier and the lab that search.
"""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import climbed, generators, reference
from refusals import refuses

from knnviz.weights import greedy_search, grid_search, neighbors_rule, simplex_grid

FOUND = reference("khim_search")


def test_of_a_grid_the_first_of_the_best_is_found():
    found = grid_search(lambda q: (q[:, 0] > 0.4) * 1.0, simplex_grid(2, 10))
    assert found.q.tolist() == [0.5, 0.5]
    assert (found.score, found.scores.tolist(), found.history.tolist()) == (1, [1], [[0.5, 0.5]])


@given(
    generators,
    st.sampled_from([0.01, 0.2, 1.0]),
    st.sampled_from(["coordinate", "sign"]),
    st.sampled_from([">=", ">"]),
    st.sampled_from(["previous", "running"]),
)
def test_a_step_is_that_of_a_loop_over_candidates(rng, step, order, accept, base):
    """On stairs of four heights, where most candidates are equal."""
    slope = rng.normal(0, 10, 3)
    start = rng.integers(0, 3, 3)
    start[0] += 1

    def stairs(rows):
        return np.floor((rows * slope).sum(axis=1)) % 4

    options = {"order": order, "accept": accept, "base": base}
    found = greedy_search(stairs, start, step=step, n_steps=4, **options)
    assert len(found.history) == 5
    assert found.history[0] == pytest.approx(start / start.sum())
    assert stairs(found.history).tolist() == found.scores.tolist()
    for before, after in pairwise(found.history):
        q, best = climbed(stairs, before, step, order, accept, base)
        assert after.tolist() == q.tolist()
        assert stairs(after[None]) == best


@pytest.mark.parametrize("n", [int(n) for n in FOUND["k_rule"]])
def test_the_rule_for_k(n):
    *_, up = FOUND["k_rule"][str(n)]
    assert neighbors_rule(n) == up


def test_what_cannot_be_searched_is_refused():
    refuses("nan", grid_search, lambda q: q[:, 0] * np.nan, np.eye(3))
    refuses("got 0", neighbors_rule, 0)
