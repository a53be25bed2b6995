"""The plane and the line: regions, points, balls, boundaries and sets, tested on their layers."""

import numpy as np
import pytest
from refusals import refuses

from knnviz import LabelNoise, Problem, checkerboard, wave2d
from knnviz.problems import bump, gaussians, waves
from knnviz.views import line, sets
from knnviz.views import map as map_view

BOARD = checkerboard()
THREE = gaussians(3, dimension=2)
SAMPLE = BOARD.sample(1000, 0)
CELLS = bump().grid(50).points
_, ETA = THREE.cells(80)
BOUNDARIES = map_view.WeightedBoundaries.of(THREE, 80, ETA)


def test_regions_hold_the_labels_row_by_row():
    labels = BOARD.bayes(BOARD.grid(10).points)
    on_line = bump().bayes(CELLS)
    raster = map_view.regions(BOARD, labels)
    stripes = line.regions(bump(), on_line)
    for x, y in ((0.25, 0.25), (0.25, 0.75), (0.75, 0.25), (0.75, 0.75)):
        assert raster.codes[int(y * 10), int(x * 10)] == BOARD.bayes(np.array([[x, y]]))[0]
    assert (raster.extent, stripes.extent[:2]) == ((0, 1, 0, 1), (0, 1))
    assert stripes.codes.tolist() == [on_line.tolist()]
    frame = map_view.BoxAndNames(
        "mine", ((0.0, 4.0), (-1.0, 1.0)), ("a", "b", "c"), ("width", "height")
    )
    mine = map_view.regions(frame, np.arange(4) % 3)
    axes = map_view.axes(frame)
    assert (mine.extent, mine.codes.tolist()) == ((0, 4, -1, 1), [[0, 1], [2, 0]])
    assert (axes.xlabel, axes.ylabel, axes.xlim, axes.ylim) == ("width", "height", (0, 4), (-1, 1))


@pytest.mark.parametrize("draw", [map_view.regions, sets.advantage])
def test_what_fills_no_square_is_refused(draw):
    refuses("must fill a square grid, got 99 of them", draw, BOARD, np.zeros(99, int))


def points(drawn):
    """What a line passes (n, 2)."""
    return np.stack([drawn.x, drawn.y], axis=1)[~np.isnan(drawn.x)].astype(float)


def test_the_bayes_boundary_lies_where_eta_is_one_half():
    found = points(map_view.bayes_boundary(BOARD))
    assert len(found) > 500
    assert abs(found - 0.5).min(axis=1).max() < 1 / 400
    x, y = points(map_view.bayes_boundary(wave2d())).T
    assert abs(y - 0.5 - 0.12 * np.sin(4 * np.pi * x)).max() < 2 / 400


def test_the_bayes_boundary_of_three_classes_is_traced_once():
    """Its length is that of three spokes, so that the dashes of one tracing do not fill the gaps of
    another.
    """

    def stripes(X):
        return (
            np.stack([abs(X[:, 0] - centre) < 1 / 6 for centre in (1 / 6, 3 / 6, 5 / 6)], axis=1)
            * 0.8
            + 0.2 / 3
        )

    x, _ = points(map_view.bayes_boundary(Problem("stripes", stripes, n_classes=3))).T
    assert np.minimum(abs(x - 1 / 3), abs(x - 2 / 3)).max() < 1 / 400
    drawn = map_view.bayes_boundary(THREE)
    length = np.nansum(np.hypot(np.diff(drawn.x), np.diff(drawn.y)))
    assert length == pytest.approx(1 + 2 / np.cos(np.pi / 6), abs=0.02)


@pytest.mark.parametrize(
    "q", [(1, 1, 1), (0.5, 0.3, 0.2), (5, 3, 2), (0.1, 0.1, 0.8), (0, 0.5, 0.5)]
)
def test_on_the_boundary_two_weighted_classes_tie_and_none_is_better(q):
    found = points(BOUNDARIES.boundary(q))
    scores = np.sort(THREE.eta(found) * q, axis=1) / max(q)
    assert len(found) > 50
    assert abs(scores[:, 2] - scores[:, 1]).max() < 5e-3
    assert len(points(BOUNDARIES.boundary((0.0, 0.0, 1.0)))) == 0


