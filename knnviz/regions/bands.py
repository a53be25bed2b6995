"""Where decisions can change if eta is known up to a uniform error."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from knnviz import checks
from knnviz.profiles.balls import TIE, class_weights


class ErrorBand(NamedTuple):
    """Points ``inside`` (m,) where a decision on one class can change: its eta is from ``lower`` to ``upper`` (m,)."""

    lower: np.ndarray
    upper: np.ndarray
    inside: np.ndarray

    def errors(self, eta: np.ndarray, c: int, weights: np.ndarray | None = None) -> tuple[float, float]:
        """tne = P(Y != c, inside) and fne = P(Y = c, inside), for eta (m, C) at points of ``weights`` (m,), 1 / m each.

        Raises ValueError for shapes that do not fit, a class that is none, and for eta and weights that are no
        probabilities.
        """
        points, eta = checks.check_weights(weights, len(self.inside)), checks.check_probabilities("eta", eta)
        if len(eta) != len(points):
            raise ValueError(f"eta must have a row for each of {len(points)} points of the band, got {len(eta)}")
        own = eta[:, checks.check_int("class c", c, 0, eta.shape[1] - 1)] * points
        return float((points - own)[self.inside].sum()), float(own[self.inside].sum())


def error_band(
    eta: np.ndarray, epsilon: float, more: Sequence[float], less: Sequence[float], c: int, *, tight: bool = False
) -> ErrorBand:
    """The band around the threshold of class c in which an eta-hat within ``epsilon`` of eta may decide otherwise.

    It holds the points with t'(x) - epsilon r' <= eta_c(x) <= t''(x) + epsilon r'', where t = max over j != c of q_j
    eta_j / q_c and r = 1 + max of q / q_c, for weights q' = ``more`` and q'' = ``less`` (C,) around those in use: a
    pair that class-c covers them (``weights.covers``), or q' = q'' = q. Any scale of the weights gives the same band.

    Parameters
    ----------
    eta : array (m, C)
        Class probabilities.
    epsilon : float
        Uniform error of eta-hat, in [0, 1].
    more, less : sequences (C,)
        Class weights that favor class c more, and less; that of class c must be above 0, and the ratio
        of any other to it finite.
    c : int
        The class, in 0 to C - 1.
    tight : bool
        r = 1 + max over j != c of q_j / q_c, which is enough for the proof.

    Source: Khim et al., section 4 (Theorem 5).
    """
    eta = checks.check_probabilities("eta", eta)
    c = checks.check_int("class c", c, 0, eta.shape[1] - 1)
    epsilon = checks.check_real("epsilon", epsilon, 0, 1)
    (lower, reach), (upper, far) = (
        _threshold_of_class(eta, class_weights(q, eta.shape[1], name), c, tight)
        for name, q in (("more", more), ("less", less))
    )
    lower, upper = lower - epsilon * reach, upper + epsilon * far
    return ErrorBand(lower, upper, (lower - TIE <= eta[:, c]) & (eta[:, c] <= upper + TIE))


def _threshold_of_class(eta: np.ndarray, q: np.ndarray, c: int, tight: bool) -> tuple[np.ndarray, float]:
    """What eta_c (m,) must reach for class c to lead, and how far it moves at most with eta, per unit."""
    if q[c] == 0:
        raise ValueError(f"an error band needs a weight above 0 for class {c}, got {q}")
    with np.errstate(over="ignore"):
        ratios = q / q[c]
    if not np.isfinite(ratios).all():
        raise ValueError(f"weights of an error band must not be so far apart that their ratio overflows, got {q}")
    others = np.delete(ratios, c)
    threshold = (np.delete(eta.T, c, axis=0) * others[:, None]).max(axis=0)
    return threshold, 1 + float(others.max() if tight else ratios.max())
