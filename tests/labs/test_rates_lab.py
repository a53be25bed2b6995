"""RatesLab: its numbers and layers beside plain Python, the theorems and the paper's values."""

import numpy as np
import pytest
from random_moves import layers, votes_of
from small import SMALL

from knnviz import LabelNoise, NeighborTable, Robust, Vote, noise, risk
from knnviz.bounds import reeve_kaban
from knnviz.labs import RatesLab
from knnviz.labs.engine.words import TO_COME
from knnviz.labs.rates import (
    AT_X,
    HELD,
    MEANS,
    MORE_REPEATS,
    RISK_SIZES,
    SET_K,
    SHAPES,
    WITH_SAMPLES,
    Excesses,
    drawn_back,
    held_labels,
    wrong_decisions,
)
from knnviz.noise import misled_points
from knnviz.problems import Sample, plateau, ramp

RATES = LabelNoise(0.1, 0.3)
K_AS_SET = {"neighbors": SET_K}
PROBLEMS = dict(zip(SHAPES, (plateau(0.1, 0.3), ramp()), strict=False))


@pytest.mark.parametrize(("shape", "problem"), PROBLEMS.items(), ids=PROBLEMS)
def test_numbers_are_those_of_plain_python(shape, problem):
    """The votes come from a table of neighbors here, from windows there."""
    sample = problem.sample(700, 3)
    observed = RATES.flip(sample.y, sample.v)
    neighbors = NeighborTable.build(sample.X, None, 40)
    rates = noise.estimate(neighbors, observed, 39, "order")
    read = RatesLab(shape=shape, n=700, seed=3, **K_AS_SET, k=40).readout()
    for name in ("p0", "p1", "threshold"):
        assert read[f"estimated {name}"] == round(float(getattr(rates, name)), 6)

    cells = problem.measure(20_000)
    eta = problem.eta(cells.points)

    at_cells = votes_of(sample.X, observed, cells.points, 40)
    for name, rule in (("kNN", Vote()), ("robust kNN", Robust(rates))):
        exact = risk.exact(eta, rule.predict(at_cells, 40), weights=cells.weights)
        assert read[f"risk of {name}"] == pytest.approx(exact, abs=1e-4)

    misled = cells.weights @ misled_points(eta, RATES.corrupt(eta))
    assert read["misled mass"] == pytest.approx(misled, abs=1e-6)
    assert read["Bayes risk"] == pytest.approx(problem.bayes_risk(), abs=1e-6)
    limit = risk.vote_limit(problem, RATES)
    assert read["limit of kNN"] == pytest.approx(limit, abs=1e-6)


def test_the_bound_over_n_is_that_along_k_n():
    margin = {"margin_exponent": 1.0, "margin_constant": 2.0}
    assumed = {"smoothness_constant": 1.0, **margin}
    curves = {"rules": "robust kNN", "curve": MEANS, "resolution": SMALL}
    lab = RatesLab(shape="ramp", n=1000, delta=0.01, **assumed, **curves)

    def bound(n):
        k = reeve_kaban.k_n(n, 0.01, 1.0, 1.0)
        return reeve_kaban.theorem_4_3(k, n, 0.01, RATES, smoothness=1.0, **assumed)

    read = lab.readout()
    assert read["bound on excess"] == pytest.approx(bound(1000), abs=1e-6)
    shown = layers(lab, "bound")
    printed = shown["printed"]
    for at in (20, 30, 40):
        assert 10 ** printed.y[at] == pytest.approx(bound(int(printed.x[at])), rel=1e-5)
    beyond = shown["extended"]
    slope = np.diff(beyond.y) / np.diff(np.log10(beyond.x))
    assert slope == pytest.approx(-2 / 3, rel=1e-5)


def test_labels_stay_whatever_world_they_are_from():
    """To the bit, and votes with them; true labels and rings move."""
    lab = RatesLab(shape=HELD, n=2000, rules="robust kNN with known rates", resolution=SMALL)
    before = lab.readout()
    drawn = layers(lab, "map")
    seen = set()
    for p0 in (0.0, 0.04, 0.1):
        for p1 in (0.0, 0.07, 0.19, 0.3):
            read = lab.set(p0=p0, p1=p1).readout()
            shown = layers(lab, "map")
            assert read["labels 1"] == before["labels 1"]
            for name in ("votes1", "corrupted1"):
                np.testing.assert_allclose(shown[name].y, drawn[name].y, rtol=1e-6)
            for name in {each for each in drawn if each.startswith("points")}:
                np.testing.assert_array_equal(shown[name].codes, drawn[name].codes)
                np.testing.assert_array_equal(shown[name].x, drawn[name].x)
            seen.add((read["flipped labels"], read["right threshold"]))
            assert read["right threshold"] == pytest.approx((1 + p0 - p1) / 2)
    assert len(seen) == 12
    with pytest.raises(ValueError, match="eta would leave"):
        lab.set(p0=0.11)


