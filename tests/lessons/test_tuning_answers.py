"""What lesson 05 states in words is what is computed: answers to predictions, and numbers in its prose."""

from math import comb

import numpy as np
import pytest
from lesson_pages import Page, stored

from knnviz import NeighborTable, VoteProfile, problems, weights
from knnviz.lessons import published
from knnviz.lessons.openings import tuning_weights as story
from knnviz.problems import bundled, waves
from knnviz.weights import WeightScorer, confusion_hat

PAGE = Page("05-tuning-weights.ipynb")
TEXTS, shown = PAGE.texts, PAGE.shown
START = (0.3, 0.3, 0.4)
SCORED, NEW, WAYS = "searched score", "macro F1 on new points", ("equal weights", "greedy walk", "grid")
GREEDY, GRID, RAISED, TOP = "weights, greedy walk", "weights, grid", "steps that raised the score", "reached at"


def lab(name, **moved):
    """What the lab of a cell reads out after some of its controls have moved, and the lab."""
    read = PAGE.read(name, **moved)
    read |= {each: [read.get(f"{each}, {way}") for way in WAYS] for each in (SCORED, NEW)}
    return read | {each: tuple(read[each].values()) for each in (GREEDY, GRID, TOP) if each in read}, PAGE.opened(name)[
        0
    ]


def path(found):
    """The layer with the walk of a lab."""
    return next(layer for layer in found.panel("triangle").layers if layer.name == "path")


def on_grid(n, k):
    """Macro F1 of all weights of the grid on a sample."""
    sample = waves().sample(n, 0)
    codes, votes = weights.validation_set(sample.X, sample.y, 3, k, "resubstitution")
    return WeightScorer.from_fractions(votes.at(k) / k, codes)(weights.simplex_grid(3, 100))


def over_n(validation, sizes):
    """Scores over n as the lab of section 4 draws them."""
    options = weights.SearchOptions(START, validation=validation)
    *_, found = weights.trials(waves(), options, over={"n": sizes}, repeats=10, seed=PAGE.opened("lab4")[1]["seed"])
    return found


def test_the_story():
    kept_scans, found = story.scans(), story.search_results()
    sizes, drift = np.bincount(kept_scans.y), found.greedy
    assert "{} threes, but only {} fives and {} nines".format(*sizes) in TEXTS["title"]
    equal = found.searched(story.EQUAL_WEIGHTS)
    assert found.searched.counts(np.ones((1, 3)))[0].tolist() == [[sizes.sum(), 0, 0]]
    assert f"right in {100 * sizes[0] / sizes.sum():.0f} of 100 cases" in TEXTS["title"]
    assert f"that is {equal:.2f}" in TEXTS["title"]
    assert f"accuracy of {sizes[0] / sizes.sum():.2f} and a macro F1 of {equal:.2f}" in TEXTS["s5"]
    assert set(drift.scores) == {equal}
    assert f"fell from {drift.history[0, 2]:.2f} to {drift.q[2]:.2f}, for no gain" in TEXTS["drift"]


def test_a_small_step():
    here, found = lab("lab1")
    assert found.values["q0"] == START[0]
    for q0 in (0.305, 0.33, 0.35):
        assert lab("lab1", q0=q0)[0][SCORED][1] == here[SCORED][1]
    assert f"stays at {here[SCORED][1]:.2f}" in TEXTS["look1"]
    fine, coarse = (len(set(on_grid(200, k).tolist())) for k in (20, 5))
    assert fine > 2 * coarse, "the flat pieces become smaller"
    assert np.mean(on_grid(200, 1) == 1) > 0.9


def test_longer_steps():
    text, (here, _) = TEXTS["look2"], lab("lab2")
    assert here[GREEDY][0] > 0.78
    assert f"after {here[RAISED]} steps, at {here[SCORED][1]:.2f}" in text
    assert f"(brown) finds {here[SCORED][2]:.2f}." in text
    wide = lab("lab2", step=0.05)[0]
    assert f"Now {wide[RAISED]} steps climb to {wide[SCORED][1]:.2f}" in text
    away = [np.abs(np.subtract(each[GREEDY], each[GRID])).sum() for each in (here, wide)]
    assert away[1] < away[0] / 4
    slow, found = lab("lab2", accept=">=")
    assert f"slowly: {slow[SCORED][1]:.2f} after 20 steps" in text
    assert slow[RAISED] < np.any([np.diff(path(found).x), np.diff(path(found).y)], axis=0).sum()
    flat, found = lab("lab2", accept=">=", k=1)
    assert flat[RAISED] == 0
    assert (np.diff(path(found).y[:10]) < 0).all(), "the height is the weight of class 2"


