"""What lesson 03 states in words is what is computed: answers to predictions, and numbers in its prose."""

import numpy as np
import pytest
from lesson_pages import Page, because, kept
from reference_implementations import reference
from sklearn.ensemble import RandomForestClassifier

from knnviz import LabelNoise, risk
from knnviz.bounds import reeve_kaban
from knnviz.estimators import NoiseRobustPlugIn
from knnviz.lessons import book, exercises
from knnviz.problems import plateau, ramp
from knnviz.rules import Vote

PAGE = Page("03-fast-rates.ipynb")
TEXTS, shown, lab = PAGE.texts, PAGE.shown, PAGE.lab
UNEVEN = LabelNoise(p0=0.1, p1=0.3)
PLATEAU = {"smoothness": 1, "smoothness_constant": 1.5}


def test_million_points():
    few, *_, many = kept("reeve_risks", "risks")[1:]
    words = because("million-points")
    assert f"At n = 1000 kNN errs with probability {few['vote']:.3f}." in TEXTS["p1"]
    assert f"From {few['vote']:.3f} to {many['vote']:.3f}" in words
    assert f"Its limit is {risk.vote_limit(plateau(0.1, 0.3), UNEVEN):.4f}" in words
    assert all(row["robust"] + 2 * row["robust_se"] < row["vote"] for row in kept("reeve_risks", "risks"))
    assert book.predictions()["million-points"].choice == f"near {many['vote']:.2f}"


def test_the_first_lab():
    few, _ = lab("lab1")
    many, wide = lab("lab1", n=1_000_000)
    assert few["k"] == 90
    assert f"$k_n = {few['k']}$" in TEXTS["look1"]
    assert on_the_plateau(lab("lab1")[1], "kNN") == pytest.approx(0.28, abs=0.03)
    assert (on_the_plateau(wide, "kNN"), on_the_plateau(wide, "robust kNN")) == (0, 1)
    assert f"The risk of this sample is {many['plain_risk']:.3f}" in TEXTS["look1"]
    x = wide.line.cells[wide.noise.misled]
    assert (x.min(), x.max()) == pytest.approx((1 / 3, 7 / 9), abs=1e-3)


def on_the_plateau(rates, rule):
    """Fraction of the plateau on which a rule decides for class 1."""
    x, m, rules = rates.line.cells, rates.line.m, rates.rules
    there = (x > 2 * m / 3) & (x < (2 * m + 1) / 3)
    labels = Vote().predict(rules.votes, rules.k) if rule == "kNN" else rules.labels
    return labels[rules.serving][there].mean()


def test_swapped_rates():
    law, flips = plateau(0.3, 0.1), LabelNoise(p0=0.3, p1=0.1)
    m = law.eta(np.array([[0.5]]))[0, 1]
    numbers = m, 0.3 + 0.6 * m, law.bayes_risk(), 4 / 9, risk.vote_limit(law, flips)
    levels = "m becomes {:.4f} and η^corr(m) becomes {:.2f}; "
    risks = "the Bayes risk {:.4f}, the misled mass {:.4f} and the limit {:.4f}"
    assert (levels + risks).format(*numbers) in because("swapped-rates")
    assert lab("lab1", n=64_000, p0=0.3, p1=0.1)[0]["misled_mass"] == pytest.approx(4 / 9, abs=1e-4)
    (rows,) = shown("h1")
    assert f"worse than a coin, at {rows['p0 = 0.05, p1 = 0.45'][-1]}" in TEXTS["look1b"]


def test_two_worlds():
    x = np.linspace(0, 1, 7)[:, None]
    for law, flips in ((ramp(0, 1), UNEVEN), (ramp(0.1, 0.7), LabelNoise(0, 0))):
        np.testing.assert_allclose(flips.corrupt(law.eta(x))[:, 1], 0.1 + 0.6 * x[:, 0])
    assert "with probability 0.1 + 0.6 x" in because("two-worlds")


def test_the_second_lab():
    here, second = lab("lab2")
    text = TEXTS["look2"]
    assert f"*estimated p0* is {here['p0_hat']:.4f}, *estimated p1* {here['p1_hat']:.4f}" in text
    assert f"between the two ends {here['threshold']:.4f}" in text
    assert f"the area ends at {here['p0_hat']:.3f} and {1 - here['p1_hat']:.3f}" in text
    assert f"as diamonds, {here['plain_risk']:.3f} and {here['robust_risk']:.3f}" in text
    assert on_the_plateau(second, "kNN") < 0.05
    assert on_the_plateau(second, "robust kNN") > 0.95
    unlucky, other = lab("lab2", seed=1), lab("lab2", seed=2)
    assert f"With seed 1 the threshold is {unlucky[0]['threshold']:.4f}" in text
    assert f"two fifths of the plateau: the risk is {unlucky[0]['robust_risk']:.3f}. " in text
    assert on_the_plateau(unlucky[1], "robust kNN") == pytest.approx(0.6, abs=0.02)
    assert f"With seed 2 it is {other[0]['robust_risk']:.3f}" in text


