"""Neighbors under another metric than the Euclidean, by scikit-learn's search."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

import numpy as np

from knnviz import checks
from knnviz.neighbors.spatial_index import ALGORITHMS, CHUNK, MARGIN
from knnviz.threads import slices

if TYPE_CHECKING:
    from sklearn.neighbors import NearestNeighbors

#: A metric by the name that scikit-learn has for it, or a function of two points.
Metric = str | Callable[[np.ndarray, np.ndarray], float]

#: Metrics of scikit-learn that need more than two points: parameters, a function, or given distances.
UNSUPPORTED = ("mahalanobis", "precomputed", "pyfunc", "seuclidean")


@dataclass(frozen=True, eq=False)
class MetricIndex:
    """Training points X (n, d) in scikit-learn's index, for any number of queries under a metric.

    Examples
    --------
    >>> from knnviz.neighbors import NeighborTable, prepare
    >>> import numpy as np
    >>> index = prepare(np.array([[0.0, 3.0], [2.0, 2.0]]), metric="chebyshev")
    >>> NeighborTable.build(index, np.array([[0.0, 0.0]]), k_max=2, distances=True).distances.tolist()
    [[2.0, 3.0]]
    """

    X: np.ndarray = field(repr=False)
    neighbors: "NearestNeighbors" = field(repr=False)

    @classmethod
    def of(cls, X: np.ndarray, metric: Metric, p: float, algorithm: str, n_jobs: int | None) -> Self:
        """Build the index; parameters as for ``prepare``."""
        # Imported here, so that the library is imported quickly.
        from sklearn.neighbors import NearestNeighbors

        _check_metric(metric, algorithm)
        X = checks.check_points("X", X)
        return cls(X, NearestNeighbors(algorithm=algorithm, metric=metric, p=p, n_jobs=n_jobs).fit(X))

    def search(
        self, queries: np.ndarray, left_out: np.ndarray, k: int, margin: int = MARGIN
    ) -> tuple[np.ndarray, np.ndarray]:
        """Indices (m, k) int32 and distances (m, k) of the k nearest of each query (m, d).

        The index finds ``margin`` candidates beyond k + 1; rows whose k-th neighbor ties with the last of these are
        searched again.
        """
        n_requested = min(k + 1 + margin, len(self.X))
        distances, indices = self.neighbors.kneighbors(queries, n_requested)
        if not np.isfinite(distances).all():
            raise ValueError(f"the metric {self.neighbors.metric!r} gives distances that are not finite")
        last = distances[:, -1].copy()
        distances[indices == left_out[:, None]] = np.inf
        order = np.lexsort((indices, distances))[:, :k]
        indices = np.take_along_axis(indices, order, axis=1).astype(np.int32)
        distances = np.take_along_axis(distances, order, axis=1)
        tied = np.flatnonzero(distances[:, -1] == last) if n_requested < len(self.X) else np.empty(0, int)
        # In chunks, since under a metric of few values most points tie, and then all of them are requested.
        for chunk in slices(len(tied), CHUNK):
            rows = tied[chunk]
            indices[rows], distances[rows] = self.search(queries[rows], left_out[rows], k, 2 * margin)
        return indices, distances


def _check_metric(metric: Metric, algorithm: str) -> None:
    """Raise ValueError unless scikit-learn has the metric for two points, and the algorithm can search with it."""
    from sklearn.neighbors import VALID_METRICS

    searchable = {name: set(VALID_METRICS[name]) - set(UNSUPPORTED) for name in ALGORITHMS if name != "auto"}
    if callable(metric):
        can_search = algorithm != "kd_tree"
    elif isinstance(metric, str) and metric in set.union(*searchable.values()):
        can_search = algorithm == "auto" or metric in searchable[algorithm]
    else:
        raise ValueError(f"metric must be a function or a distance of two points in scikit-learn, got {metric!r}")
    if not can_search:
        raise ValueError(f"algorithm {algorithm!r} cannot search under the metric {metric!r}")
