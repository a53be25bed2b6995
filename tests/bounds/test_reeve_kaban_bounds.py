"""Formulas of Reeve & Kaban: values, conditions, limits, samples, and the assumptions."""

from math import inf, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import generators, numbers_in, reference

from knnviz import LabelNoise, Problem
from knnviz.bounds import reeve_kaban as rk
from knnviz.problems import jump, linear, plateau, power, ramp, terrace
from knnviz.problems.named import line_problem

PLATEAUS = reference("reeve_kaban")["plateau"]
NOISE = LabelNoise(p0=0.1, p1=0.3)
LINEAR = {"smoothness": 1, "smoothness_constant": 3}
SHARP = {"smoothness": 1, "smoothness_constant": 1.5}
MARGIN = {"margin_exponent": 1, "margin_constant": 16 / 3}


def stated(beginning):
    """The value of the second program (sheet 02) under the one key that begins like this."""
    values = reference("reeve_kaban_bounds")["bounds"]
    (key,) = (key for key in values if key.startswith(beginning))
    return values[key]


def along_k_n(tight, **margin):
    """Theorem 4.3 at n = 1e4, 1e6, ..., 1e12 and its own k."""
    case = SHARP | margin | {"tight": tight}
    found = []
    for n in (10**4, 10**6, 10**8, 10**10, 10**12):
        k = rk.k_n(n, 0.01, 1, 1.5)
        found.append(rk.theorem_4_3(k, n, 0.01, NOISE, **case))
    return found


ALONG = "thm43 along k_n, n=1e4,1e6,1e8,1e10,1e12, delta=.01 lam=1 omega=1.5 alpha"
VALUES = [
    (rk.lemma_3_1(NOISE, 0.02, 0.02, 0.02), stated("lemma31")),
    (rk.lemma_3_1(LabelNoise(0.2, 0.4), 0, 0.1, 0.1), 2),
    (rk.lemma_3_2(10, 1000, 1), (stated("lemma32 k=10"), stated("lemma32 exact"))),
    (rk.corollary_3_1(10, 1000, 1).bound, stated("cor31")),
    (rk.lemma_4_1(100, 10_000, 0.05, **LINEAR), stated("lemma41")),
    (rk.theorem_4_1(400, 10_000, 0.05, **LINEAR), (sqrt(log(60) / 800), 0.24)),
    (sum(rk.theorem_4_1(400, 10_000, 0.05, **LINEAR)), stated("thm41")),
    (sum(rk.theorem_4_2(400, 10_000, 0.05, **LINEAR)), stated("thm42 n=10000")),
    (sum(rk.theorem_4_2(10_000, 10**6, 0.05, **SHARP)), stated("thm42 n=1e6")),
    (rk.largest_error(10**4, 10**6, 0.01, **LINEAR), (sqrt(log(1.8e9) / 10**4), 0.12)),
    (rk.theorem_4_3(10**4, 10**6, 0.01, NOISE, **LINEAR), stated("thm43 n=1e6")),
    (rk.theorem_4_3(10**6, 10**9, 0.01, NOISE, **SHARP, **MARGIN), stated("thm43 n=1e9")),
    (along_k_n(False), stated(f"{ALONG}=0")),
    (along_k_n(True), stated("thm43_tight, same, alpha=0")),
    (along_k_n(False, **MARGIN), stated(f"{ALONG}=1")),
    (along_k_n(True, **MARGIN), stated("thm43_tight, same, alpha=1")),
    (rk.theorem_4_3_rate(10**9, 0.01, NOISE, **LINEAR), stated("thm43_rate")),
    ([rk.k_n(10**exponent, 0.05, 1, 3) for exponent in (3, 4, 5, 6)], stated("k_n")),
    ((rk.exponent(1), rk.exponent(1, 1), rk.exponent(0.5, 2)), (1 / 3, 2 / 3, 3 / 4)),
    (rk.k_range(10_000, 0.05, "theorem_4_2", as_printed=True), (16, 5000)),
    (rk.k_range(10_000, 0.05, as_printed=True), (18, 5000)),
    (rk.k_range(10_000, 0.05, "theorem_4_2"), (57, 5000)),
    (rk.k_range(10_000, 0.05), (62, 5000)),
]


@pytest.mark.parametrize(("found", "value"), VALUES)
def test_values(found, value):
    """Of the second program, or of the formula by hand."""
    assert found == pytest.approx(value, rel=1e-8)


