"""Bounds of Reeve & Kaban: values of the formulas, ranges of k, samples that they hold for, and their assumptions."""

from fractions import Fraction
from itertools import pairwise
from math import inf, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import numbers_in, reference

from knnviz import LabelNoise, Problem, Robust, breast_cancer, checkerboard, noise, problems, risk
from knnviz.bounds import reeve_kaban as rk
from knnviz.problems import bump, jump, levels, linear, logistic, plateau, power, ramp, waves
from knnviz.problems.named import line_problem
from knnviz.windows import Windows

STATED = reference("reeve_kaban_bounds")["bounds"]
WIDGETS = reference("reeve_kaban_bounds")["widgets"]
PLATEAUS = reference("reeve_kaban")["plateau"]
NOISE = LabelNoise(p0=0.1, p1=0.3)
LINEAR = {"smoothness": 1, "smoothness_constant": 3}
SHARP = {"smoothness": 1, "smoothness_constant": 1.5}
MARGIN = {"margin_exponent": 1, "margin_constant": 16 / 3}
SIZES = [10**4, 10**6, 10**8, 10**10, 10**12]


# Errors of the plug-in rule.


def test_lemma_3_1():
    errors = rk.Errors(0.02, 0.02, 0.02)
    assert rk.lemma_3_1(NOISE, errors) == pytest.approx(STATED["lemma31 err=.02 p0=.1 p1=.3"])
    assert rk.decision_error(NOISE, errors) == pytest.approx(rk.lemma_3_1(NOISE, errors) / 4)


rates = st.tuples(st.floats(0, 0.7), st.floats(0, 0.7)).filter(lambda pair: sum(pair) < 0.99)
shifts = st.tuples(*[st.floats(-1, 1)] * 3)


@given(rates, st.floats(0, 1), shifts)
def test_lemma_3_1_for_any_errors(pair, eta, shift):
    flips = LabelNoise(*pair)
    e0, e1 = (flips.contrast / 4 * each for each in shift[1:])
    found = pair[0] + flips.contrast * eta + shift[0]
    estimate = (found - pair[0] - e0) / (flips.contrast - e0 - e1)
    assert abs(estimate - eta) <= rk.lemma_3_1(flips, rk.Errors(abs(shift[0]), abs(e0), abs(e1))) + 1e-9


@given(rates, st.floats(0, 1), shifts)
def test_a_wrong_decision_is_close_to_one_half(pair, eta, shift):
    flips = LabelNoise(*pair)
    fraction, p0, p1 = pair[0] + flips.contrast * eta + shift[0], pair[0] + shift[1], pair[1] + shift[2]
    if (fraction >= (1 + p0 - p1) / 2) != (eta >= 0.5):
        assert abs(eta - 0.5) <= rk.decision_error(flips, rk.Errors(*map(abs, shift))) + 1e-9


# Balls and estimates.


def test_lemma_3_2_and_its_corollary():
    sides = rk.lemma_3_2(1000, 10, 1)
    assert sides.right == pytest.approx(STATED["lemma32 k=10 zeta=1"])
    assert sides.left == pytest.approx(STATED["lemma32 exact Beta tail k=10 n=1000 zeta=1"])
    assert rk.corollary_3_1(1000, 10, 1).right == pytest.approx(STATED["cor31 k=10 zeta=1"])
    assert rk.corollary_3_1(1000, 1, 1) == (0, 1)
    assert rk.lemma_3_2(10, 10, 0.5).left == 0, "no ball has a mass above 1"


@given(st.integers(1, 10**6), st.floats(0, 1), st.floats(0, 20))
def test_lemma_3_2_and_its_corollary_hold(n, fraction, zeta):
    k = max(1, round(fraction * n))
    assert rk.lemma_3_2(n, k, zeta).holds
    assert rk.corollary_3_1(n, k, zeta).holds


