"""Risk of labels."""

from knnviz.kernels.jit import kernel


@kernel
def expected_error(labels, eta, weights):
    """Sum of weights (m,) times the chance 1 - eta (m, C) that the label of a cell is wrong."""
    total = 0.0
    for i in range(labels.shape[0]):
        total += weights[i] * (1.0 - eta[i, labels[i]])
    return total
