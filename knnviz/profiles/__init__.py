"""Profiles: what is around a query point, in neighborhoods of every size.

A vote profile counts the votes of each class among the k nearest training points: its ``at(k)`` has a row for each
query and a column for each class, at any k. A bag, the candidate label set of a training point, votes for every class
in it. On a line, the k nearest of a query are a window of the sorted training points: k consecutive ones, and queries
with the same neighbors share a window. ``Windows`` has the sorted points ``x`` (n,) and their indices ``order`` (n,)
among the training points. At its ``breakpoints(k)`` the queries of one window end and those of the next begin; the
window of a query begins at its entry of ``starts(queries, k)``. ``WindowProfile`` has a row for each window instead of
each query.

A ball profile averages the true class probabilities, eta_c = P(Y = c | x), over balls around a query. The mass of a
ball is its probability. With class weights q, the weighted Bayes class f has the largest q_c eta_c. Label noise flips
a label of class 0 with probability p0 and one of class 1 with p1; then class c has the probability eta_corr =
``offsets[c]`` + ``contrast`` * eta_c, with ``contrast`` = 1 - p0 - p1.

n is the number of training points, m that of queries, C that of classes, coded 0 to C - 1. Labels are observed class
codes (n,) or bags (n, C) bool.
"""

from knnviz.profiles.balls import BallProfile
from knnviz.profiles.vote_profiles import OwnWindowProfile, VoteProfile, Votes, WindowProfile, training_votes

__all__ = ["BallProfile", "OwnWindowProfile", "VoteProfile", "Votes", "WindowProfile", "training_votes"]
