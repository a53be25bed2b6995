"""Nearest neighbors with randomly flipped labels: theorems and lemmas of Gao, Niu & Zhou.

Source: "On the Resistance of Nearest Neighbor to Random Noisy Labels". Points lie in [0, 1]^d, eta is L-Lipschitz
there, labels of class 0 and 1 flip with probabilities p0 and p1, and risks are on true labels, in expectation over
samples. With contrast = 1 - p0 - p1, a noisy label is of class 1 with probability eta_corr = p0 + contrast eta. Where
tau occurs, noise is symmetric: p0 = p1 = tau, below 1/2. The plain vote predicts class 1 if its fraction among the k
nearest noisy labels is at least 1/2, robust kNN if it is at least theta = (1 + p0 - p1) / 2.
"""

from knnviz.bounds.gao.asymmetric import (
    BoxBound,
    BoxTerms,
    FixedKBound,
    boxes,
    theorem_1,
    theorem_4,
    theorem_5,
)
from knnviz.bounds.gao.lemmas import (
    binomial_constant,
    chernoff_constant,
    lemma_4,
    lemma_5,
)
from knnviz.bounds.gao.symmetric import (
    OneNNBound,
    VoteBound,
    bias_crossover,
    corollary_1,
    shalev_shwartz_ben_david,
    theorem_2,
    theorem_3,
)
from knnviz.bounds.sides import Sides

__all__ = [
    "BoxBound",
    "BoxTerms",
    "FixedKBound",
    "OneNNBound",
    "Sides",
    "VoteBound",
    "bias_crossover",
    "binomial_constant",
    "boxes",
    "chernoff_constant",
    "corollary_1",
    "lemma_4",
    "lemma_5",
    "shalev_shwartz_ben_david",
    "theorem_1",
    "theorem_2",
    "theorem_3",
    "theorem_4",
    "theorem_5",
]
