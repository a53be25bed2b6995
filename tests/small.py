"""Every lab at a state to begin with, and what makes all of them quick: few cells, few weights, short curves."""

import numpy as np

from knnviz import labs
from knnviz.labs import imbalance
from knnviz.labs.bag_noise import splits
from knnviz.labs.engine import Lab
from knnviz.labs.old_parts import sizes, training_data, weighted_map
from knnviz.problems import Resolution
from knnviz.views import landscape
from knnviz.weights import simplex_grid

LINE, PLANE = {1: 100, 2: 40}, {1: 50, 2: 20}

#: How finely labs that are recipes compute in tests.
SMALL = Resolution(map_cells=(200, 24), integral_cells=(400, 40), repeats=2)

#: Sizes by the module that holds them.
FEW = (
    (sizes, {"MAP_CELLS": LINE, "COARSE_MAP_CELLS": PLANE, "TRUTH_PREVIEW": PLANE, "QUERY_CELLS": {1: 100, 2: 20}}),
    (training_data, {"FINE_GRID": {1: 400, 2: 40}}),
    (imbalance.decisions, {"CELLS": 800, "THIN": 4}),
    (weighted_map, {"BOUNDARY_CELLS": 24, "LINE_CELLS": 200}),
    (landscape, {"GRID_STEPS": 20, "GRID": simplex_grid(3, 20)}),
)

#: Values of each lab to begin with.
STARTS = {
    labs.ActiveLab: {"n": 200, "m": 100, "k_hard": 60, "k_vote": 40, "width": 0.1, "resolution": SMALL},
    labs.ActiveRatesLab: {"resolution": SMALL},
    labs.BagNoiseLab: {"problem": "wine", "splits": 2, "max_neighbors": 30},
    labs.BandLab: {"resolution": SMALL},
    labs.EliminationLab: {"n": 200, "max_neighbors": 60, "k": 60, "resolution": SMALL},
    labs.ImbalanceLab: {"rule": "kNN", "n": 400, "k": 10},
    labs.LearnabilityLab: {},
    labs.NeighborLab: {"n": 400, "resolution": SMALL},
    labs.NoiseLab: {"n": 400, "k": 21, "k_noise": 30, "resolution": SMALL},
    labs.RatesLab: {"n": 1000, "resolution": SMALL},
    labs.ThresholdLab: {"n": 400, "resolution": SMALL},
    labs.TuningLab: {"n": 200, "k": 20, "repeats": 2, "resolution": SMALL},
    labs.TwoWorldsLab: {"resolution": SMALL},
    labs.WeightLab: {"resolution": SMALL},
}

#: Labs that are recipes, and the others.
RECIPES = [kind for kind in STARTS if issubclass(kind, Lab)]
OTHERS = [kind for kind in STARTS if kind not in RECIPES]

#: Fine enough that a page gets a coarse picture first.
FINER = Resolution(map_cells=(1500, 40), integral_cells=(3000, 80), repeats=2)

#: Panels whose axes end where a slider stands.
FOLLOWING = {
    ("ActiveLab", "n"): {"risk"},
    ("ActiveLab", "m"): {"risk"},
    ("ActiveRatesLab", "margin_exponent"): {"rates"},
    ("BagNoiseLab", "max_neighbors"): {"stops"},
    ("BandLab", "n"): {"error"},
    ("EliminationLab", "max_neighbors"): {"ball"},
    ("ImbalanceLab", "classes"): {"fractions", "scores"},
    ("LearnabilityLab", "n_classes"): {"simplex"},
    ("RatesLab", "n"): {"votes", "risk", "bound"},
    ("TuningLab", "n"): {"stairs"},
    ("TwoWorldsLab", "n"): {"glass"},
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
    take_few_rows(monkeypatch)


#: Cells of a line, of the distribution itself and of its boundary, all of them.
WHOLE = ((sizes.MAP_CELLS, {1: sizes.MAP_CELLS[1]}), (training_data.FINE_GRID, dict(training_data.FINE_GRID)))
BOUNDARY_CELLS = weighted_map.BOUNDARY_CELLS


def refine(monkeypatch):
    """Give back the cells that take no time: those of a line, of the distribution and of its boundary."""
    for held, sides in WHOLE:
        for dimension, cells in sides.items():
            monkeypatch.setitem(held, dimension, cells)
    monkeypatch.setattr(weighted_map, "BOUNDARY_CELLS", BOUNDARY_CELLS)


def take_few_rows(monkeypatch):
    """Data of 90 rows, whose splits take no time."""
    whole = {name: splits.points(name) for name in splits.DATA}
    rows = {name: np.linspace(0, len(y) - 1, 90).astype(int) for name, (_, y) in whole.items()}
    few = {name: (X[rows[name]], y[rows[name]]) for name, (X, y) in whole.items()}
    every = splits.points
    monkeypatch.setattr(splits, "points", lambda name: few[name] if name in few else every(name))


def forget():
    """Empty the caches of splits, which go by the name of their data."""
    for cached in (splits.cached_split, splits.bagged_split, splits.plain_vote_errors, splits.outcomes):
        cached.cache_clear()
