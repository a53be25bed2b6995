"""Good calls of names that read votes and fractions: profiles, rules and class weights."""

from collections.abc import Callable
from typing import Any

import numpy as np

from knnviz import weights

F = np.array([[0.75, 0.25], [0.625, 0.375], [0.375, 0.625], [0.25, 0.75]])
Y = np.array([0, 1, 1, 1])
W = np.array([0.25, 0.25, 0.375, 0.125])

#: A name, what calls it, good values of its arguments, and those of them for which fewer values are bad.
CALLS: dict[str, tuple[Callable[..., Any], Any]] = {
    "weights.confusion": (
        weights.confusion,
        {"fractions": F, "truth": Y, "q": (1.0, 2.0), "weights": W, "tie_tol": 0.25},
    ),
}
