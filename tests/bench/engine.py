"""Kernel work without a browser: n = 8000, k up to 200, a 200 x 200 map."""

import statistics
import time

import numpy as np
from controls import move
from rows import Row, median_ms
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from knnviz import LabelNoise, NeighborTable, Vote, VoteProfile, Weighted, checkerboard, metrics, regions
from knnviz.labs import ActiveLab, ImbalanceLab, Lab, NeighborLab, NoiseLab, RatesLab, TuningLab, WeightLab
from knnviz.problems import gaussians
from knnviz.profiles import BallProfile

N, K_MAX, RESOLUTION = 8000, 200, 200
PROBLEM = checkerboard()
SAMPLE, CELLS = PROBLEM.sample(N, 0), PROBLEM.grid(RESOLUTION).points
#: Three classes, for weights.
THREE = gaussians(3, dimension=2)


def rows(quick: bool) -> list[Row]:
    """Labels, frames and builds."""
    repeats = 30 if quick else 200
    return [
        *label_rows(repeats, 3 if quick else 7),
        *frame_rows(repeats),
        *robust_rows(repeats),
        *weight_rows(repeats, 3 if quick else 7),
        *imbalance_rows(repeats),
        *active_rows(repeats),
        *rates_rows(repeats),
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
    if not agree:
        raise AssertionError("knnviz and scikit-learn disagree on the labels that are to be timed")
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
        Row("k slider to the labels", ours, "ms", 2, theirs, "scikit-learn predict"),
        Row("k slider: labels, times faster than scikit-learn predict", theirs / ours, "x", 200, more=True),
        Row("k slider to the labels", ours, "ms", None, used_well, "scikit-learn used well"),
        Row("noise slider to the labels", noise, "ms", 15, noise_peer, "scikit-learn fit, predict"),
    ]


def shown_lab(kind: type[Lab] = NeighborLab, **values: object) -> Lab:
    """A lab on show, all of it computed."""
    lab = kind(**{"n": N} | values)
    _ = lab.widget
    lab.readout()
    return lab


def moved_ms(lab: Lab, name: str, values: list, full: bool = False) -> float:
    """Median time from a control's change to the last byte handed to the browser; ``full`` waits for all the cells.

    Each change finds the lab at rest.
    """
    times = []
    for value in values:
        lab.readout()
        begun = time.perf_counter()
        move(lab, name, value)
        if full:
            lab.readout()
        times.append(1000 * (time.perf_counter() - begun))
    return statistics.median(times[2:])


def dragged_ms(lab: Lab, panel: str, places: list[tuple[float, float]]) -> float:
    """Median time from a place that a hand moves to in a panel to the last byte handed to the browser."""
    times = []
    for x, y in places:
        lab.readout()
        begun = time.perf_counter()
        step = ["pick", panel, x, y, None, 0]
        lab.widget._receive(lab.widget, {"page": "bench", "seq": 1, "steps": [step]})
        times.append(1000 * (time.perf_counter() - begun))
    return statistics.median(times[2:])


def frame_rows(repeats: int) -> list[Row]:
    """From a control's change to the last byte handed to the browser."""
    lab = shown_lab()
    noises = np.random.default_rng(0).integers(0, 45, repeats) / 100
    places = np.random.default_rng(1).uniform(0, 1, repeats).round(3)
    sizes, seeds = [4000, 8000, 7950, 7900, 7850, 7800], [1, 2, 3, 4, 5, 6]
    rows = [
        Row("k slider to the last byte", moved_ms(lab, "k", ks(repeats)), "ms", 5),
        Row("noise slider to the last byte", moved_ms(lab, "p1", noises.tolist()), "ms", 15),
        Row("a new x to the last byte", moved_ms(lab, "x1", places.tolist()), "ms"),
        Row("n slider to the last byte, coarse picture", moved_ms(lab, "n", sizes), "ms", 150),
        Row("n slider to the last byte, full picture", moved_ms(lab, "n", sizes, full=True), "ms", 1000),
        Row("new seed to the last byte, coarse picture", moved_ms(lab, "seed", seeds), "ms", 150),
        Row("new seed to the last byte, full picture", moved_ms(lab, "seed", seeds, full=True), "ms", 1000),
    ]
    for problem in ("wave2d", "moons", "spirals", "jump"):
        lab.set(problem="checkerboard").readout()
        begun = time.perf_counter()
        move(lab, "problem", problem)
        coarse = time.perf_counter()
        lab.readout()
        times = 1000 * (coarse - begun), 1000 * (time.perf_counter() - begun)
        rows += [
            Row(f"change of problem to {problem}, coarse picture", times[0], "ms", 150),
            Row(f"change of problem to {problem}, full picture", times[1], "ms", 1000),
        ]
    return rows


