"""Good calls of names that read points: neighbors, label noise, regions and risk."""

from collections.abc import Callable
from typing import Any

import numpy as np
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
OF_THREE = np.array([[0.5, 0.25, 0.25], [0.125, 0.375, 0.5]])
W = np.array([0.25, 0.5, 0.25])
INTERVALS = np.array([[0.125, 0.25], [0.5, 0.625], [0.75, 0.75], [0.875, 1.0]])
NOISE = LabelNoise(0.125, 0.25)
WINDOWS = Windows.from_points(X)
LINE = risk.Antiderivative.build(problems.ramp(), 16)
BALLS = BallProfile.build(*problems.ramp().cells(32), X, masses=[0.25, 0.5, 1.0])
BAND = regions.error_band(OF_THREE, 0.125, (1, 1, 1), (1, 1, 1), 1)
LIMITS = risk.Limits.from_eta(ETA, W)
GRAPH = np.array([[0.5, 0.25, 0.0], [0.125, 0.0, 0.75]])
COARSE = problems.Resolution(map_cells=(10, 4), integral_cells=(16, 4), repeats=1)
CURVE = risk.RiskCurve(
    "n", np.array([10, 100]), ("a",), np.array([[[[0.5, 0.375]]], [[[0.625, 0.3125]]]]), 0.25
)

