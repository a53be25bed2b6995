"""Rate curves beside the scalar formulas and the reference run; boundary masses of the power family and the bump."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import reference

from knnviz import bounds, regions
from knnviz.bounds import chaudhuri_dasgupta as cd
from knnviz.bounds import rittler
from knnviz.bounds.closed_forms import bump_boundary_mass, power_boundary_mass
from knnviz.problems import bump, power
from knnviz.profiles import BallProfile

ACTIVE, MASSES = reference("active_rates"), reference("active")["boundary_mass_power_kappa2"]
SIZES = np.geomspace(100, 1e16, 57)


def curves(alpha=1.0, beta=0.9, delta=0.1, **more):
    return rittler.rate_curves(SIZES, alpha, beta, delta, **more)


@pytest.mark.parametrize("name", ACTIVE["rates"])
def test_curves_fall_and_grow_with_the_exponents_of_the_table(name):
    """But for the logarithm in the active k, slopes on two logarithmic axes are the exponents."""
    known = ACTIVE["rates"][name]
    alpha, beta = (float(part.split("=")[1]) for part in name.split(","))
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


def test_ratios_of_the_reference_run():
    powers, active, passive, ks = np.array(ACTIVE["condition"]).T
    found = rittler.rate_curves(10**powers, 1, 0.9, 0.1)
    assert found.active_ratio == pytest.approx(active, abs=1e-6)
    assert found.passive_ratio == pytest.approx(passive, abs=1e-6)
    assert found.active_neighbors == pytest.approx(ks, rel=1e-3)
    assert not found.holds.any()


@pytest.mark.parametrize(("constant", "ratios"), ACTIVE["scaled"])
def test_ratios_with_a_constant_of_the_reference_run(constant, ratios):
    found = rittler.rate_curves(np.array(ACTIVE["scaled_sizes"]), 1, 0.9, 0.1, constant=constant)
    assert found.active_ratio == pytest.approx(ratios, abs=1e-6)


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


def boundary_mass(problem, p, margin, resolution=2000):
    measure, eta = problem.cells(resolution)
    balls = BallProfile.integrate(measure, eta, masses=[p])
    return float(measure.weights @ regions.effective_boundary(balls, p, margin))


@pytest.mark.parametrize(("p", "margin", "mass"), MASSES)
def test_boundary_mass_of_the_power_family(p, margin, mass):
    """The reference run is on 400 cells or fewer: it counts whole ones."""
    assert power_boundary_mass(2, p, margin) == pytest.approx(mass, abs=5e-3)


@pytest.mark.parametrize("kappa", [1.0, 1.5, 3.0, 6.0])
@pytest.mark.parametrize(("p", "margin"), [(0.05, 0.1), (0.3, 0.02), (0.3, 0.2), (0.7, 0.1), (0.2, 0.5)])
def test_the_power_family_on_a_grid(kappa, p, margin):
    try:
        mass = power_boundary_mass(kappa, p, margin)
    except ValueError:
        assert boundary_mass(power(kappa), p, margin) > (2 * margin) ** (1 / kappa) + 1e-3
    else:
        assert boundary_mass(power(kappa), p, margin) == pytest.approx(mass, abs=2e-3)


@pytest.mark.parametrize(
    ("width", "height", "low", "p", "margin"),
    [(0.2, 0.9, 0.1, 0.1, 0.2), (0.2, 0.9, 0.1, 0.2, 0.39), (0.3, 0.8, 0.1, 0.15, 0.1), (0.5, 1.0, 0.2, 0.25, 0.29)],
)
def test_the_bump_on_a_grid(width, height, low, p, margin):
    known = bump_boundary_mass(width, height, low, p, margin)
    assert boundary_mass(bump(width, height, low), p, margin, 4000) == pytest.approx(known, abs=2e-3)


def test_the_bump_of_theorem_3():
    """The reference run, on 400 cells, counts 0.13."""
    found = cd.theorem_3(bump(), 1000, 60, 0.1)
    assert found.boundary_mass == pytest.approx(bump_boundary_mass(0.2, 0.9, 0.1, found.mass, found.margin), abs=1e-3)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ((power_boundary_mass, 0.9, 0.1, 0.1), "kappa must be between 1 and 20, got 0.9"),
        ((power_boundary_mass, 1, 0.9, 0.2), r"the closed form needs balls of margin Delta at the ends, got 0\.050 < "),
        ((power_boundary_mass, 1, 0.0, 0.2), "ball mass p must be finite and above 0, got 0"),
        ((bump_boundary_mass, 0.2, 0.9, 0.1, 0.21, 0.2), r"the closed form needs p <= 0\.200, got 0\.21"),
        (
            (bump_boundary_mass, 0.2, 0.9, 0.1, 0.1, 0.41),
            r"the closed form needs Delta from 0\.000 to 0\.400, got 0\.41",
        ),
        ((bump_boundary_mass, 0.2, 0.5, 0.5, 0.1, 0), "a bump needs height above low, got 0.5 for both"),
        ((bump_boundary_mass, 0.2, 0.4, 0.1, 0.1, 0.1), "height must be between 0.5 and 1, got 0.4"),
    ],
)
def test_closed_forms_refuse(call, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}"):
        call[0](*call[1:])


def test_they_are_a_part_of_the_bounds():
    assert bounds.rittler.rate_curves is rittler.rate_curves