def ball_masses(centers, X, k):
    """Masses of open balls on [0, 1] that end at the k-th neighbor, one for each sample."""
    radius = np.partition(abs(X - centers), k - 1, axis=1)[:, k - 1]
    x = centers[:, 0]
    return np.minimum(x + radius, 1) - np.maximum(x - radius, 0)


@pytest.mark.parametrize(("bound", "center"), [(rk.lemma_3_2, 0.0), (rk.lemma_3_2, 0.3), (rk.corollary_3_1, None)])
def test_masses_of_balls_by_sampling(bound, center):
    """Around a fixed point, or around the first training point."""
    X = np.random.default_rng(0).random((20_000, 200))
    centers = X[:, :1] if center is None else np.full((20_000, 1), center)
    for k, zeta in ((5, 1), (10, 0.5), (20, 0.5)):
        sides = bound(200, k, zeta)
        found = np.mean(ball_masses(centers, X, k) > (1 + zeta) * k / 200)
        assert found == pytest.approx(sides.left, abs=4 * sqrt(sides.left / 20_000))
        assert found < sides.right < 1


def test_estimates_of_the_reference_run():
    assert rk.lemma_4_1(10_000, 100, 0.05, **LINEAR).value == STATED["lemma41 n=10000 k=100 lam=1 omega=3"]
    pointwise = rk.theorem_4_1(10_000, 400, 0.05, **LINEAR)
    assert pointwise.value == pytest.approx(STATED["thm41 n=10000 k=400 delta=.05 lam=1 omega=3"])
    assert (pointwise.vote, pointwise.bias) == pytest.approx((sqrt(log(60) / 800), 0.24))
    top = rk.theorem_4_2(10_000, 400, 0.05, **LINEAR)
    assert top.value == pytest.approx(STATED["thm42 n=10000 k=400 delta=.05 lam=1 omega=3"])
    assert top.value == noise.Extremum(Fraction(1), 10_000, 400, "max").error(0.05, **LINEAR)
    wide = rk.theorem_4_2(10**6, 10_000, 0.05, **SHARP)
    assert wide.value == pytest.approx(STATED["thm42 n=1e6 k=10000 delta=.05 lam=1 omega=1.5"])
    assert not pointwise.vacuous
    assert rk.theorem_4_2(10_000, 2000, 0.05, **LINEAR).vacuous


@pytest.mark.parametrize("n", [1000, 10_000])
def test_ranges_of_k(n):
    stated = STATED[f"k_ranges n={n} delta=.05"]
    for statement in ("4_1", "4_2", "4_3"):
        for variant in ("proof", "printed"):
            key = "thm41" if statement == "4_1" else f"thm{statement.replace('_', '')}_{variant}"
            assert rk.k_range(n, 0.05, variant, f"theorem_{statement}") == (stated[key], stated["upper"])
    assert rk.k_range(n, 0.05) == rk.k_range(n, 0.05, "proof", "theorem_4_3")
    assert rk.k_range(n, 0.05, "proof", "lemma_4_1").least == 13


@given(st.integers(1, 10**9), st.floats(1e-6, 0.999))
def test_the_proof_uses_theorem_4_1_at_smaller_levels(n, delta):
    """Theorem 4.2 at delta / (2 n); Theorem 4.3 at delta^2 / 3, and Theorem 4.2 at delta / 3."""
    least = {name: rk.k_range(n, delta, statement=f"theorem_{name}").least for name in ("4_2", "4_3")}

    def at(level, statement):
        return rk.k_range(n, level, statement=f"theorem_{statement}").least

    assert abs(least["4_2"] - at(delta / (2 * n), "4_1")) <= 1, "up to the rounding of a logarithm"
    assert abs(least["4_3"] - max(at(delta / 3, "4_2"), at(delta**2 / 3, "4_1"))) <= 1


