"""The two-round scheme in formulas: values of the reference run, what they grow with, and limits."""

import re
from math import inf, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import numbers_in, reference

from knnviz.bounds import chaudhuri_dasgupta as cd
from knnviz.bounds import reeve_kaban, rittler
from knnviz.problems import power

ACTIVE = reference("active")
FORMULAS = ACTIVE["formulas"]


def test_formulas_of_the_reference_run():
    for c0, key in ((1, "1"), (0.1, "0p1")):
        slack = rittler.band_slack(1000, 100, 1, 0.1, c0)
        assert slack == pytest.approx(FORMULAS[f"Delta_tilde_n1000_k100_d2_c0_{key}"], abs=1e-6)
        width = rittler.hard_width(1000, 100, 1, 0.1, c0)
        assert width == pytest.approx(2 * FORMULAS["Delta_k100_delta0p1"] + slack, abs=2e-6)
    for c_plus in (1, 4):
        assert rittler.augmented_neighbors(1000, 1, 0.1, c_plus) == FORMULAS[f"k_plus_n1000_d2_delta0p1_c{c_plus}"]
    for c0, key in ((0, "0"), (0.1, "0p1"), (1, "1"), (sqrt(1000), "sqrt1000")):
        assert rittler.least_hard_neighbors(1000, 1, 0.1, c0) == FORMULAS[f"smallest_useful_k_n1000_d2_c0_{key}"]


@pytest.mark.parametrize("name", ACTIVE["experiments"])
def test_widths_and_balls_of_the_experiments(name):
    case = ACTIVE["experiments"][name]
    dimension = 2 if name == "G" else 1
    assert rittler.hard_width(case["n"], case["k"], dimension, 0.1, case["c0"]) == pytest.approx(case["thr"], abs=1e-6)
    assert rittler.augmented_neighbors(case["n"], dimension, 0.1, case["c_plus"]) == case["k_plus"]


sizes = {"n": st.integers(2, 10**6), "dimension": st.integers(1, 9), "delta": st.floats(0.001, 0.999)}
settings_of = st.fixed_dictionaries(sizes)


@given(settings_of, st.floats(0, 5))
def test_the_least_k_that_leaves_anything_easy(where, c0):
    """From it on the width is below 1/2, before it it is not; as far as k may go at that n."""
    k = rittler.least_hard_neighbors(**where, c0=c0)
    n = where.pop("n")
    # Just below the limit rounding decides.
    for neighbors, easy in ((k, True), (k + 1, True), (k - 2, False)):
        if 1 <= neighbors <= n:
            assert (rittler.hard_width(n, neighbors, **where, c0=c0) < 0.5 + 1e-9 * easy) == easy


@given(settings_of, st.floats(0, 5), st.data())
def test_what_widens_the_band(where, c0, data):
    k = data.draw(st.integers(1, where["n"]))
    n, rest = where["n"], {name: where[name] for name in ("dimension", "delta")}
    width = rittler.hard_width(n, k, **rest, c0=c0)
    assert width >= rittler.hard_width(n, min(k + 1, n), **rest, c0=c0)
    assert width <= rittler.hard_width(n + 1, k, **rest, c0=c0)
    assert width <= rittler.hard_width(n, k, **rest, c0=c0 + 0.1)
    assert width <= rittler.hard_width(n, k, rest["dimension"] + 1, rest["delta"], c0)
    assert width <= rittler.hard_width(n, k, rest["dimension"], rest["delta"] / 2, c0)
    assert width == 2 * cd.margin(k, rest["delta"]) + rittler.band_slack(n, k, **rest, c0=c0)
    assert rittler.band_slack(n, k, **rest, c0=0) == 0


@given(settings_of, st.floats(0, 9))
def test_neighbors_in_the_balls(where, c_plus):
    k_plus = rittler.augmented_neighbors(**where, c_plus=c_plus)
    exact = c_plus * sqrt(where["n"] * (where["dimension"] + 1) * log(8 / where["delta"]))
    assert 1 <= k_plus <= where["n"]
    assert k_plus == 1 or k_plus == where["n"] or exact <= k_plus < exact + 1
    assert k_plus <= rittler.augmented_neighbors(**where, c_plus=c_plus + 0.1)
    assert rittler.augmented_neighbors(**where, c_plus=0) == 1


