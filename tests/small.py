"""Every lab at a state to begin with, and what makes all of them quick: few cells, few weights, short curves."""

from functools import lru_cache, partial
from importlib import import_module

import numpy as np

from knnviz import labs
from knnviz.labs import (
    bag_rivals,
    bag_splits,
    bagged,
    imbalance,
    lines,
    maps,
    neighbors,
    noise,
    rates,
    searching,
    trials,
    tuning,
    uniform,
    weighted,
)
from knnviz.labs.active import learners
from knnviz.labs.active_rates import boundary
from knnviz.labs.parts import sizes, training_data
from knnviz.linear import RIVALS, Linear
from knnviz.views import landscape
from knnviz.weights import SearchOptions, simplex_grid

LINE, PLANE = {1: 100, 2: 40}, {1: 50, 2: 20}

#: Sizes by the module that holds them.
FEW = (
    (sizes, {"FULL": LINE, "COARSE": PLANE, "ROUGH": PLANE, "POPULATION": {1: 100, 2: 20}}),
    (training_data, {"FINE": {1: 400, 2: 40}}),
    (bagged, {"BALLS": {1: 60, 2: 12}, "CLUSTERED": {1: 100, 2: 20}}),
    (neighbors, {"REPEATS": 2}),
    (noise, {"REPEATS": 2, "CELLS": 10}),
    (lines, {"CELLS": 100, "POPULATION": 200}),
    (rates, {"SIZES": (250, 1_024_000), "REPEATS": 1}),
    (learners, {"BUDGETS": 3, "CELLS": {1: 100, 2: 12}}),
    (boundary, {"FULL": 100}),
    (imbalance, {"CELLS": 800, "THIN": 4}),
    (uniform, {"MANY": 8}),
    (maps, {"TRACED": 24}),
    (landscape, {"PARTS": 20, "GRID": simplex_grid(3, 20)}),
    (searching, {"GRID": simplex_grid(3, 20), "SearchOptions": partial(SearchOptions, parts=20)}),
    (weighted, {"FINE": 200}),
    (tuning, {"FINE": 200, "bayes_scores": lru_cache(tuning.bayes_scores.__wrapped__)}),
    (trials, {"SIZES": (60, 100), "KS": (5, 20, 200)}),
    (import_module("knnviz.weights.trials"), {"CELLS": {1: 200, 2: 24}}),
)

#: Values of each lab to begin with.
STARTS = {
    labs.ActiveLab: {"n": 200, "m": 100, "k_hard": 60, "k_vote": 40, "width": 0.1},
    labs.ActiveRatesLab: {},
    labs.BagNoiseLab: {"data": "wine", "splits": 2, "max_neighbors": 30},
    labs.BandLab: {},
    labs.EliminationLab: {"n": 200, "max_neighbors": 60, "k": 60},
    labs.ImbalanceLab: {"rule": "kNN", "n": 400, "k": 10},
    labs.LearnabilityLab: {},
    labs.NeighborLab: {"n": 400},
    labs.NoiseLab: {"n": 400, "k": 21, "k_noise": 30},
    labs.RatesLab: {"n": 1000},
    labs.ThresholdLab: {"n": 400},
    labs.TuningLab: {},
    labs.TwoWorldsLab: {},
    labs.WeightLab: {},
}


def shrink(monkeypatch):
    """Make labs quick; numbers change, and nothing else."""
    for module, values in FEW:
        for name, value in values.items():
            if isinstance(value, dict):
                # In place, since several modules hold it.
                for dimension, cells in value.items():
                    monkeypatch.setitem(getattr(module, name), dimension, cells)
            else:
                monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(landscape, "SHOWN", landscape._shown())
    take_few_rows(monkeypatch)
    fit_briefly(monkeypatch)


#: Cells of a line, of the law itself and of its boundary, all of them.
WHOLE = ((sizes.FULL, {1: sizes.FULL[1]}), (training_data.FINE, dict(training_data.FINE)))
TRACED = maps.TRACED


def refine(monkeypatch):
    """Give back the cells that take no time: those of a line, of the law and of its boundary."""
    for held, sides in WHOLE:
        for dimension, cells in sides.items():
            monkeypatch.setitem(held, dimension, cells)
    monkeypatch.setattr(maps, "TRACED", TRACED)


def take_few_rows(monkeypatch):
    """Data of 90 rows, whose splits take no time."""
    whole = {name: bag_splits.points(name) for name in bag_splits.DATA}
    rows = {name: np.linspace(0, len(y) - 1, 90).astype(int) for name, (_, y) in whole.items()}
    few = {name: (X[rows[name]], y[rows[name]]) for name, (X, y) in whole.items()}
    monkeypatch.setattr(bag_splits, "points", few.__getitem__)


def fit_briefly(monkeypatch):
    """Linear rivals that take no time either."""
    for name, method in RIVALS.items():
        monkeypatch.setitem(RIVALS, name, Linear(method.loss, max_iter=15))


def forget():
    """Empty what is kept of splits, which go by the name of their data."""
    for kept in (bag_splits.kept_split, bag_splits.bagged, bag_splits.votes, bag_splits.outcomes, bag_rivals._kept):
        kept.cache_clear()
