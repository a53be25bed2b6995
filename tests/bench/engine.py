"""Kernel work without a browser: n = 8000, k up to 200, a 200 x 200 map."""

from functools import partial
from typing import Any

import numpy as np
from rows import Row, Work, median_ms, must_agree
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from knnviz import (
    LabelNoise,
    NeighborTable,
    Problem,
    Vote,
    VoteProfile,
    Weighted,
    checkerboard,
    regions,
)
from knnviz.problems import gaussians
from knnviz.profiles import BallProfile

N = 8000
K_MAX = 200
RESOLUTION = 200


class Map:
    """What is at hand before a slider moves: counted votes for us, a fitted classifier or cumulated
    votes for peers.
    """

    def __init__(self, problem: Problem) -> None:
        self.sample = problem.sample(N, 0)
        self.cells = problem.grid(RESOLUTION).points
        self.table = NeighborTable.build(self.sample.X, self.cells, K_MAX)
        self.votes = VoteProfile.build(self.table, self.sample.y, problem.n_classes)
        self.peer = KNeighborsClassifier().fit(self.sample.X, self.sample.y)
        labels = self.sample.y[self.nearest()]
        coded = np.eye(problem.n_classes, dtype=np.uint8)[labels]
        self.cumulative = np.cumsum(coded, axis=1, dtype=np.uint8)

    def nearest(self) -> np.ndarray:
        """Indices of the neighbors of cells, by scikit-learn."""
        search = NearestNeighbors().fit(self.sample.X)
        _, indices = search.kneighbors(self.cells, K_MAX)
        return indices


def rows(quick: bool) -> list[Row]:
    """Labels, sets and builds."""
    repeats, few = (30, 3) if quick else (200, 7)
    halves = np.random.default_rng(0).integers(0, 100, repeats)
    ks = (2 * halves + 1).tolist()
    plane = Map(checkerboard())
    return [
        *label_rows(plane, ks, few),
        *weight_rows(ks, few),
        *set_rows(repeats),
        *build_rows(plane, few),
    ]


def label_rows(plane: Map, ks: list[int], few: int) -> list[Row]:
    """From a slider position to the labels of the map, against scikit-learn on the same map."""
    X = plane.sample.X
    y = plane.sample.y
    v = plane.sample.v

    def ours(k: int) -> np.ndarray:
        return Vote().predict(plane.votes, k)

    def theirs(k: int) -> np.ndarray:
        return plane.peer.set_params(n_neighbors=k).predict(plane.cells)

    def used_well(k: int) -> np.ndarray:
        return plane.cumulative[:, k - 1, 1] > k // 2

    def noisy(p: float) -> np.ndarray:
        flipped = LabelNoise(p, p).flip(y, v)
        return Vote().predict(VoteProfile.build(plane.table, flipped, 2), 51)

    def noisy_peer(p: float) -> np.ndarray:
        flipped = LabelNoise(p, p).flip(y, v)
        return KNeighborsClassifier(51).fit(X, flipped).predict(plane.cells)

    noises = np.linspace(0, 0.4, len(ks)).round(3).tolist()
    peer = median_ms(noisy_peer, noises[:few])
    beside = {"peer": peer, "peer_name": "scikit-learn fit, predict"}
    return [
        *slider_rows("k slider", ks, few, ours, theirs, "scikit-learn predict", used_well),
        Row.timed("noise slider to the labels", noisy, noises, bar=15, **beside),
    ]


def weight_rows(ks: list[int], few: int) -> list[Row]:
    """Weights of three classes to the labels, at any k; the peer weighs the fractions that
    scikit-learn predicts.
    """
    plane = Map(gaussians(3, dimension=2))
    qs = np.random.default_rng(3).dirichlet(np.ones(3), len(ks))

    def ours(given: tuple[int, np.ndarray]) -> np.ndarray:
        k, q = given
        return Weighted(q).predict(plane.votes, k)

    def theirs(given: tuple[int, np.ndarray]) -> np.ndarray:
        k, q = given
        fractions = plane.peer.set_params(n_neighbors=k).predict_proba(plane.cells)
        return (fractions * q).argmax(axis=1)

    def used_well(given: tuple[int, np.ndarray]) -> np.ndarray:
        k, q = given
        return (plane.cumulative[:, k - 1] * q).argmax(axis=1)

    what = "weights slider of three classes"
    name = "scikit-learn predict_proba, weighed"
    pairs = list(zip(ks, qs, strict=True))
    return slider_rows(what, pairs, few, ours, theirs, name, used_well)


def slider_rows(
    what: str, given: list[Any], few: int, ours: Work, theirs: Work, name: str, well: Work
) -> list[Row]:
    """Labels beside scikit-learn's in its plain form, which is timed for a few, and in the form
    that suits sliders.
    """
    for each in given[:2]:
        for peer in (theirs, well):
            must_agree(np.array_equal(ours(each), peer(each)), "labels")
    took = median_ms(ours, given)
    plain = median_ms(theirs, given[:few])
    used_well = median_ms(well, given)
    return [
        Row(f"{what} to the labels", took, "ms", 2, plain, name),
        Row(f"{what}: labels, times faster than {name}", plain / took, "x", 200, more=True),
        Row(f"{what} to the labels", took, "ms", None, used_well, "scikit-learn used well"),
    ]


def set_rows(repeats: int) -> list[Row]:
    """The effective boundary and the advantage."""
    measure, eta = checkerboard().cells(RESOLUTION)
    to_quarter = np.geomspace(1 / len(eta), 0.25, 64).tolist()
    balls = BallProfile.build(measure, eta, masses=to_quarter)
    noise = LabelNoise(0.1, 0.3)
    rng = np.random.default_rng(2)
    masses = rng.uniform(0.005, 0.25, repeats).tolist()
    margins = rng.uniform(0, 0.5, repeats).tolist()

    integrate = partial(BallProfile.build, measure, masses=to_quarter)
    found = [Row.timed("ball profile of the map, to mass 0.25", integrate, [eta] * 4, bar=1500)]

    def boundary(pair: tuple[float, float]) -> np.ndarray:
        return regions.effective_boundary(balls, *pair, [0.4, 0.6], noise=noise)

    pairs = list(zip(masses, margins, strict=True))
    what = "effective boundary read off it, with noise and weights"
    found.append(Row.timed(what, boundary, pairs, bar=10))

    what = "advantage read off it"
    advantage = partial(regions.advantage, balls)
    found.append(Row.timed(what, advantage, masses, bar=10))
    with_noise = partial(advantage, noise=noise)
    found.append(Row.timed(f"{what}, with noise", with_noise, masses, bar=10))
    return found


def build_rows(plane: Map, repeats: int) -> list[Row]:
    """Neighbors of the whole map, without and with ties."""
    build = partial(NeighborTable.build, queries=plane.cells, k_max=K_MAX)
    given = [plane.sample.X] * repeats
    tied = [plane.sample.X.round(1)] * repeats
    theirs = median_ms(lambda _: plane.nearest(), given)
    beside = {"peer": theirs, "peer_name": "scikit-learn kneighbors"}
    return [
        Row.timed("neighbor table of the map", build, given, bar=1000, **beside),
        Row.timed("the same, data rounded to 0.1 (99 % of cells tied)", build, tied, bar=1000),
    ]
