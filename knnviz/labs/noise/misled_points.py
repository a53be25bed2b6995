"""The decisions of kNN and robust kNN on the map of NoiseLab, and the set of points that it shows."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from knnviz.labs.noise.rules import RobustRules
from knnviz.labs.old_engine import Choice, Float, Input, stage
from knnviz.labs.old_parts.set_on_map import SetOnMap
from knnviz.labs.old_parts.sources import problem_named
from knnviz.labs.old_parts.training_data import LabelFlips
from knnviz.noise import misled_points
from knnviz.rules import Rule, Vote
from knnviz.views import sets as set_view
from knnviz.views.layers import Layer

#: Rules whose decision regions the map can show, and sets of points that it can show above them.
ROBUST, PLAIN = RULES = ("robust kNN", "kNN")
SETS = ("where the rules differ", "misled points", "hard points", "regions only")
DIFFERENCE, MISLED, HARD, REGIONS_ONLY = SETS

#: Key of the mass of each set in the readout.
MASSES = {DIFFERENCE: "differ", MISLED: "misled_mass", HARD: "hard_mass"}


class PointSet(SetOnMap):
    """Decisions of both rules at the cells of the map, and the chosen set: where they differ, misled or hard points."""

    fallback_set = DIFFERENCE

    noise: LabelFlips = Input()
    rules: RobustRules = Input()

    shown = Choice(ROBUST, RULES).tag(label="map of", group="Sets and curves", tip="Rule of the decision regions")
    overlay = Choice(DIFFERENCE, SETS).tag(label="show", tip="A set that the map shows")
    margin = Float(0.05, min=0, max=0.5).tag(
        label="margin",
        symbol="Delta",
        tip="Hard points do not clear the threshold by this much",
        when={"overlay": (HARD,)},
    )

    def refusal(self, values: Mapping[str, Any]) -> str | None:
        source, overlay = problem_named(values["problem"]), values["overlay"]
        unknown = overlay in (MISLED, HARD) and source.eta is None
        return f"{overlay} need a known distribution, but {source.name} is data" if unknown else None

    def replacement_note(self, values: Mapping[str, Any]) -> str:
        return f"{values['overlay']} need a known distribution: the map shows {self.fallback_set}."

    @property
    def rule(self) -> Rule:
        return self.rules.robust if self.shown == ROBUST else Vote()

    @stage
    def plain(self) -> np.ndarray:
        return Vote().predict(self.cells.votes, self.rules.k)

    @stage
    def robust(self) -> np.ndarray:
        return self.rules.robust.predict(self.cells.votes, self.rules.k)

    @property
    def decisions(self) -> np.ndarray:
        return self.robust if self.shown == ROBUST else self.plain

    @stage
    def noisy_eta(self) -> np.ndarray:
        """eta (m, C) of the noisy labels at the cells."""
        return self.noise.model.corrupt(self.cells.field.eta)

    @stage(compare_values=True)
    def threshold(self) -> float:
        return float(self.rules.robust.threshold) if self.shown == ROBUST else 0.5

    @stage(compare_values=True)
    def required_margin(self) -> float:
        """Delta for hard points; misled ones are merely on the wrong side of the threshold."""
        return self.margin if self.overlay == HARD else 0.0

    @stage
    def inside(self) -> np.ndarray:
        """Cells (m,) bool in the chosen set."""
        if self.overlay == DIFFERENCE:
            return self.plain != self.robust
        return misled_points(self.cells.field.eta, self.noisy_eta, self.threshold, self.required_margin)

    @stage
    def numbers(self) -> dict[str, float]:
        """Mass of the chosen set; for a data set, the fraction of the map's area that it covers."""
        if self.overlay not in MASSES:
            return {}
        if self.overlay != DIFFERENCE:
            mass = self.noise.risk_limits.misled(self.noise.model, self.threshold, self.required_margin)
        else:
            measure = self.cells.field.measure
            mass = float(self.inside.mean() if measure is None else measure.weights[self.inside].sum())
        return {MASSES[self.overlay]: mass}

    @stage
    def layers(self) -> tuple[Layer, ...]:
        if self.overlay not in MASSES:
            return ()
        return (set_view.region(self.data.chosen_problem, self.inside, "set", self.overlay, hatch="\\"),)