def robust_rows(repeats: int) -> list[Row]:
    """Two rules, three thresholds and the extremes: from a control's change to the last byte handed to the browser."""
    lab = shown_lab(NoiseLab)
    rng = np.random.default_rng(0)
    rates = (rng.integers(0, 60, repeats) / 100).tolist()
    k_noises = rng.integers(1, 401, repeats).tolist()
    sizes = [4000, 8000, 7950, 7900, 7850, 7800]
    return [
        Row("robust kNN: k slider to the last byte", moved_ms(lab, "k", ks(repeats)), "ms", 5),
        Row("robust kNN: k' slider to the last byte", moved_ms(lab, "k_noise", k_noises), "ms", 5),
        Row("robust kNN: noise slider to the last byte", moved_ms(lab, "p1", rates), "ms", 15),
        Row("robust kNN: n slider to the last byte, coarse picture", moved_ms(lab, "n", sizes), "ms", 150),
        Row("robust kNN: n slider to the last byte, full picture", moved_ms(lab, "n", sizes, full=True), "ms", 1000),
    ]


def weight_rows(repeats: int, peer_repeats: int) -> list[Row]:
    """Weights of three classes to the labels, at any k; the peer weighs the fractions that scikit-learn predicts."""
    sample, cells = THREE.sample(N, 0), THREE.grid(RESOLUTION).points
    profile = VoteProfile.count(NeighborTable.build(sample.X, cells, K_MAX), sample.y, 3)
    peer = KNeighborsClassifier().fit(sample.X, sample.y)
    given = weighed(repeats)

    def by_hand(k: int, q: np.ndarray) -> np.ndarray:
        return (peer.set_params(n_neighbors=k).predict_proba(cells) * q).argmax(axis=1)

    if not all(np.array_equal(Weighted(q, tie_tol=0).predict(profile, k), by_hand(k, q)) for k, q in given[:2]):
        raise AssertionError("knnviz and scikit-learn disagree on the weighted labels that are to be timed")
    ours = median_ms(lambda each: Weighted(each[1]).predict(profile, each[0]), given, warm=2)
    theirs = median_ms(lambda each: by_hand(*each), given[:peer_repeats])
    plain = median_ms(lambda each: peer.set_params(n_neighbors=each[0]).predict(cells), given[:peer_repeats])
    coded = np.eye(3, dtype=np.uint8)[sample.y[NearestNeighbors().fit(sample.X).kneighbors(cells, K_MAX)[1]]]
    cumulative = np.cumsum(coded, axis=1, dtype=np.uint8)
    used_well = median_ms(lambda each: (cumulative[:, each[0] - 1] * each[1]).argmax(axis=1), given)
    what = "weights slider, three classes"
    return [
        Row(f"{what}, to the labels", ours, "ms", 2, theirs, "scikit-learn predict_proba, weighed"),
        Row(f"{what}: labels, times faster than scikit-learn predict", plain / ours, "x", 200, more=True),
        Row(f"{what}, to the labels", ours, "ms", None, used_well, "scikit-learn used well"),
        *entry_rows(repeats),
        *tuning_rows(repeats),
    ]


def weighed(repeats: int) -> list[tuple[int, np.ndarray]]:
    """Some k, and weights of three classes."""
    return list(zip(ks(repeats), np.random.default_rng(3).dirichlet(np.ones(3), repeats), strict=True))


