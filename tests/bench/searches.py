"""Searches for class weights: the F1 of every weight on the grid of Figure 3(a) of Khim et al."""

import numpy as np
from rows import Row, median_ms, must_agree

from knnviz import NeighborTable, VoteProfile
from knnviz.problems import waves
from knnviz.weights import WeightScorer, simplex_grid

#: The sample of the figure and its grid: 1000 points of three classes, 5151 weights.
K = 50
SAMPLE = waves().sample(1000, 0)
GRID = simplex_grid(3, 100)


def rows(quick: bool) -> list[Row]:
    """Macro F1 at all weights from votes that are counted, beside NumPy."""
    table = NeighborTable.build(SAMPLE.X, None, K)
    fractions = VoteProfile.build(table, SAMPLE.y, 3).at(K) / K
    # NumPy breaks ties by rounding.
    exact = WeightScorer.from_fractions(SAMPLE.y, fractions, tie_tol=0)(GRID)
    must_agree(np.allclose(numpy_well(fractions), exact), "scores", "NumPy")

    what = "macro F1 of 5151 weights, n = 1000"
    given = [fractions] * (4 if quick else 16)
    took = median_ms(ours, given)
    return [Row(what, took, "ms", 25, median_ms(numpy_well, given), "vectorized NumPy")]


def ours(fractions: np.ndarray) -> np.ndarray:
    """Scores (J,), sorting the points included."""
    return WeightScorer.from_fractions(SAMPLE.y, fractions)(GRID)


def numpy_well(fractions: np.ndarray, piece: int = 500) -> np.ndarray:
    """The same in arrays, of points with equal fractions one, so many weights at a time that they
    stay in the cache.
    """
    different, places = np.unique(fractions, axis=0, return_inverse=True)
    truth = [np.bincount(places.ravel(), SAMPLE.y == c, len(different)) for c in range(3)]
    points = np.sum(truth, axis=0)
    scores = []
    for start in range(0, len(GRID), piece):
        decided = (GRID[start : start + piece, None] * different).argmax(axis=2)
        parts = []
        for c, own in enumerate(truth):
            taken = (decided == c).astype(float)
            parts.append(2 * taken @ own / (taken @ points + own.sum()))
        scores.append(np.mean(parts, axis=0))
    return np.concatenate(scores)
