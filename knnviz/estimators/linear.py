"""Linear classifiers trained on bags of candidate labels, as a scikit-learn estimator."""

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from knnviz.bags import as_bags
from knnviz.estimators.bag_labels import BagsClassifier
from knnviz.estimators.base import estimator
from knnviz.learnability import Linear, loss_of


@estimator
class LinearPartialLabelClassifier(BagsClassifier):
    """The label with the largest of C linear scores, learned from bags of candidate labels by one of six losses.

    Adam minimizes the loss from scores of 0, on all points at once, without randomness. Put a ``StandardScaler`` before
    it: on columns of very different scales it converges slowly. ``fit`` also raises ValueError where scores overflow.

    There is no ``predict_proba``: how the softmax of the scores relates to the probabilities of the labels depends on
    the loss and on the unknown distribution of the bags.

    Source: Errandonea et al., section 4, which compares with Cour et al. (2011), Lv et al. (2020, 2023) and Wen et al.
    (2021); the trainer is ours.

    Parameters
    ----------
    loss : "proden", "clpl", "lws", "apl-mae", "apl-gce" or "apl-mse"
        "proden": cross-entropy with weights in the bag that follow the scores. "clpl": a convex loss of the mean score
        in the bag and of each score outside. "lws": weighted sigmoid losses in the bag and outside. The others: the
        mean over the bag of a bounded loss. See ``knnviz.learnability``, also for empty and full bags.
    beta : float
        Weight of the labels outside the bag, from 0 to 1e6. Used only with loss="lws".
    q : float
        Exponent in (0, 1]. Used only with loss="apl-gce".
    learning_rate : float
        Step size of Adam, above 0.
    max_iter : int
        Number of epochs, each one step on all points; all are run.
    alpha : float
        Strength of the L2 penalty, from 0 to 1e6: half of it times the sum of the squared coefficients.

    Attributes
    ----------
    coef_, intercept_ : (C, d) and (C,) arrays
        Coefficients and intercepts of the scores, one for each label even if there are two.
    loss_curve_ : (max_iter,) array
        The loss at the start of each epoch, with its penalty. It may rise where the loss updates its weights.
    n_iter_ : int
        Number of epochs.

    Examples
    --------
    >>> from knnviz.estimators import LinearPartialLabelClassifier
    >>> X, bags = [[-2], [-1], [1], [2]], [[1, 0], [1, 1], [1, 1], [0, 1]]
    >>> model = LinearPartialLabelClassifier(classes=["left", "right"]).fit(X, bags)
    >>> [str(label) for label in model.predict([[-1.5], [1.5]])]
    ['left', 'right']
    """

    loss: Literal["proden", "clpl", "lws", "apl-mae", "apl-gce", "apl-mse"] = "proden"
    _: KW_ONLY
    beta: float = 1.0
    q: float = 0.7
    learning_rate: float = 0.05
    max_iter: int = 300
    alpha: float = 1e-4
    classes: Sequence[Any] | None = None

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        trainer = Linear(loss_of(self.loss, self.beta, self.q), self.learning_rate, self.max_iter, self.alpha)
        X, classes, observed = self._read(X, y)
        self.coef_, self.intercept_, self.loss_curve_ = trainer.learn(X, as_bags(observed, len(X), len(classes)))
        self.classes_, self.n_iter_ = classes, self.max_iter
        return self

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Scores (m, C) of X (m, d); of two labels, how far (m,) the score of the second is above that of the first."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d), those of the largest scores; of several the first in ``classes_``."""
        codes = self._scores(X).argmax(axis=1)
        return self.classes_[codes]

    def _scores(self, X: ArrayLike) -> np.ndarray:
        return self._queries(X) @ self.coef_.T + self.intercept_
