"""Class weights on the simplex: its grid, covers, and the nearest weights."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from reference_implementations import reference
from refusals import refuses

from knnviz.problems import waves
from knnviz.weights import confusion, cover, covers, simplex_grid, to_simplex

KHIM = reference("khim_metrics")
Q = (0.5, 0.3, 0.2)
FORMS = ("strict", "weak")


@pytest.mark.parametrize(("n_classes", "m"), [(2, 1), (2, 7), (3, 5), (4, 3)])
def test_the_grid_is_every_composition_in_order(n_classes, m):
    expected = []
    for parts in product(range(m + 1), repeat=n_classes):
        if sum(parts) == m:
            expected.append([part / m for part in parts])
    assert simplex_grid(n_classes, m).tolist() == expected


def test_sizes_of_the_grids_of_the_paper():
    """The cover that it counts has weights of at least 1/10 in steps of 1/100."""
    sizes = KHIM["grid_sizes"]
    grid = simplex_grid(3, 100)
    assert len(grid) == sizes["C=3,m=100"]
    assert len(simplex_grid(7, 12)) == sizes["C=7,m=12"]
    assert (grid.min(axis=1) >= 0.1).sum() == sizes["section5_cover_N"]


@pytest.mark.parametrize(("c", "name"), [(0, "class1"), (1, "class2"), (2, "class3")])
def test_tightest_covers_of_the_example(c, name):
    pair = cover(Q, 100, c)
    assert pair.tolist() == KHIM["tightest_cover"][name]
    for other in range(3):
        assert covers(*pair, Q, other) == (other == c)


def test_what_has_no_cover():
    """On weights of at least 1/10 their edge has none; on the whole simplex its edge has none."""
    corner = (0.8, 0.1, 0.1)
    edge = (0.5, 0.5, 0)
    assert cover(corner, 100, 0, lowest=0.1) is None
    assert cover(corner, 100, 0).tolist() == [[0.82, 0.09, 0.09], [0.78, 0.11, 0.11]]
    assert cover(edge, 100, 0) is None


def weights(n_classes):
    """Weights on the simplex: whole numbers from 1 to 40 over their sum."""
    parts = st.lists(st.integers(1, 40), min_size=n_classes, max_size=n_classes)
    return parts.map(lambda drawn: np.array(drawn) / sum(drawn))


@given(weights(3), st.integers(4, 60), st.integers(0, 2))
def test_the_tightest_strict_cover_is_found_among_all(q, m, c):
    """Every strict cover on the grid lies at or outside the tightest one, in every coordinate."""
    grid = simplex_grid(3, m)
    others = np.arange(3) != c
    signs = np.where(others, -1, 1)
    apart = signs * (grid - q)
    more = grid[(apart > 1e-9).all(axis=1)]
    less = grid[(apart < -1e-9).all(axis=1)]
    found = cover(q, m, c)
    assert (found is None) == (len(more) == 0 or len(less) == 0)
    if found is not None:
        for form in FORMS:
            assert covers(*found, q, c, form)
        most = more[:, others].max(axis=0)
        least = less[:, others].min(axis=0)
        assert found[:, others] == pytest.approx(np.stack([most, least]))
        assert found.sum(axis=1) == pytest.approx([1, 1])


@given(weights(4), weights(4), weights(4), st.integers(0, 3))
def test_strict_implies_weak(more, less, q, c):
    held = [covers(more, less, q, c, form) for form in FORMS]
    assert held == sorted(held)
    itself = [covers(q, q, q, c, form) for form in FORMS]
    assert itself == [False, True]


@given(weights(3), st.integers(5, 50), st.integers(0, 2), st.floats(0.01, 100))
def test_covers_nest_what_is_positive(q, m, c, scale):
    """TN_c(q') <= TN_c(q) <= TN_c(q''): what covers are for, on any scale."""
    pair = cover(q, m, c)
    if pair is not None:
        assert covers(*(pair * scale), q, c)
        eta = waves().eta(waves().grid(300).points)
        upper, lower = pair
        more, own, less = (confusion(eta, eta, each).tn[c] for each in (upper, q, lower))
        assert more - 1e-12 <= own
        assert own <= less + 1e-12


coordinates = st.floats(-2, 2).map(lambda each: round(each, 6))


@given(hnp.arrays(float, st.integers(2, 4), elements=coordinates), st.integers(1, 12))
def test_the_nearest_weights_are_nearest_among_all(q, m):
    found = to_simplex(q)
    on_grid = to_simplex(q, m)
    grid = simplex_grid(len(q), m)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1)
    drawn = np.random.default_rng(0).dirichlet(np.ones(len(q)), 200)
    distance = np.linalg.norm(found - q)
    for others in (grid, drawn):
        assert np.linalg.norm(others - q, axis=1).min() >= distance - 1e-9
    assert abs(grid - on_grid).max(axis=1).min() < 1e-9
    nearest = np.linalg.norm(grid - found, axis=1).min()
    assert np.linalg.norm(on_grid - found) == pytest.approx(nearest, abs=1e-8)


@pytest.mark.parametrize(
    ("q", "wanted"), [((1e16, 1e16, 0), (0.5, 0.5, 0)), ((-1e300, -1e300), (0.5, 0.5))]
)
def test_the_nearest_weights_to_large_numbers(q, wanted):
    for found in (to_simplex(q), to_simplex(q, 10)):
        assert found.tolist() == list(wanted)


def test_of_equal_remainders_the_first_is_rounded_up():
    """Whatever doubles make of 3.5 and 1.5."""
    assert to_simplex((0.35, 0.15, 0.5), 10).tolist() == [0.4, 0.1, 0.5]


def test_a_grid_that_is_too_large_is_refused():
    refuses("at most 2,000,000 points; 10 classes with 100 parts have more", simplex_grid, 10, 100)
