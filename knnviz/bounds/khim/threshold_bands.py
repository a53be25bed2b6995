"""Two classes: weights are a threshold on eta, and the band of Proposition 3 lies around two thresholds."""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from knnviz import checks
from knnviz.profiles.balls import Weights, check_class_weights
from knnviz.rules import Threshold

#: Thresholds that differ by less count as equal. The edges of a band depend on thresholds, and get the same slack.
SAME_THRESHOLD = 1e-9


class BandMass(NamedTuple):
    """Mass of a band of eta: ``tne`` of class 0 in it, and ``fne`` of class 1; infinite where there is no band.

    Made by ``threshold_mass``; arrays for several thresholds. Source: Khim et al., Proposition 3.
    """

    tne: float | np.ndarray
    fne: float | np.ndarray


def weight_threshold(q: Weights) -> float:
    """The threshold on eta that the weights q of two classes set: class 1 where eta >= q_0 / (q_0 + q_1).

    That is the threshold of ``Threshold.from_weights`` as a double, without its tolerance for ties.

    Source: Khim et al., Appendix C. In their section 4 the numerator is the weight of the first class, which is right
    if that is the negative one.

    Examples
    --------
    >>> from knnviz.bounds.khim import weight_threshold
    >>> weight_threshold([1, 3])
    0.25
    """
    q = check_class_weights(q)
    if len(q) != 2:
        raise ValueError(f"a threshold is for two classes, got {len(q)} weights")
    return float(Threshold.from_weights(q.tolist(), tie_tol=0).threshold)


def bracket(t: float, thresholds: Sequence[float]) -> tuple[float, float] | None:
    """The two closest of some thresholds with t between them, or t twice if it is one of them; None without such two.

    All lie in [0, 1]. With 0 and 1 among them there always are two.

    Source: Khim et al., Proposition 3.

    Examples
    --------
    >>> from knnviz.bounds.khim import bracket
    >>> bracket(0.3, [0, 0.25, 0.5, 1])
    (0.25, 0.5)
    >>> bracket(0.5, [0, 0.25, 0.5, 1])
    (0.5, 0.5)
    """
    low, high = _closest_thresholds(np.atleast_1d(checks.check_real("threshold t", t, 0, 1)), thresholds)
    return (float(low[0]), float(high[0])) if np.isfinite([low, high]).all() else None


def threshold_mass(
    eta: np.ndarray,
    epsilon: float,
    t: float | Sequence[float] | np.ndarray,
    thresholds: Sequence[float] | np.ndarray,
    *,
    weights: np.ndarray | None = None,
) -> BandMass:
    """Masses tne and fne of the band t' - epsilon <= eta <= t'' + epsilon, with (t', t'') the ``bracket`` of t.

    The tightest two thresholds give the least mass, the infimum in the proposition. epsilon is not divided by a weight
    here, so the band does not widen for a rare class as that of Theorem 5 does.

    ``eta`` (m,) is the probability of class 1 at m points, and ``epsilon`` the uniform error of eta-hat, in [0, 1].
    ``t`` is a threshold in [0, 1], or several.

    Source: Khim et al., Proposition 3.

    Examples
    --------
    >>> from knnviz.bounds.khim import threshold_mass
    >>> import numpy as np
    >>> eta = np.array([0.1, 0.4, 0.5, 0.9])
    >>> band = threshold_mass(eta, epsilon=0.15, t=0.5, thresholds=[0, 0.5, 1])
    >>> round(band.tne, 4), round(band.fne, 4)
    (0.275, 0.225)
    """
    eta, epsilon = checks.check_numbers("eta", eta), checks.check_real("epsilon", epsilon, 0, 1)
    if eta.ndim != 1 or not len(eta) or not ((eta >= 0) & (eta <= 1)).all():
        raise ValueError(f"eta must hold probabilities of class 1 between 0 and 1, got shape {eta.shape}")
    points = checks.check_weights(weights, len(eta))
    # This kind is quick where eta is sorted already.
    order = np.argsort(eta, kind="stable")
    low, high = _closest_thresholds(_check_row("t", np.atleast_1d(t)), thresholds)
    first = np.searchsorted(eta[order], low - epsilon - SAME_THRESHOLD)
    last = np.searchsorted(eta[order], high + epsilon + SAME_THRESHOLD, side="right")
    masses = []
    for mass in (points * (1 - eta), points * eta):
        cumulative = np.concatenate([[0.0], np.cumsum(mass[order])])
        masses.append(np.where(np.isfinite(high - low), cumulative[last] - cumulative[first], inf))
    return BandMass(*(masses if np.ndim(t) else (float(each[0]) for each in masses)))


def _closest_thresholds(t: np.ndarray, thresholds: Sequence[float] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The closest thresholds below and above each t (m,), or twice the nearest if it is t; infinite for none."""
    known = np.sort(_check_row("thresholds", thresholds))
    padded, above = np.concatenate([[-inf], known, [inf]]), np.searchsorted(known, t)
    low, high = padded[above], padded[above + 1]
    nearest = np.where(t - low < high - t, low, high)
    same = abs(nearest - t) <= SAME_THRESHOLD
    return np.where(same, nearest, low), np.where(same, nearest, high)


def _check_row(name: str, values: Sequence[float] | np.ndarray) -> np.ndarray:
    row = checks.check_numbers(name, values)
    if row.ndim != 1 or not ((row >= 0) & (row <= 1)).all():
        raise ValueError(f"{name} must be numbers between 0 and 1, got {values!r}")
    return row
