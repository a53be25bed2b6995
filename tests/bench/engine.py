"""Kernel work without a browser: n = 8000, k up to 200, a 200 x 200 map."""

import numpy as np
from rows import Row, median_ms, must_agree
from sklearn.neighbors import KNeighborsClassifier

from knnviz import NeighborTable, Threshold, Vote, VoteProfile, Weighted, checkerboard
from knnviz.problems import gaussians

N = 8000
K_MAX = 200
RESOLUTION = 200

#: How often the peer is timed.
FEW = 5


class Map:
    """What is at hand before a slider moves: votes, and for the peer a fitted classifier."""

    def __init__(self, problem):
        sample = problem.sample(N, 0)
        self.cells = problem.grid(RESOLUTION).points
        table = NeighborTable.build(sample.X, self.cells, K_MAX)
        self.votes = VoteProfile.build(table, sample.y, problem.n_classes)
        self.peer = KNeighborsClassifier().fit(sample.X, sample.y)


def rows(quick):
    """From a position of a slider to the labels of the map, beside scikit-learn."""
    repeats = 30 if quick else 200
    rng = np.random.default_rng(0)
    ks = (2 * rng.integers(0, 100, repeats) + 1).tolist()
    thresholds = rng.random(repeats)
    weights = rng.dirichlet(np.ones(3), repeats)

    plane = Map(checkerboard())
    three = Map(gaussians(3, dimension=2))
    return [
        *slider_rows(
            "k slider",
            plane,
            [(k, Vote(), None) for k in ks],
            lambda peer, _: peer.predict(plane.cells),
        ),
        *slider_rows(
            "threshold slider",
            plane,
            [(k, Threshold(t), t) for k, t in zip(ks, thresholds, strict=True)],
            lambda peer, t: peer.predict_proba(plane.cells)[:, 1] >= t,
        ),
        *slider_rows(
            "weights slider of three classes",
            three,
            [(k, Weighted(q), q) for k, q in zip(ks, weights, strict=True)],
            lambda peer, q: (peer.predict_proba(three.cells) * q).argmax(axis=1),
        ),
    ]


def slider_rows(what, plane, given, decide):
    """At each k with a rule and its value, beside scikit-learn's decision, which is timed for a
    few.
    """

    def ours(each):
        k, rule, _ = each
        return rule.predict(plane.votes, k)

    def theirs(each):
        k, _, value = each
        return decide(plane.peer.set_params(n_neighbors=k), value)

    for each in given[:2]:
        must_agree(np.array_equal(ours(each), theirs(each)), "labels")
    took = median_ms(ours, given)
    peer = median_ms(theirs, given[:FEW])
    return [
        Row(f"{what} to the labels", took, "ms", 2, peer, "scikit-learn"),
        Row(f"{what}: labels, times faster than scikit-learn", peer / took, "x", 200, more=True),
    ]
