"""Bounds of Khim, Xu & Singh: values of the formulas, scales of weights, samples that they hold for, and constants."""

from math import erf, gamma, inf, log, log2, pi, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reference_implementations import numbers_in, reference
from refusals import refuses
from scipy.stats import binom, norm

from knnviz import BallProfile, Problem, breast_cancer, checkerboard, metrics, regions
from knnviz.bounds import khim
from knnviz.metrics import Confusion
from knnviz.problems import gaussians, jump, linear, waves
from knnviz.problems.named import line_problem
from knnviz.windows import Windows

STATED = reference("khim_bounds")
FORMS = STATED["closed_forms"]
EXAMPLE = waves()
Q = (0.5, 0.3, 0.2)
EVEN = (1.0, 1.0, 1.0)
SMOOTH = {"smoothness": 1, "smoothness_constant": 5}
MARGIN = {"margin_exponent": 1, "margin_constant": 2}
HOLDER = {"holder_exponent": 1, "holder_constant": 5}
STEEP = {"holder_exponent": 1, "holder_constant": max(STATED["population"]["lipschitz"])}

COVER = {"n_classes": 3, "cover_size": 1}

weights = st.lists(st.floats(0.01, 1), min_size=2, max_size=6)
scales = st.floats(0.01, 100)
sizes = st.tuples(st.integers(10, 10**9), st.floats(0, 1)).map(lambda it: (it[0], max(1, round(it[1] * it[0] / 2))))


def fractions_at(problem, n, k, seed, x):
    """eta-hat (m, C) of k neighbors at positions x (m,) on a line, from one sample."""
    sample = problem.sample(n, seed)
    train = Windows.of(sample.X)
    votes = np.eye(problem.n_classes)[sample.y[train.order]]
    totals = np.concatenate([np.zeros((1, problem.n_classes)), np.cumsum(votes, axis=0)])
    first = train.starts(x, k)
    return (totals[first + k] - totals[first]) / k


# Disagreement.


@pytest.mark.parametrize(
    ("q", "key"),
    [
        (Q, "thm1 n=1000 k=50 C=3 qmax=.5 d=.05"),
        (EVEN, "thm1 n=1000 k=50 C=3 qmax=1 d=.05"),
        (np.ones(1000), "thm1 n=1000 k=50 C=1000 qmax=1 d=.05"),
    ],
)
def test_theorem_1(q, key):
    bound = khim.theorem_1(1000, 50, 0.05, q)
    assert (bound.mass, bound.margin) == pytest.approx(FORMS[key])


@pytest.mark.parametrize("key", STATED["theorem1"])
def test_theorem_1_on_the_example(key):
    n, k = numbers_in(key, int)
    stated, bound = STATED["theorem1"][key], khim.theorem_1(n, k, 0.05, Q)
    assert (bound.mass, bound.margin) == pytest.approx((stated["p"], stated["Delta"]))
    assert bound.disagreement(stated["boundary_mass"]) == pytest.approx(stated["bound"])
    assert bound.proved
    assert not bound.vacuous


def test_theorem_1_caps_where_it_must_not():
    """With weights of 10 the cap at 1 takes a margin that should be 5.8."""
    free, capped = (khim.theorem_1(1000, 50, 0.05, [10, 10, 10], capped=cap) for cap in (False, True))
    assert (free.margin, capped.margin) == (pytest.approx(5.822841641980652), 1)
    assert khim.theorem_1(1000, 50, 0.05, Q, capped=True) == khim.theorem_1(1000, 50, 0.05, Q)


