"""Passive and active learners with equally many labels, compared at the same points (Rittler &
Chaudhuri).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple, Self

import numpy as np

from knnviz import checks
from knnviz.active.line import two_round_steps, vote_steps
from knnviz.active.sampling import passive_sample, two_stage_sample
from knnviz.active.scheme import FirstRound, Scheme, TwoStageSample
from knnviz.active.voting import VOTERS, IncrementalVotes, TwoStageVotes, Voters, majority
from knnviz.problems import Dataset, Problem
from knnviz.regions import hard_intervals
from knnviz.risk import Antiderivative, on_pieces

#: Learners by name: kNN on passive labels, and the two-round scheme with strict or inclusive voters
#: in H.
LEARNERS = ("passive", *VOTERS)


class ExactLine(NamedTuple):
    """A line on which learners are compared exactly: the intervals (J, 2) of H, and the Bayes
    labels, integrated.
    """

    hard: np.ndarray
    bayes: Antiderivative

    @property
    def hard_mass(self) -> float:
        """The mass of H."""
        up_to = self.bayes(self.hard.ravel()).sum(axis=1)
        return float((up_to[1::2] - up_to[::2]).sum())


class EvaluationPoints(NamedTuple):
    """Where learners are compared: ``points`` (Q, d), their ``weights`` (Q,), ``correct`` (Q,)
    classes, and H.

    For a known distribution the correct class is that of the Bayes rule, for data the label of a
    held-out point. ``hard`` (Q,) bool is whether a point lies in H. If mu has a density on a line,
    ``line`` measures between points.
    """

    points: np.ndarray
    weights: np.ndarray
    correct: np.ndarray
    hard: np.ndarray
    line: ExactLine | None = None

    @classmethod
    def from_first_round(cls, first: FirstRound, source: Problem | Dataset) -> Self:
        """The cells of a first round, or the points that a data set holds out."""
        if isinstance(source, Dataset):
            size = len(source.X_test)
            return cls(
                source.X_test, np.full(size, 1 / size), source.y_test, first.hard_at(source.X_test)
            )
        measure = first.measure
        line = None
        if source.has_line_density:
            hard = hard_intervals(first.X, first.y, first.votes.k_max, first.width, source.box[0])
            line = ExactLine(hard, bayes_labels(source))
        return cls(measure.points, measure.weights, source.bayes(measure.points), first.hard, line)

    def disagreement(self, labels: np.ndarray) -> np.ndarray:
        """Weight (J,) of the points where labels (J, Q) are wrong."""
        return np.array([self.weights[wrong].sum() for wrong in labels != self.correct])


@lru_cache(maxsize=4)
def bayes_labels(problem: Problem) -> Antiderivative:
    """The labels of the Bayes rule on a line, integrated; kept for the samples that follow."""
    return Antiderivative.from_problem(problem, rule=problem.bayes)


@dataclass(frozen=True, eq=False)
class LearnerComparison:
    """Predictions of learners at the same points, from the first labels of a two-round sample or as
    many passive ones.

    ``X`` (n + m, d) and ``y`` (n + m,) are the labeled points of the passive learner. The two-round
    learners are the modified classifier of Rittler & Chaudhuri with strict or inclusive voters,
    which predicts class 1 without votes.
    """

    evaluation: EvaluationPoints
    sample: TwoStageSample
    X: np.ndarray = field(repr=False)
    y: np.ndarray = field(repr=False)

    @cached_property
    def _voters(self) -> dict[str, tuple[Voters, ...]]:
        """Who votes, by learner: all passive points, or those in H and those elsewhere."""
        sample = self.sample
        found: dict[str, tuple[Voters, ...]] = {}
        found[LEARNERS[0]] = (Voters.from_points(self.X, self.y, np.ones(len(self.y), bool)),)
        for kind in VOTERS:
            found[kind] = Voters.by_region(
                sample.X, sample.y, sample.stage, sample.in_augmented, kind
            )
        return found

    @cached_property
    def _votes(self) -> dict[str, IncrementalVotes | TwoStageVotes]:
        """Votes at the points, by learner."""
        points = self.evaluation.points
        found: dict[str, IncrementalVotes | TwoStageVotes] = {}
        for learner, (voters, *elsewhere) in self._voters.items():
            if elsewhere:
                found[learner] = TwoStageVotes(voters, elsewhere[0], points, self.evaluation.hard)
            else:
                found[learner] = IncrementalVotes(voters, points)
        return found

    def labels(self, learner: str, m: int, k: int) -> np.ndarray:
        """Predictions (Q,) uint8 of a learner with n labels of the first round and m more, by k
        neighbors.
        """
        checks.check_choice("learner", learner, LEARNERS)
        m = checks.check_int("m", m, 0, self.sample.m)
        return majority(self._votes[learner].votes(k, [self.sample.n + m]))[0]

    def disagreement(
        self, budgets: Sequence[int], k: int, learners: Sequence[str] = LEARNERS
    ) -> np.ndarray:
        """Mass (learners, J) of where each learner is wrong, with each of ``budgets`` (J,) more
        labels.

        On a line it is exact, as in ``risk.on_line``; elsewhere it is the weight of such points.
        """
        k = checks.check_int("k", k, 1)
        budgets = [checks.check_int("budget", each, 0, self.sample.m) for each in budgets]
        for learner in learners:
            checks.check_choice("learner", learner, LEARNERS)
        totals = self.sample.n + np.array(budgets, int)
        line = self.evaluation.line
        if line is None:
            labels = [majority(self._votes[learner].votes(k, totals)) for learner in learners]
            return np.array([self.evaluation.disagreement(each) for each in labels])
        found = [
            [self._wrong_on(line, learner, total, k) for total in totals.tolist()]
            for learner in learners
        ]
        return np.array(found)

    def _wrong_on(self, line: ExactLine, learner: str, total: int, k: int) -> float:
        """Mass of where a learner is wrong on a line with ``total`` labels."""
        steps, *elsewhere = (vote_steps(voters, total, k) for voters in self._voters[learner])
        if elsewhere:
            steps = two_round_steps(steps, elsewhere[0], line.hard)
        return on_pieces(*steps, line.bayes)


class Trial(NamedTuple):
    """One trial: the sample of the scheme, and ``disagreement`` (learners, budgets, ks) with the
    Bayes rule.

    The passive learner has as many labels as the others at each budget. For data the disagreement
    is the error on the held-out points, on a line it is exact, in the plane it is measured on
    cells.
    """

    sample: TwoStageSample
    disagreement: np.ndarray


def trial(
    source: Problem | Dataset,
    n: int,
    m: int,
    scheme: Scheme,
    ks: Sequence[int],
    rng: int | np.random.SeedSequence,
    *,
    budgets: Sequence[int] | None = None,
    n_cells: int | None = None,
    learners: Sequence[str] = LEARNERS,
) -> Trial:
    """A passive and a two-round sample, and the fraction of points where each learner disagrees
    with the Bayes rule.

    Source: Rittler & Chaudhuri, who compare bounds with different k (Corollary 1); here all
    learners have the same k.

    Parameters
    ----------
    source, n, m, scheme, n_cells
        As in ``two_stage_sample``; the passive learner has n + m labels.
    ks : sequence of int
        Neighbors that vote; of fewer voters, all do.
    rng : int or SeedSequence
        ``default_rng(rng)`` for the scheme, a child of this seed for the passive learner.
    budgets : sequence of int, optional
        Labels of the second round at which the learners are compared, each from 0 to m; m alone by
        default.
    learners : sequence of str
        Those that are compared, of ``LEARNERS``.

    Examples
    --------
    >>> from knnviz import active, problems
    >>> scheme = active.Scheme(k_hard=200, passive_fraction=0.2)
    >>> found = active.trial(problems.linear(), 1000, 1000, scheme, ks=[101], rng=4)
    >>> dict(zip(active.LEARNERS, found.disagreement[:, 0, 0].round(3).tolist()))
    {'passive': 0.103, 'strict': 0.009, 'inclusive': 0.044}
    """
    stream = rng if isinstance(rng, np.random.SeedSequence) else np.random.SeedSequence(rng)
    ks = [checks.check_int("k", k, 1) for k in ks]
    sample = two_stage_sample(source, n, m, scheme, stream, n_cells)
    budgets = [m] if budgets is None else budgets
    X, y = passive_sample(source, n + m, stream)
    comparison = LearnerComparison(
        EvaluationPoints.from_first_round(sample.first, source), sample, X, y
    )
    # In this order, since the neighbors of the largest k include those of all others.
    found = {k: comparison.disagreement(budgets, k, learners) for k in sorted(ks, reverse=True)}
    return Trial(sample, np.stack([found[k] for k in ks], axis=-1))
