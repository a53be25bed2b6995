"""How labels are bought: in two rounds from a distribution or a pool, or passively (Rittler &
Chaudhuri).
"""

from collections.abc import Callable
from math import ceil
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from knnviz import kernels
from knnviz.active.scheme import Draws, FirstRound, Scheme, TwoStageSample
from knnviz.bounds import rittler
from knnviz.checks import Seed, check_int, check_points, check_seed, require, shown
from knnviz.problems import Dataset, Measure, Problem
from knnviz.problems.base import draw_classes

#: Cells along a coordinate on which the hard region is computed by default, by dimension.
CELLS = {1: 1000, 2: 60}

#: Most draws of a second round.
MOST_DRAWS = 10_000_000


def two_stage_sample(
    source: Problem | Dataset,
    n: int,
    m: int,
    scheme: Scheme,
    seed: Seed = 0,
    n_cells: int | None = None,
) -> TwoStageSample:
    """Buy n labels passively, then m more: by a coin either passively or only where the first vote
    is uncertain.

    Each draw takes its random numbers one after the other: a coin if one is due, a point, the label
    if accepted. So a smaller m gives the first labels of a larger one. If H+ has no mass, all m
    labels are passive (the fallback).

    Source: Rittler & Chaudhuri, the two-round sampling algorithm.

    Raises ValueError for more than two classes, more labels than a data set has points, k_hard
    above n, and where the labels would take more than ten million draws.

    Parameters
    ----------
    source : Problem or Dataset
        A known distribution of two classes, or data, whose training part is the pool.
    n, m : int
        Labels of both rounds; n at least k_hard, m at least 0.
    scheme : Scheme
        Its parameters.
    seed : int or Generator
        Source of random numbers.
    n_cells : int, optional
        Cells along each coordinate; the hard ones are the centers of the balls of H+. By default
        1000 on a line, 60 in the plane; not used for data.

    Examples
    --------
    >>> from knnviz.active import Scheme, two_stage_sample
    >>> from knnviz.problems import linear
    >>> import numpy as np
    >>> sample = two_stage_sample(
    ...     linear(), 1000, 100, Scheme(k_hard=200, passive_fraction=0.5), seed=0
    ... )
    >>> np.bincount(sample.stage).tolist(), round(sample.expected_passive_fraction, 3)
    ([1000, 58, 42], 0.598)
    """
    n_classes = source.n_classes
    if n_classes != 2:
        raise ValueError(f"two rounds need two classes, but {source.name} has {n_classes}")
    rng = check_seed(seed)
    if isinstance(source, Dataset):
        return pool_sample(source.X_train, source.y_train.item, n, m, scheme, rng)

    n = check_int("n", n, 1)
    check_int("k_hard", scheme.k_hard, 1, n)
    if n_cells is None:
        n_cells = CELLS[source.dimension]
    X, y = draw_labeled(source, n, rng)
    first = FirstRound.build(scheme, X, y, source.measure(n_cells))
    return second_round(source, first, m, rng)


