"""What lesson 04 states in words is what is computed: answers to predictions, and numbers in its prose."""

from functools import cache

import numpy as np
import pytest
from lesson_pages import Page, because, kept, numbers
from reference_implementations import reference

from knnviz import NeighborTable, VoteProfile, metrics, regions, weights
from knnviz.bounds import khim
from knnviz.labs import WeightLab
from knnviz.problems import waves
from knnviz.profiles import BallProfile
from knnviz.rules import leaders

PAGE = Page("04-class-weights.ipynb")
TEXTS, shown, lab = PAGE.texts, PAGE.shown, PAGE.lab
FAVORED, EQUAL = (0.5, 0.3, 0.2), (1 / 3, 1 / 3, 1 / 3)
MORE = (0.52, 0.29, 0.19)


@cache
def bayes(q, rule="argmax"):
    """Entries of the weighted Bayes rule of the waves."""
    cells, eta = waves().cells(200_000)
    return metrics.confusion_bayes(eta, q, weights=cells.weights, rule=rule)


def test_the_classes():
    cells, eta = waves().cells(20_000)
    said = "holds {:.1%} of all points, class 1 {:.1%} and class 2 {:.1%}".format(*cells.weights @ eta)
    assert said.replace("%", " %") in TEXTS["s1"]


def test_weights_for_class_0():
    plain, moved, words = bayes(EQUAL), bayes(FAVORED), because("weights-for-class-0")
    assert f"The recall goes from {plain.recall[0]:.3f} to {moved.recall[0]:.3f}" in words
    assert f"its precision falls from {plain.precision[0]:.3f} to {moved.precision[0]:.3f}" in words
    assert f"The accuracy falls from {plain.accuracy:.3f} to {moved.accuracy:.3f}" in words
    assert f"macro F1 from {plain.macro_f1:.3f} to {moved.macro_f1:.3f}" in words
    assert f"from {plain.f1[0]:.3f} to {moved.f1[0]:.3f}; the other classes lose more" in TEXTS["look1b"]


def test_each_rule_is_best_by_its_own_risk():
    (rows,) = shown("h1")
    f1 = [float(row[4]) for row in rows.values()]
    assert f"F1 of class 0 alone rises, from {f1[0]} to {f1[1]}" in TEXTS["look1b"]


def test_times_ten():
    three, ten, thousand = (khim.theorem_1(1000, 50, 0.05, q).margin for q in ((1,) * 3, (10,) * 3, (1,) * 1000))
    assert ten == pytest.approx(10 * three)
    assert f"which goes from {three:.3f} to {thousand:.3f}" in because("times-ten")


def test_bound_and_truth():
    first, second = kept("khim_bounds", "theorem_1")[:2]
    seen = {row["n"]: row["disagreement"] for row in kept("khim_bounds", "observed")}
    assert f"The margin Δ is {first['margin']:.2f}" in because("bound-and-truth")
    assert f"it is {second['bound']:.2f}, and the disagreement {seen[second['n']]:.2f}" in because("bound-and-truth")


def test_bounds_beside_samples():
    (rows,) = shown("h2")
    last, text = list(rows.values())[-1], TEXTS["look2b"]
    assert f"at $10^7$ it says {last[3]}" in text
    sets = {(row["n"], row["weights"]): row["set"] for row in kept("khim_bounds", "theorem_2")}
    small, large = sets[1000, "weighted"], sets[100_000, "weighted"]
    assert f"holds {100 * small:.0f} % of the line, at $n = 10^5$ and $k = 2000$ still {100 * large:.0f} %" in text


