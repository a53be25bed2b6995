"""Where decisions can change if eta is known up to a uniform error."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from knnviz import checks
from knnviz.profiles.balls import TIE_TOL, check_class_weights


class ErrorBand(NamedTuple):
    """Points where the decision on class c can change: ``inside`` (m,) bool, eta_c from ``lower`` to ``upper`` (m,).

    Examples
    --------
    >>> from knnviz.regions import error_band
    >>> import numpy as np
    >>> eta = np.array([[0.9, 0.1], [0.55, 0.45]])
    >>> band = error_band(eta, epsilon=0.1, more=(1, 1), less=(1, 1), c=1)
    >>> tuple(round(mass, 4) for mass in band.errors(eta, c=1))
    (0.275, 0.225)
    """

    lower: np.ndarray
    upper: np.ndarray
    inside: np.ndarray

    def errors(self, eta: np.ndarray, c: int, weights: np.ndarray | None = None) -> tuple[float, float]:
        """Mass of other classes in the band, tne = P(Y != c, inside), and of class c in it, fne = P(Y = c, inside).

        The paper names them after true and false negatives, whose errors they bound. ``eta`` (m, C) are the class
        probabilities at the points of the band, and ``weights`` (m,) the probabilities of these points, 1 / m each by
        default.

        Raises ValueError for shapes that do not fit, a class out of range, and for eta and weights that are not
        probabilities.
        """
        weights, eta = checks.check_weights(weights, len(self.inside)), checks.check_probabilities("eta", eta)
        if len(eta) != len(weights):
            raise ValueError(f"eta must have a row for each of {len(weights)} points of the band, got {len(eta)}")
        of_class = eta[:, checks.check_int("class c", c, 0, eta.shape[1] - 1)] * weights
        return float((weights - of_class)[self.inside].sum()), float(of_class[self.inside].sum())


def error_band(
    eta: np.ndarray, epsilon: float, more: Sequence[float], less: Sequence[float], c: int, *, tight: bool = False
) -> ErrorBand:
    """The band around the threshold of class c in which an eta-hat within ``epsilon`` of eta may decide otherwise.

    With class weights q, class c leads where eta_c reaches t = max over j != c of q_j eta_j / q_c. An error of epsilon
    in eta moves eta_c - t by at most epsilon r, with r = 1 + max of q / q_c. The band is the set of points with t'(x) -
    epsilon r' <= eta_c(x) <= t''(x) + epsilon r''. Here t', r' are for weights q' = ``more``, and t'', r'' for q'' =
    ``less``. These are on both sides of the weights q in use: q'_c / q'_j >= q_c / q_j >= q''_c / q''_j for all j, as
    ``weights.cover`` finds them and ``weights.covers`` checks, or q' = q'' = q. Any scale of the weights gives the same
    band.

    Source: Khim et al., section 4 (Theorem 5).

    Parameters
    ----------
    eta : array (m, C)
        Class probabilities.
    epsilon : float
        Uniform error of eta-hat, in [0, 1].
    more, less : sequences (C,)
        Class weights q' that favor class c more than q, and q'' that favor it less; that of class c must be above 0,
        and the ratio of any other to it finite.
    c : int
        The class, in 0 to C - 1.
    tight : bool
        Whether r = 1 + max over j != c of q_j / q_c, which is enough for the proof. It is smaller only if q_c is
        the largest weight.

    Examples
    --------
    >>> from knnviz.regions import error_band
    >>> import numpy as np
    >>> eta = np.array([[0.9, 0.1], [0.55, 0.45], [0.2, 0.8]])
    >>> error_band(eta, epsilon=0.1, more=(1, 1), less=(1, 1), c=1).inside.tolist()
    [False, True, False]
    """
    eta = checks.check_probabilities("eta", eta)
    c = checks.check_int("class c", c, 0, eta.shape[1] - 1)
    epsilon = checks.check_real("epsilon", epsilon, 0, 1)
    t_lower, r_lower = _threshold_of_class(eta, check_class_weights(more, eta.shape[1], "more"), c, tight)
    t_upper, r_upper = _threshold_of_class(eta, check_class_weights(less, eta.shape[1], "less"), c, tight)
    lower, upper = t_lower - epsilon * r_lower, t_upper + epsilon * r_upper
    return ErrorBand(lower, upper, (lower - TIE_TOL <= eta[:, c]) & (eta[:, c] <= upper + TIE_TOL))


def _threshold_of_class(eta: np.ndarray, q: np.ndarray, c: int, tight: bool) -> tuple[np.ndarray, float]:
    """t (m,), what eta_c must reach for class c to lead, and r, how far eta_c - t moves per unit of error in eta."""
    if q[c] == 0:
        raise ValueError(f"an error band needs a weight above 0 for class {c}, got {q}")
    with np.errstate(over="ignore"):
        ratios = q / q[c]
    if not np.isfinite(ratios).all():
        raise ValueError(f"weights of an error band must not be so far apart that their ratio overflows, got {q}")
    others = np.delete(ratios, c)
    threshold = (np.delete(eta.T, c, axis=0) * others[:, None]).max(axis=0)
    return threshold, 1 + float(others.max() if tight else ratios.max())
