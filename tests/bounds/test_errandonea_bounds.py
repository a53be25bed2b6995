"""Bounds of PL A-kNN: values of the reference run, constants with which the proofs go through, and simulations."""

import re
from math import e, inf, log, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reference_implementations import reference
from scipy.stats import binom

from knnviz import regions
from knnviz.bounds import errandonea as pl
from knnviz.problems import Measure, linear, segments
from knnviz.profiles import BallProfile

PARTIAL = reference("partial")
VALUES = PARTIAL["bounds"]

deltas = st.floats(0.001, 0.999)
classes = st.integers(2, 30)
sizes = st.integers(1, 10**7)
advantages = st.floats(1e-6, 1)


# Constants


def test_constants_of_the_reference_run():
    thresholds = PARTIAL["thresholds"]
    assert pl.least_c1() == pytest.approx(thresholds["c1_theory"], abs=1e-6)
    proof, illustrative = pl.proof_constants(), pl.proof_constants(0.5)
    for found, key in ((proof, "proof_c2_C_c1theory_c0_1"), (illustrative, "proof_c2_C_c1half_c0_1")):
        assert (found.c2, found.constant) == pytest.approx(VALUES[key], rel=1e-6)
    assert proof.least_k(56000, 10, 0.1) == thresholds["k_needed_theory_n56000"] > 56000
    assert illustrative.least_k(1437, 10, 0.1) == thresholds["min_k_to_remove_n1437"]
    assert (proof.proved, illustrative.proved) == (False, False)
    assert pl.proof_constants(0.5, c0=0, vc_dimension=2).constant == 4, "no C' below 4 goes with c1 = 1/2"
    assert pl.proof_constants(257.96).proved
    assert not pl.proof_constants(257.96, vc_dimension=2).proved
    assert pl.least_c1(2) == pytest.approx(2 * sqrt(12000 * log(8)))
    assert pl.proof_constants(0.1, 0.0).c2 == 0.25
    assert pl.mass_cap(56000, 400) == pytest.approx(0.007, abs=2e-4)


@given(st.floats(0.01, 1000), sizes, classes, deltas, st.integers(1, 30))
def test_with_the_constants_of_the_proof_no_label_is_eliminated_before_least_k(c1, n, n_classes, delta, d0):
    """From it on the band is at most 1, the largest lead that there is."""
    k = pl.proof_constants(c1, vc_dimension=d0).least_k(n, n_classes, delta)
    band_constant = c1 * sqrt(d0 * log(n) + log(n_classes / delta))
    assert k >= 1
    assert band_constant / sqrt(k) <= 1 + 1e-12
    assert k == 1 or band_constant / sqrt(k - 1) > 1 - 1e-12


def test_the_printed_constant_does_not_carry_the_step():
    wanted = PARTIAL["step_5_to_12"]
    found = pl.step_5_to_12(2, 0.5, 0.9, 258)
    assert found == pytest.approx((wanted["n"], wanted["np_gamma2"], wanted["needed"]), abs=1e-6)
    assert not found.holds
    assert pl.step_5_to_12(2, 0.5, 0.9, 258, pl.repaired_constant(258)).holds
    assert pl.step_5_to_12(10, 1e-9, 1.0, 0.25).holds


@given(classes, deltas, advantages, st.floats(0.25, 1000), st.floats(1, 100))
def test_a_repaired_constant_carries_it_everywhere(n_classes, delta, advantage, c2, more):
    constant = pl.repaired_constant(c2)
    assert constant > 8 * c2**2
    step = pl.step_5_to_12(n_classes, delta, advantage, c2, constant)
    assert step.holds
    later = step.n * more
    assert later * advantage >= 4 * c2**2 * (log(later) + log(n_classes / delta)) * (1 - 1e-12)


def test_the_repaired_constant_is_the_smallest_of_its_kind():
    """In the worst case, two classes with delta near 1 and the advantage near 1/2, the step fails below it."""
    for c2 in (1.0, 258.0, 365.0):
        constant = pl.repaired_constant(c2)
        assert constant == pytest.approx(4 * c2**2 * (2 + (log(constant) + log(log(2))) / log(2)))
        worst = 2, 1 - 1e-12, 0.5, c2
        assert pl.step_5_to_12(*worst, constant * (1 + 1e-9)).holds
        assert not pl.step_5_to_12(*worst, constant * (1 - 1e-6)).holds
    assert pl.repaired_constant(0.25) == pytest.approx(e / log(2))


