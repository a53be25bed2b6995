"""What lesson 01 states in words is what is computed: in its story, its texts, its answers and its quiz."""

import re

import numpy as np
import pytest
from lesson_pages import Page, because, numbers, stored
from sklearn.datasets import load_wine

from knnviz import BallProfile, NeighborTable, Vote, VoteProfile, checkerboard, risk
from knnviz.bounds.chaudhuri_dasgupta import cover_hart_interval
from knnviz.lessons import content
from knnviz.lessons.openings import nearest_neighbors as opening
from knnviz.problems import breast_cancer, bump, linear
from knnviz.regions import effective_boundary

PAGE = Page("01-nearest-neighbors.ipynb")
TEXTS = PAGE.texts


def means(problem, k, n):
    """Mean risks of twenty fresh samples, as a lab's curves have them."""
    return risk.curve(problem, Vote(), over={"k": k}, n=n, repeats=20).mean[0]


def drawn(name):
    """What the saved picture of a cell says."""
    (words,) = (each.metadata["image/png"]["alt"] for each in PAGE.cells[name].outputs if "image/png" in each.data)
    return words


def test_the_story_is_that_of_the_picture():
    _, words = opening.draw()
    assert "Of the 9 nearest, 6 benign and 3 malignant. Of the 101 nearest, 54 malignant and 47 benign." in words
    assert "the nine most similar of 398 earlier tumors. Six were benign" in TEXTS["title"]
    assert "the 101 most similar. Now *malignant* wins, by 54 votes to 47" in TEXTS["title"]
    data = breast_cancer()
    assert len(data.X_train) == 398
    assert data.class_names[data.y_test[opening.new_tumor()]] == "benign"
    assert round(101 / 398, 2) == 0.25


def test_the_bayes_risk_is_a_mean():
    assert f"{linear().bayes_risk():.2f} on average: the **Bayes risk**" in TEXTS["look1"]
    ends = linear().eta(np.array([[0.0], [0.5], [1.0]])).min(axis=1)
    assert ends == pytest.approx([0.1, 0.5, 0.1])
    assert len({PAGE.read("lab1", seed=seed)["risk"] for seed in range(5)}) == 5
    assert {PAGE.read("lab1", seed=seed)["Bayes risk"] for seed in range(5)} == {0.3}


def test_votes_in_a_wide_ball_and_in_a_small_one():
    assert PAGE.read("lab2")["votes at x"] == (105, 95)
    assert PAGE.read("lab2")["decision at x"] == "class 0"
    assert "only 95 of 200" in TEXTS["look2"]
    assert PAGE.read("lab2", n=2000)["votes at x"] == (25, 175)
    assert "a ball of mass 0.1, and class 1 wins with 175" in TEXTS["look2"]
    assert "200 of 500 points fill a ball of mass 0.4, and the bump has mass 0.2" in because("wide-ball")
    width = bump().parameters["width"]
    assert (width, 200 / 500, 200 / 2000) == (0.2, 0.4, 0.1)


def test_the_valley():
    (one, some, many), (one_of_more, many_of_more) = means(bump(), [1, 9, 200], 500), means(bump(), [1, 200], 2000)
    sentence = f"{one:.2f} at $k=1$, then a low near {some:.2f}, and {many:.2f} at $k=200$"
    assert sentence in TEXTS["look3"]
    assert f"lowest {some:.4g} at 9;" in drawn("lab3")
    assert f"at $k=200$ falls to {many_of_more:.2f}. At $k=1$ it stays at {one_of_more:.2f}" in TEXTS["look3"]


def test_the_curse():
    two, ten = (0.01 ** (1 / dimension) for dimension in (2, 10))
    assert f"sides of {two:.2f} in two dimensions, and of {ten:.2f} in ten" in TEXTS["curse"]


