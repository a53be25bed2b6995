"""ThresholdLab: a class weight is a threshold on the share of class 1, and F1 is largest at half its own value."""

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from knnviz.labs.engine.lab import Preset
from knnviz.labs.engine.parameters import Choice, Float, Int, within
from knnviz.labs.engine.stages import stage
from knnviz.labs.maps import WeightedMapLab
from knnviz.labs.parts.sources import TWO_CLASSES, known
from knnviz.labs.sheets import Sheet, SheetLab
from knnviz.metrics import Entries, Thresholds
from knnviz.rules import Threshold, exact
from knnviz.views import entries as entry_view
from knnviz.views import map as map_view
from knnviz.views import thresholds as threshold_view
from knnviz.views import votes as votes_view
from knnviz.views.layers import Axes, Layer, Panel
from knnviz.views.thresholds import HERE, Look

#: The same rule counted on its own training points, and on new ones; and the best rule at the same threshold.
TRAINING = Look("training", "kNN, training points", "#CC79A7", (2, 3))
NEW = Look("new", "kNN, new points", "#6A3D9A")
HELD_OUT = Look("held_out", "kNN, held-out points", "#6A3D9A")
BAYES = Look("bayes", "Bayes rule", dash=(7, 4))

#: What the bars of each are called.
SHORT = {"training": "train", "new": "new", "held_out": "held-out", "bayes": "Bayes"}

#: Share of the panel's width at which the handle of the Line stands, and decimals of a threshold that a hand moves.
HANDLE, DECIMALS = 0.96, 3

#: From what width on the thresholds at which F1 is largest are told as a range.
WIDE = 0.01


SCREEN = Sheet(
    (960, 692),
    map=(66, 40, 256, 256),
    more={
        "line": (66, 40, 400, 256),
        "f1": (546, 40, 400, 256),
        "entries": (66, 444, 190, 150),
        "scores": (320, 444, 250, 150),
        "trade": (646, 444, 300, 150),
    },
    legend={"legend_left": 8},
)
PROJECTOR = Sheet(
    (667, 592),
    map=(64, 36, 190, 190),
    more={
        "line": (64, 36, 262, 190),
        "f1": (392, 36, 262, 190),
        "entries": (64, 392, 142, 112),
        "scores": (250, 392, 190, 112),
        "trade": (508, 392, 146, 112),
    },
    scale=1.5,
    legend={"legend_size": 12.0, "legend_left": 48},
    most_points=300,
)

RARE = {"problem": "rare class", "n": 2000, "k": 60, "x1": 0.6}
KHIM = "Khim et al., appendix C"


