"""Risk curves as values, and rates fitted to them."""

from dataclasses import replace

import numpy as np
import pytest
from refusals import refuses
from scipy.stats import sem

from knnviz import risk
from knnviz.risk import FittedRate, RiskCurve

SIZES = np.array([100, 1000, 10_000, 100_000])


def test_means_and_errors_are_over_what_is_done():
    """The flips of one sample count as one value, unless there is a single sample."""
    risks = np.random.default_rng(0).random((3, 2, 1, 4))
    risks[2, :, :, 3] = np.nan
    curve = RiskCurve("n", SIZES, ("kNN",), risks, None)
    single = RiskCurve("n", SIZES, ("kNN",), risks[:1], None)
    assert (curve.done, curve.pieces) == (11, 12)
    assert (single.done, single.pieces) == (4, 4)
    for j, repeats in enumerate((3, 3, 3, 2)):
        samples = risks[:repeats, :, 0, j].mean(axis=1)
        assert curve.mean[0, j] == pytest.approx(samples.mean())
        assert curve.standard_error[0, j] == pytest.approx(sem(samples))
    assert single.standard_error[0] == pytest.approx(sem(risks[0, :, 0]))

    alone = RiskCurve("k", SIZES, ("kNN",), risks[:1, :1], None)
    assert np.isnan(alone.standard_error).all()


def test_a_power_of_n_is_found_exactly():
    """The error of its exponent is that of a line through points of equal relative error."""
    excess = 3 * SIZES**-0.4
    logs = np.log(SIZES)
    rate = FittedRate.fit(SIZES, excess, excess / 50)
    assert (rate.exponent, rate.constant) == pytest.approx((0.4, 3))
    around = logs - logs.mean()
    assert rate.error == pytest.approx(0.02 / np.sqrt((around**2).sum()))


def test_an_excess_that_is_not_significant_is_left_out():
    excess = 3 * SIZES**-0.4
    error = excess / 300
    kept = FittedRate.fit(SIZES[:3], excess[:3], error[:3])
    excess[3] = 1e-9
    assert FittedRate.fit(SIZES, excess, np.append(error[:3], 1e-2)) == kept
    assert FittedRate.fit(SIZES[:1], excess[:1], error[:1]) is None
    assert FittedRate.fit(np.full(4, 500), excess, error) is None
    assert FittedRate.fit(SIZES, np.full(4, np.nan), error) is None


def test_a_curve_over_n_gives_the_rate_of_each_rule():
    rates = np.stack([3 * SIZES**-0.4, 2 * SIZES**-0.5])
    risks = 0.1 + rates * np.array([0.9, 1.1])[:, None, None, None]
    curve = RiskCurve("n", SIZES, ("plain", "robust"), risks, 0.1)
    for name, exponent in (("plain", 0.4), ("robust", 0.5)):
        assert risk.fitted_rate(curve, name).exponent == pytest.approx(exponent)
    refuses("of real data", risk.fitted_rate, replace(curve, bayes_risk=None), "plain")
