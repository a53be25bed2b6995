"""The width of the hard region H, the balls that make H+ of it, and whether H holds the effective boundary."""

from math import ceil, floor, log, sqrt
from typing import NamedTuple

import numpy as np

from knnviz import checks
from knnviz.bounds.chaudhuri_dasgupta import margin

#: Largest c0 and c_plus, so that their squares stay finite.
LARGEST_CONSTANT = 1e100


def _complexity(n: int, dimension: int, delta: float) -> float:
    """d log n + log(1 / delta)."""
    n, dimension = checks.check_int("n", n, 1), checks.check_int("dimension", dimension, 1)
    return (dimension + 1) * log(n) + log(1 / checks.check_failure_probability(delta))


def band_slack(n: int, k: int, dimension: int, delta: float, c0: float) -> float:
    """Delta~ = c0 sqrt((d log n + log(1 / delta)) / k), for deviations of eta-hat at all points together.

    Source: Rittler & Chaudhuri, Definition 4.

    Examples
    --------
    >>> from knnviz.bounds.rittler import band_slack
    >>> round(band_slack(n=1000, k=100, dimension=1, delta=0.1, c0=1), 4)
    0.4015
    """
    k = checks.check_k(k, checks.check_int("n", n, 1))
    return checks.check_real("c0", c0, 0, LARGEST_CONSTANT) * sqrt(_complexity(n, dimension, delta) / k)


def hard_width(n: int, k: int, dimension: int, delta: float, c0: float) -> float:
    """2 Delta + Delta~: a point is hard if its eta-hat is closer to 1/2 than this. Above 1/2 every point is hard.

    Source: Rittler & Chaudhuri, Definition 4.

    Examples
    --------
    >>> from knnviz.bounds.rittler import hard_width
    >>> [round(hard_width(n=1000, k=100, dimension=1, delta=0.1, c0=c0), 4) for c0 in (0, 1)]
    [0.3462, 0.7476]
    """
    return 2 * margin(k, delta) + band_slack(n, k, dimension, delta, c0)


def least_hard_neighbors(n: int, dimension: int, delta: float, c0: float) -> int:
    """The smallest k with 2 Delta + Delta~ below 1/2, so that a unanimous vote is not hard; it may exceed n.

    Source: k > 4 (2 sqrt(log(2 / delta)) + c0 sqrt(d log n + log(1 / delta)))^2, from the definitions of Rittler &
    Chaudhuri.

    Examples
    --------
    >>> from knnviz.bounds.rittler import least_hard_neighbors
    >>> [least_hard_neighbors(n=1000, dimension=1, delta=0.1, c0=c0) for c0 in (0, 0.1)]
    [48, 60]
    """
    slack = checks.check_real("c0", c0, 0, LARGEST_CONSTANT) * sqrt(_complexity(n, dimension, delta))
    return floor(4 * (2 * sqrt(log(2 / delta)) + slack) ** 2) + 1


def augmented_neighbors(n: int, dimension: int, delta: float, c_plus: float) -> int:
    """k+ = c_plus sqrt(n d log(8 / delta)), rounded up, from 1 to n: labels of round one in a ball of H+.

    c_plus = 4 gives the term k+ / n = sqrt(16 d log(8 / delta) / n) in the condition of Corollary 1.

    Source: Rittler & Chaudhuri, Definition 5.

    Examples
    --------
    >>> from knnviz.bounds.rittler import augmented_neighbors
    >>> [augmented_neighbors(n=1000, dimension=1, delta=0.1, c_plus=c_plus) for c_plus in (1, 4)]
    [94, 375]
    """
    n, dimension = checks.check_int("n", n, 1), checks.check_int("dimension", dimension, 1)
    unbounded = checks.check_real("c_plus", c_plus, 0, LARGEST_CONSTANT) * sqrt(
        n * (dimension + 1) * log(8 / checks.check_failure_probability(delta))
    )
    return max(1, min(n, ceil(unbounded)))


class Contained(NamedTuple):
    """Masses of effective boundary and hard region, and the fraction of the first in the second (1 if it is empty)."""

    boundary_mass: float
    hard_mass: float
    covered: float


def contained(boundary: np.ndarray, hard: np.ndarray, weights: np.ndarray | None = None) -> Contained:
    """Compare the effective boundary (m,) bool with the hard region (m,) bool at points of ``weights`` (m,).

    The paper claims in passing that, for smooth eta, the first lies in the second with high probability. ValueError for
    shapes that differ.

    Source: Rittler & Chaudhuri, the claim after Definition 4.

    Examples
    --------
    >>> import numpy as np
    >>> from knnviz.bounds.rittler import contained
    >>> boundary, hard = np.array([[True, True, False, False], [False, True, True, True]])
    >>> contained(boundary, hard)
    Contained(boundary_mass=0.5, hard_mass=0.75, covered=0.5)
    """
    boundary, hard = np.asarray(boundary, bool), np.asarray(hard, bool)
    if boundary.shape != hard.shape or boundary.ndim != 1:
        raise ValueError(f"boundary and hard must mark the same points, got {boundary.shape} and {hard.shape}")
    weights = checks.check_weights(weights, len(hard))
    mass, both = float(weights[boundary].sum()), float(weights[boundary & hard].sum())
    return Contained(mass, float(weights[hard].sum()), both / mass if mass else 1.0)
