"""Where decisions are wrong or hard: misled points, effective boundary, advantage, error band, hard regions.

mu is the distribution of the points x, and the mass of a set its probability. n is the number of training points, m
that of points to mark, C that of classes, coded 0 to C - 1. eta are the class probabilities P(Y = c | x); with two
classes, eta alone is that of class 1. eta_corr are the probabilities of labels that noise has flipped, eta-hat the
fractions of votes among the k nearest. With class weights q the weighted Bayes class at x has the largest q_c eta_c.

eta(B) is the average of eta over a ball B around x. The margin of B is the lead of the weighted Bayes class f at its
center: q_f eta_f(B) - max of q_c eta_c(B) over c != f. For two classes without weights it is eta(B) - 1/2, or 1/2 -
eta(B) where f is class 0. A ``BallProfile`` has such numbers for m centers and J balls around each, one for each of its
``masses``. The first of these, 0, is the center itself. ``frequency[j, c, i]`` is eta_c(B) for ball j around center i.

With flip rates p0 and p1, eta_corr of class c is ``offsets[c]`` + ``contrast`` * eta_c, with ``contrast`` = 1 - p0 -
p1. On a line, the k nearest of a query are a window, k consecutive ones of the sorted training points; queries between
two neighboring ``breakpoints(k)`` of ``Windows`` have the same window, which is a row of a ``WindowProfile``.

Misled points are those where noisy majority and Bayes rule disagree. The effective boundary is the set of points with
some ball up to a given mass whose margin is small. The advantage measures how large and how clear balls are around a
point. The error band of a class holds the points where an estimate near eta may differ from the Bayes rule on that
class. A point is hard if the vote of its neighbors is close to 1/2: H, the hard region, is the set of these points. H+,
the augmented hard region, adds the ball around each of them out to its k_plus-th nearest training point.

Functions and classes raise ValueError for values outside the documented ranges.
"""

from knnviz.regions.bands import ErrorBand, error_band
from knnviz.regions.hard import AugmentedRegion, augmented_intervals, hard, hard_intervals, kth_distances
from knnviz.regions.population import advantage, effective_boundary, lower_bound_set, margins, misled_points

__all__ = [
    "AugmentedRegion",
    "ErrorBand",
    "advantage",
    "augmented_intervals",
    "effective_boundary",
    "error_band",
    "hard",
    "hard_intervals",
    "kth_distances",
    "lower_bound_set",
    "margins",
    "misled_points",
]
