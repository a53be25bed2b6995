"""ThresholdLab: a class weight is a threshold on the fraction of class 1; the best one is half of the largest F1.

The entries of the confusion matrix are probabilities here: TN, FN, FP and TP. An evaluation is a rule together with the
points on which its decisions are counted. Bounds on entries depend on U, the largest error of the fraction of votes.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from knnviz.labs.old_engine import Cell, Choice, Int, Lab, Preset, Rows, columns, rows, stage
from knnviz.labs.old_parts.neighborhoods import Cells, QueryPoint, Votes
from knnviz.labs.old_parts.sizes import LARGEST_SLIDER_K
from knnviz.labs.old_parts.sources import TWO_CLASSES
from knnviz.labs.old_parts.training_data import TrainingData
from knnviz.labs.thresholds.bounds import AS_SET, OBSERVED_U, EntryBounds
from knnviz.labs.thresholds.counts import Counts, ThresholdRule
from knnviz.labs.thresholds.panels import EntryPanel, F1Panel, PrecisionRecallPanel, ScorePanel, ThresholdMap

RARE = {"problem": "rare class", "n": 2000, "k": 60, "x1": 0.6}
KHIM, PROPOSITION_3 = "Khim et al., appendix C", "Khim et al., Proposition 3"


class ThresholdLab(Lab):
    """Line (or Map), F1 over t, Entries, Scores and precision against recall, for two classes.

    On a line, ``bounds`` adds bounds from Proposition 3 of Khim et al. to F1 over t.

    Examples
    --------
    >>> from knnviz.labs import ThresholdLab
    >>> found = ThresholdLab(problem="rare class").readout()
    >>> found["best_t"], found["largest_f1"]
    (0.228248, 0.456497)
    """

    title = "a weight is a threshold"
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
        "bound_epsilon": "epsilon in the bounds",
        "observed_u": "observed U",
        "tn_error": "TN and FP within",
        "tp_error": "TP and FN within",
        "precision_error": "precision within",
        "recall_error": "recall within",
        "f1_error": "F1 within",
        "f1_box": "F1 from entry bounds",
        "votes": "votes at x",
        "decision": "decision at x",
        "note": "note",
    }

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
        Preset("Rare class: a million points", PROPOSITION_3, RARE | {"t": 0.228, "bounds": AS_SET}),
        Preset("Rare class: observed U", PROPOSITION_3, RARE | {"t": 0.228, "bounds": OBSERVED_U}),
        Preset(
            "One wave: ten billion points",
            "Khim et al., Corollary 9",
            {
                "problem": "one wave against the rest",
                "t": 0.287,
                "x1": 0.25,
                "bounds": AS_SET,
                "epsilon": 0.001,
                "bound_n": 10**10,
            },
        ),
    )

    order = ("problem", "n", "seed", "k", "t", "q1", "x1", "x2", "bounds", "epsilon", "bound_n")

    data = TrainingData(problem=Choice("rare class", TWO_CLASSES))
    k = Int(60, min=1, max=LARGEST_SLIDER_K).tag(
        label="neighbors", symbol="k", group="Rule", tip="Number of neighbors that vote", at_most="n"
    )
    threshold = ThresholdRule()

    @stage(compare_values=True)
    def k_max(self) -> int:
        return min(LARGEST_SLIDER_K, self.data.n)

    query = QueryPoint(data=data, labels=data.labels, k_max=k_max, x1=0.6)
    cells = Cells(data=data, labels=data.labels, k_max=k_max)
    training = Votes(data=data, labels=data.labels, k_max=k_max, queries=lambda data: None)
    held_out = Votes(data=data, labels=data.labels, k_max=k_max, queries=lambda data: data.source.X_test)
    counts = Counts(data=data, cells=cells, training=training, held_out=held_out, threshold=threshold, k=k)
    entry_bounds = EntryBounds(data=data, cells=cells, counts=counts, threshold=threshold, k=k)

    @stage
    def decisions(self) -> np.ndarray:
        return self.threshold.rule.predict(self.cells.votes, self.k)

    @stage
    def decision(self) -> str:
        return self.data.chosen_problem.class_names[self.threshold.rule.predict(self.query.votes, self.k)[0]]

    @stage
    def numbers(self) -> dict[str, Any]:
        at_x = {"votes": tuple(self.query.votes.at(self.k)[0].tolist()), "decision": self.decision}
        counted = {"weights": self.threshold.q, **self.counts.numbers, **self.entry_bounds.numbers}
        note = "; ".join(filter(None, (self.counts.note, self.entry_bounds.note)))
        return {**counted, **at_x} | ({"note": note} if note else {})

    @stage
    def layout(self) -> Rows:
        ratios = (1, 1) if self.data.chosen_problem.dimension == 1 else (332, 480)
        below = columns(Cell("entries", height=150), Cell("scores", height=150), Cell("trade", height=150))
        return rows(columns(Cell("map", height=256), Cell("f1", height=256), ratios=ratios), below)

    map = ThresholdMap(
        data=data,
        labels=data.labels,
        cells=cells,
        query=query,
        k=k,
        decisions=decisions,
        decision=decision,
        thresholds=threshold.thresholds,
        q=threshold.q,
    )
    f1 = F1Panel(counts=counts, threshold=threshold, bounds=entry_bounds)
    entries = EntryPanel(counts=counts)
    scores = ScorePanel(counts=counts)
    trade = PrecisionRecallPanel(counts=counts)
