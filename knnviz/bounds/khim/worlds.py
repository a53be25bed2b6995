"""Proposition 2: two distributions (worlds), hard to distinguish from a sample, that differ in their true negatives."""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, gamma, pi

import numpy as np

from knnviz import checks
from knnviz.bounds.khim.uniform import bump, bump_constant

#: Distances from the middle of a bump at which integrals over it are summed.
RADII = 2000


@dataclass(frozen=True)
class TwoWorlds:
    """eta = 1/2 + (offset + height h) in ``P_+``, 1/2 - (offset + height h) in ``P_-``; made by ``proposition_2``.

    That is on the cube [0, 1]^d, which has the mass ``mass`` p, uniformly; a far point x' has the rest, and eta(x') =
    1. h is a bump of radius 1 / ``inverse_radius`` around the middle of the cube. The threshold is 1/2.
    """

    n: int
    mass: float
    dimension: int
    inverse_radius: float
    offset: float
    height: float

    def margin(self, points: np.ndarray) -> np.ndarray:
        """abs(eta - 1/2) (m,) at points (m, d) of the cube; ValueError beyond it."""
        points = checks.check_points("points", points, self.dimension)
        if points.min() < 0 or points.max() > 1:
            raise ValueError(f"points must lie in [0, 1]^d, got coordinates {points.min():g} to {points.max():g}")
        apart = np.sqrt(((points - 0.5) ** 2).sum(axis=1))
        return self.offset + self.height * bump(self.inverse_radius * apart)

    def eta(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """eta (m,) of ``P_+`` and of ``P_-`` at points (m, d) of the cube."""
        margin = self.margin(points)
        return 0.5 + margin, 0.5 - margin

    @property
    def true_negatives(self) -> tuple[float, float]:
        """TN(1/2) of ``P_+``, which is 0, and of ``P_-``, which exceeds p / 2."""
        return 0.0, self.mass * self._mean(lambda margin: 0.5 + margin)

    @property
    def epsilon(self) -> float:
        """Largest abs(eta - 1/2) on the cube, which therefore lies in the band abs(eta - 1/2) <= epsilon."""
        return self.offset + self.height

    @property
    def divergence(self) -> float:
        """Kullback-Leibler divergence of a sample of n from ``P_+`` and one from ``P_-``."""
        return self.n * self.mass * self._mean(lambda m: 2 * m * (np.log1p(2 * m) - np.log1p(-2 * m)))

    @property
    def probability(self) -> float:
        """Least probability that in one world an estimate of TN is off by p / 4 or more: exp(-KL) / 4."""
        return exp(-self.divergence) / 4

    def _mean(self, of: Callable[[np.ndarray], np.ndarray]) -> float:
        """Mean over the cube of a function of the margin, which depends on the distance from the middle alone."""
        d = self.dimension
        radius = (np.arange(RADII) + 0.5) / RADII
        shells = radius ** (d - 1)
        ball = pi ** (d / 2) / gamma(d / 2 + 1) / self.inverse_radius**d
        inside = float(shells @ of(self.offset + self.height * bump(radius)) / shells.sum())
        outside = float(of(np.array([self.offset]))[0])
        return ball * inside + (1 - ball) * outside


def proposition_2(
    n: int,
    mass: float,
    *,
    holder_exponent: float = 1.0,
    holder_constant: float = 1.0,
    dimension: int = 1,
    offset: float | None = None,
) -> TwoWorlds:
    """Two distributions that n points hardly distinguish, one without true negatives and one with more than p / 2.

    The bump has the radius 1 / M, M = n^(1 / (2 alpha + d)), and the height min(1/4, L / ``bump_constant``) M^-alpha.
    Here it lies in the middle of the cube; in the paper the cube cuts off a part of it, and it has 1 / (4 e) for 1/4.
    Any guess of TN is off by p / 4 in one of them. The statement holds for bands of some width B (log(1 / (4 delta)) /
    (p n))^(alpha / (2 alpha + d)), with a B of unknown value.

    Source: Khim et al., proof of Proposition 2.

    Parameters
    ----------
    n : int
        Sample size, at least 2^(2 alpha + d), so that the bump fits the cube.
    mass : float
        p of the cube, in (0, 1].
    holder_exponent, holder_constant, dimension
        alpha, L and d as in ``theorem_3``.
    offset : float, optional
        Least margin abs(eta - 1/2) on the cube: above 0 and at most 1/5. By default 0.1 / sqrt(n), which a sample
        hardly reveals.

    Examples
    --------
    >>> from knnviz.bounds.khim import proposition_2
    >>> worlds = proposition_2(n=1000, mass=0.5)
    >>> round(worlds.inverse_radius, 4), round(worlds.epsilon, 4)
    (10.0, 0.0282)
    >>> [round(each, 4) for each in worlds.true_negatives]
    [0.0, 0.2531]
    >>> round(worlds.probability, 4)
    0.174
    """
    constant = checks.check_positive("Hoelder constant L", holder_constant, 1e100)
    of_bump, d = bump_constant(holder_exponent), checks.check_int("dimension", dimension, 1, 100)
    inverse_radius = checks.check_int("n", n, 1) ** (1 / (2 * holder_exponent + d))
    if inverse_radius < 2:
        raise ValueError(f"n must be at least 2^(2 alpha + d) = {2 ** (2 * holder_exponent + d):g}, got {n}")
    height = min(0.25, constant / of_bump) * inverse_radius**-holder_exponent
    offset = 0.1 * n**-0.5 if offset is None else checks.check_positive("offset", offset, 0.2)
    return TwoWorlds(n, checks.check_positive("mass p", mass, 1), d, inverse_radius, offset, height)
