"""Bounds under label noise: values of the paper's formulas, and risks that they hold for."""

from math import pi, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import reference
from scipy.stats import binom

from knnviz import (
    LabelNoise,
    NeighborTable,
    Problem,
    Robust,
    Threshold,
    Vote,
    VoteProfile,
    breast_cancer,
    checkerboard,
    risk,
)
from knnviz.bounds import gao
from knnviz.problems import gaussians, jump, linear, waves
from knnviz.problems.base import two_classes

BOUNDS = reference("gao_bounds")["bounds"]
WIDGETS, COIN = (reference("gao")[name] for name in ("widgets", "edge_eta_corr_half"))
BEST = (1 - (2 / pi) ** 2) / 2
SINE = {"lipschitz": pi, "bayes_risk": BEST}
SQUARE = {**SINE, "dimension": 2}


def symmetric(tau):
    return LabelNoise(p0=tau, p1=tau)


ASYMMETRIC = LabelNoise(p0=0.2, p1=0.1)
TOTALS = [(8000, 100, "8000"), (10**9, 10_000, "1e+09"), (10**12, 1_000_000, "1e+12")]


@pytest.mark.parametrize(("n", "k", "written"), TOTALS)
def test_theorems_1_and_5_of_the_reference_run(n, k, written):
    stated = BOUNDS[f"gao_thm1/thm5 totals sine p0=.2 p1=.1 n={written} k={k}"]
    plain, robust = (theorem(checkerboard(), n, k, ASYMMETRIC, **SINE) for theorem in (gao.theorem_1, gao.theorem_5))
    assert plain.hard_mass == pytest.approx(stated["prob_A_Delta"], abs=1e-9)
    assert plain.value == pytest.approx(stated["thm1_total"], abs=1e-9)
    assert robust.hard_mass == pytest.approx(stated["prob_A_prime_Delta"], abs=1e-9)
    assert robust.value == pytest.approx(stated["thm5_total"], abs=1e-9)
    assert (plain.n, plain.k, plain.boxes) == (n, k, robust.boxes)
    assert (plain.vacuous, robust.vacuous) == (n == 8000, n == 8000)


@pytest.mark.parametrize(("n", "k", "written"), [(8000, 100, "8000"), (10**9, 10_000, "1e9")])
def test_the_boxes_of_the_reference_run(n, k, written):
    stated = BOUNDS[f"gao_thm1 n={written} k={k} d=2 L=pi p0=.2 p1=.1"]
    boxes = gao.boxes(n, k, ASYMMETRIC, lipschitz=pi, dimension=2)
    assert boxes == pytest.approx([stated[name] for name in ("Delta", "mu", "vote", "cover")], rel=1e-9)


def test_the_limit_of_theorem_1_is_above_that_of_the_risk():
    plain, robust = (
        theorem(checkerboard(), 8000, 100, ASYMMETRIC, **SINE) for theorem in (gao.theorem_1, gao.theorem_5)
    )
    misled = WIDGETS["sine p0=0.2 p1=0.1"]
    assert plain.limit == pytest.approx(0.42293, abs=5e-5)
    assert risk.vote_limit(checkerboard(), ASYMMETRIC, 1000) == pytest.approx(misled["knn_limit"], abs=1e-9)
    assert robust.limit == BEST
    assert (plain.tie_mass, robust.tie_mass) == (0, 0)


@pytest.mark.parametrize("name", [name for name in WIDGETS if name.startswith("sine p0=")])
def test_the_mass_of_misled_points(name):
    rates = {part.split("=")[0]: float(part.split("=")[1]) for part in name.split()[1:]}
    bound = gao.theorem_1(checkerboard(), 8000, 100, LabelNoise(**rates), lipschitz=pi)
    assert bound.bayes_risk == pytest.approx(WIDGETS[name]["bayes"], abs=1e-9)
    assert bound.limit - bound.bayes_risk == pytest.approx(WIDGETS[name]["mu_A0"], abs=1e-9)


