"""Labels bought in two rounds, from a distribution and a pool: by number and as expected."""

from functools import cache
from math import ceil, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import any_ball, reference, sorted_neighbors
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
from knnviz.problems import Measure, bump, logistic, power, waves
from knnviz.problems.base import SAMPLING_GRID

A = reference("active")["experiments"]["A"]
NARROW = bump(0.022, 0.98, 0.02)

HEAVY = Problem("heavy", logistic().eta, ((-0.5, 1.5),), density=lambda X: 0.1 + X[:, 0] ** 2)
SLOPE = Problem("slope", wave2d().eta, density=lambda X: 1 + X[:, 0] + X[:, 1] ** 2)
SPOTS = Problem.from_atoms(
    [[0.0], [0.3], [0.5], [0.9], [1.0]], [0.3, 0.2, 0.1, 0.3, 0.1], [0, 0.1, 0.5, 0.95, 1]
)

PROBLEMS = {
    "line": bump(0.1, 0.95, 0.05),
    "square": wave2d(),
    "heavy": HEAVY,
    "slope": SLOPE,
    "spots": SPOTS,
}


def point_from(problem, numbers):
    """The point that its uniform numbers give."""
    if problem.atoms is not None:
        return problem.atoms.points[chosen_by(problem.atoms.weights, numbers[0])]
    low, high = np.array(problem.box).T
    if problem.density is None:
        return low + (high - low) * numbers
    cells = drawn_from(problem)
    center = cells.points[chosen_by(cells.weights, numbers[0])]
    sides = (high - low) / SAMPLING_GRID[problem.dimension]
    return center + sides * (np.array(numbers[1:]) - 0.5)


@cache
def drawn_from(problem):
    """The cells that points of a density are drawn from."""
    return problem.measure(SAMPLING_GRID[problem.dimension])


def chosen_by(weights, u):
    """The position of the weight that a uniform number falls into."""
    heights = np.cumsum(weights)
    return int(np.argmax(heights > u * heights[-1]))


def two_rounds(problem, n, m, scheme, cells, seed):
    """The scheme as printed: points, classes, tags, how many draws; delta = .1, c0 = 0."""
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
    deviation = min(0.5, sqrt(log(2 / 0.1) / scheme.k_hard))
    centers = cells[abs(fraction - 0.5) < 2 * deviation]
    exact = scheme.c_plus * sqrt(n * (problem.dimension + 1) * log(8 / 0.1))
    k_plus = min(n, max(1, ceil(exact)))
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


#: By problem: pi and cells. One cell stands for all of the line, though its ball is small: then
#: there are far more draws than expected.
CASES = [
    (name, pi, {1: 40, 2: 12}[each.dimension])
    for name, each in PROBLEMS.items()
    for pi in (0.0, 0.2)
]


@pytest.mark.parametrize(("name", "pi", "resolution"), [*CASES, ("line", 0.0, 1)])
@pytest.mark.parametrize("coin", ["per_draw", "per_sample"])
def test_it_is_the_printed_algorithm_number_by_number(name, pi, resolution, coin):
    problem = PROBLEMS[name]
    scheme = Scheme(60, pi, c_plus=0.05, coin=coin)
    cells = problem.measure(resolution).points
    X, y, tags, draws = two_rounds(problem, 200, 60, scheme, cells, 1)
    found = two_stage_sample(problem, 200, 60, scheme, 1, resolution)
    assert np.array_equal(found.X, X)
    assert found.y.tolist() == y
    assert found.stage.tolist() == tags
    assert found.n == 200
    assert found.m == 60
    assert found.n_draws == draws
    assert draws > (1000 if resolution == 1 else 60)


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


@pytest.mark.parametrize("coin", ["per_draw", "per_sample"])
def test_fewer_labels_are_the_first_of_more(coin):
    for problem in (bump(0.1), SLOPE, power(0.5)):
        scheme = Scheme(60, 0.3, coin=coin)
        sample = two_stage_sample(problem, 100, 40, scheme, 5, 30)
        assert_fits(sample)
        for m in (0, 1, 17, 40):
            fewer = two_stage_sample(problem, 100, m, scheme, np.random.default_rng(5), 30)
            assert_same(sample.head(m), fewer)
        assert np.isnan(sample.head(0).passive_label_fraction)


