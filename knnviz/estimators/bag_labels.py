"""Bags as the y of an estimator: tables of truth values, with the labels that their columns stand for."""

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.utils.validation import validate_data

from knnviz import checks
from knnviz.bags import read_bags
from knnviz.estimators.base import Classifier


class BagsClassifier(Classifier):
    """Base of the classifiers that are fitted on labels or on bags of candidate labels.

    Parameters
    ----------
    classes : sequence, optional
        The labels; a tie goes to the first of them. They name the columns of a table of bags, select and order those of
        a data frame, and may include labels that do not occur in y. By default the labels that occur, sorted; for a
        data frame its columns; for another table 0 to C - 1.

    Attributes
    ----------
    classes_ : (C,) array
        The labels, sorted or as ``classes`` names them; of bags the columns, in their order.
    """

    classes: Sequence[Any] | None = None

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn from points and labels, or from points and bags.

        Raises ValueError for sets, and for labels that are not among ``classes``.

        Parameters
        ----------
        X : (n, d) array
            Training points.
        y : (n,) array, or table of n rows and two or more columns
            Labels, or bags of candidate labels: truth values (or 0 and 1) in an array, a sparse matrix or a data frame,
            with a column for each class. A bag may be empty. ``knnviz.bags.read_bags`` turns sets of
            labels into such a table.
        """
        raise NotImplementedError

    def _read(self, X: ArrayLike, y: ArrayLike, min_samples: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Training points X (n, d), classes (C,), and codes (n,) of the labels or bags (n, C) bool."""
        if holds_bags(y):
            bags, classes = table_of_bags(y, self.classes)
            points, bags = validate_data(
                self, X, bags, dtype=np.float64, multi_output=True, ensure_min_samples=min_samples
            )
            return points, classes, bags
        points, occurring, codes = super()._read(X, y, min_samples)
        if self.classes is None:
            return points, occurring, codes
        classes, labels = check_classes(self.classes), occurring.tolist()
        check_known(labels, classes)
        return points, classes, np.array([classes.tolist().index(label) for label in labels])[codes]

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Fraction of X (m, d) whose true labels y (m,) are predicted; if y are bags, whose bag holds the prediction.

        Bags are a table as in ``fit``. Their score is not the accuracy: see ``bag_score``.
        """
        if not holds_bags(y):
            return super().score(X, y, sample_weight)
        labels = self.predict(X)
        bags, classes = table_of_bags(y, self.classes_)
        return bag_score(bags, (labels[:, None] == classes).argmax(axis=1), sample_weight)


def holds_bags(y: Any) -> bool:
    """Whether y is a table of bags: sparse, or with two columns or more. ValueError for sets or lists of labels."""
    if issparse(y):
        return True
    try:
        table = y if hasattr(y, "shape") and hasattr(y, "dtype") else np.asarray(y)
    except ValueError:  # lists of different lengths
        table = None
    dimensions = 0 if table is None else len(table.shape)
    if table is None or (
        dimensions == 1 and table.dtype == object and any(isinstance(entry, set | frozenset | list) for entry in table)
    ):
        raise ValueError("sets of labels must be made a table of truth values first, by knnviz.bags.read_bags")
    return dimensions == 2 and table.shape[1] > 1


def table_of_bags(y: Any, classes: Sequence[Any] | None) -> tuple[np.ndarray, np.ndarray]:
    """Bags (n, C) bool and classes (C,); ``classes`` order the columns of a data frame and name those of another table.

    A class that a data frame lacks is in no bag. Raises ValueError for a column that is none of the classes.
    """
    if classes is None or not hasattr(y, "columns"):
        return read_bags(y if issparse(y) or hasattr(y, "columns") else np.asarray(y), classes)
    (given, columns), names = read_bags(y), check_classes(classes)
    check_known(columns.tolist(), names)
    bags = np.zeros((len(given), len(names)), bool)
    bags[:, [names.tolist().index(column) for column in columns.tolist()]] = given
    return bags, names


def check_classes(classes: Sequence[Any]) -> np.ndarray:
    """Classes (C,) in the given order, two or more and all different, else ValueError."""
    names = np.asarray(classes)
    if names.ndim != 1 or len(names) < 2 or len(set(names.tolist())) < len(names):
        raise ValueError(f"classes must be None or two or more different labels, got {classes!r}")
    return names


def check_known(labels: Iterable[Any], classes: np.ndarray) -> None:
    """Raise ValueError if there are labels that are not among the classes."""
    known = classes.tolist()
    unknown = [label for label in labels if label not in known]
    if unknown:
        raise ValueError(f"y holds labels that are not among the classes: {', '.join(map(repr, unknown[:5]))}")


def bag_score(bags: ArrayLike, labels: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
    """Fraction of points whose predicted label lies in their bag.

    ``bags`` (m, C) are truth values or 0 and 1, ``labels`` (m,) class codes 0 to C - 1, ``sample_weight`` (m,) is not
    negative, not all 0, and equal by default.

    It estimates P(h(x) in S) of a classifier h, not its accuracy: a label in every bag scores 1, and an empty bag is
    always an error. It is at least the accuracy if every bag holds the true label; a bag that lacks it counts against
    the right decision. If the label in most bags at each point is also the most probable one (label-aligned bags), then
    the Bayes classifier has the largest expected score of all classifiers. The score can then choose among settings.
    Without that condition, a worse classifier may have a larger one.

    Source: the condition is (3) of Errandonea et al.; the score is ours.

    Examples
    --------
    >>> from knnviz.estimators.bag_labels import bag_score
    >>> bag_score([[1, 1, 0], [0, 1, 1]], labels=[0, 0])
    0.5
    """
    table = checks.check_bags("bags", bags)
    if not len(table):
        raise ValueError("there are no bags to score")
    codes = checks.check_codes("labels", labels, len(table), table.shape[1])
    weights = np.ones(len(codes)) if sample_weight is None else checks.check_numbers("sample_weight", sample_weight)
    if weights.shape != codes.shape or not (weights >= 0).all() or not 0 < weights.sum() < np.inf:
        raise ValueError(f"sample_weight must be {len(codes)} numbers that are not negative, and not all 0")
    return float(np.average(table[np.arange(len(codes)), codes], weights=weights))
