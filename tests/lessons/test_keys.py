"""Numbers on pages and run sheets that no step of a lab checks and no cell shows, computed."""

import re
from functools import cache
from itertools import pairwise
from math import comb

import nbformat
import numpy as np
import pytest
from lesson_labs import made
from scipy.stats import binom
from sklearn.datasets import load_digits, load_wine
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from test_setup import ROOT

from knnviz import (
    BagDraws,
    BagProcess,
    LabelNoise,
    NeighborTable,
    Robust,
    Vote,
    VoteProfile,
    Weighted,
    labs,
    lessons,
    problems,
    regions,
    risk,
    weights,
)
from knnviz.active import Scheme, trial, two_stage_sample, vote
from knnviz.bounds import chaudhuri_dasgupta, errandonea, gao, reeve_kaban, rittler
from knnviz.bounds.chaudhuri_dasgupta import passive_exponents
from knnviz.estimators import PartialLabelKNeighborsClassifier, RobustKNeighborsClassifier
from knnviz.labs import bag_noise as bag_noise_lab
from knnviz.labs import pool as pool_lab
from knnviz.labs.neighbors import KS
from knnviz.labs.parts import sources
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
from knnviz.lessons.openings import (
    class_weights,
    learnability,
    nearest_neighbors,
    start_here,
    tuning_weights,
)
from knnviz.noise import misled_points, theta
from knnviz.problems import answers
from knnviz.rules import PartialAdaptive, Threshold


@cache
def cells(lesson):
    (path,) = (ROOT / "notebooks").glob(f"{lesson}-*.ipynb")
    notebook = nbformat.read(path, as_version=4)
    return {cell.id: cell for cell in notebook.cells}


@cache
def text(lesson):
    """What a lesson and its run sheet say."""
    (chapter,) = (ROOT / "knnviz/lessons/chapters").glob(f"{lesson}-*.toml")
    sheet = ROOT / f"docs/teach/{lesson}.md"
    prose = [cell.source for cell in cells(lesson).values()]
    prose.append(chapter.read_text("utf-8"))
    prose.append(sheet.read_text("utf-8"))
    return "\n".join(prose)


def says(lesson, printed, *values):
    """Fail unless each number is on a page of the lesson and is the value, to as many digits."""
    for number, value in zip(printed.split(), values, strict=True):
        alone = rf"(?<![\d.]){re.escape(number)}(?![.,]?\d)"
        assert re.search(alone, text(lesson)), f"no page says {number}"
        decimals = len(number.partition(".")[2])
        assert f"{float(value):.{decimals}f}" == number.replace(",", "")


def opened(lesson, cell, **moved):
    """What the lab of a cell reads out after some of its controls have moved."""
    names = {"lessons": lessons}
    for module in (labs, problems):
        for each in module.__all__:
            names[each] = getattr(module, each)
    lab = eval(cells(lesson)[cell].source, names)
    return lab.set(**moved).readout()


def columns(eta):
    """The probabilities of both classes, from those of class 1."""
    return np.stack([1 - eta, eta], axis=1)


def test_00_flips():
    for printed, eta, p1 in (("0.36", 0.6, 0.4), ("0.49", 0.7, 0.3)):
        noisy = LabelNoise(p1=p1).corrupt([[1 - eta, eta]])
        says("00", printed, noisy[0, 1])
    says("00", "55 0.25 0.05", 90 * 0.5 + 10, 0.5 * 0.5, 0.5 * 0.1)
    assert binom.cdf(27, 100, 0.3) > 0.2


def test_00_the_scan_of_the_opening():
    X, y = load_digits(return_X_y=True)
    n = start_here.LABELED
    nearest = NeighborTable.build(X[:n], X[n:], k_max=start_here.K).indices
    majorities = [np.bincount(votes).max() for votes in y[nearest]]
    scan = n + majorities.index(5)
    says("00", "1200 1288", n, scan)
    many = NeighborTable.build(X[:n], X[[scan]], k_max=200).indices[0]
    counts = np.bincount(y[many])
    assert counts.argmax() == 9
    says("00", "35 47", counts[y[scan]], counts[9])


def test_01_exam():
    masses = np.array([0.4, 0.6])
    eta = np.array([0.9, 0.2])
    least = np.minimum(eta, 1 - eta)
    says("01", "0.16 0.48", masses @ least, masses @ eta)

    two = 0.8**3 + 3 * 0.8**2 * 0.2
    error = two * 0.2 + (1 - two) * 0.8
    says("01", "0.32 0.896 0.26", 2 * 0.8 * 0.2, two, error)

    wide = (0.2 * 0.8 + 0.2 * 0.2) / 0.4
    variance = wide * (1 - wide) / 100
    says("01", "0.004 0.09 0.0025", 0.8 * 0.2 / 40, (wide - 0.8) ** 2, variance)


def test_01_risks():
    board = problems.checkerboard()

    def means(problem, ks, n):
        return risk.curve(problem, Vote(), over={"k": ks}, n=n, repeats=20).mean[0]

    valley, further = [means(problems.bump(), KS, n) for n in (500, 2000)]
    says("01", "0.18 0.19 9", valley[0], valley[-1], KS[valley.argmin()])
    assert KS[further.argmin()] > 9
    assert further[0] == pytest.approx(valley[0], abs=0.01)
    samples = labs.NeighborLab(
        problem="bump", n=500, k=200, x1=0.41, seed=4, overlay="many samples"
    ).numbers
    says("01", "8 20", *samples["wrong at x"].split(" of "))
    assert samples["bias"] > -0.4
    assert opened("01", "lab3", k=100)["wrong at x"] == "4 of 20"

    few, many = [means(board, (1, 52), n) for n in (400, 4000)]
    assert many[1] < few[1]
    assert many[0] == pytest.approx(few[0], abs=0.005)
    says("01", "84", 200 * (0.4 * 0.9 + 0.6 * 0.1))
    best = board.bayes_risk()
    upper = 2 * best * (1 - best)
    says("01", "0.25 0.08", 0.05 / 0.2, 0.05 / 0.6)
    says("01", "0.09 0.95 0.63", 0.1 * 0.9, 0.01 ** (1 / 100), 0.01 ** (1 / 10))
    says("01", "0.375 0.42", risk.one_nn_limit(board), upper)
    says("01", "0.10", 0.01 ** (1 / 2))
    for printed, votes, k in (("0.67 0.16", 6, 9), ("0.47 0.05", 47, 101), ("0.62 0.09", 18, 29)):
        part = votes / k
        says("01", printed, part, (part * (1 - part) / k) ** 0.5)


