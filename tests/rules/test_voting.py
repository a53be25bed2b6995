"""Rules at a given k: exact comparisons, ties, plain implementations, and the reference runs."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_implementations import random_profile, reference, tables
from refusals import refuses

from knnviz import LabelNoise, NeighborTable, Robust, Threshold, Vote, VoteProfile, noise

GAO = reference("gao")
BELOW_1 = [(a, b) for a, b in product(range(20), repeat=2) if a + b < 20]


class AllVotes:
    """Votes (k + 1, 2): every number of ones among k."""

    n_classes = 2
    bags_vote = False

    def at(self, k):
        return np.stack([np.arange(k, -1, -1), np.arange(k + 1)], axis=1)


@given(tables(), st.integers(3, 5))
def test_vote_is_the_first_argmax(table, n_classes):
    profile, k = random_profile(table, n_classes)
    assert np.array_equal(Vote().predict(profile, k), profile.counts[:, -1].argmax(axis=1))


@given(st.integers(0, 100), st.integers(1, 60))
def test_threshold_compares_exact_fractions(percent, k):
    ones = np.arange(k + 1)
    assert np.array_equal(
        Threshold(percent / 100).predict(AllVotes(), k), 100 * ones >= percent * k
    )
    assert np.array_equal(
        Threshold(percent / 100, strict=True).predict(AllVotes(), k), 100 * ones > percent * k
    )


def test_numbers_in_single_precision_are_the_decimals_that_were_typed():
    assert Threshold(np.float32(0.3)).min_votes(10) == 3
    assert LabelNoise(np.float32(0.1), np.float32(0.3)) == LabelNoise(0.1, 0.3)


@given(st.sampled_from(BELOW_1), st.integers(1, 60))
def test_threshold_of_known_rates(rates, k):
    (a, b) = rates
    typed = (rates[0] / 20, rates[1] / 20)
    for rule in (
        Threshold.from_rates(*typed),
        Threshold.from_rates(Fraction(a, 20), Fraction(b, 20)),
    ):
        assert rule.threshold == Fraction(20 + a - b, 40)
        assert Fraction(rule.min_votes(k), k) >= rule.threshold > Fraction(rule.min_votes(k) - 1, k)
    assert np.array_equal(Robust(typed).predict(AllVotes(), k), rule.predict(AllVotes(), k))


@given(
    st.integers(0, 40),
    st.integers(1, 40),
    st.integers(-300, 290),
    st.integers(1, 60),
    st.booleans(),
)
def test_threshold_of_class_weights(a, b, power, k, exchanged):
    """Whatever the weights' scale: class 1 iff b * ones >= a * zeros in whole numbers."""
    a, b = (b, a) if exchanged else (a, b)
    for q in ((a, b), np.array([a, b]) / 7, (float(f"{a}e{power}"), float(f"{b}e{power}"))):
        min_votes = Threshold.from_weights(q).min_votes(k)
        assert b * min_votes >= a * (k - min_votes)
        assert min_votes == 0 or b * (min_votes - 1) < a * (k - min_votes + 1)


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 100), st.integers(1, 60))
def test_a_difference_within_the_tolerance_ties_exactly(a, b, percent, k):
    """Weighted fractions 0.35 and 0.65 differ by 0.3, which doubles exceed."""
    min_votes = Threshold.from_weights((a, b), percent / 100).min_votes(k)
    slack = percent * max(a, b) * k
    reached = [100 * (a * (k - ones) - b * ones) <= slack for ones in range(k + 1)]
    assert min_votes == reached.index(True)


def decides(e, p0, p1, strictly=False):
    """The printed rule: a vote at 1/2, with ``strictly`` only above it, then the corrections on
    open intervals.
    """
    half = Fraction(1, 2)
    shift = (p0 - p1) / 2
    label = e > half if strictly else e >= half
    if p0 > p1 and 0 < e - half < shift:
        return False
    return label or (p0 < p1 and shift < e - half < 0)


def test_where_the_variants_differ():
    """All 48,300 votes of up to 20 neighbors at flip rates in steps of 1/20: only on ties, and only
    as documented.
    """
    cases = 0
    apart = Counter()
    for (a, b), k in product(BELOW_1, range(1, 21)):
        p0 = Fraction(a, 20)
        p1 = Fraction(b, 20)
        typed = (a / 20, b / 20)
        sign = ("p0=p1", "p0>p1", "p0<p1")[(a > b) - (a < b)]
        theta = (1 + p0 - p1) / 2
        threshold = Robust(typed).predict(AllVotes(), k)
        gao = Robust(typed, variant="gao").predict(AllVotes(), k)
        for s in range(k + 1):
            e = Fraction(s, k)
            assert (threshold[s], gao[s]) == (e >= theta, decides(e, p0, p1))
            where = {theta: "e=theta", Fraction(1, 2): "e=1/2"}.get(e, "elsewhere")
            for step, found in (("ge", gao[s]), ("gt", decides(e, p0, p1, strictly=True))):
                if found != threshold[s]:
                    apart[
                        f"step4_{step} {sign} {where} gao={found:d} threshold={threshold[s]}"
                    ] += 1
            cases += 1
    known = GAO["rule_comparison"]
    wanted = [
        (f"step4_{step} {case}", n)
        for step in ("ge", "gt")
        for case, n in known[f"step4_{step}_differences"].items()
    ]
    assert cases == known["cases"] == 48_300
    assert apart == dict(wanted)


