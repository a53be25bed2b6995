"""Mass of the points on a line where a function, linear in each cell, is close to 0."""

import numpy as np

from knnviz.checks import TIE_TOL


def split_at_zero(
    a: np.ndarray, b: np.ndarray, weights: np.ndarray, jumps: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Split cells where the value changes sign: least and largest abs(value) of each part, and its mass.

    The value runs from ``a`` to ``b`` in a cell of mass ``weights``, all (cells,). A cell is split where the value is
    0. If the value ``jumps`` over 0 (cells,) bool, it is ``a`` in one half of the cell and ``b`` in the other.
    """
    crosses = (a * b < 0) & ~jumps
    fraction = np.divide(abs(a), abs(a) + abs(b), out=np.full(len(a), 0.5), where=crosses)
    is_split = crosses | jumps
    first = np.where(jumps, abs(a), np.where(crosses, 0, np.minimum(abs(a), abs(b))))
    second = np.where(jumps, abs(b), 0)[is_split]
    high = np.concatenate([np.where(is_split, abs(a), np.maximum(abs(a), abs(b))), abs(b)[is_split]])
    mass = np.concatenate([np.where(is_split, fraction, 1) * weights, ((1 - fraction) * weights)[is_split]])
    return np.concatenate([first, second]), high, mass


def masses_near_zero(low: np.ndarray, high: np.ndarray, mass: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """t, ascending, and the mass of the points with 0 < abs(value) <= t, for the parts of ``split_at_zero``.

    There is a t for each end of a part; in between the mass is linear in t.
    """
    flat = high - low <= TIE_TOL
    order_flat = np.argsort(high[flat])
    flat_mass = np.concatenate([[0], np.cumsum(np.where(high[flat] > TIE_TOL, mass[flat], 0)[order_flat])])
    density = mass[~flat] / (high - low)[~flat]
    ends = np.concatenate([low[~flat], high[~flat], high[flat]])
    order = np.argsort(ends)
    t = ends[order]
    slopes = np.cumsum(np.concatenate([density, -density, np.zeros(flat.sum())])[order])
    cumulative = np.concatenate([[0], np.cumsum(slopes[:-1] * np.diff(t))])
    return t, cumulative + flat_mass[np.searchsorted(high[flat][order_flat], t + TIE_TOL, side="right")]