def test_where_the_vote_stays_a_coin_the_limit_of_theorem_1_is_wrong():
    """eta = 2/3 becomes eta_corr = 1/2: no misled point, Bayes risk 1/3, and the vote errs half of the time."""
    noise = LabelNoise(p0=0.1, p1=0.3)
    atom = Problem.from_atoms([[0.5]], [1.0], [2 / 3], box=[(0, 1)])
    bound = gao.theorem_1(atom, 1000, 99, noise, lipschitz=1)
    assert bound.limit == pytest.approx(COIN["bayes"])
    assert bound.tie_mass == 1
    tables = NeighborTable.build(np.full((99, 1), 0.5), [[0.5]], 99)
    labels = []
    for seed in range(2000):
        sample = atom.sample(99, seed)
        votes = VoteProfile.count(tables, noise.flip(sample.y, sample.v), 2)
        labels.append(int(Vote().predict(votes, 99)[0]))
    mean = np.mean(np.where(labels, 1 / 3, 2 / 3))
    assert binom.sf(49, 99, 0.5) * 1 / 3 + binom.cdf(49, 99, 0.5) * 2 / 3 == pytest.approx(COIN["knn_limit_odd_k"])
    assert mean == pytest.approx(COIN["knn_limit_odd_k"], abs=4 / 6 / sqrt(2000))
    assert mean > bound.limit + 0.1
    half = gao.theorem_1(jump(1 / 6), 1000, 99, noise, lipschitz=1)
    assert (half.tie_mass, half.limit - half.bayes_risk) == pytest.approx((0.5, 0))
    assert gao.theorem_5(jump(1 / 6), 1000, 99, noise, lipschitz=1).tie_mass == 0


def test_where_eta_is_one_half_nothing_is_hard():
    bound = gao.theorem_1(jump(0), 1000, 99, symmetric(0.2), lipschitz=1)
    assert (bound.hard_mass, bound.tie_mass, bound.limit) == (0, 0, bound.bayes_risk)


def test_theorem_2_of_the_reference_run():
    for n, k, written in ((8000, 100, "8000"), (10**9, 1000, "1e9")):
        stated = BOUNDS[f"gao_thm2 n={written} k={k} d=2 L=pi tau=.2"]
        bound = gao.theorem_2(n, k, symmetric(0.2), **SQUARE)
        terms = (bound.bayes_risk, bound.bayes_over_sqrt_k, bound.noise, bound.bias, bound.value)
        assert terms == pytest.approx(tuple(stated.values()), rel=1e-9)
        assert bound.vacuous == (n == 8000)
    assert gao.theorem_2(10**9, 1000, symmetric(0), **SQUARE) == gao.corollary_1(10**9, 1000, **SQUARE)
    assert gao.corollary_1(10**9, 1000, **SQUARE).value == pytest.approx(
        BOUNDS["gao_cor1 n=1e9 k=1000 d=2 L=pi"]["total"]
    )


def test_the_bias_takes_the_root_of_a_small_slope():
    for slope, factor in ((0.25, 0.5), (1, 1), (4, 4)):
        bound = gao.corollary_1(10**6, 1000, lipschitz=slope, dimension=1, bayes_risk=0.1)
        assert bound.bias == pytest.approx(5 * factor * sqrt(1e-3))


def test_the_factor_5_suffices_with_the_constant_that_is_proved():
    """Boxes of the best size give c^(d / (1 + d)) 2^(1 / (1 + d)) (1 + 1 / d) d^(1 / (2 + 2 d)), c = 2 + a / sqrt k."""
    d, c = np.arange(1, 1000), 2 + 2 * sqrt(2) / sqrt(8)
    assert 4.8 < (c ** (d / (1 + d)) * 2 ** (1 / (1 + d)) * (1 + 1 / d) * d ** (1 / (2 + 2 * d))).max() < 5


