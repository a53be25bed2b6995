"""Class-weighted nearest neighbors for many classes: bounds of Khim, Xu & Singh.

Source: "Multiclass Classification via Class-Weighted Nearest Neighbors". The rule is ``Weighted(q)``, which predicts
the class with the largest q_c eta-hat_c, where eta-hat_c is the fraction of class c among the k nearest. The weighted
Bayes rule f*_q has eta_c in its place, and its margin Delta_q(x) is the largest q_c eta_c(x) minus the second largest.
Multiplying q by a number changes no decision, and here no bound on a probability. Classes are 0..C-1; class 1 of the
paper is class 0. The uniform error is the largest abs(eta-hat_c(x) - eta_c(x)) of all x and c; in place of ``proved``
its bound has the flag ``not_refuted``. Constants that the paper leaves without a value (of Theorems 2 and 4 and of
Proposition 2) are not here.

The confusion entries TN, FN, FP and TP of class c are fractions of all points; positive is class c. The error band of a
class (``regions.error_band``) holds the points where an estimate within epsilon of eta may decide differently on that
class; tne is the mass of the other classes in it, fne that of the class itself. A cover is a finite set
of weights. Around each q in use it has two for each class, which favor it more and less than q (``weights.covers``).

``smoothness`` alpha and ``smoothness_constant`` L are of every class: abs(eta_c(x) - eta_c(B)) <= L mu(B)^alpha for
closed balls B around x. ``margin_exponent`` beta and ``margin_constant`` M, above 0 and at most 1e100, are of Delta_q,
on the scale of the weights: P(Delta_q(X) <= t) <= M t^beta for all t > 0. ``margin`` is a value of Delta_q.
``as_printed`` chooses the printed form of a bound that is corrected here.
"""

from knnviz.bounds.khim.assumptions import (
    least_conditional_margin_constants,
    least_lipschitz_constants,
    least_margin_constant,
    least_smoothness_constants,
)
from knnviz.bounds.khim.disagreement import (
    GAMMA_2,
    BoundaryBound,
    DisagreementBound,
    OptimalWidth,
    WidthBound,
    corollary_1,
    corollary_2,
    gamma_3,
    remark_1,
    theorem_1,
)
from knnviz.bounds.khim.entries import EntryErrors, proposition_3, theorem_5
from knnviz.bounds.khim.excess import ExcessBound, corollary_2_excess, lemma_9, proposition_1
from knnviz.bounds.khim.guesses import best_probability, log_likelihood_ratio, posterior
from knnviz.bounds.khim.scores import Intervals, ScoreErrors, f1_intervals, score_errors
from knnviz.bounds.khim.threshold_bands import BandMass, bracket, threshold_mass, weight_threshold
from knnviz.bounds.khim.uniform import (
    LeastError,
    UniformBound,
    bump,
    bump_constant,
    corollary_3,
    corollary_4,
    covering_number,
    least_error,
    least_n,
    shattering,
    shattering_bound,
    theorem_3,
    theorem_4_exponent,
    theorem_4_printed_constant,
)
from knnviz.bounds.khim.worlds import TwoWorlds, proposition_2

__all__ = [
    "GAMMA_2",
    "BandMass",
    "BoundaryBound",
    "DisagreementBound",
    "EntryErrors",
    "ExcessBound",
    "Intervals",
    "LeastError",
    "OptimalWidth",
    "ScoreErrors",
    "TwoWorlds",
    "UniformBound",
    "WidthBound",
    "best_probability",
    "bracket",
    "bump",
    "bump_constant",
    "corollary_1",
    "corollary_2",
    "corollary_2_excess",
    "corollary_3",
    "corollary_4",
    "covering_number",
    "f1_intervals",
    "gamma_3",
    "least_conditional_margin_constants",
    "least_error",
    "least_lipschitz_constants",
    "least_margin_constant",
    "least_n",
    "least_smoothness_constants",
    "lemma_9",
    "log_likelihood_ratio",
    "posterior",
    "proposition_1",
    "proposition_2",
    "proposition_3",
    "remark_1",
    "score_errors",
    "shattering",
    "shattering_bound",
    "theorem_1",
    "theorem_3",
    "theorem_4_exponent",
    "theorem_4_printed_constant",
    "theorem_5",
    "threshold_mass",
    "weight_threshold",
]
