"""How well a sample distinguishes the two worlds of Proposition 2, and the probability of the best guess."""

from math import ceil, inf, sqrt

import numpy as np
from scipy.fft import dct
from scipy.special import expit

from knnviz import checks
from knnviz.bounds.khim.uniform import bump
from knnviz.bounds.khim.worlds import TwoWorlds

#: Cells across half a bump.
HALF_BUMP_CELLS = 50

#: The range of the log-likelihood ratio is divided into intervals of this length, with this many cells each.
INTERVAL_LENGTH, INTERVAL_CELLS = 20.0, 512

#: Standard deviations of the log-likelihood ratio beyond its mean at which the grid ends.
DEVIATIONS = 8

#: How many intervals get their own cells: with more, the guess is almost certain, and coarser cells will do.
MOST_INTERVALS = 64


def log_likelihood_ratio(worlds: TwoWorlds, points: np.ndarray, labels: np.ndarray) -> float:
    """Log of the likelihood of ``P_+`` over that of ``P_-``, for labels (m,) at points (m, d) of the cube.

    The far point carries no information: there eta is 1 in both worlds. Source: Khim et al., proof of Proposition 2.

    Examples
    --------
    >>> from knnviz.bounds.khim import log_likelihood_ratio, posterior, proposition_2
    >>> import numpy as np
    >>> worlds, center = proposition_2(n=1000, mass=0.5, offset=0.1), np.array([[0.5]])
    >>> round(worlds.eta(center)[0].item(), 4)
    0.625
    >>> round(posterior(log_likelihood_ratio(worlds, center, np.array([1]))), 4)
    0.625
    """
    margin = worlds.margin(points)
    codes = checks.check_codes("labels", labels, len(margin), 2)
    return float(np.where(codes == 1, 1, -1) @ _label_ratio(margin))


def _label_ratio(margin: np.ndarray) -> np.ndarray:
    """Log-likelihood ratio (m,) of a label where eta is 1/2 + margin or 1/2 - margin."""
    return 2 * np.arctanh(2 * margin)


def posterior(ratio: float) -> float:
    """Posterior probability of P_+ in [0, 1] from the log-likelihood ratio, under equal priors.

    Source: Bayes' rule, for the two worlds of Khim et al., Proposition 2.

    Examples
    --------
    >>> from knnviz.bounds.khim import posterior
    >>> from math import log
    >>> round(posterior(log(3)), 4)
    0.75
    """
    return float(expit(checks.check_real("log-likelihood ratio", ratio, -inf, inf)))


def best_probability(worlds: TwoWorlds) -> float:
    """Probability that the best guess from a sample of n is right, in [1/2, 1], under equal priors of both worlds.

    The guess is the sign of the log-likelihood ratio S. It is right with the probability 1 / (1 + exp(-abs(S))), whose
    mean is returned, to three digits. The labels of n points are independent, so the characteristic function of S is a
    power, and the mean a sum of cosines. Raises ValueError unless the cube is a line.

    Source: for the two worlds of Khim et al., Proposition 2.

    Examples
    --------
    >>> from knnviz.bounds.khim import best_probability, proposition_2
    >>> round(best_probability(proposition_2(n=100, mass=0.001)), 2)
    0.5
    >>> round(best_probability(proposition_2(n=1000, mass=0.5)), 2)
    0.66
    >>> round(best_probability(proposition_2(n=1000, mass=0.5, offset=0.2)), 2)
    1.0
    """
    if worlds.dimension != 1:
        raise ValueError(f"the best guess is computed on a line, got dimension {worlds.dimension}")
    in_bump = worlds.offset + worlds.height * bump((np.arange(HALF_BUMP_CELLS) + 0.5) / HALF_BUMP_CELLS)
    bump_width = 2 / worlds.inverse_radius
    intervals = _interval_count(worlds, bump_width, in_bump)
    cells, farthest = min(intervals, MOST_INTERVALS) * INTERVAL_CELLS, intervals * INTERVAL_LENGTH
    waves = np.pi * np.arange(cells + 1) / farthest
    inside, outside = (_characteristic(margin, waves) for margin in (in_bump, np.array([worlds.offset])))
    of_one_label = bump_width * inside + (1 - bump_width) * outside
    of_sample = np.exp(worlds.n * np.log1p(worlds.mass * of_one_label)).real
    correct = expit(np.linspace(0, farthest, cells + 1))
    coefficients = dct(correct, type=1) / cells
    coefficients[[0, -1]] /= 2
    # Rounding may carry the sum beyond 1.
    return min(1.0, float(coefficients @ of_sample))


def _interval_count(worlds: TwoWorlds, bump_width: float, in_bump: np.ndarray) -> int:
    """How many intervals hold the log-likelihood ratio, for margins (m,) in the cells of half a bump."""
    margin = np.append(in_bump, worlds.offset)
    fractions = np.append(np.full(len(in_bump), bump_width / len(in_bump)), 1 - bump_width) * worlds.n * worlds.mass
    mean, variance = fractions @ (2 * margin * _label_ratio(margin)), fractions @ _label_ratio(margin) ** 2
    return ceil((mean + DEVIATIONS * sqrt(variance)) / INTERVAL_LENGTH)


def _characteristic(margin: np.ndarray, waves: np.ndarray) -> np.ndarray:
    """Mean of exp(i t S) - 1 for the label of one point under P_+, over margins (m,), at frequencies t (J,)."""
    angles = np.outer(waves, _label_ratio(margin))
    return (-2 * np.sin(angles / 2) ** 2 + 2j * margin * np.sin(angles)).mean(axis=1)
