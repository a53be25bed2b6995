"""Good calls of names that read votes and fractions: profiles, rules and class weights."""

from collections.abc import Callable
from typing import Any

import numpy as np

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
from knnviz.neighbors import Windows
from knnviz.problems import gaussians, ramp
from knnviz.profiles import WindowProfile

F = np.array([[0.75, 0.25], [0.625, 0.375], [0.375, 0.625], [0.25, 0.75]])
ETA = np.array([[0.5, 0.5], [0.625, 0.375], [0.25, 0.75], [0.125, 0.875]])
Y = np.array([0, 1, 1, 1])
W = np.array([0.25, 0.25, 0.375, 0.125])
Q = (0.5, 0.25, 0.25)
X = np.array([[0.0], [1.0], [3.0], [4.5]])
OPTIONS = weights.SearchOptions((0.5, 0.5), n_steps=2, grid_parts=4)
SCORER = weights.WeightScorer.from_fractions(Y, F)
BAGS = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1], [0, 1, 0]]) == 1
TABLE = NeighborTable.build(X, np.array([[0.5], [3.25], [5.0]]), 4)
OWN = NeighborTable.build(X, None, 4)
VOTES = VoteProfile.build(TABLE, Y, 2)
WINDOWS = Windows.from_points(X)
ON_LINE = WindowProfile.build(WINDOWS, Y, 2)
*_, TRIALS = weights.trials(ramp(), OPTIONS, [8], repeats=2, n_cells=8)
CELLS, CELLS_ETA = ramp().cells(8)
BALLS = BallProfile.build(CELLS, CELLS_ETA, X[:3], masses=[0.25, 0.5])
THREE = BallProfile.build(*gaussians(3).cells(8), X[:3], masses=[0.25])

