"""Searches that climb the score of class weights, and the rule for k."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import GREEDY_VARIANTS, climbed, generators, reference
from refusals import refuses

from knnviz import NeighborTable, VoteProfile, problems
from knnviz.weights import WeightScorer, greedy_search, grid_search, neighbors_rule, simplex_grid

FOUND = reference("khim_search")
WAVES = problems.waves()
SAMPLE = WAVES.sample(1000, 0)
LINE = np.arange(10_000)[:, None] / 10_000
START = (0.3, 0.3, 0.4)


def scorer(queries, truth):
    """A scorer at points that ask their fifty nearest ones of the sample."""
    table = NeighborTable.build(SAMPLE.X, queries, 50)
    fractions = VoteProfile.build(table, SAMPLE.y, 3).at(50) / 50
    return WeightScorer.from_fractions(truth, fractions)


SCORE = scorer(SAMPLE.X, SAMPLE.y)
FITTED = scorer(LINE, WAVES.eta(LINE))


@pytest.mark.parametrize("variant", GREEDY_VARIANTS)
@pytest.mark.parametrize("step", [0.01, 0.05])
def test_greedy_searches_of_figure_3a(step, variant):
    known = FOUND["figure3a"][f"gamma={step},{variant}"]
    found = greedy_search(SCORE, START, step=step, **GREEDY_VARIANTS[variant])
    assert found.q == pytest.approx(known["final_q"], abs=1e-12)
    assert found.scores == pytest.approx(known["emp"], abs=1e-12)
    steps = found.history
    # Of the variants the reference keeps the first and the last step.
    if variant != "printed" or len(known["pop_macro"]) == 2:
        steps = steps[[0, -1]]
    assert FITTED(steps) == pytest.approx(known["pop_macro"], abs=1e-12)


def test_the_grid_search_of_figure_3a():
    grid = simplex_grid(3, 100)
    found = grid_search(SCORE, grid)
    assert found.q == pytest.approx((0.32, 0.35, 0.33))
    assert found.score == pytest.approx(0.60356, abs=5e-6)
    assert FITTED(found.q) == pytest.approx(0.60236, abs=5e-6)
    first_of_the_best = grid[SCORE(grid).tolist().index(found.score)]
    assert np.array_equal(first_of_the_best, found.q)


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
    assert len(found.history) == len(found.scores) == 5
    assert found.history[0] == pytest.approx(start / start.sum())
    assert stairs(found.history).tolist() == found.scores.tolist()
    for i in range(4):
        q, best = climbed(stairs, found.history[i], step, order, accept, base)
        assert found.history[i + 1].tolist() == q.tolist()
        assert found.scores[i + 1] == best


@pytest.mark.parametrize("n", [int(n) for n in FOUND["k_rule"]])
def test_the_rule_for_k(n):
    *_, up = FOUND["k_rule"][str(n)]
    assert neighbors_rule(n) == up


def test_what_cannot_be_searched_is_refused():
    refuses("nan", grid_search, lambda q: q[:, 0] * np.nan, np.eye(3))
    refuses("got 0", neighbors_rule, 0)
