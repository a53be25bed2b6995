"""Rivals of robust kNN around another classifier: importance weights and label costs."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Tags, column_or_1d, get_tags
from sklearn.utils._param_validation import HasMethods
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from knnviz.checks import check_flip_rates, require
from knnviz.estimators.base import Constraints, MetaClassifier
from knnviz.noise import Rates


def _has(method: str) -> Callable[[Any], bool]:
    """Whether the fitted classifier, or before ``fit`` the one given, has a method."""
    return lambda wrapper: hasattr(getattr(wrapper, "estimator_", wrapper.estimator), method)


def known_rates(noise_rates: Rates | Sequence[float] | np.ndarray) -> tuple[float, float]:
    """Flip rates (p0, p1) as floats: each in [0, 1), together below 1, else ValueError."""
    p0, p1 = map(float, noise_rates)
    return check_flip_rates(p0, p1)


@dataclass(eq=False, repr=False)
class ReweightingClassifier(MetaClassifier):
    """Base of the classifiers that fit another with weights that correct for known flip rates."""

    _binary = True
    _parameter_constraints: ClassVar[Constraints] = {"estimator": [HasMethods("fit")]}

    estimator: BaseEstimator
    _: KW_ONLY
    noise_rates: Rates | Sequence[float] | np.ndarray = (0, 0)

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit a clone to X, in any form that the estimator takes, and the observed labels y (n,),
        with weights.

        Raises ValueError if fewer than two classes have points of weights above 0, and where the
        estimator does.
        """
        self._validate_params()
        rates = known_rates(self.noise_rates)
        labels = column_or_1d(y, warn=True)
        classes, codes = self._encode(labels)
        got = classes.tolist()
        require(len(got) != 1, f"labels of two classes are needed, got one class, {got}")

        weights = self._weigh(X, labels, codes, *rates)
        weighted = classes[np.unique(codes[weights > 0])].tolist()
        require(
            len(weighted) == 2,
            f"points of both classes must have weights above 0, but those of {weighted} do",
        )

        self.estimator_ = clone(self.estimator).fit(X, labels, sample_weight=weights)
        self.classes_ = classes
        self.sample_weight_ = weights
        return self

    def _weigh(
        self, X: ArrayLike, labels: np.ndarray, codes: np.ndarray, p0: float, p1: float
    ) -> np.ndarray:
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


@dataclass(eq=False, repr=False)
class ImportanceReweightedClassifier(ReweightingClassifier):
    """A classifier fitted to observed labels with importance weights: P(y = c) / P(y~ = c) for
    label c.

    y is the true label of a point x and y~ the observed one. With contrast = 1 - p0 - p1, a point
    with y~ = c has the weight beta = (P - p) / (contrast P), or 0 if that is negative. P is the
    estimated probability of y~ = c at x, and p the flip rate of the other class. For the exact P,
    beta is P(y = c | x) / P(y~ = c | x). So the weighted loss on observed labels has the mean of
    the loss on true ones.

    Around ``SVC()`` it is IR-KSVM, around ``LogisticRegression()`` it is IR-LLog.

    Parameters
    ----------
    estimator : classifier
        Any of scikit-learn's whose ``fit`` takes ``sample_weight``. It is cloned, never fitted. A
        pipeline takes none: put this at its end instead.
    noise_rates : (p0, p1)
        Flip rates of class 0 and class 1: each in [0, 1), together below 1.
    probability_estimator : classifier, optional
        Any of scikit-learn's with ``predict_proba``; a clone is fitted to the observed labels and
        gives P at the training points. By default it is kernel logistic regression, for which X
        must be numbers: scaled columns, a Gaussian kernel with gamma = 1 / d by Nystroem's method
        at 300 random points or n, the same in each fit, and ``LogisticRegression`` with its default
        penalty. On standardized columns that is gamma="scale" of ``SVC``.

    Attributes
    ----------
    estimator_ : classifier
        The clone, fitted with the weights.
    classes_ : (2,) array
        The labels that code 0 and code 1 stand for.
    sample_weight_ : (n,) array
        Weights of the training points.

    References
    ----------
    Liu & Tao (2016), as compared in Gao et al., section 6.2; the default estimator of P is ours.
    """

    _: KW_ONLY
    probability_estimator: BaseEstimator | None = None

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if self.probability_estimator is not None:
            # Both estimators read X.
            tags.input_tags.sparse &= get_tags(self.probability_estimator).input_tags.sparse
        return tags

    def _weigh(
        self, X: ArrayLike, labels: np.ndarray, codes: np.ndarray, p0: float, p1: float
    ) -> np.ndarray:
        estimator = self.probability_estimator
        if estimator is None:
            estimator = kernel_logistic_regression(len(labels))
        else:
            estimator = clone(estimator)
        fitted = estimator.fit(X, labels)
        probabilities = np.asarray(fitted.predict_proba(X), float)
        of_observed = probabilities[np.arange(len(codes)), codes]
        flip_rates = np.where(codes == 1, p0, p1)
        return importance_weights(of_observed, flip_rates, 1 - p0 - p1)


class LabelDependentCostsClassifier(ReweightingClassifier):
    """A classifier fitted to observed labels with costs that depend on the class.

    With theta = (1 + p0 - p1) / 2, errors on observed labels of class 1 cost 1 - theta and on class
    0 theta: the Bayes classifier of these costs on observed labels is that of true labels. The
    weights are twice that, so that they are 1 without noise. Around ``SVC()`` it is LD-KSVM.

    Parameters
    ----------
    estimator : classifier
        Any of scikit-learn's whose ``fit`` takes ``sample_weight``. It is cloned, never fitted. A
        pipeline takes none: put this at its end instead.
    noise_rates : (p0, p1)
        Flip rates of class 0 and class 1: each in [0, 1), together below 1.

    Attributes
    ----------
    estimator_ : classifier
        The clone, fitted with the weights.
    classes_ : (2,) array
        The labels that code 0 and code 1 stand for.
    sample_weight_ : (n,) array
        Weights of the training points.

    References
    ----------
    Natarajan et al. (2013), as compared in Gao et al., section 6.2.
    """

    def __init__(
        self,
        estimator: BaseEstimator,
        *,
        noise_rates: Rates | Sequence[float] | np.ndarray = (0, 0),
    ) -> None:
        super().__init__(estimator, noise_rates=noise_rates)

    def _weigh(
        self, X: ArrayLike, labels: np.ndarray, codes: np.ndarray, p0: float, p1: float
    ) -> np.ndarray:
        return np.where(codes == 1, 1 - p0 + p1, 1 + p0 - p1)


def kernel_logistic_regression(n: int) -> BaseEstimator:
    """Logistic regression on Gaussian kernels at n points, or at 300 drawn by a fixed seed."""
    # Columns are not centered, so that sparse ones stay sparse; the kernel does not depend on it.
    scaler = StandardScaler(with_mean=False)
    features = Nystroem(n_components=min(n, 300), random_state=0)
    return make_pipeline(scaler, features, LogisticRegression(max_iter=1000))


def importance_weights(
    probabilities: np.ndarray, flip_rates: np.ndarray, contrast: float
) -> np.ndarray:
    """Weights beta (n,) of observed labels with these probabilities (n,), and flip rates (n,) of
    the other class.

    ``contrast`` is c. A flip rate of 0 gives 1 / c, whatever the probability.
    """
    # 1 where the ratio exceeds 1, so that the weight is 0; 0 where both are 0.
    ratios = (flip_rates > 0).astype(float)
    np.divide(flip_rates, probabilities, out=ratios, where=probabilities > flip_rates)
    return (1 - ratios) / contrast
