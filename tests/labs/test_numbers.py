"""Numbers as a reader sees them."""

import pytest

from knnviz.labs.engine.numbers import format_number


@pytest.mark.parametrize(
    ("value", "text"),
    [(99.99, "99.9900"), (100 - 1e-9, "100"), (100.0, "100"), (828.2412, "828.24"), ((0.25, 3), "0.2500 : 3")],
)
def test_a_number_whose_last_bit_differs_looks_the_same(value, text):
    assert format_number(value) == text
