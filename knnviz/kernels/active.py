"""Balls of the hard region, and the coin flips of a second round."""

from math import sqrt

from knnviz.kernels.jit import kernel
from knnviz.kernels.neighbors import squared_distance


@kernel
def in_any_ball(points, centers, radii, inside):
    """Fill inside (m,) bool: whether points (m, d) lie in a closed ball around centers (h, d) of radii (h,)."""
    for i in range(points.shape[0]):
        inside[i] = False
        for j in range(centers.shape[0]):
            if sqrt(squared_distance(points[i], centers[j])) <= radii[j]:
                inside[i] = True
                break


@kernel
def second_round(uniforms, inside, width, passive_fraction, once, plain, places, accepted):
    """Walk along uniforms (u,) and fill a row for each draw until as many are accepted as there are labels to buy.

    A coin, if one is due, then ``width`` uniforms for a point, then one for its label if it is accepted: if the coin is
    plain, or ``inside`` (u,), that the point which begins at this uniform lies in H+. A coin is due after each draw, or
    if ``once`` after each accepted one. ``accepted`` (m,) are the rows bought, ``plain`` and ``places`` (rows,) the
    coin of each draw and where its point begins. Returns how many rows and labels there are: fewer than m if the
    uniforms or the rows end.
    """
    at, row, bought, due, coin = 0, 0, 0, True, False
    while bought < accepted.shape[0] and row < plain.shape[0] and at + width + 2 <= uniforms.shape[0]:
        if due:
            coin = uniforms[at] < passive_fraction
            at += 1
        plain[row], places[row] = coin, at
        due = not once
        if coin or inside[at]:
            accepted[bought] = row
            bought += 1
            at += 1
            due = True
        at += width
        row += 1
    return row, bought
