"""Numbers on pages and run sheets that no step of a lab checks and no cell shows, computed."""

import re
from functools import cache
from math import comb

import nbformat
import numpy as np
import pytest
from scipy.stats import binom
from sklearn.datasets import load_digits, load_wine
from sklearn.metrics import f1_score
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
from knnviz.active import Scheme, trial, two_stage_sample
from knnviz.bounds import errandonea, gao, reeve_kaban, rittler
from knnviz.bounds.chaudhuri_dasgupta import cover_hart_interval, passive_exponents
from knnviz.estimators import PartialLabelKNeighborsClassifier
from knnviz.labs.neighbors import KS
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
from knnviz.lessons import content, load, published
from knnviz.lessons.openings import class_weights, nearest_neighbors, partial_labels, tuning_weights
from knnviz.noise import misled_points, theta
from knnviz.rules import PartialAdaptive, Threshold


@cache
def cells(lesson):
    (path,) = (ROOT / "notebooks").glob(f"{lesson}-*.ipynb")
    return {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}


@cache
def text(lesson):
    """What a lesson and its run sheet say."""
    (chapter,) = (ROOT / "knnviz/lessons/chapters").glob(f"{lesson}-*.toml")
    prose = [cell.source for cell in cells(lesson).values()]
    return "\n".join(
        [*prose, chapter.read_text("utf-8"), (ROOT / f"docs/teach/{lesson}.md").read_text("utf-8")]
    )


def says(lesson, printed, *values):
    """Fail unless each number stands on a page of the lesson and is the value, to as many
    digits.
    """
    for number, value in zip(printed.split(), values, strict=True):
        assert re.search(rf"(?<![\d.]){re.escape(number)}(?![.,]?\d)", text(lesson)), (
            f"no page says {number}"
        )
        assert f"{float(value):.{len(number.partition('.')[2])}f}" == number.replace(",", "")


def opened(lesson, cell, **moved):
    """What the lab of a cell reads out after some of its controls have moved."""
    names = {each: getattr(module, each) for module in (labs, problems) for each in module.__all__}
    return eval(cells(lesson)[cell].source, names).set(**moved).readout()


def test_00_flips():
    flipped = [
        LabelNoise(p1=p1).corrupt([[1 - eta, eta]])[0, 1] for eta, p1 in ((0.7, 0.4), (0.6, 0.3))
    ]
    says("00", "0.42 0.42", *flipped)


def test_01_exam():
    masses = np.array([0.4, 0.6])
    eta = np.array([0.9, 0.2])
    two = 0.8**3 + 3 * 0.8**2 * 0.2
    says("01", "0.16 0.48", masses @ np.minimum(eta, 1 - eta), masses @ eta)
    says("01", "0.32 0.896 0.26", 2 * 0.8 * 0.2, two, two * 0.2 + (1 - two) * 0.8)
    wide = (0.2 * 0.8 + 0.2 * 0.2) / 0.4
    says("01", "0.0032 0.09 0.0025", 0.8 * 0.2 / 50, (wide - 0.8) ** 2, wide * (1 - wide) / 100)


def test_01_risks():
    valley = risk.curve(problems.bump(), Vote(), over={"k": KS}, n=500, repeats=20).mean[0]
    says("01", "0.18 0.19 9", valley[0], valley[-1], KS[valley.argmin()])
    says("01", "0.26", labs.NeighborLab(problem="bump", n=500, k=200, seed=4).numbers["risk"])
    board = problems.checkerboard()
    says("01", "0.375 0.42", risk.one_nn_limit(board), cover_hart_interval(board.bayes_risk())[1])
    says("01", "0.10 0.63", 0.01 ** (1 / 2), 0.01 ** (1 / 10))
    start = {"problem": "jump", "overlay": "advantage", "mass_cap": 0.25}
    near, far = (labs.NeighborLab(x1=x, **start).numbers["advantage at x"] for x in (0.45, 0.4))
    assert far == pytest.approx(2 * near, rel=0.02)


def test_01_data():
    says("01", "1680", load_wine().data.max())
    assert problems.breast_cancer().y_test[nearest_neighbors.new_tumor()] == 0