@given(st.floats(0.5, 1000))
def test_the_printed_constant_is_enough_for_small_c2_alone(c2):
    """That of c1 = .5 and c0 = 1 is not small enough, nor is that of the proof."""
    assume(abs(c2 - 0.605) > 0.005)
    assert (pl.repaired_constant(c2) > 16 * c2**2) == (c2 > 0.605)
    assert pl.proof_constants(0.5, 1.0).c2 > 0.7


# Points and risk


def test_what_a_point_needs_in_the_reference_run():
    assert pl.needed_n(0.05, 3, 0.1) == pytest.approx(VALUES["n_required_adv0p05_c3_d0p1_C1"], abs=1e-6)
    assert pl.needed_n(0.001, 3, 0.1) == pytest.approx(VALUES["n_required_adv0p001_c3"], abs=1e-6)
    assert pl.level(1000, 10, 0.1) == pytest.approx(VALUES["a_n_1000_c10_C1"], abs=5e-7)
    assert pl.level(1437, 10, 0.1) == pytest.approx(VALUES["a_n_1437_c10_C1"], abs=5e-7)


def test_a_point_without_advantage_needs_more_than_there_is():
    found = pl.needed_n(np.array([[0, 0.05], [0.001, 1]]), 3, 0.1)
    assert found.shape == (2, 2)
    assert found[0, 0] == inf
    assert found[1, 1] == log(30)
    assert pl.theorem_3_2(10**9, 0, 3, 0.1).vacuous


@given(sizes, advantages, classes, deltas, st.floats(0.01, 100))
def test_guarantees_at_points(n, advantage, n_classes, delta, constant):
    """The same at one point and at all; a point whose advantage exceeds a_n has its guarantee, as Theorem 3.4 uses."""
    bound = pl.theorem_3_2(n, advantage, n_classes, delta, constant)
    every = pl.theorem_3_3(n, np.array([advantage, 0.0]), n_classes, delta, constant)
    assert bound.vacuous == (n < bound.needed_n) == (not every.guaranteed[0]) == every.vacuous
    assert (every.fraction, every.guaranteed[1]) == (0 if bound.vacuous else 0.5, False)
    assert bound.failure == every.failure == delta**2
    assert bound.needed_n == pytest.approx(constant / advantage * max(log(1 / advantage), log(n_classes / delta)))
    if constant >= 1 and n > 2 and advantage > pl.level(n, n_classes, delta, constant):
        assert not bound.vacuous


def test_fractions_of_points_are_weighted():
    every = pl.theorem_3_3(1000, [0.05, 0.001, 0.02], 3, 0.1, weights=[0.2, 0.5, 0.3])
    assert every.guaranteed.tolist() == [True, False, True]
    assert every.fraction == pytest.approx(0.5)
    assert not every.vacuous


@given(classes, deltas, st.floats(0.001, 1), st.floats(0.01, 1e7))
def test_the_least_n_at_which_the_bound_can_be_below_one(n_classes, delta, cap, constant):
    n = pl.least_n(n_classes, delta, cap, constant)
    assert n >= 3
    assert pl.level(n, n_classes, delta, constant) < cap
    assert n == 3 or pl.level(n - 1, n_classes, delta, constant) >= cap


def test_with_the_constants_of_the_proof_the_least_n_is_huge():
    proof = pl.proof_constants()
    assert pl.least_n(10, 0.1, 0.5, proof.constant) > 10**8
    assert pl.least_n(10, 0.1, 0.5) < 60


