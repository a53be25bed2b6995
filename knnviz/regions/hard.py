"""The hard region H, where the vote among labeled points is close to 1/2, and H+, H enlarged by balls.

Source: Rittler & Chaudhuri, who find H with the labels of a first round, and buy those of a second one in H+.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
from scipy.spatial import cKDTree

from knnviz import checks, kernels
from knnviz.neighbors import NeighborTable, SpatialIndex
from knnviz.profiles import Votes, WindowProfile
from knnviz.profiles.balls import TIE_TOL
from knnviz.windows import Windows


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
    windows = Windows.of(X)
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
        index = X if isinstance(X, SpatialIndex) else SpatialIndex.of(X)
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
