"""Formulas of Khim, Xu & Singh: properties, limits, and samples."""

from math import exp, inf, log, log2

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reference_implementations import generators, reference
from scipy.special import expit

from knnviz import regions
from knnviz.bounds import khim
from knnviz.problems import waves
from knnviz.weights import Confusion, confusion

#: Values of the reference run in the specification sheet.
STATED = reference("khim_bounds")
BINARY = STATED["binary"]

ETA = waves().cells(200_000)[1]
HUNDREDTHS = np.arange(101) / 100
FIRST = ETA[:, 0]
Q = (0.5, 0.3, 0.2)
SMOOTH = {"smoothness": 1, "smoothness_constant": 5}


# Disagreement and excess.


@st.composite
def sizes(draw):
    """n, and k up to a half of it."""
    n = draw(st.integers(10, 10**9))
    fraction = draw(st.floats(0, 1))
    return n, max(1, int(fraction * n / 2))


weights = st.lists(st.floats(0.01, 1), min_size=2, max_size=6)


@given(weights, st.floats(0.01, 100), sizes(), st.floats(1e-6, 0.999), st.floats(0.1, 2))
def test_the_scale_of_the_weights_changes_no_probability(q, scale, size, delta, beta):
    (n, k) = size
    prior = np.full(len(q), 1 / len(q))

    def on(by):
        """What stays the same for weights by * q, and then what grows with them, over by."""
        scaled = np.multiply(q, by)
        margin = {"margin_exponent": beta, "margin_constant": by**-beta}
        best = khim.remark_1(n, delta, scaled, **SMOOTH)
        first = khim.theorem_1(k, n, delta, scaled)
        width = khim.corollary_1(k, n, delta, scaled, **SMOOTH)
        excess = khim.proposition_1(k, n, scaled, prior, **SMOOTH, **margin)
        disagreement = khim.corollary_2(n, delta, scaled, **SMOOTH, **margin)
        far = khim.lemma_9(k, n, scaled, by * 0.4, **SMOOTH)

        growing = np.array([first.margin, best.value, width, excess])
        return (first.mass, best.k, disagreement, far, *growing / by)

    assert on(scale) == pytest.approx(on(1))


@given(st.floats(0.05, 3), st.floats(0.01, 100), st.integers(10**4, 10**9))
def test_the_k_of_remark_1_minimizes_corollary_1(alpha, L, n):
    smooth = {"smoothness": alpha, "smoothness_constant": L}
    best = khim.remark_1(n, 0.05, Q, **smooth)
    assume(best.value < inf and best.k > 100)

    def width(by):
        return khim.corollary_1(by * best.k, n, 0.05, Q, **smooth)

    at = width(1)
    assert at == pytest.approx(best.value)
    assert at < min(width(0.9), width(1.1))
    assert khim.corollary_1(best.k, 2 * n, 0.05, Q, **smooth) < at

    mass = khim.theorem_1(best.k, n, 0.05, Q).mass
    assert mass <= 2 * best.k / n


@given(sizes(), st.floats(0.05, 3), st.floats(0.01, 100), st.floats(0, 5), st.integers(2, 50))
def test_the_excess_by_its_formula_beside_the_printed_one(size, alpha, L, beta, C):
    n, k = size
    given = {
        "smoothness": alpha,
        "smoothness_constant": L,
        "margin_exponent": beta,
        "margin_constant": 2,
    }
    P = 2 * L * (2 * k / n) ** alpha
    assume(P > 1e-100)
    needed = log2(8 * (1 + beta) / (k * P**2)) / 2
    explicit = khim.corollary_2_excess(k, n, C, **given)
    printed = khim.corollary_2_excess(k, n, C, **given, as_printed=True)

    by_hand = []
    for shift in (-1e-9, 0, 1e-9):
        J = max(1, np.ceil(needed + shift))
        band = 2 * (2**J * P) ** beta
        by_hand.append(exp(-k / 8) + (1 + C) * band)
    assert any(explicit == pytest.approx(each) for each in by_hand)

    assert printed <= explicit * (1 + 1e-9)
    most = (1 + 1 / C) * 2**beta * printed
    assert explicit <= most * (1 + 1e-9), "what rounding and the innermost band cost"


