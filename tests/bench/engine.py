"""Kernel work without a browser: n = 8000, k up to 200, a 200 x 200 map."""

from collections.abc import Callable
from typing import Any

import numpy as np
from rows import Row, median_ms, must_agree
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from knnviz import NeighborTable, Problem, Threshold, Vote, VoteProfile, Weighted, checkerboard
from knnviz.problems import gaussians

N = 8000
K_MAX = 200
RESOLUTION = 200


class Map:
    """What is at hand before a slider moves: counted votes for us, a fitted classifier or cumulated
    votes for peers.
    """

    def __init__(self, problem: Problem) -> None:
        sample = problem.sample(N, 0)
        self.cells = problem.grid(RESOLUTION).points
        table = NeighborTable.build(sample.X, self.cells, K_MAX)
        self.votes = VoteProfile.build(table, sample.y, problem.n_classes)
        self.peer = KNeighborsClassifier().fit(sample.X, sample.y)
        search = NearestNeighbors().fit(sample.X)
        indices = search.kneighbors(self.cells, K_MAX, return_distance=False)
        coded = np.eye(problem.n_classes, dtype=np.uint8)[sample.y[indices]]
        self.cumulative = np.cumsum(coded, axis=1, dtype=np.uint8)


def rows(quick: bool) -> list[Row]:
    """From a position of a slider to the labels of the map, beside scikit-learn."""
    repeats, few = (30, 3) if quick else (200, 7)
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
            [(k, Vote(), 0.5) for k in ks],
            few,
            lambda fractions, half: fractions[:, 1] > half,
        ),
        *slider_rows(
            "threshold slider",
            plane,
            [(k, Threshold(t), t) for k, t in zip(ks, thresholds, strict=True)],
            few,
            lambda fractions, t: fractions[:, 1] >= t,
        ),
        *slider_rows(
            "weights slider of three classes",
            three,
            [(k, Weighted(q), q) for k, q in zip(ks, weights, strict=True)],
            few,
            lambda fractions, q: (fractions * q).argmax(axis=1),
        ),
    ]


def slider_rows(
    what: str,
    plane: Map,
    given: list[tuple[int, Any, Any]],
    few: int,
    decide: Callable[[np.ndarray, Any], np.ndarray],
) -> list[Row]:
    """At each k with a rule and its value, beside a decision on scikit-learn's fractions in their
    plain form, which is timed for a few, and on those that it gives to who stores neighbors.
    """

    def ours(each: tuple[int, Any, Any]) -> np.ndarray:
        k, rule, _ = each
        return rule.predict(plane.votes, k)

    def plain(each: tuple[int, Any, Any]) -> np.ndarray:
        k, rule, value = each
        peer = plane.peer.set_params(n_neighbors=k)
        if isinstance(rule, Vote):
            return peer.predict(plane.cells)
        return decide(peer.predict_proba(plane.cells), value)

    def used_well(each: tuple[int, Any, Any]) -> np.ndarray:
        k, _, value = each
        return decide(plane.cumulative[:, k - 1] / k, value)

    for each in given[:2]:
        for peer in (plain, used_well):
            must_agree(np.array_equal(ours(each), peer(each)), "labels")
    took = median_ms(ours, given)
    theirs = median_ms(plain, given[:few])
    well = median_ms(used_well, given)
    return [
        Row(f"{what} to the labels", took, "ms", 2, theirs, "scikit-learn"),
        Row(f"{what}: labels, times faster than scikit-learn", theirs / took, "x", 200, more=True),
        Row(f"{what} to the labels", took, "ms", None, well, "scikit-learn used well"),
    ]
