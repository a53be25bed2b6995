"""Class-weighted nearest neighbors, as a scikit-learn estimator."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import KW_ONLY
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from knnviz import checks
from knnviz.checks import Weights, check_class_weights
from knnviz.estimators.base import MetricClassifier, estimator, n_rule_classes
from knnviz.profiles import VoteProfile
from knnviz.rules import Threshold, Weighted

#: Most labels that an error message lists.
MOST_LISTED = 10


@estimator
class WeightedVoteClassifier(MetricClassifier):
    """Base of class-weighted kNN: the label c with the largest score, weight times fraction, among the k nearest.

    Parameters
    ----------
    mode : "index" or "closed_ball"
        Which points vote: the k nearest, of points at one distance those of smaller index; or all that are no farther
        than the k-th nearest, with fractions of their number.
    tie_tol : float
        In [0, 1]. Scores q_c fraction_c tie with the largest one if they fall short of it by at most ``tie_tol`` times
        the largest weight.

    Attributes
    ----------
    class_weight_ : (C,) array
        q, in the order of ``classes_``.
    """

    n_neighbors: int = 25
    _: KW_ONLY
    mode: Literal["index", "closed_ball"] = "index"
    tie_tol: float = 1e-12

    def _set_weights(self, weights: np.ndarray) -> None:
        padded = np.append(weights, 0)[: n_rule_classes(weights)]
        self._rule = Weighted(padded, self.mode, self.tie_tol)
        self.class_weight_ = weights

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d): with three or more classes the smallest of those that tie for the largest score.

        With two classes it is a threshold: class 1 iff its fraction reaches q_0 / (q_0 + q_1), counted in whole votes.
        So a tie gives class 1, even if rounding makes the other number of ``predict_proba`` the larger one. Where no
        vote is for a class with a weight above 0, all scores tie at 0.
        """
        profile = self._votes(X)
        if len(self.classes_) == 2:
            ones = reaches_threshold(self._rule.q, self._rule.tie_tol, self._counts(profile))
            return self.classes_[ones.astype(int)]
        return self.classes_[self._rule.predict(profile, profile.k_max)]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Weighted fractions (m, C) of X (m, d), q_c fraction_c over their sum, in the order of ``classes_``.

        As with ``class_weight`` elsewhere in scikit-learn, they estimate the probabilities of the classes if each
        occurred q_c times as often, not those in the data (for these, leave the weights out); ``predict`` gives the
        class of the largest one, except on a tie. Where all scores are 0 they are 1 / C each.
        """
        votes, n_classes = self._counts(self._votes(X)), len(self.classes_)
        # Relative weights, so that no sum of large ones overflows.
        relative = self.class_weight_ / self.class_weight_.max()
        scores = relative * (votes / votes.sum(axis=1, keepdims=True))[:, :n_classes]
        total = scores.sum(axis=1, keepdims=True)
        return np.divide(scores, total, out=np.full(scores.shape, 1 / n_classes), where=total > 0)

    def _counts(self, profile: VoteProfile) -> np.ndarray:
        """Votes (m, C) of the k nearest, or of all in the closed ball."""
        return profile.at(profile.k_max) if self._rule.mode == "index" else profile.closed(profile.k_max)


@estimator
class ClassWeightedKNeighborsClassifier(WeightedVoteClassifier):
    """Class-weighted kNN: the label c whose weight times fraction, q_c fraction_c, is largest among the k nearest.

    Source: Khim, Xu & Singh, section 2.

    Parameters
    ----------
    class_weight : None, "balanced", dict, Series or sequence of C floats
        q, of which only the ratios count: finite, none negative, not all 0. None: equal weights, the unweighted vote.
        "balanced": n / (C * the number of points of the class). A dict, or a pandas Series by its index: weights by
        label, 1 for a training label that is missing. If one is missing, any label that no training point has is
        refused, as it may be misspelled; else it is ignored, as it may be rare and absent from a fold. A sequence of
        numbers: weights in the order of ``classes_``.

    Attributes
    ----------
    class_weight_ : (C,) array
        q, in the order of ``classes_`` and on the scale in which the weights were given.

    Examples
    --------
    >>> from knnviz.estimators import ClassWeightedKNeighborsClassifier
    >>> model = ClassWeightedKNeighborsClassifier(n_neighbors=4, class_weight={1: 5})
    >>> model = model.fit([[0], [1], [2], [3]], [0, 0, 0, 1])
    >>> model.predict([[1]]).tolist(), model.predict_proba([[1]]).round(4).tolist()
    ([1], [[0.375, 0.625]])
    """

    _: KW_ONLY
    class_weight: Literal["balanced"] | Mapping[Hashable, float] | Sequence[float] | None = None

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Keep the training points X (n, d) and their labels y (n,), and find the weights of the classes."""
        checks.check_int("n_neighbors", self.n_neighbors, 1)
        train = self._train(X, y)
        self._set_weights(read_class_weights("class_weight", self.class_weight, train.classes, train.codes))
        self._keep(train)
        return self


def reaches_threshold(q: Weights, tie_tol: float, votes: np.ndarray) -> np.ndarray:
    """Whether class 1 of two is predicted (m,): its fraction of votes (m, 2) reaches the threshold of weights q."""
    threshold = Threshold.from_weights(q, tie_tol)
    sizes, inverse = np.unique(votes.sum(axis=1), return_inverse=True)
    min_votes = np.array([threshold.min_votes(size) for size in sizes.tolist()])
    return votes[:, 1] >= min_votes[inverse]


def read_class_weights(name: str, weights: Any, classes: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Class weights (C,) from anything that ``class_weight`` may be; a ValueError calls it ``name``.

    ``classes`` (C,) are the labels, ``codes`` (n,) those of the training points.
    """
    if weights is None:
        return np.ones(len(classes))
    if isinstance(weights, str):
        if weights != "balanced":
            raise ValueError(f"{name} must be None, 'balanced', weights by label or a row of them, got {weights!r}")
        return len(codes) / (len(classes) * np.bincount(codes))
    if hasattr(weights, "to_dict"):
        if not weights.index.is_unique:
            raise ValueError(f"{name} must name each label once, got {weights.index.tolist()}")
        weights = weights.to_dict()
    if isinstance(weights, Mapping):
        weights = _in_order_of(classes.tolist(), weights, name)
    return check_class_weights(weights, len(classes), name)


def _in_order_of(labels: list, weights: Mapping[Hashable, float], name: str) -> list[float]:
    # As in scikit-learn, an unknown label is no misspelling if all labels are named.
    complete = all(label in weights for label in labels)
    for label in weights:
        if label not in labels and not complete:
            known = ", ".join(map(repr, labels[:MOST_LISTED])) + (", ..." if len(labels) > MOST_LISTED else "")
            raise ValueError(f"{name} has a weight for {label!r}, but the training labels are {known}")
    return [weights.get(label, 1.0) for label in labels]
