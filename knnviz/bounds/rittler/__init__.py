"""The two-round scheme in formulas: band, balls, draws, and the rate with its condition (Rittler & Chaudhuri).

Source: "A Two-Stage Active Learning Algorithm for Nearest Neighbors". The passive rate is that of
``chaudhuri_dasgupta``. n is the number of labels in the first round. ``dimension`` is that of the points; d, the VC
dimension of balls, is one more. The rate takes a margin exponent beta strictly between 0 and 2. Constants that the
paper does not name are arguments: c0 of the band and c_plus of the balls from 0 to 1e100, ``constant`` of k finite and
above 0.

Delta(k) = min(1/2, sqrt(log(2 / delta) / k)) bounds how far the fraction of k votes strays from its mean. H is the hard
region, where |eta-hat - 1/2| is small; H+ adds to each of its points the ball out to the k_plus-th label of the first
round. In the second round a draw is passive with probability pi and labeled wherever it falls, else it is labeled only
in H+. The effective boundary are the points where some ball of mass up to p has an average eta within Delta of 1/2.
"""

from knnviz.bounds.rittler.active_rates import (
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
from knnviz.bounds.rittler.boundary import BoundaryBound, theorem_3
from knnviz.bounds.rittler.draws import expected_draws, expected_passive_fraction, per_draw

__all__ = [
    "LARGEST",
    "BoundaryBound",
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
