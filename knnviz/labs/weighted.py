"""What labs on weighted neighbors among three classes share: who decides what, and where both rules are pictured."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from knnviz.labs.engine.parameters import Choice, Int
from knnviz.labs.engine.stages import stage
from knnviz.labs.maps import WeightedMapLab
from knnviz.labs.parts.sizes import MOST_NEIGHBORS
from knnviz.labs.parts.sources import THREE_CLASSES, Field, field, known
from knnviz.labs.sheets import SheetLab
from knnviz.labs.simplex import SimplexLab
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile
from knnviz.rules import Weighted
from knnviz.views import line as line_view
from knnviz.views import triangle as triangle_view
from knnviz.views.layers import Layer

#: Cells on the line over which is integrated: more than are drawn, since few neighbors decide in narrow stretches.
FINE = 4000


class WeightedLab(SimplexLab, SheetLab, WeightedMapLab):
    """The weighted vote of k neighbors beside the weighted Bayes rule."""

    cuts = ()

    problem = Choice("waves", THREE_CLASSES).tag(label="problem", group="Data", tip="Where the points come from")
    n = Int(1000, min=50, max=8000, step=50).tag(label="sample size", symbol="n", tip="Number of training points")
    k = Int(50, min=1, max=MOST_NEIGHBORS).tag(
        label="neighbors", symbol="k", group="Rule", tip="Number of neighbors that vote"
    )

    def validate(self, values: Mapping[str, Any]) -> None:
        """Three classes; besides what ground and weights ask for."""
        source = known(values["problem"])
        if source.n_classes != 3:
            raise ValueError(f"a triangle of weights needs three classes, but {source.name} has {source.n_classes}")
        super().validate(values)

    @property
    def class_names(self) -> tuple[str, ...]:
        """What the classes are called."""
        return self.plane.class_names

    @stage
    def scale(self) -> np.ndarray:
        """What shares are multiplied by in pictures (3,): the weights, the largest taken as 1."""
        return np.array(self.q) / max(self.q)

    @stage
    def rule(self) -> Weighted:
        """The weighted vote."""
        return Weighted(self.q)

    @stage
    def labels(self) -> np.ndarray:
        """Decisions at the cells."""
        return self.rule.predict(self.cell_votes, self.k)

    @stage
    def best(self) -> np.ndarray | None:
        """Decisions of the weighted Bayes rule at the cells; None where it is unknown."""
        if self.field.eta is None:
            return None
        return self.rule.decide(self.field.eta)

    @stage
    def disagreeing(self) -> np.ndarray | None:
        """Cells at which both rules decide differently."""
        return None if self.best is None else self.labels != self.best

    @stage
    def shares(self) -> np.ndarray:
        """Shares of the votes at the cells."""
        return self.cell_votes.at(self.k) / self.k

    @stage
    def population(self) -> Field:
        """The cells over which is integrated: on the plane those of the map."""
        return field(self.problem, FINE) if self.plane.dimension == 1 else self.field

    @stage
    def population_votes(self) -> VoteProfile:
        """Votes around these cells."""
        if self.plane.dimension == 2:
            return self.cell_votes
        table = NeighborTable.build(self.places, self.population.grid.points, self.k_max)
        return VoteProfile.count(table, self.observed, 3)

    @stage
    def population_shares(self) -> np.ndarray:
        """Shares of the votes at these cells."""
        return self.population_votes.at(self.k) / self.k

    @stage
    def disagreement(self) -> float:
        """How often both rules decide differently."""
        cells = self.population
        if self.plane.dimension == 2:
            return float(cells.measure.weights[self.disagreeing].sum())
        apart = self.rule.predict(self.population_votes, self.k) != self.rule.decide(cells.eta)
        return float(cells.measure.weights[apart].sum())

    @stage
    def prior(self) -> np.ndarray:
        """Probabilities of the classes; their shares of the sample where these are unknown."""
        if self.field.eta is None:
            return np.bincount(self.sample.y, minlength=3) / self.n
        return self.field.measure.weights @ self.field.eta

    @stage
    def truth_layers(self) -> tuple[Layer, ...]:
        """The weighted Bayes boundary on the plane, weighted eta on the line."""
        if self.plane.dimension == 2:
            return super().truth_layers
        return tuple(line_view.eta_curves(self.field.grid.points[:, 0], self.field.eta * self.scale, "q eta"))

    @stage
    def share_layers(self) -> tuple[Layer, ...]:
        """The weighted shares of the votes on the line."""
        if self.plane.dimension == 2:
            return ()
        return tuple(line_view.vote_curves(self.field.grid.points[:, 0], self.shares * self.scale, "q share"))

    @stage
    def triangle_layers(self) -> tuple[Layer, ...]:
        """The triangle, its corners, the weights in use, and on them equal ones and those that undo the prior."""
        return *super().triangle_layers, self.weight_layer, self.landmark_layer

    @stage
    def landmark_layer(self) -> Layer:
        """Equal weights, and those that make up for the classes' probabilities."""
        return triangle_view.landmarks(self.prior)
