"""Means over runs of which some are not done yet: their values are NaN."""

import numpy as np


def nan_mean(values: np.ndarray) -> np.ndarray:
    """Mean (...) over runs of values (runs, ...), without NaN; NaN where all are."""
    counts = np.isfinite(values).sum(axis=0)
    return np.nansum(values, axis=0) / np.where(counts > 0, counts, np.nan)


def nan_standard_error(values: np.ndarray) -> np.ndarray:
    """Standard error (...) of that mean; NaN for fewer than two values."""
    counts = np.isfinite(values).sum(axis=0)
    squares = np.nansum((values - nan_mean(values)) ** 2, axis=0)
    return np.sqrt(squares / np.where(counts > 1, (counts - 1) * counts, np.nan))
