"""Class weights: confusion entries and scores of weighted decisions, and searches for the weights
that score best.

The weighted rule predicts the class with the largest q_c eta-hat_c, for weights q and estimates
eta-hat of the class probabilities eta, P(Y = c given x). Only ratios of weights count; on the
simplex they sum to 1. Confusion entries set a class against all others: at a point it is positive
if predicted there, negative if not. Scores are on the sample or on new points, drawn from the
problem's distribution: the cells of a grid stand for them, each with its probability. An argument
``weights`` holds such probabilities of points; class weights are called q.

Letters in shapes: m points, C classes, coded 0 to C - 1, n points in a sample; J weight vectors,
thresholds, or values of n or k in ``Trials``.
"""

from knnviz.weights.entries import (
    Confusion,
    Entries,
    confusion,
    excess_weighted_risk,
    leaders,
    uniform_error,
)
from knnviz.weights.scorer import SCORES, WeightScorer
from knnviz.weights.search import SearchResult, greedy_search, grid_search, neighbors_rule
from knnviz.weights.search_trials import (
    SearchOptions,
    Trials,
    Validation,
    ValidationSet,
    largest_k,
    trials,
    validation_set,
)
from knnviz.weights.simplex import cover, covers, simplex_grid, to_simplex
from knnviz.weights.thresholds import Thresholds

__all__ = [
    "SCORES",
    "Confusion",
    "Entries",
    "SearchOptions",
    "SearchResult",
    "Thresholds",
    "Trials",
    "Validation",
    "ValidationSet",
    "WeightScorer",
    "confusion",
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
    "trials",
    "uniform_error",
    "validation_set",
]
