"""The Vote curve of a lab on a sample, beside its Map or Line: each layer a stage of its own."""

from typing import Any

from knnviz.labs.engine.stages import stage
from knnviz.labs.ground import GroundLab
from knnviz.labs.maps import MapLab
from knnviz.views import votes as votes_view
from knnviz.views.layers import Layer


class VoteLab(MapLab, GroundLab):
    """Map or Line of a rule that a subclass gives, and the votes by which it decides at the query point."""

    #: The decision at the query point, by name.
    decision: str

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """A place on the vote curve is a number of neighbors."""
        return self.nearest_step("k", x) if panel == "votes" else super().pick(panel, x, y, mark, index)

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
