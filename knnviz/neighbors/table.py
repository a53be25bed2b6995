"""NeighborTable: the k nearest training points of each query."""

from dataclasses import dataclass, field
from typing import NamedTuple, Self

import numpy as np
from scipy.sparse import csr_array, issparse, sparray, spmatrix

from knnviz import checks
from knnviz.neighbors.metric_space import Metric, MetricSpace
from knnviz.neighbors.prepare import prepare
from knnviz.neighbors.spatial_index import CHUNK, MARGIN, SpatialIndex


class Asked(NamedTuple):
    """What a table was built from: known points, queries (m, d), and the point (m,) that each leaves out, or -1."""

    known: SpatialIndex | MetricSpace
    queries: np.ndarray
    own: np.ndarray

    @property
    def most(self) -> int:
        return len(self.known.X) - bool((self.own >= 0).any())

    def nearest(self, rows: np.ndarray | slice, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Indices (r, k) of the neighbors of some queries, and their distances (r, k), Euclidean ones squared."""
        return self.known.search(self.queries[rows], self.own[rows], k)


@dataclass(frozen=True, eq=False)
class NeighborTable:
    """The k_max nearest of n training points for each of m queries.

    ``indices`` (m, k_max) int32 are sorted by (distance, index), ties of the last one included: exactly where the
    distance is Euclidean, else by the numbers that scikit-learn computes, whose last digits may part what is tied or
    join what is not. ``distances`` (m, k_max) float64 are kept on request, else None. ``asked`` is what the table was
    built from, None if it comes from a graph.
    """

    indices: np.ndarray
    n: int
    distances: np.ndarray | None = field(default=None, repr=False)
    asked: Asked | None = field(default=None, repr=False)

    @classmethod
    def build(
        cls,
        X: np.ndarray | SpatialIndex | MetricSpace,
        queries: np.ndarray | None,
        k_max: int,
        *,
        exclude_self: bool = False,
        distances: bool = False,
        metric: Metric = "euclidean",
    ) -> Self:
        """Find the neighbors of queries (m, d) among training points X (n, d), or what ``prepare`` made of them before.

        ``queries=None`` stands for the training points themselves; ``exclude_self`` then leaves each one out of its own
        list, by index. ``metric`` is one for ``prepare``; points that are prepared have theirs. Raises ValueError for
        points that are not finite, for k_max beyond the points there are, and for distances that are not finite.
        """
        known = X if isinstance(X, SpatialIndex | MetricSpace) else prepare(X, metric)
        if known is X and metric != "euclidean":
            raise ValueError(f"points that are prepared have their metric, got {metric!r} beside them")
        if exclude_self and queries is not None:
            raise ValueError("exclude_self needs queries=None: only training points have themselves as neighbors")
        queries = known.X if queries is None else checks.check_points("queries", queries, known.X.shape[1])
        k_max = checks.check_k(k_max, len(known.X) - exclude_self, "other points" if exclude_self else "points")
        own = np.arange(len(queries)) if exclude_self else np.full(len(queries), -1)
        asked = Asked(known, queries, own)
        indices, measured = asked.nearest(slice(None), k_max)
        if distances and isinstance(known, SpatialIndex):
            measured = np.sqrt(measured)
        return cls(indices, len(known.X), measured if distances else None, asked)

    @classmethod
    def from_graph(cls, graph: spmatrix | sparray, *, distances: bool = False) -> Self:
        """Take neighbors from a sparse graph (m, n): rows are queries, columns training points, entries distances.

        An approximate index or another metric can make it, or scikit-learn's ``KNeighborsTransformer`` with
        mode="distance". Stored zeros count. Rows are sorted by (distance, index) anew; ties with
        points that the graph left out stay unknown. k_max is the length of the shortest row. Raises ValueError for an
        empty row, and for distances that are negative or not finite.
        """
        if not issparse(graph) or graph.ndim != 2:
            raise ValueError(f"graph must be a sparse matrix of distances, got {type(graph).__name__}")
        rows = csr_array(graph)
        lengths = np.diff(rows.indptr)
        if lengths.size == 0 or lengths.min() == 0:
            empty = np.flatnonzero(lengths == 0)
            raise ValueError(f"graph has no neighbors in {checks.rows(empty)}" if empty.size else "graph has no rows")
        if not (np.isfinite(rows.data) & (rows.data >= 0)).all():
            raise ValueError("graph must hold distances that are finite and not negative")
        order = np.lexsort((rows.indices, rows.data, np.repeat(np.arange(len(lengths)), lengths)))
        kept = order[rows.indptr[:-1, None] + np.arange(lengths.min())]
        return cls(rows.indices[kept].astype(np.int32), graph.shape[1], rows.data[kept] if distances else None)

    @property
    def k_max(self) -> int:
        return self.indices.shape[1]

    def __len__(self) -> int:
        return len(self.indices)

    def closed(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Closed balls around queries, out to the k-th neighbor, where they hold more than the k nearest.

        Pairs (rows, points), (b,) each: training point ``points[i]`` is in the ball around query ``rows[i]``, the k
        nearest among them. Around a query that is not in ``rows`` the k nearest are alone. Points tie as in the table;
        those past k_max are searched for. Raises ValueError if k exceeds k_max, and for a table from a graph.
        """
        if self.asked is None:
            raise ValueError(
                "closed balls need a table that was built from points: a graph may leave out points that tie"
            )
        k = checks.check_int("k", k, 1, self.k_max)
        rows = self._tied(self.asked, k) if k < self.asked.most else np.empty(0, int)
        # In pieces, since a ball may hold most of the points.
        pieces = [_balls(self.asked, rows[start : start + CHUNK], k) for start in range(0, len(rows), CHUNK)]
        pairs = np.concatenate([np.empty((2, 0), int), *pieces], axis=1)
        return pairs[0], pairs[1]

    def _tied(self, asked: Asked, k: int) -> np.ndarray:
        """Rows where the next neighbor may be as far as the k-th: exactly those that are, if the table holds it."""
        if k == self.k_max or isinstance(asked.known, MetricSpace):
            return np.arange(len(self))
        squares = np.zeros((2, len(self)))
        # Summed in the order of coordinates, as by the search.
        for own, known in zip(asked.queries.T, asked.known.X.T, strict=True):
            squares += (known[self.indices[:, k - 1 : k + 1]].T - own) ** 2
        return np.flatnonzero(squares[0] == squares[1])


def _balls(asked: Asked, rows: np.ndarray, k: int, margin: int = MARGIN) -> np.ndarray:
    """Pairs (2, b) of rows and the points in their closed balls of more than k; incomplete ones are searched again."""
    width = min(k + 1 + margin, asked.most)
    indices, distances = asked.nearest(rows, width)
    reached = distances[:, k - 1 : k]
    tied = distances[:, k] == reached[:, 0]
    whole = tied if width == asked.most else tied & (distances[:, -1] > reached[:, 0])
    among, columns = np.nonzero((distances <= reached) & whole[:, None])
    pairs, again = np.stack([rows[among], indices[among, columns]]), rows[tied & ~whole]
    return np.concatenate([pairs, _balls(asked, again, k, 4 * margin)], axis=1) if len(again) else pairs
