"""Windows of a line: k sorted points side by side, the k nearest of any point between two breakpoints."""

from knnviz.kernels.jit import kernel


@kernel
def window_extremes(x, cumulated, k, ends):
    """Fill ends (2,) with the fewest and the most votes among the k nearest of any training point.

    x (n,) are the sorted points, cumulated (n + 1,) their cumulated votes for one class. The window of the k nearest
    moves on by one point beyond the midpoint between its first point and the one after its last.
    """
    n, start = x.shape[0], 0
    ends[0], ends[1] = k, 0
    for j in range(n):
        while start < n - k and (x[start] + x[start + k]) / 2 < x[j]:
            start += 1
        votes = cumulated[start + k] - cumulated[start]
        ends[0], ends[1] = min(ends[0], votes), max(ends[1], votes)
