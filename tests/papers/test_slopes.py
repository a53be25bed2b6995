"""Disagreements over n beside promised powers, tested on their layers."""

import numpy as np
import pytest

from knnviz_papers.rittler.slopes import picture

HEIGHTS = {"passive": 0.4 / 4.0 ** np.arange(3), "active": 0.2 / 4.0 ** np.arange(3)}
SIZES = (1000, 10_000, 100_000)


def row(rule, n, disagreement):
    return {
        "problem": "one",
        "constant": 1.0,
        "rule": rule,
        "n": n,
        "passive": disagreement,
        "passive_se": disagreement / 10,
        "strict": disagreement / 2,
        "strict_se": disagreement / 4,
    }


ROWS = [
    row(rule, n, height)
    for rule, heights in HEIGHTS.items()
    for n, height in zip(SIZES, heights, strict=True)
]
PROMISED = {"passive": (0.25, 0.4), "active": (0.5, 0.1)}


def test_curves_their_errors_and_promised_powers():
    slopes = []
    for rule, (power, _) in PROMISED.items():
        slopes.append({"problem": "one", "rule": rule, "promised": power})
    panel, *_ = picture(ROWS, slopes).panels
    layers = {layer.name: layer for layer in panel.layers}

    for rule, heights in HEIGHTS.items():
        for learner, part, error in (("passive", 1, 0.1), ("strict", 0.5, 0.25)):
            line = layers[f"{learner}_{rule}"]
            band = layers[f"{learner}_{rule}_band"]
            means = part * heights
            off = 2 * error / part
            assert 10**line.y == pytest.approx(means, rel=1e-5)
            assert 10**band.upper == pytest.approx(means * (1 + off), rel=1e-5)
            assert 10**band.lower == pytest.approx(means * max(1 - off, 0.1), rel=1e-5)

        power, first = PROMISED[rule]
        line = layers[f"promised_{rule}"]
        expected = first * 10 ** (-power * np.arange(3))
        assert 10**line.y == pytest.approx(expected, rel=1e-5)
