"""Classifiers of two classes whose threshold is set by flip rates of labels, known or estimated.

The flip rates p0 and p1 are the probabilities that noise flips a true label of class 0 and of class
1. e is the fraction or the probability of class 1 among observed labels, and theta = (1 + p0 - p1)
/ 2 the threshold that it must reach. A true label has the probability eta = (e - p0) / (1 - p0 -
p1), which is at least 1/2 iff e >= theta.
"""

import warnings
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.model_selection import BaseCrossValidator, check_cv
from sklearn.utils import column_or_1d, indexable
from sklearn.utils._param_validation import HasMethods
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.validation import check_is_fitted

from knnviz.checks import check_k, check_labels, require
from knnviz.estimators.base import COUNT, Constraints, Indexed, MetaClassifier, MetricClassifier
from knnviz.neighbors import NeighborTable
from knnviz.noise import Rates, decimal_fraction
from knnviz.problems.base import two_classes
from knnviz.rules import Robust

#: Relative difference up to which 2e and min + max tie. Fractions s / k of votes and their sums are
#: rounded: 0.4 + 0.8 exceeds 2 * 0.6, though 3 votes of 5 are halfway between 2 and 4. The rounding
#: errors are below 4 * 2^-53 in all, and fractions that do not tie are 1 / 2k apart. So the
#: comparison is exact, as in whole votes, for k below 2^48.
MIDRANGE_TOL = 2.0**-50