def test_bounds_on_the_risk_of_three_kinds_of_advantages():
    """As a function, from points, from points of unequal weight."""
    n, at = 1000, pl.level(1000, 10, 0.1)
    points = np.array([0.005, 0.01, 0.02, 0.04])
    assert pl.theorem_3_4(n, 10, 0.1, (points, None)).excess == pytest.approx(0.1 + 0.5)
    assert pl.theorem_3_4(n, 10, 0.1, (points, [0.1, 0.2, 0.3, 0.4])).excess == pytest.approx(0.1 + 0.3)
    found = pl.theorem_3_4(n, 10, 0.1, lambda a: 10 * a)
    assert (found.level, found.excess) == (at, 0.1 + 10 * at)
    assert (found.vacuous, found.failure) == (False, 0.1)
    assert pl.theorem_3_4(100, 10, 0.1, lambda a: min(1, 10 * a)).vacuous
    # A level that a point just has is low.
    assert pl.low_advantage(([at], None), at) == 1


def test_misaligned_bags_cost_theta_times_their_mass():
    aligned = pl.theorem_3_4(1000, 3, 0.1, lambda a: 10 * a)
    found = pl.lemma_c_9(1000, 3, 0.1, lambda a: 10 * a, theta=0.1, misaligned=0.3)
    assert found.excess == pytest.approx(aligned.excess + 0.03)
    assert (found.failure, found.vacuous) == (0.1, False)
    printed = pl.lemma_c_9(1000, 3, 0.1, lambda a: 10 * a, theta=0.1, misaligned=0.3, two_events=True)
    assert (printed.failure, printed.excess) == (0.2, found.excess)
    assert pl.lemma_c_9(1000, 3, 0.5, lambda a: 0.0, theta=0.1, misaligned=0.3, two_events=True).vacuous
    assert not pl.lemma_c_9(1000, 3, 0.5, lambda a: 0.0, theta=0.1, misaligned=0.3).vacuous
    assert pl.theorem_3_5(0.1, 0.3) == pytest.approx(PARTIAL["consistency"]["rows"][0][-1])
    assert pl.theorem_3_5(0.7, 0) == 0


# Rates


def test_rates_of_the_reference_run():
    for n, key in ((10**4, "explicit_rate_n1e4_a1_b1"), (10**6, "explicit_rate_n1e6_a1_b1")):
        assert pl.theorem_b_1(n, 3, 0.1, 1, 1).excess == pytest.approx(VALUES[key], abs=1e-6)
    smooth = {"smoothness": 1, "smoothness_constant": 1, "margin_exponent": 1, "mass_cap": 0.5}
    found = pl.rate_constants(**smooth, margin_constant=2)
    assert found.c2_prime == pytest.approx(VALUES["C2prime"], abs=1e-6)
    assert found.c3 == pytest.approx(2 ** (1 / 3) * found.c2_prime)
    assert pl.least_advantage(0.2) == pytest.approx(0.0005)
    assert pl.theorem_b_1(1000, 3, 0.1, 1, 1, scale=found.c3).vacuous
    assert not pl.theorem_b_1(10**4, 3, 0.1, 1, 1, scale=found.c3).vacuous


def margin_at(advantage, alpha, L, cap):
    """The lead from which on the advantage is above a level, by the bound on it."""
    return max(
        sqrt(4 * advantage / cap), (4 * advantage) ** (alpha / (2 * alpha + 1)) * (4 * L) ** (1 / (2 * alpha + 1))
    )


#: alpha, L and A.
smooths = st.tuples(st.floats(0.1, 5), st.floats(0.01, 20), st.floats(0.01, 1))


@given(smooths, st.floats(1e-4, 1))
def test_the_bound_on_the_advantage_inverted(smooth, margin):
    """It grows with the lead, and its inverse is the maximum of two."""
    alpha, L, cap = smooth
    least = pl.least_advantage(margin, alpha, L, cap)
    direct = min(cap * margin**2 / 4, margin ** (2 + 1 / alpha) / (4 * (4 * L) ** (1 / alpha)))
    assert least == pytest.approx(direct)
    assume(least > 1e-300)
    assert margin_at(least, alpha, L, cap) == pytest.approx(margin)


