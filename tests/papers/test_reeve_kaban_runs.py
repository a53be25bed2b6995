"""Runs on Reeve & Kaban on the draws of a second program, and beside plain Python; votes on a
line.
"""

import numpy as np
import pytest

from knnviz import NeighborTable, Vote, VoteProfile, risk
from knnviz.lessons import load, published
from knnviz.problems import bump
from knnviz.risk import Antiderivative
from knnviz_papers.reeve_kaban import pointwise, risks
from knnviz_papers.reeve_kaban.comparison import NOISE, PLATEAU, NoisySample, estimates, theorem_k
from knnviz_papers.simulate import Line, vote_errors

SECOND = published("reeve_section_5")
ETA = Antiderivative.from_problem(PLATEAU)


@pytest.mark.parametrize("row", SECOND["risks"][:4], ids=lambda row: f"n={row['n']}")
def test_risks_from_the_draws_of_the_second_program(row):
    """The same samples, so the same up to the grid of the integral."""
    rng = np.random.default_rng(0)
    k = theorem_k(row["n"])
    found = [risks.compare(PLATEAU.sample(row["n"], rng), ETA, k) for _ in range(row["repeats"])]
    assert k == row["k"]
    assert np.mean(found, axis=0) == pytest.approx([row[name] for name in risks.COLUMNS], abs=1e-8)


def test_extremes_from_the_draws_of_the_second_program():
    rng = np.random.default_rng(0)
    rows = SECOND["maximum"]
    seen = [NoisySample.of(PLATEAU.sample(2000, rng)) for _ in range(200)]
    for row, full in zip(rows, load("reeve_maximum").results["estimates"], strict=True):
        p0, p1, _ = np.transpose([estimates(each.robust(row["k"])) for each in seen])
        means = [p0.mean(), p1.mean(), abs(p1 - 0.3).mean()]
        assert means == pytest.approx(
            [row[name] for name in ("p0_hat", "p1_hat", "p1_error")], abs=1e-9
        )
        assert (full["bound"], full["bound_sharp"]) == pytest.approx(
            (row["bound"], row["bound_sharp"]), rel=1e-5
        )


def test_errors_at_a_point_are_those_of_plain_python():
    sample = PLATEAU.sample(60, seed=5)
    ks = (1, 7, 30)
    labels = NOISE.flip(sample.y, sample.v)
    f = NOISE.corrupt(PLATEAU.eta(sample.X))[:, 1]
    for found, x in zip(
        pointwise.errors_at_points(sample, np.array(ks)), (0.0, 0.55, sample.X[0, 0]), strict=True
    ):
        true = 0.1 + 0.6 * (1.5 * x if x < 7 / 18 else 7 / 12 if x < 13 / 18 else (3 * x - 1) / 2)
        nearest = sorted(range(60), key=lambda i, x=x: abs(sample.X[i, 0] - x))
        for row, k in zip(found, ks, strict=True):
            near = nearest[:k]
            vote, smooth = (sum(each[i] for i in near) / k for each in (labels, f))
            farthest = max(abs(f[i] - true) for i in near)
            assert row == pytest.approx(
                [abs(vote - true), abs(vote - smooth), abs(smooth - true), farthest]
            )


def test_votes_on_a_line_are_votes_among_neighbors():
    """Disagreement and excess risk of one sample against a search on a fine grid."""
    ((disagreement, excess), _) = vote_errors(Line.of(bump()), 300, 21, 2, 5)
    sample = bump().sample(300, np.random.default_rng([5, 300, 0]))
    (measure, eta) = bump().cells(20_000)
    votes = VoteProfile.count(NeighborTable.build(sample.X, measure.points, 21), sample.y, 2)
    labels = Vote().predict(votes, 21)
    assert disagreement == pytest.approx((labels != bump().bayes(measure.points)).mean(), abs=1e-3)
    assert excess == pytest.approx(risk.exact(labels, eta) - bump().bayes_risk(), abs=1e-3)