@given(st.floats(0, 0.6), st.floats(0, 0.39), st.floats(0, 1), st.tuples(*[st.floats(-1, 1)] * 3))
def test_errors_within_lemma_3_1_and_the_step_of_the_tight_form(p0, p1, eta, errors):
    """A wrong decision needs abs(eta - 1/2) <= 2 E / contrast, whatever the errors of the rates."""
    flips = LabelNoise(p0, p1)
    (e, e0, e1) = errors
    fraction = p0 + flips.contrast * eta + e
    threshold = (1 + p0 + e0 - p1 - e1) / 2
    if (fraction >= threshold) != (eta >= 0.5):
        largest = max(map(abs, errors))
        assert abs(eta - 0.5) <= 2 * largest / flips.contrast + 1e-9

    e0 = flips.contrast / 4 * e0
    e1 = flips.contrast / 4 * e1
    estimate = (fraction - p0 - e0) / (flips.contrast - e0 - e1)
    bound = rk.lemma_3_1(flips, abs(e), abs(e0), abs(e1))
    assert abs(estimate - eta) <= bound + 1e-9


@given(st.integers(1, 10**6), st.floats(0, 1), st.floats(0, 20))
def test_balls_are_within_lemma_3_2_and_its_corollary(n, fraction, zeta):
    k = max(1, round(fraction * n))
    for lemma in (rk.lemma_3_2, rk.corollary_3_1):
        bound, exact = lemma(k, n, zeta)
        assert exact <= bound <= 1


@given(st.integers(1, 10**9), st.floats(1e-6, 0.999))
def test_the_proof_uses_theorem_4_1_at_smaller_levels(n, delta):
    """Theorem 4.2 at delta / (2 n); Theorem 4.3 at delta^2 / 3, and Theorem 4.2 at delta / 3."""

    def least(statement, level):
        return rk.k_range(n, level, f"theorem_{statement}").least

    many_times = least("4_1", delta / (2 * n))
    difference = abs(least("4_2", delta) - many_times)
    assert difference <= 1, "up to the rounding of a logarithm"

    both = max(least("4_2", delta / 3), least("4_1", delta**2 / 3))
    assert abs(least("4_3", delta) - both) <= 1


def test_where_a_condition_fails_a_bound_is_infinite():
    for k in (12, 13, 17, 18, 47, 48, 52, 53, 500, 501):
        for statement, least in ((rk.lemma_4_1, 13), (rk.theorem_4_1, 18), (rk.theorem_4_2, 48)):
            bound = np.sum(statement(k, 1000, 0.05, **LINEAR))
            assert (bound < inf) == (least <= k <= 500)
        bound = rk.theorem_4_3(k, 1000, 0.05, NOISE, **LINEAR)
        assert (bound < inf) == (53 <= k <= 500)

    assert rk.theorem_4_3(52, 1000, 0.05, NOISE, **LINEAR, any_k=True) < inf
    unmet = rk.unmet_conditions("theorem_4_3", k=52, n=1000, delta=0.05)
    assert unmet == ["the proof needs k from 53 to 500"]

    least = stated("n_min delta=.05 lam=1 omega=3")
    assert rk.theorem_4_3_rate(least - 1, 0.05, NOISE, **LINEAR) == inf
    assert rk.theorem_4_3_rate(least, 0.05, NOISE, **LINEAR) < inf
    assert rk.theorem_4_3_rate(40_000, 1e-300, NOISE, **LINEAR) == inf
    assert rk.lemma_3_1(NOISE, 0, 0.151, 0) == inf


@given(
    st.floats(0.001, 0.999),
    st.floats(0.2, 1),
    st.floats(1, 20),
    st.floats(0, 2),
    st.integers(12, 30),
)
def test_the_rate_bounds_the_bound_along_its_own_k(delta, alpha, L, beta, power_of_ten):
    """Where n suffices, alpha <= 1 <= L and delta >= 1 / (2 n), k_n is in the proof's range."""
    n = 10**power_of_ten
    k = rk.k_n(n, delta, alpha, L)
    held = {"smoothness": alpha, "smoothness_constant": L, "margin_exponent": beta}

    rate = rk.theorem_4_3_rate(n, delta, NOISE, **held)
    later = rk.theorem_4_3_rate(10 * n, delta, NOISE, **held)
    assert rk.theorem_4_3(k, n, delta, NOISE, **held) <= rate < inf
    assert delta <= later <= rate


