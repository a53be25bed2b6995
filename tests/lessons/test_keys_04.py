"""Numbers of lesson 04 and of its run sheet that no step checks."""

import numpy as np
import pytest
from lesson_pages import Page

from knnviz import problems
from knnviz.labs import ThresholdLab, WeightLab
from knnviz.lessons.openings import class_weights
from knnviz.weights import Thresholds

PAGE = Page("04-class-weights.ipynb")


def drawn(lab, name):
    return next(layer for layer in lab.panel("map").layers if layer.name == name)


def test_the_story_and_the_halves():
    X, malignant = class_weights.patients()
    assert (len(malignant), malignant.sum(), round(100 * (1 - malignant.mean()))) == (379, 22, 94)
    assert [class_weights.detected(votes) for votes in (class_weights.HALF, class_weights.ONE)] == [(8, 0), (22, 20)]
    tumors = problems.from_data(X, malignant.astype(int), "pca", test_size=0.5, name="halves")
    assert tumors.y_train.sum() == tumors.y_test.sum() == 11
    read = ThresholdLab(tumors, n=189, k=25, t=0.16).readout()
    assert (read["recall, held-out points"], read["precision, held-out points"]) == (pytest.approx(10 / 11), 1)
    (rows,) = PAGE.shown("pipeline-rows")
    assert int(rows["(1, 4)"][0]) == 2 * int(rows["(1, 1)"][0])
    assert rows["(1, 4)"][1] == "0"


def test_the_rare_class():
    cells, eta = problems.rare().cells(20_000)
    known = Thresholds.from_fractions(eta[:, 1], eta[:, 1], cells.weights)
    low = known.at(0.057)
    found = 100 * known.prevalence, 100 * low.recall, 100 * known.best()[0] / 2, 100 * eta[:, 1].max()
    assert [round(float(each), 1) for each in found] == [5.7, 95.2, 22.8, 40.0]
    assert 1 - low.precision == pytest.approx(3 / 4, abs=0.02), "three of four alarms are false"
    assert PAGE.read("lab2", price=20, t=0.2)["cost per 1,000 points, Bayes rule"] == 361
    both = PAGE.read("lab3", k=60, t=0.42, rules="kNN and Bayes rule")
    assert (round(both["F1, new points"], 2), both["F1, Bayes rule"]) == (0.19, 0)
    bounds = {"k": 60, "t": 0.228, "rules": "kNN and Bayes rule", "bounds": "epsilon as set"}
    ends = [PAGE.read("lab3", **bounds)[f"{which} F1 by entry bounds"] for which in ("least", "largest")]
    assert np.round(ends, 2).tolist() == [0.27, 0.68]


def test_three_classes():
    lab, _ = PAGE.opened("lab5")
    equal, raised = (drawn(lab.set(q0=q0, q1=(1 - q0) / 2), "regions").codes[0] for q0 in (1 / 3, 0.5))
    balanced = drawn(lab.set(q0=0.5).set(q1=0.29), "regions").codes[0]
    assert (raised == equal)[raised != 0].all(), "the others keep their order"
    last = [np.flatnonzero(each == 1).max() / len(each) for each in (equal, raised, balanced)]
    assert np.round(last, 3).tolist() == [0.594, 0.594, 0.604], "only the last step moves their boundary"
    cells, eta = problems.waves().cells(4000)
    inverse = 1 / (cells.weights @ eta)
    assert [lab.values[name] for name in ("q0", "q1", "q2")] == pytest.approx(inverse / inverse.sum(), abs=5e-3)
    lab, _ = PAGE.opened("lab6")
    lab.set(rules="kNN and Bayes rule")
    apart, inside = (drawn(lab.set(k=50, overlay=each), "set").cells for each in ("disagreement", "effective boundary"))
    assert (apart & inside).sum() > apart.sum() / 2, "most of the disagreement"
    cautious = WeightLab(n=8000, k=200, overlay="effective boundary").readout()
    assert (round(cautious["bound of Theorem 1"], 2), round(cautious["disagreement"], 2)) == (0.83, 0.07)


def test_exam_keys():
    assert np.round([2 * 0.7, 6 * 0.3], 2).tolist() == [1.4, 1.8]
    scores = [2 * tp / (2 * tp + fp + 50 - tp) for tp, fp in ((40, 60), (30, 10))]
    assert np.round(scores, 2).tolist() == [0.53, 0.67]
    products = np.array([0.25, 0.35, 0.4]) * [0.5, 0.3, 0.2]
    assert products.tolist() == pytest.approx([0.125, 0.105, 0.08])