@given(smooths, st.floats(0, 4), st.floats(0.1, 9), st.floats(1e-6, 1))
def test_c2_prime_bounds_what_has_little_advantage(smooth, beta, C2, at):
    """P(adv <= a) <= C2 t^beta at the lead t that goes with a, which is at most 1."""
    alpha, L, cap = smooth
    settings = {"smoothness": alpha, "smoothness_constant": L, "margin_exponent": beta, "mass_cap": cap}
    c2_prime = pl.rate_constants(**settings, margin_constant=C2).c2_prime
    wanted = C2 * min(1, margin_at(at, alpha, L, cap)) ** beta
    assert c2_prime * at ** (alpha * beta / (2 * alpha + 1)) >= wanted * (1 - 1e-9)


def test_the_printed_c2_prime_does_not():
    """Where 4L is below 1 the cap on the mass rules: leads of .4 have an advantage of .04 and no more."""
    settings = {"smoothness": 1, "smoothness_constant": 0.1, "margin_exponent": 1, "mass_cap": 1, "margin_constant": 1}
    at, lead = 0.09, 0.6
    assert pl.least_advantage(lead, 1, 0.1, 1) == pytest.approx(at)
    printed, repaired = (pl.rate_constants(**settings, as_printed=each).c2_prime for each in (True, False))
    assert printed * at ** (1 / 3) < lead < repaired * at ** (1 / 3)
    same = settings | {"smoothness_constant": 0.25}
    assert pl.rate_constants(**same) == pl.rate_constants(**same, as_printed=True)


@given(smooths, st.floats(0, 4), st.integers(3, 10**7), deltas, st.floats(0.1, 50))
def test_the_rate_follows_from_theorem_3_4(smooth, beta, n, delta, constant):
    alpha, L, cap = smooth
    settings = {"smoothness": alpha, "smoothness_constant": L, "margin_exponent": beta, "mass_cap": cap}
    c3 = pl.rate_constants(**settings, margin_constant=1, constant=constant).c3
    risk = pl.theorem_3_4(n, 3, delta, lambda a: min(1.0, margin_at(a, alpha, L, cap)) ** beta, constant)
    assert risk.excess <= pl.theorem_b_1(n, 3, delta, alpha, beta, c3).excess * (1 + 1e-9)


def test_the_bound_on_the_advantage_holds_on_a_line():
    """Fractions 1 - x and x: a ball at an end of [0, 1] is off by half its mass, so that L = 1/2, and not by more."""
    measure, eta = linear().cells(400)
    cuts = np.concatenate([[0], np.cumsum(measure.weights * eta[:, 1])])
    centers = np.arange(400)
    for cells in (0, 7, 60, 250, 399):
        low, high = np.maximum(centers - cells, 0), np.minimum(centers + cells + 1, 400)
        mass = (high - low) / 400
        assert (abs((cuts[high] - cuts[low]) / mass - eta[:, 1]) <= mass / 2 + 1e-9).all()
    found = regions.advantage(BallProfile.integrate(measure, eta, masses=[0.5]), 0.5)
    least = np.array([pl.least_advantage(lead, 1, 0.5, 0.5) for lead in abs(2 * eta[:, 1] - 1)])
    assert (found >= least * (1 - 1e-6)).all()
    assert (least > 0.1 * found).any()


def test_the_bound_on_the_advantage_needs_spheres_without_mass():
    """Label 1 at 0, label 0 at 4^-j: (1, 2)-smooth, and leads of 1, but the mass of balls around 4^-j jumps at 2^-j."""
    j = np.arange(1, 13)
    points, weights = np.append(0, 4.0**-j), np.array([0.5, *2.0 ** -(j[:-1] + 1), 2.0**-12])
    eta = np.eye(2)[[1] + 12 * [0]]
    inside = abs(points - points[:, None])[:, :, None] >= abs(points - points[:, None])[:, None, :]
    mass = inside @ weights  # (x, r, 1): of the closed balls around each point that have another one at the edge
    drift = abs((inside * weights) @ eta[:, 0] / mass - eta[:, :1])
    assert (drift <= 2 * mass + 1e-12).all()
    found = regions.advantage(BallProfile.integrate(Measure(points[:, None], weights), eta, masses=[0.5]), 0.5)
    assert found == pytest.approx([0.5, *2.0**-j])
    assert (found < pl.least_advantage(1 - 1e-9, 1, 2, 0.5)).sum() == 7


