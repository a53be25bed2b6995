"""Nearest neighbors whose votes weigh by class, as a scikit-learn estimator."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from knnviz import checks
from knnviz.estimators.base import NeighborsClassifier
from knnviz.neighbors import Metric
from knnviz.profiles import VoteProfile
from knnviz.profiles.balls import class_weights
from knnviz.rules import Threshold, Weighted

#: Labels that a refusal lists at most.
LISTED = 10


class ClassWeightedKNeighborsClassifier(NeighborsClassifier):
    """Class-weighted kNN: the label c whose weight times fraction, q_c share_c, is largest among the k nearest.

    Neighbors are sorted by (distance, index); under another metric than the Euclidean, ties are those of the distances
    that scikit-learn computes.

    Parameters
    ----------
    n_neighbors : int
        k, the neighbors that vote, at most n. Like scikit-learn's it may be set anew without a new fit.
    class_weight : None, "balanced", dict, Series or sequence of C floats
        q, of which only the ratios count: finite, none negative, not all 0. None: equal weights, the plain vote.
        "balanced": n / (C * the number of points of the class). A dict, or a Series of pandas by its index: weights by
        label, 1 for a label that it leaves out. If it leaves one out, a label that is none of the training points' is
        refused, as it may be misspelled; else it is ignored, as it may be rare and absent from a fold. A row of
        numbers: weights in the order of ``classes_``.
    mode : "index" or "closed_ball"
        Who votes: the k nearest, of points at one distance those of smaller index; or all points that are no farther
        than the k-th nearest, fractions being of their number.
    tie_tol : float
        In [0, 1]. Scores q_c share_c tie with the largest one if they fall short of it by at most ``tie_tol`` times the
        largest weight.
    algorithm : "auto", "ball_tree", "brute" or "kd_tree"
        How scikit-learn searches where the metric is not the Euclidean, whose neighbors are exact whatever it says.
    metric : str or callable
        A name that scikit-learn has for a distance of two points, or a function of two points; what it does with them,
        and what it says where it cannot, are scikit-learn's.
    p : float
        Exponent of the Minkowski distance, from 1 to infinity; 2 is the Euclidean.
    n_jobs : int, optional
        Threads of scikit-learn's search; Euclidean neighbors use all processors.

    Attributes
    ----------
    classes_ : (C,) array
        The labels, sorted.
    class_weight_ : (C,) array
        q, in the order of ``classes_`` and on the scale in which the weights were given.
    n_samples_fit_, n_features_in_ : int
        n and d.
    feature_names_in_ : (d,) array
        Columns of X, if it is a data frame whose columns all have names.

    Source: Khim, Xu & Singh, section 2.
    """

    def __init__(
        self,
        n_neighbors: int = 25,
        *,
        class_weight: Literal["balanced"] | Mapping[Hashable, float] | Sequence[float] | None = None,
        mode: Literal["index", "closed_ball"] = "index",
        tie_tol: float = 1e-12,
        algorithm: Literal["auto", "ball_tree", "brute", "kd_tree"] = "auto",
        metric: Metric = "minkowski",
        p: float = 2,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.class_weight = class_weight
        self.mode = mode
        self.tie_tol = tie_tol
        self.algorithm = algorithm
        self.metric = metric
        self.p = p
        self.n_jobs = n_jobs

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Keep the training points X (n, d) and their labels y (n,), and find the weights of the classes.

        Raises ValueError for parameters out of their ranges, for weights of labels that y lacks, and for data that are
        none.
        """
        checks.check_int("n_neighbors", self.n_neighbors, 1)
        learned = self._learn(X, y)
        weights = row_of_weights("class_weight", self.class_weight, learned.classes, learned.codes)
        self._weigh(weights)
        self._keep(learned)
        return self

    def _weigh(self, weights: np.ndarray) -> None:
        """Take over class weights (C,), if mode and tie_tol are in their ranges."""
        # A rule knows two classes at least; one that never occurs is harmless.
        self._rule = Weighted(np.append(weights, 0)[: max(2, len(weights))], self.mode, self.tie_tol)
        self.class_weight_ = weights

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d): with three or more classes the smallest of those that tie for the largest score.

        With two classes it is a threshold: class 1 iff its fraction reaches q_0 / (q_0 + q_1), in closed balls the
        fraction of all who vote, counted in whole votes. On a tie that is class 1, whatever the larger of the two
        numbers of ``predict_proba`` is. Where every vote is of a class without weight all scores tie at 0, and so it
        goes to class 1 of two, and else to the smallest class. Raises ValueError for n_neighbors beyond the training
        points.
        """
        profile = self._profile(X)
        if len(self.classes_) == 2:
            return self.classes_[reached(self._rule.q, self._rule.tie_tol, self._voters(profile)).astype(int)]
        return self.classes_[self._rule.predict(profile, profile.k_max)]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Weighted fractions (m, C) of X (m, d), q_c share_c over their sum, in the order of ``classes_``.

        As with ``class_weight`` elsewhere in scikit-learn, they estimate the probabilities of the classes if each
        occurred q_c times as often, not those in the data (for these, leave the weights out); the largest one is what
        ``predict`` decides, except on a tie. Where all scores are 0 they are 1 / C each. Raises ValueError for
        n_neighbors beyond the training points.
        """
        votes, n_classes = self._voters(self._profile(X)), len(self.classes_)
        # The largest weight is brought to 1, so that no sum of large ones overflows.
        relative = self.class_weight_ / self.class_weight_.max()
        scores = relative * (votes / votes.sum(axis=1, keepdims=True))[:, :n_classes]
        total = scores.sum(axis=1, keepdims=True)
        return np.divide(scores, total, out=np.full(scores.shape, 1 / n_classes), where=total > 0)

    def _profile(self, X: ArrayLike) -> VoteProfile:
        """Votes of the k nearest training points of X."""
        check_is_fitted(self, "class_weight_")
        return VoteProfile.count(self._table(X, self.n_neighbors), self._labels, len(self._rule.q))

    def _voters(self, profile: VoteProfile) -> np.ndarray:
        """Votes (m, C) of all who vote: k of them, or those in the closed ball."""
        return profile.at(profile.k_max) if self._rule.mode == "index" else profile.closed(profile.k_max)


