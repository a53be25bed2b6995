"""NeighborTable: the k nearest training points of each query."""

from dataclasses import dataclass, field
from typing import Self

import numpy as np
from scipy.sparse import csr_array, issparse, sparray, spmatrix

from knnviz import checks
from knnviz.neighbors.metric_index import Metric, MetricIndex
from knnviz.neighbors.prepare import prepare
from knnviz.neighbors.spatial_index import CHUNK, MARGIN, SpatialIndex
from knnviz.threads import slices


@dataclass(frozen=True, eq=False)
class BuildInputs:
    """What a table was built from: an index of the training points, queries (m, d), and the points left out (m,)."""

    index: SpatialIndex | MetricIndex
    queries: np.ndarray
    left_out: np.ndarray

    @property
    def largest_k(self) -> int:
        """The largest k that every query can have."""
        return len(self.index.X) - bool((self.left_out >= 0).any())

    def search(self, rows: np.ndarray | slice, k: int, **options: bool) -> tuple[np.ndarray, np.ndarray]:
        """Indices (r, k) and distances (r, k) of the neighbors of some queries; Euclidean distances are squared."""
        return self.index.search(self.queries[rows], self.left_out[rows], k, **options)


@dataclass(frozen=True, eq=False)
class NeighborTable:
    """The k_max nearest of n training points for each of m queries.

    ``indices`` (m, k_max) int32 are sorted by (distance, index); of points that tie for the last place, the first by
    index are kept. Euclidean distances are compared by their squares in double precision, others as scikit-learn
    computes them; rounding may break a tie or create one. ``distances`` (m, k_max) float64 are kept on request, else
    None. ``inputs`` is what the table was built from, None if ``build`` did not make it.

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
    distances: np.ndarray | None = field(default=None, repr=False)
    inputs: BuildInputs | None = field(default=None, repr=False)

    @classmethod
    def build(
        cls,
        X: np.ndarray | SpatialIndex | MetricIndex,
        queries: np.ndarray | None,
        k_max: int,
        *,
        exclude_self: bool = False,
        distances: bool = False,
        metric: Metric = "euclidean",
        progress: bool = False,
    ) -> Self:
        """Find the neighbors of queries (m, d) among training points X (n, d), or in an index that ``prepare`` built.

        ``queries=None`` stands for the training points themselves; ``exclude_self`` then leaves each one out of its own
        list, by index. ``metric`` is one for ``prepare``; an index has its own. ``progress`` shows a bar over the
        queries of a Euclidean search. Raises ValueError for points that are not finite, for k_max beyond the number of
        points, and for distances that are not finite.
        """
        index = X if isinstance(X, SpatialIndex | MetricIndex) else prepare(X, metric)
        if index is X and metric != "euclidean":
            raise ValueError(f"points that are prepared have their metric, got metric={metric!r} as well")
        if exclude_self and queries is not None:
            raise ValueError("exclude_self needs queries=None: only training points have themselves as neighbors")
        queries = index.X if queries is None else checks.check_points("queries", queries, index.X.shape[1])
        k_max = checks.check_k(k_max, len(index.X) - exclude_self, "other points" if exclude_self else "points")
        left_out = np.arange(len(queries)) if exclude_self else np.full(len(queries), -1)
        inputs = BuildInputs(index, queries, left_out)
        options = {"progress": progress} if isinstance(index, SpatialIndex) else {}
        indices, found = inputs.search(slice(None), k_max, **options)
        if distances and isinstance(index, SpatialIndex):
            found = np.sqrt(found)
        return cls(indices, len(index.X), found if distances else None, inputs)

    @classmethod
    def from_graph(cls, graph: spmatrix | sparray, *, distances: bool = False) -> Self:
        """Take neighbors from a sparse graph (m, n): rows are queries, columns training points, entries distances.

        An approximate index or another metric can make it, or scikit-learn's ``KNeighborsTransformer`` with
        mode="distance". Stored zeros count. Rows are sorted by (distance, index) again; ties with
        points that the graph left out stay unknown. k_max is the length of the shortest row. Raises ValueError for an
        empty row, and for distances that are negative or not finite.
        """
        if not issparse(graph) or graph.ndim != 2:
            raise ValueError(f"graph must be a sparse matrix of distances, got {type(graph).__name__}")
        rows = csr_array(graph)
        lengths = np.diff(rows.indptr)
        if lengths.size == 0 or lengths.min() == 0:
            empty = np.flatnonzero(lengths == 0)
            raise ValueError(
                f"graph has no neighbors in {checks.rows_text(empty)}" if empty.size else "graph has no rows"
            )
        if not (np.isfinite(rows.data) & (rows.data >= 0)).all():
            raise ValueError("graph must hold distances that are finite and not negative")
        order = np.lexsort((rows.indices, rows.data, np.repeat(np.arange(len(lengths)), lengths)))
        nearest = order[rows.indptr[:-1, None] + np.arange(lengths.min())]
        return cls(rows.indices[nearest].astype(np.int32), graph.shape[1], rows.data[nearest] if distances else None)

    @property
    def k_max(self) -> int:
        return self.indices.shape[1]

    def __len__(self) -> int:
        return len(self.indices)

    def closed(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """The closed balls out to the k-th neighbor that hold more than k points, as two arrays (b,): rows and points.

        Training point ``points[i]`` is in the ball around query ``rows[i]``. A query that is not in ``rows`` has
        exactly its k nearest in its ball. Distances are compared as in the table, and points beyond k_max are searched
        for. Raises ValueError if k exceeds k_max, and for a table that ``build`` did not make.
        """
        if self.inputs is None:
            raise ValueError("closed balls need a table that was built from points: another may leave out ties")
        k = checks.check_int("k", k, 1, self.k_max)
        rows = self._tied(self.inputs, k) if k < self.inputs.largest_k else np.empty(0, int)
        # In chunks, since a ball may hold most of the points.
        chunks = [_closed_balls(self.inputs, rows[chunk], k) for chunk in slices(len(rows), CHUNK)]
        pairs = np.concatenate([np.empty((2, 0), int), *chunks], axis=1)
        return pairs[0], pairs[1]

    def _tied(self, inputs: BuildInputs, k: int) -> np.ndarray:
        """Rows whose next neighbor may tie with the k-th: all if it is not in the table, or under another metric."""
        if k == self.k_max or isinstance(inputs.index, MetricIndex):
            return np.arange(len(self))
        squares = np.zeros((2, len(self)))
        # Summed in the order of coordinates, as by the search.
        for query_column, train_column in zip(inputs.queries.T, inputs.index.X.T, strict=True):
            squares += (train_column[self.indices[:, k - 1 : k + 1]].T - query_column) ** 2
        return np.flatnonzero(squares[0] == squares[1])


def _closed_balls(inputs: BuildInputs, rows: np.ndarray, k: int, margin: int = MARGIN) -> np.ndarray:
    """Pairs (2, b) of rows and the points in their closed balls of more than k; incomplete ones are searched again."""
    width = min(k + 1 + margin, inputs.largest_k)
    indices, distances = inputs.search(rows, width)
    radii = distances[:, k - 1 : k]
    tied = distances[:, k] == radii[:, 0]
    complete = tied if width == inputs.largest_k else tied & (distances[:, -1] > radii[:, 0])
    balls, columns = np.nonzero((distances <= radii) & complete[:, None])
    pairs, again = np.stack([rows[balls], indices[balls, columns]]), rows[tied & ~complete]
    return np.concatenate([pairs, _closed_balls(inputs, again, k, 4 * margin)], axis=1) if len(again) else pairs
