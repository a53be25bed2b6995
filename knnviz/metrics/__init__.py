"""Right and wrong decisions counted class by class, at one set of class weights or at every threshold.

m is the number of points, C that of classes, coded 0 to C - 1, and J that of class weights q or of thresholds. eta are
the true class probabilities P(Y = c | x), and eta-hat estimates of them, the class fractions among neighbors. A
decision by either of them predicts a class c with the largest q_c fraction_c. Confusion entries of a class set it
against all others: at a point it is positive if predicted there, negative if not.

Functions and classes raise ValueError for values outside the documented ranges, and for arrays whose shapes do not fit.
"""

from knnviz.metrics.bag_scores import bag_score
from knnviz.metrics.confusion import (
    TIE_TOL,
    Confusion,
    Entries,
    confusion,
    confusion_bayes,
    confusion_fitted,
    confusion_hat,
    excess_weighted_risk,
    uniform_error,
)
from knnviz.metrics.thresholds import Thresholds
from knnviz.metrics.weight_scorer import SCORES, WeightScorer

__all__ = [
    "SCORES",
    "TIE_TOL",
    "Confusion",
    "Entries",
    "Thresholds",
    "WeightScorer",
    "bag_score",
    "confusion",
    "confusion_bayes",
    "confusion_fitted",
    "confusion_hat",
    "excess_weighted_risk",
    "uniform_error",
]