def covers(d, most):
    """Numbers of boxes that cover the cube, and their diameters over sqrt d: sides are 1 / m or 1 / (m + 1)."""
    m, j = (each.ravel() for each in np.meshgrid(np.arange(1, most), np.arange(d + 1)))
    return m ** (d - j) * (m + 1.0) ** j, np.sqrt(((d - j) / m**2 + j / (m + 1) ** 2) / d)


@pytest.mark.parametrize("d", [1, 2, 3, 5, 8, 12, 30])
def test_constants_of_theorems_2_and_3_have_room_for_whole_boxes(d):
    """Where mu is best in Theorem 2, whole boxes cost less than the factor 5 allows; in Theorem 3 less than 3/2.

    One box holds all of the sample.
    """
    count, diameter = covers(d, 60 if d < 4 else 8)
    lost, c = np.where(count == 1, 0, count), 2 + 2 * sqrt(2) / sqrt(8)
    mu = np.linspace(0.05 if d < 4 else 0.2, 1, 500)[:, None]
    over_best = ((lost * mu**d + d * diameter / mu) / (1 + d)).min(axis=1).max()
    best = c ** (d / (1 + d)) * 2 ** (1 / (1 + d)) * (1 + 1 / d) * d ** (1 / (2 + 2 * d))
    assert best * over_best <= 5 + 1e-9
    n = np.geomspace(1, 10 ** (3 if d == 1 else 4), 300)[:, None]
    moved = np.minimum(diameter + lost / (n * np.e), 1).min(axis=1)
    assert (moved <= 1.5 * n[:, 0] ** (-1 / (1 + d))).all()


def test_half_of_lemma_1_suffices_for_a_box():
    """n p P(N < k) <= k for binomial N, so that whole boxes fit into the factor 2 of Lemma 1 if (1 + s)^d <= 2."""
    p = np.linspace(0, 1, 2001)
    for n, k in ((10, 1), (10, 2), (100, 50), (8000, 100), (10**6, 10**4)):
        assert (n * p * binom.cdf(k - 1, n, p)).max() < k
    side = np.linspace(0.01, 1, 1000)
    for d in (1, 2, 5):
        factor = (side * np.ceil(1 / side)) ** d
        assert (factor < (1 + side) ** d).all()
        assert factor[side <= 2 ** (1 / d) - 1].max() <= 2


def test_the_constant_that_is_proved_doubles_two_terms():
    printed, proved = (
        gao.theorem_2(10**9, 1000, symmetric(0.2), **SQUARE, constant=each) for each in ("printed", "proved")
    )
    assert proved.bayes_over_sqrt_k == pytest.approx(2 * printed.bayes_over_sqrt_k)
    assert proved.noise == pytest.approx(2 * printed.noise)
    assert (proved.bayes_risk, proved.bias) == (printed.bayes_risk, printed.bias)
    other = gao.shalev_shwartz_ben_david(10**9, 1000, **SQUARE)
    assert gao.corollary_1(10**9, 1000, **SQUARE, constant="proved").bayes_over_sqrt_k == other.bayes_over_sqrt_k


def test_the_bound_that_corollary_1_is_compared_with():
    stated = BOUNDS["ssbd n=1e9 k=1000 d=2 L=pi"]
    bound = gao.shalev_shwartz_ben_david(10**9, 1000, **SQUARE)
    assert (bound.bayes_risk, bound.bayes_over_sqrt_k, bound.bias, bound.value) == pytest.approx(tuple(stated.values()))
    assert (bound.noise, bound.vacuous) == (0, True)
    assert not gao.shalev_shwartz_ben_david(10**15, 1000, **SQUARE).vacuous


def test_corollary_1_is_better_from_61_neighbors_on():
    first = gao.bias_crossover(lipschitz=pi, dimension=2)
    assert first == BOUNDS["first k where Cor1 smooth term < SSBD smooth term (d=2, L=pi)"] == 61
    smooth = {
        k: [bound(10**9, k, **SQUARE).bias for bound in (gao.corollary_1, gao.shalev_shwartz_ben_david)]
        for k in (10, 60, 61, 100)
    }
    assert smooth[10] == pytest.approx([0.0479, 0.0367], abs=5e-5)
    assert smooth[100] == pytest.approx([0.1031, 0.1267], abs=5e-5)
    assert smooth[60][0] > smooth[60][1]
    assert smooth[61][0] < smooth[61][1]


