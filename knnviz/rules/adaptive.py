"""A-kNN (adaptive kNN): the ball grows until the fraction of one class exceeds a baseline by a band."""

from dataclasses import dataclass
from math import log, sqrt
from typing import Literal

import numpy as np

from knnviz import checks, kernels
from knnviz.neighbors import NeighborTable
from knnviz.rules.scans import CHUNK, Scan, largest_k, observed_bags
from knnviz.threads import parallel_chunks


@dataclass(frozen=True)
class Adaptive:
    """A-kNN (adaptive kNN): k grows until the largest fraction of votes exceeds a baseline by a band A / sqrt(k).

    The ball stops at the first k at which the largest fraction minus the baseline reaches the band, with A = c1
    sqrt(log n + log(C / delta)). The class of the largest fraction is predicted. With two classes and plain labels,
    this is the original rule: the ball stops once ``|2 f - 1|`` reaches the band, with A = c1 sqrt(log n + log(1 /
    delta)), where f is the fraction of class 1. If the ball does not stop at any k, the point is undecided (the
    original abstains), and the class of the largest fraction among the ``max_neighbors`` is predicted.

    Of classes with equal fractions the smallest is predicted; with two classes and plain labels, which can tie at
    max_neighbors only, it is class 1.

    Source: Balsubramani et al. (2019); the extension and 1 / C as in Errandonea et al.; the other baseline is ours.

    Parameters
    ----------
    c1 : float
        Factor of the band's constant A, above 0 and at most 1e6.
    delta : float
        Failure probability, strictly between 0 and 1.
    max_neighbors : int, optional
        T, the largest k; n by default, and where it exceeds n.
    baseline : "classes" or "bag_size"
        1 / C, or the mean size of a bag divided by C: the fraction of bags that hold a class, averaged over the
        classes. For plain labels both are 1 / C.

    Examples
    --------
    >>> from knnviz import Adaptive, NeighborTable
    >>> import numpy as np
    >>> table = NeighborTable.build(np.arange(20.0)[:, None], np.array([[0.0], [9.4]]), 20)
    >>> found = Adaptive(c1=0.5, delta=0.1).scan(table, np.repeat([0, 1], 10), n_classes=2)
    >>> found.labels.tolist(), found.stop_k.tolist(), found.decided.tolist()
    ([0, 1], [2, 20], [True, False])
    """

    c1: float = 0.5
    delta: float = 0.1
    max_neighbors: int | None = None
    baseline: Literal["classes", "bag_size"] = "classes"

    def __post_init__(self) -> None:
        check_parameters(self.c1, self.delta, self.max_neighbors)
        checks.check_choice("baseline", self.baseline, ("classes", "bag_size"))

    def band_constant(self, n: int, n_classes: int, plain: bool = False) -> float:
        """A = c1 sqrt(log n + log(C / delta)), the constant of the band A / sqrt(k).

        Without C if labels are ``plain``, no bags, and of two classes: the original rule.
        """
        n, n_classes = checks.check_int("n", n, 1), checks.check_int("n_classes", n_classes, 2, 255)
        return band_constant(self.c1, self.delta, log(n), 1 if plain and n_classes == 2 else n_classes)

    def scan(self, table: NeighborTable, observed: np.ndarray, n_classes: int) -> Scan:
        """Which class is predicted at each query of a table, and where the ball stops.

        ``observed`` are class codes (n,) or bags (n, C) bool of the training points. Where a point is decided, all
        classes but the predicted one are eliminated; where it is undecided, none is. Raises ValueError if the table
        holds fewer neighbors than max_neighbors and than all n points.
        """
        bags, m, plain = observed_bags(table, observed, n_classes), len(table), np.ndim(observed) == 1
        min_votes = self.min_votes(largest_k(table, self.max_neighbors), bags, plain=plain)
        labels, stops, decided = np.empty(m, np.uint8), np.empty(m, np.int32), np.empty(m, bool)
        parallel_chunks(
            lambda rows: kernels.first_to_reach(
                table.indices[rows], bags, min_votes, labels[rows], stops[rows], decided[rows]
            ),
            m,
            CHUNK,
        )
        if plain and n_classes == 2:
            # A tie at max_neighbors goes to class 1, as in ``Vote``; the kernel gives the smallest class.
            ones = bags[table.indices[~decided, : len(min_votes)], 1].sum(axis=1, dtype=np.int64)
            labels[~decided] |= 2 * ones == len(min_votes)
        alive = np.arange(n_classes) == labels[:, None]
        alive[~decided] = True
        return Scan(labels, stops, decided, alive)

    def min_votes(self, k_max: int, bags: np.ndarray, *, plain: bool) -> np.ndarray:
        """Fewest votes (k_max,) for one class at which the ball stops, at k = 1 to ``k_max``, from bags (n, C)."""
        n, n_classes = bags.shape
        ks = np.arange(1, k_max + 1)
        band = self.band_constant(n, n_classes, plain) * np.sqrt(ks)
        if plain and n_classes == 2:
            # The larger of both counts, v, gives |2 f - 1| = (2 v - k) / k.
            return np.ceil((ks + np.ceil(band)) / 2).astype(np.int64)
        baseline = bags.sum(dtype=np.int64) / (n * n_classes) if self.baseline == "bag_size" else 1 / n_classes
        return np.ceil(baseline * ks + band).astype(np.int64)


def check_parameters(c1: float, delta: float, max_neighbors: int | None) -> None:
    """Raise ValueError unless 0 < c1 <= 1e6, 0 < delta < 1, and max_neighbors is at least 1 or None."""
    if checks.check_real("c1", c1, 0, 1e6) == 0:
        raise ValueError("c1 must be above 0: without a band the first neighbor decides everything")
    checks.check_failure_probability(delta)
    if max_neighbors is not None:
        checks.check_int("max_neighbors", max_neighbors, 1)


def band_constant(c1: float, delta: float, log_n: float, n_classes: int) -> float:
    """c1 sqrt(log n + log(C / delta)), where ``log_n`` may be a multiple of log n."""
    return float(c1) * sqrt(log_n + log(n_classes) - log(delta))
