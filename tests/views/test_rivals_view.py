"""The Rivals, tested on their layers."""

import numpy as np
import pytest

from knnviz.problems import moons
from knnviz.views import map as map_view
from knnviz.views import rivals

COUNT = 8


def test_boxes_stand_in_two_rows_of_four_and_do_not_touch():
    corners = rivals.corners(COUNT)
    assert len(set(corners[:, 0].round(9))) == 4
    assert len(set(corners[:, 1].round(9))) == 2
    assert (corners[:4, 1] > corners[4:, 1] + 1).all(), "the first ones are above"
    assert np.diff(np.unique(corners[:, 0].round(9))) == pytest.approx([1 + rivals.GAP] * 3)
    assert rivals.corners(5)[4].tolist() == [0, 0]


def test_a_box_is_a_square_of_the_panel_and_all_lie_within():
    axes = rivals.axes("title", COUNT)
    (left, right), (bottom, top) = axes.xlim, axes.ylim
    assert rivals.aspect(COUNT) == pytest.approx((top - bottom) / (right - left))
    frames, names, risks = rivals.frames(COUNT), rivals.names(["a"] * COUNT), rivals.risks(["b"] * COUNT)
    for layer in (frames, names, risks):
        x, y = layer.x[np.isfinite(layer.x)], layer.y[np.isfinite(layer.y)]
        assert left < x.min() <= x.max() < right
        assert bottom < y.min() <= y.max() < top
    assert (names.y > risks.y).all()
    assert risks.y - rivals.corners(COUNT)[:, 1] == pytest.approx([1 + rivals.RISK_HEIGHT] * COUNT, abs=1e-6)


def test_regions_fill_their_box_and_the_first_names_the_classes():
    problem, labels = moons(), np.arange(9) % 2
    for box, (left, bottom) in enumerate(rivals.corners(COUNT)):
        raster = rivals.regions(problem, labels, box, COUNT)
        assert raster.extent == pytest.approx((left, left + 1, bottom, bottom + 1))
        assert raster.codes.tolist() == labels.reshape(3, 3).tolist()
        assert raster.palette == map_view.regions(problem, labels).palette
        assert raster.labels == (() if box else problem.class_names)


def test_the_boundary_stands_in_each_box_as_on_the_map():
    problem = moons()
    bayes = map_view.bayes_boundary(problem, 40)
    drawn, ((left, right), (bottom, top)) = rivals.boundaries(problem, bayes, COUNT), problem.box
    x, y = drawn.x.reshape(COUNT, -1), drawn.y.reshape(COUNT, -1)
    for box, corner in enumerate(rivals.corners(COUNT)):
        assert left + (x[box] - corner[0]) * (right - left) == pytest.approx(bayes.x, abs=1e-5, nan_ok=True)
        assert bottom + (y[box] - corner[1]) * (top - bottom) == pytest.approx(bayes.y, abs=1e-5, nan_ok=True)
    assert drawn.width < bayes.width
    assert drawn.label == bayes.label


def test_words_stand_in_the_middle_of_their_box():
    notes = rivals.notes({2: "one", 7: "other"}, COUNT)
    assert notes.texts == ("one", "other")
    assert np.stack([notes.x, notes.y], axis=1) == pytest.approx(rivals.corners(COUNT)[[2, 7]] + 0.5, abs=1e-6)
    assert rivals.notes({}, COUNT).texts == ()
    assert rivals.sentence("all", COUNT).texts == ("all",)
