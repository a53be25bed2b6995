"""How far eta-hat is off at the worst point and class: Theorems 3 and 4, Corollaries 3 and 4.

Notes
-----
holder_exponent, holder_constant : float
    alpha in (0, 1] and L, above 0 and at most 1e100, with abs(eta_c(x) - eta_c(x')) <= L times the distance to the
    power alpha.
mass_constant, dimension, largest_radius : float, int, float
    p* above 0, d from 1 to 100 (any d from 1 on in ``shattering_bound`` and Theorem 4) and r* in (0, 1000]: a ball of
    radius r <= r* has mass at least p* r^d, so that p* r*^d is at most 1. By default p* is that of uniform points on
    [0, 1]^d, V_d / 2^d with V_d the volume of the unit ball, which a corner has: 1 on the line.
covering, subsets : callables
    N(r), how many balls of radius r cover the points, and the shattering coefficient S(n), how many subsets of n points
    balls cut out. Default: ``covering_number`` and ``shattering`` on the line, else (2 / r)^d and ``shattering_bound``.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import exp, floor, gamma, inf, log, pi, sqrt
from typing import Any, NamedTuple

import numpy as np

from knnviz import checks
from knnviz.bounds.arithmetic import least_int
from knnviz.bounds.khim.arguments import ROUNDING

#: Dimension from which on (2 / r)^d balls are too few to cover the cube: the volume of one is too small.
UNCOVERED = 63

#: Most dimensions of the cube.
MOST_DIMENSIONS = 100


@dataclass(frozen=True)
class UniformBound:
    """With probability 1 - ``failure`` every eta-hat_c(x) is within ``value`` of eta_c(x), whatever C is.

    ``bias`` is the change of eta over a ball, ``vote`` the deviation of k votes at one point, ``union`` the addition
    for all points at once. ``not_refuted`` is False if k misses the condition, or if the bound uses (2 / r)^d balls as
    a cover of the cube and d >= 63. That these cover the cube is proved up to d = 13, false from 63 on, and open here
    in between. Made by ``theorem_3``, ``corollary_3`` and ``corollary_4``.
    """

    n: int
    k: int
    bias: float
    vote: float
    union: float
    failure: float
    not_refuted: bool

    @property
    def value(self) -> float:
        return self.bias + self.vote + self.union

    @property
    def vacuous(self) -> bool:
        return not self.not_refuted or self.value >= 1 or self.failure >= 1


def covering_number(radius: float) -> int:
    """Least number of open balls of a radius, above 0, that cover [0, 1]: floor(1 / (2 r)) + 1.

    ValueError for a radius so small that doubles cannot count them.

    Source: Khim et al., section 4.

    Examples
    --------
    >>> from knnviz.bounds.khim import covering_number
    >>> covering_number(0.25)
    3
    """
    number = 1 / (2 * checks.check_positive("radius", radius))
    if number == inf:
        raise ValueError(f"radius must be at least 1e-307, got {radius:g}")
    return floor(number) + 1


def shattering(n: int) -> int:
    """S(n), most subsets of n points on a line that balls cut out: n (n + 1) / 2 + 1, the empty one among them.

    Source: Khim et al., section 4.

    Examples
    --------
    >>> from knnviz.bounds.khim import shattering
    >>> shattering(3)
    7
    """
    n = checks.check_int("n", n, 1)
    return n * (n + 1) // 2 + 1


def shattering_bound(n: int, dimension: int) -> int:
    """Bound on the subsets of n points in d dimensions that balls cut out: 2 n^(d + 1) + 2.

    Source: Khim et al., Corollary 3.

    Examples
    --------
    >>> from knnviz.bounds.khim import shattering_bound
    >>> shattering_bound(3, dimension=1)
    20
    """
    return 2 * checks.check_int("n", n, 1) ** (checks.check_int("dimension", dimension, 1) + 1) + 2


def theorem_3(
    n: int,
    k: int,
    delta: float,
    *,
    holder_exponent: float,
    holder_constant: float,
    mass_constant: float | None = None,
    dimension: int = 1,
    largest_radius: float = 1.0,
    covering: Callable[[float], float] | None = None,
    subsets: Callable[[int], float] | None = None,
) -> UniformBound:
    """Bound on the uniform error of eta-hat: bias + 1 / sqrt k + sqrt(log(S(n) / delta) / (2 k)).

    The bias is 2^alpha L (2 k / (p* n))^(alpha / d). The bound fails with probability at most N((2 k / (p* n))^(1 / d))
    exp(-k / 4) + delta, and needs k / n <= p* r*^d / 2. The number of classes does not enter: the class
    probabilities sum to 1, and so do at most the variances. ``delta`` is the failure probability of the labels.

    Source: Khim et al., Theorem 3.

    Examples
    --------
    >>> from knnviz.bounds.khim import theorem_3
    >>> bound = theorem_3(n=10_000, k=400, delta=0.05, holder_exponent=1, holder_constant=1)
    >>> round(bound.bias, 4), round(bound.vote, 4), round(bound.union, 4)
    (0.16, 0.05, 0.1609)
    >>> round(bound.value, 4), round(bound.failure, 4)
    (0.3709, 0.05)
    """
    n = checks.check_int("n", n, 1)
    k, delta = checks.check_k(k, n), checks.check_failure_probability(delta)
    p_star, largest_mass = _check_mass(mass_constant, dimension, largest_radius)
    radius = (2 * k / (p_star * n)) ** (1 / dimension)
    in_range = k / n <= largest_mass / 2 and (covering is not None or dimension < UNCOVERED)
    if covering is None:
        covering = covering_number if dimension == 1 else lambda radius: (2 / radius) ** dimension
    alpha, constant = _check_holder(holder_exponent, holder_constant)
    bias = constant * (2 * radius) ** alpha
    union = sqrt((_log_subsets(subsets, n, dimension) - log(delta)) / (2 * k))
    return UniformBound(n, k, bias, 1 / sqrt(k), union, covering(radius) * exp(-k / 4) + delta, in_range)


def corollary_3(
    n: int,
    k: int,
    delta: float,
    *,
    holder_exponent: float,
    holder_constant: float,
    mass_constant: float | None = None,
    dimension: int = 1,
    as_printed: bool = False,
) -> UniformBound:
    """Theorem 3 on [0, 1]^d with a density of at least 2^d p* / V_d: log(4 n^(d + 1) / delta) in the last term.

    It fails with probability at most 2^(d - 1) p* n exp(-k / 4) / k + delta. The paper omits 2^(d - 1), and
    ``as_printed`` does so. N(r) <= (2 / r)^d is behind that, which is false from d = 63 on; see ``not_refuted``.
    As a density integrates to 1, p* is at most V_d / 2^d, the default.

    Source: Khim et al., Corollary 3.

    Examples
    --------
    >>> from knnviz.bounds.khim import corollary_3
    >>> bound = corollary_3(n=10_000, k=400, delta=0.05, holder_exponent=1, holder_constant=1)
    >>> round(bound.bias, 4), round(bound.vote, 4), round(bound.union, 4)
    (0.16, 0.05, 0.1688)
    >>> round(bound.value, 4), round(bound.failure, 4)
    (0.3788, 0.05)
    """
    return corollary_4(
        n,
        k,
        delta,
        ambient=dimension,
        holder_exponent=holder_exponent,
        holder_constant=holder_constant,
        mass_constant=mass_constant,
        dimension=dimension,
        as_printed=as_printed,
    )


def corollary_4(
    n: int,
    k: int,
    delta: float,
    *,
    ambient: int,
    holder_exponent: float,
    holder_constant: float,
    mass_constant: float | None = None,
    dimension: int = 1,
    as_printed: bool = False,
) -> UniformBound:
    """Theorem 3 for points of [0, 1]^d that a map which stretches no distance carries into D dimensions.

    As ``corollary_3`` with n^(D + 1) in the logarithm; ``ambient`` is D, from d to 1000. The rate is that of d.

    Source: Khim et al., Corollary 4.

    Examples
    --------
    >>> from knnviz.bounds.khim import corollary_4
    >>> bound = corollary_4(n=10_000, k=400, delta=0.05, ambient=3, holder_exponent=1, holder_constant=1)
    >>> round(bound.bias, 4), round(bound.vote, 4), round(bound.union, 4)
    (0.16, 0.05, 0.227)
    >>> round(bound.value, 4)
    0.437
    """
    most = _cube_mass(checks.check_int("dimension", dimension, 1, MOST_DIMENSIONS))
    ambient = checks.check_int("ambient dimension", ambient, dimension, 1000)
    p_star = most if mass_constant is None else checks.check_positive("mass constant p*", mass_constant)
    if p_star > most * (1 + ROUNDING):
        raise ValueError(f"mass constant p* must be at most V_d / 2^d = {most:g} on the cube, got {p_star:g}")
    general = theorem_3(
        n,
        k,
        delta,
        holder_exponent=holder_exponent,
        holder_constant=holder_constant,
        mass_constant=p_star,
        dimension=dimension,
        covering=lambda radius: (2 / radius) ** dimension,
        subsets=lambda n: 4 * n ** (ambient + 1),
    )
    failure = p_star * n * exp(-k / 4) / k + delta if as_printed else general.failure
    return replace(general, failure=failure, not_refuted=general.not_refuted and dimension < UNCOVERED)


class LeastError(NamedTuple):
    """The real k at which the bound of Theorem 3 is smallest, and the bound there; made by ``least_error``."""

    k: float
    value: float


def least_error(
    n: int,
    delta: float,
    *,
    holder_exponent: float,
    holder_constant: float,
    mass_constant: float | None = None,
    dimension: int = 1,
    largest_radius: float = 1.0,
    subsets: Callable[[int], float] | None = None,
) -> LeastError:
    """The smallest bound of Theorem 3 over real k up to p* r*^d n / 2, where the theorem ends.

    The bound is a k^c + b / sqrt k with c = alpha / d, which falls up to the k with k^(c + 1/2) = b / (2 a c) and rises
    from there.

    Source: Khim et al., Theorem 3; the order of k is in Corollary 3.

    Examples
    --------
    >>> from knnviz.bounds.khim import least_error, theorem_3
    >>> best = least_error(10_000, 0.05, holder_exponent=1, holder_constant=1)
    >>> round(best.k, 2), round(best.value, 4)
    (302.98, 0.3636)
    >>> round(theorem_3(10_000, round(best.k), 0.05, holder_exponent=1, holder_constant=1).value, 4)
    0.3636
    """
    alpha, constant = _check_holder(holder_exponent, holder_constant)
    p_star, largest_mass = _check_mass(mass_constant, dimension, largest_radius)
    radius = (2 / (p_star * checks.check_int("n", n, 1))) ** (1 / dimension)
    log_term = _log_subsets(subsets, n, dimension) - log(checks.check_failure_probability(delta))
    bias, vote = constant * (2 * radius) ** alpha, 1 + sqrt(log_term / 2)
    power = alpha / dimension
    k = min((vote / (2 * power * bias)) ** (1 / (power + 0.5)), largest_mass * n / 2)
    return LeastError(k, bias * k**power + vote / sqrt(k))


def least_n(epsilon: float, delta: float, **assumptions: Any) -> int:
    """Smallest n for which Theorem 3, at the best real k that it allows, makes the uniform error at most epsilon.

    ``epsilon`` is above 0 and at most 1, and the assumptions are those of ``least_error``. ValueError where there is no
    such n up to 1e30.

    Source: Khim et al., Theorem 3: all constants can be known, and then epsilon and n can be related.

    Examples
    --------
    >>> from knnviz.bounds.khim import least_error, least_n
    >>> smooth = {"holder_exponent": 1, "holder_constant": 1}
    >>> n = least_n(0.1, 0.05, **smooth)
    >>> n
    623961
    >>> [least_error(size, 0.05, **smooth).value <= 0.1 for size in (n - 1, n)]
    [False, True]
    """
    epsilon = checks.check_positive("epsilon", epsilon, 1)
    refusal = f"no n up to 1e30 makes the bound as small as {epsilon:g}"
    return least_int(lambda n: least_error(n, delta, **assumptions).value <= epsilon, most=1e30, refusal=refusal)


def theorem_4_exponent(holder_exponent: float, dimension: int) -> float:
    """alpha / (2 alpha + d): no estimate's uniform error falls faster than (log n / n) to this power, for all such eta.

    kNN reaches it. The factor before it is not known (see ``theorem_4_printed_constant``).

    Source: Khim et al., Theorem 4.

    Examples
    --------
    >>> from knnviz.bounds.khim import theorem_4_exponent
    >>> theorem_4_exponent(holder_exponent=0.5, dimension=1)
    0.25
    """
    alpha, _ = _check_holder(holder_exponent, 1)
    return alpha / (2 * alpha + checks.check_int("dimension", dimension, 1))


def theorem_4_printed_constant(holder_exponent: float, holder_constant: float, dimension: int) -> float:
    """The factor that the proof of Theorem 4 prints: not certified.

    c = min(1 / 2, L / ``bump_constant``) (1 / 32)^(alpha / (2 alpha + d)) / 2 for the ``bump`` g. The last step of the
    proof takes a g whose squared integral is at most about d / (2 alpha + d). At alpha = 1 that of g is larger in one
    to three dimensions: 0.98, not 1/3, in one. A lower g proves that there is a constant, as the theorem claims.

    Source: Khim et al., Theorem 4.

    Examples
    --------
    >>> from knnviz.bounds.khim import theorem_4_printed_constant
    >>> round(theorem_4_printed_constant(holder_exponent=1, holder_constant=10, dimension=3), 4)
    0.125
    """
    alpha, constant = _check_holder(holder_exponent, holder_constant)
    height = min(0.5, constant / bump_constant(alpha))
    return height / 2 * (1 / 32) ** theorem_4_exponent(alpha, dimension)


def bump(distance: np.ndarray) -> np.ndarray:
    """g at a distance (m,) from its center, exp(1 - 1 / (1 - distance^2)) within 1, and 0 beyond: 1 in the center.

    Source: Khim et al., proof of Theorem 4; that of Proposition 2 has it without the 1 in front, so e times lower.

    Examples
    --------
    >>> from knnviz.bounds.khim import bump
    >>> import numpy as np
    >>> bump(np.array([0, 0.5, 1])).round(4).tolist()
    [1.0, 0.7165, 0.0]
    """
    squares = checks.check_numbers("distance", distance) ** 2
    inside = squares < 1
    return np.where(inside, np.exp(1 - 1 / (1 - np.where(inside, squares, 0))), 0.0)


def bump_constant(holder_exponent: float, resolution: int = 1000) -> float:
    """Hoelder constant of ``bump``: largest abs(g(x) - g(x')) over the distance to the power alpha, in any dimension.

    As g depends on the distance from its center alone, the worst pair lies on one ray: a search over pairs of
    ``resolution`` positions there. At alpha = 1 it is the largest slope, at distance 3^(-1/4).

    Source: Khim et al., proofs of Theorem 4 and Proposition 2.

    Examples
    --------
    >>> from knnviz.bounds.khim import bump_constant
    >>> round(bump_constant(holder_exponent=1), 4)
    2.1704
    """
    alpha, resolution = _check_holder(holder_exponent, 1)[0], checks.check_int("resolution", resolution, 1)
    if alpha == 1:
        square = 3**-0.5
        return 2 * sqrt(square) / (1 - square) ** 2 * exp(1 - 1 / (1 - square))
    distances = np.arange(1, resolution + 1) / resolution
    return float((_largest_drops(resolution) / distances**alpha).max())


@lru_cache
def _largest_drops(resolution: int) -> np.ndarray:
    """By how much the bump falls at most over one step of a ray, over two, and so on."""
    heights = bump(np.linspace(0, 1, resolution + 1))
    return np.array([(heights[:-steps] - heights[steps:]).max() for steps in range(1, resolution + 1)])


def _check_holder(exponent: float, constant: float) -> tuple[float, float]:
    alpha = checks.check_positive("Hoelder exponent alpha", exponent, 1)
    return alpha, checks.check_positive("Hoelder constant L", constant, 1e100)


def _check_mass(mass_constant: float | None, dimension: int, largest_radius: float) -> tuple[float, float]:
    """p*, and the mass p* r*^d that a ball of the largest radius has at least."""
    dimension = checks.check_int("dimension", dimension, 1, MOST_DIMENSIONS)
    largest = checks.check_positive("largest radius r*", largest_radius, 1e3)
    p_star = (
        _cube_mass(dimension) if mass_constant is None else checks.check_positive("mass constant p*", mass_constant)
    )
    if p_star * largest**dimension > 1 + ROUNDING:
        raise ValueError(f"p* r*^d must be at most 1, as it is a mass, got {p_star:g} * {largest:g}^{dimension}")
    return p_star, p_star * largest**dimension


def _cube_mass(dimension: int) -> float:
    """V_d / 2^d: over r^d, the volume that a ball of radius r <= 1 around a corner of the cube has in it."""
    return 1.0 if dimension == 1 else pi ** (dimension / 2) / gamma(dimension / 2 + 1) / 2**dimension


def _log_subsets(subsets: Callable[[int], float] | None, n: int, dimension: int) -> float:
    if subsets is None:
        return log(shattering(n) if dimension == 1 else shattering_bound(n, dimension))
    try:
        number = subsets(n)
    except OverflowError:
        number = inf
    if not 1 <= number < inf:
        raise ValueError(
            f"S(n) must be finite and at least 1, got {number} at n = {n}; a whole number may be of any size"
        )
    return log(number)
