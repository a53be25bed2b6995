"""Preprocessing for nearest neighbors: points moved toward their neighbors, or scaled by the density around them."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from knnviz import checks
from knnviz.neighbors import NeighborTable, SpatialIndex


class _NeighborTransformer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    n_neighbors: int

    def _check(self) -> int:
        return checks.check_int("n_neighbors", self.n_neighbors, 1)

    def _check_k(self, n: int) -> int:
        if self._check() >= n:
            raise ValueError(f"n_neighbors must be below the number of points, got {self.n_neighbors} with n = {n}")
        return self.n_neighbors

    def _checked_index(self, X: ArrayLike) -> SpatialIndex:
        self._check()
        # Two points, since scikit-learn's checks expect its own message for a single one.
        points = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        self._check_k(len(points))
        return SpatialIndex(points)

    def _store(self, index: SpatialIndex) -> None:
        self._index, self.n_samples_fit_ = index, len(index.X)

    def _table(self, X: ArrayLike) -> tuple[np.ndarray, NeighborTable]:
        """New points X (m, d), checked, and the k nearest of the stored points to each."""
        check_is_fitted(self, "n_samples_fit_")
        queries, k = validate_data(self, X, dtype=np.float64, reset=False), self._check_k(self.n_samples_fit_)
        return queries, NeighborTable.build(self._index, queries, k, distances=True)


def _among_others(index: SpatialIndex, k: int) -> NeighborTable:
    return NeighborTable.build(index, None, k, exclude_self=True, distances=True)


class NeighborSmoother(_NeighborTransformer):
    """Pull each point x toward the mean of its k nearest training points x_j: (1 - a) x + a sum_j w_j x_j.

    The weights w_j are proportional to exp(-d_j^2 / (2 sigma^2)) and sum to 1; d_j are the distances of those k, and
    sigma is their median. Where sigma is 0 all weights are equal. Distances are Euclidean, neighbors sorted by
    (distance, index).

    ``fit_transform(X)`` differs from ``fit(X).transform(X)``. In ``fit_transform``, which ``Pipeline.fit`` calls, the
    neighbors of a training point are the other training points before smoothing. In ``transform`` each row is a new
    point, even a copy of a training point, and its neighbors are the smoothed training points.

    Parameters
    ----------
    n_neighbors : int
        k, below the number of training points.
    strength : float
        a in [0, 1]: with 0 points stay as they are, with 1 the mean of the neighbors replaces them.

    Attributes
    ----------
    smoothed_ : (n, d) array
        The smoothed training points.
    n_samples_fit_, n_features_in_ : int
        n and d.
    feature_names_in_ : (d,) array
        Columns of X, if it is a data frame whose columns all have names.

    Source: Errandonea et al., appendix D.2.
    """

    def __init__(self, n_neighbors: int = 10, strength: float = 0.25) -> None:
        self.n_neighbors = n_neighbors
        self.strength = strength

    def _check(self) -> int:
        checks.check_real("strength", self.strength, 0, 1)
        return super()._check()

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Smooth each training point X (n, d) by the other ones and keep the result; ``y`` is not read.

        Raises ValueError for parameters out of their ranges, and for n_neighbors >= n.
        """
        index = self._checked_index(X)
        smoothed = self._smooth(index.X, index.X, _among_others(index, self.n_neighbors))
        self._store(SpatialIndex(smoothed))
        self.smoothed_ = smoothed
        return self

    def fit_transform(self, X: ArrayLike, y: Any = None) -> np.ndarray:
        """Training points (n, d) smoothed, each among the others; ``fit(X).transform(X)`` differs, see above."""
        return self.fit(X).smoothed_.copy()

    def transform(self, X: ArrayLike) -> np.ndarray:
        """New points (m, d) smoothed, with neighbors among the smoothed training points."""
        queries, table = self._table(X)
        return self._smooth(queries, self.smoothed_, table)

    def _smooth(self, X: np.ndarray, train: np.ndarray, table: NeighborTable) -> np.ndarray:
        """Points (m, d) pulled toward their neighbors among points ``train`` (n, d)."""
        k = table.k_max
        assert table.distances is not None
        starts = np.arange(0, k * len(X) + 1, k)
        means = csr_array((kernel_weights(table.distances).ravel(), table.indices.ravel(), starts), (len(X), table.n))
        return (1 - self.strength) * X + self.strength * (means @ train)


