"""Theorem 3 on a line: problems with closed forms, p and Delta, the effective boundary, and the bound."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from knnviz import problems, regions
from knnviz.bounds import chaudhuri_dasgupta, closed_forms
from knnviz.labs.active_rates import layers as view
from knnviz.labs.old_engine import Choice, Component, Float, Input, LogInt, Panel, stage
from knnviz.problems import Measure, Problem
from knnviz.profiles import BallProfile
from knnviz.views.layers import Axes, Layer

#: Options of the definition of the effective boundary, and of c_delta.
SIGN_CONSISTENT, LITERAL = SIDES = ("sign-consistent", "literal")
FORMULA, ONE = LOCALITY = ("formula", "1 (no theorem)")

#: The problems on the line by name: their parameters, and the function of these that makes them.
PROBLEMS: Mapping[str, tuple[tuple[str, ...], Callable[..., Problem]]] = {
    "bump": (("width", "height", "low"), problems.bump),
    "jump": (("a",), problems.jump),
    "linear": (("s",), problems.linear),
    "power": (("kappa",), problems.power),
    "two atoms": ((), lambda: Problem.from_atoms([[0.2], [0.6]], [0.2, 0.8], [1.0, 0.0], box=[(0, 1)])),
}

#: Closed forms of the mass of the effective boundary, by problem.
CLOSED_FORMS: Mapping[str, Callable[..., float]] = {
    "bump": closed_forms.bump_boundary_mass,
    "jump": closed_forms.jump_boundary_mass,
    "linear": closed_forms.linear_boundary_mass,
    "power": closed_forms.power_boundary_mass,
}

#: Cells of the line over which masses are summed.
LINE_CELLS = 1000


class Boundary(Component):
    """The effective boundary of Theorem 3 on a line, its mass, and the bound."""

    delta: float = Input()
    kappa: float = Input()

    problem = Choice("linear", PROBLEMS).tag(label="problem", group="Theorem 3", tip="How eta runs over the line")
    width = Float(0.2, min=0.02, max=0.5).tag(label="width of the bump", tip="Around the middle")
    height = Float(0.9, min=0.51, max=1).tag(label="eta on the bump", tip="Above one half")
    low = Float(0.1, min=0, max=0.49).tag(label="eta beside it", tip="Below one half")
    a = Float(0.3, min=0.02, max=0.5).tag(label="height of the jump", symbol="a", tip="To each side of one half")
    s = Float(0.8, min=0.05, max=1, step=0.05).tag(label="slope", symbol="s", tip="Of a straight eta")
    total = LogInt(1000, min=100, max=1_000_000).tag(label="all labels", symbol="N", tip="n + m: those of both rounds")
    k = LogInt(60, min=1, max=1_000_000).tag(
        label="neighbors", symbol="k", tip="Number of neighbors that vote", at_most="total"
    )
    sides = Choice(SIGN_CONSISTENT, SIDES).tag(
        label="boundary",
        tip="Whether a ball on the wrong side of 1/2 counts, or, as printed, only one within Delta of it",
    )
    locality = Choice(FORMULA, LOCALITY).tag(
        label="c_delta",
        tip="p = c_delta k / N, with 1 / (1 - sqrt(4 log(2 / delta) / k)); or 1, which no theorem covers",
    )

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        of_problems = {name for names, _ in PROBLEMS.values() for name in names}
        return of_problems & self.parameters.keys() - {*PROBLEMS[values["problem"]][0]}

    @stage
    def chosen_problem(self) -> Problem:
        names, make = PROBLEMS[self.problem]
        return make(*[getattr(self, name) for name in names])

    @stage
    def cells(self) -> tuple[Measure, np.ndarray]:
        """The cells or atoms with their weights, and eta (m, 2) at them."""
        return self.chosen_problem.cells(LINE_CELLS)

    @stage(compare_values=True)
    def mass(self) -> float | None:
        """p; None where k is too small for any."""
        if self.locality == ONE:
            return chaudhuri_dasgupta.mass(self.total, self.k, self.delta, 1.0)
        if self.k <= chaudhuri_dasgupta.least_neighbors(self.delta):
            return None
        return chaudhuri_dasgupta.mass(self.total, self.k, self.delta)

    @stage(compare_values=True)
    def margin(self) -> float:
        """Delta."""
        return chaudhuri_dasgupta.margin(self.k, self.delta)

    @stage
    def balls(self) -> BallProfile:
        (measure, eta), p = self.cells, self.mass
        masses = {self.k / self.total, *([p] if p is not None and p <= 1 else [])}
        return BallProfile.integrate(measure, eta, masses=sorted(masses))

    @stage
    def inside(self) -> np.ndarray:
        """Cells or atoms (m,) bool in the effective boundary: all where no ball is as large as p, none without p."""
        p = self.mass
        if p is None or p > 1:
            return np.full(len(self.cells[1]), p is not None)
        return regions.effective_boundary(self.balls, p, self.margin, literal=self.sides == LITERAL)

    @stage(compare_values=True)
    def boundary_mass(self) -> float | None:
        """Probability of the effective boundary; None without p."""
        p = self.mass
        if p is None:
            return None
        return 1.0 if p > 1 else float(self.cells[0].weights @ self.inside)

    @stage(compare_values=True)
    def bound(self) -> float | None:
        """The bound of Theorem 3 on the disagreement; None without p."""
        return None if self.boundary_mass is None else self.boundary_mass + self.delta

    @stage(compare_values=True)
    def closed_form(self) -> float | None:
        formula, p = CLOSED_FORMS.get(self.problem), self.mass
        if formula is None or p is None or p > 1:
            return None
        found = formula(*self.chosen_problem.parameters.values(), p, self.margin)
        return found if np.isfinite(found) else None

    @stage(compare_values=True)
    def mean_vote_error(self) -> float:
        """The mass of points where eta, averaged over the ball of mass k / N, is on the other side of 1/2."""
        balls = self.balls
        ones = balls.frequency[balls.first_at_least(self.k / self.total), 1]
        return float(self.cells[0].weights[(ones >= 0.5) != balls.best].sum())

    @stage
    def note(self) -> str:
        p, least = self.mass, chaudhuri_dasgupta.least_neighbors(self.delta)
        value = 1.0 if self.bound is None else self.bound
        notes = {
            f"k must exceed {least:.2f}": p is None,
            "no ball has a mass p above 1": p is not None and p > 1,
            "with c_delta = 1 it is no theorem": self.locality == ONE,
            "the mean vote errs on more than the bound: as printed it is false for atoms": value < self.mean_vote_error,
        }
        return "; ".join(text for text, applies in notes.items() if applies)

    @stage
    def numbers(self) -> dict[str, Any]:
        return {
            "Delta": self.margin,
            "p": self.mass,
            "boundary_mass": self.boundary_mass,
            "bound": self.bound,
            "closed_form": self.closed_form,
            "vacuous": self.bound is None or self.bound >= 1,
            "mean_vote_error": self.mean_vote_error,
        }


class BoundaryPanel(Panel):
    """The effective boundary on the line, eta, the band 1/2 +- Delta, and an interval of length p."""

    boundary: Boundary = Input()

    def axes(self) -> Axes:
        return view.line_axes(self.boundary.chosen_problem)

    def layers(self) -> Iterator[Layer]:
        draw, found = self.draw, self.boundary
        problem, p = found.chosen_problem, found.mass
        yield draw(view.boundary, problem, found.inside)
        yield draw(view.margin_band, found.margin)
        yield from draw(view.eta, problem, *found.cells)
        yield draw(view.ball, np.nan if p is None or problem.atoms is not None else p)
        bound = None if found.bound is None or found.bound >= 1 else found.bound
        yield draw(view.value_label, found.margin, p, found.boundary_mass, bound)

    def alt_text(self) -> str:
        found = self.boundary
        return view.describe_line(found.problem, found.mass, found.margin, found.boundary_mass)
