"""Closed forms against the same sets integrated on grids, and against reference values."""

from math import inf

import numpy as np
import pytest
from reference_implementations import numbers_in, reference

from knnviz import regions
from knnviz.bounds import closed_forms as forms
from knnviz.problems import bump, jump, linear, power
from knnviz.profiles import BallProfile

PLATEAUS = reference("reeve_kaban")["plateau"]

#: p and Delta; the last ones are at their ends.
CASES = [(0.05, 0.02), (0.05, 0.35), (0.2, 0.1), (0.2, 0.29), (0.8, 0.02)]
CASES += [(0.05, 0), (0, 0.1), (0.05, 0.6)]


def test_radius_of_a_mass_on_the_line():
    x = np.linspace(0.0123, 0.9871, 40)
    p = np.array([0.01, 0.3, 0.8, 1.0])[:, None]
    radius = forms.probability_radius(x, p)
    right = (x + radius).clip(max=1)
    left = (x - radius).clip(min=0)
    assert right - left == pytest.approx(p + 0 * x)


@pytest.mark.parametrize(("p", "margin"), CASES)
@pytest.mark.parametrize(
    ("make", "form", "shape"),
    [(jump, forms.jump_boundary_mass, (a,)) for a in (0.3, 0)]
    + [(linear, forms.linear_boundary_mass, (s,)) for s in (0.8, 0)]
    + [(power, forms.power_boundary_mass, (kappa,)) for kappa in (1, 1.5, 6)]
    + [(bump, forms.bump_boundary_mass, shape) for shape in ((0.2, 0.9, 0.1), (0.5, 1, 0.2))],
)  # fmt: skip
def test_boundary_masses_on_a_grid(make, form, shape, p, margin):
    """Beyond its conditions a form is infinite; clipped balls, or two edges, change the mass."""
    (measure, eta) = make(*shape).cells(4000)
    found = form(*shape, p, margin)
    profile = BallProfile.build(measure, eta, masses=[p or 0.1])
    inside = regions.effective_boundary(profile, p, margin)
    assert found == inf or measure.weights @ inside == pytest.approx(found, abs=3e-3)


def test_where_a_form_holds():
    assert forms.jump_boundary_mass(0.3, 0.6, 0.2) < inf
    assert forms.jump_boundary_mass(0.3, 0.601, 0.2) == inf

    assert forms.linear_boundary_mass(0.8, 0.75, 0.1) < inf
    assert forms.linear_boundary_mass(0.8, 0.76, 0.1) == inf

    assert forms.power_boundary_mass(2, 0.5, 0.16) < inf
    assert forms.power_boundary_mass(2, 0.5, 0.17) == inf
    assert forms.power_boundary_mass(0.8, 0.1, 0.1) == inf

    assert forms.bump_boundary_mass(0.2, 0.9, 0.1, 0.2, 0.4) < inf
    assert forms.bump_boundary_mass(0.2, 0.9, 0.1, 0.21, 0.4) == inf


@pytest.mark.parametrize("name", PLATEAUS)
def test_the_plateau_family(name):
    parts = ("bayes", "mu_A0", "knn_limit", "omega_min", "C_alpha_for_alpha_1")
    stated = [PLATEAUS[name][part] for part in parts]
    found = forms.plateau(*numbers_in(name))
    assert found == pytest.approx(stated, rel=1e-9)
