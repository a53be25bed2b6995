"""The panels of ThresholdLab: Map or Line, F1 over t, Entries, Scores, and precision against recall."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz.labs.old_engine import Input, Panel, within
from knnviz.labs.old_parts.neighborhoods import QueryPoint
from knnviz.labs.old_parts.weighted_map import WeightedMap
from knnviz.labs.thresholds import layers
from knnviz.labs.thresholds.bounds import EntryBounds
from knnviz.labs.thresholds.counts import T_DECIMALS, Counts, ThresholdRule
from knnviz.views import entries as entry_view
from knnviz.views import vote_curve
from knnviz.views.layers import Axes, Layer
from knnviz.weights import Entries

#: Position of the handle on the Line, as a fraction of the width of the panel.
HANDLE_POSITION = 0.96

#: Short names of evaluations.
SHORT_NAMES = {"training": "train", "new": "new", "held_out": "held-out", "bayes": "Bayes"}


def rounded_t(t: float) -> dict[str, float]:
    return {"t": within(round(t, T_DECIMALS), (0.0, 1.0))}


class ThresholdMap(WeightedMap):
    """The map of the rule; on a line with a handle at t."""

    query: QueryPoint = Input()
    decision: str = Input()

    def layers(self) -> Iterator[Layer | Iterable[Layer]]:
        yield from super().layers()
        if self.data.chosen_problem.dimension == 1:
            low, high = self.data.chosen_problem.box[0]
            yield layers.handle(low + HANDLE_POSITION * (high - low), self.lab.t, self.lab.t, "right")

    def alt_text(self) -> str:
        votes, names = self.query.votes.at(self.k)[0], self.data.chosen_problem.class_names
        return f"{super().alt_text()} {vote_curve.describe(self.query.x, votes, self.k, names, self.decision)}"

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return rounded_t(y) if mark == "threshold" else super().pick(x, y, mark, index)


class F1Panel(Panel):
    """F1 of each evaluation over t, and bounds on it if chosen."""

    counts: Counts = Input()
    threshold: ThresholdRule = Input()
    bounds: EntryBounds = Input()

    def axes(self) -> Axes:
        return layers.axes()

    def layers(self) -> Iterator[Layer | list[Layer]]:
        draw, counts, t = self.draw, self.counts, self.threshold.t
        if self.bounds.is_on:
            yield draw(layers.f1_bounds, *self.bounds.f1_intervals)
        if counts.peak is not None:
            yield draw(layers.f1_equals_2t)
        yield [draw(layers.f1, found, evaluation) for evaluation, found in counts.at_all.items()]
        if counts.peak is not None:
            yield draw(layers.peak, counts.best_t, counts.peak[0])
        yield layers.line_at(t)
        yield layers.handle(t, layers.HANDLE_HEIGHT, t, "left" if t <= 0.5 else "right")

    def alt_text(self) -> str:
        counts, t = self.counts, self.threshold.t
        text = " ".join(layers.describe(t, entries, evaluation.label) for evaluation, entries in counts.at_t.items())
        if counts.peak is None:
            return text
        score, low, high = counts.peak
        at = f"for t from {low:.3f} to {high:.3f}" if high - low > 0.01 else f"at t = {counts.best_t:.4f}"
        text = f"{text} The largest F1 of a Bayes rule is {score:.4f}, {at}; the line F1 = 2t meets the curve there."
        return f"{text} {layers.describe_bounds(*self.bounds.f1_intervals)}" if self.bounds.is_on else text

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return rounded_t(x)


class EntryPanel(Panel):
    """The four entries of each evaluation at t."""

    counts: Counts = Input()

    def axes(self) -> Axes:
        names = [SHORT_NAMES[evaluation.name] for evaluation in self.counts.at_t]
        return replace(entry_view.axes(names), legend_columns=2)

    def layers(self) -> Iterator[Layer]:
        yield entry_view.bars(stacked(self.counts.at_t.values()))


class ScorePanel(Panel):
    """Precision, recall and F1 of each evaluation at t."""

    counts: Counts = Input()

    def axes(self) -> Axes:
        axes = entry_view.score_axes(over_all=False, short=self.lab.on_projector)
        return replace(axes, ylabel="", legend_columns=1)

    def layers(self) -> Iterator[Layer]:
        evaluations, entries = zip(*self.counts.at_t.items(), strict=True)
        palette, labels = tuple(each.color for each in evaluations), tuple(each.label for each in evaluations)
        yield replace(entry_view.scores(stacked(entries), over_all=False), palette=palette, labels=labels)


class PrecisionRecallPanel(Panel):
    """The precision-recall curve of each evaluation."""

    counts: Counts = Input()

    def axes(self) -> Axes:
        return layers.precision_recall_axes()

    def layers(self) -> Iterator[Layer | list[Layer]]:
        draw, counts = self.draw, self.counts
        yield draw(layers.prevalence, counts.prevalence)
        yield [draw(layers.precision_recall, found, evaluation) for evaluation, found in counts.at_all.items()]
        yield [layers.points(entries, evaluation) for evaluation, entries in counts.at_t.items()]

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return {"t": self.counts.threshold_of_recall(x)}


def stacked(each: Collection[Entries]) -> Entries:
    """The entries of several evaluations as arrays, as if they were those of classes."""
    return Entries(*(np.array([getattr(entries, name) for entries in each]) for name in ("tn", "fn", "fp", "tp")))
