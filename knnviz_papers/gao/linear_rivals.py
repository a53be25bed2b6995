"""Linear rivals of robust kNN, as scikit-learn estimators: AROW, NHERD and UE-LLog.

As in ``knnviz.estimators``, n is the number of training points and d that of their columns, m the
number of queries.
"""

import warnings
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from math import sqrt
from numbers import Real
from typing import ClassVar, Self

import numpy as np
from numpy.random import RandomState
from numpy.typing import ArrayLike
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval

from knnviz.checks import require
from knnviz.estimators.base import COUNT, Classifier, Constraints
from knnviz.kernels.jit import kernel
from knnviz.noise import Rates
from knnviz_papers.gao.reweighting import known_rates

#: Largest coordinate relative to sqrt(r): beyond it fewer than six digits of the covariance, which
#: starts at the identity, would be correct.
LARGEST_COORDINATE = 1e5

#: The solver of UE-LLog also stops at a relative decrease of the loss below this.
LEAST_DECREASE = 64 * np.finfo(float).eps


class HyperplaneClassifier(Classifier):
    """Base of the linear classifiers of two classes: class 1 where the score is at least 0.

    Attributes
    ----------
    coef_, intercept_ : (1, d) and (1,) arrays
        Coefficients and intercept of the score.
    """

    _binary = True

    def _set_hyperplane(self, classes: np.ndarray, weights: np.ndarray) -> None:
        """Set the coefficients and the intercept, which is the last of the weights (d + 1,)."""
        self.classes_ = classes
        self.coef_ = weights[None, :-1]
        self.intercept_ = weights[-1:]

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Scores (m,) of X (m, d)."""
        return self._queries(X) @ self.coef_[0] + self.intercept_[0]

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d): class 1 iff the score is at least 0, or the only class."""
        is_positive = self.decision_function(X) >= 0
        codes = is_positive * (len(self.classes_) - 1)
        return self.classes_[codes]


