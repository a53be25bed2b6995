"""Balls that grow one neighbor at a time until the votes of bags stop them.

At step k a ball holds the k nearest training points of a query, whose bags vote. T is the largest
k. A class is alive until it is eliminated; the leading class has the most votes among those alive,
the runner-up the second most.
"""

import numpy as np

from knnviz.kernels.jit import kernel


@kernel
def first_to_reach(indices, bags, min_votes, labels, stops, decided):
    """Grow each query's ball until some class is in ``min_votes[k - 1]`` of its k bags, or k
    reaches T.

    Write the class in most bags there (the smallest of several) into labels (m,), and k into stops
    (m,). decided (m,) is whether the ball stopped by itself. indices (m, T or more), bags (n, C)
    uint8, min_votes (T,).
    """
    n_classes = bags.shape[1]
    votes = np.empty(n_classes, np.int64)
    for i in range(indices.shape[0]):
        votes[:] = 0
        decided[i] = False
        k = 0
        while k < min_votes.shape[0] and not decided[i]:
            bag = bags[indices[i, k]]
            k += 1
            most = 0
            for c in range(n_classes):
                votes[c] += bag[c]
                most = max(most, votes[c])
            decided[i] = most >= min_votes[k - 1]
        labels[i] = votes.argmax()
        stops[i] = k


@kernel
def eliminate(indices, bags, min_gap, fallback, eliminated_at, labels, stops):
    """Grow each query's ball and eliminate classes until one is alive, or k reaches T.

    At step k a class is eliminated if it is ``min_gap[k - 1]`` bags or more behind the leading
    class. Write into stops (m,) the last k, into eliminated_at (m, C) the step at which each class
    is eliminated, T + 1 if it is alive, into labels (m,) the class that is. Of several,
    ``fallback`` 0 takes the class in most bags, the smallest on a tie; 1 and 2 take the class that
    ever had the largest lead d / sqrt(k). Here d is its votes minus those of the runner-up (1) or
    of the second class of all (2). indices (m, T or more), bags (n, C) uint8, min_gap (T,).
    """
    n_classes = bags.shape[1]
    k_max = min_gap.shape[0]
    votes = np.empty(n_classes, np.int64)
    for i in range(indices.shape[0]):
        votes[:] = 0
        gone = eliminated_at[i]
        gone[:] = k_max + 1
        n_alive = n_classes
        k = 0
        while n_alive > 1 and k < k_max:
            bag = bags[indices[i, k]]
            k += 1
            first = 0
            last = k
            for c in range(n_classes):
                votes[c] += bag[c]
                if gone[c] > k:
                    first = max(first, votes[c])
                    last = min(last, votes[c])
            if first - last >= min_gap[k - 1]:
                for c in range(n_classes):
                    if gone[c] > k and first - votes[c] >= min_gap[k - 1]:
                        gone[c] = k
                        n_alive -= 1
        stops[i] = k
        best = 0
        for c in range(n_classes):
            if gone[c] > k_max and (votes[c] > votes[best] or gone[best] <= k_max):
                best = c
        if n_alive > 1 and fallback:
            best = largest_lead(indices[i], bags, k_max, fallback == 2, gone, votes)
        labels[i] = best


@kernel
def largest_lead(row, bags, k_max, over_all, eliminated_at, votes):
    """The class alive in one ball that ever had the largest lead d / sqrt(k) up to k = k_max.

    d is its votes minus those of the runner-up at step k, or of the second class of all if
    ``over_all``; it may be negative. ``eliminated_at`` (C,) is above k_max for the classes alive.
    Ties go to the smallest k, then to the smallest class. ``votes`` (C,) is a buffer.
    """
    votes[:] = 0
    best = 0
    best_square = 0
    best_k = 0
    for k in range(1, k_max + 1):
        bag = bags[row[k - 1]]
        first = -1
        second = -1
        for c in range(votes.shape[0]):
            votes[c] += bag[c]
            if over_all or k <= eliminated_at[c]:
                second = max(second, min(first, votes[c]))
                first = max(first, votes[c])
        # d / sqrt(k) compared by squares, whole numbers: rounding would split leads that are equal.
        # No lead is larger than that of the leading class.
        if best_k == 0 or (first - second) ** 2 * best_k > best_square * k:
            for c in range(votes.shape[0]):
                signed_square = (votes[c] - second) * abs(votes[c] - second)
                is_larger = best_k == 0 or signed_square * best_k > best_square * k
                if is_larger and eliminated_at[c] > k_max:
                    best = c
                    best_square = signed_square
                    best_k = k
    return best
