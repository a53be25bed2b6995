"""Searches for weights on fresh samples, what is made of them, and where candidates are scored."""

import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from reference_implementations import fractions_of, reference
from refusals import refuses
from scipy.stats import sem

from knnviz import problems
from knnviz.problems import Measure, Sample
from knnviz.problems.base import draw_classes
from knnviz.weights import (
    SearchOptions,
    Trials,
    WeightScorer,
    largest_k,
    neighbors_rule,
    trials,
    validation_set,
)
from knnviz.weights.search_trials import CRITERIA, WAYS, search_trial

WAVES = problems.waves()
START = (0.3, 0.3, 0.4)
#: A grid of few weights, for speed.
COARSE = SearchOptions(START, step=0.05, n_steps=8, grid_parts=10)
# One trial


@pytest.mark.parametrize("n", [50, 200])
def test_trials_of_the_draws_of_the_reference(n, monkeypatch):
    """To the last digits, with ties as doubles compare, as the reference has them."""
    exactly = partial(WeightScorer.from_fractions, tie_tol=0)
    monkeypatch.setattr(WeightScorer, "from_fractions", exactly)
    (wanted,) = (row for row in reference("khim_trials")["figure3b"] if row["n"] == n)
    rng = np.random.default_rng(0)
    cells = np.arange(10_000)[:, None] / 10_000
    new_points = Measure(cells, np.full(10_000, 1e-4)), WAVES.eta(cells)
    found = []
    for _ in range(50):
        X = rng.random((n, 1))
        sample = Sample(X, draw_classes(WAVES.eta(X), rng.random(n)), None, np.zeros(n))
        found.append(search_trial(sample, wanted["k"], SearchOptions(START), *new_points))
    run = Trials(np.array([n]), *(np.array(each)[:, None] for each in zip(*found, strict=True)))

    for w, way in enumerate(WAYS):
        for criterion, column in zip(CRITERIA, ("emp", "pop_macro", "pop_micro"), strict=True):
            assert run.mean(criterion)[w, 0] == pytest.approx(wanted[way][column], abs=1e-12)
        assert run.q[:, 0, w].mean(axis=0) == pytest.approx(wanted[way]["mean_q"], abs=1e-12)
    difference = np.ravel(run.difference("macro", "greedy", "grid"))
    assert difference == pytest.approx(wanted["greedy_minus_grid_pop_macro"], abs=1e-12)
    distances, _ = run.distance()
    assert distances == pytest.approx([wanted["fig4b_l2_of_mean_weights"]], abs=1e-12)


# The stream


def test_trials_have_samples_of_their_own_and_leave_what_they_gave():
    parts = list(trials(WAVES, COARSE, (20, 50), repeats=2, seed=4, n_cells=50))
    for i, part in enumerate(parts):
        assert (part.done, part.pieces) == (i + 1, 4)
        assert np.isfinite(part.scores).all(axis=(2, 3)).sum() == i + 1
        assert np.array_equal(np.isnan(part.q[..., 0]), np.isnan(part.scores[..., 0]))
        repeat, j = divmod(i, 2)
        n = part.sizes[j]
        sample = WAVES.sample(n, np.random.default_rng([4, n, repeat]))
        q, scores = search_trial(sample, neighbors_rule(n), COARSE, *WAVES.cells(50))
        for later in parts[i:]:
            assert np.array_equal(later.q[repeat, j], q)
            assert np.array_equal(later.scores[repeat, j], scores)


# What is made of them


def made(repeats=7):
    rng = np.random.default_rng(0)
    q = rng.dirichlet(np.ones(3), (repeats, 2, 3))
    scores = rng.random((repeats, 2, 3, 3))
    return Trials(np.array([10, 20]), q, scores)