def test_one_neighbor_and_a_few():
    one = re.search(r"samples from ([\d.]+) at 50 to ([\d.]+) at 8000", drawn("lab4"))
    assert f"{float(one[1]):.2f} at $n=50$, {float(one[2]):.2f} at $n=8000$" in TEXTS["look4"]
    more = means(checkerboard(), [3, 9, 25], 8000)
    assert "the means are {:.2f}, {:.2f}, and {:.2f}".format(*more) in TEXTS["look4"]
    assert float(one[2]) > more[0] > more[1] > more[2] > checkerboard().bayes_risk() + 0.01
    limit = risk.one_nn_limit(checkerboard())
    assert f"In the limit it errs with probability {limit:.3f}" in because("one-neighbor")
    lower, upper = cover_hart_interval(checkerboard().bayes_risk())
    shown = PAGE.cells["h4"].outputs[0].data["text/plain"]
    assert shown == repr(np.round([lower, limit, upper], 3))
    assert f"R* is {lower:.2f}" in TEXTS["p4"]


def test_strips_double_with_the_mass():
    masses = [
        PAGE.read("lab5", **moved)["boundary mass"] for moved in ({}, {"mass": 0.2}, {"mass": 0.2, "margin": 0.1})
    ]
    assert masses == pytest.approx([0.1, 0.2, 0.1], abs=2e-3)
    assert "**boundary mass** 0.10" in TEXTS["look5"]


def test_the_vote_errs_in_small_parts_of_the_strips():
    cells, eta = bump().cells(2000)
    balls = BallProfile.integrate(cells, eta, masses=np.linspace(0.005, 0.1, 20))
    strips = effective_boundary(balls, 0.1, 0.2)
    assert cells.weights[strips].sum() == pytest.approx(PAGE.read("lab5")["boundary mass"], abs=2e-3)
    for seed in range(10):
        sample = bump().sample(500, seed)
        votes = VoteProfile.count(NeighborTable.build(sample.X, cells.points, 50), sample.y, 2)
        wrong = Vote().predict(votes, 50) != eta.argmax(axis=1)
        assert not wrong[~strips].any()
        assert wrong[strips].mean() < 0.5


def test_the_bound_holds_and_is_far_too_large():
    (rows,) = PAGE.shown("h5")
    table = np.array([numbers(row) for row in rows.values()])
    assert (table[:, 0] > 5 * table[:, 2]).all()
    assert (table[:, 0] > 0.1).all()
    assert (np.diff(table, axis=0) < 0).all()
    full = [row for row in stored("looseness", "bounds") if row["problem"].startswith("bump")]
    assert all(row["share_above"] == 0 for row in full)
    powers = np.diff(np.log([row["k"] for row in full])) / np.diff(np.log([row["n"] for row in full]))
    assert powers == pytest.approx(2 / 3, abs=0.01)


def test_wine_without_scaling():
    (rows,) = PAGE.shown("h6")
    errors = {name: numbers(row)[0] for name, row in rows.items()}
    assert errors["as they are"] > 10 * errors["scaled"]
    wine = load_wine()
    largest, variances = wine.data.max(axis=0), wine.data.var(axis=0)
    assert wine.feature_names[int(largest.argmax())] == "proline"
    assert f"Proline reaches {largest.max():.0f}; most other features stay below 10" in because("no-scaling")
    assert (largest < 10).sum() > 6
    assert variances.max() > 100 * (variances.sum() - variances.max())


def test_the_tumor_again():
    assert PAGE.read("lab6")["votes at x"] == (6, 3)
    assert PAGE.read("lab6", k=101)["votes at x"] == (47, 54)
    assert PAGE.read("lab6", k=29)["votes at x"] == (18, 11)
    assert "almost flat around its lowest point near $k=29$. There, 18 of 29 neighbors are benign" in TEXTS["look6"]
    assert re.search(r"lowest [\d.]+ at 29;", drawn("lab6"))
    risks = [PAGE.read("lab6", seed=seed)["held-out risk"] for seed in range(6)]
    assert 0.03 < max(risks) - min(risks) < 0.1


def test_the_quiz_speaks_of_the_lesson():
    first, *_ = content.quizzes()["01-nearest-neighbors"]
    assert first.answer.endswith(f"{200 / 500}")
