"""Values that a text names."""

import pytest

from knnviz.labs import ActiveLab, LearnabilityLab, NeighborLab, NoiseLab
from knnviz.labs.engine.named_values import named_values


@pytest.mark.parametrize(
    ("lab", "text", "expected"),
    [
        (NeighborLab, "- Drag $k$ to 3, 9, and 25, and wait. At $n=8,000$ it is low.", {"k": [3, 9, 25], "n": [8000]}),
        (NeighborLab, "Near $k=29$. There, 18 of 29 are benign. **risk**: 0.3 of 7.", {"k": [29, 18, 29]}),
        (NeighborLab, "Drag *neighbors k* to 1, then *neighbors* to 2, then *k* to 3.", {"k": [1, 2, 3]}),
        (
            NeighborLab,
            "Then halve $\\Delta$ to 0.1; with $p=50/500=0.1$, $2^{-0.5}$",
            {"margin": [0.1], "mass": [50, 500, 0.1]},
        ),
        (
            NoiseLab,
            "*flip rate of class\n1* to 0.4 and $p_0$ to 0; $k'$ to 100",
            {"p1": [0.4], "p0": [0], "k_noise": [100]},
        ),
        (
            ActiveLab,
            "Drag *band c0* down: at 0.25. At $c_0=0$ drag *first round* to 500.",
            {"c0": [0.25, 0], "n": [500]},
        ),
        (LearnabilityLab, "Drag *P(bag {0, 1} | y = 0)* to 0.9", {"probability_01_0": [0.9]}),
        (NeighborLab, "no number of $k$, and 5 of nothing named before", {"k": [5]}),
    ],
)
def test_numbers_belong_to_the_parameter_named_last(lab, text, expected):
    assert named_values(lab.parameters, text) == expected
