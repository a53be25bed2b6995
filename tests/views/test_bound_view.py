"""The Bound, tested on its layers."""

import numpy as np
import pytest

from knnviz.views import bound

KS = np.array([10, 100, 1000])


@pytest.mark.parametrize(
    ("over", "xlabel", "ylabel"),
    [("k", "neighbors k", "sum of terms"), ("n", "sample size n", "bound on excess")],
)
def test_axes_are_logarithmic_and_end_above_one(over, xlabel, ylabel):
    axes = bound.axes(over, (1, 1e12), (0, 0, 300, 100))
    assert (axes.name, axes.xlabel, axes.ylabel, axes.log) == ("bound", xlabel, ylabel, True)
    assert axes.xlim == (1, 1e12)
    assert axes.ylim[0] == 0 < 1 < axes.ylim[1]


def test_terms_stand_on_each_other_and_their_sum_on_top():
    vote, smooth = np.array([1.0, 0.3, 0.1]), np.array([0.0, 0.2, 2.0])
    below, above, total = bound.terms(KS, vote, smooth)
    assert not below.lower.any()
    assert np.array_equal(below.upper, above.lower)
    assert above.upper == pytest.approx(vote + smooth)
    assert np.array_equal(total.y, above.upper)
    assert all(layer.x.tolist() == KS.tolist() for layer in (below, above, total))


def test_lines_go_where_they_are_told():
    at = bound.at(438, "k_n", "k_n")
    assert at.x.tolist() == [438, 438]
    assert at.y.tolist() == [0, pytest.approx(bound.TOP)]
    useful = bound.below(0.25, (1, 1000), "where the bound is 1")
    assert (useful.x.tolist(), useful.y.tolist()) == ([1, 1000], [0.25, 0.25])
    whole = bound.whole(KS, np.array([3.0, 1.0, 0.5]), "printed", "bound", (7, 3))
    assert (whole.x.tolist(), whole.y.tolist(), whole.dash) == (KS.tolist(), [3, 1, 0.5], (7, 3))


def test_words_hold_both_terms_or_the_ends_of_the_whole():
    terms = "vote term 0.300 and smoothness term 0.200 at k = 90"
    assert bound.describe_terms(90, 0.3, 0.2, 0.07125) == (
        f"Bound over k: {terms}; it says something where their sum is below 0.0712."
    )
    words = "Bound over n, along k_n: 3 at n = 10, {} at n = 1e+03; {}."
    assert bound.describe_whole(KS, np.array([3.0, 0.9, 0.5])) == words.format("0.5", "below 1 from n = 100 on")
    assert bound.describe_whole(KS, np.array([3.0, 2.0, 1.0])) == words.format("1", "never below 1")