def test_the_near_tie():
    law, text = waves(), TEXTS["look2b"]
    cells, eta = law.cells(20_000)
    x, leads = cells.points[:, 0], regions.margins(eta, FAVORED)
    near = (x > 0.7) & (x < 0.8)
    assert x[near][leads[near].argmin()] == pytest.approx(0.74, abs=0.001)
    assert f"come within {leads[near].min():.3f} of each other" in text
    assert (leads < 0.01).mean() == pytest.approx(0.1, abs=0.005)
    assert f"with equal weights that is {100 * (regions.margins(eta, EQUAL) < 0.01).mean():.0f} %" in text
    constants = [khim.least_margin_constant(law, 1, q) for q in (FAVORED, EQUAL)]
    assert "is $M = {:.1f}$, and {:.1f} for equal weights".format(*constants) in text
    said = [np.bincount(leaders(eta.T, np.array(q), 0).argmax(axis=0)) / len(x) for q in (MORE, FAVORED)]
    assert f"is said on {100 * said[0][0]:.0f} % of the line, after {100 * said[1][0]:.0f} %" in text
    around = (eta * MORE)[near].argmax(axis=1)
    assert {0, 2} == set(around)


def test_one_neighbor_f1():
    (rows,) = shown("h3")
    table, words = {name: numbers(row) for name, row in rows.items()}, because("one-neighbor-f1")
    assert f"F1 is {table['k = 1'][0]:.3f}, whatever the data" in words
    assert f"the rule has {table['k = 1'][2]:.3f}, less than k = 50 with {table['k = 50'][2]:.3f}" in words


def test_table_1():
    text = TEXTS["look3b"]
    for row in kept("khim_table_1", "beside"):
        assert round(row["exact"], 2) == round(row["float"], 2) == row["printed"]
    first = kept("khim_table_1", "beside")[0]
    assert f"It moves TN by {first['exact'] - first['float']:.3f}" in text
    assert 5 * 1000 ** (1 / 3) == 49.99999999999999
    assert r"$0.5 \cdot \frac{4}{18}$ and $0.2 \cdot \frac{10}{18}$ differ" in TEXTS["s3b"]
    assert 0.5 * (4 / 18) != 0.2 * (10 / 18)
    runs = reference("khim_runs")["table_1"]
    rounded, exact = (runs[name]["abs"][0] for name in ("50,18,self", "50,18,exact"))
    assert f"was {rounded:.3f} with rounding and {exact:.3f} without" in text
    assert round(rounded, 2) != first["printed"] == round(exact, 2)
    small, large = ([row["exact"] for row in kept("khim_table_1", "beside") if row["n"] == n] for n in (50, 1000))
    assert np.mean(np.divide(small, large)) == pytest.approx(5, abs=0.5), "roughly the root of 20"


def test_a_k_that_is_chosen_for_theorem_1():
    """At n = 1000 no k lets it speak, at 2000 one does."""
    measure, eta = waves().cells(1000)
    ball = BallProfile.integrate(measure, eta, q=FAVORED, masses=np.arange(1, 1001) / 1000)

    def best(n):
        bounds = (khim.theorem_1(n, k, 0.05, FAVORED) for k in range(20, n, 20))
        said = [each for each in bounds if not each.vacuous]
        masses = (regions.effective_boundary(ball, each.mass, each.margin, FAVORED).mean() for each in said)
        return min(each.disagreement(min(mass, 1)) for each, mass in zip(said, masses, strict=True))

    assert best(1000) == 1
    assert best(2000) < 0.95


def test_guaranteed_tenth():
    steep = {"holder_exponent": 1, "holder_constant": khim.least_lipschitz_constants(waves()).max()}
    assert f"The waves have L = {steep['holder_constant']:.1f}" in TEXTS["p4"]
    least = khim.least_n(0.1, 0.025, **steep)
    assert f"From {least / 1e6:.1f} million on" in because("guaranteed-tenth")
    observed = {row["n"]: row for row in kept("khim_bounds", "observed")}
    assert f"the uniform error is {observed[100_000]['uniform_error']:.2f} on average" in because("guaranteed-tenth")
    cells, eta = waves().cells(20_000)
    sample = waves().sample(1000, seed=0)
    votes = VoteProfile.count(NeighborTable.build(sample.X, cells.points, 50), sample.y, 3)
    assert f"the uniform error is {metrics.uniform_error(votes.at(50) / 50, eta):.3f}" in TEXTS["p4"]


def test_theorem_3_along_n():
    (rows,) = shown("h4")
    seen = [float(row[4]) for row in rows.values() if row[4] != "–"]
    assert f"One sample of $10^5$ points has {seen[-1]}" in TEXTS["look4"]


