"""Kernel work without a browser: n = 8000, k up to 200, a 200 x 200 map."""

import numpy as np
from rows import Row, median_ms, must_agree
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from knnviz import LabelNoise, NeighborTable, Vote, VoteProfile, Weighted, checkerboard, regions
from knnviz.problems import gaussians
from knnviz.profiles import BallProfile
from knnviz.weights import confusion_bayes, confusion_fitted, confusion_hat

N, K_MAX, RESOLUTION = 8000, 200, 200
PROBLEM = checkerboard()
SAMPLE, CELLS = PROBLEM.sample(N, 0), PROBLEM.grid(RESOLUTION).points
#: Three classes, for weights.
THREE = gaussians(3, dimension=2)


def rows(quick: bool) -> list[Row]:
    """Labels, confusion entries, sets and builds."""
    repeats, few = (30, 3) if quick else (200, 7)
    return [
        *label_rows(repeats, few),
        *weight_rows(repeats, few),
        *entry_rows(repeats),
        *set_rows(repeats),
        *build_rows(3 if quick else 9),
    ]


def ks(repeats: int) -> list[int]:
    """Odd values of k in random order."""
    return (2 * np.random.default_rng(0).integers(0, 100, repeats) + 1).tolist()


def label_rows(repeats: int, peer_repeats: int) -> list[Row]:
    """From a slider position to the labels of the map, against scikit-learn on the same map."""
    table = NeighborTable.build(SAMPLE.X, CELLS, K_MAX)
    profile = VoteProfile.count(table, SAMPLE.y, 2)
    peer = KNeighborsClassifier().fit(SAMPLE.X, SAMPLE.y)
    agree = all(
        np.array_equal(Vote().predict(profile, k), peer.set_params(n_neighbors=k).predict(CELLS)) for k in ks(2)
    )
    must_agree(agree, "labels")
    ours = median_ms(lambda k: Vote().predict(profile, k), ks(repeats), warm=2)
    theirs = median_ms(lambda k: peer.set_params(n_neighbors=k).predict(CELLS), ks(peer_repeats))
    cumulative = np.cumsum(SAMPLE.y[NearestNeighbors().fit(SAMPLE.X).kneighbors(CELLS, K_MAX)[1]], axis=1)
    used_well = median_ms(lambda k: cumulative[:, k - 1] * 2 >= k, ks(repeats))
    noises = np.linspace(0, 0.4, repeats).round(3).tolist()

    def noisy(p: float) -> np.ndarray:
        return Vote().predict(VoteProfile.count(table, LabelNoise(p, p).flip(SAMPLE.y, SAMPLE.v), 2), 51)

    def noisy_peer(p: float) -> np.ndarray:
        return peer.fit(SAMPLE.X, LabelNoise(p, p).flip(SAMPLE.y, SAMPLE.v)).predict(CELLS)

    peer.set_params(n_neighbors=51)
    noise, noise_peer = median_ms(noisy, noises), median_ms(noisy_peer, noises[:peer_repeats])
    return [
        *beside("k slider", ours, theirs, "scikit-learn predict", theirs, used_well),
        Row("noise slider to the labels", noise, "ms", 15, noise_peer, "scikit-learn fit, predict"),
    ]


def beside(what: str, ours: float, theirs: float, name: str, plain: float, used_well: float) -> list[Row]:
    """Labels beside scikit-learn's in its plain form, and in the form that suits sliders."""
    return [
        Row(f"{what} to the labels", ours, "ms", 2, theirs, name),
        Row(f"{what}: labels, times faster than scikit-learn predict", plain / ours, "x", 200, more=True),
        Row(f"{what} to the labels", ours, "ms", None, used_well, "scikit-learn used well"),
    ]


