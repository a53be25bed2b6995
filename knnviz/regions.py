"""Where decisions are wrong or hard: misled points, effective boundary, advantage, error band, hard regions.

mu is the distribution of the points x, and the mass of a set its probability. n is the number of training points, m
that of points to mark, C that of classes, coded 0 to C - 1. eta are the class probabilities P(Y = c | x); with two
classes, eta alone is that of class 1. eta_corr are the probabilities of labels that noise has flipped, eta-hat the
fractions of votes among the k nearest. With class weights q the weighted Bayes class at x has the largest q_c eta_c.

eta(B) is the average of eta over a ball B around x. The margin of B is the lead of the weighted Bayes class f at its
center: q_f eta_f(B) - max of q_c eta_c(B) over c != f. For two classes without weights it is eta(B) - 1/2, or 1/2 -
eta(B) where f is class 0. A ``BallProfile`` has such numbers for m centers and J balls around each, one for each of its
``masses``. The first of these, 0, is the center itself. ``frequency[j, c, i]`` is eta_c(B) for ball j around center i.

With flip rates p0 and p1, eta_corr of class c is ``offsets[c]`` + ``contrast`` * eta_c, with ``contrast`` = 1 - p0 -
p1. On a line, the k nearest of a query are a window, k consecutive ones of the sorted training points; queries between
two neighboring ``breakpoints(k)`` of ``Windows`` have the same window, which is a row of a ``WindowProfile``.

Misled points are those where noisy majority and Bayes rule disagree. The effective boundary is the set of points with
some ball up to a given mass whose margin is small. The advantage measures how large and how clear balls are around a
point. The error band of a class holds the points where an estimate near eta may differ from the Bayes rule on that
class. A point is hard if the vote of its neighbors is close to 1/2: H, the hard region, is the set of these points. H+,
the augmented hard region, adds the ball around each of them out to its k_plus-th nearest training point.

Functions and classes raise ValueError for values outside the documented ranges.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from typing import NamedTuple, Self

import numpy as np
from scipy.spatial import cKDTree

from knnviz import checks, kernels
from knnviz.checks import MARGIN_TOL, TIE_TOL, check_class_weights
from knnviz.neighbors import NeighborTable, SpatialIndex, Windows
from knnviz.noise import LabelNoise
from knnviz.profiles import CLEAN_RATES, BallProfile, Votes, WindowProfile, best_class


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
    return smallest(mass, q, (noise.p0, noise.p1) if noise else CLEAN_RATES) < margin - MARGIN_TOL


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


def hard(profile: Votes, k: int, width: float) -> np.ndarray:
    """H at the queries of a profile (m,) bool: where ``|eta-hat - 1/2| < width``, with eta-hat from the k nearest.

    ``width`` is at least 0, in the two-round scheme that of ``bounds.rittler.hard_width``. A query at which
    ``|eta-hat - 1/2|`` equals it, up to 1e-12, is not hard. Source: Rittler & Chaudhuri, the estimated hard region.
    ValueError for more than two classes, and for votes of bags.

    Examples
    --------
    >>> from knnviz import NeighborTable, VoteProfile
    >>> from knnviz.regions import hard
    >>> import numpy as np
    >>> table = NeighborTable.build(np.arange(4.0)[:, None], np.array([[0.2], [1.6]]), 2)
    >>> hard(VoteProfile.count(table, np.array([0, 0, 1, 1]), n_classes=2), k=2, width=0.1).tolist()
    [False, True]
    """
    if profile.n_classes != 2:
        raise ValueError(f"the hard region is for two classes, got {profile.n_classes}")
    if profile.from_bags:
        raise ValueError("the hard region reads the votes of labels, not of bags")
    ones = profile.at(k)[:, 1].astype(np.int64)
    return abs(2 * ones - k) < 2 * k * (checks.check_real("width", width, 0, math.inf) - TIE_TOL)


def hard_intervals(
    X: np.ndarray, y: np.ndarray, k: int, width: float, box: tuple[float, float] = (0.0, 1.0)
) -> np.ndarray:
    """H on a line, exactly: its intervals (J, 2) within ``box`` (low, high), ascending and disjoint.

    X (n, 1) are distinct points with class codes y (n,) in 0 and 1; k and width as in ``hard``. An end may belong to H
    or not. Source: Rittler & Chaudhuri, the estimated hard region. ValueError for points that coincide, k beyond n.

    Examples
    --------
    >>> from knnviz.regions import hard_intervals
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [0.2], [0.6], [1.0]]), np.array([0, 0, 1, 1])
    >>> hard_intervals(X, y, k=2, width=0.1).round(4).tolist()
    [[0.3, 0.6]]
    """
    windows = Windows.from_points(X)
    inside = hard(WindowProfile.count(windows, y, 2), k, width)
    low, high = box
    breaks = np.concatenate([[-np.inf], windows.breakpoints(k), [np.inf]]).clip(low, high)
    return merge(np.stack([breaks[:-1][inside], breaks[1:][inside]], axis=1))


def merge(intervals: np.ndarray) -> np.ndarray:
    """Merge intervals (J, 2), ascending in both ends, that touch, and leave empty ones out."""
    intervals = intervals[intervals[:, 0] < intervals[:, 1]]
    if not len(intervals):
        return intervals
    apart = intervals[1:, 0] > intervals[:-1, 1]
    return np.stack([intervals[np.r_[True, apart], 0], intervals[np.r_[apart, True], 1]], axis=1)


def augmented_intervals(
    X: np.ndarray, intervals: np.ndarray, k_plus: int, box: tuple[float, float] = (0.0, 1.0)
) -> np.ndarray:
    """H+ on a line, exactly: the intervals (J, 2) of H, and balls around them out to the k_plus-th of X (n, 1).

    rho(x), the radius of the ball around x, changes no faster than x, so x - rho(x) and x + rho(x) do not decrease in
    x: the balls around the ends of an interval of H reach farthest. Source: Rittler & Chaudhuri, the augmented hard
    region. ValueError for k_plus beyond n.

    Examples
    --------
    >>> from knnviz.regions import augmented_intervals
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.4], [0.6], [1.0]])
    >>> augmented_intervals(X, np.array([[0.5, 0.55]]), k_plus=1).round(4).tolist()
    [[0.4, 0.6]]
    """
    intervals = np.asarray(intervals, float).reshape(-1, 2)
    if not len(intervals):
        return intervals
    radii = kth_distances(X, intervals.reshape(-1, 1), k_plus).reshape(-1, 2)
    return merge((intervals + radii * [-1, 1]).clip(*box))


def kth_distances(X: np.ndarray | SpatialIndex, centers: np.ndarray, k: int) -> np.ndarray:
    """Distances (m,) from centers (m, d) to the k-th nearest of points X (n, d); ValueError if k exceeds n.

    Examples
    --------
    >>> from knnviz.regions import kth_distances
    >>> import numpy as np
    >>> kth_distances(np.array([[0.0], [1.0], [3.0]]), np.array([[0.0], [2.5]]), k=2).tolist()
    [1.0, 1.5]
    """
    distances = NeighborTable.build(X, centers, k, distances=True).distances
    assert distances is not None
    return distances[:, -1]


@dataclass(frozen=True, eq=False)
class AugmentedRegion:
    """H+ as a union of closed balls around hard ``centers`` (h, d), of ``radii`` (h,); empty without centers.

    A radius is the distance from the center to its k_plus-th nearest training point. With the hard cells of a grid as
    centers, the union may lack parts of H thinner than the grid. It may also lack a rim as wide as twice the grid's
    covering radius. Source: Rittler & Chaudhuri, the augmented hard region. ValueError for centers that are not a table
    of numbers, and unless each has a radius of at least 0.

    Examples
    --------
    >>> from knnviz.regions import AugmentedRegion
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [3.0]])
    >>> region = AugmentedRegion.around(X, np.array([[1.0]]), k_plus=2)
    >>> region.radii.tolist(), region.contains(np.array([[0.5], [2.5]])).tolist()
    ([1.0], [True, False])
    """

    centers: np.ndarray = field(repr=False)
    radii: np.ndarray = field(repr=False)

    def __post_init__(self) -> None:
        centers, radii = np.shape(self.centers), checks.check_numbers("radii", self.radii)
        if len(centers) != 2 or radii.shape != centers[:1]:
            raise ValueError(f"centers (h, d) need radii (h,), got shapes {centers} and {radii.shape}")
        if centers[0]:
            checks.check_points("centers", self.centers)
        if not (radii >= 0).all():
            raise ValueError(f"radii must be at least 0, got {radii.min():g}")

    @classmethod
    def around(cls, X: np.ndarray | SpatialIndex, centers: np.ndarray, k_plus: int) -> Self:
        """Balls around hard centers (h, d) out to the k_plus-th nearest of X (n, d); ValueError for k_plus beyond n."""
        index = X if isinstance(X, SpatialIndex) else SpatialIndex(X)
        k_plus = checks.check_k(k_plus, len(index.X))
        centers = np.asarray(centers, float)
        if not len(centers):
            return cls(np.empty((0, index.X.shape[1])), np.empty(0))
        return cls(centers, kth_distances(index, centers, k_plus))

    def __len__(self) -> int:
        return len(self.centers)

    @cached_property
    def _tree(self) -> cKDTree:
        return cKDTree(self.centers)

    def _center_distances(self, points: np.ndarray) -> np.ndarray:
        """Distances (m,) from points (m, d) to the nearest center."""
        if points.shape[1] > 1:
            return self._tree.query(points)[0]
        centers, x = np.sort(self.centers[:, 0]), points[:, 0]
        after = np.searchsorted(centers, x)
        left, right = centers[(after - 1).clip(min=0)], centers[after.clip(max=len(centers) - 1)]
        return np.minimum(abs(x - left), abs(x - right))

    def contains(self, points: np.ndarray) -> np.ndarray:
        """Whether each of points (m, d) lies in a ball, (m,) bool."""
        points = checks.check_points("points", points, self.centers.shape[1])
        if not len(self):
            return np.zeros(len(points), bool)
        # Points nearer than the smallest radius are inside, points farther than the largest are outside.
        distances = self._center_distances(points)
        inside = distances < self.radii.min() * (1 - TIE_TOL)
        unclear = np.flatnonzero(~inside & (distances <= self.radii.max() * (1 + TIE_TOL)))
        found = np.empty(len(unclear), np.bool_)
        kernels.in_any_ball(points[unclear], self.centers, self.radii, found)
        inside[unclear] = found
        return inside
