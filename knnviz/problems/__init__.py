"""Where data come from: distributions on a box by name, and real data."""

from knnviz.problems.base import Grid, Measure, Problem, Sample
from knnviz.problems.data import Dataset, breast_cancer, from_data
from knnviz.problems.named import (
    bump,
    checkerboard,
    gaussians,
    jump,
    linear,
    moons,
    plateau,
    power,
    spirals,
    two_level,
    wave2d,
    waves,
    zipf,
)

__all__ = [
    "Dataset",
    "Grid",
    "Measure",
    "Problem",
    "Sample",
    "breast_cancer",
    "bump",
    "checkerboard",
    "from_data",
    "gaussians",
    "jump",
    "linear",
    "moons",
    "plateau",
    "power",
    "spirals",
    "two_level",
    "wave2d",
    "waves",
    "zipf",
]
