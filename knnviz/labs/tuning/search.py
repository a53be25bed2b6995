"""Searches for weights in TuningLab: a greedy walk and a grid that maximize a score, and their scores on new points."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.labs.old_engine import Choice, Component, Float, Input, Int, stage
from knnviz.labs.old_parts.neighborhoods import Votes
from knnviz.labs.old_parts.weighted_map import ThreeClassData, WeightedVotes
from knnviz.views.landscape import GRID
from knnviz.weights import (
    SearchOptions,
    SearchResult,
    Validation,
    ValidationSet,
    WeightScorer,
    largest_k,
    validation_set,
)

SCORINGS = {"macro F1": "f1_macro", "micro F1": "f1_micro", "balanced accuracy": "balanced_accuracy"}
VALIDATIONS: Mapping[str, Validation] = {
    "resubstitution": "resubstitution",
    "leave-one-out": "loo",
    "hold-out": "holdout",
}

#: Scores of weights on new points, by which they are judged.
JUDGED = ("macro F1", "micro F1")

#: Steps of the walk that are computed; the lab shows the first T.
MOST_STEPS = 50


class TuningData(ThreeClassData):
    """A sample in which at least k points can vote when weights are scored: hold-out leaves a quarter out."""

    def feasible_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """k up to the number of points that can vote, and n from the least with k of these."""
        limits, validation = self.limits(name, values), VALIDATIONS[values["validation"]]
        if name == "k":
            return limits[0], min(limits[1], largest_k(values["n"], validation))
        if name == "n":
            enough = (n for n in range(limits[0], limits[1]) if largest_k(n, validation) >= values["k"])
            return next(enough, limits[1]), limits[1]
        return limits


class Searches(Component):
    """A greedy walk and a grid, which search for the weights of the highest score."""

    data: TuningData = Input()
    start_q: tuple[float, ...] = Input()

    step = Float(0.01, min=0.01, max=0.2).tag(
        label="step", symbol="gamma", tip="What a step adds to one weight, or takes from it"
    )
    n_steps = Int(20, min=0, max=MOST_STEPS).tag(label="steps", symbol="T", tip="How many steps are taken")
    accept = Choice(">=", (">=", ">")).tag(
        label="accept", tip="Whether a step to an equal score is taken, or to a higher one only"
    )
    base = Choice("previous", ("previous", "running")).tag(
        label="step from", tip="Candidates vary the weights at the start of the step, or the best so far in it"
    )
    candidate_order = Choice("coordinate", ("coordinate", "sign")).tag(
        label="order", tip="Candidates class by class, up and down; or all up first. Among equal ones the last wins"
    )
    scoring = Choice("macro F1", SCORINGS).tag(
        label="searched", group="Score", tip="Score that the walk and the grid maximize; micro F1 is the accuracy"
    )

    validation = Choice("resubstitution", VALIDATIONS).tag(
        label="counted on",
        tip="Training points, each its own neighbor or not; or the last quarter of them, by the votes of the others",
    )

    def validate(self, values: Mapping[str, Any]) -> None:
        most = largest_k(values["n"], VALIDATIONS[values["validation"]])
        if values["k"] > most:
            raise ValueError(
                f"neighbors k must not exceed the {most} of {values['n']} points that may vote "
                f"under {values['validation']}, got {values['k']}"
            )

    @stage
    def options(self) -> SearchOptions:
        return SearchOptions(
            self.start_q,
            self.step,
            MOST_STEPS,
            self.candidate_order,
            self.accept,
            self.base,
            scoring=SCORINGS[self.scoring],
            validation=VALIDATIONS[self.validation],
        )

    @stage
    def scored_points(self) -> ValidationSet:
        """Classes of the points on which weights are scored, and the votes of their neighbors."""
        data, validation = self.data, VALIDATIONS[self.validation]
        return validation_set(
            data.sample.X, data.sample.y, 3, min(data.k_max, largest_k(data.n, validation)), validation
        )

    @stage
    def score(self) -> WeightScorer:
        """The searched score (J,) as a function of weights (J, 3)."""
        codes, votes = self.scored_points
        return WeightScorer.from_fractions(votes.at(self.data.k) / self.data.k, codes, scoring=SCORINGS[self.scoring])

    @stage
    def landscape_scores(self) -> np.ndarray:
        """The searched score (m,) of all weights of the grid."""
        return self.score(GRID)

    @stage
    def walk(self) -> SearchResult:
        return self.options.greedy_search(self.score)

    @stage
    def weights(self) -> dict[str, np.ndarray]:
        """Weights (3,) that each method finds; of equally good ones on the grid, the first."""
        grid = GRID[self.landscape_scores.argmax()]
        return {"unweighted": np.full(3, 1 / 3), "greedy": self.walk.history[self.n_steps], "grid": grid}

    @property
    def n_raised(self) -> int:
        """The number of steps that raised the score."""
        return int((np.diff(self.walk.scores[: self.n_steps + 1]) > 0).sum())


class NewPoints(Component):
    """Scores of weights on new points: integrals over the distribution, or those of data on points held out."""

    data: TuningData = Input()
    searches: Searches = Input()
    vote: WeightedVotes = Input()
    held_out: Votes = Input()

    judged = Choice(JUDGED[0], JUDGED).tag(
        label="judged by", tip="Score on new points that is drawn beside it; micro F1 is the accuracy"
    )

    @stage
    def macro_f1(self) -> WeightScorer:
        """The macro F1 (J,) on new points as a function of weights (J, 3)."""
        if self.data.chosen_problem.eta is None:
            return WeightScorer.from_fractions(
                self.held_out.profile.at(self.data.k) / self.data.k, self.data.source.y_test
            )
        cells = self.vote.new_points
        return WeightScorer.from_fractions(self.vote.new_fractions, cells.eta, weights=cells.measure.weights)

    def score(self, name: str) -> WeightScorer:
        return replace(self.macro_f1, scoring=SCORINGS[name])

    @stage
    def method_scores(self) -> np.ndarray:
        """Scores (3, 3) of each method: the searched one, and macro and micro F1 on new points."""
        rows = np.array(list(self.searches.weights.values()))
        return np.stack([self.searches.score(rows), *(self.score(name)(rows) for name in JUDGED)], axis=1)

    @stage
    def walk_scores(self) -> np.ndarray:
        """The score on new points before the walk and after each of its steps."""
        return np.asarray(self.score(self.judged)(self.searches.walk.history))

    @stage(compare_values=True)
    def grid_scores(self) -> tuple[float, float]:
        """The searched score of the grid's weights, and their score on new points."""
        return float(self.method_scores[2, 0]), float(self.method_scores[2, 1 + JUDGED.index(self.judged)])

    @property
    def where(self) -> str:
        return "points held out" if self.data.chosen_problem.eta is None else "new points"