@pytest.mark.parametrize("t", [0.0, 0.3, 0.5, 0.9, 1.0])
def test_two_classes_have_it_where_eta_is_the_threshold(t):
    found = points(
        map_view.WeightedBoundaries.of(BOARD, 80, BOARD.cells(80)[1]).boundary((t, 1 - t))
    )
    assert (len(found) > 0) == (0 < t < 1)
    assert BOARD.eta(found)[:, 1] == pytest.approx(t, abs=0.02) if len(found) else True


def test_points_wear_a_ring_where_the_label_flipped():
    observed = LabelNoise(0.2, 0.3).flip(SAMPLE.y, SAMPLE.v)
    layer = map_view.points(BOARD, SAMPLE, observed)
    assert np.array_equal(layer.ringed, (observed != SAMPLE.y)[: map_view.MAX_POINTS])
    assert np.array_equal(layer.codes, observed[: map_view.MAX_POINTS])
    assert len(layer.x) == map_view.MAX_POINTS


@pytest.mark.parametrize("problem", [bump(), waves(), gaussians()])
def test_points_on_a_line_stand_in_the_row_of_the_class_they_show(problem):
    sample = problem.sample(1000, 0)
    flips = LabelNoise(0.3, 0.2).flip(sample.y, sample.v) if problem.n_classes == 2 else None
    layer = line.points(problem, sample, flips)
    shown = slice(0, line.MAX_POINTS)
    observed = sample.y if flips is None else flips
    assert layer.x == pytest.approx(sample.X[shown, 0], abs=1e-6)
    assert np.array_equal(layer.codes, observed[shown])
    assert np.array_equal(layer.ringed, (observed != sample.y)[shown])
    rows = [set(layer.y[layer.codes == code].tolist()) for code in range(problem.n_classes)]
    assert [len(row) for row in rows] == [1] * problem.n_classes
    assert len(set.union(*rows)) == problem.n_classes
    assert not [y for (y,) in rows if 0 <= y <= 1], "clear of the curves"


def test_balls_reach_their_radius():
    around = map_view.ball(np.array([0.2, 0.3]), 0.1)
    (x, _) = points(line.ball(0.3, 0.125)).T
    assert np.hypot(around.x - 0.2, around.y - 0.3) == pytest.approx(0.1, abs=1e-6)
    assert (x.min(), x.max()) == pytest.approx((0.175, 0.425))


def test_eta_of_two_classes_is_one_curve_and_of_three_are_three_with_one_entry():
    eta = bump().eta(CELLS)
    three = waves().eta(CELLS)
    drawn = [*line.eta_curves(CELLS[:, 0], eta), *line.eta_curves(CELLS[:, 0], three)]
    expected = [eta[:, 1], *three.T]
    assert [curve.label for curve in drawn] == ["eta, class 1", "eta, by class", None, None]
    for curve, fraction in zip(drawn, expected, strict=True):
        assert curve.x == pytest.approx(CELLS[:, 0], abs=1e-7)
        assert curve.y == pytest.approx(fraction, abs=1e-7)


def test_a_set_holds_its_cells_row_by_row():
    at = THREE.grid(20).points
    fill = sets.region(THREE, (at[:, 0] > 0.9) & (at[:, 1] < -0.1), "corner", "a corner")
    assert fill.extent == map_view.extent(THREE) == (-0.5, 1.5, -0.5, 1.5)
    for x, y, inside in (
        (1.4, -0.4, True),
        (-0.4, 1.4, False),
        (1.4, 1.4, False),
        (-0.4, -0.4, False),
    ):
        assert fill.cells[int((y + 0.5) * 10), int((x + 0.5) * 10)] == inside
    fill = sets.region(bump(), CELLS[:, 0] > 0.8, "end", "an end")
    assert (fill.cells.tolist(), fill.extent) == ([[False] * 40 + [True] * 10], line.extent(bump()))


def test_shades_of_the_advantage_change_at_their_steps():
    below = np.nextafter(sets.ADVANTAGE_STEPS, 0)
    above = np.nextafter(sets.ADVANTAGE_STEPS, 1)
    values = np.concatenate([[0], below, sets.ADVANTAGE_STEPS, above, [0.25]])
    codes = np.arange(2)
    raster = sets.advantage(bump(), values)
    assert raster.codes.tolist() == [[0, *codes, *codes + 1, *codes + 1, 2]]
    assert raster.labels == ("advantage < 0.003", "from 0.003", "from 0.03")
    plane = sets.advantage(BOARD, np.where(BOARD.grid(10).points[:, 1] > 0.5, 0.2, 0.0))
    assert (plane.codes[:5].max(), plane.codes[5:].min()) == (0, 2)
