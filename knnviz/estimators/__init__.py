"""Scikit-learn classifiers, one family a file.

Neighbors are sorted by (distance, index). ``fit`` raises ValueError for parameters outside the documented ranges and
for invalid data, every method for points that do not fit the training points.
"""

from knnviz.estimators.adaptive import AdaptiveKNeighborsClassifier
from knnviz.estimators.linear import LinearPartialLabelClassifier
from knnviz.estimators.partial_label import PartialLabelKNeighborsClassifier
from knnviz.estimators.plug_in import NoiseRobustPlugIn
from knnviz.estimators.robust import RobustKNeighborsClassifier
from knnviz.estimators.tuned import TunedClassWeightKNeighborsClassifier
from knnviz.estimators.two_stage import TwoStageKNeighborsClassifier
from knnviz.estimators.weighted import ClassWeightedKNeighborsClassifier

__all__ = [
    "AdaptiveKNeighborsClassifier",
    "ClassWeightedKNeighborsClassifier",
    "LinearPartialLabelClassifier",
    "NoiseRobustPlugIn",
    "PartialLabelKNeighborsClassifier",
    "RobustKNeighborsClassifier",
    "TunedClassWeightKNeighborsClassifier",
    "TwoStageKNeighborsClassifier",
]
