"""Loops compiled by numba: arrays in, arrays out, no objects.

Letters in shapes: n training points, m queries, d coordinates, C classes, coded 0 to C - 1; J and
other letters count what a kernel says. A query's neighbors are the indices of training points,
sorted by (distance, index). A bag is the set of classes that a training point votes for, a row of C
zeros and ones. The caller makes the arrays that a kernel fills.

Kernels release the GIL and start no threads: callers split rows among threads.

A new kernel is decorated by ``@kernel``, without ``parallel``, and called in ``warm`` of
``knnviz/warm.py`` once with each combination of types, or ``tests/test_warm.py`` fails. Its plain
twin goes into ``tests/reference_implementations.py``, and both meet random input, ties included, in
the tests of what calls the kernel.
"""

from knnviz.kernels.active import accept_draws, in_any_ball, votes_of_first
from knnviz.kernels.bags import eliminate, first_to_reach
from knnviz.kernels.balls import (
    EQUAL_TOL,
    grow_among_points,
    grow_on_grid,
    largest_product,
    smallest_margin,
)
from knnviz.kernels.neighbors import (
    keep_nearest,
    nearest_in_plane,
    nearest_on_line,
    sort_candidates,
    sort_heaps,
)
from knnviz.kernels.risk import expected_error, sum_weights
from knnviz.kernels.votes import count_votes, most_votes, most_weight