def test_the_grid():
    assert f"{comb(102, 2):,} for three classes" in TEXTS["s3"]
    assert rf"${comb(109, 9) / 1e12:.1f} \cdot 10^{{12}}$ for ten" in TEXTS["s3"]
    here, text = lab("lab3")[0], TEXTS["look3"]
    assert np.abs(np.subtract(here[GRID], here[TOP])).max() > 0.1
    first, last = here[SCORED][::2], here[NEW][::2]
    assert "{:.2f} and {:.2f} on the sample, but {:.2f} and {:.2f} on new points".format(*first, *last) in text
    found = {n: [lab("lab3", n=n, k=k, seed=seed)[0] for seed in range(5)] for n, k in ((200, 20), (2000, 50))}
    assert {each[TOP] for row in found.values() for each in row} == {here[TOP]}
    away = [max(np.abs(np.subtract(each[GRID], here[TOP])).max() for each in row) for row in found.values()]
    assert away[1] < 0.08 < 0.1 < away[0]
    gains = [each[NEW][2] - each[NEW][0] for each in found[200]]
    assert min(gains) < 0 < max(gains)


def test_the_winners_score():
    here, text, found = lab("lab4")[0], TEXTS["look4"], over_n("loo", [50, 100, 200, 500, 1000, 1500, 2000, 2500])
    assert f"claims {here[SCORED][2]:.2f} and delivers {here[NEW][2]:.2f}" in text
    claimed, new = found.mean("searched"), found.mean("macro")
    assert f"differ by at most {np.abs(claimed[0] - new[0]).max():.2f}, in either direction" in text
    assert set(np.sign(claimed[0] - new[0])) == {-1, 1}
    assert here[NEW][2] > here[NEW][0], "as in the mean"
    gap = claimed[2] - new[2]
    assert (gap > 0).all()
    assert f"by {gap[0]:.2f} at $n = 50$ and by {gap[-2]:.2f} at $n = 2000$" in text
    assert f"{new[2, 2]:.2f} against {new[0, 2]:.2f}" in text
    own = over_n("resubstitution", [50, 200, 1000])
    assert (own.mean("searched")[0] > own.mean("macro")[0] + 0.005).all()


def test_the_scans():
    (rows,), prior = shown("scans"), np.bincount(story.scans().y) / 96
    found = story.search_results()
    assert rows["grid"] == [f"{found.grid.score:.2f}", f"{found.new(found.grid.q):.2f}"]
    draws = [story.search_results.__wrapped__(seed) for seed in range(100)]
    claimed, new, balanced = (
        np.mean(each) for each in zip(*((d.grid.score, d.new(d.grid.q), d.new(1 / prior)) for d in draws), strict=True)
    )
    assert f"the grid claims {claimed:.2f} on average and delivers {new:.2f}" in TEXTS["scans-text"]
    assert f"deliver {balanced:.2f} without any search" in TEXTS["scans-text"]


def test_never_predicted():
    (here, found), text = lab("lab5"), TEXTS["look5"]
    curves = {layer.name: layer for layer in found.panel("line").layers}
    joint = np.transpose([curves[f"true{c}"].y for c in range(3)])
    above = joint[joint[:, 1] >= joint[:, 0]]
    assert (above[:, 2] > above[:, 1]).all()
    prior = np.array(problems.zipf(8, found.values["exponent"]))
    assert here["never predicted"] == "class 1"
    assert prior[0] / prior[1] == pytest.approx(2)
    assert lab("lab5", a=0.3)[0]["never predicted"] == "class 1"
    assert lab("lab5", a=0.31)[0]["never predicted"] == "none"
    assert "From 0.31 on, every class" in text
    assert f"from {here['accuracy']:.2f} to {lab('lab5', a=1.0)[0]['accuracy']:.2f}" in text
    assert here["a of best accuracy"] == 0
    assert f"peaks at $a = {here['a of best macro F1']:.2f}$" in text


