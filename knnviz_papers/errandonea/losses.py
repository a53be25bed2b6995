"""Losses of scores on bags of candidate labels, by their gradients; some weight the labels, anew
after each epoch.

Scores, weights and gradients are (n, C), bags (n, C) bool. Each loss is a mean over all n points,
those with empty bags included. A new loss is a frozen ``BagLoss``, in ``LINEAR_LOSSES`` of
``linear_rivals.py``; ``tests/papers/test_losses.py`` has its value in plain code, whose differences
are the gradient.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import expit, log_softmax, softmax

from knnviz.learnability.matrix import uniform_weights

#: Exponent of the generalized cross-entropy.
GCE_EXPONENT = 0.7


class BagLoss:
    """Base of the losses. ``start`` weights the labels of each point at first, ``renew`` after each
    epoch, by the scores at its end.

    Both give None for a loss without weights. ``gradient`` is that by the scores, for fixed
    weights.
    """

    def start(self, bags: np.ndarray) -> Any:
        return None

    def renew(self, scores: np.ndarray, bags: np.ndarray) -> Any:
        return None

    def gradient(self, scores: np.ndarray, bags: np.ndarray, weights: Any) -> np.ndarray:
        raise NotImplementedError


@dataclass(frozen=True)
class CLPL(BagLoss):
    """Convex Learning from Partial Labels: psi of the mean score in the bag, plus psi(-score) of
    each label outside.

    psi(u) = max(0, 1 - u)^2. An empty bag has no loss inside, and pushes all scores down; a full
    one has no loss outside. Source: Cour, Sapp and Taskar (2011).
    """

    def gradient(self, scores: np.ndarray, bags: np.ndarray, weights: Any) -> np.ndarray:
        uniform = uniform_weights(bags)
        mean_score = (uniform * scores).sum(axis=1, keepdims=True)
        inside = np.maximum(0, 1 - mean_score) * bags.any(axis=1, keepdims=True)
        outside = np.maximum(0, 1 + scores) * ~bags
        return 2 / len(scores) * (outside - inside * uniform)


@dataclass(frozen=True)
class PRODEN(BagLoss):
    """Progressive Identification: cross-entropy of softmax with weights in the bag.

    The weights are equal at first, then the softmax restricted to the bag. An empty bag has no
    loss. That of a full one is smallest for uniform softmax probabilities at first, and later for
    the current ones. With weights renewed at every step the gradient is that of -log P(bag).
    Source: Lv et al. (2020).
    """

    def start(self, bags: np.ndarray) -> np.ndarray:
        return uniform_weights(bags)

    def renew(self, scores: np.ndarray, bags: np.ndarray) -> np.ndarray:
        return softmax_among(scores, bags)

    def gradient(self, scores: np.ndarray, bags: np.ndarray, weights: Any) -> np.ndarray:
        p = np.exp(log_softmax(scores, axis=1))
        return (p * weights.sum(axis=1, keepdims=True) - weights) / len(scores)


@dataclass(frozen=True)
class LWS(BagLoss):
    """Leveraged Weighted loss: weighted sum of psi(score) in the bag, plus ``beta`` times that of
    psi(-score) outside.

    psi(t) = 1 / (1 + e^t). All weights are 1/C at first, then the softmax of the scores in the bag,
    and that of the scores outside. An empty bag has outside terms alone, a full one inside terms
    alone. Source: Wen et al. (2021); the first weights are ours.
    """

    beta: float

    def start(self, bags: np.ndarray) -> np.ndarray:
        return np.full(bags.shape, 1 / bags.shape[1])

    def renew(self, scores: np.ndarray, bags: np.ndarray) -> np.ndarray:
        return softmax_among(scores, bags) + softmax_among(scores, ~bags)

    def gradient(self, scores: np.ndarray, bags: np.ndarray, weights: Any) -> np.ndarray:
        sign = np.where(bags, 1.0, -1.0)
        weights = weights * np.where(bags, 1.0, self.beta)
        losses = expit(-sign * scores)
        return sign * weights * losses * (losses - 1) / len(scores)


@dataclass(frozen=True)
class APL(BagLoss):
    """Average partial-label loss: the mean over the labels i of the bag of a bounded loss of
    softmax probabilities p.

    "mae", mean absolute error: 2 (1 - p_i). "gce", generalized cross-entropy: (1 - p_i^q) / q with
    q = ``GCE_EXPONENT``. An empty bag has no loss. That of a full one is 2 - 2 / C under "mae" for
    all p, and smallest for uniform p under "gce". Source: Lv et al. (2023).
    """

    kind: Literal["mae", "gce"]

    def gradient(self, scores: np.ndarray, bags: np.ndarray, weights: Any) -> np.ndarray:
        uniform = uniform_weights(bags)
        # The derivative is that of the sum over points by p_k, times p_k.
        if self.kind == "gce":
            logs = log_softmax(scores, axis=1)
            p = np.exp(logs)
            derivative = -uniform * (np.expm1(GCE_EXPONENT * logs) + 1)
        else:
            p = softmax(scores, axis=1)
            derivative = -2 * uniform * p
        # By the chain rule: the derivative of p_k by the score of j is p_k ([k = j] - p_j).
        return (derivative - p * derivative.sum(axis=1, keepdims=True)) / len(scores)


def softmax_among(scores: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Softmax (n, C) of scores (n, C) among ``labels`` (n, C) bool, 0 for the others; all 0 in a
    row without labels.
    """
    is_empty = ~labels.any(axis=1, keepdims=True)
    among = np.where(labels | is_empty, scores, -np.inf)
    return softmax(among, axis=1) * labels
