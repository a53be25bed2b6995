"""Theorems for any flip rates: the plain vote (Theorem 1), and robust kNN with known rates (4 and 5)."""

from dataclasses import dataclass
from math import exp, log, sqrt
from typing import NamedTuple

from knnviz import checks, regions, rules
from knnviz.bounds.distribution_checks import check_two_classes, check_unit_cube
from knnviz.bounds.gao.conditions import check_bayes_risk, check_sizes
from knnviz.corruption import LabelNoise
from knnviz.problems import Problem
from knnviz.profiles.balls import TIE_TOL

#: Cells along a coordinate on which ``hard_mass`` is measured by default, by dimension.
CELLS = {1: 20_000, 2: 1000}


class BoxTerms(NamedTuple):
    """Terms of Theorems 1 and 5 that come from a partition of the cube into boxes.

    ``margin`` is Delta: how far eta_corr must be from the threshold. ``side`` is that of a box (mu in the paper): a box
    of side 1 or more holds the whole cube. ``vote``, 1 / sqrt(k), is for votes that deviate, ``cover`` for boxes with
    fewer than k points of the sample.
    """

    margin: float
    side: float
    vote: float
    cover: float


def boxes(n: int, k: int, noise: LabelNoise, *, lipschitz: float, dimension: int) -> BoxTerms:
    """Delta, the side s and two terms of Theorems 1 and 5, which depend on eta through its Lipschitz constant alone.

    With r = (1 - p0 - p1) L, s is the larger of sqrt(log k / k) / (2 r sqrt d) and (k sqrt d / (n r))^(1 / (1 + d)),
    and Delta = 2 r s sqrt d. The cover term is 2 (r / sqrt d)^(d / (1 + d)) (k / n)^(1 / (1 + d)). k is at least 2.

    The paper takes 1 / s to be whole. Other s < 1 need ceil(1 / s)^d boxes in place of s^(-d). Lemma 1 holds with half
    its right side, which makes up for that if (1 + s)^d <= 2, on a line always.

    Source: Gao et al., Theorems 1 and 5.

    Examples
    --------
    >>> from knnviz import LabelNoise
    >>> from knnviz.bounds.gao import boxes
    >>> parts = boxes(n=10**8, k=100, noise=LabelNoise(0.1, 0.3), lipschitz=1, dimension=1)
    >>> round(parts.vote, 4), round(parts.cover, 4)
    (0.1, 0.0015)
    """
    n, k = check_sizes("Theorems 1 and 5", n, k, 2)
    d = checks.check_int("dimension", dimension, 1)
    r = noise.contrast * checks.check_positive("Lipschitz constant", lipschitz)
    side = max(sqrt(log(k) / k) / (2 * r * sqrt(d)), (k * sqrt(d) / (n * r)) ** (1 / (1 + d)))
    cover = 2 * (r / sqrt(d)) ** (d / (1 + d)) * (k / n) ** (1 / (1 + d))
    return BoxTerms(2 * r * side * sqrt(d), side, 1 / sqrt(k), cover)


@dataclass(frozen=True)
class BoxBound:
    """Mean risk on true labels is at most ``value``; made by ``theorem_1`` or ``theorem_5``, with their conditions.

    ``boxes`` holds Delta, the side and two of the terms; ``hard_mass`` is the third, P(A_Delta) or P(A'_Delta).
    ``limit`` is the limit of the bound as k grows and k / n vanishes: R* + P(A_0) for the plain vote, R* for robust
    kNN. ``tie_mass`` is the mass where eta_corr equals the threshold but eta is not 1/2. The plain vote remains a fair
    coin there, and these points are not in A_0: its limit holds only if ``tie_mass`` is 0.
    """

    n: int
    k: int
    boxes: BoxTerms
    bayes_risk: float
    hard_mass: float
    limit: float
    tie_mass: float

    @property
    def value(self) -> float:
        return self.bayes_risk + self.hard_mass + self.boxes.vote + self.boxes.cover

    @property
    def vacuous(self) -> bool:
        return self.value >= 1


