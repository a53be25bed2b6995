"""The set of points that a map shows besides its decision regions, where it can be shown."""

from collections.abc import Mapping
from typing import Any

from knnviz.labs.engine.components import Component, Input
from knnviz.labs.parts.neighborhoods import Cells
from knnviz.labs.parts.sizes import FULL
from knnviz.labs.parts.sources import known
from knnviz.labs.parts.training_data import TrainingData
from knnviz.views.layers import Layer


class SetOnMap(Component):
    """A set of points, chosen by a parameter ``overlay``; one that cannot be shown is replaced by ``always``."""

    data: TrainingData = Input()
    cells: Cells = Input()

    #: The choice that can always be shown, and those that are computed in balls.
    overlay: str
    always: str
    in_balls: tuple[str, ...] = ()

    #: What takes the place of the decision regions, if anything.
    regions: Layer | None = None

    def refusal(self, values: Mapping[str, Any]) -> str | None:
        """Why the chosen set cannot be shown, if so."""
        raise NotImplementedError

    def replacement_note(self, values: Mapping[str, Any]) -> str:
        """The message where the chosen set is replaced."""
        return f"{known(values['problem']).name} shows {self.always}."

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        if "overlay" in given or self.refusal(values) is None:
            return []
        note, values["overlay"] = self.replacement_note(values), self.always
        return [note]

    def validate(self, values: Mapping[str, Any]) -> None:
        if refusal := self.refusal(values):
            raise ValueError(refusal)

    @property
    def is_preview(self) -> bool:
        return self.overlay in self.in_balls and self.cells.balls[0] < FULL[self.data.chosen_problem.dimension]
