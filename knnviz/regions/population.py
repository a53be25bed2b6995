"""What follows from eta and its averages over balls: misled points, margins, effective boundary, advantage."""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from knnviz import checks, kernels
from knnviz.corruption import LabelNoise
from knnviz.profiles import BallProfile
from knnviz.profiles.balls import TIE_TOL, best_class, check_class_weights

#: A margin below Delta by less than this, such as by rounding in single precision, counts as reaching it.
MARGIN_TOL = 1e-6


def misled_points(eta: np.ndarray, corrupted: np.ndarray, threshold: float = 0.5, margin: float = 0.0) -> np.ndarray:
    """A_Delta (m,) bool, the misled points: eta_corr does not pass a threshold by a margin on eta's side of 1/2.

    ``eta`` and ``corrupted`` (m, 2) are the class probabilities without and with label noise. With margin 0 and
    threshold 1/2 these are the totally misled points A_0, where eta and eta_corr lie on opposite sides of 1/2. A point
    with eta = 1/2 is not misled. ``threshold`` in [0, 1] is that of a vote on noisy labels, 1/2 for the majority.
    ``margin`` is Delta in [0, 1]; a point that reaches it is not misled. Source: Gao et al., section 3; Reeve & Kaban,
    section 5. ValueError for more than two classes, and for shapes that differ.

    Examples
    --------
    >>> from knnviz import LabelNoise
    >>> from knnviz.regions import misled_points
    >>> import numpy as np
    >>> eta = np.array([[0.45, 0.55], [0.2, 0.8]])
    >>> misled_points(eta, LabelNoise(p0=0.0, p1=0.3).corrupt(eta)).tolist()
    [True, False]
    """
    clean = checks.check_points("eta", eta, 2)[:, 1] - 0.5
    noisy = checks.check_points("corrupted", corrupted, 2)[:, 1] - checks.check_real("threshold", threshold, 0, 1)
    if len(clean) != len(noisy):
        raise ValueError(f"eta and corrupted must have the same rows, got {len(clean)} and {len(noisy)}")
    margin = checks.check_real("margin Delta", margin, 0, 1)
    return (np.sign(clean) * noisy < margin - TIE_TOL) & (abs(clean) > TIE_TOL)


def margins(eta: np.ndarray, q: Sequence[float] | None = None) -> np.ndarray:
    """Delta_q (m,): by how much the weighted Bayes class f leads, q_f eta_f - max_{c != f} q_c eta_c, for eta (m, C).

    ``q`` (C,) are class weights, 1 / C each by default: ``|eta_1 - 1/2|`` for two classes (Khim et al., section 2).

    Examples
    --------
    >>> from knnviz.regions import margins
    >>> import numpy as np
    >>> margins(np.array([[0.3, 0.7], [0.5, 0.5]])).round(4).tolist()
    [0.2, 0.0]
    """
    eta = checks.check_points("eta", eta)
    first, second = np.sort(eta * check_class_weights(q, eta.shape[1]), axis=1).T[[-1, -2]]
    return first - second


def effective_boundary(
    ball: BallProfile,
    mass: float,
    margin: float,
    q: Sequence[float] | None = None,
    literal: bool = False,
    *,
    noise: LabelNoise | None = None,
) -> np.ndarray:
    """The effective boundary (m,) bool: the centers with a ball up to ``mass`` whose margin is below ``margin``.

    Every ball B around the center x counts, up to the first one that reaches the mass; only those at the
    profile's masses where ``BallProfile.smallest_margin`` is not exact. The margin of B is q_f eta_f(B) - max_{c != f}
    q_c eta_c(B), with f the weighted Bayes class at x (Chaudhuri & Dasgupta; Khim et al., section 2).

    Parameters
    ----------
    ball : BallProfile
        Averages of eta over balls around m centers.
    mass : float
        p, from 0 to the profile's largest mass. It is rounded up to the next of the profile's masses.
    margin : float
        Delta in [0, 1], or up to the largest weight in use, that of ``q`` or of the profile.
    q : sequence (C,), optional
        Class weights, those of the profile by default.
    literal : bool
        Whether the absolute value of the margin counts, ``|eta(B) - 1/2|`` for two classes, as Rittler & Chaudhuri
        print it: a ball far on the other side of 1/2 then does not put x into the boundary.
    noise : LabelNoise, optional
        Label noise between two classes: eta_corr takes the place of eta.

    Examples
    --------
    >>> from knnviz import BallProfile
    >>> from knnviz.problems import jump
    >>> from knnviz.regions import effective_boundary
    >>> balls = BallProfile.integrate(*jump(0.3).cells(100), [[0.25], [0.45]], masses=[0.2])
    >>> effective_boundary(balls, mass=0.2, margin=0.25).tolist()
    [False, True]
    """
    weights = ball.q if q is None else check_class_weights(q, ball.n_classes)
    margin = checks.check_real("margin Delta", margin, 0, max(1.0, float(weights.max())))
    smallest = ball.smallest_absolute_margin if literal else ball.smallest_margin
    return smallest(mass, q, noise) < margin - MARGIN_TOL


