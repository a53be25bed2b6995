"""Theorems 4.1 and 4.3 of Reeve & Kaban in RatesLab: k_n, the bounds, and which of their assumptions fail."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from knnviz.bounds import reeve_kaban
from knnviz.labs.old_engine import Choice, Component, Float, Input, LogInt, stage
from knnviz.labs.old_parts.line_sample import log_spaced
from knnviz.labs.rates.line import RisingLine
from knnviz.noise import LabelNoise

FORMULA_K, SET_K = NEIGHBORS = ("k_n", "k as set")

#: How close numbers on a grid come to those of a formula.
TOLERANCE = 1e-3

#: Largest n and k.
MOST = 1_000_000

#: Limits of the axis of n over which the bound is drawn.
N_LIMITS = (100, 1e12)


class Theorem(Component):
    """The number of neighbors, k_n or a k that is set, and Theorem 4.3's bound on the excess risk of robust kNN."""

    line: RisingLine = Input()
    noise: LabelNoise = Input()

    n = LogInt(10_000, min=100, max=MOST).tag(label="sample size", symbol="n", tip="Number of training points")
    neighbors = Choice(FORMULA_K, NEIGHBORS).tag(
        label="neighbors", group="Rule", tip="k_n lets both terms of the bound fall at one rate; or a k of one's own"
    )
    k = LogInt(100, min=1, max=MOST).tag(
        label="neighbors", symbol="k", tip="Number of neighbors that vote", when={"neighbors": (SET_K,)}, at_most="n"
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

    def coerce(self, values: dict[str, Any], changes: Mapping[str, Any]) -> list[str]:
        k, n = values["k"], values["n"]
        newly_set = values["neighbors"] == SET_K != self.lab.values["neighbors"]
        if not newly_set or "k" in changes or k <= n:
            return []
        values["k"] = n
        return [f"{self.parameters['k'].title} moved from {k} to {n}, the sample size."]

    def k_n(self, n: int) -> int:
        """The k for which both terms of the bound decrease at the same rate in n."""
        return reeve_kaban.k_n(n, self.delta, self.smoothness, self.smoothness_constant)

    def k_at(self, n: int) -> int:
        return self.k if self.neighbors == SET_K else self.k_n(n)

    @stage(compare_values=True)
    def k_in_use(self) -> int:
        return self.k_at(self.n)

    def picked(self, k: float) -> dict[str, Any]:
        return self.lab.nearest_step("k", k) | {"neighbors": SET_K}

    @stage
    def smoothness_assumption(self) -> dict[str, float]:
        return {"smoothness": self.smoothness, "smoothness_constant": self.smoothness_constant}

    def bound(self, n: int, k: int, tight: bool = False) -> float:
        """The bound on the excess risk for every k, as printed or, if ``tight``, with a sharper step of its proof."""
        assumptions = self.smoothness_assumption | {
            "margin_exponent": self.margin_exponent,
            "margin_constant": self.margin_constant,
        }
        return reeve_kaban.theorem_4_3(n, k, self.delta, self.noise, tight=tight, any_k=True, **assumptions)

    def terms_at(self, k: int) -> reeve_kaban.ErrorTerms:
        """The two terms of the bound, which do not depend on the noise."""
        return reeve_kaban.largest_error(self.n, k, self.delta, **self.smoothness_assumption)

    @stage
    def terms(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Some k (J,), and the vote term and the smoothness term (J,) there."""
        ks = log_spaced(1, self.n, 80)
        return ks, *np.array([self.terms_at(k) for k in ks.tolist()]).T

    def bound_at_x(self, k: int) -> reeve_kaban.ErrorTerms:
        """The bound of Theorem 4.1 on the error of e at a point; the constant of eta_corr is L times the contrast."""
        constant = self.noise.contrast * self.smoothness_constant
        return reeve_kaban.theorem_4_1(self.n, k, self.delta, smoothness=self.smoothness, smoothness_constant=constant)

    @property
    def ks_at_x(self) -> reeve_kaban.KRange:
        """The k that Theorem 4.1 covers."""
        return reeve_kaban.k_range(self.n, self.delta, statement="theorem_4_1")

    @stage
    def terms_at_x(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Some k (J,) that Theorem 4.1 covers, and its vote term and its smoothness term (J,) there."""
        ks = log_spaced(*self.ks_at_x, 80)
        return ks, *np.array([self.bound_at_x(k) for k in ks.tolist()]).T

    @stage
    def along_n(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Some n (J,), and the bound (J,) at k_n there, as printed and with the sharper step."""
        sizes = log_spaced(*N_LIMITS, 81)
        n_and_k = [(n, min(self.k_n(n), n)) for n in sizes.tolist()]
        printed, tight = (np.array([self.bound(n, k, tight) for n, k in n_and_k]) for tight in (False, True))
        return sizes, printed, tight

    @stage
    def vacuous_from(self) -> float:
        """The sum of both terms at which the bound on the excess risk is 1: from there on it is vacuous."""
        ratio = (1 - self.delta) / self.margin_constant
        return self.noise.contrast / 8 * ratio ** (1 / (self.margin_exponent + 1))

    @stage
    def least_constants(self) -> tuple[float, float]:
        """The least L and M for which eta meets the assumptions; infinite if there are none."""
        problem = self.line.chosen_problem
        least_L = reeve_kaban.least_smoothness_constant(problem, self.smoothness)
        return least_L, reeve_kaban.least_margin_constant(problem, self.margin_exponent)

    @property
    def has_full_range(self) -> bool:
        return self.line.low == 0 and self.line.high == 1

    @stage(compare_values=True)
    def exponent(self) -> float | None:
        """The exponent of n in Theorem 4.3; None for a k that is set, and if an assumption fails for every L or M."""
        if self.neighbors == SET_K or not self.has_full_range or not np.isfinite(self.least_constants).all():
            return None
        return reeve_kaban.exponent(self.smoothness, self.margin_exponent)

    @stage
    def unmet_assumptions(self) -> list[str]:
        least_L, least_M = self.least_constants
        range_of_k = reeve_kaban.unmet_conditions("theorem_4_3", self.n, self.k_in_use, self.delta)
        found = [
            ("eta does not reach 0 and 1", not self.has_full_range),
            *((text, True) for text in range_of_k),
            (constant_needed("L", least_L), self.smoothness_constant < least_L - TOLERANCE),
            (constant_needed("M", least_M), self.margin_constant < least_M - TOLERANCE),
        ]
        return [text for text, unmet in found if unmet]

    @stage
    def numbers(self) -> dict[str, float]:
        printed, tight = (self.bound(self.n, self.k_in_use, tight) for tight in (False, True))
        promised = {} if self.exponent is None else {"promised_rate": self.exponent}
        return {"bound": printed, "tight_bound": tight, **promised}


def constant_needed(constant: str, least: float) -> str:
    if np.isinf(least):
        return f"no {constant} is large enough"
    # Rounded up, so that the number shown is large enough.
    return f"{constant} must be at least {np.ceil(100 * (least - TOLERANCE)) / 100:.2f}"
