"""Tails of binomial counts against those of scipy.stats."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from knnviz.bounds.binomial import at_least, fewer


@given(st.integers(1, 10**6), st.floats(0, 1), st.floats(0, 1))
def test_tails(n, fraction, p):
    k = max(1, round(fraction * n))
    near = min(1, k / n * (0.9 + 0.2 * p))
    for probability in (p, near):
        assert at_least(k, n, probability) == pytest.approx(binom.sf(k - 1, n, probability), abs=1e-12)
        assert fewer(k, n, probability) == pytest.approx(binom.cdf(k - 1, n, probability), abs=1e-12)


def test_ends():
    assert at_least(3, 5, np.array([0.0, 1.0])).tolist() == [0, 1]
    assert fewer(3, 5, np.array([0.0, 1.0])).tolist() == [1, 0]
