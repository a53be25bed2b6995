"""What lesson 05 states in words is what is computed: answers to predictions, and numbers in its prose."""

from functools import cache
from math import comb

import numpy as np
import pytest
from lesson_pages import Page, because, kept, numbers
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from knnviz import NeighborTable, VoteProfile, Weighted, metrics, weights
from knnviz.estimators import ClassWeightedKNeighborsClassifier
from knnviz.metrics import Weighing
from knnviz.problems import bundled, waves

PAGE = Page("05-tuning-weights.ipynb")
TEXTS, shown = PAGE.texts, PAGE.shown
START, EQUAL, FAR = (0.3, 0.3, 0.4), (1 / 3, 1 / 3, 1 / 3), {"q0": 0.8, "q1": 0.1, "q2": 0.1}


def lab(name, **moved):
    """What the lab of a cell reads out after some of its controls have moved, and the lab."""
    return PAGE.read(name, **moved), PAGE.opened(name)[0]


@cache
def votes(k, kind="resubstitution", seed=0):
    """Codes and votes where candidates are scored, of a sample of the lesson."""
    sample = waves().sample(1000, seed)
    return weights.validated(sample.X, sample.y, 3, k, kind)


def ways(table, name, j):
    """A column of the three ways of Figure 3(b) at the j-th n, from the full run."""
    rows = kept("khim_figures_3b_and_4", "figure_3b")
    return {row["way"]: row[name] for row in rows if row["n"] == table[j]["n"]}


def test_a_small_step():
    codes, counted = votes(50)
    score, up = Weighing.of(counted.at(50) / 50, codes), np.array([1.0, 0, 0])
    before = Weighted(START).predict(counted, 50)
    moves = 0.005, 0.011, 0.0112
    turned = [(Weighted(tuple(START + d * up)).predict(counted, 50) != before).sum() for d in moves]
    assert turned == [0, 0, 5]
    here, near, _, beyond = (float(score(START + d * up)) for d in (0, *moves))
    assert near == here
    assert f"At 0.0112 five points turn at once, and the score jumps by {beyond - here:.3f}" in because("a-small-step")


def test_better_only():
    codes, counted = votes(50)
    score, q = Weighing.of(counted.at(50) / 50, codes), np.array(START)
    candidates = np.array([q + sign * 0.01 * each for each in np.eye(3) for sign in (1, -1)])
    scores = score(candidates)
    assert scores.max() == score(q)
    assert (scores < score(q)).any()
    assert score(q + [0.012, 0, 0]) > score(q)
    assert "With 0.012 more for class 0 the score is higher" in because("better-only")
    here = lab("lab1")[0]
    assert here["greedy_q"] == START
    said = (
        f"step by step, at {here['searched'][1]:.3f}. The grid, dashed brown, knows places of {here['searched'][2]:.3f}"
    )
    assert said in TEXTS["look1"]
    few, wide = lab("lab1", k=5)
    assert f"only {len(set(wide.triangle.scores.tolist()))} different scores" in TEXTS["look1"]
    said = f"up to {few['highest']:.3f}, on the sample. The solid lines are new points; there it is"
    assert f"{said} {few['new_macro_f1'][2]:.3f}" in TEXTS["look1"]


def test_the_landscape():
    (rows,) = shown("h1")
    assert f"{rows['k = 50'][1]} of them for $k = 50$" in TEXTS["look1b"]


def test_the_walk():
    (rows, _), text = shown("h2"), TEXTS["look2"]
    first, found = lab("lab2")
    walk = found.searches.walk
    assert walk.scores[1] == walk.scores[0]
    assert (walk.history[1] != walk.history[0]).any()
    assert (np.diff(walk.scores)[1:3] > 0).all()
    assert (walk.history[3:] == walk.history[3]).all()
    said = "from {:.3f} to {:.3f} at $({:.3f}, {:.3f}, {:.3f})$"
    assert said.format(walk.scores[0], walk.score, *walk.q) in text
    middle, wide = rows["gamma = 0.02, >="], rows["gamma = 0.05, >="]
    assert f"One step, to {float(wide[3]):.3f}. With 0.02 there are six, to {float(middle[3]):.3f}" in text
    assert f"the grid's {first['searched'][2]:.3f}" in text
    assert f"{float(middle[4]):.3f} after {float(rows['start'][4]):.3f}" in text
    assert f"have {float(rows['equal weights'][4]):.3f} on new points" in TEXTS["look2b"]


