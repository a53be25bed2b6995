"""Decision rules that read profiles, and rules that choose their own k.

A profile holds the votes of each class among the k nearest, for any k and many queries; on a line, queries with the
same k nearest points share a window of k points side by side. eta are the true class probabilities P(Y = c | x). A bag
is the candidate label set of a training point, a set of classes that should hold the true one. A bag votes for
every class in it.

All raise ValueError for values outside the documented ranges.
"""

from knnviz.rules.adaptive import Adaptive
from knnviz.rules.partial_adaptive import PartialAdaptive
from knnviz.rules.scans import Scan, Trace
from knnviz.rules.voting import (
    HALF,
    EstimatingRule,
    Robust,
    Rule,
    Threshold,
    TrainingNeighbors,
    Vote,
    Weighted,
    exact,
    leaders,
    theta,
)

__all__ = [
    "HALF",
    "Adaptive",
    "EstimatingRule",
    "PartialAdaptive",
    "Robust",
    "Rule",
    "Scan",
    "Threshold",
    "Trace",
    "TrainingNeighbors",
    "Vote",
    "Weighted",
    "exact",
    "leaders",
    "theta",
]