def test_the_cap_is_false_for_large_weights():
    """Equal weights of 10, eta 0.56 and 0.44 everywhere: no boundary, so at most 2 delta on average, as printed."""
    steady, n, k, delta, q = line_problem("steady", lambda x: np.full(np.shape(x), 0.44)), 1000, 50, 0.05, (10, 10)
    measure, eta = steady.cells(500)
    bound = khim.theorem_1(n, k, delta, q, capped=True)
    inside = regions.effective_boundary(BallProfile.integrate(measure, eta, q=q), bound.mass, bound.margin)
    assert not inside.any()
    assert bound.disagreement(0.0) == delta
    x = measure.points[:, 0]
    found = [np.mean(fractions_at(steady, n, k, seed, x)[:, 1] > 0.5) for seed in range(40)]
    assert binom.sf(k // 2, k, 0.44) > 3 * delta
    assert np.mean(found) > 2 * delta
    assert np.mean(np.array(found) > delta) > delta


def test_the_cap_holds_for_weights_of_1():
    """Outside, q_f eta_f(B) >= q_c eta_c(B) + 1 for all c, which takes q_f = eta_f(B) = 1: all near labels are f."""
    step, n, k, q = jump(0.5), 1000, 16, (1, 1)
    bound, free = (khim.theorem_1(n, k, 0.05, q, capped=capped) for capped in (True, False))
    assert (bound.margin, free.margin > 1, free.vacuous) == (1, True, True)
    measure, eta = step.cells(1000)
    masses = np.linspace(0.005, 0.41, 82)
    balls = BallProfile.integrate(measure, eta, masses=masses, q=q)
    outside = ~regions.effective_boundary(balls, bound.mass, bound.margin)
    assert 0.5 < measure.weights @ outside < 0.7
    x = measure.points[outside, 0]
    found = [(fractions_at(step, n, k, seed, x).argmax(axis=1) == (x > 0.5)).all() for seed in range(20)]
    assert all(found)
    light = BallProfile.integrate(measure, eta, masses=masses, q=(0.9, 0.9))
    assert regions.effective_boundary(light, bound.mass, 1).all(), "below 1 nothing leads by 1"


def test_when_theorem_1_is_vacuous():
    early = khim.theorem_1(1000, 14, 0.05, Q)
    assert (early.proved, early.vacuous, early.mass, early.disagreement(0.1)) == (False, True, inf, 1)
    wide = khim.theorem_1(1000, 950, 0.05, Q)
    assert (wide.proved, wide.mass > 1, wide.vacuous) == (True, True, True)
    turn = int(2 * log(3) + 4 * log(40))
    few = [khim.theorem_1(1000, k, 0.05, Q) for k in (turn, turn + 1)]
    assert [(bound.margin > 0.5, bound.vacuous) for bound in few] == [(True, True), (False, False)]
    assert khim.theorem_1(1000, 50, 0.05, Q).disagreement(1 + 1e-15) == 1, "what a sum of masses may give"


def test_theorem_1_and_its_corollary_by_sampling():
    """n = 100000 and k = 2000: bounds of 0.38 and more hold for every sample."""
    n, k, delta = 10**5, 2000, 0.05
    measure, eta = EXAMPLE.cells(2000)
    balls = BallProfile.integrate(measure, eta, q=Q)
    first = khim.theorem_1(n, k, delta, Q)
    boundary = measure.weights @ regions.effective_boundary(balls, first.mass, first.margin)
    second = khim.corollary_1(n, k, delta, Q, smoothness=1, smoothness_constant=4.306)
    close = measure.weights @ (regions.margins(eta, Q) <= second.width)
    best = (eta * Q).argmax(axis=1)
    found = [
        measure.weights @ ((fractions_at(EXAMPLE, n, k, seed, measure.points[:, 0]) * Q).argmax(axis=1) != best)
        for seed in range(5)
    ]
    assert first.disagreement(boundary) == pytest.approx(0.379, abs=0.005)
    assert max(found) <= first.disagreement(boundary) <= second.disagreement(close) < 1
    assert found[0] == pytest.approx(STATED["bound_versus_observed"]["n=100000,k=2000"]["disagreement"], abs=0.005)


@given(weights, scales, sizes, st.floats(1e-6, 0.999))
def test_weights_on_another_scale_bound_the_same(q, scale, size, delta):
    n, k = size
    scaled = [scale * weight for weight in q]
    one, other = (khim.theorem_1(n, k, delta, given) for given in (q, scaled))
    assert other.mass == one.mass
    assert other.margin == pytest.approx(scale * one.margin)
    assert (other.proved, other.vacuous) == (one.proved, one.vacuous)
    one, other = (khim.corollary_1(n, k, delta, given, **SMOOTH) for given in (q, scaled))
    assert other.width == pytest.approx(scale * one.width)
    one, other = (khim.remark_1(n, delta, given, **SMOOTH) for given in (q, scaled))
    assert (other.k, other.width) == pytest.approx((one.k, scale * one.width))
    one, other = (
        khim.corollary_2(n, delta, given, **SMOOTH, margin_exponent=0.7, margin_constant=constant)
        for given, constant in ((q, 3), (scaled, 3 * scale**-0.7))
    )
    assert other.value == pytest.approx(one.value)


@given(weights, st.floats(1.5, 100))
def test_the_printed_powers_depend_on_the_scale(q, scale):
    one, other = (khim.remark_1(10**6, 0.05, given, **SMOOTH, as_printed=True) for given in (q, np.multiply(q, scale)))
    assert other.k == pytest.approx(scale ** (2 / 3) * one.k)
    assert other.width == pytest.approx(scale ** (2 / 3) * one.width), "it should be the scale itself"


def test_corollary_1():
    bound = khim.corollary_1(10**6, 10**4, 0.05, Q, **SMOOTH)
    assert bound.width == pytest.approx(FORMS["cor1_margin n=1e6 k=1e4 C=3 qmax=.5 d=.05 alpha=1 L=5"])
    assert (bound.vote, bound.bias) == pytest.approx((khim.theorem_1(10**6, 10**4, 0.05, Q).margin, 0.1))
    assert [khim.corollary_1(1000, k, 0.05, Q, **SMOOTH).proved for k in (59, 60)] == [False, True]
    assert (bound.vacuous, bound.disagreement(0.4)) == (False, pytest.approx(0.45))
    wide = khim.corollary_1(1000, 60, 0.05, Q, **SMOOTH)
    assert (wide.width > 0.5, wide.vacuous, wide.disagreement(0.4)) == (True, True, 1)


@given(st.integers(60, 10**6), st.floats(0.001, 1), st.floats(0, 0.5))
def test_corollary_1_covers_theorem_1(k, fraction, delta):
    """From 16 log(2 / delta) on p <= 2 k / n, and Delta + 2 q_max L p^alpha is at most the width of the corollary."""
    n = max(2 * k, round(k / fraction))
    first = khim.theorem_1(n, k, 0.05, Q)
    assert first.mass <= 2 * k / n
    smooth = SMOOTH["smoothness_constant"] * min(first.mass, 1) ** SMOOTH["smoothness"]
    inside = first.margin + 2 * max(Q) * smooth
    assert inside <= khim.corollary_1(n, k, 0.05, Q, **SMOOTH).width + 1e-12


def test_remark_1():
    for q, key in (
        (Q, "remark1 n=1e6 C=3 qmax=.5 d=.05 alpha=1 L=5 (k,K,M',margin)"),
        (EVEN, "remark1 n=1e6 C=3 qmax=1 ..."),
    ):
        best = khim.remark_1(10**6, 0.05, q, **SMOOTH)
        assert (best.k, best.factor_k, best.factor_width, best.width) == pytest.approx(FORMS[key])
        assert best.proved
        near = [khim.corollary_1(10**6, round(k), 0.05, q, **SMOOTH).width for k in (best.k - 50, best.k, best.k + 50)]
        assert near[1] == pytest.approx(best.width) == min(near)
    assert khim.remark_1(10**6, 0.05, Q, **SMOOTH).k == pytest.approx(
        FORMS["numeric argmin of cor1_margin, same (k)"], rel=1e-6
    )
    printed = khim.remark_1(10**6, 0.05, EVEN, **SMOOTH, as_printed=True)
    assert printed == khim.remark_1(10**6, 0.05, EVEN, **SMOOTH), "at q_max = 1 both are the same"
    assert not khim.remark_1(50, 0.05, Q, **SMOOTH).proved


@given(st.floats(0.05, 3), st.floats(0.01, 100), st.integers(10, 10**9))
def test_remark_1_minimizes(alpha, L, n):
    best = khim.remark_1(n, 0.05, Q, smoothness=alpha, smoothness_constant=L)
    vote = 0.5 * sqrt(2 * (log(3) + 2 * log(40)))
    k = best.k * np.array([0.9, 1, 1.1])
    width = vote / np.sqrt(k) + L * (2 * k / n) ** alpha
    assert width[1] == pytest.approx(best.width)
    assert width[1] < min(width[0], width[2])


def test_corollary_2():
    weighted = khim.corollary_2(10**6, 0.05, Q, **SMOOTH, margin_exponent=1, margin_constant=10.437)
    plain = khim.corollary_2(10**6, 0.05, EVEN, **SMOOTH, margin_exponent=1, margin_constant=1.8324)
    assert (weighted.value, plain.value) == pytest.approx((0.7377, 0.2915), abs=5e-5)
    assert (weighted.vacuous, weighted.proved) == (False, True)
    assert khim.corollary_2(10**5, 0.05, Q, **SMOOTH, margin_exponent=1, margin_constant=10.437).vacuous
    early = khim.corollary_2(50, 0.05, Q, **SMOOTH, margin_exponent=1, margin_constant=1e-9)
    assert (early.value < 1, early.proved, early.vacuous) == (True, False, True)
    printed = khim.corollary_2(10**6, 0.05, Q, **SMOOTH, margin_exponent=1, margin_constant=10.437, as_printed=True)
    assert (printed.value - 0.05) / (weighted.value - 0.05) == pytest.approx(2 ** (1 / 3))


# Excess risk.


def test_the_excess_risk():
    shown = {
        as_printed: khim.corollary_2_excess(10**9, 10**6, 3, **SMOOTH, **MARGIN, as_printed=as_printed)
        for as_printed in (False, True)
    }
    assert shown[False].excess == pytest.approx(FORMS["excess_risk explicit n=1e9 k=1e6 C=3 a=1 L=5 b=1 M=2"])
    assert shown[True].excess == pytest.approx(FORMS["excess_risk printed  n=1e9 k=1e6 C=3 a=1 L=5 b=1 M=2"])
    assert (shown[False].doublings, shown[True].doublings, shown[False].vacuous) == (1, None, False)
    weighted = khim.proposition_1(10**9, 10**6, (0.5, 0.3, 0.1), (0.2, 0.6, 0.2), **SMOOTH, **MARGIN)
    assert weighted.scale == pytest.approx(0.3)
    assert weighted.excess == pytest.approx(FORMS["prop1 explicit n=1e9 k=1e6 C=3 a=1 L=5 b=1 M=2 qmax=.5 sum_qp=.3"])
    assert khim.corollary_2_excess(10**5, 10**3, 3, **SMOOTH, **MARGIN).vacuous
    late = khim.corollary_2_excess(100, 51, 3, smoothness=1, smoothness_constant=1e-9, **MARGIN)
    assert (late.proved, late.vacuous) == (False, True)


@given(sizes, st.floats(0.05, 3), st.floats(0.01, 100), st.floats(0, 5), st.integers(2, 50))
def test_the_excess_by_its_formula(size, alpha, L, beta, C):
    n, k = size
    bound = khim.corollary_2_excess(
        n, k, C, smoothness=alpha, smoothness_constant=L, margin_exponent=beta, margin_constant=2
    )
    P = 2 * L * (2 * k / n) ** alpha
    assume(P > 1e-100)
    needed = log2(8 * (1 + beta) / (k * P**2)) / 2
    assert bound.bias == pytest.approx(P)
    assert bound.doublings in {max(1, int(np.ceil(needed + shift))) for shift in (-1e-9, 0, 1e-9)}
    assert bound.width == pytest.approx(2**bound.doublings * P)
    assert bound.excess == pytest.approx(np.exp(-k / 8) + (1 + C) * 2 * bound.width**beta)
    printed = khim.corollary_2_excess(
        n, k, C, smoothness=alpha, smoothness_constant=L, margin_exponent=beta, margin_constant=2, as_printed=True
    )
    assert printed.excess <= bound.excess * (1 + 1e-9)
    assert bound.width <= 2 * printed.width * (1 + 1e-9), "it loses up to 2^beta"


@given(weights, scales, sizes, st.floats(0.1, 2))
def test_the_weighted_excess_has_the_scale_of_the_risk(q, scale, size, beta):
    prior = np.full(len(q), 1 / len(q))
    one, other = (
        khim.proposition_1(*size, np.multiply(q, by), prior, **SMOOTH, margin_exponent=beta, margin_constant=by**-beta)
        for by in (1, scale)
    )
    assert other.excess == pytest.approx(scale * one.excess)
    assert (other.doublings, other.vacuous) == (one.doublings, one.vacuous)


def test_proposition_1_without_weights_is_corollary_2():
    plain = khim.corollary_2_excess(10**9, 10**6, 3, **SMOOTH, **MARGIN)
    assert khim.proposition_1(10**9, 10**6, EVEN, (0.2, 0.6, 0.2), **SMOOTH, **MARGIN) == plain


def test_a_bias_below_doubles_is_no_zero():
    tiny = khim.corollary_2_excess(10**12, 100, 3, smoothness=100, smoothness_constant=1, **MARGIN)
    assert tiny.bias == 0
    assert sqrt(8 * 2 / 100) <= tiny.width <= 2 * sqrt(8 * 2 / 100), "the votes stray all the same"


def test_factors_of_theorem_2():
    assert pytest.approx(STATED["gamma2"]) == khim.GAMMA_2
    z = sqrt((0.9 + 0.1) / (0.625 - 0.1))
    assert khim.gamma_3(100, 0.9, 0.625) == pytest.approx(0.5 - erf(z / sqrt(2)) / 2)
    assert khim.gamma_3(10**6, 0.3, 0.7) > khim.gamma_3(100, 0.9, 0.2), "it depends on the weights"


def test_the_printed_step_of_lemma_13_is_too_large():
    """S = k = 10000 of two classes, p' = 0.45 and t = p' + 1 / sqrt k, which meets (A), (B) and (C)."""
    k, fraction = 10**4, 0.45
    printed, exact = norm.sf(fraction**-0.5), binom.sf(4599, k, fraction)
    assert printed > khim.gamma_3(k, 1.0, 0.46) > 2 * exact
    assert norm.sf((fraction * (1 - fraction)) ** -0.5) < exact, "Slud's inequality itself holds"


# Uniform error.


def test_theorem_3():
    bound = khim.theorem_3(10**6, 10**4, 0.05, **HOLDER)
    assert (bound.bias, bound.vote, bound.union) == pytest.approx(
        FORMS["thm3 terms n=1e6 k=1e4 a=1 L=5 p*=1 d=1 delta=.05 S=intervals"]
    )
    assert bound.failure == pytest.approx(0.05)
    assert (bound.not_refuted, bound.vacuous) == (True, False)
    assert [khim.theorem_3(100, k, 0.05, **HOLDER).not_refuted for k in (50, 51)] == [True, False]
    assert khim.theorem_3(10**6, 1, 0.05, holder_exponent=1, holder_constant=1e-9).failure > 1
    narrow = khim.theorem_3(10**6, 10**4, 0.05, **HOLDER, largest_radius=0.01)
    assert (narrow.value < 1, narrow.not_refuted, narrow.vacuous) == (True, False, True)


@pytest.mark.parametrize("key", STATED["bound_versus_observed"])
def test_theorem_3_on_the_example(key):
    n, k = numbers_in(key, int)
    stated, bound = STATED["bound_versus_observed"][key], khim.theorem_3(n, k, 0.025, **STEEP)
    assert (bound.bias, bound.vote, bound.union) == pytest.approx(stated["thm3_terms"])
    assert bound.value == pytest.approx(stated["thm3_bound"])
    assert bound.vacuous


def test_theorem_3_by_sampling():
    """A gentle slope: the bound is 0.32, and every sample stays below it."""
    gentle, n, k = linear(0.4), 20_000, 1000
    bound = khim.theorem_3(n, k, 0.05, holder_exponent=1, holder_constant=0.4)
    assert bound.value < 0.35
    assert not bound.vacuous
    x = np.linspace(0, 1, 2001)
    eta = gentle.eta(x[:, None])
    worst = [metrics.uniform_error(fractions_at(gentle, n, k, seed, x), eta) for seed in range(40)]
    assert np.mean(np.array(worst) > bound.value) <= bound.failure


def test_covers_and_shattering():
    assert khim.shattering(10) == FORMS["S(10) intervals"]
    intervals = {tuple(range(i, j)) for i in range(8) for j in range(i, 8)}
    assert khim.shattering(7) == len(intervals | {()})
    assert [khim.covering_number(radius) for radius in (0.6, 0.5, 0.3, 0.25, 0.2)] == [1, 2, 2, 3, 3]
    volume = {d: pi ** (d / 2) / gamma(d / 2 + 1) for d in range(1, 80)}
    least = min(d for d, ball in volume.items() if ball * 2**d < 1)
    assert least == FORMS["smallest d with N(r)>(2/r)^d by volume"]
    for of, way in ((khim.corollary_3, {}), (khim.corollary_3, {"as_printed": True}), (khim.theorem_3, {})):
        high = [of(10**60, 10**4, 0.05, **HOLDER, dimension=d, **way).not_refuted for d in (least - 1, least)]
        assert high == [True, False]
    assert khim.theorem_3(10**60, 10**4, 0.05, **HOLDER, dimension=least, covering=lambda r: 1e99).not_refuted


def boxes(d, largest=10):
    """Radii in (0, 1], and how many boxes of d sides 1 / m or 1 / (m + 1) cover the cube within larger ones."""
    sides = [np.array([m] * (d - j) + [m + 1] * j) for m in range(1, largest) for j in range(d)]
    return [(sqrt((1.0 / side**2).sum()) / 2, float(np.prod(side.astype(float)))) for side in sides]


@pytest.mark.parametrize("d", range(1, 14))
def test_boxes_prove_the_cover_up_to_13_dimensions(d):
    """Beyond 10 sides (4 m / sqrt d)^d >= (m + 1)^d; up to there each number of boxes serves radii above its own."""
    assert 4 * 10 / sqrt(d) >= 11
    smallest = 1.0
    for radius, number in boxes(d):
        if radius < smallest:
            assert number <= (2 / smallest) ** d * (1 + 1e-9)
            smallest = radius


@given(st.integers(1, 10**6), st.integers(1, 20))
def test_the_printed_shattering_coefficient_is_larger(n, d):
    assert khim.shattering(n) <= khim.shattering_bound(n, d)


@given(st.floats(0.001, 1))
def test_as_many_balls_as_needed(radius):
    number = khim.covering_number(radius)
    assert 2 * radius * number > 1 - 1e-9
    assert 2 * radius * (number - 1) <= 1 + 1e-9
    assert number <= 2 / radius


def test_corollaries_3_and_4():
    third = khim.corollary_3(10**6, 10**4, 0.05, **HOLDER)
    fourth = khim.corollary_4(10**6, 10**4, 0.05, ambient=10, **HOLDER)
    assert third.value == pytest.approx(FORMS["cor3 n=1e6 k=1e4 a=1 L=5 p*=1 d=1 delta=.05"])
    assert fourth.value == pytest.approx(FORMS["cor4 same with D=10"])
    assert khim.corollary_4(10**6, 10**4, 0.05, ambient=1, **HOLDER) == third
    printed, whole = (khim.corollary_3(10**6, 100, 0.05, **HOLDER, as_printed=form) for form in (True, False))
    stated = FORMS["cor3 failure n=1e6 k=100 d=1 (printed p*n e^{-k/4}/k + delta)"]
    assert (printed.failure, whole.failure) == pytest.approx((stated, stated), rel=1e-12)
    printed, whole = (
        khim.corollary_3(10**6, 40, 0.05, **HOLDER, dimension=5, as_printed=form) for form in (True, False)
    )
    assert whole.failure - 0.05 == pytest.approx(2**4 * (printed.failure - 0.05))


@given(sizes, st.integers(1, 10), st.floats(0.1, 1))
def test_the_corollary_is_the_larger_bound(size, d, alpha):
    held = {"holder_exponent": alpha, "holder_constant": 2, "dimension": d}
    theorem, corollary = (of(*size, 0.05, **held) for of in (khim.theorem_3, khim.corollary_3))
    assert theorem.value <= corollary.value * (1 + 1e-12)
    if corollary.not_refuted:
        assert theorem.failure <= corollary.failure * (1 + 1e-9)


def test_the_least_error_on_the_example():
    stated = FORMS["best eps by thm3 on the example (L=Lip): n -> (eps, k)"]
    for power, (value, k) in stated.items():
        best = khim.least_error(round(float(power)), 0.025, **STEEP)
        assert best.value == pytest.approx(value)
        assert best.k == pytest.approx(k, rel=1e-6)
    n = khim.least_n(0.1, 0.025, **STEEP)
    assert n == pytest.approx(FORMS["n needed for eps=0.1"], abs=1)
    around = [khim.least_error(size, 0.025, **STEEP).value for size in (n - 1, n)]
    assert around[1] <= 0.1 < around[0]
    refuses(r"no n up to 1e30 makes the bound as small as 1e-12", khim.least_n, 1e-12, 0.025, **STEEP)
    refuses(r"no n up to 1e30 makes the bound as small as 0\.01", khim.least_n, 0.01, 0.025, **STEEP, dimension=10)
    infinite = {"dimension": 10, "subsets": lambda n: 2.0 * n**11}
    refuses(r"S\(n\) must be finite and at least 1, got inf at n = ", khim.least_n, 0.01, 0.025, **STEEP, **infinite)


@given(st.integers(10**4, 10**9), st.floats(0.1, 1), st.integers(1, 5))
def test_the_least_error_is_the_least(n, alpha, d):
    held = {"holder_exponent": alpha, "holder_constant": 3, "dimension": d}
    best = khim.least_error(n, 0.05, **held)
    k = round(best.k)
    assume(10 < k < n / 2)
    assert best.value <= khim.theorem_3(n, k, 0.05, **held).value * (1 + 1e-12)
    assert khim.theorem_3(n, k, 0.05, **held).value == pytest.approx(best.value, rel=0.01)


def test_the_least_error_is_one_that_the_theorem_allows():
    """A gentle slope would have more neighbors vote than the condition k <= p* r*^d n / 2 lets it."""
    gentle = {"holder_exponent": 1, "holder_constant": 0.001}
    n = khim.least_n(0.1, 0.05, **gentle)
    best, before = khim.least_error(n, 0.05, **gentle), khim.least_error(n - 1, 0.05, **gentle)
    assert best.k == n / 2
    bound = khim.theorem_3(n, int(best.k), 0.05, **gentle)
    assert bound.not_refuted
    assert bound.value == pytest.approx(best.value)
    assert best.value <= 0.1 < before.value
    narrow = khim.least_error(1000, 0.05, **gentle, largest_radius=0.1)
    assert narrow.k == pytest.approx(50)
    assert khim.least_n(0.1, 0.05, **gentle, largest_radius=0.1) == pytest.approx(10 * n, rel=0.2)


@pytest.mark.parametrize("d", [1, 2, 3, 7])
def test_the_default_mass_constant_is_that_of_the_cube(d):
    """Uniform points: a ball around a corner has the least of a cube, and that is p* r^d."""
    points = np.random.default_rng(0).random((200_000, d))
    dense = pi ** (d / 2) / gamma(d / 2 + 1) / 2**d
    for radius in (0.5, 1.0):
        found = np.mean((points**2).sum(axis=1) <= radius**2)
        assert found == pytest.approx(dense * radius**d, abs=4 * sqrt(dense * radius**d / 200_000) + 1e-12)
    held = HOLDER | {"dimension": d}
    plain, given = (khim.theorem_3(10**6, 100, 0.05, **held, **p) for p in ({}, {"mass_constant": dense}))
    assert (plain.value, plain.failure, plain.not_refuted) == pytest.approx(
        (given.value, given.failure, given.not_refuted)
    )
    for of in (khim.corollary_3, lambda *given, **named: khim.corollary_4(*given, ambient=9, **named)):
        assert of(10**6, 100, 0.05, **held).failure == pytest.approx(
            0.05 + 2 ** (d - 1) * dense * 10**4 * np.exp(-25), rel=1e-12
        )
        sentence = r"mass constant p\* must be at most V_d / 2\^d = .* on the cube, got"
        refuses(sentence, of, 10**6, 100, 0.05, **held, mass_constant=1.01 * dense)


def test_theorem_4():
    slope, square, needed = FORMS["bump d=1: sup|g'|, ||g||_2^2, 1/3"]
    assert khim.bump_constant(1) == pytest.approx(slope)
    middles = (np.arange(20_000) + 0.5) / 10_000 - 1
    assert (khim.bump(middles) ** 2).mean() * 2 == pytest.approx(square)
    assert square > needed == pytest.approx(khim.theorem_4_exponent(1, 1))
    r = (np.arange(20_000) + 0.5) / 20_000
    spheres = {d: d * pi ** (d / 2) / gamma(d / 2 + 1) for d in range(1, 6)}
    squares = {d: sphere * (khim.bump(r) ** 2 * r ** (d - 1)).mean() for d, sphere in spheres.items()}
    assert squares[1] == pytest.approx(square)
    assert [squares[d] > d * khim.theorem_4_exponent(1, d) for d in squares] == [True, True, True, False, False]
    assert khim.theorem_4_printed_constant(1, 1, 1) == pytest.approx(
        FORMS["thm4 constant d=1 alpha=1 L=1 (as printed)"]
    )
    assert khim.theorem_4_exponent(0.5, 3) == pytest.approx(1 / 8)
    norms = [khim.bump_constant(alpha) for alpha in (0.2, 0.5, 0.9, 0.999, 1)]
    assert norms == sorted(norms), "no two positions on the ray are farther apart than 1"


@pytest.mark.parametrize("alpha", [0.3, 1.0])
def test_the_hoelder_constant_of_the_bump_in_two_dimensions(alpha):
    rng = np.random.default_rng(0)
    a, b = rng.uniform(-1, 1, (2, 20_000, 2))
    heights = [khim.bump(np.hypot(*point.T)) for point in (a, b)]
    ratio = abs(heights[0] - heights[1]) / np.hypot(*(a - b).T) ** alpha
    assert 0.8 * khim.bump_constant(alpha) < ratio.max() <= khim.bump_constant(alpha)


# Confusion entries.


def test_theorem_5_and_proposition_3():
    thousand, million = (khim.theorem_5(n, 0.05, n_classes=3, cover_size=2556, tne=0.2, fne=0) for n in (1000, 10**6))
    assert thousand.tn == pytest.approx(FORMS["thm5 E(0.2) n=1000 N=2556 C=3 delta=.05"])
    assert thousand.fn == thousand.sampling == pytest.approx(FORMS["thm5 second term n=1000"])
    assert million.sampling == pytest.approx(FORMS["thm5 second term n=1e6"])
    assert (thousand.fp, thousand.tp) == (thousand.tn, thousand.fn)
    for n, key in ((1000, "1000"), (10**6, "1e6")):
        bound = khim.proposition_3(n, 0.05, cover_size=101, tne=0, fne=0)
        assert bound.sampling == pytest.approx(FORMS[f"prop3 second term n={key} N=101 delta=.05"])
    vacuous = khim.theorem_5(1000, 0.05, n_classes=3, cover_size=2556, tne=[0.1, 0.4, 0.3], fne=[0.1, 0.3, 0.2]).vacuous
    assert vacuous.tolist() == [False, True, False]
    unbracketed = khim.proposition_3(1000, 0.05, cover_size=99, tne=inf, fne=inf)
    assert (unbracketed.tn, unbracketed.vacuous) == (inf, True)


def test_theorem_5_by_sampling():
    """Any eta-hat within epsilon of eta will do: here n = 100000, and an estimate that is off at random."""
    n, epsilon, rng = 10**5, 0.02, np.random.default_rng(0)
    measure, eta = EXAMPLE.cells(20_000)
    truth = metrics.confusion_bayes(eta, Q)
    masses = [regions.error_band(eta, epsilon, Q, Q, c).errors(eta, c, measure.weights) for c in range(3)]
    tne, fne = zip(*masses, strict=True)
    errors = khim.theorem_5(n, 0.05, n_classes=3, cover_size=1, tne=tne, fne=fne)
    assert errors.tn.max() < 0.6
    for seed in range(5):
        sample = EXAMPLE.sample(n, seed)
        fractions = np.clip(EXAMPLE.eta(sample.X) + rng.uniform(-epsilon, epsilon, (n, 3)), 0, 1)
        found = metrics.confusion_hat(fractions, sample.y, Q)
        for name in ("tn", "fn", "fp", "tp"):
            assert (abs(getattr(found, name) - getattr(truth, name)) <= getattr(errors, name)).all()
        scores = khim.score_errors(truth, errors)
        assert (scores.precision == inf).any(), "so that precision needs a band of its own"
        low, high = khim.f1_intervals(truth, errors)
        assert ((low <= found.f1) & (found.f1 <= high)).all()


def test_errors_of_precision_by_sampling():
    """Between two classes far apart the band is empty, and the bound on precision and recall is below 1."""
    n, q = 10**5, (1, 1)
    apart = jump(0.3)
    measure, eta = apart.cells(2000)
    truth = metrics.confusion_bayes(eta, q, weights=measure.weights)
    tne, fne = zip(
        *(regions.error_band(eta, 0.01, q, q, c).errors(eta, c, measure.weights) for c in (0, 1)), strict=True
    )
    errors = khim.theorem_5(n, 0.05, n_classes=2, cover_size=1, tne=tne, fne=fne)
    scores = khim.score_errors(truth, errors)
    assert max(scores.precision.max(), scores.recall.max()) < 0.7
    for seed in range(5):
        sample = apart.sample(n, seed)
        found = metrics.confusion_hat(apart.eta(sample.X), sample.y, q)
        assert (abs(found.precision - truth.precision) <= scores.precision).all()
        assert (abs(found.recall - truth.recall) <= scores.recall).all()


@given(st.floats(0, 1), st.floats(0, 0.2), st.integers(0, 2**32 - 1))
def test_proposition_3_for_any_threshold(t, epsilon, seed):
    """Whatever eta-hat does within epsilon, entries move by no more than the band."""
    rng, steps = np.random.default_rng(seed), np.arange(11) / 10
    eta = rng.random(400)
    fractions = np.clip(eta + rng.uniform(-epsilon, epsilon, 400), 0, 1)
    mass = khim.threshold_mass(eta, epsilon, t, steps)
    for held, bound in ((1 - eta, mass.tne), (eta, mass.fne)):
        assert abs((held * (fractions >= t)).mean() - (held * (eta >= t)).mean()) <= bound + 1e-9


FIRST = EXAMPLE.cells(200_000)[1][:, 0]


def test_bands_of_thresholds():
    stated = STATED["binary"]
    assert khim.threshold_mass(FIRST, 0.05, 0.5, (0.45, 0.55)) == pytest.approx(
        stated["band t'=.45 t''=.55 eps=.05 eta_1 (tne,fne)"], rel=1e-4
    )
    hundredths = np.arange(101) / 100
    assert khim.threshold_mass(FIRST, 0.05, 0.505, hundredths) == pytest.approx(
        stated["prop3_inf t=.505 T=0:.01:1 eps=.05 (tne,fne)"], rel=1e-3
    )
    assert khim.threshold_mass(FIRST, 0.05, 0.005, hundredths[1:-1]) == (inf, inf)
    assert khim.bracket(0.29, hundredths) == (0.29, 0.29)
    assert khim.bracket(0.285, hundredths) == (0.28, 0.29)
    assert khim.bracket(0.995, hundredths[1:-1]) is None
    low, high = khim.bracket(0.5, [0.5 - 8e-10, 0.5 + 6e-10])
    assert low == high == 0.5 + 6e-10, "both are t, and the nearer one is taken"
    assert khim.bracket(0.5, []) is None
    ts = np.array([0.005, 0.29, 0.505, 0.995])
    each = [khim.threshold_mass(FIRST, 0.05, t, hundredths[1:-1]) for t in ts]
    row = khim.threshold_mass(FIRST, 0.05, ts, hundredths[:0:-1][1:])
    assert np.transpose(row) == pytest.approx(np.array(each))
    assert [np.isinf(mass.tne) for mass in each] == [True, False, False, True]
    inside = (FIRST >= 0.45) & (FIRST <= 0.56)
    assert row.tne[2] == pytest.approx(((1 - FIRST) * inside).mean())
    heavy = khim.threshold_mass([0.2, 0.5], 0.1, 0.5, [0.5], weights=[0.25, 0.75])
    assert heavy == pytest.approx((0.375, 0.375))


def test_weights_of_two_classes_are_a_threshold():
    assert khim.weight_threshold((1, 3)) == FORMS["binary threshold q0=1,q1=3"]
    assert khim.weight_threshold((1e308, 1.5e308)) == 0.4
    assert khim.weight_threshold((1, 0)) == 1
    eta = np.random.default_rng(0).random(200)
    decided = regions.margins(np.stack([1 - eta, eta], axis=1), (1, 3)) * np.where(eta >= 0.25, 1, -1)
    assert decided == pytest.approx(3 * eta - (1 - eta))


def test_the_chain_to_f1():
    stated = STATED["thm5_chain"]
    _, eta = EXAMPLE.cells(200_000)
    entries = metrics.confusion_bayes(eta, Q)
    tne, fne = regions.error_band(eta, 0.001, Q, Q, 0).errors(eta, 0)
    assert (tne, fne) == pytest.approx((stated["tne"], stated["fne"]))
    errors = khim.theorem_5(10**8, 0.05, n_classes=3, cover_size=2556, tne=tne, fne=fne)
    scores, box = khim.score_errors(entries, errors), khim.f1_intervals(entries, errors)
    assert (errors.tp, errors.fp) == pytest.approx((stated["E_TP"], stated["E_FP"]))
    found = [scores.precision[0], scores.recall[0], scores.f1[0]]
    assert found == pytest.approx([stated[key] for key in ("E_prec", "E_rec", "E_F1")], rel=1e-5)
    assert [end[0] for end in box] == pytest.approx(stated["box_F1"], rel=1e-5)
    assert scores.vacuous[0]
    assert max(errors.tp, errors.fp) < 0.0061


def test_the_chain_to_f1_for_two_classes():
    stated = STATED["binary"]["cor7-9 t=.5 eps=.001 n=1e8 N=101 delta=.05"]
    hundredths = np.arange(101) / 100
    mass = khim.threshold_mass(FIRST, 0.001, 0.5, hundredths)
    errors = khim.proposition_3(10**8, 0.05, cover_size=101, tne=mass.tne, fne=mass.fne)
    assert (errors.tp, errors.fp) == pytest.approx((stated["E_TP"], stated["E_FP"]), rel=1e-4)
    entries = Confusion(*([stated["conf"][key]] for key in ("TN", "FN", "FP", "TP")))
    scores, box = khim.score_errors(entries, errors), khim.f1_intervals(entries, errors)
    found = [scores.precision[0], scores.recall[0], scores.f1[0]]
    assert found == pytest.approx([stated[key] for key in ("E_prec", "E_rec", "E_F1")], rel=1e-3)
    assert [end[0] for end in box] == pytest.approx(stated["box_F1"], rel=1e-4)


def test_the_chain_from_thresholds():
    """Entries of one threshold, and of several, as ``Thresholds`` gives them."""
    population, steps = metrics.Thresholds.of(FIRST, FIRST), np.arange(101) / 100
    masses = [khim.threshold_mass(FIRST, 0.001, t, steps) for t in (0.4, 0.5)]
    each = []
    for t, mass in zip((0.4, 0.5), masses, strict=True):
        errors = khim.proposition_3(10**8, 0.05, cover_size=101, tne=mass.tne, fne=mass.fne)
        each.append((khim.score_errors(population.at(t), errors), khim.f1_intervals(population.at(t), errors)))
    tne, fne = zip(*masses, strict=True)
    errors, both = khim.proposition_3(10**8, 0.05, cover_size=101, tne=tne, fne=fne), population.at([0.4, 0.5])
    scores, box = khim.score_errors(both, errors), khim.f1_intervals(both, errors)
    assert scores.f1.tolist() == [one.f1[0] for one, _ in each]
    assert box.low.tolist() == [one.low[0] for _, one in each]
    assert (box.low < both.f1).all()
    assert (both.f1 < box.high).all()
    stated = STATED["binary"]["cor7-9 t=.5 eps=.001 n=1e8 N=101 delta=.05"]
    assert [end[1] for end in box] == pytest.approx(stated["box_F1"], rel=1e-4)
    three = population.at([0.1, 0.2, 0.3])
    refuses("errors must be for 3 thresholds as the entries are, got 2", khim.score_errors, three, errors)
    refuses(r"entries must be a row, .* got shape \(1, 2\)", khim.f1_intervals, population.at([[0.4, 0.5]]), errors)


def test_no_entry_of_the_box_exceeds_one():
    """0.6 + 0.5 false positives are at most 1: the least F1 is 2 * 0.2 / (2 * 0.2 + 1 + 0.2)."""
    errors = khim.EntryErrors(np.array([0.5]), np.array([0.1]), 0.0)
    low, _ = khim.f1_intervals(Confusion([0.0], [0.1], [0.6], [0.3]), errors)
    assert low == pytest.approx([0.4 / 1.6])


entries = st.lists(st.floats(0.01, 1), min_size=4, max_size=4).map(lambda parts: np.array(parts) / sum(parts))


@given(entries, entries, st.floats(0, 0.3))
def test_scores_move_by_no_more(truth, other, fraction):
    """Entries that move a fraction of the way to others are off by so much at most."""
    found = (1 - fraction) * truth + fraction * other
    negative, positive = (max(abs(found - truth)[[i, j]]) for i, j in ((0, 2), (1, 3)))
    errors = khim.EntryErrors(np.array([negative]), np.array([positive]), 0.0)
    population, sample = (Confusion(*(entry[None] for entry in each)) for each in (truth, found))
    scores = khim.score_errors(population, errors)
    for name in ("precision", "recall", "f1"):
        assert abs(getattr(sample, name) - getattr(population, name)) <= getattr(scores, name) + 1e-12
    low, high = khim.f1_intervals(population, errors)
    assert low - 1e-12 <= sample.f1 <= high + 1e-12
    assert scores.macro_f1 == scores.f1[0]


def test_scores_without_a_positive_denominator():
    tiny = Confusion([0.9, 0.5], [0.05, 0.1], [0.04, 0.1], [0.01, 0.3])
    errors = khim.EntryErrors(np.array([0.05, 0.01]), np.array([0.05, 0.01]), 0.01)
    scores = khim.score_errors(tiny, errors)
    assert (scores.precision[0], scores.recall[0], scores.f1[0]) == (inf, inf, inf)
    assert (scores.vacuous.tolist(), np.isfinite(scores.precision[1])) == ([True, True], True)
    nothing = khim.EntryErrors(np.array([1.0]), np.array([1.0]), 1.0)
    low, high = khim.f1_intervals(Confusion([1.0], [0.0], [0.0], [0.0]), nothing)
    assert (low[0], high[0]) == (0, 1)
    unbracketed = khim.EntryErrors(np.array([inf]), np.array([inf]), 0.1)
    low, high = khim.f1_intervals(tiny, unbracketed)
    assert (low.tolist(), high.tolist()) == ([0, 0], [1, 1])
    assert (khim.score_errors(tiny, unbracketed).f1 == inf).all()
    still = khim.EntryErrors(np.array([1e-6]), np.array([1e-6]), 1e-6)
    assert not khim.score_errors(tiny, still).vacuous.any()


def test_two_worlds():
    worlds = khim.proposition_2(1000, 0.5, holder_constant=2)
    x = (np.arange(100_000) + 0.5) / 100_000
    plus, minus = worlds.eta(x[:, None])
    assert (plus > 0.5).all()
    assert (minus < 0.5).all()
    assert worlds.true_negatives == (0, pytest.approx(0.5 * (1 - minus).mean()))
    assert worlds.true_negatives[1] > 0.25
    assert worlds.divergence == pytest.approx(500 * (2 * plus - 1) @ np.log(plus / minus) / len(x))
    assert worlds.probability == pytest.approx(np.exp(-worlds.divergence) / 4)
    assert 0.1 < worlds.probability < 0.25
    assert abs(np.diff(plus)).max() * len(x) <= 2
    assert worlds.epsilon == pytest.approx((plus - 0.5).max())


def test_two_worlds_on_a_square():
    worlds = khim.proposition_2(10_000, 1, holder_exponent=0.5, dimension=2, offset=0.01)
    steps = (np.arange(800) + 0.5) / 800
    plus, minus = worlds.eta(np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2))
    assert worlds.true_negatives[1] == pytest.approx((1 - minus).mean(), rel=1e-6)
    assert worlds.divergence == pytest.approx(10_000 * ((2 * plus - 1) * np.log(plus / minus)).mean(), rel=1e-4)