def test_far_starts_and_plateaus():
    text, far = TEXTS["look2"], lab("lab2", zoom="all of it", **FAR)[0]
    assert f"from 0.80 to {far['greedy_q'][0]:.2f} for class 0" in text
    longer = lab("lab2", zoom="all of it", n_steps=50, **FAR)[0]
    assert longer["moves"] == far["moves"]
    assert longer["greedy_q"] != far["greedy_q"]
    assert lab("lab2", zoom="all of it", step=0.05, **FAR)[0]["greedy_q"][0] < 0.4
    one, found = lab("lab2", k=1)
    assert one["greedy_q"][2] < START[2]
    assert one["greedy_q"][0] == one["greedy_q"][1] > START[0]
    assert one["moves"] == 0
    assert set(found.searches.walk.scores) == {1.0}


def test_where_from():
    full, words = kept("khim_starts", "starts"), because("where-from")
    near, middle, far = ([row for row in full if row["start"].startswith(each)] for each in ("0.3,", "0.333", "0.8"))
    said = "they end at {q_0:.2f} for class 0, and at a macro F1 of {macro:.3f}".format(**far[0])
    assert f"{said}; from the other two starts at {near[0]['macro']:.3f} and {middle[0]['macro']:.3f}" in words
    ends = sorted(row[1]["macro"] for row in (near, middle, far))
    assert "the three have {:.3f}, {:.3f} and {:.3f}".format(*ends) in words
    assert f"Twenty steps lead $(0.8, 0.1, 0.1)$ to {far[0]['q_0']:.2f}" in TEXTS["look2b"]


def test_the_ceiling():
    found = {row["weights"]: row for row in kept("khim_bayes_weights", "weights")}
    equal, best = found["equal"], found["best macro F1"]
    said = "From {:.4f} to {:.4f}, at ({q_0:.2f}, {q_1:.2f}, {q_2:.2f})".format(equal["macro"], best["macro"], **best)
    assert said in because("the-ceiling")
    assert f"macro F1 of {equal['macro']:.3f} with equal weights" in TEXTS["p3"]
    assert f"What is there to gain? {best['macro'] - equal['macro']:.4f}" in TEXTS["look3b"]


def test_what_the_sample_promises():
    codes, counted = votes(50)
    score = Weighing.of(counted.at(50) / 50, codes)
    promised = weights.grid_search(score, weights.simplex_grid(3, 100)).score - score(np.array(EQUAL))
    assert f"promises {promised:.3f} above equal weights" in TEXTS["look3b"]


def test_the_grid():
    sizes = comb(102, 2), comb(18, 6), comb(109, 9)
    assert len(weights.simplex_grid(3, 100)) == sizes[0]
    text = TEXTS["s3"]
    assert f"{sizes[0]} for three classes in steps of 0.01, {sizes[1] // 1000} {sizes[1] % 1000} for seven" in text
    assert rf"${sizes[2] / 1e12:.1f} \cdot 10^{{12}}$ for ten" in text
    here, text = lab("lab3")[0], TEXTS["look3"]
    assert "is {:.3f} at $({:.2f}, {:.2f}, {:.2f})$".format(here["highest"], *here["highest_q"]) in text
    found = [lab("lab3", seed=seed)[0]["grid_q"][0] for seed in (1, 2, 3)]
    assert max(found) - min(found) > 0.05
    assert np.abs(np.subtract(lab("lab3", judged="micro F1")[0]["highest_q"], EQUAL)).max() < 0.01


