"""Linear scores with Gaussian weights, online: AROW (adaptive regularization of weights), NHERD (normal herding)."""

import numpy as np

from knnviz.kernels.jit import kernel


@kernel
def confidence_pass(X, signs, order, r, nherd, mean, covariance):
    """Update the weights' mean (d,) and covariance (d, d) in place, at each point of ``order`` with a margin below 1.

    X (n, d) are the points, signs (n,) float their labels -1 or 1. The margin is sign * mean' x. With the covariance S,
    the variance v = x' S x and the regularization r, the mean moves by sign S x (1 - margin) / (v + r). S decreases by
    S x x' S times 1 / (v + r) in AROW, times (v + 2 r) / (v + r)^2 in NHERD (``nherd``).
    """
    d = mean.shape[0]
    direction = np.empty(d)
    for i in order:
        margin = 0.0
        for a in range(d):
            margin += signs[i] * X[i, a] * mean[a]
        if margin >= 1:
            continue
        direction[:] = 0
        for a in range(d):
            # One-hot columns are mostly zeros.
            if X[i, a] != 0:
                for b in range(d):
                    direction[b] += X[i, a] * covariance[a, b]
        variance = 0.0
        for a in range(d):
            variance += X[i, a] * direction[a]
        step = signs[i] * (1 - margin) / (variance + r)
        shrinkage = (variance + 2 * r) / (variance + r) ** 2 if nherd else 1 / (variance + r)
        for a in range(d):
            mean[a] += step * direction[a]
            scaled = shrinkage * direction[a]
            for b in range(d):
                covariance[a, b] -= scaled * direction[b]
