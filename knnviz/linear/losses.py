"""What scores lose on bags of labels, with gradients; some weigh the labels of a bag anew as scores are learned.

Scores F are (n, C), bags (n, C) bool. Each loss is a mean over all n points, those with empty bags included, so that a
point that says nothing counts as nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import expit, log_softmax, softmax

from knnviz import checks

#: A loss, and its gradient (n, C) with respect to the scores.
LossAndGradient = tuple[float, np.ndarray]

#: Softmax fractions p (n, C), the sum over the points of a mean loss in the bag, and p_k times its derivative by p_k.
Bounded = tuple[np.ndarray, float, np.ndarray]


@dataclass(frozen=True)
class BagLoss:
    """Base of the losses: what a call gives, and weights of the labels, of which most losses have none.

    Examples
    --------
    >>> import numpy as np
    >>> from knnviz.linear import BagLoss, loss_of
    >>> loss, bags = loss_of("proden"), np.array([[True, True, False]])
    >>> isinstance(loss, BagLoss), loss.start(bags).tolist()
    (True, [[0.5, 0.5, 0.0]])
    """

    def start(self, bags: np.ndarray) -> np.ndarray | None:
        """Weights (n, C) of the labels before anything is learned; None for a loss without."""
        return None

    def renew(self, scores: np.ndarray, bags: np.ndarray) -> np.ndarray | None:
        """Weights (n, C) after an epoch that ended with these scores; None for a loss without."""
        return None

    def __call__(self, scores: np.ndarray, bags: np.ndarray, weights: np.ndarray | None = None) -> LossAndGradient:
        """The loss and its gradient; weights are held fixed, by default the first. Shapes are not checked."""
        raise NotImplementedError


@dataclass(frozen=True)
class CLPL(BagLoss):
    """psi of the mean score in the bag, and psi of minus each score outside, psi(u) = max(0, 1 - u)^2: convex.

    An empty bag loses nothing inside, and pushes all scores down; a full one loses nothing outside. Source: Cour, Sapp
    and Taskar (2011).

    Examples
    --------
    >>> import numpy as np
    >>> from knnviz.linear import CLPL
    >>> loss, gradient = CLPL()(np.array([[0.0, 0.0, 0.0]]), np.array([[True, True, False]]))
    >>> loss, gradient.tolist()
    (2.0, [[-1.0, -1.0, 2.0]])
    """

    def __call__(self, scores: np.ndarray, bags: np.ndarray, weights: np.ndarray | None = None) -> LossAndGradient:
        even = evenly(bags)
        inside = np.maximum(0, 1 - (even * scores).sum(axis=1, keepdims=True)) * bags.any(axis=1, keepdims=True)
        outside = np.maximum(0, 1 + scores) * ~bags
        value = (inside**2).sum() + (outside**2).sum()
        return float(value / len(scores)), 2 / len(scores) * (outside - inside * even)


@dataclass(frozen=True)
class PRODEN(BagLoss):
    """Cross-entropy of softmax against weights in the bag: equal at first, then the softmax restricted to it.

    An empty bag loses nothing. A full one is fitted best by even fractions at first, and later by those that there are.
    With weights renewed at every step the gradient is that of -log P(bag). Source: Lv et al. (2020).

    Examples
    --------
    >>> import numpy as np
    >>> from knnviz.linear import PRODEN
    >>> scores, bags = np.log([[0.6, 0.2, 0.2]]), np.array([[True, True, False]])
    >>> PRODEN().start(bags).tolist(), PRODEN().renew(scores, bags).round(4).tolist()
    ([[0.5, 0.5, 0.0]], [[0.75, 0.25, 0.0]])
    >>> round(PRODEN()(scores, bags)[0], 4)
    1.0601
    """

    def start(self, bags: np.ndarray) -> np.ndarray:
        return evenly(bags)

    def renew(self, scores: np.ndarray, bags: np.ndarray) -> np.ndarray:
        return fractions(scores, bags)

    def __call__(self, scores: np.ndarray, bags: np.ndarray, weights: np.ndarray | None = None) -> LossAndGradient:
        weights = self.start(bags) if weights is None else weights
        logs = log_softmax(scores, axis=1)
        gradient = np.exp(logs) * weights.sum(axis=1, keepdims=True) - weights
        return float(-(weights * logs).sum() / len(scores)), gradient / len(scores)


@dataclass(frozen=True)
class LWS(BagLoss):
    """Weighted psi of the scores in the bag, and ``beta`` times that of minus those outside, psi(t) = 1 / (1 + e^t).

    All weights are 1/C at first, then softmax fractions of the labels in the bag among themselves, and of those outside
    among themselves. An empty bag has outside terms alone, a full one inside terms alone. ValueError for a ``beta``
    below 0 or above 1e6. Source: Wen et al. (2021); the first weights are ours.

    Examples
    --------
    >>> import numpy as np
    >>> from knnviz.linear import LWS
    >>> loss, gradient = LWS(beta=2.0)(np.array([[0.0, 0.0, 0.0]]), np.array([[True, True, False]]))
    >>> round(loss, 4), gradient.round(4).tolist()
    (0.6667, [[-0.0833, -0.0833, 0.1667]])
    """

    beta: float = 1.0

    def __post_init__(self) -> None:
        checks.check_real("beta", self.beta, 0, 1e6)

    def start(self, bags: np.ndarray) -> np.ndarray:
        return np.full(bags.shape, 1 / bags.shape[1])

    def renew(self, scores: np.ndarray, bags: np.ndarray) -> np.ndarray:
        return fractions(scores, bags) + fractions(scores, ~bags)

    def __call__(self, scores: np.ndarray, bags: np.ndarray, weights: np.ndarray | None = None) -> LossAndGradient:
        weights = self.start(bags) if weights is None else weights
        sign, heavy = np.where(bags, 1.0, -1.0), weights * np.where(bags, 1.0, self.beta)
        lost = expit(-sign * scores)
        return float((heavy * lost).sum() / len(scores)), sign * heavy * lost * (lost - 1) / len(scores)


@dataclass(frozen=True)
class APL(BagLoss):
    """The mean over the labels i of the bag of a bounded loss of softmax fractions p.

    "mae": 2 (1 - p_i). "gce": (1 - p_i^q) / q. "mse": the sum over j of (p_j - [j = i])^2. An empty bag loses nothing.
    A full one loses 2 - 2 / C under "mae" whatever the fractions, and least for even ones under the others (under "gce"
    for q below 1). ValueError for another ``kind`` and for a ``q`` that is not in (0, 1]. Source: Lv et al. (2023).

    Examples
    --------
    >>> import numpy as np
    >>> from knnviz.linear import APL
    >>> scores, bags = np.log([[0.7, 0.2, 0.1]]), np.array([[True, False, False]])
    >>> [round(APL(kind)(scores, bags)[0], 4) for kind in ("mae", "gce", "mse")]
    [0.6, 0.3156, 0.14]
    """

    kind: Literal["mae", "gce", "mse"] = "mae"
    q: float = 0.7

    def __post_init__(self) -> None:
        checks.check_choice("kind", self.kind, tuple(BOUNDED))
        checks.check_positive("q", self.q, 1)

    def __call__(self, scores: np.ndarray, bags: np.ndarray, weights: np.ndarray | None = None) -> LossAndGradient:
        p, value, raised = BOUNDED[self.kind](scores, evenly(bags), self.q)
        # By the chain rule: the derivative of p_k by the score of j is p_k ([k = j] - p_j).
        return float(value / len(scores)), (raised - p * raised.sum(axis=1, keepdims=True)) / len(scores)


def _absolute(scores: np.ndarray, even: np.ndarray, q: float) -> Bounded:
    p = softmax(scores, axis=1)
    return p, 2 * (even * (1 - p)).sum(), -2 * even * p


def _crossed(scores: np.ndarray, even: np.ndarray, q: float) -> Bounded:
    logs = log_softmax(scores, axis=1)
    less = np.expm1(q * logs)
    return np.exp(logs), -(even * less).sum() / q, -even * (less + 1)


def _squared(scores: np.ndarray, even: np.ndarray, q: float) -> Bounded:
    p, given = softmax(scores, axis=1), even.sum(axis=1, keepdims=True)
    return p, (given * p * p).sum() + given.sum() - 2 * (even * p).sum(), 2 * p * (given * p - even)


#: The bounded losses by name.
BOUNDED: dict[str, Callable[[np.ndarray, np.ndarray, float], Bounded]] = {
    "mae": _absolute,
    "gce": _crossed,
    "mse": _squared,
}

#: Losses by the name that an estimator takes, made of beta and q.
LOSSES: dict[str, Callable[[float, float], BagLoss]] = {
    "clpl": lambda beta, q: CLPL(),
    "proden": lambda beta, q: PRODEN(),
    "lws": lambda beta, q: LWS(beta),
    "apl-mae": lambda beta, q: APL("mae", q),
    "apl-gce": lambda beta, q: APL("gce", q),
    "apl-mse": lambda beta, q: APL("mse", q),
}


def loss_of(name: str, beta: float = 1.0, q: float = 0.7) -> BagLoss:
    """The loss of a name in ``LOSSES``, or ValueError; "lws" alone reads ``beta`` and "apl-gce" alone ``q``.

    Examples
    --------
    >>> from knnviz.linear import loss_of
    >>> loss_of("lws", beta=2.0)
    LWS(beta=2.0)
    >>> loss_of("apl-gce")
    APL(kind='gce', q=0.7)
    """
    checks.check_choice("loss", name, tuple(LOSSES))
    # Made for their refusals: values out of range are refused even where they are not read.
    LWS(beta), APL("gce", q)
    return LOSSES[name](beta, q)


def evenly(bags: np.ndarray) -> np.ndarray:
    """One over the size of the bag (n, C) for the labels in it, 0 for the others; all 0 for an empty bag."""
    return bags / np.maximum(bags.sum(axis=1, keepdims=True), 1)


def fractions(scores: np.ndarray, held: np.ndarray) -> np.ndarray:
    """Softmax (n, C) of scores (n, C) among the labels that are held, 0 for the others; all 0 where none is held."""
    some = held.any(axis=1, keepdims=True)
    return softmax(np.where(held | ~some, scores, -np.inf), axis=1) * held
