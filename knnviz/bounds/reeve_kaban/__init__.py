"""Fast rates for a kNN rule that is robust to unknown, asymmetric label noise: bounds of Reeve & Kaban.

Source: "Fast Rates for a kNN Classifier Robust to Unknown Asymmetric Label Noise". The rule, ``Robust(votes="order")``,
estimates the flip rates p0 and p1 by the extremes of the fraction of class 1 among the k nearest, each point being its
own first neighbor. Their contrast is 1 - p0 - p1. That needs an eta that reaches 0 and 1 (Assumption 2). Letters are
ours: smoothness alpha and its constant L for the paper's lambda and omega, margin exponent beta and its constant M for
its alpha and C_alpha. M is from 1 to 1e100, with ``mu(0 < |eta - 1/2| < t) <= M t^beta`` for all t > 0; beta = 0 and M
= 1 always hold.
"""

from knnviz.bounds.reeve_kaban.assumptions import least_margin_constant, least_smoothness_constant
from knnviz.bounds.reeve_kaban.estimates import (
    ErrorBound,
    corollary_3_1,
    lemma_3_2,
    lemma_4_1,
    theorem_4_1,
    theorem_4_2,
)
from knnviz.bounds.reeve_kaban.excess import (
    ExcessBound,
    RateBound,
    exponent,
    k_n,
    least_n,
    theorem_4_3,
    theorem_4_3_rate,
)
from knnviz.bounds.reeve_kaban.inconsistency import theorem_5_1
from knnviz.bounds.reeve_kaban.plug_in import Errors, decision_error, lemma_3_1
from knnviz.bounds.reeve_kaban.ranges import KRange, k_range

__all__ = [
    "ErrorBound",
    "Errors",
    "ExcessBound",
    "KRange",
    "RateBound",
    "corollary_3_1",
    "decision_error",
    "exponent",
    "k_n",
    "k_range",
    "least_margin_constant",
    "least_n",
    "least_smoothness_constant",
    "lemma_3_1",
    "lemma_3_2",
    "lemma_4_1",
    "theorem_4_1",
    "theorem_4_2",
    "theorem_4_3",
    "theorem_4_3_rate",
    "theorem_5_1",
]
