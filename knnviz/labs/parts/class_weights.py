"""The weights of three classes: sliders that stay on the simplex, and points of a triangle."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from knnviz.labs.engine import Component, Float, Input, stage
from knnviz.views import triangle as triangle_view
from knnviz.weights import to_simplex

#: The weights by class, and the steps of the grid from 0 to 1 on which a slider or a click puts them.
WEIGHTS = ("q0", "q1", "q2")
GRID_STEPS = 100

#: How far weights may be from the simplex by rounding.
ROUNDING = 1e-9


class ClassWeights(Component):
    """Class weights q0, q1 and q2 that sum to 1: moving one moves the others, which keep their ratio if they have one.

    Where both are 0 they share what is left evenly. A click puts the weights on the grid of steps 1 / ``grid_steps``.
    """

    grid_steps: int = Input(GRID_STEPS)

    q0 = Float(0.5, min=0, max=1).tag(
        label="weight of class 0", symbol="q0", group="Class weights", tip="Moving one weight moves the others"
    )
    q1 = Float(0.3, min=0, max=1).tag(
        label="weight of class 1", symbol="q1", tip="Its votes count q1: only the ratios of the weights matter"
    )
    q2 = Float(0.2, min=0, max=1).tag(label="weight of class 2", symbol="q2", tip="The weights always sum to 1")

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """The weights that are not given share what is left of 1 in their ratio."""
        moved = [name for name in WEIGHTS if name in given]
        if 0 < len(moved) < len(WEIGHTS):
            share_rest(values, WEIGHTS, moved)
        return []

    def validate(self, values: Mapping[str, Any]) -> None:
        check_sum("class weights must sum to 1, got {:g}", [values[name] for name in WEIGHTS])

    def round_moved(self, moved: Mapping[str, Any]) -> Mapping[str, Any]:
        """A slider puts a weight on a hundredth, wherever it was before."""
        return in_hundredths(moved, [name for name in WEIGHTS if name in moved])

    def at(self, x: float, y: float) -> dict[str, float]:
        """The weights of the grid that are nearest to a point of the triangle."""
        return dict(
            zip(WEIGHTS, to_simplex(triangle_view.weights_at(x, y).tolist(), self.grid_steps).tolist(), strict=True)
        )

    @stage
    def q(self) -> tuple[float, ...]:
        return self.q0, self.q1, self.q2


def in_hundredths(moved: Mapping[str, Any], names: Sequence[str]) -> Mapping[str, Any]:
    """Values of moved controls; a weight that is moved alone is rounded. ``names`` are those of the moved weights."""
    return {**moved, names[0]: round(moved[names[0]] * GRID_STEPS) / GRID_STEPS} if len(names) == 1 else moved


def check_sum(sentence: str, numbers: Sequence[float]) -> None:
    """Raise ValueError, with a sentence that is formatted with the sum, unless the numbers sum to 1."""
    total = sum(numbers)
    if abs(total - 1) > ROUNDING:
        raise ValueError(sentence.format(total))


def share_rest(values: dict[str, Any], names: Sequence[str], moved: Sequence[str]) -> None:
    """Let those of the names that were not moved share what is left of 1 in their ratio, or evenly if they have none.

    Nothing happens if what is left is not between 0 and 1.
    """
    others = [name for name in names if name not in moved]
    left, before = 1 - sum(values[name] for name in moved), np.array([values[name] for name in others])
    if not -ROUNDING <= left <= 1 + ROUNDING:
        return
    fractions = before / before.sum() if before.sum() > 0 else np.full(len(others), 1 / len(others))
    values.update(zip(others, (max(left, 0.0) * fractions).round(12).tolist(), strict=True))
