"""A score of decisions without true labels, from bags of candidate labels."""

import numpy as np
from numpy.typing import ArrayLike

from knnviz import checks


def bag_score(bags: ArrayLike, labels: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
    """Fraction of points whose predicted label lies in their bag.

    ``bags`` (m, C) are truth values or 0 and 1, ``labels`` (m,) class codes 0 to C - 1, ``sample_weight`` (m,) is not
    negative, not all 0, and equal by default.

    It estimates P(h(x) in S) of a classifier h, not its accuracy: a label in every bag scores 1, and an empty bag is
    always an error. It is at least the accuracy if every bag holds the true label; a bag that lacks it counts against
    the right decision. If the label in most bags at each point is also the most probable one (label-aligned bags), then
    the Bayes classifier has the largest expected score of all classifiers. The score can then choose among settings.
    Without that condition, a worse classifier may have a larger one.

    Source: the condition is (3) of Errandonea et al.; the score is ours.

    Examples
    --------
    >>> from knnviz.metrics import bag_score
    >>> bag_score([[1, 1, 0], [0, 1, 1]], labels=[0, 0])
    0.5
    """
    table = checks.check_bags("bags", bags)
    if not len(table):
        raise ValueError("there are no bags to score")
    codes = checks.check_codes("labels", labels, len(table), table.shape[1])
    weights = np.ones(len(codes)) if sample_weight is None else checks.check_numbers("sample_weight", sample_weight)
    if weights.shape != codes.shape or not (weights >= 0).all() or not 0 < weights.sum() < np.inf:
        raise ValueError(f"sample_weight must be {len(codes)} numbers that are not negative, and not all 0")
    return float(np.average(table[np.arange(len(codes)), codes], weights=weights))
