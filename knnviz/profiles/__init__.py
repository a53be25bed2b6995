"""Profiles: what is around a query point, in neighborhoods of every size.

A vote profile counts the votes of each class among the k nearest training points, for any k. A bag, the candidate label
set of a training point, votes for every class in it. On a line, queries with the same k nearest points share a window
of k sorted points side by side; ``WindowProfile`` counts in windows instead of at queries. Of ``Windows``, ``x`` (n,)
are the sorted points and ``order`` (n,) their indices among the training points; ``breakpoints(k)`` lie between the
queries of one window and of the next, and ``starts(queries, k)`` are the positions in ``x`` where windows begin.

A ball profile averages the true class probabilities, eta_c = P(Y = c | x), over balls around a point. The mass of a
ball is its probability. With class weights q, the weighted Bayes class f has the largest q_c eta_c.

n is the number of training points, m that of queries, C that of classes, coded 0 to C - 1. Labels are observed class
codes (n,) or bags (n, C) bool.
"""

from knnviz.profiles.balls import BallProfile
from knnviz.profiles.vote_profiles import OwnWindowProfile, VoteProfile, Votes, WindowProfile, training_votes

__all__ = ["BallProfile", "OwnWindowProfile", "VoteProfile", "Votes", "WindowProfile", "training_votes"]
