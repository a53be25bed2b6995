"""Risk: quadrature against closed forms and fresh points."""

import numpy as np
import pytest

from knnviz import checkerboard, risk


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


def test_refusals():
    with pytest.raises(ValueError, match="labels must hold one class for each of 3 points"):
        risk.exact(np.zeros(2, int), np.full((3, 2), 0.5))
    with pytest.raises(ValueError, match=r"weights must hold one number for each of 3 cells, got shape \(1,\)"):
        risk.exact(np.zeros(3, int), np.full((3, 2), 0.5), np.ones(1))
    with pytest.raises(ValueError, match="eta must have a row for each cell"):
        risk.exact(np.zeros(3, int), np.full(3, 0.5))
    with pytest.raises(ValueError, match="same length, got 2 and 3"):
        risk.held_out(np.zeros(2), np.zeros(3))
