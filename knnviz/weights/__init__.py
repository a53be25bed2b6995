"""Class weights: the simplex and its grid, pairs of weights that cover others, and searches for the best weights."""

from knnviz.weights.search import Search, greedy_search, grid_search, neighbors_rule
from knnviz.weights.simplex import cover, covers, nearest, simplex_grid

__all__ = [
    "Search",
    "cover",
    "covers",
    "greedy_search",
    "grid_search",
    "nearest",
    "neighbors_rule",
    "simplex_grid",
]