# Lemma 9.


@given(weights, scales, st.floats(0, 1))
def test_lemma_9_on_any_scale(q, scale, margin):
    scaled = np.multiply(q, scale)
    probability = khim.lemma_9(10**4, 200, q, margin, **SMOOTH)
    assert khim.lemma_9(10**4, 200, scaled, scale * margin, **SMOOTH) == pytest.approx(probability)


def test_lemma_9():
    near, far = (khim.lemma_9(10**4, 200, Q, margin, **SMOOTH) for margin in (0.2, 0.3))
    assert near == 1
    assert far == pytest.approx(np.exp(-25) + 3 * np.exp(-200 * 0.1**2 / 0.5))


def test_lemma_9_by_sampling():
    n, k, x = 2000, 100, np.array([0.1, 0.15, 0.2, 0.85])
    gentle = line_problem("gentle", lambda x: 0.3 + 0.4 * x)
    margins = regions.margins(gentle.eta(x[:, None]), (0.5, 0.5))
    probability = [khim.lemma_9(n, k, (0.5, 0.5), gap, smoothness=1, smoothness_constant=0.2) for gap in margins]
    best = gentle.bayes(x[:, None])
    wrong = [fractions_at(gentle, n, k, seed, x).argmax(axis=1) != best for seed in range(300)]
    assert (np.mean(wrong, axis=0) <= probability).all()
    assert probability == pytest.approx([0.0393, 0.1123, 0.2707, 0.1123], abs=1e-3)


