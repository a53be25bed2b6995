"""Rates fitted to risks over n."""

import numpy as np
import pytest
from refusals import refuses

from knnviz import LabelNoise, risk
from knnviz.problems import plateau
from knnviz.risk import Rate, RiskCurve
from knnviz.rules import Robust, Vote

SIZES = np.array([100, 1000, 10_000, 100_000])


def test_a_power_of_n_is_found_exactly():
    excess = 3 * SIZES**-0.4
    rate = Rate.fit(SIZES, excess, excess / 50)
    assert rate.exponent == pytest.approx(0.4)
    assert rate.constant == pytest.approx(3)
    assert rate(SIZES) == pytest.approx(excess)


def test_the_error_is_that_of_a_line_through_points_of_equal_relative_error():
    rate = Rate.fit(SIZES, 3 * SIZES**-0.4, 0.06 * SIZES**-0.4)
    logs = np.log(SIZES)
    assert rate.error == pytest.approx(0.02 / np.sqrt(((logs - logs.mean()) ** 2).sum()))


def test_the_error_is_the_spread_of_the_exponent_over_samples():
    rng = np.random.default_rng(0)
    true = 3 * SIZES**-0.4
    drawn = [Rate.fit(SIZES, true * (1 + 0.02 * rng.standard_normal(4)), 0.02 * true) for _ in range(400)]
    assert np.std([rate.exponent for rate in drawn]) == pytest.approx(drawn[0].error, rel=0.1)


def test_an_excess_that_is_not_significant_is_left_out():
    excess, error = 3 * SIZES**-0.4, 0.01 * SIZES**-0.4
    spoiled = np.array([*excess[:3], 1e-9]), np.array([*error[:3], 1e-2])
    assert Rate.fit(SIZES, *spoiled) == Rate.fit(SIZES[:3], excess[:3], error[:3])
    assert Rate.fit(SIZES[:1], excess[:1], error[:1]) is None
    assert Rate.fit(SIZES, np.full(4, np.nan), error) is None


def test_one_size_has_no_rate():
    assert Rate.fit(np.array([500, 500]), np.array([0.1, 0.2]), np.full(2, 0.01)) is None
    refuses("sizes must be positive, got 0", Rate.fit, np.array([0, 500]), np.array([0.1, 0.2]), np.full(2, 0.01))


def test_a_curve_gives_the_rate_of_each_rule():
    rules = {"plain": Vote(), "robust": Robust((0.1, 0.3))}
    setting = {"k": lambda n: round(n ** (2 / 3)), "noise": LabelNoise(0.1, 0.3), "repeats": 10}
    curve = risk.curve(plateau(0.1, 0.3), rules, over={"n": [500, 2000, 8000, 32_000]}, **setting)
    plain, robust = (risk.fitted_rate(curve, name) for name in rules)
    assert abs(plain.exponent) < 0.05
    assert robust.exponent > 0.5
    late = risk.fitted_rate(curve, "robust", least=2000)
    assert late == Rate.fit(curve.values[1:], curve.mean[1, 1:] - curve.bayes_risk, curve.standard_error[1, 1:])


def test_other_curves_have_no_rate():
    over_k = RiskCurve("k", SIZES, ("a",), np.zeros((1, 1, 1, 4)), 0.1)
    refuses("a rate needs a curve over n on a known distribution", risk.fitted_rate, over_k, "a")
    over_n = RiskCurve("n", SIZES, ("a",), np.zeros((1, 1, 1, 4)), 0.1)
    refuses("name must be one of a, got 'b'", risk.fitted_rate, over_n, "b")
    refuses("must have one shape", Rate.fit, SIZES, SIZES[:2], SIZES)
