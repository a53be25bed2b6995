"""Rules: exact comparisons, ties, and the reference runs."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import random_profile, reference, tables
from refusals import refuses
from sklearn.neighbors import KNeighborsClassifier

from knnviz import NeighborTable, Robust, Threshold, Vote, VoteProfile, Weighted, checkerboard, noise
from knnviz.weights import leaders

GAO = reference("gao")


@given(tables(), st.integers(3, 5))
def test_vote_is_the_first_argmax(table, n_classes):
    profile, k = random_profile(table, n_classes)
    assert np.array_equal(Vote().predict(profile, k), profile.counts[:, -1].argmax(axis=1))


@given(tables(), st.integers(0, 100))
def test_threshold_compares_exact_fractions(table, percent):
    profile, k = random_profile(table, 2)
    ones = profile.at(k)[:, 1].astype(int)
    assert np.array_equal(Threshold(percent / 100).predict(profile, k), 100 * ones >= percent * k)


@pytest.mark.parametrize(("p0", "p1", "k", "ones"), [(0.1, 0.4, 20, 7), (0.05, 0.45, 10, 3), (0.05, 0.35, 40, 14)])
def test_where_doubles_decide_wrongly(p0, p1, k, ones):
    """Votes that reach the threshold exactly; in double arithmetic the threshold lies above them."""
    assert Threshold.from_rates(p0, p1).min_votes(k) == ones


@given(st.integers(0, 19), st.integers(0, 19), st.integers(1, 60))
def test_threshold_of_known_rates(a, b, k):
    p0, p1 = a / 20, b / 20
    if a + b >= 20:
        refuses(r"flip rates must satisfy p0 \+ p1 < 1", Threshold.from_rates, p0, p1)
        return
    min_votes = Threshold.from_rates(p0, p1).min_votes(k)
    threshold = Fraction(20 + a - b, 40)
    assert Fraction(min_votes, k) >= threshold > Fraction(min_votes - 1, k)


def test_rates_that_a_rule_estimated_stay_fractions():
    assert Threshold.from_rates(Fraction(1, 3), Fraction(1, 7)).threshold == Fraction(25, 42)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(-300, 290), st.integers(1, 60))
def test_threshold_of_class_weights(a, b, power, k):
    """Whatever the weights' scale: class 1 iff b * ones >= a * zeros in whole numbers."""
    if a + b == 0:
        refuses("q must hold 2 weights that are finite, not negative and not all 0", Threshold.from_weights, (a, b))
        return
    for q in ((a, b), np.array([a, b]) / 7, (float(f"{a}e{power}"), float(f"{b}e{power}"))):
        min_votes = Threshold.from_weights(q).min_votes(k)
        assert b * min_votes >= a * (k - min_votes)
        assert min_votes == 0 or b * (min_votes - 1) < a * (k - min_votes + 1)


@given(
    tables(),
    st.lists(st.just(0.0) | st.floats(1e-3, 1e3), min_size=2, max_size=2).filter(any),
    st.sampled_from([1e-12, 0.01, 0.3, 1.0]),
)
def test_class_1_is_decided_where_it_ties_or_leads(table, q, tie_tol):
    """Where a difference equals the tolerance, the rounding of ``leaders`` decides, and the threshold is exact."""
    profile, k = random_profile(table, 2)
    fractions, q = profile.at(k).T / k, np.array(q)
    clear = abs(q[1] * fractions[1] - q[0] * fractions[0] + tie_tol * q.max()) > 1e-14 * q.max()
    labels = Threshold.from_weights(q, tie_tol).predict(profile, k)
    assert np.array_equal(labels[clear], leaders(fractions, q, tie_tol)[1][clear])


def test_a_difference_equal_to_the_tolerance_ties_exactly():
    """Weighted fractions 0.35 and 0.65 differ by 0.3, which doubles exceed."""
    assert Threshold.from_weights((1, 1), 0.3).min_votes(20) == 7


def test_a_threshold_of_class_weights_may_be_no_decimal():
    """Two votes of three reach 2 / 3, which no double is."""
    assert Threshold.from_weights((2, 1), 0).threshold == Fraction(2, 3)
    assert Threshold.from_weights((2, 1)).min_votes(3) == 2
    assert Threshold.from_weights((0.3, 0.2), 0).threshold == Fraction(3, 5)
    assert Threshold.from_weights((0, 5)).threshold == 0