# Constants.


def test_smoothness_constants_of_the_example():
    """The last class is steepest at the end, where the smallest ball decides: a grid comes short of half the slope."""
    found = khim.least_smoothness_constants(EXAMPLE, 1)
    assert found[:2] == pytest.approx(STATED["smoothness_alpha1_L"][:2], rel=1e-4)
    assert found[2] == pytest.approx(STATED["smoothness_alpha1_L"][2], rel=0.005)
    rising = [khim.least_smoothness_constants(EXAMPLE, 1, cells)[2] for cells in (250, 500, 1000)]
    x = np.array([1 - 1e-6, 1])
    assert rising == sorted(rising)
    assert rising[-1] < np.diff(EXAMPLE.eta(x[:, None])[:, 2])[0] / 1e-6 / 2 < 0.57


def test_smoothness_constants_by_formula():
    assert khim.least_smoothness_constants(linear(0.8), 1) == pytest.approx(0.4, rel=1e-6)
    assert khim.least_smoothness_constants(linear(0.8), 0.5) == pytest.approx(0.4, rel=1e-6)
    assert khim.least_smoothness_constants(linear(0), 1) == pytest.approx(0, abs=1e-9)
    jumping = [khim.least_smoothness_constants(jump(0.3), 1, cells)[0] for cells in (100, 200)]
    assert jumping[1] == pytest.approx(2 * jumping[0], rel=0.01), "a jump has none"


