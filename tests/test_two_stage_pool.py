"""Labels bought from a pool in two rounds: which are asked for, what fits together, and where H+ is exhausted."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knnviz import breast_cancer
from knnviz.active import FROM_P, FROM_R, ROUND1, PoolSample, TwoStagePool
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
    size = draw(st.integers(40, 90))
    X = rng.random((size, draw(st.integers(1, 2))))
    y = (rng.random(size) < np.where(X[:, 0] > 0.5, 0.95, 0.05)).astype(int)
    decimals = draw(st.sampled_from([None, 1]))
    n = draw(st.integers(20, 35))
    scheme = {"k_hard": 20, "passive_fraction": draw(st.sampled_from([0.0, 0.2, 1.0])), "delta": 0.95, "c_plus": 0.05}
    return X if decimals is None else np.round(X, decimals), y, n, draw(st.integers(0, size - n)), scheme


@settings(max_examples=40)
@given(pools(), st.sampled_from(["per_draw", "per_sample"]), st.integers(0, 99))
def test_labels_are_bought_one_by_one_and_fit_their_points(case, coin, seed):
    X, y, n, m, scheme = case
    seller = Seller(y)
    sample = TwoStagePool(X, seller, **scheme, coin=coin, rng=seed).sample(n, m)
    assert isinstance(sample, PoolSample)
    assert sample.rows.tolist() == seller.sold
    assert len(set(seller.sold)) == n + m == len(sample)
    assert np.array_equal(sample.X, X[sample.rows])
    assert np.array_equal(sample.y, y[sample.rows])
    assert (sample.stage[:n] == ROUND1).all()
    assert (sample.stage[n:] != ROUND1).all()
    region, second, bought = sample.first.region, sample.second, sample.rows[n:]
    assert np.array_equal(sample.first.measure.points, X)
    assert np.array_equal(sample.first.augmented, region.contains(X))
    accepted = np.zeros(len(second), bool)
    accepted[second.accepted] = True
    assert np.array_equal(accepted, second.passive | (region.contains(second.points) if m else accepted))
    assert np.array_equal(second.points[accepted], X[bought])
    assert np.array_equal(sample.stage[n:], np.where(second.passive[accepted], FROM_P, FROM_R))
    assert region.contains(sample.X[sample.stage == FROM_R]).all() if (sample.stage == FROM_R).any() else True
    again = TwoStagePool(X, Seller(y), **scheme, coin=coin, rng=seed).sample(n, m)
    assert np.array_equal(again.rows, sample.rows)
    assert np.array_equal(again.stage, sample.stage)


@settings(max_examples=30)
@given(pools(), st.sampled_from(["per_draw", "per_sample"]))
def test_once_the_region_is_exhausted_all_draws_are_passive(case, coin):
    X, y, n, _, scheme = case
    m = len(X) - n
    sample = TwoStagePool(X, Seller(y), **scheme, coin=coin, rng=1).sample(n, m)
    assert sorted(sample.rows) == list(range(len(X)))
    inside = sample.first.augmented
    if sample.fallback:
        assert sample.exhausted is None
        assert (sample.stage[n:] == FROM_P).all()
        assert sample.n_draws == m
        return
    last = 1 + int(np.flatnonzero(inside[sample.rows]).max())
    assert sample.exhausted == (max(n, last) if last < len(X) else None)
    if sample.exhausted is not None:
        assert (sample.stage[sample.exhausted :] == FROM_P).all()
    for few in {0, m // 2, m - 1, m}:
        head, fewer = sample.head(few), TwoStagePool(X, Seller(y), **scheme, coin=coin, rng=1).sample(n, few)
        assert isinstance(head, PoolSample)
        assert np.array_equal(head.rows, fewer.rows)
        assert np.array_equal(X[head.rows], head.X)
        assert (head.exhausted, head.n_draws) == (fewer.exhausted, fewer.n_draws)


def test_two_regimes_and_a_pool_that_is_bought_whole():
    """Both states of ``exhausted``, on real data."""
    scheme = 60, 0.1
    few, all_of_it = (TwoStagePool(DATA.X, Seller(DATA.y), *scheme, rng=0).sample(100, m) for m in (40, 298))
    assert few.exhausted is None
    assert few.first.hard_mass < few.first.augmented_mass < 1
    assert (few.stage == FROM_R).sum() > 10
    assert 100 < all_of_it.exhausted < 398
    assert np.array_equal(all_of_it.rows[:140], few.rows)
    head = all_of_it.head(40)
    assert np.array_equal(head.X, few.X)
    assert head.n_draws == few.n_draws


def test_nothing_is_hard():
    X = np.linspace(0, 1, 80)[:, None]
    seller = Seller(np.zeros(80, int))
    sample = TwoStagePool(X, seller, 60, 0.1, rng=0).sample(60, 20)
    assert sample.fallback
    assert sample.exhausted is None
    assert (sample.stage[60:] == FROM_P).all()
    assert (sample.n_draws, sample.passive_label_fraction, sample.expected_passive_fraction) == (20, 1.0, 1.0)
    assert len(seller.sold) == 80


def test_a_first_round_alone_asks_for_no_more():
    seller = Seller(DATA.y)
    sample = TwoStagePool(DATA.X, seller, 20, 0.1, rng=0).sample(50, 0)
    assert (len(seller.sold), sample.m, sample.n_draws) == (50, 0, 0)
    assert np.isnan(sample.passive_label_fraction)
    assert sample.exhausted is None


def test_points_that_coincide_are_sold_apart():
    X = np.repeat([[0.0], [1.0], [2.0]], 10, axis=0)
    y = np.arange(30) % 2
    seller = Seller(y)
    sample = TwoStagePool(X, seller, 5, 0.0, rng=3).sample(10, 20)
    assert sorted(seller.sold) == list(range(30))
    assert np.array_equal(sample.y, y[sample.rows])


def test_an_int_gives_the_same_labels_at_each_call_and_a_generator_others():
    seeded, drawn = (TwoStagePool(DATA.X, Seller(DATA.y), 50, 0.2, rng=rng) for rng in (4, np.random.default_rng(4)))
    rows = [each.sample(80, 20).rows.tolist() for each in (seeded, seeded, drawn, drawn)]
    assert rows[0] == rows[1] == rows[2]
    assert rows[2] != rows[3]


def test_every_point_of_the_pool_is_as_likely_in_the_first_round():
    rows = [TwoStagePool(DATA.X[:20], Seller(DATA.y), 3, 0.5, rng=seed).sample(5, 0).rows for seed in range(200)]
    counts = np.bincount(np.concatenate(rows), minlength=20)
    # Of 200 draws of a quarter: 50, with a deviation of 6.1.
    assert abs(counts - 50).max() < 4 * 6.1


def test_realized_fractions_are_those_of_the_formula():
    """In a pool so large that it is hardly touched."""
    problem = bump(0.1, 0.95, 0.05)
    pool = problem.sample(20_000, 0)
    for coin in ("per_draw", "per_sample"):
        sample = TwoStagePool(pool.X, lambda i: int(pool.y[i]), 60, 0.2, coin=coin, rng=0).sample(400, 400)
        fraction = sample.expected_passive_fraction
        assert abs(sample.passive_label_fraction - fraction) < 4 * np.sqrt(fraction * (1 - fraction) / 400)
        assert sample.n_draws == pytest.approx(sample.expected_draws, rel=0.25)


@pytest.mark.parametrize(
    ("options", "sizes", "sentence"),
    [
        ({}, (6, 5), "a pool of 10 points cannot sell 6 + 5 labels"),
        ({}, (0, 5), "n must be at least 1, got 0"),
        ({}, (5, -1), "m must be at least 0, got -1"),
        ({"k_hard": 6}, (5, 1), "k must not exceed the number of labels of the first round, got k = 6 with n = 5"),
        ({"k_hard": 0}, (5, 1), "k_hard must be at least 1, got 0"),
        ({"passive_fraction": -0.1}, (5, 1), "passive_fraction must be between 0 and 1, got -0.1"),
        ({"coin": "both"}, (5, 1), "coin must be 'per_draw' or 'per_sample', got 'both'"),
        ({"X_pool": np.arange(10.0)}, (5, 1), "X_pool must be a table of shape (n, d) with at least one row"),
        ({"X_pool": np.full((10, 1), np.nan)}, (5, 1), "X_pool has missing or infinite values in rows 0, 1"),
        ({"ask": lambda i: 2}, (5, 1), "the class of point 7 must be between 0 and 1, got 2"),
        ({"ask": lambda i: "benign"}, (5, 1), "the class of point 7 must be a whole number, got 'benign'"),
    ],
)
def test_refusals(options, sizes, sentence):
    asked = {"X_pool": np.arange(10.0)[:, None], "ask": lambda i: i % 2, "k_hard": 3, "passive_fraction": 0.1}
    first = np.random.default_rng(0).permutation(10)[0]
    with pytest.raises(ValueError, match=re.escape(sentence.replace("point 7", f"point {first}"))):
        TwoStagePool(**asked | options, rng=0).sample(*sizes)
