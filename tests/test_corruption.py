"""Label noise: common random numbers, the formula of eta_corr, refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refuses

from knnviz import LabelNoise, checkerboard

SAMPLE = checkerboard().sample(4000, 0)


@given(st.floats(0, 0.45), st.floats(0, 0.45), st.floats(0, 0.04), st.floats(0, 0.04))
def test_a_growing_rate_only_ever_flips_more(p0, p1, more0, more1):
    before = LabelNoise(p0, p1).flip(SAMPLE.y, SAMPLE.v) != SAMPLE.y
    after = LabelNoise(p0 + more0, p1 + more1).flip(SAMPLE.y, SAMPLE.v) != SAMPLE.y
    assert (before <= after).all()


def test_each_class_flips_at_its_own_rate():
    flipped = LabelNoise(0.1, 0.3).flip(SAMPLE.y, SAMPLE.v) != SAMPLE.y
    for label, rate in enumerate((0.1, 0.3)):
        fraction, size = flipped[SAMPLE.y == label].mean(), (SAMPLE.y == label).sum()
        assert abs(fraction - rate) < 4 * np.sqrt(rate * (1 - rate) / size)
    assert not (LabelNoise().flip(SAMPLE.y, SAMPLE.v) != SAMPLE.y).any()


def test_corrupted_eta():
    eta = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    noise = LabelNoise(0.1, 0.3)
    assert noise.contrast == pytest.approx(0.6)
    assert noise.corrupt(eta) == pytest.approx(np.array([[0.9, 0.1], [0.6, 0.4], [0.3, 0.7]]))


@pytest.mark.parametrize(
    ("p0", "p1", "message"),
    [
        (0.7, 0.4, r"flip rates must satisfy p0 \+ p1 < 1, got 0.70 \+ 0.40"),
        (0.9, 0.1, r"flip rates must satisfy p0 \+ p1 < 1, got 0.90 \+ 0.10"),
        (-0.1, 0.4, "flip rate p0 must be between 0 and 1, got -0.1"),
        (0.1, np.nan, "flip rate p1 must be between 0 and 1, got nan"),
        ("many", 0.1, "flip rate p0 must be a number, got 'many'"),
    ],
)
def test_bad_rates_are_refused(p0, p1, message):
    refuses(f"^{message}$", LabelNoise, p0, p1)


def test_noise_needs_two_classes():
    noise = LabelNoise(0.1, 0.1)
    refuses("eta must have 2 columns, got 3", noise.corrupt, np.full((2, 3), 1 / 3))
    refuses("y must be class codes 0 to 1, got 0 to 2", noise.flip, np.array([0, 2]), np.array([0.5, 0.5]))
