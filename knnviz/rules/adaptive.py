"""Rules that choose a k of their own at each query: a ball around it grows one neighbor at a time
until it stops.
"""

from dataclasses import dataclass
from math import ceil, log, sqrt
from typing import Literal, NamedTuple

import numpy as np

from knnviz import kernels
from knnviz.bags import as_bags
from knnviz.checks import (
    check_choice,
    check_failure_probability,
    check_int,
    check_n_classes,
    check_real,
)
from knnviz.neighbors import NeighborTable
from knnviz.threads import parallel_chunks

#: Queries in one chunk.
CHUNK = 4096


class Scan(NamedTuple):
    """Results of a rule that chooses its own k, for each of m queries.

    ``labels`` (m,) uint8 are the predicted classes, ``stop_k`` (m,) int32 the k at which the ball
    stopped, or T, the largest k, ``decided`` (m,) bool whether only one class was alive then,
    ``alive`` (m, C) bool the classes alive, those not eliminated.
    """

    labels: np.ndarray
    stop_k: np.ndarray
    decided: np.ndarray
    alive: np.ndarray


class Trace(NamedTuple):
    """All steps of PL A-kNN (A-kNN for partial labels, that is, bags) at one query, from k = 1 to
    T, the largest k.

    Steps after the ball has stopped are among them.

    Row k - 1 is step k, and a column stands for a class: ``counts`` (T, C) are its votes, the bags
    among the k nearest that hold it; ``alive`` (T, C) bool is whether it was not eliminated before
    the step; ``lead`` (T, C) its votes minus those of the runner-up, divided by sqrt(k), NaN where
    it was eliminated or the ball has stopped. ``band`` (T,) is Delta(k) = A / sqrt(k). Errandonea
    et al.'s M(k, y) is A - ``lead``, where A is ``band_constant``. ``eliminated_at`` (C,) is the
    step at which each class is eliminated, or 0. ``stop_k``, ``label`` and ``decided`` are those of
    ``Scan``.
    """

    counts: np.ndarray
    band: np.ndarray
    alive: np.ndarray
    eliminated_at: np.ndarray
    lead: np.ndarray
    stop_k: int
    label: int
    decided: bool


