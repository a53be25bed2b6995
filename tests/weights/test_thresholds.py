"""Entries at every threshold, beside those of one threshold at a time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import generators, reference
from refusals import refuses

from knnviz import problems
from knnviz.rules import Threshold
from knnviz.weights import Thresholds

KHIM = reference("khim_metrics")
ENTRIES = ("tn", "fn", "fp", "tp")

votes_of_12 = st.lists(st.integers(0, 12), min_size=1, max_size=30).map(np.array)


def both_ways(truth, votes, weights=None):
    """From fractions and from votes of 12."""
    by_fractions = Thresholds.from_fractions(truth, votes / 12, weights=weights)
    by_votes = Thresholds.from_votes(truth, votes, 12, weights=weights)
    return by_fractions, by_votes


@given(votes_of_12, generators, st.floats(0, 1), st.booleans())
def test_entries_are_those_of_plain_code(votes, rng, t, codes):
    m = len(votes)
    truth = rng.integers(0, 2, m) if codes else rng.random(m)
    weights = rng.dirichlet(np.ones(m))
    at = np.array([0.0, t, 1 / 12, 0.5, 1.0])
    positive = votes / 12 >= at[:, None] - 1e-12
    sides = [(side, part) for side in (~positive, positive) for part in (1 - truth, truth)]
    for found in both_ways(truth, votes, weights):
        entries = found.at(at)
        for name, (side, part) in zip(ENTRIES, sides, strict=True):
            assert getattr(entries, name) == pytest.approx(side @ (weights * part), abs=1e-12)
        assert found.prevalence == pytest.approx(weights @ truth)


@given(votes_of_12, generators)
def test_the_best_threshold_is_no_worse_than_any(votes, rng):
    truth = rng.integers(0, 2, len(votes))
    grid = np.arange(0, 121) / 120
    for found in both_ways(truth, votes):
        largest, low, high = found.best()
        assert (found.at(grid).f1 <= largest).all()
        inside = grid[(grid > low + 1e-9) & (grid <= high)]
        best = found.at(np.append(inside, high))
        assert (best.f1 == largest).all()


def test_fractions_within_rounding_are_one_level():
    """0.1 + 0.2 is above 0.3, but a threshold there is reached by both."""
    total = 0.1 + 0.2
    found = Thresholds.from_fractions([True, False, False], [total, 0.3, 0.5])
    assert len(found.levels) == 2
    assert found.best() == (0.5, 0.0, total)
    assert found.at([0, 0.3, total]).f1.tolist() == [0.5] * 3


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("one_against_rest", problems.one_against_rest(problems.waves(), 0)),
        ("rare_class", problems.rare()),
    ],
)
def test_f1_is_largest_at_half_its_own_value(name, problem):
    """F* / 2 lies between the fractions of two neighboring cells, where the best threshold lies.

    The reference run integrates one wave more coarsely: its largest F1 is .5734104, and here it is
    .5733966.
    """
    measure, eta = problem.cells(20_000)
    ones = eta[:, 1]
    found = Thresholds.from_fractions(ones, ones, weights=measure.weights)
    known = KHIM[name]
    largest, low, high = found.best()
    assert low <= largest / 2 <= high
    assert high - low < 5e-4
    assert largest == pytest.approx(known["F_star"], abs=2e-5)
    assert (low + high) / 2 == pytest.approx(known["t_star"], abs=5.1e-4)
    assert found.at(0.5).f1 == pytest.approx(known["F1(1/2)"], abs=5e-5)


@pytest.mark.parametrize("k", [3, 60, 199])
def test_the_exact_rule_and_the_fractions_agree(k):
    """The fewest votes that reach a threshold, over k, split fractions as exact comparison does."""
    found = Thresholds.from_votes(np.ones(k + 1), np.arange(k + 1), k)
    thresholds = [*np.arange(0, 1001, 7) / 1000, 0.333333333333, 0.333333333334, 1 / 3]
    min_votes = np.array([Threshold(t).min_votes(k) for t in thresholds])
    assert found.at(min_votes / k).tp == pytest.approx((k + 1 - min_votes) / (k + 1))


def test_what_is_beyond_0_and_1_is_refused():
    refuses("1.2", Thresholds.from_fractions, [0, 1], [0.2, 1.2])
    refuses("0 to 4", Thresholds.from_votes, [0, 1], [0, 4], 3)
    refuses("1.5", Thresholds.from_fractions([0], [0.2]).at, 1.5)