def test_flags_of_the_ranges():
    printed = rk.k_range(1000, 0.05, "printed", "theorem_4_2")
    flags = [(printed.has(k), rk.theorem_4_2(1000, k, 0.05, **LINEAR).proved) for k in (15, 16, 47, 48, 501)]
    assert flags == [(False, False), (True, False), (True, False), (True, True), (False, False)]
    printed, ks = rk.k_range(1000, 0.05, "printed"), (17, 18, 52, 53, 500, 501, 1000)
    flags = [(printed.has(k), rk.theorem_4_3(1000, k, 0.05, NOISE, **LINEAR).proved) for k in ks]
    assert flags == [(False, False), (True, False), (True, False), (True, True), (True, True), *[(False, False)] * 2]
    assert not rk.k_range(50, 0.05).has(25), "a small n leaves no k"


def test_theorems_4_1_and_4_2_by_sampling():
    """eta_corr of the plateau has the constant 1.5 * 0.6 at alpha = 1; all bounds here are below 1."""
    problem, n, k, delta, held = plateau(0.1, 0.3), 4000, 200, 0.2, {"smoothness": 1, "smoothness_constant": 0.9}
    pointwise, top = (theorem(n, k, delta, **held) for theorem in (rk.theorem_4_1, rk.theorem_4_2))
    positions = np.array([0.0, 0.2, 0.5, 0.9])
    truth = NOISE.corrupt(problem.eta(positions[:, None]))[:, 1]
    off, extremes = [], []
    for seed in range(100):
        sample = problem.sample(n, seed)
        train, observed = Windows.of(sample.X), NOISE.flip(sample.y, sample.v)
        first = train.starts(positions, k)
        off.append([observed[train.order[i : i + k]].mean() for i in first] - truth)
        ends = [noise.extremum(train, observed, k, which).value for which in ("max", "min")]
        extremes.append([float(ends[0]) - 0.7, float(ends[1]) - 0.1])
    assert (np.mean(abs(np.array(off)) > pointwise.value, axis=0) <= delta).all()
    assert (np.mean(abs(np.array(extremes)) > top.value, axis=0) <= delta).all()
    assert pointwise.value < top.value < 1
    assert pointwise.proved
    assert top.proved


# Excess risk.


def test_theorem_4_3_of_the_reference_run():
    vacuous = rk.theorem_4_3(10**6, 10**4, 0.01, NOISE, **LINEAR)
    useful = rk.theorem_4_3(10**9, 10**6, 0.01, NOISE, **SHARP, **MARGIN)
    assert vacuous.excess == pytest.approx(
        STATED["thm43 n=1e6 k=10000 delta=.01 lam=1 omega=3 alpha=0 C=1 p0=.1 p1=.3"], rel=1e-9
    )
    assert useful.excess == pytest.approx(
        STATED["thm43 n=1e9 k=1e6 delta=.01 lam=1 omega=1.5 alpha=1 C=16/3 p0=.1 p1=.3"], rel=1e-9
    )
    assert (vacuous.vacuous, useful.vacuous) == (True, False)
    assert (vacuous.proved, useful.proved) == (True, True)
    assert (vacuous.vote, vacuous.bias) == pytest.approx((sqrt(log(1.8e9) / 10**4), 0.12))
    assert vacuous.xi == vacuous.vote + vacuous.bias
    assert vacuous.excess == pytest.approx(8 / 0.6 * vacuous.xi + 0.01)


@pytest.mark.parametrize(
    ("key", "tight", "margin"),
    [
        ("thm43 along k_n, n=1e4,1e6,1e8,1e10,1e12, delta=.01 lam=1 omega=1.5 alpha=0 C=1 p0=.1 p1=.3", False, {}),
        ("thm43_tight, same, alpha=0", True, {}),
        (
            "thm43 along k_n, n=1e4,1e6,1e8,1e10,1e12, delta=.01 lam=1 omega=1.5 alpha=1 C=5.333 p0=.1 p1=.3",
            False,
            MARGIN,
        ),
        ("thm43_tight, same, alpha=1", True, MARGIN),
    ],
)
def test_theorem_4_3_along_its_own_k(key, tight, margin):
    along = [
        rk.theorem_4_3(n, rk.k_n(n, 0.01, 1, 1.5), 0.01, NOISE, **SHARP, **margin, tight=tight).excess for n in SIZES
    ]
    assert along == pytest.approx(STATED[key], rel=1e-9)


