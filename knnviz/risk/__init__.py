"""The risk of rules, the probability of a wrong label: at one k or n, along a curve of them, and as n grows.

eta are the true class probabilities P(Y = c | x). Where they are known the risk is exact: a sum over the cells of a
grid (their centers, with probabilities as weights), or on a line an integral. For data it is the error on held-out
points. R* is the Bayes risk, the smallest one, and the excess risk is what a risk has above R*. Label noise flips a
label of class 0 with probability p0, and one of class 1 with p1; eta_corr are the probabilities of labels with noise.
The risk always counts errors on true labels.

n is the sample size, k the number of neighbors that vote, k' of those that estimate the noise, m of points or cells
where a risk is measured, and C of classes, coded 0 to C - 1.
"""

from knnviz.risk.curves import Rate, RiskCurve, fitted_rate, growing_neighbors
from knnviz.risk.exact import Antiderivative, exact, held_out, on_line, on_pieces
from knnviz.risk.limits import Limits, one_nn_limit, vote_labels, vote_limit
from knnviz.risk.monte_carlo import curve, stream
from knnviz.risk.sweeps import sweep, sweep_line

__all__ = [
    "Antiderivative",
    "Limits",
    "Rate",
    "RiskCurve",
    "curve",
    "exact",
    "fitted_rate",
    "growing_neighbors",
    "held_out",
    "on_line",
    "on_pieces",
    "one_nn_limit",
    "stream",
    "sweep",
    "sweep_line",
    "vote_labels",
    "vote_limit",
]
