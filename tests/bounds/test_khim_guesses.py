"""Guessing between the worlds of Proposition 2: likelihoods beside plain sums, probabilities beside games."""

import numpy as np
import pytest

from knnviz.bounds import khim


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def games(worlds, rng, times):
    """The log-likelihood ratio of each of some samples from P_+."""
    for _ in range(times):
        points = rng.random((rng.binomial(worlds.n, worlds.mass), 1))
        if not len(points):
            yield 0.0
            continue
        labels = (rng.random(len(points)) < worlds.eta(points)[0]).astype(int)
        yield khim.log_likelihood_ratio(worlds, points, labels)


def test_the_ratio_is_that_of_two_likelihoods(rng):
    for dimension in (1, 2):
        worlds = khim.proposition_2(200, 0.7, dimension=dimension)
        points, labels = rng.random((60, dimension)), rng.integers(0, 2, 60)
        plus, minus = (np.log(np.where(labels == 1, eta, 1 - eta)).sum() for eta in worlds.eta(points))
        ratio = khim.log_likelihood_ratio(worlds, points, labels)
        assert ratio == pytest.approx(plus - minus)
        assert khim.log_likelihood_ratio(worlds, points, 1 - labels) == pytest.approx(-ratio), "the worlds are mirrored"


def test_the_posterior_is_that_of_bayes():
    assert khim.posterior(0) == 0.5
    assert khim.posterior(np.log(3)) == pytest.approx(0.75)
    assert khim.posterior(-np.log(3)) == pytest.approx(0.25)
    assert (khim.posterior(2000), khim.posterior(-2000)) == (1, 0)
    with pytest.raises(ValueError, match="log-likelihood ratio must be between -inf and inf, got nan"):
        khim.posterior(np.nan)


@pytest.mark.parametrize(("n", "mass", "alpha"), [(20, 0.05, 1.0), (20, 0.5, 1.0), (1000, 1.0, 1.0), (1000, 0.5, 0.4)])
def test_the_best_probability_is_that_of_games(n, mass, alpha, rng):
    """Means of 2000 samples, with four standard errors to each side."""
    worlds = khim.proposition_2(n, mass, holder_exponent=alpha)
    ratios = np.array(list(games(worlds, rng, 2000)))
    probability = khim.best_probability(worlds)
    claimed = np.array([khim.posterior(abs(ratio)) for ratio in ratios])
    assert probability == pytest.approx(claimed.mean(), abs=4 * claimed.std() / 2000**0.5)
    right = np.mean(ratios > 0) + np.mean(ratios == 0) / 2
    assert probability == pytest.approx(right, abs=4 * (probability * (1 - probability) / 2000) ** 0.5)


def test_the_best_probability_is_above_what_the_proposition_leaves_and_below_pinsker():
    """Some guess errs with exp(-KL) / 4 in one world; none is better than half and root(KL / 8)."""
    for n in (20, 1000, 100_000):
        for mass in (0.1, 1.0):
            worlds = khim.proposition_2(n, mass)
            probability = khim.best_probability(worlds)
            assert 0.5 < probability <= 0.5 + (worlds.divergence / 8) ** 0.5
            assert 1 - probability >= worlds.probability


def test_more_mass_and_a_higher_bump_help():
    probabilities = [khim.best_probability(khim.proposition_2(1000, mass)) for mass in (0.05, 0.2, 0.5, 1.0)]
    assert probabilities == sorted(probabilities)
    low = khim.best_probability(khim.proposition_2(1000, 1.0, holder_constant=0.1))
    assert low < probabilities[-1]


@pytest.mark.parametrize(("n", "offset"), [(20, 0.2), (100, 0.2), (1000, 0.2), (100, 0.05), (1000, 0.05)])
def test_the_best_probability_of_worlds_that_are_easily_distinguished(n, offset, rng):
    """The ratio goes far beyond 20 here. Of 1000 games all are won where the probability is 1."""
    worlds = khim.proposition_2(n, 1.0, offset=offset)
    ratios = np.array(list(games(worlds, rng, 1000)))
    probability, claimed = khim.best_probability(worlds), np.array([khim.posterior(abs(ratio)) for ratio in ratios])
    assert probability <= 1
    # A claim lies between 1/2 and 1: so far its square may stray, however few of those far off are drawn.
    assert probability == pytest.approx(claimed.mean(), abs=4 * ((1 - probability) / 2 / 1000) ** 0.5 + 1e-5)
    right = np.mean(ratios > 0)
    assert probability == pytest.approx(right, abs=4 * (probability * (1 - probability) / 1000) ** 0.5 + 1e-4)


def test_ever_larger_samples_make_any_guess_right():
    for n in (10**4, 10**6, 10**9):
        assert khim.best_probability(khim.proposition_2(n, 1.0, offset=0.1)) == pytest.approx(1, abs=1e-9)


def test_a_cube_of_more_dimensions_is_refused():
    with pytest.raises(ValueError, match="the best guess is computed on a line, got dimension 2"):
        khim.best_probability(khim.proposition_2(1000, 0.5, dimension=2))


def test_labels_must_be_two_classes():
    with pytest.raises(ValueError, match="labels must be class codes 0 to 1"):
        khim.log_likelihood_ratio(khim.proposition_2(100, 0.5), np.array([[0.5]]), np.array([2]))
