"""Bounds under label noise: what the proofs use, and risks that the bounds hold for."""

from math import inf, pi, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refuses
from scipy.stats import binom

from knnviz import LabelNoise, Problem, Threshold, risk
from knnviz.bounds import gao
from knnviz.problems import linear
from knnviz.problems.base import two_classes

RATES = [(0.0, 0.0), (0.2, 0.1), (0.1, 0.3), (0.45, 0.0), (0.9, 0.05), (0.0, 0.6)]


def test_a_box_larger_than_the_cube_does_no_harm():
    """All of the sample is in one box: a tiny L gives a bound that holds and is not vacuous."""
    atom = Problem.from_atoms([[0.5]], [1.0], [0.9], box=[(0, 1)])
    noise = LabelNoise()
    value = gao.theorem_1(atom, 1000, 10**6, noise, 0.01).value
    vote_risk = 0.1 + 0.8 * binom.cdf(499, 1000, 0.9)
    assert vote_risk < value < 1
    assert gao.boxes(1000, 10**6, noise, 0.01, 1).side > 1


@given(
    st.integers(2, 10**6),
    st.integers(0, 40),
    st.floats(0.01, 100),
    st.integers(1, 20),
    st.floats(0, 0.9),
)
def test_the_cover_term_pays_for_the_boxes(k, doublings, lipschitz, dimension, p0):
    """2 k / (n mu^d) of Lemma 1, equal where the second of the two lengths is mu; beyond Delta
    votes stray little.
    """
    n = k * 2**doublings
    terms = gao.boxes(k, n, LabelNoise(p0=p0), lipschitz, dimension)
    price = 2 / 2**doublings * terms.side**-dimension
    assert price <= terms.cover * (1 + 1e-9)
    if terms.margin > sqrt(np.log(k) / k) * (1 + 1e-9):
        assert price == pytest.approx(terms.cover)

    below_half = -(-k // 2) - 1
    frequency = 0.5 + min(terms.margin, 1) / 2
    assert binom.cdf(below_half, k, frequency) <= terms.vote


@pytest.mark.parametrize("tau", [0.0, 0.1, 0.3, 0.45])
def test_theorem_2_where_eta_is_the_same_everywhere(tau):
    """Then L may be as small as one likes, and the risk is a binomial sum: the constant sqrt 2 is
    put to the test.
    """
    for k in (8, 9, 20, 101):
        below = Threshold(0.5).min_votes(k) - 1
        for p in np.linspace(0.005, 0.5, 100):
            ones = binom.sf(below, k, tau + (1 - 2 * tau) * p)
            found = p + (1 - 2 * p) * ones
            case = {"lipschitz": 1e-12, "dimension": 1, "bayes_risk": p}
            assert found <= gao.theorem_2(k, 10**15, tau, **case)


@pytest.mark.parametrize(("s", "tau"), [(0.2, 0.1), (0.2, 0.4), (1, 0.1), (1, 0.3)])
def test_the_limit_of_one_neighbor_keeps_within_both_sides_of_theorem_3(s, tau):
    best = 0.5 - s / 4
    case = {"lipschitz": s, "dimension": 1, "bayes_risk": best}
    lower, upper, slack = gao.theorem_3(1600, tau, **case)
    limit = risk.one_nn_limit(linear(s), LabelNoise(tau, tau))
    assert best < lower - slack < lower <= limit <= upper < upper + slack < 1


@pytest.mark.parametrize("rates", RATES)
def test_theorem_4_by_exact_sums(rates):
    """As n grows k votes of frequency eta_corr are drawn: the excess at each eta, the largest of
    which is bounded.
    """
    eta = np.linspace(0, 1, 2001)
    noise = LabelNoise(*rates)
    corrupted = noise.corrupt(two_classes(eta))[:, 1]
    for k in (1, 2, 3, 5, 8, 20, 51, 100, 500):
        needed = Threshold.from_rates(*rates).min_votes(k)
        ones = binom.sf(needed - 1, k, corrupted)
        wrong = np.where(eta > 0.5, 1 - ones, ones)
        excess = abs(2 * eta - 1) * wrong
        assert excess.max() <= gao.theorem_4(k, noise)


@pytest.mark.parametrize("rates", RATES)
def test_classes_may_be_exchanged_in_theorems_1_and_5(rates):
    plain = linear(0.8)
    mirrored = Problem("mirrored", lambda X: plain.eta(X)[:, ::-1], plain.box)
    for theorem in (gao.theorem_1, gao.theorem_5):
        one_way = theorem(plain, 100, 10**9, LabelNoise(*rates), 0.8)
        other_way = theorem(mirrored, 100, 10**9, LabelNoise(*rates[::-1]), 0.8)
        assert one_way == pytest.approx(other_way)


@pytest.mark.parametrize("dimension", [1, 2, 3, 10])
@pytest.mark.parametrize("lipschitz", [0.001, 0.1, 1, pi, 40])
def test_the_crossover_is_the_last_one(lipschitz, dimension):
    ks = np.arange(10, 60_000)
    root = sqrt(dimension)
    ours = 5 * max(lipschitz, sqrt(lipschitz)) * root * ks ** (1 / (1 + dimension))
    worse = ks[ours >= 6 * lipschitz * root + ks]
    last = max(worse, default=9)
    assert gao.bias_crossover(lipschitz=lipschitz, dimension=dimension) == last + 1


@given(st.lists(st.floats(0, 1), min_size=8, max_size=40), st.floats(0, 1))
def test_lemma_5_with_unequal_votes(votes, fraction):
    mean = np.mean(votes)
    tau = fraction * min(mean, 1 - mean, 0.49)
    left, right = gao.lemma_5(votes, tau)
    assert left <= right + 1e-12 < inf


def test_lemma_4_is_about_p_up_to_one_half():
    refuses(r"p must be .*0\.6", gao.lemma_4, 8, 0.6)
