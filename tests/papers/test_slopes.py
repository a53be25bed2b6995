"""Disagreements over n beside promised powers, tested on their layers."""

import numpy as np
import pytest
from refusals import refuses

from knnviz.views.layers import Band, Lines
from knnviz_papers.rittler import slopes
from knnviz_papers.rittler.slopes import plot_slopes

SIZES = (1000, 10_000, 100_000)


def rows(problem, constant=1.0):
    return [
        {"problem": problem, "constant": constant, "rule": rule, "n": n, "passive": high, "strict": high / 2}
        | {"passive_se": high / 10, "strict_se": high / 4}
        for rule, height in (("passive", 0.4), ("active", 0.2))
        for n, high in zip(SIZES, height / 4.0 ** np.arange(3), strict=True)
    ]


ROWS = rows("one") + rows("two")
PROMISED = {"passive": 0.25, "active": 0.5}
SLOPES = [{"problem": name, "rule": rule, "promised": PROMISED[rule]} for name in ("one", "two") for rule in PROMISED]


def test_a_panel_for_each_problem_holds_curves_bands_and_promises():
    picture = slopes.picture(ROWS, SLOPES)
    assert [panel.axes.title for panel in picture.panels] == ["one", "two"]
    assert [panel.axes.ylabel for panel in picture.panels] == ["disagreement", ""]
    layers = {layer.name: layer for layer in picture.panels[0].layers}
    for rule, height in (("passive", 0.4), ("active", 0.2)):
        for learner, part, error in (("passive", 1, 0.1), ("strict", 0.5, 0.25)):
            line, band = layers[f"{learner}_{rule}"], layers[f"{learner}_{rule}_band"]
            means = part * height / 4.0 ** np.arange(3)
            assert isinstance(line, Lines)
            assert isinstance(band, Band)
            assert line.x.tolist() == list(SIZES)
            assert 10**line.y == pytest.approx(means, rel=1e-5)
            assert 10**band.upper == pytest.approx(means * (1 + 2 * error / part), rel=1e-5)
            assert 10**band.lower == pytest.approx(means * max(1 - 2 * error / part, 0.1), rel=1e-5)
    assert 10 ** layers["promised_passive"].y == pytest.approx(0.4 * 10 ** (-0.25 * np.arange(3)), rel=1e-5)
    assert 10 ** layers["promised_active"].y == pytest.approx(0.1 * 10 ** (-0.5 * np.arange(3)), rel=1e-5)


def test_refusals():
    refuses("rows must have one constant, got none", plot_slopes, [], SLOPES)
    refuses("rows must have one constant, got 0.5, 1.0", plot_slopes, ROWS + rows("one", 0.5), SLOPES)
