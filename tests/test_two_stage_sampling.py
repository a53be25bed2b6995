"""Labels bought from a distribution in two rounds: number by number, and the fractions that the formulas expect."""

from fractions import Fraction
from functools import cache
from math import ceil, log, sqrt

import numpy as np
import pytest
from reference_implementations import any_ball, reference, sorted_neighbors

from knnviz import Problem, breast_cancer, wave2d
from knnviz.active import (
    FROM_P,
    FROM_R,
    ROUND1,
    FirstRound,
    Scheme,
    TwoStageSample,
    labeled,
    sampling,
    second_round,
    two_stage_sample,
)
from knnviz.problems import Measure, bump, power, waves
from knnviz.problems.base import SAMPLING_GRID

A, NARROW = reference("active")["experiments"]["A"], bump(0.022, 0.98, 0.02)

ETA = power(3).eta
HEAVY = Problem("heavy", ETA, ((-0.5, 1.5),), density=lambda X: 0.1 + X[:, 0] ** 2)
SLOPE = Problem("slope", wave2d().eta, density=lambda X: 1 + X[:, 0] + X[:, 1] ** 2)
SPOTS = Problem.from_atoms([[0.0], [0.3], [0.5], [0.9], [1.0]], [0.3, 0.2, 0.1, 0.3, 0.1], [0, 0.1, 0.5, 0.95, 1])

PROBLEMS = {"line": bump(0.1, 0.95, 0.05), "square": wave2d(), "heavy": HEAVY, "slope": SLOPE, "spots": SPOTS}


def point_from(problem, numbers):
    """The point that its uniform numbers give."""
    if problem.atoms is not None:
        return problem.atoms.points[chosen_by(problem.atoms.weights, numbers[0])]
    low, high = np.array(problem.box).T
    if problem.density is None:
        return low + (high - low) * numbers
    cells = drawn_from(problem)
    center = cells.points[chosen_by(cells.weights, numbers[0])]
    return center + (high - low) / SAMPLING_GRID[problem.dimension] * (np.array(numbers[1:]) - 0.5)


@cache
def drawn_from(problem):
    """The cells that points of a density are drawn from."""
    return problem.measure(SAMPLING_GRID[problem.dimension])


def chosen_by(weights, u):
    """The position of the weight that a uniform number falls into."""
    heights = np.cumsum(weights)
    return int(np.argmax(heights > u * heights[-1]))


def two_rounds(problem, n, m, k_hard, passive_fraction, coin, c_plus, cells, seed):
    """The scheme as it is printed, a number at a time: points, classes, tags, how many draws; delta = .1, c0 = 0."""
    rng = np.random.default_rng(seed)
    choosing = 0 if problem.density is None and problem.atoms is None else 1
    inner = 0 if problem.atoms is not None else problem.dimension
    chosen, inner_numbers = rng.random((n, choosing)), rng.random((n, inner))
    X = [point_from(problem, [*a, *b]) for a, b in zip(chosen, inner_numbers, strict=True)]
    y = [int(rng.random() < problem.eta(x[None])[0, 1]) for x in X]
    tags, first, labels = [ROUND1] * n, np.array(X), np.array(y)
    fraction = labels[sorted_neighbors(first, cells, k_hard)[0]].mean(axis=1)
    centers = cells[abs(fraction - 0.5) < 2 * min(0.5, sqrt(log(2 / 0.1) / k_hard))]
    k_plus = min(n, max(1, ceil(c_plus * sqrt(n * (problem.dimension + 1) * log(8 / 0.1)))))
    radii = np.sqrt(sorted_neighbors(first, centers, k_plus)[1][:, -1])
    draws, toss = 0, None
    while len(X) < n + m:
        toss = rng.random() < (passive_fraction if len(centers) else 1) if toss is None else toss
        x = point_from(problem, [rng.random() for _ in range(choosing + inner)])
        draws += 1
        if toss or any_ball(x[None], centers, radii)[0]:
            X.append(x)
            y.append(int(rng.random() < problem.eta(x[None])[0, 1]))
            tags.append(FROM_P if toss else FROM_R)
            toss = None
        elif coin == "per_draw":
            toss = None
    return np.array(X), y, tags, draws


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("coin", ["per_draw", "per_sample"])
def test_it_is_the_printed_algorithm_number_by_number(name, coin):
    problem = PROBLEMS[name]
    resolution = 40 if problem.dimension == 1 else 12
    cells = problem.measure(resolution).points
    for seed, passive_fraction in ((0, 0.2), (1, 0.0)):
        X, y, tags, draws = two_rounds(problem, 200, 60, 60, passive_fraction, coin, 0.05, cells, seed)
        found = two_stage_sample(
            problem, 200, 60, 60, passive_fraction, c_plus=0.05, coin=coin, resolution=resolution, rng=seed
        )
        assert np.array_equal(found.X, X)
        assert found.y.tolist() == y
        assert found.stage.tolist() == tags
        assert found.n_draws == draws
        assert (found.n, found.m, len(found)) == (200, 60, 260)
        assert not found.fallback
        assert draws > 60