def test_from_where_on_a_margin_helps():
    """Along k_n the better exponent has the larger constant, and is ahead only from about 1.2e9 on."""

    def ahead(n):
        k = rk.k_n(n, 0.01, 1, 1.5)
        plain, margin = (rk.theorem_4_3(n, k, 0.01, NOISE, **SHARP, **held) for held in ({}, MARGIN))
        return margin.excess < plain.excess

    stated = STATED["log10 n where alpha=1 becomes smaller than alpha=0 (thm43 along k_n)"]
    assert [ahead(round(10**power)) for power in (stated - 0.01, stated)] == [False, True]


@given(
    st.integers(1, 10**12),
    st.floats(0, 1),
    st.floats(1e-6, 0.999),
    rates,
    st.floats(0.05, 3),
    st.floats(0.1, 100),
    st.floats(0, 5),
    st.floats(1, 100),
)
def test_theorem_4_3_by_its_formula(n, fraction, delta, pair, alpha, L, beta, M):
    k = max(1, round(fraction * n))
    held = {"smoothness": alpha, "smoothness_constant": L, "margin_exponent": beta, "margin_constant": M}
    loose, tight = (rk.theorem_4_3(n, k, delta, LabelNoise(*pair), **held, tight=sharp) for sharp in (False, True))
    xi = sqrt(log(18 * n / delta) / k) + 2 * L * (2 * k / n) ** alpha
    assert loose.excess == pytest.approx(M * (8 * xi / (1 - sum(pair))) ** (beta + 1) + delta, rel=1e-9)
    assert loose.excess - delta == pytest.approx((tight.excess - delta) * 4 ** (beta + 1) / 2, rel=1e-6, abs=1e-9)
    assert loose.vacuous == (loose.excess >= 1)


def test_a_bound_beyond_doubles_is_infinite():
    held, flips = {"smoothness": 100, "margin_exponent": 100, "margin_constant": 1e100}, LabelNoise(0.5, 0.4999999)
    huge = rk.theorem_4_3(10, 10, 0.5, flips, **held, smoothness_constant=1e100)
    rate = rk.theorem_4_3_rate(10**9, 0.01, NOISE, **held | LINEAR)
    assert (huge.excess, huge.vacuous, rate.excess, rate.vacuous) == (inf, True, inf, True)


def test_a_factor_beyond_doubles_leaves_a_small_bracket_its_bound():
    """8 / contrast = 8e5 and xi = 2e-4: their powers are beyond doubles, that of their product is not."""
    bound = rk.theorem_4_3(10**12, 10**9, 0.5, LabelNoise(0.5, 0.49999), smoothness=1, smoothness_constant=1e-6,
                           margin_exponent=100)  # fmt: skip
    xi = sqrt(log(36e12) / 1e9) + 4e-9
    assert log(bound.excess) == pytest.approx(101 * log(8e5 * xi), rel=1e-6)
    assert bound.vacuous


@pytest.mark.parametrize("pair", [(0.0, 0.07), (0.0, 0.32), (0.1, 0.3), (0.2, 0.4)])
def test_lemma_3_1_takes_errors_of_a_quarter_of_the_contrast(pair):
    """As a reader writes them: 1 - 0.2 - 0.4 is a little below 0.4."""
    quarter = round((1 - sum(pair)) / 4, 6)
    assert rk.lemma_3_1(LabelNoise(*pair), rk.Errors(0.01, quarter, quarter)) == pytest.approx(2)