#: A name, what calls it, good values of its arguments, and those of them for which fewer values are
#: bad.
CALLS: dict[str, tuple[Callable[..., Any], Any]] = {
    "weights.confusion": (
        weights.confusion,
        {"truth": Y, "fractions": F, "q": (1.0, 2.0), "weights": W, "rule": "geq", "tie_tol": 0.25},
    ),
    "weights.confusion of eta": (weights.confusion, {"truth": ETA, "fractions": F}),
    "weights.Confusion.weighted_risk": (
        lambda q: weights.confusion(Y, F).weighted_risk(q),
        {"q": (1.0, 2.0)},
    ),
    "weights.excess_weighted_risk": (
        weights.excess_weighted_risk,
        {"eta": ETA, "fractions": F, "q": (1.0, 2.0), "weights": W},
    ),
    "weights.leaders": (weights.leaders, {"fractions": F, "q": (1.0, 2.0), "tie_tol": 0.25}),
    "weights.uniform_error": (weights.uniform_error, {"eta": ETA, "fractions": F}),
    "weights.WeightScorer.from_fractions": (
        lambda **given: weights.WeightScorer.from_fractions(**given)(np.array([[0.5, 0.5]])),
        {"truth": Y, "fractions": F, "weights": W, "scoring": "accuracy", "tie_tol": 0.25},
    ),
    "weights.WeightScorer of eta": (
        lambda **given: weights.WeightScorer.from_fractions(**given)(np.array([[0.5, 0.5]])),
        {"truth": ETA, "fractions": F},
    ),
    "weights.WeightScorer": (SCORER, {"q": np.array([[0.5, 0.5], [0.25, 0.75]])}),
    "weights.Trials.mean": (TRIALS.mean, {"criterion": "macro"}),
    "weights.Trials.standard_error": (TRIALS.standard_error, {"criterion": "macro"}),
    "weights.Trials.difference": (
        TRIALS.difference,
        {"criterion": "macro", "first": "grid", "second": "greedy"},
    ),
    "weights.Thresholds.from_fractions": (
        lambda **given: weights.Thresholds.from_fractions(**given).best(),
        {"truth": Y, "fractions": F[:, 1], "weights": W},
    ),
    "weights.Thresholds.from_votes": (
        lambda **given: weights.Thresholds.from_votes(**given).best(),
        {"truth": Y, "votes": np.array([0, 3, 2, 4]), "k": 4, "weights": W},
    ),
    "weights.Thresholds.at": (
        weights.Thresholds.from_fractions(Y, F[:, 1]).at,
        {"t": np.array([0.25, 0.5])},
        "t",
    ),
    "weights.greedy_search": (
        lambda **given: weights.greedy_search(SCORER, **given),
        {
            "start": (0.5, 0.5),
            "step": 0.125,
            "n_steps": 2,
            "order": "sign",
            "accept": ">",
            "base": "running",
        },
    ),
    "weights.grid_search": (
        lambda grid: weights.grid_search(SCORER, grid),
        {"grid": weights.simplex_grid(2, 4)},
    ),
    "weights.neighbors_rule": (weights.neighbors_rule, {"n": 100}),
    "weights.SearchOptions": (
        weights.SearchOptions,
        {
            "start": (0.5, 0.5),
            "step": 0.125,
            "n_steps": 2,
            "order": "sign",
            "accept": ">",
            "base": "running",
            "grid_parts": 4,
            "scoring": "accuracy",
            "validation": "loo",
        },
    ),
    "weights.largest_k": (weights.largest_k, {"n": 20, "validation": "holdout"}),
    "weights.validation_set": (
        lambda **given: weights.validation_set(**given).votes.at(2),
        {"X": X, "y": Y, "n_classes": 2, "k_max": 2, "validation": "loo"},
    ),
    "weights.trials": (
        lambda size, **given: list(weights.trials(ramp(), OPTIONS, [size], **given)),
        {"size": 8, "repeats": 1, "seed": 3, "n_cells": 8},
    ),
    "weights.simplex_grid": (weights.simplex_grid, {"n_classes": 3, "parts": 4}),
    "weights.to_simplex": (weights.to_simplex, {"q": Q, "parts": 8}),
    "weights.covers": (
        weights.covers,
        {
            "more": (0.75, 0.125, 0.125),
            "less": (0.25, 0.375, 0.375),
            "q": Q,
            "c": 0,
            "form": "weak",
        },
    ),
    "weights.cover": (weights.cover, {"q": Q, "parts": 8, "c": 1, "lowest": 0.125}),
    "VoteProfile.build": (
        lambda k, **given: VoteProfile.build(TABLE, **given).at(k),
        {"k": 2, "labels": Y, "n_classes": 2, "ks": (1, 3)},
    ),
    "VoteProfile.build of bags": (
        lambda labels, k: VoteProfile.build(TABLE, labels, 3).closed(k),
        {"labels": BAGS, "k": 2},
    ),
    "VoteProfile.closed": (VOTES.closed, {"k": 2}),
    "Vote": (lambda k: Vote().predict(VOTES, k), {"k": 3}),
    "Threshold": (
        lambda **given: Threshold(**given).predict(VOTES, 3),
        {"threshold": 0.375, "strict": True},
    ),
    "Threshold.min_votes": (Threshold(0.375).min_votes, {"k": 5}),
    "Threshold.from_rates": (Threshold.from_rates, {"p0": 0.125, "p1": 0.25}),
    "Threshold.from_weights": (Threshold.from_weights, {"q": (1.0, 2.0), "tie_tol": 0.25}),
    "Robust": (
        lambda observed, k, p0, p1, **given: (
            Robust(noise_rates=(p0, p1)).predict(VOTES, k),
            Robust(**given).fit(OWN, observed, k, 2).predict(VOTES, k),
        ),
        {
            "observed": Y,
            "k": 3,
            "p0": 0.125,
            "p1": 0.25,
            "k_noise": 1,
            "votes": "order",
            "variant": "gao",
        },
    ),
    "Weighted": (
        lambda k, **given: Weighted(**given).predict(VOTES, k),
        {"k": 3, "q": (1.0, 2.0), "mode": "closed_ball", "tie_tol": 0.25},
    ),
    "Weighted.decide": (Weighted((1, 2)).decide, {"fractions": F}),
    "Adaptive": (
        lambda observed, n_classes, **given: Adaptive(**given).scan(TABLE, observed, n_classes),
        {
            "observed": Y,
            "n_classes": 2,
            "c1": 0.25,
            "delta": 0.5,
            "max_neighbors": 3,
            "baseline": "bag_size",
        },
    ),
    "Adaptive of bags": (
        lambda observed: Adaptive(0.25).scan(TABLE, observed, 3),
        {"observed": BAGS},
    ),
    "Adaptive.band_constant": (Adaptive().band_constant, {"n": 50, "n_classes": 3}),
    "PartialAdaptive": (
        lambda observed, n_classes, **given: PartialAdaptive(**given).scan(
            TABLE, observed, n_classes
        ),
        {
            "observed": BAGS,
            "n_classes": 3,
            "c1": 0.25,
            "delta": 0.5,
            "max_neighbors": 3,
            "fallback": "majority",
            "runner_up": "all",
            "vc_dimension": 2,
        },
    ),
    "PartialAdaptive.trace": (
        lambda **given: PartialAdaptive().trace(TABLE, **given),
        {"observed": BAGS, "n_classes": 3},
    ),
    "PartialAdaptive.least_k": (PartialAdaptive().least_k, {"n": 50, "n_classes": 3}),
    "BallProfile.build": (
        lambda **given: BallProfile.build(CELLS, **given),
        {
            "frequency": CELLS_ETA,
            "queries": X[:3],
            "masses": np.array([0.25, 0.375, 0.5, 1.0]),
            "q": (1.0, 2.0),
        },
    ),
    "BallProfile.smallest_margin": (
        lambda p0, p1, **given: BALLS.smallest_margin(**given, rates=(p0, p1)),
        {"p0": 0.125, "p1": 0.25, "mass": 0.5, "q": (1.0, 2.0)},
    ),
    "BallProfile.smallest_margin of three": (
        THREE.smallest_margin,
        {"mass": 0.25, "q": (1.0, 2.0, 1.0)},
    ),
    "BallProfile.smallest_absolute_margin": (
        BALLS.smallest_absolute_margin,
        {"mass": 0.5},
    ),
    "BallProfile.first_at_least": (BALLS.first_at_least, {"mass": 0.375}),
}
