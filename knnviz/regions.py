"""Where decisions are hard or can change: effective boundary, advantage, error band, hard regions.

n is the number of training points, m that of points to mark, C that of classes, coded 0 to C - 1.
eta (m, C) are the class probabilities P(Y = c | x), and eta_corr those of labels that noise has
flipped. The mass of a set is its probability. ``q`` (C,) are class weights; the weighted Bayes
class f at x has the largest q_c eta_c.

The margin of a ball B around x is the lead of f, the class at the center: q_f eta_f(B) - max_{c !=
f} q_c eta_c(B), where eta(B) is the average of eta over B. For two classes with equal weights it is
eta_1(B) - 1/2 if f is class 1, and 1/2 - eta_1(B) if f is class 0. A ``BallProfile`` has these
numbers for m centers and balls of several masses.

The effective boundary is the set of points with some ball up to a given mass whose margin is small.
The advantage measures how large and how clear balls are around a point. The error band of a class
holds the points where an estimate near eta may differ from the Bayes rule on that class. A point is
hard if the vote of its k nearest neighbors is close to 1/2: H, the hard region, is the set of these
points. H+, the augmented hard region, adds the ball around each of them out to its k_plus-th
nearest training point. On a line, the k nearest of a query are k consecutive points, a window.

eta-hat is an estimate of eta: for H, the fraction of votes for class 1 among the k nearest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, sqrt
from typing import NamedTuple, Self

import numpy as np
from scipy.spatial import cKDTree

from knnviz import kernels
from knnviz.checks import (
    MARGIN_TOL,
    TIE_TOL,
    Weights,
    check_ascending,
    check_class_weights,
    check_codes,
    check_int,
    check_interval,
    check_k,
    check_numbers,
    check_points,
    check_probabilities,
    check_real,
    check_row,
    require,
)
from knnviz.means import ratio
from knnviz.neighbors import NeighborTable, SpatialIndex, Windows
from knnviz.noise import LabelNoise
from knnviz.profiles import CLEAN_RATES, BallProfile, Votes, WindowProfile, best_class


def margins(eta: np.ndarray, q: Weights | None = None) -> np.ndarray:
    """By how much (m,) f leads at each point, q_f eta_f - max_{c != f} q_c eta_c (Khim et al.,
    section 2).

    The weights are 1 / C each by default: then it is ``|eta_1 - 1/2|`` for two classes.
    """
    eta = check_probabilities("eta", eta)
    weights = check_class_weights(q, eta.shape[1])
    ranked = np.sort(eta * weights, axis=1)
    return ranked[:, -1] - ranked[:, -2]


def effective_boundary(
    ball: BallProfile,
    mass: float,
    margin: float,
    q: Weights | None = None,
    *,
    noise: LabelNoise | None = None,
) -> np.ndarray:
    """The effective boundary (m,) bool: the centers with a ball up to ``mass`` whose margin is
    below ``margin``.

    Every ball B around the center counts, up to the first one that reaches the mass; only those at
    the profile's masses where ``BallProfile.smallest_margin`` is not exact. Raises ValueError for
    values out of the ranges below.

    Source: Chaudhuri & Dasgupta; Khim et al., section 2.

    Parameters
    ----------
    ball : BallProfile
        Averages of eta over balls around m centers.
    mass : float
        p, from 0 to the profile's largest mass. It is rounded up to the next of the profile's
        masses.
    margin : float
        Delta in [0, 1], or up to the largest weight in use, that of ``q`` or of the profile.
    q : sequence (C,), optional
        Class weights, those of the profile by default.
    noise : LabelNoise, optional
        Label noise between two classes: eta_corr takes the place of eta.

    Examples
    --------
    >>> from knnviz import BallProfile
    >>> from knnviz.problems import jump
    >>> from knnviz.regions import effective_boundary
    >>> balls = BallProfile.build(*jump(0.3).cells(100), [[0.25], [0.45]], masses=[0.2])
    >>> effective_boundary(balls, mass=0.2, margin=0.25).tolist()
    [False, True]
    """
    weights = ball.q
    if q is not None:
        weights = check_class_weights(q, ball.n_classes)
    largest_margin = max(1.0, float(weights.max()))
    margin = check_real("margin Delta", margin, 0, largest_margin)
    rates = CLEAN_RATES if noise is None else (noise.p0, noise.p1)
    if rates != CLEAN_RATES:
        _require_two_classes(ball)
    return ball.smallest_margin(mass, weights, rates) < margin - MARGIN_TOL


def _require_two_classes(ball: BallProfile) -> None:
    if ball.n_classes == 2 and ball.sums_to_one:
        return
    kind = "bags" if ball.n_classes == 2 else f"{ball.n_classes} classes"
    raise ValueError(f"label noise needs two classes with frequencies that sum to 1, got {kind}")


def advantage(ball: BallProfile, mass_cap: float, *, noise: LabelNoise | None = None) -> np.ndarray:
    """The advantage (m,) in [0, 1]: sup of p * gamma^2 over p <= A = ``mass_cap`` for which x is
    (p, gamma)-salient.

    It is salient if in every ball up to mass p each class with the largest eta at x leads every
    other class by gamma; for two classes the lead is ``|2 eta - 1|``. Where all classes tie at x
    the advantage is 1 (Balsubramani et al.; Errandonea et al., section 3). ``mass_cap`` is rounded
    down to one of the masses of ``ball``; with ``noise`` (two classes), p is one of these masses.
    The result may be too small, never too large. Raises ValueError for a ``mass_cap`` below 0 or
    beyond the largest mass of ``ball``, and for noise on more classes or on bags.

    Examples
    --------
    >>> from knnviz import BallProfile
    >>> from knnviz.problems import jump
    >>> from knnviz.regions import advantage
    >>> balls = BallProfile.build(*jump(0.3).cells(100), [[0.25]], masses=[0.2])
    >>> round(float(advantage(balls, mass_cap=0.2)[0]), 4)  # p * (2 * 0.8 - 1)^2
    0.072
    """
    rounding = 1 + kernels.EQUAL_TOL
    mass_cap = check_real("mass_cap", mass_cap, 0, ball.masses[-1] * rounding)
    masses = ball.masses[ball.masses <= mass_cap * rounding]
    if noise is None or noise == LabelNoise():
        return ball.advantage[len(masses) - 1]
    _require_two_classes(ball)
    eta_corr = noise.p0 + noise.contrast * ball.at_center[:, 1]
    class_1 = eta_corr >= 0.5
    lowest = ball.lowest_frequency.swapaxes(1, 2)
    product = np.empty(len(ball))
    kernels.largest_product(masses, lowest, noise.contrast, noise.offsets, class_1, product)
    return np.where(abs(eta_corr - 0.5) < MARGIN_TOL, 1.0, product)


def lower_bound_set(ball: BallProfile, k: int, n: int, q: Weights | None = None) -> np.ndarray:
    """Where kNN, with k of n points, must sometimes disagree with the weighted Bayes rule, (m,)
    bool.

    With t = q_f / (q_f + q_c) and p' = eta_c(B) / (eta_c(B) + eta_f(B)), x is in the set iff some c
    != f has 0 < p' < 1/2, t < 1 - p' and 0 < t - 1 / sqrt(k) <= p' in every ball B of the profile
    from mass k / n to mass (k + sqrt(k) + 1) / n. Each end is rounded up to the next of its masses.
    The weights are those of the profile by default.

    Source: Khim et al., Theorem 2, which bounds the disagreement from below by an unknown fraction
    of the set's mass.
    """
    n = check_int("n", n, 1)
    k = check_k(k, n)
    first = ball.first_at_least(min(k / n, 1))
    last = ball.first_at_least(min((k + sqrt(k) + 1) / n, 1))
    weights = ball.q
    best = ball.best
    if q is not None:
        weights = check_class_weights(q, ball.n_classes)
        best = best_class(ball.at_center, weights)
    fractions = ball.frequency[first : last + 1].astype(float)
    of_best = fractions[:, np.arange(len(ball)), best]
    deviation = 1 / sqrt(k)

    in_set = np.zeros(len(ball), bool)
    for c in range(ball.n_classes):
        # p' in each ball, and t.
        fraction = ratio(fractions[:, :, c], of_best + fractions[:, :, c])
        threshold = ratio(weights[best], weights[best] + weights[c])
        holds = (fraction > 0) & (fraction < 0.5)
        holds &= threshold < 1 - fraction
        holds &= threshold > deviation
        holds &= threshold - deviation <= fraction
        in_set |= holds.all(axis=0) & (best != c)
    return in_set


class ErrorBand(NamedTuple):
    """Points where the decision on class c can change: ``inside`` (m,) bool, eta_c from ``lower``
    to ``upper`` (m,).
    """

    lower: np.ndarray
    upper: np.ndarray
    inside: np.ndarray

    def errors(self, eta: np.ndarray, c: int) -> tuple[float, float]:
        """Mass of other classes in the band, tne = P(Y != c, inside), and of class c in it, fne =
        P(Y = c, inside).

        The paper names them after true and false negatives, whose errors they bound. Each of the m
        points has the probability 1 / m.
        """
        eta = check_probabilities("eta", eta)
        m = len(self.inside)
        if len(eta) != m:
            raise ValueError(f"eta must have a row for each of {m} points, got {len(eta)}")
        c = check_int("c", c, 0, eta.shape[1] - 1)
        of_class = eta[self.inside, c]
        return float((1 - of_class).sum() / m), float(of_class.sum() / m)


def error_band(
    eta: np.ndarray,
    epsilon: float,
    q_more: Sequence[float],
    q_less: Sequence[float],
    c: int,
) -> ErrorBand:
    """The band around the threshold of class c in which an eta-hat within ``epsilon`` of eta may
    decide otherwise.

    Class c leads where eta_c reaches t = max over j != c of q_j eta_j / q_c. An error of epsilon in
    eta moves eta_c - t by at most epsilon r, with r = 1 + max of q / q_c. The band is the set of
    points with t'(x) - epsilon r' <= eta_c(x) <= t''(x) + epsilon r''. Here t', r' are for weights
    q' = ``q_more``, and t'', r'' for q'' = ``q_less``. These are on both sides of the weights q in
    use: q'_c / q'_j >= q_c / q_j >= q''_c / q''_j for all j, as ``weights.cover`` finds them and
    ``weights.covers`` checks, or q' = q'' = q. Any scale of the weights gives the same band; those
    of class c are above 0.

    The proof would do with r = 1 + max over j != c of q_j / q_c, which is smaller only if q_c is
    the largest weight.

    Source: Khim et al., section 4 (Theorem 5).
    """
    eta = check_probabilities("eta", eta)
    n_classes = eta.shape[1]
    epsilon = check_real("epsilon", epsilon, 0, 1)
    c = check_int("c", c, 0, n_classes - 1)

    def edge(name: str, q: Sequence[float], shift: float) -> np.ndarray:
        """t (m,), moved by ``shift`` times r."""
        weights = check_class_weights(q, n_classes, name)
        if not weights[c] > 0:
            raise ValueError(f"{name} must have a weight above 0 for class {c}, got {weights[c]:g}")
        ratios = weights / weights[c]
        others = np.delete(ratios, c)
        rivals = np.delete(eta.T, c, axis=0) * others[:, None]
        return rivals.max(axis=0) + shift * (1 + float(ratios.max()))

    lower = edge("q_more", q_more, -epsilon)
    upper = edge("q_less", q_less, epsilon)
    of_class = eta[:, c]
    inside = (lower - TIE_TOL <= of_class) & (of_class <= upper + TIE_TOL)
    return ErrorBand(lower, upper, inside)


def hard(profile: Votes, k: int, width: float) -> np.ndarray:
    """H at the queries of a profile of two classes (m,) bool: where ``|eta-hat - 1/2| < width``.

    ``width`` is at least 0; for active learning, the width of ``bounds.rittler.hard_width``. A
    query at which ``|eta-hat - 1/2|`` equals it, up to 1e-12, is not hard. Source: Rittler &
    Chaudhuri, the estimated hard region.
    """
    require(profile.n_classes == 2, f"H is of two classes, got {profile.n_classes}")
    width = check_real("width", width, 0, inf)
    ones = profile.at(k)[:, 1].astype(np.int64)
    return abs(2 * ones - k) < 2 * k * (width - TIE_TOL)


def hard_intervals(
    X: np.ndarray, y: np.ndarray, k: int, width: float, box: tuple[float, float] = (0.0, 1.0)
) -> np.ndarray:
    """H on a line, exactly: its intervals (J, 2) within ``box`` (low, high), ascending and
    disjoint.

    X (n, 1) are distinct points with class codes y (n,) in 0 and 1; k and width as in ``hard``. An
    end may belong to H or not. Source: Rittler & Chaudhuri, the estimated hard region.
    """
    windows = Windows.from_points(X)
    y = check_codes("y", y, windows.n, 2)
    inside = hard(WindowProfile.build(windows, y, 2), k, width)
    low, high = check_interval("box", box)
    breakpoints = windows.breakpoints(k)
    breaks = np.concatenate([[-np.inf], breakpoints, [np.inf]]).clip(low, high)
    pieces = np.stack([breaks[:-1], breaks[1:]], axis=1)
    return _merge(pieces[inside])


def augmented_intervals(
    X: np.ndarray, intervals: np.ndarray, k_plus: int, box: tuple[float, float] = (0.0, 1.0)
) -> np.ndarray:
    """H+ on a line, exactly: the intervals (J, 2) of H, and balls around them out to the k_plus-th
    of X (n, 1).

    rho(x), the radius of the ball around x, changes no faster than x, so x - rho(x) and x + rho(x)
    do not decrease in x: the balls around the ends of an interval of H reach farthest. Source:
    Rittler & Chaudhuri, the augmented hard region.
    """
    intervals = _check_intervals(intervals)
    box = check_interval("box", box)
    if not len(intervals):
        return intervals
    ends = intervals.reshape(-1, 1)
    radii = kth_distances(X, ends, k_plus).reshape(-1, 2)
    return _merge((intervals + radii * [-1, 1]).clip(*box))


def _merge(intervals: np.ndarray) -> np.ndarray:
    """Merge intervals (J, 2), ascending in both ends, that touch, and leave empty ones out."""
    intervals = intervals[intervals[:, 0] < intervals[:, 1]]
    if not len(intervals):
        return intervals
    apart = intervals[1:, 0] > intervals[:-1, 1]
    low = intervals[np.append(True, apart), 0]
    high = intervals[np.append(apart, True), 1]
    return np.stack([low, high], axis=1)


def in_intervals(intervals: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Which x (m,) lie in intervals (J, 2), ascending and apart: (m,) bool; no lower end does."""
    x = check_row("x", x, finite=False)
    ends = _check_intervals(intervals).ravel()
    return np.searchsorted(ends, x) % 2 == 1


