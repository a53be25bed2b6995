"""RatesLab: its numbers and layers beside plain Python, the theorems and the paper's values."""

import numpy as np
import pytest
from random_moves import layers
from small import SMALL

from knnviz import LabelNoise, NeighborTable, Robust, Vote, VoteProfile, noise, risk
from knnviz.bounds import reeve_kaban
from knnviz.labs import RatesLab
from knnviz.labs.engine.words import TO_COME
from knnviz.labs.rates import AT_X, CURVES, EXCESS, FITTED_FROM, OVER_N, RISK_SIZES, SET_K, SHAPES
from knnviz.noise import misled_points
from knnviz.problems import levels, plateau, ramp

RATES = LabelNoise(0.1, 0.3)
K_AS_SET = {"neighbors": SET_K}
PROBLEMS = dict(zip(SHAPES, (plateau(0.1, 0.3), ramp(), levels(0, 1)), strict=True))


@pytest.fixture
def lab():
    return RatesLab(n=1000)


@pytest.mark.parametrize(("shape", "problem"), PROBLEMS.items(), ids=SHAPES)
def test_numbers_are_those_of_plain_python(shape, problem):
    """The votes come from a table of neighbors here, from windows there."""
    sample = problem.sample(700, 3)
    observed = RATES.flip(sample.y, sample.v)
    neighbors = NeighborTable.build(sample.X, None, 40)
    rates = noise.estimate(neighbors, observed, 39, "order")
    read = RatesLab(shape=shape, n=700, seed=3, **K_AS_SET, k=40, x1=0.35).readout()
    for name in ("p0", "p1", "threshold"):
        assert read[f"estimated {name}"] == round(float(getattr(rates, name)), 6)

    cells = problem.measure(20_000)
    eta = problem.eta(cells.points)

    def votes(points):
        return VoteProfile.build(NeighborTable.build(sample.X, points, 40), observed, 2)

    at_cells = votes(cells.points)
    for name, rule in (("kNN", Vote()), ("robust kNN", Robust(rates))):
        exact = risk.exact(eta, rule.predict(at_cells, 40), weights=cells.weights)
        assert read[f"risk of {name}"] == pytest.approx(exact, abs=1e-4)

    at_x = votes(np.array([[0.35]])).at(40)[0]
    assert [*read["votes at x"].values()] == at_x.tolist()
    assert read["decision at x"] == f"class {int(at_x[1] >= 40 * rates.threshold)}"

    misled = cells.weights @ misled_points(eta, RATES.corrupt(eta))
    assert read["misled mass"] == pytest.approx(misled, abs=1e-6)
    assert read["Bayes risk"] == pytest.approx(problem.bayes_risk(), abs=1e-6)
    limit = risk.vote_limit(problem, RATES)
    assert read["limit of kNN"] == pytest.approx(limit, abs=1e-6)


def test_the_bound_is_the_theorem_and_its_terms_add_up_to_1_at_the_height_drawn(lab):
    margin = {"margin_exponent": 1.0, "margin_constant": 5.0}
    smooth = {"smoothness": 1.0, "smoothness_constant": 3.0}
    read = lab.set(**K_AS_SET, k=70, **margin).readout()
    for name, tight in (("bound on excess", False), ("tight bound on excess", True)):
        bound = reeve_kaban.theorem_4_3(70, 1000, 0.05, RATES, tight=tight, **smooth, **margin)
        assert read[name] == pytest.approx(bound, abs=1e-6)

    shown = layers(lab, "bound")
    terms = reeve_kaban.largest_error(1000, 1000, 0.05, **smooth)
    assert shown["sum"].y[-1] == pytest.approx(sum(terms))
    useful = shown["useful"].y[0]
    assert 5 * (8 / 0.6 * useful) ** 2 + 0.05 == pytest.approx(1)


def test_the_bound_over_n_is_that_along_k_n(lab):
    lab.set(delta=0.01, smoothness_constant=1.5, bound_over=OVER_N)
    shown = layers(lab, "bound")
    printed = shown["printed"]
    at = abs(printed.x / 1e6 - 1).argmin()
    assert printed.y[at] == pytest.approx(1.83, rel=3e-3)
    assert shown["tight"].y[at] == pytest.approx(0.919, rel=3e-3)


