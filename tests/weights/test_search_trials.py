"""Searches for weights on fresh samples, what is made of them, and where candidates are scored."""

import math
import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from reference_implementations import climbed, fractions_of, reference
from refusals import refuses

from knnviz import problems
from knnviz.problems import Measure, Sample
from knnviz.problems.base import draw_classes
from knnviz.weights import (
    SearchOptions,
    Trials,
    WeightScorer,
    largest_k,
    neighbors_rule,
    simplex_grid,
    trials,
    validation_set,
)
from knnviz.weights.search_trials import CRITERIA, WAYS, search_trial

WAVES = problems.waves()
START = (0.3, 0.3, 0.4)
#: A grid of few weights, for speed.
COARSE = SearchOptions(START, step=0.05, n_steps=8, grid_parts=10)
VALIDATIONS = ("resubstitution", "loo", "holdout")


# One trial


def scored(fractions, truth, q):
    """Macro and micro F1 of one set of weights by plain counting; the smallest class of a tie."""
    scores = fractions * q
    near_best = scores >= scores.max(axis=1, keepdims=True) - 1e-12 * max(q)
    predicted = near_best.argmax(axis=1)
    hits = np.array([truth[predicted == c, c].sum() for c in range(3)])
    totals = np.array([truth[predicted == c].sum() for c in range(3)])
    both = totals + truth.sum(axis=0)
    f1 = np.divide(2 * hits, both, out=np.zeros(3), where=both > 0)
    return f1.mean(), hits.sum() / truth.sum()


@pytest.mark.parametrize("validation", VALIDATIONS)
@pytest.mark.parametrize("seed", range(3))
def test_one_trial_is_that_of_a_plain_program(validation, seed):
    sample = WAVES.sample(40, seed)
    k = 7
    cells = (np.arange(60)[:, None] + 0.5) / 60
    X = sample.X
    y = sample.y
    voting = slice(None)
    points = slice(None)
    own = None
    if validation == "holdout":
        voting = slice(30)
        points = slice(30, None)
    if validation == "loo":
        own = np.arange(40)
    own_points = fractions_of(X[voting], y[voting], X[points], k, own)
    new = fractions_of(X, y, cells, k)
    truth = np.eye(3)[y[points]]
    eta = WAVES.eta(cells)

    def score(q):
        return scored(own_points, truth, q)[0]

    def score_rows(rows):
        return [score(q) for q in rows]

    # The first of several best on the grid; the plain counts sum up in another order.
    grid = simplex_grid(3, COARSE.grid_parts)
    best = grid[np.argmax(score_rows(grid))]
    climbing = np.array(START)
    for _ in range(8):
        climbing, _ = climbed(score_rows, climbing, 0.05)
    found = np.array([np.ones(3) / 3, climbing, best])
    expected = np.array([[score(each), *scored(new, eta, each)] for each in found])

    options = replace(COARSE, validation=validation)
    q, scores = search_trial(sample, k, options, Measure(cells, np.full(60, 1 / 60)), eta)
    assert q == pytest.approx(found, abs=1e-12)
    assert scores == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n", [50, 200])
def test_trials_of_the_draws_of_the_reference(n, monkeypatch):
    """To the last digits, with ties as doubles compare, as the reference has them."""
    exactly = partial(WeightScorer.from_fractions, tie_tol=0)
    monkeypatch.setattr(WeightScorer, "from_fractions", exactly)
    (wanted,) = (row for row in reference("khim_trials")["figure3b"] if row["n"] == n)
    k = wanted["k"]
    rng = np.random.default_rng(0)
    cells = np.arange(10_000)[:, None] / 10_000
    new_points = Measure(cells, np.full(10_000, 1e-4)), WAVES.eta(cells)
    found = []
    for _ in range(50):
        X = rng.random((n, 1))
        y = draw_classes(WAVES.eta(X), rng.random(n))
        sample = Sample(X, y, None, np.zeros(n))
        found.append(search_trial(sample, k, SearchOptions(START), *new_points))
    q, scores = (np.array(each)[:, None] for each in zip(*found, strict=True))
    run = Trials(np.array([n]), q, scores)

    columns = dict(zip(CRITERIA, ("emp", "pop_macro", "pop_micro"), strict=True))
    for w, way in enumerate(WAYS):
        known = wanted[way]
        for criterion, column in columns.items():
            mean = run.mean(criterion)[w, 0]
            assert mean == pytest.approx(known[column], abs=1e-12), (way, criterion)
        assert q[:, 0, w].mean(axis=0) == pytest.approx(known["mean_q"], abs=1e-12)
    more, error = run.difference("macro", "greedy", "grid")
    difference = wanted["greedy_minus_grid_pop_macro"]
    assert (more[0], error[0]) == pytest.approx(difference, abs=1e-12)
    distances, _ = run.distance()
    assert distances[0] == pytest.approx(wanted["fig4b_l2_of_mean_weights"], abs=1e-12)


# The stream


