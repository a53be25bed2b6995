"""The set of points that a map shows besides its decision regions, where it can be shown."""

from collections.abc import Mapping, Sequence
from typing import Any

from knnviz.labs.engine import Component, Input
from knnviz.labs.parts.neighborhoods import Cells
from knnviz.labs.parts.sizes import FULL
from knnviz.labs.parts.sources import problem_named
from knnviz.labs.parts.training_data import TrainingData
from knnviz.views.layers import Layer


class SetOnMap(Component):
    """A set of points, chosen by a parameter ``overlay``; one that cannot be shown is replaced by ``default_set``."""

    data: TrainingData = Input()
    cells: Cells = Input()

    #: The chosen set.
    overlay: str

    #: The set that can be shown on any data.
    default_set: str

    #: Sets that are computed from the balls around the cells.
    ball_sets: tuple[str, ...] = ()

    #: Layers above the decision regions, and one that replaces these, if there is one.
    layers: Sequence[Layer]
    regions: Layer | None = None

    def refusal(self, values: Mapping[str, Any]) -> str | None:
        """Why the chosen set cannot be shown, if so."""
        raise NotImplementedError

    def replacement_note(self, values: Mapping[str, Any]) -> str:
        """The message where the chosen set is replaced."""
        return f"{problem_named(values['problem']).name} shows {self.default_set}."

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        if "overlay" in given or self.refusal(values) is None:
            return []
        note, values["overlay"] = self.replacement_note(values), self.default_set
        return [note]

    def validate(self, values: Mapping[str, Any]) -> None:
        if refusal := self.refusal(values):
            raise ValueError(refusal)

    @property
    def is_preview(self) -> bool:
        return self.overlay in self.ball_sets and self.cells.balls[0] < FULL[self.data.chosen_problem.dimension]
