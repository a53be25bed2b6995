"""The weights of three classes: sliders that stay on the simplex, and a handle on a triangle."""

from collections.abc import Mapping
from typing import Any

from knnviz.labs.engine.lab import Lab
from knnviz.labs.engine.parameters import Float
from knnviz.labs.engine.stages import stage
from knnviz.labs.parts.class_weights import PARTS, ROUNDING, WEIGHTS, share
from knnviz.views import triangle as triangle_view
from knnviz.views.layers import Layer
from knnviz.weights import nearest


class SimplexLab(Lab):
    """Class weights q0, q1 and q2 that sum to 1: moving one moves the others, which keep their ratio if they have one.

    Where both are 0 they have none, and share what is left.
    """

    q0 = Float(0.5, min=0, max=1).tag(
        label="weight of class 0", symbol="q0", group="Class weights", tip="Moving one weight moves the others"
    )
    q1 = Float(0.3, min=0, max=1).tag(
        label="weight of class 1", symbol="q1", tip="Its votes count q1: only the ratios of the weights matter"
    )
    q2 = Float(0.2, min=0, max=1).tag(label="weight of class 2", symbol="q2", tip="The weights always sum to 1")

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """The weights that are not given share what is left of 1 in their ratio."""
        notes = super().coerce(values, given)
        moved = [name for name in WEIGHTS if name in given]
        if 0 < len(moved) < len(WEIGHTS):
            share(values, WEIGHTS, moved)
        return notes

    def validate(self, values: Mapping[str, Any]) -> None:
        """Weights sum to 1; besides what the lab beneath asks for."""
        super().validate(values)
        total = sum(values[name] for name in WEIGHTS)
        if abs(total - 1) > ROUNDING:
            raise ValueError(f"class weights must sum to 1, got {total:g}")

    def _take(self, moved: Mapping[str, Any]) -> None:
        """A hand moves a weight in hundredths, also from one that is none."""
        held = [name for name in WEIGHTS if name in moved]
        super()._take({**moved, held[0]: round(moved[held[0]] * PARTS) / PARTS} if len(held) == 1 else moved)

    @property
    def parts(self) -> int:
        """Of how many parts of 1 the weights are that a place on the triangle is taken for."""
        return PARTS

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """A place on the triangle, or the nearest on it, is weights in whole parts."""
        if panel != "triangle":
            return super().pick(panel, x, y, mark, index)
        return dict(zip(WEIGHTS, nearest(triangle_view.weights_at(x, y), self.parts).tolist(), strict=True))

    @stage
    def q(self) -> tuple[float, ...]:
        """Class weights on the simplex."""
        return self.q0, self.q1, self.q2

    @property
    def class_names(self) -> tuple[str, ...]:
        """What the classes are called."""
        raise NotImplementedError

    @stage
    def triangle_layers(self) -> tuple[Layer, ...]:
        """The triangle and its corners."""
        return triangle_view.net(), triangle_view.sides(), *triangle_view.corners(self.class_names)

    @stage
    def weight_layer(self) -> Layer:
        """The weights in use."""
        return triangle_view.handle(self.q, self.class_names)
