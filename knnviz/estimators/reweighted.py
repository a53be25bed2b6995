"""Any classifier that takes weights of points, made robust to known label noise, as scikit-learn estimators."""

from collections.abc import Callable
from dataclasses import KW_ONLY
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from knnviz.estimators.base import KnownRatesMixin, estimator
from knnviz.estimators.meta import MetaClassifier, is_a_classifier, read_labels


def _has(method: str) -> Callable[[Any], bool]:
    """Whether the fitted classifier, or before ``fit`` the one given, has a method."""
    return lambda wrapper: hasattr(getattr(wrapper, "estimator_", wrapper.estimator), method)


@estimator
class ReweightingClassifier(KnownRatesMixin, MetaClassifier):
    """Base of the classifiers that fit another to observed labels, with weights that correct for known flip rates.

    Parameters
    ----------
    estimator : classifier
        Any of scikit-learn's whose ``fit`` takes ``sample_weight``. It is cloned, never fitted. A pipeline takes none:
        put this at its end instead.

    Attributes
    ----------
    estimator_ : classifier
        The clone, fitted with the weights.
    classes_ : (2,) array
        The labels that code 0 and code 1 stand for.
    sample_weight_ : (n,) array
        Weights of the training points.
    """

    estimator: BaseEstimator

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit a clone to X, in any form that the estimator takes, and the observed labels y (n,), with weights.

        Raises ValueError for an estimator that is not a classifier or takes no weights, if fewer than two classes have
        points of weights above 0, and where the estimator does.
        """
        rates = self._known_rates()
        if not is_a_classifier(self.estimator) or not has_fit_parameter(self.estimator, "sample_weight"):
            name = type(self.estimator).__name__
            raise ValueError(f"estimator must be a classifier whose fit takes sample_weight, got {name}")
        labels, classes, codes = read_labels(y)
        if len(classes) == 1:
            raise ValueError(f"labels of two classes are needed, got one class, {classes.tolist()[0]!r}")
        weights = self._weigh(X, labels, codes, *rates)
        weighted = classes[np.unique(codes[weights > 0])].tolist()
        if len(weighted) < 2:
            having = f"only those of one class do, {weighted[0]!r}" if weighted else "none do"
            raise ValueError(f"points of both classes must have weights above 0, but {having}")
        self.estimator_ = clone(self.estimator).fit(X, labels, sample_weight=weights)
        self.classes_, self.sample_weight_ = classes, weights
        return self

    def _weigh(self, X: ArrayLike, labels: np.ndarray, codes: np.ndarray, p0: float, p1: float) -> np.ndarray:
        """Weights (n,) of points with observed labels (n,), whose codes are 0 and 1."""
        raise NotImplementedError

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d), those of the fitted estimator."""
        check_is_fitted(self)
        return self.estimator_.predict(X)

    @available_if(_has("decision_function"))
    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Scores (m,) of X (m, d), those of the fitted estimator."""
        check_is_fitted(self)
        return self.estimator_.decision_function(X)

    @available_if(_has("predict_proba"))
    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Probabilities (m, 2) of X (m, d), those of the fitted estimator."""
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)