def reached(q: Sequence[float], tie_tol: float, votes: np.ndarray) -> np.ndarray:
    """Whether class 1 of two is predicted (m,): its fraction of votes (m, 2) reaches the threshold of weights q."""
    threshold = Threshold.from_weights(q, tie_tol)
    sizes, which = np.unique(votes.sum(axis=1), return_inverse=True)
    needed = np.array([threshold.needed(size) for size in sizes.tolist()])
    return votes[:, 1] >= needed[which]


def row_of_weights(name: str, given: Any, classes: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Class weights (C,) of labels (C,), which the codes (n,) of the training points stand for; or ValueError.

    ``given`` is anything that ``class_weight`` may be, and ``name`` what a refusal calls it.
    """
    if given is None:
        return np.ones(len(classes))
    if isinstance(given, str):
        if given != "balanced":
            raise ValueError(f"{name} must be None, 'balanced', weights by label or a row of them, got {given!r}")
        return len(codes) / (len(classes) * np.bincount(codes))
    if hasattr(given, "to_dict"):
        if not given.index.is_unique:
            raise ValueError(f"{name} must name each label once, got {given.index.tolist()}")
        given = given.to_dict()
    row = _by_label(name, given, classes.tolist()) if isinstance(given, Mapping) else given
    return class_weights(row, len(classes), name)


def _by_label(name: str, given: Mapping[Hashable, float], labels: list) -> list[float]:
    """Weights in the order of labels, 1 for those that are not named.

    ValueError for one that is none of them, if some are not named: else nobody misspelled it, as scikit-learn argues.
    """
    complete = all(label in given for label in labels)
    for label in given:
        if label not in labels and not complete:
            known = ", ".join(map(repr, labels[:LISTED])) + (", ..." if len(labels) > LISTED else "")
            raise ValueError(f"{name} has a weight for {label!r}, but the training labels are {known}")
    return [given.get(label, 1.0) for label in labels]