@given(st.floats(1e-6, 0.999), st.floats(0.05, 1), st.floats(1, 20), st.floats(0, 2))
def test_the_rate_bounds_the_bound_along_its_own_k(delta, alpha, L, beta):
    """Where n suffices and alpha <= 1 <= L, k_n is at most n / 2 and the rate form is the larger one."""
    n = rk.least_n(delta, alpha, L)
    held = {"smoothness": alpha, "smoothness_constant": L, "margin_exponent": beta}
    for size in (n, 10 * n):
        rate = rk.theorem_4_3_rate(size, delta, NOISE, **held)
        assert rate.condition_holds
        assert rate.k == rk.k_n(size, delta, alpha, L) <= size / 2
        assert rate.k >= 5 * log(18 * size / delta)
        if delta >= 1 / (2 * size):
            assert rate.proved
        assert rk.theorem_4_3(size, rate.k, delta, NOISE, **held).excess <= rate.excess
    assert n == 1 or not rk.theorem_4_3_rate(n - 1, delta, NOISE, **held).condition_holds


def test_the_rate_of_the_reference_run():
    rate = rk.theorem_4_3_rate(10**9, 0.01, NOISE, **LINEAR)
    assert rate.excess == pytest.approx(
        STATED["thm43_rate n=1e9 delta=.01 lam=1 omega=3 alpha=0 C=1 p0=.1 p1=.3"], rel=1e-9
    )
    assert rate.proved
    assert not rate.vacuous
    early = rk.theorem_4_3_rate(500, 0.05, NOISE, **LINEAR)
    assert (early.condition_holds, early.proved, early.vacuous) == (False, False, True)
    flat = rk.theorem_4_3_rate(100, 0.05, NOISE, smoothness=1, smoothness_constant=0.01)
    assert (flat.condition_holds, flat.proved, flat.k > 100) == (True, False, True), "L below 1 makes k_n exceed n / 2"
    bold = rk.theorem_4_3_rate(rk.least_n(1e-300, 1, 3), 1e-300, NOISE, **LINEAR)
    assert (bold.condition_holds, bold.proved) == (True, False), "delta is far below 1 / (2 n)"


def test_k_n_and_the_least_n():
    key = "k_n delta=.05 lam=1 omega=3 n=1e3,1e4,1e5,1e6"
    assert [rk.k_n(10**power, 0.05, 1, 3) for power in (3, 4, 5, 6)] == STATED[key]
    assert rk.least_n(0.05, 1, 3) == STATED["n_min delta=.05 lam=1 omega=3"]
    assert rk.least_n(0.05, 1, 1.5) == STATED["n_min delta=.05 lam=1 omega=1.5"]
    assert rk.least_n(0.9, 1, 1e-9) == 1
    with pytest.raises(ValueError, match=r"no n below 1e300 meets the condition with alpha = 0\.001 and L = 3"):
        rk.least_n(0.05, 0.001, 3)


def test_the_bracket_along_k_n_is_far_below_the_printed_equality():
    """The proof calls xi(k_n) equal to 16 (L log(18 n / delta) / n)^(1/3) at alpha = 1; before rounding it is 4.297."""
    n, delta = 10**12, 0.01
    xi = rk.theorem_4_3(n, rk.k_n(n, delta, 1, 3), delta, NOISE, **LINEAR).xi
    assert xi / (3 * log(18 * n / delta) / n) ** (1 / 3) == pytest.approx(4.297, abs=5e-4)


def test_the_exponent():
    assert rk.exponent(1) == pytest.approx(1 / 3)
    assert rk.exponent(1, 1) == pytest.approx(2 / 3)
    assert rk.exponent(0.5, 2) == pytest.approx(3 / 4)
    assert rk.theorem_4_3_rate(1000, 0.05, NOISE, **SHARP, **MARGIN).exponent == rk.exponent(1, 1)


# Inconsistency.


@pytest.mark.parametrize("name", PLATEAUS)
def test_theorem_5_1_on_the_plateau(name):
    pair = numbers_in(name)
    problem, flips = plateau(*pair), LabelNoise(*pair)
    assert rk.theorem_5_1(problem, flips, 10**6) == pytest.approx(PLATEAUS[name]["knn_limit_excess"], abs=1e-6)
    lost = risk.vote_limit(problem, flips) - problem.bayes_risk()
    assert rk.theorem_5_1(problem, flips) == pytest.approx(lost, abs=1e-9)


