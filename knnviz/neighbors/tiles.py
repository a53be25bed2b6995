"""Tiles of the plane: groups of queries with most of their neighbors in common."""

import math

import numpy as np

#: Side of a tile, in radii of a ball that holds k points if they are spread evenly.
SIDE = 0.4

#: Strips of a tile. Its queries are sorted strip by strip, in alternating directions, so that each is near the one
#: before.
STRIPS = 8

#: Tiles are faster than single queries if k times the mean number of queries in a tile is at least this.
LEAST_WORK = 5000


def tiles(queries: np.ndarray, n: int, k: int) -> list[np.ndarray]:
    """Indices of queries (m, 2) in each tile, along a path; an empty list where tiles are not faster.

    The side of a tile is small relative to the radius of a ball that holds k of n points.
    """
    n_tiles = math.pi * n / k / SIDE**2
    low = queries.min(axis=0)
    side = math.sqrt(np.prod(queries.max(axis=0) - low) / n_tiles)
    if n_tiles * LEAST_WORK > k * len(queries) or side == 0:
        return []
    column = np.floor((queries[:, 0] - low[0]) / side).astype(int)
    strip = np.floor((queries[:, 1] - low[1]) / side * STRIPS).astype(int)
    order = np.lexsort((np.where(strip % 2, -queries[:, 0], queries[:, 0]), strip, column))
    ends = np.flatnonzero(np.diff(column[order]) | np.diff(strip[order] // STRIPS)) + 1
    return np.split(order, ends)
