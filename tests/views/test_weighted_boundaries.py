"""The Bayes boundary of any class weights, from eta that is made ready once."""

import numpy as np
import pytest

from knnviz import problems
from knnviz.views import map as map_view

THREE = problems.gaussians(3, dimension=2)
_, ETA = THREE.cells(80)
BOUNDARIES = map_view.WeightedBoundaries.of(THREE, 80, ETA)


def points(line):
    """What a line passes (n, 2)."""
    return np.stack([line.x, line.y], axis=1)[~np.isnan(line.x)].astype(float)


@pytest.mark.parametrize("q", [(1, 1, 1), (0.5, 0.3, 0.2), (5, 3, 2), (0.1, 0.1, 0.8)])
def test_on_the_boundary_two_weighted_classes_tie_and_none_is_better(q):
    found = points(BOUNDARIES.boundary(q))
    scores = np.sort(THREE.eta(found) * q, axis=1) / max(q)
    assert len(found) > 50
    assert abs(scores[:, 2] - scores[:, 1]).max() < 5e-3


def test_a_class_without_weight_has_no_boundary():
    found = points(BOUNDARIES.boundary((0.0, 0.5, 0.5)))
    eta = THREE.eta(found)
    assert eta[:, 1] == pytest.approx(eta[:, 2], abs=5e-3)
    assert len(points(BOUNDARIES.boundary((0.0, 0.0, 1.0)))) == 0


@pytest.mark.parametrize("t", [0.0, 0.3, 0.5, 0.9, 1.0])
def test_two_classes_have_it_where_eta_is_the_threshold(t):
    problem = problems.checkerboard()
    _, eta = problem.cells(80)
    found = points(map_view.WeightedBoundaries.of(problem, 80, eta).boundary((t, 1 - t)))
    assert (len(found) > 0) == (0 < t < 1)
    assert problem.eta(found)[:, 1] == pytest.approx(t, abs=0.02) if len(found) else True
