"""Curves of risks and votes, tested on their layers."""

import numpy as np
import pytest

from knnviz.views import profile, risk

VALUES = np.array([1, 5, 25, 100])


def test_the_band_is_two_standard_errors_to_each_side_of_what_is_known():
    means = np.array([0.4, 0.3, np.nan, 0.35])
    errors = np.array([0.01, np.nan, np.nan, 0.005])
    band, mean = risk.curve(VALUES, means, errors, "mean")
    for layer in (band, mean):
        assert layer.x.tolist() == [1, 5, 100]
    assert mean.y == pytest.approx([0.4, 0.3, 0.35])
    assert band.lower == pytest.approx([0.38, 0.3, 0.34]), "a single sample has no error"
    assert band.upper == pytest.approx([0.42, 0.3, 0.36])

    for layer in risk.curve(VALUES, np.full(4, np.nan), np.full(4, np.nan), "mean"):
        assert len(layer.x) == 0
        assert layer.legend == (), "the legend names what is drawn"


@pytest.mark.parametrize("n_classes", [2, 3])
def test_profiles_are_fractions_of_the_classes_that_are_drawn(n_classes):
    """Of two classes the second alone; over k or, of 100 points, over their mass."""
    bags = np.eye(3, dtype=int)[[0, 1, 0, 2 % n_classes], :n_classes]
    counts = np.cumsum(bags, axis=0)
    fractions = counts / np.arange(1, 5)[:, None]
    chosen = fractions[:, 1:] if n_classes == 2 else fractions
    masses = np.array([0.001, 0.01, 0.02, 0.1])
    for drawn, x in (
        (profile.votes(counts), [1, 2, 3, 4]),
        (profile.votes(counts, unit=100), [0.01, 0.02, 0.03, 0.04]),
        (profile.expected(2000 * masses, fractions), [2, 20, 40, 200]),
    ):
        for line, of_class in zip(drawn, chosen.T, strict=True):
            assert line.x == pytest.approx(x)
            assert line.y == pytest.approx(of_class)

    line, dots = profile.at_k(0.03, fractions[2])
    assert [line.x[0], dots.x[0]] == pytest.approx([0.03] * 2)
    assert dots.y == pytest.approx(chosen[2])
