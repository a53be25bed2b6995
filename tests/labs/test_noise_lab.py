"""NoiseLab: its numbers beside plain Python and closed forms, its curves, what moves k and k'."""

import numpy as np
import pytest
from random_moves import layers, votes_of
from small import SMALL

from knnviz import (
    LabelNoise,
    NeighborTable,
    Robust,
    Vote,
    breast_cancer,
    checkerboard,
    noise,
    plateau,
    risk,
)
from knnviz.labs import NeighborLab, NoiseLab
from knnviz.labs.noise import (
    BAR,
    BY_HAND,
    KNOWN,
    ON_BOTH,
    ON_NOISY,
    ON_TRUE,
    OVER_K,
    OVER_THETA,
    RATES,
)
from knnviz.problems import logistic
from knnviz.views import extremes

FLIPS = LabelNoise(0.1, 0.3)


def small(**values):
    return NoiseLab(**{"n": 400, "k": 21, "k_noise": 30} | values, resolution=SMALL)


@pytest.mark.parametrize("rates", RATES[:-1])
def test_numbers_are_those_of_plain_python(rates):
    lab = small(n=500, seed=3, k=20, k_noise=40, rates=rates, x1=0.7, x2=0.2)
    problem = checkerboard()
    fine = 2 * SMALL.map_cells[1]
    sample = problem.sample(500, 3)
    observed = FLIPS.flip(sample.y, sample.v)
    neighbors = NeighborTable.build(sample.X, None, 41)
    estimated = noise.estimate(neighbors, observed, 40)
    robust = Robust((0.1, 0.3) if rates == KNOWN else estimated)

    cells, eta = problem.cells(fine // 2)
    at_cells = votes_of(sample.X, observed, cells.points, 20)
    by_vote = Vote().predict(at_cells, 20)
    by_robust = robust.predict(at_cells, 20)
    expected = {
        "risk of kNN": risk.exact(eta, by_vote, weights=cells.weights),
        "risk of robust kNN": risk.exact(eta, by_robust, weights=cells.weights),
        "limit of kNN": risk.vote_limit(problem, FLIPS, n_cells=fine),
        "limit of 1-NN": risk.one_nn_limit(problem, FLIPS, n_cells=fine),
        "threshold": float(robust.threshold),
        "rules differ on": np.mean(by_vote != by_robust),
    }
    if rates != KNOWN:
        expected["estimated p0"] = estimated.p0
        expected["estimated p1"] = estimated.p1

    read = lab.readout()
    assert {name: read[name] for name in expected} == pytest.approx(expected, abs=1e-6)
    at_x = votes_of(sample.X, observed, np.array([[0.7, 0.2]]), 20)
    assert [*read["votes at x"].values()] == at_x.at(20)[0].tolist()
    assert read["decision at x"] == f"class {robust.predict(at_x, 20)[0]}"
    drawn = layers(lab.set(rules="kNN"), "map")["regions"]
    assert np.array_equal(drawn.codes.ravel(), by_vote)


@pytest.mark.parametrize("rates", RATES[:-1])
def test_the_curve_is_that_of_plain_python(rates):
    lab = small(problem="plateau", n=1000, k=51, k_noise=60, curve=OVER_K, rates=rates)
    lab.figure(panels=["risk"])
    known = {"known": Robust((0.1, 0.3))}
    rules = {"plain": Vote()} | (known if rates == KNOWN else {"estimated": Robust(k_noise=60)})
    lines = [layers(lab, "risk")[f"mean {name}"] for name in rules]
    x = lines[0].x
    given = {"noise": FLIPS, "repeats": 1, "resolution": SMALL, "progress": False}
    over = {"k": x.round().astype(int).tolist()}
    expected = risk.curve(plateau(0.1, 0.3), rules, over=over, n=1000, **given).mean
    assert np.stack([line.y for line in lines]) == pytest.approx(expected, abs=1e-6)

    lab.set(k=41)
    assert layers(lab, "risk")["mean plain"].x.tolist() == x.tolist(), "the curve stays"


@pytest.mark.parametrize(("p0", "p1"), [(0.0, 0.3), (0.0, 0.0)])
def test_on_a_line_without_a_sample_decisions_are_those_of_noisy_eta(p0, p1):
    """Where it is above one half, most labels are of class 1."""
    lab = small(problem="logistic", p0=p0, p1=p1, rules="kNN", panels=["map", "flips"])
    drawn = layers(lab, "map")
    line = drawn["corrupted1" if p0 + p1 else "eta1"]
    eta = logistic().eta(line.x[:, None])[:, 1]
    assert line.y == pytest.approx(p0 + (1 - p0 - p1) * eta, abs=1e-6)
    most = drawn["regions"].codes.ravel()
    cells = (np.arange(len(most)) + 0.5) / len(most)
    assert np.array_equal(most, np.interp(cells, line.x, line.y) > 0.5)
    assert "votes1" not in drawn


def test_data_are_judged_on_points_held_out():
    lab = small(problem="breast cancer", seed=2, n=398, k=9, k_noise=20)
    dataset = breast_cancer(seed=2)
    observed = FLIPS.flip(dataset.y_train, dataset.sample(398).v)
    neighbors = NeighborTable.build(dataset.X_train, None, 21)
    robust = Robust(k_noise=20).fit(neighbors, observed, 9, 2)
    held_out = votes_of(dataset.X_train, observed, dataset.X_test, 9)
    other = NeighborLab(problem="breast cancer", seed=2, n=398, k=9, p0=0.1, p1=0.3)
    read = lab.readout() | other.readout()
    for name, rule in ((" of kNN", Vote()), (" of robust kNN", robust), ("", Vote())):
        wrong = rule.predict(held_out, 9) != dataset.y_test
        assert read[f"held-out error{name}"] == pytest.approx(np.mean(wrong), abs=1e-6)


@pytest.mark.parametrize(("p0", "p1"), [(0.2, 0.1), (0.1, 0.6)])
def test_the_limit_is_least_at_theta_and_on_noisy_labels_at_one_half(p0, p1):
    lab = small(problem="logistic", p0=p0, p1=p1, rates=BY_HAND, curve=ON_BOTH)
    drawn = layers(lab, "risk")
    for name, place in ((ON_TRUE, (1 + p0 - p1) / 2), (ON_NOISY, 0.5)):
        line = drawn[name]
        assert line.y[abs(line.x - place).argmin()] <= line.y.min() + 1e-4


def test_a_threshold_is_pulled_on_the_line_at_the_ball_and_on_its_curve():
    lab = small(problem="logistic", rules="robust kNN", rates=BY_HAND)
    lab.set(curve=OVER_THETA)
    assert lab.pick("risk", 0.333, 0.1) == {"threshold": 0.33}
    assert lab.pick("map", 0.5, 0.41, "threshold") == {"threshold": 0.41}
    assert lab.pick("votes", 30, 0.27, "threshold") == {"threshold": 0.27}
    few = small(problem="logistic", rates=BY_HAND, controls=["threshold"], panels=["map"])
    assert few.pick("map", 0.5, 0.41) == {"threshold": 0.41}, "x has no control"


@pytest.mark.parametrize("problem", [checkerboard(), logistic()], ids=lambda each: each.name)
def test_a_bar_of_the_extremes_and_its_points_find_each_other(problem):
    lab = small(problem=problem.name, overlay=BAR)
    X = problem.sample(400, 0).X
    for fraction in (0.0, 0.32, 0.51, 1.0):
        lab.set(**lab.pick("extremes", 0.2, fraction))
        (row,) = np.flatnonzero((layers(lab, "extremes")["histogram"].codes == 2).any(axis=1))
        read = lab.readout()
        assert extremes.bars(np.array(read["smoothed label at x"])) == row
        lit = layers(lab, "map")["lit"]
        assert len(lit.x) == read[BAR].part
        cross = layers(lab, "map")["query"]
        assert cross.x[0] in lit.x, "x stands on a point of the bar"
        assert lit.x == pytest.approx(X[np.isin(X[:, 0], lit.x), 0])

    lab.set(overlay="regions only")
    assert not (layers(lab, "extremes")["histogram"].codes == 2).any()
