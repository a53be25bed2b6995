"""ActiveRatesLab: what theory promises of passive and of active votes, and where the promise contradicts itself."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from knnviz import problems, regions
from knnviz.bounds import chaudhuri_dasgupta, closed_forms, rittler
from knnviz.bounds.chaudhuri_dasgupta import Theorem3
from knnviz.bounds.rittler import RateCurves
from knnviz.labs.ground import within
from knnviz.labs.lab import Lab, Preset
from knnviz.labs.parameters import Choice, Float, Int, Ladder
from knnviz.labs.sheets import Sheet, SheetLab
from knnviz.labs.stages import stage
from knnviz.problems import Measure, Problem
from knnviz.profiles import BallProfile
from knnviz.views import active_rates as view
from knnviz.views import line as line_view
from knnviz.views import sets as set_view
from knnviz.views.layers import Axes, Layer, Panel

#: Where alpha, beta and L come from.
ASSUMED = ("as set", "power family")

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

#: Problems of which no alpha says how smooth they are.
ROUGH = ("bump", "jump", "two atoms")

#: Cells of the Line, at once and soon after, with balls of every mass on them; how far around an atom is shaded.
COARSE, FULL, NEAR = 400, 1000, 0.05

#: Exponents that differ by less are equal.
TIE = 1e-9

#: Numbers that are shown to a few digits, whatever their size.
WIDE = ("active_k", "ratio")

#: Places on the axis of n.
PLACES = np.geomspace(*view.SIZES, 561)

SCREEN = Sheet(
    (920, 660),
    more={
        "rates": (92, 40, 352, 200),
        "condition": (540, 40, 366, 200),
        "line": (92, 370, 352, 188),
        "neighbors": (540, 370, 366, 188),
    },
    legend={"legend_left": 8},
)
PROJECTOR = Sheet(
    (667, 534),
    more={
        "rates": (94, 36, 226, 140),
        "condition": (408, 36, 246, 140),
        "line": (94, 306, 226, 122),
        "neighbors": (408, 306, 246, 122),
    },
    scale=1.5,
    legend={"legend_size": 12.0, "legend_left": 58},
)

COROLLARY, THEOREM = "Rittler & Chaudhuri, Corollary 1", "Rittler & Chaudhuri, Theorem 3"
QUESTION = {"total": 3000, "k": 300}


class Ground(NamedTuple):
    """Cells or atoms of a line with their masses, and the balls around them."""

    measure: Measure
    balls: BallProfile


class ActiveRatesLab(SheetLab):
    """Rates, their condition and their k over n, and the effective boundary of Theorem 3 on a line."""

    title = "promises of active learning"
    sheets = (SCREEN, PROJECTOR)
    number_names: Mapping[str, str] = {
        "passive_exponent": "passive exponent",
        "active_exponent": "active exponent",
        "active_k": "active k at n",
        "ratio": "(*) ratio at n",
        "condition_holds": "(*) holds",
        "k_within": "k from 1 to n",
        "usable": "usable for n",
        "boundary_mass": "boundary mass",
        "closed_form": "closed form",
        "bound": "Theorem 3's bound",
        "vacuous": "vacuous",
        "mean_vote_error": "mean vote errs on",
        "rates_note": "on the rates",
        "theorem_note": "on Theorem 3",
    }

    assumed = Choice(ASSUMED[0], ASSUMED).tag(
        label="assumed",
        group="Assumptions",
        tip="alpha, beta and L as set below, or those of the family: min(kappa, 1), 1 / kappa and max(kappa, 1)",
    )
    kappa = Float(2.0, min=0.6, max=6, step=0.1).tag(
        label="power family", symbol="kappa", tip="eta leaves 1/2 like the power kappa of the distance"
    )
    smoothness = Float(1.0, min=0.1, max=1, step=0.05).tag(
        label="smoothness", symbol="alpha", tip="eta changes at most by L times the mass between, to the power alpha"
    )
    smoothness_constant = Float(1.0, min=0.1, max=10, step=0.1).tag(
        label="its constant", symbol="L", tip="eta changes at most by L times the mass between, to the power alpha"
    )
    margin_exponent = Float(0.9, min=0.1, max=1.95, step=0.05).tag(
        label="margin exponent", symbol="beta", tip="eta is within t of one half on a mass of order t^beta"
    )
    dimension = Int(1, min=1, max=10).tag(
        label="dimension of points", tip="Of the condition alone, where d is one more; the line stays a line"
    )
    delta = Float(0.1, min=0.01, max=0.5).tag(
        label="failure probability", symbol="delta", tip="The promises hold but for this probability"
    )
    constant_power = Float(0.0, min=-6, max=3, step=0.5, digits=1).tag(
        label="unknown constant, power of ten",
        group="Rates",
        tip="The theorems ask for some constant in k and do not name it: 0 stands for 1, -3 for 0.001",
    )
    n = Ladder(1_000_000, min=100, max=10**16).tag(
        label="labels", symbol="n", tip="Where rates, neighbors and condition are read"
    )
    problem = Choice("linear", PROBLEMS).tag(label="problem", group="Theorem 3", tip="How eta runs over the line")
    width = Float(0.2, min=0.02, max=0.5).tag(label="width of the bump", tip="Around the middle")
    height = Float(0.9, min=0.51, max=1).tag(label="eta on the bump", tip="Above one half")
    low = Float(0.1, min=0, max=0.49).tag(label="eta beside it", tip="Below one half")
    a = Float(0.3, min=0.02, max=0.5).tag(label="height of the jump", symbol="a", tip="To each side of one half")
    s = Float(0.8, min=0.05, max=1, step=0.05).tag(label="slope", symbol="s", tip="Of a straight eta")
    total = Ladder(1000, min=100, max=1_000_000).tag(label="all labels", symbol="N", tip="n + m: those of both rounds")
    k = Ladder(60, min=1, max=1_000_000).tag(label="neighbors", symbol="k", tip="Number of neighbors that vote")
    sides = Choice(SIDES[0], SIDES).tag(
        label="boundary",
        tip="Whether a ball on the wrong side of 1/2 counts, or, as printed, only one within Delta of it",
    )
    locality = Choice(LOCALITY[0], LOCALITY).tag(
        label="c_delta",
        tip="p = c_delta k / N, with 1 / (1 - sqrt(4 log(2 / delta) / k)); or 1, which no theorem covers",
    )

    presets = (
        Preset("Corollary 1 at alpha 1, beta .9", COROLLARY, {}),
        Preset("constant .001", COROLLARY, {"constant_power": -3.0}),
        Preset("power family, kappa 2", COROLLARY, {"assumed": ASSUMED[1], "problem": "power", "constant_power": -3.0}),
        Preset("k beyond n", COROLLARY, {"margin_exponent": 1.5}),
        Preset("Theorem 3's bump", THEOREM, {"problem": "bump"}),
        Preset("Q1 jump", THEOREM, QUESTION | {"problem": "jump"}),
        Preset("Q1 linear", THEOREM, QUESTION),
        Preset(
            "two atoms, as printed",
            "Rittler & Chaudhuri, Definition 2",
            {"problem": "two atoms", "total": 10_000, "k": 4500, "delta": 0.01, "sides": SIDES[1]},
        ),
    )

    def actions(self) -> list[tuple[str, str, Callable[[], Any]]]:
        """Buttons: back to the start; there is no sample to draw."""
        return Lab.actions(self)

    def validate(self, values: Mapping[str, Any]) -> None:
        """k is at most N."""
        if values["k"] > values["total"]:
            raise ValueError(f"neighbors k must not exceed all labels N, got {values['k']} and {values['total']}")

    def ends(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """k goes up to N, and N down to k."""
        low, *_, high = ends = super().ends(name, values)
        if name == "k":
            return low, values["total"]
        return (max(low, values["k"]), high) if name == "total" else ends

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """What does nothing: parameters of other problems, and alpha, beta and L of one's own beside a family's."""
        used = set(PROBLEMS[values["problem"]][0])
        tied = {"smoothness", "margin_exponent", "smoothness_constant"}
        if values["assumed"] == ASSUMED[1]:
            used |= {"kappa"}
        else:
            used |= tied
        return {name for names, _ in PROBLEMS.values() for name in names} - used | tied - used

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """A place over n is an n of two digits."""
        return {} if panel == "map" else {"n": int(float(f"{within(x, view.SIZES):.2g}"))}

    @property
    def rough(self) -> bool:
        """Whether the line still has few cells."""
        return len(self.ground.balls) == COARSE

    @stage(steady=True)
    def smooth(self) -> tuple[float, float, float]:
        """alpha, beta and L."""
        if self.assumed == ASSUMED[0]:
            return self.smoothness, self.margin_exponent, self.smoothness_constant
        return min(self.kappa, 1.0), 1 / self.kappa, max(self.kappa, 1.0)

    def rates_at(self, sizes: np.ndarray) -> RateCurves:
        """Both rates at sizes (J,)."""
        alpha, beta, L = self.smooth
        more = {"dimension": self.dimension, "smoothness_constant": L, "constant": 10**self.constant_power}
        return rittler.rate_curves(sizes, alpha, beta, self.delta, **more)

    @stage
    def curves(self) -> RateCurves:
        """Both rates over n."""
        return self.rates_at(PLACES)

    @stage
    def here(self) -> RateCurves:
        """Both rates at n."""
        return self.rates_at(np.array([float(self.n)]))

    @stage(steady=True)
    def usable(self) -> str:
        """Where on the axis of n the corollary may be used."""
        good = self.curves.holds & self.curves.possible
        edges = np.flatnonzero(np.diff(good, prepend=False, append=False)).reshape(-1, 2)
        more = " or more" if good[-1] else ""
        spans = (f"{view.written(PLACES[first])} to {view.written(PLACES[last - 1])}" for first, last in edges)
        return ", ".join(spans) + more or "none"

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

    @stage(steady=True)
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

    @stage(steady=True)
    def closed_form(self) -> float | None:
        """The mass of the sign-consistent boundary by a formula, if there is one."""
        formula, theorem = FORMULAS.get(self.problem), self.theorem
        if formula is None or theorem is None or theorem.mass > 1:
            return None
        try:
            return formula(*self.plane.parameters.values(), theorem.mass, theorem.margin)
        except ValueError:
            return None

    @stage(steady=True)
    def mean_vote_error(self) -> float:
        """The mass of points where eta, averaged over the ball of mass k / N, is on the other side of 1/2."""
        measure, balls = self.ground
        ones = balls.frequency[balls.reach("k / N", self.k / self.total), 1]
        return float(measure.weights[(ones >= 0.5) != balls.best].sum())

    @stage
    def rates_note(self) -> str:
        """What is to be said against the rates."""
        (alpha, beta, _), possible = self.smooth, bool(self.here.possible[0])
        said = (
            (f"alpha beta = {alpha * beta:.2f} reaches 1, so k is of order n or more", alpha * beta >= 1 - TIE),
            (
                f"alpha (2 - beta) = {alpha * (2 - beta):.2f} is below 1, so in the end (*) fails by its slack alone",
                alpha * (2 - beta) < 1 - TIE,
            ),
            (f"the active k would be {view.written(self.here.active_neighbors[0])}, not from 1 to n", not possible),
            (f"no alpha fits the {self.problem}, so Corollary 1 leaves it out", self.problem in ROUGH),
        )
        return "; ".join(text for text, is_so in said if is_so)

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
    def rate_numbers(self) -> dict[str, Any]:
        """What the lab reads out of the rates."""
        (alpha, beta, _), here = self.smooth, self.here
        active, passive = (
            each(alpha, beta) for each in (rittler.active_exponents, chaudhuri_dasgupta.passive_exponents)
        )
        return {
            "passive_exponent": passive.disagreement,
            "active_exponent": active.disagreement,
            "E": 1 + 2 * alpha - alpha * beta,
            "passive_k_exponent": passive.neighbors,
            "active_k_exponent": active.neighbors,
            "passive_rate": float(here.passive[0]),
            "active_rate": float(here.active[0]),
            "passive_k": float(here.passive_neighbors[0]),
            "active_k": float(here.active_neighbors[0]),
            "passive_ratio": float(here.passive_ratio[0]),
            "ratio": float(here.active_ratio[0]),
            "condition_holds": bool(here.holds[0]),
            "k_within": bool(here.possible[0]),
            "usable": self.usable,
        }

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
    def numbers(self) -> dict[str, Any]:
        """What the lab reads out; None for what there is not."""
        notes = {"rates_note": self.rates_note, "theorem_note": self.theorem_note}
        return {**self.rate_numbers, **self.theorem_numbers, **{name: note for name, note in notes.items() if note}}

    def shown_numbers(self) -> dict[str, str]:
        """The numbers on screen, in the order of their names: yes and no for what is so or not."""
        words = {"True": "yes", "False": "no", "None": "none"}
        found = super().shown_numbers() | {self.number_names[key]: view.written(self.numbers[key]) for key in WIDE}
        return {name: words.get(found[name], found[name]) for name in self.number_names.values() if name in found}

    @stage(steady=True)
    def lowest(self) -> int:
        """The power of ten where the axis of rates ends."""
        return view.lowest(self.curves.active)

    @stage
    def rate_layers(self) -> tuple[Layer, ...]:
        """Both rates."""
        found = self.curves
        there = (found.passive_neighbors >= 1) & (found.passive_neighbors <= found.sizes)
        given = view.Rates(found.sizes, found.passive, found.active, found.holds, there, found.possible)
        return tuple(view.rates(given, self.lowest))

    @stage
    def condition_layers(self) -> tuple[Layer, ...]:
        """Both sides of the condition, divided."""
        return tuple(view.condition(PLACES, self.curves.passive_ratio, self.curves.active_ratio))

    @stage
    def neighbor_layers(self) -> tuple[Layer, ...]:
        """The k of both rates."""
        return tuple(view.neighbors(PLACES, self.curves.passive_neighbors, self.curves.active_neighbors))

    @stage
    def here_layers(self) -> tuple[tuple[Layer, ...], ...]:
        """The n in hand, on the rates, the condition and the neighbors."""
        read, n, low = self.rate_numbers, float(self.n), self.lowest
        values = (("passive_rate", "active_rate"), ("passive_ratio", "ratio"), ("passive_k", "active_k"))
        ends = (low, view.ROOM), view.RATIOS, view.NEIGHBORS
        rates, *others = (
            tuple(view.at(n, limits, tuple(read[name] for name in names)))
            for limits, names in zip(ends, values, strict=True)
        )
        return (*rates, view.handle(n, low)), *others

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
    def panels(self) -> tuple[Panel, ...]:
        """The rates with their condition above, the line and the neighbors below."""
        rates, condition, neighbors = self.here_layers
        width, *read = self.reading_layers
        line = self.boundary_layer, width, *self.eta_layers, *read
        layers = (
            (*self.rate_layers, *rates),
            (*self.condition_layers, *condition),
            line,
            (*self.neighbor_layers, *neighbors),
        )
        return tuple(map(Panel, self.axes, layers))

    @stage
    def axes(self) -> tuple[Axes, ...]:
        """The frames of the panels."""
        sheet = self.sheet
        frames = (
            view.rate_axes(sheet.more["rates"], self.lowest),
            view.condition_axes(sheet.more["condition"]),
            view.line_axes(self.plane, sheet.more["line"]),
            view.neighbor_axes(sheet.more["neighbors"]),
        )
        return sheet.framed(frames)

    @stage
    def alt(self) -> str:
        """The picture in words and numbers."""
        read = self.rate_numbers
        at = (read["passive_rate"], read["active_rate"]), (read["passive_k"], read["active_k"])
        mass = None if self.theorem is None else self.theorem.mass
        line = view.describe_line(self.problem, mass, self.margin, self.inside)
        return f"{view.describe(self.n, *at, read['ratio'], self.usable)} {line} {self.told_numbers()}."
