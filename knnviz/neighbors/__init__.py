"""Exact neighbors, sorted by (distance, index)."""

from knnviz.neighbors.metric_index import Metric, MetricIndex
from knnviz.neighbors.prepare import prepare
from knnviz.neighbors.spatial_index import ALGORITHMS, SpatialIndex
from knnviz.neighbors.subset import among
from knnviz.neighbors.table import NeighborTable

__all__ = ["ALGORITHMS", "Metric", "MetricIndex", "NeighborTable", "SpatialIndex", "among", "prepare"]
