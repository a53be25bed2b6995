"""What lesson 02 states in words is what is computed: answers to predictions, and numbers in its prose."""

import numpy as np
import pytest
from lesson_pages import Page, because, kept, numbers

from knnviz import LabelNoise, NeighborTable, Robust, Vote, VoteProfile, checkerboard, noise, regions, reproduce, risk
from knnviz.lessons import book
from knnviz.problems import logistic, two_level
from knnviz.reproduce.gao.rivals import RIVALS
from knnviz.reproduce.registry import records

PAGE = Page("02-label-noise.ipynb")
TEXTS = PAGE.texts
UNEVEN, FINE = LabelNoise(p0=0.1, p1=0.3), 1000


@pytest.fixture(scope="module")
def vote():
    """Risks of kNN by p0, p1 and k, from the full run of Figure 1."""
    return {(row["p0"], row["p1"], row["k"]): row["risk"] for row in kept("gao_figure_1", "vote")}


def test_more_votes():
    flips = LabelNoise(p0=0.1, p1=0.4)
    means = risk.curve(checkerboard(), Vote(), over={"k": [11, 201]}, n=8000, noise=flips, repeats=10).mean[0]
    words = because("more-votes")
    assert "From {:.3f} to {:.3f}, means of ten samples".format(*means) in words
    assert f"the error tends to {risk.vote_limit(checkerboard(), flips, FINE):.3f}" in words


def test_votes_in_the_same_ball_and_in_smaller_balls(vote):
    assert f"At $k = 800$ the error is {vote[0.1, 0.4, 800]:.2f}" in TEXTS["look2"]
    (table,) = PAGE.shown("h2a")
    clean, flipped, _ = np.array([numbers(row) for row in table.values()]).T
    assert f"falls to {clean[-1]:.2f}, with them it stays near {np.mean(flipped):.2f}" in TEXTS["h2a"]


def test_more_than_half():
    flips = LabelNoise(p0=0.0, p1=0.6)
    assert risk.vote_limit(checkerboard(), flips) == pytest.approx(0.5)
    assert float(Robust((0.0, 0.6)).threshold) == 0.2
    assert (0.5 - flips.p0) / flips.contrast == pytest.approx(5 / 4)
    assert f"the Bayes risk of {checkerboard().bayes_risk():.3f}" in because("more-than-half")


def test_two_levels():
    below, above = (risk.vote_limit(two_level(gap), UNEVEN) for gap in (0.16, 0.17))
    assert book.predictions()["two-levels"].choice == f"it falls from {below:.2f} to {above:.2f}"
    frequencies = (UNEVEN.corrupt(two_level(gap).eta(np.array([[0.9]])))[0, 1] for gap in (0.16, 0.17))
    assert "are {:.3f} and {:.3f}".format(*frequencies) in TEXTS["h2c"]


def test_even_or_uneven(vote):
    errors = [vote[*rates, k] for k in (100, 800) for rates in ((0.4, 0.4), (0.1, 0.3))]
    words = because("even-or-uneven")
    assert "the errors are {:.3f} and {:.3f}, at k = 800 they are {:.3f} and {:.3f}".format(*errors) in words
    assert f"the Bayes risk, {checkerboard().bayes_risk():.3f}" in words
    assert f"the limit is {risk.vote_limit(checkerboard(), UNEVEN, FINE):.3f}" in words


def test_one_noisy_neighbor():
    limit = float(PAGE.shown("h4")[0]["tau = 0.2"][3])
    assert book.predictions()["one-noisy-neighbor"].choice == f"nowhere, it stays near {limit:.3f}"


def test_lower_both():
    (rows,) = PAGE.shown("h5")
    assert rows["known"][2] == rows["both lower by 0.05"][2]
    assert f"{float(rows['known'][2])} both times" in because("lower-both")


def flipped(flips):
    """The 8000 points of the labs on the checkerboard, and their observed labels."""
    sample = checkerboard().sample(8000, seed=0)
    return sample, flips.flip(sample.y, sample.v)


def test_votes_at_a_misled_place():
    flips, place = LabelNoise(p0=0.1, p1=0.4), np.array([[0.1, 0.6]])
    sample, observed = flipped(flips)
    votes = VoteProfile.count(NeighborTable.build(sample.X, place, 200), observed, 2)
    text = TEXTS["look2"]
    assert "such as $x = (0.1, 0.6)$. There class 1 has 91 of 200 votes" in text
    assert votes.at(200)[0].tolist() == [109, 91]
    assert regions.disagreement(checkerboard().eta(place), flips.corrupt(checkerboard().eta(place))).all()


