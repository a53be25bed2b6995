"""Formulas of Reeve & Kaban: conditions, rates, and the assumptions."""

from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations import generators

from knnviz import LabelNoise, Problem
from knnviz.bounds import reeve_kaban as rk
from knnviz.problems import jump
from knnviz.problems.named import line_problem

NOISE = LabelNoise(p0=0.1, p1=0.3)
LINEAR = {"smoothness": 1, "smoothness_constant": 3}


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

#: What has no other name: the least constant by hand. A jump counts only where there is mass.
CONSTANTS = [
    (rk.least_smoothness_constant, BENT, 1, 1.2),
    (rk.least_smoothness_constant, APART, 1, 2.4),
    (rk.least_smoothness_constant, APART, 2, 9.6),
    (rk.least_margin_constant, BENT, 1, 1 / 1.2 + 1 / 0.5),
    (rk.least_margin_constant, APART, 1, 1 / 0.3),
]


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
