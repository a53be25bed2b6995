"""Ball profiles against every-radius brute force and closed forms."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import grown_balls, reference
from refusals import refuses

from knnviz import LabelNoise, Problem, regions, risk
from knnviz.noise import misled_points
from knnviz.problems import Measure, gaussians, jump, linear, wave2d, waves
from knnviz.profiles import BallProfile


def agree(profile, expected):
    """Compare all that a profile keeps with brute force."""
    for name in ("frequency", "margin", "absolute_margin", "advantage"):
        assert getattr(profile, name) == pytest.approx(expected[name], abs=2e-7), name
    if profile.n_classes == 2:
        assert profile.lowest_frequency == pytest.approx(expected["lowest_frequency"], abs=2e-7)


@st.composite
def frequencies(draw, cells):
    """Class frequencies of cells, with ties among the top classes now and then; rows may fail to sum to 1."""
    n_classes = draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    table = rng.random((cells, n_classes)) + 0.01
    if draw(st.booleans()):
        table = np.round(4 * table) / 4 + 0.25
    return table / table.sum(axis=1, keepdims=True) if draw(st.booleans()) else table / table.max()


@settings(max_examples=60)
@given(st.data())
def test_balls_on_a_grid(data):
    sides = data.draw(st.sampled_from([((0.0, 1.0),), ((0.0, 1.0),) * 2, ((-1.0, 2.0), (0.0, 1.0))]))
    resolution = data.draw(st.integers(2, 7 if len(sides) == 2 else 24))
    problem = Problem("p", None, sides, density=data.draw(st.sampled_from([None, lambda X: 1 + X[:, 0] ** 2])))
    measure = problem.measure(resolution)
    frequency = data.draw(frequencies(len(measure.points)))
    q = data.draw(st.sampled_from([None, [0.5, 0.3, 0.2, 0.4][: frequency.shape[1]]]))
    masses = sorted(data.draw(st.sets(st.sampled_from([0.01, 0.1, 0.2, 0.35, 0.5, 0.9, 1.0]), min_size=1)))
    profile = BallProfile.integrate(measure, frequency, masses=masses, q=q)
    agree(profile, grown_balls(measure.points, measure.weights, frequency, measure.points, profile.masses, q))


@settings(max_examples=40)
@given(st.data())
def test_balls_among_any_points(data):
    n, dimension = data.draw(st.integers(1, 25)), data.draw(st.integers(1, 3))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    points = np.unique(rng.random((n, dimension)).round(data.draw(st.integers(1, 6))), axis=0)
    n = len(points)
    weights = rng.random(n) + 0.1
    queries = np.concatenate([points[: data.draw(st.integers(0, n))], rng.random((3, dimension))])
    measure, frequency = Measure(points, weights / weights.sum()), data.draw(frequencies(n))
    profile = BallProfile.integrate(measure, frequency, queries, p_max=1.0)
    agree(profile, grown_balls(points, measure.weights, frequency, queries, profile.masses))


def test_the_grid_and_any_points_agree():
    problem = gaussians(3, scale=0.3, dimension=2)
    measure = problem.measure(12)
    eta = problem.eta(measure.points)
    grid = BallProfile.integrate(measure, eta, q=[0.5, 0.3, 0.2])
    general = BallProfile.integrate(measure, eta, measure.points, q=[0.5, 0.3, 0.2])
    for name in ("frequency", "margin", "absolute_margin", "advantage"):
        assert getattr(grid, name) == pytest.approx(getattr(general, name), abs=1e-6)


def test_cells_without_mass_do_not_count():
    problem = Problem("half", None, ((0.0, 1.0),), density=lambda X: (X[:, 0] > 0.5).astype(float))
    measure = problem.measure(10)
    eta = np.where(measure.points > 0.5, [[0.0, 1.0]], [[1.0, 0.0]])
    profile = BallProfile.integrate(measure, eta, masses=[0.1, 1.0])
    assert profile.frequency[0, 1].tolist() == [0.0] * 5 + [1.0] * 5
    assert profile.frequency[1, 1].tolist() == [1.0] * 10
    assert np.isfinite(profile.margin).all()


def test_advantages_of_the_wave():
    measure, eta = wave2d(high=0.9).cells(41)
    profile = BallProfile.integrate(measure, eta, masses=[0.01, 0.05, 0.1, 1.0])
    quantiles = np.quantile(regions.advantage(profile, 1), [0, 0.25, 0.5, 0.75, 1])
    assert quantiles == pytest.approx(reference("active")["wave2d_advantage_quantiles"], abs=1e-6)


def test_advantage_of_a_jump():
    """Closed forms, and the reference run on a grid, of points at a distance from the jump."""
    measure, eta = jump(0.3).cells(2000)
    for t, *stated in reference("active")["advantage_step1d"]:
        balls = BallProfile.integrate(measure, eta, [[0.5 + t]], [0.1, 1.0])
        found = [regions.advantage(balls, cap)[0] for cap in (1, 1, 0.1, 0.1)]
        assert found == pytest.approx(stated, abs=4e-4)


def test_boundary_of_the_wave():
    measure, eta = wave2d(high=0.9).cells(41)
    balls = BallProfile.integrate(measure, eta, masses=[0.01, 0.05, 0.1])
    for p, margin, *masses in reference("active")["wave2d_boundary_mass"]:
        for literal, expected in zip((True, False), masses, strict=True):
            inside = regions.effective_boundary(balls, p, margin, literal=literal)
            assert measure.weights @ inside == pytest.approx(expected, abs=1e-6)


def test_radius_of_a_probability_mass():
    """On the line a ball of mass 0.1 reaches 0.05 to each side, further near the end of the box."""
    measure = linear(1.0).measure(2000)
    fractions = np.cumsum(measure.weights)[:, None] - measure.weights[:, None] / 2
    frequency = np.concatenate([1 - fractions, fractions], axis=1)
    profile = BallProfile.integrate(measure, frequency, [[0.5], [0.02]], [0.1])
    assert profile.frequency[1, 1] == pytest.approx([0.5, 0.05], abs=1e-3)


def test_other_weights_of_three_classes_read_the_kept_masses():
    """Integrated for these weights, the boundary is larger than read at the kept masses, by at most 0.01 in mass."""
    measure = waves().measure(1000)
    eta, q = waves().eta(measure.points), [0.5, 0.3, 0.2]
    plain, integrated = BallProfile.integrate(measure, eta), BallProfile.integrate(measure, eta, q=q)
    for mass, margin in ((0.02, 0.02), (0.1, 0.05), (0.2, 0.01)):
        read, exact = (regions.effective_boundary(each, mass, margin, q) for each in (plain, integrated))
        assert not (read & ~exact).any()
        assert (exact & ~read).mean() <= 0.01


@settings(max_examples=30)
@given(st.integers(0, 45), st.integers(0, 45), st.integers(1, 9), st.sampled_from([0.02, 0.1, 0.25]))
def test_noise_and_weights_of_two_classes_are_read_exactly(a, b, tenths, mass):
    """Reading a clean profile through noise and weights equals integrating eta_corr with these weights."""
    noise, q = LabelNoise(a / 100, b / 100), [tenths / 10, 1 - tenths / 10]
    measure = SMALL.measure(16)
    integrated = BallProfile.integrate(measure, noise.corrupt(SMALL.eta(measure.points)), q=q, masses=MASSES)
    assert CLEAN.smallest_margin(mass, q, noise) == pytest.approx(integrated.smallest_margin(mass), abs=1e-6)
    assert (CLEAN.smallest_absolute_margin(mass, q, noise) >= integrated.smallest_absolute_margin(mass) - 1e-6).all()
    plain = BallProfile.integrate(measure, noise.corrupt(SMALL.eta(measure.points)), masses=MASSES)
    read, exact = regions.advantage(CLEAN, mass, noise=noise), regions.advantage(plain, mass)
    assert (read <= exact + 1e-6).all()
    # Between two masses of the profile a product can be larger than at the first of them by the step in mass at most.
    assert (exact - read <= np.diff([0, *MASSES]).max() + 1e-6).all()


SMALL, MASSES = wave2d(high=0.9), [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25]
CLEAN = BallProfile.integrate(SMALL.measure(16), SMALL.eta(SMALL.measure(16).points), masses=MASSES)


def test_larger_masses_and_margins_only_add_to_the_boundary():
    sets = [[regions.effective_boundary(CLEAN, p, margin) for margin in (0.05, 0.1, 0.3)] for p in (0.02, 0.1, 0.25)]
    for row, following in pairwise(sets):
        assert all((a <= b).all() for a, b in zip(row, following, strict=True))
    for row in sets:
        assert all((a <= b).all() for a, b in pairwise(row))
    assert (regions.advantage(CLEAN, 0.05) <= regions.advantage(CLEAN, 0.25)).all()


def test_advantage_at_most_doubles_with_the_cap():
    """adv_1 <= adv_A / A (for the two-round scheme)."""
    measure = SMALL.measure(21)
    profile = BallProfile.integrate(measure, SMALL.eta(measure.points), masses=[0.1, 1.0])
    assert (regions.advantage(profile, 1.0) <= regions.advantage(profile, 0.1) / 0.1 + 1e-6).all()


def test_where_all_classes_tie_the_advantage_is_one():
    measure = linear(0.8).measure(11)
    profile = BallProfile.integrate(measure, np.full((11, 2), 0.5))
    assert regions.advantage(profile, 0.1).tolist() == [1.0] * 11
    assert regions.effective_boundary(profile, 0.1, 0.01).all()


def test_misled_points_lie_between_the_thresholds():
    eta = np.linspace(0, 1, 1001)
    eta = np.stack([1 - eta, eta], axis=1)
    noise = LabelNoise(0.1, 0.3)
    misled = misled_points(eta, noise.corrupt(eta))
    threshold = 0.5 + 0.2 / (2 * noise.contrast)
    assert np.array_equal(misled, (eta[:, 1] > 0.5) & (eta[:, 1] < threshold - 1e-12))
    assert not misled_points(eta, LabelNoise(0.2, 0.2).corrupt(eta)).any()


def test_misled_points_do_not_pass_the_threshold_by_the_margin():
    """A_Delta by its definition, and with the moved threshold A'_Delta = {0 < |eta - 1/2| < Delta / (1 - p0 - p1)}."""
    ones = np.linspace(0, 1, 1001)
    eta, noise, margin = np.stack([1 - ones, ones], axis=1), LabelNoise(0.1, 0.3), 0.0505
    noisy = noise.corrupt(eta)
    misled = misled_points(eta, noisy, margin=margin)
    clear = ((ones > 0.5) & (noisy[:, 1] >= 0.5 + margin)) | ((ones < 0.5) & (noisy[:, 1] <= 0.5 - margin))
    assert np.array_equal(misled, ~clear & (abs(ones - 0.5) > 1e-9))
    moved = misled_points(eta, noisy, 0.4, margin)
    assert np.array_equal(moved, (abs(ones - 0.5) > 1e-9) & (abs(ones - 0.5) < margin / noise.contrast))
    assert (misled_points(eta, noisy) <= misled).all()
    refuses("eta and corrupted must have the same rows, got 1001 and 1", misled_points, eta, noisy[:1])
    refuses(r"margin Delta must be between 0 and 1, got -0\.1", misled_points, eta, noisy, margin=-0.1)


