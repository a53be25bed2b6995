"""Votes: how many of the nearest training points of a query have each class, and the class with
most of them.
"""

import numpy as np

from knnviz.kernels.jit import kernel


@kernel
def count_votes(indices, labels, ks, votes):
    """Fill votes (C, J, m): how many of the k nearest of each query vote for a class, for each k of
    ks (J,), ascending.

    indices (m, k_max) are the neighbors, labels their classes (n,) or their bags (n, C) uint8.
    """
    n_classes = votes.shape[0]
    running = np.empty(n_classes, np.int64)
    for i in range(indices.shape[0]):
        running[:] = 0
        counted = 0
        for step in range(ks.shape[0]):
            added = indices[i, counted : ks[step]]
            counted = ks[step]
            if labels.ndim == 2:
                for j in added:
                    bag = labels[j]
                    for c in range(n_classes):
                        running[c] += bag[c]
            elif n_classes == 2:
                ones = 0
                for j in range(added.shape[0]):
                    ones += labels[added[j]]
                running[1] += ones
                running[0] = counted - running[1]
            else:
                for j in added:
                    running[labels[j]] += 1
            for c in range(n_classes):
                votes[c, step, i] = running[c]


@kernel
def most_votes(votes, labels):
    """Write into labels (m,) the class with most votes (C, m), the smallest class on a tie."""
    for i in range(votes.shape[1]):
        best = 0
        for c in range(1, votes.shape[0]):
            if votes[c, i] > votes[best, i]:
                best = c
        labels[i] = best


@kernel
def most_weight(votes, voters, q, slack, labels):
    """Write into labels (m,) the smallest class whose score q_c * (votes_c / voters) is within
    slack of the largest.

    votes (C, m) are those of each class, voters (m,) how many points vote, q (C,) class weights
    that are not negative.
    """
    scores = np.empty(votes.shape[0])
    for i in range(votes.shape[1]):
        largest = 0.0
        for c in range(votes.shape[0]):
            scores[c] = q[c] * (votes[c, i] / voters[i])
            largest = max(largest, scores[c])
        best = 0
        # All classes are compared: a branch to stop early would cost more than it saves.
        for c in range(votes.shape[0] - 1, -1, -1):
            if scores[c] >= largest - slack:
                best = c
        labels[i] = best
