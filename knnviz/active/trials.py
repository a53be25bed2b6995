"""Passive and active learners with equally many labels, side by side (Rittler & Chaudhuri)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from knnviz import checks
from knnviz.active.comparison import LEARNERS, EvaluationPoints, LearnerComparison
from knnviz.active.pool import pool_sample
from knnviz.active.sampling import CELLS, FirstRound, TwoStageSample, labeled, second_round
from knnviz.active.scheme import Scheme
from knnviz.problems import Dataset, Problem


def two_stage_sample(
    source: Problem | Dataset,
    n: int,
    m: int,
    scheme: Scheme,
    rng: int | np.random.Generator | np.random.SeedSequence,
    n_cells: int | None = None,
) -> TwoStageSample:
    """Buy n labels passively, then m more: by a coin either passively or only where the first vote is uncertain.

    Each draw takes its random numbers one after the other: a coin if one is due, a point, the label if accepted. So a
    smaller m gives the first labels of a larger one. If no cell is hard, all m labels are passive (the fallback).

    Source: Rittler & Chaudhuri, the two-round sampling algorithm.

    Raises ValueError where the labels would take more than ten million draws.

    Parameters
    ----------
    source : Problem or Dataset
        A known distribution of two classes, or data, whose training part is the pool.
    n, m : int
        Labels of both rounds; n at least k_hard, m at least 0.
    scheme : Scheme
        Its parameters.
    rng : int, Generator or SeedSequence
        Seed or source of random numbers.
    n_cells : int, optional
        Cells along each coordinate; the hard ones are the centers of the balls of H+. 1000 on a line, 60 in the plane.

    Examples
    --------
    >>> from knnviz.active import Scheme, two_stage_sample
    >>> from knnviz.problems import linear
    >>> import numpy as np
    >>> sample = two_stage_sample(linear(), 1000, 100, Scheme(k_hard=200, passive_fraction=0.5), rng=0)
    >>> np.bincount(sample.stage).tolist(), round(sample.expected_passive_fraction, 3)
    ([1000, 58, 42], 0.598)
    """
    if source.n_classes != 2:
        raise ValueError(f"labels are bought in two rounds for two classes, but {source.name} has {source.n_classes}")
    rng = np.random.default_rng(rng)
    if isinstance(source, Dataset):
        pool = source.sample(source.max_size, 0)
        return pool_sample(pool.X, lambda i: int(pool.y[i]), n, m, scheme, rng)
    X, y = labeled(source, checks.check_int("n", n, 1), rng)
    measure = source.measure(CELLS[source.dimension] if n_cells is None else n_cells)
    return second_round(source, scheme, FirstRound.of(scheme, X, y, measure), m, rng)


def passive_sample(source: Problem | Dataset, n: int, stream: np.random.SeedSequence) -> tuple[np.ndarray, np.ndarray]:
    """n labeled points X (n, d) with classes y (n,) for the passive learner, independent of ``default_rng(stream)``.

    For data they come from the training part, each at most once; ValueError if it has fewer.

    Examples
    --------
    >>> from knnviz.active import passive_sample
    >>> from knnviz.problems import jump
    >>> import numpy as np
    >>> X, y = passive_sample(jump(0.5), n=100, stream=np.random.SeedSequence(0))
    >>> bool((y == (X[:, 0] >= 0.5)).all())
    True
    """
    # A child of the stream, by hand: ``spawn`` would give another one at the next call.
    rng = np.random.default_rng(np.random.SeedSequence(stream.entropy, spawn_key=(*stream.spawn_key, 0)))
    if not isinstance(source, Dataset):
        return labeled(source, n, rng)
    pool = source.sample(source.max_size, 0)
    if n > len(pool):
        raise ValueError(f"a pool of {len(pool)} points cannot sell {n} labels")
    rows = rng.permutation(len(pool))[:n]
    return pool.X[rows], pool.y[rows]


class Trial(NamedTuple):
    """One trial: the sample of the scheme, and ``disagreement`` (learners, budgets, ks) with the Bayes rule.

    Learners are those of ``LEARNERS``; the passive one has as many labels as the others at each budget. For data the
    disagreement is the error on the held-out points.
    """

    sample: TwoStageSample
    disagreement: np.ndarray


def trial(
    source: Problem | Dataset,
    n: int,
    m: int,
    scheme: Scheme,
    ks: Sequence[int],
    stream: np.random.SeedSequence,
    *,
    budgets: Sequence[int] | None = None,
    n_cells: int | None = None,
) -> Trial:
    """A passive and a two-round sample, and the fraction of points where each learner disagrees with the Bayes rule.

    Source: Rittler & Chaudhuri, who compare bounds with different k (Corollary 1); here all learners have the same k.

    Parameters
    ----------
    source, n, m, scheme, n_cells
        As in ``two_stage_sample``; the passive learner has n + m labels.
    ks : sequence of int
        Neighbors that vote; of fewer voters, all do.
    stream : SeedSequence
        ``default_rng(stream)`` for the scheme, a child of it for the passive learner.
    budgets : sequence of int, optional
        Labels of the second round at which the learners are compared, each from 0 to m; m alone by default.

    Examples
    --------
    >>> from knnviz import active, problems
    >>> import numpy as np
    >>> scheme = active.Scheme(k_hard=200, passive_fraction=0.2)
    >>> found = active.trial(problems.linear(), 1000, 1000, scheme, ks=[101], stream=np.random.SeedSequence(4))
    >>> dict(zip(active.LEARNERS, found.disagreement[:, 0, 0].round(3).tolist()))
    {'passive': 0.102, 'strict': 0.009, 'inclusive': 0.044}
    """
    sample = two_stage_sample(source, n, m, scheme, stream, n_cells)
    X, y = passive_sample(source, n + m, stream)
    comparison = LearnerComparison(EvaluationPoints.of(source, sample.first), sample, X, y)
    budgets = [m] if budgets is None else list(budgets)
    # In this order, since the neighbors of the largest k include those of all others.
    found = {k: comparison.disagreement(budgets, k) for k in sorted(ks, reverse=True)}
    disagreement = np.array([found[k] for k in ks]).reshape(len(ks), len(LEARNERS), len(budgets))
    return Trial(sample, disagreement.transpose(1, 2, 0))
