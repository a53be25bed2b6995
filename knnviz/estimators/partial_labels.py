"""What classifiers share that learn from labels or from bags of candidate labels.

The bags of n points are a table of n rows, with a column of truth values for each label.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from knnviz.bags import read_bags
from knnviz.checks import (
    as_array,
    check_class_weights,
    column_names,
    read_points,
    require,
    shown,
)
from knnviz.estimators.base import Classifier


class BagsClassifier(Classifier):
    """Base of the classifiers that are fitted on labels or on bags."""

    def _read(
        self, X: ArrayLike, y: ArrayLike, min_samples: int = 1
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Training points X (n, d), classes (C,), and codes (n,) of labels or bags (n, C) bool."""
        if not holds_bags(y):
            return super()._read(X, y, min_samples)
        bags, classes = table_of_bags(y)
        points, bags = read_points(self, X, bags, multi_output=True, ensure_min_samples=min_samples)
        return points, classes, bags

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: np.ndarray | None = None) -> float:
        """Fraction of X (m, d) whose true labels y (m,) are predicted; if y are bags, whose bag
        holds the prediction.

        Bags are a table as in ``fit``. Their score estimates the probability that the bag of x
        holds the prediction, not the accuracy: a label in every bag scores 1, and an empty bag is
        always an error. It is at least the accuracy if every bag holds the true label. If the label
        in most bags at each point is also the most probable one (label-aligned bags, (3) of
        Errandonea et al.), the Bayes classifier has the largest expected score of all classifiers,
        and the score can choose among settings. Without that condition a worse classifier may have
        a larger one.
        """
        if not holds_bags(y):
            return super().score(X, y, sample_weight)
        check_is_fitted(self, "classes_")
        bags, classes = table_of_bags(y, self.classes_)
        unknown = set(classes.tolist()) - set(self.classes_.tolist())
        require(not unknown, f"y holds labels that are not among the classes: {shown(unknown)}")
        check_consistent_length(X, bags, sample_weight)
        if sample_weight is not None:
            sample_weight = check_class_weights(sample_weight, len(bags), "sample_weight")
        predicted = self.predict(X)[:, None] == classes
        is_hit = (bags & predicted).any(axis=1)
        return float(np.average(is_hit, weights=sample_weight))


def holds_bags(y: Any) -> bool:
    """Whether y is a table of bags: sparse, or with two columns or more. ValueError for sets or
    lists of labels.
    """
    if issparse(y):
        return True
    column_names("y", y)
    dtype = None if hasattr(y, "dtype") else object
    table = np.asarray(y, dtype=dtype)
    if table.ndim == 1 and table.dtype == object:
        several = set | frozenset | list | tuple | np.ndarray
        if any(isinstance(entry, several) for entry in table):
            raise ValueError(
                "sets of labels must be made a table of truth values first, by "
                "knnviz.bags.read_bags"
            )
    return table.ndim == 2 and table.shape[1] > 1


def table_of_bags(y: Any, classes: Sequence[Any] | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Bags (n, C) bool and classes (C,): the columns of a data frame; ``classes`` name those of
    another table, by default 0 to C - 1.
    """
    if hasattr(y, "columns"):
        return read_bags(y)
    table = y if issparse(y) else as_array("y", y)
    return read_bags(table, classes)
