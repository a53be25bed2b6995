"""Two classes: weights are a threshold on eta, and the band of Proposition 3 lies between two of them."""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from knnviz import checks
from knnviz.profiles.balls import Weights, check_class_weights
from knnviz.rules import Threshold

#: Thresholds that differ by less count as equal. The edges of a band depend on thresholds, and get the same slack.
SAME = 1e-9


class BandMass(NamedTuple):
    """Mass of a band of eta: ``tne`` of class 0 in it, and ``fne`` of class 1; infinite where there is no band.

    Made by ``threshold_mass``. Source: Khim et al., Proposition 3.
    """

    tne: float
    fne: float


def weight_threshold(q: Weights) -> float:
    """The threshold on eta that the weights q of two classes set: class 1 where eta >= q_0 / (q_0 + q_1).

    That is the threshold of ``Threshold.from_weights`` as a double, without its tolerance for ties.

    Source: Khim et al., Appendix C. In their section 4 the numerator is the weight of the first class, which is right
    if that is the negative one.
    """
    q = check_class_weights(q)
    if len(q) != 2:
        raise ValueError(f"a threshold is for two classes, got {len(q)} weights")
    return float(Threshold.from_weights(q.tolist(), tie_tol=0).threshold)


def bracket(t: float, thresholds: Sequence[float]) -> tuple[float, float] | None:
    """The two closest of some thresholds with t between them, or t twice if it is one of them; None without such two.

    All lie in [0, 1]. With 0 and 1 among them there always are two.

    Source: Khim et al., Proposition 3.
    """
    t, held = checks.check_real("threshold t", t, 0, 1), checks.check_numbers("thresholds", thresholds)
    if held.ndim != 1 or not ((held >= 0) & (held <= 1)).all():
        raise ValueError(f"thresholds must be numbers between 0 and 1, got {thresholds!r}")
    if len(held) and abs(held - t).min() <= SAME:
        nearest = float(held[abs(held - t).argmin()])
        return nearest, nearest
    low, high = held[held < t], held[held > t]
    return (float(low.max()), float(high.min())) if len(low) and len(high) else None


def threshold_mass(
    eta: np.ndarray, epsilon: float, t: float, thresholds: Sequence[float], *, weights: np.ndarray | None = None
) -> BandMass:
    """Masses tne and fne of the band t' - epsilon <= eta <= t'' + epsilon, with (t', t'') the ``bracket`` of t.

    The tightest two thresholds give the least mass, the infimum in the proposition. There is no weight to divide
    epsilon by, so the band does not widen for a rare class as that of Theorem 5 does.

    ``eta`` (m,) is the probability of class 1 at m points, and ``epsilon`` the uniform error of eta-hat, in [0, 1].

    Source: Khim et al., Proposition 3.
    """
    eta, epsilon = checks.check_numbers("eta", eta), checks.check_real("epsilon", epsilon, 0, 1)
    if eta.ndim != 1 or not len(eta) or not ((eta >= 0) & (eta <= 1)).all():
        raise ValueError(f"eta must hold probabilities of class 1 between 0 and 1, got shape {eta.shape}")
    points, around = checks.check_weights(weights, len(eta)), bracket(t, thresholds)
    if around is None:
        return BandMass(inf, inf)
    inside = (eta >= around[0] - epsilon - SAME) & (eta <= around[1] + epsilon + SAME)
    return BandMass(float(points @ (inside * (1 - eta))), float(points @ (inside * eta)))
