"""What lesson 04 states in words is what is computed."""

from functools import cache

import numpy as np
import pytest
from lesson_pages import Page, because, stored

from knnviz import problems, regions
from knnviz.bounds import khim
from knnviz.labs import ThresholdLab
from knnviz.lessons.openings import class_weights
from knnviz.problems import waves
from knnviz.profiles import BallProfile
from knnviz.weights import Thresholds

PAGE = Page("04-class-weights.ipynb")
TEXTS, read = PAGE.texts, PAGE.read
FAVORED = (0.5, 0.3, 0.2)


@cache
def known():
    """Entries of the rules that know eta of the rare class, at all thresholds."""
    cells, eta = problems.rare().cells(20_000)
    return Thresholds.from_fractions(eta[:, 1], eta[:, 1], cells.weights)


def test_the_story_is_that_of_the_picture():
    _, malignant = class_weights.patients()
    (half, none), (one, alarms) = class_weights.detected(class_weights.HALF), class_weights.detected(class_weights.ONE)
    story = TEXTS["title"]
    assert f"Of {len(malignant)} patients, {malignant.sum()} have a malignant tumor" in story
    assert f"right for {100 * (1 - malignant.mean()):.0f} of 100 patients" in story
    assert f"finds {half} of the {malignant.sum()}. If one vote is enough" in story
    assert f"finds all {one} and raises {alarms} false alarms" in story
    assert (none, one) == (0, malignant.sum())


def scores_and_counts(lab):
    """Recall, precision, and the texts of the confusion matrix, by rows."""
    read, (_, counts) = lab.readout(), lab.panel("entries").layers
    return read["recall, held-out points"], read["precision, held-out points"], counts.texts


def test_the_tumors():
    X, kept = class_weights.patients()
    tumors = problems.from_data(X, kept, "pca", test_size=0.5, name="rare tumors")
    lab, text, answer = ThresholdLab(tumors, n=189, k=25, panels=["map"]), TEXTS["look1"], because("lower-threshold")
    malignant = int(kept.sum() - tumors.y_test.sum())
    assert lab.n == len(kept) - len(tumors.y_test)
    assert lab.readout()["recall, held-out points"] == 0
    assert not {layer.name: layer for layer in lab.panel("map").layers}["regions"].codes.any(), "the map is all blue"
    assert f"Only {malignant} voters have a malignant tumor, fewer than half of 25" in text
    assert malignant < lab.k / 2
    (recall, precision, cells), (full, alarmed, lowest) = (scores_and_counts(lab.set(t=t)) for t in (0.2, 0.04))
    assert f"Recall is {recall:.2f}, or {cells[3]} of 11. Precision is {precision:.2f}. - Drag it" in text
    assert (cells[2], cells[3]) == ("2", "9")
    assert "nine of eleven are found without a false alarm" in answer
    assert full == 1
    assert f"with {lowest[1]} false alarms. Precision is {alarmed:.2f}" in text
    assert alarmed < 0.5
    assert "most alarms are false" in answer


def test_each_rule_is_best_for_its_own_costs():
    (rows,) = PAGE.shown("costs")
    costs = np.array([[float(each) for each in row] for row in rows.values()])
    assert list(costs.argmin(axis=0)) == [0, 1, 2]
    for row, t in zip(costs, (1 / 2, 1 / 5, 1 / 21), strict=True):
        assert row == pytest.approx(
            [1000 * (known().at(t).fp + miss * known().at(t).fn) for miss in (1, 4, 20)], abs=0.51
        )
    assert [khim.weight_threshold((1, miss)) for miss in (4, 20)] == pytest.approx([1 / 5, 1 / 21])
    assert f"Class 1 holds {100 * known().prevalence:.1f}% of all points" in TEXTS["s2"]


def test_f1_is_largest_at_half_of_itself():
    best, low, high = known().best()
    assert low <= best / 2 <= high
    text, prior = TEXTS["look3"], known().at(0.057)
    assert f"finds {100 * prior.recall:.0f}%" in because("rare-class")
    assert prior.precision == pytest.approx(1 / 4, abs=0.02)
    assert f"F1 is largest at {best / 2:.2f}" in because("rare-class")
    assert read("lab3")["F1, new points"] == read("lab3")["recall, new points"] == known().at(0.5).tp == 0
    assert f"**F1, new points** is {read('lab3', t=0.228)['F1, new points']:.2f}" in text
    assert f"**largest Bayes F1**, {best:.2f}" in text
    assert f"At $t=0.057$ F1 is {read('lab3', t=0.057)['F1, new points']:.2f}" in text


