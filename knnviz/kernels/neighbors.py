"""Exact neighbors, sorted by (distance, index): from candidates, on a line, in the plane, or from
products.

A position is a distinct point of space: training points that coincide share one.
"""

import numpy as np

from knnviz.kernels.jit import kernel

#: Two computed distances of a smaller relative difference may stand for equal true ones.
DISTANCE_TOL = 1e-12


@kernel
def squared_distance(a, b):
    """Squared Euclidean distance of two points (d,), summed in coordinate order."""
    total = 0.0
    for axis in range(a.shape[0]):
        difference = a[axis] - b[axis]
        total += difference * difference
    return total


@kernel
def square_on_line(x, at, query):
    """Squared distance of point ``at`` of x (n,) from a query; infinite beyond both ends."""
    if at < 0 or at >= x.shape[0]:
        return np.inf
    difference = x[at] - query
    return difference * difference


@kernel
def sort_near(squares, order, n_needed):
    """Move entries up to the largest of the first ``n_needed`` to the front, sorted by square;
    return their number.

    It is fast where these are nearly sorted.
    """
    largest = squares[:n_needed].max()
    count = 0
    for j in range(squares.shape[0]):
        square = squares[j]
        position = order[j]
        at = count
        if square <= largest:
            squares[j] = squares[count]
            order[j] = order[count]
            while at > 0 and squares[at - 1] > square:
                squares[at] = squares[at - 1]
                order[at] = order[at - 1]
                at -= 1
            squares[at] = square
            order[at] = position
            count += 1
    return count


@kernel
def collect_tied(tied, starts, members):
    """Indices, ascending, of all points at any of the tied positions; members and starts as in
    ``sort_candidates``.
    """
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
def write_points(order, near_squares, starts, members, left_out, indices, squares):
    """Write the k nearest points, at the positions ``order`` (w,) of ascending squared distances
    (w,), into rows (k,).

    Points at one distance are sorted by index. starts, members and left_out are those of
    ``sort_candidates``.
    """
    filled = 0
    j = 0
    while filled < indices.shape[0]:
        stop = j + 1
        while stop < order.shape[0] and near_squares[stop] == near_squares[j]:
            stop += 1
        if stop == j + 1:
            position = order[j]
            for at in range(starts[position], starts[position + 1]):
                if members[at] != left_out and filled < indices.shape[0]:
                    indices[filled] = members[at]
                    squares[filled] = near_squares[j]
                    filled += 1
        else:
            for member in collect_tied(order[j:stop], starts, members):
                if member != left_out and filled < indices.shape[0]:
                    indices[filled] = member
                    squares[filled] = near_squares[j]
                    filled += 1
        j = stop


@kernel
def sort_candidates(
    positions, starts, members, queries, candidates, left_out, indices, squares, complete
):
    """Write each query's k nearest points, sorted by (squared distance, index).

    members[starts[p]:starts[p + 1]] are the points at position p of positions (u, d), ascending.
    candidates (m, w) int64 are the w positions nearest to each of queries (m, d), up to rounding.
    left_out (m,) is the point that each query leaves out, or -1. Outputs: indices (m, k) int32,
    squares (m, k), and complete (m,), which is False where a position beyond the candidates may tie
    with the k-th neighbor.
    """
    width = candidates.shape[1]
    k = indices.shape[1]
    near_squares = np.empty(width)
    order = np.empty(width, np.int64)
    for i in range(queries.shape[0]):
        # Here and in ``eliminate`` no array is assigned to a slice: that takes two seconds to
        # compile.
        for j in range(width):
            order[j] = candidates[i, j]
            near_squares[j] = squared_distance(positions[order[j]], queries[i])
        farthest = near_squares.max()
        near = sort_near(near_squares, order, min(k + 1, width))
        write_points(
            order[:near],
            near_squares[:near],
            starts,
            members,
            left_out[i],
            indices[i],
            squares[i],
        )
        edge = squares[i, k - 1] * (1.0 + DISTANCE_TOL)
        complete[i] = width == positions.shape[0] or farthest > edge