def test_01_data():
    says("01", "1680", load_wine().data.max())
    tumor = nearest_neighbors.new_tumor()
    assert problems.breast_cancer().y_test[tumor] == 0


def test_02_keys():
    eta = columns(np.linspace(0.3, 0.6, 3001))
    noisy = LabelNoise(p0=0.2, p1=0.1).corrupt(eta)
    found = eta[misled_points(eta, noisy), 1]
    says("02", "0.43 0.5", found.min(), found.max())
    says("02", "0.1 20", abs(2 * 0.45 - 1), 50 * theta(0.2, 0.4))
    says("02", "0.04 0.18 0.22", 0.4 * 0.1, 0.4 * 0.45, 0.4 * 0.55)
    judged = [rate + (1 - 2 * rate) * error for rate in (0.2, 0.3) for error in (0.1, 0.15)]
    says("02", "0.26 0.29 0.34 0.36", *judged)
    smoothed = opened("02", "lab5", k_noise=20)
    says("02", "0.4 0.8", smoothed["threshold"], 1 - smoothed["estimated p1"])


def test_02_the_gap_on_the_tumors():
    tumors = problems.breast_cancer()
    sample = tumors.sample(tumors.max_size)
    observed = LabelNoise(p0=0.0, p1=0.3).flip(sample.y, sample.v)
    table = NeighborTable.build(sample.X, tumors.X_test, 25)
    votes = VoteProfile.build(table, observed, n_classes=2)

    def missed(threshold):
        predicted = Threshold(threshold).predict(votes, 25)
        return (predicted != tumors.y_test).sum()

    gap = missed(0.5) - missed(theta(0.0, 0.3))
    ones = votes.at(25)[:, 1]
    in_doubt = np.sum((ones >= 6) & (ones <= 12))
    says("02", "6 171 29", gap, len(tumors.y_test), in_doubt)
    assert f"only {in_doubt} of the 171 tumors" in content.predictions()["ragged-floor"].because


def test_02_the_tumors_of_the_opening():
    tumors = problems.breast_cancer()
    sample = tumors.sample(tumors.max_size)
    observed = LabelNoise(p0=0.0, p1=0.3).flip(sample.y, sample.v)
    malignant = tumors.y_test == 1

    def judged(labels, k_noise, rates=None):
        given = {"noise_neighbors": k_noise, "noise_rates": rates}
        rule = RobustKNeighborsClassifier(25, **given).fit(sample.X, labels)
        return rule.threshold_, rule.predict(tumors.X_test) != tumors.y_test

    _, plain = judged(observed, 60, (0.0, 0.0))
    _, known = judged(observed, 60, (0.0, 0.3))
    _, true = judged(sample.y, 60, (0.0, 0.0))
    theta_hat, _ = judged(observed, 60)
    low, small = judged(observed, 24)
    missed = [each[malignant].sum() for each in (plain, known, true)]
    says("02", "63 108 19 8 7 0.39 0.42", malignant.sum(), sum(~malignant), *missed, theta_hat, low)
    assert small.sum() == plain.sum()
    # At the price of a few false alarms.
    assert known[~malignant].sum() - plain[~malignant].sum() == 5
    many = RobustKNeighborsClassifier(51, noise_rates=(0.0, 0.0)).fit(sample.X, observed)
    says("02", "51 19", 51, (many.predict(tumors.X_test)[malignant] == 0).sum())


def test_02_the_price_of_misled_points():
    read = opened("02", "lab2", overlay="misled points")
    names = ("limit of kNN", "Bayes risk", "misled mass")
    limit, least, misled = [100 * read[name] for name in names]
    says("02", "35 30 28", limit, least, misled)
    assert round(limit - least) == 5
    says("02", "0.18", (limit - least) / misled)
    says("02", "1.25", (0.5 - 0.0) / (1 - 0.6))
    # At the cross, and where the two raters differ.
    assert read["votes at x"]["class 1"] == 3
    six_in_ten = np.array([[0.4, 0.6]])
    assert opened("02", "lab2")["eta at x"] == pytest.approx(0.6, abs=0.005)
    of_1 = [100 * LabelNoise(p0, 0.3).corrupt(six_in_ten)[0, 1] for p0 in (0.0, 0.3)]
    says("02", "42 54", *of_1)


def side(eta):
    """On which side of one half, up to rounding."""
    return np.sign(np.round(eta - 0.5, 12))


def test_02_symmetric_noise_leaves_the_majority_below_one_half_only():
    rater = content.predictions()["second-rater"]
    assert "Symmetric noise below one half" in rater.known
    eta = np.linspace(0, 1, 1001)
    for tau in (0.2, 0.3, 0.49):
        noisy = LabelNoise(tau, tau).corrupt(columns(eta))[:, 1]
        np.testing.assert_array_equal(side(noisy), side(eta))
    flipped_most = 0.6 + (1 - 2 * 0.6) * eta
    np.testing.assert_array_equal(side(flipped_most), -side(eta))


