"""PL A-kNN (adaptive kNN for partial labels): the ball grows, and classes are eliminated until one is alive."""

from dataclasses import dataclass
from math import ceil, log
from typing import Literal

import numpy as np

from knnviz import checks, kernels
from knnviz.neighbors import NeighborTable
from knnviz.rules.adaptive import band_constant, check_parameters
from knnviz.rules.scans import CHUNK, Scan, Trace, largest_k, observed_bags
from knnviz.threads import parallel_chunks


@dataclass(frozen=True)
class PartialAdaptive:
    """PL A-kNN: as the ball grows, a class is eliminated once its gap to the leading class reaches a shrinking band.

    At step k the bag of the k-th neighbor, its set of candidate labels, votes for each class in it. A class that is not
    eliminated is alive; the leading class has the most votes among these. A class is eliminated if its fraction of the
    k bags is below that of the leading class by the band Delta(k) = A / sqrt(k) or more. The constant is A = c1
    sqrt(vc_dimension log n + log(C / delta)). The ball stops when one class is alive, or after T neighbors.

    Source: Errandonea et al., Algorithms 1 and 2; the majority as a fallback is ours.

    Parameters
    ----------
    c1, delta, max_neighbors
        As in ``Adaptive``; the last one is T.
    fallback : "lead" or "majority"
        Which class is predicted if several are alive after T neighbors. "lead": of these, the class with the largest
        lead at any k, where the lead is its votes minus those of the runner-up, divided by sqrt(k). Of equal leads the
        one at the smallest k counts, then that of the smallest class; the comparison is exact. "majority": of these,
        the class in most of the T bags, of several the smallest.
    runner_up : "alive" or "all"
        Whether the runner-up has the second most votes among the classes alive, as in Algorithm 2, or among all
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
        check_parameters(self.c1, self.delta, self.max_neighbors)
        checks.check_int("vc_dimension", self.vc_dimension, 1)
        checks.check_choice("fallback", self.fallback, ("lead", "majority"))
        checks.check_choice("runner_up", self.runner_up, ("alive", "all"))

    def band_constant(self, n: int, n_classes: int) -> float:
        """A = c1 sqrt(vc_dimension log n + log(C / delta)), the constant of the band A / sqrt(k)."""
        n, n_classes = checks.check_int("n", n, 1), checks.check_int("n_classes", n_classes, 2, 255)
        return band_constant(self.c1, self.delta, self.vc_dimension * log(n), n_classes)

    def least_k(self, n: int, n_classes: int) -> int:
        """The smallest k at which any class can be eliminated: A squared, rounded up."""
        return ceil(self.band_constant(n, n_classes) ** 2)

    def scan(self, table: NeighborTable, observed: np.ndarray, n_classes: int) -> Scan:
        """Which class is predicted at each query of a table, where the ball stops, and which classes are alive there.

        ``observed`` are class codes (n,) or bags (n, C) bool of the training points. Raises ValueError if the table
        holds fewer neighbors than max_neighbors and than all n points.
        """
        bags, m = observed_bags(table, observed, n_classes), len(table)
        min_gap = self.min_gap(largest_k(table, self.max_neighbors), table.n, n_classes)
        # Codes of the kernel: 0 the majority; 1 and 2 the largest lead, over the runner-up alive or that of all.
        fallback = 0 if self.fallback == "majority" else 1 if self.runner_up == "alive" else 2
        labels, stops, alive = np.empty(m, np.uint8), np.empty(m, np.int32), np.empty((m, n_classes), bool)
        parallel_chunks(
            lambda rows: kernels.eliminate(
                table.indices[rows], bags, min_gap, fallback, alive[rows], labels[rows], stops[rows]
            ),
            m,
            CHUNK,
        )
        return Scan(labels, stops, alive.sum(axis=1) == 1, alive)

    def min_gap(self, k_max: int, n: int, n_classes: int) -> np.ndarray:
        """Smallest gap (k_max,) in votes to the leading class that eliminates a class, at k = 1 to ``k_max``."""
        return np.ceil(self.band_constant(n, n_classes) * np.sqrt(np.arange(1, k_max + 1))).astype(np.int64)

    def trace(self, table: NeighborTable, observed: np.ndarray, n_classes: int, query: int = 0) -> Trace:
        """All steps of the ball around one query of a table.

        ``observed`` and errors are as for ``scan``, ``query`` is the row of the table.
        """
        bags, k_max = observed_bags(table, observed, n_classes), largest_k(table, self.max_neighbors)
        query = checks.check_int("query", query, 0, len(table) - 1)
        ks = np.arange(1, k_max + 1)
        counts = np.cumsum(bags[table.indices[query, :k_max]], axis=0, dtype=np.int64)
        eliminated_at = self._eliminated_at(counts, table.n)
        found = self.scan(NeighborTable(table.indices[[query]], table.n), observed, n_classes)
        stop = int(found.stop_k[0])
        alive = (eliminated_at == 0) | (eliminated_at >= ks[:, None])
        runner_up = np.sort(counts if self.runner_up == "all" else np.where(alive, counts, -1), axis=1)[:, -2:-1]
        before_stop = alive & (ks <= stop)[:, None]
        lead = np.where(before_stop, (counts - runner_up) / np.sqrt(ks)[:, None], np.nan)
        band = self.band_constant(table.n, n_classes) / np.sqrt(ks)
        return Trace(counts, band, alive, eliminated_at, lead, stop, int(found.labels[0]), bool(found.decided[0]))

    def _eliminated_at(self, counts: np.ndarray, n: int) -> np.ndarray:
        """The step (C,) at which each class is eliminated, or 0, from the votes (T, C) at each step."""
        k_max, n_classes = counts.shape
        min_gap = self.min_gap(k_max, n, n_classes)
        eliminated_at = np.zeros(n_classes, int)
        k = 0
        while k < k_max and (eliminated_at == 0).sum() > 1:
            alive = eliminated_at == 0
            gaps = counts[k:, alive].max(axis=1)[:, None] - counts[k:]
            eliminations = alive & (gaps >= min_gap[k:, None])
            if not eliminations.any():
                break
            step = int(eliminations.any(axis=1).argmax())
            k += step + 1
            eliminated_at[eliminations[step]] = k
        return eliminated_at
