"""The base of linear classifiers of two classes."""

import numpy as np
from numpy.typing import ArrayLike

from knnviz.estimators.base import Classifier, TwoClassMixin


class HyperplaneClassifier(TwoClassMixin, Classifier):
    """Base of the classifiers of two classes by a linear score: class 1 where it is at least 0.

    Attributes
    ----------
    coef_, intercept_ : (1, d) and (1,) arrays
        Coefficients and intercept of the score.
    """

    def _keep(self, classes: np.ndarray, weights: np.ndarray) -> None:
        """Keep the score of weights (d + 1,), the intercept last."""
        self.classes_, self.coef_, self.intercept_ = classes, weights[None, :-1], weights[-1:]

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Scores (m,) of X (m, d)."""
        return self._queries(X) @ self.coef_[0] + self.intercept_[0]

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d): class 1 iff the score is at least 0, and the only class if there is one."""
        codes = (self.decision_function(X) >= 0) * (len(self.classes_) - 1)
        return self.classes_[codes]