def draw_labeled(
    problem: Problem, n: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """n points (n, d) of a problem, then their classes (n,)."""
    X = problem.points(n, rng)
    y = draw_classes(problem._eta(X), rng.random(n))
    return X, y


def passive_sample(
    source: Problem | Dataset, n: int, seed: Seed = 0
) -> tuple[np.ndarray, np.ndarray]:
    """n labeled points X (n, d) with classes y (n,) for the passive learner, drawn by a child of
    the seed: independent of what else is drawn with it.

    For data they come from the training part, each at most once.
    """
    n = check_int("n", n, 1, source.max_size)
    (rng,) = check_seed(seed).spawn(1)
    if not isinstance(source, Dataset):
        return draw_labeled(source, n, rng)
    rows = rng.permutation(source.max_size)[:n]
    return source.X_train[rows], source.y_train[rows]


def second_round(
    problem: Problem, first: FirstRound, m: int, rng: np.random.Generator
) -> TwoStageSample:
    """Buy m more labels after a first round; ValueError if that takes more than ten million draws.

    Source: Rittler & Chaudhuri, the two-round sampling algorithm.
    """
    m = check_int("m", m, 0)
    scheme = first.scheme
    mass = first.augmented_mass
    n_uniforms = problem.n_uniforms
    per_label = scheme.coin == "per_sample"
    fraction = float(scheme.passive_fraction) if mass else 1.0
    expected = rittler.expected_draws(m, fraction, mass or 1.0, scheme.coin)
    n_draws = ceil(1.2 * expected) + 50
    u = np.empty(0)

    # A point is made of ``n_uniforms`` numbers, those of u from its start on. Where they run out,
    # all begins anew.
    while n_draws <= MOST_DRAWS:
        n_more = n_draws * (n_uniforms + 1) + m + n_uniforms
        u = np.concatenate([u, rng.random(n_more)])
        points = problem._points_from_uniforms(sliding_window_view(u, n_uniforms))
        inside = np.zeros(len(u), np.bool_)
        inside[: len(points)] = first.region.contains(points)

        most_drawn = len(u) // n_uniforms
        passive = np.empty(most_drawn, np.bool_)
        starts = np.empty(most_drawn, np.int64)
        accepted = np.empty(m, np.int64)
        drawn, bought = kernels.accept_draws(
            u, inside, n_uniforms, fraction, per_label, passive, starts, accepted
        )
        if bought == m:
            labeled = starts[accepted]
            y = draw_classes(problem._eta(points[labeled]), u[labeled + n_uniforms])
            second = Draws(points[starts[:drawn]], passive[:drawn], accepted)
            return TwoStageSample.from_rounds(first, second, y)
        n_draws = max(n_draws, drawn)
    raise ValueError(f"{m} labels take more than {MOST_DRAWS:,} draws: H+ is too small")


def pool_sample(
    X_pool: np.ndarray,
    ask: Callable[[int], Any],
    n: int,
    m: int,
    scheme: Scheme,
    seed: Seed = 0,
) -> TwoStageSample:
    """The two-round scheme on a finite set of unlabeled points, drawn without replacement.

    The pool stands for the distribution: mu of a set is the fraction of the pool in it. The hard
    points of the pool are the centers of the balls of H+. A draw is one of the unlabeled points,
    all equally likely; rejected ones stay in the pool. Once no unlabeled point is left in H+, all
    draws are passive.

    Source: Rittler & Chaudhuri, the two-round sampling algorithm, with the pool instead of the
    distribution.

    Raises ValueError, before any label is bought, for missing values, more labels than points, and
    k_hard above n.

    Parameters
    ----------
    X_pool : (N, d) array
        The points; finite numbers.
    ask : function
        ``ask(i)`` gives the class, 0 or 1 or a truth value, of point i of the pool; called once for
        each label bought, and for no other point. Raises ValueError for any other answer.
    n, m : int
        Labels of both rounds; n at least k_hard, m at least 0, together at most N.
    scheme : Scheme
        Its parameters.
    seed : int or Generator
        Source of random numbers.

    Examples
    --------
    >>> from knnviz.active import Scheme, pool_sample
    >>> import numpy as np
    >>> X, y = np.linspace(0, 1, 900)[:, None], np.repeat([0, 1], 450)
    >>> sample = pool_sample(
    ...     X, lambda i: y[i], n=500, m=50, scheme=Scheme(k_hard=100, passive_fraction=0.2), seed=0
    ... )
    >>> len(set(sample.rows.tolist())), sample.n_draws, np.bincount(sample.stage).tolist()
    (550, 163, [500, 34, 16])
    """
    X = check_points("X_pool", X_pool)
    rng = check_seed(seed)
    n = check_int("n", n, 1)
    m = check_int("m", m, 0)
    require(n + m <= len(X), f"a pool of {len(X)} points has too few for {n} + {m} labels")
    check_int("k_hard", scheme.k_hard, 1, n)

    rows = rng.permutation(len(X))[:n]
    pool = Measure(X, np.full(len(X), 1 / len(X)))
    first = FirstRound.build(scheme, X[rows], _answers(ask, rows), pool)

    draws = _draw_from_pool(first, rows, m, rng)
    drawn, passive, is_bought = draws.T
    second = Draws(X[drawn], passive == 1, np.flatnonzero(is_bought))
    bought = drawn[is_bought == 1]
    y = _answers(ask, bought)
    labeled = np.concatenate([rows, bought])
    return TwoStageSample.from_rounds(first, second, y, labeled)


def _answers(ask: Callable[[int], Any], rows: np.ndarray) -> np.ndarray:
    answers = []
    for i in rows.tolist():
        answer = ask(i)
        is_number = isinstance(answer, int | np.integer | np.bool_)
        if not is_number or answer not in (0, 1):
            got = shown(answer)
            raise ValueError(f"the class of point {i} must be 0 or 1, got {got}")
        answers.append(int(answer))
    return np.array(answers, int)


def _draw_from_pool(
    first: FirstRound, rows: np.ndarray, m: int, rng: np.random.Generator
) -> np.ndarray:
    """Draws (draws, 3) of the second round: row of the pool, whether passive, whether bought."""
    scheme = first.scheme
    inside = first.augmented
    pool = np.arange(len(inside))
    unlabeled = np.setdiff1d(pool, rows).tolist()
    n_inside = int(inside[unlabeled].sum())
    draws = []
    coin = None
    while m:
        if coin is None:
            coin = n_inside == 0 or rng.random() < scheme.passive_fraction
        position = int(rng.integers(len(unlabeled)))
        point = unlabeled[position]
        is_bought = coin or bool(inside[point])
        draws.append((point, coin, is_bought))
        if is_bought:
            m -= 1
            n_inside -= int(inside[point])
            unlabeled[position] = unlabeled[-1]
            unlabeled.pop()
        if is_bought or scheme.coin == "per_draw":
            coin = None
    return np.array(draws, int).reshape(-1, 3)
