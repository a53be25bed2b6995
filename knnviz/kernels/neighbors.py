"""Exact neighbors, sorted by (distance, index), from candidates, on a line, or from a matrix of products.

A position is a distinct point of space: training points that coincide share one.
"""

import numpy as np

from knnviz.kernels.jit import kernel

#: Two computed distances of a smaller relative difference may stand for equal true ones.
TIE_TOL = 1e-12


@kernel
def squared_distance(a, b):
    """Squared Euclidean distance of two points (d,), summed in coordinate order."""
    total = 0.0
    for axis in range(a.shape[0]):
        difference = a[axis] - b[axis]
        total += difference * difference
    return total


@kernel
def insertion_sort(distances, indices, length):
    """Sort the first ``length`` entries in place by (distance, index); fast when nearly sorted."""
    for i in range(1, length):
        distance, index = distances[i], indices[i]
        j = i - 1
        while j >= 0 and (distances[j] > distance or (distances[j] == distance and indices[j] > index)):
            distances[j + 1], indices[j + 1] = distances[j], indices[j]
            j -= 1
        distances[j + 1], indices[j + 1] = distance, index


@kernel
def collect_tied(tied, starts, members):
    """Indices, ascending, of all points at any of the tied positions; members and starts as in ``sort_candidates``."""
    size = 0
    for position in tied:
        size += starts[position + 1] - starts[position]
    points = np.empty(size, np.int64)
    size = 0
    for position in tied:
        for at in range(starts[position], starts[position + 1]):
            points[size] = members[at]
            size += 1
    return np.sort(points)


@kernel
def keep_near(distances, indices, n_needed):
    """Move entries up to the largest of the first ``n_needed`` to the front, unsorted; return their number."""
    largest = distances[:n_needed].max()
    count = 0
    for j in range(distances.shape[0]):
        if distances[j] <= largest:
            distances[count], distances[j] = distances[j], distances[count]
            indices[count], indices[j] = indices[j], indices[count]
            count += 1
    return count


@kernel
def sort_candidates(positions, starts, members, queries, candidates, left_out, k, indices, squares, complete):
    """Write each query's k nearest points, sorted by (squared distance, index).

    members[starts[p]:starts[p + 1]] are the points at position p of positions (u, d), ascending. candidates (m, w)
    int64 are the w positions nearest to each of queries (m, d), up to rounding; candidates (1, w) are those of all
    queries together, which is fast if each query is near the one before. left_out (m,) is the point that each query
    leaves out, or -1. Outputs: indices (m, k) int32, squares (m, k), and complete (m,), which is False where a position
    beyond the candidates may tie with the k-th neighbor.
    """
    width = candidates.shape[1]
    near_squares = np.empty(width)
    order = np.empty(width, np.int64)
    for i in range(queries.shape[0]):
        # The only row of (1, w) is read once: each query starts from the order of the one before.
        if i < candidates.shape[0]:
            order[:] = candidates[i]
        for j in range(width):
            near_squares[j] = squared_distance(positions[order[j]], queries[i])
        farthest = near_squares.max()
        near = keep_near(near_squares, order, min(k + 1, width))
        insertion_sort(near_squares, order, near)
        filled, j = 0, 0
        while filled < k:
            stop = j + 1
            while stop < near and near_squares[stop] == near_squares[j]:
                stop += 1
            first, last = starts[order[j]], starts[order[j] + 1]
            tied = members[first:last]
            if stop > j + 1:
                tied = collect_tied(order[j:stop], starts, members)
            for member in tied:
                if member != left_out[i] and filled < k:
                    indices[i, filled], squares[i, filled] = member, near_squares[j]
                    filled += 1
            j = stop
        complete[i] = width == positions.shape[0] or farthest > squares[i, k - 1] * (1.0 + TIE_TOL)


@kernel
def square_on_line(x, at, query):
    """Squared distance of point ``at`` of x (n,) from a query; infinite beyond both ends."""
    if at < 0 or at >= x.shape[0]:
        return np.inf
    difference = x[at] - query
    return difference * difference