# Uniform error.


@given(sizes(), st.integers(1, 10), st.floats(0.1, 1))
def test_corollary_3_is_the_larger_bound_and_the_least_error_the_least(size, d, alpha):
    (n, k) = size
    held = {"holder_exponent": alpha, "holder_constant": 2, "dimension": d}
    theorem = khim.theorem_3(k, n, 0.05, **held)
    corollary = khim.corollary_3(k, n, 0.05, **held)
    assert theorem.value <= corollary.value * (1 + 1e-12)
    assert theorem.failure <= corollary.failure * (1 + 1e-9)

    least = khim.least_error(n, 0.05, **held).value
    printed = khim.corollary_3(k, n, 0.05, **held, as_printed=True)
    if printed.failure < inf:
        added = 2 ** (d - 1) * (printed.failure - 0.05)
        assert corollary.failure - 0.05 == pytest.approx(added, rel=1e-6, abs=1e-12)
        assert least <= theorem.value * (1 + 1e-12)

    of_more = khim.least_error(2 * n, 0.05, **held).value
    assert of_more <= least * (1 + 1e-12)


# Confusion entries and scores.


@given(st.floats(0, 1), st.floats(0, 0.2), generators)
def test_proposition_3_for_any_threshold(t, epsilon, rng):
    """Whatever eta-hat does within epsilon, entries move by no more than the band."""
    eta = rng.random(400)
    errors = rng.uniform(-epsilon, epsilon, 400)
    fractions = np.clip(eta + errors, 0, 1)
    mass = khim.threshold_mass(eta, epsilon, t, np.arange(11) / 10)
    for held, bound in ((1 - eta, mass.tne), (eta, mass.fne)):
        found = (held * (fractions >= t)).mean()
        entry = (held * (eta >= t)).mean()
        assert abs(found - entry) <= bound + 1e-9


def test_bands_of_thresholds():
    stated = BINARY["band t'=.45 t''=.55 eps=.05 eta_1 (tne,fne)"]
    found = khim.threshold_mass(FIRST, 0.05, 0.5, (0.45, 0.55))
    assert found == pytest.approx(stated, rel=1e-4)

    inner = HUNDREDTHS[-2:0:-1]
    tne, fne = khim.threshold_mass(FIRST, 0.05, [0.005, 0.29, 0.505, 0.995], inner)
    assert np.isinf(tne).tolist() == [True, False, False, True]
    assert np.isinf(fne).tolist() == [True, False, False, True]
    stated = BINARY["prop3_inf t=.505 T=0:.01:1 eps=.05 (tne,fne)"]
    assert (tne[2], fne[2]) == pytest.approx(stated, rel=1e-3)


def assert_chain(population, errors, stated):
    """Errors of entries, then of scores, then the box of F1, for the first class."""
    scores = khim.score_errors(population, errors)
    box = khim.f1_intervals(population, errors)
    chain = (errors.tp, errors.fp, *scores, *box)
    found = [np.ravel(each)[0] for each in chain]

    wanted = [stated[key] for key in ("E_TP", "E_FP", "E_prec", "E_rec", "E_F1")]
    wanted += stated["box_F1"]
    assert found == pytest.approx(wanted, rel=1e-3)


def test_the_chain_to_f1():
    """Theorem 5 with Corollaries 5 and 6 on class 0 of three, Proposition 3 with 7 to 9 on it and
    the rest.
    """
    tne, fne = regions.error_band(ETA, 0.001, Q, Q, 0).errors(ETA, 0)
    many = khim.theorem_5(10**8, 0.05, n_classes=3, cover_size=2556, tne=tne, fne=fne)
    assert_chain(confusion(ETA, ETA, Q), many, STATED["thm5_chain"])

    stated = BINARY["cor7-9 t=.5 eps=.001 n=1e8 N=101 delta=.05"]
    band = khim.threshold_mass(FIRST, 0.001, [0.5], HUNDREDTHS)
    two = khim.proposition_3(10**8, 0.05, cover_size=101, tne=band.tne, fne=band.fne)
    parts = [stated["conf"][key] for key in ("TN", "FN", "FP", "TP")]
    binary = Confusion(*np.array(parts)[:, None])
    assert_chain(binary, two, stated)


