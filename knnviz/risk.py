"""The risk of labels that a rule gave: exact where eta is known, held out where it is not."""

import numpy as np

from knnviz import checks, kernels


def exact(labels: np.ndarray, eta: np.ndarray, weights: np.ndarray | None = None) -> float:
    """Chance that labels (m,) of grid cells differ from the true class, eta (m, C); cells weigh the same by default."""
    if np.ndim(eta) != 2:
        raise ValueError(f"eta must have a row for each cell and a column for each class, got shape {np.shape(eta)}")
    labels = checks.codes("labels", labels, *eta.shape)
    weights = np.full(len(eta), 1 / len(eta)) if weights is None else checks.numbers("weights", weights)
    if weights.shape != labels.shape:
        raise ValueError(f"weights must hold one number for each of {len(eta)} cells, got shape {weights.shape}")
    return float(kernels.expected_error(labels, eta, weights))


def held_out(labels: np.ndarray, y: np.ndarray) -> float:
    """Share of labels (m,) that differ from the true classes y (m,) of points held out."""
    if len(labels) != len(y):
        raise ValueError(f"labels and y must have the same length, got {len(labels)} and {len(y)}")
    return float(np.mean(labels != y))