@pytest.mark.parametrize(("q", "key"), [(EVEN, "(1,1,1)"), (Q, "(.5,.3,.2)")])
def test_margin_constants_of_the_example(q, key):
    """Stated are those on a coarse grid of t from 0.002 on, which comes up to 4 % short of the largest ratio."""
    stated = STATED["margin"][key]
    _, eta = EXAMPLE.cells(200_000)
    gaps = regions.margins(eta, q)
    order = np.argsort(gaps)
    t = gaps[order]
    columns = [(np.ones(len(t)), stated["M_for_beta_1"])]
    columns += list(zip(eta.T, stated["conditional_M_for_beta_1"], strict=True))
    found = [khim.least_margin_constant(EXAMPLE, 1, q), *khim.least_conditional_margin_constants(EXAMPLE, 1, q)]
    for (column, M), least in zip(columns, found, strict=True):
        ratio = np.cumsum(column[order]) / column.sum() / t
        assert least == pytest.approx(ratio[t >= 0.002].max(), rel=1e-3)
        assert M <= least <= 1.04 * M


@given(st.floats(0, 1), scales)
def test_margin_constants_have_the_scale_of_the_weights(beta, scale):
    one, other = (khim.least_margin_constant(EXAMPLE, beta, np.multiply(Q, by), 500) for by in (1, scale))
    assert other == pytest.approx(one * scale**-beta)


