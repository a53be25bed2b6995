"""Chaudhuri & Dasgupta, Cover & Hart: constants, lemmas under the bound, and the limit."""

from math import log, sqrt

import numpy as np
import pytest
from scipy.stats import binom

from knnviz.bounds import chaudhuri_dasgupta as cd


@pytest.mark.parametrize("delta", [0.01, 0.1, 0.5])
def test_constants_begin_where_the_margin_leaves_its_cap(delta):
    """Another constant serves for every k: balls of mass c k / n hold more than k points but for
    (delta / 2)^2.
    """
    first = int(cd.least_neighbors(delta)) + 1
    half = log(2 / delta)
    assert cd.margin(first - 1, delta) == 0.5
    assert cd.margin(first, delta) < 0.5

    c = 1 + 2 * half + 2 * sqrt(half**2 + half)
    k = np.arange(1, 100)
    failure = binom.cdf(k, 10_000, c * k / 10_000)
    assert (failure <= (delta / 2) ** 2).all()


@pytest.mark.parametrize(
    ("n", "k", "delta"), [(1000, 60, 0.1), (100, 20, 0.1), (10_000, 60, 0.01), (200, 100, 0.3)]
)
def test_the_lemmas_under_the_bound(n, k, delta):
    """With the failure probabilities (delta / 2)^2, of p, and twice that, of the margin."""
    level = (delta / 2) ** 2
    assert binom.cdf(k - 1, n, cd.mass(k, n, delta)) <= level

    votes = np.arange(k + 1)
    for frequency in (0.5, 0.7, 0.95):
        stray = abs(votes / k - frequency) >= cd.margin(k, delta)
        assert binom.pmf(votes[stray], k, frequency).sum() <= 2 * level
