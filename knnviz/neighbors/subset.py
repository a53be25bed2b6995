"""Neighbors among a subset of the training points, from a table of neighbors among all of them."""

import numpy as np

from knnviz import kernels
from knnviz.neighbors.table import NeighborTable
from knnviz.threads import parallel_chunks

#: Rows in one chunk.
CHUNK = 8192


def among(table: NeighborTable, X: np.ndarray, members: np.ndarray, rows: np.ndarray, k: int) -> NeighborTable:
    """The k nearest of points ``rows`` among points ``members``, both indices of X (n, d), as a table of its own.

    ``table`` holds the neighbors of each point of X among all of X. ``members`` ascend, and are the training points of
    the result: its indices are positions in ``members``. Rows of ``table`` with fewer than k members are searched anew.

    Examples
    --------
    >>> from knnviz.neighbors import NeighborTable, among
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [4.0]])
    >>> table = NeighborTable.build(X, None, 4)
    >>> among(table, X, members=np.array([0, 3]), rows=np.array([1, 2]), k=2).indices.tolist()
    [[0, 1], [0, 1]]
    """
    index_in_members = np.full(len(X), -1, np.int32)
    index_in_members[members] = np.arange(len(members))
    indices, complete = np.empty((len(rows), k), np.int32), np.empty(len(rows), np.bool_)

    def keep(chunk: slice) -> None:
        kernels.keep_members(table.indices, rows[chunk], index_in_members, indices[chunk], complete[chunk])

    parallel_chunks(keep, len(rows), CHUNK)
    if not complete.all():
        indices[~complete] = NeighborTable.build(X[members], X[rows[~complete]], k).indices
    return NeighborTable(indices, len(members))
