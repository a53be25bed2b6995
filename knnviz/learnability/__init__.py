"""Bags of candidate labels: which can be learned from, and how well rules do on them.

A bag is a set of candidate labels. C is the number of labels, coded 0 to C - 1; eta (C,) are their
true probabilities P(y | x) at a point x. A process M (2^C, C) holds P(s | i), the probability of
each bag s for each true label i. So bags at x have the distribution M eta(x). A process and an eta
together are a world.

P(S_y | x) is the probability that a bag at x holds y; the labels in most bags are those for which
it is largest. A label is best if it has the largest eta. Bags are aligned at x if the labels in
most bags are the best ones, and a process is aligned if its bags are at every eta. It is
reconstructible if their distribution determines the best labels at every eta.

n, m and d are the numbers of training points, queries and columns of X. A ``BagProcess`` draws
bags: wrong labels join with their inclusion probabilities, which may differ between parts of the
space. With probability nu bag noise of some kind (``knnviz.bags``) removes or replaces the true
label.
"""

from knnviz.learnability.conditions import (
    aligned_world,
    best,
    decode,
    indistinguishable_etas,
    is_label_aligned,
    least_theta,
    misaligned_eta,
    other_etas,
    rank,
    same_bags,
    same_best_labels,
    swap,
)
from knnviz.learnability.examples import EXAMPLES
from knnviz.learnability.matrix import (
    bag_distribution,
    cooccurrence,
    draw_bags,
    every_bag,
    frequency,
    process_matrix,
    process_of,
)
from knnviz.learnability.models import (
    MODELS,
    feng_process,
    lv_counterexample,
    model_fractions,
    split_frequency,
)
from knnviz.learnability.polygons import largest_score_polygon, misaligned_fraction

__all__ = [
    "EXAMPLES",
    "MODELS",
    "aligned_world",
    "bag_distribution",
    "best",
    "cooccurrence",
    "decode",
    "draw_bags",
    "every_bag",
    "feng_process",
    "frequency",
    "indistinguishable_etas",
    "is_label_aligned",
    "largest_score_polygon",
    "least_theta",
    "lv_counterexample",
    "misaligned_eta",
    "misaligned_fraction",
    "model_fractions",
    "other_etas",
    "process_matrix",
    "process_of",
    "rank",
    "same_bags",
    "same_best_labels",
    "split_frequency",
    "swap",
]
