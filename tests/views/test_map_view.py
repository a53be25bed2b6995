"""The plane and the line: regions, points, balls, boundaries and sets, tested on their layers."""

import numpy as np
import pytest

from knnviz import LabelNoise, Problem, checkerboard
from knnviz.problems import bump, gaussians, waves
from knnviz.views import line, sets
from knnviz.views import map as map_view

BOARD = checkerboard()
THREE = gaussians(3, dimension=2)
CELLS = bump().grid(50).points
_, ETA = THREE.cells(80)


def test_regions_and_sets_hold_their_cells_row_by_row():
    on_line = bump().bayes(CELLS)
    stripes = sets.regions(bump(), on_line)
    assert stripes.extent == line.extent(bump())
    assert stripes.codes.tolist() == [on_line.tolist()]

    box = ((0.0, 4.0), (-1.0, 1.0))
    frame = map_view.BoxAndNames("mine", box, ("a", "b", "c"), ("width", "height"))
    mine = sets.regions(frame, np.arange(4) % 3)
    assert mine.codes.tolist() == [[0, 1], [2, 0]]
    fill = sets.region(frame, np.arange(4) == 1, "corner", "a corner")
    assert fill.cells.tolist() == [[False, True], [False, False]]
    assert mine.extent == fill.extent == (0, 4, -1, 1)


@pytest.mark.parametrize(("x", "align"), [(0.5, "left"), (3.9, "right")])
def test_the_name_of_the_query_point_stands_where_the_box_has_room(x, align):
    box = ((0.0, 4.0), (0.0, 1.0))
    frame = map_view.BoxAndNames("mine", box, ("a", "b"), ("width", "height"))
    assert map_view.query(frame, (x, 0.5)).align == align


def points(drawn):
    """What a line passes (n, 2)."""
    every = np.stack([drawn.x, drawn.y], axis=1)
    return every[~np.isnan(drawn.x)].astype(float)


def test_the_bayes_boundary_of_three_classes_is_traced_once():
    """Its length is that of three spokes, so that the dashes of one tracing do not fill the gaps of
    another.
    """

    def stripes(X):
        x = X[:, :1]
        inside = abs(x - [1 / 6, 3 / 6, 5 / 6]) < 1 / 6
        return inside * 0.8 + 0.2 / 3

    striped = Problem("stripes", stripes, n_classes=3)
    x, _ = points(map_view.bayes_boundary(striped)).T
    off = np.minimum(abs(x - 1 / 3), abs(x - 2 / 3))
    assert off.max() < 1 / 400

    drawn = map_view.bayes_boundary(THREE)
    steps = np.hypot(np.diff(drawn.x), np.diff(drawn.y))
    spokes = 1 + 2 / np.cos(np.pi / 6)
    assert np.nansum(steps) == pytest.approx(spokes, abs=0.02)


@pytest.mark.parametrize(
    "q", [(1, 1, 1), (0.5, 0.3, 0.2), (5, 3, 2), (0.1, 0.1, 0.8), (0, 0.5, 0.5)]
)
def test_on_the_boundary_two_weighted_classes_tie_and_none_is_better(q):
    found = points(map_view.bayes_boundary(THREE, ETA, q))
    assert len(found) > 50

    weighted = THREE.eta(found) * q
    _, second, first = np.sort(weighted, axis=1).T / max(q)
    assert abs(first - second).max() < 5e-3

    one_class = map_view.bayes_boundary(THREE, ETA, (0.0, 0.0, 1.0))
    assert len(points(one_class)) == 0


@pytest.mark.parametrize("t", [0.0, 0.3, 0.5, 0.9, 1.0])
def test_two_classes_have_it_where_eta_is_the_threshold(t):
    _, eta = BOARD.cells(80)
    found = points(map_view.bayes_boundary(BOARD, eta, (t, 1 - t)))
    assert (len(found) > 100) == (0 < t < 1)
    if len(found):
        assert BOARD.eta(found)[:, 1] == pytest.approx(t, abs=0.02)


@pytest.mark.parametrize("problem", [BOARD, bump(), waves(), gaussians()])
def test_points_wear_a_ring_where_the_label_flipped_and_on_a_line_stand_in_rows(problem):
    sample = problem.sample(1000, 0)
    observed = sample.y
    if problem.n_classes == 2:
        observed = LabelNoise(0.3, 0.2).flip(sample.y, sample.v)

    layer = sets.points(problem, sample, observed)
    shown = slice(map_view.MAX_POINTS)
    flipped = observed != sample.y
    assert layer.x == pytest.approx(sample.X[shown, 0], abs=1e-6)
    assert np.array_equal(layer.codes, observed[shown])
    assert np.array_equal(layer.ringed, flipped[shown])
    if problem.dimension == 2:
        return

    rows = []
    for code in range(problem.n_classes):
        (y,) = set(layer.y[layer.codes == code].tolist())
        assert not 0 <= y <= 1, "clear of the curves"
        rows.append(y)
    assert len(set(rows)) == problem.n_classes


def test_balls_reach_their_radius():
    around = map_view.ball(np.array([0.2, 0.3]), 0.1)
    radii = np.hypot(around.x - 0.2, around.y - 0.3)
    assert radii == pytest.approx(0.1, abs=1e-6)

    x, _ = points(line.ball(0.3, 0.125)).T
    assert x.min() == pytest.approx(0.175)
    assert x.max() == pytest.approx(0.425)


def test_eta_of_two_classes_is_one_curve_and_of_three_are_three_with_one_entry():
    x = CELLS[:, 0]
    eta = bump().eta(CELLS)
    three = waves().eta(CELLS)
    drawn = [*line.eta_curves(x, eta), *line.eta_curves(x, three)]
    assert [curve.label for curve in drawn] == ["eta", "eta, by class", None, None]
    for curve, fraction in zip(drawn, [eta[:, 1], *three.T], strict=True):
        assert np.array_equal(curve.x, x)
        assert np.array_equal(curve.y, fraction)
