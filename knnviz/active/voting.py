"""The vote after two rounds: in H by those drawn from H+, elsewhere by plain draws (Rittler & Chaudhuri)."""

import warnings
from typing import Literal

import numpy as np

from knnviz import checks
from knnviz.active.scheme import FROM_R
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile
from knnviz.rules import Vote

#: Who votes in H: points that were drawn from H+, or every labeled point that lies there.
VOTERS = ("strict", "inclusive")
Voters = Literal["strict", "inclusive"]


def region_voters(stage: np.ndarray, within: np.ndarray, voters: Voters) -> np.ndarray:
    """Which labeled points vote in H, (n,) bool: tagged FROM_R, and if "inclusive" also those ``within`` H+ (n,).

    ValueError for another word.
    """
    if voters not in VOTERS:
        raise ValueError(f"voters must be one of {', '.join(map(repr, VOTERS))}, got {voters!r}")
    drawn = np.asarray(stage) == FROM_R
    return drawn | within if voters == "inclusive" else drawn


def two_stage_labels(
    X: np.ndarray,
    y: np.ndarray,
    stage: np.ndarray,
    in_region: np.ndarray,
    queries: np.ndarray,
    hard: np.ndarray,
    k: int,
) -> np.ndarray:
    """Decisions (m,) uint8 of g^R at queries (m, d), of which ``hard`` (m,) bool lie in H, by k neighbors.

    Where it is hard the k nearest of the points X (n, d) with ``in_region`` (n,) vote, elsewhere the k nearest that are
    not tagged FROM_R in ``stage`` (n,). Where there are fewer than k voters all of them vote; where there is none the
    answer is class 1, with a RuntimeWarning. A tie gives class 1. Source: Rittler & Chaudhuri, the modified classifier.
    """
    labels = np.ones(len(queries), np.uint8)
    for asked, voters, where in ((hard, in_region, "in H"), (~hard, stage != FROM_R, "outside H")):
        if not asked.any():
            continue
        if voters.any():
            labels[asked] = vote(X[voters], y[voters], queries[asked], k)
        else:
            warnings.warn(f"nobody votes {where}: class 1 is predicted there", RuntimeWarning, stacklevel=2)
    return labels


def vote(X: np.ndarray, y: np.ndarray, queries: np.ndarray, k: int) -> np.ndarray:
    """Majority (m,) uint8 of the k nearest of labeled points X (n, d), of all of them if they are fewer."""
    k = min(checks.whole("k", k, 1), len(X))
    return Vote().predict(VoteProfile.count(NeighborTable.build(X, queries, k), y, 2), k)
