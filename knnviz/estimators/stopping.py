"""Classifiers that choose k at each query, and search only for as many neighbors as it needs."""

from dataclasses import KW_ONLY, dataclass, replace
from numbers import Real
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils._param_validation import Interval

from knnviz.bags import as_bags
from knnviz.checks import MOST_CLASSES
from knnviz.estimators.base import COUNT, Constraints, Indexed, MetricClassifier
from knnviz.estimators.partial_labels import BagsClassifier
from knnviz.neighbors import NeighborTable
from knnviz.rules import Adaptive, PartialAdaptive, Scan, Vote
from knnviz.threads import slices

#: Neighbors searched for first, and the factor by which their number grows as long as balls do not
#: stop.
FIRST_K = 64
GROWTH = 4

#: Most neighbors in memory at one time.
MOST_IN_MEMORY = 2**22


@dataclass(eq=False, repr=False)
class StoppingClassifier(BagsClassifier, MetricClassifier):
    """Base of the classifiers whose balls choose their own k, on labels or bags.

    Methods that predict check all parameters, and read all anew but those of the metric.
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "c1": [Interval(Real, 0, 1e6, closed="right")],
        "delta": [Interval(Real, 0, 1, closed="neither")],
        "max_neighbors": [COUNT, None],
    }

    c1: float = 0.5
    delta: float = 0.1
    max_neighbors: int | None = None

    def _rule(self) -> Adaptive | PartialAdaptive:
        raise NotImplementedError

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Store points X (n, d) and their labels y (n,), or a table of bags with a column for each
        label.

        Tables hold truth values, or 0 and 1, in an array, a sparse matrix, or a data frame, whose
        columns name the labels. A tie goes to the first of them. A bag may be empty.
        ``knnviz.bags.read_bags`` turns sets of labels into such a table.
        """
        self._validate_params()
        points = self._index_points(X, y)
        n_classes = len(points.classes)
        if n_classes > MOST_CLASSES:
            raise ValueError(f"there must be at most {MOST_CLASSES} classes, got {n_classes}")
        self._store(points)
        return self

    def scan(self, X: ArrayLike) -> Scan:
        """All results at X (m, d) from one search for neighbors: ``labels``, ``stop_k``,
        ``decided`` and ``alive``.

        ``labels`` (m,) are the codes of the predictions, ``stop_k`` (m,) the k at which the balls
        stopped, ``decided`` (m,) bool whether one label was left then, and ``alive`` (m, C) bool
        the labels left. ``predict``, ``stopping_neighbors``, ``decided`` and ``predict_set`` each
        return one of them, and each call searches anew.
        """
        self._validate_params()
        queries = self._queries(X)
        n = self.n_samples_fit_
        k_max = min(self._rule().max_neighbors or n, n)
        scan = self._scan(queries, min(FIRST_K, k_max), k_max)
        alive = scan.alive[:, : len(self.classes_)]
        return scan._replace(decided=alive.sum(axis=1) == 1, alive=alive)

    def _scan(self, queries: np.ndarray, k: int, k_max: int) -> Scan:
        """Results at queries (m, d) from k neighbors, and from more, up to ``k_max``, where these
        decide nothing.
        """
        rule = replace(self._rule(), max_neighbors=k)
        n_classes = max(2, len(self.classes_))
        parts = []
        for rows in slices(len(queries), max(1, MOST_IN_MEMORY // k)):
            table = NeighborTable.build(self._index, queries[rows], k)
            parts.append(rule.scan(table, self._labels, n_classes))
        scan = Scan(*map(np.concatenate, zip(*parts, strict=True)))
        # A ball that stops within k neighbors stops there with more of them, too.
        again = ~scan.decided
        if k < k_max and again.any():
            further = self._scan(queries[again], min(GROWTH * k, k_max), k_max)
            for results, new in zip(scan, further, strict=True):
                results[again] = new
        return scan

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d), those of undecided points included."""
        codes = self.scan(X).labels
        return self.classes_[codes]

    def predict_set(self, X: ArrayLike) -> np.ndarray:
        """Which of ``classes_`` are left, (m, C) bool, where the balls around X (m, d) stopped."""
        return self.scan(X).alive

    def stopping_neighbors(self, X: ArrayLike) -> np.ndarray:
        """The k (m,) at which the balls around X (m, d) stopped."""
        return self.scan(X).stop_k

    def decided(self, X: ArrayLike) -> np.ndarray:
        """Whether one label is left (m,) where the balls around X (m, d) stopped."""
        return self.scan(X).decided


@dataclass(eq=False, repr=False)
class AdaptiveKNeighborsClassifier(StoppingClassifier):
    """A-kNN: a ball grows until the fraction of one label exceeds a baseline by a confidence band.

    The band is A / sqrt(k), A = c1 sqrt(log n + log(C / delta)). With two classes and plain labels,
    ``|2 f - 1|`` must reach a band without C, as in Balsubramani et al., where f is the fraction of
    one label. A point is undecided (the original abstains) if the ball stops at no k up to T; then
    the majority at T is predicted.

    There is no ``predict_proba``: a ball stops where the fraction of a label happens to be large,
    which biases it upwards, and the fractions of bags do not sum to 1.

    Parameters
    ----------
    c1 : float
        Factor of the band, above 0: the larger, the larger the balls. Like all parameters but those
        of the metric it may be changed without a new fit.
    delta : float
        Failure probability, strictly between 0 and 1.
    max_neighbors : int, optional
        T, the largest k; n if None, and where it exceeds n.
    algorithm : "auto", "ball_tree", "brute" or "kd_tree"
        How neighbors under other metrics are searched for; Euclidean neighbors have a search of
        their own.
    metric : str or callable
        A distance of two points by scikit-learn's name, without further parameters (not
        "mahalanobis", "seuclidean" or "precomputed"), or a function of two points.
    p : float
        Exponent of the Minkowski distance, from 1 to infinity; 2 is the Euclidean.
    n_jobs : int, optional
        Threads of scikit-learn's search; Euclidean neighbors use all processors.
    baseline : "classes" or "bag_size"
        What the fraction of a label must exceed: 1 / C, or the mean size of a bag divided by C. For
        plain labels both are 1 / C.

    Attributes
    ----------
    classes_ : (C,) array
        The labels, sorted; of bags the columns, in their order.
    n_samples_fit_ : int
        n, the number of training points.
    n_features_in_ : int
        d, the number of columns of X.
    feature_names_in_ : (d,) array
        Columns of X, if it is a data frame whose columns all have names.

    References
    ----------
    Balsubramani et al. (2019); the extension as in Errandonea et al.; the baseline "bag_size" is
    ours.

    Examples
    --------
    >>> from knnviz.estimators import AdaptiveKNeighborsClassifier
    >>> import numpy as np
    >>> X = np.arange(1000.0)[:, None]
    >>> model = AdaptiveKNeighborsClassifier().fit(X, X[:, 0] >= 500)
    >>> (
    ...     model.predict([[100], [900]]).tolist(),
    ...     model.stopping_neighbors([[100], [480], [500]]).tolist(),
    ... )
    ([False, True], [3, 3, 1000])
    """

    _: KW_ONLY
    baseline: Literal["classes", "bag_size"] = "classes"

    def _rule(self) -> Adaptive:
        return Adaptive(self.c1, self.delta, self.max_neighbors, self.baseline)

    def _default_k(self) -> int:
        n = self.n_samples_fit_
        return max(1, min(self.max_neighbors or n, n - 1))


@dataclass(eq=False, repr=False)
class PartialLabelKNeighborsClassifier(StoppingClassifier):
    """PL A-kNN: labels are eliminated as the ball around a point grows, until one is left; bags of
    candidates vote.

    There is no ``predict_proba``: the fractions of bags that hold each label do not sum to 1. How
    they relate to the probabilities of the labels depends on the unknown distribution of the bags.

    Parameters
    ----------
    c1 : float
        Factor of the band, above 0: the larger, the larger the balls. Like all parameters but those
        of the metric it may be changed without a new fit.
    delta : float
        Failure probability, strictly between 0 and 1.
    max_neighbors : int, optional
        T, the largest k; n if None, and where it exceeds n.
    algorithm : "auto", "ball_tree", "brute" or "kd_tree"
        How neighbors under other metrics are searched for; Euclidean neighbors have a search of
        their own.
    metric : str or callable
        A distance of two points by scikit-learn's name, without further parameters (not
        "mahalanobis", "seuclidean" or "precomputed"), or a function of two points.
    p : float
        Exponent of the Minkowski distance, from 1 to infinity; 2 is the Euclidean.
    n_jobs : int, optional
        Threads of scikit-learn's search; Euclidean neighbors use all processors.
    strategy : "adaptive" or "vote"
        "adaptive": PL A-kNN, see ``knnviz.rules.PartialAdaptive``. "vote", for comparison: the
        label in most of the ``n_neighbors`` nearest bags; a point is undecided if labels tie.
    n_neighbors : int
        k, at most n. Used with strategy="vote", and by ``kneighbors``.
    fallback : "lead" or "majority"
        Which label is predicted if several are left at T: the one that ever had the largest lead
        over the runner-up in votes, divided by sqrt(k), or the one in most bags. Used only with
        strategy="adaptive".

    Attributes
    ----------
    classes_ : (C,) array
        The labels, sorted; of bags the columns, in their order.
    n_samples_fit_ : int
        n, the number of training points.
    n_features_in_ : int
        d, the number of columns of X.
    feature_names_in_ : (d,) array
        Columns of X, if it is a data frame whose columns all have names.

    References
    ----------
    Errandonea et al., Algorithms 1 and 2.

    Examples
    --------
    >>> from knnviz.estimators import PartialLabelKNeighborsClassifier
    >>> import numpy as np
    >>> X, bags = np.arange(100)[:, None], [[1, 1, 0], [1, 0, 1]] * 50
    >>> model = PartialLabelKNeighborsClassifier().fit(X, bags)
    >>> (
    ...     model.predict([[50]]).tolist(),
    ...     model.predict_set([[50]]).tolist(),
    ...     model.stopping_neighbors([[50]]).tolist(),
    ... )
    ([0], [[True, False, False]], [9])
    """

    _parameter_constraints: ClassVar[Constraints] = {"n_neighbors": [COUNT]}

    max_neighbors: int | None = 400
    _: KW_ONLY
    strategy: Literal["adaptive", "vote"] = "adaptive"
    n_neighbors: int = 10
    fallback: Literal["lead", "majority"] = "lead"

    def _rule(self) -> PartialAdaptive:
        return PartialAdaptive(self.c1, self.delta, self.max_neighbors, self.fallback)

    def _store(self, points: Indexed) -> None:
        observed = points.observed
        bags = as_bags(observed, len(observed), max(2, len(points.classes)))
        super()._store(points._replace(observed=bags))

    def scan(self, X: ArrayLike) -> Scan:
        self._validate_params()
        if self.strategy != "vote":
            return super().scan(X)
        votes = self._votes(X)
        k = votes.k_max
        labels = Vote().predict(votes, k)
        stop_k = np.full(len(labels), k, np.int32)
        counts = votes.at(k)[:, : len(self.classes_)]
        alive = counts == counts.max(axis=1, keepdims=True)
        decided = alive.sum(axis=1) == 1
        return Scan(labels, stop_k, decided, alive)
