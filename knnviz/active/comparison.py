"""Passive and active learners on the same points, compared at any number of labels."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from knnviz.active.sampling import FirstRound, TwoStageSample
from knnviz.active.voting import VOTERS, IncrementalVotes, TwoRoundVotes, Voters, majority, region_voters
from knnviz.problems import Dataset, Problem

#: Learners by name: kNN on passive labels, and the two-round scheme with strict or inclusive voters in H.
LEARNERS = ("passive", *VOTERS)


class EvaluationPoints(NamedTuple):
    """Where learners are compared: ``points`` (Q, d), their ``weights`` (Q,), ``correct`` (Q,) classes, and H.

    For a known distribution the correct class is that of the Bayes rule, for data the label of a held-out point.
    ``hard`` (Q,) bool is whether a point lies in H.
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


@dataclass(frozen=True, eq=False)
class LearnerComparison:
    """Predictions of learners at the same points, from the first labels of a two-round sample or as many passive ones.

    ``X`` (n + m, d) and ``y`` (n + m,) are the labeled points of the passive learner. The two-round learners are the
    modified classifier of Rittler & Chaudhuri with strict or inclusive voters, which predicts class 1 without votes.

    Examples
    --------
    >>> from knnviz import active, problems
    >>> line, scheme = problems.linear(), active.Scheme(k_hard=200, passive_fraction=0.2)
    >>> sample, more = active.two_stage_sample(line, 1000, 1000, scheme, rng=2), line.sample(2000, seed=3)
    >>> points = active.EvaluationPoints.of(line, sample.first)
    >>> active.LearnerComparison(points, sample, more.X, more.y).disagreement([0, 1000], k=101).round(3).tolist()
    [[0.083, 0.074], [0.245, 0.048], [0.067, 0.043]]
    """

    evaluation: EvaluationPoints
    sample: TwoStageSample
    X: np.ndarray = field(repr=False)
    y: np.ndarray = field(repr=False)

    @cached_property
    def _votes(self) -> dict[str, IncrementalVotes | TwoRoundVotes]:
        """Votes of each of ``LEARNERS``."""
        (points, _, _, hard), sample = self.evaluation, self.sample
        found: dict[str, IncrementalVotes | TwoRoundVotes] = {}
        found[LEARNERS[0]] = IncrementalVotes(Voters.of(self.X, self.y, np.ones(len(self.y), bool)), points)
        for kind in VOTERS:
            in_hard = region_voters(sample.stage, sample.in_augmented, kind)
            found[kind] = TwoRoundVotes(*Voters.by_region(sample.X, sample.y, sample.stage, in_hard), points, hard)
        return found

    def labels(self, learner: str, m: int, k: int) -> np.ndarray:
        """Predictions (Q,) uint8 of a learner with n labels of the first round and m more, by k neighbors."""
        return majority(self._votes[learner].votes(k, [self.sample.n + m]))[0]

    def disagreement(self, budgets: Sequence[int], k: int) -> np.ndarray:
        """Weight (learners, J) of the points where each learner is wrong, with each of ``budgets`` (J,) more labels."""
        totals = self.sample.n + np.array(budgets, int)
        return np.array(
            [self.evaluation.disagreement(majority(each.votes(k, totals))) for each in self._votes.values()]
        )
