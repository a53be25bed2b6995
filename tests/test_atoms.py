"""Finitely many weighted points: exact sums, the agreed draws, the nearest point elsewhere, refusals."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from refusals import refuses

from knnviz import Problem
from knnviz.problems import from_spec

POINTS = [[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]]
MASSES = [0.2, 0.3, 0.5]
RATES = [[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.0, 0.4, 0.6]]


def test_two_atoms_with_certain_classes_have_no_bayes_risk():
    problem = Problem.from_atoms([[0.0], [1.0]], [0.2, 0.8], [1, 0])
    assert problem.bayes_risk() == 0
    assert problem.measure(7).weights.tolist() == [0.2, 0.8]
    assert problem.bayes(problem.measure().points).tolist() == [1, 0]
    assert problem.box == ((-0.1, 1.1),)
    sample = problem.sample(20_000, 0)
    assert np.array_equal(sample.y, sample.X[:, 0] == 0)
    assert sample.y.mean() == pytest.approx(0.2, abs=0.01)


def test_sums_are_exact_at_every_resolution():
    problem = Problem.from_atoms(POINTS, MASSES, RATES)
    for resolution in (1, 200, None):
        assert problem.bayes_risk(resolution) == pytest.approx(0.2 * 0.5 + 0.3 * 0.2 + 0.5 * 0.4, abs=1e-15)
    measure = problem.measure(3)
    assert measure.points.tolist() == POINTS
    assert problem.eta(measure.points).tolist() == RATES
    assert (problem.dimension, problem.n_classes, problem.name) == (2, 3, "atoms")


def test_atoms_are_drawn_in_the_agreed_order():
    rng = np.random.default_rng(5)
    positions = np.searchsorted(np.cumsum(MASSES), rng.random(300), side="right")
    u, v = rng.random(300), rng.random(300)
    sample = Problem.from_atoms(POINTS, MASSES, RATES).sample(300, 5)
    assert np.array_equal(sample.X, np.array(POINTS)[positions])
    assert np.array_equal(sample.u, u)
    assert np.array_equal(sample.v, v)
    edges = np.cumsum(RATES, axis=1)[positions, :2]
    assert np.array_equal(sample.y, (u[:, None] >= edges).sum(axis=1))


def test_elsewhere_the_nearest_atom_decides_and_the_first_on_a_tie():
    problem = Problem.from_atoms([[1.0], [-1.0], [3.0]], [0.5, 0.25, 0.25], [0.1, 0.2, 0.3])
    assert problem.eta(np.array([[0.0], [-0.1], [2.0], [2.1]]))[:, 1].tolist() == [0.1, 0.2, 0.1, 0.3]


@given(arrays(float, (30, 2), elements=st.sampled_from([0.0, 0.5, 1.0, 3.0])), st.integers(1, 9))
def test_nearest_atoms_agree_with_brute_force(X, m):
    points = np.stack(np.divmod(np.arange(m), 3), axis=1).astype(float)
    problem = Problem.from_atoms(points, np.full(m, 1 / m), np.arange(m) / 10)
    best = [min(range(m), key=lambda i: ((x - points[i]) @ (x - points[i]), i)) for x in X]
    assert np.array_equal(problem.eta(X)[:, 1], np.array(best) / 10)


def test_many_queries_are_answered_in_pieces():
    points = np.random.default_rng(0).random((700, 2))
    problem = Problem.from_atoms(points, np.full(700, 1 / 700), np.arange(700) / 700)
    assert np.array_equal(problem.eta(np.tile(points, (5, 1)))[:, 1], np.tile(np.arange(700) / 700, 5))


def test_boxes_of_atoms():
    assert Problem.from_atoms([[2.0, 0.0], [2.0, 10.0]], [0.5, 0.5], [0, 1]).box == ((1.5, 2.5), (-1.0, 11.0))
    assert Problem.from_atoms([[2.0]], [1.0], [0.3]).box == ((1.5, 2.5),)
    assert Problem.from_atoms([[2.0]], [1.0], [0.3], box=[[2, 4]]).box == ((2.0, 4.0),)


@pytest.mark.parametrize("eta", [[0.0, 1 / 3, 1.0], RATES])
def test_the_spec_of_atoms_makes_them_again(eta):
    problem = Problem.from_atoms(POINTS, MASSES, eta, name="corners", box=((-1, 4), (-1, 4)))
    spec = json.loads(json.dumps(problem.spec()))
    assert spec == problem.spec()
    assert spec["name"] == "corners"
    again = from_spec(spec)
    assert (again.spec(), again.box) == (spec, problem.box)
    assert np.array_equal(again.sample(50, 1).X, problem.sample(50, 1).X)
    assert np.array_equal(again.sample(50, 1).y, problem.sample(50, 1).y)
    assert np.array_equal(again.eta(again.grid(9).points), problem.eta(problem.grid(9).points))


def test_atoms_are_copied():
    points, weights = np.array(POINTS), np.array(MASSES)
    problem = Problem.from_atoms(points, weights, RATES)
    points[:], weights[:] = 7, 7
    assert problem.measure().points.tolist() == POINTS
    assert problem.measure().weights.tolist() == MASSES


LINE = [[0.0], [1.0]]
NO_TABLE = "points must be a table of shape (n, d) with at least one row and column, got (2,)"
EVEN = [0.5, 0.5]
BOX = "the box must have a side for each coordinate and hold all points, got"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.0, 1.0], EVEN, EVEN), NO_TABLE),
        (([[0.0, 0, 0]], [1], [0]), "points must have 1 or 2 coordinates, got 3"),
        (([[0.0], [np.nan]], EVEN, EVEN), "points has missing or infinite values in row 1"),
        (([[1.0], [0.0], [-0.0]], [0.2, 0.3, 0.5], [0, 0, 0]), "points must differ"),
        ((LINE, [0.0, 1.0], EVEN), "weights must be positive"),
        ((LINE, [0.5, 0.50000001], EVEN), "weights must be 2 numbers that are not negative and sum to 1"),
        ((LINE, EVEN, [[1.0, 0.0]]), "eta must hold class probabilities for each of 2 points, got 1"),
        ((LINE, EVEN, [0.5, 1.5]), "eta must lie between 0 and 1, got values from -0.5 to 1.5"),
        ((LINE, EVEN, EVEN, [[0, 0.5]]), f"{BOX} [[0.0, 0.5]]"),
        ((LINE, EVEN, EVEN, [[0, 1], [0, 1]]), f"{BOX} [[0.0, 1.0], [0.0, 1.0]]"),
        (([[0.0]], [1.0], [0.5], [[0, 0]]), "each side of the box must have low < high, got 0 and 0"),
    ],
)  # fmt: skip
def test_bad_atoms_are_refused_in_one_sentence(arguments, message):
    points, weights, eta, *box = arguments
    refuses(f"^{re.escape(message)}$", Problem.from_atoms, points, weights, eta, box=box[0] if box else None)