def same(ours, theirs):
    """Whether two samples have the same labels from the same draws."""
    pairs = [(getattr(ours, name), getattr(theirs, name)) for name in ("X", "y", "stage", "in_augmented")]
    pairs += [(getattr(ours.second, name), getattr(theirs.second, name)) for name in ("points", "passive", "accepted")]
    return all(np.array_equal(*pair) for pair in pairs)


@pytest.mark.parametrize("coin", ["per_draw", "per_sample"])
def test_fewer_labels_are_the_first_of_more(coin):
    for problem in (bump(0.1), SLOPE, power(0.5)):
        sample = two_stage_sample(problem, 100, 40, 60, 0.3, coin=coin, resolution=30, rng=5)
        for m in (0, 1, 17, 40):
            head = sample.head(m)
            assert same(head, two_stage_sample(problem, 100, m, 60, 0.3, coin=coin, resolution=30, rng=5))
            assert (head.n, head.m) == (100, m)
            assert head.n_draws >= m
    for m in (-1, 41):
        with pytest.raises(ValueError, match=f"m must be between 0 and 40, got {m}"):
            sample.head(m)


def test_a_seed_gives_the_same_sample_and_a_generator_may_stand_for_it():
    asked = wave2d(), 100, 50, 60, 0.2
    one, again, drawn, other = (
        two_stage_sample(*asked, resolution=20, rng=rng) for rng in (3, 3, np.random.default_rng(3), 4)
    )
    assert same(one, again)
    assert same(one, drawn)
    assert not same(one, other)


@pytest.fixture(scope="module")
def narrow():
    """Experiment A with both coins, by the coin."""
    asked = NARROW, A["n"], A["m"], A["k"], A["pi"]
    return {coin: two_stage_sample(*asked, coin=coin, rng=0) for coin in ("per_draw", "per_sample")}


@pytest.mark.parametrize("coin", ["per_draw", "per_sample"])
def test_what_the_stages_mean(narrow, coin):
    sample = narrow[coin]
    region, second = sample.first.region, sample.second
    assert (sample.stage[: sample.n] == ROUND1).all()
    assert sample.stage.dtype == np.uint8
    contained = region.contains(second.points)
    accepted = np.zeros(sample.n_draws, bool)
    accepted[second.accepted] = True
    assert np.array_equal(accepted, second.passive | contained)
    assert np.array_equal(second.points[second.accepted], sample.X[sample.n :])
    assert np.array_equal(sample.stage[sample.n :], np.where(second.passive[accepted], FROM_P, FROM_R))
    assert region.contains(sample.X[sample.stage == FROM_R]).all()
    assert not sample.in_augmented[sample.stage == FROM_P].all()
    assert len(second) == sample.n_draws
    if coin == "per_sample":
        # A coin stays until a label is bought.
        assert not (np.diff(second.passive.astype(int)) != 0)[~accepted[:-1]].any()


def test_what_the_first_round_gives(narrow):
    first = narrow["per_draw"].first
    assert first.width == pytest.approx(A["thr"], abs=1e-6)
    assert first.k_plus == A["k_plus"]
    cells = first.measure.points
    assert np.array_equal(first.augmented, first.region.contains(cells))
    assert first.augmented[first.hard].all()
    assert (first.hard_mass, first.augmented_mass) == pytest.approx((first.hard.mean(), first.augmented.mean()))
    # One run of the twenty that the reference averages.
    assert first.hard_mass == pytest.approx(A["mass_hard"], abs=0.05)
    assert first.hard_mass < first.augmented_mass < first.hard_mass + 0.06


