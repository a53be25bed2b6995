"""The bound on the plain vote: constants, and samples that it holds for."""

from math import ceil, exp, log, sqrt

import numpy as np
import pytest
from reference_implementations import reference
from scipy.stats import binom

from knnviz import NeighborTable, Problem, Vote, VoteProfile, regions, risk, wave2d
from knnviz.bounds import chaudhuri_dasgupta as cd
from knnviz.bounds import rittler
from knnviz.bounds.closed_forms import jump_boundary_mass
from knnviz.problems import bump, jump, linear, power
from knnviz.profiles import BallProfile

ACTIVE = reference("active")
FORMULAS, ATOMS = ACTIVE["formulas"], ACTIVE["atoms"]


def test_constants_of_the_reference_run():
    for k in (12, 100, 1000):
        assert cd.locality_constant(k, 0.1) == pytest.approx(FORMULAS[f"c_delta_k{k}_delta0p1"], abs=1e-6)
    for k in (10, 100):
        assert cd.margin(k, 0.1) == pytest.approx(FORMULAS[f"Delta_k{k}_delta0p1"], abs=1e-6)
    assert cd.mass(1000, 100, 0.1) == pytest.approx(FORMULAS["p_cd_k100_N1000_delta0p1"], abs=1e-6)
    assert cd.mass(1000, 10, 0.1, constant=1) == 0.01


@pytest.mark.parametrize("delta", [0.01, 0.1, 0.5])
def test_the_constant_begins_above_its_limit(delta):
    """Where the margin leaves its cap."""
    first = int(cd.least_neighbors(delta)) + 1
    assert cd.locality_constant(first, delta) > 1
    assert cd.margin(first, delta) < 0.5 == cd.margin(first - 1, delta)
    with pytest.raises(ValueError, match=r"k must exceed 4 log\(2/delta\) = "):
        cd.locality_constant(first - 1, delta)


@pytest.mark.parametrize("delta", [0.01, 0.1, 0.5])
def test_a_constant_of_delta_alone_serves_for_every_k(delta):
    """Theorem 3 has one: balls of mass c k / n hold more than k points, except with probability (delta / 2)^2."""
    half = log(2 / delta)
    c = 1 + 2 * half + 2 * sqrt(half**2 + half)
    assert c * (1 - 1 / c) ** 2 == pytest.approx(4 * half)
    for n in (100, 10_000):
        k = np.arange(1, ceil(n / c))
        assert (binom.cdf(k, n, c * k / n) <= (delta / 2) ** 2).all()
    assert cd.locality_constant(1000, delta) < c


@pytest.mark.parametrize(("n", "k", "delta"), [(1000, 60, 0.1), (100, 20, 0.1), (10_000, 60, 0.01), (200, 100, 0.3)])
def test_the_lemmas_under_the_bound(n, k, delta):
    """With the failure probabilities (delta / 2)^2, of p, and twice that, of the margin."""
    assert binom.cdf(k - 1, n, cd.mass(n, k, delta)) <= (delta / 2) ** 2
    votes = np.arange(k + 1)
    for frequency in (0.5, 0.7, 0.95):
        stray = abs(votes / k - frequency) >= cd.margin(k, delta)
        assert binom.pmf(votes[stray], k, frequency).sum() <= 2 * (delta / 2) ** 2
    assert 2 * exp(-2 * k * cd.margin(k, delta) ** 2) == pytest.approx(2 * (delta / 2) ** 2)


@pytest.mark.parametrize("problem", [jump(0.4), linear(1), power(2), wave2d(high=0.9)], ids=lambda each: each.name)
def test_at_most_a_fraction_delta_of_samples_exceeds_the_bound(problem):
    n, k, delta = 2000, 200, 0.1
    bound = rittler.theorem_3(problem, n, k, delta)
    assert bound.value < 1
    cells = problem.measure(2000 if problem.dimension == 1 else 50).points
    sure = np.eye(2)[problem.bayes(cells)]
    samples = [problem.sample(n, seed) for seed in range(20)]
    found = [risk.sweep(each.X, cells, sure, [(each.y, [Vote()])], [k])[0, 0, 0] for each in samples]
    assert np.mean(np.array(found) > bound.value) <= delta


