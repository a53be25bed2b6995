"""What happens to labels before a learner sees them: noise, and bags of candidates."""

from knnviz.corruption.bag_process import BagDraws, BagProcess
from knnviz.corruption.candidates import as_bags, read_bags
from knnviz.corruption.noise import LabelNoise

__all__ = ["BagDraws", "BagProcess", "LabelNoise", "as_bags", "read_bags"]