def test_margins_of_weighted_classes():
    assert regions.margins([[0.2, 0.8], [0.5, 0.5]]) == pytest.approx([0.3, 0])
    assert regions.margins([[0.2, 0.3, 0.5]], [0.5, 0.3, 0.2]) == pytest.approx([0.1 - 0.1])


def test_the_advantage_never_exceeds_its_cap():
    measure = jump(0.5).measure(2000)
    profile = BallProfile.integrate(measure, jump(0.5).eta(measure.points))
    for cap in (0.0, 0.001, 0.02345, 0.1, 0.25):
        assert regions.advantage(profile, cap).max() <= cap + 1e-7
        assert regions.advantage(profile, cap, noise=LabelNoise(0.1, 0.1)).max() <= cap * 0.64 + 1e-7


def test_a_query_between_cells_starts_from_one_of_them():
    """Equally near cells: the first of them gives class and frequency alike, so that no margin begins below 0."""
    problem = gaussians(3, dimension=2)
    measure = problem.measure(20)
    corners = problem.grid(20).points + np.array([0.05, 0.05])
    profile = BallProfile.integrate(measure, problem.eta(measure.points), corners)
    assert (profile.margin[0] >= 0).all()


def test_decimal_rates_tie_as_decimals():
    """eta_corr is exactly 1/2 on half of the line, whatever doubles make of the rates: votes there are fair coins."""
    eta = jump(0.3).eta(jump(0.3).measure(100).points)
    for p0, p1 in ((0.3, 0.45), (0.1, 0.4)):
        assert not misled_points(eta, LabelNoise(p0, p1).corrupt(eta)).any()
    assert risk.vote_limit(jump(0.2), LabelNoise(0.01, 0.29)) == pytest.approx(0.5 * 0.3 + 0.5 * 0.5)


