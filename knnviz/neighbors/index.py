"""Exact search: Euclidean neighbors by the fastest way for n, d and k, others by scikit-learn.

An index of training points X (n, d) has a method ``search``. It gives the indices (m, k) int32 of
the k nearest of queries (m, d), sorted by (distance, index), and what they are sorted by (m, k):
squared Euclidean distances, summed in double precision in the order of the coordinates, or other
distances as scikit-learn computes them. ``left_out`` (m,) is the training point that is not a
neighbor of each query, such as the query itself, or -1.
"""

import math
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from scipy.spatial import cKDTree

from knnviz import kernels
from knnviz.checks import check_points, require, shown
from knnviz.neighbors.windows import distinct
from knnviz.threads import native_pools, parallel_map, processors, slices

if TYPE_CHECKING:
    from sklearn.neighbors import NearestNeighbors

#: Candidates that a search finds beyond k + 1, so that most ties with the k-th neighbor are
#: resolved by one search.
MARGIN = 8

#: Queries of one chunk of a search by a tree: few enough to keep all threads busy.
CHUNK = 512

#: The same on a line, in the plane, and by brute force.
LINE_CHUNK = 8192
PLANE_CHUNK = 1024
BRUTE_CHUNK = 1024

#: A tree is faster than brute force for n >= 5^d (measured on Gaussian points) ...
POINTS_PER_DIMENSION = 5

#: ... and for d up to this one.
LOW_DIMENSION = 3

#: With s strips of the plane each has 4 s positions.
STRIP_POSITIONS = 4

#: In the plane a tree is faster for more neighbors than these, if queries are far apart:
FEW_NEIGHBORS = 256

#: where k * n / m exceeds this.
FAR_APART = 20_000

#: Training points in one matrix product, few enough for the products to stay in the cache.
POINT_CHUNK = 1024

#: Unit roundoff of single precision, in which products are computed.
ROUNDOFF = float(np.finfo(np.float32).eps) / 2

#: Smallest normal numbers of single precision, and of double, in which squares are summed.
SMALLEST_SINGLE = float(np.finfo(np.float32).smallest_normal)
SMALLEST_DOUBLE = float(np.finfo(np.float64).smallest_normal)

#: Largest exponent of the scale.
LARGEST_EXPONENT = 500

#: Scaled coordinate of a query beyond which no point is ruled out.
FAR = 1e15

#: A metric by the name that scikit-learn has for it, or a function of two points.
Metric = str | Callable[[np.ndarray, np.ndarray], float]

#: Names of metrics that need parameters, or distances in place of points.
NEED_MORE = ("mahalanobis", "precomputed", "pyfunc", "seuclidean")

#: Most candidates that are sorted at once under another metric than the Euclidean.
MAX_CANDIDATES = 1_000_000

#: Indices (r, k) of the neighbors of r queries, and what they are sorted by (r, k).
Neighbors = tuple[np.ndarray, np.ndarray]

#: A search with ``queries``, ``left_out``, and the indices and squares (r, k) that it fills.
Search = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], None]


class Positions(NamedTuple):
    """Distinct positions ``points`` (u, d), in lexicographic order.

    The training points at position p, ascending, are ``members[starts[p]:starts[p + 1]]``.
    """

    points: np.ndarray
    starts: np.ndarray
    members: np.ndarray


class Strips(NamedTuple):
    """Positions ``points`` (u, 2) in strips along the first coordinate, of equally many; the second
    ascends in each.

    ``X`` (n, 2) is a copy of the training points, so that the kernel need not be compiled for
    arrays of readers. Those at position p are ``members[first[p]:stop[p]]``. Strip j is
    ``points[starts[j]:starts[j + 1]]``, and ``borders`` (s - 1,) are the first coordinates where
    strips begin.
    """

    X: np.ndarray
    points: np.ndarray
    first: np.ndarray
    stop: np.ndarray
    members: np.ndarray
    starts: np.ndarray
    borders: np.ndarray