def test_the_rate_needs_spheres_without_mass():
    """The mean excess risk on these points, for constants with which the proof goes through, and delta = n^-2."""
    j, n, held = np.arange(1, 60), 10**15, pl.proof_constants(258)
    settings = {"smoothness": 1, "smoothness_constant": 2, "margin_exponent": 9, "margin_constant": 1, "mass_cap": 0.5}
    c3 = pl.rate_constants(**settings, constant=pl.repaired_constant(held.c2)).c3
    excess = 2.0 ** -(j + 1) @ binom.cdf(held.least_k(n, 2, n**-2.0) - 1, n, 2.0**-j)
    assert excess > 1000 * (pl.theorem_b_1(n, 2, n**-2.0, 1, 9, c3).excess + n**-2.0)


def test_condition_4():
    """delta_n = 1 / n^2 with T_n = n / 2 meets it; the delta and T of the experiments do not."""
    assert pl.conditions_4(2, 1).hold
    assert pl.conditions_4(2, 1) == (True, True, True)
    assert pl.conditions_4(0, 0) == (False, False, False)
    assert pl.conditions_4(1, 1) == (False, True, True)
    assert pl.conditions_4(2, 0.5) == (True, True, False)
    assert not pl.conditions_4(2, 0.5).hold


# Lemmas


def test_lemmas_of_the_reference_run():
    found = pl.theorem_c_4(1000, 0.1)
    assert round(found.k0) == 12676
    assert found.deviation(1000) == sqrt(found.k0 / 1000)
    assert found.vacuous
    assert not pl.theorem_c_4(10**5, 0.1).vacuous
    assert pl.theorem_c_4(10**5, 0.1, 2).k0 - pl.theorem_c_4(10**5, 0.1).k0 == pytest.approx(1000 * log(8e5))
    assert pl.lemma_c_3(1000, 50, 0.1) == pytest.approx(0.1)
    assert pl.lemma_c_3(1000, 5, 0.1) == pytest.approx((5 + log(1e4)) / 1000)
    assert pl.lemma_c_3(1000, 5, 0.1, vc_dimension=3, c0=2) == pytest.approx((5 + 6 * log(1e4)) / 1000)
    assert pl.lemma_c_5(4, 1.6) == 0.4


def test_balls_hold_as_many_points_as_lemma_c_3_says():
    """At c0 = 1 among intervals of 1000 uniform points: of 200 samples none has a sparser interval, at delta = .1."""
    n, k, rng = 1000, 50, np.random.default_rng(0)
    mass = pl.lemma_c_3(n, k, 0.1, vc_dimension=2)
    sparse = 0
    for _ in range(200):
        x = np.concatenate([[0], np.sort(rng.random(n)), [1]])
        # The widest open interval that holds fewer than k points.
        sparse += (x[k:] - x[:-k]).max() > mass
    assert sparse == 0
    # With no slack for probability it fails in every sample.
    assert (x[k:] - x[:-k]).max() > pl.lemma_c_3(n, k, 0.1, vc_dimension=2, c0=0)


# Where rules stop


def test_stops_of_the_reference_examples():
    for name, wanted in PARTIAL["examples"].items():
        frequency = {"Q1": (0.50, 0.49, 0.01), "Q2": (0.40, 0.30, 0.30)}[name[:2]]
        band_constant = float(name.split("=")[1]) * sqrt(log(5000) + log(30))
        found = pl.exact_stops(frequency, band_constant)
        assert found == (wanted["population_k_aknn"], wanted["population_k_pl"])
        assert max(each for each in pl.eliminations(frequency, band_constant) if each < inf) == found.partial


def test_a_stopping_k_that_is_whole_is_not_rounded_up():
    assert pl.exact_stops([0.7, 0.2, 0.1], band_constant=1).partial == 4
    assert pl.exact_stops([0.6, 0.4], band_constant=1) == (100, 25)
    assert pl.eliminations([0.7, 0.2, 0.1], band_constant=1).tolist() == [inf, 4, 3]


