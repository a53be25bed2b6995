"""Passive and active learners with equally many labels, side by side (Rittler & Chaudhuri)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from knnviz.active.comparison import LEARNERS, EvaluationPoints, LearnerComparison
from knnviz.active.pool import TwoStagePool
from knnviz.active.sampling import TwoStageSample, check_two_classes, labeled, two_stage_sample
from knnviz.active.scheme import Scheme
from knnviz.problems import Dataset, Problem


class Trial(NamedTuple):
    """One trial: the sample of the scheme, and ``disagreement`` (learners, budgets, ks) with the Bayes rule.

    Learners are those of ``LEARNERS``; the passive one has as many labels as the others at each budget. For data the
    disagreement is the error on the held-out points.
    """

    sample: TwoStageSample
    disagreement: np.ndarray


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


def active_sample(
    source: Problem | Dataset,
    n: int,
    m: int,
    scheme: Scheme,
    stream: np.random.SeedSequence,
    resolution: int | None = None,
) -> TwoStageSample:
    """Labels that a scheme buys from a distribution, or the training part of a data set, by ``default_rng(stream)``.

    ``resolution`` is as in ``two_stage_sample``, and not used for a data set.

    Source: Rittler & Chaudhuri, the two-round sampling algorithm.

    Examples
    --------
    >>> from knnviz.active import Scheme, active_sample
    >>> from knnviz.problems import linear
    >>> import numpy as np
    >>> sample = active_sample(linear(), 1000, 100, Scheme(200, 0.0), np.random.SeedSequence(0))
    >>> sample.n_draws, round(sample.expected_draws)
    (146, 149)
    """
    check_two_classes(source)
    rng = np.random.default_rng(stream)
    options = {name: getattr(scheme, name) for name in ("delta", "c0", "c_plus", "coin")}
    if not isinstance(source, Dataset):
        return two_stage_sample(
            source, n, m, scheme.k_hard, scheme.passive_fraction, **options, resolution=resolution, rng=rng
        )
    pool = source.sample(source.max_size, 0)
    return TwoStagePool(
        pool.X, lambda i: int(pool.y[i]), scheme.k_hard, scheme.passive_fraction, **options, rng=rng
    ).sample(n, m)


def trial(
    source: Problem | Dataset,
    n: int,
    m: int,
    scheme: Scheme,
    ks: Sequence[int],
    stream: np.random.SeedSequence,
    *,
    budgets: Sequence[int] | None = None,
    resolution: int | None = None,
) -> Trial:
    """A passive and a two-round sample, and the fraction of points where each learner disagrees with the Bayes rule.

    Source: Rittler & Chaudhuri, who compare bounds with different k (Corollary 1); here all learners have the same k.

    Parameters
    ----------
    source : Problem or Dataset
        A known distribution of two classes, or data, whose training part is the pool.
    n, m : int
        Labels of both rounds; the passive learner has n + m.
    ks : sequence of int
        Neighbors that vote; of fewer voters, all do.
    stream : SeedSequence
        ``default_rng(stream)`` for the scheme, a child of it for the passive learner.
    budgets : sequence of int, optional
        Labels of the second round at which the learners are compared, each from 0 to m; m alone by default.
    resolution : int, optional
        Cells along each coordinate, as in ``two_stage_sample``.

    Examples
    --------
    >>> from knnviz import active, problems
    >>> import numpy as np
    >>> scheme = active.Scheme(k_hard=200, passive_fraction=0.2)
    >>> found = active.trial(problems.linear(), 1000, 1000, scheme, ks=[101], stream=np.random.SeedSequence(4))
    >>> dict(zip(active.LEARNERS, found.disagreement[:, 0, 0].round(3).tolist()))
    {'passive': 0.102, 'strict': 0.009, 'inclusive': 0.044}
    """
    sample = active_sample(source, n, m, scheme, stream, resolution)
    X, y = passive_sample(source, n + m, stream)
    comparison = LearnerComparison(EvaluationPoints.of(source, sample.first), sample, X, y)
    budgets = [m] if budgets is None else list(budgets)
    # In this order, since the neighbors of the largest k include those of all others.
    found = {k: comparison.disagreement(budgets, k) for k in sorted(ks, reverse=True)}
    disagreement = np.array([found[k] for k in ks]).reshape(len(ks), len(LEARNERS), len(budgets))
    return Trial(sample, disagreement.transpose(1, 2, 0))
