"""What a lab shares that shows Theorem 3 on a line: problems with closed forms, p and Delta, the effective boundary."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from knnviz import problems, regions
from knnviz.bounds import chaudhuri_dasgupta, closed_forms
from knnviz.bounds.chaudhuri_dasgupta import Theorem3
from knnviz.labs.engine.lab import Lab
from knnviz.labs.engine.parameters import Choice, Float, LogInt
from knnviz.labs.engine.stages import stage
from knnviz.labs.sheets import SheetLab
from knnviz.problems import Measure, Problem
from knnviz.profiles import BallProfile
from knnviz.views import active_rates as view
from knnviz.views import line as line_view
from knnviz.views import sets as set_view
from knnviz.views.layers import Layer

#: Which effective boundary is meant, and which c_delta.
SIDES, LOCALITY = ("sign-consistent", "literal"), ("formula", "1 (no theorem)")

#: The problems on the line by name, the parameters that make them, and what makes them.
PROBLEMS: Mapping[str, tuple[tuple[str, ...], Callable[..., Problem]]] = {
    "bump": (("width", "height", "low"), problems.bump),
    "jump": (("a",), problems.jump),
    "linear": (("s",), problems.linear),
    "power": (("kappa",), problems.power),
    "two atoms": ((), lambda: Problem.from_atoms([[0.2], [0.6]], [0.2, 0.8], [1.0, 0.0], box=[(0, 1)])),
}

#: Formulas for the mass of their effective boundary.
FORMULAS: Mapping[str, Callable[..., float]] = {
    "bump": closed_forms.bump_boundary_mass,
    "jump": closed_forms.jump_boundary_mass,
    "linear": closed_forms.linear_boundary_mass,
    "power": closed_forms.power_boundary_mass,
}

#: Cells of the Line, at once and soon after, with balls of every mass on them; how far around an atom is shaded.
COARSE, FULL, NEAR = 400, 1000, 0.05


class Ground(NamedTuple):
    """Cells or atoms of a line with their masses, and the balls around them."""

    measure: Measure
    balls: BallProfile


class BoundaryLab(SheetLab):
    """The effective boundary of Theorem 3 on a line, its mass, and the bound; a subclass adds panels."""

    delta = Float(0.1, min=0.01, max=0.5).tag(
        label="failure probability", symbol="delta", tip="The promises hold but for this probability"
    )
    problem = Choice("linear", PROBLEMS).tag(label="problem", group="Theorem 3", tip="How eta runs over the line")
    width = Float(0.2, min=0.02, max=0.5).tag(label="width of the bump", tip="Around the middle")
    height = Float(0.9, min=0.51, max=1).tag(label="eta on the bump", tip="Above one half")
    low = Float(0.1, min=0, max=0.49).tag(label="eta beside it", tip="Below one half")
    a = Float(0.3, min=0.02, max=0.5).tag(label="height of the jump", symbol="a", tip="To each side of one half")
    s = Float(0.8, min=0.05, max=1, step=0.05).tag(label="slope", symbol="s", tip="Of a straight eta")
    total = LogInt(1000, min=100, max=1_000_000).tag(label="all labels", symbol="N", tip="n + m: those of both rounds")
    k = LogInt(60, min=1, max=1_000_000).tag(label="neighbors", symbol="k", tip="Number of neighbors that vote")
    sides = Choice(SIDES[0], SIDES).tag(
        label="boundary",
        tip="Whether a ball on the wrong side of 1/2 counts, or, as printed, only one within Delta of it",
    )
    locality = Choice(LOCALITY[0], LOCALITY).tag(
        label="c_delta",
        tip="p = c_delta k / N, with 1 / (1 - sqrt(4 log(2 / delta) / k)); or 1, which no theorem covers",
    )
    kappa = Float(2.0, min=0.6, max=6, step=0.1).tag(
        label="power family", symbol="kappa", tip="eta leaves 1/2 like the power kappa of the distance"
    )

    def actions(self) -> list[tuple[str, str, Callable[[], Any]]]:
        """Buttons: back to the start; there is no sample to draw."""
        return Lab.actions(self)

    def validate(self, values: Mapping[str, Any]) -> None:
        """k is at most N."""
        if values["k"] > values["total"]:
            raise ValueError(f"neighbors k must not exceed all labels N, got {values['k']} and {values['total']}")

    def slider_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """k goes up to N, and N down to k."""
        low, *_, high = ends = super().slider_range(name, values)
        if name == "k":
            return low, values["total"]
        return (max(low, values["k"]), high) if name == "total" else ends

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """What does nothing: parameters of other problems."""
        used = PROBLEMS[values["problem"]][0]
        return {name for names, _ in PROBLEMS.values() for name in names} - set(used)

    @property
    def is_preview(self) -> bool:
        """Whether the line still has few cells."""
        return len(self.ground.balls) == COARSE

    @stage
    def plane(self) -> Problem:
        """The distribution on the line."""
        names, make = PROBLEMS[self.problem]
        return make(**{name: getattr(self, name) for name in names})

    @stage(background=True)
    def ground(self) -> Iterator[Ground]:
        """Balls of every mass around the cells: of few cells first. Two atoms have three balls."""
        plane = self.plane
        for cells in (COARSE, FULL) if plane.atoms is None else (len(plane.atoms.weights),):
            measure, eta = plane.cells(cells)
            masses = np.arange(1, cells + 1) / cells if plane.atoms is None else np.append(measure.weights, 1.0)
            yield Ground(measure, BallProfile.integrate(measure, eta, masses=masses))

    @stage
    def theorem(self) -> Theorem3 | None:
        """Theorem 3; None where its k is too small for any p."""
        ground, formula, k = self.ground, self.locality == LOCALITY[0], self.k
        if formula and k <= chaudhuri_dasgupta.least_neighbors(self.delta):
            return None
        look = {"literal": self.literal, "constant": None if formula else 1.0, "weights": ground.measure.weights}
        return chaudhuri_dasgupta.theorem_3(ground.balls, self.total, k, self.delta, **look)

    @property
    def literal(self) -> bool:
        """Whether the boundary ignores the side of 1/2."""
        return self.sides == SIDES[1]

    @stage(compare_values=True)
    def margin(self) -> float:
        """Delta."""
        return chaudhuri_dasgupta.margin(self.k, self.delta)

    @stage
    def inside(self) -> np.ndarray:
        """The effective boundary at the cells or atoms: all of them where no ball is as large as p, none without p."""
        balls, theorem = self.ground.balls, self.theorem
        if theorem is None or theorem.mass > 1:
            return np.full(len(balls), theorem is not None)
        return regions.effective_boundary(balls, theorem.mass, theorem.margin, literal=self.literal)

    @stage(compare_values=True)
    def closed_form(self) -> float | None:
        """The mass of the sign-consistent boundary by a formula, if there is one."""
        formula, theorem = FORMULAS.get(self.problem), self.theorem
        if formula is None or theorem is None or theorem.mass > 1:
            return None
        try:
            return formula(*self.plane.parameters.values(), theorem.mass, theorem.margin)
        except ValueError:
            return None

    @stage(compare_values=True)
    def mean_vote_error(self) -> float:
        """The mass of points where eta, averaged over the ball of mass k / N, is on the other side of 1/2."""
        measure, balls = self.ground
        ones = balls.frequency[balls.reach("k / N", self.k / self.total), 1]
        return float(measure.weights[(ones >= 0.5) != balls.best].sum())

    @stage
    def theorem_note(self) -> str:
        """What is to be said against Theorem 3 here."""
        theorem, least = self.theorem, chaudhuri_dasgupta.least_neighbors(self.delta)
        bound = 1.0 if theorem is None else theorem.value
        said = (
            (f"k must exceed {least:.2f}", theorem is None),
            ("no ball has a mass p above 1", theorem is not None and theorem.mass > 1),
            ("with c_delta = 1 it is no theorem", self.locality == LOCALITY[1]),
            (
                "the mean vote errs on more than the bound: as printed it is false for atoms",
                bound < self.mean_vote_error,
            ),
        )
        return "; ".join(text for text, is_so in said if is_so)

    @stage
    def theorem_numbers(self) -> dict[str, Any]:
        """What the lab reads out of Theorem 3."""
        theorem = self.theorem
        names = {"p": "mass", "boundary_mass": "boundary_mass", "bound": "value"}
        found = {key: None if theorem is None else getattr(theorem, name) for key, name in names.items()}
        return {
            "Delta": self.margin,
            **found,
            "closed_form": self.closed_form,
            "vacuous": theorem is None or theorem.vacuous,
            "mean_vote_error": self.mean_vote_error,
        }

    @stage
    def eta_layers(self) -> tuple[Layer, ...]:
        """eta over the line, or at atoms."""
        plane, measure = self.plane, self.ground.measure
        eta = plane.eta(measure.points)
        if plane.atoms is not None:
            return tuple(view.atoms(measure.points[:, 0], eta[:, 1], measure.weights))
        return tuple(line_view.eta_curves(measure.points[:, 0], eta))

    @stage
    def boundary_layer(self) -> Layer:
        """The effective boundary on the line; around atoms what is near them."""
        inside, points = self.inside, self.ground.measure.points
        if self.plane.atoms is not None:
            across = abs(self.plane.grid(FULL).points - points.T)
            inside = (across[:, inside] < NEAR).any(axis=1)
        return set_view.region(self.plane, inside, "boundary", "effective boundary")

    @stage
    def reading_layers(self) -> tuple[Layer, ...]:
        """Delta around 1/2, a ball of mass p, and both in numbers."""
        theorem, margin = self.theorem, self.margin
        if theorem is None:
            return view.margin_band(margin), view.ball(np.nan), view.reading(margin, None, None, None)
        length = np.nan if self.plane.atoms is not None else theorem.mass
        bound = None if theorem.vacuous else theorem.value
        told = view.reading(margin, theorem.mass, theorem.boundary_mass, bound)
        return view.margin_band(margin), view.ball(length), told

    @stage
    def line_layers(self) -> tuple[Layer, ...]:
        """The effective boundary, eta, and how far p and Delta reach."""
        width, *read = self.reading_layers
        return self.boundary_layer, width, *self.eta_layers, *read

    @stage
    def line_words(self) -> str:
        """The Line in words and numbers."""
        mass = None if self.theorem is None else self.theorem.mass
        return view.describe_line(self.problem, mass, self.margin, self.inside)
