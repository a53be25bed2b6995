"""What the run sheet, the answers and the texts of lesson 03 state in numbers is what is computed."""

import numpy as np
import pytest

from knnviz import LabelNoise, Robust, Vote, ramp, risk
from knnviz.bounds import reeve_kaban
from knnviz.labs import RatesLab
from knnviz.lessons.openings import fast_rates

NOISE, X = LabelNoise(p0=0.1, p1=0.3), np.linspace(0, 1, 7)[:, None]
LINE = {"smoothness": 1, "smoothness_constant": 1}


def bound(n):
    k = reeve_kaban.k_n(n, 0.01, **LINE)
    return reeve_kaban.theorem_4_3(n, k, 0.01, NOISE, **LINE, margin_exponent=1, margin_constant=2)


def test_the_opening_story():
    _, true, observed = fast_rates.scans()
    ends = [f(fast_rates.fractions(labels)) for labels in (true, observed) for f in (np.min, np.max)]
    assert (len(true), *np.round(ends, 2)) == (357, 0.0, 1.0, 0.10, 0.73)


def test_two_worlds_and_the_label_swap():
    eta = ramp().eta(X)[:, 1]
    for noisy in (NOISE.corrupt(ramp().eta(X))[:, 1], ramp(0.1, 0.7).eta(X)[:, 1], 0.7 + (1 - 0.7 - 0.9) * (1 - eta)):
        np.testing.assert_allclose(noisy, 0.1 + 0.6 * X[:, 0])
    world = RatesLab(shape="ramp", n=16_000, rules="kNN").readout()
    assert world["limit of kNN"] - world["Bayes risk"] == pytest.approx(0.028, abs=5e-4)
    assert world["risk of kNN"] == pytest.approx(0.27, abs=5e-3)


def test_anchor_points_and_extremes():
    assert NOISE.corrupt(np.array([[0.6, 0.4]]))[0, 1] == pytest.approx(0.34)
    other = RatesLab(shape="ramp", n=2000, seed=0, neighbors="k as set", k=150).readout()
    assert other["estimated p1"] == pytest.approx(0.25, abs=5e-3)
    terrace = RatesLab(shape="plateau", n=1000, rules="kNN").readout()
    assert (terrace["limit of kNN"], terrace["Bayes risk"]) == pytest.approx((0.38, 0.31), abs=5e-3)


def test_rates():
    for p0, p1, fitted in ((0, 0, 0.85), (0.1, 0.3, 0.72)):
        lab = RatesLab(shape="ramp", p0=p0, p1=p1, smoothness_constant=1.0, curve="excess over n", rules="robust kNN")
        assert lab.readout()["fitted rate"] == pytest.approx(fitted, abs=5e-3)

    plan = {"over": {"n": [1000, 8000, 64_000]}, "repeats": 100, "k": lambda n: reeve_kaban.k_n(n, 0.05, **LINE)}
    rules = (LabelNoise(p0=0, p1=0), Vote()), (NOISE, Robust(votes="order"))
    curves = [risk.curve(ramp(), {"rule": rule}, noise=noise, **plan) for noise, rule in rules]
    assert [risk.fitted_rate(each, "rule").exponent for each in curves] == pytest.approx([0.72, 0.66], abs=5e-3)
    assert [risk.fitted_rate(each, "rule").error for each in curves] == pytest.approx([0.04, 0.04], abs=5e-3)
    clean, noisy = (each.mean[0] - each.bayes_risk for each in curves)
    assert np.round(noisy[1], 3) == 0.001
    assert np.round(noisy / clean).tolist() == [4, 3, 5]


def test_the_bound():
    assert (bound(8000), bound(10**6)) == pytest.approx((106, 5), abs=0.5)
    assert bound(12_500_000) > 1 > bound(13_500_000)
    eta, t = 1 / 2 + 4 * (np.linspace(0, 1, 200_001) - 1 / 2) ** 3, np.array([0.001, 0.01, 0.1])
    assert [np.mean(abs(eta - 1 / 2) < each) for each in t] == pytest.approx(2 * (t / 4) ** (1 / 3), rel=1e-3)
    assert (reeve_kaban.exponent(1, 1), reeve_kaban.exponent(1, 1 / 3)) == pytest.approx((2 / 3, 4 / 9))
    assert round(8000 * 106**1.5, -6) == 9_000_000
    assert round(106 * 8000, -4) == 850_000


def test_exam():
    least, most = LabelNoise(p0=0.1, p1=0.2).corrupt(np.array([[1.0, 0.0], [0.2, 0.8]]))[:, 1]
    threshold = (least + most) / 2
    assert (least, 1 - most, threshold, (threshold - 0.1) / 0.7) == pytest.approx((0.1, 0.34, 0.38, 0.4))
    assert LabelNoise(p0=0.3, p1=0.0).corrupt(np.array([[1.0, 0.0]]))[0, 1] == 0.3
    assert (reeve_kaban.exponent(0.5, 1), 16**-0.5) == (0.5, 1 / 4)