def test_who_judges():
    table = kept("khim_figures_3b_and_4", "figure_4")
    at = {row["n"]: j for j, row in enumerate(table)}
    macro, micro = (ways(table, name, at[1000]) for name in ("macro", "micro"))
    assert "{grid:.3f}, {unweighted:.3f} and {greedy:.3f}.".format(**macro) in because("macro-judges")
    said = "Equal weights have {unweighted:.3f}, the greedy walk {greedy:.3f} and the grid {grid:.3f}"
    assert said.format(**micro) in because("accuracy-judges")
    row, text = table[at[1000]], TEXTS["look4b"]
    assert f"Grid over greedy is {row['macro_gain']:.3f} at $n = 1000$, eight standard errors" in text
    assert round(row["macro_gain"] / row["macro_gain_se"]) == 8
    ends = [ways(table, f"q_{c}", at[1000])["greedy"] for c in range(3)]
    assert "ends at $({:.2f}, {:.2f}, {:.2f})$ on average".format(*ends) in text
    found = {name: ways(table, name, at[200]) for name in ("macro", "micro")}
    macro, micro = (each["grid"] - each["unweighted"] for each in found.values())
    assert f"has {macro:.3f} more macro F1 than equal weights, and {micro:.3f} more accuracy" in text


def test_climbed_and_judged():
    (rows,) = shown("h4b")
    heavy = [rows[name][0].split(",")[0] for name in ("accuracy", "macro F1", "balanced accuracy")]
    assert f"the more weight class 0 gets: {', '.join(heavy)}." in TEXTS["look4c"]


def test_the_winners_score():
    single, tuned = shown("h5")
    _, equal, claimed, new = numbers(tuned["leave-one-out"][:4])
    words = because("the-winners-score")
    assert f"They have {new:.3f}, and equal weights {equal:.3f}" in words
    counted = float(tuned["leave-one-out"][0])
    assert f"the score rose by {claimed - counted:.3f}" in words
    said = f"Equal weights score {counted:.3f} on average, the grid's winner, best of 5151, {claimed:.3f}"
    assert said in TEXTS["p5"]
    chosen = single["new points, k chosen by it"]
    assert f"has {chosen[0]} on new points; who follows leave-one-out has {chosen[1]}" in TEXTS["look5b"]


def test_curves_over_k():
    line = waves().cells(1000)[0].points
    sample = waves().sample(1000, 0)
    said = VoteProfile.count(NeighborTable.build(sample.X, line, 200), sample.y, 3).at(200).argmax(axis=1)
    assert 0 not in said
    searches = weights.SearchOptions(START, validation="loo")
    *_, found = weights.trials(waves(), searches, over={"k": [1, 20, 200]}, n=1000, repeats=3)
    (equal, _, grid), searched = found.mean("macro"), found.mean("searched")
    held_out = weights.SearchOptions(START, validation="holdout")
    *_, other = weights.trials(waves(), held_out, over={"k": [1]}, n=1000, repeats=10)
    assert other.mean("searched")[:, 0] == pytest.approx(other.mean("macro")[:, 0], abs=0.015)
    assert np.ptp(np.concatenate([found.mean("macro")[:, 0], searched[:, 0]])) < 0.01
    assert grid[2] - equal[2] > (equal[1] - equal[2]) / 2
    assert (searched[2, 1:] > grid[1:]).all()


def test_rare_classes():
    here, text = lab("lab6")[0], TEXTS["look6"]
    prior = np.arange(1, 9.0) ** -2
    prior /= prior.sum()
    assert f"stands a 0, with {100 * prior[1]:.0f} % of all points" in text
    assert here["predicted"][7] == pytest.approx(prior[7], rel=0.02)
    assert lab("lab6", a=0.32)[0]["never"] == "class 1"
    assert lab("lab6", a=0.33)[0]["never"] == "none"
    all_of_it = lab("lab6", a=1.0)[0]
    assert all_of_it["predicted"][1] > prior[1]
    assert f"from {here['accuracy']:.3f} to {all_of_it['accuracy']:.3f}" in text
    best = here["best_macro_f1"]
    assert f"rises all the way, to {here['best_balanced_accuracy'][0]:.3f}" in text
    assert f"in between, {best[0]:.3f} at $a = {best[1]:.2f}$" in text
    alike = lab("lab6", exponent=0.0)[0]
    assert lab("lab6", exponent=0.0, a=0.7)[0]["predicted"] == pytest.approx(alike["predicted"], abs=1e-3)
    apart = lab("lab6", scale=0.05)[0]
    assert f"is {apart['macro_f1']:.3f} with equal weights and {apart['best_macro_f1'][0]:.3f} at best" in text
    sampled = {a: lab("lab6", rule="kNN", a=a)[0] for a in (0.0, 1.0)}
    assert len(sampled[0.0]["never"].split(", ")) == 3
    assert sampled[1.0]["never"] == "class 7"
    assert sampled[1.0]["counts"][7] == 8
    assert lab("lab6", rule="kNN", a=1.0, k=25)[0]["never"] == "none"
    assert sampled[1.0]["best_balanced_accuracy"][1] < 0.9


