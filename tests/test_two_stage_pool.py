"""Labels bought from a pool in two rounds: which are asked for, what fits together, and where H+ is exhausted."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knnviz import breast_cancer
from knnviz.active import FROM_P, FROM_R, ROUND1, Scheme, pool_sample
from knnviz.problems import bump

DATA = breast_cancer().sample(398)


class Seller:
    """Sells the labels of a pool and keeps account of them."""

    def __init__(self, y):
        self.y, self.sold = y, []

    def __call__(self, i):
        assert type(i) is int
        self.sold.append(i)
        return int(self.y[i])


@st.composite
def pools(draw):
    """Points with duplicates, their classes, and how the labels are bought; some points are hard, some are not."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size, n = draw(st.integers(40, 90)), draw(st.integers(20, 35))
    X = rng.random((size, draw(st.integers(1, 2))))
    y = (rng.random(size) < np.where(X[:, 0] > 0.5, 0.95, 0.05)).astype(int)
    decimals, pi = draw(st.sampled_from([None, 1])), draw(st.sampled_from([0.0, 0.2, 1.0]))
    scheme = Scheme(20, pi, 0.95, 0.0, 0.05, draw(st.sampled_from(["per_draw", "per_sample"])))
    m = draw(st.sampled_from([0, size - n, draw(st.integers(0, size - n))]))
    return X if decimals is None else np.round(X, decimals), y, n, m, scheme


@settings(max_examples=60)
@given(pools(), st.integers(0, 99))
def test_labels_are_bought_one_by_one_and_fit_their_points(case, seed):
    X, y, n, m, scheme = case
    seller = Seller(y)
    sample = pool_sample(X, seller, n, m, scheme, seed)
    assert sample.rows.tolist() == seller.sold
    assert len(set(seller.sold)) == n + m == len(sample.y)
    assert np.array_equal(sample.X, X[sample.rows])
    assert np.array_equal(sample.y, y[sample.rows])
    assert (sample.stage[:n] == ROUND1).all()
    assert (sample.stage[n:] != ROUND1).all()
    inside, second = sample.first.region.contains(X), sample.second
    assert np.array_equal(sample.first.augmented, inside)
    accepted = np.isin(np.arange(sample.n_draws), second.accepted)
    assert np.array_equal(accepted, second.passive | (sample.first.region.contains(second.points) if m else accepted))
    assert np.array_equal(second.points[accepted], sample.X[n:])
    assert np.array_equal(sample.stage[n:], np.where(second.passive[accepted], FROM_P, FROM_R))
    assert inside[sample.rows[sample.stage == FROM_R]].all()
    # Once no unlabeled point is left in H+, all draws are passive.
    exhausted = np.array([not np.delete(inside, sample.rows[:at]).any() for at in range(n, n + m)], bool)
    assert (sample.stage[n:][exhausted] == FROM_P).all()
    for few in {0, m // 2, m}:
        head, fewer = sample.head(few), pool_sample(X, Seller(y), n, few, scheme, seed)
        assert np.array_equal(head.rows, fewer.rows)
        assert np.array_equal(head.stage, fewer.stage)
        assert head.n_draws == fewer.n_draws


def test_a_pool_of_real_data():
    few, whole = (pool_sample(DATA.X, Seller(DATA.y), 100, m, Scheme(60, 0.1), 0) for m in (40, 298))
    assert few.first.hard_mass < few.first.augmented_mass < 1
    assert (few.stage == FROM_R).sum() > 10
    assert sorted(whole.rows) == list(range(398))
    assert np.array_equal(whole.rows[:140], few.rows)


def test_nothing_is_hard():
    sample = pool_sample(np.linspace(0, 1, 80)[:, None], lambda i: False, 60, 20, Scheme(60, 0.1), 0)
    assert sample.first.fallback
    assert (sample.stage[60:] == FROM_P).all()
    assert (sample.n_draws, sample.passive_label_fraction, sample.expected_passive_fraction) == (20, 1.0, 1.0)


def test_every_point_of_the_pool_is_as_likely_in_the_first_round():
    rows = [pool_sample(DATA.X[:20], Seller(DATA.y), 5, 0, Scheme(3, 0.5), seed).rows for seed in range(200)]
    counts = np.bincount(np.concatenate(rows), minlength=20)
    # Of 200 draws of a quarter: 50, with a deviation of 6.1.
    assert abs(counts - 50).max() < 4 * 6.1


@pytest.mark.parametrize("coin", ["per_draw", "per_sample"])
def test_realized_fractions_are_those_of_the_formula(coin):
    """In a pool so large that it is hardly touched."""
    pool = bump(0.1, 0.95, 0.05).sample(20_000, 0)
    sample = pool_sample(pool.X, lambda i: int(pool.y[i]), 400, 400, Scheme(60, 0.2, coin=coin), 0)
    fraction = sample.expected_passive_fraction
    assert abs(sample.passive_label_fraction - fraction) < 4 * np.sqrt(fraction * (1 - fraction) / 400)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"n": 6}, "a pool of 10 points cannot sell 6 + 5 labels"),
        ({"n": 5, "m": -1}, "m must be at least 0, got -1"),
        ({"n": 2}, "k must not exceed the number of labels of the first round, got k = 3 with n = 2"),
        ({"X_pool": np.full((10, 1), np.nan)}, "X_pool has missing or infinite values in rows 0, 1"),
        ({"ask": lambda i: 2}, "the class of point 4 must be between 0 and 1, got 2"),
        ({"ask": lambda i: "benign"}, "the class of point 4 must be a whole number, got 'benign'"),
    ],
)
def test_refusals(options, sentence):
    seller = Seller(np.arange(10) % 2)
    asked = {"X_pool": np.arange(10.0)[:, None], "ask": seller, "n": 5, "m": 5, "scheme": Scheme(3, 0.1), "rng": 0}
    with pytest.raises(ValueError, match=re.escape(sentence)):
        pool_sample(**asked | options)
    assert seller.sold == [], "no label is paid for"
