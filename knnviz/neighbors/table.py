"""NeighborTable: the k nearest training points of each query."""

from dataclasses import dataclass, field
from typing import Self

import numpy as np
from scipy.sparse import issparse, sparray, spmatrix

from knnviz.checks import (
    check_int,
    check_k,
    check_numbers,
    check_points,
    check_range,
    check_whole_numbers,
    require,
    rows_text,
)
from knnviz.neighbors.index import (
    CHUNK,
    MARGIN,
    MetricIndex,
    SpatialIndex,
    prepare,
)
from knnviz.threads import slices


@dataclass(frozen=True, eq=False)
class BuildInputs:
    """What a table was built from: an index of the training points, queries (m, d), and the points
    left out (m,).
    """

    index: SpatialIndex | MetricIndex
    queries: np.ndarray
    left_out: np.ndarray

    @property
    def largest_k(self) -> int:
        """The largest k that every query can have."""
        leaves_out = bool((self.left_out >= 0).any())
        return len(self.index.X) - leaves_out


@dataclass(frozen=True, eq=False)
class NeighborTable:
    """The k_max nearest of n training points for each of m queries.

    ``indices`` (m, k_max) int32 are sorted by (distance, index); of points that tie for the last
    place, the first by index are in the table. Euclidean distances are compared by their squares in
    double precision, others as scikit-learn computes them; rounding may break a tie or create one.
    ``distances`` (m, k_max) float64 are stored on request, else None. ``inputs`` is what the table
    was built from, None if ``build`` did not make it.

    Examples
    --------
    >>> from knnviz import NeighborTable
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [3.0]])
    >>> NeighborTable.build(X, np.array([[0.9]]), k_max=2).indices.tolist()
    [[1, 0]]
    >>> NeighborTable.build(X, None, k_max=1, exclude_self=True).indices.tolist()
    [[1], [0], [1]]
    """

    indices: np.ndarray
    n: int
    distances: np.ndarray | None = None
    inputs: BuildInputs | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        # A search gives what is valid.
        if self.inputs is None:
            n = check_int("n", self.n, 1)
            object.__setattr__(self, "indices", _checked(self.indices, n))

    @classmethod
    def build(
        cls,
        X: np.ndarray | SpatialIndex | MetricIndex,
        queries: np.ndarray | None,
        k_max: int,
        *,
        exclude_self: bool = False,
        distances: bool = False,
        progress: bool = False,
    ) -> Self:
        """Find the neighbors of queries (m, d) among training points X (n, d), or in an index that
        ``prepare`` built.

        ``queries=None`` stands for the training points themselves; ``exclude_self`` then leaves
        each one out of its own list, by index. Distances are Euclidean, unless an index has another
        metric. ``progress`` shows a bar over the queries of a Euclidean search. Raises ValueError
        for points that are not finite, for k_max beyond the number of points, and for distances
        that are not finite.
        """
        index = X if isinstance(X, SpatialIndex | MetricIndex) else prepare(X)
        if queries is None:
            queries = index.X
        elif exclude_self:
            raise ValueError("exclude_self needs queries=None: the training points")
        else:
            queries = check_points("queries", queries, index.X.shape[1])
        n = len(index.X)
        if exclude_self:
            k_max = check_k(k_max, n - 1, "other points")
            left_out = np.arange(n)
        else:
            k_max = check_k(k_max, n)
            left_out = np.full(len(queries), -1)

        indices, found = index.search(
            queries, left_out, k_max, keep_squares=distances, progress=progress
        )
        inputs = BuildInputs(index, queries, left_out)
        if not distances:
            return cls(indices, n, None, inputs)
        if isinstance(index, SpatialIndex):
            found = np.sqrt(found)
        return cls(indices, n, found, inputs)

    @classmethod
    def from_graph(cls, graph: spmatrix | sparray) -> Self:
        """Take neighbors from a sparse graph (m, n): rows are queries, columns training points,
        entries distances.

        An approximate index or another metric can make it, or scikit-learn's
        ``KNeighborsTransformer`` with mode="distance". Stored zeros count. Rows are sorted by
        (distance, index) again; ties with points that the graph left out stay unknown. k_max is the
        length of the shortest row. Raises ValueError for an empty row, and for distances that are
        negative or not finite.
        """
        if not issparse(graph) or graph.ndim != 2:
            got = type(graph).__name__
            raise ValueError(f"graph must be a sparse matrix of distances, got {got}")
        m, n = graph.shape
        require(m, "graph has no rows")
        pairs = graph.tocoo()
        distances = check_numbers("graph", pairs.data)
        different = np.unique(pairs.row.astype(np.int64) * n + pairs.col)
        twice = len(different) < len(distances)
        require(not twice, "graph has several entries for a query and a point")
        lengths = np.bincount(pairs.row, minlength=m)
        empty = np.flatnonzero(lengths == 0)
        require(len(empty) == 0, f"graph has no neighbors in {rows_text(empty)}")
        valid = ((distances >= 0) & (distances < np.inf)).all()
        require(valid, "graph must hold distances that are finite and not negative")

        order = np.lexsort((pairs.col, distances, pairs.row))
        starts = lengths.cumsum() - lengths
        nearest = order[starts[:, None] + np.arange(lengths.min())]
        return cls(pairs.col[nearest], n)

    @property
    def k_max(self) -> int:
        return self.indices.shape[1]

    def __len__(self) -> int:
        return len(self.indices)

    def closed(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """The closed balls out to the k-th neighbor that hold more than k points, as two arrays
        (b,): rows and points.

        Training point ``points[i]`` is in the ball around query ``rows[i]``. A query that is not in
        ``rows`` has exactly its k nearest in its ball. Distances are those by which the table is
        sorted, and points beyond k_max are searched for. Raises ValueError for a table that
        ``build`` did not make.
        """
        k = check_k(k, self.n)
        inputs = self.inputs
        if inputs is None:
            raise ValueError(
                "closed balls need a table that was built from points: another may leave out ties"
            )
        # A ball of all points has no others beside its nearest.
        rows = np.arange(len(self) if k < inputs.largest_k else 0)
        # In chunks, since a ball may hold most of the points.
        pairs = np.empty((2, 0), int)
        balls = [_closed_balls(inputs, rows[chunk], k) for chunk in slices(len(rows), CHUNK)]
        pairs = np.concatenate([pairs, *balls], axis=1)
        return pairs[0], pairs[1]


def _checked(values: np.ndarray, n: int) -> np.ndarray:
    """Indices (m, k_max) int32 of n points; or ValueError."""
    indices = check_whole_numbers("indices", values)
    valid = indices.ndim == 2 and indices.size and indices.dtype != bool
    got = f"got {indices.dtype} of shape {indices.shape}"
    require(valid, f"indices must be whole numbers in an array of 2 dimensions, {got}")
    check_range("indices", indices, 0, n - 1)
    return np.ascontiguousarray(indices, np.int32)


def _closed_balls(
    inputs: BuildInputs, rows: np.ndarray, k: int, margin: int = MARGIN
) -> np.ndarray:
    """Pairs (2, b) of rows and the points in their closed balls of more than k; incomplete ones are
    searched again.
    """
    width = min(k + 1 + margin, inputs.largest_k)
    queries = inputs.queries[rows]
    indices, distances = inputs.index.search(queries, inputs.left_out[rows], width)
    inside = distances <= distances[:, k - 1 : k]
    again = inside[:, -1] & (width < inputs.largest_k)
    complete = inside[:, k] & ~again
    balls, columns = np.nonzero(inside & complete[:, None])
    pairs = np.stack([rows[balls], indices[balls, columns]])
    if again.any():
        others = _closed_balls(inputs, rows[again], k, 4 * margin)
        pairs = np.concatenate([pairs, others], axis=1)
    return pairs
