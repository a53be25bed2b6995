"""Any classifier with probabilities, made robust to label noise, as a scikit-learn estimator."""

import math
import warnings
from collections.abc import Iterable
from dataclasses import KW_ONLY
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import BaseCrossValidator, StratifiedKFold, cross_validate
from sklearn.utils.validation import check_is_fitted

from knnviz import checks
from knnviz.estimators.base import FlipRatesMixin, check_two_classes, estimator
from knnviz.estimators.calibration import CVResults, SlopeTest, slope_sums
from knnviz.estimators.meta import MetaClassifier, is_a_classifier, read_labels

#: Relative difference up to which 2e and min + max tie. Fractions s / k of votes and their sums are rounded: 0.4 + 0.8
#: exceeds 2 * 0.6, though 3 votes of 5 are halfway between 2 and 4. The rounding errors are below 4 * 2^-53 in all,
#: and fractions that do not tie are 1 / 2k apart. So the comparison is exact, as in whole votes, for k below 2^48.
TIE_TOL = 2.0**-50

#: Of the test for shrinkage: without ``cv``, its folds and the fewest points of each class; and its significance level.
FOLDS, MIN_CLASS_SIZE, LEVEL = 5, 20, 0.01


@estimator
class NoiseRobustPlugIn(FlipRatesMixin, MetaClassifier):
    """A classifier of two classes whose threshold is set by flip rates, estimated from its own probabilities.

    Class 0 and class 1 are the labels in sorted order; e is the probability of class 1 that a clone of ``estimator``
    gives after a fit on the observed labels. The flip rates are p0 = min e and p1 = 1 - max e, so the threshold theta
    is the midrange of e. There are two conditions: e is close to the probability of an *observed* label of class 1, and
    there are points where the probability of a *true* one is close to 0 and to 1.

    The first condition is tested (``check``). Let y~ be the observed label of a held-out point, and let P(y~ = 1) have
    the logit a + b logit(e), with e clipped to [1 / 2n, 1 - 1 / 2n]. ``fit`` warns if the score test of a = 0, b = 1
    against b > 1 rejects at level 0.01: then e is shrunken, its extremes are too close to each other, and the flip
    rates are too large. Label noise alone leaves a = 0, b = 1. The second condition cannot be tested: labels whose true
    probabilities do not reach 0 and 1 look like noisy ones.

    Source: Reeve & Kaban, Algorithm 1; with nearest neighbors as the estimator it is their Algorithm 2. The test is
    ours (``SlopeTest`` in ``knnviz.estimators.calibration``).

    Parameters
    ----------
    estimator : classifier
        Any of scikit-learn's with ``predict_proba``, a pipeline or a search among them. It is cloned, never fitted.
    cv : int, splitter or iterable, optional
        By default the extremes of e are those at the training points, as in Algorithm 1. That suits a classifier that
        smooths: many neighbors, a logistic regression, a forest of large leaves. One that overfits, such as a forest of
        small leaves, has probabilities near 0 and 1 there, and so rates near 0. With ``cv``, as in scikit-learn (an
        int: stratified folds), the extremes are those at held-out points. That helps a forest on many columns; on one
        or two, or with one neighbor, held-out points get 0 and 1 too, and only smoothing helps.
    calibration : "sigmoid" or "isotonic", optional
        How scikit-learn's ``CalibratedClassifierCV`` calibrates e, with five folds; by default it does not. Each fit,
        also to a part of the points with ``cv``, needs five labels of each class. That helps a classifier that shrinks
        its probabilities, such as a forest with large leaves relative to the sample.
    check : bool
        Whether to test e, at the held-out points of ``cv``, else of five shuffled stratified folds, which takes five
        more fits. Without ``cv``, no test is made if a class has fewer than 20 labels or the estimator cannot be fitted
        to four fifths of the points. None is made with ``calibration``, nor where e is constant or reaches both 0 and
        1.

    Attributes
    ----------
    estimator_ : classifier
        The clone, fitted to all training points; the calibrated one if calibration was asked for.
    shrinkage_p_value_ : float
        p-value of the test, NaN if none was made.

    Examples
    --------
    >>> from knnviz import LabelNoise, estimators, problems
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> noise, sample = LabelNoise(p0=0, p1=0.4), problems.linear(1.0).sample(1000, seed=0)
    >>> model = estimators.NoiseRobustPlugIn(KNeighborsClassifier(100)).fit(sample.X, noise.flip(sample.y, sample.v))
    >>> [round(rate, 2) for rate in model.noise_rates_], round(model.threshold_, 2)
    ([0.03, 0.37], 0.33)
    """

    estimator: BaseEstimator
    _: KW_ONLY
    cv: int | BaseCrossValidator | Iterable | None = None
    calibration: Literal["sigmoid", "isotonic"] | None = None
    check: bool = True

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit a clone to X, in any form that the estimator takes, and labels y (n,); then find the threshold.

        Warns (UserWarning) where the probabilities are all equal, and where the test rejects. Raises ValueError for an
        estimator that is no classifier with ``predict_proba``, and where the estimator does; also for more than two
        classes, a single point, and a part of the points that ``cv`` fits to without one of the classes.
        """
        unfitted = self._unfitted()
        labels, _, _ = read_labels(y)
        if len(labels) < 2:
            raise ValueError(f"flip rates are estimated from 2 points at least, got {len(labels)} sample")
        fitted = clone(unfitted).fit(X, labels)
        # Checked after the fit: a stack of scikit-learn's has predict_proba only then.
        if not hasattr(fitted, "predict_proba"):
            raise ValueError(self._error_text())
        check_two_classes(fitted.classes_)
        if self.cv is None:
            folds = None
            low, high = _extremes(_probability_of_1(fitted, X))
        else:
            folds = _cross_validated(unfitted, X, labels, self.cv)
            low, high = float(folds["test_low"].min()), float(folds["test_high"].max())
        uninformative = high - low <= TIE_TOL * high
        tested = self.check and self.calibration is None and not uninformative and (low, high) != (0, 1)
        p_value = _shrinkage_p_value(unfitted, X, labels, folds) if tested else math.nan
        self.estimator_, self.classes_ = fitted, fitted.classes_
        self.noise_rates_, self.shrinkage_p_value_ = (low, 1 - high), p_value
        # With extremes 0 and 1 the threshold is 1/2, as in the classifier itself.
        self._range = (0.0, 1.0) if uninformative else (low, high)
        self.threshold_ = sum(self._range) / 2
        if uninformative:
            warnings.warn(
                "the probabilities are all equal and tell nothing of the noise: this is the plain classifier",
                stacklevel=2,
            )
        if p_value < LEVEL:
            name = type(self.estimator).__name__
            warnings.warn(
                f"the flip rates are too large: the labels of held-out points show that {name} shrinks its "
                f"probabilities (p = {p_value:.1g}); calibration='sigmoid' may help",
                stacklevel=2,
            )
        return self

    def _unfitted(self) -> BaseEstimator:
        """The estimator, or one that calibrates it; ValueError for parameters out of range."""
        if not is_a_classifier(self.estimator):
            raise ValueError(self._error_text())
        checks.check_choice("calibration", self.calibration, (None, "sigmoid", "isotonic"))
        if not isinstance(self.check, bool | np.bool_):
            raise ValueError(f"check must be True or False, got {self.check!r}")
        if self.calibration is None:
            return self.estimator
        return CalibratedClassifierCV(self.estimator, method=self.calibration)

    def _error_text(self) -> str:
        return f"estimator must be a classifier with predict_proba, got {type(self.estimator).__name__}"

    def _corrected(self, X: ArrayLike) -> np.ndarray:
        check_is_fitted(self)
        e, (low, high) = _probability_of_1(self.estimator_, X), self._range
        tied = abs(2 * e - (low + high)) <= TIE_TOL * (low + high)
        # Over a range below the smallest normal double the quotient overflows, and is clipped.
        with np.errstate(over="ignore"):
            eta = np.clip((e - low) / (high - low), 0, 1)
        # Without a tie, rounding cannot move the quotient across 1/2.
        return np.where(tied, 0.5, eta)


def _extremes(e: np.ndarray) -> tuple[float, float]:
    return float(e.min()), float(e.max())


def _cross_validated(unfitted: BaseEstimator, X: ArrayLike, labels: np.ndarray, cv: Any) -> CVResults:
    """Extremes of e, and the sums of the test, over the held-out points of each fold."""
    classes = np.unique(labels)

    def score(fitted: BaseEstimator, X: ArrayLike, y: np.ndarray) -> dict[str, float]:
        if len(fitted.classes_) < len(classes):
            raise ValueError("every part of the data that cv fits to must hold both classes")
        e = _probability_of_1(fitted, X)
        low, high = _extremes(e)
        return {"low": low, "high": high} | slope_sums(e, y == classes[-1], len(labels))

    return cross_validate(unfitted, X, labels, cv=cv, scoring=score, error_score="raise")


def _shrinkage_p_value(unfitted: BaseEstimator, X: ArrayLike, labels: np.ndarray, folds: CVResults | None) -> float:
    """p-value of the test on the folds of ``cv``; without them on five others, or NaN if these are too small."""
    if folds is None:
        if np.unique(labels, return_counts=True)[1].min() < MIN_CLASS_SIZE:
            return math.nan
        try:
            folds = _cross_validated(unfitted, X, labels, StratifiedKFold(FOLDS, shuffle=True, random_state=0))
        # A fit on all points may work where one on four folds fails, for instance with more neighbors than points.
        except ValueError:
            return math.nan
    return SlopeTest.of(folds).p_value


def _probability_of_1(fitted: BaseEstimator, X: ArrayLike) -> np.ndarray:
    """e (m,) at X; 0 if there is no class 1."""
    return np.asarray(fitted.predict_proba(X), dtype=np.float64)[:, 1:].sum(axis=1)