@st.composite
def entries(draw):
    """Four parts of 1."""
    parts = draw(st.lists(st.floats(0.01, 1), min_size=4, max_size=4))
    return np.array(parts) / sum(parts)


@given(entries(), entries(), st.floats(0, 0.3))
def test_scores_move_by_no_more(truth, other, fraction):
    """Entries that move a fraction of the way to others are off by so much at most."""
    found = (1 - fraction) * truth + fraction * other
    moved = abs(found - truth)
    negative = max(moved[0], moved[2])
    positive = max(moved[1], moved[3])
    errors = khim.EntryErrors(negative, positive, negative, positive)
    population = Confusion(*truth[:, None])
    sample = Confusion(*found[:, None])

    scores = khim.score_errors(population, errors)
    for name in ("precision", "recall", "f1"):
        difference = getattr(sample, name) - getattr(population, name)
        assert abs(difference) <= getattr(scores, name) + 1e-12

    low, high = khim.f1_intervals(population, errors)
    assert low - 1e-12 <= sample.f1 <= high + 1e-12


# Two worlds.


@pytest.mark.parametrize(("alpha", "d", "cells"), [(1.0, 1, 10_000), (0.5, 2, 800)])
def test_two_worlds_by_sums_over_a_grid(alpha, d, cells):
    worlds = khim.proposition_2(10_000, 0.5, holder_exponent=alpha, holder_constant=2, dimension=d)
    middles = (np.arange(cells) + 0.5) / cells
    axes = np.meshgrid(*[middles] * d)
    points = np.stack(axes, axis=-1).reshape(-1, d)
    plus, minus = worlds.eta(points)

    assert plus.min() > 0.5 > minus.max()
    assert worlds.margin(np.ones((1, d))) == worlds.offset, "a corner is of the cube"
    assert worlds.epsilon == pytest.approx((plus - 0.5).max(), rel=1e-2)
    negatives = 0.5 * (1 - minus).mean()
    assert worlds.true_negatives == (0, pytest.approx(negatives, rel=1e-5))
    log_ratios = (2 * plus - 1) * np.log(plus / minus)
    divergence = 5000 * log_ratios.mean()
    assert worlds.probability == pytest.approx(exp(-divergence) / 4, rel=1e-3)


@pytest.mark.parametrize(
    ("n", "mass", "offset"),
    [(20, 0.5, None), (1000, 1.0, None), (100, 1.0, 0.2), (1000, 1.0, 0.05)],
)
def test_the_best_probability_is_that_of_games(n, mass, offset):
    """1000 samples from P_+, within four standard errors; Pinsker's inequality bounds it."""
    worlds = khim.proposition_2(n, mass, offset=offset)
    rng = np.random.default_rng(0)
    ratios = []
    for _ in range(1000):
        points = rng.random((rng.binomial(n, mass), 1))
        ones = rng.random(len(points)) < worlds.eta(points)[0]
        ratios.append(khim.log_likelihood_ratio(worlds, points, ones.astype(int)))

    probability = khim.best_probability(worlds)
    claimed = expit(np.abs(ratios))
    standard_error = ((1 - probability) / 2 / 1000) ** 0.5
    assert probability == pytest.approx(claimed.mean(), abs=4 * standard_error + 1e-5)

    pinsker = 0.5 + (-log(4 * worlds.probability) / 8) ** 0.5
    assert 0.5 < probability <= min(1, pinsker)
    assert 1 - probability >= worlds.probability - 1e-9
