"""The risk of rules, the probability of a wrong label: at one k or n, along a curve of them, and as
n grows.

eta are the true class probabilities P(Y = c | x). Where they are known the risk is exact: a sum
over the cells of a grid (their centers, with probabilities as weights), or on a line an integral.
For data it is the error on held-out points. R* is the Bayes risk, the smallest one, and the excess
risk is what a risk has above R*. Label noise flips a label of class 0 with probability p0, and one
of class 1 with p1; eta_corr are the probabilities of labels with noise. The risk always counts
errors on true labels.

n is the sample size, k the number of voting neighbors, k' the number that estimates the noise, m
the number of points or cells, C that of classes, coded 0 to C - 1. mu is the distribution of the
points. The box of a problem bounds all its points; a problem of atoms is a finite set of weighted
points. ``n_cells`` are cells of its grid along each coordinate, by default 20,000 on a line and 400
in the plane; a ``Resolution`` has those of curves, and how many samples they average.
"""

from knnviz.risk.curves import FittedRate, RiskCurve, fitted_rate
from knnviz.risk.integrals import Antiderivative, exact, on_line
from knnviz.risk.limits import Limits, one_nn_limit, vote_labels, vote_limit
from knnviz.risk.monte_carlo import curve, stream
from knnviz.risk.sweeps import sweep_line

__all__ = [
    "Antiderivative",
    "FittedRate",
    "Limits",
    "RiskCurve",
    "curve",
    "exact",
    "fitted_rate",
    "on_line",
    "one_nn_limit",
    "stream",
    "sweep_line",
    "vote_labels",
    "vote_limit",
]
