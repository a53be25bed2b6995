"""Sets of points on the map of WeightLab, their masses, and the bound of Theorem 1 of Khim et al."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from knnviz import regions
from knnviz.bounds import khim
from knnviz.labs.engine import Choice, Float, Input, stage
from knnviz.labs.parts.set_on_map import SetOnMap
from knnviz.labs.parts.sizes import LARGEST_MASS, MASS_STEP
from knnviz.labs.parts.sources import field, problem_named
from knnviz.labs.parts.weighted_map import WeightedVotes
from knnviz.views import sets as set_view
from knnviz.views.layers import Layer

#: Sets that the map can show; and where the p and Delta of the effective boundary are from.
SETS = ("disagreement", "effective boundary", "lower-bound set", "regions only")
BOUNDARIES = ("Theorem 1", "p and Delta as set")

#: When p and Delta are those of the sliders.
AS_SET = {"overlay": SETS[1:2], "boundary": BOUNDARIES[1:]}


class Sets(SetOnMap):
    """The chosen set of points, its mass, and the bound of Theorem 1."""

    default_set, ball_sets = SETS[3], SETS[1:3]

    vote: WeightedVotes = Input()
    q: tuple[float, ...] = Input()

    overlay = Choice(SETS[0], SETS).tag(label="show", group="Sets", tip="A set that the map shows")
    boundary = Choice(BOUNDARIES[0], BOUNDARIES).tag(
        label="boundary", tip="Ball mass p and margin Delta of the theorem, or of your own", when={"overlay": SETS[1:2]}
    )
    mass = Float(0.1, min=MASS_STEP, max=LARGEST_MASS, step=MASS_STEP, digits=3).tag(
        label="ball mass", symbol="p", tip="Balls up to this probability mass are considered", when=AS_SET
    )
    margin = Float(0.05, min=0, max=0.5).tag(
        label="margin", symbol="Delta", tip="By how much the best weighted class must lead in every ball", when=AS_SET
    )
    delta = Float(0.05, min=0.01, max=0.5).tag(
        label="failure probability",
        symbol="delta",
        tip="The theorem holds except with this probability",
        when={"overlay": SETS[1:2], "boundary": BOUNDARIES[:1]},
    )

    def refusal(self, values: Mapping[str, Any]) -> str | None:
        source, overlay = problem_named(values["problem"]), values["overlay"]
        unknown = overlay != SETS[3] and source.eta is None
        return f"{overlay} needs a known distribution, but {source.name} is data" if unknown else None

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        return {"overlay"} if problem_named(values["problem"]).eta is None else set()

    @stage
    def theorem(self) -> khim.BoundaryBound:
        return khim.theorem_1(self.data.n, self.data.k, self.delta, self.q)

    @stage
    def inside(self) -> np.ndarray | None:
        """Which cells, of the map or of the balls, are in the set; None if that needs larger balls than are kept."""
        if self.overlay == SETS[0]:
            return self.vote.decisions != self.vote.bayes_decisions
        balls, n, k, q = self.cells.balls[1], self.data.n, self.data.k, self.q
        largest = balls.masses[-1]
        if self.overlay == SETS[2]:
            needed = min((k + np.sqrt(k) + 1) / n, 1)
            return regions.lower_bound_set(balls, n, k, q) if needed <= largest else None
        chosen = self if self.boundary == BOUNDARIES[1] else self.theorem
        mass, margin = chosen.mass, chosen.margin
        # No class can lead by more than the largest weight: then all points are in the boundary.
        if margin > max(q) or mass > 1:
            return np.ones(len(balls), bool)
        return regions.effective_boundary(balls, mass, margin, q) if mass <= largest else None

    @stage
    def numbers(self) -> dict[str, Any]:
        """The mass of the set, and the bound that follows from it; a note if the set is not known."""
        if self.overlay in (SETS[0], SETS[3]):
            return {}
        resolution, balls = self.cells.balls
        if self.inside is None:
            return {"note": f"balls reach beyond mass {balls.masses[-1]:g}, the largest that is kept"}
        measure = field(self.data.problem, resolution).measure
        assert measure is not None
        # Masses of cells sum to 1 only up to rounding.
        mass = float(min(measure.weights[self.inside].sum(), 1.0))
        if self.overlay == SETS[2]:
            return {"lower_mass": mass}
        return {"boundary_mass": mass} | (self.bound(mass) if self.boundary == BOUNDARIES[0] else {})

    def bound(self, mass: float) -> dict[str, Any]:
        """The bound of Theorem 1 for a mass of its boundary, and a note where it is vacuous."""
        theorem = self.theorem
        bound = theorem.disagreement(mass)
        found = {"ball_mass": theorem.mass, "ball_margin": theorem.margin, "bound": bound}
        if not theorem.proved:
            return found | {"note": "k is too small for the theorem"}
        return found | ({"note": "the bound is vacuous"} if bound == 1 else {})

    @stage
    def layers(self) -> tuple[Layer, ...]:
        if self.overlay == SETS[3] or self.inside is None:
            return ()
        return (set_view.region(self.data.chosen_problem, self.inside, "set", self.overlay),)
