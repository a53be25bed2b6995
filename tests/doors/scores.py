"""Good calls of names that read votes and fractions: profiles, rules and class weights."""

from functools import partial

import numpy as np
from good import calls, functions, then

from knnviz import (
    Adaptive,
    BallProfile,
    NeighborTable,
    PartialAdaptive,
    Robust,
    Threshold,
    Vote,
    VoteProfile,
    Weighted,
    weights,
)
from knnviz.problems import gaussians, ramp
from knnviz.weights import Thresholds

F = np.array([[0.75, 0.25], [0.625, 0.375], [0.375, 0.625], [0.25, 0.75]])
ETA = np.array([[0.5, 0.5], [0.625, 0.375], [0.25, 0.75], [0.125, 0.875]])
Y = np.array([0, 1, 1, 1])
X = np.array([[0.0], [1.0], [3.0], [4.5]])
OPTIONS = weights.SearchOptions((0.5, 0.5), n_steps=2, grid_parts=4)
SCORER = weights.WeightScorer.from_fractions(Y, F)
BAGS = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1], [0, 1, 0]]) == 1
TABLE = NeighborTable.build(X, np.array([[0.5], [3.25], [5.0]]), 4)
OWN_TABLE = NeighborTable.build(X, None, 4)
VOTES = VoteProfile.build(TABLE, Y, 2)
*_, TRIALS = weights.trials(ramp(), OPTIONS, [8], repeats=2, n_cells=8)
CELLS, CELLS_ETA = ramp().cells(8)
BALLS = BallProfile.build(CELLS, CELLS_ETA, X[:3], masses=[0.25, 0.5])
THREE = BallProfile.build(*gaussians(3).cells(8), X[:3], masses=[0.25])

#: A good value of each parameter.
VALUES = {
    "truth": Y,
    "fractions": F,
    "q": (1.0, 2.0),
    "weights": np.array([0.25, 0.25, 0.375, 0.125]),
    "tie_tol": 0.25,
    "eta": ETA,
    "scoring": "accuracy",
    "criterion": "macro",
    "first": "grid",
    "second": "greedy",
    "t": np.array([0.25, 0.5]),
    "score": SCORER,
    "start": (0.5, 0.5),
    "grid": weights.simplex_grid(2, 4),
    "n": 50,
    "X": X,
    "y": Y,
    **dict.fromkeys(("n_classes", "k", "k_max"), 2),
    "size": 8,
    "repeats": 1,
    "seed": 3,
    "n_cells": 8,
    "parts": 8,
    "more": (0.75, 0.125, 0.125),
    "less": (0.25, 0.375, 0.375),
    "c": 0,
    "labels": Y,
    "ks": (1, 3),
    "threshold": 0.375,
    "p0": 0.125,
    "p1": 0.25,
    "observed": Y,
    "k_noise": 1,
    "max_neighbors": 3,
    "frequency": CELLS_ETA,
    "queries": X[:3],
    "masses": np.array([0.25, 0.375, 0.5, 1.0]),
    "mass": 0.25,
}


def predicting(make):
    """A rule by its parameters, which are known."""
    return then(make, lambda rule: rule.predict(VOTES, 3))


def first_score(score):
    return score(np.array([[0.5, 0.5]]))


SCORER_OF = then(weights.WeightScorer.from_fractions, first_score)

