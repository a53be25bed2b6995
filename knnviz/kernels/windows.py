"""Windows of a line."""

from knnviz.kernels.jit import kernel


@kernel
def extremes_served(x, cumulated, k, ends):
    """Fill ends (2,) with the fewest and the most votes in any window of k points that serves a training point.

    x (n,) are the sorted points, cumulated (n + 1,) their votes so far. A window gives way to the next where the middle
    of the point lost and the point gained is passed.
    """
    n, start = x.shape[0], 0
    ends[0], ends[1] = k, 0
    for j in range(n):
        while start < n - k and (x[start] + x[start + k]) / 2 < x[j]:
            start += 1
        votes = cumulated[start + k] - cumulated[start]
        ends[0], ends[1] = min(ends[0], votes), max(ends[1], votes)