def weight_rows(repeats: int, peer_repeats: int) -> list[Row]:
    """Weights of three classes to the labels, at any k; the peer weighs the fractions that scikit-learn predicts."""
    sample, cells = THREE.sample(N, 0), THREE.grid(RESOLUTION).points
    profile = VoteProfile.count(NeighborTable.build(sample.X, cells, K_MAX), sample.y, 3)
    peer = KNeighborsClassifier().fit(sample.X, sample.y)
    given = weighed(repeats)

    def by_hand(k: int, q: np.ndarray) -> np.ndarray:
        return (peer.set_params(n_neighbors=k).predict_proba(cells) * q).argmax(axis=1)

    agree = all(np.array_equal(Weighted(q, tie_tol=0).predict(profile, k), by_hand(k, q)) for k, q in given[:2])
    must_agree(agree, "weighted labels")
    ours = median_ms(lambda each: Weighted(each[1]).predict(profile, each[0]), given, warm=2)
    theirs = median_ms(lambda each: by_hand(*each), given[:peer_repeats])
    plain = median_ms(lambda each: peer.set_params(n_neighbors=each[0]).predict(cells), given[:peer_repeats])
    coded = np.eye(3, dtype=np.uint8)[sample.y[NearestNeighbors().fit(sample.X).kneighbors(cells, K_MAX)[1]]]
    cumulative = np.cumsum(coded, axis=1, dtype=np.uint8)
    used_well = median_ms(lambda each: (cumulative[:, each[0] - 1] * each[1]).argmax(axis=1), given)
    name = "scikit-learn predict_proba, weighed"
    return beside("weights slider of three classes", ours, theirs, name, plain, used_well)


def weighed(repeats: int) -> list[tuple[int, np.ndarray]]:
    """Some k, and weights of three classes."""
    return list(zip(ks(repeats), np.random.default_rng(3).dirichlet(np.ones(3), repeats), strict=True))


def entry_rows(repeats: int) -> list[Row]:
    """What else a drag on the triangle of weights computes."""
    sample, (measure, eta) = THREE.sample(N, 0), THREE.cells(RESOLUTION)
    at_points, at_cells = (
        VoteProfile.count(NeighborTable.build(sample.X, queries, K_MAX), sample.y, 3).at(51) / 51
        for queries in (None, measure.points)
    )
    weights, given = measure.weights, [q for _, q in weighed(repeats)]
    works = {
        "of the sample": lambda q: confusion_hat(at_points, sample.y, q),
        "of the fitted rule on the cells": lambda q: confusion_fitted(at_cells, eta, q, weights=weights),
        "of the Bayes rule on the cells": lambda q: confusion_bayes(eta, q, weights=weights),
    }
    return [Row.timed(f"confusion entries {name}, three classes", work, given) for name, work in works.items()]


def set_rows(repeats: int) -> list[Row]:
    """The effective boundary and the advantage."""
    measure = PROBLEM.measure(RESOLUTION)
    eta, noise = PROBLEM.eta(measure.points), LabelNoise(0.1, 0.3)
    balls = BallProfile.integrate(measure, eta)
    rng = np.random.default_rng(2)
    masses, margins = rng.uniform(0.005, 0.25, repeats).tolist(), rng.uniform(0, 0.5, repeats).tolist()

    def boundary(pair: tuple[float, float]) -> np.ndarray:
        return regions.effective_boundary(balls, *pair, [0.4, 0.6], noise=noise)

    pairs = list(zip(masses, margins, strict=True))
    return [
        Row.timed(
            "ball profile of the map, to mass 0.25", lambda _: BallProfile.integrate(measure, eta), range(4), bar=1500
        ),
        Row.timed("effective boundary read off it, with noise and weights", boundary, pairs, bar=10),
        Row.timed("advantage read off it", lambda p: regions.advantage(balls, p), masses, bar=10),
        Row.timed(
            "advantage read off it, with noise", lambda p: regions.advantage(balls, p, noise=noise), masses, bar=10
        ),
    ]


def build_rows(repeats: int) -> list[Row]:
    """Neighbors of the whole map, without and with ties."""
    search = NearestNeighbors().fit(SAMPLE.X)
    theirs = median_ms(lambda _: search.kneighbors(CELLS, K_MAX), range(repeats))

    def build(X: np.ndarray) -> NeighborTable:
        return NeighborTable.build(X, CELLS, K_MAX)

    peer = {"bar": 1000, "peer": theirs, "peer_name": "scikit-learn kneighbors"}
    tied = [np.round(SAMPLE.X, 1)] * repeats
    return [
        Row.timed("neighbor table of the map", build, [SAMPLE.X] * repeats, **peer),
        Row.timed("the same, data rounded to 0.1 (99 % of cells tied)", build, tied, bar=1000),
    ]
