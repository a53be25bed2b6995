"""Every lab at a state to begin with, and what makes all of them quick: few cells, few weights, short curves."""

from functools import partial
from importlib import import_module

from knnviz import labs
from knnviz.labs import bands, imbalance, tuning
from knnviz.labs.active import learners
from knnviz.labs.active_rates import boundary
from knnviz.labs.engine import Lab
from knnviz.labs.old_parts import sizes, training_data, weighted_map
from knnviz.labs.tuning import panels as tuning_panels
from knnviz.labs.tuning import search, trial_panel
from knnviz.problems import Resolution
from knnviz.views import landscape
from knnviz.weights import SearchOptions, simplex_grid

LINE, PLANE = {1: 100, 2: 40}, {1: 50, 2: 20}

#: How finely labs that are recipes compute in tests.
SMALL = Resolution(map_cells=(200, 24), integral_cells=(400, 40), repeats=2)

#: Sizes by the module that holds them.
FEW = (
    (sizes, {"MAP_CELLS": LINE, "COARSE_MAP_CELLS": PLANE, "TRUTH_PREVIEW": PLANE, "QUERY_CELLS": {1: 100, 2: 20}}),
    (training_data, {"FINE_GRID": {1: 400, 2: 40}}),
    (learners, {"BUDGETS": 3, "CELLS": {1: 100, 2: 12}}),
    (boundary, {"LINE_CELLS": 100}),
    (imbalance.decisions, {"CELLS": 800, "THIN": 4}),
    (bands.uniform, {"MANY_KS": 8}),
    (weighted_map, {"BOUNDARY_CELLS": 24, "LINE_CELLS": 200}),
    (landscape, {"GRID_STEPS": 20, "GRID": simplex_grid(3, 20)}),
    (search, {"GRID": simplex_grid(3, 20), "SearchOptions": partial(SearchOptions, grid_parts=20)}),
    (tuning, {"GRID": simplex_grid(3, 20)}),
    (tuning_panels, {"LINE_CELLS": 200}),
    (trial_panel, {"SIZES": (60, 100), "KS": (5, 20, 200)}),
    (import_module("knnviz.weights.search_trials"), {"CELLS": {1: 200, 2: 24}}),
)

#: Values of each lab to begin with.
STARTS = {
    labs.ActiveLab: {"n": 200, "m": 100, "k_hard": 60, "k_vote": 40, "width": 0.1},
    labs.ActiveRatesLab: {},
    labs.BagNoiseLab: {"problem": "wine", "splits": 1, "max_neighbors": 30, "resolution": SMALL},
    labs.BandLab: {},
    labs.EliminationLab: {"n": 200, "max_neighbors": 60, "k": 60, "resolution": SMALL},
    labs.ImbalanceLab: {"rule": "kNN", "n": 400, "k": 10},
    labs.LearnabilityLab: {},
    labs.NeighborLab: {"n": 400, "resolution": SMALL},
    labs.NoiseLab: {"n": 400, "k": 21, "k_noise": 30, "resolution": SMALL},
    labs.RatesLab: {"n": 1000, "resolution": SMALL},
    labs.ThresholdLab: {"n": 400, "resolution": SMALL},
    labs.TuningLab: {},
    labs.TwoWorldsLab: {},
    labs.WeightLab: {"resolution": SMALL},
}

#: Values at which a curve fills in, where no option of a menu has one.
STREAMS = {labs.BagNoiseLab: {"splits": 3}}

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
    ("BandLab", "n"): {"uniform_panel"},
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


#: Cells of a line, of the distribution itself and of its boundary, all of them.
WHOLE = ((sizes.MAP_CELLS, {1: sizes.MAP_CELLS[1]}), (training_data.FINE_GRID, dict(training_data.FINE_GRID)))
BOUNDARY_CELLS = weighted_map.BOUNDARY_CELLS


def refine(monkeypatch):
    """Give back the cells that take no time: those of a line, of the distribution and of its boundary."""
    for held, sides in WHOLE:
        for dimension, cells in sides.items():
            monkeypatch.setitem(held, dimension, cells)
    monkeypatch.setattr(weighted_map, "BOUNDARY_CELLS", BOUNDARY_CELLS)
