"""The threshold t of ThresholdLab, and entries over all t: of kNN on training and new points, and of the Bayes rule."""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from knnviz.labs.old_engine import Component, Float, Input, stage, within
from knnviz.labs.old_parts.neighborhoods import Cells, Votes
from knnviz.labs.old_parts.sources import problem_named
from knnviz.labs.old_parts.training_data import TrainingData
from knnviz.labs.thresholds.layers import T_COLOR, Evaluation
from knnviz.noise import decimal_fraction
from knnviz.rules import Threshold
from knnviz.views.vote_curve import ThresholdLine
from knnviz.weights import Entries, Thresholds

#: kNN on its own training points and on new ones, and the Bayes rule at the same threshold.
TRAINING = Evaluation("training", "kNN, training points", "#CC79A7", (2, 3))
NEW = Evaluation("new", "kNN, new points", "#6A3D9A")
HELD_OUT = Evaluation("held_out", "kNN, held-out points", "#6A3D9A")
BAYES = Evaluation("bayes", "Bayes rule", dash=(7, 4))

#: Decimals of t.
T_DECIMALS = 3


class ThresholdRule(Component):
    """Class 1 where its fraction of the votes reaches t; t is the weight of class 0, and 1 - t that of class 1."""

    t = Float(0.5, min=0, max=1, step=0.001, digits=3).tag(
        label="threshold", symbol="t", tip="Class 1 where its fraction of the votes reaches t"
    )
    q1 = Float(0.5, min=0, max=1, step=0.001, digits=3).tag(
        label="weight of class 1", symbol="q1", tip="Its votes count q1, those of class 0 count q0 = 1 - q1 = t"
    )

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        """Moving the threshold moves the weight, and the reverse: q0 = t and q1 = 1 - t."""
        follows, leads = ("t", "q1") if "q1" in changes and "t" not in changes else ("q1", "t")
        if follows not in changes:
            values[follows] = round(1 - values[leads], 12)
        return []

    def validate(self, values: Mapping[str, Any]) -> None:
        source = problem_named(values["problem"])
        if source.n_classes != 2:
            raise ValueError(f"a threshold decides between two classes, but {source.name} has {source.n_classes}")
        if abs(values["t"] + values["q1"] - 1) > 1e-9:
            raise ValueError(f"weight of class 1 q1 must be 1 - t, got t = {values['t']:g} and q1 = {values['q1']:g}")

    @property
    def q(self) -> tuple[float, float]:
        return self.t, self.q1

    @stage
    def rule(self) -> Threshold:
        return Threshold(decimal_fraction(self.t))

    @stage
    def thresholds(self) -> tuple[ThresholdLine, ...]:
        return (ThresholdLine(self.t, label="threshold t", color=T_COLOR),)


class Counts(Component):
    """Entries of each evaluation at every threshold, and at t."""

    data: TrainingData = Input()
    cells: Cells = Input()
    training: Votes = Input()
    held_out: Votes = Input()
    threshold: ThresholdRule = Input()
    k: int = Input()

    @stage
    def on_training(self) -> Thresholds:
        return Thresholds.from_votes(self.training.profile.at(self.k)[:, 1], self.k, self.data.labels)

    @stage
    def on_new(self) -> Thresholds:
        k, cells = self.k, self.cells.field
        if cells.eta is None:
            return Thresholds.from_votes(self.held_out.profile.at(k)[:, 1], k, self.data.source.y_test)
        return Thresholds.from_votes(self.cells.votes.at(k)[:, 1], k, cells.eta[:, 1], cells.measure.weights)

    @stage
    def of_bayes(self) -> Thresholds | None:
        """Thresholds on eta itself: the Bayes rules of all weights."""
        truth = self.data.truth
        return (
            None
            if truth.eta is None
            else Thresholds.from_fractions(truth.eta[:, 1], truth.eta[:, 1], truth.measure.weights)
        )

    @stage
    def peak(self) -> tuple[float, float, float] | None:
        """The largest F1 of the Bayes rules; it is reached above the first of two thresholds, up to the second."""
        return None if self.of_bayes is None else self.of_bayes.best()

    @property
    def best_t(self) -> float:
        """The threshold of the largest F1; of several the one nearest to half of that F1."""
        return within(self.peak[0] / 2, self.peak[1:])

    @property
    def prevalence(self) -> float:
        return (self.of_bayes or self.on_new).prevalence

    @stage
    def at_all(self) -> dict[Evaluation, Thresholds]:
        if self.of_bayes is None:
            return {TRAINING: self.on_training, HELD_OUT: self.on_new}
        return {TRAINING: self.on_training, NEW: self.on_new, BAYES: self.of_bayes}

    @stage
    def at_t(self) -> dict[Evaluation, Entries]:
        """Entries at t; for kNN at the least fraction of k votes that reaches t: the same decisions, but exact."""
        reached = float(Fraction(self.threshold.rule.min_votes(self.k), self.k))
        t = self.threshold.t
        return {each: found.at(t if each is BAYES else reached) for each, found in self.at_all.items()}

    def threshold_of_recall(self, recall: float) -> float:
        """The threshold at which recall on new points is nearest to this one, rounded down to a step of the slider."""
        nearest = abs(self.on_new.at_levels.recall - recall).argmin()
        return math.floor(self.on_new.levels[nearest] * 10**T_DECIMALS) / 10**T_DECIMALS

    @stage
    def numbers(self) -> dict[str, Any]:
        found: dict[str, Any] = {"prevalence": self.prevalence}
        for evaluation, entries in self.at_t.items():
            four, where = (entries.tn, entries.fn, entries.fp, entries.tp), evaluation.name
            found[f"{where}_entries"] = tuple(round(float(entry), 6) for entry in four)
            found |= {f"{where}_{name}": float(getattr(entries, name)) for name in ("precision", "recall", "f1")}
        if self.peak is not None:
            found |= {"largest_f1": self.peak[0], "best_t": self.best_t}
        return found

    @property
    def note(self) -> str:
        never = "; ".join(each.label for each, entries in self.at_t.items() if entries.tp + entries.fp == 0)
        return f"class 1 is never predicted ({never}): precision 0 / 0 is taken as 0" if never else ""