@kernel
def nearest_on_line(positions, starts, members, queries, left_out, indices, squares):
    """Write each query's k nearest points on a line, sorted by (squared distance, index).

    As ``sort_candidates``, without candidates: positions (u, 1) ascend; a search goes from queries
    (m, 1) to both sides.
    """
    x = positions.ravel()
    n_positions = positions.shape[0]
    k = indices.shape[1]
    order = np.empty(n_positions, np.int64)
    near_squares = np.empty(n_positions)
    for i in range(queries.shape[0]):
        query = queries[i, 0]
        near = 0
        found = 0
        right = np.searchsorted(x, query)
        left = right - 1
        below = square_on_line(x, left, query)
        above = square_on_line(x, right, query)
        # One point more than k, since one may be left out, and all that tie with it.
        while near < n_positions:
            square = min(below, above)
            if found > k and square != near_squares[near - 1]:
                break
            position = left if below <= above else right
            near_squares[near] = square
            order[near] = position
            found += starts[position + 1] - starts[position]
            # Without a branch, which no processor could predict.
            left = left - (below <= above)
            right = right + (below > above)
            below = square_on_line(x, left, query)
            above = square_on_line(x, right, query)
            near += 1
        write_points(
            order[:near],
            near_squares[:near],
            starts,
            members,
            left_out[i],
            indices[i],
            squares[i],
        )


@kernel
def comes_before(square, index, other_square, other_index):
    """Whether a point comes before another, by (squared distance, index)."""
    return square < other_square or (square == other_square and index < other_index)


@kernel
def insert(squares, indices, at, square, index):
    """Write a point into rows (k,), sorted by (squared distance, index) before ``at``; the entry
    there is lost.
    """
    while at > 0 and comes_before(square, index, squares[at - 1], indices[at - 1]):
        squares[at] = squares[at - 1]
        indices[at] = indices[at - 1]
        at -= 1
    squares[at] = square
    indices[at] = index


@kernel
def square_in_plane(points, at, query):
    """Squared distance of point ``at`` of points (n, 2) from a query (2,)."""
    return (points[at, 0] - query[0]) ** 2 + (points[at, 1] - query[1]) ** 2


@kernel
def search_strip(points, first, stop, members, at, end, step, gap, search, before):
    """Insert points of a strip that are among the k nearest into the rows of a search: from place
    ``at`` on, away from the query.

    The strip is at least ``gap`` away from the query. A ``search`` is the query, rows (k,) of its
    nearest points so far, and the point that it leaves out or -1. ``before`` is the query before,
    its last neighbor, by square and index, and the point that it left out; its neighbors are in the
    rows already.
    """
    query, squares, indices, left_out = search
    query_before, last_square, last_index, left_before = before
    farthest = squares.shape[0] - 1
    while at != end:
        along = points[at, 1] - query[1]
        along *= along
        if gap * gap + along > squares[farthest]:
            break
        across = points[at, 0] - query[0]
        square = across * across + along
        if square <= squares[farthest]:
            for place in range(first[at], stop[at]):
                member = members[place]
                if not comes_before(square, member, squares[farthest], indices[farthest]):
                    break
                then = square_in_plane(points, at, query_before)
                is_new = comes_before(last_square, last_index, then, member)
                if member != left_out and (is_new or member == left_before):
                    insert(squares, indices, farthest, square, member)
        at += step


