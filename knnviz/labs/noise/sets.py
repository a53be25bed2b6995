"""The decisions of both rules on the map of NoiseLab, and the set of points on show."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from knnviz import regions
from knnviz.labs.engine.components import Component, Input
from knnviz.labs.engine.parameters import Choice, Float
from knnviz.labs.engine.stages import stage
from knnviz.labs.noise.rules import RobustRules
from knnviz.labs.parts.neighborhoods import Cells
from knnviz.labs.parts.sources import known
from knnviz.labs.parts.training_data import LabelFlips, TrainingData
from knnviz.rules import Rule, Vote
from knnviz.views import sets as set_view
from knnviz.views.layers import Layer

#: Whose regions the map shows, and what it shows besides.
RULES = ("robust kNN", "kNN")
SETS = ("where the rules differ", "misled points", "hard points", "regions only")

#: The number that tells the mass of each set.
MASSES = {SETS[0]: "differ", SETS[1]: "misled_mass", SETS[2]: "hard_mass"}


class Sets(Component):
    """Decisions at the cells, where they differ, and which points noise misleads."""

    data: TrainingData = Input()
    noise: LabelFlips = Input()
    rules: RobustRules = Input()
    cells: Cells = Input()

    shown = Choice(RULES[0], RULES).tag(label="map of", group="Sets and curves", tip="Whose regions the map shows")
    overlay = Choice(SETS[0], SETS).tag(label="show", tip="What the map shows besides regions")
    margin = Float(0.05, min=0, max=0.5).tag(
        label="margin",
        symbol="Delta",
        tip="Hard points do not clear the cut by this much",
        when={"overlay": SETS[2:3]},
    )

    #: The map is colored by the decision regions.
    regions = None

    def coerce(self, values: dict[str, Any], given: Mapping[str, Any]) -> list[str]:
        """Data, whose distribution is not known, show no set that needs it."""
        before = values["overlay"]
        if "overlay" in given or known(values["problem"]).eta is not None or before not in SETS[1:3]:
            return []
        values["overlay"] = SETS[0]
        return [f"{before} need a known distribution: the map shows {SETS[0]}."]

    def validate(self, values: Mapping[str, Any]) -> None:
        """Sets that need eta have it."""
        source = known(values["problem"])
        if values["overlay"] in SETS[1:3] and source.eta is None:
            raise ValueError(f"{values['overlay']} need a known distribution, but {source.name} is data")

    @property
    def rule(self) -> Rule:
        """The rule on the map."""
        return self.rules.robust if self.shown == RULES[0] else Vote()

    @stage
    def plain(self) -> np.ndarray:
        """Decisions of kNN at the cells."""
        return Vote().predict(self.cells.votes, self.rules.k)

    @stage
    def robust(self) -> np.ndarray:
        """Decisions of robust kNN at the cells."""
        return self.rules.robust.predict(self.cells.votes, self.rules.k)

    @property
    def decisions(self) -> np.ndarray:
        """Those of the rule on the map."""
        return self.robust if self.shown == RULES[0] else self.plain

    @stage
    def noisy_eta(self) -> np.ndarray:
        """eta_corr at the cells."""
        return self.noise.model.corrupt(self.cells.field.eta)

    @stage(compare_values=True)
    def cut(self) -> float:
        """The cut of the rule on the map."""
        return float(self.rules.robust.cut) if self.shown == RULES[0] else 0.5

    @stage(compare_values=True)
    def short_by(self) -> float:
        """Delta for hard points; misled ones are those on the wrong side of the cut."""
        return self.margin if self.overlay == SETS[2] else 0.0

    @stage
    def inside(self) -> np.ndarray:
        """The cells of the set on show."""
        if self.overlay == SETS[0]:
            return self.plain != self.robust
        return regions.disagreement(self.cells.field.eta, self.noisy_eta, self.cut, self.short_by)

    @stage
    def numbers(self) -> dict[str, float]:
        """Mass of the set on show, or its fraction of the area where masses are not known."""
        if self.overlay not in MASSES:
            return {}
        if self.overlay != SETS[0]:
            mass = self.noise.risk_limits.misled(self.noise.model, self.cut, self.short_by)
        else:
            measure = self.cells.field.measure
            mass = float(self.inside.mean() if measure is None else measure.weights[self.inside].sum())
        return {MASSES[self.overlay]: mass}

    @stage
    def layers(self) -> tuple[Layer, ...]:
        if self.overlay not in MASSES:
            return ()
        return (set_view.region(self.data.chosen_problem, self.inside, "set", self.overlay, hatch="\\"),)
