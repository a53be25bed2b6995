"""Class-conditional label noise of two classes: a label flips with a probability that depends on
its class.
"""

from collections.abc import Mapping
from typing import Any

from knnviz.labs.engine import DECIMALS, Float, Range
from knnviz.labs.parts.sources import named

#: The sum of two flip rates is at most 1 minus this.
RATE_STEP = 0.01

P0 = Float(
    "p0", 0.0, 0, 0.95, "flip rate of class 0 *p0*", "Probability that a label of class 0 flips"
)
P1 = Float(
    "p1", 0.0, 0, 0.95, "flip rate of class 1 *p1*", "Probability that a label of class 1 flips"
)
PARAMETERS = ("Label noise", P0, P1)


def ranges(values: Mapping[str, Any]) -> dict[str, Any]:
    """The sum of both flip rates is below 1; with more than two classes both are 0."""
    if named(values["problem"]).n_classes > 2:
        return dict.fromkeys(("p0", "p1"), Range((0.0, 0.0), "label noise needs two classes"))
    return sum_below_1(values)


def sum_below_1(values: Mapping[str, Any]) -> dict[str, Any]:
    """Ranges of two flip rates whose sum is below 1."""
    return {"p0": beside(values["p1"]), "p1": beside(values["p0"])}


def beside(rate: float) -> Range:
    """A flip rate whose sum with another one is below 1."""
    largest = round(1 - rate - RATE_STEP, DECIMALS)
    return Range((0.0, min(0.95, largest)), "p0 + p1 must be below 1")
