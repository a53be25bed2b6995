"""Sets of points on the map of WeightLab, their masses, and the bound of Theorem 1 of Khim et al."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from knnviz import regions
from knnviz.bounds import khim
from knnviz.labs.old_engine import Choice, Float, Input, stage
from knnviz.labs.old_parts.set_on_map import SetOnMap
from knnviz.labs.old_parts.sizes import LARGEST_MASS, MASS_STEP
from knnviz.labs.old_parts.sources import field, problem_named
from knnviz.labs.old_parts.weighted_map import WeightedVotes
from knnviz.views import sets as set_view
from knnviz.views.layers import Layer

#: Sets of points that the map can show, and where p and Delta of the effective boundary come from.
SETS = ("disagreement", "effective boundary", "lower-bound set", "regions only")
DISAGREEMENT, BOUNDARY, LOWER_BOUND, REGIONS_ONLY = SETS
THEOREM_1, AS_SET = BOUNDARIES = ("Theorem 1", "p and Delta as set")

#: Values of other parameters under which the sliders of p and Delta have an effect.
WHEN_SET = {"overlay": (BOUNDARY,), "boundary": (AS_SET,)}


class PointSet(SetOnMap):
    """The chosen set of points, its mass, and the bound of Theorem 1."""

    fallback_set, ball_sets = REGIONS_ONLY, (BOUNDARY, LOWER_BOUND)

    vote: WeightedVotes = Input()
    q: tuple[float, ...] = Input()

    overlay = Choice(DISAGREEMENT, SETS).tag(label="show", group="Sets", tip="A set that the map shows")
    boundary = Choice(THEOREM_1, BOUNDARIES).tag(
        label="boundary",
        tip="Ball mass p and margin Delta of the theorem, or of your own",
        when={"overlay": (BOUNDARY,)},
    )
    mass = Float(0.1, min=MASS_STEP, max=LARGEST_MASS, step=MASS_STEP, digits=3).tag(
        label="ball mass", symbol="p", tip="Balls up to this probability mass are considered", when=WHEN_SET
    )
    margin = Float(0.05, min=0, max=0.5).tag(
        label="margin", symbol="Delta", tip="By how much the best weighted class must lead in every ball", when=WHEN_SET
    )
    delta = Float(0.05, min=0.01, max=0.5).tag(
        label="failure probability",
        symbol="delta",
        tip="The theorem holds except with this probability",
        when={"overlay": (BOUNDARY,), "boundary": (THEOREM_1,)},
    )

    def refusal(self, values: Mapping[str, Any]) -> str | None:
        source, overlay = problem_named(values["problem"]), values["overlay"]
        unknown = overlay != REGIONS_ONLY and source.eta is None
        return f"{overlay} needs a known distribution, but {source.name} is data" if unknown else None

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        return {"overlay"} if problem_named(values["problem"]).eta is None else set()

    @stage
    def theorem(self) -> khim.BoundaryBound:
        return khim.theorem_1(self.data.n, self.data.k, self.delta, self.q)

    @stage
    def inside(self) -> np.ndarray | None:
        """Cells (m,) bool in the set, those of the map or of the balls; None if it needs larger balls than are kept."""
        if self.overlay == DISAGREEMENT:
            return self.vote.decisions != self.vote.bayes_decisions
        balls, n, k, q = self.cells.balls[1], self.data.n, self.data.k, self.q
        largest = balls.masses[-1]
        if self.overlay == LOWER_BOUND:
            needed = min((k + np.sqrt(k) + 1) / n, 1)
            return regions.lower_bound_set(balls, n, k, q) if needed <= largest else None
        chosen = self if self.boundary == AS_SET else self.theorem
        mass, margin = chosen.mass, chosen.margin
        # No class can lead by more than the largest weight: then all points are in the boundary.
        if margin > max(q) or mass > 1:
            return np.ones(len(balls), bool)
        return regions.effective_boundary(balls, mass, margin, q) if mass <= largest else None

    @stage
    def numbers(self) -> dict[str, Any]:
        """The mass of the set, and the bound that follows from it; a note if it needs larger balls than are kept."""
        if self.overlay in (DISAGREEMENT, REGIONS_ONLY):
            return {}
        resolution, balls = self.cells.balls
        if self.inside is None:
            return {"note": f"balls reach beyond mass {balls.masses[-1]:g}, the largest that is kept"}
        measure = field(self.data.problem, resolution).measure
        assert measure is not None
        # Masses of cells sum to 1 only up to rounding.
        mass = float(min(measure.weights[self.inside].sum(), 1.0))
        if self.overlay == LOWER_BOUND:
            return {"lower_mass": mass}
        return {"boundary_mass": mass} | (self.bound(mass) if self.boundary == THEOREM_1 else {})

    def bound(self, mass: float) -> dict[str, Any]:
        """Theorem 1's p, Delta and bound for a mass of its boundary; a note if k is too small or the bound vacuous."""
        theorem, bound = self.theorem, min(1.0, self.delta + mass)
        found = {"ball_mass": theorem.mass, "ball_margin": theorem.margin, "bound": bound}
        for unmet in khim.unmet_conditions("theorem_1", self.data.n, self.data.k, self.delta):
            return found | {"note": f"{unmet} for the theorem"}
        return found | ({"note": "the bound is vacuous"} if bound == 1 else {})

    @stage
    def layers(self) -> tuple[Layer, ...]:
        if self.overlay == REGIONS_ONLY or self.inside is None:
            return ()
        return (set_view.region(self.data.chosen_problem, self.inside, "set", self.overlay),)
