"""PL A-kNN (adaptive kNN for partial labels): the ball grows, and classes are eliminated until one is left."""

from dataclasses import dataclass
from math import ceil, log
from typing import Literal

import numpy as np

from knnviz import checks, kernels
from knnviz.neighbors import NeighborTable
from knnviz.rules.adaptive import band_constant, check_band
from knnviz.rules.scans import ROWS, Scan, Trace, bags_at, largest_k
from knnviz.threads import in_pieces

FALLBACKS = ("lead", "majority")
RUNNERS_UP = ("alive", "all")


@dataclass(frozen=True)
class PartialAdaptive:
    """PL A-kNN: as the ball grows, a class is eliminated once its gap to the leading class reaches a shrinking band.

    At step k the bag of the k-th neighbor, its set of candidate labels, votes for each class in it. The leading class
    has the most votes among those not eliminated (alive). A class is eliminated if its fraction of the k bags is below
    that of the leading class by the band Delta(k) = A / sqrt(k) or more. The constant is A = c1 sqrt(vc_dimension log n
    + log(C / delta)). The ball stops when one class is left, or after T neighbors.

    Source: Errandonea et al., Algorithms 1 and 2; the majority as a fallback is ours.

    Parameters
    ----------
    c1, delta, max_neighbors
        As in ``Adaptive``; the last one is T.
    fallback : "lead" or "majority"
        Which class wins if several are left after T neighbors. "lead": the class with the largest lead at any k, where
        the lead is its votes minus those of the runner-up, divided by sqrt(k). "majority": the class in most of the T
        bags. Ties go to the smallest k, then to the smallest class; the comparison is exact.
    runner_up : "alive" or "all"
        Whether the runner-up is the second among the classes that are not eliminated, as in Algorithm 2, or among all
        classes, a possible reading of appendix D.3.
    vc_dimension : int
        Factor of log n in A: 1 for a guarantee at one point; the VC dimension of balls (D + 1 in D dimensions) for a
        guarantee at all points together.

    Examples
    --------
    >>> from knnviz import NeighborTable, PartialAdaptive
    >>> import numpy as np
    >>> table = NeighborTable.build(np.arange(20.0)[:, None], np.array([[0.0]]), 20)
    >>> bags = np.array([[1, 1, 0], [1, 0, 1]] * 10) == 1
    >>> [part.tolist() for part in PartialAdaptive().scan(table, bags, n_classes=3)]
    [[0], [8], [True], [[True, False, False]]]
    """

    c1: float = 0.5
    delta: float = 0.1
    max_neighbors: int | None = None
    fallback: Literal["lead", "majority"] = "lead"
    runner_up: Literal["alive", "all"] = "alive"
    vc_dimension: int = 1

    def __post_init__(self) -> None:
        check_band(self.c1, self.delta, self.max_neighbors)
        checks.check_int("vc_dimension", self.vc_dimension, 1)
        if self.fallback not in FALLBACKS:
            raise ValueError(f"fallback must be 'lead' or 'majority', got {self.fallback!r}")
        if self.runner_up not in RUNNERS_UP:
            raise ValueError(f"runner_up must be 'alive' or 'all', got {self.runner_up!r}")

    def band_constant(self, n: int, n_classes: int) -> float:
        """A = c1 sqrt(vc_dimension log n + log(C / delta)), the constant of the band A / sqrt(k)."""
        n, n_classes = checks.check_int("n", n, 1), checks.check_int("n_classes", n_classes, 2, 255)
        return band_constant(self.c1, self.delta, self.vc_dimension * log(n), n_classes)

    def least_k(self, n: int, n_classes: int) -> int:
        """The smallest k at which any class can be eliminated: at least A squared."""
        return ceil(self.band_constant(n, n_classes) ** 2)

    def scan(self, table: NeighborTable, observed: np.ndarray, n_classes: int) -> Scan:
        """Where the ball around each query of a table stops, which classes are left, and which label is predicted.

        ``observed`` are class codes (n,) or bags (n, C) bool of the training points. ValueError if the table holds
        fewer neighbors than max_neighbors.
        """
        bags, m = bags_at(table, observed, n_classes), len(table)
        min_gap = self.min_gap(largest_k(table, self.max_neighbors), table.n, n_classes)
        # Codes of the kernel: 0 the majority, 1 and 2 the largest lead over the runner-up alive, or of all.
        fallback = 0 if self.fallback == "majority" else 1 + RUNNERS_UP.index(self.runner_up)
        labels, stops, alive = np.empty(m, np.uint8), np.empty(m, np.int32), np.empty((m, n_classes), bool)
        in_pieces(
            lambda rows: kernels.eliminate(
                table.indices[rows], bags, min_gap, fallback, alive[rows], labels[rows], stops[rows]
            ),
            m,
            ROWS,
        )
        return Scan(labels, stops, alive.sum(axis=1) == 1, alive)

    def min_gap(self, most: int, n: int, n_classes: int) -> np.ndarray:
        """Smallest gap (T,) in votes to the leading class that eliminates a class, at each k up to ``most``."""
        return np.ceil(self.band_constant(n, n_classes) * np.sqrt(np.arange(1, most + 1))).astype(np.int64)

    def trace(self, table: NeighborTable, observed: np.ndarray, n_classes: int, query: int = 0) -> Trace:
        """All steps of the ball around one query of a table.

        ``observed`` and errors are as for ``scan``, ``query`` is the row of the table.
        """
        bags, most = bags_at(table, observed, n_classes), largest_k(table, self.max_neighbors)
        query = checks.check_int("query", query, 0, len(table) - 1)
        counts, ks = np.cumsum(bags[table.indices[query, :most]], axis=0, dtype=np.int64), np.arange(1, most + 1)
        eliminated_at, stop = self._eliminated(counts, table.n)
        alive = (eliminated_at == 0) | (eliminated_at >= ks[:, None])
        second = np.sort(counts if self.runner_up == "all" else np.where(alive, counts, -1), axis=1)[:, -2:-1]
        walked = alive & (ks <= stop)[:, None]
        lead = np.where(walked, (counts - second) / np.sqrt(ks)[:, None], np.nan)
        one = self.scan(NeighborTable(table.indices[[query]], table.n), observed, n_classes)
        band = self.band_constant(table.n, n_classes) / np.sqrt(ks)
        return Trace(counts, band, alive, eliminated_at, lead, stop, int(one.labels[0]), bool(one.decided[0]))

    def _eliminated(self, counts: np.ndarray, n: int) -> tuple[np.ndarray, int]:
        """The step (C,) at which each class is eliminated, or 0, and where the ball stops, by votes (T, C)."""
        most, n_classes = counts.shape
        min_gap, k = self.min_gap(most, n, n_classes), 0
        left, eliminated_at = np.ones(n_classes, bool), np.zeros(n_classes, int)
        while k < most and left.sum() > 1:
            behind = counts[k:, left].max(axis=1)[:, None] - counts[k:]
            eliminations = left & (behind >= min_gap[k:, None])
            if not eliminations.any():
                return eliminated_at, most
            step = int(eliminations.any(axis=1).argmax())
            k += step + 1
            eliminated_at[eliminations[step]], left = k, left & ~eliminations[step]
        return eliminated_at, k
