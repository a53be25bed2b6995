"""Closed forms against the same sets integrated on grids, and against reference values."""

import numpy as np
import pytest
from reference_implementations import numbers_in, reference

from knnviz import LabelNoise, problems, regions, risk
from knnviz.bounds import closed_forms as forms
from knnviz.problems import bump, jump, linear, power
from knnviz.profiles import BallProfile

ACTIVE = reference("active")


def test_radius_of_a_mass_on_the_line():
    for x, p, radius in ACTIVE["prob_radius_1d"]:
        assert forms.probability_radius(x, p) == pytest.approx(radius)
    x = np.linspace(0.0123, 0.9871, 40)
    for p in (0.01, 0.3, 0.8, 1.0):
        radius = forms.probability_radius(x, p)
        assert np.minimum(x + radius, 1) - np.maximum(x - radius, 0) == pytest.approx(np.full(40, p))


def boundary_mass(problem, resolution, p, margin):
    measure, eta = problem.cells(resolution)
    return measure.weights @ regions.effective_boundary(BallProfile.integrate(measure, eta, masses=[p]), p, margin)


def test_boundary_mass_of_a_jump():
    case = ACTIVE["step1d"]
    form = forms.jump_boundary_mass(case["a"], case["p"], case["Delta"])
    assert form == pytest.approx(case["analytic"], abs=1e-6)
    errors = [abs(boundary_mass(jump(0.3), cells, 0.2, 0.1) - form) for cells in (100, 400, 2000)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1e-3
    assert forms.jump_boundary_mass(0.3, 0.2, 0.31) == case["Delta_above_a"]
    assert boundary_mass(jump(0.3), 2000, 0.2, 0.1) == pytest.approx(case["grid"], abs=1e-9)
    assert boundary_mass(jump(0.3), 400, 0.2, 0.31) == pytest.approx(1)
    widest = 0.3 / (0.3 + 0.2)
    assert boundary_mass(jump(0.3), 2000, widest, 0.2) == pytest.approx(
        forms.jump_boundary_mass(0.3, widest, 0.2), abs=2e-3
    )
    with pytest.raises(ValueError, match=r"the closed form needs p \(1 \+ Delta / a\) <= 1, got 1\.01"):
        forms.jump_boundary_mass(0.3, widest * 1.01, 0.2)


def test_boundary_mass_of_a_line():
    case = ACTIVE["linear1d"]
    for p in (0.02, case["p"], 0.6):
        form = forms.linear_boundary_mass(case["slope"], p, case["Delta"])
        assert form == pytest.approx(case["analytic"])
        assert boundary_mass(linear(case["slope"]), 2000, p, case["Delta"]) == pytest.approx(form, abs=1.1e-3)
    assert forms.linear_boundary_mass(0.2, 0.1, 0.1) == 1
    assert boundary_mass(linear(0.2), 400, 0.1, 0.1) == pytest.approx(1)
    with pytest.raises(ValueError, match=r"the closed form needs p <= 1 - 2 Delta / s = 0\.750, got 0\.8"):
        forms.linear_boundary_mass(0.8, 0.8, 0.1)
    assert boundary_mass(linear(0.8), 2000, 0.8, 0.1) > 0.3


def test_advantage_of_a_jump():
    measure, eta = jump(0.3).cells(2000)
    for t, whole, closed, capped, closed_capped in ACTIVE["advantage_step1d"]:
        balls = BallProfile.integrate(measure, eta, [[0.5 + t]], [0.1, 1.0])
        for cap, grid, form in ((1, whole, closed), (0.1, capped, closed_capped)):
            assert grid == pytest.approx(form, abs=4e-4)
            assert regions.advantage(balls, cap)[0] == pytest.approx(form, abs=4e-4)


@pytest.mark.parametrize(("p", "margin", "mass"), ACTIVE["boundary_mass_power_kappa2"])
def test_boundary_mass_of_the_power_family(p, margin, mass):
    """The reference run is on 400 cells or fewer: it counts whole ones."""
    assert forms.power_boundary_mass(2, p, margin) == pytest.approx(mass, abs=5e-3)


@pytest.mark.parametrize("kappa", [1.0, 1.5, 3.0, 6.0])
@pytest.mark.parametrize(("p", "margin"), [(0.05, 0.1), (0.3, 0.02), (0.3, 0.2), (0.7, 0.1), (0.2, 0.5)])
def test_the_power_family_on_a_grid(kappa, p, margin):
    try:
        mass = forms.power_boundary_mass(kappa, p, margin)
    except ValueError:
        assert boundary_mass(power(kappa), 2000, p, margin) > (2 * margin) ** (1 / kappa) + 1e-3
    else:
        assert boundary_mass(power(kappa), 2000, p, margin) == pytest.approx(mass, abs=2e-3)


@pytest.mark.parametrize(
    ("width", "height", "low", "p", "margin"),
    [(0.2, 0.9, 0.1, 0.1, 0.2), (0.2, 0.9, 0.1, 0.2, 0.39), (0.3, 0.8, 0.1, 0.15, 0.1), (0.5, 1.0, 0.2, 0.25, 0.29)],
)
def test_the_bump_on_a_grid(width, height, low, p, margin):
    known = forms.bump_boundary_mass(width, height, low, p, margin)
    assert boundary_mass(bump(width, height, low), 4000, p, margin) == pytest.approx(known, abs=2e-3)


PLATEAUS = reference("reeve_kaban")["plateau"]
NAMES = {
    "level": "m",
    "observed": "eta_corr_m",
    "threshold": "theta",
    "eta_at_half": "flip_eta",
    "bayes_risk": "bayes",
    "misled": "mu_A0",
    "vote_limit": "knn_limit",
    "smoothness_constant": "omega_min",
    "margin_constant": "C_alpha_for_alpha_1",
}


@pytest.mark.parametrize("name", PLATEAUS)
def test_the_plateau_family(name):
    found = forms.plateau(*numbers_in(name))._asdict()
    assert found == pytest.approx({field: PLATEAUS[name][theirs] for field, theirs in NAMES.items()}, rel=1e-9)


@pytest.mark.parametrize("rates", [*map(numbers_in, PLATEAUS), [0.0, 0.49], [0.12, 0.37]])
def test_the_plateau_family_by_the_midpoint_rule(rates):
    """With 10^6 cells: at each of the two ends of A_0 at most half of one is missed."""
    form, noise = forms.plateau(*rates), LabelNoise(*rates)
    measure, eta = problems.plateau(*rates).cells(10**6)
    misled = measure.weights @ regions.misled_points(eta, noise.corrupt(eta))
    assert misled == pytest.approx(form.misled, abs=1e-6)
    assert measure.weights @ eta.min(axis=1) == pytest.approx(form.bayes_risk, abs=1e-6)
    assert risk.Limits.of(eta, measure.weights).vote(noise) == pytest.approx(form.vote_limit, abs=1e-6)
    assert form.eta_at_half == pytest.approx((0.5 - rates[0]) / noise.contrast)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: forms.probability_radius(1.2, 0.1), "x must lie between 0 and 1"),
        (lambda: forms.probability_radius(0.2, 0), "ball mass p must be finite and above 0, got 0"),
        (lambda: forms.jump_boundary_mass(0, 0.1, 0.1), "a must be finite and above 0, got 0"),
        (lambda: forms.linear_boundary_mass(0.5, 0.1, 0.6), r"margin Delta must be between 0 and 0\.5, got 0\.6"),
        (lambda: forms.power_boundary_mass(0.9, 0.1, 0.1), "kappa must be between 1 and 20, got 0.9"),
        (
            lambda: forms.power_boundary_mass(1, 0.9, 0.2),
            r"the closed form needs balls of margin Delta at the ends, got 0\.050 < ",
        ),
        (lambda: forms.power_boundary_mass(1, 0.0, 0.2), "ball mass p must be finite and above 0, got 0"),
        (lambda: forms.bump_boundary_mass(0.2, 0.9, 0.1, 0.21, 0.2), r"the closed form needs p <= 0\.200, got 0\.21"),
        (
            lambda: forms.bump_boundary_mass(0.2, 0.9, 0.1, 0.1, 0.41),
            r"the closed form needs Delta from 0\.000 to 0\.400, got 0\.41",
        ),
        (lambda: forms.bump_boundary_mass(0.2, 0.5, 0.5, 0.1, 0), "a bump needs height above low, got 0.5 for both"),
        (lambda: forms.bump_boundary_mass(0.2, 0.4, 0.1, 0.1, 0.1), "height must be between 0.5 and 1, got 0.4"),
        (lambda: forms.plateau(0.2, 0.2), "the plateau needs two different flip rates below 1/2, got 0.2 and 0.2"),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
