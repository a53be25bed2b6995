"""Profiles: how class frequencies settle as a ball grows around a query point."""

from knnviz.profiles.balls import BallProfile
from knnviz.profiles.vote_profiles import OwnWindowProfile, VoteProfile, Votes, WindowProfile, training_votes

__all__ = ["BallProfile", "OwnWindowProfile", "VoteProfile", "Votes", "WindowProfile", "training_votes"]
