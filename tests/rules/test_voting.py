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

from knnviz import LabelNoise, NeighborTable, Robust, Threshold, Vote, VoteProfile

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
    weak = Threshold(percent / 100)
    strict = Threshold(percent / 100, strict=True)
    assert np.array_equal(weak.predict(AllVotes(), k), 100 * ones >= percent * k)
    assert np.array_equal(strict.predict(AllVotes(), k), 100 * ones > percent * k)


def test_numbers_in_single_precision_are_the_decimals_that_were_typed():
    assert Threshold(np.float32(0.3)).min_votes(10) == 3
    assert LabelNoise(np.float32(0.1), np.float32(0.3)) == LabelNoise(0.1, 0.3)


def decides(e, p0, p1, strictly=False):
    """The printed rule: a vote at 1/2 (``strictly``: above), then corrections on open intervals."""
    half = Fraction(1, 2)
    theta = half + (p0 - p1) / 2
    if half < e < theta or theta < e < half:
        return e < half
    return e > half if strictly else e >= half


def test_where_the_variants_differ():
    """48,300 votes of up to 20 neighbors, rates in steps of 1/20: only on ties, as documented."""
    known = GAO["rule_comparison"]
    cases = 0
    apart = {"ge": Counter(), "gt": Counter()}
    for (a, b), k in product(BELOW_1, range(1, 21)):
        p0 = Fraction(a, 20)
        p1 = Fraction(b, 20)
        typed = (a / 20, b / 20)
        sign = ("p0=p1", "p0>p1", "p0<p1")[(a > b) - (a < b)]
        theta = (1 + p0 - p1) / 2
        assert Threshold.from_rates(*typed).threshold == theta
        threshold = Robust(typed).predict(AllVotes(), k)
        gao = Robust(typed, variant="gao").predict(AllVotes(), k)
        for s, label in enumerate(threshold):
            e = Fraction(s, k)
            assert label == (e >= theta)
            assert gao[s] == decides(e, p0, p1)
            where = {theta: "e=theta", Fraction(1, 2): "e=1/2"}.get(e, "elsewhere")
            for step, found in (("ge", gao[s]), ("gt", decides(e, p0, p1, strictly=True))):
                if found != label:
                    apart[step][f"{sign} {where} gao={found:d} threshold={label}"] += 1
            cases += 1
    assert cases == known["cases"] == 48_300
    for step, found in apart.items():
        assert found == known[f"step4_{step}_differences"]


@pytest.mark.parametrize(("name", "d"), [("fixture_1d", 1), ("fixture_2d", 2)])
@pytest.mark.parametrize("k", [7, 8])
def test_reference_predictions_on_noisy_labels(name, d, k):
    fixture = GAO[name]
    X, queries = (np.array(fixture[each]).reshape(-1, d) for each in ("X", "Q"))
    observed = np.array(fixture["observed"])
    train = NeighborTable.build(X, None, 20)
    profile = VoteProfile.build(NeighborTable.build(X, queries, k), observed, 2)
    assert profile.at(k)[:, 1].tolist() == fixture[f"votes_k{k}"]
    known = Robust((fixture["p0"], fixture["p1"]), variant="gao")
    assert known.fit(train, observed, k, 2) == known
    assert known.neighbors_needed(k) == 0
    for key, rule in ((f"majority_ge_k{k}", Vote()), (f"gao_known_k{k}", known)):
        assert rule.predict(profile, k).tolist() == fixture[key]

    rules = {f"alg2_k{k}": Robust(votes="order")}
    for k_noise in (6, 9):
        rules[f"gao_k{k}_kp{k_noise}"] = Robust(k_noise=k_noise, variant="gao")
    for key, rule in rules.items():
        wanted = fixture[key]
        fitted = rule.fit(train, observed, k, 2)
        assert fitted.noise_rates == (Fraction(wanted["p0hat"]), Fraction(wanted["p1hat"]))
        assert fitted.predict(profile, k).tolist() == wanted["pred"]


PAIR = NeighborTable.build(np.eye(2), None, 2)
THREE = VoteProfile.build(PAIR, [2, 1], 3)
BAGS = VoteProfile.build(PAIR, np.eye(2, dtype=bool), 2)


def test_refusals():
    refuses(r"1\.2", Threshold, 1.2)
    refuses(r"0\.70 \+ 0\.40", Threshold.from_rates, 0.7, 0.4)
    refuses("got 0", Threshold(0.5).min_votes, 0)
    refuses("labels of 3", Threshold(0.5).predict, THREE, 2)
    refuses("bags of 2", Threshold(0.5).predict, BAGS, 2)
    refuses(r"0\.70 \+ 0\.40", Robust, (0.7, 0.4))
    refuses("needs noise_rates, or fit", Robust().predict, AllVotes(), 3)
