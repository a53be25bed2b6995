"""Lesson 05 and its run sheet: numbers of exam keys, scenes, answers and prose, computed."""

from math import comb

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.metrics import f1_score
from sklearn.neighbors import KNeighborsClassifier

from knnviz import labs, weights
from knnviz.lessons import load, published
from knnviz.lessons.openings import tuning_weights as story
from knnviz.problems import expected_seen, expected_singletons, waves

NEW, START = "macro F1 on new points, ", (0.3, 0.3, 0.4)
GREEDY, GRID = "macro F1 on the sample, greedy search", "macro F1 on the sample, grid"


def test_exam():
    truth, (votes, others) = np.repeat([0, 1, 2], [90, 5, 5]), ((5, 4, 1), 0.4)
    assert np.mean(truth == 0) == 0.90
    assert f1_score(truth, 0 * truth, average="macro") == pytest.approx(0.32, abs=0.005)
    assert [np.argmax(np.multiply(votes, (others, q, others))) for q in (0.2, 0.4, 0.499, 0.501)] == [0, 0, 0, 1]
    largest = np.random.default_rng(0).normal(size=(100_000, 10)).max(axis=1).mean()
    assert [largest, 0.60 + 0.03 * largest] == pytest.approx([1.54, 0.65], abs=0.005)


def test_scenes():
    lab = labs.TuningLab(n=200, k=5, n_steps=0)
    way = [lab.set(q0=0.3, q1=0.3, q2=0.4).set(q0=q).readout() for q in np.arange(0.3, 0.401, 0.0025).round(4)]
    assert [*dict.fromkeys(round(each[GREEDY], 3) for each in way)] == [0.698, 0.696, 0.657]
    sample = waves().sample(200, 0)
    fractions = weights.validation_set(sample.X, sample.y, 3, 5, "resubstitution")[1].at(5) / 5
    q = np.array([(q0, (1 - q0) * 3 / 7, (1 - q0) * 4 / 7) for q0 in np.linspace(0.3, 0.35, 51)])
    assert np.ptp((q[:, None] * fractions).argmax(axis=2), axis=0).max() == 0, "no prediction changes up to 0.35"
    lab.set(n=1000, k=10, accept=">=").set(q0=0.4, q1=0.2, q2=0.4)
    gains = [lab.set(n_steps=steps).readout() for steps in (1, 14, 15, 50)]
    assert [each["moves that raised the score"] for each in gains] == [1, 5, 6, 6]
    assert gains[-1][GREEDY] == pytest.approx(0.61, abs=0.005)
    stuck = lab.set(accept=">", n_steps=20).readout()
    assert [stuck[GREEDY], stuck[GRID]] == pytest.approx([0.58, 0.65], abs=0.005)
    found = [lab.set(n=200, k=10, seed=seed).readout() for seed in range(10)]
    assert sum(each[NEW + "grid"] < each[NEW + "equal weights"] - 1e-9 for each in found) == 4
    sizes = (50, 100, 200, 500, 1000, 1500, 2000, 2500)
    *_, drawn = weights.trials(
        waves(), weights.SearchOptions(START, validation="loo"), over={"n": sizes}, repeats=10, seed=8
    )
    gap = drawn.mean("searched") - drawn.mean("macro")
    assert gap[0, 1] == abs(gap[0]).max() == pytest.approx(0.03, abs=0.005)
    assert gap[0, 5] < 0 < gap[2, -1] == gap[2].min()


def test_prose():
    """The story, the scans, accuracy, shifted labels, and what goes further."""
    found, sizes = story.search_results(), np.bincount(story.scans().y)
    equal = found.searched(story.EQUAL_WEIGHTS)
    assert sizes.tolist() == [80, 8, 8]
    assert [sizes[0] / 96, equal, *found.greedy.q[[2]]] == pytest.approx([0.83, 0.30, 0.18], abs=0.005)
    assert {*found.greedy.scores} == {equal}
    hits = [[each.counts(np.atleast_2d(q))[1].sum() for q in (story.EQUAL_WEIGHTS, found.grid.q)] for each in found[:2]]
    assert all(plain < tuned for plain, tuned in hits), "with few points accuracy may rise, too"
    draws = [story.search_results.__wrapped__(seed) for seed in range(100)]
    means = np.mean([(each.grid.score, each.new(each.grid.q), each.new(1 / sizes)) for each in draws], axis=0)
    assert means == pytest.approx([0.89, 0.85, 0.81], abs=0.005)
    assert (comb(102, 2), comb(109, 9) / 1e12) == (5151, pytest.approx(4.3, abs=0.05))
    for scoring in ("f1_macro", "f1_micro"):
        options = weights.SearchOptions(START, scoring=scoring)
        *_, judged = weights.trials(waves(), options, over={"n": [1000]}, repeats=20)
        assert judged.mean("micro")[2, 0] < judged.mean("micro")[0, 0]
    lost = [each[0] for each in judged.difference("micro", "grid", "unweighted")]
    assert lost == pytest.approx([-0.002, 0.001], abs=0.0005), "weights tuned for accuracy"
    rows = published("khim_comparison")["rows"] + [{"source": "printed"} | row for row in published("khim")["table_2"]]
    table = {(row["source"], row["rule"]): round(row["f1_dev"], 3) for row in rows}
    X, y = load_digits(return_X_y=True)
    positions = KNeighborsClassifier(10).fit(X[:1200], y[:1200]).predict(X[1200:])
    assert [np.mean(positions == y[1200:]), np.mean(positions == y[1200:] + 1)] == pytest.approx(
        [0.96, 0.005], abs=0.0005
    )
    asked = [("printed", "unweighted"), ("printed", "grid"), ("shifted", "unweighted"), ("right", "unweighted")]
    assert [table[each] for each in asked] == [0.054, 0.170, 0.052, 0.329]
    tail = 1 / np.arange(1, 1001) / sum(1 / np.arange(1, 1001))
    assert round(expected_seen(tail, 1000)) == 334
    assert expected_singletons(tail, 1000) == pytest.approx(200, abs=15)
    spread = {row["gamma"]: row["spread"] for row in load("khim_starts").results["spread"]}
    assert [spread[0.01], spread[0.05]] == pytest.approx([0.08, 0.01], abs=0.005)
    digits = {row["rule"]: row["f1_test"] for row in load("khim_table_2").results["right"]}
    assert [digits["greedy"], digits["greedy, backwards"]] == pytest.approx([0.73, 0.80], abs=0.005)
    eta = waves().cells(4000)[1]
    bayes = weights.WeightScorer.from_fractions(eta, eta)
    tops = [bayes(np.ones(3)), weights.grid_search(bayes, weights.simplex_grid(3, 100)).score]
    assert tops == pytest.approx([0.616, 0.618], abs=0.0005)
