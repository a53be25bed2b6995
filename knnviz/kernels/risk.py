"""Risk of labels, and what decisions get right class by class."""

import numpy as np

from knnviz.kernels.jit import kernel


@kernel
def expected_error(labels, eta, weights):
    """Sum of weights (m,) times the probability 1 - eta (m, C) that the label of a cell is wrong."""
    total = 0.0
    for i in range(labels.shape[0]):
        total += weights[i] * (1.0 - eta[i, labels[i]])
    return total


@kernel
def sum_entries(positive, truth, points, entries):
    """Fill entries (4, C) with tn, fn, fp and tp of each class, summed over weights of points (m,).

    positive (C, m) says where a class is decided, truth (m, C) how likely it is there.
    """
    for c in range(positive.shape[0]):
        tn, fn, fp, tp = 0.0, 0.0, 0.0, 0.0
        for i in range(positive.shape[1]):
            own = truth[i, c] * points[i]
            others = points[i] - own
            # Nothing is added to one of the sides: a branch would cost more.
            hit = 1.0 * positive[c, i]
            miss = 1.0 - hit
            tn += others * miss
            fn += own * miss
            fp += others * hit
            tp += own * hit
        entries[0, c], entries[1, c], entries[2, c], entries[3, c] = tn, fn, fp, tp


@kernel
def weigh(fractions, truth, points, q, slack, predicted, hits):
    """Write into predicted and hits (J, C) how much points decide each class, and rightly so, under each of J weights.

    The decision is the smallest class whose q_c * fraction_c is within slack (J,) of the largest. fractions (C, m) are
    those at m points, q (J, C) weights that are not negative, points (m,) what each point counts, truth (C, m) how much
    of it is each class.
    """
    n_classes, m = fractions.shape
    scores = np.empty(n_classes)
    predicted[:], hits[:] = 0.0, 0.0
    for j in range(q.shape[0]):
        for i in range(m):
            largest = 0.0
            for c in range(n_classes):
                scores[c] = q[j, c] * fractions[c, i]
                largest = max(largest, scores[c])
            best = 0
            for c in range(n_classes - 1, -1, -1):
                if scores[c] >= largest - slack[j]:
                    best = c
            predicted[j, best] += points[i]
            hits[j, best] += truth[best, i]
