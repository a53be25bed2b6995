"""Lemmas 4 and 5 of Gao et al.: both sides, by exact sums and by sampling, and the one that is false."""

from math import exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import reference
from scipy.stats import binom

from knnviz.bounds import gao

STATED = reference("gao_bounds")


def test_lemma_4_is_false():
    sides = gao.lemma_4(8, 0.25)
    assert sides == pytest.approx((0.2309, 0.1250), abs=5e-5)
    assert not sides.holds
    assert gao.lemma_4(8, 0).holds
    assert gao.lemma_4(8, 0.5).holds


@pytest.mark.parametrize("k", list(STATED["lemma4"]))
def test_constants_of_lemmas_4_and_5(k):
    """The reference maximizes over a grid of p, so that the true maxima are a little larger."""
    stated = STATED["lemma4"][k]
    for constant, name in ((gao.chernoff_constant, "chernoff_max"), (gao.binomial_constant, "binomial_tail_max")):
        assert -1e-9 <= constant(int(k)) - stated[name] < 1e-6


def test_where_the_constants_stand():
    """Chernoff's is above sqrt 2 for every k and below 2 sqrt 2; the exact one stays below sqrt 2."""
    ks = [*range(8, 200), 10**3, 10**4, 10**6]
    chernoff, exact = ([constant(k) for k in ks] for constant in (gao.chernoff_constant, gao.binomial_constant))
    assert (np.diff(chernoff) < 0).all()
    assert sqrt(2) < 1.7155 < chernoff[-1] < chernoff[0] < 2 * sqrt(2)
    assert chernoff[-1] == pytest.approx(2 * sqrt(2) * exp(-0.5), abs=2e-3)
    assert max(exact) == exact[0] == pytest.approx(0.7382, abs=5e-5)


@given(st.integers(8, 60), st.floats(0, 1), st.floats(0, 0.49))
def test_lemma_5_with_equal_votes(k, p, tau):
    mean = tau + (1 - 2 * tau) * p
    sides = gao.lemma_5([mean] * k, tau)
    ones = binom.sf(-(-k // 2) - 1, k, mean)
    assert sides.left == pytest.approx(p * (1 - ones) + (1 - p) * ones, abs=1e-9)
    assert sides.left <= sides.right + 1e-12


@given(st.lists(st.floats(0, 1), min_size=8, max_size=40), st.floats(0, 1))
def test_lemma_5_with_unequal_votes(votes, fraction):
    mean = np.mean(votes)
    tau = fraction * min(mean, 1 - mean, 0.49)
    sides = gao.lemma_5(votes, tau)
    assert sides.left <= sides.right + 1e-12


def test_lemma_5_by_sampling():
    votes, tau = np.linspace(0.05, 0.75, 12), 0.2
    rng, p = np.random.default_rng(0), (votes.mean() - 0.2) / 0.6
    labels = (rng.random((40_000, 12)) < votes).mean(axis=1) >= 0.5
    wrong = np.mean(labels != (rng.random(40_000) < p))
    assert wrong == pytest.approx(gao.lemma_5(votes, tau).left, abs=4 * 0.5 / 200)


def test_unequal_votes_are_not_worse():
    """Hoeffding: a tail of independent votes of a given mean is largest where each is 0, 1 or one common q."""
    stated, worst = STATED["lemma5_unequal_votes"], (0.0,)
    q = np.arange(1, 200) / 200
    for k in range(8, 31):
        for ones in range(k // 2):
            for zeros in range(k - ones):
                same = k - ones - zeros
                p = (ones + same * q) / k
                ratio = (1 - 2 * p) * binom.sf(-(-k // 2) - 1 - ones, same, q) * sqrt(k) / p
                best = int(ratio.argmax())
                worst = max(worst, (float(ratio[best]), k, ones, zeros, float(q[best])))
    assert worst[0] == pytest.approx(stated["worst"], abs=1e-9)
    assert worst[1:] == pytest.approx(tuple(stated["at"].values()))
    assert worst[0] < stated["allowed"] == pytest.approx(sqrt(2))
    votes = [worst[4]] * worst[1]
    assert (gao.lemma_5(votes).left - worst[4]) * sqrt(8) / worst[4] == pytest.approx(worst[0])


def test_lemma_4_gives_lemma_5_where_it_holds():
    """Chernoff's side is above the exact one, so that the step from Lemma 4 to Lemma 5 is sound."""
    for k in (8, 9, 50):
        for p in np.linspace(0.01, 0.5, 50):
            assert (1 - 2 * p) * binom.sf(-(-k // 2) - 1, k, p) <= gao.lemma_4(k, p).left + 1e-15
    assert gao.lemma_4(8, 0.25).left == pytest.approx(0.5 * exp(8 * (0.25 + log(0.5) / 2)))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: gao.lemma_4(7, 0.2), "k must be at least 8 for Lemma 4, got 7"),
        (lambda: gao.lemma_4(8, 0.6), r"p must be between 0 and 0\.5, got 0\.6"),
        (lambda: gao.lemma_5([0.2] * 7), "k must be at least 8 for Lemma 5, got 7"),
        (lambda: gao.lemma_5([0.1] * 8, 0.2), r"the mean of the votes must lie in \[tau, 1 - tau\] = \[0\.2, 0\.8\]"),
        (lambda: gao.lemma_5([0.5] * 8, 0.5), r"flip rate tau must be below 1/2, got 0\.5"),
        (lambda: gao.lemma_5([]), "votes must be a list of probabilities, one at least"),
        (lambda: gao.lemma_5([float("nan")] * 8), "votes must be a list of probabilities, one at least"),
        (lambda: gao.chernoff_constant(7), "k must be at least 8, got 7"),
        (lambda: gao.binomial_constant(7), "k must be at least 8, got 7"),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
