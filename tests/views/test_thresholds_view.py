"""F1 over t, tested on its layer."""

import numpy as np
import pytest

from knnviz.labs.thresholds import curve_over_t
from knnviz.weights import Thresholds

FEW = Thresholds.from_votes(np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 2, 2]), 4)


@pytest.mark.parametrize("t", [0.0, 0.2, 0.25, 0.250001, 0.5, 0.75, 1.0])
def test_steps_are_drawn_as_steps(t):
    line = curve_over_t("new", "new points", "few", "#6A3D9A", (), FEW)
    assert line.x[0] == 0
    assert line.x[-1] == 1
    assert (np.diff(line.x) >= 0).all()

    height = line.y[np.searchsorted(line.x, t)]
    assert height == pytest.approx(float(FEW.at(t).f1), abs=1e-6)
