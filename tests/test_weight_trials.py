"""Searches for weights on fresh samples, what is made of them, and where candidates are scored."""

import math
from dataclasses import replace

import numpy as np
import pytest
from reference_implementations import climbed, reference, sorted_neighbors
from refusals import refuses

from knnviz import problems
from knnviz.problems import Sample
from knnviz.problems.base import draw_classes
from knnviz.weights import (
    SearchOptions,
    Trials,
    WeightScorer,
    largest_k,
    neighbors_rule,
    simplex_grid,
    trial,
    trials,
    validation_set,
)
from knnviz.weights.search_trials import CRITERIA, WAYS

WAVES = problems.waves()
START = (0.3, 0.3, 0.4)
#: A grid of few weights, for speed.
COARSE = SearchOptions(START, step=0.05, n_steps=8, grid_parts=10)
KNOWN = reference("khim_trials")
VALIDATIONS = ("resubstitution", "loo", "holdout")


def last(runs):
    *_, end = runs
    return end


# One trial


def scored(fractions, truth, q):
    """Macro and micro F1 of one set of weights by plain counting; the smallest class of a tie."""
    scores = fractions * q
    predicted = np.argmax(scores >= scores.max(axis=1, keepdims=True) - 1e-12 * max(q), axis=1)
    hits = np.array([truth[predicted == c, c].sum() for c in range(3)])
    totals = np.array([truth[predicted == c].sum() for c in range(3)])
    both = totals + truth.sum(axis=0)
    return np.divide(2 * hits, both, out=np.zeros(3), where=both > 0).mean(), hits.sum() / truth.sum()


def fractions_of(X, y, queries, k, own=None):
    order, _ = sorted_neighbors(X, queries, k, own)
    return np.eye(3)[y[order]].sum(axis=1) / k


@pytest.mark.parametrize("validation", VALIDATIONS)
@pytest.mark.parametrize("seed", range(3))
def test_one_trial_is_that_of_a_plain_program(validation, seed):
    sample, k, cells = WAVES.sample(40, seed), 7, (np.arange(60)[:, None] + 0.5) / 60
    X, y, points = sample.X, sample.y, {"resubstitution": slice(None), "loo": slice(None), "holdout": slice(30, None)}
    voting = slice(30) if validation == "holdout" else slice(None)
    own = np.arange(40) if validation == "loo" else None
    own_points, new = fractions_of(X[voting], y[voting], X[points[validation]], k, own), fractions_of(X, y, cells, k)
    truth, eta = np.eye(3)[y[points[validation]]], WAVES.eta(cells)

    def score(q):
        return scored(own_points, truth, q)[0]

    # The first of several best on the grid; the plain counts sum up in another order.
    grid = simplex_grid(3, COARSE.grid_parts)
    climbing = np.array(START)
    for _ in range(8):
        climbing, _ = climbed(lambda rows: [score(q) for q in rows], climbing, 0.05)
    found = [np.ones(3) / 3, climbing, grid[np.argmax([score(q) for q in grid])]]
    q, scores = trial(sample, k, replace(COARSE, validation=validation), cells, eta, np.full(60, 1 / 60))
    assert q == pytest.approx(np.array(found), abs=1e-12)
    assert scores == pytest.approx(np.array([[score(each), *scored(new, eta, each)] for each in found]), abs=1e-12)


def test_other_scores_are_climbed():
    sample, (measure, eta) = WAVES.sample(100, 0), WAVES.cells(100)
    for scoring in ("accuracy", "balanced_accuracy"):
        searches = replace(COARSE, scoring=scoring)
        q, scores = trial(sample, 24, searches, measure.points, eta, measure.weights)
        own = validation_set(sample.X, sample.y, 3, 24, "resubstitution")
        score = WeightScorer.from_fractions(own.votes.at(24) / 24, own.codes, scoring=scoring)
        assert scores[:, 0].tolist() == score(q).tolist()
        assert scores[2, 0] == score(searches.grid).max()