@pytest.mark.parametrize("name", PLATEAUS)
def test_the_plateau(name):
    """Theorem 5.1, which is the excess of kNN there, and the constants of Assumptions 3 and 4."""
    rates = numbers_in(name)
    problem = plateau(*rates)
    known = PLATEAUS[name]

    floor = rk.theorem_5_1(problem, LabelNoise(*rates), 10**6)
    assert floor == pytest.approx(known["knn_limit_excess"], abs=1e-6)
    smoothness = rk.least_smoothness_constant(problem, 1)
    assert smoothness == pytest.approx(known["omega_min"])
    margin = rk.least_margin_constant(problem, 1)
    assert margin == pytest.approx(known["C_alpha_for_alpha_1"])


def test_a_coin_is_no_part_of_the_floor():
    """Where eta_corr is 1/2 kNN errs half of the time, and other learners need not."""
    assert rk.theorem_5_1(jump(0.16), NOISE) == pytest.approx(0.16)
    assert rk.theorem_5_1(jump(0.17), NOISE) == pytest.approx(0)

    coin = Problem.from_atoms([[0.5]], [1.0], [2 / 3])
    assert rk.theorem_5_1(coin, NOISE) == 0


def test_algorithm_2_is_consistent_on_the_plateau():
    """The levels 1 / n^2 have a finite sum, k = n^(2/3) is in the range of the proof, and the bound
    tends to 0.
    """
    found = []
    for n in (10**6, 10**8, 10**10, 10**12):
        k = round(n ** (2 / 3))
        found.append(rk.theorem_4_3(k, n, n**-2, NOISE, **LINEAR))
    assert (np.diff(np.log(found)) < -1).all()
    assert found[-1] < 0.03


BENT = line_problem("bent", lambda x: 0.5 + np.where(x < 0.4137, 1.2, 0.5) * (x - 0.4137))
APART = Problem(
    "apart",
    jump(0.3).eta,
    ((0.0, 1.0),),
    density=lambda X: (abs(X[:, 0] - 0.5) > 0.1).astype(float),
)

#: eta, its exponent, and the least constant by hand. A jump counts only where there is mass.
SMOOTH = [
    (ramp(0.1, 0.6), 1, 0.5),
    (power(0.5), 0.5, 1),
    (BENT, 1, 1.2),
    (linear(0), 3, 0),
    (APART, 1, 2.4),
    (APART, 2, 9.6),
    (jump(0.17), 1, inf),
    (power(0.5), 1, inf),
    (ramp(), 1.1, inf),
]
MARGINS = [
    (ramp(), 1, 2),
    (ramp(), 0, 1),
    (BENT, 1, 1 / 1.2 + 1 / 0.5),
    (terrace(0.5), 1, 4 / 3),
    (linear(0), 2, 1),
    (jump(0.17), 2, 1 / 0.17**2),
    (power(0.5), 2, 4),
    (power(2), 0.5, sqrt(2)),
    (APART, 1, 1 / 0.3),
    (ramp(), 1.1, inf),
    (power(2), 1, inf),
    (terrace(0.5), 2, inf),
]
CONSTANTS = [(rk.least_smoothness_constant, *case) for case in SMOOTH]
CONSTANTS += [(rk.least_margin_constant, *case) for case in MARGINS]


@pytest.mark.parametrize(("least", "problem", "exponent", "constant"), CONSTANTS)
def test_constants_of_the_assumptions(least, problem, exponent, constant):
    assert least(problem, exponent) == pytest.approx(constant, rel=1e-4)


@settings(max_examples=30)
@given(st.floats(0.2, 1), generators)
def test_constants_by_brute_force(exponent, rng):
    """eta of straight pieces with knots on the grid: all balls, masses between knots are exact."""
    x = np.linspace(0, 1, 61)
    knots = np.linspace(0, 1, 7)
    heights = rng.random(7) - 0.5
    problem = line_problem("pieces", lambda x: 0.5 + np.interp(x, knots, heights))

    eta = problem.eta(x[:, None])[:, 1]
    distances = abs(np.subtract.outer(x, x))
    right = (x[:, None] + distances).clip(max=1)
    left = (x[:, None] - distances).clip(min=0)
    balls = right - left + np.eye(61)
    slopes = abs(np.subtract.outer(eta, eta)) / balls**exponent
    smoothness = rk.least_smoothness_constant(problem, exponent, 60)
    assert smoothness == pytest.approx(slopes.max(), rel=1e-6)

    t = abs(heights[:, None])
    low, high = np.sort([heights[:-1], heights[1:]], axis=0)
    within = np.clip(t, low, high) - np.clip(-t, low, high)
    masses = (within / (high - low)).mean(axis=1)
    ratios = masses / t[:, 0] ** exponent
    margin = rk.least_margin_constant(problem, exponent, 60)
    assert margin == pytest.approx(ratios.max(initial=1), rel=1e-6)
