"""One score at many class weights, fast: the objective function of a search for weights."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from knnviz import kernels
from knnviz.checks import (
    TIE_TOL,
    check_choice,
    check_fractions,
    check_numbers,
    check_real,
    check_truth,
    check_weights,
    shown,
)
from knnviz.means import ratio
from knnviz.neighbors import SpatialIndex
from knnviz.threads import parallel_chunks

#: Rows of weights in one piece of work.
CHUNK = 1024


def _f1(predicted: np.ndarray, hits: np.ndarray, totals: np.ndarray) -> np.ndarray:
    return ratio(2 * hits, predicted + totals).mean(axis=1)


def _accuracy(predicted: np.ndarray, hits: np.ndarray, totals: np.ndarray) -> np.ndarray:
    return hits.sum(axis=1) / totals.sum()


def _balanced(predicted: np.ndarray, hits: np.ndarray, totals: np.ndarray) -> np.ndarray:
    return ratio(hits, np.broadcast_to(totals, hits.shape)).mean(axis=1)


def _matthews(predicted: np.ndarray, hits: np.ndarray, totals: np.ndarray) -> np.ndarray:
    total = totals.sum()
    covariance = hits.sum(axis=1) * total - predicted @ totals
    of_predicted = total**2 - (predicted**2).sum(axis=1)
    of_truth = total**2 - (totals**2).sum()
    variances = of_predicted * of_truth
    return ratio(covariance, np.sqrt(np.maximum(variances, 0)))


#: Scores (J,) by their names in scikit-learn, from total weights of points: of those predicted as
#: each class (J, C), of the hits among these (J, C), and of those that belong to each class (C,).
#: Means are over all C classes, with 0 / 0 as 0; scikit-learn leaves out classes that do not occur.
#: Micro F1 is the accuracy.
SCORES: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]] = {
    "f1_macro": _f1,
    "f1_micro": _accuracy,
    "accuracy": _accuracy,
    "balanced_accuracy": _balanced,
    "matthews_corrcoef": _matthews,
}


@dataclass(frozen=True, eq=False)
class WeightScorer:
    """The score of any class weights at fixed points; made by ``from_fractions``, called with class
    weights.

    Points of equal fractions have equal predictions, so they are merged: ``fractions`` (C, m) are
    the distinct ones, ``point_weights`` (m,) the total weights of the points that have them, and
    ``truth`` (C, m) the parts of these weights that belong to each class.

    Examples
    --------
    >>> from knnviz.weights import WeightScorer
    >>> labels, fractions = [0, 1, 1, 1], [[0.8, 0.2], [0.6, 0.4], [0.4, 0.6], [0.3, 0.7]]
    >>> score = WeightScorer.from_fractions(labels, fractions, scoring="accuracy")
    >>> score([[0.5, 0.5], [0.3, 0.7], [0.1, 0.9]]).tolist()
    [0.75, 1.0, 0.75]
    """

    fractions: np.ndarray
    truth: np.ndarray
    point_weights: np.ndarray
    scoring: str
    tie_tol: float

    @classmethod
    def from_fractions(
        cls,
        truth: np.ndarray,
        fractions: np.ndarray,
        *,
        weights: np.ndarray | None = None,
        scoring: str = "f1_macro",
        tie_tol: float = TIE_TOL,
    ) -> Self:
        """The score, against ``truth``, of decisions by fractions (m, C).

        Source: Khim et al., section 6; ``truth`` of class codes gives the empirical F1, of eta the
        population F1.

        Parameters
        ----------
        truth, fractions, weights, tie_tol
            As in ``confusion``, whose ``rule="argmax"`` decides: the smallest class of a tie.
        scoring : str
            One of ``SCORES``: "f1_macro", "f1_micro", "accuracy", "balanced_accuracy" or
            "matthews_corrcoef".
        """
        check_choice("scoring", scoring, tuple(SCORES))
        fractions = check_fractions("fractions", fractions)
        m, n_classes = fractions.shape
        truth = check_truth("truth", truth, m, n_classes)
        point_weights = np.ones(m) if weights is None else check_weights(weights, m)
        tie_tol = float(check_real("tie_tol", tie_tol, 0, 1))
        by_class = truth * point_weights[:, None]

        # As ``np.unique`` along an axis, but several times as fast for few columns.
        rows, starts, members = SpatialIndex(fractions).positions
        position = np.repeat(np.arange(len(rows)), np.diff(starts))
        merged_truth = [np.bincount(position, part[members]) for part in by_class.T]
        merged = np.bincount(position, point_weights[members])
        distinct = np.ascontiguousarray(rows.T)
        return cls(distinct, np.array(merged_truth), merged, scoring, tie_tol)

    @cached_property
    def class_totals(self) -> np.ndarray:
        """Total weight (C,) of the points of each class."""
        return self.truth.sum(axis=1)

    def __call__(self, q: np.ndarray) -> np.ndarray | float:
        """Scores (J,) of weights (J, C), none negative, no row all 0; a number for one row (C,)."""
        scores = SCORES[self.scoring](*self.counts(q), self.class_totals)
        if np.ndim(q) == 2:
            return scores
        return float(scores[0])

    def counts(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Total weight (J, C) of the points that q (J, C) predicts as each class, and of the hits
        among them.
        """
        # The kernel is compiled for contiguous arrays.
        rows = np.ascontiguousarray(np.atleast_2d(check_numbers("q", q)))
        n_classes = len(self.fractions)
        fit = rows.size and rows.shape[1:] == (n_classes,) and rows.any(axis=1).all()
        if not fit or not 0 <= rows.min() <= rows.max() < np.inf:
            raise ValueError(
                f"q must hold {n_classes} weights in a row, finite, not negative and not all 0, "
                f"got {shown(q)}"
            )
        slack = self.tie_tol * rows.max(axis=1)
        predicted = np.empty(rows.shape)
        hits = np.empty(rows.shape)

        def count(part: slice) -> None:
            points = self.truth, self.fractions, self.point_weights
            kernels.sum_weights(*points, rows[part], slack[part], predicted[part], hits[part])

        parallel_chunks(count, len(rows), CHUNK)
        return predicted, hits
