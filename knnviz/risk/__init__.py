"""The risk of rules: exact where eta is known, held out where it is not, at one k or n or along a curve of them."""

from knnviz.risk.curves import RiskCurve, curve, growing_neighbors, stream
from knnviz.risk.exact import Antiderivative, exact, held_out, on_line
from knnviz.risk.fitted_rate import Rate, fitted_rate
from knnviz.risk.limits import Limits, one_nn_limit, vote_labels, vote_limit
from knnviz.risk.sweep import Draw, sweep, sweep_line, sweep_tables

__all__ = [
    "Antiderivative",
    "Draw",
    "Limits",
    "Rate",
    "RiskCurve",
    "curve",
    "exact",
    "fitted_rate",
    "growing_neighbors",
    "held_out",
    "on_line",
    "one_nn_limit",
    "stream",
    "sweep",
    "sweep_line",
    "sweep_tables",
    "vote_labels",
    "vote_limit",
]
