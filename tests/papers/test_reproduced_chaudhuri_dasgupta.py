"""Chaudhuri & Dasgupta: beside the reference run, and what the full runs say."""

import numpy as np
import pytest
from reference_implementations import reference
from refusals import refuses

from knnviz import NeighborTable, Vote, VoteProfile, risk
from knnviz.bounds.closed_forms import jump_boundary_mass
from knnviz.lessons import load
from knnviz.problems import bump, waves
from knnviz_papers.chaudhuri_dasgupta import looseness as cd
from knnviz_papers.simulate import Line, labeled_by, vote_errors

BUMP = reference("active")["theorem3_bump"]


def test_forty_runs_on_the_bump_are_those_of_the_reference_run():
    (row,) = cd.theorem_3_bump(runs=40)["bound"]
    for ours, theirs in (
        ("mass", "p"),
        ("margin", "Delta"),
        ("boundary_mass", "boundary_mass"),
        ("bound", "bound"),
        ("disagreement", "mean_disagreement"),
        ("largest_disagreement", "max_disagreement"),
        ("share_above", "runs_over_bound"),
    ):
        assert row[ours] == pytest.approx(BUMP[theirs], abs=1e-6), ours


def test_in_full_no_bound_is_exceeded_by_more_than_a_fraction_delta():
    """And none is vacuous; on the bump the boundary mass is that of two jumps once balls reach over one at most."""
    for name, table in (("theorem_3_bump", "bound"), ("looseness", "bounds")):
        kept = load(name)
        for row in kept.results[table]:
            assert row["share_above"] <= kept.settings["delta"]
            assert not row["vacuous"]
    rows = [row for row in load("looseness").results["bounds"] if row["problem"].startswith("bump")]
    for row in rows[1:]:
        form = 2 * jump_boundary_mass(0.4, row["mass"], row["margin"])
        assert row["boundary_mass"] == pytest.approx(form, abs=2e-4)


def test_in_full_boundary_and_disagreement_shrink():
    rows = load("looseness").results["bounds"]
    for problem in {row["problem"] for row in rows}:
        for column in ("boundary_mass", "disagreement"):
            assert (np.diff([row[column] for row in rows if row["problem"] == problem]) < 0).all()


def test_in_full_slopes_are_those_of_the_theorem():
    for row in load("rates").results["slopes"]:
        assert row["slope"] == pytest.approx(row["theorem"], abs=3 * row["slope_se"])
        assert row["slope_se"] < 0.01


def test_in_full_one_neighbor_comes_to_its_limit():
    for row in load("one_nn").results["risks"]:
        assert row["bayes_risk"] <= row["limit"] <= row["upper"] + 1e-6
        if row["n"] >= 10_000:
            assert row["risk"] == pytest.approx(row["limit"], abs=max(3 * row["risk_se"], 2 / row["n"]))


def test_votes_on_a_line_are_votes_among_neighbors():
    """Disagreement and excess risk of one sample against a search on a fine grid."""
    problem = bump()
    ((disagreement, excess), _) = vote_errors(Line.of(problem), 300, 21, 2, 5)
    sample = problem.sample(300, np.random.default_rng([5, 300, 0]))
    measure, eta = problem.cells(20_000)
    votes = VoteProfile.count(NeighborTable.build(sample.X, measure.points, 21), sample.y, 2)
    labels = Vote().predict(votes, 21)
    assert disagreement == pytest.approx((labels != problem.bayes(measure.points)).mean(), abs=1e-3)
    assert excess == pytest.approx(risk.exact(labels, eta) - problem.bayes_risk(), abs=1e-3)
    assert excess == pytest.approx(0.8 * disagreement, abs=1e-6)


def test_the_bayes_rule_as_a_distribution():
    X = np.linspace(0, 1, 50)[:, None]
    sure = labeled_by(waves(), waves().bayes)
    assert np.array_equal(sure.eta(X).argmax(axis=1), waves().bayes(X))
    assert sure.bayes_risk() == 0


def test_refusals():
    refuses(r"a slope needs at least two different sizes, got \[9, 9\]", cd.rates, sizes=(9, 9))
    refuses(r"k must exceed 4 log\(2/delta\) = 11\.98, got 11", cd.looseness, sizes=(25,))