@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=6),
    st.floats(0.1, 5),
    st.one_of(st.none(), st.floats(0, 1)),
)
def test_exact_stops_are_those_of_the_rules_with_exact_fractions(frequency, band_constant, baseline):
    """Step by step: A-kNN stops at the first k at which a label stands out, PL A-kNN when one is left."""
    fractions, most = np.array(frequency), 3000
    band = band_constant / np.sqrt(np.arange(1, most + 1))
    base = 1 / len(fractions) if baseline is None else baseline
    # Where an inequality is one of rounding either side is right.
    behind = fractions.max() - fractions
    for gaps in (np.array([fractions.max() - base]), behind):
        assume((abs(gaps[:, None] - band) > 1e-9).all())
    stood = fractions.max() - base >= band
    eliminations = behind >= band[:, None]
    left = len(fractions) - eliminations.sum(axis=1)
    found = pl.exact_stops(frequency, band_constant, baseline)
    for stops, k in ((stood, found.adaptive), (left == 1, found.partial)):
        assert (int(stops.argmax()) + 1 if stops.any() else inf) == (k if k <= most else inf)
    for label, k in enumerate(pl.eliminations(frequency, band_constant)):
        eliminated_at = eliminations[:, label]
        assert (int(eliminated_at.argmax()) + 1 if eliminated_at.any() else inf) == (k if k <= most else inf)


# Labels one by one


@st.composite
def grown(draw):
    """Label frequencies (J, C) of balls that grow from a point, some of which tie there."""
    rows, n_classes = draw(st.integers(1, 12)), draw(st.integers(2, 4))
    fraction = st.integers(0, 8).map(lambda eighths: eighths / 8)
    return np.array(draw(st.lists(fraction, min_size=rows * n_classes, max_size=rows * n_classes))).reshape(rows, -1)


def leads_by_hand(frequency, label):
    """Balls, by their number, in which all top labels lead a label, up to the first that overtakes one of them."""
    top = [c for c in range(frequency.shape[1]) if frequency[0, c] == frequency[0].max()]
    for ball, held in enumerate(frequency):
        if any(held[c] >= min(held[top]) for c in range(len(held)) if c not in top):
            return
        if label not in top:
            yield ball, min(held[c] - held[label] for c in top)


@given(grown(), st.floats(0.1, 3))
def test_guaranteed_eliminations_step_by_step(frequency, band_constant):
    """The first ball whose lead reaches twice the band; none for a top label."""
    ks = np.arange(len(frequency)) ** 2 * 3.0
    found = pl.guaranteed_eliminations(frequency, ks, band_constant)
    for label, k in enumerate(found):
        leads = [(ks[ball], lead * sqrt(ks[ball])) for ball, lead in leads_by_hand(frequency, label)]
        assume(all(abs(lead - 2 * band_constant) > 1e-9 for _, lead in leads))
        assert k == next((at for at, lead in leads if lead >= 2 * band_constant), inf)


@given(grown(), st.floats(0.01, 1))
def test_advantages_label_by_label(frequency, cap):
    masses = np.linspace(0, 1, len(frequency)) if len(frequency) > 1 else np.zeros(1)
    found = pl.label_advantages(frequency, masses, cap)
    for label, value in enumerate(found):
        best, lowest = 0.0, inf
        for ball, lead in leads_by_hand(frequency, label):
            lowest = min(lowest, lead)
            if masses[ball] <= cap:
                best = max(best, masses[ball] * lowest**2)
        assert value == pytest.approx(best)


def test_labels_alone_have_at_least_the_advantage_of_the_point():
    """In all balls of a line: the point's own advantage is that of its hardest label or less, and both need balls."""
    measure, eta = segments(3).cells(300)
    every = (np.arange(1, 301) / 300).tolist()
    around = BallProfile.integrate(measure, eta, measure.points[[7, 98, 150]], every)
    whole = regions.advantage(around, 0.5)
    for row in range(3):
        alone = pl.label_advantages(around.frequency[:, :, row], around.masses, 0.5)
        top = eta[[7, 98, 150][row]].argmax()
        assert alone[top] == 0
        assert min(np.delete(alone, top)) >= whole[row] * (1 - 1e-5)
    # Next to a jump one label is easy and the other is not.
    alone = pl.label_advantages(around.frequency[:, :, 1], around.masses, 0.5)
    assert alone[2] > 5 * alone[1] > 0


