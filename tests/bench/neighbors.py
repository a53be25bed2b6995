"""Search for neighbors beside scikit-learn's fastest exact one: in few and many columns, with ties,
and under another metric.
"""

import numpy as np
from rows import Row, median_ms, must_agree
from sklearn.neighbors import NearestNeighbors

from knnviz import NeighborTable
from knnviz.neighbors import prepare

#: Neighbors of a query; how many queries; columns from which on no tree is measured.
K = 10
QUERIES = 2000
MANY = 11


def rows(quick):
    """Normal points in some dimensions, then points on few places, under two metrics."""
    n, few, repeats = (10_000, 5000, 1) if quick else (100_000, 20_000, 3)
    rng = np.random.default_rng(0)
    clouds = {f"normal, d = {d}": rng.standard_normal((n, d)) for d in (2, 10, 50)}
    if not quick:
        clouds["normal, d = 784"] = rng.standard_normal((n, 784))
    found = [search_row(what, X, "euclidean", repeats) for what, X in clouds.items()]

    on_places = rng.integers(0, 2, (few, 5)).astype(float)
    for metric in ("euclidean", "manhattan"):
        found.append(search_row("on 32 places, d = 5", on_places, metric, repeats))
    plane = clouds["normal, d = 2"]
    return [*found, search_row("normal, d = 2", plane, "manhattan", repeats)]


def search_row(what, X, metric, repeats):
    """The nearest of points, with what a search is prepared by; a warm run, then the median of
    ``repeats``.
    """
    n, d = X.shape
    queries = np.random.default_rng(1).standard_normal((QUERIES, d))

    def ours(_):
        index = prepare(X, metric, n_jobs=2)
        return NeighborTable.build(index, queries, K, distances=True).distances

    def theirs(way):
        search = NearestNeighbors(n_neighbors=K, algorithm=way, metric=metric, n_jobs=2).fit(X)
        distances, _ = search.kneighbors(queries)
        return distances

    found = ours(None)
    ways = {}
    for way in ("brute",) if d >= MANY else ("brute", "kd_tree"):
        # Theirs of many columns are rounded; indices of ties are in no order.
        must_agree(np.allclose(found, theirs(way)), "distances")
        ways[way] = median_ms(theirs, [way] * repeats, warm=0)
    fastest = min(ways, key=ways.__getitem__)
    took = median_ms(ours, range(repeats), warm=0)

    what = f"neighbors, {metric}: n = {n:,} {what}, {QUERIES} queries, k = {K}"
    peer = f"scikit-learn, {fastest}"
    return Row(what, took, "ms", ways[fastest], ways[fastest], peer, slowness=1)
