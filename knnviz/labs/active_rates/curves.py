"""The passive and the active rate over n, condition (*) of the active one, and the k that both prescribe."""

from collections.abc import Iterator, Mapping
from math import log
from typing import Any

import numpy as np

from knnviz.bounds import chaudhuri_dasgupta, rittler
from knnviz.labs.active_rates import layers as view
from knnviz.labs.old_engine import Choice, Component, Float, Input, Int, LogInt, Panel, stage, within
from knnviz.views.layers import Axes, Layer, runs

#: Where alpha, beta and L come from: their own sliders, or the power kappa of the power family.
AS_SET, _ = ASSUMED = ("as set", "power family")

#: Problems whose eta is not smooth for any alpha.
ROUGH = ("bump", "jump", "two atoms")

#: The n at which curves are computed.
SIZES = np.geomspace(*view.SIZE_LIMITS, 561)


class Rates(Component):
    """Both rates, condition (*) and the prescribed k, for alpha, beta and L."""

    assumed = Choice(AS_SET, ASSUMED).tag(
        label="assumed",
        group="Assumptions",
        tip="alpha, beta and L as set below, or those of the family: min(kappa, 1), 1 / kappa and max(kappa, 1)",
    )
    kappa = Float(2.0, min=0.6, max=6, step=0.1).tag(
        label="power family", symbol="kappa", tip="eta leaves 1/2 like the power kappa of the distance"
    )
    smoothness = Float(1.0, min=0.1, max=1, step=0.05).tag(
        label="smoothness",
        symbol="alpha",
        tip="eta changes at most by L times the mass between, to the power alpha",
        when={"assumed": ASSUMED[:1]},
    )
    smoothness_constant = Float(1.0, min=0.1, max=10, step=0.1).tag(
        label="its constant",
        symbol="L",
        tip="eta changes at most by L times the mass between, to the power alpha",
        when={"assumed": ASSUMED[:1]},
    )
    margin_exponent = Float(0.9, min=0.1, max=1.95, step=0.05).tag(
        label="margin exponent",
        symbol="beta",
        tip="eta is within t of one half on a mass of order t^beta",
        when={"assumed": ASSUMED[:1]},
    )
    dimension = Int(1, min=1, max=10).tag(
        label="dimension of points", tip="Of the condition alone, where d is one more; the line stays a line"
    )
    delta = Float(0.1, min=0.01, max=0.5).tag(
        label="failure probability", symbol="delta", tip="The guarantees hold except with this probability"
    )
    constant_power = Float(0.0, min=-6, max=3, step=0.5, digits=1).tag(
        label="unknown constant, log10",
        group="Rates",
        tip="The theorems leave a constant in k unnamed: 0 stands for 1, -3 for 0.001",
    )
    n = LogInt(1_000_000, min=100, max=10**16).tag(
        label="labels", symbol="n", tip="Where rates, neighbors and condition are read"
    )

    def hidden(self, values: Mapping[str, Any]) -> set[str]:
        return {"kappa"} if values["assumed"] == AS_SET and values["problem"] != "power" else set()

    @stage(compare_values=True)
    def assumptions(self) -> tuple[float, float, float]:
        """alpha, beta and L."""
        if self.assumed == AS_SET:
            return self.smoothness, self.margin_exponent, self.smoothness_constant
        return min(self.kappa, 1.0), 1 / self.kappa, max(self.kappa, 1.0)

    def curves_at(self, sizes: np.ndarray) -> view.RateCurves:
        (alpha, beta, L), delta, constant = self.assumptions, self.delta, 10**self.constant_power
        exponent = chaudhuri_dasgupta.passive_exponents(alpha, beta).disagreement
        rates = (log(1 / delta) / sizes) ** exponent, rittler.corollary_1(sizes, alpha, beta, delta)
        # beta = 0 gives the k of the passive rate.
        ks = [rittler.active_neighbors(sizes, alpha, each, delta, constant) for each in (0.0, beta)]
        ratios = (rittler.condition_ratio(sizes, k, self.dimension, delta, alpha, L) for k in ks)
        return view.RateCurves(sizes, *rates, *ks, *ratios)

    @stage
    def curves(self) -> view.RateCurves:
        return self.curves_at(SIZES)

    @stage
    def at_n(self) -> view.RateCurves:
        return self.curves_at(np.array([float(self.n)]))

    @stage(compare_values=True)
    def usable(self) -> str:
        """The n at which Corollary 1 may be used, in words."""
        good = self.curves.holds & self.curves.possible
        ends = ((SIZES[start], SIZES[stop - 1]) for _, start, stop in runs(good[None]))
        intervals = (f"{view.short_number(low)} to {view.short_number(high)}" for low, high in ends)
        return ", ".join(intervals) + (" or more" if good[-1] else "") or "none"

    def note(self, problem: str) -> str:
        (alpha, beta, _), k = self.assumptions, view.short_number(self.at_n.active_neighbors[0])
        notes = rittler.unmet_conditions(alpha, beta)
        if not self.at_n.possible[0]:
            notes.append(f"the active k would be {k}, not from 1 to n")
        if problem in ROUGH:
            notes.append(f"no alpha fits the {problem}, so Corollary 1 leaves it out")
        return "; ".join(notes)

    @stage
    def numbers(self) -> dict[str, Any]:
        (alpha, beta, _), at_n = self.assumptions, self.at_n
        active = rittler.active_exponents(alpha, beta)
        passive = chaudhuri_dasgupta.passive_exponents(alpha, beta)
        return {
            "passive_exponent": passive.disagreement,
            "active_exponent": active.disagreement,
            # The denominator of both active exponents.
            "E": 1 + 2 * alpha - alpha * beta,
            "passive_k_exponent": passive.neighbors,
            "active_k_exponent": active.neighbors,
            "passive_rate": float(at_n.passive[0]),
            "active_rate": float(at_n.active[0]),
            "passive_k": float(at_n.passive_neighbors[0]),
            "active_k": float(at_n.active_neighbors[0]),
            "passive_ratio": float(at_n.passive_ratio[0]),
            "ratio": float(at_n.active_ratio[0]),
            "condition_holds": bool(at_n.holds[0]),
            "k_within": bool(at_n.possible[0]),
            "usable": self.usable,
        }