@kernel
def nearest_on_line(positions, starts, members, queries, left_out, k, indices, squares):
    """Write each query's k nearest points on a line, sorted by (squared distance, index).

    As ``sort_candidates``, without candidates: positions (u,) ascend; a search goes from queries (m,) to both sides.
    """
    for i in range(queries.shape[0]):
        query = queries[i]
        right, filled = np.searchsorted(positions, query), 0
        left = right - 1
        below, above = square_on_line(positions, left, query), square_on_line(positions, right, query)
        while filled < k:
            near, low, high = min(below, above), left, right
            while low >= 0 and below == near:
                low -= 1
                below = square_on_line(positions, low, query)
            while high < positions.shape[0] and above == near:
                high += 1
                above = square_on_line(positions, high, query)
            first, count = low + 1 if low < left else right, left - low + high - right
            tied = members[starts[first] : starts[first + 1]]
            if count > 1:
                positions_tied = np.empty(count, np.int64)
                for j in range(count):
                    positions_tied[j] = low + 1 + j if j < left - low else right + j - (left - low)
                tied = collect_tied(positions_tied, starts, members)
            for member in tied:
                if member != left_out[i] and filled < k:
                    indices[i, filled], squares[i, filled] = member, near
                    filled += 1
            left, right = low, high


@kernel
def comes_before(square, index, other_square, other_index):
    """Whether a point comes before another, by (squared distance, index)."""
    return square < other_square or (square == other_square and index < other_index)


@kernel
def replace_farthest(squares, indices, length, square, index):
    """Replace entry 0 of a heap, the point that comes last, by another one, and restore the heap."""
    at, child = 0, 1
    while child < length:
        if child + 1 < length and comes_before(squares[child], indices[child], squares[child + 1], indices[child + 1]):
            child += 1
        if comes_before(squares[child], indices[child], square, index):
            break
        squares[at], indices[at] = squares[child], indices[child]
        at, child = child, 2 * child + 1
    squares[at], indices[at] = square, index


@kernel
def keep_nearest(products, X, norms, first, queries, query_norms, scale_squared, left_out, squares, indices):
    """Keep the k nearest of the k points in a heap and c more, X (c, d), of indices from ``first``, for m queries.

    products (m, c) float32 are -2 p.q of points p and queries q, both centered and scaled; scale_squared is that scale,
    squared. norms (c,) and query_norms (m,) are ``|p|^2`` and ``|q|^2``, less what rounding may add: see
    ``BruteForceIndex``. left_out (m,) is the point that each query leaves out, or -1. squares and indices (m, k) are
    heaps by (squared distance, index), the last one first.
    """
    for i in range(products.shape[0]):
        largest = squares[i, 0] * scale_squared - query_norms[i]
        for j in range(products.shape[1]):
            # Not "<=", so that NaN rules no point out.
            if not products[i, j] + norms[j] > largest and first + j != left_out[i]:
                square = squared_distance(X[j], queries[i])
                if comes_before(square, first + j, squares[i, 0], indices[i, 0]):
                    replace_farthest(squares[i], indices[i], squares.shape[1], square, first + j)
                    largest = squares[i, 0] * scale_squared - query_norms[i]


@kernel
def sort_heaps(squares, indices):
    """Sort heaps (m, k) in place, by (squared distance, index)."""
    for i in range(squares.shape[0]):
        for last in range(squares.shape[1] - 1, 0, -1):
            square, index = squares[i, last], indices[i, last]
            squares[i, last], indices[i, last] = squares[i, 0], indices[i, 0]
            replace_farthest(squares[i], indices[i], last, square, index)


@kernel
def keep_members(indices, rows, index_in_members, kept, complete):
    """Keep, in some rows, the first k neighbors in a subset of the points, the members: ``kept`` (r, k), their indices.

    indices (m, w) int32 are the neighbors of all points, rows (r,) the rows in use, index_in_members (n,) int32 the
    index of each point in members, or -1. ``complete`` (r,) is whether a row has k members.
    """
    k = kept.shape[1]
    for i in range(rows.shape[0]):
        filled = 0
        for j in range(indices.shape[1]):
            member_index = index_in_members[indices[rows[i], j]]
            if member_index >= 0:
                kept[i, filled] = member_index
                filled += 1
                if filled == k:
                    break
        complete[i] = filled == k