def test_02_keys():
    eta = np.linspace(0.3, 0.6, 3001)
    eta = np.stack([1 - eta, eta], axis=1)
    found = eta[misled_points(eta, LabelNoise(p0=0.2, p1=0.1).corrupt(eta)), 1]
    says("02", "0.43 0.5 0.1 20", found.min(), found.max(), abs(2 * 0.45 - 1), 50 * theta(0.2, 0.4))


def test_02_the_gap_on_the_tumors():
    tumors = problems.breast_cancer()
    sample = tumors.sample(tumors.max_size)
    observed = LabelNoise(p0=0.0, p1=0.3).flip(sample.y, sample.v)
    votes = VoteProfile.count(
        NeighborTable.build(sample.X, tumors.X_test, 25), observed, n_classes=2
    )
    missed = [
        (Threshold(at).predict(votes, 25) != tumors.y_test).sum() for at in (0.5, theta(0.0, 0.3))
    ]
    says("02", "6 171", missed[0] - missed[1], len(tumors.y_test))


def test_02_symmetric_noise_leaves_the_majority_below_one_half_only():
    assert "Symmetric noise below one half" in content.predictions()["second-rater"].known
    eta = np.linspace(0, 1, 1001)
    for tau in (0.2, 0.3, 0.49):
        noisy = LabelNoise(tau, tau).corrupt(np.stack([1 - eta, eta], axis=1))[:, 1]
        np.testing.assert_array_equal(
            np.sign(np.round(noisy - 0.5, 12)), np.sign(np.round(eta - 0.5, 12))
        )
    flipped_most = 0.6 + (1 - 2 * 0.6) * eta
    np.testing.assert_array_equal(
        np.sign(np.round(flipped_most - 0.5, 12)), -np.sign(np.round(eta - 0.5, 12))
    )


def test_02_theorem_4_bounds_a_limit():
    (further,) = (
        line for line in text("02").split("\n- ") if line.startswith("**Bounds, ties, figures.**")
    )
    bounds, limits = further.split(" bound the mean risk at finite $n$, ")
    assert "4" not in bounds
    assert limits.startswith("Theorem 4 its limit")
    board = problems.checkerboard()
    few = risk.curve(board, Robust((0.1, 0.3)), over={"n": [200]}, k=100, noise=NOISE, repeats=20)
    assert few.mean[0, 0] - few.bayes_risk > gao.theorem_4(100, NOISE), (
        "at 200 points it is no bound"
    )
    square = {"lipschitz": np.pi, "dimension": 2, "bayes_risk": board.bayes_risk()}
    for theorem in (gao.theorem_1, gao.theorem_5):
        assert theorem(board, 8000, 100, LabelNoise(0.2, 0.1), lipschitz=np.pi).value > 1
    assert gao.theorem_2(8000, 100, 0.2, **square) > 1


NOISE = LabelNoise(p0=0.1, p1=0.3)
LINE = {"smoothness": 1, "smoothness_constant": 1}


def test_03_worlds():
    X = np.linspace(0, 1, 7)[:, None]
    ramp = problems.ramp()
    swapped = 0.7 + (1 - 0.7 - 0.9) * (1 - ramp.eta(X)[:, 1])
    for noisy in (NOISE.corrupt(ramp.eta(X))[:, 1], problems.ramp(0.1, 0.7).eta(X)[:, 1], swapped):
        np.testing.assert_allclose(noisy, 0.1 + 0.6 * X[:, 0])
    world = labs.RatesLab(shape="ramp", n=16_000, rules="kNN").readout()
    says("03", "0.028 0.27", world["limit of kNN"] - world["Bayes risk"], world["risk of kNN"])
    other = labs.RatesLab(shape="ramp", n=2000, seed=0, neighbors="k as set", k=150).readout()
    says("03", "0.25 0.34", other["estimated p1"], NOISE.corrupt(np.array([[0.6, 0.4]]))[0, 1])
    terrace = labs.RatesLab(shape="plateau", n=1000, rules="kNN").readout()
    says("03", "0.38 0.31", terrace["limit of kNN"], terrace["Bayes risk"])


