"""Theorems 4.1 and 4.3 of Reeve & Kaban in RatesLab: k_n, the bounds, and what of their assumptions does not hold."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from knnviz.bounds import reeve_kaban
from knnviz.corruption import LabelNoise
from knnviz.labs.engine import Choice, Component, Float, Input, LogInt, stage
from knnviz.labs.parts.line_sample import log_spaced
from knnviz.labs.rates.line import RisingLine

NEIGHBORS = ("k_n", "k as set")

#: How close numbers on a grid come to those of a formula.
TOLERANCE = 1e-3

#: Largest n and k; ends of the axis of n over which the bound is drawn.
MOST, SIZES = 1_000_000, (100, 1e12)

#: What k_n follows from, besides n.
SMOOTH = ("delta", "smoothness", "smoothness_constant")


class Theorem(Component):
    """How many of n points vote, a k that is set or k_n, and the theorem's bound for robust kNN with it."""

    line: RisingLine = Input()
    noise: LabelNoise = Input()

    n = LogInt(10_000, min=100, max=MOST).tag(label="sample size", symbol="n", tip="Number of training points")
    neighbors = Choice(NEIGHBORS[0], NEIGHBORS).tag(
        label="neighbors", group="Rule", tip="k_n lets both terms of the bound fall at one rate; or a k of one's own"
    )
    k = LogInt(100, min=1, max=MOST).tag(
        label="neighbors", symbol="k", tip="Number of neighbors that vote", when={"neighbors": NEIGHBORS[1:]}
    )
    delta = Float(0.05, min=0.01, max=0.5).tag(
        label="failure probability", symbol="delta", group="Theorem", tip="The bound holds but for this probability"
    )
    smoothness = Float(1.0, min=0.1, max=1, step=0.05).tag(
        label="smoothness", symbol="alpha", tip="eta changes at most by L times the mass between, to the power alpha"
    )
    smoothness_constant = Float(3.0, min=0.5, max=10, step=0.1).tag(
        label="its constant", symbol="L", tip="eta changes at most by L times the mass between, to the power alpha"
    )
    margin_exponent = Float(0.0, min=0, max=3, step=0.1).tag(
        label="margin exponent", symbol="beta", tip="eta is within t of one half on a mass of at most M t^beta"
    )
    margin_constant = Float(1.0, min=1, max=20, step=0.1).tag(
        label="its constant", symbol="M", tip="eta is within t of one half on a mass of at most M t^beta"
    )

    def feasible_range(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        ends = self.limits(name, values)
        if name == "k":
            return ends[0], values["n"]
        return (max(ends[0], values["k"]), ends[1]) if name == "n" and values["neighbors"] == NEIGHBORS[1] else ends

    def validate(self, values: Mapping[str, Any]) -> None:
        is_set, n = values["neighbors"] == NEIGHBORS[1], values["n"]
        k = values["k"] if is_set else reeve_kaban.k_n(n, *(values[name] for name in SMOOTH))
        if k > n:
            raise ValueError(f"neighbors k must not exceed sample size n, got {k} and {n}")

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        k, n = values["k"], values["n"]
        newly_set = values["neighbors"] == NEIGHBORS[1] != self.lab.values["neighbors"]
        if not newly_set or "k" in changes or k <= n:
            return []
        values["k"] = n
        return [f"{self.parameters['k'].title} moved from {k} to {n}, the sample size."]

    def k_n(self, n: int) -> int:
        """The k at which both terms of the bound fall at one rate."""
        return reeve_kaban.k_n(n, *(getattr(self, name) for name in SMOOTH))

    def at(self, n: int) -> int:
        return self.k if self.neighbors == NEIGHBORS[1] else self.k_n(n)

    @stage(compare_values=True)
    def voters(self) -> int:
        return self.at(self.n)

    def picked(self, k: float) -> dict[str, Any]:
        return self.lab.nearest_step("k", k) | {"neighbors": NEIGHBORS[1]}

    @stage
    def smooth(self) -> dict[str, float]:
        return {"smoothness": self.smoothness, "smoothness_constant": self.smoothness_constant}

    def bound(self, n: int, k: int, tight: bool = False) -> reeve_kaban.ExcessBound:
        """The bound on the excess risk, as printed or with the sharper step of the proof."""
        margin = {"margin_exponent": self.margin_exponent, "margin_constant": self.margin_constant}
        return reeve_kaban.theorem_4_3(n, k, self.delta, self.noise, tight=tight, **self.smooth, **margin)

    @stage
    def here(self) -> reeve_kaban.ExcessBound:
        return self.bound(self.n, self.voters)

    @stage
    def terms(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Some k (J,), and the vote term and the smoothness term (J,) of the bound there: noise does not matter."""
        ks = log_spaced(1, self.n, 80)
        at = [reeve_kaban.theorem_4_3(self.n, k, self.delta, LabelNoise(), **self.smooth) for k in ks.tolist()]
        return ks, np.array([each.vote for each in at]), np.array([each.smooth for each in at])

    def at_point(self, k: int) -> reeve_kaban.ErrorBound:
        """The bound on the error of e at a point; the constant of eta_corr is L times the contrast."""
        constant = self.noise.contrast * self.smoothness_constant
        return reeve_kaban.theorem_4_1(self.n, k, self.delta, smoothness=self.smoothness, smoothness_constant=constant)

    @property
    def point_range(self) -> reeve_kaban.KRange:
        return reeve_kaban.k_range(self.n, self.delta, statement="theorem_4_1")

    @stage
    def point_terms(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Some k (J,) that Theorem 4.1 is about, and its vote term and its smoothness term (J,) there."""
        ks = log_spaced(*self.point_range, 80)
        at = [self.at_point(k) for k in ks.tolist()]
        return ks, np.array([each.vote for each in at]), np.array([each.smooth for each in at])

    @stage
    def along_n(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Some n (J,), and the bound (J,) at k_n there, as printed and with the sharper step."""
        sizes = log_spaced(*SIZES, 81)
        at = [(n, min(self.k_n(n), n)) for n in sizes.tolist()]
        printed, tight = (np.array([self.bound(*each, tight).excess for each in at]) for tight in (False, True))
        return sizes, printed, tight

    @stage
    def useful(self) -> float:
        """The sum of both terms at which the bound on the excess is 1: below it the bound is not vacuous."""
        part = (1 - self.delta) / self.margin_constant
        return self.noise.contrast / 8 * part ** (1 / (self.margin_exponent + 1))

    @stage
    def needed(self) -> tuple[float, float]:
        problem = self.line.chosen_problem
        least = reeve_kaban.least_smoothness_constant(problem, self.smoothness)
        return least, reeve_kaban.least_margin_constant(problem, self.margin_exponent)

    @property
    def reaches(self) -> bool:
        return self.line.low == 0 and self.line.high == 1

    @stage(compare_values=True)
    def exponent(self) -> float | None:
        """The exponent of n in the theorem; None for a k that is set, and where no L or M would do."""
        if self.neighbors == NEIGHBORS[1] or not self.reaches or not np.isfinite(self.needed).all():
            return None
        return reeve_kaban.exponent(self.smoothness, self.margin_exponent)

    @stage
    def unmet(self) -> list[str]:
        proved, least = reeve_kaban.k_range(self.n, self.delta), self.needed
        found = [
            ("eta does not reach 0 and 1", not self.reaches),
            (f"the proof needs k from {proved.least} to {proved.most}", not self.here.proved),
            (at_least("L", least[0]), self.smoothness_constant < least[0] - TOLERANCE),
            (at_least("M", least[1]), self.margin_constant < least[1] - TOLERANCE),
        ]
        return [text for text, is_so in found if is_so]

    @stage
    def numbers(self) -> dict[str, float]:
        tight = self.bound(self.n, self.voters, tight=True)
        promised = {} if self.exponent is None else {"promised_rate": self.exponent}
        return {"bound": self.here.excess, "tight_bound": tight.excess, **promised}


def at_least(constant: str, least: float) -> str:
    if np.isinf(least):
        return f"no {constant} is large enough"
    # Rounded up: the number that is asked for must be enough.
    return f"{constant} must be at least {np.ceil(100 * (least - TOLERANCE)) / 100:.2f}"