@estimator
class ImportanceReweightedClassifier(ReweightingClassifier):
    """A classifier fitted to observed labels with importance weights: P(y = c) / P(y~ = c) for label c.

    y is the true label of a point x and y~ the observed one. With contrast = 1 - p0 - p1, a point with y~ = c has the
    weight beta = (P - p) / (contrast P), or 0 if that is negative. P is the estimated probability of y~ = c at x, and p
    the flip rate of the other class. For the exact P, beta is P(y = c | x) / P(y~ = c | x). So the weighted loss on
    observed labels has the mean of the loss on true ones.

    Around ``SVC()`` it is IR-KSVM, around ``LogisticRegression()`` it is IR-LLog.

    Source: Liu & Tao (2016), as compared in Gao et al., section 6.2; the default estimator of P is ours.

    Parameters
    ----------
    probability_estimator : classifier, optional
        Any of scikit-learn's with ``predict_proba``; a clone is fitted to the observed labels and gives P at the
        training points. By default it is kernel logistic regression, for which X must be numbers: scaled columns, a
        Gaussian kernel with gamma = 1 / d by Nystroem's method at 300 random points or n, the same in each fit, and
        ``LogisticRegression`` with its default penalty. On standardized columns that is gamma="scale" of ``SVC``.

    Examples
    --------
    >>> from knnviz.estimators import ImportanceReweightedClassifier
    >>> from sklearn.linear_model import LogisticRegression
    >>> model = ImportanceReweightedClassifier(LogisticRegression(), noise_rates=(0, 0.2))
    >>> model = model.fit([[-2], [-1], [1], [2]], [0, 0, 1, 1])
    >>> model.predict([[-3], [3]]).tolist(), model.sample_weight_[2:].tolist()
    ([0, 1], [1.25, 1.25])
    """

    _: KW_ONLY
    probability_estimator: BaseEstimator | None = None

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if self.probability_estimator is not None:
            # Both estimators read X.
            tags.input_tags.sparse &= get_tags(self.probability_estimator).input_tags.sparse
        return tags

    def _weigh(self, X: ArrayLike, labels: np.ndarray, codes: np.ndarray, p0: float, p1: float) -> np.ndarray:
        estimator = self.probability_estimator
        if estimator is not None and not (is_a_classifier(estimator) and hasattr(estimator, "predict_proba")):
            name = type(estimator).__name__
            raise ValueError(f"probability_estimator must be a classifier with predict_proba, got {name}")
        unfitted = kernel_logistic_regression(len(labels)) if estimator is None else clone(estimator)
        probabilities = np.asarray(unfitted.fit(X, labels).predict_proba(X), float)[np.arange(len(codes)), codes]
        return importance_weights(probabilities, np.where(codes == 1, p0, p1), 1 - p0 - p1)


@estimator
class LabelDependentCostsClassifier(ReweightingClassifier):
    """A classifier fitted to observed labels with costs that depend on the class.

    With theta = (1 + p0 - p1) / 2, errors on observed labels of class 1 cost 1 - theta and on class 0 theta: the Bayes
    classifier of these costs on observed labels is that of true labels. The weights are twice that, so that they are 1
    without noise. Around ``SVC()`` it is LD-KSVM.

    Source: Natarajan et al. (2013), as compared in Gao et al., section 6.2.

    Examples
    --------
    >>> from knnviz.estimators import LabelDependentCostsClassifier
    >>> from sklearn.svm import SVC
    >>> model = LabelDependentCostsClassifier(SVC(), noise_rates=(0, 0.4)).fit([[-2], [-1], [1], [2]], [0, 0, 1, 1])
    >>> model.predict([[-3], [3]]).tolist(), model.sample_weight_.round(2).tolist()
    ([0, 1], [0.6, 0.6, 1.4, 1.4])
    """

    def _weigh(self, X: ArrayLike, labels: np.ndarray, codes: np.ndarray, p0: float, p1: float) -> np.ndarray:
        return np.where(codes == 1, 1 - p0 + p1, 1 + p0 - p1)


def kernel_logistic_regression(n: int) -> BaseEstimator:
    """Logistic regression on Gaussian kernels at n points, or at 300 of them drawn by a fixed seed."""
    # Columns are not centered, so that sparse ones stay sparse; the kernel does not depend on it.
    features = Nystroem(n_components=min(n, 300), random_state=0)
    return make_pipeline(StandardScaler(with_mean=False), features, LogisticRegression(max_iter=1000))


def importance_weights(probabilities: np.ndarray, flip_rates: np.ndarray, contrast: float) -> np.ndarray:
    """Weights beta (n,) of observed labels with these probabilities (n,), and flip rates (n,) of the other class.

    ``contrast`` is c. A flip rate of 0 gives 1 / c, whatever the probability.
    """
    # 1 where the ratio exceeds 1, so that the weight is 0; 0 where both are 0.
    ratios = (flip_rates > 0).astype(float)
    return (1 - np.divide(flip_rates, probabilities, out=ratios, where=probabilities > flip_rates)) / contrast