@given(
    tables(),
    st.lists(st.floats(0, 1e6), min_size=3, max_size=5).filter(any),
    st.sampled_from([0.0, 1e-12, 0.01, 1.0]),
    st.sampled_from(["index", "closed_ball"]),
)
def test_a_weighted_rule_predicts_the_first_leader(table, q, tie_tol, mode):
    """Bit by bit: what it decides is what the confusion entries count."""
    profile, k = random_profile(table, len(q))
    votes = (profile.at(k) if mode == "index" else profile.closed(k)).T
    first = leaders(votes / votes.sum(axis=0), np.array(q), tie_tol).argmax(axis=0)
    rule, fractions = Weighted(q, mode, tie_tol), votes / votes.sum(axis=0)
    assert np.array_equal(rule.predict(profile, k), first)
    assert np.array_equal(rule.decide(fractions.T), first)


def test_agrees_with_scikit_learn_at_odd_k():
    sample = checkerboard().sample(600, 0)
    grid = checkerboard().grid(30).points
    profile = VoteProfile.count(NeighborTable.build(sample.X, grid, 99), sample.y, 2)
    for k in (1, 3, 25, 99):
        peer = KNeighborsClassifier(k).fit(sample.X, sample.y)
        assert np.array_equal(Vote().predict(profile, k), peer.predict(grid))


@pytest.mark.parametrize("name", ["fixture_1d", "fixture_2d"])
def test_reference_votes_on_noisy_labels(name):
    fixture = GAO[name]
    X, queries = (np.array(fixture[key]).reshape(-1, 1 + (name == "fixture_2d")) for key in ("X", "Q"))
    profile = VoteProfile.count(NeighborTable.build(X, queries, 8), np.array(fixture["observed"]), 2)
    for k in (7, 8):
        assert profile.at(k)[:, 1].tolist() == fixture[f"votes_k{k}"]
        assert Vote().predict(profile, k).tolist() == fixture[f"majority_ge_k{k}"]


def decides(e, p0, p1, strictly=False):
    """The printed rule: a vote at 1/2, with ``strictly`` only above it, then the corrections on open intervals."""
    half, shift = Fraction(1, 2), (p0 - p1) / 2
    label = e > half if strictly else e >= half
    if p0 > p1 and 0 < e - half < shift:
        return False
    return label or (p0 < p1 and shift < e - half < 0)


class AllVotes:
    """Votes (k + 1, 2): every number of ones among k."""

    n_classes, from_bags = 2, False

    def at(self, k):
        return np.stack([np.arange(k, -1, -1), np.arange(k + 1)], axis=1)


def test_where_the_variants_differ():
    """All 48,300 votes of up to 20 neighbors at flip rates in steps of 1/20: only on ties, and only as documented."""
    cases, apart = 0, Counter()
    for a, b in product(range(20), repeat=2):
        if a + b >= 20:
            continue
        p0, p1, typed = Fraction(a, 20), Fraction(b, 20), (a / 20, b / 20)
        sign = ("p0=p1", "p0>p1", "p0<p1")[(a > b) - (a < b)]
        for k in range(1, 21):
            threshold = Robust(typed).predict(AllVotes(), k)
            gao = Robust(typed, variant="gao").predict(AllVotes(), k)
            for s in range(k + 1):
                e, theta = Fraction(s, k), (1 + p0 - p1) / 2
                strict = decides(e, p0, p1, strictly=True)
                assert threshold[s] == (e >= theta)
                assert gao[s] == decides(e, p0, p1)
                cases += 1
                where = {theta: "e=theta", Fraction(1, 2): "e=1/2"}.get(e, "elsewhere")
                if gao[s] != threshold[s]:
                    apart[f"step4_ge {sign} {where} gao={gao[s]} threshold={threshold[s]}"] += 1
                if strict != threshold[s]:
                    apart[f"step4_gt {sign} {where} gao={strict:d} threshold={threshold[s]}"] += 1
    known = GAO["rule_comparison"]
    wanted = {
        f"{step} {case}": count
        for step in ("step4_ge", "step4_gt")
        for case, count in known[f"{step}_differences"].items()
    }
    assert cases == known["cases"] == 48_300
    assert apart == wanted


