"""Formulas of PL A-kNN: constants that carry the proofs, and what needs which condition."""

from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import generators

from knnviz import regions
from knnviz.bounds import errandonea as pl
from knnviz.problems import linear
from knnviz.profiles import BallProfile

deltas = st.floats(0.001, 0.999)
classes = st.integers(2, 30)
advantages = st.floats(1e-6, 1)
#: alpha, L and A.
smooths = st.tuples(st.floats(0.1, 5), st.floats(0.01, 20), st.floats(0.01, 1))


# Constants of the proof, and points


@given(classes, deltas, advantages, st.floats(0.25, 1000), st.floats(1, 100))
def test_a_repaired_constant_carries_the_step_for_all_larger_n(
    n_classes, delta, advantage, c2, more
):
    constant = pl.repaired_constant(c2)
    n = pl.needed_n(advantage, n_classes, delta, constant) * more
    needed = pl.condition_12(n, n_classes, delta, c2)
    assert n * advantage >= needed * (1 - 1e-12)


def test_no_smaller_constant_carries_it():
    """In the worst case, two classes with delta near 1 and the advantage near 1/2."""
    delta = 1 - 1e-12
    for c2 in (1.0, 258.0, 365.0):
        constant = pl.repaired_constant(c2)
        enough = pl.needed_n(0.5, 2, delta, constant * (1 + 1e-9))
        too_few = pl.needed_n(0.5, 2, delta, constant * (1 - 1e-6))
        assert enough / 2 >= pl.condition_12(enough, 2, delta, c2)
        assert too_few / 2 < pl.condition_12(too_few, 2, delta, c2)

    assert pl.repaired_constant(0.6) <= pl.printed_constant(0.6)
    assert pl.repaired_constant(0.61) > pl.printed_constant(0.61)


@given(st.integers(3, 10**7), advantages, classes, deltas, st.floats(1, 100))
def test_points_of_a_larger_advantage_are_guaranteed(n, advantage, n_classes, delta, constant):
    """Theorem 3.4 takes the points above its level from Theorem 3.2."""
    alone = pl.theorem_3_2(n, advantage, n_classes, delta, constant)
    at = pl.level(n, n_classes, delta, constant)
    pair = np.array([advantage, 0])
    together = pl.theorem_3_3(n, pair, n_classes, delta, constant)

    guaranteed = alone == delta**2
    assert together.tolist() == [guaranteed, False]
    assert guaranteed or (alone == inf and advantage <= at)
    assert pl.level(2 * n, n_classes, delta, constant) < at


# Smooth bags with a margin


def margin_at(advantage, alpha, L, cap):
    """The lead from which on the advantage is above a level: the inverse of ``least_advantage``."""
    width = 2 * alpha + 1
    of_smoothness = (4 * advantage) ** (alpha / width) * (4 * L) ** (1 / width)
    of_cap = sqrt(4 * advantage / cap)
    return max(of_cap, of_smoothness)


@given(
    smooths, st.floats(0, 4), st.integers(3, 10**7), deltas, st.floats(0.1, 50), st.floats(1e-3, 1)
)
def test_the_rate_follows_from_theorem_3_4(smooth, beta, n, delta, constant, margin):
    """P(adv <= a) is at most C2 t^beta, at the lead t that goes with a."""
    least = pl.least_advantage(margin, *smooth)
    (alpha, L, cap) = smooth
    assert least < 1e-300 or margin_at(least, *smooth) == pytest.approx(margin)

    def mass_below(level):
        return min(1.0, margin_at(level, *smooth)) ** beta

    asked = {"smoothness": alpha, "margin_exponent": beta, "mass_cap": cap, "constant": constant}
    c3 = pl.rate_constants(smoothness_constant=L, margin_constant=1, **asked).c3
    mean = pl.theorem_3_4(n, 3, delta, mass_below, constant)
    rate = pl.theorem_b_1(n, 3, delta, alpha, beta, c3)
    assert mean <= rate * (1 + 1e-9)


def test_advantages_on_lines():
    """The proof's bound for fractions 1 - x and x, L = 1/2."""
    measure, eta = linear().cells(400)
    profile = BallProfile.build(measure, eta, masses=[0.5])
    found = regions.advantage(profile, 0.5)
    leads = abs(2 * eta[:, 1] - 1)
    least = np.array([pl.least_advantage(lead, 1, 0.5, 0.5) for lead in leads])
    assert (found >= least * (1 - 1e-6)).all()
    assert (least > 0.1 * found).any()


# Labels one by one


@given(generators, st.floats(0.1, 3), st.floats(0.01, 1))
def test_labels_one_by_one(rng, band_constant, cap):
    """Ball by ball, up to the first in which a label overtakes a top label."""
    shape = (rng.integers(2, 13), rng.integers(2, 5))
    frequency = rng.integers(0, 9, shape) / 8
    ks = np.arange(len(frequency)) ** 2 * 3.0
    masses = np.linspace(0, 1, len(frequency))

    top = frequency[0] == frequency[0].max()
    lowest = inf
    by = np.full(len(top), inf)
    alone = np.zeros(len(top))
    for held, k, mass in zip(frequency, ks, masses, strict=True):
        lead = np.where(top, 0, held[top].min() - held)
        if (lead[~top] <= 0).any():
            break
        lowest = np.minimum(lowest, lead)
        out = lead * sqrt(k) >= 2 * band_constant
        by[out] = np.minimum(by[out], k)
        if mass <= cap:
            alone = np.maximum(alone, mass * lowest**2)

    found = pl.guaranteed_eliminations(frequency, ks, band_constant)
    assert found.tolist() == by.tolist()
    assert pl.label_advantages(frequency, masses, cap) == pytest.approx(alone)
