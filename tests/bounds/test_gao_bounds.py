"""Bounds under label noise: values, what the proofs use, and risks that the bounds hold for."""

from math import exp, inf, pi, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import reference
from scipy.stats import binom

from knnviz import LabelNoise, Problem, Threshold, Vote, checkerboard, risk
from knnviz.bounds import gao
from knnviz.problems import gaussians, jump, linear
from knnviz.problems.base import two_classes

REFERENCE = reference("gao_bounds")
MISLED = reference("gao")["widgets"]["sine p0=0.2 p1=0.1"]["mu_A0"]
RUN = REFERENCE["bounds"]
CONSTANTS = REFERENCE["lemma4"]
BEST = (1 - (2 / pi) ** 2) / 2
SINE = {"lipschitz": pi, "dimension": 2}
UNEVEN = LabelNoise(p0=0.2, p1=0.1)
SQUARE = {**SINE, "bayes_risk": BEST}
RATES = [(0.0, 0.0), (0.2, 0.1), (0.1, 0.3), (0.45, 0.0), (0.9, 0.05), (0.0, 0.6)]

#: Function, arguments, value: of the reference run, a second program, unless a comment says
#: otherwise.
VALUES = [
    (
        gao.boxes,
        (10**9, 10**4, UNEVEN),
        SINE,
        [*RUN["gao_thm1 n=1e9 k=10000 d=2 L=pi p0=.2 p1=.1"].values()],
    ),
    (
        gao.theorem_2,
        (10**9, 1000, 0.2),
        SQUARE,
        RUN["gao_thm2 n=1e9 k=1000 d=2 L=pi tau=.2"]["total"],
    ),
    (gao.corollary_1, (10**9, 1000), SQUARE, RUN["gao_cor1 n=1e9 k=1000 d=2 L=pi"]["total"]),
    (
        gao.shalev_shwartz_ben_david,
        (10**9, 1000),
        SQUARE,
        RUN["ssbd n=1e9 k=1000 d=2 L=pi"]["total"],
    ),
    (
        gao.bias_crossover,
        (),
        SINE,
        RUN["first k where Cor1 smooth term < SSBD smooth term (d=2, L=pi)"],
    ),
    # 10 sqrt k is below 12 + k for k above (5 + sqrt 13)^2 = 74.06.
    (gao.bias_crossover, (), {"lipschitz": 2, "dimension": 1}, 75),
    (gao.theorem_3, (8000, 0.2), SQUARE, [*RUN["gao_thm3_limits sine tau=.2"], 0.1999297322]),
    (
        gao.theorem_4,
        (100, LabelNoise(p0=0.1, p1=0.3)),
        {},
        RUN["rknn_direct_bound k=100 p0=.1 p1=.3"],
    ),
    # By hand: 0.5 exp(8 (1/4 + log(1/2) / 2)) = 0.5 e^2 / 16, and sqrt 2 / 4 / sqrt 8.
    (gao.lemma_4, (8, 0.25), {}, [exp(2) / 32, 0.125]),
    # By hand: 1/4 P(Bin(8, 1/4) < 4) + 3/4 P(>= 4), and (1 + 1/2) / 4.
    (gao.lemma_5, ([0.25] * 8,), {}, [0.25 + 0.5 * binom.sf(3, 8, 0.25), 0.375]),
    *(
        (gao.chernoff_constant, (int(k),), {}, each["chernoff_max"])
        for k, each in CONSTANTS.items()
    ),
    *(
        (gao.binomial_constant, (int(k),), {}, each["binomial_tail_max"])
        for k, each in CONSTANTS.items()
    ),
    # A condition fails.
    (gao.theorem_2, (100, 7, 0.2), SQUARE, inf),
    (gao.theorem_2, (100, 101, 0.2), SQUARE, inf),
    (gao.theorem_2, (100, 8, 0.5), SQUARE, inf),
    (gao.shalev_shwartz_ben_david, (100, 9), SQUARE, inf),
    (gao.lemma_5, ([0.2] * 7,), {}, [1, inf]),
    (lambda: len(gao.unmet_conditions("theorem_2", 100, 7, 0.5)), (), {}, 2),
    # Points lie outside of the cube.
    (lambda: gao.theorem_1(gaussians(2), 10**9, 1000, UNEVEN, 1, 50).value, (), {}, inf),
    (gao.bias_crossover, (), {"lipschitz": 1e300, "dimension": 1}, inf),
]


