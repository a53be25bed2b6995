"""ActiveRatesLab: what theory promises of passive and of active votes, and where the promise contradicts itself."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from knnviz.bounds import chaudhuri_dasgupta, rittler
from knnviz.bounds.rittler import RateCurves
from knnviz.labs.boundaries import SIDES, BoundaryLab
from knnviz.labs.engine.parameters import Choice, Float, Int, LogInt, within
from knnviz.labs.engine.scenes import Preset
from knnviz.labs.engine.stages import stage
from knnviz.labs.sheets import Sheet
from knnviz.views import active_rates as view
from knnviz.views.layers import Axes, Layer, Panel

#: Where alpha, beta and L come from.
ASSUMED = ("as set", "power family")

#: Problems of which no alpha says how smooth they are.
ROUGH = ("bump", "jump", "two atoms")

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


class ActiveRatesLab(BoundaryLab):
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
        "theorem_note": "on Theorem 3",
        "rates_note": "on the rates",
    }

    assumed = Choice(ASSUMED[0], ASSUMED).tag(
        label="assumed",
        group="Assumptions",
        tip="alpha, beta and L as set below, or those of the family: min(kappa, 1), 1 / kappa and max(kappa, 1)",
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
    constant_power = Float(0.0, min=-6, max=3, step=0.5, digits=1).tag(
        label="unknown constant, log10",
        group="Rates",
        tip="The theorems ask for some constant in k and do not name it: 0 stands for 1, -3 for 0.001",
    )
    n = LogInt(1_000_000, min=100, max=10**16).tag(
        label="labels", symbol="n", tip="Where rates, neighbors and condition are read"
    )
    order = (
        *("assumed", "kappa", "smoothness", "smoothness_constant", "margin_exponent", "dimension", "delta"),
        *("constant_power", "n", "problem", "width", "height", "low", "a", "s", "total", "k", "sides", "locality"),
    )

    presets = (
        Preset("Corollary 1 at alpha 1, beta .9", COROLLARY, {}),
        Preset("constant .001", COROLLARY, {"constant_power": -3.0}),
        Preset("power family, kappa 2", COROLLARY, {"assumed": ASSUMED[1], "problem": "power", "constant_power": -3.0}),
        Preset("k beyond n", COROLLARY, {"margin_exponent": 1.5}),
        Preset("Theorem 3's bump", THEOREM, {"problem": "bump"}),
        Preset("Theorem 3 on a jump", THEOREM, QUESTION | {"problem": "jump"}),
        Preset("Theorem 3 on a slope", THEOREM, QUESTION),
        Preset(
            "two atoms, as printed",
            "Rittler & Chaudhuri, Definition 2",
            {"problem": "two atoms", "total": 10_000, "k": 4500, "delta": 0.01, "sides": SIDES[1]},
        ),
    )

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        """What does nothing: alpha, beta and L of one's own beside a family's, which needs its kappa."""
        hidden = super().hidden(values)
        if values["assumed"] == ASSUMED[0]:
            return hidden
        return hidden - {"kappa"} | {"smoothness", "margin_exponent", "smoothness_constant"}

    def pick(self, panel: str, x: float, y: float, mark: str | None = None, index: int = 0) -> dict[str, Any]:
        """A place over n is an n of two digits."""
        return {} if panel == "map" else {"n": int(float(f"{within(x, view.SIZES):.2g}"))}

    @stage(compare_values=True)
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

    @stage(compare_values=True)
    def usable(self) -> str:
        """Where on the axis of n the corollary may be used."""
        good = self.curves.holds & self.curves.possible
        edges = np.flatnonzero(np.diff(good, prepend=False, append=False)).reshape(-1, 2)
        more = " or more" if good[-1] else ""
        spans = (f"{view.written(PLACES[first])} to {view.written(PLACES[last - 1])}" for first, last in edges)
        return ", ".join(spans) + more or "none"

    @stage
    def rates_note(self) -> str:
        """What is to be said against the rates."""
        (alpha, beta, _), possible = self.smooth, bool(self.here.possible[0])
        said = (
            (f"alpha beta = {alpha * beta:.2f} reaches 1, so k is of order n or more", alpha * beta >= 1 - TIE),
            (
                f"alpha (2 - beta) = {alpha * (2 - beta):.2f} is below 1: for large n the root in (*) is too large",
                alpha * (2 - beta) < 1 - TIE,
            ),
            (f"the active k would be {view.written(self.here.active_neighbors[0])}, not from 1 to n", not possible),
            (f"no alpha fits the {self.problem}, so Corollary 1 leaves it out", self.problem in ROUGH),
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
    def numbers(self) -> dict[str, Any]:
        """What the lab reads out; None for what there is not."""
        notes = {"rates_note": self.rates_note, "theorem_note": self.theorem_note}
        return {**self.rate_numbers, **self.theorem_numbers, **{name: note for name, note in notes.items() if note}}

    def shown_numbers(self) -> dict[str, str]:
        """The numbers on screen, in the order of their names."""
        found = super().shown_numbers() | {self.number_names[key]: view.written(self.numbers[key]) for key in WIDE}
        return {name: found[name] for name in self.number_names.values() if name in found}

    @stage(compare_values=True)
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
    def panels(self) -> tuple[Panel, ...]:
        """The rates with their condition above, the line and the neighbors below."""
        rates, condition, neighbors = self.here_layers
        layers = (
            (*self.rate_layers, *rates),
            (*self.condition_layers, *condition),
            self.line_layers,
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
        return f"{view.describe(self.n, *at, read['ratio'], self.usable)} {self.line_words} {self.numbers_text()}."
