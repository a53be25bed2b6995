"""Points at which candidate weights are scored: training points, with or without their own labels, or held-out ones."""

from typing import Literal, NamedTuple

import numpy as np

from knnviz import checks
from knnviz.neighbors import NeighborTable
from knnviz.profiles import VoteProfile

#: All training points, each among its own neighbors or not (leave-one-out, loo); or points held out of training.
Validation = Literal["resubstitution", "loo", "holdout"]

#: One point in ``PART`` is held out.
PART = 4


class ValidationSet(NamedTuple):
    """Points at which candidate weights are scored: class codes (m,), and a profile of their neighbors' votes.

    Examples
    --------
    >>> import numpy as np
    >>> from knnviz.weights import validation_set
    >>> points = validation_set(np.arange(4.0)[:, None], np.array([0, 0, 1, 1]), 2, 1, "holdout")
    >>> points.codes.tolist(), points.votes.at(1).tolist()
    ([1], [[0, 1]])
    """

    codes: np.ndarray
    votes: VoteProfile


def largest_k(n: int, validation: Validation) -> int:
    """The largest k: how many of n training points may vote at a point that is scored.

    Raises ValueError for another validation, and for n below 1, or below 4 where a quarter of them is held out.

    Examples
    --------
    >>> from knnviz.weights import largest_k
    >>> [largest_k(100, validation) for validation in ("resubstitution", "loo", "holdout")]
    [100, 99, 75]
    """
    checks.check_choice("validation", validation, ("resubstitution", "loo", "holdout"))
    n = checks.check_int("n", n, PART if validation == "holdout" else 1)
    return {"resubstitution": n, "loo": n - 1, "holdout": n - n // PART}[validation]


def validation_set(X: np.ndarray, y: np.ndarray, n_classes: int, k_max: int, validation: Validation) -> ValidationSet:
    """Class codes, and votes of up to ``k_max`` neighbors, at the points where candidate weights are scored.

    "resubstitution" is optimistic, the others are not. Source: Khim et al., section 6, with "resubstitution" for
    synthetic data and held-out points for real data.

    Parameters
    ----------
    X, y : (n, d) and (n,) arrays
        Training points and their class codes, in random order.
    n_classes : int
        C, at least 2.
    k_max : int
        At most ``largest_k(n, validation)``.
    validation : "resubstitution", "loo" or "holdout"
        "resubstitution": at all training points from their k nearest, themselves included. "loo": from
        the k nearest others. "holdout": at the last quarter of the points, from the first three quarters.

    Examples
    --------
    >>> import numpy as np
    >>> from knnviz.weights import validation_set
    >>> X, y = np.array([[0.0], [1.0], [3.0]]), np.array([0, 0, 1])
    >>> validation_set(X, y, n_classes=2, k_max=1, validation="resubstitution").votes.at(1).tolist()
    [[1, 0], [1, 0], [0, 1]]
    >>> validation_set(X, y, n_classes=2, k_max=1, validation="loo").votes.at(1).tolist()
    [[1, 0], [1, 0], [1, 0]]
    """
    n, most = len(X), largest_k(len(X), validation)
    y = checks.check_codes("y", y, n, checks.check_int("n_classes", n_classes, 2, 255))
    if checks.check_int("k_max", k_max, 1) > most:
        raise ValueError(f"k_max must be at most {most}, the points that may vote, got {k_max}")
    if validation != "holdout":
        table = NeighborTable.build(X, None, k_max, exclude_self=validation == "loo")
        return ValidationSet(y, VoteProfile.count(table, y, n_classes))
    table = NeighborTable.build(X[:most], X[most:], k_max)
    return ValidationSet(y[most:], VoteProfile.count(table, y[:most], n_classes))
