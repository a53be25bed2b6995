"""The keys of run sheet 00."""

import pytest

from knnviz.noise import LabelNoise


def test_flips_change_the_majority():
    for eta, p1, told in ((0.7, 0.4, 0.42), (0.6, 0.3, 0.42)):
        assert LabelNoise(p0=0.0, p1=p1).corrupt([[1 - eta, eta]])[0, 1] == pytest.approx(told)
