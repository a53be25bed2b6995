"""Mass of the points on a line where a function, linear in each cell, is close to 0."""

import numpy as np

from knnviz.checks import TIE_TOL


def split_at_zero(a: np.ndarray, b: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, ...]:
    """Split cells where the value changes sign: least and largest abs(value) of each part, and its
    mass.

    The value runs from ``a`` to ``b`` in a cell of mass ``weights``, all (cells,). A cell is split
    where the value is 0.
    """
    crosses = a * b < 0
    beyond = b[crosses]
    starts = np.append(a, 0 * beyond)
    ends = np.append(b * ~crosses, beyond)
    low, high = np.sort(abs(np.array([starts, ends])), axis=0)

    fraction = np.divide(a, a - b, out=np.ones(len(a)), where=crosses)
    rest = (1 - fraction) * weights
    return low, high, np.append(fraction * weights, rest[crosses])


def masses_near_zero(
    low: np.ndarray, high: np.ndarray, mass: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """t, ascending, and the mass of the points with 0 < abs(value) <= t, for the parts of
    ``split_at_zero``.

    There is a t for each end of a part; in between the mass is linear in t.
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