def test_a_sharp_forest_stays_sharp_at_points_left_out():
    sample = plateau(0.1, 0.3).sample(1000, seed=0)
    forest = NoiseRobustPlugIn(RandomForestClassifier(random_state=0), cv=5)
    assert forest.fit(sample.X, UNEVEN.flip(sample.y, sample.v)).noise_rates_ == (0, 0)


def test_the_excess_of_the_plain_vote_on_the_ramp():
    limit = risk.vote_limit(ramp(), UNEVEN) - ramp().bayes_risk()
    assert f"Its excess goes nowhere, to {limit:.4f}" in TEXTS["look4"]


def test_three_runs_agree():
    simulated = reference("reeve_kaban")["simulation"]
    risks, _ = shown("h4b")
    names = ("vote", "knn", 0), ("robust", "alg2", 3)
    for full, second, row in zip(kept("reeve_risks", "risks"), simulated, risks.values(), strict=True):
        for ours, theirs, at in names:
            # Forty samples in the full run, ten here; the last two rows of the second program are of ten as well.
            error = full[f"{ours}_se"]
            assert abs(full[ours] - second[theirs]) < 3 * np.hypot(error, second[f"{theirs}_se"])
            assert abs(full[ours] - float(row[at])) < 3 * np.hypot(error, 2 * error) + 5e-5


def test_rates_on_the_way():
    _, rates = shown("h4b")
    way = TEXTS["look4b"]
    _, fast, last = (float(each.split()[0]) for each in rates["plateau(p0=0.1, p1=0.3)"])
    assert f"the exponent is {fast:.2f}, far above the theorem's" in way
    assert f"and the exponent is {last:.2f}." in way
    assert reeve_kaban.least_margin_constant(plateau(0.1, 0.3), 1) == pytest.approx(16 / 3, abs=1e-3)


def test_k_for_the_extremes():
    means = {row["k"]: row["p1_hat"] for row in kept("reeve_maximum", "estimates")}
    said = f"is {means[10]:.2f} at k = 10, {means[100]:.2f} at k = 100 and {means[800]:.2f} at k = 800"
    assert said in because("k-for-the-extremes")


def test_the_third_lab():
    here, text = lab("lab3")[0], TEXTS["look5"]
    assert (here["p0_hat"], here["p1_hat"]) == pytest.approx((0.09, 0.3))
    few, many = lab("lab3", k=10)[0], lab("lab3", k=700)[0]
    assert (few["p0_hat"], few["p1_hat"], few["threshold"]) == (0, 0, 0.5)
    assert few["plain_risk"] == few["robust_risk"]
    assert "Set $k$ to 700: {p0_hat:.3f} and {p1_hat:.3f}, both far too large".format(**many) in text
    assert "the threshold is {threshold:.3f}, and the risk of robust kNN {robust_risk:.4f}".format(**many) in text
    thresholds = [lab("lab3", k=k)[0]["threshold"] for k in (70, 100, 150, 200, 300, 500, 700)]
    assert max(abs(threshold - 0.4) for threshold in thresholds) <= 0.02


def test_wrong_noise_and_a_right_cut():
    (rows,) = shown("h5")
    numbers = {name: [float(each) for each in row[:-1]] for name, row in rows.items()}
    large = [numbers[f"k = {k}"] for k in (100, 200, 400, 800)]
    assert f"climbs from {large[0][0]:.2f} to {large[-1][0]:.2f}" in TEXTS["look5b"]


def along(n, beta=0, constant=1, tight=False):
    """The bound on the excess along k_n, as in section 6."""
    margin = {"margin_exponent": beta, "margin_constant": constant, "tight": tight}
    k = reeve_kaban.k_n(n, 0.01, **PLATEAU)
    return reeve_kaban.theorem_4_3(n, k, 0.01, UNEVEN, **PLATEAU, **margin).excess


