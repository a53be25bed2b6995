"""Curves of risks and votes, tested on their layers."""

import numpy as np
import pytest

from knnviz.views import profile, risk

VALUES = np.array([1, 5, 25, 100])


def test_the_band_is_two_standard_errors_to_each_side():
    unknown = np.full(4, np.nan)
    means = np.array([0.4, 0.3, np.nan, 0.35])
    errors = np.array([0.01, 0.02, np.nan, 0.005])
    band, mean = risk.curve(VALUES, means, errors, "mean")
    assert mean.x.tolist() == [1, 5, 100], "what is not known is left out"
    assert band.x.tolist() == [1, 5, 100]
    assert mean.y == pytest.approx([0.4, 0.3, 0.35])
    assert band.lower == pytest.approx([0.38, 0.26, 0.34])
    assert band.upper == pytest.approx([0.42, 0.34, 0.36])

    band, mean = risk.curve(VALUES, np.full(4, 0.3), unknown, "mean, 1 sample")
    for side in (band.lower, band.upper):
        assert side.tolist() == mean.y.tolist(), "a single sample has no error"

    band, mean = risk.curve(VALUES, unknown, unknown, "mean")
    for nothing in (band.x, band.lower, mean.x):
        assert len(nothing) == 0
    for layer in (band, mean):
        assert layer.legend == (), "the legend names what is drawn"


def test_profiles_are_fractions_of_the_classes_that_are_drawn():
    names = ("class 0", "class 1", "class 2")
    counts = np.cumsum([[1, 0, 0], [0, 1, 0], [1, 0, 0], [1, 0, 0]], axis=0)
    zero, one, _ = profile.votes(counts)
    assert zero.x.tolist() == [1, 2, 3, 4]
    assert zero.y == pytest.approx([1, 1 / 2, 2 / 3, 3 / 4])
    assert one.y == pytest.approx([0, 1 / 2, 1 / 3, 1 / 4])

    written = profile.vote_text(counts[2], counts[2], 0, "class 0", 3, "left")
    assert written.texts == ("2 of 3", "→ class 0")
    text = profile.describe(np.array([0.25, 0.5]), counts[2], 3, names, "class 0")
    assert "the 3 nearest neighbors of x = (0.25, 0.5): 2 for class 0, 1 for class 1, 0" in text

    masses = np.array([0.001, 0.01, 0.1])
    frequency = np.array([[0.9, 0.1], [0.7, 0.3], [0.5, 0.5]])
    (one,) = profile.expected(2000 * masses, frequency)
    assert one.x == pytest.approx([2, 20, 200])
    assert one.y == pytest.approx([0.1, 0.3, 0.5])

    of_two = counts[:, :2]
    (one,) = profile.votes(of_two, unit=100)
    assert one.x == pytest.approx([0.01, 0.02, 0.03, 0.04])
    line, dots = profile.at_k(0.03, of_two[2] / 3)
    assert (line.x[0], dots.x.tolist(), dots.y.tolist()) == (
        pytest.approx(0.03),
        [pytest.approx(0.03)],
        [pytest.approx(1 / 3)],
    )
