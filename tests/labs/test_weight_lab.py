"""WeightLab beside plain Python and the paper: numbers, weights that sum to 1, sets, a bound."""

import numpy as np
import pytest
from random_moves import layers, votes_of
from reference_implementations import reference
from refusals import refuses
from small import SMALL

from knnviz import problems, regions
from knnviz.bounds import khim
from knnviz.labs import WeightLab
from knnviz.labs.parts.class_weights import WEIGHTS
from knnviz.labs.weights import (
    AS_SET,
    BOUNDARY,
    DISAGREEMENT,
    EQUAL,
    KNN,
    LOWER_BOUND,
)
from knnviz.profiles import BallProfile
from knnviz.weights import confusion

KHIM = reference("khim")
Q = (0.5, 0.3, 0.2)
CLOUDS = problems.gaussians(3, dimension=2)


@pytest.fixture
def lab():
    return WeightLab(resolution=SMALL)


def decisions(values, q):
    return np.argmax(np.round(values * q, 12), axis=1)


@pytest.mark.parametrize("q", [Q, (0.2, 0.2, 0.6), (0, 0.5, 0.5)])
def test_numbers_are_those_of_the_library(lab, q):
    lab.set(n=400, seed=2, k=30, **dict(zip(WEIGHTS, q, strict=True)))
    waves = problems.waves()
    sample = waves.sample(400, 2)
    cells, eta = waves.cells(4 * SMALL.map_cells[0])

    at_cells = votes_of(sample.X, sample.y, cells.points, 30, 3).at(30) / 30
    differs = decisions(at_cells, q) != decisions(eta, q)
    new = confusion(eta, at_cells, q, rule="argmax")
    bayes = confusion(eta, eta, q, rule="argmax")
    read = lab.readout()
    assert read["macro F1, new points"] == pytest.approx(new.macro_f1, abs=1e-6)
    assert read["macro F1, Bayes rule"] == pytest.approx(bayes.macro_f1, abs=1e-6)
    assert read["disagreement"] == pytest.approx(np.mean(differs), abs=1e-9)
    assert read["weighted risk"] == pytest.approx(new.weighted_risk(q), abs=1e-6)
    assert read["weighted Bayes risk"] == pytest.approx(bayes.weighted_risk(q), abs=1e-6)


def test_the_excess_weighted_risk_is_the_area_of_the_disagreement(lab):
    """On the drawn cells, in units of the largest weight; it is 0 where the strips agree."""
    read = lab.set(n=400, k=30, overlay=DISAGREEMENT).readout()
    drawn = layers(lab, "map")
    area = drawn["excess"]
    lost = area.upper - area.lower
    assert 0.5 * lost.mean() == pytest.approx(read["excess weighted risk"], rel=0.05)
    strips = [drawn[f"strip of {rule}"].codes[0] for rule in ("kNN", "Bayes")]
    assert ((lost > 0) == (strips[0] != strips[1])).all()


def named(q):
    return dict(zip(("class 0", "class 1", "class 2"), q, strict=True))


def test_moving_some_weights_keeps_the_ratio_of_the_others(lab):
    """If they have one: where both are 0 they share what is left."""

    def moved(**values):
        return lab.set(**values).readout()["weights q"]

    for q in ((0.75, 0.15, 0.1), (0.99, 0.006, 0.004), Q, (1, 0, 0)):
        assert moved(q0=q[0]) == pytest.approx(named(q), abs=1e-9)
    assert moved(q0=0.4) == named((0.4, 0.3, 0.3))
    assert moved(q0=0.2, q1=0.2) == named((0.2, 0.2, 0.6))
    assert moved(**EQUAL) == pytest.approx(named(EQUAL.values()), abs=1e-6)
    for changes in ({"q0": 0.8, "q1": 0.4}, {"q0": 0.8, "q1": 0.4, "q2": 0.2}):
        refuses(r"^class weights must sum to 1, got 1\.[45]", lab.set, **changes)


def test_mass_and_margin_are_those_of_theorem_1():
    lab = WeightLab(n=8000, k=15, overlay=BOUNDARY)
    bound = khim.theorem_1(15, 8000, 0.05, Q)
    read = lab.readout()
    found = (read["ball mass p"], read["margin Delta"])
    assert found == pytest.approx((bound.mass, bound.margin), abs=1e-6)
    # The theorem needs k > 4 log(2 / delta) = 14.8.
    assert lab.set(k=14).readout()["ball mass p"] == "infinite"


def test_the_boundary_for_p_and_delta_that_are_set():
    lab = WeightLab(n=100, k=20, overlay=BOUNDARY, boundary=AS_SET)
    for case in KHIM["effective_boundary"]:
        if case["p"] >= 0.005:
            read = lab.set(mass=case["p"], margin=case["Delta"]).readout()
            assert read["boundary mass"] == pytest.approx(case["q"], abs=3e-3)
            assert "bound of Theorem 1" not in read


def test_the_boundary_in_the_plane_and_how_far_balls_reach(lab):
    """Kept balls give that of other weights, up to a cell; they end at mass 1/4; no margin is above
    the weights.
    """
    lab.set(problem="three gaussians", n=500, k=20, overlay=BOUNDARY, boundary=AS_SET, mass=0.1)
    measure, eta = CLOUDS.cells(SMALL.map_cells[1])
    exact = BallProfile.build(measure, eta, q=Q, masses=[0.1])
    boundary = regions.effective_boundary(exact, 0.1, 0.05, Q)
    mass = measure.weights[boundary].sum()
    assert lab.readout()["boundary mass"] == pytest.approx(mass, abs=1e-4)
    lab.set(n=200, k=42, overlay=LOWER_BOUND)
    assert "mass of the set" in lab.readout()
    assert "mass of the set" not in lab.set(k=43).readout()


def test_a_line_stays_where_regions_met_at_equal_weights(lab):
    """Wherever it is, cells around it have several classes at equal weights."""
    lab.set(problem="three gaussians", n=500, k=40, rules=KNN, **EQUAL)
    drawn = layers(lab, "map")
    assert "ghost" not in drawn
    before = drawn["regions"].codes
    ghost = layers(lab.set(q0=0.6), "map")["ghost"]
    known = np.isfinite(ghost.x)
    positions = np.stack([ghost.y[known], ghost.x[known]], axis=1)
    rows_columns = (positions + 0.5) / 2 * SMALL.map_cells[1] - 0.5
    assert len(rows_columns) > 40
    for row, column in np.floor(rows_columns + 1e-6).astype(int):
        around = before[max(row - 1, 0) : row + 3, max(column - 1, 0) : column + 3]
        assert np.ptp(around) > 0