def test_halve_epsilon():
    cells, eta = waves().cells(200_000)
    pair = weights.cover(FAVORED, 100, 0)
    bands = (regions.error_band(eta, epsilon, *pair, 0) for epsilon in (0.1, 0.05, 0.001, 0))
    tne = [band.errors(eta, 0, cells.weights)[0] for band in bands]
    said = "{:.3f} at ε = 0.1, {:.3f} at 0.05, {:.3f} at 0.001, and {:.3f} at 0."
    assert said.format(*tne) in because("halve-epsilon")
    assert f"tne stops at {tne[-1]:.3f}" in TEXTS["look4c"]


def test_from_entries_to_f1():
    (rows,) = shown("h4c")
    words = because("from-entries-to-f1")
    assert f"{float(rows['F1, Corollary 6'][1]):.2f}, for a number between 0 and 1" in words
    low, high = (float(each) for each in rows["F1, box"][1].removeprefix("between ").split(" and "))
    assert f"the interval from {low:.3f} to {high:.3f}" in words
    assert f"to within {float(rows['TN, FP'][1]):.3f}." in TEXTS["p4c"]
    assert f"F1 of class 0 is {rows['F1, box'][0]}" in TEXTS["p4c"]


def test_the_band_lab():
    here, text = lab("lab4")[0], TEXTS["look4b"]
    assert here["tne"] + here["fne"] == pytest.approx(0.5, abs=0.02)
    half = lab("lab4", epsilon=0.05)[0]
    assert "*tne* {tne:.3f} and *fne* {fne:.3f}".format(**half) in text
    assert lab("lab4", epsilon=0.001)[0]["tne"] > 0.04
    assert lab("lab4", epsilon=0.001, cover="none")[0]["tne"] < 0.005
    assert f"*tne* falls from {here['tne']:.3f} to {lab('lab4', width_factor='tight')[0]['tne']:.3f}" in text
    light = lab("lab4", q0=0.06)[1]
    assert 1 + max(light.weights.q) / light.q0 > 10
    assert light.class_band.threshold.mean() > 1
    assert light.class_band.edges.inside.mean() == pytest.approx(0.04, abs=0.01)
    assert f"{here['needed'] / 1e6:.1f} million" in because("guaranteed-tenth")
    assert lab("lab4", epsilon_source="Theorem 3")[0]["epsilon"] == 1


def test_rare_class():
    best = {row["problem"]: row for row in kept("khim_thresholds", "best")}["rare"]
    said = f"The best F1 of any rule is {best['best_f1']:.3f}, and half of that, {best['half_of_best']:.3f}"
    assert said in because("rare-class")
    assert f"Let class 1 be rare, {100 * best['prior']:.1f} % of all points" in TEXTS["s5"]
    rows, _ = shown("h5")
    half, middle, _ = (numbers(row) for row in rows.values())
    assert f"its recall is {half[3]:.2f}" in TEXTS["look5b"]
    assert f"kNN has an F1 of {middle[2]:.3f}, and no rule has more than {middle[0]:.3f}" in TEXTS["look5b"]


def test_the_threshold_lab():
    here, text = lab("lab5")[0], TEXTS["look5"]
    assert here["new_f1"] == here["new_recall"] == 0
    low, lower = lab("lab5", t=0.228)[0], lab("lab5", t=0.057)[0]
    said = "On new points *recall* {new_recall:.3f}, *precision* {new_precision:.3f}, *F1* {new_f1:.3f}"
    assert said.format(**low) in text
    assert "recall {new_recall:.3f}, precision {new_precision:.3f}, F1 {new_f1:.3f}".format(**lower) in text
    assert low["weights"] == pytest.approx((0.228, 0.772))
    other = lab("lab5", seed=7)[1]
    trained, tested = other.counts.on_training.best(), other.counts.on_new.best()
    assert f"its top is {trained[0]:.3f}" in text
    assert f"past its own, which is {tested[0]:.3f}" in text
    assert trained[1] > tested[2]


