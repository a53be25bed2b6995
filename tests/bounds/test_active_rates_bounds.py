"""Rate curves beside the scalar formulas and the exponents of the reference run."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import numbers_in, reference

from knnviz.bounds import chaudhuri_dasgupta as cd
from knnviz.bounds import rittler

ACTIVE = reference("active")
SIZES = np.geomspace(100, 1e16, 57)


def curves(alpha=1.0, beta=0.9, delta=0.1, **more):
    return rittler.rate_curves(SIZES, alpha, beta, delta, **more)


@pytest.mark.parametrize("name", ACTIVE["rates"])
def test_curves_fall_and_grow_with_the_exponents_of_the_table(name):
    """But for the logarithm in the active k, slopes on two logarithmic axes are the exponents."""
    known = ACTIVE["rates"][name]
    alpha, beta = numbers_in(name)
    found, along = curves(alpha, beta), np.log(SIZES)
    for attribute, sign, exponent in (
        ("passive", -1, "passive_exp"),
        ("active", -1, "active_exp"),
        ("passive_neighbors", 1, "k_exp_passive"),
    ):
        slopes = np.diff(np.log(getattr(found, attribute))) / np.diff(along)
        assert slopes == pytest.approx(sign * known[exponent], abs=1e-6), attribute
    without = np.log(found.active_neighbors) + known["active_exp"] * np.log(along)
    assert np.diff(without) / np.diff(along) == pytest.approx(known["k_exp_active"], abs=1e-6)


@given(
    st.floats(0.05, 1),
    st.floats(0.05, 1.95),
    st.floats(0.01, 0.9),
    st.integers(1, 10),
    st.floats(0.1, 10),
    st.floats(1e-6, 1e3),
)
def test_curves_are_the_scalar_formulas(alpha, beta, delta, dimension, L, constant):
    more = {"dimension": dimension, "smoothness_constant": L, "constant": constant}
    found = curves(alpha, beta, delta, **more)
    for j in (0, 20, -1):
        n = float(SIZES[j])
        k = rittler.active_neighbors(n, alpha, beta, delta, constant)
        both = rittler.condition(n, k, dimension, delta, alpha, L)
        assert found.active_neighbors[j] == pytest.approx(k)
        assert found.active_ratio[j] == pytest.approx(both.ratio)
        passive = rittler.condition(n, found.passive_neighbors[j], dimension, delta, alpha, L)
        assert found.passive_ratio[j] == pytest.approx(passive.ratio)
        assert found.possible[j] == (1 <= k <= n)


def test_the_passive_k_is_that_of_its_own_theorem():
    found = curves(0.5, 1.0)
    for j in range(1, 20):
        n = round(SIZES[j])
        assert cd.passive_neighbors(n, 0.5, 0.1) == pytest.approx(found.passive_neighbors[j], abs=0.51)


def ratio_at(n, alpha, power):
    return rittler.condition(n, n**power, 1, 0.1, alpha).ratio


@pytest.mark.parametrize("alpha", [0.25, 0.4, 0.5, 1.0])
def test_the_condition_allows_the_smaller_of_two_powers(alpha):
    """k may grow like n^(2 alpha / (2 alpha + 1)) from alpha = 1/2 on, and below that only like n^alpha."""
    allowed = min(2 * alpha / (2 * alpha + 1), alpha)
    ends = 1e40, 1e80
    at, above = ([ratio_at(n, alpha, allowed + more) for n in ends] for more in (0, 0.05))
    assert at[1] == pytest.approx(at[0], rel=0.02)
    assert above[1] < above[0] / 5
    assert (allowed == alpha) == (alpha <= 0.5)


@given(st.floats(0.05, 1), st.floats(0.05, 1.95))
def test_k_outgrows_the_balls_of_the_augmented_region_if_alpha_times_two_plus_beta_exceeds_one(alpha, beta):
    product = alpha * (2 + beta)
    if abs(product - 1) > 1e-9:
        assert (rittler.active_exponents(alpha, beta).neighbors > 0.5) == (product > 1)


def test_the_condition_fails_in_the_end_and_k_outgrows_n_from_one_on():
    """Whatever the constant: (*) holds on a stretch at most, and at alpha = beta = 1 the active k is of order n."""
    for constant in (1e-6, 1e-3, 1.0):
        assert (np.diff(curves(constant=constant).active_ratio[-5:]) < 0).all()
    window = np.flatnonzero(curves(constant=1e-3).holds)
    assert 0 < window[0] < window[-1] < len(SIZES) - 1
    assert np.array_equal(window, np.arange(window[0], window[-1] + 1))
    assert curves(1.0, 1.0).possible.all(), "log n divides it still"
    assert not curves(1.0, 1.5).possible.any()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"sizes": [1.0]}, r"sizes must be finite numbers above 1, got \[1\.0\]"),
        ({"sizes": [np.nan]}, "sizes must be finite numbers above 1"),
        ({"smoothness": 0}, "smoothness alpha must be finite and above 0, got 0"),
        ({"margin_exponent": 2.0}, "margin exponent beta must be below 2, got 2"),
        ({"delta": 1.0}, "failure probability delta must lie strictly between 0 and 1, got 1"),
        ({"dimension": 0}, "dimension must be at least 1, got 0"),
        ({"smoothness_constant": 0}, "smoothness constant L must be finite and above 0, got 0"),
        ({"constant": 0}, "constant must be finite and above 0, got 0"),
    ],
)
def test_bad_input_is_refused(change, sentence):
    values = {"sizes": [100.0], "smoothness": 1.0, "margin_exponent": 0.9, "delta": 0.1} | change
    with pytest.raises(ValueError, match=f"^{sentence}"):
        rittler.rate_curves(**values)
