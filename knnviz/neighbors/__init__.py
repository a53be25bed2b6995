"""Exact neighbors, sorted by (distance, index).

n is the number of training points X (n, d), m that of queries (m, d).
"""

from knnviz.neighbors.index import Metric, MetricIndex, SpatialIndex, prepare
from knnviz.neighbors.table import NeighborTable
from knnviz.neighbors.windows import Windows

__all__ = ["Metric", "MetricIndex", "NeighborTable", "SpatialIndex", "Windows", "prepare"]
