"""What only RatesLab draws: terms of a bound on each other, and rates in two scales."""

import numpy as np
import pytest

from knnviz.labs import rates
from knnviz.risk import FittedRate


def test_terms_stand_on_each_other_and_their_sum_on_top():
    ks, vote, smooth = np.array([[10, 100, 1000], [1.0, 0.3, 0.1], [0.0, 0.2, 2.0]])
    below, above, total = rates.stacked((ks, vote, smooth))
    assert np.array_equal(below.upper, above.lower)
    assert above.upper == pytest.approx(vote + smooth)
    assert np.array_equal(total.y, above.upper)
    assert rates.stacked((ks, vote, smooth), smoothness_below=True)[0].upper == pytest.approx(smooth)


def test_rates_go_through_one_point_above_the_bayes_risk_or_on_powers_of_ten():
    fitted, promised = rates.fitted_curves(FittedRate(0.5, 2.0, 0.1), 0.3, 0.25)
    assert fitted.y == pytest.approx(0.25 + 2 * fitted.x.astype(float) ** -0.5, abs=1e-6)
    assert promised.y[0] == fitted.y[0]
    for line, slope in zip(rates.fitted_curves(FittedRate(0.5, 2.0, 0.1), 0.3, None), (-0.5, -0.3), strict=True):
        assert np.diff(line.y) / np.diff(np.log10(line.x)) == pytest.approx(slope, abs=1e-3)
