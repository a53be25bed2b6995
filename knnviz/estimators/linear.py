"""Linear scores that learn from bags of candidate labels, as a scikit-learn estimator."""

from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from knnviz.estimators.bag_labels import holds_bags, named, placed, refuse_bags, table_of_bags
from knnviz.linear import Linear, loss_of


class LinearPartialLabelClassifier(ClassifierMixin, BaseEstimator):
    """The largest of C linear scores, learned from bags of candidate labels by one of six losses.

    They are rivals of PL A-kNN. A plain label is a bag of one. Scores begin at 0 and bring the loss down by Adam, on
    all points at once; nothing is drawn. Put a ``StandardScaler`` before it: columns on very different scales would be
    learned from slowly.

    There is no ``predict_proba``: scores are trained so that the largest is right, and how their softmax relates to the
    probabilities of the labels depends on the loss, and on where the bags come from, which nobody knows.

    Parameters
    ----------
    loss : "proden", "clpl", "lws", "apl-mae", "apl-gce" or "apl-mse"
        "proden": cross-entropy against weights in the bag that follow the scores. "clpl": a convex loss of the mean
        score in the bag and of each score outside. "lws": weighted sigmoid losses in the bag and outside. The others:
        the mean over the bag of a bounded loss. ``knnviz.linear`` says more, and what empty and full bags mean.
    beta : float
        Weight of the labels outside the bag, from 0 to 1e6. Read for loss="lws" alone.
    q : float
        Exponent in (0, 1]. Read for loss="apl-gce" alone.
    learning_rate : float
        Step size of Adam, above 0.
    max_iter : int
        Epochs, all of which are run: each one step on all points.
    alpha : float
        Strength of the L2 penalty, from 0 to 1e6: half of it times the sum of the squared coefficients.
    classes : sequence, optional
        The labels, in the order that settles ties. By default those that occur, sorted; of a data frame the columns; of
        another table of bags 0 to C - 1. Names the columns of a table, puts those of a data frame in order, and
        brings in labels that do not occur in y.

    Attributes
    ----------
    classes_ : (C,) array
        The labels, in the order of the rows of ``coef_``.
    coef_, intercept_ : (C, d) and (C,) arrays
        Coefficients and intercepts of the scores, of each label even if there are two.
    loss_curve_ : (max_iter,) array
        The loss at the start of each epoch, with its penalty. It may rise where weights are renewed.
    n_iter_, n_features_in_ : int
        Epochs, and d.
    feature_names_in_ : (d,) array
        Columns of X, if it is a data frame whose columns all have names.

    Source: Errandonea et al., section 4, which compares with Cour et al. (2011), Lv et al. (2020, 2023) and Wen et al.
    (2021); the trainer is ours.
    """

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
        """Learn scores of the labels.

        Parameters
        ----------
        X : (n, d) array
            Training points.
        y : (n,) array, or table of n rows and two or more columns
            Labels, or bags of candidate labels: truth values (or 0 and 1) in an array, a sparse matrix or a data frame,
            with a column for each class. A bag may be empty. Sets of labels are made such a table by
            ``knnviz.corruption.read_bags``.

        Raises
        ------
        ValueError
            For parameters out of their ranges, for data that are none, for sets, for labels that are not among the
            classes where these are named, and where the steps are so long that scores go beyond all numbers.
        """
        method = Linear(loss_of(self.loss, self.beta, self.q), self.learning_rate, self.max_iter, self.alpha)
        X, bags, classes = self._read(X, y)
        scores = method.learn(X, bags)
        self.classes_, self.n_iter_ = classes, self.max_iter
        self.coef_, self.intercept_, self.loss_curve_ = scores
        return self

    def _read(self, X: ArrayLike, y: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Training points (n, d), their bags (n, C) bool, and the classes (C,)."""
        if holds_bags(y):
            bags, classes = table_of_bags(y, self.classes)
            return *validate_data(self, X, bags, dtype=np.float64, multi_output=True), classes
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
        if self.classes is not None:
            classes, codes = placed(classes, codes, named(self.classes))
        return X, codes[:, None] == np.arange(len(classes)), classes

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Scores (m, C) of X (m, d); of two labels, how far (m,) the score of the second is above that of the first."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d), those of the largest scores; of several the first in ``classes_``."""
        places = self._scores(X).argmax(axis=1)
        return self.classes_[places]

    def _scores(self, X: ArrayLike) -> np.ndarray:
        """Scores (m, C) of points X (m, d)."""
        check_is_fitted(self)
        return validate_data(self, X, dtype=np.float64, reset=False) @ self.coef_.T + self.intercept_

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Fraction of X (m, d) whose true labels y (m,) are predicted.

        Raises ValueError for bags, which do not tell the truth.
        """
        refuse_bags(y)
        return super().score(X, y, sample_weight)
