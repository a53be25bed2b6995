"""What lesson 03 states in words is what is computed: its picture, its labs, its tables, and its answers."""

import numpy as np
import pytest
from lesson_pages import Page, because, numbers, stored

from knnviz import LabelNoise, risk
from knnviz.bounds import reeve_kaban
from knnviz.estimators import RobustKNeighborsClassifier
from knnviz.lessons.openings import fast_rates
from knnviz.problems import plateau, ramp
from knnviz.rules import Robust

PAGE = Page("03-fast-rates.ipynb")
TEXTS = PAGE.texts
ASYMMETRIC = LabelNoise(p0=0.1, p1=0.3)
PLATEAU = {"smoothness": 1, "smoothness_constant": 1.5}


def test_the_opening_picture():
    X, true, observed = fast_rates.scans()
    fractions = fast_rates.fractions(observed)
    assert f"sort {len(X)} scans" in TEXTS["title"]
    assert f"only from {fractions.min():.2f} to {fractions.max():.2f}" in TEXTS["title"]
    assert [f"{each:.2f}" for each in (fast_rates.fractions(true).min(), fast_rates.fractions(true).max())] == [
        "0.00",
        "1.00",
    ]
    assert (fast_rates.RATERS.p0, fast_rates.RATERS.p1) == (0.1, 0.3)
    rates = [RobustKNeighborsClassifier(k).fit(X, observed).noise_rates_ for k in (100, 15, 200)]
    assert PAGE.cells["scans"].outputs[0].data["text/plain"] == str([round(each, 2) for each in rates[0]])
    few, many = ("{:.2f} and {:.2f}".format(*each) for each in rates[1:])
    assert f"At $k = 15$ the estimates are {few}; at $k = 200$, {many}." in TEXTS["scans-k"]


def test_a_million_labels():
    problem = plateau(0.1, 0.3)
    eta, look = problem.eta(np.array([[0.5]])), TEXTS["look1"]
    assert f"set by the flip rates: {eta[0, 1]:.2f} for $p_0 = 0.1$ and $p_1 = 0.3$" in TEXTS["s1"]
    assert f"Only {ASYMMETRIC.corrupt(eta)[0, 1]:.0%} of its labels" in TEXTS["s1"]
    here = PAGE.read("lab1")
    assert f"{here['misled mass']:.0%} of the line" in look
    assert f"at its limit, {here['limit of kNN']:.2f}" in look
    assert f"The Bayes risk is {here['Bayes risk']:.2f}" in look
    *_, last = stored("reeve_risks", "risks")
    assert (last["vote"], last["robust"]) == pytest.approx((here["limit of kNN"], here["Bayes risk"]), abs=1e-3)
    rates = PAGE.lab("lab1", n=1_000_000)[1]
    votes = next(layer for layer in rates.panel("map").layers if layer.name == "votes1")
    assert votes.y[(votes.x > 0.39) & (votes.x < 0.72)].max() < 0.5


def test_two_worlds():
    x, B = np.linspace(0, 1, 7)[:, None], {"low": 0.1, "high": 0.7, "p0": 0.0, "p1": 0.0}
    swapped = 0.7 + (1 - 0.7 - 0.9) * ramp().eta(x)[:, 0]
    for noisy in (ASYMMETRIC.corrupt(ramp().eta(x))[:, 1], ramp(0.1, 0.7).eta(x)[:, 1], swapped):
        np.testing.assert_allclose(noisy, 0.1 + 0.6 * x[:, 0])
    assert "with probability 0.1 + 0.6 x" in because("two-worlds")
    worlds = [PAGE.read("lab2", **moved) for moved in ({}, B)]
    robust, plain = ([f"{each[name]:.2f}" for each in worlds] for name in ("limit of robust kNN", "limit of kNN"))
    sentence = f"in world A ({robust[0]} against {plain[0]}) and worse in world B ({robust[1]} against {plain[1]})"
    assert sentence in TEXTS["look2"]