@dataclass(eq=False, repr=False)
class ConfidenceClassifier(HyperplaneClassifier):
    """Base of the online classifiers whose weights have a Gaussian distribution, with mean mu and
    covariance S.

    In formulas the label y is -1 for class 0. Each point gets a constant column, whose weight is
    the intercept. The weights start at mu = 0 and S = I.
    """

    _is_nherd: ClassVar[bool]
    _parameter_constraints: ClassVar[Constraints] = {"max_iter": [COUNT]}

    _: KW_ONLY
    max_iter: int = 5
    random_state: int | RandomState | None = 0

    def _regularization(self) -> float:
        """r of AROW, which stands for 1 / C of NHERD."""
        raise NotImplementedError

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn mu and S from X (n, d) and y (n,), whatever was fitted before.

        Raises ValueError for coordinates beyond 1e5 sqrt(r), where r of NHERD is 1 / C: rounding
        would dominate S.
        """
        self._validate_params()
        r = self._regularization()
        X, classes, codes = self._read(X, y)
        largest = abs(X).max()
        limit = LARGEST_COORDINATE * sqrt(r)
        is_scaled = largest <= limit
        require(
            is_scaled, f"X must not exceed {limit:g} in size, got {largest:g}: scale its columns"
        )

        points = np.column_stack([X, np.ones(len(X))])
        signs = 2.0 * codes - 1
        mean = np.zeros(points.shape[1])
        covariance = np.eye(points.shape[1])
        random = check_random_state(self.random_state)
        for _ in range(self.max_iter):
            order = random.permutation(len(X))
            confidence_pass(points, signs, order, r, self._is_nherd, mean, covariance)

        self._set_hyperplane(classes, mean)
        self.covariance_ = covariance
        self.n_iter_ = self.max_iter
        return self


@dataclass(eq=False, repr=False)
class AROWClassifier(ConfidenceClassifier):
    """AROW, adaptive regularization of weights: an online linear classifier with a full covariance.

    A point x with label y makes an update if its margin y mu'x is below 1. With v = x'Sx, mu moves
    by (1 - y mu'x) / (v + r) times y S x, and S shrinks by S x x' S / (v + r).

    Parameters
    ----------
    max_iter : int
        Number of passes over the points; all are made.
    random_state : int, RandomState or None
        Draws the order of the points, anew in each pass.
    r : float
        From 1e-10 to 1e10: the larger, the smaller the steps.

    Attributes
    ----------
    coef_, intercept_ : (1, d) and (1,) arrays
        Coefficients and intercept of the score.
    covariance_ : (d + 1, d + 1) array
        S, with the intercept last.
    n_iter_ : int
        Number of passes.

    References
    ----------
    Crammer, Kulesza & Dredze (2009), as compared in Gao et al., section 6.2.
    """

    _is_nherd = False
    _parameter_constraints: ClassVar[Constraints] = ConfidenceClassifier._parameter_constraints | {
        "r": [Interval(Real, 1e-10, 1e10, closed="both")]
    }

    _: KW_ONLY
    r: float = 1.0

    def _regularization(self) -> float:
        return self.r


@dataclass(eq=False, repr=False)
class NHERDClassifier(ConfidenceClassifier):
    """NHERD, the normal herd: an online linear classifier with a full covariance.

    Updates and mu are those of ``AROWClassifier`` with r = 1 / C. S shrinks faster: (2 C + C^2 v) x
    x' is added to its inverse, so that S loses S x x' S (v + 2r) / (v + r)^2.

    Parameters
    ----------
    max_iter : int
        Number of passes over the points; all are made.
    random_state : int, RandomState or None
        Draws the order of the points, anew in each pass.
    C : float
        From 1e-10 to 1e10: the larger, the larger the steps.

    Attributes
    ----------
    coef_, intercept_ : (1, d) and (1,) arrays
        Coefficients and intercept of the score.
    covariance_ : (d + 1, d + 1) array
        S, with the intercept last.
    n_iter_ : int
        Number of passes.

    References
    ----------
    Crammer & Lee (2010), as compared in Gao et al., section 6.2.
    """

    _is_nherd = True
    _parameter_constraints: ClassVar[Constraints] = ConfidenceClassifier._parameter_constraints | {
        "C": [Interval(Real, 1e-10, 1e10, closed="both")]
    }

    _: KW_ONLY
    C: float = 1.0

    def _regularization(self) -> float:
        return 1 / self.C


@kernel
def confidence_pass(X, signs, order, r, nherd, mean, covariance):
    """Update the weights' mean (d,) and covariance (d, d) in place, at each point of ``order`` with
    a margin below 1.

    X (n, d) are the points, signs (n,) float their labels -1 or 1. The margin is sign * mean' x.
    With the covariance S, the variance v = x' S x and the regularization r, the mean moves by sign
    S x (1 - margin) / (v + r). S decreases by S x x' S times 1 / (v + r) in AROW, times (v + 2 r) /
    (v + r)^2 in NHERD (``nherd``).
    """
    d = mean.shape[0]
    direction = np.empty(d)
    for i in order:
        margin = 0.0
        for a in range(d):
            margin += signs[i] * X[i, a] * mean[a]
        if margin >= 1:
            continue
        direction[:] = 0
        for a in range(d):
            # One-hot columns are mostly zeros.
            if X[i, a] != 0:
                for b in range(d):
                    direction[b] += X[i, a] * covariance[a, b]
        variance = 0.0
        for a in range(d):
            variance += X[i, a] * direction[a]
        spread = variance + r
        step = signs[i] * (1 - margin) / spread
        shrinkage = (variance + 2 * r) / spread**2 if nherd else 1 / spread
        for a in range(d):
            mean[a] += step * direction[a]
            scaled = shrinkage * direction[a]
            for b in range(d):
                covariance[a, b] -= scaled * direction[b]


@dataclass(eq=False, repr=False)
class UnbiasedLogisticRegression(HyperplaneClassifier):
    """Logistic regression on noisy labels by an unbiased estimate of the loss on true labels:
    UE-LLog.

    Let l(t, y) be the logistic loss of a score t, so that l(t, 0) = softplus(t) = log(1 + exp(t))
    and l(t, 1) = softplus(t) - t. With c = 1 - p0 - p1, an observed label y has the loss ((1 -
    p_{1-y}) l(t, y) - p_y l(t, 1 - y)) / c. Averaged over the label noise it is l at the true
    label.

    Of label 1 it is ((1 - p0) (softplus(t) - t) - p1 softplus(t)) / c = softplus(t) - t (1 - p0) /
    c; of label 0 it is ((1 - p1) softplus(t) - p0 (softplus(t) - t)) / c = softplus(t) + t p0 / c.
    Both are softplus(t) - s t with the target s = (y - p0) / c, whose mean over the flip is the
    true label. So this is logistic regression on such targets: convex in t, but unbounded below
    where s lies outside [0, 1]. An L2 penalty on the coefficients bounds it.

    The intercept is not penalized. As a function of the intercept, the loss has a minimum iff the
    mean of s, the estimated fraction of true labels of class 1, lies strictly between 0 and 1.
    Elsewhere the loss falls towards an infinite intercept: then ``fit`` warns, the coefficients are
    0, the intercept is inf or -inf, and one class is predicted everywhere. With one class in the
    training labels the intercept is -inf, without a warning.

    Put a ``StandardScaler`` before it: on columns of very different scales the solver converges
    slowly.

    Parameters
    ----------
    noise_rates : (p0, p1)
        Flip rates of class 0 and class 1: each in [0, 1), together below 1.
    C : float
        Inverse strength of the penalty, above 0: the objective is half the sum of the squared
        coefficients plus C times the sum of the losses, as in scikit-learn's
        ``LogisticRegression``.
    max_iter : int
        Largest number of steps of the solver, L-BFGS-B.
    tol : float
        The solver stops where every component of the gradient of objective / (C n) is at most this,
        above 0.

    Attributes
    ----------
    coef_, intercept_ : (1, d) and (1,) arrays
        Coefficients and intercept of the score.
    n_iter_ : int
        Number of steps of the solver.

    References
    ----------
    Natarajan et al. (2013), as compared in Gao et al., section 6.2.
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "C": [Interval(Real, 0, np.inf, closed="neither")],
        "max_iter": [COUNT],
        "tol": [Interval(Real, 0, np.inf, closed="neither")],
    }

    _: KW_ONLY
    noise_rates: Rates | Sequence[float] | np.ndarray = (0, 0)
    C: float = 1.0
    max_iter: int = 1000
    tol: float = 1e-6

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the score to X (n, d) and the observed labels y (n,).

        Warns (UserWarning) where the loss has no minimum in the intercept, and (ConvergenceWarning)
        where the solver stops early.
        """
        self._validate_params()
        p0, p1 = known_rates(self.noise_rates)
        X, classes, codes = self._read(X, y)
        targets = (codes - p0) / (1 - p0 - p1)
        if 0 < targets.mean() < 1:
            options = {"maxiter": self.max_iter, "ftol": LEAST_DECREASE, "gtol": self.tol}
            penalty = 1 / (self.C * len(X))
            weights, steps = _minimized(X, targets, penalty, options)
        else:
            only = int(targets.mean() >= 1)
            intercept = np.inf if only else -np.inf
            weights = np.append(np.zeros(X.shape[1]), intercept)
            steps = 0
            if len(classes) == 2:
                name = repr(classes.tolist()[only])
                text = f"flips alone explain all labels other than {name}"
                warnings.warn(f"{text}, which is predicted everywhere", stacklevel=2)

        self._set_hyperplane(classes, weights)
        self.n_iter_ = steps
        return self

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Probabilities (m, 2) of the true classes of X (m, d), in the order of ``classes_``."""
        scores = self.decision_function(X)
        probabilities = expit(np.stack([-scores, scores], axis=1))
        return probabilities[:, : len(self.classes_)]


