"""Labs: a few parameters, the stages that follow from them, and the views that show them."""

from knnviz.labs.active import ActiveLab
from knnviz.labs.active_rates import ActiveRatesLab
from knnviz.labs.bag_noise import BagNoiseLab
from knnviz.labs.bands import BandLab
from knnviz.labs.elimination import EliminationLab
from knnviz.labs.engine.lab import Lab
from knnviz.labs.imbalance import ImbalanceLab
from knnviz.labs.learnability import LearnabilityLab
from knnviz.labs.neighbors import NeighborLab
from knnviz.labs.noise import NoiseLab
from knnviz.labs.rates import RatesLab
from knnviz.labs.thresholds import ThresholdLab
from knnviz.labs.tuning import TuningLab
from knnviz.labs.weights import WeightLab
from knnviz.labs.worlds import TwoWorldsLab

__all__ = [
    "ActiveLab",
    "ActiveRatesLab",
    "BagNoiseLab",
    "BandLab",
    "EliminationLab",
    "ImbalanceLab",
    "Lab",
    "LearnabilityLab",
    "NeighborLab",
    "NoiseLab",
    "RatesLab",
    "ThresholdLab",
    "TuningLab",
    "TwoWorldsLab",
    "WeightLab",
]
