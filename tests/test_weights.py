"""Class weights: the grid on the simplex, and covers."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from reference_implementations import reference
from refusals import refuses

from knnviz.problems import waves
from knnviz.weights import confusion_bayes, cover, covers, simplex_grid, to_simplex

KHIM = reference("khim_metrics")
Q = (0.5, 0.3, 0.2)


@pytest.mark.parametrize(("n_classes", "m"), [(2, 1), (2, 7), (3, 5), (4, 3)])
def test_the_grid_is_every_composition_in_order(n_classes, m):
    compositions = [a for a in product(range(m + 1), repeat=n_classes) if sum(a) == m]
    assert simplex_grid(n_classes, m).tolist() == [[part / m for part in a] for a in compositions]


@pytest.mark.parametrize(("n_classes", "m", "number"), [(3, 100, "C=3,m=100"), (7, 12, "C=7,m=12")])
def test_sizes_of_the_grids_of_the_paper(n_classes, m, number):
    grid = simplex_grid(n_classes, m)
    assert len(grid) == KHIM["grid_sizes"][number] == math.comb(m + n_classes - 1, n_classes - 1)
    assert np.abs(grid.sum(axis=1) - 1).max() < 1e-15
    assert not grid[0, :-1].any()
    assert not grid[-1, 1:].any()


def test_the_cover_that_the_paper_counts():
    """Weights of at least 1/10 in steps of 1/100."""
    assert (simplex_grid(3, 100).min(axis=1) >= 0.1).sum() == KHIM["grid_sizes"]["section5_cover_N"]


def test_the_grid_holds_the_doubles_of_the_decimals():
    assert [0.29, 0.57, 0.14] in simplex_grid(3, 100).tolist()


@pytest.mark.parametrize(("c", "name"), [(0, "class1"), (1, "class2"), (2, "class3")])
def test_tightest_covers_of_the_example(c, name):
    pair = cover(Q, 100, c)
    assert pair.tolist() == KHIM["tightest_cover"][name]
    assert [covers(*pair, Q, other) for other in range(3)] == [other == c for other in range(3)]


def test_what_has_no_cover():
    """On weights of at least 1/10 their edge has none; on the whole simplex its edge has none."""
    assert cover((0.8, 0.1, 0.1), 100, 0, lowest=0.1) is None
    assert cover((0.8, 0.1, 0.1), 100, 0).tolist() == [[0.82, 0.09, 0.09], [0.78, 0.11, 0.11]]
    assert cover((0.5, 0.5, 0), 100, 0) is None
    assert cover((0.5, 0.5, 0), 100, 0, strict=False).tolist() == [[0.5, 0.5, 0], [0.5, 0.5, 0]]


@st.composite
def weights(draw, n_classes):
    """Weights on the simplex: whole numbers from 1 to 40 over their sum."""
    parts = draw(st.lists(st.integers(1, 40), min_size=n_classes, max_size=n_classes))
    return [part / sum(parts) for part in parts]


@given(weights(3), st.integers(4, 60), st.integers(0, 2))
def test_the_tightest_strict_cover_is_found_among_all(q, m, c):
    """Every strict cover on the grid lies at or outside the tightest one, coordinate by coordinate."""
    q, grid = np.array(q), simplex_grid(3, m)
    others = [j for j in range(3) if j != c]
    more = grid[(grid[:, others] < q[others] - 1e-9).all(axis=1) & (grid[:, c] > q[c] + 1e-9)]
    less = grid[(grid[:, others] > q[others] + 1e-9).all(axis=1) & (grid[:, c] < q[c] - 1e-9)]
    found = cover(q, m, c)
    assert (found is None) == (len(more) == 0 or len(less) == 0)
    if found is not None:
        assert all(covers(*found, q, c, form) for form in ("strict", "weak", "ratio"))
        assert found[0, others] == pytest.approx(more[:, others].max(axis=0))
        assert found[1, others] == pytest.approx(less[:, others].min(axis=0))
        assert found.sum(axis=1) == pytest.approx([1, 1])


@given(weights(3), st.integers(10, 60), st.integers(0, 2))
def test_a_weak_cover_holds_and_is_inside_the_strict_one(q, m, c):
    weak, strict = cover(q, m, c, strict=False), cover(q, m, c)
    assert weak is not None or strict is None
    if weak is not None:
        assert covers(*weak, q, c, "weak")
        on_grid = abs(np.array(q) * m - np.round(np.array(q) * m)).max() < 1e-9
        assert (weak[0] == pytest.approx(weak[1])) == on_grid
    if strict is not None:
        assert np.delete(strict[0], c).max() <= np.delete(weak[0], c).max()


@given(weights(4), weights(4), weights(4), st.integers(0, 3))
def test_strict_implies_weak_implies_ratio(more, less, q, c):
    held = [covers(more, less, q, c, form) for form in ("strict", "weak", "ratio")]
    assert held == sorted(held)
    assert covers(q, q, q, c, "weak")
    assert covers(3 * np.array(q), 7 * np.array(q), q, c, "ratio")
    assert not covers(q, q, q, c)


@given(weights(3), st.integers(5, 50), st.integers(0, 2), st.floats(0.01, 100))
def test_covers_nest_what_is_positive(q, m, c, scale):
    """TN_c(q') <= TN_c(q) <= TN_c(q''): what makes covers useful, and the ratio form is free of scale."""
    pair = cover(q, m, c)
    if pair is None:
        return
    assert covers(*(pair * scale), q, c, "ratio")
    eta = waves().eta(waves().grid(300).points)
    more, own, less = (confusion_bayes(eta, weights).tn[c] for weights in (pair[0], q, pair[1]))
    assert more <= own + 1e-12
    assert own <= less + 1e-12


def test_ratio_covers_need_not_be_weak():
    """The weights of class 1 against those of 2 and 3 are what counts, not the scale."""
    assert covers((2, 1, 0.5), (1, 1, 1), (5, 3, 2), 0, "ratio")
    assert not covers((2, 1, 0.5), (1, 0.5, 1), (5, 3, 2), 0, "ratio")
    assert not covers((2, 1.3, 0.5), (1, 1, 1), (5, 3, 2), 0, "ratio")
    more, less = np.array([0.51, 0.29, 0.2]), np.array([0.4, 0.3, 0.3])
    assert covers(more, less, Q, 0, "weak")
    assert not covers(more, less, Q, 0)


numbers = hnp.arrays(float, st.integers(2, 5), elements=st.floats(-3, 3).map(lambda each: round(each, 6)))


@given(numbers, st.integers(1, 100))
def test_the_nearest_weights(q, m):
    """Among all that differ from them by shifting weight, and on the grid by one part."""
    found, on_grid = to_simplex(q), to_simplex(q, m)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1)
    rng = np.random.default_rng(0)
    others = rng.dirichlet(np.ones(len(q)), 200)
    assert (np.linalg.norm(others - q, axis=1) >= np.linalg.norm(found - q) - 1e-9).all()
    assert on_grid * m == pytest.approx(np.round(on_grid * m), abs=1e-9)
    assert on_grid.min() >= 0
    assert on_grid.sum() == pytest.approx(1)
    assert abs(on_grid - found).max() < 1 / m + 1e-9


