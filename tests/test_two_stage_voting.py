"""Which labels vote where after two rounds, and learners compared at equally many labels."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import sorted_neighbors, tables
from refusals import refuses

from knnviz import active, breast_cancer
from knnviz.active import FROM_P, FROM_R, ROUND1, VOTERS, region_voters, two_stage_labels, vote
from knnviz.active.voting import LabeledPoints, majority, two_stage_votes
from knnviz.problems import bump, waves

STAGE = np.array([ROUND1, FROM_P, FROM_R, ROUND1, FROM_R])


def test_which_labels_vote_in_the_hard_region():
    in_augmented = np.array([True, True, True, False, False])
    assert region_voters(STAGE, in_augmented, "strict").tolist() == [False, False, True, False, True]
    assert region_voters(STAGE, in_augmented, "inclusive").tolist() == [True, True, True, False, True]
    refuses("voters must be one of 'strict', 'inclusive', got 'both'", region_voters, STAGE, in_augmented, "both")


def decided(X, y, chosen, query, k):
    """The majority of the k nearest of those chosen, of all if they are fewer; 1 on a tie and of none."""
    labels = y[chosen][sorted_neighbors(X[chosen], query[None], k)[0][0]]
    return int(2 * labels.sum() >= len(labels))


@given(tables(), st.integers(1, 80), st.sampled_from(VOTERS), st.integers(0, 2**32 - 1))
def test_labels_are_the_modified_classifier(table, k, voters, seed):
    """With ties, duplicates, and voters that are fewer than k or none."""
    X, queries, _, _ = table
    rng = np.random.default_rng(seed)
    y, stage = rng.integers(0, 2, len(X)), rng.integers(0, 3, len(X))
    chosen = region_voters(stage, rng.random(len(X)) < 0.5, voters)
    hard = rng.random(len(queries)) < 0.5
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        labels = two_stage_labels(X, y, stage, chosen, queries, hard, k)
    assert labels.dtype == np.uint8
    expected = [
        decided(X, y, chosen if inside else stage != FROM_R, query, k)
        for query, inside in zip(queries, hard, strict=True)
    ]
    assert labels.tolist() == expected


@given(tables(), st.integers(1, 80))
def test_a_plain_vote_of_k_or_of_all(table, k):
    X, queries, _, rng = table
    y = rng.integers(0, 2, len(X))
    everyone = np.ones(len(X), bool)
    assert vote(X, y, queries, k).tolist() == [decided(X, y, everyone, query, k) for query in queries]
    votes = LabeledPoints.of(X, y, everyone).votes(queries, k)
    assert (votes.sum(axis=1) == min(k, len(X))).all()
    assert np.array_equal(majority(votes), vote(X, y, queries, k))


def test_majorities():
    assert majority(np.array([[1, 2], [2, 1], [2, 2], [0, 0]])).tolist() == [1, 0, 1, 1]


@pytest.mark.parametrize(("tag", "where"), [(ROUND1, "in H"), (FROM_R, "outside H")])
def test_where_nobody_votes_class_1_is_the_answer(tag, where):
    X, stage, queries = np.arange(3.0)[:, None], np.full(3, tag), np.array([[0.0], [2.0]])
    asked = X, np.zeros(3, int), stage, stage == FROM_R, queries
    with pytest.warns(RuntimeWarning, match=f"^nobody votes {where}: class 1 is predicted there$") as caught:
        labels = two_stage_labels(*asked, np.array([True, False]), 2)
    assert [each.filename for each in caught] == [__file__]
    assert labels.tolist() == ([1, 0] if where == "in H" else [0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert two_stage_labels(*asked, np.full(2, tag == FROM_R), 2).tolist() == [0, 0]


def test_votes_in_the_hard_region_and_elsewhere():
    X, y = np.arange(4.0)[:, None], np.array([0, 0, 1, 1])
    in_hard, elsewhere = LabeledPoints.of(X, y, y == 1), LabeledPoints.of(X, y, np.zeros(4, bool))
    votes = two_stage_votes(in_hard, elsewhere, X, np.array([True, False, True, False]), 1)
    assert votes.tolist() == [[0, 1], [0, 0], [0, 1], [0, 0]]
    refuses("k must be at least 1, got 0", two_stage_votes, in_hard, elsewhere, X, np.ones(4, bool), 0)


@pytest.mark.filterwarnings("ignore:nobody votes")
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_trial_is_what_its_parts_say(seed):
    problem, scheme, stream = bump(0.1, 0.9, 0.1), active.Scheme(60, 0.2, c_plus=0.1), np.random.SeedSequence(seed)
    found = active.trial(problem, 150, 60, scheme, [5, 40], stream, budgets=[0, 30, 60], resolution=50)
    assert found.disagreement.shape == (3, 3, 2)
    sample = active.active_sample(problem, 150, 60, scheme, stream, 50)
    assert np.array_equal(sample.X, found.sample.X)
    assert np.array_equal(sample.y, found.sample.y)
    X, y = active.passive_sample(problem, 210, stream)
    cells = problem.measure(50).points
    best = problem.bayes(cells)
    for j, budget in enumerate((0, 30, 60)):
        head = sample.head(budget)
        for i, k in enumerate((5, 40)):
            decided = [vote(X[: 150 + budget], y[: 150 + budget], cells, k)]
            for voters in VOTERS:
                chosen = region_voters(head.stage, head.first.region.contains(head.X), voters)
                labels = two_stage_labels(head.X, head.y, head.stage, chosen, cells, head.first.hard, k)
                decided.append(labels)
            assert found.disagreement[:, j, i] == pytest.approx([np.mean(each != best) for each in decided])


@pytest.mark.filterwarnings("ignore:nobody votes")
def test_a_trial_on_data_is_judged_by_the_points_held_out():
    data, scheme = breast_cancer(), active.Scheme(60, 0.3)
    found = active.trial(data, 120, 100, scheme, [15], np.random.SeedSequence(0))
    assert isinstance(found.sample, active.PoolSample)
    train = {tuple(row) for row in data.X_train}
    assert all(tuple(row) in train for row in found.sample.X)
    hard = active.hard_at(found.sample.first.X, found.sample.first.y, data.X_test, 60, found.sample.first.width)
    sample = found.sample
    labels = two_stage_labels(sample.X, sample.y, sample.stage, sample.stage == FROM_R, data.X_test, hard, 15)
    assert found.disagreement[1, 0, 0] == pytest.approx(np.mean(labels != data.y_test))
    assert (found.disagreement < 0.25).all()
    X, _ = active.passive_sample(data, 220, np.random.SeedSequence(0))
    assert len({tuple(row) for row in X} & train) == len(np.unique(X, axis=0))
    refuses("a pool of 398 points cannot sell 399 labels", active.passive_sample, data, 399, np.random.SeedSequence(0))


def test_more_than_two_classes_are_refused():
    with pytest.raises(ValueError, match="labels are bought in two rounds for two classes, but waves has 3"):
        active.trial(waves(), 99, 9, active.Scheme(9, 0.1), [3], np.random.SeedSequence(0))


def test_a_trial_of_no_budgets_or_no_neighbors():
    scheme, stream = active.Scheme(60, 0.1), np.random.SeedSequence(0)
    assert active.trial(bump(0.1), 100, 10, scheme, [3], stream, budgets=[]).disagreement.shape == (3, 0, 1)
    assert active.trial(bump(0.1), 100, 10, scheme, [], stream).disagreement.shape == (3, 1, 0)
