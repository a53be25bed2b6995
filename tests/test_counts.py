"""How many classes of a prior a sample is expected to hold, and how many points alone of their class."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import reference

from knnviz.problems import expected_seen, expected_singletons, zipf

KHIM = reference("khim_metrics")["zipf_seen"]


def test_a_thousand_classes_of_a_thousand_points():
    """zipf itself goes to 255 classes."""
    prior = 1 / np.arange(1, 1001)
    prior /= prior.sum()
    alone = expected_singletons(prior, 1000)
    assert expected_seen(prior, 1000) == pytest.approx(KHIM["expected_classes_seen"], rel=1e-12)
    assert alone == pytest.approx(KHIM["expected_singleton_classes"], rel=1e-12)
    assert alone / 1000 == pytest.approx(KHIM["share_of_examples_that_are_singletons"], rel=1e-12)


def test_samples_hold_as_many_as_expected():
    prior, rng = np.array(zipf(40, 1.5)), np.random.default_rng(0)
    counts = rng.multinomial(60, prior, 4000)
    for found, expected in (
        ((counts > 0).sum(axis=1), expected_seen(prior, 60)),
        ((counts == 1).sum(axis=1), expected_singletons(prior, 60)),
    ):
        assert found.mean() == pytest.approx(expected, abs=4 * found.std() / 4000**0.5)


@given(st.integers(2, 255), st.floats(0, 10), st.integers(1, 10**6))
def test_both_stay_within_what_there_is(n_classes, exponent, n):
    prior = zipf(n_classes, exponent)
    seen, alone = expected_seen(prior, n), expected_singletons(prior, n)
    assert 0 <= alone <= seen * (1 + 1e-9)
    assert 1 - 1e-9 <= seen <= min(n_classes, n) * (1 + 1e-9)


def test_one_point_is_alone_and_one_class_is_seen():
    assert expected_seen((0.5, 0.3, 0.2), 1) == expected_singletons((0.5, 0.3, 0.2), 1) == pytest.approx(1)
    assert (expected_seen((1.0, 0.0), 5), expected_singletons((1.0, 0.0), 5)) == (1, 0)
