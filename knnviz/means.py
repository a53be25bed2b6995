"""Ratios; and means and standard errors over repeats, of which NaN marks one that is not done."""

import numpy as np


def nan_mean(values: np.ndarray) -> np.ndarray:
    """Mean (...) over repeats of values (repeats, ...), without NaN; NaN where all are."""
    counts = (~np.isnan(values)).sum(axis=0)
    divisors = np.where(counts > 0, counts, np.nan)
    return np.nansum(values, axis=0) / divisors


def nan_standard_error(values: np.ndarray) -> np.ndarray:
    """Standard error (...) of that mean; NaN for fewer than two values."""
    counts = (~np.isnan(values)).sum(axis=0)
    squares = np.nansum((values - nan_mean(values)) ** 2, axis=0)
    divisors = np.where(counts > 1, (counts - 1) * counts, np.nan)
    return np.sqrt(squares / divisors)


def ratio(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """The ratio, 0 where the denominator is 0."""
    quotients = np.zeros(np.shape(denominator))
    is_positive = np.asarray(denominator) > 0
    return np.divide(numerator, denominator, out=quotients, where=is_positive)
