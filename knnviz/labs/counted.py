"""What a lab on weighted neighbors gets right: confusion entries and scores of the vote and of the Bayes rule."""

from dataclasses import replace

import numpy as np

from knnviz import metrics
from knnviz.labs.engine.parameters import Choice
from knnviz.labs.engine.stages import stage
from knnviz.labs.votes import VoteLab
from knnviz.labs.weighted import WeightedLab
from knnviz.metrics import Confusion
from knnviz.views import entries as entry_view
from knnviz.views import votes as votes_view
from knnviz.views.layers import Layer

#: Where decisions are counted: on new points, or on the training points, each of which is its own neighbor.
COUNTED = ("new points", "training points")

#: Who is positive on a tie.
TIES = ("argmax", "geq")


class EntriesLab(WeightedLab, VoteLab):
    """The weighted vote and the weighted Bayes rule with the confusion entries of both, and the votes around x."""

    counted = Choice(COUNTED[0], COUNTED).tag(
        label="counted on", group="Entries and scores", tip="Training points are their own first neighbors"
    )
    ties = Choice(TIES[0], TIES).tag(
        label="ties", tip="Who is positive on a tie: the smallest class alone, or every tied class"
    )

    @stage
    def decision(self) -> str:
        """Decision at the query point, by name."""
        return self.class_names[self.rule.predict(self.x_votes, self.k)[0]]

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