@pytest.mark.parametrize("dimension", [1, 2, 3, 10])
@pytest.mark.parametrize("lipschitz", [0.001, 0.03, 0.1, 0.5, 1, 2, pi, 10, 40])
def test_the_crossover_is_the_last_one(lipschitz, dimension):
    ks = np.arange(10, 60_000)
    ours = 5 * max(lipschitz, sqrt(lipschitz)) * sqrt(dimension) * ks ** (1 / (1 + dimension))
    worse = ks[ours >= 6 * lipschitz * sqrt(dimension) + ks]
    assert len(worse) < len(ks)
    assert gao.bias_crossover(lipschitz=lipschitz, dimension=dimension) == max(worse, default=9) + 1


def test_theorem_3_of_the_reference_run():
    stated = BOUNDS["gao_thm3 n=8000 d=2 L=pi tau=.2"]
    bound = gao.theorem_3(8000, symmetric(0.2), **SQUARE)
    assert {name: getattr(bound, name) for name in stated} == pytest.approx(stated)
    assert [bound.limit_lower, bound.limit_upper] == pytest.approx(BOUNDS["gao_thm3_limits sine tau=.2"])
    assert (bound.lower_vacuous, bound.upper_vacuous, bound.vacuous) == (True, False, False)
    assert gao.theorem_3(100, symmetric(0.2), **SQUARE).vacuous
    large = gao.theorem_3(10**6, symmetric(0.2), **SQUARE)
    assert (large.lower_vacuous, large.upper_vacuous, large.vacuous) == (False, False, False)


def test_the_limit_of_one_neighbor_lies_within():
    for tau, stated in zip((0, 0.1, 0.2, 0.3, 0.4), BOUNDS["one_nn_limit sine tau 0,.1,.2,.3,.4"], strict=True):
        limit = risk.one_nn_limit(checkerboard(), symmetric(tau))
        bound = gao.theorem_3(8000, symmetric(tau), **SQUARE)
        assert limit == pytest.approx(stated, abs=1e-9)
        assert bound.limit_lower <= limit <= bound.limit_upper
    without = gao.theorem_3(8000, symmetric(0), **SQUARE)
    assert (without.limit_lower, without.limit_upper) == (BEST, 2 * BEST)


@pytest.mark.parametrize(("s", "tau"), [(0.2, 0.1), (0.2, 0.4), (1, 0.1), (1, 0.3)])
def test_one_neighbor_keeps_within_both_sides(s, tau):
    n, noise = 1600, symmetric(tau)
    bound = gao.theorem_3(n, noise, lipschitz=s, dimension=1, bayes_risk=0.5 - s / 4)
    assert (bound.lower_vacuous, bound.upper_vacuous) == (False, False)
    found = risk.curve(linear(s), Vote(), over={"n": [n]}, k=1, noise=noise, repeats=20).mean[0, 0]
    assert bound.lower <= found <= bound.upper


@pytest.mark.parametrize("theorem", [gao.theorem_1, gao.theorem_5])
@pytest.mark.parametrize("rates", [(0.0, 0.0), (0.2, 0.1), (0.1, 0.3)])
def test_a_vote_of_many_keeps_within_theorems_1_and_5(theorem, rates):
    n, k, noise = 10**6, 2000, LabelNoise(*rates)
    bound = theorem(linear(1), n, k, noise, lipschitz=1)
    assert bound.value < 0.65
    rule = Vote() if theorem is gao.theorem_1 else Robust(rates)
    found = risk.curve(linear(1), rule, over={"k": [k]}, n=n, noise=noise, repeats=2).mean[0, 0]
    assert bound.bayes_risk - 1e-6 <= found <= bound.value
    assert found <= bound.limit + 0.01


