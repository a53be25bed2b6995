"""Linear scores that learn from bags of labels: losses with their gradients, and how they are brought down."""

from knnviz.linear.losses import APL, CLPL, LOSSES, LWS, PRODEN, BagLoss, loss_of
from knnviz.linear.training import RIVALS, Linear, Scores
from knnviz.linear.tuning import candidates, picked

__all__ = [
    "APL",
    "CLPL",
    "LOSSES",
    "LWS",
    "PRODEN",
    "RIVALS",
    "BagLoss",
    "Linear",
    "Scores",
    "candidates",
    "loss_of",
    "picked",
]