def test_doubles_would_decide_wrongly_and_fractions_do_not():
    """Flip rates below 1/2 in steps of 0.05, k up to 50: doubles err, in both variants, as often as
    is known.
    """
    wrong = Counter()
    for a, b, k in product(range(10), range(10), range(1, 51)):
        p0 = 5 * a / 100
        p1 = 5 * b / 100
        e = np.arange(k + 1) / k
        shift = (p0 - p1) / 2
        gao = e >= 0.5
        gao[(p0 > p1) & (e - 0.5 > 0) & (e - 0.5 < shift)] = False
        gao[(p0 < p1) & (e - 0.5 > shift) & (e - 0.5 < 0)] = True
        wrong["threshold"] += int(
            np.sum((e >= 0.5 * (1 + p0 - p1)) != Robust((p0, p1)).predict(AllVotes(), k))
        )
        wrong["gao"] += int(np.sum(gao != Robust((p0, p1), variant="gao").predict(AllVotes(), k)))
    assert wrong == {
        "threshold": GAO["float_traps"]["threshold_wrong"],
        "gao": GAO["float_traps"]["gao_wrong"],
    }


@pytest.mark.parametrize("name", ["fixture_1d", "fixture_2d"])
@pytest.mark.parametrize("k", [7, 8])
def test_reference_predictions_on_noisy_labels(name, k):
    fixture = GAO[name]
    X, queries = (
        np.array(fixture[key]).reshape(-1, 1 + (name == "fixture_2d")) for key in ("X", "Q")
    )
    observed = np.array(fixture["observed"])
    train = NeighborTable.build(X, None, 20)
    profile = VoteProfile.count(NeighborTable.build(X, queries, k), observed, 2)
    assert profile.at(k)[:, 1].tolist() == fixture[f"votes_k{k}"]
    assert Vote().predict(profile, k).tolist() == fixture[f"majority_ge_k{k}"]
    rules = {f"gao_k{k}_kp{k_noise}": Robust(k_noise=k_noise, variant="gao") for k_noise in (6, 9)}
    for key, rule in {**rules, f"alg2_k{k}": Robust(votes="order")}.items():
        fitted = rule.fit(train, observed, k, 2)
        wanted = fixture[key]
        assert fitted.noise_rates == (Fraction(wanted["p0hat"]), Fraction(wanted["p1hat"]))
        assert fitted.predict(profile, k).tolist() == wanted["pred"]
    known = Robust((fixture["p0"], fixture["p1"]), variant="gao")
    assert known.fit(train, observed, k, 2) == known
    assert known.predict(profile, k).tolist() == fixture[f"gao_known_k{k}"]


@given(tables(), st.integers(0, 2**32 - 1))
def test_estimates_become_integers_that_are_compared(case, seed):
    """Class 1 iff 2 s (k' + 1) >= k (A + M), A and M the fewest and most at a training point; the
    vote if A = M.
    """
    X, queries, k, rng = case
    if len(X) < 2:
        return
    observed = rng.integers(0, 2, len(X))
    k_noise = int(np.random.default_rng(seed).integers(1, len(X)))
    train = NeighborTable.build(X, None, k_noise + 1)
    ones = noise.smoothed(train, observed, k_noise)
    profile = VoteProfile.count(NeighborTable.build(X, queries, k), observed, 2)
    labels = Robust(k_noise=k_noise).fit(train, observed, k, 2).predict(profile, k)
    least, most = (0, k_noise + 1) if ones.min() == ones.max() else (ones.min(), ones.max())
    assert np.array_equal(
        labels, 2 * profile.at(k)[:, 1].astype(int) * (k_noise + 1) >= k * (least + most)
    )


@pytest.mark.parametrize(
    ("rule", "needed"),
    [
        (Robust(), [2, 2, 3, 25]),
        (Robust(votes="order"), [1, 2, 3, 25]),
        (Robust(k_noise=50), [51] * 4),
        (Robust((0.1, 0.2)), [0] * 4),
    ],
)
def test_neighbors_for_the_noise_follow_k_by_default(rule, needed):
    assert [rule.neighbors_needed(k) for k in (1, 2, 3, 25)] == needed


THREE = VoteProfile.count(NeighborTable.build(np.eye(2), None, 2), [2, 1], 3)
BAGS = VoteProfile.count(NeighborTable.build(np.eye(2), None, 2), np.eye(2, dtype=bool), 2)


@pytest.mark.parametrize(
    ("value", "call", "given"),
    [
        (r"1\.2", Threshold, (1.2,)),
        (r"0\.70 \+ 0\.40", Threshold.from_rates, (0.7, 0.4)),
        (r"\(1, 2, 3\)", Threshold.from_weights, ((1, 2, 3),)),
        ("got 0", Threshold(0.5).min_votes, (0,)),
        ("labels of 3", Threshold(0.5).predict, (THREE, 2)),
        ("bags of 2", Threshold(0.5).predict, (BAGS, 2)),
        (r"0\.70 \+ 0\.40", Robust, ((0.7, 0.4),)),
        ("'new'", Robust, (None, None, "own", "new")),
        ("needs noise_rates, or fit", Robust().predict, (AllVotes(), 3)),
    ],
)
def test_refusals(value, call, given):
    refuses(value, call, *given)
