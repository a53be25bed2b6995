"""The weights of the paper's example, its weighted Bayes rule, and where a function on a line changes."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from knnviz.metrics import Confusion
from knnviz.problems import Problem, waves
from knnviz.rules import Weighted

#: Class weights of the paper's Figures 1 and 2 and its Table 1.
Q = (0.5, 0.3, 0.2)

#: The pair of Figure 2 that covers them for class 0: more weight on it, and less.
MORE, LESS = (0.52, 0.29, 0.19), (0.48, 0.31, 0.21)

#: Equal weights, on the same scale.
EQUAL = (1 / 3, 1 / 3, 1 / 3)

#: The class that Table 1 and Figure 2 are about, class 1 in the paper.
CLASS = 0

#: Cells of [0, 1] that population numbers are integrated over.
RESOLUTION = 400_000

#: Times that an interval is halved in search of a change, until doubles end.
HALVINGS = 60


class Pieces(NamedTuple):
    """A line split where a function changes: piece i, from ``edges[i]`` to ``edges[i + 1]``, has ``values[i]``."""

    edges: np.ndarray
    values: np.ndarray


def pieces(value: Callable[[np.ndarray], np.ndarray], resolution: int) -> Pieces:
    """Where a function on [0, 1] that takes few values changes, to the last digits of doubles.

    ``value`` maps points (m, 1) to codes or booleans (m,). It is evaluated first at the centers of ``resolution``
    cells: a piece between two neighboring centers is missed.
    """
    x = (np.arange(resolution) + 0.5) / resolution
    found = value(x[:, None])
    last = np.flatnonzero(found[1:] != found[:-1])
    left, right = x[last], x[last + 1]
    for _ in range(HALVINGS):
        middle = (left + right) / 2
        same = value(middle[:, None]) == found[last]
        left, right = np.where(same, middle, left), np.where(same, right, middle)
    edges = np.concatenate([[0.0], (left + right) / 2, [1.0]])
    return Pieces(edges, found[np.append(last, resolution - 1)])


def entries(confusion: Confusion, names: Sequence[str]) -> np.ndarray:
    """Entries of class 0, such as "tn", in the order of their names."""
    return np.array([getattr(confusion, name)[CLASS] for name in names])


def weighted_bayes(q: tuple[float, ...], problem: Problem | None = None) -> Callable[[np.ndarray], np.ndarray]:
    """The weighted Bayes rule of a problem, by default the example: maps points (m, d) to class codes (m,)."""
    problem = waves() if problem is None else problem
    return lambda X: Weighted(q).decide(problem.eta(X))