@pytest.fixture(scope="module")
def narrow():
    """Experiment A with both coins, by the coin."""
    by_coin = {}
    for coin in ("per_draw", "per_sample"):
        scheme = Scheme(A["k"], A["pi"], coin=coin)
        by_coin[coin] = two_stage_sample(NARROW, A["n"], A["m"], scheme, 0)
    return by_coin


def test_what_the_first_round_gives(narrow):
    first = narrow["per_draw"].first
    assert first.width == pytest.approx(A["thr"], abs=1e-6)
    assert first.k_plus == A["k_plus"]
    assert np.array_equal(first.hard, first.hard_at(first.measure.points))
    assert first.hard_mass == pytest.approx(first.hard.mean())
    assert first.augmented_mass == pytest.approx(first.augmented.mean())
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


@pytest.mark.parametrize("coin", ["per_draw", "per_sample"])
def test_realized_fractions_and_draws_are_those_expected(narrow, coin):
    sample = narrow[coin]
    pi = A["pi"]
    q = sample.first.augmented_mass
    fraction = sample.expected_passive_fraction
    if coin == "per_draw":
        draws = 1 / (pi + (1 - pi) * q)
        assert fraction == pytest.approx(pi * draws)
    else:
        draws = pi + (1 - pi) / q
        assert fraction == pytest.approx(pi)
    deviation = sqrt(fraction * (1 - fraction) / A["m"])
    assert abs(sample.passive_label_fraction - fraction) < 4 * deviation
    assert sample.n_draws == pytest.approx(A["m"] * draws, rel=0.1)


def test_rounded_weights_never_hold_more_than_all_of_the_mass():
    weights = np.append(np.random.default_rng(0).dirichlet(np.ones(9)), 0)
    assert weights[:-1].sum() > 1
    measure = Measure(np.arange(10.0)[:, None], weights)
    assert scheme.mass_of(measure, np.arange(10) < 9) == 1


@st.composite
def pools(draw):
    """Points with duplicates, classes, how labels are bought; some points are hard, some not."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = draw(st.integers(40, 90))
    n = draw(st.integers(20, 35))
    X = rng.random((size, draw(st.integers(1, 2))))
    probabilities = np.where(X[:, 0] > 0.5, 0.95, 0.05)
    y = (rng.random(size) < probabilities).astype(int)
    decimals = draw(st.sampled_from([1, 15]))
    pi = draw(st.sampled_from([0.0, 0.2, 1.0]))
    coin = draw(st.sampled_from(["per_draw", "per_sample"]))
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


LINE = np.arange(9.0)[:, None]


def bought(source=NARROW, n=20, m=9, k_hard=2, passive_fraction=0.1):
    return two_stage_sample(source, n, m, Scheme(k_hard, passive_fraction), 0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: bought(n=0), "n .*got 0"),
        (lambda: bought(waves()), "waves has 3"),
        (lambda: bought(breast_cancer(), 300, 99), "300 \\+ 99 labels"),
        (lambda: bought(NARROW, 1000, 10_000_000, 100, 0.0), "10,000,000 draws"),
        (lambda: Scheme(9, 1.1), "passive_fraction .*1.1"),
        (lambda: bought().head(-1), "m .*got -1"),
        (
            lambda: passive_sample(breast_cancer(), 399),
            "between 1 and 398, got 399",
        ),
        (lambda: pool_sample(LINE, lambda i: 2, 5, 1, Scheme(3, 0.1), 0), "class of point .*got 2"),
        # These buy no label.
        (lambda: pool_sample(LINE, None, 8, 2, Scheme(3, 0.1), 0), "8 \\+ 2 labels"),
        (lambda: pool_sample(LINE * np.nan, None, 5, 2, Scheme(3, 0.1), 0), "X_pool .*missing"),
    ],
)
def test_refusals(call, words):
    refuses(words, call)