def test_weights_between():
    rows, tail, _ = shown("h6")
    equal, whole = (numbers(rows[f"a = {a}"]) for a in (0, 1))
    text = TEXTS["look6b"]
    assert f"brings class 1 back to {100 * whole[1]:.0f} %" in text
    assert f"falls from {equal[4]:.3f} to {whole[4]:.3f}" in text
    words = because("a-thousand-classes")
    assert f"{tail['s = 1'][0]} on average. With equal fractions it would be {tail['s = 0'][0]}" in words
    assert f"A fifth of the points, {tail['s = 1'][1]}, are the only ones" in words


def test_never_said():
    """Beside class 0, and below it wherever it is most frequent itself."""
    found = {row["class"]: row for row in kept("khim_zipf", "classes") if row["exponent"] == 2}
    assert found[0]["prior"] / found[1]["prior"] == pytest.approx(4, rel=1e-4)
    assert "which is four times as large" in because("never-said")


def test_shifted_labels():
    (_, scores, digits), text = shown("h7"), TEXTS["look7"]
    printed = {rule: f"{float(row[0]):.3f}" for rule, row in scores.items()}
    assert f"without weights has {printed['unweighted']} on seven classes" in text
    assert f"labels and not positions, has {printed['linear']}." in text
    assert f"climbs from {printed['unweighted']} to {printed['grid']}" in text
    for rule in ("unweighted", "greedy", "grid"):
        score, shifted, right = map(float, scores[rule])
        assert abs(shifted - score) < 0.05
        assert right > 2.5 * score
        assert float(scores["linear"][2]) - right < 0.15
    unweighted, greedy, grid = (float(digits["linear"][1]) - float(digits[rule][1]) for rule in list(scores)[:3])
    assert grid < unweighted / 2
    assert grid < greedy < unweighted


def test_the_wines():
    (rows,), text = shown("h8"), TEXTS["look8"]
    assert f"lead from {rows['balanced'][4]} to {rows['greedy from balanced'][4]}" in text
    grid, drifted = rows["grid"], rows["greedy from equal"][5].split(", ")
    assert f"claims {grid[6]}, and cross-validation gives {grid[4]}" in text
    assert f"to a weight of {drifted[2]}" in text


def test_what_it_takes_to_say_class_2():
    X, y = load_wine(return_X_y=True)
    few = np.concatenate([np.flatnonzero(y < 2), np.flatnonzero(y == 2)[:12]])
    X, y = StandardScaler().fit_transform(X[few]), y[few]
    said = {}
    for weight in (0.35, 0.36):
        model = ClassWeightedKNeighborsClassifier(25, class_weight=((1 - weight) / 2, (1 - weight) / 2, weight))
        said[weight] = (model.fit(X, y).predict(X) == 2).sum()
    assert said == {0.35: 0, 0.36: 1}
    assert "taken 0.36 for class 2 to be said once" in TEXTS["look8"]


def test_the_digit_of_the_exercise():
    """One against nine: a tenth, which plain votes hardly ever say."""
    digits = bundled("digits")
    train = digits.sample(900, 0)
    fives, rest = (train.y == 5).astype(int), (digits.y_test == 5).astype(int)
    counted = VoteProfile.count(NeighborTable.build(train.X, digits.X_test, 25), fives, 2).at(25)
    plain = metrics.confusion_hat(counted / 25, rest, rule="argmax")
    assert plain.f1[1] < 0.05
    assert rest.mean() == pytest.approx(0.1, abs=0.01)