@pytest.mark.parametrize(("shape", "problem"), PROBLEMS.items(), ids=SHAPES)
def test_the_error_at_x_is_that_of_plain_python_below_theorem_4_1(shape, problem):
    """Neighbors come from a sort here; their largest difference from x is not over two ends."""
    lab = RatesLab(n=1000, shape=shape, x1=0.31, smoothness_constant=1.5, bound_over=AT_X)
    shown = layers(lab, "bound")
    sample = problem.sample(1000, 0)
    observed = RATES.flip(sample.y, sample.v)
    order = np.argsort(abs(sample.X[:, 0] - 0.31), kind="stable")

    def noisy(X):
        return 0.1 + 0.6 * problem.eta(X)[:, 1]

    near = noisy(sample.X[order])
    true = noisy(np.array([[0.31]]))
    ks = shown["error"].x.astype(int)
    for k, error, worst in zip(ks, shown["error"].y, shown["worst"].y, strict=True):
        vote = observed[order[:k]].mean()
        assert error == pytest.approx(abs(vote - true[0]), abs=1e-6)
        assert worst == pytest.approx(abs(near[:k] - true).max(), abs=1e-6)

    covered = shown["sum"].x
    assert (covered[0], covered[-1]) == (18, 500), "what Theorem 4.1 covers"
    vote = np.sqrt(np.log(60) / (2 * covered))
    smoothness = 0.6 * 1.5 * 2 * covered / 1000
    assert shown["sum"].y == pytest.approx(vote + smoothness, rel=1e-5)


def test_the_price_of_consistency_where_points_are_misled(lab):
    """In the limit a consistent learner makes the Bayes decision of noisy labels, wrong on A_0."""
    name = "any learner consistent on noisy labels"
    read = lab.readout()
    least = read["Bayes risk"] + reeve_kaban.theorem_5_1(plateau(0.1, 0.3), RATES)
    assert f"at least {least:.4f}" in read[name]
    # Just beyond w = 1/6 of one half, noise carries the upper level across.
    lab.set(p0=0.1, p1=0.3, shape="two levels", low=0.34, high=0.66)
    assert "at least 0.5000" in lab.readout()[name]


def test_curves_and_rates_are_those_of_plain_python():
    lab = RatesLab(n=1000, rules="all", curve=CURVES[1], margin_exponent=1.0, resolution=SMALL)
    rules = {"plain": Vote(), "known": Robust((0.1, 0.3)), "estimated": Robust(votes="order")}
    whole = risk.curve(
        plateau(0.1, 0.3),
        rules,
        over={"n": RISK_SIZES},
        k=[reeve_kaban.k_n(n, 0.05, 1, 3) for n in RISK_SIZES],
        noise=RATES,
        resolution=SMALL,
        progress=False,
    )
    before = dict(lab.numbers)
    read = lab.readout()
    assert before["fitted rate"] == TO_COME, "no rate is fitted to part of a curve"
    assert list(read) == list(before)
    fitted = risk.fitted_rate(whole, "estimated", FITTED_FROM)
    assert read["fitted rate"] == pytest.approx(fitted.exponent, abs=1e-6)
    assert read["promised rate"] == pytest.approx(2 / 3, abs=1e-6)
    shown = layers(lab, "risk")
    for name, mean in zip(rules, whole.mean, strict=True):
        assert shown[f"mean {name}"].y == pytest.approx(mean, abs=1e-7)

    shown = layers(lab.set(curve=EXCESS), "risk")
    floor = read["Bayes risk"]
    excess = whole.mean[0] - floor
    assert 10.0 ** shown["mean plain"].y == pytest.approx(excess, rel=1e-5)
    here = 10 ** shown["here_plain"].y[0]
    assert here == pytest.approx(read["risk of kNN"] - floor, rel=1e-4)


def test_a_risk_curve_at_a_k_that_is_set_leaves_out_small_samples():
    lab = RatesLab(n=1000, rules="all", **K_AS_SET, k=300, curve=CURVES[1], resolution=SMALL)
    assert "promised rate" not in lab.readout(), "a rate is promised of k_n alone"
    known = layers(lab, "risk")["mean known"]
    assert known.x.tolist() == list(RISK_SIZES[1:])
