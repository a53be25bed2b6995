"""Exact neighbors, sorted by (distance, index)."""

from dataclasses import dataclass, field
from typing import Self

import numpy as np
from scipy.sparse import csr_array, issparse, sparray, spmatrix
from scipy.spatial import cKDTree

from knnviz import checks, kernels
from knnviz.threads import side_by_side

#: Neighbors asked of the tree beyond k_max, so that most ties at the last place are seen at once.
MARGIN = 8

#: Queries answered in one piece of work: few enough to keep every thread busy to the end.
CHUNK = 512


@dataclass(frozen=True, eq=False)
class Places:
    """Where n training points (n, d) are, prepared once for any number of queries; points that coincide share a place.

    ``members[starts[p]:starts[p + 1]]`` are the points at ``places[p]``, ascending.
    """

    X: np.ndarray = field(repr=False)
    tree: cKDTree = field(repr=False)
    places: np.ndarray = field(repr=False)
    starts: np.ndarray = field(repr=False)
    members: np.ndarray = field(repr=False)

    @classmethod
    def of(cls, X: np.ndarray) -> Self:
        """Sort points X (n, d) into places; ValueError if they are not finite."""
        X = checks.points("X", X)
        places, inverse, sizes = np.unique(X, axis=0, return_inverse=True, return_counts=True)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        # The sliding-midpoint tree is built and searched faster here than the balanced one.
        tree = cKDTree(places, balanced_tree=False, compact_nodes=False)
        return cls(X, tree, places, starts, np.argsort(inverse.ravel(), kind="stable"))


@dataclass(frozen=True, eq=False)
class NeighborTable:
    """The k_max nearest of n training points for each of m queries.

    ``indices`` (m, k_max) int32 are sorted by (Euclidean distance, index), exactly, ties at the last place included;
    ``distances`` (m, k_max) float64 are kept on request, else None.
    """

    indices: np.ndarray
    n: int
    distances: np.ndarray | None = field(default=None, repr=False)

    @classmethod
    def build(
        cls,
        X: np.ndarray | Places,
        queries: np.ndarray | None,
        k_max: int,
        *,
        exclude_self: bool = False,
        distances: bool = False,
    ) -> Self:
        """Find the neighbors of queries (m, d) among training points X (n, d), or ``Places`` made of them before.

        ``queries=None`` stands for the training points themselves; ``exclude_self`` then leaves each one out of its own
        list, by index. Raises ValueError for points that are not finite, and for k_max beyond the points there are.
        """
        known = X if isinstance(X, Places) else Places.of(X)
        if exclude_self and queries is not None:
            raise ValueError("exclude_self needs queries=None: only training points have themselves as neighbors")
        queries = known.X if queries is None else checks.points("queries", queries, known.X.shape[1])
        k_max = checks.neighbors(k_max, len(known.X) - exclude_self, "other points" if exclude_self else "points")
        indices, squares = _search(known, queries, k_max, exclude_self)
        return cls(indices, len(known.X), np.sqrt(squares) if distances else None)

    @classmethod
    def from_graph(cls, graph: spmatrix | sparray, *, distances: bool = False) -> Self:
        """Take neighbors from a sparse graph (m, n): rows are queries, columns training points, entries distances.

        So that an approximate index or another metric can stand in; scikit-learn's ``KNeighborsTransformer`` with
        mode="distance" makes such graphs. Stored zeros count. Rows are sorted by (distance, index) anew; ties with
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
        """Neighbors known of each query."""
        return self.indices.shape[1]

    def __len__(self) -> int:
        return len(self.indices)


def _search(known: Places, queries: np.ndarray, k: int, exclude_self: bool) -> tuple[np.ndarray, np.ndarray]:
    """Indices (m, k) and squared distances (m, k), pieces of queries side by side in threads."""
    own = np.arange(len(queries)) if exclude_self else np.full(len(queries), -1)
    indices = np.empty((len(queries), k), np.int32)
    squares = np.empty((len(queries), k))

    def answer(start: int) -> None:
        piece = slice(start, start + CHUNK)
        _answer(known, queries[piece], own[piece], indices[piece], squares[piece])

    side_by_side(answer, range(0, len(queries), CHUNK))
    return indices, squares


def _answer(
    known: Places, queries: np.ndarray, own: np.ndarray, indices: np.ndarray, squares: np.ndarray, margin: int = MARGIN
) -> None:
    """Fill the rows of one piece; rows with a tie across the last candidate are asked again with twice the margin."""
    k, everywhere = indices.shape[1], len(known.places)
    candidates = known.tree.query(queries, range(1, min(k + 1 + margin, everywhere) + 1))[1]
    settled = np.empty(len(queries), np.bool_)
    places = known.places, known.starts, known.members
    kernels.sort_candidates(*places, queries, candidates, own, k, indices, squares, settled)
    tied = np.flatnonzero(~settled)
    if len(tied):
        again = indices[tied], squares[tied]
        _answer(known, queries[tied], own[tied], *again, margin=2 * margin)
        indices[tied], squares[tied] = again
