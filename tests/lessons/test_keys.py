"""Numbers on pages and run sheets that no step of a lab checks and no cell shows, computed.

Each function ``keys_...`` belongs to the lesson whose number it has. It gives numbers as pages
print them, and their values. Sums that a text writes out are computed from it.
"""

import re
from functools import cache
from math import comb

import nbformat
import numpy as np
import pytest
from lesson_labs import NOTEBOOKS, made
from scipy.stats import binom
from sklearn.datasets import load_digits, load_wine
from test_setup import ROOT

from knnviz import (
    BagProcess,
    LabelNoise,
    NeighborTable,
    Robust,
    Vote,
    VoteProfile,
    Weighted,
    labs,
    problems,
    regions,
    risk,
    weights,
)
from knnviz.active import Scheme, trial, two_stage_sample, vote
from knnviz.bounds import chaudhuri_dasgupta, errandonea, reeve_kaban, rittler
from knnviz.estimators import PartialLabelKNeighborsClassifier, RobustKNeighborsClassifier
from knnviz.labs import bag_noise as bag_noise_lab
from knnviz.labs.neighbors import KS
from knnviz.labs.parts import sources
from knnviz.labs.pool import pools
from knnviz.learnability import (
    EXAMPLES,
    cooccurrence,
    decode,
    frequency,
    process_matrix,
    process_of,
    rank,
)
from knnviz.learnability.comparison import BagSplit
from knnviz.lessons import content
from knnviz.lessons.openings import (
    class_weights,
    learnability,
    nearest_neighbors,
    tuning_weights,
)
from knnviz.noise import theta
from knnviz.problems import answers
from knnviz.rules import PartialAdaptive


@cache
def cells(lesson):
    (path,) = NOTEBOOKS.glob(f"{lesson}-*.ipynb")
    return nbformat.read(path, as_version=4).cells


@cache
def text(lesson):
    """What a lesson, its cards and its run sheet say."""
    (chapter,) = content.CHAPTERS.glob(f"{lesson}-*.toml")
    sheet = ROOT / f"docs/teach/{lesson}.md"
    prose = [path.read_text("utf-8") for path in (chapter, sheet)]
    return "\n".join([*prose, *[cell.source for cell in cells(lesson)]])


def read(cell, **moved):
    """What the lab of a cell reads out after some of its controls have moved."""
    return made(cell).set(**moved).readout()


def noisy(eta, p0=0.0, p1=0.0):
    """The probability of an observed label 1 where that of a true one is ``eta``."""
    eta = np.asarray(eta)
    return LabelNoise(p0, p1).corrupt(np.stack([1 - eta, eta], axis=1))[:, 1]


def keys_00_flips():
    yield "55 0.25", 90 * 0.5 + 10, 0.5 * 0.5
    assert binom.cdf(27, 100, 0.3) > 0.2


def keys_01_exam():
    yield "0.16 0.48", 0.4 * 0.1 + 0.6 * 0.2, 0.4 * 0.9 + 0.6 * 0.2
    two = binom.sf(1, 3, 0.8)
    yield "0.32 0.896 0.26", 2 * 0.8 * 0.2, two, two * 0.2 + (1 - two) * 0.8
    yield "0.004 0.09 0.0025", 0.8 * 0.2 / 40, (0.5 - 0.8) ** 2, 0.5 * 0.5 / 100


def keys_01_risks():
    def means(problem, n, ks):
        return risk.curve(problem, Vote(), over={"k": ks}, n=n, repeats=20).mean[0]

    few, many = [means(problems.bump(), n, KS) for n in (500, 2000)]
    yield "0.18 0.19 9", few[0], few[-1], KS[few.argmin()]
    assert KS[many.argmin()] > 9
    assert many[0] == pytest.approx(few[0], abs=0.01)
    yield "8", read("01 lab3", k=200, x1=0.41, seed=4)["wrong at x"].split()[0]

    board = problems.checkerboard()
    assert means(board, 4000, [1]) == pytest.approx(means(board, 400, [1]), abs=0.005)
    best = board.bayes_risk()
    yield "0.375 0.42", risk.one_nn_limit(board), 2 * best * (1 - best)
    yield "0.25", 0.05 / 0.2
    yield "0.10 0.63 0.95", *[0.01 ** (1 / d) for d in (2, 10, 100)]
    for printed, votes, k in (("0.67 0.16", 6, 9), ("0.47 0.05", 47, 101), ("0.62 0.09", 18, 29)):
        yield printed, votes / k, binom.std(k, votes / k) / k