@dataclass(eq=False, repr=False)
class RobustKNeighborsClassifier(MetricClassifier):
    """Robust kNN: a vote of two classes whose threshold is set by flip rates, known or estimated.

    Class 0 and class 1 are the labels in sorted order; e is the fraction of class 1 among the k
    nearest. It is compared with the threshold theta exactly, in whole votes.

    Parameters
    ----------
    n_neighbors : int
        k, the neighbors that vote, at most n. It may be changed without a new fit; estimated rates
        then stay.
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
    noise_neighbors : int, optional
        k', the nearest other points with which the label of a training point is averaged
        (smoothed), at most n - 1; by default n_neighbors - 1, at least 1. Not used if the rates are
        known.
    noise_rates : (p0, p1), optional
        Flip rates of class 0 and of class 1, if they are known: each in [0, 1), together below 1.
        By default they are the extremes of the smoothed labels, as Algorithm 1 of Gao et al. has
        them.
    variant : "threshold" or "gao"
        "threshold": class 1 iff e >= theta. "gao": the printed correction, with >= at 1/2; the two
        differ on ties alone, see ``knnviz.rules.Robust``.

    Attributes
    ----------
    noise_rates_ : (float, float)
        p0 and p1, known or estimated. Estimates sum to 1 where all smoothed labels are equal: they
        then carry no information on the noise, ``fit`` warns, and the threshold is 1/2.
    threshold_ : float
        theta, which the fraction e must reach.
    classes_ : (2,) array
        The labels that code 0 and code 1 stand for; one if the training labels were all the same.
    n_samples_fit_ : int
        n, the number of training points.
    n_features_in_ : int
        d, the number of columns of X.
    feature_names_in_ : (d,) array
        Columns of X, if it is a data frame whose columns all have names.

    References
    ----------
    Gao et al., Algorithm 1; the threshold form is that of Reeve & Kaban, Algorithm 2.

    Examples
    --------
    >>> from knnviz.estimators import RobustKNeighborsClassifier
    >>> model = RobustKNeighborsClassifier(n_neighbors=5, noise_rates=(0, 0.4))
    >>> model = model.fit([[0], [1], [2], [3], [4]], [0, 0, 0, 1, 1])
    >>> (
    ...     model.threshold_,
    ...     model.predict([[2]]).tolist(),
    ...     model.predict_proba([[2]]).round(4).tolist(),
    ... )
    (0.3, [1], [[0.3333, 0.6667]])
    """

    _binary = True
    _parameter_constraints: ClassVar[Constraints] = {
        "n_neighbors": [COUNT],
        "noise_neighbors": [COUNT, None],
        "noise_rates": ["array-like", None],
    }

    n_neighbors: int = 5
    _: KW_ONLY
    noise_neighbors: int | None = None
    noise_rates: Rates | tuple[float, float] | None = None
    variant: Literal["threshold", "gao"] = "threshold"

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Store the points X (n, d) and their observed labels y (n,), and find the threshold.

        Warns (UserWarning) where rates are estimated and the smoothed labels are all equal.
        """
        self._validate_params()
        rates = self.noise_rates
        if isinstance(rates, list | np.ndarray):
            rates = tuple(rates)
        rule = Robust(rates, self.noise_neighbors, variant=self.variant)
        points = self._index_points(X, y, min_samples=2 if rule.estimates else 1)
        if rule.estimates:
            rule = self._estimated(rule, points)
        self._store(points)
        self._rule = rule

        assert rule.noise_rates is not None
        p0, p1 = rule.noise_rates
        self.noise_rates_ = (float(p0), float(p1))
        self.threshold_ = float(rule.threshold)
        self._rates = decimal_fraction(p0), decimal_fraction(p1)
        if p0 + p1 == 1:
            self._rates = Fraction(0), Fraction(0)
            text = (
                "the smoothed labels are all equal and carry no information on the noise: this is "
                "a plain vote"
            )
            warnings.warn(text, stacklevel=2)
        return self

    def _estimated(self, rule: Robust, points: Indexed) -> Robust:
        """The rule with flip rates estimated at the training points."""
        needed = rule.neighbors_needed(self.n_neighbors)
        check_k(needed - 1, len(points.observed) - 1, "other points", "noise_neighbors")
        table = NeighborTable.build(points.search_index, None, needed)
        return rule.fit(table, points.observed, self.n_neighbors, 2)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d): class 1 iff e >= theta, except on ties with variant="gao".

        On a tie, e = theta, both numbers of ``predict_proba`` are 1/2.
        """
        votes = self._votes(X)
        return self.classes_[self._rule.predict(votes, votes.k_max)]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Probabilities (m, 2) of the true classes of X (m, d), in the order of ``classes_``.

        That of class 1 is eta, clipped to [0, 1], or e where estimated rates carry no information
        on the noise.
        """
        votes = self._votes(X)
        k = votes.k_max
        (p0, p1) = self._rates
        # Exact, for each possible count of votes: doubles could put a tie on either side of 1/2.
        fractions = [Fraction(count, k) for count in range(k + 1)]
        etas = [(e - p0) / (1 - p0 - p1) for e in fractions]
        ones = votes.at(k)[:, 1]
        eta = np.array(etas, float).clip(0, 1)[ones]
        return two_classes(eta)[:, : len(self.classes_)]


@dataclass(eq=False, repr=False)
class NoiseRobustPlugIn(MetaClassifier):
    """A classifier of two classes whose threshold is set by flip rates, estimated from its own
    probabilities.

    Class 0 and class 1 are the labels in sorted order; e is the probability of class 1 that a clone
    of ``estimator`` gives after a fit on the observed labels. The flip rates are p0 = min e and p1
    = 1 - max e, so the threshold theta is the midrange of e. There are two conditions: e is close
    to the probability of an *observed* label of class 1, and there are points where the probability
    of a *true* one is close to 0 and to 1.

    A classifier that shrinks its probabilities, such as a forest with large leaves relative to the
    sample, breaks the first condition: the flip rates are then too large, and scikit-learn's
    ``CalibratedClassifierCV`` helps. The second cannot be tested: labels whose true probabilities
    do not reach 0 and 1 look like noisy ones.

    Parameters
    ----------
    estimator : classifier
        Any classifier with ``predict_proba``, a pipeline or a search among them. It is cloned,
        never fitted.
    cv : int, splitter or iterable, optional
        By default the extremes of e are those at the training points, as in Algorithm 1. That suits
        a classifier that smooths: many neighbors, a logistic regression, a forest of large leaves.
        One that overfits, such as a forest of small leaves, has probabilities near 0 and 1 there,
        and so rates near 0. With ``cv``, as in scikit-learn (an int: stratified folds), the
        extremes are those at held-out points. That helps a forest on many columns; on one or two,
        or with one neighbor, held-out points get 0 and 1 too, and only smoothing helps.

    Attributes
    ----------
    estimator_ : classifier
        The clone, fitted to all training points.
    noise_rates_ : (float, float)
        The estimates of p0 and p1. They sum to 1 where all values of e are equal: they then carry
        no information on the noise, ``fit`` warns, and the threshold is 1/2.
    threshold_ : float
        theta, which e must reach.
    classes_ : (2,) array
        The labels that code 0 and code 1 stand for; one if the training labels were all the same.
    n_features_in_ : int
        Number of columns of X, if the estimator has it.
    feature_names_in_ : array
        Columns of X, if it is a data frame and the estimator stores their names.

    References
    ----------
    Reeve & Kaban, Algorithm 1; with nearest neighbors as the estimator it is their Algorithm 2.

    Examples
    --------
    >>> from knnviz import LabelNoise, estimators, problems
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> noise, sample = LabelNoise(p0=0, p1=0.4), problems.linear(1.0).sample(1000, seed=0)
    >>> model = estimators.NoiseRobustPlugIn(KNeighborsClassifier(100)).fit(
    ...     sample.X, noise.flip(sample.y, sample.v)
    ... )
    >>> [round(rate, 2) for rate in model.noise_rates_], round(model.threshold_, 2)
    ([0.03, 0.37], 0.33)
    """

    _binary = True
    _parameter_constraints: ClassVar[Constraints] = {
        "estimator": [HasMethods("fit")],
        "cv": ["cv_object"],
    }

    estimator: BaseEstimator
    _: KW_ONLY
    cv: int | BaseCrossValidator | Iterable | None = None

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit a clone to X, in any form that the estimator takes, and labels y (n,); then find the
        threshold.

        Warns (UserWarning) where the probabilities are all equal.
        """
        self._validate_params()
        name = type(self.estimator).__name__
        no_classifier = f"estimator must be a classifier with predict_proba, got {name}"
        require(is_classifier(self.estimator), no_classifier)
        check_labels(y)
        labels = column_or_1d(y, warn=True)
        self._encode(labels)
        if len(labels) < 2:
            raise ValueError(
                f"flip rates are estimated from 2 points at least, got {len(labels)} sample"
            )

        fitted = clone(self.estimator).fit(X, labels)
        # Asked after the fit: a stack of scikit-learn's has predict_proba only then.
        require(hasattr(fitted, "predict_proba"), no_classifier)
        self._encode(fitted.classes_)

        if self.cv is None:
            e = _probability_of_1(fitted, X)
        else:
            e = _held_out(self.estimator, X, labels, self.cv)
        low = float(e.min())
        high = float(e.max())
        uninformative = high - low <= MIDRANGE_TOL * high

        self.estimator_ = fitted
        self.classes_ = fitted.classes_
        self.noise_rates_ = (low, 1 - high)
        # With extremes 0 and 1 the threshold is 1/2, as in the classifier itself.
        self._range = (0.0, 1.0) if uninformative else (low, high)
        self.threshold_ = sum(self._range) / 2

        if uninformative:
            text = (
                "the probabilities are all equal and carry no information on the noise: this is "
                "the plain classifier"
            )
            warnings.warn(text, stacklevel=2)
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d): class 1 iff e >= theta, up to rounding.

        On a tie, e = theta, both numbers of ``predict_proba`` are 1/2.
        """
        codes = (self._eta(X) >= 0.5).astype(int)
        return self.classes_[codes]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Probabilities (m, 2) of the true classes of X (m, d), in the order of ``classes_``.

        That of class 1 is eta, clipped to [0, 1], or e where the rates carry no information on the
        noise.
        """
        eta = self._eta(X)
        return two_classes(eta)[:, : len(self.classes_)]

    def _eta(self, X: ArrayLike) -> np.ndarray:
        """eta (m,) at X, 1/2 exactly where e ties with the threshold."""
        check_is_fitted(self)
        e = _probability_of_1(self.estimator_, X)
        (low, high) = self._range
        doubled_threshold = low + high
        tied = abs(2 * e - doubled_threshold) <= MIDRANGE_TOL * doubled_threshold
        # Over a range below the smallest normal double the quotient overflows, and is clipped.
        with np.errstate(over="ignore"):
            eta = np.clip((e - low) / (high - low), 0, 1)
        # Without a tie, rounding cannot move the quotient across 1/2.
        return np.where(tied, 0.5, eta)


def _probability_of_1(fitted: BaseEstimator, X: ArrayLike) -> np.ndarray:
    """e (m,) at X; 0 if there is no class 1."""
    probabilities = np.asarray(fitted.predict_proba(X), dtype=np.float64)
    return probabilities[:, 1:].sum(axis=1)


def _held_out(unfitted: BaseEstimator, X: ArrayLike, labels: np.ndarray, cv: Any) -> np.ndarray:
    """e (m,) at the held-out points of each fold, after a fit to the others."""
    X, labels = indexable(X, labels)
    classes = np.unique(labels)
    folds = check_cv(cv, labels, classifier=True)
    parts = []
    for fitted_rows, rows in folds.split(X, labels):
        fitted = clone(unfitted).fit(*_safe_split(unfitted, X, labels, fitted_rows))
        text = "every part of the data that cv fits to must hold both classes"
        require(len(fitted.classes_) == len(classes), text)
        points, _ = _safe_split(unfitted, X, labels, rows, fitted_rows)
        parts.append(_probability_of_1(fitted, points))
    require(parts, "cv must have one split or more, got none")
    return np.concatenate(parts)
