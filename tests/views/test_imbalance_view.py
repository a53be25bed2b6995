"""Classes of unequal size, tested on their layers."""

import numpy as np
import pytest

from knnviz.labs import imbalance


def test_best_is_the_first_of_several():
    level = np.full(101, 0.7)
    rising = np.linspace(0.2, 0.4, 101)
    peaked = 0.35 - abs(imbalance.A_VALUES - 0.5)
    scores = np.array([level, rising, peaked])
    *_, best = imbalance.score_curves(scores)
    assert best.x == pytest.approx([0, 1, 0.5])
    assert best.y == pytest.approx([0.7, 0.4, 0.35])