@pytest.mark.parametrize("n", [50, 200])
def test_trials_of_the_reference_s_own_draws(n, monkeypatch):
    """To the last digits, with ties as doubles compare, as the reference has them."""
    of = WeightScorer.from_fractions
    monkeypatch.setattr(WeightScorer, "of", lambda *given, **options: of(*given, **options, tie_tol=0))
    (wanted,) = (row for row in KNOWN["figure3b"] if row["n"] == n)
    rng, cells, found = np.random.default_rng(0), np.arange(10_000)[:, None] / 10_000, []
    for _ in range(50):
        X = rng.random((n, 1))
        sample = Sample(X, draw_classes(WAVES.eta(X), rng.random(n)), None, np.zeros(n))
        found.append(trial(sample, wanted["k"], SearchOptions(START), cells, WAVES.eta(cells), np.full(10_000, 1e-4)))
    q, scores = (np.array(each)[:, None] for each in zip(*found, strict=True))
    run = Trials("n", np.array([n]), q, scores)
    for w, way in enumerate(WAYS):
        for scored, column in zip(CRITERIA, ("emp", "pop_macro", "pop_micro"), strict=True):
            assert run.mean(scored)[w, 0] == pytest.approx(wanted[way][column], abs=1e-12), (way, scored)
        assert q[:, 0, w].mean(axis=0) == pytest.approx(wanted[way]["mean_q"], abs=1e-12)
    more, error = run.difference("macro", "greedy", "grid")
    assert (more[0], error[0]) == pytest.approx(wanted["greedy_minus_grid_pop_macro"], abs=1e-12)
    assert run.distance()[0][0] == pytest.approx(wanted["fig4b_l2_of_mean_weights"], abs=1e-12)


# The stream


def test_trials_are_drawn_from_streams_of_their_own():
    run = last(trials(WAVES, COARSE, over={"n": (20, 50)}, repeats=3, seed=4, n_cells=50))
    assert run.values.tolist() == [20, 50]
    measure, eta = WAVES.cells(50)
    for j, n in enumerate((20, 50)):
        for repeat in range(3):
            sample = WAVES.sample(n, np.random.default_rng([4, n, repeat]))
            q, scores = trial(sample, neighbors_rule(n), COARSE, measure.points, eta, measure.weights)
            assert np.array_equal(run.q[repeat, j], q)
            assert np.array_equal(run.scores[repeat, j], scores)


def test_a_stream_grows_and_leaves_what_it_gave():
    parts = list(trials(WAVES, COARSE, over={"n": (20, 30)}, repeats=2, n_cells=50))
    assert [part.done for part in parts] == [1, 2, 3, 4]
    assert {part.pieces for part in parts} == {4}
    for i, part in enumerate(parts):
        done = np.isfinite(part.scores).all(axis=(2, 3))
        assert done.sum() == i + 1
        assert np.array_equal(np.isnan(part.q).any(axis=(2, 3)), ~done)
        assert np.array_equal(part.scores[done], parts[-1].scores[done])
    longer = last(trials(WAVES, COARSE, over={"n": (30, 20)}, repeats=3, n_cells=50))
    assert np.array_equal(longer.scores[:2, ::-1], parts[-1].scores)


def test_trials_over_k_share_their_samples():
    run = last(trials(WAVES, COARSE, over={"k": (1, 9)}, n=30, repeats=2, n_cells=50))
    assert (run.over, run.values.tolist()) == ("k", [1, 9])
    single = last(trials(WAVES, COARSE, over={"n": (30,)}, k=9, repeats=2, n_cells=50))
    assert np.array_equal(run.scores[:, 1], single.scores[:, 0])
    assert (run.scores[:, 0, :, CRITERIA.index("searched")] == 1).all(), "each point counts itself"


@pytest.mark.parametrize("problem", [problems.moons(), problems.gaussians(4)])
def test_other_problems(problem):
    """In the plane, and with four classes; on 100 x 100 cells and on 4000."""
    searches = SearchOptions((1,) * problem.n_classes, grid_parts=5)
    run = last(trials(problem, searches, over={"n": (60,)}, repeats=1))
    assert run.q.sum(axis=3) == pytest.approx(np.ones((1, 1, 3)))
    found = run.mean("searched")[:, 0]
    assert found[1] >= found[0], "a climb from equal weights ends no lower"


# What is made of them


def made(repeats=7, seed=0):
    rng = np.random.default_rng(seed)
    return Trials("n", np.array([10, 20]), rng.dirichlet(np.ones(3), (repeats, 2, 3)), rng.random((repeats, 2, 3, 3)))