@pytest.mark.parametrize(("formula", "given", "options", "value"), VALUES)
def test_values(formula, given, options, value):
    # Maxima over grids of p are a little below the true ones.
    assert formula(*given, **options) == pytest.approx(value, rel=2e-6, abs=1e-9)


@pytest.mark.parametrize(("n", "k"), [("8000", 100), ("1e+12", 10**6)])
def test_theorems_1_and_5_of_the_reference_run(n, k):
    stated = RUN[f"gao_thm1/thm5 totals sine p0=.2 p1=.1 n={n} k={k}"]
    case = (int(float(n)), k, UNEVEN, pi)
    plain = stated["thm1_total"], BEST + MISLED, stated["prob_A_Delta"], 0
    assert gao.theorem_1(checkerboard(), *case) == pytest.approx(plain, abs=1e-6)
    robust = stated["thm5_total"], BEST, stated["prob_A_prime_Delta"], 0
    assert gao.theorem_5(checkerboard(), *case) == pytest.approx(robust, abs=1e-6)


def test_where_the_vote_stays_a_coin_the_limit_of_theorem_1_is_wrong():
    """eta = 2/3 becomes eta_corr = 1/2: no misled point, Bayes risk 1/3, and the vote errs half of
    the time.
    """
    noise = LabelNoise(p0=0.1, p1=0.3)
    atom = Problem.from_atoms([[0.5]], [1.0], [2 / 3], box=[(0, 1)])
    bound = gao.theorem_1(atom, 1000, 99, noise, 1)
    assert (bound.tie_mass, bound.limit) == pytest.approx((1, 1 / 3))
    assert gao.theorem_1(jump(1 / 6), 1000, 99, noise, 1).tie_mass == pytest.approx(0.5)
    assert gao.theorem_1(jump(0), 1000, 99, noise, 1)[2:] == (0, 0), (
        "where eta is 1/2 no point is hard"
    )


def test_a_box_larger_than_the_cube_does_no_harm():
    """All of the sample is in one box then: a tiny L gives a bound that holds and is not
    vacuous.
    """
    atom = Problem.from_atoms([[0.5]], [1.0], [0.9], box=[(0, 1)])
    noise = LabelNoise()
    value = gao.theorem_1(atom, 10**6, 1000, noise, 0.01).value
    assert (
        0.1 + 0.8 * binom.cdf(499, 1000, 0.9)
        < value
        < 1
        < gao.boxes(10**6, 1000, noise, 0.01, 1).side
    )


