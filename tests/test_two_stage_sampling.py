"""Labels bought from a distribution in two rounds: number by number, and the fractions that the formulas expect."""

from functools import cache
from math import ceil, log, sqrt

import numpy as np
import pytest
from reference_implementations import any_ball, reference, sorted_neighbors
from refusals import refuses

from knnviz import Problem, wave2d
from knnviz.active import FROM_P, FROM_R, ROUND1, Scheme, sampling, two_stage_sample
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


def two_rounds(problem, n, m, scheme, cells, seed):
    """The scheme as it is printed, a number at a time: points, classes, tags, how many draws; delta = .1, c0 = 0."""
    rng = np.random.default_rng(seed)
    choosing = 0 if problem.density is None and problem.atoms is None else 1
    inner = 0 if problem.atoms is not None else problem.dimension
    chosen, inner_numbers = rng.random((n, choosing)), rng.random((n, inner))
    X = [point_from(problem, [*a, *b]) for a, b in zip(chosen, inner_numbers, strict=True)]
    y = [int(rng.random() < problem.eta(x[None])[0, 1]) for x in X]
    tags, first, labels = [ROUND1] * n, np.array(X), np.array(y)
    fraction = labels[sorted_neighbors(first, cells, scheme.k_hard)[0]].mean(axis=1)
    centers = cells[abs(fraction - 0.5) < 2 * min(0.5, sqrt(log(2 / 0.1) / scheme.k_hard))]
    k_plus = min(n, max(1, ceil(scheme.c_plus * sqrt(n * (problem.dimension + 1) * log(8 / 0.1)))))
    radii = np.sqrt(sorted_neighbors(first, centers, k_plus)[1][:, -1])
    draws, toss = 0, None
    while len(X) < n + m:
        toss = rng.random() < (scheme.passive_fraction if len(centers) else 1) if toss is None else toss
        x = point_from(problem, [rng.random() for _ in range(choosing + inner)])
        draws += 1
        if toss or any_ball(x[None], centers, radii)[0]:
            X.append(x)
            y.append(int(rng.random() < problem.eta(x[None])[0, 1]))
            tags.append(FROM_P if toss else FROM_R)
            toss = None
        elif scheme.coin == "per_draw":
            toss = None
    return np.array(X), y, tags, draws


#: By problem: pi, c_plus and cells. One cell stands for all of the line, though its ball is small: then there are far
#: more draws than expected.
CASES = [(name, pi, 0.05, {1: 40, 2: 12}[each.dimension]) for name, each in PROBLEMS.items() for pi in (0.0, 0.2)]


@pytest.mark.parametrize(("name", "pi", "c_plus", "resolution"), [*CASES, ("line", 0.0, 0.0, 1)])
@pytest.mark.parametrize("coin", ["per_draw", "per_sample"])
def test_it_is_the_printed_algorithm_number_by_number(name, pi, c_plus, resolution, coin):
    problem, scheme = PROBLEMS[name], Scheme(60, pi, c_plus=c_plus, coin=coin)
    X, y, tags, draws = two_rounds(problem, 200, 60, scheme, problem.measure(resolution).points, 1)
    found = two_stage_sample(problem, 200, 60, scheme, 1, resolution)
    assert np.array_equal(found.X, X)
    assert found.y.tolist() == y
    assert found.stage.tolist() == tags
    assert (found.n, found.m, found.n_draws) == (200, 60, draws)
    assert draws > (1000 if resolution == 1 else 60)


def same(ours, theirs):
    """Whether two samples have the same labels from the same draws."""
    pairs = [(getattr(ours, name), getattr(theirs, name)) for name in ("X", "y", "stage", "in_augmented")]
    pairs += [(getattr(ours.second, name), getattr(theirs.second, name)) for name in ("points", "passive", "accepted")]
    return all(np.array_equal(*pair) for pair in pairs)


