"""Bounds on how far entries and scores of a sample are from those of the Bayes rule, at every threshold at once."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from knnviz.bounds import khim
from knnviz.labs.old_engine import Choice, Component, Float, Input, LogInt, stage
from knnviz.labs.old_parts.neighborhoods import Cells
from knnviz.labs.old_parts.sources import Source, problem_named
from knnviz.labs.old_parts.training_data import TrainingData
from knnviz.labs.thresholds.counts import Counts, ThresholdRule
from knnviz.labs.thresholds.layers import T_STEPS
from knnviz.weights import uniform_error

#: Options of the control: whether bounds are drawn, and with which epsilon.
NO_BOUNDS, AS_SET, OBSERVED_U = BOUNDS = ("none", "epsilon as set", "observed U")

#: Failure probability of the bounds.
DELTA = 0.05


class EntryBounds(Component):
    """Proposition 3 and Corollaries 7 to 9 of Khim et al.; their finite set of thresholds is the slider's steps."""

    data: TrainingData = Input()
    cells: Cells = Input()
    counts: Counts = Input()
    threshold: ThresholdRule = Input()
    k: int = Input()

    bounds = Choice(NO_BOUNDS, BOUNDS).tag(
        label="bounds",
        group="Proposition 3",
        tip="Where the F1 of a sample lies, for all t at once. U is the largest error of the votes at the cells",
    )
    epsilon = Float(0.01, min=0, max=1, step=0.001, digits=3).tag(
        label="uniform error",
        symbol="epsilon",
        tip=f"Largest error of the votes that is assumed, except with probability {DELTA / 2:g}",
        when={"bounds": (AS_SET,)},
    )
    bound_n = LogInt(1_000_000, min=100, max=10**10).tag(
        label="sample size in the bounds",
        tip=f"n in the bounds alone; the sample on show keeps its own. They fail with probability {DELTA:g}",
        when={"bounds": (AS_SET, OBSERVED_U)},
    )

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        return set() if is_known_line(problem_named(values["problem"])) else set(self.parameters)

    @property
    def is_on(self) -> bool:
        return self.bounds != NO_BOUNDS and is_known_line(self.data.chosen_problem)

    @stage
    def observed_u(self) -> float:
        """The largest error of the votes at the cells of the map."""
        return uniform_error(self.cells.votes.at(self.k) / self.k, self.cells.field.eta)

    @property
    def epsilon_in_use(self) -> float:
        return self.epsilon if self.bounds == AS_SET else self.observed_u

    @stage
    def sorted_eta(self) -> tuple[np.ndarray, np.ndarray]:
        """eta of class 1 (m,) at fine cells, ascending, and the masses (m,) of these cells."""
        # So many, since the bounds need the mass of a band of eta around t, which may be only 0.002 wide.
        measure, eta = self.data.chosen_problem.cells(200_000)
        order = np.argsort(eta[:, 1])
        return eta[order, 1], measure.weights[order]

    def errors(self, t: np.ndarray) -> khim.EntryErrors:
        """Bounds on errors of entries at t (J,), from the masses of class 0 (tne) and 1 (fne) where eta is near t."""
        eta, weights = self.sorted_eta
        band = khim.threshold_mass(eta, self.epsilon_in_use, t, T_STEPS, weights=weights)
        return khim.proposition_3(self.bound_n, DELTA, cover_size=len(T_STEPS), tne=band.tne, fne=band.fne)

    @stage
    def f1_intervals(self) -> tuple[khim.Intervals, khim.Intervals]:
        """Intervals of F1 at ``T_STEPS``: from bounds on entries, and by Corollary 9, NaN where that is vacuous."""
        entries, errors = self.counts.of_bayes.at(T_STEPS), self.errors(T_STEPS)
        error = khim.score_errors(entries, errors).f1
        ends = np.array([np.maximum(entries.f1 - error, 0), np.minimum(entries.f1 + error, 1)])
        ends[:, ends[1] - ends[0] >= 1] = np.nan
        return khim.f1_intervals(entries, errors), khim.Intervals(*ends)

    @stage
    def numbers(self) -> dict[str, Any]:
        """The largest error of each entry and score at t."""
        if not self.is_on:
            return {}
        t = np.array([self.threshold.t])
        entries, errors = self.counts.of_bayes.at(t), self.errors(t)
        scores, interval = khim.score_errors(entries, errors), khim.f1_intervals(entries, errors)
        largest = {
            "tn": errors.tn,
            "tp": errors.tp,
            "precision": scores.precision,
            "recall": scores.recall,
            "f1": scores.f1,
        }
        found: dict[str, Any] = {"bound_epsilon": self.epsilon_in_use, "observed_u": self.observed_u}
        found |= {f"{name}_error": float(error[0]) if error[0] < 1 else "vacuous" for name, error in largest.items()}
        return found | {"f1_box": (float(interval.low[0]), float(interval.high[0]))}

    @property
    def note(self) -> str:
        if not self.is_on:
            return ""
        assumed = f"samples of {self.bound_n:,} points whose U is at most {self.epsilon_in_use:.3f}"
        return f"the bounds are about {assumed}; this one has {self.data.n:,} points and U = {self.observed_u:.3f}"


def is_known_line(source: Source) -> bool:
    """Whether eta is known on a line, where cells can be fine enough for narrow bands."""
    return source.eta is not None and source.dimension == 1
