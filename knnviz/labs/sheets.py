"""What labs with several panels share: the sheet they stand on, and a new sample."""

from collections.abc import Callable
from typing import Any

from knnviz.labs.lab import Lab
from knnviz.labs.stages import stage
from knnviz.views.layers import Panel, Picture

Place = tuple[int, int, int, int]


class SheetLab(Lab):
    """A lab on samples by seed, with a picture of several panels on a sheet."""

    #: Where the panels stand on a screen and in a lecture hall: each has a ``size``, and a ``scale`` that magnifies it.
    sheets: tuple[Any, Any]

    #: What is drawn, and said of it.
    panels: tuple[Panel, ...]
    alt: str

    def actions(self) -> list[tuple[str, str, Callable[[], Any]]]:
        """Buttons: a new sample, and back to the start."""
        return [("New sample", "Draw the points again with the next seed", self.new_sample), *super().actions()]

    def new_sample(self) -> Any:
        """Draw another sample: the next seed."""
        return self.set(seed=self.seed + 1)

    @stage
    def sheet(self) -> Any:
        """Where the panels stand."""
        return self.sheets[self.projected]

    @stage
    def picture(self) -> Picture:
        """The panels, and what they show in words."""
        return Picture(self.panels, self.sheet.size, self.alt, self.sheet.scale)
