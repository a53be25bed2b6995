"""The Uniform error, tested on its layers."""

import numpy as np
import pytest

from knnviz.views import uniform

KS = np.array([1, 10, 100])
TERMS = np.array([[0.1, 0.2, 0.4], [1.0, 0.3, 0.1], [0.5, 0.2, 0.1]])


def test_terms_stand_on_each_other():
    bias, vote, union = uniform.stacked(KS, TERMS)
    assert not bias.lower.any()
    assert np.array_equal(bias.upper, vote.lower)
    assert np.array_equal(vote.upper, union.lower)
    assert union.upper == pytest.approx(TERMS.sum(axis=0))
    assert [band.label for band in (bias, vote, union)] == ["bias", "1/√k", "union over x"]


@pytest.mark.parametrize(("least", "end"), [(0.046, 0.15), (0.199, 0.3), (0.411, 0.75), (0.842, 1.5), (30.0, 1.5)])
def test_the_axis_shows_the_least_bound_where_it_says_something(least, end):
    assert uniform.top(least) == end


@pytest.mark.parametrize(("n", "last"), [(100, 100), (150, 1000), (10_000, 10_000), (700_000, 1_000_000)])
def test_axes_end_at_powers_of_ten(n, last):
    axes = uniform.axes(n, 0.3, (0, 0, 300, 100))
    assert axes.xlim == (0.9, pytest.approx(1.15 * last))
    assert (axes.ylim, axes.log) == ((0, 0.3), True)


def test_errors_go_over_k():
    line = uniform.observed(KS, np.array([1.0, 0.3, 0.5]))
    assert line.x.tolist() == KS.tolist()
    assert line.y == pytest.approx([1.0, 0.3, 0.5])


def test_words_hold_every_term():
    assert uniform.describe(10, TERMS[:, 1], 0.25, 30, 0.6) == (
        "Uniform error at k = 10: the bound is 0.700 (bias 0.200, 1/√k 0.300, union over x 0.200), "
        "the sample's own error 0.250. The bound is smallest, 0.600, at k = 30."
    )
