"""Parts of the simplex of eta: where a label has the largest score, and where counting errs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_processes import any_process
from reference_implementations import generators

from knnviz.learnability import (
    EXAMPLES,
    frequency,
    largest_score_polygon,
    misaligned_fraction,
    same_best_labels,
)

#: Fractions of the simplex where counting errs, by hand: from where P(S_y | x) of two labels are
#: level.
BY_HAND = {
    "labels themselves": 0,
    "all but one wrong label": 0,
    "mostly right": 0,
    "even inclusion": 0,
    "permutation": 1,
    "two never apart": 3 / 4,
    "a mixture of two": 1 / 3,
    "never alone": 1 / 2,
    "always both": 1,
    "first expert": 3 / 4 - 1 / 2,
    "second expert": 1 / 2 - 3 / 7,
}


@settings(max_examples=40)
@given(generators)
def test_polygons_hold_the_largest_scores(rng):
    """Their areas are part of the fractions below."""
    scores = rng.random((3, 3))
    for label in range(3):
        corners = largest_score_polygon(scores, label)
        if len(corners):
            inside = rng.dirichlet(np.ones(len(corners)), 20) @ corners
            assert inside.min() >= -1e-12
            assert inside.sum(axis=1) == pytest.approx(1)
            values = inside @ scores.T
            assert (values[:, label] >= values.max(axis=1) - 1e-9).all()


@pytest.mark.parametrize(
    ("scores", "sizes"),
    [
        ([[1 + 1e-12, 1, 0], [1, 1, 0], [0, 0, 1]], [0, 0, 3]),
        ([[1, 1], [1, 1]], [0, 0]),
        ([[1, 0], [1, 1]], [1, 2]),
        ([[0, 0.1, 0], [1, 1, 1], [0, 0, 0.5]], [0, 3, 0]),
    ],
)
def test_labels_that_tie_everywhere_have_no_polygon(scores, sizes):
    """Up to rounding, everywhere, in one corner; or one is ahead everywhere."""
    found = [len(largest_score_polygon(scores, label)) for label in range(len(scores))]
    assert found == sizes


@pytest.mark.parametrize("name", EXAMPLES)
def test_fractions_by_hand(name):
    if EXAMPLES[name].n_classes <= 3:
        fraction = misaligned_fraction(EXAMPLES[name].process)
        assert fraction == pytest.approx(BY_HAND[name], abs=1e-12)


@given(st.integers(2, 3), generators)
def test_the_fraction_is_that_of_random_points(n_classes, rng):
    process = any_process(n_classes, rng)
    etas = rng.dirichlet(np.ones(n_classes), 4000)
    wrong = ~same_best_labels(etas, frequency(process, etas))
    fraction = misaligned_fraction(process)
    spread = np.sqrt(fraction * (1 - fraction) / 4000)
    assert wrong.mean() == pytest.approx(fraction, abs=4 * spread + 1e-3)
