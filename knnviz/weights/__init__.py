"""Class weights: grids on the simplex, pairs of weights that cover others, searches for the best, and trials of these.

Functions and classes raise ValueError for values outside the documented ranges, and for arrays whose shapes do not fit.
"""

from knnviz.weights.search import Search, greedy_search, grid_search, neighbors_rule
from knnviz.weights.search_trials import SearchOptions, Trials, trial, trials
from knnviz.weights.simplex import cover, covers, simplex_grid, to_simplex
from knnviz.weights.validation import Validated, validated, voters

__all__ = [
    "Search",
    "SearchOptions",
    "Trials",
    "Validated",
    "cover",
    "covers",
    "greedy_search",
    "grid_search",
    "neighbors_rule",
    "simplex_grid",
    "to_simplex",
    "trial",
    "trials",
    "validated",
    "voters",
]
