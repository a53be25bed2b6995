"""Search for neighbors beside scikit-learn's fastest exact one, and the fit of the robust vote
beside its search.
"""

from functools import partial

import numpy as np
from rows import Row, median_ms, must_agree, timed
from sklearn.neighbors import NearestNeighbors

from knnviz import NeighborTable
from knnviz.estimators import RobustKNeighborsClassifier

#: Neighbors of a query; how many queries; neighbors of a robust vote; columns from which on no tree
#: is measured.
K = 10
QUERIES = 2000
VOTES = 25
MANY = 11

#: What ours may take at most, relative to the peer.
SLOWEST = 1.5


def rows(quick: bool) -> list[Row]:
    """Searches in few and many columns, then the fit."""
    if quick:
        return [*(search_row(10_000, d, 1) for d in (2, 10, 50)), fit_row(5000, 50)]
    return [*(search_row(100_000, d, 3) for d in (2, 10, 50, 784)), fit_row(50_000, 50)]


def search_row(n: int, d: int, repeats: int) -> Row:
    """The nearest of n normal points, with what a search is prepared by; a warm run, then the
    median of ``repeats``.
    """
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    queries = rng.standard_normal((QUERIES, d))
    found = NeighborTable.build(X, queries, K).indices
    ways: dict[str, float] = {}
    for way in ("brute",) if d >= MANY else ("brute", "kd_tree"):
        must_agree(np.array_equal(found, nearest(X, queries, K, way)), "neighbors")
        ways[way] = median_ms(partial(nearest, X, queries, K), [way] * repeats, warm=0)
    fastest = min(ways, key=ways.__getitem__)
    theirs = ways[fastest]
    ours = median_ms(lambda _: NeighborTable.build(X, queries, K), range(repeats), warm=0)

    what = f"neighbors beside scikit-learn: n = {n:,}, d = {d}, {QUERIES} queries, k = {K}"
    peer = f"scikit-learn, {fastest}"
    return Row(what, ours, "ms", SLOWEST * theirs, theirs, peer, slowness=1)


def nearest(X: np.ndarray, queries: np.ndarray, k: int, way: str) -> np.ndarray:
    """Indices (m, k) by scikit-learn, on two threads."""
    search = NearestNeighbors(n_neighbors=k, algorithm=way, n_jobs=2).fit(X)
    return search.kneighbors(queries, return_distance=False)


def fit_row(n: int, d: int) -> Row:
    """Flip rates of n points from their neighbors among themselves, once; scikit-learn finds the
    neighbors only.
    """
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    flipped = rng.random(n) < 0.2
    y = ((X[:, 0] > 0) ^ flipped).astype(int)
    robust = RobustKNeighborsClassifier(VOTES)
    robust.fit(X[:200], y[:200])

    ours, _ = timed(lambda: robust.fit(X, y))
    theirs, indices = timed(lambda: nearest(X, X, VOTES, "brute"))
    fractions = y[indices].mean(axis=1)
    rates = (fractions.min(), 1 - fractions.max())
    must_agree(np.allclose(robust.noise_rates_, rates), "flip rates")

    what = f"neighbors beside scikit-learn: fit of the robust vote, n = {n:,}, d = {d}, k = {VOTES}"
    peer = "scikit-learn, brute, neighbors only"
    return Row(what, ours, "s", SLOWEST * theirs, theirs, peer, slowness=1)
