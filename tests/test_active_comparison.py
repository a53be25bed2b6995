"""Learners at any number of labels, beside the plain votes on the first of them."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refuses

from knnviz import problems
from knnviz.active import (
    FROM_P,
    FROM_R,
    LEARNERS,
    ROUND1,
    EvaluationPoints,
    LearnerComparison,
    Scheme,
    region_voters,
    two_stage_labels,
)
from knnviz.active.comparison import IncrementalKNN
from knnviz.active.learning_trials import active_sample, passive_sample
from knnviz.active.sampling import Draws, FirstRound, TwoStageSample
from knnviz.active.voting import vote

SEEDS = st.integers(0, 2**32 - 1)


def rounded(rng, n, d, decimals):
    """Points in the unit cube, with ties where they are rounded."""
    X = rng.random((n, d))
    return X if decimals is None else X.round(decimals)


def made(rng, n, m, d, decimals, marked):
    """A sample of n + m labels whose tags, regions and points are random, and points to evaluate at."""
    X, y = rounded(rng, n + m, d, decimals), rng.integers(0, 2, n + m)
    stage = np.concatenate([np.full(n, ROUND1), rng.choice([FROM_P, FROM_R], m)]).astype(np.uint8)
    queries = rounded(rng, 25, d, decimals)
    hard = {"all": np.ones(25, bool), "none": np.zeros(25, bool), "some": rng.random(25) < 0.5}[marked]
    first = FirstRound(X[:n], y[:n], 0.3, 1, None, None, hard, None)
    draws = Draws(X[n:], stage[n:] == FROM_P, np.arange(m))
    sample = TwoStageSample(X, y, stage, Scheme(1, 0.5), first, draws)
    sample.__dict__["in_augmented"] = (stage == FROM_R) | (rng.random(n + m) < 0.3)
    return sample, EvaluationPoints(queries, np.full(25, 0.04), rng.integers(0, 2, 25), hard)


def on_the_head(comparison, learner, m, k):
    """What a learner predicts from the labels bought so far, with a new search for neighbors."""
    sample, evaluation = comparison.sample, comparison.evaluation
    end = sample.n + m
    if learner == "passive":
        return vote(comparison.X[:end], comparison.y[:end], evaluation.points, k)
    stage, in_augmented = sample.stage[:end], sample.in_augmented[:end]
    chosen = region_voters(stage, in_augmented, learner)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return two_stage_labels(sample.X[:end], sample.y[:end], stage, chosen, evaluation.points, evaluation.hard, k)


@settings(max_examples=40)
@given(
    st.integers(1, 12),
    st.integers(0, 60),
    st.integers(1, 2),
    st.sampled_from([None, 1]),
    st.sampled_from(["some", "all", "none"]),
    SEEDS,
)
def test_a_comparison_is_the_vote_on_the_head_of_the_sample(n, m, d, decimals, marked, seed):
    """At budgets and k in any order; k beyond the voters; no voters; ties."""
    rng = np.random.default_rng(seed)
    sample, evaluation = made(rng, n, m, d, decimals, marked)
    X, y = rounded(rng, n + m, d, decimals), rng.integers(0, 2, n + m)
    comparison = LearnerComparison(evaluation, sample, X, y)
    for _ in range(4):
        budget, k = int(rng.integers(0, m + 1)), int(rng.integers(1, n + m + 5))
        for at, learner in enumerate(LEARNERS):
            expected = on_the_head(comparison, learner, budget, k)
            assert np.array_equal(comparison.labels(learner, budget, k), expected), (learner, budget, k)
            wrong = evaluation.weights[expected != evaluation.correct].sum()
            assert comparison.disagreement([0, budget], k)[at, 1] == pytest.approx(wrong)


@given(st.integers(1, 80), st.integers(1, 2), st.sampled_from([None, 1]), SEEDS)
def test_incremental_votes_are_those_of_the_first_voters(n, d, decimals, seed):
    rng = np.random.default_rng(seed)
    X, y, queries = rounded(rng, n, d, decimals), rng.integers(0, 2, n), rounded(rng, 10, d, decimals)
    voters = IncrementalKNN(X, y, queries)
    for count, k in zip(rng.integers(1, n + 1, 6).tolist(), rng.integers(1, n + 5, 6).tolist(), strict=True):
        assert np.array_equal(voters.labels([count, 0, n], k)[0], vote(X[:count], y[:count], queries, k))
        assert voters.labels([0], k).tolist() == [[1] * 10], "nobody votes"
    assert IncrementalKNN(X, y, queries[:0]).labels([n], 1).shape == (1, 0)


@pytest.mark.parametrize("d", [1, 2])
def test_points_bought_late_in_one_place_are_searched_for_anew(d):
    """All the nearest ones of a query were bought last."""
    X = np.concatenate([np.linspace(0.5, 1, 400), np.linspace(0, 0.1, 400)])[:, None].repeat(d, axis=1)
    y = np.repeat([1, 0], 400)
    voters = IncrementalKNN(X, y, np.array([[0.0] * d, [0.9] * d]))
    assert voters.labels([800, 400, 402, 403], 5).tolist() == [[0, 1], [1, 1], [1, 1], [0, 1]]


@pytest.mark.parametrize(
    ("source", "resolution"),
    [(problems.bump(0.1, 0.98, 0.02), 200), (problems.wave2d(), 15), (problems.breast_cancer(), None)],
    ids=["line", "plane", "pool"],
)
def test_a_comparison_of_real_rounds(source, resolution):
    stream = np.random.SeedSequence(4)
    sample = active_sample(source, 100, 80, Scheme(40, 0.3), stream, resolution)
    evaluation = EvaluationPoints.of(source, sample.first)
    comparison = LearnerComparison(evaluation, sample, *passive_sample(source, 180, stream))
    assert 0 < evaluation.hard.sum() <= len(evaluation.hard)
    for budget in (80, 0, 33):
        for learner in LEARNERS:
            for k in (1, 20, 170):
                expected = on_the_head(comparison, learner, budget, k)
                assert np.array_equal(comparison.labels(learner, budget, k), expected), (learner, budget, k)


def test_what_a_comparison_refuses():
    sample, evaluation = made(np.random.default_rng(0), 5, 10, 1, None, "some")
    comparison = LearnerComparison(evaluation, sample, sample.X, sample.y)
    refuses("learner must be one of 'passive', 'strict', 'inclusive', got 'lazy'", comparison.labels, "lazy", 3, 1)
    refuses(r"m must be .*got 11", comparison.labels, "passive", 11, 1)
    refuses(r"k must be .*got 0", comparison.labels, "strict", 5, 0)
    voters = IncrementalKNN(sample.X, sample.y, evaluation.points)
    for count in (-1, 16):
        refuses(f"count must be between 0 and 15, got {count}", voters.labels, [count], 1)
