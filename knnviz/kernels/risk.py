"""Risk, and what class weights predict, as sums over weighted points."""

import numpy as np

from knnviz.kernels.jit import kernel


@kernel
def expected_error(eta, labels, weights):
    """Risk of labels (m,): the sum of weights (m,) times 1 - eta[i, label], the probability that
    label is wrong.
    """
    total = 0.0
    for i in range(labels.shape[0]):
        total += weights[i] * (1.0 - eta[i, labels[i]])
    return total


@kernel
def sum_weights(truth, fractions, weights, q, slack, predicted, hits):
    """Write into predicted (J, C) the weight of points where each class is predicted, into hits the
    correct part.

    Each of J rows of class weights q (J, C), not negative, predicts the smallest class whose q_c *
    fraction_c is within slack (J,) of the largest. fractions (C, m) are those at m points of
    weights (m,), truth (C, m) the part of a weight that belongs to each class.
    """
    n_classes, m = fractions.shape
    n_rows = q.shape[0]
    by_class = q.T.copy()
    least = np.empty(n_rows)
    free = np.empty(n_rows)
    sums = np.zeros((2, n_classes, n_rows))
    for i in range(m):
        # All rows at a time, without a branch: several in one instruction.
        least[:] = 0.0
        for c in range(n_classes):
            for j in range(n_rows):
                least[j] = max(least[j], by_class[c, j] * fractions[c, i])
        for j in range(n_rows):
            least[j] = least[j] - slack[j]
            free[j] = 1.0
        for c in range(n_classes):
            for j in range(n_rows):
                hit = free[j] if by_class[c, j] * fractions[c, i] >= least[j] else 0.0
                free[j] -= hit
                sums[0, c, j] += hit * weights[i]
                sums[1, c, j] += hit * truth[c, i]
    for c in range(n_classes):
        for j in range(n_rows):
            predicted[j, c] = sums[0, c, j]
            hits[j, c] = sums[1, c, j]