def test_where_the_two_rules_differ():
    sample, observed = flipped(UNEVEN)
    cells, eta = checkerboard().cells(64)
    votes = VoteProfile.count(NeighborTable.build(sample.X, cells.points, 101), observed, 2)
    fraction = votes.at(101)[:, 1] / 101
    differ = (fraction >= 0.5) != (fraction >= 0.4307)
    assert "in the rim of section 2 for three quarters" in TEXTS["look5"]
    assert regions.disagreement(eta, UNEVEN.corrupt(eta))[differ].mean() == pytest.approx(0.75, abs=0.02)


def test_the_midrange_moves_on_slowly():
    sample, observed = flipped(UNEVEN)
    train = NeighborTable.build(sample.X, None, 401)
    near, wide = (noise.estimate(train, observed, k_noise=k_noise) for k_noise in (100, 400))
    text = TEXTS["look6"]
    assert f"overshoots: {float(wide.p0):.4f}, where 0.1 is true" in text
    assert f"from {float(near.threshold):.4f} at 100 to {float(wide.threshold):.4f}" in text


def test_where_noisy_labels_turn_on_the_line():
    eta = logistic().eta(np.array([[0.57]]))[0, 1]
    assert "near $x = 0.57$" in TEXTS["look1"]
    assert UNEVEN.p0 + UNEVEN.contrast * eta == pytest.approx(0.5, abs=1e-3)


def test_the_limit_of_the_bound_and_that_of_the_risk():
    _, bound, _, limit = numbers(PAGE.shown("h2")[0]["p0 = 0.2, p1 = 0.1"])
    assert f"= {bound:.3f}$" in TEXTS["h7"]
    assert f"the risk tends to {limit:.3f}" in TEXTS["h7"]


def test_robust_knn_ends_near_the_floor():
    (floor,) = (row["risk"] for row in kept("gao_figure_1", "bayes") if row["over"] == "test points")
    assert f"an excess, over {floor:.4f}, the Bayes risk of the test points" in TEXTS["h7"]
    assert f"the Bayes risk, which is {floor:.4f}" in TEXTS["s9"]
    rows = [row for row in kept("gao_figure_1", "estimated") if (row["k"], row["k_noise"]) == (800, 100)]
    assert "within 0.004 of the floor" in TEXTS["s9"]
    assert max(row["risk"] for row in rows if row["p0"] == 0.1) < floor + 0.004


def test_a_fixed_k_noise_gets_most_of_the_way():
    noisy, clean, fixed = (row["risk"] for row in kept("gao_validation", "picked"))
    assert "gets most of the way" in TEXTS["h8b"]
    assert (noisy - fixed) / (noisy - clean) > 0.5


def test_rivals():
    """Means over four sets and three pairs of rates, published and ours."""
    runs = records(reproduce.published("gao_comparison")["rows"])
    paper = records(reproduce.published("gao_tables")["table_2"])
    sets = {row["data"] for row in runs}

    def mean(rows, rule, **wanted):
        wanted["rule"] = rule
        found = [row for row in rows if row["data"] in sets and all(row[name] == wanted[name] for name in wanted)]
        assert len(found) == 12
        return np.mean([row["accuracy"] for row in found])

    told = {name: mean(runs, name, scoring="noisy", rates=given[0]) for name, given in RIVALS.items()}
    robust, beside = mean(runs, "RkNN", scoring="noisy"), mean(paper, "RkNN")
    more = [told[name] - mean(paper, name) for name in RIVALS]
    words = TEXTS["h-rivals"]
    assert f"Robust kNN has {robust:.3f} here and {beside:.3f} in the paper" in words
    assert f"by {min(more):.2f} to {max(more):.2f}" in words
    assert min(told["IR-KSVM"], told["LD-KSVM"]) > robust
    assert max(mean(paper, "IR-KSVM"), mean(paper, "LD-KSVM")) < beside
    assert (mean(runs, "RkNN", scoring="clean") - robust) / (beside - robust) == pytest.approx(1 / 3, abs=0.05)
    falls = [
        told[name] - mean(runs, name, scoring="noisy", rates="estimated") for name in RIVALS if len(RIVALS[name]) == 2
    ]
    assert f"By {min(falls):.3f} to {max(falls):.3f}" in because("rivals-estimate")
    assert f"loses {min(falls):.2f} to {max(falls):.2f}" in words
    assert 0.01 < min(falls) < max(falls) < 0.04
    at = {(row["data"], row["rule"]): row["accuracy"] for row in runs if (row["scoring"], row["p1"]) == ("noisy", 0.3)}
    assert all(at[name, "RkNN"] > at[name, "kNN"] for name in sets)
