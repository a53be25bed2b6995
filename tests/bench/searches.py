"""Searches for class weights: the F1 of every weight on the grid of Figure 3(a) of Khim et al."""

from rows import Row, median_ms

from knnviz import NeighborTable, VoteProfile
from knnviz.problems import waves
from knnviz.weights import WeightScorer, simplex_grid

#: The sample of the figure and its grid: 1000 points of three classes, 5151 weights.
K = 50
SAMPLE = waves().sample(1000, 0)
GRID = simplex_grid(3, 100)


def rows(quick):
    """Macro F1 at all weights from votes that are counted."""
    table = NeighborTable.build(SAMPLE.X, None, K)
    fractions = VoteProfile.build(table, SAMPLE.y, 3).at(K) / K
    took = median_ms(ours, [fractions] * (4 if quick else 16))
    return [Row("macro F1 of 5151 weights, n = 1000", took, "ms", 25)]


def ours(fractions):
    """Scores (J,), sorting the points included."""
    return WeightScorer.from_fractions(SAMPLE.y, fractions)(GRID)
