"""Votes of neighbors."""

import numpy as np

from knnviz.kernels.jit import kernel

#: Queries that are counted side by side, so that writes stay in the cache.
BLOCK = 64


@kernel
def count_votes(indices, labels, k, votes):
    """Add to votes (C, m) the labels (n,) of each query's k nearest points, indices (m, k_max)."""
    for i in range(indices.shape[0]):
        for j in range(k):
            votes[labels[indices[i, j]], i] += 1


@kernel
def count_ones(indices, labels, k, ones):
    """Count in ones (m,) the points of class 1 among each query's k nearest, for labels (n,) in {0, 1}."""
    for i in range(indices.shape[0]):
        total = 0
        for j in range(k):
            total += labels[indices[i, j]]
        ones[i] = total


@kernel
def cumulate_votes(indices, labels, votes):
    """Fill votes (C, k_max, m): of class c among the j + 1 nearest of query i, at every j."""
    n_classes, k_max, m = votes.shape
    running = np.zeros((n_classes, BLOCK), np.int64)
    for start in range(0, m, BLOCK):
        stop = min(start + BLOCK, m)
        running[:] = 0
        for j in range(k_max):
            for i in range(start, stop):
                running[labels[indices[i, j]], i - start] += 1
            for c in range(n_classes):
                for i in range(start, stop):
                    votes[c, j, i] = running[c, i - start]


@kernel
def most_votes(votes, labels):
    """Write into labels (m,) the class with most votes (C, m), the smallest class on a tie."""
    for i in range(votes.shape[1]):
        best = 0
        for c in range(1, votes.shape[0]):
            if votes[c, i] > votes[best, i]:
                best = c
        labels[i] = best
