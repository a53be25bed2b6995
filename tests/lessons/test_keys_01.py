"""Lesson 01: exam keys, scenes, and numbers that no step of a lab checks."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from knnviz import Vote, checkerboard, risk
from knnviz.bounds.chaudhuri_dasgupta import cover_hart_interval
from knnviz.labs import NeighborLab
from knnviz.labs.neighbors import KS
from knnviz.lessons import load
from knnviz.lessons.openings import nearest_neighbors as opening
from knnviz.problems import breast_cancer, bump, linear


def test_exam():
    masses, eta = np.array([0.4, 0.6]), np.array([0.9, 0.2])
    assert (masses @ np.minimum(eta, 1 - eta), masses @ eta) == pytest.approx((0.16, 0.48))
    majority = 0.8**3 + 3 * 0.8**2 * 0.2
    assert (2 * 0.8 * 0.2, majority) == pytest.approx((0.32, 0.896))
    assert majority * 0.2 + (1 - majority) * 0.8 == pytest.approx(0.26, abs=0.005)
    wide = (0.2 * 0.8 + 0.2 * 0.2) / 0.4
    assert (0.8 * 0.2 / 50, (wide - 0.8) ** 2, wide * (1 - wide) / 100) == pytest.approx((0.0032, 0.09, 0.0025))


def test_risks():
    assert linear().eta(np.array([[0.0], [0.5], [1.0]])).min(axis=1) == pytest.approx([0.1, 0.5, 0.1])
    assert NeighborLab(problem="bump", n=2000, k=200, x1=0.5, seed=4).numbers["votes at x"]["class 1"] == 175
    valley = risk.curve(bump(), Vote(), over={"k": KS}, n=500, repeats=20).mean[0]
    assert valley[[0, -1]] == pytest.approx([0.18, 0.19], abs=0.005)
    assert KS[np.argmin(valley)] == 9
    assert NeighborLab(problem="bump", n=500, k=200, seed=4).numbers["risk"] == pytest.approx(0.2 * 0.9 + 0.8 * 0.1)
    cells, eta = bump().cells(1000)
    sample, truth, on_bump = bump().sample(500, seed=3), eta.argmax(axis=1), eta[:, 1] > 0.5
    one, many = (KNeighborsClassifier(k).fit(sample.X, sample.y).predict(cells.points) != truth for k in (1, 200))
    assert (one[on_bump].any(), one[~on_bump].any(), many[on_bump].any(), many[~on_bump].any()) == (1, 1, 1, 0)
    assert NeighborLab(n=400, k=1).numbers["risk"] == pytest.approx(0.37, abs=0.005)
    assert risk.one_nn_limit(checkerboard()) == pytest.approx(0.375)
    assert cover_hart_interval(checkerboard().bayes_risk()) == pytest.approx((0.30, 0.42), abs=0.005)
    sides = 0.01 ** (1 / np.array([2, 10]))
    assert sides == pytest.approx([0.10, 0.63], abs=0.005)


def test_data():
    bounds = [row for row in load("looseness").results["bounds"] if row["problem"].startswith("bump")]
    assert all(row["bound"] > max(0.1, 5 * row["largest_disagreement"]) and not row["share_above"] for row in bounds)
    X, y = load_wine(return_X_y=True)
    assert X.max() == 1680
    assert (X.max(axis=0) < 10).sum() > X.shape[1] / 2
    rule = KNeighborsClassifier(15)
    plain, scaled = (cross_val_score(rule, each, y).mean() for each in (X, (X - X.mean(axis=0)) / X.std(axis=0)))
    assert 1 - plain > 5 * (1 - scaled)
    assert KS[risk.curve(breast_cancer(), Vote(), over={"k": KS}, n=398, repeats=20).mean[0].argmin()] == 29
    near, far = (NeighborLab(problem="jump", x1=x, overlay="advantage", mass_cap=0.25).numbers for x in (0.45, 0.4))
    assert far["advantage at x"] == pytest.approx(2 * near["advantage at x"], rel=0.02)
    assert breast_cancer().y_test[opening.new_tumor()] == 0