#: As in ``scores``.
CALLS: dict[str, tuple[Callable[..., Any], Any]] = {
    "NeighborTable.build": (
        lambda **given: NeighborTable.build(**given).indices,
        {"X": X, "queries": QUERIES, "k_max": 2, "distances": True, "metric": "manhattan"},
    ),
    "NeighborTable.build of itself": (
        lambda **given: NeighborTable.build(PLANE, None, **given).distances,
        {"k_max": 2, "exclude_self": True, "distances": True},
    ),
    "NeighborTable.closed": (NeighborTable.build(X, QUERIES, 4).closed, {"k": 2}),
    "NeighborTable": (
        lambda **given: VoteProfile.build(NeighborTable(**given), Y, 2).at(2),
        {"indices": np.array([[0, 4], [3, 2]]), "n": 5},
    ),
    "neighbors.prepare": (
        lambda n_jobs, **given: (
            NeighborTable.build(prepare(**given, n_jobs=n_jobs), PLANE, 2).indices
        ),
        {"X": PLANE, "metric": "minkowski", "p": 3, "algorithm": "brute", "n_jobs": 1},
    ),
    "neighbors.Windows.from_points": (
        lambda X, k: Windows.from_points(X).breakpoints(k),
        {"X": X, "k": 2},
    ),
    "NeighborTable.from_graph": (
        lambda data: NeighborTable.from_graph(csr_array(data)).indices,
        {"data": GRAPH},
        "data",
    ),
    "LabelNoise": (lambda **given: LabelNoise(**given), {"p0": 0.125, "p1": 0.25}),
    "LabelNoise.flip": (
        NOISE.flip,
        {"y": Y, "v": np.array([0.0, 0.5, 0.25, 0.75, 0.125])},
        "y",
    ),
    "LabelNoise.flip by a seed": (lambda seed: NOISE.flip(Y, seed=seed), {"seed": 3}),
    "LabelNoise.corrupt": (NOISE.corrupt, {"eta": ETA}),
    "noise.least_k_noise": (noise.least_k_noise, {"votes": "order"}),
    "noise.misled_points": (
        noise.misled_points,
        {"eta": ETA, "corrupted": NOISE.corrupt(ETA), "threshold": 0.5, "margin": 0.125},
    ),
    "noise.estimate": (
        lambda **given: noise.estimate(NeighborTable.build(X, None, 4), **given),
        {"observed": Y, "k_noise": 2, "votes": "order"},
    ),
    "noise.estimate on a line": (
        lambda **given: noise.estimate(WINDOWS, **given),
        {"observed": Y, "k_noise": 2, "votes": "order"},
    ),
    "regions.margins": (regions.margins, {"eta": OF_THREE, "q": (1.0, 2.0, 1.0)}),
    "regions.effective_boundary": (
        lambda **given: regions.effective_boundary(BALLS, **given),
        {"mass": 0.5, "margin": 0.25, "q": (1.0, 1.5)},
    ),
    "regions.advantage": (lambda **given: regions.advantage(BALLS, **given), {"mass_cap": 0.5}),
    "regions.advantage under noise": (
        lambda mass_cap: regions.advantage(BALLS, mass_cap, noise=NOISE),
        {"mass_cap": 0.5},
    ),
    "regions.lower_bound_set": (
        lambda **given: regions.lower_bound_set(BALLS, **given),
        {"n": 40, "k": 9, "q": (1.0, 1.5)},
    ),
    "regions.error_band": (
        regions.error_band,
        {
            "eta": OF_THREE,
            "epsilon": 0.125,
            "q_more": (1.0, 2.0, 1.0),
            "q_less": (1.0, 1.5, 1.0),
            "c": 1,
        },
    ),
    "regions.ErrorBand.errors": (
        BAND.errors,
        {"eta": OF_THREE, "c": 1},
    ),
    "regions.hard": (
        lambda **given: regions.hard(
            VoteProfile.build(NeighborTable.build(X, QUERIES, 4), Y, 2), **given
        ),
        {"k": 3, "width": 0.25},
    ),
    "regions.hard_intervals": (
        regions.hard_intervals,
        {"X": X, "y": Y, "k": 2, "width": 0.25, "box": (0.0, 1.0)},
    ),
    "regions.augmented_intervals": (
        regions.augmented_intervals,
        {"X": X, "intervals": INTERVALS, "k_plus": 2, "box": (0.0, 1.0)},
    ),
    "regions.in_intervals": (
        regions.in_intervals,
        {"intervals": INTERVALS, "x": QUERIES[:, 0]},
        "x",
    ),
    "regions.kth_distances": (regions.kth_distances, {"X": X, "centers": QUERIES, "k": 2}),
    "regions.AugmentedRegion": (
        lambda points, **given: regions.AugmentedRegion.build(**given).contains(points),
        {"points": QUERIES, "X": X, "centers": X[:2], "k_plus": 2},
        "centers",
    ),
    "regions.AugmentedRegion of radii": (
        lambda **given: regions.AugmentedRegion(**given).contains(QUERIES),
        {"centers": X[:2], "radii": np.array([0.25, 0.5])},
    ),
    "risk.exact": (risk.exact, {"eta": ETA, "labels": np.array([0, 1, 1]), "weights": W}),
    "risk.vote_labels": (risk.vote_labels, {"observed": ETA, "threshold": 0.375}),
    "risk.one_nn_limit": (
        lambda n_cells: risk.one_nn_limit(problems.ramp(), NOISE, n_cells),
        {"n_cells": 16},
    ),
    "risk.vote_limit": (
        lambda n_cells: risk.vote_limit(problems.ramp(), NOISE, n_cells),
        {"n_cells": 16},
    ),
    "risk.Limits.from_eta": (
        lambda eta, weights: risk.Limits.from_eta(eta, weights).vote(NOISE),
        {"eta": ETA, "weights": W},
    ),
    "risk.Limits.vote": (lambda threshold: LIMITS.vote(NOISE, threshold), {"threshold": 0.375}),
    "risk.Limits.misled": (
        lambda **given: LIMITS.misled(NOISE, **given),
        {"threshold": 0.375, "margin": 0.125},
    ),
    "risk.growing_neighbors": (risk.growing_neighbors, {"n": 100}),
    "risk.fitted_rate": (
        lambda **given: risk.fitted_rate(CURVE, **given),
        {"name": "a"},
    ),
    "risk.curve": (
        lambda ks, **given: (
            risk.curve(
                problems.ramp(),
                Vote(),
                over={"k": ks},
                noise=NOISE,
                resolution=COARSE,
                progress=False,
                **given,
            ).mean
        ),
        {"ks": (1, 3), "n": 12, "repeats": 1, "flips": 1, "seed": 3},
    ),
    "risk.stream": (
        lambda ns, **given: next(
            risk.stream(
                problems.checkerboard(),
                [Vote()],
                {"n": ns},
                noise=NOISE,
                resolution=COARSE,
                **given,
            )
        ),
        {"ns": (8, 12), "k": 3, "repeats": 1, "flips": 1, "seed": 3, "n_jobs": 1},
        "ns",
    ),
    "risk.sweep_line": (
        lambda labels, ks: risk.sweep_line(WINDOWS, LINE, [(labels, [Vote()])], ks),
        {"labels": Y, "ks": (1, 3)},
    ),
    "risk.on_line": (
        lambda labels, k: risk.on_line(LINE, WINDOWS.breakpoints(k), labels),
        {"labels": np.array([0, 1, 0, 1]), "k": 2},
    ),
    "risk.Antiderivative": (LINE, {"x": np.array([0.25, 0.75])}, "x"),
    "risk.Antiderivative.pieces": (LINE.pieces, {"breaks": np.array([0.25, 0.75])}),
    "risk.Antiderivative.build": (
        lambda n_cells: risk.Antiderivative.build(problems.ramp(), n_cells),
        {"n_cells": 16},
    ),
}
