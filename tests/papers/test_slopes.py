"""Disagreements over n beside promised powers, tested on their layers."""

import numpy as np
import pytest

from knnviz_papers.rittler.slopes import picture

HEIGHTS = {"passive": 0.4 / 4.0 ** np.arange(3), "active": 0.2 / 4.0 ** np.arange(3)}
ROWS = [
    {"problem": "one", "constant": 1.0, "rule": rule, "n": n, "passive": high, "strict": high / 2}
    | {"passive_se": high / 10, "strict_se": high / 4}
    for rule, heights in HEIGHTS.items()
    for n, high in zip((1000, 10_000, 100_000), heights, strict=True)
]
PROMISED = {"passive": (0.25, 0.4), "active": (0.5, 0.1)}


def test_curves_their_errors_and_promised_powers():
    slopes = [
        {"problem": "one", "rule": rule, "promised": power} for rule, (power, _) in PROMISED.items()
    ]
    layers = {layer.name: layer for layer in picture(ROWS, slopes).panels[0].layers}
    for rule, heights in HEIGHTS.items():
        for learner, part, error in (("passive", 1, 0.1), ("strict", 0.5, 0.25)):
            line = layers[f"{learner}_{rule}"]
            band = layers[f"{learner}_{rule}_band"]
            means = part * heights
            assert 10**line.y == pytest.approx(means, rel=1e-5)
            assert 10**band.upper == pytest.approx(means * (1 + 2 * error / part), rel=1e-5)
            assert 10**band.lower == pytest.approx(means * max(1 - 2 * error / part, 0.1), rel=1e-5)
        power, first = PROMISED[rule]
        assert 10 ** layers[f"promised_{rule}"].y == pytest.approx(
            first * 10 ** (-power * np.arange(3)), rel=1e-5
        )
