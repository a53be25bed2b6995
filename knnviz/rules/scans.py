"""Inputs and results of rules that choose their own k."""

from typing import NamedTuple

import numpy as np

from knnviz import checks
from knnviz.bags import as_bags
from knnviz.neighbors import NeighborTable

#: Queries in one chunk.
CHUNK = 4096


class Scan(NamedTuple):
    """Results of a rule that chooses its own k, for each of m queries.

    ``labels`` (m,) uint8 are the predicted classes, ``stop_k`` (m,) int32 the k at which the ball stopped, or T,
    the largest k, ``decided`` (m,) bool whether one class was alive then, ``alive`` (m, C) bool the classes alive,
    those not eliminated.

    Examples
    --------
    >>> from knnviz import Adaptive, NeighborTable
    >>> import numpy as np
    >>> table = NeighborTable.build(np.arange(20.0)[:, None], np.array([[0.0], [9.4]]), 20)
    >>> found = Adaptive().scan(table, np.repeat([0, 1], 10), n_classes=2)
    >>> found.decided.tolist(), found.alive.tolist()
    ([True, False], [[True, False], [True, True]])
    """

    labels: np.ndarray
    stop_k: np.ndarray
    decided: np.ndarray
    alive: np.ndarray


class Trace(NamedTuple):
    """All steps of PL A-kNN at one query, from k = 1 to the largest k, T; also those after the ball has stopped.

    Row k - 1 is step k, and a column stands for a class: ``counts`` (T, C) are its votes, the bags among the k nearest
    that hold it; ``alive`` (T, C) bool is whether it was not eliminated before the step; ``lead`` (T, C) its votes
    minus those of the runner-up, divided by sqrt(k), NaN where it was eliminated or the ball has stopped. ``band`` (T,)
    is Delta(k) = A / sqrt(k), and A - ``lead`` the M(k, y) of Errandonea et al., with A the rule's ``band_constant``.
    ``eliminated_at`` (C,) is the step at which each class is eliminated, or 0. ``stop_k``, ``label`` and ``decided``
    are those of ``Scan``.

    Examples
    --------
    >>> from knnviz import NeighborTable, PartialAdaptive
    >>> import numpy as np
    >>> table = NeighborTable.build(np.arange(20.0)[:, None], np.array([[0.0]]), 20)
    >>> steps = PartialAdaptive().trace(table, np.repeat([0, 1], 10), n_classes=2)
    >>> steps.stop_k, steps.counts[1].tolist(), steps.eliminated_at.tolist()
    (2, [2, 0], [0, 2])
    """

    counts: np.ndarray
    band: np.ndarray
    alive: np.ndarray
    eliminated_at: np.ndarray
    lead: np.ndarray
    stop_k: int
    label: int
    decided: bool


def largest_k(table: NeighborTable, max_neighbors: int | None) -> int:
    """T, the smaller of ``max_neighbors`` and n; ValueError if the table holds fewer neighbors."""
    k_max = table.n if max_neighbors is None else min(max_neighbors, table.n)
    if k_max > table.k_max:
        raise ValueError(f"the rule looks at up to {k_max} neighbors, but the table holds {table.k_max}")
    return k_max


def observed_bags(table: NeighborTable, observed: np.ndarray, n_classes: int) -> np.ndarray:
    """Bags (n, C) uint8 of a table's training points, 1 for a class in the bag; a label is a bag of one class."""
    n_classes = checks.check_int("n_classes", n_classes, 2, 255)
    return np.ascontiguousarray(as_bags(observed, table.n, n_classes)).view(np.uint8)
