"""Weights of three classes that sum to 1: three sliders, and points of a triangle."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from knnviz.labs.engine import Component, Float, Input, stage
from knnviz.views import triangle as triangle_view
from knnviz.weights import to_simplex

#: Parameters: the weights by class.
WEIGHTS = ("q0", "q1", "q2")

#: Sliders and clicks round weights to multiples of 1 / GRID_STEPS.
GRID_STEPS = 100

#: How far the sum of weights may be from 1 by rounding.
ROUNDING = 1e-9


class ClassWeights(Component):
    """Class weights q0, q1 and q2 that sum to 1: moving one weight rescales the others.

    A click in the triangle rounds the weights to multiples of 1 / ``grid_steps``.
    """

    grid_steps: int = Input(GRID_STEPS)

    q0 = Float(0.5, min=0, max=1).tag(
        label="weight of class 0", symbol="q0", group="Class weights", tip="Moving one weight moves the others"
    )
    q1 = Float(0.3, min=0, max=1).tag(
        label="weight of class 1", symbol="q1", tip="Its votes count q1: only the ratios of the weights matter"
    )
    q2 = Float(0.2, min=0, max=1).tag(label="weight of class 2", symbol="q2", tip="The weights always sum to 1")

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        """If some weights change, rescale the others."""
        moved = [name for name in WEIGHTS if name in changes]
        if 0 < len(moved) < len(WEIGHTS):
            rescale_others(values, WEIGHTS, moved)
        return []

    def validate(self, values: Mapping[str, Any]) -> None:
        check_sum("class weights must sum to 1, got {:g}", [values[name] for name in WEIGHTS])

    def round_moved(self, moved: Mapping[str, Any]) -> Mapping[str, Any]:
        """Round a weight to hundredths: its slider starts from a rescaled weight, which may have more decimals."""
        return rounded_to_hundredths(moved, [name for name in WEIGHTS if name in moved])

    def at(self, x: float, y: float) -> dict[str, float]:
        """The weights on the grid that are nearest to a point of the triangle, by parameter."""
        q = to_simplex(triangle_view.weights_at(x, y).tolist(), self.grid_steps)
        return dict(zip(WEIGHTS, q.tolist(), strict=True))

    @stage
    def q(self) -> tuple[float, ...]:
        return self.q0, self.q1, self.q2


def rounded_to_hundredths(moved: Mapping[str, Any], names: Sequence[str]) -> Mapping[str, Any]:
    """Values of ``moved`` controls; the weight is rounded if ``names``, the weights among them, has only one."""
    return {**moved, names[0]: round(moved[names[0]] * GRID_STEPS) / GRID_STEPS} if len(names) == 1 else moved


def check_sum(sentence: str, numbers: Sequence[float]) -> None:
    """Raise ValueError unless numbers sum to 1; ``sentence`` is a format string for the sum."""
    total = sum(numbers)
    if abs(total - 1) > ROUNDING:
        raise ValueError(sentence.format(total))


def rescale_others(values: dict[str, Any], names: Sequence[str], moved: Sequence[str]) -> None:
    """Rescale those of the names that did not move so that all sum to 1: in their ratio, or evenly if all are 0.

    Nothing happens if their sum would not be between 0 and 1.
    """
    others = [name for name in names if name not in moved]
    remainder = 1 - sum(values[name] for name in moved)
    if not -ROUNDING <= remainder <= 1 + ROUNDING:
        return
    before = np.array([values[name] for name in others])
    fractions = before / before.sum() if before.sum() > 0 else np.full(len(others), 1 / len(others))
    values.update(zip(others, (max(remainder, 0.0) * fractions).round(12).tolist(), strict=True))