@pytest.mark.parametrize("coin", ["per_draw", "per_sample"])
def test_fewer_labels_are_the_first_of_more(coin):
    scheme = Scheme(60, 0.3, coin=coin)
    for problem in (bump(0.1), SLOPE, power(0.5)):
        sample = two_stage_sample(problem, 100, 40, scheme, 5, 30)
        for m in (0, 1, 17, 40):
            assert same(sample.head(m), two_stage_sample(problem, 100, m, scheme, 5, 30))
    refuses("m must be between 0 and 40, got 41", sample.head, 41)


def test_a_seed_gives_the_same_sample_and_a_generator_may_stand_for_it():
    sources = 3, np.random.default_rng(3), np.random.SeedSequence(3), 4
    one, drawn, spawned, other = (two_stage_sample(wave2d(), 100, 50, Scheme(60, 0.2), rng, 20) for rng in sources)
    assert same(one, drawn)
    assert same(one, spawned)
    assert not same(one, other)


@pytest.fixture(scope="module")
def narrow():
    """Experiment A with both coins, by the coin."""
    schemes = {coin: Scheme(A["k"], A["pi"], coin=coin) for coin in ("per_draw", "per_sample")}
    return {coin: two_stage_sample(NARROW, A["n"], A["m"], scheme, 0) for coin, scheme in schemes.items()}


@pytest.mark.parametrize("coin", ["per_draw", "per_sample"])
def test_what_the_stages_mean(narrow, coin):
    sample = narrow[coin]
    region, second = sample.first.region, sample.second
    assert (sample.stage[: sample.n] == ROUND1).all()
    accepted = np.isin(np.arange(sample.n_draws), second.accepted)
    assert np.array_equal(accepted, second.passive | region.contains(second.points))
    assert np.array_equal(second.points[second.accepted], sample.X[sample.n :])
    assert np.array_equal(sample.stage[sample.n :], np.where(second.passive[accepted], FROM_P, FROM_R))
    assert not sample.in_augmented[sample.stage == FROM_P].all()
    if coin == "per_sample":
        # A coin stays until a label is bought.
        assert not (np.diff(second.passive.astype(int)) != 0)[~accepted[:-1]].any()


def test_what_the_first_round_gives(narrow):
    first = narrow["per_draw"].first
    assert first.width == pytest.approx(A["thr"], abs=1e-6)
    assert first.k_plus == A["k_plus"]
    cells = first.measure.points
    assert np.array_equal(first.augmented, first.region.contains(cells))
    assert np.array_equal(first.hard, first.hard_at(cells))
    assert first.augmented[first.hard].all()
    assert (first.hard_mass, first.augmented_mass) == pytest.approx((first.hard.mean(), first.augmented.mean()))
    # One run of the twenty that the reference averages.
    assert first.hard_mass == pytest.approx(A["mass_hard"], abs=0.05)


@pytest.mark.parametrize("coin", ["per_draw", "per_sample"])
def test_realized_fractions_and_draws_are_those_expected(narrow, coin):
    sample = narrow[coin]
    q, pi, m = sample.first.augmented_mass, A["pi"], A["m"]
    fraction, probability = sample.expected_passive_fraction, pi + (1 - pi) * q
    assert fraction == pytest.approx(pi / probability if coin == "per_draw" else pi)
    assert abs(sample.passive_label_fraction - fraction) < 4 * sqrt(fraction * (1 - fraction) / m)
    if coin == "per_draw":
        assert abs(sample.n_draws - m / probability) < 4 * sqrt(m * (1 - probability)) / probability
    else:
        assert abs(sample.n_draws - m * (pi + (1 - pi) / q)) < 4 * sqrt(m / q**2)


def test_without_a_hard_cell_all_labels_are_passive():
    """Experiment E: the first round is too small for the narrow bump to show."""
    sample = two_stage_sample(NARROW, 250, 300, Scheme(100, 0.1), 1)
    assert sample.first.fallback
    assert not sample.first.hard.any()
    assert (sample.stage[250:] == FROM_P).all()
    assert (sample.n_draws, sample.passive_label_fraction, sample.expected_passive_fraction) == (300, 1.0, 1.0)
    assert not sample.in_augmented.any()


