"""What labs with several panels share: the sheet they stand on, and a new sample."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from knnviz.labs.engine.lab import Lab
from knnviz.labs.engine.stages import stage
from knnviz.views import map as map_view
from knnviz.views import votes as votes_view
from knnviz.views.layers import Axes, Panel, Picture, Place


@dataclass(frozen=True)
class Sheet:
    """Where the panels stand on a sheet, how legends and readings are set, and how many points fit.

    ``scale`` magnifies all of it; ``more`` are places of further panels by name.
    """

    size: tuple[int, int]
    map: Place | None = None
    votes: Place | None = None
    risk: Place | None = None
    side: Place | None = None
    more: Mapping[str, Place] = field(default_factory=dict)
    scale: float = 1.0
    legend: Mapping[str, float] = field(default_factory=dict)
    reading: votes_view.Setting = votes_view.ONE_LINE
    most_points: int = map_view.MOST_POINTS

    def framed(self, frames: Iterable[Axes]) -> tuple[Axes, ...]:
        """The frames with legends as they are on this sheet."""
        return tuple(replace(each, **self.legend) for each in frames)


class SheetLab(Lab):
    """A lab on samples by seed, with a picture of several panels on a sheet."""

    #: Where the panels stand on a screen and in a lecture hall.
    sheets: tuple[Sheet, Sheet]

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
    def sheet(self) -> Sheet:
        """Where the panels stand."""
        return self.sheets[self.projected]

    @stage
    def picture(self) -> Picture:
        """The panels, and what they show in words."""
        return Picture(self.panels, self.sheet.size, self.alt, self.sheet.scale)
