"""The two-round scheme in formulas: what they grow with, and limits."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from knnviz.bounds import chaudhuri_dasgupta as cd
from knnviz.bounds import rittler
from knnviz.problems import power


@given(
    st.integers(2, 10**6), st.integers(1, 9), st.floats(0.001, 0.999), st.floats(0, 5), st.data()
)
def test_what_widens_band_and_balls(n, d, delta, c, data):
    k = data.draw(st.integers(1, n))
    width = rittler.hard_width(k, n, d, delta, c)
    least = rittler.least_hard_neighbors(n, d, delta, c)
    assert rittler.hard_width(k + 1, n, d, delta, c) <= width
    assert rittler.hard_width(k, n + 1, d, delta, c) >= width
    assert rittler.hard_width(k, n, d + 1, delta / 2, c) >= width
    assert rittler.hard_width(k, n, d, delta, c + 1) >= width

    # Just below the limit rounding decides.
    assert rittler.hard_width(least, n, d, delta, c) < 0.5 + 1e-9
    assert least < 3 or rittler.hard_width(least - 2, n, d, delta, c) >= 0.5

    k_plus = rittler.augmented_neighbors(n, d, delta, c)
    exact = c * sqrt(n * (d + 1) * log(8 / delta))
    assert k_plus in (1, n) or exact <= k_plus < exact + 1


@given(st.floats(0.01, 0.99), st.floats(1e-6, 1), st.integers(0, 10**6))
def test_a_coin_for_each_draw_makes_labels_denser_by_a_constant_factor_at_most(pi, q, m):
    """However small H+ is; with a coin for each label the density of targeted labels grows like 1 /
    mu(H+).
    """
    fraction = rittler.expected_passive_fraction(pi, q)
    draws = rittler.expected_draws(m, pi, q)
    # Of the draws a fraction pi is passive, and all of these are labeled.
    assert fraction * m == pytest.approx(pi * draws)

    most = rittler.expected_draws(m, pi, q, "per_sample")
    assert m * (1 - 1e-9) <= draws <= most * (1 + 1e-9)

    targeted = (1 - fraction) / q
    expected = (1 - pi) / (pi + (1 - pi) * q)
    assert targeted == pytest.approx(expected, rel=1e-6)
    assert targeted + fraction <= 1 / pi * (1 + 1e-6)

    fraction = rittler.expected_passive_fraction(pi, q, "per_sample")
    assert (1 - fraction) / q == pytest.approx((1 - pi) / q)


@given(st.floats(0.05, 3), st.floats(0.05, 1.95), st.floats(0.01, 0.9), st.floats(1e-6, 1e3))
def test_the_active_rate_is_the_faster_one_at_a_larger_k(alpha, beta, delta, constant):
    active = rittler.active_exponents(alpha, beta)
    passive = cd.passive_exponents(alpha, beta)
    assert np.greater(active, passive).all()
    product = alpha * beta
    root = alpha * (2 - beta)
    outgrowth = alpha * (2 + beta)
    distances = [abs(each - 1) for each in (product, root, outgrowth)]
    assume(min(distances) > 1e-6)
    assert (active.neighbors < 1) == (product < 1)
    assert (active.neighbors > 0.5) == (outgrowth > 1), "k outgrows k+"
    unmet = rittler.unmet_conditions("corollary_1", smoothness=alpha, margin_exponent=beta)
    assert len(unmet) == (product > 1) + (root < 1)

    n = np.array([1e4, 1e8])
    k = rittler.active_neighbors(n, alpha, beta, delta, constant)
    passive_k = rittler.active_neighbors(n, alpha, 0.0, delta, constant)
    of_delta = log(1 / delta) ** (1 / (1 + 2 * alpha))
    assert passive_k == pytest.approx(constant * of_delta * n**passive.neighbors)

    # Delta^beta at this k is the corollary's order, up to the constant and a power of log n.
    logs = np.log(n) ** (active.disagreement * beta / 2)
    scale = constant ** (-beta / 2)
    order = rittler.corollary_1(n, alpha, beta, delta) * logs * scale
    margin_power = (log(1 / delta) / k) ** (beta / 2)
    assert margin_power == pytest.approx(order)


@pytest.mark.parametrize("alpha", [0.25, 0.4, 0.5, 1.0])
def test_the_condition_allows_the_smaller_of_two_powers(alpha):
    """k may grow like n^(2 alpha / (2 alpha + 1)) if alpha >= 1/2, and else only like n^alpha."""
    allowed = min(2 * alpha / (2 * alpha + 1), alpha)
    n = np.array([1e40, 1e80])
    at = rittler.condition_ratio(n**allowed, n, 1, 0.1, alpha)
    above = rittler.condition_ratio(n ** (allowed + 0.05), n, 1, 0.1, alpha)
    assert at[1] == pytest.approx(at[0], rel=0.02)
    assert above[1] < above[0] / 5


@given(st.floats(1e-6, 1))
def test_the_condition_holds_on_a_stretch_at_most(constant):
    n = 10 ** np.linspace(2, 30, 57)
    k = rittler.active_neighbors(n, 1, 0.9, 0.1, constant)
    ratios = rittler.condition_ratio(k, n, 1, 0.1)
    held = np.flatnonzero(ratios >= 1)
    if len(held):
        assert len(held) == held[-1] - held[0] + 1
        assert held[-1] < 56


@pytest.mark.parametrize(
    ("kappa", "n", "k"), [(1.25, 16_000, 21), (1.25, 256_000, 241), (2.0, 256_000, 89)]
)
def test_under_the_condition_a_passive_vote_has_a_boundary_of_the_order_of_delta_to_the_beta(
    kappa, n, k
):
    """alpha = 1, L = kappa, and eta is within t of 1/2 on a mass of (2 t)^(1 / kappa)."""
    assert rittler.condition_ratio(k, n, 1, 0.1, 1.0, kappa) >= 1
    bound = rittler.theorem_3(power(kappa), k, 2 * n, 0.1)
    bias = kappa * bound.mass
    assert bias < bound.margin / 3

    band = 2 * (bound.margin + bias)
    assert bound.boundary_mass <= band ** (1 / kappa) + 1e-3