@pytest.mark.parametrize("coin", ["per_draw", "per_sample"])
def test_realized_fractions_and_draws_are_those_expected(narrow, coin):
    sample = narrow[coin]
    q, pi, m = sample.first.augmented_mass, A["pi"], A["m"]
    fraction, probability = sample.expected_passive_fraction, pi + (1 - pi) * q
    assert fraction == pytest.approx(pi / probability if coin == "per_draw" else pi)
    assert abs(sample.passive_label_fraction - fraction) < 4 * sqrt(fraction * (1 - fraction) / m)
    if coin == "per_draw":
        assert sample.expected_draws == pytest.approx(m / probability)
        assert abs(sample.n_draws - m / probability) < 4 * sqrt(m * (1 - probability)) / probability
    else:
        assert sample.expected_draws == pytest.approx(m * (pi + (1 - pi) / q))
        assert abs(sample.n_draws - sample.expected_draws) < 4 * sqrt(m / q**2)


def test_without_a_hard_cell_all_labels_are_passive():
    """Experiment E: the first round is too small for the narrow bump to show."""
    sample = two_stage_sample(NARROW, 250, 300, 100, 0.1, rng=1)
    assert sample.fallback
    assert not sample.first.hard.any()
    assert len(sample.first.region) == 0
    assert (sample.stage[250:] == FROM_P).all()
    assert (sample.n_draws, sample.passive_label_fraction) == (300, 1.0)
    assert (sample.expected_passive_fraction, sample.expected_draws) == (1.0, 300.0)
    assert not sample.in_augmented.any()


@pytest.mark.parametrize("coin", ["per_draw", "per_sample"])
def test_passive_fractions_of_zero_and_one(coin):
    never, always = (two_stage_sample(NARROW, 1000, 200, 100, pi, coin=coin, rng=0) for pi in (0, 1))
    assert (never.stage[1000:] == FROM_R).all()
    assert never.passive_label_fraction == never.expected_passive_fraction == 0
    assert never.expected_draws == pytest.approx(200 / never.first.augmented_mass)
    assert never.n_draws > 1000
    assert (always.stage[1000:] == FROM_P).all()
    assert always.passive_label_fraction == always.expected_passive_fraction == 1
    assert always.n_draws == always.expected_draws == 200


def test_where_everything_is_hard_every_draw_is_bought():
    sample = two_stage_sample(bump(1, 0.55, 0.55), 200, 100, 20, 0.3, rng=0)
    assert sample.first.hard_mass == sample.first.augmented_mass == 1
    assert sample.n_draws == sample.expected_draws == 100
    assert sample.expected_passive_fraction == pytest.approx(0.3)


def test_a_first_round_alone():
    sample = two_stage_sample(NARROW, 300, 0, 100, 0.1, rng=0)
    assert (sample.m, sample.n_draws, len(sample.second.points)) == (0, 0, 0)
    assert np.isnan(sample.passive_label_fraction)
    assert sample.expected_draws == 0
    X, y = labeled(NARROW, 300, np.random.default_rng(0))
    assert np.array_equal(sample.X, X)
    assert np.array_equal(sample.y, y)


@pytest.mark.parametrize("coin", ["per_draw", "per_sample"])
def test_numbers_that_run_out_are_drawn_on(coin):
    """However few are drawn at first, the walk is the same."""
    problem, scheme = SLOPE, Scheme(60, 0.1, c_plus=0.05, coin=coin)
    X, y = labeled(problem, 200, np.random.default_rng(0))
    first = FirstRound.of(scheme, X, y, problem.measure(20))
    given = problem, first.region, 0.1, coin == "per_sample", 30
    few, many = (sampling.draw_second_round(*given, np.random.default_rng(7), draws) for draws in (1, 5000))
    for ours, theirs in zip(few[:3], many[:3], strict=True):
        assert np.array_equal(ours, theirs)
    assert len(few[3]) < len(many[3])


@pytest.mark.parametrize(("most", "passes"), [(1_000_000, True), (10_000, False)])
def test_cells_that_make_too_much_of_the_region(monkeypatch, most, passes):
    """One cell, and so mass 1, for a ball that reaches to the next label: thousands of draws for each label."""
    monkeypatch.setattr(sampling, "MOST_DRAWS", most)
    if passes:
        sample = two_stage_sample(NARROW, 1000, 30, 100, 0, c_plus=0, resolution=1, rng=0)
        assert (sample.m, sample.first.augmented_mass) == (30, 1)
        assert sample.n_draws > 100_000
        return
    with pytest.raises(ValueError, match="30 labels take more than 10,000 draws: H\\+ is smaller than the cells tell"):
        two_stage_sample(NARROW, 1000, 30, 100, 0, c_plus=0, resolution=1, rng=0)


