"""Rules: exact comparisons, ties, and the reference runs."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsClassifier
from twins import reference, tables

from knnviz import LabelNoise, NeighborTable, Threshold, Vote, VoteProfile, checkerboard, risk
from knnviz.problems import Sample

GAO = reference("gao")


def profile_of(votes, n_classes=2):
    """A profile of one query whose neighbors carry the given labels in order."""
    points = np.arange(1.0, len(votes) + 1)[:, None]
    return VoteProfile.count(NeighborTable.build(points, np.zeros((1, 1)), len(votes)), np.array(votes), n_classes)


def test_ties():
    assert Vote().predict(profile_of([0, 1]), 2).tolist() == [1]
    assert Vote().predict(profile_of([2, 1], 3), 2).tolist() == [1]
    assert Threshold(0.5).predict(profile_of([0, 1]), 2).tolist() == [1]


@given(tables(), st.integers(3, 5))
def test_vote_is_the_first_argmax(table, n_classes):
    X, queries, k, rng = table
    profile = VoteProfile.count(NeighborTable.build(X, queries, k), rng.integers(0, n_classes, len(X)), n_classes)
    assert np.array_equal(Vote().predict(profile, k), profile.counts[:, -1].argmax(axis=1))


@given(tables(), st.integers(0, 100))
def test_threshold_compares_exact_shares(table, percent):
    X, queries, k, rng = table
    profile = VoteProfile.count(NeighborTable.build(X, queries, k), rng.integers(0, 2, len(X)), 2)
    ones = profile.at(k)[:, 1].astype(int)
    assert np.array_equal(Threshold(percent / 100).predict(profile, k), 100 * ones >= percent * k)


@pytest.mark.parametrize(("p0", "p1", "k", "ones"), [(0.1, 0.4, 20, 7), (0.05, 0.45, 10, 3), (0.05, 0.35, 40, 14)])
def test_where_doubles_decide_wrongly(p0, p1, k, ones):
    """Votes that reach the cut exactly; in double arithmetic the cut lies above them."""
    assert Threshold.from_rates(p0, p1).needed(k) == ones


@given(st.integers(0, 19), st.integers(0, 19), st.integers(1, 60))
def test_cut_of_known_rates(a, b, k):
    p0, p1 = a / 20, b / 20
    if a + b >= 20:
        with pytest.raises(ValueError, match=r"flip rates must satisfy p0 \+ p1 < 1"):
            Threshold.from_rates(p0, p1)
        return
    needed = Threshold.from_rates(p0, p1).needed(k)
    cut = Fraction(20 + a - b, 40)
    assert Fraction(needed, k) >= cut > Fraction(needed - 1, k)


def test_rates_that_a_rule_estimated_stay_fractions():
    assert Threshold.from_rates(Fraction(1, 3), Fraction(1, 7)).cut == Fraction(25, 42)


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
    profile = VoteProfile.count(NeighborTable.build(X, queries, 8), np.array(fixture["ytilde"]), 2)
    for k in (7, 8):
        assert profile.at(k)[:, 1].tolist() == fixture[f"votes_k{k}"]
        assert Vote().predict(profile, k).tolist() == fixture[f"majority_ge_k{k}"]


@pytest.fixture(scope="module")
def figure1():
    """The sample, test points and flips of Gao et al., Figure 1, in the draw order of the reference run."""
    rng, problem = np.random.default_rng(0), checkerboard()
    X, V, X_test = rng.random((8000, 2)), rng.random(8000), rng.random((7000, 2))
    rng.random(7000)
    y = (problem.eta(X)[:, 1] > V).astype(np.uint8)
    return Sample(X, y, V, rng.random((20, 8000))), NeighborTable.build(X, X_test, 800), problem.eta(X_test)


@pytest.mark.parametrize("setting", list(GAO["figure1"]["vote"]))
def test_figure_1_of_gao_et_al(figure1, setting):
    """Mean risk over 20 flips of plain and of noise-corrected votes, to the digits of the reference run."""
    sample, table, eta = figure1
    p0, p1 = (float(part.split("=")[1]) for part in setting.split(","))
    rules = {"vote": Vote(), "threshold": Threshold.from_rates(p0, p1)}
    risks = {name: [] for name in rules}
    for v in sample.v:
        profile = VoteProfile.count(table, LabelNoise(p0, p1).flip(sample.y, v), 2)
        for name, rule in rules.items():
            risks[name].append([risk.exact(rule.predict(profile, k), eta) for k in GAO["figure1"]["k"]])
    for name in rules:
        assert np.allclose(np.mean(risks[name], axis=0), GAO["figure1"][name][setting], atol=1e-9), name


def test_risk_is_monotone_in_symmetric_noise_on_average(figure1):
    sample, table, eta = figure1
    risks = []
    for p in (0.0, 0.2, 0.4):
        labels = [
            Vote().predict(VoteProfile.count(table, LabelNoise(p, p).flip(sample.y, v), 2), 20) for v in sample.v[:3]
        ]
        risks.append(np.mean([risk.exact(each, eta) for each in labels]))
    assert risks == sorted(risks)


def test_fit_gives_the_rule_itself():
    table = NeighborTable.build(np.eye(3), None, 2)
    assert Vote().fit(table, np.zeros(3, int), 1, 2) == Vote()
    assert Threshold(0.3).fit(table, np.zeros(3, int), 1, 2) == Threshold(0.3)


def test_refusals():
    with pytest.raises(ValueError, match=r"cut must be between 0 and 1, got 1\.2"):
        Threshold(1.2)
    for cut in (None, "0.5", True):
        with pytest.raises(ValueError, match=f"cut must be a number, got {cut!r}"):
            Threshold(cut)
    with pytest.raises(ValueError, match="a threshold decides between two classes, got 3"):
        Threshold(0.5).predict(profile_of([2, 1], 3), 2)
    with pytest.raises(ValueError, match=r"flip rates must satisfy p0 \+ p1 < 1, got 0.70 \+ 0.40"):
        Threshold.from_rates(0.7, 0.4)
