"""Preprocessing for nearest neighbors: smoothing, and scaling by local density.

A transformer here has ``fit_transform(X)`` for n training points and ``transform(X)`` for m new
ones, and the two differ: a training point is not among its own neighbors, while a new point may be
a copy of one. Distances are Euclidean, neighbors sorted by (distance, index).

Source of all: Errandonea et al., appendix D.2.
"""

from typing import Any, Self

import numpy as np
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, Normalizer, StandardScaler

from knnviz.neighbors import MetricIndex, NeighborTable, SpatialIndex, prepare


class NeighborSmoother(BaseEstimator):
    """Pull each point x toward the mean of its k nearest training points x_j: (1 - a) x + a sum_j
    w_j x_j, where a is ``strength``, from 0 to 1.

    The weights w_j are ``_kernel_weights`` of the distances of those k. The neighbors of a new
    point are the smoothed training points, those of a training point the others before smoothing.
    """

    def __init__(self, n_neighbors: int, strength: float) -> None:
        self.n_neighbors = n_neighbors
        self.strength = strength

    def fit_transform(self, X: np.ndarray, y: Any = None) -> np.ndarray:
        found = self._smoothed(X, X, _others(X, self.n_neighbors))
        self.index_ = prepare(found)
        return found

    def transform(self, X: np.ndarray) -> np.ndarray:
        table = NeighborTable.build(self.index_, X, self.n_neighbors, distances=True)
        return self._smoothed(X, self.index_.X, table)

    def _smoothed(self, X: np.ndarray, known: np.ndarray, table: NeighborTable) -> np.ndarray:
        assert table.distances is not None
        weights = _kernel_weights(table.distances).ravel()
        columns = table.indices.ravel()
        starts = np.arange(0, columns.size + 1, table.k_max)
        means = csr_array((weights, columns, starts), (len(X), table.n))
        return (1 - self.strength) * X + self.strength * (means @ known)


class LocalDensityScaler(BaseEstimator):
    """Divide each point by r, its mean distance to its k nearest training points; where r is 0 it
    stays as it is.

    Neighbors are training points before the division.
    """

    def __init__(self, n_neighbors: int) -> None:
        self.n_neighbors = n_neighbors

    def fit(self, X: np.ndarray, y: Any = None) -> Self:
        self.index_ = prepare(X)
        return self

    def fit_transform(self, X: np.ndarray, y: Any = None) -> np.ndarray:
        self.fit(X)
        return _scaled(X, _others(self.index_, self.n_neighbors))

    def transform(self, X: np.ndarray) -> np.ndarray:
        table = NeighborTable.build(self.index_, X, self.n_neighbors, distances=True)
        return _scaled(X, table)


def _others(X: np.ndarray | SpatialIndex | MetricIndex, k: int) -> NeighborTable:
    """The k nearest other points of each training point."""
    return NeighborTable.build(X, None, k, exclude_self=True, distances=True)


def _scaled(X: np.ndarray, table: NeighborTable) -> np.ndarray:
    assert table.distances is not None
    mean = table.distances.mean(axis=1, keepdims=True)
    return np.divide(X, mean, out=X.copy(), where=mean > 0)


def _kernel_weights(distances: np.ndarray) -> np.ndarray:
    """Weights (m, k), proportional to exp(-d^2 / (2 sigma^2)) and of sum 1, at distances d >= 0 (m,
    k).

    sigma is the median of each row. Weights are equal where it is 0: at least half of the neighbors
    are then at the point itself.
    """
    bandwidth = np.median(distances, axis=1, keepdims=True)
    ratios = np.zeros_like(distances)
    with np.errstate(over="ignore"):  # the weight of a far neighbor is then 0
        np.divide(distances, bandwidth, out=ratios, where=bandwidth > 0)
        weights = np.exp(-0.5 * ratios**2)
    return weights / weights.sum(axis=1, keepdims=True)


def vision_pipeline() -> Pipeline:
    """The preprocessing of images in Errandonea et al., as a pipeline of transformers, not yet
    fitted.

    The mean of the training points is subtracted; each point is brought to length 1, smoothed with
    10 neighbors and strength 0.25, and brought to length 1 again. Then it is divided by its mean
    distance to its 50 nearest. Points of length 0 are not brought to length 1.
    """
    return _pipeline(StandardScaler(with_std=False), 0.25, 50)


def tabular_pipeline() -> Pipeline:
    """The preprocessing of tables: signed cube roots in place of subtracted means, the strength
    0.1, and 100 nearest.
    """
    return _pipeline(FunctionTransformer(np.cbrt, validate=True), 0.1, 100)


def _pipeline(first: BaseEstimator, strength: float, density_neighbors: int) -> Pipeline:
    smoother = NeighborSmoother(10, strength)
    scaler = LocalDensityScaler(density_neighbors)
    return make_pipeline(first, Normalizer(), smoother, Normalizer(), scaler)


#: The preparations by name.
PIPELINES = {
    "raw": lambda: make_pipeline("passthrough"),
    "vision": vision_pipeline,
    "tabular": tabular_pipeline,
}