@pytest.mark.parametrize("coin", ["per_draw", "per_sample"])
def test_passive_fractions_of_zero_and_one(coin):
    never, always = (two_stage_sample(NARROW, 1000, 200, Scheme(100, pi, coin=coin), 0) for pi in (0, 1))
    assert (never.stage[1000:] == FROM_R).all()
    assert never.passive_label_fraction == never.expected_passive_fraction == 0
    assert (always.stage[1000:] == FROM_P).all()
    assert always.passive_label_fraction == always.expected_passive_fraction == 1
    assert never.n_draws > 1000 > always.n_draws == 200


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)
def test_a_second_round_without_labels(problem):
    sample = two_stage_sample(problem, 100, 0, Scheme(60, 0.1), 0, 20)
    assert (sample.m, sample.n_draws, len(sample.X)) == (0, 0, 100)
    assert np.isnan(sample.passive_label_fraction)


def test_where_everything_is_hard_every_draw_is_bought():
    sample = two_stage_sample(bump(1, 0.55, 0.55), 200, 100, Scheme(20, 0.3), 0)
    assert sample.first.hard_mass == sample.first.augmented_mass == 1
    assert (sample.n_draws, round(sample.expected_passive_fraction, 9)) == (100, 0.3)


def test_rounded_weights_never_hold_more_than_all_of_the_mass():
    """All points but one without weight, some of whose sums are rounded up."""
    sums = []
    for seed in range(50):
        weights = np.append(np.random.default_rng(seed).dirichlet(np.ones(9)), 0)
        sums.append(weights[:-1].sum())
        spots = Measure(np.arange(10.0)[:, None], weights)
        assert 1 - 1e-12 < sampling.mass_of(spots, np.arange(10) < 9) <= 1
        assert sampling.mass_of(spots, np.ones(10, bool)) == 1
    assert max(sums) > 1


@pytest.mark.parametrize("problem", [*PROBLEMS.values(), waves()], ids=lambda each: each.name)
def test_points_of_a_sample_are_made_of_their_uniforms(problem):
    rng = np.random.default_rng(4)
    first = int(problem.atoms is not None or problem.density is not None)
    choosing, rest = rng.random((50, first)), rng.random((50, problem.n_uniforms - first))
    expected = [point_from(problem, [*a, *b]) for a, b in zip(choosing, rest, strict=True)]
    assert np.array_equal(problem.sample(50, 4).X, expected)
    assert np.array_equal(problem.points(50, np.random.default_rng(4)), expected)
    assert np.array_equal(problem.points_from_uniforms(np.concatenate([choosing, rest], axis=1)), expected)


def bought(n=20, m=9, k_hard=2, resolution=None):
    return two_stage_sample(bump(), n, m, Scheme(k_hard, 0.1), 0, resolution)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: bought(k_hard=21), "k must not exceed the number of labels of the first"),
        (lambda: bought(n=0), "n must be at least 1, got 0"),
        (lambda: bought(m=-1), "m must be at least 0, got -1"),
        (lambda: bought(resolution=0), "n_cells must be at least 1, got 0"),
        (lambda: Scheme(0, 0.1), "k_hard must be at least 1, got 0"),
        (lambda: Scheme(9, 1.1), r"passive_fraction must be between 0 and 1, got 1\.1"),
        (lambda: Scheme(9, 0.1, coin="once"), "coin must be 'per_draw' or 'per_sample', got 'once'"),
        (
            lambda: two_stage_sample(NARROW, 1000, 10_000_000, Scheme(100, 0.0), 0),
            r"labels take more than 10,000,000 draws: H\+ is too small",
        ),
    ],
)
def test_refusals(call, sentence):
    refuses(sentence, call)
