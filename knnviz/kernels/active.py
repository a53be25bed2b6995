"""Loops of active learning in two rounds (Rittler & Chaudhuri).

H+ is a union of balls around points where the vote of the first round is uncertain. In the second
round a coin makes a draw passive with a given probability: a passive draw is labeled wherever it
falls, any other only in H+.
"""

from math import sqrt

from knnviz.kernels.jit import kernel
from knnviz.kernels.neighbors import squared_distance


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