@pytest.mark.parametrize("tau", [0.0, 0.2])
def test_a_vote_of_few_keeps_within_theorem_2(tau):
    n, k = 10**5, 9
    bound = gao.theorem_2(n, k, symmetric(tau), lipschitz=1, dimension=1, bayes_risk=0.25)
    assert bound.value < 0.6
    found = risk.curve(linear(1), Vote(), over={"k": [k]}, n=n, noise=symmetric(tau), repeats=3).mean[0, 0]
    assert 0.25 < found <= bound.value


@pytest.mark.parametrize("k", [8, 9, 20, 101])
@pytest.mark.parametrize("tau", [0.0, 0.1, 0.3, 0.45])
def test_theorem_2_where_eta_is_the_same_everywhere(k, tau):
    """Then L may be as small as one likes, and the risk is a binomial sum: the constant sqrt 2 is put to the test."""
    for p in np.linspace(0.005, 0.5, 100):
        bound = gao.theorem_2(10**15, k, symmetric(tau), lipschitz=1e-12, dimension=1, bayes_risk=p)
        ones = binom.sf(Threshold(0.5).min_votes(k) - 1, k, tau + (1 - 2 * tau) * p)
        assert p + (1 - 2 * p) * ones <= bound.value


@pytest.mark.parametrize("k", [2, 3, 10, 57, 1000, 10**5])
def test_outside_the_hard_points_votes_stray_as_little_as_the_theorem_says(k):
    """In a ball of diameter mu sqrt d eta_corr moves by at most Delta / 2, so that as much is left of the margin."""
    for n in (k, 100 * k, k**3):
        boxes = gao.boxes(n, k, ASYMMETRIC, lipschitz=1, dimension=2)
        lead = 0.5 + min(boxes.margin, 1) / 2
        assert binom.cdf(-(-k // 2) - 1, k, lead) <= boxes.vote
        assert binom.sf(-(-k // 2) - 1, k, 1 - lead) <= boxes.vote


@given(st.integers(2, 10**6), st.integers(0, 40), st.floats(0.01, 100), st.integers(1, 20), st.floats(0, 0.9))
def test_the_cover_term_pays_for_the_boxes(k, doublings, lipschitz, dimension, p0):
    """2 k / (n mu^d) of Lemma 1, equal where the second of the two lengths is mu."""
    n = k * 2**doublings
    boxes = gao.boxes(n, k, LabelNoise(p0=p0), lipschitz=lipschitz, dimension=dimension)
    price = 2 * k / n * boxes.side**-dimension
    assert price <= boxes.cover * (1 + 1e-9)
    assert boxes.margin == pytest.approx(2 * (1 - p0) * lipschitz * boxes.side * sqrt(dimension))
    if boxes.margin > sqrt(np.log(k) / k) * (1 + 1e-9):
        assert price == pytest.approx(boxes.cover)


RATES = [(0.0, 0.0), (0.2, 0.1), (0.1, 0.3), (0.45, 0.0), (0.9, 0.05), (0.0, 0.6)]


@pytest.mark.parametrize("rates", RATES)
def test_theorem_4_by_exact_sums(rates):
    """As n grows k votes of frequency eta_corr are drawn: the excess at each eta, the largest of which is bounded."""
    eta, noise = np.linspace(0, 1, 2001), LabelNoise(*rates)
    for k in (1, 2, 3, 5, 8, 20, 51, 100, 500):
        ones = binom.sf(Threshold.from_rates(*rates).min_votes(k) - 1, k, noise.corrupt(two_classes(eta))[:, 1])
        excess = abs(2 * eta - 1) * np.where(eta > 0.5, 1 - ones, ones)
        assert excess.max() <= gao.theorem_4(k, noise).value


def test_theorem_4_is_not_about_the_variant_gao():
    """p0 = .45, p1 = 0, k = 4: with >= at 1/2 a tied vote remains class 1, though its fraction is below theta."""
    eta, noise, rule = np.linspace(0, 0.5, 501), LabelNoise(p0=0.45), Robust((0.45, 0.0), variant="gao")
    labels = np.array([[1, 1, 1, 1], [0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]])
    decided = [
        int(rule.predict(VoteProfile.count(NeighborTable.build([[0.0], [1], [2], [3]], [[0.0]], 4), each, 2), 4)[0])
        for each in labels
    ]
    assert decided == [1, 1, 1, 0, 0]
    tied = binom.sf(1, 4, noise.corrupt(two_classes(eta))[:, 1])
    assert ((1 - 2 * eta) * tied).max() > gao.theorem_4(4, noise).value


def test_theorem_4_of_the_reference_run():
    bound = gao.theorem_4(100, LabelNoise(p0=0.1, p1=0.3))
    assert bound.value == pytest.approx(BOUNDS["rknn_direct_bound k=100 p0=.1 p1=.3"])
    t = np.linspace(0, 0.5, 100_001)
    assert (2 * t * np.exp(-2 * 100 * 0.6**2 * t**2)).max() == pytest.approx(bound.value)
    assert [gao.theorem_4(k, LabelNoise(p0=0.5)).vacuous for k in (1, 2)] == [True, False]


def mirrored(problem):
    """The problem with its classes exchanged."""
    return Problem("mirrored", lambda X: problem.eta(X)[:, ::-1], problem.box)


@pytest.mark.parametrize("rates", RATES)
@pytest.mark.parametrize("problem", [linear(0.8), checkerboard()], ids=lambda problem: problem.name)
def test_classes_may_be_exchanged(problem, rates):
    swapped = LabelNoise(*rates[::-1])
    for theorem in (gao.theorem_1, gao.theorem_5):
        one = theorem(problem, 10**8, 10**4, LabelNoise(*rates), lipschitz=pi, resolution=101)
        two = theorem(mirrored(problem), 10**8, 10**4, swapped, lipschitz=pi, resolution=101)
        for name in ("value", "hard_mass", "limit", "tie_mass"):
            assert getattr(one, name) == pytest.approx(getattr(two, name), abs=1e-12)
        assert one.boxes == pytest.approx(two.boxes)


@pytest.mark.parametrize("rates", RATES)
def test_bounds_fall_with_n_and_shrink_their_sets(rates):
    for theorem in (gao.theorem_1, gao.theorem_5):
        found = [theorem(linear(0.8), n, 100, LabelNoise(*rates), lipschitz=0.8) for n in 10 ** np.arange(2, 10)]
        assert (np.diff([each.value for each in found]) <= 1e-15).all()
        assert (np.diff([each.hard_mass for each in found]) <= 1e-15).all()
        assert all(each.hard_mass >= each.limit - each.bayes_risk for each in found)
    for bound in (gao.corollary_1, gao.shalev_shwartz_ben_david):
        assert (np.diff([bound(n, 100, **SQUARE).value for n in 10 ** np.arange(2, 10)]) < 0).all()
    slacks = [gao.theorem_3(n, symmetric(0.2), **SQUARE).slack for n in 10 ** np.arange(2, 10)]
    assert (np.diff(slacks) < 0).all()


def test_more_symmetric_noise_is_worse():
    taus = [symmetric(tau) for tau in np.linspace(0, 0.49, 15)]
    votes = [gao.theorem_2(10**9, 1000, each, **SQUARE).value for each in taus]
    fixed = [gao.theorem_4(100, each).value for each in taus]
    near = [gao.theorem_3(8000, each, **SQUARE).limit_lower for each in taus]
    hard = [gao.theorem_1(linear(0.8), 10**6, 1000, each, lipschitz=0.8).hard_mass for each in taus]
    for values in (votes, fixed, near):
        assert (np.diff(values) > 0).all()
    assert (np.diff(hard) >= 0).all()
    assert hard[0] < hard[-1]


def test_without_asymmetry_theorems_1_and_5_agree():
    for tau in (0.0, 0.3):
        case = (checkerboard(), 10**9, 10_000, symmetric(tau))
        assert gao.theorem_1(*case, lipschitz=pi, resolution=200) == gao.theorem_5(*case, lipschitz=pi, resolution=200)


def test_a_box_larger_than_the_cube_does_no_harm():
    """All of the sample is in one box then: a tiny L gives a bound that holds and is not vacuous."""
    small = gao.theorem_1(
        Problem.from_atoms([[0.5]], [1.0], [0.9], box=[(0, 1)]), 10**6, 1000, symmetric(0), lipschitz=0.01
    )
    assert small.value < 1 < small.boxes.side
    assert not small.vacuous
    assert 0.1 + 0.8 * binom.cdf(499, 1000, 0.9) < small.value


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: gao.theorem_1(checkerboard(), 99, 1, ASYMMETRIC, **SINE), "k must be at least 2 for Theorems 1 and 5"),
        (lambda: gao.theorem_5(checkerboard(), 99, 1, ASYMMETRIC, **SINE), "k must be at least 2 for Theorems 1 and 5"),
        (lambda: gao.theorem_1(checkerboard(), 9, 10, ASYMMETRIC, **SINE), "k must not exceed the number of points"),
        (lambda: gao.theorem_1(breast_cancer(), 100, 9, ASYMMETRIC, lipschitz=1), "needs a known distribution, but"),
        (lambda: gao.theorem_1(waves(), 100, 9, ASYMMETRIC, lipschitz=1), "the bound is for two classes, got 3"),
        (lambda: gao.theorem_5(gaussians(2), 100, 9, ASYMMETRIC, lipschitz=1), r"points in \[0, 1\]\^d, but gaussians"),
        (lambda: gao.boxes(9, 2, ASYMMETRIC, lipschitz=0, dimension=2), "Lipschitz constant must be finite and above"),
        (lambda: gao.boxes(100, 9, ASYMMETRIC, lipschitz=1, dimension=0), "dimension must be at least 1, got 0"),
        (lambda: gao.boxes(1e3, 9, ASYMMETRIC, lipschitz=1, dimension=1), r"n must be a whole number, got 1000\.0"),
        (lambda: gao.theorem_2(100, 7, symmetric(0.2), **SQUARE), "k must be at least 8 for Theorem 2, got 7"),
        (lambda: gao.corollary_1(100, 7, **SQUARE), "k must be at least 8 for Corollary 1, got 7"),
        (lambda: gao.shalev_shwartz_ben_david(100, 9, **SQUARE), "k must be at least 10 for the bound of Shalev"),
        (lambda: gao.theorem_2(100, 9, ASYMMETRIC, **SQUARE), r"Theorem 2 needs p0 = p1 < 1/2, got p0 = 0\.2 and p1 ="),
        (lambda: gao.theorem_3(9, ASYMMETRIC, **SQUARE), r"Theorem 3 needs p0 = p1 < 1/2, got p0 = 0\.2 and p1 = 0\.1"),
        (lambda: symmetric(0.5), r"flip rates must satisfy p0 \+ p1 < 1, got 0\.50 \+ 0\.50"),
        (lambda: gao.corollary_1(9, 9, **SQUARE, constant="a"), "constant must be 'printed' or 'proved', got 'a'"),
        (lambda: gao.theorem_3(0, symmetric(0.2), **SQUARE), "n must be at least 1, got 0"),
        (lambda: gao.theorem_3(9, symmetric(0.2), **{**SQUARE, "bayes_risk": 0.6}), "bayes_risk must be between 0 and"),
        (lambda: gao.theorem_4(0, ASYMMETRIC), "k must be at least 1, got 0"),
        (lambda: gao.bias_crossover(lipschitz=-1, dimension=2), "Lipschitz constant must be .* and inf, got -1"),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
