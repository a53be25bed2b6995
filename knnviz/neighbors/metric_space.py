"""Neighbors under another metric than the Euclidean, by scikit-learn's search."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

import numpy as np

from knnviz import checks
from knnviz.neighbors.spatial_index import ALGORITHMS, CHUNK, MARGIN

if TYPE_CHECKING:
    from sklearn.neighbors import NearestNeighbors

#: A metric by the name that scikit-learn has for it, or a function of two points.
Metric = str | Callable[[np.ndarray, np.ndarray], float]

#: Names in scikit-learn that need more than two points: their distances, or parameters.
INCOMPLETE = ("mahalanobis", "precomputed", "pyfunc", "seuclidean")


@dataclass(frozen=True, eq=False)
class MetricSpace:
    """n training points (n, d) under another metric than the Euclidean, prepared once for any number of queries."""

    X: np.ndarray = field(repr=False)
    neighbors: "NearestNeighbors" = field(repr=False)

    @classmethod
    def of(cls, X: np.ndarray, metric: Metric, p: float, algorithm: str, n_jobs: int | None) -> Self:
        """Prepare points, as ``prepare`` does."""
        # Imported where it is needed, since it would slow the import of the library for all.
        from sklearn.neighbors import NearestNeighbors

        _check_metric(metric, algorithm)
        X = checks.check_points("X", X)
        return cls(X, NearestNeighbors(algorithm=algorithm, metric=metric, p=p, n_jobs=n_jobs).fit(X))

    def search(
        self, queries: np.ndarray, own: np.ndarray, k: int, margin: int = MARGIN
    ) -> tuple[np.ndarray, np.ndarray]:
        """Indices (m, k) int32 and distances (m, k) of the k nearest of each query (m, d).

        ``own`` (m,) is the training point that each query leaves out, or -1. Rows with a tie of the last candidate are
        searched again.
        """
        asked = min(k + 1 + margin, len(self.X))
        distances, indices = self.neighbors.kneighbors(queries, asked)
        if not np.isfinite(distances).all():
            raise ValueError(f"the metric {self.neighbors.metric!r} gives distances that are not finite")
        last = distances[:, -1].copy()
        distances[indices == own[:, None]] = np.inf
        order = np.lexsort((indices, distances))[:, :k]
        indices = np.take_along_axis(indices, order, axis=1).astype(np.int32)
        distances = np.take_along_axis(distances, order, axis=1)
        tied = np.flatnonzero(distances[:, -1] == last) if asked < len(self.X) else np.empty(0, int)
        # In pieces, since a metric of few values ties most of the points, and then all of them are asked for.
        for start in range(0, len(tied), CHUNK):
            rows = tied[start : start + CHUNK]
            indices[rows], distances[rows] = self.search(queries[rows], own[rows], k, 2 * margin)
        return indices, distances


def _check_metric(metric: Metric, algorithm: str) -> None:
    """Raise ValueError for what is no metric of scikit-learn between two points, or not searched by the algorithm."""
    from sklearn.neighbors import VALID_METRICS

    known = {kind: set(VALID_METRICS[kind]) - set(INCOMPLETE) for kind in ALGORITHMS if kind != "auto"}
    if callable(metric):
        searched = algorithm != "kd_tree"
    elif isinstance(metric, str) and metric in set.union(*known.values()):
        searched = algorithm == "auto" or metric in known[algorithm]
    else:
        raise ValueError(f"metric must be a function or a distance of two points in scikit-learn, got {metric!r}")
    if not searched:
        raise ValueError(f"algorithm {algorithm!r} cannot search under the metric {metric!r}")
