"""Class weights: grids on the simplex, pairs of weights that cover others, searches for the best, and trials of these.

The weighted rule predicts the class with the largest q_c eta-hat_c, for weights q and estimates eta-hat of the class
probabilities eta. Only ratios of weights count; on the simplex they sum to 1. C is the number of classes, J that of
weight vectors, or of values of n or k in ``Trials``, n that of points in a sample.

Functions and classes raise ValueError for values outside the documented ranges, and for arrays whose shapes do not fit.
"""

from knnviz.weights.confusion import (
    Confusion,
    Entries,
    confusion,
    confusion_bayes,
    confusion_fitted,
    confusion_hat,
    excess_weighted_risk,
    leaders,
    uniform_error,
)
from knnviz.weights.scorer import SCORES, WeightScorer
from knnviz.weights.search import SearchResult, greedy_search, grid_search, neighbors_rule
from knnviz.weights.search_trials import SearchOptions, Trials, trial, trials
from knnviz.weights.simplex import cover, covers, simplex_grid, to_simplex
from knnviz.weights.thresholds import Thresholds
from knnviz.weights.validation import ValidationSet, largest_k, validation_set

__all__ = [
    "SCORES",
    "Confusion",
    "Entries",
    "SearchOptions",
    "SearchResult",
    "Thresholds",
    "Trials",
    "ValidationSet",
    "WeightScorer",
    "confusion",
    "confusion_bayes",
    "confusion_fitted",
    "confusion_hat",
    "cover",
    "covers",
    "excess_weighted_risk",
    "greedy_search",
    "grid_search",
    "largest_k",
    "leaders",
    "neighbors_rule",
    "simplex_grid",
    "to_simplex",
    "trial",
    "trials",
    "uniform_error",
    "validation_set",
]
