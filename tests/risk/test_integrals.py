"""Risk: quadrature against closed forms and fresh points, on grids and on a line."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import generators
from refusals import refuses

from knnviz import checkerboard, risk
from knnviz.neighbors import Windows
from knnviz.problems import bump, linear, logistic, power, segments, waves


def test_bayes_labels_have_bayes_risk():
    cells, eta = checkerboard().cells(200)
    bayes = checkerboard().bayes(cells.points)
    least = checkerboard().bayes_risk(200)
    assert risk.exact(eta, bayes, weights=cells.weights) == pytest.approx(least, abs=1e-12)
    assert risk.exact(eta, 1 - bayes) == pytest.approx(1 - least, abs=1e-12)


@given(
    st.floats(0.01, 0.9), st.floats(0, 1), st.floats(0, 1), st.lists(st.floats(-3, 4), min_size=1)
)
def test_the_antiderivative_of_a_step_is_exact_wherever_it_jumps(width, height, low, x):
    """Also on few cells, whose edges do not meet the jumps, and beyond the interval."""
    known = risk.Antiderivative.build(bump(width, height, low), 300)
    x = np.array(x)
    inside = x.clip(0, 1)
    on_bump = (x - (1 - width) / 2).clip(0, width)
    ones = low * inside + (height - low) * on_bump
    slack = 1e-3 if abs(height - low) < 2e-3 else 1e-12
    found = known(x)
    assert found[:, 1] == pytest.approx(ones, abs=slack)
    assert found.sum(axis=1) == pytest.approx(inside)


@pytest.mark.parametrize(
    "problem", [linear(0.8), logistic(100), power(0.1), waves()], ids=lambda each: each.name
)
def test_a_slope_is_no_jump(problem):
    known = risk.Antiderivative.build(problem)
    even = np.linspace(0, 1, len(known.edges))
    assert np.array_equal(known.edges, even)


@pytest.mark.parametrize(
    ("problem", "n_cells", "change"), [(linear(0.8), 999, 0.5), (segments(), 1000, 1 / 3)]
)
def test_of_a_rule_it_is_exact_between_its_changes(problem, n_cells, change):
    """Bayes labels of a line change at one half, of three pieces at thirds: inside of cells."""
    x = np.array([0.1, 1 / 3, 0.4, 0.5, 0.9])
    known = risk.Antiderivative.build(problem, n_cells, problem.bayes)
    ones = (x - change).clip(0, change)
    assert known(x)[:, 1] == pytest.approx(ones, abs=1e-12)


def test_pieces_have_their_mean_eta():
    """eta = x: the mean over a piece is its middle; without mass probabilities are equal."""
    known = risk.Antiderivative.build(linear(1.0))
    eta, masses = known.pieces(np.array([0.2, 0.2, 0.6]))
    assert masses == pytest.approx([0.2, 0, 0.4, 0.4])
    assert eta[:, 1] == pytest.approx([0.1, 0.5, 0.4, 0.8], abs=1e-9)


@given(st.integers(1, 30), generators, st.data())
def test_risk_on_a_line_is_the_sum_of_every_window_s_closed_form(n, rng, data):
    """Window by window, in fractions of the closed form, without runs and without a grid."""
    windows = Windows.from_points(rng.random((n, 1)))
    k = data.draw(st.integers(1, n))
    labels = rng.integers(0, 2, n - k + 1)
    breaks = windows.breakpoints(k)
    edges = np.array([Fraction(x) for x in (0, *breaks.tolist(), 1)])
    ones = np.diff(edges / 2 + Fraction(2, 5) * (edges**2 - edges))
    wrong = np.where(labels, np.diff(edges) - ones, ones).sum()
    found = risk.on_line(risk.Antiderivative.build(linear(0.8)), breaks, labels)
    assert found == pytest.approx(float(wrong), abs=1e-7)


def test_refusals():
    labels = np.zeros(3, int)
    eta = np.full((3, 2), 0.5)
    refuses(r"\(2,\)", risk.exact, eta, labels[:2])
    refuses("weights", risk.exact, eta, labels, weights=[2, -1, 0])
    refuses("50 to 50", risk.exact, 100 * eta, labels)