def test_02_theorem_4_bounds_a_limit():
    lines = text("02").split("\n- ")
    (further,) = (line for line in lines if line.startswith("**Bounds, ties, figures.**"))
    bounds, limits = further.split(" bound the mean risk at finite $n$, ")
    assert "4" not in bounds
    assert limits.startswith("Theorem 4 its limit")

    board = problems.checkerboard()
    robust = Robust((0.1, 0.3))
    few = risk.curve(board, robust, over={"n": [200]}, k=100, noise=NOISE, repeats=20)
    excess = few.mean[0, 0] - few.bayes_risk
    assert excess > gao.theorem_4(100, NOISE), "at 200 points it is no bound"

    noise = LabelNoise(0.2, 0.1)
    for theorem in (gao.theorem_1, gao.theorem_5):
        bound = theorem(board, 100, 8000, noise, lipschitz=np.pi)
        assert bound.value > 1
    square = {"lipschitz": np.pi, "dimension": 2, "bayes_risk": board.bayes_risk()}
    assert gao.theorem_2(100, 8000, 0.2, **square) > 1


NOISE = LabelNoise(p0=0.1, p1=0.3)
CLEAN = LabelNoise()
LINE = {"smoothness": 1, "smoothness_constant": 1}


def risk_of_threshold(at):
    """That of class 1 from a point of the ramp on."""
    x = (np.arange(100_000) + 0.5) / 100_000
    return np.where(x >= at, 1 - x, x).mean()


def test_03_worlds():
    X = np.linspace(0, 1, 7)[:, None]
    eta = problems.ramp().eta(X)
    noisy = NOISE.corrupt(eta)[:, 1]
    clean = problems.ramp(0.1, 0.7).eta(X)[:, 1]
    swapped = 0.7 + (1 - 0.7 - 0.9) * (1 - eta[:, 1])
    for world in (noisy, clean, swapped):
        np.testing.assert_allclose(world, 0.1 + 0.6 * X[:, 0])

    read = labs.RatesLab(shape="ramp", n=16_000, rules="kNN").readout()
    excess = read["limit of kNN"] - read["Bayes risk"]
    says("03", "0.028", excess)
    excess = risk_of_threshold(0.46) - read["Bayes risk"]
    says("03", "0.0016 0.0004", excess, risk_of_threshold(0.48) - read["Bayes risk"])

    few = labs.RatesLab(shape="ramp", n=2000, seed=0, neighbors="k as set", k=150)
    noisy = NOISE.corrupt(np.array([[0.6, 0.4]]))
    says("03", "0.25 0.34", few.readout()["estimated p1"], noisy[0, 1])

    # Where the noisy majority changes, and labels of 50 points in both worlds.
    for noise, crossing in ((NOISE, 2 / 3), (LabelNoise(p0=0.3, p1=0.1), 1 / 3)):
        assert noise.corrupt(columns(np.array([crossing])))[0, 1] == pytest.approx(0.5)
    assert LabelNoise(p0=0.1).corrupt(columns(np.array([2 / 3])))[0, 1] == pytest.approx(0.7)
    x = np.linspace(0, 1, 10_001)
    flips = 50 * np.mean(0.1 * (1 - x) + 0.3 * x)
    says("03", "25 20", 50 * x.mean(), 50 * np.mean(0.1 + 0.6 * x))
    assert flips == pytest.approx(10), "ten"

    terrace = labs.RatesLab(shape="plateau", n=1000, rules="kNN").readout()
    says("03", "0.38 0.31", terrace["limit of kNN"], terrace["Bayes risk"])


def test_03_rates():
    def excess(noise, rule):
        curve = risk.curve(
            problems.ramp(),
            {"rule": rule},
            noise=noise,
            over={"n": [1000, 8000, 64_000]},
            repeats=100,
            k=lambda n: reeve_kaban.k_n(n, 0.05, **LINE),
        )
        says("03", "0.04", risk.fitted_rate(curve, "rule").error)
        return curve.mean[0] - curve.bayes_risk

    clean = excess(LabelNoise(p0=0, p1=0), Vote())
    factors = excess(NOISE, Robust(votes="order")) / clean
    says("03", "3 5", factors.min(), factors.max())
    assert factors.max() > 1.2 * factors.min(), "no constant factor at every n"

    assert reeve_kaban.exponent(1, 1) == pytest.approx(2 / 3)
    assert reeve_kaban.exponent(1, 1 / 3) == pytest.approx(4 / 9)
    x = np.linspace(0, 1, 200_001)
    eta = 1 / 2 + 4 * (x - 1 / 2) ** 3
    for t in (0.001, 0.01, 0.1):
        mass = np.mean(abs(eta - 1 / 2) < t)
        assert mass == pytest.approx(2 * (t / 4) ** (1 / 3), rel=1e-3)