class LocalDensityScaler(_NeighborTransformer):
    """Divide each point by r, its mean distance to its k nearest training points; where r is 0 it stays as it is.

    Distances are Euclidean, neighbors sorted by (distance, index).

    ``fit_transform(X)`` differs from ``fit(X).transform(X)``. In ``fit_transform``, which ``Pipeline.fit`` calls, a
    training point is not among its own neighbors. In ``transform`` each row is a new point, so the nearest neighbor of
    a copy of a training point is that one, at distance 0. In both, neighbors are training points before the division.

    Parameters
    ----------
    n_neighbors : int
        k, below the number of training points.

    Attributes
    ----------
    n_samples_fit_, n_features_in_ : int
        n and d.
    feature_names_in_ : (d,) array
        Columns of X, if it is a data frame whose columns all have names.

    Source: Errandonea et al., appendix D.2.
    """

    def __init__(self, n_neighbors: int = 50) -> None:
        self.n_neighbors = n_neighbors

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Keep the training points X (n, d); ``y`` is not read. ValueError unless n_neighbors is from 1 to n - 1."""
        self._store(self._checked_index(X))
        return self

    def fit_transform(self, X: ArrayLike, y: Any = None) -> np.ndarray:
        """Training points (n, d) divided, each without itself; ``fit(X).transform(X)`` differs, see above."""
        index = self.fit(X)._index
        return _over_mean_distance(index.X, _among_others(index, self.n_neighbors))

    def transform(self, X: ArrayLike) -> np.ndarray:
        """New points (m, d), each divided by its mean distance to its k nearest training points."""
        return _over_mean_distance(*self._table(X))


class SignedPower(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Raise the size of each number to a power and keep its sign: x becomes sign(x) |x|^power.

    Nothing is learned but the number of columns.

    Parameters
    ----------
    power : float
        Finite and above 0.

    Source: Errandonea et al., appendix D.2, with the power 1/3.
    """

    def __init__(self, power: float = 1 / 3) -> None:
        self.power = power

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Check the power and X (n, d); ``y`` is not read. ValueError if the power is not finite and above 0."""
        checks.check_positive("power", self.power)
        validate_data(self, X, dtype=np.float64)
        return self

    def transform(self, X: ArrayLike) -> np.ndarray:
        """sign(x) |x|^power of every number x of X (m, d)."""
        values = validate_data(self, X, dtype=np.float64, reset=False)
        return np.sign(values) * abs(values) ** checks.check_positive("power", self.power)


def kernel_weights(distances: np.ndarray) -> np.ndarray:
    """Gaussian weights (m, k), of sum 1, at distances (m, k) >= 0; the bandwidth is the median distance of each row.

    Weights are equal where the median is 0: at least half of the neighbors are then at the point itself.
    """
    bandwidth = np.median(distances, axis=1, keepdims=True)
    with np.errstate(over="ignore"):  # the weight of a far neighbor is then 0
        weights = np.exp(-0.5 * np.divide(distances, bandwidth, out=np.zeros_like(distances), where=bandwidth > 0) ** 2)
    return weights / weights.sum(axis=1, keepdims=True)


def _over_mean_distance(X: np.ndarray, table: NeighborTable) -> np.ndarray:
    """Points (m, d) divided by their mean distance to their neighbors, unchanged where that is 0."""
    assert table.distances is not None
    mean = table.distances.mean(axis=1, keepdims=True)
    return np.divide(X, mean, out=X.copy(), where=mean > 0)


def vision_pipeline(n_neighbors: int = 10, strength: float = 0.25, density_neighbors: int = 50) -> Pipeline:
    """The preprocessing of images in Errandonea et al., as a pipeline of transformers, not yet fitted.

    The mean of the training points is subtracted; each point is brought to length 1, smoothed with ``n_neighbors`` and
    ``strength`` (``NeighborSmoother``), and brought to length 1 again. Then it is divided by its mean distance to its
    ``density_neighbors`` nearest (``LocalDensityScaler``). Points of length 0 are not brought to
    length 1, and no point is in the end.

    ``fit_transform`` is for training points and ``transform`` for new ones; the two differ, as in those two steps.
    ``make_pipeline(vision_pipeline(), classifier)`` calls the right one. Parameters are those of the steps, which check
    them at fit.

    Source: Errandonea et al., appendix D.2.
    """
    return _pipeline(StandardScaler(with_std=False), n_neighbors, strength, density_neighbors)


def tabular_pipeline(n_neighbors: int = 10, strength: float = 0.1, density_neighbors: int = 100) -> Pipeline:
    """The preprocessing of tables of features in Errandonea et al., as a pipeline of transformers, not yet fitted.

    It is ``vision_pipeline`` with other parameters, and with cube roots (``SignedPower``) instead of subtracted means.

    Source: Errandonea et al., appendix D.2.
    """
    return _pipeline(SignedPower(), n_neighbors, strength, density_neighbors)


def _pipeline(first: TransformerMixin, n_neighbors: int, strength: float, density_neighbors: int) -> Pipeline:
    smoother, scaler = NeighborSmoother(n_neighbors, strength), LocalDensityScaler(density_neighbors)
    return make_pipeline(first, Normalizer(), smoother, Normalizer(), scaler)
