"""The weights of three classes: sliders that stay on the simplex, and points of a triangle."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from knnviz.labs.engine.components import Component, Input
from knnviz.labs.engine.parameters import Float
from knnviz.labs.engine.stages import stage
from knnviz.views import triangle as triangle_view
from knnviz.weights import nearest

#: The weights by class, and the parts of 1 to which a hand moves them.
WEIGHTS = ("q0", "q1", "q2")
PARTS = 100

#: How far weights may be from the simplex by rounding.
ROUNDING = 1e-9


class ClassWeights(Component):
    """Class weights q0, q1 and q2 that sum to 1: moving one moves the others, which keep their ratio if they have one.

    Where both are 0 they share what is left evenly. ``parts`` is of how many parts of 1 the weights of a point are.
    """

    parts: int = Input(PARTS)

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

    def by_hand(self, moved: Mapping[str, Any]) -> Mapping[str, Any]:
        """A hand moves a weight in hundredths, also from one that is not on a hundredth."""
        return in_hundredths(moved, [name for name in WEIGHTS if name in moved])

    def at(self, x: float, y: float) -> dict[str, float]:
        """The weights nearest to a point of the triangle, in whole parts."""
        return dict(zip(WEIGHTS, nearest(triangle_view.weights_at(x, y).tolist(), self.parts).tolist(), strict=True))

    @stage
    def q(self) -> tuple[float, ...]:
        return self.q0, self.q1, self.q2


def in_hundredths(moved: Mapping[str, Any], parts: Sequence[str]) -> Mapping[str, Any]:
    """Moves of a hand; if it moves one of the ``parts`` of 1 alone, that one in hundredths."""
    return {**moved, parts[0]: round(moved[parts[0]] * PARTS) / PARTS} if len(parts) == 1 else moved


def check_sum(refusal: str, parts: Sequence[float]) -> None:
    """Raise ValueError, by a sentence with a place for the sum, unless the parts sum to 1."""
    total = sum(parts)
    if abs(total - 1) > ROUNDING:
        raise ValueError(refusal.format(total))


def share_rest(values: dict[str, Any], names: Sequence[str], moved: Sequence[str]) -> None:
    """Let those of the names that were not moved share what is left of 1 in their ratio, or evenly if they have none.

    Nothing happens where nothing is left, or less.
    """
    others = [name for name in names if name not in moved]
    left, before = 1 - sum(values[name] for name in moved), np.array([values[name] for name in others])
    if not -ROUNDING <= left <= 1 + ROUNDING:
        return
    fractions = before / before.sum() if before.sum() > 0 else np.full(len(others), 1 / len(others))
    values.update(zip(others, (max(left, 0.0) * fractions).round(12).tolist(), strict=True))