def test_trials_have_samples_of_their_own_and_leave_what_they_gave():
    parts = list(trials(WAVES, COARSE, (20, 50), repeats=2, seed=4, n_cells=50))
    new_points = WAVES.cells(50)
    for i, part in enumerate(parts):
        done = np.isfinite(part.scores).all(axis=(2, 3))
        missing = np.isnan(part.q).any(axis=(2, 3))
        assert part.done == done.sum() == i + 1
        assert part.pieces == 4
        assert np.array_equal(missing, ~done)
        repeat, j = divmod(i, 2)
        n = part.sizes[j]
        sample = WAVES.sample(n, np.random.default_rng([4, n, repeat]))
        q, scores = search_trial(sample, neighbors_rule(n), COARSE, *new_points)
        for later in parts[i:]:
            assert np.array_equal(later.q[repeat, j], q)
            assert np.array_equal(later.scores[repeat, j], scores)


@pytest.mark.parametrize(("validation", "n", "most"), [("loo", 10, 9), ("holdout", 16, 12)])
def test_k_is_at_most_the_largest(validation, n, most):
    options = replace(COARSE, validation=validation)
    (found,) = trials(WAVES, options, (n,), repeats=1, n_cells=20)
    sample = WAVES.sample(n, np.random.default_rng([0, n, 0]))
    _, scores = search_trial(sample, most, options, *WAVES.cells(20))
    assert np.array_equal(found.scores[0, 0], scores)


# What is made of them


def made(repeats=7):
    rng = np.random.default_rng(0)
    q = rng.dirichlet(np.ones(3), (repeats, 2, 3))
    scores = rng.random((repeats, 2, 3, 3))
    return Trials(np.array([10, 20]), q, scores)


@pytest.mark.parametrize(("s", "criterion"), list(enumerate(CRITERIA)))
def test_means_and_differences_have_their_standard_errors(s, criterion):
    run = made()
    root = math.sqrt(7)
    scores = run.scores[..., s]
    assert run.mean(criterion) == pytest.approx(scores.mean(axis=0).T)
    errors = scores.std(axis=0, ddof=1).T / root
    assert run.standard_error(criterion) == pytest.approx(errors)
    more, error = run.difference(criterion, "greedy", "unweighted")
    apart = scores[:, :, 1] - scores[:, :, 0]
    assert more == pytest.approx(apart.mean(axis=0))
    assert error == pytest.approx(apart.std(axis=0, ddof=1) / root)


def test_the_distance_of_mean_weights_and_its_jackknife():
    run = made()
    found, errors = run.distance()
    for j in range(2):
        greedy = run.q[:, j, 1]
        grid = run.q[:, j, 2]
        assert found[j] == pytest.approx(math.dist(greedy.mean(axis=0), grid.mean(axis=0)))
        without = []
        for left_out in range(7):
            rest = np.arange(7) != left_out
            without.append(math.dist(greedy[rest].mean(axis=0), grid[rest].mean(axis=0)))
        squares = (without - np.mean(without)) ** 2
        assert errors[j] == pytest.approx(math.sqrt(6 / 7 * squares.sum()))


def statistics(run):
    """Means, differences, distances and their standard errors, for each of the values of n."""
    means = run.mean("micro")
    errors = run.standard_error("micro")
    return np.array([*means, *errors, *run.difference("macro"), *run.distance()])


@pytest.mark.parametrize("count", [2, 1, 0])
def test_what_is_not_done_yet_is_left_out(count):
    """One n has three trials and the next has fewer."""
    whole = made()
    part = made()
    for values in (part.q, part.scores):
        values[3:] = np.nan
        values[count:, 1] = np.nan
    assert part.done == 3 + count
    for j, few in ((0, 3), (1, count)):
        rest = Trials(whole.sizes, whole.q[:few], whole.scores[:few])
        found = statistics(part)[:, j]
        assert found == pytest.approx(statistics(rest)[:, j], nan_ok=True)


# Where candidates are scored


def test_the_last_quarter_is_held_out():
    """Rounded down, at least one; no vote of it counts."""
    for n in (4, 41, 43):
        sample = WAVES.sample(n, 3)
        most = n - n // 4
        assert largest_k(n, "holdout") == most
        found = validation_set(sample.X, sample.y, 3, most, "holdout")
        counts = np.bincount(sample.y[:most], minlength=3)
        assert np.array_equal(found.codes, sample.y[most:])
        assert (found.votes.at(most) == counts).all()


# Refusals


@pytest.mark.parametrize(
    ("validation", "most"), [("resubstitution", 20), ("loo", 19), ("holdout", 15)]
)
def test_more_neighbors_than_may_vote_are_refused(validation, most):
    sample = WAVES.sample(20, 0)
    k = most + 1
    refuses(f"got {k}", validation_set, sample.X, sample.y, 3, k, validation)


def test_options_out_of_range_are_refused():
    bad = {
        "start": (0, 0, 0),
        "step": 7,
        "n_steps": -1,
        "grid_parts": 100_000,
        "order": "both",
        "validation": "own",
    }
    for name, value in bad.items():
        options = {"start": START} | {name: value}
        refuses(re.escape(str(value)), SearchOptions, **options)


@pytest.mark.parametrize(
    ("changes", "value"),
    [
        ({"problem": problems.bundled("iris")}, "iris"),
        ({"problem": problems.moons()}, "2 weights, got 3"),
        ({"options": replace(COARSE, validation="holdout"), "sizes": [3]}, "got 3"),
        ({"repeats": 0}, "got 0"),
    ],
)
def test_trials_refuse_at_once_what_does_not_fit(changes, value):
    """Before the first trial is asked for."""
    plan = {"problem": WAVES, "options": COARSE, "sizes": [50]}
    refuses(value, trials, **plan | changes)
