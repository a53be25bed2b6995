"""What labs on weighted neighbors among three classes share: who decides what, what is right, and its pictures."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz import metrics
from knnviz.labs.ground import MOST_NEIGHBORS
from knnviz.labs.maps import WeightedMapLab
from knnviz.labs.parameters import Choice, Int
from knnviz.labs.sheets import SheetLab
from knnviz.labs.simplex import SimplexLab
from knnviz.labs.sources import THREE_CLASSES, Field, field, known
from knnviz.labs.stages import stage
from knnviz.labs.votes import VoteLab
from knnviz.metrics import Confusion
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile
from knnviz.rules import Weighted
from knnviz.views import entries as entry_view
from knnviz.views import line as line_view
from knnviz.views import triangle as triangle_view
from knnviz.views import votes as votes_view
from knnviz.views.layers import Layer

#: Where decisions are counted: on new points, or on the training points, each of which is its own neighbor.
COUNTED = ("new points", "training points")

#: Who is positive on a tie.
TIES = ("argmax", "geq")

#: Cells on the line over which is integrated: more than are drawn, since few neighbors decide in narrow stretches.
FINE = 4000


class WeightedLab(SimplexLab, SheetLab, WeightedMapLab, VoteLab):
    """The weighted vote of k neighbors beside the weighted Bayes rule, and the confusion entries of both."""

    cuts = ()

    problem = Choice("waves", THREE_CLASSES).tag(label="problem", group="Data", tip="Where the points come from")
    n = Int(1000, min=50, max=8000, step=50).tag(label="sample size", symbol="n", tip="Number of training points")
    k = Int(50, min=1, max=MOST_NEIGHBORS).tag(
        label="neighbors", symbol="k", group="Rule", tip="Number of neighbors that vote"
    )
    counted = Choice(COUNTED[0], COUNTED).tag(
        label="counted on", group="Entries and scores", tip="Training points are their own first neighbors"
    )
    ties = Choice(TIES[0], TIES).tag(
        label="ties", tip="Who is positive on a tie: the smallest class alone, or every tied class"
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
    def decision(self) -> str:
        """Decision at the query point, by name."""
        return self.class_names[self.rule.predict(self.x_votes, self.k)[0]]

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
    def training_shares(self) -> np.ndarray:
        """Shares of the votes at the training points."""
        return self.training_votes.at(self.k) / self.k

    @stage
    def sample_entries(self) -> Confusion:
        """What the vote gets right on the training points."""
        return metrics.confusion_hat(self.training_shares, self.observed, self.q, rule=self.ties)

    @stage
    def decided(self) -> Confusion:
        """What the vote gets right on new points, ties given to the smallest class: an integral, or a count."""
        return self._on_new_points(TIES[0])

    @stage
    def new_entries(self) -> Confusion:
        """The same with ties as they are on show."""
        return self.decided if self.ties == TIES[0] else self._on_new_points(self.ties)

    def _on_new_points(self, rule: str) -> Confusion:
        if self.field.eta is None:
            return metrics.confusion(self.test_votes.at(self.k) / self.k, self.source.y_test, self.q, rule=rule)
        weights, eta = self.population.measure.weights, self.population.eta
        return metrics.confusion_fitted(self.population_shares, eta, self.q, weights=weights, rule=rule)

    @stage
    def bayes_decided(self) -> Confusion | None:
        """What the weighted Bayes rule gets right, ties given to the smallest class; None where it is unknown."""
        return self._of_bayes(TIES[0])

    @stage
    def bayes_entries(self) -> Confusion | None:
        """The same with ties as they are on show."""
        return self.bayes_decided if self.ties == TIES[0] else self._of_bayes(self.ties)

    def _of_bayes(self, rule: str) -> Confusion | None:
        if self.field.eta is None:
            return None
        cells = self.population
        return metrics.confusion_bayes(cells.eta, self.q, weights=cells.measure.weights, rule=rule)

    @stage
    def entries(self) -> Confusion:
        """The entries on show."""
        return self.new_entries if self.counted == COUNTED[0] else self.sample_entries

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
    def curve_layers(self) -> tuple[Layer, ...]:
        """The weighted vote curve."""
        steps = np.arange(1, self.k_max + 1)
        shares = self.x_votes.counts[0] / steps[:, None] * self.scale
        return tuple(votes_view.curve_at(steps, shares[:, c], c, None) for c in range(3))

    @stage
    def population_layers(self) -> tuple[Layer, ...]:
        """What the weighted vote curve would be in the true distribution."""
        if self.plane.eta is None:
            return ()
        shares = self.x_ball.frequency[:, :, 0].astype(float) * self.scale
        return tuple(replace(line, label=None) for line in votes_view.population(self.x_ball.masses, shares, self.n))

    @stage
    def triangle_layers(self) -> tuple[Layer, ...]:
        """The triangle, its corners, the weights in use, and on them equal ones and those that undo the prior."""
        return *super().triangle_layers, self.weight_layer, self.landmark_layer

    @stage
    def landmark_layer(self) -> Layer:
        """Equal weights, and those that make up for the classes' probabilities."""
        return triangle_view.landmarks(self.prior)

    @stage
    def entry_layers(self) -> tuple[Layer, ...]:
        """Bars of the entries on show, and the Bayes rule's as ticks."""
        bayes = self.bayes_entries
        bars = (entry_view.bars(self.entries),)
        return bars if bayes is None else (*bars, entry_view.ticks(bayes, "Bayes rule"))

    @stage
    def score_layers(self) -> tuple[Layer, ...]:
        """Bars of the scores on show, and the Bayes rule's as ticks."""
        bayes = self.bayes_entries
        bars = (entry_view.scores(self.entries),)
        return bars if bayes is None else (*bars, entry_view.score_ticks(bayes))
