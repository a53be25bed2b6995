"""The hard region and the balls around it: brute force, exact intervals on a line, and the reference run."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reference_implementations import reference, sorted_neighbors, tables
from refusals import refuses

from knnviz import NeighborTable, VoteProfile
from knnviz.problems import bump
from knnviz.regions import AugmentedRegion, augmented_intervals, hard, hard_intervals

HARD = reference("active")["hard1d"]


def hard_at(X, y, queries, k, width):
    return hard(VoteProfile.count(NeighborTable.build(X, queries, k), y, 2), k, width)


@given(tables(), st.integers(0, 2**32 - 1), st.booleans())
def test_hard_is_a_vote_close_to_one_half(table, seed, on_the_edge):
    """Widths at random, and such that a fraction of votes is exactly as far from 1/2: that one is not hard."""
    X, queries, k, _ = table
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, len(X))
    width = abs(Fraction(int(rng.integers(0, k + 1)), k) - Fraction(1, 2)) if on_the_edge else Fraction(rng.random())
    fractions = [Fraction(int(y[row].sum()), k) for row in sorted_neighbors(X, queries, k)[0]]
    expected = [abs(fraction - Fraction(1, 2)) < width for fraction in fractions]
    profile = VoteProfile.count(NeighborTable.build(X, queries, k), y, 2)
    assert hard(profile, k, float(width)).tolist() == expected
    assert hard_at(X, y, queries, k, float(width)).tolist() == expected


def test_nothing_is_hard_at_width_zero_and_everything_beyond_one_half():
    X, y, queries = np.arange(6.0)[:, None], np.array([0, 1] * 3), np.linspace(-1, 7, 9)[:, None]
    assert not hard_at(X, y, queries, 2, 0).any()
    assert hard_at(X, y, queries, 1, 0.51).all()
    assert not hard_at(X, y, queries, 1, 0.5).any()
    assert hard_at(X, y, queries, 6, np.inf).all()


def step(rng, n):
    """Points on the line, and labels that are mostly 1 from the middle on."""
    X = rng.random((n, 1))
    return X, (rng.random(n) < np.where(X[:, 0] >= 0.5, 0.95, 0.05)).astype(int)


def test_the_interval_of_the_reference_run():
    X, y = step(np.random.default_rng(0), 200)
    intervals = hard_intervals(X, y, 25, 0.3)
    assert intervals == pytest.approx(np.array(HARD["intervals"]), abs=1e-6)
    assert np.diff(intervals).sum() == pytest.approx(HARD["exact_mass"], abs=1e-6)
    cells = bump().measure(2000).points
    marked = hard_at(X, y, cells, 25, 0.3)
    assert marked.mean() == pytest.approx(HARD["grid_mass"])
    balls = AugmentedRegion.around(X, cells[marked], 10)
    assert balls.contains(cells).mean() == pytest.approx(HARD["augmented_mass_kplus10"])
    exact = augmented_intervals(X, intervals, 10)
    assert np.diff(exact).sum() == pytest.approx(HARD["augmented_mass_kplus10"], abs=2 * 2 / 2000)


@st.composite
def lines(draw):
    """Distinct points beyond and within the unit interval, labels, k, and a width."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(1, 60))
    X = rng.uniform(-0.2, 1.2, (n, 1))
    y = (rng.random(n) < (X[:, 0] > 0.5) * 0.8 + 0.1).astype(int)
    return X, y, draw(st.integers(1, n)), draw(st.sampled_from([0.0, 0.1, 0.25, 0.4, 0.6])), rng


def inside(intervals, x):
    """Whether each of x (m,) lies in one of the intervals (J, 2), ends included."""
    return ((intervals[:, :1] <= x) & (x <= intervals[:, 1:])).any(axis=0)


@given(lines())
def test_intervals_hold_exactly_the_hard_points_of_a_line(line):
    X, y, k, width, rng = line
    intervals = hard_intervals(X, y, k, width)
    queries = rng.random(400)
    assert np.array_equal(inside(intervals, queries), hard_at(X, y, queries[:, None], k, width))
    assert (intervals[:, 0] < intervals[:, 1]).all()
    assert (intervals[1:, 0] > intervals[:-1, 1]).all()
    assert ((intervals >= 0) & (intervals <= 1)).all()
    wider = hard_intervals(X, y, k, width + 0.1, (-1, 2))
    middles = intervals.mean(axis=1)
    assert inside(wider, middles).all()


@given(lines(), st.integers(2, 40), st.data())
def test_exact_balls_and_balls_around_many_centers(line, many, data):
    """Those around centers lie within the exact ones, and lack what is nearer than twice their covering radius."""
    X, y, k, width, rng = line
    k_plus = data.draw(st.integers(1, len(X)))
    intervals = hard_intervals(X, y, k, width)
    assume(len(intervals))
    exact = augmented_intervals(X, intervals, k_plus)
    centers = np.linspace(*intervals.T, many).ravel()
    radius = np.diff(intervals).max() / (many - 1) / 2
    balls = AugmentedRegion.around(X, centers[:, None], k_plus)
    queries = rng.random(300)
    found = balls.contains(queries[:, None])
    assert not (found & ~inside(exact + [-1e-12, 1e-12], queries)).any()
    beyond = (abs(queries[:, None] - centers) - balls.radii).min(axis=1)
    assert (beyond[inside(exact, queries)] <= 2 * radius + 1e-12).all()


