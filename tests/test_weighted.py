"""Class weights: the vote, its ties, and what does not change it."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reference_implementations import closed_balls, random_profile, reference, tables, weighted_vote
from refusals import refuses

from knnviz import NeighborTable, Threshold, Vote, VoteProfile, Weighted, problems, risk
from knnviz.neighbors import Windows
from knnviz.profiles import WindowProfile

KHIM = reference("khim")

#: Weights of the example, and what they are in whole numbers.
Q, WHOLE = (0.5, 0.3, 0.2), np.array([5, 3, 2])

#: Weights a reader may type: whole numbers, some of them 0, not all.
typed = st.lists(st.integers(0, 100), min_size=3, max_size=5).filter(any)
any_weights = st.lists(st.just(0.0) | st.floats(1e-6, 1e6), min_size=3, max_size=5).filter(any)


def samples(n, repeats):
    """Samples of the three-class example, one after the other from one generator."""
    rng = np.random.default_rng(0)
    for _ in range(repeats):
        X, u = rng.random((n, 1)), rng.random(n)
        yield X, (u[:, None] >= problems.waves().eta(X).cumsum(axis=1)[:, :2]).sum(axis=1)


@given(tables(), any_weights, st.sampled_from([0.0, 1e-12, 0.01, 1.0]))
def test_agrees_with_a_plain_implementation(case, q, tie_tol):
    profile, k = random_profile(case, len(q))
    labels = Weighted(q, tie_tol=tie_tol).predict(profile, k)
    assert labels.dtype == np.uint8
    assert labels.tolist() == weighted_vote(profile.at(k), q, k, tie_tol)


@given(tables(), any_weights, st.sampled_from([0.0, 1e-12, 0.01]))
def test_all_points_of_a_closed_ball_vote(case, q, tie_tol):
    """Fractions are of their number, which differs from query to query."""
    profile, k = random_profile(case, len(q))
    X, queries = case[:2]
    votes = closed_balls(X, queries, profile.labels, k, len(q))
    wanted = [weighted_vote([row], q, int(row.sum()), tie_tol)[0] for row in votes]
    assert Weighted(q, "closed_ball", tie_tol).predict(profile, k).tolist() == wanted


@given(tables(), typed, st.integers(1, 1000))
def test_products_that_are_equal_tie(case, whole, denominator):
    """The class of the largest whole number a_c * count_c, whatever a_c / m is as a double."""
    profile, k = random_profile(case, len(whole))
    exact = (profile.at(k).astype(int) * whole).argmax(axis=1)
    assert np.array_equal(Weighted(np.array(whole) / denominator).predict(profile, k), exact)


@pytest.mark.parametrize(("setting", "repeats"), [("n=50,k=18", 200), ("n=100,k=23", 200), ("n=1000,k=49", 20)])
def test_how_often_doubles_decide_a_tie(setting, repeats):
    """Training points are their own neighbors; with the tolerance, no point is decided otherwise than exactly."""
    n, k = (int(part.split("=")[1]) for part in setting.split(","))
    tied, apart = [], []
    for X, y in samples(n, repeats):
        profile = VoteProfile.count(NeighborTable.build(X, None, k), y, 3)
        scores = profile.at(k).astype(int) * WHOLE
        tied.append(((scores == scores.max(axis=1, keepdims=True)).sum(axis=1) > 1).mean())
        apart.append((Weighted(Q, tie_tol=0).predict(profile, k) != scores.argmax(axis=1)).mean())
        assert np.array_equal(Weighted(Q).predict(profile, k), scores.argmax(axis=1))
    wanted = KHIM["exact_ties"][setting]
    assert np.mean(tied) == pytest.approx(wanted["share_of_points_with_exact_tie_at_top"], abs=1e-12)
    assert np.mean(apart) == pytest.approx(wanted["share_where_float_argmax_differs_from_exact"], abs=1e-12)


def test_who_votes_where_distances_tie():
    demo = KHIM["tie_demo"]
    X, query, k = np.array(demo["train_x"])[:, None], np.array([[demo["query"]]]), demo["k"]
    profile = VoteProfile.count(NeighborTable.build(X, query, k), np.array(demo["train_y"]), 3)
    assert (profile.at(k) / k).tolist() == [demo["index"]]
    assert (profile.closed(k) / profile.closed(k).sum()).tolist() == [demo["closed_ball"]]
    assert Weighted((1, 2, 9)).predict(profile, k).tolist() == [1]
    assert Weighted((1, 2, 9), mode="closed_ball").predict(profile, k).tolist() == [2]
    assert Weighted((1, 1, 1), mode="closed_ball").predict(profile, k).tolist() == [0]


@given(tables(), st.integers(3, 5), st.floats(1e-3, 1e3))
def test_equal_weights_are_the_plain_vote(case, n_classes, weight):
    profile, k = random_profile(case, n_classes)
    assert np.array_equal(Weighted([weight] * n_classes).predict(profile, k), Vote().predict(profile, k))


@given(tables(), st.integers(1, 20), st.integers(1, 20))
def test_two_classes_are_a_threshold_but_for_ties(case, a, b):
    """A tie goes to the smallest class: class 1 needs more than the threshold q0 / (q0 + q1)."""
    profile, k = random_profile(case, 2)
    zeros, ones = profile.at(k).astype(int).T
    labels = Weighted((a, b)).predict(profile, k)
    assert np.array_equal(labels, b * ones > a * zeros)
    apart = b * ones != a * zeros
    assert np.array_equal(labels[apart], Threshold(a / (a + b)).predict(profile, k)[apart])


@given(tables(), typed, st.floats(1e-6, 1e6))
def test_scale_does_not_matter(case, whole, scale):
    profile, k = random_profile(case, len(whole))
    scaled = Weighted(np.array(whole) * scale).predict(profile, k)
    assert np.array_equal(scaled, Weighted(whole).predict(profile, k))


@given(
    tables(),
    st.lists(st.floats(1e-3, 1e3), min_size=3, max_size=5),
    st.integers(-900, 900),
    st.sampled_from([0.0, 1e-12, 0.01]),
)
def test_powers_of_two_change_no_digit(case, q, power, tie_tol):
    """The tolerance is relative to the largest weight, so very small or large weights decide as others do."""
    profile, k = random_profile(case, len(q))
    scaled = Weighted(np.ldexp(q, power), tie_tol=tie_tol).predict(profile, k)
    assert np.array_equal(scaled, Weighted(q, tie_tol=tie_tol).predict(profile, k))


@pytest.mark.parametrize("scale", [1, 0.25, 10])
def test_the_tolerance_is_a_fraction_of_the_largest_weight(scale):
    """Scores 1.5 and 1.51 are 0.01 apart, which is 0.0033 of 3.02."""
    profile = VoteProfile.count(NeighborTable.build(np.ones((2, 1)), np.ones((1, 1)), 2), np.array([0, 1]), 3)
    q = np.array([3, 3.02, 1]) * scale
    assert [Weighted(q, tie_tol=tol).predict(profile, 2)[0] for tol in (0.003, 0.0034)] == [1, 0]


def test_fractions_in_a_closed_ball_are_of_all_its_points():
    """Scores 3 / 4 and 1.1 * 3 / 4 are 0.075 apart, which is 0.025 of 3."""
    profile = VoteProfile.count(NeighborTable.build(np.ones((4, 1)), np.zeros((1, 1)), 1), np.array([0, 1, 1, 1]), 3)
    rules = [Weighted((3, 1.1, 1), "closed_ball", tol) for tol in (0.024, 0.026)]
    assert [rule.predict(profile, 1)[0] for rule in rules] == [1, 0]


def test_the_smallest_and_the_largest_doubles_are_weights():
    profile = VoteProfile.count(NeighborTable.build(np.ones((4, 1)), None, 4), np.array([0, 1, 1, 2]), 3)
    for weight in (5e-324, 1.7e308):
        assert Weighted((weight, weight, weight)).predict(profile, 4).tolist() == [1] * 4
        assert Weighted((0, 0, weight)).predict(profile, 4).tolist() == [2] * 4


@given(tables(), typed, st.randoms(use_true_random=False))
def test_names_of_classes_do_not_matter_away_from_ties(case, whole, random):
    profile, k = random_profile(case, len(whole))
    order = random.sample(range(len(whole)), len(whole))
    renamed = VoteProfile.count(profile.table, np.argsort(order)[profile.labels], len(whole))
    scores = profile.at(k).astype(int) * whole
    alone = (scores == scores.max(axis=1, keepdims=True)).sum(axis=1) == 1
    assume(alone.any())
    labels = np.array(order)[Weighted(np.array(whole)[order]).predict(renamed, k)]
    assert np.array_equal(labels[alone], Weighted(whole).predict(profile, k)[alone])


def test_a_class_without_weight_is_chosen_only_where_no_other_votes():
    profile = VoteProfile.count(NeighborTable.build(np.arange(3.0)[:, None], None, 3), np.array([2, 2, 1]), 3)
    assert profile.at(1).argmax(axis=1).tolist() == [2, 2, 1]
    assert Weighted((1, 1, 0)).predict(profile, 1).tolist() == [0, 0, 1]
    assert Weighted((1, 1, 0)).predict(profile, 3).tolist() == [1, 1, 1]


@given(st.integers(1, 40), st.integers(0, 2**32 - 1), typed, st.data())
def test_windows_of_a_line_decide_as_their_points_do(n, seed, whole, data):
    rng = np.random.default_rng(seed)
    X, queries, k = rng.normal(size=(n, 1)), rng.normal(size=(20, 1)), data.draw(st.integers(1, n))
    labels, windows, rule = rng.integers(0, len(whole), n), Windows.from_points(X), Weighted(whole)
    by_window = rule.predict(WindowProfile.count(windows, labels, len(whole)), k)[windows.starts(queries[:, 0], k)]
    profile = VoteProfile.count(NeighborTable.build(X, queries, k), labels, len(whole))
    assert np.array_equal(by_window, rule.predict(profile, k))


def test_risk_curves_take_weights():
    """On a line by windows; equal weights are the plain vote, and a class that alone has weight is always chosen."""
    rules = {"vote": Vote(), "equal": Weighted((1, 1, 1)), "example": Weighted(Q), "first": Weighted((1, 0, 0))}
    rules["closed"] = Weighted(Q, mode="closed_ball")
    curve = risk.curve(problems.waves(), rules, over={"k": [5, 50]}, n=1000, repeats=3)
    vote, equal, example, first, closed = curve.mean
    assert np.array_equal(vote, equal)
    assert not np.allclose(vote, example)
    assert np.array_equal(closed, example), "distances tie nowhere but at single points"
    assert np.allclose(first, 1 - KHIM["marginals"]["p"][0], atol=1e-4)


def test_risks_where_distances_tie():
    """Points and queries on a lattice: closed balls reach past the largest k that is asked for."""
    rng = np.random.default_rng(0)
    X, queries, y = rng.integers(0, 8, (200, 2)) / 8, rng.integers(0, 17, (40, 2)) / 16, rng.integers(0, 3, 200)
    eta, ks, rules = rng.dirichlet(np.ones(3), 40), [1, 7, 20], [Weighted(Q), Weighted(Q, mode="closed_ball")]
    index, closed = risk.sweep(X, queries, eta, [(y, rules)], ks)[0]
    for k, found in zip(ks, closed, strict=True):
        votes = closed_balls(X, queries, y, k, 3)
        labels = [weighted_vote([row], Q, int(row.sum()), 1e-12)[0] for row in votes]
        assert found == pytest.approx(1 - eta[np.arange(40), labels].mean(), abs=1e-12)
    assert not np.allclose(index, closed)


def test_a_weighted_rule_is_a_value():
    rule = Weighted(np.array([5, 3, 2]) / 10)
    assert rule == Weighted([0.5, 0.3, 0.2])
    assert hash(rule) == hash(Weighted(Q))
    assert repr(rule) == "Weighted(q=(0.5, 0.3, 0.2), mode='index', tie_tol=1e-12)"
    assert rule.fit(None, np.zeros(3, int), 1, 3) is rule
    assert rule.estimates is False


@pytest.mark.parametrize(
    ("q", "sentence"),
    [
        ((0, 0, 0), r"q must hold 3 weights that are finite, not negative and not all 0, got \(0, 0, 0\)"),
        ((1, -1, 1), "q must hold 3 weights that are finite, not negative"),
        ((1, np.nan, 1), "q must hold 3 weights that are finite, not negative"),
        ((1, np.inf, 1), "q must hold 3 weights that are finite, not negative"),
        ((1,), r"q must be a row of two or more class weights, got \(1,\)"),
        (0.5, "q must be a row of two or more class weights, got 0.5"),
        ([[1, 2], [3, 4]], "q must be a row of two or more class weights"),
        ("heavy", "q must hold real numbers"),
        (("1", "2"), "q must hold real numbers in rows of equal length"),
        ((b"1", b"2"), "q must hold real numbers in rows of equal length"),
        ((True, False), "q must hold real numbers in rows of equal length"),
        (None, "q must be a row of two or more class weights, got None"),
    ],
)
def test_bad_weights_are_refused(q, sentence):
    refuses(sentence, Weighted, q)


def test_refusals():
    refuses("tie_tol must be between 0 and 1, got -1e-12", Weighted, Q, tie_tol=-1e-12)
    refuses("mode must be 'index' or 'closed_ball', got 'ball'", Weighted, Q, mode="ball")
    refuses("tie_tol must be a number, got None", Weighted, Q, tie_tol=None)
    refuses("q holds weights of 3 classes, but there are 2", Weighted(Q).fit, None, np.zeros(3, int), 1, 2)
    profile = VoteProfile.count(NeighborTable.build(np.eye(3), None, 2), np.zeros(3, int), 4)
    refuses("q holds weights of 3 classes, but there are 4", Weighted(Q).predict, profile, 1)
    refuses("k must not exceed the 2 neighbors of this profile, got 3", Weighted((1, 1, 1, 1)).predict, profile, 3)


def test_negative_fractions_are_refused():
    """The rule takes 0 for the least score there is."""
    with pytest.raises(ValueError, match=r"fractions must lie between 0 and 1, got values from -0\.2 to 1\.2"):
        Weighted((1, 2)).decide([[1.2, -0.2]])
