"""What learners predict on a line, exactly: it changes only halfway between two voters, and at the
ends of H.
"""

from typing import NamedTuple

import numpy as np

from knnviz.active.voting import Voters, majority
from knnviz.neighbors import Windows
from knnviz.profiles import WindowProfile
from knnviz.regions import in_intervals
from knnviz.risk.integrals import at_changes


class Steps(NamedTuple):
    """A rule on a line: ascending ``ends`` (J,), and the ``labels`` (J + 1,) uint8 up to each of
    them and after all.
    """

    ends: np.ndarray
    labels: np.ndarray

    def at(self, x: np.ndarray) -> np.ndarray:
        """Labels (m,) at points x (m,)."""
        return self.labels[np.searchsorted(self.ends, x)]


def voter_windows(voters: Voters, total: int) -> WindowProfile:
    """Votes in windows of the voters on a line among the first ``total`` labels bought; their
    points are (v, 1) and distinct.
    """
    among = voters.order[voters.order < voters.n_among_first[total]]
    windows = Windows(voters.search_index.X[among, 0], among)
    return WindowProfile.build(windows, voters.y, 2)


def vote_steps(voters: Voters, k: int, total: int) -> Steps:
    """The majority of the k nearest voters, of all if they are fewer, among the first ``total``
    labels bought. Without voters it is class 1.
    """
    votes = voter_windows(voters, total)
    if not votes.windows.n:
        return Steps(np.empty(0), np.ones(1, np.uint8))
    k = min(k, votes.windows.n)
    return Steps(*at_changes(votes.windows.breakpoints(k), majority(votes.at(k))))


def two_round_steps(in_hard: Steps, elsewhere: Steps, hard: np.ndarray) -> Steps:
    """One rule in the intervals (J, 2) of H, another one elsewhere (Rittler & Chaudhuri, the
    modified classifier).
    """
    all_ends = np.concatenate([hard.ravel(), in_hard.ends, elsewhere.ends])
    ends = np.unique(all_ends)
    up_to = np.append(ends, np.inf)
    is_hard = in_intervals(hard, up_to)
    labels = np.where(is_hard, in_hard.at(up_to), elsewhere.at(up_to))
    return Steps(ends, labels)