def unbiased_loss(
    weights: np.ndarray, X: np.ndarray, targets: np.ndarray, penalty: float
) -> tuple[float, np.ndarray]:
    """Mean of softplus(t) - s t, plus half the penalty times the squared coefficients, and its
    gradient (d + 1,).

    ``weights`` (d + 1,) are the coefficients and the intercept of the scores t of X (n, d),
    ``targets`` (n,) are s.
    """
    coefficients = weights[:-1]
    n = len(X)
    scores = X @ coefficients + weights[-1]
    losses = np.logaddexp(0, scores) - targets * scores
    loss = losses.mean() + penalty / 2 * (coefficients @ coefficients)

    residuals = (expit(scores) - targets) / n
    slopes = residuals @ X + penalty * coefficients
    return float(loss), np.append(slopes, residuals.sum())


def _minimized(
    X: np.ndarray, targets: np.ndarray, penalty: float, options: dict[str, float]
) -> tuple[np.ndarray, int]:
    """Weights (d + 1,) of the smallest loss, and the steps to them; warns on behalf of ``fit``."""
    start = np.zeros(X.shape[1] + 1)
    found = minimize(
        unbiased_loss, start, (X, targets, penalty), jac=True, method="L-BFGS-B", options=options
    )
    if not found.success:
        advice = "scale the columns of X or raise max_iter"
        text = f"the solver has not converged after {found.nit} steps: {advice}"
        warnings.warn(text, ConvergenceWarning, stacklevel=3)
    return found.x, found.nit
