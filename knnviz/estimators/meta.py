"""Base of the meta-estimators, which fit another classifier."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, is_classifier
from sklearn.utils import Tags, column_or_1d, get_tags
from sklearn.utils.multiclass import check_classification_targets

from knnviz.estimators.base import check_two_classes


class MetaClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """Base of the classifiers that fit a clone of ``estimator`` and keep it as ``estimator_``.

    Attributes
    ----------
    n_features_in_ : int
        Number of columns of X, if the estimator has it.
    feature_names_in_ : array
        Columns of X, if it is a data frame and the estimator keeps their names.
    """

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


def is_a_classifier(value: Any) -> bool:
    """Whether any object is a classifier of scikit-learn's; ``is_classifier`` fails for what is no estimator."""
    return hasattr(value, "__sklearn_tags__") and is_classifier(value)


def read_labels(y: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels (n,), their classes, one or two, and the code (n,) of each; ValueError for more than two classes."""
    labels = column_or_1d(y, warn=True)
    check_classification_targets(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    check_two_classes(classes)
    return labels, classes, codes
