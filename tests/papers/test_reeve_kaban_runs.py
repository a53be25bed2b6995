"""Runs on Reeve & Kaban on the draws of a second program, and beside plain Python; votes on a
line.
"""

import numpy as np
import pytest
from reference_implementations import numbers_in, reference

from knnviz import NeighborTable, Vote, VoteProfile, risk
from knnviz.lessons import load, published
from knnviz.problems import bump
from knnviz.risk import Antiderivative
from knnviz_papers.reeve_kaban import pointwise, risks
from knnviz_papers.reeve_kaban.comparison import (
    NOISE,
    PLATEAU,
    NoisySample,
    estimates,
    section_5,
    theorem_k,
)
from knnviz_papers.simulate import Line, vote_errors

SECOND = published("reeve_section_5")
PLATEAUS = reference("reeve_kaban")["plateau"]
ETA = Antiderivative.build(PLATEAU)


@pytest.mark.parametrize("row", SECOND["risks"][:4], ids=lambda row: f"n={row['n']}")
def test_risks_from_the_draws_of_the_second_program(row):
    """The same samples, so the same up to the grid of the integral."""
    rng = np.random.default_rng(0)
    n = row["n"]
    k = theorem_k(n)
    assert k == row["k"]

    found = [risks.compare(PLATEAU.sample(n, rng), ETA, k) for _ in range(row["repeats"])]
    expected = [row[name] for name in risks.COLUMNS]
    assert np.mean(found, axis=0) == pytest.approx(expected, abs=1e-8)


def test_extremes_from_the_draws_of_the_second_program():
    rng = np.random.default_rng(0)
    seen = [NoisySample.from_sample(PLATEAU.sample(2000, rng)) for _ in range(200)]
    stored = load("reeve_maximum").results["estimates"]
    for row, full in zip(SECOND["maximum"], stored, strict=True):
        p0, p1, _ = np.transpose([estimates(each.robust(row["k"])) for each in seen])
        found = (p0.mean(), p1.mean(), abs(p1 - 0.3).mean())
        expected = [row[name] for name in ("p0_hat", "p1_hat", "p1_error")]
        assert found == pytest.approx(expected, abs=1e-9)
        for bound in ("bound", "bound_sharp"):
            assert full[bound] == pytest.approx(row[bound], rel=1e-5)


def test_errors_at_a_point_are_those_of_plain_python():
    """Queries on the slope, where eta = 1.5 x, on the plateau, and at a point of the sample."""
    sample = PLATEAU.sample(60, seed=5)
    X = sample.X[:, 0]
    ks = (1, 7, 30)
    labels = NOISE.flip(sample.y, sample.v)
    f = NOISE.corrupt(PLATEAU.eta(sample.X))[:, 1]
    queries = {0.0: 0.1, 0.55: 0.1 + 0.6 * 7 / 12, X[0]: f[0]}
    errors = pointwise.errors_at_points(sample, np.array(ks))
    for found, (x, true) in zip(errors, queries.items(), strict=True):
        nearest = np.argsort(abs(X - x))
        for row, k in zip(found, ks, strict=True):
            near = nearest[:k]
            vote = labels[near].mean()
            smooth = f[near].mean()
            farthest = max(abs(f[near] - true))
            expected = [abs(vote - true), abs(vote - smooth), abs(smooth - true), farthest]
            assert row == pytest.approx(expected)


def test_votes_on_a_line_are_votes_among_neighbors():
    """Disagreement and excess risk of one sample against a search on a fine grid."""
    (disagreement, excess), _ = vote_errors(Line.build(bump()), 21, 300, 2, 5)
    sample = bump().sample(300, np.random.default_rng([5, 300, 0]))
    measure, eta = bump().cells(20_000)
    points = measure.points
    table = NeighborTable.build(sample.X, points, 21)
    votes = VoteProfile.build(table, sample.y, 2)
    labels = Vote().predict(votes, 21)

    wrong = labels != bump().bayes(points)
    assert disagreement == pytest.approx(wrong.mean(), abs=1e-3)
    above_bayes = risk.exact(eta, labels) - bump().bayes_risk()
    assert excess == pytest.approx(above_bayes, abs=1e-3)


@pytest.mark.parametrize("name", PLATEAUS)
def test_the_plateau_family(name):
    parts = ("bayes", "mu_A0", "knn_limit", "omega_min", "C_alpha_for_alpha_1")
    stated = [PLATEAUS[name][part] for part in parts]
    found = section_5(*numbers_in(name))
    assert found == pytest.approx(stated, rel=1e-9)
