"""The triangle of class weights: positions and weights, grid lines, reference weights, the handle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from knnviz.views import triangle

weights = hnp.arrays(float, 3, elements=st.floats(0.001, 1)).map(lambda each: each / each.sum())


@given(weights, st.floats(0.1, 10))
def test_positions_and_weights_belong_together(q, scale):
    """On any scale."""
    position = triangle.positions(scale * q)
    assert triangle.weights_at(*position) == pytest.approx(q)


def test_corners_are_all_weight_on_one_class():
    assert np.array_equal(triangle.positions(np.eye(3)), triangle.CORNERS)


def test_a_grid_line_keeps_one_weight():
    """Between two NaN stand the ends of a line: nine lines for each class, at each tenth."""
    lines = triangle.grid_lines()
    ends = np.stack([lines.x, lines.y], axis=1).reshape(-1, 3, 2)
    assert np.isnan(ends[:, 2]).all()
    kept = []
    for start, end, _ in ends:
        q, other = (triangle.weights_at(*position) for position in (start, end))
        same = np.flatnonzero(abs(q - other) < 1e-6)
        assert len(same) == 1
        assert min(q.min(), other.min()) == pytest.approx(0, abs=1e-6)
        kept.append((int(same[0]), round(float(q[same[0]]), 6)))
    assert sorted(kept) == [(c, step / 10) for c in range(3) for step in range(1, 10)]


def test_reference_weights_are_equal_weights_and_those_that_undo_the_prior():
    prior = np.array([0.6, 0.3, 0.1])
    drawn = triangle.reference_weights(prior)
    equal, inverse = (triangle.weights_at(x, y) for x, y in zip(drawn.x, drawn.y, strict=True))
    assert equal == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert inverse * prior == pytest.approx([(inverse * prior)[0]] * 3, abs=1e-6)


def test_a_class_that_never_occurs_needs_no_weight():
    drawn = triangle.reference_weights(np.array([0.5, 0.5, 0.0]))
    assert triangle.weights_at(drawn.x[1], drawn.y[1]) == pytest.approx([0.5, 0.5, 0], abs=1e-6)


def test_the_handle_says_its_weights():
    mark = triangle.handle(np.array([0.52, 0.29, 0.19]), ("a", "b", "c"))
    assert mark.handles == ("class weights q",)
    assert mark.spoken == ("a 0.52, b 0.29, c 0.19",)


@pytest.mark.parametrize(
    ("q", "inside"),
    [((1, 1, 1), True), ((0.3, 0.3, 0.4), True), ((0.52, 0.24, 0.24), True), ((0.8, 0.1, 0.1), False)]
    + [((0.65, 0.2, 0.15), False), ((0.2, 0.25, 0.55), False), ((0, 0, 1), False)],
)
def test_the_middle_is_what_its_axes_show(q, inside):
    """Up to a hundredth, to which a hand rounds."""
    middle, (x, y) = triangle.middle(triangle.axes()), triangle.positions(np.array(q))
    seen = middle.xlim[0] <= x <= middle.xlim[1] and middle.ylim[0] <= y <= middle.ylim[1]
    assert seen == triangle.in_middle(q) == inside


def test_the_middle_is_that_of_the_triangle():
    whole = triangle.axes()
    middle, equal = triangle.middle(whole), triangle.positions(np.ones(3))
    for axis, (shown, all_of_it) in enumerate(((middle.xlim, whole.xlim), (middle.ylim, whole.ylim))):
        assert sum(shown) / 2 == pytest.approx(equal[axis])
        assert np.diff(shown) == pytest.approx(0.27 * np.diff(all_of_it))


def test_names_at_the_edge_of_the_middle_stand_towards_their_corners():
    middle, names = triangle.middle(triangle.axes()), triangle.corner_arrows(("a", "b", "c"))
    assert names.texts == ("↙ a", "b ↘", "↑ c")
    for c, position in enumerate(np.stack([names.x, names.y], axis=1)):
        assert np.linalg.norm(triangle.CORNERS - position, axis=1).argmin() == c
        assert middle.xlim[0] < position[0] < middle.xlim[1]
        assert middle.ylim[0] < position[1] < middle.ylim[1]
        assert triangle.CORNERS[c, 1] <= 0 < middle.ylim[0] or middle.ylim[1] < triangle.CORNERS[c, 1], "out of sight"


def test_all_of_it_lies_within_the_panel():
    axes = triangle.axes()
    points, names = triangle.corners(("a", "b", "c"))
    for layer in (triangle.sides(), points, names):
        assert (layer.x >= axes.xlim[0]).all()
        assert (layer.x <= axes.xlim[1]).all()
        assert (layer.y >= axes.ylim[0]).all()
        assert (layer.y <= axes.ylim[1]).all()