class ThresholdLab(SheetLab, WeightedMapLab):
    """Line (or Map), F1 over t, Entries, Scores and the trade of precision for recall, for two classes."""

    title = "a weight is a threshold"
    sheets = (SCREEN, PROJECTOR)
    number_names: Mapping[str, str] = {
        "weights": "weights q0 : q1",
        "prevalence": "prevalence",
        "new_precision": "precision, new points",
        "new_recall": "recall, new points",
        "new_f1": "F1, new points",
        "held_out_precision": "precision, new points held out",
        "held_out_recall": "recall, new points held out",
        "held_out_f1": "F1, new points held out",
        "training_f1": "F1, training points",
        "bayes_precision": "precision, Bayes rule",
        "bayes_recall": "recall, Bayes rule",
        "bayes_f1": "F1, Bayes rule",
        "largest_f1": "largest Bayes F1",
        "best_t": "reached at t",
        "votes": "votes at x",
        "decision": "decision at x",
        "note": "note",
    }

    problem = Choice("rare class", TWO_CLASSES).tag(label="problem", group="Data", tip="Where the points come from")
    k = Int(60, min=1, max=200).tag(label="neighbors", symbol="k", group="Rule", tip="Number of neighbors that vote")
    t = Float(0.5, min=0, max=1, step=0.001, digits=3).tag(
        label="threshold", symbol="t", tip="Class 1 where its share of the votes reaches t"
    )
    q1 = Float(0.5, min=0, max=1, step=0.001, digits=3).tag(
        label="weight of class 1", symbol="q1", tip="Its votes count q1, those of class 0 count q0 = 1 - q1 = t"
    )
    x1 = Float(0.6, min=0, max=1, typed=True).tag(
        label="point", symbol="x1", group="Query: click the map, or type", tip="First coordinate of x"
    )

    order = ("problem", "n", "seed", "k", "t", "q1", "x1", "x2")

    presets = (
        Preset("Rare class: equal weights", KHIM, RARE),
        Preset("Rare class: t by F1", KHIM, RARE | {"t": 0.228}),
        Preset("Rare class: t by prevalence", KHIM, RARE | {"t": 0.057}),
        Preset(
            "One wave: equal weights", "Khim et al., section 5", {"problem": "one wave against the rest", "x1": 0.25}
        ),
        Preset(
            "One wave: t by F1",
            "Khim et al., section 5",
            {"problem": "one wave against the rest", "t": 0.287, "x1": 0.25},
        ),
        Preset("Two classes alike", "Gao et al., section 6.1", {"problem": "checkerboard", "x1": 0.3, "x2": 0.6}),
    )

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """Flip rates: labels are not noisy here."""
        return super().hidden(values) | {"p0", "p1"}

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """The weight follows the threshold, and the threshold the weight: q0 = t and q1 = 1 - t."""
        follows, leads = ("t", "q1") if "q1" in given and "t" not in given else ("q1", "t")
        if follows not in given:
            values[follows] = round(1 - values[leads], 12)
        return super().coerce(values, given)

    def validate(self, values: Mapping[str, Any]) -> None:
        """Two classes without label noise, and q1 = 1 - t; besides what the ground asks for."""
        source = known(values["problem"])
        if source.n_classes != 2:
            raise ValueError(f"a threshold decides between two classes, but {source.name} has {source.n_classes}")
        super().validate(values)
        for name in ("p0", "p1"):
            if values[name]:
                title = self.parameters()[name].title
                raise ValueError(f"labels are not noisy here: {title} stays at 0, got {values[name]:g}")
        if abs(values["t"] + values["q1"] - 1) > 1e-9:
            raise ValueError(f"weight of class 1 q1 must be 1 - t, got t = {values['t']:g} and q1 = {values['q1']:g}")

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """The handle of t, a place of F1 over t and a recall are thresholds; a place on the map is the query point."""
        if panel == "trade":
            return {"t": self.recalling(x)}
        if panel == "f1" or mark == "threshold":
            return {"t": within(round(x if panel == "f1" else y, DECIMALS), (0.0, 1.0))}
        return super().pick(panel, x, y, mark, index)

    def recalling(self, recall: float) -> float:
        """The threshold whose recall on new points is nearest, in steps of the slider."""
        nearest = abs(self.tested.each.recall - recall).argmin()
        return math.floor(self.tested.levels[nearest] * 10**DECIMALS) / 10**DECIMALS

    @stage
    def q(self) -> tuple[float, float]:
        """The class weights."""
        return self.t, self.q1

    @stage
    def rule(self) -> Threshold:
        """Class 1 iff its share reaches t."""
        return Threshold(exact(self.t))

    @stage
    def reached(self) -> Fraction:
        """The least share of k votes that reaches t: the same decisions, and exact."""
        return Fraction(self.rule.needed(self.k), self.k)

    @stage
    def cuts(self) -> tuple[votes_view.Cut, ...]:
        """t as it is drawn."""
        return (votes_view.Cut(self.t, label="threshold t", color=HERE),)

    @stage
    def labels(self) -> np.ndarray:
        """Decisions at the cells."""
        return self.rule.predict(self.cell_votes, self.k)

    @stage
    def x_count(self) -> tuple[int, ...]:
        """Votes (2,) of the k nearest of x."""
        return tuple(int(count) for count in self.x_votes.at(self.k)[0])

    @stage
    def decision(self) -> str:
        """Decision at the query point, by name."""
        return self.plane.class_names[self.rule.predict(self.x_votes, self.k)[0]]

    @stage
    def trained(self) -> Thresholds:
        """Every threshold, counted on the training points."""
        return Thresholds.of_votes(self.training_votes.at(self.k)[:, 1], self.k, self.sample.y)

    @stage
    def tested(self) -> Thresholds:
        """Every threshold on new points: integrated where eta is known, else counted on points held out."""
        if self.plane.eta is None:
            return Thresholds.of_votes(self.test_votes.at(self.k)[:, 1], self.k, self.source.y_test)
        eta, weights = self.field.eta[:, 1], self.field.measure.weights
        return Thresholds.of_votes(self.cell_votes.at(self.k)[:, 1], self.k, eta, weights)

    @stage
    def best(self) -> Thresholds | None:
        """Every threshold on eta itself: the Bayes rules of all weights."""
        truth = self.truth
        return None if truth.eta is None else Thresholds.of(truth.eta[:, 1], truth.eta[:, 1], truth.measure.weights)

    @stage
    def peak(self) -> tuple[float, float, float] | None:
        """The largest F1 of the Bayes rules, and between which thresholds it is reached."""
        return None if self.best is None else self.best.best()

    @stage
    def best_t(self) -> float | None:
        """The threshold of the largest F1; of several the nearest to half of it."""
        return None if self.peak is None else within(self.peak[0] / 2, self.peak[1:])

    @stage(compare_values=True)
    def looks(self) -> tuple[Look, ...]:
        """Who decides, and where it is counted."""
        return (TRAINING, HELD_OUT) if self.plane.eta is None else (TRAINING, NEW, BAYES)

    @stage
    def judged(self) -> dict[Look, Thresholds]:
        """Every threshold of each of these."""
        return dict(zip(self.looks, (self.trained, self.tested, self.best), strict=False))

    @stage
    def here(self) -> dict[Look, Entries]:
        """Entries at t."""
        reached = float(self.reached)
        return {look: found.at(self.t if look is BAYES else reached) for look, found in self.judged.items()}

    @stage
    def numbers(self) -> dict[str, Any]:
        """What the lab reads out."""
        scores = {}
        for look, entries in self.here.items():
            each = tuple(round(float(entry), 6) for entry in (entries.tn, entries.fn, entries.fp, entries.tp))
            scores |= {f"{look.name}_entries": each}
            scores |= {f"{look.name}_{name}": float(getattr(entries, name)) for name in ("precision", "recall", "f1")}
        best = {} if self.best is None else {"largest_f1": self.peak[0], "best_t": self.best_t}
        share = {"prevalence": (self.tested if self.best is None else self.best).prevalence}
        note = {"note": self.note} if self.note else {}
        here = {"votes": self.x_count, "decision": self.decision}
        return {"weights": self.q, **share, **scores, **best, **here, **note}

    @stage
    def note(self) -> str:
        """Where a precision is 0 / 0."""
        silent = [look.label for look, entries in self.here.items() if entries.tp + entries.fp == 0]
        return f"nothing is decided for class 1 ({'; '.join(silent)}): precision 0 / 0 is taken as 0" if silent else ""

    @stage
    def handle_layers(self) -> tuple[Layer, ...]:
        """The handle of t on the Line."""
        if self.plane.dimension == 2:
            return ()
        low, high = self.plane.box[0]
        return (threshold_view.handle(low + HANDLE * (high - low), self.t, self.t, "right"),)

    @stage
    def f1_curves(self) -> tuple[Layer, ...]:
        """F1 over t, and where that of the Bayes rules is largest."""
        curves = tuple(threshold_view.f1(found, look) for look, found in self.judged.items())
        if self.best is None:
            return curves
        return threshold_view.double(), *curves, threshold_view.peak(self.best_t, self.peak[0])

    @stage
    def f1_layers(self) -> tuple[Layer, ...]:
        """These curves, and the threshold in hand."""
        align = "left" if self.t <= 0.5 else "right"
        handle = threshold_view.handle(self.t, threshold_view.HEIGHT, self.t, align)
        return *self.f1_curves, threshold_view.at(self.t), handle

    @stage
    def trade_curves(self) -> tuple[Layer, ...]:
        """Precision against recall at all thresholds."""
        share = (self.tested if self.best is None else self.best).prevalence
        curves = (threshold_view.trade(found, look) for look, found in self.judged.items())
        return threshold_view.prevalence(share), *curves

    @stage
    def trade_layers(self) -> tuple[Layer, ...]:
        """These curves, and the threshold in hand on each."""
        return *self.trade_curves, *(threshold_view.points(entries, look) for look, entries in self.here.items())

    @stage
    def bars(self) -> Entries:
        """The entries at t of all that are counted, side by side."""
        each = self.here.values()
        return Entries(*(np.array([getattr(entries, name) for entries in each]) for name in ("tn", "fn", "fp", "tp")))

    @stage
    def score_layer(self) -> Layer:
        """Precision, recall and F1 at t."""
        drawn = entry_view.scores(self.bars, over_all=False)
        looks = tuple(self.here)
        return replace(drawn, palette=tuple(look.color for look in looks), labels=tuple(look.label for look in looks))

    @stage
    def entry_layer(self) -> Layer:
        """The four entries at t."""
        return entry_view.bars(self.bars)

    @stage
    def panels(self) -> tuple[Panel, ...]:
        """Line or Map and F1 above; Entries, Scores and precision against recall below."""
        over = *self.truth_layers, *self.share_layers, *self.cut_layers, *self.query_layers, *self.handle_layers
        place = self.region_layer, self.point_layer, self.voter_layer, *over
        return tuple(
            map(Panel, self.axes, (place, self.f1_layers, (self.entry_layer,), (self.score_layer,), self.trade_layers))
        )

    @stage
    def axes(self) -> tuple[Axes, ...]:
        """The frames of the panels."""
        places, names = self.sheet.more, [SHORT[look.name] for look in self.looks]
        frames = (
            self.view.axes(self.plane, self.sheet.map if self.plane.dimension == 2 else places["line"]),
            threshold_view.axes(places["f1"]),
            replace(entry_view.axes(names, places["entries"]), columns=2),
            replace(entry_view.score_axes(places["scores"], over_all=False), ylabel="", columns=1),
            threshold_view.trade_axes(places["trade"]),
        )
        return self.sheet.framed(frames)

    @stage
    def alt(self) -> str:
        """The picture in words and numbers."""
        drawn = map_view.describe(self.plane, self.labels, self.observed, self.sheet.most_points)
        votes = votes_view.describe(self.x, np.array(self.x_count), self.k, self.plane.class_names, self.decision)
        told = " ".join(threshold_view.describe(self.t, entries, look.label) for look, entries in self.here.items())
        return f"{drawn} {votes} {told} {self.peak_words}{self.numbers_text()}."

    @stage
    def peak_words(self) -> str:
        """The largest F1 of the Bayes rules in words and numbers."""
        if self.peak is None:
            return ""
        score, low, high = self.peak
        at = f"for t from {low:.3f} to {high:.3f}" if high - low > WIDE else f"at t = {self.best_t:.4f}"
        return f"The largest F1 of a Bayes rule is {score:.4f}, {at}; the line F1 = 2t meets the curve there. "