def test_03_no_better_power_is_guaranteed_where_alpha_beta_is_at_most_1():
    """Where it is 2, two points with half of the mass each, kNN falls faster than the power."""
    card = content.theorems()["rate-of-clean-labels"].statement
    assert r"\alpha\beta \le 1" in card
    assert "1 - 1/n" in card

    def excess(n):
        k = n // 4 | 1
        too_few_points = binom.cdf(k - 1, n, 0.5)
        too_few_votes = binom.cdf(k // 2, k, 0.8)
        return 0.6 * (too_few_points + too_few_votes)

    fall = np.log2(excess(200) / excess(400))
    assert fall > 2 * reeve_kaban.exponent(1, 2)


def test_03_the_bound():
    margin = {"margin_exponent": 1, "margin_constant": 2}

    def bound(n, noise=NOISE):
        k = reeve_kaban.k_n(n, 0.01, **LINE)
        return reeve_kaban.theorem_4_3(k, n, 0.01, noise, **LINE, **margin)

    says("03", "106 5", bound(8000), bound(10**6))
    assert bound(2_550_000, CLEAN) > 1 > bound(2_650_000, CLEAN), "2.6 million"
    says("03", "2.8", bound(8000) / bound(8000, CLEAN))
    assert bound(12_500_000) > 1 > bound(13_500_000), "13 million"


def test_03_exam():
    eta = columns(np.array([0.0, 0.8]))
    least, most = LabelNoise(p0=0.1, p1=0.2).corrupt(eta)[:, 1]
    middle = (least + most) / 2
    says("03", "0.1 0.34 0.38 0.4", least, 1 - most, middle, (middle - 0.1) / 0.7)
    one_sided = LabelNoise(p0=0.3).corrupt(np.array([[1.0, 0.0]]))
    says("03", "0.3", one_sided[0, 1])
    assert reeve_kaban.exponent(0.5, 1) == 0.5
    assert 16**-0.5 == 1 / 4
    says("03", "100 32 10", 10**2, 10**1.5, 10)
    bound = 5 * 10_000**-0.5
    assert bound == pytest.approx(0.05)
    assert (4**1.5, 100**1.5) == (8, 1000)


def test_04_the_patients():
    X, malignant = class_weights.patients()
    says("04", "379 22 94", len(X), malignant.sum(), 100 * (1 - malignant.mean()))
    _, words = class_weights.draw()
    lab = made("04 lab1")
    reads = [lab.set(needed=needed).readout() for needed in range(1, 26)]
    found = [read["malignant found"].part for read in reads]
    false = [read["false alarms"].part for read in reads]
    for votes in (1, 13):
        assert f"{found[votes - 1]} of 22 found, {false[votes - 1]} false alarms" in words
    assert false[3] == 0
    says("04", "0.16 17 22", 4 / 25, found[3], 22)
    says("04", "20", false[0])
    costs = [read["cost"] for read in reads]
    says("04", "56", costs[12])
    assert costs.index(min(costs)) + 1 == 3
    dear = [20 * (22 - each) + alarms for each, alarms in zip(found, false, strict=True)]
    assert dear.index(min(dear)) + 1 == 1
    between = found[2] - found[12]
    says("04", "3 12 10 11", 3, 13 - 1, between, between + false[2] - false[12])
    scores = [read["F1"] for read in reads]
    assert scores.index(max(scores)) + 1 == 3
    half = max(scores) / 2
    assert np.ceil(25 * half) == 11
    says("04", "0.88 0.44 0.62", max(scores), half, scores[10])
    exact = [reads[votes - 1]["accuracy"] for votes in (1, 5, 13)]
    says("04", "0.95 0.98", min(exact), max(exact))


def test_04_the_rare_class():
    grid, both = problems.rare().cells(20_000)
    eta = both[:, 1]
    known = weights.Thresholds.from_fractions(eta, eta, weights=grid.weights)
    low = known.at(0.057)
    says("04", "5.7 95 0.40", 100 * known.prevalence, 100 * low.recall, eta.max())
    says("04", "0.23", known.best()[0] / 2)
    says("04", "0.39", known.at(0.35).recall)
    assert 1 - low.precision == pytest.approx(3 / 4, abs=0.02), "three of four alarms are false"

    shown = "cost per 1,000 points, Bayes rule"
    says("04", "943 227", *[opened("04", "lab2", price=4, t=t)[shown] for t in (0, 1)])
    says("04", "3.4", (1 - 0.228) / 0.228)
    dear = opened("04", "lab2", price=20, t=0.2)
    says("04", "361", dear[shown])
    start = {"k": 60, "rules": "kNN and Bayes rule"}
    high = opened("04", "lab3", t=0.42, **start)
    says("04", "0.20 0.00", high["F1, new points"], high["F1, Bayes rule"])
    flat = [opened("04", "lab3", t=t, k=60)["F1, new points"] for t in (0.18, 0.2, 0.25)]
    assert flat == pytest.approx([0.45] * 3, abs=5e-3), "flat near its peak"
    ends = opened("04", "lab3", t=0.228, bounds="epsilon as set", **start)
    says("04", "0.27", ends["least F1 by entry bounds"])
    says("04", "0.68", ends["largest F1 by entry bounds"])


def test_04_three_classes():
    grid, eta = sources.named(made("04 lab5").problem).cells(200)
    prior = grid.weights @ eta
    says("04", "15 100", 100 * prior[0], 100)
    inverse = 1 / prior
    balanced = inverse / inverse.sum()
    about = content.steps("weights-of-three")[1]["set"].values()
    assert [*about] == pytest.approx(balanced, abs=5e-3)
    waves = problems.waves()
    grid, eta = waves.cells(4000)
    cautious = labs.WeightLab(n=8000, k=200, overlay="effective boundary").readout()
    says("04", "0.83 0.07", cautious["bound of Theorem 1"], cautious["disagreement"])

    vacuous = labs.WeightLab(overlay="effective boundary").readout()
    says("04", "0.11 0.29", vacuous["ball mass p"], vacuous["margin Delta"])
    assert vacuous["boundary mass"] == 1

    q = np.array((0.5, 0.3, 0.2))
    sample = waves.sample(1000, 0)
    table = NeighborTable.build(sample.X, grid.points, 200)
    votes = VoteProfile.build(table, sample.y, 3)
    best = (q * eta).argmax(axis=1)
    narrow = regions.margins(eta, q) < 0.05

    def near_ties(k):
        differs = Weighted(q).predict(votes, k) != best
        return narrow[differs].mean()

    assert near_ties(200) < 0.5, "not with large balls"
    assert near_ties(50) > 0.8, "mostly near ties"
    assert near_ties(10) > 0.6, "most of it"


def test_04_questions():
    def f1(tp, fp, fn):
        return tp / (tp + fp / 2 + fn / 2)

    says("04", "0.33 0.37", f1(4, 0, 16), f1(5, 2, 15))
    assert f1(18, 0, 2) > f1(19, 2, 1)
    says("04", "0.67 0.57", f1(0.3, 0.2, 0.1), f1(0.4, 0.6, 0))
    assert f1(0.3, 0.2, 0.1) / 2 > 0.2
    dearer = opened("04", "lab6", rules="kNN and Bayes rule")["disagreement"] / 2
    says("04", "0.07", dearer)
    rarest = made("04 lab5").readout()["recall, new points"]["class 0"]
    says("04", "0.64", rarest)
    finds = [(1 - t) / t for t in (0.08, 0.15, 0.3, 0.35, 0.4)]
    assert finds[0] > 10 > finds[1] > 3 > finds[2] > 2 > finds[3] > finds[4]


def test_04_exam():
    says("04", "1.40 1.80", 2 * 0.7, 6 * 0.3)

    def f1(tp, fp):
        return 2 * tp / (2 * tp + fp + 50 - tp)

    says("04", "0.53 0.67", f1(40, 60), f1(30, 10))
    products = np.array([0.25, 0.35, 0.4]) * [0.5, 0.3, 0.2]
    says("04", "0.125 0.105 0.08", *products)
    says("04", "0.02", products[0] - products[1])
    says("04", "0.012 0.002", 0.03 * 0.4, 0.2 * 0.01)


def test_05_exam():
    truth = np.repeat([0, 1, 2], [90, 5, 5])
    macro = f1_score(truth, 0 * truth, average="macro")
    says("05", "0.90 0.32", np.mean(truth == 0), macro)

    others = 0.4
    for q, decided in ((0.2, 0), (0.4, 0), (0.499, 0), (0.501, 1)):
        weighted = np.multiply((5, 4, 1), (others, q, others))
        assert weighted.argmax() == decided

    scores = np.random.default_rng(0).normal(size=(100_000, 10))
    largest = scores.max(axis=1).mean()
    says("05", "1.54 0.65", largest, 0.60 + 0.03 * largest)

    says("05", "47", 100 * (1 - (31 / 32) ** 20))
    assert 1 - (26 / 32) ** 20 > 0.98, "somebody has four heads or five"


def test_05_scenes():
    found = tuning_weights.search_results()
    grid = weights.simplex_grid(3, 100)
    scores = found.searched(grid)
    says("05", "48", 100 * np.isclose(scores, scores.min()).mean())

    ties = [(found.searched([q, (1 - q) / 2, (1 - q) / 2]), q) for q in np.arange(60, 340) / 1000]
    borders = [q for (low, q), (high, _) in pairwise(ties) if abs(low - high) > 1e-9]
    says("05", "0.231 0.105", 3 / 13, 2 / 19)
    assert abs(borders[-1] - 3 / 13) < 0.001
    assert any(abs(border - 2 / 19) < 0.001 for border in borders)

    for step in (0.05, 0.1, 0.12, 0.18):
        longer = opened("05", "lab2", step=step, n_steps=10)
        ends = longer["macro F1 on the sample, greedy search"]
        says("05", "0.77" if step > 0.15 else "0.30", ends)


def test_05_prose():
    found = tuning_weights.search_results()
    sizes = np.bincount(problems.rare_digits().y_train)
    says("05", "80 8 8 0.18", *sizes, found.greedy.q[2])

    scores = []
    coarse = weights.simplex_grid(3, 10)
    for seed in range(100):
        drawn = tuning_weights.search_results.__wrapped__(seed)
        grid = drawn.grid
        low = np.mean(drawn.searched(coarse) - drawn.new(coarse))
        scores.append((grid.score, drawn.new(grid.q), drawn.new(1 / sizes), low))
    *means, low = np.mean(scores, axis=0)
    says("05", "0.89 0.85 0.81", *means)
    assert low < -0.01, "leave-one-out claims too little"
    claimed = [score > delivered for score, delivered, *_ in scores]
    says("05", "6 78", sum(claimed[:10]), sum(claimed))
    says("05", "5,151 4.3", comb(102, 2), comb(109, 9) / 1e12)

    lost = {}
    classes = problems.gaussians(3, problems.zipf(3, 1.0), 0.28)
    for scoring in ("f1_micro", "f1_macro"):
        options = weights.SearchOptions((0.3, 0.3, 0.4), scoring=scoring, validation="loo")
        *_, judged = weights.trials(classes, options, [1000], repeats=20)
        lost[scoring], error = judged.difference("micro", "unweighted", "grid")
        if scoring == "f1_micro":
            says("05", "0.001", error[0])
    gained, _ = judged.difference("macro", "grid", "unweighted")
    says("05", "0.003 0.018 0.018", lost["f1_micro"][0], lost["f1_macro"][0], gained[0])

    largest = np.random.default_rng(0).normal(size=(100_000, 20)).max(axis=1).mean()
    says("05", "0.87 0.84", 0.80 + 0.04 * largest, 0.80 + 0.02 * largest)
    says("05", "66 84", comb(12, 2), 96 * 7 / 8)

    eta = problems.waves().cells(4000)[1]
    bayes = weights.WeightScorer.from_fractions(eta, eta)
    best = weights.grid_search(bayes, weights.simplex_grid(3, 100))
    says("05", "0.616 0.618", bayes(np.ones(3)), best.score)


def test_05_further():
    ranks = 1 / np.arange(1, 1001)
    tail = ranks / ranks.sum()
    says("05", "334", problems.expected_seen(tail, 1000))
    singletons = problems.expected_singletons(tail, 1000)
    assert singletons == pytest.approx(200, abs=15), "one point in five"

    starts = load("khim_starts").results["spread"]
    spread = {row["gamma"]: row["spread"] for row in starts}
    says("05", "0.08 0.01", spread[0.01], spread[0.05])
    right = load("khim_table_2").results["right"]
    digits = {row["rule"]: row["f1_test"] for row in right}
    says("05", "0.73 0.80", digits["greedy"], digits["greedy, backwards"])

    table = {row["rule"]: row["f1_dev"] for row in published("khim")["table_2"]}
    says("05", "0.054 0.170", table["unweighted"], table["grid"])
    rows = published("khim_comparison")["rows"]
    ours = {(row["source"], row["rule"]): row["f1_dev"] for row in rows}
    says("05", "0.052 0.329", ours["shifted", "unweighted"], ours["right", "unweighted"])


BUMP = problems.bump(0.022, 0.98, 0.02)
ROUNDS = 1000, 1000, Scheme(100, 0.1)


def mean_vote(p):
    return 0.02 + 0.96 * min(1, 0.022 / p)


def test_06_exam():
    assert rittler.expected_passive_fraction(0.2, 0.25) == 0.5
    says("06", "750", rittler.expected_draws(300, 0.2, 0.25))
    vote = mean_vote(0.4)
    width = 2 * np.sqrt(np.log(20) / 100)
    says("06", "0.073 0.427 0.346", vote, 0.5 - vote, width)

    passive = passive_exponents(1, 0.5).disagreement
    active = rittler.active_exponents(1, 0.5).disagreement
    assert passive == pytest.approx(1 / 6)
    assert active == pytest.approx(1 / 5)
    says("06", "3.2 4.0", 1000**passive, 1000**active)


def test_06_the_bump():
    bought = two_stage_sample(BUMP, *ROUNDS)
    first = bought.first
    table = NeighborTable.build(first.X, np.array([[0.5]]), 100)
    middle = VoteProfile.build(table, first.y, 2).at(100)
    close = [votes for votes in range(101) if abs(votes / 100 - 0.5) < first.width]
    says("06", "18 16 84 0.173", middle[0, 1], close[0], close[-1], first.width / 2)
    many = bought.in_augmented.sum()
    says("06", "669 0.017", many, 100 * first.augmented_mass / many)
    says("06", "0.23 0.44 0.98", *map(mean_vote, (0.1, 0.05, 0.017)))
    says("06", "0.49", bought.expected_passive_fraction)

    lab = labs.ActiveLab(voters="inclusive")
    empty = [seed for seed in range(100) if lab.set(seed=seed).readout()["mass of H"] == 0]
    assert len(empty) == 4, "four of a hundred samples"
    assert empty[0] == 11
    lost = lab.set(seed=11).readout()
    for learner in ("passive", "active"):
        says("06", "0.022", lost[f"disagreement of the {learner} learner"])
    assert labs.ActiveRatesLab(constant_power=0.0).readout()["(C) holds for n"] == "none"


def test_06_a_free_k():
    streams = np.random.SeedSequence(0).spawn(300)
    ks = [3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 300]
    trials = [trial(BUMP, ks, *ROUNDS, each) for each in streams]
    means = np.mean([each.disagreement[[0, 2], 0] for each in trials], axis=0)
    assert [ks[i] for i in means.argmin(axis=1)] == [5, 5]
    passive, active = means
    factors = passive / active
    says("06", "2.4", factors[1])
    says("06", "1.0", factors[-1])
    says("06", "8", factors[-2])
    few_targeted = 1000, 1000, Scheme(100, 0.9)
    lost = [trial(BUMP, [100], *few_targeted, each).disagreement[2, 0, 0] for each in streams]
    says("06", "0.002 0.016", active[-2], np.mean(lost))


def test_06_tumors():
    reads = {k: labs.PoolLab(k=k).readout() for k in range(5, 46, 2)}
    parts = [reads[15][f"{name} ahead"].part for name in ("active", "passive")]
    assert parts == [9, 10], "nine of twenty splits, and ten"
    for k, gain in ((15, "0.35"), (21, "1.00"), (45, "2.45")):
        says("06", gain, reads[k]["mean gain"])
    says("06", "18.5", reads[15]["mean errors with 100 labels"])
    says("06", "17 18", *[reads[15][f"{name} errors"].part for name in ("passive", "active")])
    bests = {"errors with 100 labels": 13, "passive errors": 17, "active errors": 21}
    least = []
    for (name, best), printed in zip(bests.items(), ("18.15", "18.40", "17.55"), strict=True):
        errors = {k: read[f"mean {name}"] for k, read in reads.items()}
        assert min(errors, key=errors.get) == best
        says("06", printed, errors[best])
        least.append(errors[best])
    says("06", "0.85", least[1] - least[2])
    everything = {k: [] for k in reads}
    for pool in pool_lab.pools():
        for k, errors in everything.items():
            predicted = vote(pool.X_train, pool.y_train, pool.X_test, k)
            errors.append((predicted != pool.y_test).sum())
    says("06", "18.25", np.mean(everything[15]))
    says("06", "16.65", min(map(np.mean, everything.values())))


def test_06_insurance():
    names = [f"disagreement of the {name} learner" for name in ("passive", "active")]
    cases = ((0, 12, "0.0038 0.0305"), (0.1, 11, "0.0038"), (0.3, 8, "0.0038 0.0050"))
    for pi, ahead, printed in cases:
        found = []
        for seed in range(12):
            read = opened("06", "lab3", labels=2000, passive_fraction=pi, seed=seed)
            found.append([read[name] for name in names])
        passive, active = np.transpose(found)
        assert (passive < active).sum() == ahead, "eleven of twelve samples, and eight"
        means = [passive.mean(), active.mean()]
        says("06", printed, *means[: len(printed.split())])
    hidden = problems.hidden_bump()
    first = two_stage_sample(hidden, 250, 1750, Scheme(100, 0)).first
    says("06", "0.45", first.hard_mass)


def test_06_where_the_condition_holds():
    def ratio(n):
        k = rittler.active_neighbors(n, 1, 0.9, 0.1, 0.001)
        return rittler.condition_ratio(k, n, 1, 0.1)

    first = next(n for n in range(4500, 6000) if ratio(n) >= 1)
    says("06", "5073", first)
    assert ratio(1.6e11) > 1 > ratio(1.7e11)
    # With a Delta above a quarter every vote is close.
    k = rittler.active_neighbors(1e5, 1, 0.9, 0.1, 0.001)
    says("06", "0.315", chaudhuri_dasgupta.margin(k, 0.1))


#: What a page prints of both learners, the problem and the constant.
SLOPES = [
    ("0.34 0.34", "power(kappa=1.25)", 0.1),
    ("0.32 0.36", "leaning(kappa=1.25, left=0.2)", 0.1),
    ("0.28 0.28", "leaning(kappa=1.25, left=0.2)", 0.005),
]


def test_06_further():
    presets = {each.name: each.values for each in labs.ActiveLab.presets}
    outside = presets["pi = 0, outside Theorem 7"]
    says("06", "300 341", outside["n"], outside["k_vote"])

    rows = load("rittler_experiments").results["disagreement"]
    least = [row for row in rows if row["experiment"] == "F"]
    says("06", "0.0015", min(row["passive"] for row in least))
    says("06", "0.0009", min(row["strict"] for row in least))
    gains = {}
    for row in rows:
        if row["k"] in (100, 300):
            gains[row["experiment"]] = row["passive"] - row["strict"]
    assert gains["B"] < 0
    assert gains["D"] < 0

    for printed, *case in SLOPES:
        exponents = {}
        for row in load("rittler_rates").results["slopes"]:
            if [row["problem"], row["constant"], row["rule"]] == [*case, "active"]:
                exponents[row["learner"]] = row["exponent"]
        says("06", printed, exponents["passive"], exponents["strict"])


def often(process, *eta):
    return process.frequency(np.zeros((1, 1)), np.array([eta]))[0]


def test_07_exam():
    for b, sign in ((0.32, -1), (1 / 3, 0), (0.34, 1)):
        process = BagProcess(np.array([[0, b], [0, 0]]))
        first, second = often(process, 0.6, 0.4).round(9)
        assert first == 0.6
        assert np.sign(second - first) == sign

    process = BagProcess.from_inclusion(3, 0.4, 0.5)
    first, second, _ = often(process, 0.6, 0.3, 0.1)
    lead = first - second
    says("07", "0.09 11", lead, (0.3 / lead) ** 2)
    first = next(k for k in range(16, 26) if 1.2 / k**0.5 <= 4 / 16)
    says("07", "24", first)


def test_07_scenes():
    for a, printed in ((0.0, "0.71 0.14"), (0.8, "0.94 0.83")):
        process = BagProcess.from_inclusion(3, a)
        says("07", printed, *often(process, 5 / 7, 1 / 7, 1 / 7)[:2])
    constant = PartialAdaptive().band_constant(answers.LABELED, 10)
    says("07", "1.71", constant)
    process = BagProcess(np.tile([0.1, 0.9, 0.1], (3, 1)))
    says("07", "0.55 0.94", *often(process, 0.5, 0.4, 0.1)[:2])
    lead = (1 - 0.5) * (5 / 7 - 1 / 7)
    says("07", "0.008 0.0005", 0.1 * lead**2, 2 * (1 / 3 - 0.33) * lead**2)


def test_07_bags_of_the_digits():
    stream = np.random.SeedSequence(0).spawn(5)[0]
    split = BagSplit.draw(*load_digits(return_X_y=True), stream)
    others = ~np.eye(10, dtype=bool)
    joins = split.process.inclusion[:, others].reshape(5, 10, 9)
    assert np.ptp(joins, axis=2).max() == 0, "all other digits join with the same probability"
    assert len(np.unique(joins)) == 50, "each digit and cluster has its own"
    says("07", "0.8 360", np.ceil(10 * joins.max()) / 10, len(split.y_test))
    says("07", "258", np.ceil(errandonea.least_c1()))


def test_07_the_scan_and_the_students():
    X, bags = answers.archive()
    y = load_digits().target
    n = answers.LABELED
    scan = answers.SCAN
    says("07", "0.99", bags[np.arange(n), y[:n]].mean())

    table = NeighborTable.build(X[:n], X[[scan]], 100)
    found = PartialAdaptive(max_neighbors=100).trace(table, bags[:n], 10)
    assert found.eliminated_at.tolist() == [3, 3, 3, 3, 40, 5, 3, 8, 3, 0]
    assert found.label == y[scan]

    model = PartialLabelKNeighborsClassifier(max_neighbors=100)

    def error(bags):
        model.fit(X[:n], bags[:n])
        return np.mean(model.predict(X[n:]) != y[n:])

    alone = np.eye(10, dtype=bool)[y]
    says("07", "597 0.15 0.04", len(y[n:]), error(bags), error(alone))

    near = NeighborTable.build(X[:n], X[n:], 50).indices
    votes = bags[near].cumsum(axis=1)[:, 9:]
    errors = (votes.argmax(axis=2) != y[n:, None]).mean(axis=0)
    says("07", "0.12 0.15", errors.min(), errors.max())


def test_07_undecided_scans():
    """Where PL A-kNN is wrong at noise 0.6: on undecided scans, and less with the majority at T."""
    j = bag_noise_lab.NOISES.index(0.6)
    wrong = []
    decided = []
    for number in range(5):
        split = bag_noise_lab.draw("digits", "vision", 0, number)
        bags = bag_noise_lab.with_bags(split, 0.8, "confusion").bags[j]
        scan = PartialAdaptive(max_neighbors=100).scan(split.table, bags, 10)
        wrong.append(scan.labels != split.y_test)
        decided.append(scan.decided)
    wrong = np.concatenate(wrong)
    decided = np.concatenate(decided)
    says("07", "0.01 0.35 0.35", wrong[decided].mean(), wrong[~decided].mean(), decided.mean())
    moved = {"rules": "PL A-kNN, 10-NN and best k", "bag_noise": 0.6}
    found = opened("07", "lab6", **moved)
    majority = opened("07", "lab6", fallback="majority", **moved)
    says("07", "0.23 0.18", found["PL A-kNN errs"], found["best k errs"])
    says("07", "0.21", majority["PL A-kNN errs"])
    assert found["PL A-kNN errs"] == pytest.approx(wrong.mean(), abs=1e-6)


def test_07_questions():
    lengths = np.array([1, 1, 2, 2, 4])
    says("07", "2 10", lengths.mean(), lengths.sum())
    assert (55 - 30) / 90 >= 0.2 > (60 - 55) / 90
    says("07", "1.34 0.5", 6 / 20**0.5, 5 / 100**0.5)
    says("07", "0.7", often(BagProcess(np.array([[0, 0.5], [0, 0]])), 0.6, 0.4)[1])
    says("07", "100 1.2 9", 0.1**-2, 0.9**-2, ((0.8 - 0.2) / (0.6 - 0.4)) ** 2)
    says("07", "0.005 0.003 0.01 0.03", 0.02 * 0.5**2, 0.3 * 0.1**2, 0.02 * 0.5, 0.3 * 0.1)
    both = BagProcess(np.array([[0, 0.95], [0.95, 0]]))
    says("07", "0.98 0.97 0.57 0.38", *often(both, 0.6, 0.4), 0.6 * 0.95, 0.4 * 0.95)
    says("07", "0.115 0.150 0.400", 0.1 + 0.05 * 0.3, 0.1 + 0.05, 0.1 + 0.3)
    says("07", "0.2 0.4", 0.5 * 0.5 * 0.8, 0.5 * 0.8)


def test_07_full_runs():
    rows = load("errandonea_digits").results["digits"]
    full = {(row["nu"], row["measured"]): row for row in rows}
    gap = full[0.6, "PL A-kNN above best k"]
    largest = errandonea.largest_noise(10, 0.8)
    says("07", "0.04 0.01 0.71", gap["value"], gap["value_se"], largest)
    assert full[0.6, "undecided, PL A-kNN"]["value"] > 0.5
    low = full[0.3, "PL A-kNN above majority"]
    high = full[0.7, "PL A-kNN above majority"]
    assert low["value"] / low["value_se"] < -3
    assert high["value"] / high["value_se"] > 3

    stops = load("errandonea_examples").results["stops"]
    errors = {(row["example"], row["c1"], row["rule"]): row["error"] for row in stops}
    says("07", "12", 100 * errors["Q2", 0.5, "PL A-kNN"])
    assert errors["Q2", 1.0, "PL A-kNN"] == 0
    assert PartialAdaptive().least_k(5000, 3) == 3


def test_08_exam():
    process = process_matrix([{(0,): 0.5, (0, 1): 0.5}, {(1,): 0.2, (0, 1): 0.8}])
    eta = decode(process, np.array([0, 0.20, 0.12, 0.68]))
    says("08", "0.4 0.88 0.80", eta[0], *frequency(process, eta))

    process = process_matrix([{(1, 2): 1}, {(0, 2): 1}, {(0, 1): 1}])
    eta = np.array([0.5, 0.3, 0.2])
    says("08", "3 0.5 0.7 0.8", rank(process), *frequency(process, eta))

    inclusion = np.repeat([[0.5], [0.3], [0.3]], 3, axis=1)
    process = process_of(BagProcess(inclusion))
    together = cooccurrence(process)
    says("08", "0.5 0.7", 1 - together[1, 0], 1 - together[2, 1])
    eta = np.array([0.55, 0.45, 0])
    says("08", "0.685 0.725", *frequency(process, eta)[:2])


def test_08_questions():
    raters = EXAMPLES["a mixture of two"].process
    bags = raters @ [0.3, 0.2, 0.5]
    assert raters @ [0.4, 0.3, 0.3] == pytest.approx(bags)

    process = process_matrix([{(0, 1): 1}, {(0, 1): 0.5, (0, 1, 2): 0.5}, {(2,): 1}])
    together = cooccurrence(process)
    assert rank(process) == 3
    assert together[0] == pytest.approx(together[1])

    process = process_of(BagProcess(np.repeat([[0.6], [0.2], [0.2]], 3, axis=1)))
    says("08", "0.4 0.8 0.8", *1 - np.roll(cooccurrence(process), 1, axis=0).diagonal())
    assert frequency(process, np.array([0.55, 0.45, 0])).argmax() == 1

    assert np.linalg.matrix_rank(np.eye(16)[[1, 2, 4]].T[:, [0, 1, 2, 0]]) == 3
    says("08", "340 667", 340, 1000 * EXAMPLES["first expert"].eta[0])
    assert binom.sf(5, 1000, 0.006) == pytest.approx(binom.sf(5, 100, 0.06), abs=0.01)


def test_08_counting_group_a():
    names = {"np": np, "load_digits": load_digits, "train_test_split": train_test_split}
    names |= {"NeighborTable": NeighborTable, "BagDraws": BagDraws, "BagProcess": BagProcess}
    exec(cells("08")["digits"].source, names)
    held = names["bags_A"][names["nearest"]].sum(axis=1)
    wrong = held.argmax(axis=1) != names["y_new"]
    says("08", "0.22", wrong.mean())
    assert (held[wrong].argmax(axis=1) == 8).all()
    says("08", "28 26", *held[learnability.NEW_SCAN, [1, 8]])


def test_08_a_rare_clue():
    lab = labs.LearnabilityLab(model="always both", probability_0_0=0.1, n=100)
    says("08", "52", int(lab.readout()["samples that are right"].split()[0]))

    process = process_matrix([{(0,): 0.1, (0, 1): 0.9}, {(0, 1): 1}])
    even = decode(process, np.array([0, 0.05, 0, 0.95]))
    assert even == pytest.approx([0.5, 0.5]), "more than 5 of 100 are needed"
    says("08", "0.56", binom.sf(5, 100, 0.06))
    says("08", "0.97", binom.sf(100, 2000, 0.06))
    says("08", "0.97", binom.sf(50, 100, 0.6))

    process = EXAMPLES["supersets without full rank"].process
    assert rank(process) == 3
    assert np.diag(cooccurrence(process)) == pytest.approx([1, 1, 1, 1])
