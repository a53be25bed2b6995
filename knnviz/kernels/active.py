"""Loops of active learning in two rounds (Rittler & Chaudhuri).

H+ is a union of balls around points where the vote of the first round is uncertain. In the second
round a coin makes a draw passive with a given probability: a passive draw is labeled wherever it
falls, any other only in H+.
"""

from math import sqrt

import numpy as np

from knnviz.kernels.jit import kernel
from knnviz.kernels.neighbors import square_on_line, squared_distance


@kernel
def in_any_ball(points, centers, radii, inside):
    """Fill inside (m,) bool: whether points (m, d) lie in a closed ball around centers (h, d) of
    radii (h,).
    """
    for i in range(points.shape[0]):
        inside[i] = False
        for j in range(centers.shape[0]):
            if sqrt(squared_distance(points[i], centers[j])) <= radii[j]:
                inside[i] = True
                break


@kernel
def accept_draws(
    uniforms, inside, width, passive_fraction, coin_per_label, passive, starts, accepted
):
    """Read uniform numbers (u,) one by one and fill a row for each draw, until m draws have been
    accepted (labeled).

    A draw takes a number for its coin, if one is due, then ``width`` of them for its point. An
    accepted one takes another for its label. ``inside`` (u,) is whether a point that begins at this
    number lies in H+. A coin is due at each draw, or with ``coin_per_label`` only at the first and
    after an accepted one. Outputs: ``passive`` and ``starts`` (rows,), the coin of each draw and
    where its point begins, and ``accepted`` (m,), the rows of the accepted draws. Returns how many
    rows and labels there are: fewer than m labels if the numbers or the rows end.
    """
    n_labels = accepted.shape[0]
    n_rows = passive.shape[0]
    last_position = uniforms.shape[0] - width - 2
    position = 0
    row = 0
    labels = 0
    coin_is_due = True
    coin = False
    while labels < n_labels and row < n_rows and position <= last_position:
        if coin_is_due:
            coin = uniforms[position] < passive_fraction
            position += 1
        passive[row] = coin
        starts[row] = position
        taken = coin or inside[position]
        if taken:
            accepted[labels] = row
        coin_is_due = taken or not coin_per_label
        labels = labels + taken
        row = row + 1
        position = position + width + taken
    return row, labels


@kernel
def votes_of_first(indices, labels, count, k, ones):
    """Fill ones (m,) with the votes for class 1 among the k nearest points of index below count,
    from indices (m, j).

    It is -1 where a row holds fewer than k of them.
    """
    for i in range(indices.shape[0]):
        n_found = 0
        votes = 0
        for j in range(indices.shape[1]):
            if indices[i, j] < count:
                votes += labels[indices[i, j]]
                n_found += 1
                if n_found == k:
                    break
        ones[i] = votes if n_found == k else -1


@kernel
def votes_on_line(x, order, labels, counts, queries, k, ones):
    """Fill ones (J, m) with the votes for class 1 of the k nearest points to queries (m,) on a
    line.

    Only the first points by index vote, as many as each of counts (J,), and all of these if they
    are fewer than k. x (n,) are the points, ascending, order (n,) their indices, by which ties are
    broken, labels (n,) their classes.
    """
    first = np.empty_like(x)
    indices = np.empty_like(order)
    cumulative = np.zeros(x.shape[0] + 1, np.int64)
    for step in range(counts.shape[0]):
        size = 0
        for j in range(x.shape[0]):
            if order[j] < counts[step]:
                first[size] = x[j]
                indices[size] = order[j]
                cumulative[size + 1] = cumulative[size] + labels[j]
                size += 1
        n_voters = min(k, size)
        votes_in_windows(first[:size], indices[:size], cumulative, queries, n_voters, ones[step])


@kernel
def votes_in_windows(x, order, cumulative, queries, k, ones):
    """As ``votes_on_line`` if all points vote; cumulative (n + 1,) counts class 1 among the first
    points of x.
    """
    for i in range(queries.shape[0]):
        query = queries[i]
        start = 0
        last = x.shape[0] - k
        while start < last:
            middle = (start + last) // 2
            first = square_on_line(x, middle, query)
            after = square_on_line(x, middle + k, query)
            if x[middle + k] < query or first > after:
                start = middle + 1
            else:
                last = middle
        stop = start + k
        radius = max(square_on_line(x, start, query), square_on_line(x, stop - 1, query))
        below = square_on_line(x, start - 1, query)
        above = square_on_line(x, stop, query)
        ones[i] = cumulative[stop] - cumulative[start]
        if below == radius or above == radius:
            ones[i] = votes_with_ties(x, order, cumulative, query, start, stop, radius)


@kernel
def votes_with_ties(x, order, cumulative, query, start, stop, radius):
    """Votes of the k nearest of one query: all points nearer than the radius, then those at the
    radius by index.

    The points ``start`` to ``stop`` - 1 are one choice of k nearest; others beside them are at the
    radius, too.
    """
    k = stop - start
    left = start
    right = stop
    while left > 0 and square_on_line(x, left - 1, query) == radius:
        left -= 1
    while right < x.shape[0] and square_on_line(x, right, query) == radius:
        right += 1
    while start < stop and square_on_line(x, start, query) == radius:
        start += 1
    while start < stop and square_on_line(x, stop - 1, query) == radius:
        stop -= 1
    nearer = stop - start
    votes = cumulative[stop] - cumulative[start]
    tied = np.concatenate((np.arange(left, start), np.arange(stop, right)))
    by_index = np.argsort(order[tied])
    for place in tied[by_index[: k - nearer]]:
        votes += cumulative[place + 1] - cumulative[place]
    return votes