def test_the_first_lab():
    here, text = lab("lab1")[0], TEXTS["look1"]
    moved, heavy = lab("lab1", q0=0.5, q1=0.3, q2=0.2)[0], lab("lab1", q0=0.9, q1=0.06, q2=0.04)[0]
    assert f"its recall goes from {here['recall'][0]:.2f} to {moved['recall'][0]:.2f}" in text
    assert f"its precision from {here['precision'][0]:.2f} to {moved['precision'][0]:.2f}" in text
    assert f"*macro F1, new points* from {here['new_macro_f1']:.3f} to {moved['new_macro_f1']:.3f}" in text
    assert f"has {here['bayes_macro_f1']:.3f} and {moved['bayes_macro_f1']:.3f}" in text
    assert 0 < heavy["precision"][0] - bayes(EQUAL).tp[0] - bayes(EQUAL).fn[0] < 0.03
    said = np.bincount(lab("lab1", q0=0.9, q1=0.06, q2=0.04)[1].vote.decisions, minlength=3) / 1000
    assert said[0] == pytest.approx(0.9, abs=0.01)
    (preset,) = (each for each in WeightLab.presets if each.name == "Figure 1, right")
    assert "preset *Figure 1, right*" in text
    assert WeightLab(**preset.values).weights.q == FAVORED


def test_the_second_lab():
    (here, found), text = lab("lab2"), TEXTS["look2"]
    assert (
        f"the $p = {found.sets.theorem.mass:.3f}$ and $\\Delta = {found.sets.theorem.margin:.3f}$ of the theorem"
        in text
    )
    assert f": {100 * here['boundary_mass']:.0f} % of the line. *bound of Theorem 1* is {here['bound']:.3f}" in text
    assert f"The *disagreement* of this sample is {here['disagreement']:.3f}" in text
    assert lab("lab2", n=1000, k=50)[0]["bound"] == 1
    wide, thin = (lab("lab2", boundary="p and Delta as set", margin=margin) for margin in (0.05, 0.02))
    assert wide[1].sets.mass == 0.1
    assert f"the set has {100 * wide[0]['boundary_mass']:.0f} % of the line" in text
    assert f"with $\\Delta = 0.02$ {100 * thin[0]['boundary_mass']:.0f} %" in text
    x = found.cells.field.grid.points[:, 0]
    piece = thin[1].sets.inside & (x > 0.7) & (x < 0.8)
    assert piece.any()
    assert set(found.vote.bayes_decisions[piece]) == {2}
    lower = lab("lab2", overlay="lower-bound set")[0]["lower_mass"]
    assert f"On these points, {100 * lower:.0f} % of the line" in text


def test_the_third_lab():
    (here, found), text = lab("lab3"), TEXTS["look3"]
    many, (here, found) = here, lab("lab3", k=1)
    assert here["f1"] == here["recall"] == here["precision"] == (1, 1, 1)
    assert found.confusions.of_sample.fp.sum() == found.confusions.of_sample.fn.sum() == 0
    assert here["bayes_micro_f1"] < 2 / 3
    assert f"*macro F1, new points* is {here['new_macro_f1']:.3f}" in text
    assert f"*disagreement* is {here['disagreement']:.3f}" in text
    said = f"{many['training_macro_f1']:.3f} on the training points and {many['new_macro_f1']:.3f} on new ones"
    assert said in text


def test_two_worlds():
    (here, found), text = lab("lab6"), TEXTS["look6"]
    assert 2 * found.game.worlds.epsilon < 0.06
    assert here["tn_minus"] - here["tn_plus"] > 0.25
    assert f"and {here['tn_minus']:.3f} in $P_-$" in text
    assert f"TN is {here['tn_minus']:.3f}, more than half of the line's mass" in because("a-hair-apart")
    assert here["tn_minus"] / 2 > 0.12
    assert f"*P(best guess is right)*: {here['best_probability']:.3f}" in text
    many = lab("lab6", n=1_000_000)[0]
    assert f"right with probability {many['best_probability']:.3f}" in text
    assert f"{many['tn_minus'] - many['tn_plus']:.2f}" == "0.25"
