from .corruption import BagDraws, BagProcess, LabelNoise
from .neighbors import NeighborTable
from .problems import (
    Dataset,
    Problem,
    Sample,
    breast_cancer,
    bundled,
    checkerboard,
    from_bags,
    from_data,
    wave2d,
)
from .profiles import BallProfile, VoteProfile
from .rules import Adaptive, PartialAdaptive, Robust, Threshold, Vote, Weighted

__version__: str

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
    "from_bags",
    "from_data",
    "wave2d",
]
