"""Lesson 08: keys of exam questions, and numbers of scenes, texts and answers that no step checks."""

import nbformat
import numpy as np
import pytest
from scipy.stats import binom
from test_setup import ROOT

from knnviz import BagProcess
from knnviz.labs import LearnabilityLab
from knnviz.learnability import (
    EXAMPLES,
    best,
    cooccurrence,
    decode,
    frequency,
    is_label_aligned,
    process_matrix,
    process_of,
    rank,
)
from knnviz.lessons import content, exercises


def test_exam():
    process = process_matrix([{(0,): 0.5, (0, 1): 0.5}, {(1,): 0.2, (0, 1): 0.8}])
    assert decode(process, np.array([0, 0.20, 0.12, 0.68])) == pytest.approx([0.4, 0.6])
    assert frequency(process, np.array([0.4, 0.6])) == pytest.approx([0.88, 0.80])
    process = process_matrix([{(1, 2): 1}, {(0, 2): 1}, {(0, 1): 1}])
    assert (rank(process), *frequency(process, np.array([0.5, 0.3, 0.2]))) == pytest.approx((3, 0.5, 0.7, 0.8))
    joins = np.repeat([[0.5], [0.3], [0.3]], 3, axis=1)
    process = process_of(BagProcess(joins))
    assert cooccurrence(process)[[1, 2], [0, 1]] == pytest.approx([1 - 0.5, 1 - 0.7])
    assert frequency(process, np.array([0.55, 0.45, 0]))[:2] == pytest.approx([0.685, 0.725])


def test_a_rare_clue():
    lab = LearnabilityLab(model="always both", probability_0_0=0.1, n=100)
    assert [lab.set(seed=seed).readout()["by least squares"] for seed in range(10)].count("0") == 6
    process = process_matrix([{(0,): 0.1, (0, 1): 0.9}, {(0, 1): 1}])
    assert decode(process, np.array([0, 0.05, 0, 0.95])) == pytest.approx([0.5, 0.5]), "more than 5 of 100 are needed"
    odds = binom.sf(5, 100, 0.06), binom.sf(100, 2000, 0.06), binom.sf(50, 100, 0.6)
    assert [round(each, 2) for each in odds] == [0.56, 0.97, 0.97]


def test_superset_labels_may_fall_short_of_rank():
    process = EXAMPLES["supersets without full rank"].process
    assert (rank(process), *np.diag(cooccurrence(process))) == pytest.approx((3, 1, 1, 1, 1))


def test_solutions_of_exercises():
    found = {name: content.exercises()[name] for name in ("least-confusion", "repaired", "undone")}
    results = {name: exercises.known_results(each, each.solution) for name, each in found.items()}
    done = {name: [*zip(exercises.cases(each), results[name], strict=True)] for name, each in found.items()}
    for (process, eta), t in done["least-confusion"]:
        first, other = eta.argmax(), frequency(process, eta).argsort()[-2]
        process = process.copy()
        process[[1 << first, 1 << other], first] += [-t, t]
        assert np.ptp(frequency(process, eta)[[first, other]]) == pytest.approx(0)
        assert best(frequency(process, eta))[[first, other]].all()
    assert all(
        is_label_aligned(repaired) and not is_label_aligned(process) for (process, _), repaired in done["repaired"]
    )
    assert all(eta == pytest.approx(decode(*case)) for case, eta in done["undone"])


def test_digits():
    source = {each.id: each.source for each in nbformat.read(ROOT / "notebooks/08-learnability.ipynb", 4).cells}
    names, tables = {}, []
    exec(source["opening"].replace('opening("learnability")', ""), names)
    names["table"] = lambda title, rows, *_, **__: tables.append(rows)
    for cell in ("digits", "solve", "checked", "checked-table", "models"):
        exec(source[cell], names)
    solved, few, models = tables
    assert [round(each, 2) for each in few[50]] == [0.18, 0.33, 0.05]
    assert solved["group B"][1] == solved["true labels"][1]
    assert models["Feng et al."][2] == 1
    assert sum(row[2] for row in models.values()) == 1
    assert (len(names["bags_A"]), len(names["y_new"])) == (1437, 360)
    assert [f"{solved[group][1]:.2f}" for group in solved] == ["0.04", "0.05", "0.05"]
