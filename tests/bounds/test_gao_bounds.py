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

#: What a formula gives, and its value: of the reference run, a second program, unless a comment
#: says otherwise.
VALUES = [
    (
        gao.boxes(10**4, 10**9, UNEVEN, **SINE),
        [*RUN["gao_thm1 n=1e9 k=10000 d=2 L=pi p0=.2 p1=.1"].values()],
    ),
    (
        gao.theorem_2(1000, 10**9, 0.2, **SQUARE),
        RUN["gao_thm2 n=1e9 k=1000 d=2 L=pi tau=.2"]["total"],
    ),
    (gao.corollary_1(1000, 10**9, **SQUARE), RUN["gao_cor1 n=1e9 k=1000 d=2 L=pi"]["total"]),
    (
        gao.shalev_shwartz_ben_david(1000, 10**9, **SQUARE),
        RUN["ssbd n=1e9 k=1000 d=2 L=pi"]["total"],
    ),
    (
        gao.bias_crossover(**SINE),
        RUN["first k where Cor1 smooth term < SSBD smooth term (d=2, L=pi)"],
    ),
    # 10 sqrt k is below 12 + k for k above (5 + sqrt 13)^2 = 74.06.
    (gao.bias_crossover(lipschitz=2, dimension=1), 75),
    (gao.theorem_3(8000, 0.2, **SQUARE), [*RUN["gao_thm3_limits sine tau=.2"], 0.1999297322]),
    (gao.theorem_4(100, LabelNoise(p0=0.1, p1=0.3)), RUN["rknn_direct_bound k=100 p0=.1 p1=.3"]),
    # By hand: 0.5 exp(8 (1/4 + log(1/2) / 2)) = 0.5 e^2 / 16, and sqrt 2 / 4 / sqrt 8.
    (gao.lemma_4(8, 0.25), [exp(2) / 32, 0.125]),
    # By hand: 1/4 P(Bin(8, 1/4) < 4) + 3/4 P(>= 4), and (1 + 1/2) / 4.
    (gao.lemma_5([0.25] * 8), [0.25 + 0.5 * binom.sf(3, 8, 0.25), 0.375]),
    *((gao.chernoff_constant(int(k)), each["chernoff_max"]) for k, each in CONSTANTS.items()),
    *((gao.binomial_constant(int(k)), each["binomial_tail_max"]) for k, each in CONSTANTS.items()),
    # A condition fails.
    (gao.theorem_2(7, 100, 0.2, **SQUARE), inf),
    (gao.theorem_2(101, 100, 0.2, **SQUARE), inf),
    (gao.theorem_2(8, 100, 0.5, **SQUARE), inf),
    (gao.shalev_shwartz_ben_david(9, 100, **SQUARE), inf),
    (gao.lemma_5([0.2] * 7), [1, inf]),
    (len(gao.unmet_conditions("theorem_2", k=7, n=100, tau=0.5)), 2),
    # Points lie outside of the cube.
    (gao.theorem_1(gaussians(2), 1000, 10**9, UNEVEN, 1, 50).value, inf),
    (gao.bias_crossover(lipschitz=1e300, dimension=1), inf),
]


@pytest.mark.parametrize(("found", "value"), VALUES)
def test_values(found, value):
    # Maxima over grids of p are a little below the true ones.
    assert found == pytest.approx(value, rel=2e-6, abs=1e-9)


@pytest.mark.parametrize(("n", "k"), [("8000", 100), ("1e+12", 10**6)])
def test_theorems_1_and_5_of_the_reference_run(n, k):
    stated = RUN[f"gao_thm1/thm5 totals sine p0=.2 p1=.1 n={n} k={k}"]
    case = (k, int(float(n)), UNEVEN, pi)
    plain = gao.theorem_1(checkerboard(), *case)
    expected = (stated["thm1_total"], BEST + MISLED, stated["prob_A_Delta"], 0)
    assert plain == pytest.approx(expected, abs=1e-6)

    robust = gao.theorem_5(checkerboard(), *case)
    expected = (stated["thm5_total"], BEST, stated["prob_A_prime_Delta"], 0)
    assert robust == pytest.approx(expected, abs=1e-6)


def test_where_the_vote_stays_a_coin_the_limit_of_theorem_1_is_wrong():
    """eta = 2/3 becomes eta_corr = 1/2: nothing is misled, Bayes risk 1/3, the vote is a coin."""
    noise = LabelNoise(p0=0.1, p1=0.3)
    atom = Problem.from_atoms([[0.5]], [1.0], [2 / 3], box=[(0, 1)])
    bound = gao.theorem_1(atom, 99, 1000, noise, 1)
    assert bound.tie_mass == pytest.approx(1)
    assert bound.limit == pytest.approx(1 / 3)

    half = gao.theorem_1(jump(1 / 6), 99, 1000, noise, 1)
    assert half.tie_mass == pytest.approx(0.5)

    even = gao.theorem_1(jump(0), 99, 1000, noise, 1)
    assert even[2:] == (0, 0), "where eta is 1/2 no point is hard"


