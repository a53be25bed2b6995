"""Passive and active learners of equally many labels, at the same points (Rittler & Chaudhuri)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, Self

import numpy as np

from knnviz.active.line import Steps, two_round_steps, vote_steps, voter_windows
from knnviz.active.sampling import passive_sample, two_stage_sample
from knnviz.active.scheme import FirstRound, Scheme, TwoStageSample
from knnviz.active.voting import VOTERS, TwoStageVotes, Voters, majority, two_round_voters
from knnviz.checks import Seed, check_choice, check_ints, check_seed
from knnviz.problems import Dataset, Problem
from knnviz.regions import hard_intervals
from knnviz.risk import Antiderivative, on_line
from knnviz.risk.integrals import at_changes

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

    def wrong(self, steps: Steps) -> np.ndarray:
        """The intervals (J, 2) where a rule differs from the Bayes rule, one after the other."""
        edges = self.bayes.edges
        labels = np.diff(self.bayes.values, axis=0).argmax(axis=1)
        bayes = Steps(*at_changes(edges[1:-1], labels))
        ends = np.unique([edges[0], *steps.ends, *bayes.ends, edges[-1]])
        is_wrong = steps.at(ends[1:]) != bayes.at(ends[1:])
        return np.column_stack([ends[:-1], ends[1:]])[is_wrong]


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
            points = source.X_test
            weights = np.full(len(points), 1 / len(points))
            return cls(points, weights, source.y_test, first.hard_at(points))

        line = None
        if source.has_line_density:
            k_hard = first.scheme.k_hard
            hard = hard_intervals(first.X, first.y, k_hard, first.width, source.box[0])
            line = ExactLine(hard, bayes_labels(source))
        measure = first.measure
        correct = source.bayes(measure.points)
        return cls(measure.points, measure.weights, correct, first.hard, line)

    def disagreement(self, labels: np.ndarray) -> np.ndarray:
        """Weight (J,) of the points where labels (J, Q) are wrong."""
        return (labels != self.correct) @ self.weights


@lru_cache(maxsize=4)
def bayes_labels(problem: Problem) -> Antiderivative:
    """The labels of the Bayes rule on a line, integrated; kept for the samples that follow."""
    return Antiderivative.build(problem, rule=problem.bayes)


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
    def _voters(self) -> dict[str, tuple[Voters, Voters]]:
        """Who votes in H and who elsewhere, by learner: all passive points in both."""
        everyone = Voters.from_points(self.X, self.y, np.ones(len(self.y), bool))
        found = {LEARNERS[0]: (everyone, everyone)}
        sample = self.sample
        for kind in VOTERS:
            found[kind] = two_round_voters(
                sample.X, sample.y, sample.stage, sample.in_augmented, kind
            )
        return found

    @cached_property
    def _votes(self) -> dict[str, TwoStageVotes]:
        """Votes at the points, by learner."""
        at = self.evaluation
        return {
            learner: TwoStageVotes(*voters, at.points, at.hard)
            for learner, voters in self._voters.items()
        }

    def fractions(self, learner: str, m: int, k: int) -> np.ndarray:
        """Fractions (Q, 2) of a learner's votes by k neighbors over a line, with n first labels and
        m more; NaN without votes.
        """
        at = self.evaluation
        found = np.full((len(at.points), 2), np.nan)
        for where, voters in zip((at.hard, ~at.hard), self._voters[learner], strict=True):
            votes = voter_windows(voters, self.sample.n + m)
            n_votes = min(k, votes.windows.n)
            if n_votes:
                found[where] = votes.at_points(at.points[where, 0], n_votes) / n_votes
        return found

    def wrong(self, learner: str, m: int, k: int) -> np.ndarray:
        """The intervals (J, 2) of a line where a learner with m more labels is wrong."""
        line: Any = self.evaluation.line
        return line.wrong(self._steps_on(line, learner, k, self.sample.n + m))

    def disagreement(
        self, budgets: Sequence[int], k: int, learners: Sequence[str] = LEARNERS
    ) -> np.ndarray:
        """Mass (learners, J) of where each is wrong, with each of ``budgets`` (J,) more labels.

        On a line it is exact, as in ``risk.on_line``; elsewhere it is the weight of such points.
        """
        totals = self.sample.n + np.array(budgets, int)
        line = self.evaluation.line
        found: list[Any] = []
        for learner in learners:
            if line is None:
                labels = majority(self._votes[learner].votes(k, totals))
                found.append(self.evaluation.disagreement(labels))
            else:
                steps = [self._steps_on(line, learner, k, total) for total in totals.tolist()]
                found.append([on_line(line.bayes, *each) for each in steps])
        return np.array(found)

    def _steps_on(self, line: ExactLine, learner: str, k: int, total: int) -> Steps:
        """What a learner predicts on a line with ``total`` labels."""
        in_hard, elsewhere = self._voters[learner]
        steps = vote_steps(elsewhere, k, total)
        if in_hard is elsewhere:
            return steps
        return two_round_steps(vote_steps(in_hard, k, total), steps, line.hard)


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
    ks: Sequence[int],
    n: int,
    m: int,
    scheme: Scheme,
    seed: Seed = 0,
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
    source, n, m, scheme, seed, n_cells
        As in ``two_stage_sample``; the passive learner has n + m labels, those of
        ``passive_sample``.
    ks : sequence of int
        Neighbors that vote; of fewer voters, all do.
    budgets : sequence of int, optional
        Labels of the second round at which the learners are compared, each from 0 to m; m alone by
        default.
    learners : sequence of str
        Those that are compared, of ``LEARNERS``.

    Examples
    --------
    >>> from knnviz import active, problems
    >>> scheme = active.Scheme(k_hard=200, passive_fraction=0.2)
    >>> found = active.trial(problems.linear(), [101], 1000, 1000, scheme, seed=4)
    >>> dict(zip(active.LEARNERS, found.disagreement[:, 0, 0].round(3).tolist()))
    {'passive': 0.103, 'strict': 0.009, 'inclusive': 0.044}
    """
    if budgets is None:
        budgets = [m]
    budgets = check_ints("budgets", budgets, 0, m)
    ks = check_ints("ks", ks, 1)
    for learner in learners:
        check_choice("learner", learner, LEARNERS)

    rng = check_seed(seed)
    sample = two_stage_sample(source, n, m, scheme, rng, n_cells)
    X, y = passive_sample(source, n + m, rng)
    evaluation = EvaluationPoints.from_first_round(sample.first, source)
    comparison = LearnerComparison(evaluation, sample, X, y)

    found = {}
    # In this order, since the neighbors of the largest k include those of all others.
    for k in sorted(ks, reverse=True):
        found[k] = comparison.disagreement(budgets, k, learners)
    disagreement = np.stack([found[k] for k in ks], axis=-1)
    return Trial(sample, disagreement)
