"""The base of estimators around a classifier of scikit-learn's."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, is_classifier
from sklearn.utils import Tags, get_tags


class MetaClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """Base of those that fit a clone of ``estimator`` and keep it as ``estimator_``.

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


def is_a_classifier(given: Any) -> bool:
    """Whether it is a classifier of scikit-learn's; unlike there, anything may be asked about."""
    return hasattr(given, "__sklearn_tags__") and is_classifier(given)