def test_few_atoms_have_default_masses():
    measure = Measure(np.array([[0.0], [1.0]]), np.array([0.2, 0.8]))
    profile = BallProfile.integrate(measure, np.array([[0.0, 1.0], [1.0, 0.0]]))
    assert profile.masses.tolist() == [0, 0.25]


def test_refusals():
    measure = linear().measure(10)
    eta = linear().eta(measure.points)
    refuses("frequency must have a row for each of 10 points, got 9", BallProfile.integrate, measure, eta[:9])
    with pytest.raises(ValueError, match=r"masses must ascend from above 0 to at most 1, got \[0\.2, 0\.1\]"):
        BallProfile.integrate(measure, eta, masses=[0.2, 0.1])
    refuses(r"p_max must be between 1e-09 and 1, got 1\.5", BallProfile.integrate, measure, eta, p_max=1.5)
    with pytest.raises(ValueError, match="q must hold 2 weights that are finite, not negative and not all 0"):
        BallProfile.integrate(measure, eta, q=[-1, 2])
    with pytest.raises(ValueError, match=r"frequency must hold two or more classes in \[0, 1\], got 2 in \[-3, 5\]"):
        BallProfile.integrate(measure, np.tile([5.0, -3.0], (10, 1)))
    with pytest.raises(ValueError, match=r"weights of a measure must not be negative and sum to 1, got 0\.5"):
        BallProfile.integrate(Measure(measure.points, measure.weights / 2), eta)
    profile = BallProfile.integrate(measure, eta)
    refuses(r"ball mass p must be between 0 and 0\.25, got 0\.3", regions.effective_boundary, profile, 0.3, 0.1)
    refuses(r"margin Delta must be between 0 and 1, got -1", regions.effective_boundary, profile, 0.1, -1)
    refuses("margin Delta must be between 0 and 5, got 6", regions.effective_boundary, profile, 0.1, 6, (5, 3))
    refuses("q must hold 2 weights", regions.effective_boundary, profile, 0.1, 0.1, (1, np.nan))
    heavy = BallProfile.integrate(measure, eta, masses=[0.1], q=(5, 3))
    assert regions.effective_boundary(heavy, 0.1, 4.9).any()
    refuses("margin Delta must be between 0 and 5, got 6", regions.effective_boundary, heavy, 0.1, 6)
    refuses(r"largest mass A must be between 0 and 0\.25, got 1", regions.advantage, profile, 1)
    three = BallProfile.integrate(measure, np.full((10, 3), 1 / 3))
    with pytest.raises(ValueError, match="label noise needs two classes whose frequencies sum to 1, got 3"):
        regions.effective_boundary(three, 0.1, 0.1, noise=LabelNoise(0.1, 0.1))
    refuses("the smallest absolute margin needs two classes", regions.effective_boundary, three, 0.1, 0.1, literal=True)
    refuses("corrupted must have 2 columns, got 3", misled_points, eta, np.full((10, 3), 1 / 3))
