"""Problems: draws in the agreed order, grids and sums, finitely many points."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from reference_implementations import reference, sorted_neighbors
from refusals import refuses

from knnviz import Problem, Resolution, checkerboard, wave2d

POINTS = [[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]]
MASSES = [0.2, 0.3, 0.5]
RATES = [[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.0, 0.4, 0.6]]


@pytest.mark.parametrize("seed", [7, np.random.default_rng(7)])
def test_points_classes_and_noise_are_drawn_in_this_order(seed):
    rng = np.random.default_rng(7)
    X = rng.random((50, 2))
    u = rng.random(50)
    v = rng.random(50)
    sample = wave2d().sample(50, seed)
    assert np.array_equal(sample.X, X)
    assert np.array_equal(sample.y, u < wave2d().eta(X)[:, 1])
    assert np.array_equal(sample.v, v)


def test_bayes_risk_converges_to_the_closed_form():
    expected = reference("gao")["bayes_population"]
    problem = checkerboard()
    errors = [abs(problem.bayes_risk(n_cells) - expected) for n_cells in (50, 100, 200, 400)]
    assert errors[-1] < 5e-6
    for coarse, fine in itertools.pairwise(errors):
        assert fine < coarse / 3


def test_sums_over_atoms_are_exact_and_keep_their_numbers():
    given = [np.array(each) for each in (POINTS, MASSES, RATES)]
    problem = Problem.from_atoms(*given)
    for each in given:
        each[:] = 7
    least = 0.2 * 0.5 + 0.3 * 0.2 + 0.5 * 0.4
    for n_cells in (1, 200, None):
        assert problem.bayes_risk(n_cells) == pytest.approx(least, abs=1e-15)
    measure = problem.measure(3)
    assert measure.points.tolist() == POINTS
    assert measure.weights.tolist() == MASSES
    assert problem.eta(measure.points).tolist() == RATES


def test_atoms_are_drawn_in_the_agreed_order():
    rng = np.random.default_rng(5)
    positions = np.searchsorted(np.cumsum(MASSES), rng.random(300), side="right")
    u = rng.random(300)
    steps = np.cumsum(RATES, axis=1)[positions, :2]
    expected = {
        "X": np.array(POINTS)[positions],
        "y": (u[:, None] >= steps).sum(axis=1),
        "u": u,
        "v": rng.random(300),
    }
    sample = Problem.from_atoms(POINTS, MASSES, RATES).sample(300, 5)
    for name, values in expected.items():
        assert np.array_equal(getattr(sample, name), values)


@given(arrays(float, (30, 2), elements=st.sampled_from([0.0, 0.5, 1.0, 3.0])), st.integers(1, 9))
def test_elsewhere_the_nearest_atom_decides_and_the_first_on_a_tie(X, m):
    points = np.stack(np.divmod(np.arange(m), 3), axis=1).astype(float)
    rates = np.arange(m) / 10
    problem = Problem.from_atoms(points, np.full(m, 1 / m), rates)
    nearest, _ = sorted_neighbors(points, X, 1)
    assert np.array_equal(problem.eta(X)[:, 1], rates[nearest[:, 0]])


def test_many_queries_are_answered_in_pieces():
    points = np.random.default_rng(0).random((700, 2))
    rates = np.arange(700) / 700
    problem = Problem.from_atoms(points, np.full(700, 1 / 700), rates)
    assert np.array_equal(problem.eta(np.tile(points, (5, 1)))[:, 1], np.tile(rates, 5))


LINE = [[0.0], [1.0]]
EVEN = [0.5, 0.5]


def test_what_is_no_problem_is_refused():
    refuses(r"got \[1.0, 1.0\]", Problem, "point", len, ((1.0, 1.0),))
    refuses(r"\(5, 3\)", Problem("three", lambda X: np.full((len(X), 3), 1 / 3)).sample, 5, 0)
    refuses("got 0", Resolution, map_cells=(0, 1))
    refuses("sum to 1", Problem("half", lambda X: np.full((len(X), 2), 0.4)).bayes_risk, 9)
    refuses("hole", Problem("hole", len, density=lambda X: X[:, 0] - 0.5).measure, 9)
    refuses("got 0", checkerboard().sample, 0, 0)
    refuses("differ", Problem.from_atoms, [[1.0], [0.0], [-0.0]], MASSES, [0, 0, 0])
    refuses(r"\[\[0.0, 0.5\]\]", Problem.from_atoms, LINE, EVEN, EVEN, box=[[0, 0.5]])
