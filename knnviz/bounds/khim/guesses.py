"""How well a sample tells the two worlds of Proposition 2 apart: what it says, and the chance of the best guess."""

from math import exp

import numpy as np
from scipy.fft import dct

from knnviz import checks
from knnviz.bounds.khim.uniform import bump
from knnviz.bounds.khim.worlds import TwoWorlds

#: Cells across half a bump, places along the log-likelihood ratio, and where these end: it is never that large.
HALF, PLACES, FARTHEST = 50, 512, 20.0


def log_likelihood_ratio(worlds: TwoWorlds, points: np.ndarray, labels: np.ndarray) -> float:
    """Log of the likelihood of P_+ over that of P_-, for classes (m,) at points (m, d) of the cube.

    What lies at the far point says nothing: there eta is 1 in both worlds. Raises ValueError for shapes that do not fit
    and for more than two classes. Source: Khim et al., proof of Proposition 2.
    """
    shift = worlds.shift(points)
    codes = checks.codes("labels", labels, len(shift), 2)
    return float(np.where(codes == 1, 1, -1) @ weight(shift))


def weight(shift: np.ndarray) -> np.ndarray:
    """What a label weighs (m,) where eta is 1/2 + shift or 1/2 - shift: log((1 + 2 shift) / (1 - 2 shift))."""
    return 2 * np.arctanh(2 * shift)


def belief(ratio: float) -> float:
    """The chance that it is P_+, in [0, 1], if both were as likely before and the log-likelihood ratio is this."""
    return 1 / (1 + exp(-ratio)) if ratio >= 0 else 1 - belief(-ratio)


def best_chance(worlds: TwoWorlds) -> float:
    """Chance that the best guess from a sample of n is right, in [1/2, 1], if both worlds are as likely before.

    The guess is the sign of the log-likelihood ratio S, which is right with the chance 1 / (1 + exp(-abs(S))); this is
    its mean. The labels of n points are independent, so the characteristic function of S is a power, and the mean a sum
    of cosines; to three digits. Raises ValueError unless the cube is a line.
    """
    if worlds.dimension != 1:
        raise ValueError(f"the best guess is computed on a line, got dimension {worlds.dimension}")
    waves = np.pi * np.arange(PLACES + 1) / FARTHEST
    height = worlds.lift + worlds.height * bump((np.arange(HALF) + 0.5) / HALF)
    wide = 2 / worlds.cells
    one = wide * _stray(height, waves) + (1 - wide) * _stray(np.array([worlds.lift]), waves)
    many = np.exp(worlds.n * np.log1p(worlds.mass * one)).real
    right = 1 / (1 + np.exp(-np.linspace(0, FARTHEST, PLACES + 1)))
    parts = dct(right, type=1) / PLACES
    parts[[0, -1]] /= 2
    return float(parts @ many)


def _stray(shift: np.ndarray, waves: np.ndarray) -> np.ndarray:
    """Mean of exp(i t S) - 1 for the label of one point under P_+, over shifts (m,), at frequencies t (J,)."""
    turns = np.outer(waves, weight(shift))
    return (-2 * np.sin(turns / 2) ** 2 + 2j * shift * np.sin(turns)).mean(axis=1)
