"""Every numba loop: arrays in, arrays out, no classes.

Kernels release the GIL and never run in parallel by themselves: threads split rows outside.
"""

import numpy as np
from numba import njit

kernel = njit(nogil=True, cache=True)

#: Relative slack within which two computed distances may stand for equal true ones.
TIE_SLACK = 1e-12

#: Queries that are counted side by side, so that writes stay in the cache.
BLOCK = 64


@kernel
def squared_distance(a, b):
    """Squared Euclidean distance of two points (d,), summed in coordinate order."""
    total = 0.0
    for axis in range(a.shape[0]):
        gap = a[axis] - b[axis]
        total += gap * gap
    return total


@kernel
def insert_sorted(distances, indices, length):
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
    """Indices, ascending, of all points at any of the tied places."""
    size = 0
    for place in tied:
        size += starts[place + 1] - starts[place]
    pool = np.empty(size, np.int64)
    size = 0
    for place in tied:
        for position in range(starts[place], starts[place + 1]):
            pool[size] = members[position]
            size += 1
    return np.sort(pool)


@kernel
def sort_candidates(places, starts, members, queries, candidates, own, k, indices, squares, settled):
    """Write each query's k nearest points, sorted by (squared distance, index).

    Points that coincide share a place: places (u, d), and members[starts[p]:starts[p + 1]] are the points at place p,
    ascending. candidates (m, w) int64 are the places nearest to each of queries (m, d), up to rounding; own (m,) is a
    point to leave out, or -1. Outputs: indices (m, k) int32, squares (m, k), and settled (m,), which is False where a
    place beyond the candidates may tie with the k-th neighbor.
    """
    width = candidates.shape[1]
    gaps = np.empty(width)
    order = np.empty(width, np.int64)
    for i in range(queries.shape[0]):
        for j in range(width):
            order[j] = candidates[i, j]
            gaps[j] = squared_distance(places[order[j]], queries[i])
        insert_sorted(gaps, order, width)
        filled, j = 0, 0
        while filled < k:
            stop = j + 1
            while stop < width and gaps[stop] == gaps[j]:
                stop += 1
            first, last = starts[order[j]], starts[order[j] + 1]
            tied = members[first:last]
            if stop > j + 1:
                tied = collect_tied(order[j:stop], starts, members)
            for member in tied:
                if member != own[i] and filled < k:
                    indices[i, filled], squares[i, filled] = member, gaps[j]
                    filled += 1
            j = stop
        settled[i] = width == places.shape[0] or gaps[width - 1] > squares[i, k - 1] * (1.0 + TIE_SLACK)


@kernel
def count_votes(indices, labels, k, votes):
    """Add to votes (C, m) the labels (n,) of each query's k nearest points, indices (m, k_max)."""
    for i in range(indices.shape[0]):
        for j in range(k):
            votes[labels[indices[i, j]], i] += 1


@kernel
def count_ones(indices, labels, k, ones):
    """Count in ones (m,) the points of class 1 among each query's k nearest, for labels (n,) in {0, 1}."""
    for i in range(indices.shape[0]):
        total = 0
        for j in range(k):
            total += labels[indices[i, j]]
        ones[i] = total


@kernel
def cumulate_votes(indices, labels, votes):
    """Fill votes (C, k_max, m): of class c among the j + 1 nearest of query i, at every j."""
    n_classes, k_max, m = votes.shape
    running = np.zeros((n_classes, BLOCK), np.int64)
    for start in range(0, m, BLOCK):
        stop = min(start + BLOCK, m)
        running[:] = 0
        for j in range(k_max):
            for i in range(start, stop):
                running[labels[indices[i, j]], i - start] += 1
            for c in range(n_classes):
                for i in range(start, stop):
                    votes[c, j, i] = running[c, i - start]


@kernel
def most_votes(votes, labels):
    """Write into labels (m,) the class with most votes (C, m), the smallest class on a tie."""
    for i in range(votes.shape[1]):
        best = 0
        for c in range(1, votes.shape[0]):
            if votes[c, i] > votes[best, i]:
                best = c
        labels[i] = best


@kernel
def expected_error(labels, eta, weights):
    """Sum of weights (m,) times the chance 1 - eta (m, C) that the label of a cell is wrong."""
    total = 0.0
    for i in range(labels.shape[0]):
        total += weights[i] * (1.0 - eta[i, labels[i]])
    return total