def keys_01_data():
    yield "1680", load_wine().data.max()
    assert problems.breast_cancer().y_test[nearest_neighbors.new_tumor()] == 0


def keys_02_exam():
    yield "0.1", 1 - 2 * 0.45
    yield "0.4 20", theta(0.2, 0.4), 50 * theta(0.2, 0.4)
    yield "0.04", 0.4 * 0.1
    yield "0.26 0.29", 0.2 + 0.6 * 0.1, 0.2 + 0.6 * 0.15
    smoothed = read("02 lab5", k_noise=20)
    yield "0.4 0.8", smoothed["threshold"], 1 - smoothed["estimated p1"]


def keys_02_tumors():
    tumors = problems.breast_cancer()
    sample = tumors.sample(tumors.max_size)
    observed = LabelNoise(p1=0.3).flip(sample.y, sample.v)

    def judged(k, k_noise=60, rates=(0.0, 0.0)):
        rule = RobustKNeighborsClassifier(k, noise_neighbors=k_noise, noise_rates=rates)
        rule.fit(sample.X, observed)
        return rule.threshold_, rule.predict(tumors.X_test) != tumors.y_test

    _, many = judged(51)
    yield "108 19", sum(tumors.y_test == 0), many[tumors.y_test == 1].sum()
    low, small = judged(25, 24, None)
    yield "0.42", low
    _, plain = judged(25)
    assert small.sum() == plain.sum()

    near = NeighborTable.build(sample.X, tumors.X_test, 25).indices
    ones = observed[near].sum(axis=1)
    yield "171 29", len(ones), sum((ones >= 6) & (ones <= 12))


def keys_02_the_price_of_misled_points():
    at = read("02 lab2", overlay="misled points")
    yield "0.18", (at["limit of kNN"] - at["Bayes risk"]) / at["misled mass"]
    yield "1.25", 0.5 / (1 - 0.6)
    # Symmetric noise below one half never misleads.
    eta = np.linspace(0, 1, 1001)
    for rate in (0.2, 0.3, 0.49):
        assert (np.sign(noisy(eta, rate, rate) - 0.5) == np.sign(eta - 0.5))[eta != 0.5].all()
    # Where the two raters differ.
    yield "42 54", *100 * noisy([0.6], p1=0.3), *100 * noisy([0.6], 0.3, 0.3)


NOISE = LabelNoise(p0=0.1, p1=0.3)
CLEAN = LabelNoise()
LINE = {"smoothness": 1, "smoothness_constant": 1}


def keys_03_worlds():
    x = np.linspace(0, 1, 10_001)
    world_a = noisy(x, 0.1, 0.3)
    swapped = 0.7 + (1 - 0.7 - 0.9) * (1 - x)
    np.testing.assert_allclose(swapped, world_a)
    # Labels of 50 points in both worlds, and how many of them flip.
    yield "25 20 10", 50 * x.mean(), 50 * world_a.mean(), 50 * np.mean(0.1 * (1 - x) + 0.3 * x)

    # Where the noisy majority changes.
    found = [*noisy([2 / 3], 0.1, 0.3), *noisy([1 / 3], 0.3, 0.1), *noisy([2 / 3], 0.1)]
    assert found == pytest.approx([0.5, 0.5, 0.7])

    yield "0.028", (1 / 6) ** 2
    # A triangle below abs(2 eta - 1).
    yield "0.0016 0.0004", (0.5 - 0.46) ** 2, (0.5 - 0.48) ** 2
    few = labs.RatesLab(shape="ramp", n=2000, seed=0, neighbors="k as set", k=150).readout()
    yield "0.25", few["estimated p1"]
    terrace = labs.RatesLab(shape="plateau", n=1000, rules="kNN").readout()
    yield "0.38 0.31", terrace["limit of kNN"], terrace["Bayes risk"]


