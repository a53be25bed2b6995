"""Good calls of names that read points: neighbors, label noise, regions and risk."""

from functools import partial

import numpy as np
from good import calls, functions, then
from scipy.sparse import csr_array

from knnviz import (
    BallProfile,
    LabelNoise,
    NeighborTable,
    Vote,
    VoteProfile,
    noise,
    problems,
    regions,
    risk,
)
from knnviz.neighbors import Windows, prepare

X = np.array([[0.125], [0.25], [0.5], [0.75], [0.875]])
QUERIES = np.array([[0.375], [0.625], [1.0]])
PLANE = np.array([[0.0, 0.5], [1.0, 0.25], [0.5, 0.75], [0.25, 1.0]])
Y = np.array([0, 0, 1, 0, 1])
ETA = np.array([[0.5, 0.5], [0.625, 0.375], [0.25, 0.75]])
OF_THREE_CLASSES = np.array([[0.5, 0.25, 0.25], [0.125, 0.375, 0.5]])
INTERVALS = np.array([[0.125, 0.25], [0.5, 0.625], [0.75, 0.75], [0.875, 1.0]])
NOISE = LabelNoise(0.125, 0.25)
WINDOWS = Windows.from_points(X)
LINE = risk.Antiderivative.build(problems.ramp(), 16)
BALLS = BallProfile.build(*problems.ramp().cells(32), X, masses=[0.25, 0.5, 1.0])
BAND = regions.error_band(OF_THREE_CLASSES, 0.125, (1, 1, 1), (1, 1, 1), 1)
W = np.array([0.25, 0.5, 0.25])
LIMITS = risk.Limits.from_eta(ETA, W)
GRAPH = np.array([[0.5, 0.25, 0.0], [0.125, 0.0, 0.75]])
COARSE = problems.Resolution(map_cells=(10, 4), integral_cells=(16, 4), repeats=1)
SETTING = {"noise": NOISE, "resolution": COARSE}
CURVE = risk.RiskCurve(
    "n", np.array([10, 100]), ("a",), np.array([[[[0.5, 0.375]]], [[[0.625, 0.3125]]]]), 0.25
)

#: A good value of each parameter.
VALUES = {
    "X": X,
    "queries": QUERIES,
    **dict.fromkeys(("k", "k_max", "k_noise", "k_plus"), 2),
    "algorithm": "brute",
    "distances": True,
    "indices": np.array([[0, 4], [3, 2]]),
    "data": GRAPH,
    **dict.fromkeys(("y", "observed"), Y),
    "v": np.array([0.0, 0.5, 0.25, 0.75, 0.125]),
    "eta": ETA,
    "corrupted": NOISE.corrupt(ETA),
    "noise": NOISE,
    **dict.fromkeys(("margin", "epsilon"), 0.125),
    **dict.fromkeys(("mass", "mass_cap"), 0.5),
    "ball": BALLS,
    "profile": VoteProfile.build(NeighborTable.build(X, QUERIES, 4), Y, 2),
    "q": (1.0, 1.5),
    "q_more": (1.0, 2.0, 1.0),
    "q_less": (1.0, 1.5, 1.0),
    "c": 1,
    "width": 0.25,
    "intervals": INTERVALS,
    "points": QUERIES,
    "centers": X[:2],
    "radii": np.array([0.25, 0.5]),
    "labels": np.array([0, 1, 1]),
    "weights": W,
    "problem": problems.ramp(),
    "n_cells": 16,
    "curve": CURVE,
    "name": "a",
    "breaks": np.array([0.25, 0.75]),
    "ks": (1, 3),
    "n": 12,
    **dict.fromkeys(("repeats", "flips", "n_jobs"), 1),
    "seed": 3,
}


def contained(points, X, centers, k_plus):
    return regions.AugmentedRegion.build(X, centers, k_plus).contains(points)


def curve(ks, n, repeats, flips, seed):
    over = {"k": ks}
    drawn = {"n": n, "repeats": repeats, "flips": flips, "seed": seed}
    return risk.curve(problems.ramp(), Vote(), over=over, **SETTING, **drawn, progress=False).mean


