"""Every lab at a state to begin with, and what makes it quick: few cells and repeats."""

from knnviz import labs
from knnviz.problems import Resolution

#: How finely labs compute in tests, and fine enough that a page gets a coarse picture first.
SMALL = Resolution(map_cells=(200, 24), integral_cells=(400, 40), repeats=2)
FINER = Resolution(map_cells=(1500, 40), integral_cells=(3000, 80), repeats=2)

#: Values of each lab to begin with.
STARTS = {
    labs.ActiveLab: {"n": 200, "m": 100, "k_hard": 60, "k_vote": 40, "width": 0.1},
    labs.ActiveRatesLab: {},
    labs.BagNoiseLab: {"problem": "wine", "splits": 1, "max_neighbors": 30},
    labs.BandLab: {},
    labs.EliminationLab: {"n": 200, "max_neighbors": 60, "k": 60},
    labs.ImbalanceLab: {},
    labs.LearnabilityLab: {"n": 100},
    labs.LeaveOneOutLab: {},
    labs.NeighborLab: {"n": 400},
    labs.NoiseLab: {"n": 400, "k": 21, "k_noise": 30},
    labs.PoolLab: {},
    labs.RatesLab: {"n": 1000},
    labs.ThresholdLab: {"n": 400},
    labs.TuningLab: {"n": 200, "k": 20, "repeats": 2},
    labs.TwoWorldsLab: {},
    labs.WeightLab: {},
}
STARTS = {kind: {"resolution": SMALL, **values} for kind, values in STARTS.items()}

#: Values that make presets quick.
QUICK = {
    labs.BagNoiseLab: {"splits": 1},
    labs.NoiseLab: {"n": 1000},
    labs.TuningLab: {"repeats": 2},
}

#: Values at which a curve fills in; other labs have none that does.
STREAMS = {
    labs.ActiveLab: {"curve": "over k"},
    labs.BagNoiseLab: {"splits": 3},
    labs.NeighborLab: {"curve": "over k"},
    labs.NoiseLab: {"curve": "over k"},
    labs.RatesLab: {"curve": "over n, with samples"},
    labs.TuningLab: {"curve": "F1 over n"},
}
