"""Every numba loop: arrays in, arrays out, no classes.

Kernels release the GIL and never run in parallel by themselves: threads split rows outside.
"""

from knnviz.kernels.neighbors import collect_tied, insert_sorted, sort_candidates, squared_distance
from knnviz.kernels.risk import expected_error
from knnviz.kernels.votes import count_at, cumulate_votes, most_votes

__all__ = [
    "collect_tied",
    "count_at",
    "cumulate_votes",
    "expected_error",
    "insert_sorted",
    "most_votes",
    "sort_candidates",
    "squared_distance",
]
