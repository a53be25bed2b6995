"""What the estimators share: data at the door, labels as codes, and neighbors by (distance, index)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from knnviz import checks
from knnviz.neighbors import Metric, MetricSpace, NeighborTable, SpatialIndex, prepare


class Learned(NamedTuple):
    """What a fit has learned of its data, before the estimator keeps it: nothing is kept of a fit that fails."""

    points: SpatialIndex | MetricSpace
    classes: np.ndarray
    codes: np.ndarray


class NeighborsClassifier(ClassifierMixin, BaseEstimator):
    """Base of the classifiers here: a family adds parameters beside these five, ``fit``, ``predict`` and the like.

    One that measures Euclidean distances alone says so on the class, and leaves out all of them but ``n_neighbors``.

    What it learns: ``classes_``, ``n_samples_fit_``, ``n_features_in_`` and, of a data frame, ``feature_names_in_``.
    """

    n_neighbors: int
    algorithm: str
    metric: Metric
    p: float
    n_jobs: int | None

    def _learn(self, X: ArrayLike, y: ArrayLike, least: int = 1) -> Learned:
        """Training points X (n, d), n at least ``least``, classes, and the codes (n,) of their labels y.

        Labels may be of any kind that scikit-learn takes; codes follow their sorted order. A family whose tags say that
        it takes two classes at most is given no more.
        """
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=least)
        check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) > 2 and not self.__sklearn_tags__().classifier_tags.multi_class:
            kind = type_of_target(y)
            raise ValueError(f"Only binary classification is supported. The type of the target is {kind}.")
        points = prepare(X, self.metric, self.p, algorithm=self.algorithm, n_jobs=self.n_jobs)
        return Learned(points, classes, codes)

    def _keep(self, learned: Learned) -> None:
        """Take over what a fit has learned."""
        self._points, self.classes_, self._labels = learned
        self.n_samples_fit_ = len(learned.codes)

    def _table(self, X: ArrayLike | None, k: int, distances: bool = False) -> NeighborTable:
        """The k nearest training points of X (m, d), or of the training points, each left out of its own list."""
        check_is_fitted(self, "n_samples_fit_")
        within(k, self.n_samples_fit_ - (X is None), "other points" if X is None else "points")
        queries = None if X is None else validate_data(self, X, dtype=np.float64, reset=False)
        return NeighborTable.build(self._points, queries, k, exclude_self=X is None, distances=distances)

    def kneighbors(
        self, X: ArrayLike | None = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> tuple[np.ndarray, np.ndarray] | np.ndarray:
        """Distances (m, k) and indices (m, k) of the nearest training points, sorted by (distance, index).

        Parameters
        ----------
        X : (m, d) array, optional
            Queries; without them the training points, each left out of its own list.
        n_neighbors : int, optional
            k; by default that of the estimator.
        return_distance : bool
            Whether distances come before the indices.

        Raises
        ------
        ValueError
            For k beyond the points there are, and for queries that do not fit the training points.
        """
        table = self._table(X, self.n_neighbors if n_neighbors is None else n_neighbors, return_distance)
        indices = table.indices.astype(np.intp)
        return (table.distances, indices) if return_distance else indices


def within(k: int, n: int, of: str = "points", name: str = "n_neighbors") -> int:
    """A number of neighbors, at least 1 and at most the n points there are; ValueError otherwise."""
    if checks.check_int(name, k, 1) > n:
        raise ValueError(f"{name} must not exceed the number of {of}, got {k} with n = {n}")
    return k
