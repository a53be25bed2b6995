"""Exact neighbors, sorted by (distance, index)."""

from knnviz.neighbors.metric_space import Metric, MetricSpace
from knnviz.neighbors.prepare import prepare
from knnviz.neighbors.spatial_index import ALGORITHMS, SpatialIndex
from knnviz.neighbors.table import NeighborTable

__all__ = ["ALGORITHMS", "Metric", "MetricSpace", "NeighborTable", "SpatialIndex", "prepare"]
