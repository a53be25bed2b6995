"""Noise rates from extremes: hand cases, reference runs, and what estimates must satisfy."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import reference, sorted_neighbors, tables
from refusals import refuses

from knnviz import LabelNoise, NeighborTable, VoteProfile, checkerboard, noise
from knnviz.neighbors import Windows

GAO = reference("gao")
LINE = np.arange(5.0)[:, None], np.array([0, 0, 1, 1, 0])
DOUBLES = np.array([[0.0], [0.0], [0.0], [1.0]]), np.array([0, 0, 1, 1])


def table_of(X):
    return NeighborTable.build(X, None, len(X))


def test_five_points_on_a_line():
    train, observed = table_of(LINE[0]), LINE[1]
    assert noise.smoothed(train, observed, 2).tolist() == GAO["hand_cases"]["line5_gao_votes_kp2"]
    assert noise.smoothed(train, observed, 2, "order").tolist() == GAO["hand_cases"]["line5_reeve_votes_k3"]
    assert noise.smoothed(train, observed, 1, "order").tolist() == GAO["hand_cases"]["line5_reeve_votes_k2"]
    assert noise.estimate(train, observed, 2) == (Fraction(1, 3), Fraction(1, 3))


def test_points_that_coincide_push_one_of_them_out_of_its_own_list():
    train, observed = table_of(DOUBLES[0]), DOUBLES[1]
    assert noise.smoothed(train, observed, 1).tolist() == GAO["hand_cases"]["dup_gao_votes_kp1"]
    assert noise.smoothed(train, observed.tolist(), 1).tolist() == GAO["hand_cases"]["dup_gao_votes_kp1"]
    assert noise.smoothed(train, observed, 1, "order").tolist() == GAO["hand_cases"]["dup_reeve_votes_k2"]


@pytest.mark.parametrize("name", ["fixture_1d", "fixture_2d"])
def test_reference_votes(name):
    fixture = GAO[name]
    train = table_of(np.array(fixture["X"]).reshape(fixture["n"], -1))
    for votes, wanted in (("own", "gao_votes_kp6"), ("order", "reeve_votes_k7")):
        assert noise.smoothed(train, np.array(fixture["observed"]), 6, votes).tolist() == fixture[wanted]


@given(tables())
def test_agrees_with_a_search_among_the_others(case):
    X, _, k_noise, rng = case
    if k_noise >= len(X):
        return
    observed = rng.integers(0, 2, len(X))
    others, _ = sorted_neighbors(X, X, k_noise, left_out=np.arange(len(X)))
    everyone, _ = sorted_neighbors(X, X, k_noise + 1)
    train = NeighborTable.build(X, None, k_noise + 1)
    own = observed + observed[others].sum(axis=1)
    assert np.array_equal(noise.smoothed(train, observed, k_noise), own)
    assert np.array_equal(noise.smoothed(train, observed, k_noise, "order"), observed[everyone].sum(axis=1))
    rates = noise.estimate(train, observed, k_noise)
    assert rates.p0 == Fraction(int(own.min()), k_noise + 1)
    assert rates.p1 == 1 - Fraction(int(own.max()), k_noise + 1)


@given(tables())
def test_the_threshold_is_the_midrange_of_the_smoothed_labels(case):
    X, _, k_noise, rng = case
    if k_noise >= len(X):
        return
    observed = rng.integers(0, 2, len(X))
    train = NeighborTable.build(X, None, k_noise + 1)
    ones, rates = noise.smoothed(train, observed, k_noise), noise.estimate(train, observed, k_noise)
    assert rates.p0 + rates.p1 <= 1
    assert rates.degenerate == (ones.min() == ones.max())
    midrange = Fraction(int(ones.min()) + int(ones.max()), 2 * (k_noise + 1))
    assert rates.threshold == (Fraction(1, 2) if rates.degenerate else midrange)


@given(st.integers(3, 60), st.integers(0, 2**32 - 1))
def test_windows_on_a_line_give_the_same_votes_both_ways(n, seed):
    rng = np.random.default_rng(seed)
    X, observed, k_noise = rng.random((n, 1)), rng.integers(0, 2, n), int(rng.integers(1, n))
    on_line, train = Windows.from_points(X), NeighborTable.build(X, None, k_noise + 1)
    for votes in noise.SMOOTHINGS:
        assert np.array_equal(
            noise.smoothed(on_line, observed, k_noise, votes), noise.smoothed(train, observed, k_noise, votes)
        )


def test_a_profile_at_hand_gives_the_same():
    sample = checkerboard().sample(200, 0)
    train = NeighborTable.build(sample.X, None, 51)
    profile = noise.training_votes(train, sample.y, 2)
    for k_noise in (5, 20, 50):
        at_hand = noise.smoothed(profile, sample.y, k_noise)
        assert np.array_equal(at_hand, noise.smoothed(train, sample.y, k_noise))


def test_exchanging_the_classes_exchanges_the_rates():
    sample = checkerboard().sample(500, 1)
    observed = LabelNoise(0.1, 0.3).flip(sample.y, sample.v)
    train = NeighborTable.build(sample.X, None, 21)
    p0, p1 = noise.estimate(train, observed, 20)
    assert noise.estimate(train, 1 - observed, 20) == (p1, p0)
    assert p0 < p1


def test_labels_of_one_class_are_degenerate():
    for label in (0, 1):
        rates = noise.estimate(table_of(LINE[0]), np.full(5, label), 2)
        assert rates.degenerate
        assert rates.threshold == Fraction(1, 2)
    assert not noise.estimate(table_of(LINE[0]), LINE[1], 2).degenerate


def test_extremes_of_five_points():
    train, observed = table_of(LINE[0]), LINE[1]
    hand = GAO["hand_cases"]
    assert float(noise.extremum(train, observed, 2).value) == hand["line5_max_k2"]
    assert float(noise.extremum(train, observed, 2, "min").value) == hand["line5_min_k2"]
    assert noise.extremum(train, observed, 3) == noise.Extremum(Fraction(2, 3), 5, 3, "max")
    for k, ends in ((1, (0, 1)), (5, (Fraction(2, 5), Fraction(2, 5)))):
        assert tuple(noise.extremum(train, observed, k, which).value for which in ("min", "max")) == ends


def test_an_extremum_counts_points_that_coincide_in_order():
    """The second and third point have the first, of label 0, before them: with k = 1 no label of theirs is seen."""
    train, observed = table_of(np.zeros((3, 1))), np.array([0, 1, 1])
    assert noise.extremum(train, observed, 1).value == 0
    assert noise.extremum(train, observed, 2).value == Fraction(1, 2)


@given(tables())
def test_an_extremum_agrees_with_a_search(case):
    X, _, k, rng = case
    observed = rng.integers(0, 2, len(X))
    train = NeighborTable.build(X, None, k)
    fractions = observed[sorted_neighbors(X, X, k)[0]].sum(axis=1)
    top, bottom = (noise.extremum(train, observed, k, which) for which in ("max", "min"))
    assert (top.value, bottom.value) == (Fraction(int(fractions.max()), k), Fraction(int(fractions.min()), k))
    assert bottom.value == 1 - noise.extremum(train, 1 - observed, k).value
    assert noise.extremum(VoteProfile.count(train, observed, 2), observed, k) == top
    assert noise.estimate(train, observed, k - 1, "order") == (bottom.value, 1 - top.value)


@given(st.integers(1, 60), st.integers(0, 2**32 - 1))
def test_an_extremum_on_windows_is_the_same(n, seed):
    rng = np.random.default_rng(seed)
    X, observed, k = rng.random((n, 1)), rng.integers(0, 2, n), int(rng.integers(1, n + 1))
    for which in ("max", "min"):
        found = noise.extremum(NeighborTable.build(X, None, k), observed, k, which)
        assert noise.extremum(Windows.from_points(X), observed, k, which) == found


def test_refusals_of_an_extremum():
    train, observed = table_of(LINE[0]), LINE[1]
    refuses("which must be 'max' or 'min', got 'mean'", noise.extremum, train, observed, 2, "mean")
    refuses("k must not exceed the number of points, got k = 6 with n = 5", noise.extremum, train, observed, 6)
    refuses("k must be at least 1, got 0", noise.extremum, train, observed, 0)
    with pytest.raises(ValueError, match="the table has 2 rows for 5"):
        noise.extremum(NeighborTable.build(LINE[0], LINE[0][:2] + 0.4, 4), observed, 3)


def test_refusals():
    train, observed = table_of(LINE[0]), LINE[1]
    refuses("k_noise must be below the number of points, got 5 with n = 5", noise.estimate, train, observed, 5)
    refuses("k_noise must be at least 1, got 0", noise.estimate, train, observed, 0)
    refuses("votes must be 'own' or 'order', got 'all'", noise.estimate, train, observed, 2, "all")
    with pytest.raises(ValueError, match="k must not exceed the 3 neighbors of this profile"):
        noise.estimate(NeighborTable.build(LINE[0], None, 3), observed, 3)
    with pytest.raises(ValueError, match="the votes at the training points are those of other labels"):
        noise.estimate(VoteProfile.count(train, 1 - observed, 2), observed, 2)
    with pytest.raises(ValueError, match="noise is read at the training points, but the table has 2 rows for 5"):
        noise.estimate(NeighborTable.build(LINE[0], LINE[0][:2] + 0.4, 4), observed, 3)
    refuses(r"must be at least 0 and sum to at most 1, got 0\.6 and 0\.6", noise.Rates(0.6, 0.6).check)
    refuses("labels must be class codes 0 to 1", noise.estimate, train, observed + 1, 2)
