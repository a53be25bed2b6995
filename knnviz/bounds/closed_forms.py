"""Closed forms of balls and of effective boundaries, to check the integrals over grids.

The formulas are for points uniform on [0, 1], where balls that reach beyond an end are clipped. Of an effective
boundary ``mass`` is p, above 0 and at most 1, and ``margin`` Delta in [0, 1/2]; ``a`` is the height of a jump to each
side of 1/2, above 0 and at most 1/2. A formula for the mass of a boundary does not hold where clipped balls matter:
there the function raises ValueError.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from knnviz import checks, problems

#: How far a margin may be off by rounding.
ROUNDING = 1e-12


def probability_radius(x: ArrayLike, mass: float) -> np.ndarray | float:
    """Radius of the smallest closed ball of probability ``mass`` around x, for the uniform marginal on [0, 1].

    p / 2 inside, and p - u at a distance u < p / 2 from an end. A number, or (m,) at positions x (m,) in [0, 1].

    Source: Rittler & Chaudhuri, Definition 1.

    Examples
    --------
    >>> from knnviz.bounds.closed_forms import probability_radius
    >>> [round(probability_radius(x, mass=0.1), 4) for x in (0.5, 0.02)]
    [0.05, 0.08]
    """
    p, x = _check_mass(mass), checks.check_numbers("x", x)
    if not ((x >= 0) & (x <= 1)).all():
        raise ValueError("x must lie between 0 and 1")
    radius = np.maximum(p / 2, p - np.minimum(x, 1 - x))
    return radius if radius.ndim else float(radius)


def jump_boundary_mass(a: float, mass: float, margin: float) -> float:
    """Mass of the effective boundary of ``problems.jump(a)``: p Delta / a, or 1 where Delta exceeds a.

    A ball of radius r that reaches over the jump from a distance t has the margin a t / r.

    Clipped balls matter for p (1 + Delta / a) above 1 while Delta is at most a.

    Examples
    --------
    >>> from knnviz.bounds.closed_forms import jump_boundary_mass
    >>> round(jump_boundary_mass(a=0.25, mass=0.1, margin=0.05), 4)
    0.02
    """
    a = checks.check_positive("a", a, 0.5)
    p, margin = _check_boundary(mass, margin)
    if margin > a:
        return 1.0
    if p * (1 + margin / a) > 1:
        raise ValueError(f"the closed form needs p (1 + Delta / a) <= 1, got {p * (1 + margin / a):.3f}")
    return p * margin / a


def linear_boundary_mass(s: float, mass: float, margin: float) -> float:
    """Mass of the effective boundary of ``problems.linear(s)``: 2 Delta / s whatever p is, or 1 if that exceeds 1.

    The mean of a line over a ball is its value at the center. The slope s is above 0 and at most 1. Clipped balls
    matter for p above 1 - 2 Delta / s while that is above 0.

    Examples
    --------
    >>> from knnviz.bounds.closed_forms import linear_boundary_mass
    >>> round(linear_boundary_mass(s=0.8, mass=0.1, margin=0.2), 4)
    0.5
    """
    s = checks.check_positive("s", s, 1)
    p, margin = _check_boundary(mass, margin)
    fraction = 2 * margin / s
    if fraction >= 1:
        return 1.0
    if p > 1 - fraction:
        raise ValueError(f"the closed form needs p <= 1 - 2 Delta / s = {1 - fraction:.3f}, got {p:g}")
    return fraction


def power_boundary_mass(kappa: float, mass: float, margin: float) -> float:
    """Mass of the effective boundary of ``problems.power(kappa)`` for kappa from 1 to 20: (2 Delta)^(1 / kappa).

    The margin of x is ``|2 x - 1|^kappa / 2``. So eta bends away from 1/2 on both sides, and no ball has a smaller
    margin than its center, unless it is clipped. That matters where the ball of mass p at an end has a margin below
    Delta.

    Examples
    --------
    >>> from knnviz.bounds.closed_forms import power_boundary_mass
    >>> round(power_boundary_mass(kappa=2, mass=0.1, margin=0.02), 4)
    0.2
    """
    kappa = checks.check_real("kappa", kappa, 1, 20)
    p, margin = _check_boundary(mass, margin)
    clipped = (1 - abs(1 - 2 * p) ** (kappa + 1)) / (4 * p * (kappa + 1))
    if clipped < margin < 0.5:
        raise ValueError(f"the closed form needs balls of margin Delta at the ends, got {clipped:.3f} < {margin:.3f}")
    return (2 * margin) ** (1 / kappa)


def bump_boundary_mass(width: float, height: float, low: float, mass: float, margin: float) -> float:
    """Mass of the effective boundary of ``problems.bump(width, height, low)``: 4 p Delta / (height - low).

    eta is ``height`` within w / 2 of 1/2, with w the ``width``, and ``low`` elsewhere. Each edge of the bump is a jump,
    with the boundary mass p Delta / a if it reaches equally far above and below 1/2.
    Otherwise one side of the edge gains the mass that the other loses. ``low`` is at most 1/2 and ``height`` at least.

    ValueError for a bump of no height; where balls reach over two edges or an edge and an end, p > min(w, (1 - w) / 2);
    and where Delta is not from ``|height + low - 1| / 2`` to the smaller of height - 1/2 and 1/2 - low.

    Examples
    --------
    >>> from knnviz.bounds.closed_forms import bump_boundary_mass
    >>> round(bump_boundary_mass(width=0.2, height=0.9, low=0.1, mass=0.1, margin=0.2), 4)
    0.1
    """
    width = checks.check_real("width", width, 0, 1)
    p, margin = _check_boundary(mass, margin)
    height, low = checks.check_real("height", height, 0.5, 1), checks.check_real("low", low, 0, 0.5)
    widest = min(width, (1 - width) / 2)
    if p > widest:
        raise ValueError(f"the closed form needs p <= {widest:.3f}, got {p:g}")
    if height == low:
        raise ValueError("a bump needs height above low, got 0.5 for both")
    least, most = abs(height + low - 1) / 2, min(height - 0.5, 0.5 - low)
    if not least - ROUNDING <= margin <= most:
        raise ValueError(f"the closed form needs Delta from {least:.3f} to {most:.3f}, got {margin:g}")
    return 4 * p * margin / (height - low)


def _check_boundary(mass: float, margin: float) -> tuple[float, float]:
    return _check_mass(mass), checks.check_real("margin Delta", margin, 0, 0.5)


def _check_mass(mass: float) -> float:
    return checks.check_positive("ball mass p", mass, 1)


class Plateau(NamedTuple):
    """Closed forms of ``problems.plateau(p0, p1)`` under label noise of flip rates p0 and p1; made by ``plateau``.

    ``level`` is the value of eta on the plateau, a third of [0, 1]; beside it eta rises from 0 to 1 with slope 3/2.
    ``observed`` is the value of eta_corr on it. ``threshold`` is theta = (1 + p0 - p1) / 2, and ``eta_at_half`` t* the
    eta whose eta_corr is 1/2. ``bayes_risk`` is R*, ``misled`` mu(A_0), and ``vote_limit`` the limit of the risk of
    kNN. ``smoothness_constant`` and ``margin_constant`` are the smallest that hold at alpha = 1 and at beta = 1.
    """

    level: float
    observed: float
    threshold: float
    eta_at_half: float
    bayes_risk: float
    misled: float
    vote_limit: float
    smoothness_constant: float
    margin_constant: float


def plateau(p0: float, p1: float) -> Plateau:
    """Closed forms of the plateau family, with ``w = |p1 - p0| / (2 contrast)`` the distance of t* from 1/2.

    R* = 1/3 - w / 6, and mu(A_0) = 1/3 + 2 w / 3, of which the paper counts only the plateau's 1/3. The limit of kNN is
    R* + w / 3 + 2 w^2 / 3. L = 3/2, and M = 4/3 + 2 / (3 w). The flip rates differ and lie in [0, 1/2).

    Source: Reeve & Kaban, section 5.

    Examples
    --------
    With w = 1/6 these are 11/36, 4/9 and 41/108.

    >>> from knnviz.bounds.closed_forms import plateau
    >>> known = plateau(p0=0.1, p1=0.3)
    >>> round(known.bayes_risk, 4), round(known.misled, 4), round(known.vote_limit, 4)
    (0.3056, 0.4444, 0.3796)
    """
    problems.plateau(p0, p1)  # refuses other rates
    level, contrast = problems.plateau_level(p0, p1), 1 - p0 - p1
    w = abs(p1 - p0) / (2 * contrast)
    bayes_risk = 1 / 3 - w / 6
    excess = w / 3 + 2 * w**2 / 3
    return Plateau(
        level=float(level),
        observed=float(p0 + contrast * level),
        threshold=(1 + p0 - p1) / 2,
        eta_at_half=0.5 + (p1 - p0) / (2 * contrast),
        bayes_risk=bayes_risk,
        misled=1 / 3 + 2 * w / 3,
        vote_limit=bayes_risk + excess,
        smoothness_constant=1.5,
        margin_constant=4 / 3 + 2 / (3 * w),
    )
