from .bags import BagDraws, BagProcess, read_bags
from .neighbors import NeighborTable
from .noise import LabelNoise
from .problems import (
    Dataset,
    Problem,
    Resolution,
    Sample,
    breast_cancer,
    bump,
    bundled,
    checkerboard,
    from_bags,
    from_data,
    gaussians,
    jump,
    plateau,
    ramp,
    wave2d,
    waves,
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
    "Resolution",
    "Robust",
    "Sample",
    "Threshold",
    "Vote",
    "VoteProfile",
    "Weighted",
    "breast_cancer",
    "bump",
    "bundled",
    "checkerboard",
    "from_bags",
    "from_data",
    "gaussians",
    "jump",
    "plateau",
    "ramp",
    "read_bags",
    "wave2d",
    "waves",
]
