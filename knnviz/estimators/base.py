"""What the estimators share: data at the door, labels as codes, and neighbors by (distance, index)."""

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from knnviz.neighbors import Metric, NeighborTable, prepare


class NeighborsClassifier(ClassifierMixin, BaseEstimator):
    """Base of the classifiers here: a family adds parameters beside these five, ``fit``, ``predict`` and the like.

    What it learns: ``classes_``, ``n_samples_fit_``, ``n_features_in_`` and, of a data frame, ``feature_names_in_``.
    """

    n_neighbors: int
    algorithm: str
    metric: Metric
    p: float
    n_jobs: int | None

    def _learn(self, X: ArrayLike, y: ArrayLike, least: int = 1) -> np.ndarray:
        """Keep the training points X (n, d), n at least ``least``, and the classes; the codes (n,) of their labels y.

        Labels may be of any kind that scikit-learn takes; codes follow their sorted order. A family whose tags say that
        it takes two classes at most is given no more.
        """
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=least)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) > 2 and not self.__sklearn_tags__().classifier_tags.multi_class:
            kind = type_of_target(y)
            raise ValueError(f"Only binary classification is supported. The type of the target is {kind}.")
        self._points = prepare(X, self.metric, self.p, algorithm=self.algorithm, n_jobs=self.n_jobs)
        self.n_samples_fit_ = len(X)
        return codes

    def _table(self, X: ArrayLike | None, k: int, distances: bool = False) -> NeighborTable:
        """The k nearest training points of X (m, d), or of the training points, each left out of its own list."""
        check_is_fitted(self)
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
