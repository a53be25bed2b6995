"""The triangle of class weights: positions and weights, reference weights."""

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
