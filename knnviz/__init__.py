"""k-nearest-neighbour theory to see and to compute with."""

from knnviz.corruption import LabelNoise
from knnviz.neighbors import NeighborTable
from knnviz.problems import (
    Dataset,
    Problem,
    Sample,
    breast_cancer,
    bundled,
    checkerboard,
    from_csv,
    from_data,
    from_npz,
    wave2d,
)
from knnviz.profiles import BallProfile, VoteProfile
from knnviz.rules import Robust, Threshold, Vote, Weighted

__version__ = "0.1.0"

__all__ = [
    "BallProfile",
    "Dataset",
    "LabelNoise",
    "NeighborTable",
    "Problem",
    "Robust",
    "Sample",
    "Threshold",
    "Vote",
    "VoteProfile",
    "Weighted",
    "breast_cancer",
    "bundled",
    "checkerboard",
    "from_csv",
    "from_data",
    "from_npz",
    "wave2d",
]
