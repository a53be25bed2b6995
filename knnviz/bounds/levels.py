"""Mass of the points on a line where a function, linear in each cell, is near 0."""

import numpy as np

from knnviz.profiles.balls import TIE_TOL


def levels(
    a: np.ndarray, b: np.ndarray, weights: np.ndarray, over: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Split cells where the value changes sign: least and largest abs(value) of each part, and its mass.

    The value runs from ``a`` to ``b`` in a cell of mass ``weights``, all (cells,). A cell is split where the value is
    0. If the value jumps ``over`` 0 (cells,) bool, it is ``a`` in one half of the cell and ``b`` in the other.
    """
    crosses = (a * b < 0) & ~over
    fraction = np.divide(abs(a), abs(a) + abs(b), out=np.full(len(a), 0.5), where=crosses)
    is_split = crosses | over
    first = np.where(over, abs(a), np.where(crosses, 0, np.minimum(abs(a), abs(b))))
    second = np.where(over, abs(b), 0)[is_split]
    high = np.concatenate([np.where(is_split, abs(a), np.maximum(abs(a), abs(b))), abs(b)[is_split]])
    fractions = np.concatenate([np.where(is_split, fraction, 1) * weights, ((1 - fraction) * weights)[is_split]])
    return np.concatenate([first, second]), high, fractions


def masses(low: np.ndarray, high: np.ndarray, fractions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Levels t at which a part begins or ends, ascending, and the masses with 0 < level <= t; of ``levels``."""
    flat = high - low <= TIE_TOL
    order_flat = np.argsort(high[flat])
    flat_mass = np.concatenate([[0], np.cumsum(np.where(high[flat] > TIE_TOL, fractions[flat], 0)[order_flat])])
    density = fractions[~flat] / (high - low)[~flat]
    ends = np.concatenate([low[~flat], high[~flat], high[flat]])
    order = np.argsort(ends)
    t = ends[order]
    slopes = np.cumsum(np.concatenate([density, -density, np.zeros(flat.sum())])[order])
    cumulative = np.concatenate([[0], np.cumsum(slopes[:-1] * np.diff(t))])
    return t, cumulative + flat_mass[np.searchsorted(high[flat][order_flat], t + TIE_TOL, side="right")]