def test_with_the_same_fractions_everywhere_a_guarantee_takes_four_times_as_long():
    ks, frequency = np.arange(5000.0), np.tile([0.5, 0.3, 0.1], (5000, 1))
    exact = pl.eliminations(frequency[0], 2 * 1.6)
    assert pl.guaranteed_eliminations(frequency, ks, 1.6).tolist() == exact.tolist() == [inf, 256, 64]


# Alignment


def test_the_largest_noise_of_the_reference_run():
    for key, wanted in PARTIAL["nu_star"].items():
        n_classes, kind = int(key.split()[0][2:]), {"all": "confusion", "other": "other"}[key.split()[1]]
        assert pl.largest_noise(n_classes, 0.8, kind) == pytest.approx(wanted, abs=5e-7)
    assert pl.largest_noise(10, 0.8, "removal") == pytest.approx(0.2)
    assert [pl.largest_noise(10, end, kind) for end in (0, 1) for kind in ("confusion", "removal")] == [1, 1, 0, 0]
    assert pl.largest_noise(10, 0, "other") == pytest.approx(0.9)


def leads(inclusion, nu, kind):
    """By how much the true label i is in more bags than any other, (..., C), from probabilities (..., C)."""
    C = inclusion.shape[-1]
    own = np.eye(C, dtype=bool)
    joins = np.where(own, 1.0, inclusion[..., :, None])
    if kind == "removal":
        frequency = np.where(own, 1 - nu, joins)
    else:
        spread = np.full((C, C), nu / C) if kind == "confusion" else ~own * nu / (C - 1)
        frequency = ((1 - nu) * own + spread) @ joins
    held = np.diagonal(frequency, axis1=-2, axis2=-1)
    return held - np.where(own, -inf, frequency).max(axis=-1)


kinds = st.sampled_from(("confusion", "other", "removal"))


@given(st.integers(2, 8), st.floats(0, 1), st.floats(0, 1), kinds, st.integers(0, 2**32 - 1))
def test_below_the_largest_noise_everything_is_aligned(n_classes, nu, largest, kind, seed):
    """And above it the worst case is not."""
    limit = pl.largest_noise(n_classes, largest, kind)
    drawn = largest * np.random.default_rng(seed).random((50, n_classes)) ** 0.3
    worst = np.zeros(n_classes)
    worst[0] = largest
    if nu < limit - 1e-9:
        assert (leads(np.vstack([drawn, worst]), nu, kind) > 0).all()
    elif nu > limit + 1e-9:
        assert leads(worst, nu, kind)[0] < 0


@pytest.mark.parametrize("kind", ["confusion", "other", "removal"])
def test_fractions_of_aligned_clusters_by_sampling(kind):
    draws = np.random.default_rng(1).random((20_000, 5))
    for largest in (0.3, 0.8, 1.0):
        for nu in (0.1, 0.4, 0.6, 0.75, 0.85, 0.95):
            fraction = pl.aligned_fraction(5, nu, largest, kind)
            found = (leads(largest * draws, nu, kind) > 0).all(axis=1).mean()
            assert abs(found - fraction) <= 4 * sqrt(fraction * (1 - fraction) / 20_000) + 1e-12, (largest, nu)


