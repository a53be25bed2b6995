"""Which bags can be learned from: processes as matrices, rank and alignment with witnesses, models of the field."""

from knnviz.learnability.conditions import (
    aligned,
    best,
    confusable,
    decode,
    is_label_aligned,
    is_reconstructible,
    least_theta,
    misaligned,
    near_best,
    rank,
    same_bags,
    swap,
)
from knnviz.learnability.examples import EXAMPLES, Example
from knnviz.learnability.matrix import (
    bag_index,
    bag_law,
    cooccurrence,
    draw_bags,
    every_bag,
    frequency,
    process_matrix,
    process_of,
)

__all__ = [
    "EXAMPLES",
    "Example",
    "aligned",
    "bag_index",
    "bag_law",
    "best",
    "confusable",
    "cooccurrence",
    "decode",
    "draw_bags",
    "every_bag",
    "frequency",
    "is_label_aligned",
    "is_reconstructible",
    "least_theta",
    "misaligned",
    "near_best",
    "process_matrix",
    "process_of",
    "rank",
    "same_bags",
    "swap",
]
