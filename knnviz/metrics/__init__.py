"""Right and wrong decisions counted class by class, at one set of class weights or at every threshold.

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
from knnviz.metrics.weighing import SCORES, Weighing

__all__ = [
    "SCORES",
    "TIE_TOL",
    "Confusion",
    "Entries",
    "Thresholds",
    "Weighing",
    "bag_score",
    "confusion",
    "confusion_bayes",
    "confusion_fitted",
    "confusion_hat",
    "excess_weighted_risk",
    "uniform_error",
]
