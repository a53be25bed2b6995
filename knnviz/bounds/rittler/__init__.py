"""The two-round scheme in formulas: band, balls, draws, and the rate with its condition (Rittler & Chaudhuri).

Source: "A Two-Stage Active Learning Algorithm for Nearest Neighbors". ``theorem_3`` and the passive rate are those of
``chaudhuri_dasgupta``. Logarithms are natural; d is the VC dimension of balls, one more than that of the points.
"""

from knnviz.bounds.chaudhuri_dasgupta import theorem_3
from knnviz.bounds.rittler.active_rates import (
    ActiveExponents,
    Condition,
    RateCurves,
    active_exponents,
    active_neighbors,
    condition,
    rate_curves,
)
from knnviz.bounds.rittler.bands import (
    LARGEST,
    Contained,
    band_slack,
    contained,
    fattening_neighbors,
    hard_width,
    least_hard_neighbors,
)
from knnviz.bounds.rittler.draws import expected_draws, expected_passive_fraction, per_draw

__all__ = [
    "LARGEST",
    "ActiveExponents",
    "Condition",
    "Contained",
    "RateCurves",
    "active_exponents",
    "active_neighbors",
    "band_slack",
    "condition",
    "contained",
    "expected_draws",
    "expected_passive_fraction",
    "fattening_neighbors",
    "hard_width",
    "least_hard_neighbors",
    "per_draw",
    "rate_curves",
    "theorem_3",
]
