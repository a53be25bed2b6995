"""What the estimators share: parameters and their documentation, checks of the data, labels as codes, and neighbors."""

import inspect
import re
from dataclasses import KW_ONLY, dataclass
from typing import Literal, NamedTuple, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from knnviz import checks
from knnviz.neighbors import Metric, MetricIndex, NeighborTable, SpatialIndex, prepare
from knnviz.profiles import VoteProfile

#: A section of a numpydoc docstring, and an entry of it with its name.
SECTION = r"^{}\n-+\n((?:.+\n?)+)\n*"
ENTRY = r"^((\w+).*\n(?: +.*\n?)+)"

Class = TypeVar("Class", bound=type)


@dataclass_transform(eq_default=False)
def estimator(cls: Class) -> Class:
    """Write ``__init__`` from the fields of a class; add the parameters and attributes of its bases to its docstring.

    Parameters that ``__init__`` lacks are left out. What the class documents itself replaces the entry of a base.
    """
    dataclass(eq=False, repr=False)(cls)
    signature, documented = inspect.signature(cls).parameters, _entries(cls, "Parameters")
    names = sorted((name for name in documented if name in signature), key=lambda name: signature[name].kind)
    parameters = [documented[name] for name in names]
    attributes = list(_entries(cls, "Attributes").values())
    text = re.sub(
        SECTION.format("(?:Parameters|Attributes)"), "", inspect.cleandoc(cls.__doc__ or ""), flags=re.MULTILINE
    )
    text, heading, examples = text.partition("Examples\n--------\n")
    for title, entries in (("Parameters", parameters), ("Attributes", attributes)):
        if entries:
            text = "\n".join([text.rstrip(), "", title, "-" * len(title), *entries, ""])
    cls.__doc__ = f"{text}\n{heading}{examples}".rstrip()
    return cls


def _entries(cls: type, title: str) -> dict[str, str]:
    """Entries of a class and its bases in a section such as "Parameters", each by its first name."""
    found: dict[str, str] = {}
    for base in cls.__mro__:
        section = re.search(SECTION.format(title), inspect.cleandoc(base.__doc__ or ""), re.MULTILINE)
        for entry, name in re.findall(ENTRY, section[1] if section else "", re.MULTILINE):
            found.setdefault(name, entry.rstrip())
    return found


class TrainingData(NamedTuple):
    """An index of the training points, the classes, and the codes (n,) of the labels or bags (n, C).

    ``fit`` keeps them at its end, so that a failed fit changes nothing.
    """

    search_index: SpatialIndex | MetricIndex
    classes: np.ndarray
    codes: np.ndarray


