"""Linear scores trained on bags by Adam, whose steps use all points at once."""

from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import NamedTuple

import numpy as np
from threadpoolctl import ThreadpoolController

from knnviz import checks
from knnviz.learnability.losses import APL, CLPL, LWS, MOST_WEIGHT, PRODEN, BagLoss

#: Constants of Adam: decay rates of the mean gradient and of the mean square, and the term against
#: division by zero.
BETA_1 = 0.9
BETA_2 = 0.999
EPSILON = 1e-8

#: Held during a fit: the number of threads is set for the whole process, and must be restored.
FIT_LOCK = Lock()

#: Finding the thread pools of linear algebra takes longer than a small fit.
pools = cache(ThreadpoolController)


class LinearModel(NamedTuple):
    """Linear scores: coefficients (C, d), intercepts (C,), and the penalized losses (max_iter,)
    before each epoch.
    """

    coef: np.ndarray
    intercept: np.ndarray
    losses: np.ndarray

    def scores(self, X: np.ndarray) -> np.ndarray:
        """Scores (m, C) of points X (m, d)."""
        X = checks.check_points("X", X, self.coef.shape[1])
        return X @ self.coef.T + self.intercept


@dataclass(frozen=True)
class Linear:
    """A linear classifier trained on bags by one loss; it predicts the label with the largest
    score.

    ``learning_rate`` is the step size of Adam, above 0; each of ``max_iter`` epochs is one step on
    all points, after which the loss renews its weights. The L2 penalty is ``alpha`` / 2 times the
    sum of the squared coefficients, without intercepts. Source: Errandonea et al., section 4, which
    leaves the tuning of such rivals to their own papers.
    """

    loss: BagLoss
    learning_rate: float = 0.05
    max_iter: int = 300
    alpha: float = 1e-4

    def __post_init__(self) -> None:
        checks.check_int("max_iter", self.max_iter, 1)
        rate = float(checks.check_real("learning_rate", self.learning_rate, 0, np.inf))
        alpha = float(checks.check_real("alpha", self.alpha, 0, MOST_WEIGHT))
        is_finite = 0 < rate < np.inf
        checks.require(is_finite, f"learning_rate must be finite and above 0, got {rate:g}")
        object.__setattr__(self, "learning_rate", rate)
        object.__setattr__(self, "alpha", alpha)

    def learn(self, X: np.ndarray, bags: np.ndarray) -> LinearModel:
        """Minimize the penalized loss on points X (n, d) with bags (n, C) bool by Adam, from scores
        of 0.

        Raises ValueError where scores overflow.
        """
        X = checks.check_points("X", X)
        bags = checks.check_bags("bags", bags, len(X))
        with_ones = np.vstack([X.T, np.ones(len(X))])
        in_columns = np.asfortranarray(bags)
        # One thread adds up sums in the same order each time, and does not wait for busy
        # processors.
        with (
            FIT_LOCK,
            pools().limit(limits=1, user_api="blas"),
            np.errstate(over="ignore", invalid="ignore"),
        ):
            model = self._descend(with_ones, in_columns)
        if not all(np.isfinite(each).all() for each in model):
            short = f"a learning_rate below {self.learning_rate:g}"
            raise ValueError(f"scores overflowed: use {short}, or columns on one scale")
        return model

    def _descend(self, X: np.ndarray, bags: np.ndarray) -> LinearModel:
        # X is (d + 1, n), its last row 1. Arrays (n, C) are in column order, which makes sums over
        # classes fast.
        coefficients = np.zeros((len(X), bags.shape[1]))
        mean = np.zeros_like(coefficients)
        square = np.zeros_like(coefficients)
        losses = np.empty(self.max_iter)
        penalty = np.append(np.full(len(X) - 1, self.alpha), 0)[:, None]
        weights = self.loss._start(bags)
        for epoch in range(self.max_iter):
            scores = (coefficients.T @ X).T
            if epoch:
                weights = self.loss._renew(scores, bags)
            loss, gradient = self.loss._value(scores, bags, weights)
            losses[epoch] = loss + (penalty * coefficients * coefficients).sum() / 2
            gradient = X @ gradient + penalty * coefficients

            mean += (1 - BETA_1) * (gradient - mean)
            square += (1 - BETA_2) * (gradient * gradient - square)
            unbiased_mean = mean / (1 - BETA_1 ** (epoch + 1))
            unbiased_square = square / (1 - BETA_2 ** (epoch + 1))
            scale = np.sqrt(unbiased_square) + EPSILON
            coefficients -= self.learning_rate * unbiased_mean / scale
        return LinearModel(coefficients[:-1].T.copy(), coefficients[-1].copy(), losses)

    def labels(self, X: np.ndarray, bags: np.ndarray, queries: np.ndarray) -> np.ndarray:
        """Class codes (m,) of queries (m, d), learned from X (n, d), which is standardized first,
        and bags (n, C).

        A tie gives the smallest class.
        """
        from sklearn.preprocessing import StandardScaler

        X = checks.check_points("X", X)
        queries = checks.check_points("queries", queries, X.shape[1])
        scale = StandardScaler().fit(X)
        model = self.learn(scale.transform(X), bags)
        scores = model.scores(scale.transform(queries))
        return scores.argmax(axis=1)


#: The linear methods that Errandonea et al. compare with, by name, all with the same step size and
#: penalty.
LINEAR_METHODS: dict[str, Linear] = {
    "CLPL": Linear(CLPL()),
    "PRODEN": Linear(PRODEN()),
    "LWS, beta 1": Linear(LWS(1.0)),
    "LWS, beta 2": Linear(LWS(2.0)),
    "APL, MAE": Linear(APL("mae")),
    "APL, GCE": Linear(APL("gce")),
}