def advantage(ball: BallProfile, mass_cap: float, *, noise: LabelNoise | None = None) -> np.ndarray:
    """The advantage (m,) in [0, 1]: sup of p * gamma^2 over p <= A = ``mass_cap`` for which x is (p, gamma)-salient.

    It is salient if in every ball up to mass p each class with the largest eta at x leads every other class by gamma;
    for two classes the lead is ``|2 eta - 1|``. Where all classes tie at x the advantage is 1 (Balsubramani et al.;
    Errandonea et al., section 3). ``mass_cap`` is rounded down to the next of the masses of ``ball``, and with
    ``noise`` (two classes) p is one of these masses only. Both can make the result too small, but never too large.

    Examples
    --------
    >>> from knnviz import BallProfile
    >>> from knnviz.problems import jump
    >>> from knnviz.regions import advantage
    >>> balls = BallProfile.integrate(*jump(0.3).cells(100), [[0.25]], masses=[0.2, 0.5])
    >>> round(float(advantage(balls, mass_cap=0.5)[0]), 4)  # 0.5 * 0.6^2
    0.18
    """
    j = ball.last_at_most("largest mass A", mass_cap)
    if noise is None or noise == LabelNoise():
        return ball.advantage[j]
    ball.check_two_classes("label noise")
    eta_corr, product = noise.p0 + noise.contrast * ball.at_center[1], np.empty(len(ball))
    masses, lowest = ball.masses[: j + 1], ball.lowest_frequency
    kernels.largest_product(masses, lowest, noise.contrast, noise.offsets, eta_corr >= 0.5, product)
    return np.where(abs(eta_corr - 0.5) < MARGIN_TOL, 1.0, product)


def lower_bound_set(ball: BallProfile, n: int, k: int, q: Sequence[float] | None = None) -> np.ndarray:
    """Where kNN, with k of n points, must sometimes disagree with the weighted Bayes rule, (m,) bool.

    Let f be the weighted Bayes class at x, t = q_f / (q_f + q_c) and p' = eta_c(B) / (eta_c(B) + eta_f(B)). Then x is
    in the set iff some c != f has 0 < p' < 1/2, t < 1 - p' and 0 < t - 1 / sqrt(k) <= p' in every ball B of the profile
    from mass k / n to mass (k + sqrt(k) + 1) / n. Each end is rounded up to the next of its masses. ``q`` (C,) are
    class weights, those of the profile by default. Raises ValueError if the profile's masses end earlier.

    Source: Khim et al., Theorem 2, which bounds the disagreement from below by an unknown fraction of the set's mass.

    Examples
    --------
    >>> from knnviz import BallProfile
    >>> from knnviz.problems import constant
    >>> from knnviz.regions import lower_bound_set
    >>> balls = BallProfile.integrate(*constant((0.6, 0.4)).cells(100), [[0.5]], masses=[0.5, 1.0])
    >>> [lower_bound_set(balls, n=1000, k=k).tolist() for k in (25, 400)]
    [[True], [False]]
    """
    k = checks.check_int("k", k, 1, checks.check_int("n", n, 1))
    first, last = (ball.first_at_least("ball mass", min(mass / n, 1)) for mass in (k, k + sqrt(k) + 1))
    weights = ball.q if q is None else check_class_weights(q, ball.n_classes)
    best = best_class(ball.at_center.T, weights)
    fractions = ball.frequency[first : last + 1].astype(float)
    of_best, in_set = fractions[:, best, np.arange(len(ball))], np.zeros(len(ball), bool)
    for c in range(ball.n_classes):
        both, weight = of_best + fractions[:, c], weights[best] + weights[c]
        fraction = np.divide(fractions[:, c], both, out=np.zeros_like(both), where=both > 0)
        threshold = np.divide(weights[best], weight, out=np.zeros_like(weight), where=weight > 0)
        holds = (
            (fraction > 0)
            & (fraction < 0.5)
            & (threshold < 1 - fraction)
            & (threshold > 1 / sqrt(k))
            & (threshold - 1 / sqrt(k) <= fraction)
        )
        in_set |= holds.all(axis=0) & (best != c)
    return in_set