def test_means_and_differences_are_those_of_loops():
    run = made()
    for s, scored in enumerate(CRITERIA):
        for j in range(2):
            for w in range(3):
                values = run.scores[:, j, w, s]
                assert run.mean(scored)[w, j] == pytest.approx(sum(values) / 7)
                error = math.sqrt(sum((value - sum(values) / 7) ** 2 for value in values) / 6 / 7)
                assert run.standard_error(scored)[w, j] == pytest.approx(error)
            more, error = run.difference(scored, "greedy", "unweighted")
            apart = run.scores[:, j, 1, s] - run.scores[:, j, 0, s]
            assert (more[j], error[j]) == pytest.approx((apart.mean(), apart.std(ddof=1) / math.sqrt(7)))
    grid, back = run.difference("macro"), run.difference("macro", "greedy", "grid")
    assert grid[0].tolist() == (-back[0]).tolist()
    assert grid[1] == pytest.approx(back[1])


def test_the_distance_of_mean_weights_and_its_jackknife():
    run = made()
    found, errors = run.distance()
    for j in range(2):
        greedy, grid = run.q[:, j, 1], run.q[:, j, 2]
        assert found[j] == pytest.approx(math.dist(greedy.mean(axis=0), grid.mean(axis=0)))
        without = []
        for left_out in range(7):
            rest = [i for i in range(7) if i != left_out]
            without.append(math.dist(greedy[rest].mean(axis=0), grid[rest].mean(axis=0)))
        spread = sum((value - sum(without) / 7) ** 2 for value in without)
        assert errors[j] == pytest.approx(math.sqrt(6 / 7 * spread))


def test_what_is_not_done_yet_is_left_out():
    """One n has three trials and the next has two; then one and none."""
    whole = made()
    part = Trials("n", whole.values, whole.q.copy(), whole.scores.copy())
    first = [Trials("n", whole.values, whole.q[:count], whole.scores[:count]) for count in (3, 2)]
    for values in (part.q, part.scores):
        values[3:] = np.nan
        values[2:, 1] = np.nan
    assert (part.done, part.pieces) == (5, 14)
    for j, few in enumerate(first):
        assert part.mean("micro")[:, j] == pytest.approx(few.mean("micro")[:, j])
        assert part.standard_error("micro")[:, j] == pytest.approx(few.standard_error("micro")[:, j])
        assert [each[j] for each in part.difference("macro")] == pytest.approx(
            [each[j] for each in few.difference("macro")]
        )
        assert [each[j] for each in part.distance()] == pytest.approx([each[j] for each in few.distance()])
    for values in (part.q, part.scores):
        values[1:, 0], values[:, 1] = np.nan, np.nan
    assert np.isfinite(part.mean("macro")).tolist() == [[True, False]] * 3
    assert np.isnan(part.standard_error("macro")).all()
    assert np.isfinite(part.distance()[0]).tolist() == [True, False]
    assert np.isnan(part.distance()[1]).all()


# Where candidates are scored


@pytest.mark.parametrize("k", [1, 5, 39])
def test_without_their_own_labels_points_are_scored_by_the_others(k):
    sample = WAVES.sample(40, 3)
    found = validation_set(sample.X, sample.y, 3, k, "loo")
    for i in range(40):
        others = np.delete(np.arange(40), i)
        near = sample.y[others][np.argsort(abs(sample.X[others, 0] - sample.X[i, 0]), kind="stable")[:k]]
        assert found.votes.at(k)[i].tolist() == np.bincount(near, minlength=3).tolist()
    assert np.array_equal(found.codes, sample.y)


@pytest.mark.parametrize("n", [4, 41, 43])
def test_the_last_quarter_is_held_out(n):
    """Rounded down, at least one; no vote of it counts."""
    sample = WAVES.sample(n, 3)
    kept = n - n // 4
    assert largest_k(n, "holdout") == kept
    found = validation_set(sample.X, sample.y, 3, kept, "holdout")
    assert np.array_equal(found.codes, sample.y[kept:])
    assert (found.votes.at(kept) == np.bincount(sample.y[:kept], minlength=3)).all()
    nearest = abs(sample.X[kept:] - sample.X[:kept].T).argmin(axis=1)
    assert np.array_equal(found.votes.at(1).argmax(axis=1), sample.y[:kept][nearest])


def test_a_point_that_counts_itself_is_always_right_at_k_1():
    sample = WAVES.sample(60, 0)
    for validation, perfect in (("resubstitution", True), ("loo", False), ("holdout", False)):
        found = validation_set(sample.X, sample.y, 3, 1, validation)
        score = WeightScorer.from_fractions(found.votes.at(1).astype(float), found.codes)
        assert (score(np.ones(3)) == 1) == perfect


