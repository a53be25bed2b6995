"""Base of the classifiers whose rule chooses its own k, with a search for no more neighbors than it needs."""

from dataclasses import KW_ONLY, replace
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from knnviz.estimators.bag_labels import BagsClassifier
from knnviz.estimators.base import MetricClassifier, estimator, n_rule_classes
from knnviz.neighbors import NeighborTable
from knnviz.rules import Adaptive, PartialAdaptive, Scan
from knnviz.threads import slices

#: Neighbors searched for first, and the factor by which their number grows as long as balls do not stop.
FIRST_K, GROWTH = 64, 4

#: Most neighbors in memory at one time.
MOST_IN_MEMORY = 2**22

#: Most classes of a rule.
MOST_CLASSES = 255


@estimator
class StoppingClassifier(BagsClassifier, MetricClassifier):
    """Base of the classifiers that are fitted on labels or on bags, and whose balls choose their own k.

    Parameters
    ----------
    c1 : float
        Factor of the band, above 0: the larger, the larger the balls. Like all parameters but ``classes`` and those of
        the metric it may be changed without a new fit.
    delta : float
        Failure probability, strictly between 0 and 1.
    max_neighbors : int, optional
        T, the largest k; n if None, and where it exceeds n.
    baseline : "classes" or "bag_size"
        What the fraction of a label must exceed in A-kNN: 1 / C, or the mean size of a bag divided by C. For plain
        labels both are 1 / C.
    """

    c1: float = 0.5
    delta: float = 0.1
    max_neighbors: int | None = None
    _: KW_ONLY
    baseline: Literal["classes", "bag_size"] = "classes"

    def _rule(self) -> Adaptive | PartialAdaptive:
        """The rule of the parameters; ValueError if they are out of range."""
        raise NotImplementedError

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        self._rule()
        train = self._train(X, y)
        if len(train.classes) > MOST_CLASSES:
            raise ValueError(f"there must be at most {MOST_CLASSES} classes, got {len(train.classes)}")
        self._keep(train)
        return self

    def scan(self, X: ArrayLike) -> Scan:
        """All results at X (m, d), see ``knnviz.rules.Scan``, from one search for neighbors.

        ``labels`` are codes here. ``predict``, ``predict_set`` (``alive``), ``stopping_neighbors`` (``stop_k``) and
        ``decided`` each return a part of it, and each call searches anew.
        """
        scan = self._scan(self._queries(X), self._rule())
        alive = scan.alive[:, : len(self.classes_)]
        return scan._replace(decided=alive.sum(axis=1) == 1, alive=alive)

    def _scan(self, queries: np.ndarray, rule: Adaptive | PartialAdaptive) -> Scan:
        """The scan of a rule around queries (m, d), with as many neighbors as each of them needs."""
        n, m, n_classes = self.n_samples_fit_, len(queries), n_rule_classes(self.classes_)
        k_max = n if rule.max_neighbors is None else min(rule.max_neighbors, n)
        scan = Scan(np.empty(m, np.uint8), np.empty(m, np.int32), np.empty(m, bool), np.empty((m, n_classes), bool))
        rows, k = np.arange(m), min(FIRST_K, k_max)
        while len(rows):
            # A ball that stops within k neighbors stops there with more of them, too.
            short_rule = replace(rule, max_neighbors=k)
            for part in slices(len(rows), max(1, MOST_IN_MEMORY // k)):
                piece = rows[part]
                table = NeighborTable.build(self._index, queries[piece], k)
                for results, new in zip(scan, short_rule.scan(table, self._labels, n_classes), strict=True):
                    results[piece] = new
            rows = rows[~scan.decided[rows]] if k < k_max else rows[:0]
            k = min(GROWTH * k, k_max)
        return scan

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d), those of undecided points included."""
        codes = self.scan(X).labels
        return self.classes_[codes]

    def predict_set(self, X: ArrayLike) -> np.ndarray:
        """Which of ``classes_`` are not eliminated, (m, C) bool, where the balls around X (m, d) stopped."""
        return self.scan(X).alive

    def stopping_neighbors(self, X: ArrayLike) -> np.ndarray:
        """The k (m,) at which the balls around X (m, d) stopped."""
        return self.scan(X).stop_k

    def decided(self, X: ArrayLike) -> np.ndarray:
        """Whether one label is left (m,) where the balls around X (m, d) stopped."""
        return self.scan(X).decided
