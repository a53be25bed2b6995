"""What the classifiers fraction whose balls stop by themselves: bags at the door, no more neighbors than are needed."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted, validate_data

from knnviz.estimators.bag_labels import holds_bags, named, placed, refuse_bags, table_of_bags
from knnviz.estimators.base import Learned, NeighborsClassifier
from knnviz.neighbors import NeighborTable, prepare
from knnviz.rules import Adaptive, PartialAdaptive, Scan

#: Neighbors that are looked up first; balls that do not stop within them are given this many times as many.
FIRST, MORE = 64, 4

#: Neighbors that are held at one time.
HELD = 2**22

#: Classes that a rule tells apart.
MOST = 255


class StoppingClassifier(NeighborsClassifier):
    """Base of the classifiers that are fitted on labels or on bags, and whose balls choose their own k.

    A family says by which rule (``_rule``), which labels there are (``classes``, if they can be named), and what it
    makes of plain labels (``_seen``).
    """

    classes: Sequence[Any] | None = None

    def _rule(self) -> Adaptive | PartialAdaptive:
        """The rule that the parameters ask for; ValueError if they are out of range."""
        raise NotImplementedError

    def _seen(self, codes: np.ndarray, n_classes: int) -> np.ndarray:
        """What the rule reads where plain labels, here as codes (n,), were given."""
        return codes

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Keep the training points and what is observed of their labels.

        Parameters
        ----------
        X : (n, d) array
            Training points.
        y : (n,) array, or table of n rows and two or more columns
            Labels, or bags of candidate labels: truth values (or 0 and 1) in an array, a sparse matrix or a data frame,
            with a column for each class. A bag may be empty. Sets of labels are made such a table by
            ``knnviz.corruption.read_bags``.

        Raises
        ------
        ValueError
            For parameters out of their ranges, for data that are none, for sets, and for labels that are not among the
            classes where these are named.
        """
        self._rule()
        learned = self._learn(X, y)
        if len(learned.classes) > MOST:
            raise ValueError(f"there must be at most {MOST} classes, got {len(learned.classes)}")
        self._keep(learned)
        return self

    def _learn(self, X: ArrayLike, y: ArrayLike, least: int = 1) -> Learned:
        """Training points X (n, d), classes, and what a rule reads of their labels: codes (n,) or bags (n, C)."""
        if not holds_bags(y):
            points, classes, codes = super()._learn(X, y, least)
            if self.classes is not None:
                classes, codes = placed(classes, codes, named(self.classes))
            return Learned(points, classes, self._seen(codes, known(classes)))
        bags, classes = table_of_bags(y, self.classes)
        X, bags = validate_data(self, X, bags, dtype=np.float64, multi_output=True, ensure_min_samples=least)
        points = prepare(X, self.metric, self.p, algorithm=self.algorithm, n_jobs=self.n_jobs)
        return Learned(points, classes, bags)

    def scan(self, X: ArrayLike) -> Scan:
        """All that the balls around X (m, d) came to, from one search for neighbors.

        ``predict``, ``predict_set``, ``stopping_neighbors`` and ``decided`` each give a part of it, and each of their
        calls searches anew. ``labels`` are codes here, places in ``classes_``. Raises ValueError for points that do not
        fit the training points.
        """
        check_is_fitted(self, "n_samples_fit_")
        scan = self._scan(validate_data(self, X, dtype=np.float64, reset=False), self._rule())
        alive = scan.alive[:, : len(self.classes_)]
        return scan._replace(decided=alive.sum(axis=1) == 1, alive=alive)

    def _scan(self, queries: np.ndarray, rule: Adaptive | PartialAdaptive) -> Scan:
        """The scan of a rule around queries (m, d), with as many neighbors as each of them needs."""
        n, m, n_classes = self.n_samples_fit_, len(queries), known(self.classes_)
        most = n if rule.max_neighbors is None else min(rule.max_neighbors, n)
        found = Scan(np.empty(m, np.uint8), np.empty(m, np.int32), np.empty(m, bool), np.empty((m, n_classes), bool))
        rows, reach = np.arange(m), min(FIRST, most)
        while len(rows):
            # What has stopped by then would have stopped there with more neighbors too.
            short, size = replace(rule, max_neighbors=reach), max(1, HELD // reach)
            for piece in (rows[start : start + size] for start in range(0, len(rows), size)):
                table = NeighborTable.build(self._points, queries[piece], reach)
                for kept, part in zip(found, short.scan(table, self._labels, n_classes), strict=True):
                    kept[piece] = part
            rows = rows[~found.decided[rows]] if reach < most else rows[:0]
            reach = min(MORE * reach, most)
        return found

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels (m,) of X (m, d), those of undecided points included; it searches for neighbors, see ``scan``."""
        labels = self.scan(X).labels
        return self.classes_[labels]

    def predict_set(self, X: ArrayLike) -> np.ndarray:
        """Which labels (m, C) are left where the balls around X (m, d) stopped: one alone where the point is decided.

        Columns are those of ``classes_``. It searches for neighbors, see ``scan``.
        """
        return self.scan(X).alive

    def stopping_neighbors(self, X: ArrayLike) -> np.ndarray:
        """The k (m,) at which the balls around X (m, d) stopped; it searches for neighbors, see ``scan``."""
        return self.scan(X).stop_k

    def decided(self, X: ArrayLike) -> np.ndarray:
        """Whether one label is left (m,) of X (m, d) where the ball stopped; it searches, see ``scan``."""
        return self.scan(X).decided

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Fraction of X (m, d) whose true labels y (m,) are predicted.

        Raises ValueError for bags, which do not tell the truth.
        """
        refuse_bags(y)
        return super().score(X, y, sample_weight)


def known(classes: np.ndarray) -> int:
    """How many classes a rule is told of: two at least, so that a class alone has one beside it that never occurs."""
    return max(2, len(classes))
