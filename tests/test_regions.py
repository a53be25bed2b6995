"""Regions: reference runs, definitions in plain code, and what sets must satisfy."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference_implementations import any_ball, generators, reference, sorted_neighbors, tables
from refusals import refuses

from knnviz import BallProfile, LabelNoise, NeighborTable, VoteProfile
from knnviz.checks import MARGIN_TOL
from knnviz.problems import bump, jump, linear, power, wave2d, waves
from knnviz.regions import (
    AugmentedRegion,
    advantage,
    augmented_intervals,
    effective_boundary,
    error_band,
    hard,
    hard_intervals,
    lower_bound_set,
)

ACTIVE = reference("active")
FIGURE_2 = reference("khim")["figure2"]
MASSES = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25]
CELLS, WAVE = wave2d(high=0.9).cells(41)
BALLS = BallProfile.build(CELLS, WAVE, masses=[*MASSES, 1.0])
SMALL, ETA = wave2d(high=0.9).cells(16)
CLEAN = BallProfile.build(SMALL, ETA, masses=MASSES)
THREE = BallProfile.build(SMALL, np.full((256, 3), 1 / 3), masses=MASSES)


#: A problem on a line, p, Delta, and the mass of the effective boundary. A ball of radius r that
#: reaches over a jump a from a distance t has the margin a t / r; an edge of a bump is a jump. The
#: mean of a line over a ball is its value at the center, and where eta bends away from 1/2 no ball
#: has a smaller margin than its center.
BOUNDARIES = [
    (jump(0.3), 0.2, 0.29, 0.2 * 0.29 / 0.3),
    (jump(0.3), 0, 0.1, 0),
    (jump(0.3), 0.05, 0.35, 1),
    (jump(0), 0.05, 0.02, 1),
    (linear(0.8), 0.75, 0.1, 0.25),
    (power(1.5), 0.2, 0.1, 0.2 ** (1 / 1.5)),
    (bump(0.5, 1, 0.2), 0.2, 0.1, 0.1),
]


@pytest.mark.parametrize(("problem", "p", "Delta", "mass"), BOUNDARIES)
def test_boundary_masses_on_a_line(problem, p, Delta, mass):
    measure, eta = problem.cells(4000)
    profile = BallProfile.build(measure, eta, masses=[p or 0.1])
    inside = effective_boundary(profile, p, Delta)
    assert measure.weights @ inside == pytest.approx(mass, abs=3e-3)


def test_boundary_and_advantages_of_the_wave():
    for p, margin, as_printed, consistent in ACTIVE["wave2d_boundary_mass"]:
        absolute = BALLS.smallest_absolute_margin(p) < margin - MARGIN_TOL
        assert CELLS.weights @ absolute == pytest.approx(as_printed, abs=1e-6)
        inside = effective_boundary(BALLS, p, margin)
        assert CELLS.weights @ inside == pytest.approx(consistent, abs=1e-6)
    quantiles = np.quantile(advantage(BALLS, 1), [0, 0.25, 0.5, 0.75, 1])
    assert quantiles == pytest.approx(ACTIVE["wave2d_advantage_quantiles"], abs=1e-6)


def test_advantage_of_a_jump():
    """Closed forms, and the reference run on a grid, of points at a distance from the jump."""
    measure, eta = jump(0.3).cells(2000)
    t, *stated = np.array(ACTIVE["advantage_step1d"]).T
    balls = BallProfile.build(measure, eta, 0.5 + t[:, None], masses=[0.1, 1.0])
    for cap, expected in zip((1, 1, 0.1, 0.1), stated, strict=True):
        assert advantage(balls, cap) == pytest.approx(expected, abs=4e-4)


def test_the_advantage_never_exceeds_its_cap():
    profile = BallProfile.build(*jump(0.5).cells(2000), masses=MASSES)
    for cap in (0.0, 0.001, 0.02345, 0.1, 0.25):
        assert advantage(profile, cap).max() <= cap + 1e-7


@settings(max_examples=30)
@given(st.integers(0, 45), st.integers(0, 45), st.sampled_from([0.02, 0.1, 0.25]))
def test_the_advantage_with_noise_is_too_small_by_a_step_in_mass_at_most(a, b, mass):
    noise = LabelNoise(a / 100, b / 100)
    integrated = BallProfile.build(SMALL, noise.corrupt(ETA), masses=MASSES)
    read = advantage(CLEAN, mass, noise=noise)
    exact = advantage(integrated, mass)
    largest_step = np.diff([0, *MASSES]).max()
    assert (read <= exact + 1e-6).all()
    assert (exact - read <= largest_step + 1e-6).all()


def test_other_weights_of_three_classes_read_the_stored_masses():
    """Integrated for these weights, the boundary is larger than read at the stored masses, by at
    most 0.01 in mass.
    """
    measure, eta = waves().cells(1000)
    q = [0.5, 0.3, 0.2]
    masses = np.geomspace(0.001, 0.25, 64)
    plain = BallProfile.build(measure, eta, masses=masses)
    integrated = BallProfile.build(measure, eta, masses=masses, q=q)
    for mass, margin in ((0.02, 0.02), (0.1, 0.05), (0.2, 0.01)):
        read = effective_boundary(plain, mass, margin, q)
        exact = effective_boundary(integrated, mass, margin, q)
        assert not (read & ~exact).any()
        assert (exact & ~read).mean() <= 0.01


def test_what_is_out_of_range_is_refused():
    refuses(r"got 0\.3", effective_boundary, CLEAN, 0.3, 0.1)
    refuses("got 6", effective_boundary, CLEAN, 0.1, 6, (5, 3))
    refuses("3 classes", effective_boundary, THREE, 0.1, 0.1, noise=LabelNoise(0.1, 0.1))
    refuses("got 3", THREE.smallest_absolute_margin, 0.1)
    refuses("got nan", advantage, CLEAN, np.nan)
    refuses("3 classes", advantage, THREE, 0.1, noise=LabelNoise(0.1, 0.1))


def test_the_largest_mass_may_be_a_rounded_sum():
    tenths = BallProfile.build(SMALL, ETA, masses=[0.1, 0.3])
    of_sum = effective_boundary(tenths, 0.1 + 0.2, 0.1)
    assert (of_sum == effective_boundary(tenths, 0.3, 0.1)).all()


@pytest.mark.parametrize(
    ("fraction", "q", "k"),
    [
        (0.45, (0.54, 0.46), 30),  # t < 1 - p' by a hundredth
        (0.45, (0.56, 0.44), 30),  # t > 1 - p'
        (0.3, (0.4, 0.6), 9),  # t > 1 / sqrt k
        (0.3, (0.4, 0.6), 4),  # t < 1 / sqrt k
        (0.3, (0.6, 0.4), 9),  # t - 1 / sqrt k <= p'
        (0.3, (0.6, 0.4), 16),  # t - 1 / sqrt k > p'
        (0.45, (1, 0), 30),  # t > 1 - p'
    ],
)
def test_each_condition_of_the_lower_set_decides_alone(fraction, q, k):
    """A constant eta: p' is the fraction of class 1, t the weight of class 0; the other conditions
    hold.
    """
    eta = np.tile([1 - fraction, fraction], (50, 1))
    ball = BallProfile.build(waves().measure(50), eta, masses=[0.02, 0.1, 0.3, 0.5, 0.8])
    t = q[0]
    held = t < 1 - fraction and 0 < t - 1 / np.sqrt(k) <= fraction
    assert (lower_bound_set(ball, k, 100, q) == held).all()


MORE = (0.52, 0.29, 0.19)
LESS = (0.48, 0.31, 0.21)
LEFT = waves().eta(np.arange(1000)[:, None] / 1000)
FINE = waves().eta((np.arange(200_000)[:, None] + 0.5) / 200_000)


def test_the_band_of_figure_2():
    """Its errors on its own points, where it begins and ends, and with the tighter reach."""
    for epsilon, key in ((0.1, "N=1000_left_grid"), (0.05, "N=1000_left_grid_eps=0.05")):
        band = error_band(LEFT, epsilon, MORE, LESS, 0)
        assert band.errors(LEFT, 0) == pytest.approx(FIGURE_2[key], abs=1e-12)

    loose = error_band(FINE, 0.1, MORE, LESS, 0)
    turns = np.flatnonzero(np.diff(loose.inside)) + 1
    ends = turns / len(FINE)
    assert ends == pytest.approx(FIGURE_2["shaded_intervals_breakpoints"], abs=1e-5)


@given(generators, st.floats(0, 0.3), st.integers(0, 3))
def test_decisions_turn_inside_the_band_only(rng, epsilon, c):
    eta = rng.dirichlet(np.ones(4), 30)
    q = rng.uniform(0.05, 1, 4)
    errors = epsilon * rng.uniform(-1, 1, eta.shape)

    def leads(fractions):
        scores = fractions * q
        rivals = np.delete(scores, c, axis=1)
        return scores[:, c] >= rivals.max(axis=1)

    turned = leads(eta) != leads(np.clip(eta + errors, 0, 1))
    band = error_band(eta, epsilon, q, q, c)
    scaled = error_band(eta, epsilon, 7 * q, 7 * q, c)
    assert not (turned & ~band.inside).any()
    assert np.allclose(band[:2], scaled[:2], atol=0)


def hard_at(X, y, queries, k, width):
    table = NeighborTable.build(X, queries, k)
    return hard(VoteProfile.build(table, y, 2), k, width)


@given(tables(), st.booleans())
def test_hard_is_a_vote_close_to_one_half(case, on_the_edge):
    """Widths at random, and such that a fraction of votes is exactly as far from 1/2: that one is
    not hard.
    """
    X, queries, k, rng = case
    y = rng.integers(0, 2, len(X))
    half = Fraction(1, 2)
    width = Fraction(rng.random())
    if on_the_edge:
        width = abs(Fraction(int(rng.integers(0, k + 1)), k) - half)
    nearest, _ = sorted_neighbors(X, queries, k)
    votes = y[nearest].sum(axis=1).tolist()
    expected = [abs(Fraction(ones, k) - half) < width for ones in votes]
    assert hard_at(X, y, queries, k, float(width)).tolist() == expected


@st.composite
def lines(draw):
    """Distinct points beyond and within the unit interval, labels, k, and a width."""
    rng = draw(generators)
    n = draw(st.integers(1, 60))
    X = rng.uniform(-0.2, 1.2, (n, 1))
    eta = np.where(X[:, 0] > 0.5, 0.9, 0.1)
    y = (rng.random(n) < eta).astype(int)
    k = draw(st.integers(1, n))
    width = draw(st.sampled_from([0.0, 0.1, 0.25, 0.4, 0.6]))
    box = draw(st.sampled_from([(0, 1), (-0.5, 1.5), (0.3, 0.4)]))
    return X, y, k, width, rng, box


def are_apart(intervals, box):
    """Whether intervals are ascending, do not touch, and stay in their box."""
    low, high = box
    ends = [low - 1e-9, *intervals.ravel(), high + 1e-9]
    return (np.diff(ends) > 0).all()


def inside(intervals, x):
    """Whether each of x (m,) lies in one of the intervals (J, 2), ends included."""
    begins = intervals[:, :1]
    ends = intervals[:, 1:]
    return ((begins <= x) & (x <= ends)).any(axis=0)


@given(lines())
def test_intervals_hold_exactly_the_hard_points_of_a_line(line):
    X, y, k, width, rng, box = line
    intervals = hard_intervals(X, y, k, width, box)
    queries = rng.uniform(*box, 400)
    expected = hard_at(X, y, queries[:, None], k, width)
    assert np.array_equal(inside(intervals, queries), expected)

    assert are_apart(intervals, box)


@given(lines(), st.integers(2, 40), st.data())
def test_exact_balls_and_balls_around_many_centers(line, many, data):
    """Those around centers lie within the exact ones, and lack what is nearer than twice their
    covering radius.
    """
    X, y, k, width, rng, box = line
    k_plus = data.draw(st.integers(1, len(X)))
    intervals = hard_intervals(X, y, k, width, box)
    exact = augmented_intervals(X, intervals, k_plus, box)
    assume(len(intervals))
    assert are_apart(exact, box)
    centers = np.linspace(*intervals.T, many).ravel()
    radius = np.diff(intervals).max() / (many - 1) / 2
    balls = AugmentedRegion.build(X, centers[:, None], k_plus)

    queries = rng.uniform(*box, 300)
    contained = balls.contains(queries[:, None])
    assert inside(exact + [-1e-12, 1e-12], queries[contained]).all()

    distances = abs(queries[:, None] - centers)
    beyond = (distances - balls.radii).min(axis=1)
    assert (beyond[inside(exact, queries)] <= 2 * radius + 1e-12).all()


@given(tables())
def test_a_point_is_contained_if_some_closed_ball_holds_it(case):
    """Among the points the training points and centers themselves; some lie on a sphere."""
    X, centers, k, rng = case
    points = np.concatenate([X, centers, rng.random((10, X.shape[1]))])
    region = AugmentedRegion.build(X, centers, k)
    nearest, squares = sorted_neighbors(X, centers, k)
    assert np.array_equal(region.radii, np.sqrt(squares[:, -1]))

    found = region.contains(points)
    assert np.array_equal(found, any_ball(points, centers, region.radii))
    assert found[nearest].all()
    assert not AugmentedRegion.build(X, centers[:0], k).contains(points).any()