@kernel
def nearest_in_plane(
    X, points, first, stop, members, strips, borders, queries, left_out, indices, squares
):
    """Write the k nearest of points X (n, 2) to each query, sorted by (squared distance, index).

    As ``sort_candidates``, without candidates: positions ``points`` (u, 2) are cut into strips
    along the first coordinate, at ``borders`` (s - 1,), and ascend along the second in each, from
    ``strips[j]`` to ``strips[j + 1]``. The points at position p are ``members[first[p]:stop[p]]``.
    A search begins with the neighbors of the query before, so that it is fast if that one is near,
    and looks at strips from the query outward.
    """
    n_strips = borders.shape[0] + 1
    k = indices.shape[1]
    for i in range(queries.shape[0]):
        # Rows are taken once: to take one costs as much as to insert a point.
        query = queries[i]
        near = squares[i]
        nearest = indices[i]
        left_before = -1
        last_square = -1.0
        last_index = -1
        found = 0
        if i > 0:
            left_before = left_out[i - 1]
            last_square = squares[i - 1, k - 1]
            last_index = indices[i - 1, k - 1]
            for j in range(k):
                member = indices[i - 1, j]
                if member != left_out[i]:
                    square = square_in_plane(X, member, query)
                    insert(near, nearest, found, square, member)
                    found += 1
        for j in range(found, k):
            near[j] = np.inf
            nearest[j] = X.shape[0]
        search = (query, near, nearest, left_out[i])
        before = (queries[max(i - 1, 0)], last_square, last_index, left_before)
        right = np.searchsorted(borders, query[0])
        left = right - 1
        right_gap = 0.0
        while left >= 0 or right < n_strips:
            left_gap = query[0] - borders[left] if left >= 0 else np.inf
            gap = min(right_gap, left_gap)
            if gap * gap > near[k - 1]:
                break
            if right_gap <= left_gap:
                strip = right
                right_gap = borders[right] - query[0] if right + 1 < n_strips else np.inf
                right += 1
            else:
                strip = left
                left -= 1
            low = strips[strip]
            high = strips[strip + 1]
            middle = low + np.searchsorted(points[low:high, 1], query[1])
            positions = (points, first, stop, members)
            search_strip(*positions, middle, high, 1, gap, search, before)
            search_strip(*positions, middle - 1, low - 1, -1, gap, search, before)


@kernel
def replace_farthest(squares, indices, length, square, index):
    """Replace entry 0 of a heap, the point that comes last, by another one, and restore the
    heap.
    """
    at = 0
    child = 1
    while child < length:
        other = child + 1
        if other < length and comes_before(
            squares[child], indices[child], squares[other], indices[other]
        ):
            child = other
        if comes_before(squares[child], indices[child], square, index):
            break
        squares[at] = squares[child]
        indices[at] = indices[child]
        at = child
        child = 2 * child + 1
    squares[at] = square
    indices[at] = index


@kernel
def keep_nearest(
    products, X, norms, first, queries, query_norms, scale_squared, left_out, squares, indices
):
    """Keep the k nearest of the k points in a heap and c more, X (c, d), of indices from ``first``,
    for m queries.

    products (m, c) float32 are -2 p.q of points p and queries q, both centered and scaled;
    scale_squared is that scale, squared. norms (c,) and query_norms (m,) are ``|p|^2`` and
    ``|q|^2``, less what rounding may add: see ``BruteForceIndex``. left_out (m,) is the point that
    each query leaves out, or -1. squares and indices (m, k) are heaps by (squared distance, index),
    the last one first.
    """
    k = squares.shape[1]
    for i in range(products.shape[0]):
        largest = squares[i, 0] * scale_squared - query_norms[i]
        for j in range(products.shape[1]):
            index = first + j
            # Not "<=", so that NaN rules no point out.
            if not products[i, j] + norms[j] > largest and index != left_out[i]:
                square = squared_distance(X[j], queries[i])
                if comes_before(square, index, squares[i, 0], indices[i, 0]):
                    replace_farthest(squares[i], indices[i], k, square, index)
                    largest = squares[i, 0] * scale_squared - query_norms[i]


@kernel
def sort_heaps(squares, indices):
    """Sort heaps (m, k) in place, by (squared distance, index)."""
    for i in range(squares.shape[0]):
        for last in range(squares.shape[1] - 1, 0, -1):
            square = squares[i, last]
            index = indices[i, last]
            squares[i, last] = squares[i, 0]
            indices[i, last] = indices[i, 0]
            replace_farthest(squares[i], indices[i], last, square, index)
