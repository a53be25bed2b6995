"""Class weights on the simplex: its grid, covers, and the nearest weights."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from reference_implementations import reference
from refusals import refuses

from knnviz.weights import cover, covers, simplex_grid, to_simplex

KHIM = reference("khim_metrics")
Q = (0.5, 0.3, 0.2)
FORMS = ("strict", "weak")


@pytest.mark.parametrize(("n_classes", "m"), [(2, 1), (2, 7), (3, 5), (4, 3)])
def test_the_grid_is_every_composition_in_order(n_classes, m):
    every = product(range(m + 1), repeat=n_classes)
    expected = np.array([parts for parts in every if sum(parts) == m]) / m
    assert np.array_equal(simplex_grid(n_classes, m), expected)


@pytest.mark.parametrize(("c", "name"), [(0, "class1"), (1, "class2"), (2, "class3")])
def test_tightest_covers_of_the_example(c, name):
    pair = cover(Q, 100, c)
    assert pair.tolist() == KHIM["tightest_cover"][name]
    assert [covers(*pair, Q, other) for other in range(3)] == [other == c for other in range(3)]


def weights(n_classes):
    """Weights on the simplex: whole numbers from 1 to 40 over their sum."""
    parts = st.lists(st.integers(1, 40), min_size=n_classes, max_size=n_classes)
    return parts.map(lambda drawn: np.array(drawn) / sum(drawn))


@given(weights(3), st.integers(4, 60), st.integers(0, 2))
def test_the_tightest_strict_cover_is_found_among_all(q, m, c):
    """Every strict cover on the grid lies at or outside the tightest one, in every coordinate."""
    grid = simplex_grid(3, m)
    others = np.arange(3) != c
    apart = np.where(others, -1, 1) * (grid - q)
    more = grid[(apart > 1e-9).all(axis=1)]
    less = grid[(apart < -1e-9).all(axis=1)]
    found = cover(q, m, c)
    assert (found is None) == (len(more) == 0 or len(less) == 0)
    if found is not None:
        assert all(covers(*found, q, c, form) for form in FORMS)
        most = more[:, others].max(axis=0)
        least = less[:, others].min(axis=0)
        assert found[:, others] == pytest.approx(np.stack([most, least]))
        assert found.sum(axis=1) == pytest.approx(1)


@given(weights(4), weights(4), weights(4), st.integers(0, 3))
def test_strict_implies_weak(more, less, q, c):
    assert not covers(more, less, q, c) or covers(more, less, q, c, "weak")
    assert [covers(q, q, q, c, form) for form in FORMS] == [False, True]


coordinates = st.floats(-2, 2).map(lambda each: round(each, 6))


@given(hnp.arrays(float, st.integers(2, 4), elements=coordinates), st.integers(1, 12))
def test_the_nearest_weights_are_nearest_among_all(q, m):
    found = to_simplex(q)
    grid = simplex_grid(len(q), m)
    drawn = np.random.default_rng(0).dirichlet(np.ones(len(q)), 200)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1)
    others = np.concatenate([grid, drawn])
    assert np.linalg.norm(others - q, axis=1).min() >= np.linalg.norm(found - q) - 1e-9

    on_grid = to_simplex(q, m)
    assert abs(grid - on_grid).max(axis=1).min() < 1e-9
    nearest = np.linalg.norm(grid - found, axis=1).min()
    assert np.linalg.norm(on_grid - found) == pytest.approx(nearest, abs=1e-8)


def test_a_grid_that_is_too_large_is_refused():
    refuses("at most 2,000,000 points; 10 classes with 100 parts have more", simplex_grid, 10, 100)
