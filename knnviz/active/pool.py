"""Two rounds of labels bought from a finite pool of points, each at most once."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from knnviz import checks
from knnviz.active.sampling import Draws, FirstRound, TwoStageSample
from knnviz.active.scheme import Scheme
from knnviz.problems import Measure


def pool_sample(
    X_pool: np.ndarray, ask: Callable[[int], Any], n: int, m: int, scheme: Scheme, rng: int | np.random.Generator
) -> TwoStageSample:
    """The two-round scheme on a finite set of unlabeled points, drawn without replacement.

    The pool stands for the distribution: mu of a set is the fraction of the pool in it. The hard points of the pool are
    the centers of the balls of H+. A draw is one of the unlabeled points, all equally likely; rejected ones stay in
    the pool. Once no unlabeled point is left in H+, all draws are passive.

    Source: Rittler & Chaudhuri, the two-round sampling algorithm, with the pool instead of the distribution.

    Parameters
    ----------
    X_pool : (N, d) array
        The points; finite numbers.
    ask : function
        ``ask(i)`` gives the class, 0 or 1 or a truth value, of point i of the pool; called once for each label bought,
        and for no other point.
    n, m : int
        Labels of both rounds; n at least k_hard, m at least 0, together at most N.
    scheme : Scheme
        Its parameters.
    rng : int or Generator
        Seed or source of random numbers.

    Examples
    --------
    >>> from knnviz.active import Scheme, pool_sample
    >>> import numpy as np
    >>> line, scheme = np.arange(1000.0)[:, None], Scheme(k_hard=60, passive_fraction=0)
    >>> second = pool_sample(line, lambda i: i >= 500, n=300, m=50, scheme=scheme, rng=0).rows[300:]
    >>> int(second.min()), int(second.max())
    (407, 623)
    """
    X, rng = checks.check_points("X_pool", X_pool), np.random.default_rng(rng)
    size, m = len(X), checks.check_int("m", m, 0)
    if n + m > size:
        raise ValueError(f"a pool of {size} points cannot sell {n} + {m} labels")
    # Before any label is paid for.
    checks.check_k(scheme.k_hard, n, "labels of the first round")
    rows = rng.permutation(size)[:n]
    y = _labels(ask, rows)
    first = FirstRound.of(scheme, X[rows], y, Measure(X, np.full(size, 1 / size)))
    drawn, passive, accepted = _draw_second_round(scheme, first, rows, m, rng)
    bought = drawn[accepted]
    sample = TwoStageSample.of(scheme, first, Draws(X[drawn], passive, accepted), _labels(ask, bought))
    return replace(sample, rows=np.concatenate([rows, bought]))


def _labels(ask: Callable[[int], Any], rows: np.ndarray) -> np.ndarray:
    answers = [(i, ask(i)) for i in rows.tolist()]
    as_codes = [(i, int(each) if isinstance(each, bool | np.bool_) else each) for i, each in answers]
    return np.array([checks.check_int(f"the class of point {i}", each, 0, 1) for i, each in as_codes], int)


def _draw_second_round(
    scheme: Scheme, first: FirstRound, rows: np.ndarray, m: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of the points drawn, whether passively, and indices of the accepted draws."""
    inside = first.augmented
    unlabeled = np.setdiff1d(np.arange(len(inside)), rows).tolist()
    n_inside = int(inside[unlabeled].sum())
    draws: list[tuple[int, bool, bool]] = []
    coin = coin_is_due = True
    while m:
        if coin_is_due:
            coin = n_inside == 0 or rng.random() < scheme.passive_fraction
        position = int(rng.integers(len(unlabeled)))
        point = unlabeled[position]
        is_bought = coin or bool(inside[point])
        draws.append((point, coin, is_bought))
        coin_is_due = is_bought or scheme.coin == "per_draw"
        if is_bought:
            m -= 1
            n_inside -= int(inside[point])
            unlabeled[position] = unlabeled[-1]
            unlabeled.pop()
    drawn, passive, accepted = np.array(draws, int).reshape(-1, 3).T
    return drawn, passive == 1, np.flatnonzero(accepted)