def test_margin_constants_by_formula():
    assert khim.least_margin_constant(linear(0.8), 1, (0.5, 0.5)) == pytest.approx(2.5)
    assert khim.least_margin_constant(linear(0.8), 1, (1, 1)) == pytest.approx(1.25)
    assert khim.least_margin_constant(jump(0.3), 1, (1, 1)) == pytest.approx(1 / 0.6, rel=1e-3)
    assert khim.least_margin_constant(linear(0), 0.5, (1, 1)) == inf
    for gentle in (linear(0), linear(0.8), jump(0.3)):
        assert khim.least_margin_constant(gentle, 0, (1, 1)) == 1, "the whole mass has some margin, ties with it"
        assert khim.least_conditional_margin_constants(gentle, 0, (1, 1)).tolist() == [1, 1]


def test_scores_that_rounding_keeps_apart_tie():
    """Weights of 1/9 and 1 tie everywhere at fractions of 0.9 and 0.1, but their scores differ as doubles."""
    steady = line_problem("steady", lambda x: np.full(np.shape(x), 0.1))
    scores = steady.eta(np.array([[0.5]]))[0] * (1 / 9, 1)
    assert 0 < abs(scores[0] - scores[1]) < 1e-15
    assert khim.least_margin_constant(steady, 1, (1 / 9, 1)) == inf


