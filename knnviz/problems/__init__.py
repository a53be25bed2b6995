"""Where data come from: named distributions on a box (an interval or a rectangle), and real data.

X (n, d) are the points of a sample, y (n,) their classes, coded 0 to C - 1; m is a number of other points. mu is the
marginal distribution of the points, eta are the class probabilities P(Y = c | x), and eta_1 is that of class 1.
"""

from knnviz.problems.bags import BagTable, from_bags
from knnviz.problems.base import FULL_RESOLUTION, Grid, Measure, Problem, Resolution, Sample
from knnviz.problems.binary import one_against_rest
from knnviz.problems.bundled import breast_cancer, bundled
from knnviz.problems.counts import expected_seen, expected_singletons
from knnviz.problems.data import Dataset, from_data
from knnviz.problems.named import (
    bump,
    checkerboard,
    gaussians,
    jump,
    levels,
    linear,
    logistic,
    moons,
    plateau,
    plateau_level,
    power,
    ramp,
    rare,
    spirals,
    terrace,
    wave2d,
    waves,
    zipf,
)
from knnviz.problems.piecewise import constant, contested, segments
from knnviz.problems.specs import from_spec

__all__ = [
    "FULL_RESOLUTION",
    "BagTable",
    "Dataset",
    "Grid",
    "Measure",
    "Problem",
    "Resolution",
    "Sample",
    "breast_cancer",
    "bump",
    "bundled",
    "checkerboard",
    "constant",
    "contested",
    "expected_seen",
    "expected_singletons",
    "from_bags",
    "from_data",
    "from_spec",
    "gaussians",
    "jump",
    "levels",
    "linear",
    "logistic",
    "moons",
    "one_against_rest",
    "plateau",
    "plateau_level",
    "power",
    "ramp",
    "rare",
    "segments",
    "spirals",
    "terrace",
    "wave2d",
    "waves",
    "zipf",
]
