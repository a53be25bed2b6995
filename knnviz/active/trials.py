"""Passive and active learners with as many labels, side by side (Rittler & Chaudhuri)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from knnviz.active.sampling import CELLS, TwoStageSample, two_stage_sample
from knnviz.active.scheme import Scheme
from knnviz.active.voting import VOTERS, region_voters, two_stage_labels, vote
from knnviz.problems import Measure, Problem
from knnviz.problems.base import draw_classes

#: Learners by name: the plain vote on plain labels, and both kinds of voters of the two-round scheme.
LEARNERS = ("passive", *VOTERS)


class Trial(NamedTuple):
    """What one seed gives: the sample of the scheme, and ``disagreement`` (learners, budgets, ks) with the Bayes rule.

    Learners are those of ``LEARNERS``; the passive one has as many labels as the others at each budget.
    """

    sample: TwoStageSample
    disagreement: np.ndarray


def passive_sample(problem: Problem, n: int, stream: np.random.SeedSequence) -> tuple[np.ndarray, np.ndarray]:
    """n labeled points X (n, d) with classes y (n,) for the passive learner, independent of ``default_rng(stream)``."""
    rng = np.random.default_rng(np.random.SeedSequence(stream.entropy, spawn_key=(*stream.spawn_key, 0)))
    X = problem.points(n, rng)
    return X, draw_classes(problem.eta(X), rng.random(n))


def trial(
    problem: Problem,
    n: int,
    m: int,
    scheme: Scheme,
    ks: Sequence[int],
    stream: np.random.SeedSequence,
    *,
    budgets: Sequence[int] | None = None,
    resolution: int | None = None,
) -> Trial:
    """One sample for each learner, and how often they disagree with the Bayes rule on the cells.

    Parameters
    ----------
    problem : Problem
        A known distribution of two classes.
    n, m : int
        Labels of both rounds; the passive learner has n + m.
    scheme : Scheme
        Where the second round buys.
    ks : sequence of int
        Neighbors that vote; where there are fewer voters all of them do.
    stream : SeedSequence
        Where chance comes from: ``default_rng(stream)`` for the scheme, a child of it for the passive learner.
    budgets : sequence of int, optional
        Labels of the second round at which the learners are compared, each from 0 to m; m alone by default.
    resolution : int, optional
        Cells along each coordinate, as in ``two_stage_sample``.

    Raises
    ------
    ValueError
        As ``two_stage_sample`` does.

    Source: Rittler & Chaudhuri, Corollary 1 compares both at equal k.
    """
    resolution = CELLS[problem.dimension] if resolution is None else resolution
    options = {name: getattr(scheme, name) for name in ("delta", "c0", "c_plus", "coin")}
    rng = np.random.default_rng(stream)
    sample = two_stage_sample(
        problem, n, m, scheme.k_hard, scheme.plain_share, **options, resolution=resolution, rng=rng
    )
    X, y = passive_sample(problem, n + m, stream)
    budgets = [m] if budgets is None else budgets
    rates = [at_budget(problem, sample, X, y, budget, ks) for budget in budgets]
    return Trial(sample, np.array(rates).transpose(1, 0, 2))


def at_budget(
    problem: Problem, sample: TwoStageSample, X: np.ndarray, y: np.ndarray, m: int, ks: Sequence[int]
) -> np.ndarray:
    """Disagreement (learners, ks) with m labels of a second round, and as many of X and y for the passive learner."""
    sample, size = sample.head(m), sample.n + m
    measure, passive = sample.first.measure, (X[:size], y[:size])
    decided = [[vote(*passive, measure.points, k) for k in ks]]
    within = sample.first.region.contains(sample.X)
    for voters in VOTERS:
        chosen = region_voters(sample.stage, within, voters)
        asked = sample.X, sample.y, sample.stage, chosen, measure.points, sample.first.hard
        decided.append([two_stage_labels(*asked, k) for k in ks])
    return disagreement(problem, measure, np.array(decided))


def disagreement(problem: Problem, measure: Measure, labels: np.ndarray) -> np.ndarray:
    """Pr(g(X) != g*(X)) (...) of decisions (..., cells) at the points of a measure."""
    return (labels != problem.bayes(measure.points)) @ measure.weights
