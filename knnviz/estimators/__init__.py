"""Scikit-learn classifiers, one family per file.

n is the number of training points, d is the number of columns of X, and C the number of classes; m
is the number of queries, the points of X in ``predict``. A code is the index of a label in
``classes_``. A bag is a set of candidate labels. The flip rates p0 and p1 are the probabilities
that label noise flips a true label of class 0 and of class 1.

Neighbors are sorted by (distance, index). ``fit`` raises ValueError for parameters outside the
documented ranges and for invalid data, every method for points that do not fit the training points;
``n_neighbors`` above n is refused by the methods that predict. A sparse X raises scikit-learn's
TypeError; estimators around another classifier accept it if that one does. For neighbors of sparse
points there is ``NeighborTable.from_graph``.
"""

from knnviz.estimators.robust import NoiseRobustPlugIn, RobustKNeighborsClassifier
from knnviz.estimators.stopping import (
    AdaptiveKNeighborsClassifier,
    PartialLabelKNeighborsClassifier,
)
from knnviz.estimators.two_stage import TwoStageKNeighborsClassifier
from knnviz.estimators.weighted import (
    ClassWeightedKNeighborsClassifier,
    TunedClassWeightKNeighborsClassifier,
)

__all__ = [
    "AdaptiveKNeighborsClassifier",
    "ClassWeightedKNeighborsClassifier",
    "NoiseRobustPlugIn",
    "PartialLabelKNeighborsClassifier",
    "RobustKNeighborsClassifier",
    "TunedClassWeightKNeighborsClassifier",
    "TwoStageKNeighborsClassifier",
]