class Classifier(ClassifierMixin, BaseEstimator):
    """Base of the classifiers that are fitted on points and labels.

    Attributes
    ----------
    classes_ : (C,) array
        The labels, sorted.
    n_features_in_ : int
        d, the number of columns of X.
    feature_names_in_ : (d,) array
        Columns of X, if it is a data frame whose columns all have names.
    """

    def _read(self, X: ArrayLike, y: ArrayLike, min_samples: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Training points X (n, d), the sorted classes, and the codes (n,) of y; n must be at least ``min_samples``."""
        points, labels = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=min_samples)
        check_classification_targets(labels)
        classes, codes = np.unique(labels, return_inverse=True)
        if not self.__sklearn_tags__().classifier_tags.multi_class:
            check_two_classes(classes)
        return points, classes, codes

    def _queries(self, X: ArrayLike) -> np.ndarray:
        check_is_fitted(self, "classes_")
        return validate_data(self, X, dtype=np.float64, reset=False)


class TwoClassMixin(BaseEstimator):
    """Two classes at most: class 0 and class 1 are the labels in sorted order.

    Attributes
    ----------
    classes_ : (2,) array
        The labels that code 0 and code 1 stand for; one if the training labels were all the same.
    """

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class FlipRatesMixin(TwoClassMixin):
    """Two classes whose flip rates set the threshold on e, the fraction or probability of class 1.

    Attributes
    ----------
    noise_rates_ : (float, float)
        p0 and p1, known or estimated. Estimates sum to 1 where all values of e that they are computed from are equal:
        they then carry no information, ``fit`` warns, and the threshold is 1/2.
    threshold_ : float
        theta = (1 + p0 - p1) / 2, what e must reach.
    """

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d): class 1 iff e >= theta, up to rounding.

        On a tie, e = theta, both numbers of ``predict_proba`` are 1/2.
        """
        codes = (self._corrected(X) >= 0.5).astype(int)
        return self.classes_[codes]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Probabilities (m, 2) of the true classes of X (m, d), in the order of ``classes_``.

        That of class 1 is eta_hat = (e - p0) / (1 - p0 - p1), clipped to [0, 1]: at least 1/2 iff e >= theta. Where
        estimated rates carry no information it is e.
        """
        eta = self._corrected(X)
        return np.stack([1 - eta, eta], axis=1)[:, : len(self.classes_)]

    def _corrected(self, X: ArrayLike) -> np.ndarray:
        """eta_hat (m,) at X, 1/2 exactly where e ties with the threshold."""
        raise NotImplementedError


class NeighborsClassifier(Classifier):
    """Base of the classifiers whose neighbors are sorted by (distance, index); distances are Euclidean by default.

    Parameters
    ----------
    n_neighbors : int
        k, the neighbors that vote, at most n, else ``predict`` raises ValueError. As in scikit-learn it may be changed
        without a new fit; what the fit has estimated then stays as it is.

    Attributes
    ----------
    n_samples_fit_ : int
        n, the number of training points.
    """

    def _build_index(self, X: np.ndarray) -> SpatialIndex | MetricIndex:
        return prepare(X)

    def _train(self, X: ArrayLike, y: ArrayLike, min_samples: int = 1) -> TrainingData:
        X, classes, codes = self._read(X, y, min_samples)
        return TrainingData(self._build_index(X), classes, codes)

    def _keep(self, train: TrainingData) -> None:
        self._index, self.classes_, self._labels = train
        self.n_samples_fit_ = len(train.codes)

    def _table(self, X: ArrayLike | None, k: int, distances: bool = False) -> NeighborTable:
        """The k nearest training points of X (m, d), or of each training point, itself left out."""
        check_is_fitted(self, "n_samples_fit_")
        check_neighbors(k, self.n_samples_fit_ - (X is None), "other points" if X is None else "points")
        queries = None if X is None else self._queries(X)
        return NeighborTable.build(self._index, queries, k, exclude_self=X is None, distances=distances)

    def _votes(self, X: ArrayLike) -> VoteProfile:
        """Votes of the ``n_neighbors`` nearest training points of X (m, d)."""
        return VoteProfile.count(self._table(X, self.n_neighbors), self._labels, n_rule_classes(self.classes_))

    def kneighbors(
        self, X: ArrayLike | None = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> tuple[np.ndarray | None, np.ndarray] | np.ndarray:
        """Distances (m, k) and indices (m, k) of the nearest training points of X (m, d), sorted by (distance, index).

        Without X the queries are the training points, each left out of its own list; k is ``n_neighbors``, by default
        that of the estimator. Without ``return_distance`` only the indices are returned. Raises ValueError for a k
        above the number of points.
        """
        table = self._table(X, self.n_neighbors if n_neighbors is None else n_neighbors, return_distance)
        indices = table.indices.astype(np.intp)
        return (table.distances, indices) if return_distance else indices


@estimator
class MetricClassifier(NeighborsClassifier):
    """Base of the neighbor classifiers under any metric of scikit-learn.

    Parameters
    ----------
    algorithm : "auto", "ball_tree", "brute" or "kd_tree"
        How neighbors are searched under metrics other than the Euclidean, whose neighbors are exact in any case.
    metric : str or callable
        The name of a metric of scikit-learn, or a function of two points. Scikit-learn evaluates it and raises its
        errors ("jaccard" and the like take each number as true or false); ties are those of the distances it computes.
    p : float
        Exponent of the Minkowski distance, from 1 to infinity; 2 is the Euclidean.
    n_jobs : int, optional
        Threads of scikit-learn's search; Euclidean neighbors use all processors.
    """

    _: KW_ONLY
    algorithm: Literal["auto", "ball_tree", "brute", "kd_tree"] = "auto"
    metric: Metric = "minkowski"
    p: float = 2
    n_jobs: int | None = None

    def _build_index(self, X: np.ndarray) -> SpatialIndex | MetricIndex:
        return prepare(X, self.metric, self.p, algorithm=self.algorithm, n_jobs=self.n_jobs)


def n_rule_classes(classes: np.ndarray) -> int:
    """The number of classes for a rule, at least two: to a single class another is added, which never occurs."""
    return max(2, len(classes))


def check_two_classes(classes: np.ndarray) -> None:
    """Raise ValueError, with scikit-learn's message, for more than two classes."""
    if len(classes) > 2:
        kind = type_of_target(classes)
        raise ValueError(f"Only binary classification is supported. The type of the target is {kind}.")


def check_neighbors(k: int, n: int, of: str = "points", name: str = "n_neighbors") -> int:
    """Return k, a number of neighbors from 1 to n, or raise ValueError."""
    if checks.check_int(name, k, 1) > n:
        raise ValueError(f"{name} must not exceed the number of {of}, got {k} with n = {n}")
    return k
