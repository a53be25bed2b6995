"""Votes: how many of the k nearest training points of a query have each class."""

import numpy as np

from knnviz.kernels.jit import kernel
from knnviz.kernels.neighbors import square_on_line

#: Queries that are counted together, so that writes stay in the cache.
BLOCK = 64


@kernel
def count_votes_at(indices, labels, ks, votes):
    """Fill votes (len(ks), C, m): of each class among each query's k nearest, at every k of ks, ascending, in one pass.

    indices (m, k_max) are the neighbors, labels (n,) the classes of the points.
    """
    n_classes = votes.shape[1]
    running = np.empty(n_classes, np.int64)
    for i in range(indices.shape[0]):
        running[:] = 0
        ones, counted = 0, 0
        for step in range(ks.shape[0]):
            # A slice, since only a loop that starts at 0 is vectorized.
            added = indices[i, counted : ks[step]]
            counted = ks[step]
            if n_classes == 2:
                more = 0
                for j in range(added.shape[0]):
                    more += labels[added[j]]
                ones += more
                votes[step, 0, i], votes[step, 1, i] = counted - ones, ones
            else:
                for j in range(added.shape[0]):
                    running[labels[added[j]]] += 1
                for c in range(n_classes):
                    votes[step, c, i] = running[c]


@kernel
def cumulate_votes(indices, labels, votes):
    """Fill votes (C, k_max, m): those of class c among the j + 1 nearest of query i, at [c, j, i]."""
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
def most_weight(votes, voters, q, slack, labels):
    """Write into labels (m,) the smallest class whose score q_c * (votes_c / voters) is within slack of the largest.

    votes (C, m) are those of each class, voters (m,) how many points vote, q (C,) class weights that are not negative.
    """
    n_classes = votes.shape[0]
    scores = np.empty(n_classes)
    for i in range(votes.shape[1]):
        largest = 0.0
        for c in range(n_classes):
            scores[c] = q[c] * (votes[c, i] / voters[i])
            largest = max(largest, scores[c])
        best = 0
        # All classes are compared: a branch to stop early would cost more than it saves.
        for c in range(n_classes - 1, -1, -1):
            if scores[c] >= largest - slack:
                best = c
        labels[i] = best


@kernel
def votes_of_first(indices, labels, count, k, ones):
    """Fill ones (m,) with the votes for class 1 among the k nearest points of index below count, from indices (m, j).

    It is -1 where a row holds fewer than k of them.
    """
    for i in range(indices.shape[0]):
        n_found, votes = 0, 0
        for j in range(indices.shape[1]):
            if indices[i, j] < count:
                votes += labels[indices[i, j]]
                n_found += 1
                if n_found == k:
                    break
        ones[i] = votes if n_found == k else -1


@kernel
def votes_on_line(x, order, labels, counts, queries, k, ones):
    """Fill ones (J, m) with the votes for class 1 of the k nearest points to queries (m,) on a line.

    Only the first points by index vote, as many as each of counts (J,), and all of these if they are fewer than k.
    x (n,) are the points, ascending, order (n,) their indices, by which ties are broken, labels (n,) their classes.
    """
    first, indices, cumulative = np.empty_like(x), np.empty_like(order), np.zeros(x.shape[0] + 1, np.int64)
    for step in range(counts.shape[0]):
        size = 0
        for j in range(x.shape[0]):
            if order[j] < counts[step]:
                first[size], indices[size] = x[j], order[j]
                cumulative[size + 1] = cumulative[size] + labels[j]
                size += 1
        votes_in_windows(first[:size], indices[:size], cumulative, queries, min(k, size), ones[step])


@kernel
def votes_in_windows(x, order, cumulative, queries, k, ones):
    """As ``votes_on_line`` if all points vote; cumulative (n + 1,) counts class 1 among the first points of x."""
    for i in range(queries.shape[0]):
        query, start, last = queries[i], 0, x.shape[0] - k
        while start < last:
            middle = (start + last) // 2
            if x[middle + k] < query or square_on_line(x, middle, query) > square_on_line(x, middle + k, query):
                start = middle + 1
            else:
                last = middle
        stop = start + k
        radius = max(square_on_line(x, start, query), square_on_line(x, stop - 1, query))
        ones[i] = cumulative[stop] - cumulative[start]
        if square_on_line(x, start - 1, query) == radius or square_on_line(x, stop, query) == radius:
            ones[i] = votes_with_ties(x, order, cumulative, query, start, stop, radius)


@kernel
def votes_with_ties(x, order, cumulative, query, start, stop, radius):
    """Votes of the k nearest of one query: all points nearer than the radius, then those at the radius by index.

    The points ``start`` to ``stop`` - 1 are one choice of k nearest; others beside them are at the radius, too.
    """
    k, left, right = stop - start, start, stop
    while left > 0 and square_on_line(x, left - 1, query) == radius:
        left -= 1
    while right < x.shape[0] and square_on_line(x, right, query) == radius:
        right += 1
    while start < stop and square_on_line(x, start, query) == radius:
        start += 1
    while start < stop and square_on_line(x, stop - 1, query) == radius:
        stop -= 1
    votes, missing = cumulative[stop] - cumulative[start], k - (stop - start)
    for at in range(left, right):
        earlier = 0
        for other in range(left, right):
            if (other < start or other >= stop) and order[other] < order[at]:
                earlier += 1
        if (at < start or at >= stop) and earlier < missing:
            votes += cumulative[at + 1] - cumulative[at]
    return votes
