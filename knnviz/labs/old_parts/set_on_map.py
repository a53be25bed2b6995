"""A set of points on a map, besides the decision regions."""

from collections.abc import Mapping, Sequence
from typing import Any

from knnviz.labs.old_engine import Component, Input
from knnviz.labs.old_parts.neighborhoods import Cells
from knnviz.labs.old_parts.sizes import MAP_CELLS
from knnviz.labs.old_parts.sources import problem_named
from knnviz.labs.old_parts.training_data import TrainingData
from knnviz.views.layers import Layer


class SetOnMap(Component):
    """A set of points, chosen by the parameter ``overlay``; where it cannot be shown, ``fallback_set`` replaces it."""

    data: TrainingData = Input()
    cells: Cells = Input()

    #: The name of the chosen set, a parameter of subclasses.
    overlay: str

    #: The name of a set that can be shown on any data.
    fallback_set: str

    #: Names of the sets that are computed from the balls around the cells.
    ball_sets: tuple[str, ...] = ()

    #: Layers above the decision regions.
    layers: Sequence[Layer]

    #: A layer that replaces the decision regions, if the set has one.
    regions: Layer | None = None

    def refusal(self, values: Mapping[str, Any]) -> str | None:
        """The reason why the chosen set cannot be shown; None if it can."""
        raise NotImplementedError

    def replacement_note(self, values: Mapping[str, Any]) -> str:
        """The message if the chosen set is replaced."""
        return f"{problem_named(values['problem']).name} shows {self.fallback_set}."

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        if "overlay" in changes or self.refusal(values) is None:
            return []
        note, values["overlay"] = self.replacement_note(values), self.fallback_set
        return [note]

    def validate(self, values: Mapping[str, Any]) -> None:
        if refusal := self.refusal(values):
            raise ValueError(refusal)

    @property
    def is_preview(self) -> bool:
        return self.overlay in self.ball_sets and self.cells.balls[0] < MAP_CELLS[self.data.chosen_problem.dimension]
