"""Two rounds of labels bought from a finite pool of points, each at most once."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from knnviz import checks
from knnviz.active.sampling import Draws, FirstRound, TwoStageSample
from knnviz.active.scheme import FROM_P, FROM_R, ROUND1, Coin, Scheme
from knnviz.problems import Measure


@dataclass(frozen=True, eq=False)
class PoolSample(TwoStageSample):
    """Labels bought from a pool: ``rows`` (n + m,) are the points of the pool that they belong to.

    Its expected draws and fractions are those of draws with replacement. ``exhausted`` is how many labels had been
    bought when H+ held no unlabeled point any more, so that all further draws were passive; else None.

    Examples
    --------
    >>> from knnviz.active import TwoStagePool
    >>> import numpy as np
    >>> pool = TwoStagePool(np.arange(1000.0)[:, None], lambda i: i >= 500, k_hard=60, passive_fraction=0, rng=0)
    >>> bought = pool.sample(n=300, m=200)
    >>> len(set(bought.rows.tolist())), bought.exhausted
    (500, 456)
    """

    rows: np.ndarray = field(kw_only=True)
    exhausted: int | None = field(kw_only=True)

    def _own_fields(self, end: int) -> dict[str, Any]:
        was_exhausted = self.exhausted is not None and self.exhausted < end
        return {"rows": self.rows[:end], "exhausted": self.exhausted if was_exhausted else None}


class TwoStagePool:
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
    k_hard, passive_fraction, delta, c0, c_plus, coin
        As in ``Scheme``.
    rng : int or Generator
        An int gives the same labels at each call of ``sample``.

    Examples
    --------
    >>> from knnviz.active import TwoStagePool
    >>> import numpy as np
    >>> pool = TwoStagePool(np.arange(1000.0)[:, None], lambda i: i >= 500, k_hard=60, passive_fraction=0, rng=0)
    >>> second = pool.sample(n=300, m=50).rows[300:]
    >>> int(second.min()), int(second.max())
    (407, 623)
    """

    def __init__(
        self,
        X_pool: np.ndarray,
        ask: Callable[[int], Any],
        k_hard: int,
        passive_fraction: float,
        *,
        delta: float = 0.1,
        c0: float = 0.0,
        c_plus: float = 0.25,
        coin: Coin = "per_draw",
        rng: int | np.random.Generator,
    ) -> None:
        self.X = checks.check_points("X_pool", X_pool)
        self.ask, self.rng = ask, rng
        self.scheme = Scheme(k_hard, passive_fraction, delta, c0, c_plus, coin)

    def sample(self, n: int, m: int) -> PoolSample:
        """Buy n labels passively, then m more; ValueError unless all classes are 0 or 1."""
        size, rng = len(self.X), np.random.default_rng(self.rng)
        n, m = checks.check_int("n", n, 1), checks.check_int("m", m, 0)
        if n + m > size:
            raise ValueError(f"a pool of {size} points cannot sell {n} + {m} labels")
        checks.check_k(self.scheme.k_hard, n, "labels of the first round")
        rows = rng.permutation(size)[:n]
        first_labels = [self._label(i) for i in rows.tolist()]
        measure = Measure(self.X, np.full(size, 1 / size))
        first = FirstRound.of(self.scheme, self.X[rows], np.array(first_labels), measure)
        drawn, passive, accepted, exhausted = self._draw_second_round(first, rows, m, rng)
        bought = drawn[accepted]
        labels = [self._label(i) for i in bought.tolist()]
        stages = np.concatenate([np.full(n, ROUND1), np.where(passive[accepted], FROM_P, FROM_R)]).astype(np.uint8)
        rows = np.concatenate([rows, bought])
        return PoolSample(
            self.X[rows],
            np.array(first_labels + labels),
            stages,
            self.scheme,
            first,
            Draws(self.X[drawn], passive, accepted),
            rows=rows,
            exhausted=exhausted,
        )

    def _label(self, i: int) -> int:
        answer = self.ask(i)
        answer = int(answer) if isinstance(answer, bool | np.bool_) else answer
        return checks.check_int(f"the class of point {i}", answer, 0, 1)

    def _draw_second_round(
        self, first: FirstRound, rows: np.ndarray, m: int, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, int | None]:
        """Rows of the points drawn, whether passively, indices of accepted draws, and ``exhausted`` of a PoolSample."""
        unlabeled = np.setdiff1d(np.arange(len(self.X)), rows).tolist()
        in_augmented, coin_per_label = first.augmented, self.scheme.coin == "per_sample"
        n_unlabeled_inside, exhausted = int(in_augmented[unlabeled].sum()), None
        drawn: list[int] = []
        passive: list[bool] = []
        accepted: list[int] = []
        coin = coin_is_due = True
        while len(accepted) < m:
            if n_unlabeled_inside == 0 and exhausted is None:
                exhausted = len(rows) + len(accepted)
            if coin_is_due:
                coin = n_unlabeled_inside == 0 or rng.random() < self.scheme.passive_fraction
            position = int(rng.integers(len(unlabeled)))
            point = unlabeled[position]
            drawn.append(point)
            passive.append(coin)
            coin_is_due = not coin_per_label
            if coin or in_augmented[point]:
                accepted.append(len(drawn) - 1)
                n_unlabeled_inside -= int(in_augmented[point])
                coin_is_due = True
                unlabeled[position] = unlabeled[-1]
                unlabeled.pop()
        exhausted = None if first.fallback else exhausted
        return np.array(drawn, int), np.array(passive, bool), np.array(accepted, int), exhausted
