"""Windows of k consecutive points among the sorted points of a line."""

from knnviz.kernels.jit import kernel


@kernel
def window_extremes(x, cumulative, k, extremes):
    """Fill extremes (2,) with the fewest and the most votes among the k nearest of any training point.

    x (n,) are the sorted points, cumulative (n + 1,) their cumulative votes for one class. The k nearest are a window:
    it moves on by one point beyond the midpoint between its first point and the one after its last.
    """
    n, start = x.shape[0], 0
    extremes[0], extremes[1] = k, 0
    for j in range(n):
        while start < n - k and (x[start] + x[start + k]) / 2 < x[j]:
            start += 1
        votes = cumulative[start + k] - cumulative[start]
        extremes[0], extremes[1] = min(extremes[0], votes), max(extremes[1], votes)
