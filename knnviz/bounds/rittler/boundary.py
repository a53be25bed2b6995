"""Theorem 3: the vote of k nearest neighbors disagrees with the Bayes rule at most on an effective boundary."""

from dataclasses import dataclass

import numpy as np

from knnviz import checks, regions
from knnviz.bounds.chaudhuri_dasgupta import margin, mass
from knnviz.bounds.distribution_checks import check_two_classes
from knnviz.problems import Problem
from knnviz.profiles import BallProfile

#: Cells along a coordinate on which the boundary mass is measured by default, by dimension.
CELLS = {1: 2000, 2: 100}


@dataclass(frozen=True)
class BoundaryBound:
    """With probability 1 - delta over samples, the vote differs from the Bayes rule on a mass of at most ``value``.

    ``mass`` p and ``margin`` Delta define the effective boundary, ``boundary_mass`` is its probability, or 1 if p
    exceeds 1. Made by ``theorem_3``, which states the conditions.
    """

    n: int
    k: int
    delta: float
    mass: float
    margin: float
    boundary_mass: float

    @property
    def value(self) -> float:
        return self.boundary_mass + self.delta

    @property
    def vacuous(self) -> bool:
        """Whether the bound reaches 1, or p exceeds 1, so that no ball is that large."""
        return self.value >= 1 or self.mass > 1


def theorem_3(
    distribution: Problem | BallProfile,
    n: int,
    k: int,
    delta: float,
    *,
    weights: np.ndarray | None = None,
    resolution: int | None = None,
    literal: bool = False,
    constant: float | None = None,
) -> BoundaryBound:
    """Bound on the disagreement of the vote of k among n with the Bayes rule: mu(boundary(p, Delta)) + delta.

    It holds with probability 1 - delta over n independent labeled draws, for two classes, any marginal mu and any eta.
    ValueError for real data, for more than two classes, and for balls that do not reach p.

    Source: Rittler & Chaudhuri, Theorem 3, after Chaudhuri & Dasgupta 2014.

    Parameters
    ----------
    distribution : Problem or BallProfile
        The true distribution, which is integrated up to p; or balls already integrated up to p at least, around points
        that stand for the marginal.
    k : int
        From above 4 log(2 / delta) to n.
    weights : (m,) array, optional
        Probabilities of the centers of a BallProfile, equal by default.
    resolution : int, optional
        Cells of a Problem along each coordinate, 2000 on a line and 100 on a plane by default.
    literal : bool
        Whether the boundary ignores on which side of 1/2 the average of eta is, as Rittler & Chaudhuri print it. That
        bound is false if single points have positive mass (atoms).
    constant : float, optional
        In place of the c_delta in p = c_delta k / n, so 1 gives p = k / n. Then k may be any from 1 on, but the theorem
        need not hold.

    Examples
    --------
    For a line of slope s the boundary has the mass 2 Delta / s.

    >>> from knnviz.bounds.rittler import theorem_3
    >>> from knnviz.problems import linear
    >>> bound = theorem_3(linear(0.8), n=10_000, k=100, delta=0.1)
    >>> round(bound.boundary_mass, 3), round(2 * bound.margin / 0.8, 3)
    (0.433, 0.433)
    """
    p, Delta = mass(n, k, delta, constant), margin(k, delta)
    check_two_classes(distribution)
    if p > 1:
        return BoundaryBound(n, k, delta, p, Delta, 1.0)
    balls, weights = _balls(distribution, p, weights, resolution)
    inside = regions.effective_boundary(balls, p, Delta, literal=literal)
    return BoundaryBound(n, k, delta, p, Delta, float(weights @ inside))


def _balls(
    distribution: Problem | BallProfile, p: float, weights: np.ndarray | None, resolution: int | None
) -> tuple[BallProfile, np.ndarray]:
    if isinstance(distribution, BallProfile):
        if resolution is not None:
            raise ValueError("resolution is that of a problem; these balls have been integrated already")
        return distribution, checks.check_weights(weights, len(distribution))
    if weights is not None:
        raise ValueError("weights belong to balls; a problem brings its own")
    measure, eta = distribution.cells(CELLS[distribution.dimension] if resolution is None else resolution)
    return BallProfile.integrate(measure, eta, masses=[p]), measure.weights