def keys_03_rates():
    def curve(noise, rule):
        k = {"k": lambda n: reeve_kaban.k_n(n, 0.05, **LINE)}
        over = {"n": [1000, 8000, 64_000]}
        return risk.curve(problems.ramp(), {"rule": rule}, noise=noise, over=over, repeats=100, **k)

    curves = [curve(CLEAN, Vote()), curve(NOISE, Robust(votes="order"))]
    yield "0.04 0.04", *[risk.fitted_rate(each, "rule").error for each in curves]
    clean, repaired = [each.mean[0] - each.bayes_risk for each in curves]
    factors = repaired / clean
    yield "3 5", factors.min(), factors.max()
    assert factors.max() > 1.2 * factors.min(), "no constant factor at every n"

    powers = [reeve_kaban.exponent(1, beta) for beta in (1, 1 / 3)]
    assert powers == pytest.approx([2 / 3, 4 / 9])
    x = np.linspace(0, 1, 200_001)
    distance = abs(4 * (x - 1 / 2) ** 3)
    for t in (0.001, 0.01, 0.1):
        assert np.mean(distance < t) == pytest.approx(2 * (t / 4) ** (1 / 3), rel=1e-3)


def test_03_no_better_power_is_guaranteed_where_alpha_beta_is_at_most_1():
    """Where it is 2, two points with half of the mass each, kNN falls faster than the power."""

    def excess(n):
        k = n // 4 | 1
        too_few_points = binom.cdf(k - 1, n, 0.5)
        too_few_votes = binom.cdf(k // 2, k, 0.8)
        return 0.6 * (too_few_points + too_few_votes)

    assert np.log2(excess(200) / excess(400)) > 2 * reeve_kaban.exponent(1, 2)


def keys_03_the_bound():
    clean = read("03 lab6")
    ratio = read("03 lab6", p0=0.1, p1=0.3)["bound on excess"] / clean["bound on excess"]
    yield "2.6 2.8", clean["millions of labels until the bound is below 1"], ratio


def keys_03_exam():
    least, most = noisy([0.0, 0.8], 0.1, 0.2)
    middle = (least + most) / 2
    yield "0.1 0.34 0.38 0.4", least, 1 - most, middle, (middle - 0.1) / 0.7
    assert 16 ** -reeve_kaban.exponent(0.5, 1) == 1 / 4
    # A bound of 5 at 1000 labels, and a constant of 4.
    bound = 5 * (100_000 / 1000) ** -0.5
    assert (bound, 4**1.5) == pytest.approx((0.5, 8))


def keys_04_the_patients():
    _, malignant = class_weights.patients()
    yield "94", 100 * (1 - malignant.mean())
    lab = made("04 lab1")
    reads = [lab.set(needed=needed).readout() for needed in range(1, 26)]
    found = np.array([each["malignant found"].part for each in reads])
    false = np.array([each["false alarms"].part for each in reads])
    assert false[3] == 0
    yield "0.16 17", 4 / 25, found[3]
    costs = [[price * (22 - found) + false] for price in (4, 20)]
    assert [np.argmin(each) + 1 for each in costs] == [3, 1]
    scores = [each["F1"] for each in reads]
    assert np.argmax(scores) + 1 == 3
    yield "0.44 11", max(scores) / 2, np.ceil(25 * max(scores) / 2)


def keys_04_the_rare_class():
    yield "0.40", problems.rare().cells(1000)[1][:, 1].max()
    yield "361", read("04 lab2", price=20, t=0.2)["cost per 1,000 points, Bayes rule"]
    lab = made("04 lab3").set(k=60, rules="kNN and Bayes rule")
    low = lab.set(t=0.057).readout()
    yield "5.7 95", 100 * low["prevalence"], 100 * low["recall, Bayes rule"]
    false = 1 - low["precision, Bayes rule"]
    assert false == pytest.approx(3 / 4, abs=0.02), "three of four alarms are false"
    best = low["reached at t"]
    yield "0.23 3.4 0.39", best, 1 / best - 1, lab.set(t=0.35).readout()["recall, Bayes rule"]

    flat = [lab.set(t=t).readout()["F1, new points"] for t in (0.18, 0.2, 0.25)]
    assert flat == pytest.approx([0.45] * 3, abs=5e-3), "flat near its peak"
    high = lab.set(t=0.42).readout()
    yield "0.20 0.00", high["F1, new points"], high["F1, Bayes rule"]
    ends = lab.set(t=0.228, bounds="epsilon as set").readout()
    yield "0.27 0.68", *[ends[f"{end} F1 by entry bounds"] for end in ("least", "largest")]


def keys_04_three_classes():
    grid, eta = sources.named(made("04 lab5").problem).cells(200)
    prior = grid.weights @ eta
    yield "15", 100 * prior[0]
    balanced = 1 / prior
    about = content.steps("weights-of-three")[1]["set"].values()
    assert [*about] == pytest.approx(balanced / balanced.sum(), abs=5e-3)

    lab = labs.WeightLab(overlay="effective boundary")
    vacuous = lab.readout()
    yield "0.11 0.29", vacuous["ball mass p"], vacuous["margin Delta"]
    assert vacuous["boundary mass"] == 1
    cautious = lab.set(n=8000, k=200).readout()
    yield "0.83 0.07", cautious["bound of Theorem 1"], cautious["disagreement"]


def test_04_small_balls_differ_from_the_bayes_rule_mostly_near_ties_and_large_ones_do_not():
    waves = problems.waves()
    grid, eta = waves.cells(4000)
    sample = waves.sample(1000, 0)
    table = NeighborTable.build(sample.X, grid.points, 200)
    votes = VoteProfile.build(table, sample.y, 3)
    q = np.array((0.5, 0.3, 0.2))
    narrow = regions.margins(eta, q) < 0.05

    def near_ties(k):
        differs = Weighted(q).predict(votes, k) != (q * eta).argmax(axis=1)
        return narrow[differs].mean()

    assert near_ties(200) < 0.5 < 0.6 < near_ties(10)
    assert near_ties(50) > 0.8


def f1(tp, fp, fn):
    return tp / (tp + fp / 2 + fn / 2)


def keys_04_exam():
    yield "1.40 1.80", 2 * 0.7, 6 * 0.3
    yield "0.53 0.67", f1(40, 60, 10), f1(30, 10, 20)
    yield "0.125 0.105 0.08 0.02", 0.25 * 0.5, 0.35 * 0.3, 0.4 * 0.2, 0.25 * 0.5 - 0.35 * 0.3
    yield "0.012 0.002", 0.03 * 0.4, 0.2 * 0.01
    assert f1(18, 0, 2) > f1(19, 2, 1)
    finds = [(1 - t) / t for t in (0.08, 0.15, 0.3, 0.35, 0.4)]
    assert finds[0] > 10 > finds[1] > 3 > finds[2] > 2 > finds[3] > finds[4]


def keys_05_exam():
    yield "0.90 0.32", 90 / 100, f1(90, 10, 0) / 3
    yield "0.5", 5 * 0.4 / 4
    yield "1.54 0.65", luck(10), 0.60 + 0.03 * luck(10)
    yield "47", 100 * (1 - (31 / 32) ** 20)
    assert 1 - (26 / 32) ** 20 > 0.98, "somebody has four heads or five"


def luck(n):
    """How many standard errors the best of n equal choices is too high."""
    return np.random.default_rng(0).normal(size=(100_000, n)).max(axis=1).mean()


def keys_05_scenes():
    searched = tuning_weights.search_results().searched
    scores = searched(weights.simplex_grid(3, 100))
    yield "48", 100 * np.isclose(scores, scores.min()).mean()

    yield "0.231", 3 / 13
    for border in (3 / 13, 2 / 19):
        around = [[q, (1 - q) / 2, (1 - q) / 2] for q in (border - 0.001, border + 0.001)]
        assert len({*searched(np.array(around))}) == 2

    for step, end in ((0.05, "0.30"), (0.1, "0.30"), (0.12, "0.30"), (0.18, "0.77")):
        longer = read("05 lab2", step=step, n_steps=10)
        yield end, longer["macro F1 on the sample, greedy search"]


def keys_05_prose():
    sizes = np.bincount(problems.rare_digits().y_train)
    yield "80 8 8 0.18", *sizes, tuning_weights.search_results().greedy.q[2]
    claimed = []
    for seed in range(100):
        drawn = tuning_weights.search_results.__wrapped__(seed)
        claimed.append(drawn.grid.score > drawn.new(drawn.grid.q))
    yield "6 78", sum(claimed[:10]), sum(claimed)
    yield "5,151 4.3 66 84", comb(102, 2), comb(109, 9) / 1e12, comb(12, 2), 96 * 7 / 8
    yield "0.87 0.84", 0.80 + 0.04 * luck(20), 0.80 + 0.02 * luck(20)


def keys_05_micro_f1():
    classes = problems.gaussians(3, problems.zipf(3, 1.0), 0.28)
    options = weights.SearchOptions((0.3, 0.3, 0.4), scoring="f1_micro", validation="loo")
    *_, found = weights.trials(classes, options, [1000], repeats=20)
    _, error = found.difference("micro", "unweighted", "grid")
    yield "0.001", *error


def keys_05_further():
    _, eta = problems.waves().cells(4000)
    bayes = weights.WeightScorer.from_fractions(eta, eta)
    best = weights.grid_search(bayes, weights.simplex_grid(3, 100))
    yield "0.616 0.618", bayes(np.ones(3)), best.score
    ranks = 1 / np.arange(1, 1001)
    tail = ranks / ranks.sum()
    yield "334", problems.expected_seen(tail, 1000)
    singletons = problems.expected_singletons(tail, 1000)
    assert singletons == pytest.approx(200, abs=15), "one point in five"


BUMP = problems.bump(0.022, 0.98, 0.02)
ROUNDS = 1000, 1000, Scheme(100, 0.1)


def mean_vote(p):
    return 0.02 + 0.96 * min(1, 0.022 / p)


def keys_06_exam():
    assert rittler.expected_passive_fraction(0.2, 0.25) == 0.5
    yield "750", rittler.expected_draws(300, 0.2, 0.25)
    width = 2 * np.sqrt(np.log(20) / 100)
    yield "0.073 0.427 0.346", mean_vote(0.4), 0.5 - mean_vote(0.4), width
    passive = chaudhuri_dasgupta.passive_exponents(1, 0.5).disagreement
    active = rittler.active_exponents(1, 0.5).disagreement
    assert (passive, active) == pytest.approx((1 / 6, 1 / 5))
    yield "3.2 4.0", 1000**passive, 1000**active


def keys_06_the_bump():
    bought = two_stage_sample(BUMP, *ROUNDS)
    first = bought.first
    voters = NeighborTable.build(first.X, np.array([[0.5]]), 100).indices
    close = np.flatnonzero(abs(np.arange(101) / 100 - 0.5) < first.width)
    yield "18 16 84", first.y[voters].sum(), close.min(), close.max()
    many = bought.in_augmented.sum()
    yield "669 0.017", many, 100 * first.augmented_mass / many
    yield "0.23 0.44 0.98", *map(mean_vote, (0.1, 0.05, 0.017))
    yield "0.49", bought.expected_passive_fraction

    lab = labs.ActiveLab(voters="inclusive")
    empty = [seed for seed in range(100) if lab.set(seed=seed).readout()["mass of H"] == 0]
    assert (len(empty), empty[0]) == (4, 11), "four of a hundred samples"
    lost = lab.set(seed=11).readout()
    yield "0.022 0.022", *[lost[f"disagreement of the {each} learner"] for each in LEARNERS]


LEARNERS = ("passive", "active")


def keys_06_a_free_k():
    streams = np.random.SeedSequence(0).spawn(300)
    ks = [3, 5, 7, 300]
    trials = [trial(BUMP, ks, *ROUNDS, each) for each in streams]
    passive, active = np.mean([each.disagreement[[0, 2], 0] for each in trials], axis=0)
    assert [ks[each.argmin()] for each in (passive, active)] == [5, 5]
    yield "1.0", passive[-1] / active[-1]
    few_targeted = 1000, 1000, Scheme(100, 0.9)
    lost = [trial(BUMP, [100], *few_targeted, each).disagreement[2, 0, 0] for each in streams]
    yield "0.016", np.mean(lost)


def keys_06_tumors():
    ks = range(5, 46, 2)
    reads = [labs.PoolLab(k=k).readout() for k in ks]
    yield "2.45 18.5", reads[-1]["mean gain"], reads[5]["mean errors with 100 labels"]
    bests = []
    learners = {"errors with 100 labels": 13, "passive errors": 17, "active errors": 21}
    for name, best in learners.items():
        errors = [each[f"mean {name}"] for each in reads]
        assert ks[np.argmin(errors)] == best
        bests.append(min(errors))
    yield "18.15 18.40 17.55 0.85", *bests, bests[1] - bests[2]

    def errors_of_all(k):
        wrong = [
            vote(each.X_train, each.y_train, each.X_test, k) != each.y_test for each, _ in pools()
        ]
        return np.sum(wrong, axis=1).mean()

    errors = [errors_of_all(k) for k in ks]
    yield "18.25 16.65", errors[5], min(errors)


def keys_06_insurance():
    for pi, ahead, printed in ((0, 12, "0.0305"), (0.1, 11, None), (0.3, 8, "0.0050")):
        lab = made("06 lab3").set(labels=2000, passive_fraction=pi)
        reads = [lab.set(seed=seed).readout() for seed in range(12)]
        names = [f"disagreement of the {each} learner" for each in LEARNERS]
        passive, active = np.array([[each[name] for name in names] for each in reads]).T
        assert (passive < active).sum() == ahead, "eleven of twelve samples, and eight"
        yield "0.0038", passive.mean()
        if printed:
            yield printed, active.mean()
    first = two_stage_sample(problems.hidden_bump(), 250, 1750, Scheme(100, 0)).first
    yield "0.45", first.hard_mass


def keys_06_outside_theorem_7():
    presets = {each.name: each.values for each in labs.ActiveLab.presets}
    outside = presets["pi = 0, outside Theorem 7"]
    yield "300 341", outside["n"], outside["k_vote"]


def often(inclusion, *eta):
    """In which fraction of bags each label is, at one point."""
    process = BagProcess(np.asarray(inclusion))
    return process.frequency(np.zeros((1, 1)), np.array([eta]))[0]


def keys_07_exam():
    for b, sign in ((0.32, -1), (1 / 3, 0), (0.34, 1)):
        first, second = often([[0, b], [0, 0]], 0.6, 0.4).round(9)
        assert first == 0.6
        assert np.sign(second - first) == sign
    process = BagProcess.from_inclusion(3, 0.4, 0.5)
    first, second, _ = process.frequency(np.zeros((1, 1)), np.array([[0.6, 0.3, 0.1]]))[0]
    yield "0.09 11", first - second, (0.3 / (first - second)) ** 2
    yield "24", next(k for k in range(16, 26) if 1.2 / k**0.5 <= 4 / 16)


def keys_07_scenes():
    eta = 5 / 7, 1 / 7, 1 / 7
    yield "0.71 0.14", *often(np.zeros((3, 3)), *eta)[:2]
    yield "0.94 0.83", *often(np.full((3, 3), 0.8), *eta)[:2]
    yield "1.71", PartialAdaptive().band_constant(answers.LABELED, 10)


def keys_07_bags_of_the_digits():
    stream = np.random.SeedSequence(0).spawn(5)[0]
    split = BagSplit.draw(*load_digits(return_X_y=True), stream)
    yield "360", len(split.y_test)
    yield "258", np.ceil(errandonea.least_c1())
    assert PartialAdaptive().least_k(5000, 3) == 3


def keys_07_the_scan_and_the_students():
    X, bags = answers.archive()
    y = load_digits().target
    n = answers.LABELED
    yield "0.99 597", bags[np.arange(n), y[:n]].mean(), len(y[n:])
    assert y[answers.SCAN] == 9

    for printed, given in (("0.15", bags), ("0.04", np.eye(10, dtype=bool)[y])):
        model = PartialLabelKNeighborsClassifier(max_neighbors=100).fit(X[:n], given[:n])
        yield printed, np.mean(model.predict(X[n:]) != y[n:])


def keys_07_undecided_scans():
    """Where PL A-kNN is wrong at noise 0.6: on undecided scans, and less with the majority at T."""
    j = bag_noise_lab.NOISES.index(0.6)
    found = []
    for number in range(5):
        split = bag_noise_lab.draw("digits", "vision", 0, number)
        bags = bag_noise_lab.with_bags(split, 0.8, "confusion").bags[j]
        scan = PartialAdaptive(max_neighbors=100).scan(split.table, bags, 10)
        found.append([scan.labels != split.y_test, scan.decided])
    wrong, decided = np.concatenate(found, axis=1)
    yield "0.01 0.35", wrong[decided].mean(), wrong[~decided].mean()
    lab = made("07 lab6").set(rules="PL A-kNN, 10-NN and best k", bag_noise=0.6)
    yield "0.21", lab.set(fallback="majority").readout()["PL A-kNN errs"]


def keys_07_questions():
    lengths = np.array([1, 1, 2, 2, 4])
    yield "2 10", lengths.mean(), lengths.sum()
    assert (55 - 30) / 90 >= 0.2 > (60 - 55) / 90
    yield "100", 0.1**-2
    assert pytest.approx(9) == (0.6 / 0.2) ** 2
    yield "0.115 0.2", 0.1 + 0.05 * 0.3, 0.5 * 0.5 * 0.8


def joined(*often):
    """The process in which the wrong labels join each true one so often."""
    return process_of(BagProcess(np.repeat(np.array(often)[:, None], len(often), axis=1)))


def keys_08_exam():
    process = process_matrix([{(0,): 0.5, (0, 1): 0.5}, {(1,): 0.2, (0, 1): 0.8}])
    eta = decode(process, np.array([0, 0.20, 0.12, 0.68]))
    yield "0.4 0.88 0.80", eta[0], *frequency(process, eta)
    process = process_matrix([{(1, 2): 1}, {(0, 2): 1}, {(0, 1): 1}])
    yield "3 0.5 0.7 0.8", rank(process), *frequency(process, np.array([0.5, 0.3, 0.2]))
    process = joined(0.5, 0.3, 0.3)
    together = cooccurrence(process)
    yield "0.5 0.7", 1 - together[1, 0], 1 - together[2, 1]
    yield "0.685 0.725", *frequency(process, np.array([0.55, 0.45, 0]))[:2]


def keys_08_questions():
    raters = EXAMPLES["a mixture of two"].process
    assert raters @ [0.4, 0.3, 0.3] == pytest.approx(raters @ [0.3, 0.2, 0.5])
    process = process_matrix([{(0, 1): 1}, {(0, 1): 0.5, (0, 1, 2): 0.5}, {(2,): 1}])
    together = cooccurrence(process)
    assert rank(process) == 3
    assert together[0] == pytest.approx(together[1])

    process = joined(0.6, 0.2, 0.2)
    together = cooccurrence(process)
    yield "0.4 0.8 0.8", *[1 - together[c - 2, c] for c in range(3)]
    assert frequency(process, np.array([0.55, 0.45, 0])).argmax() == 1
    yield "667", 1000 * EXAMPLES["first expert"].eta[0]
    assert binom.sf(5, 1000, 0.006) == pytest.approx(binom.sf(5, 100, 0.06), abs=0.01)


def keys_08_counting_group_a():
    (digits,) = [cell for cell in cells("08") if cell.id == "digits"]
    names = {**vars(learnability)}
    exec(digits.source, names)
    held = names["bags_A"][names["nearest"]].sum(axis=1)
    wrong = held.argmax(axis=1) != names["y_new"]
    yield "0.22", wrong.mean()
    assert (held[wrong].argmax(axis=1) == 8).all()
    yield "28 26", *held[learnability.NEW_SCAN, [1, 8]]


def keys_08_a_rare_clue():
    process = process_matrix([{(0,): 0.1, (0, 1): 0.9}, {(0, 1): 1}])
    even = decode(process, np.array([0, 0.05, 0, 0.95]))
    assert even == pytest.approx([0.5, 0.5]), "more than 5 of 100 are needed"
    yield "0.56 0.97 0.97", *binom.sf([5, 100, 50], [100, 2000, 100], [0.06, 0.06, 0.6])
    process = EXAMPLES["supersets without full rank"].process
    assert rank(process) == 3
    assert np.diag(cooccurrence(process)) == pytest.approx([1, 1, 1, 1])


KEYS = {name.removeprefix("keys_"): each for name, each in globals().items() if "keys_" in name}


def is_printed(number, value):
    """To as many digits as it has."""
    decimals = len(number.partition(".")[2])
    return f"{float(value):.{decimals}f}" == number.replace(",", "")


@pytest.mark.parametrize("name", KEYS)
def test_pages_print_what_is_computed(name):
    for printed, *values in KEYS[name]():
        for number, value in zip(printed.split(), values, strict=True):
            alone = rf"(?<![\d.]){re.escape(number)}(?![.,]?\d)"
            assert re.search(alone, text(name[:2])), f"no page says {number}"
            assert is_printed(number, value)


#: A whole sum of numbers, and its result.
SUM = re.compile(
    r"(?<![-+*/(] )(?<![-+*/(^\w.])(\d(?:[\d. +*/-]|\([\d. +*/-]+\)){2,}) ?= ?(\d[\d.]*\d|\d)"
)


def test_sums_that_are_written_out_are_right():
    sums = []
    for chapter in content.CHAPTERS.glob("*.toml"):
        multiplied = re.sub(r"·|×|\\cdot", "*", text(chapter.name[:2]))
        powers = re.sub(r"√(\d+)", r"\1**0.5", multiplied)
        sums += SUM.findall(powers)
    assert sums
    for terms, result in sums:
        assert is_printed(result, eval(terms)), (terms, result)