def _check_intervals(intervals: np.ndarray) -> np.ndarray:
    """Intervals (J, 2), ascending; or ValueError."""
    found = check_numbers("intervals", intervals)
    if found.ndim != 2 or found.shape[1] != 2:
        raise ValueError(f"intervals must have two ends each, got shape {found.shape}")
    check_ascending("ends of intervals", found.ravel())
    return found


def kth_distances(X: np.ndarray | SpatialIndex, centers: np.ndarray, k: int) -> np.ndarray:
    """Distances (m,) from centers (m, d) to the k-th nearest of points X (n, d)."""
    distances = NeighborTable.build(X, centers, k, distances=True).distances
    assert distances is not None
    return distances[:, -1]


@dataclass(frozen=True, eq=False)
class AugmentedRegion:
    """H+ as a union of closed balls around hard ``centers`` (h, d), of ``radii`` (h,); empty
    without centers.

    A radius is the distance from the center to its k_plus-th nearest training point. With the hard
    cells of a grid as centers, the union may lack parts of H thinner than the grid. It may also
    lack a rim as wide as twice the grid's covering radius. Source: Rittler & Chaudhuri, the
    augmented hard region.
    """

    centers: np.ndarray
    radii: np.ndarray

    def __post_init__(self) -> None:
        centers = check_numbers("centers", self.centers)
        radii = check_numbers("radii", self.radii)
        if centers.size:
            centers = check_points("centers", centers)
        fit = centers.ndim == 2 and radii.shape == (len(centers),)
        if not fit or not ((radii >= 0) & (radii < inf)).all():
            raise ValueError(
                "radii must be finite and not negative, one for each center, "
                f"got shape {radii.shape}"
            )
        object.__setattr__(self, "centers", centers)
        object.__setattr__(self, "radii", radii)

    @classmethod
    def build(cls, X: np.ndarray | SpatialIndex, centers: np.ndarray, k_plus: int) -> Self:
        """Balls around hard centers (h, d) out to the k_plus-th nearest of X (n, d)."""
        if not len(centers):
            return cls(centers, np.empty(0))
        centers = check_points("centers", centers)
        return cls(centers, kth_distances(X, centers, k_plus))

    def __len__(self) -> int:
        return len(self.centers)

    @cached_property
    def _tree(self) -> cKDTree:
        return cKDTree(self.centers)

    def contains(self, points: np.ndarray) -> np.ndarray:
        """Whether each of points (m, d) lies in a ball, (m,) bool."""
        points = check_points("points", points, self.centers.shape[1])
        if not len(self):
            return np.zeros(len(points), bool)
        # Points nearer than the smallest radius are inside, points farther than the largest are
        # outside.
        distances, _ = self._tree.query(points)
        inside = distances < self.radii.min() * (1 - TIE_TOL)
        within_reach = distances <= self.radii.max() * (1 + TIE_TOL)
        unclear = np.flatnonzero(~inside & within_reach)
        found = np.empty(len(unclear), np.bool_)
        kernels.in_any_ball(points[unclear], self.centers, self.radii, found)
        inside[unclear] = found
        return inside