def test_anchor_points():
    here, look = PAGE.read("lab3"), TEXTS["look3"]
    assert "estimates {estimated p0:.2f} and {estimated p1:.2f}".format(**here) in look
    assert here["estimated threshold"] == pytest.approx(0.4, abs=0.005)
    assert PAGE.read("lab3", p1=0.4)["estimated p1"] == pytest.approx(0.4, abs=0.005)
    harmed = PAGE.read("lab3", low=0.4)
    assert f"jumps to {harmed['estimated p0']:.2f}" in look
    assert "its risk is {risk of robust kNN:.2f} against {risk of kNN:.2f}".format(**harmed) in look
    assert f"0.1 + 0.6 · 0.4 = {0.1 + 0.6 * 0.4:.2f}" in because("no-anchor")


def test_k_for_the_extremes():
    look = TEXTS["look4"]
    assert [PAGE.read("lab4", k=10)[name] for name in ("estimated p0", "estimated p1")] == [0, 0]
    assert "too high: {estimated p0:.2f} and {estimated p1:.2f}".format(**PAGE.read("lab4", k=700)) in look
    here = PAGE.read("lab4")
    assert (here["k"], here["estimated p0"], here["estimated p1"]) == pytest.approx((100, 0.1, 0.3), abs=0.015)
    assert max(abs(PAGE.read("lab4", k=k)["estimated threshold"] - 0.4) for k in (100, 150, 200, 300, 500, 700)) <= 0.02
    means = {row["k"]: row["p1_hat"] for row in stored("reeve_maximum", "estimates")}
    assert means[10] < 0.2 < means[100] < 0.4 < means[800]


def test_the_rate():
    clean, robust, plain = (numbers(row) for row in PAGE.shown("table5")[0].values())
    factors = np.array(robust[:3]) / clean[:3]
    assert [round(factors.min()), round(factors.max())] == [3, 4]
    assert "by roughly 3 to 4" in TEXTS["terms5"]
    assert [clean[3], robust[3], plain[3]] == pytest.approx([2 / 3, 2 / 3, 0], abs=0.08)
    assert PAGE.read("lab5")["promised rate"] == pytest.approx(2 / 3)
    assert reeve_kaban.least_smoothness_constant(ramp(), 1) == pytest.approx(1, abs=1e-3)


def along(n, tight=False):
    """The bound on the excess along k_n, as in section 6."""
    k = reeve_kaban.k_n(n, 0.01, **PLATEAU)
    return reeve_kaban.theorem_4_3(n, k, 0.01, ASYMMETRIC, **PLATEAU, tight=tight)


def test_the_bound_is_vacuous():
    here, look = PAGE.read("lab6"), TEXTS["look6"]
    assert (
        f"the bound is {here['bound on excess']:.2f}. The risk of robust kNN is {here['risk of robust kNN']:.2f}"
        in look
    )
    assert f"The bound is {here['bound on excess']:.2f}" in because("bound-wakes-up")
    assert f"The bound is {PAGE.read('lab6', n=1_000_000)['bound on excess']:.2f}, still vacuous" in look
    assert along(6_500_000) > 1 > along(7_000_000)
    assert f"is {along(10**8):.2f} at $10^8$" in look
    coin = 0.5 - here["Bayes risk"]
    assert f"an excess of {coin:.2f} here" in look
    assert along(10**9) > coin > along(2 * 10**9)
    assert along(700_000, tight=True) > 1 > along(800_000, tight=True)


def test_the_rule_works_where_the_bound_is_vacuous():
    plan = {"over": {"n": [10_000]}, "k": lambda n: reeve_kaban.k_n(n, 0.01, **PLATEAU), "repeats": 100}
    curve = risk.curve(plateau(0.1, 0.3), {"robust kNN": Robust(votes="order")}, noise=ASYMMETRIC, **plan)
    excess = curve.mean[0, 0] - curve.bayes_risk
    assert f"a mean excess of {excess:.3f} at $n = 10{{,}}000$." in TEXTS["s6"]


def test_other_classifiers():
    smooth, sharp, logistic = (numbers(row) for row in PAGE.shown("template")[0].values())
    assert 0.31 < smooth[1] < smooth[0]
    assert sharp[1] == sharp[0]
    assert 0.31 < logistic[1] < logistic[0]