class SizePanel(Panel):
    """A panel over n, with a value for each rate at the n that is set."""

    rates: Rates = Input()

    def pick(self, x: float, y: float, mark: str | None, index: int) -> dict[str, Any]:
        return {"n": int(float(f"{within(x, view.SIZE_LIMITS):.2g}"))}

    def marks_at_n(self, limits: tuple[float, float], passive: str, active: str) -> list[Layer]:
        """A line at n, and dots at two numbers of the readout."""
        numbers = self.rates.numbers
        return self.draw(view.at_n, float(self.rates.n), limits, numbers[passive], numbers[active])


class RatePanel(SizePanel):
    """Both rates."""

    @stage(compare_values=True)
    def floor(self) -> int:
        return view.floor_of(self.rates.curves.active)

    def axes(self) -> Axes:
        return view.rate_axes(self.floor)

    def layers(self) -> Iterator[Layer]:
        yield from self.draw(view.rates, self.rates.curves, self.floor)
        yield from self.marks_at_n((self.floor, view.TOP), "passive_rate", "active_rate")
        yield self.draw(view.handle, float(self.rates.n), self.floor)

    def alt_text(self) -> str:
        return view.describe(self.rates.n, self.rates.numbers)


class ConditionPanel(SizePanel):
    """The ratio of both sides of condition (*)."""

    def axes(self) -> Axes:
        return view.log_axes("condition", "Condition (*)", "Δ / Δ needed", view.RATIO_LIMITS, 2)

    def layers(self) -> Iterator[Layer]:
        curves = self.rates.curves
        yield from self.draw(view.condition, SIZES, curves.passive_ratio, curves.active_ratio)
        yield from self.marks_at_n(view.RATIO_LIMITS, "passive_ratio", "ratio")


class NeighborPanel(SizePanel):
    """The k that both rates prescribe."""

    def axes(self) -> Axes:
        return view.log_axes("neighbors", "Neighbors prescribed", "k", view.NEIGHBOR_LIMITS, 4)

    def layers(self) -> Iterator[Layer]:
        curves = self.rates.curves
        yield from self.draw(view.neighbors, SIZES, curves.passive_neighbors, curves.active_neighbors)
        yield from self.marks_at_n(view.NEIGHBOR_LIMITS, "passive_k", "active_k")
