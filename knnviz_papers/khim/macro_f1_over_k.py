"""Macro F1 over k: a sample that counts itself, one that does not, and new points."""

import numpy as np

from knnviz.problems import Sample, waves
from knnviz.weights import WeightScorer
from knnviz_papers.khim.example import EQUAL
from knnviz_papers.simulate import (
    Tables,
    mean_and_error,
    means_and_errors,
    over_samples,
    window_votes,
)

#: Sample size, and numbers of neighbors.
SIZE = 1000
KS = (1, 5, 20, 50, 200, 1000)

#: Where F1 is counted for a k: on the sample with and without a point's own label, and on new
#: points.
COUNTED = ("resubstitution", "loo", "new_points")

#: New points are the left ends of so many cells, as in the paper.
CELLS = 10_000


def khim_neighbors(repeats: int = 200, seed: int = 0, progress: bool = False) -> Tables:
    """Macro F1 over k with equal weights, on the sample and on new points: a point's own vote makes
    it too optimistic.

    Where a point does not count itself, k = n are the n - 1 others.

    Tables: "means", a row for each k: macro F1 at the training points with their own labels,
    without them ("loo"), and on new points; "chosen", a row for each of these three: macro F1 on
    new points at the k for which it is highest.

    Source: Khim et al., section 6, where a training point counts itself.
    """
    found = over_samples(macro_f1_by_k, waves(), SIZE, repeats, seed, progress)
    means = []
    for j, k in enumerate(KS):
        at_k = means_and_errors(found[:, j], COUNTED)
        means.append({"n": SIZE, "k": k} | at_k)

    runs = np.arange(repeats)
    chosen = []
    for way, counted in enumerate(COUNTED):
        best = found[:, :, way].argmax(axis=1)
        on_new_points = found[runs, best, -1]
        chosen.append({"chosen_by": counted} | mean_and_error("macro", on_new_points))
    return {"means": means, "chosen": chosen}


def macro_f1_by_k(sample: Sample, ks: tuple[int, ...] = KS) -> np.ndarray:
    """Macro F1 (ks, 3) of kNN with equal weights, in the order of ``COUNTED``."""
    x = np.arange(CELLS) / CELLS
    eta = waves().eta(x[:, None])

    n = len(sample.X)
    own = sample.X[:, 0]
    labels = np.eye(len(EQUAL))[sample.y]
    votes = window_votes(sample, len(EQUAL))
    equal = np.array(EQUAL)
    rows = []
    for k in ks:
        others = min(k, n - 1)
        # Each point is the first of its own neighbors: the others are those of one more without it.
        without = (votes.at_points(own, others + 1) - labels) / others
        fractions = votes.at_points(own, k) / k
        on_new = votes.at_points(x, k) / k
        pairs = (fractions, labels), (without, labels), (on_new, eta)
        row = []
        for counted, truth in pairs:
            score = WeightScorer.from_fractions(truth, counted)
            row.append(score(equal))
        rows.append(row)
    return np.array(rows)
