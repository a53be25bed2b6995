"""Class weights: confusion entries and scores of weighted decisions, and searches for the weights that score best.

The weighted rule predicts the class with the largest q_c eta-hat_c, for weights q and estimates eta-hat of the class
probabilities eta, P(Y = c given x). Only ratios of weights count; on the simplex they sum to 1. Confusion entries set a
class against all others: at a point it is positive if predicted there, negative if not.

Letters in shapes: m points, C classes, coded 0 to C - 1, n points in a sample; J weight vectors, thresholds, or values
of n or k in ``Trials``.
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
from knnviz.weights.search import Accept, Base, Order, Score, SearchResult, greedy_search, grid_search, neighbors_rule
from knnviz.weights.search_trials import (
    SearchOptions,
    Trials,
    Validation,
    ValidationSet,
    largest_k,
    search_trial,
    trials,
    validation_set,
)
from knnviz.weights.simplex import MOST_POINTS, cover, covers, simplex_grid, to_simplex
from knnviz.weights.thresholds import Thresholds

__all__ = [
    "MOST_POINTS",
    "SCORES",
    "Accept",
    "Base",
    "Confusion",
    "Entries",
    "Order",
    "Score",
    "SearchOptions",
    "SearchResult",
    "Thresholds",
    "Trials",
    "Validation",
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
    "search_trial",
    "simplex_grid",
    "to_simplex",
    "trials",
    "uniform_error",
    "validation_set",
]
