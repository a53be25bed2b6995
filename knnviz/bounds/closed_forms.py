"""Closed forms of balls and of effective boundaries, to check the integrals over grids.

For points uniform on [0, 1], where balls that reach beyond an end are clipped. Of an effective
boundary ``mass`` is p, and ``margin`` Delta. Where clipped balls matter, or a ball reaches over two
edges, the formula of a boundary does not hold, and its mass is infinite.
"""

from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import boxcox1p

from knnviz import problems
from knnviz.bounds.arguments import formula

#: How far a margin may be off by rounding.
ROUNDING = 1e-12


@formula
def probability_radius(x: ArrayLike, mass: ArrayLike) -> np.ndarray | float:
    """Radius of the smallest closed ball of probability p: p / 2, or p - u at a distance u < p / 2
    from an end.

    A number, or (m,) around positions x (m,). Rittler & Chaudhuri, Definition 1.
    """
    x = np.asarray(x, float)
    to_end = np.minimum(x, 1 - x)
    radius = np.maximum(np.divide(mass, 2), mass - to_end)
    return radius if radius.ndim else float(radius)


@formula
def jump_boundary_mass(a: float, mass: float, margin: float) -> float:
    """Of ``problems.jump(a)``: p Delta / a, or 1 where Delta exceeds a; for p (1 + Delta / a) up to
    1.

    A ball of radius r that reaches over the jump from a distance t has the margin a t / r.
    """
    if margin > a:
        return 1.0
    fraction = margin / a if margin else 0.0
    if mass * (1 + fraction) <= 1:
        return mass * fraction
    return inf


@formula
def linear_boundary_mass(s: float, mass: float, margin: float) -> float:
    """Of ``problems.linear(s)``: 2 Delta / s whatever p is, or 1 if that exceeds 1; for p up to 1 -
    2 Delta / s.

    The mean of a line over a ball is its value at the center.
    """
    fraction = 2 * margin / s if 2 * margin < s else float(margin > 0)
    if mass > 1 - fraction and fraction < 1:
        return inf
    return fraction


@formula
def power_boundary_mass(kappa: float, mass: float, margin: float) -> float:
    """Of ``problems.power(kappa)`` for kappa >= 1: (2 Delta)^(1 / kappa), if balls at the ends have
    a margin of Delta.

    The margin of x is ``|2 x - 1|^kappa / 2``. So eta bends away from 1/2 on both sides, and no
    ball has a smaller margin than its center, unless it is clipped.
    """
    # 2 p times the margin of the balls at the ends, with its digits for p near 0 too.
    at_end = -boxcox1p(-2 * min(mass, 1 - mass), kappa + 1) / 2
    if kappa < 1 or at_end < 2 * mass * margin < mass:
        return inf
    return min(1.0, (2 * margin) ** (1 / kappa))


@formula
def bump_boundary_mass(
    width: float, height: float, low: float, mass: float, margin: float
) -> float:
    """Of ``problems.bump(width, height, low)``: 4 p Delta / (height - low), for p up to min(width,
    (1 - width) / 2).

    And for Delta from ``|height + low - 1| / 2`` to the smaller of height - 1/2 and 1/2 - low, with
    low < height. Each edge is a jump, of mass p Delta / a if it reaches equally far above and below
    1/2. Otherwise one side of the edge gains the mass that the other loses.
    """
    least = abs(height + low - 1) / 2
    most = min(height - 0.5, 0.5 - low)
    fits = low < height and mass <= min(width, (1 - width) / 2)
    if fits and least - ROUNDING <= margin <= most:
        return 4 * mass * margin / (height - low)
    return inf


class Plateau(NamedTuple):
    """Closed forms of ``problems.plateau(p0, p1)`` under label noise of flip rates p0 and p1; made
    by ``plateau``.

    R*, mu(A_0), the limit of the risk of kNN, and the least L and M of eta at alpha = 1 and at beta
    = 1.
    """

    bayes_risk: float
    misled: float
    vote_limit: float
    smoothness_constant: float
    margin_constant: float


@formula
def plateau(p0: float, p1: float) -> Plateau:
    """R* = 1/3 - w / 6, mu(A_0) = 1/3 + 2 w / 3, limit R* + w / 3 + 2 w^2 / 3, L = 3/2, M = 4/3 + 2
    / (3 w).

    Reeve & Kaban, section 5, which counts only the plateau's 1/3 of mu(A_0). p0 and p1 differ and
    are below 1/2; w = ``|p1 - p0| / (2 contrast)`` is the distance from 1/2 of the eta whose
    eta_corr is 1/2.
    """
    # The problem refuses other rates.
    problems.plateau(p0, p1)
    w = abs(p1 - p0) / (2 * (1 - p0 - p1))
    bayes_risk = 1 / 3 - w / 6
    misled = 1 / 3 + 2 * w / 3
    vote_limit = bayes_risk + w / 3 + 2 * w**2 / 3
    margin_constant = 4 / 3 + 2 / (3 * w)
    return Plateau(bayes_risk, misled, vote_limit, 1.5, margin_constant)
