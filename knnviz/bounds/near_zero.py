"""Mass of the points on a line where a function, linear in each cell, is close to 0."""

import numpy as np

from knnviz.checks import TIE_TOL


def masses_near_zero(
    low: np.ndarray, high: np.ndarray, mass: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """t, ascending, and the mass of the points with 0 < abs(value) <= t.

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
