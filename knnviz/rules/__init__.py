"""Decision rules: those that decide at a given k, and those that choose a k of their own at each
query.

n training points, m queries, C classes coded 0 to C - 1. eta are the true class probabilities P(Y =
c | x). Label noise flips a label of class 0 with probability p0, and one of class 1 with p1. The
estimate of p0 and p1 averages k' + 1 labels at each training point.

A bag is the candidate label set of a training point, a set of classes that should hold the true
one. A bag votes for every class in it. Plain labels are single classes, one for each training
point.

A ``NeighborTable`` holds the nearest training points of each query, sorted by (distance, index). A
profile holds the votes of each class among the k nearest, for any k and many queries: ``at(k)`` (m,
C) are these, ``closed(k)`` those in the closed ball out to the k-th nearest, and ``bags_vote`` is
whether bags vote. On a line, queries with the same k nearest points share a window of k consecutive
points. A rule at a given k has ``fit``, and ``predict``, which reads a profile.

A rule that chooses its own k has ``scan``, which reads a table. Its ball around a query grows one
neighbor at a time: at step k it holds the k nearest training points. The rule compares fractions of
the k votes with a baseline or with the largest one; a difference that reaches the confidence band,
A / sqrt(k), stops the ball or eliminates a class. The constant A, ``band_constant`` of the rule,
depends on n, C, a factor c1 and a failure probability delta.
"""

from knnviz.rules.adaptive import Adaptive, PartialAdaptive, Scan, Trace
from knnviz.rules.voting import Robust, Rule, Threshold, Vote, Weighted

__all__ = [
    "Adaptive",
    "PartialAdaptive",
    "Robust",
    "Rule",
    "Scan",
    "Threshold",
    "Trace",
    "Vote",
    "Weighted",
]