def test_03_rates():
    plan = {
        "over": {"n": [1000, 8000, 64_000]},
        "repeats": 100,
        "k": lambda n: reeve_kaban.k_n(n, 0.05, **LINE),
    }
    excess = []
    for noise, rule in ((LabelNoise(p0=0, p1=0), Vote()), (NOISE, Robust(votes="order"))):
        curve = risk.curve(problems.ramp(), {"rule": rule}, noise=noise, **plan)
        says("03", "0.04", risk.fitted_rate(curve, "rule").error)
        excess.append(curve.mean[0] - curve.bayes_risk)
    clean, noisy = excess
    factors = noisy / clean
    says("03", "3 5", factors.min(), factors.max())
    assert factors.max() > 1.2 * factors.min(), "no constant factor at every n"
    assert [reeve_kaban.exponent(1, beta) for beta in (1, 1 / 3)] == pytest.approx([2 / 3, 4 / 9])
    eta = 1 / 2 + 4 * (np.linspace(0, 1, 200_001) - 1 / 2) ** 3
    t = np.array([0.001, 0.01, 0.1])
    assert [np.mean(abs(eta - 1 / 2) < each) for each in t] == pytest.approx(
        2 * (t / 4) ** (1 / 3), rel=1e-3
    )


def test_03_no_better_power_is_guaranteed_where_alpha_beta_is_at_most_1():
    """Where it is 2, two points with half of the mass each, kNN falls faster than the power."""
    card = cells("03")["rate"].source
    assert r"\alpha\beta \le 1" in card
    assert "1 - 1/n" in card
    excess = {}
    for n in (200, 400):
        k = n // 4 | 1
        excess[n] = 0.6 * (binom.cdf(k - 1, n, 0.5) + binom.cdf(k // 2, k, 0.8))
    fall = np.log2(excess[200] / excess[400])
    assert fall > 2 * reeve_kaban.exponent(1, 2)


def test_03_the_bound():
    def bound(n):
        k = reeve_kaban.k_n(n, 0.01, **LINE)
        return reeve_kaban.theorem_4_3(
            n, k, 0.01, NOISE, **LINE, margin_exponent=1, margin_constant=2
        )

    says("03", "106 5", bound(8000), bound(10**6))
    assert bound(12_500_000) > 1 > bound(13_500_000), "13 million"
    says("03", "850,000", round(106 * 8000, -4))


def test_03_exam():
    least, most = LabelNoise(p0=0.1, p1=0.2).corrupt(np.array([[1.0, 0.0], [0.2, 0.8]]))[:, 1]
    middle = (least + most) / 2
    says("03", "0.1 0.34 0.38 0.4", least, 1 - most, middle, (middle - 0.1) / 0.7)
    says("03", "0.3", LabelNoise(p0=0.3).corrupt(np.array([[1.0, 0.0]]))[0, 1])
    assert (reeve_kaban.exponent(0.5, 1), 16**-0.5) == (0.5, 1 / 4)


def test_04_the_halves():
    X, malignant = class_weights.patients()
    says("04", "94", 100 * (1 - malignant.mean()))
    tumors = problems.from_data(X, malignant.astype(int), "pca", test_size=0.5, name="halves")
    says("04", "11 11", tumors.y_train.sum(), tumors.y_test.sum())
    read = labs.ThresholdLab(tumors, n=189, k=25, t=0.16).readout()
    assert [read[f"{each}, held-out points"] for each in ("recall", "precision")] == pytest.approx(
        [10 / 11, 1]
    )


def test_04_the_rare_class():
    grid, eta = problems.rare().cells(20_000)
    known = weights.Thresholds.from_fractions(eta[:, 1], eta[:, 1], grid.weights)
    low = known.at(0.057)
    says("04", "5.7 95 0.40", 100 * known.prevalence, 100 * low.recall, eta[:, 1].max())
    says("04", "0.23", known.best()[0] / 2)
    assert 1 - low.precision == pytest.approx(3 / 4, abs=0.02), "three of four alarms are false"
    says("04", "361", opened("04", "lab2", price=20, t=0.2)["cost per 1,000 points, Bayes rule"])
    start = {"k": 60, "rules": "kNN and Bayes rule"}
    both = opened("04", "lab3", t=0.42, **start)
    says("04", "0.20 0.00", both["F1, new points"], both["F1, Bayes rule"])
    ends = opened("04", "lab3", t=0.228, bounds="epsilon as set", **start)
    says(
        "04", "0.27 0.68", *(ends[f"{which} F1 by entry bounds"] for which in ("least", "largest"))
    )


def test_04_three_classes():
    grid, eta = problems.waves().cells(4000)
    inverse = 1 / (grid.weights @ eta)
    about = content.steps_named("weights-of-three")[1]["set"].values()
    assert [*about] == pytest.approx(inverse / inverse.sum(), abs=5e-3), "balanced"
    cautious = labs.WeightLab(n=8000, k=200, overlay="effective boundary").readout()
    says("04", "0.83 0.07", cautious["bound of Theorem 1"], cautious["disagreement"])
    q = np.array((0.5, 0.3, 0.2))
    sample = problems.waves().sample(1000, 0)
    votes = VoteProfile.count(NeighborTable.build(sample.X, grid.points, 200), sample.y, 3)
    best = (q * eta).argmax(axis=1)
    narrow = regions.margins(eta, q) < 0.05
    near_ties = [narrow[Weighted(q).predict(votes, k) != best].mean() for k in (50, 200)]
    assert near_ties[1] < 0.5 < 0.8 < near_ties[0], "mostly near ties, but not with large balls"


def test_04_exam():
    says("04", "1.40 1.80", 2 * 0.7, 6 * 0.3)
    says("04", "0.53 0.67", *(2 * tp / (2 * tp + fp + 50 - tp) for tp, fp in ((40, 60), (30, 10))))
    products = np.array([0.25, 0.35, 0.4]) * [0.5, 0.3, 0.2]
    says("04", "0.125 0.105 0.08 0.02", *products, products[0] - products[1])


def test_05_exam():
    truth = np.repeat([0, 1, 2], [90, 5, 5])
    others = 0.4
    says("05", "0.90 0.32", np.mean(truth == 0), f1_score(truth, 0 * truth, average="macro"))
    assert [
        np.argmax(np.multiply((5, 4, 1), (others, q, others))) for q in (0.2, 0.4, 0.499, 0.501)
    ] == [0, 0, 0, 1]
    largest = np.random.default_rng(0).normal(size=(100_000, 10)).max(axis=1).mean()
    says("05", "1.54 0.65", largest, 0.60 + 0.03 * largest)


NEW = "macro F1 on new points, "
GREEDY = "macro F1 on the sample, greedy search"
START = (0.3, 0.3, 0.4)


def test_05_scenes():
    lab = labs.TuningLab(n=200, k=5, n_steps=0)
    way = [
        lab.set(q0=0.3, q1=0.3, q2=0.4).set(q0=q).readout()[GREEDY]
        for q in np.linspace(0.3, 0.4, 41).round(4)
    ]
    says("05", "0.698 0.696 0.66", *dict.fromkeys(round(each, 3) for each in way))
    assert len({*way[:21]}) == 1, "nothing changes up to 0.35"
    lab.set(n=1000, k=10, accept=">=").set(q0=0.4, q1=0.2, q2=0.4)
    gains = [lab.set(n_steps=steps).readout() for steps in (14, 15, 50)]
    assert [each["moves that raised the score"] for each in gains] == [5, 6, 6]
    says("05", "0.61", gains[-1][GREEDY])
    found = [lab.set(n=200, k=10, seed=seed).readout() for seed in range(10)]
    says("05", "4", sum(each[NEW + "grid"] < each[NEW + "equal weights"] - 1e-9 for each in found))
    eta = problems.waves().cells(4000)[1]
    bayes = weights.WeightScorer.from_fractions(eta, eta)
    square = [*found[5]["weights, grid"].values()]
    says("05", "0.59 0.62", bayes(square), bayes(np.ones(3)))
    assert found[5][NEW + "grid"] > found[5][NEW + "equal weights"], (
        "and yet it helps on this sample"
    )
    own = problems.waves().sample(1000, 0)
    alone = VoteProfile.count(NeighborTable.build(own.X, None, 1), own.y, 3).at(1)
    grid = weights.simplex_grid(3, 100)
    perfect = weights.WeightScorer.from_fractions(alone, own.y)(grid) == 1
    assert perfect[(grid > 0).all(axis=1)].all()
    assert not perfect.all(), "a weight of 0 can lose its class"
    over = {"n": (100, 1500)}
    options = weights.SearchOptions(START, validation="loo")
    *_, drawn = weights.trials(problems.waves(), options, over=over, repeats=10, seed=8)
    high, low = (drawn.mean("searched") - drawn.mean("macro"))[0]
    says("05", "0.03", high)
    assert low < 0, "too low at n = 1500"


def test_05_prose():
    found = tuning_weights.search_results()
    sizes = np.bincount(tuning_weights.scans().y)
    says("05", "80 8 8 0.18", *sizes, found.greedy.q[2])
    draws = [tuning_weights.search_results.__wrapped__(seed) for seed in range(100)]
    means = np.mean(
        [(each.grid.score, each.new(each.grid.q), each.new(1 / sizes)) for each in draws], axis=0
    )
    says("05", "0.89 0.85 0.81", *means)
    says("05", "5,151 4.3", comb(102, 2), comb(109, 9) / 1e12)
    options = weights.SearchOptions(START, scoring="f1_micro")
    *_, judged = weights.trials(problems.waves(), options, over={"n": [1000]}, repeats=20)
    lost, error = (each[0] for each in judged.difference("micro", "unweighted", "grid"))
    says("05", "0.002 0.001", lost, error)
    eta = problems.waves().cells(4000)[1]
    bayes = weights.WeightScorer.from_fractions(eta, eta)
    best = weights.grid_search(bayes, weights.simplex_grid(3, 100)).score
    says("05", "0.616 0.618", bayes(np.ones(3)), best)


def test_05_further():
    ranks = 1 / np.arange(1, 1001)
    tail = ranks / ranks.sum()
    says("05", "334", problems.expected_seen(tail, 1000))
    assert problems.expected_singletons(tail, 1000) == pytest.approx(200, abs=15), (
        "one point in five"
    )
    spread = {row["gamma"]: row["spread"] for row in load("khim_starts").results["spread"]}
    says("05", "0.08 0.01", spread[0.01], spread[0.05])
    digits = {row["rule"]: row["f1_test"] for row in load("khim_table_2").results["right"]}
    says("05", "0.73 0.80", digits["greedy"], digits["greedy, backwards"])
    table = {row["rule"]: row["f1_dev"] for row in published("khim")["table_2"]}
    says("05", "0.054 0.170", table["unweighted"], table["grid"])
    ours = {
        (row["source"], row["rule"]): row["f1_dev"] for row in published("khim_comparison")["rows"]
    }
    says("05", "0.052 0.329", ours["shifted", "unweighted"], ours["right", "unweighted"])


BUMP = problems.bump(0.022, 0.98, 0.02), 1000, 1000, Scheme(100, 0.1)


def mean_vote(p):
    return 0.02 + 0.96 * min(1, 0.022 / p)


def test_06_exam():
    assert rittler.expected_passive_fraction(0.2, 0.25) == 0.5
    says("06", "750", rittler.expected_draws(300, 0.2, 0.25))
    says(
        "06",
        "0.073 0.427 0.346",
        mean_vote(0.4),
        0.5 - mean_vote(0.4),
        2 * np.sqrt(np.log(20) / 100),
    )
    exponents = (
        passive_exponents(1, 0.5).disagreement,
        rittler.active_exponents(1, 0.5).disagreement,
    )
    assert exponents == pytest.approx((1 / 6, 1 / 5))
    says("06", "3.2 4.0", *(1000**each for each in exponents))


def test_06_the_bump():
    bought = two_stage_sample(*BUMP, np.random.SeedSequence(0))
    first = bought.first
    many = bought.in_augmented.sum()
    middle = VoteProfile.count(NeighborTable.build(first.X, np.array([[0.5]]), 100), first.y, 2).at(
        100
    )
    close = [votes for votes in range(101) if abs(votes / 100 - 0.5) < first.width]
    says(
        "06",
        "18 16 84 669 0.017",
        middle[0, 1],
        close[0],
        close[-1],
        many,
        100 * first.augmented_mass / many,
    )
    says("06", "0.23 0.44 0.98", *(mean_vote(p) for p in (0.1, 0.05, 0.017)))
    says("06", "0.49", bought.expected_passive_fraction)
    lost = labs.ActiveLab(voters="inclusive", seed=11).readout()
    assert lost["mass of H"] == 0
    says(
        "06",
        "0.022 0.022",
        *(lost[f"disagreement of the {name} learner"] for name in ("passive", "active")),
    )
    assert labs.ActiveRatesLab(constant_power=0.0).readout()["usable for n"] == "none"


def test_06_a_free_k():
    streams = np.random.SeedSequence(0).spawn(300)
    runs = np.array([trial(*BUMP, [7, 100], each).disagreement[[0, 2], 0] for each in streams])
    says("06", "0.0011 0.0005", *runs[:100, :, 0].mean(axis=0))
    few, many = (np.divide(*of_k) for of_k in runs.mean(axis=0).T)
    assert 2 < few < 3
    says("06", "8", many)


def test_06_outside_the_hard_region():
    """There the active learner has the first round and the random labels of the second one."""
    pi = opened("06", "lab3", step=1754, passive_fraction=0.1)
    few = 250 + pi["random labels of round two"].part
    says("06", "597 0.05", few, 30 / few)


def test_06_where_the_condition_holds():
    def ratio(n):
        return rittler.condition_ratio(n, rittler.active_neighbors(n, 1, 0.9, 0.1, 0.001), 1, 0.1)

    first = next(n for n in range(4500, 6000) if ratio(n) >= 1)
    says("06", "5073", first)
    assert ratio(1.6e11) > 1 > ratio(1.7e11)


def test_06_further():
    (preset,) = (
        each.values for each in labs.ActiveLab.presets if each.name == "pi = 0, outside Theorem 7"
    )
    says("06", "300 341", preset["n"], preset["k_vote"])
    rows = load("rittler_experiments").results["disagreement"]
    says(
        "06",
        "0.0015 0.0009",
        *(
            min(row[each] for row in rows if row["experiment"] == "F")
            for each in ("passive", "strict")
        ),
    )
    gains = {
        row["experiment"]: row["passive"] - row["strict"] for row in rows if row["k"] in (100, 300)
    }
    assert max(gains["B"], gains["D"]) < 0
    slopes = load("rittler_rates").results["slopes"]
    lopsided = "leaning(kappa=1.25, left=0.2)"
    cases = (
        ("0.34 0.34", "power(kappa=1.25)", 0.1),
        ("0.32 0.36", lopsided, 0.1),
        ("0.28 0.28", lopsided, 0.005),
    )
    for printed, *case in cases:
        rows = [
            row
            for row in slopes
            if [row["problem"], row["constant"], row["rule"]] == [*case, "active"]
        ]
        found = {row["learner"]: row["exponent"] for row in rows}
        says("06", printed, found["passive"], found["strict"])


def often(process, *eta):
    return process.frequency(np.zeros((1, 1)), np.array([eta]))[0]


def test_07_exam():
    for b, sign in ((0.32, -1), (1 / 3, 0), (0.34, 1)):
        first, second = often(BagProcess(np.array([[0, b], [0, 0]])), 0.6, 0.4).round(9)
        assert (first, np.sign(second - first)) == (0.6, sign)
    first, second, _ = often(BagProcess.even_inclusion(3, 0.4, 0.5), 0.6, 0.3, 0.1)
    says("07", "0.09 11", first - second, (0.3 / (first - second)) ** 2)
    says("07", "24", min(k for k in range(16, 26) if 1.2 / k**0.5 <= 4 / 16))


def test_07_scenes():
    for a, printed in ((0.0, "0.71 0.14"), (0.8, "0.94 0.83")):
        says("07", printed, *often(BagProcess.even_inclusion(3, a), 5 / 7, 1 / 7, 1 / 7)[:2])
    says("07", "1.71", PartialAdaptive().band_constant(partial_labels.LABELED, 10))
    says("07", "0.55 0.94", *often(BagProcess(np.tile([0.1, 0.9, 0.1], (3, 1))), 0.5, 0.4, 0.1)[:2])
    lead = (1 - 0.5) * (5 / 7 - 1 / 7)
    says("07", "0.008 0.0005", 0.1 * lead**2, 2 * (1 / 3 - 0.33) * lead**2)


def test_07_bags_of_the_digits():
    split = BagSplit.draw(*load_digits(return_X_y=True), np.random.SeedSequence(0).spawn(5)[0])
    joins = split.process.inclusion[:, ~np.eye(10, dtype=bool)].reshape(5, 10, 9)
    assert np.ptp(joins, axis=2).max() == 0, "all other digits join with the same probability"
    assert len(np.unique(joins)) == 50, "each digit and cluster has its own"
    says("07", "0.8 258", np.ceil(10 * joins.max()) / 10, np.ceil(errandonea.least_c1()))


def test_07_the_scan_and_the_students():
    (X, bags) = partial_labels.archive()
    y = load_digits().target
    n = partial_labels.LABELED
    scan = partial_labels.SCAN
    says("07", "0.99", bags[np.arange(n), y[:n]].mean())
    found = PartialAdaptive(max_neighbors=100).trace(
        NeighborTable.build(X[:n], X[[scan]], 100), bags[:n], 10
    )
    assert (found.eliminated_at.tolist(), found.label) == ([3, 3, 3, 3, 40, 5, 3, 8, 3, 0], y[scan])
    model = PartialLabelKNeighborsClassifier(max_neighbors=100)
    errors = [
        np.mean(model.fit(X[:n], each[:n]).predict(X[n:]) != y[n:])
        for each in (bags, np.eye(10, dtype=bool)[y])
    ]
    says("07", "597 0.15 0.04", len(y[n:]), *errors)


def test_07_full_runs():
    full = {
        (row["nu"], row["measured"]): row for row in load("errandonea_digits").results["digits"]
    }
    gap, low, high = (
        full[0.6, "PL A-kNN above best k"],
        *(full[nu, "PL A-kNN above majority"] for nu in (0.3, 0.7)),
    )
    says("07", "0.04 0.01 0.71", gap["value"], gap["value_se"], errandonea.largest_noise(10, 0.8))
    assert full[0.6, "undecided, PL A-kNN"]["value"] > 0.5
    assert low["value"] / low["value_se"] < -3 < 3 < high["value"] / high["value_se"]
    errors = {
        (row["example"], row["c1"], row["rule"]): row["error"]
        for row in load("errandonea_examples").results["stops"]
    }
    says("07", "12", 100 * errors["Q2", 0.5, "PL A-kNN"])
    assert (errors["Q2", 1.0, "PL A-kNN"], PartialAdaptive().least_k(5000, 3)) == (0, 3)


def test_08_exam():
    process = process_matrix([{(0,): 0.5, (0, 1): 0.5}, {(1,): 0.2, (0, 1): 0.8}])
    eta = decode(process, np.array([0, 0.20, 0.12, 0.68]))
    says("08", "0.4 0.88 0.80", eta[0], *frequency(process, eta))
    process = process_matrix([{(1, 2): 1}, {(0, 2): 1}, {(0, 1): 1}])
    says("08", "3 0.5 0.7 0.8", rank(process), *frequency(process, np.array([0.5, 0.3, 0.2])))
    process = process_of(BagProcess(np.repeat([[0.5], [0.3], [0.3]], 3, axis=1)))
    says("08", "0.5 0.7", *(1 - cooccurrence(process)[[1, 2], [0, 1]]))
    says("08", "0.685 0.725", *frequency(process, np.array([0.55, 0.45, 0]))[:2])


def test_08_a_rare_clue():
    lab = labs.LearnabilityLab(model="always both", probability_0_0=0.1, n=100)
    right = [lab.set(seed=seed).readout()["by least squares"] for seed in range(10)].count("0")
    assert right == 6, "six of the ten seeds"
    process = process_matrix([{(0,): 0.1, (0, 1): 0.9}, {(0, 1): 1}])
    assert decode(process, np.array([0, 0.05, 0, 0.95])) == pytest.approx([0.5, 0.5]), (
        "more than 5 of 100 are needed"
    )
    says(
        "08",
        "0.56 0.97 0.97",
        binom.sf(5, 100, 0.06),
        binom.sf(100, 2000, 0.06),
        binom.sf(50, 100, 0.6),
    )
    process = EXAMPLES["supersets without full rank"].process
    assert (rank(process), *np.diag(cooccurrence(process))) == pytest.approx((3, 1, 1, 1, 1))