@dataclass(frozen=True)
class StoppingRule:
    """A rule whose ball grows until fractions of votes differ by a band A / sqrt(k), or until it
    holds T neighbors.

    ``c1`` is the factor of the band's constant A, ``delta`` a failure probability,
    ``max_neighbors`` the largest k, T.
    """

    c1: float = 0.5
    delta: float = 0.1
    max_neighbors: int | None = None

    #: Factor of log n in A.
    vc_dimension = 1

    def __post_init__(self) -> None:
        if not check_real("c1", self.c1, 0, 1e6):
            raise ValueError(
                "c1 must be above 0: without a band the first neighbor decides everything"
            )
        check_failure_probability(self.delta)
        if self.max_neighbors is not None:
            check_int("max_neighbors", self.max_neighbors, 1)

    def band_constant(self, n: int, n_classes: int) -> float:
        """A = c1 sqrt(vc_dimension log n + log(C / delta)); C = 1 gives that of the original rule
        for two classes and labels.
        """
        n = check_int("n", n, 1)
        n_classes = check_int("n_classes", n_classes, 1)
        squared = self.vc_dimension * log(n) + log(n_classes) - log(self.delta)
        return self.c1 * sqrt(squared)

    def _read(
        self, table: NeighborTable, observed: np.ndarray, n_classes: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Bags (n, C) uint8 of a table's training points, a label as a bag of one class, and the k
        (T,) of all steps.

        Raises ValueError if the table holds fewer neighbors than T, the smaller of
        ``max_neighbors`` and n.
        """
        n_classes = check_n_classes(n_classes)
        most = min(self.max_neighbors or table.n, table.n)
        if most > table.k_max:
            text = f"the rule reads up to {most} neighbors, but the table holds {table.k_max}"
            raise ValueError(f"{text}: build a larger table or set max_neighbors")
        bags = np.ascontiguousarray(as_bags(observed, table.n, n_classes))
        return bags.view(np.uint8), np.arange(1, most + 1)


@dataclass(frozen=True)
class Adaptive(StoppingRule):
    """A-kNN (adaptive kNN): k grows until the largest fraction of votes exceeds a baseline by a
    band A / sqrt(k).

    The ball stops at the first k at which the largest fraction minus the baseline reaches the band,
    with A = ``c1 * sqrt(log(n) + log(C / delta))``. The class of the largest fraction is predicted.
    With two classes and plain labels the original rule applies instead: the ball stops once
    ``|2 f - 1|``, where f is the fraction of class 1, reaches the band with
    A = ``c1 * sqrt(log(n) + log(1 / delta))``. If the ball does not stop at any k, the point is
    undecided (the original abstains), and the class of the largest fraction among the
    ``max_neighbors`` is predicted.

    Of classes with equal fractions the smallest is predicted; with two classes and plain labels,
    which can tie at max_neighbors only, it is class 1.

    Source: Balsubramani et al. (2019); the extension and 1 / C as in Errandonea et al.; the other
    baseline is ours.

    Parameters
    ----------
    c1 : float
        Factor of the band's constant A, above 0 and at most 1e6.
    delta : float
        Failure probability, strictly between 0 and 1.
    max_neighbors : int, optional
        T, the largest k: n by default; larger values count as n.
    baseline : "classes" or "bag_size"
        1 / C, or the mean size of a bag divided by C: the fraction of bags that hold a class,
        averaged over the classes. For plain labels both are 1 / C.

    Examples
    --------
    >>> from knnviz import Adaptive, NeighborTable
    >>> import numpy as np
    >>> table = NeighborTable.build(np.arange(20.0)[:, None], np.array([[0.0], [9.4]]), 20)
    >>> found = Adaptive(c1=0.5, delta=0.1).scan(table, np.repeat([0, 1], 10), n_classes=2)
    >>> found.labels.tolist(), found.stop_k.tolist(), found.decided.tolist()
    ([0, 1], [2, 20], [True, False])
    """

    baseline: Literal["classes", "bag_size"] = "classes"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("baseline", self.baseline, ("classes", "bag_size"))

    def scan(self, table: NeighborTable, observed: np.ndarray, n_classes: int) -> Scan:
        """Which class is predicted at each query of a table, and where the ball stops.

        ``observed`` are class codes (n,) or bags (n, C) bool of the training points. Where a point
        is decided, all classes but the predicted one are eliminated; where it is undecided, none
        is. Raises ValueError if the table holds fewer neighbors than T.
        """
        bags, ks = self._read(table, observed, n_classes)
        original = n_classes == 2 and np.ndim(observed) == 1
        constant = self.band_constant(table.n, 1 if original else n_classes)
        band = constant * np.sqrt(ks)
        if original:
            # The larger of both counts, v, gives |2 f - 1| = (2 v - k) / k.
            min_votes = (ks + np.ceil(band)) / 2
        elif self.baseline == "bag_size":
            min_votes = bags.sum(dtype=np.int64) / bags.size * ks + band
        else:
            min_votes = 1 / n_classes * ks + band
        min_votes = np.ceil(min_votes).astype(np.int64)

        m = len(table)
        indices = table.indices
        labels = np.empty(m, np.uint8)
        stops = np.empty(m, np.int32)
        decided = np.empty(m, bool)

        def scan_rows(rows: slice) -> None:
            kernels.first_to_reach(
                indices[rows], bags, min_votes, labels[rows], stops[rows], decided[rows]
            )

        parallel_chunks(scan_rows, m, CHUNK)
        if original:
            # A tie at max_neighbors goes to class 1, as in ``Vote``; the kernel gives the smallest
            # class.
            neighbors = indices[~decided, : len(ks)]
            ones = bags[neighbors, 1].sum(axis=1, dtype=np.int64)
            labels[~decided] |= 2 * ones == len(ks)
        alive = np.arange(n_classes) == labels[:, None]
        alive[~decided] = True
        return Scan(labels, stops, decided, alive)


@dataclass(frozen=True)
class PartialAdaptive(StoppingRule):
    """PL A-kNN: as the ball grows, a class is eliminated once its gap to the leading class reaches
    a shrinking band.

    At step k the bag of the k-th neighbor, its set of candidate labels, votes for each class in it.
    A class that is not eliminated is alive; the leading class has the most votes among these. A
    class is eliminated if its fraction of the k bags is below that of the leading class by the band
    Delta(k) = A / sqrt(k) or more. The constant is A = c1 sqrt(vc_dimension log n + log(C /
    delta)). The ball stops when one class is alive, or after T neighbors.

    Source: Errandonea et al., Algorithms 1 and 2; the majority as a fallback is ours.

    Parameters
    ----------
    c1, delta, max_neighbors
        As in ``Adaptive``; the last one is T.
    fallback : "lead" or "majority"
        Which class is predicted if several are alive after T neighbors. "lead": of these, the class
        with the largest lead at any k, where the lead is its votes minus those of the runner-up,
        divided by sqrt(k). Of equal leads the one at the smallest k counts, then that of the
        smallest class; the comparison is exact. "majority": of these, the class in most of the T
        bags, of several the smallest.
    runner_up : "alive" or "all"
        Whether the runner-up has the second most votes among the classes alive, as in Algorithm 2,
        or among all classes, a possible reading of appendix D.3.
    vc_dimension : int
        Factor of log n in A: 1 for a guarantee at one point; the VC dimension of balls (D + 1 in D
        dimensions) for a guarantee at all points together.

    Examples
    --------
    >>> from knnviz import NeighborTable, PartialAdaptive
    >>> import numpy as np
    >>> table = NeighborTable.build(np.arange(20.0)[:, None], np.array([[0.0]]), 20)
    >>> bags = np.array([[1, 1, 0], [1, 0, 1]] * 10) == 1
    >>> [part.tolist() for part in PartialAdaptive().scan(table, bags, n_classes=3)]
    [[0], [8], [True], [[True, False, False]]]
    """

    fallback: Literal["lead", "majority"] = "lead"
    runner_up: Literal["alive", "all"] = "alive"
    vc_dimension: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("vc_dimension", self.vc_dimension, 1)
        check_choice("fallback", self.fallback, ("lead", "majority"))
        check_choice("runner_up", self.runner_up, ("alive", "all"))

    def least_k(self, n: int, n_classes: int) -> int:
        """The smallest k at which any class can be eliminated: A squared, rounded up."""
        return ceil(self.band_constant(n, n_classes) ** 2)

    def scan(self, table: NeighborTable, observed: np.ndarray, n_classes: int) -> Scan:
        """Which class is predicted at each query of a table, where the ball stops, and which
        classes are alive there.

        ``observed`` and errors are as for ``Adaptive.scan``.
        """
        found, _ = self._eliminate(table, observed, n_classes)
        return found

    def _eliminate(
        self, table: NeighborTable, observed: np.ndarray, n_classes: int
    ) -> tuple[Scan, np.ndarray]:
        """What ``scan`` returns, and the step (m, C) at which each class is eliminated, or 0."""
        bags, ks = self._read(table, observed, n_classes)
        # The smallest gap to the leading class that eliminates a class, at each k.
        band = self.band_constant(table.n, n_classes) * np.sqrt(ks)
        min_gap = np.ceil(band).astype(np.int64)
        # Codes of the kernel: 0 the majority; 1 and 2 the largest lead, over the runner-up alive or
        # that of all.
        fallback = 1 if self.runner_up == "alive" else 2
        if self.fallback == "majority":
            fallback = 0

        m = len(table)
        indices = table.indices
        labels = np.empty(m, np.uint8)
        stops = np.empty(m, np.int32)
        eliminated_at = np.empty((m, n_classes), np.int32)

        def scan_rows(rows: slice) -> None:
            outputs = eliminated_at[rows], labels[rows], stops[rows]
            kernels.eliminate(indices[rows], bags, min_gap, fallback, *outputs)

        parallel_chunks(scan_rows, m, CHUNK)
        alive = eliminated_at > len(ks)
        decided = alive.sum(axis=1) == 1
        eliminated_at[alive] = 0
        return Scan(labels, stops, decided, alive), eliminated_at

    def trace(self, table: NeighborTable, observed: np.ndarray, n_classes: int) -> Trace:
        """All steps of the ball around the first query of a table; ``observed`` and errors as for
        ``scan``.
        """
        bags, ks = self._read(table, observed, n_classes)
        found, steps = self._eliminate(table, observed, n_classes)
        eliminated_at = steps[0]
        stop = int(found.stop_k[0])
        label = int(found.labels[0])
        decided = bool(found.decided[0])

        counts = np.cumsum(bags[table.indices[0, : len(ks)]], axis=0, dtype=np.int64)
        alive = (eliminated_at == 0) | (eliminated_at >= ks[:, None])

        rivals = counts if self.runner_up == "all" else np.where(alive, counts, -1)
        runner_up = np.sort(rivals, axis=1)[:, -2:-1]
        lead = (counts - runner_up) / np.sqrt(ks)[:, None]
        before_stop = alive & (ks <= stop)[:, None]
        lead = np.where(before_stop, lead, np.nan)
        band = self.band_constant(table.n, n_classes) / np.sqrt(ks)
        return Trace(counts, band, alive, eliminated_at, lead, stop, label, decided)
