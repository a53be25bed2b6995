"""How linear scores are brought to lose less: Adam on all points at once."""

from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import NamedTuple

import numpy as np
from threadpoolctl import ThreadpoolController

from knnviz import checks
from knnviz.linear.losses import APL, CLPL, LWS, PRODEN, BagLoss

#: How much Adam keeps of the mean gradient and of the mean square, and what keeps it from dividing by zero.
KEPT, KEPT_SQUARE, TINY = 0.9, 0.999, 1e-8

#: Held during a fit: the number of threads is set for the whole process, and must come back as it was.
ALONE = Lock()


#: Finding the thread pools of linear algebra takes longer than a small fit.
pools = cache(ThreadpoolController)


class Scores(NamedTuple):
    """Linear scores: coefficients (C, d), intercepts (C,), and the loss at the start of each epoch (E,).

    Examples
    --------
    >>> import numpy as np
    >>> from knnviz.linear import Scores
    >>> scores = Scores(coef=np.array([[-1.0], [1.0]]), intercept=np.array([0.5, 0.0]), losses=np.array([]))
    >>> scores.at(np.array([[0.0], [2.0]])).tolist()
    [[0.5, 0.0], [-1.5, 2.0]]
    """

    coef: np.ndarray
    intercept: np.ndarray
    losses: np.ndarray

    def at(self, X: np.ndarray) -> np.ndarray:
        """Scores (m, C) of points X (m, d)."""
        return X @ self.coef.T + self.intercept


@dataclass(frozen=True)
class Linear:
    """Scores of a point that are linear in it, learned from bags by one loss; the largest decides.

    ``learning_rate`` is the step size of Adam, above 0; each of ``max_iter`` epochs is one step on all points, after
    which the loss renews its weights. The L2 penalty is ``alpha`` / 2, alpha from 0 to 1e6, times the sum of the
    squared coefficients, without intercepts. Raises ValueError for values out of these ranges. Source: Errandonea et
    al., section 4, which leaves the tuning of such rivals to their own papers.

    Examples
    --------
    >>> import numpy as np
    >>> from knnviz.linear import CLPL, Linear
    >>> X, bags = np.array([[-1.0], [0.0], [1.0]]), np.array([[True, False], [True, True], [False, True]])
    >>> Linear(CLPL()).learn(X, bags).at(np.array([[-0.5], [0.5]])).argmax(axis=1).tolist()
    [0, 1]
    """

    loss: BagLoss
    learning_rate: float = 0.05
    max_iter: int = 300
    alpha: float = 1e-4

    def __post_init__(self) -> None:
        if not isinstance(self.loss, BagLoss):
            raise ValueError(f"loss must be one of those in knnviz.linear, got {self.loss!r}")
        checks.check_positive("learning_rate", self.learning_rate)
        checks.check_int("max_iter", self.max_iter, 1)
        checks.check_real("alpha", self.alpha, 0, 1e6)

    def learn(self, X: np.ndarray, bags: np.ndarray) -> Scores:
        """Scores that begin at 0 and bring the penalized loss down on points X (n, d) with bags (n, C), by Adam.

        Raises ValueError for bags that are no truth values with a row for each point, and where the steps lead beyond
        all numbers.
        """
        if bags.dtype != bool or bags.ndim != 2 or len(bags) != len(X):
            text = f"{bags.dtype} of shape {bags.shape}"
            raise ValueError(f"bags must be truth values with a row for each of {len(X)} points, got {text}")
        # With one thread sums are added up in one order, and nothing waits for a busy processor.
        with ALONE, pools().limit(limits=1, user_api="blas"), np.errstate(over="ignore", invalid="ignore"):
            scores = self._descend(np.vstack([X.T, np.ones(len(X))]), np.asfortranarray(bags))
        if not all(np.isfinite(each).all() for each in scores):
            short = f"a learning_rate below {self.learning_rate:g}"
            raise ValueError(f"scores went beyond all numbers: take {short}, or columns on one scale")
        return scores

    def _descend(self, X: np.ndarray, bags: np.ndarray) -> Scores:
        # X is (d + 1, n), its last row 1. Tables (n, C) lie in memory by columns, so that sums over classes are fast.
        table = np.zeros((len(X), bags.shape[1]))
        mean, square, losses = np.zeros_like(table), np.zeros_like(table), np.empty(self.max_iter)
        penalty, weights = np.append(np.full(len(X) - 1, self.alpha), 0)[:, None], self.loss.start(bags)
        for epoch in range(self.max_iter):
            scores = (table.T @ X).T
            weights = self.loss.renew(scores, bags) if epoch else weights
            lost, gradient = self.loss(scores, bags, weights)
            losses[epoch] = lost + (penalty * table * table).sum() / 2
            gradient = X @ gradient + penalty * table
            mean += (1 - KEPT) * (gradient - mean)
            square += (1 - KEPT_SQUARE) * (gradient * gradient - square)
            fair = mean / (1 - KEPT ** (epoch + 1)), square / (1 - KEPT_SQUARE ** (epoch + 1))
            table -= self.learning_rate * fair[0] / (np.sqrt(fair[1]) + TINY)
        return Scores(table[:-1].T.copy(), table[-1].copy(), losses)

    def labels(self, X: np.ndarray, bags: np.ndarray, queries: np.ndarray) -> np.ndarray:
        """Decisions (m,) for queries (m, d), learned from X (n, d), standardized, with bags (n, C): the first of a tie.

        Raises ValueError as ``learn``, and if numbers of columns differ.
        """
        from sklearn.preprocessing import StandardScaler

        scale = StandardScaler().fit(X)
        scores = self.learn(scale.transform(X), bags).at(scale.transform(queries))
        return scores.argmax(axis=1)


#: The rivals of Errandonea et al., by name, all with one step size and penalty; ``linear.picked`` tunes them on bags.
RIVALS: dict[str, Linear] = {
    "CLPL": Linear(CLPL()),
    "PRODEN": Linear(PRODEN()),
    "LWS, beta 1": Linear(LWS(1.0)),
    "LWS, beta 2": Linear(LWS(2.0)),
    "APL, MAE": Linear(APL("mae")),
    "APL, GCE": Linear(APL("gce")),
}