def test_a_training_score_rewards_memorization():
    many, one, text = read("lab4"), read("lab4", k=1), TEXTS["look4"]
    sentence = (
        f"F1 is {many['F1, training points']:.2f} on the training points and {many['F1, new points']:.2f} on new points"
    )
    assert sentence in text
    assert f"{one['F1, training points']:.2f} on the training points, {one['F1, new points']:.2f} on new ones" in text
    assert f"the same rule has {one['F1, new points']:.2f}" in because("one-neighbor-f1")
    assert f"only {100 * one['precision, new points']:.0f}% are in class 1" in text
    assert read("lab4", k=1, t=0.9)["precision, new points"] == one["precision, new points"], "fractions are 0 or 1"


def test_a_vacuous_bound():
    here, text = read("lab5"), TEXTS["look5"]
    assert f"{100 * here['boundary mass']:.0f}% of the line" in text
    assert f"**bound of Theorem 1** is {here['bound of Theorem 1']:.2f}; the **disagreement** of this sample is" in text
    assert f"of this sample is {here['disagreement']:.2f}." in text
    nothing = read("lab5", n=1000, k=50)
    assert nothing["bound of Theorem 1"] == nothing["boundary mass"] == 1
    words = because("bound-and-truth")
    assert (
        f"a lead of {nothing['margin Delta']:.2f} in all balls of probability up to {nothing['ball mass p']:.2f}"
        in words
    )
    seen = {row["n"]: row for row in stored("khim_bounds", "observed")}
    assert f"the mean disagreement is {seen[1000]['disagreement']:.2f}" in TEXTS["p5"]


def test_the_table_of_bounds():
    seen = {row["n"]: row for row in stored("khim_bounds", "observed")}
    for row in stored("khim_bounds", "theorem_1"):
        if row["n"] != 10**5:
            found = seen.get(row["n"], {})
            both = [f"{found[name]:.2f}" if found else "–" for name in ("disagreement", "largest_disagreement")]
            line = f"| {row['n']:,} | {row['k']:,} | {row['bound']:.2f} | {both[0]} | {both[1]} |"
            assert line in TEXTS["bounds"]


def test_no_other_k_helps_theorem_1():
    """At n = 1000 it is vacuous for every k, at 2000 not for one."""
    measure, eta = waves().cells(1000)
    ball = BallProfile.integrate(measure, eta, q=FAVORED, masses=np.arange(1, 1001) / 1000)

    def best(n):
        bounds = (khim.theorem_1(n, k, 0.05, FAVORED) for k in range(20, n, 20))
        usable = [each for each in bounds if each.mass <= 1 and each.margin <= max(FAVORED)]
        return min(1, 0.05 + min(regions.effective_boundary(ball, *each, FAVORED).mean() for each in usable))

    assert best(1000) == 1
    assert best(2000) < 0.95


def f1_within(numbers):
    return [numbers[f"{which} F1 by entry bounds"] for which in ("least", "largest")]


def test_from_entries_to_f1():
    here, text = read("lab6"), TEXTS["look6"]
    negative, positive = here["TN and FP within"], here["TP and FN within"]
    assert f"TN and FP are known to within {negative:.2f}, and TP and FN to within {positive:.2f}" in text
    assert f"TP is only {known().at(0.228).tp:.2f}" in text
    assert "leave F1 between {:.2f} and {:.2f}".format(*f1_within(here)) in text
    assert f1_within(read("lab6", bound_n=10_000)) == [0, 1]
    many, fine = read("lab6", bound_n=10**10), read("lab6", bound_n=10**10, epsilon=0.001)
    assert "still {:.2f} to {:.2f}".format(*f1_within(many)) in text
    assert "0.001$: {:.2f} to {:.2f}".format(*f1_within(fine)) in text
    assert many["F1 within"] == fine["F1 within"] == "vacuous"
    assert r"even at $n = 10^{10}$ and $\epsilon = 0.001$" in TEXTS["more"]
    assert f"$= {here['F1, new points']:.2f}$" in TEXTS["s6"]


def test_going_further():
    (rows,) = PAGE.shown("pipeline-rows")
    assert int(rows["(1, 4)"][0]) == 2 * int(rows["(1, 1)"][0])
    assert rows["(1, 4)"][1] == "0"
    lab, _ = PAGE.opened("lab2")
    regions_of = [lab.set(q0=q0).panel("map").layers[0].codes for q0 in (1 / 3, 0.5)]
    grown = [100 * np.mean(codes == 0) for codes in regions_of]
    assert "grows from {:.0f}% to {:.0f}% of the line".format(*grown) in TEXTS["three-classes"]
    for q0 in (0.1, 0.5, 0.9):
        found = lab.set(q0=q0).readout()
        assert 0 < found["weighted risk"] - found["weighted Bayes risk"] < 0.01