@given(
    st.integers(2, 10**6),
    st.integers(0, 40),
    st.floats(0.01, 100),
    st.integers(1, 20),
    st.floats(0, 0.9),
)
def test_the_cover_term_pays_for_the_boxes(k, doublings, lipschitz, dimension, p0):
    """2 k / (n mu^d) of Lemma 1, equal where the second of the two lengths is mu; beyond Delta
    votes stray little.
    """
    terms = gao.boxes(k * 2**doublings, k, LabelNoise(p0=p0), lipschitz, dimension)
    price = 2 / 2**doublings * terms.side**-dimension
    assert price <= terms.cover * (1 + 1e-9)
    if terms.margin > sqrt(np.log(k) / k) * (1 + 1e-9):
        assert price == pytest.approx(terms.cover)
    assert binom.cdf(-(-k // 2) - 1, k, 0.5 + min(terms.margin, 1) / 2) <= terms.vote


@pytest.mark.parametrize("tau", [0.0, 0.1, 0.3, 0.45])
def test_theorem_2_where_eta_is_the_same_everywhere(tau):
    """Then L may be as small as one likes, and the risk is a binomial sum: the constant sqrt 2 is
    put to the test.
    """
    for k, p in ((k, p) for k in (8, 9, 20, 101) for p in np.linspace(0.005, 0.5, 100)):
        ones = binom.sf(Threshold(0.5).min_votes(k) - 1, k, tau + (1 - 2 * tau) * p)
        assert p + (1 - 2 * p) * ones <= gao.theorem_2(
            10**15, k, tau, lipschitz=1e-12, dimension=1, bayes_risk=p
        )


@pytest.mark.parametrize(("s", "tau"), [(0.2, 0.1), (0.2, 0.4), (1, 0.1), (1, 0.3)])
def test_one_neighbor_keeps_within_both_sides_of_theorem_3(s, tau):
    lower, upper, slack = gao.theorem_3(1600, tau, lipschitz=s, dimension=1, bayes_risk=0.5 - s / 4)
    found = risk.curve(
        linear(s), Vote(), over={"n": [1600]}, k=1, noise=LabelNoise(tau, tau), repeats=20
    ).mean[0, 0]
    assert 0.5 - s / 4 < lower - slack <= found <= upper + slack < 1
    assert lower <= risk.one_nn_limit(linear(s), LabelNoise(tau, tau)) <= upper


@pytest.mark.parametrize("rates", RATES)
def test_theorem_4_by_exact_sums(rates):
    """As n grows k votes of frequency eta_corr are drawn: the excess at each eta, the largest of
    which is bounded.
    """
    eta = np.linspace(0, 1, 2001)
    noise = LabelNoise(*rates)
    for k in (1, 2, 3, 5, 8, 20, 51, 100, 500):
        ones = binom.sf(
            Threshold.from_rates(*rates).min_votes(k) - 1, k, noise.corrupt(two_classes(eta))[:, 1]
        )
        excess = abs(2 * eta - 1) * np.where(eta > 0.5, 1 - ones, ones)
        assert excess.max() <= gao.theorem_4(k, noise)


@pytest.mark.parametrize("rates", RATES)
def test_properties_of_theorems_1_and_5(rates):
    """They fall with n, and classes may be exchanged."""
    mirrored = Problem("mirrored", lambda X: linear(0.8).eta(X)[:, ::-1], linear(0.8).box)
    for theorem in (gao.theorem_1, gao.theorem_5):
        found = [
            theorem(linear(0.8), n, 100, LabelNoise(*rates), 0.8) for n in 10 ** np.arange(2, 10)
        ]
        assert (np.diff([each[:3] for each in found], axis=0) <= 1e-15).all()
        assert found[-1] == pytest.approx(
            theorem(mirrored, 10**9, 100, LabelNoise(*rates[::-1]), 0.8)
        )


@pytest.mark.parametrize("dimension", [1, 2, 3, 10])
@pytest.mark.parametrize("lipschitz", [0.001, 0.1, 1, pi, 40])
def test_the_crossover_is_the_last_one(lipschitz, dimension):
    ks = np.arange(10, 60_000)
    ours = 5 * max(lipschitz, sqrt(lipschitz)) * sqrt(dimension) * ks ** (1 / (1 + dimension))
    worse = ks[ours >= 6 * lipschitz * sqrt(dimension) + ks]
    assert gao.bias_crossover(lipschitz=lipschitz, dimension=dimension) == max(worse, default=9) + 1


@given(st.lists(st.floats(0, 1), min_size=8, max_size=40), st.floats(0, 1))
def test_lemma_5_with_unequal_votes(votes, fraction):
    mean = np.mean(votes)
    left, right = gao.lemma_5(votes, fraction * min(mean, 1 - mean, 0.49))
    assert left <= right + 1e-12 < inf
