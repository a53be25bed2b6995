"""What lesson 02 states in words is what is computed."""

import numpy as np
import pytest
from lesson_pages import Page, because, numbers, stored

from knnviz import LabelNoise, Robust, checkerboard, risk
from knnviz.bounds import gao
from knnviz.lessons import content, published
from knnviz.lessons.openings import label_noise
from knnviz.noise import misled_points
from knnviz.problems import logistic
from knnviz_papers.gao.rivals import RIVALS

PAGE = Page("02-label-noise.ipynb")
TEXTS = PAGE.texts
TIRED, SECOND = LabelNoise(p0=0.0, p1=0.3), LabelNoise(p0=0.3, p1=0.3)


def read(lab, number, **moved):
    """A number of a lab with two decimals, after some of its controls have moved."""
    return f"{PAGE.read(lab, **moved)[number]:.2f}"


def test_the_story_is_that_of_the_picture():
    true, noisy = label_noise.learned()
    assert f"labels {len(true.labels)} tumors" in TEXTS["title"]
    assert f"kNN misses {true.missed} of {true.malignant} new malignant tumors" in TEXTS["title"]
    assert f"With the rater's labels it misses {noisy.missed}." in TEXTS["title"]
    assert label_noise.RATER == TIRED


def test_the_line():
    at = TIRED.corrupt(logistic().eta(np.array([[1.0], [0.59], [0.5]])))[:, 1]
    assert at == pytest.approx([0.7, 0.5, 0.35], abs=0.006)
    assert SECOND.corrupt(logistic().eta(np.array([[0.5]])))[0, 1] == pytest.approx(0.5)
    assert "near $x = 0.59$" in TEXTS["look1"]


def test_more_votes_and_data_do_not_repair_misled_points():
    many, limit, best = (read("lab2", each, n=8000, k=200) for each in ("risk of kNN", "limit of kNN", "Bayes risk"))
    assert many == limit
    assert f"The risk is {many}, and so is its limit." in TEXTS["look2"]
    assert f"The Bayes risk (under *All controls*) is {best}." in TEXTS["look2"]
    worse = PAGE.read("lab2", p1=0.6)
    assert worse["risk of kNN"] == pytest.approx(0.5, abs=0.01), "class 1 almost disappears"
    assert f"the limit is {worse['limit of kNN']:.2f}" in TEXTS["look2"]
    assert f"the risk tends to {worse['limit of kNN']:.2f}" in because("worse-rater")
    assert f"$t^* = {(0.5 - TIRED.p0) / TIRED.contrast:.2f}$" in TEXTS["tie"]


def test_the_point_of_the_second_lab_is_misled():
    values = PAGE.opened("lab2")[1]
    eta = checkerboard().eta(np.array([[values["x1"], values["x2"]]]))
    assert misled_points(eta, TIRED.corrupt(eta)).all()
    for n, k in ((2000, 51), (2000, 200), (8000, 200)):
        zeros, ones = PAGE.read("lab2", n=n, k=k)["votes at x"]
        assert 0.35 < ones / (zeros + ones) < 0.5


def test_the_price_is_the_difference_to_the_bayes_risk():
    cells, eta = checkerboard().cells(300)
    misled = misled_points(eta, TIRED.corrupt(eta))
    price = cells.weights @ (abs(2 * eta[:, 1] - 1) * misled)
    assert checkerboard().bayes_risk() + price == pytest.approx(risk.vote_limit(checkerboard(), TIRED), abs=1e-3)


def test_symmetric_noise():
    few, many = (read("lab3", "risk of kNN", k=k) for k in (11, 200))
    assert f"the risk falls from {few} to {many}" in TEXTS["look3"]
    limit = read("lab3", "limit of kNN", p0=0.0)
    assert f"gets no lower than about {limit}" in TEXTS["look3"]
    assert PAGE.read("lab3", p0=0.0)["risk of kNN"] < PAGE.read("lab3")["risk of kNN"]
    assert f"the Bayes risk, {read('lab3', 'limit of kNN')}, with the tired one to {limit}" in because("second-rater")
    assert f"here {read('lab3', 'limit of 1-NN')}" in TEXTS["votes"]
    assert SECOND.contrast**-2 == pytest.approx(6, abs=0.3)
    assert PAGE.read("lab3")["misled mass"] == 0