def test_four_times_the_root_is_the_slack_of_the_corollary():
    """k+ / n at c_plus = 4 is the second term of the condition."""
    n = 10**6
    exact = 4 * sqrt(n * 2 * log(8 / 0.1))
    assert rittler.augmented_neighbors(n, 1, 0.1, 4) == np.ceil(exact)
    assert rittler.condition(n, 1, 1, 0.1).rhs == pytest.approx(3 * (1 / n + exact / n))


@given(st.floats(0, 1), st.floats(1e-6, 1), st.integers(0, 10**6))
def test_passive_fractions_and_draws_of_two_coins(pi, q, m):
    fraction, draws = rittler.expected_passive_fraction(pi, q), rittler.expected_draws(m, pi, q)
    once = rittler.expected_draws(m, pi, q, "per_sample")
    assert pi - 1e-12 <= fraction <= 1 + 1e-12
    assert rittler.expected_passive_fraction(pi, q, "per_sample") == pi
    assert m - 1e-6 <= draws <= once * (1 + 1e-9) + 1e-6
    # Of the draws a fraction pi is passive, and all of these are labeled.
    assert fraction * m == pytest.approx(pi * draws)


@given(st.floats(0.01, 0.99), st.floats(1e-6, 1))
def test_a_coin_for_each_draw_makes_labels_denser_by_a_constant_factor_at_most(pi, q):
    """However small H+ is; with a coin for each label the density of targeted labels grows like 1 / mu(H+)."""
    fraction = rittler.expected_passive_fraction(pi, q)
    targeted = (1 - fraction) / q
    assert targeted == pytest.approx((1 - pi) / (pi + (1 - pi) * q), rel=1e-6)
    assert targeted <= (1 - pi) / pi * (1 + 1e-6)
    assert targeted + fraction <= 1 / pi * (1 + 1e-6)
    assert (1 - rittler.expected_passive_fraction(pi, q, "per_sample")) / q == pytest.approx((1 - pi) / q)


@pytest.mark.parametrize(("kappa", "n", "k"), [(1.25, 16_000, 21), (1.25, 256_000, 241), (2.0, 256_000, 89)])
def test_under_the_condition_a_passive_vote_has_a_boundary_of_the_order_of_delta_to_the_beta(kappa, n, k):
    """alpha = 1, L = kappa, and eta is within t of 1/2 on a mass of (2 t)^(1 / kappa)."""
    assert rittler.condition(n, k, 1, 0.1, 1.0, kappa).holds
    bound = rittler.theorem_3(power(kappa), 2 * n, k, 0.1)
    bias = kappa * bound.mass
    assert bias < bound.margin / 3
    assert bound.boundary_mass <= (2 * (bound.margin + bias)) ** (1 / kappa) + 1e-3


def test_passive_fractions_at_the_ends():
    assert rittler.expected_passive_fraction(0.3, 0) == 1
    assert rittler.expected_draws(7, 0.5, 0) == 14
    assert rittler.expected_draws(7, 0.5, 0, "per_sample") == inf
    assert rittler.expected_draws(7, 1, 0, "per_sample") == 7
    assert rittler.expected_passive_fraction(0, 0.4) == 0


@pytest.mark.parametrize("name", ACTIVE["rates"])
def test_exponents_of_the_rates(name):
    case = ACTIVE["rates"][name]
    alpha, beta = numbers_in(name)
    active, passive = rittler.active_exponents(alpha, beta), cd.passive_exponents(alpha, beta)
    assert active == pytest.approx((case["active_exp"], case["k_exp_active"]), abs=1e-6)
    assert passive == pytest.approx((case["passive_exp"], case["k_exp_passive"]), abs=1e-6)


@given(st.floats(0.01, 3), st.floats(0.01, 1.99))
def test_the_active_rate_is_the_faster_one_at_a_larger_k(alpha, beta):
    active, passive = rittler.active_exponents(alpha, beta), cd.passive_exponents(alpha, beta)
    assert active.disagreement > passive.disagreement
    assert active.neighbors > passive.neighbors
    assert (active.neighbors < 1) == (alpha * beta < 1)


