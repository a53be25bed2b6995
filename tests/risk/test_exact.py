"""Risk: quadrature against closed forms and fresh points, on grids and on a line."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refuses

from knnviz import NeighborTable, Vote, VoteProfile, checkerboard, risk
from knnviz.neighbors import Windows
from knnviz.problems import gaussians, linear, plateau, waves
from knnviz.profiles import WindowProfile


def test_bayes_labels_have_bayes_risk():
    problem = checkerboard()
    measure = problem.measure(200)
    eta, bayes = problem.eta(measure.points), problem.bayes(measure.points)
    assert risk.exact(bayes, eta, measure.weights) == pytest.approx(problem.bayes_risk(200), abs=1e-12)
    assert risk.exact(1 - bayes, eta) == pytest.approx(1 - problem.bayes_risk(200), abs=1e-12)


def test_held_out_agrees_with_exact_on_many_fresh_points():
    problem = checkerboard()
    fresh = problem.sample(200_000, 1)
    labels = problem.bayes(fresh.X)
    spread = np.sqrt(0.3 * 0.7 / len(fresh))
    assert abs(risk.held_out(labels, fresh.y) - problem.bayes_risk()) < 4 * spread


def test_held_out_reads_lists_as_arrays():
    assert risk.held_out([0, 1, 1, 0], y=[0, 1, 0, 0]) == risk.held_out([0, 1, 1, 0], np.array([0, 1, 0, 0])) == 0.25


def test_antiderivative_of_a_line():
    """eta_1 = 1/2 + s (x - 1/2) integrates to x/2 + s (x^2 - x) / 2; at the edges of cells the midpoint is exact."""
    known = risk.Antiderivative.of(linear(0.8), 1000)
    x = np.array([-3, 0, 0.25, 0.5, 1, 7])
    inside = x.clip(0, 1)
    expected = inside / 2 + 0.4 * (inside**2 - inside)
    assert np.allclose(known(x)[:, 1], expected, atol=1e-14)
    assert np.allclose(known(x).sum(axis=1), inside, atol=1e-14)
    assert np.allclose(known(np.array([0.1234567]))[:, 1], 0.1234567 / 2 + 0.4 * (0.1234567**2 - 0.1234567), atol=1e-6)


@given(st.integers(1, 30), st.integers(0, 2**32 - 1), st.data())
def test_risk_on_a_line_is_the_sum_of_every_window_s_closed_form(n, seed, data):
    """Window by window, in fractions of the closed form, without runs and without a grid."""
    rng = np.random.default_rng(seed)
    windows, k = Windows.from_points(rng.random((n, 1))), data.draw(st.integers(1, n))
    labels = rng.integers(0, 2, n - k + 1)
    edges = [Fraction(0), *map(Fraction, windows.breakpoints(k).tolist()), Fraction(1)]

    def ones(x):
        return x / 2 + Fraction(2, 5) * (x**2 - x)

    right = sum(
        ones(b) - ones(a) if label else b - a - (ones(b) - ones(a))
        for a, b, label in zip(edges[:-1], edges[1:], labels, strict=True)
    )
    known = risk.Antiderivative.of(linear(0.8))
    assert risk.on_line(windows, labels, k, known) == pytest.approx(float(1 - right), abs=1e-7)


@pytest.mark.parametrize("problem", [plateau(0.1, 0.3), waves(), gaussians()], ids=lambda problem: problem.name)
@pytest.mark.parametrize("k", [1, 7, 40])
def test_risk_on_a_line_is_the_limit_of_risks_on_grids(problem, k):
    sample = problem.sample(40, 3)
    windows = Windows.from_points(sample.X)
    labels = Vote().predict(WindowProfile.count(windows, sample.y, problem.n_classes), k)
    exact = risk.on_line(windows, labels, k, risk.Antiderivative.of(problem))
    gaps = []
    for resolution in (100, 1000, 10_000, 100_000):
        cells = problem.measure(resolution)
        votes = VoteProfile.count(NeighborTable.build(sample.X, cells.points, k), sample.y, problem.n_classes)
        gaps.append(abs(risk.exact(Vote().predict(votes, k), problem.eta(cells.points), cells.weights) - exact))
    assert gaps[-1] < 2e-5
    assert gaps[-1] <= gaps[0]


def test_risk_of_a_rule_between_breaks_has_a_closed_form():
    """eta = x: labels 1, 0, 1 between 0.2 and 0.5 err on (1 - x) where they are 1 and on x where they are 0."""
    known, breaks = risk.Antiderivative.of(linear(1.0)), np.array([0.2, 0.5])
    found = risk.on_pieces(breaks, np.array([1, 0, 1]), known)
    assert found == pytest.approx((1 - 0.8**2) / 2 + (0.5**2 - 0.2**2) / 2 + 0.5**2 / 2, abs=1e-9)
    assert risk.on_pieces(breaks, np.array([1, 1, 1]), known) == pytest.approx(0.5)
    refuses("labels must hold one class for each of 3 points", risk.on_pieces, breaks, np.array([1, 0]), known)


def test_a_line_refuses_what_does_not_fit():
    sentence = "an antiderivative needs a density on a line, which checkerboard does not have"
    refuses(sentence, risk.Antiderivative.of, checkerboard())
    windows, known = Windows.from_points(np.array([[0.1], [0.2], [0.3]])), risk.Antiderivative.of(linear())
    refuses("labels must hold one class for each of 2 points", risk.on_line, windows, np.zeros(3, int), 2, known)
    refuses("labels must be class codes 0 to 1, got 0 to 2", risk.on_line, windows, np.array([0, 2]), 2, known)


def test_refusals():
    refuses("labels must hold one class for each of 3 points", risk.exact, np.zeros(2, int), np.full((3, 2), 0.5))
    labels, eta = np.zeros(3, int), np.full((3, 2), 0.5)
    refuses(r"weights must hold one number for each of 3 cells, got shape \(1,\)", risk.exact, labels, eta, np.ones(1))
    refuses("eta must have a row for each cell", risk.exact, np.zeros(3, int), np.full(3, 0.5))
    for shape in ((2,), (3, 1)):
        refuses("labels and y must have the same shape, got", risk.held_out, np.zeros(shape), np.zeros(3))
