"""ActiveRatesLab: its numbers beside plain Python, and its flags."""

import numpy as np
import pytest
from random_moves import layers

from knnviz.bounds import rittler
from knnviz.labs import ActiveRatesLab


@pytest.fixture
def lab():
    return ActiveRatesLab()


def test_numbers_of_the_rates_are_those_of_plain_python(lab):
    given = {"smoothness": 0.6, "margin_exponent": 1.2, "smoothness_constant": 2.5, "dimension": 3}
    read = lab.set(**given, delta=0.05, constant_power=-1.5, n=70_000).readout()
    expected = {
        "passive exponent": 0.72 / 2.2,
        "active exponent": 0.72 / 1.48,
    }
    assert {name: read[name] for name in expected} == pytest.approx(expected, abs=1e-6)

    drawn = layers(lab, "condition")
    heights = [drawn["chance_here"].y[0], drawn["3 × bias_here"].y[0]]
    k = rittler.active_neighbors(70_000, 0.6, 1.2, 0.05, 10**-1.5)
    chance = min(0.5, np.sqrt(np.log(40) / k))
    bias = 2.5 * (k / 70_000 + np.sqrt(16 * 4 * np.log(160) / 70_000)) ** 0.6
    expected = [chance, 3 * bias]
    assert 10 ** np.array(heights) == pytest.approx(expected, rel=1e-5)


def test_where_the_corollary_may_be_used(lab):
    assert lab.readout()["(C) holds for n"] == "none"
    assert lab.set(constant_power=-3.0).readout()["(C) holds for n"] == "5.1·10³ to 1.6·10¹¹"
    for n, holds in ((5072, False), (5073, True), (10**11, True), (2 * 10**11, False)):
        assert lab.set(n=n).readout()["(C) holds"] == holds
    # The assumptions of eta = 1/2 + |2 x - 1|^2 / 2, with its sign.
    read = lab.set(margin_exponent=0.5, smoothness_constant=2.0).readout()
    assert read["(C) holds for n"].endswith("10¹⁶ or more")


def test_every_flag_in_both_states(lab):
    read = lab.set(n=10**6).readout()
    assert read["(C) holds"] is False
    assert "on the rates" not in read

    read = lab.set(margin_exponent=1.5).readout()
    assert "alpha (2 - beta) = 0.50 is below 1" in read["on the rates"]
    assert "the active k would be 1.3·10⁷, not from 1 to n" in read["on the rates"]

    read = lab.set(margin_exponent=0.9, constant_power=-6.0).readout()
    k = rittler.active_neighbors(10**6, 1, 0.9, 0.1, 1e-6)
    assert read["on the rates"] == f"the active k would be {k:.3g}, not from 1 to n"


def test_it_is_red_where_the_condition_fails(lab):
    fails = layers(lab.set(constant_power=-3.0), "condition")["fails"]
    k = rittler.active_neighbors(fails.x, 1, 0.9, 0.1, 0.001)
    holds = rittler.condition_ratio(k, fails.x, 1, 0.1) >= 1
    assert np.array_equal(np.isnan(fails.lower), holds)