@pytest.mark.parametrize("scale", [1e-13, 1e-8, 1e8])
def test_margin_constants_of_tiny_and_huge_weights(scale):
    plain, scaled = (khim.least_margin_constant(EXAMPLE, 1, np.multiply(Q, by)) for by in (1, scale))
    assert scaled * scale == pytest.approx(plain)
    each, scaled = (khim.least_conditional_margin_constants(EXAMPLE, 1, np.multiply(Q, by)) for by in (1, scale))
    assert scaled * scale == pytest.approx(each)


def test_lipschitz_constants_of_the_example():
    found = khim.least_lipschitz_constants(EXAMPLE)
    assert found == pytest.approx(STATED["population"]["lipschitz"], rel=1e-6)
    assert khim.least_lipschitz_constants(gaussians(3)).shape == (3,)


# Refusals.


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: khim.theorem_1(10, 11, 0.1, Q), "k must not exceed the number of points, got k = 11 with n = 10"),
        (lambda: khim.theorem_1(10, 5, 0, Q), "delta must lie strictly between 0 and 1, got 0"),
        (lambda: khim.theorem_1(10, 5, 0.1, [1]), r"q must hold weights of two or more classes, got \[1\]"),
        (lambda: khim.theorem_1(10, 5, 0.1, 0.5), r"q must hold weights of two or more classes, got 0\.5"),
        (lambda: khim.theorem_1(10, 5, 0.1, [1, -1]), "q must hold 2 weights that are finite, not negative"),
        (lambda: khim.theorem_1(10, 5, 0.1, Q).disagreement(2), "mass of the boundary must be between 0 and 1, got 2"),
        (lambda: khim.corollary_1(9, 5, 0.1, Q, smoothness=0, smoothness_constant=1), "smoothness alpha must be"),
        (lambda: khim.remark_1(0, 0.1, Q, **SMOOTH), "n must be at least 1, got 0"),
        (
            lambda: khim.corollary_2(10, 0.1, Q, **SMOOTH, margin_exponent=-1, margin_constant=1),
            "margin exponent beta must be between 0 and 100, got -1",
        ),
        (
            lambda: khim.corollary_2_excess(10, 5, 3, **SMOOTH, margin_exponent=1, margin_constant=0),
            "margin constant M must be finite and above 0, got 0",
        ),
        (lambda: khim.proposition_1(10, 5, Q, (0.5, 0.5, 0.5), **SMOOTH, **MARGIN), "prior must be 3 numbers"),
        (lambda: khim.gamma_3(100, 0.5, 0.1), r"gamma_3 needs a threshold above 1 / sqrt k = 0\.1000, got 0\.1000"),
        (
            lambda: khim.theorem_3(10, 5, 0.1, holder_exponent=1.1, holder_constant=1),
            r"Hoelder exponent alpha must be between 0 and 1, got 1\.1",
        ),
        (
            lambda: khim.corollary_4(10, 5, 0.1, ambient=1, dimension=2, **HOLDER),
            "ambient dimension must be between 2 and 1000, got 1",
        ),
        (lambda: khim.covering_number(0), "radius must be finite and above 0, got 0"),
        (lambda: khim.theorem_5(10, 0.1, n_classes=3, cover_size=0, tne=0, fne=0), "cover_size must be at least 1"),
        (lambda: khim.theorem_5(10, 0.1, **COVER, tne=2, fne=0), "tne must hold masses between 0 and 1"),
        (
            lambda: khim.theorem_5(10, 0.1, **COVER, tne=[0, 0, 0], fne=0),
            "tne and fne must hold as many masses, got 3 and 1",
        ),
        (
            lambda: khim.theorem_5(10, 0.1, **COVER, tne=[0, 0], fne=[0, 0]),
            "tne and fne must hold one mass or 3, got 2",
        ),
        (
            lambda: khim.theorem_5(10, 0.1, **COVER, tne=inf, fne=inf),
            "tne and fne must be finite in Theorem 5, got inf and inf",
        ),
        (lambda: khim.proposition_3(10, 0.1, cover_size=1, tne=[], fne=[]), r"tne must hold masses .* got \[\]"),
        (
            lambda: khim.theorem_3(10, 5, 0.1, **HOLDER, mass_constant=2),
            r"p\* r\*\^d must be at most 1, as it is a mass, got 2 \* 1\^1",
        ),
        (
            lambda: khim.theorem_3(10, 5, 0.1, **HOLDER, subsets=lambda n: 0),
            r"S\(n\) must be finite and at least 1, got 0 at n = 10",
        ),
        (lambda: khim.covering_number(1e-320), "radius must be at least 1e-307, got 9.99"),
        (lambda: khim.bump_constant([1]), r"Hoelder exponent alpha must be a number, got \[1\]"),
        (lambda: khim.bump_constant(0.5, 0), "resolution must be at least 1, got 0"),
        (
            lambda: khim.proposition_2(1000, 0.5).margin([[1.2]]),
            r"points must lie in \[0, 1\]\^d, got coordinates 1\.2 to 1\.2",
        ),
        (lambda: khim.weight_threshold(Q), "a threshold is for two classes, got 3 weights"),
        (lambda: khim.bracket(0.5, [2]), r"thresholds must be numbers between 0 and 1, got \[2\]"),
        (lambda: khim.threshold_mass([0.5], 0.1, [2.0], [0.5]), "t must be numbers between 0 and 1"),
        (lambda: khim.threshold_mass([2.0], 0.1, 0.5, [0.5]), "eta must hold probabilities of class 1 between 0 and 1"),
        (
            lambda: khim.score_errors(
                Confusion([0.25] * 3, [0.25] * 3, [0.25] * 3, [0.25] * 3),
                khim.theorem_5(10, 0.1, n_classes=2, cover_size=1, tne=[0, 0], fne=[0, 0]),
            ),
            "errors must be for 3 classes as the entries are, got 2",
        ),
        (lambda: khim.proposition_2(7, 0.5), r"n must be at least 2\^\(2 alpha \+ d\) = 8, got 7"),
        (lambda: khim.proposition_2(100, 0.5, offset=0.3), r"offset must be between 0 and 0\.2, got 0\.3"),
        (lambda: khim.lemma_9(10, 6, Q, 0.1, **SMOOTH), "k must be between 1 and 5, got 6"),
        (lambda: khim.least_smoothness_constants(breast_cancer(), 1), "the bound needs a known distribution"),
        (lambda: khim.least_smoothness_constants(checkerboard(), 1), "this needs a density on a line"),
        (lambda: khim.least_margin_constant(EXAMPLE, 1, (1, 1)), "q must hold a weight for each of 3 classes, got 2"),
        (lambda: khim.least_lipschitz_constants(Problem.from_atoms([[0.5]], [1.0], [0.3])), "a density on a line"),
    ],
)
def test_refusals(call, sentence):
    refuses(sentence, call)
