"""Base classes of the estimators: they read points and labels, find neighbors, wrap classifiers.

A new estimator stands on ``MetricClassifier``, or on ``StoppingClassifier`` of
``knnviz/estimators/stopping.py`` if its rule chooses its own k; bags are read by
``knnviz/estimators/partial_labels.py``. It is a dataclass of its parameters, which keeps
scikit-learn's equality and representation, with a full docstring and ``_parameter_constraints`` of
what is no ``Literal``, and decides by a rule. ``knnviz/estimators/__init__.py`` exports it; a rival
of a paper's tables stands in the folder of the paper in ``knnviz_papers/`` instead. Either is in
the list of ``tests/estimators/test_every_estimator.py``, and its mathematics has a twin of the
printed algorithm, as in ``tests/estimators/test_robust.py``.
"""

from dataclasses import KW_ONLY, dataclass
from inspect import get_annotations
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, NamedTuple, get_args, get_origin

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import Tags, get_tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted

from knnviz.checks import check_k, read_points
from knnviz.neighbors import Metric, MetricIndex, NeighborTable, SpatialIndex, prepare
from knnviz.profiles import VoteProfile

#: What scikit-learn checks of a parameter: any of these.
Constraints = dict[str, list[Any]]

#: A whole number of at least 1.
COUNT = Interval(Integral, 1, None, closed="left")


class Indexed(NamedTuple):
    """What ``fit`` reads: an index of the training points, the classes (C,), and codes (n,) or bags
    (n, C) bool.
    """

    search_index: SpatialIndex | MetricIndex
    classes: np.ndarray
    observed: np.ndarray


class Classifier(ClassifierMixin, BaseEstimator):
    """Base of the classifiers. ``_binary`` says that at most two classes are allowed."""

    _binary: ClassVar[bool] = False
    _parameter_constraints: ClassVar[Constraints] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        """Join the constraints of a class, those of its annotations that are Literals, and those of
        its bases.
        """
        super().__init_subclass__(**options)
        found: Constraints = {}
        for base in reversed(cls.__mro__):
            found |= vars(base).get("_parameter_constraints", {})
        for name, kind in get_annotations(cls).items():
            if get_origin(kind) is Literal:
                found[name] = [StrOptions(set(get_args(kind)))]
        cls._parameter_constraints = found

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = not self._binary
        return tags

    def _read(
        self, X: ArrayLike, y: ArrayLike, min_samples: int = 1
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Training points X (n, d), the sorted classes, and the codes (n,) of y; n must be at least
        ``min_samples``.
        """
        points, labels = read_points(self, X, y, ensure_min_samples=min_samples)
        return points, *self._encode(labels)

    def _encode(self, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The sorted classes (C,) of labels, and the codes (n,)."""
        check_classification_targets(labels)
        classes, codes = np.unique(labels, return_inverse=True)
        if self._binary and len(classes) > 2:
            # Scikit-learn's sentence, which its own checks expect.
            raise ValueError(
                "Only binary classification is supported. The type of the target is "
                f"{type_of_target(classes)}."
            )
        return classes, codes

    def _queries(self, X: ArrayLike) -> np.ndarray:
        check_is_fitted(self, "classes_")
        return read_points(self, X, reset=False)


class NeighborsClassifier(Classifier):
    """Base of the classifiers with neighbors, Euclidean ones here, sorted by (distance, index).

    ``fit`` stores points and labels at its end: a fit that fails keeps the old ones, but
    ``n_features_in_`` and ``feature_names_in_`` are already the new ones.
    """

    def _index_points(self, X: ArrayLike, y: ArrayLike, min_samples: int = 1) -> Indexed:
        points, classes, observed = self._read(X, y, min_samples)
        return Indexed(self._build_index(points), classes, observed)

    def _build_index(self, X: np.ndarray) -> SpatialIndex | MetricIndex:
        return SpatialIndex(X)

    def _store(self, points: Indexed) -> None:
        self._index, self.classes_, self._labels = points
        self.n_samples_fit_ = len(self._labels)

    def _table(self, X: ArrayLike | None, k: int | None, distances: bool = False) -> NeighborTable:
        """The k nearest training points of X (m, d), or of each training point, itself left out."""
        check_is_fitted(self, "classes_")
        if k is None:
            k = self._default_k()
        if X is None:
            check_k(k, self.n_samples_fit_ - 1, "other points", "n_neighbors")
            return NeighborTable.build(self._index, None, k, exclude_self=True, distances=distances)
        check_k(k, self.n_samples_fit_, name="n_neighbors")
        return NeighborTable.build(self._index, self._queries(X), k, distances=distances)

    def _votes(self, X: ArrayLike) -> VoteProfile:
        """Votes of the ``n_neighbors`` nearest points of X (m, d), of two classes at least."""
        table = self._table(X, self.n_neighbors)
        n_classes = max(2, len(self.classes_))
        return VoteProfile.build(table, self._labels, n_classes)

    def kneighbors(
        self,
        X: ArrayLike | None = None,
        n_neighbors: int | None = None,
        return_distance: bool = True,
    ) -> tuple[np.ndarray | None, np.ndarray] | np.ndarray:
        """Distances (m, k) and indices (m, k) of the nearest training points of X (m, d), sorted by
        (distance, index).

        Without X the queries are the training points, each left out of its own list; k is
        ``n_neighbors``, by default that of the estimator, or if it has none its ``max_neighbors``,
        at most n - 1. Without ``return_distance`` only the indices are returned. Raises ValueError
        for a k above the number of points.
        """
        table = self._table(X, n_neighbors, return_distance)
        indices = table.indices.astype(np.intp)
        if return_distance:
            return table.distances, indices
        return indices

    def _default_k(self) -> int:
        return self.n_neighbors


@dataclass(eq=False, repr=False)
class MetricClassifier(NeighborsClassifier):
    """Base of the classifiers with neighbors under any metric."""

    _parameter_constraints: ClassVar[Constraints] = {
        "p": [Interval(Real, 1, np.inf, closed="both")],
        **{
            name: NearestNeighbors._parameter_constraints[name]
            for name in ("algorithm", "metric", "n_jobs")
        },
    }

    _: KW_ONLY
    algorithm: str = "auto"
    metric: Metric = "minkowski"
    p: float = 2
    n_jobs: int | None = None

    def _build_index(self, X: np.ndarray) -> SpatialIndex | MetricIndex:
        return prepare(X, self.metric, self.p, algorithm=self.algorithm, n_jobs=self.n_jobs)


class MetaClassifier(MetaEstimatorMixin, Classifier):
    """Base of the classifiers that fit a clone of another one, ``estimator``, and hold it as
    ``estimator_``.
    """

    estimator: BaseEstimator
    estimator_: BaseEstimator

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    @property
    def n_features_in_(self) -> int:
        return self.estimator_.n_features_in_

    @property
    def feature_names_in_(self) -> np.ndarray:
        return self.estimator_.feature_names_in_