def theorem_1(
    problem: Problem,
    n: int,
    k: int,
    noise: LabelNoise,
    *,
    lipschitz: float,
    bayes_risk: float | None = None,
    resolution: int | None = None,
) -> BoxBound:
    """Bound on the risk of the plain vote of k among n noisy labels: R* + P(A_Delta) + vote + cover terms.

    A_Delta are the points where eta_corr is not beyond 1/2 by Delta on the side of eta. The bound is true but very
    loose: its limit R* + P(A_0) counts a misled point as 1, the risk itself (``risk.vote_limit``) as ``|2 eta - 1|``.

    ValueError for real data, and for points outside [0, 1]^d.

    Source: Gao et al., Theorem 1.

    Parameters
    ----------
    problem : Problem
        Two classes on points in [0, 1]^d.
    k : int
        From 2 to n.
    lipschitz : float
        L of eta, which is not checked. pi for ``checkerboard()``, s for ``linear(s)``.
    bayes_risk : float, optional
        R* in [0, 1/2]; by quadrature if it is not given.
    resolution : int, optional
        Cells along each coordinate, 20,000 on a line and 1000 on a plane by default.

    Examples
    --------
    Here R* = 0.3, and the noise moves every eta between 1/2 and 2/3 across 1/2, a mass of 5/24.

    >>> from knnviz import LabelNoise
    >>> from knnviz.bounds.gao import theorem_1
    >>> from knnviz.problems import linear
    >>> bound = theorem_1(linear(0.8), n=10**6, k=1000, noise=LabelNoise(0.1, 0.3), lipschitz=0.8)
    >>> round(bound.value, 3), round(bound.limit, 3)
    (0.757, 0.508)
    """
    return _box_bound(problem, n, k, noise, lipschitz, 0.5, bayes_risk, resolution)


def theorem_5(
    problem: Problem,
    n: int,
    k: int,
    noise: LabelNoise,
    *,
    lipschitz: float,
    bayes_risk: float | None = None,
    resolution: int | None = None,
) -> BoxBound:
    """Bound on the risk of robust kNN with known rates: Theorem 1 with A'_Delta in place of A_Delta.

    ``A'_Delta = {0 < |eta - 1/2| < Delta / contrast}`` are the points, but for eta = 1/2, where eta_corr is within
    Delta of theta. A'_0 is empty, so the limit is R*. Parameters as in ``theorem_1``.

    Source: Gao et al., Theorem 5.

    Examples
    --------
    >>> from knnviz import LabelNoise
    >>> from knnviz.bounds.gao import theorem_5
    >>> from knnviz.problems import linear
    >>> bound = theorem_5(linear(0.8), n=10**6, k=1000, noise=LabelNoise(0.1, 0.3), lipschitz=0.8)
    >>> round(bound.value, 3), round(bound.limit, 3)
    (0.722, 0.3)
    """
    return _box_bound(problem, n, k, noise, lipschitz, float(rules.theta(noise.p0, noise.p1)), bayes_risk, resolution)


def _box_bound(
    problem: Problem,
    n: int,
    k: int,
    noise: LabelNoise,
    lipschitz: float,
    threshold: float,
    bayes_risk: float | None,
    resolution: int | None,
) -> BoxBound:
    check_two_classes(problem)
    check_unit_cube(problem)
    parts = boxes(n, k, noise, lipschitz=lipschitz, dimension=problem.dimension)
    measure, eta = problem.cells(CELLS[problem.dimension] if resolution is None else resolution)
    corrupted = noise.corrupt(eta)
    # No frequency is 1 away from a threshold inside (0, 1), so that a larger Delta makes no difference.
    misled = regions.misled_points(eta, corrupted, threshold)
    hard = regions.misled_points(eta, corrupted, threshold, min(parts.margin, 1.0))
    ties = (abs(corrupted[:, 1] - threshold) <= TIE_TOL) & (abs(eta[:, 1] - 0.5) > TIE_TOL)
    bayes_risk = float(measure.weights @ eta.min(axis=1)) if bayes_risk is None else check_bayes_risk(bayes_risk)
    masses = [float(measure.weights[inside].sum()) for inside in (hard, misled, ties)]
    return BoxBound(n, k, parts, bayes_risk, masses[0], bayes_risk + masses[1], masses[2])


@dataclass(frozen=True)
class FixedKBound:
    """As n grows at a fixed k, the risk of robust kNN tends to at most R* + ``value``; made by ``theorem_4``."""

    k: int
    contrast: float

    @property
    def value(self) -> float:
        return exp(-0.5) / (self.contrast * sqrt(self.k))

    @property
    def vacuous(self) -> bool:
        return self.value >= 1


def theorem_4(k: int, noise: LabelNoise) -> FixedKBound:
    """Bound on the excess risk of robust kNN with known rates at a fixed k, as n grows: e^(-1/2) / (contrast sqrt k).

    In the limit k votes of frequency eta_corr are drawn at each point. Hoeffding's inequality bounds the excess by the
    supremum over t = ``|eta - 1/2|`` of 2 t exp(-2 k contrast^2 t^2). Gao et al. infer R* + O(1 / sqrt k) from
    Theorem 5, whose Delta does not vanish at a fixed k. It holds for ``Robust(variant="threshold")``. The
    variant "gao" gives class 1 to a fraction of exactly 1/2, even below theta, and may exceed it at an even k.

    Source: Gao et al., Theorem 4, with a direct proof.

    Examples
    --------
    >>> from knnviz import LabelNoise
    >>> from knnviz.bounds.gao import theorem_4
    >>> round(theorem_4(k=25, noise=LabelNoise(0.1, 0.3)).value, 4)
    0.2022
    """
    return FixedKBound(checks.check_int("k", k, 1), noise.contrast)
