"""Monte Carlo sweeps: Figure 1(a) of Gao et al., and risk against n to 10^6."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rows import Row, median_ms
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from knnviz import LabelNoise, Threshold, Vote, checkerboard, risk
from knnviz.problems import plateau

#: Noise settings, and twenty values of k from 1 to 800.
RATES = [(0.2, 0.1), (0.1, 0.3), (0.1, 0.4)]
KS = np.unique(np.geomspace(1, 800, 21).round().astype(int)).tolist()
#: Sample sizes from 10^3 to 10^6.
NS = np.geomspace(1e3, 1e6, 7).round().astype(int).tolist()


def rows(quick: bool) -> list[Row]:
    """The figure beside its peers, which take a minute and are left out when it must be quick; then the curve."""
    return [*(() if quick else figure_rows()), *curve_rows()]


def figure1() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Points X (8000, 2), test points (7000, 2), their eta, and labels (3, 20, 8000) of every setting and flip."""
    rng, problem = np.random.default_rng(0), checkerboard()
    X, V, X_test = rng.random((8000, 2)), rng.random(8000), rng.random((7000, 2))
    rng.random(7000)
    U, y = rng.random((20, 8000)), (problem.eta(X)[:, 1] > V).astype(np.uint8)
    labels = np.array([[LabelNoise(*pair).flip(y, u) for u in U] for pair in RATES])
    return X, X_test, problem.eta(X_test), labels


def figure_rows() -> list[Row]:
    """All of the figure in ours and in scikit-learn used well; fit and predict projected from a few of them."""
    if len(KS) != 20:
        raise AssertionError(f"the figure has 20 values of k, not {len(KS)}")
    found = our_figure()
    ours = median_ms(lambda _: our_figure(), [0] * 6) / 1000
    well, theirs = timed(figure_used_well)
    if not np.allclose(found, theirs, atol=1e-9):
        raise AssertionError("knnviz and scikit-learn disagree on the risks that are to be timed")
    projected = projected_peer()
    name = "scikit-learn fit, predict, projected"
    return [
        Row("Figure 1(a): 3 noises x 20 flips x 20 k, two rules", ours, "s", None, projected, name),
        Row("Figure 1(a), times faster than scikit-learn fit, predict", projected / ours, "x", 200, more=True),
        Row("Figure 1(a)", ours, "s", None, well, "scikit-learn used well"),
    ]


def our_figure() -> np.ndarray:
    """Mean risks (3, 2, 20) of the plain vote and of the known threshold, draws of the data included."""
    X, X_test, eta, labels = figure1()
    draws = [
        (each, [Vote(), Threshold.from_rates(*pair)])
        for pair, flips in zip(RATES, labels, strict=True)
        for each in flips
    ]
    return risk.sweep(X, X_test, eta, draws, KS).reshape(3, 20, 2, -1).mean(axis=1)


def figure_used_well() -> np.ndarray:
    """The same from one kneighbors and NumPy's cumulative votes."""
    X, X_test, eta, labels = figure1()
    indices = NearestNeighbors().fit(X).kneighbors(X_test, max(KS), return_distance=False)
    ks, means = np.array(KS), []
    for pair, flips in zip(RATES, labels, strict=True):
        rules = (Vote(), Threshold.from_rates(*pair))
        needed = np.array([[-(-k // 2) if rule == Vote() else rule.needed(k) for k in KS] for rule in rules])
        risks = np.zeros((2, len(KS)))
        for each in flips:
            ones = np.cumsum(each[indices], axis=1, dtype=np.uint16)[:, ks - 1]
            labelled = ones[None] >= needed[:, None]
            risks += np.where(labelled, eta[:, 0, None], eta[:, 1, None]).mean(axis=1)
        means.append(risks / len(flips))
    return np.array(means)


def projected_peer() -> float:
    """Seconds of 3 x 20 x 20 fits and predicts, from every fourth k once; the second rule is not counted."""
    X, X_test, eta, labels = figure1()

    def single(k: int) -> float:
        classes = KNeighborsClassifier(k).fit(X, labels[0, 0]).predict(X_test)
        return eta[np.arange(len(eta)), 1 - classes].mean()

    single(1)
    subset = KS[1::4] + KS[-1:]
    seconds = [timed(lambda k=k: single(k))[0] for k in subset]
    return 3 * 20 * float(np.interp(KS, subset, seconds).sum())


def curve_rows() -> list[Row]:
    """Two rules on the plateau at k = n^(2/3), five samples of each size."""
    rules = {"vote": Vote(), "known": Threshold.from_rates(0.1, 0.3)}
    setting = {"over": {"n": NS}, "k": lambda n: round(n ** (2 / 3)), "noise": LabelNoise(0.1, 0.3), "repeats": 5}
    risk.curve(plateau(0.1, 0.3), rules, **setting | {"over": {"n": [1000]}})
    start, first = time.perf_counter(), None
    for _ in risk.stream(plateau(0.1, 0.3), rules, **setting):
        first = first or time.perf_counter() - start
    whole = time.perf_counter() - start
    return [
        Row("risk against n to 10^6 on the plateau: 7 n x 5 repeats, two rules", whole, "s", 10),
        Row("the same, to the first point", first, "s", 1),
    ]


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds that ``work`` takes, and what it gives."""
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found
