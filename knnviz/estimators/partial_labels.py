"""What classifiers share that learn from labels or from bags of candidate labels.

The bags of n points are a table of n rows, with a column of truth values for each label.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from knnviz.bags import check_classes, read_bags
from knnviz.checks import as_array, check_class_weights, column_names, read_points
from knnviz.estimators.base import Classifier


class BagsClassifier(Classifier):
    """Base of the classifiers that are fitted on labels or on bags, with ``classes`` in a given
    order or by default.
    """

    classes: Sequence[Any] | None = None

    def _read(
        self, X: ArrayLike, y: ArrayLike, min_samples: int = 1
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Training points X (n, d), classes (C,), and codes (n,) of labels or bags (n, C) bool."""
        if holds_bags(y):
            bags, classes = table_of_bags(y, self.classes)
            points, bags = read_points(
                self, X, bags, multi_output=True, ensure_min_samples=min_samples
            )
            return points, classes, bags

        points, occurring, codes = super()._read(X, y, min_samples)
        if self.classes is None:
            return points, occurring, codes
        classes, positions = find_among(self.classes, occurring.tolist())
        return points, classes, np.array(positions)[codes]

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


def table_of_bags(y: Any, classes: Sequence[Any] | None) -> tuple[np.ndarray, np.ndarray]:
    """Bags (n, C) bool and classes (C,); ``classes`` order the columns of a data frame and name
    those of another table.

    A class that a data frame lacks is in no bag.
    """
    is_frame = hasattr(y, "columns")
    if classes is None or not is_frame:
        table = y if is_frame or issparse(y) else as_array("y", y)
        return read_bags(table, classes)
    given, columns = read_bags(y)
    names, positions = find_among(classes, columns.tolist())
    bags = np.zeros((len(given), len(names)), bool)
    bags[:, positions] = given
    return bags, names


def find_among(classes: Sequence[Any], labels: list[Any]) -> tuple[np.ndarray, list[int]]:
    """The classes (C,) in their order, and each label's position among them; or ValueError."""
    names = check_classes(classes)
    known = names.tolist()
    unknown = [label for label in labels if label not in known]
    if unknown:
        first = ", ".join(map(repr, unknown[:5]))
        raise ValueError(f"y holds labels that are not among the classes: {first}")
    return names, [known.index(label) for label in labels]
