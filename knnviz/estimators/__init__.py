"""Classifiers in the manner of scikit-learn, one family a file: for pipelines, searches and scores."""

from knnviz.estimators.plug_in import NoiseRobustPlugIn
from knnviz.estimators.robust import RobustKNeighborsClassifier

__all__ = ["NoiseRobustPlugIn", "RobustKNeighborsClassifier"]
