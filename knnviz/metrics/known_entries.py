"""Means over runs of which some are still to come: what is not known yet is NaN."""

import numpy as np


def mean_known(values: np.ndarray) -> np.ndarray:
    """Mean (...) over the runs of values (runs, ...) that are not NaN; NaN where nothing is known."""
    counts = np.isfinite(values).sum(axis=0)
    return np.nansum(values, axis=0) / np.where(counts > 0, counts, np.nan)


def error_known(values: np.ndarray) -> np.ndarray:
    """Standard error (...) of that mean; NaN where fewer than two values are known."""
    counts = np.isfinite(values).sum(axis=0)
    squares = np.nansum((values - mean_known(values)) ** 2, axis=0)
    return np.sqrt(squares / np.where(counts > 1, (counts - 1) * counts, np.nan))