def stream(ns, k, repeats, flips, seed, n_jobs):
    drawn = {"k": k, "repeats": repeats, "flips": flips, "seed": seed, "n_jobs": n_jobs}
    return next(risk.stream(problems.checkerboard(), [Vote()], {"n": ns}, **SETTING, **drawn))


#: What calls a name; functions of a room are called as they are, but for those named here.
NAMED = {
    **functions(regions),
    **functions(risk),
    "NeighborTable.build": then(NeighborTable.build, lambda table: table.indices),
    "NeighborTable.build of itself": then(
        partial(NeighborTable.build, PLANE, None), lambda table: table.distances
    ),
    "NeighborTable.closed": NeighborTable.build(X, QUERIES, 4).closed,
    "NeighborTable": then(NeighborTable, lambda table: VoteProfile.build(table, Y, 2).at(2)),
    "neighbors.prepare": then(prepare, lambda index: NeighborTable.build(index, PLANE, 2).indices),
    "neighbors.Windows.from_points": lambda X, k: Windows.from_points(X).breakpoints(k),
    "NeighborTable.from_graph": lambda data: NeighborTable.from_graph(csr_array(data)).indices,
    "LabelNoise": LabelNoise,
    "LabelNoise.flip": lambda y, v: NOISE.flip(y, v),
    "LabelNoise.flip by a seed": lambda seed: NOISE.flip(Y, seed=seed),
    "LabelNoise.corrupt": NOISE.corrupt,
    "noise.least_k_noise": noise.least_k_noise,
    "noise.misled_points": noise.misled_points,
    "noise.estimate": partial(noise.estimate, NeighborTable.build(X, None, 4)),
    "noise.estimate on a line": partial(noise.estimate, WINDOWS),
    "regions.advantage without noise": partial(regions.advantage, BALLS),
    "regions.ErrorBand.errors": BAND.errors,
    "regions.AugmentedRegion": contained,
    "regions.AugmentedRegion of radii": then(
        regions.AugmentedRegion, lambda region: region.contains(QUERIES)
    ),
    "risk.Limits.from_eta": then(risk.Limits.from_eta, lambda limits: limits.vote(NOISE)),
    "risk.Limits.vote": LIMITS.vote,
    "risk.Limits.misled": LIMITS.misled,
    "risk.curve": curve,
    "risk.stream": stream,
    "risk.sweep_line": lambda labels, ks: risk.sweep_line(WINDOWS, LINE, [(labels, [Vote()])], ks),
    "risk.on_line": lambda labels, k: risk.on_line(LINE, WINDOWS.breakpoints(k), labels),
    "risk.Antiderivative": LINE,
    "risk.Antiderivative.pieces": LINE.pieces,
    "risk.Antiderivative.build": partial(risk.Antiderivative.build, problems.ramp()),
}

OF_THREE = {"eta": OF_THREE_CLASSES, "q": (1.0, 2.0, 1.0)}

#: Values of single names.
OWN = {
    "NeighborTable.build": {"exclude_self": False},
    "NeighborTable": {"n": 5},
    "neighbors.prepare": {"X": PLANE, "metric": "minkowski", "p": 3},
    **dict.fromkeys(("regions.margins", "regions.error_band"), OF_THREE),
    "regions.ErrorBand.errors": OF_THREE,
    "regions.lower_bound_set": {"n": 40, "k": 9},
    "regions.in_intervals": {"x": QUERIES[:, 0]},
    "risk.vote_labels": {"observed": ETA},
    "risk.sweep_line": {"labels": Y},
    "risk.on_line": {"labels": np.array([0, 1, 0, 1])},
    "risk.stream": {"ns": (8, 12), "k": 3},
    "risk.Antiderivative": {"x": np.array([0.25, 0.75])},
}

#: Arguments for which fewer values are bad.
LOOSE = {
    "NeighborTable.from_graph": ["data"],
    "LabelNoise.flip": ["y"],
    "regions.in_intervals": ["x"],
    "regions.AugmentedRegion": ["centers"],
    "risk.stream": ["ns"],
    "risk.Antiderivative": ["x"],
}

CALLS = calls(NAMED, VALUES, OWN, LOOSE)
