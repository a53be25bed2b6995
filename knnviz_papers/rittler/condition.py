"""The rate of Corollary 1, and where its condition holds."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from knnviz.bounds.chaudhuri_dasgupta import passive_exponents
from knnviz.bounds.rittler import RateCurves, active_exponents, rate_curves
from knnviz_papers.simulate import Row, Tables

#: Exponents alpha and beta to compare rates at.
EXPONENTS = ((1.0, 0.5), (1.0, 0.9), (1.0, 1.0), (0.5, 1.0), (0.5, 1.9))

#: Powers of 10 between which the condition is evaluated, and steps to each.
POWERS, STEPS = (1, 30), 100


def rittler_condition(
    constants: Sequence[float] = (1.0, 0.1, 0.01, 0.001),
    powers: Sequence[int] = (3, 4, 6, 8, 10, 12, 15, 16),
    smoothness: float = 1.0,
    margin_exponent: float = 0.9,
    smoothness_constant: float = 1.0,
    dimension: int = 1,
    delta: float = 0.1,
    seed: int = 0,
    progress: bool = False,
) -> Tables:
    """Corollary 1's condition at the k that it prescribes, up to an unnamed constant, and at that of the passive rate.

    ``constants`` above 0 multiply both k; n is 10 to each of ``powers``. alpha = ``smoothness`` is above 0,
    beta = ``margin_exponent`` strictly between 0 and 2, L = ``smoothness_constant`` above 0; ``dimension`` is that of
    points.

    Tables: "condition", a row for each constant and n: k of the corollary and of the passive rate, not rounded, and
    Delta at each over what the condition requires, which is to be 1 at least; "ranges", for each constant the powers of
    10 between which it holds for the corollary's k (None if nowhere up to 10^30); "exponents", for several alpha and
    beta: those of the disagreement and of k, the largest one of k that the condition allows, and whether k stays below
    n.

    Source: Rittler & Chaudhuri, Corollary 1; Chaudhuri & Dasgupta 2014, Theorem 7(a).
    """

    def curves(constant: float, powers: ArrayLike) -> RateCurves:
        return rate_curves(
            10.0 ** np.asarray(powers, float),
            smoothness,
            margin_exponent,
            delta,
            dimension=dimension,
            smoothness_constant=smoothness_constant,
            constant=constant,
        )

    low, high = POWERS
    wide = np.linspace(low, high, (high - low) * STEPS + 1)
    rows = [row for c in constants for row in _condition_rows(curves(c, powers), {"constant": c}, powers)]
    ranges = [{"constant": c} | _range_of_powers(curves(c, wide), wide) for c in constants]
    return {"condition": rows, "ranges": ranges, "exponents": [_exponents(*pair) for pair in EXPONENTS]}


def _condition_rows(found: RateCurves, key: Row, powers: Sequence[int]) -> list[Row]:
    names = ("k", "passive_k", "ratio", "passive_ratio")
    columns = found.active_neighbors, found.passive_neighbors, found.active_ratio, found.passive_ratio
    values = (dict(zip(names, each, strict=True)) for each in np.transpose(columns).tolist())
    return [key | {"power": power} | row for power, row in zip(powers, values, strict=True)]


def _range_of_powers(found: RateCurves, powers: np.ndarray) -> Row:
    good = powers[found.holds]
    return {"from_power": good[0] if len(good) else None, "to_power": good[-1] if len(good) else None}


def _exponents(alpha: float, beta: float) -> Row:
    passive, active = passive_exponents(alpha, beta), active_exponents(alpha, beta)
    row = {"alpha": alpha, "beta": beta, "passive": passive.disagreement, "active": active.disagreement}
    # The condition: Delta ~ k^(-1/2) is at least of the order of (k / n)^alpha, and of n^(-alpha / 2).
    allowed = min(passive.neighbors, alpha)
    row |= {"passive_k": passive.neighbors, "k": active.neighbors, "borne_k": allowed}
    return row | {"k_below_n": active.neighbors < 1}