def test_a_passive_fraction_may_be_a_fraction_or_a_whole_number():
    for fraction, number in ((Fraction(1, 4), 0.25), (1, 1.0)):
        asked = [two_stage_sample(bump(0.1), 100, 20, 60, pi, resolution=30, rng=0) for pi in (fraction, number)]
        assert same(*asked)
        assert asked[0].expected_draws == asked[1].expected_draws


def test_rounded_weights_never_hold_more_than_all_of_the_mass():
    """All points but one without weight, some of whose sums are rounded up."""
    sums = []
    for seed in range(50):
        weights = np.append(np.random.default_rng(seed).dirichlet(np.ones(9)), 0)
        sums.append(weights[:-1].sum())
        spots = Measure(np.arange(10.0)[:, None], weights)
        assert sampling.mass_of(spots, np.arange(10) < 9) == pytest.approx(1)
        assert sampling.mass_of(spots, np.arange(10) < 9) <= 1
        assert sampling.mass_of(spots, np.ones(10, bool)) == 1
    assert max(sums) > 1


def test_a_second_round_may_follow_any_first_round():
    problem, scheme, rng = bump(0.1), Scheme(60, 0.3), np.random.default_rng(9)
    X, y = labeled(problem, 150, rng)
    sample = second_round(problem, scheme, FirstRound.of(scheme, X, y, problem.measure(50)), 20, rng)
    assert isinstance(sample, TwoStageSample)
    assert same(sample, two_stage_sample(problem, 150, 20, 60, 0.3, resolution=50, rng=9))


@pytest.mark.parametrize("problem", [*PROBLEMS.values(), waves()], ids=lambda each: each.name)
def test_points_of_a_sample_are_made_of_their_uniforms(problem):
    rng = np.random.default_rng(4)
    choosing, rest = rng.random((50, problem.n_choosing)), rng.random((50, problem.n_uniforms - problem.n_choosing))
    expected = [point_from(problem, [*a, *b]) for a, b in zip(choosing, rest, strict=True)]
    assert np.array_equal(problem.sample(50, 4).X, expected)
    assert np.array_equal(problem.points(50, np.random.default_rng(4)), expected)
    assert np.array_equal(problem.points_from_uniforms(np.concatenate([choosing, rest], axis=1)), expected)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: two_stage_sample(breast_cancer(), 99, 9, 9, 0.1, rng=0),
            "two_stage_sample needs a known distribution",
        ),
        (
            lambda: two_stage_sample(waves(), 99, 9, 9, 0.1, rng=0),
            "labels are bought in two rounds for two classes, but waves has 3",
        ),
        (
            lambda: two_stage_sample(bump(), 20, 9, 21, 0.1, rng=0),
            "k must not exceed the number of labels of the first",
        ),
        (lambda: two_stage_sample(bump(), 0, 9, 21, 0.1, rng=0), "n must be at least 1, got 0"),
        (lambda: two_stage_sample(bump(), 20, -1, 2, 0.1, rng=0), "m must be at least 0, got -1"),
        (lambda: two_stage_sample(bump(), 20, 9, 2, 0.1, resolution=0, rng=0), "resolution must be at least 1, got 0"),
        (lambda: Scheme(0, 0.1), "k_hard must be at least 1, got 0"),
        (lambda: Scheme(9, 1.1), r"passive_fraction must be between 0 and 1, got 1\.1"),
        (lambda: Scheme(9, 0.1, delta=0), "failure probability delta must lie strictly between 0 and 1, got 0"),
        (lambda: Scheme(9, 0.1, c0=-1), r"c0 must be between 0 and 1e\+100, got -1"),
        (lambda: Scheme(9, 0.1, c_plus=-1), r"c_plus must be between 0 and 1e\+100, got -1"),
        (lambda: Scheme(9, 0.1, coin="once"), "coin must be 'per_draw' or 'per_sample', got 'once'"),
        (lambda: Scheme(9, 0.1).width(8, 1), "k must not exceed the number of points, got k = 9 with n = 8"),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_a_region_too_small_to_draw_from_is_refused():
    with pytest.raises(ValueError, match=r"labels would take .* draws, more than 10,000,000: H\+ is too small"):
        two_stage_sample(NARROW, 1000, 10_000_000, 100, 0.0, rng=0)
