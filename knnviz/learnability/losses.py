"""Losses of scores on bags of candidate labels, with gradients; some weight the labels, anew after
each epoch.

Scores and weights are (n, C), bags (n, C) bool. Each loss is a mean over all n points, those with
empty bags included.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import expit, log_softmax, softmax

from knnviz import checks

#: Largest weight of labels outside a bag, and largest penalty.
MOST_WEIGHT = 1e6

#: A loss, and its gradient (n, C) with respect to the scores.
LossAndGradient = tuple[float, np.ndarray]


@dataclass(frozen=True)
class BagLoss:
    """Base of the losses. ``_start`` weights the labels of each point at first, ``_renew`` after
    each epoch.

    Both give None for a loss without weights; ``_renew`` reads the scores at the end of the epoch.
    A call gives the loss and its gradient for fixed weights, by default those of ``_start``;
    ``_value`` does so for a loss with weights.
    """

    def _start(self, bags: np.ndarray) -> Any:
        return None

    def _renew(self, scores: np.ndarray, bags: np.ndarray) -> Any:
        return None

    def _value(self, scores: np.ndarray, bags: np.ndarray, weights: Any) -> LossAndGradient:
        raise NotImplementedError

    def __call__(
        self, scores: np.ndarray, bags: np.ndarray, weights: np.ndarray | None = None
    ) -> LossAndGradient:
        scores = checks.check_points("scores", scores)
        bags = checks.check_bags("bags", bags, len(scores))
        weights = self._start(bags) if weights is None else checks.check_points("weights", weights)
        shapes = {each.shape for each in (scores, bags, weights) if each is not None}
        if len(shapes) > 1:
            got = sorted(shapes)
            raise ValueError(f"scores, bags and weights must be of one shape, got {got}")
        return self._value(scores, bags, weights)


@dataclass(frozen=True)
class CLPL(BagLoss):
    """Convex Learning from Partial Labels: psi of the mean score in the bag, plus psi(-score) of
    each label outside.

    psi(u) = max(0, 1 - u)^2. An empty bag has no loss inside, and pushes all scores down; a full
    one has no loss outside. Source: Cour, Sapp and Taskar (2011).
    """

    def _value(self, scores: np.ndarray, bags: np.ndarray, weights: Any) -> LossAndGradient:
        uniform = uniform_weights(bags)
        mean_score = (uniform * scores).sum(axis=1, keepdims=True)
        inside = np.maximum(0, 1 - mean_score) * bags.any(axis=1, keepdims=True)
        outside = np.maximum(0, 1 + scores) * ~bags
        value = (inside**2).sum() + (outside**2).sum()
        gradient = 2 / len(scores) * (outside - inside * uniform)
        return float(value / len(scores)), gradient


@dataclass(frozen=True)
class PRODEN(BagLoss):
    """Progressive Identification: cross-entropy of softmax with weights in the bag.

    The weights are equal at first, then the softmax restricted to the bag. An empty bag has no
    loss. That of a full one is smallest for uniform softmax probabilities at first, and later for
    the current ones. With weights renewed at every step the gradient is that of -log P(bag).
    Source: Lv et al. (2020).
    """

    def _start(self, bags: np.ndarray) -> np.ndarray:
        return uniform_weights(bags)

    def _renew(self, scores: np.ndarray, bags: np.ndarray) -> np.ndarray:
        return softmax_among(scores, bags)

    def _value(self, scores: np.ndarray, bags: np.ndarray, weights: Any) -> LossAndGradient:
        logs = log_softmax(scores, axis=1)
        value = -(weights * logs).sum()
        gradient = np.exp(logs) * weights.sum(axis=1, keepdims=True) - weights
        return float(value / len(scores)), gradient / len(scores)


@dataclass(frozen=True)
class LWS(BagLoss):
    """Leveraged Weighted loss: weighted sum of psi(score) in the bag, plus ``beta`` times that of
    psi(-score) outside.

    psi(t) = 1 / (1 + e^t). All weights are 1/C at first, then the softmax of the scores in the bag,
    and that of the scores outside. An empty bag has outside terms alone, a full one inside terms
    alone. Source: Wen et al. (2021); the first weights are ours.
    """

    beta: float = 1.0

    def __post_init__(self) -> None:
        beta = checks.check_real("beta", self.beta, 0, MOST_WEIGHT)
        object.__setattr__(self, "beta", float(beta))

    def _start(self, bags: np.ndarray) -> np.ndarray:
        return np.full(bags.shape, 1 / bags.shape[1])

    def _renew(self, scores: np.ndarray, bags: np.ndarray) -> np.ndarray:
        return softmax_among(scores, bags) + softmax_among(scores, ~bags)

    def _value(self, scores: np.ndarray, bags: np.ndarray, weights: Any) -> LossAndGradient:
        sign = np.where(bags, 1.0, -1.0)
        weights = weights * np.where(bags, 1.0, self.beta)
        losses = expit(-sign * scores)
        value = (weights * losses).sum()
        gradient = sign * weights * losses * (losses - 1)
        return float(value / len(scores)), gradient / len(scores)


@dataclass(frozen=True)
class APL(BagLoss):
    """Average partial-label loss: the mean over the labels i of the bag of a bounded loss of
    softmax probabilities p.

    "mae", mean absolute error: 2 (1 - p_i). "gce", generalized cross-entropy: (1 - p_i^q) / q.
    "mse", squared error: the sum over j of (p_j - [j = i])^2. An empty bag has no loss. That of a
    full one is 2 - 2 / C under "mae" for all p, and smallest for uniform p under the others (under
    "gce" for q below 1). Source: Lv et al. (2023).
    """

    kind: Literal["mae", "gce", "mse"] = "mae"
    q: float = 0.7

    def __post_init__(self) -> None:
        checks.check_choice("kind", self.kind, ("mae", "gce", "mse"))
        q = float(checks.check_real("q", self.q, 0, 1))
        checks.require(q > 0, f"q must be above 0, got {q:g}")
        object.__setattr__(self, "q", q)

    def _value(self, scores: np.ndarray, bags: np.ndarray, weights: Any) -> LossAndGradient:
        uniform = uniform_weights(bags)
        # The derivative is that of the sum over points by p_k, times p_k.
        if self.kind == "gce":
            logs = log_softmax(scores, axis=1)
            p = np.exp(logs)
            power_minus_1 = np.expm1(self.q * logs)
            value = -(uniform * power_minus_1).sum() / self.q
            derivative = -uniform * (power_minus_1 + 1)
        elif self.kind == "mae":
            p = softmax(scores, axis=1)
            value = 2 * (uniform * (1 - p)).sum()
            derivative = -2 * uniform * p
        else:
            # Sums of weights are 1, and 0 for an empty bag.
            p = softmax(scores, axis=1)
            total = uniform.sum(axis=1, keepdims=True)
            value = (total * p * p).sum() + total.sum() - 2 * (uniform * p).sum()
            derivative = 2 * p * (total * p - uniform)
        # By the chain rule: the derivative of p_k by the score of j is p_k ([k = j] - p_j).
        gradient = derivative - p * derivative.sum(axis=1, keepdims=True)
        return float(value / len(scores)), gradient / len(scores)


#: Losses by the name that an estimator takes, made of beta and q; "lws" alone reads beta, and
#: "apl-gce" alone q.
LOSSES: dict[str, Callable[[float, float], BagLoss]] = {
    "clpl": lambda beta, q: CLPL(),
    "proden": lambda beta, q: PRODEN(),
    "lws": lambda beta, q: LWS(beta),
    "apl-mae": lambda beta, q: APL("mae", q),
    "apl-gce": lambda beta, q: APL("gce", q),
    "apl-mse": lambda beta, q: APL("mse", q),
}


def uniform_weights(bags: np.ndarray) -> np.ndarray:
    """1 over the size of the bag (n, C) for labels in it, 0 for others; all 0 for an empty bag."""
    sizes = bags.sum(axis=1, keepdims=True)
    return bags / np.maximum(sizes, 1)


def softmax_among(scores: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Softmax (n, C) of scores (n, C) among ``labels`` (n, C) bool, 0 for the others; all 0 in a
    row without labels.
    """
    is_empty = ~labels.any(axis=1, keepdims=True)
    among = np.where(labels | is_empty, scores, -np.inf)
    return softmax(among, axis=1) * labels
