"""The score of decisions by bags alone: plain counts, and when the Bayes classifier has the largest."""

from itertools import product

import numpy as np
import pytest
from refusals import refuses

from knnviz.estimators.bag_labels import bag_score


def test_it_counts_bags_that_hold_the_label():
    bags = [[1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 1, 1]]
    assert bag_score(bags, [0, 2, 1, 2]) == 0.5
    assert bag_score(np.array(bags, bool), [0, 2, 1, 2], [1, 1, 0, 2]) == 0.75


@pytest.mark.parametrize(
    ("frequency", "aligned"), [(((0.7, 0.5), (0.2, 0.9)), True), (((0.4, 0.5), (0.2, 0.9)), False)]
)
def test_of_all_classifiers_the_bayes_rule_scores_most_if_bags_are_aligned(frequency, aligned):
    """Two points, at which label 0, then label 1, is certain; in most bags at the first is label 0, or label 1."""
    rng = np.random.default_rng(0)
    points = np.repeat([0, 1], 4000)
    bags = rng.random((8000, 2)) < np.array(frequency)[points]
    scores = {rule: bag_score(bags, np.array(rule)[points]) for rule in product((0, 1), repeat=2)}
    assert (max(scores, key=scores.get) == (0, 1)) == aligned
    assert scores[0, 1] == pytest.approx((frequency[0][0] + frequency[1][1]) / 2, abs=0.02)


def test_what_is_refused():
    refuses("bags must hold truth values, or 0 and 1", bag_score, [[2, 0]], [0])
    refuses("labels must be class codes 0 to 1, got 2 to 2", bag_score, [[1, 0]], [2])
    refuses("labels must hold one class for each of 1 points", bag_score, [[1, 0]], [0, 1])
    refuses("there are no bags to score", bag_score, np.empty((0, 2)), [])
    for weights in ([1], [1, -1], [0, 0], [np.nan, 1], [np.inf, 1]):
        sentence = "sample_weight must be 2 numbers that are not negative, and not all 0"
        refuses(sentence, bag_score, [[1, 0], [0, 1]], [0, 0], weights)
