"""Closed forms against the same sets integrated on grids, and against reference values."""

import numpy as np
import pytest
from reference_implementations import reference

from knnviz import LabelNoise, Problem, bounds, problems, regions, risk, wave2d
from knnviz.bounds import closed_forms as forms
from knnviz.problems import bump, jump, linear
from knnviz.profiles import BallProfile

ACTIVE = reference("active")


def test_it_is_a_part_of_the_bounds():
    assert bounds.closed_forms is forms


def test_radius_of_a_mass_on_the_line():
    for x, p, radius in ACTIVE["prob_radius_1d"]:
        assert forms.probability_radius(x, p) == pytest.approx(radius)
    queries, measure = np.linspace(0.0123, 0.9871, 40), linear().measure(20_000)
    for p in (0.01, 0.3, 0.8, 1.0):
        read = forms.probability_radius_in(measure, queries[:, None], p)
        assert read == pytest.approx(forms.probability_radius(queries, p), abs=1e-4)


def test_radius_in_a_plane_and_among_atoms():
    square = wave2d().measure(300)
    assert np.pi * forms.probability_radius_in(square, [[0.5, 0.5]], 0.2)[0] ** 2 == pytest.approx(0.2, abs=3e-3)
    atoms = Problem.from_atoms([[0.0], [1.0]], [0.2, 0.8], [1.0, 0.0]).measure()
    for p, radii in ((0.2, [0, 0]), (0.21, [1, 0]), (1.0, [1, 1])):
        assert forms.probability_radius_in(atoms, atoms.points, p).tolist() == radii


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
            assert forms.jump_advantage(0.3, 0.5 + t, cap) == pytest.approx(form)
            assert forms.jump_advantage(0.3, [0.5 - t], cap) == pytest.approx([form])
            assert grid == pytest.approx(form, abs=4e-4)
            assert regions.advantage(balls, cap)[0] == pytest.approx(form, abs=4e-4)


PLATEAUS = reference("reeve_kaban")["plateau"]
NAMES = {
    "level": "m",
    "observed": "eta_corr_m",
    "threshold": "theta",
    "turn": "flip_eta",
    "bayes_risk": "bayes",
    "misled": "mu_A0",
    "vote_limit": "knn_limit",
    "smoothness_constant": "omega_min",
    "margin_constant": "C_alpha_for_alpha_1",
}


def rates_of(name):
    return [float(part.split("=")[1]) for part in name.split(",")]


@pytest.mark.parametrize("name", PLATEAUS)
def test_the_plateau_family(name):
    found = forms.plateau(*rates_of(name))._asdict()
    assert found == pytest.approx({field: PLATEAUS[name][theirs] for field, theirs in NAMES.items()}, rel=1e-9)


@pytest.mark.parametrize("rates", [*map(rates_of, PLATEAUS), [0.0, 0.49], [0.12, 0.37]])
def test_the_plateau_family_by_the_midpoint_rule(rates):
    """With 10^6 cells: at each of the two ends of A_0 at most half of one is missed."""
    form, noise = forms.plateau(*rates), LabelNoise(*rates)
    measure, eta = problems.plateau(*rates).cells(10**6)
    misled = measure.weights @ regions.disagreement(eta, noise.corrupt(eta))
    assert misled == pytest.approx(form.misled, abs=1e-6)
    assert measure.weights @ eta.min(axis=1) == pytest.approx(form.bayes_risk, abs=1e-6)
    assert risk.Limits.of(eta, measure.weights).vote(noise) == pytest.approx(form.vote_limit, abs=1e-6)
    assert form.turn == pytest.approx((0.5 - rates[0]) / noise.contrast)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: forms.probability_radius(1.2, 0.1), "x must lie between 0 and 1"),
        (lambda: forms.probability_radius(0.2, 0), "ball mass p must be finite and above 0, got 0"),
        (lambda: forms.probability_radius_in(bump().measure(9), [[0, 0]], 0.1), "queries must have 1 columns, got 2"),
        (lambda: forms.jump_boundary_mass(0, 0.1, 0.1), "a must be finite and above 0, got 0"),
        (lambda: forms.linear_boundary_mass(0.5, 0.1, 0.6), r"margin Delta must be between 0 and 0\.5, got 0\.6"),
        (lambda: forms.jump_advantage(0.3, float("nan"), 1), "x must lie between 0 and 1"),
        (lambda: forms.plateau(0.2, 0.2), "the plateau needs two different flip rates below 1/2, got 0.2 and 0.2"),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
