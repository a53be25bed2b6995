"""What the bounds are given: class weights, a margin, fractions."""

from collections.abc import Sequence
from math import log
from typing import Any

import numpy as np

from knnviz import checks
from knnviz.profiles.balls import class_weights

#: Class weights (C,), as they are given.
Weights = Sequence[float] | np.ndarray

#: By how much a sum of probabilities may miss 1.
ROUNDING = 1e-9


def weights(q: Any) -> np.ndarray:
    """Weights (C,) of two or more classes on any scale, none negative, not all 0, or ValueError."""
    if np.ndim(q) != 1 or len(q) < 2:
        raise ValueError(f"q must hold weights of two or more classes, got {q!r}")
    return class_weights(q, len(q))


def margin(exponent: float, constant: float) -> tuple[float, float]:
    """A margin exponent beta in [0, 100] and its constant M, above 0 and at most 1e100, or ValueError.

    M may be below 1 here: it goes with the scale of the weights, like lambda^-beta.
    """
    beta = checks.check_real("margin exponent beta", exponent, 0, 100)
    return float(beta), checks.check_positive("margin constant M", constant, 1e100)


def fraction(name: str, value: float) -> float:
    """A fraction of points in [0, 1], which a sum may miss by a rounding error, or ValueError."""
    return min(1.0, float(checks.check_real(name, value, 0, 1 + ROUNDING)))


def deviation(n_classes: int, delta: float) -> float:
    """log C + 2 log(2 / delta): what the labels of k neighbors may stray by is the root of a multiple of it over k."""
    return log(n_classes) + 2 * log(2 / checks.check_failure_probability(delta))
