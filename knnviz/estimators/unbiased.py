"""Logistic regression with an unbiased loss under known label noise, as a scikit-learn estimator."""

import warnings
from dataclasses import KW_ONLY
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from knnviz import checks
from knnviz.estimators.base import HyperplaneClassifier, KnownRatesMixin, estimator

#: The solver also stops at a relative decrease of the loss below this.
LEAST_DECREASE = 64 * np.finfo(float).eps


@estimator
class UnbiasedLogisticRegression(KnownRatesMixin, HyperplaneClassifier):
    """Logistic regression on noisy labels by an unbiased estimate of the loss on true labels: UE-LLog.

    Let l(t, y) be the logistic loss of a score t, so that l(t, 0) = softplus(t) = log(1 + exp(t)) and l(t, 1) =
    softplus(t) - t. With c = 1 - p0 - p1, an observed label y~ has the loss
    ((1 - p_{1-y~}) l(t, y~) - p_{y~} l(t, 1 - y~)) / c. Averaged over the label noise it is l at the true label.

    Of label 1 it is ((1 - p0) (softplus(t) - t) - p1 softplus(t)) / c = softplus(t) - t (1 - p0) / c; of label 0 it is
    ((1 - p1) softplus(t) - p0 (softplus(t) - t)) / c = softplus(t) + t p0 / c. Both are softplus(t) - s t with the
    target s = (y~ - p0) / c, whose mean over the flip is the true label. So this is logistic regression on such
    targets: convex in t, but unbounded below where s lies outside [0, 1]. An L2 penalty on the coefficients bounds it.

    The intercept is not penalized. As a function of the intercept, the loss has a minimum iff the mean of s, the
    estimated fraction of true labels of class 1, lies strictly between 0 and 1. Elsewhere the loss falls towards an
    infinite intercept: then ``fit`` warns, the coefficients are 0, the intercept is inf or -inf, and one class is
    predicted everywhere. With one class in the training labels the intercept is -inf, without a warning.

    Put a ``StandardScaler`` before it: on columns of very different scales the solver converges slowly.

    Source: Natarajan et al. (2013), as compared in Gao et al., section 6.2.

    Parameters
    ----------
    C : float
        Inverse strength of the penalty, above 0: the objective is half the sum of the squared coefficients plus C times
        the sum of the losses, as in scikit-learn's ``LogisticRegression``.
    max_iter : int
        Largest number of steps of the solver, L-BFGS-B.
    tol : float
        The solver stops where every component of the gradient of objective / (C n) is at most this, above 0.

    Attributes
    ----------
    n_iter_ : int
        Number of steps of the solver.

    Examples
    --------
    >>> from knnviz.estimators import UnbiasedLogisticRegression
    >>> model = UnbiasedLogisticRegression(noise_rates=(0, 0.25)).fit([[0]] * 10, [0] * 7 + [1] * 3)
    >>> model.predict_proba([[0]]).round(4).tolist()
    [[0.6, 0.4]]
    """

    _: KW_ONLY
    C: float = 1.0
    max_iter: int = 1000
    tol: float = 1e-6

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the score to X (n, d) and the observed labels y (n,).

        Warns (UserWarning) where the loss has no minimum in the intercept, and (ConvergenceWarning) where the solver
        stops early. Raises ValueError for more than two classes.
        """
        (p0, p1), C = self._known_rates(), checks.check_positive("C", self.C)
        options = {"maxiter": checks.check_int("max_iter", self.max_iter, 1), "ftol": LEAST_DECREASE}
        options["gtol"] = checks.check_positive("tol", self.tol)
        X, classes, codes = self._read(X, y)
        targets = (codes - p0) / (1 - p0 - p1)
        if 0 < targets.mean() < 1:
            weights, steps = _minimized(X, targets, 1 / (C * len(X)), options)
        else:
            only = int(targets.mean() >= 1)
            weights, steps = np.append(np.zeros(X.shape[1]), np.inf if only else -np.inf), 0
            if len(classes) == 2:
                name = repr(classes.tolist()[only])
                text = f"flips alone explain all labels other than {name}, which is predicted everywhere"
                warnings.warn(text, stacklevel=2)
        self._set_hyperplane(classes, weights)
        self.n_iter_ = steps
        return self

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Probabilities (m, 2) of the true classes of X (m, d), in the order of ``classes_``."""
        scores = self.decision_function(X)
        return expit(np.stack([-scores, scores], axis=1))[:, : len(self.classes_)]


def unbiased_loss(weights: np.ndarray, X: np.ndarray, targets: np.ndarray, penalty: float) -> tuple[float, np.ndarray]:
    """Mean of softplus(t) - s t, plus half the penalty times the squared coefficients, and its gradient (d + 1,).

    ``weights`` (d + 1,) are the coefficients and the intercept of the scores t of X (n, d), ``targets`` (n,) are s.
    """
    coefficients, n = weights[:-1], len(X)
    scores = X @ coefficients + weights[-1]
    residuals = (expit(scores) - targets) / n
    loss = (np.logaddexp(0, scores) - targets * scores).mean() + penalty / 2 * (coefficients @ coefficients)
    return float(loss), np.append(residuals @ X + penalty * coefficients, residuals.sum())


def _minimized(X: np.ndarray, targets: np.ndarray, penalty: float, options: dict[str, float]) -> tuple[np.ndarray, int]:
    """Weights (d + 1,) of the smallest loss, and the steps to them; warns on behalf of ``fit``."""
    start = np.zeros(X.shape[1] + 1)
    found = minimize(unbiased_loss, start, (X, targets, penalty), jac=True, method="L-BFGS-B", options=options)
    if not found.success:
        text = f"the solver has not converged after {found.nit} steps: scale the columns of X or raise max_iter"
        warnings.warn(text, ConvergenceWarning, stacklevel=3)
    return found.x, found.nit