def test_in_the_story_both_scores_rise():
    found, n = story.search_results(), len(story.scans().y)
    for score, total in ((found.searched, n), (found.new, 1)):
        equal, grid = (score.counts(np.atleast_2d(q))[1].sum() / total for q in (story.EQUAL_WEIGHTS, found.grid.q))
        assert grid > equal + 0.1
    assert "with few points, as in the story, both may rise" in TEXTS["know5"]


def test_nothing_beats_equal_weights_on_accuracy():
    (rows,) = shown("judged")
    by_macro, by_accuracy, equal = (list(map(float, row)) for row in rows.values())
    assert by_macro[0] > equal[0] > by_accuracy[0]
    assert equal[1] > by_accuracy[1] > by_macro[1]
    (row,) = (row for row in stored("khim_figures_3b_and_4", "figure_4") if row["n"] == 1000)
    assert row["macro_gain"] > 2 * row["macro_gain_se"]
    assert row["micro_gain"] < -2 * row["micro_gain_se"]


def test_shifted_labels():
    text = TEXTS["shifted-text"]
    shifted, right = eval(PAGE.cells["shifted"].outputs[0].data["text/plain"])
    assert shifted < 0.01
    assert f"gets {100 * right:.0f} of 100 digits right" in TEXTS["p6"]
    rows = published("khim_comparison")["rows"] + [{"source": "printed"} | row for row in published("khim")["table_2"]]
    found = {(row["source"], row["rule"]): f"{row['f1_dev']:.3f}" for row in rows}
    assert f"a macro F1 of {found['printed', 'unweighted']}, less than a random guess" in text
    sentence = f"{found['shifted', 'unweighted']} scored by position, {found['right', 'unweighted']} by label"
    assert sentence in text
    assert f"raised {found['printed', 'unweighted']} to {found['printed', 'grid']}" in text
    # Even on unbalanced classes a uniform guess scores more than the published rule.
    sizes = np.array([211840, 283301, 35754, 2747, 9493, 17367, 20510])
    prior = sizes / sizes.sum()
    assert np.mean(2 * prior / 7 / (prior + 1 / 7)) > float(found["printed", "unweighted"])


def test_going_further():
    text, tail = TEXTS["further"], 1 / np.arange(1.0, 1001)
    tail /= tail.sum()
    assert f"only {problems.expected_seen(tail, 1000):.0f} of them" in text
    assert problems.expected_singletons(tail, 1000) / 1000 == pytest.approx(0.2, abs=0.02)
    spread = {row["gamma"]: row["spread"] for row in stored("khim_starts", "spread")}
    assert f"end {spread[0.01]:.2f} apart with steps of 0.01, and {spread[0.05]:.2f} apart" in text
    digits = {row["rule"]: row["f1_test"] for row in stored("khim_table_2", "right")}
    assert f"{digits['greedy']:.2f} on test rows, and {digits['greedy, backwards']:.2f}" in text
    eta = waves().cells(4000)[1]
    bayes = WeightScorer.from_fractions(eta, eta)
    assert (
        f"from {bayes(np.ones(3)):.3f} to {weights.grid_search(bayes, weights.simplex_grid(3, 100)).score:.3f}" in text
    )
    rows = {row["way"]: row for row in stored("khim_figures_3b_and_4", "figure_3b") if row["n"] == 200}
    assert all(rows["grid"][name] > rows["unweighted"][name] for name in ("macro", "micro"))
    ranked = {row["chosen_by"]: row["macro"] for row in stored("khim_neighbors", "chosen")}
    assert ranked["new_points"] - ranked["loo"] < 0.005


def test_the_digit_of_the_exercise():
    """One against nine: a tenth, which plain votes hardly ever predict."""
    digits = bundled("digits")
    train = digits.sample(900, 0)
    fives, rest = (train.y == 5).astype(int), (digits.y_test == 5).astype(int)
    counted = VoteProfile.count(NeighborTable.build(train.X, digits.X_test, 25), fives, 2).at(25)
    plain = confusion_hat(counted / 25, rest, rule="argmax")
    assert plain.f1[1] < 0.05
    assert rest.mean() == pytest.approx(0.1, abs=0.01)
