"""Active learning in two rounds: hard regions, draws, and the rate with its condition (Rittler & Chaudhuri).

In the first round n random points are labeled (passive learning). eta-hat is the fraction of class 1 among the k
nearest of these. H, the hard region, is where ``|eta-hat - 1/2|`` is below a width, so that the vote is uncertain. H+
adds to each point of H the ball out to its k+-th nearest point of the first round. In the second round points are drawn
one by one. A draw is passive with probability pi, the passive fraction: then it is labeled wherever it falls. Otherwise
it is labeled only in H+.

Delta(k) is ``chaudhuri_dasgupta.margin``. The width of H is 2 Delta + Delta~, with the slack Delta~ of ``band_slack``.
The effective boundary is that of the margin Delta and the ball mass p = c_delta k / n, ``chaudhuri_dasgupta.mass``.

``dimension`` is that of the points; d, the VC dimension of balls, is one more. The rates take a margin exponent beta
strictly between 0 and 2. Constants that the paper leaves open are arguments: c0 of Delta~ and c_plus of k+ from 0 to
1e100, ``constant`` of k finite and above 0.

Source: "A Two-Stage Active Learning Algorithm for Nearest Neighbors".
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
    LARGEST_CONSTANT,
    Contained,
    augmented_neighbors,
    band_slack,
    contained,
    hard_width,
    least_hard_neighbors,
)
from knnviz.bounds.rittler.boundary import BoundaryBound, theorem_3
from knnviz.bounds.rittler.draws import expected_draws, expected_passive_fraction, per_draw

__all__ = [
    "LARGEST_CONSTANT",
    "BoundaryBound",
    "Condition",
    "Contained",
    "RateCurves",
    "active_exponents",
    "active_neighbors",
    "augmented_neighbors",
    "band_slack",
    "condition",
    "contained",
    "expected_draws",
    "expected_passive_fraction",
    "hard_width",
    "least_hard_neighbors",
    "per_draw",
    "rate_curves",
    "theorem_3",
]
