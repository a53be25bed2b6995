"""What labs on searches for weights share: a score, a greedy walk that climbs it, a grid, and what both are worth."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.labs.engine.parameters import Choice, Float, Int
from knnviz.labs.engine.stages import stage
from knnviz.labs.parts.class_weights import WEIGHTS
from knnviz.labs.weighted import WeightedLab
from knnviz.metrics import Weighing
from knnviz.views.landscape import GRID
from knnviz.weights import Search, SearchOptions, Validated, validated, voters

#: Scores by their names on screen.
SCORINGS = {"macro F1": "f1_macro", "micro F1": "f1_micro", "balanced accuracy": "balanced_accuracy"}

#: Where candidates are scored.
VALIDATIONS = {"resubstitution": "resubstitution", "leave-one-out": "loo", "hold-out": "holdout"}

#: By which score weights are judged on new points.
JUDGED = ("macro F1", "micro F1")

#: Steps of the walk that are known, of which the first T are taken.
MOST_STEPS = 50


class SearchLab(WeightedLab):
    """A greedy walk and a grid that look for the weights of the highest score, and what these score on new points."""

    q0 = Float(0.3, min=0, max=1).tag(
        label="start, class 0", symbol="q0", group="Greedy walk", tip="Weight of class 0 where the walk begins"
    )
    q1 = Float(0.3, min=0, max=1).tag(
        label="start, class 1", symbol="q1", tip="Weight of class 1 there: moving one moves the others"
    )
    q2 = Float(0.4, min=0, max=1).tag(
        label="start, class 2", symbol="q2", tip="Weight of class 2 there: they always sum to 1"
    )
    step = Float(0.01, min=0.01, max=0.2).tag(
        label="step", symbol="gamma", tip="What a step adds to one weight, or takes from it"
    )
    n_steps = Int(20, min=0, max=MOST_STEPS).tag(label="steps", symbol="T", tip="How many steps are taken")
    accept = Choice(">=", (">=", ">")).tag(
        label="accept", tip="Whether a step to an equal score is taken, or to a higher one only"
    )
    base = Choice("previous", ("previous", "running")).tag(
        label="step from", tip="Where a step begins, or the best candidate so far in this step"
    )
    candidate_order = Choice("coordinate", ("coordinate", "sign")).tag(
        label="order", tip="Candidates class by class, up and down; or all up first. Among equal ones the last wins"
    )
    scoring = Choice("macro F1", SCORINGS).tag(
        label="searched",
        group="Score",
        tip="What the walk and the grid look for the highest of; micro F1 is the accuracy",
    )
    validation = Choice("resubstitution", VALIDATIONS).tag(
        label="counted on",
        tip="Training points, each its own neighbor or not; or the last quarter of them, by the others",
    )
    judged = Choice(JUDGED[0], JUDGED).tag(
        label="judged by", tip="Score on new points that is drawn beside it; micro F1 is the accuracy"
    )

    def feasible_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """As ``limits``, and k up to the points that may vote."""
        low, high = super().feasible_range(name, values)
        kind = VALIDATIONS[values["validation"]]
        if name == "k":
            return low, min(high, voters(values["n"], kind))
        while name == "n" and voters(low, kind) < values["k"]:
            low += 1
        return low, high

    def validate(self, values: Mapping[str, Any]) -> None:
        """k points may vote where candidates are scored; besides what every weighted vote asks for."""
        super().validate(values)
        most = voters(values["n"], VALIDATIONS[values["validation"]])
        if values["k"] > most:
            raise ValueError(
                f"neighbors k must not exceed the {most} of {values['n']} points that may vote "
                f"under {values['validation']}, got {values['k']}"
            )

    @stage
    def begin(self) -> tuple[float, ...]:
        """The weights with which the walk begins."""
        return tuple(getattr(self, name) for name in WEIGHTS)

    @stage
    def searches(self) -> SearchOptions:
        """How weights are searched for, in as many steps as are known."""
        return SearchOptions(
            self.begin,
            self.step,
            MOST_STEPS,
            self.candidate_order,
            self.accept,
            self.base,
            scoring=SCORINGS[self.scoring],
            validation=VALIDATIONS[self.validation],
        )

    @stage
    def candidates(self) -> Validated:
        """Where candidates are scored, with the votes there."""
        kind = VALIDATIONS[self.validation]
        most = min(self.k_max, voters(self.n, kind))
        return validated(self.sample.X, self.sample.y, 3, most, kind)

    @stage
    def searched(self) -> Weighing:
        """The score that is climbed."""
        codes, votes = self.candidates
        return Weighing.of(votes.at(self.k) / self.k, codes, scoring=SCORINGS[self.scoring])

    @stage
    def searched_scores(self) -> np.ndarray:
        """That score at the weights (5151,) of the triangle."""
        return self.searched(GRID)

    @stage
    def walk(self) -> Search:
        """The greedy walk, all of its steps."""
        return self.searches.climb(self.searched)

    @stage
    def grid_q(self) -> np.ndarray:
        """The grid's answer: the first of the best weights."""
        return GRID[self.searched_scores.argmax()]

    @stage
    def ways(self) -> dict[str, np.ndarray]:
        """Weights (3,) of each way."""
        return {"unweighted": np.full(3, 1 / 3), "greedy": self.walk.history[self.n_steps], "grid": self.grid_q}

    @stage
    def new(self) -> Weighing:
        """Macro F1 of the vote on new points: an integral, or a count on points held out."""
        if self.plane.eta is None:
            return Weighing.of(self.test_votes.at(self.k) / self.k, self.source.y_test)
        cells = self.population
        return Weighing.of(self.population_shares, cells.eta, weights=cells.measure.weights)

    def judging(self, name: str) -> Weighing:
        """Macro or micro F1 on new points."""
        return replace(self.new, scoring=SCORINGS[name])

    @stage
    def found(self) -> np.ndarray:
        """What each way scores (3, 3): searched, and macro and micro F1 on new points."""
        rows = np.array(list(self.ways.values()))
        return np.stack([self.searched(rows), *(self.judging(name)(rows) for name in JUDGED)], axis=1)

    @stage
    def judged_walk(self) -> np.ndarray:
        """The score on new points before the first step of the walk, and after each."""
        return self.judging(self.judged)(self.walk.history)

    @stage
    def moves(self) -> int:
        """How many of the steps that are taken raised the score."""
        return int((np.diff(self.walk.scores[: self.n_steps + 1]) > 0).sum())