def test_atoms_refute_the_literal_definition():
    """Two atoms: the literal bound is .01, and the vote errs on a fifth of the mass in every run."""
    problem = Problem.from_atoms([[0.0], [1.0]], [0.2, 0.8], [1.0, 0.0])
    literal, consistent = (rittler.theorem_3(problem, 10_000, 4500, 0.01, literal=each) for each in (True, False))
    assert (literal.mass, literal.margin) == pytest.approx((ATOMS["p"], ATOMS["Delta"]), abs=1e-6)
    assert (literal.boundary_mass, literal.value) == pytest.approx((ATOMS["literal_boundary_mass"], 0.01))
    assert literal.value == pytest.approx(ATOMS["literal_bound"])
    assert consistent.boundary_mass == pytest.approx(ATOMS["sign_consistent_boundary_mass"])
    assert consistent.value == pytest.approx(ATOMS["sign_consistent_bound"])
    atoms = problem.atoms
    for seed in range(5):
        sample = problem.sample(10_000, seed)
        votes = VoteProfile.count(NeighborTable.build(sample.X, atoms.points, 4500), sample.y, 2)
        wrong = atoms.weights @ (Vote().predict(votes, 4500) != problem.bayes(atoms.points))
        assert wrong == pytest.approx(ATOMS["true_disagreement"])
        assert literal.value < wrong <= consistent.value


def test_the_wave_of_the_reference_run():
    measure, eta = wave2d(high=0.9).cells(41)
    balls = BallProfile.integrate(measure, eta, masses=[0.01, 0.05, 0.1])
    for p, margin, *masses in ACTIVE["wave2d_boundary_mass"]:
        for literal, expected in zip((True, False), masses, strict=True):
            inside = regions.effective_boundary(balls, p, margin, literal=literal)
            assert measure.weights @ inside == pytest.approx(expected, abs=1e-6)


def test_at_the_cap_of_the_margin_only_certainty_is_outside():
    """With p = k / n any k may be tried: noise everywhere makes it vacuous, a jump from 0 to 1 does not."""
    p, Delta = cd.mass(1000, 10, 0.1, constant=1), cd.margin(10, 0.1)
    assert (p, Delta) == (0.01, 0.5)
    for problem, expected in ((bump(), 1), (jump(0.5), jump_boundary_mass(0.5, p, Delta))):
        measure, eta = problem.cells(2000)
        inside = regions.effective_boundary(BallProfile.integrate(measure, eta, masses=[p]), p, Delta)
        assert measure.weights @ inside == pytest.approx(expected, abs=1e-3)


def test_neighbors_of_the_passive_rate():
    assert cd.passive_neighbors(1000, 1, 0.1) == round(100 * log(10) ** (1 / 3))
    assert cd.passive_neighbors(10_000, 0.5, 0.1, constant=2) == round(200 * log(10) ** 0.5)
    slope = np.diff(np.log([cd.passive_neighbors(n, 1, 0.1) for n in (10**4, 10**7)])) / log(1000)
    assert slope == pytest.approx(cd.passive_exponents(1, 1).neighbors, abs=1e-4)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: cd.locality_constant(10, 0.1), r"k must exceed 4 log\(2/delta\) = 11\.98, got 10"),
        (lambda: cd.locality_constant(10, 1), "failure probability delta must lie strictly between 0 and 1, got 1"),
        (lambda: cd.margin(10, 0), "failure probability delta must lie strictly between 0 and 1, got 0"),
        (lambda: cd.margin(10, float("nan")), "failure probability delta must be between 0 and 1, got nan"),
        (lambda: cd.margin(0, 0.1), "k must be at least 1, got 0"),
        (lambda: cd.mass(50, 60, 0.1), "k must not exceed the number of points, got k = 60 with n = 50"),
        (lambda: cd.mass(50, 20, 0.1, constant=0.5), r"constant must be between 1 and inf, got 0\.5"),
        (lambda: cd.passive_exponents(0, 1), "smoothness alpha must be finite and above 0, got 0"),
        (lambda: cd.passive_exponents(1, np.inf), "margin exponent beta must be finite and above 0, got inf"),
        (lambda: cd.passive_neighbors(5, 1, 0.1, 9), "the k of the passive rate must lie between 1 and n = 5, got 35"),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
