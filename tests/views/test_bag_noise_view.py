"""Curves over the noise of bags: where bands and marks stand."""

import numpy as np
import pytest

from knnviz.labs import bag_noise as view
from knnviz.labs.bag_noise import NOISES


def test_bands_reach_two_standard_errors():
    errors = np.tile([[0.29], [0.31]], len(NOISES))
    for errors_of, half in ((errors, 0.02), (errors[:1], 0)):
        (band,) = view.bands({view.VOTE: errors_of}, {view.VOTE: errors_of.mean(axis=0)})
        assert band.upper - band.lower == pytest.approx(2 * half, abs=1e-6)


@pytest.mark.parametrize(("highest", "top"), [(0.0, 0.25), (0.25, 0.25), (0.26, 0.5), (0.7, 0.75), (1.0, 1.0)])
def test_the_axis_of_errors_ends_on_a_step(highest, top):
    assert view.error_axes({view.VOTE: np.array([0.0, highest])}).ylim[1] == top


def test_marks_stand_at_their_noise():
    line, points = view.at_noise(0.2, 0.5, {view.VOTE: np.array([0, 0, 0.3]), view.BEST: np.array([0, 0, 0.1])})
    assert line.x == pytest.approx([0.2, 0.2])
    assert points.y == pytest.approx([0.3, 0.1])
    assert [points.palette[code] for code in points.codes] == [
        view.STYLES[name].color for name in (view.VOTE, view.BEST)
    ]
