"""Labels bought in two rounds, from a distribution and a pool: by number and as expected."""

from functools import cache
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import any_ball, generators, reference, sorted_neighbors
from refusals import refuses

from knnviz import Problem, breast_cancer, wave2d
from knnviz.active import (
    FROM_P,
    FROM_R,
    ROUND1,
    Scheme,
    passive_sample,
    pool_sample,
    scheme,
    two_stage_sample,
)
from knnviz.bounds import rittler
from knnviz.problems import Measure, bump, logistic, power, waves
from knnviz.problems.base import SAMPLING_GRID

A = reference("active")["experiments"]["A"]
NARROW = bump(0.022, 0.98, 0.02)
COINS = ("per_draw", "per_sample")

SLOPE = Problem("slope", wave2d().eta, density=lambda X: 1 + X[:, 0] + X[:, 1] ** 2)
#: With the cells on which the hard region is computed.
PROBLEMS = {
    "line": (bump(0.1, 0.95, 0.05), 40),
    "square": (wave2d(), 12),
    "heavy": (
        Problem("heavy", logistic().eta, ((-0.5, 1.5),), density=lambda X: 0.1 + X[:, 0] ** 2),
        40,
    ),
    "slope": (SLOPE, 12),
    "spots": (
        Problem.from_atoms(
            [[0.0], [0.3], [0.5], [0.9], [1.0]], [0.3, 0.2, 0.1, 0.3, 0.1], [0, 0.1, 0.5, 0.95, 1]
        ),
        40,
    ),
    # One cell stands for all of the line, though its ball is small: then there are far more draws
    # than expected.
    "one cell": (bump(0.1, 0.95, 0.05), 1),
}


def point_from(problem, numbers):
    """The point that its uniform numbers give."""
    measure = problem.atoms
    low, high = np.array(problem.box).T
    if measure is None and problem.density is None:
        return low + (high - low) * numbers
    n_cells = SAMPLING_GRID[problem.dimension]
    measure = measure or drawn_from(problem)
    heights = np.cumsum(measure.weights)
    center = measure.points[np.argmax(heights > numbers[0] * heights[-1])]
    if problem.atoms is not None:
        return center
    return center + (high - low) / n_cells * (np.array(numbers[1:]) - 0.5)


@cache
def drawn_from(problem):
    """The cells that points of a density are drawn from."""
    return problem.measure(SAMPLING_GRID[problem.dimension])


def two_rounds(problem, n, m, scheme, cells, seed):
    """The scheme as printed: points, classes, tags, and how many draws."""
    rng = np.random.default_rng(seed)
    uniform = problem.density is None and problem.atoms is None
    choosing = 0 if uniform else 1
    inner = 0 if problem.atoms is not None else problem.dimension

    def label(x):
        return int(rng.random() < problem.eta(x[None])[0, 1])

    numbers = np.hstack([rng.random((n, choosing)), rng.random((n, inner))])
    X = [point_from(problem, row) for row in numbers]
    y = [label(x) for x in X]
    tags = [ROUND1] * n

    first = np.array(X)
    nearest, _ = sorted_neighbors(first, cells, scheme.k_hard)
    fraction = np.array(y)[nearest].mean(axis=1)
    d = problem.dimension
    width = rittler.hard_width(scheme.k_hard, n, d, scheme.delta, scheme.c0)
    centers = cells[abs(fraction - 0.5) < width]
    k_plus = rittler.augmented_neighbors(n, d, scheme.delta, scheme.c_plus)
    _, squares = sorted_neighbors(first, centers, k_plus)
    radii = np.sqrt(squares[:, -1])
    pi = scheme.passive_fraction if len(centers) else 1

    draws = 0
    toss = None
    while len(X) < n + m:
        if toss is None:
            toss = rng.random() < pi
        x = point_from(problem, [rng.random() for _ in range(choosing + inner)])
        draws += 1
        if toss or any_ball(x[None], centers, radii)[0]:
            X.append(x)
            y.append(label(x))
            tags.append(FROM_P if toss else FROM_R)
            toss = None
        elif scheme.coin == "per_draw":
            toss = None
    return np.array(X), y, tags, draws


