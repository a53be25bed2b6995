"""Passive and active learners on the same points, compared at any number of labels."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil
from typing import NamedTuple, Self

import numpy as np

from knnviz import checks, kernels
from knnviz.active.sampling import FirstRound, TwoStageSample
from knnviz.active.scheme import FROM_R
from knnviz.active.voting import VOTERS, region_voters, vote
from knnviz.neighbors import NeighborTable
from knnviz.problems import Dataset, Problem

#: Learners by name: kNN on passive labels, and the two-round scheme with strict or inclusive voters in H.
LEARNERS = ("passive", *VOTERS)

#: How many times the neighbors needed a new table holds, so that it also serves a larger k.
HEADROOM = 1.5


class EvaluationPoints(NamedTuple):
    """Where learners are compared: ``points`` (Q, d), their ``weights`` (Q,), ``correct`` (Q,) classes, and H.

    For a known distribution the correct class is that of the Bayes rule, for data the label of a held-out point.
    ``hard`` (Q,) bool is whether a point lies in H.

    Examples
    --------
    >>> from knnviz.active import EvaluationPoints
    >>> import numpy as np
    >>> X, half = np.array([[0.25], [0.75]]), np.array([0.5, 0.5])
    >>> points = EvaluationPoints(X, weights=half, correct=np.array([0, 1]), hard=np.array([False, True]))
    >>> points.disagreement(np.array([[0, 1], [0, 0], [1, 0]])).tolist()
    [0.0, 0.5, 1.0]
    """

    points: np.ndarray
    weights: np.ndarray
    correct: np.ndarray
    hard: np.ndarray

    @classmethod
    def of(cls, source: Problem | Dataset, first: FirstRound) -> Self:
        """The cells of a first round, or the points that a data set holds out."""
        if isinstance(source, Dataset):
            size = len(source.X_test)
            return cls(source.X_test, np.full(size, 1 / size), source.y_test, first.hard_at(source.X_test))
        measure = first.measure
        return cls(measure.points, measure.weights, source.bayes(measure.points), first.hard)

    def disagreement(self, labels: np.ndarray) -> np.ndarray:
        """Weight (J,) of the points where labels (J, Q) are wrong."""
        return np.array([self.weights[wrong].sum() for wrong in labels != self.correct])


class IncrementalKNN:
    """The vote at queries (Q, d) of the first points of X (v, d), with classes y (v,), in the order they were bought.

    Examples
    --------
    >>> from knnviz.active import IncrementalKNN
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    >>> votes = IncrementalKNN(X, y, queries=np.array([[2.9]]))
    >>> votes.labels(counts=[1, 2, 3, 4], k=1).ravel().tolist()
    [0, 0, 1, 1]
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, queries: np.ndarray) -> None:
        self.X, self.y, self.queries = X, y.astype(np.uint8), queries
        self._table: NeighborTable | None = None

    def labels(self, counts: Sequence[int] | np.ndarray, k: int) -> np.ndarray:
        """Majority (J, Q) uint8 of the k nearest among the first ``counts`` (J,) points.

        All of these vote if they are fewer than k. A tie gives class 1, and so does a count of 0. ValueError for
        a count beyond the points.
        """
        k, counts = checks.check_int("k", k, 1), np.asarray(counts)
        for count in counts[(counts < 0) | (counts > len(self.X))].tolist():
            checks.check_int("count", count, 0, len(self.X))
        ones = np.empty((len(counts), len(self.queries)), np.int64)
        if self.X.shape[1] > 1:
            return np.array([self._labels(count, k) for count in counts.tolist()], np.uint8).reshape(ones.shape)
        kernels.votes_on_line(*self._sorted, counts, self.queries[:, 0], k, ones)
        return (2 * ones >= np.minimum(counts, k)[:, None]).astype(np.uint8)

    @cached_property
    def _sorted(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        order = np.argsort(self.X[:, 0])
        return self.X[order, 0], order, self.y[order]

    def _labels(self, count: int, k: int) -> np.ndarray:
        if count == 0 or not len(self.queries):
            return np.ones(len(self.queries), np.uint8)
        k, ones = min(k, count), np.empty(len(self.queries), np.int64)
        table = self._nearest(k, only_first=count < len(self.X))
        kernels.votes_of_first(table.indices, self.y, count, k, ones)
        # -1 where the table holds fewer than k of these points.
        labels, short = (2 * ones >= k).astype(np.uint8), np.flatnonzero(ones < 0)
        if len(short):
            labels[short] = vote(self.X[:count], self.y[:count], self.queries[short], k)
        return labels

    def _nearest(self, k: int, only_first: bool) -> NeighborTable:
        """The k nearest of all points, or more; the last table is kept. Concurrent calls may each build one."""
        # Where only the first points vote, others among the neighbors are skipped.
        needed, table = 2 * k if only_first else k, self._table
        if table is None or table.k_max < min(needed, len(self.X)):
            table = NeighborTable.build(self.X, self.queries, min(ceil(HEADROOM * needed), len(self.X)))
            self._table = table
        return table


@dataclass(frozen=True, eq=False)
class LearnerComparison:
    """Predictions of learners at the same points, from the first labels of a two-round sample or as many passive ones.

    ``X`` (n + m, d) and ``y`` (n + m,) are the labeled points of the passive learner. The two-round learners are the
    modified classifier of Rittler & Chaudhuri with strict or inclusive voters, which predicts class 1 without votes.

    Examples
    --------
    >>> from knnviz import active, problems
    >>> line = problems.linear()
    >>> sample, more = active.two_stage_sample(line, 1000, 1000, 200, 0.2, rng=2), line.sample(2000, seed=3)
    >>> points = active.EvaluationPoints.of(line, sample.first)
    >>> active.LearnerComparison(points, sample, more.X, more.y).disagreement([0, 1000], k=101).round(3).tolist()
    [[0.083, 0.074], [0.245, 0.048], [0.067, 0.043]]
    """

    evaluation: EvaluationPoints
    sample: TwoStageSample
    X: np.ndarray = field(repr=False)
    y: np.ndarray = field(repr=False)

    @cached_property
    def _passive(self) -> IncrementalKNN:
        return IncrementalKNN(self.X, self.y, self.evaluation.points)

    @cached_property
    def _voters(self) -> dict[str, tuple[np.ndarray, IncrementalKNN]]:
        """Which labels (n + m,) bool vote, and their votes: "outside" H, "strict" and "inclusive" in H."""
        sample, points, hard = self.sample, self.evaluation.points, self.evaluation.hard
        found = {"outside": (sample.stage != FROM_R, points[~hard])}
        found |= {name: (region_voters(sample.stage, sample.in_augmented, name), points[hard]) for name in VOTERS}
        return {
            name: (voters, IncrementalKNN(sample.X[voters], sample.y[voters], queries))
            for name, (voters, queries) in found.items()
        }

    def labels(self, learner: str, m: int, k: int) -> np.ndarray:
        """Predictions (Q,) uint8 of a learner with n labels of the first round and m more, by k neighbors."""
        if learner not in LEARNERS:
            raise ValueError(f"learner must be one of {', '.join(map(repr, LEARNERS))}, got {learner!r}")
        return self._labels(learner, self._totals([m]), k)[0]

    def disagreement(self, budgets: Sequence[int], k: int) -> np.ndarray:
        """Weight (learners, J) of the points where each learner is wrong, with each of ``budgets`` (J,) more labels."""
        totals = self._totals(budgets)
        return np.array([self.evaluation.disagreement(self._labels(learner, totals, k)) for learner in LEARNERS])

    def _totals(self, budgets: Sequence[int]) -> np.ndarray:
        """Labels (J,) of both rounds together."""
        n, m = self.sample.n, self.sample.m
        return n + np.array([checks.check_int("m", budget, 0, m) for budget in budgets], int)

    def _labels(self, learner: str, totals: np.ndarray, k: int) -> np.ndarray:
        if learner == LEARNERS[0]:
            return self._passive.labels(totals, k)
        labels = np.empty((len(totals), len(self.evaluation.points)), np.uint8)
        for name, where in ((learner, self.evaluation.hard), ("outside", ~self.evaluation.hard)):
            voters, knn = self._voters[name]
            labels[:, where] = knn.labels(np.cumsum(voters)[totals - 1], k)
        return labels