@dataclass(frozen=True, eq=False)
class SpatialIndex:
    """Euclidean index of training points X (n, d), which ``prepare`` checks; there may be none.

    Each search structure is built at its first use.
    """

    X: np.ndarray

    @cached_property
    def positions(self) -> Positions:
        # Three times faster than sorting by all coordinates, which only ties in the first one need.
        members = np.argsort(self.X[:, 0])
        if not distinct(self.X[members, 0]):
            members = np.lexsort(self.X.T[::-1])
        sorted_points = self.X[members]
        differs = (sorted_points[1:] != sorted_points[:-1]).any(axis=1)
        first = np.concatenate([[True], differs])
        starts = np.append(np.flatnonzero(first), len(first))
        return Positions(sorted_points[first], starts, members)

    @cached_property
    def tree(self) -> cKDTree:
        # The sliding-midpoint tree is built and searched faster here than the balanced one.
        return cKDTree(self.positions.points, balanced_tree=False, compact_nodes=False)

    @cached_property
    def strips(self) -> Strips:
        points, starts, members = self.positions
        n_strips = max(1, math.isqrt(len(points) // STRIP_POSITIONS))
        ends = np.linspace(0, len(points), n_strips + 1).astype(int)
        borders = points[ends[1:-1], 0]
        strip = np.repeat(np.arange(n_strips), np.diff(ends))
        order = np.lexsort((points[:, 1], strip))
        first = starts[:-1][order]
        stop = starts[1:][order]
        return Strips(self.X.copy(), points[order], first, stop, members, ends, borders)

    @cached_property
    def brute_force(self) -> "BruteForceIndex":
        return BruteForceIndex.from_points(self.X)

    def search(
        self,
        queries: np.ndarray,
        left_out: np.ndarray,
        k: int,
        *,
        keep_squares: bool = True,
        progress: bool = False,
    ) -> Neighbors:
        """Neighbors of queries (m, d), sorted by squared distance; ``progress`` shows a bar.

        The squared distances take twice the memory of the indices. Unless they are kept they are
        returned as (m, 0).
        """
        rows = np.arange(len(queries))
        (n, d) = self.X.shape
        by_products = d > LOW_DIMENSION and n < POINTS_PER_DIMENSION**d
        search: Search
        # Search structures are built here: threads might build one each.
        if by_products:
            search = self.brute_force.search
            size = min(BRUTE_CHUNK, math.ceil(len(queries) / processors()))
        elif d == 1:
            search = partial(kernels.nearest_on_line, *self.positions)
            size = LINE_CHUNK
        elif d == 2 and (k <= FEW_NEIGHBORS or k * n <= FAR_APART * len(queries)):
            search = partial(kernels.nearest_in_plane, *self.strips)
            size = PLANE_CHUNK
            rows = path(queries)
        else:
            search = partial(search_tree, self.positions, self.tree)
            size = CHUNK

        chunks = [rows[chunk] for chunk in slices(len(rows), size)]
        kept = k if keep_squares else 0
        indices = np.empty((len(queries), k), np.int32)
        squares = np.empty((len(queries), kept))

        def search_chunk(chunk: np.ndarray) -> None:
            nearest = np.empty((len(chunk), k), np.int32)
            squares_of_nearest = np.empty(nearest.shape)
            search(queries[chunk], left_out[chunk], nearest, squares_of_nearest)
            indices[chunk] = nearest
            squares[chunk] = squares_of_nearest[:, :kept]

        # Several chunks keep the processors busy by themselves; a product of matrices alone may use
        # them all.
        one_each = by_products and len(chunks) > 1
        with native_pools("blas").limit(limits=1) if one_each else nullcontext():
            parallel_map(search_chunk, chunks, "neighbors" if progress else None)
        return indices, squares


def path(queries: np.ndarray) -> np.ndarray:
    """Rows of queries (m, 2) along a path that goes up one strip of the plane and down the next."""
    by_first = np.argsort(queries[:, 0], kind="stable")
    strip = np.arange(len(queries)) // math.ceil(math.sqrt(len(queries)))
    second = queries[by_first, 1]
    along_path = np.where(strip % 2, -second, second)
    return by_first[np.lexsort((along_path, strip))]


def search_tree(
    positions: Positions,
    tree: cKDTree,
    queries: np.ndarray,
    left_out: np.ndarray,
    indices: np.ndarray,
    squares: np.ndarray,
    margin: int = MARGIN,
) -> None:
    """Neighbors from candidates, for each query its k + 1 + margin nearest positions by a tree.

    Queries with a tie beyond their candidates are searched with twice the margin.
    """
    width = min(indices.shape[1] + 1 + margin, len(positions.points))
    _, candidates = tree.query(queries, range(1, width + 1))
    complete = np.empty(len(queries), np.bool_)
    kernels.sort_candidates(*positions, queries, candidates, left_out, indices, squares, complete)
    tied = np.flatnonzero(~complete)
    if len(tied):
        nearest = indices[tied]
        at_squares = squares[tied]
        again = queries[tied], left_out[tied], nearest, at_squares
        search_tree(positions, tree, *again, 2 * margin)
        indices[tied] = nearest
        squares[tied] = at_squares


@dataclass(frozen=True, eq=False)
class BruteForceIndex:
    """Training points X (n, d), their mean (d,), a power of two as scale, and ``lower_norms`` (n,)
    to rule points out.

    1. Let p and q be a point and a query, minus the mean, times the scale. The scale makes every
       |p_j| at most 1.
    2. The squared distance, times scale^2, is |p|^2 - 2 p.q + |q|^2. Here p.q is computed in single
       precision.
    3. The sum of step 2 is off by at most e(|p|^2 + |q|^2) + t from the squared distance summed in
       double precision, times scale^2. Here e = 2 (d + 10) u and t = 2 d (s + s' scale^2), u is the
       unit roundoff of single precision, and s and s' are the smallest normal numbers of single and
       of double precision.
       - Of the d + 10 roundings, d are those of the sum of products, and 3 are those of p, q and
         their product. They are relative to 2 |p| |q|, which is at most |p|^2 + |q|^2.
       - The other 7 exceed all roundings in double precision for d < 2^24.
       - The factor 2 in e exceeds the terms of higher order.
       - t exceeds what underflow loses in both precisions.
       Source: Higham, Accuracy and Stability of Numerical Algorithms, section 3.1.
    4. Let D be the largest of k squared distances, times scale^2. By step 3, a point is not among
       the k nearest if (1 - e) |p|^2 - t - 2 p.q exceeds D - (1 - e) |q|^2.
    5. ``lower_norms`` are (1 - e) |p|^2 - t. The squared distances of all points that step 4 does
       not rule out are computed.
    """

    X: np.ndarray
    mean: np.ndarray
    scale: float
    lower_norms: np.ndarray

    @classmethod
    def from_points(cls, X: np.ndarray) -> Self:
        """Index points X (n, d), without a copy of them."""
        mean = X.mean(axis=0)
        chunks = slices(len(X), POINT_CHUNK)
        largest_coordinate = max(float(abs(X[rows] - mean).max()) for rows in chunks)
        scale = 1.0
        if largest_coordinate:
            exponent = -np.ceil(np.log2(largest_coordinate))
            scale = 2.0 ** min(exponent, LARGEST_EXPONENT)
        norms = np.concatenate([_lower_norms((X[rows] - mean) * scale) for rows in chunks])
        underflow = 2 * X.shape[1] * (SMALLEST_SINGLE + SMALLEST_DOUBLE * scale**2)
        return cls(X, mean, scale, norms - underflow)

    def search(
        self, queries: np.ndarray, left_out: np.ndarray, indices: np.ndarray, squares: np.ndarray
    ) -> None:
        """Neighbors of queries (m, d), sorted by squared distance; threads in BLAS only."""
        # Each row is a heap, its largest entry first, until it is sorted.
        indices[:] = len(self.X)
        squares[:] = np.inf
        with np.errstate(over="ignore"):
            centered = (queries - self.mean) * self.scale
            query_norms = _lower_norms(centered)
        # Products might overflow there; a comparison with NaN rules no point out.
        centered[abs(centered).max(axis=1) > FAR] = np.nan
        minus_twice = (-2 * centered).astype(np.float32)
        for rows in slices(len(self.X), POINT_CHUNK):
            scaled = (self.X[rows] - self.mean) * self.scale
            products = minus_twice @ scaled.astype(np.float32).T
            kernels.keep_nearest(
                products,
                self.X[rows],
                self.lower_norms[rows],
                rows.start,
                queries,
                query_norms,
                self.scale**2,
                left_out,
                squares,
                indices,
            )
        kernels.sort_heaps(squares, indices)


def _lower_norms(points: np.ndarray) -> np.ndarray:
    """(1 - e) |p|^2 (n,) of points (n, d), with e as in ``BruteForceIndex``."""
    error = 2 * (points.shape[1] + 10) * ROUNDOFF
    return (1 - error) * np.einsum("ij,ij->i", points, points)


@dataclass(frozen=True, eq=False)
class MetricIndex:
    """Training points X (n, d), whose distinct positions are in scikit-learn's index under a
    metric.
    """

    X: np.ndarray
    positions: Positions
    neighbors: "NearestNeighbors"

    def search(
        self,
        queries: np.ndarray,
        left_out: np.ndarray,
        k: int,
        *,
        keep_squares: bool = True,
        progress: bool = False,
    ) -> Neighbors:
        """Neighbors of queries (m, d), sorted by distance, which are always kept; scikit-learn
        shows no ``progress``.

        Queries at one position share a search, of one neighbor more if some leave out a point.
        """
        places, place_of = np.unique(queries, axis=0, return_inverse=True)
        leaves_out = bool((left_out >= 0).any())
        nearest, at_distances = self._nearest(places, k + leaves_out)
        indices = nearest[place_of]
        distances = at_distances[place_of]
        if not leaves_out:
            return indices, distances

        is_kept = indices != left_out[:, None]
        # Where the point that is left out was not found, the farthest one goes.
        is_kept[is_kept.all(axis=1), -1] = False
        shape = (-1, k)
        return indices[is_kept].reshape(shape), distances[is_kept].reshape(shape)

    def _nearest(self, queries: np.ndarray, k: int, margin: int = MARGIN) -> Neighbors:
        """Neighbors from candidates, for each query its nearest positions, ``margin`` more than
        hold k on average.

        Queries with a tie beyond their candidates, or with fewer than k in these, are searched with
        twice the margin.
        """
        n_positions = len(self.positions.points)
        on_average = math.ceil(k * n_positions / len(self.X))
        n_candidates = min(on_average + margin, n_positions)
        distances, candidates = self.neighbors.kneighbors(queries, n_candidates)
        if not np.isfinite(distances).all():
            metric = self.neighbors.metric
            raise ValueError(f"the metric {metric!r} gives distances that are not finite")

        indices = np.empty((len(queries), k), np.int32)
        sorted_distances = np.empty((len(queries), k))
        most_at_one = min(int(np.diff(self.positions.starts).max()), k)
        chunk_size = max(1, MAX_CANDIDATES // (n_candidates * most_at_one))
        for rows in slices(len(queries), chunk_size):
            nearest, at_distances = self._points_at(candidates[rows], distances[rows], k)
            indices[rows] = nearest
            sorted_distances[rows] = at_distances

        may_tie = sorted_distances[:, -1] >= distances[:, -1]
        tied = np.flatnonzero(may_tie & (n_candidates < n_positions))
        # In chunks, since under a metric of few values most positions tie, and then all of them are
        # requested.
        for chunk in slices(len(tied), CHUNK):
            again = tied[chunk]
            nearest, at_distances = self._nearest(queries[again], k, 2 * margin)
            indices[again] = nearest
            sorted_distances[again] = at_distances
        return indices, sorted_distances

    def _points_at(self, candidates: np.ndarray, distances: np.ndarray, k: int) -> Neighbors:
        """The first k points at candidate positions (r, c) at some distances, by (distance, index).

        Where there are fewer than k, the rest has the distance infinity.
        """
        _, starts, members = self.positions
        # A row of each candidate has a column for each of its points, of which k are enough.
        point_counts = np.minimum(np.diff(starts), k)
        columns = np.arange(point_counts.max())
        is_filled = columns < point_counts[candidates, None]
        at_members = np.where(is_filled, starts[candidates, None] + columns, 0)

        shape = (len(candidates), -1)
        points = np.where(is_filled, members[at_members], len(members)).reshape(shape)
        of_points = np.where(is_filled, distances[:, :, None], np.inf).reshape(shape)
        order = np.lexsort((points, of_points))[:, :k]
        nearest = np.take_along_axis(points, order, axis=1)
        return nearest, np.take_along_axis(of_points, order, axis=1)


def prepare(
    X: np.ndarray,
    metric: Metric = "euclidean",
    p: float = 2,
    *,
    algorithm: str = "auto",
    n_jobs: int | None = None,
) -> SpatialIndex | MetricIndex:
    """Index of finite points X (n, d) under one metric: ours for the Euclidean distance, else
    scikit-learn's.

    The parameters are those of scikit-learn's ``NearestNeighbors``, which checks them. Only
    ``metric`` and ``p`` matter to ours: it chooses its algorithm by itself, and uses all
    processors.
    """
    X = check_points("X", X)
    if metric in ("euclidean", "l2") or (metric == "minkowski" and p == 2):
        return SpatialIndex(X)
    # Imported here, so that the library is imported quickly.
    from sklearn.neighbors import VALID_METRICS, NearestNeighbors

    is_name = any(metric in names for names in VALID_METRICS.values()) and metric not in NEED_MORE
    got = f"got {shown(metric)}"
    sentence = f"metric must be one of scikit-learn's that needs points alone, or a function, {got}"
    require(callable(metric) or is_name, sentence)
    positions = SpatialIndex(X).positions
    neighbors = NearestNeighbors(algorithm=algorithm, metric=metric, p=p, n_jobs=n_jobs)
    return MetricIndex(X, positions, neighbors.fit(positions.points))
