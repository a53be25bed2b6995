"""The Line, tested on its layers."""

import numpy as np
import pytest

from knnviz import LabelNoise
from knnviz.problems import bump, gaussians, waves
from knnviz.views import line, style

TWO, THREE = bump(), waves()
CELLS = TWO.grid(50).points[:, 0]


def test_eta_of_two_classes_is_one_curve_of_class_1():
    (curve,) = line.eta_curves(CELLS, TWO.eta(CELLS[:, None]))
    assert (curve.name, curve.label, curve.color) == ("eta1", "eta, class 1", style.INK)
    assert curve.x == pytest.approx(CELLS, abs=1e-7)
    assert curve.y == pytest.approx(TWO.eta(CELLS[:, None])[:, 1], abs=1e-7)


def test_eta_of_three_classes_is_three_curves_and_one_entry():
    eta = THREE.eta(CELLS[:, None])
    curves = line.eta_curves(CELLS, eta)
    assert [curve.name for curve in curves] == ["eta0", "eta1", "eta2"]
    assert [curve.label for curve in curves] == ["eta, by class", None, None]
    assert [curve.color for curve in curves] == list(style.palette(3))
    for curve, fraction in zip(curves, eta.T, strict=True):
        assert curve.y == pytest.approx(fraction, abs=1e-7)


def test_regions_are_stripes_of_the_labels():
    labels = TWO.bayes(CELLS[:, None])
    raster = line.regions(TWO, labels)
    assert raster.codes.shape == (1, 50)
    for x, code in ((0.05, 0), (0.45, 1), (0.55, 1), (0.95, 0)):
        assert raster.codes[0, int(50 * x)] == code
    assert raster.extent == line.extent(TWO)
    assert raster.extent[:2] == (0, 1)


@pytest.mark.parametrize("problem", [TWO, THREE, gaussians()])
def test_points_stand_in_the_row_of_their_class(problem):
    sample = problem.sample(1000, 0)
    layer = line.points(problem, sample)
    assert len(layer.x) == line.MAX_POINTS
    assert layer.x == pytest.approx(sample.X[: line.MAX_POINTS, 0], abs=1e-6)
    assert np.array_equal(layer.codes, sample.y[: line.MAX_POINTS])
    rows = [set(layer.y[layer.codes == code].tolist()) for code in range(problem.n_classes)]
    assert [len(row) for row in rows] == [1] * problem.n_classes
    assert len(set.union(*rows)) == problem.n_classes
    _, _, bottom, top = line.extent(problem)
    for (y,) in rows:
        assert bottom < y < top
        assert not 0 <= y <= 1, "clear of the curves"


def test_flipped_points_stand_with_the_class_they_show():
    sample = TWO.sample(300, 1)
    observed = LabelNoise(0.3, 0.2).flip(sample.y, sample.v)
    layer = line.points(TWO, sample, observed)
    assert np.array_equal(layer.y > 1, observed == 1)
    assert np.array_equal(layer.ringed, observed != sample.y)
    assert layer.ring_label == "label flipped"


def test_the_ball_ends_at_its_radius():
    ball = line.ball(0.3, 0.125)
    there = ~np.isnan(ball.x)
    assert (ball.x[there].min(), ball.x[there].max()) == pytest.approx((0.175, 0.425))
    assert np.array_equal(np.isnan(ball.x), np.isnan(ball.y))
    for end in (0.175, 0.425):
        tips = ball.y[abs(ball.x - end) < 1e-6]
        assert (tips.min(), tips.max()) == pytest.approx((0.47, 0.53)), "an upright end"
