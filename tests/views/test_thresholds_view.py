"""F1 over t with its bounds, tested on their layers."""

import numpy as np
import pytest

from knnviz.labs.parts.over_threshold import STEPS
from knnviz.labs.thresholds import (
    Bounds,
    curve_over_t,
    f1_bounds,
    of_eta,
    sorted_eta,
)
from knnviz.problems import one_against_rest, rare, waves
from knnviz.weights import Thresholds

VOTES = np.array([0, 1, 1, 2, 2])
TRUTH = np.array([0, 0, 1, 1, 1])
FEW = Thresholds.from_votes(TRUTH, VOTES, 4)
MEASURE, ETA = rare().cells(5000)
MANY = of_eta(ETA, MEASURE.weights)


@pytest.mark.parametrize("t", [0.0, 0.2, 0.25, 0.250001, 0.5, 0.75, 1.0])
def test_steps_are_drawn_as_steps(t):
    line = curve_over_t("new", "new points", "few", "#6A3D9A", (), FEW)
    assert line.x[0] == 0
    assert line.x[-1] == 1
    assert (np.diff(line.x) >= 0).all()

    height = line.y[np.searchsorted(line.x, t)]
    assert height == pytest.approx(float(FEW.at(t).f1), abs=1e-6)


def test_bounds_are_around_the_curve_of_the_bayes_rule_and_those_of_entries_narrower():
    problem = one_against_rest(waves(), 0)
    cells, eta = problem.cells(20_000)
    on_eta = of_eta(eta, cells.weights)
    bounds = Bounds(0.001, 10**10, *sorted_eta(problem))
    (box, corollary), _ = f1_bounds(bounds, on_eta)

    f1 = on_eta.at(STEPS).f1
    assert (box.lower <= f1 + 1e-6).all()
    assert (f1 <= box.upper + 1e-6).all()

    low, high = corollary.y.reshape(2, -1)[:, :-1]
    known = np.isfinite(low)
    assert known.any()
    assert (low <= box.lower)[known].all()
    assert (box.upper <= high)[known].all()