@given(st.floats(0.1, 2), st.floats(0.1, 1.9), st.floats(0.01, 0.99), st.floats(0.01, 10))
def test_k_grows_as_the_corollary_says(alpha, beta, delta, constant):
    near, far = (rittler.active_neighbors(n, alpha, beta, delta, constant) for n in (1e4, 1e8))
    E = 1 + 2 * alpha - alpha * beta
    assert far / near == pytest.approx(1e4 ** (2 * alpha / E) * 2 ** (-alpha * beta / E))
    assert far == pytest.approx(constant * rittler.active_neighbors(1e8, alpha, beta, delta))
    assert near == pytest.approx(
        constant * (log(1 / delta) * log(1e4) ** (-alpha * beta) * 1e4 ** (2 * alpha)) ** (1 / E)
    )


def test_the_condition_fails_where_n_is_large():
    """For the k of the corollary the ratio vanishes, for the passive k it does not."""
    for exponent, active, passive, k in ACTIVE["condition_ratio"]:
        n = 10.0**exponent
        prescribed = rittler.active_neighbors(n, 1, 0.9, 0.1)
        # Kept to four digits.
        assert prescribed == pytest.approx(k, rel=5e-4)
        found = rittler.condition(n, prescribed, 1, 0.1)
        assert found.ratio == pytest.approx(active, abs=1e-6)
        assert not found.holds
        passive_k = log(10) ** (1 / 3) * n ** (2 / 3)
        assert rittler.condition(n, passive_k, 1, 0.1).ratio == pytest.approx(passive, abs=1e-6)


def test_a_small_constant_only_puts_it_off():
    for constant, ratios in ACTIVE["condition_scaled"]:
        for exponent, ratio in zip((4, 8, 12, 16), ratios, strict=True):
            k = rittler.active_neighbors(10.0**exponent, 1, 0.9, 0.1, constant)
            found = rittler.condition(10.0**exponent, k, 1, 0.1)
            assert found.ratio == pytest.approx(ratio, abs=1e-6)
            assert found.holds == (ratio >= 1)
        # The largest n comes last.
        assert not found.holds


@given(st.floats(2, 1e9), st.floats(1, 1e6), st.floats(0.1, 2), st.floats(0.1, 9))
def test_both_sides_of_the_condition(n, k, alpha, L):
    found = rittler.condition(n, k, 2, 0.1, alpha, L)
    assert found.margin == min(0.5, sqrt(log(20) / k))
    assert found.rhs == pytest.approx(3 * L * (k / n + sqrt(48 * log(80) / n)) ** alpha)
    assert found.holds == (found.ratio >= 1) or found.ratio == pytest.approx(1)
    assert rittler.condition(n, 2 * k, 2, 0.1, alpha, L).ratio <= found.ratio
    assert rittler.condition(n, k, 2, 0.1, alpha, 2 * L).ratio == pytest.approx(found.ratio / 2)


def test_extreme_smoothness_and_constants():
    easy = rittler.condition(1e12, 1e3, 1, 0.1, smoothness=100)
    assert (easy.rhs, easy.ratio, easy.holds) == (0, inf, True)
    hopeless = rittler.condition(2, 1e308, 1, 0.1, smoothness=100)
    assert (hopeless.rhs, hopeless.ratio, hopeless.holds) == (inf, 0, False)
    assert rittler.active_neighbors(1e300, 100, 1.99, 0.1) == inf
    ends = rittler.rate_curves(np.array([1e300]), 100, 1.99, 0.1, constant=1e-100)
    assert ends.active_neighbors.tolist() == ends.passive_ratio.tolist() == [inf]
    assert (ends.active_ratio.tolist(), ends.possible.tolist()) == ([0], [False])
    assert rittler.augmented_neighbors(50, 1, 0.1, 1e100) == 50
    assert rittler.least_hard_neighbors(50, 1, 0.1, 1e100) > 1e200


