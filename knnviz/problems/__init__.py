"""Where data come from: distributions on a box by name, and real data."""

from knnviz.problems.base import Grid, Measure, Problem, Sample
from knnviz.problems.data import Dataset, breast_cancer, from_data
from knnviz.problems.named import checkerboard, wave2d

__all__ = [
    "Dataset",
    "Grid",
    "Measure",
    "Problem",
    "Sample",
    "breast_cancer",
    "checkerboard",
    "from_data",
    "wave2d",
]
