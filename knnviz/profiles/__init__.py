"""Profiles: what is around a query point, in neighborhoods of every size.

A vote profile counts the votes of each class among the k nearest, as k grows. A ball profile averages the true class
probabilities over a ball, as it grows.
"""

from knnviz.profiles.balls import BallProfile
from knnviz.profiles.vote_profiles import OwnWindowProfile, VoteProfile, Votes, WindowProfile, training_votes

__all__ = ["BallProfile", "OwnWindowProfile", "VoteProfile", "Votes", "WindowProfile", "training_votes"]
