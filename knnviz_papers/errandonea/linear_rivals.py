"""Linear rivals of PL A-kNN: scores trained on bags by Adam, whose steps use all points at once."""

from dataclasses import KW_ONLY, dataclass
from numbers import Real
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils._param_validation import Interval
from threadpoolctl import threadpool_limits

from knnviz.bags import as_bags
from knnviz.estimators.base import COUNT, Constraints
from knnviz.estimators.partial_labels import BagsClassifier
from knnviz_papers.errandonea.losses import APL, CLPL, LWS, PRODEN, BagLoss

#: Constants of Adam: decay rates of the mean gradient and of the mean square, and the term against
#: division by zero.
BETA_1 = 0.9
BETA_2 = 0.999
EPSILON = 1e-8

#: The losses of the linear methods that Errandonea et al. compare with, by name.
LINEAR_LOSSES: dict[str, BagLoss] = {
    "CLPL": CLPL(),
    "PRODEN": PRODEN(),
    "LWS, beta 1": LWS(1.0),
    "LWS, beta 2": LWS(2.0),
    "APL, MAE": APL("mae"),
    "APL, GCE": APL("gce"),
}


@dataclass(eq=False, repr=False)
class LinearPartialLabelClassifier(BagsClassifier):
    """The label with the largest of C linear scores, learned from bags of candidate labels by one
    loss.

    Adam minimizes the loss from scores of 0, on all points at once, without randomness. Columns
    should be on one scale: on very different ones it converges slowly.

    There is no ``predict_proba``: how the softmax of the scores relates to the probabilities of the
    labels depends on the loss and on the unknown distribution of the bags.

    Parameters
    ----------
    loss : BagLoss
        A loss of ``knnviz_papers.errandonea.losses``, which says what empty and full bags cost.
    learning_rate : float
        Step size of Adam, above 0.
    epochs : int
        Number of steps, each on all points, after which the loss renews its weights.
    alpha : float
        Strength of the L2 penalty: half of it times the sum of the squared coefficients, without
        intercepts.

    Attributes
    ----------
    classes_ : (C,) array
        The labels, sorted; of bags the columns, in their order.
    coef_ : (C, d) array
        Coefficients of the scores, a row for each label even if there are two.
    intercept_ : (C,) array
        Intercepts of the scores.
    n_features_in_ : int
        d, the number of columns of X.
    feature_names_in_ : (d,) array
        Columns of X, if it is a data frame whose columns all have names.

    References
    ----------
    Errandonea et al., section 4, which compares with Cour et al. (2011), Lv et al. (2020, 2023) and
    Wen et al. (2021), and leaves their tuning to their own papers; the trainer is ours.
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "loss": [BagLoss],
        "learning_rate": [Interval(Real, 0, np.inf, closed="neither")],
        "epochs": [COUNT],
        "alpha": [Interval(Real, 0, np.inf, closed="left")],
    }

    loss: BagLoss
    _: KW_ONLY
    learning_rate: float = 0.05
    epochs: int = 300
    alpha: float = 1e-4

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn the scores from points X (n, d) and labels y (n,), or a table of bags with a column
        for each label.

        Raises ValueError where scores overflow.
        """
        self._validate_params()
        points, classes, observed = self._read(X, y)
        bags = as_bags(observed, len(points), len(classes))
        with_ones = np.vstack([points.T, np.ones(len(points))])
        # One thread adds up sums in the same order each time.
        with threadpool_limits(1, "blas"), np.errstate(over="ignore", invalid="ignore"):
            coefficients = self._descend(with_ones, np.asfortranarray(bags))
        if not np.isfinite(coefficients).all():
            short = f"a learning_rate below {self.learning_rate:g}"
            raise ValueError(f"scores overflowed: use {short}, or columns on one scale")
        self.classes_ = classes
        self.coef_ = coefficients[:-1].T.copy()
        self.intercept_ = coefficients[-1].copy()
        return self

    def _descend(self, X: np.ndarray, bags: np.ndarray) -> np.ndarray:
        # X is (d + 1, n), its last row 1. Arrays (n, C) are in column order, which makes sums over
        # classes fast.
        coefficients = np.zeros((len(X), bags.shape[1]))
        mean = np.zeros_like(coefficients)
        square = np.zeros_like(coefficients)
        penalty = np.append(np.full(len(X) - 1, self.alpha), 0)[:, None]
        weights = self.loss.start(bags)
        for epoch in range(self.epochs):
            scores = (coefficients.T @ X).T
            if epoch:
                weights = self.loss.renew(scores, bags)
            of_scores = self.loss.gradient(scores, bags, weights)
            gradient = X @ of_scores + penalty * coefficients

            mean += (1 - BETA_1) * (gradient - mean)
            square += (1 - BETA_2) * (gradient * gradient - square)
            unbiased_mean = mean / (1 - BETA_1 ** (epoch + 1))
            unbiased_square = square / (1 - BETA_2 ** (epoch + 1))
            scale = np.sqrt(unbiased_square) + EPSILON
            coefficients -= self.learning_rate * unbiased_mean / scale
        return coefficients

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d) with the largest scores; of several the first in ``classes_``."""
        scores = self._queries(X) @ self.coef_.T + self.intercept_
        return self.classes_[scores.argmax(axis=1)]


def linear_rival(loss: BagLoss, learning_rate: float = 0.05, alpha: float = 1e-4) -> Pipeline:
    """A linear classifier, not yet fitted, on columns of mean 0 and variance 1."""
    classifier = LinearPartialLabelClassifier(loss, learning_rate=learning_rate, alpha=alpha)
    return make_pipeline(StandardScaler(), classifier)