def test_doubles_would_decide_wrongly_and_fractions_do_not():
    """Flip rates below 1/2 in steps of 0.05, k up to 50: doubles err, in both variants, as often as is known."""
    wrong = Counter()
    for a, b in product(range(10), repeat=2):
        p0, p1 = 5 * a / 100, 5 * b / 100
        for k in range(1, 51):
            e = np.arange(k + 1) / k
            shift = (p0 - p1) / 2
            gao = e >= 0.5
            gao[(p0 > p1) & (e - 0.5 > 0) & (e - 0.5 < shift)] = False
            gao[(p0 < p1) & (e - 0.5 > shift) & (e - 0.5 < 0)] = True
            wrong["threshold"] += int(np.sum((e >= 0.5 * (1 + p0 - p1)) != Robust((p0, p1)).predict(AllVotes(), k)))
            wrong["gao"] += int(np.sum(gao != Robust((p0, p1), variant="gao").predict(AllVotes(), k)))
    assert wrong == {"threshold": GAO["float_traps"]["threshold_wrong"], "gao": GAO["float_traps"]["gao_wrong"]}


@pytest.mark.parametrize(
    ("p0", "p1", "idle"),
    [(0.2, 0.1, {*range(1, 11), 12, 14, 16, 18, 20}), (0.1, 0.3, {*range(1, 7), 8, 10}), (0.1, 0.4, {1, 2, 3, 4, 6})],
)
def test_with_few_votes_the_printed_correction_does_nothing(p0, p1, idle):
    robust = Robust((p0, p1), variant="gao")
    same = {k for k in range(1, 51) if np.array_equal(robust.predict(AllVotes(), k), Vote().predict(AllVotes(), k))}
    assert same == idle


@pytest.mark.parametrize("name", ["fixture_1d", "fixture_2d"])
@pytest.mark.parametrize("k", [7, 8])
def test_reference_predictions_of_the_robust_rule(name, k):
    fixture = GAO[name]
    X, queries = (np.array(fixture[key]).reshape(-1, 1 + (name == "fixture_2d")) for key in ("X", "Q"))
    observed, train = np.array(fixture["observed"]), NeighborTable.build(X, None, 20)
    profile = VoteProfile.count(NeighborTable.build(X, queries, k), observed, 2)
    rates = fixture["p0"], fixture["p1"]
    rules = {f"gao_k{k}_kp{k_noise}": Robust(k_noise=k_noise, variant="gao") for k_noise in (6, 9)}
    for key, rule in {**rules, f"alg2_k{k}": Robust(votes="order")}.items():
        fitted, wanted = rule.fit(train, observed, k, 2), fixture[key]
        assert fitted.noise_rates == (Fraction(wanted["p0hat"]), Fraction(wanted["p1hat"]))
        assert fitted.predict(profile, k).tolist() == wanted["pred"]
    assert Robust(rates, variant="gao").predict(profile, k).tolist() == fixture[f"gao_known_k{k}"]


def test_five_points_on_a_line():
    X, observed = np.arange(5.0)[:, None], np.array([0, 0, 1, 1, 0])
    train = NeighborTable.build(X, None, 5)
    queries = NeighborTable.build(X, np.array([[1.0], [2.0], [3.0], [4.0]]), 3)
    profile = VoteProfile.count(queries, observed, 2)
    wanted = GAO["hand_cases"]
    for rule in (Robust(votes="order"), Robust(k_noise=2, variant="gao")):
        fitted = rule.fit(train, observed, 3, 2)
        assert fitted.predict(profile, 3).tolist() == wanted["line5_alg2_k3_pred"] == wanted["line5_gao_k3_kp2_pred"]


@given(tables(), st.integers(0, 2**32 - 1))
def test_estimates_become_integers_that_are_compared(case, seed):
    """Class 1 iff 2 s (k' + 1) >= k (A + M), A and M the fewest and most at a training point."""
    X, queries, k, rng = case
    if len(X) < 2:
        return
    observed = rng.integers(0, 2, len(X))
    k_noise = int(np.random.default_rng(seed).integers(1, len(X)))
    train = NeighborTable.build(X, None, k_noise + 1)
    ones = noise.smoothed(train, observed, k_noise)
    profile = VoteProfile.count(NeighborTable.build(X, queries, k), observed, 2)
    labels = Robust(k_noise=k_noise).fit(train, observed, k, 2).predict(profile, k)
    if ones.min() == ones.max():
        assert np.array_equal(labels, Vote().predict(profile, k))
    else:
        s = profile.at(k)[:, 1].astype(int)
        assert np.array_equal(labels, 2 * s * (k_noise + 1) >= k * (ones.min() + ones.max()))


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(1, 60))
def test_only_the_difference_of_the_rates_counts(a, b, shift, k):
    rates, shifted = (a / 20, b / 20), ((a + shift) / 20, (b + shift) / 20)
    if sum(shifted) >= 1:
        return
    for variant in ("threshold", "gao"):
        first, second = (Robust(each, variant=variant).predict(AllVotes(), k) for each in (rates, shifted))
        assert np.array_equal(first, second)


