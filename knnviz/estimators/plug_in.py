"""Any classifier with probabilities, made to withstand flipped labels, as a scikit-learn estimator."""

import warnings
from collections.abc import Iterable
from dataclasses import KW_ONLY
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone, is_classifier
from sklearn.model_selection import BaseCrossValidator, cross_validate
from sklearn.utils import Tags, column_or_1d, get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from knnviz.estimators.base import FlipRatesMixin, check_two, estimator

#: 2e and min + max tie within this, relative to their size. Fractions s / k of votes are rounded, and so is a sum of
#: two: 0.4 + 0.8 exceeds 2 * 0.6, though 3 votes of 5 are halfway between 2 and 4. All that rounding is below 4 *
#: 2^-53, and votes that do not tie are 1 / 2k apart: for k below 2^48 the comparison is that of whole numbers, 2s >=
#: min + max.
TIE = 2.0**-50


@estimator
class NoiseRobustPlugIn(FlipRatesMixin, ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier of two classes with its threshold moved by flip rates that its own probabilities estimate.

    Class 0 and class 1 are the labels in sorted order; e is the probability of class 1 that a clone of ``estimator``
    gives after a fit on the observed labels. The flip rates are p0 = min e and p1 = 1 - max e, so that theta is the
    midrange of e. That needs an e close to the probability of an *observed* label of class 1, and points where the
    probability of a *true* one is close to 0 and to 1.

    Parameters
    ----------
    estimator : classifier
        Any of scikit-learn's with ``predict_proba``, a pipeline or a search among them. It is cloned, never fitted.
    cv : int, splitter or iterable, optional
        By default the extremes are those at the training points, as in Algorithm 1. That suits a classifier that
        smooths: many neighbors, a logistic regression, a forest of large leaves. One that overfits, such as a forest of
        small leaves, has probabilities near 0 and 1 there, and so rates near 0. With ``cv``, as in scikit-learn (an
        int: stratified folds), the extremes are those at points outside the fit. That helps a forest on many columns;
        on one or two, or with one neighbor, new points get 0 and 1 too, and only smoothing helps.

    Attributes
    ----------
    estimator_ : classifier
        The clone, fitted to all training points.
    n_features_in_ : int
        Number of columns of X, if the estimator has it.
    feature_names_in_ : array
        Columns of X, if it is a data frame and the estimator keeps their names.

    Source: Reeve & Kaban, Algorithm 1; with nearest neighbors as the estimator it is their Algorithm 2.
    """

    estimator: BaseEstimator
    _: KW_ONLY
    cv: int | BaseCrossValidator | Iterable | None = None

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit a clone to X, in any form that the estimator takes, and labels y (n,); then find the threshold.

        Warns (UserWarning) where the probabilities are all equal. Raises ValueError for an estimator that is no
        classifier with ``predict_proba``, for more than two classes, a single point, and a part of ``cv`` that lacks a
        class, and as the estimator does.
        """
        if not hasattr(self.estimator, "__sklearn_tags__") or not is_classifier(self.estimator):
            raise ValueError(self._error_text())
        labels = column_or_1d(y, warn=True)
        check_classification_targets(labels)
        check_two(np.unique(labels))
        if len(labels) < 2:
            raise ValueError(f"flip rates are estimated from 2 points at least, got {len(labels)} sample")
        fitted = clone(self.estimator).fit(X, labels)
        # Not before the fit: a stack has its methods only then.
        if not hasattr(fitted, "predict_proba"):
            raise ValueError(self._error_text())
        check_two(fitted.classes_)
        low, high = self._extremes(fitted, X, labels)
        uninformative = high - low <= TIE * high
        self.estimator_, self.classes_ = fitted, fitted.classes_
        self.noise_rates_ = low, 1 - high
        # Extremes at 0 and 1 leave the plain classifier.
        self._range = (0.0, 1.0) if uninformative else (low, high)
        self.threshold_ = sum(self._range) / 2
        if uninformative:
            warnings.warn(
                "the probabilities are all equal and tell nothing of the noise: this is the plain classifier",
                stacklevel=2,
            )
        return self

    def _error_text(self) -> str:
        return f"estimator must be a classifier with predict_proba, got {type(self.estimator).__name__}"

    def _extremes(self, fitted: BaseEstimator, X: ArrayLike, y: np.ndarray) -> tuple[float, float]:
        """Smallest and largest e over the training points, in or out of the fit."""

        def extremes(part: BaseEstimator, X: ArrayLike, y: np.ndarray | None = None) -> dict[str, float]:
            if len(part.classes_) < len(fitted.classes_):
                raise ValueError("every part of the data that cv fits to must hold both classes")
            fractions = _of_class_1(part, X)
            return {"low": float(fractions.min()), "high": float(fractions.max())}

        if self.cv is None:
            found = extremes(fitted, X)
            return found["low"], found["high"]
        parts = cross_validate(self.estimator, X, y, cv=self.cv, scoring=extremes, error_score="raise")
        return float(parts["test_low"].min()), float(parts["test_high"].max())

    @property
    def n_features_in_(self) -> int:
        return self.estimator_.n_features_in_

    @property
    def feature_names_in_(self) -> np.ndarray:
        return self.estimator_.feature_names_in_

    def _corrected(self, X: ArrayLike) -> np.ndarray:
        check_is_fitted(self)
        fractions, (low, high) = _of_class_1(self.estimator_, X), self._range
        tied = abs(2 * fractions - (low + high)) <= TIE * (low + high)
        # A range below the smallest normal double overflows, and is clipped.
        with np.errstate(over="ignore"):
            eta = np.clip((fractions - low) / (high - low), 0, 1)
        # What does not tie is farther from 1/2 than the quotient is rounded.
        return np.where(tied, 0.5, eta)


def _of_class_1(fitted: BaseEstimator, X: ArrayLike) -> np.ndarray:
    """e (m,) at X; 0 where there is no class 1."""
    return np.asarray(fitted.predict_proba(X), dtype=np.float64)[:, 1:].sum(axis=1)