def entry_rows(repeats: int) -> list[Row]:
    """What else a drag on the triangle of weights computes, and all of it to the last byte."""
    sample, (measure, eta) = THREE.sample(N, 0), THREE.cells(RESOLUTION)
    at_points, at_cells = (
        VoteProfile.count(NeighborTable.build(sample.X, queries, K_MAX), sample.y, 3).at(51) / 51
        for queries in (None, measure.points)
    )
    weights, given = measure.weights, [q for _, q in weighed(repeats)]
    drawn = {"in the plane": "three gaussians", "on the line": "waves"}
    labs = {name: shown_lab(WeightLab, problem=problem, k=51) for name, problem in drawn.items()}
    steps = (np.random.default_rng(4).integers(5, 96, repeats) / 100).tolist()
    timed = {
        "of the sample": lambda q: metrics.confusion_hat(at_points, sample.y, q),
        "of the fitted rule on the cells": lambda q: metrics.confusion_fitted(at_cells, eta, q, weights=weights),
        "of the Bayes rule on the cells": lambda q: metrics.confusion_bayes(eta, q, weights=weights),
    }
    return [
        *(
            Row(f"confusion entries {name}, three classes", median_ms(work, given), "ms")
            for name, work in timed.items()
        ),
        *(
            Row(f"weights slider of WeightLab {name} to the last byte", moved_ms(lab, "q1", steps), "ms", 5)
            for name, lab in labs.items()
        ),
    ]


def imbalance_rows(repeats: int) -> list[Row]:
    """Weights of eight classes, decided by the Bayes rule and by votes: from a control's change to the last byte."""
    steps = (np.random.default_rng(5).integers(0, 101, repeats) / 100).tolist()
    labs = {"Bayes rule": shown_lab(ImbalanceLab, n=1000), "kNN": shown_lab(ImbalanceLab, n=1000, rule="kNN")}
    return [
        Row(f"a slider of ImbalanceLab, {rule}, to the last byte", moved_ms(lab, "a", steps), "ms", 5)
        for rule, lab in labs.items()
    ]


def tuning_rows(repeats: int) -> list[Row]:
    """A walk of 50 steps from wherever the start is dragged, and a landscape of 5151 weights for each k."""
    lab, rng = shown_lab(TuningLab, n=1000), np.random.default_rng(5)
    angles = np.linspace(0, 2 * np.pi, repeats)
    drag = list(zip(0.5 + 0.08 * np.cos(angles), 0.35 + 0.08 * np.sin(angles), strict=True))
    steps, gammas = rng.integers(0, 51, repeats).tolist(), (rng.integers(1, 21, repeats) / 100).tolist()
    near = (50 + 10 * np.sin(angles)).round().astype(int).tolist()
    timed = {
        "start on the triangle": (dragged_ms(lab, "triangle", drag), 8),
        "T slider": (moved_ms(lab, "n_steps", steps), 5),
        "gamma slider": (moved_ms(lab, "step", gammas), 8),
        "k slider": (moved_ms(lab.reset(), "k", near), 60),
    }
    return [Row(f"TuningLab: {name} to the last byte", ours, "ms", bar) for name, (ours, bar) in timed.items()]