@given(
    hnp.arrays(float, st.integers(2, 4), elements=st.floats(-2, 2).map(lambda each: round(each, 6))), st.integers(1, 12)
)
def test_the_nearest_of_the_grid_is_found_among_all(q, m):
    apart = np.linalg.norm(simplex_grid(len(q), m) - to_simplex(q), axis=1)
    assert np.linalg.norm(to_simplex(q, m) - to_simplex(q)) == pytest.approx(apart.min(), abs=1e-8)


@pytest.mark.parametrize(
    ("q", "wanted"),
    [
        ((1e16, 0), (1, 0)),
        ((1e16, 1e16, 0), (0.5, 0.5, 0)),
        ((1e308, -1e308, -1e308), (1, 0, 0)),
        ((-1e300, -1e300), (0.5, 0.5)),
        ((1e20, 0, 0), (1, 0, 0)),
    ],
)
def test_the_nearest_weights_to_large_numbers(q, wanted):
    assert to_simplex(q).tolist() == list(wanted)
    assert to_simplex(q, 10).tolist() == list(wanted)


def test_weights_on_the_grid_stay():
    for q in simplex_grid(3, 20):
        assert to_simplex(q, 100) == pytest.approx(q, abs=1e-15)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: simplex_grid(1, 10), "n_classes must be between 2 and 255, got 1"),
        (lambda: simplex_grid(3, 0), "m must be at least 1, got 0"),
        (lambda: simplex_grid(3, 2.5), "m must be a whole number, got 2.5"),
        (
            lambda: simplex_grid(10, 100),
            "a grid on the simplex may have at most 2000000 points, got 4263421511271 of m = 100",
        ),
        (lambda: cover((5, 3, 2), 100, 0), "q must sum to 1, got 10"),
        (lambda: cover((1.0,), 100, 0), "two or more classes"),
        (lambda: cover(5, 100, 0), "q must hold weights of two or more classes, got 5"),
        (lambda: covers(Q, Q, 5, 0), "q must hold weights of two or more classes, got 5"),
        (lambda: covers(Q, (0.5, np.nan, 0.5), Q, 0), "less must hold 3 weights that are finite"),
        (lambda: cover(Q, 100, 3), "class c must be between 0 and 2, got 3"),
        (lambda: cover(Q, 100, 0, lowest=2), "lowest must be between 0 and 1, got 2"),
        (lambda: covers(Q, Q, Q, 0, "loose"), "form must be 'strict', 'weak' or 'ratio', got 'loose'"),
        (lambda: covers((0.5, 0.5), Q, Q, 0), "more must hold 3 weights that are finite, not negative and not all 0"),
        (lambda: covers((5, 3, 2), Q, Q, 0, "weak"), "more must sum to 1, got 10"),
        (lambda: to_simplex((0.5,)), "two or more finite numbers"),
        (lambda: to_simplex((0.5, np.nan)), "two or more finite numbers"),
        (lambda: to_simplex(Q, 0), "m must be at least 1, got 0"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(call, message):
    refuses(message, call)