#: What calls a name; functions of a room are called as they are, but for those named here.
NAMED = {
    **functions(weights),
    "weights.confusion of eta": weights.confusion,
    "weights.Confusion.weighted_risk": weights.confusion(Y, F).weighted_risk,
    "weights.WeightScorer.from_fractions": SCORER_OF,
    "weights.WeightScorer of eta": SCORER_OF,
    "weights.WeightScorer": SCORER,
    "weights.Trials.mean": TRIALS.mean,
    "weights.Trials.standard_error": TRIALS.standard_error,
    "weights.Trials.difference": TRIALS.difference,
    "weights.Thresholds.from_fractions": then(Thresholds.from_fractions, Thresholds.best),
    "weights.Thresholds.from_votes": then(Thresholds.from_votes, Thresholds.best),
    "weights.Thresholds.at": Thresholds.from_fractions(Y, F[:, 1]).at,
    "weights.SearchOptions": weights.SearchOptions,
    "weights.validation_set": then(weights.validation_set, lambda found: found.votes.at(2)),
    "weights.trials": lambda size, repeats, seed, n_cells: list(
        weights.trials(ramp(), OPTIONS, [size], repeats=repeats, seed=seed, n_cells=n_cells)
    ),
    "VoteProfile.build": then(partial(VoteProfile.build, TABLE), lambda votes: votes.at(2)),
    "VoteProfile.build of bags": then(
        partial(VoteProfile.build, TABLE), lambda votes: votes.closed(2)
    ),
    "VoteProfile.at": VOTES.at,
    "VoteProfile.closed": VOTES.closed,
    "Vote": partial(Vote().predict, VOTES),
    "Threshold": predicting(Threshold),
    "Threshold.min_votes": Threshold(0.375).min_votes,
    "Threshold.from_rates": Threshold.from_rates,
    "Robust": then(Robust, lambda rule: rule.fit(OWN_TABLE, Y, 3, 2).predict(VOTES, 3)),
    "Robust of rates": lambda p0, p1: Robust((p0, p1)).predict(VOTES, 3),
    "Robust.fit": lambda observed, k: Robust().fit(OWN_TABLE, observed, k, 2).predict(VOTES, k),
    "Weighted": predicting(Weighted),
    "Weighted.predict": partial(Weighted((1, 2)).predict, VOTES),
    "Weighted.decide": Weighted((1, 2)).decide,
    "Adaptive": then(Adaptive, lambda rule: rule.scan(TABLE, Y, 2)),
    "Adaptive.scan": partial(Adaptive(0.25).scan, TABLE),
    "Adaptive of bags": partial(Adaptive(0.25).scan, TABLE),
    "Adaptive.band_constant": Adaptive().band_constant,
    "PartialAdaptive": then(PartialAdaptive, lambda rule: rule.scan(TABLE, BAGS, 3)),
    "PartialAdaptive.scan": partial(PartialAdaptive(0.25).scan, TABLE),
    "PartialAdaptive.trace": partial(PartialAdaptive().trace, TABLE),
    "PartialAdaptive.least_k": PartialAdaptive().least_k,
    "BallProfile.build": partial(BallProfile.build, CELLS),
    "BallProfile.smallest_margin": lambda p0, p1, mass, q: BALLS.smallest_margin(mass, q, (p0, p1)),
    "BallProfile.smallest_margin of three": THREE.smallest_margin,
    "BallProfile.smallest_absolute_margin": BALLS.smallest_absolute_margin,
    "BallProfile.first_at_least": BALLS.first_at_least,
}

OF_THREE = {"q": (0.5, 0.25, 0.25), "n_classes": 3}
OF_ETA = {"truth": ETA}
OF_BAGS = {"labels": BAGS, "observed": BAGS, "n_classes": 3}

#: Values of single names.
OWN = {
    **dict.fromkeys(("weights.to_simplex", "weights.covers", "weights.cover"), OF_THREE),
    **dict.fromkeys(("weights.confusion of eta", "weights.WeightScorer of eta"), OF_ETA),
    "weights.WeightScorer": {"q": np.array([[0.5, 0.5], [0.25, 0.75]])},
    "weights.Thresholds.from_fractions": {"fractions": F[:, 1]},
    "weights.Thresholds.from_votes": {"votes": np.array([0, 3, 2, 4]), "k": 4},
    "VoteProfile.build of bags": OF_BAGS,
    "Adaptive of bags": OF_BAGS,
    "PartialAdaptive.scan": OF_BAGS,
    "PartialAdaptive.trace": OF_BAGS,
    "BallProfile.smallest_margin of three": {"q": (1.0, 2.0, 1.0)},
}

CALLS = calls(NAMED, VALUES, OWN, {"weights.Thresholds.at": ("t",)})