def test_the_bound_wakes_up():
    values = [along(10**power) for power in (4, 6, 8)]
    said = "it is {:.2f} at n = 10^4, {:.2f} at n = 10^6 and {:.2f} at n = 10^8"
    assert said.format(*values) in because("bound-wakes-up")
    assert [value < 0.5 for value in values] == [False, False, True]
    assert along(10**7) > 0.5 > along(10**7, tight=True)
    assert along(10**9, 1, 16 / 3) > along(10**9)
    assert along(2 * 10**9, 1, 16 / 3) < along(2 * 10**9)
    coin = 0.5 - plateau(0.1, 0.3).bayes_risk()
    assert f"which is {coin:.3f} on the plateau" in TEXTS["s6"]
    assert reeve_kaban.least_smoothness_constant(plateau(0.1, 0.3), 1) == pytest.approx(1.5, abs=1e-3)


def test_the_fourth_lab():
    here, text = lab("lab4")[0], TEXTS["look6"]
    assert f"*bound on excess* is {here['bound']:.2f}" in text
    assert f"The excess of this sample is {here['robust_risk'] - here['bayes_risk']:.5f}" in text
    assert f"and the bound is {lab('lab4', smoothness_constant=3.0)[0]['bound']:.2f}" in text
    steep = lab("lab4", margin_exponent=1.0, margin_constant=5.4)[0]
    assert f"*promised rate* is {steep['promised_rate']:.3f} now, and the bound {steep['bound']:.1f}" in text
    solve = exercises.evaluated("import numpy as np\n" + book.exercises()["best-k"].solution, "best_k")
    best = solve(10**6, 0.01, 1, 1.5)
    assert f"near $k = {round(best, -2)}$" in text
    assert reeve_kaban.theorem_4_3(10**6, int(best), 0.01, UNEVEN, **PLATEAU).excess > 1
    # In the guide: a third of k_n.
    assert reeve_kaban.k_n(10**6, 0.01, **PLATEAU) / best == pytest.approx(32 ** (1 / 3), rel=0.01)


def test_terms_along_k_n():
    n = 10**8
    bound = reeve_kaban.theorem_4_3(n, reeve_kaban.k_n(n, 0.01, **PLATEAU), 0.01, UNEVEN, **PLATEAU)
    vote, smooth = np.sqrt(np.log(18 * n / 0.01) / bound.k), 3 * (2 * bound.k / n)
    assert smooth / vote == pytest.approx(8**0.5, rel=1e-3)
    assert "about three times the vote term" in TEXTS["look6b"]
    middle = next(row for row in kept("reeve_risks", "risks") if row["n"] == 4000)
    assert middle["robust"] - middle["bayes_risk"] < 0.01


def test_half_a_range():
    low, high = UNEVEN.corrupt(ramp(0.4, 1).eta(np.array([[0.0], [1.0]])))[:, 1]
    turn = (0.5 - UNEVEN.p0) / UNEVEN.contrast
    said = f"= {low:.2f} to {high:.1f}, so the threshold goes to {(low + high) / 2:.2f}"
    assert said in because("half-a-range")
    assert f"kNN turns at η = {turn:.3f}" in because("half-a-range")
    here, text = lab("lab5")[0], TEXTS["look7"]
    assert f"at {here['threshold']:.3f} in this sample" in text
    risks = here["robust_risk"], here["plain_risk"], here["bayes_risk"]
    assert "*risk of robust kNN* {:.3f}, of kNN {:.3f}, $R^*$ {:.3f}".format(*risks) in text
    assert f"limit of robust kNN*, {here['robust_limit']:.2f}." in text
    rates = lab("lab5")[1]
    assert not rates.rules.decisions[rates.noise.misled].any()
    assert f"all is well again: robust kNN is at {lab('lab5', low=0.0)[0]['robust_risk']:.3f}" in text
    narrow = lab("lab5", high=0.6)[0]
    assert "estimates are {p0_hat:.3f} and {p1_hat:.3f}".format(**narrow) in text
    assert f"the threshold is {narrow['threshold']:.3f}" in text


def test_noisy_referee():
    cells, eta = plateau(0.1, 0.3).cells(18_900)
    noisy = UNEVEN.corrupt(eta)
    plain, robust = (risk.vote_labels(noisy, threshold) for threshold in (0.5, 0.4))
    errors = [risk.exact(labels, truth, cells.weights) for labels in (plain, robust) for truth in (noisy, eta)]
    said = "kNN errs on {:.3f} of the noisy labels, and on {:.3f} of the true ones; Algorithm 2 on {:.3f} and on {:.3f}"
    assert said.format(*errors) in because("noisy-referee")
    assert book.predictions()["noisy-referee"].choice == f"Algorithm 2, on {errors[2]:.3f} of them"