def test_a_box_larger_than_the_cube_does_no_harm():
    """All of the sample is in one box: a tiny L gives a bound that holds and is not vacuous."""
    atom = Problem.from_atoms([[0.5]], [1.0], [0.9], box=[(0, 1)])
    noise = LabelNoise()
    value = gao.theorem_1(atom, 1000, 10**6, noise, 0.01).value
    vote_risk = 0.1 + 0.8 * binom.cdf(499, 1000, 0.9)
    assert vote_risk < value < 1
    assert gao.boxes(1000, 10**6, noise, 0.01, 1).side > 1


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
    n = k * 2**doublings
    terms = gao.boxes(k, n, LabelNoise(p0=p0), lipschitz, dimension)
    price = 2 / 2**doublings * terms.side**-dimension
    assert price <= terms.cover * (1 + 1e-9)
    if terms.margin > sqrt(np.log(k) / k) * (1 + 1e-9):
        assert price == pytest.approx(terms.cover)

    below_half = -(-k // 2) - 1
    frequency = 0.5 + min(terms.margin, 1) / 2
    assert binom.cdf(below_half, k, frequency) <= terms.vote


@pytest.mark.parametrize("tau", [0.0, 0.1, 0.3, 0.45])
def test_theorem_2_where_eta_is_the_same_everywhere(tau):
    """Then L may be as small as one likes, and the risk is a binomial sum: the constant sqrt 2 is
    put to the test.
    """
    for k in (8, 9, 20, 101):
        below = Threshold(0.5).min_votes(k) - 1
        for p in np.linspace(0.005, 0.5, 100):
            ones = binom.sf(below, k, tau + (1 - 2 * tau) * p)
            found = p + (1 - 2 * p) * ones
            case = {"lipschitz": 1e-12, "dimension": 1, "bayes_risk": p}
            assert found <= gao.theorem_2(k, 10**15, tau, **case)


@pytest.mark.parametrize(("s", "tau"), [(0.2, 0.1), (0.2, 0.4), (1, 0.1), (1, 0.3)])
def test_one_neighbor_keeps_within_both_sides_of_theorem_3(s, tau):
    best = 0.5 - s / 4
    noise = LabelNoise(tau, tau)
    case = {"lipschitz": s, "dimension": 1, "bayes_risk": best}
    lower, upper, slack = gao.theorem_3(1600, tau, **case)

    setting = {"over": {"n": [1600]}, "k": 1, "repeats": 20}
    curve = risk.curve(linear(s), Vote(), noise=noise, **setting)
    found = curve.mean[0, 0]
    assert best < lower - slack <= found <= upper + slack < 1
    assert lower <= risk.one_nn_limit(linear(s), noise) <= upper


@pytest.mark.parametrize("rates", RATES)
def test_theorem_4_by_exact_sums(rates):
    """As n grows k votes of frequency eta_corr are drawn: the excess at each eta, the largest of
    which is bounded.
    """
    eta = np.linspace(0, 1, 2001)
    noise = LabelNoise(*rates)
    corrupted = noise.corrupt(two_classes(eta))[:, 1]
    for k in (1, 2, 3, 5, 8, 20, 51, 100, 500):
        needed = Threshold.from_rates(*rates).min_votes(k)
        ones = binom.sf(needed - 1, k, corrupted)
        wrong = np.where(eta > 0.5, 1 - ones, ones)
        excess = abs(2 * eta - 1) * wrong
        assert excess.max() <= gao.theorem_4(k, noise)


@pytest.mark.parametrize("rates", RATES)
def test_properties_of_theorems_1_and_5(rates):
    """They fall with n, and classes may be exchanged."""
    plain = linear(0.8)
    mirrored = Problem("mirrored", lambda X: plain.eta(X)[:, ::-1], plain.box)
    noise = LabelNoise(*rates)
    exchanged = LabelNoise(*rates[::-1])
    sizes = 10 ** np.arange(2, 10)
    for theorem in (gao.theorem_1, gao.theorem_5):
        found = [theorem(plain, 100, n, noise, 0.8) for n in sizes]
        falling = np.array([each[:3] for each in found])
        assert (np.diff(falling, axis=0) <= 1e-15).all()

        other_way = theorem(mirrored, 100, 10**9, exchanged, 0.8)
        assert found[-1] == pytest.approx(other_way)


@pytest.mark.parametrize("dimension", [1, 2, 3, 10])
@pytest.mark.parametrize("lipschitz", [0.001, 0.1, 1, pi, 40])
def test_the_crossover_is_the_last_one(lipschitz, dimension):
    ks = np.arange(10, 60_000)
    root = sqrt(dimension)
    ours = 5 * max(lipschitz, sqrt(lipschitz)) * root * ks ** (1 / (1 + dimension))
    worse = ks[ours >= 6 * lipschitz * root + ks]
    last = max(worse, default=9)
    assert gao.bias_crossover(lipschitz=lipschitz, dimension=dimension) == last + 1


@given(st.lists(st.floats(0, 1), min_size=8, max_size=40), st.floats(0, 1))
def test_lemma_5_with_unequal_votes(votes, fraction):
    mean = np.mean(votes)
    tau = fraction * min(mean, 1 - mean, 0.49)
    left, right = gao.lemma_5(votes, tau)
    assert left <= right + 1e-12 < inf
