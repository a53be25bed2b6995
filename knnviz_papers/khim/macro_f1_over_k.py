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
    chosen = [
        found[np.arange(repeats), found[:, :, way].argmax(axis=1), -1]
        for way in range(len(COUNTED))
    ]
    return {
        "means": [
            {"n": SIZE, "k": k} | means_and_errors(found[:, j], COUNTED) for j, k in enumerate(KS)
        ],
        "chosen": [
            {"chosen_by": way} | mean_and_error("macro", each)
            for way, each in zip(COUNTED, chosen, strict=True)
        ],
    }


def macro_f1_by_k(sample: Sample, ks: tuple[int, ...] = KS) -> np.ndarray:
    """Macro F1 (ks, 3) of kNN with equal weights, in the order of ``COUNTED``."""
    n = len(sample.X)
    x = np.arange(CELLS) / CELLS
    eta = waves().eta(x[:, None])
    labels = np.eye(len(EQUAL))[sample.y]
    votes = window_votes(sample, len(EQUAL))
    own = sample.X[:, 0]
    rows = []
    for k in ks:
        others = min(k, n - 1)
        # Each point is the first of its own neighbors: the others are those of one more without it.
        without = (votes.at_points(own, others + 1) - labels) / others
        fractions = votes.at_points(own, k) / k, without, votes.at_points(x, k) / k
        pairs = zip(fractions, (labels, labels, eta), strict=True)
        rows.append(
            [WeightScorer.from_fractions(each, truth)(np.array(EQUAL)) for each, truth in pairs]
        )
    return np.array(rows)
