"""Parts of the simplex of eta: where a label has the largest score, and where counting errs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_processes import any_process
from reference_implementations import generators

from knnviz.learnability import (
    frequency,
    largest_score_polygon,
    misaligned_fraction,
    same_best_labels,
)


@settings(max_examples=40)
@given(generators)
def test_polygons_hold_the_largest_scores(rng):
    """Their areas are part of the fractions in ``tests/reference/values.json``."""
    scores = rng.random((3, 3))
    for label in range(3):
        corners = largest_score_polygon(scores, label)
        if len(corners):
            inside = rng.dirichlet(np.ones(len(corners)), 20) @ corners
            assert inside.min() >= -1e-12
            assert inside.sum(axis=1) == pytest.approx(1)
            values = inside @ scores.T
            assert (values[:, label] >= values.max(axis=1) - 1e-9).all()


@given(st.integers(2, 3), generators)
def test_the_fraction_is_that_of_random_points(n_classes, rng):
    process = any_process(n_classes, rng)
    etas = rng.dirichlet(np.ones(n_classes), 4000)
    wrong = ~same_best_labels(etas, frequency(process, etas))
    fraction = misaligned_fraction(process)
    spread = np.sqrt(fraction * (1 - fraction) / 4000)
    assert wrong.mean() == pytest.approx(fraction, abs=4 * spread + 1e-3)