@given(st.integers(0, 18), st.integers(0, 18), st.integers(1, 60))
def test_the_correction_changes_labels_in_one_direction(a, b, k):
    if a + b >= 20:
        return
    for variant in ("threshold", "gao"):
        robust = Robust((a / 20, b / 20), variant=variant).predict(AllVotes(), k)
        plain = Vote().predict(AllVotes(), k)
        assert (robust <= plain).all() if a >= b else (robust >= plain).all()


def test_labels_of_one_class_leave_the_plain_vote():
    train = NeighborTable.build(np.arange(6.0)[:, None], None, 6)
    profile = VoteProfile.count(train, np.zeros(6, int), 2)
    for variant in ("threshold", "gao"):
        fitted = Robust(variant=variant).fit(train, np.zeros(6, int), 3, 2)
        assert fitted.noise_rates.degenerate
        assert not fitted.predict(profile, 3).any()


def test_neighbors_for_the_noise_follow_k_by_default():
    assert [Robust().neighbors_for_noise(k) for k in (1, 2, 3, 25)] == [1, 1, 2, 24]
    assert [Robust(votes="order").neighbors_for_noise(k) for k in (1, 2, 25)] == [0, 1, 24]
    assert Robust(k_noise=50).neighbors_for_noise(3) == 50
    assert Robust(k_noise=50).neighbors_needed(3) == 51
    assert Robust((0.1, 0.2)).estimates is False


def test_what_a_robust_rule_refuses():
    refuses(r"flip rates must satisfy p0 \+ p1 < 1, got 0.70 \+ 0.40", Robust, (0.7, 0.4))
    refuses("k_noise must be at least 1, got 0", Robust, k_noise=0)
    refuses("votes must be 'own' or 'order', got 'mine'", Robust, votes="mine")
    refuses("variant must be 'threshold' or 'gao', got 'new'", Robust, variant="new")
    refuses("needs noise_rates, or fit to estimate them", Robust().predict, AllVotes(), 3)
    refuses("a threshold decides between two classes, got 3", Robust((0.1, 0.2)).fit, None, np.zeros(3, int), 1, 3)
    with pytest.raises(ValueError, match="estimated rates must be at least 0 and sum to at most 1"):
        Robust(noise.Rates(Fraction(3, 5), Fraction(3, 5)))
    refuses("a rule that estimates flip rates needs the training points", Robust().fit, None, np.zeros(3, int), 1, 2)
    refuses("strict must be True or False, got 'no'", Threshold, 0.5, strict="no")
    refuses("noise_rates must be a pair", Robust, 0.2)


@given(tables(), st.integers(0, 100))
def test_a_strict_threshold_must_be_exceeded(table, percent):
    profile, k = random_profile(table, 2)
    ones = profile.at(k)[:, 1].astype(int)
    assert np.array_equal(Threshold(percent / 100, strict=True).predict(profile, k), 100 * ones > percent * k)


def test_fit_gives_the_rule_itself():
    table = NeighborTable.build(np.eye(3), None, 2)
    assert Vote().fit(table, np.zeros(3, int), 1, 2) == Vote()
    assert Threshold(0.3).fit(table, np.zeros(3, int), 1, 2) == Threshold(0.3)


def test_refusals():
    refuses(r"threshold must be between 0 and 1, got 1\.2", Threshold, 1.2)
    for threshold in (None, "0.5", True):
        refuses(f"threshold must be a number, got {threshold!r}", Threshold, threshold)
    three = VoteProfile.count(NeighborTable.build(np.eye(2), None, 2), [2, 1], 3)
    refuses("a threshold decides between two classes, got 3", Threshold(0.5).predict, three, 2)
    refuses(r"flip rates must satisfy p0 \+ p1 < 1, got 0.70 \+ 0.40", Threshold.from_rates, 0.7, 0.4)
    refuses("q must hold 2 weights that are finite, not negative and not all 0, got", Threshold.from_weights, (1, 2, 3))
    refuses("tie_tol must be between 0 and 1, got 2", Threshold.from_weights, (1, 2), 2)
