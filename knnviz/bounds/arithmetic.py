"""Powers and logarithms that may overflow, terms of smooth functions, integers by a property, and
masses of points where a function is close to 0.
"""

from collections.abc import Callable
from math import ceil, inf, log

import numpy as np

from knnviz.bounds.arguments import formula
from knnviz.checks import TIE_TOL

#: How far rounding may carry a number, relative to it.
ROUNDING = 1e-12


def power(base: float, exponent: float) -> float:
    """base^exponent, infinite beyond what doubles hold."""
    try:
        return base**exponent
    except (OverflowError, ZeroDivisionError):
        return inf


def log_over(count: float, delta: float) -> float:
    """log(count / delta), for every delta above 0.

    The quotient may overflow, and near 1 it has lost the digits of its logarithm.
    """
    return log(count) - log(delta)


@formula
def bias(k: float, n: int, smoothness: float, smoothness_constant: float) -> float:
    """L (2 k / n)^alpha: by so much a smooth function may change over a ball of this mass."""
    return smoothness_constant * power(2 * k / n, smoothness)


def rate_root(smoothness: float) -> float:
    """1 / (2 alpha + 1), of which the exponents of rates are multiples."""
    return 1 / (2 * smoothness + 1)


def ceil_rounded(number: float) -> float:
    """A number above 0 rounded up; where rounding carried it beyond an integer, that integer."""
    return ceil(number * (1 - ROUNDING)) if number < inf else inf


def least_int(holds: Callable[[int], bool], start: int = 1) -> int:
    """Smallest int n from ``start`` on with ``holds(n)``, true of some n and of all larger ones."""
    low = start - 1
    high = start
    while not holds(high):
        low = high
        high = 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def masses_near_zero(
    low: np.ndarray, high: np.ndarray, mass: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """t, ascending, and the mass of the points on a line with 0 < abs(value) <= t.

    In a part of the line, of this ``mass``, abs(value) goes from ``low`` to ``high``. There is a t
    for each end of a part; in between the mass is linear in t.
    """
    widths = high - low
    steep = widths > TIE_TOL
    density = mass[steep] / widths[steep]

    flat = ~steep & (high > TIE_TOL)
    order = np.argsort(high[flat])
    heights = high[flat][order]
    steps = np.append(0, np.cumsum(mass[flat][order]))

    ends = np.concatenate([low[steep], high[steep], heights])
    changes = np.concatenate([density, -density, 0 * heights])
    order = np.argsort(ends)
    t = ends[order]
    slopes = np.cumsum(changes[order])
    below = np.append(0, np.cumsum(slopes[:-1] * np.diff(t)))
    n_flat = np.searchsorted(heights, t + TIE_TOL, side="right")
    return t, below + steps[n_flat]
