"""Risk curves as values, and rates fitted to them."""

import numpy as np
import pytest
from refusals import refuses

from knnviz import risk
from knnviz.risk import FittedRate, RiskCurve

SIZES = np.array([100, 1000, 10_000, 100_000])


def test_means_and_errors_are_over_what_is_done():
    """The flips of one sample count as one value, unless there is a single sample."""
    risks = np.random.default_rng(0).random((3, 2, 1, 4))
    risks[2, :, :, 3] = np.nan
    curve, single = (RiskCurve("n", SIZES, ("kNN",), each, None) for each in (risks, risks[:1]))
    assert (curve.done, curve.pieces, single.done, single.pieces) == (11, 12, 4, 4)
    assert curve.mean[0] == pytest.approx(
        [*risks[..., 0, :3].mean(axis=(0, 1)), risks[:2, :, 0, 3].mean()]
    )
    by_sample = risks[:, :, 0].mean(axis=1)
    assert curve.standard_error[0, :3] == pytest.approx(
        by_sample[:, :3].std(axis=0, ddof=1) / np.sqrt(3)
    )
    assert curve.standard_error[0, 3] == pytest.approx(by_sample[:2, 3].std(ddof=1) / np.sqrt(2))
    assert single.standard_error[0] == pytest.approx(
        risks[0, :, 0].std(axis=0, ddof=1) / np.sqrt(2)
    )
    assert np.isnan(RiskCurve("k", SIZES, ("kNN",), risks[:1, :1], None).standard_error).all()


def test_growing_neighbors_grow_slower_than_n():
    assert [risk.growing_neighbors(n) for n in (1, 10, 1000, 8000)] == [1, 1, 25, 100]


def test_a_power_of_n_is_found_exactly():
    """The error of its exponent is that of a line through points of equal relative error."""
    excess = 3 * SIZES**-0.4
    logs = np.log(SIZES)
    rate = FittedRate.fit(SIZES, excess, excess / 50)
    assert (rate.exponent, rate.constant) == pytest.approx((0.4, 3))
    assert rate(SIZES) == pytest.approx(excess)
    assert rate.error == pytest.approx(0.02 / np.sqrt(((logs - logs.mean()) ** 2).sum()))


def test_an_excess_that_is_not_significant_is_left_out():
    excess = 3 * SIZES**-0.4
    error = 0.01 * SIZES**-0.4
    spoiled = np.array([*excess[:3], 1e-9]), np.array([*error[:3], 1e-2])
    assert FittedRate.fit(SIZES, *spoiled) == FittedRate.fit(SIZES[:3], excess[:3], error[:3])
    assert FittedRate.fit(SIZES[:1], excess[:1], error[:1]) is None
    assert FittedRate.fit(np.full(4, 500), excess, error) is None
    assert FittedRate.fit(SIZES, np.full(4, np.nan), error) is None


def test_a_curve_over_n_gives_the_rate_of_each_rule():
    excess = (
        np.stack([3 * SIZES**-0.4, 2 * SIZES**-0.5]) * np.array([0.9, 1.1])[:, None, None, None]
    )
    curve = RiskCurve("n", SIZES, ("plain", "robust"), 0.1 + excess, 0.1)
    assert [risk.fitted_rate(curve, name).exponent for name in curve.names] == pytest.approx(
        [0.4, 0.5]
    )
    late = curve.mean[1, 1:] - 0.1, curve.standard_error[1, 1:]
    assert risk.fitted_rate(curve, "robust", least=1000) == FittedRate.fit(SIZES[1:], *late)
    refuses(
        "of real data", risk.fitted_rate, RiskCurve("n", SIZES, ("a",), excess[:, :, :1], None), "a"
    )