def test_fractions_of_the_boundary_that_are_hard():
    boundary, hard = np.array([True, True, False, False]), np.array([True, False, True, False])
    assert rittler.contained(boundary, hard) == (0.5, 0.5, 0.5)
    assert rittler.contained(boundary, hard, [0.1, 0.3, 0.2, 0.4]) == pytest.approx((0.4, 0.3, 0.25))
    assert rittler.contained(np.zeros(4, bool), hard) == (0, 0.5, 1)
    assert rittler.contained(boundary, ~hard & False).covered == 0


@pytest.mark.parametrize(("kappa", "alpha", "_L", "beta", "_C", "exact"), ACTIVE["power_family"])
def test_smoothness_and_margin_of_the_power_family(kappa, alpha, _L, beta, _C, exact):
    """alpha = min(kappa, 1), L = max(kappa, 1), beta = 1 / kappa, C = 2^(1 / kappa)."""
    problem = power(kappa)
    assert (alpha, beta, exact) == (min(kappa, 1), 1 / kappa, pytest.approx(2**beta, abs=1e-6))
    assert reeve_kaban.least_smoothness_constant(problem, alpha) == pytest.approx(max(kappa, 1), rel=0.01)
    away = np.sort(abs(problem.eta(problem.measure(10**5).points)[:, 1] - 0.5))[1000:]
    assert (np.arange(1001, 10**5 + 1) / 10**5 / away**beta).max() == pytest.approx(exact, rel=1e-3)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: rittler.band_slack(50, 60, 1, 0.1, 1), "k must not exceed the number of points, got k = 60"),
        (lambda: rittler.band_slack(50, 6, 0, 0.1, 1), "dimension must be at least 1, got 0"),
        (lambda: rittler.band_slack(50, 6, 1, 1, 1), "delta must lie strictly between 0 and 1, got 1"),
        (lambda: rittler.hard_width(50, 6, 1, 0.1, -1), "c0 must be between 0 and 1e+100, got -1"),
        (lambda: rittler.hard_width(0, 6, 1, 0.1, 1), "n must be at least 1, got 0"),
        (lambda: rittler.least_hard_neighbors(9, 1, 0.1, float("nan")), "c0 must be between 0 and 1e+100, got nan"),
        (lambda: rittler.augmented_neighbors(9, 1, 0.1, inf), "c_plus must be between 0 and 1e+100, got inf"),
        (lambda: rittler.least_hard_neighbors(9.5, 1, 0.1, 0), "n must be a whole number, got 9.5"),
        (lambda: rittler.augmented_neighbors(9, 1, 0.1, -2), "c_plus must be between 0 and 1e+100, got -2"),
        (lambda: rittler.expected_passive_fraction(1.5, 0.1), "passive_fraction must be between 0 and 1, got 1.5"),
        (lambda: rittler.expected_passive_fraction(0.5, -0.1), "augmented_mass must be between 0 and 1, got -0.1"),
        (lambda: rittler.expected_passive_fraction(0, 0), "no draw is ever accepted: passive_fraction and augmented"),
        (lambda: rittler.expected_passive_fraction(0.5, 1, "x"), "coin must be 'per_draw' or 'per_sample', got 'x'"),
        (lambda: rittler.expected_draws(-1, 0.5, 0.1), "m must be at least 0, got -1"),
        (lambda: rittler.active_exponents(0, 1), "smoothness alpha must be finite and above 0, got 0"),
        (lambda: rittler.active_exponents(1, 2), "margin exponent beta must be below 2, got 2"),
        (lambda: rittler.active_exponents(1e308, 1.99), "smoothness alpha must be between 0 and 100, got 1e+308"),
        (lambda: rittler.active_neighbors(1, 1, 1, 0.1), "n must be above 1, got 1"),
        (lambda: rittler.active_neighbors(9, 1, 1, 0.1, 0), "constant must be finite and above 0, got 0"),
        (lambda: rittler.condition(9, 0, 1, 0.1), "k must be finite and above 0, got 0"),
        (lambda: rittler.condition(9, 1, 1, 0.1, 1, 0), "smoothness constant L must be finite and above 0, got 0"),
        (lambda: rittler.contained([True], [True, False]), "boundary and hard must mark the same points, got (1,) and"),
        (lambda: rittler.contained([True], [True], [0.5]), "weights must be 1 numbers that are not negative and sum"),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        call()