@pytest.mark.parametrize(("s", "criterion"), list(enumerate(CRITERIA)))
def test_means_and_differences_have_their_standard_errors(s, criterion):
    run = made()
    scores = run.scores[..., s]
    assert run.mean(criterion) == pytest.approx(scores.mean(axis=0).T)
    assert run.standard_error(criterion) == pytest.approx(sem(scores).T)
    more, error = run.difference(criterion, "greedy", "unweighted")
    apart = scores[:, :, 1] - scores[:, :, 0]
    assert more == pytest.approx(apart.mean(axis=0))
    assert error == pytest.approx(sem(apart))


def test_the_distance_of_mean_weights_and_its_jackknife():
    run = made()
    apart = run.q[:, :, 2] - run.q[:, :, 1]

    def distance(rows):
        return np.linalg.norm(apart[rows].mean(axis=0), axis=1)

    found, errors = run.distance()
    assert found == pytest.approx(distance(slice(None)))
    without = np.array([distance(np.arange(7) != left_out) for left_out in range(7)])
    assert errors == pytest.approx(np.sqrt(6 * without.var(axis=0)))


@pytest.mark.parametrize("count", [2, 1, 0])
def test_what_is_not_done_yet_is_left_out(count):
    """One n has three trials and the next has fewer."""

    def statistics(run, j):
        found = [run.mean("micro"), run.standard_error("micro")]
        found += [*run.difference("macro"), *run.distance()]
        return np.vstack(found)[:, j]

    whole = made()
    part = made()
    for values in (part.q, part.scores):
        values[3:] = np.nan
        values[count:, 1] = np.nan
    assert part.done == 3 + count
    for j, few in ((0, 3), (1, count)):
        rest = Trials(whole.sizes, whole.q[:few], whole.scores[:few])
        assert statistics(part, j) == pytest.approx(statistics(rest, j), nan_ok=True)


# Where candidates are scored


@pytest.mark.parametrize("n", [4, 41, 43])
@pytest.mark.parametrize("validation", ["resubstitution", "loo", "holdout"])
def test_who_votes_and_who_is_scored(validation, n):
    """The last quarter is held out, rounded down; as many vote as can."""
    sample = WAVES.sample(n, 3)
    known = scored = np.arange(n)
    own = None
    most = n
    if validation == "loo":
        own = known
        most = n - 1
    if validation == "holdout":
        most = n - n // 4
        known, scored = np.split(known, [most])
    assert largest_k(n, validation) == most
    k = most // 2
    X = sample.X
    y = sample.y
    found = validation_set(X, y, 3, most, validation)
    expected = fractions_of(X[known], y[known], X[scored], k, own)
    assert np.array_equal(found.codes, y[scored])
    assert np.array_equal(found.votes.at(k) / k, expected)
    refuses(f"got k = {most + 1}", validation_set, X, y, 3, most + 1, validation)
    (done,) = trials(WAVES, replace(COARSE, validation=validation), (n,), repeats=1, n_cells=20)
    assert done.done == 1, "more neighbors than may vote would be refused"


# Refusals


def test_options_out_of_range_are_refused():
    bad = {
        "start": (0, 0, 0),
        "step": 7,
        "n_steps": -1,
        "grid_parts": 100_000,
    }
    for name, value in bad.items():
        options = {"start": START} | {name: value}
        refuses(re.escape(str(value)), SearchOptions, **options)


def test_two_points_are_enough_for_a_trial():
    (found,) = trials(WAVES, COARSE, [2], repeats=1, n_cells=50)
    assert np.isfinite(found.scores).all()


@pytest.mark.parametrize(
    ("changes", "value"),
    [
        ({"problem": problems.bundled("iris")}, "iris"),
        ({"problem": problems.moons()}, "2 weights, got 3"),
        ({"options": replace(COARSE, validation="holdout"), "sizes": [3]}, "got 3"),
        ({"sizes": [1]}, "got 1"),
        ({"repeats": 0}, "got 0"),
    ],
)
def test_trials_refuse_at_once_what_does_not_fit(changes, value):
    """Before the first trial is asked for."""
    plan = {"problem": WAVES, "options": COARSE, "sizes": [50]}
    refuses(value, trials, **plan | changes)
