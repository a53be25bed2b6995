"""What only RatesLab draws, tested on its layers."""

import numpy as np
import pytest

from knnviz.labs.rates import layers
from knnviz.risk import FittedRate

KS = np.array([10, 100, 1000])


def test_terms_stand_on_each_other_and_their_sum_on_top():
    vote, smooth = np.array([1.0, 0.3, 0.1]), np.array([0.0, 0.2, 2.0])
    below, above, total = layers.terms(KS, vote, smooth)
    assert not below.lower.any()
    assert np.array_equal(below.upper, above.lower)
    assert above.upper == pytest.approx(vote + smooth)
    assert np.array_equal(total.y, above.upper)
    assert all(layer.x.tolist() == KS.tolist() for layer in (below, above, total))
    assert (below.label, above.label) == ("vote term", "smoothness term")
    smoothness, votes, same = layers.terms(KS, vote, smooth, True)
    assert (smoothness.label, votes.label) == ("smoothness term", "vote term")
    assert smoothness.upper == pytest.approx(smooth)
    assert (smoothness.color, votes.color) == (above.color, below.color)
    assert np.array_equal(same.y, total.y)


def test_rates_go_through_one_point_above_the_bayes_risk_or_on_powers_of_ten():
    rate = FittedRate(0.5, 2.0, 0.1)
    fitted, promised = layers.rates(rate, 0.3, 0.25, 1e6)
    assert (fitted.x[0], fitted.x[-1]) == (1000, 1e6)
    assert fitted.y == pytest.approx(0.25 + 2 * fitted.x.astype(float) ** -0.5, abs=1e-6)
    assert promised.y[0] == fitted.y[0]
    straight, slower = layers.rates(rate, 0.3, None, 1e6)
    for line, slope in ((straight, -0.5), (slower, -0.3)):
        assert np.diff(line.y) / np.diff(np.log10(line.x)) == pytest.approx(slope, abs=1e-3)
    assert [line.label for line in layers.rates(rate, None, 0.25, 1e6)] == ["fitted rate"]


def test_words_hold_the_ends_of_the_bound_and_where_it_is_below_one():
    words = "Bound over n, along k_n: 3 at n = 10, {} at n = 1e+03; {}."
    assert layers.describe_over_n(KS, np.array([3.0, 0.9, 0.5])) == words.format("0.5", "below 1 from n = 100 on")
    assert layers.describe_over_n(KS, np.array([3.0, 2.0, 1.0])) == words.format("1", "never below 1")


@pytest.mark.parametrize(("k", "align"), [(50, "left"), (200, "right")])
def test_the_vote_text_stands_where_there_is_more_room(k, align):
    """On an axis of powers of ten, whose middle for 10^4 points is 100; at k = 1 and 10^4 the curve is far off."""
    ks, fractions = np.array([1, k, 10_000]), np.array([1.0, 0.5, 0.0])
    mark = layers.value_label(ks, fractions, np.array([k - 10, 10]), "class 0", (), layers.vote_curve.ONE_LINE)
    assert (mark.align, mark.texts) == (align, (f"{k - 10} : 10 → class 0",))
    assert (mark.x[0] > k) == (align == "left")
    # Far from what stands on its side: 0.5 and 0, or 0.5 and 1.
    assert mark.y[0] == pytest.approx(0.93 if align == "left" else 0.07)