@given(classes, st.floats(0, 1), st.floats(0, 1), kinds)
def test_fractions_of_aligned_clusters_at_the_ends(n_classes, nu, largest, kind):
    fraction, limit = pl.aligned_fraction(n_classes, nu, largest, kind), pl.largest_noise(n_classes, largest, kind)
    assert 0 <= fraction <= 1 + 1e-12
    if nu < limit - 1e-9:
        assert fraction == 1
    assert pl.aligned_fraction(n_classes, 1, largest, kind) == 0


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: pl.least_c1(0), "vc_dimension must be at least 1, got 0"),
        (lambda: pl.proof_constants(0), "c1 must be finite and above 0, got 0"),
        (lambda: pl.proof_constants(1, -1), "c0 must be between 0 and 1e+100, got -1"),
        (lambda: pl.proof_constants(1).least_k(0, 3, 0.1), "n must be at least 1, got 0"),
        (lambda: pl.step_5_to_12(2, 0.5, 0, 1), "advantage must be finite and above 0, got 0"),
        (lambda: pl.repaired_constant(0.2), "c2 must be between 0.25 and 1e+100, got 0.2"),
        (lambda: pl.mass_cap(50, 60), "max_neighbors must be between 1 and 50, got 60"),
        (lambda: pl.needed_n([0.5, 1.5], 3, 0.1), "advantage must lie between 0 and 1, got 0.5 to 1.5"),
        (lambda: pl.needed_n(0.5, 1, 0.1), "n_classes must be at least 2, got 1"),
        (lambda: pl.needed_n(0.5, 3, 1), "failure probability delta must lie strictly between 0 and 1, got 1"),
        (lambda: pl.needed_n(0.5, 3, 0.1, 0), "constant must be finite and above 0, got 0"),
        (lambda: pl.theorem_3_2(0, 0.5, 3, 0.1), "n must be at least 1, got 0"),
        (lambda: pl.theorem_3_3(9, [0.5], 3, 0.1, weights=[0.5]), "weights must be 1 numbers that are not negative"),
        (lambda: pl.theorem_3_4(9, 3, 0.1, 0.5), "advantage must be a function of the level, or a pair"),
        (lambda: pl.theorem_3_4(9, 3, 0.1, lambda a: 2), "P(adv <= a) must be between 0 and 1, got 2"),
        (lambda: pl.theorem_3_4(9, 3, 0.1, ([2.0], None)), "advantage must lie between 0 and 1, got 2 to 2"),
        (lambda: pl.lemma_c_9(9, 3, 0.1, lambda a: 0, theta=2, misaligned=0), "theta must be between 0 and 1, got 2"),
        (lambda: pl.theorem_3_5(0.5, 1.5), "P(G) must be between 0 and 1, got 1.5"),
        (lambda: pl.least_n(3, 0.1, 0), "largest mass A must be finite and above 0, got 0"),
        (lambda: pl.least_advantage(1.5), "margin t must be between 0 and 1, got 1.5"),
        (lambda: pl.least_advantage(0.5, 0), "smoothness alpha must be finite and above 0, got 0"),
        (lambda: pl.theorem_b_1(9, 3, 0.1, 1, -1), "margin exponent beta must be between 0 and 100, got -1"),
        (lambda: pl.conditions_4(1, 2), "neighbors_power must be between 0 and 1, got 2"),
        (lambda: pl.lemma_c_3(5, 6, 0.1), "k must not exceed the number of points, got k = 6 with n = 5"),
        (lambda: pl.theorem_c_4(5, 0.1).deviation(6), "k must not exceed the number of points, got k = 6 with n = 5"),
        (lambda: pl.lemma_c_5(5, 0), "band_constant must be finite and above 0, got 0"),
        (lambda: pl.exact_stops([0.5, 1.2], 1), "frequency must lie between 0 and 1, got values from 0.5 to 1.2"),
        (lambda: pl.exact_stops([0.5, 0.2], 1, 2), "baseline must be between 0 and 1, got 2"),
        (lambda: pl.eliminations([0.5], 1), "frequency must have a row for each point and a column for each class"),
        (lambda: pl.guaranteed_eliminations([[0.5, 0.2]], [1], 1), "ks must ascend from 0, one for each of 1 balls"),
        (lambda: pl.guaranteed_eliminations([[0.5, 0.2]], [0], 0), "band_constant must be finite and above 0, got 0"),
        (lambda: pl.label_advantages([[0.5, 0.2]] * 2, [0, 0]), "masses must ascend from 0, one for each of 2 balls"),
        (lambda: pl.label_advantages([[0.5, 0.2]], [0], 0), "largest mass A must be finite and above 0, got 0"),
        (lambda: pl.largest_noise(3, 1.2), "largest inclusion must be between 0 and 1, got 1.2"),
        (lambda: pl.largest_noise(3, 0.2, "all"), "kind must be 'confusion', 'other' or 'removal', got 'all'"),
        (lambda: pl.aligned_fraction(3, 1.2, 0.2), "bag noise nu must be between 0 and 1, got 1.2"),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        call()
