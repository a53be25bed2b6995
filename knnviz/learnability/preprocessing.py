"""Preprocessing for nearest neighbors: smoothing, and scaling by local density.

A transformer here has ``fit_transform(X)`` for n training points and ``transform(X)`` for m new
ones, and the two differ: a training point is not among its own neighbors, while a new point may be
a copy of one. ``Pipeline.fit`` calls ``fit_transform``. Distances are Euclidean, neighbors sorted
by (distance, index).

Source of all: Errandonea et al., appendix D.2.
"""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, Normalizer, StandardScaler
from sklearn.utils.validation import check_is_fitted

from knnviz import checks
from knnviz.neighbors import NeighborTable, SpatialIndex


class _NeighborTransformer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Base of the transformers: those below say what becomes of points among their neighbors."""

    n_neighbors: int
    #: Whether the neighbors of new points are the transformed training points.
    _searches_transformed = False

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Learn from training points X (n, d), n above ``n_neighbors``; ``y`` is not read."""
        self.fit_transform(X)
        return self

    def fit_transform(self, X: ArrayLike, y: Any = None) -> np.ndarray:
        """Training points (n, d) transformed, each among the other ones; ``fit(X).transform(X)``
        differs.
        """
        k = checks.check_int("n_neighbors", self.n_neighbors, 1)
        # Two points, since scikit-learn's checks expect its own message for a single one.
        index = SpatialIndex(checks.read_points(self, X, ensure_min_samples=2, copy=True))
        n = len(index.X)
        if k >= n:
            got = f"got {k} with n = {n}"
            raise ValueError(f"n_neighbors must be below the number of points, {got}")
        table = NeighborTable.build(index, None, k, exclude_self=True, distances=True)
        found = self._transformed(index.X, index.X, table)
        self._index = SpatialIndex(found.copy()) if self._searches_transformed else index
        return found

    def transform(self, X: ArrayLike) -> np.ndarray:
        """New points (m, d) transformed."""
        check_is_fitted(self, "_index")
        queries = checks.read_points(self, X, reset=False)
        table = NeighborTable.build(self._index, queries, self.n_neighbors, distances=True)
        return self._transformed(queries, self._index.X, table)

    def _transformed(self, X: np.ndarray, known: np.ndarray, table: NeighborTable) -> np.ndarray:
        raise NotImplementedError


class NeighborSmoother(_NeighborTransformer):
    """Pull each point x toward the mean of its k nearest training points x_j: (1 - a) x + a sum_j
    w_j x_j.

    The weights w_j are ``_kernel_weights`` of the distances of those k. The neighbors of a new
    point are the smoothed training points, those of a training point the others before smoothing.

    Parameters
    ----------
    n_neighbors : int
        k, below the number of training points.
    strength : float
        a in [0, 1]: with 0 points stay as they are, with 1 the mean of the neighbors replaces them.
    """

    _searches_transformed = True

    def __init__(self, n_neighbors: int = 10, strength: float = 0.25) -> None:
        self.n_neighbors = n_neighbors
        self.strength = strength

    def _transformed(self, X: np.ndarray, known: np.ndarray, table: NeighborTable) -> np.ndarray:
        strength = checks.check_real("strength", self.strength, 0, 1)
        assert table.distances is not None
        weights = _kernel_weights(table.distances).ravel()
        columns = table.indices.ravel()
        starts = np.arange(0, columns.size + 1, table.k_max)
        means = csr_array((weights, columns, starts), (len(X), table.n))
        return (1 - strength) * X + strength * (means @ known)


class LocalDensityScaler(_NeighborTransformer):
    """Divide each point by r, its mean distance to its k nearest training points; where r is 0 it
    stays as it is.

    Neighbors are training points before the division.

    Parameters
    ----------
    n_neighbors : int
        k, below the number of training points.
    """

    def __init__(self, n_neighbors: int = 50) -> None:
        self.n_neighbors = n_neighbors

    def _transformed(self, X: np.ndarray, known: np.ndarray, table: NeighborTable) -> np.ndarray:
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


def _signed_root(X: np.ndarray) -> np.ndarray:
    """The cube root of the absolute value of each number, with its sign."""
    return np.sign(X) * abs(X) ** (1 / 3)


def vision_pipeline(
    n_neighbors: int = 10, strength: float = 0.25, density_neighbors: int = 50
) -> Pipeline:
    """The preprocessing of images in Errandonea et al., as a pipeline of transformers, not yet
    fitted.

    The mean of the training points is subtracted; each point is brought to length 1, smoothed with
    ``n_neighbors`` and ``strength``, and brought to length 1 again. Then it is divided by its mean
    distance to its ``density_neighbors`` nearest. Points of length 0 are not brought to length 1.
    """
    return _pipeline(StandardScaler(with_std=False), n_neighbors, strength, density_neighbors)


def tabular_pipeline(
    n_neighbors: int = 10, strength: float = 0.1, density_neighbors: int = 100
) -> Pipeline:
    """The preprocessing of tables: ``vision_pipeline`` with signed cube roots in place of
    subtracted means.
    """
    first = FunctionTransformer(_signed_root, validate=True, feature_names_out="one-to-one")
    return _pipeline(first, n_neighbors, strength, density_neighbors)


def _pipeline(
    first: TransformerMixin, n_neighbors: int, strength: float, density_neighbors: int
) -> Pipeline:
    smoother = NeighborSmoother(n_neighbors, strength)
    scaler = LocalDensityScaler(density_neighbors)
    return make_pipeline(first, Normalizer(), smoother, Normalizer(), scaler)


#: The preparations by name.
PIPELINES = {"vision": vision_pipeline, "tabular": tabular_pipeline}
