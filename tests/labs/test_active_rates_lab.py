"""ActiveRatesLab: its numbers beside plain Python, its flags, and where its curves run."""

import numpy as np
import pytest
from random_moves import layers

from knnviz.bounds import rittler
from knnviz.labs import ActiveRatesLab
from knnviz.labs import active_rates as module


@pytest.fixture
def lab():
    return ActiveRatesLab()


def test_numbers_of_the_rates_are_those_of_plain_python(lab):
    given = {"smoothness": 0.6, "margin_exponent": 1.2, "smoothness_constant": 2.5, "dimension": 3}
    read = lab.set(**given, delta=0.05, constant_power=-1.5, n=70_000).readout()
    ks = [rittler.active_neighbors(70_000, 0.6, beta, 0.05, 10**-1.5) for beta in (0, 1.2)]
    expected = {
        "passive exponent": 0.72 / 2.2,
        "active exponent": 0.72 / 1.48,
    }
    assert {name: read[name] for name in expected} == pytest.approx(expected, abs=1e-6)

    drawn = layers(lab, "rates")
    heights = [drawn["passive_here"].y[0], drawn["active_here"].y[0]]
    drawn = layers(lab, "condition")
    heights += [drawn["chance_here"].y[0], drawn["3 × bias_here"].y[0]]
    passive = (np.log(20) / 70_000) ** (0.72 / 2.2)
    active = (np.log(20) ** 0.4 / 70_000) ** (0.72 / 1.48)
    chance = min(0.5, np.sqrt(np.log(40) / ks[1]))
    bias = 2.5 * (ks[1] / 70_000 + np.sqrt(16 * 4 * np.log(160) / 70_000)) ** 0.6
    expected = [passive, active, chance, 3 * bias]
    assert 10 ** np.array(heights) == pytest.approx(expected, rel=1e-5)


def test_where_the_corollary_may_be_used(lab):
    assert lab.readout()["usable for n"] == "none"
    assert lab.set(constant_power=-3.0).readout()["usable for n"] == "5.1·10³ to 1.6·10¹¹"
    for n, holds in ((5072, False), (5073, True), (10**11, True), (2 * 10**11, False)):
        assert lab.set(n=n).readout()["(C) holds"] == holds
    # The assumptions of eta = 1/2 + |2 x - 1|^2 / 2, with its sign.
    read = lab.set(margin_exponent=0.5, smoothness_constant=2.0).readout()
    assert read["usable for n"].endswith("10¹⁶ or more")


def test_every_flag_in_both_states(lab):
    read = lab.readout()
    assert read["(C) holds"] is False
    assert "on the rates" not in read

    read = lab.set(margin_exponent=1.0).readout()
    assert "alpha beta = 1.00 reaches 1" in read["on the rates"]

    read = lab.set(margin_exponent=1.5).readout()
    assert "alpha (2 - beta) = 0.50 is below 1" in read["on the rates"]
    assert "the active k would be 1.3·10⁷, not from 1 to n" in read["on the rates"]

    read = lab.set(margin_exponent=0.9, constant_power=-6.0).readout()
    k = rittler.active_neighbors(10**6, 1, 0.9, 0.1, 1e-6)
    assert read["on the rates"] == f"the active k would be {k:.3g}, not from 1 to n"


def test_each_part_of_the_rates_is_drawn_where_it_belongs(lab):
    shown = layers(lab.set(constant_power=-3.0), "rates")
    n = module.SIZES
    ks = [rittler.active_neighbors(n, 1, beta, 0.1, 0.001) for beta in (0, 0.9)]
    passive, active = [(k >= 1) & (k <= n) for k in ks]
    holds = rittler.condition_ratio(ks[1], n, 1, 0.1) >= 1
    expected = {
        "passive": passive,
        "passive_impossible": ~passive,
        "active_impossible": ~active,
        "active": active & holds,
        "active_fails": active & ~holds,
    }
    assert all(where.any() for where in expected.values())
    for name, where in expected.items():
        assert np.array_equal(np.isfinite(shown[name].y), where), name
    assert np.array_equal(np.isnan(shown["fails"].lower), holds)
