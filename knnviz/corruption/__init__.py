"""What happens to labels before a learner sees them: label noise, and bags of candidate labels.

n and m are numbers of points, d is their dimension, C the number of classes, coded 0 to C - 1. eta are the true class
probabilities P(Y = c | x), and eta_corr those of labels with noise. Label noise flips the label of a point. A bag is
the candidate label set of a point: a set of classes that should hold the true one, as in learning from partial labels.
"""

from knnviz.corruption.bag_arrays import as_bags, read_bags
from knnviz.corruption.bag_process import BagDraws, BagProcess
from knnviz.corruption.given_bags import GivenBags
from knnviz.corruption.label_noise import LabelNoise

__all__ = ["BagDraws", "BagProcess", "GivenBags", "LabelNoise", "as_bags", "read_bags"]
