"""Map or Line, and Vote curve, of a rule on a sample: each layer a stage of its own."""

from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.corruption import LabelNoise
from knnviz.labs.ground import START, GroundLab, within
from knnviz.labs.sheets import SheetLab
from knnviz.labs.sources import known
from knnviz.labs.stages import stage
from knnviz.problems import Sample
from knnviz.views import line as line_view
from knnviz.views import map as map_view
from knnviz.views import votes as votes_view
from knnviz.views.layers import Layer


class MapLab(SheetLab, GroundLab):
    """Two linked views of a rule that a subclass gives: what it decides, and by which votes."""

    #: Decisions at the cells, at the query point by name, and the shares of class 1 at which they turn.
    labels: np.ndarray
    decision: str
    cuts: tuple[votes_view.Cut, ...]

    #: eta of noisy labels at the cells.
    noisy: np.ndarray

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """A place on the map is the query point, one on the vote curve a number of neighbors."""
        if panel == "map":
            places = zip(START, (x, y), known(self.values["problem"]).box, strict=False)
            return {name: within(round(at, 3), side) for name, at, side in places}
        return self._at_step("k", x) if panel == "votes" else {}

    def _at_step(self, name: str, x: float) -> dict[str, Any]:
        """The step of a number's control that is nearest to a place on its axis, within what is allowed."""
        step = self.parameters()[name].step
        return {name: int(within(step * round(x / step), self.allowed(name, self.values)))}

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
    def noisy_layers(self) -> tuple[Layer, ...]:
        """eta of noisy labels on the line, if there is noise."""
        if self.plane.dimension == 2 or self.noise == LabelNoise():
            return ()
        return tuple(line_view.noisy_curves(self.field.grid.points[:, 0], self.noisy))

    @stage
    def share_layers(self) -> tuple[Layer, ...]:
        """The votes' shares on the line, and the cut between two classes."""
        if self.plane.dimension == 2:
            return ()
        # The vote curve names several cuts, so that the line need not.
        cuts = [cut if len(self.cuts) == 1 else cut._replace(label=None) for cut in self.cuts]
        cuts = [votes_view.threshold(cut, self.plane.box[0]) for cut in cuts]
        shares = self.cell_votes.at(self.k) / self.k
        return *cuts, *line_view.vote_curves(self.field.grid.points[:, 0], shares)

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

    @stage
    def population_layers(self) -> tuple[Layer, ...]:
        """What the vote curve would be in the true distribution."""
        if self.plane.eta is None:
            return ()
        shares = self.x_ball.frequency[:, :, 0].astype(float)
        shares = self.noise.corrupt(shares) if self.plane.n_classes == 2 else shares
        return tuple(votes_view.population(self.x_ball.masses, shares, self.n))

    @stage
    def curve_layers(self) -> tuple[Layer, ...]:
        """The vote curve, and the cut through it."""
        counts = self.x_votes.counts[0]
        curves = votes_view.curves(counts, self.plane.class_names)
        return *curves, *(votes_view.threshold(cut, (0, self.k_limit + 1)) for cut in self.cuts)

    @stage
    def k_limit(self) -> int:
        """Where the axes of k end."""
        return self.parameters()["k"].max

    @stage
    def reading_layers(self) -> tuple[Layer, ...]:
        """The line at k and what it reads."""
        counts, setting = self.x_votes.counts[0], self.sheet.reading
        reading = votes_view.reading(counts, self.k, self.decision, self.k_limit, setting, self.cuts)
        return votes_view.at_k(self.k), reading
