"""Who votes after two rounds, and learners compared at equally many labels, beside the classifier
of two rounds, which has its plain loops in ``tests/estimators``.
"""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from reference_implementations import pieces, tables
from refusals import refuses

from knnviz import NeighborTable, Vote, VoteProfile, active, breast_cancer
from knnviz.active import VOTERS, Scheme, trial, vote
from knnviz.active.learners import EvaluationPoints
from knnviz.active.voting import IncrementalVotes, Voters, majority
from knnviz.estimators import TwoStageKNeighborsClassifier
from knnviz.problems import bump, wave2d


@given(tables())
def test_all_vote_where_they_are_fewer_than_k(table):
    """Else it is the vote of a profile, ties included."""
    X, queries, k, rng = table
    y = rng.integers(0, 2, len(X))
    for asked in (k, len(X) + 3):
        nearest = min(asked, len(X))
        votes = VoteProfile.build(NeighborTable.build(X, queries, nearest), y, 2)
        assert np.array_equal(vote(X, y, queries, asked), Vote().predict(votes, nearest))


def test_points_bought_late_in_one_place_are_searched_for_anew():
    """All the nearest ones of a query were bought last."""
    X = np.concatenate([np.linspace(0.5, 1, 400), np.linspace(0, 0.1, 400)])[:, None]
    voters = Voters.from_points(X, np.repeat([1, 0], 400), np.ones(800, bool))
    queries = np.array([[0.0], [0.9]])
    found = IncrementalVotes(voters, queries).votes(5, [800, 400, 402, 403])
    assert majority(found).tolist() == [[0, 1], [1, 1], [1, 1], [0, 1]]


SOURCES = {
    "line": (bump(0.1, 0.98, 0.02), 200),
    "plane": (wave2d(), 15),
    "pool": (breast_cancer(), None),
}


@pytest.mark.filterwarnings("ignore:no training point votes")
@pytest.mark.parametrize("name", SOURCES)
def test_a_trial_is_what_its_classifiers_predict(name):
    source, n_cells = SOURCES[name]
    scheme = Scheme(40, 0.3, delta=0.5)
    ks = [20, 1, 90]
    budgets = [80, 0, 33]
    found = trial(source, ks, 100, 80, scheme, 1, budgets=budgets, n_cells=n_cells)
    X, y = active.passive_sample(source, 180, 1)
    evaluation = EvaluationPoints.from_first_round(found.sample.first, source)
    assert 0 < evaluation.hard.mean() < 1
    if name == "line":
        evaluation = between_labels(np.concatenate([X, found.sample.X])[:, 0], source)
    points = evaluation.points

    for (j, budget), (i, k) in product(enumerate(budgets), enumerate(ks)):
        n = 100 + budget
        head = found.sample.head(budget)
        labels = [vote(X[:n], y[:n], points, k)]
        for voters in VOTERS:
            two = TwoStageKNeighborsClassifier(k, voters=voters, hard_neighbors=40, delta=0.5)
            two.fit(head.X, head.y, head.stage, head.first.region)
            labels.append(two.predict(points))
        expected = (labels != evaluation.correct) @ evaluation.weights
        assert found.disagreement[:, j, i] == pytest.approx(expected, abs=1e-12)


def between_labels(x, source):
    """The middles of pieces of a line between its jumps and points halfway between two labels."""
    halfway = (x[:, None] + x)[np.triu_indices(len(x), 1)] / 2
    middles, lengths = pieces(0.45, 0.55, halfway)
    nowhere_hard = np.zeros(len(middles), bool)
    return EvaluationPoints(middles, lengths, source.bayes(middles), nowhere_hard)


@pytest.mark.parametrize("split", [0, 1])
def test_a_trial_on_data_is_judged_by_the_points_held_out(split):
    data = breast_cancer(seed=split)
    found = trial(data, [15], 120, 100, Scheme(60, 0.3))
    train = {tuple(row) for row in data.X_train}
    X, _ = active.passive_sample(data, 220)
    assert {tuple(row) for row in [*X, *found.sample.X]} <= train
    assert len(set(found.sample.rows.tolist())) == 220
    assert (found.disagreement < 0.25).all()


def test_refusals():
    asked = (100, 10, Scheme(60, 0.1))
    refuses("budgets .*got 11", trial, bump(0.1), [3], *asked, budgets=[11])
    refuses("budgets .*got 10", trial, bump(0.1), [3], *asked, budgets=10)
    for ks, got in (([0], "0"), ([], r"\[\]"), (3, "3")):
        refuses(f"ks .*got {got}", trial, bump(0.1), ks, *asked)
    X = np.arange(3.0)[:, None]
    refuses("k .*got 0", vote, X, [0, 1, 1], X, 0)
    refuses("queries .*got 2", vote, X, [0, 1, 1], np.eye(2), 1)