def active_rows(repeats: int) -> list[Row]:
    """Labels of two rounds, one after the other, and another fraction of plain draws: to the last byte."""
    rng, few = np.random.default_rng(6), max(repeats // 10, 5)
    steps, fractions = rng.integers(0, 2005, repeats).tolist(), (rng.integers(1, 100, few) / 100).tolist()
    line, plane = shown_lab(ActiveLab, n=1000), shown_lab(ActiveLab, problem="wave2d", n=2000, m=2000)
    half = [step // 2 for step in steps]
    return [
        Row("ActiveLab on the line: step slider to the last byte", moved_ms(line, "step", half), "ms", 15),
        Row("ActiveLab in the plane: step slider to the last byte", moved_ms(plane, "step", steps), "ms"),
        Row(
            "ActiveLab on the line: plain fraction to the last byte",
            moved_ms(line, "passive_fraction", fractions),
            "ms",
        ),
        Row(
            "ActiveLab in the plane: plain fraction to the last byte",
            moved_ms(plane, "passive_fraction", fractions),
            "ms",
        ),
    ]


def rates_rows(repeats: int) -> list[Row]:
    """A hundred thousand points on a line, and a million: from a control's change to the last byte."""
    lab, rng = shown_lab(RatesLab, n=100_000, neighbors="k as set"), np.random.default_rng(0)
    few = max(repeats // 10, 5)
    rungs = rng.choice([100, 200, 300, 500, 700, 1000, 2000, 3000], repeats).tolist()
    rates = (rng.integers(0, 49, few) / 100).tolist()
    sizes, seeds = [50_000, 100_000, 70_000, 100_000, 70_000, 100_000], list(range(1, 7))
    rows = [
        Row("a line of 10^5 points: k slider to the last byte", moved_ms(lab, "k", rungs), "ms"),
        Row("a line of 10^5 points: noise slider to the last byte", moved_ms(lab, "p1", rates), "ms"),
        Row("a line of 10^5 points: n slider, at once", moved_ms(lab, "n", sizes), "ms", 150),
    ]
    lab.set(n=1_000_000)
    return [
        *rows,
        Row("a line of 10^6 points: k slider to the last byte", moved_ms(lab, "k", rungs), "ms"),
        Row("a line of 10^6 points: noise slider to the last byte", moved_ms(lab, "p1", rates), "ms"),
        Row("a line of 10^6 points: new seed, full picture", moved_ms(lab, "seed", seeds, full=True), "ms", 1000),
    ]


def set_rows(repeats: int) -> list[Row]:
    """The effective boundary and the advantage: kernel work, and all the way to the last byte."""
    measure = PROBLEM.measure(RESOLUTION)
    eta, noise = PROBLEM.eta(measure.points), LabelNoise(0.1, 0.3)
    build = median_ms(lambda _: BallProfile.integrate(measure, eta), [0, 1, 2, 3])
    balls = BallProfile.integrate(measure, eta)
    rng = np.random.default_rng(2)
    masses, margins = rng.uniform(0.005, 0.25, repeats), rng.uniform(0, 0.5, repeats)
    boundary = median_ms(
        lambda i: regions.effective_boundary(balls, masses[i], margins[i], [0.4, 0.6], noise=noise), range(repeats)
    )
    plain = median_ms(lambda p: regions.advantage(balls, p), masses.tolist())
    noisy = median_ms(lambda p: regions.advantage(balls, p, noise=noise), masses.tolist())
    lab = shown_lab(problem="wave2d", overlay="effective boundary")
    steps = (0.005 * rng.integers(1, 50, repeats)).round(3).tolist()
    p, delta = moved_ms(lab, "mass", steps), moved_ms(lab, "margin", (rng.integers(0, 50, repeats) / 100).tolist())
    cap = moved_ms(lab.set(overlay="advantage"), "mass_cap", steps)
    return [
        Row("ball profile of the map, to mass 0.25", build, "ms", 1500),
        Row("effective boundary read off it, with noise and weights", boundary, "ms", 10),
        Row("advantage read off it", plain, "ms", 10),
        Row("advantage read off it, with noise", noisy, "ms", 10),
        Row("p slider to the last byte", p, "ms", 10),
        Row("Delta slider to the last byte", delta, "ms", 10),
        Row("A slider to the last byte", cap, "ms", 10),
    ]


def build_rows(repeats: int) -> list[Row]:
    """Neighbors of the whole map, without and with ties."""
    search = NearestNeighbors().fit(SAMPLE.X)
    theirs = median_ms(lambda _: search.kneighbors(CELLS, K_MAX), list(range(repeats)))
    ours = median_ms(lambda _: NeighborTable.build(SAMPLE.X, CELLS, K_MAX), list(range(repeats)))
    rounded = np.round(SAMPLE.X, 1)
    tied = median_ms(lambda _: NeighborTable.build(rounded, CELLS, K_MAX), list(range(repeats)))
    return [
        Row("neighbor table of the map", ours, "ms", 1000, theirs, "scikit-learn kneighbors"),
        Row("the same, data rounded to 0.1 (99 % of cells tied)", tied, "ms", 1000),
    ]
