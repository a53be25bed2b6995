"""Searches for class weights: the F1 of every weight on a grid, and a greedy search among ten classes."""

import numpy as np
from rows import Row, median_ms, must_agree
from sklearn.metrics import f1_score
from sklearn.neighbors import KNeighborsClassifier

from knnviz import NeighborTable, VoteProfile
from knnviz.estimators import TunedClassWeightKNeighborsClassifier
from knnviz.problems import gaussians, waves
from knnviz.weights import WeightScorer, simplex_grid

#: The sample of Figure 3(a) and its grid: 1000 points of three classes, 5151 weights.
K, SAMPLE, GRID = 50, waves().sample(1000, 0), simplex_grid(3, 100)
#: Weights for which the classifier is refitted.
FEW = 40


def rows(quick: bool) -> list[Row]:
    """The grid, then the greedy search."""
    return [*grid_rows(3 if quick else 15), *greedy_rows(3 if quick else 9)]


def grid_rows(repeats: int) -> list[Row]:
    """Macro F1 at all weights from votes that are counted, beside NumPy and beside a refit for each of the weights."""
    votes = VoteProfile.count(NeighborTable.build(SAMPLE.X, None, K), SAMPLE.y, 3).at(K)
    fractions = votes / K
    found, by_hand, refitted = ours(fractions), numpy_well(fractions), refits()
    # NumPy breaks ties by rounding, and so does the refit.
    exact = WeightScorer.from_fractions(fractions, SAMPLE.y, tie_tol=0)(GRID)
    must_agree(len(found) == len(exact) and np.allclose(by_hand, exact), "scores", "NumPy")
    must_agree(np.allclose(refitted[1], exact[refitted[0]]), "scores")
    took, numpy_took = (median_ms(work, [fractions] * (repeats + 1)) for work in (ours, numpy_well))
    projected = median_ms(lambda _: refits(), range(3)) * len(GRID) / FEW
    what, name = "macro F1 of 5151 weights, n = 1000", "scikit-learn fit, predict_proba, f1_score, projected"
    return [
        Row(what, took, "ms", 25, numpy_took, "vectorized NumPy"),
        Row(f"{what}, beside refits", took, "ms", None, projected, name),
    ]


def ours(fractions: np.ndarray) -> np.ndarray:
    """Scores (J,), sorting the points included."""
    return WeightScorer.from_fractions(fractions, SAMPLE.y)(GRID)


def numpy_well(fractions: np.ndarray, piece: int = 500) -> np.ndarray:
    """The same in arrays, of points with equal fractions one, so many weights at a time that they stay in the cache."""
    different, places = np.unique(fractions, axis=0, return_inverse=True)
    truth = np.array([np.bincount(places.ravel(), SAMPLE.y == c, len(different)) for c in range(3)])
    scores = []
    for start in range(0, len(GRID), piece):
        decided = (GRID[start : start + piece, None] * different).argmax(axis=2)
        taken = [(decided == c).astype(float) for c in range(3)]
        parts = [
            2 * each @ own / (each @ truth.sum(axis=0) + own.sum()) for each, own in zip(taken, truth, strict=True)
        ]
        scores.append(np.mean(parts, axis=0))
    return np.concatenate(scores)


def refits() -> tuple[np.ndarray, np.ndarray]:
    """Places of some weights on the grid, and their scores: a fit and a prediction for each, as a plain search does."""
    some = np.linspace(0, len(GRID) - 1, FEW).astype(int)
    scores = []
    for q in GRID[some]:
        fractions = KNeighborsClassifier(K).fit(SAMPLE.X, SAMPLE.y).predict_proba(SAMPLE.X)
        scores.append(f1_score(SAMPLE.y, (fractions * q).argmax(axis=1), average="macro"))
    return some, np.array(scores)


def greedy_rows(repeats: int) -> list[Row]:
    """Twenty steps among ten classes of ten thousand points in the plane: all of the fit, and what precedes them."""
    sample = gaussians(10, dimension=2).sample(10_000, 0)
    tuned = TunedClassWeightKNeighborsClassifier(25)
    what = "greedy search of 20 steps, n = 10,000, ten classes"

    def fit(steps: int) -> None:
        tuned.set_params(n_steps=steps).fit(sample.X, sample.y)

    return [
        Row.timed(f"{what}, neighbors included", fit, [20] * (repeats + 1)),
        Row.timed("the same without a step: neighbors and votes", fit, [0] * (repeats + 1)),
    ]
