"""Keys, scenes and explanations of lesson 06 beside what the library computes."""

import numpy as np
import pytest
from lesson_pages import Page, stored

from knnviz import NeighborTable, VoteProfile
from knnviz.active import Scheme, trial, two_stage_sample
from knnviz.bounds import rittler
from knnviz.bounds.chaudhuri_dasgupta import passive_exponents
from knnviz.labs import ActiveLab, ActiveRatesLab
from knnviz.problems import breast_cancer, bump

SEED = np.random.SeedSequence(0)
DISAGREEMENTS = [f"disagreement of the {name} learner" for name in ("passive", "active")]


def mean_vote(p):
    return 0.02 + 0.96 * min(1, 0.022 / p)


def test_exam():
    assert (rittler.expected_passive_fraction(0.2, 0.25), rittler.expected_draws(300, 0.2, 0.25)) == (0.5, 750)
    assert [mean_vote(0.4), 0.5 - mean_vote(0.4), 2 * np.sqrt(np.log(20) / 100)] == pytest.approx(
        [0.073, 0.427, 0.346], abs=5e-4
    )
    exponents = passive_exponents(1, 0.5).disagreement, rittler.active_exponents(1, 0.5).disagreement
    assert exponents == pytest.approx((1 / 6, 1 / 5))
    assert [round(1000**each, 1) for each in exponents] == [3.2, 4.0]


def test_the_first_two_sections():
    bought = two_stage_sample(bump(0.022, 0.98, 0.02), 1000, 1000, Scheme(100, 0.1), SEED)
    first, in_augmented = bought.first, int(bought.in_augmented.sum())
    middle = VoteProfile.count(NeighborTable.build(first.X, np.array([[0.5]]), 100), first.y, 2).at(100)
    assert (middle[0, 1], in_augmented) == (18, 669)
    assert [close for close in range(101) if abs(close / 100 - 0.5) < first.width][:: 84 - 16] == [16, 84]
    assert 100 * first.augmented_mass / in_augmented == pytest.approx(0.017, abs=5e-4)
    assert [round(mean_vote(p), 2) for p in (0.1, 0.05, 0.017)] == [0.23, 0.44, 0.98]
    assert round(bought.expected_passive_fraction, 2) == 0.49
    lost = ActiveLab(voters="inclusive", seed=11).readout()
    assert [lost["mass of H"], *(lost[name] for name in DISAGREEMENTS)] == [0, 0.022, 0.022]


def test_factors_at_the_same_and_at_the_best_k():
    found = {row["k"]: row for row in stored("rittler_experiments", "disagreement") if row["experiment"] == "A"}
    same = found[100]["passive"], found[100]["inclusive"]
    assert [round(each, 3) for each in same] == [0.019, 0.002]
    assert round(same[0] / same[1]) == 9
    ks = 3, 7, 30, 100
    bought = bump(0.022, 0.98, 0.02), 1000, 1000, Scheme(100, 0.1), ks
    runs = np.array([trial(*bought, each).disagreement[[0, 2], 0] for each in np.random.SeedSequence(0).spawn(100)])
    means = runs.mean(axis=0)
    assert [ks[place] for place in means.argmin(axis=1)] == [7, 7]
    assert means[:, 1] == pytest.approx([0.0009, 0.0002], abs=5e-5), "the curves of the lab"
    assert runs[:, :, 1].std(axis=0, ddof=1).max() / 10 < 0.0001
    assert 4 < means[0, 1] / means[1, 1] < 5


def test_where_the_condition_holds():
    usable = [ActiveRatesLab(constant_power=power).readout()["usable for n"] for power in (-3.0, 0.0)]
    assert usable == ["5.3·10³ to 1.6·10¹¹", "none"]
    assert round(10**0.3) == 2


def test_cells():
    names, cells = {}, Page("06-active-learning.ipynb").cells
    for name in ("opening", "pool"):
        exec(cells[name].source.replace('opening("active_learning")', ""), names)
    (first, *_), *_, (passive, _, gain, error) = names["rows"].values()
    assert (round(gain, 1), round(error, 1)) == (-0.1, 0.3)
    assert abs(first - passive) < 0.5
    assert two_stage_sample(breast_cancer(), 100, 0, Scheme(50, 0.1), SEED).first.hard_mass > 0.95


def test_going_further():
    presets = {each.name: each.values for each in ActiveLab.presets}
    assert presets["pi = 0, outside Theorem 7"].items() >= {"n": 300, "k_vote": 341}.items()
    rows = stored("rittler_experiments", "disagreement")
    noisy = [min(row[name] for row in rows if row["experiment"] == "F") for name in ("passive", "strict")]
    assert [round(each, 4) for each in noisy] == [0.0014, 0.0007]
    gains = {row["experiment"]: row["passive"] - row["strict"] for row in rows if row["k"] in (100, 300)}
    assert max(gains[letter] for letter in "BD") < 0
    slopes = {
        (row["problem"], row["constant"], row["learner"]): round(row["exponent"], 2)
        for row in stored("rittler_rates", "slopes")
        if row["rule"] == "active"
    }
    for problem, constant, expected in (
        ("power(kappa=1.25)", 0.1, (0.34, 0.34)),
        ("leaning(kappa=1.25, left=0.2)", 0.1, (0.32, 0.36)),
        ("leaning(kappa=1.25, left=0.2)", 0.005, (0.28, 0.28)),
    ):
        assert tuple(slopes[problem, constant, learner] for learner in ("passive", "strict")) == expected
