"""The triangle of class weights: positions and weights, reference weights, its middle."""

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


def test_reference_weights_are_equal_weights_and_those_that_undo_the_prior():
    prior = np.array([0.6, 0.3, 0.1])
    drawn = triangle.reference_weights(prior)
    equal, inverse = (triangle.weights_at(x, y) for x, y in zip(drawn.x, drawn.y, strict=True))
    assert equal == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert inverse * prior == pytest.approx([(inverse * prior)[0]] * 3, abs=1e-6)


def test_a_class_that_never_occurs_needs_no_weight():
    drawn = triangle.reference_weights(np.array([0.5, 0.5, 0.0]))
    assert triangle.weights_at(drawn.x[1], drawn.y[1]) == pytest.approx([0.5, 0.5, 0], abs=1e-6)


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
