"""Exact neighbors, sorted by (distance, index).

n is the number of training points X (n, d), m that of queries. ``left_out`` (m,) is the training point that is not a
neighbor of each query, such as the query itself, or -1. A search gives indices (m, k) int32 and distances (m, k).
"""

from knnviz.neighbors.metric_index import Metric, MetricIndex
from knnviz.neighbors.prepare import prepare
from knnviz.neighbors.spatial_index import ALGORITHMS, SpatialIndex
from knnviz.neighbors.subset import among
from knnviz.neighbors.table import NeighborTable
from knnviz.neighbors.windows import Windows, distinct

__all__ = [
    "ALGORITHMS",
    "Metric",
    "MetricIndex",
    "NeighborTable",
    "SpatialIndex",
    "Windows",
    "among",
    "distinct",
    "prepare",
]