@pytest.mark.parametrize(
    "rates", [RATES, LabelNoise(0.1, 0.0), LabelNoise(0.04, 0.2), LabelNoise()]
)
def test_pairs_of_labels_have_their_distribution_in_every_world(rates):
    """At one x, as if true labels were drawn first and flipped then."""
    n = 200_000
    rng = np.random.default_rng(5)
    low = (0.1 - rates.p0) / rates.contrast
    world = ramp(low, low + 0.6 / rates.contrast)
    for at in (0.05, 0.5, 0.93):
        drawn = Sample(np.full((n, 1), at), None, rng.random(n), rng.random(n))
        observed = held_labels(drawn)
        true = drawn_back(world, rates, drawn, observed).y
        eta = world.eta(drawn.X[:1])[0]
        stays = 1 - np.array([rates.p0, rates.p1])
        for y in (0, 1):
            for seen, part in ((y, stays[y]), (1 - y, 1 - stays[y])):
                expected = eta[y] * part
                found = np.mean((true == y) & (observed == seen))
                error = np.sqrt(expected * (1 - expected) / n)
                assert abs(found - expected) <= 4 * error + 1e-12


def test_a_line_at_each_extreme_spans_the_neighbors_of_which_it_has_the_fraction():
    lab = RatesLab(shape="ramp", n=500, rules="robust kNN", **K_AS_SET, k=60, resolution=SMALL)
    shown = layers(lab, "map")
    sample = ramp().sample(500, 0)
    observed = RATES.flip(sample.y, sample.v)
    spans = shown["spans"]
    for name, at in (("lowest", 0), ("highest", 3)):
        left, right = spans.x[at : at + 2]
        inside = (sample.X[:, 0] >= left - 1e-7) & (sample.X[:, 0] <= right + 1e-7)
        assert inside.sum() == 60
        assert left - 1e-7 <= shown[name].x[0] <= right + 1e-7
        assert spans.y[at] == shown[name].y[0] == pytest.approx(observed[inside].mean())


def test_height_and_area_of_the_excess_are_costs_of_wrong_decisions():
    *_, wrong = wrong_decisions(ramp(), RATES, Robust(votes="order"), 1000, 100, 0)
    excesses = Excesses.from_samples(ramp(), wrong)
    costs = abs(2 * excesses.x[excesses.middle] - 1)
    assert excesses.size["height"] == pytest.approx(costs.max())
    assert excesses.size["area"] == pytest.approx(costs.sum() / len(excesses.x))


@pytest.mark.parametrize(("shape", "problem"), PROBLEMS.items(), ids=PROBLEMS)
def test_the_error_at_x_is_that_of_plain_python_below_theorem_4_1(shape, problem):
    """Neighbors come from a sort here; their largest difference from x is not over two ends."""
    lab = RatesLab(n=1000, shape=shape, x1=0.31, smoothness_constant=1.5, bound_over=AT_X)
    shown = layers(lab, "bound")
    sample = problem.sample(1000, 0)
    observed = RATES.flip(sample.y, sample.v)
    order = np.argsort(abs(sample.X[:, 0] - 0.31), kind="stable")

    def noisy(X):
        return 0.1 + 0.6 * problem.eta(X)[:, 1]

    near = noisy(sample.X[order])
    true = noisy(np.array([[0.31]]))
    ks = shown["error"].x.astype(int)
    worst = np.maximum.accumulate(abs(near - true))
    votes = np.cumsum(observed[order]) / np.arange(1, 1001)
    assert shown["error"].y == pytest.approx(abs(votes - true)[ks - 1], abs=1e-6)
    assert shown["worst"].y == pytest.approx(worst[ks - 1], abs=1e-6)

    covered = shown["sum"].x
    assert (covered[0], covered[-1]) == (18, 500), "what Theorem 4.1 covers"
    vote = np.sqrt(np.log(60) / (2 * covered))
    smoothness = 0.6 * 1.5 * 2 * covered / 1000
    assert shown["sum"].y == pytest.approx(vote + smoothness, rel=1e-5)


def test_curves_are_those_of_plain_python():
    lab = RatesLab(n=1000, curve=WITH_SAMPLES, margin_exponent=1.0, resolution=SMALL)
    rules = {"plain": Vote(), "estimated": Robust(votes="order")}
    ks = [reeve_kaban.k_n(n, 0.05, 1, 3) for n in RISK_SIZES]
    given = {"repeats": MORE_REPEATS * SMALL.repeats, "resolution": SMALL, "progress": False}
    problem = plateau(0.1, 0.3)
    whole = risk.curve(problem, rules, over={"n": RISK_SIZES}, k=ks, noise=RATES, **given)
    before = dict(lab.numbers)
    read = lab.readout()
    assert before["base"] == TO_COME, "nothing is measured on a part of the samples"
    assert list(read) == list(before)
    assert read["promised rate"] == pytest.approx(2 / 3, abs=1e-6)
    shown = layers(lab, "risk")
    for name, mean in zip(rules, whole.mean, strict=True):
        excess = mean - read["Bayes risk"]
        assert 10.0 ** shown[f"mean {name}"].y == pytest.approx(excess, rel=1e-5, abs=1e-6)
    promised = shown["promised"]
    assert promised.y[0] == pytest.approx(shown["mean estimated"].y[0])


def test_a_risk_curve_at_a_k_that_is_set_leaves_out_small_samples():
    known = "robust kNN with known rates"
    lab = RatesLab(n=5000, rules=known, **K_AS_SET, k=3000, curve=MEANS, resolution=SMALL)
    assert "promised rate" not in lab.readout(), "a rate is promised of k_n alone"
    known = layers(lab, "risk")["mean known"]
    assert known.x.tolist() == list(RISK_SIZES[1:])
