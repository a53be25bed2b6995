"""Guarantees for PL A-kNN where the advantage is large: Theorems 3.2 to 3.5 and Lemma C.9."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from knnviz import checks
from knnviz.bounds.arithmetic import least_int
from knnviz.bounds.errandonea.constants import log_term
from knnviz.bounds.errandonea.stopping import leads
from knnviz.profiles.balls import TIE_TOL

#: P(adv <= a) as a function of a, or the advantages (m,) of points and their weights, None for equal ones.
AdvantageDistribution = (
    Callable[[float], float] | tuple[Sequence[float] | np.ndarray, Sequence[float] | np.ndarray | None]
)


def needed_n(advantage: Any, n_classes: int, delta: float, constant: float = 1.0) -> np.ndarray:
    """The n from which on a Bayes label is guaranteed at a point: (C' / adv) max{log(1 / adv), log(C / delta)}.

    An array of the shape of ``advantage``, not rounded; infinite where the advantage is 0.

    Source: Errandonea et al., Theorem 3.2.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import needed_n
    >>> needed_n([0.1, 0.01, 0], n_classes=2, delta=0.05).round(1).tolist()
    [36.9, 460.5, inf]
    """
    advantage = _check_advantages(advantage)
    with np.errstate(divide="ignore"):
        log_factor = np.maximum(-np.log(advantage), log_term(n_classes, delta))
        return checks.check_positive("constant", constant) / advantage * log_factor


def _check_advantages(values: Any) -> np.ndarray:
    advantage = checks.check_numbers("advantage", values)
    if not ((advantage >= 0) & (advantage <= 1 + TIE_TOL)).all():
        raise ValueError(f"advantage must lie between 0 and 1, got {advantage.min():g} to {advantage.max():g}")
    return advantage


def label_advantages(frequency: np.ndarray, masses: np.ndarray, mass_cap: float = 1.0) -> np.ndarray:
    """The advantage (C,) of the top labels over each other label alone, at one point; 0 for the top labels themselves.

    sup of p gamma^2 over p <= A for which all top labels lead the label by gamma in every ball up to mass p. The proof
    also needs that no third label overtakes them in these balls. ``frequency`` (J, C) are label frequencies of balls
    around the point, as in ``leads``, and ``masses`` (J,) their masses, ascending from 0; balls in between are ignored.
    ``needed_n`` is the n from which on the label is guaranteed to be eliminated.

    Source: Errandonea et al., section 3.2, which suggests it without a formula.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import label_advantages
    >>> import numpy as np
    >>> frequency = np.array([[0.6, 0.3, 0.1]] * 3)
    >>> label_advantages(frequency, masses=np.array([0, 0.5, 1])).round(4).tolist()
    [0.0, 0.09, 0.25]
    """
    behind, ahead = leads(frequency)
    p = checks.check_numbers("masses", masses)
    if p.shape != (len(behind),) or p[0] != 0 or not (np.diff(p) > 0).all():
        raise ValueError(f"masses must ascend from 0, one for each of {len(behind)} balls")
    counted = (ahead & (p <= checks.check_positive("largest mass A", mass_cap, 1) * (1 + TIE_TOL)))[:, None]
    lowest = np.minimum.accumulate(np.nan_to_num(behind), axis=0)
    return (np.where(counted, lowest, 0) ** 2 * p[:, None]).max(axis=0)


@dataclass(frozen=True)
class PointBound:
    """From ``needed_n`` bags on, the decision at one point is a Bayes label with probability 1 - delta^2.

    Made by ``theorem_3_2``.
    """

    n: int
    delta: float
    advantage: float
    needed_n: float

    @property
    def failure(self) -> float:
        return self.delta**2

    @property
    def vacuous(self) -> bool:
        return self.n < self.needed_n


def theorem_3_2(n: int, advantage: float, n_classes: int, delta: float, constant: float = 1.0) -> PointBound:
    """Whether n bags guarantee that PL A-kNN predicts a Bayes label at a point of a given advantage.

    They do if bags are aligned at x, c1 and C' are those of the proof, and T, the largest k, is at least A n.

    Source: Errandonea et al., Theorem 3.2.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import theorem_3_2
    >>> bound = theorem_3_2(n=1000, advantage=0.1, n_classes=2, delta=0.05)
    >>> round(bound.needed_n, 1), bound.vacuous
    (36.9, False)
    >>> round(bound.failure, 4)
    0.0025
    """
    advantage = float(checks.check_real("advantage", advantage, 0, 1))
    least = float(needed_n(advantage, n_classes, delta, constant))
    return PointBound(checks.check_int("n", n, 1), float(delta), advantage, least)


@dataclass(frozen=True, eq=False)
class EveryPointBound:
    """With probability 1 - delta^2 the decision is a Bayes label at all points of ``guaranteed`` (m,) bool together.

    ``fraction`` is their mass. Made by ``theorem_3_3``.
    """

    n: int
    delta: float
    guaranteed: np.ndarray
    fraction: float

    @property
    def failure(self) -> float:
        return self.delta**2

    @property
    def vacuous(self) -> bool:
        return not self.guaranteed.any()


def theorem_3_3(
    n: int,
    advantage: np.ndarray,
    n_classes: int,
    delta: float,
    constant: float = 1.0,
    *,
    weights: np.ndarray | None = None,
) -> EveryPointBound:
    """As ``theorem_3_2`` for points of advantages (m,) at once, with d0 log n in place of log n in the band.

    d0 is D + 1 in D dimensions; the constant depends on it, and so does the c1 of the proof.

    Source: Errandonea et al., Theorem 3.3.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import theorem_3_3
    >>> import numpy as np
    >>> bound = theorem_3_3(n=100, advantage=np.array([0.1, 0.01]), n_classes=2, delta=0.05)
    >>> bound.guaranteed.tolist(), bound.fraction
    ([True, False], 0.5)
    """
    guaranteed = checks.check_int("n", n, 1) >= needed_n(np.atleast_1d(advantage), n_classes, delta, constant)
    fraction = float(checks.check_weights(weights, len(guaranteed)) @ guaranteed)
    return EveryPointBound(n, float(delta), guaranteed, fraction)


def level(n: int, n_classes: int, delta: float, constant: float = 1.0) -> float:
    """a_n = (C' / n) max{2 log n, log(C / delta)}: at points of a larger advantage, n bags leave few errors.

    Source: Errandonea et al., Theorem 3.4.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import level
    >>> round(level(n=1000, n_classes=2, delta=0.05), 4)
    0.0138
    """
    n, log_factor = checks.check_int("n", n, 1), log_term(n_classes, delta)
    return checks.check_positive("constant", constant) * max(2 * log(n), log_factor) / n


def least_n(n_classes: int, delta: float, mass_cap: float, constant: float = 1.0) -> int:
    """The smallest n >= 3 from which on a_n is below A, the largest advantage where not all classes tie.

    From n = 3 up to it Theorem 3.4 is vacuous for every distribution, unless all classes tie somewhere.

    Source: from ``level``, which falls in n from 3 on.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import least_n, level
    >>> least_n(n_classes=2, delta=0.05, mass_cap=0.5)
    9
    >>> [round(level(n, n_classes=2, delta=0.05), 4) for n in (8, 9)]
    [0.5199, 0.4883]
    """
    cap = checks.check_positive("largest mass A", mass_cap, 1)
    return least_int(lambda n: level(n, n_classes, delta, constant) < cap, start=3)


def low_advantage(advantage: AdvantageDistribution, at: float) -> float:
    """P(adv <= at), from P(adv <= a) as a function of a, or from advantages (m,) and weights, None for equal ones.

    ValueError for what is neither, and for values or probabilities out of [0, 1].

    Source: Errandonea et al., the last term of Theorem 3.4.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import low_advantage
    >>> low_advantage(([0.01, 0.1, 0.2, 0.4], None), at=0.15)
    0.5
    >>> low_advantage(lambda a: a**0.5, at=0.25)
    0.5
    """
    if callable(advantage):
        return float(checks.check_real("P(adv <= a)", float(advantage(at)), 0, 1))
    if not isinstance(advantage, tuple) or len(advantage) != 2:
        raise ValueError("advantage must be a function of the level, or a pair (advantages, weights)")
    advantages = _check_advantages(np.atleast_1d(advantage[0]))
    return float(checks.check_weights(advantage[1], len(advantages)) @ (advantages <= at))


@dataclass(frozen=True)
class AdvantageBound:
    """With probability 1 - ``failure`` the excess risk is at most ``excess``.

    ``level`` is a_n, ``low`` P(adv <= a_n), and ``events`` to how many events Markov's inequality is applied. Made by
    ``theorem_3_4`` and ``lemma_c_9``.
    """

    n: int
    delta: float
    level: float
    low: float
    theta: float = 0.0
    misaligned: float = 0.0
    events: int = 1

    @property
    def excess(self) -> float:
        return self.delta + self.low + self.theta * self.misaligned

    @property
    def failure(self) -> float:
        """Probability that it is exceeded: delta for each of the events."""
        return self.events * self.delta

    @property
    def vacuous(self) -> bool:
        return self.excess >= 1 or self.failure >= 1


def theorem_3_4(
    n: int, n_classes: int, delta: float, advantage: AdvantageDistribution, constant: float = 1.0
) -> AdvantageBound:
    """Bound on the excess risk of PL A-kNN where bags are aligned: delta + P(adv <= a_n).

    ``advantage`` is as in ``low_advantage``.

    Source: Errandonea et al., Theorem 3.4.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import theorem_3_4
    >>> bound = theorem_3_4(n=1000, n_classes=2, delta=0.05, advantage=lambda a: a)
    >>> round(bound.level, 4), round(bound.low, 4)
    (0.0138, 0.0138)
    >>> round(bound.excess, 4)
    0.0638
    """
    at = level(n, n_classes, delta, constant)
    return AdvantageBound(n, float(delta), at, low_advantage(advantage, at))


def lemma_c_9(
    n: int,
    n_classes: int,
    delta: float,
    advantage: AdvantageDistribution,
    *,
    theta: float,
    misaligned: float,
    constant: float = 1.0,
    two_events: bool = False,
) -> AdvantageBound:
    """As ``theorem_3_4`` with bags that are misaligned on a set G, by at most theta: theta P(G) more.

    The lemma holds with probability 1 - delta, by Markov's inequality for the union of the errors inside G and outside.
    Applied to each, as in the printed proof, it gives 1 - 2 delta (``two_events``).

    Source: Errandonea et al., Lemma C.9.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import lemma_c_9
    >>> bound = lemma_c_9(n=1000, n_classes=2, delta=0.05, advantage=lambda a: a, theta=0.2, misaligned=0.1)
    >>> round(bound.excess, 4), bound.failure
    (0.0838, 0.05)
    """
    bound = theorem_3_4(n, n_classes, delta, advantage, constant)
    theta, misaligned = _check_misalignment(theta, misaligned)
    return AdvantageBound(n, bound.delta, bound.level, bound.low, theta, misaligned, 2 if two_events else 1)


def theorem_3_5(theta: float, misaligned: float) -> float:
    """What the excess risk is at most in the limit, theta P(G): 0 where bags are aligned almost everywhere.

    Source: Errandonea et al., Theorem 3.5; Theorem 3.1 with P(G) = 0. Under condition (4), ``conditions_4``,
    with the c1 of the proof.

    Examples
    --------
    >>> from knnviz.bounds.errandonea import theorem_3_5
    >>> theorem_3_5(theta=0.5, misaligned=0.25)
    0.125
    """
    theta, misaligned = _check_misalignment(theta, misaligned)
    return theta * misaligned


def _check_misalignment(theta: float, misaligned: float) -> tuple[float, float]:
    return float(checks.check_real("theta", theta, 0, 1)), float(checks.check_real("P(G)", misaligned, 0, 1))