@pytest.mark.parametrize("gap", [0.1, 0.16, 0.17, 0.3])
def test_asymmetric_noise_alone_does_not_mislead(gap):
    stated, problem = WIDGETS[f"two-level h={gap} p0=.1 p1=.3"], jump(gap)
    assert rk.theorem_5_1(problem, NOISE) == pytest.approx(stated["excess_A0"])
    assert risk.vote_limit(problem, NOISE) == pytest.approx(stated["knn_limit"])


def test_a_coin_is_no_part_of_the_floor():
    """Where eta_corr is 1/2 the noisy labels leave a choice: kNN errs half of the time, other learners need not."""
    coin = Problem.from_atoms([[0.5]], [1.0], [2 / 3])
    assert rk.theorem_5_1(coin, NOISE) == 0
    assert risk.vote_limit(coin, NOISE) == pytest.approx(1 / 2)
    assert rk.theorem_5_1(checkerboard(), LabelNoise(0.2, 0.2)) == 0


def test_algorithm_2_is_consistent_on_the_plateau():
    """The levels 1 / n^2 have a finite sum, k = n^(2/3) is in the range of the proof, and the bound tends to 0."""
    found = []
    for n in SIZES[1:]:
        k, delta = round(n ** (2 / 3)), n**-2
        assert rk.k_range(n, delta).has(k)
        found.append(rk.theorem_4_3(n, k, delta, NOISE, **LINEAR).excess)
    assert all(later < earlier / 3 for earlier, later in pairwise(found))
    assert found[-1] < 0.03


@pytest.mark.parametrize(
    ("votes", "low", "high"),
    [(lambda n: n ** (2 / 3), 0, 0.001), (lambda n: 5 * log(n), 0.02, 0.05), (lambda n: n / 2, 0.01, 0.02)],
)
def test_votes_must_outgrow_the_logarithm_and_not_the_sample(votes, low, high):
    sample, n = plateau(0.1, 0.3).sample(10**5, seed=0), 10**5
    draws = [(NOISE.flip(sample.y, sample.v), [Robust(votes="order")])]
    area, windows = risk.Antiderivative.of(plateau(0.1, 0.3)), Windows.of(sample.X)
    excess = risk.sweep_line(windows, area, draws, [round(votes(n))]).item() - plateau(0.1, 0.3).bayes_risk()
    assert low <= excess < high


# Assumptions.


@pytest.mark.parametrize("name", PLATEAUS)
def test_constants_of_the_plateau(name):
    problem = plateau(*numbers_in(name))
    assert rk.least_smoothness_constant(problem, 1) == pytest.approx(PLATEAUS[name]["omega_min"])
    assert rk.least_margin_constant(problem, 1) == pytest.approx(PLATEAUS[name]["C_alpha_for_alpha_1"])


def bent(x):
    return np.where(x < 0.4137, 0.5 + 1.2 * (x - 0.4137), 0.5 + 0.5 * (x - 0.4137))


