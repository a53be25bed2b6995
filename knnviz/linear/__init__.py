"""Linear classifiers trained on bags of candidate labels: losses with gradients, training by Adam, and tuning.

n is the number of training points X (n, d), C that of labels; a bag is the set of candidate labels of a point, a row of
bags (n, C) bool.
"""

from knnviz.linear.losses import APL, CLPL, LOSSES, LWS, PRODEN, BagLoss, loss_of
from knnviz.linear.training import RIVALS, Linear, LinearModel
from knnviz.linear.tuning import select_model, tuning_grid

__all__ = [
    "APL",
    "CLPL",
    "LOSSES",
    "LWS",
    "PRODEN",
    "RIVALS",
    "BagLoss",
    "Linear",
    "LinearModel",
    "loss_of",
    "select_model",
    "tuning_grid",
]
