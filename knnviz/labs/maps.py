"""The Map or the Line of a lab on a sample: regions, points, truth, the query point, each layer a stage of its own."""

from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.labs.engine.parameters import within
from knnviz.labs.engine.stages import stage
from knnviz.labs.ground import GroundLab, SampleLab
from knnviz.labs.parts.neighborhoods import START
from knnviz.labs.parts.sources import field, known
from knnviz.problems import Sample
from knnviz.views import line as line_view
from knnviz.views import map as map_view
from knnviz.views import votes as votes_view
from knnviz.views.layers import Layer

#: Cells a side on which the weighted Bayes boundary is traced at every step of a hand.
TRACED = 80


class MapLab(SampleLab):
    """The Map or the Line of a rule that a subclass gives: what it decides, and at what cut."""

    #: Where the panels stand, and how many points fit.
    sheet: Any

    #: Decisions at the cells, and the shares of class 1 at which they turn.
    labels: np.ndarray
    cuts: tuple[votes_view.Cut, ...]

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """A place on the map is the query point."""
        if panel != "map":
            return {}
        places = zip(START, (x, y), known(self.values["problem"]).box, strict=False)
        return {name: within(round(at, 3), side) for name, at, side in places}

    @stage
    def region_layer(self) -> Layer:
        """What the map is coloured by."""
        return self.view.regions(self.plane, self.labels)

    @stage
    def set_layers(self) -> tuple[Layer, ...]:
        """Sets over the regions."""
        return ()

    @property
    def view(self) -> Any:
        """The view of the problem's dimension."""
        return map_view if self.plane.dimension == 2 else line_view

    @stage
    def point_layer(self) -> Layer:
        """The points."""
        return self.view.points(self.plane, self.sample, self.observed, self.sheet.most_points)

    @stage
    def voter_layer(self) -> Layer:
        """The k nearest of x, all of them, though few of the other points may be drawn."""
        nearest = self.x_table.indices[0, : self.k]
        sample = Sample(self.sample.X[nearest], self.sample.y[nearest], None, self.sample.v[nearest])
        drawn = self.view.points(self.plane, sample, self.observed[nearest])
        return replace(drawn, name="voters", labels=(), ring_label=None)

    @stage
    def truth_layers(self) -> tuple[Layer, ...]:
        """The Bayes boundary on the plane, eta on the line."""
        if self.plane.dimension == 2:
            return (self.truth.boundary,)
        return tuple(line_view.eta_curves(self.field.grid.points[:, 0], self.field.eta))

    @stage
    def cut_layers(self) -> tuple[Layer, ...]:
        """The cut between two classes on the line."""
        if self.plane.dimension == 2:
            return ()
        # The vote curve names several cuts, so that the line need not.
        cuts = [cut if len(self.cuts) == 1 else cut._replace(label=None) for cut in self.cuts]
        return tuple(votes_view.threshold(cut, self.plane.box[0]) for cut in cuts)

    @stage
    def share_layers(self) -> tuple[Layer, ...]:
        """The votes' shares on the line."""
        if self.plane.dimension == 2:
            return ()
        shares = self.cell_votes.at(self.k) / self.k
        return tuple(line_view.vote_curves(self.field.grid.points[:, 0], shares))

    @stage
    def query_layers(self) -> tuple[Layer, ...]:
        """The query point, and the ball around it that reaches its k-th neighbor."""
        radius = self.x_table.distances[0, self.k - 1]
        place = self.x if self.plane.dimension == 2 else self.x[0]
        return self.view.ball(place, radius), self.query_layer

    @stage
    def query_layer(self) -> Layer:
        """The query point."""
        return self.view.query(self.x if self.plane.dimension == 2 else self.x[0])


class WeightedMapLab(MapLab, GroundLab):
    """The Map or the Line of a rule with class weights q, on labels without noise."""

    #: Class weights (C,), not negative and not all 0.
    q: tuple[float, ...]

    @stage
    def point_layer(self) -> Layer:
        """The points; no label of theirs is flipped."""
        return replace(super().point_layer, ring_label=None)

    @stage
    def levels(self) -> map_view.Levels | None:
        """eta on the plane, ready for the Bayes boundary of any weights; None where it is unknown."""
        eta = field(self.problem, TRACED).eta
        return None if eta is None else map_view.Levels.of(self.plane, TRACED, eta)

    @stage
    def truth_layers(self) -> tuple[Layer, ...]:
        """The weighted Bayes boundary on the plane, eta on the line."""
        if self.plane.dimension == 1:
            return super().truth_layers
        return () if self.levels is None else (self.levels.boundary(self.q),)
