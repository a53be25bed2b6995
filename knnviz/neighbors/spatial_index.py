"""Exact Euclidean neighbors, sorted by (squared distance, index), by the fastest algorithm for n, d and k."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from math import ceil
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from scipy.spatial import cKDTree
from threadpoolctl import ThreadpoolController

from knnviz import checks, kernels
from knnviz.neighbors.brute_force import BruteForceIndex
from knnviz.neighbors.tiles import tiles
from knnviz.threads import parallel_map, processors, slices

if TYPE_CHECKING:
    from sklearn.neighbors import BallTree

#: Search algorithms to choose from.
ALGORITHMS = ("auto", "ball_tree", "brute", "kd_tree")

#: Candidates that a tree gives beyond k + 1, so that most ties with the k-th neighbor are resolved by one search.
MARGIN = 8

#: Queries in one chunk, few enough to keep all threads busy: by a tree, on a line, by brute force.
CHUNK, LINE_CHUNK, BRUTE_CHUNK = 512, 8192, 1024

#: Most candidates of a tile (``tiles``), as a multiple of k + 1; relative amount that rounds the radius of its ball up.
MOST_CANDIDATES, RADIUS_TOL = 4, 1e-9

#: A tree is faster than brute force for this number to the power d of points or more, and for d up to this dimension
#: (measured on Gaussian points).
POINTS_PER_DIMENSION, LOW_DIMENSION = 5, 3

#: Indices (r, k) and squared distances (r, k) of the neighbors of r queries.
Neighbors = tuple[np.ndarray, np.ndarray]


class Positions(NamedTuple):
    """Distinct positions ``points`` (u, d), in lexicographic order.

    The training points at position p, ascending, are ``members[starts[p]:starts[p + 1]]``.
    """

    points: np.ndarray
    starts: np.ndarray
    members: np.ndarray


@dataclass(frozen=True, eq=False)
class SpatialIndex:
    """Index of training points (n, d), for any number of queries; each search structure is built at its first use.

    ``algorithm`` is "auto", "ball_tree", "brute" or "kd_tree"; all find the same neighbors.

    Examples
    --------
    >>> from knnviz.neighbors import NeighborTable, SpatialIndex
    >>> import numpy as np
    >>> index = SpatialIndex.of(np.array([[0.0, 3.0], [2.0, 2.0]]))
    >>> NeighborTable.build(index, np.array([[0.0, 0.0]]), k_max=2).indices.tolist()
    [[1, 0]]
    """

    X: np.ndarray = field(repr=False)
    algorithm: str = "auto"

    @classmethod
    def of(cls, X: np.ndarray, algorithm: str = "auto") -> Self:
        """Index points X (n, d); ValueError if they are not finite."""
        return cls(checks.check_points("X", X), algorithm)

    @property
    def _by_brute_force(self) -> bool:
        """Whether brute force was chosen, or is fastest."""
        n, d = self.X.shape
        return self.algorithm == "brute" or (
            self.algorithm == "auto" and d > LOW_DIMENSION and n < POINTS_PER_DIMENSION**d
        )

    @cached_property
    def positions(self) -> Positions:
        members = np.lexsort(self.X.T[::-1])
        sorted_points = self.X[members]
        first = np.concatenate([[True], (sorted_points[1:] != sorted_points[:-1]).any(axis=1)])
        return Positions(sorted_points[first], np.append(np.flatnonzero(first), len(first)), members)

    @cached_property
    def tree(self) -> cKDTree:
        # The sliding-midpoint tree is built and searched faster here than the balanced one.
        return cKDTree(self.positions.points, balanced_tree=False, compact_nodes=False)

    @cached_property
    def ball_tree(self) -> "BallTree":
        # Imported here, so that the library is imported quickly.
        from sklearn.neighbors import BallTree

        return BallTree(self.positions.points)

    @cached_property
    def brute_force(self) -> BruteForceIndex:
        return BruteForceIndex.of(self.X)

    def candidates(self, queries: np.ndarray, count: int) -> np.ndarray:
        """The positions (m, count) nearest to each query (m, d), up to rounding, by a tree."""
        if self.algorithm == "ball_tree":
            return self.ball_tree.query(queries, count, return_distance=False)
        return self.tree.query(queries, range(1, count + 1))[1]

    def search(self, queries: np.ndarray, left_out: np.ndarray, k: int, *, progress: bool = False) -> Neighbors:
        """Indices (m, k) int32 and squared distances (m, k) of the k nearest of each query (m, d), in parallel.

        ``progress`` shows a bar.
        """
        indices = np.empty((len(queries), k), np.int32)
        squares = np.empty((len(queries), k))
        chunks = list(_chunks(self, queries, k))

        def search_chunk(chunk: tuple[np.ndarray, Search]) -> None:
            rows, search = chunk
            indices[rows], squares[rows] = search(queries[rows], left_out[rows], k)

        # Several chunks keep the processors busy by themselves; a product of matrices alone may use them all.
        with _blas().limit(limits=1) if len(chunks) > 1 and self._by_brute_force else nullcontext():
            parallel_map(search_chunk, chunks, "neighbors" if progress else None)
        return indices, squares


@cache
def _blas() -> ThreadpoolController:
    # Cached, since finding the libraries takes longer than searching for a few neighbors.
    return ThreadpoolController().select(user_api="blas")


Search = Callable[[np.ndarray, np.ndarray, int], Neighbors]


def _chunks(index: SpatialIndex, queries: np.ndarray, k: int) -> Iterator[tuple[np.ndarray, Search]]:
    """Chunks: rows of queries that are searched together, and the function that searches them.

    Search structures are built here: threads might build one each.
    """
    remaining, dimension = np.arange(len(queries)), queries.shape[1]
    auto = index.algorithm == "auto"
    if index._by_brute_force:
        search, size = index.brute_force.search, min(BRUTE_CHUNK, ceil(len(queries) / processors()))
    elif auto and dimension == 1:
        search, size = partial(_search_line, index.positions), LINE_CHUNK
    else:
        index.candidates(queries[:1], 1)
        search, size = partial(_search_tree, index), CHUNK
        if auto and dimension == 2:
            yield from (small := list(_small_tiles(index, queries, k)))
            remaining = np.setdiff1d(remaining, np.concatenate([remaining[:0], *(rows for rows, _ in small)]))
    for chunk in slices(len(remaining), size):
        yield remaining[chunk], search


def _small_tiles(index: SpatialIndex, queries: np.ndarray, k: int) -> Iterator[tuple[np.ndarray, Search]]:
    """Chunks of queries (m, 2) with most of their neighbors in common: a chunk for each tile that is small enough."""
    points = index.positions.points
    if not (tile_rows := tiles(queries, len(points), k)):
        return
    middles = np.array([(queries[rows].min(axis=0) + queries[rows].max(axis=0)) / 2 for rows in tile_rows])
    radii = index.tree.query(middles, [min(k + 1, len(points))])[0][:, 0]
    pairs = zip(tile_rows, middles, strict=True)
    farthest = np.array([np.linalg.norm(queries[rows] - middle, axis=1).max() for rows, middle in pairs])
    # The ball of a query at distance d from the middle is at most d larger and moved by d.
    ball_radii = (radii + 2 * farthest) * (1 + RADIUS_TOL)
    # In a tile larger than its balls, queries have few neighbors in common.
    for tile in np.flatnonzero(farthest <= radii):
        yield tile_rows[tile], partial(_search_tile, index, ball=(middles[tile], ball_radii[tile]))


def _search_line(positions: Positions, queries: np.ndarray, left_out: np.ndarray, k: int) -> Neighbors:
    """Neighbors on a line, where they are consecutive."""
    indices, squares = np.empty((len(queries), k), np.int32), np.empty((len(queries), k))
    points, starts, members = positions
    line = np.ascontiguousarray(queries[:, 0])
    kernels.nearest_on_line(points[:, 0], starts, members, line, left_out, k, indices, squares)
    return indices, squares


def _search_tree(
    index: SpatialIndex, queries: np.ndarray, left_out: np.ndarray, k: int, margin: int = MARGIN
) -> Neighbors:
    """Neighbors of each query, from its k + 1 + margin nearest positions by a tree."""
    candidates = index.candidates(queries, min(k + 1 + margin, len(index.positions.points)))
    return _from_candidates(index, queries, left_out, k, candidates, margin)


def _search_tile(
    index: SpatialIndex, queries: np.ndarray, left_out: np.ndarray, k: int, ball: tuple[np.ndarray, float]
) -> Neighbors:
    """Neighbors of the queries of a tile, from all points in one ball around it, unless these are too many."""
    near = np.array(index.tree.query_ball_point(*ball))
    if len(near) > MOST_CANDIDATES * (k + 1):
        return _search_tree(index, queries, left_out, k)
    nearest_first = np.argsort(((index.positions.points[near] - queries[0]) ** 2).sum(axis=1))
    return _from_candidates(index, queries, left_out, k, near[nearest_first][None], MARGIN)


def _from_candidates(
    index: SpatialIndex, queries: np.ndarray, left_out: np.ndarray, k: int, candidates: np.ndarray, margin: int
) -> Neighbors:
    """Neighbors from candidates; queries with a tie beyond their candidates are searched with twice the margin."""
    indices, squares = np.empty((len(queries), k), np.int32), np.empty((len(queries), k))
    complete = np.empty(len(queries), np.bool_)
    kernels.sort_candidates(*index.positions, queries, candidates, left_out, k, indices, squares, complete)
    tied = np.flatnonzero(~complete)
    if len(tied):
        indices[tied], squares[tied] = _search_tree(index, queries[tied], left_out[tied], k, 2 * margin)
    return indices, squares
