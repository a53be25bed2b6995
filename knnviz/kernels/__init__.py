"""Every numba loop: arrays in, arrays out, no classes.

Kernels release the GIL and never run in parallel by themselves: threads split rows outside.
"""

from knnviz.kernels.active import in_any_ball, second_round
from knnviz.kernels.bags import count_bags_at, cumulate_bags, eliminate, first_to_reach
from knnviz.kernels.balls import SLACK, grow_among_points, grow_on_lattice, largest_product, smallest_margin
from knnviz.kernels.neighbors import (
    collect_tied,
    insert_sorted,
    keep_members,
    keep_nearest,
    nearest_on_line,
    sort_candidates,
    sort_heaps,
    squared_distance,
)
from knnviz.kernels.risk import expected_error, sum_entries, weigh
from knnviz.kernels.votes import count_at, cumulate_votes, most_votes, most_weight, votes_of_first, votes_on_line
from knnviz.kernels.windows import window_extremes
