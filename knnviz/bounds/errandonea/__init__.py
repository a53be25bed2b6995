"""Guarantees for PL A-kNN, adaptive nearest neighbors with partial labels, and the constants they need.

Source: Errandonea, Mazuelas, Lozano & Dasgupta, "Learnability with Partial Labels and Adaptive Nearest Neighbors".
P(S_y | x) is the probability that a bag at x, a set of candidate labels, holds label y. The top labels have the largest
P(S_y | x), Bayes labels the largest P(y | x). Bags are aligned at x if the top labels are the Bayes labels; G are the
points where they are misaligned, and ``misaligned`` is P(G) in [0, 1]. ``theta`` in [0, 1] bounds how much less
probable than a Bayes label a top label is.

``advantage`` is adv_A in [0, 1] (``regions.advantage``), with A the ``mass_cap``: the largest p gamma^2 over p <= A for
which the top labels lead all others by gamma in each ball around x up to mass p; 1 if there are no others.

PL A-kNN eliminates a label once its votes among the k nearest bags, as a fraction, are behind the leading label by the
band, ``band_constant`` / sqrt(k). ``band_constant``, above 0, is c1 sqrt(d0 log n + log(C / delta)). ``vc_dimension``
is d0, at least 1: the VC dimension of balls, or 1 for a guarantee at one point. The paper gives no values for the
constants of the theorems, C' (``constant``; C in the paper, finite and above 0) and c0 (from 0 to 1e100). The defaults
here are illustrative, and ``proof_constants`` holds those that the proofs need.
"""

from knnviz.bounds.errandonea.advantage import (
    AdvantageBound,
    EveryPointBound,
    PointBound,
    label_advantages,
    least_n,
    lemma_c_9,
    level,
    low_advantage,
    needed_n,
    theorem_3_2,
    theorem_3_3,
    theorem_3_4,
    theorem_3_5,
)
from knnviz.bounds.errandonea.alignment import aligned_fraction, largest_noise
from knnviz.bounds.errandonea.constants import (
    ProofConstants,
    Step,
    least_c1,
    mass_cap,
    proof_constants,
    repaired_constant,
    step_5_to_12,
)
from knnviz.bounds.errandonea.lemmas import DeviationBound, lemma_c_3, lemma_c_5, theorem_c_4
from knnviz.bounds.errandonea.margin_rates import (
    Conditions,
    RateBound,
    RateConstants,
    conditions_4,
    least_advantage,
    rate_constants,
    theorem_b_1,
)
from knnviz.bounds.errandonea.stopping import ExactStops, eliminations, exact_stops, guaranteed_eliminations

__all__ = [
    "AdvantageBound",
    "Conditions",
    "DeviationBound",
    "EveryPointBound",
    "ExactStops",
    "PointBound",
    "ProofConstants",
    "RateBound",
    "RateConstants",
    "Step",
    "aligned_fraction",
    "conditions_4",
    "eliminations",
    "exact_stops",
    "guaranteed_eliminations",
    "label_advantages",
    "largest_noise",
    "least_advantage",
    "least_c1",
    "least_n",
    "lemma_c_3",
    "lemma_c_5",
    "lemma_c_9",
    "level",
    "low_advantage",
    "mass_cap",
    "needed_n",
    "proof_constants",
    "rate_constants",
    "repaired_constant",
    "step_5_to_12",
    "theorem_3_2",
    "theorem_3_3",
    "theorem_3_4",
    "theorem_3_5",
    "theorem_b_1",
    "theorem_c_4",
]