@pytest.mark.parametrize("pi", [0.0, 0.2])
@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("coin", COINS)
def test_it_is_the_printed_algorithm_number_by_number(name, pi, coin):
    problem, resolution = PROBLEMS[name]
    scheme = Scheme(60, pi, c_plus=0.05, coin=coin)
    cells = problem.measure(resolution).points
    X, y, tags, draws = two_rounds(problem, 200, 60, scheme, cells, 1)
    found = two_stage_sample(problem, 200, 60, scheme, 1, resolution)
    assert np.array_equal(found.X, X)
    assert found.y.tolist() == y
    assert found.stage.tolist() == tags
    assert (found.n, found.m, found.n_draws) == (200, 60, draws)
    assert draws > 60
    if name == "one cell" and pi == 0:
        assert draws > 1000


def assert_fits(sample):
    """Fail unless labels, stages and draws of a sample fit each other."""
    n = sample.n
    points, passive, accepted = sample.second
    region = sample.first.region
    tags = np.where(passive[accepted], FROM_P, FROM_R)
    assert (sample.stage[:n] == ROUND1).all()
    assert np.array_equal(sample.stage[n:], tags)
    assert np.array_equal(points[accepted], sample.X[n:])
    if sample.m:
        kept = passive | region.contains(points)
        assert np.array_equal(accepted, np.flatnonzero(kept))
    assert np.array_equal(sample.in_augmented, region.contains(sample.X))


def assert_same(ours, theirs):
    """Fail unless two samples have the same labels from the same draws."""
    for name in ("X", "y", "stage", "in_augmented"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name))
    assert all(map(np.array_equal, ours.second, theirs.second))


@pytest.mark.parametrize("coin", COINS)
def test_fewer_labels_are_the_first_of_more(coin):
    for problem in (bump(0.1), SLOPE, power(0.5)):
        scheme = Scheme(60, 0.3, coin=coin)
        sample = two_stage_sample(problem, 100, 40, scheme, 5, 30)
        assert_fits(sample)
        for m in (0, 1, 17, 40):
            fewer = two_stage_sample(problem, 100, m, scheme, np.random.default_rng(5), 30)
            assert_same(sample.head(m), fewer)
        assert np.isnan(sample.head(0).passive_label_fraction)


@pytest.fixture(scope="module", params=COINS)
def narrow(request):
    """Experiment A with either coin."""
    scheme = Scheme(A["k"], A["pi"], coin=request.param)
    return two_stage_sample(NARROW, A["n"], A["m"], scheme, 0)


def test_what_the_first_round_gives(narrow):
    first = narrow.first
    assert first.width == pytest.approx(A["thr"], abs=1e-6)
    assert first.k_plus == A["k_plus"]
    assert np.array_equal(first.hard, first.hard_at(first.measure.points))
    assert first.augmented_mass == pytest.approx(first.augmented.mean())
    assert first.hard_mass == pytest.approx(first.hard.mean())
    # One run of the twenty that the reference averages.
    assert first.hard_mass == pytest.approx(A["mass_hard"], abs=0.05)


def test_without_a_hard_cell_all_labels_are_passive():
    """A pool of one class."""
    X = np.linspace(0, 1, 600)[:, None]
    sample = pool_sample(X, lambda i: False, 250, 300, Scheme(60, 0.1), 0)
    assert sample.first.augmented_mass == 0
    assert (sample.stage[250:] == FROM_P).all()
    assert sample.n_draws == 300
    assert sample.passive_label_fraction == 1.0
    assert sample.expected_passive_fraction == 1.0


def test_realized_fractions_and_draws_are_those_expected(narrow):
    coin = narrow.first.scheme.coin
    given = (A["pi"], narrow.first.augmented_mass, coin)
    fraction = narrow.expected_passive_fraction
    assert fraction == rittler.expected_passive_fraction(*given)
    deviation = sqrt(fraction * (1 - fraction) / A["m"])
    assert abs(narrow.passive_label_fraction - fraction) < 4 * deviation
    assert narrow.n_draws == pytest.approx(rittler.expected_draws(A["m"], *given), rel=0.1)


