"""k-nearest-neighbour theory to see and to compute with."""

from knnviz.corruption import BagDraws, BagProcess, LabelNoise
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
from knnviz.rules import Adaptive, PartialAdaptive, Robust, Threshold, Vote, Weighted

__version__ = "0.1.0"

__all__ = [
    "Adaptive",
    "BagDraws",
    "BagProcess",
    "BallProfile",
    "Dataset",
    "LabelNoise",
    "NeighborTable",
    "PartialAdaptive",
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