@pytest.mark.parametrize(
    ("problem", "smoothness", "constant"),
    [
        (ramp(), 1, 1),
        (ramp(), 0.5, 1),
        (ramp(0.1, 0.6), 1, 0.5),
        (linear(0.8), 1, 0.8),
        (power(0.5), 0.5, 1),
        (line_problem("bent", bent), 1, 1.2),
        (linear(0), 1, 0),
        (linear(0), 3, 0),
        (jump(0.17), 0.3, inf),
        (levels(0.2, 0.45), 1, inf),
        (bump(), 1, inf),
        (power(0.5), 1, inf),
        (power(0.1), 0.2, inf),
        (ramp(), 1.1, inf),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_smoothness_constants(problem, smoothness, constant):
    assert rk.least_smoothness_constant(problem, smoothness) == pytest.approx(constant)


def test_a_steep_slope_is_no_jump():
    """eta' / 2 is 12.5 in the middle, where a ball has two sides."""
    assert rk.least_smoothness_constant(logistic(100), 1) == pytest.approx(12.5, rel=0.01)
    assert rk.least_smoothness_constant(logistic(100), 1, 1000) == pytest.approx(12.5, rel=0.001)


def test_only_the_support_counts():
    """A jump where there is no mass is none: the balls reach over 0.2, which hold 0.25 of the mass."""

    def apart(X):
        return (abs(X[:, 0] - 0.5) > 0.1).astype(float)

    gap = Problem("gap", jump(0.3).eta, ((0.0, 1.0),), density=apart)
    assert rk.least_smoothness_constant(gap, 1) == pytest.approx(0.6 / 0.25)
    assert rk.least_smoothness_constant(gap, 2) == pytest.approx(0.6 / 0.25**2)
    assert rk.least_margin_constant(gap, 1) == pytest.approx(1 / 0.3)


@given(st.floats(0.2, 1), st.integers(0, 2**32 - 1))
def test_smoothness_constants_by_brute_force(alpha, seed):
    """eta and mu of straight pieces, on all pairs of edges, with masses of balls by interpolation."""
    rng = np.random.default_rng(seed)
    knots, heights = np.linspace(0, 1, 7), rng.random(7)
    tilt = rng.uniform(-1.5, 1.5)
    problem = Problem("pieces", line_problem("pieces", lambda x: np.interp(x, knots, heights)).eta, ((0.0, 1.0),),
                      density=lambda X: 1 + tilt * (X[:, 0] - 0.5))  # fmt: skip
    x, weights = np.linspace(0, 1, 61), problem.measure(60).weights
    eta, cumulated = problem.eta(x[:, None])[:, 1], np.concatenate([[0], np.cumsum(weights)])
    worst = 0
    for i in range(61):
        radius = abs(x - x[i])
        mass = np.interp(x[i] + radius, x, cumulated) - np.interp(x[i] - radius, x, cumulated)
        others = radius > 0
        worst = max(worst, (abs(eta - eta[i])[others] / mass[others] ** alpha).max())
    assert rk.least_smoothness_constant(problem, alpha, 60) == pytest.approx(worst, rel=1e-6)


@pytest.mark.parametrize(
    ("problem", "margin", "constant"),
    [
        (ramp(), 1, 2),
        (ramp(), 0.5, sqrt(2)),
        (ramp(), 0, 1),
        (ramp(0.1, 0.6), 1, 4),
        (linear(0.8), 1, 2.5),
        (line_problem("bent", bent), 1, 1 / 1.2 + 1 / 0.5),
        (jump(0.17), 1, 1 / 0.17),
        (jump(0.17), 2, 1 / 0.17**2),
        (levels(0.2, 0.45), 1, 10),
        (bump(), 1, 2.5),
        (power(0.5), 2, 4),
        (power(2), 0.5, sqrt(2)),
        (problems.terrace(0.5), 1, 4 / 3),
        (linear(0), 2, 1),
        (ramp(), 1.1, inf),
        (linear(0.01), 2, inf),
        (power(2), 1, inf),
        (problems.terrace(0.5), 2, inf),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_margin_constants(problem, margin, constant):
    assert rk.least_margin_constant(problem, margin) == pytest.approx(constant)


@pytest.mark.parametrize(("problem", "beta", "constant"), [(power(4), 0.25, 2**0.25), (linear(1e-10), 1, 2e10)])
def test_margin_constants_where_a_halved_cell_is_below_what_doubles_hold(problem, beta, constant):
    assert rk.least_margin_constant(problem, beta) == pytest.approx(constant, rel=1e-3)
    assert rk.least_margin_constant(problem, 2 * beta) == inf


@given(st.floats(0, 1), st.integers(0, 2**32 - 1))
def test_margin_constants_by_brute_force(beta, seed):
    """With knots on the grid each piece is straight, and so is the mass in between: both ways are exact."""
    knots, heights = np.linspace(0, 1, 7), np.random.default_rng(seed).random(7) - 0.5
    problem = line_problem("pieces", lambda x: 0.5 + np.interp(x, knots, heights))
    low, high = heights[:-1], heights[1:]
    worst = 1.0
    for t in np.unique(abs(heights)):
        ends = np.clip(-t, low.clip(max=high), high.clip(min=low)), np.clip(t, low.clip(max=high), high.clip(min=low))
        worst = max(worst, ((ends[1] - ends[0]) / abs(high - low)).sum() / 6 / t**beta)
    assert rk.least_margin_constant(problem, beta, 60) == pytest.approx(worst, rel=1e-6)


# Refusals.


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: rk.lemma_3_1(NOISE, (0.1, 0.2, 0)), r"at most contrast / 4 = 0\.15, got 0\.2"),
        (lambda: rk.lemma_3_1(NOISE, (-0.1, 0.1, 0)), r"error of frequency must be between 0 and 1, got -0\.1"),
        (lambda: rk.decision_error(NOISE, (0.1, 0, 2)), "error of p1 must be between 0 and 1, got 2"),
        (lambda: rk.lemma_3_2(10, 11, 1), "k must not exceed the number of points, got k = 11 with n = 10"),
        (lambda: rk.lemma_3_2(10, 5, -1), "zeta must be between 0 and inf, got -1"),
        (lambda: rk.corollary_3_1(10, 5, inf), "zeta must be finite, got inf"),
        (lambda: rk.lemma_4_1(10, 5, 1, **LINEAR), "delta must lie strictly between 0 and 1, got 1"),
        (lambda: rk.theorem_4_1(10, 0, 0.1, **LINEAR), "k must be at least 1, got 0"),
        (lambda: rk.theorem_4_2(10, 5, 0.1, smoothness=0, smoothness_constant=1), "smoothness alpha must be finite"),
        (lambda: rk.theorem_4_3(10, 11, 0.1, NOISE, **LINEAR), "k must not exceed the number of points"),
        (lambda: rk.theorem_4_3(10, 0, 0.1, NOISE, **LINEAR), "k must be at least 1, got 0"),
        (lambda: rk.theorem_4_3(10, 5, 0, NOISE, **LINEAR), "delta must lie strictly between 0 and 1, got 0"),
        (
            lambda: rk.theorem_4_3(10, 5, 0.1, NOISE, **LINEAR, margin_exponent=-1),
            "margin exponent beta must be between 0 and 100, got -1",
        ),
        (
            lambda: rk.theorem_4_3(10, 5, 0.1, NOISE, **LINEAR, margin_constant=0.5),
            "margin constant M must be between 1 and 1e",
        ),
        (lambda: rk.k_n(10, 0.1, 1, 0), "smoothness constant L must be finite and above 0, got 0"),
        (lambda: rk.k_n(10, 0.1, 0.1, 1e-300), r"k_n is beyond what doubles hold at alpha = 0\.1, L = 1e-300"),
        (lambda: rk.exponent(101), "smoothness alpha must be between 0 and 100, got 101"),
        (lambda: rk.k_range(10, 0.1, "mine"), "variant must be 'proof' or 'printed', got 'mine'"),
        (lambda: rk.k_range(10, 0.1, statement="4.3"), "statement must be one of 'lemma_4_1', .*, got '4.3'"),
        (lambda: rk.theorem_5_1(waves(), NOISE), "the bound is for two classes, got 3"),
        (lambda: rk.theorem_5_1(breast_cancer(), NOISE), "the bound needs a known distribution"),
        (lambda: rk.least_smoothness_constant(checkerboard(), 1), "this needs a density on a line"),
        (lambda: rk.least_margin_constant(Problem.from_atoms([[0.5]], [1.0], [0.3]), 1), "a density on a line"),
        (lambda: rk.least_margin_constant(waves(), 1), "the bound is for two classes, got 3"),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
