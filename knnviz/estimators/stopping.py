"""What the classifiers share whose balls stop by themselves: labels or bags, and no more neighbors than are needed."""

from dataclasses import KW_ONLY, replace
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from knnviz.estimators.bag_labels import BagsClassifier
from knnviz.estimators.base import MetricClassifier, estimator, n_codes
from knnviz.neighbors import NeighborTable
from knnviz.rules import Adaptive, PartialAdaptive, Scan
from knnviz.threads import slices

#: Neighbors that are looked up first; balls that do not stop within them are given this many times as many.
FIRST, MORE = 64, 4

#: Neighbors that are held at one time.
HELD = 2**22

#: Classes that a rule tells apart.
MOST = 255


@estimator
class StoppingClassifier(BagsClassifier, MetricClassifier):
    """Base of the classifiers that are fitted on labels or on bags, and whose balls choose their own k.

    Parameters
    ----------
    c1 : float
        Factor of the band, above 0. The larger, the farther a ball grows. Like all parameters but ``classes`` and
        those of the metric it may be set anew without a new fit.
    delta : float
        Failure probability, strictly between 0 and 1.
    max_neighbors : int, optional
        T, the largest k, at most n; None stands for n.
    baseline : "classes" or "bag_size"
        What a label must stand out of in A-kNN where there are bags: 1 / C, or the mean size of a bag over C. The same
        for plain labels.
    """

    c1: float = 0.5
    delta: float = 0.1
    max_neighbors: int | None = None
    _: KW_ONLY
    baseline: Literal["classes", "bag_size"] = "classes"

    def _rule(self) -> Adaptive | PartialAdaptive:
        """The rule of the parameters; ValueError if they are out of range."""
        raise NotImplementedError

    def _observed(self, codes: np.ndarray, n_classes: int) -> np.ndarray:
        """What the rule reads where labels, here as codes (n,), were given."""
        return codes

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        self._rule()
        learned = self._learn(X, y)
        if len(learned.classes) > MOST:
            raise ValueError(f"there must be at most {MOST} classes, got {len(learned.classes)}")
        self._keep(learned)
        return self

    def _read(self, X: ArrayLike, y: ArrayLike, least: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        X, classes, seen = super()._read(X, y, least)
        return X, classes, seen if seen.ndim == 2 else self._observed(seen, n_codes(classes))

    def scan(self, X: ArrayLike) -> Scan:
        """All that the balls around X (m, d) came to, from one search for neighbors.

        ``predict``, ``predict_set``, ``stopping_neighbors`` and ``decided`` each give a part of it, and each of their
        calls searches anew. ``labels`` are positions in ``classes_`` here. Raises ValueError for points that do not fit
        the training points.
        """
        scan = self._scan(self._queries(X), self._rule())
        alive = scan.alive[:, : len(self.classes_)]
        return scan._replace(decided=alive.sum(axis=1) == 1, alive=alive)

    def _scan(self, queries: np.ndarray, rule: Adaptive | PartialAdaptive) -> Scan:
        """The scan of a rule around queries (m, d), with as many neighbors as each of them needs."""
        n, m, n_classes = self.n_samples_fit_, len(queries), n_codes(self.classes_)
        most = n if rule.max_neighbors is None else min(rule.max_neighbors, n)
        found = Scan(np.empty(m, np.uint8), np.empty(m, np.int32), np.empty(m, bool), np.empty((m, n_classes), bool))
        rows, reach = np.arange(m), min(FIRST, most)
        while len(rows):
            # What has stopped by then would have stopped there with more neighbors too.
            short, size = replace(rule, max_neighbors=reach), max(1, HELD // reach)
            for part in slices(len(rows), size):
                piece = rows[part]
                table = NeighborTable.build(self._points, queries[piece], reach)
                for kept, new in zip(found, short.scan(table, self._labels, n_classes), strict=True):
                    kept[piece] = new
            rows = rows[~found.decided[rows]] if reach < most else rows[:0]
            reach = min(MORE * reach, most)
        return found

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d), those of undecided points included."""
        codes = self.scan(X).labels
        return self.classes_[codes]

    def predict_set(self, X: ArrayLike) -> np.ndarray:
        """Which of ``classes_`` are left, (m, C) bool, where the balls around X (m, d) stopped."""
        return self.scan(X).alive

    def stopping_neighbors(self, X: ArrayLike) -> np.ndarray:
        """The k (m,) at which the balls around X (m, d) stopped."""
        return self.scan(X).stop_k

    def decided(self, X: ArrayLike) -> np.ndarray:
        """Whether one label is left (m,) of X (m, d) where the ball stopped."""
        return self.scan(X).decided