def test_how_many_may_vote():
    assert [largest_k(41, validation) for validation in VALIDATIONS] == [41, 40, 31]


SAMPLE = WAVES.sample(20, 0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: largest_k(0, "loo"), "n must be at least 1, got 0"),
        (lambda: largest_k(3, "holdout"), "n must be at least 4, got 3"),
        (lambda: largest_k(9, "own"), "validation must be 'resubstitution', 'loo' or 'holdout', got 'own'"),
        (lambda: validation_set(SAMPLE.X, SAMPLE.y, 3, 20, "loo"), "k_max must be at most 19, .*, got 20"),
        (
            lambda: validation_set(SAMPLE.X, SAMPLE.y, 3, 16, "holdout"),
            "k_max must be at most 15, .*, got 16",
        ),
        (lambda: validation_set(SAMPLE.X, SAMPLE.y, 3, 0, "loo"), "k_max must be at least 1, got 0"),
        (
            lambda: validation_set(SAMPLE.X, SAMPLE.y[:18], 3, 5, "holdout"),
            "y must hold one class for each of 20 points",
        ),
        (lambda: validation_set(SAMPLE.X, SAMPLE.y, 2, 5, "loo"), "y must be class codes 0 to 1, got 0 to 2"),
        (lambda: made().mean("f1"), "scored must be 'searched', 'macro' or 'micro', got 'f1'"),
        (lambda: made().difference("macro", "best"), "a way must be 'unweighted', 'greedy' or 'grid', got 'best'"),
        (lambda: made().distance(second="best"), "a way must be 'unweighted', 'greedy' or 'grid', got 'best'"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(call, message):
    refuses(message, call)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"problem": problems.bundled("iris")}, "which needs a known eta, and iris has none"),
        ({"problem": problems.moons()}, "start must hold 2 weights, got 3"),
        ({"over": (50,)}, r"over must be {'k': values} or {'n': values}, got \(50,\)"),
        ({"over": {"n": [50], "k": [5]}}, "over must be {'k': values} or {'n': values}, got"),
        ({"over": {"n": 50}}, "values of n must be a sequence of whole numbers, got 50"),
        ({"over": {"n": []}}, r"values of n must be a sequence of whole numbers, got \[\]"),
        ({"over": {"n": [50, 50]}}, r"values of n must differ from each other, got \[50, 50\]"),
        ({"over": {"k": [5]}}, "a curve over k needs a sample size n"),
        ({"over": {"k": [5]}, "n": 50, "k": 7}, "k is what the curve runs over, so it cannot be given as well"),
        ({"over": {"n": [50]}, "n": 60}, "n is what the curve runs over, so it cannot be given as well"),
        ({"over": {"n": [50, 1]}}, "n must be at least 2, got 1"),
        ({"over": {"n": [50]}, "k": 51}, "k must be at most 50 of n = 50, the points that may vote, got 51"),
        ({"over": {"n": [50]}, "k": 0}, "k must be at least 1, got 0"),
        ({"repeats": 0}, "repeats must be at least 1, got 0"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
        ({"resolution": 0}, "resolution must be at least 1, got 0"),
        ({"searches": replace(COARSE, step=7)}, "step must be between .* and 1, got 7"),
        ({"searches": replace(COARSE, n_steps=-1)}, "n_steps must be at least 0, got -1"),
        ({"searches": replace(COARSE, order="both")}, "order must be 'coordinate' or 'sign', got 'both'"),
        ({"searches": replace(COARSE, grid_parts=0)}, "grid_parts must be at least 1, got 0"),
        ({"searches": replace(COARSE, start=None)}, "start must hold a weight for each class, got None"),
        ({"searches": replace(COARSE, scoring="f1")}, "scoring must be one of f1_macro, .*, got 'f1'"),
        ({"searches": replace(COARSE, start=(0, 0, 0))}, "not all 0"),
        ({"searches": replace(COARSE, validation="own")}, "validation must be .*, got 'own'"),
        ({"searches": replace(COARSE, validation="holdout"), "k": 39}, "k must be at most 38 of n = 50, .*, got 39"),
    ],
)
def test_trials_refuse_at_once_what_does_not_fit(changes, message):
    """Before the first trial is asked for."""
    settings = {"problem": WAVES, "searches": COARSE, "over": {"n": [50]}, "repeats": 1} | changes
    refuses(message, trials, settings.pop("problem"), settings.pop("searches"), **settings)