def test_rounded_weights_never_hold_more_than_all_of_the_mass():
    weights = np.append(np.random.default_rng(0).dirichlet(np.ones(9)), 0)
    assert weights[:-1].sum() > 1
    measure = Measure(np.arange(10.0)[:, None], weights)
    assert scheme.mass_of(measure, np.arange(10) < 9) == 1


@st.composite
def pools(draw):
    """Points with duplicates, classes, how labels are bought; some points are hard, some not."""
    rng = draw(generators)
    size = draw(st.integers(40, 90))
    n = draw(st.integers(20, 35))
    X = rng.random((size, draw(st.integers(1, 2))))
    y = (rng.random(size) < np.where(X[:, 0] > 0.5, 0.95, 0.05)).astype(int)
    decimals = draw(st.sampled_from([1, 15]))
    pi = draw(st.sampled_from([0.0, 0.2, 1.0]))
    coin = draw(st.sampled_from(COINS))
    m = draw(st.integers(0, size - n))
    return X.round(decimals), y, n, m, Scheme(20, pi, 0.95, 0.0, 0.05, coin)


@settings(max_examples=60)
@given(pools(), st.integers(0, 99))
def test_labels_of_a_pool_are_bought_one_by_one_and_fit_their_points(case, seed):
    X, y, n, m, scheme = case
    sold = []

    def ask(i):
        sold.append(i)
        return bool(y[i])

    sample = pool_sample(X, ask, n, m, scheme, seed)
    assert sample.rows.tolist() == sold
    assert len(set(sold)) == n + m == len(sample.y)
    assert np.array_equal(sample.X, X[sample.rows])
    assert np.array_equal(sample.y, y[sample.rows])
    assert_fits(sample)
    # Once no unlabeled point is left in H+, all draws are passive.
    inside = sample.first.augmented
    for at in range(n, n + m):
        unlabeled = np.delete(inside, sample.rows[:at])
        if not unlabeled.any():
            assert sample.stage[at] == FROM_P

    fewer = pool_sample(X, lambda i: int(y[i]), n, m // 2, scheme, seed)
    head = sample.head(m // 2)
    assert_same(head, fewer)
    assert np.array_equal(head.rows, fewer.rows)


def test_every_point_of_the_pool_is_as_likely_in_the_first_round():
    X = np.arange(20.0)[:, None]
    scheme = Scheme(3, 0.5)
    rows = []
    for seed in range(200):
        rows += pool_sample(X, lambda i: i % 2, 5, 0, scheme, seed).rows.tolist()
    counts = np.bincount(rows, minlength=20)
    # Of 200 draws of a quarter: 50, with a deviation of 6.1.
    assert abs(counts - 50).max() < 4 * 6.1


def test_refusals():
    scheme = Scheme(2, 0.1)
    refuses("n .*got 0", two_stage_sample, NARROW, 0, 9, scheme)
    refuses("waves has 3", two_stage_sample, waves(), 20, 9, scheme)
    refuses(r"300 \+ 99 labels", two_stage_sample, breast_cancer(), 300, 99, scheme)
    refuses("10,000,000 draws", two_stage_sample, NARROW, 1000, 10_000_000, Scheme(100, 0.0))
    refuses("passive_fraction .*1.1", Scheme, 9, 1.1)
    refuses("m .*got -1", two_stage_sample(NARROW, 20, 9, scheme).head, -1)
    refuses("between 1 and 398, got 399", passive_sample, breast_cancer(), 399)
    line = np.arange(9.0)[:, None]
    refuses("class of point .*got 2", pool_sample, line, lambda i: 2, 5, 1, scheme)
    # These buy no label.
    refuses(r"8 \+ 2 labels", pool_sample, line, None, 8, 2, scheme)
    refuses("X_pool .*missing", pool_sample, line * np.nan, None, 5, 2, scheme)
