"""Tuning of linear methods on bags, without true labels."""

from collections.abc import Sequence

import numpy as np

from knnviz.linear.losses import BagLoss
from knnviz.linear.training import Linear

#: Fraction of the points, the last ones, that are held out to compare methods.
VALIDATION_FRACTION = 0.2


def tuning_grid(
    losses: Sequence[BagLoss],
    learning_rates: Sequence[float] = (0.005, 0.05),
    alphas: Sequence[float] = (1e-4, 1e-2, 1e-1),
) -> list[Linear]:
    """Every combination of a loss, a step size of Adam and an L2 penalty, in this order; the grid is ours.

    Examples
    --------
    >>> from knnviz.linear import CLPL, LWS, tuning_grid
    >>> grid = tuning_grid([CLPL(), LWS()], learning_rates=(0.05,), alphas=(1e-4, 1e-2))
    >>> [(each.loss, each.alpha) for each in grid]
    [(CLPL(), 0.0001), (CLPL(), 0.01), (LWS(beta=1.0), 0.0001), (LWS(beta=1.0), 0.01)]
    """
    return [Linear(loss, rate, alpha=alpha) for loss in losses for rate in learning_rates for alpha in alphas]


def select_model(methods: Sequence[Linear], X: np.ndarray, bags: np.ndarray) -> Linear:
    """The method whose predictions are in the most held-out bags, the first on a tie.

    Each is trained on the first four fifths of the points X (n, d) with bags (n, C) bool, which are in random order,
    and predicts the others. Raises ValueError as ``Linear.learn``, without methods, and for fewer than two points.

    Examples
    --------
    >>> import numpy as np
    >>> from knnviz.linear import CLPL, select_model, tuning_grid
    >>> X, methods = np.array([[-1.0], [-1.0], [1.0]] * 10), tuning_grid([CLPL()], (0.05,), alphas=(10.0, 1e-4))
    >>> select_model(methods, X, bags=np.hstack([X < 0, X > 0])).alpha
    0.0001
    """
    if not methods:
        raise ValueError("there is no candidate to pick from")
    if len(X) < 2:
        raise ValueError(f"to hold points out takes at least 2, got {len(X)}")
    n_out = max(round(VALIDATION_FRACTION * len(X)), 1)
    labels = [each.labels(X[:-n_out], bags[:-n_out], X[-n_out:]) for each in methods]
    hits = [bags[-n_out:][np.arange(n_out), predicted].sum() for predicted in labels]
    return methods[int(np.argmax(hits))]