@st.composite
def balls(draw):
    """Training points, hard centers and queries, among them all of these points; some lie on a sphere."""
    X, centers, k, rng = draw(tables())
    return X, centers, k, np.concatenate([X, centers, rng.random((10, X.shape[1]))])


@given(balls())
def test_a_point_is_contained_if_some_closed_ball_holds_it(case):
    X, centers, k, points = case
    region = AugmentedRegion.around(X, centers, k)
    radii = np.sqrt(sorted_neighbors(X, centers, k)[1][:, -1])
    assert np.array_equal(region.radii, radii)
    squares = np.zeros((len(points), len(centers)))
    for axis in range(X.shape[1]):
        squares += (points[:, None, axis] - centers[None, :, axis]) ** 2
    found = region.contains(points)
    assert np.array_equal(found, (np.sqrt(squares) <= radii).any(axis=1))
    assert found[: len(X)][sorted_neighbors(X, centers, k)[0].ravel()].all()
    assert found[len(X) : len(X) + len(centers)].all()
    if k < len(X):
        assert AugmentedRegion.around(X, centers, k + 1).contains(points)[found].all()


@given(tables())
def test_the_radius_changes_no_faster_than_the_center(table):
    X, centers, k, rng = table
    moved = centers + rng.normal(scale=0.1, size=centers.shape)
    near, far = (AugmentedRegion.around(X, each, k).radii for each in (centers, moved))
    assert (abs(near - far) <= np.linalg.norm(centers - moved, axis=1) + 1e-12).all()


def test_many_centers_in_the_plane():
    """Enough of them that the nearest center decides on most points."""
    rng = np.random.default_rng(0)
    X, centers, points = rng.random((200, 2)), 0.3 + 0.4 * rng.random((300, 2)), rng.random((500, 2))
    region = AugmentedRegion.around(X, centers, 5)
    squares = ((points[:, None] - centers) ** 2).sum(axis=2)
    expected = (squares <= region.radii**2).any(axis=1)
    assert np.array_equal(region.contains(points), expected)
    assert 0.1 < expected.mean() < 0.9
    assert len(region) == 300


def test_without_a_hard_point_there_is_no_ball():
    X, y = np.arange(4.0)[:, None], np.array([0, 0, 1, 1])
    empty = AugmentedRegion.around(X, np.empty((0, 1)), 2)
    assert len(empty) == 0
    assert not empty.contains(X).any()
    nowhere = hard_intervals(X, y, 1, 0.3)
    assert nowhere.shape == (0, 2)
    assert augmented_intervals(X, nowhere, 2).shape == (0, 2)


def test_intervals_stay_in_their_box():
    X, y = np.arange(4.0)[:, None], np.array([0, 0, 1, 1])
    assert hard_intervals(X, y, 2, 0.3, (0, 3)).tolist() == [[1, 2]]
    assert hard_intervals(X, y, 2, 0.3, (1.5, 3)).tolist() == [[1.5, 2]]
    assert hard_intervals(X, y, 2, 0.6, (0, 3)).tolist() == [[0, 3]]
    assert augmented_intervals(X, np.array([[1.0, 2.0]]), 2, (0, 3)).tolist() == [[0, 3]]
    assert augmented_intervals(X, np.array([[1.0, 2.0]]), 1, (0, 3)).tolist() == [[1, 2]]
    assert augmented_intervals(X, np.array([[0.5, 0.6], [2.0, 2.4]]), 1, (-9, 9)).tolist() == [[0, 1], [2, 2.8]]


LINE, HALVES = np.arange(4.0)[:, None], np.array([0, 1] * 2)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: hard(VoteProfile.count(NeighborTable.build(LINE, LINE, 1), HALVES, 3), 1, 0.3),
            "the hard region is for two classes, got 3",
        ),
        (
            lambda: hard(
                VoteProfile.count(NeighborTable.build(LINE, LINE, 1), np.eye(2, dtype=bool)[HALVES], 2), 1, 0.3
            ),
            "the hard region reads the votes of labels, not of bags",
        ),
        (lambda: hard_at(LINE, HALVES, LINE, 1, -0.1), r"width must be between 0 and inf, got -0\.1"),
        (lambda: hard_at(LINE, HALVES, LINE, 1, float("nan")), "width must be between 0 and inf, got nan"),
        (lambda: hard_at(LINE, HALVES, LINE, 5, 0.1), "must not exceed"),
        (lambda: hard_intervals(LINE, HALVES, 5, 0.1), "k must not exceed the number of points, got k = 5 with n = 4"),
        (lambda: AugmentedRegion.around(LINE, LINE, 5), "k must not exceed the number of points, got k = 5 with n = 4"),
        (lambda: AugmentedRegion.around(LINE, LINE[:0], 0), "k must be at least 1, got 0"),
        (lambda: AugmentedRegion(LINE, np.ones(3)), r"need radii \(h,\), got shapes \(4, 1\) and \(3,\)"),
        (lambda: AugmentedRegion(LINE[:, 0], np.ones(4)), r"got shapes \(4,\) and \(4,\)"),
        (lambda: AugmentedRegion(LINE, np.array([1, 0, -0.5, 1])), r"radii must be at least 0, got -0\.5"),
        (lambda: AugmentedRegion.around(LINE, LINE, 1).contains(np.eye(2)), "points must have 1 columns, got 2"),
    ],
)
def test_refusals(call, sentence):
    refuses(sentence, call)