def test_the_threshold_repairs_the_vote_on_tumors():
    plain, robust = (read("lab4", f"held-out risk of {rule}") for rule in ("kNN", "robust kNN"))
    assert f"The held-out risk of kNN is {plain}, that of robust kNN {robust}" in TEXTS["look4"]
    assert read("lab4", "held-out risk of kNN", p1=0.0) == robust, "about as with true labels"
    plain, robust = (read("lab4", f"held-out risk of {rule}", p1=0.6) for rule in ("kNN", "robust kNN"))
    assert f"and its risk is {plain}. That of robust kNN is {robust}." in TEXTS["look4"]
    benign, malignant = PAGE.read("lab4")["votes at x"]
    assert 0.35 < malignant / (malignant + benign) < 0.5
    assert {float(Robust(rates).threshold) for rates in ((0.0, 0.3), (0.1, 0.4))} == {0.35}
    assert "is 0.35 both times" in because("shifted-rates")


def test_the_midrange():
    least, some, more = (PAGE.read("lab5", k_noise=k_noise) for k_noise in (5, 20, 100))
    assert least["threshold"] == 0.5
    assert least["risk of robust kNN"] == least["risk of kNN"]
    assert some["estimated p1"] < 2 / 3 * TIRED.p1, "chance makes a maximum too large"
    moved = f"the threshold moves to {more['threshold']:.2f}"
    high, low = (f"{each['risk of robust kNN']:.2f}" for each in (least, more))
    assert f"{moved}, and the risk falls from {high} to {low}" in TEXTS["look5"]
    assert more["estimated p0"] == TIRED.p0
    assert f"$p_1$ is too high by {more['estimated p1'] - TIRED.p1:.2f}" in TEXTS["further"]


def test_estimated_rates_cost_a_little_on_tumors():
    known, estimated = (numbers(row) for row in PAGE.shown("tumors")[0].values())
    assert known[0] == 0.35
    assert known[0] < estimated[0] < known[0] + 0.05
    assert f"{known[1]:.2f}" == read("lab4", "held-out risk of robust kNN")
    assert known[1] < estimated[1] < PAGE.read("lab4")["held-out risk of kNN"]


def test_noisy_labels_favor_knn():
    noisy, clean = np.array([numbers(row) for row in PAGE.shown("judges")[0].values()]).T
    assert noisy[0] < noisy[1]
    assert clean[0] > clean[1]
    assert content.predictions()["noisy-judges"].answer.startswith("kNN")


def test_a_search_on_noisy_labels_prefers_no_repair():
    noisy, clean, fixed = stored("gao_validation", "picked")
    assert noisy["k_noise"] < 6 < 60 < clean["k_noise"], "5 is the smallest on offer"
    assert (noisy["risk"] - fixed["risk"]) / (noisy["risk"] - clean["risk"]) > 0.5, "a fixed k' gets most of the way"


def test_rivals():
    """Means over four sets and three pairs of rates, published and ours."""
    (rows,) = PAGE.shown("rivals")
    printed, ours = np.array([numbers(row) for row in rows.values()]).T
    others = [list(rows).index(name) for name in RIVALS]
    assert (ours[others] > ours[0]).sum() == 5
    assert (printed[1:] < printed[0]).all()
    assert "here five rivals beat robust kNN; in the paper, none" in TEXTS["further"]
    runs = published("gao_comparison")["rows"]

    def mean(rule, rates):
        wanted = {"rule": rule, "rates": rates, "scoring": "noisy"}
        found = [row["accuracy"] for row in runs if all(row[name] == value for name, value in wanted.items())]
        assert len(found) == 12
        return np.mean(found)

    falls = [mean(name, rates[0]) - mean(name, "estimated") for name, rates in RIVALS.items() if len(rates) == 2]
    assert len(falls) == 4
    assert f"lose {min(falls):.2f} to {max(falls):.2f} each" in TEXTS["further"]


def test_the_bounds_of_theorems_1_and_2_are_vacuous_at_8000_points():
    shape = {"lipschitz": np.pi, "dimension": 2, "bayes_risk": checkerboard().bayes_risk()}
    assert gao.theorem_1(checkerboard(), 8000, 100, TIRED, lipschitz=np.pi).value >= 1
    assert gao.theorem_2(8000, 100, SECOND.p0, **shape) >= 1
