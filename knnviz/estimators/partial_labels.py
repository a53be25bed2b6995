"""Classifiers that learn from labels or bags of candidate labels: what they share, and linear ones.

The bags of n points are a table of n rows, with a column of truth values for each label.
"""

from collections.abc import Sequence
from numbers import Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from knnviz.bags import as_bags, check_classes, read_bags
from knnviz.checks import as_array, check_class_weights, column_names, read_points
from knnviz.estimators.base import COUNT, Classifier, Constraints
from knnviz.learnability import LOSSES, Linear


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


class LinearPartialLabelClassifier(BagsClassifier):
    """The label with the largest of C linear scores, learned from bags of candidate labels by one
    of six losses.

    Adam minimizes the loss from scores of 0, on all points at once, without randomness. Put a
    ``StandardScaler`` before it: on columns of very different scales it converges slowly.

    There is no ``predict_proba``: how the softmax of the scores relates to the probabilities of the
    labels depends on the loss and on the unknown distribution of the bags.

    Parameters
    ----------
    loss : "proden", "clpl", "lws", "apl-mae", "apl-gce" or "apl-mse"
        "proden": cross-entropy with weights in the bag that follow the scores. "clpl": a convex
        loss of the mean score in the bag and of each score outside. "lws": weighted sigmoid losses
        in the bag and outside. The others: the mean over the bag of a bounded loss. See
        ``knnviz.learnability.losses``, also for empty and full bags.
    beta : float
        Weight of the labels outside the bag, from 0 to 1e6. Used only with loss="lws".
    q : float
        Exponent in (0, 1]. Used only with loss="apl-gce".
    learning_rate : float
        Step size of Adam, above 0.
    max_iter : int
        Number of epochs, each one step on all points; all are run.
    alpha : float
        Strength of the L2 penalty, from 0 to 1e6: half of it times the sum of the squared
        coefficients.
    classes : sequence, optional
        The labels; a tie goes to the first of them. They name the columns of a table of bags,
        select and order those of a data frame, and may include labels that do not occur in y. By
        default the labels that occur, sorted; for a data frame its columns; for another table 0 to
        C - 1.

    Attributes
    ----------
    classes_ : (C,) array
        The labels, sorted or as ``classes`` names them; of bags the columns, in their order.
    coef_ : (C, d) array
        Coefficients of the scores, a row for each label even if there are two.
    intercept_ : (C,) array
        Intercepts of the scores.
    loss_curve_ : (max_iter,) array
        The loss at the start of each epoch, with its penalty. It may rise where the loss updates
        its weights.
    n_iter_ : int
        Number of epochs.
    n_features_in_ : int
        d, the number of columns of X.
    feature_names_in_ : (d,) array
        Columns of X, if it is a data frame whose columns all have names.

    References
    ----------
    Errandonea et al., section 4, which compares with Cour et al. (2011), Lv et al. (2020, 2023) and
    Wen et al. (2021); the trainer is ours.

    Examples
    --------
    >>> from knnviz.estimators import LinearPartialLabelClassifier
    >>> X, bags = [[-2], [-1], [1], [2]], [[1, 0], [1, 1], [1, 1], [0, 1]]
    >>> model = LinearPartialLabelClassifier(classes=["left", "right"]).fit(X, bags)
    >>> [str(label) for label in model.predict([[-1.5], [1.5]])]
    ['left', 'right']
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "loss": [StrOptions(set(LOSSES))],
        "beta": [Interval(Real, 0, 1e6, closed="both")],
        "q": [Interval(Real, 0, 1, closed="right")],
        "learning_rate": [Interval(Real, 0, np.inf, closed="neither")],
        "max_iter": [COUNT],
        "alpha": [Interval(Real, 0, 1e6, closed="both")],
        "classes": ["array-like", None],
    }

    def __init__(
        self,
        loss: Literal["proden", "clpl", "lws", "apl-mae", "apl-gce", "apl-mse"] = "proden",
        *,
        beta: float = 1.0,
        q: float = 0.7,
        learning_rate: float = 0.05,
        max_iter: int = 300,
        alpha: float = 1e-4,
        classes: Sequence[Any] | None = None,
    ) -> None:
        self.loss = loss
        self.beta = beta
        self.q = q
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.alpha = alpha
        self.classes = classes

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn the scores from points X (n, d) and labels y (n,), or a table of bags with a column
        for each label.

        Tables hold truth values, or 0 and 1, in an array, a sparse matrix or a data frame. A bag
        may be empty. ``knnviz.bags.read_bags`` turns sets of labels into such a table. Raises
        ValueError where scores overflow.
        """
        self._validate_params()
        points, classes, observed = self._read(X, y)
        bags = as_bags(observed, len(points), len(classes))
        loss = LOSSES[self.loss](self.beta, self.q)
        trainer = Linear(loss, self.learning_rate, self.max_iter, self.alpha)
        self.coef_, self.intercept_, self.loss_curve_ = trainer.learn(points, bags)
        self.classes_ = classes
        self.n_iter_ = self.max_iter
        return self

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Scores (m, C) of X (m, d); of two labels, how far (m,) the score of the second is above
        that of the first.
        """
        scores = self._scores(X)
        if len(self.classes_) == 2:
            return scores[:, 1] - scores[:, 0]
        return scores

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d) with the largest scores; of several the first in ``classes_``."""
        codes = self._scores(X).argmax(axis=1)
        return self.classes_[codes]

    def _scores(self, X: ArrayLike) -> np.ndarray:
        return self._queries(X) @ self.coef_.T + self.intercept_
